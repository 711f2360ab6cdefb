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
# # 6 · The block
#
# *90 minutes · ●●●○○ · 6 exercises, 12 points · you need chapters 3 and 4*
#
# *Repeat after me.* I say "cat", you say "cat": one matrix can do it. Now give this task to 24 layers, each with the attention of chapter 4,
# layer norms and a small network. After forty steps of training they have learned nothing, although the gradient reaches every layer. Put
# two plus signs into each layer, and the same forty steps are enough. **What do the plus signs do that layer norms cannot?**
#
# $$h = x + \mathrm{attention}\big(\mathrm{norm}_1(x)\big) \qquad y = h + \mathrm{feed\_forward}\big(\mathrm{norm}_2(h)\big)$$
#
# GPT-2 XL is 48 of these blocks. You build one, part by part, and take it apart again to find out.
#
# **After this chapter you can**
#
# - write layer norm, GELU, the feed-forward network and the block, pre-norm and post-norm, in agreement with PyTorch's own
# - count the parameters of a block before you build it
# - measure what depth does to tokens, attention weights and gradients, and say why a deep stack needs its plus signs, and what its initialisation does

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"
torch.manual_seed(6)
torch.set_num_threads(1)  # matrices as small as ours are faster on one thread
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# From chapter 4 comes your `MultiHeadAttention`.

# %% carry=["ch04_multi_head: MultiHeadAttention"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# ## 6.1 Lost on the way up
#
# First we stack attention on attention, 24 times, and nothing else. Nothing is trained yet.

# %% [markdown]
# Each word gets a random vector of 64 numbers. On the way up we print how large a typical feature is, how alike neighbouring
# tokens are (the cosine of the angle between them: 1 where they point the same way), and the smallest and largest attention weight.

# %%
tokens = "the cat sat on the mat because it was hungry".split()
vectors = {word: torch.randn(64) for word in dict.fromkeys(tokens)}
x = torch.stack([vectors[word] for word in tokens])[None]         # (1, 10, 64)
layers = [MultiHeadAttention(d_model=64, num_heads=4).requires_grad_(False)
          for _ in range(24)]

def alike(x):
    """The mean cosine between each token and the next one."""
    return F.cosine_similarity(
        x[..., 1:, :], x[..., :-1, :], dim=-1, eps=0).mean().item()

# %%
def climb(h, step):
    """Send h up the tower; step(attention, h) gives what goes on, and the weights."""
    for depth, attention in enumerate(layers, 1):
        h, weights = step(attention, h)
        if depth in (1, 2, 4, 24):
            print(f"after {depth:2d} layers   size {h.std().item():7.1g}   neighbours "
                  f"alike {alike(h):7.4f}   weights from {weights.min().item():.4f} "
                  f"to {weights.max().item():.4f}")

print(f"at the start      size {x.std().item():7.1g}   neighbours alike "
      f"{alike(x):7.4f}")
climb(x, lambda attention, h: attention(h))

# %% [markdown]
# The sentence gets lost in two ways.
#
# - **It fades.** Each layer makes the numbers smaller; after 24 they are about $10^{-12}$.
# - **It blurs.** Attention is a weighted average. After two layers the cosine of neighbours is 1.0000: "cat", "mat" and
#   "hungry" point the same way.
#
# Does the second follow from the first? The tokens that enter layer 2 are so small that all scores are nearly 0. Then all weights are
# nearly equal, and each token gets the plain mean. We repair the size and see whether the blur goes, too.
#
# ### One token, brought to a fixed size
#
# Take a token $x$ with $d$ features. Subtract their mean, divide by their standard deviation:
#
# $$\mu = \frac{1}{d}\sum_i x_i \qquad \sigma^2 = \frac{1}{d}\sum_i (x_i - \mu)^2 \qquad
# \mathrm{LayerNorm}(x) = w \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b$$

# %%
token = torch.tensor([1., 3., 5., 7.])
mu = sum(token) / 4                                                       # 4
sigma2 = sum((value - mu) ** 2 for value in token) / 4  # (9 + 1 + 1 + 9) / 4 = 5
print("by hand     ", torch.stack([(v - mu) / (sigma2 + 1e-5) ** 0.5 for v in token]))
print("nn.LayerNorm", nn.LayerNorm(4)(token).detach())

# %% [markdown]
# The sum of squares is divided by $d = 4$ (the *biased* variance); `torch.var` divides by $d - 1$ unless told otherwise. The vectors $w$
# (`weight`, ones at first) and $b$ (`bias`, zeros at first) are learned, one entry per feature.
#
# **Predict, then run.** Four versions of one vector: as it is, ten times as large, with 20 added to every feature, and
# a thousand times smaller. After layer norm, which of the last three will differ from the first?

# %% tags=["show"]
guess_row = None      # type "10 x", "x + 20" or "x / 1000"

# %% tags=["show"]
# @title Four versions of one vector, before and after layer norm
feature = vectors["cat"][:8]
versions = torch.stack([feature, 10 * feature, feature + 20, feature / 1000])  # (4, 8)
normed = nn.LayerNorm(8)(versions).detach()
names = ["x", "10 x", "x + 20", "x / 1000"]
check_guess("the row that differs", guess_row,
            names[(normed - normed[0]).abs().amax(dim=1).argmax()])
fig, axes = plt.subplots(1, 2, figsize=(7.2, 2.6))
for ax, table, limit, title in [
        (axes[0], versions, 22, "Before layer norm"),
        (axes[1], normed, 2.2, "After: size and offset are forgotten")]:
    draw_matrix(ax, table, names, title=title, cmap="PuOr", limits=(-limit, limit),
                digits=1)
    ax.set_xlabel("feature")
show(fig, "Two heatmaps of four rows and eight features. Before: rows of very "
          "different size. After: the rows x, 10 x and x + 20 are the same, the row x "
          "/ 1000 has the same pattern at a smaller size.")

# %% [markdown]
# Layer norm **forgets** how large a token is and where its features are centred; it **keeps** the
# pattern, which feature lies above the others and which below. The fourth row is paler: its variance
# is below $10^{-6}$, so $\varepsilon = 10^{-5}$ is the larger part under the root. <!-- told -->
#
# A token is normalised by its own features alone. *Batch norm* normalises each feature over the
# batch: there the result for "cat" depends on the other tokens ([measured](deeper.ipynb#who-shares-the-batch)).
#
# ### Exercise 6.1 · Layer norm · 2 points · about 7 minutes
#
# Complete the module `LayerNorm(d_model, eps=1e-5)`: it normalises the last dimension of `x` and gives what `nn.LayerNorm`
# gives. Write the formula out. The [house rules](#house-rules) hold; one point each for
#
# - *the formula*: `eps` as in the formula <!-- asks: eps -->; `weight` starts at 1 and `bias` at 0, for every size <!-- asks: sizes -->;
# - *every token alone*: any number of leading dimensions <!-- asks: leading-dims --> and the other house rules <!-- asks: non-contiguous, inputs-unchanged, gradient, device -->; the same in training and in evaluation <!-- asks: train-eval -->; exact
#   where the mean is large against the spread <!-- asks: large-mean -->, and free of NaN where all features are equal <!-- asks: equal-features -->.
#
# <details><summary>Hint 1</summary>Every token has its own mean. Which dimension does it run over, and in what shape can it be subtracted from x?</details>
# <details><summary>Hint 2</summary>For x of shape (batch, seq, d_model), mean and variance have shape (batch, seq, 1).</details>
# <details><summary>Hint 3</summary>What the optimiser is to change must be an nn.Parameter. And ε belongs under the root.</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_layer_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LayerNorm(nn.Module):
    """Every token brought to mean 0 and variance 1, then scaled by `weight` and shifted
    by `bias`.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        ### END SOLUTION

    def forward(self, x):  # (..., d_model) -> (..., d_model)
        ### BEGIN SOLUTION
        centred = x - x.mean(dim=-1, keepdim=True)
        # (..., 1), the biased one
        variance = centred.square().mean(dim=-1, keepdim=True)
        return self.weight * centred / torch.sqrt(variance + self.eps) + self.bias
        ### END SOLUTION

# %% tags=["uses-exercise"]
# mean 2, deviation 1; mean 20, deviation 10: the same pattern
ab.beside([[-1.0, 1.0], [-1.0, 1.0]], lambda: LayerNorm(2, eps=0.0)(
    torch.tensor([[1., 3.], [10., 30.]])))

# %% nbgrader={"grade": true, "grade_id": "ch06_layer_norm_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.1, the formula: three tokens; with eps = 4 the first is divided by 3."""
def fresh_(d_model, x, **eps):
    return ab.case(f"LayerNorm({d_model}), {eps or 'default eps'}, as it starts", x,
                   of=ab.module(d_model, **eps, weights={}),
                   hint="The weight starts at 1, the bias at 0, and eps is 1e-5.")

def four_(train=True):
    return ab.module(4, eps=4.0, train=train, weights={
        "weight": torch.tensor([1., 2., 3., 4.]),
        "bias": torch.tensor([10., 20., 30., 40.])})

x_ = torch.tensor([[1., 3., 5., 7.], [2., 2., 2., 2.], [0., 4., 0., 4.]])
one_ = ab.case("LayerNorm(4, eps=4.0), weight 1, 2, 3, 4, bias 10, 20, 30, 40", x_,
               of=four_(), look="parameters values")
ab.check("6.1 formula", LayerNorm, [
    one_,
    fresh_(4, x_ / 1000), fresh_(4, x_ / 1000, eps=0.0), fresh_(2, 10000 * x_[:1, :2]),
    fresh_(1, x_[:, :1]), fresh_(210, ab.numbers(2, 210)),
], "x -> the result")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.1 formula", LayerNorm, [one_, *cases], like=reference("LayerNorm"))

# Property: eps is 1e-5 unless another is given, and stands under the root next to the variance [eps]
tried(*(fresh_(11, scale * ab.numbers(5, 11, seed=61).double(), **eps)
        for eps, scale in [({}, 1e-3), ({}, 1e-2), ({"eps": 0.3}, 1.0),
                           ({"eps": 1e-2}, 0.1)]))
# Property: before any training the weight is 1 and the bias 0, also for other sizes [sizes]
tried(*(case for n in (13, 2, 211) for case in (
    fresh_(n, ab.numbers(3, n, seed=62)), ab.case(f"LayerNorm({n})", of=ab.module(n),
                                                  look="parameters"))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch06_layer_norm_check_alone", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.1, every token alone: the same three tokens."""
still_ = four_(train=False)
ab.check("6.1 every token alone", LayerNorm, [
    one_,
    *ab.house_rules(one_),
    one_.but("in evaluation mode", of=still_),
    one_.but("the gradient in evaluation mode", of=still_, look=("gradient",)),
    one_.but("in evaluation mode, the tokens in another order after them", of=still_,
             steps=[("", x_), ("", x_.flip(0))]),
    one_.but("30000 more on every feature", args=(x_ + 30000,), within=1e-3),
    one_.but("2^27 more, in float64", args=(x_.double() + 2 ** 27,)),
    one_.but("the gradient at a token whose features are all equal", args=(x_[1:2],),
             look=("gradient",)),
], "x -> the result")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.1 every token alone", LayerNorm, [one_, *cases],
             like=reference("LayerNorm"))

def sized(d_model, train=True):
    return ab.module(d_model, eps=0.3, train=train)

def shaped(*front, d_model=7, dtype=torch.float64, **options):
    return ab.case(f"x of shape {(*front, d_model)}, {dtype}",
                   (3 * ab.numbers(*front, d_model, seed=63) + 2).to(dtype),
                   of=sized(d_model), look="dtype values",
                   within=1e-9 if dtype == torch.float64 else 1e-4, **options)

seven = shaped(2, 3)
# Property: right for any number of leading dimensions, in float64 and float32 [leading-dims]
tried(shaped(), shaped(3), shaped(2, 5), shaped(5, 2, 3, dtype=torch.float32),
      shaped(1, 1, dtype=torch.float32), shaped(7, 7))
# Property: a token whose features are all equal gives the bias, never NaN, in the value and in the gradient [equal-features]
equal = ab.case("equal features", torch.full((2, 3, 5), 4.0), of=sized(5))
tried(equal, equal.but("the gradient at equal features", look=("gradient",)))
# Property: exact also where the mean is large against the spread [large-mean]
whole = (8 * ab.numbers(4, 17, seed=64)).round()
tried(ab.case("features near 3000 in float32", whole + 3000, of=sized(17),
              within=1e-3),
      ab.case("features near 2^27 in float64", whole.double() + 2 ** 27,
              of=sized(17), within=1e-5))
# Property: every token is normalised alone, in training and in evaluation [train-eval]
for mode in (True, False):
    here = seven.but(f"train={mode}", of=sized(7, mode))
    tried(here, here.but("a token alone", args=(here.args[0][1:2, 2:3],)),
          here.but("after other tokens", steps=[("", -here.args[0].flip(2)),
                                                ("", here.args[0])]))
# Property: x is left as it was [inputs-unchanged]
tried(*ab.house_rules(seven, only="inputs"))
# Property: works on a transposed (non-contiguous) input [non-contiguous]
tried(*ab.house_rules(seven, only="views"))
# Property: the gradients of x, weight and bias are right [gradient]
tried(*(case for mode in (True, False) for case in ab.house_rules(
    seven.but("", of=sized(7, mode)), only="gradient")))
# Property: works on the device and dtype of its input [device]
tried(*ab.house_rules(shaped(2, d_model=6), only="float64 bfloat16 device"))
### END HIDDEN TESTS

# %% [markdown]
# Back up the tower, with your layer norm in front of each attention:

# %% tags=["uses-exercise"]
norm = LayerNorm(64).requires_grad_(False)
climb(x, lambda attention, h: attention(norm(h)))

# %% [markdown]
# Nothing fades any more, but the blur comes all the same: after two layers the cosine is 0.9987, and after four all weights are 0.1 again.
# So tokens need not fade to become equal.
#
# ## 6.2 A network for each token
#
# In a sentence of one word the only weight is 1, and the output of attention is $x\,W_v W_o$: *within* a token, attention is
# linear. *Between* tokens it is *nonlinear*, since the weights depend on both tokens: two heads can learn XOR, "one or the
# other, but not both", of two *tokens* ([measured](deeper.ipynb#does-attention-bend)).

# %% [markdown]
# The second part of the block is nonlinear *within* each token. Take XOR inside one token, of two features that are 0 or 1. The best linear map (with bias) gives one half for all four inputs.
# One nonlinear step is enough: mix the features, set negative ones to zero, mix again:

# %%
pairs = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
target = torch.tensor([[0.], [1.], [1.], [0.]])                   # one or the other
with_ones = torch.cat([pairs, torch.ones(4, 1)], dim=1)           # (4, 3): the bias
best = torch.linalg.lstsq(with_ones, target).solution             # least squares
print("best linear", (with_ones @ best).flatten().round(decimals=3))

# how many are on? how many beyond one?
wide = pairs @ torch.ones(2, 2) + torch.tensor([0., -1.])
bent = wide.clamp(min=0)                                          # (4, 2)
out = bent @ torch.tensor([[1.], [-2.]])  # one counts, a second one counts against it
print("wide", wide.tolist(), "\nbent", bent.tolist(), "\nout ", out.flatten().tolist())

# %% [markdown]
# This is the **feed-forward network**: wide, bend, narrow again. In a transformer the middle is four times as wide as the token,
# and the same network is applied to each token by itself (*position-wise*):
#
# $$\mathrm{FeedForward}(x) = \mathrm{activation}(x\,W_1 + b_1)\,W_2 + b_2$$
#
# ### A softer bend
#
# The Transformer of 2017 bends with ReLU, which cuts off at zero. GPT and BERT use **GELU**: each feature is multiplied by the
# probability that a standard normal number is smaller than it. GPT-2 computes it by a formula with tanh:
#
# $$\begin{aligned}\mathrm{gelu}(x) &= x\,\Phi(x), \qquad \Phi(x) = \tfrac12\Big(1 + \mathrm{erf}\,\tfrac{x}{\sqrt2}\Big)\\
# \mathrm{gelu_{tanh}}(x) &= \tfrac{x}{2}\Big(1 + \tanh\!\big(\sqrt{2/\pi}\,(x + 0.044715\,x^3)\big)\Big)\end{aligned}$$

# %% tags=["show"]
# @title ReLU, GELU, and the two forms of GELU
grid = torch.linspace(-4, 4, 401, dtype=torch.float64)
exact, formula = F.gelu(grid), F.gelu(grid, approximate="tanh")
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 2.5))
left.plot(grid, F.relu(grid), "--", label="ReLU")
left.plot(grid, exact, label=f"GELU, lowest at {exact.min():.2f}")
left.set(xlabel="feature before", ylabel="feature after",
         title="GELU is ReLU with a soft corner")
left.legend(frameon=False)
right.plot(grid, 1e4 * (formula - exact), color=OKABE_ITO[2])
right.axhline(0, color="grey", linewidth=0.8)
right.set(xlabel="feature before", ylabel="tanh formula − exact, in 0.0001",
          title="The two forms differ by less than 0.0005")
show(fig, "Left: ReLU and GELU from -4 to 4. GELU dips below zero, lowest at -0.17, "
          "and follows ReLU far from zero. Right: the tanh formula minus the exact "
          "GELU, between -0.0005 and 0.0005.")

# %% [markdown]
# PyTorch's default is exact, but GPT-2 was trained with the formula, and in chapter 8 your logits must agree with GPT-2's: we need both.
#
# ### Exercise 6.2 · GELU and the feed-forward network · 2 points · about 8 minutes
#
# Write both: `gelu` in its two forms (1 point), and the module `FeedForward` (1 point):
#
# - `linear1` to `d_ff` features (four times `d_model` by default), activation, `linear2` back; both with bias;
# - `activation` is `"gelu"` (exact), `"gelu_tanh"` or `"relu"`;
# - dropout falls on the **activated features**, between activation and `linear2` <!-- asks: dropout-place -->, while training only.
#
# In `gelu`, write the formulas out; in `FeedForward` you may use your `gelu` or PyTorch's.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The [house rules](#house-rules) hold for both <!-- asks: values, leading-dims, device, network-device, inputs-unchanged, gradient, network-gradient, non-contiguous -->.
# Far from zero `gelu` gives $x$ or 0, never NaN <!-- asks: far -->. Dropout is 0 by default, and at 1 all is dropped <!-- asks: no-dropout -->; it scales up what
# it keeps, so that the mean stays <!-- asks: train-eval -->.
# </details>
#
# <details><summary>Hint 1</summary>PyTorch has erf and tanh for tensors. The constants are plain numbers: math.sqrt will do.</details>
# <details><summary>Hint 2</summary>The shapes in FeedForward: (…, d_model), then (…, d_ff) twice, then (…, d_model).</details>
# <details><summary>Hint 3</summary>An nn.Dropout that is an attribute of your module learns of train() and eval() by itself.</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_feed_forward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gelu(x, approximate="none"):
    """x · Φ(x): exactly ("none"), or by the tanh formula ("tanh")."""
    ### BEGIN SOLUTION
    if approximate == "tanh":
        return 0.5 * x * (
            1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
    ### END SOLUTION


class FeedForward(nn.Module):
    """Wide, bend, narrow again: the same small network for every token."""

    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"),
                           "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x):  # (..., d_model) -> (..., d_model)
        ### BEGIN SOLUTION
        return self.linear2(self.dropout(self.activation(self.linear1(x))))
        ### END SOLUTION

# %% tags=["uses-exercise"]
ab.beside([0.8413, 0.8412], lambda: [                         # 1 · Φ(1), in two forms
    gelu(torch.tensor(1.), approximate=form) for form in ("none", "tanh")])
ab.beside((3, 5, 2), lambda: tuple(                    # 3 sentences of 5 tokens
    FeedForward(2, d_ff=7, activation="relu")(torch.ones(3, 5, 2)).shape))

# %% nbgrader={"grade": true, "grade_id": "ch06_feed_forward_check_gelu", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.2, first part: both forms of GELU."""
def forms_(words, x, **looks):
    return [ab.case(f"{words}, approximate={form!r}", x, approximate=form, **looks)
            for form in ("none", "tanh")]

x_ = torch.tensor([-2., -1., 1., 2., 0.])
ab.check("6.2 gelu", gelu, [
    ab.case("five numbers, the exact form", x_, within=1e-5),
    ab.case("five numbers, approximate='tanh'", x_, approximate="tanh", within=1e-5),
    *forms_("far from zero, ±30 and ±300", torch.tensor([-300., -30., 30., 300.])),
    *(case for one in forms_("five numbers", x_) for case in ab.house_rules(one)),
    *forms_("x (1, 3, 1)", x_[:3].view(1, 3, 1)),
    *forms_("the gradient at 0, 9 and -30", torch.tensor([0., 9., -30.]),
            look="gradient"),
], "x -> gelu(x)")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.2 gelu", gelu, cases, like=reference("gelu"))

# Property: right for any shape, in float64 and float32, in both forms [values]
tried(*(case for n, (shape, dtype, within) in enumerate(
            [((), torch.float64, 1e-10), ((7,), torch.float32, 1e-6),
             ((3, 5, 2), torch.float64, 1e-10), ((1, 3, 1), torch.float64, 1e-10),
             ((2, 3, 1, 11), torch.float32, 1e-6)])
        for case in forms_(f"x of shape {shape}, {dtype}", 3 * ab.numbers(
            *shape, seed=n).to(dtype), look="dtype values", within=within)))
# Property: x stays as it was [inputs-unchanged]
tried(*forms_("x stays as it is", ab.numbers(3, 5, seed=62), look="inputs"))
# Property: far from zero it is x or 0, never NaN [far]
tried(*forms_("±40 and ±400", torch.tensor([-400., -40., 40., 400.])))
# Property: the gradient is right [gradient]
tried(*forms_("the gradient from -9 to 9", torch.linspace(-9, 9, 37).double(),
              look="gradient", within=1e-6))
# Property: works on the device and dtype of its input [device]
tried(*(case for one in forms_("2 numbers", torch.ones(2))
        for case in ab.house_rules(one, only="float64 bfloat16 device")))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch06_feed_forward_check_network", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.2, second part: small networks with made-up weights."""
def bends_(kind, x, *sizes):
    """What a network learns, and what it gives with each activation."""
    networks = [ab.module(*sizes, activation=name).make(kind)[0] for name in names_]
    learned = [f"{name} {tuple(p.shape)}" for name, p in networks[0].named_parameters()]
    return [", ".join(sorted(learned)), *(network(x) for network in networks)]

def drops_(words, d_ff, p, look, activation="gelu"):
    """How many features are added up, where all activated ones are equal."""
    def count(network, x):
        quiet = network.eval()(x)
        return look(*(d_ff * (1 - p) * network.train()(x) / quiet for _ in range(2)))
    sizes = {"d_ff": d_ff} if d_ff != 8 else {}
    return ab.case(f"{words} ({activation}, dropout={p})", torch.ones(2, 10000, 2),
                   ask=count, within=0.02 if look is sums_ else 0.2, of=ab.module(
                       2, **sizes, activation=activation, dropout=p, weights={
                           "linear1": torch.ones(d_ff, 2) / 2,
                           "linear2": torch.ones(2, d_ff)}))

def sums_(one, other):
    return (one[..., 0] - one[..., 1]).abs().max(), (one - one.round()).abs().max()

def spread_(one, other):
    return one[..., 0].var(dim=1).mean()

def alike_(one, other):
    same = (one[0] - one[1]).abs(), (one - other).abs()
    return [(gap < 0.1).double().mean() for gap in same]

names_ = ("gelu", "gelu_tanh", "relu")
hint_ = "Nothing is dropped by default, and each activation bends in its own way."
x_ = ab.numbers(5, 2, seed=9)
one_ = ab.case("2 sentences of 3 tokens", ab.numbers(2, 3, 2), of=ab.module(2, d_ff=3))
still_ = one_.but("in evaluation mode, dropout=0.9",
                  of=ab.module(2, d_ff=3, dropout=0.9, train=False),
                  hint="Dropout falls in training only.")
ab.check("6.2 network", FeedForward, [
    ab.case("FeedForward(2, d_ff=3): what it learns, and each activation in turn",
            x_, 2, 3, ask=bends_, within=1e-5, hint=hint_),
    *(ab.case(f"FeedForward({n})", ab.numbers(5, n), of=ab.module(n), within=1e-5,
              hint="By default d_ff is 4 · d_model, gelu bends, nothing is dropped.")
      for n in (1, 3)),
    *ab.house_rules(one_), one_.but("one token alone", args=(x_[0],)),
    still_, still_.but("the gradient in evaluation mode", look=("gradient",)),
    drops_("both outputs lose the same features, each counts twice", 6, 0.5, sums_),
    drops_("the spread of how many features a token keeps", 6, 0.5, spread_),
    drops_("the same, without d_ff", 8, 0.5, spread_),
    drops_("how often two sentences, two calls drop as many", 6, 0.5, alike_),
    *(ab.case(f"training, {name}, dropout=0.9999999", x_, look="values gradient",
              of=ab.module(2, activation=name, dropout=1 - 1e-7)) for name in names_),
    *(ab.case(f"dropout=0.5 in training: {look}", x_.to(torch.bfloat16), look=look,
              of=ab.module(2, dropout=0.5)) for look in ("dtype", "device")),
], "x -> the result of gelu, the result of gelu_tanh, the result of relu")
### BEGIN HIDDEN TESTS
base_ = ab.case("FeedForward(3, 7)", ab.numbers(5, 3), 3, 7, ask=bends_, within=1e-5,
                hint=hint_)
def tried(*cases):
    ab.check("6.2 network", FeedForward, [base_, *cases], like=reference("FeedForward"))

# Property: right for any number of leading dimensions and all three activations [leading-dims]
tried(*(ab.case(f"x of shape {(*front, d)}, {name}, {dtype}", ab.numbers(
            *front, d, seed=len(front)).to(dtype), of=ab.module(d, 11, name),
                look="dtype values inputs", within=1e-4 if dtype.itemsize < 8 else 1e-9)
        for front, d, name, dtype in [
            ((), 5, "relu", torch.float64), ((3,), 5, "gelu", torch.float64),
            ((2, 3), 5, "gelu_tanh", torch.float64),
            ((3, 2, 13), 5, "gelu", torch.float32), ((5, 5), 5, "relu", torch.float64),
            ((1, 3), 1, "gelu", torch.float64)]))
# Property: each token is treated alone, and a transposed (non-contiguous) input gives the same [non-contiguous]
three = ab.case("3 sentences", ab.numbers(3, 7, 5, seed=63), of=ab.module(5))
tried(three, *ab.house_rules(three, only="views"),
      three.but("one of them", args=(ab.numbers(3, 7, 5, seed=63)[1:2],)))
# Property: gradients reach every parameter and the input [network-gradient]
tried(*(case for name in names_ for train in (True, False)
        for case in ab.house_rules(ab.case(
            name, ab.numbers(2, 3, 5, seed=64), of=ab.module(
                5, activation=name, train=train)), only="gradient")))
# Property: dropout drops in train mode only, and leaves the mean of many runs where it was [train-eval]
tried(*(three.but(f"evaluation, {p}", of=ab.module(5, dropout=p, train=False))
        for p in (0.4, 0.9)), drops_("the spread", 9, 0.4, spread_),
      drops_("the spread, without d_ff", 8, 0.4, spread_),
      drops_("how often two sentences, two calls drop as many", 9, 0.4, alike_))
# Property: dropout falls on the activated features, in front of linear2, not behind it and not before the activation [dropout-place]
tried(*(drops_("sums", 7, 0.25, look, name) for name in names_
        for look in (sums_, spread_)))
# Property: without dropout, train and eval mode give the same [no-dropout]
tried(*(three.but(f"train={train}", of=ab.module(5, train=train))
        for train in (True, False)))
# Property: works on the device of its input [network-device]
tried(*(three.but(f"{name}, on another device", of=ab.module(5, activation=name),
                  look=("device",)) for name in names_))
### END HIDDEN TESTS

# %% [markdown]
# ## 6.3 Two plus signs
#
# Now the blur. Here is the first tower of section 6.1, with one change: each layer *adds* what it found to what it was given:

# %%
def add(attention, h):
    found, weights = attention(h)
    return h + found, weights

climb(x, add)

# %% [markdown]
# Nothing fades, and even after 24 layers neighbours differ: their cosine is 0.59 with these random numbers. This is a **residual connection**. Without it, a layer's output is all that
# the layers above get to see. With it, they see the old tokens too. The running sum, to which every *sub-layer* (attention, feed-forward network) adds, is the *residual stream*.
#
# The sums grow with depth, so the norms stay in the block. The authors of the Transformer put a norm behind each sum; most models
# today put it in front of each sub-layer:
#
# $$\textbf{post-norm:}\quad h = \mathrm{norm}_1\big(x + \mathrm{attention}(x)\big) \qquad y = \mathrm{norm}_2\big(h + \mathrm{feed\_forward}(h)\big)$$
# $$\textbf{pre-norm:}\quad h = x + \mathrm{attention}\big(\mathrm{norm}_1(x)\big) \qquad y = h + \mathrm{feed\_forward}\big(\mathrm{norm}_2(h)\big)$$
#
# We send features of size 3 through PyTorch's own block in both orders, and note their size at each part:

# %%
options = dict(dropout=0.0, activation="gelu", batch_first=True)
pre = nn.TransformerEncoderLayer(64, 4, 256, norm_first=True, **options)
post = nn.TransformerEncoderLayer(64, 4, 256, norm_first=False, **options)
post.load_state_dict(pre.state_dict())  # the same weights in both

# %% tags=["show", "tolerance-0.05"]
# @title The block in both orders, with the measured size of the features
def sizes(layer, x):
    """The size of the features that enter and leave each part of a layer."""
    seen = {}
    def note(name):
        def hook(part, entering, leaving):
            leaving = leaving[0] if isinstance(leaving, tuple) else leaving
            seen[name] = entering[0].std().item(), leaving.std().item()
        return hook
    hooks = [
        part.register_forward_hook(note(name)) for name, part in layer.named_modules()]
    layer(x)
    for hook in hooks:
        hook.remove()
    return seen

fig, axes = plt.subplots(1, 2, figsize=(7.2, 5))
for ax, layer in zip(axes, (pre, post)):
    seen, first = sizes(layer, 3 * x), layer.norm_first
    def box(x, y, words, color):
        ax.text(x, y, words, ha="center", va="center", fontsize=8.5, bbox={
            "boxstyle": "round,pad=0.45", "facecolor": color, "edgecolor": "#444444"})
    def number(x, y, value):
        ax.text(x, y, f"{value:.2f}", va="center", fontsize=8, color=OKABE_ITO[0])
    ax.annotate("", (0, 11.3), (0, -0.5), arrowprops={
        "arrowstyle": "-|>", "linewidth": 3, "color": "#444444"})
    ax.text(0, -0.9, "x", ha="center"), ax.text(0, 11.5, "y", ha="center")
    number(-0.9, -0.1, seen[""][0])
    for part, name, k, bottom in [("self_attn", "attention", "norm1", 0.4),
                                  ("linear2", "feed-forward", "norm2", 5.7)]:
        plus = bottom + (3.9 if first else 2.8)
        ax.plot([0, 2.6, 2.6, 0], [bottom, bottom, plus, plus], color="#444444",
                linewidth=1.2, zorder=0)
        box(0, plus, "+", "white"), box(2.6, plus - 1.4, name, "#CFE8F7")
        box(*((2.6, bottom + 0.9) if first else (0, plus + 1.3)), k, "#FFF3C4")
        number(2.7, plus - 0.5, seen[part][1])
        number(*((2.7, bottom + 1.7) if first else (-0.9, plus + 2)), seen[k][1])
        total = seen[k][0]  # post-norm: the norm reads the sum
        if first:
            total = seen["norm2"][0] if k == "norm1" else seen[""][1]
        number(-0.9, plus + 0.6, total)
    ax.set(xlim=(-1.2, 4.2), ylim=(-1, 12), title="Pre-norm: the stream runs through"
           if first else "Post-norm: norms stand in the stream")
    ax.axis("off")
show(fig,
     "The block, drawn twice from bottom to top. Pre-norm: a straight line from x to "
     "y; two branches leave it, one through norm1 and attention, one through norm2 and "
     "feed-forward, and are added back. Post-norm: the branches hold attention and "
     "feed-forward alone, and norm1 and norm2 stand on the line itself, behind each "
     "sum. Numbers beside the parts give the measured size of the features.")

# %% [markdown]
# The small blue numbers are the measured sizes. In pre-norm (left) only the plus signs change the stream, which enters and leaves with size 3. In post-norm (right) size 1 goes out, whatever comes in, because each norm shrinks the old part together with what was added to it.
#
# One block serves both kinds of transformer. Without a mask each token may look at every other: an
# **encoder** block (BERT). With the causal mask of chapter 3 it is a **decoder** block (GPT).

# %% [markdown]
# ### Exercise 6.3 · The transformer block · 4 points · about 16 minutes
#
# Put the block together, in both orders. The sub-modules are `norm1`, `attention` (chapter 4's `MultiHeadAttention`),
# `norm2` and `feed_forward` (norms and network are yours or PyTorch's). `norm_first` chooses pre-norm (the default) or post-norm. `forward(x, mask=None)` returns the new `x` and the attention weights. Points:
#
# - *pre-norm* (2 points), for all sizes <!-- asks: sizes -->, and *post-norm* (1 point) <!-- asks: post-norm, normed -->, in training as in evaluation;
# - *masks and options* (1 point), in both orders: causal and padding masks and any activation <!-- asks: masks, mask-device -->;
#   `bias` decides about the four projections of attention only <!-- asks: bias -->; dropout falls on the attention weights, on the activated
#   features, and on what each of the two sub-layers adds to the stream, in train mode only <!-- asks: dropout, feature-dropout, no-dropout -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Inside `feed_forward` are `linear1` and `linear2`, as in exercise 6.2; `d_ff` is four times `d_model` by default <!-- asks: d_ff -->. Both norms have PyTorch's ε, 1e-5. The [house rules](#house-rules) hold, with gradients for all parameters too <!-- asks: device, inputs-unchanged, gradient -->. `x` has shape (batch, seq, d_model) and is not empty. A token with nothing to attend to gives no NaN <!-- asks: masked-row -->. Pass the mask to `attention` unchanged and by name: its second argument is the keys.
# </details>
#
# <details><summary>Hint 1</summary>Write down for each sub-layer: what does it read, and what is added to what? The figure shows it.</details>
# <details><summary>Hint 2</summary>What runs past a sub-layer goes straight to the plus. In pre-norm the norm stands in the branch, in post-norm behind the plus.</details>
# <details><summary>Hint 3</summary>attention returns two things: its output and the weights.</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_transformer_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class TransformerBlock(nn.Module):
    """Attention, then a feed-forward network, each with a residual connection and a
    layer norm.
    """

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        ### BEGIN SOLUTION
        d_ff = d_ff or 4 * d_model
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()  # exercise 6.2 made of PyTorch's parts
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("activation", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    # (batch, seq, d_model) -> the same, and the weights
    def forward(self, x, mask=None):
        ### BEGIN SOLUTION
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights
        ### END SOLUTION

# %% tags=["uses-exercise"]
# y and weights of 3 sentences of 5 tokens
ab.beside([(3, 5, 6), (3, 2, 5, 5)], lambda: [tuple(part.shape) for part in
          TransformerBlock(d_model=6, num_heads=2)(torch.randn(3, 5, 6))])

# %% nbgrader={"grade": true, "grade_id": "ch06_transformer_block_check_pre", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.3, pre-norm: three sentences of five tokens, made-up weights."""
def gradient_(block, x):
    y, _ = block(x.requires_grad_())
    return torch.autograd.grad(y.square().sum(), x)[0]

def ordered_(**order):
    """The cases of one order, the base case first."""
    of, still = (ab.module(4, 2, d_ff=6, train=train, **order)
                 for train in (True, False))
    one = ab.case("x (3, 5, 4), d_ff = 6", x_, of=of, within=1e-8,
                  look="parameters values", hint="Nothing is dropped by default.")
    return [one, *ab.house_rules(one, only="views float64 inputs device"),
            one.but("in evaluation mode", of=still, look=("values",)),
            one.but("the gradient of x in evaluation mode", of=still, ask=gradient_,
                    look=("values",)),
            one.but("under no_grad, x stays as it is", look=("inputs",),
                    ask=torch.no_grad()(lambda block, x: block(x)))]

x_ = ab.numbers(3, 5, 4, seed=63).double()
ab.check("6.3 pre-norm", TransformerBlock, ordered_(), "x -> y, weights")
### BEGIN HIDDEN TESTS
base_ = ordered_()[0]
def tried(*cases):
    ab.check("6.3 pre-norm", TransformerBlock, [base_, *cases],
             like=reference("TransformerBlock"))

def sized(d_model, heads, d_ff, batch, seq, dtype=torch.float64, **options):
    return ab.case(f"TransformerBlock({d_model}, {heads}, {d_ff}), {batch} sentences "
                   f"of {seq} tokens, {options}, {dtype}",
                   (2 * ab.numbers(batch, seq, d_model, seed=seq) + 0.5).to(dtype),
                   of=ab.module(d_model, heads, d_ff, **options), look="dtype values",
                   within=1e-8 if dtype == torch.float64 else 1e-3)

several = [(15, 3, 11, 2, 7), (14, 7, 14, 1, 5), (6, 1, 29, 3, 1), (4, 2, 6, 2, 70)]
# Property: right for other sizes, in float64 and float32, output and weights [sizes]
tried(*(sized(*sizes, train=n % 2 == 0) for n, sizes in enumerate(several)),
      sized(6, 3, 5, 5, 6, dtype=torch.float32))
# Property: x stays as it was [inputs-unchanged]
tried(*ab.house_rules(sized(15, 3, 11, 2, 7), only="inputs"))
# Property: the gradients of x and of every parameter are right [gradient]
tried(*(case for train in (False, True) for case in ab.house_rules(
    sized(15, 5, 13, 2, 7, train=train), only="gradient")))
# Property: works on a transposed (non-contiguous) input, and on the device of its input [device]
tried(*ab.house_rules(sized(6, 2, 7, 3, 5), only="views device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch06_transformer_block_check_post", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.3, post-norm: the order of the 2017 paper."""
post_ = ordered_(norm_first=False)
ab.check("6.3 post-norm", TransformerBlock, post_, "x -> y, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.3 post-norm", TransformerBlock, [post_[0], *cases],
             like=reference("TransformerBlock"))

# Property: right for other sizes, output, weights and gradient [post-norm]
for n, (d_model, heads, d_ff, batch, seq) in enumerate(
        [(15, 3, 11, 2, 7), (14, 7, 14, 1, 5), (6, 1, 29, 3, 1), (6, 3, 5, 5, 6),
         (4, 2, 6, 2, 70)]):
    one = ab.case(f"TransformerBlock({d_model}, {heads}, {d_ff}, norm_first=False), "
                  f"{batch} sentences of {seq} tokens, train={n % 2 == 0}",
                  2 * ab.numbers(batch, seq, d_model, seed=seq).double() + 0.5,
                  of=ab.module(d_model, heads, d_ff, norm_first=False,
                               train=n % 2 == 0), look="dtype values", within=1e-8)
    tried(one, *(ab.house_rules(one, only="gradient inputs") if n < 2 else []))
# Property: every token leaves a fresh post-norm block with mean 0 and variance 1 [normed]
def normed(block, x):
    y = block(x)[0]
    far = y.mean(-1).abs().max(), (y.var(-1, unbiased=False) - 1).abs().max()
    return bool(far[0] < 1e-4), bool(far[1] < 1e-3)

tried(ab.case("a fresh block", 7 + 5 * ab.numbers(3, 5, 10), ask=normed,
              of=ab.module(10, 2, norm_first=False, weights={})))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch06_transformer_block_check_options", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.3, masks and options, in both orders."""
def both_(kind, x, mask):
    blocks = [ab.module(4, 2, d_ff=6, norm_first=first).make(kind, torch.float64)[0]
              for first in (True, False)]
    return [part for block in blocks for part in block(x.clone(), mask)]

def block_(words, *given, look="values", ask=None, steps=(), sizes=(4, 2), **options):
    of = ab.module(*sizes, **{"norm_first": True, **options})
    return ab.case(words, *given, look=look, ask=ask, steps=steps, within=1e-8, of=of)

def read_(block, x):
    """How far what the feed-forward network reads is from a norm of x."""
    read = [block.norm1(x)]
    block.feed_forward.forward = lambda h: read.append(h) or torch.zeros_like(h)
    block(x)
    return min((read[-1] - norm(x)).abs().max() for norm in (block.norm1, block.norm2))

def shares_(block, x):
    """Ones are added to zeros: how many are lost, what is kept, how many are alike."""
    y = block(x)[0]
    return [(y == 0).double().mean(), y.max(),
            *((y.diff(dim=n) == 0).double().mean() for n in range(3))]

def features_(block, x):
    kept = 1.5 * block.train()(x)[0] / block.eval()(x)[0]
    return [(kept - kept.round()).abs().max(), kept.amax(-1).var()]

def drops_(words, look, weights):
    of = ab.module(6, 3, 6, dropout=0.5, norm_first=True, weights=weights)
    return ab.case(words, torch.zeros(1500, 5, 6), ask=look, within=0.1, of=of)

causal_, six_ = torch.ones(5, 5).tril().bool(), torch.ones(6)
features_on_ = {"feed_forward.linear1.bias": six_,
                "feed_forward.linear2": six_.expand(6, 6)}
ab.check("6.3 masks and options", TransformerBlock, [
    ab.case("a causal mask, in both orders", x_, causal_, ask=both_, within=1e-8),
    *(block_(f"{words}, norm_first={first}", x_, norm_first=first, **more)
      for first in (True, False)
      for words, more in [
          ("no mask, d_ff by default", {}), ("bias=False", {"bias": False}),
          ("dropout=1: nothing is added", {"dropout": 1.0}),
          ("what linear1 reads, dropout=1", {"dropout": 1.0, "ask": read_})]),
    block_("a mask for padding (3, 1, 1, 5)", x_, causal_[2:, None, None]),
    block_("a table for each head", x_, torch.stack([causal_, causal_.T])[None]),
    block_("the first token sees nothing", x_, causal_.tril(-1)),
    block_("a single token that may not see itself", x_[:, :1], ~causal_[:1, :1]),
    block_("evaluation, dropout=0.5", x_, causal_, train=False, dropout=0.5),
    block_("a mask, and none after it", steps=[("", x_, causal_), ("", x_)]),
    block_("a mask on another device", x_, causal_, look="device"),
    *(block_(name, x_, activation=name) for name in ("gelu_tanh", "relu")),
    block_("the gradient of x is finite, dropout=1", x_, dropout=1.0, activation="relu",
           ask=lambda block, x: bool(gradient_(block, x).isfinite().all())),
    block_("attention, dropout=1", x_, dropout=1.0, ask=lambda b, x: b.attention(x)[0]),
    block_("the weights, dropout=0.5", x_, dropout=0.5, ask=lambda b, x: b(x)[1]),
    drops_("attention adds ones, dropout=0.5", shares_, {"attention.W_o.bias": six_}),
    drops_("how many of six equal features are added up", features_, features_on_),
], "x, mask -> y, weights")
### BEGIN HIDDEN TESTS
base_ = ab.case("a causal mask", -x_, causal_, ask=both_, within=1e-8)
def tried(*cases):
    ab.check("6.3 masks and options", TransformerBlock, [base_, *cases],
             like=reference("TransformerBlock"))

def each_(words, *given, **options):
    return [block_(f"{words}, norm_first={first}", *given, norm_first=first, **options)
            for first in (True, False)]

wide_ = ab.numbers(3, 7, 10, seed=68).double()
causal, real = torch.ones(7, 7).tril().bool(), torch.arange(7) < torch.tensor(
    [[7], [4], [2]])                        # (batch, seq): lengths 7, 4 and 2
# Property: right with a causal mask and with padding in a batch of unequal lengths, in both orders and with all activations [masks]
tried(*(case for name, train, mask in [
            ("relu", True, causal), ("gelu", False, real[:, None, None]),
            ("gelu_tanh", True, causal & real[:, None, None])]
        for case in each_(f"a mask, {name}", wide_, mask, sizes=(10, 5, 7),
                          train=train, activation=name)))
# Property: a token with nothing to attend to gives finite numbers, in the value and in the gradient [masked-row]
tried(*each_("an empty row", wide_[..., :6], causal.tril(-1), sizes=(6, 2),
             look="values gradient"))
# Property: bias=False leaves the biases of the norms and of the feed-forward network alone, and computes without the four others [bias]
tried(*each_("bias=False", wide_[..., :6], sizes=(6, 3, 5), bias=False,
             look="parameters values"))
# Property: without d_ff the feed-forward network is four times as wide as the token [d_ff]
tried(*each_("d_ff by default", wide_[..., :6], sizes=(6, 2), look="parameters"))
# Property: dropout falls on the attention weights, on the activated features, and on what each sub-layer adds to the stream, in train mode only [dropout]
tried(*each_("evaluation", wide_[..., :6], sizes=(6, 3), dropout=0.5, train=False),
      *(case for name in ("relu", "gelu", "gelu_tanh") for case in each_(
          f"dropout=1, {name}", wide_[..., :6], sizes=(6, 3), dropout=1.0,
          activation=name, look="values gradient")),
      *each_("attention alone", wide_[..., :6], sizes=(6, 3), dropout=1.0,
             ask=lambda block, x: block.attention(x)[0]),
      *(drops_(f"{name} adds ones", shares_, {f"{name}.bias": six_})
        for name in ("attention.W_o", "feed_forward.linear2")))
# Property: in the feed-forward network dropout falls on the activated features: after the activation, in front of linear2 [feature-dropout]
tried(drops_("activated features of 1", features_, features_on_))
# Property: without dropout, train and eval mode give the same [no-dropout]
tried(*(case for train in (True, False)
        for case in each_(f"train={train}", wide_[..., :6], sizes=(6, 2), train=train)))
# Property: a mask on the device of the input works there [mask-device]
tried(ab.case("a mask on another device", torch.zeros(2, 3, 6),
              torch.ones(3, 3).bool(), of=ab.module(6, 2), look="device"))
### END HIDDEN TESTS

# %% [markdown]
# We compare yours with PyTorch's block, with the same weights. PyTorch keeps $W_q$, $W_k$ and $W_v$ in one matrix, so we cut it in three:

# %% tags=["uses-exercise"]
def copy_weights(layer, block):
    """Copy the weights of an nn.TransformerEncoderLayer into a TransformerBlock."""
    ours = {}
    for name, value in layer.state_dict().items():
        name = name.replace("self_attn.out_proj", "attention.W_o")
        if "in_proj" in name:
            for letter, part in zip("qkv", value.chunk(3)):       # (64, 64) or (64,)
                ours[f"attention.W_{letter}.{name.split('_')[-1]}"] = part
        else:
            ours[name.replace("linear", "feed_forward.linear")] = value
    block.load_state_dict(ours)

# True = may attend: PyTorch's layers want the opposite
x_double, causal = x.double(), torch.ones(10, 10).tril().bool()
for layer, norm_first in [(pre, True), (post, False)]:
    block = TransformerBlock(64, 4, norm_first=norm_first).double()
    copy_weights(layer.double(), block)
    gaps = [(block(x_double, mask)[0] - layer(x_double, src_mask=blocked)).abs().max()
            for mask, blocked in [(None, None), (causal, ~causal)]]
    print(f"norm_first={norm_first!s:5}  differs from PyTorch by {gaps[0]:.6f} without "
          f"a mask, by {gaps[1]:.6f} with the causal one")

# %% [markdown]
# Now encoder against decoder: we change the last word, "hungry", to "cat", and count the positions at which the output moves.

# %% tags=["uses-exercise"]
other = x_double.clone()
other[0, -1] = vectors["cat"]
for name, mask in [("encoder, no mask    ", None), ("decoder, causal mask", causal)]:
    gap = (block(x_double, mask)[0] - block(other, mask)[0])[0]   # (10, 64)
    print(f"{name}  moved: {(gap.abs().amax(dim=-1) > 1e-6).sum().item():2d} of 10")

# %% [markdown]
# ## 6.4 Where the parameters are
#
# An `nn.Linear(3, 5)` learns $3 \cdot 5 + 5 = 20$ numbers. A GPT-2 block has
# `d_model = 768` and `d_ff = 3072`. **Predict, then run:** what percentage of its parameters belongs to attention?

# %% tags=["show"]
guess_share = None      # type a number of percent

# %% tags=["show"]
# @title The parameters of a block of GPT-2 small
layer = nn.TransformerEncoderLayer(768, 12, 3072, device="meta")  # no memory
counts = {name: sum(p.numel() for part in parts for p in part.parameters())
          for name, parts in {"attention": [layer.self_attn],
                              "feed-forward": [layer.linear1, layer.linear2],
                              "norms": [layer.norm1, layer.norm2]}.items()}
for name, n in counts.items():
    print(f"{name:13} {n:9,d}   {n / sum(counts.values()):6.1%}")
print(f"{'block':13} {sum(counts.values()):9,d}")
check_guess("percent of the parameters in attention", guess_share,
            round(100 * counts["attention"] / sum(counts.values()), 1))
fig, ax = plt.subplots(figsize=(7.2, 1.5))
left = 0
for name, colour in zip("W_q W_k W_v W_o linear1 linear2".split(), [0] * 4 + [1] * 2):
    n = (counts["attention"] / 4 if colour == 0
         else sum(p.numel() for p in getattr(layer, name).parameters())) / 1e6
    ax.barh(0, n, left=left, color=OKABE_ITO[colour], edgecolor="white")
    ax.text(left + n / 2, 0, name, ha="center", va="center",
            color="black" if colour else "white")
    left += n
ax.barh(0, counts["norms"] / 1e6, left=left, color="black")
ax.spines["left"].set_visible(False)
ax.set(yticks=[], xlabel="million parameters",
       title="A block of GPT-2 small: attention in blue, feed-forward in orange, norms "
             "in black")
show(fig, "A bar of 7.1 million parameters, cut into its parts: W_q, W_k, W_v and W_o "
          "have 0.6 million each, linear1 and linear2 2.4 million each, the norms so "
          "few that they hardly show.")

# %% [markdown]
# Attention has a third. Two thirds are the plain feed-forward network.
#
# ### Exercise 6.4 · Counting a block · 1 point · about 4 minutes
#
# Write the number of parameters of a `TransformerBlock` as a formula; `d_ff` and `bias` mean what they mean there. Why does `num_heads` not appear?
#
# It is right for all sizes <!-- asks: values -->, for the default `d_ff` <!-- asks: d_ff --> and for `bias=False` <!-- asks: bias -->, and
# a whole number <!-- asks: whole -->.
#
# <details><summary>Hint 1</summary>Which parts have a bias always, and which only if bias=True?</details>
# <details><summary>Hint 2</summary>A linear layer from a to b features: a · b numbers, and b more with a bias. A norm has two vectors.</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_block_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def block_parameters(d_model, d_ff=None, bias=True):
    """How many numbers a TransformerBlock learns."""
    ### BEGIN SOLUTION
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (4 * d_model if bias else 0)
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    norms = 2 * 2 * d_model
    return attention + feed_forward + norms
    ### END SOLUTION

# %% tags=["uses-exercise"]
ab.beside([16, 12], lambda: [block_parameters(1, 1, bias=bias)
                             for bias in (True, False)])

# %% nbgrader={"grade": true, "grade_id": "ch06_block_parameters_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.4: small sizes, GPT-2's, and a count that float32 cannot hold."""
def counted_(*sizes, **bias):
    named = [f"{name} = {n}" for name, n in zip(("d_model", "d_ff"), sizes)]
    return ab.case(", ".join([*named, *("without bias" for _ in bias)]), *sizes, **bias,
                   look="dtype values", within=1e-9)

ab.check("6.4 count", block_parameters, [
    counted_(3, 5, bias=False), counted_(3, 5), counted_(3), counted_(3, bias=False),
    counted_(6, 7), counted_(768, 3072), counted_(1601, 6402),
], "d_model, d_ff, bias -> the count")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.4 count", block_parameters, cases, like=reference("block_parameters"))

sizes = [(6, 7), (10, 40), (64, 256), (35, 1), (768, 3072), (21, 500)]
# Property: right for every size [values]
tried(*(counted_(*given) for size in sizes for given in (size, (*size, True))))
# Property: bias=False takes the biases of the four projections and nothing else [bias]
tried(*(counted_(*size, bias=False) for size in sizes))
# Property: without d_ff the feed-forward network is four times as wide as the token [d_ff]
tried(*(counted_(n, **bias)
        for n in (1, 12, 768, 1600) for bias in ({}, {"bias": False})))
# Property: gives a whole number [whole]
tried(*(counted_(7, d_ff, bias=bias) for d_ff in (None, 9) for bias in (True, False)))
### END HIDDEN TESTS

# %% [markdown]
# (Heads only cut the same matrices into strips.) Here are all blocks of the four GPT-2s; chapter 8 adds the embeddings:

# %% tags=["uses-exercise"]
for name, depth, d_model in [("GPT-2 small", 12, 768), ("medium", 24, 1024),
                             ("large", 36, 1280), ("XL", 48, 1600)]:
    one = block_parameters(d_model)
    print(f"{name:12} {depth} blocks of {one:10,d} = {depth * one:13,d}")

# %% [markdown]
# ## 6.5 What reaches the first block
#
# To learn, the first block needs to know what its change would do to the loss at the top. Take 24 layers that each multiply
# by 0.3. The chain rule multiplies the slopes: $0.3^{24} \approx 3 \cdot 10^{-13}$, next to nothing. With a residual connection each factor is $1 + f'$ instead of
# $f'$: $1.3^{24} \approx 543$ if all slopes are $0.3$, $0.7^{24} \approx 0.0002$ if all are $-0.3$. Neither is next to nothing: the gradient, too, has a path past the layer.
#
# ### Exercise 6.5 · Gradient norms · 2 points · about 9 minutes
#
# Send `x` through the blocks, one after the other, take the loss `y[..., 0].sum()` of the last output `y`, and return for each block
# the L2 norm of all its parameter gradients together. A block returns `(x, weights)`, as yours does.
#
# - *norms* (1 point): for any number of blocks and sentences, in a list or an `nn.ModuleList` <!-- asks: sizes, modulelist -->.
# - *parts and state* (1 point): with `part="W_q"`, only parameters count whose name in the block contains `"W_q"`, as in `attention.W_q.weight`
#   (the default `""` is in every name) <!-- asks: part -->. Gradients that the parameters held before
#   must not count, and the blocks, with their parameters and their mode, stay as they are <!-- asks: state -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `x` stays as it is <!-- asks: inputs-unchanged -->. A part that no name contains gives 0.
# A parameter without a gradient counts as 0: one that the forward pass does not use, or one frozen with `requires_grad_(False)` <!-- asks: frozen -->.
# </details>
#
# <details><summary>Hint 1</summary>backward() adds to what .grad holds already. What if the function is called twice?</details>
# <details><summary>Hint 2</summary>The length of a long vector, if you know the lengths of its pieces: Pythagoras, not a plain sum.</details>
# <details><summary>Hint 3</summary>Forward through all blocks first; one backward from the top; then read p.grad, which is None where
# nothing arrived.</details>
# <details><summary>Hint 4</summary>A module tells its parameters with their names; `in` asks whether one text contains another.</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_gradient_norms", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gradient_norms(blocks, x, part=""):
    """For the loss y[..., 0].sum() of the last output y: the L2 norm of the parameter
    gradients, block by block.

    part: only parameters whose name contains it count; "" is in every name.
    """
    ### BEGIN SOLUTION
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    norms = []
    for block in blocks:
        grads = [p.grad for name, p in block.named_parameters()
                 if part in name and p.grad is not None]
        norms.append(math.sqrt(sum(grad.square().sum() for grad in grads)))
    return norms
    ### END SOLUTION

# %% tags=["uses-exercise"]
# one feature, one head; W_q, W_k, W_v, W_o are numbers
block = MultiHeadAttention(1, 1, bias=True)
with torch.no_grad():
    for p in block.parameters():
        p.fill_(0.)
    block.W_v.weight.fill_(2.), block.W_o.weight.fill_(3.)
one = torch.tensor([[[1.]]])  # y = 3 (2 x + 0) + 0 with x = 1
# gradients: W_o 2, its bias 1, W_v 3, its bias 3; W_q and W_k 0: √(4 + 1 + 9 + 9) = √23
ab.beside(23 ** 0.5, lambda: float(gradient_norms([block], one)[0]))
ab.beside(5 ** 0.5, lambda: float(gradient_norms([block], one, part="W_o")[0]))
ab.beside(0.0, lambda: float(gradient_norms([block], one, part="W_q")[0]))

# %% nbgrader={"grade": true, "grade_id": "ch06_gradient_norms_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["MultiHeadAttention"] checks=["reference"]
"""Exercise 6.5, norms: towers of attention that hold made-up numbers."""
def tower_(measure, depth, x, heads=1):
    """The blocks; what yours is compared with measures blocks of its own."""
    kind = MultiHeadAttention if measure is gradient_norms else type(layers[0])
    d = x.size(-1)
    blocks = [kind(d, heads, bias=True).to(x.dtype) for _ in range(depth)]
    for block, four in zip(blocks, ab.numbers(depth, 4, d + 1, d) / d ** 0.5):
        block.load_state_dict({
            f"W_{letter}.{kind}": part for letter, one in zip("qkvo", four)
            for kind, part in (("weight", one[1:]), ("bias", one[0]))})
    return blocks

def norms_(measure, depth, x, *part, heads=1, pack=list):
    blocks = pack(tower_(measure, depth, x, heads))
    return [float(norm) for norm in measure(blocks, x, *part)]

class Linear_(nn.Module):
    """A block that holds a sentence, and perhaps a part that it does not use."""
    def __init__(self, x, spare):
        super().__init__()
        self.register_buffer("x", x)
        self.used, self.spare = nn.Linear(2, 2), nn.Linear(2, 2) if spare else None

    def forward(self, x, mask=None):
        return self.used(x), None

def asks_(measure, x, spare=False):
    """Whether the sentence asks for gradients afterwards."""
    block = Linear_(x, spare)
    try:
        measure([block], x.clone()), measure([block], block.x)
    except Exception as error:        # graded, an answer cannot copy a block of a check
        if type(error).__name__ != "BridgeError":
            raise
    return not spare and block.x.requires_grad

x_ = ab.numbers(2, 3, 2, seed=5)
two_ = ab.case("two blocks, two sentences of three tokens", 2, x_, ask=norms_)
ab.check("6.5 norms", gradient_norms, [
    two_,
    ab.case("one sentence", 2, x_[:1], ask=norms_),
    *(ab.case(f"depth {n}", n, x_, ask=norms_) for n in (1, 4)),
    ab.case("x asks for no gradient afterwards", x_, ask=asks_),
    ab.case("x stays as it is", tower_(gradient_norms, 2, x_), x_, look="inputs"),
], "x -> the norm of block 1, the norm of block 2")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.5 norms", gradient_norms, [two_, *cases],
             like=reference("gradient_norms"))

# Property: right for any number of blocks, any size and any number of sentences [sizes]
tried(*(ab.case(f"depth {depth}, d_model = {d}, {heads} heads, {n} sentences, {dtype}",
                depth, ab.numbers(n, seq, d, seed=90).to(dtype), ask=norms_,
                heads=heads)
        for depth, d, heads, n, seq, dtype in [
            (1, 6, 2, 3, 5, torch.float64), (3, 10, 5, 2, 7, torch.float64),
            (5, 7, 1, 1, 3, torch.float32), (2, 4, 2, 4, 4, torch.float64)]))
# Property: x stays as it was [inputs-unchanged]
wide_ = ab.numbers(2, 5, 6, seed=91)
tried(ab.case("x asks for no gradient afterwards", ab.numbers(3, 4, 2), ask=asks_),
      ab.case("x stays as it is", tower_(gradient_norms, 2, wide_), wide_,
              look="inputs"))
# Property: the blocks may be an nn.ModuleList [modulelist]
tried(ab.case("an nn.ModuleList", 2, wide_, ask=norms_, pack=nn.ModuleList))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch06_gradient_norms_check_state", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["MultiHeadAttention"] checks=["reference"]
"""Exercise 6.5, parts and state: the same two blocks."""
def kept_(measure, x, part, frozen=(), train=True):
    """The norms, what is frozen afterwards, and the mode. There are old gradients."""
    blocks = tower_(measure, 2, x)
    for block in blocks:
        block.train(train)
        for p in block.parameters():
            p.grad = torch.ones_like(p)
    measure(blocks, 3 * x)
    for name in frozen:
        getattr(blocks[0], name).requires_grad_(False)
    norms = [float(norm) for norm in measure(blocks, x, *part)]
    free = [p.requires_grad for block in blocks for p in block.parameters()]
    return [*norms, str(free), str([block.training for block in blocks])]

all_ = ("W_q", "W_k", "W_v", "W_o")
ab.check("6.5 parts and state", gradient_norms, [
    two_,
    *(ab.case(f"part = {part!r}", 2, x_, part, ask=norms_)
      for part in ("W_v", "W_o.bias", "bias", "W_q", "nowhere", "W.v", "w_v", "0")),
    ab.case("where old gradients are left", x_, (), ask=kept_),
    ab.case("in evaluation mode", x_, (), train=False, ask=kept_),
    ab.case("W_v of the first block is frozen", x_, (), ["W_v"], ask=kept_),
    ab.case("the same, part = 'nowhere'", x_, ("nowhere",), ["W_v"], ask=kept_),
    ab.case("the first block is frozen", x_, (), all_, ask=kept_),
    ab.case("a block with a part that is not used", x_, True, ask=asks_),
], "x -> the norm of block 1, the norm of block 2")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.5 parts and state", gradient_norms, [two_, *cases],
             like=reference("gradient_norms"))

# Property: part counts only the parameters whose name contains it [part]
wide_ = ab.numbers(2, 5, 6, seed=92).double()
tried(*(ab.case(f"part = {part!r}, {depth} blocks", depth, wide_, part, heads=3,
                ask=norms_)
        for depth in (1, 2)
        for part in ("W_k.weight", "W_v", "weight", "o.b", "W_q", "other", "W.v")))
# Property: what the gradients were before does not count, and the parameters and the mode of the blocks stay as they are [state]
def weights(measure, x):
    blocks = tower_(measure, 2, x)
    measure(blocks, x)
    return [W.weight.detach() for block in blocks for W in (block.W_q, block.W_o)]

tried(*(ab.case(f"train = {train}", wide_, (), train=train, ask=kept_)
        for train in (True, False)),
      ab.case("the parameters afterwards", wide_, ask=weights))
# Property: a parameter that gets no gradient counts as 0 [frozen]
tried(*(ab.case(f"{frozen} of the first block frozen, part = {part}", wide_, part,
                frozen, ask=kept_)
        for part in ((), ("W_q",)) for frozen in (["W_v"], all_)),
      ab.case("a block with a part that is not used", x_, True, ask=asks_))
### END HIDDEN TESTS

# %% [markdown]
# ### The experiment
#
# We compare four towers, alike in everything but the norms and the plus signs. They have PyTorch's default initialisation, as your blocks come.

# %% tags=["uses-exercise"]
class WithoutResidual(TransformerBlock):
    """Your block without its two plus signs."""

    def forward(self, x, mask=None):
        attended, weights = self.attention(self.norm1(x), mask=mask)
        return self.feed_forward(self.norm2(attended)), weights

KINDS = ["pre-norm", "post-norm", "no residual", "no residual, no norm"]
sentences = torch.randn(4, 10, 32, generator=torch.Generator().manual_seed(6)).double()

def make_blocks(kind, depth, d_model=32, seed=6):
    torch.manual_seed(seed)
    family = WithoutResidual if "no residual" in kind else TransformerBlock
    blocks = nn.ModuleList([family(d_model, 4, norm_first=kind != "post-norm")
                            for _ in range(depth)])
    for block in blocks if "no norm" in kind else []:
        block.norm1 = block.norm2 = nn.Identity()
    return blocks

# %% [markdown]
# **Predict, then run.** In which of the four does the gradient die on its way to the first of 24 blocks?

# %% tags=["show"]
guess_dies = None      # type one of the four names in KINDS

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
# @title The gradient norm of each block, in towers of 2, 8 and 24
fig, axes = plt.subplots(
    1, 3, figsize=(7.2, 3), sharey=True, width_ratios=[1, 1.4, 2.2])
first = {}
for ax, depth in zip(axes, (2, 8, 24)):
    for kind, marker in zip(KINDS, "osv^"):
        norms = gradient_norms(make_blocks(kind, depth).double(), sentences)
        ax.plot(range(1, depth + 1), norms, marker + "-", markersize=3.5, linewidth=1,
                label=kind)
        first[kind] = norms[0]
    ax.set(yscale="log", xlabel="block", title=f"{depth} blocks")
axes[0].set(ylabel="gradient norm of a block", xticks=[1, 2])
axes[2].legend(frameon=False, loc="lower right")
show(fig, "Gradient norm of each block on a logarithmic scale, for 2, 8 and 24 blocks. "
          "Pre-norm, post-norm and no residual with norms stay near 100 in all blocks. "
          "Without residual and without norm the gradient falls about ten times per "
          "block on its way down, to nearly nothing in the first of 24 blocks.")
for kind in KINDS:
    print(
        f"{kind:21} first of 24 blocks: 10 to the power {math.log10(first[kind]):.0f}")
check_guess("where the gradient dies", guess_dies, min(first, key=first.get))

# %% [markdown]
# It dies only without norms *and* without plus signs: there almost nothing reaches the first block. But layer norms alone seem
# to be enough. So do we need the plus signs at all?
#
# ### What breaks if… the residual connections are left out
#
# *Repeat after me*: random words from a vocabulary of 16 go in, and every position has to give back its own word. Blind
# guessing costs $\ln 16 = 2.77$.

# %% tags=["uses-exercise"]
def learn_to_echo(blocks, d_model=32, steps=40, rate=1e-3, mask=None, vocabulary=16):
    """Train a tower to give back each word; returns the loss of every step."""
    generator = torch.Generator().manual_seed(6)
    embed, read = nn.Embedding(vocabulary, d_model), nn.Linear(d_model, vocabulary)
    nn.init.normal_(embed.weight, generator=generator)
    nn.init.xavier_uniform_(read.weight, generator=generator), nn.init.zeros_(read.bias)
    model = nn.ModuleList([embed, blocks, read]).to(device)
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=rate), []
    for _ in range(steps):
        # 32 sentences of 8 words
        ids = torch.randint(vocabulary, (32, 8), generator=generator).to(device)
        h = embed(ids)
        for block in blocks:
            h, _ = block(h, mask)
        logits = read(F.layer_norm(h, (d_model,)))  # (32, 8, 16)
        loss = F.cross_entropy(logits.flatten(0, 1), ids.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# %% [markdown]
# **Predict, then run:** what is the loss of 24 blocks without residual connections, with norms, after 40 steps?

# %% tags=["show"]
guess_loss = None      # type a number

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
# @title Four towers learn to repeat, with 2, 8 and 24 blocks
runs = {(kind, depth): learn_to_echo(make_blocks(kind, depth))
        for kind in KINDS for depth in (2, 8, 24)}
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3), sharey=True)
for i, (kind, marker) in enumerate(zip(KINDS, "osv^")):
    left.plot(runs[kind, 24], color=OKABE_ITO[i], label=kind)
    last = [runs[kind, depth][-1] for depth in (2, 8, 24)]
    right.plot(["2 blocks", "8 blocks", "24 blocks"], last, marker + "--",
               color=OKABE_ITO[i], linewidth=0.8)
    print(f"{kind:21} loss after 40 steps with 2, 8 and 24 blocks: "
          + "   ".join(f"{loss:.2f}" for loss in last))
