# %% right: two_lists_then_factors
def online_softmax(blocks):
    parts, maxima = [], []
    m = s = None
    for b in blocks:
        high = b.max(dim=-1, keepdim=True).values.clamp(min=torch.finfo(b.dtype).min)
        if m is None:
            m, s = high, torch.zeros_like(high)
        new = torch.maximum(m, high)
        s = s * torch.exp(m - new)
        m = new
        e = torch.exp(b - m)
        s = s + e.sum(dim=-1, keepdim=True)
        parts.append(e)
        maxima.append(m)
    joined = torch.cat([e * torch.exp(was - m) for e, was in zip(parts, maxima)], dim=-1)
    return joined / s.clamp(min=torch.finfo(s.dtype).tiny)

# %% right: rescales_every_part_each_time
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        top = block.amax(-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        base = new.masked_fill(new.isinf(), 0)
        if m is not None:
            f = (m - base).exp()
            parts, s = [p * f for p in parts], s * f
        e = (block - base).exp()
        parts.append(e)
        s = e.sum(-1, keepdim=True) if s is None else s + e.sum(-1, keepdim=True)
        m = new
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% right: blocks_kept_as_scores
def online_softmax(blocks):
    kept = []
    m, s = None, None
    for block in blocks:
        kept.append(block)
        h = block.amax(-1, keepdim=True)
        if m is None:
            m, s = h, torch.zeros_like(h)
        n = torch.maximum(m, h)
        z = torch.where(n.isneginf(), torch.zeros_like(n), n)
        s = s * torch.exp(m - z) + torch.exp(block - z).sum(-1, keepdim=True)
        m = n
    z = torch.where(m.isneginf(), torch.zeros_like(m), m)
    s = torch.where(s == 0, torch.ones_like(s), s)
    return torch.exp(torch.cat(kept, -1) - z) / s

# %% wrong: collects_then_softmax (1) -> joined first
def online_softmax(blocks):
    scores = torch.cat(list(blocks), dim=-1)
    empty = scores.isneginf().all(dim=-1, keepdim=True)
    return scores.masked_fill(empty, 0.0).softmax(dim=-1).masked_fill(empty, 0.0)

# %% wrong: each_block_by_itself (1, 2) => each block was normalised by itself: the weights of a whole row sum to 1, over all blocks
def online_softmax(blocks):
    return torch.cat([block.softmax(dim=-1) for block in blocks], dim=-1)

# %% wrong: sum_not_moved (1) => the sum was not moved when the maximum moved: it needs the factor of the formula above
def online_softmax(blocks):
    seen, m, s = [], None, 0
    for block in blocks:
        seen.append(block)
        high = block.amax(-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min)
        m = high if m is None else torch.maximum(m, high)
        s = s + (block - m).exp().sum(-1, keepdim=True)
    return torch.cat([(block - m).exp() for block in seen], -1) / s.masked_fill(s == 0, 1)

# %% wrong: parts_not_moved (1) => the exponentials of earlier blocks still count against the maximum of their own time: bring them to the last one
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        high = block.amax(-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min)
        new = high if m is None else torch.maximum(m, high)
        e = (block - new).exp()
        s = e.sum(-1, keepdim=True) if m is None else s * (m - new).exp() + e.sum(-1, keepdim=True)
        parts.append(e)
        m = new
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% wrong: nothing_moved (1) => neither the sum nor the earlier parts were moved when the maximum moved: both need a factor
def online_softmax(blocks):
    parts, m, s = [], None, 0
    for block in blocks:
        high = block.amax(-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min)
        m = high if m is None else torch.maximum(m, high)
        e = (block - m).exp()
        s = s + e.sum(-1, keepdim=True)
        parts.append(e)
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% wrong: no_maximum (1, 2) => exp overflows or gives 0 for large scores: subtract the running maximum before it
def online_softmax(blocks):
    parts = [block.exp() for block in blocks]
    s = sum(part.sum(-1, keepdim=True) for part in parts)
    return torch.cat(parts, -1) / s.clamp(min=1e-300 if s.dtype == torch.float64 else 1e-38)

# %% wrong: reads_twice (1, 2) => a generator has no length and no index, and is empty after one loop: go through it once, with for
def online_softmax(blocks):
    m = None
    for block in blocks:
        high = block.amax(-1, keepdim=True)
        m = high if m is None else torch.maximum(m, high)
    s = sum((block - m).exp().sum(-1, keepdim=True) for block in blocks)
    return torch.cat([(block - m).exp() / s for block in blocks], -1)

# %% wrong: needs_a_list (1, 2) => a generator has no length and no index, and is empty after one loop: go through it once, with for
def online_softmax(blocks):
    m = blocks[0].amax(-1, keepdim=True)
    for i in range(len(blocks)):
        m = torch.maximum(m, blocks[i].amax(-1, keepdim=True))
    joined = torch.cat([(block - m).exp() for block in blocks], -1)
    return joined / joined.sum(-1, keepdim=True)

# %% wrong: nan_in_blocked_block (2) => a row whose first block is all -inf became NaN: exp(-inf - (-inf)) is not a number
def online_softmax(blocks):
    seen, m, s = [], None, None
    for block in blocks:
        seen.append(block)
        high = block.amax(-1, keepdim=True)
        new = high if m is None else torch.maximum(m, high)
        e = (block - new).exp().sum(-1, keepdim=True)
        s = e if m is None else s * (m - new).exp() + e
        m = new
    return torch.cat([(block - m).exp() for block in seen], -1) / s

# %% wrong: nan_in_blocked_row (1, 2) => a row of nothing but -inf became NaN: it must be zeros
def online_softmax(blocks):
    return torch.cat(list(blocks), dim=-1).softmax(dim=-1)

# %% wrong: nan_to_num_leaks_into_gradient (1, 2) => the weights were put right after the NaN had come up, so the gradient is NaN: put the scores or the maximum right before exp
def online_softmax(blocks):
    scores = torch.cat(list(blocks), dim=-1)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return (e / e.sum(-1, keepdim=True)).nan_to_num(0.0)

# %% wrong: uniform_when_blocked (1, 2) => a row of nothing but -inf must be all zeros: the blocked scores became numbers, and these share the row
def online_softmax(blocks):
    scores = torch.cat(list(blocks), dim=-1)
    return scores.masked_fill(scores.isneginf(), torch.finfo(scores.dtype).min).softmax(dim=-1)

# %% wrong: list_of_blocks (1, 2) => one tensor with the weights of all blocks is expected, not one for each block
def online_softmax(blocks):
    kept = list(blocks)
    widths = [block.shape[-1] for block in kept]
    return list(torch.cat(kept, -1).softmax(-1).split(widths, dim=-1))

# %% wrong: first_axis (1, 2) => the weights of all blocks are joined along the last dimension, and no block is filled up
def online_softmax(blocks):
    kept = list(blocks)
    width = max(block.shape[-1] for block in kept)
    padded = [F.pad(block, (0, width - block.shape[-1]), value=float("-inf")) for block in kept]
    return torch.cat(padded, 0).softmax(-1)

# %% wrong: wrong_axis (1, 2) => each row must sum to 1 over all blocks: the softmax ran over the rows
def online_softmax(blocks):
    scores = torch.cat(list(blocks), -1)
    return scores.softmax(0).nan_to_num(0.0)

# %% wrong: in_place (1, 2) -> changed in place
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        high = block.amax(-1, keepdim=True)
        new = high if m is None else torch.maximum(m, high)
        base = torch.where(new.isneginf(), torch.zeros_like(new), new)
        e = block.sub_(base).exp_() if not block.requires_grad else (block - base).exp()
        s = e.sum(-1, keepdim=True) + (0 if m is None else s * (m - base).exp())
        parts.append((e, base))
        m = new
    joined = torch.cat([e * (was - base).exp() for e, was in parts], -1)
    return joined / torch.where(s == 0, torch.ones_like(s), s)

# %% wrong: float32_inside (1) => the weights are float32 whatever comes in: keep the dtype of the blocks
def online_softmax(blocks):
    scores = torch.cat([block.float() for block in blocks], dim=-1)
    empty = scores.isneginf().all(-1, keepdim=True)
    return scores.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0)

# %% wrong: logaddexp_of_nothing (2) => the gradient is NaN in a row with blocked scores: what is put right after exp or log still gives NaN on the way back
def online_softmax(blocks):
    seen, total = [], None
    for block in blocks:
        seen.append(block)
        here = torch.logsumexp(block, dim=-1, keepdim=True)
        total = here if total is None else torch.logaddexp(total, here)
    safe = torch.where(total == float("-inf"), torch.zeros_like(total), total)
    return torch.cat([(block - safe).exp() for block in seen], dim=-1)

# %% right: result_that_grows
def online_softmax(blocks):
    out = s = m = None
    for b in blocks:
        high = b.amax(-1, keepdim=True)
        new = high if m is None else torch.maximum(m, high)
        zero = new.masked_fill(new.isneginf(), 0.0)
        e = (b - zero).exp()
        if m is None:
            out, s = e, e.sum(-1, keepdim=True)
        else:
            f = (m - zero).exp()
            out, s = torch.cat([out * f, e], -1), s * f + e.sum(-1, keepdim=True)
        m = new
    return out / s.masked_fill(s == 0, 1.0)

# %% right: next_by_hand
def online_softmax(blocks):
    source, kept, tops = iter(blocks), [], []
    while True:
        try:
            block = next(source)
        except StopIteration:
            break
        top = block.amax(dim=-1, keepdim=True)
        safe = top.masked_fill(top == -math.inf, 0)
        kept.append(torch.exp(block - safe))
        tops.append(top)
    last = torch.stack(tops).amax(dim=0)
    last = last.masked_fill(last == -math.inf, 0)
    factors = [torch.exp(top - last) for top in tops]
    s = sum(part.sum(-1, keepdim=True) * f for part, f in zip(kept, factors))
    return torch.cat([part * f for part, f in zip(kept, factors)], -1) / torch.where(s > 0, s, torch.ones_like(s))

# %% right: maximum_detached
def online_softmax(blocks):
    parts, m = [], None
    for block in blocks:
        high = block.detach().amax(-1, keepdim=True)
        m = high if m is None else torch.maximum(m, high)
        base = m.clamp(min=torch.finfo(m.dtype).min)
        parts.append(((block - base).exp(), base))
    joined = torch.cat([e * (was - base).exp() for e, was in parts], dim=-1)
    s = joined.sum(-1, keepdim=True)
    return joined / s.masked_fill(s == 0, 1)

# %% wrong: maximum_from_zero (1, 2) => the running maximum starts at 0, and lower scores vanish beside it: it must never be above every score
def online_softmax(blocks):
    parts, m, s = [], 0.0, 0.0
    for block in blocks:
        high = block.amax(-1, keepdim=True)
        new = torch.clamp(high, min=0.0) if not torch.is_tensor(m) else torch.maximum(m, high)
        f = torch.exp(m - new)
        e = torch.exp(block - new)
        parts = [p * f for p in parts] + [e]
        s, m = s * f + e.sum(-1, keepdim=True), new
    return torch.cat(parts, -1) / s

# %% wrong: maximum_from_minus_hundred (1, 2) => the running maximum starts at a number that is not low enough, and lower scores vanish beside it
def online_softmax(blocks):
    parts, m, s = [], None, 0
    for block in blocks:
        high = block.amax(-1, keepdim=True)
        new = high.clamp(min=-100.0) if m is None else torch.maximum(m, high)
        f = 1 if m is None else (m - new).exp()
        e = (block - new).exp()
        parts = [p * f for p in parts] + [e]
        s, m = s * f + e.sum(-1, keepdim=True), new
    return torch.cat(parts, -1) / torch.where(s == 0, torch.ones_like(s), s)

# %% wrong: detached (1) -> no gradient reaches block 1
def online_softmax(blocks):
    parts, m, s = [], None, 0
    for block in blocks:
        block = block.detach()
        high = block.amax(-1, keepdim=True)
        new = high if m is None else torch.maximum(m, high)
        base = new.masked_fill(new.isneginf(), 0)
        f = 0 if m is None else (m - base).exp()
        e = (block - base).exp()
        parts = [p * f for p in parts] + [e]
        s, m = s * f + e.sum(-1, keepdim=True), new
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% wrong: maxima_of_the_whole_batch (1, 2) => the two rows share one maximum or one sum: they belong to each row by itself
def online_softmax(blocks):
    parts, m, s = [], float("-inf"), 0
    for block in blocks:
        new = max(m, float(block.max()))
        f, e = math.exp(m - new), (block - new).exp()
        parts = [p * f for p in parts] + [e]
        s, m = s * f + e.sum(), new
    return torch.cat(parts, -1) / s

# %% wrong: first_block_forgotten (1) => each row must sum to 1 over all blocks: the exponentials of the first block are missing in the sum
def online_softmax(blocks):
    parts, m, s = [], None, 0
    for block in blocks:
        high = block.amax(-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min)
        new = high if m is None else torch.maximum(m, high)
        e = (block - new).exp()
        s = torch.zeros_like(high) if m is None else s * (m - new).exp() + e.sum(-1, keepdim=True)
        parts = [p * (m - new).exp() for p in parts] + [e]
        m = new
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% wrong: kept_between_calls (1, 2) -> a list of blocks
KEPT = []

def online_softmax(blocks):
    for block in blocks:
        KEPT.append(block.detach())
    tops = torch.cat([b.amax(-1, keepdim=True) for b in KEPT], -1).amax(-1, keepdim=True) if len(KEPT) < 99 else 0
    parts = [(b - tops).exp() for b in KEPT]
    return torch.cat(parts, -1) / sum(p.sum(-1, keepdim=True) for p in parts)

# %% wrong: factor_upside_down (1) => each row must sum to 1 over all blocks: is the factor that moves the old sum upside down, or is something added to the sum?
def online_softmax(blocks):
    parts, m, s = [], None, 0
    for block in blocks:
        high = block.amax(-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min)
        new = high if m is None else torch.maximum(m, high)
        f = 0 if m is None else (new - m).exp()
        e = (block - new).exp()
        parts = [p * f for p in parts] + [e]
        s, m = s * f + e.sum(-1, keepdim=True) + 1, new
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1)

# %% wrong: nothing_returned (1, 2) => one tensor with the weights of all blocks is expected: is there a return?
def online_softmax(blocks):
    weights = torch.cat([block.softmax(-1) for block in blocks], -1)

