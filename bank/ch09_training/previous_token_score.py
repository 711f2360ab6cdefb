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


# %% wrong: main_diagonal -> token itself
def previous_token_score(weights):
    return weights.diagonal(dim1=-2, dim2=-1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: above_the_diagonal -> above the diagonal
def previous_token_score(weights):
    return weights.diagonal(1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(period - 1, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_sum -> take their mean
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).sum(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_over_all_rows -> four rows
def previous_token_score(weights):
    return (weights.diagonal(-1, -2, -1).sum(-1) / weights.size(-1)).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: wants_a_batch -> without a batch
def previous_token_score(weights):
    batch, heads, seq, _ = weights.shape
    return weights.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    batch, heads, seq, _ = weights.shape
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: first_sentence_only -> batch of three
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3))[-1]


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3))[-1]

# %% wrong: one_number_for_all_heads -> one number per head
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean()


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean()

# %% wrong: batch_kept -> (2,) expected
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1)

# %% wrong: batch_and_heads_only -> leading dimension
def previous_token_score(weights):
    if weights.dim() == 3:
        weights = weights[None]
    return weights.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    if weights.dim() == 3:
        weights = weights[None]
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: first_round_counted -> row 2 was counted
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: same_syllable -> same syllable
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-period, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: before_the_same_syllable -> one period and one back
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-period - 1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_over_all_rows -> six rows
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return (weights.diagonal(1 - period, -2, -1)[..., 1:].sum(-1) / weights.size(-1)).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: row_p_left_out -> row 3 was left out
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 2:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: queries_and_keys_exchanged -> above the diagonal
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.mT.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: period_three_only -> period
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    return weights.diagonal(-2, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: heads_first -> (2,) expected
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).flatten(1).mean(1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].flatten(1).mean(1)

# %% wrong: moves_to_the_cpu -> device of the input ?? a second device is needed, and the visible check has only one
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

# %% wrong: in_place -> in place
def previous_token_score(weights):
    weights *= torch.ones_like(weights).tril(-1) * torch.ones_like(weights).triu(-1)
    return weights.sum((-2, -1)).reshape(-1, weights.size(-3)).mean(0) / (weights.size(-1) - 1)


def induction_score(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: largest_of_the_stripe -> largest weight of the stripe
def previous_token_score(weights):
    stripe = weights.diagonal(-1, -2, -1)
    return stripe.amax(-1).flatten(0, -2).mean(0) if stripe.dim() > 2 else stripe.amax(-1)

def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:]
    return stripe.mean(-1).flatten(0, -2).mean(0) if stripe.dim() > 2 else stripe.mean(-1)

# %% wrong: share_of_rows -> rows were counted
def previous_token_score(weights):
    rows = torch.arange(1, weights.shape[-1], device=weights.device)
    share = (weights[..., 1:, :].argmax(-1) == rows - 1).to(weights.dtype).mean(-1)
    return share.reshape(-1, weights.shape[-3]).mean(0)

def induction_score(weights, period):
    rows = torch.arange(period, weights.shape[-1], device=weights.device)
    share = (weights[..., period:, :].argmax(-1) == rows - period + 1).to(weights.dtype).mean(-1)
    return share.reshape(-1, weights.shape[-3]).mean(0)

# %% wrong: median_of_the_stripe -> second head
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

# %% wrong: second_round_only -> period 2
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:period + 1]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: view_of_the_weights -> not contiguous
def previous_token_score(weights):
    w = weights.view(-1, *weights.shape[-3:])
    return w.diagonal(-1, -2, -1).mean(-1).mean(0)


def induction_score(weights, period):
    w = weights.view(-1, *weights.shape[-3:])
    return w.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).mean(0)

# %% wrong: rows_kept_for_each_length -> period 5
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    kept = induction_score.__dict__.setdefault("kept", {})
    rows = kept.setdefault(weights.size(-1), torch.arange(period, weights.size(-1)))
    columns = (rows - rows[0] + 1).to(weights.device)
    stripe = weights[..., rows.to(weights.device), columns]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: previous_as_induction_with_period_two -> row 1 was left out
def previous_token_score(weights):
    return induction_score(weights, 2)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:]
    return stripe.mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_changes_the_weights -> in place
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1).reshape(-1, weights.size(-3)).mean(0)


def induction_score(weights, period):
    weights[..., :period, :] = 0
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1).reshape(-1, weights.size(-3)).mean(0)

# %% wrong: mean_over_all_but_the_last_head_axis -> (2,) expected
def previous_token_score(weights):
    return weights.diagonal(-1, -2, -1).mean(-1)


def induction_score(weights, period):
    stripe = weights.diagonal(1 - period, -2, -1)[..., 1:].mean(-1)
    return stripe.reshape(-1, weights.size(-3)).mean(0)

# %% wrong: induction_with_view -> view fails
def previous_token_score(weights):
    stripe = weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(-1)
    return stripe.reshape(-1, weights.shape[-3]).mean(0)


def induction_score(weights, period):
    heads, seq = weights.shape[-3], weights.shape[-1]
    flat = weights.view(-1, heads, seq, seq).mean(0)
    rows = torch.arange(period, seq, device=weights.device)
    return flat[:, rows, rows - period + 1].mean(-1)
