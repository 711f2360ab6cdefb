# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 15 · One kernel
#
# *150 minutes · ●●●●● · 5 exercises, 12 points · you need chapter 10*
#
# (question)
#
# **After this chapter you can**
#
# - write

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

torch.manual_seed(15)
torch.set_printoptions(precision=4, sci_mode=False)
# one thread, so that times on a shared machine can be compared
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import check_guess, chip, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 15.1 What a GPU is

# %%
kernel, tl = ab.gpu()       # Triton on a GPU; else a stand-in that runs the same text

def launch(kernel, grid, *given, **sizes):
    """Start a kernel where its tensors are: on a GPU, or here, where it is counted."""
    if given[0].is_cuda:
        kernel[grid](*given, **sizes)
        return None
    return chip.counting(kernel)[grid](*given, **sizes)

def next_power_of_2(n):
    """The smallest power of two that is at least n."""
    return 1 << (n - 1).bit_length()

# %%
# @title What checks look at
def outputs_of(run, *given, **sizes):
    """What a wrapper gives but for the counts, if every place of it was written."""
    *outputs, counts = run(*given, **sizes)
    assert not counts.unwritten, next(iter(counts.unwritten.values()))
    return [out.float() for out in outputs] if len(outputs) > 1 else outputs[0].float()

# %% [markdown]
# ## 15.2 One program, one row

# %% [markdown]
# ### Exercise 15.1 · Softmax, one row a program · 2 points · about 20 minutes
#
# One program loads one row, computes its softmax while the numbers are in fast memory, and stores it. Write `softmax_kernel`; the wrapper
# `row_softmax`, which makes the output and starts one program a row, is there. Rows lie one after the other, so row 3 begins `3 * n` numbers after `X`. One point each for
#
# - *values*: softmax of every row, for any `n` <!-- asks: values -->;
# - *counts*: every number crosses once each way <!-- asks: counts -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Scores may be ±10,000 <!-- asks: large-scores --> or $-\infty$ (but not in a whole row) <!-- asks: blocked -->. `X` may be bfloat16, and `Y` has its dtype; compute in float32 <!-- asks: dtype -->. `X` stays as it was <!-- asks: inputs-unchanged -->.
# </details>
# <details><summary>Hint 1</summary>Which program am I? That number times <code>n</code> is where my row begins. Which numbers of the block lie beyond it?</details>
# <details><summary>Hint 2</summary>A number that the mask leaves out must not count: neither in the maximum nor in the sum. Which <code>other</code> does both?</details>
# <details><summary>Hint 3</summary><code>tl.max(x, 0)</code> and <code>tl.sum(e, 0)</code> are along axis 0, the only one a block of one side has.</details>

