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
# # 1 · Why attention?
#
# *80 minutes · ●○○○○ · 4 exercises, 7 points · you need Python and the basics of PyTorch tensors*
#
# > We sat on the river **bank**. She put her savings in the **bank**.
#
# You did not hesitate: one bank is made of earth, the other of money. Yet a network that looks words up in a table
# finds the same entry both times. **How can a word's meaning come from the words around it?** The answer of this
# course is attention: every word becomes a mixture of all words of its sentence.
#
# $$\mathrm{context} = \sum_j \mathrm{weight}_j \, x_j$$
#
# **After this chapter you can**
#
# - turn dot products into weights, with a softmax that survives huge scores and blocked entries;
# - compute self-attention without trained weights: by hand for one word, with two matrix products for a batch;
# - measure how attention moves a word, and compare it with a plain mean.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# <details><summary>Five lines of PyTorch that the whole course uses</summary>
#
# | you read | it means |
# | --- | --- |
# | `a @ b` | matrix product: `(2, 3) @ (3, 5)` gives `(2, 5)`; axes in front of the last two are a batch and stay |
# | `x[-1]`, `dim=-1` | counted from the end: the last row, the last axis |
# | `dim=-2` | the axis before the last one; in `(batch, seq, d_model)` that is `seq` |
# | `x[None]` | one more axis in front: `(seq, d_model)` becomes `(1, seq, d_model)`, a batch of one |
# | `nn.Linear(3, 5)` | a layer with trainable numbers: `(…, 3)` goes in, `(…, 5)` comes out |
#
# </details>
#
# ## 1.1 One word, one vector
#
# A network reads vectors, not letters. Where do a word's numbers come from? *You shall know a word by the company it
# keeps*, wrote the linguist J. R. Firth. So we count which words stand together, in sixteen sentences, half of them about a river, half about
# money.

# %%
# @title Sixteen sentences, without words such as "the", which occur with everything
about_river = """the boat drifted down the river to the bank. the water of the river
rose over the muddy bank. reeds grow in the water near the bank. fish swim in the
clear water of the river. the fish hid in the reeds by the muddy bank. a fish jumped
out of the river near the boat. we sat on the bank of the river and watched the boat.
clear water and muddy reeds filled the river"""
about_money = """the bank pays interest on savings. she put her money in the bank. the
bank gave him a loan to buy a house. money in the account earns interest. he moved his
savings to another account. the account at the bank holds money and savings. she paid
interest on the loan from the bank. with her savings and a loan she bought the
house"""
small_words = set("the a an of to in on at by and from near over out down with we she "
                  "he her his him".split())

def content(sentence):
    return [word for word in sentence.split() if word not in small_words]

corpus = [content(sentence) for text in (about_river, about_money)
          for sentence in text.split(".")]
print(len(corpus), "sentences; the first:", corpus[0])

# %% [markdown]
# For every pair of words we count the sentences that they share, and divide by the number that chance would give. The logarithm of
# this ratio (never below 0) fills a table with a row for each word. A *singular value decomposition* keeps the two
# most important directions, so each word becomes an arrow in the plane. (You need not know this method.)

# %%
def word_vectors(corpus, numbers=2):
    """The words of a corpus, and a vector for each: (words, numbers)."""
    words = sorted({word for sentence in corpus for word in sentence})
    counts = torch.tensor([[float(sentence.count(word)) for word in words]
                           for sentence in corpus])      # (sentences, words)
    together = (counts.T @ counts).fill_diagonal_(0)     # (words, words)
    by_chance = together.sum(1, keepdim=True) * together.sum(0) / together.sum()
    U, S, _ = torch.linalg.svd((together / by_chance).log().clamp(min=0))
    vectors = U[:, :numbers] * S[:numbers].sqrt()
    return words, vectors * vectors.sum(0).sign()  # the sign is free: let it point up

words, vectors = word_vectors(corpus)
index = {word: n for n, word in enumerate(words)}
print("one vector per word:", tuple(vectors.shape))

# %% tags=["show"]
# @title The words as arrows
def draw_words(ax, named):
    """All words as grey points; those named as arrows, with their names."""
    ax.scatter(*vectors.T.tolist(), color="0.8", s=14)
    for word, colour in named.items():
        place = vectors[index[word]].tolist()
        ax.annotate("", place, (0, 0), arrowprops=dict(
            arrowstyle="-|>", color=colour, lw=2, shrinkA=0, shrinkB=0))
        ax.annotate(word, place, (6, 0), textcoords="offset points", color=colour)
    ax.set(xlabel="direction 1", ylabel="direction 2", xlim=(-0.05, 1.45))

fig, ax = plt.subplots(figsize=(6.4, 2.9))
draw_words(ax, {"bank": OKABE_ITO[3], "river": OKABE_ITO[0], "jumped": OKABE_ITO[5],
                "savings": OKABE_ITO[4]})
ax.set_title('River words point up, money words to the right, "bank" between them')
show(fig, "Four arrows from the origin: river long and up, jumped shorter and up, "
          "savings long and to the right, bank short and between them. Other words: "
          "grey points.")

# %% [markdown]
# These vectors come from counting alone. A network holds such vectors in an embedding layer, which
# is a table: a word's number selects its row. Look "bank" up in the two sentences at the top.

# %%
embedding = nn.Embedding.from_pretrained(vectors)

def look_up(sentence):
    """The vectors of a sentence's content words, and the place of "bank" among them."""
    kept = content(sentence)
    return embedding(torch.tensor([index[word] for word in kept])), kept.index("bank")

river, i = look_up("we sat on the river bank")           # (3, 2): sat, river, bank
money, j = look_up("she put her savings in the bank")    # (3, 2): put, savings, bank
print("bank:", [round(v, 3) for v in river[i].tolist()],
      "  largest difference:", (river[i] - money[j]).abs().max().item())

# %% [markdown]
# The difference is 0. Such an embedding is **static**: it was fixed before the sentence was seen. More text or more
# numbers would not help, since a table has one row per word. The vector must be *changed by its sentence*.

# %% [markdown]
# ## 1.2 Scores: how well do two words fit?
#
# To change "bank" by its neighbours we ask first how well each of them fits. A simple measure is the **dot product**:
# multiply two vectors number by number and add up. The word that asks is the **query**, and the result is a **score**.

# %%
bank = vectors[index["bank"]].tolist()
for word in ("river", "jumped", "savings"):
    vector = vectors[index[word]].tolist()
    sums = " + ".join(f"{a:.2f}·{b:.2f}" for a, b in zip(bank, vector))
    print(f"bank · {word:7s} = {sums} = {sum(a * b for a, b in zip(bank, vector)):.2f}")

# %% [markdown]
# "jumped" and "river" point nearly the same way, and "river" scores higher, because its arrow is longer:
#
# $$q \cdot k = \lVert q \rVert \, \lVert k \rVert \cos\theta$$
#
# A score is high when two vectors point the same way, and then grows with their *lengths*.
#
# ### Exercise 1.1 · Attention scores · 1 point · about 5 minutes
#
# Write the scores of token `i` with every token of its sentence, itself included. (A **token** is what a text is cut
# into; here, a word.) For the two tokens $(1, 2)$ and $(3, -1)$ the first has the scores $1 + 4 = 5$ with itself and
# $3 - 2 = 1$ with the other. It must work for any number of tokens and features and every `i` <!-- asks: sizes, values -->.
# The [house rules](#house-rules) further down hold <!-- asks: views, dtype, device, inputs-unchanged, gradient -->; an
# answer in tensor operations keeps them by itself.
#
# <details><summary>Hint 1</summary>You need as many dot products as there are tokens, all with the same partner.</details>
# <details><summary>Hint 2</summary>Shapes: a table (seq, d) meets one row (d,). Which product of a matrix and a vector gives (seq,)?</details>
# <details><summary>Hint 3</summary>Without a matrix product: multiply the table by the row, entry by entry, and then get rid of the axis of length d.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_attention_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(x, i):
    """Dot products of token i with every token of the sentence.

    x: (seq, d_model)   i: the token that asks, a number from 0 to seq - 1
    Returns the scores: (seq,).
    """
    ### BEGIN SOLUTION
    return x @ x[i]                      # (seq, d_model) @ (d_model,) -> (seq,)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One token is (1, 2), the other (3, -1): 1·1 + 2·2 = 5 with itself, 1·3 - 2·1 = 1.
two_tokens = torch.tensor([[1., 2.], [3., -1.]])
ab.beside([5., 1.], lambda: attention_scores(two_tokens, 0))
ab.beside([1., 10.], lambda: attention_scores(two_tokens, 1))

# %% nbgrader={"grade": true, "grade_id": "ch01_attention_scores_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.1: the dot product of one token with every token, itself included."""
toy_ = torch.tensor([[1., 2.], [3., -1.], [0., 2.], [2., 3.], [-1., 1.]])       # (5, 2)
one_ = ab.case("x (5, 2), i = 2", toy_, 2)
ab.check("1.1 scores", attention_scores, [
    one_,
    ab.case("x (5, 2), i = 0", toy_, 0),
    *(ab.case(f"x ({seq}, {d}), i = {seq - 1}", ab.numbers(seq, d, seed=seq), seq - 1)
      for seq, d in [(4, 3), (7, 1), (1, 2)]),
    ab.case("x 100 times as large", 100 * toy_, 2),
    *ab.house_rules(one_, but="axes empty"),
    ab.case("the gradient, i = 0", toy_.double(), 0, look="gradient"),
], "x, i -> scores")
### BEGIN HIDDEN TESTS
def sized(seq, d, i, seed=0, **options):
    x = 60 * ab.numbers(seq, d, seed=seed, dtype=torch.float64)
    return ab.case(f"x ({seq}, {d}), i = {i}", x, i, **options)

def tried(*cases):
    ab.check("1.1 scores", attention_scores, cases, like=reference("attention_scores"))

# Property: right for every token of sentences of any length and width [sizes]
tried(*(sized(seq, d, i, seed=d) for i in range(13)
        for seq, d in [(7, 3), (3, 7), (5, 5), (1, 2), (13, 1)] if i < seq))
# Property: every score is the dot product of token i with that token, in long and wide sentences too, one after the other [values]
tried(*(sized(613, 131, 601, seed=seed, within=1e-9) for seed in (1, 2)))
# Property: an x that is not contiguous in memory will do [views]
tried(*ab.house_rules(sized(7, 3, 4), only="views"))
# Property: the scores have the dtype of x, and its precision [dtype]
toy = torch.tensor([[2., 1., 0.], [-1., 3., 1.], [4., 0., -2.], [1., 1., 5.]])
tried(*ab.house_rules(ab.case("x (4, 3), i = 3", toy, 3), only="float64 bfloat16"))
# Property: the scores are computed on the device of x [device]
tried(*ab.house_rules(sized(7, 3, 4), only="device"))
# Property: x is left as it was [inputs-unchanged]
tried(*ab.house_rules(sized(5, 3, 1), only="inputs"))
# Property: gradients flow from the scores back to x [gradient]
tried(*(sized(5, 3, i, look="gradient") for i in (3, 0, 4)))
### END HIDDEN TESTS

# %% [markdown]
# Calculations by hand use one sentence in the first four chapters: six tokens with three numbers each. Sentence and
# numbers are Sebastian Raschka's, from chapter 3 of *Build a Large Language Model (From Scratch)*; the numbers stand
# for no meaning.

# %%
tokens = ["Your", "journey", "starts", "with", "one", "step"]
x = torch.tensor([[0.43, 0.15, 0.89],    # Your
                  [0.55, 0.87, 0.66],    # journey
                  [0.57, 0.85, 0.64],    # starts
                  [0.22, 0.58, 0.33],    # with
                  [0.77, 0.25, 0.10],    # one
                  [0.05, 0.80, 0.55]])   # step
print("x:", tuple(x.shape), "= (seq, d_model): tokens, numbers of each")

# %% [markdown]
# Your function now gives the scores of every token. Compare the numbers on both sides of the diagonal:

# %% tags=["uses-exercise"]
print(" " * 8 + "".join(f"{token:>9s}" for token in tokens))
for i, token in enumerate(tokens):
    row = attention_scores(x, i).tolist()
    print(f"{token:8s}" + "".join(f"{score:9.4f}" for score in row))

# %% [markdown]
# The table is symmetric, as $a \cdot b = b \cdot a$: "journey" gives "step" the score that "step" gives "journey".

# %% [markdown]
# ### House rules
#
# <a id="House-rules" name="House-rules"></a>
#
# > Every function and module that you write in this course keeps seven rules. Checks test them; an exercise
# > names only what is special about it, and rules that do not hold.
# >
# > - **Leading axes.** Where a signature has `...`, any number of axes may stand: none, a batch, a batch and its heads.
# >   Count axes from the end.
# > - **Sizes.** An axis may have length 1, and a batch may be empty.
# > - **Views.** Inputs need not be contiguous in memory (`table.T` is not).
# > - **Dtype.** Results have the dtype of the inputs and its precision: `float64` in, `float64` out; `bfloat16`, too.
# > - **Device.** New tensors are made on the device of the inputs.
# > - **Inputs** stay as they were: nothing is changed in place.
# > - **Gradients** flow from every result back to every input: never turn tensors into Python numbers. Only the
# >   caller switches gradients on or off.

# %% [markdown]
# ## 1.3 Weights: softmax
#
# To mix six vectors we need shares: positive numbers that sum to 1. Why not divide scores by their sum?

# %%
scores = torch.tensor([2.0, -1.0, -0.9])
print("divided by their sum:", [round(s, 2) for s in (scores / scores.sum()).tolist()])

# %% [markdown]
# They sum to 1, but one is 2000 %, and two are negative. **Softmax** makes every score positive first, with the
# exponential:
#
# $$\mathrm{weight}_j = \frac{e^{\mathrm{score}_j}}{\sum_k e^{\mathrm{score}_k}}$$
#
# For the six scores of "journey":

# %%
journey_scores = torch.stack([x[1].dot(vector) for vector in x])       # (6,)
exponentials = journey_scores.exp()
journey_weights = exponentials / exponentials.sum()
print("scores ", [round(s, 4) for s in journey_scores.tolist()])
print("weights", [round(w, 4) for w in journey_weights.tolist()], " sum",
      round(journey_weights.sum().item(), 4))

# %% [markdown]
# Adding the same number to all scores changes nothing, since $e^{s+c} = e^s e^c$ and the factor cancels: **only
# differences count**. A score that is higher by 1 gets $e \approx 2.718$ times the weight.

# %%
for scores in ([100., 101., 99.], [0., 1., -1.]):
    w = torch.softmax(torch.tensor(scores), dim=0)
    print(f"{str(scores):22s} {[round(v, 4) for v in w.tolist()]}   second : first = "
          f"{w[1] / w[0]:.3f}")

# %% [markdown]
# **What breaks if…** we compute the formula as it stands, and the scores are large?

# %%
large = torch.tensor([1000., 1001., 999.])
print("exponentials:", large.exp().tolist())
print("weights:     ", (large.exp() / large.exp().sum()).tolist())

# %% [markdown]
# $e^{1000}$ is more than a computer's numbers can hold, and infinity divided by infinity is NaN, "not a number". But
# the differences are as small as before, so the right answer is $[0.2447, 0.6652, 0.0900]$ once more.

# %% [markdown]
# Very low scores need care as well. Chapter 3 hides a token by giving it the score $-\infty$: since
# $e^{-\infty} = 0$, it gets no weight. And if *every* token is hidden?

# %%
inf = float("inf")
print("one blocked:", torch.softmax(torch.tensor([0., 0., -inf]), dim=0).tolist())
print("all blocked:", torch.softmax(torch.tensor([-inf, -inf, -inf]), dim=0).tolist())

# %% [markdown]
# The formula says 0/0, PyTorch says NaN, and every sum and product that meets a NaN becomes NaN as well. In this course a
# token from which everything is hidden gets **weights of zero**.
#
# ### Exercise 1.2 · A softmax that does not break · 2 points · about 12 minutes
#
# Write `softmax(scores, dim)` from scratch, or call PyTorch's inside; either is accepted. By hand: scores $[7, 7]$ give
# $[0.5, 0.5]$, and $[-\infty, 0, -\infty]$ gives $[0, 1, 0]$.
#
# - 1 point: the weights along any axis (without `dim`, the last one) of a tensor with any number of axes, none of them empty
#   <!-- asks: values, default-dim -->, for scores of ±10,000 too <!-- asks: large-scores -->;
# - 1 point: entries of $-\infty$ get weight 0 and the others the same weights as without them, beside huge scores <!-- asks: blocked-entries, blocked-large -->
#   and in `float16` too <!-- asks: half-blocked -->; where all are $-\infty$, all weights are 0 <!-- asks: masked-row -->.
#   (Its gradient is a matter of chapter 3.)
#
# The [house rules](#house-rules) hold <!-- asks: views, dtype, device, inputs-unchanged, inputs-unchanged-blocked, gradient -->.
#
# <details><summary>Hint 1</summary>Which number can you subtract from all scores, so that no exponential is larger than 1?</details>
# <details><summary>Hint 2</summary>Each row needs its own such number, and its own sum: reduce along dim, but keep that axis (with length 1) so that the shapes still fit.</details>
# <details><summary>Hint 3</summary>For a blocked row the largest score is −∞, and −∞ − (−∞) is NaN; then its sum is 0, and 0/0 is NaN. You can replace both numbers with harmless ones, or the NaN at the end.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(scores, dim=-1):
    """Weights along dim: positive, and summing to 1 (or all zero where every score is
    -inf).

    scores: any shape   Returns the weights: the same shape.
    """
    ### BEGIN SOLUTION
    top = scores.amax(dim, keepdim=True)
    # a blocked row: -inf - 0 stays -inf, no NaN
    top = top.masked_fill(top == float("-inf"), 0.0)
    exponentials = (scores - top).exp()  # the largest is 1: nothing overflows
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# Equal scores share equally, however large; a lead of 1 is worth a factor of 2.718.
ab.beside([0.5, 0.5], lambda: softmax(torch.tensor([7., 7.])))
ab.beside([0.2689, 0.7311], lambda: softmax(torch.tensor([3., 4.])))
ab.beside([0., 1., 0.], lambda: softmax(torch.tensor([-torch.inf, 0., -torch.inf])))

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.2, first point: shares along any axis, of small scores and of huge
ones."""
two_rows_ = torch.tensor([[1., 2., 4.], [0., -2., 1.]])
one_ = ab.case("scores (2, 3), dim=-1", two_rows_, dim=-1)
ab.check("1.2 shares", softmax, [
    one_,
    ab.case("scores (2, 3), dim=0", two_rows_, dim=0),
    ab.case("scores (2, 3), without dim", two_rows_),
    *(ab.case(f"scores {shape}, dim=0", ab.numbers(*shape, seed=2), dim=0)
      for shape in [(3,), (2, 3, 4), (2, 1, 3), (1, 3, 2), (3, 2, 1)]),
    ab.case("rows near 10,000, -10,000 and -1000", two_rows_[1] + torch.tensor(
        [[1e4], [-1e4], [-1e3]]), dim=-1, within=2e-3),
    ab.case("scores 10,000, 0 and -10,000", torch.tensor([1e4, 0., -1e4])),
    ab.case("the logarithm of the weights of 0 and -30", torch.tensor([0., -30.]),
            ask=lambda softmax, scores: softmax(scores).log(),
            hint="A small weight is not 0: was it cut off or rounded?"),
    *ab.house_rules(one_, but="axes empty"),
    one_.but("the gradient, dim=0", kwargs={"dim": 0}, look=("gradient",)),
    *(ab.case(f"the gradient, scores 10,000 times as large, dim={dim}",
              1e4 * two_rows_, dim, look="gradient") for dim in (0, 1)),
], "scores, dim -> weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("1.2 shares", softmax, cases, like=reference("softmax"))

def sized(*shape, dim, scale=1.0, **options):
    return ab.case(f"scores {shape}, dim={dim}", scale * ab.numbers(
        *shape, seed=len(shape), dtype=torch.float64), dim, within=1e-7, **options)

# Property: right along every axis of tensors with any number of axes [values]
tried(*(sized(*shape, dim=dim)
        for shape in [(5,), (3, 7), (2, 1, 5), (1, 5, 3), (5, 3, 1), (2, 5, 3, 7)]
        for dim in range(-len(shape), len(shape))))
# Property: without dim the last axis is meant [default-dim]
tried(ab.case("scores (2, 3, 5), without dim", ab.numbers(2, 3, 5, seed=8)))
# Property: stable for scores of ±1e4 in every row, whatever stands in the other rows; weights far below 1 are no zeros [large-scores]
offsets = torch.tensor([1e4, 0., -1e4, 30., -30., 100., -100., 1e3, -1e3])
table = ab.numbers(9, 7, seed=7, dtype=torch.float64)
tried(ab.case("rows near 10,000, 0, -1000 and -10,000", table + offsets[:, None]),
      ab.case("the columns of a view", (table + offsets[:, None]).T, 0),
      ab.case("scores spread over ±10,000", 5e3 * table),
      ab.case("the logarithm of weights of e^-36 and more", 9 * table,
              ask=lambda softmax, scores: softmax(scores).log()))
one_ = sized(3, 5, dim=-1)
# Property: scores that are not contiguous in memory will do [views]
tried(*ab.house_rules(one_, only="views"))
# Property: keeps the dtype of the scores, and its precision [dtype]
tried(*ab.house_rules(one_, only="float64 bfloat16"))
# Property: the weights are computed on the device of the scores [device]
tried(*ab.house_rules(one_, only="device"))
# Property: leaves the scores as they are [inputs-unchanged]
tried(*ab.house_rules(one_, only="inputs"))
# Property: gradients are those of softmax [gradient]
tried(*(sized(3, 5, dim=dim, look="gradient") for dim in (-1, 0)),
      *(ab.case(f"scores near {offset:g}, dim={dim}", table[:3] + offset, dim,
                look="gradient") for offset, dim in ((1e4, 1), (-1e4, 0))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check_blocked", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.2, second point: blocked entries get no weight, a wholly blocked row is
all zero."""
def log_(softmax, *args, **options):
    return softmax(*args, **options).log()

inf = float("inf")
blocked_ = torch.tensor([[0., 0., -inf], [-inf, 5., -inf], [-inf, -inf, -inf]])
huge_ = 1e4 * torch.tensor([[1., 1., 0., -1.], [0., 1., 0., -1.], [0., 1., 0., -1.]])
one_ = ab.case("no entry is blocked: scores (2, 3, 4) from -10,000 to 10,000, dim=1",
               ab.numbers(2, 3, 4).double() + huge_, 1, look="values inputs")
ab.check("1.2 blocked entries", softmax, [
    one_,
    ab.case("rows with some entries of -inf", blocked_[:2], dim=-1),
    ab.case("the logarithm of these weights", blocked_[:2], dim=-1, ask=log_,
            hint="Was -inf replaced by another number, or were scores cut off below?"),
    ab.case("the third row is -inf alone", blocked_, dim=-1),
    ab.case("nothing but -inf", blocked_[2]),
    ab.case("the third column is -inf alone, dim=0", blocked_.T, dim=0),
    ab.case("the same rows in float16", blocked_.half(), dim=-1),
    ab.case("-inf beside 10,000 and -10,000", torch.tensor(
        [[-inf, 1e4, 9999.], [-1e4, -inf, -1e4]]), dim=-1, within=2e-3),
    ab.case("blocked scores stay as they are", blocked_, look="inputs"),
], "scores, dim -> weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("1.2 blocked entries", softmax, [one_, *cases], like=reference("softmax"))

partly = torch.where(ab.numbers(3, 5, 7, seed=1) < -0.5, -inf, ab.numbers(3, 5, 7))
whole = partly.clone()
# nothing is blocked as a whole
partly[:, :, 0], partly[:, 0], partly[0] = 1.0, 0.5, 0.0
# a line along each axis is
whole[1, 2], whole[0, :, 3], whole[:, 4, 6] = -inf, -inf, -inf
# Property: blocked entries get no weight, the others share it, along every axis [blocked-entries]
tried(*(ab.case(f"entries of -inf, dim={dim}", 4 * partly, dim)
        for dim in (-1, 0, 1, 2, -2)))
tried(*(ab.case(f"the logarithm of the weights, dim={dim}", partly, dim, ask=log_)
        for dim in (-1, 0, 1)))
# Property: where all are blocked all weights are zero, along every axis [masked-row]
tried(*(ab.case(f"whole lines of -inf, dim={dim}", 4 * table, dim)
        for table in (whole, torch.full((2, 5, 3), -inf)) for dim in (-1, 0, 1, 2, -2)))
# Property: leaves blocked scores as they are, too [inputs-unchanged-blocked]
tried(ab.case("blocked scores stay as they are", whole, -1, look="inputs"))
# Property: blocked entries beside huge scores [blocked-large]
tried(ab.case("-inf beside scores of ±10,000", torch.tensor(
    [[-inf, 1e4, 1e4 - 1], [-1e4, -inf, -1e4], [-inf, -inf, -1e4]]).double(), -1))
# Property: blocked entries and blocked rows in 16 bits, too [half-blocked]
half = torch.tensor([[-inf, 1., 0.], [-inf, -inf, -inf]], dtype=torch.float16)
tried(ab.case("blocked scores in float16", half, -1, within=2e-3))
### END HIDDEN TESTS

# %% [markdown]
# Your softmax on the cases that broke the others, and on the scores of "journey":

# %% tags=["uses-exercise"]
for name, s in [("huge", large), ("all blocked", torch.full((3,), -inf)),
                ("journey", journey_scores)]:
    print(f"{name:12s}", [round(w, 4) for w in softmax(s).tolist()])

# %% [markdown]
# ## 1.4 Context: a mixture of all words
#
# After scores and softmax one step is left: multiply every token's vector by its weight and add up. The sum
# is the **context vector** of the token that asked. For "bank", the figure lays the weighted vectors of the three
# content words of "we sat on the river bank" end to end:

# %% tags=["show"]
# @title An arrow moved by its neighbours
river, place = look_up("we sat on the river bank")
shares = torch.softmax(torch.stack([river[place].dot(key) for key in river]), dim=0)
fig, ax = plt.subplots(figsize=(6.4, 3.4))
draw_words(ax, {"bank": "0.6", "river": "0.6"})
end = torch.zeros(2)
for word, share, vector, colour, side in zip(
        ("sat", "river", "bank"), shares, river,
        (OKABE_ITO[2], OKABE_ITO[0], OKABE_ITO[3]), ((-12, -3), (-12, -3), (36, 14))):
    start, end = end, end + share * vector
    ax.annotate("", end.tolist(), start.tolist(), arrowprops=dict(
        arrowstyle="-|>", color=colour, lw=3, shrinkA=0, shrinkB=0))
    ax.annotate(f"{share:.2f} of {word}", ((start + end) / 2).tolist(), side,
                textcoords="offset points", ha="right", color=colour)
ax.annotate("", end.tolist(), (0, 0), arrowprops=dict(
    arrowstyle="-|>", color="black", lw=1.5, ls="--", shrinkA=0, shrinkB=0))
ax.annotate('"bank" in its sentence', end.tolist(), (9, 0), textcoords="offset points")
ax.set(xlim=(-0.14, 0.62), ylim=(-0.03, 1.05),
       title="Pieces of sat, river and bank turn the arrow of bank towards the river")
show(fig, "Grey arrows for river and bank. Three coloured pieces, one each of sat, "
          "river and bank, lie end to end; a dashed arrow to where they end points "
          "more steeply up, towards river, than bank alone.")

# %% [markdown]
# $$\mathrm{context} = \sum_j \mathrm{weight}_j \, x_j$$
#
# For "journey", number by number:

# %%
context = torch.zeros(3)
for token, weight, vector in zip(tokens, journey_weights, x):
    context = context + weight * vector
    print(f"+ {weight:.4f} of {token:8s} -> {[round(c, 4) for c in context.tolist()]}")

# %% tags=["show"]
# @title The three steps of "journey" side by side
fig, axes = plt.subplots(1, 3, figsize=(7, 2.7), width_ratios=[1, 1, 1.25])
for ax, values in [(axes[0], journey_scores.tolist()),
                   (axes[1], journey_weights.tolist())]:
    ax.bar_label(ax.barh(tokens, values, color=OKABE_ITO[:6]), fmt="%.4f", padding=2,
                 fontsize=8)
    ax.set_xlim(0, 1.4 * max(values))
    ax.invert_yaxis()
axes[0].set(title="1 Scores: journey · token", xlabel="score", xticks=[0, 0.5, 1, 1.5])
axes[1].set(title="2 Softmax: they sum to 1", xlabel="weight", yticks=[],
            xticks=[0, 0.1, 0.2])
parts = journey_weights[:, None] * x  # (6, 3): what each token brings to each feature
for part, start, colour in zip(parts, parts.cumsum(0) - parts, OKABE_ITO):
    axes[2].bar(range(3), part.tolist(), bottom=start.tolist(), color=colour,
                edgecolor="white", linewidth=0.5)
for feature, total in enumerate(parts.sum(0).tolist()):
    axes[2].text(feature, total + 0.01, f"{total:.4f}", ha="center", fontsize=8)
axes[2].set(title="3 Context: weight × vector", xticks=range(3), xlabel="feature",
            ylabel="value", ylim=(0, 0.75))
show(fig, "Three panels for the query journey. Bars of six scores between 0.7 and 1.5; "
          "bars of six weights between 0.11 and 0.24; three stacked columns "
          "in which each token adds its piece, ending at 0.4419, 0.6515 and 0.5683.")

# %% [markdown]
# "journey" has become $[0.4419, 0.6515, 0.5683]$; its own vector is $[0.55, 0.87, 0.66]$. Now the three
# steps for every token, in explicit loops:

# %%
def attend_in_loops(x):
    """Context and weights of every token of one sentence, one after the other.
    x: (seq, d_model).
    """
    contexts, weights = [], []
    for query in x:
        scores = torch.stack([query.dot(key) for key in x])           # (seq,)
        row = torch.softmax(scores, dim=0)  # (seq,), sums to 1
        weights.append(row)
        contexts.append(sum(weight * value for weight, value in zip(row, x)))
    return torch.stack(contexts), torch.stack(weights)  # (seq, d_model), (seq, seq)

context_all, weights_all = attend_in_loops(x)
print("context:", tuple(context_all.shape), "  weights:", tuple(weights_all.shape))
print("context of journey:", [round(c, 4) for c in context_all[1].tolist()])

# %% [markdown]
# This is **self-attention**: queries, keys (what a query is compared with) and values (what is mixed) are all the
# same vectors, those of the sentence itself.
#
# **Predict, then run.** To which token does "step" pay most attention? (A guess costs no points; the
# summary lists those that were furthest off.)

# %% tags=["show"]
guess_step = None      # type a word of the sentence in quotes, then run the next cell

# %% tags=["show"]
# @title All weights of the sentence, and your guess
fig, ax = plt.subplots(figsize=(5.2, 4.2))
title = "Weights: two words draw much of every row"
image = draw_matrix(ax, weights_all, rows=tokens, columns=tokens, title=title,
                    limits=(0, 0.3))
ax.set(xlabel="token that is looked at (key)", ylabel="token that asks (query)")
fig.colorbar(image, ax=ax, label="weight", shrink=0.8)
show(fig, "A 6 by 6 heatmap of weights, all between 0.1 and 0.25. "
          "The columns of the two longest vectors are the darkest in nearly every row.")
check_guess('"step" looks most at', guess_step, tokens[weights_all[5].argmax()])
lengths = [round(length, 2) for length in x.norm(dim=1).tolist()]
print("lengths:", dict(zip(tokens, lengths)))

# %% [markdown]
# "step" looks at "journey" more than at itself. Why? "journey" and "starts" are the longest vectors, and since all numbers here are
# positive, scores with a long vector are high. (Where numbers have both signs, a long vector
# often gets less than its share: ["Do long vectors draw weight?"](deeper.ipynb).) The weights are not symmetric,
# although the scores were, because each row was divided by its own sum.
#
# ### Exercise 1.3 · Self-attention without weights · 2 points · about 12 minutes
#
# A book of 100,000 words has ten billion pairs, too many for a loop. Compute all scores with one matrix
# product and all contexts with another, for a batch of sentences. By hand: the tokens $(2, 0)$ and $(0, 2)$ have
# the scores 4 and 0, so the first gives itself the weight $e^4 / (e^4 + 1) = 0.982$.
#
# - 1 point: the values, for one sentence of any size <!-- asks: values -->, scores of 10,000 included
#   <!-- asks: large-scores -->;
# - 1 point: several sentences at once, each attending to its own words only <!-- asks: batch, batch-gradient -->; the number
#   of tensor operations must not grow with the length of the sentence <!-- asks: no-loop -->.
#
# The [house rules](#house-rules) hold <!-- asks: dtype, device, inputs-unchanged, gradient -->; no batch is empty.
# Any `softmax` will do.
#
# <details><summary>Hint 1</summary>Row i, column j of the score table is token i · token j. Which product of x with a transposed x is that?</details>
# <details><summary>Hint 2</summary>Shapes: (batch, seq, d) times (batch, d, seq) gives (batch, seq, seq). A transpose that turns all three axes round is not what you want.</details>
# <details><summary>Hint 3</summary>A row of weights times the table of vectors is the loop of sums above. All rows at once: (batch, seq, seq) times (batch, seq, d).</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_self_attention_simple", "locked": false, "schema_version": 3, "solution": true, "task": false}
def self_attention_simple(x):
    """Self-attention without trained weights, for a batch of sentences.

    x: (batch, seq, d_model)
    Returns (context, weights): (batch, seq, d_model) and (batch, seq, seq).
    """
    ### BEGIN SOLUTION
    scores = x @ x.transpose(-2, -1)             # (batch, seq, seq)
    weights = torch.softmax(scores, dim=-1)      # each row sums to 1
    return weights @ x, weights
    ### END SOLUTION

# %% tags=["uses-exercise"]
# Two tokens at a right angle, each of length 2:
# scores 4 and 0, weights e^4 : 1 = 0.982 : 0.018.
pair = torch.tensor([[[2., 0.], [0., 2.]]])  # (1, 2, 2): a batch of one
ab.beside([0.982, 0.018], lambda: self_attention_simple(pair)[1][0, 0])
ab.beside([1.964, 0.036], lambda: self_attention_simple(pair)[0][0, 0])

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.3, first point: context and weights of one sentence."""
toy_ = torch.tensor([[[1., 0.], [0., 2.], [1., 1.]]])     # three tokens, two features
one_ = ab.case("x (1, 3, 2): one sentence", toy_)
ab.check("1.3 one sentence", self_attention_simple, [
    one_,
    *(ab.case(f"x (1, {seq}, {d})", ab.numbers(1, seq, d, seed=3) / 2)
      for seq, d in [(4, 5), (2, 2), (1, 3)]),
    ab.case("vectors 100 times as long", 100 * toy_),
    ab.case("tokens of length 100, 300 and 200",
            torch.tensor([[[100., 0.], [300., 0.], [200., 0.]]]),
            hint="A token's score with itself need not be the largest of its row."),
    *ab.house_rules(one_, but="axes empty"),
], "x -> context, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("1.3 one sentence", self_attention_simple, cases,
             like=reference("self_attention_simple"))

def sized(seq, d, scale=1.0, **options):
    x = scale * ab.numbers(1, seq, d, seed=seq, dtype=torch.float64)
    return ab.case(f"x (1, {seq}, {d})", x, **options)

# Property: right for a sentence of any length and width [values]
tried(*(sized(seq, d, 4 / (4 + d)) for seq, d in [
    (7, 3), (3, 7), (5, 5), (1, 2), (11, 1), (131, 67)]))
# Property: long vectors, whose scores reach 10,000, give weights, not NaN [large-scores]
tried(sized(5, 3, 60.), sized(7, 3, 100.), sized(6, 2, -100.))
one_ = sized(5, 3)
# Property: keeps the dtype of x, and its precision [dtype]
tried(*ab.house_rules(one_, only="float64 bfloat16"))
# Property: everything is computed on the device of x [device]
tried(*ab.house_rules(one_, only="device"))
# Property: leaves x as it is [inputs-unchanged]
tried(*ab.house_rules(one_, only="inputs"))
# Property: gradients flow through scores, weights and values [gradient]
tried(*ab.house_rules(one_, only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check_batch", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.3, second point: several sentences at once, and no loop over tokens."""
batch_ = torch.tensor([[[1., 0.], [0., 2.], [1., 1.]],
                       [[2., 1.], [0., 0.], [1., -1.]]])  # two sentences, three tokens
one_ = ab.case("x (1, 3, 2): one sentence", batch_[:1], look="values gradient")
two_ = one_.but("x (2, 3, 2): two sentences", args=(batch_,))
ab.check("1.3 sentences", self_attention_simple, [
    one_,
    two_,
    *ab.house_rules(two_, only="views"),
    ab.case("x (3, 1, 2): three sentences of one token", ab.numbers(3, 1, 2)),
    ab.case("x (2, 50, 3)", ab.numbers(2, 50, 3), look="operations"),
], "x -> context, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("1.3 sentences", self_attention_simple, [one_, *cases],
             like=reference("self_attention_simple"))

def sized(n, seq, d, **options):
    x = ab.numbers(n, seq, d, seed=n, dtype=torch.float64)
    return ab.case(f"x ({n}, {seq}, {d})", x, **options)

# Property: each sentence of a batch attends to its own words only [batch]
sizes = [(5, 7, 3), (3, 2, 5), (2, 5, 2), (7, 1, 3)]
tried(*(sized(*size, look="values gradient") for size in sizes),
      *(view for size in sizes for view in ab.house_rules(sized(*size), only="views")))
# Property: the gradient in a batch is that of each sentence alone [batch-gradient]
tried(sized(3, 5, 2, look="values gradient"))
# Property: no loop over tokens: the number of tensor operations does not grow with the length of the sentence [no-loop]
tried(*(ab.case(f"x (2, {seq}, 5)", ab.numbers(2, seq, 5), look="operations")
        for seq in (43, 503)))
### END HIDDEN TESTS

# %% [markdown]
# The two products give what the loops gave, and what PyTorch's own function gives when its scale (chapter 2) is set to 1.

# %% tags=["uses-exercise"]
context, weights = self_attention_simple(x[None])  # (1, 6, 3), (1, 6, 6)
pytorch = F.scaled_dot_product_attention(x[None], x[None], x[None], scale=1.0)
for name, other in (("loops", context_all), ("PyTorch", pytorch)):
    print(f"largest difference to {name:8s}{(context - other).abs().max().item():.5f}")

# %% tags=["show"]
# @title The three steps with their shapes
scores_all = x @ x.T
steps = [("x", x, "Greys", ""), ("scores", scores_all, "Greys", "x xᵀ"),
         ("weights", scores_all.softmax(dim=-1), "Blues", "softmax\nper row"),
         ("context", context_all, "Greys", "weights x")]
fig, axes = plt.subplots(1, 4, figsize=(7, 2.3), width_ratios=[3, 6, 6, 3])
for ax, (name, matrix, cmap, how) in zip(axes, steps):
    draw_matrix(ax, matrix, rows=tokens if ax is axes[0] else [""] * 6, cmap=cmap,
                digits=None)
    ax.set(xticks=[], xlabel=f"({matrix.shape[0]}, {matrix.shape[1]})")
    ax.set_title(name, loc="center")
    if how:
        ax.annotate("", (-0.08, 0.5), (-0.33 * 6 / matrix.shape[1], 0.5),
                    arrowprops=dict(arrowstyle="-|>"), xycoords="axes fraction")
        ax.annotate(how, (-0.21 * 6 / matrix.shape[1], 0.62), ha="center", fontsize=8,
                    xycoords="axes fraction")
show(fig, "Four heatmaps in a row with arrows between them: x with 6 rows and 3 "
          "columns; scores, x times x transposed, 6 by 6; weights, softmax of each "
          "row, 6 by 6; context, weights times x, 6 by 3 like x.")

# %% [markdown]
# **What breaks if…** we shuffle the words? What happens to "journey" in "one journey starts with your step"?

# %%
order = [4, 1, 2, 3, 0, 5]  # one journey starts with your step
shuffled_context, _ = attend_in_loops(x[order])
apart = (shuffled_context - context_all[order]).abs().max().item()
print(f"largest difference for any word: {apart:.5f}")

# %% [markdown]
# Every word gets the same context as before. A sum does not depend on the order of its terms, so to this attention a
# sentence is a bag of words: "dog bites man" is "man bites dog". Chapter 5 gives the order back.

# %% [markdown]
# ## 1.5 The two banks, again
#
# Now the question at the top: the words of each sentence attend to one another. How alike are the two banks afterwards? The
# **cosine similarity** measures it without regard to length: 1 for vectors that point the same way, 0 at a right
# angle, −1 for opposite ones.
#
# $$\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \, \lVert b \rVert}$$
#
# **Predict, then run.** Before attention the two banks are the same vector: 1. And after? The function that measures
# it is your next exercise.

# %% tags=["show"]
guess_cosine = None    # type a number from -1 to 1

# %% [markdown]
# ### Exercise 1.4 · How far context moves a word · 2 points · about 10 minutes
#
# `context_shift` takes two sentences and a place in each, and returns two cosine similarities of the tokens there:
# one before attention, one after each sentence has attended to itself (and to nothing else). Sentences may have any
# lengths, different ones too, and a token may stand anywhere. By hand: two sentences of one token each, $(1, 0)$ and
# $(1, 1)$, attend to nothing but themselves; both numbers are $\cos 45° = 0.7071$.
#
# - 1 point: the similarity before <!-- asks: values-before, length-of-vectors -->;
# - 1 point: the similarity after <!-- asks: values-after -->, also for vectors so long that scores reach 10,000
#   <!-- asks: large-scores -->.
#
# The [house rules](#house-rules) hold <!-- asks: inputs-unchanged, inputs-unchanged-after, device -->, but the two results
# may be plain numbers: they need no gradient.
#
# <details><summary>Hint 1</summary>"Before" compares two rows of the sentences themselves. "After" compares two rows of something you computed in exercise 1.3.</details>
# <details><summary>Hint 2</summary>self_attention_simple wants (batch, seq, d_model). A sentence alone is (seq, d_model): give it an axis, take it away again.</details>
# <details><summary>Hint 3</summary>Attention runs twice, once for each sentence. If the sentences meet before the end, something is wrong.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_context_shift", "locked": false, "schema_version": 3, "solution": true, "task": false}
def context_shift(sentence_a, sentence_b, i, j):
    """Cosine similarity of token i of sentence a and token j of sentence b, before and
    after attention.

    sentence_a: (seq_a, d_model)   sentence_b: (seq_b, d_model)
    Returns (before, after), two numbers between -1 and 1.
    """
    ### BEGIN SOLUTION
    context_a, _ = self_attention_simple(sentence_a[None])       # (1, seq_a, d_model)
    context_b, _ = self_attention_simple(sentence_b[None])       # (1, seq_b, d_model)
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    after = F.cosine_similarity(context_a[0, i], context_b[0, j], dim=0)
    return before.item(), after.item()
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One token each: attention to oneself changes
# nothing. (1, 0) and (1, 1): cos 45° = 0.7071.
one, other = torch.tensor([[1., 0.]]), torch.tensor([[1., 1.]])
ab.beside([0.7071, 0.7071], lambda: context_shift(one, other, 0, 0))
# (1, 0) and (0, 1): at a right angle, until they have looked at one another
ab.beside("0, and more than 0.5",
          lambda: context_shift(torch.eye(2), torch.eye(2), 0, 1))

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.4, first point: the similarity before attention."""
def pair_(context_shift, *args):
    both = context_shift(*args)
    assert isinstance(both, (tuple, list)) and len(both) == 2, (
        f"two numbers are expected, (before, after); got {type(both).__name__}")
    return both

before_ = lambda *given: pair_(*given)[0]
a_ = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])              # three tokens
b_ = torch.tensor([[0.5, 1.], [2., 2.]])                         # two tokens
ab.check("1.4 before", context_shift, [
    ab.case("sentences of 3 and 2 tokens, i = 1, j = 0", a_, b_, 1, 0, ask=before_,
            look="values inputs"),
    ab.case("sentences of 3 and 2 tokens, i = 0, j = 1", a_, b_, 0, 1, ask=before_),
    ab.case("twice the same sentence, i = 0, j = 1", a_, a_, 0, 1, ask=before_),
    ab.case("three features, i = 2, j = 0", ab.numbers(4, 3, seed=1),
            ab.numbers(3, 3, seed=2), 2, 0, ask=before_),
    ab.case("vectors of another length", a_ / 100, 3 * b_, 1, 1, ask=before_),
], "sentence_a, sentence_b, i, j -> before")
### BEGIN HIDDEN TESTS
def tried(*sizes, scale=1.0, **options):
    def sized(seq_a, seq_b, d, i, j):
        a, b = (ab.numbers(seq, d, seed=seq, dtype=torch.float64) + 0.1
                for seq in (seq_a, seq_b))
        return ab.case(f"sentences of {seq_a} and {seq_b} tokens, i = {i}, j = {j}",
                       scale * a, b, i, j, ask=before_, within=1e-6, **options)

    ab.check("1.4 before", context_shift, [sized(*size) for size in sizes],
             like=reference("context_shift"))

# Property: before is the cosine of the two static vectors, whatever the lengths of the sentences and the places [values-before]
tried(*((seq_a, seq_b, d, i, (2 * i + 1) % seq_b) for seq_a, seq_b, d in [
    (7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)] for i in range(seq_a)))
tried((83, 71, 67, 79, 70))
# Property: leaves both sentences as they are [inputs-unchanged]
tried((7, 3, 5, 4, 1), look="values inputs")
# Property: the length of a vector plays no part in the similarity [length-of-vectors]
for factor in (0.01, 3.0):
    tried((3, 2, 5, 2, 1), scale=factor)
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check_after", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 1.4, second point: the similarity after each sentence has attended to
itself."""
after_ = lambda *given: pair_(*given)[1]
a_ = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])              # three tokens
b_ = torch.tensor([[0.5, 1.], [2., 2.]])                         # two tokens
one_ = ab.case("sentences of 3 and 2 tokens, i = 1, j = 0", a_, b_ - 1, 1, 0,
               ask=after_, look="values inputs")
