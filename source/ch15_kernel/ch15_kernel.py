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
# *165 minutes · ●●●●● · 5 exercises, 12 points · you need chapter 10*
#
# > On an H200, attention over 1,024 tokens in float32 takes 0.42 ms. In chapter 10's tiles it takes 52.
#
# The tiles save memory, as promised. But each tile takes more than ten operations, and Python starts every operation separately. The GPU spends its time waiting.
# **What has to change, so that tiles save time as well?** The loop over the tiles must run on the GPU itself, inside one program. Such a program is called a **kernel**, and every server that
# runs a language model spends its time in a few of them. You write four, in a language named Triton. No GPU is needed: where there is none, a stand-in runs the same code.
#
# **After this chapter you can**
#
# - write a kernel, flash attention among them, that a GPU compiles as it stands;
# - count what crosses between a GPU's two memories, and choose the way that moves less;
# - recognise what a GPU gets wrong without an error: a missing mask, a race, rounding;
# - say what limits a computation, and split one that leaves most of the GPU idle.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

torch.manual_seed(15)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)

import attention_built as ab
from attention_built import check_guess, chip, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# Triton where there are a GPU and Triton, else the stand-in
kernel, tl = ab.gpu()
# small examples stay on the CPU, where the stand-in counts; what is timed goes to a GPU
device = "cuda" if kernel is not chip.Kernel else "cpu"

# %% [markdown]
# ## 15.1 What a GPU is
#
# A GPU runs one function many times at once. Each run is a **program**; all have the same code, and each knows its own number. They share one **large memory**, which is slow. Each has a small **fast memory** beside its arithmetic units. Whatever a program computes with must first cross from the large memory to the fast one, and its results must cross back.

# %% tags=["show"]
# @title An H200's memories, and the way from the computer
# bytes, bytes a second: a server's memory over PCI Express 5; NVIDIA's data sheet of
# the H200 and CUDA programming guide (the large memory's speed: a long copy, measured)
PROCESSORS, CLOCK = 132, 1.98e9
MEMORIES = {
    "the computer's memory": (1e12, 64e9), "large memory": (141e9, 4.3e12),
    "fast memories together": (PROCESSORS * 228 * 1024, PROCESSORS * 128 * CLOCK)}
fig, ax = plt.subplots(figsize=(6.4, 2.8))
for name, (size, speed) in MEMORIES.items():
    ax.loglog(size / 1e9, speed / 1e12, "o", ms=9, color="#0072B2")
    room = f"{size / 1e9:,.0f}" if size > 1e9 else f"{size / 1e9:.2f}"
    ax.annotate(f"{name}\n{room} GB, {speed / 1e12:.2g} TB a second",
                (size / 1e9, speed / 1e12), (0, 12), textcoords="offset points",
                ha="center", fontsize=8)
ax.set(xlabel="GB", ylabel="TB a second", xlim=(2e-3, 1e4), ylim=(0.02, 300),
       title="The faster a memory, the less fits into it")
show(fig, "Three memories on doubly logarithmic axes, size across and speed up. The "
          "computer's memory is largest and slowest, the large memory of the GPU lies "
          "in the middle, its fast memories are small and fastest.")

# %% [markdown]
# The fast memories could take bytes about eight times as quickly as the large one gives them. So the time of many kernels depends on how many bytes cross.
#
# Here is a kernel that doubles 100 numbers. Each of its four programs takes 32 of them.

# %%
@kernel
def double_kernel(X, Y, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)        # (BLOCK,)
    x = tl.load(X + place, mask=place < n)
    tl.store(Y + place, 2 * x, mask=place < n)

x, y = torch.arange(100.0), torch.zeros(100)
counts = chip.counting(double_kernel)[(4,)](x, y, 100, BLOCK=32)
print("right:", torch.equal(y, 2 * x), "  programs:", counts.programs)
print("bytes read:", counts.read, "  written:", counts.written)

# %% [markdown]
# Line by line:
#
# | text | meaning |
# | --- | --- |
# | `X`, `Y` | **pointers**: where the two tensors begin in the large memory. `X + place` is 32 places at once |
# | `tl.program_id(0)` | the number of this program, 0 to 3 |
# | `tl.arange(0, BLOCK)` | the numbers 0 to `BLOCK` − 1 as a **block**: numbers in fast memory. Each side of a block is a power of two |
# | `tl.load`, `tl.store` | bring numbers over, take them back. Where the `mask` is false nothing crosses (4 · 32 places are more than 100), and the loaded numbers there are arbitrary, unless `other=` sets them |
# | `tl.constexpr` | a number that is known when the kernel is compiled, such as a size of a block |
# | `kernel[(4,)](…)` | a **launch**: start 4 programs. With `(4, 2)` there are 8, each with a `tl.program_id(0)` and a `tl.program_id(1)` |
#
# The exercises also need these:
#
# | text | meaning |
# | --- | --- |
# | `x.to(tl.float32)` | the block in another dtype |
# | `tl.exp(x)`, `tl.max(x, 1)`, `tl.sum(x, 1)` | as in PyTorch, along an axis |
# | `tl.maximum(a, b)`, `tl.minimum(a, b)` | number by number |
# | `tl.where(condition, a, b)` | conditions are joined by `&` and `\|`, negated by `~` |
# | `tl.zeros([4, 8], tl.float32)`, `tl.full([4], 1.0, tl.float32)` | new blocks |
#
# `chip.counting` ran it on the stand-in, one program after the other in random order. It returns `counts`: the bytes that a GPU would have moved. Reading took 416 bytes rather than 400: section 15.3 says why.

# %% [markdown]
# ## 15.2 One program, one row
#
# Softmax can be written as five operations of PyTorch: largest number, difference, exponential, sum, quotient. Every one of them is a kernel that reads the whole matrix, and three of them write a whole matrix.

# %%
def five_operations(x):
    """softmax of each row of x (rows, n)"""
    high = x.amax(1, keepdim=True)      # reads x
    moved = x - high                    # reads x, writes as much
    e = moved.exp()                     # reads, writes
    s = e.sum(1, keepdim=True)          # reads
    return e / s                        # reads, writes

x = torch.randn(3, 5)
print("right:", torch.allclose(five_operations(x), x.softmax(1)))

# %% [markdown]
# A row of 4,096 numbers, 16 kB, fits into fast memory. One program can read it once, keep it while it does all five steps, and write the result once. That is two crossings in place of eight.
#
# The next cell holds times measured on an H200, since few readers have one. If you have a GPU, your kernels are timed on it.

# %%
# @title What an H200 took, and how a GPU is timed here
# milliseconds; 26 November 2026, PyTorch 2.11, Triton 3.6
H200 = {
    "softmax: five operations": 0.362, "softmax: PyTorch's": 0.118,
    "softmax: one kernel": 0.090,
    "a plain copy": 0.147, "rows read, columns written": 1.235,
    "flash, 1,024 tokens": 0.055, "flash, 4,096 tokens": 0.226,
    "flash, 16,384 tokens": 2.32,
    "PyTorch's, 1,024 tokens": 0.081, "PyTorch's, 4,096 tokens": 0.145,
    "PyTorch's, 16,384 tokens": 1.253,
    "one program a head": 1.03, "in parts of 2,048": 0.21,
    "PyTorch's, enable_gqa": 0.10, "PyTorch's, without it": 0.79,
}
PEAK, BANDWIDTH = 989e12, 4.3e12   # bfloat16, data sheet; bytes a second, a long copy
if device == "cpu":
    card = "no GPU here: an H200, stored"
else:
    card = torch.cuda.get_device_name()

def clock(name, prepare):
    """Milliseconds of what prepare() makes, on this GPU; without one, the H200's."""
    if device == "cpu":
        return H200[name]
    return chip.milliseconds(prepare())

def bandwidth():
    """Bytes a second in a long copy, on this GPU; without one, the H200's."""
    if device == "cpu":
        return BANDWIDTH
    x, y = torch.empty(2, 2 ** 28, device=device)
    return 2 * 4 * 2 ** 28 / (1e-3 * clock("a long copy", lambda: lambda: y.copy_(x)))

# %% [markdown]
# One function starts all your kernels: tensors on a GPU go to Triton, others to the stand-in.

# %%
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
# ### Exercise 15.1 · Softmax, one row a program · 2 points · about 20 minutes
#
# One program loads one row, computes its softmax while the numbers are in fast memory, and stores it. Write `softmax_kernel`; the wrapper
# `row_softmax`, which makes the output and starts one program a row, is there. Rows lie one after the other, so row 3 begins `3 * n` numbers after `X`. (The house rules do not hold for kernels: inputs are contiguous, and gradients are not needed.) One point each for
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
    y, n = torch.full_like(x, 7.0), x.shape[1]     # 7 stays where nothing is stored
    counts = launch(softmax_kernel, (len(x),), x, y, n, BLOCK=next_power_of_2(n))
    return y, counts

# %% tags=["uses-exercise"]
# Three equal scores, a third each; a score that is larger by ln 3 has three quarters.
ab.beside([[1 / 3] * 3], lambda: row_softmax(torch.zeros(1, 3))[0])
ab.beside([[0.25, 0.75]], lambda: row_softmax(torch.tensor([[0.0, math.log(3.0)]]))[0])

# %% nbgrader={"grade": true, "grade_id": "ch15_softmax_kernel_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.1, values: five rows of 16 numbers, and of 13."""
def rows_(words, x, **options):
    return ab.case(words, x, **{"ask": outputs_of} | options)

five_ = rows_("5 rows of 13", ab.numbers(5, 13))
ab.check("15.1 values", row_softmax, [
    rows_("5 rows of 16", ab.numbers(5, 16)),
    five_.but(five_.words, hint="A row of 13 does not fill its block of 16."),
    *(rows_(f"{rows} rows of {n}", ab.numbers(rows, n, seed=1))
      for rows, n in [(1, 7), (7, 1), (2, 100)]),
    rows_("scores of ±10,000", torch.tensor([[1e4, 9_999.0, -1e4]]), within=2e-3),
    rows_("three scores of -10,000", torch.full((2, 3), -1e4)),
    rows_("a score of -inf", torch.tensor([[0.0, -math.inf, 1.0]])),
    rows_("bfloat16", ab.numbers(3, 13, dtype=torch.bfloat16), within=0.01),
    five_.but("5 rows of 13, which stay as they are", ask=None, look="inputs"),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.1 values", row_softmax, [five_, *cases], "x -> y",
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
], "x -> y")
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
# Your kernel on 64 rows:

# %% tags=["show", "uses-exercise"]
x = torch.randn(64, 1000)
y, counts = row_softmax(x)
size = x.numel() * 4
print("right:", torch.allclose(y, x.softmax(1), atol=1e-6))
print(f"each number read {counts.read / size:.1f} times and written "
      f"{counts.written / size:.1f} times; five operations: 5 times and 3 times")

# %% [markdown]
# **Predict, then run.** A matrix of 8,192 rows of 4,096. How many times as long as one kernel do the five operations take?

# %% tags=["show"]
guess_softmax = None     # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title Softmax of 8,192 × 4,096 numbers, milliseconds
def on_gpu():
    x = torch.randn(8192, 4096, device=device)
    return x, torch.empty_like(x)

def one_kernel():
    row_softmax(torch.zeros(1, 4))                 # is it begun?
    x, y = on_gpu()
    return lambda: softmax_kernel[(8192,)](x, y, 4096, BLOCK=4096)

def of(function):
    x, _ = on_gpu()
    return lambda: function(x)

took = {
    "five operations": clock("softmax: five operations", lambda: of(five_operations)),
    "PyTorch's softmax": clock("softmax: PyTorch's", lambda: of(torch.nn.Softmax(1))),
    "one kernel": clock("softmax: one kernel", one_kernel),
    "only the bytes": 1e3 * 2 * 8192 * 4096 * 4 / bandwidth()}
print(card)
check_guess("times as long as one kernel", guess_softmax,
            round(took["five operations"] / took["one kernel"], 1))
fig, ax = plt.subplots(figsize=(6.4, 2.1))
ax.barh(list(took)[::-1], list(took.values())[::-1],
        color=["0.6", "#0072B2", "#E69F00", "#E69F00"])
for n, ms in enumerate(list(took.values())[::-1]):
    ax.text(ms, n, f" {ms:.3f} ms", va="center", fontsize=8)
ax.set(xlabel="milliseconds", xlim=(0, 1.2 * max(took.values())),
       title="The clock follows the bytes")
show(fig, "Four bars. Five operations take longest by far. PyTorch's softmax and one "
          "kernel lie between them and the time of the bytes alone.")

# %% [markdown]
# The five operations take four times as long: 0.362 ms against 0.090. The count predicted it: eight crossings against two. The arithmetic is the same in both, so it cannot explain the difference. The grey bar is the **floor**: the time that
# two crossings take at the speed of a long copy.

# %% [markdown]
# ## 15.3 Neighbours travel together
#
# The large memory gives no single number. It is read and written in **sectors** of 32 bytes, eight neighbouring numbers of float32. A program that wants one of them pays for eight. (So the 100 numbers above took 416 bytes: whole sectors.)
#
# That makes a transpose interesting. A program reads a row, whose numbers are neighbours, and writes a column, whose numbers are not.

# %%
@kernel
def column_kernel(X, Y, rows, cols, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * cols + c, mask=c < cols)
    tl.store(Y + c * rows + row, x, mask=c < cols)      # Y has rows numbers in a row

# %% [markdown]
# **Predict, then run.** The matrix has 64 × 64 numbers. How many times are its bytes written?

# %% tags=["show"]
guess_written = None     # type a number, then run the next cell

# %% tags=["show"]
x = torch.randn(64, 64)
y = torch.zeros(64, 64)
counts = chip.counting(column_kernel)[(64,)](x, y, 64, 64, BLOCK=64)
size = x.numel() * 4
print("right:", torch.equal(y, x.T), f"  read {counts.read / size:.1f} times")
check_guess("times the bytes written", guess_written, counts.written / size)

# %% [markdown]
# Eight times: for each number a whole sector crosses, and no program uses the rest of it. <!-- told -->
#
# What does the clock say? Here is a larger matrix, and a plain copy of it:

# %% tags=["show", "nbval-ignore-output"]
# @title 8,192 × 8,192 numbers, milliseconds
def columns():
    x = torch.randn(8192, 8192, device=device)
    y = torch.empty_like(x)
    return lambda: column_kernel[(8192,)](x, y, 8192, 8192, BLOCK=8192)

def copied():
    x = torch.randn(8192, 8192, device=device)
    y = torch.empty_like(x)
    return lambda: y.copy_(x)

print(card)
slow = clock("rows read, columns written", columns)
plain = clock("a plain copy", copied)
print(f"columns written {slow:.3f}, a plain copy {plain:.3f}: {slow / plain:.1f} times")

# %% [markdown]
# The H200 took 8.4 times as long as for a copy. The count, nine crossings against two, explains a factor of 4.5; writing a part of a sector costs more time than its bytes. The figure shows what one store touches. Each cell is a number in memory, a sector is half a row, and the dark blue numbers are wanted:

# %% tags=["show"]
# @title What one program's store touches
def touched(places, side=16):
    """What is written of a (side, side) matrix, and what only travels along."""
    picture = torch.zeros(side * side)
    for sector in {int(place) // 8 for place in places}:
        picture[8 * sector:8 * sector + 8] = 1
    picture[torch.as_tensor(places)] = 2
    return picture.view(side, side)

column = [16 * row + 3 for row in range(16)]
tile = [16 * row + col for row in range(8) for col in range(8)]
fig, axes = plt.subplots(1, 2, figsize=(6.4, 3.1))
for ax, places, name in zip(axes, (column, tile), ("a column", "a tile of 8 × 8")):
    ax.pcolormesh(touched(places).numpy(), cmap="Blues", vmin=0, vmax=2.6,
                  edgecolors="white", linewidth=0.4)
    sectors = len({place // 8 for place in places})
    ax.axvline(8, color="0.3", linewidth=1)
    ax.set(xticks=[], yticks=[], ylim=(16, 0), aspect="equal",
           title=f"{name}: {len(places)} numbers,\n{sectors} sectors of 8 numbers")
show(fig, "Two drawings of a 16 by 16 matrix in memory, two sectors in each row. A "
          "column touches a sector in every row for a single number of it. A tile of 8 "
          "by 8 fills the eight sectors that it touches.")

# %% [markdown]
# The right half of the figure shows the solution: a *tile*, in both directions at least as wide as a sector.
#
# <!-- interactive page -->
# On the page, run the programs one by one, and watch sectors light up.

# %% [markdown]
# ### Exercise 15.2 · A transpose in tiles · 2 points · about 20 minutes
#
# A tile is read along its rows, turned in fast memory, and written along *its* rows: then neighbours travel together both ways. Write
# `transpose_kernel`: program $(i, j)$ takes the tile that begins in row `i * TILE` and column `j * TILE` of `X`. The wrapper is there. One point each for
#
# - *values*: `Y[c, r]` is `X[r, c]`, for sizes that are no multiple of `TILE`, too <!-- asks: values -->;
# - *counts*: in each direction at most 1.3 times the useful bytes cross <!-- asks: counts -->. (It is more than 1 where a row begins inside a sector.)
#
# <details><summary>Details that hidden tests look at</summary>
#
# `TILE` is a power of two. A matrix may be smaller than one tile <!-- asks: small -->, and of any dtype that PyTorch has for numbers <!-- asks: dtype -->; bytes are counted in bfloat16, too. `X` stays as it was <!-- asks: inputs-unchanged -->.
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
    y = torch.full((cols, rows), 7, dtype=x.dtype, device=x.device)
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
thirds_ = odd_.but("the same numbers divided by 3", args=(odd_.args[0] / 3,))
ab.check("15.2 values", transpose, [
    odd_,
    *(turned_(f"{rows} rows of {cols}, tiles of {tile}", rows, cols, tile)
      for rows, cols, tile in [(32, 16, 16), (16, 48, 16), (5, 3, 16), (9, 21, 8),
                               (1, 40, 32), (40, 1, 32)]),
    thirds_, odd_.but("33 rows of 50, which stay as they are", ask=None, look="inputs"),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.2 values", transpose, [odd_, *cases], "x -> y",
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
], "x -> y")
### BEGIN HIDDEN TESTS
# Property: at most 1.3 times the useful bytes cross in each direction [counts]
ab.check("15.2 counts", transpose, [
    turned_(f"{rows} rows of {cols}, tiles of {tile}, {dtype}", rows, cols, tile, dtype,
            ask=traffic_)
    for rows, cols, tile in [(80, 16, 16), (32, 96, 32), (64, 64, 16)]
    for dtype in (torch.float32, torch.bfloat16)
], like=reference("transpose"))
### END HIDDEN TESTS

# %% tags=["show", "uses-exercise"]
x = torch.randn(64, 64)
y, counts = transpose(x, tile=16)
print("right:", torch.equal(y, x.T), f"  read {counts.read / size:.1f} times, written "
      f"{counts.written / size:.1f} times; column by column: 1.0 and 8.0")

# %% [markdown]
# ## 15.4 What nobody tells you on a GPU
#
# A GPU checks nothing. On the H200 a softmax whose load had no mask gave wrong numbers, off by up to 0.04, and no error: each program had read on into the next row. The stand-in stops with an error when a program reads beyond the matrix.
#
# **What breaks if…** many programs add into one number? Each reads the total, adds its own sum, and writes it back.

# %% tags=["show"]
@kernel
def total_kernel(X, T, BLOCK: tl.constexpr):
    x = tl.load(X + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.store(T, tl.load(T) + tl.sum(x, 0))

ones = torch.ones(1000, 128)
try:
    chip.counting(total_kernel)[(1000,)](ones, torch.zeros(1), BLOCK=128)
except chip.KernelError as error:
    print(error)

# %% [markdown]
# On the H200 the same text ran, and gave 128 for a sum of 128,000: the program that wrote last had read a total of 0. This is a **race**: the result depends on who comes first. Two programs are enough to see it. Here are all orders of their two loads and two stores:

# %% tags=["show"]
# @title Every order in which two programs can load and store
from itertools import permutations

def outcome(order):
    """The total after loads and stores in this order; each program adds 128."""
    total, seen = 0, {}
    for step, program in order:
        if step == "load":
            seen[program] = total
        else:
            total = seen[program] + 128
    return total

steps = [("load", 0), ("store", 0), ("load", 1), ("store", 1)]
orders = [order for order in permutations(steps) if all(
    order.index(("load", p)) < order.index(("store", p)) for p in (0, 1))]
fig, axes = plt.subplots(1, len(orders), figsize=(7.2, 1.9), sharey=True)
for ax, order in zip(axes, orders):
    for time, (step, program) in enumerate(order):
        ax.text(program, -time, step, ha="center", va="center", fontsize=8,
                color="white", bbox={
                    "boxstyle": "round", "fc": ab.OKABE_ITO[3 * program], "lw": 0})
    right = outcome(order) == 256
    ax.set(xlim=(-0.6, 1.6), ylim=(-3.6, 0.6), xticks=[0, 1], yticks=[],
           title=f"{outcome(order)}{' ✓' if right else ''}")
axes[0].set_ylabel("time, downwards")
fig.supxlabel("program", fontsize=9)
show(fig, "Six drawings, one for each order of two loads and two stores. In two of "
          "them a program stores before the other loads, and the total is 256. In four "
          "both load first, and the total is 128.")

# %% [markdown]
# Two of six orders are right. The way out is an addition that no other program can interrupt:

# %% tags=["show"]
@kernel
def safe_kernel(X, T, BLOCK: tl.constexpr):
    x = tl.load(X + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(T, tl.sum(x, 0))

total = torch.zeros(1)
chip.counting(safe_kernel)[(1000,)](ones, total, BLOCK=128)
print(f"{total.item():,.0f}")

# %% [markdown]
# It is better still if no two programs write to the same number. In all kernels that you write here, each number of the output belongs to one program.

# %% [markdown]
# ## 15.5 Flash attention as one kernel
#
# Now chapter 10's loop moves into the program. A program owns a block of queries of one head. Keys and values come in blocks; running maximum $m$, sum $s$ and output $o$ stay in fast memory. With $b_j$ for the scores of one query in this block:
#
# $$m' = \max(m, \max b), \qquad s' = s \, e^{m - m'} + \sum_j e^{b_j - m'}, \qquad o' = o \, e^{m - m'} + \sum_j e^{b_j - m'} v_j$$
#
# With a causal mask a program stops at its own last query. The figure shows what it reads, and where a mask is needed at all:

# %% tags=["show"]
# @title Tiles of 256 causal tokens: 64 queries and 32 keys each
n, rows, cols = 256, 64, 32
tiles = torch.tensor([[0.0 if col * cols > row * rows + rows - 1 else     # all hidden
                       2.0 if col * cols + cols - 1 <= row * rows else 1.0
                       for col in range(n // cols)] for row in range(n // rows)])
fig, ax = plt.subplots(figsize=(6.4, 2.6))
ax.imshow(tiles.numpy(), cmap="Blues", vmin=0, vmax=3, aspect=cols / rows * 2)
for row in range(len(tiles)):
    for col, kind in enumerate(tiles[row].int().tolist()):
        ax.text(col, row, ("–", "mask", "whole")[kind], ha="center", va="center",
                fontsize=8)
ax.set(xlabel="block of keys", ylabel="program", yticks=range(len(tiles)),
       title=f"{int((tiles > 0).sum())} of {tiles.numel()} tiles are read, "
             f"{int((tiles == 1).sum())} of them need the mask")
show(fig, "Four rows of eight tiles. Each program reads its row from the left up to "
          "the diagonal. Only the two tiles on the diagonal need a mask, those further "
          "left are whole, those further right are never read.")

# %% [markdown]
# One tile is a product of two blocks. Here is the smallest kernel that makes one:

# %% tags=["show"]
@kernel
def tile_kernel(Q, K, S, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr,
                PRECISION: tl.constexpr):
    r, c, d = tl.arange(0, ROWS), tl.arange(0, COLS), tl.arange(0, D)
    q = tl.load(Q + r[:, None] * D + d[None, :])                  # (ROWS, D)
    k = tl.load(K + c[:, None] * D + d[None, :])                  # (COLS, D)
    scores = tl.dot(q, tl.trans(k), input_precision=PRECISION)    # (ROWS, COLS)
    tl.store(S + r[:, None] * COLS + c[None, :], scores)

generator = torch.Generator().manual_seed(15)
q, k = (torch.randn(n, 64, generator=generator) for n in (32, 16))
exact = q.double() @ k.double().T
for precision in ("tf32", "ieee"):
    s = torch.zeros(32, 16)
    chip.counting(tile_kernel)[(1,)](
        q, k, s, D=64, ROWS=32, COLS=16, PRECISION=precision)
    off = ((s - exact).norm() / exact.norm()).item()
    print(f"{precision}: off by {'less than 1e-6' if off < 1e-6 else f'{off:.0e}'}")

# %% [markdown]
# **What breaks if** nobody asks for a precision? Then `tl.dot` rounds float32 to **tf32**, with 10 of the 23 bits after the point, because the matrix units of a GPU are built for that. The result is off by about a thousandth, again without warning. For attention that is usually enough. `input_precision="ieee"` keeps all bits, and is slower.
#
# `tl.dot` needs sides of 16 or more and two blocks of one dtype. It adds up in float32, even for blocks of bfloat16.

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
# `CAUSAL` is known when the kernel is compiled: `if CAUSAL:` is allowed; an `if` on a block is not. The largest tile is the largest of (ROWS, COLS), (ROWS, D) and (COLS, D), with 8 bytes a number. Float32 may be rounded to tf32 inside `tl.dot`, as a GPU does; maximum, sum and output are kept in float32. Inputs stay as they were <!-- asks: inputs-unchanged -->.
# </details>
# <details><summary>Hint 1</summary>The tile of queries has places <code>rows[:, None] * D + d[None, :]</code> of its head, which begins at <code>head * n * D</code>. Keys and values look the same, with other rows.</details>
# <details><summary>Hint 2</summary>Before the loop: maximum −∞, sum 0, output 0, of shapes (ROWS,), (ROWS,), (ROWS, D). In the loop: scores of a tile, −∞ where a key does not exist or may not be seen, new maximum, one factor for the old sum and output.</details>
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
    o = torch.full_like(q, 7.0)
    counts = launch(flash_kernel, (math.ceil(n / rows), heads), q, k, v, o, n,
                    1 / math.sqrt(d), CAUSAL=causal, D=d, ROWS=rows, COLS=cols)
    return o, counts

# %% tags=["uses-exercise"]
# Four equal keys: the mean of 0, 1, 2, 3 for every query; causal: the mean of 0 … i.
ones, same = torch.ones(2, 1, 4, 16)
counted = torch.arange(4.0)[None, :, None] * same
ab.beside([1.5] * 4, lambda: flash(ones, same, counted)[0][0, :, 0])
ab.beside([0.0, 0.5, 1.0, 1.5],
          lambda: flash(ones, same, counted, causal=True)[0][0, :, 0])

# %% nbgrader={"grade": true, "grade_id": "ch15_flash_kernel_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.3, values: 64 and 50 tokens, in blocks of 32 queries and 16 keys."""
def heads_(words, heads=2, n=50, d=64, dtype=torch.float32, **options):
    given = (ab.numbers(heads, n, d, seed=n + i, dtype=dtype) for i in range(3))
    return ab.case(words, *given, **{"within": 4e-3, "ask": some_} | options)

def some_(run, *given, **sizes):
    """Every 13th feature: of the last query and an early one in turn, then of all."""
    out = outputs_of(run, *given, **sizes)[..., ::13].flip(0)
    two = out[:, [-1, 10 % out.shape[1]]].mT                # (heads, features, 2)
    return torch.cat([two.flatten(1), out.flatten(1)], 1)

def one_each_(words, score, n=50, d=64, **options):
    """Each query has this score with a key of its own, and 0 with all others."""
    match = torch.eye(d)[torch.arange(n) * 7 % n]
    q, k = score * match.expand(2, n, d), 8.0 * torch.eye(d)[:n].expand(2, n, d)
    return heads_(words, n=n, d=d).but(words, args=(
        q.contiguous(), k.contiguous(), ab.numbers(2, n, d, seed=n)), **options)

def even_scores_(score, n=50, d=64):
    """q, k, v of two heads; every query has this score with every key."""
    q, k = torch.full((2, 2, n, d), score / d ** 0.5)
    return q, torch.ones_like(k), ab.numbers(2, n, d, seed=n)

large_ = 2048.0 + 2 * ab.numbers(2, 50, 64).round()
fifty_ = heads_("2 heads of 50 tokens")
ab.check("15.3 values", flash, [
    heads_("2 heads of 64 tokens", n=64),
    fifty_.but(fifty_.words, hint="50 tokens do not fill their blocks."),
    heads_("1 head of 16 tokens", heads=1, n=16, rows=16),
    heads_("3 heads of 64 tokens, d = 16", heads=3, n=64, d=16),
    heads_("50 tokens, 16 queries and 64 keys a block", rows=16, cols=64),
    heads_("7 tokens", n=7),
    one_each_("a score of 1,000 for each query", 1e3),
    one_each_("a score of -1,000 for each query", -1e3),
    fifty_.but("all scores are -2,000", args=even_scores_(-2e3)),
    fifty_.but("all scores are 0, values about 2,000",
               args=(*even_scores_(0.0)[:2], large_), within=2e-3),
    heads_("bfloat16", dtype=torch.bfloat16, within=0.03),
    fifty_.but("50 tokens: q, k, v stay as they are", ask=None, look="inputs"),
], "q, k, v -> output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 values", flash, [fifty_, *cases], "q, k, v -> output",
             like=reference("flash"))

# Property: right for any number of tokens and heads, whatever the blocks [values]
tried(*(heads_(f"{heads} heads of {n} tokens, d = {d}, blocks of {rows} and {cols}",
               heads, n, d, rows=rows, cols=cols)
        for heads, n, d, rows, cols in [
            (1, 1, 32, 16, 16), (3, 37, 16, 16, 32), (2, 70, 32, 64, 16),
            (1, 96, 64, 32, 32), (5, 17, 16, 32, 64)]))
# Property: large scores, and scores far below 0, are right [large-scores]
q, k, v = fifty_.args
tried(*(one_each_(f"a score of {score} for each query", score, n=37)
        for score in (-1e4, 200.0, 1e4)),
      *(fifty_.but(f"all scores are {64 * x}", args=(8.0 * x + 0 * q, 8.0 + 0 * k, v))
        for x in (-20.0, 20.0)))
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
def beyond_(run, q, k, v, rows=32, cols=16):
    """What is read beyond the diagonal, each tile as often as without CAUSAL."""
    n = q.shape[1]
    ends = [min(n, first + rows) for first in range(0, n, rows)]
    keys = sum(min(n, math.ceil(end / cols) * cols) for end in ends)
    least, full = n + 2 * keys, n + 2 * n * len(ends)           # rows of q, k and v
    causal, all_ = (run(q, k, v, kind, rows, cols)[1].read for kind in (True, False))
    all_ = max(all_, full * q[:, 0].numel() * q.element_size())
    times = causal * full / (all_ * least)
    if times <= 1:
        return "no tile beyond the diagonal is read"
    return f"tiles beyond the diagonal are read: {times:.2f} times what lies up to it"

even_ = heads_("64 tokens, causal", n=64, causal=True)
ab.check("15.3 causal", flash, [
    even_,
    heads_("64 tokens, causal, 16 queries and 32 keys a block", n=64, causal=True, d=32,
           rows=16, cols=32),
    *(heads_(f"{n} tokens, causal: what is read", heads=1, n=n, d=d, rows=rows,
             cols=cols, ask=beyond_,
             hint="Where may the loop of a block of queries end?")
      for n, d, rows, cols in [(128, 64, 32, 16), (96, 16, 16, 32)]),
], "q, k, v -> output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 causal", flash, [even_, *cases], "q, k, v -> output",
             like=reference("flash"))

# Property: causal is right for any blocks, and no later token has a say [causal]
tried(*(heads_(f"{heads} heads of {n} tokens, causal, blocks of {rows} and {cols}",
               heads, n, d, causal=True, rows=rows, cols=cols)
        for heads, n, d, rows, cols in [(1, 32, 32, 16, 16), (3, 96, 16, 32, 32),
                                        (2, 64, 16, 64, 16)]))
q, k, v = even_.args
late = torch.arange(64)[:, None] > 40

def first_41(run, *given):
    return outputs_of(run, *given, causal=True)[:, :41]

tried(heads_("other keys and values after token 40", ask=first_41).but(
    "other keys and values after token 40: what comes before",
    args=(q, torch.where(late, 9.0, k), torch.where(late, 500.0, v))))
# Property: no tile of keys or values beyond the diagonal is read [diagonal]
tried(*(heads_(f"{n} tokens, causal, blocks of {rows} and {cols}: what is read", 2, n,
               d, rows=rows, cols=cols, ask=beyond_)
        for n, d, rows, cols in [(160, 16, 32, 32), (128, 32, 16, 16),
                                 (64, 16, 16, 64)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch15_flash_kernel_check_traffic", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.3, traffic: what crosses, and the largest block that was made."""
def crossed_(run, q, k, v, rows=32, cols=16):
    counts = run(q, k, v, False, rows, cols)[1]
    d, size = q.shape[2], q.numel() * q.element_size()
    read = (counts.read / size - 1) / 2 / math.ceil(q.shape[1] / rows)
    tile = 8 * max(rows * cols, rows * d, cols * d)      # offsets may be int64
    large = f"{counts.largest:,} of {tile:,} bytes"
    large = "a tile" if counts.largest <= tile else large
    return (f"keys and values read {read:g} times for each block of queries, outputs "
            f"written {counts.written / size:g} times, the largest block {large}")

ab.check("15.3 traffic", flash, [
    heads_(f"{n} tokens, blocks of {rows} and {cols}", heads=1, n=n, d=d, rows=rows,
           cols=cols, ask=crossed_, hint="Queries are loaded before the loop, the "
           "output is stored after it; q counts once.")
    for n, d, rows, cols in [(128, 64, 32, 16), (96, 16, 16, 32)]
], "q, k, v -> output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("15.3 traffic", flash, cases, like=reference("flash"))

measured = [heads_(f"{heads} heads of {n}, d = {d}, blocks of {rows} and {cols}", heads,
                   n, d, rows=rows, cols=cols, ask=crossed_)
            for heads, n, d, rows, cols in [
                (2, 128, 32, 32, 16), (3, 64, 16, 16, 16), (1, 256, 64, 32, 32)]]
# Property: queries and outputs cross once, keys and values once for each block of queries [traffic]
tried(*measured[:2])
# Property: no block is larger than a tile [blocks]
tried(*measured[2:])
### END HIDDEN TESTS

# %% [markdown]
# Your kernel on 256 tokens. A naive version writes scores and weights, and reads both again (chapter 10):

# %% tags=["show", "uses-exercise"]
q, k, v = (torch.randn(2, 256, 64, generator=generator) for _ in range(3))
output, counts = flash(q, k, v, causal=True, rows=64, cols=32)
off = (output - F.scaled_dot_product_attention(q, k, v, is_causal=True)).abs().max()
print("right to 1e-2:", off.item() < 1e-2, "  programs:", counts.programs)
naive = 4 * 4 * 2 * 256 * 256 + 4 * 4 * 2 * 256 * 64
print(f"kB crossed: {(counts.read + counts.written) // 1024}, naive, which skips "
      f"nothing: {naive // 1024}")

# %% [markdown]
# **Predict, then run.** Take 16,384 tokens and 16 heads of 64, causal. How fast is a kernel of some 40 lines, in percent of PyTorch's own?

# %% tags=["show"]
guess_speed = None       # percent; type a number, then run the next cell

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title Your kernel and PyTorch's, causal, 16 heads of 64, bfloat16
def heads_of(n):
    return torch.randn(3, 16, n, 64, device=device, dtype=torch.bfloat16)

def ours_on(n):
    flash(*torch.zeros(3, 1, 16, 16))              # is it begun?
    q, k, v = heads_of(n)
    o = torch.empty_like(q)
    return lambda: flash_kernel[(n // 64, 16)](
        q, k, v, o, n, 0.125, CAUSAL=True, D=64, ROWS=64, COLS=64)

def theirs_on(n):
    q, k, v = heads_of(n)[:, None]
    return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)

flash_took = {}
print(card)
for n in (1024, 4096, 16384):
    ours = clock(f"flash, {n:,} tokens", lambda: ours_on(n))
    theirs = clock(f"PyTorch's, {n:,} tokens", lambda: theirs_on(n))
    flash_took[n] = ours, theirs
    print(f"{n:6,d} tokens: {ours:.3f} ms, PyTorch's {theirs:.3f} ms")
check_guess("percent of PyTorch's speed", guess_speed, round(100 * theirs / ours))

# %% [markdown]
# At 1,024 tokens the kernel is 1.5 times as fast as PyTorch's. Chapter 10's tiles took 52 ms for as many, in float32. The algorithm is the same, but Python no longer starts every step.
#
# At 16,384 tokens it has 54 % of PyTorch's speed. Why only half? For every tile it works out which keys may be seen, though few tiles need a mask, as the figure above shows. In [the deeper notebook](deeper.ipynb) tiles without a mask come first, in a loop of their own, and the kernel reaches 89 %.

# %% [markdown]
# ## 15.6 Which limit?
#
# A program moves bytes and computes at the same time. So a kernel takes at least as long as the slower of the two:
#
# $$t \ge \max\left(\frac{\mathrm{operations}}{\mathrm{peak}},\ \frac{\mathrm{bytes}}{\mathrm{bandwidth}}\right)$$
#
# An H200 does 989 · 10¹² operations in bfloat16 a second (data sheet) and moves 4.3 · 10¹² bytes. So it can do 230 operations in the time of one byte. A kernel that does fewer per byte waits for memory.

# %% [markdown]
# ### Exercise 15.4 · The roofline · 1 point · about 8 minutes
#
# Write `roofline(flops, bytes_moved, peak_flops, bandwidth)`: the least
# time in seconds, and what sets it, `"compute"` or `"memory"` <!-- asks: values -->. `peak_flops` and `bandwidth` are a second's operations and bytes. Either operations or bytes may be 0 <!-- asks: nothing -->; equal times do not occur.
#
# <details><summary>Hint 1</summary>How long would each of the two take if the other took no time?</details>

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
# 6 operations at 12 a second take 0.5 s, 4 bytes at 20 a second 0.2 s.
ab.beside([0.5, "compute"], lambda: roofline(6, 4, 12, 20))
ab.beside([4.0, "memory"], lambda: roofline(6, 20, 12, 5))

# %% nbgrader={"grade": true, "grade_id": "ch15_roofline_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.4: a copy, a product of matrices, and what lies between."""
def least_(roofline, flops, moved, peak, bandwidth):
    """In microseconds, so that small times are compared, too."""
    result = roofline(flops, moved, peak, bandwidth)
    match result:
        case (int() | float() as seconds, str() as what):
            return 1e6 * seconds, what
    return result

def work_(words, *given):
    return ab.case(words, *given, ask=least_)

ab.check("15.4 roofline", roofline, [
    work_("6 operations at 12 a second, 4 bytes at 20 a second", 6, 4, 12, 20),
    work_("6 operations at 12 a second, 20 bytes at 5 a second", 6, 20, 12, 5),
    work_("a copy: no operation", 0, 3e9, 1e15, 4e12),
    work_("numbers that are there already: no byte", 5e9, 0, 1e15, 4e12),
    work_("a product of matrices of 4,096", 2 * 4096 ** 3, 6 * 4096 ** 2, 8e14, 4.3e12),
    work_("a product of matrices of 256", 2 * 256 ** 3, 6 * 256 ** 2, 8e14, 4.3e12),
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
# For three computations, compare the least time that your function gives with the measured one. Each number is counted as crossing once:

# %% tags=["show", "uses-exercise"]
# @title Least times, and measured ones
n, tokens = 16384, 65536
WORK = {  # operations, bytes, milliseconds on the H200
    "softmax, 8,192 × 4,096": (
        5 * 8192 * 4096, 8 * 8192 * 4096, H200["softmax: one kernel"]),
    "flash, 16,384 tokens": (
        2 * 16 * n ** 2 * 64, 8 * 16 * n * 64, H200["flash, 16,384 tokens"]),
    "one new token": (4 * 128 * tokens * 128, 4 * 8 * tokens * 128,
                      H200["one program a head"])}
for name, (flops, moved, ms) in WORK.items():
    least, limit = roofline(flops, moved, PEAK, BANDWIDTH)
    print(f"{name:23} {flops / moved:7.1f} operations a byte: {limit:7}, least "
          f"{1e3 * least:.3f} ms, took {ms:.3f}")

# %% tags=["show", "uses-exercise"]
# @title The roofline of an H200, with three kernels
fig, ax = plt.subplots(figsize=(6.4, 3.3))
intensity = [0.1 * 1.2 ** i for i in range(62)]
ax.loglog(intensity, [i / roofline(i, 1, PEAK, BANDWIDTH)[0] / 1e12 for i in intensity],
          color="0.4")
for (name, (flops, moved, ms)), mark in zip(WORK.items(), "os^"):
    ax.plot(flops / moved, flops / ms / 1e9, mark, label=name, ms=7)
ax.set(xlabel="operations for each byte", ylabel="10¹² operations a second",
       title="Left of the bend memory is the limit, right of it arithmetic")
ax.legend(frameon=False, fontsize=8, loc="lower right")
show(fig, "A line that rises and bends into a flat roof at 230 operations a byte. "
          "Softmax lies close under the rising part, the new token far below it. Flash "
          "attention lies to the right, a factor of four under the roof.")

# %% [markdown]
# Softmax takes about 1.5 times its least time. Memory is its limit, so no cleverer arithmetic would help. Long flash attention reaches a quarter of the peak. There arithmetic is the limit, so a better loop does help.
#
# For flash attention the stand-in counts 8.6 GB, more than one crossing each, since keys and values are read for each block of queries. From the large memory these bytes would take 2.0 ms, but the kernel of the deeper notebook takes 1.41. So many of the reads never reach it: a cache that all processors share answers them, and the stand-in has none.
#
# The third, attention for one new token, is the exception. Its limit is memory, yet it takes 17 times the least time. What is it waiting for?

# %% [markdown]
# ## 15.7 One new token
#
# A model that writes has one query per head, and a long cache to read. Take 65,536 tokens in the cache, and eight key–value heads with 16 query heads each (chapter 10's groups). With one program a key–value head there are eight programs. An H200 has 132 processors, and nearly all of them have nothing to do.
#
# So the cache is cut into parts, with a program for each, and the parts are merged at the end. The formula is the running softmax once more, with parts in place of blocks:

# %%
scores, values = torch.randn(100), torch.randn(100, 4)
parts = []
for part in (slice(0, 64), slice(64, 100)):          # in any order, at the same time
    m = scores[part].max()
    e = (scores[part] - m).exp()
    parts.append((m, e.sum(), e @ values[part]))     # maximum, sum, unfinished output

m = max(part[0] for part in parts)
s = sum(part[1] * (part[0] - m).exp() for part in parts)
o = sum(part[2] * (part[0] - m).exp() for part in parts)
print("as in one piece:", torch.allclose(o / s, scores.softmax(0) @ values, atol=1e-6))

# %% tags=["show"]
# @title Programs and processors
fig, ax = plt.subplots(figsize=(6.4, 2.4))
lengths = [8192, 16384, 32768, 65536, 131072, 262144]
for split, mark in ((None, "s-"), (8192, "^-"), (2048, "o-")):
    busy = [8 * (math.ceil(n / split) if split else 1) for n in lengths]
    name = f"parts of {split:,}" if split else "one program a head"
    ax.loglog(lengths, busy, mark, label=name)
ax.axhline(PROCESSORS, color="0.4", linestyle="--", linewidth=1)
ax.text(lengths[0], PROCESSORS * 1.1, "132 processors", fontsize=8)
ax.set(xlabel="tokens in the cache", ylabel="programs",
       title="Only parts give every processor something to do")
ax.set_xticks(lengths, [f"{n // 1024}k" for n in lengths])
ax.minorticks_off()
ax.legend(frameon=False, fontsize=8)
show(fig, "Programs against tokens in the cache. One program a head stays at 8. Parts "
          "of 8,192 cross the line of 132 processors beyond 131,072 tokens, parts of "
          "2,048 beyond 32,768.")

# %% [markdown]
# ### Exercise 15.5 · The cache in parts · 3 points · about 30 minutes
#
# The cache is split: a program reads `SPLIT` of the `n` keys and values for all
# `GROUP` queries that share them, and stores what it has when its loop ends: maximum, sum and *unfinished* output (not yet divided by the sum). `merge` puts the parts of a softmax together. Write `decode_kernel` and
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
# <details><summary>Hint 2</summary>A part begins <code>(head * parts + part) * GROUP</code> numbers after <code>M</code>; <code>tl.num_programs(0)</code> is how many parts there are.</details>
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
    m, s = torch.full((2, heads, parts, group), 7.0, device=q.device)
    o = torch.full((heads, parts, group, d), 7.0, device=q.device)
    counts = launch(decode_kernel, (parts, heads), q, k, v, m, s, o, n,
                    1 / math.sqrt(d), SPLIT=split, GROUP=group, D=d, COLS=cols)
    return m, s, o, counts

# %% tags=["uses-exercise"]
# 17 keys, all scores 0, in parts of 16 and 1: sums 16 and 1, values 0 … 16 summed.
token, keys, ones = torch.zeros(1, 16, 16), torch.zeros(1, 17, 16), torch.ones(1, 2, 16)
numbered = torch.arange(17.0)[None, :, None] + keys
ab.beside([[16.0, 1.0], [120.0, 16.0]], lambda: [
    x.flatten(2)[0, :, 0] for x in decode_parts(token, keys, numbered, 16)[1:3]])
# Parts of 3 keys and of 1, of values 0, 1, 2 and 3: their mean.
ab.beside(1.5, lambda: merge(0 * ones, ones * torch.tensor([[3.0], [1.0]]),
                             3 * ones[..., None])[0, 0, 0])

# %% nbgrader={"grade": true, "grade_id": "ch15_decode_kernel_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 15.5, parts: three key-value heads, 100 keys, parts of 64 and of 36."""
def token_(words, heads=3, n=100, d=32, group=16, dtype=torch.float32, **options):
    q = ab.numbers(heads, group, d, seed=n)
    k, v = (ab.numbers(heads, n, d, seed=n + i) for i in (1, 2))
    given = [x.to(dtype) for x in (q, k, v)]
    return ab.case(words, *given, **{"within": 6e-3, "ask": parts_} | options)

def parts_(run, *given, **sizes):
    """Of each part, from the last one of the last head on."""
    m, s, o = (x.flip(0, 1) for x in outputs_of(run, *given, **sizes))
    return m, s, (o / s[..., None])[..., ::7]

hundred_ = token_("3 heads of 100 keys in parts of 64")
ab.check("15.5 parts", decode_parts, [
    token_("2 heads of 128 keys in parts of 64", heads=2, n=128),
    hundred_.but(hundred_.words, hint="The last part has 36 keys, and no whole tile."),
    token_("1 head of 64 keys, one part", heads=1, n=64),
    token_("2 heads of 70 keys in parts of 32", heads=2, n=70, split=32),
    token_("2 heads of 130 keys in parts of 48", heads=2, n=130, split=48),
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
        (1, 33, 16, 16, 16, 16), (2, 130, 32, 32, 64, 32), (2, 5, 64, 16, 64, 16),
        (3, 96, 16, 16, 48, 16)])
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
    joined_("the first two parts without a key", 2, parts=4, empty=[0, 1]),
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
    for heads, n, split in [(1, 128, 32), (2, 64, 16)]
], "q, k, v -> m, s, o over s")
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
# **Predict, then run.** 65,536 tokens, parts of 2,048. How many times as fast is this as one program for each key–value head?

# %% tags=["show"]
guess_parts = None       # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title One new token, 65,536 tokens in the cache, milliseconds
def cache():
    q = torch.randn(8, 16, 128, device=device, dtype=torch.bfloat16)
    return q, *torch.randn(2, 8, 65536, 128, device=device, dtype=torch.bfloat16)

def decoded(split):
    decode_parts(*torch.zeros(3, 1, 16, 16))       # is it begun?
    q, k, v = cache()
    count = 65536 // split
    m, s = torch.empty(2, 8, count, 16, device=device)
    o = torch.empty(8, count, 16, 128, device=device)
    def run():
        decode_kernel[(count, 8)](q, k, v, m, s, o, 65536, 128 ** -0.5, SPLIT=split,
                                  GROUP=16, D=128, COLS=64)
        return merge(m, s, o)
    return run

def library(grouped):
    q, k, v = cache()
    if grouped:                                    # (1, 128, 1, d) and (1, 8, n, d)
        q, k, v = q.view(1, 128, 1, 128), k[None], v[None]
        return lambda: F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    k, v = (x[:, None].expand(-1, 16, -1, -1) for x in (k, v))     # (8, 16, n, d)
    return lambda: F.scaled_dot_product_attention(q[:, :, None], k, v)

token_took = {
    "one program a head": clock("one program a head", lambda: decoded(65536)),
    "in parts of 2,048": clock("in parts of 2,048", lambda: decoded(2048)),
    "PyTorch's, without it": clock("PyTorch's, without it", lambda: library(False)),
    "PyTorch's, enable_gqa": clock("PyTorch's, enable_gqa", lambda: library(True))}
print(card)
for name, ms in token_took.items():
    print(f"{name:26} {ms:.2f} ms")
check_guess("times as fast in parts", guess_parts, round(
    token_took["one program a head"] / token_took["in parts of 2,048"], 1))

# %% [markdown]
# In parts, reading the cache is five times as fast, though the same bytes cross: before, too few programs fetched them. The least time is 0.062 ms, so we are still far from it, and PyTorch's kernel is twice as fast as ours.
#
# Two rows are a warning. With `enable_gqa` PyTorch knows that 16 query heads share their keys. Without it the same function treats each head as if it had its own: 0.79 ms against 0.10.

# %% [markdown]
# ### Make it yours
#
# Not graded. Change `rows` and `cols`, and look at how much crosses, and how much memory the tiles of q, k, v, output and scores take. Which pair moves least and still fits? (On an H200 a program has 227 of the 228 kB; one is the system's.)

# %% tags=["show", "uses-exercise"]
# edit: powers of two, from 16 up
my_rows, my_cols = 128, 64
q, k, v = (torch.randn(1, 512, 64, generator=generator) for _ in range(3))
_, counts = flash(q, k, v, rows=my_rows, cols=my_cols)
held = 4 * (2 * my_rows * 64 + 2 * my_cols * 64 + my_rows * my_cols)
print(f"{my_rows} queries, {my_cols} keys: {(counts.read + counts.written) // 1024} kB "
      f"crossed, {held // 1024} kB held")

# %% [markdown]
# ## Summary
#
# What had to change, so that tiles save time as well? The loop: it runs in one program. For 1,024 tokens 52 ms (float32) became 0.055 (bfloat16). You can now
#
# - write a kernel, flash attention among them, that a GPU compiles as it stands: pointers, masks, blocks whose sides are powers of two;
# - count what crosses between a GPU's two memories, and choose the way that moves less: 2 crossings in place of 8, tiles in place of columns;
# - recognise what a GPU gets wrong without an error: a missing mask, a race, rounding to tf32;
# - say what limits a computation, and split one that leaves most of the GPU idle.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **This was the last chapter.** You began with a dot product of two words. Now a published model writes in your own decoder, and you have written the kind of kernel that a GPU runs for it.
#
# ## Further reading
#
# - Tillet, Kung, Cox (2019), *Triton: An Intermediate Language and Compiler for Tiled Neural Network Computations*: section 3. [doi:10.1145/3315508.3329973](https://doi.org/10.1145/3315508.3329973)
# - NVIDIA, *CUDA C++ Best Practices Guide*: coalesced access to global memory (sectors of 32 bytes). [docs.nvidia.com](https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/)
# - Milakov and Gimelshein (2018), *Online normalizer calculation for softmax*: section 3. [arXiv:1805.02867](https://arxiv.org/abs/1805.02867)
# - Dao (2023), *FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning*: section 3, algorithm 1. [arXiv:2307.08691](https://arxiv.org/abs/2307.08691)
# - Williams, Waterman, Patterson (2009), *Roofline: An Insightful Visual Performance Model for Multicore Architectures*: section 3. [doi:10.1145/1498765.1498785](https://doi.org/10.1145/1498765.1498785)
# - Dao, Haziza, Massa, Sizov (2023), *Flash-Decoding for long-context inference*. [crfm.stanford.edu](https://crfm.stanford.edu/2023/10/12/flashdecoding.html)
# - Ainslie and others (2023), *GQA*: section 2. [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)
