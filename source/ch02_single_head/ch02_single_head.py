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
# *85 minutes · ●●○○○ · 6 exercises, 12 points · you need chapter 1*
#
# > the brown **dog** and the white **cat** look up: something **barks**.
#
# What colour is the animal that barks? Brown, you say at once. But look at what you did. Starting from "barks" you went
# to "dog", a word that looks nothing like it. And what you brought back was neither the barking nor the dog: it was
# "brown".
#
# Attention as built in chapter 1 cannot do this. There, a word finds the words that resemble it, and takes in all of
# their numbers. **What must we add, so that a word can ask for something unlike itself, and take something else from it?**
# In this chapter you write the three matrices that do it by hand, and then a machine learns its own from examples. We
# open both and compare.
#
# **After this chapter you can**
#
# - say what a query, a key and a value are, write the matrices for them by hand, and say what each of the three is
#   needed for;
# - compute attention by hand, with loops, and with matrix products for whole batches;
# - explain, and measure, why scores are divided by $\sqrt{d_k}$;
# - build `SelfAttention` as a module, and know what `nn.Linear` really stores;
# - train one head and read out of its matrices what it has learned.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(2)
torch.set_printoptions(precision=4, sci_mode=False)
# our matrices are small: more threads would only wait for one another
torch.set_num_threads(1)

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 2.1 From a mirror to a look-up
#
# Here is the running sentence of chapter 1 again (Sebastian Raschka's, for hand calculations), and its attention without
# weights: the score of two words is the dot product of their embeddings.

# %%
tokens = "Your journey starts with one step".split()
x = torch.tensor([[0.43, 0.15, 0.89],     # Your
                  [0.55, 0.87, 0.66],     # journey
                  [0.57, 0.85, 0.64],     # starts
                  [0.22, 0.58, 0.33],     # with
                  [0.77, 0.25, 0.10],     # one
                  [0.05, 0.80, 0.55]])    # step

mirror = x @ x.T                          # (6, 3) @ (3, 6) -> (6, 6)
print("journey scores", mirror[1])
there, back = mirror[1, 4].item(), mirror[4, 1].item()
print(f"journey → one: {there:.3f}    one → journey: {back:.3f}")

# %% [markdown]
# The two numbers in the last line are the same, and they have to be: $x_i \cdot x_j = x_j \cdot x_i$. What "journey"
# thinks of "one" is what "one" thinks of "journey". This attention is a mirror, and training has no number to change in it.
#
# Now the farm. Every word gets a vector of 32 random numbers, so that no word resembles another. A phrase such as "brown dog"
# is one token here, and its vector is the sum of the two words' vectors.

# %%
animals = ["dog", "cat", "cow", "duck", "sheep", "horse"]
sounds = ["barks", "meows", "moos", "quacks", "bleats", "neighs"]
colours = ["white", "black", "brown", "grey", "red", "golden"]

d_model = 32
generator = torch.Generator().manual_seed(2)
# row by row, one vector a word
animal, sound, colour = (torch.randn(6, d_model, generator=generator) for _ in range(3))

farm_tokens = ["brown dog", "white cat", "black cow", "barks"]
# (4, 32)
sentence = torch.stack([animal[0] + colour[2], animal[1] + colour[0],
                        animal[2] + colour[1], sound[0]])
farm_weights = (sentence @ sentence.T).softmax(dim=-1)
print("barks attends to", dict(zip(farm_tokens,
                                   farm_weights[3].round(decimals=3).tolist())))

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.5), width_ratios=[6, 4.6])
draw_matrix(left, mirror, tokens, tokens, "Scores x xᵀ: "
                                          "the same above and\nbelow the diagonal")
draw_matrix(right, farm_weights, farm_tokens, farm_tokens,
            "Weights on the farm:\nevery token looks at itself", limits=(0, 1))
show(fig, "Left: the six by six scores of the running sentence without weights, "
          "equal on both sides of the diagonal. "
          "Right: attention weights of brown dog, white cat, "
          "black cow and barks, with a weight of 1 on the diagonal and 0 elsewhere.")

# %% [markdown]
# "barks" looks for tokens like itself and finds only itself. The dog gets nothing.
#
# What we want is closer to a dictionary. You ask with one thing, it matches an entry, and you get a *third* thing back:

# %%
colour_of = {"dog": "brown", "cat": "white", "cow": "black"}    # key: value
print(colour_of["dog"])                                         # query -> value

# %% [markdown]
# A dictionary is all or nothing: the query must equal a key, and there is no slope along which one could learn a better
# query. So let us make it soft. Keys and query become vectors; we compare the query with *every* key by a dot product, turn
# the scores into weights with softmax, and return a blend of *all* values. As values we take real colours: red, green and
# blue between 0 and 1.

# %%
keys = torch.tensor([[1., 0.], [0., 1.], [-1., 0.]])  # dog, cat, cow
# brown, white, black
values = torch.tensor([[0.55, 0.30, 0.10], [1., 1., 1.], [0., 0., 0.]])
query = torch.tensor([2., 1.])  # rather a dog, somewhat a cat

scores = torch.stack([(query * key).sum() for key in keys])  # (3,): 2, 1, -2
weights = scores.softmax(dim=0)  # (3,): sums to 1
# (3,): a colour
fetched = sum(weight * value for weight, value in zip(weights, values))
print("scores ", scores)
print("weights", weights)
print("fetched", fetched)

# %% [markdown]
# Nearly three quarters of brown, lightened with a quarter of white. On the left of the figure, keys and query lie in the
# plane: the query points between dog and cat, nearer to dog. On the right the query keeps its direction and grows: the
# scores move apart, and the look-up comes closer to the hard dictionary.

# %% tags=["show"]
lengths = torch.linspace(0, 8, 161)
direction = query / query.norm()
blend = (lengths[:, None] * direction @ keys.T).softmax(dim=-1)               # (161, 3)

fig, axes = plt.subplot_mosaic([["plane", "top"], ["plane", "strip"]],
                               figsize=(7.2, 3.4),
                               height_ratios=[5, 1], width_ratios=[1, 1.5])
plane, top, strip = axes["plane"], axes["top"], axes["strip"]
for name, key, value in zip(("dog", "cat", "cow"), keys.tolist(), values.tolist()):
    plane.annotate("", key, (0, 0), arrowprops=dict(arrowstyle="-|>", color="0.4",
                                                    lw=2))
    plane.scatter(*key, s=180, color=[value], edgecolor="0.4", zorder=3)
    plane.annotate(name, key, (0, 11), textcoords="offset points", ha="center")
plane.annotate("", query.tolist(), (0, 0),
               arrowprops=dict(arrowstyle="-|>", color=OKABE_ITO[3], lw=2))
plane.annotate("query", query.tolist(), (-4, 6), textcoords="offset points",
               ha="right", color=OKABE_ITO[3])
plane.set(xlim=(-1.4, 2.3), ylim=(-0.6, 1.6), aspect="equal", xlabel="first number",
          ylabel="second number",
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
# So a token has three roles, and each gets a vector of its own:
#
# | role | the question it answers | on the farm |
# | --- | --- | --- |
# | **query** $q_i$ | what am I looking for? | "barks": who makes this sound? |
# | **key** $k_j$ | what can I be found by? | "brown dog": I bark |
# | **value** $v_j$ | what do I hand over when found? | "brown dog": brown |
#
# For a whole sentence the queries are the rows of a matrix $Q$, the keys those of $K$, the values those of $V$, and the
# three steps are
#
# $$\mathrm{scores} = Q K^\top, \qquad \mathrm{weights} = \mathrm{softmax}\!\left(\frac{\mathrm{scores}}{\sqrt{d_k}}\right), \qquad \mathrm{output} = \mathrm{weights}\; V .$$
#
# Softmax works along each row: one query spends exactly 1 on all keys. $d_k$ is the number of entries of a key; section
# 2.4 explains its root.
#
# ### Exercise 2.1 · Attention by hand · 1 point · about 8 minutes
#
# Two queries, two keys, two values, and $d_k = 3$:
#
# $$Q = \begin{pmatrix} 1 & 0 & 1 \\ 0 & 1 & 1 \end{pmatrix}, \quad K = \begin{pmatrix} 1 & 1 & 0 \\ 0 & 1 & 1 \end{pmatrix}, \quad V = \begin{pmatrix} 2 & 0 & 1 \\ 1 & 2 & 0 \end{pmatrix}.$$
#
# Compute $\mathrm{scores} = QK^\top$, then the weights (here you divide by $\sqrt 3$) and the output with paper and a pocket
# calculator, and fill them in as lists of rows. Two decimals are enough <!-- asks: values -->. Doing it once by hand
# shows along which axis softmax runs, and what the weights mix.
#
# <details><summary>Hint 1</summary>Row 0 of the scores belongs to query 0: its dot product with key 0, then with key 1.</details>
# <details><summary>Hint 2</summary>Softmax of two numbers that are equal needs no calculator. For two that differ by δ, the larger one gets 1 / (1 + e^−δ).</details>
# <details><summary>Hint 3</summary>Row 0 of the output is a blend of the two rows of V, with the two weights of query 0.</details>

# %% nbgrader={"grade": false, "grade_id": "ch02_by_hand", "locked": false, "schema_version": 3, "solution": true, "task": false}
# scores_by_hand: 2 rows of 2   weights_by_hand: 2 rows of 2   output_by_hand: 2 rows of
# 3
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
# Each is `(d_model, d_k)`: here three numbers go in and two come out. The whole numbers below are made up so that you can
# follow every step with a pencil. Nobody has trained them, so whatever pattern they make will mean nothing; section 2.6
# has matrices with a meaning.

# %%
W_q = torch.tensor([[-1., -1.], [1., 3.], [2., 0.]])      # (d_model, d_k) = (3, 2)
W_k = torch.tensor([[1., 1.], [-3., 2.], [2., -2.]])
W_v = torch.tensor([[2., 1.], [2., -2.], [-2., 1.]])

# each entry of a query: x · one column of W_q
q_journey = torch.stack([(x[1] * column).sum() for column in W_q.T])
print("query of journey:", q_journey)

# %% [markdown]
# The same for every token and all three matrices, in loops that hide nothing:

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
fig, axes = plt.subplots(2, 4, figsize=(6.2, 5.5), height_ratios=[3, 6],
                         width_ratios=[3, 2, 2, 2])
axes[0, 0].axis("off")
draw_matrix(axes[1, 0], x, tokens, [""] * 3, "x", cmap="PuOr", limits=(-3, 3))
for column, (name, matrix) in enumerate({"q": W_q, "k": W_k, "v": W_v}.items(),
                                        start=1):
    draw_matrix(axes[0, column], matrix, [""] * 3, [""] * 2, f"W_{name}", cmap="PuOr",
                limits=(-3, 3), digits=0)
    draw_matrix(axes[1, column], project_in_loops(x, matrix), [""] * 6, [""] * 2,
                f"{name} = x W_{name}", cmap="PuOr", limits=(-3, 3))
fig.suptitle("One sentence, three projections: 3 numbers a token become 2, three times",
             x=0.01, ha="left", fontsize=10)
show(fig, "The embeddings x, six tokens by three numbers, at the lower left. Above, "
          "the three weight matrices W_q, W_k and W_v, three by two. Below each, "
          "its product with x: queries, keys and values, six by two, all different.")

# %% [markdown]
# Read it as a table of products: `x` comes in from the left, a matrix from above, and where they meet stands the product.
# Row "journey" of `q`, `k` and `v` are three different views of the same three numbers.
#
# **Predict, then run.** In the mirror, journey → one and one → journey had the same score. Now a score is
# $q_i \cdot k_j$. Will the two still agree? And what if we use *the same* matrix for queries and keys?

# %% tags=["show"]
guess_two = None       # do they agree with two matrices? type "yes" or "no"
guess_same = None      # and with one matrix for both?

# %% tags=["show"]
for what, guess, k_ in [("W_q and W_k", guess_two, k), ("W_q for both", guess_same, q)]:
    there, back = (q[1] @ k_[4]).item(), (q[4] @ k_[1]).item()
    print(f"{what}:  journey → one {there:.3f}   one → journey {back:.3f}")
    check_guess(f"agree, {what}", guess, "yes" if abs(there - back) < 1e-5 else "no")

# %% [markdown]
# With two matrices the mirror is broken: "journey" may care for "one" while "one" does not care back. With one matrix for both
# it is a mirror again, however well trained: $q_i \cdot q_j = q_j \cdot q_i$. Whether that costs anything depends on the
# task; section 2.7 measures it on two.

# %% [markdown]
# ### What `nn.Linear` really stores
#
# In a network the three matrices will be `nn.Linear` layers.

# %%
linear = nn.Linear(3, 2, bias=False)
print("nn.Linear(3, 2) holds", tuple(linear.weight.shape))
with torch.no_grad():
    linear.weight.copy_(W_q.T)                   # (3, 2) -> (2, 3)
    print(f"linear(x) and the loops differ by at most "
          f"{(linear(x) - q).abs().max().item():.5f}")

# %% [markdown]
# It holds the **transpose**, `(out, in)`, and computes $x W^\top + b$. The paper and this chapter write $x W$: to move weights
# from one to the other, transpose them.
#
# **What breaks if…** you forget the transpose? Once with `d_k = 2`, once with `d_k = 3 = d_model`:

# %%
for width in (2, 3):
    matrix = torch.arange(3. * width).reshape(3, width)
    layer = nn.Linear(3, width, bias=False)
    try:
        with torch.no_grad():
            layer.weight.copy_(matrix)           # not transposed
            off = (layer(x) - project_in_loops(x, matrix)).abs().max().item()
        print(f"d_k = {width}: no complaint, and a result that is off by up to "
              f"{off:.1f}")
    except RuntimeError:
        print(f"d_k = {width}: RuntimeError, the shapes do not fit")

# %% [markdown]
# The rectangular matrix raises an error. The square one runs and computes something else. Square examples hide wrong
# transposes: that is why the checks of this course use unequal sizes, and why yours should too.
#
# ### Exercise 2.2 · Project a batch · 1 point · about 4 minutes
#
# Write `project_qkv` for a batch of sentences, without a loop over tokens: the check counts tensor operations, and their
# number must not grow with the length of the sentences <!-- asks: no-loop -->. It must work for every size, square ones
# and sentences of one token too <!-- asks: sizes -->. The [house rules](#house-rules) hold
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
# One sentence of one token, from 2 numbers to
# 1: (3, 4) times (1, 10) is 3·1 + 4·10 = 43.
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
    ab.case("150 tokens", ab.numbers(2, 150, 4), A, B, C, look="operations"),
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
# Now we follow "journey" through the three steps. First its query meets every key, one dot product each:

# %%
# (6,): one score per key
scores_journey = torch.stack([(q[1] * k_j).sum() for k_j in k])
print("scores ", scores_journey)

weights_journey = (scores_journey / 2 ** 0.5).softmax(dim=0)  # d_k is 2 here; sums to 1
print("weights", weights_journey)

context_journey = sum(weight * v_j for weight, v_j in zip(weights_journey, v))   # (2,)
print("context", context_journey)

# %% [markdown]
# Nearly half of the attention goes to "one". (Do not look for a meaning: the matrices are made up.) The same for all six
# queries, one after the other:

# %%
def attend_in_loops(q, k, v):
    """Output, weights and scaled scores of every query of one sentence, one after the
    other.
    """
    outputs, weights, scores = [], [], []
    for query in q:
        # (seq,)
        scores.append(
            torch.stack([(query * key).sum() for key in k]) / len(query) ** 0.5)
        weights.append(scores[-1].softmax(dim=0))  # (seq,)
        # (d_v,)
        outputs.append(sum(weight * value for weight, value in zip(weights[-1], v)))
    return torch.stack(outputs), torch.stack(weights), torch.stack(scores)

context, weights, scores = attend_in_loops(q, k, v)       # (6, 2), (6, 6), (6, 6)
print("sums of the rows:", [round(s, 4) for s in weights.sum(dim=1).tolist()])
# built in, but it does not hand out the weights
pytorch = F.scaled_dot_product_attention(q, k, v)
print(f"loops and PyTorch differ by at most "
      f"{(context - pytorch).abs().max().item():.5f}")

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.7))
image = draw_matrix(left, scores, tokens, tokens, "Scaled scores: no mirror any more",
                    cmap="PuOr", limits=(-2.1, 2.1))
draw_matrix(right, weights, tokens, tokens, "Weights: every row sums to 1",
            limits=(0, 1))
for ax in (left, right):
    ax.add_patch(plt.Rectangle((-0.5, 0.5), 6, 1, fill=False, edgecolor=OKABE_ITO[3],
                               linewidth=2))
    ax.set_xlabel("key")
