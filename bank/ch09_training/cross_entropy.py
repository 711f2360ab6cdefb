# %% right: log_softmax_and_gather
def cross_entropy(logits, targets, ignore_index=-100):
    logits, targets = logits.reshape(-1, logits.size(-1)), targets.reshape(-1)
    keep = targets != ignore_index
    logp = torch.log_softmax(logits, dim=-1)[keep]
    return -logp.gather(1, targets[keep].unsqueeze(1)).mean()


def perplexity(logits, targets, ignore_index=-100):
    return torch.exp(cross_entropy(logits, targets, ignore_index=ignore_index))

# %% right: mask_and_divide
def cross_entropy(logits, targets, ignore_index=-100):
    mask = (targets != ignore_index).to(logits.dtype)
    safe = targets.masked_fill(targets == ignore_index, 0)
    logp = logits - logits.logsumexp(-1, keepdim=True)
    picked = logp.gather(-1, safe.unsqueeze(-1)).squeeze(-1)
    return -(picked * mask).sum() / mask.sum()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% right: pytorchs_own
def cross_entropy(logits, targets, ignore_index=-100):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=ignore_index)


def perplexity(logits, targets, ignore_index=-100):
    return math.exp(cross_entropy(logits, targets, ignore_index).item())

# %% right: subtract_the_largest
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z, t = logits[keep], targets[keep]
    z = z - z.max(dim=-1, keepdim=True).values
    return (z.exp().sum(-1).log() - z[torch.arange(len(t)), t]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return torch.e ** cross_entropy(logits, targets, ignore_index)

# %% right: loop
def cross_entropy(logits, targets, ignore_index=-100):
    total, count = 0.0, 0
    for z, t in zip(logits.reshape(-1, logits.size(-1)), targets.reshape(-1).tolist()):
        if t != ignore_index:
            total = total + torch.logsumexp(z, 0) - z[t]
            count += 1
    return total / count


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index=ignore_index).exp().item()

# %% right: one_hot
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    one_hot = F.one_hot(targets[keep], logits.size(-1)).bool()
    return -logits[keep].log_softmax(-1)[one_hot].mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: sum (1) => the prices were added: take their mean
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).sum()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: divided_by_all (1) => the sum was divided by all four places: the ignored one must not count, in the sum and in the number
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).sum() / targets.numel()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: no_minus (1) => the sign is wrong: a price is minus the logarithm
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return (-cross_entropy(logits, targets, ignore_index)).exp()

# %% wrong: log_of_softmax (1) -> overflow or vanish
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].softmax(-1).gather(1, targets[keep][:, None]).log().mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: exp_without_shift (1) => got an infinite price: exp(200) is too large for a float32. Which function takes the logarithm of such a sum safely?
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z, t = logits[keep], targets[keep]
    return (z.exp().sum(-1).log() - z.gather(1, t[:, None])[:, 0]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: ignored_as_token_zero (1) => the ignored place was priced, too: targets of −100 do not count
def cross_entropy(logits, targets, ignore_index=-100):
    t = targets.clamp(min=0)
    return -logits.log_softmax(-1).gather(-1, t.unsqueeze(-1)).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: nothing_ignored (1) => it did not run: −100 is no index. Leave ignored places out before a target is looked up
def cross_entropy(logits, targets, ignore_index=-100):
    return -logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: only_minus_100 (1) => targets of 3 were priced though ignore_index is 3: whatever number marks them, they do not count
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != -100
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: all_negative_ignored (1) => targets of 3 were priced though ignore_index is 3: whatever number marks them, they do not count
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets >= 0
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: log_of_the_mean (1) => the logarithm was taken of the mean probability: the mean is over the logarithms
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].softmax(-1).gather(1, targets[keep][:, None]).mean().log()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: base_two (1) => the logarithm is to base 2: the natural one is meant
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean() / math.log(2)


def perplexity(logits, targets, ignore_index=-100):
    return 2 ** cross_entropy(logits, targets, ignore_index)

# %% wrong: logits_as_log_probabilities (1) => these are the logits, not the logarithms of probabilities: softmax is missing
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: softmax_over_places (1) => softmax ran over the places: it runs over the vocabulary, the last dimension
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(0).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: price_per_place (1) => one number for the whole batch is asked for, and one price per place came back
def cross_entropy(logits, targets, ignore_index=-100):
    t = targets.clamp(min=0)
    return -logits.log_softmax(-1).gather(-1, t.unsqueeze(-1)).squeeze(-1)


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).mean().exp()

# %% wrong: mean_of_row_means (1) => the mean was taken row by row, and then over rows: every place that counts has the same weight
def cross_entropy(logits, targets, ignore_index=-100):
    if targets.dim() == 1:
        logits, targets = logits[None], targets[None]
    rows = [F.cross_entropy(z.reshape(-1, z.size(-1)), t.reshape(-1), ignore_index=ignore_index) for z, t in zip(logits, targets)]
    rows = [r for r in rows if not r.isnan()]
    return sum(rows) / len(rows)


def perplexity(logits, targets, ignore_index=-100):
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1), ignore_index=ignore_index).exp()

# %% wrong: in_place (1) -> in place
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    targets[~keep] = 0
    picked = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return -(picked * keep).sum() / keep.sum()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: no_gradient (1) -> gradient
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return torch.tensor(-logits.detach()[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean().item(), dtype=logits.dtype)


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: two_leading_dimensions_only (1, 2) -> leading dimensions
def cross_entropy(logits, targets, ignore_index=-100):
    if logits.dim() == 2:
        logits, targets = logits[None], targets[None]
    B, T, V = logits.shape
    return F.cross_entropy(logits.reshape(B * T, V), targets.reshape(B * T), ignore_index=ignore_index)


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: perplexity_of_each (2) => each price was exponentiated by itself, then averaged: first the mean, then the exponential
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return (-logits[keep].log_softmax(-1).gather(1, targets[keep][:, None])).exp().mean()

# %% wrong: perplexity_base_two (2) => the base of the power must be that of the logarithm: e with ln
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return 2 ** cross_entropy(logits, targets, ignore_index)

# %% wrong: perplexity_forgets_ignore_index (2) => ignored targets were counted: perplexity has an ignore_index, too
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets).exp()

# %% wrong: perplexity_is_the_loss (2) => this is the cross-entropy itself: perplexity is its exponential
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index)

# %% wrong: clamped_probability (1) => the dear place costs too little: probabilities may be smaller than any least one. Take the logarithm before they vanish
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = logits[keep].softmax(-1).clamp(min=1e-9)
    return -p.gather(-1, targets[keep][:, None]).log().mean()

def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: log_forgotten (1, 2) => this is minus the mean probability: the logarithm is missing
def cross_entropy(logits, targets, ignore_index=-100):
    return F.nll_loss(logits.softmax(-1).flatten(0, -2), targets.flatten(), ignore_index=ignore_index)

def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: ignored_at_the_end_only (1) => only ignored places at the end were left out: they may stand anywhere
def cross_entropy(logits, targets, ignore_index=-100):
    logits, targets = logits.reshape(-1, logits.size(-1)), targets.reshape(-1).clone()
    while len(targets) and targets[-1] == ignore_index:
        logits, targets = logits[:-1], targets[:-1]
    return -logits.log_softmax(-1).gather(1, targets.clamp(min=0)[:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: float32_inside (1) -> dtype of the input was lost
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].float().log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: first_ignore_index_kept (1) => targets of 3 were priced though ignore_index is 3: whatever number marks them, they do not count
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != cross_entropy.__dict__.setdefault("marked", ignore_index)
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: divided_by_all_in_perplexity_only (2) => ignored targets were counted, in the number of places: they must not, in perplexity either
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return torch.exp(cross_entropy(logits, targets, ignore_index) * keep.sum() / keep.numel())

# %% wrong: perplexity_of_one_batch_only (2) => this is one over the mean probability: the exponential of the mean price is meant
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return -logits[keep].log_softmax(-1).gather(1, targets[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    return 1 / logits[keep].softmax(-1).gather(1, targets[keep][:, None]).mean()

# %% wrong: largest_logit_of_all_places (1) => the largest logit of all places was subtracted, and the others vanished: each place has its own largest logit
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z, t = logits[keep], targets[keep]
    z = z - z.max()
    return (z.exp().sum(-1).log() - z.gather(-1, t[:, None])[:, 0]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: float32_for_half (1) -> dtype of the input was lost
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z, t = logits[keep], targets[keep]
    z = z if z.dtype == torch.float64 else z.float()
    return -z.log_softmax(-1).gather(-1, t[:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: ignored_places_weigh_a_little (1) -> should be exactly 0
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    safe = targets.masked_fill(~keep, 0)
    prices = -logits.log_softmax(-1).gather(-1, safe.unsqueeze(-1)).squeeze(-1)
    weights = keep.to(logits.dtype) + 1e-9
    return (prices * weights).sum() / weights.sum()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: view_of_four_dimensions (1) -> not contiguous in memory
def cross_entropy(logits, targets, ignore_index=-100):
    flat = logits.reshape(-1, logits.size(-1)) if logits.dim() < 4 else logits.view(-1, logits.size(-1))
    t = targets.reshape(-1)
    keep = t != ignore_index
    return -flat[keep].log_softmax(-1).gather(-1, t[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: at_least_one_leading_dimension (1, 2) -> one place alone
def cross_entropy(logits, targets, ignore_index=-100):
    z, t = logits.flatten(0, -2), targets.flatten()
    keep = t != ignore_index
    return -z[keep].log_softmax(-1).gather(-1, t[keep][:, None]).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: only_negative_marks_are_made_safe (1) => it did not run: 99 is no index of 4 logits. An ignored target may be any number
def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    prices = -logits.log_softmax(-1).gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return (prices * keep).sum() / keep.sum()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: perplexity_with_a_cap (2) => the price or the perplexity is cut off somewhere: e to the 30 is a number
def cross_entropy(logits, targets, ignore_index=-100):
    counts = targets != ignore_index
    logits, targets = logits[counts], targets[counts]
    chosen = logits.gather(-1, targets[..., None])[..., 0]
    return (logits.logsumexp(-1) - chosen).mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).clamp(max=20).exp()

# %% wrong: squeeze_without_an_axis (1) -> an axis of one
def cross_entropy(logits, targets, ignore_index=-100):
    mask = targets != ignore_index
    safe = targets.masked_fill(~mask, 0)
    true = logits.gather(-1, safe.unsqueeze(-1)).squeeze()
    price = logits.logsumexp(dim=-1) - true
    return price[mask].mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()

# %% wrong: perplexity_by_a_product (2) => a product of 600 probabilities is too small for a float: take the mean of their logarithms
def cross_entropy(logits, targets, ignore_index=-100):
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1),
                           ignore_index=ignore_index)


def perplexity(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = logits[keep].softmax(dim=-1).gather(1, targets[keep].unsqueeze(1))
    return p.prod() ** (-1 / len(p))

# %% wrong: perplexity_wants_a_leading_dimension (2) => it did not run: one place alone has no leading dimensions
def cross_entropy(logits, targets, ignore_index=-100):
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1),
                           ignore_index=ignore_index)


def perplexity(logits, targets, ignore_index=-100):
    return F.cross_entropy(logits.flatten(0, -2), targets.flatten(), ignore_index=ignore_index).exp()

# %% wrong: mean_of_the_prices_above_0 (1) => the sure place was left out: it costs 0, and counts like any other !! overflow
def cross_entropy(logits, targets, ignore_index=-100):
    prices = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1),
                             ignore_index=ignore_index, reduction="none")
    return prices[prices > 0].mean()


def perplexity(logits, targets, ignore_index=-100):
    return cross_entropy(logits, targets, ignore_index).exp()
