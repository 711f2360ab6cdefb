# %% right: two_products
def self_attention_simple(x):
    scores = torch.matmul(x, x.transpose(1, 2))
    weights = F.softmax(scores, dim=2)
    return torch.matmul(weights, x), weights

# %% right: einsum
def self_attention_simple(x):
    weights = torch.einsum("bqd,bkd->bqk", x, x).softmax(-1)
    return torch.einsum("bqk,bkd->bqd", weights, x), weights

# %% right: bmm_and_permute
def self_attention_simple(x):
    keys = x.permute(0, 2, 1)
    weights = torch.bmm(x, keys).softmax(dim=-1)
    return [torch.bmm(weights, x), weights]

# %% right: broadcasting
def self_attention_simple(x):
    scores = (x[:, :, None, :] * x[:, None, :, :]).sum(dim=-1)
    weights = torch.softmax(scores, dim=-1)
    return (weights[..., None] * x[:, None, :, :]).sum(dim=2), weights

# %% right: pytorch_attention
def self_attention_simple(x):
    weights = torch.softmax(x @ x.mT, dim=-1)
    return F.scaled_dot_product_attention(x, x, x, scale=1.0), weights

# %% right: own_stable_softmax
def self_attention_simple(x):
    batch, seq, d = x.shape
    scores = x @ x.transpose(-1, -2)
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ x, weights

# %% right: loop_over_the_batch
def self_attention_simple(x):
    contexts, weights = [], []
    for sentence in x:
        w = (sentence @ sentence.T).softmax(dim=-1)
        weights.append(w)
        contexts.append(w @ sentence)
    return torch.stack(contexts), torch.stack(weights)

# %% right: columns_turned
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores.softmax(dim=-2).transpose(-2, -1)      # the scores are symmetric
    return weights @ x, weights

# %% right: exercise_softmax
def self_attention_simple(x):
    weights = softmax(x @ x.transpose(-2, -1), dim=-1)
    return weights @ x, weights

# %% wrong: scores_returned -> these are scores
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    return scores.softmax(-1) @ x, scores

# %% wrong: softmax_over_queries -> over the queries
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(dim=-2)
    return weights @ x, weights

# %% wrong: softmax_dim_1 -> over the queries
def self_attention_simple(x):
    weights = torch.softmax(x @ x.transpose(1, 2), dim=1)
    return weights @ x, weights

# %% wrong: softmax_over_the_table -> whole table
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores.flatten(1).softmax(-1).view_as(scores)
    return weights @ x, weights

# %% wrong: scale_by_sqrt_d -> divided by √d_model
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1) / x.shape[-1] ** 0.5).softmax(-1)
    return weights @ x, weights

# %% wrong: scale_by_d -> divided by d_model
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1) / x.shape[-1]).softmax(-1)
    return weights @ x, weights

# %% wrong: cosine -> cosines
def self_attention_simple(x):
    unit = F.normalize(x, dim=-1)
    weights = (unit @ unit.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: causal -> later tokens were hidden
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    weights = scores.masked_fill(later, float("-inf")).softmax(-1)
    return weights @ x, weights

# %% wrong: itself_left_out -> look at itself
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    itself = torch.eye(x.shape[1], dtype=torch.bool, device=x.device)
    weights = scores.masked_fill(itself, float("-inf")).softmax(-1)
    return weights @ x, weights

# %% wrong: divided_by_the_sum -> divided by their sum
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: softmax_twice -> applied twice
def self_attention_simple(x):
    weights = torch.softmax(torch.softmax(x @ x.transpose(-2, -1), -1), -1)
    return weights @ x, weights

# %% wrong: mixed_over_the_wrong_axis -> wrong axis
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights.transpose(-2, -1) @ x, weights

# %% wrong: mixed_with_scores -> scores, not the weights
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    return scores @ x, scores.softmax(-1)

# %% wrong: residual -> added to the context
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return x + weights @ x, weights

# %% wrong: mean_of_tokens -> plain mean
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return x.mean(1, keepdim=True).expand_as(x), weights

# %% wrong: order_swapped -> (context, weights), not
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights, weights @ x

# %% wrong: context_alone -> two results
def self_attention_simple(x):
    return (x @ x.transpose(-2, -1)).softmax(-1) @ x

# %% wrong: keys_not_transposed -> three axes
def self_attention_simple(x):
    weights = (x @ x).softmax(-1)
    return weights @ x, weights

# %% wrong: all_axes_reversed -> three axes
def self_attention_simple(x):
    weights = (x @ x.permute(2, 1, 0)).softmax(-1)
    return weights @ x, weights

# %% wrong: reshape_for_transpose -> not transposed
def self_attention_simple(x):
    batch, seq, d = x.shape
    weights = (x @ x.reshape(batch, d, seq)).softmax(-1)
    return weights @ x, weights

# %% wrong: breaks_with_batch -> two sentences at once fail
def self_attention_simple(x):
    sentence = x.squeeze(0)
    weights = (sentence @ sentence.T).softmax(-1)
    return (weights @ sentence)[None], weights[None]

# %% wrong: first_sentence_only -> weights of shape (batch, seq, seq)
def self_attention_simple(x):
    sentence = x[0]
    weights = (sentence @ sentence.T).softmax(-1)
    return (weights @ sentence)[None], weights[None]

# %% wrong: first_sentence_for_all -> weights of the first
def self_attention_simple(x):
    weights = (x[0] @ x[0].T).softmax(-1).expand(x.shape[0], -1, -1)
    return weights @ x, weights

# %% wrong: batch_as_one_sentence -> weights of shape (batch, seq, seq)
def self_attention_simple(x):
    flat = x.reshape(1, -1, x.shape[-1])
    weights = (flat @ flat.transpose(-2, -1)).softmax(-1)
    return (weights @ flat).view_as(x), weights

# %% wrong: softmax_over_the_batch -> over the batch
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores.softmax(-1) if len(x) == 1 else scores.softmax(0)
    return weights @ x, weights

# %% wrong: loop_over_tokens -> loop over tokens
def self_attention_simple(x):
    contexts, weights = [], []
    for i in range(x.shape[1]):
        scores = (x * x[:, i:i + 1]).sum(-1)
        row = scores.softmax(-1)
        weights.append(row)
        contexts.append((row[..., None] * x).sum(1))
    return torch.stack(contexts, 1), torch.stack(weights, 1)

# %% wrong: double_loop -> loop over tokens
def self_attention_simple(x):
    batch, seq, d = x.shape
    scores = x.new_zeros(batch, seq, seq)
    for i in range(seq):
        for j in range(seq):
            scores[:, i, j] = (x[:, i] * x[:, j]).sum(-1)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: unstable_softmax -> entries near 100
def self_attention_simple(x):
    e = (x @ x.transpose(-2, -1)).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: float32_only -> float64
def self_attention_simple(x):
    x = x.to(torch.float32)
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: cpu_table -> device ?? a visible check has no second device
def self_attention_simple(x):
    scores = torch.zeros(x.shape[0], x.shape[1], x.shape[1], dtype=x.dtype)
    scores = scores + x @ x.transpose(-2, -1)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: in_place -> in place
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    with torch.no_grad():
        x.copy_(weights @ x)
    return x.clone(), weights

# %% wrong: weights_detached -> gradient
def self_attention_simple(x):
    with torch.no_grad():
        weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: hard_coded_seq -> any length
def self_attention_simple(x):
    scores = (x @ x.transpose(-2, -1)).view(-1, 3, 3)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: detached -> connection to x
def self_attention_simple(x):
    x = x.detach()
    weights = torch.softmax(x @ x.mT, -1)
    return weights @ x, weights

# %% wrong: values_detached -> was a part detached
def self_attention_simple(x):
    weights = torch.softmax(x @ x.mT, -1)
    return weights @ x.detach(), weights

# %% wrong: divided_by_a_norm -> divided by their length
def self_attention_simple(x):
    scores = x @ x.mT
    weights = scores / scores.norm(dim=-1, keepdim=True)
    return weights @ x, weights

# %% wrong: best_fit_only -> only the best fit
def self_attention_simple(x):
    scores = x @ x.mT
    weights = torch.nn.functional.one_hot(scores.argmax(-1), x.shape[1]).to(x.dtype)
    return weights @ x, weights

# %% wrong: summed_over_tokens -> a vector for each token
def self_attention_simple(x):
    weights = (x @ x.mT).softmax(dim=-1)
    return (weights @ x).sum(dim=1), weights

# %% wrong: log_softmax -> logarithms
def self_attention_simple(x):
    weights = (x @ x.mT).log_softmax(dim=-1)
    return weights @ x, weights

# %% right: pytorch_and_the_identity_as_values
def self_attention_simple(x):
    q = x
    eye = torch.eye(x.shape[1], dtype=x.dtype, device=x.device).expand(len(x), -1, -1)
    w = F.scaled_dot_product_attention(q, x, eye, scale=1.0)
    return F.scaled_dot_product_attention(q, x, x, scale=1.0), w

# %% wrong: pieces_of_64_tokens -> pieces of the sentence ?? the numbers of the visible check can be followed by hand
def self_attention_simple(x):
    out, ws = [], []
    for q in x.split(64, dim=1):
        w = (q @ x.mT).softmax(-1)
        out.append(w @ x); ws.append(w)
    return torch.cat(out, 1), torch.cat(ws, 1)

# %% wrong: weights_returned_detached -> weights returned have lost
def self_attention_simple(x):
    w = (x @ x.mT).softmax(-1)
    return w @ x, w.detach()

# %% wrong: half_comes_out_as_float32 -> keep the dtype
def self_attention_simple(x):
    y = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    w = (y @ y.mT).softmax(-1)
    return w @ y, w

# %% wrong: values_detached_in_batches -> of its own sentence
def self_attention_simple(x):
    w = (x @ x.mT).softmax(-1)
    v = x.detach() if len(x) > 1 else x
    return w @ v, w

# %% wrong: view_of_memory -> not contiguous ?? the visible check's sentences lie in memory as they are read
def self_attention_simple(x):
    b, n, d = x.shape
    flat = x.view(b * n, d)
    w = (flat.view(b, n, d) @ x.mT).softmax(-1)
    return w @ x, w

# %% wrong: own_score_taken_as_the_largest -> with itself need not be the largest
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    own = scores.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    e = (scores - own).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: own_score_taken_away_and_cut_off_at_80 -> were the scores cut off
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    own = scores.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    e = (scores - own).clamp(max=80).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: float32_inside -> lower precision !! was a part detached
def self_attention_simple(x):
    y = x.float()
    weights = torch.softmax(y @ y.mT, dim=-1)
    return (weights @ y).to(x.dtype), weights.to(x.dtype)

# %% right: vmap_over_sentences
def self_attention_simple(x):
    def one(s):
        w = torch.softmax(s @ s.T, -1)
        return w @ s, w
    return torch.vmap(one)(x)
