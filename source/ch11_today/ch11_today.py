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
# # 11 · A decoder of today
#
# *160 minutes · ●●●●● · 6 exercises, 15 points · you need chapters 5, 6, 8 and 9; chapter 10 helps*
#
# GPT-2 appeared in 2019. Llama 3, Qwen 3 and Gemma 3 are also stacks of blocks with causal attention, but almost every part inside a
# block has been replaced. **Which of these changes lower the loss at the same cost, and what are the others for?**
#
# $$y = x + \mathrm{attention}(\mathrm{RMSNorm}(x)), \qquad \text{then } y + \mathrm{SwiGLU}(\mathrm{RMSNorm}(y))$$
#
# **After this chapter you can**
#
# - compare two architectures fairly: equal parameters, equal steps, several seeds
# - build a decoder of today, load weights in the formats of Llama and Qwen 3 into it, and prove by its logits that they arrived
# - say what a published configuration costs, in parameters and in bytes of cache, before anything is downloaded

# %% tags=["setup"]
import json
import math
from dataclasses import dataclass, replace

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

torch.manual_seed(11)
torch.set_num_threads(1)        # more threads would only wait for one another
torch.set_printoptions(precision=4, sci_mode=False)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 11.1 One change at a time
#
# What is new in a block (drawn in the [deeper notebook](deeper.ipynb)):
#
# | part | GPT-2 (2019) | Llama 3, Qwen 3, Gemma 3 | what the new part does |
# | --- | --- | --- | --- |
# | norm | layer norm | RMSNorm | divides by the root mean square, keeps the mean |
# | biases | everywhere | nowhere | saves a few parameters |
# | positions | a learned table | RoPE | turns queries and keys |
# | feed-forward | two matrices, GELU | three matrices, SwiGLU | one branch multiplies the other |
# | keys and values | one per head | one for a group of heads | makes the cache smaller |
# | queries and keys | as they are | normalised (Qwen 3, Gemma 3) | bounds the scores |
# | behind attention and feed-forward | nothing | a second norm (Gemma 3) | fixes the size of what is added |
# | reach | everything | a window in some layers (Gemma 3) | makes the cache smaller |
#
# We make each change alone, in the GPT of chapter 9. All models read the same text (Python's manual, one
# character a token) for 300 steps, at one learning rate. **Parameters** are made equal by the width of the feed-forward network.
# **Luck** is measured by five random seeds.
#
# **Predict, then run.** Which of these changes, made alone, lowers the loss on new text by more than all others together: `RMSNorm`, `no biases`, `RoPE`, `SwiGLU`, `2 kv heads` (for 4 heads), `QK-norm`, `second norm` or `window 16` (in the first layer)?

# %% tags=["show"]
guess_change = None         # type one of the eight, in quotes, then run the next cell

# %% [markdown]
# The runs are stored (`source/ch11_today/contest.py contest`). In the last rows `all` means all but the second norm and the window, and `no positions` has two seeds.

# %% tags=["show"]
# @title The stored runs of the contest
# parameters; loss on new text after 300 steps with five seeds;
# mean of the five at steps 1, 50, 100, …, 300
CONTEST_RUNS = {
    "GPT": (110336, [2.049, 2.093, 2.098, 2.073, 2.044],
            [4.59, 2.64, 2.47, 2.32, 2.18, 2.09, 2.07]),
    "RMSNorm": (110274, [2.05, 2.103, 2.088, 2.058, 2.066],
                [4.6, 2.64, 2.48, 2.32, 2.18, 2.09, 2.07]),
    "no biases": (110400, [2.07, 2.095, 2.094, 2.067, 2.06],
                  [4.56, 2.63, 2.47, 2.33, 2.19, 2.1, 2.08]),
    "RoPE": (110368, [1.76, 1.774, 1.741, 1.753, 1.736],
             [4.54, 2.54, 2.21, 2.0, 1.85, 1.77, 1.75]),
    "SwiGLU": (110248, [2.024, 1.968, 1.967, 1.978, 1.977],
               [4.58, 2.63, 2.46, 2.27, 2.1, 2.01, 1.98]),
    "2 kv heads": (110272, [2.033, 2.084, 2.105, 2.068, 2.066],
                   [4.56, 2.63, 2.47, 2.32, 2.18, 2.09, 2.07]),
    "QK-norm": (110400, [2.098, 2.113, 2.071, 2.052, 2.112],
                [4.59, 2.64, 2.46, 2.32, 2.19, 2.11, 2.09]),
    "second norm": (110332, [2.338, 2.346, 2.396, 2.35, 2.373],
                    [4.56, 2.87, 2.61, 2.51, 2.42, 2.37, 2.36]),
    "window 16": (110336, [2.045, 2.132, 2.104, 2.077, 2.063],
                  [4.58, 2.63, 2.45, 2.32, 2.19, 2.1, 2.08]),
    "all": (110208, [1.679, 1.65, 1.684, 1.676, 1.664],
            [4.56, 2.52, 2.18, 1.93, 1.77, 1.69, 1.67]),
    "all but RoPE": (110464, [1.98, 2.081, 2.076, 2.01, 2.085],
                     [4.63, 2.61, 2.45, 2.3, 2.15, 2.07, 2.05]),
}
rows = {**CONTEST_RUNS, "no positions": (110368, [2.375, 2.365])}
gpt_ends, gains = torch.tensor(CONTEST_RUNS["GPT"][1]), {}
print(f"{'':14}parameters   mean  spread   lower than the GPT's by, seed by seed")
for name, (size, losses, *_) in rows.items():
    losses = torch.tensor(losses)
    gains[name] = gpt_ends[:len(losses)] - losses
    told = " ".join(f"{round(gain, 2) + 0.0:+.2f}" for gain in gains[name].tolist())
    print(f"{name:14}{size:10,d}  {losses.mean():.3f}   {losses.std():.3f}   {told}")
alone = {name: gain.mean() for name, gain in gains.items() if "all" not in name}
check_guess("the change that gains most", guess_change, max(alone, key=alone.get))

# %% tags=["show"]
# @title Every seed of every row
fig, ax = plt.subplots(figsize=(6, 3.4))
for row, (name, (_, losses, *_)) in enumerate(rows.items()):
    ax.plot(losses, [row] * len(losses), "o", markersize=5, alpha=0.7,
            color=OKABE_ITO[name in ("RoPE", "SwiGLU", "second norm")])
    ax.plot([sum(losses) / len(losses)], [row], "|", markersize=16, color="black")
ax.axvspan(gpt_ends.min(), gpt_ends.max(), color="0.9", zorder=0)
ax.set_yticks(range(len(rows)), list(rows))
ax.invert_yaxis()
ax.set(xlabel="loss on new text, 300 steps",
       title="At this rate two changes gain, one loses")
means = ", ".join(f"{name} {sum(losses) / len(losses):.2f}"
                  for name, (_, losses, *_) in rows.items())
show(fig, "Losses of five seeds for each row (no positions: two) as dots, beside a "
          f"grey band, the GPT's own seeds. Means: {means}.")

# %% [markdown]
# **At this learning rate two changes lower the loss, five make no difference that these seeds can show, and one raises it.** RoPE lowers the loss by about 0.3 with every seed, SwiGLU by 0.03 to 0.13.
#
# That holds for one learning rate and 300 steps. After four times as many steps RoPE is ahead by much less (two seeds). At three times the learning rate SwiGLU raises the loss with one of three seeds
# (["Another learning rate", "A longer training"](deeper.ipynb)).
#
# Gemma, which has the second norm, also multiplies its token vectors by $\sqrt{d_\mathrm{model}}$. With that factor and RoPE the second norm *lowers* the loss, with both seeds (["The second norm"](deeper.ipynb)).
#
# ## 11.2 A norm without a mean
#
# Layer norm (chapter 6) subtracts the mean of the features, divides by their standard deviation, multiplies by a weight and adds a bias. RMSNorm only divides (by the root mean square) and multiplies. Subtracting the mean removes the share $\frac{\mathrm{mean}^2}{\mathrm{mean\ of\ squares}}$ of a vector's
# squares. For random features that is about $1/d$, here $0.016$.

# %% [markdown]
# The GPT of chapters 8 and 9.

# %% carry=["ch04_multi_head: MultiHeadAttention", "ch05_positions: sinusoidal_encoding", "ch06_block: TransformerBlock", "ch08_decoder: smollm2, GPTConfig, GPT", "ch09_training: make_batch, learning_rate, train_step, train, fresh_model, FIRST, held_out_loss"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# What does a trained model lose without this subtraction? We train the GPT of chapter 9 for 100 steps.

# %% tags=["show"]
# @title The text of chapter 9, and windows of it that are new
alphabet = "\n" + "".join(map(chr, range(32, 127)))     # 96 characters: a token each
text = "".join(c if c in alphabet else "?" for c in ab.manual())[:400_000]
ids = torch.tensor([alphabet.index(c) for c in text])
train_ids = ids[:360_000]
seen = {text[i:i + 30] for i in range(360_000 - 29)}
starts = [i for i in range(360_000, 400_000 - 64, 65)
          if all(text[j:j + 30] not in seen for j in range(i, i + 36))]
test_windows = torch.stack([ids[i:i + 65] for i in starts])
print(len(train_ids), "characters to train on,", len(test_windows), "new windows")

def text_batches(seed):
    generator = torch.Generator().manual_seed(seed)
    return lambda: [x.to(device) for x in make_batch(train_ids, 16, 64, generator)]

# %% tags=["show"]
gpt = fresh_model(GPTConfig(vocab_size=96, max_len=64, d_model=64, num_heads=4,
                            num_layers=2), seed=1)
losses = train(gpt, text_batches(1), steps=100)

# %% [markdown]
# Its weights stay untouched. We change only its norms: they leave the mean in, or divide all tokens by one number (their root mean square), or do not divide.

# %% tags=["show", "tolerance-0.15"]
def loss_with(normalise):
    """Loss on new text with another function in every norm of the GPT."""
    norms = [part for name, part in gpt.named_modules() if "norm" in name]
    for part in norms:
        part.forward = lambda x, part=part: normalise(x) * part.weight + part.bias
    loss = held_out_loss(gpt, test_windows)
    for part in norms:
        del part.forward                                # its own again
    return loss

centred = lambda x: x - x.mean(-1, keepdim=True)
size = lambda x: x.square().mean(-1, keepdim=True).sqrt()
for what, normalise in [
        ("as trained", lambda x: centred(x) / size(centred(x))),
        ("mean not subtracted", lambda x: x / size(x)),
        ("one number", lambda x: centred(x) / centred(x).square().mean().sqrt()),
        ("not divided", centred)]:
    print(f"{what:21} loss {loss_with(normalise):.2f}")

# %% [markdown]
# If the mean stays, the loss rises by less than 0.1. Without any division it rises by about 1: the layers behind the norms get numbers of a size never seen in training. Dividing by one number in each norm undoes nearly all of that. After 100 steps this model needs the right **scale**, hardly more.
#
# After 800 steps that is no longer true: the subtraction, and dividing each token by its own size, make a difference (["The norms of a longer training"](deeper.ipynb)). But a model trained with RMSNorm from the start does not miss the subtraction (11.1).
# RMSNorm is not simply faster, either (["Is RMSNorm faster?"](deeper.ipynb)).
#
# ### Exercise 11.1 · RMSNorm · 2 points · about 8 minutes
#
# Complete `RMSNorm(d_model, eps=1e-6)`, which divides each vector by its root mean square and multiplies by a learned `weight`, one number for each
# feature, at first all ones <!-- asks: start -->:
#
# $$y = \frac{x}{\sqrt{\frac{1}{d} \sum_i x_i^2 + \varepsilon}} \cdot \mathtt{weight}$$
#
# - **Values, 1 point.** The norm is taken over the last dimension, with $\varepsilon$ inside the root, whatever `eps` is <!-- asks: values, eps -->. The [house rules](#house-rules) hold <!-- asks: leading-dims, non-contiguous, gradient, inputs-unchanged, device -->.
# - **Precision, 1 point.** The result has the dtype of the input <!-- asks: dtype -->, but the arithmetic runs in float32 at least <!-- asks: precision -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Training and evaluation mode give the same <!-- asks: train-eval -->. The gradient of the weight is asked for, too. `weight` may have another dtype than the input. In bfloat16 and float16 the
# result is the rounded float32 one (rounded before the weight or after it), with the gradients of the formula. Float16 inputs of 300 do not overflow <!-- asks: large-values -->.
# </details>
# <details><summary>Hint 1</summary>Compare with your LayerNorm of chapter 6: what goes, what stays?</details>
# <details><summary>Hint 2</summary>The mean needs keepdim.</details>
# <details><summary>Hint 3</summary>Two conversions of the dtype, and nothing in between may be rounded.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RMSNorm(nn.Module):
    """Divide by the root mean square of the features, times a learned weight.

    (..., d_model) -> the same.
    Zhang and Sennrich (2019), Root Mean Square Layer Normalization, equation 4.
    """

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        y = x.float()
        y = y * torch.rsqrt(y.square().mean(dim=-1, keepdim=True) + self.eps)
        return (y * self.weight.float()).to(x.dtype)
        ### END SOLUTION

# %% tags=["uses-exercise"]
# The mean of 9 and 16 is 12.5; ten times as large: the same; the sign stays.
root = 12.5 ** 0.5
ab.beside([[3 / root, 4 / root], [-3 / root, 4 / root]],
          lambda: RMSNorm(2)(torch.tensor([[3.0, 4.0], [-30.0, 40.0]])))

# %% nbgrader={"grade": true, "grade_id": "ch11_rms_norm_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.1, values: four vectors of three features."""
x_ = torch.tensor(
    [[1e-3, 2e-3, 3e-3], [3.003, 4.004, -1.001], [1., -7., 2.], [0., 0., 0.]])
weight_ = {"weight": torch.tensor([10., 0.5, 2.])}
one_ = ab.case("four vectors, eps = 1e-5, weight = [10, 0.5, 2]", x_,
               of=ab.module(3, eps=1e-5, weights=weight_), look="values gradient")
batch_ = ab.case("a batch", ab.numbers(3, 2, 4) / 3, of=ab.module(4))
ab.check("11.1 values", RMSNorm, [
    ab.case("RMSNorm(3)", look="parameters", of=ab.module(3, weights={})),
    ab.case("the weight of a new norm", of=ab.module(3, weights={}),
            steps=[("weight",)], hint="It starts as ones"),
    one_,
    *(ab.case(f"[[0.001, 0.002, 0.003]] with {words}", x_[:1], of=ab.module(3, **eps))
      for words, eps in [("eps as it is", {}), ("eps = 0", {"eps": 0.0})]),
    *ab.house_rules(ab.case("one vector", x_[1], of=ab.module(3)), only="axes"),
    *ab.house_rules(batch_, only="empty views inputs device"),
    *(batch_.but(f"training: {train}", look=("values", "gradient"),
                 of=ab.module(4, train=train)) for train in (True, False)),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.1 values", RMSNorm, [one_, *cases], "x -> y",
             like=reference("RMSNorm"))

def sized(d_model, front=(5,), size=1.5, train=True, **options):
    x = size * ab.numbers(*front, d_model, seed=d_model) + size / 3
    words = f"x {tuple(x.shape)}, to {3 * size:g}, {options}"
    return ab.case(words, x, of=ab.module(d_model, train=train, **options))

# Property: evaluation and training mode give the same [train-eval]
tried(sized(7, train=False), sized(7, train=False).but(
    "the gradient in evaluation mode", look=("gradient",)))
# Property: right for other sizes and values of the weight [values]
tried(*(sized(d_model, eps=eps) for d_model, eps in [
    (7, 1e-6), (13, 1e-5), (1, 1e-6), (64, 1e-3)]))
# Property: any number of leading dimensions [leading-dims]
tried(*(sized(5, front) for front in [(), (3,), (2, 7), (2, 3, 4), (2, 1, 3, 2)]),
      *ab.house_rules(sized(5), only="empty"))
# Property: numbers that are not contiguous in memory give the same [non-contiguous]
tried(*ab.house_rules(sized(5, (2, 7)), only="views"))
# Property: a new norm has weights of one and nothing else to learn [start]
tried(ab.case("RMSNorm(11)", look="parameters", of=ab.module(11, weights={})),
      ab.case("its weight", of=ab.module(11, weights={}), steps=[("weight",)]))
# Property: eps stands inside the root, and its default is 1e-6 [eps]
tried(*(sized(7, size=size, **options) for size in (1e-4, 1e-3, 1e-2)
        for options in ({}, {"eps": 0.01}, {"eps": 3.0})))
# Property: gradients reach the input and the weight [gradient]
tried(sized(5).but("the gradient", look=("gradient",)),
      sized(5, eps=0.5).but("the gradient, eps = 0.5", look=("gradient",)))
# Property: the input is not modified [inputs-unchanged]
tried(*ab.house_rules(sized(5), only="inputs"))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(sized(5), only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_rms_norm_check_precision", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.1, precision: half-precision numbers in, half-precision numbers out."""
def typed_(x, weight, within=0.02, eps=1e-5):
    return ab.case(f"x in {x.dtype}, weight in {weight}, eps = {eps}", x, within=within,
                   of=ab.module(x.size(-1), eps=eps, dtype=weight), look="dtype values")
def line_(dtype, *shape, seed=11):
    return ab.case(f"{shape} numbers in {dtype}: the float32 results, rounded once",
                   (1.1 * ab.numbers(*shape, seed=seed)).to(dtype),
                   of=ab.module(shape[-1], weights={}, dtype=torch.float32),
                   ask=lambda norm, x: bool(
                       (norm(x) != norm(x.float()).to(dtype)).float().mean() < 0.05))
def gradient_(x):
    return typed_(x, torch.float32).but(
        f"the gradient for x in {x.dtype}", look=("gradient",), within=0.1)
halves_, singles_ = (torch.bfloat16, torch.float16), (torch.float32, torch.float64)
ab.check("11.1 precision", RMSNorm, [
    one_,
    *(typed_(x_.to(dtype), weight) for weight in singles_
      for dtype in (*halves_, *singles_)),
    typed_(torch.tensor([[300., 400., -7.]]).half(), torch.float32),
    typed_(x_[3:].half(), torch.float16, eps=1e-8),
    typed_(x_, torch.bfloat16, 1e-4),
    *(line_(dtype, 2, 150) for dtype in halves_),
    *(gradient_(x_[1:3].to(dtype)) for dtype in halves_),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.1 precision", RMSNorm, [one_, *cases], "x -> y",
             like=reference("RMSNorm"))

x = ab.numbers(3, 8, seed=112) + 0.3
# Property: the result has the dtype of the input, also with a weight of another dtype [dtype]
tried(*(typed_(x.to(x_type), w_type) for x_type in (*halves_, *singles_)
        for w_type in (torch.bfloat16, *singles_)))
# Property: in bfloat16 and float16 the result is the float32 result, rounded [precision]
tried(*(line_(dtype, 7, 512, seed=113) for dtype in halves_),
      *(typed_(x[:1, :2].to(dtype), torch.float32, eps=3.0) for dtype in halves_),
      *(gradient_(x.to(dtype)) for dtype in halves_))
# Property: large and small float16 numbers neither overflow nor vanish [large-values]
tried(*(typed_((size * torch.tensor([[1., -1., 2., 0.5]])).half(), torch.float32, 5e-3,
               eps=1e-6)
        for size in (0, 3e4, 300, 1e-2)))
### END HIDDEN TESTS

# %% [markdown]
# ## 11.3 A gate
#
# The plain feed-forward network is `down(gelu(up(x)))`: each hidden number depends on one direction of $x$. A **gated** network has two branches of the same width. One of them, the gate, goes through an activation (silu in SwiGLU, GELU in Gemma). Then the two are multiplied, number
# by number.

# %% [markdown]
# Around $-5$ and below silu is almost 0: the gate is shut. For large inputs silu(a) is close to a:

# %%
a = torch.tensor([-5.0, -1.0, 0.0, 1.0, 5.0])
print("silu(a) = a · sigmoid(a):", [round(s, 3) for s in F.silu(a).tolist()])

# %% [markdown]
# A gate needs a third matrix. To compare at equal parameters, as 11.1 did, the gated network must be narrower.

# %% [markdown]
# ### Exercise 11.2 · SwiGLU · 2 points · about 10 minutes
#
# - **The module, 1 point.** Complete `SwiGLU(d_model, d_ff)` with three linear layers without bias, `gate` and `up` from `d_model` to `d_ff`, `down` back
#   <!-- asks: parts -->:
#
# $$\mathrm{SwiGLU}(x) = \mathtt{down}\big(\mathrm{silu}(\mathtt{gate}(x)) \odot \mathtt{up}(x)\big)$$
#
# - **The width, 1 point.** The plain network of chapter 6 has two matrices between `d_model` and `4 * d_model`. Complete `swiglu_width(d_model, multiple=64)`: it returns the `d_ff`, a multiple of `multiple`, at which
#   three matrices come closest to as many numbers as those two have <!-- asks: width -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The module works for any sizes and inputs of any size <!-- asks: values -->. Training and evaluation mode give the same, and nothing is kept between calls <!-- asks: train-eval -->. The [house rules](#house-rules) hold, for all three layers too <!-- asks: leading-dims, gradient, dtype, inputs-unchanged, device -->. For the width, biases are not counted, and of two that are equally close either will do. It is at least one multiple
# <!-- asks: smallest -->, and an `int` <!-- asks: whole -->.
# </details>
# <details><summary>Hint 1</summary>Which of the two, gate or up, goes through silu?</details>
# <details><summary>Hint 2</summary>Write both counts with the unknown width w and set them equal.</details>
# <details><summary>Hint 3</summary>Closest means that one may round down as well as up.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_swiglu", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SwiGLU(nn.Module):
    """A feed-forward network with a gate: (..., d_model) -> the same.

    Shazeer (2020), GLU Variants Improve Transformer, equation 6.
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        ### BEGIN SOLUTION
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.down(F.silu(self.gate(x)) * self.up(x))
        ### END SOLUTION


def swiglu_width(d_model, multiple=64):
    """The d_ff at which a SwiGLU has as many numbers as the 4 * d_model network."""
    ### BEGIN SOLUTION
    return max(1, round(8 * d_model / 3 / multiple)) * multiple
    ### END SOLUTION

# %% tags=["uses-exercise"]
def one_number():
    network = SwiGLU(1, 1)
    for part, number in [("gate", 1.0), ("up", 10.0), ("down", 1.0)]:
        nn.init.constant_(getattr(network, part).weight, number)
    return network(torch.tensor([[2.0]]))

# silu(2) = 2 · 0.8808, times 10 · 2
ab.beside([[2 / (1 + math.exp(-2)) * 20]], one_number)
# 3 · 48 · 128 = 2 · 48 · 192
ab.beside(128, lambda: swiglu_width(48, multiple=8))

# %% nbgrader={"grade": true, "grade_id": "ch11_swiglu_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.2, the module: two features, three inside, every number known."""
known_ = {"gate": torch.tensor([[1., 0.], [0., 1.], [1., -1.]]),
          "up": torch.tensor([[0., 2.], [1., 1.], [3., 0.]]),
          "down": torch.tensor([[1., 0., 2.], [0., 1., -1.]])}
x_ = torch.tensor([[2., -1.]])
one_ = ab.case("x = [[2, -1]]", x_, of=ab.module(2, 3, weights=known_),
               hint="silu on the gate, times up, then down; nothing is dropped")
ab.check("11.2 module", SwiGLU, [
    ab.case("SwiGLU(2, 3)", look="parameters", of=ab.module(2, 3, weights={})),
    one_,
    *ab.house_rules(one_.but("one vector", args=(x_[0],)), only="axes"),
    one_.but("[[-1, 3]], then [[2, -1]]", steps=(("", x_.flip(1) + 1), ("", x_))),
    *ab.house_rules(one_, but="axes"),
    one_.but("in evaluation mode", of=ab.module(2, 3, weights=known_, train=False),
             look=("values", "gradient")),
    one_.but("x = [[200, -100]]", args=(100 * x_,), look=("values", "gradient")),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.2 module", SwiGLU, cases, "x -> y", like=reference("SwiGLU"))

def sized(d_model, d_ff, front=(3, 5), train=True, scale=1):
    mode = "training" if train else "evaluation"
    x = scale * ab.numbers(*front, d_model, seed=d_model)
    return ab.case(f"SwiGLU({d_model}, {d_ff}), x {tuple(x.shape)}, in {mode}", x,
                   of=ab.module(d_model, d_ff, train=train))

# Property: right for other sizes [values]
sizes = [(5, 7), (7, 5), (3, 3), (1, 11), (16, 40)]
tried(*(made for two in sizes for case in (sized(*two), sized(*two, scale=1000))
        for made in (case, *ab.house_rules(case, only="float64"))))
# Property: any number of leading dimensions [leading-dims]
tried(*(sized(5, 7, front) for front in [(), (3,), (2, 3), (2, 3, 4)]),
      *ab.house_rules(sized(5, 7), only="empty views"))
# Property: three linear layers without bias, and nothing else to learn [parts]
tried(*(ab.case(f"SwiGLU{two}", look="parameters", of=ab.module(*two, weights={}))
        for two in sizes[:2]))
# Property: evaluation and training mode give the same, and nothing is kept between calls [train-eval]
x = ab.numbers(3, 5, seed=112)
tried(*(sized(5, 7, train=train).but("x, -x, x", steps=(("", x), ("", -x), ("", x)))
        for train in (True, False)))
# Property: gradients reach all three and the input [gradient]
tried(*(made for train in (True, False)
        for made in ab.house_rules(sized(5, 7, (3,), train), only="gradient")),
      sized(5, 7, (3,), scale=100).but("x in the hundreds", look=("gradient",)))
# Property: the result has the dtype of input and module [dtype]
tried(*ab.house_rules(sized(5, 7), only="float64 bfloat16"))
# Property: the input is not modified [inputs-unchanged]
tried(*ab.house_rules(sized(5, 7), only="inputs"))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(sized(5, 7), only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_swiglu_check_width", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.2, the width: as many numbers as the plain network has."""
def sized_(*sizes):
    return ab.case(f"d_model, multiple: {sizes}", *sizes, within=1e-6)
def whole_(d_model, *multiple):
    return ab.case(f"d_model = {d_model}: a whole number, which nn.Linear takes",
                   ask=lambda f: isinstance(f(d_model, *multiple), (int, torch.Tensor)))
ab.check("11.2 width", swiglu_width, [
    sized_(96, 1), sized_(150), sized_(40), sized_(100, 1), sized_(768, 256),
    sized_(13, 10), sized_(17, 10), sized_(2), whole_(150), whole_(96, 1),
], "d_model, multiple -> the width")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.2 width", swiglu_width, cases, "d_model, multiple -> the width",
             like=reference("swiglu_width"))

# Property: closest to the plain network's numbers, among the multiples [width]
tried(*(sized_(d_model, multiple)
        for d_model in (32, 50, 64, 100, 127, 200, 512, 1000, 4096)
        for multiple in (1, 2, 8, 10, 32, 64, 256)
        if 16 * d_model % (6 * multiple) != 3 * multiple))  # two are equally close
# Property: never below one multiple [smallest]
tried(sized_(1, 64), sized_(3, 256), sized_(8, 64))
# Property: a whole number that nn.Linear takes [whole]
tried(whole_(100), whole_(3, 2))
### END HIDDEN TESTS

# %% [markdown]
# A plain network can only approximate a product of two features; a gated one can compute it. Two networks of 180 numbers each learn $y = x_1 x_2$ and, as a control, $y = |x_1| + x_2$, in which
# nothing is multiplied. The error is a share of the variance of $y$.

# %% tags=["show", "uses-exercise", "tolerance-0.03"]
# @title Plain and gated networks learn a product and a sum
def learns(make, target, seed):
    torch.manual_seed(seed)                 # 180 numbers: the CPU is quicker than a GPU
    model = make()
    x, new = (torch.cat([torch.randn(n, 2), torch.ones(n, 1)], 1) for n in (512, 2000))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.0)
    for _ in range(200):
        optimizer.zero_grad()
        (model(x)[:, 0] - target(x)).square().mean().backward()
        optimizer.step()
    return ((model(new)[:, 0] - target(new)).square().mean() / target(new).var()).item()

networks = {"plain": lambda: nn.Sequential(nn.Linear(3, 30, bias=False), nn.GELU(),
                                           nn.Linear(30, 3, bias=False)),
            "gated": lambda: SwiGLU(3, 20)}
for name, target in [("x1 · x2", lambda x: x[:, 0] * x[:, 1]),
                     ("|x1| + x2", lambda x: x[:, 0].abs() + x[:, 1])]:
    for kind, make in networks.items():
        errors = [learns(make, target, seed) for seed in range(5)]
        print(f"{name:10} {kind}: error {min(errors):.4f} to {max(errors):.4f}")

# %% [markdown]
# On the product the gated network's errors are all below the plain one's. On the control they are not. So a gate helps where features are multiplied; it is not better in itself.
#
# ## 11.4 Attention of today
#
# **Rotary positions in halves.** Chapter 5's `apply_rope` pairs neighbours: features 0 and 1, 2 and 3, … The published weights of Llama, Qwen and Gemma, as the `transformers` library keeps them, pair feature $i$ with feature
# $i + d_\mathrm{head}/2$. Each pair turns as in chapter 5, by the angle position times $\mathtt{base}^{-2i/d_\mathrm{head}}$, $i = 0, 1, \dots$

# %% [markdown]
# The same vector in both layouts:

# %%
def rotate(x, place, layout, base=10_000.0):
    """One vector, turned to a place. layout: "halves" or "neighbours"."""
    d = x.numel()
    angle = place * base ** (-torch.arange(0, d, 2) / d)
    a, b = x.chunk(2) if layout == "halves" else (x[0::2], x[1::2])
    parts = a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()
    return torch.cat(parts) if layout == "halves" else torch.stack(parts, -1).flatten()

for layout in ("halves", "neighbours"):           # angles 1 and 0.01
    print(f"{layout:11}", rotate(torch.tensor([1.0, 2.0, 3.0, 4.0]), 1, layout))

# %% [markdown]
# For a network trained from the start it makes no difference: permuting the rows of $W_q$ and $W_k$ turns one version into the other. Weights that were *learned* with one layout
# need that layout. The scores of one query with a key at three places:

# %%
generator = torch.Generator().manual_seed(11)
q, k = torch.randn(2, 8, generator=generator)
order = torch.tensor([0, 4, 1, 5, 2, 6, 3, 7])    # (0, 4), (1, 5), … become neighbours
for layout, names in [("halves", torch.arange(8)), ("neighbours", order),
                      ("neighbours", torch.arange(8))]:
    turned_q = rotate(q[names], 10, layout)
    scores = [turned_q @ rotate(k[names], place, layout) for place in (10, 7, 1)]
    print(f"{layout:11}{'permuted' if names is order else '':10}",
          [round(score.item(), 3) for score in scores])

# %% [markdown]
# The third row agrees only at distance 0, where both have the same angle. Llama's weights in the other layout raise no error, because the shapes fit.
#
# **The base** decides how slowly the slowest pair turns. For a head of 64 features:

# %%
for base in (100.0, 10_000.0, 500_000.0, 1_000_000.0):
    print(f"base {base:9,.0f}: the slowest pair turns once in "
          f"{2 * math.pi * base ** (62 / 64):9,.0f} places")

# %% [markdown]
# Llama 2 has the base 10,000. Llama 3, which was trained on much longer texts, has 500,000. A larger base alone does not make a model read further: with each of three bases, a small decoder reads worse beyond its trained length
# (["Does a larger base read further?"](deeper.ipynb)).
#
# **QK-norm.** A score is the product of two vectors that can grow without bound. When they do, softmax picks a single key and its gradient vanishes (chapter 2). Normalising each head's query and key to one length bounds the score: with weights of 1, by $\sqrt{d_\mathrm{head}}$.

# %% [markdown]
# We measure the largest score in the decoder with all changes over 120 steps, at 7.5 times the contest's learning rate, with QK-norm and without it (stored, `contest.py scores`; five seeds):

# %% tags=["show"]
# @title The largest score, with QK-norm and without
# at steps 1, 20, 40, …, 120, a row for each seed; loss at the end
SCORES = {
    "without QK-norm": ([
        [1.6, 9.7, 49, 101, 134, 148, 155], [1.6, 11.6, 65, 111, 137, 143, 148],
        [1.5, 9.2, 54, 82, 80, 76, 76], [1.5, 11.5, 47, 98, 116, 121, 117],
        [1.7, 9.2, 59, 98, 120, 127, 123]], [2.168, 2.338, 2.116, 2.237, 2.152]),
    "with QK-norm": ([
        [3.4, 3.7, 5.3, 7.5, 9.5, 9.9, 10.0], [3.6, 4.6, 6.3, 7.7, 9.3, 9.9, 10.0],
        [3.4, 3.7, 6.0, 7.9, 9.1, 9.5, 9.6], [3.6, 4.1, 5.1, 8.3, 11.8, 13.6, 13.4],
        [3.7, 4.2, 6.4, 7.7, 9.0, 9.0, 9.0]], [2.176, 2.304, 2.066, 2.164, 2.11]),
}
fig, ax = plt.subplots(figsize=(5.5, 2.6))
for colour, (name, (rows, ends)) in zip(OKABE_ITO[1:], SCORES.items()):
    lines = ax.plot([1, *range(20, 121, 20)], torch.tensor(rows).T, linewidth=1,
                    color=colour)
    lines[0].set_label(f"{name}, loss {min(ends):.2f} to {max(ends):.2f}")
ax.set(yscale="log", xlabel="step", ylabel="largest score", ylim=(0.5, 1000),
       title="QK-norm keeps the scores small")
ax.legend(frameon=False, loc="upper left")
show(fig, "The largest attention score against the step, on a logarithmic axis: five "
          "lines rise from 1.6 to between 76 and 155 without QK-norm, five from 3.5 to "
          "between 9 and 14 with it.")

# %% [markdown]
# At this high rate the largest score rises above 70 without the norm, with every seed. With the norm it stays below 14.
# **That is what QK-norm is for.** It also lowers the loss here with four of five seeds, and with all five after 300 steps (["QK-norm at a high rate"](deeper.ipynb)). In larger models growing scores made trainings diverge (Dehghani et al., Wortsman et al.).
#
# **Shared keys, a window, a cache.** As in chapter 10 several query heads read one key–value head, and a window hides what lies too far back. With a cache, positions have to continue: a token that is read alone gets the position after those in the cache.

# %% [markdown]
# ### Exercise 11.3 · Attention of today · 4 points · about 40 minutes
#
# Complete `RotaryAttention(d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None)`: causal attention with these parts. `forward(x)` returns the output alone. One point each:
#
# - **Values.** Queries and keys are turned by *half-split* RoPE; query head $h$ reads key–value head
#   `h // (num_heads // num_kv_heads)` <!-- asks: values, groups -->.
# - **QK-norm.** With `qk_norm=True` every head's query goes through `q_norm` and its key through `k_norm`, an `RMSNorm(d_head)` each, **before** the
#   rotation <!-- asks: qk-norm -->.
# - **Window.** With `window=w` a place sees itself and the `w-1` places before it <!-- asks: window -->.
# - **Cache.** `forward(x, cache)` extends a list, `[]` at first, then `[k, v]` <!-- asks: cache-order -->, *in place* <!-- asks: cache-in-place -->. The places of `x` follow those in the cache: one token at a time gives the same as all at once <!-- asks: cache-steps -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# - *Parts.* Linear layers without bias: `W_q` to `num_heads · d_head` features, `W_k` and
# `W_v` to `num_kv_heads · d_head`, `W_o` back to `d_model`; `d_head` is `d_model // num_heads` unless it is given <!-- asks: parts, d-head -->. Head $h$ is the $h$-th block of features; scores are divided by $\sqrt{d_\mathrm{head}}$. No place sees a later one <!-- asks: causal -->.
# - *RoPE.* Its base is `rope_base` <!-- asks: base -->, and angles are exact in bfloat16, at position 700, say
#   <!-- asks: far-positions -->.
# - *QK-norm.* Only where asked; heads share the norms, and values are not normed <!-- asks: qk-norm-parts -->.
# - *Window.* It may be 1 <!-- asks: window-one -->. With and without it the [house rules](#house-rules) hold, for the gradients of all parts too (no batch is empty) <!-- asks: dtype, device, gradient, inputs-unchanged -->.
# - *Cache.* `k` and `v` are `(batch, num_kv_heads, all places so far, d_head)` <!-- asks: cache-size -->. Pieces have any length <!-- asks: cache-pieces -->, with a window and
#   QK-norm, too <!-- asks: cache-window -->. Two caches do not mix <!-- asks: cache-own -->. Keys may be kept
#   turned or not, and a window's old places may stay.
#
# </details>
# <details><summary>Hint 1</summary>Write it without a cache first. Then: how many places lie in the cache?</details>
# <details><summary>Hint 2</summary>The mask has a row for each new place and a column for each place there is. Both conditions, not later and not too far back, compare their positions.</details>
# <details><summary>Hint 3</summary>Put one key–value head into the cache once. Repeat it for its queries after that.</details>
# <details><summary>Hint 4</summary>bfloat16 holds 256 and 258 but not 257: compute the angles in float32, and convert cosine and sine at the end.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_rotary_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RotaryAttention(nn.Module):
    """Causal attention with rotary positions and shared keys and values.

    Where asked, with QK-norm and a window.
    forward(x, cache=None): (batch, seq, d_model) -> the same.
    cache: a list, [] at first, then [k, v].
    Su et al. (2021), RoFormer; Ainslie et al. (2023), GQA;
    Dehghani et al. (2023), section 2: QK-norm.
    """

    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        ### BEGIN SOLUTION
        self.d_head = d_head or d_model // num_heads
        self.groups = num_heads // num_kv_heads
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        self.q_norm = RMSNorm(self.d_head) if qk_norm else None
        self.k_norm = RMSNorm(self.d_head) if qk_norm else None
        ### END SOLUTION

    def forward(self, x, cache=None):
        ### BEGIN SOLUTION
        # (batch, heads, seq, d_head)
        split = lambda y: y.unflatten(-1, (-1, self.d_head)).transpose(1, 2)
        q, k, v = split(self.W_q(x)), split(self.W_k(x)), split(self.W_v(x))
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(-2) if cache else 0
        places = torch.arange(past + x.size(1), device=x.device)
        q, k = self.turn(q, places[past:]), self.turn(k, places[past:])
        if cache:
            k, v = torch.cat([cache[0], k], dim=-2), torch.cat([cache[1], v], dim=-2)
        if cache is not None:
            cache[:] = [k, v]
        k, v = (part.repeat_interleave(self.groups, dim=1) for part in (k, v))
        back = places[past:, None] - places             # how far back a key lies
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        # (batch, heads, seq, d_head)
        heads = F.scaled_dot_product_attention(q, k, v, allowed)
        return self.W_o(heads.transpose(1, 2).flatten(2))

    def turn(self, x, places):
        """Rotate features i and i + d_head / 2 by place · base^(-2i / d_head)."""
        half = torch.arange(0, self.d_head, 2, device=x.device, dtype=torch.float32)
        # (seq, d_head / 2)
        angles = places[:, None].float() * self.rope_base ** (-half / self.d_head)
        cos, sin = angles.cos(), angles.sin()
        a, b = x.float().chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
        ### END SOLUTION

# %% tags=["uses-exercise"]
x, cache = torch.ones(1, 5, 8), []

def in_pieces():
    attention = RotaryAttention(d_model=8, num_heads=4, num_kv_heads=2)
    pieces = [attention(x[:, :3], cache), attention(x[:, 3:], cache)]
    return (torch.cat(pieces, dim=1) - attention(x)).abs().max()

# In two pieces as at once; in the cache are k and v of 2 heads, 5 places, 2 features.
ab.beside(0.0, in_pieces)
ab.beside([(1, 2, 5, 2), (1, 2, 5, 2)], lambda: [tuple(part.shape) for part in cache])

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.3, values: four heads of four features, two key-value heads."""
def small_(train=True, **options):
    return ab.module(6, 4, 2, d_head=4, rope_base=100.0, train=train, **options)
def parts_(*sizes, **more):
    return ab.case(f"RotaryAttention{sizes}, {more or 'no d_head'}", look="parameters",
                   of=ab.module(*sizes, weights={}, **more))
x_, last_first_ = 2 * ab.numbers(2, 5, 6), lambda model, x: model(x).flip(1)
one_ = ab.case("x (2, 5, 6), rope_base = 100, the last place first", x_, of=small_(),
               ask=last_first_, hint="Nothing is dropped or drawn, in training either")
ab.check("11.3 values", RotaryAttention, [
    parts_(6, 4, 2, d_head=4), parts_(12, 2, 1),
    one_,
    ab.case("no d_head, the usual base", ab.numbers(2, 7, 12), of=ab.module(12, 2, 1)),
    ab.case("x, then other numbers", of=small_(), steps=[("", x_), ("", x_.flip(0))]),
    ab.case("x times 200: no place sees a later one", 200 * x_, of=small_()),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.3 values", RotaryAttention, [one_, *cases], "x -> y",
             like=reference("RotaryAttention"))

def sized(*sizes, batch=2, seq=7, scale=1, within=1e-4, **options):
    x = scale * ab.numbers(batch, seq, sizes[0], seed=113)
    return ab.case(f"RotaryAttention{sizes}, {options}, x {tuple(x.shape)}", x,
                   of=ab.module(*sizes, **options), within=within)

# Property: right for other sizes, batches and lengths [values]
tried(sized(14, 7, 7, batch=3, seq=5), sized(12, 3, 1, batch=1, seq=11),
      sized(10, 5, 5, d_head=6, seq=1), sized(9, 2, 2, d_head=8),
      sized(8, 1, 1, seq=13))
# Property: head h reads key-value head h // (num_heads // num_kv_heads) [groups]
tried(*(sized(10, heads, kv, d_head=4)
        for heads, kv in [(6, 2), (6, 3), (12, 4), (4, 1)]))
# Property: rope_base is the base of the angles [base]
tried(sized(10, 2, 1, d_head=6, seq=40, scale=2), *(
    sized(10, 2, 1, d_head=6, seq=40, scale=2, rope_base=base)
    for base in (10.0, 500.0, 1e6)))
# Property: what comes later changes nothing before it [causal]
tried(*(sized(10, 5, 5, seq=23, scale=scale, within=0.01) for scale in (1, 20, 100)))
# Property: four linear layers without bias, of the right sizes, and nothing else to learn [parts]
tried(parts_(10, 6, 3, d_head=4))
# Property: d_head is d_model // num_heads unless it is given [d-head]
tried(parts_(30, 5, 1), parts_(30, 5, 1, d_head=2), parts_(31, 5, 5))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_norm", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.3, QK-norm: on every head's query and key, before the rotation."""
normed_ = ab.case("with qk_norm, x (2, 5, 6), the last place first", x_,
                  of=small_(qk_norm=True), ask=last_first_)
ab.check("11.3 QK-norm", RotaryAttention, [
    normed_,
    parts_(6, 4, 2, d_head=4, qk_norm=True), parts_(6, 4, 2, d_head=4, qk_norm=False),
    ab.case("in evaluation mode", x_, of=small_(train=False, qk_norm=True)),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.3 QK-norm", RotaryAttention, [normed_, *cases], "x -> y",
             like=reference("RotaryAttention"))

# Property: with QK-norm right for other sizes, also for very large and very small queries [qk-norm]
tried(*(ab.case(f"RotaryAttention{sizes}, x times {size}, training: {train}",
                size * ab.numbers(2, 7, sizes[0], seed=114), within=5e-4,
                of=ab.module(*sizes, d_head=d_head, qk_norm=True, train=train))
        for *sizes, d_head, size in [(14, 7, 1, 4, 1), (12, 3, 3, 6, 50),
                                     (10, 4, 2, 8, 0.01)]
        for train in (True, False)))
# Property: the norms have d_head numbers each, and exist only with qk_norm [qk-norm-parts]
tried(parts_(10, 6, 3, d_head=4, qk_norm=True), parts_(10, 6, 3, d_head=4))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_window", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.3, window: itself and window - 1 places before it."""
def windowed_(window, **options):
    return small_(qk_norm=True, window=window, **options)
def far_in_bfloat16_(attention, x):
    exact = attention(x)[:, 300:]
    half = attention.to(torch.bfloat16)(x.to(torch.bfloat16)).float()[:, 300:]
    return bool((half - exact).std() < 0.1 * exact.std())
near_ = ab.case("window = 3, with qk_norm, the last place first", x_,
                of=windowed_(3), ask=last_first_, hint=one_.hint)
plain_ = ab.case("window = 3", x_, of=windowed_(3))
eye_ = torch.eye(64)             # keys are moved, or each place would see itself alone
wide_ = {"W_q": 3 * eye_, "W_k": eye_.roll(5, 0), "W_v": eye_, "W_o": eye_}
ab.check("11.3 window", RotaryAttention, [
    near_,
    *(ab.case(f"nine places, window = {window}", 2 * ab.numbers(2, 9, 6),
              of=windowed_(window)) for window in (None, 1, 2, 4, 9, 20)),
    plain_.but("in evaluation mode", of=windowed_(3, train=False)),
    *ab.house_rules(plain_, only="views inputs device gradient"),
    *(ab.case(f"{dtype}", x_.to(dtype), of=windowed_(3), look="dtype")
      for dtype in (torch.float64, torch.bfloat16, torch.float16)),
    ab.case("700 places: in bfloat16 within a tenth of what float32 gives",
            ab.numbers(1, 700, 64) / 2, ask=far_in_bfloat16_,
            of=ab.module(64, 1, 1, rope_base=50.0, weights=wide_)),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.3 window", RotaryAttention, [near_, *cases], "x -> y",
             like=reference("RotaryAttention"))

def some(attention, x):
    return attention(x).flip(1)[:, ::40]

def sized(window, seq, train=True, scale=2, **options):
    return ab.case(f"window {window}, {seq} places, {'training' if train else ''}",
                   scale * ab.numbers(2, seq, 12, seed=115), **options,
                   of=ab.module(12, 3, 1, d_head=6, window=window, qk_norm=True,
                                train=train))

# Property: a window of w shows itself and the w - 1 places before it [window]
tried(*(sized(window, seq, train) for train in (True, False)
        for window, seq in [(2, 5), (3, 11), (7, 13), (5, 5), (16, 11)]),
      sized(70, 560, ask=some, within=2e-3))
# Property: with a window of 1 each place sees itself alone [window-one]
tried(sized(1, 5), sized(1, 1), sized(1, 5, scale=20))
# Property: the result has the dtype of the module [dtype]
tried(*(sized(3, 5, look="dtype").but(
            f"{dtype}", args=(ab.numbers(2, 5, 12, dtype=dtype),))
        for dtype in (torch.float64, torch.bfloat16, torch.float16)))
# Property: angles are exact in bfloat16, also far from the start [far-positions]
tried(ab.case("700 places in bfloat16", ab.numbers(1, 700, 64, seed=116) / 2,
              of=ab.module(64, 1, 1, rope_base=70.0, weights=wide_),
              ask=far_in_bfloat16_))
# Property: everything happens on the device of the input [device]
tried(*(ab.case("on another device", ab.numbers(2, 5, 12), look="device",
                of=ab.module(12, 3, 1, qk_norm=qk_norm, window=3))
        for qk_norm in (False, True)))
# Property: gradients reach all parts and the input [gradient]
tried(*ab.house_rules(sized(3, 5), only="gradient"),
      *ab.house_rules(sized(3, 5, False), only="gradient"))
# Property: the input is not modified [inputs-unchanged]
tried(*ab.house_rules(sized(3, 5), only="inputs views"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_cache", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.3, cache: in pieces as at once."""
def in_pieces_(attention, x, cuts):
    cache = []
    outputs = [attention(piece, cache) for piece in x.split(cuts, dim=1)]
    keys, values = cache
    last_first = torch.cat(outputs, dim=1).flip(1)
    return last_first, values.flip(2), f"keys {tuple(keys.shape)}"
def two_texts_(attention, x):
    one, two = [], []
    return [attention(piece, cache) for t in range(3) for piece, cache in (
        (x[:1, t:t + 1], one), (x[1:, 2 * t:2 * t + 2], two))][2:]
def pieces_(cuts, window=None, x=2 * ab.numbers(2, 6, 6)):
    return ab.case(f"pieces of {cuts}, window = {window}", x, cuts, ask=in_pieces_,
                   of=windowed_(window))
ab.check("11.3 cache", RotaryAttention, [
    near_,
    *(pieces_(cuts, window) for window in (None, 2)
      for cuts in ([6], [4, 1, 1], [2, 4], [1] * 6)),
    ab.case("two texts with two caches, in turns", x_[:, [0, 1, 2, 3, 4, 0]],
            of=windowed_(None), ask=two_texts_),
    ab.case("one place, another one, the first again, without a cache", of=windowed_(3),
            steps=[("", x_[:, place:place + 1]) for place in (0, 1, 0)]),
    ab.case("behind 9,000 places", x_[:1], of=windowed_(3), within=0.02,
            ask=lambda f, x: f(x, [torch.zeros(1, 2, 9000, 4) for _ in "kv"])[:, 3:]),
], "x, cuts -> last places first, values, keys")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.3 cache", RotaryAttention, [near_, *cases],
             "x, cuts -> last places first, values, keys",
             like=reference("RotaryAttention"))

def far_in_pieces(attention, x):
    whole = attention(x)[:, 301:].float()
    pieces = in_pieces_(attention, x, [301, 399])[0].flip(1)[:, 301:].float()
    return bool((pieces - whole).std() < 0.1 * whole.std())

def sized(cuts, heads=6, kv=2, seq=11, window=None, **options):
    return ab.case(f"{heads} heads, {kv} key-value heads, pieces of {cuts}, {window}",
                   2 * ab.numbers(3, seq, 12, seed=117), cuts, ask=in_pieces_,
                   of=ab.module(12, heads, kv, d_head=4, qk_norm=True, rope_base=500.0,
                                window=window), **options)

# Property: one token at a time gives the same as all at once [cache-steps]
tried(sized([1] * 11))
# Property: pieces of any length give the same as all at once [cache-pieces]
tried(*(sized(cuts) for cuts in ([3, 5, 3], [1, 10], [10, 1], [7, 1, 1, 2])),
      ab.case("299 places behind 301, in bfloat16: places are counted in float32",
              (ab.numbers(1, 700, 64, seed=122) / 2).bfloat16(), ask=far_in_pieces,
              of=ab.module(64, 1, 1, rope_base=100.0, weights=wide_)))
# Property: with a window, pieces give the same as all at once [cache-window]
tried(*(sized(cuts, window=window) for window, cuts in [
          (1, [3, 5, 3]), (1, [2, 9]), (2, [1] * 11), (2, [2, 9]), (5, [1] * 11),
          (5, [3, 5, 3]), (20, [2, 9])]),
      sized([400, 1, 99], seq=500, window=70, within=2e-3))
# Property: the cache holds keys and values once for each key-value head [cache-size]
tried(*(sized([5, 6], 6, kv) for kv in (1, 2, 6)))
# Property: the list that was handed in is changed, and without a list nothing is kept [cache-in-place]
x = ab.numbers(2, 6, 12, seed=118)
own = ab.module(12, 3, 3, d_head=6, qk_norm=True)
tried(ab.case("without a cache", of=own, steps=[
    ("", part) for part in (x, x, x[:, :1], x[:, 1:2], x[:, :1])]))
# Property: the values stand second in the cache [cache-order]
tried(sized([4, 1, 6], 5, 5))
# Property: two caches of one layer do not mix [cache-own]
tried(ab.case("two texts with two caches", x, of=own, ask=two_texts_))
### END HIDDEN TESTS

# %% [markdown]
# ## 11.5 The decoder, from one configuration
#
# These settings tell one decoder from another:

# %%
@dataclass
class DecoderConfig:
    """Everything that tells one decoder of today from another."""

    vocab_size: int
    d_model: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    d_ff: int
    d_head: int | None = None              # None: d_model // num_heads
    qk_norm: bool = False
    rope_base: float = 10_000.0
    windows: list | tuple | None = None    # for each layer its window or None
    tied: bool = True
    second_norm: bool = False
    eps: float = 1e-6
    local_rope_base: float | None = None   # where there is a window; None: rope_base

# %% [markdown]
# <!-- interactive page -->
# On the page, switch one part after the other: which changes the loss of the stored runs, and which only the memory?

# %% [markdown]
# ### Exercise 11.4 · The decoder · 3 points · about 22 minutes
#
# Complete `Decoder(config)`, with a class for its block. A block is pre-norm:
# $x + \mathtt{attention}(\mathtt{norm1}(x))$, then $x + \mathtt{feed\_forward}(\mathtt{norm2}(x))$. One point each:
#
# - **Logits.** `forward(ids)` takes `(batch, seq)` and returns logits `(batch, seq, vocab_size)` <!-- asks: values -->. `d_head`, `num_kv_heads`, `qk_norm`, `rope_base` go to every layer <!-- asks: settings -->.
# - **Layers.** `config.windows` holds the window of each layer or `None` <!-- asks: windows -->. With `config.second_norm` each block has `post_norm1` and `post_norm2` too, on what attention and the feed-forward network return,
#   *before* it is added <!-- asks: second-norm -->.
# - **One table, or two, and caches.** With `config.tied` the head's weight *is* the table, the same parameter <!-- asks: tied -->.
#   `forward(ids, caches)` takes a list with one list for each layer; texts in pieces give the same logits as at once <!-- asks: caches -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# - *Parts.* `token_embedding` (`nn.Embedding`), `blocks` (an `nn.ModuleList`; each with `norm1`, `attention`, `norm2`, `feed_forward`), `norm`, and
# `head` (`nn.Linear` without bias) <!-- asks: names -->. At first norms are ones and matrices random, each drawn independently <!-- asks: start -->. There is no table of positions. All norms have `config.eps`
#   (QK-norm keeps its own) <!-- asks: eps -->. Gradients reach every parameter <!-- asks: gradient -->,
#   and everything happens on the device of `ids` <!-- asks: device -->.
# - *Layers.* Without `windows`, a list or tuple, no layer has one. A layer *with* a window has the base
#   `config.local_rope_base`, where that is given <!-- asks: local-base -->.
# - *Tables and caches.* The tie outlasts a training step; untied, the head has its own weight. `caches` is `[[], [], …]` at first.
#
# </details>
# <details><summary>Hint 1</summary>Your GPT of chapter 8 with another block. Which settings differ from layer to layer?</details>
# <details><summary>Hint 2</summary>zip(self.blocks, caches) where there are caches; what stands in place of caches where there are none?</details>
# <details><summary>Hint 3</summary>Tied: two modules, one object in their attribute weight.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_decoder", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Block(nn.Module):
    """One layer: (batch, seq, d_model) -> the same.

    window: None, or how many places it sees.
    """

    def __init__(self, config, window=None):
        super().__init__()
        ### BEGIN SOLUTION
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(
            config.d_model, config.num_heads, config.num_kv_heads, config.d_head,
            config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.post_norm1 = self.post_norm2 = nn.Identity()
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)
        ### END SOLUTION

    def forward(self, x, cache=None):
        ### BEGIN SOLUTION
        x = x + self.post_norm1(self.attention(self.norm1(x), cache))
        return x + self.post_norm2(self.feed_forward(self.norm2(x)))
        ### END SOLUTION


class Decoder(nn.Module):
    """A decoder of today: token ids in, logits for the next token at each place out."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, window) for window in windows)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight
        ### END SOLUTION

    def forward(self, ids, caches=None):    # (batch, seq) -> (batch, seq, vocab_size)
        ### BEGIN SOLUTION
        x = self.token_embedding(ids)
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks)):
            x = block(x, cache)
        return self.head(self.norm(x))
        ### END SOLUTION

# %% tags=["uses-exercise"]
small = DecoderConfig(vocab_size=11, d_model=8, num_layers=2, num_heads=4,
                      num_kv_heads=2, d_ff=16)
ids, caches = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]]), [[], []]

def in_pieces():
    model = Decoder(small)
    pieces = [model(ids[:, :3], caches), model(ids[:, 3:], caches)]
    return (torch.cat(pieces, dim=1) - model(ids)).abs().max()

ab.beside((2, 4, 11), lambda: tuple(Decoder(small)(ids).shape))
ab.beside(0.0, in_pieces)                # in two pieces as at once
ab.beside(1280, lambda: sum(p.numel() for p in Decoder(small).parameters()))

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.4, logits: two layers, all settings but those of single layers."""
def names_(kind, config):
    return [f"{name} {tuple(p.shape)}" for name, p in sorted(kind(config).blocks[
        0].named_parameters())]
def start_(kind, config):
    found = [p.detach() for _ in "ab" for name, p in kind(config).named_parameters()
             if name != "head.weight"]
    ones = all(bool((p == 1).all()) for p in found if p.dim() == 1)
    found = [p for p in found if p.dim() > 1]
    drawn = all(len(p.unique()) > p.numel() / 2 for p in found)
    anew = not any(torch.equal(p, q) for n, p in enumerate(found) for q in found[:n])
    return f"norms of ones: {ones}; matrices random: {drawn}, each for itself: {anew}"
config_ = DecoderConfig(11, 8, num_layers=2, num_heads=4, num_kv_heads=2, d_ff=12,
                        d_head=6, qk_norm=True, rope_base=50.0, eps=0.1)
ids_ = torch.tensor([[3, 1, 4, 1, 5, 9], [0, 2, 6, 5, 3, 0]])
last_first_ = lambda model, ids: model(ids).flip(1)
one_ = ab.case("two layers, with QK-norm, the last place first", ids_,
               of=ab.module(config_), ask=last_first_,
               hint="Nothing is drawn, and an nn.ModuleList shows PyTorch the blocks")
ab.check("11.4 logits", Decoder, [
    one_,
    ab.case("the names and shapes in a block", config_, ask=names_),
    ab.case("a new model", config_, ask=start_),
    *(ab.case(f"the {look}", ids_, of=ab.module(config_), look=look)
      for look in ("gradient", "device")),
], "ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.4 logits", Decoder, [one_, *cases], "ids -> logits",
             like=reference("Decoder"))

def sized(*sizes, batch=2, seq=7, look="values", **more):
    config = DecoderConfig(*sizes, **more)
    ids = (8 * ab.numbers(batch, seq, seed=118)).long() % sizes[0]
    return ab.case(f"{config}, ids {(batch, seq)}", ids, look=look,
                   of=ab.module(config))

# Property: the logits are right for other sizes, batches and lengths [values]
tried(sized(23, 12, 3, 3, 1, 20), sized(17, 8, 1, 2, 2, 5, batch=1, seq=13),
      sized(7, 10, 2, 5, 5, 11, batch=3, seq=1),
      ab.case("in float64", ids_, look="values dtype",
              of=ab.module(config_, dtype=torch.float64)))
# Property: d_head, num_kv_heads, qk_norm and rope_base reach every layer [settings]
tried(*(sized(19, 12, 3, 6, 2, 20, seq=11, **more) for more in [
    {"d_head": 4}, {"qk_norm": True}, {"d_head": 4, "rope_base": 7.0},
    {"d_head": 6, "qk_norm": True, "rope_base": 5e5}]))
# Property: all norms have the eps of config [eps]
tried(*(sized(19, 12, 2, 3, 3, 20, eps=eps) for eps in (1e-5, 0.5)))
# Property: parts have the names of the exercise [names]
tried(ab.case("one layer", DecoderConfig(19, 12, 1, 3, 3, 20), ask=names_))
# Property: in a new model all norms are ones and all matrices random, each for itself [start]
tried(ab.case("with QK-norm", DecoderConfig(19, 12, 2, 6, 2, 20, qk_norm=True),
              ask=start_))
# Property: gradients reach every parameter [gradient]
tried(sized(19, 12, 2, 3, 1, 20, qk_norm=True, look="gradient"),
      sized(19, 12, 2, 3, 1, 20, look="gradient"))
# Property: everything happens on the device of the input [device]
tried(ab.case("on another device", torch.arange(10).view(2, 5), look="device",
              of=ab.module(DecoderConfig(19, 12, 2, 3, 1, 20))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check_layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.4, layers: windows, their base, the second norm."""
layers_ = replace(config_, num_layers=3, windows=[2, None, 3], local_rope_base=5.0,
                  second_norm=True)
full_ = ab.case("windows, a local base and second norms, the last place first", ids_,
                of=ab.module(layers_), ask=last_first_, hint=one_.hint)
def with_(config=layers_, **settings):
    return ab.case(", ".join(f"{name}={value}" for name, value in settings.items()),
                   ids_, of=ab.module(replace(config, **settings)))
ab.check("11.4 layers", Decoder, [
    full_,
    ab.case("the names and shapes in a block", layers_, ask=names_),
    *(with_(local_rope_base=None, second_norm=False, windows=windows)
      for windows in ([2, None, 3], (2, None, 3), [None, 2, None], None)),
    with_(second_norm=False), with_(second_norm=False, windows=[None, 2, None]),
], "ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.4 layers", Decoder, [full_, *cases], "ids -> logits",
             like=reference("Decoder"))

def sized(layers=2, **more):
    config = DecoderConfig(19, 12, layers, 6, 2, 20, **more)
    return ab.case(f"{config}", (8 * ab.numbers(2, 13, seed=119)).long() % 19,
                   of=ab.module(config))

# Property: every layer has the window of its place in config.windows [windows]
tried(*(sized(windows=windows, qk_norm=True) for windows in (
    [5, None], [None, 5], [1, 9], (12, 2), [None, None], None)))
# Property: layers with a window turn with local_rope_base, the others with rope_base [local-base]
tried(*(sized(3, d_head=4, rope_base=400.0, local_rope_base=9.0, windows=windows,
              qk_norm=True) for windows in ([5, None, 3], [None, 2, None])))
# Property: the second norms stand on what is added, and exist only where asked [second-norm]
tried(*(sized(second_norm=True, qk_norm=qk_norm, eps=eps)
        for qk_norm in (False, True) for eps in (1e-6, 0.01)),
      *(ab.case(f"second_norm={second}", DecoderConfig(
          19, 12, 2, 6, 2, 20, second_norm=second), ask=names_)
        for second in (True, False)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check_table", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.4, one table or two, and caches."""
def in_pieces_(model, ids, cuts):
    caches = [[] for _ in model.blocks]
    logits = [model(piece, caches) for piece in ids.split(cuts, dim=1)]
    shapes = [[tuple(part.shape) for part in cache] for cache in caches]
    return torch.cat(logits, dim=1).flip(1), f"caches {shapes}"
def pieces_(*cuts, ids=ids_, config=layers_):
    return ab.case(f"pieces of {cuts}", ids, cuts, of=ab.module(config),
                   ask=in_pieces_)
ab.check("11.4 table and caches", Decoder, [
    full_,
    *(ab.case(f"a new model, tied={tied}", look="parameters", of=ab.module(
        DecoderConfig(11, 8, 2, 1, 1, 4, windows=[2, 3], second_norm=True, tied=tied),
        weights={})) for tied in (True, False)),
    pieces_(6), pieces_(4, 1, 1), pieces_(2, 4),
    full_.but("one token, another one, the first again, without caches", ask=None,
              steps=[("", ids_[:, place:place + 1]) for place in (0, 2, 0)]),
], "ids, cuts -> logits, caches")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.4 table and caches", Decoder, [full_, *cases],
             "ids, cuts -> logits, caches", like=reference("Decoder"))

def sized(**more):
    return DecoderConfig(19, 12, 3, 6, 2, 20, **{
        "qk_norm": True, "second_norm": True, "windows": [None, 8, 2],
        "local_rope_base": 30.0, **more})

def trained(model, ids):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model(ids).square().sum().backward()
    optimizer.step()
    return bool(torch.equal(model.head.weight, model.token_embedding.weight))

ids = (8 * ab.numbers(2, 13, seed=120)).long() % 19
# Property: tied means one parameter, also after a step of training; untied means two [tied]
for tied in (True, False):
    of = ab.module(sized(tied=tied))
    tried(ab.case(f"tied={tied}", ids, of=of),
          ab.case(f"tied={tied}: head and table are equal after a step of training",
                  ids, of=of, ask=trained))
# Property: in pieces of any length the logits are those of the whole text [caches]
tried(*(pieces_(*cuts, ids=ids, config=config)
        for config in (sized(), sized(windows=(3, None, 1), local_rope_base=None))
        for cuts in ([1, 5, 1, 1, 4, 1], [12, 1])),
      ab.case("one token, another one, the first again", of=ab.module(sized()),
              steps=[("", ids[:, place:place + 1]) for place in (0, 1, 0)]))
### END HIDDEN TESTS

# %% [markdown]
# Now your decoder against the GPT: 100 steps on the same batches, about equal parameters, one seed.
#
# **Predict, then run.** By how much will your decoder's loss on new text be lower (a negative number if you think it will be higher)?

# %% tags=["show"]
guess_gain = None          # type a number, then run the next cell

# %% tags=["show", "uses-exercise"]
# @title A decoder that starts as the GPT of chapter 9 does
def fresh_decoder(config, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Decoder(config)
        std = 0.02 * math.sqrt(768 / config.d_model)
        with torch.no_grad():
            for name, p in model.named_parameters():
                last = name.endswith(("W_o.weight", "down.weight"))
                if p.dim() > 1:
                    p.normal_(std=std / math.sqrt(2 * config.num_layers) ** last)
    return model.to(device)

# %% tags=["show", "uses-exercise", "tolerance-0.15"]
today = DecoderConfig(vocab_size=96, d_model=64, num_layers=2, num_heads=4,
                      num_kv_heads=2, d_ff=206, qk_norm=True)
decoder = fresh_decoder(today, seed=1)
train(decoder, text_batches(1), steps=100)
prices = {}
for name, model in [("GPT", gpt), ("decoder", decoder)]:
    prices[name] = held_out_loss(model.eval(), test_windows)
    size = sum(p.numel() for p in model.parameters())
    print(f"{name:8} {size:8,d} parameters   loss on new text {prices[name]:.2f}")
check_guess("gain of the decoder after 100 steps", guess_gain,
            round(prices["GPT"] - prices["decoder"], 2))

# %% [markdown]
# One seed proves little; the evidence is the five seeds of 11.1.
#
# ## 11.6 Somebody else's weights
#
# The names in a checkpoint of Llama or Qwen 3, and yours:
#
# | theirs (`model.layers.0.` in front) | yours (`blocks.0.` in front) |
# | --- | --- |
# | `input_layernorm`, `post_attention_layernorm` | `norm1`, `norm2` |
# | `self_attn.q_proj`, `k_proj`, `v_proj`, `o_proj` | `attention.W_q`, `W_k`, `W_v`, `W_o` |
# | `self_attn.q_norm`, `k_norm` (Qwen 3) | `attention.q_norm`, `k_norm` |
# | `mlp.gate_proj`, `up_proj`, `down_proj` | `feed_forward.gate`, `up`, `down` |
#
# Outside the layers `model.embed_tokens`, `model.norm`, `lm_head` correspond to `token_embedding`, `norm`, `head`. Each name ends in `.weight`. Nothing is transposed or permuted.

# %% [markdown]
# ### Exercise 11.5 · Load Llama and Qwen 3 · 3 points · about 28 minutes
#
# Fill a `Decoder` with the `state_dict` of a `transformers` `LlamaForCausalLM` or `Qwen3ForCausalLM`, in place, and return it. Check everything first, then copy.
#
# - **Numbers, 2 points.** Every parameter gets the numbers that the table above names <!-- asks: values, twice -->. If the model is tied, `lm_head.weight` may be missing; if not,
#   it fills the head <!-- asks: heads -->. Model and `state_dict` share no memory <!-- asks: memory -->.
# - **Nothing missing, nothing left, 1 point.** A `ValueError` (or `KeyError`) contains *their* name of the tensor that is missing <!-- asks: missing -->, that is left because no
#   parameter takes it <!-- asks: left -->, or whose shape does not fit <!-- asks: shapes -->. Whatever is refused leaves the model as it was <!-- asks: unchanged -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The `state_dict` stays as it is, also when the model is trained further. The model keeps its dtype, mode
# and tie, and all parameters can still be trained <!-- asks: state -->. What is left may be a bias, a layer or a norm. The error about a shape contains both shapes. A tied model refuses an
# `lm_head.weight` whose numbers differ from the table's <!-- asks: false-tie -->. (Without QK-norm there may be no `q_norm`, or one that is `None`: ask `named_parameters()`.)
# </details>
# <details><summary>Hint 1</summary>Build one dictionary first: their name on the left, your parameter on the right.</details>
# <details><summary>Hint 2</summary>The model knows what it has: which entries exist only if a block's attention has a q_norm, or the head its own weight?</details>
# <details><summary>Hint 3</summary>copy_ takes a (1,) tensor for a (8,) parameter without a word: compare the shapes yourself.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_load_llama", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_llama(model, state_dict):
    """Fill a Decoder with the weights of a transformers Llama or Qwen 3, in place.

    state_dict: name -> tensor. Returns the model. Raises ValueError, and changes
    nothing, where a name is missing or left over or a shape does not fit.
    """
    ### BEGIN SOLUTION
    wanted = {"model.embed_tokens.weight": model.token_embedding.weight,
              "model.norm.weight": model.norm.weight}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        wanted["lm_head.weight"] = model.head.weight
    parts = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2",
             **{f"self_attn.{x}_proj": f"attention.W_{x}" for x in "qkvo"},
             **{f"self_attn.{x}_norm": f"attention.{x}_norm" for x in "qk"},
             **{f"mlp.{x}_proj": f"feed_forward.{x}" for x in ("gate", "up", "down")}}
    for i, block in enumerate(model.blocks):
        mine = dict(block.named_parameters())
        wanted |= {f"model.layers.{i}.{theirs}.weight": mine[f"{ours}.weight"]
                   for theirs, ours in parts.items() if f"{ours}.weight" in mine}

    missing = sorted(wanted.keys() - state_dict.keys())
    if missing:
        raise ValueError(f"{len(missing)} tensors are missing: {', '.join(missing)}")
    spare = {"lm_head.weight"} if tied else set()
    left = sorted(state_dict.keys() - wanted.keys() - spare)
    if left:
        raise ValueError(f"no place in this model for: {', '.join(left)}")
    for name, parameter in wanted.items():
        if state_dict[name].shape != parameter.shape:
            raise ValueError(f"{name}: expected the shape {tuple(parameter.shape)}, "
                             f"got {tuple(state_dict[name].shape)}")
    table = state_dict["model.embed_tokens.weight"]
    if tied and not torch.equal(state_dict.get("lm_head.weight", table), table):
        raise ValueError("the model is tied, and lm_head.weight is not the table, "
                         "model.embed_tokens.weight")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(state_dict[name])
    return model
    ### END SOLUTION

# %% tags=["uses-exercise"]
# @title A small Llama, whose tensor n holds the number n alone
def plain_names(layers, d=8, kv=4, d_ff=16, vocab=11):
    shapes = {"embed_tokens": (vocab, d), "norm": (d,)}
    for i in range(layers):
        shapes |= {f"layers.{i}.{part}": shape for part, shape in {
            "self_attn.q_proj": (d, d), "self_attn.k_proj": (kv, d),
            "self_attn.v_proj": (kv, d), "self_attn.o_proj": (d, d),
            "mlp.gate_proj": (d_ff, d), "mlp.up_proj": (d_ff, d),
            "mlp.down_proj": (d, d_ff), "input_layernorm": (d,),
            "post_attention_layernorm": (d,)}.items()}
    return {f"model.{name}.weight": torch.full(shape, float(n))
            for n, (name, shape) in enumerate(shapes.items())}

model = load_llama(Decoder(replace(small, num_layers=1)), plain_names(1))
print({name: p.flatten()[0].item() for name, p in model.named_parameters()})

# %% nbgrader={"grade": true, "grade_id": "ch11_load_llama_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.5, numbers: their numbers say where they stood."""
def checkpoint_(config, first=1):
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    heads, kv, wide = config.num_heads * D, config.num_kv_heads * D, config.d_ff
    shapes = {"model.embed_tokens": (config.vocab_size, d), "model.norm": (d,)}
    for i in range(config.num_layers):
        shapes |= {f"model.layers.{i}.{part}": shape for part, shape in {
            "input_layernorm": (d,), "post_attention_layernorm": (d,),
            "self_attn.q_proj": (heads, d), "self_attn.k_proj": (kv, d),
            "self_attn.v_proj": (kv, d), "self_attn.o_proj": (d, heads),
            **{f"self_attn.{x}_norm": (D,) for x in "qk" if config.qk_norm},
            "mlp.gate_proj": (wide, d), "mlp.up_proj": (wide, d),
            "mlp.down_proj": (d, wide)}.items()}
    shapes |= {} if config.tied else {"lm_head": (config.vocab_size, d)}
    return {f"{name}.weight": 10000. * n + torch.arange(math.prod(shape)).view(shape)
            for n, (name, shape) in enumerate(shapes.items(), first)}
def loaded_(pair, config, *checkpoints, dtype=torch.float32, train=True):
    model = pair[1](config).to(dtype).train(train)
    for weights in checkpoints:
        given = {name: value.clone() for name, value in weights.items()}
        back = pair[0](model, given)
    held = {**dict(model.named_parameters()), "head.weight": model.head.weight,
            "token_embedding.weight": model.token_embedding.weight}
    flat = {name: p.detach().double().flatten() for name, p in sorted(held.items())}
    with torch.no_grad():
        model.norm.weight.add_(1.0)               # a step of training does such things
    same = given.keys() == weights.keys() and all(
        torch.equal(value, weights[name]) for name, value in given.items())
    return [
        *(f"{name}: {p[0]:.0f} and so on, in order: {bool((p.diff() == 1).all())}"
          if p[0] > 5000 else f"{name} is not loaded" for name, p in flat.items()),
        f"returns the model: {isinstance(getattr(back, 'head', None), nn.Linear)}",
        f"state_dict is as it was: {same}", f"training: {model.training}",
        f"head is the table: {model.head.weight is model.token_embedding.weight}",
        f"dtype, and learning: { {(p.dtype, p.requires_grad) for p in held.values()} }"]
qwen_ = DecoderConfig(11, 8, 2, 4, 2, 8, d_head=4, qk_norm=True, tied=False)
llama_ = replace(qwen_, tied=True, qk_norm=False)
codes_, tied_ = checkpoint_(qwen_), checkpoint_(llama_)
ab.check("11.5 numbers", (load_llama, Decoder), [
    ab.case("Qwen 3, untied", qwen_, codes_, ask=loaded_),
    ab.case("Llama, tied, in float64", llama_, tied_, dtype=torch.float64, ask=loaded_),
    ab.case("the same with an lm_head.weight, the table", llama_, tied_ | {
        "lm_head.weight": tied_["model.embed_tokens.weight"]}, ask=loaded_),
    ab.case("from bfloat16, in evaluation", qwen_, {
        n: one.bfloat16() for n, one in codes_.items()}, train=False, ask=loaded_),
    ab.case("two in turn", qwen_, codes_, checkpoint_(qwen_, 2), ask=loaded_),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.5 numbers", (load_llama, Decoder), cases,
             like=reference("load_llama", "Decoder"))

def sized(config, *first, cast=torch.float32, **options):
    weights = {name: value.to(cast) for name, value in checkpoint_(config).items()}
    return ab.case(f"{config}, {cast}, {options}", config,
                   *(checkpoint_(config, n) for n in first), weights, ask=loaded_,
                   **options)

def ours(name):
    """What their name is called in a Decoder."""
    for theirs, mine in [
            ("model.layers", "blocks"), ("model.embed_tokens", "token_embedding"),
            ("model.norm", "norm"), ("lm_head", "head"), ("input_layernorm", "norm1"),
            ("post_attention_layernorm", "norm2"), ("mlp", "feed_forward"),
            *((f"self_attn.{x}_proj", f"attention.W_{x}") for x in "qkvo"),
            ("self_attn", "attention"), ("_proj", "")]:
        name = name.replace(theirs, mine)
    return name

def learns_alone(pair, config):
    load, decoder = pair
    source, model = decoder(config).requires_grad_(False), decoder(config)
    named = {**dict(source.named_parameters()), "head.weight": source.head.weight,
             "token_embedding.weight": source.token_embedding.weight}
    load(model, {name: named[ours(name)] for name in checkpoint_(config)})
    before = [p.clone() for p in source.parameters()]
    with torch.no_grad():
        for p in model.parameters():
            p.add_(1.0)
        source(torch.zeros(1, 1).long())
    same = all(map(torch.equal, source.parameters(), before))
    return "state_dict stays as it is" if same else (
        "the model learned on after loading, and the tensors of state_dict changed "
        "with it: copy the numbers, share no memory")

def whole(**parts):
    """A module of these parts: a decoder's skeleton, which nobody has to call."""
    module = nn.Module()
    for name, one in parts.items():
        setattr(module, name, one)
    return module

def bare(pair, *none):
    config = DecoderConfig(13, 12, 2, 3, 1, 20, tied=False)
    made = {ours(name).removesuffix(".weight"): whole(weight=nn.Parameter(0 * value))
            for name, value in checkpoint_(config).items()}
    blocks = [whole(norm1=made[f"blocks.{i}.norm1"], norm2=made[f"blocks.{i}.norm2"],
                    attention=whole(**{f"W_{x}": made[f"blocks.{i}.attention.W_{x}"]
                                       for x in "qkvo"}, **dict.fromkeys(none)),
                    feed_forward=whole(**{x: made[f"blocks.{i}.feed_forward.{x}"]
                                          for x in ("gate", "up", "down")}))
              for i in (0, 1)]
    model = whole(blocks=nn.ModuleList(blocks), **{
        name: made[name] for name in ("token_embedding", "norm", "head")})
    pair[0](model, checkpoint_(config))
    return blocks[1].attention.W_o.weight.detach()

# Property: every parameter holds the tensor that belongs there, Llama and Qwen 3, at other sizes [values]
deep = DecoderConfig(19, 14, 11, 7, 7, 9, qk_norm=True)
tried(sized(DecoderConfig(23, 12, 3, 3, 1, 20)),
      sized(DecoderConfig(17, 8, 1, 2, 2, 5, d_head=6, qk_norm=True)), sized(deep),
      *(ab.case(f"an attention without QK-norm, in which {none or 'no norm'} is None",
                *none, ask=bare) for none in [("q_norm", "k_norm"), ()]))
# Property: loading a second time replaces the first [twice]
tried(sized(deep, 3))
# Property: the model shares no memory with the checkpoint [memory]
tried(*(ab.case(f"the model learns on, tied={tied}: what it was loaded from stays",
                replace(deep, tied=tied), ask=learns_alone) for tied in (True, False)))
# Property: an untied head gets lm_head.weight, a tied one needs none [heads]
tried(sized(DecoderConfig(23, 12, 2, 3, 1, 20, tied=False)))
# Property: mode, dtype, gradients and tie stay as they were [state]
tried(*(sized(DecoderConfig(13, 12, 2, 3, 1, 20, tied=tied, qk_norm=True), train=train,
              dtype=dtype, cast=cast)
        for train, tied in [(True, True), (False, True), (True, False)]
        for dtype, cast in [(torch.bfloat16, torch.float32),
                            (torch.float32, torch.bfloat16)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_load_llama_check_refused", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.5, refused: nothing missing, nothing left, every shape checked."""
def refusals_(pair, config, *tried, dtype=torch.float32):
    model, told = pair[1](config).eval().to(dtype), []
    for weights, *words in tried:
        before = [p.detach().clone() for p in model.parameters()]
        try:
            pair[0](model, dict(weights))
            told.append("taken")
        except (ValueError, KeyError) as error:
            silent = [word for word in words if str(word) not in str(error)]
            same = all(map(torch.equal, model.parameters(), before))
            told.append(f"refused, not named: {silent}, model unchanged: {same}")
    return told
good_ = {name: torch.ones_like(value) for name, value in tied_.items()}
def other_(name, *shape, value=1., config=llama_, **options):
    kept = {other: one for other, one in good_.items() if other != name}
    kept |= {name: torch.full(shape, value)} if shape else {}
    return ab.case(f"{name} is {shape or 'missing'}, of {value}", config, (kept, name),
                   ask=refusals_, **options)
one_off_ = {**good_, "lm_head.weight": 1 - F.pad(torch.ones(1, 1), (7, 0, 10, 0))}
ab.check("11.5 refused", (load_llama, Decoder), [
    other_("model.layers.1.mlp.up_proj.weight"),
    other_("lm_head.weight", config=replace(llama_, tied=False)),
    *(other_(*tensor) for tensor in [
        ("model.layers.0.self_attn.q_proj.bias", 16),
        ("model.layers.0.self_attn.rotary_emb.inv_freq", 1), ("model.norm.weight", 1),
        ("model.layers.1.self_attn.q_proj.weight", 8, 16), ("lm_head.weight", 11, 7)]),
    ab.case("lm_head.weight is the table but for one number", llama_,
            (one_off_, "lm_head.weight"), ask=refusals_),
    other_("lm_head.weight", 11, 8, value=1 + 5e-6),
    other_("lm_head.weight", 11, 8, value=1 + 5e-4, dtype=torch.bfloat16),
])
### BEGIN HIDDEN TESTS
def refused(words, *several, **settings):
    ab.check("11.5 refused", (load_llama, Decoder),
             [ab.case(words, replace(llama_, **settings), *several, ask=refusals_)],
             like=reference("load_llama", "Decoder"))

normed = {**good_, **{f"model.layers.{i}.self_attn.{x}_norm.weight": torch.ones(4)
                      for i in (0, 1) for x in "qk"}}
def without(weights, name):
    return {other: value for other, value in weights.items() if other != name}, name

# Property: every missing tensor is refused by name [missing]
refused("each tensor is missing once", *(without(good_, name) for name in good_))
refused("an untied head is missing", (good_, "lm_head.weight"), tied=False)
refused("a norm of QK-norm is missing", *(without(normed, name) for name in normed
                                          if "_norm" in name), qk_norm=True)
# Property: every tensor that no parameter takes is refused by name [left]
refused("left over", *(({**good_, name: torch.ones(shape)}, name) for name, shape in [
    ("model.layers.0.self_attn.q_norm.weight", 4),
    ("model.layers.5.mlp.up_proj.weight", (8, 8)), ("strange", 1),
    ("model.layers.1.mlp.down_proj.bias", 8)]))
# Property: every shape is checked, and the message holds both [shapes]
refused("another shape", *(
    ({**good_, name: wrong}, name, *wrong.shape, *value.shape)
    for name, value in good_.items()
    for wrong in (torch.ones(*value.shape, 1), value[:1],
                  torch.ones(23, *value.shape[1:]))))
# Property: a tied model refuses a head that is not the table [false-tie]
table = 1 + ab.numbers(11, 8, seed=121)
almost = table.clone()
almost[10, 7] += 0.5
with_table = {**good_, "model.embed_tokens.weight": table}
refused("the head is not the table", *(
    ({**with_table, "lm_head.weight": head}, "lm_head.weight")
    for head in (table + 0.5, almost, table * (1 + 5e-6), table[:, :7])))
refused("the head is the table", ({**with_table, "lm_head.weight": table.clone()},))
# Property: what is refused leaves the model unchanged, whatever comes last [unchanged]
refused("the last shape is wrong", ({**good_, "lm_head.weight": torch.ones(11, 9)},
                                    "lm_head.weight"), tied=False)
refused("a bias is left", ({**good_, "zzz.bias": torch.ones(1)}, "zzz.bias"))
### END HIDDEN TESTS

# %% [markdown]
# **The proof.** `load_llama` puts the random weights of small `transformers` models into yours. We compare the logits, at once and in pieces through the cache, and 20 tokens that both write greedily.

# %% tags=["show", "uses-exercise"]
# @title Random weights, greedy texts, and two models compared
from transformers import (Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig,
                          LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM)
def shaken(model, seed=11):
    """Random numbers on everything, so that no norm is as it started."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.1 * torch.randn(p.shape, generator=generator))
    return model.eval()

@torch.no_grad()
def greedy(model, ids, n):
    """n tokens more, one at a time, through the cache: quicker on the CPU."""
    caches, new = [[] for _ in model.blocks], ids
    for _ in range(n):
        new = model(new, caches)[:, -1:].argmax(-1)
        ids = torch.cat([ids, new], dim=1)
    return ids

@torch.no_grad()
def compared(mine, theirs, ids):
    """Largest differences of the logits, at once and in pieces; other greedy tokens."""
    expected, caches = theirs(ids).logits, [[] for _ in mine.blocks]
    pieces = torch.cat([mine(x, caches) for x in ids.tensor_split([-6, -5], 1)], 1)
    text = theirs.generate(ids, max_new_tokens=20, do_sample=False, pad_token_id=0,
                           eos_token_id=None)
    gaps = [(logits - expected).abs().max().item() for logits in (mine(ids), pieces)]
    told = ["at most 1e-4" if gap <= 1e-4 else f"{gap:.4f}" for gap in gaps]
    differ = (greedy(mine, ids, 20) != text).sum().item()
    return (f"logits of size {expected.std():.1f}, differences {told[0]}, cached "
            f"{told[1]}; other tokens {differ} of {20 * len(ids)}")

# %% tags=["show", "uses-exercise"]
# @title Llama and Qwen 3 in your decoder
common = {"vocab_size": 97, "hidden_size": 48, "intermediate_size": 80,
          "num_hidden_layers": 3, "num_attention_heads": 6, "num_key_value_heads": 2,
          "max_position_embeddings": 512, "bos_token_id": None, "eos_token_id": None,
          "pad_token_id": 0}
numbers = torch.randint(1, 97, (2, 40), generator=torch.Generator().manual_seed(6))
mine = DecoderConfig(97, 48, 3, 6, 2, 80)
llama = shaken(LlamaForCausalLM(LlamaConfig(**common, tie_word_embeddings=False)))
untied = load_llama(Decoder(replace(mine, tied=False)), llama.state_dict())
print("Llama  ", compared(untied, llama, numbers))
qwen = shaken(Qwen3ForCausalLM(Qwen3Config(
    **common, head_dim=16, tie_word_embeddings=True,
    rope_parameters={"rope_type": "default", "rope_theta": 1e6})))
like_qwen = Decoder(replace(mine, d_head=16, qk_norm=True, rope_base=1e6))
print("Qwen 3 ", compared(load_llama(like_qwen, qwen.state_dict()), qwen, numbers))

# %% [markdown]
# Gemma 3 has four norms in a block. For each global layer it has five local ones (here two) with their own base. Your configuration has fields for both. Its norms multiply by $1 + \mathtt{weight}$, its token vectors are multiplied by $\sqrt{d_\mathrm{model}}$: we move both into the weights. Its gate has GELU; we ask the library for silu instead. The last line is the control: windows of 6 in place of 5.

# %% tags=["show", "uses-exercise"]
# @title Gemma 3's pattern of layers in your decoder, and a wrong one
gemma = shaken(Gemma3ForCausalLM(Gemma3TextConfig(
    **common, head_dim=16, query_pre_attn_scalar=16, hidden_activation="silu",
    tie_word_embeddings=False, sliding_window=5,
    layer_types=["sliding_attention", "sliding_attention", "full_attention"])))

def as_mine(state_dict, d_model):
    """Gemma's numbers under the names of our own decoder."""
    names = {
        "input_layernorm": "norm1", "post_attention_layernorm": "post_norm1",
        "pre_feedforward_layernorm": "norm2",
        "post_feedforward_layernorm": "post_norm2",
        "self_attn": "attention", **{f"{x}_proj": f"W_{x}" for x in "qkvo"},
        "mlp": "feed_forward", **{f"{x}_proj": x for x in ("gate", "up", "down")},
        "layers": "blocks", "embed_tokens": "token_embedding", "lm_head": "head"}
    found = {}
    for name, value in state_dict.items():
        parts = name.removeprefix("model.").split(".")
        ours = ".".join(names.get(part, part) for part in parts)
        value = value + 1 if "norm" in ours else value
        found[ours] = value * math.sqrt(d_model) if "token" in ours else value
    return found

pattern = replace(mine, d_head=16, qk_norm=True, second_norm=True, tied=False,
                  windows=[5, 5, None], rope_base=1e6, local_rope_base=1e4)
local = Decoder(pattern)
local.load_state_dict(as_mine(gemma.state_dict(), 48))
wrong = Decoder(replace(pattern, windows=[6, 6, None]))
wrong.load_state_dict(local.state_dict())
print("Gemma 3 ", compared(local, gemma, numbers))
print("one too wide ", compared(wrong, gemma, numbers))

# %% [markdown]
# Random weights could hide a mistake that only shows where some scores are large. So we repeat the comparison with trained weights: `ch11_manual.safetensors`, in the format of Qwen 3, trained on Python's manual
# (`source/ch11_today/make_manual.py`).

# %% tags=["show", "uses-exercise"]
# @title The checkpoint, its settings as a DecoderConfig, its alphabet
from safetensors.torch import load as load_safetensors
content = ab.shipped("ch11_manual.safetensors").read_bytes()
length = int.from_bytes(content[:8], "little")
header = json.loads(content[8:8 + length])["__metadata__"]
settings, letters = json.loads(header["config"]), header["alphabet"]
weights = {name: value.float() for name, value in load_safetensors(content).items()}

def config_of(settings, qk_norm=True):
    """A DecoderConfig from a checkpoint's settings: Qwen 3 has QK-norm, Llama not."""
    base = settings.get("rope_theta") or settings["rope_parameters"]["rope_theta"]
    return DecoderConfig(
        settings["vocab_size"], settings["hidden_size"], settings["num_hidden_layers"],
        settings["num_attention_heads"], settings["num_key_value_heads"],
        settings["intermediate_size"], settings.get("head_dim"), qk_norm, base,
        tied=settings["tie_word_embeddings"], eps=settings["rms_norm_eps"])

def as_ids(words):
    return torch.tensor([[letters.index(c) for c in words]])

def as_text(ids):
    return repr("".join(letters[i] for i in ids.tolist()))

# %% [markdown]
# Both models from these settings, the comparison, and 120 characters written by yours:

# %% tags=["show", "uses-exercise"]
rope = {"rope_type": "default", "rope_theta": settings["rope_theta"]}
learned = Qwen3ForCausalLM(Qwen3Config(**settings | {"rope_parameters": rope})).eval()
learned.load_state_dict(weights, strict=False)
learned.tie_weights()
manual = load_llama(Decoder(config_of(settings)), weights).eval()

prompt = as_ids("The return statement may only occur")
print(compared(manual, learned, prompt))
print(as_text(greedy(manual, prompt, 120)[0]))

# %% [markdown]
# **What breaks if…** one of the parts is slightly wrong? We load the same checkpoint with one of four mistakes; none raises an error: `layout` (neighbours in place of halves), `gate` (gate and up swapped), `key heads` (read in the wrong order),
# `eps` (1e-3 in place of 1e-6). One of them leaves the text as it was. Which?

# %% tags=["show"]
guess_harmless = None       # type one of the four, in quotes, then run the next cell

# %% tags=["show", "uses-exercise"]
# @title The checkpoint as a model with one of the mistakes reads it
def changed(weights, mistake):
    found, d_head = dict(weights), settings["head_dim"]
    neighbours = torch.arange(d_head).view(-1, 2).T.flatten()
    for name, value in weights.items():
        if mistake == "layout" and ("q_" in name or "k_" in name):
            heads = value.unflatten(0, (-1, d_head))
            found[name] = heads[:, neighbours].flatten(0, 1)
        if mistake == "gate" and "gate_proj" in name:
            other = name.replace("gate", "up")
            found[name], found[other] = weights[other], value
        if mistake == "key heads" and ("k_proj" in name or "v_proj" in name):
            heads = value.unflatten(0, (settings["num_key_value_heads"], -1))
            found[name] = heads.flip(0).flatten(0, 1)
    return found

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
words = "Names refer to objects. Names are introduced by name binding operations."
test, damage = as_ids(words), {}
with torch.no_grad():
    right = learned(test).logits
    for mistake in ("none", "layout", "gate", "key heads", "eps"):
        eps = 1e-3 if mistake == "eps" else settings["rms_norm_eps"]
        wrong = Decoder(replace(config_of(settings), eps=eps))
        load_llama(wrong, changed(weights, mistake))
        logits = wrong(test)
        damage[mistake] = F.cross_entropy(logits[0, :-1], test[0, 1:]).item()
        print(f"{mistake:10} loss {damage[mistake]:5.2f}   largest difference of the "
              f"logits {(logits - right).abs().max():6.3f}   "
              f"{as_text(greedy(wrong, prompt[:, :12], 30)[0])}")
check_guess("the mistake that leaves the text as it was", guess_harmless,
            min(list(damage)[1:], key=damage.get))

# %% [markdown]
# Three of the four destroy the text, although all shapes fit. With the wrong `eps` the text stays and the loss hardly changes, but the logits are off by 0.2. So a fluent text is
# no proof that weights arrived; equal logits are. <!-- told -->
#
# **A published model.** SmolLM2, 135 million parameters, has Llama's format. `transformers` reads its file, your `load_llama` fills your `Decoder`, and both write.

# %% tags=["show", "uses-exercise"]
# @title SmolLM2 in your decoder
if where := smollm2():
    from transformers import AutoModelForCausalLM, AutoTokenizer
    theirs, tokenizer = (kind.from_pretrained(**where)
                         for kind in (AutoModelForCausalLM, AutoTokenizer))
    smol = Decoder(config_of(theirs.config.to_dict(), qk_norm=False)).eval()
    load_llama(smol, theirs.state_dict())
    question = torch.tensor([tokenizer("The capital of France is").input_ids])
    # on the CPU: few tokens, most of them one at a time, keep a GPU waiting
    print(compared(smol, theirs, question.repeat(1, 2)))
    print(repr(tokenizer.decode(greedy(smol, question, 20)[0])))

# %% [markdown]
# Logits and tokens are the same.
#
# ## 11.7 Parameters and memory
#
# From three models' `config.json`:
#
# | | Llama 3.2 1B | Qwen 3 0.6B | Gemma 3 1B |
# | --- | --- | --- | --- |
# | vocabulary, width, layers | 128,256 · 2,048 · 16 | 151,936 · 1,024 · 28 | 262,144 · 1,152 · 26 |
# | query heads, key–value heads, head | 32 · 8 · 64 | 16 · 8 · 128 | 4 · 1 · 256 |
# | feed-forward | 8,192 | 3,072 | 6,912 |
# | QK-norm, second norm | – · – | yes · – | yes · yes |
# | windows | – | – | 512, in five of six layers |
# | RoPE base | 500,000 | 1,000,000 | 1,000,000; 10,000 where there is a window |
# | head | tied | tied | tied |
#
# (For its logits Llama 3.2 would also need its `rope_scaling`.)

# %% [markdown]
# ### Exercise 11.6 · Parameters and memory · 1 point · about 8 minutes
#
# Write two functions that read a `DecoderConfig`; no model has to be built.
#
# - `decoder_parameters(config)`: how many parameters the `Decoder` of exercise 11.4 has <!-- asks: parameters -->.
# - `decoder_cache_bytes(config, seq, batch, dtype)`: how many bytes of keys and values have to be kept after `seq` tokens in each of `batch` texts <!-- asks: bytes -->. A layer with a window never needs more than
# `window` places; one without needs all `seq` <!-- asks: windows -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Parameters: tied or not, with `d_head`,
# QK-norm and second norms where the configuration asks for them <!-- asks: settings -->, heads of `d_model // num_heads` features where it gives no `d_head` <!-- asks: heads -->, and the published sizes above <!-- asks: published -->. Both return an `int`, exact at any size; `dtype` is a `torch.dtype` <!-- asks: dtype -->.
# </details>
# <details><summary>Hint 1</summary>Count one block: four matrices of attention, three of the feed-forward network, and its norms. Which of them depend on num_kv_heads?</details>
# <details><summary>Hint 2</summary>dtype.itemsize is the number of bytes of one number.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_decoder_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decoder_parameters(config):
    """How many parameters a Decoder with this DecoderConfig has. Returns an int."""
    ### BEGIN SOLUTION
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * D * (config.num_heads + config.num_kv_heads)
    if config.qk_norm:
        attention += 2 * D
    norms = (4 if config.second_norm else 2) * d
    block = attention + 3 * d * config.d_ff + norms
    tables = config.vocab_size * d * (1 if config.tied else 2)
    return tables + config.num_layers * block + d
    ### END SOLUTION


def decoder_cache_bytes(config, seq, batch, dtype):
    """Bytes of keys and values after seq tokens in each of batch texts. Returns an int.

    A layer with a window keeps at most window places.
    """
    ### BEGIN SOLUTION
    D = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    places = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * places * batch * config.num_kv_heads * D * dtype.itemsize
    ### END SOLUTION

# %% tags=["uses-exercise"]
tiny = DecoderConfig(vocab_size=3, d_model=2, num_layers=1, num_heads=1,
                     num_kv_heads=1, d_ff=1)
# table 3 · 2, attention 4 · 2 · 2, feed-forward 3 · 2 · 1, three norms of 2
ab.beside(6 + 16 + 6 + 6, lambda: decoder_parameters(tiny))
# keys and values, 5 places, 2 numbers, 4 bytes
ab.beside(2 * 5 * 2 * 4, lambda: decoder_cache_bytes(tiny, 5, 1, torch.float32))

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_parameters_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.6: a configuration that fits on a sheet of paper, then its variants."""
plain_ = DecoderConfig(10, 12, num_layers=3, num_heads=6, num_kv_heads=2, d_ff=5)
def told_(functions, config, *rest):
    numbers = {"parameters": functions[0](config), "bytes": functions[1](config, *rest)}
    return [f"{n.item() if isinstance(n, torch.Tensor) else n} {unit}"
            for unit, n in numbers.items()]
def with_(seq=11, dtype=torch.int8, **settings):
    words = ", ".join(f"{name}={value}" for name, value in settings.items())
    return ab.case(f"{words or 'the sizes above'}, {seq} tokens, 5 texts, {dtype}",
                   replace(plain_, **settings), seq, 5, dtype, ask=told_)
ab.check("11.6 parameters and memory", (decoder_parameters, decoder_cache_bytes), [
    with_(),
    *(with_(**{name: value}) for name, value in [
        ("tied", False), ("d_head", 5), ("qk_norm", True), ("second_norm", True),
        ("d_model", 13), ("vocab_size", 5_000_001)]),
    *(with_(dtype=dtype) for dtype in (torch.float64, torch.bfloat16, torch.uint8)),
    *(with_(seq, windows=[5, None, 3]) for seq in (11, 7, 4, 10**17 + 1)),
    with_(windows=(5, None, 3)),
], "config, seq, batch, dtype -> parameters, bytes")
### BEGIN HIDDEN TESTS
def made(config, seq=5, batch=1, dtype=torch.float32):
    return ab.case(f"{config}, {seq} tokens, {batch} texts, {dtype}", config, seq,
                   batch, dtype, ask=told_)

def tried(*cases):
    ab.check("11.6 parameters and memory", (decoder_parameters, decoder_cache_bytes),
             cases, "config, seq, batch, dtype -> parameters, bytes",
             like=reference("decoder_parameters", "decoder_cache_bytes"))

# Property: equal to counting the tensors of a decoder of any sizes [parameters]
tried(*(made(DecoderConfig(*sizes)) for sizes in [
    (97, 14, 5, 7, 7, 31), (13, 12, 2, 6, 3, 17), (101, 20, 1, 5, 1, 7),
    (7, 8, 17, 2, 2, 29), (70_001, 301, 1, 7, 1, 13)]))
# Property: where num_heads does not divide d_model, a head has d_model // num_heads features, in parameters and bytes [heads]
tried(made(DecoderConfig(11, 10, 3, 4, 2, 9)))
# Property: d_head, QK-norm, second norms, tie and windows are counted as the configuration says [settings]
tried(*(made(DecoderConfig(29, 12, 3, 6, 2, 17, **more)) for more in [
    {"d_head": 9, "tied": False}, {"qk_norm": True},
    {"qk_norm": True, "d_head": 8, "second_norm": True},
    {"windows": [3] * 3, "local_rope_base": 10.0, "tied": False, "second_norm": True}]))
# Property: right for Llama 3.2 1B, Qwen 3 0.6B and Gemma 3 1B [published]
tried(made(DecoderConfig(128256, 2048, 16, 32, 8, 8192)),
      made(DecoderConfig(151936, 1024, 28, 16, 8, 3072, d_head=128, qk_norm=True)),
      made(DecoderConfig(262144, 1152, 26, 4, 1, 6912, d_head=256, qk_norm=True,
                         second_norm=True)))
# Property: bytes of the cache for other sizes, texts and batches [bytes]
tried(*(made(DecoderConfig(11, 2 * heads, layers, heads, kv, 13, d_head=D), seq, batch)
        for layers, heads, kv, D, seq, batch in [
            (5, 7, 7, 2, 11, 3), (2, 6, 3, 5, 1, 1), (17, 4, 1, 8, 1000, 7),
            (28, 16, 8, 128, 131_072, 3)]))
# Property: a layer with a window keeps at most window places [windows]
tried(*(made(DecoderConfig(11, 12, 3, 3, 1, 13, windows=windows), seq, 2)
        for windows, seq in [([4, 4, None], 100), ([4, 4, None], 3),
                             ((5, None, 50), 20), ([1, 1, 1], 9), (None, 9)]))
# Property: the size of one number is that of dtype [dtype]
tried(*(made(DecoderConfig(11, 12, 3, 3, 1, 13), dtype=dtype)
        for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
                      torch.bfloat16, torch.float32, torch.float64)))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** All three keep their cache in bfloat16. At 32,768 tokens, which of the three needs the most bytes: `Llama`, `Qwen` or `Gemma`?

# %% tags=["show"]
guess_most = None          # type one of the three, in quotes, then run the next cell

# %% tags=["show", "uses-exercise"]
published = {
    "Llama 3.2 1B": DecoderConfig(128_256, 2048, 16, 32, 8, 8192,
                                  rope_base=500_000.0, eps=1e-5),
    "Qwen 3 0.6B": DecoderConfig(151_936, 1024, 28, 16, 8, 3072, d_head=128,
                                 qk_norm=True, rope_base=1e6),
    "Gemma 3 1B": DecoderConfig(
        262_144, 1152, 26, 4, 1, 6912, d_head=256, qk_norm=True, second_norm=True,
        rope_base=1e6, local_rope_base=1e4,
        windows=[None if layer % 6 == 5 else 512 for layer in range(26)])}
mebibytes = lambda c: decoder_cache_bytes(c, 32_768, 1, torch.bfloat16) / 2**20
for name, config in published.items():
    with torch.device("meta"):                         # shapes without numbers
        built = sum(p.numel() for p in Decoder(config).parameters())
    table = config.vocab_size * config.d_model
    print(f"{name}: {decoder_parameters(config):,d} parameters (built: {built:,d}), "
          f"{table / built:.0%} in the table\n    in bfloat16 {2 * built / 2**20:,.0f}"
          f" MiB, cache at 32,768 tokens {mebibytes(config):,.0f} MiB")
whole = mebibytes(replace(config, windows=None))
print(f"Gemma 3 1B without its windows: {whole:,.0f} MiB")
largest = max(published, key=lambda name: mebibytes(published[name]))
check_guess("largest cache", guess_most, largest.split()[0])

# %% [markdown]
# The smallest of the three has the largest cache. Qwen 3 keeps eight key–value heads in each of its 28 layers; at this length its cache is three times as large as its weights. Gemma 3 keeps one key–value head in each layer, and
# its windows reduce the cache to a sixth. **That is what shared keys and windows are for**: they hardly changed the loss (11.1), but they decide how many texts fit into a GPU.
#
# ## 11.8 Published decoders, year by year
#
# | model | year | what is new in the block | in `DecoderConfig` |
# | --- | --- | --- | --- |
# | [PaLM](https://arxiv.org/abs/2204.02311) | 2022 | SwiGLU, RoPE, one key–value head | `num_kv_heads=1` |
# | [Llama](https://arxiv.org/abs/2302.13971) | 2023 | RMSNorm, SwiGLU, RoPE | `tied=False` |
# | [Mistral 7B](https://arxiv.org/abs/2310.06825) | 2023 | shared keys, a window | `num_kv_heads=8, windows=…` |
# | [Gemma 2](https://arxiv.org/abs/2408.00118) | 2024 | a second norm, local layers | `second_norm=True, windows=…` |
# | [Llama 3](https://arxiv.org/abs/2407.21783) | 2024 | a larger base | `rope_base=500_000` |
# | [OLMo 2](https://arxiv.org/abs/2501.00656) | 2025 | norms *only* after the sub-layer | none |
# | [Gemma 3](https://arxiv.org/abs/2503.19786) | 2025 | two bases, QK-norm | `qk_norm=True, local_rope_base=10_000` |
# | [Qwen 3](https://arxiv.org/abs/2505.09388) | 2025 | QK-norm | `qk_norm=True, d_head=128` |
#
# Habits of *training* changed as well (["Muon, another schedule, bfloat16"](deeper.ipynb)).
#
# ### Make it yours
#
# Not graded. Write a configuration with at most 110,400 parameters, a sentence that compares it with the decoder of 11.5 (its loss, its cache at 64 places),
# and a test of the sentence.

# %% tags=["show", "uses-exercise"]
my_config = DecoderConfig(96, 64, num_layers=2, num_heads=4, num_kv_heads=1, d_ff=217,
                          qk_norm=True, windows=[16, None])
my_sentence = "one key-value head and a window: less than half the cache"
my_model = fresh_decoder(my_config, seed=1)
train(my_model, text_batches(1), steps=40)         # for a loss: 100
my_loss = held_out_loss(my_model.eval(), test_windows)
my_cache, its_cache = (decoder_cache_bytes(config, 64, 1, torch.float32)
                       for config in (my_config, today))
print(f"{decoder_parameters(my_config):,} parameters (at most 110,400), "
      f"cache {my_cache / its_cache:.2f} of that of 11.5")
print("my test of the cache holds:", "yes" if my_cache < 0.5 * its_cache else "no")

# %% [markdown]
# ## Summary
#
# *Which of these changes lower the loss at the same cost, and what are the others for?* At our size and on this text rotary positions do, with every seed, though by less after a longer training. SwiGLU gained too, but not with every seed at a higher learning rate. A second norm, made alone, lost. The others
# changed the loss by no more than luck. They serve other purposes: less arithmetic, a smaller cache, bounded scores at a high learning rate. You can now
#
# - **compare two architectures fairly**: equal parameters, batches and steps, five seeds; a gain smaller than the spread of the seeds is not shown;
# - **build a decoder of today, load published weights and prove that they arrived**: by equal logits, at once and through the cache, because a wrong layout or a swapped gate raises no error;
# - **compute the cost of a configuration**: here the model with the fewest parameters has the largest cache.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next.** For long texts the cache needs more memory than the model. Chapter 12 builds caches that drop old tokens, are compressed, or share pages.
#
# ## Further reading
#
# - Zhang and Sennrich (2019), *Root Mean Square Layer Normalization*: section 4. [arXiv:1910.07467](https://arxiv.org/abs/1910.07467)
# - Shazeer (2020), *GLU Variants Improve Transformer*: section 2. [arXiv:2002.05202](https://arxiv.org/abs/2002.05202)
# - Su et al. (2021), *RoFormer*: section 3.2. [arXiv:2104.09864](https://arxiv.org/abs/2104.09864)
# - Ainslie et al. (2023), *GQA*: section 2.2. [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)
# - Dehghani et al. (2023), *Scaling Vision Transformers to 22 Billion Parameters*: section 2. [arXiv:2302.05442](https://arxiv.org/abs/2302.05442)
# - Wortsman et al. (2023), *Small-scale Proxies for Large-scale Transformer Training Instabilities*: section 3.1. [arXiv:2309.14322](https://arxiv.org/abs/2309.14322)
# - Narang et al. (2021), *Do Transformer Modifications Transfer Across Implementations and Applications?*: section 3, a larger contest. [arXiv:2102.11972](https://arxiv.org/abs/2102.11972)
