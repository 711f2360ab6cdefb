# %% right: loop
def previous_token_score(weights):
    heads, seq = weights.shape[-3], weights.shape[-1]
    w = weights.reshape(-1, heads, seq, seq)
    return sum(w[:, :, i, i - 1] for i in range(1, seq)).mean(0) / (seq - 1)


def induction_score(weights, period):
    heads, seq = weights.shape[-3], weights.shape[-1]
    w = weights.reshape(-1, heads, seq, seq)
    return sum(w[:, :, i, i - period + 1] for i in range(period, seq)).mean(0) / (seq - period)

# %% right: index_tensors
def previous_token_score(weights):
    i = torch.arange(1, weights.size(-1))
    stripe = weights[..., i, i - 1]
    return stripe.movedim(-2, 0).flatten(1).mean(dim=1)


def induction_score(weights, period):
    i = torch.arange(period, weights.size(-1))
    stripe = weights[..., i, i - period + 1]
    return stripe.movedim(-2, 0).flatten(1).mean(dim=1)

# %% right: cut_then_diagonal
def previous_token_score(weights):
    stripe = weights[..., 1:, :-1].diagonal(dim1=-2, dim2=-1).mean(-1)
    while stripe.dim() > 1:
        stripe = stripe.mean(0)
    return stripe


def induction_score(weights, period):
    n = weights.size(-1) - period
    stripe = weights[..., period:, 1:n + 1].diagonal(dim1=-2, dim2=-1).mean(-1)
    while stripe.dim() > 1:
        stripe = stripe.mean(0)
    return stripe

# %% right: einsum_with_a_mask
def previous_token_score(weights):
    s = weights.size(-1)
    stripe = torch.eye(s, dtype=weights.dtype, device=weights.device).roll(-1, 1).tril()
    w = weights.reshape(-1, *weights.shape[-3:])
    return torch.einsum("bhij,ij->h", w, stripe) / (len(w) * (s - 1))


def induction_score(weights, period):
    s = weights.size(-1)
    i = torch.arange(s, device=weights.device)
    stripe = ((i[None, :] == i[:, None] - period + 1) & (i[:, None] >= period)).to(weights.dtype)
    w = weights.reshape(-1, *weights.shape[-3:])
    return torch.einsum("bhij,ij->h", w, stripe) / (len(w) * (s - period))

# %% right: one_function_for_both
def previous_token_score(weights):
    return induction_like(weights, 1, 1)


def induction_like(weights, back, first):
    stripe = torch.diagonal(weights, offset=-back, dim1=-2, dim2=-1)[..., first - back:]
    dims = [d for d in range(stripe.dim()) if d != stripe.dim() - 2]
    return stripe.mean(dim=dims)


def induction_score(weights, period):
    return induction_like(weights, period - 1, period)

# %% right: asks_for_a_number_first
def previous_token_score(weights):
    i = torch.arange(1, weights.size(-1))
    stripe = weights[..., i, i - 1]
    return stripe.movedim(-2, 0).flatten(1).mean(dim=1)


def induction_score(weights, period):
    if weights.numel() and bool(weights.isnan().all()):
        raise ValueError("weights holds nothing but NaN")
    i = torch.arange(period, weights.size(-1))
    stripe = weights[..., i, i - period + 1]
    return stripe.movedim(-2, 0).flatten(1).mean(dim=1)


# %% wrong: main_diagonal (1) => these are the weights on the token itself, the main diagonal: the token before is one to the left
def previous_token_score(weights):
    return weights.diagonal(dim1=-2, dim2=-1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: above_the_diagonal (1) => these are weights above the diagonal, on tokens after: queries are rows, keys are columns
def previous_token_score(weights):
    return weights.diagonal(1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(period - 1, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_sum (1) => the weights of the stripe were added: take their mean
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).sum(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_over_all_rows (1) => the mean runs over all rows: row 0 has no token before it and does not count
def previous_token_score(weights):
    return (weights.diagonal(-1, -2, -1).sum(-1) / weights.size(-1)).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: wants_a_batch (1, 2) => it did not run: any number of dimensions may stand before the heads, none too
def previous_token_score(weights):
    batch, heads, seq, _ = weights.shape
    return weights.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    batch, heads, seq, _ = weights.shape
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: first_sentence_only (1) => one sentence of the batch was scored: the mean runs over all leading dimensions
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3))[-1]


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3))[-1]

# %% wrong: one_number_for_all_heads (1) => one number per head is asked for: the heads stay apart
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean()


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean()

# %% wrong: batch_kept (1) => one number per head is asked for: the mean runs over all leading dimensions, too
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1)

# %% wrong: batch_and_heads_only (1) => one number per head is asked for: more than one dimension may stand before the heads
def previous_token_score(weights):
    if weights.dim() == 3:
        weights = weights[None]
    return weights.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    if weights.dim() == 3:
        weights = weights[None]
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: first_round_counted (2) => the row before the period was counted, too: the first round has nothing to repeat. The mean begins in row p
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: same_syllable (2) => these are the weights on the same syllable, one period back: an induction head looks at the one after it
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-period, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: before_the_same_syllable (2) => these are the weights one period and one back: the token *after* the same one is meant, i − period + 1
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-period - 1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_over_all_rows (2) => the sum was divided by the number of all rows: only rows from the period on count
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return (weights.diagonal(1 - period, -2, -1)[..., 1:].sum(-1) / weights.size(-1)).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: row_p_left_out (2) => row p was left out: the first row of the second round counts
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 2:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: queries_and_keys_exchanged (2) => these are weights above the diagonal: keys stand in the last dimension, queries in the one before it
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.mT.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: period_three_only (2) => the stripe is that of period 3: where it lies depends on the period
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-2, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: heads_first (1) => the heads are not the first axis: they are the third from the end
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).flatten(1).mean(1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].flatten(1).mean(1)

# %% wrong: moves_to_the_cpu (1, 2) -> not on the device that is given
def previous_token_score(weights):
    heads = weights.size(-3)
    out = torch.zeros(heads, dtype=weights.dtype)
    if weights.device.type == "cpu":
        out += weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, heads).mean(0)
    return out


def induction_score(weights, period):
    heads = weights.size(-3)
    out = torch.zeros(heads, dtype=weights.dtype)
    if weights.device.type == "cpu":
        out += weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, heads).mean(0)
    return out

# %% wrong: in_place (1) -> in place
def previous_token_score(weights):
    weights *= torch.ones_like(weights).tril(-1) * torch.ones_like(weights).triu(-1)
    return weights.sum((-2, -1)).reshape(-1, weights.size(-3)).mean(0) / (weights.size(-1) - 1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: largest_of_the_stripe (1) => only the largest weight of the stripe was taken: take the mean of all
def previous_token_score(weights):
    stripe = weights.diagonal(-1, -2, -1)
    return stripe.amax(-1).flatten(0, -2).mean(0) if stripe.dim() > 2 else stripe.amax(-1)

def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:]
    return stripe.mean(-1).flatten(0, -2).mean(0) if stripe.dim() > 2 else stripe.mean(-1)

# %% wrong: share_of_rows (1) => rows were counted in which the largest weight is on the stripe: take the mean weight
def previous_token_score(weights):
    rows = torch.arange(1, weights.shape[-1], device=weights.device)
    share = (weights[..., 1:, :].argmax(-1) == rows - 1).to(weights.dtype).mean(-1)
    return share.reshape(-1, weights.shape[-3]).mean(0)

def induction_score(weights, period):
    rows = torch.arange(period, weights.shape[-1], device=weights.device)
    share = (weights[..., period:, :].argmax(-1) == rows - period + 1).to(weights.dtype).mean(-1)
    return share.reshape(-1, weights.shape[-3]).mean(0)

# %% wrong: median_of_the_stripe (2) => this is the median of the stripe: take the mean
def previous_token_score(weights):
    stripe = weights.diagonal(-1, -2, -1)
    return stripe.mean(-1).flatten(0, -2).mean(0) if stripe.dim() > 2 else stripe.mean(-1)

def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:]
    return stripe.median(-1).values.reshape(-1, weights.shape[-3]).mean(0)

# %% right: gather_the_stripe
def previous_token_score(weights):
    heads, seq = weights.shape[-3], weights.shape[-1]
    index = torch.arange(seq - 1, device=weights.device)[:, None].expand(*weights.shape[:-2], seq - 1, 1)
    return weights[..., 1:, :].gather(-1, index).reshape(-1, heads, seq - 1).mean(dim=(0, 2))


def induction_score(weights, period):
    heads, seq = weights.shape[-3], weights.shape[-1]
    rows = seq - period
    index = torch.arange(1, rows + 1, device=weights.device)[:, None].expand(*weights.shape[:-2], rows, 1)
    return weights[..., period:, :].gather(-1, index).reshape(-1, heads, rows).mean(dim=(0, 2))

# %% wrong: second_round_only (2) => only the second round was counted: all rows from the period on count
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:period + 1]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: view_of_the_weights (1, 2) => it did not run: the weights are not contiguous in memory. view wants them to be, reshape does not
def previous_token_score(weights):
    w = weights.view(-1, *weights.shape[-3:])
    return w.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    w = weights.view(-1, *weights.shape[-3:])
    return w.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: rows_kept_for_each_length (2) => it did not run: which rows count depends on the period, not on the length alone
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    kept = induction_score.__dict__.setdefault("kept", {})
    rows = kept.setdefault(weights.size(-1), torch.arange(period, weights.size(-1)))
    columns = (rows - rows[0] + 1).to(weights.device)
    stripe = weights[..., rows.to(weights.device), columns]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_as_induction_with_period_two (1) => row 1 was left out: it has a token before it
def previous_token_score(weights):
    return induction_score(weights, 2)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_changes_the_weights (2) -> in place
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    weights[..., :period, :] = 0
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: mean_over_all_but_the_last_head_axis (1) => one number per head is asked for: the mean runs over all leading dimensions, too
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1)
    return stripe.reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_with_view (2) => it did not run: the weights are not contiguous in memory. view wants them to be, reshape does not
def previous_token_score(weights):
    stripe = weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(-1)
    return stripe.reshape(-1, weights.shape[-3]).mean(0)


def induction_score(weights, period):
    heads, seq = weights.shape[-3], weights.shape[-1]
    flat = weights.view(-1, heads, seq, seq).mean(0)
    rows = torch.arange(period, seq, device=weights.device)
    return flat[:, rows, rows - period + 1].mean(-1)
