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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_forgotten_for_s (1) => the sum s was not multiplied by the factor when the maximum rose: s and o both are
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_forgotten_for_o (1) => the output o was not multiplied by the factor when the maximum rose: s and o both are
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_upside_down (1) => the factor is upside down: it is e to the power of the old maximum minus the new one
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: maximum_of_the_tile_only (1) => the maximum of one tile took the place of a larger one: it is the larger of the tile's and the one so far
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: maximum_not_kept (1) => m was not replaced by the new maximum, so that every tile threw away what was kept before it
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: tiles_softmaxed_and_added (1) => each tile was divided by its own sum: the sum runs over all tiles, and is divided by at the end
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_division (1) => the output was not divided by the sum s
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: divided_in_every_tile (1) => the output was divided by s in every tile: it is divided once, after the loop
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: scale_forgotten (1) => the scores were not multiplied by scale
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: divided_by_the_scale (1) => the scores were divided by scale: they are multiplied by it
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: scaled_twice (1) => the scores were multiplied by scale twice
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_trans (1, 2, 3) -> is a tl.trans missing
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: keys_for_values (1) => keys were averaged, not values: v was loaded from K
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: values_for_keys (1) => queries were compared with values, not with keys: k was loaded from V
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: k_v_without_a_mask (1) -> is a mask missing
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: q_without_a_mask (1) -> is a mask missing
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: store_without_a_mask (1) -> both write
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: padding_seen (1) => places beyond the last key were counted as keys with a score of 0
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_other_for_v (1) => v has NaN where the mask leaves out places and other is missing, and a weight of 0 does not undo a NaN
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: masked_scores_are_zero (1) => a masked score was set to 0, and e⁰ counts: -inf has no weight
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: masked_after_exp_only (1) => a hidden score counts in the maximum: where all others are far below it, no weight is left
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten (1, 2, 3) -> both write
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten_in_k (1) => all heads read the keys of the first one
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_forgotten_in_v (1) => all heads read the values of the first one
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: head_times_d (1, 2, 3) -> both write
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: program_ids_swapped (1, 2, 3) -> numbers of O were never written
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: rows_without_the_block (1, 2, 3) -> both write
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: blocks_as_wide_as_tiles (1, 2, 3) -> both write
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: start_forgotten_in_cols (1) => every turn of the loop read the first tile of keys: start has to be in it
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: steps_of_rows (1) => the loop goes on by ROWS: keys come in blocks of COLS
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: stops_at_whole_tiles (1, 2) => the last keys, which fill no whole tile, were left out
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: first_tile_skipped (1) => the first tile of keys was left out
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: only_the_first_tile (1) => only the first tile of keys was read
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: m_zero (1) => the maximum begins at 0: where all scores are far below it, no weight is left
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: m_a_python_number (1, 2, 3) -> before a turn of the loop
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: s_of_two_sides (1, 2, 3) -> before a turn of the loop
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: factor_without_a_side (1, 2, 3) -> add a side with [:, None]
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: o_of_n_rows (1, 2, 3) -> sizes that are known before the kernel runs
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: weights_not_of_the_values_dtype (1) -> tl.dot takes two blocks of one type
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: torch_exp (1, 2, 3) -> torch.exp does not run inside a kernel
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: math_exp (1, 2, 3) -> float() and math take Python's numbers
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: store_in_the_loop (3) => the output is stored in every turn of the loop: once, after it, is enough
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_maximum (1) => e to the power of a large score is infinite: take the running maximum off first
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: exp2_of_natural_scores (1) => powers of 2 were taken, not of e: tl.exp, or tl.exp2 of x · log₂ e
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: exp2_for_the_factor_only (1) => the factor is a power of 2, and the exponentials are powers of e
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: stored_into_q (1) => nothing came to O: it is what tl.store has to write to
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: nothing_stored (1) => nothing came to O: it is what tl.store has to write to
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: output_of_the_last_tile (1) => o holds only the last tile: what was kept, times the factor, has to be added
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: sum_of_the_last_tile (1) => s holds only the last tile: what was kept, times the factor, has to be added
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: value_pointer_not_moved (1) => the values of the first tile came again in every turn, and the keys moved on
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: key_pointer_not_moved (1) => the keys of the first tile came again in every turn, and the values moved on
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: backwards_with_nan (2) => NaN: in some tile a query sees no key, and -inf was taken from -inf
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_not_asked (2) => with CAUSAL later keys have a say: no score of a later key was set to -inf
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_always (1) => CAUSAL is False and later keys are hidden nevertheless
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_the_wrong_way (2) => with CAUSAL the earlier keys are hidden, and the later ones seen: turn the comparison round
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: own_key_hidden (2) => with CAUSAL a query does not see its own key
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: one_key_too_far (2) => with CAUSAL a query sees one key that stands after it
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_with_local_rows (2) => with CAUSAL the rows are counted from the block's beginning, and the keys from the text's
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_with_local_cols (2) => with CAUSAL the keys are counted from the tile's beginning, and the rows from the text's
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_by_blocks (2) => with CAUSAL each query sees all keys of its block, also those after it
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_sides_swapped (2) -> do not fit together
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_ends_a_block_early (2) => with CAUSAL the loop ends before the block's own keys
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_ends_at_the_block_s_first_row (2) => with CAUSAL the loop ends with the keys of the block's first row
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_reads_past_the_diagonal (2) => with CAUSAL all tiles are read: the loop ends with the block's own last query
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_one_block_too_far (2) => with CAUSAL the loop ends too late: the last key that counts is the block's own last query
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: causal_limit_always (1) => without CAUSAL the loop ends at the diagonal, too
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: break_at_the_diagonal (1, 2, 3) -> Triton's language has no break
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: queries_read_in_every_tile (3) => the queries were loaded in every turn of the loop: once, before it, is enough
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: keys_read_twice (3) => keys were read twice for each block of queries: a running maximum needs one pass
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: row_by_row (3) => every query read the keys and values anew: the ROWS queries of a block share them
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: outputs_in_memory (3) => the unfinished output was stored and loaded again in every turn of the loop: keep it in fast memory
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: whole_keys_of_the_head_at_once (3) -> the largest block 32,768 of 16,384 bytes
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: one_tile_more_when_it_fits (2) -> tiles beyond the diagonal are read
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: no_scale_and_causal_reads_past (1, 2) => the scores were not multiplied by scale
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: masked_scores_a_thousand_below (1) => a masked score was set to -1000: where all others are lower, it counts; -inf never does
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
        scores = tl.where(seen, scores, -1000.0)
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% wrong: output_in_float16 (1) => the output was kept in float16, which ends at 65,504: keep it in float32
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    q = tl.load(Q + here + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float16)
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
        o = (o * factor[:, None] + tl.dot(e.to(v.dtype), v)).to(tl.float16)
        m = new_m
    tl.store(O + here + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts
