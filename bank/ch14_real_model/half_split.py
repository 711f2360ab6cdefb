# %% right: reference_style
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% right: slices_per_head
def half_split(weight, num_heads):
    heads = weight.chunk(num_heads, dim=0)
    return torch.cat([rows for head in heads for rows in (head[0::2], head[1::2])])

def interleave(weight, num_heads):
    made = torch.empty_like(weight)
    d = len(weight) // num_heads
    for start in range(0, len(weight), d):
        made[start:start + d:2] = weight[start:start + d // 2]
        made[start + 1:start + d:2] = weight[start + d // 2:start + d]
    return made

# %% right: index
def half_split(weight, num_heads):
    d = weight.shape[0] // num_heads
    order = [h * d + i for h in range(num_heads) for i in (*range(0, d, 2), *range(1, d, 2))]
    return weight[torch.tensor(order, device=weight.device)]

def interleave(weight, num_heads):
    d = weight.shape[0] // num_heads
    order = [h * d + i for h in range(num_heads) for i in (*range(0, d, 2), *range(1, d, 2))]
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return weight[back.to(weight.device)]

# %% right: stack
def half_split(weight, num_heads):
    w = weight.reshape(num_heads, len(weight) // num_heads, *weight.shape[1:])
    return torch.cat([w[:, ::2], w[:, 1::2]], dim=1).reshape(weight.shape)

def interleave(weight, num_heads):
    w = weight.reshape(num_heads, 2, len(weight) // num_heads // 2, *weight.shape[1:])
    return torch.stack([w[:, 0], w[:, 1]], dim=2).reshape(weight.shape)

# %% right: argsort
def half_split(weight, num_heads):
    rows = torch.arange(len(weight), device=weight.device).view(num_heads, -1)
    order = torch.cat([rows[:, ::2], rows[:, 1::2]], 1).flatten()
    return weight.index_select(0, order)

def interleave(weight, num_heads):
    rows = torch.arange(len(weight), device=weight.device).view(num_heads, 2, -1)
    return weight.index_select(0, rows.mT.flatten())

# %% right: permute
def half_split(weight, num_heads):
    half = len(weight) // num_heads // 2
    shaped = weight.reshape(num_heads, half, 2, -1) if weight[:1].numel() else weight.reshape(num_heads, half, 2, 0)
    return shaped.permute(0, 2, 1, 3).reshape(weight.shape)

def interleave(weight, num_heads):
    half = len(weight) // num_heads // 2
    return torch.swapaxes(weight.reshape(num_heads, 2, half, *weight.shape[1:]), 1, 2).reshape(weight.shape)

# %% right: size_of_the_rows_left_open
def half_split(weight, num_heads):
    pairs = weight.reshape(num_heads, -1, 2, *weight.shape[1:])
    return pairs.transpose(1, 2).reshape(weight.shape)

def interleave(weight, num_heads):
    halves = weight.reshape(num_heads, 2, -1, *weight.shape[1:])
    return halves.transpose(1, 2).reshape(weight.shape)

# %% wrong: the_same_way_twice (2) => interleave does what half_split does: it is the way back
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

# %% wrong: the_other_way_twice (1) => interleaved, not split: even rows come first, then odd ones
def half_split(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: swapped (1, 2) -> interleave
def half_split(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

# %% wrong: odd_rows_first (1) => in a pair the even row comes first, and the first half takes the first turn
def half_split(weight, num_heads):
    w = weight.unflatten(0, (num_heads, -1))
    return torch.cat([w[:, 1::2], w[:, ::2]], 1).flatten(0, 1)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: second_half_first (2) => in a pair the even row comes first, and the first half takes the first turn
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    w = weight.unflatten(0, (num_heads, 2, -1))
    return torch.stack([w[:, 1], w[:, 0]], 2).flatten(0, 2)

# %% wrong: odd_first_both (1, 2) => in a pair the even row comes first, and the first half takes the first turn
def half_split(weight, num_heads):
    w = weight.unflatten(0, (num_heads, -1))
    return torch.cat([w[:, 1::2], w[:, ::2]], 1).flatten(0, 1)

def interleave(weight, num_heads):
    w = weight.unflatten(0, (num_heads, 2, -1))
    return torch.stack([w[:, 1], w[:, 0]], 2).flatten(0, 2)

# %% wrong: heads_ignored (1) => all rows were taken for one head: each head is reordered within itself
def half_split(weight, num_heads):
    return torch.cat([weight[::2], weight[1::2]])

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: heads_ignored_back (2) => all rows were taken for one head: each head is reordered within itself
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    return torch.stack(weight.chunk(2), 1).flatten(0, 1)

# %% wrong: heads_ignored_both (1, 2) => all rows were taken for one head: each head is reordered within itself
def half_split(weight, num_heads):
    return torch.cat([weight[::2], weight[1::2]])

def interleave(weight, num_heads):
    return torch.stack(weight.chunk(2), 1).flatten(0, 1)

# %% wrong: heads_between (1) => the heads are taken for the inner axis: the rows of a head lie together
def half_split(weight, num_heads):
    w = weight.unflatten(0, (-1, num_heads))
    return torch.cat([w[::2], w[1::2]]).flatten(0, 1)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: heads_between_back (2) => the heads are taken for the inner axis: the rows of a head lie together
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    w = weight.unflatten(0, (2, -1, num_heads))
    return w.transpose(0, 1).flatten(0, 2)

# %% wrong: nothing_done (1) => the rows are as they were
def half_split(weight, num_heads):
    return weight.clone()

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: nothing_done_back (2) => the rows are as they were
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    return weight.clone()

# %% wrong: reversed (1) => the second half comes in reversed order
def half_split(weight, num_heads):
    w = weight.unflatten(0, (num_heads, -1))
    return torch.cat([w[:, ::2], w[:, 1::2].flip(1)], 1).flatten(0, 1)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: reversed_back (2) => the rows of the second half come in reversed order
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    w = weight.unflatten(0, (num_heads, 2, -1))
    return torch.stack([w[:, 0], w[:, 1].flip(1)], 2).flatten(0, 2)

# %% wrong: columns (1) => the rows are as they were
def half_split(weight, num_heads):
    return torch.cat([weight[..., ::2], weight[..., 1::2]], -1)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: pairs_per_head (1) => the axes of pair and head were swapped
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(0, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: pairs_per_head_back (2) => the axes of head and half were swapped
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(0, 1).flatten(0, 2)

# %% wrong: matrices_only (1) => exactly two axes were expected: anything may stand behind the rows, also nothing
def half_split(weight, num_heads):
    d, width = weight.shape[0] // num_heads, weight.shape[1]
    return weight.reshape(num_heads, d // 2, 2, width).transpose(1, 2).reshape(-1, width)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: matrices_only_back (2) => exactly two axes were expected: anything may stand behind the rows, also nothing
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    d, width = weight.shape[0] // num_heads, weight.shape[1]
    return weight.reshape(num_heads, 2, d // 2, width).transpose(1, 2).reshape(-1, width)

# %% wrong: axes_kept (1) => the axes of head and half were not joined again: the result has the shape of the weight
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: axes_kept_back (2) => the axes of head and pair were not joined again: the result has the shape of the weight
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2)

# %% wrong: as_float (1) -> dtype
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2).float()

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: as_float_back (2) -> dtype
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2).float()

# %% wrong: in_place (1) -> the inputs
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    weight.copy_(pairs.transpose(1, 2).flatten(0, 2).clone())
    return weight

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: in_place_back (2) -> the inputs
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    weight.copy_(halves.transpose(1, 2).flatten(0, 2).clone())
    return weight

# %% wrong: in_place_rows (1) -> the inputs
def half_split(weight, num_heads):
    for head in weight.chunk(num_heads):
        head[:] = torch.cat([head[::2], head[1::2]])
    return weight

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: detached (1) -> gradient
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2).detach()

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: detached_back (2) -> gradient
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2).detach()

# %% wrong: heads_of_64 (1) => all rows were taken for one head: each head is reordered within itself
def half_split(weight, num_heads):
    d = min(64, len(weight))
    w = weight.reshape(-1, d, *weight.shape[1:])
    return torch.cat([w[:, ::2], w[:, 1::2]], 1).reshape(weight.shape)

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: on_the_cpu (1) -> device
def half_split(weight, num_heads):
    pairs = weight.unflatten(0, (num_heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2).cpu()

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)

# %% wrong: order_inverted (1) => interleaved, not split: even rows come first, then odd ones
def half_split(weight, num_heads):
    d = len(weight) // num_heads
    order = torch.tensor([h * d + i for h in range(num_heads) for i in (*range(0, d, 2), *range(1, d, 2))])
    made = torch.empty_like(weight)
    made[order.to(weight.device)] = weight
    return made

def interleave(weight, num_heads):
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)
