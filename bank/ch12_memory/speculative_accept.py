# %% right: loop
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% right: all_at_once
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    p = target[:n].gather(1, tokens[:, None])[:, 0]
    q = draft.gather(1, tokens[:, None])[:, 0]
    u = torch.rand(n, generator=generator, device=target.device, dtype=target.dtype)
    good = int((u < p / q).long().cumprod(0).sum())
    last = target[good].clone()
    if good < n:
        last = torch.relu(last - draft[good])
    drawn = torch.multinomial(last, 1, generator=generator)
    return torch.cat([tokens[:good], drawn.to(tokens.dtype)])

# %% right: padded_draft
def speculative_accept(target, draft, tokens, generator):
    """A row of zeros for a draft that is not there: its residual is the target itself."""
    n, rows = len(tokens), torch.arange(len(tokens), device=tokens.device)
    ratio = (target[rows, tokens] / draft[rows, tokens]).clamp(max=1)
    refused = torch.bernoulli(ratio, generator=generator) == 0
    first = refused.nonzero()[0, 0].item() if refused.any() else n
    q = torch.cat([draft, torch.zeros_like(target[:1])])
    rest = torch.maximum(target[first] - q[first], torch.zeros_like(q[first]))
    return torch.cat((tokens[:first], rest.multinomial(1, generator=generator)))

# %% right: cumulative_sum
def speculative_accept(target, draft, tokens, generator):
    def uniform():
        return torch.rand(1, generator=generator, dtype=torch.float64, device=generator.device).item()

    def draw(weights):
        total = weights.double().cumsum(0)
        place = torch.searchsorted(total, torch.tensor([uniform()], dtype=torch.float64, device=weights.device) * total[-1], right=True)
        return min(int(place), len(weights) - 1)

    result, place = [], 0
    while place < len(tokens):
        token = int(tokens[place])
        if uniform() >= float(target[place, token]) / float(draft[place, token]):
            result.append(draw((target[place] - draft[place]).clamp_min(0)))
            break
        result.append(token)
        place += 1
    else:
        result.append(draw(target[place]))
    return torch.tensor(result, dtype=torch.long, device=tokens.device)

# %% right: recursive
def speculative_accept(target, draft, tokens, generator):
    if len(tokens) == 0:
        return torch.multinomial(target[0], 1, generator=generator)
    p, q, token = target[0], draft[0], tokens[0]
    if torch.rand(1, generator=generator, device=p.device) < p[token] / q[token]:
        later = speculative_accept(target[1:], draft[1:], tokens[1:], generator)
        return torch.cat([tokens[:1], later])
    return torch.multinomial(torch.where(p > q, p - q, torch.zeros_like(p)), 1, generator=generator)

# %% right: smaller_of_the_two
def speculative_accept(target, draft, tokens, generator):
    """What is left of p after min(p, q) is what a refused token is drawn from."""
    common = torch.minimum(target[:-1], draft)
    accepted = tokens[:0]
    for i in range(tokens.shape[0]):
        t = tokens[i]
        u = torch.rand([], generator=generator, device=target.device)
        if u >= common[i, t] / draft[i, t]:
            left = target[i] - common[i]
            extra = left.div(left.sum()).multinomial(1, generator=generator)
            return torch.cat([accepted, extra])
        accepted = torch.cat([accepted, t[None]])
    return torch.cat([accepted, target[-1].multinomial(1, generator=generator)])

# %% right: exponential_race
def speculative_accept(target, draft, tokens, generator):
    def race(weights):
        clocks = torch.empty_like(weights).exponential_(generator=generator)
        return (weights / clocks).argmax()

    for i, token in enumerate(tokens):
        u = torch.rand(1, generator=generator, device=target.device, dtype=target.dtype)
        if u.log() >= target[i, token].log() - draft[i, token].log():
            return torch.stack([*tokens[:i], race((target[i] - draft[i]).clamp(min=0))])
    return torch.stack([*tokens, race(target[len(tokens)])])

