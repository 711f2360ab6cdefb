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
# # 10 · Fast attention
#
# *115 minutes · ●●●●● · 6 exercises, 12 points · you need chapters 2 to 4; chapters 8 and 9 help*
#
# > A novel of 75,000 words is about 100,000 tokens. Some models of today read it in one piece.
#
# Attention compares every token with every token. For 100,000 tokens that is ten billion ($10^{10}$) weights, in every head of every
# layer. **How can a model read a novel if the weights of a single head fill the memory of its GPU?** The method that saves this memory is exact: it computes the same sum in another order (10.2 explains the letters):
#
# $$m' = \max(m, \max b), \qquad s' = s \, e^{m - m'} + \sum_j e^{b_j - m'}$$
#
# **After this chapter you can**
#
# - compute softmax block by block, and write flash attention: exact, tiled, without ever holding a `(seq, seq)` tensor;
# - count what attention costs (bytes alive, arithmetic, traffic), and read the exponent of a cost off a measurement;
# - shrink a key–value cache by sharing keys and values, and the arithmetic by a sliding window, and say what each leaves out.

# %% tags=["setup"]
import math
import weakref

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.benchmark import Timer
from torch.utils.flop_counter import FlopCounterMode

torch.manual_seed(10)
torch.set_printoptions(precision=4, sci_mode=False)
# one thread, so that times on a shared machine can be compared
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import check_guess, draw_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 10.1 What a matrix of weights costs
#
# Attention as in chapter 2, with the causal mask of chapter 3. It makes the whole matrix of scores, then the whole matrix of weights.

# %%
def naive_attention(q, k, v, causal=False):
    """softmax(q kᵀ / √d_k) v, with all scores held at once. q, k, v: (..., seq, d)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])          # (..., seq, seq)
    if causal:
        allowed = torch.ones(
            scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    return scores.softmax(dim=-1) @ v                                  # (..., seq, d)

# %% [markdown]
# Scores and weights are each a matrix of $\mathrm{seq} \times \mathrm{seq}$ numbers of 4 bytes:

# %%
# edit: the tokens of a text that you would like a model to read at once
my_length = 100_000
for seq in (1_024, 8_192, my_length):
    print(f"{seq:7,d} tokens: {seq * seq * 4 / 2**30:8.3f} GiB for the weights of one "
          "head")

# %% [markdown]
# A hundred times the tokens take ten thousand times the memory. At 100,000 tokens the scores and the weights of a single head would together fill a GPU of 80 GB.
#
# What does a function really hold while it runs? PyTorch calls a *dispatch mode* for each operation. This one remembers the size of the largest result.

# %%
# @title The size of the largest tensor
class LargestTensor(TorchDispatchMode):
    """Watches all operations inside a `with` block; `numel` is the size of the largest
    tensor they made.
    """

    def __init__(self):
        super().__init__()
        self.numel = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(tensor, torch.Tensor):
                self.numel = max(self.numel, tensor.numel())
        return result

# %%
generator = torch.Generator().manual_seed(10)
q, k, v = (torch.randn(512, 16, generator=generator) for _ in range(3))  # (seq, d) each
with LargestTensor() as seen:
    expected = naive_attention(q, k, v)
print(f"largest tensor made {seen.numel:7,d}   512 · 512 = {512 * 512:7,d}")
print(f"the result itself   {expected.numel():7,d}   512 · 16  = {512 * 16:7,d}")

# %% [markdown]
# The result is 32 times smaller than the largest tensor made on the way. But memory is filled by everything that is alive *at the same time*. So a second counter counts bytes: up when an operation allocates memory, down when the last tensor that uses it is gone.

# %%
# @title The bytes that are alive
class LiveBytes(TorchDispatchMode):
    """Inside a `with` block: `now`, the bytes of tensors made there that are still
    alive; `peak`, the most so far.
    """

    def __init__(self):
        super().__init__()
        self.now = self.peak = 0
        self.alive = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        inputs = [x for x in torch.utils._pytree.tree_leaves((args, kwargs))
                  if isinstance(x, torch.Tensor)]
        # a view makes no new memory
        old = {x.untyped_storage()._cdata for x in inputs} | self.alive
        result = func(*args, **(kwargs or {}))
        for x in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(x, torch.Tensor) and x.untyped_storage()._cdata not in old:
                self.count(x.untyped_storage())
        return result

    def count(self, storage):
        name, size = storage._cdata, storage.nbytes()
        self.alive.add(name)
        self.now, self.peak = self.now + size, max(self.peak, self.now + size)
        weakref.finalize(storage, self.gone, name, size)

    def gone(self, name, size):
        self.alive.discard(name)
        self.now -= size

# %% [markdown]
# We apply both counters to a function that computes all scores in tiles of 64 × 64 and keeps them all:

# %%
def keeps_tiles(q, k):
    """All scores, tile by tile, and none let go."""
    return [rows @ columns.T for rows in q.split(64) for columns in k.split(64)]

for seq in (512, 1024, 2048):
    rows, columns = (torch.randn(seq, 16, generator=generator) for _ in range(2))
    with LargestTensor() as seen:
        keeps_tiles(rows, columns)
    with LiveBytes() as bytes_:
        keeps_tiles(rows, columns)
    print(f"{seq:5d} tokens: largest tensor {seen.numel:,d} numbers, "
          f"{bytes_.peak / 1024:6,.0f} KiB alive at most")

# %% [markdown]
# The largest tensor stays the same, but the bytes alive grow as a square. Only the second counter shows that this function saves nothing.
#
# **Predict, then run.** 512 tokens: one `(seq, seq)` matrix of float32 takes 1,024 KiB. How many KiB are alive at the worst moment of naive
# attention?

# %% tags=["show"]
guess_peak = None        # KiB; type a number, then run the next cell

# %% tags=["show"]
peaks = {}
for seq in (512, 1024, 2048):
    inputs = [torch.randn(seq, 16, generator=generator) for _ in range(3)]
    with LiveBytes() as bytes_:
        naive_attention(*inputs)
    peaks[seq] = bytes_.peak / 1024
    print(f"{seq:5d} tokens: {peaks[seq]:7,.0f} KiB alive at most")
check_guess("KiB alive at most, naive, 512 tokens", guess_peak, round(peaks[512]))

# %% [markdown]
# Three tensors are alive at once: the scores, the weights, and the output with its 32 KiB. <!-- told --> Yet each row of weights is used for one weighted sum, which could be added up piece by
# piece. What stands in the way is softmax: its denominator needs *all* the scores of a row.

# %% [markdown]
# ## 10.2 Softmax in one pass
#
# The scores of one query arrive in blocks, and no block comes twice. Stable softmax (chapter 1) subtracts the largest score, but the largest
# may still be to come. So we subtract the largest **so far**, and correct the sum when a larger one turns up. For a new block
# $b$, with $m$ the running maximum and $s$ the running sum of exponentials:
#
# $$m' = \max(m, \max b), \qquad s' = s \, e^{m - m'} + \sum_j e^{b_j - m'}$$
#
# The factor $e^{m-m'}$ moves the old sum to the new maximum.

# %% [markdown]
# Three blocks of two scores:

# %%
blocks = [torch.tensor([1., 2.]), torch.tensor([4., 0.]), torch.tensor([3., 3.])]
m, s = float("-inf"), 0.0
for block in blocks:
    new_m = max(m, block.max().item())
    s = s * math.exp(m - new_m) + (block - new_m).exp().sum().item()
    m = new_m
    print(f"block {block.tolist()}   running maximum {m:.0f}   running sum {s:.4f}")

everything = torch.cat(blocks)
print("in one piece:", round((everything - everything.max()).exp().sum().item(), 4))

# %% [markdown]
# The denominator is the same, and no score was read twice.
#
# <!-- interactive page -->
# On the page, put a large score at the end of the row and read the last factor.

# %% [markdown]
# **What breaks if…** the old sum is *not* moved when the maximum moves?

# %%
m, s = float("-inf"), 0.0
for block in blocks:
    m = max(m, block.max().item())
    s = s + (block - m).exp().sum().item()           # the factor is forgotten
weights = (everything - m).exp() / s
print(
    "denominator", round(s, 4), "   the weights sum to", round(weights.sum().item(), 4))

# %% [markdown]
# The first block was computed with the maximum 2, the others with 4. Nothing crashes. Only the sum of the weights, 0.62, shows the mistake.
#
# There is a second trap. If the whole first block is masked, $m' = -\infty$, and $e^{-\infty - (-\infty)}$ is not a number:

# %%
minus_infinity = torch.tensor(float("-inf"))
print("exp(-inf - (-inf)) =", (minus_infinity - minus_infinity).exp().item())

# %% [markdown]
# ### Exercise 10.1 · Softmax over blocks · 2 points · about 22 minutes
#
# The scores of a row arrive in blocks, and you may go through the blocks **once**. Write `online_softmax(blocks)`, which returns the weights of all blocks, joined
# along the last dimension. `blocks` is a list, or a generator that makes each block when it is asked for. A block has shape `(..., width)`, and the widths may
# differ <!-- asks: values -->. Keep the exponentials of the blocks. One point each for
#
# - *values*: each block is worked on as it arrives, in one pass <!-- asks: one-pass -->; the largest score may come first or last <!-- asks: order -->;
# - *blocked scores*: a row with nothing but $-\infty$ gets zeros, and a row whose *first* blocks are all $-\infty$ gets the right
#   weights <!-- asks: masked-row -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Take the maximum or the sum of a block before you ask for the next one. Scores may be ±10,000, also all of them far below 0 <!-- asks: large-scores -->. With blocked scores, no gradient is NaN <!-- asks: masked-gradient -->. The [house rules](#house-rules) hold for every block <!-- asks: dtype, device, inputs-unchanged, gradient -->.
# </details>
# <details><summary>Hint 1</summary>What you keep of a block was computed with the maximum at that moment. Remember that maximum with it.</details>
# <details><summary>Hint 2</summary>At the end, one factor for each block brings it to the last maximum.</details>
# <details><summary>Hint 3</summary>Where the maximum is −∞, subtract nothing: exp(−∞) is 0, and there is no NaN. Remember the −∞ for the factor: with zero in its place, the factor could be exp(10,000), which is infinite.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_online_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def online_softmax(blocks):
    """Softmax over the last dimension of scores that come in blocks, each read once.

    blocks: an iterable of tensors (..., width); widths may differ
    Returns the weights of all blocks, (..., sum of widths); a row of -inf alone gives
    zeros. Milakov and Gimelshein (2018), Online normalizer calculation for softmax,
    section 3.
    """
    ### BEGIN SOLUTION
    parts, m, s = [], None, None
    for block in blocks:
        high = block.amax(dim=-1, keepdim=True)                        # (..., 1)
        new_m = high if m is None else torch.maximum(m, high)
        base = new_m.clamp(min=torch.finfo(new_m.dtype).min)     # a number, never -inf
        part = (block - base).exp()
        # the old sum, moved to the new maximum
        old = 0 if m is None else s * (m - base).exp()
        s, m = old + part.sum(dim=-1, keepdim=True), new_m
        parts.append((part, base))
    weights = torch.cat([part * (was - base).exp() for part, was in parts], dim=-1)
    return weights / torch.where(s == 0, torch.ones_like(s), s)
    ### END SOLUTION

# %% tags=["uses-exercise"]
zeros, sevens = torch.zeros(2), torch.full((2,), 7.0)
# Four equal scores: a quarter each. A blocked block, then two halves.
ab.beside([0.25] * 4, lambda: online_softmax(iter([zeros, zeros])))
ab.beside([0.0, 0.5, 0.5],
          lambda: online_softmax(iter([torch.tensor([-math.inf]), sevens])))

# %% nbgrader={"grade": true, "grade_id": "ch10_online_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.1, values: three blocks, in a list and from a generator."""
def in_a_list_(softmax, *blocks):
    return softmax(list(blocks))

def one_by_one_(softmax, *blocks):
    return softmax(block for block in blocks)

def scores_(words, *blocks, **options):
    blocks = map(torch.as_tensor, blocks)
    return ab.case(words, *blocks, **{"ask": in_a_list_} | options)

class Widths_(TorchDispatchMode):
    """Notes the last axis of each tensor of numbers that is made."""
    seen = ()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for part in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(part, torch.Tensor) and part.is_floating_point():
                self.seen += part.shape[-1:]
        return result

def as_they_arrive_(softmax, rows, *widths):
    def blocks():
        for n, width in enumerate(widths):
            torch.zeros(101 + n)            # a mark in the record: the next block comes
            yield torch.zeros(rows, width)

    with Widths_() as made:
        softmax(blocks())
    came = [len(made.seen) - made.seen[::-1].index(101 + n) for n in range(len(widths))]
    ready = [bool({1, rows} & {*made.seen[a:b]}) for a, b in zip(came, came[1:])]
    return f"a maximum or a sum of {sum(ready)} blocks before the next one came"

three_ = scores_("a list of blocks (2, 2), (2, 3), (2, 1)", [[1., 2.], [0., -1.]],
                 [[4., 0., 1.], [-2., 5., 0.]], [[3.], [9.]])
ab.check("10.1 values", online_softmax, [
    three_.but(three_.words, hint="Is anything kept from one call to the next?"),
    three_.but("the same blocks from a generator", ask=one_by_one_,
               hint="It has no length and no index, and is empty after one loop: go "
                    "through it once, with for."),
    scores_("blocks (2, 3, 4) and (2, 3, 1)", ab.numbers(2, 3, 4), ab.numbers(2, 3, 1)),
    scores_("scores of ±10,000", [10_000., 0.], [9_999., -10_000.], within=2e-3),
    scores_("four scores of -1,000", *2 * [[-1_000., -1_000.]]),
    scores_("a row of scores 0, a row of -10,000", *2 * [[[0.], [-10_000.]]],
            within=0.02),
    scores_("falling scores: 300, 0, -300", [300., 299.], [0.], [-300.]),
    three_.but("float64", args=tuple(block.double() for block in three_.args),
               look=("dtype", "values"), within=1e-6),
    *ab.house_rules(three_, but="float64 empty"),
    ab.case("blocks of 5, 7 and 11 scores, as they arrive", 2, 5, 7, 11,
            ask=as_they_arrive_, hint="Are all blocks fetched, copied or joined first? "
            "Work on each as it comes, with a running maximum and a running sum."),
], "block 1, block 2, block 3 -> the weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.1 values", online_softmax, cases, like=reference("online_softmax"))

def sized(words, widths, *front, scale=1.0, level=0.0, step=0.0, dtype=torch.float64):
    blocks = [scale * ab.numbers(*front, width, seed=n).to(dtype) + level + n * step
              for n, width in enumerate(widths, 110)]
    return scores_(f"{front} in front, widths {widths}{words}", *blocks,
                   ask=one_by_one_, look="dtype values",
                   within=1e-7 if dtype == torch.float64 else 1e-4)

# Property: right for other widths, leading dimensions and dtypes [values]
tried(*(sized(f", scores up to {2 * scale}", widths, *front, scale=scale, dtype=dtype)
        for front, widths, dtype in [
            ((), (1, 1, 1), torch.float64), ((3,), (7,), torch.float32),
            ((2, 5), (11, 3, 13), torch.float64), ((5, 2, 3), (2, 17), torch.float32)]
        for scale in (1, 50)))
# Property: falling maxima and rising maxima are both right [order]
tried(*(sized(f", each {step} above the last", (3,) * 5, 7, step=step)
        for step in (300, -300)))
# Property: very low and very high scores are right, whatever stands first [large-scores]
tried(*(sized(f", scores about {level}", (5, 5, 5), 3, level=level)
        for level in (-1e4, -200.0, 1e4)))
# Property: each block is worked on by itself before all are joined [one-pass]
tried(ab.case("widths 4, 9, 6, 17", 3, 4, 9, 6, 17, ask=as_they_arrive_))
plain = sized("", (5, 4, 6), 3, 2).but("blocks (3, 2, 5), (3, 2, 4), (3, 2, 6)",
                                       ask=in_a_list_)
# Property: the weights have the dtype of the blocks [dtype]
tried(*ab.house_rules(plain, only="bfloat16"))
# Property: what is made is made on the device of the blocks [device]
tried(*ab.house_rules(plain, only="device"))
# Property: the blocks are not modified [inputs-unchanged]
tried(*ab.house_rules(plain, only="inputs"))
# Property: gradients flow to every block [gradient]
tried(*ab.house_rules(plain, only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_online_softmax_check_blocked", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.1, blocked scores: -inf in a block, in a whole block, in a whole row."""
def gradient_(softmax, *blocks):
    blocks = [block.clone().requires_grad_() for block in blocks]
    weights = softmax(blocks)
    if weights.requires_grad:
        weights.square().sum().backward()
    made = [block.grad for block in blocks if block.grad is not None]
    bad = sum((~gradient.isfinite()).sum() for gradient in made)
    return f"{bad} numbers of the gradient are NaN or infinite"

inf = math.inf
late_ = scores_("row 0: the first block is blocked; row 1: the second",
                [[-inf, -inf], [1., -inf]], [[2., 1.], [-inf, -inf]], [[-inf], [3.]])
holes_ = scores_("row 0 is blocked; row 1: the first block; row 2: the second",
                 [[-inf], [-inf], [1.]], [[-inf, -inf], [1., 2.], [-inf, -inf]])
ab.check("10.1 blocked scores", online_softmax, [
    three_,
    late_,
    scores_("a block of nothing but -inf, then a score", [[-inf, -inf]], [[1.]]),
    scores_("a block of -inf, then a score of -10,000", [-inf], [-10_000.]),
    scores_("all is blocked", [[-inf] * 3] * 2, [[-inf] * 2] * 2),
    scores_("all is blocked, in float16", *2 * [torch.full((1, 2), -inf).half()]),
    holes_,
    holes_.but("the blocks stay as they are, with -inf in them", look=("inputs",)),
    holes_.but(f"{holes_.words}: the gradient", ask=gradient_),
    *ab.house_rules(holes_, only="empty"),
], "block 1, block 2, block 3 -> the weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.1 blocked scores", online_softmax, [three_, *cases],
             like=reference("online_softmax"))

def blocked(widths, level, dtype, **options):
    table = level + 5 * ab.numbers(31, 13, seed=121).to(dtype)
    table = table.masked_fill(ab.numbers(31, 13, seed=122) < 0.4, -inf)
    table[4], table[5, :7], table[6, 7:] = -inf, -inf, -inf
    return scores_(f"widths {widths}, scores about {level}, {dtype}",
                   *table.split(widths, dim=-1), **{"ask": one_by_one_} | options)

splits = ([13], [2, 5, 6], [1] * 13)
# Property: any pattern of blocked entries and blocks gives the weights of softmax, and zeros where nothing is left [masked-row]
tried(*(blocked(widths, *kind) for widths in splits for kind in [
    (0, torch.float32), (0, torch.float64), (-10_000, torch.float64)]))
# Property: gradients are finite where entries, blocks or whole rows are blocked [masked-gradient]
tried(*(blocked(widths, 0, torch.float64, ask=gradient_)
        for widths in splits))
### END HIDDEN TESTS

# %% [markdown]
# ## 10.3 Flash attention
#
# The numerator can be added up in blocks, too. The output of a query is $\sum_j e^{\mathrm{score}_j} v_j$, divided by the sum $s$. We keep a running total $o$ of this
# numerator, and the same factor moves it to a new maximum:
#
# $$o' = o \, e^{m - m'} + \sum_j e^{b_j - m'} \, v_j, \qquad \mathrm{output} = o / s$$
#
# So neither scores nor weights need to be kept. Here is one query, with keys and values in blocks of 128:

# %%
query, d = q[7], q.shape[-1]                                   # (d,)
m, s, o = float("-inf"), 0.0, torch.zeros(d)
for start in range(0, len(k), 128):
    block = k[start:start + 128] @ query / math.sqrt(d)        # (128,) scores
    new_m = max(m, block.max().item())
    e = (block - new_m).exp()                                  # (128,)
    s = s * math.exp(m - new_m) + e.sum().item()
    o = o * math.exp(m - new_m) + e @ v[start:start + 128]     # (d,)
    m = new_m
print("block by block:", [round(x, 4) for x in (o / s)[:4].tolist()], "…")
print("naive:         ", [round(x, 4) for x in expected[7, :4].tolist()], "…")

# %% [markdown]
# At no moment were there more than 128 scores. Now take a block of queries against a block of keys: the largest tensor is a **tile** of
# `block_size × block_size` scores. This is *flash attention*. Here, as in FlashAttention-2, the loop over blocks of queries is the outer one, so an output is finished before the next one is begun. (In the first
# paper the keys are outside, and every output is read and written again for each block of keys.)
#
# The figure shows it for 8 blocks with a causal mask. Tiles in which all weights would be zero are skipped.

# %% tags=["show"]
# @title The tiles, in the order in which they are visited
visited = torch.full((8, 8), float("nan"))
step = 0
for row in range(8):                            # blocks of queries outside …
    for column in range(row + 1):               # … blocks of keys inside
        step += 1
        visited[row, column] = step
fig, ax = plt.subplots(figsize=(4.6, 3.6))
image = ax.imshow(visited.numpy(), cmap="Blues", vmin=-10, vmax=40)
for row in range(8):
    for column in range(row + 1):
        ax.text(column, row, int(visited[row, column]), ha="center", va="center",
                fontsize=8, color="white" if visited[row, column] > 24 else "black")
ax.set(xlabel="block of keys", ylabel="block of queries", xticks=range(8),
       yticks=range(8), title=f"{step} of 64 tiles are visited, in this order")
ax.set_facecolor("0.92")
show(fig, "An 8 by 8 grid of tiles. The lower triangle is numbered from 1 to 36 row by "
          "row; the grey upper triangle is never visited.")

# %% [markdown]
# Tiles on the diagonal are partly masked. Here 36 of 64 tiles are visited; with more blocks the share falls towards one half.
#
# ### Exercise 10.2 · Flash attention · 4 points · about 20 minutes
#
# Complete `flash_attention(q, k, v, block_size=64, causal=False)`. The loop over blocks of queries is given; write what happens to one block. The function returns the output
# alone, equal to naive attention, whatever the `block_size` <!-- asks: values, default -->. One point each:
#
# - **Values:** the numbers of queries, keys and value features may differ, and none need be a multiple of `block_size`.
# - **House rules:** the [house rules](#house-rules) hold
#   <!-- asks: axes, exact, dtype, device, non-contiguous, gradient, inputs-unchanged -->.
# - **Causal:** with `causal=True` no output depends on what stands after it <!-- asks: causal, future -->.
# - **Measured:** no tensor holds `seq × seq` numbers <!-- asks: largest-tensor -->, and without gradients the bytes alive grow with `seq`, not with its
#   square <!-- asks: live-bytes -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Scores may be tens of thousands <!-- asks: large-scores -->. In the causal case there are as many queries as keys; later scores may be large <!-- asks: causal-large-scores -->, and the house rules hold for every block size <!-- asks: causal-gradient, causal-device -->. A tile is a block of `block_size` queries against a block of `block_size` keys <!-- asks: tile -->, and without gradients no tile outlives the next one.
# </details>
# <details><summary>Hint 1</summary>A second loop, over block starts of keys. What must be set anew for each block of queries, and what for each tile?</details>
# <details><summary>Hint 2</summary>For a block of queries: m and s are (..., block, 1), o is (..., block, d_v).</details>
# <details><summary>Hint 3</summary>The causal mask of a tile compares positions: those of its queries, those of its keys. It never needs more than a tile.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_flash_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
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
        ### BEGIN SOLUTION
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
            factor = 0 if m is None else (m - new_m).exp()
            s = e.sum(dim=-1, keepdim=True) + (0 if s is None else s * factor)
            o = e @ tile_v + (0 if o is None else o * factor)
            m = new_m
        outputs.append(o / s)
        ### END SOLUTION
    return torch.cat(outputs, dim=-2)

# %% tags=["uses-exercise"]
# Six equal keys: the mean of 0 … 5 for every query; with causal the mean of 0 … i.
same, counted = torch.ones(6, 2), torch.arange(6.)[:, None]
ab.beside([2.5] * 6, lambda: flash_attention(same, same, counted, 4)[:, 0])
ab.beside([0.0, 0.5, 1.0, 1.5, 2.0, 2.5],
          lambda: flash_attention(same, same, counted, 4, causal=True)[:, 0])

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.2, values: equal to naive attention, whatever the block size."""
def blocks_(words, seq_q=10, seq_k=10, d_v=2, d_k=2, front=(), block_size=4,
            dtype=torch.float32, **options):
    shapes = (seq_q, d_k), (seq_k, d_k), (seq_k, d_v)
    return ab.case(words, *(ab.numbers(*front, *shape, seed=n, dtype=dtype)
                            for n, shape in enumerate(shapes, 160)),
                   block_size=block_size, **options)

def scored_(words, q, k, **options):
    """Seven tokens of width 1, whose values are 0 … 6, in blocks of 3."""
    table = torch.stack([q + torch.zeros(7), k + torch.zeros(7), torch.arange(7.)])
    return ab.case(words, *table.double()[..., None], block_size=3, **options)

plain_ = blocks_("10 tokens in blocks of 4")
ab.check("10.2 values", flash_attention, [
    plain_,
    *(blocks_(f"blocks of {size}", block_size=size) for size in (1, 3, 10, 64)),
    *(blocks_(f"{m} queries, {n} keys, values of width {d}", m, n, d)
      for m, n, d in ((10, 10, 3), (3, 7, 2), (9, 3, 2))),
    scored_("all scores are -900", 1., -900.),
    scored_("scores of tens of thousands", 200 * ab.numbers(7, seed=1),
            100 * ab.numbers(7, seed=2)),
], "q, k, v -> the output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.2 values", flash_attention, [plain_, *cases],
             like=reference("flash_attention"))

# Property: right for other numbers of queries, keys and value features [values]
tried(*(blocks_(f"{m} queries, {n} keys, widths {d_k} and {d_v}, blocks of {size}",
                m, n, d_v, d_k, (), size, torch.float64)
        for m, n, d_k, d_v, size in [
            (13, 29, 5, 7, 4), (17, 11, 3, 2, 64), (7, 23, 4, 11, 5), (31, 13, 4, 5, 6),
            (1, 19, 8, 8, 7), (5, 7, 3, 2, 3)]))
# Property: the default block size gives the same [default]
tried(ab.case("70 queries, 130 keys, block_size is not given", *(
    ab.numbers(n, d, seed=n + d) for n, d in ((70, 2), (130, 2), (130, 3)))))
# Property: large scores give neither inf nor NaN, and scores far below 0 are right, too [large-scores]
some = blocks_("37 tokens in blocks of 5", 37, 37, 6, 6, block_size=5)
q, k, v = some.args
tried(some.but("scores of tens of thousands", args=(
          200 * q.double(), 200 * k.double(), v.double())),
      some.but("the same in float32", args=(200 * q, 200 * k, v), within=0.1),
      *(scored_(f"all scores are {score}", 1., score) for score in (-900., 900.)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check_rules", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.2, house rules: axes in front, number types, views, gradients."""
ten_ = plain_.but("10 tokens in blocks of 4", look=("values", "gradient"))
split_ = blocks_("3 heads of 2 texts", front=(2, 3))
ab.check("10.2 house rules", flash_attention, [
    ten_,
    *ab.house_rules(ten_, but="views empty bfloat16 gradient"),
    *ab.house_rules(split_, only="views empty"),
    blocks_("bfloat16", dtype=torch.bfloat16, look="dtype"),
], "q, k, v -> the output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.2 house rules", flash_attention, [ten_, *cases],
             like=reference("flash_attention"))

# Property: right for any leading dimensions [axes]
sized = [blocks_(f"{front} in front, {n} tokens, width {d}, blocks {size}, {dtype}",
                 n, n, d, d, front, size, dtype)
         for front, n, d, size in [
             ((3,), 17, 3, 64), ((2, 5), 23, 4, 5), ((2,), 31, 5, 6), ((2, 3), 1, 8, 7),
             ((5, 2, 3), 7, 2, 3)]
         for dtype in (torch.float64, torch.float32)]
tried(*sized)
# Property: the output has the dtype of the input [dtype]
tried(*(one.but("bfloat16", args=tuple(t.bfloat16() for t in one.args), look=("dtype",))
        for one in sized[::2]))
some = blocks_("37 tokens in blocks of 5", 37, 37, 6, 6, block_size=5)
few = blocks_("11 tokens in blocks of 4", 11, 11, 3, 3, (2,))
# Property: the inputs are not modified [inputs-unchanged]
tried(*ab.house_rules(some, only="inputs"))
# Property: exact in float64 [exact]
tried(*ab.house_rules(some, only="float64"))
# Property: non-contiguous inputs are right [non-contiguous]
tried(*ab.house_rules(few, only="views"), few.but(
    "heads as split_heads makes them", args=tuple(
        t[None].transpose(1, 2).contiguous().transpose(1, 2) for t in few.args)))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(few, only="device"))
# Property: gradients are those of naive attention [gradient]
tried(*ab.house_rules(few, only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check_causal", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.2, causal: no query reads a key that stands after it."""
causal_ = blocks_("10 tokens in blocks of 4, causal", causal=True)
ab.check("10.2 causal", flash_attention, [
    ten_,
    causal_,
    *(blocks_(f"causal, blocks of {size}", block_size=size, causal=True)
      for size in (1, 3, 64)),
    blocks_("causal, values of width 3, keys of width 2", d_v=3, causal=True),
    scored_("causal, all scores are -30,000", 1., -30_000., causal=True),
    scored_("causal, all scores 0 but for key 5, whose score is 10¹⁰", 1e5,
            1e5 * (torch.arange(7) == 5), causal=True),
    *ab.house_rules(causal_, only="gradient device"),
], "q, k, v -> the output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.2 causal", flash_attention, [ten_, *cases],
             like=reference("flash_attention"))

def causal(seq, size, *front, d=4, dtype=torch.float64):
    return blocks_(f"causal, {front} in front, {seq} tokens, blocks of {size}, {dtype}",
                   seq, seq, d, 4, front, size, dtype, causal=True, look="dtype values")

# Property: causal is right for any block size, leading dimensions and dtype [causal]
tried(*(causal(*sizes, d=5, dtype=dtype) for sizes, dtype in [
    ((13, 4), torch.float64), ((29, 7, 3), torch.float32),
    ((11, 64, 2, 5), torch.float64), ((17, 1, 2), torch.float32),
    ((1, 3), torch.float64)]))
# Property: changing a future token moves nothing before it [future]
one = causal(19, 5)
q, k, v = one.args
after = torch.arange(19)[:, None]
tried(*(one.but(f"causal, other keys and values after position {t}", args=(
    q, torch.where(after > t, k.flip(0), k), torch.where(after > t, 100., v)))
        for t in (4, 5, 12)))
# Property: a key in the future counts for nothing, however large its score is [causal-large-scores]
tried(one.but("causal, scores of tens of thousands", args=(200 * q, 200 * k, v)),
      *(scored_(f"causal, all scores are {score}", 1., score, causal=True)
        for score in (-30_000., 30_000.)))
# Property: gradients are finite and right with causal [causal-gradient]
tried(*ab.house_rules(causal(11, 4), only="gradient"))
# Property: the causal mask is made on the device of the input [causal-device]
tried(*ab.house_rules(causal(9, 4), only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check_memory", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.2, measured: the largest tensor, and the bytes alive at one time."""
def largest_(attend, *inputs, least=0, most=0, **options):
    with LargestTensor() as seen:
        attend(*inputs, **options)
    fits = least <= seen.numel <= most
    return f"a largest tensor of {f'{least} to {most}' if fits else seen.numel} numbers"

def alive_(attend, *inputs, most=0, **options):
    with torch.no_grad(), LiveBytes() as bytes_:
        attend(*inputs, **options)
    return f"{f'at most {most}' if bytes_.peak <= most else bytes_.peak} bytes alive"

def measured_(words, ask, seq, size, d=2, **options):
    return blocks_(words, seq, seq, d, d, (), size, ask=ask, **options)

ab.check("10.2 measured", flash_attention, [
    *(measured_(f"{seq} tokens in blocks of {size}: the largest tensor is a tile",
                largest_, seq, size, 1, least=size * size, most=2 * size * size - 1,
                hint="Queries and keys both go in blocks as large as block_size says.")
      for seq, size in ((16, 8), (74, 72))),
    *(measured_(f"96 tokens in blocks of 8, causal={causal}: a tile holds 64 numbers, "
                "the output 192", largest_, 96, 8, least=64, most=384, causal=causal)
      for causal in (False, True)),
    *(measured_(f"96 tokens in blocks of 8, causal={causal}: all tiles together take "
                f"{tiles:,} bytes", alive_, 96, 8, most=10_000, causal=causal,
                hint="Are tiles of scores kept in a list?")
      for causal, tiles in ((False, 36_864), (True, 19_968))),
], "q, k, v -> the output")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.2 measured", flash_attention, cases, like=reference("flash_attention"))

# Property: no tensor grows with the square of the sequence [largest-tensor]
tried(*(measured_(f"{seq} tokens, block_size {size}, causal={causal}", largest_, seq,
                  size, causal=causal, least=1, most=4 * seq + size * size)
        for seq, size in [(83, 16), (37, 8)] for causal in (False, True)))
# Property: without gradients the bytes alive grow with the sequence, not with its square [live-bytes]
def growth(attend, *inputs, **options):
    peaks = []
    for seq in (64, 128):
        with torch.no_grad(), LiveBytes() as bytes_:
            attend(*(t[:seq] for t in inputs), **options)
        peaks.append(bytes_.peak)
    return "about twice the bytes" if peaks[1] < 2.6 * peaks[0] else f"{peaks} bytes"

tried(measured_("64 and 128 tokens: twice the tokens may take twice the bytes",
                growth, 128, 16, 4))
# Property: a tile has block_size queries and block_size keys [tile]
tried(*(measured_(f"{5 * size} tokens in blocks of {size}: a tile is {size} × {size}",
                  largest_, 5 * size, size, 1, least=size ** 2, most=3 * size ** 2 // 2)
        for size in (40, 128)),
      ab.case("320 tokens, block_size is not given: a tile is 64 × 64",
              *3 * [ab.numbers(320, 2)], ask=largest_, least=64 * 64, most=2 * 64 * 64))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** Naive attention has 32,896 KiB alive at 2,048 tokens with 16 numbers each. What will yours need, in blocks of 64?

# %% tags=["show"]
# KiB alive at most, 2,048 tokens; type a number, then run the next cell
guess_flash = None

# %% tags=["show", "uses-exercise"]
flash_peaks = {}
for seq in peaks:
    q, k, v = (torch.randn(seq, 16, generator=generator) for _ in range(3))
    with LiveBytes() as bytes_:
        output = flash_attention(q, k, v)
    flash_peaks[seq] = bytes_.peak / 1024
    far = (output - naive_attention(q, k, v)).abs().max().item()
    print(f"{seq:5d} tokens: naive {peaks[seq]:7,.0f} KiB, yours "
          f"{flash_peaks[seq]:5,.0f} KiB; outputs "
          f"{'at most 1e-5' if far < 1e-5 else f'{far:.1e}'} apart")
check_guess(
    "KiB alive at most, flash, 2,048 tokens", guess_flash, round(flash_peaks[2048]))

# %% tags=["show", "uses-exercise"]
# @title The bytes alive against the number of tokens
fig, ax = plt.subplots(figsize=(6.4, 3))
ax.loglog(peaks.keys(), peaks.values(), "o-", label="naive")
ax.loglog(flash_peaks.keys(), flash_peaks.values(), "s-", label="yours, blocks of 64")
ax.loglog(peaks.keys(), [seq * 16 * 4 / 1024 for seq in peaks], ":", color="0.5",
          label="the output alone")
draw_guess(ax, guess_flash)
ax.set(xlabel="tokens", ylabel="KiB alive at most",
       title="Twice the tokens: naive four times the bytes, yours at most twice")
ax.set_xticks(list(peaks), list(peaks))
ax.minorticks_off()
ax.legend(frameon=False)
show(fig, "Bytes alive against tokens on doubly logarithmic axes. Naive attention "
          "rises as a square from about two thousand KiB; the tiled version stays far "
          "below and rises in proportion to the output.")

# %% [markdown]
# What grows is the output, which must exist anyway. (Ours exists twice for a moment: in blocks, and joined.) <!-- told --> In training, autograd also keeps what the backward pass will need.
# How much is alive when the forward pass is over?

# %% tags=["show", "uses-exercise"]
parameters = [
    torch.randn(2048, 16, generator=generator).requires_grad_() for _ in range(3)]
for name, function in [("naive", naive_attention), ("yours", flash_attention)]:
    with LiveBytes() as bytes_:
        output = function(*parameters)
    print(f"{name}: {bytes_.now / 1024:7,.0f} KiB kept for the backward pass")
del output

# %% [markdown]
# For the backward pass, *ours* keeps every tile: more than twice as much as naive attention. The real flash attention keeps only the output and $m$ and $s$ of each row, and computes the tiles a second time
# (2022 paper, section 3.1). That is more arithmetic for less memory.

# %% [markdown]
# ## 10.4 What a conversation costs
#
# In a conversation the model writes one token at a time. Chapter 8 kept the keys and values of all earlier tokens: the **key–value cache**. For each token it holds one key and one value of `d_head` numbers
# in each layer and each key–value head (so far: each head).

# %% [markdown]
# The cache of a toy model:

# %%
layers, kv_heads, d_head, seq, batch = 2, 3, 4, 5, 1
cache = [
    [torch.zeros(batch, kv_heads, seq, d_head) for _ in "kv"] for _ in range(layers)]
print("bytes:", sum(t.numel() * t.element_size() for pair in cache for t in pair))

# %% [markdown]
# ### Exercise 10.3 · Bytes of a cache · 1 point · about 5 minutes
#
# Write `kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype)`: the bytes of the whole cache, where `dtype` is any `torch.dtype`,
# such as `torch.float16` <!-- asks: dtype -->. Compute it without creating anything of that size <!-- asks: counted -->, and the number is
# exact for very large caches, too <!-- asks: exact -->.
#
# <details><summary>Hint 1</summary>Which seven numbers does the count above multiply? One of them stands nowhere in the signature.</details>
# <details><summary>Hint 2</summary>A dtype knows its size: look at what <code>torch.float16.</code> offers.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_kv_cache_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    """Bytes of a key–value cache: keys and values of every token, layer and key–value
    head. Returns an int.
    """
    ### BEGIN SOLUTION
    return 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One key and one value of 4 bytes; then the toy cache that was counted above.
ab.beside(8, lambda: kv_cache_bytes(1, 1, 1, 1, 1, torch.float32))
ab.beside(960, lambda: kv_cache_bytes(2, 3, 4, 5, 1, torch.float32))

# %% nbgrader={"grade": true, "grade_id": "ch10_kv_cache_bytes_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.3: caches of many sizes and dtypes, very large ones too."""
def cache_(words, *sizes, **options):
    return ab.case(words, *sizes, **{"within": 1e-9} | options)

def exact_(count, *sizes):
    return f"{int(count(*sizes)):,}"

ab.check("10.3 bytes", kv_cache_bytes, [
    cache_("7 layers, 11 heads, width 13, 17 tokens, 3 texts, float32",
           7, 11, 13, 17, 3, torch.float32,
           hint="Is every size used, and nothing kept from one call to the next?"),
    cache_("the same in float16", 7, 11, 13, 17, 3, torch.float16),
    cache_("the same for one text in float32", 7, 11, 13, 17, 1, torch.float32),
    cache_("6 texts of one token each", 2, 3, 4, 1, 6, torch.float32),
    *(cache_(f"2 texts of 5 tokens, {dtype}", 2, 3, 4, 5, 2, dtype)
      for dtype in (torch.float64, torch.int8, torch.bool, torch.complex128,
                    torch.complex64, torch.int64, torch.uint8)),
    cache_("10¹⁵ tokens of 1 byte", 1, 1, 1, 10 ** 15, 1, torch.int8, within=1e-4,
           hint="Nothing of that size may be made to find out."),
    cache_("10¹⁷ + 1 tokens of 1 byte", 1, 1, 1, 10 ** 17 + 1, 1, torch.int8,
           ask=exact_),
], "layers, kv_heads, d_head, seq, batch, dtype -> the number of bytes")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.3 bytes", kv_cache_bytes, cases, like=reference("kv_cache_bytes"))

# Property: right for every dtype [dtype]
tried(*(cache_(f"{dtype}: any dtype may come", 3, 5, 7, 11, 13, dtype) for dtype in (
    torch.float64, torch.float32, torch.bfloat16, torch.float16, torch.int8,
    torch.int32, torch.int16, torch.bool, torch.complex128)))
# Property: right for real models, without making the cache [counted]
tried(*(cache_(f"layers, kv_heads, d_head, seq, batch: {sizes}", *sizes, torch.float16)
        for sizes in [(2, 3, 512, 1, 5), (1, 1, 1, 1, 3), (126, 8, 320, 3, 1),
                      (80, 64, 128, 100_000, 1)]))
# Property: the answer is exact, not a rounded float [exact]
tried(cache_("very large caches are counted in whole numbers",
             81, 63, 127, 10 ** 10 + 1, 7, torch.int8, ask=exact_))
### END HIDDEN TESTS

# %% [markdown]
# Now we compute it for real models: their published shapes, 16-bit numbers, one text of 100,000 tokens. Only the last of the four was trained to read that far. For
# the others the last column says what such a text *would* take.

# %% tags=["show", "uses-exercise"]
MODELS = {
    "GPT-2 XL": (48, 25, 25, 64, 1_024), "Llama 2 7B": (32, 32, 32, 128, 4_096),
    "Llama 2 70B": (80, 64, 8, 128, 4_096), "Llama 3.1 8B": (32, 32, 8, 128, 131_072)}
print("               heads  kv heads   tokens it was made for   cache of 100,000")
for name, (layers, heads, kv_heads, d_head, longest) in MODELS.items():
    size = kv_cache_bytes(layers, kv_heads, d_head, 100_000, 1, torch.float16)
    print(f"{name:12}   {heads:5d}  {kv_heads:8d}   {longest:23,d}   "
          f"{size / 2**30:9.1f} GiB")

# %% [markdown]
# The 70B model has ten times the parameters of the 7B model, and yet its cache is *smaller*. For each token the 70B model holds $80 \cdot 8$ pairs of key and value (layers times key–value heads), the 7B model $32 \cdot 32$.
#
# ## 10.5 Sharing keys and values
#
# Must every head keep its own keys and values? In **grouped-query attention** several query heads read
# the same key–value head. With as many key–value heads as query heads it is multi-head attention (MHA, chapter 4). With a single one it is
# *multi-query attention* (MQA). Who reads what, for 8 heads:

# %%
heads = 8
for kv_heads in (8, 2, 1):
    print(f"{kv_heads} key–value heads: query head 0…7 reads",
          [h // (heads // kv_heads) for h in range(heads)])

# %% [markdown]
# Neighbours share: head $h$ reads key–value head $\lfloor h \,/\, (\mathrm{heads}/\mathrm{kv\_heads}) \rfloor$.
#
# ### Exercise 10.4 · Grouped-query attention · 2 points · about 12 minutes
#
# Attention as in chapter 4, but a group of query heads reads one key–value head. Write `grouped_query_attention(q, k, v, mask=None)` with `q` `(..., heads, seq_q, d)` and `k`, `v` `(..., kv_heads, seq_k, d)`. It returns
# `(output, weights)`, weights `(..., heads, seq_q, seq_k)`. One point each for
#
# - *grouping*: every number of heads and groups, and any leading dimensions <!-- asks: values -->;
# - *masks*: `mask` is boolean, `True` = may attend, of any shape that broadcasts to the weights <!-- asks: mask -->; a row with nothing to attend to gives zero weights and a zero output <!-- asks: masked-row -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# A mask may differ from head to head. What it hides counts for nothing, however large the scores are, hidden or not <!-- asks: mask-large-scores -->. A row with nothing to attend to gives no NaN in any gradient. The [house rules](#house-rules) hold with a mask and without one
# <!-- asks: non-contiguous, dtype, mask-dtype, device, inputs-unchanged, mask-unchanged, gradient -->; no batch is empty.
# </details>
# <details><summary>Hint 1</summary>Two roads: repeat the keys and values of each group, or fold q into (…, kv_heads, group, seq, d) and let broadcasting share.</details>
# <details><summary>Hint 2</summary>PyTorch has two ways to repeat: a b a b and a a b b. Which of the two puts neighbours together?</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_grouped_query_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def grouped_query_attention(q, k, v, mask=None):
    """Attention in which groups of neighbouring query heads share a key–value head.

    q: (..., heads, seq_q, d)   k, v: (..., kv_heads, seq_k, d)
    mask: boolean, True = may attend, broadcastable to the weights
    Returns (output, weights): (..., heads, seq_q, d) and (..., heads, seq_q, seq_k).
    Ainslie and others (2023), GQA, section 2.
    """
    ### BEGIN SOLUTION
    group = q.shape[-3] // k.shape[-3]
    # (..., heads, seq_k, d)
    k, v = (t.repeat_interleave(group, dim=-3) for t in (k, v))
    # (..., heads, seq_q, seq_k)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
        empty = ~mask.expand(scores.shape).any(dim=-1, keepdim=True)
        # softmax must not see a row of -inf alone
        scores = scores.masked_fill(empty, 0.0)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(empty, 0.0)
    return weights @ v, weights
    ### END SOLUTION

# %% tags=["uses-exercise"]
# All scores are equal. Heads 0 and 1 read values of 3 alone, heads 2 and 3 values of 5.
questions, keys = torch.zeros(4, 1, 1), torch.zeros(2, 3, 1)
values = torch.tensor([[[3.0]] * 3, [[5.0]] * 3])
ab.beside([3.0, 3.0, 5.0, 5.0],
          lambda: grouped_query_attention(questions, keys, values)[0].flatten())

# %% nbgrader={"grade": true, "grade_id": "ch10_grouped_query_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.4, grouping: which query head reads which keys and values."""
def heads_(words, heads, kv_heads, *mask, front=(), seq_q=1, seq_k=3, d=3,
           dtype=torch.float32, **options):
    shapes = (heads, seq_q), (kv_heads, seq_k), (kv_heads, seq_k)
    words = words or f"{front} in front, {heads} heads, {kv_heads} key–value heads"
    return ab.case(words, *(ab.numbers(*front, *shape, d, seed=n, dtype=dtype)
                            for n, shape in enumerate(shapes, 141)), *mask, **options)

four_ = heads_("4 heads, 2 key–value heads, one query", 4, 2)
ab.check("10.4 grouping", grouped_query_attention, [
    four_,
    four_.but("other keys of the same shape", args=(
        four_.args[0], -four_.args[1], four_.args[2])),
    heads_("6 heads, 2 key–value heads: groups of 3", 6, 2),
    heads_("71 keys", 4, 2, seq_k=71),
    *ab.house_rules(four_, but="empty"),
    *(heads_(f"4 heads, {n} key–value heads: the gradient", 4, n, look="gradient")
      for n in (4, 1)),
], "q, k, v, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.4 grouping", grouped_query_attention, cases,
             like=reference("grouped_query_attention"))

def sized(heads, kv_heads, *mask, words="", front=(), **options):
    return heads_(words, heads, kv_heads, *mask, front=front,
                  **{"seq_q": 7, "seq_k": 11, "d": 5} | options)

# Property: right for every number of heads and groups, from multi-head to multi-query, and any leading dimensions [values]
tried(*(sized(heads, kv_heads, front=front, dtype=dtype)
        for front, heads, kv_heads in [((), 6, 3), ((2,), 6, 2), ((3, 2), 5, 5),
                                       ((2,), 7, 1), ((1,), 12, 4), ((), 10, 2)]
        for dtype in (torch.float64, torch.float32)),
      sized(4, 2, words="69 queries, 71 keys", seq_q=69, seq_k=71, d=4))
plain = sized(6, 3, front=(2,))
# Property: keeps dtype and precision of its input [dtype]
tried(*ab.house_rules(plain, only="float64 bfloat16"))
# Property: the inputs are not modified [inputs-unchanged]
tried(*ab.house_rules(plain, only="inputs"))
# Property: non-contiguous inputs, as split_heads makes them, are right [non-contiguous]
tried(plain.but("heads as split_heads makes them", args=tuple(
    t.transpose(1, 2).contiguous().transpose(1, 2) for t in plain.args)))
# Property: works on the device of the input [device]
tried(*ab.house_rules(plain, only="device"))
# Property: gradients reach q, k and v [gradient]
tried(*(rule for kv_heads in (3, 6, 1)
        for rule in ab.house_rules(sized(6, kv_heads), only="gradient")))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_grouped_query_attention_check_mask", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.4, masks: True = may attend; a row with nothing to attend to gives
zeros."""
def masked_(words, mask, scale=1.0):
    q_, k_, v_ = (t.double() for t in four_.args)
    return ab.case(words, scale * q_, k_, v_, torch.tensor(mask).bool())

def weights_(attend, *inputs):
    return attend(*inputs)[1]

def gradient_(attend, *inputs):
    leaves = [t.clone().requires_grad_() for t in inputs[:3]]
    output = attend(*leaves, inputs[3])[0]
    if output.requires_grad:
        output.square().sum().backward()
    made = [t.grad for t in leaves if t.grad is not None]
    bad = sum((~gradient.isfinite()).sum() for gradient in made)
    return f"{bad} numbers of the gradient are NaN or infinite"

sees_ = torch.tensor([[0, 0, 0], [1, 1, 0]]).bool()
rows_ = [heads_(f"query 0 sees nothing, {heads} heads, {kv_heads} key–value heads",
                heads, kv_heads, sees_, seq_q=2)
         for heads, kv_heads in [(4, 2), (4, 4), (4, 1), (6, 1)]]
deep_ = torch.tensor([[[-1e11], [-1e11], [0.]]]).double()
one_mask_ = masked_("a mask (1, 3)", [[1, 1, 0]])
ab.check("10.4 masks", grouped_query_attention, [
    four_,
    one_mask_,
    masked_("a mask for each head, (4, 1, 3)",
            [[[1, 1, 0]], [[0, 1, 1]], [[1, 0, 1]], [[1, 1, 1]]]),
    masked_("one mask for all heads, (1, 1, 3)", [[[1, 1, 0]]]),
    masked_("a query of zeros", [[1, 1, 0]], scale=0.0),
    masked_("scores of thousands", [[1, 1, 0]], scale=10_000.0),
    *rows_,
    rows_[0].but("a mask that hides everything", args=(
        *rows_[0].args[:3], sees_ & False)),
    rows_[0].but("q, k, v and the mask stay as they are", look=("inputs",)),
    *(one.but(f"{one.words}: the gradient", ask=gradient_) for one in rows_),
    ab.case("scores of −10¹¹, a hidden one of 0", torch.ones(1, 1, 1).double(), deep_,
            deep_ / 1e11, torch.tensor([[True, True, False]])),
    one_mask_.but("the weights in float64, with its full precision", ask=weights_,
                  within=1e-10),
], "q, k, v, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.4 masks", grouped_query_attention, [four_, *cases],
             like=reference("grouped_query_attention"))

def of_shape(shape, change=lambda q, k: (q, k), kv_heads=3, words=""):
    mask = (ab.numbers(*shape, seed=151) > -0.4) | (torch.arange(shape[-1]) == 0)
    one = sized(6, kv_heads, front=(2,), dtype=torch.float64)
    return one.but(f"a mask {shape}{words}", within=1e-7,
                   args=(*change(*one.args[:2]), one.args[2], mask))

def large(q, k):
    return 10_000 * q * (torch.arange(7) != 2)[:, None], k      # query 2 is zero

def very_low(q, k):
    return -10 * large(q, k)[0].abs(), k.abs()

shapes = [(7, 11), (2, 1, 1, 11), (6, 7, 11), (2, 6, 7, 11), (1, 11)]
# Property: any mask that broadcasts to the weights is right, a mask for each head too [mask]
tried(*(case for shape in shapes for case in (
    of_shape(shape), of_shape(shape, kv_heads=1, words=", one key–value head"),
    of_shape(shape, lambda q, k: (0 * q, k), words=", queries of zeros"),
    of_shape(shape, large, words=", scores of ±100,000, a query of zeros"),
    of_shape(shape, very_low, words=", scores of −1,000,000, a query of zeros"))))
# Property: what a mask hides counts for nothing, however large the scores are [mask-large-scores]
tried(ab.case("scores of -10¹¹, -10¹¹ and a hidden 0", torch.ones(1, 3, 1).double(),
              deep_, deep_ / 1e11, torch.tensor([True, True, False])))
# Property: rows with nothing to attend to have zero weights, zero output and finite gradients [masked-row]
allowed = ab.numbers(2, 6, 7, 11, seed=152) < 0
allowed[0, 2], allowed[1, :, 3] = False, False
nothing = [torch.zeros(shape).bool() for shape in [(7, 11), (2, 1, 1, 11), (6, 1, 1)]]
inputs = of_shape((7, 11)).args[:3]
empty = [of_shape((7, 11)).but(
    f"a mask {tuple(mask.shape)}, {mask.sum()} times True", args=(*inputs, mask))
    for mask in [allowed, *nothing]]
tried(*empty, *(one.but(f"{one.words}: the gradient", ask=gradient_) for one in empty))
# Property: the mask is not modified [mask-unchanged]
tried(*ab.house_rules(empty[0], only="inputs"))
# Property: keeps the precision of its input with a mask, too [mask-dtype]
tried(of_shape((7, 11)).but("the weights in float64", ask=weights_, within=1e-10))
### END HIDDEN TESTS

# %% [markdown]
# PyTorch does the same with `enable_gqa=True`:

# %% tags=["show", "uses-exercise"]
q = torch.randn(1, 8, 32, 16, generator=generator)
full = kv_cache_bytes(32, 8, 128, 100_000, 1, torch.float16)
for kv_heads in (8, 2, 1):
    k, v = (torch.randn(1, kv_heads, 32, 16, generator=generator) for _ in range(2))
    theirs = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    far = (grouped_query_attention(q, k, v)[0] - theirs).abs().max().item()
    share = kv_cache_bytes(32, kv_heads, 128, 100_000, 1, torch.float16) / full
    print(
        f"{kv_heads} key–value heads: {'at most 1e-6' if far < 1e-6 else f'{far:.1e}'} "
        f"from PyTorch's, cache {share:.3f} of the full one")

# %% [markdown]
# With a single key–value head the cache is an eighth as large. What does sharing cost in quality? Chapter 9's easy language cannot show it: after a long training a model with one key–value head already answers all chants ([the table](deeper.ipynb)). On real text a small loss is reported (Ainslie and others, table 1).

# %% [markdown]
# ## 10.6 Which law does a cost follow?
#
# Flash attention changed what is *held*. Did it change what is *done*? If a cost grows as $c \cdot \mathrm{seq}^{\,p}$, then
#
# $$\log \mathrm{cost} = \log c + p \, \log \mathrm{seq}$$
#
# is a straight line on doubly logarithmic axes, and its slope is the exponent $p$. Measured points are noisy, so we fit a least-squares line: its slope is the covariance of the logarithms over the variance of $\log \mathrm{seq}$.

# %% [markdown]
# ### Exercise 10.5 · The exponent · 2 points · about 7 minutes
#
# Write `scaling_exponent(seqs, seconds)`: the slope of the least-squares line through **all** points on log–log axes, as a number. Both
# arguments are lists (of whole numbers, too) or 1-D tensors, of the same length, at least two <!-- asks: lists -->. One point each for
#
# - *a line*: points on one line, unevenly spaced, too <!-- asks: line -->, with times as small as nanoseconds (1e-9) <!-- asks: small -->;
# - *scattered points*: any number of them <!-- asks: values -->, in any order <!-- asks: order -->, some lengths more than once.
#
# <details><summary>Hint 1</summary>The base of the logarithm does not matter. Why?</details>
# <details><summary>Hint 2</summary>Subtract the means of both logarithms first; then the slope is one sum over another.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_scaling_exponent", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaling_exponent(seqs, seconds):
    """The p of seconds ≈ c · seq^p: slope of the least-squares line on log–log axes.

    seqs, seconds: lists or 1-D tensors of positive numbers, the same length, at least
    2. Returns a float.
    """
    ### BEGIN SOLUTION
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()
    ### END SOLUTION

# %% tags=["uses-exercise"]
# In proportion: exponent 1. Ten times the tokens, 10³ times the seconds: exponent 3.
ab.beside(1.0, lambda: scaling_exponent([1, 10, 100], [7.0, 70.0, 700.0]))
ab.beside(3.0, lambda: scaling_exponent([1, 10], [1.0, 1000.0]))

# %% nbgrader={"grade": true, "grade_id": "ch10_scaling_exponent_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.5, a line: points that one line goes through."""
def points_(words, seqs, seconds, **options):
    return ab.case(words, seqs, seconds, **{"within": 1e-3} | options)

square_ = points_("a square", [10, 20, 40, 80], [3., 12., 48., 192.])
ab.check("10.5 a line", scaling_exponent, [
    square_.but(square_.words, hint="Is nothing kept from one call to the next?"),
    points_("in proportion", [3, 6, 12], [5., 10., 20.]),
    points_("a square at 1, 10 and 20 tokens", [1, 10, 20], [1., 100., 400.]),
    points_("two points, nanoseconds", [2, 8], [3e-9, 12e-9]),
    points_("1.4, 2.8 and 5.6 nanoseconds", [2, 4, 8], [1.4e-9, 2.8e-9, 5.6e-9],
            within=2e-4),
    points_("tensors", torch.tensor([2., 8.]), torch.tensor([4., 16.])),
    points_("the same seconds for all", [3, 6, 12], [5., 5., 5.]),
    points_("a square at 1000, 1010, 1020 and 1030 tokens",
            [1000, 1010, 1020, 1030], [10000, 10201, 10404, 10609]),
], "seqs, seconds -> the exponent")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.5 a line", scaling_exponent, cases, like=reference("scaling_exponent"))

# Property: right for two points and for many, whatever the constant in front and the spacing [line]
lengths = [[2, 5], [3, 7, 11], list(range(5, 40, 3))]
tried(*(points_(f"{len(seqs)} points", seqs, [0.02 * n ** power for n in seqs])
        for power in range(4) for seqs in lengths))
# Property: lists of whole numbers and tensors are both read [lists]
lengths = [256, 512, 1024]
tried(points_("whole numbers", lengths, [1, 8, 64]),
      points_("tensors", torch.tensor(lengths).float(), torch.tensor([1., 2., 4.])))
# Property: very short and very long times are right [small]
tried(points_("nanoseconds", [1e3, 1e4, 1e5], [1e-9, 1e-8, 1e-7]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch10_scaling_exponent_check_scattered", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.5, scattered points: all of them count alike."""
ab.check("10.5 scattered points", scaling_exponent, [
    square_,
    points_("four points that scatter", [1., 2., 4., 8.], [1., 5., 3., 20.]),
    points_("the square in another order", [40, 10, 80, 20], [48., 3., 192., 12.]),
    points_("two measurements of each length", [2, 2, 4, 4], [1., 4., 4., 4.]),
    points_("three measurements of 2 tokens, one of 4 and of 8",
            [2, 2, 2, 4, 8], [1., 1., 8., 2., 4.]),
    *(points_(f"{n} points, of which the first half took as long as one another",
              list(range(1, n + 1)), [7. * max(1, i - n // 2) for i in range(1, n + 1)])
      for n in (20, 80)),
], "seqs, seconds -> the exponent")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.5 scattered points", scaling_exponent, [square_, *cases],
             like=reference("scaling_exponent"))

def scattered(n):
    seqs = 2 + 7 * torch.arange(n) + ab.numbers(n, seed=131).double()
    seconds = 3 + ab.numbers(n, seed=132).double()
    return points_(f"{n} points", seqs.tolist(), seconds.tolist())

# Property: right for any number of points and unequal spacing [values]
tried(*map(scattered, (2, 3, 7, 13, 101)))
# Property: the order of the points does not matter [order]
tried(points_("another order", [40, 10, 80, 20], [16., 1., 64., 4.]))
### END HIDDEN TESTS

# %% [markdown]
# **Count first.** Three costs do not depend on how busy a machine is:
#
# - *bytes alive* at the worst moment, by `LiveBytes`;
# - *arithmetic*: PyTorch's `FlopCounterMode` counts two operations for each multiply-and-add of a matrix product;
# - *traffic* between the large, slow memory of a GPU and the small, fast one beside its arithmetic. PyTorch does not count it, so we use a **model**. Both versions read `q` and write the output. The naive version also reads `k` and `v` once, writes the scores, reads them for softmax, writes the weights
#   and reads them again: $4\,\mathrm{seq}^2$ numbers. The tiled one reads `k` and `v` again for each block of $B$ queries: $2\,d\,\mathrm{seq}^2 / B$. (With keys outside
#   it would be $3\,d\,\mathrm{seq}^2 / B$, because outputs are read and written.)

# %%
def traffic(seq, d, block):
    """Numbers moved between slow and fast memory for one head, naive and tiled (queries
    outside), by a model that counts reads and writes of whole blocks.
    """
    naive = 4 * seq * d + 4 * seq ** 2           # q, k, v, output; scores and weights
    tiled = 2 * seq * d + 2 * d * seq ** 2 / block     # q, output; k, v for each block
    return naive, tiled

for d, block in [(64, 128), (128, 128), (128, 64)]:
    naive, tiled = traffic(4096, d, block)
    print(f"d = {d:3d}, B = {block:3d}: {naive / tiled:.2f} times less")

# %% [markdown]
# By this model tiling makes the traffic about $2B/d$ times smaller: four times, twice, or not at all. A tile must be large compared with the width of a head, but the fast memory limits its size.
#
# **Predict, then run.** Which exponents of `seq` will the tiled version have: for the bytes alive, and for the arithmetic?

# %% tags=["show"]
# two exponents; type numbers, then run the next cell
guess_bytes, guess_flops = None, None

# %% tags=["show", "uses-exercise"]
ways = {"naive": naive_attention,
        "tiled": lambda q, k, v: flash_attention(q, k, v, block_size=128)}
seqs = [512, 1024, 2048, 4096]
alive, flops = {name: [] for name in ways}, {name: [] for name in ways}
with torch.no_grad():
    for seq in seqs:
        q, k, v = (torch.randn(1, 1, seq, 64, generator=generator) for _ in range(3))
        for name, way in ways.items():
            with LiveBytes() as bytes_:
                way(q, k, v)
            with FlopCounterMode(display=False) as counter:
                way(q, k, v)
            alive[name].append(bytes_.peak)
            flops[name].append(counter.get_total_flops())
moved = dict(zip(ways, zip(*(traffic(seq, 64, 128) for seq in seqs))))
print("           bytes alive    arithmetic    traffic (model)")
for name in ways:
    p = [scaling_exponent(seqs, cost[name]) for cost in (alive, flops, moved)]
    print(f"{name:8}   seq^{p[0]:.2f}       seq^{p[1]:.2f}      seq^{p[2]:.2f}")
check_guess("exponent of the bytes alive, tiled", guess_bytes,
            scaling_exponent(seqs, alive["tiled"]))
check_guess("exponent of the arithmetic, tiled", guess_flops,
            scaling_exponent(seqs, flops["tiled"]))

# %% tags=["show", "uses-exercise"]
# @title Three costs, naive and tiled
fig, axes = plt.subplots(1, 3, figsize=(7.4, 2.9))
titles = [
    "alive: at most a line", "arithmetic: the same square", "traffic: a smaller square"]
for ax, cost, scale, unit, title in zip(
        axes, (alive, flops, moved), (2**20, 1e9, 1e6),
        ("MiB", "10⁹ operations", "10⁶ numbers, by the model"), titles):
    for name, marker in zip(ways, "os"):
        ax.loglog(
            seqs, [x / scale for x in cost[name]], marker=marker, ms=4, label=name)
    ax.set(xlabel="tokens", title=title, ylabel=unit)
    ax.set_xticks(seqs, ["512", "1k", "2k", "4k"])
    ax.minorticks_off()
axes[0].legend(frameon=False)
show(
    fig,
    "Three log-log plots against the number of tokens. Bytes alive: naive rises as a "
    "square, tiled as a line. Arithmetic: both lie on one line that rises as a square. "
    "Traffic by the model: both rise as squares, tiled nearly four times lower.")

# %% [markdown]
# **Memory** now grows at most linearly. (The exponent is below 1 while the tiles, which do not grow, are a large part of it.) **Arithmetic** did not change: every
# query still meets every key. **Traffic** still grows nearly as a square, but is more than three times smaller at these sizes.
#
# Which of these takes the time? Take one head with 4,096 tokens of width 64 in 16 bits, on the GPU of the first paper, an A100 ($312 \cdot 10^{12}$ operations and $1.5 \cdot 10^{12}$ bytes a second):
#
# | | naive | tiled |
# | --- | --- | --- |
# | arithmetic | 14 µs | 14 µs |
# | traffic, by the model | 91 µs | 23 µs |
#
# By this model flash attention saves time by reducing the traffic. With a width of 128 and blocks of 64 it would save none. <!-- told -->
#
# **Then we measure time**, which depends on what else your machine is doing. On a GPU (Colab: *Runtime → Change runtime type*) we also measure longer texts.

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title Seconds of naive, tiled in blocks of 128 and of 1,024, and PyTorch's own
clocked = (
    [1024, 2048, 4096, 8192, 16384] if device == "cuda" else [512, 1024, 2048, 4096])
timed = {**ways,
         "1,024": lambda q, k, v: flash_attention(q, k, v, block_size=1024),
         "PyTorch": F.scaled_dot_product_attention}
with torch.no_grad():
    for name, way in timed.items():
        times = []
        for seq in clocked:
            inputs = torch.randn(3, 1, 1, seq, 64, device=device)
            way(*inputs)                              # the first call warms up, untimed
            timer = Timer("way(*inputs)", globals={"way": way, "inputs": inputs})
            times.append(timer.blocked_autorange(min_run_time=0.1).median)
        print(f"{name:8} slope {scaling_exponent(clocked, times):.1f}, milliseconds:",
              *(f"{1e3 * t:.2f} for {seq:,d}" for seq, t in zip(clocked, times)))

# %% [markdown]
# With short texts the fixed costs of each call make a slope smaller. A slope above 2 cannot come from the arithmetic: its counted exponent is 2.
#
# Our tiles are a loop in Python, PyTorch's are one compiled kernel. On a GPU that makes ours slow: Python has to start each operation on a tile, and a small tile is done long before the next start. On an H200 our small tiles took more than a hundred times as long as naive attention. Chapter 15 moves this loop into one program on the GPU, and then tiles save time as well.
#
# To make the arithmetic grow more slowly, something must be left out.

# %% [markdown]
# ## 10.7 Looking only so far back
#
# **Sliding-window attention** lets position $i$ read only the last `window` positions, itself included: $0 \le i - j < \mathrm{window}$.

# %% [markdown]
# Position 5 of 8 with a window of 3:

# %%
i = 5
print([j for j in range(8) if 0 <= i - j < 3])

# %% [markdown]
# ### Exercise 10.6 · A sliding window · 1 point · about 5 minutes
#
# Write `sliding_window_mask(seq, window, device=None)`: boolean `(seq, seq)`, `True` where query $i$ may read key $j$, for any length and any
# window, both 1 or more <!-- asks: values -->. A window as long as the text, or longer, is the causal mask <!-- asks: causal -->; the mask is made on the device
# that is asked for <!-- asks: device -->.
#
# <details><summary>Hint 1</summary>A column of positions minus a row of positions gives every i − j at once.</details>
# <details><summary>Hint 2</summary>Two conditions on that difference: not in the future, not too far back.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_sliding_window_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sliding_window_mask(seq, window, device=None):
    """Boolean (seq, seq), True where 0 <= i - j < window: the last `window` positions,
    the query's own included.

    Beltagy, Peters, Cohan (2020), Longformer, section 3.1.
    """
    ### BEGIN SOLUTION
    position = torch.arange(seq, device=device)
    back = position[:, None] - position              # (seq, seq): i - j
    return (0 <= back) & (back < window)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# The row of position 3: it may read positions 2 and 3.
ab.beside([False, False, True, True], lambda: sliding_window_mask(4, 2)[3])

# %% nbgrader={"grade": true, "grade_id": "ch10_sliding_window_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 10.6: short windows and long ones, few positions and many."""
def window_(seq, window, **options):
    return ab.case(f"seq {seq}, window {window:,}", seq, window, **options)

def last_rows_(mask, seq, window):
    return mask(seq, window)[-12:].sum(-1)

ab.check("10.6 window", sliding_window_mask, [
    window_(3, 1, look="dtype values"),
    *(window_(seq, window) for seq, window in [
        (5, 2), (3, 7), (3, 2 ** 31 - 1), (1, 4)]),
    *(ab.case(f"seq {seq}, window {window}: how many each of the last 12 may read",
              seq, window, ask=last_rows_) for seq, window in [(600, 550), (2060, 3)]),
    *(ab.case(f"on the device 'meta', seq {seq}, window {window}", seq, window,
              device="meta", look="device")
      for seq, window in [(3, 1), (5, 2), (5, 9)]),
], "seq, window, device -> the mask")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("10.6 window", sliding_window_mask, cases,
             like=reference("sliding_window_mask"))

# Property: right for any length and any window, also one longer than the sequence [values]
tried(*(window_(seq, window, look="dtype values") for seq in (1, 2, 7, 13, 300)
        for window in (1, 2, 3, 7, 12, 40, 280)), window_(601, 550))
# Property: a window as long as the sequence is the causal mask [causal]
tried(window_(11, 11), window_(11, 300))
# Property: made on the device that was asked for [device]
tried(window_(7, 3, device="meta", look="device"))
### END HIDDEN TESTS

# %% [markdown]
# The mask itself is a `(seq, seq)` matrix again, and saves nothing. We save as in 10.3: every tile in which the whole mask is False is skipped. Only the bounds of the inner loop and the mask are new:

# %%
# @title Flash attention with a window
def windowed_flash(q, k, v, window, block_size=64):
    """Causal attention over the last `window` positions; tiles that are hidden
    throughout are skipped.
    """
    outputs = []
    for first in range(0, q.shape[-2], block_size):
        queries = q[..., first:first + block_size, :] / math.sqrt(q.shape[-1])
        last = first + queries.shape[-2]
        i = torch.arange(first, last, device=q.device)[:, None]
        m = torch.full(
            (*queries.shape[:-1], 1), float("-inf"), device=q.device, dtype=q.dtype)
        s, o = torch.zeros_like(m), 0.0
        # first block still in sight
        oldest = max(0, first - window + 1) // block_size * block_size
        for start in range(oldest, last, block_size):
            keys, values = (
                x[..., start:min(start + block_size, last), :] for x in (k, v))
            back = i - torch.arange(start, start + keys.shape[-2], device=q.device)
            scores = queries @ keys.transpose(-2, -1)
            scores = scores.masked_fill((back < 0) | (back >= window), float("-inf"))
            new = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            # a row that sees nothing in this tile
            base = new.masked_fill(new.isneginf(), 0.0)
            e, factor = (scores - base).exp(), (m - base).exp()
            s, o, m = (
                s * factor + e.sum(dim=-1, keepdim=True), o * factor + e @ values, new)
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)

# %% [markdown]
# Is it equal to attention with your mask? And **predict, then run**: with a window of 256, which exponent will the arithmetic have now?

# %% tags=["show"]
guess_window = None      # type a number, then run the next cell

# %% tags=["show", "uses-exercise"]
q, k, v = (torch.randn(1, 1, 700, 16, generator=generator) for _ in range(3))
expected = F.scaled_dot_product_attention(
    q, k, v, attn_mask=sliding_window_mask(700, 256))
far = (windowed_flash(q, k, v, 256) - expected).abs().max().item()
print("700 tokens, window 256:", "at most 1e-5" if far < 1e-5 else f"{far:.1e}",
      "from masked attention")

long, windowed = [1024, 2048, 4096, 8192], []
with torch.no_grad():
    for seq in long:
        q, k, v = (torch.randn(1, 1, seq, 16, generator=generator) for _ in range(3))
        with FlopCounterMode(display=False) as counter:
            windowed_flash(q, k, v, 256)
        windowed.append(counter.get_total_flops())
full = [4 * seq * seq * 16 for seq in long]            # q kᵀ and weights v, all of them
print("arithmetic:", ", ".join(f"{seq:,d}: {a / b:.3f} of the full one"
                               for seq, a, b in zip(long, windowed, full)))
check_guess("exponent of the arithmetic, window 256", guess_window,
            scaling_exponent(long, windowed))
print(f"without a window:                       {scaling_exponent(long, full):.2f}")

# %% tags=["show", "uses-exercise"]
# @title The arithmetic with a window and without
fig, ax = plt.subplots(figsize=(6.4, 3))
ax.loglog(long, [x / 1e6 for x in full], "o-",
          label=f"all tiles: slope {scaling_exponent(long, full):.2f}")
ax.loglog(long, [x / 1e6 for x in windowed], "s-",
          label=f"window 256: slope {scaling_exponent(long, windowed):.2f}")
ax.set(xlabel="tokens", ylabel="10⁶ operations",
       title="A window brings the exponent of the arithmetic down to about 1")
ax.set_xticks(long, long)
ax.minorticks_off()
ax.legend(frameon=False)
show(fig, "Arithmetic against tokens on doubly logarithmic axes. All tiles: a steep "
          "line of slope 2. With a window of 256: a flatter line of slope 1 that "
          "starts at a quarter of it.")

# %% [markdown]
# The exponent has fallen, but not for free: what lies further back than the window is not read. A cache saves in the same way, by dropping
# what has left the window; chapter 12 builds it. <!-- told -->
#
# Does a window of 4 hide everything older from the model? In one layer, yes. But the tokens that a position reads have themselves read further back, one layer below. The mask,
# multiplied with itself, says which positions can reach the last one.

# %% tags=["show"]
# @title Which positions reach the last one, layer by layer
seq, window = 24, 4
position = torch.arange(seq)
mask = (position[:, None] >= position) & (position[:, None] - position < window)
reach, rows = torch.eye(seq), []
for layer in range(1, 7):
    reach = ((mask.float() @ reach) > 0).float()
    rows.append(reach[-1])
    print(f"{layer} layer{'s' if layer > 1 else ' '}: the last position is reached "
          f"from {int(reach[-1].sum())} positions = {layer} · {window - 1} + 1")

# %% tags=["show"]
# @title How far back the last position reaches, layer by layer
fig, ax = plt.subplots(figsize=(6.4, 2.1))
names = ["1 layer"] + [f"{n} layers" for n in range(2, 7)]
draw_matrix(ax, torch.stack(rows), rows=names, digits=None, limits=(0, 1),
            title="Window 4: each layer lets three more positions reach the last one")
ax.set_xlabel("position")
show(fig, "Six rows for one to six layers, 24 positions across: the dark stretch that "
          "reaches the last position grows by three with each layer.")

# %% [markdown]
# With 32 layers and a window of 4,096, as in Mistral 7B, information *can* travel across $32 \cdot 4{,}095 + 1$ tokens. That is a bound, not
# a promise. In [the deeper notebook](deeper.ipynb) two layers with a window of 8 reach far enough for most of the answers, and yet nine answers in ten
# are wrong.
#
# ### Make it yours
#
# Not graded. Take a model that you read about (its `config.json` says layers, heads, key–value heads and width of a head) and a text of your own.
# What would its cache take? (Four tokens for three English words, by OpenAI's rule of thumb.) Then write one test that a wrong
# `kv_cache_bytes` would fail, and say which mistake it catches.

# %% tags=["show", "uses-exercise"]
# edit: the model of your choice
my_model = {"layers": 28, "kv_heads": 8, "d_head": 128}
my_text = "The cat sat on the mat because it was hungry. " * 1000
my_tokens = round(len(my_text.split()) * 4 / 3)
size = kv_cache_bytes(**my_model, seq=my_tokens, batch=1, dtype=torch.bfloat16)
print(f"about {my_tokens:,} tokens take {size / 2**20:,.0f} MiB")

def my_test(count):
    """Twice the layers, twice the bytes: catches a function that forgets the layers."""
    assert count(4, 1, 1, 1, 1, torch.int8) == 2 * count(2, 1, 1, 1, 1, torch.int8)

my_test(kv_cache_bytes)

# %% [markdown]
# ## Summary
#
# How can a model read a novel if the weights of a single head fill the memory? By never holding them all. You can now
#
# - compute softmax block by block, and write flash attention: the factor $e^{m-m'}$ corrects the old sum, and $-\infty$ must not be subtracted
#   from $-\infty$; the bytes alive grow linearly, not as a square (in training ours keeps its tiles, the real one does not);
# - count what attention costs: naive and tiled do the same arithmetic, a square; by a model, the traffic of tiles is about $2B/d$ times smaller;
# - shrink a key–value cache by sharing keys and values, and bring the exponent of the arithmetic from 2 to about 1 with a window, which reads less.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next:** a decoder of today has RMSNorm, SwiGLU, rotary positions inside a layer with a cache, and layers that differ. Chapter 11 builds them,
# until your decoder gives the same logits as a Llama and a Qwen.
#
# ## Further reading
#
# - Milakov and Gimelshein (2018), *Online normalizer calculation for softmax*: section 3. [arXiv:1805.02867](https://arxiv.org/abs/1805.02867)
# - Rabe and Staats (2021), *Self-attention Does Not Need O(n²) Memory*: section 2. [arXiv:2112.05682](https://arxiv.org/abs/2112.05682)
# - Dao and others (2022), *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*: section 2.1 (fast and slow memory), section 3, algorithm 1 (keys outside). [arXiv:2205.14135](https://arxiv.org/abs/2205.14135)
# - Dao (2023), *FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning*: section 3.1, algorithm 1 (queries outside). [arXiv:2307.08691](https://arxiv.org/abs/2307.08691)
# - Shazeer (2019), *Fast Transformer Decoding: One Write-Head is All You Need*: section 3, MQA. [arXiv:1911.02150](https://arxiv.org/abs/1911.02150)
# - Ainslie and others (2023), *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*: section 2. [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)
# - Beltagy, Peters, Cohan (2020), *Longformer: The Long-Document Transformer*: section 3.1. [arXiv:2004.05150](https://arxiv.org/abs/2004.05150)
# - Jiang and others (2023), *Mistral 7B*: section 2, the sliding window and the rolling cache. [arXiv:2310.06825](https://arxiv.org/abs/2310.06825)
