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
# *90 minutes · ●●●○○ · 6 exercises, 11 points · you need chapters 2 to 4*
#
# > **Dog** bites **man**. That is no news.
# >
# > **Man** bites **dog**. That is.
#
# The same three words: only their order tells the two headlines apart. **Does the attention that you built in chapters
# 2 to 4 know which of the two it has read?** Nothing in it looks forgetful: queries, keys, values, several heads, a
# matrix for each. You will measure the answer, and then give the model an order in four ways. One of the four fails on
# exactly these two headlines.
#
# **After this chapter you can**
#
# - show, and measure, that attention by itself reads a bag of words;
# - build the sinusoidal encoding, and say what a step along the sentence does to it (not what is often written);
# - give a model a learned table of positions, and say where that table ends;
# - rotate queries and keys so that their scores depend on distance alone (RoPE);
# - penalise distance in the scores (ALiBi), and choose between all of these.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(5)
torch.set_printoptions(precision=4, sci_mode=False)
# our matrices are small: more threads would only wait for one another
torch.set_num_threads(1)

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# From chapter 2 come scaled dot-product attention and the `SelfAttention` module.

# %% carry=["ch02_single_head: scaled_dot_product_attention, SelfAttention"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# ## 5.1 A bag of words
#
# Each word gets one vector of 8 numbers, the same wherever it stands. One attention, with one set of weights,
# reads both sentences.

# %%
generator = torch.Generator().manual_seed(5)
vectors = {
    word: 1.5 * torch.randn(8, generator=generator) for word in ["dog", "bites", "man"]}

def embed(sentence):
    # (1, seq, 8)
    return torch.stack([vectors[word] for word in sentence.split()])[None]

attention = SelfAttention(d_model=8, d_k=8).requires_grad_(False)
output_a, weights_a = attention(embed("dog bites man"))
output_b, weights_b = attention(embed("man bites dog"))
print("dog, who bites:     ", output_a[0, 0, :5])
print("dog, who is bitten: ", output_b[0, 2, :5])

# %% [markdown]
# The dog that bites and the dog that is bitten come out the same. So do the weights:

# %% tags=["show"]
fig, axes = plt.subplots(1, 2, figsize=(7, 3))
for ax, sentence, weights in zip(
        axes, ["dog bites man", "man bites dog"], [weights_a, weights_b]):
    words = sentence.split()
    draw_matrix(
        ax, weights[0], rows=words, columns=words, title=f"“{sentence}”", limits=(0, 1))
    ax.set(xlabel="key", ylabel="query")
    corner = (words.index("man") - 0.5, words.index("dog") - 0.5)
    ax.add_patch(
        plt.Rectangle(corner, 1, 1, fill=False, edgecolor=OKABE_ITO[3], linewidth=2))
fig.suptitle(
    "The same nine weights: every word pays the same attention to the same words",
    fontsize=10)
show(fig, alt="Two heatmaps of 3 by 3 attention weights, for 'dog bites man' and for "
              "'man bites dog'. Each pair of words has the same weight in both; only "
              "rows and columns have changed places with the words. The weight of "
              "query dog on key man is framed.")

# %% [markdown]
# Look at the framed weight of query "dog" on key "man", on the left and on the right: it has moved, with its row
# and its column, and has not changed. This holds for all weights. A score compares two vectors, and does not ask
# where they stood. Softmax divides by a sum over all keys, the output is a sum over all values, and a sum is the same
# in every order. With $P$ for any reordering of the tokens:
#
# $$\mathrm{attention}(P\,x) = P\;\mathrm{attention}(x)$$
#
# Reorder first or attend first: it makes no difference. Attention *commutes* with every permutation. For our two
# sentences $P$ turns the sentence round, and the two sides differ by

# %%
reordered_first = attention(embed("dog bites man").flip(1))[0]     # attention(P x)
attended_first = attention(embed("dog bites man"))[0].flip(1)      # P attention(x)
gap, size = (reordered_first - attended_first).abs().max(), attended_first.abs().max()
print(f"largest difference {gap.item():.6f}, largest number in the output "
      f"{size.item():.2f}")

# %% [markdown]
# ### Exercise 5.1 · How far from a bag? · 2 points · about 8 minutes
#
# Measure this for any attention and any reordering. `permutation_gap(attention_fn, x, perm)` gets a function that maps `x` to
# `(output, weights)`, a batch `x`, and `perm`, an index tensor: in the reordered sentence, place `i` holds the token that stood at
# place `perm[i]`. Compare two outputs: one where the tokens are reordered before attention, one where they are reordered after it. Return
# one number, the largest absolute difference between the two. (Another distance that is 0 only for equal outputs and grows with their
# difference is as good.) One point each for
#
# - 0 where order makes no difference <!-- asks: values -->, for attention whose weights can learn too <!-- asks: learning -->, and
#   where `perm`, and not its inverse, changes nothing <!-- asks: inverse, identity -->. The [house rules](#house-rules) hold
#   <!-- asks: non-contiguous, inputs-unchanged -->, but no batch is empty, and a number has no gradient;
# - a gap that sits in one token, one sentence or one feature only <!-- asks: everywhere -->, whichever sign it has
#   <!-- asks: sign --> and however small it is <!-- asks: small -->.
#
# <details><summary>Hint 1</summary>You need the output of two runs. What differs in what they are given?</details>
# <details><summary>Hint 2</summary>x is (batch, seq, d_model): which axis does perm index? And which axis of the output?</details>
# <details><summary>Hint 3</summary>The tokens of both outputs must stand in the same order before you compare them. A tensor
# can be indexed with an index tensor along one axis while a colon keeps the others.</details>

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
    ab.case("weights that can learn", lambda x: bag_(x @ learns_), x_, perm_),
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
# Try the instrument on PyTorch's own layer with its four heads, and on `SelfAttention`. Three words were easy; nine are
# no different.

# %% tags=["uses-exercise"]
generator = torch.Generator().manual_seed(1)
x = torch.randn(2, 9, 8, generator=generator)
perm = torch.randperm(9, generator=generator)
pytorch = nn.MultiheadAttention(8, num_heads=4, batch_first=True).requires_grad_(False)
print(f"SelfAttention          {permutation_gap(attention, x, perm):.4f}")
print("nn.MultiheadAttention  "
      f"{permutation_gap(lambda x: pytorch(x, x, x), x, perm):.4f}")

# %% [markdown]
# **Predict, then run.** Now the causal mask of chapter 3 goes over the same attention. Still no positions: not a
# single number says "I am the third word". How large is the gap now?

# %% tags=["show"]
guess_gap = None      # type a number: 0, or about how large?

# %%
def causal_attention(x):
    q, k, v = attention.W_q(x), attention.W_k(x), attention.W_v(x)
    scores = q @ k.transpose(-2, -1) / k.size(-1) ** 0.5
    future = torch.ones_like(scores[0]).triu(1).bool()
    weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
    return weights @ v, weights

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
check_guess("gap under a causal mask", guess_gap,
            round(permutation_gap(causal_attention, x, perm), 2))

# %% [markdown]
# Far from 0. Under a causal mask a word sees only itself and the words before it, and after the reordering these are other words.
# So a decoder without any positions can tell something about the order (§5.7 measures how much). An encoder, in which every
# word sees every other, can tell nothing.
#
# ### What breaks if positions are left out?
#
# What does the lack of order cost? The model below reads a sentence and answers with a word. It is one layer of the attention you
# know, with the fused projection of chapter 4, and with **three doors** through which order can come in: something *added*
# to the embeddings, something that *turns* queries and keys, a *bias* on the scores. All three are shut for now; the
# rest of the chapter opens them one by one.

# %%
class Reader(nn.Module):
    """One layer of attention with three doors for order, each a function or None."""

    def __init__(self, vocab, d_model=32, num_heads=4, add=None, turn=None, bias=None):
        super().__init__()
        self.num_heads, self.add, self.turn, self.bias = num_heads, add, turn, bias
        self.embedding = nn.Embedding(vocab, d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.head = nn.Linear(d_model, vocab)

    def forward(self, ids, causal=False):
        x = self.embedding(ids)  # (batch, seq, d_model)
        if self.add is not None:
            x = self.add(x)                                                   # door 1
        # (batch, heads, seq, d_head)
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for part in self.qkv(x).chunk(3, dim=-1))
        if self.turn is not None:
            q, k = self.turn(q), self.turn(k)                                 # door 2
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5  # (batch, heads, seq, seq)
        if self.bias is not None:
            # door 3
            scores = scores + self.bias(self.num_heads, ids.size(1), ids.device)
        if causal:
            future = torch.ones_like(scores[0, 0]).triu(1).bool()  # (seq, seq)
            scores = scores.masked_fill(future, -torch.inf)
        # (batch, seq, d_model)
        output = (scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2)
        return self.head(output)  # (batch, seq, vocab)

