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
# # 15 · Deeper: One kernel
#
# What [chapter 15](ch15_kernel.ipynb) says in a sentence, with its numbers. Optional, and without exercises: nothing later needs it, and no answer of the chapter stands here.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

torch.manual_seed(15)
torch.set_num_threads(1)

import attention_built as ab
from attention_built import chip, draw_matrix, show
plt.rcParams.update(ab.STYLE)

kernel, tl = ab.gpu()
device = "cuda" if kernel is not chip.Kernel else "cpu"
generator = torch.Generator().manual_seed(15)

# %% [markdown]
# ## Two loops
#
# In the chapter's kernel every tile asks which keys its queries may see. How many tiles need the question? Only those on the diagonal, and their share falls with the length:

# %% tags=["show"]
rows, cols = 64, 64
print("  tokens    tiles read    with a mask    share")
for n in (1024, 4096, 16384):
    read = sum(math.ceil((first + rows) / cols) for first in range(0, n, rows))
    masked = n // rows * math.ceil(rows / cols)
    print(f"{n:8,d} {read:13,d} {masked:14,d} {masked / read:8.1%}")

# %% [markdown]
# So the loop is cut in two. The first runs over whole tiles and makes no mask. The second runs over the tiles on the diagonal. In outline:
#
# ```python
# whole = block * ROWS                              # keys that all queries of the program see
# for start in range(0, whole, COLS):               # no comparison, no tl.where
#     ...
# for start in range(whole, last, COLS):            # as before
#     ...
# ```
#
# The second change is the exponential. A GPU has an instruction for $2^x$ and makes $e^x = 2^{x \log_2 e}$ of it, with one more product for each score. Put $\log_2 e$ into the scale of the scores, and that product is gone. Maximum and sum are then kept in these units throughout.

# %%
@kernel
def power_kernel(X, E, T, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    x = tl.load(X + place)
    tl.store(E + place, tl.exp(x))
    tl.store(T + place, tl.exp2(x * 1.4426950408889634))          # log2(e)

x = torch.linspace(-20, 0, 64)
e, two = torch.zeros(64), torch.zeros(64)
chip.counting(power_kernel)[(1,)](x, e, two, BLOCK=64)
print("the same to 1e-5 of each number:", torch.allclose(e, two, rtol=1e-5, atol=0))

# %% tags=["show"]
# @title Stored: speed against PyTorch's kernel, H200, 26 November 2026
# causal, 16 heads, bfloat16; PyTorch 2.11, Triton 3.6; PyTorch's own speed is 1
print("                            one loop    two loops, exp2")
for name, one, both in (("d = 64,   4,096 tokens", 0.64, 0.93),
                        ("d = 64,  16,384 tokens", 0.54, 0.89),
                        ("d = 128,  4,096 tokens", None, 0.80),
                        ("d = 128, 16,384 tokens", None, 0.75)):
    print(f"{name:24} {one or '–':>11} {both:18.2f}")

# %% [markdown]
# Nothing else was changed, neither the bytes that cross nor the products. What is left to PyTorch's kernel is written closer to the machine: it moves the next tile while it computes with this one, and schedules both by hand.

# %% [markdown]
# ## Tuning by hand
#
# Which block sizes are best? More queries in a program mean that keys and values are read less often. But they also need more fast memory. This kernel moves what flash attention moves, and computes nothing, so that five pairs can be counted:

# %%
@kernel
def moves_kernel(Q, K, V, O, n, D: tl.constexpr, ROWS: tl.constexpr,
                 COLS: tl.constexpr):
    d = tl.arange(0, D)[None, :]
    mine = (tl.program_id(0) * ROWS + tl.arange(0, ROWS))[:, None] * D + d
    kept = tl.load(Q + mine).to(tl.float32)
    for first in range(0, n, COLS):
        theirs = (first + tl.arange(0, COLS))[:, None] * D + d
        passing = tl.load(K + theirs) + tl.load(V + theirs)
        kept += tl.sum(passing.to(tl.float32), 0)[None, :]
    tl.store(O + mine, kept)

PAIRS = [(16, 16), (32, 32), (64, 32), (64, 64), (128, 64)]
n, d = 512, 64
q, k, v = torch.randn(3, n, d, generator=generator)
for rows, cols in PAIRS:
    o = torch.empty_like(q)
    counts = chip.counting(moves_kernel)[(n // rows,)](
        q, k, v, o, n, D=d, ROWS=rows, COLS=cols)
    held = 4 * (2 * rows * d + 2 * cols * d + rows * cols)
    print(f"{rows:4} queries, {cols:3} keys: {counts.read / 2**20:5.2f} MB read, "
          f"{held // 1024:4} kB held")

# %% [markdown]
# What is read halves with twice the queries, as in chapter 10's model, and the number of keys has no say in it. What must be held at one time grows with both; a program of an H200 has 227 kB, and several programs share it, so that one can compute while another waits. That is why the largest block is not the best. With a GPU, time them:

# %% tags=["show", "nbval-ignore-output"]
# @title The same five pairs, milliseconds
if device == "cpu":
    print("No GPU here: nothing is timed, and no measurement of these pairs is stored.")
else:
    print(torch.cuda.get_device_name())
    given = torch.randn(3, 8192, 64, device=device)
    out = torch.empty_like(given[0])
    for rows, cols in PAIRS:
        ms = chip.milliseconds(lambda: moves_kernel[(8192 // rows,)](
            *given, out, 8192, D=64, ROWS=rows, COLS=cols))
        print(f"{rows:4} queries, {cols:3} keys: {ms:.3f} ms")

# %% [markdown]
# ## The way back
#
# Training needs gradients. Autograd would keep every tile of weights for the backward pass, and the memory that flash attention saved would be lost. So the backward pass computes each tile *again*. It needs the inputs, the output, and for each query its maximum $m$ and its sum $s$: with these two, any tile of weights is one exponential away. Here it is in PyTorch, tile by tile:
#
# $$w_{ij} = e^{\mathrm{score}_{ij} - m_i} / s_i, \qquad \frac{\partial}{\partial \mathrm{score}_{ij}} = w_{ij} \left( g_i \cdot v_j - g_i \cdot o_i \right)$$
#
# with $g_i$ the gradient of the output. The second term is one number a query: softmax's own correction, since weights sum to 1.

# %%
class Recomputed(torch.autograd.Function):
    """softmax(q kᵀ / √d) v, causal, for q, k, v (n, d), with tiles made twice."""

    @staticmethod
    def tiles(q, k, size):
        """(queries, keys, causal scores) of every tile that is not hidden."""
        for i in range(0, len(q), size):
            for j in range(0, i + 1, size):
                a, b = slice(i, i + size), slice(j, j + size)
                scores = q[a] @ k[b].T / math.sqrt(q.shape[1])
                later = torch.ones_like(scores, dtype=torch.bool).triu(i - j + 1)
                yield a, b, scores.masked_fill(later, -math.inf)

    @staticmethod
    def forward(ctx, q, k, v, size):
        o, s = torch.zeros_like(v), q.new_zeros(len(q), 1)
        m = q.new_full((len(q), 1), -math.inf)
        for a, b, scores in Recomputed.tiles(q, k, size):
            high = torch.maximum(m[a], scores.amax(1, keepdim=True))
            e, kept = (scores - high).exp(), (m[a] - high).exp()
            s[a], m[a] = s[a] * kept + e.sum(1, keepdim=True), high
            o[a] = o[a] * kept + e @ v[b]
        ctx.size, o = size, o / s
        ctx.save_for_backward(q, k, v, o, m, s)
        return o

    @staticmethod
    def backward(ctx, g):
        q, k, v, o, m, s = ctx.saved_tensors
        dq, dk, dv = (torch.zeros_like(x) for x in (q, k, v))
        own = (g * o).sum(1, keepdim=True)                        # (n, 1)
        for a, b, scores in Recomputed.tiles(q, k, ctx.size):
            w = (scores - m[a]).exp() / s[a]                      # the weights, again
            d_scores = w * (g[a] @ v[b].T - own[a]) / math.sqrt(q.shape[1])
            dq[a] += d_scores @ k[b]
            dk[b] += d_scores.T @ q[a]
            dv[b] += w.T @ g[a]
        return dq, dk, dv, None

# %%
def gradients(attend):
    """Of the sum of the output's squares; and bytes that the backward pass was kept."""
    tensors = []
    given = [x.clone().requires_grad_() for x in (q, k, v)]
    with torch.autograd.graph.saved_tensors_hooks(
            lambda x: tensors.append(x) or x, lambda x: x):
        output = attend(*given)
    own = {x.data_ptr(): x.nbytes for x in tensors}
    for x in given:
        own.pop(x.data_ptr(), None)
    output.square().sum().backward()
    return [x.grad for x in given], sum(own.values())

def plain(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[1])
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(1) @ v

(wanted, much), (got, little) = map(
    gradients, (plain, lambda q, k, v: Recomputed.apply(q, k, v, 64)))
print("gradients the same to 1e-4:", all(
    torch.allclose(a, b, atol=1e-4) for a, b in zip(wanted, got)))
print(f"{n} tokens: kept beside q, k and v: {much // 1024} kB, with tiles made again "
      f"{little // 1024} kB")

# %% [markdown]
# The output, and two numbers a query, in place of two matrices. The price is arithmetic: one more product for each tile. On a GPU that is a good exchange, since section 15.6 says that arithmetic is what is left over.

# %% [markdown]
# ## Windows and sinks are whole tiles
#
# A sliding window and a sink (chapter 12) need no new kernel, only other bounds. A tile in which every weight is zero is not visited. A tile in which every key is visible needs no mask. Only the rest need the comparison.

# %% tags=["show"]
# @title Which tiles are read: causal, a window, a window and a sink
def kinds(n, size, window, sinks):
    """2 where a tile is whole, 1 where it needs a mask, 0 where it is not read."""
    i, j = torch.arange(n)[:, None], torch.arange(n)
    seen = (i >= j) & ((i - j < window) | (j < sinks))
    tiles = seen.view(n // size, size, n // size, size)
    return tiles.any(3).any(1).int() + tiles.all(3).all(1).int()

fig, axes = plt.subplots(1, 3, figsize=(7.2, 2.7))
for ax, (name, window, sinks) in zip(axes, (
        ("causal", 1024, 0), ("window 256", 256, 0), ("and a sink of 4", 256, 4))):
    read = kinds(1024, 64, window, sinks)
    draw_matrix(ax, read, digits=None, limits=(0, 3),
                title=f"{name}: {int((read > 0).sum())} tiles,\n"
                      f"{int((read == 1).sum())} with a mask")
    ax.set(xticks=[], yticks=[], xlabel="keys", ylabel="queries")
show(fig, "Three squares of 16 by 16 tiles. Causal: the lower triangle, dark, with a "
          "light diagonal. Window: a band of five tiles along the diagonal. With a sink: "
          "the band and a first column of light tiles.")

# %% [markdown]
# A window of 256 reads about half of the causal tiles at 1,024 tokens, and the share falls as texts grow. A sink adds a column. Its tiles need a mask, since four of their 64 keys are seen. In a kernel the two are two loops, one over the first tile and one over the band.
