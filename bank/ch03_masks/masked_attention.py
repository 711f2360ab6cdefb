# %% right: finfo_min_then_zero
def masked_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT) * k.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    return torch.matmul(weights, v), weights

# %% right: nan_to_num_after_fill
def masked_attention(q, k, v, mask=None):
    if mask is None:
        mask = torch.ones(1, 1, dtype=torch.bool, device=q.device)
    scores = (q / q.size(-1) ** 0.5) @ k.transpose(-1, -2)
    scores = torch.where(mask, scores, float("-inf"))
    weights = torch.nan_to_num(scores.softmax(-1))
    return weights @ v, weights

# %% right: einsum
def masked_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand(scores.shape)
    sees_something = mask.any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & sees_something, -torch.inf)
    weights = torch.softmax(scores, -1) * sees_something
    return torch.einsum("...ij,...jd->...id", weights, v), weights

# %% right: own_softmax
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        mask = torch.ones_like(scores).bool()
    hidden = torch.finfo(scores.dtype).min
    largest = scores.masked_fill(~mask, hidden).amax(-1, keepdim=True).detach()
    exponentials = (scores - largest).masked_fill(~mask, -torch.inf).exp()
    total = exponentials.sum(-1, keepdim=True)
    weights = exponentials / total.masked_fill(total == 0, 1)
    return weights @ v, weights

# %% right: additive_repaired_before
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(~mask, -torch.inf)
        bias = bias.masked_fill(empty, 0.0)
        weights = (scores + bias).softmax(-1)
        weights = torch.where(empty, torch.zeros_like(weights), weights)
    return weights @ v, weights

# %% right: loop_over_everything
def masked_attention(q, k, v, mask=None):
    front = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    n, m = q.size(-2), k.size(-2)
    if mask is None:
        mask = torch.ones(n, m, dtype=torch.bool, device=q.device)
    Q, K, V = q.reshape(-1, *q.shape[-2:]), k.reshape(-1, *k.shape[-2:]), v.reshape(-1, *v.shape[-2:])
    M = mask.expand(*front, n, m).reshape(-1, n, m)
    all_weights = []
    for b in range(Q.size(0)):
        rows = []
        for i in range(n):
            s = K[b] @ Q[b, i] / q.size(-1) ** 0.5
            nothing = ~M[b, i].any()
            row = s.masked_fill(~(M[b, i] | nothing), -torch.inf).softmax(0)
            rows.append(row.masked_fill(nothing, 0.0))
        all_weights.append(torch.stack(rows))
    weights = torch.stack(all_weights)
    output = torch.bmm(weights, V)
    return output.reshape(*front, n, v.size(-1)), weights.reshape(*front, n, m)

# %% right: pytorchs_own
def masked_attention(q, k, v, mask=None):
    identity = torch.eye(k.size(-2), dtype=q.dtype, device=q.device).expand(*k.shape[:-1], k.size(-2))
    if mask is None:
        weights = F.scaled_dot_product_attention(q, k, identity)
        return F.scaled_dot_product_attention(q, k, v), weights
    empty = ~mask.any(-1, keepdim=True)
    open_mask = mask | empty
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=open_mask.expand(*q.shape[:-1], k.size(-2)))
    weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=open_mask.expand(*q.shape[:-1], k.size(-2)))
    return output.masked_fill(empty, 0), weights.masked_fill(empty, 0)

# %% wrong: mask_inverted (1) => the mask is read the wrong way round: True means may attend
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: mask_ignored (1, 2, 3) => the mask was ignored: nothing is hidden
def masked_attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: mask_after_softmax (1, 3) => the weights were zeroed after softmax, so the rows no longer sum to 1: hide before softmax
def masked_attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights

# %% wrong: hidden_scores_zero (1, 3) => hidden scores were set to 0, but e⁰ = 1 is not nothing
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: mask_added (1, 3) => the mask was added to the scores as 0 and 1: that hides nothing
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: no_scale (1) => the scores were not divided by √d_k
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: scale_by_d_k (1) => the scores were divided by d_k, not by its square root
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: softmax_over_queries (1) => softmax ran over the queries: each query's weights must sum to 1
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-2).nan_to_num()
    return weights @ v, weights

# %% wrong: keys_not_transposed (1, 2, 3) => the shapes do not fit: are the keys transposed for the product with the queries?
def masked_attention(q, k, v, mask=None):
    scores = q @ k / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: order_swapped (1) => the output comes first, the weights second
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights, weights @ v

# %% wrong: output_alone (1) => two results are expected, output and weights; the output alone came
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(-1).nan_to_num() @ v

# %% wrong: needs_a_mask (1, 3) => it must work with a mask and without one (mask=None)
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    weights = scores.masked_fill(torch.logical_not(mask), -torch.inf).softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: nan_rows (2) => a row of −∞ only gives 0/0 in softmax: the empty row is NaN and must be zeros
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: uniform_rows (2) => a row filled with one large negative number becomes uniform: the empty row must be zeros
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: nan_gradient (2) => the value is repaired, but the gradient of the scores is NaN: keep the NaN from arising in softmax
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: only_wholly_empty_masks (2) => a row of −∞ only gives 0/0 in softmax: the empty row is NaN and must be zeros
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        if not mask.any():
            weights = torch.zeros_like(scores)
            return weights @ v, weights
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: output_zero_weights_nan (2) => a row of −∞ only gives 0/0 in softmax: the empty row is NaN and must be zeros
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return (weights @ v).nan_to_num(), weights

# %% wrong: minus_1e9_in_half (3) => a fill like −1e9 does not fit into float16, whose lowest number is −65504
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights

# %% wrong: weak_fill (3) => the hidden score still counts: only −∞ lies below every score
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1000.0)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights

# %% wrong: renormalised_after_softmax (3) => the visible score gets nothing: the hidden one took part in softmax, or in the largest score that softmax takes off
def masked_attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    if mask is not None:
        kept = weights.masked_fill(~mask, 0.0)
        total = kept.sum(-1, keepdim=True)
        weights = kept / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights

# %% wrong: breaks_with_batch (2, 3) => permute(1, 0) takes tables alone: any number of axes may stand in front of the last two
def masked_attention(q, k, v, mask=None):
    scores = q @ k.permute(1, 0) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: wants_heads (3) => four axes are expected here: any number of axes may stand in front of the last two
def masked_attention(q, k, v, mask=None):
    if q.dim() == 2:
        o, w = masked_attention(q[None, None], k[None, None], v[None, None], mask)
        return o[0, 0], w[0, 0]
    B, H, T, d = q.shape
    scores = q @ k.transpose(2, 3) / d ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask.view(1, 1, *mask.shape) if mask.dim() == 2 else ~mask, -torch.inf)
    weights = scores.softmax(3).nan_to_num()
    return weights @ v, weights

# %% wrong: in_place (1, 2) -> q was changed in place
def masked_attention(q, k, v, mask=None):
    with torch.no_grad():
        q /= q.size(-1) ** 0.5
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: mask_in_place (1) -> mask was changed in place
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        mask.logical_not_()
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: cpu_mask (3) -> two devices meet
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool)
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: float32_only (3) => the scores were computed in half precision: keep that of the input
def masked_attention(q, k, v, mask=None):
    scores = (q.half() @ k.half().transpose(-2, -1) / q.size(-1) ** 0.5).float()
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num().to(q.dtype)
    return weights @ v, weights

# %% wrong: always_float32 (3) -> torch.float16 expected, got torch.float32
def masked_attention(q, k, v, mask=None):
    scores = q.float() @ k.float().transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v.float(), weights

# %% wrong: detached_weights (2) -> no gradient reaches q
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num().detach()
    return weights @ v, weights

# %% wrong: square_masks_only (1) => without a mask a key was hidden: each query sees every key then, whatever seq_q and seq_k are
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    else:
        scores = scores.masked_fill(torch.eye(q.size(-2), k.size(-2), device=q.device).bool() & (q.size(-2) > k.size(-2)), -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: mask_of_two_axes_only (3) => a mask of one axis, (4,), was not used as it is: it broadcasts to the scores
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        mask = mask.reshape(-1, *mask.shape[-2:])[0] if mask.dim() > 2 and mask.size(0) == 1 else mask
        allowed_keys = mask if mask.dim() == 2 or mask.shape[:-2] == scores.shape[:-2] else mask.any(0, keepdim=True)
        scores = scores.masked_fill(~allowed_keys, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: always_causal (1) => the mask is used as it is given: not every mask is causal
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        if mask.dim() == 2 and mask.size(0) == mask.size(1) == 3:
            mask = mask.tril()
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: scale_by_seq (1) => the scores were divided by √2, the root of the number of queries or of the width of v: d_k, the width of q and k, is 4
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.shape[-2] ** 0.5
    if mask is None:
        w = scores.softmax(-1)
    else:
        w = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1) * mask
    return w @ v, w

# %% wrong: scale_by_d_v (1) => the scores were divided by √2, the root of the number of queries or of the width of v: d_k, the width of q and k, is 4
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / v.size(-1) ** 0.5
    if mask is None:
        w = scores.softmax(-1)
    else:
        w = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1) * mask
    return w @ v, w

# %% wrong: infinity_times_mask (1, 3) => NaN, though no row is empty: 0 · ∞ is NaN, so −∞ cannot be multiplied by a mask of 0 and 1
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + (~mask) * float("-inf")
    w = scores.softmax(-1)
    return w @ v, w

# %% wrong: exp_overflows (3) => the exponential of a large score overflows: softmax avoids that, it takes off the largest score first !! still counts
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    e = scores.exp()
    if mask is not None:
        e = e * mask
    w = e / e.sum(-1, keepdim=True).clamp(min=1e-9)
    return w @ v, w

# %% wrong: if_mask (1, 2, 3) => `if mask` asks a whole tensor for one truth value: ask whether there is a mask (is None), and give it to all scores at once !! are the keys transposed
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask:
        scores = scores.masked_fill(~mask, -1e9)
    w = scores.softmax(-1)
    return w @ v, w

# %% wrong: indexed_by_the_mask (2, 3) => scores[~mask] needs a mask as large as the scores: any number of axes may stand in front, and masks broadcast
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        w = scores.softmax(-1)
    else:
        scores[~mask] = torch.finfo(scores.dtype).min
        w = scores.softmax(-1) * mask
    return w @ v, w

# %% wrong: all_instead_of_any (1) => every row that hides some key was emptied: empty is a row that hides all of them
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        w = scores.softmax(-1)
    else:
        empty = ~mask.all(dim=-1, keepdim=True)
        w = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
    return w @ v, w

# %% wrong: emptiness_over_queries (2, 3) => a row is empty where none of its keys may be seen: is emptiness asked for each query, over its keys?
def masked_attention(q, k, v, mask=None):

    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        w = scores.softmax(-1)
    else:
        empty = ~mask.any(dim=-2, keepdim=True)
        w = scores.masked_fill(~mask & ~empty, -torch.inf).softmax(-1) * mask
    return w @ v, w

# %% wrong: hides_key_vectors (1, 2, 3) => nothing is hidden: it is the scores that are hidden, not the keys, and e⁰ = 1
def masked_attention(q, k, v, mask=None):
    if mask is not None:
        k = k * mask.any(-2)[..., None]
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    w = scores.softmax(-1)
    return w @ v, w

# %% wrong: fill_of_minus_30000 (3) => the hidden score still counts: only −∞ lies below every score
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, -30000).softmax(-1)
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0)
    return weights @ v, weights

# %% wrong: small_number_in_the_division (3) => the weights of a row must sum to 1: is a small number added to the sum that divides them? !! still counts
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        scores = scores.masked_fill(~mask, -torch.inf)
        top = scores.amax(-1, keepdim=True)
        shares = (scores - top.masked_fill(top == -torch.inf, 0)).exp()
        weights = shares / (shares.sum(-1, keepdim=True) + 1e-6)
    return weights @ v, weights

# %% wrong: float32_weights_beside_a_half_output (3) -> weights: torch.float16 expected
def masked_attention(q, k, v, mask=None):
    dtype = torch.float32 if q.dtype == torch.float16 else q.dtype
    scores = q.to(dtype) @ k.to(dtype).transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v.to(dtype)).to(q.dtype), weights

# %% wrong: mask_turned_and_turned_back (2) => the gradient cannot be computed: the mask, which it needs, was changed in place
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_(), -torch.inf)
        mask.logical_not_()
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: empty_rows_repaired_without_heads_only (2) => with heads in front, empty rows are NaN: where nobody may see anything, zeros are expected
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        weights = weights.nan_to_num() if weights.dim() < 4 else weights
    return weights @ v, weights

# %% right: fills_with_a_tensor
def masked_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand(scores.shape)
    sees_something = mask.any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & sees_something, torch.tensor(float("-inf")))
    weights = torch.softmax(scores, -1) * sees_something
    return torch.einsum("...ij,...jd->...id", weights, v), weights

# %% wrong: cpu_mask_filled_with_a_tensor (3) -> two devices meet ?? a second device is needed, and the visible check has only one
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool)
    empty = ~mask.any(-1, keepdim=True)
    weights = scores.masked_fill(~mask, torch.tensor(float("-inf"))).masked_fill(empty, 0.0).softmax(-1)
    weights = weights.masked_fill(empty, 0.0)
    return weights @ v, weights

# %% wrong: fill_of_minus_a_million_then_zeroed (3) => the visible score lies below the number that hidden ones are filled with: only −∞ lies below every score
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        low = -1e6 if scores.dtype != torch.float16 else -torch.finfo(torch.float16).max
        weights = scores.masked_fill(~mask, low).softmax(dim=-1)
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights

# %% wrong: nothing_to_see_as_wide_as_q (2) => where nobody may see anything, the output is still as wide as v
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
    if not mask.any():
        return torch.zeros_like(q) + 0 * q, torch.zeros_like(scores)
    empty = ~mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~(mask | empty), -torch.inf)
    weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)
    return weights @ v, weights

# %% wrong: empty_row_hands_its_gradient_on (2) => the empty row hands a gradient on: its zeros are no result of q, k and v
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        empty = ~mask.any(dim=-1, keepdim=True)
        weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(dim=-1)
        weights = torch.where(empty, weights - weights.detach(), weights)
    return weights @ v, weights

# %% right: log_softmax_between_two_where
def masked_attention(q, k, v, mask=None):
    s = torch.einsum("...id,...jd->...ij", q / q.shape[-1] ** 0.5, k)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    mask = torch.broadcast_to(mask, s.shape)
    alive = mask.any(-1, keepdim=True)
    zero = torch.zeros((), dtype=s.dtype, device=s.device)
    s = torch.where(mask, s, torch.full_like(s, -torch.inf))
    s = torch.where(alive, s, zero)
    w = torch.where(alive, s.log_softmax(-1).exp(), zero)
    return torch.einsum("...ij,...jd->...id", w, v), w

# %% wrong: minus_ten_thousand_in_half (3) => the visible score lies below the number that hidden ones are filled with: only −∞ lies below every score !! still counts
def masked_attention(q, k, v, mask=None):
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        w = s.softmax(-1)
        return w @ v, w
    low = -1e4 if s.dtype == torch.float16 else -1e30
    w = s.masked_fill(~mask, low).softmax(-1).masked_fill(~mask, 0)
    return w @ v, w

# %% wrong: opens_empty_rows_in_the_callers_mask (1) -> mask was changed in place
def masked_attention(q, k, v, mask=None):
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        w = s.softmax(-1)
        return w @ v, w
    empty = ~mask.any(-1)
    mask[empty] = True
    w = s.masked_fill(~mask, -torch.inf).softmax(-1).masked_fill(empty.unsqueeze(-1), 0)
    return w @ v, w

# %% wrong: three_axes_are_a_batch (3) => shapes broadcast from the last axis on, so three axes are heads: was an axis put in between, or the first axis taken for the batch? !! any number of axes
def masked_attention(q, k, v, mask=None):
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        w = s.softmax(-1)
        return w @ v, w
    if mask.dim() == 3 and s.dim() == 4:
        mask = mask.unsqueeze(1)
    empty = ~mask.any(-1, keepdim=True)
    w = s.masked_fill(~mask & ~empty, -torch.inf).softmax(-1).masked_fill(empty, 0)
    return w @ v, w


# %% wrong: fill_fits_half (3) => the hidden score still counts: only −∞ lies below every score
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        low = -3e4 if scores.dtype == torch.float16 else -1e30
        scores = scores.masked_fill(~mask, low)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights

# %% wrong: largest_score_of_hidden_keys_too (3) => the visible score gets nothing: the hidden one took part in softmax, or in the largest score that softmax takes off
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        e = e.masked_fill(~mask, 0.0)
    total = e.sum(-1, keepdim=True)
    weights = e / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights

# %% wrong: two_three_or_four_axes (3) => five axes do not run: any number of axes may stand in front of the last two
def masked_attention(q, k, v, mask=None):
    letters = {2: "", 3: "b", 4: "bh"}[q.dim()]
    scores = torch.einsum(f"{letters}id,{letters}jd->{letters}ij", q, k) / q.size(-1) ** 0.5
    if mask is not None:
        empty = ~mask.any(-1, keepdim=True)
        weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1)
        weights = weights.masked_fill(empty, 0.0)
    else:
        weights = scores.softmax(-1)
    return torch.einsum(f"{letters}ij,{letters}jd->{letters}id", weights, v), weights

# %% wrong: mask_transposed_as_two_axes (3) => a mask of one axis, (4,), has no second axis to turn: it broadcasts to the scores as it is
def masked_attention(q, k, v, mask=None):
    scores = k @ q.transpose(-2, -1) / q.size(-1) ** 0.5       # keys down
    if mask is not None:
        see = mask.transpose(-2, -1)
        some = see.any(-2, keepdim=True)
        scores = scores.masked_fill(~see & some, -torch.inf)
        weights = scores.softmax(-2) * some
    else:
        weights = scores.softmax(-2)
    weights = weights.transpose(-2, -1)
    return weights @ v, weights

# %% wrong: keys_turned_round (2, 3) => k.T turns all axes round: only the last two of the keys change places
def masked_attention(q, k, v, mask=None):
    scores = q @ k.T / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights

# %% wrong: axes_1_and_2_exchanged => transpose(1, 2) counts the axes of the keys from the front: the last two change places, counted from the end
def masked_attention(q, k, v, mask=None):
    scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
    return weights @ v, weights
