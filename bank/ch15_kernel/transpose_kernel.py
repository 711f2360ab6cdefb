# %% right: load_a_tile_turn_it
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: turned_while_loading
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # the tile as it will stand in Y: which lane asks for which place is the load's affair
    down = tl.program_id(1) * TILE + tl.arange(0, TILE)[:, None]
    along = tl.program_id(0) * TILE + tl.arange(0, TILE)[None, :]
    inside = (down < cols) & (along < rows)
    turned = tl.load(X + along * cols + down, mask=inside)
    tl.store(Y + down * rows + along, turned, mask=inside)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: stored_by_a_turned_pointer
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    r = (i * TILE + tl.arange(0, TILE))[:, None]
    c = (j * TILE + tl.arange(0, TILE))[None, :]
    there = (r < rows) & (c < cols)
    tl.store(Y + c * rows + r, tl.load(X + r * cols + c, mask=there), mask=there)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: method_T_and_moved_pointers
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    i = tl.arange(0, TILE)
    X += top * cols + left
    Y += left * rows + top
    down, across = (i < rows - top)[:, None], (i < cols - left)[None, :]
    x = tl.load(X + i[:, None] * cols + i[None, :], mask=down & across, other=0.0)
    tl.store(Y + i[:, None] * rows + i[None, :], x.T, mask=(down & across).T)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: clamped_instead_of_masked_at_the_load
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    # beyond the edge the last row and the last column are read again: no new place
    low, far = tl.minimum(r, rows - 1), tl.minimum(c, cols - 1)
    x = tl.load(X + low[:, None] * cols + far[None, :])
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c < cols)[:, None] & (r < rows)[None, :])


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: not_beyond_by_de_morgan
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    at = tl.arange(0, TILE)
    r, c = at + TILE * tl.program_id(0), at + TILE * tl.program_id(1)
    beyond = (r >= rows)[:, None] | (c >= cols)[None, :]
    x = tl.load(X + (c[None, :] + r[:, None] * cols), mask=~beyond, other=0.0)
    tl.store(Y + (r[None, :] + c[:, None] * rows), tl.trans(x), mask=tl.trans(~beyond))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% right: in_two_halves_of_rows
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a large tile in two halves: 16 numbers, even of two bytes, still fill whole sectors
    HALF: tl.constexpr = TILE // 2 if TILE > 16 else TILE
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for half in tl.static_range(TILE // HALF):
        r = tl.program_id(0) * TILE + half * HALF + tl.arange(0, HALF)
        seen = (r[:, None] < rows) & (c[None, :] < cols)
        x = tl.load(X + r[:, None] * cols + c[None, :], mask=seen, other=0.0)
        tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(seen))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: x_read_with_the_other_stride (1, 2) => a row of X was taken for rows numbers long: row r of X begins r * cols numbers after its beginning
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * rows + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: y_written_with_the_other_stride (1, 2) -> writes Y at 2465
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * cols + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: both_strides_swapped (1, 2) -> writes Y at 2465
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * rows + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * cols + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: tile_as_stride (1, 2) -> both write Y
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * TILE + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * TILE + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_trans (1) => the tiles stand at their new places, but no tile was turned: tl.trans
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], x,
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: a_copy (1) => the numbers lie as they lay in X: nothing was turned
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + r[:, None] * cols + c[None, :], x,
             mask=(r[:, None] < rows) & (c[None, :] < cols))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: turned_twice (1) => the tiles stand at their new places, but no tile was turned: tl.trans
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # the tile as it will stand in Y: which lane asks for which place is the load's affair
    down = tl.program_id(1) * TILE + tl.arange(0, TILE)[:, None]
    along = tl.program_id(0) * TILE + tl.arange(0, TILE)[None, :]
    inside = (down < cols) & (along < rows)
    turned = tl.load(X + along * cols + down, mask=inside)
    tl.store(Y + down * rows + along, tl.trans(turned), mask=inside)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: mask_with_or (1) -> reads X at 2397
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) | (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: store_mask_with_or (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) | (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: mask_with_and (1, 2) -> if, while, and, or, not ask one question
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) and (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_brackets_around_the_comparisons (1, 2) -> if, while, and, or, not ask one question
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=r[:, None] < rows & c[None, :] < cols, other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_mask_at_the_load (1) -> reads X at 2397
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_mask_at_the_store (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_masks (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: store_masks_rows_only (1) -> both write Y[48, 0]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=c[:, None] < cols)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: store_masks_columns_only (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=r[None, :] < rows)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: load_masks_rows_only (1) -> reads X at 1663
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=r[:, None] < rows, other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: load_masks_columns_only (1) -> reads X at 2397
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=c[None, :] < cols, other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: limits_swapped_at_the_load (1) -> reads X at 2382
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < cols) & (c[None, :] < rows), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: limits_swapped_at_the_store (1) -> both write Y[16, 0]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < rows) & (r[None, :] < cols))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: load_mask_for_the_store (1) -> writes Y at 2080
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(r[:, None] < rows) & (c[None, :] < cols))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: mask_one_too_far (1) -> writes Y at 1665
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    r = (i * TILE + tl.arange(0, TILE))[:, None]
    c = (j * TILE + tl.arange(0, TILE))[None, :]
    there = (r <= rows) & (c <= cols)
    tl.store(Y + c * rows + r, tl.load(X + r * cols + c, mask=there), mask=there)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: mask_one_short (1) -> numbers of Y were never written
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    r = (i * TILE + tl.arange(0, TILE))[:, None]
    c = (j * TILE + tl.arange(0, TILE))[None, :]
    there = (r < rows - 1) & (c < cols - 1)
    tl.store(Y + c * rows + r, tl.load(X + r * cols + c, mask=there), mask=there)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: one_program_id_for_both (1, 2) -> both write Y[32, 32]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: program_ids_swapped (1) -> 66 of the 1650 numbers of Y were never written
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(1) * TILE + tl.arange(0, TILE)
    c = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: program_ids_not_times_tile (1, 2) -> both write
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) + tl.arange(0, TILE)
    c = tl.program_id(1) + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: no_sides_added (1) -> reads X at 2397
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r * cols + c,
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: sides_added_the_same_way (1) => the block of places is (TILE, 1) and not (TILE, TILE): one block goes down, [:, None], the other along, [None, :]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[:, None],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: whole_matrix_in_each_program (1, 2) -> both write Y[0, 0]: which number stays is chance
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.arange(0, TILE)
    c = tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: arange_of_rows_and_cols (1, 2) -> tl.arange needs sizes that are known before the kernel runs
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r, c = tl.arange(0, rows), tl.arange(0, cols)
    x = tl.load(X + r[:, None] * cols + c[None, :])
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: trans_of_the_pointer (1, 2) -> X is a pointer
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = X + r[:, None] * cols + c[None, :]
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: torch_transpose (1, 2) -> torch.transpose does not run inside a kernel: use tl
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], torch.transpose(x, 0, 1),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: x_dot_T_of_the_tensor (1, 2) -> it has no .T
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    tl.store(Y + c[:, None] * rows + r[None, :], X.T,
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: stored_into_x (1, 2) -> in the same launch: programs run in any order
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(X + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: nothing_stored (1) => nothing came to Y: it is what tl.store has to write to
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: upper_triangle_only (1) -> numbers of Y were never written
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    if tl.program_id(0) > tl.program_id(1):
        return
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: tile_from_the_other_side (1, 2) -> reads X at 3151
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    i = tl.arange(0, TILE)
    X += left * cols + top
    Y += left * rows + top
    down, across = (i < rows - top)[:, None], (i < cols - left)[None, :]
    x = tl.load(X + i[:, None] * cols + i[None, :], mask=down & across, other=0.0)
    tl.store(Y + i[:, None] * rows + i[None, :], x.T, mask=(down & across).T)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: moved_only_one_pointer (1, 2) -> both write
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    i = tl.arange(0, TILE)
    X += top * cols + left
    down, across = (i < rows - top)[:, None], (i < cols - left)[None, :]
    x = tl.load(X + i[:, None] * cols + i[None, :], mask=down & across, other=0.0)
    tl.store(Y + i[:, None] * rows + i[None, :], x.T, mask=(down & across).T)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: mask_not_turned (1) -> writes Y at 2080
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    i = tl.arange(0, TILE)
    X += top * cols + left
    Y += left * rows + top
    down, across = (i < rows - top)[:, None], (i < cols - left)[None, :]
    x = tl.load(X + i[:, None] * cols + i[None, :], mask=down & across, other=0.0)
    tl.store(Y + i[:, None] * rows + i[None, :], x.T, mask=down & across)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: edge_from_the_whole_matrix (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    i = tl.arange(0, TILE)
    X += top * cols + left
    Y += left * rows + top
    down, across = (i < rows)[:, None], (i < cols)[None, :]
    x = tl.load(X + i[:, None] * cols + i[None, :], mask=down & across, other=0.0)
    tl.store(Y + i[:, None] * rows + i[None, :], x.T, mask=(down & across).T)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: clamped_at_the_store (1) -> times in one tl.store: which number stays is chance
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    # beyond the edge the last row and the last column are read again: no new place
    low, far = tl.minimum(r, rows - 1), tl.minimum(c, cols - 1)
    x = tl.load(X + low[:, None] * cols + far[None, :])
    tl.store(Y + far[:, None] * rows + low[None, :], tl.trans(x))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: clamped_to_the_side (1) -> reads X at 1697
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    # beyond the edge the last row and the last column are read again: no new place
    low, far = tl.minimum(r, rows), tl.minimum(c, cols)
    x = tl.load(X + low[:, None] * cols + far[None, :])
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c < cols)[:, None] & (r < rows)[None, :])


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: or_turned_into_and (1) -> writes Y at 2094
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    at = tl.arange(0, TILE)
    r, c = at + TILE * tl.program_id(0), at + TILE * tl.program_id(1)
    beyond = (r >= rows)[:, None] & (c >= cols)[None, :]
    x = tl.load(X + (c[None, :] + r[:, None] * cols), mask=~beyond, other=0.0)
    tl.store(Y + (r[None, :] + c[:, None] * rows), tl.trans(x), mask=tl.trans(~beyond))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: second_half_missing (1) -> 16 of the 40 numbers of Y were never written
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a large tile in two halves: 16 numbers, even of two bytes, still fill whole sectors
    HALF: tl.constexpr = TILE // 2 if TILE > 16 else TILE
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for half in tl.static_range(1):
        r = tl.program_id(0) * TILE + half * HALF + tl.arange(0, HALF)
        seen = (r[:, None] < rows) & (c[None, :] < cols)
        x = tl.load(X + r[:, None] * cols + c[None, :], mask=seen, other=0.0)
        tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(seen))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: halves_overlap (1) -> 16 of the 40 numbers of Y were never written
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a large tile in two halves: 16 numbers, even of two bytes, still fill whole sectors
    HALF: tl.constexpr = TILE // 2 if TILE > 16 else TILE
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for half in tl.static_range(TILE // HALF):
        r = tl.program_id(0) * TILE + tl.arange(0, HALF)
        seen = (r[:, None] < rows) & (c[None, :] < cols)
        x = tl.load(X + r[:, None] * cols + c[None, :], mask=seen, other=0.0)
        tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(seen))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: reversed_rows (1) => each row of Y is the wrong way round: Y[c, 0] is X[0, c]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + (rows - 1 - r)[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: both_mirrored (1) => Y is turned by half a turn: Y[c, r] is X[r, c]
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + (cols - 1 - c)[:, None] * rows + (rows - 1 - r)[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: row_by_row (2) => a row of the tile was written down a column of Y: a whole sector for each number
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a row of the tile is read, and written as a column: a sector for each number
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for i in range(TILE):
        r = tl.program_id(0) * TILE + i
        seen = (c < cols) & (r < rows)
        tl.store(Y + c * rows + r, tl.load(X + r * cols + c, mask=seen), mask=seen)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: column_by_column (2) => a column of the tile was read down X: a whole sector for each number
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a column of the tile is read, a sector for each number, and written as a row
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    for j in range(TILE):
        c = tl.program_id(1) * TILE + j
        seen = (r < rows) & (c < cols)
        tl.store(Y + c * rows + r, tl.load(X + r * cols + c, mask=seen), mask=seen)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: number_by_number (2) => one number was moved at a time, and a sector of 32 bytes with each
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    top, left = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    for r in range(top, tl.minimum(top + TILE, rows)):
        for c in range(left, tl.minimum(left + TILE, cols)):
            tl.store(Y + c * rows + r, tl.load(X + r * cols + c))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: tiles_of_four (2) => numbers were written in groups of four neighbours, and a sector holds eight
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    # a tile in strips of four rows: four numbers lie together in Y, and a sector holds eight
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for first in range(0, TILE, 4):
        r = tl.program_id(0) * TILE + first + tl.arange(0, 4)
        seen = (r[:, None] < rows) & (c[None, :] < cols)
        x = tl.load(X + r[:, None] * cols + c[None, :], mask=seen, other=0.0)
        tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(seen))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: read_twice (2) -> 2.0 times the bytes read
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    x = tl.where(r[:, None] < rows, x, tl.load(X + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0))
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: written_twice (2) => each number was written twice
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.zeros([TILE, TILE], tl.float32), mask=(c[:, None] < cols) & (r[None, :] < rows))
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: row_by_row_without_a_mask (1, 2) -> writes Y at 2079
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for i in range(TILE):
        r = tl.program_id(0) * TILE + i
        tl.store(Y + c * rows + r, tl.load(X + r * cols + c))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: right_for_squares_only (1, 2) -> writes Y at 2465
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    n = tl.maximum(rows, cols)
    r = (tl.program_id(0) * TILE + tl.arange(0, TILE))[:, None]
    c = (tl.program_id(1) * TILE + tl.arange(0, TILE))[None, :]
    there = (r < rows) & (c < cols)
    tl.store(Y + c * n + r, tl.load(X + r * n + c, mask=there), mask=there)


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% wrong: through_float16 (1) => the numbers were rounded to float16 on the way: a transpose moves them as they are
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(X + r[:, None] * cols + c[None, :],
                mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0).to(tl.float16)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x),
             mask=(c[:, None] < cols) & (r[None, :] < rows))


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)
