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
# # 2 · Queries, keys, values
#
# *105 minutes · ●●○○○ · 6 exercises, 12 points · you need chapter 1*
#
# > the brown **dog** and the white **cat** look up: something **barks**.
#
# What colour is the animal that barks? Brown. To answer, you went from "barks" to "dog", a word that looks nothing like
# it, and came back with a third word, "brown". In chapter 1 a word found only what resembles it. **What must
# we add, so that a word can ask for something unlike itself, and take something else from it?** The answer is one line,
# **scaled dot-product attention**:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# Every word asks with a **query** (a row of $Q$), is found by a **key** (of $K$) and hands over a **value** (of $V$).
#
# **After this chapter you can**
#
# - compute this formula by hand, and write it as a function and as a module, `SelfAttention`;
# - say what the division by $\sqrt{d_k}$ is for, and what goes wrong without it;
# - write the matrices behind $Q$, $K$ and $V$ by hand, train others, and say what each of the three is needed for.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"
torch.manual_seed(2)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)  # small matrices: more threads would wait for one another

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 2.1 From a mirror to a look-up
#
# On our farm every word is a vector of 32 random numbers, so that no word resembles another. "brown
# dog" is one token, and its vector is the sum of the two words' vectors.

# %%
animals = ["dog", "cat", "cow", "duck", "sheep", "horse"]
sounds = ["barks", "meows", "moos", "quacks", "bleats", "neighs"]
colours = ["white", "black", "brown", "grey", "red", "golden"]
d_model = 32
# (6, 32) each: one row a word
animal, sound, colour = torch.randn(3, 6, d_model,
                                    generator=torch.Generator().manual_seed(2))
farm_tokens = ["brown dog", "white cat", "black cow", "barks"]
sentence = torch.stack([animal[0] + colour[2], animal[1] + colour[0],
                        animal[2] + colour[1], sound[0]])         # (4, 32)

# %% [markdown]
# **Predict, then run.** "barks" attends as in chapter 1. Which of the four tokens gets the largest weight?

# %% tags=["show"]
guess_barks = None     # type one of the four, as "white cat"; then run the next cell

# %% tags=["show"]
seen = (sentence @ sentence[3]).softmax(dim=0)                              # (4,)
print("barks looks at", dict(zip(farm_tokens, seen.round(decimals=3).tolist())))
check_guess("barks looks at", guess_barks, farm_tokens[seen.argmax()])

# %% [markdown]
# "barks" resembles nothing but itself, and gets itself back, with a weight of 1.00. The dog gets nothing.

# %% [markdown]
# What we want is closer to a dictionary: you ask with one thing, and get another thing back.
# `{"dog": "brown", "cat": "white"}["dog"]` is `"brown"`. But in a dictionary a key fits or fails, so training cannot
# improve the question step by step. So we make it soft. The query is compared with *every*
# key, softmax turns the scores into weights, and the result is a blend of *all* values: here brown, white and black as RGB colours.

# %%
keys = torch.tensor([[1., 0.], [0., 1.], [-1., 0.]])                   # dog, cat, cow
# brown, white, black
values = torch.tensor([[0.55, 0.30, 0.10], [1., 1., 1.], [0., 0., 0.]])
query = torch.tensor([2., 1.])                      # rather a dog, somewhat a cat

scores = torch.stack([(query * key).sum() for key in keys])       # (3,): 2, 1, -2
weights = scores.softmax(dim=0)                                   # (3,): sums to 1
fetched = sum(weight * value for weight, value in zip(weights, values))
print("weights", weights, "  fetched", fetched)                   # a colour

# %% tags=["show"]
# @title A query among three keys, and what it fetches as it grows
lengths = torch.linspace(0, 8, 161)
blend = (lengths[:, None] * query / query.norm() @ keys.T).softmax(dim=-1)   # (161, 3)
fig, axes = plt.subplot_mosaic([["plane", "top"], ["plane", "strip"]],
    figsize=(7.2, 3.2), height_ratios=[5, 1], width_ratios=[1, 1.5])
plane, top, strip = axes["plane"], axes["top"], axes["strip"]
for name, key, value in zip(("dog", "cat", "cow"), keys.tolist(), values.tolist()):
    plane.annotate("", key, (0, 0), arrowprops=dict(arrowstyle="-|>", color="0.4"))
    plane.scatter(*key, s=180, color=[value], edgecolor="0.4", zorder=3)
    plane.annotate(name, key, (0, 11), textcoords="offset points", ha="center")
plane.annotate("", query.tolist(), (0, 0),
               arrowprops=dict(arrowstyle="-|>", color=OKABE_ITO[3], lw=2))
plane.text(1.9, 1.1, "query", ha="right", color=OKABE_ITO[3])
plane.set(xlim=(-1.4, 2.3), ylim=(-0.6, 1.6), aspect="equal",
          title="The query points between\ndog and cat")
top.stackplot(lengths.tolist(), blend.T.tolist(), colors=values.tolist(),
              edgecolor="grey", linewidth=0.8)
for x_, y_, name, ink in [(6.4, 0.45, "dog", "white"), (2.0, 0.78, "cat", "black"),
                          (0.1, 0.86, "cow", "white")]:
    top.text(x_, y_, name, color=ink)
top.set(ylabel="weight", ylim=(0, 1), xlim=(0, 8), xticks=[],
        title="A longer query makes the look-up sharper")
strip.imshow((blend @ values)[None].tolist(), extent=(0, 8, 0, 1), aspect="auto")
strip.set(xlabel="length of the query", yticks=[], ylabel="fetched\ncolour")
show(fig, "Left: three keys as arrows in the plane, dog to the right, "
          "cat up, cow to the left, each ending in a dot of its colour; "
          "the query points right and a little up. Right: "
          "weights of dog, cat and cow, stacked, against the length of the query. "
          "At length 0 each has a third; at length 8 the dog has nearly all. "
          "A strip below shows the fetched colour changing from grey to brown.")

# %% [markdown]
# The result is nearly three quarters brown and a quarter white. As the query grows, the scores move apart, and the look-up
# comes closer to the hard dictionary.

# %% [markdown]
# So a token has three roles, and each gets a vector of its own:
#
# | role | the question it answers | on the farm |
# | --- | --- | --- |
# | **query** $q_i$ | what am I looking for? | "barks": who makes this sound? |
# | **key** $k_j$ | what can I be found by? | "brown dog": I bark |
# | **value** $v_j$ | what do I hand over when found? | "brown dog": brown |
#
# For a whole sentence, row $i$ of $Q$, $K$ and $V$ belongs to token $i$, and attention has three steps:
#
# $$\mathrm{scores} = Q K^\top, \qquad \mathrm{weights} = \mathrm{softmax}\!\left(\frac{\mathrm{scores}}{\sqrt{d_k}}\right), \qquad \mathrm{output} = \mathrm{weights}\; V .$$
#
# Softmax works along each row: the weights of one query sum to 1. $d_k$ is the number of entries of a key; section
# 2.4 explains its root.
#
# ### Exercise 2.1 · Attention by hand · 1 point · about 8 minutes
#
# Two queries, two keys, two values, and $d_k = 3$:
#
# $$Q = \begin{pmatrix} 1 & 0 & 1 \\ 0 & 1 & 1 \end{pmatrix}, \quad K = \begin{pmatrix} 1 & 1 & 0 \\ 0 & 1 & 1 \end{pmatrix}, \quad V = \begin{pmatrix} 2 & 0 & 1 \\ 1 & 2 & 0 \end{pmatrix}.$$
#
# Compute the scores $QK^\top$, the weights (you divide by $\sqrt 3$) and the output with a pocket calculator, and fill
# them in as lists of rows. Two decimals are enough <!-- asks: values -->.
#
# <details><summary>Hint 1</summary>The first row of the scores belongs to the first query: its dot product with the first key, then with the second.</details>
# <details><summary>Hint 2</summary>Softmax of two numbers that are equal needs no calculator. For two that differ by δ, the larger one gets 1 / (1 + e^−δ).</details>
# <details><summary>Hint 3</summary>Row 0 of the output is a blend of the two rows of V, with the two weights of query 0.</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_by_hand", "locked": false, "schema_version": 3, "solution": true, "task": false}
# scores_by_hand, weights_by_hand: 2 rows of 2   output_by_hand: 2 rows of 3
### BEGIN SOLUTION
scores_by_hand = [[1, 1],
                  [1, 2]]
weights_by_hand = [[0.5000, 0.5000],      # two equal scores
                   [0.3595, 0.6405]]      # 1 / (1 + e^(1/√3)) and the rest
output_by_hand = [[1.5000, 1.0000, 0.5000],
                  [1.3595, 1.2809, 0.3595]]
### END SOLUTION

# %% tags=["uses-exercise"]
# Each query spends exactly 1 on its two keys.
ab.beside([1.0, 1.0], lambda: [
    round(sum(float(weight) for weight in row), 1) for row in weights_by_hand])

# %% nbgrader={"grade": true, "grade_id": "ch02_by_hand_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.1: the scores, the weights and the output of both queries."""
def table_(place):
    return lambda answers: ab.rows(answers[place])

ab.check("2.1 by hand", (scores_by_hand, weights_by_hand, output_by_hand), [
    ab.case("scores_by_hand", ask=table_(0), secret=True, within=0.006,
            hint="Row i, column j: query i times key j, entry by entry, added up."),
    ab.case("weights_by_hand", ask=table_(1), secret=True, within=0.012,
            hint="Row by row: softmax of the scores divided by √3, to two decimals; "
                 "each row sums to 1."),
    ab.case("output_by_hand", ask=table_(2), secret=True, within=0.008,
            hint="Row i: (weight of value 0)·(row 0 of V) + (weight of value 1)·(row 1 "
                 "of V), with the weights of query i, to two decimals."),
])
### BEGIN HIDDEN TESTS
# Property: scores, weights and output are right to two decimals [values]
ab.check("2.1 by hand", (scores_by_hand, weights_by_hand, output_by_hand), [
    ab.case(name, ask=table_(place), secret=True, within=0.008)
    for place, name in enumerate(("scores_by_hand", "weights_by_hand",
                                  "output_by_hand"))
], like=reference("scores_by_hand", "weights_by_hand", "output_by_hand"))
### END HIDDEN TESTS

# %% [markdown]
# ## 2.2 Three projections of one sentence
#
# Where do queries, keys and values come from? From the token itself, through three matrices that training can change:
#
# $$q_i = x_i W_q, \qquad k_i = x_i W_k, \qquad v_i = x_i W_v .$$
#
# We follow the sentence of chapter 1 (its numbers are Sebastian Raschka's). Each matrix is `(d_model, d_k)`:
# three numbers go in, two come out. The entries are made up.

# %%
tokens = "Your journey starts with one step".split()
x = torch.tensor([[0.43, 0.15, 0.89],     # Your
                  [0.55, 0.87, 0.66],     # journey
                  [0.57, 0.85, 0.64],     # starts
                  [0.22, 0.58, 0.33],     # with
                  [0.77, 0.25, 0.10],     # one
                  [0.05, 0.80, 0.55]])    # step
W_q = torch.tensor([[-1., -1.], [1., 3.], [2., 0.]])      # (d_model, d_k) = (3, 2)
W_k = torch.tensor([[1., 1.], [-3., 2.], [2., -2.]])
W_v = torch.tensor([[2., 1.], [2., -2.], [-2., 1.]])

# %% [markdown]
# Each entry of a query is the dot product of the token with one column of $W_q$. In loops:

# %%
def project_in_loops(x, W):
    """Every row of x, times every column of W. x: (seq, d_model), W: (d_model, d_k);
    returns (seq, d_k).
    """
    return torch.stack(
        [torch.stack([(row * column).sum() for column in W.T]) for row in x])

# (6, 2) each
q, k, v = project_in_loops(x, W_q), project_in_loops(x, W_k), project_in_loops(x, W_v)
print("query of journey:", q[1], "   key:", k[1], "   value:", v[1])

# %% tags=["show"]
# @title One sentence, three projections
fig, axes = plt.subplots(2, 4, figsize=(6.2, 5.3), height_ratios=[3, 6],
                         width_ratios=[3, 2, 2, 2])
axes[0, 0].axis("off")
look = dict(cmap="PuOr", limits=(-3, 3))
draw_matrix(axes[1, 0], x, tokens, [""] * 3, "x", **look)
for (above, below), name, W in zip(axes.T[1:], "qkv", (W_q, W_k, W_v)):
    draw_matrix(above, W, [""] * 3, [""] * 2, f"W_{name}", digits=0, **look)
    draw_matrix(below, project_in_loops(x, W), [""] * 6, [""] * 2,
                f"{name} = x W_{name}", **look)
show(fig, "The embeddings x, six tokens by three numbers, at the lower left. Above, "
          "the three weight matrices W_q, W_k and W_v, three by two. Below each, "
          "its product with x: queries, keys and values, six by two, all different.")

# %% [markdown]
# In the figure `x` is on the left, the matrix on top, and their product where they meet.
#
# **Predict, then run.** In chapter 1, journey → one and one → journey had the same score: $x_i \cdot x_j = x_j \cdot x_i$,
# as in a mirror. Now a score is $q_i \cdot k_j$. Do the two still agree? And with *the same* matrix for queries and keys?

# %% tags=["show"]
guess_two = None       # do they agree with two matrices? type "yes" or "no"
guess_same = None      # and with one matrix for both?

# %% tags=["show"]
for what, guess, k_ in [("W_q and W_k", guess_two, k), ("W_q for both", guess_same, q)]:
    there, back = (q[1] @ k_[4]).item(), (q[4] @ k_[1]).item()
    print(f"{what}:  journey → one {there:.3f}   one → journey {back:.3f}")
    check_guess(f"agree, {what}", guess, "yes" if abs(there - back) < 1e-5 else "no")

# %% [markdown]
# With two matrices scores are not symmetric: "journey" may look at "one" while "one" ignores "journey".
# With one matrix for both they are symmetric again, however well trained: $q_i \cdot q_j = q_j \cdot q_i$. Section 2.7
# measures whether that costs anything.

# %% [markdown]
# ### What `nn.Linear` really stores
#
# In a network the three matrices will be `nn.Linear` layers. **What breaks if…** you copy a matrix into one as it is? Once
# with `d_k = 2`, once with `d_k = 3 = d_model`:

# %%
print("nn.Linear(3, 2) holds", tuple(nn.Linear(3, 2).weight.shape))
for width in (2, 3):
    matrix = torch.arange(3. * width).reshape(3, width)
    layer = nn.Linear(3, width, bias=False)
    try:
        with torch.no_grad():
            layer.weight.copy_(matrix)
            off = (layer(x) - project_in_loops(x, matrix)).abs().max().item()
        print(f"d_k = {width}: no complaint, and off by up to {off:.1f}")
    except RuntimeError:
        print(f"d_k = {width}: RuntimeError, the shapes do not fit")

# %% [markdown]
# The layer holds the **transpose**, `(out, in)`, and computes $x W^\top + b$, where the paper and this chapter write
# $x W$. So transpose a matrix when you copy it: `layer.weight.copy_(matrix.T)`. If you forget it, a rectangular matrix raises an
# error, but a square one silently computes something else. Test with unequal sizes.
#
# ### Exercise 2.2 · Project a batch · 1 point · about 4 minutes
#
# Write `project_qkv`: it multiplies every token by the three matrices, for a batch of sentences of any size
# <!-- asks: sizes -->. Use no loop over tokens: the check counts tensor operations, and their number must not grow with
# the length of the sentences <!-- asks: no-loop -->. By hand: a token $(3, 4)$ and a matrix with the one column $(1, 10)$
# give $3 \cdot 1 + 4 \cdot 10 = 43$. The [house rules](#house-rules) hold
# <!-- asks: dtype, device, non-contiguous, gradient -->; no batch is empty.
#
# <details><summary>Hint 1</summary>The weights are already (d_model, d_k), as in the formulas above. Is there anything to turn?</details>
# <details><summary>Hint 2</summary>What does a matrix product in PyTorch do with an axis that stands in front of the last two?</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_project_qkv", "locked": false, "schema_version": 3, "solution": true, "task": false}
def project_qkv(x, W_q, W_k, W_v):
    """Queries, keys and values of every token.

    x: (batch, seq, d_model)   W_q, W_k, W_v: (d_model, d_k)
    Returns (q, k, v), each (batch, seq, d_k).
    """
    ### BEGIN SOLUTION
    # (batch, seq, d_model) @ (d_model, d_k), one matrix for the whole batch
    return x @ W_q, x @ W_k, x @ W_v
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One sentence of one token, from 2 numbers to 1.
one = torch.tensor([[[3., 4.]]])                                          # (1, 1, 2)
ab.beside((43, 4, 3), lambda: [part.item() for part in project_qkv(
    one, torch.tensor([[1.], [10.]]), torch.tensor([[0.], [1.]]),
    torch.tensor([[1.], [0.]]))])

# %% nbgrader={"grade": true, "grade_id": "ch02_project_qkv_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.2: two sentences of three tokens, from 4 numbers to 2."""
x_ = torch.tensor([[[1., 0., 2., 0.], [0., 1., 0., 1.], [1., 1., 1., 1.]],
                   [[0., 3., 0., 1.], [2., 0., 0., 0.], [0., 0., 1., 5.]]])  # (2, 3, 4)
A = torch.tensor([[1., 0.], [0., 1.], [1., 1.], [2., 0.]])                      # (4, 2)
B, C = A.flip(0) + 1, 3 * A - 2
one_ = ab.case("x (2, 3, 4) and three matrices (4, 2)", x_, A, B, C)
ab.check("2.2 projections", project_qkv, [
    one_,
    *(ab.case(f"x (2, {n}, {n}) and three matrices ({n}, {n})",
              *(ab.numbers(*shape, seed=n) for shape in [(2, n, n)] + 3 * [(n, n)]))
      for n in (1, 3)),
    *ab.house_rules(one_, but="axes empty"),
    ab.case("numbers in the thousands", 1000 * x_, A, B, C),
    ab.case("matrices that learn, for an x that does not",
            x_, *(W.clone().requires_grad_() for W in (A, B, C)), look="gradient"),
    ab.case("50 tokens", ab.numbers(2, 50, 4), A, B, C, look="operations"),
], "x, W_q, W_k, W_v -> q, k, v")
### BEGIN HIDDEN TESTS
def sized(batch, seq, d_model, d_k, scale=1.0, **options):
    return ab.case(f"(batch, seq, d_model, d_k) = {(batch, seq, d_model, d_k)}",
                   scale * ab.numbers(batch, seq, d_model, seed=11),
                   *(ab.numbers(d_model, d_k, seed=n) for n in (12, 13, 14)), **options)

def tried(*cases):
    ab.check("2.2 projections", project_qkv, cases, like=reference("project_qkv"))

one_ = sized(3, 5, 7, 2)
# Property: keeps the dtype of the input [dtype]
tried(*ab.house_rules(one_, only="float64 bfloat16"))
# Property: right for other sizes, square ones and one-token sentences among them [sizes]
tried(one_, sized(1, 11, 3, 13), sized(5, 1, 2, 3, 1e4), sized(2, 4, 4, 4),
      sized(4, 4, 4, 4, 1e4), sized(2, 521, 5, 3), sized(67, 2, 131, 3, 1e4))
# Property: stays on the device of the input [device]
tried(*ab.house_rules(one_, only="device"))
# Property: works on tensors that are not contiguous in memory, and changes none of its inputs [non-contiguous]
tried(*ab.house_rules(one_, only="views inputs"))
# Property: the gradient reaches x and all three matrices [gradient]
tried(*ab.house_rules(one_, only="gradient"))
# Property: no loop over tokens: the number of tensor operations does not grow with the length of the sentences [no-loop]
tried(sized(3, 203, 7, 2, look="operations"))
### END HIDDEN TESTS

# %% [markdown]
# ## 2.3 Scores, weights, context
#
# Now we follow "journey" through the three steps. Its query meets every key, one dot product each:

# %%
scores_journey = torch.stack([(q[1] * k_j).sum() for k_j in k])  # (6,): one a key
weights_journey = (scores_journey / 2 ** 0.5).softmax(dim=0)     # (6,): d_k is 2 here
context_journey = sum(weight * v_j for weight, v_j in zip(weights_journey, v))   # (2,)
print("scores ", scores_journey)
print("weights", weights_journey)
print("context", context_journey)

# %% tags=["show"]
# @title The context of "journey", put together from the six values
fig, ax = plt.subplots(figsize=(7.2, 3.1))
tip = torch.zeros(2)
for n in weights_journey.argsort(descending=True).tolist():
    step = weights_journey[n] * v[n]
    ax.annotate("", (tip + step).tolist(), tip.tolist(), arrowprops=dict(
        arrowstyle="-|>", color=OKABE_ITO[n], lw=2, shrinkA=0, shrinkB=0,
        mutation_scale=7))
    ax.annotate("", v[n].tolist(), (0, 0),
                arrowprops=dict(arrowstyle="-", color=OKABE_ITO[n], lw=0.8, ls=":"))
    ax.text(*v[n].tolist(), f" {tokens[n]}, {weights_journey[n]:.2f}",
            color=OKABE_ITO[n], va="top" if tokens[n] == "journey" else "center")
    tip = tip + step
ax.plot(*tip.tolist(), "k*", ms=7, zorder=4)
ax.annotate("context", tip.tolist(), (6, -6), textcoords="offset points")
ax.set(xlim=(-0.8, 2.3), ylim=(-1.2, 1.2), xlabel="first number of v",
       ylabel="second number of v",
       title="Six values, each shortened to its weight and added up")
show(fig, "Dotted lines from the origin to the values of the six tokens in the plane, "
          "each labelled with its weight. Arrows along them, as long as the weight "
          "says, are put tip to tail and end at a star, the context of journey.")

# %% [markdown]
# Weights are positive and sum to 1, so an output lies
# between the values and never beyond them. Now all six queries:

# %%
def attend_in_loops(q, k, v):
    """Output, weights and scaled scores of every query of one sentence."""
    outputs, weights, scores = [], [], []
    for query in q:
        scores.append(torch.stack([(query * key).sum() for key in k])
                      / len(query) ** 0.5)                                    # (seq,)
        weights.append(scores[-1].softmax(dim=0))                             # (seq,)
        outputs.append(sum(weight * value for weight, value in zip(weights[-1], v)))
    return torch.stack(outputs), torch.stack(weights), torch.stack(scores)

context, weights, scores = attend_in_loops(q, k, v)       # (6, 2), (6, 6), (6, 6)
off = (context - F.scaled_dot_product_attention(q, k, v)).abs().max().item()
print(f"loops and PyTorch's own function differ by at most {off:.5f}")

# %% [markdown]
# PyTorch's function does not return the weights; yours will. One picture shows all steps:

# %% tags=["show"]
# @title From the scores to the output
fig, axes = plt.subplots(1, 5, figsize=(7.2, 3), width_ratios=[6, 1.3, 6, 1.3, 2])
for ax, words in [(axes[1], "softmax\nby row\n⟶"), (axes[3], "times\nv\n⟶")]:
    ax.axis("off")
    ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
draw_matrix(axes[0], scores, tokens, tokens,
            "scores q kᵀ / √d_k (6, 6):\nevery query meets every key", digits=1, **look)
draw_matrix(axes[2], weights, [""] * 6, tokens,
            "weights (6, 6):\neach row sums to 1", limits=(0, 1))
draw_matrix(axes[4], context, [""] * 6, [""] * 2, "output (6, 2):\nmixed values",
            **look)
show(fig, "Three tables from left to right: the six by six scaled scores, which are "
          "not symmetric; the weights, softmax of each row; and the output, one row of "
          "two numbers for each token.")

# %% [markdown]
# <!-- interactive page -->
# On the interactive page, change one number of a matrix and follow it through the steps: which tables stay as they are?

# %% [markdown]
# ### Exercise 2.3 · Scaled dot-product attention · 3 points · about 12 minutes
#
# Write the three steps of section 2.1 as a function that returns `(output, weights)`. Use no loop over tokens: the number of tensor operations must
# not grow with the number of queries or keys <!-- asks: no-loop -->. By hand: with $d_k = 4$ the scores $(4, 0)$ become
# $(2, 0)$, and the first key gets $e^2 = 7.39$ times the weight of the second.
#
# - 1 point: the values, for one sentence of any size <!-- asks: values -->;
# - 1 point: any numbers of queries and keys, and any axes in front of the last two <!-- asks: leading-dims -->; views and the device of the input
#   <!-- asks: non-contiguous, device -->;
# - 1 point: scores of ten thousand give no NaN <!-- asks: large-scores -->, and the other [house rules](#house-rules) hold
#   <!-- asks: dtype, inputs-unchanged, gradient -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# There is at least one query and one key. Device and dtype hold for $\sqrt{d_k}$ too.
# </details>
# <details><summary>Hint 1</summary>Which two axes of k have to change places, however many stand before them?</details>
# <details><summary>Hint 2</summary>(…, seq_q, d_k) times (…, d_k, seq_k) gives (…, seq_q, seq_k). Each query's weights sum to 1: along which of these axes do they lie, counted from the end?</details>
# <details><summary>Hint 3</summary>d_k is the size of one axis of q: again, count from the end. PyTorch's own softmax does not overflow.</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_scaled_dot_product_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_dot_product_attention(q, k, v):
    """Attention of every query over every key.

    q: (..., seq_q, d_k)   k: (..., seq_k, d_k)   v: (..., seq_k, d_v)
    Returns (output, weights): (..., seq_q, d_v) and (..., seq_q, seq_k).
    """
    ### BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5    # (..., seq_q, seq_k)
    weights = scores.softmax(dim=-1)                        # each row sums to 1
    return weights @ v, weights
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One query, two keys, d_k = 4. Both fit equally well: half of each value.
q_one = torch.tensor([[1., 1., 0., 0.]])
k_two = torch.tensor([[2., 0., 5., 0.], [0., 2., 0., 5.]])
ab.beside(([[15.]], [[0.5, 0.5]]), lambda: scaled_dot_product_attention(
    q_one, k_two, torch.tensor([[10.], [20.]])))
# Scores 4 and 0, scaled 2 and 0.
k_two = torch.tensor([[2., 0., 0., 0.], [0., 0., 0., 0.]])
ab.beside([[0.8808, 0.1192]], lambda: scaled_dot_product_attention(
    2 * q_one, k_two, torch.eye(2))[1])

# %% nbgrader={"grade": true, "grade_id": "ch02_scaled_dot_product_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.3, values: five queries and three keys of one sentence."""
q_ = torch.tensor([[2., 0., 2., 0.], [0., 1., 0., 3.], [1., 1., 0., 0.],
                   [0., 0., 3., 1.], [2., 2., 0., 1.]])                         # (5, 4)
k_ = torch.tensor([[1., 1., 0., 0.], [0., 1., 0., 1.], [1., 0., 1., 0.]])       # (3, 4)
v_ = torch.tensor([[1., 0., 0., 2., 1., 0.], [0., 1., 0., 1., 3., 0.],
                   [2., 2., 1., 0., 0., 1.]])                                   # (3, 6)
def one_sentence_(attend, q, k, v):
    """Of a function that needs a batch: axes in front are another point."""
    try:
        return attend(q, k, v)
    except (RuntimeError, IndexError, ValueError) as error:
        if isinstance(error, NotImplementedError):
            raise
        return [part[0] for part in attend(q[None], k[None], v[None])]

