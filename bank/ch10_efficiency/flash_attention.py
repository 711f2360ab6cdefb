# %% right: online_with_tensors
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = q.shape[-1] ** -0.5
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi = q[..., i:i + block_size, :]
        n = qi.shape[-2]
        m = torch.full((*qi.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*qi.shape[:-1], v.shape[-1]), dtype=q.dtype, device=q.device)
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i + n - 1:
                break
            scores = qi @ k[..., j:j + block_size, :].transpose(-2, -1) * scale
            if causal:
                a = torch.arange(i, i + n, device=q.device)[:, None]
                b = torch.arange(j, j + scores.shape[-1], device=q.device)[None, :]
                scores = scores.masked_fill(b > a, float("-inf"))
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            p = torch.exp(scores - new)
            f = torch.exp(m - new)
            s = s * f + p.sum(-1, keepdim=True)
            o = o * f + p @ v[..., j:j + block_size, :]
            m = new
        out.append(o / s)
    return torch.cat(out, dim=-2)

# %% right: logsumexp_merging
def flash_attention(q, k, v, block_size=64, causal=False):
    rows = []
    for qi, at in zip(q.split(block_size, -2), range(0, q.shape[-2], block_size)):
        total = best = None
        for ki, vi, start in zip(k.split(block_size, -2), v.split(block_size, -2), range(0, k.shape[-2], block_size)):
            if causal and start >= at + qi.shape[-2]:
                continue
            x = qi @ ki.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if causal:
                x = x.masked_fill(torch.ones_like(x, dtype=torch.bool).triu(at - start + 1), float("-inf"))
            l = x.logsumexp(-1, keepdim=True)
            y = (x - l).exp() @ vi
            if total is None:
                total, best = y, l
            else:
                both = torch.logaddexp(best, l)
                total = total * (best - both).exp() + y * (l - both).exp()
                best = both
        rows.append(total)
    return torch.cat(rows, -2)

# %% right: causal_with_a_large_negative
def flash_attention(q, k, v, block_size=64, causal=False):
    low = torch.finfo(q.dtype).min / 2
    pieces = []
    for first in range(0, q.size(-2), block_size):
        rows = q[..., first:first + block_size, :]
        m, s, o = None, 0, 0
        for start in range(0, k.size(-2), block_size):
            keys, values = k[..., start:start + block_size, :], v[..., start:start + block_size, :]
            scores = torch.einsum("...qd,...kd->...qk", rows, keys) / q.size(-1) ** 0.5
            if causal:
                i = first + torch.arange(rows.size(-2), device=q.device)
                j = start + torch.arange(keys.size(-2), device=q.device)
                scores = torch.where(j[None] <= i[:, None], scores, torch.full_like(scores, low))
            top = scores.max(-1, keepdim=True).values
            new = top if m is None else torch.max(m, top)
            old = 0 if m is None else (m - new).exp()
            e = (scores - new).exp()
            s, o, m = s * old + e.sum(-1, keepdim=True), o * old + e @ values, new
        pieces.append(o / s)
    return torch.cat(pieces, -2)

# %% right: keys_outside_queries_inside
def flash_attention(q, k, v, block_size=64, causal=False):
    starts = range(0, q.shape[-2], block_size)
    state = {i: None for i in starts}
    for j in range(0, k.shape[-2], block_size):
        kj, vj = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
        for i in starts:
            qi = q[..., i:i + block_size, :]
            if causal and j >= i + qi.shape[-2]:
                continue
            x = (qi @ kj.mT) / math.sqrt(q.shape[-1])
            if causal and j + kj.shape[-2] > i:
                x = x.masked_fill((torch.arange(kj.shape[-2], device=x.device) + j) > (torch.arange(qi.shape[-2], device=x.device) + i)[:, None], float("-inf"))
            top = x.amax(-1, keepdim=True)
            if state[i] is None:
                e = (x - top).exp()
                state[i] = (top, e.sum(-1, keepdim=True), e @ vj)
            else:
                m, s, o = state[i]
                new = torch.maximum(m, top)
                e, f = (x - new).exp(), (m - new).exp()
                state[i] = (new, s * f + e.sum(-1, keepdim=True), o * f + e @ vj)
    return torch.cat([state[i][2] / state[i][1] for i in starts], -2)

# %% wrong: naive (3) -> the largest tensor is a tile: a largest tensor of 64 to 127 numbers expected
def flash_attention(q, k, v, block_size=64, causal=False):
    return naive_attention(q, k, v, causal)

# %% wrong: no_scale (1) => the scores were not divided by √d_k
def flash_attention(q, k, v, block_size=64, causal=False):
    return _tiled(q * q.shape[-1] ** 0.5, k, v, block_size, causal)

def _tiled(q, k, v, block_size, causal):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, s, o = q[..., i:i + block_size, :], None, 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1) / math.sqrt(q.shape[-1])
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            f = 0 if m is None else (m - new).exp()
            e = (x - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., j:j + block_size, :], new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: scale_by_d_k (1) => the scores were divided by d_k, not by its square root
def flash_attention(q, k, v, block_size=64, causal=False):
    q = q / q.shape[-1]
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, s, o = q[..., i:i + block_size, :], None, 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            f = 0 if m is None else (m - new).exp()
            e = (x - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., j:j + block_size, :], new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: blocks_added (1) => each block of keys was normalised by itself and the results were added: the sum s runs over all blocks
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            o = o + x.softmax(-1) @ v[..., j:j + block_size, :]
        out.append(o)
    return torch.cat(out, -2)

# %% wrong: blocks_averaged (1) => each block of keys was normalised by itself and the results were averaged: the sum s runs over all blocks
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, parts = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), []
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            parts.append(x.softmax(-1) @ v[..., j:j + block_size, :])
        out.append(sum(parts) / len(parts))
    return torch.cat(out, -2)

# %% wrong: nothing_moved (1) => o and s were not moved when the maximum moved: both need the factor
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            e = (x - x.amax(-1, keepdim=True)).exp()
            s, o = s + e.sum(-1, keepdim=True), o + e @ v[..., j:j + block_size, :]
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: output_not_moved (1) => s was moved when the maximum moved, o was not: both need the factor
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), None, 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o + e @ v[..., j:j + block_size, :], new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: not_normalised (1) => the running total o was not divided by the running sum s
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), None, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            o, m = o * f + e @ v[..., j:j + block_size, :], new
        out.append(o)
    return torch.cat(out, -2)

# %% wrong: last_block_lost (1, 3) => the last keys are missing: the last block need not be full
def flash_attention(q, k, v, block_size=64, causal=False):
    n = max(k.shape[-2] // block_size, 1) * block_size
    return F.scaled_dot_product_attention(q, k[..., :n, :], v[..., :n, :], is_causal=causal)

# %% wrong: last_queries_lost (1, 3) => an output is missing for each query of the last block, which is not full
def flash_attention(q, k, v, block_size=64, causal=False):
    n = max(q.shape[-2] // block_size, 1) * block_size
    return F.scaled_dot_product_attention(q[..., :n, :], k, v, is_causal=causal)

# %% wrong: own_block_only (1) => only the queries' own block of keys was read: every query meets every key
def flash_attention(q, k, v, block_size=64, causal=False):
    parts = zip(q.split(block_size, -2), k.split(block_size, -2), v.split(block_size, -2))
    return torch.cat([F.scaled_dot_product_attention(a, b, c, is_causal=causal) for a, b, c in parts], -2)

# %% wrong: causal_ignored (2) => causal changes nothing: the future was not hidden
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for qi in (q / math.sqrt(q.shape[-1])).split(block_size, -2):
        m, s, o = None, 0, 0
        for kj, vj in zip(k.split(block_size, -2), v.split(block_size, -2)):
            x = qi @ kj.transpose(-2, -1)
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ vj, new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: diagonal_tiles_unmasked (2) => whole blocks of the future were skipped, but inside the diagonal blocks the future is still seen
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for n, qi in enumerate((q / math.sqrt(q.shape[-1])).split(block_size, -2)):
        m, s, o = None, 0, 0
        for l, (kj, vj) in enumerate(zip(k.split(block_size, -2), v.split(block_size, -2))):
            if causal and l > n:
                break
            x = qi @ kj.transpose(-2, -1)
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ vj, new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: causal_counted_in_the_tile (2) => inside each tile the mask was counted from 0: compare positions in the whole sequence
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for qi in (q / math.sqrt(q.shape[-1])).split(block_size, -2):
        m, s, o = None, 0, 0
        for kj, vj in zip(k.split(block_size, -2), v.split(block_size, -2)):
            x = qi @ kj.transpose(-2, -1)
            if causal:
                x = x.masked_fill(~torch.ones_like(x, dtype=torch.bool).tril(), float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ vj, new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: nan_above_the_diagonal (2) => a tile in which a query may read nothing gives NaN, exp(-inf - (-inf)): skip it, or do not subtract -inf
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), 0, 0
        tops, parts = [], []
        for j in range(0, k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            top = x.amax(-1, keepdim=True)
            e = (x - top).exp()
            tops.append(top)
            parts.append((e.sum(-1, keepdim=True), e @ v[..., j:j + block_size, :]))
        m = torch.stack(tops).amax(0)
        for top, (total, part) in zip(tops, parts):
            s, o = s + total * (top - m).exp(), o + part * (top - m).exp()
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: off_by_one (2) => the mask is one position off: a query reads the key after it
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), None, 0, 0
        for j in range(0, k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None] + 1, -1e30)
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., j:j + block_size, :], new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: whole_mask_in_memory (3) => the mask of the whole sequence was made at once: no tensor may hold seq × seq numbers
def flash_attention(q, k, v, block_size=64, causal=False):
    hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).triu(1) if causal else None
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, m, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), None, 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(hidden[i:i + block_size, j:j + block_size], float("-inf"))
            new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., j:j + block_size, :], new
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: queries_not_tiled (3) => all queries met a block of keys at once: the queries go in blocks as well
def flash_attention(q, k, v, block_size=64, causal=False):
    q, m, s, o = q / math.sqrt(q.shape[-1]), None, 0, 0
    for j in range(0, k.shape[-2], block_size):
        x = q @ k[..., j:j + block_size, :].transpose(-2, -1)
        if causal:
            x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(x.shape[-2], device=x.device)[:, None], float("-inf"))
        new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
        e, f = (x - new).exp(), 0 if m is None else (m - new).exp()
        s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., j:j + block_size, :], new
    return o / s

# %% wrong: no_maximum (1, 2) => the exponential of large scores overflows: subtract the running maximum before exp
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi, s, o = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1]), 0, 0
        for j in range(0, i + qi.shape[-2] if causal else k.shape[-2], block_size):
            x = qi @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(j, j + x.shape[-1], device=x.device) > torch.arange(i, i + x.shape[-2], device=x.device)[:, None], float("-inf"))
            e = x.exp()
            s, o = s + e.sum(-1, keepdim=True), o + e @ v[..., j:j + block_size, :]
        out.append(o / s)
    return torch.cat(out, -2)

# %% wrong: returns_weights_too (1, 3) => the output alone is expected, no tuple
def flash_attention(q, k, v, block_size=64, causal=False):
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal), None

# %% right: two_accumulators_in_a_list
def flash_attention(q, k, v, block_size=64, causal=False):
    scale, done = 1 / math.sqrt(q.size(-1)), []
    for a in range(0, q.size(-2), block_size):
        rows = q[..., a:a + block_size, :]
        state = None
        for b in range(0, k.size(-2), block_size):
            if causal and b >= a + rows.size(-2):
                continue
            x = torch.matmul(rows, k[..., b:b + block_size, :].mT) * scale
            if causal:
                i = torch.arange(rows.size(-2), device=q.device).unsqueeze(1) + a
                j = torch.arange(x.size(-1), device=q.device) + b
                x = torch.where(i >= j, x, torch.tensor(-math.inf, dtype=x.dtype, device=x.device))
            top = x.max(dim=-1, keepdim=True)[0]
            if state is not None:
                top = torch.maximum(top, state[0])
            p = torch.exp(x - top)
            s, o = p.sum(dim=-1, keepdim=True), torch.matmul(p, v[..., b:b + block_size, :])
            if state is not None:
                f = torch.exp(state[0] - top)
                s, o = s + state[1] * f, o + state[2] * f
            state = top, s, o
        done.append(state[2] / state[1])
    return torch.cat(done, dim=-2)

# %% right: always_normalised
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for a in range(0, q.shape[-2], block_size):
        qa = q[..., a:a + block_size, :] / q.shape[-1] ** 0.5
        o = l = None
        for b in range(0, a + qa.shape[-2] if causal else k.shape[-2], block_size):
            x = qa @ k[..., b:b + block_size, :].transpose(-1, -2)
            if causal:
                late = torch.arange(b, b + x.shape[-1], device=x.device)[None] > torch.arange(a, a + x.shape[-2], device=x.device)[:, None]
                x = x.masked_fill(late, float("-inf"))
            here = torch.logsumexp(x, -1, keepdim=True)
            part = (x - here).exp() @ v[..., b:b + block_size, :]
            if o is None:
                o, l = part, here
            else:
                new = torch.logaddexp(l, here)
                o, l = o * (l - new).exp() + part * (here - new).exp(), new
        out.append(o)
    return torch.cat(out, -2)

# %% wrong: maximum_from_zero (1, 2) => the running maximum starts at 0, and lower scores vanish beside it: it must never be above every score
def flash_attention(q, k, v, block_size=64, causal=False):
    outputs = []
    for a in range(0, q.shape[-2], block_size):
        qa = q[..., a:a + block_size, :] / math.sqrt(q.shape[-1])
        m = torch.zeros(*qa.shape[:-1], 1, dtype=q.dtype, device=q.device)
        s, o = torch.zeros_like(m), 0
        for b in range(0, a + qa.shape[-2] if causal else k.shape[-2], block_size):
            x = qa @ k[..., b:b + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(b, b + x.shape[-1], device=q.device) > torch.arange(a, a + x.shape[-2], device=q.device)[:, None], float("-inf"))
            new = torch.maximum(m, x.amax(-1, keepdim=True))
            e, f = (x - new).exp(), (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., b:b + block_size, :], new
        outputs.append(o / s)
    return torch.cat(outputs, -2)

# %% wrong: keeps_every_tile (3) -> kept in a list
def flash_attention(q, k, v, block_size=64, causal=False):
    kept, outputs = [], []
    for a in range(0, q.shape[-2], block_size):
        qa = q[..., a:a + block_size, :] / math.sqrt(q.shape[-1])
        tiles = []
        for b in range(0, a + qa.shape[-2] if causal else k.shape[-2], block_size):
            x = qa @ k[..., b:b + block_size, :].transpose(-2, -1)
            if causal:
                x = x.masked_fill(torch.arange(b, b + x.shape[-1], device=q.device) > torch.arange(a, a + x.shape[-2], device=q.device)[:, None], float("-inf"))
            tiles.append((x, b))
        kept.append(tiles)
    for tiles in kept:
        m = None
        for x, b in tiles:
            m = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
        s = sum((x - m).exp().sum(-1, keepdim=True) for x, b in tiles)
        outputs.append(sum((x - m).exp() @ v[..., b:b + block_size, :] for x, b in tiles) / s)
    return torch.cat(outputs, -2)

# %% wrong: weights_as_well (1, 2, 3) => the output alone is expected, without the weights
def flash_attention(q, k, v, block_size=64, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights @ v, weights

# %% wrong: two_dimensions_only (1, 2, 3) => it does not run for every number of axes in front: count the axes from the end
def flash_attention(q, k, v, block_size=64, causal=False):
    out = torch.cat([flash_rows(q, k, v, a, block_size, causal) for a in range(0, q.shape[-2], block_size)], dim=0 if q.dim() > 2 else -2)
    return out

def flash_rows(q, k, v, a, block_size, causal):
    qa, m, s, o = q[..., a:a + block_size, :] / math.sqrt(q.shape[-1]), None, 0, 0
    for b in range(0, a + qa.shape[-2] if causal else k.shape[-2], block_size):
        x = qa @ k[..., b:b + block_size, :].transpose(-2, -1)
        if causal:
            x = x.masked_fill(torch.arange(b, b + x.shape[-1], device=q.device) > torch.arange(a, a + x.shape[-2], device=q.device)[:, None], float("-inf"))
        new = x.amax(-1, keepdim=True) if m is None else torch.maximum(m, x.amax(-1, keepdim=True))
        f, e = 0 if m is None else (m - new).exp(), (x - new).exp()
        s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ v[..., b:b + block_size, :], new
    return o / s

# %% wrong: maximum_of_the_tile (1, 2) => one maximum was taken for a whole tile, and rows of lower scores vanish beside it: each query has its own
def flash_attention(q, k, v, block_size=64, causal=False):
    outputs = []
    for i in range(0, q.shape[-2], block_size):
        qs = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1])
        m = q.new_full((*qs.shape[:-1], 1), -math.inf)
        s = q.new_zeros(m.shape); o = q.new_zeros((*qs.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            scores = qs @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                hidden = torch.arange(i, i + qs.shape[-2], device=q.device)[:, None] < torch.arange(j, j + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(hidden, -math.inf)
            new = torch.maximum(m, scores.amax())
            e = (scores - new).exp(); f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True); o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: fill_minus_1e4 (2) => hidden keys got weight: what is hidden needs -inf, or a number below every possible score
def flash_attention(q, k, v, block_size=64, causal=False):
    outputs = []
    for i in range(0, q.shape[-2], block_size):
        qs = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1])
        m = q.new_full((*qs.shape[:-1], 1), -math.inf)
        s = q.new_zeros(m.shape); o = q.new_zeros((*qs.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            scores = qs @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                hidden = torch.arange(i, i + qs.shape[-2], device=q.device)[:, None] < torch.arange(j, j + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(hidden, -1e4)
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            e = (scores - new).exp(); f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True); o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: float32_accumulators (1, 2) => torch.float64 went in and torch.float32 came out: keep the dtype of the input in s and o, too
def flash_attention(q, k, v, block_size=64, causal=False):
    outputs = []
    for i in range(0, q.shape[-2], block_size):
        qs = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1])
        m = q.new_full((*qs.shape[:-1], 1), -math.inf)
        s = torch.zeros(m.shape); o = q.new_zeros((*qs.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            scores = qs @ k[..., j:j + block_size, :].transpose(-2, -1)
            if causal:
                hidden = torch.arange(i, i + qs.shape[-2], device=q.device)[:, None] < torch.arange(j, j + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(hidden, -math.inf)
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            e = (scores - new).exp(); f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True); o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outputs.append((o.float() / s.float()))
    return torch.cat(outputs, dim=-2)

# %% wrong: keeps_every_exponential (3) -> kept in a list
def flash_attention(q, k, v, block_size=64, causal=False):
    """Exact attention, tile by tile, without a (seq, seq) tensor.

    q: (..., seq_q, d_k)   k: (..., seq_k, d_k)   v: (..., seq_k, d_v)
    Returns the output: (..., seq_q, d_v). Dao (2023), FlashAttention-2, algorithm 1:
    blocks of queries outside, blocks of keys inside.
    """
    outputs, kept = [], []
    for first in range(0, q.shape[-2], block_size):
        last = min(first + block_size, q.shape[-2])
        tile_q = q[..., first:last, :] / math.sqrt(q.shape[-1])       # (..., rows, d_k)
        m = s = o = None
        for start in range(0, last if causal else k.shape[-2], block_size):
            tile_k, tile_v = (k[..., start:start + block_size, :],
                              v[..., start:start + block_size, :])
            scores = tile_q @ tile_k.transpose(-2, -1)            # (..., rows, columns)
            if causal:
                rows = torch.arange(first, last, device=q.device)[:, None]
                columns = torch.arange(start, start + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(columns > rows, float("-inf"))
            high = scores.amax(dim=-1, keepdim=True)                    # (..., rows, 1)
            new_m = high if m is None else torch.maximum(m, high)
            e = (scores - new_m).exp()
            kept.append(e)
            factor = 0 if m is None else (m - new_m).exp()
            s = e.sum(dim=-1, keepdim=True) + (0 if s is None else s * factor)
            o = e @ tile_v + (0 if o is None else o * factor)
            m = new_m
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: causal_skips_too_much_with_small_blocks (2) => in blocks of 1 a query does not read its own key: the result must not depend on the block size
def flash_attention(q, k, v, block_size=64, causal=False):
    """Exact attention, tile by tile, without a (seq, seq) tensor.

    q: (..., seq_q, d_k)   k: (..., seq_k, d_k)   v: (..., seq_k, d_v)
    Returns the output: (..., seq_q, d_v). Dao (2023), FlashAttention-2, algorithm 1:
    blocks of queries outside, blocks of keys inside.
    """
    outputs = []
    for first in range(0, q.shape[-2], block_size):
        last = min(first + block_size, q.shape[-2])
        tile_q = q[..., first:last, :] / math.sqrt(q.shape[-1])       # (..., rows, d_k)
        m = s = o = None
        for start in range(0, (last if block_size > 1 else max(last - 1, 1)) if causal else k.shape[-2], block_size):
            tile_k, tile_v = (k[..., start:start + block_size, :],
                              v[..., start:start + block_size, :])
            scores = tile_q @ tile_k.transpose(-2, -1)            # (..., rows, columns)
            if causal:
                rows = torch.arange(first, last, device=q.device)[:, None]
                columns = torch.arange(start, start + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(columns > rows, float("-inf"))
            high = scores.amax(dim=-1, keepdim=True)                    # (..., rows, 1)
            new_m = high if m is None else torch.maximum(m, high)
            e = (scores - new_m).exp()
            factor = 0 if m is None else (m - new_m).exp()
            s = e.sum(dim=-1, keepdim=True) + (0 if s is None else s * factor)
            o = e @ tile_v + (0 if o is None else o * factor)
            m = new_m
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: sums_in_the_default_dtype (1) => bfloat16 went in and float32 came out: keep the dtype of the input in the running total, too
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = q.shape[-1] ** -0.5
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi = q[..., i:i + block_size, :]
        n = qi.shape[-2]
        m = torch.full((*qi.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*qi.shape[:-1], v.shape[-1]), device=q.device)
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i + n - 1:
                break
            scores = qi @ k[..., j:j + block_size, :].transpose(-2, -1) * scale
            if causal:
                a = torch.arange(i, i + n, device=q.device)[:, None]
                b = torch.arange(j, j + scores.shape[-1], device=q.device)[None, :]
                scores = scores.masked_fill(b > a, float("-inf"))
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            p = torch.exp(scores - new)
            f = torch.exp(m - new)
            s = s * f + p.sum(-1, keepdim=True)
            o = o * f + p @ v[..., j:j + block_size, :]
            m = new
        out.append(o / s)
    return torch.cat(out, dim=-2)

# %% wrong: maximum_in_the_default_dtype (1) => another dtype came in on the way, and bfloat16 does not run: make m, s and o in the dtype of the input
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = q.shape[-1] ** -0.5
    out = []
    for i in range(0, q.shape[-2], block_size):
        qi = q[..., i:i + block_size, :]
        n = qi.shape[-2]
        m = torch.full((*qi.shape[:-1], 1), float("-inf"), device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*qi.shape[:-1], v.shape[-1]), dtype=q.dtype, device=q.device)
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i + n - 1:
                break
            scores = qi @ k[..., j:j + block_size, :].transpose(-2, -1) * scale
            if causal:
                a = torch.arange(i, i + n, device=q.device)[:, None]
                b = torch.arange(j, j + scores.shape[-1], device=q.device)[None, :]
                scores = scores.masked_fill(b > a, float("-inf"))
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            p = torch.exp(scores - new)
            f = torch.exp(m - new)
            s = s * f + p.sum(-1, keepdim=True)
            o = o * f + p @ v[..., j:j + block_size, :]
            m = new
        out.append(o / s)
    return torch.cat(out, dim=-2)

# %% wrong: keys_in_blocks_of_twice_the_size (3) => blocks of keys are twice as large as block_size says
def flash_attention(q, k, v, block_size=64, causal=False):
    outs = []
    scale = q.shape[-1] ** -0.5
    for i in range(0, q.shape[-2], block_size):
        rows = q[..., i:i + block_size, :] * scale
        m = rows.new_full((*rows.shape[:-1], 1), -torch.inf)
        s = torch.zeros_like(m)
        o = rows.new_zeros((*rows.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], 2 * block_size):
            if causal and j > i:
                break
            t = rows @ k[..., j:j + 2 * block_size, :].mT
            if causal:
                a = torch.arange(i, i + t.shape[-2], device=q.device)[:, None]
                c = torch.arange(j, j + t.shape[-1], device=q.device)
                t = t.masked_fill(c > a, -torch.inf)
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e = (t - new).exp()
            f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True)
            o = o * f + e @ v[..., j:j + 2 * block_size, :]
            m = new
        outs.append(o / s)
    return torch.cat(outs, -2)

# %% wrong: blocks_of_64_at_most (3) => no block is larger than 64, whatever is asked for: blocks are as large as block_size says
def flash_attention(q, k, v, block_size=64, causal=False):
    outs = []
    block_size = min(block_size, 64)
    scale = q.shape[-1] ** -0.5
    for i in range(0, q.shape[-2], block_size):
        rows = q[..., i:i + block_size, :] * scale
        m = rows.new_full((*rows.shape[:-1], 1), -torch.inf)
        s = torch.zeros_like(m)
        o = rows.new_zeros((*rows.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            t = rows @ k[..., j:j + block_size, :].mT
            if causal:
                a = torch.arange(i, i + t.shape[-2], device=q.device)[:, None]
                c = torch.arange(j, j + t.shape[-1], device=q.device)
                t = t.masked_fill(c > a, -torch.inf)
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e = (t - new).exp()
            f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True)
            o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outs.append(o / s)
    return torch.cat(outs, -2)

# %% wrong: one_query_and_one_key_at_a_time (3) => one query and one key at a time, which is less than a tile: blocks are as large as block_size says
def flash_attention(q, k, v, block_size=64, causal=False):
    outs = []
    block_size = 1
    scale = q.shape[-1] ** -0.5
    for i in range(0, q.shape[-2], block_size):
        rows = q[..., i:i + block_size, :] * scale
        m = rows.new_full((*rows.shape[:-1], 1), -torch.inf)
        s = torch.zeros_like(m)
        o = rows.new_zeros((*rows.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            t = rows @ k[..., j:j + block_size, :].mT
            if causal:
                a = torch.arange(i, i + t.shape[-2], device=q.device)[:, None]
                c = torch.arange(j, j + t.shape[-1], device=q.device)
                t = t.masked_fill(c > a, -torch.inf)
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e = (t - new).exp()
            f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True)
            o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outs.append(o / s)
    return torch.cat(outs, -2)

# %% wrong: three_leading_dimensions_flattened (1) => leading dimensions were joined: any number of them stays as it is
def flash_attention(q, k, v, block_size=64, causal=False):
    outs = []
    scale = q.shape[-1] ** -0.5
    for i in range(0, q.shape[-2], block_size):
        rows = q[..., i:i + block_size, :] * scale
        m = rows.new_full((*rows.shape[:-1], 1), -torch.inf)
        s = torch.zeros_like(m)
        o = rows.new_zeros((*rows.shape[:-1], v.shape[-1]))
        for j in range(0, k.shape[-2], block_size):
            if causal and j > i:
                break
            t = rows @ k[..., j:j + block_size, :].mT
            if causal:
                a = torch.arange(i, i + t.shape[-2], device=q.device)[:, None]
                c = torch.arange(j, j + t.shape[-1], device=q.device)
                t = t.masked_fill(c > a, -torch.inf)
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e = (t - new).exp()
            f = (m - new).exp()
            s = s * f + e.sum(-1, keepdim=True)
            o = o * f + e @ v[..., j:j + block_size, :]
            m = new
        outs.append(o / s)
    output = torch.cat(outs, -2)
    return output.flatten(0, 1) if output.dim() > 4 else output

# %% wrong: adds_minus_1e9_to_the_future (2) => a number was added to hidden scores, and a very large one stays above the others: put -inf in its place, do not add a number
def flash_attention(q, k, v, block_size=64, causal=False):
    out = []
    for first in range(0, q.shape[-2], block_size):
        qb = q[..., first:first + block_size, :] / math.sqrt(q.shape[-1])
        last = first + qb.shape[-2]
        m = torch.full((*qb.shape[:-1], 1), -math.inf, dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = 0.0
        for start in range(0, last if causal else k.shape[-2], block_size):
            kb, vb = k[..., start:start + block_size, :], v[..., start:start + block_size, :]
            scores = qb @ kb.transpose(-2, -1)
            if causal:
                i = torch.arange(first, last, device=q.device)[:, None]
                j = torch.arange(start, start + kb.shape[-2], device=q.device)
                scores = scores + (j > i).to(q.dtype) * -1e9
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            e, factor = (scores - new).exp(), (m - new).exp()
            s, o, m = s * factor + e.sum(-1, keepdim=True), o * factor + e @ vb, new
        out.append(o / s)
    return torch.cat(out, dim=-2)

# %% wrong: keeps_the_causal_tiles (3) -> kept in a list
def flash_attention(q, k, v, block_size=64, causal=False):
    out, tiles = [], []
    for first in range(0, q.shape[-2], block_size):
        qb = q[..., first:first + block_size, :] / math.sqrt(q.shape[-1])
        last = first + qb.shape[-2]
        m = torch.full((*qb.shape[:-1], 1), -math.inf, dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = 0.0
        for start in range(0, last if causal else k.shape[-2], block_size):
            kb, vb = k[..., start:start + block_size, :], v[..., start:start + block_size, :]
            scores = qb @ kb.transpose(-2, -1)
            if causal:
                i = torch.arange(first, last, device=q.device)[:, None]
                j = torch.arange(start, start + kb.shape[-2], device=q.device)
                scores = scores.masked_fill(j > i, -math.inf)
                tiles.append(scores)
            new = torch.maximum(m, scores.amax(-1, keepdim=True))
            e, factor = (scores - new).exp(), (m - new).exp()
            s, o, m = s * factor + e.sum(-1, keepdim=True), o * factor + e @ vb, new
        out.append(o / s)
    return torch.cat(out, dim=-2)

# %% wrong: as_many_keys_as_queries (1, 2) => the numbers of queries, keys and value features may differ: the output is as wide as the values
def flash_attention(q, k, v, block_size=64, causal=False):
    rows, seq = [], q.shape[-2]
    for a in range(0, seq, block_size):
        qb = q[..., a:a + block_size, :] / math.sqrt(q.shape[-1])
        m = torch.full_like(qb[..., :1], float("-inf"))
        s, o = torch.zeros_like(m), torch.zeros_like(qb)
        for b in range(0, a + 1 if causal else seq, block_size):
            kb, vb = k[..., b:b + block_size, :], v[..., b:b + block_size, :]
            t = qb @ kb.transpose(-2, -1)
            if causal and b == a:
                hidden = torch.ones(t.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
                t = t.masked_fill(hidden, float("-inf"))
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e, f = (t - new).exp(), (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ vb, new
        rows.append(o / s)
    return torch.cat(rows, -2)

# %% wrong: view_of_leading_dimensions (1) => inputs that are not contiguous in memory have no such view: reshape takes them
def flash_attention(q, k, v, block_size=64, causal=False):
    lead = q.shape[:-2]
    q, k, v = (x.view(-1, *x.shape[-2:]) for x in (q, k, v))
    rows = []
    for a in range(0, q.shape[-2], block_size):
        qb = q[:, a:a + block_size] / math.sqrt(q.shape[-1])
        m = torch.full_like(qb[..., :1], float("-inf"))
        s, o = torch.zeros_like(m), 0.0
        for b in range(0, k.shape[-2], block_size):
            if causal and b > a:
                break
            kb, vb = k[:, b:b + block_size], v[:, b:b + block_size]
            t = qb @ kb.transpose(-2, -1)
            if causal and b == a:
                hidden = torch.ones(t.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
                t = t.masked_fill(hidden, float("-inf"))
            new = torch.maximum(m, t.amax(-1, keepdim=True))
            e, f = (t - new).exp(), (m - new).exp()
            s, o, m = s * f + e.sum(-1, keepdim=True), o * f + e @ vb, new
        rows.append(o / s)
    return torch.cat(rows, -2).view(*lead, q.shape[-2], v.shape[-1])

# %% wrong: no_grad (1) => no gradient can reach q, k and v: was all computed under torch.no_grad(), or detached?
@torch.no_grad()
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: maximum_copied_in_place (1, 2) => something that the backward pass needs was changed in place: make new tensors for m, s and o in each tile
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m.copy_(new)
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: q_scaled_in_place (1, 2) => q was changed in place: leave the inputs alone
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    q *= scale
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :]
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: root_in_float32 (1) => in float64 the outputs are off beyond the seventh digit: were numbers rounded to float32 on the way, as the root of torch.tensor(d_k)?
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / torch.sqrt(torch.tensor(q.size(-1)))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: epsilon_in_the_sum (1) => in float64 the outputs are off: was a small number added to the sum?
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / (s + 1e-8))
    return torch.cat(outputs, dim=-2)

# %% wrong: causal_as_wide_as_the_keys (2) => with causal the output is as wide as the keys: it is as wide as the values
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], q.size(-1) if causal else v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, k.size(-2), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% wrong: keys_as_far_as_queries (1) => more queries than keys do not run: the numbers of queries and keys may differ
def flash_attention(q, k, v, block_size=64, causal=False):
    scale = 1.0 / math.sqrt(q.size(-1))
    outputs = []
    for i in range(0, q.size(-2), block_size):
        queries = q[..., i:i + block_size, :] * scale
        rows = queries.size(-2)
        m = torch.full((*queries.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
        s = torch.zeros_like(m)
        o = torch.zeros((*queries.shape[:-1], v.size(-1)), dtype=q.dtype, device=q.device)
        for j in range(0, max(q.size(-2), k.size(-2)), block_size):
            if causal and j > i + rows - 1:
                break
            keys, values = k[..., j:j + block_size, :], v[..., j:j + block_size, :]
            scores = queries @ keys.transpose(-2, -1)
            if causal:
                there = torch.arange(i, i + rows, device=q.device)[:, None]
                here = torch.arange(j, j + keys.size(-2), device=q.device)
                scores = scores.masked_fill(here > there, float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            factor = (m - new).exp()
            e = (scores - new).exp()
            s = s * factor + e.sum(dim=-1, keepdim=True)
            o = o * factor + e @ values
            m = new
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)
