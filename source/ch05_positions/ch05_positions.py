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
# # 5 · Order
#
# *105 minutes · ●●●○○ · 6 exercises, 11 points · you need chapters 2 to 4*
#
# > **Dog** bites **man**. That is no news.
# >
# > **Man** bites **dog**. That is.
#
# **Does the attention that you built in chapters 2 to 4 know which of the two it has read?** You will measure it, and then let order
# in through three doors: a vector $r$ that is added, a rotation $R$, and a price $m$ of distance.
#
# $$\mathrm{score}_{ij} = \frac{(R_i\,q_i)\cdot(R_j\,k_j)}{\sqrt{d_k}} - m\,|i-j|, \qquad q_i = (x_i + r_i)\,W_q, \quad k_j = (x_j + r_j)\,W_k$$
#
# Of four usual ways to open them, one fails on exactly these two headlines.
#
# **After this chapter you can**
#
# - show, and measure, that attention by itself reads a bag of words;
# - add a position (sinusoidal or learned), turn queries and keys by it (RoPE), or charge for distance (ALiBi);
# - say what a step along the sentence does to each of these encodings, and choose one by what a task asks.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"
torch.manual_seed(5)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)  # for matrices as small as ours one core is enough

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 5.1 A bag of words
#
# Each word gets one vector of 8 numbers, the same wherever it stands. One head of attention, as in chapter 2, reads both headlines:

# %%
generator = torch.Generator().manual_seed(5)
vectors = {
    word: torch.randn(8, generator=generator) for word in ("dog", "bites", "man")}
W = torch.randn(3, 1, 8, 8, generator=generator) / 2  # W_q, W_k and W_v

def embed(sentence):
    return torch.stack([vectors[word] for word in sentence.split()])[None]   # (1, 3, 8)

def attention(x, bias=0.0):  # bias: added to the scores, as a mask of chapter 3 is
    q, k, v = x @ W  # (1, seq, 8) each
    weights = (q @ k.mT / 8 ** 0.5 + bias).softmax(dim=-1)
    return weights @ v, weights

print("dog, who bites:     ", attention(embed("dog bites man"))[0][0, 0, :5])
print("dog, who is bitten: ", attention(embed("man bites dog"))[0][0, 2, :5])

# %% [markdown]
# The dog that bites and the dog that is bitten come out the same. So do the weights:

# %% tags=["show"]
# @title The weights of both headlines
fig, axes = plt.subplots(1, 2, figsize=(7, 3))
for ax, sentence in zip(axes, ("dog bites man", "man bites dog")):
    words, weights = sentence.split(), attention(embed(sentence))[1][0]
    draw_matrix(
        ax, weights, rows=words, columns=words, title=f"“{sentence}”", limits=(0, 1))
    ax.set(xlabel="key", ylabel="query")
    corner = words.index("man") - 0.5, words.index("dog") - 0.5
    ax.add_patch(
        plt.Rectangle(corner, 1, 1, fill=False, edgecolor=OKABE_ITO[3], linewidth=2))
show(fig, alt="Two heatmaps of 3 by 3 attention weights, for 'dog bites man' and for "
              "'man bites dog'. Each pair of words has the same weight in both; only "
              "rows and columns have changed places with the words. The weight of "
              "query dog on key man is framed.")

# %% [markdown]
# The framed weight of query "dog" on key "man" has moved with its row and its column, and has not changed. A score compares two vectors and does
# not ask where they stand, and the sums in softmax and output do not depend on the order of the keys. With $P$ for any reordering of the tokens:
#
# $$\mathrm{attention}(P\,x) = P\;\mathrm{attention}(x)$$
#
# Attention *commutes* with every permutation.
#
# ### Exercise 5.1 · How far from a bag? · 2 points · about 8 minutes
#
# Turn the formula into an instrument. `permutation_gap(attention_fn, x, perm)` gets a function that maps `x` to `(output, weights)`, a
# batch `x`, and an index tensor `perm`: in the reordered sentence, place `i` holds the token that stood at place `perm[i]`. Return the
# largest absolute difference between its two sides. One point each for
#
# - 0 where order makes no difference <!-- asks: values -->, also if `attention_fn` has trainable weights <!-- asks: learning -->; both sides
#   are reordered by `perm`, not by its inverse <!-- asks: inverse, identity -->;
# - a gap that sits in one token, one sentence or one feature only <!-- asks: everywhere -->, whichever sign it has
#   <!-- asks: sign --> and however small it is <!-- asks: small -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The [house rules](#house-rules) hold <!-- asks: non-contiguous, inputs-unchanged -->; empty batches need not work. The gap is a number without a
# gradient <!-- asks: number -->.
# </details>
#
# <details><summary>Hint 1</summary>x is (batch, seq, d_model): which axis does perm index? And which axis of the output?</details>
# <details><summary>Hint 2</summary>A tensor can be indexed with an index tensor along one axis while a colon keeps the others.</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_permutation_gap", "locked": false, "schema_version": 3, "solution": true, "task": false}
def permutation_gap(attention_fn, x, perm):
    """How far attention is from commuting with a reordering of its tokens.

    attention_fn: x -> (output, weights)   x: (batch, seq, d_model)
    perm: (seq,), a permutation of 0 … seq-1
    Returns a float: 0 when reordering before attention and after it give the same
    output.
    """
    ### BEGIN SOLUTION
    reordered_first = attention_fn(x[:, perm])[0]      # attention(P x)
    attended_first = attention_fn(x)[0][:, perm]       # P attention(x)
    return (reordered_first - attended_first).abs().max().item()
    ### END SOLUTION

# %% tags=["uses-exercise"]
def average(x):                       # every token gets the mean of all: knows no order
    return x.mean(dim=1, keepdim=True).expand_as(x), None

def first(x):                         # every token gets the first one, which is 1 or 5
    return x[:, :1].expand_as(x), None

small = torch.tensor([[[1.], [5.]]])                        # two tokens
swap = torch.tensor([1, 0])
ab.beside(0.0, lambda: permutation_gap(average, small, swap))
ab.beside(4.0, lambda: permutation_gap(first, small, swap))

# %% nbgrader={"grade": true, "grade_id": "ch05_permutation_gap_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.1, a bag: 0 where the order makes no difference."""
x_ = torch.tensor([[[1., 0.], [0., 1.], [2., 1.], [-1., 0.]]])   # 1 sentence, 4 tokens
perm_ = torch.tensor([1, 3, 0, 2])
alike_ = torch.tensor([[[1., 0.], [1., 2.], [3., 1.]]])         # 0 and 1 begin alike

def bag_(x):                                           # knows no order
    weights = (x @ x.mT).softmax(dim=-1)
    return weights @ x, weights

def adds_(what):                                       # and here, what it adds
    return lambda x: (bag_(x)[0] + what(x), bag_(x)[1])

hears_first_ = adds_(lambda x: 10 * x[:, :1, :1])
learns_ = torch.eye(2, requires_grad=True)
itself_ = lambda x: (x, bag_(x)[1])
ab.check("5.1 bag", permutation_gap, [
    ab.case("attention that knows no order", bag_, x_, perm_),
    ab.case("all hear who stands first, and perm [1, 2, 0] puts a token there that "
            "sounds like the one before", hears_first_, alike_, torch.tensor([1, 2, 0]),
            hint="Place i holds what stood at perm[i], before and after attention."),
    ab.case("weights that can learn", lambda x: bag_(x @ learns_), x_, perm_,
            look="values inputs"),
    ab.case("x in bfloat16", bag_, x_.bfloat16(), perm_, within=0.1),
    ab.case("two sentences, a transposed view that is not contiguous in memory", bag_,
            torch.cat([x_, x_.flip(1)]).mT.contiguous().mT, perm_),
    ab.case("the inputs stay as they are", bag_, x_, perm_, look="inputs"),
    ab.case("attention whose output is x itself", itself_, x_, perm_,
            look="values inputs", hint="Was x changed in place on the way?"),
], "x, perm -> the gap")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.1 bag", permutation_gap, [ab.case("a bag", bag_, x_, perm_), *cases],
             like=reference("permutation_gap"))

def shuffled(n):
    return ab.numbers(n, seed=n).argsort(stable=True)

def sized(*shape, seed, dtype=torch.float64):
    return ab.case(f"x of shape {shape} in {dtype}", bag_,
                   ab.numbers(*shape, seed=seed, dtype=dtype), shuffled(shape[1]))

def as_plain(words, x, attend=hears_first_):
    order = torch.tensor([2, 0, 1])

    def off(f, x):
        plain, gap = (float(f(*given, order)) for given in (
            (hears_first_, alike_.double()), (attend, x)))
        return abs(gap - plain) / (1 + plain)
    return ab.case(f"{words}: the gap that float64 has", x, ask=off, within=0.05)

# Property: 0 for attention without positions, for every reordering, batch size, size and dtype [values]
tried(sized(3, 7, 5, seed=51), sized(1, 7, 2, seed=52, dtype=torch.float32),
      sized(2, 11, 13, seed=53), sized(7, 7, 7, seed=54),
      *(as_plain(f"x in {dtype}", alike_.to(dtype)) for dtype in (
          torch.bfloat16, torch.float16)))
# Property: both times the order is perm, and not its inverse [inverse]
tried(*(ab.case(f"perm {perm}: the first sounds like the one before", hears_first_,
                alike_[:, order].double(), torch.tensor(perm))
        for order, perm in [([0, 1, 2], [1, 2, 0]), ([0, 2, 1], [2, 0, 1])]))
# Property: attention whose weights can learn is measured as well [learning]
tried(as_plain("weights that can learn", alike_, lambda x: hears_first_(x @ learns_)))
# Property: the gap is a number without a gradient, whatever can learn [number]
tried(ab.case("x and weights that can learn", lambda x: bag_(x @ learns_),
              x_.clone().requires_grad_(), perm_, look="inputs"))
# Property: 0 for a head with its own projections, on a view that is not contiguous [non-contiguous]
W_q, W_k, W_v = ab.numbers(3, 5, 4, seed=55, dtype=torch.float64) / 4

def head(x):
    q, k, v = (x @ W.to(x.dtype) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT).softmax(dim=-1)
    return weights @ v, weights

view = ab.numbers(5, 7, 3, seed=56, dtype=torch.float64).transpose(0, 2)
tried(ab.case("a head of four numbers, a transposed view", head, view, shuffled(7)))
# Property: the identity has no gap, whatever the attention knows of order [identity]
knows, x = adds_(lambda x: torch.arange(7)[:, None] ** 2), ab.numbers(3, 7, 5, seed=57)
tried(ab.case("the identity, squares of the places", knows, x, torch.arange(7)))
# Property: x stays as it was [inputs-unchanged]
tried(*(ab.case(words, attend, x, shuffled(7), look="inputs") for words, attend in [
    ("squares of the places", knows), ("the output is x itself", itself_)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch05_permutation_gap_check_found", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.1, a gap: found in every place, with either sign, however small."""
two_ = torch.cat([x_, x_.flip(1)])                                # 2 sentences
many_ = torch.sin(torch.arange(4000.)).view(2, 40, 50)
whole_ = "Compare token by token, number by number, all of them."
sign_ = "Take absolute values before you add, average or look for the largest."

def gap_(words, attend, x=x_, perm=perm_, hint=whole_):
    return ab.case(f"{words} (a gap above 1 counts as 1)", attend, x, perm,
                   then=lambda gap: gap.clamp(max=1), hint=hint)

def small_(words, attend, x=x_, perm=perm_, most=1e-4):
    return ab.case(f"{words}: a gap above 0 and below {most:g}", attend, x, perm,
                   then=lambda gap: bool(0 < gap < most), hint="Is it rounded, or "
                   "compared with a tolerance or in float32, or yes or no, not a size?")

def alone_(place, heard, perm, x=x_):
    there = (torch.arange(x.size(1)) == place)[:, None]
    return gap_(f"place {place} alone hears who stands at place {heard}, perm {perm}",
                adds_(lambda x: 10 * there * x[:, heard, None, :1]), x,
                torch.tensor(perm))

ab.check("5.1 gap", permutation_gap, [
    ab.case("attention that knows no order", bag_, x_, perm_),
    *(gap_("all hear who stands first, and the outputs differ by 10 or more",
           hears_first_, x_, order, "Was the gap divided by something, or did parts of "
           "it cancel? A distance is never negative.")
      for order in (perm_, perm_.argsort())),
    gap_("each token gets ten times the one before it",
         lambda x: (10 * x.roll(1, 1), bag_(x)[1]), perm=torch.tensor([1, 0, 2, 3])),
    *(gap_(f"10 more at place {t} of sentence {s} in feature {f}, whoever stands there",
           adds_(lambda x, n=8 * s + 2 * t + f: 10 * (
               torch.arange(16) == n).view(2, 4, 2)), two_)
      for s, t, f in [(0, 0, 0), (1, 3, 1), (1, 1, 1)]),
    gap_("two outputs sink by 10, the others stay",
         adds_(lambda x: torch.tensor([10., 10, 0, 0])[:, None] * (x[:, :1, :1] - 1)),
         hint=sign_),
    alone_(3, 0, [1, 0, 2, 3]), alone_(0, 3, [0, 1, 3, 2]),
    small_("all hear a thousandth of who stands first",
           adds_(lambda x: x[:, :1, :1] / 1000), most=0.01),
    small_("all are 1 and a billionth of who stands first, in float64",
           lambda x: (1 + 1e-9 * x[:, :1, :1].expand_as(x), bag_(x)[1]), x_.double()),
    gap_("what one sentence and feature gains, another one loses",
         adds_(lambda x: torch.tensor([[[10., -10.]], [[-10., 10.]]]) * x[:, :1, :1]),
         torch.cat([x_, x_]), hint=sign_),
    gap_("the last of 4000 numbers alone hears who stands first",
         adds_(lambda x: 1e6 * x[-1, 0, 0] * (many_ == many_[-1, -1, -1])), many_,
         torch.tensor([1, 0, *range(2, 40)])),
], "x, perm -> the gap")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.1 gap", permutation_gap, [ab.case("a bag", bag_, x_, perm_), *cases],
             like=reference("permutation_gap"))

x = ab.numbers(3, 7, 5, seed=61, dtype=torch.float64)
perm = torch.tensor([3, 0, 4, 6, 1, 2, 5])
squares = torch.arange(1, 8, dtype=torch.float64)[:, None] ** 2

def numbered(words, *place):
    there = torch.zeros(3, 7, 5, dtype=torch.float64)
    there[place] = 10.
    return gap_(f"the squares of the places are added {words}",
                adds_(lambda x: there * squares), x, perm)

# Property: a gap is found whichever token, sentence of the batch or feature it is in [everywhere]
every = slice(None)
tried(numbered("everywhere", every),
      *(numbered(f"at place {t}", every, t) for t in (0, 3, 6)),
      *(numbered(f"in sentence {s}", s) for s in (0, 2)),
      *(numbered(f"in feature {f}", ..., f) for f in (0, 4)),
      *(alone_(*three, x[:, :5].clone()) for three in [
          (0, 4, [0, 1, 2, 4, 3]), (4, 0, [1, 0, 2, 3, 4]), (2, 0, [1, 0, 2, 3, 4])]),
      gap_("the last token of 67 in the last sentence of 9 hears who stands first",
           adds_(lambda x: 1e5 * x[8:, :1] * (
               torch.arange(603) == 602).view(9, 67, 1)),
           ab.numbers(9, 67, 2, seed=62), torch.tensor([1, 0, *range(2, 67)])))
# Property: a gap is found where reordering makes numbers smaller and none larger [sign]
lower, ones = torch.zeros(1, 7, 2), torch.zeros(2, 4, 3)
lower[0, 0, 0], lower[0, 3, 0], ones[:, 0, 0] = 1., -1., 1.
signs = {"one feature rises": torch.tensor([0., 0., 10.]),
         "one feature sinks": torch.tensor([0., 0., -10.]),
         "one sentence rises, another one sinks": torch.tensor([[[10.]], [[-10.]]]),
         "one feature rises, another one sinks": torch.tensor([10., 0., -10.])}
tried(gap_("two outputs sink by 10, the others stay", adds_(
          lambda x: 10 * x[:, :1, :1] * torch.eye(7)[:, :1]), lower, perm, sign_),
      *(gap_(words, adds_(lambda x, move=move: move * x[:, :1, :1]), ones,
             torch.tensor([3, 0, 1, 2]), sign_) for words, move in signs.items()),
      gap_("all outputs change their sign, and no token its length",
           lambda x: (100 * bag_(x)[0] * (1 - 2 * x[:, :1, :1]), bag_(x)[1]), ones,
           torch.tensor([3, 0, 1, 2]), "Compare the numbers themselves."))
# Property: a small gap is not rounded away, and a larger one is larger [small]
def one_large_feature(x):
    first = x[:, :1, :1].expand(-1, x.size(1), 1)
    return torch.cat([0 * first + 1e6, 1e-10 * first], dim=-1), bag_(x)[1]

tried(*(small_(f"the squares of the places times {size:g}",
               adds_(lambda x, size=size: size * squares), x, perm)
        for size in (1e-8, 1e-12)),
      small_("the largest feature is 1,000,000 for every order, another one moves by "
             "1e-10", one_large_feature, x_.double()))
### END HIDDEN TESTS

# %% [markdown]
# Now nine words, and PyTorch's own layer:

# %% tags=["uses-exercise"]
x = torch.randn(2, 9, 8, generator=generator)
perm = torch.randperm(9, generator=generator)
pytorch = nn.MultiheadAttention(8, num_heads=4, batch_first=True).requires_grad_(False)
print(f"attention              {permutation_gap(attention, x, perm):.4f}")
print("nn.MultiheadAttention  "
      f"{permutation_gap(lambda x: pytorch(x, x, x), x, perm):.4f}")

# %% [markdown]
# **Predict, then run.** Now the causal mask of chapter 3 goes over `attention`. Still nothing tells a word its position. How large is the gap now?

# %% tags=["show"]
guess_gap = None      # type a number: 0, or about how large?

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
future = torch.full((9, 9), -torch.inf).triu(1)
check_guess("gap under a causal mask", guess_gap, round(
    permutation_gap(lambda x: attention(x, bias=future), x, perm), 2))

# %% [markdown]
# The gap is far from 0. Under the mask a word sees itself and the words before it, and the reordering changes which words those are. So a
# decoder without positions can tell something about the order. An encoder, in which every word sees every other, can tell nothing.
#
# ### What breaks if positions are left out?
#
# This model reads a sentence and answers with a word. It has one layer of attention, with the fused projection of chapter 4, and **three doors** for order, shut for now.

# %%
class Reader(nn.Module):
    """One layer of attention with three doors for order."""

    def __init__(self, vocab, d_model=32, num_heads=4, add=lambda x: x,
                 turn=lambda x: x, bias=lambda num_heads, seq, device: 0.0):
        super().__init__()
        self.num_heads, self.add, self.turn, self.bias = num_heads, add, turn, bias
        self.embedding = nn.Embedding(vocab, d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.head = nn.Linear(d_model, vocab)

    def forward(self, ids, causal=False):
        x = self.add(self.embedding(ids))  # (batch, seq, d_model)              door 1
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for part in self.qkv(x).chunk(3, dim=-1))  # (batch, heads, seq, 8)
        q, k = self.turn(q), self.turn(k)                                     # door 2
        scores = q @ k.mT / q.size(-1) ** 0.5  # (batch, heads, seq, seq)
        scores = scores + self.bias(self.num_heads, ids.size(1), ids.device)  # door 3
        if causal:
            future = torch.ones_like(scores[0, 0]).triu(1).bool()
            scores = scores.masked_fill(future, -torch.inf)
        output = (scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2)
        return self.head(output)  # (batch, seq, vocab)

# %% [markdown]
# The task: read "A bites B", answer A. There are ten nouns (0 to 9) and two verbs, and each pair comes in both orders; a fifth of the pairs is held out.

# %%
def fit(reader, loss_of, steps):
    """Train; loss_of() is the loss of one step. Returns the last loss."""
    optimizer = torch.optim.AdamW(reader.to(device).parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        loss = loss_of()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return loss.item()

sentences = torch.tensor([[a, verb, b] for a in range(10) for b in range(10)
                          for verb in (10, 11) if a != b], device=device)  # (180, 3)
held_out = (sentences[:, 0] + sentences[:, 2]) % 5 == 0
train, test = sentences[~held_out], sentences[held_out]

def who_bites(reader, steps=120, causal=False):
    """The last loss, and the share of right answers in held-out sentences."""
    votes = lambda ids: reader(ids, causal).mean(dim=1)  # all three tokens vote
    loss = fit(reader, lambda: F.cross_entropy(votes(train), train[:, 0]), steps)
    right = votes(test).argmax(dim=-1) == test[:, 0]
    return loss, right.float().mean().item()

# %% tags=["show", "tolerance-0.05"]
print(f"ln 2 = {math.log(2):.2f}")
for d_model, steps in [(32, 120), (96, 240)]:
    loss, right = who_bites(Reader(12, d_model), steps)
    print(f"width {d_model}, {steps} steps: loss {loss:.2f}, right {right:.2f}")

# %% [markdown]
# The loss stays at $\ln 2$, the loss of tossing a coin between two nouns. Three times the width and twice the training change
# nothing: both headlines get the same logits, so one of the two answers is wrong.

# %% [markdown]
# ## 5.2 Counting in waves
#
# Door 1 gives each position a vector $r$ and adds it to the word's. Here are four of the eight numbers, with a random $r$:

# %% tags=["show"]
# @title Word + place, for both headlines
r = torch.randn(3, 8, generator=generator)
fig, axes = plt.subplots(2, 3, figsize=(7, 3.6), sharey="row")
for row, sentence in zip(axes, ("dog bites man", "man bites dog")):
    words, x = sentence.split(), embed(sentence)[0]
    for ax, matrix, title in zip(row, (x, r, x + r), ("word x", "place r", "x + r")):
        draw_matrix(ax, matrix[:, :4], rows=words, title=title, cmap="PuOr", digits=1,
                    limits=(-4, 4))
        ax.set_xticks([])
        ax.add_patch(plt.Rectangle((-0.5, words.index("dog") - 0.5), 4, 1, fill=False,
                                   edgecolor=OKABE_ITO[3], linewidth=2))
show(fig, alt="For 'dog bites man' and 'man bites dog' three small matrices each: word "
              "vectors, plus position vectors, equals their sum. The row of dog is "
              "framed: the same four numbers in both word matrices, other numbers in "
              "the two sums, because dog stands at another place.")

# %% [markdown]
# On the left the framed rows of "dog" are equal, on the right they are not. Which $r$ is good? The number of the position itself,
# added to every entry, drowns the words at position 500:

# %%
dog, man = vectors["dog"], vectors["man"]
print(f"cosine similarity of dog and man {F.cosine_similarity(dog, man, dim=0):.2f}, "
      f"500 added: {F.cosine_similarity(dog + 500, man + 500, dim=0):.2f}")

# %% [markdown]
# Divided by the sentence's length it would stay small, but then the size of a step depends on the sentence. Counting in
# bits needs no length, but it jumps: from 7 to 8 four bits flip at once. Replace each bit by a wave, and the jumps are gone:

# %% tags=["show"]
# @title Counting in bits, counting in waves
positions = torch.arange(32)
bits = torch.stack([positions // 2 ** j % 2 for j in range(5)])  # (5, 32)
waves = torch.stack(
    [torch.sin(2 * math.pi * positions / 2 ** (j + 2)) for j in range(5)])  # (5, 32)
fig, axes = plt.subplots(2, 1, figsize=(7, 3.6))
for ax, table, low, name in zip(axes, (bits, waves), (0, -1), ("bit", "wave")):
    ax.imshow(table, cmap="PuOr" if low else "Blues", aspect="auto", vmin=low, vmax=1)
    steps = table.diff(dim=1).float().norm(dim=0)  # (31,) from each column to the next
    ax.set(ylabel=name, yticks=range(5), title=f"Counting in {name}s: a step is "
           f"{steps.min():.2f} to {steps.max():.2f} long")
    ax.spines[:].set_visible(False)
axes[1].set_xlabel("position")
show(fig,
     alt="Two striped heatmaps over positions 0 to 31. Above, five bits of a binary "
         "counter, switching between light and dark every 1, 2, 4, 8 and 16 positions. "
         "Below, five sine waves of lengths 4 to 64, shading smoothly.")

# %% [markdown]
# A sine alone has the same values going up and down. Together, sine and cosine give the hand of a clock.

# %% [markdown]
# A hand turns by $\omega$, in radians, at each step:

# %%
def hand(position, omega):
    """One hand of the clock: (sine, cosine)."""
    angle = torch.as_tensor(position * omega)
    return torch.stack([angle.sin(), angle.cos()], dim=-1)

print("slow hand, positions 0 to 4\n", hand(torch.arange(5), 0.1))

# %% [markdown]
# An encoding of width $d$ has $d/2$ hands, from fast to very slow. Hand $i$ fills columns $2i$ and $2i+1$ of row $p$:
#
# $$\mathrm{PE}[p,\,2i] = \sin(p\,\omega_i), \qquad \mathrm{PE}[p,\,2i+1] = \cos(p\,\omega_i), \qquad \omega_i = 10000^{-2i/d}$$
#
# For $d = 8$ the four $\omega_i$ are $1, 0.1, 0.01, 0.001$: one turn takes about 6 positions for the fast hand, and 6283 for the slowest.
#
# ### Exercise 5.2 · The sinusoidal encoding · 2 points · about 10 minutes
#
# Build the table, row $p$ for position $p$. One point is for even widths, one for odd widths, where the same formula holds and the last sine has no cosine.
#
# **It must also** work for every length and width, down to one column <!-- asks: values, odd -->, be as precise at position
# 1500 as at position 1 <!-- asks: far -->, give a position the same row however long the table is <!-- asks: sizes -->, and make
# the table on `device`, for odd widths too <!-- asks: device, odd-device -->.
#
# <details><summary>Hint 1</summary>All angles at once: a column of positions times a row of frequencies, (max_len, 1) and (1, number of hands).</details>
# <details><summary>Hint 2</summary>An empty table can be filled through slices with a step of 2. How many columns does each have when d_model is 5?</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_sinusoidal_encoding", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal_encoding(max_len, d_model, device=None):
    """The fixed position table of the 2017 Transformer: sine in even columns, cosine in
    odd ones.

    Returns (max_len, d_model); d_model may be odd.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(max_len, device=device)[:, None]  # (max_len, 1)
    columns = torch.arange(d_model, device=device)  # (d_model,)
    # (max_len, d_model)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
    ### END SOLUTION

# %% tags=["uses-exercise"]
# position 0: every sine is 0, every cosine is 1
ab.beside([0.0, 1.0, 0.0, 1.0], lambda: sinusoidal_encoding(2, 4)[0])
# one hand, which has turned by 1 radian
ab.beside([math.sin(1), math.cos(1)], lambda: sinusoidal_encoding(2, 2)[1])
ab.beside((7, 3), lambda: tuple(sinusoidal_encoding(7, 3).shape))

# %% nbgrader={"grade": true, "grade_id": "ch05_sinusoidal_encoding_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.2, even widths: two hands, a far position, a long table, the device."""
def row_(p, max_len, d_model, hint):
    return ab.case(f"row {p} of sinusoidal_encoding({max_len}, {d_model})",
                   ask=lambda f: f(max_len, d_model)[p], hint=hint)

ab.check("5.2 even widths", sinusoidal_encoding, [
    ab.case("3 positions, width 4", 3, 4),
    row_(301, 302, 2, "Far positions are as exact as near ones."),
    row_(5, 12001, 4, "A position has the same row however long the table is."),
    ab.case("what may learn", 3, 4, look="inputs"),
    ab.case("device='meta'", 3, 4, device="meta", look="device"),
], "max_len, d_model, device -> the table")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.2 even widths", sinusoidal_encoding, [ab.case("(3, 4)", 3, 4), *cases],
             like=reference("sinusoidal_encoding"))

# Property: the table is right for every length and every even width [values]
tried(*(ab.case(f"{size}", *size) for size in [
    (7, 10), (13, 2), (1, 8), (5, 34), (31, 6), (2, 512)]))
# Property: far positions are as precise as near ones [far]
tried(ab.case("(3001, 16)", 3001, 16, within=6e-3,
              hint="Are the angles computed in less than single precision?"))
# Property: the same row stands for a position however long the table is [sizes]
tried(ab.case("11 rows of a table of 29, and of one of 11",
              ask=lambda f: f(29, 12)[:11] - f(11, 12)))
# Property: the whole table is made on the device asked for [device]
tried(ab.case("without a device: PyTorch's default", 11, 6, device=None),
      *(ab.case("on another device", 11, 6, device=place, look="device")
        for place in ("meta", torch.device("meta"))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch05_sinusoidal_encoding_check_odd", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.2, odd widths: the last sine stands alone."""
ab.check("5.2 odd widths", sinusoidal_encoding, [
    ab.case("3 positions, width 5, read from the last number to the first", 3, 5,
            ask=lambda f, *size: f(*size).flip(0, 1)),
    ab.case("2 positions, width 1", 2, 1),
], "max_len, d_model -> the table")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.2 odd widths", sinusoidal_encoding, cases,
             like=reference("sinusoidal_encoding"))

# Property: odd widths follow the same formula, up to a single column [odd]
tried(*(ab.case(f"{size}", *size) for size in [
    (11, 7), (7, 1), (2, 13), (17, 3), (4, 101)]))
# Property: odd widths can be made on any device [odd-device]
even, odd = (ab.case(f"width {width}, on another device", 5, width, device="meta",
                     look="device") for width in (6, 7))
try:
    tried(even)
except AssertionError:  # not of odd widths alone: the check of even ones counts it
    pass
else:
    tried(odd)
### END HIDDEN TESTS

# %% [markdown]
# Your table, four of its columns, and dot products of its rows:

# %% tags=["show", "uses-exercise"]
# @title The table, single columns, dot products of rows
pe = sinusoidal_encoding(100, 64)
fig, axes = plt.subplot_mosaic([["top", "top"], ["left", "right"]], figsize=(7, 6))
top, left, right = axes.values()
image = top.imshow(
    pe.numpy(), cmap="PuOr", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
top.set(title="Each row is the name of a position: fast hands left, slow ones right",
        xlabel="column", ylabel="position")
fig.colorbar(image, ax=top, pad=0.01)
for column in (8, 9, 20, 32):
    left.plot(pe[:, column].numpy(), label=f"column {column}")
left.set(title="Columns are waves", xlabel="position", ylim=(-1.1, 1.9))
for position, style in [(20, "-"), (45, "--"), (70, ":")]:
    distance, product = torch.arange(100) - position, pe @ pe[position] / 32
    right.plot(distance.numpy(), product.numpy(), style, label=f"seen from {position}")
right.set(title="Dot product: distance decides", xlabel="distance", xlim=(-30, 30),
          ylim=(-0.1, 1.4))
for ax in (left, right):
    ax.legend(frameon=False, fontsize=8, ncols=2, loc="upper center")
show(fig,
     alt="Above, the sinusoidal encoding of 100 positions in 64 columns as a heatmap: "
         "narrow stripes on the left that widen to the right, where columns hardly "
         "change. Below left, four of its columns as waves: 8 and 9 equally fast and "
         "shifted by a quarter, 20 and 32 slower. Below right, the dot product of rows "
         "20, 45 and 70 with all others against distance: the three curves lie on top "
         "of each other, with a peak at 0.")

# %% [markdown]
# Columns 8 and 9 are equally fast, a quarter turn apart. And the dot product of two rows depends on their **distance** alone.
#
# ### Why may a position be added to a word?
#
# Attention gets only the sum $x + r$. Does the place spoil the word? Multiply out the score of two such sums, with $A = W_q W_k^\top$. It has
# **four terms**:
#
# $$(x + r)\,A\,(x' + r')^\top = \underbrace{x A x'^\top}_{\text{word, word}} + \underbrace{x A r'^\top}_{\text{word, place}}
# + \underbrace{r A x'^\top}_{\text{place, word}} + \underbrace{r A r'^\top}_{\text{place, place}}$$
#
# For random words and places the mixed terms are noise, which shrinks with $1/\sqrt d$, because random directions in a wide
# space are nearly at right angles. From the sum alone, word and place can be told nearly always at width 512, rarely at width 8 (["Does a place spoil the word?"](deeper.ipynb)). So **in a wide space adding does no harm, if word and
# place are about equally long**. (Much shorter words would drown; so chapter 7 multiplies them by $\sqrt d$.)
#
# ## 5.3 A step is a turn
#
# In many texts you will read: "$\mathrm{PE}[p+k] - \mathrm{PE}[p]$ is the same for every $p$". **Predict, then run:** a hand with $\omega = 0.2$ takes 4 steps from position 0. The difference of end and start is an arrow. What is the angle, in degrees, between it and the arrow that starts at position 10?

# %% tags=["show"]
guess_angle = None     # type a number of degrees: 0, if the arrows are the same

# %%
k, omega = 4, 0.2
for p in (0, 5, 10):
    difference = hand(p + k, omega) - hand(p, omega)
    print(f"p = {p:2d}   difference {difference}   its length {difference.norm():.4f}")

# %% tags=["show"]
cosine = F.cosine_similarity(hand(k, omega) - hand(0, omega), difference, dim=0).item()
check_guess("degrees between the differences at 0 and at 10", guess_angle,
            round(math.degrees(math.acos(cosine)), 1))

# %% [markdown]
# The arrows are equally long, but do not point the same way. <!-- told --> Four of them:

# %% tags=["show"]
# @title Four arrows, and the difference as a wave
fig, axes = plt.subplots(1, 2, figsize=(7, 3.3))
axes[0].plot(*hand(torch.arange(64), 0.1).T.numpy(), color="lightgrey")
for color, p in zip(OKABE_ITO, (0, 5, 10, 15)):
    start, end = hand(p, omega), hand(p + k, omega)
    axes[0].plot([start[0], 0, end[0]], [start[1], 0, end[1]], ":", color=color)
    axes[0].annotate("", xy=end.tolist(), xytext=start.tolist(), arrowprops=dict(
        arrowstyle="-|>", color=color, linewidth=1.8, shrinkA=0, shrinkB=0))
    axes[0].text(*(1.22 * start).tolist(), f"p = {p}", ha="center", va="center",
                 color=color, fontsize=8)
axes[0].set(aspect="equal", xlim=(-1.5, 1.5), ylim=(-1.45, 1.45), xlabel="sine",
            ylabel="cosine", title=f"{k} steps: another arrow, the same angle")
start = torch.arange(60)
lines = axes[1].plot((hand(start + k, omega) - hand(start, omega)).numpy())
axes[1].set(title=f"PE[p+{k}] − PE[p] of this hand: waves", xlabel="p",
            ylim=(-0.95, 1.35))
axes[1].legend(lines, ["in the sine column", "in the cosine column"], frameon=False)
show(fig,
     alt="Left, a circle with four arrows, each from the hand at position p to the "
         "hand at p plus 4, for p = 0, 5, 10, 15. The arrows are equally long but "
         "point in different directions; each spans the same angle. Right, the two "
         "components of the difference against p: two waves, not constants.")

# %% [markdown]
# What the arrows share is the **angle** they span: $k$ steps turn the hand by $k\omega$, from wherever
# it starts. The formulas for the sine and cosine of a sum say so:
#
# $$\begin{aligned}\sin((p+k)\,\omega) &= \phantom{-}\cos(k\omega)\,\sin(p\,\omega) + \sin(k\omega)\,\cos(p\,\omega)\\
# \cos((p+k)\,\omega) &= -\sin(k\omega)\,\sin(p\,\omega) + \cos(k\omega)\,\cos(p\,\omega)\end{aligned}$$
#
# On the right $p$ stands only inside the old hand; the coefficients depend on $k$ alone. So there is one matrix $M_k$, a rotation, with
#
# $$\mathrm{PE}[p+k] = M_k\,\mathrm{PE}[p] \qquad\text{for every } p$$

# %% [markdown]
# ### Exercise 5.3 · The matrix that moves by k · 2 points · about 12 minutes
#
# Build $M_k$ for the whole encoding, `d_model` even, each hand with its own $\omega_i$; a negative $k$ moves back. One point each for
#
# - the rotation itself, and not a matrix that only happens to fit one table <!-- asks: rotation -->, for every even
#   width <!-- asks: values -->, made on `device` <!-- asks: device -->;
# - every step, from every position <!-- asks: steps -->: $k = 0$ moves nothing <!-- asks: zero -->, and $-k$ undoes what
#   $k$ did <!-- asks: inverse -->.
#
# <details><summary>Hint 1</summary>For d_model = 2 write the formulas as "new hand = matrix times old hand".</details>
# <details><summary>Hint 2</summary>With d_model = 4 the two hands do not mix. Which of the sixteen entries are 0?</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_shift_matrix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_matrix(k, d_model, device=None):
    """The rotation that moves a sinusoidal encoding by k positions: pe[p + k] = M @
    pe[p] for every p.

    k: int, may be negative   d_model: even   Returns M: (d_model, d_model)
    """
    ### BEGIN SOLUTION
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):                       # one block for each hand
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M
    ### END SOLUTION

# %% tags=["uses-exercise"]
# one hand, ω = 1: three steps turn it by 3 radians, from sin 0 and cos 0
noon = torch.tensor([0., 1.])
ab.beside([math.sin(3), math.cos(3)], lambda: shift_matrix(3, 2).float() @ noon)
ab.beside((6, 6), lambda: tuple(shift_matrix(3, 6).shape))

# %% nbgrader={"grade": true, "grade_id": "ch05_shift_matrix_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.3, the rotation: each hand turns by its own angle."""
ab.check("5.3 rotation", shift_matrix, [
    ab.case("k = 3, d_model = 4", 3, 4),
    ab.case("k = 1, d_model = 10, without the first hand", 1, 10, within=1e-5,
            ask=lambda f, *size: f(*size)[2:, 2:],
            hint="No entry is rounded or left out."),
    *(ab.case(f"k = {k}, device='meta'", k, 4, device="meta", look="device")
      for k in (3, 0)),
], "k, d_model, device -> M")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.3 rotation", shift_matrix, [ab.case("(3, 4)", 3, 4), *cases],
             like=reference("shift_matrix"))

def sized(k, d_model, **options):
    return ab.case(f"k = {k}, d_model = {d_model}", k, d_model, **options)

# Property: pe[p + k] = M pe[p] for every width [values]
tried(*(sized(*size) for size in [
    (1, 2), (5, 6), (7, 10), (13, 14), (2, 26), (2, 128)]))
# Property: M is the rotation itself, hand by hand, and not only right on the rows of a table [rotation]
tried(sized(3, 8), sized(11, 6), sized(29, 2))
# Property: the matrix is made on the device asked for [device]
tried(sized(2, 6, device=None), sized(2, 6, device="meta", look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch05_shift_matrix_check_steps", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.3, every step: one matrix for all positions, forward, back, far, none."""
def moved_(k, p=5):
    # with two hands, ω = 1 and ω = 0.01
    place = torch.tensor([p, p, p / 100, p / 100], dtype=torch.float64)
    pe = torch.where(torch.tensor([True, False, True, False]), place.sin(), place.cos())
    return ab.case(f"M pe[{p}] for k = {k}, d_model = 4", k, 4, within=1e-3,
                   ask=lambda f, k, d_model: f(k, d_model).double() @ pe)

ab.check("5.3 every step", shift_matrix, [
    moved_(3), moved_(3, 500), moved_(1), moved_(-3), moved_(0), moved_(-20),
    moved_(1501), moved_(40009),
], "M, k -> M pe[p]")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.3 every step", shift_matrix, [moved_(3), *cases],
             like=reference("shift_matrix"))

def together(one, other, d_model):
    return ab.case(f"d_model = {d_model}: {one} and {other} steps are {one + other}",
                   within=1e-3, ask=lambda f: (f(one, d_model) @ f(other, d_model)
                                               - f(one + other, d_model)).abs().max())

# Property: forward and back, from every position [steps]
tried(*(moved_(k, p) for k in (2, -7, 113, -301, 1009) for p in (0, 7, 1901)))
# Property: k = 0 moves nothing [zero]
tried(moved_(0, 3), moved_(0, 1500))
# Property: steps add up, and a step back undoes a step forward [inverse]
tried(*(together(*steps) for steps in [
    (4, 7, 10), (5, -5, 10), (-7, 0, 10), (112, 1, 14), (0, -1, 26), (-300, -1, 6),
    (1500, 1, 4)]))
### END HIDDEN TESTS

# %% [markdown]
# Queries and keys are made by matrices, so a head can contain $M_k$. Here each key is the encoding of its place, and each query is $M_{-3}$ times the encoding of its own:

# %% tags=["uses-exercise"]
pe = sinusoidal_encoding(40, 16)
queries = pe @ shift_matrix(-3, 16).T  # (40, 16): where I was three steps ago
weights = (15 * queries @ pe.T / 16 ** 0.5).softmax(dim=-1)  # (40, 40); 15: sharp
found = weights.argmax(dim=-1)  # the key that each query looks at most
print("queries 3, 10, 39 look at:", found[[3, 10, 39]].tolist())
print("all from 3 to 39 look three back:", bool((found[3:] == torch.arange(37)).all()))

# %% tags=["show", "uses-exercise"]
# @title A matrix of turns, and a head that looks three back
fig, axes = plt.subplots(1, 2, figsize=(7, 3.4))
draw_matrix(axes[0], shift_matrix(-8, 6), cmap="PuOr", limits=(-1, 1),
            title="M₋₈ for d = 6: each hand has its own speed")
axes[0].set(xlabel="old column", ylabel="new column")
image = axes[1].imshow(weights.numpy(), cmap="Blues", vmin=0)
axes[1].plot([3, 39], [3, 39], color="grey", linewidth=0.8, linestyle=":")
axes[1].set(title="Made by hand: three back, from row 3 on",
            xlabel="key position", ylabel="query position")
fig.colorbar(image, ax=axes[1], label="weight", shrink=0.8)
show(fig, alt="Left, the 6 by 6 matrix of a shift by minus 8: zero except for three "
              "2 by 2 blocks on the diagonal. Right, the attention weights of a head "
              "made from the shift by minus 3: a sharp stripe three places below the "
              "dotted diagonal.")

# %% [markdown]
# With one fixed matrix every query from position 3 on looks three back.
#
# ## 5.4 A learned table
#
# Positions can be learned like words: GPT-2 small has a table of 1024 trainable rows, one for each position. `nn.Embedding` is such a table.
# With five rows, what does it give for position 5?

# %%
table = nn.Embedding(5, 3)  # 5 rows of 3 numbers, random at first
print("rows 0 and 2:\n", table(torch.tensor([0, 2])).detach())
try:
    table(torch.tensor([5]))
except IndexError as error:
    print("row 5:", error)

# %% [markdown]
# There is no row 5, and the message does not name the index. A good module checks first and says what is wrong.
#
# ### Exercise 5.4 · Learned positions · 1 point · about 6 minutes
#
# Complete `LearnedPositions`: an `nn.Embedding` named `table`, whose first rows are added to the tokens of every sentence. When the sentence is longer than the table, raise a `ValueError` whose message holds both lengths, the sentence's and the table's <!-- asks: errors -->.
#
# Lengths go up to the full table, training and evaluation are alike <!-- asks: values -->, and only the table is trained <!-- asks: state -->, in the rows that were used <!-- asks: gradient -->. The [house rules](#house-rules)
# hold <!-- asks: inputs-unchanged, device -->.
#
# <details><summary>Hint</summary>On a GPU the module's table lives on the GPU. Where do your indices live, if you use any?</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_learned_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LearnedPositions(nn.Module):
    """Adds a trainable vector for each position: x + table[:seq]."""

    def __init__(self, max_len, d_model):
        super().__init__()
        ### BEGIN SOLUTION
        self.table = nn.Embedding(max_len, d_model)
        ### END SOLUTION

    def forward(self, x):
        """x: (batch, seq, d_model) -> the same shape; a ValueError where seq is more
        than max_len.
        """
        ### BEGIN SOLUTION
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(
                f"{seq} tokens, but the table has rows for {max_len} positions only")
        return x + self.table.weight[:seq]  # (batch, seq, d_model) + (seq, d_model)
        ### END SOLUTION

# %% tags=["uses-exercise"]
def two_tokens():
    module = LearnedPositions(2, 1)  # two positions, one number each
    with torch.no_grad():
        module.table.weight.copy_(torch.tensor([[10.], [20.]]))
    return module(torch.tensor([[[1.], [2.]]])).flatten()   # one sentence of two tokens

ab.beside([11.0, 22.0], two_tokens)

# %% nbgrader={"grade": true, "grade_id": "ch05_learned_positions_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.4: the first rows are added, and a sentence that is too long is told
so."""
rows_ = torch.tensor([[10., 11.], [20., 22.], [30., 33.], [40., 44.], [50., 55.]])
of_, still_ = (
    ab.module(5, 2, train=mode, weights={"table": rows_}) for mode in (True, False))
x_ = torch.tensor([[[1., 2.], [3., 4.], [5., 6.]], [[0., 0.], [7., 0.], [0., 8.]]])

def learned_(module, x):
    module(x.clone())
    with torch.no_grad():
        module.table.weight.neg_()
    return module(x)

def refused_(module, x, rows, device="cpu"):
    try:
        module.to(device)(x.to(device))
    except Exception as error:
        if "meta tensor" in str(error):  # it looks at a number, and a GPU has that
            return True, True
        if not isinstance(error, ValueError):
            raise
        return str(x.size(1)) in str(error), str(rows) in str(error)
    return "no error"

from contextlib import suppress

from torch.utils._python_dispatch import TorchDispatchMode

class Ids_(TorchDispatchMode):
    """Notes whether a table is asked for ids that are on another device."""
    met = False
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.met |= (func is torch.ops.aten.embedding.default
                     and args[0].device != args[1].device)
        return func(*args, **(kwargs or {}))

def looked_up_(module, x):
    with Ids_() as ids, suppress(RuntimeError):       # it asked for a number, as it may
        module.to("meta")(x.to("meta"))
    return ("ids on the CPU for a table on another device" if ids.met else
            "ids and their table on one device")

def too_long_(of, rows, seq=7, **device):
    mode = "training" if of.train else "evaluation"
    mode += f", {device}" if device else ""
    return ab.case(f"{seq} tokens, {rows} row(s), {mode}: a ValueError that names both "
                   "lengths", torch.zeros(1, seq, 2), rows, of=of, ask=refused_,
                   hint="Compare the lengths yourself.", **device)

two_ = ab.case("2 sentences of 3 tokens, a table of 5 rows", x_, of=of_)
full_ = ab.case("6 sentences of 5 tokens, a table of 5 rows", ab.numbers(6, 5, 2),
                of=of_)
ab.check("5.4", LearnedPositions, [
    ab.case("LearnedPositions(5, 2)", look="parameters",
            of=ab.module(5, 2, weights={})),
    two_, full_, *ab.house_rules(two_, only="inputs"),
    two_.but("the same two tokens, twice", steps=[("", x_[:, :2]), ("", x_[:, :2])]),
    *(two_.but(f"the table has learned, {mode}", of=of, ask=learned_,
               hint="Is anything kept from one call to the next?")
      for mode, of in (("training", of_), ("evaluation", still_))),
    two_.but("evaluation", of=still_, look=("values", "gradient")),
    *ab.house_rules(two_, but="axes inputs"), *ab.house_rules(full_, only="gradient"),
    ab.case("token 257 of 258 in bfloat16", torch.zeros(1, 258, 2).bfloat16(),
            of=ab.module(258, 2), ask=lambda module, x: module(x)[:, -1],
            hint="Positions are whole numbers, and bfloat16 has no 257."),
    too_long_(of_, 5), too_long_(still_, 5), too_long_(ab.module(1, 2), 1),
    too_long_(of_, 5, device="meta"),
    two_.but("another device, as a GPU", ask=looked_up_),
], "x -> x with positions")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.4", LearnedPositions, cases, like=reference("LearnedPositions"))

def sized(batch, seq, max_len, d_model, dtype=torch.float32, train=True, **options):
    x = ab.numbers(batch, d_model, seq, seed=seq, dtype=dtype).mT   # not contiguous
    return ab.case(f"{batch} sentences, {seq} of {max_len} positions, {dtype}, "
                   f"{'training' if train else 'evaluation'}", x,
                   of=ab.module(max_len, d_model, train=train), **options)

# Property: the first rows are added to every sentence, for any batch, length up to the end of the table and dtype [values]
tried(*(sized(*size, dtype=dtype, train=train, within=within, **options)
        for *size, dtype, within in [
            (1, 3, 11, 5, torch.float32, 1e-6), (5, 7, 7, 2, torch.float64, 1e-12),
            (3, 1, 13, 1, torch.float32, 1e-6), (7, 7, 11, 7, torch.float64, 1e-12),
            (13, 2, 3, 5, torch.bfloat16, 0.01), (0, 3, 5, 2, torch.float32, 1e-6)]
        for train in (True, False)
        for options in (dict(look="dtype values"), dict(ask=learned_))))
# Property: x stays as it was [inputs-unchanged]
tried(sized(2, 5, 7, 3, look="inputs"))
# Property: the rows that were used learn, the others get no gradient, and x gets its own [gradient]
tried(*(sized(*size, dtype=torch.float64, train=train, look="gradient")
        for size in [(2, 5, 11, 3), (3, 5, 5, 2)] for train in (True, False)))
# Property: the table is the module's only parameter [state]
tried(*(ab.case(f"LearnedPositions{size}", of=ab.module(*size, weights={}),
                look="parameters") for size in [(7, 2), (3, 11)]))
# Property: one token too many is a ValueError that names both lengths [errors]
tried(*(too_long_(ab.module(rows, 2, train=train), rows, seq) for seq, rows, train in [
    (12, 11, True), (29, 13, True), (101, 17, True), (12, 11, False)]))
# Property: everything happens on the device of the input [device]
tried(sized(3, 5, 7, 2, look="device"))
### END HIDDEN TESTS

# %% [markdown]
# Now open door 1 of the `Reader` with your module, and ask once more who bites:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
loss, right = who_bites(Reader(12, add=LearnedPositions(max_len=3, d_model=32)))
print(f"loss {loss:.2f}, right on held-out sentences {right:.2f}")

# %% [markdown]
# Three rows of 32 numbers were all that the model lacked. But the table ends at `max_len`, and "three places back" must be learned anew for each place: nothing ties one pair of rows to another. (The sinusoidal table could do better, with one $M_{-3}$ for all places, but
# training does not find it: ["Learned once, or place by place?"](deeper.ipynb))
#
# ## 5.5 Turning queries and keys
#
# If a step is a turn, turn the *query and the key themselves*, each by its own position, just before their dot product. This is door 2, rotary position
# embedding or **RoPE**, which most open models use today.

# %% [markdown]
# A query and a key of two numbers, rotated counter-clockwise by position times ω:

# %%
def rotate(vector, angle):
    x, y = vector
    return torch.stack([x * math.cos(angle) - y * math.sin(angle),
                        x * math.sin(angle) + y * math.cos(angle)])

q, k, omega = torch.tensor([1.0, 0.5]), torch.tensor([0.8, -0.4]), 0.3
for m, n in [(2, 0), (12, 10), (102, 100), (0, 2)]:
    score = rotate(q, m * omega) @ rotate(k, n * omega)
    print(f"query at {m:3d}, key at {n:3d}: score {score:7.4f}")

# %% [markdown]
# Only the distance counts, with its sign: in the fourth case the key stands *after* the query.

# %% tags=["show"]
# @title Three dials: before the turn (dotted), after it
fig, axes = plt.subplots(1, 3, figsize=(7, 2.7))
for ax, (m, n) in zip(axes, [(2, 0), (12, 10), (0, 2)]):
    ax.plot(*hand(torch.arange(64), 0.1).T.numpy(), color="lightgrey")
    angles = []
    for name, vector, place, color in [
            ("q", q, m, OKABE_ITO[0]), ("k", k, n, OKABE_ITO[3])]:
        before = vector / vector.norm()
        after = rotate(before, place * omega)
        ax.plot([0, before[0]], [0, before[1]], ":", color=color)
        ax.annotate("", xy=after.tolist(), xytext=(0, 0), arrowprops=dict(
            arrowstyle="-|>", color=color, linewidth=2, shrinkA=0, shrinkB=0))
        ax.text(*(1.18 * after).tolist(), name, color=color, ha="center", va="center")
        angles.append(math.degrees(math.atan2(after[1], after[0])))
    ax.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), xticks=[], yticks=[],
           title=f"query at {m}, key at {n}")
    ax.set_xlabel(f"from k to q: {(angles[0] - angles[1] + 180) % 360 - 180:.0f}°")
    ax.spines[:].set_visible(False)
show(fig, alt="Three dials with a query and a key as hands, dotted before the turn, "
              "solid after it. Query at 2 and key at 0, query at 12 and key at 10: the "
              "hands point in other directions, the angle between them is the same. "
              "Query at 0 and key at 2: another angle.")

# %% [markdown]
# Let $R_p$ be the rotation by
# $p\,\omega$. A transposed rotation turns back, and turns add up, so
#
# $$(R_m\,q)\cdot(R_n\,k) = q^\top R_m^\top R_n\,k = q^\top R_{n-m}\,k$$
#
# Where §5.2 had four terms, here is **one**. It holds two words *and* their distance, as in "I am a verb, and I want the noun just before me".
#
# <!-- interactive page -->
# On the interactive page, in the scene "Turn queries and keys instead", move query and key together by five, then one of them alone.

# %% [markdown]
# A vector of $d$ numbers is $d/2$ pairs of neighbours, $(x_0, x_1), (x_2, x_3), \dots$ At position $p$ pair $i$ is turned by $p\,\omega_i$, with
# $\omega_i = \mathrm{base}^{-2i/d}$:
#
# $$\begin{pmatrix}x'_{2i}\\ x'_{2i+1}\end{pmatrix} = \begin{pmatrix}\cos p\,\omega_i & -\sin p\,\omega_i\\ \sin p\,\omega_i & \phantom{-}\cos p\,\omega_i\end{pmatrix}\begin{pmatrix}x_{2i}\\ x_{2i+1}\end{pmatrix}$$
#
# (In $M_k$ the minus sign stands elsewhere, because a pair there is (sine, cosine): it is the same rotation with the axes exchanged.)
#
# ### Exercise 5.5 · RoPE · 3 points · about 15 minutes
#
# Rotate all pairs of all tokens at once. `x` is a query or a key with any leading dimensions, `(..., seq, d)` with `d` even. `positions`, one for
# each token, need not start at 0: a model that continues a text starts in the middle of it. One point each for
#
# - the turn, for every width <!-- asks: values -->; it leaves the length of every vector as it was <!-- asks: length -->;
# - every list of positions and every base: scores depend on the distance alone <!-- asks: distance -->;
# - any shape <!-- asks: leading-dims --> and dtype <!-- asks: dtype -->, half precision too.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Positions may come in any order, with gaps and however large,
# and every base above one, whole or not <!-- asks: positions -->. Compute
# angles in 32 bits at least: in `bfloat16` position 257 becomes 256, and the fast hand would be wrong by one radian <!-- asks: precision -->. The [house
# rules](#house-rules) hold <!-- asks: non-contiguous, device, inputs-unchanged, gradient -->; empty batches need not work.
# </details>
#
# <details><summary>Hint 1</summary>Separate x into the first and the second numbers of all pairs. Angles have shape (seq, d/2) and broadcast.</details>
# <details><summary>Hint 2</summary>The way back: put the two halves side by side along a new last axis of size 2; what merges the last two axes?</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_apply_rope", "locked": false, "schema_version": 3, "solution": true, "task": false}
def apply_rope(x, positions, base=10000.0):
    """Rotate neighbouring pairs of features by angles that grow with the position.

    x: (..., seq, d), d even   positions: (seq,)
    Returns the shape, dtype and device of x.
    """
    ### BEGIN SOLUTION
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)             # (d/2,)
    angles = positions[:, None] * omega  # (seq, d/2)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., seq, d/2)
    pairs = torch.stack(
        [first * cos - second * sin, first * sin + second * cos], dim=-1)
    return pairs.flatten(-2)  # (..., seq, d)
    ### END SOLUTION

# %% tags=["uses-exercise"]
east = torch.tensor([[1., 0.], [1., 0.]])                   # two tokens, one pair each
places = torch.tensor([0, 2])                               # ω = 1: by 0 and 2 radians
ab.beside([[1.0, 0.0], [math.cos(2), math.sin(2)]], lambda: apply_rope(east, places))
ab.beside((5, 3, 2, 4), lambda: tuple(
    apply_rope(torch.ones(5, 3, 2, 4), torch.arange(2)).shape))

# %% nbgrader={"grade": true, "grade_id": "ch05_apply_rope_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.5, the turn: each pair turns by its own angle."""
one_ = ab.case("1, 2, 3, 4 at positions 0 and 1, the last token first",
               torch.tensor([[1., 2., 3., 4.]] * 2), torch.arange(2),
               ask=lambda f, *given: f(*given).flip(0))
ab.check("5.5 turn", apply_rope, [
    one_,
    ab.case("3 tokens, 6 features", ab.numbers(3, 6), torch.arange(3)),
], "x, positions, base -> the turned x")
### BEGIN HIDDEN TESTS
def sized(seq, d, **options):
    return ab.case(f"{seq} tokens, {d} features", ab.numbers(seq, d, seed=d),
                   torch.arange(seq), within=2e-3, **options)

def tried(*cases):
    ab.check("5.5 turn", apply_rope, [one_, *cases], like=reference("apply_rope"))

# Property: each pair is turned by position times base^(-2i/d), for any width [values]
tried(*(sized(*size) for size in [
    (7, 10), (5, 2), (13, 6), (3, 34), (4, 4), (2, 128), (101, 2)]))
# Property: a rotation keeps every length [length]
tried(sized(11, 6, ask=lambda f, *given: f(*given).norm(dim=-1)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch05_apply_rope_check_positions", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.5, positions and base: as they are given, in any order, however large."""
def at_(*positions, **base):
    return ab.case(f"1, 2, 3, 4 at positions {positions}{f', {base}' if base else ''}",
                   torch.tensor([[1., 2., 3., 4.]] * len(positions)),
                   torch.tensor(positions), **base)

def far_(position):
    return ab.case(f"(1, 1) at position {position}", torch.ones(1, 2),
                   torch.tensor([position]), within=0.01,
                   hint="A position may be as large as it likes: no table ends.")

ab.check("5.5 positions", apply_rope, [
    one_, at_(7, 7), at_(4, 0, 9), at_(0, 1, base=100.0), at_(0, 1, base=6.25),
    *(far_(position) for position in (257, 5003, 40009, 300007)),
], "x, positions, base -> the turned x")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.5 positions", apply_rope, [one_, *cases], like=reference("apply_rope"))

def sized(seq, d, high, **base):
    positions = (64 * ab.numbers(seq, seed=high) + 128).long() * high // 257
    return ab.case(f"{d} features at positions {positions.tolist()}"
                   f"{f', {base}' if base else ''}", ab.numbers(seq, d, seed=d),
                   positions, within=2e-3, **base)

# Property: any positions in any order, and any base, whole or not [positions]
tried(sized(7, 10, 50), sized(5, 2, 300), sized(13, 6, 100, base=2.5),
      sized(3, 34, 40, base=1e6), sized(4, 4, 20), sized(2, 128, 1000, base=10000),
      ab.case("positions 5003, 0 and 4099", torch.ones(3, 4),
              torch.tensor([5003, 0, 4099]), within=5e-4))
# Property: scores depend on the distance alone, in both directions [distance]
q, k = ab.numbers(2, 1, 14, seed=55)

def score(f, m, n):
    return (f(q.clone(), torch.tensor([m])) * f(k.clone(), torch.tensor([n]))).sum()

tried(*(ab.case(f"query at {m}, key at {n}, and both moved by {shift}", within=2e-3,
                ask=lambda f, m=m, n=n, shift=shift: [
                    score(f, m, n), score(f, m + shift, n + shift)])
        for m, n in [(9, 2), (2, 9), (4, 4)] for shift in (1, 17, 200)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch05_apply_rope_check_shapes", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.5, shapes: any axes in front, any dtype, the gradient, x untouched."""
positions_ = torch.arange(3)
two_ = ab.case("2 sentences, 2 heads", ab.numbers(2, 2, 3, 4), positions_)

def half_(position, dtype):
    def off(f):
        x, places = torch.ones(position + 1, 2), torch.arange(position + 1)
        return (f(x.to(dtype), places).double() - f(x, places).double())[-1]
    return ab.case(f"(1, 1) at position {position} in {dtype}: how far from float32",
                   ask=off, within=0.05, hint="Were the angles made in half precision?")

def floats_(f, x):
    places = torch.tensor([4., 0., 9.])
    try:
        f(x, places)
    except Exception:  # nobody asked for positions with a point
        pass
    return places

x_ = two_.args[0]
ab.check("5.5 shapes", apply_rope, [
    one_, two_,
    *ab.house_rules(ab.case("3 tokens", x_[0, 0], positions_), only="axes"),
    *ab.house_rules(two_, only="views bfloat16 inputs device gradient"),
    ab.case("four of five columns", ab.numbers(3, 5)[:, :4], positions_),
    *ab.house_rules(ab.case("", ab.numbers(2, 2, 2, 3, 4), positions_), only="views"),
    two_.but("float64", args=(x_.double(), positions_), look=("dtype", "values")),
    *(two_.but(f"{dtype}: the gradient", args=(x_.to(dtype), positions_),
               look=("dtype", "gradient"), within=0.04)
      for dtype in (torch.bfloat16, torch.float16)),
    half_(257, torch.bfloat16), half_(2049, torch.float16),
    ab.case("positions as floats, where they are taken, stay as they are", x_[0, 0],
            ask=floats_),
], "x, positions, base -> the turned x")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.5 shapes", apply_rope, [one_, *cases], like=reference("apply_rope"))

def sized(*shape, dtype=torch.float64, **options):
    return ab.case(f"x of shape {shape} in {dtype}",
                   ab.numbers(*shape, seed=len(shape)).to(dtype),
                   torch.arange(shape[-2]), **options)

# Property: works with any number of leading dimensions, also where sizes agree by chance [leading-dims]
tried(*(sized(*shape) for shape in [
    (7, 6), (1, 7, 6), (3, 7, 6), (2, 5, 7, 6), (2, 3, 1, 7, 6), (7, 7, 7, 6),
    (3, 5, 1, 2), (6, 6, 6, 6)]))
# Property: the result has the dtype of x and is right in it [dtype]
tried(*(sized(3, 5, 8, dtype=dtype, look="dtype values", within=within)
        for dtype, within in [(torch.float16, 0.01), (torch.float64, 1e-4),
                              (torch.float32, 1e-4), (torch.bfloat16, 0.05)]))
# Property: the angles are exact at far positions in half precision, too: bfloat16 has no 257 and no 1001 [precision]
tried(*(half_(position, dtype) for dtype, positions in [
    (torch.bfloat16, [257, 1001, 499]), (torch.float16, [2049, 3001, 1023])]
        for position in positions))
# Property: works on views that are not contiguous, as heads are after a transpose [non-contiguous]
tried(*(case for front in [(2,), (2, 3), (2, 3, 2)]
        for case in ab.house_rules(sized(*front, 7, 10), only="views")),
      *(ab.case(f"heads of shape {shape}, transposed",
                ab.numbers(*shape, seed=57).transpose(1, -2), torch.arange(7))
        for shape in [(2, 7, 3, 10), (2, 7, 3, 2, 4)]))
# Property: x and positions stay as they were [inputs-unchanged]
tried(sized(3, 5, 4, look="inputs"))
# Property: the gradient flows through, turned back [gradient]
upstream = ab.numbers(2, 5, 4, seed=58, dtype=torch.float64)

def back(f, x, positions):
    x = x.clone().requires_grad_()
    return torch.autograd.grad((f(x, positions) * upstream).sum(), x)[0]

tried(sized(2, 5, 4, ask=back), sized(2, 5, 4, look="gradient"),
      sized(2, 5, 4, dtype=torch.bfloat16, look="gradient", within=0.04))
# Property: works on the device of its input [device]
tried(sized(2, 3, 5, 4, look="device"))
### END HIDDEN TESTS

# %% [markdown]
# Put the *same* random query at every place, and the *same* random key:

# %% tags=["uses-exercise"]
where = torch.arange(64)
q, k = torch.randn(2, 1, 32, generator=generator).expand(2, 64, 32)
scores = apply_rope(q, where) @ apply_rope(k, where).T / 32 ** 0.5            # (64, 64)

same, steps = torch.ones(1, 128), torch.arange(-300, 301)  # and a k that equals its q
def fading(start):
    query = apply_rope(same, torch.tensor([start]))
    return (query @ apply_rope(same.expand(601, 128), start + steps).T)[0] / 128

# %% tags=["show", "uses-exercise"]
# @title Stripes, and a score that fades
fig, axes = plt.subplots(1, 2, figsize=(7, 3.2))
image = axes[0].imshow(scores.numpy(), cmap="PuOr", vmin=-scores.abs().max(),
                       vmax=scores.abs().max())
axes[0].set(title="Scores of one q with one k: stripes", xlabel="position of the key",
            ylabel="position of the query")
fig.colorbar(image, ax=axes[0], pad=0.02)
for start, style in [(0, "-"), (1000, ":")]:
    axes[1].plot(steps.numpy(), fading(start).numpy(), style, label=f"query at {start}")
axes[1].set(title="q = k: the score fades with distance",
            xlabel="key position − query position", ylabel="score (1 at distance 0)")
axes[1].legend(frameon=False, fontsize=8)
show(fig, alt="Left, a heatmap of RoPE scores between 64 query and 64 key positions, "
              "made of diagonal stripes: equal distance, equal score. Right, the score "
              "of a query with an equal key against distance from minus 300 to 300, "
              "for a query at 0 and at 1000: the same curve, a peak at 0 that falls "
              "quickly and wavers towards small values.")

# %% [markdown]
# On the left every diagonal has one colour: the score depends on the signed distance alone. On the right query and key are equal, and the score falls as they move apart. A head can learn which distances it likes.
#
# ### Why are the values not turned?
#
# In the product of query and key only the difference of their turns is left. A value meets no second turn: if turned, it would carry its own place into the output.
# We put the same six tokens at the beginning of a text, and at position 100:

# %% tags=["uses-exercise"]
def with_rope(x, start=0, turn_values=False):
    q, k, v = x @ W
    turn = lambda vectors: apply_rope(vectors, torch.arange(x.size(1)) + start)
    weights = (turn(q) @ turn(k).mT / 8 ** 0.5).softmax(dim=-1)
    return weights @ (turn(v) if turn_values else v), weights

x = torch.randn(1, 6, 8, generator=generator)
for turned in (False, True):
    moved = with_rope(x, 0, turned)[0] - with_rope(x, 100, turned)[0]
    print(f"values turned: {turned!s:5}   the output moves by {moved.abs().max():.4f}")

# %% [markdown]
# ### Your turn: exactly three back
#
# Every place has the same query and the same key, so every query likes its own place best. By how many
# positions must the keys be turned *beforehand*, so that each query looks exactly three back? Change the 0 and run.

# %% tags=["uses-exercise", "show"]
turned_before = 0                                           # change this number
same, where = torch.ones(40, 32), torch.arange(40)          # one vector for all places
keys = apply_rope(same, torch.full((40,), turned_before))
scores = apply_rope(same, where) @ apply_rope(keys, where).T
print("queries 3, 10, 39 look at:", scores.argmax(dim=-1)[[3, 10, 39]].tolist())

# %% [markdown]
# <details><summary>Answer</summary>
#
# By 3. The key of place $n$ then stands as if at $n + 3$. In a model $W_k$ makes this turn, the same for all places.
#
# </details>
#
# ## 5.6 A penalty for distance
#
# Door 3 changes the scores: it subtracts a fixed price for every step that a key is away. This is **ALiBi**, attention with linear biases. Say
# all scores are 0, and a step costs 0.5:

# %%
distance = (torch.arange(5)[:, None] - torch.arange(5)).abs()         # (5, 5)
print((0 - 0.5 * distance).softmax(dim=-1))

# %% [markdown]
# Each head has a price of its own: of $H$ heads, head $h = 1 \dots H$ charges
#
# $$\mathrm{bias}_h[i, j] = -m_h\,|i - j|, \qquad m_h = 2^{-8h/H}$$
#
# With four heads the prices are $1/4$, $1/16$, $1/64$ and $1/256$. The weight halves after $\ln 2 / m_h$ steps, about 3 for the first head and
# 177 for the last: some heads read the neighbourhood, others the page. Nothing is learned.
#
# ### Exercise 5.6 · The ALiBi bias · 1 point · about 6 minutes
#
# Build the bias for all heads at once, in floats of 32 bits at least, ready to be added to scores of shape
# `(batch, heads, seq, seq)` <!-- asks: shape -->.
#
# **It must also** work for every power of two (1 is one) and every length <!-- asks: values -->, stay linear at distances of 300 steps and more
# <!-- asks: far -->, and be made on `device` <!-- asks: device -->.
#
# <details><summary>Hint</summary>A table of distances, (seq, seq), and a list of prices, (heads,). How do they become (heads, seq, seq)?</details>

# %% nbgrader={"grade": false, "grade_id": "ch05_alibi_bias", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alibi_bias(num_heads, seq, device=None):
    """What ALiBi adds to the scores: -m_h · |i - j| with m_h = 2^(-8h/num_heads), h = 1
    … num_heads.

    num_heads: a power of two   Returns (num_heads, seq, seq)
    """
    ### BEGIN SOLUTION
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()  # (seq, seq)
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -prices[:, None, None] * distance  # (heads, seq, seq)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# prices 2^-4 = 1/16 and 2^-8 = 1/256
ab.beside([[0.0, -1/16, -2/16], [-1/16, 0.0, -1/16], [-2/16, -1/16, 0.0]],
          lambda: alibi_bias(2, 3)[0])
ab.beside([0.0, -1/256, -2/256], lambda: alibi_bias(2, 3)[1, 0])

# %% nbgrader={"grade": true, "grade_id": "ch05_alibi_bias_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 5.6: four heads, three tokens; one head, many heads, long texts, the
device."""
def farthest_(num_heads, seq):
    return ab.case(f"alibi_bias({num_heads}, {seq})[0, -1, 0], {seq - 1} steps",
                   ask=lambda f: f(num_heads, seq)[0, -1, 0],
                   hint="Nothing is clipped, and every step costs the same.")

ab.check("5.6", alibi_bias, [
    ab.case("4 heads, 3 tokens", 4, 3),
    ab.case("1 head, 2 tokens: 1 is a power of two", 1, 2),
    ab.case("16 heads, 2 tokens", 16, 2, within=2e-5,
            hint="Floats of 32 bits at least are asked for."),
    farthest_(2, 300), farthest_(1, 1030),
    ab.case("what may learn", 4, 3, look="inputs"),
    *(ab.case(f"{heads} heads, device='meta'", heads, 3, device="meta", look="device")
      for heads in (4, 1)),
], "num_heads, seq, device -> the bias")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("5.6", alibi_bias, cases, like=reference("alibi_bias"))

# Property: right for every power of two and every length [values]
tried(*(ab.case(f"{heads} heads, {seq} tokens", heads, seq, within=1e-5)
        for heads, seq in [
            (8, 7), (1, 5), (2, 13), (16, 3), (4, 11), (4, 1), (32, 2), (8, 8)]))
# Property: far distances are linear, too, and nothing is clipped [far]
tried(farthest_(2, 301), farthest_(2, 401))
# Property: the bias can be added to the scores of a batch [shape]
tried(ab.case("scores (5, 2, 7, 7)", torch.zeros(5, 2, 7, 7),
              ask=lambda f, scores: scores + f(2, 7)))
# Property: made on the device asked for [device]
tried(ab.case("without a device: PyTorch's default", 8, 5, device=None),
      *(ab.case("on another device", heads, 5, device="meta", look="device")
        for heads in (8, 1)))
### END HIDDEN TESTS

# %% [markdown]
# The figure shows the bias of two of eight heads, and the weights of the last of 64 tokens when all scores are equal:

# %% tags=["show", "uses-exercise"]
# @title The bias of two heads, and what eight heads see
bias = alibi_bias(8, 64)
weights = (bias + torch.full((64, 64), -torch.inf).triu(1)).softmax(dim=-1)
fig, axes = plt.subplots(1, 3, figsize=(7, 2.9), width_ratios=[1, 1, 1.5])
for ax, head, price in zip(axes, (0, 3), ("½", "1/16")):
    image = ax.imshow(bias[head].numpy(), cmap="Blues_r", vmin=-6, vmax=0)
    ax.set(title=f"Head {head + 1}: −{price} · |i − j|", xlabel="key",
           ylabel="query" if head == 0 else "")
fig.colorbar(image, ax=axes[:2], location="bottom", label="bias (darkest: −6 or less)",
             aspect=40)
for head, color in enumerate(
        plt.get_cmap("viridis")(torch.linspace(0, 0.9, 8).numpy())):
    axes[2].plot(weights[head, -1].flip(0).numpy(), color=color,
                 label=f"{head + 1}" if head in (0, 3, 7) else None)
axes[2].set(title="Weights of the last token", xlabel="distance", ylabel="weight",
            xlim=(0, 63), yscale="log", ylim=(1e-4, 1))
axes[2].legend(title="head", frameon=False, fontsize=8, loc="upper right", ncols=3)
show(fig, alt="Left and middle, the ALiBi bias of heads 1 and 4 of 8 for 64 tokens: "
              "zero on the diagonal, darker with distance, much steeper in head 1. "
              "Right, on a logarithmic axis, the weights of the last token by distance "
              "with equal scores and the future hidden: straight lines, from head 1, "
              "which spends nearly all on the last few tokens, to head 8, which "
              "spreads almost evenly over all.")

# %% [markdown]
# Head 1 hardly sees beyond a few words; head 8 gives the first word four fifths of what it gives the last.
#
# ## 5.7 Four ways, four tests
#
# We compare five readers: one without order, four with, and otherwise the same.

# %% tags=["uses-exercise"]
def readers(vocab, max_len):
    where = lambda x: torch.arange(x.size(-2), device=x.device)
    return {"none": Reader(vocab),
            "sinusoidal": Reader(vocab, add=lambda x: x + sinusoidal_encoding(
                x.size(1), x.size(2), x.device)),
            "learned": Reader(vocab, add=LearnedPositions(max_len, 32)),
            "RoPE": Reader(vocab, turn=lambda x: apply_rope(x, where(x))),
            "ALiBi": Reader(vocab, bias=alibi_bias)}

# %% [markdown]
# **Who bites?** **Predict, then run:** which of the four only tosses a coin as an encoder (without a mask)?

# %% tags=["show"]
guess_coin = None      # type "sinusoidal", "learned", "RoPE" or "ALiBi"

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
right = {}
print(f"{'':12} encoder   causal")
for name in readers(12, 3):
    right[name], causal = (who_bites(readers(12, 3)[name], causal=causal)[1]
                           for causal in (False, True))
    print(f"{name:12} {right[name]:7.2f} {causal:8.2f}")
worst = min((name for name in right if name != "none"), key=right.get)
check_guess("who tosses a coin as an encoder", guess_coin, worst)

# %% [markdown]
# Under the mask even the reader without positions tells who bites. And **ALiBi fails as an encoder**. <!-- told --> Your function of exercise 5.1 shows what it does not see:

# %% tags=["uses-exercise", "tolerance-0.05"]
def with_alibi(x):
    return attention(x, bias=alibi_bias(8, x.size(1))[0])  # the head that charges ½

x = torch.randn(1, 7, 8, generator=generator)
shuffled, mirrored = torch.tensor([2, 0, 5, 1, 6, 4, 3]), torch.arange(7).flip(0)
for name, attend in [("ALiBi", with_alibi), ("RoPE ", with_rope)]:
    gaps = [permutation_gap(attend, x, perm) for perm in (shuffled, mirrored)]
    print(f"{name} gap: shuffled {gaps[0]:.2f}, mirrored {gaps[1]:.2f}")

# %% [markdown]
# $|i - j|$ says how far, not which way, and "man bites dog" *is* the mirror image of "dog bites man". If steps forward cost twice as much as steps back, ALiBi is
# nearly always right (["ALiBi with a sign"](deeper.ipynb)). It was made for decoders: there the mask says which way.
#
# **The four tests** are for decoders. They use texts of 32 random words, a quarter of them names, and ask one question at every place.

# %%
def random_text(length, generator, batch=32):
    ids = torch.randint(8, 32, (batch, length), generator=generator)
    names = torch.rand(batch, length, generator=generator) < 0.25
    return torch.where(names, ids % 8, ids)  # 0 to 7 are names

def word_at(ids, where):  # -100, no answer, where there is no such place
    return torch.where(where >= 0, ids.gather(1, where.clamp(min=0)), -100)

def last_name(ids):
    at_names = torch.where(ids < 8, torch.arange(ids.size(1)), -1)
    return word_at(ids, at_names.cummax(dim=1).values)

def first_name(ids):
    first = (ids < 8).int().argmax(dim=1, keepdim=True)  # (batch, 1)
    return word_at(ids, torch.where(first <= torch.arange(ids.size(1)), first, -1))

def three_back(ids):
    return word_at(ids, (torch.arange(ids.size(1)) - 3).expand_as(ids))

def as_told(ids):  # words from 16 on tell how far to look back: 1, 2, 3 or 4
    told = word_at(ids, torch.arange(ids.size(1)) - ids % 4 - 1)
    return torch.where(ids >= 16, told, -100)

# %% [markdown]
# In "as told" *the word decides the distance*.

# %%
def learn(reader, task, steps=300):
    texts = torch.Generator().manual_seed(0)
    def loss_of():
        ids = random_text(32, texts)
        logits = reader(ids.to(device), causal=True).flatten(0, 1)
        return F.cross_entropy(logits, task(ids).flatten().to(device))  # but for -100
    fit(reader, loss_of, steps)
    return reader

@torch.no_grad()
def right_by_place(reader, task, length):
    """Share of right answers in each stretch of 16 places, over 64 new texts."""
    ids = random_text(length, torch.Generator().manual_seed(1), batch=64)
    answers = reader(ids.to(device), causal=True).argmax(dim=-1).cpu()
    hits, asked = answers == task(ids), task(ids) >= 0
    return [(hits[:, i:i + 16].sum() / asked[:, i:i + 16].sum()).item()
            for i in range(0, length, 16)]

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
torch.manual_seed(5)
tasks, trained = (last_name, first_name, three_back, as_told), {}
print("places 17 to 32" + "".join(f"{task.__name__:>12}" for task in tasks))
for name in readers(32, 32):
    print(f"{name:15}", end="")
    for task in tasks:
        trained[name, task] = learn(readers(32, 32)[name], task)
        print(f"{right_by_place(trained[name, task], task, 32)[-1]:12.2f}", end="")
    print()

# %% [markdown]
# **Last name**: all four ways get it right. **First name** and **three back**: ALiBi is hardly better than no positions at all, because with its price the nearer word is always the cheaper one.
#
# **As told**: after 300 steps RoPE is always right, the learned table mostly. The table only needs time: with four times the steps it is nearly always right. The sinusoidal encoding is slower still (["Slow, or
# unable?"](deeper.ipynb)).
#
# ### Longer than ever
#
# The same readers go on reading, to 256 places. **Predict, then run:** up to the length of its training RoPE gives the last name nearly always. In what share of places 241 to 256?

# %% tags=["show"]
guess_far = None      # type a number between 0 and 1; chance is 0.12

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
far = {(name, task): right_by_place(trained[name, task], task, 256)
       for name, task in trained if name != "learned"  # its table ends at 32
       and task in (last_name, first_name)}
check_guess("RoPE at places 241 to 256", guess_far,
            round(far["RoPE", last_name][-1], 2))
for task in (last_name, first_name):
    print(f"{task.__name__:10} at places 241 to 256:", "  ".join(
        f"{name} {far[name, task][-1]:.2f}" for name in right if name != "learned"))

# %% tags=["show", "uses-exercise"]
# @title Two questions about names, past the training length
fig, axes = plt.subplots(1, 2, figsize=(7, 3.2), sharey=True)
for ax, task, title in [(axes[0], last_name, "Asked for the last name"),
                        (axes[1], first_name, "Asked for the first name")]:
    ax.axvspan(0, 32, color="0.93")
    for name, color, marker in zip(
            ("none", "sinusoidal", "RoPE", "ALiBi"),
            ("#000000", OKABE_ITO[0], OKABE_ITO[2], OKABE_ITO[3]), "xoD^"):
        ax.plot(range(8, 256, 16), far[name, task], marker=marker, markersize=4,
                color=color, label=name)
    ax.set(title=title, xlabel="place in the text (grey: trained)", ylim=(0, 1.05))
draw_guess(axes[0], guess_far)
axes[0].set_ylabel("share of right answers")
axes[1].legend(frameon=False, fontsize=8)
show(fig,
     alt="Share of right answers against the place in the text, two panels, for four "
         "readers trained on 32 places. Last name: ALiBi stays near 1, sinusoidal and "
         "RoPE fall below the reader without positions. First name: sinusoidal stays "
         "highest and falls late, RoPE falls at once, ALiBi is no better than the "
         "reader without positions from the start.")

# %% [markdown]
# For the last name (left) only ALiBi stays as good as it was. RoPE and the sinusoidal encoding fall below the reader without
# positions. For the first name (right), with this seed, the sinusoidal encoding stays above the others, and ALiBi is as low as RoPE. So ALiBi works beyond its training length *where the answer is near*: at any length its price favours near keys.

# %% [markdown]
# Why does RoPE fail? It meets distances that training never showed. When we hide all keys more than 31 back, the last
# name is right nearly always again. When we keep them, but turn them as if they were 31 back, it is right about nine
# times in ten (["Why does RoPE fall past the training length?"](deeper.ipynb)). So models with RoPE are often trained further on longer texts, with a larger `base`.
#
# How far the sinusoidal encoding gets depends on the seed (["The first name, from other starts"](deeper.ipynb)).
#
# | | where it comes in | learned | knows | three back | past the training length |
# | --- | --- | --- | --- | --- | --- |
# | sinusoidal | added to `x` | 0 | place | each place anew | untrained places |
# | learned | added to `x` | `max_len · d_model` | place | each place anew | no rows left |
# | RoPE | turns `q`, `k` in every layer | 0 | signed distance | yes, as far as trained | untrained distances |
# | ALiBi | scores of every layer | 0 | how far, not which way | no | works for near answers |
#
# (These are small tasks, one layer, one seed: they show mechanisms, not a ranking.)
#
# ### Make it yours
#
# Write a sentence, and its words in another order that says something else. Do RoPE and ALiBi tell the two apart?

# %% tags=["uses-exercise", "show"]
mine, order = "the cat chased the dog", [3, 4, 2, 0, 1]                         # yours
words = mine.split()
own = {word: torch.randn(8, generator=generator) for word in dict.fromkeys(words)}
x = torch.stack([own[word] for word in words])[None]  # (1, seq, 8)
print(mine, "/", " ".join(words[i] for i in order))
for name, attend in [("ALiBi", with_alibi), ("RoPE ", with_rope)]:
    print(f"{name} gap {permutation_gap(attend, x, torch.tensor(order)):.2f}")

# %% [markdown]
# ## Summary
#
# Which headline was it? Attention without a mask cannot know. Open a door for order, and it knows, unless what comes in cannot tell a sentence
# from its mirror image. Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# You can now
#
# - show, and measure, that attention by itself reads a bag of words;
# - add a position (sinusoidal or learned), turn queries and keys by it (RoPE), or charge for distance (ALiBi);
# - say what a step along the sentence does to each of these encodings ($\mathrm{PE}[p+k] = M_k\,\mathrm{PE}[p]$, *not* a
#   constant difference), and choose by what a task asks: a distance told by a word (soonest with RoPE),
#   or what is near, at any length (ALiBi).
#
# **Next:** attention moves information between places. Chapter 6 adds norms, feed-forward layers and residual connections, and stacks the result 24 high.
#
# ## Further reading
#
# - Vaswani and others (2017), *Attention Is All You Need*: section 3.5. [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
# - Ke, He, Liu (2021), *Rethinking Positional Encoding in Language Pre-training*: section 3.1, the four
#   terms. [arXiv:2006.15595](https://arxiv.org/abs/2006.15595)
# - Su and others (2021), *RoFormer*: section 3, RoPE. [arXiv:2104.09864](https://arxiv.org/abs/2104.09864)
# - Press, Smith, Lewis (2021), *Train Short, Test Long*: section 3, ALiBi. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409)
# - Xiong and others (2023), *Effective Long-Context Scaling of Foundation Models*: section 4.1, a larger
#   `base`. [arXiv:2309.16039](https://arxiv.org/abs/2309.16039)
# - Haviv and others (2022), *Transformer Language Models without Positional Encodings Still Learn Positional
#   Information*. [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)
# - Kazemnejad and others (2023), *The Impact of Positional Encoding on Length Generalization in Transformers*: our "Longer than
#   ever", at full size. [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)