ab.check("2.3 values", scaled_dot_product_attention, [
    ab.case(words, *given, ask=one_sentence_) for words, *given in [
        ("q (5, 4), k (3, 4), v (3, 6)", q_, k_, v_),
        ("three of the five queries alone, as many as keys", q_[:3], k_, v_),
        ("rows of 3 numbers: d_k = 3", q_[:, :3], k_[:, :3], v_)]
], "q, k, v -> output, weights")
### BEGIN HIDDEN TESTS
# Property: the values are right for other sentences too [values]
ab.check("2.3 values", scaled_dot_product_attention, [
    ab.case(f"{n_q} queries, {n_k} keys, d_k = {d}, d_v = {d_v}",
            ab.numbers(n_q, d, seed=21), ab.numbers(n_k, d, seed=22),
            ab.numbers(n_k, d_v, seed=23), ask=one_sentence_)
    for n_q, n_k, d, d_v in [
        (5, 7, 3, 2), (7, 5, 2, 11), (2, 3, 5, 7), (4, 4, 4, 4), (3, 2, 2, 5),
        (2, 521, 67, 3), (131, 2, 1, 2)]
], like=reference("scaled_dot_product_attention"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_scaled_dot_product_attention_check_batch", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.3, axes in front: a batch, a batch of heads, and many tokens."""
one_ = ab.case("one sentence: 7 queries, 5 keys, d_k = 6", ab.numbers(7, 6, seed=1),
               ab.numbers(5, 6, seed=2), ab.numbers(5, 4, seed=3))
moved_ = [ab.numbers(2, n, 3, 6, seed=n).transpose(1, 2) for n in (7, 5, 5)]
ab.check("2.3 axes in front", scaled_dot_product_attention, [
    one_,
    ab.case("one query", ab.numbers(1, 6), *one_.args[1:]),
    *ab.house_rules(one_, only="axes"),
    ab.case("heads whose axis was moved: not contiguous in memory", *moved_),
    ab.case("50 queries and keys", *ab.numbers(3, 2, 50, 4), look="operations"),
    *ab.house_rules(one_, only="device"),
], "q, k, v -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("2.3 axes in front", scaled_dot_product_attention, [one_, *cases],
             like=reference("scaled_dot_product_attention"))

# Property: works with any number of leading dimensions, and with more or fewer keys than queries [leading-dims]
tried(*(ab.case(f"{front} in front, {n_q} queries, {n_k} keys",
                *(ab.numbers(*front, *shape, seed=n)
                  for n, shape in enumerate([(n_q, 11), (n_k, 11), (n_k, 2)], 31)))
        for front, n_q, n_k in [
            ((), 7, 13), ((1,), 13, 7), ((3,), 2, 5), ((5,), 1, 3), ((3,), 5, 1),
            ((), 1, 1), ((3, 5), 7, 2), ((2, 1, 3), 5, 11), ((4,), 4, 5),
            ((2, 2), 2, 3), ((2, 1, 3, 2, 2), 3, 5)]))
# Property: works on tensors that are not contiguous in memory, as heads are when an axis was moved [non-contiguous]
heads_ = ab.case("heads", ab.numbers(2, 3, 7, 5, seed=34),
                 ab.numbers(2, 3, 11, 5, seed=35), ab.numbers(2, 3, 11, 2, seed=36))
tried(*ab.house_rules(heads_, only="views"))
# Property: no loop over tokens: the number of tensor operations does not grow with the number of queries or keys [no-loop]
tried(*(ab.case(f"{n_q} queries, {n_k} keys", ab.numbers(2, n_q, 5),
                ab.numbers(2, n_k, 5), ab.numbers(2, n_k, 2), look="operations")
        for n_q, n_k in [(203, 3), (3, 203)]))
# Property: stays on the device of its input [device]
q_, k_, v_ = (ab.numbers(n, d, seed=n) for n, d in ((7, 5), (3, 5), (3, 2)))
tried(*(ab.case(f"on another device, {n} keys", q_, k_[:n], v_[:n], look="device")
        for n in (1, len(k_))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_scaled_dot_product_attention_check_anywhere", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.3, anywhere: huge scores, other dtypes, the gradient, and inputs left
alone."""
q_, k_ = ab.numbers(4, 6, seed=6), ab.numbers(5, 6, seed=7)
v_ = ab.numbers(5, 3, seed=8)
one_ = ab.case("q (4, 6), k (5, 6), v (5, 3)", q_, k_, v_, ask=one_sentence_)
ab.check("2.3 anywhere", scaled_dot_product_attention, [
    one_,
    one_.but("scores 1000 times as large", args=(1000 * q_, k_, v_), within=1e-3),
    one_.but("one key in float64", look=("dtype",),
             args=(q_.double(), k_[:1].double(), v_[:1].double())),
    *ab.house_rules(one_, only="float64 inputs gradient"),
], "q, k, v -> output, weights")
### BEGIN HIDDEN TESTS
one_ = ab.case("7 queries, 3 keys", ab.numbers(7, 5, seed=41),
               ab.numbers(3, 5, seed=42), ab.numbers(3, 2, seed=43), ask=one_sentence_)

def tried(*cases):
    ab.check("2.3 anywhere", scaled_dot_product_attention, [one_, *cases],
             like=reference("scaled_dot_product_attention"))

# Property: the gradient of output and weights is that of the formula [gradient]
tried(*ab.house_rules(one_, only="gradient"))
# Property: keeps the dtype of its input, and its precision [dtype]
tried(*ab.house_rules(one_, only="float64 bfloat16"))
# Property: scores of ten thousand give weights of 0 and 1, not NaN, in float32 too [large-scores]
q_, k_, v_ = one_.args
tried(*(one_.but(f"scores {factor:g} times as large", args=(factor * q_, k_, v_),
                 within=1e-3) for factor in (1e2, 1e4, -1e4)))
# Property: leaves its inputs as they were [inputs-unchanged]
tried(*ab.house_rules(one_, only="inputs"))
### END HIDDEN TESTS

# %% [markdown]
# ## 2.4 Why the root of $d_k$?
#
# A score is a sum of $d_k$ products, one for each entry of query and key. Suppose that all these entries are independent,
# with mean 0 and variance 1.
#
# **Predict, then run.** With $d_k = 64$, how far from zero does a typical score lie?

# %% tags=["show"]
guess_std = None       # type a number

# %% [markdown]
# ### Exercise 2.4 · Measure it · 2 points · about 8 minutes
#
# Write `score_std`. It draws `n` pairs of a query and a key, all entries from a normal distribution with mean 0 and
# variance 1, and returns the standard deviation of their `n` scores. With $d_k = 1$ a score is one product, and its standard deviation is near 1.
#
# - 1 point: the value for every `d_k`, scaled and unscaled <!-- asks: values -->;
# - 1 point: the drawing: `n` pairs <!-- asks: number-of-pairs -->, each with a query and a key of its own
#   <!-- asks: fresh-pairs -->, joined by a dot product <!-- asks: products -->, and all random numbers from `generator`.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Arguments have the order and the defaults of the stub, and the generator may be missing <!-- asks: arguments -->. Do not seed or copy
# it: generators in the same state give the same result, in different states different ones; without a
# generator every call draws afresh <!-- asks: generator -->. The divisor may be `n` or `n - 1`.
# </details>
# <details><summary>Hint 1</summary>n pairs, not n × n: the first query meets the first key, the second the second, …</details>
# <details><summary>Hint 2</summary>Two tensors of shape (n, d_k). Which operation joins them into n scores, and along which axis?</details>
# <details><summary>Hint 3</summary>torch.randn has an argument for the generator. <code>None</code> is welcome there.</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_score_std", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score_std(d_k, n=20000, scaled=False, generator=None):
    """Measured standard deviation of n scores of random queries and keys (float).

    scaled: divide the scores as attention does.
    generator: the source of all random numbers.
    """
    ### BEGIN SOLUTION
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=-1)                # (n, d_k) -> (n,): pair by pair
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()
    ### END SOLUTION

# %% tags=["uses-exercise"]
# Scores of 100 numbers spread ten times as far as those of one;
# the scale takes that back.
ab.beside("about 1", lambda: score_std(1))
ab.beside("about 10", lambda: score_std(100, n=5000))
ab.beside("about 1", lambda: score_std(100, n=5000, scaled=True))

# %% nbgrader={"grade": true, "grade_id": "ch02_score_std_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.4, the value: grows as √d_k unscaled, stays 1 scaled."""
def number_(score_std, *args, seed=1, **options):
    return float(torch.as_tensor(
        score_std(*args, generator=torch.Generator().manual_seed(seed), **options)))

def default_n_(score_std):
    numbers = []
    for seed, options in [(5, {}), (6, {"n": 2}), (5, {"n": 20000})]:
        torch.manual_seed(seed)   # of one who draws from elsewhere: that is point two
        numbers.append(number_(score_std, 4, **options))
    return numbers[0] == numbers[2]

def measured_(d_k, n, **options):
    words = ", ".join(f"{name} = {value}" for name, value in options.items())
    return ab.case(f"d_k = {d_k}, {n} pairs{words and ', ' + words}", d_k, n=n,
                   generator=ab.seed(d_k + 5), within=0.05, **options)

ab.check("2.4 the value", score_std, [
    measured_(64, 8000),
    measured_(4, 8000),
    measured_(64, 8000, scaled=True),
    measured_(4, 8000, scaled=True),
    ab.case("score_std(4, n=8000): without a generator", 4, n=8000, within=0.1),
    ab.case("score_std(4, 4000, True): d_k, n and scaled in this order", 4, 4000, True,
            within=0.12),
    ab.case("where no n is given, it is the 20000 of the stub", ask=default_n_),
], "d_k, n, scaled -> the standard deviation")
### BEGIN HIDDEN TESTS
# Property: the value is right for every d_k, with and without the scale [values]
ab.check("2.4 the value", score_std, [
    *(ab.case(f"d_k = {d_k}, scaled = {scaled}", d_k, n=3000, scaled=scaled,
              generator=ab.seed(77), within=0.12)
      for d_k in (3, 17, 150) for scaled in (False, True)),
    ab.case("scaled=True, five pairs a time, the mean of 200", 4, n=5, scaled=True,
            generator=ab.seed(7800, calls=200), then=torch.mean, within=0.18,
            hint="Is the measured spread divided by √d_k (not √d_k by the spread)?"),
], like=reference("score_std"))
# Property: works without a generator, and with the arguments in their order [arguments]
ab.check("2.4 the value", score_std, [
    ab.case("score_std(9, n=4000)", 9, n=4000, within=0.1),
    ab.case("score_std(9, 3000, True)", 9, 3000, True, within=0.12),
], like=reference("score_std"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_score_std_check_draws", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.4, drawing: n fresh pairs, and every random number from the generator."""
def two_(seeds=(1, 2), **options):
    return lambda f: number_(f, 16, n=500, seed=seeds[0], **options) != (
        number_(f, 16, n=500, seed=seeds[1], **options))

def in_turn_(score_std, **options):
    try:
        return bool(score_std(16, n=500, **options) != score_std(16, n=500, **options))
    except (AttributeError, TypeError):
        return True               # whether it runs is asked in point one

def leaves_alone_(score_std):
    state = torch.get_rng_state()
    number_(score_std, 16, n=500)
    return torch.equal(torch.get_rng_state(), state)

def vary_(words, d_k, n, first=0, calls=30, **options):
    """How far measurements vary, times √n, as a share of their mean."""
    return ab.case(words, d_k, n=n, generator=ab.seed(first, calls=calls),
                   then=lambda got: got.std() / got.mean() * n ** 0.5, **options)

ab.check("2.4 drawing", score_std, [
    ab.case("d_k = 16, 3000 pairs", 16, n=3000, generator=ab.seed(7), within=0.1),
    ab.case("generators in one state give one number",
            ask=lambda f: not two_((1, 1))(f)),
    ab.case("two generators give two numbers, which are drawn from them", ask=two_()),
    ab.case("they do so with scaled=True", ask=two_(scaled=True)),
    ab.case("one generator, in turn, gives two numbers: its state goes on",
            generator=ab.seed(3), ask=in_turn_),
    ab.case("without a generator, every call draws afresh", ask=in_turn_),
    ab.case("PyTorch's own generator is left alone", ask=leaves_alone_),
    ab.case("two pairs have two scores",
            ask=lambda f: number_(f, 16, 2, seed=4) > 1e-6),
    ab.case("two pairs of one number each have two scores",
            ask=lambda f: number_(f, 1, 2, seed=4) > 1e-6),
    vary_("20 pairs: how far 30 measurements vary", 16, 20, within=0.45,
          hint="Is the number of pairs n, each with a query and a key of its own?"),
    ab.case("20 pairs: the mean of 30 measurements", 16, n=20,
            generator=ab.seed(0, calls=30), then=torch.mean, within=0.15),
    ab.case("20,000 and 20,099 pairs give two numbers", ask=lambda f: (
        number_(f, 1, n=20_000, seed=5) != number_(f, 1, n=20_099, seed=5))),
])
### BEGIN HIDDEN TESTS
base_ = ab.case("d_k = 16, 3000 pairs", 16, n=3000, generator=ab.seed(8), within=0.1)
def tried(*cases):
    ab.check("2.4 drawing", score_std, [base_, *cases], like=reference("score_std"))

# Property: every pair has a query and a key of its own [fresh-pairs]
tried(*(ab.case(f"d_k = {d_k}, 2000 pairs", d_k, n=2000, generator=ab.seed(500 + n),
                within=0.15) for d_k in (2, 4) for n in range(2)))
# Property: the number of pairs is n [number-of-pairs]
tried(
    vary_("scaled=True, n = 50", 16, 50, 900, 40, scaled=True, within=0.5),
    vary_("n = 300", 16, 300, 950, 40, within=0.5),
    vary_("n = 2", 16, 2, 1300, 150, within=0.45,
          hint="Is it the standard deviation of the scores themselves?"))
# Property: a score is a sum of products, of a query and a key [products]
tried(vary_("d_k = 1, n = 40", 1, 40, 600, 100, within=0.3, hint=(
    "Was each query multiplied with its key, all entries from a normal distribution?")))
# Property: a generator in the same state gives the same number, in another one another, scaled or not [generator]
tried(*(ab.case(f"two generators, scaled = {scaled}", ask=two_(seeds, scaled=scaled))
        for scaled in (False, True) for seeds in ((41, 41), (41, 42))))
### END HIDDEN TESTS

# %% tags=["show", "uses-exercise"]
measured = score_std(64, generator=torch.Generator().manual_seed(0))
print(f"d_k = 64: standard deviation {measured:.1f}")
check_guess("typical score at d_k = 64", guess_std, round(float(measured)))

# %% [markdown]
# A product of two such entries has mean 0 and variance 1 again, and variances of independent terms add up:
#
# $$\mathrm{score} = \sum_{m=1}^{d_k} q_m k_m \quad\Rightarrow\quad \operatorname{Var}(\mathrm{score}) = \underbrace{1 + \dots + 1}_{d_k} = d_k .$$
#
# So the standard deviation is $\sqrt{d_k}$, which is 8 at $d_k = 64$. Divided by $\sqrt{d_k}$ it is 1, whatever $d_k$ is.

# %%
for d in (4, 64, 1024):
    q_, k_ = torch.randn(2, 300, d, generator=torch.Generator().manual_seed(d))
    many = q_ @ k_.T                                               # 90,000 scores
    print(f"d_k = {d:4d}   unscaled scores: standard deviation {many.std():2.0f}, "
          f"beyond ±d_k: {(many.abs() > d).float().mean():.0%}")

# %% [markdown]
# (A standard deviation is no bound: at $d_k = 4$ one score in twenty lies beyond $\pm d_k$.)
#
# ### What large scores do to softmax
#
# Take five scores of typical size 1, and let them grow as they would with $d_k = 64$ and $d_k = 1024$:

# %%
typical = torch.tensor([1.0, 0.5, 0.0, -0.5, -1.0])
for d in (1, 64, 1024):
    print(f"d_k = {d:4d}", (typical * d ** 0.5).softmax(dim=0))

# %% [markdown]
# The first key takes all. Such a choice is difficult to correct, since a weight of 1.0000 hardly changes when its score is
# nudged. For random queries we measure the *entropy* of the weights, which is larger when more keys share the attention, and
# the gradient that comes back through the softmax to the scores.

# %% tags=["show"]
def softmax_health(d_k, power, queries=2000, keys=16):
    """Entropy of each query's weights, and the norm of the gradient at its scores;
    scores are divided by d_k ** power.
    """
    generator = torch.Generator().manual_seed(d_k)
    q = torch.randn(queries, d_k, generator=generator)
    k = torch.randn(keys, d_k, generator=generator)
    scores = (q @ k.T / d_k ** power).requires_grad_()                # (queries, keys)
    weights = scores.softmax(dim=1)
    wish = torch.randn(queries, keys, generator=generator)  # how the loss wants them
    (weights * wish).sum().backward()
    return torch.special.entr(weights).sum(dim=1).detach(), scores.grad.norm(dim=1)

for d, many in [(1024, 16), (1024, 256), (64, 256)]:
    for name, power in [("unscaled", 0), ("scaled", 0.5)]:
        entropy, gradient = softmax_health(d, power, keys=many)
        print(f"d_k {d:4d}, {many:3d} keys, {name:8s}  entropy {entropy.mean():.1f}"
              f"  gradient: median {gradient.median():.0e}  mean {gradient.mean():.2f}")

# %% tags=["show"]
# @title Entropy and gradient against d_k, for 16 keys
sizes = [1, 4, 16, 64, 256, 1024]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2))
for name, power, ink, marker in [("unscaled", 0, OKABE_ITO[3], "o"),
                                 ("divided by √d_k", 0.5, OKABE_ITO[0], "s"),
                                 ("divided by d_k", 1, OKABE_ITO[2], "^")]:
    health = [softmax_health(d, power) for d in sizes]
    left.plot(sizes, [entropy.mean() for entropy, _ in health], marker + "-", color=ink,
              label=name)
    if power < 1:
        for line, of in [("-", torch.median), (":", torch.mean)]:
            right.plot(sizes, [of(gradient) for _, gradient in health], marker + line,
                       color=ink, label=f"{name}: {of.__name__}")
left.axhline(torch.tensor(16.).log(), color="grey", lw=0.8, ls="--")
left.set(ylabel="mean entropy of the weights (nats)", ylim=(0, 3.1),
         title="Unscaled, one key takes all …")
right.set(yscale="log", ylabel="gradient at the scores of a query (norm)",
          title="… and at 1024 half get hardly any gradient")
for ax in (left, right):
    ax.set(xscale="log", xlabel="d_k (16 keys)", xticks=sizes, xticklabels=sizes)
    ax.minorticks_off()
    ax.legend(fontsize=8, frameon=False, loc="lower left")
show(fig, "Left: mean entropy of the weights against d_k from 1 to 1024. "
          "Unscaled it falls from 2.3 to 0.1; divided by root d_k it stays at 2.4; "
          "divided by d_k it rises to the maximum, 2.77. Right: gradient at the "
          "scores, on log axes. Scaled, median and mean stay at 0.3; unscaled the mean "
          "falls to 0.04, and the median to 0.00001.")

# %% [markdown]
# With the root, all curves are level: a head (one attention with matrices of its own) starts with soft weights, however wide it is. Dividing by $d_k$ itself goes too
# far: all keys get nearly the same weight.
#
# Without a scale, a wide head has **silent queries**, which get almost no gradient. At $d_k = 1024$ with 16 keys
# these are half of all queries: the median gradient is $10^{-5}$, against 0.3 with the scale. (The mean hides this: a
# few queries make up all of it.) At $d_k = 64$ with 256 keys it is no lower than with the scale.
#
# All this holds for entries of variance 1. `nn.Linear` starts with smaller ones, so scores are smaller, and the effect is weaker: in
# the task of section 2.7 the median falls to a ninth or less, but not to nearly zero ([The gradient without the scale](deeper.ipynb)).

# %% [markdown]
# ## 2.5 The module
#
# `nn.Module` keeps the matrices together: a layer that `__init__` assigns to `self` is registered, so that the optimiser
# finds it and `.to(device)` moves it.
#
# ### Exercise 2.5 · SelfAttention · 3 points · about 12 minutes
#
# Build the head as a module: three layers `W_q`, `W_k` and `W_v` without bias, from `d_model` to `d_k`. `forward` takes a
# batch of sentences and returns `(output, weights)`. By hand: a sentence
# of one token attends to itself alone, so its output is its value.
#
# - 1 point: the layers, of the right sizes and no other parameters <!-- asks: layers -->, made anew for each module
#   with other random numbers <!-- asks: state -->;
# - 1 point: the values, for one sentence of any size <!-- asks: values -->;
# - 1 point: several sentences at once, each of which sees only its own words <!-- asks: batch -->; large scores give no NaN
#   <!-- asks: large-scores -->; the [house rules](#house-rules) hold <!-- asks: dtype, device, non-contiguous, gradient -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Training and evaluation mode give the same <!-- asks: train-eval -->. Dtype and device hold for $\sqrt{d_k}$, gradients for all three matrices.
# No batch is empty.
# </details>
# <details><summary>Hint 1</summary>What happens once, when the module is made, and what happens for every input?</details>
# <details><summary>Hint 2</summary>x is (batch, seq, d_model), q, k and v are (batch, seq, d_k), the weights (batch, seq, seq).</details>
# <details><summary>Hint 3</summary>Two sizes are at hand, d_model and d_k. A score is a sum of how many products?</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_self_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SelfAttention(nn.Module):
    """One attention head: every token asks all tokens of its sentence.

    forward(x): (batch, seq, d_model) -> output (batch, seq, d_k), weights (batch, seq,
    seq)
    """

    def __init__(self, d_model, d_k):
        super().__init__()
        ### BEGIN SOLUTION
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)         # (batch, seq, d_k)
        scores = q @ k.transpose(-2, -1) / k.size(-1) ** 0.5    # (batch, seq, seq)
        weights = scores.softmax(dim=-1)                        # each row sums to 1
        return weights @ v, weights
        ### END SOLUTION

# %% tags=["uses-exercise"]
word = torch.ones(1, 1, 6)                                # (batch, seq, d_model)
ab.beside([[[1.0]]], lambda: SelfAttention(6, 4)(word)[1])
ab.beside((1, 1, 4), lambda: tuple(SelfAttention(6, 4)(word)[0].shape))

# %% nbgrader={"grade": true, "grade_id": "ch02_self_attention_check_layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.5, the layers: three nn.Linear without bias."""
def made(d_model, d_k):
    return ab.case(f"SelfAttention({d_model}, {d_k})", look="parameters",
                   of=ab.module(d_model, d_k, weights={}))

def two_(kind):
    one, two = kind(6, 4).W_q.weight, kind(6, 4).W_q.weight
    return not torch.equal(one, two), bool(one.any()), one is not two

ab.check("2.5 layers", SelfAttention, [
    made(6, 4),
    ab.case("two modules have numbers of their own, by chance", ask=two_),
])
### BEGIN HIDDEN TESTS
# Property: the layers have the right sizes for every d_model and d_k, and nothing else is learned [layers]
ab.check("2.5 layers", SelfAttention, [made(3, 7), made(11, 2)],
         like=reference("SelfAttention"))
# Property: two modules do not share their weights [state]
ab.check("2.5 layers", SelfAttention, [made(5, 5), ab.case("two modules", ask=two_)],
         like=reference("SelfAttention"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_self_attention_check_values", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.5, the values: one sentence of five tokens, d_model = 3, d_k = 2."""
x_ = torch.tensor([[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 1., 0.],
                    [0., 1., 1.]]])                                          # (1, 5, 3)
head_ = ab.module(3, 2, weights={
    "W_q": torch.tensor([[1., 0., 2.], [0., 1., -1.]]),                        # (2, 3)
    "W_k": torch.tensor([[0., 2., 1.], [1., 0., 0.]]),
    "W_v": torch.tensor([[1., 1., 0.], [0., -1., 3.]])})
tiny_ = ab.module(1, 1, weights=dict.fromkeys(["W_q", "W_k", "W_v"], torch.ones(1, 1)))
ab.check("2.5 values", SelfAttention, [
    ab.case("five tokens, d_model = 3, d_k = 2", x_, of=head_),
    ab.case("tokens of one number, 0 and 1, with matrices of 1",
            torch.tensor([[[0.], [1.]]]), of=tiny_),
], "x, W_q, W_k, W_v -> output, weights")
### BEGIN HIDDEN TESTS
def sized(d_model, d_k, seq):
    return ab.case(f"d_model = {d_model}, d_k = {d_k}, {seq} tokens",
                   ab.numbers(1, seq, d_model, seed=seq), of=ab.module(d_model, d_k))

# Property: output and weights are right for other sizes and other weights [values]
ab.check("2.5 values", SelfAttention, [
    sized(*sizes) for sizes in [(7, 5, 11), (2, 13, 3), (5, 5, 5), (3, 2, 1), (1, 3, 7),
                                (3, 131, 67), (67, 1, 521)]
], like=reference("SelfAttention"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_self_attention_check_anywhere", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.5, anywhere: several sentences, float64, training and evaluation, the
gradient."""
def doubled_(model, x):
    model(x)
    with torch.no_grad():
        model.W_v.weight.mul_(2)
    return model(x)

def unwatched_(model, x):
    with torch.no_grad():
        return model(x)

x_ = ab.numbers(3, 4, 5, seed=8)
one_ = ab.case("3 sentences of 4 tokens, d_model = 5, d_k = 3", x_, of=ab.module(5, 3))
still_ = ab.module(5, 3, train=False)
ab.check("2.5 anywhere", SelfAttention, [
    one_,
    *ab.house_rules(one_, but="axes empty"),
    ab.case("one of the sentences alone", x_[1:2], of=one_.of),
    one_.but("in evaluation mode", of=still_),
    one_.but("in evaluation mode, under no_grad", of=still_, ask=unwatched_),
    one_.but("in evaluation mode, the sentences in another order after them", of=still_,
             steps=[("", x_), ("", x_.flip(0))]),
    one_.but("in evaluation mode, W_v doubled between two calls", of=still_,
             ask=doubled_),
    ab.case("sentences of one token in float64", x_[:, :1].double(), of=one_.of,
            look="dtype"),
    ab.case("scores a million times as large", 1000 * x_, of=one_.of, within=1e-2),
    one_.but("the gradient in evaluation mode", of=still_, look=("gradient",)),
], "x, W_q, W_k, W_v -> output, weights")
### BEGIN HIDDEN TESTS
def sized(batch, seq, train=True, scale=1.0, **options):
    mode = "" if train else ", in evaluation mode"
    return ab.case(f"{batch} sentences of {seq} tokens{mode}",
                   scale * ab.numbers(batch, seq, 7, seed=seq),
                   of=ab.module(7, 5, train=train), **options)

def tried(*cases):
    ab.check("2.5 anywhere", SelfAttention, [sized(3, 11), *cases],
             like=reference("SelfAttention"))

# Property: every sentence of a batch is treated alone, for any batch size and sentence length, one after the other [batch]
tried(*(sized(*sizes) for sizes in [(11, 3), (1, 2), (5, 5), (7, 7), (2, 1)]))
# Property: keeps the dtype of its input, and its precision [dtype]
tried(*ab.house_rules(sized(3, 11), only="float64 bfloat16"))
# Property: stays on the device of its input [device]
tried(*(sized(3, seq).but("on another device", look=("device",)) for seq in (11, 1)))
# Property: training mode and evaluation mode give the same [train-eval]
x_ = ab.numbers(3, 11, 7, seed=11)
twice_ = {"steps": [("", x_), ("", x_.flip(0))]}
tried(sized(3, 11, False), sized(3, 11, False, **twice_), sized(3, 11, **twice_),
      sized(3, 11, False, look="gradient"))
# Property: large scores give no NaN [large-scores]
tried(sized(3, 11, scale=1000.0, within=0.02))
# Property: the input may lie in memory in any order, and stays as it was [non-contiguous]
tried(*ab.house_rules(sized(3, 11), only="views inputs"))
# Property: the gradient of the input and of all three matrices is right [gradient]
tried(*ab.house_rules(sized(3, 4), only="gradient"))
### END HIDDEN TESTS

# %% [markdown]
# With the matrices of section 2.2 in its layers, your module must give the context that we followed step by step:

# %% tags=["uses-exercise"]
head = SelfAttention(3, 2)
with torch.no_grad():
    for layer, matrix in [(head.W_q, W_q), (head.W_k, W_k), (head.W_v, W_v)]:
        layer.weight.copy_(matrix.T)                     # (3, 2) -> (2, 3)
    output, _ = head(x.unsqueeze(0))                     # (1, 6, 3) -> (1, 6, 2)
print("journey, step by step:", context[1], "  your module:", output[0, 1])

# %% [markdown]
# ## 2.6 Three matrices by hand
#
# Back to the farm, with vectors that can be read: one feature for each word.

# %%
features = ["dog", "cat", "cow", "barks", "meows", "moos", "brown", "white", "black"]

def small_farm(*names):
    """One row for each token, a 1 for each of its words. Returns (seq, 9)."""
    return torch.tensor(
        [[float(word in name.split()) for word in features] for name in names])

small = small_farm("brown dog", "white cat", "black cow", "barks")
print(small.int())

# %% [markdown]
# Which matrices make "barks" fetch "brown"? Each column of $W_q$ and $W_k$ is a question that a query can ask and a key can
# answer. Each column of $W_v$ is something that can be handed over. Here is a head with a single question: "moos" finds the
# cow.

# %%
ask, answer = torch.zeros(9, 1), torch.zeros(9, 1)
ask[features.index("moos")], answer[features.index("cow")] = 10.0, 1.0
for sound_ in ("barks", "moos"):
    rows = small_farm("brown dog", "white cat", "black cow", sound_)
    q_, k_ = rows @ ask, rows @ answer                           # (4, 1) each: d_k = 1
    shares = (q_[-1] * k_[:, 0]).softmax(dim=0)
    print(f"{sound_:5s} weights {[round(w, 2) for w in shares.tolist()]}")

# %% [markdown]
# "barks" asks nothing: its query is zero, all its scores are equal, and so are its weights.

# %% [markdown]
# ### Exercise 2.6 · Write the matrices · 2 points · about 12 minutes
#
# Fill in three matrices with which each sound fetches the colour of its animal. They have one row for each feature, in the order of `features`:
# `W_q_by_hand` and `W_k_by_hand` are `(9, d_k)` with a `d_k` of your choice, `W_v_by_hand` is `(9, 3)`. The output of attention (scores divided by $\sqrt{d_k}$)
# is the amounts of **brown, white, black**. For the farm above and "barks" that is $(1, 0, 0)$, each number within 0.1, with nearly all weight on the dog.
#
# - 1 point: for the farm above with each of the three sounds <!-- asks: values -->, in every order of the four tokens
#   <!-- asks: every-order -->;
# - 1 point: whatever colours the animals have, two or three of the same colour too <!-- asks: every-colouring -->.
#
# <details><summary>Hint 1</summary>Which three of the nine rows of W_q matter, when only sounds ask? Which of W_k, when only names answer? Which of W_v?</details>
# <details><summary>Hint 2</summary>Three questions, three columns: "who barks?", "who meows?", "who moos?". A dot product is large where query and key have large numbers in the same column.</details>
# <details><summary>Hint 3</summary>If the right animal has the largest weight but not enough of it: scores that are further apart make the choice sharper (section 2.1).</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_matrices_by_hand", "locked": false, "schema_version": 3, "solution": true, "task": false}
# 9 rows each, in the order dog, cat, cow, barks, meows, moos, brown, white, black
### BEGIN SOLUTION
one, none = torch.eye(3), torch.zeros(3, 3)
# sounds ask, each in a column of its own
W_q_by_hand = torch.cat([none, 10 * one, none])
W_k_by_hand = torch.cat([one, none, none])  # names answer, in the column of their sound
W_v_by_hand = torch.cat([none, none, one])           # colours are handed over
### END SOLUTION

# %% tags=["uses-exercise"]
# Nine rows each; questions and answers share their columns; three colours come out.
ab.beside((9, 9, 9), lambda: (len(W_q_by_hand), len(W_k_by_hand), len(W_v_by_hand)))
ab.beside([1.0, 0.0, 0.0], lambda: F.scaled_dot_product_attention(
    *(small @ torch.as_tensor(W, dtype=torch.float32)
      for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)))[-1].round(decimals=1))

# %% nbgrader={"grade": true, "grade_id": "ch02_matrices_by_hand_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.6, first point: each sound fetches the colour of its animal."""
WORDS = ["dog", "cat", "cow", "barks", "meows", "moos", "brown", "white", "black"]
farm_ = ["brown dog", "white cat", "black cow"]
sounds_ = ("barks", "meows", "moos")
matrices_ = (W_q_by_hand, W_k_by_hand, W_v_by_hand)

def attend_(matrices, names, sound):
    """Weights and output of the sound."""
    rows = torch.tensor(
        [[float(word in name.split()) for word in WORDS] for name in names],
        dtype=torch.float64)
    q, k, v = (rows @ ab.rows(matrix) for matrix in matrices)
    see = torch.eye(len(names), dtype=torch.float64)
    return [F.scaled_dot_product_attention(q, k, what)[names.index(sound)]
            for what in (see, v)]

def beyond_(names, sound):
    """What the sound fetches, less what the exercise allows: 0 within 0.1."""
    name = next(n for n in names if n.split()[-1] == WORDS[WORDS.index(sound) - 3])
    wanted = torch.tensor([float(word in name) for word in WORDS[6:]])
    return lambda matrices: torch.nn.functional.softshrink(
        attend_(matrices, names, sound)[1] - wanted, 0.1)

ab.check("2.6 every sound", matrices_, [
    *(ab.case(f"{name}_by_hand has 9 rows, one for each feature",
              ask=lambda m, n=n: len(ab.rows(m[n])) == 9)
      for n, name in enumerate(("W_q", "W_k", "W_v"))),
    *(ab.case(f"how much {sound} looks at {', '.join(farm_)} and itself", within=0.2,
              ask=lambda m, s=sound: attend_(m, [*farm_, s], s)[0], secret=True,
              hint="Which column of W_q and W_k belongs to which pair?")
      for sound in sounds_),
    *(ab.case(f"{sound} fetches the colour of its animal, within 0.1", within=1e-6,
              ask=beyond_([*farm_, sound], sound), secret=True,
              hint="Each colour counts 1 in its own column: brown, white, black.")
      for sound in sounds_),
])
### BEGIN HIDDEN TESTS
from itertools import permutations

# Property: each of the three sounds fetches the colour of its animal on the farm of the text [values]
ab.check("2.6 every sound", matrices_, [
    ab.case(sound, ask=beyond_([*farm_, sound], sound), within=1e-6)
    for sound in sounds_
], like=reference("W_q_by_hand", "W_k_by_hand", "W_v_by_hand"))
# Property: the order of the tokens does not matter [every-order]
ab.check("2.6 every sound", matrices_, [
    ab.case(", ".join(order), ask=beyond_(order, sound), within=1e-6)
    for sound in sounds_ for order in permutations([*farm_, sound])
], like=reference("W_q_by_hand", "W_k_by_hand", "W_v_by_hand"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_matrices_by_hand_check_colours", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.6, second point: the same with other colours."""
def painted_(paint, sound):
    names = [*(f"{colour} {name}" for colour, name in zip(paint, WORDS)), sound]
    return ab.case(f"{', '.join(names)}: fetches within 0.1", within=1e-6, secret=True,
                   ask=beyond_(names, sound), hint="Do the keys listen to colours, "
                   "does the value depend on the name, or is the weight not on one "
                   "animal?")

matrices_ = (W_q_by_hand, W_k_by_hand, W_v_by_hand)
every_ = ab.case(
    f"{', '.join(farm_)}, with each of the sounds", within=1e-6, secret=True,
    ask=lambda m: torch.cat([beyond_([*farm_, s], s)(m) for s in sounds_]))
ab.check("2.6 every colour", matrices_, [every_, *(
    painted_(paint, sound) for paint in (
        ("white", "black", "brown"), ("black", "black", "white"),
        ("brown", "brown", "brown"))
    for sound in sounds_)])
### BEGIN HIDDEN TESTS
from itertools import product

# Property: right for every colouring of the three animals [every-colouring]
ab.check("2.6 every colour", matrices_, [every_, *(
    painted_(paint, sound) for paint in product(("brown", "white", "black"), repeat=3)
    for sound in sounds_)
], like=reference("W_q_by_hand", "W_k_by_hand", "W_v_by_hand"))
### END HIDDEN TESTS

# %% [markdown]
# Now a machine finds its own matrices, from examples alone. The output of the last token, the sound, goes through one
# linear layer, the *read-out*, which names a colour.

# %%
def train(head, readout, game, steps=200, rate=0.003):
    """Train both to answer a game from the output of the last token; returns the share
    of right answers on 2,000 new sentences.
    """
    optimizer = torch.optim.Adam([*head.parameters(), *readout.parameters()], lr=rate)
    generator = torch.Generator().manual_seed(1)
    for _ in range(steps):
        x, answer, _ = game(64, generator)
        loss = F.cross_entropy(readout(head(x)[0][:, -1]), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x, answer, _ = game(2000, torch.Generator().manual_seed(99))
    with torch.no_grad():
        right = readout(head(x)[0][:, -1]).argmax(dim=-1) == answer
    return right.float().mean().item()

# %% tags=["show", "uses-exercise"]
def small_game(batch, generator):
    """Three animals in random colours and a sound: (batch, 4, 9); the colour asked for,
    and the place of its animal: (batch,).
    """
    paint = torch.randint(3, (batch, 3), generator=generator)
    heard = torch.randint(3, (batch,), generator=generator)
    one = torch.eye(9)
    x = torch.cat([one[:3] + one[6 + paint], one[3 + heard].unsqueeze(1)], dim=1)
    return x, paint[torch.arange(batch), heard], heard

torch.manual_seed(0)
tiny, tiny_readout = SelfAttention(9, 3), nn.Linear(3, 3, bias=False)
right = train(tiny, tiny_readout, small_game, steps=400, rate=0.02)
print(f"trained on 400 batches: share of right answers {right:.2f}")

# %% [markdown]
# The columns of a matrix may come in any order, so we compare products: $W_q W_k^\top$ holds the score of each pair of words, and $W_v$ times the
# read-out what each word hands over.

# %% tags=["show", "uses-exercise"]
# @title Your matrices beside trained ones
hand = [torch.as_tensor(W, dtype=torch.float32)
        for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)]
heads = {"by hand": (hand[0] @ hand[1].T / hand[0].shape[1] ** 0.5, hand[2]),
         "trained": (tiny.W_q.weight.T @ tiny.W_k.weight / 3 ** 0.5,
                     tiny.W_v.weight.T @ tiny_readout.weight.T)}
fig, axes = plt.subplots(2, 2, figsize=(7.2, 5.2), width_ratios=[1.9, 1])
for row, (name, (looks, brings)) in zip(axes, heads.items()):
    draw_matrix(row[0], looks[3:6].detach().round() + 0.0, features[3:6], features,
                f"Where it looks, {name}", cmap="PuOr", digits=0)
    brought = brings - brings.mean(dim=1, keepdim=True)
    image = draw_matrix(row[1], brought[[0, 1, 2, 6, 7, 8]].T, features[6:],
                        features[:3] + features[6:],
                        f"What it brings, {name}", cmap="PuOr", digits=None)
    row[0].set_ylabel("who asks"), row[1].set_ylabel("colour named")
    fig.colorbar(image, ax=row[1], shrink=0.7, label="amount, mean 0")
show(fig, "Two rows of two tables, matrices by hand above and trained ones below. "
          "Left: scores of the three sounds with all nine features; in both, "
          "each sound scores its animal highest. Right: what each name and each "
          "colour brings; in both, each colour brings itself, and names bring little.")

# %% [markdown]
# In both, each sound scores its own animal highest, and each colour hands over itself.

# %% [markdown]
# ## 2.7 Who barks?
#
# Now the farm of random vectors. A sentence has six animals in random order, each in a random colour, and at the end one
# sound. The answer is the colour of the animal that makes it.

# %%
def farm(batch, generator, asks=sound, ahead=0):
    """Six coloured animals and one that asks, number n of `asks`: (batch, 7, 32); the
    colour of animal n (or n + ahead), and its place: (batch,) each.
    """
    order = torch.rand(batch, 6, generator=generator).argsort(dim=1)
    paint = torch.randint(6, (batch, 6), generator=generator)    # the colour of a place
    who = torch.randint(6, (batch,), generator=generator)
    x = torch.cat([animal[order] + colour[paint], asks[who].unsqueeze(1)], dim=1)
    place = (order == (who.unsqueeze(1) + ahead) % 6).int().argmax(dim=1)
    answer = paint[torch.arange(batch), place]
    return x.to(device), answer.to(device), place.to(device)

x_, answer, place = farm(1, torch.Generator().manual_seed(99))
print(tuple(x_.shape), f"answer: {colours[answer[0]]}, at place {place[0].item()}")

# %% [markdown]
# Guessing is right in 17 % of the sentences, and the attention of chapter 1 is no better. A plain mean of
# all tokens reaches about 40 % ([What a mean can know](deeper.ipynb)). Your head, with $d_k = 16$:

# %% tags=["show", "uses-exercise"]
torch.manual_seed(0)
head, readout = SelfAttention(d_model, 16).to(device), nn.Linear(16, 6).to(device)
paint = [2, 0, 1, 3, 4, 5]
# (6, 7, 32): one farm six times, each time with another sound
six = torch.cat([(animal + colour[paint]).expand(6, 6, d_model), sound.unsqueeze(1)],
                dim=1).to(device)
untrained = head(six)[1][:, -1]                      # (6, 7): weights of the last token
accuracy = train(head, readout, farm)
trained = head(six)[1][:, -1]
print(f"share of right answers on 2,000 new sentences: {accuracy:.2f}")

# %% tags=["show", "uses-exercise"]
# @title Where each sound looks, before and after training
places = [f"{colours[c]} {name}" for c, name in zip(paint, animals)] + ["itself"]
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.7))
draw_matrix(axes[0], untrained, sounds, places, "Before training: random",
            limits=(0, 1))
draw_matrix(axes[1], trained, [""] * 6, places,
            "After training: each sound finds\nits animal", limits=(0, 1))
show(fig, "Weights of six sounds over six coloured animals and the sound itself. "
          "Before training all are small and uneven, without a pattern. After training "
          "each row has one dark cell near 1, on the animal that makes the sound.")

# %% [markdown]
# All answers are right after 200 steps.
#
# Projections are linear: the key of "brown dog" is *(key of "brown") + (key of "dog")*, and likewise its value. So we
# look at name and colour separately.
#
# **Predict, then run.** Do scores depend on a key's name or colour? And which do values carry?

# %% tags=["show"]
guess_keys = None      # type "name" or "colour"
guess_values = None    # type "name" or "colour"

# %% tags=["show", "uses-exercise"]
with torch.no_grad():
    asks = head.W_q(sound.to(device)) / 4                       # (6, 16); √d_k = 4
    inside = {}                                                 # (6, 6) each
    for name, words in [("name", animal.to(device)), ("colour", colour.to(device))]:
        inside["sound asks,", name] = asks @ head.W_k(words).T
        inside["value of the", name] = head.W_v(words) @ readout.weight.T
spread = {what: table.std(dim=1).mean().item() for what, table in inside.items()}
print({" ".join(what): round(s, 1) for what, s in spread.items()})
for what, side, guess in [("keys listen to", "sound asks,", guess_keys),
                          ("values carry", "value of the", guess_values)]:
    check_guess(what, guess, max("name", "colour", key=lambda n: spread[side, n]))

# %% tags=["show", "uses-exercise"]
# @title What keys listen to, and what values carry
fig, axes = plt.subplots(2, 2, figsize=(7.2, 6.4))
ticks = {"name": animals, "colour": colours}
for ax, ((side, name), table) in zip(axes.T.flat, sorted(inside.items())):
    score = side == "sound asks,"
    draw_matrix(ax, table.cpu().round() + 0.0, sounds if score else ticks[name],
                ticks[name] if score else colours, cmap="PuOr", limits=(-9, 9),
                digits=0, title=f"{name} answers: scores" if score else
                f"value of a {name}:\nevidence for each answer")
show(fig, "Four six by six tables. Left: scores of sounds with colours, pale and "
          "without a pattern, and with animal names, a strong diagonal. Right: values "
          "of colours read out as colours, a strong diagonal, and of names, pale.")

# %% [markdown]
# Scores depend on the name in the **keys** and hardly on the colour; **values** carry the colour and little of the
# name. And the **query** of "barks" points to the key of "dog", although the two words' vectors have nothing in common.
#
# ### Does it take three matrices?
#
# We train heads in which two of the three are the same: `W_k = W_q` (symmetric, but trained) or `W_v = W_k`. Besides
# "barks" there is a second game, "chase". Each animal chases the next in a circle: the dog the cat, the cat the cow, …, the
# horse the dog. The last token is a bare name, and the answer is the colour of the animal that it chases.

# %% tags=["show", "uses-exercise", "tolerance-0.12"]
def chase(batch, generator):
    return farm(batch, generator, asks=animal, ahead=1)

for same in ("three matrices", "W_k = W_q", "W_v = W_k"):
    row = []
    for game, width in ((farm, 16), (chase, 16), (farm, 2)):
        torch.manual_seed(0)
        tied, end = SelfAttention(d_model, width).to(device), nn.Linear(width, 6)
        if "=" in same:
            setattr(tied, same[:3], getattr(tied, same[-3:]))
        row.append(f"{train(tied, end.to(device), game, steps=400):.2f}")
    print(f"{same:15s} barks, d_k 16: {row[0]}   chase, d_k 16: {row[1]}   "
          f"barks, d_k 2: {row[2]}")

# %% [markdown]
# In "barks" `W_k = W_q` does as well as three matrices: the equally high score of "dog" with "barks" does no harm, since
# only the sound's output is read. In the **circle** it gets at most five of six animals right, also with three seeds and five times the steps
# ([Two matrices instead of three](deeper.ipynb)).
#
# Why? With one matrix for both, the score of (dog, cat) is the score of (cat, dog). But "dog" must prefer "cat" to
# "horse", "cat" must prefer "cow" to "dog", and so on round the circle: each score must be larger than the one before,
# and the first larger than the last. That is impossible.
#
# One matrix for key and value has to carry label and content through the same $d_k$ numbers. With 16 numbers there is room for both. With
# 2 there is not, and fewer than half of the answers are right.
#
# ### What breaks if… the scale is forgotten?
#
# We train a wide head ($d_k = 512$) on the same farm with six random seeds, with the scale and without. To undo the division, we
# multiply $W_q$ by $\sqrt{d_k}$ (`parametrize` puts a factor on a weight).

# %% tags=["show", "uses-exercise", "tolerance-0.4"]
from torch.nn.utils.parametrize import register_parametrization

class Times(nn.Module):
    def forward(self, weight):
        return 512 ** 0.5 * weight

finds = {"scaled": torch.zeros(6, 6), "unscaled": torch.zeros(6, 6)}     # run by sound
x_, _, place = farm(2000, torch.Generator().manual_seed(99))
heard = (x_[:, -1:] - sound.to(device)).norm(dim=-1).argmin(dim=1)       # (2000,)
for name, found in finds.items():
    shares = []
    for seed in range(6):
        torch.manual_seed(seed)
        broad = SelfAttention(d_model, 512).to(device)
        end = nn.Linear(512, 6).to(device)
        if name == "unscaled":
            register_parametrization(broad.W_q, "weight", Times())
        shares.append(round(train(broad, end, farm, steps=80, rate=0.001), 2))
        with torch.no_grad():  # weight on the right animal
            on_place = broad(x_)[1][torch.arange(2000), -1, place]
        found[seed] = torch.stack([on_place[heard == n].mean() for n in range(6)]).cpu()
    print(f"{name:8s} share of right answers, six runs: {shares}")

# %% tags=["show", "uses-exercise"]
# @title Six runs with and without the scale: which sounds find their animal
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.3))
for ax, (name, found) in zip(axes, finds.items()):
    draw_matrix(ax, found, [f"run {n}" for n in range(6)], sounds,
                f"{name}: weight on the right animal", limits=(0, 1))
show(fig, "For six runs with the scale and six without, the mean weight of each sound "
          "on the right animal. With the scale every cell is near 1; without it many "
          "cells are 1, others 0.")

# %% [markdown]
# Without the scale many sounds find their animal and others do not; which ones depends on the seed. There is no
# error and no NaN to warn you.
#
# Is it the initialisation or the step size? Without the scale the first scores are $\sqrt{512} \approx 23$ times as large, and each step of training moves
# them 23 times as far. Repairing only one of the two is not enough ([The start or the step?](deeper.ipynb)).
#
# ### Make it yours
#
# Write another farm for your matrices of exercise 2.6, say what you expect, and test it by a number that could prove
# it wrong. No points.

# %% tags=["uses-exercise", "show"]
mine = small_farm("brown dog", "white dog", "black cow", "barks")
description = "Two dogs: barks fetches half brown, half white."
got = F.scaled_dot_product_attention(
    *(mine @ torch.as_tensor(W, dtype=torch.float32)
      for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)))[-1]
print(description, [round(g, 2) for g in got.tolist()])
print("my test, largest distance from half and half:",
      round((got - torch.tensor([0.5, 0.5, 0.0])).abs().max().item(), 2))

# %% [markdown]
# ## Summary
#
# Three matrices were missing: one turns "barks" into a query that "dog" can answer, one turns "brown dog" into a key that
# says "I bark", and one turns it into a value that says "brown". You can now
#
# - compute $\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V$ by hand, and write it as a function and as a module, whose
#   `nn.Linear` layers store the transpose (2.1 to 2.3, 2.5);
# - say what the division by $\sqrt{d_k}$ is for: it keeps the standard deviation of random scores at 1. Without it
#   the scores of a wide head can be so large that one key takes nearly all, and in our short training some sounds did not
#   find their animal (2.4, 2.7);
# - write the matrices by hand, train others, and say what each is needed for: one matrix for query and key
#   cannot solve a circle, and one for key and value needs a wider head (2.6, 2.7).
#
# One problem is left: every word could see the words that come later. For a model that is to *predict* the next
# word that is cheating. Chapter 3 hides the future.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# ## Further reading
#
# - Raschka, *Build a Large Language Model (From Scratch)* (2024), section 3.4: the same steps on the running sentence.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3.2.1; footnote 4 has the argument of our section 2.4.
# - Miller et al., *Key-Value Memory Networks for Directly Reading Documents* (2016), section 3.
# - Elhage et al., *A Mathematical Framework for Transformer Circuits* (2021): reading a head as in sections 2.6 and 2.7.