# %% [markdown]
# The task is the headline: read "A bites B", answer A. Ten nouns, two verbs, every pair in both orders. A fifth
# of the pairs is held out, in both orders, so that nothing can be learned by heart.

# %%
nouns, verbs = "dog man cat boy fox hen cow owl pig rat".split(), "bites sees".split()
sentences = torch.tensor(
    [[a, len(nouns) + verb, b] for a in range(len(nouns)) for b in range(len(nouns))
     for verb in range(len(verbs)) if a != b])  # (180, 3)
held_out = (sentences[:, 0] + sentences[:, 2]) % 5 == 0

def who_bites(reader, steps=120, causal=False):
    """Train the reader to name the first word; its last loss, its accuracy on held-out
    sentences.
    """
    reader = reader.to(device)
    train, test = sentences[~held_out].to(device), sentences[held_out].to(device)
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.01)
    for _ in range(steps):
        # all tokens vote
        loss = F.cross_entropy(reader(train, causal).mean(dim=1), train[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    answers = reader(test, causal).mean(dim=1).argmax(dim=-1)
    return loss.item(), (answers == test[:, 0]).float().mean().item()

# %% tags=["show", "tolerance-0.05"]
print(f"ln 2 = {math.log(2):.2f}")
for d_model, steps in [(32, 120), (96, 240)]:
    loss, accuracy = who_bites(Reader(len(nouns) + len(verbs), d_model), steps)
    print(f"width {d_model}, {steps} steps: loss {loss:.2f}, right on held-out "
          f"sentences {accuracy:.2f}")

# %% [markdown]
# The loss has come to rest at $\ln 2$, the loss of tossing a coin between two nouns, and half of the answers are right. A
# model three times as wide that trains twice as long gets no further: "dog bites man" and "man bites dog" get the same
# logits, so it must be wrong on one of the two.

# %% [markdown]
# ## 5.2 Counting in waves
#
# Door 1: turn each position into a vector and add it to the word's vector. Which vector? The number itself would be
# the obvious choice. This is what becomes of two words at position 500:

# %%
dog, man = vectors["dog"], vectors["man"]
print("cosine similarity of dog and man                 "
      f"{F.cosine_similarity(dog, man, dim=0):5.2f}")
print("after adding 500 to every entry of both          "
      f"{F.cosine_similarity(dog + 500, man + 500, dim=0):5.2f}")

# %% [markdown]
# The words are lost in the position. Dividing by the length of the sentence keeps the numbers small, but then the
# step from one word to the next is 1/3 in one sentence and 1/300 in another. We want numbers that stay small, that differ
# for every position, and that do not depend on the length. Binary counting does all that: one bit flips at every
# step, the next at every second step, and so on. But it jumps (from 7 to 8 four bits flip at once).
# Replace each bit by a wave of its own length, and the jumps are gone:

# %% tags=["show"]
positions = torch.arange(32)
bits = torch.stack([positions // 2 ** j % 2 for j in range(5)])  # (5, 32)
# (5, 32)
waves = torch.stack(
    [torch.sin(2 * math.pi * positions / 2 ** (j + 2)) for j in range(5)])

fig, axes = plt.subplots(2, 1, figsize=(7, 3.6))
axes[0].imshow(bits.numpy(), cmap="Blues", aspect="auto", vmin=0, vmax=1.3)
axes[0].set(
    title="Counting in bits: each flips half as often as the one above", ylabel="bit")
image = axes[1].imshow(waves.numpy(), cmap="PuOr", aspect="auto", vmin=-1, vmax=1)
axes[1].set(title="Counting in waves: each is twice as long as the one above",
            ylabel="wave", xlabel="position")
fig.colorbar(image, ax=list(axes), label="sine", shrink=0.45, anchor=(0, 0), pad=0.01,
             ticks=[-1, 0, 1])
for ax in axes:
    ax.set_yticks(range(5))
    ax.spines[:].set_visible(False)
show(fig,
     alt="Two striped heatmaps over positions 0 to 31. Above, five bits of a binary "
         "counter, switching between light and dark every 1, 2, 4, 8 and 16 positions. "
         "Below, five sine waves of lengths 4 to 64, shading smoothly.")
for name, table in (("bits", bits), ("waves", waves)):
    steps = table.diff(dim=1).float().norm(dim=0)  # (31,) from each column to the next
    print(f"{name:5}  the smallest step is {steps.min():.2f} long, the largest "
          f"{steps.max():.2f}")

# %% [markdown]
# Read a column from top to bottom: it is the position's name. In both panels no two columns are alike. In the
# upper one a step may change one bit or all five; in the lower one the slow waves hardly move, and all steps are about equally long.
#
# One thing is missing. A sine alone cannot tell the way up from the way down: it takes most of its values twice in
# each turn. With its cosine beside it, the pair is the hand of a clock, and a hand says exactly how far round it is.

# %%
def hand(position, omega):
    """One hand of the clock, which turns by omega at each step: (sine, cosine)."""
    angle = torch.as_tensor(position * omega)
    return torch.stack([angle.sin(), angle.cos()], dim=-1)

print("slow hand, positions 0 to 4\n", hand(torch.arange(5), 0.1))

# %% [markdown]
# An encoding of width $d$ has $d/2$ hands, from fast to very slow. In the paper that introduced the Transformer,
# hand number $i$ fills columns $2i$ and $2i+1$ of row $p$:
#
# $$\mathrm{PE}[p,\,2i] = \sin(p\,\omega_i), \qquad \mathrm{PE}[p,\,2i+1] = \cos(p\,\omega_i), \qquad \omega_i = 10000^{-2i/d}$$
#
# For $d = 8$ the four hands need this many positions for one turn:

# %%
d = 8
for i in range(d // 2):
    omega = 10000 ** (-2 * i / d)
    print(f"columns {2 * i} and {2 * i + 1}:  ω = {omega:.3f}   one turn in "
          f"{2 * math.pi / omega:6.0f} positions")

# %% [markdown]
# The fast hand tells neighbours apart, the slow ones say whether we are near the beginning or thousands of words in.
#
# ### Exercise 5.2 · The sinusoidal encoding · 2 points · about 10 minutes
#
# Build the whole table, row $p$ for position $p$, on the device asked for. One point is for even widths, one for odd ones:
# when $d$ is odd the formula holds as it stands, and the last sine has no cosine beside it.
#
# **It must also** work for every length and width, down to one column <!-- asks: values, odd -->, be as precise at position
# 1500 as at position 1 <!-- asks: far -->, give a position the same row however long the table is <!-- asks: sizes -->, and make
# the table on `device`, for odd widths too <!-- asks: device, odd-device -->.
#
# <details><summary>Hint 1</summary>Two columns share one ω. Which column indices belong to i = 0, which to i = 1?</details>
# <details><summary>Hint 2</summary>All angles at once: a column of positions times a row of frequencies, (max_len, 1) and (1, number of hands).</details>
# <details><summary>Hint 3</summary>An empty (max_len, d_model) table can be filled through slices with a step of 2. How many columns does each slice have when
# d_model is 5?</details>

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
# This is your table, drawn whole, and below it four of its columns:

# %% tags=["show", "uses-exercise"]
pe = sinusoidal_encoding(100, 64)
fig, axes = plt.subplots(2, 1, figsize=(7, 6.4), height_ratios=[3, 2])
image = axes[0].imshow(
    pe.numpy(), cmap="PuOr", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
axes[0].set(title="Fast hands on the left, slow ones on the right: each row is the "
                  "name of a position", xlabel="column", ylabel="position")
axes[0].spines[:].set_visible(False)
fig.colorbar(image, ax=axes[0], pad=0.01)
for column in (8, 9, 20, 32):
    axes[1].plot(pe[:, column].numpy(),
                 label=f"column {column}, {'sine' if column % 2 == 0 else 'cosine'}")
axes[1].set(title="Single columns are waves: 8 and 9 equally fast, a quarter turn "
                  "apart; 20 and 32 slower", xlabel="position", ylabel="value",
            xlim=(0, 99), ylim=(-1.1, 1.1))
axes[1].legend(
    ncols=4, frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.22))
show(fig,
     alt="Above, the sinusoidal encoding of 100 positions in 64 columns as a heatmap: "
         "narrow stripes on the left that widen to the right, where columns hardly "
         "change. Below, four of its columns as curves: columns 8 and 9 are waves of "
         "the same length, shifted by a quarter; columns 20 and 32 are longer waves.")

# %% [markdown]
# In the right third of the table hardly anything happens in 100 positions: those hands take thousands for one turn.
#
# Now compare two positions by a dot product, as attention does.

# %% tags=["show", "uses-exercise"]
similarity = pe @ pe.T / pe.size(1) * 2  # (100, 100), 1 on the diagonal
fig, axes = plt.subplots(1, 2, figsize=(7, 3))
image = axes[0].imshow(similarity.numpy(), cmap="PuOr", vmin=-1, vmax=1)
axes[0].set(title="The same along every diagonal", xlabel="position", ylabel="position")
axes[0].spines[:].set_visible(False)
fig.colorbar(image, ax=axes[0], pad=0.02)
for position, style in [(20, "-"), (45, "--"), (70, ":")]:
    axes[1].plot(range(-position, 100 - position), similarity[position].numpy(), style,
                 label=f"seen from {position}", linewidth=2)
axes[1].set(title="The same curve from everywhere", xlabel="distance",
            ylabel="dot product (1 = same)", xlim=(-30, 30))
axes[1].legend(frameon=False, fontsize=8)
show(fig,
     alt="Left, a heatmap of the dot products of 100 position vectors with each other: "
         "a dark diagonal band on paler stripes, constant along every diagonal. Right, "
         "three curves of dot product against distance, seen from positions 20, 45 and "
         "70: they lie on top of each other, with a peak at distance 0.")

# %% [markdown]
# Although each row names an absolute position, the dot product of two rows depends on their **distance** alone. §5.3
# shows why.
#
# ### Why may a position be added to a word?
#
# With $r$ for the position's row of the table, word and position become one vector, $x + r$, and only the sum arrives. Does the position not spoil the word? Multiply out
# what a head makes of two such sums. With $A = W_q W_k^\top$ (a query times a key, in one matrix) the score has **four terms**:
#
# $$(x + r)\,A\,(x' + r')^\top = \underbrace{x A x'^\top}_{\text{word, word}} + \underbrace{x A r'^\top}_{\text{word, place}}
# + \underbrace{r A x'^\top}_{\text{place, word}} + \underbrace{r A r'^\top}_{\text{place, place}}$$
#
# Take the plainest head, where $A$ is the identity matrix. It looks for equal words and equal places. With vectors of length 1 a match counts
# 1, and the two mixed terms should count nothing. We measure the typical size (root mean square) of each term for random
# words at random places. And the test that matters: given only the sum, does the dot product find the right one among
# 1000 words, and among 64 places? As a control, the same with the plain number $p$ added to every entry.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
generator = torch.Generator().manual_seed(52)

def share_found(sums, candidates, right):
    return ((sums @ candidates.T).argmax(dim=1) == right).float().mean().item()

print("width | typical size of a term         | found in the sum | + p")
print("      | ww     w,pl   pl,w   pl,pl     | word    place    | word")
for d in (8, 64, 512):
    places = F.normalize(sinusoidal_encoding(64, d), dim=1)  # (64, d)
    words = F.normalize(torch.randn(1000, d, generator=generator), dim=1)  # (1000, d)
    w, p = (torch.randint(n, (2, 4000), generator=generator) for n in (1000, 64))
    (x, x_), (at, at_) = words[w], places[p]  # (4000, d) each
    pairs = [(x, x_), (x, at_), (at, x_), (at, at_)]
    sizes = [(a * b).sum(-1).square().mean().sqrt().item() for a, b in pairs]
    sums, plain = x + at, x + p[0, :, None]
    found = [share_found(sums, words, w[0]), share_found(sums, places, p[0])]
    print(f"{d:5} | " + "   ".join(f"{size:.2f}" for size in sizes)
          + f"      | {found[0]:.2f}    {found[1]:.2f}     | "
            f"{share_found(plain, words, w[0]):.2f}")

# %% [markdown]
# At width 8 the mixed terms are a third of a match, and what is found in the sum is mostly wrong. They shrink with
# $1/\sqrt d$, because random directions in a wide space are nearly at right angles. At 512 they are 0.04, and word and place are both found, so
# **adding does no harm where there is room**. (Places resemble their neighbours, so their own term stays large and the right
# place is the harder one to find.) The plain number fails at every width.
#
# The four terms also show what an added position can *not* do. Words meet words, places meet places, a word meets a
# place. In no term do *two words and their distance* come together, as in "I am a verb, and I want the noun just before me". §5.5 has
# such a term, and §5.7 measures what it is worth.
#
# ## 5.3 A step is a turn
#
# In many texts you will read this explanation: "$\mathrm{PE}[p+k] - \mathrm{PE}[p]$ is the same for every $p$, so the model can
# recognise a distance by a constant difference". **Predict, then run:** take one hand and $k = 4$ steps. The difference at position
# 0 is an arrow. What is the angle, in degrees, between it and the arrow at position 10?

# %% tags=["show"]
# type a number of degrees: 0, if the difference is the same everywhere
guess_angle = None

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
# The difference has the same length each time, but not the same direction. A drawing shows why:

# %% tags=["show"]
fig, axes = plt.subplots(1, 2, figsize=(7, 3.3))
circle = torch.linspace(0, 2 * math.pi, 200)
axes[0].plot(circle.sin().numpy(), circle.cos().numpy(), color="lightgrey", zorder=0)
for color, p in zip(OKABE_ITO, (0, 5, 10, 15)):
    (x0, y0), (x1, y1) = hand(p, omega).tolist(), hand(p + k, omega).tolist()
    axes[0].plot([x0, 0, x1], [y0, 0, y1], ":", color=color, linewidth=1)
    axes[0].annotate("", xy=(x1, y1), xytext=(x0, y0),
                     arrowprops=dict(arrowstyle="-|>", color=color, linewidth=1.8,
                                     shrinkA=0, shrinkB=0))
    axes[0].text(1.22 * x0, 1.22 * y0, f"p = {p}", ha="center", va="center",
                 color=color, fontsize=8)
axes[0].set(aspect="equal", xlim=(-1.5, 1.5), ylim=(-1.45, 1.45), xlabel="sine",
            ylabel="cosine", title=f"{k} steps: another arrow, the same angle")
start = torch.arange(60)
difference = (hand(start + k, omega) - hand(start, omega)).numpy()           # (60, 2)
axes[1].plot(difference[:, 0], label="in the sine column")
axes[1].plot(difference[:, 1], label="in the cosine column")
axes[1].set(title=f"PE[p+{k}] − PE[p] is itself a wave", xlabel="p",
            ylabel="difference", ylim=(-0.95, 1.35))
axes[1].legend(frameon=False, fontsize=8, loc="upper right")
show(fig,
     alt="Left, a circle with four arrows, each from the hand at position p to the "
         "hand at p plus 4, for p = 0, 5, 10, 15. The arrows are equally long but "
         "point in different directions; each spans the same angle. Right, the two "
         "components of the difference against p: two waves, not constants.")

# %% [markdown]
# All four arrows point in different directions. What they share is the **angle** they span: $k$ steps turn the hand by $k\omega$, from wherever
# it starts. The school formulas for the sine and the cosine of a sum say it in symbols:
#
# $$\begin{aligned}\sin((p+k)\,\omega) &= \phantom{-}\cos(k\omega)\,\sin(p\,\omega) + \sin(k\omega)\,\cos(p\,\omega)\\
# \cos((p+k)\,\omega) &= -\sin(k\omega)\,\sin(p\,\omega) + \cos(k\omega)\,\cos(p\,\omega)\end{aligned}$$
#
# On the right $p$ stands only inside the old hand. The coefficients depend on $k$ alone. So there is one matrix $M_k$, a rotation, with
#
# $$\mathrm{PE}[p+k] = M_k\,\mathrm{PE}[p] \qquad\text{for every } p$$
#
# ### Exercise 5.3 · The matrix that moves by k · 2 points · about 12 minutes
#
# Build $M_k$ for the whole encoding, `d_model` even. Each hand turns with its own $\omega_i$ and does not mix with the others.
# A negative $k$ moves back. One point each for
#
# - the rotation itself, and not a matrix that only happens to fit one table <!-- asks: rotation -->, for every even
#   width <!-- asks: values -->, made on `device` <!-- asks: device -->;
# - every step, from every position <!-- asks: steps -->: $k = 0$ moves nothing <!-- asks: zero -->, and $-k$ undoes what
#   $k$ did <!-- asks: inverse -->.
#
# <details><summary>Hint 1</summary>Take d_model = 2. Write the two formulas as "new hand = matrix times old hand": which four numbers stand in the matrix?</details>
# <details><summary>Hint 2</summary>With d_model = 4 the two hands do not mix. Which of the sixteen entries must be 0?</details>
# <details><summary>Hint 3</summary>Start from zeros and fill a 2 by 2 block on the diagonal for each hand, with its own angle.</details>

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
# What is that good for? Queries and keys are made by matrices, and $M_k$ is a matrix: a head can contain it. Let us
# make one by hand whose query asks for the position three places back. The query of each position is $M_{-3}$ times its
# encoding, the key is the encoding as it is:

# %% tags=["uses-exercise"]
pe = sinusoidal_encoding(40, 16)
queries = pe @ shift_matrix(-3, 16).T  # (40, 16): where I was three steps ago
# (40, 40); 15 makes it sharp
weights = (15 * queries @ pe.T / 16 ** 0.5).softmax(dim=-1)
found = weights.argmax(dim=-1)  # the key that each query looks at most
print("queries 3, 10, 39 look at:", found[[3, 10, 39]].tolist())
right = (found[3:] == torch.arange(37)).sum().item()
print(f"queries 3 to 39 that look three back: {right} of 37")

# %% tags=["show", "uses-exercise"]
fig, axes = plt.subplots(1, 2, figsize=(7, 3.4))
draw_matrix(
    axes[0], shift_matrix(-8, 6), title="M₋₈ for d = 6: each hand has its own speed",
    cmap="PuOr", limits=(-1, 1))
axes[0].set(xlabel="old column", ylabel="new column")
for i in range(3):
    turn = math.degrees(8 * 10000 ** (-2 * i / 6)) % 360
    axes[0].add_patch(
        plt.Rectangle((2 * i - 0.5, 2 * i - 0.5), 2, 2, fill=False, edgecolor="black"))
    axes[0].text(2 * i + (1.7 if i < 2 else -0.7), 2 * i + 0.5, f"{turn:.0f}° back",
                 fontsize=8, ha="left" if i < 2 else "right", va="center")
image = axes[1].imshow(weights.numpy(), cmap="Blues", vmin=0)
axes[1].plot([3, 39], [3, 39], color="grey", linewidth=0.8, linestyle=":")
axes[1].set(title="A head made by hand: always three back",
            xlabel="key position", ylabel="query position")
axes[1].spines[:].set_visible(False)
fig.colorbar(image, ax=axes[1], label="weight", shrink=0.8)
show(fig, alt="Left, the 6 by 6 matrix of a shift by minus 8: zero except for three "
              "framed 2 by 2 blocks on the diagonal, rotations by 98, 21 and 1 "
              "degrees. Right, the attention weights of a head made from the shift by "
              "minus 3: a sharp stripe three places below the dotted diagonal.")

# %% [markdown]
# On the left eight steps back: the fast hand has turned by a full turn and 98° more, the next one by 21°, the slow one by
# 1°. On the right one fixed matrix looks three back from everywhere (only the first three rows have nothing there to look at). No
# difference had to be constant for that; a rotation does it. It also explains the dot products of §5.2: rotations keep lengths and angles, so
# $\mathrm{PE}[p]\cdot\mathrm{PE}[q]$ cannot change when both $p$ and $q$ move by $k$.
#
# ## 5.4 A learned table
#
# Embeddings of words are learned; those of positions can be learned, too. BERT and GPT-2 have a table with one
# trainable row for each position, added to the words. `nn.Embedding` is such a table.

# %%
# 5 rows of 3 numbers, random at first, trained like any weight
table = nn.Embedding(5, 3)
print("one row for each of 5 positions:", tuple(table.weight.shape))
print("rows 0 and 2:\n", table(torch.tensor([0, 2])).detach())
print(f"GPT-2 small has 1024 rows of 768: {1024 * 768:,} numbers for order alone")

# %% [markdown]
# Five rows are five positions. What is row 5?

# %%
try:
    table(torch.tensor([5]))
except IndexError as error:
    print("IndexError:", error)

# %% [markdown]
# There is none. "Index out of range", from deep inside a model, does not say which index; on a GPU it is a device-side
# assertion that names neither length. A good module checks first and says what is wrong.
#
# ### Exercise 5.4 · Learned positions · 1 point · about 6 minutes
#
# Complete the module `LearnedPositions`: an `nn.Embedding` named `table`, whose first rows are added to the tokens of every
# sentence in the batch. When the sentence is longer than the table it raises a `ValueError` whose message holds both lengths,
# the sentence's and the table's <!-- asks: errors -->.
#
# Lengths go up to the full table, training and evaluation are alike <!-- asks: values -->, and the module learns nothing but the
# table <!-- asks: state -->, in the rows that were used <!-- asks: gradient -->. The [house rules](#house-rules)
# hold <!-- asks: inputs-unchanged, device -->.
#
# <details><summary>Hint 1</summary>x is (batch, seq, d_model), the rows you need are (seq, d_model): what does adding them do?</details>
# <details><summary>Hint 2</summary>On a GPU the module's table lives on the GPU. Where do your indices live, if you use any?</details>

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

def too_long_(of, rows, seq=7, **device):
    mode = "training" if of.train else "evaluation"
    return ab.case(f"{seq} tokens, {rows} row(s), {mode} {device or ''}: a ValueError "
                   "that names both lengths", torch.zeros(1, seq, 2), rows, of=of,
                   ask=refused_, hint="Compare the lengths yourself.", **device)

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
loss, accuracy = who_bites(
    Reader(vocab=len(nouns) + len(verbs), add=LearnedPositions(max_len=3, d_model=32)))
print(f"loss {loss:.2f}, right on held-out sentences {accuracy:.2f}")

# %% [markdown]
# 0.69 and half of the answers before; three rows of 32 numbers were all that the model lacked. Two weaknesses remain. The
# table has `max_len` rows and no more, and a row that training never used stays random. And nothing ties row 7 to row 4 in the way that row 107 is tied to row 104, so "three places
# back" has to be learned anew at every place (§5.7 tests it).
#
# ## 5.5 Turning queries and keys
#
# Door 2 uses what §5.3 found. If a step is a turn, turn the *query and the key themselves*, each by its own position, just
# before they meet. This is rotary position embedding, **RoPE**, in most open models today.

# %% [markdown]
# Take a query and a key of two numbers, and rotate them counter-clockwise by position times ω:

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
# The first three agree: the score depends on the two places only through their distance. This distance has a sign: in the fourth case the key stands two places *after*
# the query, and the score is different. Three of these cases drawn as dials:

# %% tags=["show"]
fig, axes = plt.subplots(1, 3, figsize=(7, 2.9))
circle = torch.linspace(0, 2 * math.pi, 200)
for ax, (m, n) in zip(axes, [(2, 0), (12, 10), (0, 2)]):
    ax.plot(circle.cos().numpy(), circle.sin().numpy(), color="lightgrey", zorder=0)
    angles = []
    for name, vector, place, color in [
            ("q", q, m, OKABE_ITO[0]), ("k", k, n, OKABE_ITO[3])]:
        before, after = (
            vector / vector.norm(), rotate(vector, place * omega) / vector.norm())
        ax.plot([0, before[0]], [0, before[1]], ":", color=color, linewidth=1.2)
        ax.annotate("", xy=after.tolist(), xytext=(0, 0),
                    arrowprops=dict(arrowstyle="-|>", color=color, linewidth=2,
                                    shrinkA=0, shrinkB=0))
        ax.text(*(1.18 * after).tolist(), name, color=color, ha="center", va="center")
        angles.append(math.degrees(math.atan2(after[1], after[0])))
    between = (angles[0] - angles[1] + 180) % 360 - 180
    ax.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), xticks=[], yticks=[],
           title=f"query at {m}, key at {n}")
    ax.set_xlabel(f"from k to q: {between:.0f}°")
    ax.spines[:].set_visible(False)
fig.suptitle("The first two dials: the same distance, the same angle", x=0.01,
             ha="left", fontsize=10)
show(fig, alt="Three dials with a query and a key as hands, dotted before the turn, "
              "solid after it. Query at 2 and key at 0, query at 12 and key at 10: the "
              "hands point in other directions, the angle between them is the same. "
              "Query at 0 and key at 2: another angle.")

# %% [markdown]
# Dotted: the hands before the turn. From the first dial to the second both hands turn ten steps further, and the angle between them stays. The
# proof takes one line. Let $R_p$ be the rotation by $p\,\omega$. A transposed rotation turns back, $R_m^\top = R_{-m}$, and turns add up, so
#
# $$(R_m\,q)\cdot(R_n\,k) = q^\top R_m^\top R_n\,k = q^\top R_{n-m}\,k$$
#
# Compare this with the four terms of §5.2. Here is **one** term, with the word of the query, the word of the key and their distance in it.
#
# A vector of $d$ numbers is taken as $d/2$ pairs of neighbours, $(x_0, x_1), (x_2, x_3), \dots$ Pair $i$ of the token at
# position $p$ is turned by $p\,\omega_i$, with the same range of speeds as before, $\omega_i = \mathrm{base}^{-2i/d}$:
#
# $$\begin{pmatrix}x'_{2i}\\ x'_{2i+1}\end{pmatrix} = \begin{pmatrix}\cos p\,\omega_i & -\sin p\,\omega_i\\ \sin p\,\omega_i & \phantom{-}\cos p\,\omega_i\end{pmatrix}\begin{pmatrix}x_{2i}\\ x_{2i+1}\end{pmatrix}$$
#
# The minus sign does not stand where it stands in $M_k$ of §5.3. There a pair was (sine, cosine): at position 0 the hand is
# $(0, 1)$, it points up and runs clockwise, as on a clock. Here a pair is two features, and the turn is counter-clockwise, from the first
# feature towards the second. It is the same rotation with the two axes exchanged (a cell below the exercise checks it).
#
# ### Exercise 5.5 · RoPE · 3 points · about 15 minutes
#
# Rotate all pairs of all tokens at once. `x` is a query or a key with any number of leading dimensions, `(..., seq, d)` with `d` even. `positions`
# are given, one for each token, because they do not always start at 0: a model that continues a text starts in the middle of it. One point each for
#
# - the turn, for every width <!-- asks: values -->, which leaves the length of every vector as it was <!-- asks: length -->;
# - every list of positions, in any order, with gaps and however large, and every base above 1, whole or not
#   <!-- asks: positions -->: scores depend on the distance alone <!-- asks: distance -->;
# - any shape <!-- asks: leading-dims --> and dtype <!-- asks: dtype -->, half precision too, with angles computed in 32 bits at
#   least (`bfloat16` cannot even hold position 257) <!-- asks: precision -->. The [house rules](#house-rules) hold
#   <!-- asks: non-contiguous, device, inputs-unchanged, gradient -->, but no batch is empty.
#
# <details><summary>Hint 1</summary>Separate x into the first and the second numbers of all pairs. Two formulas then rotate everything.</details>
# <details><summary>Hint 2</summary>Angles have shape (seq, d/2), one for each token and pair. They broadcast over whatever stands in front.</details>
# <details><summary>Hint 3</summary>The way back: the new pairs must again lie next to each other. Put the two halves side by side along a new last axis of size 2; what
# merges the last two axes?</details>

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
    return ab.case(f"1, 2, 3, 4 at positions {positions} {base or ''}",
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
    return ab.case(f"{d} features at positions {positions.tolist()} {base or ''}",
                   ab.numbers(seq, d, seed=d), positions, within=2e-3, **base)

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
# First the sign. Your RoPE applied to the rows of an identity matrix gives the matrix of the turn; exchange the two
# numbers of every pair in $M_3$, and compare:

# %% tags=["uses-exercise"]
rope_matrix = apply_rope(torch.eye(8), torch.full((8,), 3)).T  # (8, 8): three steps
exchanged = [1, 0, 3, 2, 5, 4, 7, 6]
difference = rope_matrix - shift_matrix(3, 8)[exchanged][:, exchanged]
print(f"RoPE and M, axes exchanged: {difference.abs().max():.4f} apart")
print("RoPE and M as it is:        "
      f"{(rope_matrix - shift_matrix(3, 8)).abs().max():.4f} apart")

# %% [markdown]
# Then put the *same* query at every place, and the *same* key at every place, so that nothing but position can make a difference:

# %% tags=["show", "uses-exercise"]
generator = torch.Generator().manual_seed(2)
where = torch.arange(64)
# one q and one k, repeated
q, k = torch.randn(2, 1, 32, generator=generator).expand(2, 64, 32)
scores = apply_rope(q, where) @ apply_rope(k, where).T / 32 ** 0.5            # (64, 64)

same, steps = torch.ones(1, 128), torch.arange(-300, 301)  # a k that equals its q
curves = {}
for start in (0, 1000):
    query, keys = (apply_rope(same, torch.tensor([start])),
                   apply_rope(same.expand(601, 128), start + steps))
    curves[start] = (query @ keys.T)[0] / 128                                 # (601,)

fig, axes = plt.subplots(1, 2, figsize=(7, 3.2))
limit = scores.abs().max().item()
image = axes[0].imshow(scores.numpy(), cmap="PuOr", vmin=-limit, vmax=limit)
axes[0].set(title="Scores of one q with one k: stripes", xlabel="position of the key",
            ylabel="position of the query")
axes[0].spines[:].set_visible(False)
fig.colorbar(image, ax=axes[0], pad=0.02)
for (start, curve), style in zip(curves.items(), ("-", ":")):
    axes[1].plot(
        steps.numpy(), curve.numpy(), style, label=f"query at {start}", linewidth=1.6)
axes[1].set(title="q = k: the score fades with distance",
            xlabel="key position − query position", ylabel="score (1 at distance 0)")
axes[1].legend(frameon=False, fontsize=8)
show(fig, alt="Left, a heatmap of RoPE scores between 64 query and 64 key positions, "
              "made of diagonal stripes: equal distance, equal score. Right, the score "
              "of a query with an equal key against distance from minus 300 to 300, "
              "for a query at 0 and at 1000: the same curve, a peak at 0 that falls "
              "quickly and wavers towards small values.")

# %% [markdown]
# On the left every diagonal has one colour: the distance decides, in both directions differently. On the right query and key agree as well as they
# can; their score falls as they move apart, and it is the same curve from position 0 and from 1000. This fading is not a law:
# on the left, where $q$ and $k$ are random, there is none. A head can learn which distances it likes.
#
# <!-- interactive page -->
# On the interactive page, in the scene "Turn queries and keys instead", move query and key together by five: both hands turn, the
# score stays. Then move one of them alone.
#
# ### Why are the values not turned?
#
# A query meets a key, and of two turns only the difference is left. A value meets nothing: it is multiplied by a weight and added. If it were turned, it would carry
# its own place into the output. We read the same six tokens at positions 0 to 5 and at positions 100 to 105:

# %% tags=["uses-exercise"]
def rope_head(x, positions, turn_values):
    q, k, v = attention.W_q(x), attention.W_k(x), attention.W_v(x)
    scores = apply_rope(q, positions) @ apply_rope(k, positions).transpose(
        -2, -1) / 8 ** 0.5
    return scores.softmax(dim=-1) @ (apply_rope(v, positions) if turn_values else v)

x = torch.randn(1, 6, 8, generator=torch.Generator().manual_seed(6))
for turn_values in (False, True):
    here, there = (
        rope_head(x, torch.arange(6) + start, turn_values) for start in (0, 100))
    which = "turned as well " if turn_values else "left as they are"
    print(f"values {which:17} output moves by {(here - there).abs().max():.4f}")

# %% [markdown]
# Values left alone: the output does not notice the move. Values turned: it does, although no distance has changed.
#
# ### Your turn: exactly three back
#
# In §5.3 a head made by hand looked three places back. RoPE can do that without any position vector. Let every place have the same
# query and the same key, so that only the turns differ. Now every query likes its own place best. By how many positions must
# the keys be turned *beforehand*, so that each query looks exactly three back? Change the 0 and run.

# %% tags=["uses-exercise", "show"]
turned_before = 0                                           # change this number
same = torch.ones(40, 32)                                   # one vector for all places
keys = apply_rope(same, torch.full((40,), turned_before))
scores = apply_rope(same, torch.arange(40)) @ apply_rope(keys, torch.arange(40)).T
print("queries 3, 10, 39 look at:", scores.argmax(dim=-1)[[3, 10, 39]].tolist())

# %% [markdown]
# <details><summary>Answer</summary>
#
# By 3. The key of place $n$ then stands as if at $n + 3$, and the query at $m$ fits best where $n + 3 = m$. In a model the matrix $W_k$
# makes this turn: it is a rotation that is the same for all places. §5.7 lets a model find it by training, and asks the other methods for the same.
#
# </details>
#
# ### Two traps
#
# The first concerns weights that others have trained: **layouts**. Some models (LLaMA in `transformers`, say) pair number $i$ with number $i + d/2$ instead of
# with its neighbour. That is a reordering of the features, harmless when both sides do it, and a wrong model when you load weights made for
# the other layout:

# %% tags=["uses-exercise"]
# 0 4 1 5 2 6 3 7: halves -> neighbours
order = torch.arange(8).reshape(2, 4).T.flatten()

def rope_halves(x, positions):  # the other layout, built on yours
    return apply_rope(x[..., order], positions)[..., order.argsort()]

generator = torch.Generator().manual_seed(3)
positions, (q, k) = torch.arange(5), torch.randn(2, 5, 8, generator=generator)
neighbours = apply_rope(q, positions) @ apply_rope(k, positions).T
halves = rope_halves(q, positions) @ rope_halves(k, positions).T
reordered = [rope_halves(each[:, order.argsort()], positions) for each in (q, k)]
print("same features, other layout: scores differ by up to "
      f"{(halves - neighbours).abs().max():.2f}")
back = reordered[0] @ reordered[1].T
print("features reordered to match: scores differ by up to "
      f"{(back - neighbours).abs().max():.4f}")

# %% [markdown]
# The second trap: **precision**. Models run in 16 bits, and a position is a number, too:

# %%
print(torch.tensor([255., 256., 257., 1001.]).to(torch.bfloat16))

# %% [markdown]
# In `bfloat16` position 257 is position 256, and 1001 is 1000: the fast hand, one radian a step, would be wrong by one radian. This is why
# exercise 5.5 asks for angles in 32 bits; only their sines and cosines may be rounded.
#
# ## 5.6 A penalty for distance
#
# Door 3 leaves embeddings, queries and keys alone. Once the scores are there, subtract something for every step that a key is away. This
# is **ALiBi**, attention with linear biases. Say the words are all equally interesting (all scores 0), and a step costs 0.5:

# %%
distance = (torch.arange(5)[:, None] - torch.arange(5)).abs()         # (5, 5)
weights = (0 - 0.5 * distance).softmax(dim=-1)
print(weights)

# %% [markdown]
# Every word looks around itself. One step costs a factor $e^{-0.5} \approx 0.61$ in weight. What should a step cost? Let each head have its own price: with
# $H$ heads, head $h = 1 \dots H$ charges
#
# $$\mathrm{bias}_h[i, j] = -m_h\,|i - j|, \qquad m_h = 2^{-8h/H}$$
#
# so that prices form a geometric sequence that ends at $2^{-8}$, whatever $H$ is:

# %%
for num_heads in (4, 8):
    prices = [2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)]
    print(num_heads, "heads:", "  ".join(f"1/{1 / m:.0f}" for m in prices))
    print("   weight halves after", "  ".join(f"{math.log(2) / m:.1f}" for m in prices),
          "steps")

# %% [markdown]
# Some heads read the neighbourhood, others the whole page. Nothing is learned here, and nothing ends at some `max_len`.
#
# ### Exercise 5.6 · The ALiBi bias · 1 point · about 6 minutes
#
# Build the bias for all heads at once, in floats of 32 bits at least, ready to be added to scores of shape
# `(batch, heads, seq, seq)` <!-- asks: shape -->. `num_heads` is a power of two.
#
# **It must also** work for every power of two (1 is one) and every length <!-- asks: values -->, stay linear at distances of 300 steps and more
# <!-- asks: far -->, and be made on `device` <!-- asks: device -->.
#
# <details><summary>Hint 1</summary>A table of distances, (seq, seq), and a list of prices, (heads,). How do they become (heads, seq, seq)?</details>
# <details><summary>Hint 2</summary>h counts from 1: what is the price of the first of four heads?</details>

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
# Eight heads, eight prices. On the left the bias of two of them; on the right the weights that the last of 64 tokens gives, when
# all words interest it equally and the future is hidden:

# %% tags=["show", "uses-exercise"]
bias = alibi_bias(8, 64)
fig, axes = plt.subplots(1, 3, figsize=(7, 2.9), width_ratios=[1, 1, 1.5])
for ax, head, price in zip(axes, (0, 3), ("½", "1/16")):
    image = ax.imshow(bias[head].numpy(), cmap="Blues_r", vmin=-6, vmax=0)
    ax.set(title=f"Head {head + 1}: −{price} · |i − j|", xlabel="key",
           ylabel="query" if head == 0 else "")
    ax.spines[:].set_visible(False)
fig.colorbar(image, ax=axes[:2], location="bottom", label="bias (darkest: −6 or less)",
             aspect=40)
future = torch.ones(64, 64).triu(1).bool()
# equal scores, future hidden
weights = bias.masked_fill(future, -torch.inf).softmax(dim=-1)
for head, color in enumerate(
        plt.get_cmap("viridis")(torch.linspace(0, 0.9, 8).numpy())):
    axes[2].plot(weights[head, -1].flip(0).numpy(), color=color,
                 label=f"{head + 1}" if head in (0, 3, 7) else None)
axes[2].set(
    title="Weights of the last token", xlabel="distance", ylabel="weight", xlim=(0, 63),
    yscale="log", ylim=(1e-4, 1))
axes[2].legend(title="head", frameon=False, fontsize=8, loc="upper right", ncols=3)
show(fig, alt="Left and middle, the ALiBi bias of heads 1 and 4 of 8 for 64 tokens: "
              "zero on the diagonal, darker with distance, much steeper in head 1. "
              "Right, on a logarithmic axis, the weights of the last token by distance "
              "with equal scores and the future hidden: straight lines, from head 1, "
              "which spends nearly all on the last few tokens, to head 8, which "
              "spreads almost evenly over all.")
print(f"head 8: weight of the first word {weights[7, -1, 0]:.4f}, of the last "
      f"{weights[7, -1, -1]:.4f}")

# %% [markdown]
# Head 1 is as dark after 8 steps as head 4 is in its corners, after 63: for head 1 the rest of the text hardly exists. Head 8
# spends nearly as much on the first word as on the last. PyTorch takes such a bias as an additive mask (the float kind of chapter 3):

# %% tags=["uses-exercise"]
generator = torch.Generator().manual_seed(4)
# each (batch 2, heads 8, seq 10, d_head 16)
q, k, v = torch.randn(3, 2, 8, 10, 16, generator=generator)
by_hand = (q @ k.transpose(-2, -1) / 16 ** 0.5 + alibi_bias(8, 10)).softmax(dim=-1) @ v
pytorch = F.scaled_dot_product_attention(q, k, v, attn_mask=alibi_bias(8, 10))
print(f"largest difference {(by_hand - pytorch).abs().max():.6f}")

# %% [markdown]
# ## 5.7 Four ways, four tests
#
# All doors can be opened now. Five readers, one without order, four with, and otherwise the same:

# %% tags=["uses-exercise"]
def places_of(x):  # 0, 1, 2, … along the second-last axis of x
    return torch.arange(x.size(-2), device=x.device)

def readers(vocab, max_len):
    return {"none": Reader(vocab),
            "sinusoidal": Reader(
                vocab,
                add=lambda x: x + sinusoidal_encoding(x.size(1), x.size(2), x.device)),
            "learned": Reader(vocab, add=LearnedPositions(max_len, 32)),
            "RoPE": Reader(vocab, turn=lambda x: apply_rope(x, places_of(x))),
            "ALiBi": Reader(vocab, bias=alibi_bias)}

# %% [markdown]
# **Test 1: who bites?** Once as an encoder, where all words see all words, and once under a causal mask.
# **Predict, then run:** which of the four tosses a coin as an encoder?

# %% tags=["show"]
guess_coin = None      # type "sinusoidal", "learned", "RoPE" or "ALiBi"

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
right = {}
print(f"{'':12} encoder   causal")
for name in readers(vocab=12, max_len=3):
    right[name], causal = (
        who_bites(readers(vocab=12, max_len=3)[name], causal=causal)[1]
        for causal in (False, True))
    print(f"{name:12} {right[name]:7.2f} {causal:8.2f}")
worst = min((name for name in right if name != "none"), key=right.get)
check_guess("who tosses a coin as an encoder", guess_coin, worst)

# %% [markdown]
# The causal column: even without positions the mask alone tells who bites, as the gap of §5.1 led us to expect. And the last
# row: **ALiBi fails as an encoder**, though it has positions. Your instrument of exercise 5.1 shows what it does not see:

# %% tags=["uses-exercise", "tolerance-0.05"]
def with_alibi(x):
    bias = alibi_bias(8, x.size(1), x.device)[0]  # the head that charges ½
    weights = (x @ x.transpose(-2, -1) / 2 + bias).softmax(dim=-1)
    return weights @ x, weights

def with_rope(x):
    turned = apply_rope(x, torch.arange(x.size(1)))
    weights = (turned @ turned.transpose(-2, -1) / 2).softmax(dim=-1)
    return weights @ x, weights

x = torch.randn(1, 7, 4, generator=torch.Generator().manual_seed(7))
shuffled, mirrored = torch.tensor([2, 0, 5, 1, 6, 4, 3]), torch.arange(7).flip(0)
for name, attend in [("ALiBi", with_alibi), ("RoPE ", with_rope)]:
    gaps = [permutation_gap(attend, x, perm) for perm in (shuffled, mirrored)]
    print(f"{name} gap for a shuffled sentence {gaps[0]:.2f}, for a mirrored one "
          f"{gaps[1]:.2f}")

# %% [markdown]
# $|i - j|$ says how far, not which way. ALiBi notices a shuffle, but a sentence and its mirror image have the same distances, and "man bites dog" *is*
# the mirror image of "dog bites man". RoPE, which turns by $n - m$ with its sign, passes. If the missing sign is the reason, ALiBi must pass as
# soon as a step ahead costs more than a step back:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
def dearer_ahead(num_heads, seq, device=None):
    bias = alibi_bias(num_heads, seq, device)
    return bias + bias.triu()  # (heads, seq, seq): ahead twice the price

torch.manual_seed(5)
print(f"ALiBi {right['ALiBi']:.2f}, with the sign "
      f"{who_bites(Reader(12, bias=dearer_ahead))[1]:.2f}")

# %% [markdown]
# ALiBi was made for decoders, where the mask says which way.
#
# **Tests 2 to 4** are for decoders. Texts of 32 random words; under a causal mask the model answers at every place.
#
# - **last name**: a quarter of the words are names; say the one mentioned last. (Content finds names, position the latest.)
# - **three back**: say the word exactly three places back. (Position alone.)
# - **as told**: some words say how far to look, 1, 2, 3 or 4 back; say the word that stands there. (*The word decides the
#   distance*: what none of the four terms of §5.2 holds.)

# %% tags=["uses-exercise"]
def last_name(length, generator, batch=32):
    ids = torch.randint(32, (batch, length), generator=generator)
    ids = torch.where(
        torch.rand(batch, length, generator=generator) < 0.25, ids % 8, 8 + ids % 24)
    # of the last name
    where = torch.where(ids < 8, torch.arange(length), -1).cummax(dim=1).values
    # -100: no answer yet
    return ids, torch.where(where >= 0, ids.gather(1, where.clamp(min=0)), -100)

def look_back(ids, steps):
    where = torch.arange(ids.size(1)) - steps  # (batch, length)
    return torch.where(where >= 0, ids.gather(1, where.clamp(min=0)), -100)

def three_back(length, generator, batch=32):
    ids = torch.randint(32, (batch, length), generator=generator)
    return ids, look_back(ids, torch.full_like(ids, 3))

def as_told(length, generator, batch=32):
    ids = torch.randint(32, (batch, length), generator=generator)
    # words below 16 tell
    return ids, torch.where(ids < 16, look_back(ids, ids % 4 + 1), -100)

# %% tags=["show", "uses-exercise"]
def learn(reader, task, steps=300, length=32):
    reader, generator = reader.to(device), torch.Generator().manual_seed(0)
    optimizer = torch.optim.AdamW(reader.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        ids, targets = (each.to(device) for each in task(length, generator))
        logits = reader(ids, causal=True).flatten(0, 1)
        loss = F.cross_entropy(logits, targets.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return reader

@torch.no_grad()
def right_by_place(reader, task, length):
    """Share of right answers in each stretch of 16 places, over 128 new texts."""
    ids, targets = (
        each.to(device) for each in task(length, torch.Generator().manual_seed(1), 128))
    hits, counts = (reader(ids, causal=True).argmax(dim=-1) == targets), targets >= 0
    return [(hits[:, i:i + 16].sum() / counts[:, i:i + 16].sum()).item()
            for i in range(0, length, 16)]

# %% [markdown]
# All five train on each task, from the same texts, and read the same new ones:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
tasks, trained = (
    {"last name": last_name, "three back": three_back, "as told": as_told}, {})
torch.manual_seed(5)
print(f"{'':12}" + "".join(f"{task:>12}" for task in tasks))
for name in readers(vocab=32, max_len=32):
    for task, texts in tasks.items():
        trained[name, task] = learn(readers(vocab=32, max_len=32)[name], texts)
    scores = [right_by_place(trained[name, task], texts, 32)[-1]
              for task, texts in tasks.items()]
    print(f"{name:12}" + "".join(f"{score:12.2f}" for score in scores))

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7, 3))
for i, (name, color) in enumerate(zip(right, ["#000000"] + OKABE_ITO)):
    scores = [right_by_place(trained[name, task], texts, 32)[-1]
              for task, texts in tasks.items()]
    bars = ax.bar([j + 0.16 * (i - 2) for j in range(3)], scores, width=0.15,
                  color=color, label=name)
    ax.bar_label(bars, [f"{score:.2f}" for score in scores], fontsize=7)
ax.set(
    title="Three back: ALiBi cannot. A distance told by a word: RoPE learns it first",
    ylabel="share of right answers", ylim=(0, 1.12))
ax.set_xticks(range(3), tasks)
ax.legend(
    frameon=False, fontsize=8, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.12))
show(fig,
     alt="Bars of the share of right answers for five ways to encode order on three "
         "tasks. Last name: sinusoidal, learned and RoPE near 1, ALiBi above 0.9, none "
         "about a half. Three back: sinusoidal, learned and RoPE near 1, ALiBi about "
         "0.2, none about 0.1. As told: RoPE 1, the others clearly lower.")

# %% [markdown]
# **Last name**: all four ways work, and leaving positions out does not. **Three back**: ALiBi answers little better than no positions at all. **As told**: only
# RoPE has it right. The two added encodings, which did well when the distance was always three, fall behind when a word decides it. Can they not do it, or are they
# slower? The same question for ALiBi and "three back". Four times the steps:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
for name in ("sinusoidal", "learned"):
    longer = learn(readers(vocab=32, max_len=32)[name], as_told, steps=1200)
    scores = [right_by_place(reader, as_told, 32)[-1]
              for reader in (trained[name, "as told"], longer)]
    print(f"{name:11} as told:    {scores[0]:.2f} after 300 steps, {scores[1]:.2f} "
          "after 1200")
longer = learn(readers(vocab=32, max_len=32)["ALiBi"], three_back, steps=1200)
scores = [right_by_place(reader, three_back, 32)[-1]
          for reader in (trained["ALiBi", "three back"], longer)]
print(f"ALiBi       three back: {scores[0]:.2f} after 300 steps, {scores[1]:.2f} after "
      "1200")

# %% [markdown]
# ALiBi gains nothing. The two added encodings are slower, and the sinusoidal one is not there yet: what RoPE has in one term, they have to put together out of several.
#
# Is that really a matter of the four terms? Here they are for the trained sinusoidal reader, seen from the last of 32 places. For each term: how much it
# varies from key to key (the standard deviation, mean over texts and heads), because a constant changes no weight.

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
@torch.no_grad()
def four_terms(reader, ids):
    W_q, W_k, _ = reader.qkv.weight.cpu().chunk(3)                      # (32, 32) each
    bias = reader.qkv.bias.cpu()[:32]  # the same at each place: counted there
    word = F.embedding(ids, reader.embedding.weight.cpu())  # (batch, seq, 32)
    place = sinusoidal_encoding(ids.size(1), 32).expand_as(word)
    cut = lambda t: t.unflatten(-1, (4, 8)).transpose(1, 2)  # (batch, heads, seq, 8)
    queries = [cut(word @ W_q.T)[:, :, -1:], cut(place @ W_q.T + bias)[:, :, -1:]]
    keys = [cut(word @ W_k.T), cut(place @ W_k.T)]
    return [(q @ k.transpose(-2, -1) / 8 ** 0.5).std(-1).mean().item() for q in queries
            for k in keys]

print("              word,word   word,place   place,word   place,place")
for task, texts in tasks.items():
    ids, _ = texts(32, torch.Generator().manual_seed(2))
    terms = four_terms(trained["sinusoidal", task], ids)
    print(f"{task:12}" + "".join(f"{term:12.1f}" for term in terms))

# %% [markdown]
# In "three back" the place–place term is the strongest by far, and word–word is nearly silent. In "as told" the terms with words have grown, without
# helping enough: through them a word can ask for a *place*, which has to be learned place by place, but not for a *distance*.
#
# ### Learned once, or place by place?
#
# Two reasons have been given for "three back", and each can fail a test. If a table must learn it place by place, answers at
# the first 16 places teach it nothing about the other 16. And if ALiBi fails because its bias likes the near key more than the far one, it must
# gain when the three nearest keys are hidden, so that the key three back is the nearest:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
def first_half(length, generator, batch=32):
    ids, answers = three_back(length, generator, batch)
    answers[:, 16:] = -100
    return ids, answers

def nearest_hidden(bias):
    def hide(num_heads, seq, device=None):
        back = torch.arange(seq, device=device)[:, None] - torch.arange(
            seq, device=device)
        return bias(num_heads, seq, device).masked_fill((back >= 0) & (back < 3), -1e4)
    return hide

def no_bias(num_heads, seq, device=None):
    return torch.zeros(num_heads, seq, seq, device=device)

print("answers at 16 places only   places 1–16   17–32")
for name in ("sinusoidal", "learned", "RoPE"):
    torch.manual_seed(5)
    half = learn(readers(vocab=32, max_len=32)[name], first_half)
    print(f"{name:27}"
          + "".join(f"{share:10.2f}" for share in right_by_place(half, three_back, 32)))
print("three nearest hidden                        17–32")
for name, bias in [("none", no_bias), ("ALiBi", alibi_bias)]:
    torch.manual_seed(5)
    hidden = learn(Reader(32, bias=nearest_hidden(bias)), three_back)
    print(f"{name:37}{right_by_place(hidden, three_back, 32)[-1]:10.2f}")

# %% [markdown]
# Only RoPE carries to the other places what it learned at the first 16. The learned table does not, and neither does the
# sinusoidal one: a head *can* hold $M_{-3}$, which is right everywhere (§5.3), but training found something that fits the places it saw. Hiding the near
# keys takes ALiBi from 0.18 to about a half. So they were in its way; the key four places back still is.
#
# ### Longer than ever
#
# The same readers go on reading, to 256 places. **Predict, then run:** RoPE names the last name in 99% of all cases at places
# 17 to 32. And at places 241 to 256?

# %% tags=["show"]
guess_far = None      # type a number between 0 and 1; chance is 0.12

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
results = {}
for name in right:
    try:
        results[name] = right_by_place(trained[name, "last name"], last_name, 256)
    except ValueError as error:
        print(f"{name}: {error}")
        results[name] = right_by_place(trained[name, "last name"], last_name, 32)
check_guess("RoPE at places 241 to 256", guess_far, round(results["RoPE"][-1], 2))

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7, 3.2))
ax.axvspan(0, 32, color="0.93")
ax.text(16, 0.03, "trained here", ha="center", fontsize=8)
for (name, shares), color, marker in zip(
        results.items(), ["#000000"] + OKABE_ITO, "xosD^"):
    middles = [16 * i + 8 for i in range(len(shares))]
    ax.plot(middles, shares, marker=marker, markersize=9 if name == "learned" else 4,
            color=color, label=name)
draw_guess(ax, guess_far)
ax.set(title="Beyond the lengths seen in training only ALiBi goes on as before",
       xlabel="place in the text", ylabel="share of right answers", xlim=(0, 256),
       ylim=(0, 1.05))
ax.legend(
    frameon=False, fontsize=8, ncols=6, loc="upper center", bbox_to_anchor=(0.5, -0.2))
show(fig,
     alt="Share of right answers against the place in the text for five ways to encode "
         "order, trained on texts of 32 tokens. Up to place 32 sinusoidal, learned and "
         "RoPE are near 1 and ALiBi is above 0.85, none is lower. Beyond 32 learned "
         "ends, sinusoidal and RoPE fall below none, ALiBi stays.")

# %% [markdown]
# Inside the grey band all four ways work. To the right of it the learned table has no answer. The
# sinusoidal table and RoPE have one for every position, and no error is raised, yet they fall below the reader that knows no positions at all.
#
# Why? RoPE met no distance above 31 in training, the sinusoidal table no place above 31. If that is the reason, then hiding
# every key that is more than 31 places back must repair RoPE, for which only distances count, and not the sinusoidal table.

# %% [markdown]
# A bias of $-\infty$ through door 3 hides these keys:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
def window(num_heads, seq, device=None):
    where = torch.arange(seq, device=device)
    return torch.where(where[:, None] - where > 31, -torch.inf, 0.0)     # (seq, seq)

print("places 241–256          whole text   31 back at most")
for task, texts in list(tasks.items())[:2]:
    for name in ("none", "sinusoidal", "RoPE"):
        reader = trained[name, task]
        whole = right_by_place(reader, texts, 256)[-1]
        reader.bias = window
        print(f"{task:11} {name:11} {whole:10.2f} "
              f"{right_by_place(reader, texts, 256)[-1]:14.2f}")
        reader.bias = None

# %% [markdown]
# With the window RoPE is as good at place 256 as at 32, on both tasks; the sinusoidal reader is not. But the window takes away two things:
# the unseen distances, and most of the keys. Which of them helps? Now RoPE sees all keys, and every distance above 31 is turned as if it were 31:

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
class FarAs31(Reader):
    def forward(self, ids, causal=True):
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for part in self.qkv(self.embedding(ids)).chunk(3, dim=-1))
        where = torch.arange(ids.size(1), device=ids.device)
        distance = where[:, None] - where                                # (seq, seq)
        near = apply_rope(q, where) @ apply_rope(k, where).transpose(-2, -1)
        far = apply_rope(q, torch.full_like(where, 31)) @ k.transpose(-2, -1)
        scores = torch.where(distance > 31, far, near) / q.size(-1) ** 0.5
        weights = scores.masked_fill(distance < 0, -torch.inf).softmax(dim=-1)
        return self.head((weights @ v).transpose(1, 2).flatten(2))