ab.check("1.4 after", context_shift, [
    one_,
    ab.case("sentences of 3 and 2 tokens, i = 0, j = 1", a_, b_, 0, 1, ask=after_),
    ab.case("twice the same sentence, i = 0, j = 1", a_, a_, 0, 1, ask=after_),
    ab.case("three features, i = 2, j = 0", ab.numbers(4, 3, seed=1),
            ab.numbers(3, 3, seed=2), 2, 0, ask=after_),
    ab.case("vectors 60 times as long, in float64", 60 * a_.double(), 60 * b_.double(),
            1, 0, ask=after_),
], "sentence_a, sentence_b, i, j -> after")
### BEGIN HIDDEN TESTS
def tried(*sizes, scale=1.0, **options):
    def sized(seq_a, seq_b, d, i, j):
        a, b = (scale * ab.numbers(seq, d, seed=seq, dtype=torch.float64)
                for seq in (seq_a, seq_b))
        return ab.case(f"sentences of {seq_a} and {seq_b} tokens, i = {i}, j = {j}",
                       a + 0.1, b - 0.2, i, j, ask=after_, within=1e-6, **options)

    ab.check("1.4 after", context_shift, [
        one_, *(sized(*size) for size in sizes)
    ], like=reference("context_shift"))

# Property: after is the cosine of the two context vectors, whatever the lengths of the sentences and the places [values-after]
tried(*((seq_a, seq_b, d, i, (2 * i + 1) % seq_b) for seq_a, seq_b, d in [
    (7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)] for i in range(seq_a)))