# %% wrong: skips_blocked_blocks (2) => a block of nothing but -inf was left out: its weights are zeros, and they belong to the result
def online_softmax(blocks):
    m = s = None
    parts = []
    for block in blocks:
        if block.isneginf().all():
            continue
        top = block.amax(-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        base = new.masked_fill(new.isneginf(), 0)
        e = (block - base).exp()
        s = e.sum(-1, keepdim=True) + (0 if m is None else s * (m - base).exp())
        parts.append((e, base)); m = new
    base = m.masked_fill(m.isneginf(), 0)
    s = s.masked_fill(s == 0, 1)
    return torch.cat([e * (b - base).exp() / s for e, b in parts], -1)

# %% wrong: logsumexp_and_nan_to_num (2) => the gradient is NaN in a row with blocked scores: what is put right after exp or log still gives NaN on the way back
def online_softmax(blocks):
    total, kept = None, []
    for block in blocks:
        kept.append(block.clone())
        part = block.logsumexp(-1, keepdim=True)
        total = part if total is None else torch.logaddexp(total, part)
    return torch.cat([(block - total).exp() for block in kept], -1).nan_to_num(0.0)

# %% right: log_sum_exp_carried
def online_softmax(blocks):
    kept, total = [], None                       # total: log of the sum so far
    for block in blocks:
        low = torch.finfo(block.dtype).min / 2
        part = torch.logsumexp(block.masked_fill(block.isneginf().all(-1, keepdim=True), low), dim=-1, keepdim=True)
        total = part if total is None else torch.logaddexp(total, part)
        kept.append((block - total, total))
    return torch.cat([(one + (seen - total)).exp() for one, seen in kept], dim=-1)

# %% wrong: copies_joined_then_softmax (1) -> copied or joined first
def online_softmax(blocks):
    scores = torch.cat([block.clone() for block in blocks], dim=-1)
    empty = (scores == float("-inf")).all(dim=-1, keepdim=True)
    weights = scores.masked_fill(empty, 0.0).softmax(dim=-1)
    return weights.masked_fill(empty, 0.0)

# %% wrong: fetches_all_then_two_passes (1) -> of 0 blocks before the next one came
def online_softmax(blocks):
    kept = list(blocks)
    m = None
    for block in kept:
        high = block.amax(-1, keepdim=True)
        m = high if m is None else torch.maximum(m, high)
    base = m.masked_fill(m.isinf(), 0.0)
    parts = [(block - base).exp() for block in kept]
    s = sum(part.sum(-1, keepdim=True) for part in parts)
    return torch.cat(parts, -1) / s.masked_fill(s == 0, 1.0)

# %% wrong: fetches_all_then_runs_along (1) -> of 0 blocks before the next one came
def online_softmax(blocks):
    kept, m, s = tuple(blocks), None, None
    for block in kept:
        high = block.amax(-1, keepdim=True)
        new = high if m is None else torch.maximum(m, high)
        base = new.masked_fill(new.isinf(), 0.0)
        e = (block - base).exp().sum(-1, keepdim=True)
        s = e if m is None else s * (m - base).exp() + e
        m = new
    base = m.masked_fill(m.isinf(), 0.0)
    return (torch.cat(kept, -1) - base).exp() / s.masked_fill(s == 0, 1.0)

# %% wrong: zero_for_a_blocked_maximum (2) => a 0 stands in for the first maximum, while all is blocked, and is far above the score that comes
def online_softmax(blocks):
    parts, m = [], None
    for block in blocks:
        high = block.detach().amax(-1, keepdim=True)
        m = high if m is None else torch.maximum(m, high)
        base = m.nan_to_num(neginf=0.0)
        parts.append(((block - base).exp(), base))
    joined = torch.cat([e * (was - base).exp() for e, was in parts], dim=-1)
    s = joined.sum(-1, keepdim=True)
    return joined / s.masked_fill(s == 0, 1)

# %% wrong: maximum_of_the_last_block_alone (1, 2) => only the maximum of the newest block is kept, and falling scores overflow: the running maximum never falls
def online_softmax(blocks):
    parts, m = [], None
    for block in blocks:
        high = block.detach().amax(-1, keepdim=True)
        m = high
        base = m.clamp(min=torch.finfo(m.dtype).min)
        parts.append(((block - base).exp(), base))
    joined = torch.cat([e * (was - base).exp() for e, was in parts], dim=-1)
    s = joined.sum(-1, keepdim=True)
    return joined / s.masked_fill(s == 0, 1)

# %% wrong: one_maximum_for_all_rows (1, 2) => each row has its own maximum: under a common one the scores of a low row vanish
def online_softmax(blocks):
    parts, m, s = [], -math.inf, 0.0
    for block in blocks:
        new = max(m, block.detach().max().item())
        base = 0.0 if new == -math.inf else new
        e = (block - base).exp()
        s = s * math.exp(m - base) + e.sum(-1, keepdim=True)
        m = new
        parts.append((e, base))
    last = 0.0 if m == -math.inf else m
    s = s.masked_fill(s == 0, 1.0)
    return torch.cat([e * math.exp(b - last) / s for e, b in parts], dim=-1)

# %% wrong: sum_in_float32 (1) => the sum is float32, and the weights come back so: keep the dtype of the blocks in the running numbers, too
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        mb = block.amax(dim=-1, keepdim=True)
        if m is None:
            m, s = torch.full_like(mb, -math.inf), torch.zeros(mb.shape, device=mb.device)
        new = torch.maximum(m, mb)
        base = new.masked_fill(new == -math.inf, 0.0)
        e = (block - base).exp()
        s = s * (m - base).exp() + e.sum(-1, keepdim=True)
        m = new
        parts.append((e, new))
    last = m.masked_fill(m == -math.inf, 0.0)
    s = s.masked_fill(s == 0, 1.0)
    return torch.cat([e * (b - last).exp() / s for e, b in parts], dim=-1)

# %% wrong: fills_the_callers_block (2) -> was changed in place
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        hidden = block == -math.inf
        if not block.requires_grad:
            block.masked_fill_(hidden, torch.finfo(block.dtype).min)
        else:
            block = block.masked_fill(hidden, torch.finfo(block.dtype).min)
        mb = block.detach().amax(dim=-1, keepdim=True)
        if m is None:
            m, s = torch.full_like(mb, torch.finfo(mb.dtype).min), torch.zeros_like(mb)
        new = torch.maximum(m, mb)
        e = (block - new).exp().masked_fill(hidden, 0.0)
        s = s * (m - new).exp() + e.sum(-1, keepdim=True)
        m = new
        parts.append((e, new))
    s = s.masked_fill(s == 0, 1.0)
    return torch.cat([e * (b - m).exp() / s for e, b in parts], dim=-1)

# %% wrong: eps_too_small_for_float16 (2) => in float16, too, a row of nothing but -inf must be zeros: a small number that is added to the sum is rounded to 0 there
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        top = block.amax(-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        base = new.masked_fill(new.isneginf(), 0.0)
        e = (block - base).exp()
        s = e.sum(-1, keepdim=True) if m is None else s * (m - base).exp() + e.sum(-1, keepdim=True)
        parts.append((e, new))
        m = new
    base = m.masked_fill(m.isneginf(), 0.0)
    return torch.cat([e * (mi - base).exp() for e, mi in parts], -1) / (s + 1e-8)

# %% wrong: axis_1_in_three_dimensions (1) => maximum and sum run over the last dimension, -1, however many stand before it
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        dim = 1 if block.dim() > 1 else 0
        b = block.to(torch.float32) if block.dtype in (torch.float16, torch.bfloat16) else block
        top = b.amax(dim, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        base = new.masked_fill(new.isneginf(), 0.0)
        e = (b - base).exp()
        total = e.sum(dim, keepdim=True)
        s = total if m is None else s * (m - base).exp() + total
        parts.append((e, new, block.dtype))
        m = new
    base = m.masked_fill(m.isneginf(), 0.0)
    s = s.masked_fill(s == 0, 1.0)
    return torch.cat([(e * (mi - base).exp() / s).to(kind) for e, mi, kind in parts], -1)

# %% wrong: next_of_a_list (1, 2) => next needs an iterator, and a list is none: iter(blocks) makes one of both
def online_softmax(blocks):
    import itertools
    blocks = itertools.chain([next(blocks)], blocks)
    m = s = None
    parts, seen_at = [], []
    for block in blocks:
        top = block.amax(dim=-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        base = new.masked_fill(new == float("-inf"), 0.0)
        e = (block - base).exp()
        total = e.sum(dim=-1, keepdim=True)
        s = total if m is None else s * (m - base).exp() + total
        m = new
        parts.append(e)
        seen_at.append(base)
    last = m.masked_fill(m == float("-inf"), 0.0)
    safe = s.masked_fill(s == 0, 1.0)
    return torch.cat([e * (base - last).clamp(max=0).exp() / safe for e, base in zip(parts, seen_at)], dim=-1)

# %% wrong: factor_of_the_parts_upside_down (1) => the factor of the earlier parts is upside down: from the old maximum to the new one it is exp(old - new)
def online_softmax(blocks):
    parts, m, s = [], None, None
    for block in blocks:
        high = block.amax(dim=-1, keepdim=True)
        new_m = high if m is None else torch.maximum(m, high)
        base = new_m.clamp(min=torch.finfo(new_m.dtype).min)
        part = (block - base).exp()
        s = (0 if m is None else s * (m - base).exp()) + part.sum(dim=-1, keepdim=True)
        m = new_m
        parts.append((part, base))
    weights = torch.cat([part * (base - was).exp() for part, was in parts], dim=-1)
    return weights / torch.where(s == 0, torch.ones_like(s), s)