for task, texts in list(tasks.items())[:2]:
    reader = FarAs31(32).to(device)
    reader.load_state_dict(trained["RoPE", task].state_dict())
    print(f"{task:11} RoPE, far turned as 31: "
          f"{right_by_place(reader, texts, 256)[-1]:.2f}")

# %% [markdown]
# RoPE is nearly as good as with the window. So its weakness is not the number of keys, but
# turns between query and key that training has never shown. This is why models with RoPE are often trained further, with a larger `base`,
# when their context is to grow (Xiong and others, below). "Defined for any length" is not "works at any length". ALiBi's far keys are merely more of the same, and cost more.
#
# (One layer, 300 steps, small tasks: a picture of the mechanisms, not a ranking.)
#
# | | where it comes in | learned numbers | knows | exactly three back | past the training length |
# | --- | --- | --- | --- | --- | --- |
# | sinusoidal | added to `x` | 0 | place; distance as a rotation | yes, place by place | defined, but untrained |
# | learned | added to `x` | `max_len · d_model` | place | yes, place by place | ends |
# | RoPE | turns `q` and `k`, in every layer | 0 | signed distance, with the words | yes | defined, but untrained |
# | ALiBi | added to the scores, in every layer | 0 | how far, not which way | no | goes on |
#
# ### Make it yours
#
# Write a sentence in which the order matters, and its words in another order that says something else. Describe in one line what
# changes. Then test: does RoPE tell the two apart, and does ALiBi? (Nothing here is graded.)