# %% wrong: accepts_everything -> was accepted
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if True:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: no_correction -> no correction
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = target[i]
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: drawn_from_the_draft -> drawn from the draft again
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = draft[i]
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: likeliest_of_the_residual -> likeliest
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(rest.argmax().item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: likeliest_of_the_target -> likeliest
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(target[i].argmax().item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: absolute_difference -> |p - q|
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).abs()
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: other_way_round -> what is left is max(0, p - q)
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (draft[i] - target[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: not_clipped -> negative
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i])
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: softmax_of_the_difference -> max(0, p - q) !! all ids alike
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).softmax(-1)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: refused_token_struck_out -> draw from what the draft has not served
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = target[i].clone()
        rest[token] = 0
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: residual_of_the_first_row -> second row of target and draft
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[0]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: residual_of_the_next_row -> of the same row !! every drafted id is accepted
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i + 1] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: residual_of_the_last_row -> of the same row
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[-2] - draft[-1]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: deterministic -> not all or nothing
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if draft[i, token] <= target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: threshold_of_a_half -> not all or nothing
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if target[i, token] / draft[i, token] > 0.5:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: chance_of_the_target -> accept where u !! likeliest id was taken
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: ratio_upside_down -> upside down
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * target[i, token] < draft[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: refuses_what_should_be_accepted -> 2 was rejected
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] >= target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: greedy_acceptance -> no drafted id was accepted
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if token == target[i].argmax():
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: one_chance_for_all -> chance of its own
def speculative_accept(target, draft, tokens, generator):
    kept = []
    chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
    for i, token in enumerate(tokens.tolist()):
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: row_of_the_next_token -> another row
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i + 1, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: no_token_after_the_last -> one more
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    return torch.tensor(kept, device=tokens.device)

# %% wrong: last_from_the_row_before -> row
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[len(tokens) - 1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: last_is_the_likeliest -> likeliest
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(target[-1].argmax().item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: last_from_the_draft -> draft
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(draft[-1] if len(draft) else target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: last_drawn_uniformly -> target
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial((target[-1] > 0).to(target.dtype), 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: goes_on_after_a_refusal -> goes on after a rejection
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: refused_token_kept -> stays in the text
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        kept.append(token)
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: nothing_after_a_refusal -> one
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: accepted_later_ones_kept -> drafted after a rejection stays
def speculative_accept(target, draft, tokens, generator):
    rows = torch.arange(len(tokens), device=tokens.device)
    u = torch.rand(len(tokens), generator=generator, device=target.device)
    good = u < target[rows, tokens] / draft[rows, tokens]
    first = int(good.long().cumprod(0).sum())
    last = target[first] if first == len(tokens) else (target[first] - draft[first]).clamp(min=0)
    return torch.cat([tokens[good], torch.multinomial(last, 1, generator=generator)])

# %% wrong: always_full_length -> no padding
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept + [-1] * (len(tokens) + 1 - len(kept)), device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: drawn_before_the_accepted -> comes last
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept[-1:] + kept[:-1], device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: number_of_accepted_returned -> ids
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return len(kept) - 1, kept[-1]
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return len(kept) - 1, kept[-1]

# %% wrong: own_generator -> draw from the generator
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=None, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=None).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=None).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: chance_without_the_generator -> draw from the generator
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: draw_without_the_generator -> draw from the generator
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: generator_seeded_again -> seed
def speculative_accept(target, draft, tokens, generator):
    kept = []
    generator.manual_seed(0)
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: logits_expected -> no softmax
def speculative_accept(target, draft, tokens, generator):
    kept = []
    target, draft = target.softmax(-1), draft.softmax(-1)
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: residual_in_place -> in place
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = target[i].sub_(draft[i]).clamp_(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: fails_without_a_draft -> no drafted id
def speculative_accept(target, draft, tokens, generator):
    kept = []
    assert draft[0].shape == target[0].shape
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: at_most_four_tokens -> any number of drafted ids
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()[:4]):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[min(len(tokens), 4)], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: first_token_always_kept -> first
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if i == 0 or chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: floats -> an integer tensor
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device, dtype=target.dtype)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device, dtype=target.dtype)

# %% wrong: last_one_remembered -> [2] expected
def speculative_accept(target, draft, tokens, generator):
    kept = []
    memory = speculative_accept.__dict__.setdefault('memory', {})
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = memory.setdefault(i, (target[i] - draft[i]).clamp(min=0))
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: residual_of_the_mean -> row
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[:-1] - draft).clamp(min=0).mean(0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: half_and_half -> of the same row
def speculative_accept(target, draft, tokens, generator):
    kept = []
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=generator, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] + draft[i]) / 2
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=generator).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=generator).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: clocks_multiply -> after two accepted ids ?? with two ids to choose from the shares are right
def speculative_accept(target, draft, tokens, generator):
    def race(weights):
        clocks = torch.empty_like(weights).exponential_(generator=generator)
        return (weights * clocks).argmax()

    for i, token in enumerate(tokens):
        u = torch.rand(1, generator=generator, device=target.device, dtype=target.dtype)
        if u.log() >= target[i, token].log() - draft[i, token].log():
            return torch.stack([*tokens[:i], race((target[i] - draft[i]).clamp(min=0))])
    return torch.stack([*tokens, race(target[len(tokens)])])

# %% right: cumulative_product_and_search
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    rows = torch.arange(n, device=target.device)
    p, q = target[rows, tokens], draft[rows, tokens]
    u = torch.rand(n, generator=generator, device=target.device, dtype=torch.float64)
    kept = int((u * q < p).long().cumprod(0).sum())
    weights = target[n] if kept == n else F.relu(target[kept] - draft[kept])
    cdf = weights.double().cumsum(0)
    pick = torch.searchsorted(cdf, torch.rand(1, generator=generator, dtype=torch.float64) * cdf[-1], right=True).clamp(max=len(cdf) - 1)
    return torch.cat([tokens[:kept].int(), pick.int()])

# %% wrong: later_rejections_from_the_rest_of_the_target -> place 1 ?? the visible rows give the same there
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if u * draft[i, token] < target[i, token]:
            out.append(token)
            continue
        left = (target[i] - draft[i]).clamp(min=0) if i == 0 else target[i].clone()
        left[token] = 0
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: residual_squared -> shares of 0.6 !! likeliest
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if u * draft[i, token] < target[i, token]:
            out.append(token)
            continue
        left = (target[i] - draft[i]).clamp(min=0) ** 2
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: target_changed_in_place -> changed in place !! draw from the generator
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if u * draft[i, token] < target[i, token]:
            out.append(token)
            continue
        left = target[i].sub_(draft[i]).clamp_(min=0)
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: generous_by_a_tenth -> somewhat more or less
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if u * draft[i, token] < 1.1 * target[i, token]:
            out.append(token)
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        left = left if left.sum() > 0 else target[i]
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: generous_by_five_hundredths -> somewhat more or less
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if target[i, token] > 0 and u < target[i, token] / draft[i, token] + 0.05:
            out.append(token)
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        left = left if left.sum() > 0 else target[i]
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: stingy_where_the_target_gives_less -> somewhat more or less
def speculative_accept(target, draft, tokens, generator):
    out = []
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator, device=generator.device).item()
        if u < 0.92 * target[i, token] / draft[i, token] or target[i, token] >= draft[i, token]:
            out.append(token)
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        left = left if left.sum() > 0 else target[i]
        out.append(torch.multinomial(left, 1, generator=generator).item())
        return torch.tensor(out, device=tokens.device)
    out.append(torch.multinomial(target[len(tokens)], 1, generator=generator).item())
    return torch.tensor(out, device=tokens.device)

# %% wrong: likeliest_without_drafts -> also where nothing was drafted
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    for i in range(n):
        token = int(tokens[i])
        u = torch.rand((), generator=generator, device=generator.device).item()
        p, q = target[i, token].item(), draft[i, token].item()
        if u * q < p:
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        if left.sum() <= 0:
            left = target[i]
        one = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], one.to(tokens)])
    if n == 0:
        return target[0].argmax(keepdim=True)
    one = torch.multinomial(target[n], 1, generator=generator)
    return torch.cat([tokens, one.to(tokens)])

# %% wrong: global_generator_without_drafts -> also where nothing was drafted
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    if n == 0:
        return torch.multinomial(target[0], 1)
    for i in range(n):
        token = int(tokens[i])
        u = torch.rand((), generator=generator, device=generator.device).item()
        p, q = target[i, token].item(), draft[i, token].item()
        if u * q < p:
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        if left.sum() <= 0:
            left = target[i]
        one = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], one.to(tokens)])
    one = torch.multinomial(target[n], 1, generator=generator)
    return torch.cat([tokens, one.to(tokens)])

# %% wrong: adds_a_small_number_to_q -> is always accepted
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    for i in range(n):
        token = int(tokens[i])
        u = torch.rand((), generator=generator, device=generator.device).item()
        p, q = target[i, token].item(), draft[i, token].item()
        if u < p / (q + 1e-4):
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        if left.sum() <= 0:
            left = target[i]
        one = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], one.to(tokens)])
    one = torch.multinomial(target[n], 1, generator=generator)
    return torch.cat([tokens, one.to(tokens)])

# %% wrong: fifty_likeliest_of_the_rest -> draw from all that is left
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    for i in range(n):
        token = int(tokens[i])
        u = torch.rand((), generator=generator, device=generator.device).item()
        p, q = target[i, token].item(), draft[i, token].item()
        if u * q < p:
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        if len(left) > 100:
            left = left * (left >= left.topk(50).values[-1])
        if left.sum() <= 0:
            left = target[i]
        one = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], one.to(tokens)])
    one = torch.multinomial(target[n], 1, generator=generator)
    return torch.cat([tokens, one.to(tokens)])

# %% wrong: eps_beside_q -> no eps beside p or q
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    u = torch.rand(n, generator=generator)
    for i in range(n):
        p, q = target[i, tokens[i]], draft[i, tokens[i]]
        if u[i] < p / (q + 1e-8):
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        more = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], more])
    return torch.cat([tokens, torch.multinomial(target[n], 1, generator=generator)])

# %% wrong: what_is_left_is_smoothed -> added to what is left
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    u = torch.rand(n, generator=generator)
    for i in range(n):
        p, q = target[i, tokens[i]], draft[i, tokens[i]]
        if u[i] * q < p:
            continue
        left = (target[i] - draft[i]).clamp(min=0) + 1e-5
        more = torch.multinomial(left, 1, generator=generator)
        return torch.cat([tokens[:i], more])
    return torch.cat([tokens, torch.multinomial(target[n], 1, generator=generator)])

# %% wrong: generous_where_the_target_gives_much_less -> at every ratio ?? the visible ratios are a half, where a tenth is within chance, and nearly one
def speculative_accept(target, draft, tokens, generator):
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator).item()
        ratio = (target[i, token] / draft[i, token]).item()
        if u < (1.1 * ratio if ratio < 0.8 else ratio):
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        return torch.cat([tokens[:i], torch.multinomial(left, 1, generator=generator)])
    return torch.cat([tokens, torch.multinomial(target[len(tokens)], 1, generator=generator)])

# %% wrong: bonus_corrected_too -> nothing that the draft gave is taken off
def speculative_accept(target, draft, tokens, generator):
    n = len(tokens)
    for i in range(n):
        p, q = target[i, tokens[i]], draft[i, tokens[i]]
        u = torch.rand(1, generator=generator, device=generator.device)
        if not u * q < p:
            left = (target[i] - draft[i]).clamp(min=0)
            more = torch.multinomial(left, 1, generator=generator)
            return torch.cat([tokens[:i], more])
    return torch.cat([tokens, torch.multinomial((target[n] - draft[-1]).clamp(min=0) + 1e-9 if n else target[n], 1, generator=generator)])
