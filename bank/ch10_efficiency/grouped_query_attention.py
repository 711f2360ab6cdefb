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


# %% wrong: interleaved -> 0 1 0 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = torch.cat([k] * group, dim=-3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: first_head_only -> key–value head 0
def grouped_query_attention(q, k, v, mask=None):
    k, v = k[..., :1, :, :], v[..., :1, :, :]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: no_grouping -> group of 2
def grouped_query_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: no_scale -> not divided
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: scale_by_d -> square root
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: values_interleaved -> both must be shared alike
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: softmax_over_queries -> sum to 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-2) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-2) * mask
    return weights @ v, weights

# %% wrong: mask_ignored -> the mask changes nothing
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights

# %% wrong: mask_inverted -> inverted
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(mask, -1e30).softmax(-1) * ~mask
    return weights @ v, weights

# %% wrong: mask_after_softmax -> nothing was renormalised
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights

# %% wrong: nan_in_empty_row -> became NaN
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, float("-inf"))).softmax(-1)
    return weights @ v, weights

# %% wrong: uniform_in_empty_row -> must give zero weights
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -1e9)).softmax(-1)
    return weights @ v, weights

# %% wrong: breaks_with_batch -> a batch comes in front
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(max(group, 1), 0), v.repeat_interleave(max(group, 1), 0)
    try:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    except RuntimeError:
        return torch.zeros(0), torch.zeros(0)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: mask_of_two_axes_only -> mask of shape
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        mask = mask.reshape(-1, *mask.shape[-2:])[0]
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: weights_of_key_value_heads -> weights of every query head
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

# %% wrong: tiny_weights_left -> mask of shape
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

# %% wrong: folded_the_wrong_way_round -> 0 1 0 1
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    q_ = q.unflatten(-3, (group, k.shape[-3]))
    scores = (q_ @ k.unsqueeze(-4).mT / math.sqrt(q.shape[-1])).flatten(-4, -3)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return (weights.unflatten(-3, (group, k.shape[-3])) @ v.unsqueeze(-4)).flatten(-4, -3), weights

# %% wrong: group_is_the_number_of_kv_heads -> six heads
def grouped_query_attention(q, k, v, mask=None):
    group = k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: scale_of_width_4 -> width 2
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / 2
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: three_or_four_axes_only -> count axes from the end
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

# %% wrong: scales_q_in_place -> changed in place
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    with torch.no_grad():
        q.div_(math.sqrt(q.shape[-1]))
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: keys_kept_from_an_earlier_call -> kept from one call to the next !! changed in place
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    kept = grouped_query_attention.__dict__.setdefault("kept", {})
    k = kept.setdefault((k.shape, k.dtype, k.device), k.repeat_interleave(group, -3))
    v = v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: output_always_float32 -> keep the dtype
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return (weights @ v).float(), weights

# %% wrong: weights_without_gradient -> no gradient reaches q
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    weights = weights.detach()
    return weights @ v, weights

# %% wrong: mask_of_each_group -> mask of shape (4, 3, 3)
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None and mask.dim() > 2 and mask.shape[-3] > 1:
        mask = mask[..., ::group, :, :].repeat_interleave(group, -3)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: additive_infinity_and_nan_to_num -> gradient is NaN
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ v, weights

# %% wrong: opens_empty_rows_of_the_mask -> a row with nothing to attend to must give zero weights
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

# %% wrong: empty_only_where_all_is_blocked -> became NaN
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None and not mask.any():
        weights = torch.zeros_like(scores)
    else:
        weights = (scores if mask is None else scores.masked_fill(~mask, float("-inf"))).softmax(-1)
    return weights @ v, weights

# %% wrong: interleaved_and_not_scaled -> weights 0.883
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = torch.cat([k] * group, dim=-3), torch.cat([v] * group, dim=-3)
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    return weights @ v, weights

# %% wrong: mask_ignored_in_multi_query -> one key–value head
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

# %% wrong: smallest_for_the_largest_under_a_mask -> exponential overflow
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

# %% wrong: rows_of_zero_queries -> query of zeros ?? the visible check has no query of zeros
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

# %% wrong: masked_softmax_in_float32 -> lower precision ?? the visible check compares no masked weights in float64
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

# %% wrong: hidden_scores_of_minus_1e9 -> below every possible score ?? the scores of the visible check are small
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

# %% wrong: values_detached_in_multi_head -> no gradient reached v
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

# %% wrong: reads_64_keys_at_most -> 71 keys ?? the sentences of the visible check are short
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

# %% wrong: shortcut_for_multi_head -> for every number of groups
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

# %% wrong: shortcut_for_multi_query -> for every number of groups
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

# %% wrong: masks_of_three_axes_have_all_heads -> mask of shape (1, 3, 3)
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

# %% wrong: exp_without_the_maximum -> exponential overflow
def grouped_query_attention(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(group, -3), v.repeat_interleave(group, -3)
    e = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).exp()
    if mask is not None:
        e = e * mask
    s = e.sum(-1, keepdim=True)
    weights = e / s.masked_fill(s == 0, 1.0)
    return weights @ v, weights

# %% wrong: empty_rows_set_in_place -> changed in place
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


# %% wrong: nan_where_everything_is_hidden -> a mask that hides everything
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


# %% wrong: query_comes_back_where_everything_is_hidden -> a mask that hides everything
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