for ax in (left, right):
    ax.axhline(math.log(16), color="grey", linewidth=0.8, linestyle=":")
draw_guess(left, guess_loss)
left.set(xlabel="step", ylabel="loss", ylim=(0, 4),
         title="24 blocks: two learn to echo")
right.set(xlim=(-0.3, 2.3), title="Loss after 40 steps, by depth")
left.legend(frameon=False, loc=(0.3, 0.33))
show(fig, "Left: loss over 40 steps with 24 blocks. Pre-norm and post-norm fall to "
          "about 0.05; the two without residual connections stay at blind guessing, "
          "2.77. Right: loss after 40 steps by depth: the two with plus signs learn at "
          "every depth, the two without a little with 2 blocks and nothing with more.")
check_guess(
    "loss of 24 blocks, no residual", guess_loss, round(runs["no residual", 24][-1], 2))

# %% [markdown]
# The towers with plus signs learn it, at every depth. In the tower with norms but without plus signs the gradient arrives in every block, and yet with 8 blocks or more the tower learns nothing. Is it only slow? With 24 blocks it stays at blind guessing even with five times the steps, smaller steps or other seeds ([all runs](deeper.ipynb#does-patience-help)).

# %% [markdown]
# ### One number hid it
#
# One norm over *all* parameters of a block hides what happens to some of them.

# %% [markdown]
# Now your `part` separates them: we compare queries and keys ($W_q$ and $W_k$ together) with all parameters.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def queries_and_keys(blocks, x):
    pairs = zip(gradient_norms(blocks, x, "W_q"), gradient_norms(blocks, x, "W_k"))
    return [math.hypot(float(q), float(k)) for q, k in pairs]

for kind in KINDS[:3]:
    blocks = make_blocks(kind, 24).double()
    for name, norms in [("all parts", gradient_norms(blocks, sentences)),
                        ("queries, keys", queries_and_keys(blocks, sentences))]:
        print(f"{kind:12} {name:14} in block 1, 4 and 24:", *(
            f"{norms[n]:7.0e}" if norms[n] > 1e-12 else "< 1e-12" for n in (0, 3, 23)))

# %% [markdown]
# Without residual connections and with this initialisation, queries and keys get *no gradient* from block 4 on; the norm over all parts comes from the others. (A larger initialisation only delays this by a block or two.) With plus signs they get a gradient in every block.
#
# ## 6.6 What is left of a word
#
# In section 6.1 a sentence faded and blurred. To follow the blur, we need the tokens after every block.
#
# ### Exercise 6.6 · The stack · 1 point · about 4 minutes
#
# Send `x` through the blocks and return the list of what comes out of each: first block first, without the input. Every block
# gets the mask as it was given, `None` too <!-- asks: mask -->.
#
# Any number of blocks <!-- asks: values -->, any dtype and several sentences <!-- asks: dtype -->; `x` stays as it was, and each entry is a
# tensor of its own <!-- asks: separate -->.
#
# <details><summary>Hint 1</summary>What does the second block read? And what does a block return besides that?</details>

# %% nbgrader={"grade": false, "grade_id": "ch06_stack", "locked": false, "schema_version": 3, "solution": true, "task": false}
def stack(blocks, x, mask=None):
    """The representations after each block, in order."""
    ### BEGIN SOLUTION
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states
    ### END SOLUTION

# %% tags=["uses-exercise"]
def plus_one(x, mask=None):                                 # stands in for a block
    return x + 1, None

ab.beside([[[[1.0]]], [[[2.0]]], [[[3.0]]]],
          lambda: stack([plus_one, plus_one, plus_one], torch.zeros(1, 1, 1)))

# %% nbgrader={"grade": true, "grade_id": "ch06_stack_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 6.6: small functions in place of blocks."""
def add_one_(x, mask=None):
    return x + 1, "weights"

def double_(x, mask=None):
    return 2 * x, "weights"

def count_(x, mask=None):
    seen = x.new_ones(x.size(1)) if mask is None else mask.to(x).sum(-1)
    return x + seen[:, None], "weights"

def masks_(stack, *given):
    """The masks that two blocks get."""
    asked = []
    def block(x, mask):                                   # one that wants its mask
        asked.append(mask)
        return x + 1, "weights"
    stack([block, block], *given)
    return asked

x_ = torch.tensor([[[1.], [5.]]])
mask_ = torch.tensor([[True, False], [True, True]])
three_ = ab.case("blocks that add 1, double, and add how many tokens are seen",
                 [add_one_, double_, count_], x_, mask_,
                 hint="The list is made anew in each call, an entry for each block.")
ab.check("6.6 stack", stack, [
    three_,
    ab.case("double, then add 1; without a mask", [double_, add_one_], x_),
    *(ab.case(f"the masks that two blocks get: {words}", x_, *mask, ask=masks_,
              look="dtype values") for words, mask in [
        ("a boolean one", [mask_]), ("none is given", []), ("mask=None", [None]),
        ("one that hides nothing", [mask_ | ~mask_]),
        ("one of the numbers 0.5, 0, 1 and 2", [torch.tensor([[0.5, 0.], [1., 2.]])])]),
    *(ab.case(f"{n} blocks that add 1", n * [add_one_], x_) for n in (0, 5)),
    ab.case("float64", [double_, add_one_], x_.double(), look="dtype values"),
    ab.case("x stays as it is", [double_], x_, look="inputs"),
], "blocks, x, mask -> the list")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("6.6 stack", stack, cases, like=reference("stack"))

def average(x, mask=None):
    allowed = torch.ones(x.size(1), x.size(1)) if mask is None else mask
    weights = allowed.to(x) / allowed.sum(-1, keepdim=True).to(x)
    return x + weights @ x, weights

causal = torch.ones(5, 5).tril().bool()
padded = causal & (torch.arange(5) < torch.tensor([5, 3, 1])[:, None])[:, None]
# Property: each block reads what the one before gave, for any number of blocks [values]
tried(*(ab.case(f"{depth} blocks that multiply x by a matrix", [
            lambda x, mask=None, m=m: (x @ m.to(x), x.sum())
            for m in ab.numbers(depth, n[-1], n[-1], seed=depth)],
                ab.numbers(*n, seed=70).double(), look="values inputs", within=1e-7)
        for depth, n in [(1, (2, 3, 5)), (4, (1, 7, 2)), (31, (3, 2, 2)),
                         (0, (1, 2, 3))]))
