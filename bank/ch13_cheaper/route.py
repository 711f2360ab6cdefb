# %% right: topk
def route(x, W_router, k):
    probabilities = torch.softmax(x @ W_router, dim=-1)
    weights, experts = torch.topk(probabilities, k, dim=-1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% right: softmax_of_the_chosen
def route(x, W_router, k):
    scores, experts = (x @ W_router).topk(k)
    return scores.softmax(-1), experts

# %% right: sorted
def route(x, W_router, k):
    scores = torch.matmul(x, W_router)
    probabilities, order = scores.softmax(-1).sort(dim=-1, descending=True)
    kept = probabilities[..., :k]
    return kept / kept.sum(dim=-1)[..., None], order[..., :k]

# %% right: argsort_and_gather
def route(x, W_router, k):
    p = F.softmax(torch.einsum("...d,de->...e", x, W_router), -1)
    experts = (-p).argsort(-1)[..., :k]
    weights = p.gather(-1, experts)
    weights = weights / weights.sum(-1, True)
    return weights, experts

# %% right: logsumexp
def route(x, W_router, k):
    scores = F.linear(x, W_router.T)
    best, experts = scores.topk(k, -1)
    return (best - best.logsumexp(-1, keepdim=True)).exp(), experts

# %% right: one_after_the_other
def route(x, W_router, k):
    """The best, then the best of the others."""
    scores = x @ W_router
    p = (scores - scores.amax(-1, keepdim=True)).exp()
    left, experts = p, []
    for _ in range(k):
        experts.append(left.argmax(-1, keepdim=True))
        left = left.scatter(-1, experts[-1], -1.0)
    experts = torch.cat(experts, -1)
    chosen = torch.gather(p, -1, experts)
    return chosen / chosen.sum(-1, keepdim=True), experts

# %% right: masked_by_the_kth
def route(x, W_router, k):
    scores = x @ W_router
    experts = scores.sort(-1, descending=True).indices[..., :k]
    hidden = torch.full_like(scores, float("-inf")).scatter(-1, experts, 0.0)
    return (scores + hidden).softmax(-1).gather(-1, experts), experts

# %% wrong: not_renormalised => the weights of the chosen experts do not sum to one: divide by their sum
def route(x, W_router, k):
    return (x @ W_router).softmax(-1).topk(k, -1)

# %% wrong: softmax_over_tokens => the softmax runs over the tokens: each token has its own probabilities, over experts
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(0).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: softmax_second_last => the softmax runs over the tokens: each token has its own probabilities, over experts
def route(x, W_router, k):
    scores = x @ W_router
    weights, experts = scores.softmax(-2 if scores.dim() > 1 else -1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: smallest => the experts with the smallest probabilities were chosen
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1, largest=False)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: ascending => the chosen experts come in the wrong order: the largest first
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    experts = p.argsort(-1)[..., -k:]
    weights = p.gather(-1, experts)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: by_number => the chosen experts come in the wrong order: the largest first
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    experts = p.topk(k, -1).indices.sort(-1).values
    weights = p.gather(-1, experts)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: weights_sorted_alone => weights and experts are not in the same order
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    weights, experts = p.topk(k, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    return weights, experts.sort(-1).values

# %% wrong: softmax_twice => a second softmax was taken of the probabilities; dividing by their sum is enough
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights.softmax(-1), experts

# %% wrong: sigmoid => a sigmoid stands where a softmax over the experts belongs
def route(x, W_router, k):
    weights, experts = (x @ W_router).sigmoid().topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: raw_scores => the scores themselves were used as weights, without a softmax
def route(x, W_router, k):
    weights, experts = (x @ W_router).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: raw_scores_not_divided => the scores themselves were used as weights, without a softmax
def route(x, W_router, k):
    return (x @ W_router).topk(k, -1)

# %% wrong: two_always => k was ignored: two experts are chosen always
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(2, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: one_always => k was ignored: only the best expert is chosen
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).max(-1, keepdim=True)
    return torch.ones_like(weights), experts

# %% wrong: one_more => one expert more than k was chosen
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    weights, experts = p.topk(min(k + 1, p.shape[-1]), -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: squeezed_for_one => with k = 1 the last axis is missing
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights.squeeze(-1), experts.squeeze(-1)) if k == 1 else (weights, experts)

# %% wrong: swapped => weights and experts are exchanged: the weights come first
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return experts, weights / weights.sum(-1, keepdim=True)

# %% wrong: all_experts => the weights of all experts are returned, zeros among them, and not those of the k chosen
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    weights, experts = p.topk(k, -1)
    weights = torch.zeros_like(p).scatter(-1, experts, weights / weights.sum(-1, keepdim=True))
    return weights, experts

# %% wrong: divided_by_the_largest => the weights were divided by the largest of them and not by their sum
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / weights[..., :1], experts

# %% wrong: divided_by_all_tokens => the weights were divided by the sum over all tokens: each token's own sum to one
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / weights.sum(), experts

# %% wrong: divided_by_sum_of_columns => the weights were divided by a sum over tokens: each token's own sum to one
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / weights.sum(0, keepdim=True), experts

# %% wrong: scaled => the scores were divided by √d: nothing is scaled here
def route(x, W_router, k):
    weights, experts = (x @ W_router / x.shape[-1] ** 0.5).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: equal_shares => all chosen experts got the same weight
def route(x, W_router, k):
    experts = (x @ W_router).topk(k, -1).indices
    return torch.full_like(experts, 1, dtype=x.dtype) / k, experts

# %% wrong: largest_absolute => chosen was by the size of a score without its sign
def route(x, W_router, k):
    scores = x @ W_router
    experts = scores.abs().topk(k, -1).indices
    return scores.gather(-1, experts).softmax(-1), experts

# %% wrong: exp_without_maximum => large scores overflow: take PyTorch's softmax, or subtract the largest score first
def route(x, W_router, k):
    p = (x @ W_router).exp()
    weights, experts = (p / p.sum(-1, keepdim=True)).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: exp_of_the_chosen => large scores overflow: take PyTorch's softmax, or subtract the largest score first
def route(x, W_router, k):
    scores, experts = (x @ W_router).topk(k, -1)
    weights = scores.exp()
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: float32 => the weights are not in the dtype of x
def route(x, W_router, k):
    weights, experts = (x.float() @ W_router.float()).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: half_the_digits => a part was computed in a lower precision
def route(x, W_router, k):
    weights, experts = (x.float() @ W_router.float()).softmax(-1).topk(k, -1)
    return (weights / weights.sum(-1, keepdim=True)).to(x.dtype), experts

# %% wrong: experts_as_floats => the experts are numbers of networks: a whole number, int64
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts.to(x.dtype)

# %% wrong: no_gradient => no gradient reaches x and the router: nothing may be detached
def route(x, W_router, k):
    with torch.no_grad():
        weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
        return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: detached_router => no gradient reaches W_router: nothing may be detached
def route(x, W_router, k):
    weights, experts = (x @ W_router.detach()).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: detached_sum => the gradient goes past the sum that the weights are divided by
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True).detach(), experts

# %% wrong: sentence_alike => all tokens of a text got the same experts: each token chooses for itself
def route(x, W_router, k):
    p = (x @ W_router).softmax(-1)
    if p.dim() > 1:
        p = p.mean(-2, keepdim=True).expand_as(p)
    weights, experts = p.topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: two_axes_only => x with other axes in front is refused or flattened: count the axes from the end
def route(x, W_router, k):
    tokens, d = x.shape
    weights, experts = (x @ W_router).softmax(1).topk(k, 1)
    return weights / weights.sum(1, keepdim=True), experts

# %% wrong: flattened => the axes in front of x are lost in the result
def route(x, W_router, k):
    weights, experts = (x.reshape(-1, x.shape[-1]) @ W_router).softmax(-1).topk(k, -1)
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: small_number_added => a small number was added to the sum: a softmax never sums to zero
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    return weights / (weights.sum(-1, keepdim=True) + 1e-6), experts

# %% wrong: centred_in_place => x was changed
def route(x, W_router, k):
    scores = x @ W_router
    weights, experts = scores.softmax(-1).topk(k, -1)
    with torch.no_grad():
        x.sub_(x.mean())
    return weights / weights.sum(-1, keepdim=True), experts

# %% wrong: made_on_the_cpu => a tensor was made on the CPU, whatever the device of x
def route(x, W_router, k):
    weights, experts = (x @ W_router).softmax(-1).topk(k, -1)
    factor = torch.ones(k, dtype=x.dtype)
    return factor * weights / weights.sum(-1, keepdim=True), experts
