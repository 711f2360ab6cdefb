# %% right: reference_order
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: exp2_and_logsumexp
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    LOG2E: tl.constexpr = 1.4426950408889634
    g, d, j = tl.arange(0, GROUP), tl.arange(0, D), tl.arange(0, COLS)
    group = g[:, None] * D + d[None, :]
    q = tl.load(Q + head * GROUP * D + group)
    top = tl.full([GROUP], float("-inf"), tl.float32)
    total = tl.zeros([GROUP], tl.float32)
    out = tl.zeros([GROUP, D], tl.float32)
    begin = part * SPLIT
    count = tl.minimum(SPLIT, n - begin)
    K += (head * n + begin) * D
    V += (head * n + begin) * D
    for start in range(0, count, COLS):
        inside = start + j < count
        k = tl.load(K + (start + j)[None, :] * D + d[:, None], mask=inside[None, :], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k) * scale, float("-inf"))
        new_top = tl.maximum(top, tl.max(x, 1))
        p = tl.exp2((x - new_top[:, None]) * LOG2E)
        shrink = tl.exp2((top - new_top) * LOG2E)
        v = tl.load(V + (start + j)[:, None] * D + d[None, :], mask=inside[:, None], other=0.0)
        total = total * shrink + tl.sum(p, 1)
        out = tl.dot(p.to(v.dtype), v, acc=out * shrink[:, None])
        top = new_top
    place = head * tl.num_programs(0) + part
    tl.store(M + place * GROUP + g, top)
    tl.store(S + place * GROUP + g, total)
    tl.store(O + place * GROUP * D + group, out)


def merge(m, s, o):
    share = (m + s.log()).softmax(dim=-2)                     # of each part in the whole sum
    return ((o / s.clamp_min(1e-38)[..., None]) * share[..., None]).sum(dim=-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: while_and_a_loop_over_parts
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part = tl.program_id(0)
    head = tl.program_id(1)
    g = tl.arange(0, GROUP)[:, None]
    d = tl.arange(0, D)[None, :]
    q = tl.load(Q + (head * GROUP + g) * D + d)
    m = tl.full([GROUP, 1], float("-inf"), tl.float32)
    s = tl.zeros([GROUP, 1], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    start = part * SPLIT
    end = tl.minimum(start + SPLIT, n)
    while start < end:
        c = start + tl.arange(0, COLS)
        at = (head * n + c)[:, None] * D + d
        k = tl.load(K + at, mask=c[:, None] < end, other=0.0)
        v = tl.load(V + at, mask=c[:, None] < end, other=0.0)
        x = tl.dot(q, k.T) * scale
        x = tl.where(c[None, :] < end, x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1, keep_dims=True))
        e = tl.exp(x - new)
        s = s * tl.exp(m - new) + tl.sum(e, 1, keep_dims=True)
        o = o * tl.exp(m - new) + tl.dot(e.to(v.dtype), v)
        m = new
        start += COLS
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at * D + d, o)


def merge(m, s, o):
    parts = m.shape[-2]
    top = m[..., 0, :]
    for i in range(1, parts):
        top = torch.maximum(top, m[..., i, :])
    total, out = 0, 0
    for i in range(parts):
        factor = torch.exp(m[..., i, :] - top)
        total = total + s[..., i, :] * factor
        out = out + o[..., i, :, :] * factor[..., None]
    return out / total[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: low_number_for_no_key
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    # where a part has no key the maximum is a large negative number, and the sum 0
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    for step in tl.static_range(SPLIT // COLS if SPLIT % COLS == 0 else SPLIT // COLS + 1):
        j = step * COLS + tl.arange(0, COLS)
        cols = part * SPLIT + j
        seen = (j < SPLIT) & (cols < n)
        at = head * n * D + cols[:, None] * D + d[None, :]
        k = tl.load(K + at, mask=seen[:, None], other=0.0)
        v = tl.load(V + at, mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        safe = tl.where(new_m == float("-inf"), 0.0, new_m)
        e = tl.exp(scores - safe[:, None])
        factor = tl.exp(m - safe)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = torch.exp(m - torch.amax(m, dim=-2, keepdim=True))
    weight = factor / (s * factor).sum(dim=-2, keepdim=True)     # (..., parts, group)
    return torch.einsum("...pg,...pgd->...gd", weight, o)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: merged_two_by_two
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(part * SPLIT + SPLIT, n)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = (cols < n) & (cols < part * SPLIT + SPLIT)
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k), input_precision="ieee") * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m0, s0, o0 = m[..., 0, :], s[..., 0, :], o[..., 0, :, :]
    for m1, s1, o1 in zip(m.unbind(-2)[1:], s.unbind(-2)[1:], o.unbind(-3)[1:]):
        top = torch.maximum(m0, m1)
        safe = torch.where(top == -math.inf, 0.0, top)
        a, b = (m0 - safe).exp(), (m1 - safe).exp()
        m0, s0, o0 = top, s0 * a + s1 * b, o0 * a[..., None] + o1 * b[..., None]
    return o0 / s0[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: merge_with_parts_last
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    # parts to the end: m, s (..., group, parts), o (..., group, d, parts)
    m, s, o = m.transpose(-2, -1), s.transpose(-2, -1), o.movedim(-3, -1)
    factor = (m - m.max(-1, keepdim=True).values).exp()
    return (o @ factor[..., None]).squeeze(-1) / (s * factor).sum(-1, keepdim=True)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% right: global_maximum_of_nonempty_parts
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    there = s > 0
    top = torch.where(there, m, torch.full_like(m, -torch.inf)).amax(-2, keepdim=True)
    factor = torch.where(there, torch.exp(m - top), torch.zeros_like(m))
    o = torch.where(there[..., None], o, torch.zeros_like(o))
    return (o * factor.unsqueeze(-1)).sum(-3) / (s * factor).sum(-2).unsqueeze(-1)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: parts_overlap (1) => each part runs on to the end of the cache: it ends where the next one begins
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = n
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: end_not_cut_at_n (1) -> is a mask missing
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = (part + 1) * SPLIT
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: part_begins_at_zero (1) => each part begins with the first key: part 3 begins with key 3 * SPLIT
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(0, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: no_mask (1) -> is a mask missing
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :])
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :])
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: seen_only_at_the_load (1) => places beyond the last key were counted as keys with a score of 0
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: no_other (1) => a number that a masked load without other left undefined came into the output
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None])
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None])
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: part_forgotten_in_m_and_s (1, 3) -> both write M[0, 0, 0]
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + head * GROUP + g, m)
    tl.store(S + head * GROUP + g, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: part_forgotten (1, 3) -> both write M[0, 0, 0]
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = head * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: head_forgotten_in_the_results (1, 3) -> both write
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = part * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: num_programs_forgotten (1, 3) -> both write
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: num_programs_of_the_other_axis (1, 3) -> both write M[0, 2, 0]
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(1) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: parts_before_heads (1) => the results of heads and parts are in each other's places: M is (kv_heads, parts, GROUP)
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (part * tl.num_programs(1) + head) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: group_forgotten_in_the_results (1, 3) -> both write
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: group_and_parts_swapped (1) => the results of parts and queries are in each other's places: M is (kv_heads, parts, GROUP)
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * GROUP + g) * tl.num_programs(0) + part
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: all_parts_into_one_o (1, 3) -> both write O
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + (head * GROUP + g)[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: added_with_atomic_add (1) => the outputs were added to what stood in O before: tl.store writes over it
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.atomic_add(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: o_divided_already (1) => o was divided by s already: merge needs it unfinished
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o / s[:, None])


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: o_divided_and_merged_so (1, 2) => o was divided by s already: merge needs it unfinished
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o / s[:, None])


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * (s * factor)[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: s_of_the_last_tile (1) => s holds only the last tile: what was kept, times the factor, has to be added
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: s_without_the_factor (1) => the sum s was not multiplied by the factor when the maximum rose: s and o both are
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: o_without_the_factor (1) => the output o was not multiplied by the factor when the maximum rose: s and o both are
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: m_of_the_last_tile (1) => m is the maximum of the last tile, not of the whole part
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.max(scores, 1)
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: logarithm_of_the_sum_for_m (1) => M holds the maximum plus the logarithm of the sum: the maximum alone is asked for
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m + tl.log(s))
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: m_and_s_swapped (1) => maximum and sum were stored in each other's places
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, s)
    tl.store(S + at, m)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: m_not_stored (1) => nothing came to M
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: s_not_stored (1) => nothing came to S
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: o_not_stored (1) => nothing came to O
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: one_query_head_stored (1) -> numbers of M were never written
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m, mask=g < 1)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: scale_forgotten (1) => the scores were not multiplied by scale
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)), float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: scaled_twice (1) => the scores were multiplied by scale twice
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: no_trans (1, 3) -> is a tl.trans missing
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, k) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: keys_for_values (1) => keys were averaged, not values: v was loaded from K
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: q_of_the_first_head (1) => all key-value heads read the queries of the first one
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: q_one_head_apart (1) => the queries of the next head were taken for D numbers on: each key-value head has GROUP of them
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: q_same_for_the_group (1) => all queries of a group are the first one
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + 0 * g[:, None] + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: head_forgotten_in_k (1) => all heads read the keys of the first one
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: head_forgotten_in_v (1) => all heads read the values of the first one
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: program_ids_swapped (1, 3) -> reads Q at
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    head, part = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: weights_not_of_the_values_dtype (1, 3) -> tl.dot takes two blocks of one type
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e, v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: maximum_over_the_group (1) => the maximum was taken over the queries, not over the keys of each
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 0))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: one_maximum_for_the_group (1) => one maximum was taken for all queries together: each has its own
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: steps_of_split (1) => only the first COLS keys of each part were read
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, SPLIT):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: whole_tiles_only (1) => the last keys, which fill no whole tile, were left out
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, part * SPLIT + (end - part * SPLIT) // COLS * COLS, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: exp2_of_natural_scores (1) => powers of 2 were taken, not of e: tl.exp, or tl.exp2 of x · log₂ e
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp2(scores - new_m[:, None])
        factor = tl.exp2(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: exp2_scores_stored (1) => the maximum was stored times log₂ e: M holds that of the scores themselves
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    LOG2E: tl.constexpr = 1.4426950408889634
    g, d, j = tl.arange(0, GROUP), tl.arange(0, D), tl.arange(0, COLS)
    group = g[:, None] * D + d[None, :]
    q = tl.load(Q + head * GROUP * D + group)
    top = tl.full([GROUP], float("-inf"), tl.float32)
    total = tl.zeros([GROUP], tl.float32)
    out = tl.zeros([GROUP, D], tl.float32)
    begin = part * SPLIT
    count = tl.minimum(SPLIT, n - begin)
    K += (head * n + begin) * D
    V += (head * n + begin) * D
    for start in range(0, count, COLS):
        inside = start + j < count
        k = tl.load(K + (start + j)[None, :] * D + d[:, None], mask=inside[None, :], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k) * (scale * LOG2E), float("-inf"))
        new_top = tl.maximum(top, tl.max(x, 1))
        p = tl.exp2(x - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        v = tl.load(V + (start + j)[:, None] * D + d[None, :], mask=inside[:, None], other=0.0)
        total = total * shrink + tl.sum(p, 1)
        out = tl.dot(p.to(v.dtype), v, acc=out * shrink[:, None])
        top = new_top
    place = head * tl.num_programs(0) + part
    tl.store(M + place * GROUP + g, top)
    tl.store(S + place * GROUP + g, total)
    tl.store(O + place * GROUP * D + group, out)


def merge(m, s, o):
    share = (m + s.log()).softmax(dim=-2)                     # of each part in the whole sum
    return ((o / s.clamp_min(1e-38)[..., None]) * share[..., None]).sum(dim=-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: split_as_the_block (1) -> a power of two of numbers; tl.arange(0, 48) has 48
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, SPLIT):
        cols = start + tl.arange(0, SPLIT)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: empty_part_counts_as_score_zero (1) => the maximum is never below 0: it begins at -inf, not at 0
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.zeros([GROUP], tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_without_a_factor (2) => sums and outputs of parts with different maxima were added as they are: each needs its factor first
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = torch.ones_like(m)
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_by_the_mean (2) => every part counts the same: one with a larger sum counts for more
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    return (o / s[..., None]).mean(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_adds_outputs (2) => the finished outputs of the parts were added
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    return (o / s[..., None]).sum(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_does_not_divide (2) => the output was not divided by the sum
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_divides_by_s_without_a_factor (2) => the outputs got their factors, and the sums did not
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / s.sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_o_without_a_factor (2) => the sums got their factors, and the outputs did not
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return o.sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_factor_upside_down (2) => the factor is upside down: it is e to the power of the part's maximum minus the largest
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m.amax(-2, keepdim=True) - m).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_maximum_over_the_group (2) => the maximum was taken over the queries, not over the parts
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-1, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_no_maximum (2) => e to the power of a large maximum is infinite, and of a very low one 0: take the largest off first
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = m.exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_maximum_of_everything_lost (2) => one maximum was taken for all queries together, and where it is far away nothing is left
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax()).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_minimum (2) => e to the power of a large maximum is infinite, and of a very low one 0: take the largest off first
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amin(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_of_shares_alone (2) => the parts were weighted by their maxima alone: their sums count, too
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = m.softmax(-2)
    return (o / s[..., None] * factor[..., None]).sum(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_factor_for_two (2) => the factor is a power of 2: it is one of e
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp2()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_nan_where_a_part_is_empty (2) => a part without a key gives 0 / 0: it has no weight, and must not be divided by its sum
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o / s[..., None] * (s * factor / (s * factor).sum(-2, keepdim=True))[..., None]).sum(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_log_of_an_empty_sum (2) => a part without a key gives 0 / 0: it has no weight, and must not be divided by its sum
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    logs = m + s.log()
    return (o / s[..., None] * (logs - logs.logsumexp(-2, keepdim=True)).exp()[..., None]).sum(-3)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_two_parts_only (2) => only the first two parts were merged
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(part * SPLIT + SPLIT, n)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = (cols < n) & (cols < part * SPLIT + SPLIT)
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k), input_precision="ieee") * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m0, s0, o0 = m[..., 0, :], s[..., 0, :], o[..., 0, :, :]
    for m1, s1, o1 in zip(m.unbind(-2)[1:2], s.unbind(-2)[1:], o.unbind(-3)[1:]):
        top = torch.maximum(m0, m1)
        safe = torch.where(top == -math.inf, 0.0, top)
        a, b = (m0 - safe).exp(), (m1 - safe).exp()
        m0, s0, o0 = top, s0 * a + s1 * b, o0 * a[..., None] + o1 * b[..., None]
    return o0 / s0[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_first_empty_gives_nan (2) => NaN: two parts without a key met, and -inf was taken from -inf
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(part * SPLIT + SPLIT, n)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = (cols < n) & (cols < part * SPLIT + SPLIT)
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k), input_precision="ieee") * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m0, s0, o0 = m[..., 0, :], s[..., 0, :], o[..., 0, :, :]
    for m1, s1, o1 in zip(m.unbind(-2)[1:], s.unbind(-2)[1:], o.unbind(-3)[1:]):
        top = torch.maximum(m0, m1)
        safe = top
        a, b = (m0 - safe).exp(), (m1 - safe).exp()
        m0, s0, o0 = top, s0 * a + s1 * b, o0 * a[..., None] + o1 * b[..., None]
    return o0 / s0[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_maximum_not_kept (2) => the maximum was not replaced by the larger one when the next part came
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(part * SPLIT + SPLIT, n)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = (cols < n) & (cols < part * SPLIT + SPLIT)
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k), input_precision="ieee") * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m0, s0, o0 = m[..., 0, :], s[..., 0, :], o[..., 0, :, :]
    for m1, s1, o1 in zip(m.unbind(-2)[1:], s.unbind(-2)[1:], o.unbind(-3)[1:]):
        top = torch.maximum(m0, m1)
        safe = torch.where(top == -math.inf, 0.0, top)
        a, b = (m0 - safe).exp(), (m1 - safe).exp()
        m0, s0, o0 = m0, s0 * a + s1 * b, o0 * a[..., None] + o1 * b[..., None]
    return o0 / s0[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_in_place (2) -> m was changed in place
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m -= m.amax(-2, keepdim=True)
    factor = m.exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_drops_the_last_part (2) => the last part was left out
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    m, s, o = m[..., :-1, :], s[..., :-1, :], o[..., :-1, :, :]
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: each_query_head_reads_the_cache (3) => the cache was read anew for each query: the GROUP queries of a key-value head share it
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    # one query head after the other: the part of the cache is read GROUP times
    part, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for g in range(GROUP):
        q = tl.load(Q + (head * GROUP + g) * D + d).to(tl.float32)
        m = float("-inf")
        s = 0.0
        o = tl.zeros([D], tl.float32)
        for start in range(part * SPLIT, end, COLS):
            cols = start + tl.arange(0, COLS)
            seen = cols < end
            tile = head * n * D + cols[:, None] * D + d[None, :]
            k = tl.load(K + tile, mask=seen[:, None], other=0.0).to(tl.float32)
            v = tl.load(V + tile, mask=seen[:, None], other=0.0).to(tl.float32)
            scores = tl.where(seen, tl.sum(q[None, :] * k, 1) * scale, float("-inf"))
            new_m = tl.maximum(m, tl.max(scores, 0))
            e = tl.exp(scores - new_m)
            s = s * tl.exp(m - new_m) + tl.sum(e, 0)
            o = o * tl.exp(m - new_m) + tl.sum(e[:, None] * v, 0)
            m = new_m
        at = (head * tl.num_programs(0) + part) * GROUP + g
        tl.store(M + at, m)
        tl.store(S + at, s)
        tl.store(O + at * D + d, o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: keys_read_for_the_maximum_first (3) => keys or values were read twice: a running maximum needs one pass
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    # first the maximum of the part, then sum and output: every key is read twice
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        m = tl.maximum(m, tl.max(scores, 1))
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        e = tl.exp(tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf")) - m[:, None])
        s += tl.sum(e, 1)
        o += tl.dot(e.to(v.dtype), v)
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: queries_read_in_every_tile (3) => the queries were loaded in every turn of the loop: once, before it, is enough
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: stored_in_every_tile (3) => m, s and o were stored in every turn of the loop: once, after it, is enough
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
        at = (head * tl.num_programs(0) + part) * GROUP + g
        tl.store(M + at, m)
        tl.store(S + at, s)
        tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: values_read_twice (3) => keys or values were read twice: a running maximum needs one pass
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: s_without_the_factor_and_merge_too (1, 2) => the sum s was not multiplied by the factor when the maximum rose: s and o both are
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = (m - m.amax(-2, keepdim=True)).exp()
    return (o * factor[..., None]).sum(-3) / s.sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: reads_twice_and_merge_without_a_factor (2, 3) => keys or values were read twice: a running maximum needs one pass
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    factor = torch.ones_like(m)
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_zeros_on_the_cpu (2) -> two devices meet
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    total = torch.zeros(s.shape[:-2] + s.shape[-1:])
    out = torch.zeros(o.shape[:-3] + o.shape[-2:])
    top = m.amax(-2)
    for i in range(m.shape[-2]):
        factor = (m[..., i, :] - top).exp()
        total = total + s[..., i, :] * factor
        out = out + o[..., i, :, :] * factor[..., None]
    return out / total[..., None]


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% wrong: merge_three_axes_only (2) -> no axis in front: it did not run
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + head * GROUP * D + g[:, None] * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    end = tl.minimum(n, (part + 1) * SPLIT)
    for start in range(part * SPLIT, end, COLS):
        cols = start + tl.arange(0, COLS)
        seen = cols < end
        k = tl.load(K + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        v = tl.load(V + head * n * D + cols[:, None] * D + d[None, :], mask=seen[:, None], other=0.0)
        scores = tl.where(seen[None, :], tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    at = (head * tl.num_programs(0) + part) * GROUP + g
    tl.store(M + at, m)
    tl.store(S + at, s)
    tl.store(O + at[:, None] * D + d[None, :], o)


def merge(m, s, o):
    heads, parts, group, d = o.shape
    factor = (m - m.max(dim=1, keepdim=True).values).exp()
    return (o * factor.view(heads, parts, group, 1)).sum(1) / (s * factor).sum(1).view(heads, group, 1)


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts
