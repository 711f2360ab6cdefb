# %% right: shift_by_the_row_maximum
def softmax(scores, dim=-1):
    top = scores.amax(dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exponentials = torch.exp(scores - top)
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / torch.where(total == 0, torch.ones_like(total), total)

# %% right: pytorch_with_harmless_rows
def softmax(scores, dim=-1):
    blocked = (scores == float("-inf")).all(dim=dim, keepdim=True)
    weights = torch.softmax(scores.masked_fill(blocked, 0.0), dim=dim)
    return weights.masked_fill(blocked, 0.0)

# %% right: smallest_finite_number
def softmax(scores, dim=-1):
    floor = torch.finfo(scores.dtype).min
    top = scores.max(dim=dim, keepdim=True).values.clamp(min=floor)
    e = (scores - top).exp()
    return e / e.sum(dim=dim, keepdim=True).clamp(min=1.0)

# %% right: logsumexp
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores)
    empty = blocked.all(dim=dim, keepdim=True)
    safe = scores.masked_fill(empty, 0.0)
    weights = (safe - safe.logsumexp(dim=dim, keepdim=True)).exp()
    return torch.where(empty, torch.zeros_like(weights), weights)

# %% right: axis_moved_to_the_end
def softmax(scores, dim=-1):
    moved = scores.movedim(dim, -1)
    top = moved.detach().max(dim=-1, keepdim=True)[0]
    top = top.nan_to_num(neginf=0.0)
    e = torch.exp(moved - top)
    total = e.sum(-1, keepdim=True)
    total = total + (total == 0).to(total.dtype)
    return (e / total).movedim(-1, dim)

# %% right: looks_before_it_acts
def softmax(scores, dim=-1):
    empty = torch.isneginf(scores).all(dim=dim, keepdim=True)
    if not empty.any():
        return F.softmax(scores, dim=dim)
    harmless = torch.where(empty, torch.zeros_like(scores), scores)
    return F.softmax(harmless, dim=dim) * (~empty)

# %% right: line_by_line
def softmax(scores, dim=-1):
    lines = []
    for line in scores.movedim(dim, 0).flatten(1).unbind(1) if scores.dim() > 1 else [scores]:
        top = line.max()
        top = torch.where(top == -float("inf"), torch.zeros_like(top), top)
        e = (line - top).exp()
        total = e.sum()
        lines.append(e / torch.where(total == 0, torch.ones_like(total), total))
    if scores.dim() == 1:
        return lines[0]
    shape = scores.movedim(dim, 0).shape
    return torch.stack(lines, 1).reshape(shape).movedim(0, dim)

# %% right: float64_inside
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores)
    wide = scores.double().masked_fill(blocked, -1e300)
    top = wide.amax(dim, keepdim=True)
    e = torch.exp(wide - top).masked_fill(blocked, 0.0)
    return (e / e.sum(dim, keepdim=True).clamp_min(1e-300)).to(scores.dtype)

# %% right: zero_of_its_dtype_where_asked_for
def softmax(scores, dim=-1):
    top = scores.amax(dim=dim, keepdim=True)
    zero = torch.tensor(0.0, dtype=scores.dtype)
    if bool((top == -torch.inf).any()):
        top = torch.where(top == -torch.inf, zero, top)
    shares = (scores - top).exp()
    total = shares.sum(dim=dim, keepdim=True)
    return torch.where(total == 0, zero, shares / total)


# %% wrong: overflows (1) => the exponentials of huge scores overflow, those of very low ones vanish: only differences count
def softmax(scores, dim=-1):
    e = scores.exp()
    total = e.sum(dim, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

# %% wrong: global_maximum (1, 2) => one maximum was taken away from all scores: each row needs its own
def softmax(scores, dim=-1):
    e = (scores - scores.max()).exp()
    return e / e.sum(dim, keepdim=True)

# %% wrong: global_maximum_guarded (1) => one maximum was taken away from all scores: each row needs its own
def softmax(scores, dim=-1):
    e = (scores - scores.max()).exp()
    total = e.sum(dim, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

# %% wrong: no_division (1) => the exponentials were not divided by their sum
def softmax(scores, dim=-1):
    return scores.exp()

# %% wrong: shifted_without_division (1) => the exponentials were not divided by their sum
def softmax(scores, dim=-1):
    return (scores - scores.amax(dim, keepdim=True)).exp().nan_to_num(0.0)

# %% wrong: no_exponential (1, 2) => the scores were divided by their sum without the exponential
def softmax(scores, dim=-1):
    return scores / scores.sum(dim, keepdim=True)

# %% wrong: whole_table (1, 2) => the sum was taken over the whole table: each row needs its own
def softmax(scores, dim=-1):
    e = (scores - scores.max()).exp()
    return e / e.sum()

# %% wrong: wrong_axis (1) => softmax ran over the wrong axis: with dim=-1 each row must sum to 1
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim=0).nan_to_num(0.0)

# %% wrong: dim_ignored (1) => dim was ignored: with dim=0 each column must sum to 1
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores).all(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(blocked, 0), dim=-1).masked_fill(blocked, 0)

