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

# %% wrong: the_sum => the two times were added: computing and moving happen at once, the slower one counts
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute + memory, "compute" if compute > memory else "memory"

# %% wrong: the_faster => the shorter of the two times: the slower one sets the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return min(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: names_swapped => the names are swapped: whichever takes longer sets the limit
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "memory" if compute > memory else "compute"

# %% wrong: faster_and_names_swapped => the shorter
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return min(compute, memory), "compute" if compute < memory else "memory"

# %% wrong: only_compute => the bytes were left out:
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, "compute"

# %% wrong: only_memory => the operations were left out
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return memory, "memory"

# %% wrong: compute_time_right_name
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, "compute" if compute > memory else "memory"

# %% wrong: memory_time_right_name
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return memory, "compute" if compute > memory else "memory"

# %% wrong: always_compute =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute"

# %% wrong: always_memory =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "memory"

# %% wrong: fractions_upside_down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = peak_flops / flops, bandwidth / bytes_moved
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: compute_upside_down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = peak_flops / flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: memory_upside_down
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bandwidth / bytes_moved
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: speeds_swapped =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / bandwidth, bytes_moved / peak_flops
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: products
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops * peak_flops, bytes_moved * bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: whole_seconds =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops // peak_flops, bytes_moved // bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: milliseconds =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return 1000 * max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: microseconds =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return 1e6 * max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: multiply_adds_counted_twice =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = 2 * flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bytes_there_and_back =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 2 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bits =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 8 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: numbers_of_four_bytes =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, 4 * bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: no_name =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory)

# %% wrong: name_first =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return "compute" if compute > memory else "memory", max(compute, memory)

# %% wrong: name_alone =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return "compute" if compute > memory else "memory"

# %% wrong: both_times =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, memory

# %% wrong: three_results =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return compute, memory, "compute" if compute > memory else "memory"

# %% wrong: other_words =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "bandwidth"

# %% wrong: words_of_the_arguments =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "flops" if compute > memory else "bytes"

# %% wrong: capitals =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "Compute" if compute > memory else "Memory"

# %% wrong: a_bool_for_the_name =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), compute > memory

# %% wrong: speed_for_time => the speed that can be reached, not the time
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    reached = min(peak_flops, flops / bytes_moved * bandwidth)
    return reached, "compute" if reached == peak_flops else "memory"

# %% wrong: intensity_for_time =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    intensity = flops / bytes_moved
    return intensity, "compute" if intensity > peak_flops / bandwidth else "memory"

# %% wrong: compares_operations_and_bytes =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if flops > bytes_moved else "memory"

# %% wrong: compares_the_machine_s_speeds =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if peak_flops < bandwidth else "memory"

# %% wrong: intensity_above_one =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if flops / bytes_moved > 1 else "memory"

# %% wrong: intensity_upside_down =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    # operations for each byte, here and on the machine
    if flops / bytes_moved < peak_flops / bandwidth:
        return flops / peak_flops, "compute"
    return bytes_moved / bandwidth, "memory"

# %% wrong: root_of_squares =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return (compute ** 2 + memory ** 2) ** 0.5, "compute" if compute > memory else "memory"

# %% wrong: the_mean =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return (compute + memory) / 2, "compute" if compute > memory else "memory"

# %% wrong: rounded =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return round(max(compute, memory), 3), "compute" if compute > memory else "memory"

# %% wrong: as_text =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return f"{max(compute, memory):.3g} s", "compute" if compute > memory else "memory"

# %% wrong: in_float32 =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return torch.tensor(max(compute, memory)).half().item(), "compute" if compute > memory else "memory"

# %% wrong: nothing_returned
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    seconds = max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: printed
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    print(max(compute, memory), "compute" if compute > memory else "memory")

# %% wrong: h200_written_in =>
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / 989e12, bytes_moved / 4.8e12
    return max(compute, memory), "compute" if compute > memory else "memory"

# %% wrong: bandwidth_in_giga
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    compute, memory = flops / peak_flops, bytes_moved / (bandwidth * 1e9)
    return max(compute, memory), "compute" if compute > memory else "memory"
