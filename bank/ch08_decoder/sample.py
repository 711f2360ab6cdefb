# %% right: filter_scores
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% right: gumbel
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    noise = torch.empty_like(p).exponential_(generator=generator)
    return (p / noise).argmax(dim=-1)

# %% right: cumulative_draw
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    steps = p.double().cumsum(dim=-1)
    u = torch.rand(p.shape[:-1], generator=generator, dtype=torch.float64)[..., None] * steps[..., -1:]
    return (steps <= u).sum(dim=-1)

# %% right: probabilities_all_the_way
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    vocab = logits.shape[-1]
    rows = logits.reshape(-1, vocab)
    if temperature == 0:
        return rows.max(dim=-1).indices.view(logits.shape[:-1])
    p = torch.softmax(rows.double() / temperature, dim=-1)
    if top_k is not None:
        keep = torch.zeros_like(p, dtype=torch.bool)
        keep.scatter_(1, p.topk(min(top_k, vocab), dim=-1).indices, True)
        p = p * keep
        p = p / p.sum(dim=-1, keepdim=True)
    if top_p is not None:
        values, places = p.sort(dim=-1, descending=True)
        total = values.cumsum(dim=-1)
        remove = torch.zeros_like(total, dtype=torch.bool)
        remove[:, 1:] = total[:, :-1] >= top_p
        p = p.scatter(1, places, values.masked_fill(remove, 0.0))
    return torch.multinomial(p, 1, generator=generator)[:, 0].view(logits.shape[:-1])

# %% right: row_by_row
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return torch.argmax(logits, -1)
    scores = logits / temperature
    order = scores.argsort(dim=-1, descending=True)
    ranked = scores.gather(-1, order)
    if top_k is not None:
        ranked[..., top_k:] = -torch.inf
    p = ranked.softmax(-1)
    if top_p is not None:
        p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    rank = torch.multinomial(p.flatten(0, -2) if p.dim() > 1 else p[None], 1, generator=generator).reshape(*p.shape[:-1], 1)
    return order.gather(-1, rank)[..., 0]

# %% wrong: multiplied (1) => the logits were multiplied by the temperature; divide
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits * temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: temperature_ignored (1) => temperature had no effect
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: always_greedy (1) => the best token is always taken, nothing is drawn: only temperature 0 is greedy
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if True:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: twice_softmax (1) => softmax was applied twice, the second time to probabilities
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits.softmax(dim=-1) / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: in_place (1) -> changed in place
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits.div_(temperature)
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: generator_ignored (1) -> in one state
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1).reshape(p.shape[:-1])

# %% wrong: zero_divides (1) -> temperature 0
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    temperature = max(temperature, 1.0) if temperature == 0 else temperature
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: argmin (1) => temperature 0 took the worst token, not the best
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmin(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: two_dimensions_only (1) => logits of one row, (vocab,): a single id of shape () is expected
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).squeeze(-1).reshape(p.shape[:-1] or (1,))

# %% wrong: keeps_dimension (1) => one id is expected for each row: the axis of the vocabulary is gone, and none of length 1 stays
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(*p.shape[:-1], 1)

# %% wrong: fill_with_zero (2) => tokens that may not be drawn got the score 0, and 0 is a good score: it must be −∞
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.zeros_like(scores))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: one_too_many (2) => one token too many was kept: top_k of them may be drawn
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k + 1, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: one_too_few (2) => one token too few was kept: the last of the k best may be drawn, too
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores > limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: worst_k (2) => the worst tokens were kept, not the best
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1, largest=False).values[..., -1, None]
        scores = torch.where(scores <= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: one_limit_for_all (2) => each row has its own k best, and its own limit
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None].max()
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: top_k_ignored (2) => top_k kept all tokens
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if False:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: equal_among_kept (2) => among the tokens kept, each is drawn equally often: they keep their own probabilities
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, torch.zeros_like(scores), torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: ranks_for_ids (3) => the tokens drawn are ranks, not ids: what was sorted must go back to its place
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = ordered
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: crossing_dropped (3) => the token that crosses top_p was dropped: it is still in
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) > top_p
        drop[..., 0] = False
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: nothing_left (3) => no token is left to be drawn: the token that crosses top_p stays
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) > top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: top_p_ignored (3) => top_p kept all tokens
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if False:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: ascending (3) => the worst tokens were kept: the nucleus begins with the best
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: p_before_temperature (3) => top-p saw the probabilities before temperature: temperature comes first
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = (ordered * temperature).softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: p_before_k (3) => top-p saw the probabilities before top-k: top-k comes first
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    untouched = scores
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = untouched.sort(dim=-1, descending=True).values.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: not_sorted (3) => the tokens were taken in the order of their ids: the nucleus takes the best first, so sort
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = scores, torch.arange(scores.size(-1)).expand_as(scores)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: as_threshold (3) => top_p was taken as a threshold for single probabilities: it is one for their sum, from the best on
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p < (1 - top_p)
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: same_generator_always (1) -> two states
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    generator = torch.Generator().manual_seed(0)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: k_bounded_by_rows (2) -> top_k = 50
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(0))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: k_beyond_the_vocabulary (2) => k may be larger than the vocabulary: then it keeps all tokens
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = top_k
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: nucleus_not_reached (3) -> tokens that are drawn
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) > top_p + p[..., :1]
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: top_p_of_raw_logits (3) => top-p saw the probabilities before temperature: temperature comes first
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = logits.sort(dim=-1, descending=True).values.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% right: hf_style
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Temperature, top-k and top-p, as in the usual text-generation libraries."""
    if temperature == 0:
        return torch.argmax(logits, dim=-1)
    shape = logits.shape[:-1]
    logits = logits.reshape(-1, logits.shape[-1]) / temperature
    if top_k is not None:
        top_k = min(top_k, logits.shape[-1])
        logits[logits < torch.topk(logits, top_k)[0][:, -1:]] = -float("inf")
    if top_p is not None and top_p < 1.0:
        sorted_logits, sorted_indices = torch.sort(logits, descending=True)
        cumulative_probs = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
        sorted_indices_to_remove = cumulative_probs >= top_p
        sorted_indices_to_remove[..., 1:] = sorted_indices_to_remove[..., :-1].clone()
        sorted_indices_to_remove[..., 0] = False
        indices_to_remove = sorted_indices_to_remove.scatter(1, sorted_indices, sorted_indices_to_remove)
        logits = logits.masked_fill(indices_to_remove, float("-inf"))
    probs = F.softmax(logits, dim=-1)
    return torch.multinomial(probs, num_samples=1, generator=generator).view(shape)

# %% right: inverse_cdf_searchsorted
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if not temperature:
        return logits.max(-1)[1]
    lead, vocab = logits.shape[:-1], logits.shape[-1]
    ranked, ids = (logits.reshape(-1, vocab).double() / temperature).sort(dim=1, descending=True)
    allowed = torch.ones_like(ranked, dtype=torch.bool)
    if top_k:
        allowed &= torch.arange(vocab, device=logits.device) < top_k
    p = torch.where(allowed, ranked, -torch.inf).softmax(1)
    if top_p:
        before = F.pad(p.cumsum(1), (1, 0))[:, :-1]
        p = p * (before < top_p)
    edges = p.cumsum(1)
    draw = torch.rand(len(p), 1, dtype=torch.float64, generator=generator) * edges[:, -1:]
    rank = torch.searchsorted(edges, draw, right=True)
    return ids.gather(1, rank).reshape(lead)

# %% wrong: two_tokens_at_least (3) => two tokens at least were kept: where the best alone reaches top_p, it is the only one
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Draw a token id for each row of logits.

    logits: (..., vocab)   temperature: 0 is greedy
    top_k: int of 1 or more, beyond vocab it keeps all   top_p: above 0, up to 1
    Returns ids (...).
    """
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / temperature
    if top_k is not None:
        # (..., 1)
        worst = logits.topk(min(top_k, logits.size(-1)), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < worst, -torch.inf)
    probabilities = logits.softmax(dim=-1)                                # (..., vocab)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered     # what better tokens have together
        ordered = ordered.masked_fill((before >= top_p) & (torch.arange(logits.size(-1)) > 1), 0)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, logits.size(-1))
    return torch.multinomial(rows, 1, generator=generator).reshape(logits.shape[:-1])

# %% wrong: one_draw_for_all_rows (1) => all rows got the same id: each row needs a draw of its own
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / temperature
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        logits = logits.masked_fill(logits < logits.topk(k).values[..., -1:], -torch.inf)
    probs = logits.softmax(dim=-1)
    if top_p is not None:
        ordered, ids = probs.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        probs = torch.zeros_like(probs).scatter(-1, ids, ordered.masked_fill(before >= top_p, 0.0))
    sums = probs.cumsum(dim=-1)
    draw = torch.rand(1, generator=generator)
    return (sums <= draw * sums[..., -1:]).sum(dim=-1)