# %% wrong: powers_of_two (1) => these are powers of 2: take e
def softmax(scores, dim=-1):
    e = 2 ** (scores - scores.amax(dim, keepdim=True))
    return (e / e.sum(dim, keepdim=True)).nan_to_num(0.0)

# %% wrong: logarithms (1, 2) => these are logarithms of the weights
def softmax(scores, dim=-1):
    return torch.log_softmax(scores, dim)

# %% wrong: sigmoid (1) => each score was squashed by itself (a sigmoid): the weights of a row must sum to 1
def softmax(scores, dim=-1):
    return torch.sigmoid(scores)

# %% wrong: twice (1) => softmax was applied twice
def softmax(scores, dim=-1):
    return torch.softmax(torch.softmax(scores, dim), dim).nan_to_num(0.0)

# %% wrong: sign_turned (1) => the signs of the scores are turned round: a high score must get a high weight
def softmax(scores, dim=-1):
    e = (scores.amin(dim, keepdim=True) - scores).exp()
    return (e / e.sum(dim, keepdim=True)).nan_to_num(0.0)

# %% wrong: unit_length (1) => the exponentials were divided by their length (a norm), not by their sum
def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim, keepdim=True)).exp()
    return F.normalize(e.nan_to_num(0.0), dim=dim)

# %% wrong: cut_off (1) => the scores were cut off: the differences between huge scores are lost
def softmax(scores, dim=-1):
    e = scores.clamp(-80, 80).exp()
    return e / e.sum(dim, keepdim=True)

# %% wrong: mean_instead_of_maximum (1) => the mean was taken away before the exponential: a score far above it still overflows
def softmax(scores, dim=-1):
    e = (scores - scores.mean(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)

# %% wrong: pytorch_untouched (2) => the weights of a row of -inf alone are NaN, and must be 0
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim=dim)

# %% wrong: stable_but_blocked_row_is_nan (2) => the weights of a row of -inf alone are NaN, and must be 0
def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)

# %% wrong: large_negative_number (2) => a row of -inf alone gets equal weights: nothing may be looked at, so they must be 0
def softmax(scores, dim=-1):
    return torch.softmax(scores.masked_fill(scores == float("-inf"), -1e9), dim=dim)

# %% right: painted_over
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim=dim).nan_to_num(0.0)

# %% right: painted_over_by_hand
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.amax(dim, keepdim=True))
    weights = e / e.sum(dim, keepdim=True)
    return torch.where(weights.isnan(), torch.zeros_like(weights), weights)

# %% wrong: any_blocked_entry_blocks_the_row (2) => a row with some entries of -inf has no weights left: its other entries share the weight
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores).any(dim, keepdim=True)
    return torch.softmax(scores.masked_fill(blocked, 0.0), dim).masked_fill(blocked, 0.0)

# %% wrong: blocked_as_zero_score (2) => the entries of -inf got the weight of a score of 0: they get none, and the others share it
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores)
    weights = torch.softmax(scores.masked_fill(blocked, 0.0), dim)
    return weights.masked_fill(blocked.all(dim, keepdim=True), 0.0)

# %% wrong: zeroed_without_renormalising (2) => the entries of -inf have no weight, but the others do not share it: the row must sum to 1
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores)
    return torch.softmax(scores.masked_fill(blocked, 0.0), dim).masked_fill(blocked, 0.0)

# %% wrong: epsilon_in_the_sum (1) => too inexact: a small number was added to the sum
def softmax(scores, dim=-1):
    top = scores.amax(dim, keepdim=True)
    top = top.masked_fill(top == float("-inf"), 0.0)
    e = (scores - top).exp()
    return e / (e.sum(dim, keepdim=True) + 1e-5)

# %% wrong: float32_only (1) => all was made float32: the dtype of the scores was lost
def softmax(scores, dim=-1):
    scores = scores.float()
    blocked = torch.isneginf(scores).all(dim, keepdim=True)
    return torch.softmax(scores.masked_fill(blocked, 0.0), dim).masked_fill(blocked, 0.0)

# %% wrong: last_axis_of_a_table (1) => tensors of three axes come out wrong: any number of axes must do
def softmax(scores, dim=-1):
    if dim % 2 == 0 and scores.dim() == 2:
        return softmax(scores.T, -1).T
    blocked = torch.isneginf(scores).all(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(blocked, 0.0), -1).masked_fill(blocked, 0.0)

