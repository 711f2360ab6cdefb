# %% right: broadcasting
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device).unsqueeze(1)
    j = torch.arange(seq, device=device).unsqueeze(0)
    return (i - j >= 0).logical_and(i - j < window)

# %% right: tril_minus_tril
def sliding_window_mask(seq, window, device=None):
    ones = torch.ones(seq, seq, dtype=torch.bool, device=device)
    return ones.tril() & ~ones.tril(-window)

# %% right: tril_and_triu
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril(0).triu(1 - window)

# %% right: loops
def sliding_window_mask(seq, window, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(seq):
        mask[i, max(0, i - window + 1):i + 1] = True
    return mask

# %% right: list_of_lists
def sliding_window_mask(seq, window, device=None):
    return torch.tensor([[0 <= i - j < window for j in range(seq)] for i in range(seq)], device=device)

# %% wrong: one_too_wide => the window is one too wide: a window of 1 is the position itself
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back >= 0) & (back <= window)

# %% wrong: one_too_narrow => the window is one too narrow: a window of 1 is the position itself
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back > 0) & (back < window)

# %% wrong: own_position_missing => the query's own position is missing
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back > 0) & (back <= window)

# %% wrong: future_visible => the future is visible: i - j must not be negative
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return back < window

# %% wrong: both_sides => the window reaches into the future as well as back
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return back.abs() < window

# %% wrong: only_causal => nothing is cut off: positions further back than the window must be hidden
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril()

# %% wrong: transposed => rows and columns are swapped: row i is the query, it reads back
def sliding_window_mask(seq, window, device=None):
    ahead = torch.arange(seq, device=device) - torch.arange(seq, device=device)[:, None]
    return (ahead >= 0) & (ahead < window)

# %% wrong: inverted => the mask is inverted: True means may attend
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return ~((back >= 0) & (back < window))

# %% wrong: blocks => the text was cut into blocks: the window slides with every query
def sliding_window_mask(seq, window, device=None):
    p = torch.arange(seq, device=device)
    return (p[:, None] // window == p // window) & (p[:, None] >= p)

# %% wrong: float_mask => a boolean mask is expected, True where the query may attend: this one holds floating-point numbers
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, device=device).tril().triu(1 - window)

# %% wrong: cpu_mask -> make it there
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool).tril().triu(1 - window)

# %% wrong: window_capped_wrongly => the window was cut to one position less than there are: any window must do
def sliding_window_mask(seq, window, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for back in range(min(window, seq - 1)):
        i = torch.arange(back, seq, device=device)
        mask[i, i - back] = True
    return mask

# %% wrong: hard_coded_shape => the mask has five positions whatever is asked for: does the function use seq?
def sliding_window_mask(seq, window, device=None):
    return torch.ones(5, 5, dtype=torch.bool, device=device).tril().triu(1 - window)

# %% wrong: extra_axes => a row for each query and a column for each key, and no further axis
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)[None, None]

# %% wrong: triangle_too_high => the window is one too narrow: a window of 1 is the position itself
def sliding_window_mask(seq, window, device=None):
    ones = torch.ones(seq, seq, dtype=torch.bool, device=device)
    return ones.tril() ^ ones.tril(-window + 1)

# %% wrong: window_shorter_than_the_text => the window was cut to one position less than there are: any window must do
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return (back >= 0) & (back < min(window, seq - 1))

# %% right: eye_summed
def sliding_window_mask(seq, window, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for back in range(min(window, seq)):
        mask |= torch.ones(seq, seq, dtype=torch.bool, device=device).tril(-back).triu(-back)
    return mask

# %% wrong: window_of_two => the window is always 2: does the function use window?
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return (back >= 0) & (back < 2)

# %% wrong: window_of_one_is_causal => nothing is cut off: positions further back than the window must be hidden
def sliding_window_mask(seq, window, device=None):
    causal = torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    return causal.triu(1 - window) if window > 1 else causal

# %% wrong: squeezed => one position alone has a mask of one row and one column, too
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return ((back >= 0) & (back < window)).squeeze()

# %% wrong: kept_for_each_length => the mask of a shorter window came back: is anything kept from one call to the next?
def sliding_window_mask(seq, window, device=None):
    kept = sliding_window_mask.__dict__.setdefault("kept", {})
    if (seq, device) not in kept:
        kept[seq, device] = torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)
    return kept[seq, device]

# %% wrong: kept_for_every_device -> make it there
def sliding_window_mask(seq, window, device=None):
    kept = sliding_window_mask.__dict__.setdefault("kept", {})
    if (seq, window) not in kept:
        kept[seq, window] = torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)
    return kept[seq, window]

# %% wrong: wraps_around => the window wraps around: before the first position is nothing
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    return (i[:, None] - i) % seq < window

# %% wrong: negative_slice => the first rows are empty: a negative start counts from the end of the row
def sliding_window_mask(seq, window, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(seq):
        mask[i, i - window + 1:i + 1] = True
    return mask

# %% wrong: too_wide_and_not_causal => the window is one too wide and the future is visible: two conditions must hold, 0 <= i - j and i - j < window
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    return i[:, None] - i <= window

# %% wrong: every_second_position => the window has holes: it holds every position from i - window + 1 to i
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return (back >= 0) & (back % window == 0) & (back < window * window)

# %% wrong: positions_of_one_byte => differences of positions were taken in one byte: any length must do
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device).to(torch.uint8)
    back = i[:, None] - i
    return (back < window) & torch.ones(seq, seq, dtype=torch.bool, device=device).tril()

# %% wrong: buffer_of_256 => a mask of a fixed size was cut: any length must do
BUFFER = torch.ones(256, 256, dtype=torch.bool).tril()
def sliding_window_mask(seq, window, device=None):
    return BUFFER.to(device or "cpu")[:seq, :seq].triu(1 - window)

# %% wrong: open_where_the_window_is_long => the future is visible where the window is longer than the text: it gives the causal mask
def sliding_window_mask(seq, window, device=None):
    if window > seq:
        return torch.ones(seq, seq, dtype=torch.bool, device=device)
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)

# %% wrong: float_bias_on_the_cpu => a boolean mask is expected, True where the query may attend: this one holds numbers to add to the scores
def sliding_window_mask(seq, window, device=None):
    allowed = torch.ones(seq, seq, dtype=torch.bool).tril().triu(1 - window)
    return torch.zeros(seq, seq).masked_fill(~allowed, float("-inf"))

# %% wrong: window_of_512_at_most => the window is 512 at most: any window must do
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return (back >= 0) & (back < min(window, 512))

# %% wrong: long_window_without_a_device -> make it there
def sliding_window_mask(seq, window, device=None):
    if window >= seq:
        return torch.ones(seq, seq, dtype=torch.bool).tril()
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)

# %% wrong: positions_in_float16 => float16 does not tell large positions apart: keep them in whole numbers
def sliding_window_mask(seq, window, device=None):
    place = torch.arange(seq, device=device).half()
    back = place[:, None] - place
    return (back >= 0) & (back < window)

# %% wrong: int32_and_a_very_large_window => a very large window overflows in 32 bits: compare i - j with it
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, dtype=torch.int32, device=device)[:, None]
    j = torch.arange(seq, dtype=torch.int32, device=device)[None, :]
    return (j <= i) & (i < j + window)
