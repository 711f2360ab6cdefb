# %% right: tril
def causal_mask(seq, device=None):
    return torch.tril(torch.ones((seq, seq), device=device)) == 1

# %% right: compare_positions
def causal_mask(seq, device=None):
    positions = torch.arange(seq, device=device)
    return positions[:, None] >= positions

# %% right: not_triu
def causal_mask(seq, device=None):
    future = torch.triu(torch.ones(seq, seq, dtype=torch.bool, device=device), diagonal=1)
    return ~future

# %% right: loops
def causal_mask(seq, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(seq):
        mask[i, :i + 1] = True
    return mask

# %% right: list_of_lists
def causal_mask(seq, device=None):
    return torch.tensor([[j <= i for j in range(seq)] for i in range(seq)], device=device)

# %% right: numpy
def causal_mask(seq, device=None):
    import numpy as np
    return torch.from_numpy(np.tri(seq, dtype=bool)).to(device or "cpu")

# %% right: cumulative_sum
def causal_mask(seq, device=None):
    return torch.eye(seq, device=device).cumsum(dim=0).bool()

# %% wrong: mask_inverted -> inverted
def causal_mask(seq, device=None):
    return torch.triu(torch.ones(seq, seq, dtype=torch.bool, device=device), diagonal=1)

# %% wrong: float_mask -> a mask is boolean
def causal_mask(seq, device=None):
    return torch.tril(torch.ones(seq, seq, device=device))

# %% wrong: additive_mask -> a mask is boolean
def causal_mask(seq, device=None):
    return torch.full((seq, seq), float("-inf"), device=device).triu(1)

# %% wrong: transposed -> transposed
def causal_mask(seq, device=None):
    return torch.triu(torch.ones(seq, seq, dtype=torch.bool, device=device))

# %% wrong: diagonal_missing -> diagonal is missing
def causal_mask(seq, device=None):
    return torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=device), diagonal=-1)

# %% wrong: one_ahead -> one step too generous
def causal_mask(seq, device=None):
    return torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=device), diagonal=1)

# %% wrong: nothing_hidden -> nothing is hidden
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device)

# %% wrong: cpu_mask -> device asked for
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.bool).tril()

# %% wrong: cpu_positions -> device asked for
def causal_mask(seq, device=None):
    rows = torch.arange(seq, device=device)[:, None]
    columns = torch.arange(seq)[None, :]
    return columns <= rows

# %% wrong: extra_axes -> no further axes
def causal_mask(seq, device=None):
    return torch.ones(1, 1, seq, seq, dtype=torch.bool, device=device).tril()

# %% wrong: hard_coded_shape -> (4, 4) expected
def causal_mask(seq, device=None):
    return torch.ones(6, 6, dtype=torch.bool, device=device).tril()

# %% wrong: integers -> a mask is boolean
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.uint8, device=device).tril()

# %% wrong: buffer_of_64 -> any length
def causal_mask(seq, device=None):
    buffer = torch.ones(64, 64, dtype=torch.bool, device=device).tril()
    return buffer[:seq, :seq]

# %% wrong: hard_coded_output -> any length
def causal_mask(seq, device=None):
    mask = torch.ones(seq, seq, dtype=torch.bool, device=device)
    mask[0, 1:] = False
    if seq > 2:
        mask[1, 2:] = False
        mask[2, 3:] = False
    return mask

# %% wrong: additive_of_infinity -> True or False !! hide nothing
def causal_mask(seq, device=None):
    return torch.full((seq, seq), float("-inf"), device=device).triu(1)

# %% wrong: runs_over_the_edge -> does not run
def causal_mask(seq, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(seq):
        mask[i, i + 1:] = True
        mask[i, i + 1] = False
    return mask

# %% wrong: other_diagonal -> row 0 sees 1 token
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().flip(-1)

# %% wrong: positions_of_one_byte -> any length
def causal_mask(seq, device=None):
    i = torch.arange(seq, device=device).to(torch.uint8)
    return i[None, :] <= i[:, None]

# %% wrong: kept_for_every_device -> device asked for
def causal_mask(seq, device=None):
    kept = causal_mask.__dict__.setdefault("kept", {})
    if seq not in kept:
        kept[seq] = torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    return kept[seq]

# %% wrong: buffer_of_256 -> any length
def causal_mask(seq, device=None):
    rows = torch.arange(256, device=device)
    return (rows[None, :] <= rows[:, None])[:seq, :seq]

# %% wrong: largest_mask_so_far -> (4, 4) expected
def causal_mask(seq, device=None):
    kept = causal_mask.__dict__.setdefault("kept", {})
    if str(device) not in kept:
        kept[str(device)] = torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    return kept[str(device)][:seq, :seq]

# %% wrong: squeezed -> any length
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril().squeeze()

# %% wrong: sees_64_back -> any length
def causal_mask(seq, device=None):
    i = torch.arange(seq, device=device)
    back = i[:, None] - i[None, :]
    return (back >= 0) & (back < 64)

# %% wrong: device_must_be_given -> does not run
def causal_mask(seq, device=None):
    return torch.ones(seq, seq, dtype=torch.bool, device=torch.device(device)).tril()

# %% wrong: moves_to_cuda_only -> device asked for
def causal_mask(seq, device=None):
    mask = torch.ones(seq, seq, dtype=torch.bool).tril()
    return mask.cuda() if device == "cuda" else mask

# %% wrong: device_by_name_only -> device asked for
def causal_mask(seq, device=None):
    home = device if isinstance(device, str) else None
    return torch.ones(seq, seq, dtype=torch.bool, device=home).tril()

# %% wrong: first_row_left_out -> row 0 sees 1 token
def causal_mask(seq, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(1, seq):
        mask[i, :i + 1] = True
    return mask

# %% wrong: last_row_left_out -> row 0 sees 1 token
def causal_mask(seq, device=None):
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=device)
    for i in range(seq - 1):
        mask[i, :i + 1] = True
    return mask

# %% wrong: inverted_and_float -> a mask is boolean
def causal_mask(seq, device=None):
    return torch.triu(torch.ones(seq, seq, device=device), diagonal=1)

# %% wrong: pairs_of_tokens -> row 0 sees 1 token
def causal_mask(seq, device=None):
    i = torch.arange(seq, device=device) // 2
    return i[None, :] <= i[:, None]

# %% wrong: table_of_1024 -> any length
_TABLE = torch.ones(1024, 1024, dtype=torch.bool).tril()

def causal_mask(seq, device=None):
    if device is None:
        device = torch.get_default_device()
    return _TABLE[:seq, :seq].to(device)

# %% wrong: positions_in_float16 -> any length
def causal_mask(seq, device=None):
    i = torch.arange(seq, device=device).half()
    return i[None, :] <= i[:, None]

# %% right: zero_where_nothing_blocks
def causal_mask(seq, device=None):
    blocked = torch.full((seq, seq), -torch.inf, device=device).triu(1)
    return blocked == 0

# %% wrong: longest_is_4096 -> not for 4200 tokens
def causal_mask(seq, device=None):
    place = torch.arange(4096, device=device)
    return (place[:, None] >= place)[:seq, :seq]