# %% tags=["uses-exercise", "show"]
# order: mine becomes the other sentence
mine, order = "the cat chased the dog", [3, 4, 2, 0, 1]
description = "Who runs away?"  # yours: what changes?

generator = torch.Generator().manual_seed(8)
own = {
    word: torch.randn(4, generator=generator) for word in dict.fromkeys(mine.split())}
x = torch.stack([own[word] for word in mine.split()])[None]           # (1, seq, 4)
print(mine, "/", " ".join(mine.split()[i] for i in order), "/", description)
for name, attend in [("ALiBi", with_alibi), ("RoPE ", with_rope)]:
    print(f"{name} gap {permutation_gap(attend, x, torch.tensor(order)):.2f}")

# %% [markdown]
# ## Summary
#
# Which headline was it? Attention as you built it cannot know: not one number changes when dog and man change places. Open any of the three
# doors for order, and it knows, unless what comes in cannot tell a sentence from its mirror image. Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# You can now
#
# - show, and measure, that attention by itself reads a bag of words: it commutes with every permutation, a gap of 0, and training
#   stops at $\ln 2$; a causal mask is enough to break the symmetry;
# - say why a position may be added (in wide spaces the mixed terms are small), and what the four terms cannot hold: two words
#   and their distance;
# - build the sinusoidal encoding, and say what a step along the sentence does to it: it turns the hands of a clock,
#   $\mathrm{PE}[p+k] = M_k\,\mathrm{PE}[p]$, while the difference of two rows is *not* constant;
# - give a model a learned table of positions, and say where that table ends: at row `max_len`, with a clear error;
# - rotate queries and keys so that their scores depend on distance alone (RoPE): on the signed distance, so it knows before from after;
# - penalise distance in the scores (ALiBi), and choose between all of these: ALiBi goes on past the training length, needs the mask to tell left
#   from right, and cannot look exactly three back.
#
# **Next:** attention moves information between places, and that is all it does. Chapter 6 puts around it what every real model has, norms, feed-forward
# layers and the paths that lead past them, and stacks the result 24 high.
#
# ## Further reading
#
# - Vaswani and others (2017), *Attention Is All You Need*: section 3.5, the sinusoidal encoding, with its remark on "a linear function"
#   of the row $k$ places back. [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
# - Shaw, Uszkoreit, Vaswani (2018), *Self-Attention with Relative Position Representations*: section 3, distance in the scores
#   before RoPE and ALiBi. [arXiv:1803.02155](https://arxiv.org/abs/1803.02155)
# - Ke, He, Liu (2021), *Rethinking Positional Encoding in Language Pre-training*: section 3.1, the four terms of the
#   score. [arXiv:2006.15595](https://arxiv.org/abs/2006.15595)
# - Su and others (2021), *RoFormer: Enhanced Transformer with Rotary Position Embedding*: section 3, RoPE and the fading of its
#   scores. [arXiv:2104.09864](https://arxiv.org/abs/2104.09864)
# - Press, Smith, Lewis (2021), *Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation*: section 3,
#   ALiBi. [arXiv:2108.12409](https://arxiv.org/abs/2108.12409)
# - Xiong and others (2023), *Effective Long-Context Scaling of Foundation Models*: section 4.1, a larger `base` for longer
#   texts. [arXiv:2309.16039](https://arxiv.org/abs/2309.16039)
# - Haviv and others (2022), *Transformer Language Models without Positional Encodings Still Learn Positional Information*: how
#   much order a causal mask gives away. [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)
# - Kazemnejad and others (2023), *The Impact of Positional Encoding on Length Generalization in Transformers*: our "Longer than
#   ever", at full size. [arXiv:2305.19466](https://arxiv.org/abs/2305.19466)