# %% nbgrader={"grade": false, "grade_id": "ch15_softmax_kernel", "locked": false, "schema_version": 3, "solution": true, "task": false}
@kernel
def softmax_kernel(X, Y, n, BLOCK: tl.constexpr):
    """The softmax of one row of X, (rows, n), goes to the same row of Y.

    BLOCK: a power of two, at least n.
    """
    ### BEGIN SOLUTION
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    here = cols < n
    x = tl.load(X + row * n + cols, mask=here, other=float("-inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(Y + row * n + cols, e / tl.sum(e, 0), mask=here)
    ### END SOLUTION


def row_softmax(x):
    """x (rows, n) -> its softmax (rows, n), and what was counted. This is given."""
    y, n = torch.full_like(x, float("nan")), x.shape[1]
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% tags=["uses-exercise"]
# Four equal scores, a quarter each; a score that is larger by ln 3 has three quarters.
ab.beside([[0.25] * 4], lambda: row_softmax(torch.zeros(1, 4))[0])
ab.beside([[0.25, 0.75]], lambda: row_softmax(torch.tensor([[0.0, math.log(3.0)]]))[0])

# %% nbgrader={"grade": true, "grade_id": "ch15_softmax_kernel_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.1, values: five rows of 13 numbers."""
def rows_(words, x, **options):
    return ab.case(words, x, **{"ask": outputs_of} | options)

five_ = rows_("5 rows of 13", ab.numbers(5, 13))
ab.check("15.1 values", row_softmax, [
    five_.but(five_.words, hint="Is it right with 16 numbers in a row?"),
    *(rows_(f"{rows} rows of {n}", ab.numbers(rows, n, seed=1))
      for rows, n in [(3, 16), (1, 7), (7, 1), (2, 100)]),
    rows_("scores of ±10,000", torch.tensor([[1e4, 9_999.0, -1e4]]), within=2e-3),
    rows_("three scores of -1,000", torch.full((2, 3), -1e3)),
    rows_("a score of -inf", torch.tensor([[0.0, -math.inf, 1.0]])),
    rows_("bfloat16", ab.numbers(3, 13, dtype=torch.bfloat16), within=0.01),
    five_.but("5 rows of 13, which stay as they are", ask=None, look="inputs"),
], "x -> y, counts")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.1 values", row_softmax, [five_, *cases], "x -> y, counts",
             like=reference("row_softmax"))

# Property: right for any number of rows and columns, whether a power of two or not [values]
tried(*(rows_(f"{rows} rows of {n}", 2 * ab.numbers(rows, n, seed=2), within=1e-5)
        for rows, n in [(1, 1), (11, 3), (2, 257), (17, 31), (4, 64)]))
# Property: very large and very low scores are right [large-scores]
tried(*(rows_(f"scores about {level}", level + ab.numbers(3, 11, seed=3), within=2e-3)
        for level in (-1e4, 1e4, 80.0)))
# Property: scores of -inf have no weight [blocked]
blocked = ab.numbers(7, 19, seed=4)
tried(rows_("half of the scores -inf", torch.where(blocked < 0.0, -math.inf, blocked)))
# Property: bfloat16 in, bfloat16 out, and float32 between [dtype]
def exponents(run, x):
    y, _ = run(x)
    return [str(y.dtype), y.float()]

tried(rows_("bfloat16, 5 rows of 200", ab.numbers(5, 200, dtype=torch.bfloat16),
            ask=exponents, within=2e-3))
# Property: the input is not modified [inputs-unchanged]
tried(ab.case("3 rows of 21", ab.numbers(3, 21, seed=5), look="inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_softmax_kernel_check_counts", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.1, counts: what crosses, in whole sectors, against the row itself."""
def crossings_(run, x):
    counts = run(x)[1]
    size = x.numel() * x.element_size()
    return (f"every number read {counts.read / size:g} times and written "
            f"{counts.written / size:g} times")

ab.check("15.1 counts", row_softmax, [
    rows_(f"{rows} rows of {n}", ab.numbers(rows, n), ask=crossings_,
          hint="Keep the row in a block: what is loaded once need not be loaded again.")
    for rows, n in [(4, 32), (1, 128), (3, 64)]
], "x -> y, counts")
### BEGIN HIDDEN TESTS
# Property: each number crosses once each way, in whole sectors [counts]
ab.check("15.1 counts", row_softmax, [
    rows_(f"{rows} rows of {n}, {dtype}", ab.numbers(rows, n, dtype=dtype),
          ask=crossings_)
    for rows, n in [(2, 512), (7, 16), (13, 256)]
    for dtype in (torch.float32, torch.bfloat16)
], like=reference("row_softmax"))
### END HIDDEN TESTS

# %% [markdown]
# ## 15.3 Neighbours travel together

# %% [markdown]
# ### Exercise 15.2 · A transpose in tiles · 2 points · about 20 minutes
#
# A tile is read along its rows, turned in fast memory, and written along *its* rows: then neighbours travel together both ways. Write
# `transpose_kernel`: program $(i, j)$ takes the tile that begins in row `i * TILE` and column `j * TILE` of `X`. The wrapper is there. One point each for
#
# - *values*: `Y[c, r]` is `X[r, c]`, for sizes that are no multiple of `TILE`, too <!-- asks: values -->;
# - *counts*: in each direction at most 1.3 times the useful bytes cross <!-- asks: counts -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `TILE` is a power of two. A matrix may be smaller than one tile <!-- asks: small -->, and of any dtype that PyTorch has for numbers <!-- asks: dtype -->. `X` stays as it was <!-- asks: inputs-unchanged -->.
# </details>
# <details><summary>Hint 1</summary>A block with two sides comes from two blocks with one: <code>r[:, None] * cols + c[None, :]</code> is (TILE, TILE). What is each number of it?</details>
# <details><summary>Hint 2</summary>In <code>Y</code> a row has <code>rows</code> numbers. Where does the number of row r and column c of <code>X</code> stand there?</details>
# <details><summary>Hint 3</summary><code>tl.trans</code> turns a block; the pointers and the mask of the store have the shape of what is stored.</details>

# %% nbgrader={"grade": false, "grade_id": "ch15_transpose_kernel", "locked": false, "schema_version": 3, "solution": true, "task": false}
@kernel
def transpose_kernel(X, Y, rows, cols, TILE: tl.constexpr):
    """One tile of X, (rows, cols), goes to its place in Y, (cols, rows)."""
    ### BEGIN SOLUTION
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    here = (r[:, None] < rows) & (c[None, :] < cols)
    x = tl.load(X + r[:, None] * cols + c[None, :], mask=here)
    there = (c[:, None] < cols) & (r[None, :] < rows)
    tl.store(Y + c[:, None] * rows + r[None, :], tl.trans(x), mask=there)
    ### END SOLUTION


def transpose(x, tile=16):
    """x (rows, cols) -> y (cols, rows), and what was counted. This is given."""
    rows, cols = x.shape
    y = torch.full((cols, rows), -77, dtype=x.dtype, device=x.device)
    grid = (math.ceil(rows / tile), math.ceil(cols / tile))
    return y, launch(transpose_kernel, grid, x, y, rows, cols, TILE=tile)

# %% tags=["uses-exercise"]
# Rows become columns.
ab.beside([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]],
          lambda: transpose(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))[0])

# %% nbgrader={"grade": true, "grade_id": "ch15_transpose_kernel_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.2, values: 33 rows of 50 numbers, in tiles of 16."""
def turned_(words, rows, cols, tile=16, dtype=torch.float32, **options):
    x = (64 * ab.numbers(rows, cols, seed=rows)).to(dtype)
    return ab.case(words, x, **{"tile": tile, "ask": outputs_of} | options)

odd_ = turned_("33 rows of 50, tiles of 16", 33, 50)
ab.check("15.2 values", transpose, [
    odd_,
    *(turned_(f"{rows} rows of {cols}, tiles of {tile}", rows, cols, tile)
      for rows, cols, tile in [(32, 16, 16), (16, 48, 16), (5, 3, 16), (9, 21, 8),
                               (1, 40, 32), (40, 1, 32)]),
    odd_.but("33 rows of 50, which stay as they are", ask=None, look="inputs"),
], "x -> y, counts")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.2 values", transpose, [odd_, *cases], "x -> y, counts",
             like=reference("transpose"))

# Property: right for sizes that are no multiple of the tile, tall and wide [values]
tried(*(turned_(f"{rows} rows of {cols}, tiles of {tile}", rows, cols, tile)
        for rows, cols, tile in [(47, 19, 16), (11, 70, 32), (64, 24, 8), (37, 37, 4)]))
# Property: a matrix may be smaller than a tile [small]
tried(*(turned_(f"{rows} rows of {cols}, tiles of 32", rows, cols, 32)
        for rows, cols in [(1, 1), (2, 7), (13, 31)]))
# Property: numbers of any dtype are moved as they are [dtype]
tried(*(turned_(f"{dtype}", 18, 35, dtype=dtype)
        for dtype in (torch.float64, torch.bfloat16, torch.int32)))
# Property: the input is not modified [inputs-unchanged]
tried(turned_("21 rows of 18", 21, 18, ask=None, look="inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_transpose_kernel_check_counts", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.2, counts: what crosses each way, against the bytes of the matrix."""
def traffic_(run, x, **sizes):
    counts = run(x, **sizes)[1]
    size = x.numel() * x.element_size()
    read, written = counts.read / size, counts.written / size
    told = ["at most 1.3" if n <= 1.3 else f"{n:.1f}" for n in (read, written)]
    return f"{told[0]} times the bytes read, {told[1]} times the bytes written"

ab.check("15.2 counts", transpose, [
    turned_(f"{rows} rows of {cols}, tiles of {tile}", rows, cols, tile, ask=traffic_,
            hint="Numbers that a program moves in one tl.load or tl.store and that "
                 "are neighbours in memory share a sector.")
    for rows, cols, tile in [(32, 48, 16), (64, 32, 32)]
], "x -> y, counts")
### BEGIN HIDDEN TESTS
# Property: at most 1.3 times the useful bytes cross in each direction [counts]
ab.check("15.2 counts", transpose, [
    turned_(f"{rows} rows of {cols}, tiles of {tile}, {dtype}", rows, cols, tile, dtype,
            ask=traffic_)
    for rows, cols, tile in [(80, 16, 16), (32, 96, 32), (64, 64, 16)]
    for dtype in (torch.float32, torch.bfloat16)
], like=reference("transpose"))
### END HIDDEN TESTS

# %% [markdown]
# ## 15.5 Flash attention as one kernel

# %% [markdown]
# ### Exercise 15.3 · Flash attention in one kernel · 4 points · about 45 minutes
#
# A program owns `ROWS` queries of one head. It loads them once, goes through keys and values in blocks of `COLS`, and keeps running maximum, running
# sum and running output in fast memory: chapter 10's loop. At the end it divides and stores. Write `flash_kernel`; the wrapper `flash` is there.
#
# - *values*, two points: attention for any number of tokens <!-- asks: values -->, with large scores <!-- asks: large-scores -->, and in bfloat16 <!-- asks: dtype -->;
# - *causal*, one point: with `CAUSAL` no query sees a later key <!-- asks: causal -->, and no tile beyond the diagonal is read <!-- asks: diagonal -->;
# - *traffic*, one point: queries and outputs cross once, keys and values once for each block of queries <!-- asks: traffic -->, and no block is larger than a tile <!-- asks: blocks -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `Q`, `K`, `V`, `O` are `(heads, n, D)`, contiguous; program `(block, head)`. `n` need be no multiple of `ROWS` or `COLS`. `ROWS`, `COLS`, `D` are powers of two from 16 up, and any of them may be the largest.
# `CAUSAL` is known when the kernel is compiled: `if CAUSAL:` is a plain `if`. Float32 may be rounded to tf32 inside `tl.dot`, as a GPU does; maximum, sum and output are kept in float32. Inputs stay as they were <!-- asks: inputs-unchanged -->.
# </details>
# <details><summary>Hint 1</summary>The tile of queries has places <code>rows[:, None] * D + d[None, :]</code> of its head, which begins at <code>head * n * D</code>. Keys and values look the same, with other rows.</details>
# <details><summary>Hint 2</summary>Before the loop: maximum −∞, sum 0, output 0, of shapes (ROWS,), (ROWS,), (ROWS, D). In the loop: scores of a tile, −∞ where a key does not exist or may not be seen, new maximum, one factor for what was kept.</details>
# <details><summary>Hint 3</summary><code>tl.dot</code> wants two blocks of one dtype: with bfloat16 the exponentials have to become <code>v.dtype</code> first.</details>
# <details><summary>Hint 4</summary>With CAUSAL the last key that this program needs is its own last query. Where does the loop end?</details>

# %% nbgrader={"grade": false, "grade_id": "ch15_flash_kernel", "locked": false, "schema_version": 3, "solution": true, "task": false}
@kernel
def flash_kernel(Q, K, V, O, n, scale, CAUSAL: tl.constexpr, D: tl.constexpr,
                 ROWS: tl.constexpr, COLS: tl.constexpr):
    """Attention for ROWS queries of one head, whose keys come in blocks of COLS.

    Q, K, V, O: (heads, n, D)   scale: what scores are multiplied by
    Dao (2023), FlashAttention-2, algorithm 1.
    """
    ### BEGIN SOLUTION
    block, head = tl.program_id(0), tl.program_id(1)
    rows, d = block * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    here = head * n * D
    own = here + rows[:, None] * D + d[None, :]               # (ROWS, D)
    q = tl.load(Q + own, mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    last = n
    if CAUSAL:
        last = tl.minimum(n, (block + 1) * ROWS)
    for start in range(0, last, COLS):
        cols = start + tl.arange(0, COLS)
        tile = here + cols[:, None] * D + d[None, :]          # (COLS, D)
        k = tl.load(K + tile, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + tile, mask=cols[:, None] < n, other=0.0)
        seen = cols[None, :] < n
        if CAUSAL:
            seen = seen & (cols[None, :] <= rows[:, None])
        scores = tl.where(seen, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e = tl.exp(scores - new_m[:, None])                   # (ROWS, COLS)
        factor = tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + own, o / s[:, None], mask=rows[:, None] < n)
    ### END SOLUTION


def flash(q, k, v, causal=False, rows=32, cols=16):
    """q, k, v (heads, n, d) -> output, and what was counted. This is given."""
    heads, n, d = q.shape
    o = torch.full_like(q, float("nan"))
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% tags=["uses-exercise"]
# Four equal keys: the mean of 0, 1, 2, 3 for every query; causal: the mean of 0 … i.
def numbered(causal):
    same = torch.ones(1, 4, 16)
    values = torch.arange(4.0)[None, :, None] * same
    return flash(same, same, values, causal)[0][0, :, 0]

ab.beside([1.5] * 4, lambda: numbered(causal=False))
ab.beside([0.0, 0.5, 1.0, 1.5], lambda: numbered(causal=True))

# %% nbgrader={"grade": true, "grade_id": "ch15_flash_kernel_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.3, values: two heads of 50 tokens, blocks of 32 queries and 16 keys."""
def heads_(words, heads=2, n=50, d=64, scale=1.0, dtype=torch.float32, **options):
    q, k, v = (ab.numbers(heads, n, d, seed=n + i) for i in range(3))
    given = [x.to(dtype) for x in (q * scale, k, v)]
    return ab.case(words, *given, **{"within": 4e-3, "ask": outputs_of} | options)

fifty_ = heads_("2 heads of 50 tokens")
ab.check("15.3 values", flash, [
    fifty_.but(fifty_.words, hint="Is it right with one head of 16 tokens?"),
    heads_("1 head of 16 tokens", heads=1, n=16, rows=16),
    heads_("3 heads of 64 tokens, d = 16", heads=3, n=64, d=16),
    heads_("50 tokens, 16 queries and 64 keys a block", rows=16, cols=64),
    heads_("7 tokens", n=7),
    heads_("scores 30 times as large", scale=30.0, within=0.02),
    heads_("bfloat16", dtype=torch.bfloat16, within=0.03),
    fifty_.but("50 tokens: q, k, v stay as they are", ask=None, look="inputs"),
], "q, k, v -> output, counts")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 values", flash, [fifty_, *cases], "q, k, v -> output, counts",
             like=reference("flash"))

# Property: right for any number of tokens and heads, whatever the blocks [values]
tried(*(heads_(f"{heads} heads of {n} tokens, d = {d}, blocks of {rows} and {cols}",
               heads, n, d, rows=rows, cols=cols)
        for heads, n, d, rows, cols in [
            (1, 1, 32, 16, 16), (3, 37, 16, 16, 32), (2, 70, 32, 64, 16),
            (1, 96, 64, 32, 32), (5, 17, 16, 32, 64)]))
# Property: large scores, and scores far below 0, are right [large-scores]
q, k, v = fifty_.args
tried(heads_("scores 50 times as large", n=33, scale=50.0, within=0.03),
      fifty_.but("all scores about -2,000", args=(q - 40.0, k.abs() + 6.0, v),
                 within=0.05))
# Property: bfloat16 in and out, with float32 between [dtype]
def named(run, *given):
    output, _ = run(*given)
    return [str(output.dtype), output.float()]

tried(heads_("bfloat16, 90 tokens", n=90, dtype=torch.bfloat16, ask=named, within=0.02))
# Property: inputs are not modified [inputs-unchanged]
tried(heads_("21 tokens", n=21, d=16, ask=None, look="inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_flash_kernel_check_causal", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.3, causal: no later key counts, no tile beyond the diagonal is read."""
def beyond_(run, q, k, v, causal=True, rows=32, cols=16):
    counts = run(q, k, v, causal, rows, cols)[1]
    n, d = q.shape[1:]
    blocks = range(rows, n + rows, rows)
    keys = sum(min(n, math.ceil(min(n, end) / cols) * cols) for end in blocks)
    least = len(q) * d * q.element_size() * (n + 2 * keys)
    more = (counts.read - least) / (2 * cols * d * q.element_size())
    return f"{'no' if more <= 0 else f'{more:g}'} tiles beyond the diagonal were read"

even_ = heads_("64 tokens, causal", n=64, causal=True)
ab.check("15.3 causal", flash, [
    even_,
    heads_("48 tokens, causal, 16 queries and 32 keys a block", n=48, causal=True, d=32,
           rows=16, cols=32),
    *(heads_(f"{n} tokens, causal: what is read", heads=1, n=n, d=d, causal=True,
             rows=rows, cols=cols, ask=beyond_,
             hint="Where may the loop of a block of queries end?")
      for n, d, rows, cols in [(128, 64, 32, 16), (96, 16, 16, 32)]),
], "q, k, v -> output, counts")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 causal", flash, [even_, *cases], "q, k, v -> output, counts",
             like=reference("flash"))

# Property: causal is right for any blocks, and no later token has a say [causal]
tried(*(heads_(f"{heads} heads of {n} tokens, causal, blocks of {rows} and {cols}",
               heads, n, d, causal=True, rows=rows, cols=cols)
        for heads, n, d, rows, cols in [(1, 32, 32, 16, 16), (3, 96, 16, 32, 32),
                                        (2, 64, 16, 64, 16)]))
q, k, v = even_.args
late = torch.arange(64)[:, None] > 40
tried(even_.but("other keys and values after token 40", args=(
    q, torch.where(late, 9.0, k), torch.where(late, 500.0, v)), within=0.3))
# Property: no tile of keys or values beyond the diagonal is read [diagonal]
tried(*(heads_(f"{n} tokens, causal, blocks of {rows} and {cols}: what is read", 2, n,
               d, causal=True, rows=rows, cols=cols, ask=beyond_)
        for n, d, rows, cols in [(160, 16, 32, 32), (128, 32, 16, 16),
                                 (64, 16, 16, 64)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_flash_kernel_check_traffic", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.3, traffic: what crosses, and the largest block that was made."""
def crossed_(run, q, k, v, rows=32, cols=16):
    counts = run(q, k, v, False, rows, cols)[1]
    d, size = q.shape[2], q.numel() * q.element_size()
    read = (counts.read / size - 1) / 2 / math.ceil(q.shape[1] / rows)
    tile = 4 * max(rows * cols, rows * d, cols * d)
    large = "a tile" if counts.largest <= tile else f"{counts.largest:,} bytes"
    return (f"keys and values read {read:g} times for each block of queries, outputs "
            f"written {counts.written / size:g} times, the largest block {large}")

ab.check("15.3 traffic", flash, [
    heads_(f"{n} tokens, blocks of {rows} and {cols}", heads=1, n=n, d=d, rows=rows,
           cols=cols, ask=crossed_, hint="Queries are loaded before the loop, the "
           "output is stored after it; q counts once.")
    for n, d, rows, cols in [(64, 64, 32, 16), (96, 16, 16, 32)]
], "q, k, v -> output, counts")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 traffic", flash, cases, like=reference("flash"))

measured = [heads_(f"{heads} heads of {n}, d = {d}, blocks of {rows} and {cols}", heads,
                   n, d, rows=rows, cols=cols, ask=crossed_)
            for heads, n, d, rows, cols in [
                (2, 128, 32, 32, 16), (3, 64, 16, 16, 16), (1, 96, 64, 32, 32)]]
# Property: queries and outputs cross once, keys and values once for each block of queries [traffic]
tried(*measured[:2])
# Property: no block is larger than a tile [blocks]
tried(*measured[2:])
### END HIDDEN TESTS

# %% [markdown]
# ## 15.6 Which limit?

# %% [markdown]
# ### Exercise 15.4 · The roofline · 1 point · about 8 minutes
#
# A GPU computes and moves at the same time, so the slower of the two sets the time. Write `roofline(flops, bytes_moved, peak_flops, bandwidth)`: the least
# time in seconds, and what sets it, `"compute"` or `"memory"` <!-- asks: values -->. `peak_flops` and `bandwidth` are a second's operations and bytes. One of the
# two may have nothing to do <!-- asks: nothing -->.
#
# <details><summary>Hint 1</summary>How long does each of the two take, if the other were free?</details>

# %% nbgrader={"grade": false, "grade_id": "ch15_roofline", "locked": false, "schema_version": 3, "solution": true, "task": false}
def roofline(flops, bytes_moved, peak_flops, bandwidth):
    """The least seconds, and what sets them: "compute" or "memory".

    Williams, Waterman, Patterson (2009), Roofline, section 3.
    """
    ### BEGIN SOLUTION
    compute, memory = flops / peak_flops, bytes_moved / bandwidth
    return max(compute, memory), "compute" if compute > memory else "memory"
    ### END SOLUTION

# %% tags=["uses-exercise"]
# 6 operations at 2 a second take 3 s, 10 bytes at 5 a second 2 s.
ab.beside([3.0, "compute"], lambda: roofline(6, 10, 2, 5))
ab.beside([4.0, "memory"], lambda: roofline(6, 20, 2, 5))

# %% nbgrader={"grade": true, "grade_id": "ch15_roofline_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.4: a copy, a product of matrices, and what lies between."""
def least_(roofline, flops, moved, peak, bandwidth):
    """In microseconds, so that small times are compared, too."""
    seconds, what = roofline(flops, moved, peak, bandwidth)
    return 1e6 * seconds, what

def work_(words, *given):
    return ab.case(words, *given, ask=least_)

ab.check("15.4 roofline", roofline, [
    work_("6 operations at 2 a second, 10 bytes at 5 a second", 6, 10, 2, 5),
    work_("6 operations at 2 a second, 20 bytes at 5 a second", 6, 20, 2, 5),
    work_("a copy: no operation", 0, 3e9, 1e15, 4e12),
    work_("numbers that are there already: no byte", 5e9, 0, 1e15, 4e12),
    work_("a product of matrices of 4,096", 2 * 4096 ** 3, 6 * 4096 ** 2, 8e14, 4.3e12),
    work_("a product of matrices of 64", 2 * 64 ** 3, 6 * 64 ** 2, 8e14, 4.3e12),
], "flops, bytes_moved, peak_flops, bandwidth -> seconds, what sets them")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.4 roofline", roofline, cases, like=reference("roofline"))

# Property: the slower of the two sets the time [values]
tried(*(work_(f"{flops:g} operations, {moved:g} bytes, {peak:g} and {bandwidth:g} each "
              "second", flops, moved, peak, bandwidth)
        for flops, moved in [(7e6, 3e9), (9e14, 2e3), (1e9, 1.1e9), (1.1e9, 1e9)]
        for peak, bandwidth in [(1e12, 1e12), (3e14, 2e12), (5, 7)]))
# Property: where one of the two has nothing to do, the other sets it [nothing]
tried(work_("no operation", 0, 17, 3, 5), work_("no byte", 19, 0, 3, 5))
### END HIDDEN TESTS

# %% [markdown]
# ## 15.7 One new token

# %% [markdown]
# ### Exercise 15.5 · The cache in parts · 3 points · about 30 minutes
#
# One new token has one query a head, and a long cache to read. So the cache is split: a program reads `SPLIT` of the `n` keys and values for all
# `GROUP` queries that share them, and stores what it has when its loop ends: maximum, sum and *unfinished* output. `merge` puts the parts of a softmax together. Write `decode_kernel` and
# `merge`; the wrapper `decode_parts` is there. One point each for
#
# - *parts*: `M`, `S` and `O` of each part, also where the last one is shorter <!-- asks: parts -->;
# - *merge*: the output of the whole cache, also where a part has no key (then its maximum is $-\infty$, its sum and output 0) <!-- asks: merge -->;
# - *traffic*: each key and each value crosses once, for all `GROUP` queries together <!-- asks: traffic -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `Q` is `(kv_heads, GROUP, D)`, `K`, `V` are `(kv_heads, n, D)`; `M`, `S` are `(kv_heads, parts, GROUP)` and `O` is `(kv_heads, parts, GROUP, D)`, all three float32. Program `(part, kv_head)`. `SPLIT` is a multiple of `COLS`; `GROUP`, `D` and `COLS` are powers of two from 16 up.
# `merge(m, s, o)` is PyTorch: any number of axes may stand in front <!-- asks: merge-axes -->, scores may be ±10,000 <!-- asks: merge-large -->, inputs stay as they were, and the device is theirs <!-- asks: merge-house -->.
# </details>
# <details><summary>Hint 1</summary>The loop is flash attention's, with other bounds and no causal mask. The queries of one key–value head are a block (GROUP, D).</details>
# <details><summary>Hint 2</summary>Part 3 of head 2 begins <code>(2 * parts + 3) * GROUP</code> numbers after <code>M</code>; <code>tl.num_programs(0)</code> is how many parts there are.</details>
# <details><summary>Hint 3</summary>Merging is one more step of the running softmax: one maximum for all parts, and a factor for each part.</details>

# %% nbgrader={"grade": false, "grade_id": "ch15_decode_kernel", "locked": false, "schema_version": 3, "solution": true, "task": false}
@kernel
def decode_kernel(Q, K, V, M, S, O, n, scale, SPLIT: tl.constexpr, GROUP: tl.constexpr,
                  D: tl.constexpr, COLS: tl.constexpr):
    """One new token: GROUP queries against SPLIT of the n keys of one key-value head.

    Q: (kv_heads, GROUP, D)   K, V: (kv_heads, n, D)
    M, S: (kv_heads, parts, GROUP), O: (kv_heads, parts, GROUP, D): maximum, sum, output
    that is not divided yet. Dao and others (2023), Flash-Decoding.
    """
    ### BEGIN SOLUTION
    part, head = tl.program_id(0), tl.program_id(1)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    q = tl.load(Q + (head * GROUP + g[:, None]) * D + d[None, :])
    m = tl.full([GROUP], float("-inf"), tl.float32)
    s = tl.zeros([GROUP], tl.float32)
    o = tl.zeros([GROUP, D], tl.float32)
    for start in range(part * SPLIT, tl.minimum(n, (part + 1) * SPLIT), COLS):
        cols = start + tl.arange(0, COLS)
        tile = (head * n + cols[:, None]) * D + d[None, :]    # (COLS, D)
        k = tl.load(K + tile, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + tile, mask=cols[:, None] < n, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale               # (GROUP, COLS)
        scores = tl.where(cols[None, :] < n, scores, float("-inf"))
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
    ### END SOLUTION


def merge(m, s, o):
    """The parts of a softmax, put together.

    m, s: (..., parts, GROUP)   o: (..., parts, GROUP, D) -> (..., GROUP, D)
    """
    ### BEGIN SOLUTION
    factor = (m - m.amax(-2, keepdim=True)).exp()             # (..., parts, GROUP)
    return (o * factor[..., None]).sum(-3) / (s * factor).sum(-2)[..., None]
    ### END SOLUTION


def decode_parts(q, k, v, split=64, cols=16):
    """q (kv_heads, group, d), k, v (kv_heads, n, d) -> m, s, o and what was counted.
    This is given.
    """
    (heads, group, d), n = q.shape, k.shape[1]
    parts = math.ceil(n / split)
    m, s = torch.full((2, heads, parts, group), float("nan"), device=q.device)
    o = torch.full((heads, parts, group, d), float("nan"), device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% tags=["uses-exercise"]
# 17 keys, all scores 0, in parts of 16 and 1: sums 16 and 1, values 0 … 16 summed.
zeros, ones = torch.zeros(1, 17, 16), torch.ones(1, 2, 16)
values = torch.arange(17.0)[None, :, None] + zeros
ab.beside([[16.0, 1.0], [120.0, 16.0]], lambda: [
    x.flatten(2)[0, :, 0] for x in decode_parts(zeros[:, :16], zeros, values, 16)[1:3]])
# Parts of 3 keys and of 1, of values 0, 1, 2 and 3: their mean.
ab.beside(1.5, lambda: merge(0 * ones, ones * torch.tensor([[3.0], [1.0]]),
                             3 * ones[..., None])[0, 0, 0])

# %% nbgrader={"grade": true, "grade_id": "ch15_decode_kernel_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.5, parts: two key-value heads, 100 keys, parts of 64 and of 36."""
def token_(words, heads=2, n=100, d=32, group=16, dtype=torch.float32, **options):
    q = ab.numbers(heads, group, d, seed=n)
    k, v = (ab.numbers(heads, n, d, seed=n + i) for i in (1, 2))
    given = [x.to(dtype) for x in (q, k, v)]
    return ab.case(words, *given, **{"within": 4e-3, "ask": parts_} | options)

def parts_(run, *given, **sizes):
    m, s, o = outputs_of(run, *given, **sizes)
    return m, s, o / s[..., None]

hundred_ = token_("100 keys in parts of 64")
ab.check("15.5 parts", decode_parts, [
    hundred_.but(hundred_.words, hint="Is it right with one head, and one part?"),
    token_("1 head of 64 keys, one part", heads=1, n=64),
    token_("3 heads of 70 keys in parts of 32", heads=3, n=70, split=32),
    token_("90 keys in parts of 64, 32 at a time, d = 64", n=90, d=64, cols=32),
    token_("17 keys in parts of 16", n=17, split=16),
    token_("bfloat16", dtype=torch.bfloat16, within=0.03),
    hundred_.but("100 keys: q, k, v stay as they are", ask=None, look="inputs"),
], "q, k, v -> m, s, o over s")
### BEGIN HIDDEN TESTS
# Property: maximum, sum and unfinished output of every part, also where the last one is shorter [parts]
ab.check("15.5 parts", decode_parts, [hundred_, *(
    token_(f"{heads} heads of {n} keys in parts of {split}, {cols} at a time", heads, n,
           d, group, split=split, cols=cols)
    for heads, n, d, group, split, cols in [
        (1, 33, 16, 16, 16, 16), (3, 130, 32, 32, 64, 32), (2, 5, 64, 16, 64, 16),
        (2, 96, 16, 16, 48, 16)])
], like=reference("decode_parts"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_decode_kernel_check_merge", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.5, merge: three parts of the caches of two key-value heads."""
def joined_(words, *front, parts=3, group=4, d=5, level=1.0, seed=0, empty=()):
    m = level * ab.numbers(*front, parts, group, seed=seed)
    s = 3.0 + ab.numbers(*front, parts, group, seed=seed + 1)
    o = s[..., None] * ab.numbers(*front, parts, group, d, seed=seed + 2)
    for part in empty:
        m[..., part, :], s[..., part, :], o[..., part, :, :] = -math.inf, 0.0, 0.0
    return ab.case(words, m, s, o)

three_ = joined_("2 heads, 3 parts, 4 queries", 2)
ab.check("15.5 merge", merge, [
    three_.but(three_.words, hint="A part with a larger sum counts for more."),
    joined_("1 head, 1 part", 1, parts=1), joined_("no axis in front"),
    joined_("2 texts of 3 heads", 2, 3, parts=5, group=2, d=3),
    joined_("as many parts as queries", 2, parts=4),
    joined_("maxima of ±10,000", 2, level=5e3),
    joined_("a part without a key", 2, empty=[1]),
    joined_("the last two parts without a key", 2, parts=4, empty=[2, 3]),
    *ab.house_rules(three_, only="inputs device"),
], "m, s, o -> output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.5 merge", merge, [three_, *cases], "m, s, o -> output",
             like=reference("merge"))

# Property: right for any number of parts, also where some have no key [merge]
tried(*(joined_(f"{parts} parts, {len(empty)} without a key", 3, parts=parts, group=7,
                d=11, seed=7, empty=empty)
        for parts, empty in [(2, ()), (9, ()), (6, (0, 5)), (13, (1, 2, 3))]))
# Property: any number of axes in front [merge-axes]
tried(*(joined_(f"{front} in front", *front, parts=4, group=3, d=7, seed=11)
        for front in [(), (1,), (2, 5), (2, 1, 3)]))
# Property: very large and very low scores are right [merge-large]
tried(*(joined_(f"maxima of ±{2 * level:g}", 3, level=level, seed=13)
        for level in (100.0, 5e3)))
# Property: m, s and o stay as they were, and the output is on their device [merge-house]
tried(*ab.house_rules(joined_("2 heads, 7 parts", 2, parts=7, seed=17),
                      only="inputs device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_decode_kernel_check_traffic", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.5, traffic: how often keys and values cross for 16 queries a head."""
def cached_(run, q, k, v, split=64, cols=16):
    counts = run(q, k, v, split, cols)[-1]
    size, cache = q.numel() * q.element_size(), 2 * k.numel() * k.element_size()
    parts = math.ceil(k.shape[1] / split)
    written = 4 * parts * q.shape[0] * q.shape[1] * (2 + q.shape[2])
    return (f"keys and values read {(counts.read - parts * size) / cache:g} times, "
            f"m, s and o written {counts.written / written:g} times")

ab.check("15.5 traffic", decode_parts, [
    token_(f"{heads} heads of {n} keys in parts of {split}", heads, n, split=split,
           ask=cached_, hint="Load the queries once, before the loop; each key and "
           "value once, for all of them.")
    for heads, n, split in [(1, 128, 64), (2, 64, 16)]
], "q, k, v -> m, s, o, counts")
### BEGIN HIDDEN TESTS
# Property: each key and each value crosses once, for all GROUP query heads together [traffic]
ab.check("15.5 traffic", decode_parts, [
    token_(f"{heads} heads of {n} keys in parts of {split}, {cols} at a time, {dtype}",
           heads, n, d, group, dtype, split=split, cols=cols, ask=cached_)
    for heads, n, d, group, split, cols in [
        (2, 192, 16, 32, 64, 32), (3, 96, 64, 16, 32, 16)]
    for dtype in (torch.float32, torch.bfloat16)
], like=reference("decode_parts"))
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# (summary)
#
# ## Further reading
