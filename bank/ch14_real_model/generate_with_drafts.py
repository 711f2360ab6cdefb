# %% right: loops
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% right: lists
def lookup_draft(ids, match, length):
    text = ids.tolist()
    tail = text[len(text) - match:] if len(text) > match else None
    places = [p for p in range(len(text) - match) if text[p:p + match] == tail]
    if not places:
        return ids.new_empty(0)
    p = max(places) + match
    return torch.tensor(text[p:p + length], dtype=ids.dtype, device=ids.device)


def generate_with_drafts(model, ids, n, draft):
    text, caches = ids.tolist(), [[] for _ in range(len(model.blocks))]
    unread = list(text)
    with torch.no_grad():
        while len(text) < len(ids) + n:
            proposed = draft(ids.new_tensor(text)).tolist()
            logits = model(ids.new_tensor([unread + proposed]), caches)[0]
            said = logits[len(unread) - 1:].argmax(-1).tolist()
            new = [said[0]]
            for mine, theirs in zip(proposed, said[1:]):
                if mine != new[-1]:
                    break
                new.append(theirs)
            text += new
            keep = len(text) - 1
            caches = [[k[..., :keep, :], v[..., :keep, :]] for k, v in caches]
            unread = text[keep:]
    return ids.new_tensor(text[:len(ids) + n])

# %% right: prompt_first
def lookup_draft(ids, match, length):
    if ids.numel() <= match:
        return ids[ids.numel():]
    pieces = ids.unfold(0, match, 1)
    equal = (pieces[:-1] == pieces[-1]).sum(1) == match
    if not equal.any():
        return ids[ids.numel():]
    after = int(equal.nonzero().max()) + match
    return ids[after:][:length].clone()


@torch.inference_mode()
def generate_with_drafts(model, ids, n, draft):
    """The text is read first, alone; then one call for each draft."""
    if n == 0:
        return ids
    caches = [[] for _ in model.blocks]
    coming = model(ids[None], caches)[0, -1:].argmax(-1)
    end, ids = len(ids) + n, torch.cat([ids, coming])
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids)]
        best = model(torch.cat([ids[-1:], drafted])[None], caches)[0].argmax(-1)
        wrong = (best[:-1] != drafted).nonzero()
        good = int(wrong[0]) if len(wrong) else len(drafted)
        for i, (k, v) in enumerate(caches):
            caches[i] = [k[:, :, :len(ids) + good], v[:, :, :len(ids) + good]]
        ids = torch.cat([ids, best[:good + 1]])[:end]
    return ids

# %% right: lookup_by_comparison
def lookup_draft(ids, match, length):
    """Shift the text against itself: True where the last match tokens agree."""
    n = len(ids)
    hits = torch.ones(max(n - match, 0), dtype=torch.bool, device=ids.device)
    for k in range(match):
        hits = hits & (ids[k:k + len(hits)] == ids[n - match + k]) if len(hits) else hits
    where = torch.arange(len(hits), device=ids.device)[hits]
    return ids[where[-1] + match:where[-1] + match + length] if len(where) else ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% right: pieces
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    pieces = ids[:-1].unfold(0, match, 1)
    found = (pieces == ids[-match:]).all(-1).nonzero().flatten()
    return ids[:0] if len(found) == 0 else ids[found[-1] + match:][:length]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, read, end = [[] for _ in model.blocks], 0, len(ids) + n
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        best = model(torch.cat([ids[read:], drafted])[None], caches)[0, -len(drafted) - 1:].argmax(-1)
        good = (best[:-1] == drafted).long().cumprod(0).sum()
        ids = torch.cat([ids, best[:good + 1]])
        read = len(ids) - 1
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% right: preallocated
def lookup_draft(ids, match, length):
    tail = ids[len(ids) - match:]
    for end in range(len(ids) - 1, match - 1, -1):
        if bool((ids[end - match:end] == tail).all()):
            return ids[end:end + length].clone()
    return ids.new_zeros(0)


def generate_with_drafts(model, ids, n, draft):
    text = torch.cat([ids, ids.new_zeros(n)])
    have, read, caches = len(ids), 0, [[] for _ in model.blocks]
    while have < len(text):
        drafted = draft(text[:have].clone())[:len(text) - have - 1]
        with torch.no_grad():
            logits = model(torch.cat([text[read:have], drafted])[None], caches)
        said = logits[0, have - read - 1:].argmax(-1)
        right = 0
        for mine, theirs in zip(drafted.tolist(), said.tolist()):
            if mine != theirs:
                break
            right += 1
        text[have:have + right + 1] = said[:right + 1]
        have += right + 1
        read = have - 1
        for cache in caches:
            cache[:] = [part[..., :read, :] for part in cache]
    return text

# %% right: prompt_in_a_call_of_its_own
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    """The text that was handed in goes through the model alone, and nothing is taken from it."""
    caches, end = [[] for _ in model.blocks], len(ids) + n
    if len(ids) > 1:
        model(ids[None, :-1], caches)
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        best = model(torch.cat([ids[-1:], drafted])[None], caches)[0].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        ids = torch.cat([ids, best[:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :len(ids) - 1] for part in cache]
    return ids

# %% right: first_token_without_a_draft
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read, drafted = 0, ids[:0]
    while len(ids) < end:
        best = model(torch.cat([ids[read:], drafted])[None], caches)[0, -len(drafted) - 1:].argmax(-1)
        good = int((best[:-1] == drafted).long().cumprod(0).sum())
        ids = torch.cat([ids, best[:good + 1]])
        read = len(ids) - 1
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
        drafted = draft(ids)[:max(0, end - len(ids) - 1)]
    return ids

# %% wrong: first_occurrence (1) => the first occurrence was taken: the last earlier one is asked for
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: itself (1) => the last tokens themselves were found: only an earlier occurrence counts
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: from_the_occurrence (1) => the draft begins with the tokens that were looked up: it begins behind them
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start:start + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: one_too_late (1) => the draft begins one token too late
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match + 1:start + match + 1 + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: no_overlap (1) => an occurrence that overlaps with the last one counts, too
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - 2 * match, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: not_at_the_beginning (1) => an occurrence at the very beginning of the text was missed
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, 0, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: last_token_alone (1) => only the last token was compared: all match tokens have to agree
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if ids[start + match - 1] == ids[-1]:
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: any_order (1) => the tokens were compared in any order
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match].sort().values, ids[-match:].sort().values):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: only_full_drafts (1) => a draft that is shorter than length counts, too
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if start + match + length <= len(ids) and torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: length_ignored (1) => at most length tokens are drafted
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: last_token_again (1) => where there is no earlier occurrence, nothing is drafted
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[-1:]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: none (1) => where there is no earlier occurrence, an empty tensor is asked for
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return None
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return None


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: short_text_copied (1) => a text that is too short has no earlier occurrence
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:length]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: accepts_everything (2) => drafted tokens were taken that the model would not write
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and True:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: accepts_what_agrees_later (2) => behind the first wrong token nothing of a draft counts
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = int((best[:-1] == drafted).sum())
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: cache_not_cut (2, 3) => rejected drafts stayed in the caches
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
    return ids

# %% wrong: cache_cut_one_late (2, 3) => a rejected draft stayed in the caches: cut them to what was read and is in the text
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read + 1] for part in cache]
    return ids

# %% wrong: too_long (2) => more than n tokens came
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: one_token_short (2) => fewer than n tokens came
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n - 1
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: new_tokens_alone (2, 3) => the result begins with the text that was handed in
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids[end - n:]

# %% wrong: one_token_at_least (2) => with n = 0 a token came
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    end = max(end, len(ids) + 1)
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: batched (2, 3) => the text is (seq + n,), without a batch
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids[None]

# %% wrong: off_by_one (2, 3) => the draft is compared one place too late: the token after the text is checked by the logits at its last token
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1).roll(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: draft_after_the_draft (2, 3) => what the model writes after an accepted draft was lost
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[0:1] if good else best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: no_drafts (3) => one call of the model for every token: one call can check a whole draft
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:0]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: one_token_of_a_draft (3) => one drafted token for each call was used: a call can check a whole draft
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:min(1, end - len(ids) - 1)]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: no_cache (3) => the whole text goes through the model again for every draft: use the caches
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids, drafted])[None])[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
    return ids

# %% wrong: one_call_for_each_drafted_token (3) => one call of the model for every token: one call can check a whole draft
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = torch.cat([model(part[None], caches)[0] for part in (ids[read:], *drafted.split(1))])
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: bonus_thrown_away (3) => more calls of the model than needed: after an accepted draft one token more is known
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good - (good > 0)
        ids = torch.cat([ids, drafted[:good], best[good:good + 1][:1 if good == 0 else 0]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache]
    return ids

# %% wrong: cache_thrown_away_after_a_rejection (3) => the whole text goes through the model again: cut the caches, do not empty them
def lookup_draft(ids, match, length):
    if len(ids) <= match:
        return ids[:0]
    for start in range(len(ids) - match - 1, -1, -1):
        if torch.equal(ids[start:start + match], ids[-match:]):
            return ids[start + match:start + match + length]
    return ids[:0]


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    caches, end = [[] for _ in model.blocks], len(ids) + n
    read = 0
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        logits = model(torch.cat([ids[read:], drafted])[None], caches)[0]
        best = logits[-len(drafted) - 1:].argmax(-1)
        good = 0
        while good < len(drafted) and best[good] == drafted[good]:
            good += 1
        read = len(ids) + good
        ids = torch.cat([ids, drafted[:good], best[good:good + 1]])
        for cache in caches:
            cache[:] = [part[:, :, :read] for part in cache] if good == len(drafted) else []
        read = read if good == len(drafted) else 0
    return ids
