# %% right: one_loop
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: exp2_and_keys_loaded_turned
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    first = tl.program_id(0) * ROWS
    i, j, d = first + tl.arange(0, ROWS), tl.arange(0, COLS), tl.arange(0, D)
    start_of_head = tl.program_id(1) * n * D
    at = start_of_head + i[:, None] * D + d[None, :]
    q = tl.load(Q + at, mask=i[:, None] < n, other=0.0)
    top = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    out = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(first + ROWS, n) if CAUSAL else n
    for start in range(0, end, COLS):
        key = start + j
        k_turned = tl.load(K + start_of_head + key[None, :] * D + d[:, None],
                           mask=key[None, :] < n, other=0.0)
        x = tl.dot(q, k_turned) * (scale * 1.4426950408889634)
        allowed = key[None, :] < n
        if CAUSAL:
            allowed &= key[None, :] <= i[:, None]
        x = tl.where(allowed, x, float("-inf"))
        new_top = tl.maximum(top, tl.max(x, axis=1))
        p = tl.exp2(x - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        v = tl.load(V + start_of_head + key[:, None] * D + d[None, :],
                    mask=key[:, None] < n, other=0.0)
        total = total * shrink + tl.sum(p, axis=1)
        out = tl.dot(p.to(V.dtype.element_ty), v, acc=out * shrink[:, None])
        top = new_top
    tl.store(O + at, out / total[:, None], mask=i[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: while_with_moving_pointers
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)[None, :]
    r = (block * ROWS + tl.arange(0, ROWS))[:, None]
    c = tl.arange(0, COLS)
    Q += head * n * D
    O += head * n * D
    k_at = K + head * n * D + c[:, None] * D + d
    v_at = V + head * n * D + c[:, None] * D + d
    q = tl.load(Q + r * D + d, mask=r < n, other=0.0)
    m = tl.full([ROWS, 1], float("-inf"), tl.float32)
    s = tl.zeros([ROWS, 1], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    left = n                                   # keys from here on that may be seen
    if CAUSAL:
        left = tl.minimum(n, block * ROWS + ROWS)
    while left > 0:
        inside = c < left
        k = tl.load(k_at, mask=inside[:, None], other=0.0)
        v = tl.load(v_at, mask=inside[:, None], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k.T) * scale, float("-inf"))
        if CAUSAL:
            x = tl.where(c[None, :] <= r - (tl.minimum(n, block * ROWS + ROWS) - left), x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1, keep_dims=True))
        e = tl.exp(x - new)
        s = s * tl.exp(m - new) + tl.sum(e, 1, keep_dims=True)
        o = o * tl.exp(m - new) + tl.dot(e.to(v.dtype), v)
        m = new
        k_at += COLS * D
        v_at += COLS * D
        left -= COLS
    tl.store(O + r * D + d, o / s, mask=r < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: two_loops
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    base = head * n * D
    q = tl.load(Q + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n
    whole = tl.minimum(n, block * ROWS) if CAUSAL else n
    whole = whole // COLS * COLS               # tiles before this one need no mask
    for start in range(0, whole, COLS):
        at = (start + tl.arange(0, COLS))[:, None] * D + d[None, :]
        k = tl.load(K + base + at)
        v = tl.load(V + base + at)
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    for start in range(whole, end, COLS):
        cols = start + tl.arange(0, COLS)
        at = cols[:, None] * D + d[None, :]
        k = tl.load(K + base + at, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + base + at, mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + base + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: always_divided
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # o is a finished output of the keys so far, with the logarithm of its sum
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    log_sum = tl.full([ROWS], float("-inf"), tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        inside = cols[:, None] < n
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        scores = tl.where(cols[None, :] < n, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        if CAUSAL:
            scores = tl.where(rows[:, None] >= cols[None, :], scores, float("-inf"))
        high = tl.maximum(tl.max(scores, 1), log_sum)
        both = high + tl.log(tl.exp(log_sum - high) + tl.sum(tl.exp(scores - high[:, None]), 1))
        p = tl.exp(scores - both[:, None])
        o = o * tl.exp(log_sum - both)[:, None] + tl.dot(p.to(v.dtype), v)
        log_sum = both
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: low_number_and_clamped_rows
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    LOW: tl.constexpr = -1e30
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    near = tl.minimum(rows, n - 1)             # below the last row it is read again, not written
    first = (head * n).to(tl.int64) * D
    q = tl.load(Q + first + near[:, None] * D + d[None, :])
    m = tl.full([ROWS], LOW, tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    furthest = (tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n) - 1
    for tile in range(0, tl.cdiv(furthest + 1, COLS)):
        cols = tile * COLS + tl.arange(0, COLS)
        at = tl.minimum(cols, n - 1)[:, None] * D + d[None, :]
        k, v = tl.load(K + first + at), tl.load(V + first + at)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        hidden = cols[None, :] >= n
        if CAUSAL:
            hidden = hidden | (cols[None, :] > rows[:, None])
        scores = tl.where(hidden, LOW, scores)
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.where(hidden, 0.0, tl.exp(scores - new_m[:, None]))
        s = s * tl.exp(m - new_m) + tl.sum(e, 1)
        o = o * tl.exp(m - new_m)[:, None] + tl.dot(e.to(v.dtype), v, input_precision="ieee")
        m = new_m
    tl.store(O + first + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% right: backwards_from_the_diagonal
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # any order of tiles gives the same; a row that has met no key yet has the maximum 0 taken off
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = n
    if CAUSAL:
        end = tl.minimum(n, (block + 1) * ROWS)
    tiles = tl.cdiv(end, COLS)
    for back in range(0, tiles):
        cols = (tiles - 1 - back) * COLS + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        taken = tl.where(new_m == float("-inf"), 0.0, new_m)
        e = tl.exp(scores - taken[:, None])
        factor = tl.exp(m - taken)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_forgotten_for_s =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_forgotten_for_o =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_factor =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s + tl.sum(e, 1)
        o = o + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_upside_down =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.where(m > float('-inf'), tl.exp(new_m - m), 0.0)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_from_the_new_maximum_only
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        m_old = m
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: maximum_of_the_tile_only
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.max(scores, 1)
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: maximum_not_kept =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: tiles_softmaxed_and_added =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o + tl.dot((e / tl.sum(e, 1)[:, None]).to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_division =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: divided_in_every_tile =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        o = o / s[:, None]
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: scale_forgotten => the scores were not divided
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k))
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: divided_by_the_scale =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) / scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: scaled_twice =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: scaled_after_the_mask
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores * scale - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_trans -> tl.trans
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, k) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: keys_for_values =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: values_for_keys =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: keys_for_queries =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(K + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: k_v_without_a_mask ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :])
        v = tl.load(V + here + cols[:, None] * D + d[None, :])
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: q_without_a_mask ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :])
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: store_without_a_mask ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None])


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: padding_seen =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] >= 0
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: padding_seen_when_not_causal
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        if CAUSAL:
            scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_other_for_v
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: other_minus_infinity_for_k
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=float('-inf'))
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] >= 0
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: masked_scores_are_zero =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, 0.0)
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: masked_after_exp_only
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.where(seen, tl.exp(scores - new_m[:, None]), 0.0)
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = 0
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten_in_k
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten_in_v
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten_at_the_store ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_times_d ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_times_n ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: program_ids_swapped ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(1), tl.program_id(0)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: rows_without_the_block ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: blocks_as_wide_as_tiles
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * COLS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: start_forgotten_in_cols
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: arange_rows_for_cols
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, ROWS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: steps_of_rows =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, ROWS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: stops_at_whole_tiles =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    last = last // COLS * COLS
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: first_tile_skipped
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(COLS, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: only_the_first_tile =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, COLS, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: range_counts_tiles
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, tl.cdiv(last, COLS)):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: m_zero
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.zeros([ROWS], tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: m_a_python_number ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = float("-inf")
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: s_of_two_sides ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS, 1], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: s_starts_at_one =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.full([ROWS], 1.0, tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_without_a_side ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: maximum_over_queries ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 0))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: sum_over_queries ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 0)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: o_of_n_rows ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([n, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: all_keys_in_one_block ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    d, cols = tl.arange(0, D), tl.arange(0, n)
    here = tl.program_id(1) * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    k = tl.load(K + here + cols[:, None] * D + d[None, :])
    v = tl.load(V + here + cols[:, None] * D + d[None, :])
    scores = tl.dot(q, tl.trans(k)) * scale
    e = tl.exp(scores - tl.max(scores, 1)[:, None])
    tl.store(O + here + rows[:, None] * D + d[None, :], tl.dot(e, v) / tl.sum(e, 1)[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: weights_not_of_the_values_dtype -> tl.dot takes two blocks of one type
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e, v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: at_sign_for_dot ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = (q @ tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: torch_exp -> does not run inside
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = torch.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: math_exp ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = math.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: kept_in_a_list ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    tiles = [range(0, last, COLS)]
    for start in tiles[0][0:1]:
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: store_in_the_loop
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
        tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: sums_kept_in_half_precision
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = (o * factor[:, None] + tl.dot(e.to(v.dtype), v)).to(v.dtype).to(tl.float32)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_maximum => large
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.zeros([ROWS], tl.float32)
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: exp2_of_natural_scores =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp2(scores - new_m[:, None])
        factor = tl.exp2(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: exp2_for_the_factor_only
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp2(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: log2e_left_out_of_the_scale =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    first = tl.program_id(0) * ROWS
    i, j, d = first + tl.arange(0, ROWS), tl.arange(0, COLS), tl.arange(0, D)
    start_of_head = tl.program_id(1) * n * D
    at = start_of_head + i[:, None] * D + d[None, :]
    q = tl.load(Q + at, mask=i[:, None] < n, other=0.0)
    top = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    out = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(first + ROWS, n) if CAUSAL else n
    for start in range(0, end, COLS):
        key = start + j
        k_turned = tl.load(K + start_of_head + key[None, :] * D + d[:, None],
                           mask=key[None, :] < n, other=0.0)
        x = tl.dot(q, k_turned) * scale
        allowed = key[None, :] < n
        if CAUSAL:
            allowed &= key[None, :] <= i[:, None]
        x = tl.where(allowed, x, float("-inf"))
        new_top = tl.maximum(top, tl.max(x, axis=1))
        p = tl.exp2(x - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        v = tl.load(V + start_of_head + key[:, None] * D + d[None, :],
                    mask=key[:, None] < n, other=0.0)
        total = total * shrink + tl.sum(p, axis=1)
        out = tl.dot(p.to(V.dtype.element_ty), v, acc=out * shrink[:, None])
        top = new_top
    tl.store(O + at, out / total[:, None], mask=i[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: stored_into_q ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(Q + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: nothing_stored ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    return


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: output_of_the_last_tile
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: sum_of_the_last_tile
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: pointers_moved_by_a_tile_of_numbers
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)[None, :]
    r = (block * ROWS + tl.arange(0, ROWS))[:, None]
    c = tl.arange(0, COLS)
    Q += head * n * D
    O += head * n * D
    k_at = K + head * n * D + c[:, None] * D + d
    v_at = V + head * n * D + c[:, None] * D + d
    q = tl.load(Q + r * D + d, mask=r < n, other=0.0)
    m = tl.full([ROWS, 1], float("-inf"), tl.float32)
    s = tl.zeros([ROWS, 1], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    left = n                                   # keys from here on that may be seen
    if CAUSAL:
        left = tl.minimum(n, block * ROWS + ROWS)
    while left > 0:
        inside = c < left
        k = tl.load(k_at, mask=inside[:, None], other=0.0)
        v = tl.load(v_at, mask=inside[:, None], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k.T) * scale, float("-inf"))
        if CAUSAL:
            x = tl.where(c[None, :] <= r - (tl.minimum(n, block * ROWS + ROWS) - left), x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1, keep_dims=True))
        e = tl.exp(x - new)
        s = s * tl.exp(m - new) + tl.sum(e, 1, keep_dims=True)
        o = o * tl.exp(m - new) + tl.dot(e.to(v.dtype), v)
        m = new
        k_at += COLS
        v_at += COLS
        left -= COLS
    tl.store(O + r * D + d, o / s, mask=r < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: value_pointer_not_moved =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)[None, :]
    r = (block * ROWS + tl.arange(0, ROWS))[:, None]
    c = tl.arange(0, COLS)
    Q += head * n * D
    O += head * n * D
    k_at = K + head * n * D + c[:, None] * D + d
    v_at = V + head * n * D + c[:, None] * D + d
    q = tl.load(Q + r * D + d, mask=r < n, other=0.0)
    m = tl.full([ROWS, 1], float("-inf"), tl.float32)
    s = tl.zeros([ROWS, 1], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    left = n                                   # keys from here on that may be seen
    if CAUSAL:
        left = tl.minimum(n, block * ROWS + ROWS)
    while left > 0:
        inside = c < left
        k = tl.load(k_at, mask=inside[:, None], other=0.0)
        v = tl.load(v_at, mask=inside[:, None], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k.T) * scale, float("-inf"))
        if CAUSAL:
            x = tl.where(c[None, :] <= r - (tl.minimum(n, block * ROWS + ROWS) - left), x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1, keep_dims=True))
        e = tl.exp(x - new)
        s = s * tl.exp(m - new) + tl.sum(e, 1, keep_dims=True)
        o = o * tl.exp(m - new) + tl.dot(e.to(v.dtype), v)
        m = new
        k_at += COLS * D
        left -= COLS
    tl.store(O + r * D + d, o / s, mask=r < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: key_pointer_not_moved =>
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)[None, :]
    r = (block * ROWS + tl.arange(0, ROWS))[:, None]
    c = tl.arange(0, COLS)
    Q += head * n * D
    O += head * n * D
    k_at = K + head * n * D + c[:, None] * D + d
    v_at = V + head * n * D + c[:, None] * D + d
    q = tl.load(Q + r * D + d, mask=r < n, other=0.0)
    m = tl.full([ROWS, 1], float("-inf"), tl.float32)
    s = tl.zeros([ROWS, 1], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    left = n                                   # keys from here on that may be seen
    if CAUSAL:
        left = tl.minimum(n, block * ROWS + ROWS)
    while left > 0:
        inside = c < left
        k = tl.load(k_at, mask=inside[:, None], other=0.0)
        v = tl.load(v_at, mask=inside[:, None], other=0.0)
        x = tl.where(inside[None, :], tl.dot(q, k.T) * scale, float("-inf"))
        if CAUSAL:
            x = tl.where(c[None, :] <= r - (tl.minimum(n, block * ROWS + ROWS) - left), x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1, keep_dims=True))
        e = tl.exp(x - new)
        s = s * tl.exp(m - new) + tl.sum(e, 1, keep_dims=True)
        o = o * tl.exp(m - new) + tl.dot(e.to(v.dtype), v)
        m = new
        v_at += COLS * D
        left -= COLS
    tl.store(O + r * D + d, o / s, mask=r < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: log_sum_forgets_the_old
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # o is a finished output of the keys so far, with the logarithm of its sum
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    log_sum = tl.full([ROWS], float("-inf"), tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        inside = cols[:, None] < n
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        scores = tl.where(cols[None, :] < n, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        if CAUSAL:
            scores = tl.where(rows[:, None] >= cols[None, :], scores, float("-inf"))
        high = tl.maximum(tl.max(scores, 1), log_sum)
        both = high + tl.log(tl.sum(tl.exp(scores - high[:, None]), 1))
        p = tl.exp(scores - both[:, None])
        o = o * tl.exp(log_sum - both)[:, None] + tl.dot(p.to(v.dtype), v)
        log_sum = both
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: first_loop_only
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    base = head * n * D
    q = tl.load(Q + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n
    whole = tl.minimum(n, block * ROWS) if CAUSAL else n
    whole = whole // COLS * COLS               # tiles before this one need no mask
    for start in range(0, whole, COLS):
        at = (start + tl.arange(0, COLS))[:, None] * D + d[None, :]
        k = tl.load(K + base + at)
        v = tl.load(V + base + at)
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    for start in range(whole, whole, COLS):
        cols = start + tl.arange(0, COLS)
        at = cols[:, None] * D + d[None, :]
        k = tl.load(K + base + at, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + base + at, mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + base + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: first_loop_to_the_end ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    base = head * n * D
    q = tl.load(Q + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n
    whole = tl.minimum(n, block * ROWS) if CAUSAL else n
    whole = whole // COLS * COLS               # tiles before this one need no mask
    for start in range(0, end, COLS):
        at = (start + tl.arange(0, COLS))[:, None] * D + d[None, :]
        k = tl.load(K + base + at)
        v = tl.load(V + base + at)
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    for start in range(end, end, COLS):
        cols = start + tl.arange(0, COLS)
        at = cols[:, None] * D + d[None, :]
        k = tl.load(K + base + at, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + base + at, mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + base + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: first_loop_past_the_diagonal
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    base = head * n * D
    q = tl.load(Q + base + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n
    whole = end
    whole = whole // COLS * COLS               # tiles before this one need no mask
    for start in range(0, whole, COLS):
        at = (start + tl.arange(0, COLS))[:, None] * D + d[None, :]
        k = tl.load(K + base + at)
        v = tl.load(V + base + at)
        scores = tl.dot(q, tl.trans(k)) * scale
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    for start in range(whole, end, COLS):
        cols = start + tl.arange(0, COLS)
        at = cols[:, None] * D + d[None, :]
        k = tl.load(K + base + at, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + base + at, mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + base + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: low_number_added_up
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    LOW: tl.constexpr = -1e30
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    near = tl.minimum(rows, n - 1)             # below the last row it is read again, not written
    first = (head * n).to(tl.int64) * D
    q = tl.load(Q + first + near[:, None] * D + d[None, :])
    m = tl.full([ROWS], LOW, tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    furthest = (tl.minimum(n, (block + 1) * ROWS) if CAUSAL else n) - 1
    for tile in range(0, tl.cdiv(furthest + 1, COLS)):
        cols = tile * COLS + tl.arange(0, COLS)
        at = tl.minimum(cols, n - 1)[:, None] * D + d[None, :]
        k, v = tl.load(K + first + at), tl.load(V + first + at)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        hidden = cols[None, :] >= n
        if CAUSAL:
            hidden = hidden | (cols[None, :] > rows[:, None])
        scores = tl.where(hidden, -10.0, scores)
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        s = s * tl.exp(m - new_m) + tl.sum(e, 1)
        o = o * tl.exp(m - new_m)[:, None] + tl.dot(e.to(v.dtype), v, input_precision="ieee")
        m = new_m
    tl.store(O + first + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: backwards_with_nan
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # any order of tiles gives the same; a row that has met no key yet has the maximum 0 taken off
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    end = n
    if CAUSAL:
        end = tl.minimum(n, (block + 1) * ROWS)
    tiles = tl.cdiv(end, COLS)
    for back in range(0, tiles):
        cols = (tiles - 1 - back) * COLS + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        taken = new_m
        e = tl.exp(scores - taken[:, None])
        factor = tl.exp(m - taken)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_not_asked => CAUSAL
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_always
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_the_wrong_way
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] <= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: own_key_hidden
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] > cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: one_key_too_far
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :] - 1)
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_with_local_rows
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (tl.arange(0, ROWS)[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_with_local_cols
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= tl.arange(0, COLS)[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_local_both
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (tl.arange(0, ROWS)[:, None] >= tl.arange(0, COLS)[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_by_blocks
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (block * ROWS + ROWS > cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_sides_swapped ->
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[None, :] >= cols[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_ends_a_block_early
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, block * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_ends_at_cols
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * COLS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_ends_at_the_block_s_first_row
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, block * ROWS + 1)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_reads_past_the_diagonal
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = n
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_one_block_too_far
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 2) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_end_not_cut_at_n
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = (block + 1) * ROWS
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_limit_always
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if block >= 0:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: break_at_the_diagonal -> break
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = n
    for start in range(0, last, COLS):
        if CAUSAL and start > block * ROWS + ROWS - 1:
            break
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: queries_read_in_every_tile
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: keys_read_twice
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # first all maxima and sums, then all outputs: no factor is needed, and all keys come twice
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        s = s * tl.exp(m - new_m) + tl.sum(tl.exp(scores - new_m[:, None]), 1)
        m = new_m
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        weights = tl.exp(scores - m[:, None]) / s[:, None]
        o += tl.dot(weights.to(v.dtype), v)
    tl.store(O + here + rows[:, None] * D + d[None, :], o, mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: row_by_row
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # one query after the other: each reads all keys and values again
    block, head = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)
    here = head * n * D
    for row in range(block * ROWS, tl.minimum(n, (block + 1) * ROWS)):
        q = tl.load(Q + here + row * D + d).to(tl.float32)
        m = float("-inf")
        s = 0.0
        o = tl.zeros([D], tl.float32)
        last = row + 1 if CAUSAL else n
        for start in range(0, last, COLS):
            cols = start + tl.arange(0, COLS)
            inside = cols[:, None] < last
            k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
            v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
            scores = tl.sum(q[None, :] * k.to(tl.float32), 1) * scale
            scores = tl.where(cols < last, scores, float("-inf"))
            new_m = tl.maximum(m, tl.max(scores, 0))
            e = tl.exp(scores - new_m)
            s = s * tl.exp(m - new_m) + tl.sum(e, 0)
            o = o * tl.exp(m - new_m) + tl.sum(e[:, None] * v.to(tl.float32), 0)
            m = new_m
        tl.store(O + here + row * D + d, o / s)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: outputs_in_memory
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # the unfinished output lies in O between two tiles
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    at, inside = here + rows[:, None] * D + d[None, :], rows[:, None] < n
    q = tl.load(Q + at, mask=inside, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    tl.store(O + at, tl.zeros([ROWS, D], tl.float32), mask=inside)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        new_s = s * tl.exp(m - new_m) + tl.sum(e, 1)
        o = tl.load(O + at, mask=inside, other=0.0).to(tl.float32)
        o = o * (s * tl.exp(m - new_m) / new_s)[:, None] + tl.dot(e.to(v.dtype), v) / new_s[:, None]
        tl.store(O + at, o, mask=inside)
        m, s = new_m, new_s


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: whole_keys_of_the_head_at_once
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    # 128 keys at once, whatever COLS says
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, 128):
        cols = start + tl.arange(0, 128)
        inside = cols[:, None] < last
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=inside, other=0.0)
        seen = cols[None, :] < last
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: values_read_when_keys_are
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: one_tile_more_when_it_fits
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last + COLS, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_scale_and_causal_reads_past
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = n
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        k = tl.load(K + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + here + cols[:, None] * D + d[None, :], mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k))
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (rows[:, None] >= cols[None, :])
        scores = tl.where(seen, scores, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: queries_and_keys_by_columns
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    first = tl.program_id(0) * ROWS
    i, j, d = first + tl.arange(0, ROWS), tl.arange(0, COLS), tl.arange(0, D)
    start_of_head = tl.program_id(1) * n * D
    at = start_of_head + i[:, None] * D + d[None, :]
    q = tl.load(Q + at, mask=i[:, None] < n, other=0.0)
    top = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    out = tl.zeros([ROWS, D], tl.float32)
    end = tl.minimum(first + ROWS, n) if CAUSAL else n
    for start in range(0, end, COLS):
        key = start + j
        k_turned = tl.load(K + start_of_head + key[None, :] * D + d[:, None],
                           mask=key[None, :] < n, other=0.0)
        k_turned = tl.load(K + start_of_head + key[None, :] * D + d[:, None], mask=key[None, :] < n, other=0.0)
        x = tl.dot(q, k_turned) * (scale * 1.4426950408889634)
        allowed = key[None, :] < n
        if CAUSAL:
            allowed &= key[None, :] <= i[:, None]
        x = tl.where(allowed, x, float("-inf"))
        new_top = tl.maximum(top, tl.max(x, axis=1))
        p = tl.exp2(x - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        v = tl.load(V + start_of_head + key[:, None] * D + d[None, :],
                    mask=key[:, None] < n, other=0.0)
        total = total * shrink + tl.sum(p, axis=1)
        out = tl.dot(p.to(V.dtype.element_ty), v, acc=out * shrink[:, None])
        top = new_top
    tl.store(O + at, out / total[:, None], mask=i[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts
