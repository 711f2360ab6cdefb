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
# # 4 · Many heads
#
# *110 minutes · ●●●○○ · 8 exercises, 15 points · you need chapters 1 to 3*
#
# > **Canis** felem mordet. &nbsp; Felem mordet **canis**. &nbsp; Mordet felem **canis**.
#
# Three ways to say in Latin that the dog bites the cat: the endings tell who is who. The verb *mordet*,
# "bites", has two questions: who, and whom? A head of attention gives it **one** row of weights, and so
# **one** average of the other words. **What becomes of the second question? And what does it cost to have it answered?**
#
# **After this chapter you can**
#
# - build many heads as a list, and as one fast layer, equal to PyTorch's own to 1e-6
# - trace every shape, and recognise a wrong transpose that has the right shape
# - say what one head loses and what more heads cost, draw what heads look at, and switch one off

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"
torch.manual_seed(4)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)  # small matrices: more threads would only wait for each other

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 4.1 One verb, two questions
#
# Every noun is the sum of two vectors, one for the word and one for its ending: the
# *nominative* marks who bites, the *accusative* who is bitten. A good head finds both nouns and averages them:

# %%
dog, cat, nominative, accusative = torch.eye(4)            # two words, two endings
dog_bites_cat = torch.stack([dog + nominative, cat + accusative])    # (2, 4)
cat_bites_dog = torch.stack([cat + nominative, dog + accusative])    # (2, 4)

# one head, twice; your turn: change 0.7 and 0.3
for one_row in (torch.tensor([0.5, 0.5]), torch.tensor([0.7, 0.3])):
    print("weights", one_row)
    print("   dog bites cat →", one_row @ dog_bites_cat)
    print("   cat bites dog →", one_row @ cat_bites_dog)

# %% [markdown]
# With equal weights two opposite sentences become the same four numbers, and no later layer can tell them apart. Unequal
# weights leave a trace: the larger of the first two numbers says who bit. Section 4.8 shows how far a head gets with this.
#
# **Your turn.** Change 0.7 and 0.3 in the cell. At which weights is the trace largest, and what is then lost?
#
# <details><summary>Answer</summary>With all the weight on the nominative: who bites is then certain, but nothing is left of whom. (Or the other way round.)</details>
#
# *Two* rows of weights keep both answers apart, if the two averages lie **side by side**:

# %%
two_rows = torch.tensor([[1., 0.],       # head 0: all for the nominative
                         [0., 1.]])      # head 1: all for the accusative
print("dog bites cat →", (two_rows @ dog_bites_cat).flatten())      # (2, 4) -> (8,)
print("cat bites dog →", (two_rows @ cat_bites_dog).flatten())

# %% [markdown]
# The first four numbers say who bites, the last four who is bitten. That is multi-head attention.
#
# ## 4.2 Two heads, side by side
#
# We take the running sentence (from S. Raschka's *Build a Large Language Model (From Scratch)*, chapter 3, like its numbers) and two causal heads of chapter 3, each with its own random $W_q$, $W_k$ and $W_v$.

# %% [markdown]
# From chapter 3 come the masks and `CausalAttention`.

# %% carry=["ch03_masks: causal_mask, masked_attention, padding_mask, combine_masks, attention_dropout, CausalAttention"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %%
tokens = "Your journey starts with one step".split()
x = torch.tensor([[0.43, 0.15, 0.89],     # Your
                  [0.55, 0.87, 0.66],     # journey
                  [0.57, 0.85, 0.64],     # starts
                  [0.22, 0.58, 0.33],     # with
                  [0.77, 0.25, 0.10],     # one
                  [0.05, 0.80, 0.55]])    # step

generator = torch.Generator().manual_seed(140)
heads = [CausalAttention(3, 2).requires_grad_(False) for _ in range(2)]
for W in [W for head in heads for W in (head.W_q, head.W_k, head.W_v)]:
    W.weight.copy_(2 * torch.randn(2, 3, generator=generator))   # (d_head, d_model)

# %% [markdown]
# **Predict, then run.** Each head turns the sentence `(6, 3)` into 2 numbers per token. When the two results lie side by
# side, what shape do they have: `(12, 2)`, `(6, 4)` or `(2, 6, 2)`?

# %% tags=["show"]
guess_shape = None       # type one of "(12, 2)", "(6, 4)", "(2, 6, 2)", then run on

# %%
(output_0,), (weights_0,) = heads[0](x[None])  # a batch of one: (6, 2) and (6, 6)
(output_1,), (weights_1,) = heads[1](x[None])
both = torch.cat([output_0, output_1], dim=-1)          # (6, 2) beside (6, 2)
print("row sums of head 0", weights_0.sum(-1))
print("row sums of head 1", weights_1.sum(-1))

# %% tags=["show"]
check_guess("both heads side by side", guess_shape, str(tuple(both.shape)))

# %% [markdown]
# Each head has weights of its own:

# %% tags=["show"]
# @title The weights of both heads, and their outputs side by side
def frame(ax, blocks, height):
    for start, width, colour in blocks:
        ax.add_patch(plt.Rectangle((start - 0.47, -0.47), width - 0.06, height - 0.06,
                                   fill=False, linewidth=2.5, color=OKABE_ITO[colour]))

fig, axes = plt.subplots(1, 3, figsize=(8.4, 3.4), width_ratios=[6, 6, 4.5])
for number, weights in enumerate((weights_0, weights_1)):
    draw_matrix(axes[number], weights, tokens if number == 0 else [""] * 6, tokens,
                f"weights of head {number}", limits=(0, 1))
draw_matrix(axes[2], both, [""] * 6, None, "outputs, side by side: (6, 4)", cmap="PuOr")
frame(axes[2], [(0, 2, 0), (2, 2, 1)], 6)
show(fig, "Two causal heatmaps of six by six weights, different for the same tokens, "
          "and beside them the outputs, six by four: the two columns of head 0 framed "
          "blue, those of head 1 orange.")

# %% [markdown]
# Each row sums to 1 in each head.
#
# ### Exercise 4.1 · A list of heads · 2 points · about 6 minutes
#
# Put such heads into a module: `num_heads` causal heads without bias, each from `d_model` to `d_head` numbers, in an
# `nn.ModuleList` called `heads`. The outputs lie side by side; the weights get the heads as an axis of their own, after the
# batch. `CausalAttention(d_model, d_head)` is at hand; a head of your own has `W_q`, `W_k`, `W_v`. One point each for
#
# - *heads*: one sentence, any number of heads of any width (`d_head` need not divide `d_model`) <!-- asks: sizes -->; new heads, and
#   new modules, start from different random weights <!-- asks: state -->;
# - *sentences*: several at once, and a long one after a short one <!-- asks: batch -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The [house rules](#house-rules) hold, in `float16` too, and for every matrix of every head <!-- asks: dtype, device, gradient -->; empty batches need not work.
# </details>
#
# <details><summary>Hint</summary>Every head answers with a pair. Collect the pairs first. One of the two joins makes an
# existing axis longer; the other makes a new axis.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_multi_head_wrapper", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadWrapper(nn.Module):
    """Several independent causal heads, their outputs side by side."""

    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.heads = nn.ModuleList(
            CausalAttention(d_model, d_head) for _ in range(num_heads))
        ### END SOLUTION

    def forward(self, x):
        """x: (batch, seq, d_model). Returns (output, weights):

        (batch, seq, num_heads * d_head) and (batch, num_heads, seq, seq).
        """
        ### BEGIN SOLUTION
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)
        ### END SOLUTION

# %% tags=["uses-exercise"]
alike = torch.ones(1, 4, 3)       # four equal tokens: the last one sees four equal keys
ab.beside((1, 4, 10), lambda: tuple(MultiHeadWrapper(3, 2, 5)(alike)[0].shape))
ab.beside((1, 5, 4, 4), lambda: tuple(MultiHeadWrapper(3, 2, 5)(alike)[1].shape))
ab.beside(5 * [4 * [0.25]], lambda: MultiHeadWrapper(3, 2, 5)(alike)[1][0, :, 3])

# %% nbgrader={"grade": true, "grade_id": "ch04_multi_head_wrapper_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.1, heads: one sentence in two heads of width 2, and in others."""
def sized_(batch, seq, d_model, d_head, num_heads, **options):
    return ab.case(f"x {batch, seq, d_model}, {num_heads} heads of width {d_head}",
                   ab.numbers(batch, seq, d_model, seed=seq),
                   of=ab.module(d_model, d_head, num_heads), **options)
def learns_(*sizes):
    return ab.case(f"what MultiHeadWrapper{sizes} learns", look="parameters",
                   of=ab.module(*sizes, weights={}))
def twice_(kind, *sizes):
    one, two = (dict(kind(*sizes).named_parameters()) for _ in range(2))
    return f"equal in two modules: {[n for n in one if torch.equal(one[n], two[n])]}"
five_ = sized_(1, 3, 4, 3, 5)
ab.check("4.1 heads", MultiHeadWrapper, [
    learns_(3, 2, 2), sized_(1, 3, 3, 2, 2, hint="These heads have no dropout."),
    five_, sized_(1, 3, 1, 2, 2),
    ab.case("MultiHeadWrapper(4, 3, 5), made twice", 4, 3, 5, ask=twice_),
    five_.but("three equal tokens", args=(torch.zeros(1, 3, 4),)),
    five_.but("in evaluation mode", of=ab.module(4, 3, 5, train=False)),
    five_.but("scores of ten thousand, and of minus ten thousand", within=0.01,
              args=(100 * five_.args[0],)),
    sized_(1, 1100, 2, 1, 1, ask=lambda heads, x: str(tuple(heads(x)[0].shape))),
], "x -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.1 heads", MultiHeadWrapper, cases, like=reference("MultiHeadWrapper"))

# Property: works for other sizes: any number of tokens and of heads, widths that do not divide d_model [sizes]
tried(*(sized_(1, *sizes) for sizes in [
    (5, 7, 3, 11), (2, 5, 7, 1), (7, 2, 3, 5), (1, 3, 2, 2), (3, 3, 3, 3),
    (5, 1, 3, 2), (67, 3, 2, 3)]),
    sized_(1, 1100, 2, 1, 1, ask=lambda heads, x: heads(x)[0]),
    *(five_.but(f"5 tokens, then 5 zeros, training mode: {train}",
                of=ab.module(4, 3, 5, train=train),
                steps=[("", ab.numbers(1, 5, 4, seed=41)), ("", torch.zeros(1, 5, 4))])
      for train in (True, False)))
# Property: new heads start with different random weights [state]
tried(learns_(7, 5, 2), ab.case("made twice", 7, 5, 2, ask=twice_))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_multi_head_wrapper_check_sentences", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.1, sentences: two at once, one after the other, other dtypes."""
def moved_(kind, x):
    heads = kind(4, 3, 5)
    heads(torch.ones(2, 6, 4))                                   # on the CPU
    return heads.to("meta")(x)                                   # as on a GPU
two_ = sized_(2, 6, 4, 3, 5)
ab.check("4.1 sentences", MultiHeadWrapper, [
    five_, two_,
    two_.but("sentences of 2 tokens, then of 6 tokens",
             steps=[("", two_.args[0][:, :2]), ("", two_.args[0])]),
    *ab.house_rules(two_, but="axes empty"),
    two_.but("float16", args=(two_.args[0].half(),), look=("dtype", "values"),
             within=0.02),
    two_.but("on another device after a call on the CPU", of=None, ask=moved_,
             look=("device",))], "x -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.1 sentences", MultiHeadWrapper, [five_, *cases],
             like=reference("MultiHeadWrapper"))

# Property: every sentence of a batch is treated alone, for any number and length, one after the other [batch]
x_ = ab.numbers(3, 5, 4, seed=41)
tried(*(sized_(*sizes) for sizes in [
    (2, 5, 7, 3, 11), (3, 2, 5, 7, 1), (5, 1, 3, 2, 2), (3, 3, 3, 3, 3),
    (11, 7, 3, 2, 3)]), two_.but("three", steps=[("", x_), ("", -x_), ("", x_[:2])]))
# Property: keeps the dtype of its input, and its precision [dtype]
tried(*ab.house_rules(sized_(2, 5, 7, 3, 2), only="float64 bfloat16"),
      two_.but("float16", args=(x_.half(),), look=("dtype", "values"), within=0.02))
# Property: stays on the device of its input [device]
tried(*ab.house_rules(sized_(2, 5, 7, 3, 2), only="device"))
# Property: the gradient reaches every matrix of every head, and x is left alone [gradient]
tried(*ab.house_rules(sized_(2, 5, 7, 3, 5), only="gradient inputs views"))
### END HIDDEN TESTS

# %% [markdown]
# ## 4.3 One big matrix against many small ones
#
# A row of `W_q.weight` makes one number of the query. Write the rows of head 1 below those of head 0, and one product
# makes the queries of both:

# %%
W_both = torch.cat([head.W_q.weight for head in heads])  # (2, 3) above (2, 3) -> (4, 3)
q_both = x @ W_both.T                                       # (6, 3) @ (3, 4) -> (6, 4)
q_0, q_1 = heads[0].W_q(x), heads[1].W_q(x)                 # (6, 2) each
print("'step': both at once  ", q_both[5])
print("'step': head 0, head 1", q_0[5], q_1[5])

# %% tags=["show"]
# @title Two small products and one big one
fig, axes = plt.subplots(2, 4, figsize=(7.2, 5), width_ratios=[3, 2, 2, 4],
                         height_ratios=[3, 6])
axes[0, 0].axis("off")
limit = max(W_both.abs().max().item(), q_both.abs().max().item())
style = {"cmap": "PuOr", "limits": (-limit, limit), "digits": 1}
draw_matrix(axes[1, 0], x, tokens, [""] * 3, "x", **style)
for column, name, W, q, blocks in [
        (1, "head 0", heads[0].W_q.weight, q_0, [(0, 2, 0)]),
        (2, "head 1", heads[1].W_q.weight, q_1, [(0, 2, 1)]),
        (3, "both at once", W_both, q_both, [(0, 2, 0), (2, 2, 1)])]:
    for ax, matrix, letter in zip(axes[:, column], (W.T, q), ("W_q", "q")):
        draw_matrix(ax, matrix, [""] * len(matrix), [""] * len(W),
                    f"{letter}, {name}", **style)
        frame(ax, blocks, len(matrix))
fig.suptitle("Two small products, or one big one: the same numbers", x=0.01, ha="left",
             fontsize=10)
show(fig, "x from the left, matrices from above, products where they meet. Two "
          "matrices of three by two give the queries of head 0 and of head 1. One "
          "matrix of three by four holds both side by side, and so does its product "
          "with x.")

# %% [markdown]
# (The figure shows $W$ as in $x W$, with the heads side by side; `.weight` stores its transpose, with the heads one below the other.) One product computes both heads. It is also quicker, with the same multiplications ([measured](deeper.ipynb), "Sixteen small products").

# %% [markdown]
# What, then, *is* a head? Compare one wide head, which uses four features, with two that use two each. `@` multiplies the
# matrices in the last two axes, once for each index of the axes in front. So the heads get an axis in front:

# %%
generator = torch.Generator().manual_seed(5)
q, k = torch.randn(2, 6, 4, generator=generator)    # of six tokens, four numbers each
wide = q @ k.T                                      # (6, 4) @ (4, 6) -> (6, 6)
q_heads = torch.stack([q[:, :2], q[:, 2:]])         # (2, 6, 2): the heads in front
k_heads = torch.stack([k[:, :2], k[:, 2:]])
narrow = q_heads @ k_heads.mT                       # (2, 6, 2) @ (2, 2, 6) -> (2, 6, 6)
print("wide  ", wide[0])
print("head 0", narrow[0, 0])
print("head 1", narrow[1, 0])
print("sum   ", narrow[0, 0] + narrow[1, 0])

# %% [markdown]
# The wide scores are the *sum* of the narrow ones. Cutting the features into heads stops the addition half-way:
#
# $$\underbrace{q_i \cdot k_j}_{\text{one wide head}} \;=\; \underbrace{q_i^{(0)} \cdot k_j^{(0)}}_{\text{head 0}} \;+\; \underbrace{q_i^{(1)} \cdot k_j^{(1)}}_{\text{head 1}}$$
#
# One wide head adds first and then takes one softmax, so two questions are mixed before either is answered. Two heads take a softmax for each.
# How do the numbers of `(seq, d_model)` get into the order (head, token, feature)? We label them: 23 is token 2, feature 3. `view` folds
# the four features into two heads of two. It moves no number:

# %%
labels = 10 * torch.arange(3)[:, None] + torch.arange(4)     # 3 tokens, 4 features
print(labels)
print("head 0 should hold", labels[:, :2].tolist())  # features 0, 1 of every token
folded = labels.view(3, 2, 2)
print("folded[2] =", folded[2].tolist())  # all about one token, or about one head?

# %% [markdown]
# `folded[2]` is token 2 with its two heads: attention would compare the *heads* of one token. One step is missing.
#
# ### Exercise 4.2 · Cut and join · 2 points · about 6 minutes
#
# Write `split_heads` for a batch, and its exact inverse, `combine_heads`: one point each. Head `h` gets the `h`-th
# contiguous block of features. Both work for any sizes
# <!-- asks: sizes, combine-sizes -->, in any dtype (truth values and whole numbers, too) <!-- asks: dtype, combine-dtype -->, and
# the [house rules](#house-rules) hold <!-- asks: non-contiguous, combine-non-contiguous, device, combine-device -->; empty batches need not work.
#
# <details><summary>Hint 1</summary>Write down the axes before and after, by name. Which axis is cut in two, and which two
# change places?</details>
# <details><summary>Hint 2</summary>If PyTorch complains about strides: after a transpose the numbers no longer lie in
# memory in the order of the axes. view moves none; reshape may.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_split_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """(batch, seq, d_model) -> (batch, num_heads, seq, d_model // num_heads)."""
    ### BEGIN SOLUTION
    batch, seq, d_model = x.shape
    return x.reshape(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
    ### END SOLUTION

def combine_heads(x):
    """(batch, num_heads, seq, d_head) -> (batch, seq, num_heads * d_head)."""
    ### BEGIN SOLUTION
    batch, num_heads, seq, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, seq, num_heads * d_head)
    ### END SOLUTION

# %% tags=["uses-exercise"]
words = torch.tensor([[[1, 2, 3, 4, 5, 6],                   # token 0
                       [7, 8, 9, 10, 11, 12]]])              # token 1: (1, 2, 6)
ab.beside((1, 3, 2, 2), lambda: tuple(split_heads(words, 3).shape))
ab.beside([[3, 4], [9, 10]], lambda: split_heads(words, 3)[0, 1])  # features 2 and 3
ab.beside(words, lambda: combine_heads(split_heads(words, 3)))     # and back

# %% nbgrader={"grade": true, "grade_id": "ch04_split_heads_check_split", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.2, split: three tokens with four features become two heads."""
x_ = torch.tensor([[[0., 1., 2., 3.], [10., 11., 12., 13.], [20., 21., 22., 23.]]])
two_ = ab.case("two sentences, 2 heads", torch.cat([x_, x_ + 100]), 2)
ab.check("4.2 split", split_heads, [
    *(ab.case(f"x {tuple(x.shape)}, num_heads = {heads}", x, heads)
      for x, heads in ((x_, 2), (x_, 4), (x_, 1), (x_[..., :1], 1))), two_,
    *(ab.case(f"{dtype}", x_.to(dtype), 2, look="dtype")
      for dtype in (torch.int64, torch.int32, torch.bool)),
    *ab.house_rules(two_, but="axes empty")], "x, num_heads -> the heads")
### BEGIN HIDDEN TESTS
def sized(batch, seq, heads, d_head):
    return ab.case(f"(batch, seq, heads, d_head) = {(batch, seq, heads, d_head)}",
                   ab.numbers(batch, seq, heads * d_head, seed=51), heads)

def tried(*cases):
    ab.check("4.2 split", split_heads, cases, like=reference("split_heads"))

# Property: keeps the dtype of its input [dtype]
tried(*ab.house_rules(sized(2, 3, 2, 2), only="float64 bfloat16"),
      *(ab.case(f"{dtype}", torch.ones(2, 3, 4, dtype=dtype), 2, look="dtype") for dtype
        in (torch.bool, torch.uint8, torch.int32, torch.float16, torch.complex64)))
# Property: head h is the h-th contiguous block of features, for any sizes and batches [sizes]
tried(*(sized(*sizes) for sizes in [
    (2, 5, 3, 7), (3, 7, 5, 2), (1, 2, 11, 3), (5, 1, 2, 3), (2, 3, 1, 5), (7, 3, 5, 1),
    (2, 3, 1, 1), (4, 4, 4, 4), (2, 2, 2, 2)]))
# Property: works on input that is not contiguous in memory, and leaves it alone [non-contiguous]
tried(*ab.house_rules(sized(3, 5, 2, 3), only="views inputs"))
# Property: stays on the device of its input, and lets the gradient through [device]
tried(*ab.house_rules(sized(2, 5, 3, 2), only="device gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_split_heads_check_combine", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.2, combine: two heads of three tokens go back side by side."""
x_ = torch.tensor([[[[0., 1.], [10., 11.], [20., 21.]],
                    [[2., 3.], [12., 13.], [22., 23.]]]])              # (1, 2, 3, 2)
two_ = ab.case("two sentences", torch.cat([x_, x_ + 100]))
ab.check("4.2 combine", combine_heads, [
    *(ab.case(f"x {tuple(x.shape)}", x) for x in (
        x_, x_[:, :, :2], x_[:, :1], x_[:, :, :1], two_.args[0][:, :1, :1])), two_,
    *(ab.case(f"{dtype}", x_.to(dtype), look="dtype")
      for dtype in (torch.int64, torch.int32, torch.bool)),
    *ab.house_rules(two_, but="axes empty")], "x -> the result")
### BEGIN HIDDEN TESTS
def sized(batch, heads, seq, d_head):
    return ab.case(f"(batch, heads, seq, d_head) = {(batch, heads, seq, d_head)}",
                   ab.numbers(batch, heads, seq, d_head, seed=55))

def tried(*cases):
    ab.check("4.2 combine", combine_heads, cases, like=reference("combine_heads"))

# Property: keeps the dtype of its input [combine-dtype]
tried(*ab.house_rules(sized(2, 3, 5, 2), only="float64 bfloat16"),
      *(ab.case(f"{dtype}", torch.ones(2, 3, 5, 2, dtype=dtype), look="dtype") for dtype
        in (torch.bool, torch.uint8, torch.int32, torch.float16, torch.complex64)))
# Property: the heads come back side by side, block by block, for any sizes and batches [combine-sizes]
tried(*(sized(*sizes) for sizes in [
    (2, 3, 5, 7), (3, 5, 7, 2), (1, 11, 2, 3), (5, 2, 1, 3), (2, 1, 3, 5), (7, 5, 3, 1),
    (2, 1, 3, 1), (4, 4, 4, 4), (2, 2, 2, 2)]))
# Property: works on input that is not contiguous in memory, and leaves it alone [combine-non-contiguous]
heads = ab.numbers(2, 5, 3, 7, seed=56).transpose(1, 2)
tried(*ab.house_rules(sized(2, 3, 5, 7), only="views inputs"),
      ab.case("heads as split_heads gives them", heads),
      ab.case("heads as split_heads gives them stay as they are", heads, look="inputs"))
# Property: stays on the device of its input, and lets the gradient through [combine-device]
tried(*ab.house_rules(sized(2, 3, 5, 2), only="device gradient"))
### END HIDDEN TESTS

# %% [markdown]
# ## 4.4 What breaks if the transpose is missing?
#
# Attention wants `(batch, heads, seq, d_head)`. `view` alone can make this shape. Does it make the right thing?

# %%
wanted = torch.stack([labels[:, :2], labels[:, 2:]])  # (2, 3, 2): cut by hand, as above
tempting = labels.view(2, 3, 2)                          # the same shape, in one step
print("head 0, cut by hand:", wanted[0].tolist())
print("head 0, view alone: ", tempting[0].tolist())

# %% tags=["show"]
# @title Both ways to cut, one colour a token
from matplotlib.colors import ListedColormap

fig, axes = plt.subplots(1, 5, figsize=(7.2, 2.3), width_ratios=[4, 2, 2, 2, 2])
three = ListedColormap([OKABE_ITO[5], OKABE_ITO[1], OKABE_ITO[6]])
titles = ["features of\n3 tokens", *(f"{way}:\nhead {head}" for way in (
    "right", "view alone") for head in (0, 1))]
for ax, title, matrix in zip(axes, titles, (labels, *wanted, *tempting)):
    ax.imshow((matrix // 10).numpy(), cmap=three, vmin=0, vmax=2)
    for i, j in torch.cartesian_prod(*map(torch.arange, matrix.shape)).tolist():
        ax.text(j, i, f"{matrix[i, j].item():02d}", ha="center", va="center")
    ax.set(title=title, xticks=[], yticks=[])
axes[0].set_yticks(range(3), ["token 0", "token 1", "token 2"])
show(fig, "Three tokens with four labelled features, one colour a token. Cut "
          "correctly, each head has one row of each colour. With view alone, head 0 "
          "has token 0 in two rows and half of token 1, head 1 the other half of token "
          "1 and token 2.")

# %% [markdown]
# With `view` alone, head 0 gets the *beginning of the sentence* and head 1 its *end*, and no error is raised. Derivatives tell
# which outputs move when one token changes. We cut and join with the transpose and without it, under a causal mask.

# %% tags=["show", "uses-exercise"]
def who_hears_whom(split, combine):
    def layer(x):
        parts = split(x, 2)                                             # (1, 2, 6, 2)
        return combine(F.scaled_dot_product_attention(*3 * [parts], is_causal=True))
    x = torch.randn(1, 6, 4, generator=torch.Generator().manual_seed(6)).double()
    moves = torch.autograd.functional.jacobian(layer, x)            # (1, 6, 4, 1, 6, 4)
    return moves.abs().sum((0, 2, 3, 5)) > 1e-9                      # (6, 6)

view_alone = lambda x, heads: x.reshape(len(x), heads, x.size(1), -1)  # right shape
join_alone = lambda x: x.reshape(len(x), x.size(2), -1)                # right shape

# %% tags=["show", "uses-exercise"]
# @title Which output hears which token
ways = {"both right": (split_heads, combine_heads),
        "split without\ntranspose": (view_alone, combine_heads),
        "combine without\ntranspose": (split_heads, join_alone),
        "neither has\na transpose": (view_alone, join_alone)}
fig, axes = plt.subplots(1, 4, figsize=(7.2, 2.6))
colours = ListedColormap(["white", OKABE_ITO[5], OKABE_ITO[3]])
for ax, (title, functions) in zip(axes, ways.items()):
    heard = who_hears_whom(*functions).int()
    ax.pcolormesh(*2 * [torch.arange(-0.5, 6)], heard + heard.triu(1), cmap=colours,
                  vmin=0, vmax=2, edgecolors="0.8")
    ax.invert_yaxis()
    ax.set(title=title, xlabel="token that changed", aspect="equal")
    print(f"{title.replace(chr(10), ' '):<26} heard from the future: "
          f"{heard.triu(1).sum()} of 15   from the past: {heard.tril(-1).sum()} of 15")
axes[0].set_ylabel("output that moves")
show(fig, "Four six by six grids of which output moves when which token changes. Both "
          "right: the lower triangle. One transpose missing: red squares above the "
          "diagonal, where the future leaks. Neither: two separate triangles, the "
          "halves of the sentence.")

# %% [markdown]
# An orange-red square is an output that hears a *later* token. With one transpose missing, **the future leaks although the causal mask is
# right**: the mask hides rows, and before or after it a row is no longer one token. With both missing no test for leaks finds anything, but the sentence has fallen into two halves that do not hear each other.
#
# All four give the same shape, so *a right shape proves nothing*. Change one token instead: the outputs before it must not
# move (your test `leaks_future`), and those after it must.

# %% [markdown]
# ## 4.5 The whole layer
#
# One last matrix, $W_o$, square and learned, mixes the heads:
#
# $$\mathrm{MultiHead}(x) = \mathrm{concat}(\mathrm{head}_0, \dots, \mathrm{head}_{H-1})\; W_o \qquad \mathrm{head}_h = \mathrm{Attention}\big(x\,W_q^{(h)},\; x\,W_k^{(h)},\; x\,W_v^{(h)}\big)$$
#
# Head $h$ owns the $h$-th block of columns of $W_q$, $W_k$ and $W_v$:

# %%
class Projections(nn.Module):
    """The four matrices of an attention layer, and nothing else."""

    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

# %% tags=["show"]
# @title The whole layer, from x to its output
torch.manual_seed(3)
layer, six = Projections(4, 2).requires_grad_(False), 3 * torch.randn(6, 4)
parts = [torch.stack(W(six).chunk(2, -1)) for W in (layer.W_q, layer.W_k, layer.W_v)]
weights = (parts[0] @ parts[1].mT / 2 ** 0.5).softmax(-1)
joined = torch.cat(list(weights @ parts[2]), -1)
fig = plt.figure(figsize=(9, 3.2))
grid = fig.add_gridspec(2, 9, width_ratios=[4, 2, 2, 2, 6, 2, 4, 4, 4])
def panel(place, matrix, title, blocks=(), **style):
    ax = fig.add_subplot(place)
    draw_matrix(ax, matrix, [""] * len(matrix), [""] * len(matrix[0]), title,
                digits=None, **{"cmap": "PuOr", **style})
    frame(ax, blocks, len(matrix))
panel(grid[:, 0], six, "x\n(6, 4)")
for h in range(2):
    for column, name, part in zip((1, 2, 3), "qkv", parts):
        panel(grid[h, column], part[h], f"{name} {h}", [(0, 2, h)])
    panel(grid[h, 4], weights[h], f"weights {h}", cmap="Blues", limits=(0, 1))
    panel(grid[h, 5], (weights @ parts[2])[h], f"blend {h}", [(0, 2, h)])
panel(grid[:, 6], joined, "side by side\n(6, 4)", [(0, 2, 0), (2, 2, 1)])
panel(grid[:, 7], layer.W_o.weight.T, "W_o\n(4, 4)")
panel(grid[:, 8], layer.W_o(joined), "output\n(6, 4)")
show(fig, "From left to right: x with six tokens of four numbers; for each of two "
          "heads its q, k and v, six by two, its table of weights and its blend of "
          "values; both blends side by side, framed blue and orange; W_o, four by "
          "four; the output, six by four.")

# %% [markdown]
# Now the same steps run at the size of the Transformer of 2017, on 10 tokens:

# %%
layer = Projections(d_model=512, num_heads=8).requires_grad_(False)
sentence = torch.randn(10, 512, generator=torch.Generator().manual_seed(7))

q, k, v = layer.W_q(sentence), layer.W_k(sentence), layer.W_v(sentence)
columns = [slice(64 * h, 64 * h + 64) for h in range(8)]  # the features of each head
q_heads, k_heads, v_heads = (
    torch.stack([part[:, c] for c in columns]) for part in (q, k, v))
scores = q_heads @ k_heads.mT / 64 ** 0.5                      # √d_head, not √d_model
weights = scores.softmax(dim=-1)
outputs = weights @ v_heads
joined = torch.cat(list(outputs), dim=-1)
output = layer.W_o(joined)
for name, part in zip(
        "x q q_heads k_heads.mT scores weights outputs joined output".split(),
        (sentence, q, q_heads, k_heads.mT, scores, weights, outputs, joined, output)):
    print(f"{name:<16}", tuple(part.shape))

# %% [markdown]
# A score of one head is a sum of $d_{\mathrm{head}}$ products, so the divisor is $\sqrt{d_{\mathrm{head}}}$. And $W_o$ adds the heads up. Cut the
# columns of `W_o.weight` into the same eight blocks, and the product becomes a sum of eight small ones.

# %% tags=["tolerance-0.05"]
one_by_one = [outputs[h] @ layer.W_o.weight[:, columns[h]].T      # (10, 64) @ (64, 512)
              for h in range(8)]                                  # -> (10, 512) each
for count in (8, 7):
    off = (output - sum(one_by_one[:count])).abs().max()
    print(f"off from the sum of {count} heads by {off:.4f}")

# %% [markdown]
# **The layer is a sum of heads**: each *adds* its 512 numbers to the result.
#
# All attentions so far use one formula, $\mathrm{Attention}(Q, K, V) = \mathrm{softmax}(Q K^{\top} / \sqrt{d_k})\, V$, with other inputs:
#
# | attention | computes | chapter |
# | --- | --- | --- |
# | simple | $\mathrm{Attention}(x, x, x)$, not scaled | 1 |
# | trainable | $\mathrm{Attention}(x W_q,\; x W_k,\; x W_v)$ | 2 |
# | causal | the same, scores of later tokens at $-\infty$ | 3 |
# | multi-head | $\mathrm{concat}_h\, \mathrm{Attention}(x W_q^{(h)},\; x W_k^{(h)},\; x W_v^{(h)})\; W_o$, with any mask | 4 |

# %% [markdown]
# ### Exercise 4.7 · Trace the shapes · 1 point · about 4 minutes
#
# (Out of turn: it helps with 4.3.) Follow a batch through a layer whose one product, `W_qkv`, gives q, k and v side by side.
# `trace_shapes` returns the shapes of these ten steps, in this order, as a list of tuples of whole numbers <!-- asks: integers -->, for any
# sizes <!-- asks: sizes -->, one head, and as many heads as features <!-- asks: heads -->:
#
# 0. the input `x`
# 1. `W_qkv(x)`
# 2. q alone
# 3. q cut into heads, the heads in front of the tokens
# 4. k transposed, for the product with q
# 5. the scores
# 6. the weights
# 7. weights times values, all heads
# 8. the heads side by side
# 9. the output of `W_o`
#
# <details><summary>Hint</summary>A shape has three axes (without heads) or four (with heads). Where does d_head appear, and
# where has it been summed away?</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_trace_shapes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def trace_shapes(batch, seq, d_model, num_heads):
    """The shapes of the ten steps of a fused multi-head layer: a list of tuples."""
    ### BEGIN SOLUTION
    d_head = d_model // num_heads
    tokens = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d_head)
    table = (batch, num_heads, seq, seq)
    return [tokens, (batch, seq, 3 * d_model), tokens, heads,
            (batch, num_heads, d_head, seq),
            table, table, heads, tokens, tokens]
    ### END SOLUTION

# %% tags=["uses-exercise"]
ab.beside(10, lambda: len(trace_shapes(2, 3, 4, 1)))             # steps
ab.beside((2, 3, 4), lambda: trace_shapes(batch=2, seq=3, d_model=4, num_heads=1)[0])
ab.beside((2, 3, 4), lambda: trace_shapes(2, 3, 4, 1)[-1])

# %% nbgrader={"grade": true, "grade_id": "ch04_trace_shapes_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.7: two sentences of 10 tokens, d_model = 512, 8 heads, and other sizes."""
names_ = ["x", "W_qkv(x)", "q alone", "q cut into heads", "k transposed", "scores",
          "weights", "outputs of all heads", "heads side by side", "output of W_o"]
def in_words_(trace, *sizes):
    shapes = [tuple(size.__index__() for size in shape) for shape in trace(*sizes)]
    return [f"{len(shapes)} steps", *(
        f"step {step}, {name}: {[*shapes, *10 * ['nothing']][step]}"
        for step, name in enumerate(names_))]
def traced_(*sizes):
    return ab.case(f"(batch, seq, d_model, num_heads) = {sizes}", *sizes, ask=in_words_)
ab.check("4.7 shapes", trace_shapes, [
    traced_(2, 10, 512, 8), traced_(3, 2, 5, 1), traced_(1, 4, 3, 3),
    traced_(1, 2, 640, 5)])
### BEGIN HIDDEN TESTS
def tried(*sizes):
    ab.check("4.7 shapes", trace_shapes, [traced_(*four) for four in sizes],
             like=reference("trace_shapes"))

# Property: right for any sizes [sizes]
tried((2, 5, 21, 3), (7, 11, 10, 5), (3, 2, 26, 13), (1, 1, 6, 2), (5, 13, 768, 12),
      (1, 7, 1024, 8))
# Property: one head, and as many heads as features [heads]
tried((2, 5, 7, 1), (3, 4, 11, 11), (1, 1, 1, 1))
# Property: sizes are whole numbers [integers]
tried((2, 3, 35, 7))
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 4.3 · Multi-head attention · 4 points · about 28 minutes
#
# Now the real module, on which the rest of the course is built. Name its parts as in `Projections`. The mask is an *argument*, so one layer serves every mask and length.
#
# - **values (2 points).** A batch, any sizes <!-- asks: sizes -->. `key` defaults to `query`, `value` to `key`. When
#   given (*cross-attention*), they may have another length than `query` <!-- asks: cross -->.
# - **masks (1 point).** `mask` is boolean (`True`: may attend) and broadcasts to `(batch, heads, seq_q, seq_k)`. A query
#   with nothing to attend to gets zero weights, never NaN.
# - **options (1 point).** `dropout` acts on the weights, in training only. `bias` gives all
#   four a bias <!-- asks: bias -->. If the heads cannot share `d_model` evenly, the constructor's error says so <!-- asks: errors -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The [house rules](#house-rules) hold <!-- asks: dtype, device, non-contiguous, gradient -->; empty batches need not work.
#
# A mask has two axes `(seq_q, seq_k)` if it is causal, three for one mask per head, four for anything else; a padding mask `(batch, 1, seq)` goes
# through `unsqueeze(1)` before it comes here <!-- asks: broadcast -->. A query with nothing to attend to leaves no NaN in the gradient either. The gradient also flows through the weights that you return <!-- asks: masked-row -->. With a mask, dtype (`float16`, too), precision and device stay, and a hidden key gets no weight even where scores reach ten thousand <!-- asks: masked-dtype, large-scores -->.
#
# Dropout is 0 by default <!-- asks: train-eval -->. It acts for each query and head by itself (`nn.Dropout` will do); the weights you return may be those before or after it
# <!-- asks: share -->, and it acts in self-attention and in cross-attention, with a mask or without <!-- asks: cross-dropout -->.
# </details>
#
# <details><summary>Hint 1</summary>Every line of the listing in 4.5 has its counterpart here. Which of them need another axis
# number once a batch stands in front?</details>
# <details><summary>Hint 2</summary>Chapter 3 showed what softmax makes of a row in which everything is −∞, and what it makes
# of a row in which everything is equally, finitely low. After one of the two, it is easy to set the row to zero.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_multi_head_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention(nn.Module):
    """num_heads heads of width d_model // num_heads, all at once."""

    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by "
                             f"num_heads={num_heads} heads")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, query, key=None, value=None, mask=None):
        """query: (batch, seq_q, d_model)   key, value: (batch, seq_k, d_model)
        mask: boolean, True = may attend.

        Returns (output, weights):
        (batch, seq_q, d_model) and (batch, num_heads, seq_q, seq_k).
        """
        ### BEGIN SOLUTION
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (  # (batch, heads, seq, d_head)
            part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for part in (self.W_q(query), self.W_k(key), self.W_v(value)))

        # fewer numbers to scale in q than in scores; k laid out head by head
        q, k = q * q.size(-1) ** -0.5, k.contiguous()
        scores = q @ k.transpose(-2, -1)  # (batch, heads, seq_q, seq_k)
        if mask is not None:
            # hopeless, yet finite: an empty row gives
            # no NaN; adding is quicker than filling
            low = torch.finfo(scores.dtype).min / 2
            scores += (~mask).to(scores.dtype) * low
        weights = scores.softmax(dim=-1)  # (batch, heads, seq_q, seq_k)
        if mask is not None:  # nothing to attend to: all zero
            weights = weights * mask.any(dim=-1, keepdim=True).to(weights.dtype)

        output = self.dropout(weights) @ v  # (batch, heads, seq_q, d_head)
        return self.W_o(output.transpose(1, 2).flatten(2)), weights
        ### END SOLUTION

