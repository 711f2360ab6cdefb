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

# %% wrong: one_too_wide -> one too wide
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back >= 0) & (back <= window)

# %% wrong: one_too_narrow -> own position is missing
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back > 0) & (back < window)

# %% wrong: own_position_missing -> own position is missing
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return (back > 0) & (back <= window)

# %% wrong: future_visible -> the future is visible
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return back < window

# %% wrong: both_sides -> into the future as well
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return back.abs() < window

# %% wrong: only_causal -> further back than the window
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril()

# %% wrong: transposed -> rows and columns are swapped
def sliding_window_mask(seq, window, device=None):
    ahead = torch.arange(seq, device=device) - torch.arange(seq, device=device)[:, None]
    return (ahead >= 0) & (ahead < window)

# %% wrong: inverted -> inverted
def sliding_window_mask(seq, window, device=None):
    back = torch.arange(seq, device=device)[:, None] - torch.arange(seq, device=device)
    return ~((back >= 0) & (back < window))

# %% wrong: blocks -> slides with every query
def sliding_window_mask(seq, window, device=None):
    p = torch.arange(seq, device=device)
    return (p[:, None] // window == p // window) & (p[:, None] >= p)

# %% wrong: float_mask -> boolean
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, device=device).tril().triu(1 - window)

# %% wrong: cpu_mask -> device='meta'
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool).tril().triu(1 - window)

# %% wrong: window_capped_wrongly -> any window must do
def sliding_window_mask(seq, window, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for back in range(min(window, seq - 1)):
        i = torch.arange(back, seq, device=device)
        mask[i, i - back] = True
    return mask

# %% wrong: hard_coded_shape -> any length and any window
def sliding_window_mask(seq, window, device=None):
    return torch.ones(5, 5, dtype=torch.bool, device=device).tril().triu(1 - window)

# %% wrong: extra_axes -> (5, 5)
def sliding_window_mask(seq, window, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().triu(1 - window)[None, None]

# %% wrong: triangle_too_high -> one too narrow
def sliding_window_mask(seq, window, device=None):
    ones = torch.ones(seq, seq, dtype=torch.bool, device=device)
    return ones.tril() ^ ones.tril(-window + 1)

# %% wrong: window_shorter_than_the_text -> any window must do
def sliding_window_mask(seq, window, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i
    return (back >= 0) & (back < min(window, seq - 1))
