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

# %% wrong: scores_returned (1) => these are scores: softmax turns them into weights
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    return scores.softmax(-1) @ x, scores

# %% wrong: softmax_over_queries (1) => softmax ran over the queries: each query's row of weights must sum to 1
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(dim=-2)
    return weights @ x, weights

# %% wrong: softmax_dim_1 (1) => softmax ran over the queries: each query's row of weights must sum to 1
def self_attention_simple(x):
    weights = torch.softmax(x @ x.transpose(1, 2), dim=1)
    return weights @ x, weights

# %% wrong: softmax_over_the_table (1) => softmax ran over the whole table: each row must sum to 1
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores.flatten(1).softmax(-1).view_as(scores)
    return weights @ x, weights

# %% wrong: scale_by_sqrt_d (1) => the scores were divided by √d_model: that comes in chapter 2
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1) / x.shape[-1] ** 0.5).softmax(-1)
    return weights @ x, weights

# %% wrong: scale_by_d (1) => the scores were divided by d_model: a dot product is a sum
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1) / x.shape[-1]).softmax(-1)
    return weights @ x, weights

# %% wrong: cosine (1) => the scores are cosines: leave the lengths of the vectors in
def self_attention_simple(x):
    unit = F.normalize(x, dim=-1)
    weights = (unit @ unit.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: causal (1) => later tokens were hidden: that comes in chapter 3
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    weights = scores.masked_fill(later, float("-inf")).softmax(-1)
    return weights @ x, weights

# %% wrong: itself_left_out (1) => a token must look at itself, too
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    itself = torch.eye(x.shape[1], dtype=torch.bool, device=x.device)
    weights = scores.masked_fill(itself, float("-inf")).softmax(-1)
    return weights @ x, weights

# %% wrong: divided_by_the_sum (1) => the scores were divided by their sum: softmax is wanted
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: softmax_twice (1) => softmax was applied twice
def self_attention_simple(x):
    weights = torch.softmax(torch.softmax(x @ x.transpose(-2, -1), -1), -1)
    return weights @ x, weights

# %% wrong: mixed_over_the_wrong_axis (1) => the mixture runs over the wrong axis: row i of the weights belongs to token i
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights.transpose(-2, -1) @ x, weights

# %% wrong: mixed_with_scores (1) => the scores, not the weights, were used to mix the vectors
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    return scores @ x, scores.softmax(-1)

# %% wrong: residual (1) => x was added to the context: it is the weighted sum alone
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return x + weights @ x, weights

# %% wrong: mean_of_tokens (1) => the weights were not used: this is the plain mean of the tokens
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return x.mean(1, keepdim=True).expand_as(x), weights

# %% wrong: order_swapped (1) => the order is (context, weights), not (weights, context)
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights, weights @ x

# %% wrong: context_alone (1) => two results are expected: (context, weights)
def self_attention_simple(x):
    return (x @ x.transpose(-2, -1)).softmax(-1) @ x

# %% wrong: keys_not_transposed (1, 2) => the scores do not come out: which two axes of x change places for the keys, and which one stays?
def self_attention_simple(x):
    weights = (x @ x).softmax(-1)
    return weights @ x, weights

# %% wrong: all_axes_reversed (1, 2) => the scores do not come out: which two axes of x change places for the keys, and which one stays?
def self_attention_simple(x):
    weights = (x @ x.permute(2, 1, 0)).softmax(-1)
    return weights @ x, weights

# %% wrong: reshape_for_transpose (1) => the keys were reshaped, not transposed: a reshape deals the numbers out anew
def self_attention_simple(x):
    batch, seq, d = x.shape
    weights = (x @ x.reshape(batch, d, seq)).softmax(-1)
    return weights @ x, weights

# %% wrong: breaks_with_batch (2) => two sentences at once do not fit: transpose the last two axes, leave the batch alone
def self_attention_simple(x):
    sentence = x.squeeze(0)
    weights = (sentence @ sentence.T).softmax(-1)
    return (weights @ sentence)[None], weights[None]

# %% wrong: first_sentence_only (2) => the first sentence alone was looked at
def self_attention_simple(x):
    sentence = x[0]
    weights = (sentence @ sentence.T).softmax(-1)
    return (weights @ sentence)[None], weights[None]

# %% wrong: first_sentence_for_all (2) => the second sentence got the weights of the first
def self_attention_simple(x):
    weights = (x[0] @ x[0].T).softmax(-1).expand(x.shape[0], -1, -1)
    return weights @ x, weights

# %% wrong: batch_as_one_sentence (2) => the sentences were joined to one: each attends to its own words only
def self_attention_simple(x):
    flat = x.reshape(1, -1, x.shape[-1])
    weights = (flat @ flat.transpose(-2, -1)).softmax(-1)
    return (weights @ flat).view_as(x), weights

# %% wrong: softmax_over_the_batch (2) => softmax ran over the batch: each query's row of weights must sum to 1
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    weights = scores.softmax(-1) if len(x) == 1 else scores.softmax(0)
    return weights @ x, weights

# %% wrong: loop_over_tokens (2) -> a loop over tokens
def self_attention_simple(x):
    contexts, weights = [], []
    for i in range(x.shape[1]):
        scores = (x * x[:, i:i + 1]).sum(-1)
        row = scores.softmax(-1)
        weights.append(row)
        contexts.append((row[..., None] * x).sum(1))
    return torch.stack(contexts, 1), torch.stack(weights, 1)

# %% wrong: double_loop (2) -> a loop over tokens
def self_attention_simple(x):
    batch, seq, d = x.shape
    scores = x.new_zeros(batch, seq, seq)
    for i in range(seq):
        for j in range(seq):
            scores[:, i, j] = (x[:, i] * x[:, j]).sum(-1)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: unstable_softmax (1) => scores of 10,000 give NaN: their exponentials overflow
def self_attention_simple(x):
    e = (x @ x.transpose(-2, -1)).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: float32_only (1) => all was made float32: the dtype of x was lost
def self_attention_simple(x):
    x = x.to(torch.float32)
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: cpu_table (1) => a table was made on the CPU, not on the device of x
def self_attention_simple(x):
    scores = torch.zeros(x.shape[0], x.shape[1], x.shape[1], dtype=x.dtype)
    scores = scores + x @ x.transpose(-2, -1)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: in_place (1, 2) => x was changed in place: make new tensors
def self_attention_simple(x):
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    with torch.no_grad():
        x.copy_(weights @ x)
    return x.clone(), weights

# %% wrong: weights_detached (1) => no gradient flows through the weights: they were detached
def self_attention_simple(x):
    with torch.no_grad():
        weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return weights @ x, weights

# %% wrong: hard_coded_seq (1, 2) => three tokens are fixed in the function: it must work for any length
def self_attention_simple(x):
    scores = (x @ x.transpose(-2, -1)).view(-1, 3, 3)
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: detached (1) => no gradient can flow back: x was detached
def self_attention_simple(x):
    x = x.detach()
    weights = torch.softmax(x @ x.mT, -1)
    return weights @ x, weights

# %% wrong: values_detached (1) => no gradient flows through the values: they were detached
def self_attention_simple(x):
    weights = torch.softmax(x @ x.mT, -1)
    return weights @ x.detach(), weights

# %% wrong: divided_by_a_norm (1) => the scores were divided by their length (a norm): softmax is wanted
def self_attention_simple(x):
    scores = x @ x.mT
    weights = scores / scores.norm(dim=-1, keepdim=True)
    return weights @ x, weights

# %% wrong: best_fit_only (1) => only the best fit got a weight: softmax gives every token a share
def self_attention_simple(x):
    scores = x @ x.mT
    weights = torch.nn.functional.one_hot(scores.argmax(-1), x.shape[1]).to(x.dtype)
    return weights @ x, weights

# %% wrong: summed_over_tokens (1) => the contexts were added up: a vector for each token is wanted
def self_attention_simple(x):
    weights = (x @ x.mT).softmax(dim=-1)
    return (weights @ x).sum(dim=1), weights

# %% wrong: log_softmax (1) => these are logarithms of the weights
def self_attention_simple(x):
    weights = (x @ x.mT).log_softmax(dim=-1)
    return weights @ x, weights

# %% right: pytorch_and_the_identity_as_values
def self_attention_simple(x):
    q = x
    eye = torch.eye(x.shape[1], dtype=x.dtype, device=x.device).expand(len(x), -1, -1)
    w = F.scaled_dot_product_attention(q, x, eye, scale=1.0)
    return F.scaled_dot_product_attention(q, x, x, scale=1.0), w

# %% wrong: pieces_of_64_tokens (2) -> too many tensor operations ?? the sentences of the visible check are shorter than a piece
def self_attention_simple(x):
    out, ws = [], []
    for q in x.split(64, dim=1):
        w = (q @ x.mT).softmax(-1)
        out.append(w @ x); ws.append(w)
    return torch.cat(out, 1), torch.cat(ws, 1)

# %% wrong: weights_returned_detached (1) => the weights that are returned have lost their gradient: they were detached
def self_attention_simple(x):
    w = (x @ x.mT).softmax(-1)
    return w @ x, w.detach()

# %% wrong: half_comes_out_as_float32 (1) => bfloat16 went in, and float32 came out: keep the dtype of x
def self_attention_simple(x):
    y = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    w = (y @ y.mT).softmax(-1)
    return w @ y, w

# %% wrong: values_detached_in_batches (2) => in a batch no gradient flows through the values: they were detached
def self_attention_simple(x):
    w = (x @ x.mT).softmax(-1)
    v = x.detach() if len(x) > 1 else x
    return w @ v, w

# %% wrong: view_of_memory (2) => x was read as it lies in memory, and need not lie there in order
def self_attention_simple(x):
    b, n, d = x.shape
    flat = x.view(b * n, d)
    w = (flat.view(b, n, d) @ x.mT).softmax(-1)
    return w @ x, w

# %% wrong: own_score_taken_as_the_largest (1) => a token's own score was taken away before the exponential: it need not be the largest of its row
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    own = scores.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    e = (scores - own).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: own_score_taken_away_and_cut_off_at_80 (1) => a token's own score was taken away before the exponential: it need not be the largest of its row, and what was cut off is lost
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    own = scores.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    e = (scores - own).clamp(max=80).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ x, weights

# %% wrong: float32_inside (1) => too inexact: it was computed in float32, a lower precision !! detached
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

# %% wrong: scaled_in_batches (2) => in a batch the scores were divided by √d_model: that comes in chapter 2
def self_attention_simple(x):
    scores = x @ x.mT
    if len(x) > 1:
        scores = scores / x.shape[-1] ** 0.5
    weights = scores.softmax(-1)
    return weights @ x, weights

# %% wrong: no_softmax (1) => these are scores: softmax turns them into weights
def self_attention_simple(x):
    scores = x @ x.transpose(-2, -1)
    return scores @ x, scores

# %% wrong: softmax_dim_0 (1, 2) => softmax ran over the first axis, the sentences: each query's row of weights must sum to 1
def self_attention_simple(x):
    weights = torch.softmax(x @ x.transpose(-2, -1), dim=0)
    return weights @ x, weights
