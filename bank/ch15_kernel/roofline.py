# %% right: the_slower_of_the_two
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% right: by_intensity
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    # operations for each byte, here and on the machine
    if flops * bandwidth >= bytes_moved * peak_flops:
        return flops / peak_flops, "compute"
    return bytes_moved / bandwidth, "memory"

# %% right: maximum_of_pairs
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    return max((flops / peak_flops, "compute"), (bytes_moved / bandwidth, "memory"))

# %% right: a_dictionary
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    times = {"memory": bytes_moved / bandwidth, "compute": flops / peak_flops}
    limit = max(times, key=times.get)
    return times[limit], limit

# %% right: the_reachable_speed
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    """The roof itself: the speed that can be reached, and from it the time."""
    memory = bytes_moved / bandwidth
    if not flops:
        return memory, "memory"
    reached = min(peak_flops, flops / memory) if memory else peak_flops
    return flops / reached, "compute" if reached == peak_flops else "memory"

# %% right: sorted_times
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    *_, (seconds, limit) = sorted([(bytes_moved / bandwidth, "memory"), (flops / peak_flops, "compute")])
    return seconds, limit

# %% right: with_tensors
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    times = torch.tensor([flops, bytes_moved], dtype=torch.float64) / torch.tensor([peak_flops, bandwidth], dtype=torch.float64)
    limit = int(times.argmax())
    return times[limit].item(), ["compute", "memory"][limit]

# %% wrong: the_sum (1) => the two times were added: computing and moving happen at once, so the longer one counts
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute + memory, "compute" if compute > memory else "memory"

# %% wrong: the_faster (1) => the shorter of the two times came back: the slower of the two sets the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return min(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: names_swapped (1) => the time is right and the names are swapped: what takes longer sets it
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "memory" if compute > memory else "compute"

# %% wrong: faster_and_names_swapped (1) => the shorter of the two times came back: the slower of the two sets the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return min(compute, memory), "compute" if compute < memory else "memory"

# %% wrong: only_compute (1) => the bytes have no say: the time of moving may be the longer one
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, "compute"

# %% wrong: only_memory (1) => the operations have no say: the time of computing may be the longer one
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return memory, "memory"

# %% wrong: compute_time_right_name (1) => the name is that of the slower one, the time that of computing
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, "compute" if compute > memory else "memory"

# %% wrong: memory_time_right_name (1) => the name is that of the slower one, the time that of moving
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return memory, "compute" if compute > memory else "memory"

# %% wrong: always_compute (1) => "compute" comes back always, also where moving takes longer
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute"

# %% wrong: always_memory (1) => "memory" comes back always, also where computing takes longer
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "memory"

# %% wrong: fractions_upside_down (1) => a time is operations over operations a second: both fractions are upside down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = peak_flops / flops, bandwidth / bytes_moved
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: compute_upside_down (1) => a time is operations over operations a second: this fraction is upside down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = peak_flops / flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: memory_upside_down (1) => a time is bytes over bytes a second: this fraction is upside down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bandwidth / bytes_moved
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: speeds_swapped (1) => operations were divided by the bandwidth, and bytes by the operations a second
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / bandwidth, bytes_moved / peak_flops
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: products (1) => amount and speed were multiplied: a time is an amount over a speed
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops * peak_flops, bytes_moved * bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: whole_seconds (1) => // gave whole seconds: divide with /
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops // peak_flops, bytes_moved // bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: milliseconds (1) => the time is in milliseconds: seconds are asked for
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return 1000 * max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: microseconds (1) => the time is in microseconds: seconds are asked for
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return 1e6 * max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: multiply_adds_counted_twice (1) => the operations were counted twice: flops counts each of them already
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = 2 * flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bytes_there_and_back (1) => the bytes were counted twice: bytes_moved counts both directions already
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 2 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bits (1) => the bytes were turned into bits: the bandwidth is in bytes
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 8 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: numbers_of_four_bytes (1) => the bytes were multiplied by 4, as if they were numbers
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 4 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: no_name (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory)

# %% wrong: name_first (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return "compute" if compute > memory else "memory", max(compute, memory)

# %% wrong: name_alone (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return "compute" if compute > memory else "memory"

# %% wrong: both_times (1) => both times came back: the longer one, and the name of what sets it, are asked for
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, memory

# %% wrong: three_results (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, memory, "compute" if compute > memory else "memory"

# %% wrong: other_words (1) -> memory expected, got bandwidth
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "bandwidth"

# %% wrong: words_of_the_arguments (1) -> compute expected, got flops
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "flops" if compute > memory else "bytes"

# %% wrong: capitals (1) -> compute expected, got Compute
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "Compute" if compute > memory else "Memory"

# %% wrong: a_bool_for_the_name (1) => a truth value came back in place of the name
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), compute > memory

# %% wrong: speed_for_time (1) => the speed that can be reached came back, not the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    reached = min(peak_flops, flops / bytes_moved * bandwidth)
    return reached, "compute" if reached == peak_flops else "memory"

# %% wrong: intensity_for_time (1) => operations for each byte came back, not the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    intensity = flops / bytes_moved
    return intensity, "compute" if intensity > peak_flops / bandwidth else "memory"

# %% wrong: compares_operations_and_bytes (1) => operations and bytes were compared for the name: compare the two times
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if flops > bytes_moved else "memory"

# %% wrong: compares_the_machine_s_speeds (1) => the two speeds were compared for the name: compare the two times
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if peak_flops < bandwidth else "memory"

# %% wrong: intensity_above_one (1) => operations and bytes were compared for the name: compare the two times
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if flops / bytes_moved > 1 else "memory"

# %% wrong: intensity_upside_down (1) => the shorter of the two times came back: the slower of the two sets the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    # operations for each byte, here and on the machine
    if flops / bytes_moved < peak_flops / bandwidth:
        return flops / peak_flops, "compute"
    return bytes_moved / bandwidth, "memory"

# %% wrong: root_of_squares (1) => the two times were joined as the sides of a triangle: the longer one counts
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return (compute ** 2 + memory ** 2) ** 0.5, "compute" if compute > memory else "memory"

# %% wrong: the_mean (1) => the mean of the two times came back: the longer one counts
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return (compute + memory) / 2, "compute" if compute > memory else "memory"

# %% wrong: rounded (1) => the time was rounded: small times become 0
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return round(max(compute, memory), 3), "compute" if compute > memory else "memory"

# %% wrong: as_text (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return f"{max(compute, memory):.3g} s", "compute" if compute > memory else "memory"

# %% wrong: in_float32 (1) => the time was rounded to half precision on the way
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return torch.tensor(max(compute, memory)).half().item(), "compute" if compute > memory else "memory"

# %% wrong: nothing_returned (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    seconds = max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: printed (1) -> should come back (number, str)
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    print(max(compute, memory), "compute" if compute > memory else "memory")

# %% wrong: h200_written_in (1) => the speeds of one GPU are written into the function: peak_flops and bandwidth are arguments
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / 989e12, bytes_moved / 4.8e12
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bandwidth_in_giga (1) => the bandwidth was taken for gigabytes a second: it is bytes a second
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / (bandwidth * 1e9)
    return max(compute, memory), "compute" if compute > memory else "memory"
