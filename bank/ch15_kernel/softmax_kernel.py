# %% right: one_load
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_the_load (1) -> reads X at 67
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_the_store (1) -> both write Y[2, 0]
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0))


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_mask_at_all (1) -> both write Y[2, 0]
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0))


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: other_is_zero (1) => places beyond the row's end were counted as scores of 0, and e⁰ is 1: with other=-inf they have no weight
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=0.0).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_other (1) => all is NaN: what a masked load leaves out is undefined without other, and it came into the maximum or the sum
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_one_too_far (1) -> reads X at 65
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols <= n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: last_number_left_out (1) => the last number of each row was not counted: a row ends before n
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n - 1, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: last_place_not_written (1) -> numbers of Y were never written
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n - 1)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: rows_as_far_apart_as_blocks (1) -> reads X at 76
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * BLOCK + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * BLOCK + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_forgotten_at_the_load (1) => every program read the first row: row 3 begins 3 * n numbers after X
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_forgotten_at_the_store (1, 2) -> both write Y[0, 0]
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: row_for_its_start (1, 2) -> both write Y[0, 2]
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: start_of_the_next_row (1, 2) -> reads X at 95
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0) + 1, tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: arange_to_n (1, 2) -> tl.arange needs sizes that are known before the kernel runs
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, n)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: arange_one_short (1, 2) -> a power of two of numbers; tl.arange(0, 15) has 15
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK - 1)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: half_a_block (1) -> numbers of Y were never written
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK // 2)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: torch_exp (1, 2) -> torch.exp does not run inside a kernel: use tl
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = torch.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: torch_softmax (1, 2) -> torch.softmax does not run inside a kernel: use tl
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf"))
    tl.store(Y + row * n + cols, torch.softmax(x, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: pointer_not_loaded (1, 2) -> tl.max needs numbers: tl.load brings them
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = X + row * n + cols
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: indexed_like_a_tensor (1, 2) -> tl.load(X + ...) brings its numbers
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = X[row, :]
    e = tl.exp(x - tl.max(x, 0))
    Y[row, :] = e / tl.sum(e, 0)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: no_maximum (1) => e to the power of a large score is infinite: take the row's maximum off first
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: maximum_of_the_numbers_written_in (1) => e to the power of a large score is infinite: take the row's maximum off first
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - 10.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: minimum_taken_off (1) => e to the power of a large score is infinite: take the row's maximum off first
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mean_taken_off (1) => e to the power of a large score is infinite: take the row's maximum off first
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: divided_by_the_maximum (1) => the exponentials were not divided by their sum, so that a row does not add up to 1
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.max(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: not_divided (1) => the exponentials were not divided by their sum, so that a row does not add up to 1
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: divided_by_n (1) => the exponentials were divided by n, not by their sum
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / n, mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: scores_divided_by_their_sum (1) => the scores themselves were divided by their sum: softmax takes e to the power of each first
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.where(cols < n, x, 0.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: powers_of_two (1) => powers of 2 were taken, not of e: tl.exp, or tl.exp2 of x · log₂ e
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp2(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: log2e_the_wrong_way (1) => powers of 2 of x · ln 2 were taken: tl.exp2 wants x · log₂ e, 1.4427 x
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: logarithm_stored (1) => the logarithm of softmax was stored
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: maximum_not_put_back (1) => the maximum was taken off for the sum, and not for the exponentials above it
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_1_of_a_row (1, 2) -> tl.max along axis 1
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 1))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_0_of_one_row (1) => every number is 1: maximum and sum ran along the axis that has one place, not along the row
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) + tl.arange(0, 1)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    x = tl.load(X + row * n + col, mask=col < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0, keep_dims=True))
    tl.store(Y + row * n + col, e / tl.sum(e, 0, keep_dims=True), mask=col < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: sum_over_the_whole_block_of_masked_zeros (1) => places beyond the row's end were counted as scores of 0, and e⁰ is 1: with other=-inf they have no weight
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: halves_with_a_sum_each (1) => each half of a row adds up to 1: the sum is one for the whole row
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: halves_with_a_maximum_each (1) => two parts of a row had a maximum each taken off: it must be the same number for the whole row
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: second_half_not_stored (1) -> numbers of Y were never written
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: stored_over_x (1) => nothing came to Y: it is what tl.store has to write to
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(X + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: nothing_stored (1) => nothing came to Y: it is what tl.store has to write to
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    return


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: returned_not_stored (1) => nothing came to Y: it is what tl.store has to write to
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    return e / tl.sum(e, 0)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: every_program_every_row (1, 2) -> both write Y[0, 0]: which number stays is chance
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    for row in range(tl.num_programs(0)):
        x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf"))
        e = tl.exp(x - tl.max(x, 0))
        tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: added_with_atomic_add (1) => nothing came to Y: it is what tl.store has to write to
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.atomic_add(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: if_on_a_block (1, 2) -> if, while, and, or, not ask one question
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    if cols < n:
        x = tl.load(X + row * n + cols).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_with_and (1, 2) -> if, while, and, or, not ask one question
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols >= 0 and cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: mask_a_number (1, 2) -> a mask is true or false, this one is int32
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=n - cols, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: rounded_to_half (1) => the numbers were rounded to float16 on the way: compute in float32
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float16)
    e = tl.exp((x - tl.max(x, 0)).to(tl.float32))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: axis_the_other_program_id (1, 2) -> both write Y[0, 0]: which number stays is chance
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(1), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: softmax_of_the_negative (1) => the largest score has the smallest weight: the sign is turned round
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(tl.min(tl.where(cols < n, x, float("inf")), 0) - x)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: columns_of_a_matrix (1) => softmax went down the columns, not along the rows
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row + cols * tl.num_programs(0), mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row + cols * tl.num_programs(0), e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_twice (2) => each number was read twice: the block that one tl.load brought is still there
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    seen = cols < n
    m = tl.max(tl.load(X + row * n + cols, mask=seen, other=float("-inf")), 0)
    e = tl.exp(tl.load(X + row * n + cols, mask=seen, other=float("-inf")) - m)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=seen)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_three_times (2) => each number was read three times: the block that one tl.load brought is still there
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: number_by_number (2) => one number was moved at a time, and a sector of 32 bytes with each
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * n
    m = -1e30
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: written_twice (2) => each number was written twice: first unfinished, then divided
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e, mask=cols < n)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: through_memory (2) => what was not finished yet was written to Y, and read again from there: keep it in the block
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    tl.store(Y + row * n + cols, tl.exp(x - tl.max(x, 0)), mask=cols < n)
    e = tl.load(Y + row * n + cols, mask=cols < n, other=0.0)
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: in_pieces_of_sixteen (2) => each number was read twice: the block that one tl.load brought is still there
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: read_twice_without_a_maximum (1, 2) -> e to the power of a large score is infinite
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    seen = cols < n
    s = tl.sum(tl.exp(tl.load(X + row * n + cols, mask=seen, other=float("-inf"))), 0)
    x = tl.load(X + row * n + cols, mask=seen, other=float("-inf"))
    tl.store(Y + row * n + cols, tl.exp(x) / s, mask=seen)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: minimum_for_the_maximum (1) => the smallest number of the row was taken off in place of the largest
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.min(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% wrong: ten_thousand_below (1) => a place beyond the row's end has a weight where the scores are as low as its other: with -inf it has none
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * n + cols, mask=cols < n, other=-1e4).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=cols < n)


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts
