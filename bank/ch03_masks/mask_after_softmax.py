# %% right: two_step_where
def mask_after_softmax(weights, mask):
    kept = torch.where(mask, weights, 0.0)
    total = kept.sum(-1, keepdim=True)
    safe = torch.where(total > 0, total, 1.0)
    return kept / safe

# %% wrong: clamp_to_tiny (2) => the gradient of a row with nothing left is a number like 10³⁷: dividing by the smallest number does harm there
def mask_after_softmax(weights, mask):
    kept = weights * mask
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)

# %% right: add_one_where_empty
def mask_after_softmax(weights, mask):
    kept = weights * mask.to(weights.dtype)
    total = torch.einsum("...ij->...i", kept).unsqueeze(-1)
    return kept / (total + (total == 0))

# %% wrong: normalize_l1 (2) => the gradient of a row with nothing left is a number like 10³⁷: dividing by the smallest number does harm there
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(mask.logical_not(), 0)
    return F.normalize(kept, p=1, dim=-1, eps=torch.finfo(weights.dtype).tiny)

# %% right: loop_over_rows
def mask_after_softmax(weights, mask):
    mask = mask.expand(weights.shape)
    rows = []
    for row, may in zip(weights.reshape(-1, weights.size(-1)), mask.reshape(-1, weights.size(-1))):
        kept = row * may
        total = kept.sum()
        rows.append(kept / total if total > 0 else kept)
    return torch.stack(rows).reshape(weights.shape)

# %% right: scale_factor
def mask_after_softmax(weights, mask):
    kept = weights.clone()
    kept = kept.masked_fill(~mask, 0.0)
    nothing = kept.sum(-1, keepdim=True) == 0
    total = kept.sum(-1, keepdim=True).masked_fill(nothing, torch.inf)
    return torch.div(kept, total)

# %% wrong: no_renormalise (1) => the rows were not renormalised: they no longer sum to 1, and the missing part tells of the future
def mask_after_softmax(weights, mask):
    return weights * mask

# %% wrong: mask_inverted (1) => the mask is read the wrong way round: True means may attend
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(mask, 0.0)
    total = kept.sum(-1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: sum_over_queries (1) => the sums ran over the queries: each row must sum to 1
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(-2, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: softmax_of_weights (1) => a softmax of weights is not a renormalisation: it changes the ratios between them
def mask_after_softmax(weights, mask):
    return weights.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num()

# %% wrong: second_softmax (1, 2) => a second softmax gives weight back to what was zeroed (e⁰ = 1)
def mask_after_softmax(weights, mask):
    return (weights * mask).softmax(dim=-1)

# %% wrong: divide_by_count (1) => the rows were divided by the number of visible keys, not by what is left of their weight
def mask_after_softmax(weights, mask):
    return weights * mask / mask.sum(-1, keepdim=True).clamp(min=1)

# %% wrong: spread_evenly (1) => the lost weight was spread evenly: the ratios between the visible weights must stay
def mask_after_softmax(weights, mask):
    kept = weights * mask
    lost = 1 - kept.sum(-1, keepdim=True)
    return kept + lost * mask / mask.sum(-1, keepdim=True).clamp(min=1)

# %% wrong: mask_ignored (1, 2) => the mask was ignored
def mask_after_softmax(weights, mask):
    return weights / weights.sum(-1, keepdim=True)

# %% wrong: in_place (1, 2) -> weights was changed in place
def mask_after_softmax(weights, mask):
    with torch.no_grad():
        weights.mul_(mask)
    total = weights.sum(-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)

# %% wrong: nan_row (2) => 0/0 is NaN: a row with nothing left must become zeros
def mask_after_softmax(weights, mask):
    kept = weights * mask
    return kept / kept.sum(-1, keepdim=True)

# %% wrong: epsilon_added (2) => a row has little left and must still sum to 1: a constant in the denominator is too coarse
def mask_after_softmax(weights, mask):
    kept = weights * mask
    return kept / (kept.sum(-1, keepdim=True) + 1e-9)

# %% wrong: coarse_clamp (2) => a row has little left and must still sum to 1: a constant in the denominator is too coarse
def mask_after_softmax(weights, mask):
    kept = weights * mask
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-6)

# %% wrong: nan_gradient (2) => the value is repaired, but the gradient of a row with nothing left is NaN: the division by zero still takes place
def mask_after_softmax(weights, mask):
    kept = weights * mask
    return (kept / kept.sum(-1, keepdim=True)).nan_to_num()

# %% wrong: where_after_division (2) => the value is repaired, but the gradient of a row with nothing left is NaN: the division by zero still takes place
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(-1, keepdim=True)
    return torch.where(total > 0, kept / total, torch.zeros_like(kept))

# %% wrong: only_where_all_is_hidden (2) => 0/0 is NaN: where the allowed weights are all 0, nothing is left either
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(~mask, 0.0)
    total = kept.sum(-1, keepdim=True)
    return kept / total.masked_fill(~mask.any(-1, keepdim=True), 1.0)

# %% wrong: uniform_where_empty (2) => a row with nothing left became uniform: it must become zeros
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(-1, keepdim=True)
    uniform = torch.full_like(weights, 1 / weights.size(-1))
    return torch.where(total > 0, kept / total.masked_fill(total == 0, 1.0), uniform)

# %% wrong: detached_sum (2) => the gradient must go through the sum, too, and was detached there
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(~mask, 0.0)
    total = kept.sum(-1, keepdim=True).detach()
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: two_axes_only (1, 2) => the sums ran along the second axis: with leading dimensions the keys are on the last one
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: cpu_ones (1) -> two devices meet
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(-1, keepdim=True)
    return kept / torch.where(total > 0, total, torch.ones(total.shape, dtype=total.dtype))

# %% wrong: always_float32 (1) -> torch.float64 expected, got torch.float32
def mask_after_softmax(weights, mask):
    kept = (weights * mask).float()
    total = kept.sum(-1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: normalize_l2 (1) => the rows were divided by their length, the root of the sum of squares, not by their sum !! too coarse
def mask_after_softmax(weights, mask):

    return F.normalize(weights * mask, dim=-1)

# %% wrong: lost_to_itself (1) => the lost weight went to one token alone: the ratios between the visible weights must stay
def mask_after_softmax(weights, mask):

    kept = weights * mask
    lost = 1 - kept.sum(-1, keepdim=True)
    return kept + lost * torch.eye(weights.size(-1))[:weights.size(-2)]

# %% wrong: divided_by_largest (1) => the rows were divided by their largest weight, not by their sum !! too coarse
def mask_after_softmax(weights, mask):

    kept = weights * mask
    return kept / kept.amax(-1, keepdim=True).clamp(min=1e-30)

# %% wrong: divided_by_lost (1) => the rows were divided by the weight that they lost, not by the weight that is left
def mask_after_softmax(weights, mask):

    kept = weights * mask
    return kept / (1 - kept.sum(-1, keepdim=True))

# %% wrong: never_zeroed (1) => the rows were divided, but the forbidden weights are still there
def mask_after_softmax(weights, mask):

    return weights / (weights * mask).sum(-1, keepdim=True).clamp(min=1e-30)

# %% wrong: log_and_softmax (2) => log 0 is −∞, and its gradient is NaN wherever a weight is 0: nothing here needs a logarithm
def mask_after_softmax(weights, mask):

    return weights.log().masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num()

# %% wrong: axis_lost (1, 2) => the sums must keep their axis, so that they can divide the rows
def mask_after_softmax(weights, mask):

    kept = weights * mask
    return kept / kept.sum(-1)

# %% wrong: epsilon_of_float32 (2) -> is something added to the sum
def mask_after_softmax(weights, mask):

    kept = weights * mask
    return kept / (kept.sum(-1, keepdim=True) + 1e-20)

# %% wrong: repaired_too_late_with_heads (2) => with heads, the gradient of a row whose allowed weights are all 0 is NaN
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(~mask, 0)
    total = kept.sum(-1, keepdim=True)
    if weights.dim() > 3:
        return (kept / total).nan_to_num()
    return kept / total.masked_fill(total == 0, 1)

# %% wrong: half_rows_below_a_threshold (2) -> 0.001 is left
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(~mask, 0)
    total = kept.sum(-1, keepdim=True)
    gone = total < 100 * torch.finfo(weights.dtype).tiny
    return (kept / total.masked_fill(gone, 1)).masked_fill(gone, 0)

# %% wrong: all_hidden_in_the_shape_of_the_mask (2) => where all is hidden, the result still has the shape of the weights
def mask_after_softmax(weights, mask):
    if not mask.any():
        return torch.zeros(mask.shape, dtype=weights.dtype, device=weights.device)
    kept = weights.masked_fill(~mask, 0.0)
    total = kept.sum(dim=-1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

# %% wrong: clamped_to_1e_20 (2) -> 4e-25 is left
def mask_after_softmax(weights, mask):
    left = weights.masked_fill(~mask, 0)
    smallest = max(1e-20, torch.finfo(weights.dtype).smallest_normal)
    return left / left.sum(-1, keepdim=True).clamp_min(smallest)

# %% wrong: view_of_rows (1) => view() asks for numbers that are contiguous in memory !! keep their axis
def mask_after_softmax(weights, mask):
    rows = weights.view(-1, weights.shape[-1]) * mask.expand_as(weights).reshape(-1, weights.shape[-1])
    total = rows.sum(1, keepdim=True)
    rows = rows / torch.where(total == 0, torch.ones_like(total), total)
    return rows.view(weights.shape)

# %% wrong: all_hidden_in_the_default_dtype (1) => where all is hidden, the zeros still have the dtype of the weights
def mask_after_softmax(weights, mask):
    if not mask.any():
        return torch.zeros(weights.shape)
    left = weights * mask
    total = left.sum(-1, keepdim=True)
    return left / total.masked_fill(total == 0, 1.0)


# %% wrong: nothing_below_1e_30 (2) -> is there a least sum? ?? a sum of 1e-32 is asked for by a hidden test alone
def mask_after_softmax(weights, mask):
    kept = weights.masked_fill(~mask, 0.0)
    total = kept.float().sum(dim=-1, keepdim=True)
    nothing = total < 1e-30
    return (kept / total.masked_fill(nothing, 1.0).to(kept.dtype)).masked_fill(nothing, 0.0)


# %% wrong: batch_of_one_lost (1) => a batch of one keeps its axis: squeeze drops every axis of size 1
def mask_after_softmax(weights, mask):
    kept = torch.where(mask, weights, 0.0)
    total = kept.sum(-1, keepdim=True)
    safe = torch.where(total > 0, total, 1.0)
    return (kept / safe).squeeze(0) if weights.dim() == 3 else kept / safe

# %% right: times_the_reciprocal
def mask_after_softmax(weights, mask):
    kept = weights * mask
    total = kept.sum(-1, keepdim=True)
    factor = total.masked_fill(total == 0, torch.inf).reciprocal()
    return torch.einsum("...ij,...i->...ij", kept, factor.squeeze(-1))

# %% right: rows_with_something_left
def mask_after_softmax(weights, mask):
    kept = torch.where(mask, weights, torch.zeros_like(weights))
    some = kept.sum(-1) > 0
    result = torch.zeros_like(kept)
    result[some] = kept[some] / kept[some].sum(-1, keepdim=True)
    return result
