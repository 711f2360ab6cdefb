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

# %% wrong: accepts_everything (1, 2) => an id that the target gives 0 was accepted: accept each with probability p / q
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

# %% wrong: no_correction (2) => after a rejection the id is drawn from the whole target, no correction: draw from what the draft has not served
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

# %% wrong: drawn_from_the_draft (2) => after a rejection the id is drawn from the draft again: draw from max(0, p - q)
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

# %% wrong: likeliest_of_the_residual (2) => the same id came in each call: draw it anew each time, do not take the likeliest, and do not seed the generator inside
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

# %% wrong: likeliest_of_the_target (2) => the same id came in each call: draw it anew each time, do not take the likeliest, and do not seed the generator inside
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

# %% wrong: absolute_difference (2) => after a rejection the id is drawn from |p - q|: where the draft gave too much, nothing is missing
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

# %% wrong: other_way_round (2) => after a rejection what the draft has too much of was drawn: what is left is max(0, p - q)
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

# %% wrong: not_clipped (1, 2) => what is left of the target is negative in places, and cannot be drawn from: max(0, p - q)
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

# %% wrong: softmax_of_the_difference (2) => after a rejection the id is drawn from a softmax: what is left is max(0, p - q), and drawn from as it is
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

# %% wrong: refused_token_struck_out (2) => after a rejection the id is drawn from the whole target, no correction: draw from what the draft has not served
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

# %% wrong: residual_of_the_first_row (2) => what is left is that of the row of the rejected id, in target and draft, not of another row, nor of all
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

# %% wrong: residual_of_the_next_row (2) => what is left is that of the row of the rejected id, in target and draft, not of another row, nor of all
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

# %% wrong: residual_of_the_last_row (2) => what is left is that of the row of the rejected id, in target and draft, not of another row, nor of all
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

# %% wrong: deterministic (1) => p = 0.2 and q = 0.4 was rejected each time: accept with probability p / q, and not all or nothing
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

# %% wrong: threshold_of_a_half (1) => p = 0.2 and q = 0.4 was rejected each time: accept with probability p / q, and not all or nothing
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

# %% wrong: chance_of_the_target (1) => the share accepted is p: it must be p / q, since the draft already chose this id with probability q
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

# %% wrong: ratio_upside_down (1, 2) => the target is sure of an id, the draft is not, and it was rejected: is the ratio or the comparison upside down, or is p taken from another row?
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

# %% wrong: refuses_what_should_be_accepted (1, 2, 3) => the target is sure of an id, the draft is not, and it was rejected: is the ratio or the comparison upside down, or is p taken from another row?
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

# %% wrong: greedy_acceptance (1) => p = 0.2 and q = 0.4 was rejected each time: accept with probability p / q, and not all or nothing
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

# %% wrong: one_chance_for_all (1) => all ids stand or fall with one number: each needs a chance of its own
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

# %% wrong: row_of_the_next_token (1, 2, 3) => the target is sure of an id, the draft is not, and it was rejected: is the ratio or the comparison upside down, or is p taken from another row?
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

# %% wrong: no_token_after_the_last (1, 3) => one more id belongs behind the accepted ones, from the last row of the target
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

# %% wrong: last_from_the_row_before (3) => the one more was drawn from the draft, or from another row: it comes from the last row of the target
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

# %% wrong: last_is_the_likeliest (3) => the same id came in each call: draw it anew each time, do not take the likeliest, and do not seed the generator inside
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

# %% wrong: last_from_the_draft (3) => the one more was drawn from the draft, or from another row: it comes from the last row of the target
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

# %% wrong: last_drawn_uniformly (3) => the one more was drawn from all ids alike: the last row of the target says how likely each is
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

# %% wrong: goes_on_after_a_refusal (1) => it goes on after a rejection: what was drafted behind a rejected id is void
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

# %% wrong: refused_token_kept (1, 2) => the rejected id stays in the text: the one that is drawn comes in its place
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

# %% wrong: nothing_after_a_refusal (1, 2) => after a rejection one more id must be drawn, so that no call is in vain
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

# %% wrong: accepted_later_ones_kept (1, 2) => nothing that was drafted after a rejection stays, accepted or not
def speculative_accept(target, draft, tokens, generator):
    rows = torch.arange(len(tokens), device=tokens.device)
    u = torch.rand(len(tokens), generator=generator, device=target.device)
    good = u < target[rows, tokens] / draft[rows, tokens]
    first = int(good.long().cumprod(0).sum())
    last = target[first] if first == len(tokens) else (target[first] - draft[first]).clamp(min=0)
    return torch.cat([tokens[good], torch.multinomial(last, 1, generator=generator)])

# %% wrong: always_full_length (1) => no padding: as many ids come back as were accepted, and one more
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

# %% wrong: drawn_before_the_accepted (1, 2) => the one more comes last, after the accepted ones
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

# %% wrong: number_of_accepted_returned (1, 2, 3) => the ids are asked for, a tensor of the accepted ones and one more
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

# %% wrong: own_generator (1) => other ids came from the same generator: draw from the generator that is handed in alone, also where nothing was drafted
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

# %% wrong: chance_without_the_generator (1) => other ids came from the same generator: draw from the generator that is handed in alone, also where nothing was drafted
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

# %% wrong: draw_without_the_generator (1) => other ids came from the same generator: draw from the generator that is handed in alone, also where nothing was drafted
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

# %% wrong: generator_seeded_again (1, 2, 3) => the same id came in each call: draw it anew each time, do not take the likeliest, and do not seed the generator inside
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

# %% wrong: logits_expected (1, 2, 3) => rows that are probabilities already were changed, by a softmax perhaps: they are taken as they are
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

# %% wrong: residual_in_place (1) -> changed in place
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

# %% wrong: fails_without_a_draft (1, 3) => no drafted id, and it did not run: one id from the only row of the target is expected
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

# %% wrong: at_most_four_tokens (1) => only four drafted ids were looked at: any number may come
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

# %% wrong: first_token_always_kept (1, 2) => the first drafted id was accepted, though the target gives it 0
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

# %% wrong: floats (1) => fractions came back: ids are whole numbers, an integer tensor
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

# %% wrong: last_one_remembered (2) -> of the shares of the ids should be
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

# %% wrong: residual_of_the_mean (2) => what is left is that of the row of the rejected id, in target and draft, not of another row, nor of all
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

# %% wrong: half_and_half (2) => after a rejection the id is drawn from the mean of target and draft: what is left is max(0, p - q)
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

# %% wrong: clocks_multiply (2, 3) => likely ids came too often, rare ones too seldom: each is drawn in proportion to its probability, or to what is left of it
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

# %% wrong: later_rejections_from_the_rest_of_the_target (2) => after a rejection the id is drawn from the whole target, no correction: draw from what the draft has not served
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

# %% wrong: residual_squared (2) => likely ids came too often, rare ones too seldom: each is drawn in proportion to its probability, or to what is left of it
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

# %% wrong: target_changed_in_place (1) -> changed in place
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

# %% wrong: generous_by_a_tenth (1) => no id was ever rejected: accept with probability p / q, and not with somewhat more
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

# %% wrong: generous_by_five_hundredths (1) => no id was ever rejected: accept with probability p / q, and not with somewhat more
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

# %% wrong: stingy_where_the_target_gives_less (1) => too many were rejected: accept with probability p / q, and not with somewhat less
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

# %% wrong: likeliest_without_drafts (3) => the same id came in each call: draw it anew each time, do not take the likeliest, and do not seed the generator inside
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

# %% wrong: global_generator_without_drafts (1) => other ids came from the same generator: draw from the generator that is handed in alone, also where nothing was drafted
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

# %% wrong: adds_a_small_number_to_q (1) => what the target gives at least as much as the draft is always accepted: no eps beside p or q
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

# %% wrong: fifty_likeliest_of_the_rest (2) => likely ids came too often, rare ones too seldom: each is drawn in proportion to its probability, or to what is left of it
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

# %% wrong: eps_beside_q (1) => what the target gives at least as much as the draft is always accepted: no eps beside p or q
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

# %% wrong: what_is_left_is_smoothed (2) => ids of which nothing is left came after a rejection: nothing is added to what is left
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

# %% wrong: generous_where_the_target_gives_much_less (1) => too many were accepted: accept with probability p / q, at every ratio
def speculative_accept(target, draft, tokens, generator):
    for i, token in enumerate(tokens.tolist()):
        u = torch.rand((), generator=generator).item()
        ratio = (target[i, token] / draft[i, token]).item()
        if u < (1.1 * ratio if ratio < 0.8 else ratio):
            continue
        left = (target[i] - draft[i]).clamp(min=0)
        return torch.cat([tokens[:i], torch.multinomial(left, 1, generator=generator)])
    return torch.cat([tokens, torch.multinomial(target[len(tokens)], 1, generator=generator)])

# %% wrong: bonus_corrected_too (3) => something was taken off the last row of the target: it is drawn from as it is
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

# %% wrong: seeded_by_its_initial_seed (1) => the same numbers were drawn although the generator was used on: draw from it as it is, and let it move on
def speculative_accept(target, draft, tokens, generator):
    kept = []
    own = torch.Generator().manual_seed(generator.initial_seed())
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=own, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=own).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=own).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: set_back_to_its_initial_seed (1) => the same numbers were drawn although the generator was used on: draw from it as it is, and let it move on
def speculative_accept(target, draft, tokens, generator):
    kept = []
    own = generator.manual_seed(generator.initial_seed())
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=own, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=own).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=own).item())
    return torch.tensor(kept, device=tokens.device)

# %% wrong: drawn_from_a_copy_of_the_generator (1) => the same numbers were drawn although the generator was used on: draw from it as it is, and let it move on
def speculative_accept(target, draft, tokens, generator):
    kept = []
    own = torch.Generator().set_state(generator.get_state())
    for i, token in enumerate(tokens.tolist()):
        chance = torch.rand((), generator=own, dtype=target.dtype, device=target.device)
        if chance * draft[i, token] < target[i, token]:
            kept.append(token)
            continue
        rest = (target[i] - draft[i]).clamp(min=0)
        kept.append(torch.multinomial(rest / rest.sum(), 1, generator=own).item())
        return torch.tensor(kept, device=tokens.device)
    kept.append(torch.multinomial(target[-1], 1, generator=own).item())
    return torch.tensor(kept, device=tokens.device)
