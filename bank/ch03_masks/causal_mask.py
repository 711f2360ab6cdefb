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