# Property: the same mask reaches every block, as it was given [mask]
tried(ab.case("a causal mask", ab.numbers(2, 5, 4), causal, ask=masks_,
              look="dtype values"),
      ab.case("no mask", ab.numbers(2, 5, 4), ask=masks_))
# Property: right for blocks that average over the tokens the mask allows, in float64 and float32, with several sentences [dtype]
tried(*(ab.case(f"4 blocks that average, {words}, {dtype}", 4 * [average],
                ab.numbers(3, 5, 7, seed=71).to(dtype), mask, look="dtype values")
        for dtype in (torch.float64, torch.float32)
        for words, mask in [("no mask", None), ("a causal mask", causal),
                            ("a mask for each sentence", padded)]))
# Property: the entries are different tensors, so that a later block does not overwrite an earlier entry [separate]
tried(ab.case("4 blocks that add 1", 4 * [add_one_], torch.zeros(1, 2, 3)))
### END HIDDEN TESTS

# %% [markdown]
# One figure shows it all, before any training: how different neighbours still are (1 minus their cosine), between which bounds the attention weights lie, and what gradient
# queries and keys get.

# %% tags=["show", "uses-exercise"]
# @title Words, weights and gradients on every floor
fig, axes = plt.subplots(3, 1, figsize=(7.2, 6.4), sharex=True)
places = range(1, 25)
for kind, marker, color in zip(KINDS[:3], "osv", OKABE_ITO):
    blocks = make_blocks(kind, 24).double()
    with torch.no_grad():
        states = [sentences, *stack(blocks, sentences)]
        weights = [block(state)[1] for block, state in zip(blocks, states)]
    apart = [max(1 - alike(state), 1e-16) for state in states]
    low, high = [w.min().item() for w in weights], [w.max().item() for w in weights]
    axes[0].plot(range(25), apart, marker + "-", markersize=3.5, color=color,
                 label=kind)
    axes[1].fill_between(places, low, high, color=color, alpha=0.3)
    axes[1].plot(places, low, color=color), axes[1].plot(places, high, color=color)
    axes[2].plot(places, queries_and_keys(blocks, sentences), marker + "-",
                 markersize=3.5, color=color)
    axes[2].plot(places, gradient_norms(blocks, sentences), "--", linewidth=0.9,
                 color=color)
    for place in (4, 24):
        print(f"{kind:12} after {place:2d} blocks: 1 - cosine {apart[place]:.2f}, "
              f"weights from {low[place - 1]:.4f} to {high[place - 1]:.4f}")
axes[0].set(yscale="log", ylim=(1e-17, 10), ylabel="1 − cosine",
            title="No residual, PyTorch's initialisation: equal words after 4 blocks")
axes[1].set(ylabel="attention weight",
            title="Equal words get equal weights, 0.1 each (smallest and largest)")
axes[2].set(yscale="log", ylim=(1e-17, 1e4), xlabel="block", ylabel="gradient norm",
            title="Where words are equal, queries and keys get no gradient (dashed: "
                  "all parts)")
axes[0].legend(frameon=False, loc="center right")
show(
    fig,
    "Three panels over 24 blocks, for pre-norm, post-norm and no residual. Above, one "
    "minus the cosine of neighbours on a logarithmic scale: pre-norm and post-norm "
    "stay between 1 and 0.1, no residual falls below 0.0000000001 within four blocks "
    "of PyTorch's own initialisation. "
    "Middle, the band between smallest and largest attention weight: open with plus "
    "signs, closed at 0.1 from block 3 on without. Below, the gradient of queries and "
    "keys falls where the band closes, while that of all parts stays near 100.")

# %% [markdown]
# Read the three panels together. With this initialisation and without residual connections, the tokens are equal after
# four blocks. Then all weights are 0.1, and queries and keys get no gradient. Why? Equal tokens have equal keys, and
# equal keys have equal scores: whatever the query, nothing can be chosen. So no change of $W_q$ or $W_k$ changes the
# output. This is known as *rank collapse*: attention alone loses what tells the tokens apart (Dong
# and others, 2021), and the gradients of queries and keys then vanish (Noci and others, 2022).
#
# <!-- interactive page -->
# On the interactive page, move the number of blocks in "What is left of a word".

# %% [markdown]
# ### Is it the blur that hurts? A control
#
# If the blur hurts, a tower in which attention *cannot mix* the tokens must learn even without plus signs. A mask lets each token see only itself. Queries and keys get no gradient then either: a single weight is 1 with any score.

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
alone = torch.eye(8, dtype=torch.bool, device=device)
for name, mask in [("tokens mixed    ", None), ("each token alone", alone)]:
    losses = learn_to_echo(make_blocks("no residual", 8), steps=100, mask=mask)
    print(f"no residual, 8 blocks, {name}: loss after 100 steps {losses[-1]:.2f}")

# %% [markdown]
# So the blur hurts, and the missing gradient of queries and keys is its symptom. (With 24 blocks this tower needs smaller steps as well:
# [that run, and a second control](deeper.ipynb#is-it-the-tokens).)
#
# ### How much of the old gets through
#
# Is a plus sign all it takes, wherever the norms stand? We try three initialisations:
#
# - *nn.Linear*, as so far: numbers uniform between $\pm 1/\sqrt{n}$ for $n$ inputs. With variance $\frac{1}{3n}$, each matrix makes
#   features about $1/\sqrt3 \approx 0.58$ times as large.
# - *Xavier*, which `nn.Transformer` takes instead: a square matrix keeps the size of its input.
# - *gentle*: Xavier, and then the last matrix of each branch, `W_o` and `linear2`, is divided by $\sqrt{2 \cdot 24}$.

# %% tags=["uses-exercise"]
def xavier(blocks):
    for p in blocks.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return blocks

@torch.no_grad()
def gentle(blocks):
    for block in blocks:
        block.attention.W_o.weight /= math.sqrt(2 * len(blocks))
        block.feed_forward.linear2.weight /= math.sqrt(2 * len(blocks))
    return blocks

INITIALISATIONS = {"nn.Linear": lambda blocks: blocks, "Xavier": xavier,
                   "Xavier, gentle": lambda blocks: gentle(xavier(blocks))}

# %% [markdown]
# We train three towers with plus signs, the third without norms. The cell prints how different neighbours are at the top before training, and the loss after 40 steps:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
for kind in ("pre-norm", "post-norm", "no norm"):
    for name, initialised in INITIALISATIONS.items():
        blocks = initialised(make_blocks(kind, 24))
        with torch.no_grad():
            top = stack(blocks.double(), sentences)[-1]
        loss = learn_to_echo(blocks.float())[-1]
        print(f"{kind:10} {name:15} 1 - cosine {1 - alike(top):5.1g}   loss {loss:.2f}")

# %% [markdown]
# Post-norm with Xavier initialisation is back at blind guessing, and almost none of the words' difference is left: each of the 48 norms shrinks the old together with what was added. With the gentle initialisation the same tower learns. The same holds without norms. Pre-norm learns with all three: its branches read size 1 while the stream grows, so compared with the stream later blocks add less and less.
#
# What counts is how much of the old each sum lets through: a plus sign makes it possible, initialisation and norms decide how much. (The usual advice for post-norm,
# warm-up, [helps little](deeper.ipynb#does-warm-up-help) here. GPT-2 divides the last matrices by $\sqrt{2 \cdot \mathrm{layers}}$, in pre-norm, and so will your GPT in chapter 8.)
#
# ### Make it yours
#
# Build a tower of your own: any kind, depth, initialisation or mask. Say what you expect, then test it.

# %% tags=["uses-exercise", "show", "tolerance-0.1"]
expectation = "Post-norm, 8 blocks, Xavier's initialisation: learns to echo"   # yours
mine = xavier(make_blocks("post-norm", 8))  # a kind of KINDS or "no norm", a depth
losses = learn_to_echo(mine, steps=40, rate=1e-3)
print(f"{expectation}: loss {losses[-1]:.2f}, blind guessing {math.log(16):.2f}")

# %% [markdown]
# ## Summary
#
# What do two plus signs do that layer norms cannot? They let each block *add to* what it was given instead of replacing it. Attention
# averages, and after a few blocks of averages all words are one vector. Layer norm brings back the size of tokens and
# gradients, but not the words, and without different words queries and keys have nothing to learn. Along the residual stream words stay different, as long as each block adds little: a small initialisation or norms in the branches ensure that.

# %% [markdown]
# Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# You can now
#
# - write layer norm, GELU, the feed-forward network and the block, in agreement with PyTorch's own (6.1 to 6.3)
# - count the parameters of a block before you build it: two thirds of them are not attention (6.4)
# - measure what depth does, and say why a deep stack needs its plus signs, and what its initialisation does (6.5, 6.6)
#
# **Next.** Chapter 7 stacks the block into the Transformer of 2017.
#
# ## Further reading
#
# - Vaswani et al., *Attention Is All You Need* (2017), sections 3.1 and 3.3: the block, post-norm, with ReLU.
# - Ba, Kiros and Hinton, *Layer Normalization* (2016), section 3.
# - He et al., *Deep Residual Learning for Image Recognition* (2016), section 3: where the plus comes from.
# - Hendrycks and Gimpel, *Gaussian Error Linear Units* (2016), section 2.
# - Glorot and Bengio, *Understanding the Difficulty of Training Deep Feedforward Neural Networks* (2010), section 4.2: Xavier's initialisation.
# - Xiong et al., *On Layer Normalization in the Transformer Architecture* (2020), section 3: both orders and their gradients.
# - Dong, Cordonnier and Loukas, *Attention Is Not All You Need* (2021), section 2: the blur, proved.
# - Noci et al., *Signal Propagation in Transformers* (2022), section 3: silent queries and keys, and the gentle initialisation.