# %% wrong: nucleus_may_pass_its_sum (3) => two tokens reach 0.5 exactly, and a third was kept: the next one stays out !! every token
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p > top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: kept_while_the_sum_is_top_p (3) => two tokens reach 0.5 exactly, and a third was kept: the next one stays out
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if not temperature:
        return logits.max(-1)[1]
    lead, vocab = logits.shape[:-1], logits.shape[-1]
    ranked, ids = (logits.reshape(-1, vocab).double() / temperature).sort(dim=1, descending=True)
    allowed = torch.ones_like(ranked, dtype=torch.bool)
    if top_k:
        allowed &= torch.arange(vocab, device=logits.device) < top_k
    p = torch.where(allowed, ranked, -torch.inf).softmax(1)
    if top_p:
        before = F.pad(p.cumsum(1), (1, 0))[:, :-1]
        p = p * (before <= top_p)
    edges = p.cumsum(1)
    draw = torch.rand(len(p), 1, dtype=torch.float64, generator=generator) * edges[:, -1:]
    rank = torch.searchsorted(edges, draw, right=True)
    return ids.gather(1, rank).reshape(lead)

# %% right: drawn_in_sorted_order
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    order = logits.argsort(-1, descending=True)
    if temperature == 0:
        return order[..., 0]
    z = logits.gather(-1, order).double().div(temperature)[..., :top_k]
    p = z.softmax(-1)
    if top_p:
        p = torch.where(F.pad(p.cumsum(-1), (1, -1)) < top_p, p, 0.0)
    rank = p.flatten(0, -2).multinomial(1, generator=generator) if p.dim() > 1 else p[None].multinomial(1, generator=generator)
    return order.gather(-1, rank.reshape(*p.shape[:-1], 1))[..., 0]

# %% wrong: greedy_by_a_thousandth (1) => the best of close scores is taken at temperature 0, too; a very small temperature still draws others
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    temperature = max(temperature, 1e-3)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: view_of_the_rows (1) => it did not run on logits whose numbers are not contiguous in memory
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits.view(-1, logits.size(-1)).view(logits.shape) / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.view(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: softmax_overflows (1, 2) -> it did not run
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.exp() / logits.exp().sum(-1, keepdim=True)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: minus_ten_thousand (2) => what stands in the place of a score that may not be drawn must be lower than any score, so −∞
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -1e4).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: generator_for_many_rows_alone (1) -> single row
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    if probs.dim() == 1:
        generator = None
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: minus_infinity_made_finite (1) => a token with the score −∞ was drawn: it has no probability at all
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits.nan_to_num(neginf=-20.0) / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: one_nucleus_for_all_rows (3) => each row has its own nucleus
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before.flatten(0, -2).amin(0) < top_p if before.dim() > 1 else before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: greedy_ids_as_floats (1) => token ids are whole numbers, at temperature 0 too
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.softmax(-1).argmax(-1).float()
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: axes_of_one_squeezed (1) => an axis of length 1 was dropped: one id is expected for each row
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1]).squeeze()

# %% wrong: small_p_keeps_nothing (3) => no token is left to be drawn: the best one always stays
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    vocab = logits.size(-1)
    if top_k is not None and top_k < vocab:
        best = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_, places = probs.sort(-1, descending=True)
        before = sorted_.cumsum(-1) - sorted_
        probs = torch.zeros_like(probs).scatter(-1, places, sorted_ * (sorted_.cumsum(-1) < top_p) if top_p < 0.05 else sorted_ * (before < top_p))
    ids = torch.multinomial(probs.reshape(-1, vocab), 1, generator=generator)
    return ids.view(logits.shape[:-1])

# %% wrong: cold_is_greedy (1) => only temperature 0 is greedy, a small one counts as it is
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature < 0.05:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        best = torch.topk(scores, min(top_k, scores.size(-1)), dim=-1)
        scores = torch.full_like(scores, float("-inf")).scatter(-1, best.indices, best.values)
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered.masked_fill(drop, float("-inf")))
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: top_p_near_one_is_off (3) => the best token alone reaches 0.985, and others were drawn: top_p counts up to 1
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        best = torch.topk(scores, min(top_k, scores.size(-1)), dim=-1)
        scores = torch.full_like(scores, float("-inf")).scatter(-1, best.indices, best.values)
    if top_p is not None and top_p < 0.98:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered.masked_fill(drop, float("-inf")))
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% right: exactly_k_where_scores_are_equal
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        best = torch.topk(scores, min(top_k, scores.size(-1)), dim=-1)
        scores = torch.full_like(scores, float("-inf")).scatter(-1, best.indices, best.values)
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered.masked_fill(drop, float("-inf")))
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: powers_of_the_probabilities (1) -> temperature 0.0001
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = (logits.softmax(-1) ** (1 / temperature)).log()
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        best = logits.topk(k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        p, order = probs.sort(dim=-1, descending=True)
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0.0)
        probs = torch.zeros_like(probs).scatter(-1, order, p)
    flat = probs.reshape(-1, probs.size(-1))
    return torch.multinomial(flat, 1, generator=generator).reshape(probs.shape[:-1])

# %% wrong: in_place_at_temperature_1 (2) -> in place !! one token too few
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits if temperature == 1 else logits / temperature
    if top_k is not None:
        best = logits.topk(min(top_k, logits.size(-1)), dim=-1).values
        logits.masked_fill_(logits < best[..., -1:], -torch.inf)
    probs = logits.softmax(-1)
    if top_p is not None:
        p, order = probs.sort(dim=-1, descending=True)
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0.0)
        probs = torch.zeros_like(probs).scatter(-1, order, p)
    flat = probs.reshape(-1, probs.size(-1))
    return torch.multinomial(flat, 1, generator=generator).reshape(probs.shape[:-1])

# %% wrong: sums_below_a_number_up_to_one (3) => an id beyond the last token came: where less than 1 is left together, a number up to 1 lies beyond the last !! IndexError
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits / temperature
    if top_k is not None:
        best = logits.topk(min(top_k, logits.size(-1)), dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    probs = logits.softmax(-1)
    if top_p is not None:
        p, order = probs.sort(dim=-1, descending=True)
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0.0)
        probs = torch.zeros_like(probs).scatter(-1, order, p)
    number = torch.rand(probs.shape[:-1], generator=generator, device=probs.device)
    return (probs.cumsum(-1) < number[..., None]).sum(-1)

# %% wrong: maximum_of_the_batch (1) => a maximum was subtracted from all rows: each row has its own, the batch has not
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = (scores - scores.max()).exp()
    probabilities = probabilities / probabilities.sum(dim=-1, keepdim=True)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])

# %% wrong: maximum_of_the_batch_and_clamped (1) => a maximum was subtracted from all rows, and what is far below it was bounded: each row counts by itself
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = ((logits - logits.max()) / temperature).clamp(min=-80)
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])

# %% wrong: fresh_generator_at_each_call (1) -> without a generator
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    generator = generator or torch.Generator(device=logits.device)
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])

# %% wrong: seeded_by_initial_seed (1) -> which moves on
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if generator is not None:
        torch.manual_seed(generator.initial_seed())
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.distributions.Categorical(probs=rows).sample()
    return ids.reshape(logits.shape[:-1])

# %% wrong: minus_a_billion (2) => what stands in the place of a score that may not be drawn must be lower than any score, so −∞
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, -1e9)
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])

# %% wrong: small_temperature_is_greedy (1) => only temperature 0 is greedy, a small one counts as it is
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature < 1e-3:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])

# %% wrong: almost_greedy_with_top_k (1) -> top_k = 2: the best of close scores
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0 and top_k is None and top_p is None:
        return logits.argmax(dim=-1)
    scores = logits / (temperature or 1e-6)
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        edge = scores.topk(k, dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    probabilities = scores.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        ordered[..., 0] = ordered[..., 0].clamp(min=1e-12)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
    rows = probabilities.reshape(-1, probabilities.size(-1))
    ids = torch.multinomial(rows, 1, generator=generator)
    return ids.reshape(logits.shape[:-1])


# %% wrong: one_token_alone_gives_its_score (1) -> logits of shape (3, 1) ?? the vocabularies of the visible check have more than one token
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if logits.size(-1) == 1:
        return logits.squeeze(-1).long()
    if temperature == 0:
        return logits.argmax(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        limit = torch.topk(scores, k, dim=-1).values[..., -1, None]
        scores = torch.where(scores >= limit, scores, torch.full_like(scores, float("-inf")))
    if top_p is not None:
        ordered, places = torch.sort(scores, dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        drop = p.cumsum(dim=-1) - p >= top_p
        ordered = ordered.masked_fill(drop, float("-inf"))
        scores = torch.full_like(scores, float("-inf")).scatter(-1, places, ordered)
    p = scores.softmax(dim=-1)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])

# %% wrong: ranks_of_the_best (2) => the tokens drawn are places among the top_k best: their ids are in topk's indices
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / temperature
    if top_k is not None:
        logits = logits.topk(min(top_k, logits.size(-1)), dim=-1).values
    p = logits.softmax(dim=-1)
    if top_p is not None:
        ordered, places = p.sort(dim=-1, descending=True)
        ordered = ordered.masked_fill(ordered.cumsum(dim=-1) - ordered >= top_p, 0)
        p = torch.zeros_like(p).scatter(-1, places, ordered)
    return torch.multinomial(p.reshape(-1, p.size(-1)), 1, generator=generator).reshape(p.shape[:-1])