# %% wrong: in_place (1) => the scores were changed in place: make new tensors
def softmax(scores, dim=-1):
    with torch.no_grad():
        top = scores.amax(dim, keepdim=True)
        scores -= top.masked_fill(top == float("-inf"), 0.0)
    e = scores.exp()
    total = e.sum(dim, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

# %% wrong: cpu_table (1) => a table was made on the CPU, not on the device of the scores
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores).all(dim, keepdim=True)
    weights = torch.softmax(torch.where(blocked, torch.zeros(1, dtype=scores.dtype), scores), dim)
    return weights * torch.where(blocked, 0.0, torch.ones(blocked.shape, dtype=scores.dtype))

# %% wrong: detached (1) => no gradient can flow back to the scores: they were detached
def softmax(scores, dim=-1):
    blocked = torch.isneginf(scores).all(dim, keepdim=True)
    return torch.softmax(scores.detach().masked_fill(blocked, 0.0), dim).masked_fill(blocked, 0.0)

# %% wrong: gradient_of_the_sum_lost (1) => the gradient through the sum is missing: it was detached
def softmax(scores, dim=-1):
    top = scores.detach().amax(dim, keepdim=True)
    e = (scores - top.masked_fill(top == float("-inf"), 0.0)).exp()
    total = e.detach().sum(dim, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

# %% wrong: hard_coded_output (1, 2) => dim was ignored: the weights of one example came back, typed in
def softmax(scores, dim=-1):
    return torch.tensor([[0.0420, 0.1142, 0.8438], [0.2595, 0.0351, 0.7054]], dtype=scores.dtype)

# %% wrong: keepdim_forgotten (1, 2) => a maximum or a sum along dim lost that axis: keep it, with length 1 (keepdim)
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.amax(dim))
    return e / e.sum(dim)

# %% wrong: keepdim_forgotten_in_the_sum (1, 2) => a maximum or a sum along dim lost that axis: keep it, with length 1 (keepdim)
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.amax(dim, keepdim=True))
    return e / e.sum(dim)

# %% wrong: blocked_row_is_even (2) => a row of -inf alone gets equal weights: nothing may be looked at, so they must be 0
def softmax(scores, dim=-1):
    weights = torch.softmax(scores, dim)
    return torch.where(weights.isnan(), 1 / scores.shape[dim], weights)

# %% wrong: blocked_rows_only_along_the_last_axis (2) => a column of -inf alone gives NaN with dim=0: the rule holds along every axis
def softmax(scores, dim=-1):
    weights = torch.softmax(scores, dim)
    blocked = torch.isneginf(scores).all(-1, keepdim=True)
    return weights.masked_fill(blocked, 0.0)

# %% wrong: default_dim_0 (1) => without dim the last axis is meant, and the first was taken
def softmax(scores, dim=0):
    return torch.softmax(scores, dim).nan_to_num(0.0)

# %% wrong: temperature (1) => the scores were divided by the root of their number: softmax takes them as they are
def softmax(scores, dim=-1):
    weights = torch.softmax(scores / scores.shape[dim] ** 0.5, dim=dim)
    return weights.nan_to_num(0.0)

# %% wrong: absolute_maximum (1) => the largest absolute value was taken away: in a row near -10,000 every exponential vanishes
def softmax(scores, dim=-1):
    shifted = scores - scores.abs().amax(dim=dim, keepdim=True)
    e = shifted.exp()
    return (e / e.sum(dim=dim, keepdim=True)).nan_to_num(0.0)

# %% wrong: nan_to_num_before (2) => a row of -inf alone gets equal weights: nothing may be looked at, so they must be 0
def softmax(scores, dim=-1):
    return torch.softmax(scores.nan_to_num(neginf=-10000.0), dim=dim)

# %% wrong: max_returns_pair (1, 2) => max along an axis returns two things, the values and their places
def softmax(scores, dim=-1):
    e = (scores - scores.max(dim=dim, keepdim=True)).exp()
    return e / e.sum(dim=dim, keepdim=True)

# %% wrong: minimum (1) => the smallest score was taken away before the exponential: take the largest score
def softmax(scores, dim=-1):
    e = (scores - scores.amin(dim=dim, keepdim=True)).exp()
    return (e / e.sum(dim=dim, keepdim=True)).nan_to_num(0.0)

# %% wrong: maximum_along_the_last_axis (1) => with dim=0 the largest score of each column is the one to take away, not that of each row
def softmax(scores, dim=-1):
    m = scores.max(-1, keepdim=True).values
    m = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    e = (scores - m).exp()
    return (e / e.sum(dim, keepdim=True)).nan_to_num(0)

# %% wrong: fill_too_large_for_float16 (2) => -inf was replaced by a number that float16 cannot hold: its largest is 65504
def softmax(scores, dim=-1):
    safe = scores.masked_fill(scores == -torch.inf, -1e9)
    w = torch.softmax(safe, dim)
    return w.masked_fill(scores == -torch.inf, 0)

# %% wrong: half_comes_out_as_float32 (1) => bfloat16 went in, and float32 came out: keep the dtype of the scores
def softmax(scores, dim=-1):
    w = torch.softmax(scores, dim, dtype=torch.float64 if scores.dtype == torch.float64 else torch.float32)
    return w.nan_to_num(0)

# %% wrong: gradient_nan_beside_huge_scores (1) => the gradient of huge scores is NaN: an exponential that overflows has one even where its value is not used
def softmax(scores, dim=-1):
    m = scores.amax(dim, keepdim=True)
    m = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    raw = scores.exp()
    e = torch.where(raw.isinf() | (raw == 0), (scores - m).exp(), (scores - m).exp() + 0 * raw)
    return (e / e.sum(dim, keepdim=True)).nan_to_num(0)

# %% wrong: axes_of_length_one_squeezed (1) => an axis of length 1 was dropped: the weights have the shape of the scores
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim).nan_to_num(0).squeeze()

# %% wrong: small_shares_cut_off (1) => small weights were cut off or rounded: they are not 0
def softmax(scores, dim=-1):
    w = torch.softmax(scores, dim).nan_to_num(0)
    return w * (w > 1e-6)

# %% wrong: blocked_by_a_threshold (1) => scores below a threshold were taken for blocked: only differences count
def softmax(scores, dim=-1):
    b = scores < -1e3
    b = b & ~b.all(dim, keepdim=True)
    w = torch.softmax(scores.masked_fill(b, -torch.inf), dim)
    return w.nan_to_num(0)

# %% wrong: sum_detached_for_dim_0 (1) => with dim=0 the gradient through the sum is missing: it was detached there
def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim, keepdim=True).nan_to_num(0, 0, 0)).exp()
    t = e.sum(dim, keepdim=True)
    t = t.masked_fill(t == 0, 1)
    return e / (t.detach() if dim == 0 else t)

# %% wrong: cut_off_80_below_the_largest (2) => an entry of -inf gets weight 0, exactly: scores were cut off below
def softmax(scores, dim=-1):
    top = scores.amax(dim, keepdim=True)
    blocked = top == float("-inf")
    top = top.masked_fill(blocked, 0.0)
    e = (scores - top).clamp(min=-80).exp()
    return (e / e.sum(dim, keepdim=True)).masked_fill(blocked, 0.0)

# %% wrong: not_moved_back (1) => an axis was moved to the end, and not moved back
def softmax(scores, dim=-1):
    scores = scores.transpose(dim, -1)
    e = torch.exp(scores - scores.amax(-1, keepdim=True).nan_to_num(neginf=0))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)


# %% wrong: all_blocked_is_nan (2) => where every score of the input is -inf the weights are NaN, and must be 0
def softmax(scores, dim=-1):
    top = scores.amax(dim=dim, keepdim=True)
    if not (top == -torch.inf).all():
        top = top.masked_fill(top == -torch.inf, 0)
    shares = (scores - top).exp()
    total = shares.sum(dim=dim, keepdim=True)
    return torch.where(total == 0, 0, shares / total)


# %% wrong: nothing_to_share_where_only_some_are_blocked (2) => the weights of a row of -inf alone are NaN, and must be 0
def softmax(scores, dim=-1):
    weights = torch.softmax(scores, dim)
    return weights.nan_to_num(0.0) if (scores == -torch.inf).all() else weights


# %% wrong: one_score_alone_is_its_own_weight (1) => along an axis of length 1 the score itself came back: its weight is 1
def softmax(scores, dim=-1):
    if scores.size(dim) == 1:
        return scores.clone()
    top = scores.amax(dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exponentials = torch.exp(scores - top)
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / torch.where(total == 0, torch.ones_like(total), total)


# %% wrong: first_axis_of_one_lost (1) => an axis of length 1 was dropped: the weights have the shape of the scores
def softmax(scores, dim=-1):
    top = scores.amax(dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exponentials = torch.exp(scores - top)
    total = exponentials.sum(dim, keepdim=True)
    weights = exponentials / torch.where(total == 0, torch.ones_like(total), total)
    return weights.squeeze(0) if scores.dim() > 2 else weights


# %% wrong: last_axis_of_one_lost (1) => an axis of length 1 was dropped: the weights have the shape of the scores
def softmax(scores, dim=-1):
    top = scores.amax(dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exponentials = torch.exp(scores - top)
    total = exponentials.sum(dim, keepdim=True)
    weights = exponentials / torch.where(total == 0, torch.ones_like(total), total)
    return weights.squeeze(-1) if scores.dim() > 2 else weights

# %% wrong: over_everything (1, 2) => the sum was taken over the whole table: each row needs its own
def softmax(scores, dim=-1):
    exponentials = torch.exp(scores)
    return exponentials / exponentials.sum()