left.set_ylabel("query")
show(fig, "Left: six by six scaled scores, not symmetric. Right: their softmax. "
          "The row of journey is framed; its largest weight, 0.47, is on one.")

# %% [markdown]
# Where does an output lie? For a picture with a meaning we return to the three animals of section 2.1 and give their
# values two readable numbers: how **bright** and how **warm** the colour is. Two sounds ask.

# %%
# brown, white, black: bright, warm
looks = torch.tensor([[0.35, 0.80], [1.00, 0.50], [0.00, 0.45]])
asking = torch.tensor([[3.0, 1.5], [0.5, 2.0]])                      # barks, meows
mixed, shares, _ = attend_in_loops(asking, keys, looks)              # (2, 2), (2, 3)
for name, row, place in zip(("barks", "meows"), shares, mixed):
    print(f"{name}: weights of dog, cat, cow {[round(w, 2) for w in row.tolist()]}, "
          f"fetched bright {place[0]:.2f}, warm {place[1]:.2f}")

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.4))
for name, key, place, value in zip(("dog", "cat", "cow"), keys.tolist(), looks.tolist(),
                                   values.tolist()):
    left.annotate("", key, (0, 0), arrowprops=dict(arrowstyle="-|>", color="0.4", lw=2))
    left.annotate(name, key, (0, 6), textcoords="offset points", ha="center")
    right.scatter(*place, s=180, color=[value], edgecolor="0.4", zorder=3)
    right.annotate(f"{name}'s value", place, (0, 11), textcoords="offset points",
                   ha="center")
for name, query_, place, colour_ in zip(("barks", "meows"), asking.tolist(),
                                        mixed.tolist(), (3, 0)):
    left.annotate("", query_, (0, 0), arrowprops=dict(arrowstyle="-|>",
        color=OKABE_ITO[colour_], lw=2))
    left.annotate(name, query_, (4, 4), textcoords="offset points",
                  color=OKABE_ITO[colour_])
    right.scatter(*place, marker="*", s=150, color=OKABE_ITO[colour_], zorder=4)
    right.annotate(f"output of {name}", place, (-8, -14), textcoords="offset points",
                   ha="right",
                   color=OKABE_ITO[colour_])
right.fill(*looks.T.tolist(), color="0.93", zorder=0)
left.set(xlim=(-1.5, 4), ylim=(-0.5, 2.6), xlabel="first number",
         ylabel="second number",
         title="barks points nearer to dog, meows to cat")
right.set(xlim=(-0.2, 1.2), ylim=(0.3, 0.95), xlabel="bright", ylabel="warm",
          title="Outputs lie between the values")
show(fig, "Left: keys of dog, cat and cow as arrows, and the queries of barks, "
          "pointing near dog, and of meows, pointing near cat. Right: their values "
          "in the plane of brightness and warmth, the triangle between them shaded; "
          "the output of barks lies in it near brown, that of meows near white.")

