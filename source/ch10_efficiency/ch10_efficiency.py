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
# *90 minutes · 6 exercises, 12 points · you need chapters 2 to 4; chapters 8 and 9 help*
#
# > A novel has about 100,000 words. Models of today read it in one piece.
#
# Attention compares every token with every token. For 100,000 tokens that is ten thousand million weights, in every head of
# every layer. **How can a model read a novel if the matrices of a single head fill the memory of its GPU?** The
# answer is not a cheaper approximation. It is the same sum, added up in another order, and you will write it.
#
# **After this chapter you can**
#
# - say what the weights of attention cost in memory, and measure the largest tensor that a function makes;
# - compute softmax block by block, in one pass, with a running maximum and a running sum;
# - write flash attention: exact, tiled, without ever holding a `(seq, seq)` tensor;
# - count the bytes of a key–value cache, and shrink it by sharing keys and values between heads;
# - read the exponent of a cost off a measurement, and cut the cost itself with a sliding window.

# %% tags=["setup"]
import math
import time

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(10)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)      # one thread, so that times on a shared machine can be compared
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% [markdown]
# From chapter 1 come the two helpers that draw.

# %% carry=["ch01_why_attention: OKABE_ITO, STYLE, show, draw_matrix"]
plt.rcParams.update(STYLE)

# %% [markdown]
# ## 10.1 What a matrix of weights costs
#
# This is attention as you know it from chapter 2, with the causal mask of chapter 3. It makes the whole
# matrix of scores, then the whole matrix of weights.

# %%
def naive_attention(q, k, v, causal=False):
    """softmax(q kᵀ / √d_k) v, with all scores held at once. q, k, v: (..., seq, d)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])          # (..., seq, seq)
    if causal:
        allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    return scores.softmax(dim=-1) @ v                                  # (..., seq, d)

# %% [markdown]
# A matrix of $\mathrm{seq} \times \mathrm{seq}$ numbers of 4 bytes each. Multiply it out:

# %%
for seq in (1_024, 8_192, 100_000):
    print(f"{seq:7,d} tokens: {seq * seq * 4 / 2**30:8.3f} GiB for the weights of one head")

# %% [markdown]
# A hundred times the tokens of a short story, ten thousand times the memory. GPT-2 stopped at 1,024 tokens. At 100,000 the scores and the weights of
# a single head of a single layer, 37 GiB each, would fill a GPU of 80 GB.
#
# We shall want to see what a function really makes, not what we think it makes. PyTorch lets us watch every operation
# on its way to the device: a *dispatch mode* is called for each one. Ours keeps the size of the largest result.

# %%
class LargestTensor(TorchDispatchMode):
    """Watches all operations inside a `with` block; `numel` is the size of the largest tensor they made."""

    def __init__(self):
        super().__init__()
        self.numel = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(tensor, torch.Tensor):
                self.numel = max(self.numel, tensor.numel())
        return result

generator = torch.Generator().manual_seed(10)
q, k, v = (torch.randn(512, 16, generator=generator) for _ in range(3))     # (seq, d) each
with LargestTensor() as seen:
    expected = naive_attention(q, k, v)
print("largest tensor made:", seen.numel, "=", "512 · 512:", seen.numel == 512 * 512)
print("the result itself:  ", expected.numel(), "= 512 · 16")

# %% [markdown]
# The result is 32 times smaller than what was made on the way. Each row of weights is used once, for one weighted sum, and
# then thrown away. Must it ever exist as a whole? The sum could be added up piece by piece. What
# stands in the way is softmax: its denominator needs *all* the scores of a row before the first weight is known.

# %% [markdown]
# ## 10.2 Softmax in one pass
#
# Suppose the scores of one query arrive in blocks, and no block comes twice. Softmax in its stable form (chapter 1) subtracts the
# largest score, which may still be to come. The way out: subtract the largest score **so far**, and put things
# right when a larger one turns up. For a new block $b$, with $m$ the running maximum and $s$ the running sum of exponentials:
#
# $$m' = \max(m, \max b), \qquad s' = s \, e^{m - m'} + \sum_j e^{b_j - m'}$$
#
# The factor $e^{m-m'}$ moves the old sum to the new maximum. Three blocks of two scores:

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
# The same denominator, to the last digit printed, and nothing was read twice.
#
# **What breaks if…** the old sum is *not* moved when the maximum moves? Let the program answer. It forgets the factor $e^{m-m'}$
# and normalises with what comes out.

# %%
m, s = float("-inf"), 0.0
for block in blocks:
    m = max(m, block.max().item())
    s = s + (block - m).exp().sum().item()           # the factor is forgotten
weights = (everything - m).exp() / s
print("denominator", round(s, 4), "   the weights sum to", round(weights.sum().item(), 4))

# %% [markdown]
# The first block was counted against the maximum 2, the others against 4: two currencies in one sum. Nothing crashes,
# and the weights look like weights.
#
# There is a second trap. A block may be masked as a whole, all $-\infty$, before anything else has been seen. Then $m' = -\infty$ too, and
# $e^{-\infty - (-\infty)}$ is not a number:

# %%
minus_infinity = torch.tensor(float("-inf"))
print("exp(-inf - (-inf)) =", (minus_infinity - minus_infinity).exp().item())

# %% [markdown]
# ### Exercise 10.1 · Softmax over blocks · 2 points · about 12 minutes
#
# Write `online_softmax(blocks)`. `blocks` is anything that can be iterated **once**: a list, or a generator that makes each block when
# it is asked for. A block has shape `(..., width)`, the widths may differ. Return the weights of all blocks, joined along the last
# dimension. (Keeping the exponentials of the blocks is allowed here: the weights are the result. Section 10.3 does without.)
# A row with nothing but $-\infty$ gets zeros, a row whose *first* blocks are all $-\infty$ gets the right weights. One point
# for the values, one for rows that are blocked in part or as a whole.
#
# <details><summary>Hint 1</summary>What you keep of a block was computed against the maximum of that moment. Remember that maximum with it.</details>
# <details><summary>Hint 2</summary>At the end, one factor for each block brings it to the last maximum.</details>
# <details><summary>Hint 3</summary>Where the maximum is −∞, subtract 0 instead: exp(−∞ − 0) is 0, and no NaN is born.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_online_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def online_softmax(blocks):
    """Softmax over the last dimension of scores that come in blocks, each read once.

    blocks: an iterable of tensors (..., width); widths may differ
    Returns the weights of all blocks, (..., sum of widths); a row of -inf alone gives zeros.
    Milakov and Gimelshein (2018), Online normalizer calculation for softmax, section 3.
    """
    ### BEGIN SOLUTION
    parts, m, s = [], None, None
    for block in blocks:
        high = block.amax(dim=-1, keepdim=True)                        # (..., 1)
        new_m = high if m is None else torch.maximum(m, high)
        base = torch.where(new_m == float("-inf"), torch.zeros_like(new_m), new_m)
        part = (block - base).exp()
        old = 0 if m is None else s * (m - base).exp()                 # the old sum, moved to the new maximum
        s, m = old + part.sum(dim=-1, keepdim=True), new_m
        parts.append((part, base))
    weights = torch.cat([part * (was - base).exp() for part, was in parts], dim=-1)
    return weights / torch.where(s == 0, torch.ones_like(s), s)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_online_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.1, values: three blocks, read once."""
def one_by_one(blocks):
    for block in blocks:
        yield block.clone()

three = [torch.tensor([[1., 2.], [0., -1.]]), torch.tensor([[4., 0., 1.], [-2., 5., 0.]]), torch.tensor([[3.], [9.]])]
whole = torch.cat(three, dim=-1).softmax(dim=-1)                          # (2, 6)
try:
    weights = online_softmax(one_by_one(three))
except TypeError as error:
    raise AssertionError(f"blocks may be a generator, which has no length and no index: go through it once with for ({error})") from error
except (ValueError, RuntimeError) as error:
    raise AssertionError(f"blocks may be a generator, which is empty when it is gone through a second time: read each block once ({error})") from error
assert isinstance(weights, torch.Tensor), f"one tensor with the weights of all blocks is expected, got {type(weights).__name__}"
assert weights.shape == whole.shape, f"the weights of all blocks, joined along the last dimension: {tuple(whole.shape)} expected, got {tuple(weights.shape)}"
each = torch.cat([block.softmax(dim=-1) for block in three], dim=-1)
assert not torch.allclose(weights, each, atol=1e-4), "each block was normalised by itself: the weights of a whole row must sum to 1"
m, s, forgotten = torch.full((2, 1), float("-inf")), 0, []
for block in three:
    m = torch.maximum(m, block.amax(dim=-1, keepdim=True))
    forgotten.append((block - m).exp())
    s = s + forgotten[-1].sum(dim=-1, keepdim=True)
names = {"the sum was not moved when the maximum moved: multiply the old one by exp(old maximum - new maximum)":
         (torch.cat(three, -1) - m).exp() / s,
         "the parts of earlier blocks still count against the maximum of their own time: bring them to the last one":
         torch.cat(forgotten, -1) / torch.cat(three, -1).sub(m).exp().sum(-1, keepdim=True),
         "neither the sum nor the earlier parts were moved when the maximum moved: both need the factor exp(old maximum - new maximum)":
         torch.cat(forgotten, -1) / s}
for mistake, values in names.items():
    assert not torch.allclose(weights, values, atol=1e-4), mistake
assert torch.allclose(weights.sum(dim=-1), torch.ones(2), atol=1e-4), f"each row must sum to 1 over all blocks, got {[round(w, 4) for w in weights.sum(-1).tolist()]}"
torch.testing.assert_close(weights, whole, msg=lambda m: f"the weights differ from softmax over the whole row\n{m}")
large = online_softmax(one_by_one([torch.tensor([10_000., 0.]), torch.tensor([9_999., -10_000.])]))
assert large.isfinite().all(), "scores of 10,000 gave inf or NaN: subtract the running maximum before exp"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(101)
# Property: right for other widths, leading dimensions and dtypes
for shape, widths, dtype in [((), (1, 1, 1), torch.float64), ((3,), (7,), torch.float32), ((2, 5), (11, 3, 13), torch.float64), ((5, 2, 3), (2, 17), torch.float32)]:
    for factor in (1, 50):
        parts = [factor * torch.randn(*shape, width, generator=generator, dtype=dtype) for width in widths]
        got = online_softmax(one_by_one(parts))
        assert got.dtype == dtype, f"scores of {dtype} gave weights of {got.dtype}"
        torch.testing.assert_close(got, torch.cat(parts, -1).softmax(-1), msg=lambda m: f"widths {widths}, leading dimensions {shape}\n{m}")
# Property: falling maxima and rising maxima are both right
for order in (1, -1):
    parts = [torch.randn(7, 3, generator=generator, dtype=torch.float64) + 30 * order * n for n in range(5)]
    torch.testing.assert_close(online_softmax(one_by_one(parts)), torch.cat(parts, -1).softmax(-1))
# Property: the blocks are not modified
parts = [torch.randn(3, 5, generator=generator) for _ in range(3)]
kept = [part.clone() for part in parts]
online_softmax(list(parts))
assert all(torch.equal(part, was) for part, was in zip(parts, kept)), "a block was changed in place"
# Property: gradients flow to every block
parts = [torch.randn(3, 5, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(3)]
online_softmax(list(parts)).square().sum().backward()
other = [part.detach().clone().requires_grad_() for part in parts]
torch.cat(other, -1).softmax(-1).square().sum().backward()
for part, reference in zip(parts, other):
    assert part.grad is not None, "no gradient reached one of the blocks"
    torch.testing.assert_close(part.grad, reference.grad, msg=lambda m: f"the gradient of a block is not that of softmax\n{m}")
### END HIDDEN TESTS
print("10.1 holds for values: one pass gives the softmax of the whole row.")

# %% nbgrader={"grade": true, "grade_id": "ch10_online_softmax_check_blocked", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.1, blocked entries: -inf in a block, in a whole block, in a whole row."""
inf = float("inf")
late = [torch.tensor([[-inf, -inf], [1., -inf]]), torch.tensor([[2., 1.], [-inf, -inf]]), torch.tensor([[-inf], [3.]])]
weights = online_softmax(block.clone() for block in late)
assert not weights[0].isnan().any(), "a row whose first block is all -inf became NaN: exp(-inf - (-inf)) is not a number"
assert not weights.isnan().any(), "a row with a block of -inf after real scores became NaN"
torch.testing.assert_close(weights, torch.cat(late, -1).softmax(-1), msg=lambda m: f"blocked entries get weight 0, the others share 1\n{m}")
blocked = online_softmax(block for block in [torch.full((2, 3), -inf), torch.full((2, 2), -inf)])
assert not blocked.isnan().any(), "a row of nothing but -inf became NaN: it must be zeros"
assert (blocked == 0).all(), f"a row of nothing but -inf must be all zeros, got {blocked[0].tolist()}"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(102)
# Property: any pattern of blocked entries and blocks gives the weights of softmax, and zeros where nothing is left
for dtype in (torch.float32, torch.float64):
    scores = 5 * torch.randn(3, 11, 13, generator=generator, dtype=dtype)
    scores = scores.masked_fill(torch.rand(3, 11, 13, generator=generator) < 0.6, -inf)
    scores[:, 4], scores[:, 5, :7], scores[:, 6, 7:] = -inf, -inf, -inf
    wanted = scores.softmax(-1).nan_to_num(0.0)
    for widths in ([13], [2, 5, 6], [1] * 13):
        torch.testing.assert_close(online_softmax(part.clone() for part in scores.split(widths, dim=-1)), wanted)
# Property: gradients are finite where entries, blocks or whole rows are blocked
scores = torch.randn(5, 7, generator=generator, dtype=torch.float64)
scores[0], scores[1, :3], scores[2, 4:] = -inf, -inf, -inf
scores.requires_grad_()
online_softmax(list(scores.split([3, 1, 3], dim=-1))).square().sum().backward()
assert scores.grad.isfinite().all(), "the gradient is NaN or inf in a row with blocked entries"
### END HIDDEN TESTS
print("10.1 holds for blocked entries: no NaN, and zeros where nothing is left.")

# %% [markdown]
# ## 10.3 Flash attention
#
# The denominator comes in blocks. The numerator does, too: the output of a query is $\sum_j e^{\mathrm{score}_j} v_j$ over that sum, and a
# running total $o$ can be moved to a new maximum by the same factor:
#
# $$o' = o \, e^{m - m'} + \sum_j e^{b_j - m'} \, v_j, \qquad \mathrm{output} = o / s$$
#
# So neither scores nor weights need to be kept. One query, keys and values in blocks of 128:

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
print("equal to the naive output of this query:", torch.allclose(o / s, expected[7], atol=1e-6))

# %% [markdown]
# At no moment were more than 128 scores in existence. Do the same for a block of queries against a block of keys and the largest thing is
# a **tile** of `block_size × block_size`. On a GPU a tile is chosen so that it fits into the small, fast memory next to the
# arithmetic: that is *flash attention*, and its speed comes from what it does not write to the large, slow memory.
#
# The figure shows the order of the work for 8 blocks with a causal mask. Its numbers are computed: which tile is visited
# when, and which are never visited because every weight in them would be zero.

# %% tags=["show"]
visited = torch.full((8, 8), float("nan"))
step = 0
for row in range(8):
    for column in range(row + 1):
        step += 1
        visited[row, column] = step
fig, ax = plt.subplots(figsize=(4.6, 3.6))
image = ax.imshow(visited.numpy(), cmap="Blues", vmin=-10, vmax=40)
for row in range(8):
    for column in range(row + 1):
        ax.text(column, row, int(visited[row, column]), ha="center", va="center", fontsize=8, color="white" if visited[row, column] > 24 else "black")
ax.set(xlabel="block of keys", ylabel="block of queries", xticks=range(8), yticks=range(8), title=f"{step} of 64 tiles are visited, in this order")
ax.set_facecolor("0.92")
show(fig, "An 8 by 8 grid of tiles. The lower triangle is numbered from 1 to 36 row by row; the grey upper triangle is never visited.")

# %% [markdown]
# Tiles on the diagonal are partly masked, tiles above it are skipped: with a causal mask flash attention does little more than half the work; the
# naive version does all of it.
#
# ### Exercise 10.2 · Flash attention · 4 points · about 25 minutes
#
# Write `flash_attention(q, k, v, block_size=64, causal=False)`. It returns the output alone, equal to naive attention. Any leading
# dimensions; the number of queries and of keys may differ (not with `causal=True`), and need not be a multiple of `block_size`. Go through
# the keys in blocks, and through the queries in blocks as well, so that no tensor holds `seq × seq` numbers; the check measures
# the largest one. Two points for the values, one for causal, one for what is measured.
#
# <details><summary>Hint 1</summary>Two loops over block starts. What must be set anew for each block of queries, and what for each tile?</details>
# <details><summary>Hint 2</summary>For a block of queries: m and s are (..., block, 1), o is (..., block, d_v).</details>
# <details><summary>Hint 3</summary>The causal mask of a tile compares positions: those of its queries, those of its keys. It never needs more than a tile.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_flash_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def flash_attention(q, k, v, block_size=64, causal=False):
    """Exact attention, tile by tile, without a (seq, seq) tensor.

    q: (..., seq_q, d_k)   k: (..., seq_k, d_k)   v: (..., seq_k, d_v)
    Returns the output: (..., seq_q, d_v).
    Dao and others (2022), FlashAttention, algorithm 1.
    """
    ### BEGIN SOLUTION
    outputs = []
    for first in range(0, q.shape[-2], block_size):
        last = min(first + block_size, q.shape[-2])
        tile_q = q[..., first:last, :] / math.sqrt(q.shape[-1])                     # (..., rows, d_k)
        m = s = o = None
        for start in range(0, last if causal else k.shape[-2], block_size):
            tile_k, tile_v = k[..., start:start + block_size, :], v[..., start:start + block_size, :]
            scores = tile_q @ tile_k.transpose(-2, -1)                              # (..., rows, columns)
            if causal:
                rows = torch.arange(first, last, device=q.device)[:, None]
                columns = torch.arange(start, start + scores.shape[-1], device=q.device)
                scores = scores.masked_fill(columns > rows, float("-inf"))
            high = scores.amax(dim=-1, keepdim=True)                                # (..., rows, 1)
            new_m = high if m is None else torch.maximum(m, high)
            e = (scores - new_m).exp()
            factor = 0 if m is None else (m - new_m).exp()
            s = e.sum(dim=-1, keepdim=True) + (0 if s is None else s * factor)
            o = e @ tile_v + (0 if o is None else o * factor)
            m = new_m
        outputs.append(o / s)
    return torch.cat(outputs, dim=-2)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.2, values: equal to naive attention, whatever the block size."""
generator = torch.Generator().manual_seed(1)
q_, k_, v_ = (2 * torch.randn(10, 4, generator=generator) for _ in range(3))
scores = q_ @ k_.T
right = (scores / 2).softmax(-1) @ v_
output = flash_attention(q_, k_, v_, block_size=4)
assert isinstance(output, torch.Tensor), f"the output alone is expected, no weights: got {type(output).__name__}"
assert output.shape == (10, 4), f"one output for each query, (10, 4) expected, got {tuple(output.shape)}: is the last block, which is not full, there?"
tiles = [(scores[:, a:a + 4] / 2, v_[a:a + 4]) for a in (0, 4, 8)]
raw = [((tile - tile.amax(-1, keepdim=True)).exp(), values) for tile, values in tiles]
mistakes = {
    "the scores were not divided by √d_k": scores.softmax(-1) @ v_,
    "the scores were divided by d_k, not by its square root": (scores / 4).softmax(-1) @ v_,
    "each block of keys was normalised by itself and the results were added: the sum s runs over all blocks": sum(t.softmax(-1) @ w for t, w in tiles),
    "each block of keys was normalised by itself and the results were averaged: the sum s runs over all blocks": sum(t.softmax(-1) @ w for t, w in tiles) / 3,
    "o and s were not moved when the maximum moved: both need the factor exp(m - m')": sum(e @ w for e, w in raw) / sum(e.sum(-1, keepdim=True) for e, _ in raw),
    "only the last block of keys counts: o and s must be carried from block to block": tiles[-1][0].softmax(-1) @ tiles[-1][1],
    "the last keys are missing: the last block need not be full": (scores[:, :8] / 2).softmax(-1) @ v_[:8],
    "the running total o was not divided by the running sum s": (scores / 2 - (scores / 2).amax(-1, keepdim=True)).exp() @ v_,
    "only the queries' own block of keys was read: every query meets every key":
        torch.cat([(scores[a:a + 4, a:a + 4] / 2).softmax(-1) @ v_[a:a + 4] for a in (0, 4, 8)]),
    "the future was hidden though causal is False": naive_attention(q_, k_, v_, causal=True),
}
for mistake, values in mistakes.items():
    assert not torch.allclose(output, values, atol=1e-4), mistake
m, s, o_old, s_old = torch.full((10, 1), float("-inf")), 0, 0, 0
for tile, values in tiles:
    new = torch.maximum(m, tile.amax(-1, keepdim=True))
    e, factor = (tile - new).exp(), (m - new).exp()
    s, s_old, o_old, m = s * factor + e.sum(-1, keepdim=True), s_old + e.sum(-1, keepdim=True), o_old + e @ values, new
assert not torch.allclose(output, o_old / s, atol=1e-4), "s was moved when the maximum moved, o was not: both need the factor exp(m - m')"
torch.testing.assert_close(output, right, atol=1e-5, rtol=1e-5, msg=lambda m: f"the output differs from naive attention\n{m}")
for size in (1, 3, 10, 64):
    torch.testing.assert_close(flash_attention(q_, k_, v_, block_size=size), right, atol=1e-5, rtol=1e-5,
                               msg=lambda m: f"block_size = {size}: the result must not depend on it\n{m}")
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(202)
for shape, seq_q, seq_k, d_k, d_v, size in [((), 13, 29, 5, 7, 4), ((3,), 17, 11, 3, 2, 64), ((2, 5), 7, 23, 4, 11, 5), ((2,), 31, 13, 4, 5, 6), ((2, 3), 1, 19, 8, 8, 7)]:
    for dtype in (torch.float64, torch.float32):
        q_, k_, v_ = (torch.randn(*shape, n, d, generator=generator, dtype=dtype) for n, d in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)])
        kept = [t.clone() for t in (q_, k_, v_)]
        output = flash_attention(q_, k_, v_, block_size=size)
        # Property: works for any leading dimensions, and for other numbers of queries, keys and value features
        assert output.shape == (*shape, seq_q, d_v), f"q {tuple(q_.shape)}, k {tuple(k_.shape)}, v {tuple(v_.shape)}: output {(*shape, seq_q, d_v)} expected, got {tuple(output.shape)}"
        torch.testing.assert_close(output, F.scaled_dot_product_attention(q_, k_, v_), atol=1e-5, rtol=1e-5)
        # Property: the output has the dtype of the input
        assert output.dtype == dtype, f"{dtype} went in, {output.dtype} came out"
        # Property: the inputs are not modified
        assert all(torch.equal(t, was) for t, was in zip((q_, k_, v_), kept)), "q, k or v was changed in place"
# Property: exact in float64
q_, k_, v_ = (torch.randn(37, 6, generator=generator, dtype=torch.float64) for _ in range(3))
torch.testing.assert_close(flash_attention(q_, k_, v_, block_size=5), F.scaled_dot_product_attention(q_, k_, v_), atol=1e-10, rtol=1e-10)
# Property: large scores give neither inf nor NaN
big = flash_attention(200 * q_.float(), 200 * k_.float(), v_.float(), block_size=5)
assert big.isfinite().all(), "scores of tens of thousands gave inf or NaN: subtract the running maximum before exp"
exact = F.scaled_dot_product_attention(200 * q_, 200 * k_, v_)
torch.testing.assert_close(flash_attention(200 * q_, 200 * k_, v_, block_size=8), exact, atol=1e-6, rtol=1e-6)
torch.testing.assert_close(big.double(), exact, atol=0.1, rtol=0)                # in float32 scores of tens of thousands are rounded to hundredths
# Property: non-contiguous inputs are right
turned = [torch.randn(6, 23, generator=generator, dtype=torch.float64).T for _ in range(3)]
torch.testing.assert_close(flash_attention(*turned, block_size=8), F.scaled_dot_product_attention(*[t.contiguous() for t in turned]))
# Property: everything happens on the device of the input
output = flash_attention(*(torch.randn(9, 4, device="meta") for _ in range(3)), block_size=4)
assert output.device.type == "meta", f"q is on the device meta, the output on {output.device}"
# Property: gradients are those of naive attention
q_, k_, v_ = (torch.randn(2, 11, 3, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(3))
flash_attention(q_, k_, v_, block_size=4).square().sum().backward()
other = [t.detach().clone().requires_grad_() for t in (q_, k_, v_)]
F.scaled_dot_product_attention(*other).square().sum().backward()
for name, t, reference in zip("qkv", (q_, k_, v_), other):
    assert t.grad is not None, f"no gradient reached {name}"
    torch.testing.assert_close(t.grad, reference.grad, msg=lambda m: f"the gradient of {name} is wrong\n{m}")
### END HIDDEN TESTS
print("10.2 holds for values: the same output for every block size.")

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check_causal", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.2, causal: no query reads a key that stands after it."""
generator = torch.Generator().manual_seed(2)
q_, k_, v_ = (2 * torch.randn(10, 4, generator=generator) for _ in range(3))
scores = q_ @ k_.T / 2
output = flash_attention(q_, k_, v_, block_size=4, causal=True)
assert not output.isnan().any(), "NaN: a tile in which a query may read nothing gives exp(-inf - (-inf)); skip it, or do not subtract -inf"
block_of = torch.arange(10) // 4
hidden = {
    "causal changes nothing: the future was not hidden": torch.ones(10, 10, dtype=torch.bool),
    "whole blocks of the future were skipped, but inside the diagonal blocks the future is still seen": block_of[:, None] >= block_of,
    "the mask is one position off: a query may read its own key": torch.ones(10, 10, dtype=torch.bool).tril(-1),
    "the mask is one position off: a query reads the key after it": torch.ones(10, 10, dtype=torch.bool).tril(1),
    "the mask is upside down: a query reads what stands after it": torch.ones(10, 10, dtype=torch.bool).triu(),
    "inside each tile the mask was counted from 0: compare positions in the whole sequence": (torch.arange(10) % 4)[:, None] >= torch.arange(10) % 4,
    "only the diagonal blocks were read: earlier blocks of keys may be seen, too": (block_of[:, None] == block_of).tril(),
}
for mistake, allowed in hidden.items():
    assert not torch.allclose(output, scores.masked_fill(~allowed, float("-inf")).softmax(-1).nan_to_num() @ v_, atol=1e-4), mistake
torch.testing.assert_close(output, naive_attention(q_, k_, v_, causal=True), atol=1e-5, rtol=1e-5, msg=lambda m: f"causal: the output differs from naive attention\n{m}")
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(203)
# Property: causal is right for any block size, leading dimensions and dtype
for shape, seq, size, dtype in [((), 13, 4, torch.float64), ((3,), 29, 7, torch.float32), ((2, 5), 11, 64, torch.float64), ((2,), 17, 1, torch.float32), ((), 1, 3, torch.float64)]:
    q_, k_, v_ = (torch.randn(*shape, seq, d, generator=generator, dtype=dtype) for d in (3, 3, 5))
    torch.testing.assert_close(flash_attention(q_, k_, v_, block_size=size, causal=True), F.scaled_dot_product_attention(q_, k_, v_, is_causal=True), atol=1e-5, rtol=1e-5)
# Property: changing a future token moves nothing before it
q_, k_, v_ = (torch.randn(19, 4, generator=generator, dtype=torch.float64) for _ in range(3))
before = flash_attention(q_, k_, v_, block_size=5, causal=True)
for t in (4, 5, 12):
    k_[t + 1:], v_[t + 1:] = torch.randn(18 - t, 4, generator=generator, dtype=torch.float64), 100.0
    after = flash_attention(q_, k_, v_, block_size=5, causal=True)
    torch.testing.assert_close(after[:t + 1], before[:t + 1], msg=lambda m: f"keys and values after position {t} were changed, and an output at or before {t} moved\n{m}")
    before = after
# Property: a key in the future counts for nothing, however large its score is
big = [200 * q_, 200 * k_, v_]
torch.testing.assert_close(flash_attention(*big, block_size=5, causal=True), F.scaled_dot_product_attention(*big, is_causal=True), atol=1e-6, rtol=1e-6, msg=lambda m: f"causal, scores of tens of thousands: take the maximum over what may be seen\n{m}")
# Property: gradients are finite and right with causal
q_, k_, v_ = (torch.randn(11, 3, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(3))
flash_attention(q_, k_, v_, block_size=4, causal=True).square().sum().backward()
other = [t.detach().clone().requires_grad_() for t in (q_, k_, v_)]
F.scaled_dot_product_attention(*other, is_causal=True).square().sum().backward()
for name, t, reference in zip("qkv", (q_, k_, v_), other):
    torch.testing.assert_close(t.grad, reference.grad, msg=lambda m: f"causal: the gradient of {name} is wrong\n{m}")
# Property: the causal mask is made on the device of the input
assert flash_attention(*(torch.randn(9, 4, device="meta") for _ in range(3)), block_size=4, causal=True).device.type == "meta", "the output left the device meta"
### END HIDDEN TESTS
print("10.2 holds for causal: no output reads its future.")

# %% nbgrader={"grade": true, "grade_id": "ch10_flash_attention_check_memory", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.2, measured: the largest tensor that was made, for 192 tokens of 2 numbers in blocks of 8."""
q_, k_, v_ = (torch.randn(192, 2) for _ in range(3))
for causal in (False, True):
    with LargestTensor() as seen:
        flash_attention(q_, k_, v_, block_size=8, causal=causal)
    assert seen.numel > 0, "no tensor was made: the work must be done with PyTorch"
    assert seen.numel != 192 * 192, "a tensor of 192 × 192 numbers was made: all scores at once, or the mask of the whole sequence"
    assert seen.numel != 192 * 8, f"a tensor of 192 × 8 = 1536 numbers was made: the queries go in blocks as well, or d_v was not 2"
    assert seen.numel <= 192 * 2 * 2, f"the largest tensor made holds {seen.numel} numbers: a tile holds 64, the output 384"
### BEGIN HIDDEN TESTS
# Property: no tensor grows with the square of the sequence, whatever the leading dimensions
for shape, seq, size in [((), 331, 16), ((2, 3), 127, 8)]:
    q_, k_, v_ = (torch.randn(*shape, seq, 2) for _ in range(3))
    for causal in (False, True):
        with LargestTensor() as seen:
            flash_attention(q_, k_, v_, block_size=size, causal=causal)
        limit = 2 * q_.numel() + math.prod(shape) * size * size
        assert seen.numel <= limit, f"seq {seq}, block_size {size}: the largest tensor made holds {seen.numel} numbers, at most {limit} are needed"
# Property: the default block size is 64
q_ = torch.randn(640, 2)
with LargestTensor() as seen:
    flash_attention(q_, q_, q_)
assert 64 * 64 <= seen.numel <= 2 * 64 * 64, f"640 tokens, block_size not given: the largest tensor made holds {seen.numel} numbers, a tile of 64 × 64 was expected"
### END HIDDEN TESTS
print("10.2 holds as measured: nothing of size seq × seq was ever made.")

# %% [markdown]
# Now the claim of this section, on your function. **Predict, then run.** 4,096 tokens with 16 numbers each, blocks of 128. The naive version
# makes a tensor of 16,777,216 numbers. How large is the largest one that yours makes: about 16 thousand, 65 thousand or 500 thousand?

# %% tags=["show", "uses-exercise"]
q, k, v = (torch.randn(4096, 16, generator=generator) for _ in range(3))
with LargestTensor() as naive:
    expected = naive_attention(q, k, v)
with LargestTensor() as flash:
    output = flash_attention(q, k, v, block_size=128)
print(f"naive {naive.numel:10,d}\nflash {flash.numel:10,d}   equal to 1e-5: {torch.allclose(output, expected, atol=1e-5)}")

# %% [markdown]
# 65,536, which is 4,096 · 16: the output itself. A tile of 128 · 128 is smaller than that.
#
# A training step needs gradients. Autograd keeps every tile for the backward pass, so *our* version saves nothing there; the real
# flash attention keeps only $m$ and $s$ of each row and computes the tiles once more on the way back. But the numbers are right, forward and backward:

# %% tags=["show", "uses-exercise"]
inputs = [torch.randn(2, 4, 100, 16, generator=generator).requires_grad_() for _ in range(3)]      # (batch, heads, seq, d)
grads = {}
for name, function in [("naive", naive_attention), ("flash", flash_attention), ("PyTorch", lambda q, k, v, causal: F.scaled_dot_product_attention(q, k, v, is_causal=causal))]:
    grads[name] = torch.autograd.grad(function(*inputs, causal=True).square().sum(), inputs)
for name in ("flash", "PyTorch"):
    print(f"gradients of {name:7} equal the naive ones to 1e-5:", all(torch.allclose(a, b, atol=1e-5) for a, b in zip(grads[name], grads["naive"])))

# %% [markdown]
# ## 10.4 What a conversation costs
#
# Training reads whole texts; a conversation writes one token at a time. Chapter 8 kept the keys and values of all earlier tokens so
# that they need not be computed again: the **key–value cache**. For each token, each layer and each key–value head it holds one key and one value
# of `d_head` numbers. Count it for a toy model by making it:

# %%
layers, kv_heads, d_head, seq, batch = 2, 3, 4, 5, 1
cache = [(torch.zeros(batch, kv_heads, seq, d_head), torch.zeros(batch, kv_heads, seq, d_head)) for _ in range(layers)]
print("bytes:", sum(t.numel() * t.element_size() for keys, values in cache for t in (keys, values)))

# %% [markdown]
# ### Exercise 10.3 · Bytes of a cache · 1 point · about 5 minutes
#
# Write `kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype)`: the bytes of the whole cache, where `dtype` is a `torch.dtype`
# such as `torch.float16`. Nothing of that size may be made to find out.
#
# <details><summary>Hint 1</summary>Which six numbers does the count above multiply? One of them stands nowhere in the signature.</details>
# <details><summary>Hint 2</summary>A dtype knows its size: look at what <code>torch.float16.</code> offers.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_kv_cache_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    """Bytes of a key–value cache: keys and values of every token, layer and key–value head. Returns an int."""
    ### BEGIN SOLUTION
    return 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_kv_cache_bytes_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.3: the toy cache above has 960 bytes in float32."""
got = kv_cache_bytes(2, 3, 4, 5, 1, torch.float32)
mistakes = {480: "a cache holds keys and values: both must be counted", 240: "that is the count of numbers, a float32 has 4 bytes",
            120: "keys and values, and 4 bytes each: only the numbers of the keys were counted", 320: "the key–value heads were left out",
            192: "the tokens were left out", 1920: "too much by a factor of 2: count keys and values once each", 7680: "these are bits, not bytes"}
assert int(got) not in mistakes, mistakes[int(got)]
assert int(got) == 960, f"960 bytes expected, got {got}"
half = kv_cache_bytes(2, 3, 4, 5, 1, torch.float16)
assert int(half) == 480, f"float16 takes 2 bytes a number: 480 expected, got {half}; does the function use dtype?"
assert int(kv_cache_bytes(2, 3, 4, 5, 6, torch.float32)) == 6 * 960, "six conversations at a time take six caches: does the function use batch?"
assert int(got) == got, f"bytes are a whole number, got {got!r}"
### BEGIN HIDDEN TESTS
# Property: right for every dtype
for dtype, size in [(torch.float64, 8), (torch.float32, 4), (torch.bfloat16, 2), (torch.float16, 2), (torch.int8, 1)]:
    got = kv_cache_bytes(3, 5, 7, 11, 13, dtype)
    assert int(got) == 2 * 3 * 5 * 7 * 11 * 13 * size, f"{dtype}: {2 * 3 * 5 * 7 * 11 * 13 * size} expected, got {got}"
# Property: right for real models, without making the cache
assert int(kv_cache_bytes(80, 64, 128, 100_000, 1, torch.bfloat16)) == 262_144_000_000, "80 layers, 64 heads of 128, 100,000 tokens in bfloat16: 262,144,000,000 bytes expected"
# Property: the answer is exact, not a rounded float
assert int(kv_cache_bytes(81, 63, 127, 10 ** 10 + 1, 7, torch.int8)) == 2 * 81 * 63 * 127 * (10 ** 10 + 1) * 7, "very large caches must be counted exactly: keep to whole numbers"
### END HIDDEN TESTS
print("10.3 holds: 960 bytes.")

# %% [markdown]
# Real models, 16-bit numbers, one reader with a 100,000-token novel. (Shapes as published; the cache is computed from them.)

# %% tags=["show", "uses-exercise"]
MODELS = {"GPT-2 XL": (48, 25, 25, 64), "Llama 2 7B": (32, 32, 32, 128), "Llama 2 70B": (80, 64, 8, 128), "Llama 3 8B": (32, 32, 8, 128)}
print("                heads  kv heads   cache of a novel")
for name, (layers, heads, kv_heads, d_head) in MODELS.items():
    print(f"{name:12}    {heads:4d}  {kv_heads:6d}      {kv_cache_bytes(layers, kv_heads, d_head, 100_000, 1, torch.float16) / 2**30:8.1f} GiB")

# %% [markdown]
# Look at the two middle rows. The 70B model is ten times larger than the 7B model, and its cache is *smaller*. It has 64 heads of queries,
# but only 8 of keys and values.
#
# ## 10.5 Sharing keys and values
#
# Every head asks its own question, but must every head keep its own copy of what can be found? In **grouped-query attention** several
# query heads read the same key–value head. With as many key–value heads as query heads it is the multi-head attention of
# chapter 4 (MHA); with a single one it is *multi-query attention* (MQA). Who reads what, for 8 heads:

# %%
heads = 8
for kv_heads in (8, 2, 1):
    print(f"{kv_heads} key–value heads: query head 0…7 reads", [h // (heads // kv_heads) for h in range(heads)])

# %% [markdown]
# Neighbours share: head $h$ reads key–value head $\lfloor h \,/\, (\mathrm{heads}/\mathrm{kv\_heads}) \rfloor$.
#
# ### Exercise 10.4 · Grouped-query attention · 2 points · about 12 minutes
#
# Write `grouped_query_attention(q, k, v, mask=None)` with `q` `(..., heads, seq_q, d)` and `k`, `v` `(..., kv_heads, seq_k, d)`. It returns
# `(output, weights)`, weights `(..., heads, seq_q, seq_k)`. `mask` is boolean, `True` = may attend, broadcastable to the weights; a row with nothing to attend to
# gives zeros. One point for the grouping, one for masks and empty rows.
#
# <details><summary>Hint 1</summary>Two roads: repeat the keys and values of each group, or fold q into (…, kv_heads, group, seq, d) and let broadcasting share.</details>
# <details><summary>Hint 2</summary>PyTorch has two ways to repeat: 0 1 0 1 and 0 0 1 1. Which of the two puts neighbours together?</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_grouped_query_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def grouped_query_attention(q, k, v, mask=None):
    """Attention in which groups of neighbouring query heads share a key–value head.

    q: (..., heads, seq_q, d)   k, v: (..., kv_heads, seq_k, d)   mask: boolean, True = may attend, broadcastable to the weights
    Returns (output, weights): (..., heads, seq_q, d) and (..., heads, seq_q, seq_k).
    Ainslie and others (2023), GQA, section 2.
    """
    ### BEGIN SOLUTION
    group = q.shape[-3] // k.shape[-3]
    k, v = (t.repeat_interleave(group, dim=-3) for t in (k, v))            # (..., heads, seq_k, d)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])              # (..., heads, seq_q, seq_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
        empty = ~mask.expand(scores.shape).any(dim=-1, keepdim=True)
        scores = scores.masked_fill(empty, 0.0)                            # softmax must not see a row of -inf alone
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(empty, 0.0)
    return weights @ v, weights
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_grouped_query_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.4, grouping: 4 query heads, 2 key–value heads, 3 tokens."""
generator = torch.Generator().manual_seed(4)
q_ = 2 * torch.randn(4, 3, 4, generator=generator)                        # (heads, seq, d)
k_, v_ = (2 * torch.randn(2, 3, 4, generator=generator) for _ in range(2))
try:
    output, weights = grouped_query_attention(q_, k_, v_)
except RuntimeError as error:
    raise AssertionError(f"4 query heads did not fit 2 key–value heads: each key–value head serves a group of 2 ({error})") from error
assert weights.shape == (4, 3, 3), f"weights of every query head are expected, (4, 3, 3); got {tuple(weights.shape)}"
assert output.shape == (4, 3, 4), f"an output for every query head is expected, (4, 3, 4); got {tuple(output.shape)}"

def with_heads(reads, scale=2.0):
    """The weights if query head h read key–value head reads[h]."""
    return (q_ @ k_[reads].transpose(-2, -1) / scale).softmax(-1)

mistakes = {
    "head h reads key–value head h % 2 (0 1 0 1): neighbours share, head h reads h // 2 (0 0 1 1)": with_heads([0, 1, 0, 1]),
    "all heads read key–value head 0": with_heads([0, 0, 0, 0]),
    "the groups are in reverse order: head 0 reads key–value head 0": with_heads([1, 1, 0, 0]),
    "the scores were not divided by √d": with_heads([0, 0, 1, 1], 1.0),
    "the scores were divided by d, not by its square root": with_heads([0, 0, 1, 1], 4.0),
}
for mistake, values in mistakes.items():
    assert not torch.allclose(weights, values, atol=1e-4), mistake
assert torch.allclose(weights.sum(-1), torch.ones(4, 3), atol=1e-4), "the weights of each query must sum to 1: softmax over the keys"
torch.testing.assert_close(weights, with_heads([0, 0, 1, 1]), msg=lambda m: f"the weights are wrong\n{m}")
assert not torch.allclose(output, weights @ v_[[0, 1, 0, 1]], atol=1e-4), "the keys are shared by neighbours, but the values as 0 1 0 1: both must be shared alike"
torch.testing.assert_close(output, weights @ v_[[0, 0, 1, 1]], msg=lambda m: f"the weights are right, the output is not\n{m}")
assert grouped_query_attention(q_[None], k_[None], v_[None])[0].shape == (1, 4, 3, 4), "a batch comes in front: count axes from the end"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(204)
for shape, heads, kv_heads in [((), 6, 3), ((2,), 6, 2), ((3, 2), 5, 5), ((2,), 7, 1), ((1,), 12, 4)]:
    for dtype in (torch.float64, torch.float32):
        # Property: right for every number of heads and groups, from multi-head to multi-query, and any leading dimensions
        q_ = torch.randn(*shape, heads, 7, 5, generator=generator, dtype=dtype)
        k_, v_ = (torch.randn(*shape, kv_heads, 11, 5, generator=generator, dtype=dtype) for _ in range(2))
        kept = [t.clone() for t in (q_, k_, v_)]
        output, weights = grouped_query_attention(q_, k_, v_)
        reads = [h // (heads // kv_heads) for h in range(heads)]
        full_k, full_v = k_[..., reads, :, :], v_[..., reads, :, :]
        assert weights.shape == (*shape, heads, 7, 11), f"{heads} heads, {kv_heads} key–value heads: weights {(*shape, heads, 7, 11)} expected, got {tuple(weights.shape)}"
        torch.testing.assert_close(weights, (q_ @ full_k.transpose(-2, -1) / 5 ** 0.5).softmax(-1), msg=lambda m: f"{heads} heads, {kv_heads} key–value heads\n{m}")
        torch.testing.assert_close(output, F.scaled_dot_product_attention(q_, full_k, full_v), msg=lambda m: f"{heads} heads, {kv_heads} key–value heads\n{m}")
        # Property: the inputs are not modified
        assert all(torch.equal(t, was) for t, was in zip((q_, k_, v_), kept)), "q, k or v was changed in place"
# Property: non-contiguous inputs, as split_heads makes them, are right
q_, k_, v_ = (torch.randn(2, 7, n, 5, generator=generator, dtype=torch.float64).transpose(1, 2) for n in (6, 3, 3))
torch.testing.assert_close(grouped_query_attention(q_, k_, v_)[0], F.scaled_dot_product_attention(q_, k_.repeat_interleave(2, 1), v_.repeat_interleave(2, 1)))
# Property: works on the device of the input
q_, k_, v_ = (torch.randn(2, n, 7, 5, device="meta") for n in (6, 3, 3))
assert grouped_query_attention(q_, k_, v_)[0].device.type == "meta", "the output left the device meta"
# Property: gradients reach q, k and v
q_, k_, v_ = (torch.randn(n, 7, 5, generator=generator, dtype=torch.float64, requires_grad=True) for n in (6, 3, 3))
grouped_query_attention(q_, k_, v_)[0].square().sum().backward()
other = [t.detach().clone().requires_grad_() for t in (q_, k_, v_)]
F.scaled_dot_product_attention(other[0], other[1].repeat_interleave(2, 0), other[2].repeat_interleave(2, 0)).square().sum().backward()
for name, t, reference in zip("qkv", (q_, k_, v_), other):
    assert t.grad is not None, f"no gradient reached {name}"
    torch.testing.assert_close(t.grad, reference.grad, msg=lambda m: f"the gradient of {name} is wrong\n{m}")
### END HIDDEN TESTS
print("10.4 holds for the grouping: neighbouring heads share.")

# %% nbgrader={"grade": true, "grade_id": "ch10_grouped_query_attention_check_mask", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.4, masks: True = may attend; a row with nothing to attend to gives zeros."""
generator = torch.Generator().manual_seed(5)
q_ = torch.randn(4, 3, 4, generator=generator)
k_, v_ = (torch.randn(2, 3, 4, generator=generator) for _ in range(2))
causal = torch.ones(3, 3, dtype=torch.bool).tril()
output, weights = grouped_query_attention(q_, k_, v_, causal)
scores = q_ @ k_[[0, 0, 1, 1]].transpose(-2, -1) / 2
unmasked = scores.softmax(-1)
assert not torch.allclose(weights, unmasked, atol=1e-4), "the mask changes nothing"
assert not torch.allclose(weights, scores.masked_fill(causal, float("-inf")).softmax(-1).nan_to_num(), atol=1e-4), "the mask is inverted: True = may attend"
assert not torch.allclose(weights, unmasked * causal, atol=1e-4), "the mask came after softmax and nothing was renormalised: the rows no longer sum to 1"
torch.testing.assert_close(weights, scores.masked_fill(~causal, float("-inf")).softmax(-1), msg=lambda m: f"the masked weights are wrong\n{m}")
nothing = causal.clone()
nothing[1] = False
output, weights = grouped_query_attention(q_, k_, v_, nothing)
assert not weights.isnan().any(), "a row with nothing to attend to became NaN: it must be zeros"
assert (weights[:, 1] == 0).all() and (output[:, 1] == 0).all(), "a row with nothing to attend to must give zero weights and a zero output"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(205)
q_ = torch.randn(2, 6, 7, 5, generator=generator, dtype=torch.float64)
k_, v_ = (torch.randn(2, 3, 11, 5, generator=generator, dtype=torch.float64) for _ in range(2))
full_k, full_v = k_.repeat_interleave(2, 1), v_.repeat_interleave(2, 1)
for shape in [(7, 11), (2, 1, 1, 11), (6, 7, 11), (2, 6, 7, 11), (1, 11)]:
    # Property: any mask that broadcasts to the weights is right, a mask for each head too
    allowed = torch.rand(*shape, generator=generator) < 0.6
    allowed[..., 0] = True
    output, weights = grouped_query_attention(q_, k_, v_, allowed)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q_, full_k, full_v, attn_mask=allowed), msg=lambda m: f"mask of shape {shape}\n{m}")
    assert (weights[~allowed.expand(2, 6, 7, 11)] == 0).all(), f"mask of shape {shape}: a blocked position has weight"
# Property: rows with nothing to attend to have zero weights, zero output and finite gradients
allowed = torch.rand(2, 6, 7, 11, generator=generator) < 0.5
allowed[0, 2], allowed[1, :, 3] = False, False
inputs = [t.clone().requires_grad_() for t in (q_, k_, v_)]
output, weights = grouped_query_attention(*inputs, allowed)
assert (output[0, 2] == 0).all() and (weights[1, :, 3] == 0).all(), "an empty row must give zeros"
output.square().sum().backward()
assert all(t.grad.isfinite().all() for t in inputs), "the gradient is NaN because of a row with nothing to attend to"
# Property: the mask is not modified
kept = allowed.clone()
grouped_query_attention(q_, k_, v_, allowed)
assert torch.equal(allowed, kept), "the mask was changed in place"
### END HIDDEN TESTS
print("10.4 holds for masks: blocked positions have weight 0, and no NaN appears.")

# %% [markdown]
# PyTorch has the same behind `enable_gqa=True`. Both ends are old friends: as many key–value heads as query heads is MHA, one is MQA.

# %% tags=["show", "uses-exercise"]
q = torch.randn(1, 8, 32, 16, generator=generator)
for kv_heads in (8, 2, 1):
    k, v = (torch.randn(1, kv_heads, 32, 16, generator=generator) for _ in range(2))
    same = torch.allclose(grouped_query_attention(q, k, v)[0], F.scaled_dot_product_attention(q, k, v, enable_gqa=True), atol=1e-6)
    share = kv_cache_bytes(32, kv_heads, 128, 100_000, 1, torch.float16) / kv_cache_bytes(32, 8, 128, 100_000, 1, torch.float16)
    print(f"{kv_heads} key–value heads: equal to PyTorch's to 1e-6: {same}, cache {share:.3f} of the full one")

# %% [markdown]
# ## 10.6 Which law does a cost follow?
#
# Flash attention changed what is *held*. Did it change what is *done*? Do not believe, measure. If a cost grows as
# $c \cdot \mathrm{seq}^{\,p}$, then
#
# $$\log \mathrm{cost} = \log c + p \, \log \mathrm{seq}$$
#
# is a straight line on doubly logarithmic axes, and its slope is the exponent $p$. Two points would give it; several, with the noise of a real measurement, ask for
# the straight line that fits best (least squares): the slope is the covariance of the logarithms over the variance of $\log \mathrm{seq}$. Check on a law that we know:

# %%
for seconds in ([1., 4., 16., 64.], [3., 6., 12., 24.]):
    print([round(math.log2(later / earlier), 2) for earlier, later in zip(seconds, seconds[1:])], "powers of two for each doubling of seq")

# %% [markdown]
# ### Exercise 10.5 · The exponent · 2 points · about 10 minutes
#
# Write `scaling_exponent(seqs, seconds)`: the slope of the least-squares line through all points on log–log axes, as a number. Both arguments are lists (or 1-D tensors) of
# the same length, at least two.
#
# <details><summary>Hint 1</summary>The base of the logarithm does not matter. Why?</details>
# <details><summary>Hint 2</summary>Subtract the means of both logarithms first; then the slope is one sum over another.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_scaling_exponent", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaling_exponent(seqs, seconds):
    """The p of seconds ≈ c · seq^p: slope of the least-squares line on log–log axes.

    seqs, seconds: lists or 1-D tensors of positive numbers, the same length, at least 2. Returns a float.
    """
    ### BEGIN SOLUTION
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_scaling_exponent_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.5: a square, a line, a constant, and points that scatter."""
def close(value, wanted):
    return abs(float(value) - wanted) < 1e-3

square = scaling_exponent([10, 20, 40, 80], [1., 4., 16., 64.])
assert not close(square, 0.5), "the axes are swapped: seconds against seq, not seq against seconds"
assert not close(square, -2), "the sign is wrong: these seconds grow with seq"
x, y = torch.tensor([10., 20., 40., 80.]), torch.tensor([1., 4., 16., 64.])
def slope(x, y):
    return ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
for name, wrong in [("no logarithm was taken", slope(x, y)), ("only seconds were made logarithmic", slope(x, y.log())), ("only seq was made logarithmic", slope(x.log(), y))]:
    assert not close(square, wrong.item()), name
assert close(square, 2), f"seconds that grow with the square of seq have the exponent 2, got {float(square):.4f}"
assert close(scaling_exponent([3, 6, 12], [5., 10., 20.]), 1), "seconds in proportion to seq have the exponent 1"
assert close(scaling_exponent([3, 6, 12], [5., 5., 5.]), 0), "constant seconds have the exponent 0"
x, y = torch.tensor([1., 2., 4., 8.]), torch.tensor([1., 5., 3., 20.])
scatter = scaling_exponent(x.tolist(), y.tolist())
first_last = ((y[-1] / y[0]).log() / (x[-1] / x[0]).log()).item()
means = torch.stack([(y[i + 1] / y[i]).log2() for i in range(2)]).mean().item()
assert not close(scatter, first_last), "only the first and the last point count: the line must fit all of them"
through_origin = ((x.log() * y.log()).sum() / (x.log() ** 2).sum()).item()
assert not close(scatter, through_origin), "the line was forced through the origin: subtract the means of the logarithms first"
correlation = torch.corrcoef(torch.stack([x.log(), y.log()]))[0, 1].item()
assert not close(scatter, correlation), "that is the correlation, not the slope: divide by the variance of log seq alone"
assert close(scatter, slope(x.log(), y.log()).item()), f"scattered points: the least-squares slope {slope(x.log(), y.log()).item():.4f} expected, got {float(scatter):.4f}"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(206)
# Property: right for any number of points, any constant in front and unequal spacing
for n in (2, 3, 7, 13):
    seqs = (torch.rand(n, generator=generator, dtype=torch.float64) * 5 + torch.arange(n) * 7 + 1).tolist()
    seconds = (torch.rand(n, generator=generator, dtype=torch.float64) * 1e-6 + 1e-7).tolist()
    x, y = torch.tensor(seqs, dtype=torch.float64).log(), torch.tensor(seconds, dtype=torch.float64).log()
    wanted = (((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()).item()
    assert abs(float(scaling_exponent(seqs, seconds)) - wanted) < 1e-3 * max(1, abs(wanted)), f"{n} points: {wanted:.4f} expected, got {float(scaling_exponent(seqs, seconds)):.4f}"
# Property: lists of whole numbers and tensors are both read
assert close(scaling_exponent([256, 512, 1024], [1, 8, 64]), 3), "lists of ints: the exponent 3 was expected"
assert close(scaling_exponent(torch.tensor([256., 512., 1024.]), torch.tensor([1., 2., 4.])), 1), "tensors: the exponent 1 was expected"
# Property: the order of the points does not matter
assert close(scaling_exponent([40, 10, 80, 20], [16., 1., 64., 4.]), 2), "the points came in another order: the exponent 2 was expected"
# Property: very short and very long times are right
assert close(scaling_exponent([1e3, 1e4, 1e5], [1e-9, 1e-8, 1e-7]), 1), "nanoseconds: the exponent 1 was expected"
### END HIDDEN TESTS
print("10.5 holds: the slope of the best line through all points.")

# %% [markdown]
# Now the measurement: naive, tiled and PyTorch's own `F.scaled_dot_product_attention`, which picks the fastest kernel it has for this
# device. Short sequences on a CPU, long ones on a GPU. Memory is the largest tensor made; time is the best of several runs.

# %% tags=["show", "uses-exercise"]
def best_time(function, repeats=5):
    """Seconds of the fastest of several calls, after one that warms up."""
    times = []
    for _ in range(repeats + 1):
        if device == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        function()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return min(times[1:])

ways = {"naive": naive_attention, "tiled": lambda q, k, v: flash_attention(q, k, v, block_size=256), "PyTorch": F.scaled_dot_product_attention}
seqs = [1024, 2048, 4096, 8192, 16384] if device == "cuda" else [512, 1024, 2048, 4096]
seconds, numbers = {name: [] for name in ways}, {name: [] for name in ways}
with torch.no_grad():
    for seq in seqs:
        q, k, v = (torch.randn(1, 1, seq, 64, device=device) for _ in range(3))
        for name, way in ways.items():
            with LargestTensor() as seen:
                way(q, k, v)
            numbers[name].append(seen.numel)
            seconds[name].append(best_time(lambda: way(q, k, v)))
for name in ways:
    print(f"{name:8} largest tensor grows as seq^{scaling_exponent(seqs[1:], numbers[name][1:]):.1f}")

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
for name in ways:
    print(f"{name:8} time grows as seq^{scaling_exponent(seqs, seconds[name]):.1f}, {seconds[name][-1] * 1e3:7.1f} ms for {seqs[-1]} tokens")
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3))
for name, marker in zip(ways, "osD"):
    left.loglog(seqs, [n * 4 / 2**20 for n in numbers[name]], marker=marker, ms=4, label=name)
    right.loglog(seqs, [t * 1e3 for t in seconds[name]], marker=marker, ms=4, label=name)
left.set(xlabel="tokens", ylabel="largest tensor [MiB]", title="Memory: only the naive one is a square")
right.set(xlabel="tokens", ylabel="time [ms]", title="Time: none of the three escapes the square")
for ax in (left, right):
    ax.set_xticks(seqs, seqs)
    ax.minorticks_off()
left.legend(frameon=False)
show(fig, "Two log-log plots against the number of tokens. Left: the largest tensor of naive attention rises steeply as a square, those of the tiled "
     "version and of PyTorch rise in proportion. Right: the times of all three rise steeply, about as the square or faster.")

# %% [markdown]
# There is the answer to the question at the start, and its limit. **Memory** went from a square to a straight line: the novel fits.
# **Time** is still a square, since every query still meets every key. (Measured exponents scatter about 2. Where sequences are short, the fixed costs
# of each call weigh most and push the exponent down. The naive version may even come out above 2: its matrix soon no longer fits into the fast cache
# of the processor. And a machine that is busy with something else bends any of the lines.) Our tiles are written in Python; PyTorch's are one
# compiled kernel that does the same sum.
#
# To break the square of the time, something must be left out.

# %% [markdown]
# ## 10.7 Looking only so far back
#
# A word mostly needs its neighbourhood. **Sliding-window attention** lets position $i$ read only the last `window` positions, itself
# included: $0 \le i - j < \mathrm{window}$. Each query then costs the same, however long the text. Here are the positions that position 5 of 8 may read with a window of 3:

# %%
i = 5
print([j for j in range(8) if 0 <= i - j < 3])

# %% [markdown]
# ### Exercise 10.6 · A sliding window · 1 point · about 5 minutes
#
# Write `sliding_window_mask(seq, window, device=None)`: boolean `(seq, seq)`, `True` where query $i$ may read key $j$.
#
# <details><summary>Hint 1</summary>A column of positions minus a row of positions gives every i − j at once.</details>
# <details><summary>Hint 2</summary>Two conditions on that difference: not in the future, not too far back.</details>

# %% nbgrader={"grade": false, "grade_id": "ch10_sliding_window_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sliding_window_mask(seq, window, device=None):
    """Boolean (seq, seq), True where 0 <= i - j < window: the last `window` positions, the query's own included.

    Beltagy, Peters, Cohan (2020), Longformer, section 3.1.
    """
    ### BEGIN SOLUTION
    position = torch.arange(seq, device=device)
    back = position[:, None] - position              # (seq, seq): i - j
    return (0 <= back) & (back < window)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch10_sliding_window_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 10.6: five positions, a window of 2."""
mask = sliding_window_mask(5, 2)
assert isinstance(mask, torch.Tensor) and mask.dtype == torch.bool, f"a boolean tensor is expected, got {getattr(mask, 'dtype', type(mask).__name__)}"
assert mask.shape == (5, 5), f"a row for each query and a column for each key, (5, 5), got {tuple(mask.shape)}"
back = torch.arange(5)[:, None] - torch.arange(5)
mistakes = {
    "the window is one too wide: a window of 2 is the position itself and one before it": (back >= 0) & (back <= 2),
    "the window is one too narrow, or the query's own position is missing": (back > 0) & (back < 2),
    "the query's own position is missing": (back > 0) & (back <= 2),
    "the future is visible: i - j must not be negative": back < 2,
    "the window reaches into the future as well as back": back.abs() < 2,
    "nothing is cut off: positions further back than the window must be hidden": back >= 0,
    "rows and columns are swapped: row i is the query, it reads back, not ahead": (back <= 0) & (back > -2),
    "the mask is inverted: True = may attend": ~((back >= 0) & (back < 2)),
    "only the far past is visible: the window keeps what is near": back >= 2,
    "the window was counted from the start of the sequence, not back from the query": (torch.arange(5) < 2).expand(5, 5),
    "the text was cut into blocks: the window slides with every query": (torch.arange(5)[:, None] // 2 == torch.arange(5) // 2) & (back >= 0),
}
for mistake, values in mistakes.items():
    assert not torch.equal(mask.cpu(), values), mistake
wrong = (mask.cpu() != ((back >= 0) & (back < 2))).nonzero().tolist()
assert not wrong, f"query {wrong[0][0]}, key {wrong[0][1]}: {not bool(mask[wrong[0][0], wrong[0][1]])} expected"
### BEGIN HIDDEN TESTS
# Property: right for any length and any window, also one longer than the sequence
for seq in (1, 2, 7, 13):
    for window in (1, 2, 3, 7, 12, 40):
        back = torch.arange(seq)[:, None] - torch.arange(seq)
        mask = sliding_window_mask(seq, window)
        assert mask.shape == (seq, seq) and mask.dtype == torch.bool, f"seq {seq}, window {window}: bool ({seq}, {seq}) expected, got {mask.dtype} {tuple(mask.shape)}"
        assert torch.equal(mask.cpu(), (back >= 0) & (back < window)), f"seq {seq}, window {window}: wrong entries"
# Property: a window as long as the sequence is the causal mask
assert torch.equal(sliding_window_mask(11, 11).cpu(), torch.ones(11, 11, dtype=torch.bool).tril()), "window = seq must give the causal mask"
# Property: made on the device that was asked for
assert sliding_window_mask(7, 3, device="meta").device.type == "meta", "device='meta' was asked for, the mask was made elsewhere"
### END HIDDEN TESTS
print("10.6 holds: the window slides.")

# %% [markdown]
# The mask only says what may be read. It saves nothing by itself, and written out it is a square again. The saving comes as in 10.3: skip every tile
# in which it is False throughout. How many tiles of 64 × 64 are left with a window of 256?

# %% tags=["uses-exercise"]
block_size, window = 64, 256
for seq in (512, 1024, 2048, 4096):
    mask = sliding_window_mask(seq, window).unflatten(1, (-1, block_size)).unflatten(0, (-1, block_size))   # (blocks, 64, blocks, 64)
    tiles = mask.any(dim=3).any(dim=1)                                                                      # (blocks, blocks)
    print(f"{seq:4} tokens: {int(tiles.sum()):3} of {tiles.numel():4} tiles, at most {int(tiles.sum(dim=1).max())} for one block of queries")

# %% [markdown]
# Each block of queries meets window / block_size + 1 tiles at most, however long the text: twice the tokens, about twice the tiles.
#
# Does a window of 4 blind the model to everything older? In one layer, yes. But a token of the layer below has itself read further back. Which
# positions can reach the last one after several layers? A boolean product of the mask with itself answers.

# %% tags=["show"]
seq, window = 24, 4
position = torch.arange(seq)
mask = (position[:, None] >= position) & (position[:, None] - position < window)
reach, rows = torch.eye(seq), []
for layer in range(1, 7):
    reach = ((mask.float() @ reach) > 0).float()
    rows.append(reach[-1])
    print(f"{layer} layer{'s' if layer > 1 else ' '}: the last position is reached from {int(reach[-1].sum())} positions = {layer} · {window - 1} + 1")
fig, ax = plt.subplots(figsize=(6.4, 2.1))
draw_matrix(ax, torch.stack(rows), rows=[f"{n} layers" if n > 1 else "1 layer" for n in range(1, 7)], title="What can reach the last of 24 positions, window 4", digits=None, limits=(0, 1))
ax.set_xlabel("position")
show(fig, "Six rows for one to six layers, 24 positions across: the dark stretch that reaches the last position grows by three with each layer.")

# %% [markdown]
# With 32 layers and a window of 4,096, as in Mistral 7B, information can travel across 32 · 4,095 + 1 = 131,041 tokens: a novel. It *can*; the
# long way round is not the same as a direct look, which is why many models mix windowed layers with full ones.
#
# ## 10.8 The map
#
# Ten chapters ago you had a dot product. Here is what was built, and what changed in the models of today:
#
# | you built | chapter | in GPT-2 (2019) | in the Llama, Mistral and Gemma families (2023–) |
# | --- | --- | --- | --- |
# | scores, softmax, context | 1, 2 | the same | the same |
# | the causal mask | 3 | the same | the same, or a **sliding window** in some layers (10.7) |
# | heads | 4 | multi-head | multi-head in early ones, then mostly **grouped-query** attention (10.5) |
# | positions | 5 | a learned table | **RoPE** in the layers (5.5) |
# | the block | 6 | LayerNorm, GELU | **RMSNorm**, **SwiGLU** (Gemma: the same with GELU in the gate), no biases |
# | encoder and decoder | 7 | decoder alone | decoder alone |
# | GPT, cache, sampling | 8 | the same | the same |
# | training | 9 | the same, at scale | the same, at scale |
# | flash attention | 10 | – | everywhere |
#
# Two names in the table have not been built yet. Each is two or three lines.
#
# **RMSNorm** is the LayerNorm of chapter 6 without the mean and without the bias: $\mathrm{weight} \cdot x / \sqrt{\mathrm{mean}(x^2) + \varepsilon}$.

# %%
def rms_norm(x, weight, eps=1e-6):
    return weight * x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()

x, weight = torch.randn(2, 5, 8, generator=generator), torch.rand(8, generator=generator)
print("equal to PyTorch's:", torch.allclose(rms_norm(x, weight), F.rms_norm(x, (8,), weight, eps=1e-6), atol=1e-6))

# %% [markdown]
# **SwiGLU** is a feed-forward layer with a gate: one projection decides, number by number, how much of another passes.
# $\mathrm{silu}(z) = z \cdot \mathrm{sigmoid}(z)$ takes GELU's place. With three matrices instead of two, the inner width is
# cut to two thirds, so that the count of parameters stays.

# %%
def swiglu(x, W_gate, W_up, W_down):
    gate = x @ W_gate
    return (gate * torch.sigmoid(gate) * (x @ W_up)) @ W_down

d_model = 768
two, three = 2 * d_model * (4 * d_model), 3 * d_model * (4 * d_model * 2 // 3)
W_gate, W_up = (torch.randn(8, 6, generator=generator) for _ in range(2))
W_down = torch.randn(6, 8, generator=generator)
print("shape kept:", swiglu(x, W_gate, W_up, W_down).shape == x.shape, "  as many parameters as before:", two == three)

# %% [markdown]
# That is all. A model of today is the model that you built, with these few parts exchanged. What this means for the memory of a model of 7B's size,
# all 32 layers together, with a novel in its cache:

# %% tags=["show", "uses-exercise"]
d_model, layers, heads, d_ff, seq = 4096, 32, 32, 11008, 100_000
labels, weights_bytes, cache_bytes = [], [], []
for name, kv_heads in [("MHA, 32", 32), ("GQA, 8", 8), ("MQA, 1", 1)]:
    attention = 2 * d_model * d_model + 2 * d_model * kv_heads * (d_model // heads)
    labels.append(name)
    weights_bytes.append(layers * (attention + 3 * d_model * d_ff) * 2 / 2**30)
    cache_bytes.append(kv_cache_bytes(layers, kv_heads, d_model // heads, seq, 1, torch.float16) / 2**30)
fig, ax = plt.subplots(figsize=(6.4, 2.3))
ax.barh(labels, weights_bytes, label="weights of the blocks", height=0.6)
ax.barh(labels, cache_bytes, left=weights_bytes, label="cache of 100,000 tokens", height=0.6)
for y, (a, b) in enumerate(zip(weights_bytes, cache_bytes)):
    ax.text(a + b + 0.5, y, f"{a:.0f} + {b:.0f}", va="center")
ax.invert_yaxis()
ax.set(xlabel="GiB in 16 bits", ylabel="key–value heads", xlim=(0, 75), title="Sharing keys and values shrinks the cache from 49 GiB to 2, the weights hardly")
ax.legend(frameon=False, loc="lower right")
show(fig, "Stacked bars for 32, 8 and 1 key-value heads: the weights of the blocks take about 10 to 12 gibibytes each, the cache of 100,000 tokens 49, 12 and 2.")

# %% [markdown]
# ## Summary
#
# How can a model read a novel if the matrices of a single head fill the memory? By never making them. You can now
#
# - say what the weights of attention cost in memory, and measure the largest tensor that a function makes: 37 GiB for a head and a novel, if held at once;
# - compute softmax block by block, in one pass, with a running maximum and a running sum: the factor $e^{m-m'}$ does it, and NaN lurks in blocks of $-\infty$;
# - write flash attention: exact, tiled, without ever holding a `(seq, seq)` tensor: the largest thing was the output itself;
# - count the bytes of a key–value cache, and shrink it by sharing keys and values between heads;
# - read the exponent of a cost off a measurement, and say how a sliding window cuts the cost itself: the exponent of memory fell from 2 to 1, that of
#   time stayed near 2, and only leaving something out can bring it down.
#
# **Next:** there is no chapter 11. There is a model to read: take the source of any open one and look for the lines that you
# have written. You will find nearly all of them.
#
# ## Further reading
#
# - Milakov and Gimelshein (2018), *Online normalizer calculation for softmax*: section 3. [arXiv:1805.02867](https://arxiv.org/abs/1805.02867)
# - Rabe and Staats (2021), *Self-attention Does Not Need O(n²) Memory*: section 2. [arXiv:2112.05682](https://arxiv.org/abs/2112.05682)
# - Dao and others (2022), *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*: section 3, algorithm 1. [arXiv:2205.14135](https://arxiv.org/abs/2205.14135)
# - Shazeer (2019), *Fast Transformer Decoding: One Write-Head is All You Need*: section 3, MQA. [arXiv:1911.02150](https://arxiv.org/abs/1911.02150)
# - Ainslie and others (2023), *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*: section 2. [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)
# - Beltagy, Peters, Cohan (2020), *Longformer: The Long-Document Transformer*: section 3.1. [arXiv:2004.05150](https://arxiv.org/abs/2004.05150)
# - Jiang and others (2023), *Mistral 7B*: section 2, the sliding window. [arXiv:2310.06825](https://arxiv.org/abs/2310.06825)
# - Zhang and Sennrich (2019), *Root Mean Square Layer Normalization*: section 4. [arXiv:1910.07467](https://arxiv.org/abs/1910.07467)
# - Shazeer (2020), *GLU Variants Improve Transformer*: section 2, SwiGLU. [arXiv:2002.05202](https://arxiv.org/abs/2002.05202)
