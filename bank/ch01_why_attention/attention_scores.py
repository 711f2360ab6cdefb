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

# %% wrong: not_summed -> not added up
def attention_scores(x, i):
    return x * x[i]

# %% wrong: all_scores -> only those of token i
def attention_scores(x, i):
    return x @ x.T

# %% wrong: column_for_row -> feature
def attention_scores(x, i):
    return x.T @ x[:, 0] if x.shape[0] == x.shape[1] else (x * x[i]).sum(dim=0)

# %% wrong: single_number -> one single number
def attention_scores(x, i):
    return (x @ x[i]).sum()

# %% wrong: cosine -> cosines
def attention_scores(x, i):
    return F.cosine_similarity(x, x[i].unsqueeze(0), dim=-1)

# %% wrong: scaled -> divided by √d
def attention_scores(x, i):
    return x @ x[i] / x.shape[-1] ** 0.5

# %% wrong: mean_of_products -> divided by d
def attention_scores(x, i):
    return (x * x[i]).mean(dim=-1)

# %% wrong: weights_already -> these are weights
def attention_scores(x, i):
    return torch.softmax(x @ x[i], dim=0)

# %% wrong: itself_left_out -> itself, too
def attention_scores(x, i):
    scores = x @ x[i]
    mask = torch.arange(len(x), device=x.device) == i
    return scores.masked_fill(mask, float("-inf"))

# %% wrong: itself_dropped -> a token is missing
def attention_scores(x, i):
    others = torch.cat([x[:i], x[i + 1:]])
    return others @ x[i]

# %% wrong: only_earlier_tokens -> after token i
def attention_scores(x, i):
    scores = torch.zeros_like(x[:, 0])
    for j in range(i + 1):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: only_later_tokens -> before it
def attention_scores(x, i):
    scores = torch.zeros_like(x[:, 0])
    for j in range(i, len(x)):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: always_journey -> token 1, not of token 2
def attention_scores(x, i):
    query = x[1]
    return x @ query

# %% wrong: always_first -> token 0, not of token 2
def attention_scores(x, i):
    return x @ x[0]

# %% wrong: positions_off_by_one -> does the function use i
def attention_scores(x, i):
    return x @ x[i - 1]

# %% wrong: distance -> these are distances
def attention_scores(x, i):
    return torch.sqrt(((x - x[i]) ** 2).sum(-1))

# %% wrong: squared_distance -> squared distances
def attention_scores(x, i):
    return ((x - x[i]) ** 2).sum(-1)

# %% wrong: absolute -> signs got lost
def attention_scores(x, i):
    return (x @ x[i]).abs()

# %% wrong: added -> added, not multiplied
def attention_scores(x, i):
    return (x + x[i]).sum(-1)

# %% wrong: float32_table -> dtype
def attention_scores(x, i):
    scores = torch.empty(x.shape[0])
    for j, token in enumerate(x):
        scores[j] = torch.dot(token, x[i])
    return scores

# %% wrong: cpu_table -> device ?? a visible check has no second device
def attention_scores(x, i):
    scores = torch.empty(x.shape[0], dtype=x.dtype)
    for j, token in enumerate(x):
        scores[j] = torch.dot(token, x[i])
    return scores

# %% wrong: numbers_taken_out -> connection to x
def attention_scores(x, i):
    return torch.tensor([torch.dot(x[i], token).item() for token in x], dtype=x.dtype)

# %% wrong: list_of_numbers -> a tensor of scores
def attention_scores(x, i):
    return [float(torch.dot(x[i], token)) for token in x]

# %% wrong: global_sentence -> wrong
def attention_scores(x, i):
    inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
    return inputs @ inputs[i]

# %% wrong: hard_coded_output -> connection to x
def attention_scores(x, i):
    return torch.tensor([4.0, -2.0, 4.0, 6.0, 2.0], dtype=x.dtype)

# %% wrong: hard_coded_shape -> any length
def attention_scores(x, i):
    return torch.stack([x[i] @ x[j] for j in range(5)])

# %% wrong: two_features -> is the dot product
def attention_scores(x, i):
    return x[:, 0] * x[i, 0] + x[:, -1] * x[i, -1]

# %% wrong: in_place -> in place
def attention_scores(x, i):
    query = x[i].clone()
    x *= query
    return x.sum(-1)

# %% wrong: nothing_returned -> got NoneType
def attention_scores(x, i):
    scores = x @ x[i]

# %% wrong: detached -> connection to x
def attention_scores(x, i):
    return x.detach() @ x.detach()[i]

# %% wrong: query_detached -> was one of them detached
def attention_scores(x, i):
    return x @ x[i].detach()

# %% wrong: sizes_hard_coded -> is a number of tokens or features fixed
def attention_scores(x, i):
    scores = torch.empty(6)
    for j in range(6):
        scores[j] = x[i] @ x[j]
    return scores

# %% wrong: axis_left_over -> axis of length 1 is left over
def attention_scores(x, i):
    return x @ x[i:i + 1].T

# %% wrong: numbers_rounded -> rounded
def attention_scores(x, i):
    return (x @ x[i]).round(decimals=2)

# %% wrong: sorted -> order of the tokens
def attention_scores(x, i):
    return (x @ x[i]).sort(descending=True).values

# %% wrong: python_dot -> inside tensors
def attention_scores(x, i):
    return torch.stack([sum(a * b for a, b in zip(x[i].tolist(), row.tolist())) for row in x])