tried((83, 71, 5, 79, 70), (83, 71, 5, 2, 66))
# Property: leaves both sentences as they are while they attend [inputs-unchanged-after]
tried((7, 3, 5, 4, 1), look="values inputs")
# Property: long vectors, whose scores reach 10,000, give a number, not NaN [large-scores]
tried((5, 7, 3, 4, 2), scale=60.0)
# Property: everything up to the two numbers is computed on the device of the sentences [device]
ab.check("1.4 after", context_shift, [
    one_, ab.case("on another device", a_, b_, 1, 0, look="device")],
    like=reference("context_shift"))
### END HIDDEN TESTS

# %% [markdown]
# Your function on the two banks, and on two sentences that mean the same bank:

# %% tags=["show", "uses-exercise"]
river, i = look_up("we sat on the river bank")
money, j = look_up("she put her savings in the bank")
water, k = look_up("muddy water filled the reeds near the bank")
apart, alike = context_shift(river, money, i, j), context_shift(river, water, i, k)
print(f"river bank, savings bank: before {apart[0]:.2f}, after {apart[1]:.2f}")
print(f"river bank, muddy bank:   before {alike[0]:.2f}, after {alike[1]:.2f}")
check_guess("the two banks after attention", guess_cosine, round(apart[1], 2))

# %% [markdown]
# One vector has become two, and banks of the same kind stayed together. <!-- told --> Is that due to the attention weights? The simplest
# baseline gives every word the same weight: the **mean of the sentence**. Another one leaves "bank" itself out of the mean.

# %% tags=["show"]
sentences = {"river 1": "we sat on the river bank",
             "river 2": "muddy water filled the reeds near the bank",
             "money 1": "she put her savings in the bank",
             "money 2": "the bank pays interest on the loan"}
pairs = [("river 1", "money 1"), ("river 1", "river 2"), ("money 1", "money 2")]
ways = {"attention": {}, "mean of all words": {}, "mean of the others": {}}
for name, sentence in sentences.items():
    known, place = look_up(sentence)                     # (seq, 2)
    seen, weights = attend_in_loops(known)
    others = torch.cat([known[:place], known[place + 1:]])
    for way, vector in zip(ways, (seen[place], known.mean(dim=0), others.mean(dim=0))):
        ways[way][name] = vector
    print(f"{name}: equal weights {1 / len(known):.2f}, those of bank",
          dict(zip(content(sentence), [round(w, 2) for w in weights[place].tolist()])))

# %% tags=["show"]
# @title The two banks with attention and with plain means
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3.3), width_ratios=[1.25, 1])
draw_words(left, {word: "0.6" for word in ("river", "savings", "bank")})
start = vectors[index["bank"]].tolist()
for name, colour in [("river 1", OKABE_ITO[2]), ("money 1", OKABE_ITO[4])]:
    end, mean = (
        ways["attention"][name].tolist(), ways["mean of all words"][name].tolist())
    left.annotate("", end, start, arrowprops=dict(
        arrowstyle="-|>", color=colour, lw=2, shrinkA=0, shrinkB=0))
    left.annotate(name, end, (8, 4), textcoords="offset points", color=colour)
    left.plot(*mean, "x", color="black", ms=7, mew=2)
left.set_title(
    "Attention (arrows) takes bank hardly\nfurther than a plain mean (crosses)")
for number, (way, after) in enumerate(ways.items()):
    values = [F.cosine_similarity(after[a], after[b], dim=0).item() for a, b in pairs]
    bars = right.bar(torch.arange(3) + (number - 1) * 0.27, values, 0.27, label=way,
                     color=OKABE_ITO[number])
    right.bar_label(bars, fmt="%.2f", fontsize=7)
draw_guess(right, guess_cosine)
right.set(xticks=range(3), xticklabels=[f"{a}\n{b}" for a, b in pairs],
          ylabel="cosine of the two banks", ylim=(0, 1.5), yticks=[0, 0.5, 1])
right.set_title("All three separate the two meanings")
right.legend(frameon=False, fontsize=8, loc="upper left")
show(fig, "Left: the map of word vectors with two arrows from bank, one up to the "
          "river words, one right to the money words, and a cross for each plain mean, "
          "close to the arrow's tip. Right: bars of cosine similarity for three pairs "
          "of sentences; attention and the mean of all words differ by at most 0.02, "
          "the mean of the other words parts the meanings most.")

# %% [markdown]
# Attention lowers the cosine of the two banks from 1 to 0.40, the plain mean to 0.42. So the meanings were separated
# by mixing in the **neighbours**, and hardly by **choosing** among them.
#
# Why? The vectors are short, so all scores are nearly equal, and so are the weights.
# With all vectors three times as long, attention lowers the cosine to 0.26, while the mean stays at 0.42
# (["Would larger scores choose better?"](deeper.ipynb)). Dividing all scores by a number below 1 does the same. This number is the
# **temperature**: the lower it is, the sharper the choice.
#
# The word "bank" itself keeps the two alike: without it, the means have the cosine 0.03. (Which words are too common to
# count was our choice, and it matters: ["Did the list of small words choose?"](deeper.ipynb).)

# %% [markdown]
# <!-- interactive page -->
# On the interactive page, move the words in the scene "The same word in two sentences": can you find places where
# choosing matters?

# %% [markdown]
# ## 1.6 One sentence, one vector
#
# Choosing matters most where *training* shapes the questions. In this form attention entered translation in 2014. Until then a
# **recurrent encoder** read the sentence word by word. It kept a state $h$, which every word changed,
#
# $$h_t = \tanh(W x_t + U h_{t-1} + b),$$
#
# and handed the last state to a second network, which wrote the translation from it.

# %% tags=["show"]
# @title The recurrent chain with its one vector
sentence = "muddy water filled the reeds near the bank"
states, _ = nn.RNN(2, 4, batch_first=True)(look_up(sentence)[0][None])   # (1, 5, 4)
fig, axes = plt.subplots(1, 6, figsize=(7, 2.2))
for ax, word, state in zip(axes, content(sentence), states[0]):
    draw_matrix(ax, state[:, None], cmap="PuOr", limits=(-1, 1))
    ax.set(xticks=[], yticks=[], xlabel=word, title="")
    ax.annotate("", (2.2 if ax is not axes[4] else 2.6, 0.5), (1.1, 0.5),
                arrowprops=dict(arrowstyle="-|>", lw=1.5), xycoords="axes fraction")
axes[4].patch.set(edgecolor=OKABE_ITO[3], linewidth=4)
axes[5].axis("off")
axes[5].text(0.4, 0.5, "4 numbers:\nall that is\nhanded over", va="center",
             color=OKABE_ITO[3])
fig.suptitle("However long the sentence, one state goes on", x=0, ha="left",
             fontsize=10)
show(fig, "Five columns of four numbers, the states after each of five words, with an "
          "arrow from each to the next. From the last one an arrow leads to the words: "
          "4 numbers, all that is handed over.")

# %% [markdown]
# Three words or three thousand: all must fit into the same few numbers. This is the **bottleneck**. To measure it, we
# train a small network, the *reader*: it reads random words (so that nothing can be guessed), and then names the word
# at every place. It answers from a weighted sum of its states:
# of the *last* alone, of all with *equal* weights, or of all with weights that it *chooses*, by
# comparing a question for the place with every state.

# %% tags=["show"]
class Reader(nn.Module):
    """Reads a sentence, then names the word that stood at each place."""

    def __init__(self, cell, weigh, words=10, places=24, width=32):
        super().__init__()
        self.weigh = weigh
        self.word, self.place = nn.Embedding(words, width), nn.Embedding(places, width)
        self.encoder = cell(width, width, batch_first=True)
        self.ask = nn.Linear(width, width)
        self.answer = nn.Sequential(nn.Linear(2 * width, 2 * width), nn.ReLU(),
                                    nn.Linear(2 * width, words))

    def forward(self, ids):                              # (batch, seq)
        place = self.place.weight[:ids.shape[1]]
        states, _ = self.encoder(self.word(ids) + place)           # (batch, seq, width)
        questions = self.ask(place).expand_as(states)    # (batch, seq, width)
        scores = questions @ states.transpose(1, 2)      # (batch, question, state)
        if self.weigh != "choose":
            scores = torch.zeros_like(scores)            # equal weights
        if self.weigh == "last":
            scores[:, :, :-1] = float("-inf")            # … of the last state alone
        weights = scores.softmax(dim=-1)
        return self.answer(torch.cat([weights @ states, questions], dim=-1)), weights

# %% tags=["show"]
# @title Training on sentences of 2 to 24 words, and counting what is recalled
LENGTHS = (2, 4, 8, 12, 16, 24)

def train(reader, steps=1000, falling=False):
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.003)
    for step in range(steps):
        if falling:
            optimizer.param_groups[0]["lr"] = 0.003 * (1 - step / steps)
        seq = LENGTHS[step % len(LENGTHS)]
        ids = torch.randint(10, (64, seq), generator=generator).to(device)
        answers, _ = reader(ids)
        loss = F.cross_entropy(answers.flatten(0, 1), ids.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

@torch.no_grad()
def recall(reader, seq):
    """The share of 2,000 new sentences in which the word at each place is named:
    (seq,).
    """
    ids = torch.randint(10, (2000, seq),
                        generator=torch.Generator().manual_seed(seq)).to(device)
    return (reader(ids)[0].argmax(dim=-1) == ids).float().mean(dim=0).cpu()

# %% [markdown]
# **Predict, then run.** A random guess is right one time in ten. From its *last* state alone, the reader with the
# plain cell above names about a fifth of 24 words. What share from *all* 24 states, with equal weights?

# %% tags=["show"]
guess_equal = None     # type a number from 0 to 1, then run the next cell

# %% tags=["show", "tolerance-0.2"]
kinds = {"last state, plain": (nn.RNN, "last"), "last state, gated": (nn.GRU, "last"),
         "equal weights, plain": (nn.RNN, "equal"),
         "chosen weights, plain": (nn.RNN, "choose")}
readers, recalled = {}, {}
threads = torch.get_num_threads()
torch.set_num_threads(1)  # for steps as small as these one core is enough
for name, (cell, weigh) in kinds.items():
    torch.manual_seed(1)
    readers[name] = Reader(cell, weigh).to(device)
    train(readers[name])
    recalled[name] = [recall(readers[name], seq) for seq in LENGTHS]
    long = recalled[name][-1]                            # (24,): by place
    print(f"{name:22s} of 24 words: all {long.mean():.2f}   first {long[0]:.2f}   "
          f"last {long[-1]:.2f}")
torch.set_num_threads(threads)
equal = recalled["equal weights, plain"][-1].mean().item()
check_guess("share of 24 words, equal weights", guess_equal, round(equal, 2))

# %% tags=["show"]
# @title What is recalled, and where the choosing reader looks
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3.3), width_ratios=[1.3, 1])
for (name, places), marker in zip(recalled.items(), "sDo^"):
    means = [share.mean().item() for share in places]
    left.plot(LENGTHS, means, marker=marker, ms=4, label=name)
left.axhline(0.1, color="0.5", ls=":", lw=1)
draw_guess(left, guess_equal)
left.set(xticks=LENGTHS, xlabel="words in the sentence", ylabel="share recalled",
         ylim=(0, 1.05), title="Only chosen weights keep all words")
left.legend(frameon=False, fontsize=8, loc=(0.3, 0.5))
ids = torch.randint(10, (1, 12), generator=torch.Generator().manual_seed(12)).to(device)
with torch.no_grad():
    used = readers["chosen weights, plain"](ids)[1][0]   # (question, state)
image = draw_matrix(right, used, title="The alignment it found", limits=(0, 1),
                    digits=None)
right.set(xlabel="state after word", ylabel="question: the word at place")
fig.colorbar(image, ax=right, label="weight", shrink=0.8)
show(fig, "Left: share of words recalled against sentence length. Chosen weights stay "
          "at 1; the other three readers fall to a third or less at 24 words. Right: "
          "the weights of the reader that chooses, 12 by 12: a dark diagonal.")

# %% [markdown]
# - **A single state keeps only some words**, and which ones depends on the cell. In this run (one random seed) the plain cell knows the end. A *gated* cell
#   (GRU), which learns for each number of its state how much of the old value to keep, knows the beginning.
# - **All states with equal weights hardly help.** Their sum is one vector again, and about a quarter of the words come back
#   (hardly more after three times the training: ["Were the readers trained too briefly?"](deeper.ipynb)).
# - **Chosen weights solve it**: with them the same plain cell loses no word.
#
# The choosing reader was never told where to look. It was given only the right answers, and found
# the **alignment** by itself: the question for place 5 looks at the state after word 5. In a translation the dark cells leave the diagonal and show
# which word came from which (chapter 7).

# %% [markdown]
# Three years later came the bolder step: if looking back works so well, why read in order at all? Let **every word look
# at every word**, and drop the recurrent network. Then no word waits for another, and all are worked on at once
# (["What does it cost to read in order?"](deeper.ipynb)).

# %% [markdown]
# ## 1.7 The road from here
#
# In a language model attention is one part among others; in the small GPT-2 it holds 23 % of the
# parameters (["How much of GPT-2 is attention?"](deeper.ipynb)). What does it do that the others do not? We change one of six tokens and look at each part (chapter 6 explains them; the head here is the output layer): **at which tokens does its output change?**

# %% tags=["show"]
table, head = nn.Embedding(50257, 768), nn.Linear(768, 50257, bias=False)
feed_forward = nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768))
attention = nn.MultiheadAttention(768, 12, batch_first=True)
later = torch.ones(6, 6).triu(1).bool()
parts = {"token table": table, "norm": nn.LayerNorm(768),
         "attention": lambda h: attention(h, h, h, attn_mask=later)[0],
         "feed-forward": feed_forward, "head": head}

@torch.no_grad()
def who_reaches_whom(part, data):
    """(out, in): does the output at one place change if the input at another does?"""
    reached = []
    for place in range(data.shape[1]):
        changed = data.clone()
        changed[:, place] = data[:, (place + 1) % data.shape[1]]
        reached.append(((part(changed) - part(data)).abs().amax(-1) > 1e-6)[0])
    return torch.stack(reached, dim=1).float()

data, patterns = torch.randint(50257, (1, 6)), {}
for name, part in parts.items():
    patterns[name], data = who_reaches_whom(part, data), part(data).detach()
    others = int((patterns[name] - torch.eye(6)).clamp(min=0).sum())
    print(f"{name:13s} pairs of two different words, of 30, that reach: {others}")

# %% tags=["show"]
# @title Which word reaches which
fig, axes = plt.subplots(1, 4, figsize=(7, 2.5))
fig.suptitle("Attention alone carries a change from one word to the others", x=0,
             ha="left", fontsize=10)
for ax, name in zip(axes, ["token table", "attention", "feed-forward", "head"]):
    draw_matrix(ax, patterns[name], cmap="Oranges" if name == "attention" else "Blues",
                limits=(0, 1.6), digits=None)
    ax.set(xlabel="word that changes",
           ylabel="output that notices" if ax is axes[0] else "")
    ax.set_title(name, fontsize=9)
show(fig, "Four parts of a language model, a 6 by 6 table each: in the token table, "
          "the feed-forward network and the head only the diagonal is coloured; "
          "in attention the whole lower triangle.")

# %% [markdown]
# **Attention is the only part in which words exchange information.** (15 pairs and not 30, because a language model may only
# look back.) The next chapters change attention one step at a time (["The four kinds of attention, side by side"](deeper.ipynb)). Each step
# answers a complaint of this chapter:
#
# | what attention cannot do yet | what changes that |
# | --- | --- |
# | nothing can be learned: similarity alone decides, in both directions alike, and a vector's length counts as well | chapter 2: queries, keys, values |
# | every word sees the words that follow; a text generator must not | chapter 3: masks |
# | a word has one way of looking at the others | chapter 4: many heads |
# | a sentence is a bag of words | chapter 5: positions |
#
# ### Make it yours
#
# Write two sentences with "bank" and other words of section 1.1, and say in one sentence what you expect. Then write a
# test: a number that could prove it wrong. No points; whoever teaches the course may read it.

# %% tags=["uses-exercise", "show"]
mine = "the fish moved to the bank", "the loan moved to the bank"
description = "The fish pulls bank to the river, the loan to the money."
(one, i), (two, j) = look_up(mine[0]), look_up(mine[1])
print(description)
print("cosine of the two banks:", round(context_shift(one, two, i, j)[1], 2))
for sentence, known, place in zip(mine, (one, two), (i, j)):
    moved = self_attention_simple(known[None])[0][0, place]
    to_river = F.cosine_similarity(moved, vectors[index["river"]], dim=0).item()
    print(f"{sentence}: bank and river {to_river:.2f}")

# %% [markdown]
# ## Summary
#
# You can now
#
# - **turn dot products into weights** with a softmax of your own that survives scores of ±10,000 and rows of −∞ (1.2, 1.3);
# - **compute self-attention without trained weights**: scores $x x^\top$, softmax along each row, weights times $x$; for
#   "journey" the context is $[0.4419, 0.6515, 0.5683]$ (1.4);
# - **measure how attention moves a word**: the table's one "bank" became two, mostly by mixing, since the scores were nearly equal
#   (1.5). In the reader choosing mattered: it recalled all words, equal weights about a quarter (1.6).
#
# And the question at the start? A word's meaning comes from the words around it, by a weighted sum. In the bank sentences
# similarity chose hardly better than equal weights, because all scores were nearly equal. In the reader, training
# shaped the weights, and they made all the difference.
#
# **Next:** a word must be able to ask for what helps it, and training must be able to improve its question. Chapter 2
# gives every word three roles, a question, a label and a content, each with a matrix that can be trained.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# ## Further reading
#
# - Raschka (2024), *Build a Large Language Model (From Scratch)*, Manning, sections 3.1 to 3.3: the running sentence, its
#   18 numbers and the order of our steps from one query to all.
# - Bahdanau, Cho, Bengio (2014), *Neural Machine Translation by Jointly Learning to Align and Translate*: section 1
#   states the bottleneck, section 3.1 the repair, figure 3 shows alignments.
#   [arXiv:1409.0473](https://arxiv.org/abs/1409.0473)
# - Sutskever, Vinyals, Le (2014), *Sequence to Sequence Learning with Neural Networks*: section 2, one vector for a
#   sentence, and how far it goes. [arXiv:1409.3215](https://arxiv.org/abs/1409.3215)
# - Cho, van Merriënboer, Bahdanau, Bengio (2014), *On the Properties of Neural Machine Translation*: section 5,
#   quality against sentence length. [arXiv:1409.1259](https://arxiv.org/abs/1409.1259)
# - Vaswani and others (2017), *Attention Is All You Need*: sections 1 and 4, why self-attention.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
# - Levy, Goldberg (2014), *Neural Word Embedding as Implicit Matrix Factorization*, NeurIPS 27: sections 3 and 4, why
#   the counting recipe of our section 1.1 and trained word vectors are relatives.