# %% tags=["uses-exercise"]
alike = torch.ones(1, 3, 4)                     # one sentence, three equal tokens
hide_the_last = torch.tensor([[True, True, False]])            # (1, 3): for every query

def looked_at(**mask):
    output, weights = MultiHeadAttention(d_model=4, num_heads=2)(alike, **mask)
    return tuple(output.shape), tuple(weights.shape), weights[0, 1, 2]

ab.beside(((1, 3, 4), (1, 2, 3, 3), [1 / 3, 1 / 3, 1 / 3]), looked_at)
ab.beside(((1, 3, 4), (1, 2, 3, 3), [0.5, 0.5, 0.0]),
          lambda: looked_at(mask=hide_the_last))

# %% nbgrader={"grade": true, "grade_id": "ch04_multi_head_attention_check_values", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.3, values: two heads of width 3, on one sentence, then reading another."""
def case_(words, *given, heads=2, scale=1, train=True, dropout=0.0, **about):
    d = given[0].size(-1)
    weights = {W: (scale if W == "W_q" else 1) * ab.numbers(d, d, seed=seed) / d ** 0.5
               for seed, W in enumerate(eyes_, 60)}
    of = ab.module(d, heads, dropout, weights=weights, train=train)
    return ab.case(words, *given, of=of, **about)
eyes_ = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), torch.eye(6))
x_, y_, z_ = (ab.numbers(2, n, 6, seed=seed) for seed, n in enumerate((3, 5, 5), 60))
one_ = case_("one sentence, two heads", x_[:1])
cross_ = case_("two sentences of 3 queries, 5 keys and 5 values", x_, y_, z_)
ab.check("4.3 values", MultiHeadAttention, [
    one_, one_.but("the attribute num_heads", steps=[("num_heads",)]),
    *(case_(f"3 queries, {n} keys of another", x_[:1], y_[:1, :n]) for n in (3, 5)),
    *(case_(f"3 sentences, {n} heads", ab.numbers(3, 4, 6), heads=n) for n in (1, 3)),
    cross_,
    case_("the query is the value, too", x_, z_[:, :3], ask=lambda f, q, k: f(q, k, q)),
    case_("the query is the key, too", x_, z_[:, :3], ask=lambda f, q, v: f(q, q, v)),
    *ab.house_rules(cross_, but="axes empty gradient"),
    *ab.house_rules(cross_.but("", ask=lambda f, *qkv: f(*qkv)[0]), only="gradient"),
], "query, key, value -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.3 values", MultiHeadAttention, [one_, *cases],
             like=reference("MultiHeadAttention"))

def sized(batch, num_heads, width, *lengths, **about):
    d_model = num_heads * width
    return case_(f"{batch} sentences of {lengths} tokens, {num_heads} heads of width "
                 f"{width}", *(ab.numbers(batch, n, d_model, seed=seed)
                               for seed, n in enumerate(lengths, 62)),
                 heads=num_heads, train=False, **about)

# Property: self-attention is right for other sizes, batches, one token, one head, heads of width 1 [sizes]
tried(*(sized(*sizes) for sizes in [
    (2, 3, 7, 5), (3, 5, 2, 7), (5, 1, 3, 2), (2, 2, 3, 1), (3, 7, 1, 5), (4, 4, 4, 4),
    (2, 2, 2, 2), (7, 2, 3, 67)]))
# Property: cross-attention is right, with a key of another length, and with a value of its own [cross]
for *sizes, n, m in [(2, 3, 2, 5, 7), (3, 2, 5, 7, 2), (2, 2, 2, 4, 4),
                     (2, 2, 3, 1, 71)]:
    two, three = (sized(*sizes, *lengths) for lengths in [(n, m), (n, m, m)])
    query, key, value = three.args
    tried(two, three,
          three.but("one call after another",
                    steps=[("", *three.args), ("", query, key), ("", -query, key)]),
          three.but("key and value by name", args=(), ask=lambda layer: layer(
              query, value=query, key=query + 1)))
    if n == m:
        tried(two.but("the query as value", ask=lambda layer, q, k: layer(q, k, q)),
              two.but("the query as key", ask=lambda layer, q, v: layer(q, q, v)))
# Property: keeps the dtype of its input, and its precision [dtype]
tried(*ab.house_rules(sized(2, 2, 3, 5), only="float64 bfloat16"))
# Property: stays on the device of its input [device]
tried(*ab.house_rules(sized(2, 3, 2, 5, 7), only="device"))
# Property: works on input that is not contiguous in memory, and leaves all inputs alone [non-contiguous]
tried(*ab.house_rules(sized(2, 2, 3, 3, 5, 5), only="views inputs"))
# Property: the gradient reaches the inputs and all four matrices, and is right [gradient]
base = sized(2, 3, 2, 3, 5, 5, ask=lambda f, *qkv: f(*qkv)[0])
tried(*ab.house_rules(base, only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_multi_head_attention_check_masks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.3, masks: hidden keys get nothing, and so does an empty query."""
mask_ = torch.tensor([[1, 1, 0], [1, 1, 1], [0, 0, 1]]).bool()
nothing_ = mask_ & torch.tensor([[False], [True], [True]])
short_ = torch.tensor([[1, 1, 0], [1, 1, 1]]).bool()[:, None, None]      # (2, 1, 1, 3)
whole_ = short_ & torch.tensor([False, True])[:, None, None, None]
masked_ = case_("a mask (3, 3)", x_, mask=mask_)
low_ = {name: (-75 if name == "W_q" else 1) * eye for name, eye in eyes_.items()}
ab.check("4.3 masks", MultiHeadAttention, [
    one_, masked_,
    one_.but("a mask, then none", steps=[("", x_, None, None, mask_), ("", x_)]),
    *(case_(f"{words}, {n} queries", x_[:, :n], x_, mask=mask) for n in (3, 1) for
      words, mask in [("a padding mask", short_), ("a whole sentence hidden", whole_)]),
    case_("query 0 sees nothing", x_, mask=nothing_),
    case_("query 0 sees nothing in head 1", x_, mask=torch.stack([mask_, nothing_])),
    case_("everything is hidden", x_, mask=mask_ & False),
    case_("gradient at an empty row", x_, mask=nothing_, look="gradient", train=False),
    *(case_(f"scores {scale} times as large", x_, mask=mask_, scale=scale, within=0.01)
      for scale in (100000, -100000)),
    *ab.house_rules(masked_, only="float64 bfloat16 inputs device"),
    masked_.but("float16", args=(x_.half(),), look=("dtype", "values"), within=0.02),
    ab.case("float16, every score about minus ten thousand", mask=mask_, within=0.02,
            query=torch.full((1, 3, 6), 10.0).half(), of=ab.module(6, 2, weights=low_)),
], "query, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.3 masks", MultiHeadAttention, [one_, *cases],
             like=reference("MultiHeadAttention"))

query, key = (ab.numbers(2, n, 15, seed=n) for n in (7, 11))
base = case_("a mask", query, key, heads=3, train=False)

def hiding(words, mask, **changes):
    return base.but(words, kwargs={"mask": mask}, **changes)

# Property: masks with two, three and four axes do what their broadcast to (batch, heads, seq_q, seq_k) says [broadcast]
for shape in [(7, 11), (1, 11), (7, 1), (1, 7, 11), (3, 7, 11), (3, 1, 11),
              (2, 1, 7, 11), (2, 1, 1, 11), (1, 3, 7, 11), (2, 3, 7, 11),
              (1, 1, 1, 11)]:
    mask = ab.numbers(*shape, seed=85) > -0.4
    tried(hiding(f"a mask {shape}", mask))
    if shape in [(7, 1), (3, 7, 11), (2, 1, 1, 11)]:
        tried(hiding(f"inputs and a mask {shape} stay as they are", mask,
                     look=("inputs",)),
              base.but(f"a mask {shape}, then none, then queries of zeros",
                       steps=[("", query, key, None, mask), ("", query, key),
                              ("", 0 * query, key, None, mask)]))
# Property: a query with nothing to attend to leaves no NaN in the gradient, and the gradient is right [masked-row]
mask = ab.numbers(3, 7, 11, seed=86) > 0                          # (heads, 7, 11)
mask[:, 3], mask[1, 5] = False, False
mask[:, 0], mask[:, 0, 4] = False, True                          # sees one key alone
tried(hiding("queries with nothing to see", mask),
      hiding("their gradient", mask, look=("gradient",)),
      hiding("their gradient in training", mask, look=("gradient",),
             of=case_("", query, heads=3).of),
      ab.case("with biases, the weights of a query that sees nothing", query[..., :6],
              of=ab.module(6, 3, bias=True), mask=torch.ones(7, 7).tril(-1).bool(),
              ask=lambda f, x, mask: f(x, mask=mask)[1][:, :, 0]))
# Property: with a mask, too, dtype, precision and device of the input are kept [masked-dtype]
masked = case_("a strict causal mask", ab.numbers(2, 5, 6, seed=88),
               mask=torch.ones(5, 5).tril(-1).bool(), train=False)
tried(*ab.house_rules(masked, only="float64 bfloat16 device"))
# Property: very large scores do not outgrow the mask [large-scores]
tried(*(case_(f"scores {scale} times as large", ab.numbers(2, 5, 6, seed=90).double(),
              mask=torch.ones(5, 5).tril().bool(), scale=scale, within=1e-3)
        for scale in (1e5, -1e5)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_multi_head_attention_check_options", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.3, options: an error, biases, and dropout on the weights in training."""
def refused_(kind, *sizes):
    try:
        return f"no error: {bool(kind(*sizes))}"
    except Exception as error:
        return f"an error with a text: {bool(str(error).strip())}"
def draws_(layer, *given, p, **mask):                          # 60 equal keys, of 1
    kept, again = (60 * (1 - p) * layer(*given, **mask)[0] for _ in range(2))
    heads = kept.unflatten(-1, (2, 3))                   # (batch, query, head, feature)
    return [f"divided by 1 − p: {(kept - kept.round()).abs().max().item() < 0.01}",
            f"a share of p is dropped: {abs(kept.mean().item() / 60 - 1 + p) < 0.1}",
            f"each weight by itself: {1 < kept.std().item() < 15}",
            *(f"{name} differ: {differ.abs().max().item() > 0.01}" for name, differ in [
                ("calls", kept - again), ("sentences", heads.diff(dim=0)),
                ("queries", heads.diff(dim=1)), ("heads", heads.diff(dim=2))])]
def dropped_(p, *given, **mask):
    return ab.case(f"dropout={p}, {len(given)} given, {len(mask) or 'no'} mask", *given,
                   of=ab.module(6, 2, p, weights=eyes_), p=p, ask=draws_, **mask)
ones_, all_ = torch.ones(2, 60, 6), {"mask": torch.ones(60, 60).bool()}
ab.check("4.3 options", MultiHeadAttention, [
    masked_,
    ab.case("3 heads for d_model = 10", 10, 3, ask=refused_),
    *(ab.case(f"what it learns, bias={bias}", look="parameters",
              of=ab.module(6, 2, bias=bias, weights={})) for bias in (False, True)),
    *(ab.case(f"biases, {len(given)} given", *given, of=ab.module(6, 2, bias=True))
      for given in [(x_,), (x_, y_), (x_, y_, y_)]),
    case_("dropout after eval(), where it does nothing", x_, dropout=0.5, train=False),
    dropped_(0.5, ones_), dropped_(0.25, ones_), dropped_(0.5, ones_, **all_),
    dropped_(0.5, ones_, ones_), dropped_(0.5, ones_, ones_, ones_),
], "query, key, value -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.3 options", MultiHeadAttention, [masked_, *cases],
             like=reference("MultiHeadAttention"))

# Property: an error for every number of heads that does not divide d_model, none where it does [errors]
tried(*(ab.case(f"{h} heads for d_model = {d}", d, h, ask=refused_) for d, h in [
    (7, 2), (8, 3), (6, 12), (5, 4), (7, 7), (15, 3), (5, 1), (12, 6)]))
# Property: all four biases are used [bias]
x, y = ab.numbers(2, 5, 6, seed=91), ab.numbers(2, 7, 6, seed=92)
biased = ab.module(6, 3, bias=True, train=False)
tried(ab.case("no biases by default", of=ab.module(6, 3), look="parameters"),
      ab.case("self-attention", x, of=biased), ab.case("a key", x, y, of=biased),
      ab.case("key and value", x, y, y, of=biased))
# Property: dropout=0 is the default, and then training and evaluation agree [train-eval]
tried(*(case_(f"training mode: {train}", x, heads=3, train=train)
        for train in (True, False)),
      case_("dropout=0.8 in evaluation mode", x, heads=3, dropout=0.8,
            train=False))
# Property: in training about p of the weights are dropped and the rest scaled up, for each query and head by itself [share]
tried(*(dropped_(p, ones_) for p in (0.2, 0.8)))
# Property: dropout acts with and without a mask, in self-attention and in cross-attention [cross-dropout]
tried(*(dropped_(p, *given, **mask) for p, given, mask in [
    (0.2, [ones_], all_), (0.5, [ones_, ones_], {}),
    (0.8, [ones_, ones_, ones_], all_)]))
### END HIDDEN TESTS

# %% [markdown]
# ## 4.6 Is it the same?
#
# First we compare your layer with your list of heads. We copy their matrices into it and make its $W_o$ the identity. As a control, a second layer keeps its own random weights.

# %% tags=["uses-exercise"]
sentences = torch.randn(2, 10, 64, generator=torch.Generator().manual_seed(8))
mask = causal_mask(10)
wrapper = MultiHeadWrapper(d_model=64, d_head=16, num_heads=4)
split = MultiHeadAttention(d_model=64, num_heads=4)
with torch.no_grad():
    for name in ("W_q", "W_k", "W_v"):
        small = [getattr(head, name).weight for head in wrapper.heads]   # 4 of (16, 64)
        getattr(split, name).weight.copy_(torch.cat(small))              # (64, 64)
    split.W_o.weight.copy_(torch.eye(64))

for name, layer in (("equal", split), ("other", MultiHeadAttention(64, 4))):
    difference = layer(sentences, mask=mask)[0] - wrapper(sentences)[0]
    print(f"{name} weights: outputs differ by {difference.abs().max():.6f}")

# %% [markdown]
# Then we compare your layer with PyTorch's `nn.MultiheadAttention`. Its masks are inverted (`True` = blocked), and by default it averages the weights over the
# heads. Your three matrices stand one below the other in its `in_proj_weight`. `F.scaled_dot_product_attention` gets your queries, keys and values.

# %% tags=["uses-exercise"]
ours = MultiHeadAttention(d_model=64, num_heads=4)
theirs = nn.MultiheadAttention(64, 4, bias=False, batch_first=True)
with torch.no_grad():
    three = [ours.W_q.weight, ours.W_k.weight, ours.W_v.weight]
    theirs.in_proj_weight.copy_(torch.cat(three))                        # (192, 64)
    theirs.out_proj.weight.copy_(ours.W_o.weight)

output, weights = ours(sentences, mask=mask)
their_output, their_weights = theirs(sentences, sentences, sentences, attn_mask=~mask,
                                     average_attn_weights=False)
q, k, v = (split_heads(W(sentences), 4) for W in (ours.W_q, ours.W_k, ours.W_v))
fused = ours.W_o(combine_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)))
for name, difference in {
        "outputs": output - their_output, "weights": weights - their_weights,
        "F.scaled_dot_product_attention": output - fused}.items():
    print(f"{name}: largest difference {difference.abs().max():.6f}")

# %% [markdown]
# There is no difference to six decimals.
#
# ### Exercise 4.4 · One projection for all · 2 points · about 5 minutes
#
# Do to your own layer what PyTorch did to its own: `fuse_qkv` takes a layer with `W_q`, `W_k`, `W_v`, and returns one
# `nn.Linear(d_model, 3 * d_model)`. One point each for
#
# - *q, k and v*: its output is q, k and v side by side, in that order, heads in the order they had, for any width
#   <!-- asks: sizes -->; if the layer has biases, the result has them, too; it keeps the dtype of the layer <!-- asks: dtype -->;
# - *two layers*: the result can be trained, whether the layer can or not <!-- asks: gradient -->, and is on the device of the layer
#   <!-- asks: device -->; the layer stays as it is (numbers, mode, parts, what is trained), also when the result is trained later <!-- asks: state -->.
#
# <details><summary>Hint 1</summary>nn.Linear stores the transpose (chapter 2). Outputs side by side: are the stored
# matrices then side by side, or one below the other?</details>
# <details><summary>Hint 2</summary>Copying into a parameter is not to be differentiated. nn.Linear takes device= and dtype=.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_fuse_qkv", "locked": false, "schema_version": 3, "solution": true, "task": false}
def fuse_qkv(mha):
    """One nn.Linear(d_model, 3 * d_model) that gives q, k and v of mha side by side."""
    ### BEGIN SOLUTION
    parts = (mha.W_q, mha.W_k, mha.W_v)
    weight, bias = mha.W_q.weight, mha.W_q.bias
    fused = nn.Linear(weight.size(1), 3 * weight.size(0), bias=bias is not None,
                      device=weight.device, dtype=weight.dtype)
    with torch.no_grad():                                    # (3 * d_model, d_model)
        fused.weight.copy_(torch.cat([part.weight for part in parts]))
        if bias is not None:
            fused.bias.copy_(torch.cat([part.bias for part in parts]))
    return fused
    ### END SOLUTION

# %% tags=["uses-exercise"]
one = Projections(d_model=1, num_heads=1)                 # every matrix is one number
with torch.no_grad():
    for W, number in ((one.W_q, 2.), (one.W_k, 3.), (one.W_v, 4.)):
        W.weight.fill_(number)
ab.beside([[2.0], [3.0], [4.0]], lambda: fuse_qkv(one).weight)
ab.beside([20.0, 30.0, 40.0], lambda: fuse_qkv(one)(torch.tensor([10.])))   # q, k, v

# %% nbgrader={"grade": true, "grade_id": "ch04_fuse_qkv_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Projections"] checks=["reference"]
"""Exercise 4.4, q, k and v: a layer of width 4 with two heads, and others."""
def fused_(fuse, d_model):
    layer = fuse.args[0]                             # with numbers that need all digits
    layer.load_state_dict({name: p / 3 for name, p in layer.state_dict().items()})
    fused = fuse()
    x = ab.numbers(2, 3, d_model, seed=8).to(fused.weight.dtype)
    return [f"nn.Linear: {isinstance(fused, nn.Linear)}, {fused.in_features} in, "
            f"{fused.out_features} out", *fused(x).chunk(3, -1)]
def of_width_(d_model, num_heads, bias=False, dtype=torch.float32, **look):
    hint = "Does every number of the new layer, biases too, come from the old one?"
    return ab.case(f"d_model = {d_model}, {num_heads} heads, bias={bias}, {dtype}",
                   d_model, ask=fused_, hint=hint, **look,
                   of=ab.module(d_model, num_heads, bias=bias, dtype=dtype))
ab.check("4.4 q, k, v", (fuse_qkv, Projections), [
    of_width_(4, 2), of_width_(4, 2, True), of_width_(3, 1, True), of_width_(1, 1),
    of_width_(4, 2, True, torch.float64, look="dtype values", within=1e-10),
    of_width_(4, 2, True, torch.bfloat16, look="dtype")], "d_model -> q, k, v")
### BEGIN HIDDEN TESTS
def plain(d_model, num_heads, bias=False):
    """Projections that no student has touched, for the reference."""
    return nn.ModuleDict({name: nn.Linear(d_model, d_model, bias=bias)
                          for name in ("W_q", "W_k", "W_v", "W_o")})

def tried(*cases):
    ab.check("4.4 q, k, v", (fuse_qkv, Projections), cases,
             "d_model -> q, k, v", like=reference("fuse_qkv", along=plain))

# Property: q, k and v side by side for any width, with and without bias [sizes]
tried(*(of_width_(*sizes) for sizes in [
    (6, 3), (7, 1, True), (10, 5, True), (15, 3), (1, 1, True), (134, 2, True)]))
# Property: keeps the dtype of the layer, and its precision [dtype]
tried(of_width_(6, 2, True, torch.float64, look="dtype values", within=1e-10),
      *(of_width_(6, 2, True, dtype, look="dtype")
        for dtype in (torch.float32, torch.bfloat16)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_fuse_qkv_check_layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Projections"] checks=["reference"]
"""Exercise 4.4, two layers: what is true of both when the new one was trained."""
def layers_(fuse, *frozen):
    layer = fuse.args[0]
    for name in frozen:
        getattr(layer, name).requires_grad_(False)
    def all_of_it():
        learns = {name: p.requires_grad for name, p in layer.named_parameters()}
        return {name: (part.tolist(), learns.get(name))
                for name, part in layer.state_dict().items()}
    before, fused = all_of_it(), fuse()
    learns = sorted((n, *p.shape, p.requires_grad) for n, p in fused.named_parameters())
    fused.load_state_dict({n: 0 * p for n, p in fused.state_dict().items()})  # trained
    now = all_of_it()
    changed = [n for n in {**before, **now} if before.get(n) != now.get(n)]
    return [f"what is trained in the new layer: {learns}",
            f"changed in the old layer: {sorted(changed)}",
            f"the old layer is in training mode: {layer.training}",
            f"a second call makes a new one: {bool(fuse().weight.any())}"]
def kept_(train, *frozen):
    return ab.case(f"training mode: {train}, frozen: {frozen}", *frozen, ask=layers_,
                   of=ab.module(4, 2, bias=True, train=train))
def device_(fuse):
    fuse.args[0].to("meta")
    return str(fuse().weight.device)
elsewhere_ = kept_(True).but("a layer on another device, as on a GPU", ask=device_)
ab.check("4.4 two layers", (fuse_qkv, Projections), [
    kept_(True), kept_(False, "W_k"), kept_(True, "W_q", "W_k", "W_v", "W_o"),
    elsewhere_])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.4 two layers", (fuse_qkv, Projections), cases,
             like=reference("fuse_qkv", along=plain))

# Property: the weights of the fused projection can be trained [gradient]
tried(kept_(False, "W_q", "W_k", "W_v", "W_o"))
# Property: the layer stays as it is: its mode, what can be trained, its parts [state]
tried(*(kept_(train, *frozen) for train in (True, False)
        for frozen in ((), ("W_q",), ("W_o", "W_v"))))
# Property: stays on the device of the layer [device]
tried(elsewhere_)
### END HIDDEN TESTS

# %% [markdown]
# ## 4.7 What heads cost
#
# **Predict, then run.** A layer with `d_model = 512` and *one* head is replaced by one with 64. By what factor does the number of parameters change, and by what factor the number of operations in its matrix products, for one sentence of 100 tokens?

# %% tags=["show"]
guess_parameters, guess_operations = None, None     # two numbers: 1 if nothing changes

# %% tags=["show"]
from torch.utils.flop_counter import FlopCounterMode

words, parameters, operations = torch.zeros(1, 100, 512), {}, {}
print("heads   width of a head   parameters   operations (millions)   weights")
for count in (1, 2, 8, 64):
    attention = nn.MultiheadAttention(512, count, bias=False, batch_first=True)
    with FlopCounterMode(display=False) as counter:
        weights = attention(words, words, words, average_attn_weights=False)[1]
    parameters[count] = sum(p.numel() for p in attention.parameters())
    operations[count] = counter.get_total_flops()
    print(f"{count:5d} {512 // count:17d} {parameters[count]:12,d} "
          f"{operations[count] / 1e6:23.1f} {weights.numel():9,d}")

# %% tags=["show"]
check_guess("parameters, 64 heads", guess_parameters, parameters[64] / parameters[1])
check_guess("operations, 64 heads", guess_operations, operations[64] / operations[1])

# %% [markdown]
# Neither the parameters nor the operations change: the big matrix is the same, cut into more pieces. You pay with width: the query of each of 64 heads has only 8 numbers. What grows is the number of attention weights, one table per head, and with it the time: on a long text 64 heads took several times as long as one ([measured](deeper.ipynb), "Heads and
# the clock").
#
# <!-- interactive page -->

# %% [markdown]
# ### Exercise 4.5 · Count the parameters · 1 point · about 3 minutes
#
# Write the count, a whole number, as a formula. It should agree with the table above, for any width
# <!-- asks: sizes -->, count biases where there are some, and be the same for every number of heads <!-- asks: heads -->.
#
# <details><summary>Hint</summary>A bias has one number for each output of its matrix.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_attention_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_parameters(d_model, num_heads, bias=False):
    """How many parameters MultiHeadAttention has: a whole number."""
    ### BEGIN SOLUTION
    # W_q, W_k, W_v, W_o; num_heads only cuts them
    return 4 * (d_model * d_model + (d_model if bias else 0))
    ### END SOLUTION

# %% tags=["uses-exercise"]
ab.beside(16, lambda: attention_parameters(2, 1))               # four matrices of 2 × 2
ab.beside(24, lambda: attention_parameters(2, 1, bias=True))    # and four biases of 2

# %% nbgrader={"grade": true, "grade_id": "ch04_attention_parameters_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.5: d_model = 512 with 8 heads, with and without bias, and other sizes."""
def counted_(*sizes):                         # __index__ is what whole numbers have
    return ab.case(f"attention_parameters{sizes}", *sizes, within=1e-12,
                   ask=lambda count, *sizes: count(*sizes).__index__())
ab.check("4.5 count", attention_parameters, [
    counted_(512, 8), counted_(512, 8, True), counted_(512, 1), counted_(6, 3),
    counted_(6, 1, True), counted_(4101, 3),
    *(counted_(24, num_heads) for num_heads in (1, 2, 3, 4, 6, 8, 12, 24)),
    counted_(36, 36), counted_(36, 1)], "d_model, num_heads, bias -> the count")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.5 count", attention_parameters, cases,
             like=reference("attention_parameters"))

# Property: equals counting the parameters of a real layer, for any width, number of heads and bias [sizes]
tried(*(counted_(d_model, num_heads, bias) for bias in (False, True)
        for d_model, num_heads in [(6, 3), (7, 1), (35, 5), (768, 12), (1600, 25),
                                   (1, 1), (22, 11), (4107, 3)]))
# Property: the answer is the same for every number of heads [heads]
tried(*(counted_(24, num_heads, bias) for bias in (False, True)
        for num_heads in (1, 2, 3, 4, 6, 8, 12, 24)))
### END HIDDEN TESTS

# %% [markdown]
# ## 4.8 What heads learn
#
# Back to Latin. A sentence has four nouns out of 24, one in each case and in random order, and then the verb. One linear map reads the output of attention *at the verb* and has to name who bites and who is bitten.

# %% tags=["show"]
# @title Latin sentences, and a reader with one layer of attention
nouns = ("dog cat wolf bear boar horse mule goat crow owl hen goose "
         "girl boy king queen nurse guard cook smith poet thief priest farmer").split()
cases = ["nom", "acc", "dat", "abl"]  # who · whom · for whom · with whom

def latin(count, generator):
    """Words (count, 4), their cases (count, 4), and who and whom (count, 2)."""
    chosen = torch.rand(count, 24, generator=generator).argsort(-1)[:, :4]  # by case
    order = torch.rand(count, 4, generator=generator).argsort(-1)  # case of word 0, …
    return chosen.gather(1, order), order, chosen[:, :2]

class Reader(nn.Module):
    def __init__(self, num_heads, d_model=24):
        super().__init__()
        self.word = nn.Embedding(25, d_model)            # number 24: the verb
        self.case = nn.Embedding(5, d_model)             # case 4: the verb
        self.attention = nn.MultiheadAttention(
            d_model, num_heads, bias=False, batch_first=True)
        self.answer = nn.Linear(d_model, 2 * 24)

    def embed(self, words, order):        # (batch, 5, d_model): the verb comes last
        words, order = F.pad(words, (0, 1), value=24), F.pad(order, (0, 1), value=4)
        return self.word(words) + self.case(order)

    def forward(self, words, order):
        x = self.embed(words, order)
        output, weights = self.attention(x, x, x, average_attn_weights=False)
        return self.answer(output[:, -1]).view(-1, 2, 24), weights  # of the verb's row

# %% [markdown]
# We train two kinds of reader with the same number of parameters, from five random seeds each: with two heads for 300
# steps, and with one head for 1,500.
#
# **Predict, then run.** For how many of 100 new sentences do the best and the worst of the five readers with *one* head give both answers right?

# %% tags=["show"]
guess_best, guess_worst = None, None       # type two numbers from 0 to 100

# %% tags=["show", "tolerance-0.05"]
# @title Train five readers with one head, and five with two
def learn_latin(num_heads, seed, steps, d_model=24):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    reader = Reader(num_heads, d_model).to(device)
    optimizer, curve = torch.optim.Adam(reader.parameters()), []
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 1e-2 * (1 - step / steps)     # it falls
        words, order, asked = (part.to(device) for part in latin(64, generator))   # new
        logits, _ = reader(words, order)
        curve.append((logits.argmax(-1) == asked).all(-1).float().mean())
        optimizer.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), asked.flatten()).backward()
        optimizer.step()
    return reader.eval(), torch.stack(curve).cpu()

def end(curve):
    return 100 * curve[-50:].mean().item()  # in %, of the last 3,200 sentences

readers = {heads: [learn_latin(heads, seed, steps) for seed in range(5)]
           for heads, steps in ((1, 1500), (2, 300))}
for count, runs in readers.items():
    print(f"heads: {count}   in %:", *(f"{end(curve):.0f}" for _, curve in runs))

# %% tags=["show"]
ends = [end(curve) for _, curve in readers[1]]
check_guess("best reader with one head, in %", guess_best, round(max(ends)))
check_guess("worst reader with one head, in %", guess_worst, round(min(ends)))

# %% [markdown]
# Step by step:

# %% tags=["show"]
# @title How readers with one head and with two learn
fig, ax = plt.subplots(figsize=(6.6, 2.8))
for (count, runs), colour in zip(readers.items(), (OKABE_ITO[3], OKABE_ITO[0])):
    for number, (_, curve) in enumerate(runs):
        smooth = F.avg_pool1d(curve[None, None], 20, stride=10)[0, 0]
        ax.plot(20 + 10 * torch.arange(len(smooth)), 100 * smooth, color=colour,
                label=None if number else ("one head", "two heads")[count - 1])
ax.set(xlabel="training steps", ylabel="sentences understood, %", ylim=(0, 102),
       title="Who bites whom? Two heads learn it at once, one head late or never")
ax.legend(loc="center right", frameon=False)
show(fig, "Share of new sentences with both answers right against training steps, five "
          "runs each. The runs with two heads are at 100 percent after 100 steps; of "
          "those with one head three reach 95 percent after some 900, two stay at "
          "chance, 1 in 24.")

# %% [markdown]
# Two heads learn it in about 100 steps with these five seeds. With one head, three runs need about nine times as
# long, and two still guess one of the two answers at the end.
#
# Is it the number of heads, or their width? One head of twice the width fails no less often, and two heads of half the
# width learn it in the same 300 steps ([deeper](deeper.ipynb), "One head, with more width, and with more time"). So it
# is the number.

# %% [markdown]
# What do the heads look at? The weights of the verb, averaged over 500 sentences:

# %% tags=["show"]
def verb_looks_at(reader, count=500):
    words, order, _ = latin(count, torch.Generator().manual_seed(99))
    with torch.no_grad():                                       # the verb's rows
        weights = reader(words.to(device), order.to(device))[1][:, :, -1, :4].cpu()
    by_case = order.argsort(-1)[:, None].expand_as(weights)  # where each case stands
    return weights.gather(-1, by_case).mean(0)                              # (heads, 4)

# %% tags=["show"]
# @title What the verb looks at, by case
one_head, two_heads = (
    torch.cat([verb_looks_at(reader) for reader, _ in readers[n]]) for n in (1, 2))
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.4))
draw_matrix(left, one_head, [f"run {n}" for n in range(5)], cases,
            "one head: a mixture,\nor one question given up", limits=(0, 1))
draw_matrix(right, two_heads, [f"run {n // 2}, head {n % 2}" for n in range(10)], cases,
            "two heads:\none question each", limits=(0, 1))
right.set_aspect("auto")
show(fig, "Mean weight of the verb on nouns of each case. With one head, each run "
          "either gives nominative and accusative nearly half each, or one of them "
          "everything. With two heads, one gives nearly all to the nominative, the "
          "other to the accusative, in each of the five runs.")

# %% [markdown]
# In these five runs the two heads share the work, and nobody told them to. (With other seeds both may mix.) With
# one head, two runs *gave up a question*, and three divide their weight between who and whom, about half each.
#
# Those three still understand nearly every sentence, by a trick. In a single sentence a noun and its own ending get the
# *same* weight, which ties them together ([deeper](deeper.ipynb), "How does one head do it?").
#
# ### Exercise 4.6 · Draw what heads look at · 2 points · about 7 minutes
#
# `plot_heads` draws one heatmap (`imshow`, `matshow` or `pcolormesh`) per head, each in a place of its own on
# one figure, and returns the figure. `draw_matrix(ax, matrix, rows, columns, title, limits=(low, high))` does the ticks and labels. One point each for
#
# - *heatmaps*: keys across, the first at the left, and queries down, the first at the top
#   <!-- asks: first-at-the-top -->, with the tokens as tick labels, also where words occur twice <!-- asks: repeated-words -->;
#   any number of heads and tokens <!-- asks: sizes -->, a single head, too <!-- asks: one-head -->;
# - *titles and colours*: the number of the head in its title, and **one colour scale for all heads**, from 0 to 1 or to the largest weight of all heads <!-- asks: one-scale -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The weights may come straight from a model (with a gradient, in float32 or float64, not contiguous), and stay as they are <!-- asks: inputs-unchanged -->.
# </details>
#
# <details><summary>Hint 1</summary>plt.subplots makes several axes at once. What does it return when there is only one,
# and which option makes it always return an array?</details>
# <details><summary>Hint 2</summary>If you call imshow yourself: it chooses colour limits from its own data, unless told both, and takes no
# weights that still hang on a model's graph.</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_plot_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def plot_heads(weights, tokens):
    """A Figure with one heatmap per head, on one colour scale.

    weights: (heads, seq, seq)   tokens: seq strings
    """
    ### BEGIN SOLUTION
    size = (3.5 * len(weights), 3.5)
    fig, axes = plt.subplots(1, len(weights), figsize=size, squeeze=False)
    for head, ax in enumerate(axes[0]):
        draw_matrix(ax, weights[head], tokens, tokens, f"head {head}", limits=(0, 1))
    return fig
    ### END SOLUTION

# %% tags=["uses-exercise"]
two = torch.tensor([[[1.0, 0.0], [0.5, 0.5]],           # head 0
                    [[0.9, 0.1], [0.2, 0.8]]])          # head 1

def scales():
    fig = plot_heads(two, ["dog", "bites"])
    plt.close(fig)
    return [[float(limit) for limit in image.get_clim()] for ax in fig.axes
            for image in (*ax.images, *ax.collections)]

ab.beside([[0.0, 1.0], [0.0, 1.0]], scales)             # one scale for both

# %% nbgrader={"grade": true, "grade_id": "ch04_plot_heads_check_heatmaps", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.6, heatmaps: numbers and tokens, read from the left and from the top."""
def read_(ax, image):               # numbers and labels as one sees them; no colour bar
    if hasattr(image, "get_extent"):
        left, right, *rows = image.get_extent()
        top, bottom = rows if image.origin == "lower" else rows[::-1]
        corners, cells = [(left, top), (right, bottom)], image.get_array().shape
    else:
        corners = image.get_coordinates()[[0, -1], [0, -1]]
        cells = tuple(n - 1 for n in image.get_coordinates().shape[:2])
    n, seen = cells[0], []
    if cells == (n, n):
        numbers = torch.tensor(image.get_array().tolist()).view(n, n)
        for side, axis in enumerate((ax.xaxis, ax.yaxis)):
            start, end, low, up = *(c[side] for c in corners), *axis.get_view_interval()
            turned = ((end - start) * (up - low) < 0) == (side == 0)
            numbers = numbers.flip(1 - side) if turned else numbers
            places = sorted(((label.get_position()[side] - start) / (end - start) * n,
                             label.get_text()) for label in axis.get_ticklabels())
            seen.append(", ".join(
                f"{n - 1 - int(place) if turned else int(place + 1e-6)} {text}"
                for place, text in places[::-1 if turned else 1]
                if ax.axison and text and -0.01 < place < n + 0.01))
        yield numbers, *seen
def heatmaps_(draw, weights, tokens):
    fig = draw(1 * weights if weights.requires_grad else weights, tokens)
    plt.close("all")
    assert hasattr(fig, "axes"), f"return the figure; this is a {type(fig).__name__}"
    found = {(*ax.get_window_extent().bounds, ax.get_axes_locator()): (ax, image, *seen)
             for ax in fig.axes if ax.get_visible()
             for image in (*ax.images, *ax.collections) if image.get_array() is not None
             for seen in read_(ax, image)}
    assert found, "there is no heatmap: draw each head by imshow, matshow or pcolormesh"
    return list(zip(*found.values()))
def drawn_(draw, weights, tokens):
    axes, _, numbers, *labels = heatmaps_(draw, weights, tokens)
    swapped = any("quer" in ax.get_xlabel().lower() or "key" in ax.get_ylabel().lower()
                  for ax in axes if ax.axison)
    return [torch.stack(numbers), *("; ".join(dict.fromkeys(filter(None, side)))
                                    for side in labels), f"{swapped}"]
heads_ = torch.tensor([[[1.0, 0.0, 0.0], [0.3, 0.7, 0.0], [0.2, 0.2, 0.6]],
                       [[0.4, 0.3, 0.3], [0.1, 0.5, 0.4], [0.25, 0.5, 0.25]]])
words_, many_ = ["dog", "bites", "cat"], list("abcdefghijklmnopqrstuvwxyzABCDE")
two_ = ab.case("two heads, three tokens", heads_, words_, ask=drawn_)
ab.check("4.6 heatmaps", plot_heads, [
    two_, two_.but("words that occur twice", args=(heads_, ["dog", "bites", "dog"])),
    two_.but("weights of a model", args=(heads_.clone().requires_grad_(), words_)),
    two_.but("17 heads", args=(heads_[[1] * 16 + [0], 1:, 1:], many_[:2])),
    ab.case("long", torch.eye(31)[None] / 2, many_, ask=drawn_, look="values inputs"),
    two_.but("one head and one token", args=(torch.ones(1, 1, 1), many_[:1])),
], "weights, tokens -> the heatmaps, labels across, labels down, names are exchanged")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("4.6 heatmaps", plot_heads, [two_, *cases], like=reference("plot_heads"))

def random_(heads, words):
    n = len(words.split())
    weights = (2 * ab.numbers(heads, n, n, seed=heads)).softmax(-1)
    return ab.case(f"{heads} heads, {n} tokens", weights, words.split(), ask=drawn_)

# Property: draws other numbers of heads and tokens, more than four heads among them [sizes]
tried(*(random_(heads, " ".join(f"word{place}" for place in range(n)))
        for heads, n in [(5, 4), (1, 11)]))
# Property: the first key stands at the left and the first query at the top [first-at-the-top]
tried(random_(2, "a b c"))
# Property: draws a single head, too [one-head]
tried(random_(1, "a b c d e"))
# Property: words that occur twice keep their own row and column [repeated-words]
tried(random_(1, "the cat saw the other cat"))
# Property: takes weights straight from a model, with their gradient, in float64, not contiguous, and leaves them alone [inputs-unchanged]
weights, words = random_(1, "a b c").args
tried(*(two_.but(name, args=(given, words)) for name, given in [
    ("with a gradient", weights.clone().requires_grad_()),
    ("float64", weights.double()), ("turned", weights.mT.contiguous().mT)]),
      two_.but("the weights stay as they are", args=(weights, words), look=("inputs",)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch04_plot_heads_check_scale", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 4.6, titles and colours: each head has its number, all have one scale."""
import re
def scaled_(draw, weights, tokens):
    axes, images, *_ = heatmaps_(draw, weights, tokens)
    titles = [" ".join(map(ax.get_title, ("left", "center", "right"))) for ax in axes]
    numbers = [[*map(int, re.findall(r"\d+", title))] for title in titles]
    first = int(0 not in numbers[0])
    known = [str(head + first in found) for head, found in enumerate(numbers)]
    (low, high), *more = {image.get_clim() for image in images}
    return [f"the number of the head is in its title: {', '.join(known)}",
            f"{1 + len(more)} scales, {len({i.get_cmap().name for i in images})} maps",
            f"from 0 or more: {low > -0.01}, to 1 or less: {high < 1.01}",
            f"all weights have a colour: {low < weights.min().item() + 1e-4}, "
            f"{high > weights.max().item() - 1e-4}"]
ab.check("4.6 scale", plot_heads, [
    two_.but("two heads", ask=scaled_),
    two_.but("weights from 0.1 to 0.5", ask=scaled_, args=(heads_[[1, 1]], words_)),
    two_.but("the other head first", ask=scaled_, args=(heads_.flip(0), words_))])
### BEGIN HIDDEN TESTS
# Property: the title of each head has its number, and all have one colour scale, also where the last head, or a middle one, has the largest weight [one-scale]
flat = (0.05 * ab.numbers(3, 5, 5)).softmax(-1)
sharp = torch.stack([flat[0], torch.eye(5), flat[2]])
ab.check("4.6 scale", plot_heads, [
    two_.but(f"{len(given)} heads, sharp and flat", args=(given, list("abcde")),
             ask=scaled_) for given in (sharp, sharp[:2], flat)],
    like=reference("plot_heads"))
### END HIDDEN TESTS

# %% [markdown]
# We use your tool on an untrained reader with two heads, and on a trained one:

# %% tags=["show", "uses-exercise"]
words, order, asked = latin(1, torch.Generator().manual_seed(12))
names = [*(f"{nouns[w]}-{cases[c]}" for w, c in zip(words[0], order[0])), "bites"]
torch.manual_seed(0)
for reader, moment in ((Reader(2).to(device), "before"), (readers[2][1][0], "after")):
    fig = plot_heads(reader(words.to(device), order.to(device))[1][0].cpu(), names)
    fig.suptitle(f"The two heads {moment} training", x=0.01, ha="left", fontsize=10)
    show(fig, f"Two five by five heatmaps, {moment} training, of a Latin sentence that "
              "ends with the verb. Before: random weights. After: in the last row "
              "one head gives all to the nominative, the other to the accusative.")

# %% [markdown]
# Look at the **last row**, the verb's: after training, one head has everything on the nominative, the other on the
# accusative. The other rows mean nothing, since training asked only the verb.
#
# ## 4.9 One head at a time
#
# The layer is a sum of heads, so a head can be looked at alone. Its scores and what it adds to the output are
#
# $$\mathrm{score}_{ij} = \frac{x_i\, W_q W_k^{\top}\, x_j^{\top}}{\sqrt{d_{\mathrm{head}}}} \qquad \mathrm{added}_i = \sum_j \mathrm{weight}_{ij}\; x_j\, W_v W_o$$
#
# Take from $W_q$, $W_k$, $W_v$ the columns, and from $W_o$ the rows, that belong to the head. So a head is **two matrices**,
# `(d_model, d_model)` each: $W_q W_k^{\top}$, *where it looks*, and $W_v W_o$, *what it brings*. We take a Latin reader apart:

# %% tags=["show"]
reader = readers[2][1][0]
W_q, W_k, W_v = (W.T for W in reader.attention.in_proj_weight.detach().cpu().chunk(3))
W_o = reader.attention.out_proj.weight.detach().cpu().T     # (24, 24), as in x W

def two_matrices(head, width=12):
    own = slice(head * width, (head + 1) * width)
    return W_q[:, own] @ W_k[:, own].T, W_v[:, own] @ W_o[own]  # (24, 24) each

# %% tags=["show"]
# @title Where each head looks, and what it brings
fig, axes = plt.subplots(2, 3, figsize=(7.4, 4.6), width_ratios=[1.1, 1, 1])
with torch.no_grad():
    word, case = reader.word.weight.cpu(), reader.case.weight.cpu()
    for head, row in enumerate(axes):
        looks, brings = two_matrices(head)
        scores = (word[24] + case[4]) @ looks @ case[:4].T / 12 ** 0.5
        row[0].bar(cases, scores.tolist(), color=OKABE_ITO[head])
        row[0].set(title=f"head {head} looks: the verb's score\nfor each ending")
        answers = reader.answer.weight.cpu() @ (word[:24] @ brings).T         # (48, 24)
        for ax, block, name in zip(row[1:], answers.chunk(2), ("who", "whom")):
            image = draw_matrix(
                ax, block, title=f"head {head} brings:\nnouns' scores as “{name}”",
                cmap="PuOr", limits=(-25, 25), digits=None)
            ax.set(xlabel="looked at", ylabel="noun answered", xticks=[], yticks=[])
fig.colorbar(image, ax=axes[:, 1:], label="added to the score", shrink=0.7)
show(fig, "Two rows, one for each head of a trained reader. Bars: the verb's score for "
          "the four endings; in one head the accusative stands far above the others, "
          "in the other the nominative. Heatmaps of 24 by 24: the first head is pale "
          "for “who” and has a dark diagonal for “whom”, the second the other way "
          "round.")

# %% [markdown]
# Left: where each head looks. Middle and right: what it brings. A diagonal means that the noun looked at is named in the
# answer, in one head as "who", in the other as "whom". If that is right, what happens without one of the heads?

# %% [markdown]
# The folded cell defines a layer for this experiment, based on PyTorch's function:

# %%
# @title The layer for the experiment, PlainAttention
class PlainAttention(Projections):
    """The four matrices, put to work by PyTorch's function; dropout in training."""

    def __init__(self, d_model, num_heads, bias=False, dropout=0.0):
        super().__init__(d_model, num_heads, bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None):
        key = query if key is None else key
        value = key if value is None else value
        three = (self.W_q, self.W_k, self.W_v)
        bias = None if self.W_q.bias is None else torch.cat([W.bias for W in three])
        output, weights = F.multi_head_attention_forward(
            *(part.transpose(0, 1) for part in (query, key, value)),
            query.size(-1), self.num_heads, torch.cat([W.weight for W in three]), bias,
            None, None, False, self.dropout.p, self.W_o.weight, self.W_o.bias,
            self.training, average_attn_weights=False)
        return output.transpose(0, 1), weights

# %% [markdown]
# ### Exercise 4.8 · Switch a head off · 1 point · about 6 minutes
#
# `without_head` returns the layer's output for `x` with one head's part of the concatenation (the input of `W_o`) set to zero. `layer` is a `MultiHeadAttention` or a `PlainAttention` in evaluation mode; use nothing of it but `W_q`, `W_k`, `W_v`, `W_o`,
# `num_heads` and a call of the layer itself. Dropout must not act <!-- asks: mode -->. Afterwards **the layer is as before** <!-- asks: state -->.
#
# It works for any sizes and every head <!-- asks: sizes -->, with biases (that of `W_v` belongs to the heads, that of
# `W_o` to none) <!-- asks: bias -->. The [house rules](#house-rules) hold <!-- asks: dtype, device, inputs-unchanged -->; empty batches and gradients need not work.
#
# <details><summary>Hint 1</summary>Compute the layer up to the concatenation yourself, or find the numbers in
# one matrix that would make the head's part count for nothing: section 4.5 cut W_o into blocks.</details>
# <details><summary>Hint 2</summary>If you write into a matrix of the layer, the caller will find it changed. Can the same product be
# taken with a copy, or the head's part be taken away from the result?</details>

# %% nbgrader={"grade": false, "grade_id": "ch04_without_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def without_head(layer, x, head):
    """The layer's output for x (batch, seq, d_model) with one head's part zero."""
    ### BEGIN SOLUTION
    _, weights = layer(x)                                  # (batch, heads, seq, seq)
    width = x.size(-1) // layer.num_heads
    own = slice(head * width, (head + 1) * width)
    joined = (
        weights @ layer.W_v(x).unflatten(-1, (layer.num_heads, width)).transpose(1, 2))
    joined = joined.transpose(1, 2).flatten(2)             # (batch, seq, d_model)
    joined[..., own] = 0
    return layer.W_o(joined)
    ### END SOLUTION

# %% tags=["uses-exercise"]
small = PlainAttention(d_model=2, num_heads=2)  # two heads of one feature each
with torch.no_grad():
    for W in (small.W_q, small.W_k, small.W_v, small.W_o):
        W.weight.copy_(torch.eye(2))
token = torch.tensor([[[3., 5.]]])                          # one token sees only itself
ab.beside([[[0.0, 5.0]]], lambda: without_head(small, token, 0))
ab.beside([[[3.0, 0.0]]], lambda: without_head(small, token, 1))

# %% nbgrader={"grade": true, "grade_id": "ch04_without_head_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["PlainAttention"] checks=["reference"]
"""Exercise 4.8: layers of two heads, three, and one; and what is left of the layer."""
def off_(shape, head, num_heads, bias=True, dropout=0.0):
    words = f"x {shape}, head {head} of {num_heads}" + bias * ", with biases"
    return ab.case(words, ab.numbers(*shape, seed=9), head, of=ab.module(
        shape[-1], num_heads, bias=bias, dropout=dropout, train=False))
def afterwards_(without, x, frozen):
    layer = without.args[0]
    getattr(layer, frozen).requires_grad_(False)
    for p in layer.parameters():
        p.grad = torch.ones_like(p)
    def all_of_it():
        return {f"numbers: {n}": p.tolist() for n, p in layer.state_dict().items()} | {
            f"{what} {n}": seen for n, p in layer.named_parameters() for what, seen in [
                ("itself:", id(p)), ("whether it can be trained:", p.requires_grad),
                ("gradient of", p.grad is not None and p.grad.tolist())]}
    kept, before = list(layer.parameters()), all_of_it()
    outputs = [layer(x)[0].tolist(), layer.W_o(x).tolist()]
    for head in (0, 2, 0):
        without(x.clone(), head)
    now = all_of_it()
    changed = [n for n in {**before, **now} if before.get(n) != now.get(n)]
    return [f"changed in the layer: {sorted(changed)}",
            f"it is in training mode: {layer.training}", "it gives what it gave: "
            f"{outputs == [layer(x)[0].tolist(), layer.W_o(x).tolist()]}"]
pair_ = off_((2, 4, 6), 1, 3)
def left_(name):
    return pair_.but(f"the layer afterwards, {name} frozen", ask=afterwards_,
                     args=(pair_.args[0], name))
ab.check("4.8 one head off", (without_head, PlainAttention), [
    off_((1, 3, 4), 0, 2), off_((1, 3, 4), 1, 2), pair_,
    *(off_((2, 4, 6), *heads) for heads in [(0, 3), (2, 3), (0, 2), (0, 1)]),
    off_((2, 4, 1), 0, 1), off_((1, 3, 4), 1, 2, False),
    off_((2, 4, 6), 1, 3, True, 0.5).but("In evaluation mode dropout does not act"),
    left_("W_o"), *ab.house_rules(pair_, but="axes empty gradient"),
], "x, head -> the output")
### BEGIN HIDDEN TESTS
class Untouched(Projections):
    """An attention layer that no student has touched, for the reference."""

    def __init__(self, d_model, num_heads, bias=False, dropout=0.0):
        super().__init__(d_model, num_heads, bias)

    def forward(self, x):
        q, k, v = (W(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for W in (self.W_q, self.W_k, self.W_v))
        weights = (q @ k.mT / q.size(-1) ** 0.5).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

def tried(*cases):
    ab.check("4.8 one head off", (without_head, PlainAttention), cases,
             like=reference("without_head", along=Untouched))

# Property: right for any sizes and for every head [sizes]
tried(*(off_((batch, seq, num_heads * width), head, num_heads, False)
        for batch, seq, num_heads, width in [
            (2, 5, 3, 7), (3, 7, 5, 2), (1, 2, 2, 3), (2, 1, 2, 5), (5, 3, 7, 1),
            (2, 3, 1, 5), (2, 3, 1, 1), (2, 2, 2, 2), (1, 67, 11, 2)]
        for head in range(num_heads)))
# Property: with biases: that of W_v belongs to the heads, that of W_o to none [bias]
tried(*(off_((2, 5, d_model), head, num_heads)
        for num_heads, d_model in [(1, 6), (11, 22), (3, 6)]
        for head in range(num_heads)))
# Property: the layer is as before: weights, mode, what can be trained, and the gradients it had [state]
tried(*map(left_, ("W_q", "W_k", "W_v", "W_o")))
# Property: the layer is in evaluation mode, and so its dropout does not act [mode]
tried(*(off_((2, 5, 6), 1, 3, False, p) for p in (0.3, 0.9)))
# Property: keeps the dtype of its input, and its precision [dtype]
base = off_((2, 5, 6), 1, 2, False)
tried(*ab.house_rules(base, only="float64 bfloat16"))
# Property: stays on the device of its input [device]
tried(*ab.house_rules(base, only="device"))
# Property: x is not modified [inputs-unchanged]
tried(*ab.house_rules(base, only="views inputs"))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** In the Latin reader we switch off the head that looks at the nominative. In how many percent of 4,000 sentences will "who" still be right, and in how many "whom"?

# %% tags=["show"]
guess_who, guess_whom = None, None       # type two numbers from 0 to 100

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def as_layer(reader):
    attention = reader.attention
    layer = PlainAttention(24, attention.num_heads).to(device).eval()
    weights = (*attention.in_proj_weight.chunk(3), attention.out_proj.weight)
    layer.load_state_dict(dict(zip((f"W_{name}.weight" for name in "qkvo"), weights)))
    return layer

@torch.no_grad()
def percent_right(reader, head):                       # [who, whom], one head off
    words, order, asked = (
        part.to(device) for part in latin(4000, torch.Generator().manual_seed(98)))
    output = without_head(as_layer(reader), reader.embed(words, order), head)
    answers = reader.answer(output[:, -1]).view(-1, 2, 24).argmax(-1)
    return (100 * (answers == asked).float().mean(0)).round().tolist()

print("[who, whom] right, in %, without the nominative head, and the accusative head")
for number, (one, _) in enumerate(readers[2]):
    subject = verb_looks_at(one)[:, 0].argmax().item()        # the head that asks "who"
    print(f"run {number}", percent_right(one, subject), percent_right(one, 1 - subject))
who, whom = percent_right(reader, verb_looks_at(reader)[:, 0].argmax().item())
check_guess("nominative head off, who right, in %", guess_who, who)
check_guess("nominative head off, whom right, in %", guess_whom, whom)

# %% [markdown]
# In each of these five runs one answer falls to chance, 1 in 24, and the other stays, or nearly so: each head carries
# one answer. (With a seed where both heads mix, switching off either hurts both answers.)
#
# ### Make it yours
#
# Not graded. Write a Latin sentence of your own. Would two heads be enough for a third question, "for whom"?

# %% tags=["uses-exercise", "show"]
mine = [("queen", "acc"), ("poet", "nom"), ("goose", "dat"), ("thief", "abl")]

my_words = torch.tensor([[nouns.index(noun) for noun, _ in mine]], device=device)
my_order = torch.tensor([[cases.index(case) for _, case in mine]], device=device)
with torch.no_grad():
    my_x = reader.embed(my_words, my_order)
    for head in (0, 1):
        output = without_head(as_layer(reader), my_x, head)
        who, whom = reader.answer(output[:, -1]).view(2, 24).argmax(-1).tolist()
        print(f"head {head} off: the {nouns[who]} bites the {nouns[whom]}")

# %% [markdown]
# ## Summary
#
# **One head answers both questions late, or gives one up. Two heads, with the same number of parameters,
# learned both early with every seed that we tried.** You can now
#
# - build many heads as a list, and as one fast layer, equal to PyTorch's own (sections 4.2 to 4.6)
# - trace every shape, and recognise a wrong transpose (4.4, 4.5)
# - say what one head loses and what more heads cost ($4\,d_{\mathrm{model}}^2$ parameters, whatever their number, and one `(seq, seq)` table
#   each), draw what heads look at, and switch one off (sections 4.1 and 4.7 to 4.9)
#
# Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next.** Latin has endings. English nouns have none: "dog bites cat" and "cat bites dog" differ only in the *order* of their
# words, which attention without a mask ignores.
#
# ## Further reading
#
# - Vaswani et al., *Attention Is All You Need* (2017), section 3.2.2: multi-head attention in one page.
# - Elhage et al., *A Mathematical Framework for Transformer Circuits* (2021): the two matrices of a head, called
#   QK and OV there.
# - Voita et al., *Analyzing Multi-Head Self-Attention* (2019), sections 4 to 6, and Michel, Levy and Neubig, *Are Sixteen Heads
#   Really Better than One?* (2019), section 3: heads that are switched off.