# %% [markdown]
# Weights are positive and sum to 1, so an output lies inside the triangle of the values and never outside: attention
# chooses and mixes. (The layers that come after attention can move it anywhere.)
#
# ### Exercise 2.3 · Scaled dot-product attention · 3 points · about 12 minutes
#
# $$\mathrm{weights} = \mathrm{softmax}\!\left(\frac{q\,k^\top}{\sqrt{d_k}}\right), \qquad \mathrm{output} = \mathrm{weights}\; v$$
#
# Write it as a function that returns `(output, weights)`, without a loop over tokens: the check counts tensor operations,
# and their number must not grow with the number of queries or keys <!-- asks: no-loop -->. Above there was one sentence; in
# front of the last two axes of yours there may stand a batch, or a batch and its heads (a *head* is one attention with
# matrices of its own; chapter 4 lets several work side by side). And queries and keys need not be
# equally many.
#
# - 1 point: the values, for one sentence of any size <!-- asks: values -->;
# - 1 point: any number of axes in front, and any numbers of queries and keys, none of them 0 <!-- asks: leading-dims -->,
#   in views too <!-- asks: non-contiguous -->;
# - 1 point: scores of ten thousand give no NaN <!-- asks: large-scores -->, and the other [house rules](#house-rules) hold,
#   in $\sqrt{d_k}$ too <!-- asks: dtype, device, inputs-unchanged, gradient -->.
#
# <details><summary>Hint 1</summary>Which two axes of k have to change places, however many stand before them?</details>
# <details><summary>Hint 2</summary>(…, seq_q, d_k) times (…, d_k, seq_k) gives (…, seq_q, seq_k). Each query spends exactly 1: along which of these axes do its weights lie, counted from the end?</details>
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
# With scores 4 and 0, scaled 2 and 0, the first key
# gets e² = 7.39 times the weight of the second.
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
ab.check("2.3 values", scaled_dot_product_attention, [
    ab.case("q (5, 4), k (3, 4), v (3, 6)", q_, k_, v_),
    ab.case("three of the five queries alone, as many as keys", q_[:3], k_, v_),
    ab.case("rows of 3 numbers: d_k = 3", q_[:, :3], k_[:, :3], v_),
], "q, k, v -> output, weights")
### BEGIN HIDDEN TESTS
# Property: the values are right for other sentences too [values]
ab.check("2.3 values", scaled_dot_product_attention, [
    ab.case(f"{n_q} queries, {n_k} keys, d_k = {d}, d_v = {d_v}",
            ab.numbers(n_q, d, seed=21), ab.numbers(n_k, d, seed=22),
            ab.numbers(n_k, d_v, seed=23))
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
    ab.case("150 queries and keys", *ab.numbers(3, 2, 150, 4), look="operations"),
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
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch02_scaled_dot_product_attention_check_anywhere", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 2.3, anywhere: huge scores, other dtypes, the gradient, and inputs left
alone."""
q_, k_ = ab.numbers(4, 6, seed=6), ab.numbers(5, 6, seed=7)
v_ = ab.numbers(5, 3, seed=8)
one_ = ab.case("q (4, 6), k (5, 6), v (5, 3)", q_, k_, v_)
ab.check("2.3 anywhere", scaled_dot_product_attention, [
    one_,
    ab.case("scores 1000 times as large", 1000 * q_, k_, v_, within=1e-3),
    ab.case("one key in float64", q_.double(), k_[:1].double(), v_[:1].double(),
            look="dtype"),
    *ab.house_rules(one_, only="float64 inputs gradient device"),
], "q, k, v -> output, weights")
### BEGIN HIDDEN TESTS
one_ = ab.case("7 queries, 3 keys", ab.numbers(7, 5, seed=41),
               ab.numbers(3, 5, seed=42), ab.numbers(3, 2, seed=43))

def tried(*cases):
    ab.check("2.3 anywhere", scaled_dot_product_attention, [one_, *cases],
             like=reference("scaled_dot_product_attention"))

# Property: the gradient of output and weights is that of the formula [gradient]
tried(*ab.house_rules(one_, only="gradient"))
# Property: keeps the dtype of its input, and its precision [dtype]
tried(*ab.house_rules(one_, only="float64 bfloat16"))
# Property: stays on the device of its input [device]
q_, k_, v_ = one_.args
tried(*(ab.case(f"on another device, {n} keys", q_, k_[:n], v_[:n], look="device")
        for n in (1, len(k_))))
# Property: scores of ten thousand give weights of 0 and 1, not NaN, in float32 too [large-scores]
tried(*(ab.case(f"scores {factor:g} times as large", factor * q_, k_, v_, within=1e-3)
        for factor in (1e2, 1e4, -1e4)))
# Property: leaves its inputs as they were [inputs-unchanged]
tried(*ab.house_rules(one_, only="inputs"))
### END HIDDEN TESTS

# %% [markdown]
# The transformers of later chapters compute this function in every layer. Here is the whole of self-attention in one picture,
# drawn from the tensors of this section: from the tokens down to the output of each.

# %% tags=["show"]
fig = plt.figure(figsize=(7.2, 7.2))
top, bottom = fig.subfigures(2, 1)
upper = top.subplots(1, 5, width_ratios=[3, 1.3, 2, 2, 2])
lower = bottom.subplots(1, 5, width_ratios=[6, 1.3, 6, 1.3, 2])
for ax, words in [(upper[1], "times\nW_q\nW_k\nW_v\n⟶"),
                  (lower[1], "softmax\nby row\n⟶"), (lower[3], "times\nv\n⟶")]:
    ax.axis("off")
    ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
draw_matrix(upper[0], x, tokens, [""] * 3, "tokens\nx", cmap="PuOr", limits=(-3, 3))
for ax, title, matrix in zip(upper[2:], ("queries\nq", "keys\nk", "values\nv"),
                             (q, k, v)):
    draw_matrix(ax, matrix, [""] * 6, [""] * 2, title, cmap="PuOr", limits=(-3, 3))
draw_matrix(lower[0], scores, tokens, tokens, "scores q kᵀ / √d_k:\nevery query meets "
                                              "every key", cmap="PuOr", limits=(-3, 3),
                                              digits=1)
draw_matrix(lower[2], weights, [""] * 6, tokens, "weights:\neach row sums to 1",
            limits=(0, 1))
draw_matrix(lower[4], context, [""] * 6, [""] * 2, "output:\na mix of values",
            cmap="PuOr", limits=(-3, 3))
show(fig, "Self-attention from left to right and top to bottom: the six tokens x, "
          "their queries, keys and values, the six by six scaled scores, "
          "the weights, and the output with one row of two numbers for each token.")

# %% [markdown]
# <!-- interactive page -->
# Every row of the output is made from all tokens. On the interactive page, change one number of a matrix and follow it
# through the steps: which rows of the output stay as they are?

# %% [markdown]
# ## 2.4 Why the root of $d_k$?
#
# The division by $\sqrt{d_k}$ is still unexplained. A score is a sum of $d_k$ products, one for each entry of query and key. Suppose that all these entries are independent, with
# mean 0 and variance 1. What does one product look like?

# %%
generator = torch.Generator().manual_seed(4)
a, b = torch.randn(2, 100_000, generator=generator)
print(f"one product: mean {abs((a * b).mean().item()):.1f}, variance "
      f"{(a * b).var().item():.1f}")

# %% [markdown]
# Mean 0 and variance 1 again. And variances of independent terms add up:
#
# $$\mathrm{score} = \sum_{m=1}^{d_k} q_m k_m \quad\Rightarrow\quad \operatorname{Var}(\mathrm{score}) = \underbrace{1 + \dots + 1}_{d_k} = d_k .$$
#
# **Predict, then run.** With $d_k = 64$, how far from zero will a typical score lie?

# %% tags=["show"]
guess_std = None       # type a number, then run the next cell

# %% tags=["show"]
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3.0), sharey=True)
for ax, d in zip(axes, (4, 64, 1024)):
    generator = torch.Generator().manual_seed(d)
    # 90,000 scores
    many_q = torch.randn(300, d, generator=generator)
    many_k = torch.randn(300, d, generator=generator)
    many = (many_q @ many_k.T).flatten()
    for values_, label, color in [(many, "unscaled", OKABE_ITO[3]),
                                  (many / d ** 0.5, "divided by √d_k", OKABE_ITO[0])]:
        ax.hist(values_, bins=120, range=(-128, 128), density=True,
                histtype="stepfilled", alpha=0.75, color=color, label=label)
    ax.set(title=f"d_k = {d}: standard\ndeviation {many.std():.0f} (scaled: "
                 f"{(many / d ** 0.5).std():.1f})",
           xlabel="score", yscale="log", ylim=(1e-5, 1), xticks=(-100, 0, 100))
    beyond = (many.abs() > d).float().mean()
    print(f"d_k = {d:4d}   unscaled scores: standard deviation {many.std():2.0f}, "
          f"beyond ±d_k: {100 * beyond:.0f} %")
    if d == 64:
        check_guess("typical score at d_k = 64", guess_std, round(many.std().item()))
        draw_guess(ax, guess_std, axis="x")
axes[0].set_ylabel("density (log scale)")
fig.legend(*axes[0].get_legend_handles_labels(), fontsize=8, frameon=False,
           loc="outside lower center", ncols=2)
show(fig, "Three histograms of random scores, for d_k of 4, 64 and 1024. "
          "The unscaled ones widen, with standard deviations 2, 8 and 32; "
          "divided by the root of d_k they have standard deviation 1 each time.")

# %% [markdown]
# About 8: for $q$ and $k$ of unit variance the standard deviation is $\sqrt{d_k}$ without the scale, and 1 with it,
# whatever $d_k$ is. That is what the root is for.
#
# <details><summary>Footnote: a standard deviation is no bound</summary>
#
# Some texts say that scores lie between $-d_k$ and $d_k$. They may be larger: the printed share beyond $\pm d_k$ is 5 % at
# $d_k = 4$ (and 0 % at 64, where $d_k$ is eight standard deviations).
#
# </details>
#
# ### Exercise 2.4 · Measure it · 2 points · about 8 minutes
#
# Measure the formula. Write `score_std`, which draws `n` pairs of a query and a key, all entries from a normal
# distribution with mean 0 and variance 1, and returns the standard deviation of their `n` scores, scaled or not, as one
# number. (It may divide by `n` or by `n - 1`: either will do.)
#
# - 1 point: the value for every `d_k`, scaled and unscaled <!-- asks: values -->, with the arguments in the order of the
#   stub and with its defaults, and without a generator too <!-- asks: arguments -->;
# - 1 point: the drawing: `n` pairs <!-- asks: number-of-pairs -->, each with a query and a key of its own
#   <!-- asks: fresh-pairs -->, joined by a dot product <!-- asks: products -->, and all random numbers from `generator`,
#   which you do not seed or copy: generators in the same state give the same result, in different states different ones; without a
#   generator every call draws afresh <!-- asks: generator -->.
#
# <details><summary>Hint 1</summary>n pairs, not n × n: query 0 meets key 0, query 1 meets key 1, …</details>
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
# With d_k = 1 a score is a product of two numbers of variance 1: its standard
# deviation is near 1. Scores of 100 numbers spread ten times as far, and the scale
# takes that back.
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
    measured_(64, 20000),
    measured_(4, 8000),
    measured_(64, 8000, scaled=True),
    measured_(4, 8000, scaled=True),
    ab.case("score_std(4, n=8000): without a generator", 4, n=8000, within=0.1),
    ab.case("score_std(4, 8000, True): d_k, n and scaled in this order", 4, 8000, True,
            within=0.12),
    ab.case("where no n is given, it is the 20000 of the stub", ask=default_n_),
], "d_k, n, scaled -> the standard deviation")
### BEGIN HIDDEN TESTS
# Property: the value is right for every d_k, with and without the scale [values]
ab.check("2.4 the value", score_std, [
    *(ab.case(f"d_k = {d_k}, scaled = {scaled}", d_k, n=5000, scaled=scaled,
              generator=ab.seed(77), within=0.12)
      for d_k in (3, 17, 150) for scaled in (False, True)),
    ab.case("scaled=True, five pairs a time, the mean of 200", 4, n=5, scaled=True,
            generator=ab.seed(7800, calls=200), then=torch.mean, within=0.18,
            hint="Is the measured spread divided by √d_k (not √d_k by the spread)?"),
], like=reference("score_std"))
# Property: works without a generator, and with the arguments in their order [arguments]
ab.check("2.4 the value", score_std, [
    ab.case("score_std(9)", 9, within=0.08),
    ab.case("score_std(9, 5000, True)", 9, 5000, True, within=0.12),
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
    ab.case("d_k = 16, 5000 pairs", 16, n=5000, generator=ab.seed(7), within=0.1),
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
    ab.case("60,000 and 60,099 pairs give two numbers", ask=lambda f: (
        number_(f, 1, n=60_000, seed=5) != number_(f, 1, n=60_099, seed=5))),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("2.4 drawing", score_std, [
        ab.case("d_k = 16, 5000 pairs", 16, n=5000, generator=ab.seed(8), within=0.1),
        *cases], like=reference("score_std"))

# Property: every pair has a query and a key of its own [fresh-pairs]
tried(*(ab.case(f"d_k = {d_k}, 4000 pairs", d_k, n=4000, generator=ab.seed(500 + n),
                within=0.15) for d_k in (2, 4) for n in range(3)))
# Property: the number of pairs is n [number-of-pairs]
tried(
    vary_("scaled=True, n = 50", 16, 50, 900, 40, scaled=True, within=0.5),
    vary_("n = 1000", 16, 1000, 950, 40, within=0.5),
    vary_("n = 20000", 3, 20_000, 970, 12, within=0.9),
    vary_("n = 2", 16, 2, 1300, 300, within=0.45,
          hint="Is it the standard deviation of the scores themselves?"))
# Property: a score is a sum of products, of a query and a key [products]
tried(vary_("d_k = 1, n = 40", 1, 40, 600, 100, within=0.3, hint=(
    "Was each query multiplied with its key, all entries from a normal distribution?")))
# Property: a generator in the same state gives the same number, in another one another, scaled or not [generator]
tried(*(ab.case(f"two generators, scaled = {scaled}", ask=two_(seeds, scaled=scaled))
        for scaled in (False, True) for seeds in ((41, 41), (41, 42))))
### END HIDDEN TESTS

# %% tags=["uses-exercise"]
for d in (1, 4, 16, 64, 256):
    generator = torch.Generator().manual_seed(0)
    unscaled = score_std(d, generator=generator)
    scaled = score_std(d, scaled=True, generator=generator)
    print(f"d_k = {d:3d}   √d_k = {d ** 0.5:4.1f}   unscaled {unscaled:4.1f}   scaled "
          f"{scaled:.1f}")

# %% [markdown]
# ### What large scores do to softmax
#
# Take five scores of typical size 1, and let them grow as they would with $d_k = 64$ and $d_k = 1024$:

# %%
typical = torch.tensor([1.0, 0.5, 0.0, -0.5, -1.0])
for d in (1, 64, 1024):
    print(f"d_k = {d:4d}", (typical * d ** 0.5).softmax(dim=0))

# %% [markdown]
# From a soft choice to a hard one: the first key takes all. (It is the spread that does it, not the size: only
# differences count, as chapter 1 showed with 100, 101 and 99.)
#
# Why does a hard choice hurt? Because it cannot be corrected. Training needs to know how the weights change when a score is
# nudged, and a weight of 1.0000 does not change. We measure both for 16 keys: the entropy of the weights (how many keys share the
# attention; at most $\ln 16$), and the gradient that comes back through the softmax to the scores.

# %%
def softmax_health(d_k, power, queries=2000, keys=16):
    """Entropy of each query's weights, and the gradient that reaches its scores (scores
    are divided by d_k ** power).
    """
    generator = torch.Generator().manual_seed(d_k)
    q = torch.randn(queries, d_k, generator=generator)
    k = torch.randn(keys, d_k, generator=generator)
    scores = (q @ k.T / d_k ** power).requires_grad_()                # (queries, keys)
    weights = scores.softmax(dim=1)
    # a loss that wants the weights shifted, somehow
    wish = torch.randn(queries, keys, generator=generator)
    (weights * wish).sum().backward()
    # (queries,) each
    return torch.special.entr(weights).sum(dim=1).detach(), scores.grad.norm(dim=1)

for name, power in [("unscaled", 0), ("scaled", 0.5)]:
    entropy, gradient = softmax_health(1024, power)
    print(f"d_k = 1024, {name:8s}   entropy {entropy.mean():.1f}   gradient: median "
          f"{gradient.median():.0e}   mean {gradient.mean():.2f}")

# %% tags=["show"]
sizes = [1, 4, 16, 64, 256, 1024]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.3))
for name, power, color, marker in [("unscaled", 0, OKABE_ITO[3], "o"),
                                   ("divided by √d_k", 0.5, OKABE_ITO[0], "s"),
                                   ("divided by d_k", 1, OKABE_ITO[2], "^")]:
    health = [softmax_health(d, power) for d in sizes]
    left.plot(sizes, [entropy.mean() for entropy, _ in health], marker + "-",
              color=color, label=name)
    if power < 1:
        low, middle, high = torch.stack([gradient.quantile(torch.tensor([0.25, 0.5,
            0.75])) for _, gradient in health], dim=1)
        right.plot(sizes, middle, marker + "-", color=color, label=f"{name}: median")
        right.fill_between(sizes, low, high, color=color, alpha=0.2,
                           label="middle half of the queries" if power else None)
left.axhline(torch.tensor(16.).log(), color="grey", linewidth=0.8, linestyle="--")
left.text(1, 2.82, "ln 16: all keys alike", fontsize=8, color="dimgrey")
left.set(ylabel="mean entropy of the weights (nats)",
         title="Unscaled, one key takes all …", ylim=(0, 3.1))
right.set(yscale="log", ylabel="gradient at the scores (norm)",
          title="… and almost no gradient survives")
for ax in (left, right):
    ax.set(xscale="log", xlabel="d_k", xticks=sizes, xticklabels=sizes)
    ax.minorticks_off()
    ax.legend(fontsize=8, frameon=False, loc="lower left")
show(fig, "Left: mean entropy of the weights against d_k from 1 to 1024. "
          "Unscaled it falls from 2.3 to 0.1; divided by root d_k it stays at 2.4; "
          "divided by d_k it rises to the maximum, 2.77. Right: median gradient at the "
          "scores, on log axes. Scaled it stays at 0.3; unscaled it falls to 0.00001.")

# %% [markdown]
# With the root, both curves are level: a head of any width starts with soft weights that training can change. Without it, half of all queries at
# $d_k = 1024$ are left with less than a ten-thousandth of the gradient. (The division has a price of its own: on its way from the
# scores back to the queries the gradient is divided by 32. That is little against ten thousand.) Dividing by $d_k$ itself
# goes too far: all keys get nearly the same weight.
#
# Now look at the two lines printed above the picture, at the *mean* gradient of the unscaled scores: 0.04. It is not
# tiny at all: a few queries lie between two keys that score nearly the same, and their gradients are large. An average over
# all queries hides that most of them get almost none. So without the scale, learning does not stop everywhere. It gets
# stuck here and there, which is much harder to notice. Section 2.7 shows it happen.

# %% [markdown]
# ## 2.5 The module
#
# So far the matrices were loose tensors. `nn.Module` keeps them together: whatever layer is assigned to `self` is registered,
# so that the optimiser finds it, `.to(device)` moves it, and `state_dict()` saves it. A module with one layer, as a reminder:

# %%
class Projection(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        # without bias: x W and nothing else
        self.W = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return self.W(x)                                 # (..., d_in) -> (..., d_out)

print({name: tuple(parameter.shape) for name,
       parameter in Projection(3, 2).named_parameters()})

# %% [markdown]
# ### Exercise 2.5 · SelfAttention · 3 points · about 12 minutes
#
# Build the head of this chapter as a module: three layers `W_q`, `W_k` and `W_v` without bias, from `d_model` to `d_k`; `forward`
# takes a batch of sentences and returns `(output, weights)`.
#
# - 1 point: the layers, of the right sizes and nothing else to learn <!-- asks: layers -->, made anew for each module
#   with other random numbers <!-- asks: state -->;
# - 1 point: the values, for one sentence of any size <!-- asks: values -->;
# - 1 point: several sentences at once, each of which sees only its own words <!-- asks: batch -->; training and evaluation
#   mode give the same <!-- asks: train-eval -->; large scores give no NaN <!-- asks: large-scores -->; the
#   [house rules](#house-rules) hold, in $\sqrt{d_k}$ and for all three matrices too
#   <!-- asks: dtype, device, non-contiguous, gradient -->, but no batch is empty.
#
# You may call your own functions of this chapter, but three or four lines do it without them.
#
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
# One token can attend to itself alone: its weight is 1, and the output is its value.
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
# With the made-up matrices of section 2.2 in its layers (turned, as `nn.Linear` stores them) your module must give the context
# that we followed step by step:

# %% tags=["uses-exercise"]
head = SelfAttention(3, 2)
with torch.no_grad():
    for layer, matrix in [(head.W_q, W_q), (head.W_k, W_k), (head.W_v, W_v)]:
        layer.weight.copy_(matrix.T)                     # (3, 2) -> (2, 3)
    output, _ = head(x.unsqueeze(0))                     # (1, 6, 3) -> (1, 6, 2)
print("journey, step by step:", context[1])
print("journey, your module: ", output[0, 1])

# %% [markdown]
# ## 2.6 Three matrices by hand
#
# Back to the question at the top of the chapter, with vectors that can be read. Nine features, one for each word; a token such as
# "brown dog" has a 1 at "brown" and a 1 at "dog".

# %%
features = ["dog", "cat", "cow", "barks", "meows", "moos", "brown", "white", "black"]

def small_farm(*names):
    """One row for each token, a 1 for each of its words. Returns (seq, 9)."""
    return torch.tensor(
        [[float(word in name.split()) for word in features] for name in names])

small = small_farm("brown dog", "white cat", "black cow", "barks")
print(small.int())
mirror = F.scaled_dot_product_attention(small, small, small, scale=1.0)[-1]
print("the mirror of chapter 1 fetches for barks",
      dict(zip(features, [round(n, 2) for n in mirror.tolist()])))

# %% [markdown]
# Without matrices "barks" fetches "barks" more than anything else (0.48), and equal parts of the three colours. What has to be written into a
# matrix so that it fetches "brown"? One column of $W_q$ and $W_k$ is a question that a query can ask and a key can answer;
# one column of $W_v$ is something that can be handed over. As a start, here is a head with a single question: "moos"
# finds the cow, and no other sound finds anything.

# %%
ask, answer = torch.zeros(9, 1), torch.zeros(9, 1)
ask[features.index("moos")], answer[features.index("cow")] = 10.0, 1.0
for sound_ in ("barks", "moos"):
    rows = small_farm("brown dog", "white cat", "black cow", sound_)
    q_, k_ = rows @ ask, rows @ answer  # (4, 1) each: d_k = 1
    print(f"{sound_:5s} weights "
          f"{[round(w, 2) for w in (q_[-1] * k_[:, 0]).softmax(dim=0).tolist()]}")

# %% [markdown]
# ### Exercise 2.6 · Write the matrices · 2 points · about 12 minutes
#
# Fill in `W_q_by_hand` and `W_k_by_hand`, `(9, d_k)` with a `d_k` of your choice, and `W_v_by_hand`, `(9, 3)`: tensors or
# lists of rows, one row for each feature in the order of `features`. Attention with them (divided by $\sqrt{d_k}$, as
# always) must give each of the three sounds the colour of the animal that makes it. The output has three numbers, the
# amounts of **brown, white, black** in this order: within 0.1 of 1 for the right colour, within 0.1 of 0 for the others.
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
# Your matrices on farms in another order and with other colours:

# %% tags=["uses-exercise"]
for names in [("barks", "black cow", "brown dog", "white cat"),
              ("white cat", "moos", "black dog", "brown cow"),
              ("black cow", "black cat", "white dog", "meows")]:
    rows = small_farm(*names)
    by_hand = [rows @ torch.as_tensor(W, dtype=torch.float32)
               for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)]
    sound_ = next(name for name in names if " " not in name)
    got = F.scaled_dot_product_attention(*by_hand)[names.index(sound_)].tolist()
    print(f"{', '.join(names):45s} {sound_} fetches brown {got[0]:.2f}, white "
          f"{got[1]:.2f}, black {got[2]:.2f}")

# %% [markdown]
# You have done what training does: found numbers for three matrices. Now a machine finds its own, from examples
# alone, and one figure compares them. Only $W_q W_k^\top$ (who looks where) and $W_v$ with the read-out behind it (what
# is brought) can be compared: the columns inside may come in any order, or be mixed.

# %% tags=["show", "uses-exercise"]
def small_batch(batch, generator):
    """Three animals in random colours and one sound: (batch, 4, 9), and the colour
    asked for: (batch,).
    """
    paint = torch.randint(3, (batch, 3), generator=generator)
    heard = torch.randint(3, (batch,), generator=generator)
    rows = torch.cat([torch.eye(3).expand(batch, 3, 3), torch.zeros(batch, 3, 3),
                      torch.eye(3)[paint]], dim=-1)
    last = torch.eye(9)[3 + heard].unsqueeze(1)                          # (batch, 1, 9)
    return torch.cat([rows, last], dim=1), paint[torch.arange(batch), heard]

torch.manual_seed(0)
tiny, tiny_readout = SelfAttention(9, 3), nn.Linear(3, 3, bias=False)
optimizer = torch.optim.Adam([*tiny.parameters(), *tiny_readout.parameters()], lr=0.02)
generator = torch.Generator().manual_seed(1)
for _ in range(400):
    rows, answer = small_batch(64, generator)
    loss = F.cross_entropy(tiny_readout(tiny(rows)[0][:, -1]), answer)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
rows, answer = small_batch(2000, torch.Generator().manual_seed(99))
with torch.no_grad():
    right = (tiny_readout(tiny(rows)[0][:, -1]).argmax(dim=-1)
             == answer).float().mean().item()
    hand = [torch.as_tensor(W, dtype=torch.float32)
            for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)]
    looks_ = {"by hand": hand[0] @ hand[1].T / hand[0].shape[1] ** 0.5,
              "trained": tiny.W_q.weight.T @ tiny.W_k.weight / 3 ** 0.5}
    brings = {"by hand": hand[2], "trained": tiny.W_v.weight.T @ tiny_readout.weight.T}
print(f"trained on 400 batches: share of right answers on 2,000 new farms {right:.2f}")

# %% tags=["show", "uses-exercise"]
fig, axes = plt.subplots(2, 2, figsize=(7.2, 5.2), width_ratios=[1.9, 1])
for row, name in zip(axes, looks_):
    scores_ = looks_[name][3:6].round() + 0.0
    brought = brings[name] - brings[name].mean(dim=1, keepdim=True)
    draw_matrix(row[0], scores_, features[3:6], features, f"Where it looks, {name}",
                cmap="PuOr", digits=0)
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
# In both, each sound scores its own animal highest, and each colour brings itself. The trained head has one more trick:
# it pushes each sound away from itself (−3 in the middle block), so that its animal needs less of a lead. And it has small
# numbers where you may have zeros.

# %% [markdown]
# ## 2.7 Who barks?
#
# Now a larger farm, where nothing can be read off the vectors. A sentence has six animals in random order, each with a random colour, and at the end one sound. The
# answer is the colour of the animal that makes the sound. It cannot be known from the sound, and not from the colours: only from
# finding the right animal.

# %%
def farm(batch, generator):
    """Sentences, the colour asked for, and the place of the animal that is heard."""
    # (batch, 6): which animal stands where
    order = torch.rand(batch, 6, generator=generator).argsort(dim=1)
    # (batch, 6): the colour at each place
    paint = torch.randint(6, (batch, 6), generator=generator)
    heard = torch.randint(6, (batch,), generator=generator)  # (batch,): who is heard
    # (batch, 7, 32)
    x = torch.cat([animal[order] + colour[paint], sound[heard].unsqueeze(1)], dim=1)
    place = (order == heard.unsqueeze(1)).int().argmax(dim=1)  # (batch,)
    return x.to(device), paint[torch.arange(batch), place].to(device), place

# for testing only
questions, answers, place = farm(2000, torch.Generator().manual_seed(99))
first_answer = f"{colours[answers[0]]} at place {place[0].item()}"
print(tuple(questions.shape), "first answer:", first_answer)

# %% [markdown]
# The attention output of the last token, the sound, goes through one linear layer that names a colour. Attention and this read-out
# are trained together; the vectors of the words stay as they are. Nobody tells the machine where to look.

# %%
def train(attention, width, steps=200, rate=0.003, game=farm):
    """Train attention and a read-out on sentences of a game; returns the read-out,
    losses and accuracy on new ones.
    """
    readout = nn.Linear(width, 6).to(device)
    optimizer = torch.optim.Adam([*attention.parameters(), *readout.parameters()],
                                 lr=rate)
    generator, losses = torch.Generator().manual_seed(1), []
    for _ in range(steps):
        x, answer, _ = game(64, generator)
        loss = F.cross_entropy(readout(attention(x)[0][:, -1]), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    x, answer, _ = game(2000, torch.Generator().manual_seed(99))
    with torch.no_grad():
        right = readout(attention(x)[0][:, -1]).argmax(dim=-1) == answer
    return readout, losses, right.float().mean().item()

# %% [markdown]
# First two rivals that have nothing to train but the read-out: the mirror of chapter 1, and a plain average of all tokens.

# %% tags=["show"]
class Mirror(nn.Module):
    def forward(self, x):
        weights = (x @ x.transpose(1, 2)).softmax(dim=-1)      # (batch, 7, 7)
        return weights @ x, weights

class Average(nn.Module):
    def forward(self, x):
        return x.mean(dim=1, keepdim=True), None               # (batch, 1, 32)

for name, rival in [("mirror", Mirror()), ("average", Average())]:
    torch.manual_seed(0)
    print(f"{name:8s} share of right answers: "
          f"{train(rival, d_model)[2]:.1f}   (by guessing: {1 / 6:.1f})")

# %% [markdown]
# The mirror does no better than guessing: the sound looks at itself and never reaches a colour. The average does better,
# since it contains the colours that occur, but not which animal has which. Now your head, with $d_k = 16$:

# %% tags=["show", "uses-exercise"]
torch.manual_seed(0)
head = SelfAttention(d_model, 16).to(device)
one_farm, _, _ = farm(1, torch.Generator().manual_seed(5))  # (1, 7, 32)
# (6, 7, 32): a sound each
one_farm = torch.cat([one_farm[:, :6].expand(6, 6, d_model),
                      sound.unsqueeze(1).to(device)], dim=1)
with torch.no_grad():
    untrained = head(one_farm)[1][:, -1]  # (6, 7): row = the last token of a sentence
readout, losses, accuracy = train(head, 16)
with torch.no_grad():
    trained = head(one_farm)[1][:, -1]
    on_place = head(questions)[1][torch.arange(2000), -1, place]
print(f"share of right answers on 2,000 new sentences: {accuracy:.2f}")
print("weight of the sound on the animal that makes it: "
      f"{on_place.mean().item():.1f} on average")

# %% [markdown]
# From guessing to nearly all right, in 200 steps. Where does each sound look? Six sentences about the same farm, one for each sound; a row
# shows the weights of the last token:

# %% tags=["show", "uses-exercise"]
pairs = animal.unsqueeze(1) + colour  # (6, 6, 32): every animal in every colour
# (6,): the pair at each place
which = (
    one_farm[0, :6, None, None].cpu() - pairs).norm(dim=-1).flatten(1).argmin(dim=1)
places = [f"{colours[n % 6]} {animals[n // 6]}" for n in which.tolist()] + ["itself"]
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.7))
for ax, matrix, title in zip(
        axes, (untrained, trained),
        ("Before training: random", "After training: each sound finds its animal")):
    draw_matrix(ax, matrix, sounds if ax is axes[0] else [""] * 6, places, title,
                limits=(0, 1))
show(fig, "Weights of six sounds over six coloured animals and the sound itself. "
          "Before training all are small and uneven, without a pattern. After training "
          "each row has one dark cell near 1, on the animal that makes the sound.")

# %% [markdown]
# The left picture has its lighter and darker cells too. Do not read anything into them: untrained matrices are random, and so are the
# weights they make. On the right is something that was learned.
#
# We open this head, too. A farm token is name plus colour, and the projections are linear, so its
# key is *(key of the name) + (key of the colour)*, and likewise its value. We can look at each word alone.
#
# **Predict, then run.** Which of the two, name or colour, will the keys listen to? And the values?

# %% tags=["show"]
guess_keys = None      # type "name" or "colour"
guess_values = None    # type "name" or "colour"

# %% tags=["show", "uses-exercise"]
with torch.no_grad():
    animal_, colour_, sound_ = (words.to(device) for words in (animal, colour, sound))
    asks = head.W_q(sound_)  # (6, 16): the query of each sound
    # √d_k = 4
    seen = {"sound asks, name of the animal answers": asks @ head.W_k(animal_).T / 4,
            "sound asks, colour answers": asks @ head.W_k(colour_).T / 4,
            # (6, 6): a push for each answer
            "what the value of a colour says": head.W_v(colour_) @ readout.weight.T,
            "what the value of a name says": head.W_v(animal_) @ readout.weight.T}

spread = [table.std(dim=1).mean().item() for table in seen.values()]
print("spread of the four tables, mean over rows:", [round(s, 1) for s in spread])
check_guess("keys listen to", guess_keys, "name" if spread[0] > spread[1] else "colour")
check_guess("values carry", guess_values, "colour" if spread[2] > spread[3] else "name")
fig, axes = plt.subplots(2, 2, figsize=(7.2, 6.6))
labels = [(sounds, animals), (sounds, colours), (colours, colours), (animals, colours)]
for ax, (title, matrix), (rows, columns) in zip(axes.flat, seen.items(), labels):
    draw_matrix(ax, matrix.cpu().round() + 0.0, rows, columns, title, cmap="PuOr",
                limits=(-9, 9), digits=0)
axes[0, 0].set_ylabel("scores"), axes[1, 0].set_ylabel("evidence for each answer")
show(fig, "Four six by six tables. Scores of sounds with animal names: "
          "a strong diagonal. Scores of sounds with colours: "
          "pale, no pattern. Values of colours read out as colours: "
          "a strong diagonal. Values of names read out as colours: pale.")

# %% [markdown]
# **Keys** listen to the name and hardly to the colour; **values** carry the colour and little of the name, although both were made
# from the same 32 numbers. And the **query** of "barks", a word whose vector has nothing in common with "dog", points to the key of "dog":
# $W_q$ and $W_k$ have learned who makes which sound.
#
# ### Does it take three matrices?
#
# That this head uses three matrices in three ways does not show that it needs them. The control: train heads in which two
# of them are the same, `W_k = W_q` (a mirror, but a trained one) or `W_v = W_k`. We ask them two questions. "Barks" is the one
# above. "Chase" is new: each animal chases the next one in a circle, the dog the cat, the cat the cow, …, the horse the dog;
# the last token is a bare name, and the answer is the colour of the animal that it chases.

# %% tags=["show", "uses-exercise", "tolerance-0.12"]
def chase(batch, generator):
    """As farm, but the last token is the name of an animal; asked is the colour of the
    one it chases.
    """
    order = torch.rand(batch, 6, generator=generator).argsort(dim=1)
    paint = torch.randint(6, (batch, 6), generator=generator)
    who = torch.randint(6, (batch,), generator=generator)
    # (batch, 7, 32)
    x = torch.cat([animal[order] + colour[paint], animal[who].unsqueeze(1)], dim=1)
    place = (order == ((who + 1) % 6).unsqueeze(1)).int().argmax(dim=1)
    return x.to(device), paint[torch.arange(batch), place].to(device), place

shared = {"three matrices": (), "W_k = W_q": ("W_k", "W_q"),
          "W_v = W_k": ("W_v", "W_k")}
tests = [("barks, d_k = 16", farm, 16), ("chase, d_k = 16", chase, 16),
         ("barks, d_k = 2", farm, 2)]
shares_right = {}
for name, pair in shared.items():
    for what, game, width in tests:
        torch.manual_seed(0)
        tied = SelfAttention(d_model, width).to(device)
        if pair:
            setattr(tied, pair[0], getattr(tied, pair[1]))
        readout_, _, shares_right[name, what] = train(tied, width, steps=400, game=game)
        if name == "W_k = W_q" and game is chase:
            mirror_, mirror_readout = tied, readout_
    row = [f"{what} {shares_right[name, what]:.2f}" for what, _, _ in tests]
    print(f"{name:15s}", "   ".join(row))
x_, answer, _ = chase(2000, torch.Generator().manual_seed(99))
who = (x_[:, -1:] - animal.to(device)).norm(dim=-1).argmin(dim=1)  # (2000,): who chases
with torch.no_grad():
    correct = (mirror_readout(mirror_(x_)[0][:, -1]).argmax(dim=-1) == answer).float()
by_animal = sorted(correct[who == i].mean().item() for i in range(6))
print("W_k = W_q, chase, share for each of the six animals, sorted:",
      [round(s, 1) for s in by_animal])
for seed in (1, 2):
    torch.manual_seed(seed)
    tied = SelfAttention(d_model, 16).to(device)
    tied.W_k = tied.W_q
    print("W_k = W_q, chase, another random start: "
          f"{train(tied, 16, steps=400, game=chase)[2]:.2f}")

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7.2, 2.8))
for number, name in enumerate(shared):
    heights = [shares_right[name, what] for what, _, _ in tests]
    bars = ax.bar([place + 0.27 * (number - 1) for place in range(3)], heights, 0.27,
                  label=name,
                  color=OKABE_ITO[number])
    ax.bar_label(bars, fmt="%.2f", fontsize=8)
ax.axhline(1 / 6, color="0.5", ls=":", lw=1)
ax.set(xticks=range(3), xticklabels=[what for what, _, _ in tests],
       ylabel="share of right answers", ylim=(0, 1.5), yticks=[0, 0.5, 1],
       title="Shared query and key fail at chase, shared key and value in a narrow "
             "head")
ax.set_xlim(-0.5, 2.8)
ax.text(2.45, 1 / 6 + 0.02, "guessing", fontsize=8, color="0.4")
ax.legend(frameon=False, ncols=3, loc="upper center")
show(fig, "Bars of right answers for three heads on three tests. Barks with d_k 16: "
          "all near 1. Chase with d_k 16: three matrices and a shared key and value "
          "near 1, a shared query and key below. Barks with d_k 2: a shared key and "
          "value far below the others. A dotted line at one sixth: guessing.")

# %% [markdown]
# For "barks" a trained mirror does as well as three matrices, in the wide head and in the narrow one: "barks" and "dog" may like each other equally,
# since nobody asks the dog. In the **circle** it cannot get everything right, and no training can help: "dog" must prefer "cat" to "horse", "cat"
# must prefer "cow" to "dog", and so on round; with mirrored scores each animal's fit with the next would have to be larger
# than its fit with the one before, all the way round, until a number is larger than itself. So at least one of the six
# animals must find the wrong one. The numbers printed above the figure show it: five animals are always right, one is
# right about as often as by guessing, and two other random starts do no better (last two lines). So a query needs a
# matrix other than the key's as soon as *asking and being asked differ*. And one matrix for key and value has to carry the label and the
# content through the same $d_k$ numbers: with 16 there is room for both; with 2 the same 400 steps reach 0.37, where three matrices reach 1.00.
#
# ### What breaks if… the scale is forgotten?
#
# In section 2.4 we saw gradients vanish for random queries. Does that matter in training? The same farm, a wide head
# ($d_k = 512$), and six runs with different random starts. To undo the division, we multiply the queries by $\sqrt{d_k}$;
# everything else is the same. As a control, the same once more without the scale, but with a start of $W_q$ so small that the
# first scores are those of the scaled head. (`parametrize` is PyTorch's way to put a factor on a weight of a finished module.)

# %% tags=["show", "uses-exercise", "tolerance-0.4"]
from torch.nn.utils import parametrize

class Times(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, weight):
        return self.factor * weight

# (2000,): which sound each question ends in
heard = (questions[:, -1:] - sound.to(device)).norm(dim=-1).argmin(dim=1).cpu()
runs = {"scaled": [], "unscaled": [], "unscaled, small start": []}
for seed in range(6):
    for name in runs:
        torch.manual_seed(seed)
        wide = SelfAttention(d_model, 512).to(device)
        if "small" in name:
            with torch.no_grad():
                wide.W_q.weight.div_(512 ** 0.5)
        if "unscaled" in name:
            parametrize.register_parametrization(wide.W_q, "weight", Times(512 ** 0.5))
        _, losses, accuracy = train(wide, 512, steps=80, rate=0.001)
        with torch.no_grad():
            # (2000,): weight on the right animal
            found = wide(questions)[1][torch.arange(2000), -1, place].cpu()
        runs[name].append((losses, accuracy,
                           torch.stack([found[heard == i].mean() for i in range(6)])))

for name, results in runs.items():
    print(f"{name:21s} share of right answers, six runs:",
          [round(accuracy, 2) for _, accuracy, _ in results])

# %% tags=["show", "uses-exercise"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.4))
for name, color, style in [("unscaled", OKABE_ITO[3], "-"),
                           ("scaled", OKABE_ITO[0], "--")]:
    for number, (losses, _, _) in enumerate(runs[name]):
        # the mean of five steps
        smooth = torch.tensor(losses).unfold(0, 5, 1).mean(dim=1)
        left.plot(smooth.tolist(), style, color=color, linewidth=1.2,
                  label=None if number else f"{name}, six runs")
left.set(xlabel="training step", ylabel="loss", title="Without the scale, most runs "
    "are slow or stop", ylim=(0, 2.2))
left.legend(fontsize=8, frameon=False)
# (6, 6): run by sound
on_animal = torch.stack([found for _, _, found in runs["unscaled"]])
draw_matrix(right, on_animal, [f"run {i}" for i in range(6)], sounds,
            "Unscaled: some sounds have weight 0\non the right animal", limits=(0, 1))
show(fig, "Left: losses of six runs each over 80 steps. "
          "All scaled runs reach zero within about forty steps; most unscaled "
          "ones come down slowly or not at all. Right: for each unscaled run and each "
          "sound, the mean weight on the right animal: many cells are 1, others 0.")

# %% [markdown]
# The picture on the right shows *how* it fails: not everywhere. Many sounds find their animal. But others, by the luck of the random start, end with
# a weight of 0 on theirs, and from there, as section 2.4 measured, hardly any gradient leads away. Now and then a run is lucky with all six
# sounds. In the others there is no error and no NaN; the loss is only too high, and one would suspect the data, the
# learning rate, or the seed. In the control (the last line above the figure) some runs fail as well: a small start alone does not
# replace the scale. A step of Adam moves a matrix about equally far, whatever the size of its gradient, so without the scale every step
# still moves the scores $\sqrt{512} \approx 23$ times as far. Does longer training? Five times the steps, for the first two unscaled runs:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
for seed in range(2):
    torch.manual_seed(seed)
    wide = SelfAttention(d_model, 512).to(device)
    parametrize.register_parametrization(wide.W_q, "weight", Times(512 ** 0.5))
    after = train(wide, 512, steps=400, rate=0.001)[2]
    print(f"run {seed}: {runs['unscaled'][seed][1]:.2f} after 80 steps, {after:.2f} "
          "after 400")

# %% [markdown]
# Hardly. The runs with the scale had every answer right after 80 steps.
#
# ### Make it yours
#
# Write a farm of your own for your matrices of exercise 2.6, say what you expect, and then a test of your sentence: a number
# that could prove it wrong. No points; whoever teaches the course may read it.

# %% tags=["uses-exercise", "show"]
mine = ("brown dog", "white dog", "black cow", "barks")
description = "Two dogs: barks fetches half brown, half white."
rows = small_farm(*mine)
by_hand = [rows @ torch.as_tensor(W, dtype=torch.float32)
           for W in (W_q_by_hand, W_k_by_hand, W_v_by_hand)]
got = F.scaled_dot_product_attention(*by_hand)[-1]
print(description)
print("brown, white, black:", [round(g, 2) for g in got.tolist()])
print("my test, largest distance from half and half:",
      round((got - torch.tensor([0.5, 0.5, 0.0])).abs().max().item(), 2))

# %% [markdown]
# ## Summary
#
# Why could "barks" not ask for "dog" in chapter 1, and what had to be added? Matrices: one that turns "barks" into a query which
# "dog" can answer although the two words have nothing in common, one that turns "brown dog" into a key that says "I bark", and one
# that turns it into a value that says "brown". You can now
#
# - say what a query, a key and a value are, write the matrices for them by hand (2.6), and say what each of the three is needed
#   for: with one matrix for query and key a trained head still solves "barks", but not a circle; with one for key and value a
#   narrow head falls far behind (2.7);
# - compute attention by hand, with loops, and with matrix products for whole batches: scores, scale, softmax along the keys, mix of
#   the values (2.3);
# - explain, and measure, why scores are divided by $\sqrt{d_k}$: their standard deviation is $\sqrt{d_k}$ without it and 1 with it, and a softmax
#   of widely spread scores lets hardly any gradient through (2.4);
# - build `SelfAttention` as a module, and know what `nn.Linear` really stores: the transpose, `(out, in)` (2.2, 2.5);
# - train one head and read out of its matrices what it has learned: keys listened to names, values carried colours (2.7).
#
# One problem is left. In the farm sentence the sound came last, but every animal could already see it: nothing stops a token from looking at the words
# after it. For a model that is to *predict* the next word that is cheating. Chapter 3 hides the future.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# ## Further reading
#
# - Raschka, *Build a Large Language Model (From Scratch)* (2024), section 3.4: the same three matrices on the running sentence,
#   which with its 18 numbers is his.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3.2.1: scaled dot-product attention; footnote 4 has the argument of our section 2.4.
# - Luong, Pham and Manning, *Effective Approaches to Attention-based Neural Machine Translation* (2015), section 3.1: scores by dot product, with and without a matrix between.
# - Miller et al., *Key-Value Memory Networks for Directly Reading Documents* (2016), section 3: what a memory is found by and what it hands over, kept apart.
# - Elhage et al., *A Mathematical Framework for Transformer Circuits* (2021), the part on query–key and output–value circuits: reading a head as we did in sections 2.6 and 2.7.
