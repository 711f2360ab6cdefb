# %% right: loop_over_rows
def make_batch(ids, batch, seq, generator):
    inputs, targets = [], []
    for _ in range(batch):
        start = torch.randint(0, len(ids) - seq, (1,), generator=generator).item()
        inputs.append(ids[start:start + seq])
        targets.append(ids[start + 1:start + seq + 1])
    return torch.stack(inputs), torch.stack(targets)

# %% right: unfold
def make_batch(ids, batch, seq, generator):
    windows = ids.unfold(0, seq + 1, 1)
    chosen = windows[torch.randint(windows.size(0), (batch,), generator=generator).to(ids.device)]
    return chosen[:, :seq], chosen[:, 1:]

# %% right: two_index_tensors
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(high=ids.numel() - seq, size=(batch,), generator=generator)
    offsets = torch.arange(seq)
    index = starts.unsqueeze(1) + offsets.unsqueeze(0)
    return ids[index], ids[index + 1]

# %% right: random_floats
def make_batch(ids, batch, seq, generator):
    starts = (torch.rand(batch, generator=generator, dtype=torch.float64) * (len(ids) - seq)).long()
    places = (starts[:, None] + torch.arange(seq)).to(ids.device)
    return ids.take(places), ids.take(places + 1)

# %% right: contiguous_copies
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch,), generator=generator).tolist()
    rows = torch.stack([ids[s:s + seq + 1] for s in starts])
    return rows[:, :-1].contiguous(), rows[:, 1:].contiguous()

# %% wrong: targets_not_shifted => the targets are the inputs themselves: a target is the token that comes next
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    x = ids[starts + torch.arange(seq)]
    return x, x

# %% wrong: shifted_backwards => the targets are shifted the wrong way: they are the tokens before the inputs
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, 1:], windows[:, :-1]

# %% wrong: runs_over_the_end => it did not run: a window ran over the end of the text. A window and its last target are seq + 1 tokens, so which start is the last?
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids), (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: one_start_too_many => it did not run: a window ran over the end of the text. A window and its last target are seq + 1 tokens, so which start is the last?
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq + 1, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: last_window_never => the last window never comes: all windows are equally likely
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq - 1, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: first_window_never => the first window, which starts at 0, never comes: all windows are equally likely
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(1, len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: same_window_in_every_row => all rows of the batch are the same window: each row needs a start of its own
def make_batch(ids, batch, seq, generator):
    start = torch.randint(len(ids) - seq, (1,), generator=generator).item()
    return ids[start:start + seq].repeat(batch, 1), ids[start + 1:start + seq + 1].repeat(batch, 1)

# %% wrong: random_tokens => a row must be a window: tokens that stand side by side in the text
def make_batch(ids, batch, seq, generator):
    places = torch.randint(len(ids) - 1, (batch, seq), generator=generator)
    return ids[places], ids[places + 1]

# %% wrong: generator_ignored -> Are they drawn from
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1))
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: seeds_inside -> Nothing is seeded inside
def make_batch(ids, batch, seq, generator):
    generator = torch.Generator().manual_seed(0)
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: windows_side_by_side_only => only some windows ever come: all of them are equally likely
def make_batch(ids, batch, seq, generator):
    starts = torch.randint((len(ids) - 1) // seq, (batch, 1), generator=generator) * seq
    starts = torch.where(torch.rand(batch, 1, generator=generator) < 0.1, len(ids) - seq - 1, starts)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: only_the_last_target => one target for each input is asked for, not the last one alone
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, -1]

# %% wrong: seq_first => the axes are exchanged: (batch, seq) is asked for
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1].T, windows[:, 1:].T

# %% wrong: one_token_short => one input is missing: a window and its last target are seq + 1 tokens
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[starts + torch.arange(seq)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: back_to_the_cpu -> not on the device that is given
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    inputs = torch.empty(batch, seq, dtype=ids.dtype)
    targets = torch.empty(batch, seq, dtype=ids.dtype)
    if ids.device.type == "cpu":
        windows = ids[starts + torch.arange(seq + 1)]
        inputs[:], targets[:] = windows[:, :-1], windows[:, 1:]
    return inputs, targets

# %% wrong: early_windows_more_often => early windows come more often than late ones: all are equally likely
def make_batch(ids, batch, seq, generator):
    a = torch.rand(batch, 1, generator=generator, dtype=torch.float64)
    starts = (a.square() * (len(ids) - seq)).long()
    windows = ids[starts + torch.arange(seq + 1)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: targets_wrap => the last target of a row is its first input: each target must be the token right after its input
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator).to(ids.device)
    inputs = ids[starts + torch.arange(seq, device=ids.device)]
    return inputs, inputs.roll(-1, dims=1)

# %% wrong: no_window_twice => no window came twice: draw each start by itself, a batch may have more rows than the text has windows
def make_batch(ids, batch, seq, generator):
    starts = torch.randperm(len(ids) - seq, generator=generator)[:batch, None].to(ids.device)
    windows = ids[starts + torch.arange(seq + 1, device=ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% right: choice_of_all_starts
def make_batch(ids, batch, seq, generator):
    chances = torch.ones(len(ids) - seq)
    starts = torch.multinomial(chances, batch, replacement=True, generator=generator)
    windows = torch.stack([ids.narrow(0, s, seq + 1) for s in starts.tolist()])
    return windows.narrow(1, 0, seq), windows.narrow(1, 1, seq)

# %% wrong: starts_kept_between_calls -> two calls in a row
def make_batch(ids, batch, seq, generator):
    kept = make_batch.__dict__.setdefault("kept", {})
    key = (len(ids), batch, seq)
    if key not in kept:
        kept[key] = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[(kept[key] + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: rounded_starts => the first and the last window come half as often as the others: all are equally likely
def make_batch(ids, batch, seq, generator):
    last = len(ids) - seq - 1
    starts = (torch.rand(batch, 1, generator=generator) * last).round().long()
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: clamped_last_start => the last window comes twice as often as the others: a start that is drawn too far may not be moved there
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq + 1, (batch, 1), generator=generator).clamp(max=len(ids) - seq - 1)
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: one_draw_for_two_rows => two rows share one draw: draw each row by itself, not from the row before it
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, ((batch + 1) // 2, 1), generator=generator)
    starts = starts.repeat_interleave(2, dim=0)[:batch]
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: windows_in_a_row_from_a_random_start => the windows of a batch follow one another in the text: draw each row by itself, not from the row before it
def make_batch(ids, batch, seq, generator):
    first = torch.randint(len(ids) - seq, (1,), generator=generator)
    starts = ((first + torch.arange(batch)) % (len(ids) - seq))[:, None]
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: row_zero_from_the_start -> 8 batches of one row: it is not always the same
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    starts[0] = 0
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: targets_drawn_again => inputs and targets were drawn one by one: each target must be the token right after its input
def make_batch(ids, batch, seq, generator):
    inputs = ids[torch.randint(len(ids) - seq, (batch, 1), generator=generator) + torch.arange(seq)]
    targets = ids[torch.randint(len(ids) - seq, (batch, 1), generator=generator) + torch.arange(1, seq + 1)]
    return inputs, targets

# %% wrong: windows_around_the_end => a window ran over the end of the text and went on at its beginning: a row's tokens stand side by side in the text
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids), (batch, 1), generator=generator)
    windows = ids[((starts + torch.arange(seq + 1)) % len(ids)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: reseeds_from_the_generator -> global generator
def make_batch(ids, batch, seq, generator):
    torch.manual_seed(generator.initial_seed())
    starts = torch.randint(len(ids) - seq, (batch, 1))
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: batch_for_seq => it did not run: no start could be drawn. Which starts there are depends on the length of the text and on seq alone
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - batch, (batch, 1), generator=generator)
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1], windows[:, 1:]

# %% wrong: squeezed => a batch of one has the shape (1, seq): its first axis was dropped
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    windows = ids[(starts + torch.arange(seq + 1)).to(ids.device)]
    return windows[:, :-1].squeeze(), windows[:, 1:].squeeze()

# %% wrong: float_batch => ids are whole numbers, and stay so: floating-point numbers came back
def make_batch(ids, batch, seq, generator):
    inputs, targets = torch.zeros(batch, seq), torch.zeros(batch, seq)
    for row in range(batch):
        start = int(torch.randint(len(ids) - seq, (1,), generator=generator))
        inputs[row], targets[row] = ids[start:start + seq], ids[start + 1:start + seq + 1]
    return inputs, targets

# %% wrong: no_window_twice_where_there_are_enough => of a long text no window ever comes twice: draw each row by itself, whatever was drawn before
def make_batch(ids, batch, seq, generator):
    last = len(ids) - seq
    if batch <= last:
        starts = torch.randperm(last, generator=generator)[:batch]
    else:
        starts = torch.randint(last, (batch,), generator=generator)
    windows = torch.stack([ids[i:i + seq + 1] for i in starts.tolist()])
    return windows[:, :-1], windows[:, 1:]

# %% wrong: starts_of_two_bytes => the end of a long text never comes: how large a start can the answer draw?
def make_batch(ids, batch, seq, generator):
    windows = min(len(ids) - seq, 32_767)
    starts = torch.randint(windows, (batch, 1), generator=generator).to(ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: fractions_in_half_precision => of a long text only some windows ever come: all are equally likely
def make_batch(ids, batch, seq, generator):
    windows = len(ids) - seq
    fractions = torch.rand(batch, 1, generator=generator, dtype=torch.float16)
    starts = (fractions.double() * windows).long().to(ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: no_window_twice_in_a_long_text => of a long text no window ever comes twice: draw each row by itself, whatever was drawn before
def make_batch(ids, batch, seq, generator):
    starts = (torch.randperm(len(ids) - seq, generator=generator)[:batch, None] if batch * 50 <= len(ids) - seq else torch.randint(len(ids) - seq, (batch, 1), generator=generator)).to(ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: shuffled_strata => of a long text no window ever comes twice: draw each row by itself, whatever was drawn before
def make_batch(ids, batch, seq, generator):
    n = len(ids) - seq
    starts = ((torch.arange(batch) + torch.rand(batch, generator=generator, dtype=torch.float64)) / batch * n).long().clamp(max=n - 1)
    starts = starts[torch.randperm(batch, generator=generator)][:, None].to(ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: first_hundred_thousand_windows -> the end never comes ?? only the hidden check has a text that long
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(min(len(ids) - seq, 100_000), (batch, 1), generator=generator).to(ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: strides_of_one -> memory behind ids
def make_batch(ids, batch, seq, generator):
    count = len(ids) - seq
    windows = torch.as_strided(ids, (count, seq + 1), (1, 1))
    starts = torch.randint(count, (batch,), generator=generator).to(ids.device)
    chosen = windows[starts]
    return chosen[:, :-1], chosen[:, 1:]

# %% wrong: as_strided_from_the_start_of_the_memory -> memory behind ids
def make_batch(ids, batch, seq, generator):
    step = ids.stride(0)
    windows = torch.as_strided(ids, (len(ids) - seq, seq + 1), (step, step), 0)
    picked = windows[torch.randint(len(windows), (batch,), generator=generator).to(ids.device)]
    return picked[:, :-1], picked[:, 1:]

# %% wrong: starts_drawn_where_ids_is -> refuses a generator ?? a second device is needed, and the visible check has only one
def make_batch(ids, batch, seq, generator):
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator, device=ids.device)
    places = starts + torch.arange(seq, device=ids.device)
    return ids[places], ids[places + 1]

# %% wrong: second_half_mirrors_the_first => the second half of the batch follows from the first: draw each row by itself, not from another one
def make_batch(ids, batch, seq, generator):
    last = len(ids) - seq - 1
    half = torch.randint(last + 1, ((batch + 1) // 2,), generator=generator)
    starts = torch.cat([half, last - half])[:batch, None]
    places = (starts + torch.arange(seq)).to(ids.device)
    return ids[places], ids[places + 1]

# %% wrong: generator_gives_only_a_seed -> global generator
def make_batch(ids, batch, seq, generator):
    torch.manual_seed(int(torch.randint(2 ** 31, (1,), generator=generator)))
    starts = torch.randint(len(ids) - seq, (batch, 1))
    places = (starts + torch.arange(seq)).to(ids.device)
    return ids[places], ids[places + 1]
