# %% right: one_load
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: exp2_of_the_scaled_row
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    LOG2E: tl.constexpr = 1.4426950408889634
    at = tl.arange(0, BLOCK)
    inside = at < n
    row = tl.load(X + tl.program_id(0) * n + at, mask=inside, other=float("-inf"))
    row = row.to(tl.float32) * LOG2E
    powers = tl.exp2(row - tl.max(row, axis=0))
    tl.store(Y + tl.program_id(0) * n + at, powers / tl.sum(powers, axis=0), mask=inside)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: mask_after_the_load
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    there = i < n
    x = tl.load(X + tl.program_id(0) * n + i, mask=there, other=0.0).to(tl.float32)
    top = tl.max(tl.where(there, x, float("-inf")), 0)
    e = tl.where(there, tl.exp(x - top), 0.0)
    tl.store(Y + tl.program_id(0) * n + i, e * (1.0 / tl.sum(e, 0)), mask=there)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: through_the_logarithm
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    X += tl.program_id(0) * n
    Y += tl.program_id(0) * n
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < n, other=-float("inf")).to(tl.float32)
    m = tl.max(x)
    log_sum = m + tl.log(tl.sum(tl.exp(x - m)))
    tl.store(Y + cols, tl.exp(x - log_sum), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: a_block_of_one_row
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) + tl.arange(0, 1)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    x = tl.load(X + row * n + col, mask=col < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 1, keep_dims=True))
    tl.store(Y + row * n + col, e / tl.sum(e, 1, keep_dims=True), mask=col < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: two_halves_kept
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    # the row in two halves that both stay here: the maximum and the sum are joined; a half
    # is a sector at least, so a short row is a half, and nothing is left for the other one
    HALF: tl.constexpr = BLOCK // 2 if BLOCK > 16 else BLOCK
    start = tl.program_id(0) * n
    one = tl.arange(0, HALF)
    two = HALF + tl.arange(0, HALF)
    a = tl.load(X + start + one, mask=one < n, other=float("-inf")).to(tl.float32)
    b = tl.load(X + start + two, mask=two < n, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(a, 0), tl.max(b, 0))
    a, b = tl.exp(a - m), tl.exp(b - m)
    s = tl.sum(a, 0) + tl.sum(b, 0)
    tl.store(Y + start + one, a / s, mask=one < n)
    tl.store(Y + start + two, b / s, mask=two < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% right: masked_by_the_end_of_the_row
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * n
    at = first + tl.arange(0, BLOCK)
    mine = at < first + n
    x = tl.load(X + at, mask=mine, other=-1e30).to(tl.float32)
    shifted = x - tl.max(x, 0)
    tl.store(Y + at, tl.exp(shifted) / tl.sum(tl.exp(shifted), 0), mask=mine)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_the_load (1, 2) -> reads X at
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_the_store (1, 2) ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0))


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_all (1, 2) ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0))


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: other_is_zero (1) => beside the row's end, places count as a score of 0: e^0 is not nothing; other=-inf
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=0.0).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_other (1) ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_one_too_far (1, 2) ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols <= n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: last_number_left_out ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n - 1, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: last_place_not_written ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n - 1)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: rows_as_far_apart_as_blocks ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * BLOCK + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * BLOCK + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_forgotten_at_the_load ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_forgotten_at_the_store -> both write
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_for_its_start ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: start_of_the_next_row ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0) + 1, tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: arange_to_n -> known before the kernel runs
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, n)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: arange_one_short -> power of two
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK - 1)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: half_a_block ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK // 2)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: torch_exp -> does not run inside a kernel
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = torch.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: torch_softmax -> does not run inside a kernel
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf"))
    tl.store(Y + row * n + cols, torch.softmax(x, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: pointer_not_loaded -> tl.load
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = X + row * n + cols
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: indexed_like_a_tensor ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = X[row, :]
    e = tl.exp(x - tl.max(x, 0))
    Y[row, :] = e / tl.sum(e, 0)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_maximum => large scores overflow: the row's maximum was not taken off
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: maximum_of_the_numbers_written_in => large
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - 10.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: minimum_taken_off ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    there = i < n
    x = tl.load(X + tl.program_id(0) * n + i, mask=there, other=0.0).to(tl.float32)
    top = tl.min(tl.where(there, x, float("inf")), 0)
    e = tl.where(there, tl.exp(x - top), 0.0)
    tl.store(Y + tl.program_id(0) * n + i, e * (1.0 / tl.sum(e, 0)), mask=there)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mean_taken_off ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    there = i < n
    x = tl.load(X + tl.program_id(0) * n + i, mask=there, other=0.0).to(tl.float32)
    top = tl.sum(x, 0) / n
    e = tl.where(there, tl.exp(x - top), 0.0)
    tl.store(Y + tl.program_id(0) * n + i, e * (1.0 / tl.sum(e, 0)), mask=there)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: divided_by_the_maximum => divided by the largest of the powers, not by their sum
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.max(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: not_divided => the powers were not divided by their sum
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: divided_by_n => divided by n, not by the sum
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / n, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: scores_divided_by_their_sum => the scores were divided by their sum without e^x
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.where(cols < n, x, 0.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: powers_of_two => powers of 2, not of e: exp2 takes x times log2(e)
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp2(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: log2e_the_wrong_way ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    LOG2E: tl.constexpr = 0.6931471805599453
    at = tl.arange(0, BLOCK)
    inside = at < n
    row = tl.load(X + tl.program_id(0) * n + at, mask=inside, other=float("-inf"))
    row = row.to(tl.float32) * LOG2E
    powers = tl.exp2(row - tl.max(row, axis=0))
    tl.store(Y + tl.program_id(0) * n + at, powers / tl.sum(powers, axis=0), mask=inside)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: logarithm_stored => the logarithm of softmax was stored
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    X += tl.program_id(0) * n
    Y += tl.program_id(0) * n
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < n, other=-float("inf")).to(tl.float32)
    m = tl.max(x)
    log_sum = m + tl.log(tl.sum(tl.exp(x - m)))
    tl.store(Y + cols, x - log_sum, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: maximum_not_put_back ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    X += tl.program_id(0) * n
    Y += tl.program_id(0) * n
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < n, other=-float("inf")).to(tl.float32)
    m = tl.max(x)
    log_sum = tl.log(tl.sum(tl.exp(x - m)))
    tl.store(Y + cols, tl.exp(x - log_sum), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_1_of_a_row ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 1))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_0_of_one_row ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) + tl.arange(0, 1)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    x = tl.load(X + row * n + col, mask=col < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0, keep_dims=True))
    tl.store(Y + row * n + col, e / tl.sum(e, 0, keep_dims=True), mask=col < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: sum_over_the_whole_block_of_masked_zeros =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    there = i < n
    x = tl.load(X + tl.program_id(0) * n + i, mask=there, other=0.0).to(tl.float32)
    top = tl.max(tl.where(there, x, float("-inf")), 0)
    e = tl.exp(x - top)
    tl.store(Y + tl.program_id(0) * n + i, e * (1.0 / tl.sum(e, 0)), mask=there)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: maximum_with_the_zeros_beside
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    there = i < n
    x = tl.load(X + tl.program_id(0) * n + i, mask=there, other=0.0).to(tl.float32)
    top = tl.max(x, 0)
    e = tl.where(there, tl.exp(x - top), 0.0)
    tl.store(Y + tl.program_id(0) * n + i, e * (1.0 / tl.sum(e, 0)), mask=there)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: halves_with_a_sum_each =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    # the row in two halves that both stay here: the maximum and the sum are joined; a half
    # is a sector at least, so a short row is a half, and nothing is left for the other one
    HALF: tl.constexpr = BLOCK // 2 if BLOCK > 16 else BLOCK
    start = tl.program_id(0) * n
    one = tl.arange(0, HALF)
    two = HALF + tl.arange(0, HALF)
    a = tl.load(X + start + one, mask=one < n, other=float("-inf")).to(tl.float32)
    b = tl.load(X + start + two, mask=two < n, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(a, 0), tl.max(b, 0))
    a, b = tl.exp(a - m), tl.exp(b - m)
    s = tl.sum(a, 0) + tl.sum(b, 0)
    tl.store(Y + start + one, a / tl.sum(a, 0), mask=one < n)
    tl.store(Y + start + two, b / tl.sum(b, 0), mask=two < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: halves_with_a_maximum_each ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    # the row in two halves that both stay here: the maximum and the sum are joined; a half
    # is a sector at least, so a short row is a half, and nothing is left for the other one
    HALF: tl.constexpr = BLOCK // 2 if BLOCK > 16 else BLOCK
    start = tl.program_id(0) * n
    one = tl.arange(0, HALF)
    two = HALF + tl.arange(0, HALF)
    a = tl.load(X + start + one, mask=one < n, other=float("-inf")).to(tl.float32)
    b = tl.load(X + start + two, mask=two < n, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(a, 0), tl.max(b, 0))
    a, b = tl.exp(a - tl.max(a, 0)), tl.exp(b - tl.max(b, 0))
    s = tl.sum(a, 0) + tl.sum(b, 0)
    tl.store(Y + start + one, a / s, mask=one < n)
    tl.store(Y + start + two, b / s, mask=two < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: second_half_not_stored ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    # the row in two halves that both stay here: the maximum and the sum are joined; a half
    # is a sector at least, so a short row is a half, and nothing is left for the other one
    HALF: tl.constexpr = BLOCK // 2 if BLOCK > 16 else BLOCK
    start = tl.program_id(0) * n
    one = tl.arange(0, HALF)
    two = HALF + tl.arange(0, HALF)
    a = tl.load(X + start + one, mask=one < n, other=float("-inf")).to(tl.float32)
    b = tl.load(X + start + two, mask=two < n, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(a, 0), tl.max(b, 0))
    a, b = tl.exp(a - m), tl.exp(b - m)
    s = tl.sum(a, 0) + tl.sum(b, 0)
    tl.store(Y + start + one, a / s, mask=one < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: stored_over_x ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(X + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: nothing_stored ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    return


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: returned_not_stored ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    return e / tl.sum(e, 0)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: every_program_every_row -> both write
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    for row in range(tl.num_programs(0)):
        x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf"))
        e = tl.exp(x - tl.max(x, 0))
        tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: added_with_atomic_add ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.atomic_add(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: if_on_a_block -> tl.where
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    if cols < n:
        x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_with_and ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols >= 0 and cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_a_number -> a mask is true or false
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=n - cols, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: rounded_to_half =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float16)
    e = tl.exp((x - tl.max(x, 0)).to(tl.float32))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_the_other_program_id ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(1), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: softmax_of_the_negative
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(tl.min(tl.where(cols < n, x, float("inf")), 0) - x)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: columns_of_a_matrix
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row + cols * tl.num_programs(0), mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row + cols * tl.num_programs(0), e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_twice (2) => each number was read twice
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    seen = cols < n
    m = tl.max(tl.load(X + row * n + cols, mask=seen, other=float("-inf")), 0)
    e = tl.exp(tl.load(X + row * n + cols, mask=seen, other=float("-inf")) - m)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=seen)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_three_times (2) => three times
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    seen = cols < n
    m = tl.max(tl.load(X + row * n + cols, mask=seen, other=float("-inf")), 0)
    s = tl.sum(tl.exp(tl.load(X + row * n + cols, mask=seen, other=float("-inf")) - m), 0)
    x = tl.load(X + row * n + cols, mask=seen, other=float("-inf"))
    tl.store(Y + row * n + cols, tl.exp(x - m) / s, mask=seen)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: number_by_number (2) =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * n
    m = float("-inf")
    s = 0.0
    for i in range(n):
        x = tl.load(X + start + i).to(tl.float32)
        new_m = tl.maximum(m, x)
        s = s * tl.exp(m - new_m) + tl.exp(x - new_m)
        m = new_m
    for i in range(n):
        tl.store(Y + start + i, tl.exp(tl.load(X + start + i).to(tl.float32) - m) / s)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: written_twice (2) =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e, mask=cols < n)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: through_memory (2) =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    tl.store(Y + row * n + cols, tl.exp(x - tl.max(x, 0)), mask=cols < n)
    e = tl.load(Y + row * n + cols, mask=cols < n, other=0.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: in_pieces_of_sixteen (2) =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * n
    m = float("-inf")
    s = 0.0
    for first in range(0, n, 16):
        cols = first + tl.arange(0, 16)
        x = tl.load(X + start + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
        new_m = tl.maximum(m, tl.max(x, 0))
        s = s * tl.exp(m - new_m) + tl.sum(tl.exp(x - new_m), 0)
        m = new_m
    for first in range(0, n, 16):
        cols = first + tl.arange(0, 16)
        x = tl.load(X + start + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
        tl.store(Y + start + cols, tl.exp(x - m) / s, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: next_row_read_along (2) =>
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    last = tl.num_programs(0) * n
    x = tl.load(X + row * n + cols, mask=row * n + cols < last, other=0.0).to(tl.float32)
    x = tl.where(cols < n, x, float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_twice_without_a_maximum (1, 2) ->
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    seen = cols < n
    s = tl.sum(tl.exp(tl.load(X + row * n + cols, mask=seen, other=float("-inf"))), 0)
    x = tl.load(X + row * n + cols, mask=seen, other=float("-inf"))
    tl.store(Y + row * n + cols, tl.exp(x) / s, mask=seen)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts
