# %% right: folds_the_queries
def grouped_query_attention(q, k, v, mask=None):
    *lead, heads, seq_q, d = q.shape
    kv = k.shape[-3]
    folded = q.reshape(*lead, kv, heads // kv, seq_q, d)
    scores = (folded @ k.unsqueeze(-3).transpose(-2, -1) / d ** 0.5).reshape(*lead, heads, seq_q, k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    output = weights.reshape(*lead, kv, heads // kv, seq_q, -1) @ v.unsqueeze(-3)
    return output.reshape(*lead, heads, seq_q, -1), weights

# %% right: einsum_and_index
def grouped_query_attention(q, k, v, mask=None):
    heads, kv_heads = q.size(-3), k.size(-3)
    reads = [h * kv_heads // heads for h in range(heads)]
    k, v = k[..., reads, :, :], v[..., reads, :, :]
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.size(-1) ** -0.5
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    scores = torch.where(mask, scores, torch.full_like(scores, -1e4 if scores.dtype == torch.float16 else -1e30))
    weights = torch.softmax(scores, -1) * mask
    return torch.einsum("...qk,...kd->...qd", weights, v), weights

# %% right: loop_over_heads
def grouped_query_attention(q, k, v, mask=None):
    heads, kv_heads = q.shape[-3], k.shape[-3]
    group = heads // kv_heads
    scores = torch.stack([q[..., h, :, :] @ k[..., h // group, :, :].transpose(-2, -1) for h in range(heads)], dim=-3) / math.sqrt(q.shape[-1])
    if mask is not None:
        allowed = mask.expand(scores.shape)
        some = allowed.any(-1, keepdim=True)
        scores = scores.masked_fill(~allowed & some, float("-inf"))
        weights = scores.softmax(-1) * some
    else:
        weights = scores.softmax(-1)
    output = torch.stack([weights[..., h, :, :] @ v[..., h // group, :, :] for h in range(heads)], dim=-3)
    return output, weights

# %% right: expand_and_flatten
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k = k.unsqueeze(-3).expand(*k.shape[:-2], group, *k.shape[-2:]).flatten(-4, -3)
    v = v.unsqueeze(-3).expand(*v.shape[:-2], group, *v.shape[-2:]).flatten(-4, -3)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        scores = scores.masked_fill(~mask, float("-inf"))
        top = scores.amax(-1, keepdim=True).detach()
        e = (scores - top.masked_fill(top.isinf(), 0)).exp()
        total = e.sum(-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1)
    return weights @ v, weights


# %% right: zeros_at_once_where_everything_is_hidden
def grouped_query_attention(q, k, v, mask=None):
    *lead, heads, seq_q, d = q.shape
    if mask is not None and not mask.any():
        return q.new_zeros(*lead, heads, seq_q, v.shape[-1]), q.new_zeros(*lead, heads, seq_q, k.shape[-2])
    kv = k.shape[-3]
    folded = q.reshape(*lead, kv, heads // kv, seq_q, d)
    scores = (folded @ k.unsqueeze(-3).transpose(-2, -1) / d ** 0.5).reshape(*lead, heads, seq_q, k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    output = weights.reshape(*lead, kv, heads // kv, seq_q, -1) @ v.unsqueeze(-3)
    return output.reshape(*lead, heads, seq_q, -1), weights


# %% wrong: interleaved (1) => neighbours share, so four heads read 0 0 1 1: these read 0 1 0 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = torch.cat([k] * group, dim=-3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: first_head_only (1) => all heads read key–value head 0
def grouped_query_attention(q, k, v, mask=None):
    k, v = k[..., :1, :, :], v[..., :1, :, :]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: no_grouping (1, 2) => 4 query heads do not fit 2 key–value heads: each key–value head serves a group of 2
def grouped_query_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: no_scale (1) => the scores were not divided by √d
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: scale_by_d (1) => the scores were divided by d, not by its square root
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: values_interleaved (1) => the keys are shared by neighbours, but the values as 0 1 0 1: both must be shared alike
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: softmax_over_queries (1) => the weights of each query must sum to 1: softmax runs over the keys
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-2) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-2) * mask
    return weights @ v, weights

# %% wrong: mask_ignored (2) => the mask changes nothing
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights

# %% wrong: mask_inverted (2) => the mask is inverted: True means may attend
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(mask, -1e30).softmax(-1) * ~mask
    return weights @ v, weights

# %% wrong: mask_after_softmax (2) => the mask came after softmax and nothing was renormalised: the rows no longer sum to 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights

# %% wrong: nan_in_empty_row (2) => a row with nothing to attend to became NaN: it must be zeros
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, float("-inf"))).softmax(-1)
    return weights @ v, weights

# %% wrong: uniform_in_empty_row (2) => a row with nothing to attend to must give zero weights and a zero output
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -1e9)).softmax(-1)
    return weights @ v, weights

# %% wrong: breaks_with_batch (1, 2) => a batch comes in front, and more may: count axes from the end
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(max(group, 1), 0), v.repeat_interleave(max(group, 1), 0)
    try:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    except RuntimeError:
        return torch.zeros(0), torch.zeros(0)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: mask_of_two_axes_only (2) => one mask was used for all heads, though each head has its own
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        mask = mask.reshape(-1, *mask.shape[-2:])[0]
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: weights_of_key_value_heads (1, 2) => an output and weights of every query head are expected, not of every key–value head
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    q = q[..., ::group, :, :]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% right: nan_to_num
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ v, weights

# %% wrong: tiny_weights_left (2) => what is hidden still gets a little weight: its scores need -inf, or a number below every possible score
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -10.0)
    weights = scores.softmax(-1) * (1 if mask is None else mask.any(-1, keepdim=True))
    return weights @ v, weights

# %% right: broadcast_views
def grouped_query_attention(q, k, v, mask=None):
    group = q.size(-3) // k.size(-3)
    q_ = q.unflatten(-3, (k.size(-3), group))                    # (..., kv, group, seq_q, d)
    scores = q_ @ k.unsqueeze(-3).mT * q.size(-1) ** -0.5
    scores = scores.flatten(-4, -3)
    if mask is not None:
        rows = mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask & rows, float("-inf"))
        weights = scores.softmax(-1).masked_fill(~mask, 0)
    else:
        weights = scores.softmax(-1)
    output = weights.unflatten(-3, (k.size(-3), group)) @ v.unsqueeze(-3)
    return output.flatten(-4, -3), weights

# %% wrong: folded_the_wrong_way_round (1) => neighbours share, so four heads read 0 0 1 1: these read 0 1 0 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    q_ = q.unflatten(-3, (group, k.shape[-3]))
    scores = (q_ @ k.unsqueeze(-4).mT / math.sqrt(q.shape[-1])).flatten(-4, -3)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return (weights.unflatten(-3, (group, k.shape[-3])) @ v.unsqueeze(-4)).flatten(-4, -3), weights

# %% wrong: group_is_the_number_of_kv_heads (1, 2) => six heads do not fit 2 key–value heads: the groups are of 3
def grouped_query_attention(q, k, v, mask=None):
    group = k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: scale_of_width_4 (1) => the scores were divided by 2, the root of 4: the scale follows the width
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / 2
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: three_or_four_axes_only (1) => it does not run for every number of axes in front: count the axes from the end
def grouped_query_attention(q, k, v, mask=None):
    single = q.dim() == 3
    if single:
        q, k, v = q[None], k[None], v[None]
    batch, heads, seq_q, d = q.shape
    group = heads // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.transpose(2, 3) / math.sqrt(d)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    output = weights @ v
    return (output[0], weights[0]) if single else (output, weights)

# %% wrong: scales_q_in_place (1, 2) -> was changed in place
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    with torch.no_grad():
        q.div_(math.sqrt(q.shape[-1]))
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: keys_kept_from_an_earlier_call (1, 2) => the weights are those of earlier keys: is anything kept from one call to the next? !! changed in place
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    kept = grouped_query_attention.__dict__.setdefault("kept", {})
    k = kept.setdefault((k.shape, k.dtype, k.device), k.repeat_interleave(group, -3))
    v = v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: output_always_float32 (1) => the output is float32 whatever comes in: keep the dtype
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return (weights @ v).float(), weights

# %% wrong: weights_without_gradient (1) -> no gradient reaches q
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    weights = weights.detach()
    return weights @ v, weights

# %% wrong: mask_of_each_group (2) => the heads of a group share a mask, though each head has its own
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None and mask.dim() > 2 and mask.shape[-3] > 1:
        mask = mask[..., ::group, :, :].repeat_interleave(group, -3)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: additive_infinity_and_nan_to_num (2) => the gradient is NaN because of a row with nothing to attend to, though its weights are zeros: softmax must not see a row of -inf alone
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ v, weights

# %% wrong: opens_empty_rows_of_the_mask (2) -> was changed in place
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        mask |= empty
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1).masked_fill(empty, 0.0)
    return weights @ v, weights

# %% wrong: empty_only_where_all_is_blocked (2) => a row with nothing to attend to became NaN: it must be zeros
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None and not mask.any():
        weights = torch.zeros_like(scores)
    else:
        weights = (scores if mask is None else scores.masked_fill(~mask, float("-inf"))).softmax(-1)
    return weights @ v, weights

# %% wrong: interleaved_and_not_scaled (1) => neighbours share, so four heads read 0 0 1 1; and the scores were not divided by √d
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = torch.cat([k] * group, dim=-3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: mask_ignored_in_multi_query (2) => the mask changes nothing where there is one key–value head
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k = k.repeat_interleave(group, dim=-3)
    v = v.repeat_interleave(group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None and k.shape[-3] != 1 and group < 6:
        empty = ~mask.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~mask, float("-inf")).masked_fill(empty, 0.0)
        weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)
    else:
        weights = scores.softmax(dim=-1)
    return weights @ v, weights

# %% wrong: smallest_for_the_largest_under_a_mask (2) => the exponential of large scores overflows: take the largest score away before it, as softmax does
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k = k.unsqueeze(-3).expand(*k.shape[:-2], group, *k.shape[-2:]).flatten(-4, -3)
    v = v.unsqueeze(-3).expand(*v.shape[:-2], group, *v.shape[-2:]).flatten(-4, -3)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        scores = scores.masked_fill(~mask, float("-inf"))
        top = scores.amin(-1, keepdim=True).detach()
        e = (scores - top.masked_fill(top.isinf(), 0)).exp()
        total = e.sum(-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1)
    return weights @ v, weights

# %% wrong: rows_of_zero_queries (2) => what is hidden from a query of zeros still counts: the mask alone says what is hidden
def grouped_query_attention(q, k, v, mask=None):
    group = q.size(-3) // k.size(-3)
    q_ = q.unflatten(-3, (k.size(-3), group))                    # (..., kv, group, seq_q, d)
    scores = q_ @ k.unsqueeze(-3).mT * q.size(-1) ** -0.5
    scores = scores.flatten(-4, -3)
    if mask is not None:
        rows = q.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask & rows, float("-inf"))
        weights = scores.softmax(-1).masked_fill(~mask, 0)
    else:
        weights = scores.softmax(-1)
    output = weights.unflatten(-3, (k.size(-3), group)) @ v.unsqueeze(-3)
    return output.flatten(-4, -3), weights

# %% wrong: masked_softmax_in_float32 (2) => the softmax runs in float32 where there is a mask: keep the precision of the input
def grouped_query_attention(q, k, v, mask=None):
    g = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(g, -3), v.repeat_interleave(g, -3)
    t = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        w = t.softmax(-1)
    else:
        dead = ~mask.any(-1, keepdim=True)
        w = t.masked_fill(~(mask | dead), -torch.inf).softmax(-1, dtype=torch.float32).to(t.dtype).masked_fill(dead, 0)
    return w @ v, w

# %% wrong: hidden_scores_of_minus_1e9 (2) => what is hidden gets weight where scores are lower still: it needs -inf, or a number below every possible score
def grouped_query_attention(q, k, v, mask=None):
    g = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(g, -3), v.repeat_interleave(g, -3)
    t = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        w = t.softmax(-1)
    else:
        dead = ~mask.any(-1, keepdim=True)
        w = t.masked_fill(~(mask | dead), -1e9).softmax(-1).masked_fill(dead, 0)
    return w @ v, w

# %% wrong: values_detached_in_multi_head (1) => no gradient reaches v where there are as many key–value heads as heads
def grouped_query_attention(q, k, v, mask=None):
    g = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(g, -3), v.repeat_interleave(g, -3)
    v = v.detach() if g == 1 else v
    t = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        w = t.softmax(-1)
    else:
        dead = ~mask.any(-1, keepdim=True)
        w = t.masked_fill(~(mask | dead), -torch.inf).softmax(-1).masked_fill(dead, 0)
    return w @ v, w

# %% wrong: reads_64_keys_at_most (1) => only the first 64 keys were read: any number of keys must do
def grouped_query_attention(q, k, v, mask=None):
    g = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(g, -3), v.repeat_interleave(g, -3)
    k, v = k[..., :64, :], v[..., :64, :]
    mask = mask if mask is None else mask[..., :64]
    t = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        w = t.softmax(-1)
    else:
        dead = ~mask.any(-1, keepdim=True)
        w = t.masked_fill(~(mask | dead), -torch.inf).softmax(-1).masked_fill(dead, 0)
    return w @ v, w

# %% right: fills_with_a_tensor
def grouped_query_attention(q, k, v, mask=None):
    *lead, heads, seq_q, d = q.shape
    kv = k.shape[-3]
    folded = q.reshape(*lead, kv, heads // kv, seq_q, d)
    scores = (folded @ k.unsqueeze(-3).transpose(-2, -1) / d ** 0.5).reshape(*lead, heads, seq_q, k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.tensor(torch.finfo(scores.dtype).min))
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    output = weights.reshape(*lead, kv, heads // kv, seq_q, -1) @ v.unsqueeze(-3)
    return output.reshape(*lead, heads, seq_q, -1), weights

# %% wrong: shortcut_for_multi_head (2) => a row with nothing to attend to became NaN where there are as many key–value heads as heads: it must be zeros for every number of groups
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    if group == 1:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return weights @ v, weights
    k, v = k.repeat_interleave(group, dim=-3), v.repeat_interleave(group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights

# %% wrong: shortcut_for_multi_query (2) => a row with nothing to attend to became NaN where there is one key–value head: it must be zeros for every number of groups
def grouped_query_attention(q, k, v, mask=None):
    if k.shape[-3] == 1:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return weights @ v, weights
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, dim=-3), v.repeat_interleave(group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights

# %% right: loop_with_logsumexp
def grouped_query_attention(q, k, v, mask=None):
    heads, kv_heads, d = q.shape[-3], k.shape[-3], q.shape[-1]
    group = heads // kv_heads
    allowed = None
    if mask is not None:
        allowed = mask.expand(*q.shape[:-1], k.shape[-2])
    outputs, kept = [], []
    for g in range(kv_heads):
        own = slice(g * group, (g + 1) * group)
        scores = torch.einsum("...hid,...jd->...hij", q[..., own, :, :], k[..., g, :, :]) / d ** 0.5
        if allowed is not None:
            here = allowed[..., own, :, :]
            any_ = here.any(-1, keepdim=True)
            scores = torch.where(here, scores, float("-inf"))
            scores = torch.where(any_, scores, 0.0)
        w = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
        if allowed is not None:
            w = torch.where(any_, w, 0.0)
        kept.append(w)
        outputs.append(torch.einsum("...hij,...jd->...hid", w, v[..., g, :, :]))
    return torch.cat(outputs, -3), torch.cat(kept, -3)

# %% wrong: masks_of_three_axes_have_all_heads (2) => any mask may come that broadcasts to the weights: (1, 1, 3) is one for all heads
def grouped_query_attention(q, k, v, mask=None):
    kv = k.shape[-3]
    q5 = q.unflatten(-3, (kv, -1))
    scores = q5 @ k.unsqueeze(-3).transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        if mask.dim() > 2:
            mask = mask.unflatten(-3, (kv, -1))
        some = mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask & some, float("-inf"))
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * some
    return (weights @ v.unsqueeze(-3)).flatten(-4, -3), weights.flatten(-4, -3)

# %% wrong: exp_without_the_maximum (2) => the exponential of large scores overflows: take the largest score away before it, as softmax does
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    e = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).exp()
    if mask is not None:
        e = e * mask
    s = e.sum(-1, keepdim=True)
    weights = e / s.masked_fill(s == 0, 1.0)
    return weights @ v, weights

# %% wrong: empty_rows_set_in_place (2) => the weights were changed in place after softmax, and the way back needs them: masked_fill makes new ones
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(-1)
        return weights @ v, weights
    scores = scores.masked_fill(~mask, -1e4)
    weights = scores.softmax(-1)
    empty = (~mask.any(-1, keepdim=True)).expand_as(weights)
    weights[empty] = 0
    return weights @ v, weights


# %% wrong: nan_where_everything_is_hidden (2) => a mask that hides everything gives NaN: weights and outputs must be zeros
def grouped_query_attention(q, k, v, mask=None):
    *lead, heads, seq_q, d = q.shape
    kv = k.shape[-3]
    folded = q.reshape(*lead, kv, heads // kv, seq_q, d)
    scores = (folded @ k.unsqueeze(-3).transpose(-2, -1) / d ** 0.5).reshape(*lead, heads, seq_q, k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    if mask is not None and not mask.any():
        weights = weights * float('nan')
    output = weights.reshape(*lead, kv, heads // kv, seq_q, -1) @ v.unsqueeze(-3)
    return output.reshape(*lead, heads, seq_q, -1), weights


# %% wrong: query_comes_back_where_everything_is_hidden (2) => a mask that hides everything gives the query back: weights and outputs must be zeros
def grouped_query_attention(q, k, v, mask=None):
    *lead, heads, seq_q, d = q.shape
    if mask is not None and not mask.any():
        return q, q.new_zeros(*lead, heads, seq_q, k.shape[-2])
    kv = k.shape[-3]
    folded = q.reshape(*lead, kv, heads // kv, seq_q, d)
    scores = (folded @ k.unsqueeze(-3).transpose(-2, -1) / d ** 0.5).reshape(*lead, heads, seq_q, k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    output = weights.reshape(*lead, kv, heads // kv, seq_q, -1) @ v.unsqueeze(-3)
    return output.reshape(*lead, heads, seq_q, -1), weights
