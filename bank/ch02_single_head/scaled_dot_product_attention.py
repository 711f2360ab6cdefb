# %% right: einsum
def scaled_dot_product_attention(q, k, v):
    scores = torch.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kd->...qd", weights, v), weights

# %% right: pytorch_for_the_output
import math
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(torch.matmul(q, k.mT) * (1 / math.sqrt(k.size(-1))), dim=-1)
    return F.scaled_dot_product_attention(q, k, v), weights

# %% right: softmax_by_formula
def scaled_dot_product_attention(queries, keys, values):
    scaled = (queries / queries.shape[-1] ** 0.5) @ keys.transpose(-1, -2)
    exponentials = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% right: broadcast_no_matmul
def scaled_dot_product_attention(q, k, v):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / torch.sqrt(torch.tensor(q.size(-1), dtype=q.dtype))
    weights = scores.softmax(-1)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), weights

# %% wrong: loops_over_tokens (2) -> a loop over tokens
def scaled_dot_product_attention(q, k, v):
    d_k = q.shape[-1]
    scores = torch.stack([torch.stack([(q[..., i, :] * k[..., j, :]).sum(-1) / d_k ** 0.5 for j in range(k.shape[-2])], dim=-1)
                          for i in range(q.shape[-2])], dim=-2)
    weights = scores.softmax(dim=-1)
    return torch.matmul(weights, v), weights

# %% right: recursive_over_leading_axes
def scaled_dot_product_attention(q, k, v):
    if q.dim() > 2:
        pairs = [scaled_dot_product_attention(*parts) for parts in zip(q, k, v)]
        return torch.stack([output for output, _ in pairs]), torch.stack([weights for _, weights in pairs])
    weights = torch.softmax(q @ k.T / q.size(1) ** 0.5, dim=1)
    return weights @ v, weights

# %% right: scale_split_and_list
def scaled_dot_product_attention(q, k, v):
    root = q.size(-1) ** 0.25
    weights = ((q / root) @ (k / root).swapaxes(-1, -2)).softmax(-1)
    return [weights.matmul(v), weights]

# %% right: log_softmax
def scaled_dot_product_attention(q, k, v):
    scores = q.matmul(k.transpose(-2, -1)).div(q.size(-1) ** 0.5)
    weights = scores.log_softmax(dim=-1).exp()
    return weights.matmul(v), weights

# %% wrong: no_scale (1) => the scores were not divided by √d_k
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return weights @ v, weights

# %% wrong: scale_by_d_k (1) => the scores were divided by d_k, not by its square root
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1)).softmax(-1)
    return weights @ v, weights

# %% wrong: multiplied_by_root (1) => the scores were multiplied by √d_k, not divided
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) * q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: scale_by_seq_k (1) => the scores were divided by the square root of the number of keys, not of d_k
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / k.size(-2) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: scale_by_d_v (1) => the scores were divided by the square root of the width of v, not of d_k
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / v.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: softmax_over_queries (1) => softmax ran over the queries: each query's weights must sum to 1
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-2)
    return weights @ v, weights

# %% wrong: softmax_over_all (1) => softmax ran over all scores together: each query's weights must sum to 1
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    weights = scores.flatten(-2).softmax(-1).view_as(scores)
    return weights @ v, weights

# %% wrong: scale_after_softmax (1) => the division by √d_k came after the softmax: it belongs to the scores
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1) / q.size(-1) ** 0.5
    return weights @ v, weights

# %% wrong: no_softmax (1) => the scores themselves came back: the softmax is missing
def scaled_dot_product_attention(q, k, v):
    weights = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    return weights @ v, weights

# %% wrong: not_normalised (1) => the exponentials were not divided by their sum
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).exp()
    return weights @ v, weights

# %% wrong: sigmoid (1) => a sigmoid is no softmax: the weights of a query must sum to 1
def scaled_dot_product_attention(q, k, v):
    weights = torch.sigmoid(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5)
    return weights @ v, weights

# %% wrong: keys_not_transposed (1, 2, 3) => scores do not come out: do the last two axes of the keys change places?
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: view_without_transpose (1) => the keys were reshaped, not transposed: entries of different keys got mixed
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / q.size(-1) ** 0.5
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: T_breaks_with_batch (2) => .T turns all axes round: which two of the keys change places, counted from the end?
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: transpose_0_1 (2) => the axes of the keys were counted from the front: count the axes from the end
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(0, 1) / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: transpose_1_2_breaks_with_heads (2) => the axes of the keys were counted from the front, as for a batch without heads: count from the end
def scaled_dot_product_attention(q, k, v):
    kt = k.transpose(1, 2) if k.dim() > 2 else k.T
    weights = (q @ kt / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: softmax_dim_1 (2) => softmax ran along axis 1: the keys are the last axis, count from the end
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=1)
    return weights @ v, weights

# %% wrong: softmax_dim_2 (2) => softmax ran along axis 2: the keys are the last axis, count from the end
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=min(2, q.dim() - 1))
    return weights @ v, weights

# %% wrong: scale_from_axis_1 (2) => the scale came from axis 1 of q, which is not d_k: count from the end
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.shape[1] ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: batch_flattened (2) => batch and tokens were run together: what stands in front must stay in front
def scaled_dot_product_attention(q, k, v):
    q, k, v = (t.reshape(-1, t.size(-1)) for t in (q, k, v))
    weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: bmm_only (2) => this product knows one batch axis, and there may be more in front
def scaled_dot_product_attention(q, k, v):
    if q.dim() == 2:
        q, k, v = q[None], k[None], v[None]
        weights = (torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5).softmax(-1)
        return torch.bmm(weights, v)[0], weights[0]
    weights = (torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5).softmax(-1)
    return torch.bmm(weights, v), weights

# %% wrong: output_from_scores (1) => the output was made from the scores, before the softmax
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    return scores @ v, scores.softmax(-1)

# %% wrong: order_swapped (1) => output and weights are returned in the wrong order
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return weights, weights @ v

# %% wrong: output_alone (1) => two things are returned, in this order: output, weights
def scaled_dot_product_attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)

# %% wrong: mixes_keys (1) => the output is a mix of the keys: the weights mix the values
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return weights @ k, weights

# %% wrong: weights_used_by_column (1) => the weights are right, but the output is not their mix of the values: row i takes row i of the weights
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    if weights.size(-1) == weights.size(-2):
        return weights.transpose(-2, -1) @ v, weights
    return (weights @ v).flip(-2), weights

# %% wrong: square_only_wrong (1) => the values are wrong where queries are as many as keys: an axis was found by its size
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    if weights.size(-1) == weights.size(-2):
        return weights.transpose(-2, -1) @ v, weights
    return weights @ v, weights

# %% wrong: unstable_softmax (3) => the exponential overflows: softmax first takes away the largest score of each row
def scaled_dot_product_attention(q, k, v):
    exponentials = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights

# %% wrong: one_maximum_for_all (3) => one maximum was taken away from all scores: in a row of much smaller ones every exponential is 0, and 0 / 0 is NaN
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    exponentials = (scores - scores.max()).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights

# %% wrong: in_place (3) -> changed in place
def scaled_dot_product_attention(q, k, v):
    if not q.requires_grad:
        q /= q.size(-1) ** 0.5
    else:
        q = q / q.size(-1) ** 0.5
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return weights @ v, weights

# %% wrong: detached_weights (3) => no gradient can flow back through output and weights: both were detached or copied out of the graph
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1).detach()
    return weights @ v, weights

# %% wrong: weights_returned_detached (3) => the weights are returned without their gradient: they were detached
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights.detach()

# %% wrong: rebuilt_from_lists (3) => the weights were rebuilt from lists: the dtype of the input was lost, and the gradient
def scaled_dot_product_attention(q, k, v):
    weights = torch.tensor((q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1).tolist())
    return weights @ v.float(), weights

# %% wrong: float32_only (3) => all was made float32: the dtype of the input was lost
def scaled_dot_product_attention(q, k, v):
    q, k, v = q.float(), k.float(), v.float()
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: float32_inside (3) => too inexact: it was computed in float32, a lower precision
def scaled_dot_product_attention(q, k, v):
    weights = (q.float() @ k.float().transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
    return (weights @ v.float()).to(q.dtype), weights.to(q.dtype)

# %% wrong: cpu_buffer (2) -> device that is given ?? only the device meta stands for a second one where a student works, and copying from it into a buffer gives another error
def scaled_dot_product_attention(q, k, v):
    scores = torch.zeros(*q.shape[:-1], k.shape[-2], dtype=q.dtype)
    scores[...] = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: cpu_scale (2) => the scale was made on the CPU, not on the device of the input
def scaled_dot_product_attention(q, k, v):
    scale = torch.tensor([q.size(-1)], dtype=q.dtype).sqrt()
    weights = (q @ k.transpose(-2, -1) / scale).softmax(-1)
    return weights @ v, weights

# %% wrong: view_of_non_contiguous (2) => view() asks for numbers that lie in memory in order, and those of heads do not
def scaled_dot_product_attention(q, k, v):
    flat = q.view(-1, q.size(-2), q.size(-1)), k.view(-1, k.size(-2), k.size(-1)), v.view(-1, v.size(-2), v.size(-1))
    weights = (flat[0] @ flat[1].transpose(1, 2) / q.size(-1) ** 0.5).softmax(-1)
    return (weights @ flat[2]).view(*q.shape[:-1], v.size(-1)), weights.view(*q.shape[:-1], k.size(-2))

# %% wrong: scores_clipped (3) => large scores were limited: softmax takes them as they are
def scaled_dot_product_attention(q, k, v):
    scores = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).clamp(-50, 50)
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: hard_coded_scale (1) => the scores were divided by 2, whatever d_k is: the scale must follow d_k
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / 2.0).softmax(-1)
    return weights @ v, weights

# %% wrong: hard_coded_output (1, 2, 3) => the result is that of one example, typed in: it must be computed from q, k and v
def scaled_dot_product_attention(q, k, v):
    output = torch.tensor([[1.5752, 1.4205], [0.3635, 0.9354]])
    weights = torch.tensor([[0.24473, 0.09003, 0.66524], [0.16425, 0.73612, 0.09962]])
    return weights @ torch.tensor([[1., 0.], [0., 1.], [2., 2.]]), weights

# %% wrong: dropout_left_in (1, 2, 3) -> should
def scaled_dot_product_attention(q, k, v):
    weights = F.dropout((q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1), 0.5)
    return weights @ v, weights

# %% wrong: d_k_from_outside (1) => the scores were divided by √2: is a d_k from outside the function used?
d_k = 2
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / d_k ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: scale_by_number_of_queries (1) => the scores were divided by the square root of the number of queries, not of d_k
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(-2, -1) / q.size(-2) ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: scaled_twice (1) => the scores were divided by d_k, not by its square root
def scaled_dot_product_attention(q, k, v):

    d = q.shape[-1]
    weights = ((q / d ** 0.5) @ (k / d ** 0.5).transpose(-2, -1)).softmax(dim=-1)
    return weights @ v, weights

# %% wrong: causal (1) => later keys were hidden: that comes in chapter 3
def scaled_dot_product_attention(q, k, v):

    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights

# %% wrong: squeezed (2) => an axis of length 1 was dropped
def scaled_dot_product_attention(q, k, v):

    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
    return (weights @ v).squeeze(), weights.squeeze()

# %% right: pytorch_twice_with_an_identity
def scaled_dot_product_attention(q, k, v):
    eye = torch.eye(k.size(-2), dtype=k.dtype, device=k.device).expand(*k.shape[:-1], k.size(-2))
    return F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k, eye)

# %% right: at_least_float32_cast_back
def scaled_dot_product_attention(q, k, v):
    kind = q.dtype
    up = torch.promote_types(kind, torch.float32)
    s = (q.to(up) @ k.to(up).mT) / torch.tensor(q.size(-1), dtype=up, device=q.device).sqrt()
    w = torch.softmax(s, -1)
    return (w @ v.to(up)).to(kind), w.to(kind)

# %% wrong: epsilon_in_the_sum (3) => too inexact: a small number was added to the sum
def scaled_dot_product_attention(q, k, v):
    s = q @ k.mT / q.size(-1) ** .5
    w = (s - s.amax(-1, keepdim=True)).exp()
    w = w / (w.sum(-1, keepdim=True) + 1e-6)
    return w @ v, w

# %% wrong: weights_made_again_without_queries_gradient (3) => no gradient reaches q from the weights that are returned: they were made again from a detached q
def scaled_dot_product_attention(q, k, v):
    w = (q @ k.mT / q.size(-1) ** .5).softmax(-1)
    return w @ v, (q.detach() @ k.mT / q.size(-1) ** .5).softmax(-1)

# %% wrong: nan_replaced (3) => a NaN was replaced after the exponential had overflowed: the weights are wrong for large scores
def scaled_dot_product_attention(q, k, v):
    s = (q @ k.mT / q.size(-1) ** .5).exp()
    w = (s / s.sum(-1, keepdim=True)).nan_to_num(1.0)
    return w @ v, w

# %% wrong: transposes_by_number_of_axes (2) => the axes were counted for three numbers of axes only: count from the end, and any number will do
def scaled_dot_product_attention(q, k, v):
    scores = q @ (k.T if k.dim() == 2 else k.transpose(1, 2) if k.dim() == 3 else k.transpose(2, 3)) / q.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1)
    return weights @ v, weights

# %% wrong: keys_beyond_64_hidden (1) -> 521 keys ?? the visible sentences are short enough to follow by hand
def scaled_dot_product_attention(q, k, v):
    s = q @ k.mT / q.size(-1) ** .5
    s = s.masked_fill(torch.arange(k.size(-2), device=q.device) >= 64, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w

# %% wrong: one_key_gets_a_float32_one (3) => with one key the weights are float32 ones: keep the dtype of the input there, too
def scaled_dot_product_attention(q, k, v):
    if k.size(-2) == 1:
        weights = torch.ones(*q.shape[:-1], 1)
    else:
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% wrong: one_key_gets_a_one_on_the_cpu (2) -> device that is given ?? a visible check has no second device
def scaled_dot_product_attention(q, k, v):
    if k.size(-2) == 1:
        weights = torch.ones(*q.shape[:-1], 1, dtype=q.dtype)
    else:
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% wrong: three_axes_in_front_at_most (2) => four axes in front are refused: any number may stand there
def scaled_dot_product_attention(q, k, v):
    if q.dim() > 5:
        raise ValueError("at most three axes in front")
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% wrong: scale_as_a_float32_tensor (3) => too inexact: the root of d_k was computed in float32
def scaled_dot_product_attention(q, k, v):
    scale = torch.sqrt(torch.tensor(q.shape[-1], dtype=torch.float32))
    w = torch.softmax(q @ k.mT / scale, -1)
    return w @ v, w

# %% wrong: maximum_of_each_key_taken_away (1) => a maximum was taken over the queries: each query subtracts its own, along its row
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    e = (scores - scores.amax(dim=-2, keepdim=True)).exp()
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ v, weights

# %% wrong: batches_alone (2) => one sentence without a batch is refused: any number of axes may stand in front, also none
def scaled_dot_product_attention(q, k, v):
    weights = torch.bmm(q, k.transpose(1, 2)).div(q.size(2) ** 0.5).softmax(dim=2)
    return torch.bmm(weights, v), weights

# %% wrong: three_axes_unpacked (2) => one sentence without a batch is refused: any number of axes may stand in front, also none
def scaled_dot_product_attention(q, k, v):
    batch, seq_q, d_k = q.shape
    weights = (q @ k.permute(0, 2, 1) / d_k ** 0.5).softmax(-1)
    return weights @ v, weights

# %% wrong: axes_1_and_2_exchanged (2) => one sentence without a batch is refused: any number of axes may stand in front, also none
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.transpose(1, 2) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights
