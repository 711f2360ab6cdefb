# %% right: matrix_vector
def attention_scores(x, i):
    return x @ x[i]

# %% right: multiply_and_add
def attention_scores(x, i):
    query = x[i]
    return (x * query).sum(dim=-1)

# %% right: loop_of_dots
def attention_scores(x, i):
    scores = []
    for token in x:
        scores.append(torch.dot(x[i], token))
    return torch.stack(scores)

# %% right: einsum
def attention_scores(x, i):
    return torch.einsum("sd,d->s", x, x[i])

# %% right: row_of_the_full_table
def attention_scores(x, i):
    return torch.matmul(x, x.transpose(0, 1))[i]

# %% right: linear
def attention_scores(x, i):
    return F.linear(x, x[i:i + 1])[:, 0]

# %% right: filled_row_by_row
def attention_scores(x, i):
    scores = torch.zeros(len(x), dtype=x.dtype, device=x.device)
    for j in range(len(x)):
        scores[j] = (x[i] * x[j]).sum()
    return scores

# %% right: outer_index
def attention_scores(x, i):
    n, d = x.shape
    query = x[i].reshape(d, 1)
    return torch.mm(x, query).reshape(n)

# %% wrong: not_summed => the products were not added up: a dot product is one number for each token
def attention_scores(x, i):
    return x * x[i]

# %% wrong: all_scores => these are the scores of all tokens: only those of token i were asked for
def attention_scores(x, i):
    return x @ x.T

# %% wrong: column_for_row => one number for each feature came out: one for each token is wanted
def attention_scores(x, i):
    return x.T @ x[:, 0] if x.shape[0] == x.shape[1] else (x * x[i]).sum(dim=0)

# %% wrong: single_number => one single number came out: one for each token is wanted
def attention_scores(x, i):
    return (x @ x[i]).sum()

# %% wrong: cosine => these are cosines: leave the lengths of the vectors in
def attention_scores(x, i):
    return F.cosine_similarity(x, x[i].unsqueeze(0), dim=-1)

# %% wrong: scaled => the scores were divided by √d: that comes in chapter 2
def attention_scores(x, i):
    return x @ x[i] / x.shape[-1] ** 0.5

# %% wrong: mean_of_products => the products were averaged: a dot product is a sum
def attention_scores(x, i):
    return (x * x[i]).mean(dim=-1)

# %% wrong: weights_already => these are weights: scores come before softmax
def attention_scores(x, i):
    return torch.softmax(x @ x[i], dim=0)

# %% wrong: itself_left_out => token i must score itself, too
def attention_scores(x, i):
    scores = x @ x[i]
    mask = torch.arange(len(x), device=x.device) == i
    return scores.masked_fill(mask, float("-inf"))

# %% wrong: itself_dropped => a token is missing: token i scores itself, too
def attention_scores(x, i):
    others = torch.cat([x[:i], x[i + 1:]])
    return others @ x[i]

# %% wrong: only_earlier_tokens => the tokens after token i have no score: nothing is hidden in this chapter
def attention_scores(x, i):
    scores = torch.zeros_like(x[:, 0])
    for j in range(i + 1):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: only_later_tokens => the tokens before token i have no score: nothing is hidden in this chapter
def attention_scores(x, i):
    scores = torch.zeros_like(x[:, 0])
    for j in range(i, len(x)):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: always_journey => these are the scores of token 1, not of token 2: does the function use i?
def attention_scores(x, i):
    query = x[1]
    return x @ query

# %% wrong: always_first => these are the scores of token 0, not of token 2: does the function use i?
def attention_scores(x, i):
    return x @ x[0]

# %% wrong: positions_off_by_one => these are the scores of token 1, not of token 2: does the function use i?
def attention_scores(x, i):
    return x @ x[i - 1]

# %% wrong: distance => these are distances: a large score must mean a good fit
def attention_scores(x, i):
    return torch.sqrt(((x - x[i]) ** 2).sum(-1))

# %% wrong: squared_distance => these are squared distances: a large score must mean a good fit
def attention_scores(x, i):
    return ((x - x[i]) ** 2).sum(-1)

# %% wrong: absolute => the signs got lost: a score may be negative
def attention_scores(x, i):
    return (x @ x[i]).abs()

# %% wrong: added => the vectors were added, not multiplied
def attention_scores(x, i):
    return (x + x[i]).sum(-1)

# %% wrong: float32_table => the scores are float32, whatever the dtype of x is
def attention_scores(x, i):
    scores = torch.empty(x.shape[0])
    for j, token in enumerate(x):
        scores[j] = torch.dot(token, x[i])
    return scores

# %% wrong: cpu_table -> made on the CPU ?? on meta, copying into a table of the CPU gives another error
def attention_scores(x, i):
    scores = torch.empty(x.shape[0], dtype=x.dtype)
    for j, token in enumerate(x):
        scores[j] = torch.dot(token, x[i])
    return scores

# %% wrong: numbers_taken_out => no gradient can flow back to x: numbers were taken out of the tensors, or detached
def attention_scores(x, i):
    return torch.tensor([torch.dot(x[i], token).item() for token in x], dtype=x.dtype)

# %% wrong: list_of_numbers => a list came back: a tensor of scores is wanted
def attention_scores(x, i):
    return [float(torch.dot(x[i], token)) for token in x]

# %% wrong: global_sentence => six scores came out, as the running sentence has tokens: use the x that is passed
def attention_scores(x, i):
    inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
    return inputs @ inputs[i]

# %% wrong: hard_coded_output => the scores of one example came back, typed in: compute them from x and i
def attention_scores(x, i):
    return torch.tensor([4.0, -2.0, 4.0, 6.0, 2.0], dtype=x.dtype)

# %% wrong: hard_coded_shape => five tokens are fixed in the function: it must work for any length
def attention_scores(x, i):
    return torch.stack([x[i] @ x[j] for j in range(5)])

# %% wrong: two_features => two features alone were used: there may be any number of them
def attention_scores(x, i):
    return x[:, 0] * x[i, 0] + x[:, -1] * x[i, -1]

# %% wrong: in_place => x was changed in place: make new tensors
def attention_scores(x, i):
    query = x[i].clone()
    x *= query
    return x.sum(-1)

# %% wrong: nothing_returned => nothing came back: what is the function to return?
def attention_scores(x, i):
    scores = x @ x[i]

# %% wrong: detached => no gradient can flow back to x: numbers were taken out of the tensors, or detached
def attention_scores(x, i):
    return x.detach() @ x.detach()[i]

# %% wrong: query_detached => the gradient reaches the tokens that are scored, and not the one that asks: it was detached
def attention_scores(x, i):
    return x @ x[i].detach()

# %% wrong: sizes_hard_coded => six tokens are fixed in the function: it must work for any length
def attention_scores(x, i):
    scores = torch.empty(6)
    for j in range(6):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: axis_left_over => an axis of length 1 is left over: one number for each token is wanted
def attention_scores(x, i):
    return x @ x[i:i + 1].T

# %% wrong: numbers_rounded => the scores were rounded
def attention_scores(x, i):
    return (x @ x[i]).round(decimals=2)

# %% wrong: sorted => the scores were sorted: they stand in the order of the tokens
def attention_scores(x, i):
    return (x @ x[i]).sort(descending=True).values

# %% wrong: python_dot => numbers were taken out of the tensors, and a step needs tensors: keep the numbers inside
def attention_scores(x, i):
    return torch.stack([sum(a * b for a, b in zip(x[i].tolist(), row.tolist())) for row in x])

# %% right: polarisation
def attention_scores(x, i):
    q = x[i]
    return (((x + q) ** 2).sum(-1) - (x ** 2).sum(-1) - (q ** 2).sum()) / 2

# %% right: one_hot_picks_the_row
def attention_scores(x, i):
    pick = F.one_hot(torch.as_tensor(i, device=x.device), len(x)).to(x.dtype)
    return x @ (pick @ x)

# %% wrong: half_comes_out_as_float32 => bfloat16 went in, and float32 came out: keep the dtype of x
def attention_scores(x, i):
    if x.dtype in (torch.float16, torch.bfloat16):
        x = x.float()
    return x @ x[i]

# %% wrong: clamped => large scores were cut off
def attention_scores(x, i):
    return (x @ x[i]).clamp(-1e4, 1e4)

# %% wrong: kept_by_place_and_shape => the scores were kept from the call before, which had another x
def attention_scores(x, i):
    cache = attention_scores.__dict__
    key = (tuple(x.shape), i, x.dtype, x.requires_grad)
    if key not in cache:
        cache[key] = x @ x[i]
    return cache[key]

# %% wrong: query_detached_for_token_0 => when token 0 asks, the gradient does not reach it: it was detached there
def attention_scores(x, i):
    q = x[i].detach() if i == 0 else x[i]
    return x @ q

# %% wrong: tokens_beyond_512 -> long and wide sentences ?? the numbers of the visible check can be followed by hand
def attention_scores(x, i):
    s = x @ x[i]
    return torch.where(torch.arange(len(x), device=x.device) < 512, s, 0 * s)

# %% wrong: view_of_memory => x was read as it lies in memory: an x such as table.T lies there in another order
def attention_scores(x, i):
    d = x.shape[1]
    flat = x.view(-1)
    return x @ flat[i * d:(i + 1) * d]

# %% wrong: squeeze_loses_the_only_token => the axis of the only token was dropped (squeeze): one token has one score, of shape (1,)
def attention_scores(x, i):
    return (x @ x[i][:, None]).squeeze()

# %% wrong: one_hot_on_the_cpu => a table was made on the CPU: make it on the device of x
def attention_scores(x, i):
    pick = torch.zeros(1, len(x), dtype=x.dtype)
    pick[0, i] = 1
    return (pick @ x @ x.T)[0]

# %% right: one_hot_moved_there
def attention_scores(x, i):
    pick = torch.eye(len(x), dtype=x.dtype)[i].to(x.device)
    return x @ (pick @ x)

# %% wrong: asks_for_gradients_itself => requires_grad_() was called on x: leave x as it is; whether gradients are wanted is decided by the caller
def attention_scores(x, i):
    x.requires_grad_()
    return x @ x[i]

# %% wrong: float32_inside => too inexact: the scores were computed in float32, a lower precision !! detached
def attention_scores(x, i):
    return (x.float() @ x[i].float()).to(x.dtype)

# %% right: python_sum_over_features
def attention_scores(x, i):
    asked = x.select(0, i)
    total = x.new_zeros(x.shape[0])
    for column, number in zip(x.unbind(1), asked.unbind(0)):
        total = total + column * number
    return total
