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
# # 12 · What attention remembers
#
# *155 minutes · ●●●●● · 4 exercises, 11 points · you need chapters 5, 9, 10 and 11*
#
# > A model was trained on pieces of 64 characters. You give it 640.
#
# **A text is ten times as long as anything seen in training: what happens to the model, to its cache, and to the time that each token takes?**
# One principle: **the cheap way must give what the expensive way gives**, token by token; where it cannot, we measure the difference.
#
# **After this chapter you can**
#
# - keep a cache of fixed size whose first tokens stay, and say what happens to a model that loses them;
# - store a small latent vector instead of keys and values, and read it without ever unpacking it;
# - share a cache between conversations, block by block, and copy a block only when somebody writes;
# - stretch rotary positions beyond the trained length, and measure what that saves and what it does not.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(12)
torch.set_printoptions(precision=4, sci_mode=False)
torch.set_num_threads(1)              # more threads would only wait for one another
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 12.1 Ten times as long
#
# First we need a model to test. Its rotary positions (chapter 5) are applied to queries and keys inside each layer, so there is no position table that could run out. One thing is
# new: each layer asks a **memory** what to attend to. It hands in the keys and values of the new tokens, and gets back keys, values and their positions. Without a memory it attends to the tokens of this call.

# %%
def rotate(x, positions, omega):
    """Chapter 5's rotation with the inverse frequencies as an argument.

    x: (..., seq, d)   positions: (seq,)   omega: (d / 2,)
    """
    angles = positions[:, None] * omega               # (seq, d / 2)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
    return pairs.flatten(-2)


class Layer(nn.Module):
    """A decoder layer that attends to what its memory gives it."""

    def __init__(self, d_model, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)

    def project(self, x):
        """q, k and v before any rotation: (batch, heads, seq, d_head) each."""
        x = self.norm1(x)
        return [W(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                for W in (self.W_q, self.W_k, self.W_v)]

    def after(self, x, output):
        """The rest of the layer, once the heads have their output."""
        x = x + self.W_o(output.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x))))

    def forward(self, x, omega, memory=None, mask=None):
        q, k, v = self.project(x)
        place = torch.arange(x.size(1), device=x.device)
        if memory:
            k, v, place = memory(k, v)
        here = place[-x.size(1):]                     # positions of the queries
        if mask is None:
            mask = place <= here[:, None]
        q, k = rotate(q, here, omega), rotate(k, place, omega)
        return self.after(x, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))

# %% [markdown]
# The model: an embedding, two such layers, a norm, and the embedding again as the head.

# %%
# @title The small decoder made of these layers
class Reader(nn.Module):
    """A small decoder over 96 characters with rotary positions."""

    def __init__(self, d_model=64, heads=4, layers=2, vocab=96):
        super().__init__()
        self.embedding, self.norm = nn.Embedding(vocab, d_model), nn.LayerNorm(d_model)
        self.layers = nn.ModuleList(Layer(d_model, heads) for _ in range(layers))
        d_head = d_model // heads
        exponent = -torch.arange(0, d_head, 2) / d_head
        self.register_buffer("omega", 10000.0 ** exponent)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02 * math.sqrt(768 / d_model))

    def forward(self, ids, memories=None, omega=None, mask=None):
        x = self.embedding(ids)                       # (batch, seq, d_model)
        omega = self.omega if omega is None else omega
        for n, layer in enumerate(self.layers):
            x = layer(x, omega, memories[n] if memories else None, mask)
        return F.linear(self.norm(x), self.embedding.weight)   # (batch, seq, vocab)

# %% [markdown]
# From earlier chapters come the rotation of queries and keys, the training step, the class that records the largest tensor, and the path to SmolLM2.

# %% carry=["ch05_positions: apply_rope", "ch08_decoder: smollm2", "ch09_training: make_batch, learning_rate, train_step", "ch10_efficiency: LargestTensor"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# It learns from chapter 9's text, Python's manual, one character a token, in pieces of **64**. We take 12 stretches of 641 held-out characters.

# %%
# @title Chapter 9's text, and twelve stretches of it that are held out
TRAINED, LONG = 64, 640
alphabet = "\n" + "".join(map(chr, range(32, 127)))
id_of = {character: i for i, character in enumerate(alphabet)}
text = ab.manual()[:400_000]
ids = torch.tensor([id_of.get(c, id_of["?"]) for c in text])
train_ids, test_ids = ids[:360_000], ids[360_000:]
starts = torch.linspace(0, len(test_ids) - LONG - 1, 12).long()
long_texts = test_ids[starts[:, None] + torch.arange(LONG + 1)]   # (12, 641)

# %% tags=["show"]
# @title A small model reads it; the loss by stretches of a text
def trained_reader(steps, seed=12, **sizes):
    """A Reader after so many batches of 32 pieces of 64 characters."""
    torch.manual_seed(seed)
    model, generator = Reader(**sizes).to(device), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=4e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, 4e-3, 30, steps)
        batch = make_batch(train_ids, 32, TRAINED, generator)
        train_step(model, [part.to(device) for part in batch], optimizer)
    return model.eval().cpu()         # read token by token: quicker on the CPU

STRETCHES = [(8, 64), (64, 128), (128, 256), (256, 480), (480, 640)]

@torch.no_grad()
def losses(logits):
    """Loss of each character of the long texts, (12, 640)."""
    targets = long_texts[:, 1:]
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")

def print_stretches(rows):
    """Mean loss by stretch, a row for each name; returns the last numbers."""
    print("characters            ", "  ".join(f"{a:3d}-{b:3d}" for a, b in STRETCHES))
    for name, loss in rows.items():
        means = (f"{loss[:, a:b].mean().item():7.2f}" for a, b in STRETCHES)
        print(f"{name:22}", "  ".join(means))
    return [loss[:, 480:].mean().item() for loss in rows.values()]

reader = trained_reader(500)
size = sum(p.numel() for p in reader.parameters())
print(f"{size:,d} parameters, trained on pieces of {TRAINED} characters")

# %% [markdown]
# **Predict, then run.** On pieces of 64 its loss (cross-entropy, chapter 9) is about 1.5 per character; guessing blindly would give $\ln 96 = 4.56$. What will the loss be at the end of
# a text of 640, from character 480 on?

# %% tags=["show"]
guess_long = None                     # type a number, then run the next cell

# %% tags=["show", "tolerance-0.15"]
place = torch.arange(LONG)
behind = place[:, None] - place                       # how far back: (640, 640)
with torch.no_grad():
    full = losses(reader(long_texts[:, :-1]))
last_loss, = print_stretches({"everything before": full})
check_guess("loss at the end of a text of 640", guess_long, round(last_loss, 2))

# %% [markdown]
# **The model** does not run out of positions, but its loss rises to more than twice what it is on pieces of 64. <!-- told --> Two things are new to it at the end of the text: keys further away than 63, rotated to angles it has never seen, and
# a softmax over more than 64 keys. A mask that hides all but the last 64 characters removes both:

# %% tags=["show", "tolerance-0.15"]
last_64 = (behind >= 0) & (behind < TRAINED)
with torch.no_grad():
    windowed = losses(reader(long_texts[:, :-1], mask=last_64))
_ = print_stretches({"everything before": full, "the last 64 alone": windowed})

# %% [markdown]
# With the window the model predicts the end as accurately as the beginning. (A much shorter window is enough, too: nothing far away helps this model, so it cannot show what a window loses.)
#
# Which of the two did the damage? We kept all characters, but replaced every distance above 63 by 40, which is common in training. Then most of the damage is gone, so the distances cause it. (With 63, less of it is gone: [deeper](deeper.ipynb).)
#
# **The cache**: a memory that keeps everything, and its size after 64, 640 and 6,400 characters:

# %%
class Everything:
    """The memory of a layer that keeps all tokens."""

    def __init__(self):
        self.k = self.v = None

    def __call__(self, k, v):
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2)
        self.k, self.v = k, v                         # (batch, heads, so far, d_head)
        return k, v, torch.arange(k.shape[2])

# %% tags=["show"]
for n in (64, 640, 6400):
    memories = [Everything() for _ in reader.layers]
    with torch.no_grad():
        for piece in test_ids[:n].split(640):
            reader(piece[None], memories)
    kept = sum(m.k.numel() + m.v.numel() for m in memories)
    print(f"{n:5,d} characters read: {4 * kept / 1024:7,.0f} KiB, and {2 * kept:9,d} "
          "operations of attention for the next one")

# %% [markdown]
# Both columns grow in proportion to the text. Something has to be left out.
#
# ## 12.2 A cache that rolls
#
# Let the oldest token go whenever a new one comes: that is chapter 10's window, as a cache. A **ring** does it without moving anything. Token $t$ goes to
# slot $t \bmod \mathrm{window}$, which holds the token that has just become too old:

# %%
window, ring = 4, [None] * 4
for t in range(7):
    ring[t % window] = t
    print(f"token {t}:", ring)

# %% [markdown]
# From token 4 on the slots are no longer in order of position. Attention gives the same output in any order, but rotary positions need to know which token lies where.
#
# Which tokens may go? Xiao and others (2023) found that large models put much attention on the first few tokens. Their explanation: the weights of a
# softmax sum to 1, so a head that has nothing to look for needs a place for its weight, an **attention sink**. Every later token sees the first ones, so these become that place.
#
# **What breaks if…** the window drops them? A head made by hand shows the mechanism: 60 tokens with scores about 0, and a first one with score 8 and a small value.

# %%
generator = torch.Generator().manual_seed(12)
scores = torch.cat([torch.tensor([8.0]), torch.randn(60, generator=generator)])
values = torch.randn(61, 16, generator=generator)
values[0] *= 0.05                                     # the sink adds next to nothing
for name, first in [("with the sink", 0), ("without it", 1)]:
    weights = scores[first:].softmax(dim=-1)
    length = (weights @ values[first:]).norm()
    print(f"{name:14} largest weight {weights.max():.2f}, output {length:.2f} long")

# %% [markdown]
# Without the sink this head adds three times as much to the residual stream, although no key fits the query.
#
# <!-- interactive page -->
# On the page, let the cache roll on: which tokens have left it, and what stands in slot 0 now?

# %% [markdown]
# ### Exercise 12.1 · A cache that rolls · 3 points · about 15 minutes
#
# A new token overwrites the oldest one; the first few stay. Write `RollingCache(window, sinks=0)`. `append(k, v)` takes the key `(batch, heads, 1, d_k)` and the value `(batch, heads, 1, d_v)` of one more token.
# `read()` returns `(k, v, positions)`: what is kept, in order of position, and where in the text each token stood, counted from 0. One point each:
#
# - **Window:** the last `window` tokens stay <!-- asks: values -->.
# - **Sinks:** the first `sinks` tokens stay for good, and of all others the last `window` <!-- asks: sinks -->.
# - **Memory:** the object never holds more than `window + sinks` keys, and as many values <!-- asks: memory -->. No step makes a
#   larger tensor: overwrite, do not join and cut <!-- asks: largest-tensor -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Windows are 1 or more; `d_k` and `d_v` may differ. `positions` is `(kept,)`, int32 or int64. Two
# caches share nothing <!-- asks: separate -->. Of the [house rules](#house-rules) those for dtype (keys and values have each their own), device (positions too) and inputs hold
# <!-- asks: dtype, device, inputs-unchanged -->. Keys are stored before any rotation. What `read` returned is used at once: the next
# `append` may change it.
# </details>
# <details><summary>Hint 1</summary>The slot of a token that is no sink follows from its position: after <code>window</code> tokens the same slots come again.</details>
# <details><summary>Hint 2</summary>To read, list the positions that are kept, in order, and look up the slot of each.</details>
# <details><summary>Hint 3</summary>The buffer can be made at the first <code>append</code>, when sizes, dtype and device are known (<code>new_zeros</code>).</details>

# %% nbgrader={"grade": false, "grade_id": "ch12_RollingCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RollingCache:
    """Keys and values of the first `sinks` tokens and of the last `window` others.

    They lie in a buffer that does not grow.

    Xiao and others (2023), Efficient Streaming Language Models with Attention Sinks,
    section 3.2.
    """

    def __init__(self, window, sinks=0):
        self.window, self.sinks = window, sinks
        ### BEGIN SOLUTION
        self.seen = 0
        self.kept_keys = self.kept_values = None
        ### END SOLUTION

    def append(self, k, v):
        """k: (batch, heads, 1, d_k)   v: (batch, heads, 1, d_v), of the next token."""
        ### BEGIN SOLUTION
        if self.kept_keys is None:
            size = self.sinks + self.window
            self.kept_keys = k.new_zeros(*k.shape[:2], size, k.shape[-1])
            self.kept_values = v.new_zeros(*v.shape[:2], size, v.shape[-1])
        slot = self.slot(self.seen)
        self.kept_keys[:, :, slot] = k[:, :, 0]
        self.kept_values[:, :, slot] = v[:, :, 0]
        self.seen += 1
        ### END SOLUTION

    def read(self):
        """What is kept, in order of position.

        Returns k (batch, heads, kept, d_k), v (batch, heads, kept, d_v) and
        positions (kept,).
        """
        ### BEGIN SOLUTION
        recent = max(self.sinks, self.seen - self.window)
        positions = [*range(min(self.sinks, self.seen)), *range(recent, self.seen)]
        slots = [self.slot(position) for position in positions]
        where = torch.tensor(positions, device=self.kept_keys.device)
        return self.kept_keys[:, :, slots], self.kept_values[:, :, slots], where

    def slot(self, position):
        """Where in the buffer the token of this position lies."""
        if position < self.sinks:
            return position
        return self.sinks + (position - self.sinks) % self.window
        ### END SOLUTION

# %% tags=["uses-exercise"]
def first_and_last_two():
    cache = RollingCache(window=2, sinks=1)
    for t in range(5):                                # token t: key t, value 10 t
        cache.append(
            torch.full((1, 1, 1, 1), 1.0 * t), torch.full((1, 1, 1, 1), 10.0 * t))
    return [part.flatten() for part in cache.read()]

# keys, values, positions
ab.beside([[0.0, 3.0, 4.0], [0.0, 30.0, 40.0], [0, 3, 4]], first_and_last_two)

# %% nbgrader={"grade": true, "grade_id": "ch12_RollingCache_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.1, window: seven tokens pass a cache for the last three, no sinks."""
def tokens_(*numbers, size=(1, 1), d_k=1, d_v=1, dtype=torch.float32):
    """Token t has key t and value 10 + t; where it has more numbers, they count on."""
    def counted(start, d):
        return start + torch.arange(math.prod(size) * d).view(*size, 1, d).to(dtype)
    return [("append", counted(t, d_k), counted(10 + t, d_v)) for t in numbers]

def rolled_(words, steps, window, asked="read", look="values", within=1e-4, **sinks):
    return ab.case(words, of=ab.module(window, **sinks), steps=[*steps, (asked,)],
                   last=True, look=look, within=within)

def apart_(make):
    one, other = make(3), make(3)
    for cache, (_, k, v) in zip((one, one, other), tokens_(0, 1, 50)):
        cache.append(k, v)
    return one.read()

def kinds_(cache):
    (_, k, v), = tokens_(7)
    cache.append(k.double(), v)
    *kept, where = cache.read()
    whole = where.dtype in (torch.int32, torch.int64)
    return *kept, "int32 or int64" if whole else f"positions in {where.dtype}"

read_ = [("read",)]
ab.check("12.1 window", RollingCache, [
    rolled_("tokens 0 … 6, window 3", tokens_(*range(7)), 3),
    rolled_("tokens 0 and 1, window 3", tokens_(0, 1), 3),
    ab.case("tokens 0 and 1, and token 50 in another cache", ask=apart_,
            hint="What is kept belongs to the object."),
    rolled_("tokens 0 … 8, read three times before", tokens_(0, 1) + read_
            + tokens_(*range(2, 8)) + 2 * read_ + tokens_(8), 3),
    rolled_("two texts, two heads, d_k 2, d_v 3, window 1",
            tokens_(0, 1, 2, size=(2, 2), d_k=2, d_v=3), 1),
    ab.case("a key in float64, a value in float32", of=ab.module(2), ask=kinds_,
            look="dtype values"),
    rolled_("300 tokens in bfloat16", tokens_(*range(300), dtype=torch.bfloat16), 3),
    rolled_("what was appended stays as it was", tokens_(*range(8)), 3, look="inputs"),
    rolled_("on another device, as on a GPU", tokens_(*range(5)), 3, look="device"),
], "k, v -> k, v, positions")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.1 window", RollingCache, cases, "k, v -> k, v, positions",
             like=reference("RollingCache"))

# Property: any window, batch, heads and widths, at every step, in order of position [values]
tried(*(rolled_(f"window {window}, {n} tokens, {size}, d_k {d_k}, d_v {d_v}",
                tokens_(*range(n), size=size, d_k=d_k, d_v=d_v), window)
        for window, size, d_k, d_v, most in [
            (1, (2, 3), 5, 7, 5), (5, (1, 2), 3, 3, 17), (4, (3, 1), 2, 5, 9),
            (13, (2, 2), 2, 3, 7)]
        for n in (1, window, window + 1, most)))
tried(rolled_("window 3, 140 tokens", tokens_(*range(140)), 3))
tried(rolled_("window 2, 11 tokens, read after each",
              sum((tokens_(t) + read_ for t in range(10)), []) + tokens_(10), 2))
# Property: keys and values keep their dtype [dtype]
def dtypes(cache, *kinds):
    for _ in range(5):
        cache.append(*(torch.ones(1, 2, 1, 3, dtype=kind) for kind in kinds))
    return cache.read()[:2]

tried(*(ab.case(f"keys in {k}, values in {v}", k, v, of=ab.module(3), ask=dtypes,
                look="dtype") for k, v in [
    (torch.float64, torch.float64), (torch.bfloat16, torch.bfloat16),
    (torch.float32, torch.float64)]))
# Property: everything lives on the device of what is appended [device]
tried(ab.case("on another device", of=ab.module(4), last=True, look="device", steps=[
    *(("append", *2 * [ab.numbers(1, 2, 1, 3)]) for _ in range(6)), ("read",)]))
# Property: two caches share nothing [separate]
def in_turn(make):
    one, two = make(3), make(2)
    for t in range(4):
        for cache, start in ((one, 1), (two, 50)):
            (_, k, v), = tokens_(start + t)
            cache.append(k, v)
    return one.read()[0], two.read()[0]

tried(ab.case("two caches are filled in turn", ask=in_turn))
# Property: what was appended is not changed [inputs-unchanged]
tried(*(rolled_(f"window {window}, 9 tokens", tokens_(*range(9), d_k=3), window,
                look="inputs") for window in (1, 4)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_RollingCache_check_sinks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.1, sinks: the first two tokens stay, and of the others the last four."""
sunk_ = rolled_("tokens 0 … 10 of two texts and two heads, window 4, 2 sinks",
                tokens_(*range(11), size=(2, 2)), 4, sinks=2)
ab.check("12.1 sinks", RollingCache, [
    sunk_,
    rolled_("tokens 0, 1, 2, window 4, 2 sinks", tokens_(0, 1, 2), 4, sinks=2),
    rolled_("tokens 0 … 6, window 2, 3 sinks", tokens_(*range(7)), 2, sinks=3),
    rolled_("60 tokens, window 4, 2 sinks", tokens_(*range(60)), 4, sinks=2),
], "k, v -> k, v, positions")
### BEGIN HIDDEN TESTS
# Property: sinks and window together, from the first token on [sinks]
ab.check("12.1 sinks", RollingCache, [sunk_, *(
    rolled_(f"window {window}, {sinks} sinks, {n} tokens",
            tokens_(*range(n), size=(2, 3), d_k=5, d_v=5), window, sinks=sinks)
    for window, sinks, most in [
        (2, 1, 7), (3, 4, 13), (5, 1, 19), (2, 7, 6), (2, 5, 11)]
    for n in (1, sinks + 1, sinks + window, sinks + window + 1, most, 63)
)], "k, v -> k, v, positions", like=reference("RollingCache"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_RollingCache_check_memory", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.1, memory: what is held, and the largest tensor made on the way."""
def held_(words, steps, window, sinks):
    return rolled_(words, steps, window, "bytes held", sinks=sinks, within=0.1)

def largest_(cache, tokens, most):
    with LargestTensor() as seen:
        for _, *token in tokens_(*range(tokens), d_k=8):
            cache.append(*token)
            cache.read()
    return f"a tensor of {seen.numel} numbers" if seen.numel > most else "none larger"

wide_ = tokens_(*range(15), size=(1, 4), d_k=8)
kept_ = held_("15 tokens and a read, window 4, 2 sinks", wide_ + read_, 4, 2)
ab.check("12.1 memory", RollingCache, [
    kept_,
    held_("15 tokens without a read, window 4, 2 sinks", wide_, 4, 2),
    ab.case("60 tokens of 8 + 1 numbers, window 4, 2 sinks: no tensor of more than 54",
            60, 54, of=ab.module(4, sinks=2), ask=largest_),
], "k, v -> the size of its tensors in bytes")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.1 memory", RollingCache, [kept_, *cases],
             "k, v -> the size of its tensors in bytes", like=reference("RollingCache"))

# Property: never more than window + sinks tokens are held [memory]
tried(*(held_(f"17 tokens, window {window}, {sinks} sinks",
              tokens_(*range(17), size=(2, 3), d_k=5, d_v=5) + read, window, sinks)
        for window, sinks in [(3, 0), (5, 2), (4, 4)] for read in ([], read_)))
# Property: no step makes a tensor of more than window + sinks tokens [largest-tensor]
tried(*(ab.case(f"{n} tokens of 8 + 1 numbers, window {window}, {sinks} sinks", n,
                9 * (window + sinks), of=ab.module(window, sinks=sinks), ask=largest_)
        for window, sinks, n in [(7, 1, 29), (3, 0, 17)]))
### END HIDDEN TESTS

# %% [markdown]
# We put your cache into the model, one for each layer. Rotated by their positions **in the text**, the keys give exactly full attention's output under the mask, but the sinks soon stand further away than anything seen in training. Rotated by their **places in the cache**, 0, 1, 2, …, no key is ever further away than the cache is long. Xiao and others do that
# (section 3.2).

# %% tags=["show", "uses-exercise", "tolerance-0.15"]
class Rolling:
    """A RollingCache as the memory of a layer.

    in_cache: keys are rotated by their places in the cache, not in the text.
    """

    def __init__(self, window, sinks, in_cache=True):
        self.cache, self.in_cache = RollingCache(window, sinks), in_cache

    def __call__(self, k, v):
        self.cache.append(k, v)
        k, v, positions = self.cache.read()
        return k, v, torch.arange(len(positions)) if self.in_cache else positions

@torch.no_grad()
def streamed(model, texts, make_memory):
    """Logits of the model reading token by token with a memory for each layer."""
    memories = [make_memory() for _ in model.layers]
    steps = [model(texts[:, t:t + 1], memories) for t in range(texts.shape[1])]
    return torch.cat(steps, dim=1)

short = long_texts[:, :160]
sinks_and_window = (behind >= 0) & ((behind < 28) | (place < 4))
with torch.no_grad():
    by_mask = reader(short, mask=sinks_and_window[:160, :160])
rotations = {"by position in the text": False, "by place in the cache": True}
for name, in_cache in rotations.items():
    rolling = streamed(reader, short, lambda: Rolling(28, 4, in_cache))
    far = (rolling - by_mask).abs().max().item()
    apart = "at most 1e-4" if far < 1e-4 else f"up to {far:.1f}"
    print(f"rotated {name:23}: {apart} away from full attention with the mask")

# %% [markdown]
# By position in the text, the cheap way equals the expensive one. By place in the cache, the keys stand at other distances, and the logits differ.
#
# **Predict, then run.** Now the experiment, on our model and a text of 640: keep the last 64; or keep the first 4 and the last 60. How much higher will the loss be at the end without the first four characters?

# %% tags=["show"]
guess_sinks = None                    # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
kept = {"the last 64": lambda: Rolling(64, 0),
        "first 4, last 60": lambda: Rolling(60, 4)}
without, with_sinks = print_stretches({
    name: losses(streamed(reader, long_texts[:, :-1], make))
    for name, make in kept.items()})
gap = round(without - with_sinks, 2) + 0.0            # no minus zero
check_guess("loss without the first four, minus with", guess_sinks, gap)

# %% [markdown]
# **Our model does not fall apart**: at the end the two losses lie within 0.02 of each other. Every head of this model (one seed) gives the first character less than an equal share, so none uses it as a sink ([measured](deeper.ipynb)). <!-- told -->
#
# And a model that others trained? SmolLM2 reads 400 tokens of the same text under masks. The last is the control: it keeps four *other* early tokens.

# %% tags=["show", "tolerance-0.05"]
# @title SmolLM2 with and without its first token
if where := smollm2():
    from transformers import AutoModelForCausalLM, AutoTokenizer
    tokenizer, smol = (kind.from_pretrained(**where)
                       for kind in (AutoTokenizer, AutoModelForCausalLM))
    tokens = torch.tensor([tokenizer(text[380_000:390_000]).input_ids[:401]])
    smol, tokens = smol.to(device), tokens.to(device)
    at = torch.arange(400)
    back = at[:, None] - at
    kept = {"everything before": back < 400, "the last 64": back < 64,
            "first 1, last 63": (back < 63) | (at < 1),
            "20 to 23, last 60": (back < 60) | (at >= 20) & (at < 24)}
    for name, seen in kept.items():
        mask = (seen & (back >= 0))[None, None].to(device)    # (1, 1, 400, 400)
        with torch.no_grad():
            logits = smol(tokens[:, :-1], attention_mask=mask).logits
        loss = F.cross_entropy(logits[0, 100:], tokens[0, 101:])
        print(f"{name:18} loss from token 100 on {loss:.2f}")
else:
    print("Our stored run, from token 100 on: everything before 2.53, the last 64 4.18,"
          "\nfirst 1, last 63 2.94, 20 to 23, last 60 4.13")

# %% [markdown]
# **This one needs its first token.** With a window that keeps it SmolLM2's loss rises by 0.4, without it by about 1.6, even if four other early tokens are kept. So
# softmax alone does not decide whether a model needs a sink. These two models cannot tell what does. Gu and others (2024) find sinks in small models too, after longer training.

# %% [markdown]
# ## 12.3 Keep less of each token
#
# The other way to a smaller cache is to keep every token, but less of each. Grouped heads (chapter 10) share keys and values. **Multi-head latent attention** (DeepSeek-V2) keeps one short vector per token, the latent $c = x\,W_{dkv}$. Each head can compute its keys and values from it: $k = c\,W_{uk}$, $v = c\,W_{uv}$. What is kept of one token in one layer of a large model (`d_rope` is explained below):

# %%
# the sizes of DeepSeek-V2, and a version of it with 8 groups
heads, d_head, groups, d_c, d_rope = 128, 128, 8, 512, 64
full_size = 2 * heads * d_head
sizes = {"full": full_size, "8 groups": 2 * groups * d_head, "latent": d_c + d_rope}
for name, numbers in sizes.items():
    print(f"{name:9} {numbers:6,d} numbers, 1 / {full_size / numbers:.0f} of full")

# %% [markdown]
# If all keys were computed again from the latents at every step, we would save memory and spend arithmetic. This is not necessary. A score is a product of three factors, and the brackets can be moved:
#
# $$q \cdot (c\, W_{uk}) = (q\, W_{uk}^\top) \cdot c$$
#
# One query, five latents, both ways:

# %%
generator = torch.Generator().manual_seed(3)
q, c, W_uk = (torch.randn(*s, generator=generator) for s in [(8,), (5, 3), (3, 8)])
print("keys unpacked: ", (c @ W_uk) @ q)              # five keys of 8 numbers are made
print("query absorbed:", c @ (W_uk @ q))              # one query of 3 numbers is made

# %% tags=["show"]
# @title Keys unpacked, or the query absorbed
parts = {"5 latents": c, "5 keys made": c @ W_uk, "the query": q[None],
         "": torch.zeros(1, 0), "5 latents ": c, "query made": (W_uk @ q)[None]}
fig, axes = plt.subplots(1, 6, figsize=(7.4, 2), width_ratios=[5, 9, 9, 2, 5, 5])
for ax, (title, part) in zip(axes, parts.items()):
    if title:
        draw_matrix(ax, part, title=title, cmap="PuOr", digits=None)
        ax.set(xticks=[], yticks=[])
        ax.title.set_fontsize(8)
    else:
        ax.axis("off")
show(fig, "Five heatmaps. Unpacked: five narrow latents become five keys of eight "
          "numbers, which meet a query of eight. Absorbed: the same five latents meet "
          "one query that was made as narrow as they are.")

# %% [markdown]
# The five scores are the same: $W_{uk}$ is **absorbed** into the query. Does this still work with RoPE? No: the rotation stands between query and key and depends on the distance, so no fixed matrix can contain it:

# %%
omega = torch.tensor([1.0, 0.3, 0.1, 0.03])
keys = rotate(c @ W_uk, torch.arange(5), omega)       # each by its own position
turned_query = rotate(q[None], torch.tensor([4]), omega)[0]
print("unpacked and rotated: ", keys @ turned_query)
print("absorbed, not rotated:", c @ (W_uk @ turned_query))

# %% [markdown]
# So a small part of the key is reserved for the position. Beside its latent, each token keeps a key part of `d_rope` numbers, rotated once and shared by all heads. Each head has a rotated query part
# to go with it, and the two products are added. This is called *decoupled* RoPE.

# %% [markdown]
# ### Exercise 12.2 · Latent attention · 4 points · about 45 minutes
#
# Attention that keeps only latents. Write `latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False)`, causal. It returns `(output, cache)`; the shapes stand in the fold.
# A score is $(q \cdot k + q_r \cdot k_r)/\sqrt{d_{\mathrm{head}} + d_{\mathrm{rope}}}$. Rotate with `apply_rope` of chapter 5, base 10,000.
#
# - **Values, 1 point:** without a cache, for any sizes <!-- asks: values -->.
# - **Cached, 1 point:** a text cut into calls of any lengths gives the outputs of one call <!-- asks: cached -->.
# - **Absorbed, 2 points:** with `absorbed=True` the same outputs and the same cache <!-- asks: absorbed -->, but keys and values are never made: $W_{uk}$ goes to the
#   query's side, $W_{uv}$ behind the weighted sum <!-- asks: largest-tensor -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# | name | shape |
# | --- | --- |
# | `x` | `(batch, seq, d_model)` |
# | `W_q` | `(d_model, heads, d_head)` |
# | `W_dkv` | `(d_model, d_c)` |
# | `W_uk`, `W_uv` | `(d_c, heads, d_head)`, `(d_c, heads, d_v)` |
# | `W_qr`, `W_kr` (rotary parts) | `(d_model, heads, d_rope)`, `(d_model, d_rope)` |
# | `output` | `(batch, seq, heads · d_v)` |
# | `cache`, latents and rotated key parts | `(c, k_r)`: `(batch, so_far, d_c)`, `(batch, so_far, d_rope)` |
#
# No output depends on a later token, however large the scores are <!-- asks: future -->. The
# [house rules](#house-rules) hold, for all matrices too <!-- asks: dtype, device, inputs-unchanged, gradient -->; no batch is empty. Positions go on after the cache, however long it is <!-- asks: far-positions -->. The returned cache holds exactly these two, of old and new tokens <!-- asks: cache -->; the one that was handed in stays as it was <!-- asks: cache-unchanged -->. The absorbed form has the same
# gradients <!-- asks: absorbed-gradient -->; no key or value is made, not even piece by piece.
# </details>
# <details><summary>Hint 1</summary>q · (c W_uk) = (q W_ukᵀ) · c: for each head, the bracket on the right is as wide as a latent.</details>
# <details><summary>Hint 2</summary>The weighted sum of c W_uv over tokens is the weighted sum of c, times W_uv.</details>
# <details><summary>Hint 3</summary>In <code>torch.einsum</code> give every axis one letter and keep it in all products. Which axis do <code>x</code> and <code>W_q</code> share, and which axes does the result have for all heads?</details>

# %% nbgrader={"grade": false, "grade_id": "ch12_latent_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def latent_attention(x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr, cache=None, absorbed=False):
    """Multi-head latent attention with a decoupled rotary part, causal.

    x: (batch, seq, d_model)   matrices: see the table
    cache: None, or (c, k_r) of an earlier call
    Returns output (batch, seq, heads * d_v) and cache, (c, k_r) of all tokens so far.
    DeepSeek-AI (2024), DeepSeek-V2, sections 2.1.2 and 2.1.3.
    """
    ### BEGIN SOLUTION
    start = 0 if cache is None else cache[0].shape[1]
    positions = torch.arange(start, start + x.shape[1], device=x.device)
    c = x @ W_dkv                                     # (batch, seq, d_c)
    k_r = apply_rope(x @ W_kr, positions)             # (batch, seq, d_rope)
    if cache is not None:                             # (batch, so_far, …) both
        c, k_r = torch.cat([cache[0], c], dim=1), torch.cat([cache[1], k_r], dim=1)
    q = torch.einsum("bsm,mhd->bhsd", x, W_q)
    q_r = apply_rope(torch.einsum("bsm,mhr->bhsr", x, W_qr), positions)
    if absorbed:
        q_c = torch.einsum("bhsd,chd->bhsc", q, W_uk) # the query, as wide as a latent
        scores = torch.einsum("bhsc,btc->bhst", q_c, c)
    else:
        k = torch.einsum("btc,chd->bhtd", c, W_uk)
        scores = torch.einsum("bhsd,bhtd->bhst", q, k)
    scores = scores + torch.einsum("bhsr,btr->bhst", q_r, k_r)
    scores = scores / math.sqrt(W_q.shape[-1] + W_qr.shape[-1])
    allowed = torch.arange(c.shape[1], device=x.device) <= positions[:, None]
    # (batch, heads, seq, so_far)
    weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    if absorbed:
        fetched = torch.einsum("bhst,btc->bhsc", weights, c)  # weighted sums of latents
        output = torch.einsum("bhsc,chv->bshv", fetched, W_uv)
    else:
        v = torch.einsum("btc,chv->bthv", c, W_uv)
        output = torch.einsum("bhst,bthv->bshv", weights, v)
    return output.flatten(2), (c, k_r)
    ### END SOLUTION

# %% tags=["uses-exercise"]
one, zeros = torch.ones(1, 1), torch.zeros(1, 1, 2)   # queries of 0: equal scores
x = torch.tensor([[[1.0], [2.0], [6.0]]])             # three tokens of one number
matrices = zeros, one, zeros, torch.ones(1, 1, 1), zeros, torch.ones(1, 2)
# means of 1, of 1 2, of 1 2 6; then the latents in the cache
ab.beside([1.0, 1.5, 3.0], lambda: latent_attention(x, *matrices)[0].flatten())
ab.beside([1.0, 2.0, 6.0], lambda: latent_attention(x, *matrices)[1][0].flatten())

# %% nbgrader={"grade": true, "grade_id": "ch12_latent_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.2, values: texts of five tokens, two heads, no cache."""
def inputs_(*sizes, dtype=torch.float64):
    """x and six matrices, for batch, seq, d_model, heads, d_head, d_c, d_v, d_rope."""
    size = dict(zip("bsmhdcvr", sizes))
    shapes = [[size[a] for a in axes] for axes in "bsm mhd mc chd chv mhr mr".split()]
    return [(ab.numbers(*shape, seed=n) / (shape[0] ** 0.5 if n else 1)).to(dtype)
            for n, shape in enumerate(shapes)]

def pieces_(attend, x, *matrices, cuts=None, forms=(False,), shown=3, tokens=5):
    """Outputs and cache of a text in pieces, from the last token but one on."""
    outputs, cache = [], None
    for n, piece in enumerate(x.split(cuts or x.shape[1], dim=1)):
        output, cache = attend(piece.clone(), *matrices, cache, forms[n % len(forms)])
        outputs.append(output)
    results = torch.cat(outputs, dim=1), *cache
    return [result.roll(2, dims=1)[:, :tokens] for result in results[:shown]]

def text_(words, *inputs, look="dtype values", ask=pieces_, **more):
    return ab.case(words, *inputs, look=look, ask=ask, **more)

x_, q_, *kept_, qr_, kr_ = texts_ = inputs_(3, 5, 7, 2, 6, 4, 3, 4)
whole_ = text_("three texts", *texts_, shown=1, look="dtype values gradient")
form_ = "x, W_q, W_dkv, W_uk, W_uv, W_qr, W_kr -> output, c, k_r"
ab.check("12.2 values", latent_attention, [
    whole_,
    *(text_(f"queries times {n:g}, in float64 with its full precision",
            x_, n * q_, *kept_, n * qr_, kr_, shown=1, within=1e-12)
      for n in (0, 1e10, -1e10)),
    text_("300 tokens in bfloat16", *inputs_(1, 300, 7, 2, 6, 4, 3, 4,
          dtype=torch.bfloat16), shown=1, within=0.05),
    *ab.house_rules(text_("", *texts_, ask=lambda f, *given: f(*given)[0]),
                    only="inputs device"),
], form_)
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.2 values", latent_attention, [whole_, *cases], form_,
             like=reference("latent_attention"))

def direct(words, *inputs):
    return text_(words, *inputs, ask=lambda attend, *given: attend(*given)[0])

SIZES = [(1, 7, 5, 3, 4, 2, 6, 2), (2, 11, 6, 1, 3, 7, 5, 4), (3, 1, 4, 5, 2, 3, 7, 8)]
# Property: the dtype is that of the input [dtype]
tried(*(text_(f"sizes {size}, {dtype}", *inputs_(*size, dtype=dtype), look="dtype")
        for size in SIZES for dtype in (torch.float64, torch.float32, torch.bfloat16)),
      text_("280 tokens in bfloat16", *inputs_(2, 280, 5, 3, 4, 2, 6, 4,
            dtype=torch.bfloat16), shown=1, within=0.05))
# Property: right for any sizes [values]
tried(*(text_(f"sizes {size}, {dtype}", *inputs_(*size, dtype=dtype), shown=1,
              tokens=None)
        for size in SIZES for dtype in (torch.float64, torch.float32)))
# Property: no output depends on a later token, however large the scores are [future]
tried(*(text_(f"queries times {n:g}", x_ + 0.1, n * q_, *kept_, n * qr_, kr_, shown=1)
        for n in (3e4, -3e4, 1e11, -1e11)))
# Property: inputs are not modified [inputs-unchanged]
tried(*ab.house_rules(direct("", *texts_), only="inputs views"))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(direct("", *inputs_(*SIZES[0])), only="device"))
# Property: gradients reach x and every matrix [gradient]
tried(*(text_(f"sizes {size}", *inputs_(*size), shown=1, tokens=None, look="gradient")
        for size in SIZES[:2]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_latent_attention_check_cached", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.2, cached: a text in calls of a few tokens each."""
def two_texts_(attend, x, *matrices):
    _, cache = attend(x[:, :2], *matrices)
    texts = x[:, 2:4], x[:, 1:4]
    return [*(attend(text, *matrices, cache)[0] for text in texts), *cache]

cut_ = text_("calls of 2, 2 and 1 tokens", *texts_, cuts=[2, 2, 1],
             look="dtype values gradient")
ab.check("12.2 cached", latent_attention, [
    whole_,
    cut_,
    text_("one token in each call", *texts_, cuts=[1] * 5),
    text_("two texts go on from one cache, and the cache", *texts_, ask=two_texts_),
    text_("calls of 598 and 2 tokens", *inputs_(1, 600, 7, 2, 6, 4, 3, 4),
          cuts=[598, 2], within=1e-3),
], form_)
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.2 cached", latent_attention, [whole_, *cases], form_,
             like=reference("latent_attention"))

long = inputs_(2, 19, 5, 3, 4, 2, 6, 4)
CUTS = [[1] * 19, [7, 5, 7], [1, 11, 2, 5], [18, 1]]
# Property: a text cut into calls of any lengths gives the outputs of one call [cached]
tried(*(text_(f"calls of {cuts} tokens", *long, cuts=cuts, shown=1,
              tokens=None) for cuts in CUTS))
# Property: positions go on after the cache, however long it is [far-positions]
tried(*(text_(f"calls of {past} and 7 tokens, {dtype}", *inputs_(
              1, past + 7, 5, 3, 4, 2, 6, 4, dtype=dtype), cuts=[past, 7], within=2e-3)
        for past, dtype in ((85, torch.float64), (1030, torch.float32))))
# Property: the cache holds exactly the latents and the rotated key parts [cache]
tried(*(text_(f"calls of {cuts} tokens, {dtype}", *(part.to(dtype) for part in long),
              cuts=cuts, tokens=None)
        for cuts in (*CUTS, None) for dtype in (torch.float64, torch.float32)))
# Property: a cache that was handed in stays as it was, two texts can go on from it [cache-unchanged]
tried(text_("two texts go on from one cache", *long, ask=two_texts_))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_latent_attention_check_absorbed", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.2, absorbed: the same numbers, and no key and no value is ever made."""
class Made_(TorchDispatchMode):
    numbers = 0
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        self.numbers += made.numel() if isinstance(made, torch.Tensor) else 0
        return made

def growth_(attend, x, *matrices, pieces):
    numbers = []
    for past, end in pieces:
        cache = attend(x[:, :past], *matrices)[1] if past else None
        with Made_() as made:
            attend(x[:, past:end], *matrices, cache, absorbed=True)
        numbers.append(made.numbers)
    more = numbers[1] / numbers[0]
    return "about as many" if more < 1.3 else f"{more:.1f} times as many"

wide_ = inputs_(1, 201, 6, 2, 512, 4, 500, 2, dtype=torch.float32)
ab.check("12.2 absorbed", latent_attention, [
    cut_,
    text_("absorbed", *texts_, forms=(True,), shown=1, look="values gradient"),
    text_("calls of 2, 2 and 1 tokens, the second absorbed", *texts_, cuts=[2, 2, 1],
          forms=(False, True)),
    *(text_(f"numbers made for tokens {a} to {b}, then for {c} to {d}", *wide_,
            ask=growth_, pieces=[(a, b), (c, d)])
      for a, b, c, d in [(100, 101, 200, 201), (99, 101, 199, 201), (1, 20, 0, 20)]),
], form_)
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.2 absorbed", latent_attention, [cut_, *cases], form_,
             like=reference("latent_attention"))

CUTS = {7: [2, 1, 2, 2], 11: [2, 1, 3, 4, 1], 5: [1, 1, 3]}
SIZES = [(1, 7, 5, 3, 4, 2, 6, 2), (2, 11, 6, 1, 3, 7, 5, 4), (3, 5, 4, 5, 2, 3, 7, 8)]
# Property: absorbed gives the same outputs and the same cache, with and without a cache, for any sizes [absorbed]
tried(*(text_(f"sizes {size}, calls of {cuts}, absorbed: {forms}", *inputs_(*size),
              cuts=cuts, forms=forms, tokens=None) for size in SIZES
        for cuts, forms in ((None, (True,)), (CUTS[size[1]], (True, False, True)))))
# Property: absorbed, gradients reach x and every matrix too [absorbed-gradient]
tried(*(text_(f"sizes {size}", *inputs_(*size), forms=(True,), shown=1, look="gradient")
        for size in SIZES))
# Property: absorbed never makes keys or values of the past, not for one head either [largest-tensor]
tried(*(text_(f"tokens {a} to {b}, then {c} to {d}", ask=growth_,
              *inputs_(1, 131, 6, 3, 559, 3, 561, 2), pieces=[(a, b), (c, d)])
        for a, b, c, d in [(60, 61, 130, 131), (58, 61, 128, 131), (1, 17, 0, 17)]))
### END HIDDEN TESTS

# %% [markdown]
# What does the absorbed form save? For one new token after 2,000, in a small model, we count the multiply–adds of the matrix products and the largest tensor.

# %% tags=["show", "uses-exercise"]
# @title One new token after 2,000, both ways
from torch.utils.flop_counter import FlopCounterMode

generator = torch.Generator().manual_seed(4)
shapes = [(1, 2001, 64), (64, 8, 32), (64, 24), (24, 8, 32), (24, 8, 32),
          (64, 8, 8), (64, 8)]
x, *matrices = (torch.randn(*shape, generator=generator) / 8 for shape in shapes)
with torch.no_grad():
    _, kept = latent_attention(x[:, :2000], *matrices)
    outputs = {}
    for absorbed in (False, True):
        with FlopCounterMode(display=False) as counter, LargestTensor() as seen:
            outputs[absorbed], _ = latent_attention(
                x[:, 2000:], *matrices, cache=kept, absorbed=absorbed)
        products = counter.get_total_flops() / 2e6
        print(f"absorbed {absorbed!s:5}: {products:6.2f} million multiply-adds, "
              f"largest tensor {seen.numel:8,d} numbers")
far = (outputs[True] - outputs[False]).abs().max().item()
print("outputs", "at most 1e-5 apart" if far < 1e-5 else f"{far:.1e} apart")
for_each = sum(t.numel() for t in kept) // 2000
print(f"cache: {for_each} numbers for each token; keys and values: {2 * 8 * 32}")

# %% [markdown]
# The outputs are the same, with 1/28 of the arithmetic of unpacking. And compared with full attention, whose keys and values are ready in a cache? We count multiply–adds for each cached token, for scores and weighted sum of all heads:

# %%
for name, (heads, d_head, d_c, d_rope) in {"these sizes": (8, 32, 24, 8),
                                           "DeepSeek-V2": (128, 128, 512, 64)}.items():
    print(f"{name}: full attention {2 * heads * d_head:6,d}, "
          f"absorbed {heads * (2 * d_c + d_rope):7,d}")

# %% [markdown]
# With wide latents the absorbed form computes four times as much as full attention, for 1/57 of the memory: a good exchange where reading the cache takes longer than computing.

# %% [markdown]
# ## 12.4 One memory for many texts
#
# A server writes many texts at once, and nobody knows how long each will become. If every text gets room for the longest possible one, more than half of it stays empty:

# %%
generator = torch.Generator().manual_seed(5)
# 16 texts: many short ones, few long ones
lengths = (torch.rand(16, generator=generator) ** 2 * 1000).int() + 20
tokens, in_blocks = lengths.sum().item(), (-(-lengths // 16)).sum().item() * 16
print(f"{tokens:,d} tokens are kept")
rooms = {"1,024 for each text": 16 * 1024, "blocks of 16 as needed": in_blocks}
for name, room in rooms.items():
    print(f"{name:22}: {room:6,d} places, {tokens / room:.0%} of them used")

# %% [markdown]
# Operating systems solve this with **pages** (Kwon and others, 2023). Memory is cut into blocks of a few tokens. A text has a *block table*, the list of its blocks, which may lie anywhere. At most one
# block of each text is not full. What two texts have in common, a system prompt for example, is stored only once: both tables name the same blocks. A block is copied only when one of the two writes into it: **copy-on-write**.
#
# The picture is drawn from such tables: a prompt of 7 tokens, and three texts that go on from it.

# %% tags=["show"]
# @title The blocks of three texts that share a prompt
# own tokens; they write in this order, and all three start with the prompt's blocks
prompt, block_size, own = 7, 4, {"text b": 1, "text c": 5, "text a": 3}
tables, fresh = {name: [0, 1] for name in sorted(own)}, 2
for name, n in own.items():
    others = [table for other, table in tables.items() if other != name]
    if any(tables[name][-1] in table for table in others):
        tables[name][-1], fresh = fresh, fresh + 1    # shared and not full: a copy
    while len(tables[name]) * block_size < prompt + n:
        tables[name].append(fresh)
        fresh += 1
print(tables)
fig, ax = plt.subplots(figsize=(7, 2.4))
colours = {"prompt": OKABE_ITO[4], "copy": OKABE_ITO[1], "own": OKABE_ITO[2]}
for row, (name, table) in enumerate(tables.items()):
    for n, block in enumerate(table):
        filled = min(block_size, prompt + own[name] - n * block_size)
        for place in range(block_size):
            kind = "prompt" if block < 2 else "copy"
            if n * block_size + place >= prompt:
                kind = "own"
            colour = colours[kind] if place < filled else "white"
            ax.add_patch(plt.Rectangle((n * 4.6 + place, -row * 1.4), 1, 1,
                                       facecolor=colour, edgecolor="0.4", alpha=0.75))
        ax.text(n * 4.6 + 2, -row * 1.4 - 0.24, f"block {block}",
                ha="center", fontsize=8)
    ax.text(-0.3, -row * 1.4 + 0.5, name, ha="right", va="center")
labels = {"prompt": "prompt", "copy": "prompt, copied before writing",
          "own": "own tokens"}
for x, (kind, label) in zip((0, 3, 9.2), labels.items()):
    ax.add_patch(plt.Rectangle((x, 1.5), 0.5, 0.5, facecolor=colours[kind], alpha=0.75))
    ax.text(x + 0.7, 1.55, label, fontsize=8)
tokens = 3 * prompt + sum(own.values())
ax.set(xlim=(-2, 14.5), ylim=(-3.4, 2.3),
       title=f"{tokens} tokens of three texts, {fresh} blocks: block 0 is stored once")
ax.axis("off")
show(fig, "Three rows of blocks with four places each. All three texts begin with "
          "block 0; the second block of the prompt, not full, was copied by two of the "
          "three; after it come the texts' own blocks with some places empty.")

# %% [markdown]
# Texts b and c each copied block 1 before they wrote their first own token. Text a writes last: nobody else uses block 1 any more, so it writes there without a copy.

# %% [markdown]
# ### Exercise 12.3 · A paged cache · 3 points · about 40 minutes
#
# Many sequences share one pool of blocks. Write `PagedCache(num_blocks, block_size, heads, d_head)` with room for `num_blocks` blocks of `block_size` tokens; its methods stand in the fold. One point each:
#
# - **Side by side:** sequences that are appended in turn, in pieces of any length, read back exactly <!-- asks: values -->; $n$ tokens take
#   $\lceil n/\mathrm{block\_size} \rceil$ blocks <!-- asks: blocks -->.
# - **Forks:** a sequence that writes into a block that others use as well gets a copy of that one block first <!-- asks: copy-on-write -->.
# - **Freeing:** freed blocks serve again, shared ones when their last user is gone <!-- asks: free -->. An `append` that
#   would need more blocks than are free raises `MemoryError` and changes nothing <!-- asks: full -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# | method | what it does |
# | --- | --- |
# | `new()` | a new, empty sequence; returns its id (a number or a string), which no living sequence has <!-- asks: ids --> |
# | `append(id, k, v)` | one or more tokens, `k` and `v` both `(heads, n, d_head)` |
# | `read(id)` | `(k, v)`, both `(heads, length, d_head)`, in order |
# | `fork(id)` | a new sequence with the same tokens; takes no block; returns its id |
# | `free(id)` | the sequence is gone |
# | `blocks_in_use()` | how many blocks are taken now |
#
# No block is taken before the first token. The dtype is that of the first key
# appended <!-- asks: dtype -->; two caches share nothing <!-- asks: separate -->. Full
# blocks are never copied, and a block that is no longer shared is written without a copy <!-- asks: shared -->. `fork` makes no tensor as
# large as a block <!-- asks: fork-free -->. After `free`, the id is unknown: `append`, `read`, `fork` and `free` raise `KeyError` <!-- asks: errors -->.
# </details>
# <details><summary>Hint 1</summary>Three things: the blocks, a list of free numbers, and for each sequence its block table and its length.</details>
# <details><summary>Hint 2</summary>How many tables name a block? Count it, up in <code>fork</code>, down in <code>free</code>. Only a last block that is not full can be written into.</details>
# <details><summary>Hint 3</summary>Before anything is written, count the blocks that this <code>append</code> will take, the copy included, and compare with what is free.</details>

# %% nbgrader={"grade": false, "grade_id": "ch12_PagedCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class PagedCache:
    """Keys and values of several sequences in blocks of one pool.

    A fork shares blocks until somebody writes.
    Kwon and others (2023), Efficient Memory Management for Large Language Model Serving
    with PagedAttention, sections 4.1 to 4.4.
    """

    def __init__(self, num_blocks, block_size, heads, d_head):
        self.num_blocks, self.block_size = num_blocks, block_size
        self.heads, self.d_head = heads, d_head
        ### BEGIN SOLUTION
        # keys and values, made when the dtype is known:
        # (2, num_blocks, heads, block_size, d_head)
        self.pool = None
        self.free_blocks = list(range(num_blocks))
        self.users = [0] * num_blocks                 # how many tables name this block
        self.tables, self.lengths = {}, {}
        self.next_id = 0
        ### END SOLUTION

    def new(self):
        """A new, empty sequence. Returns its id."""
        ### BEGIN SOLUTION
        self.next_id += 1
        self.tables[self.next_id], self.lengths[self.next_id] = [], 0
        return self.next_id
        ### END SOLUTION

    def fork(self, id):
        """A new sequence with the same tokens, in the same blocks. Returns its id."""
        ### BEGIN SOLUTION
        table, length, twin = self.tables[id], self.lengths[id], self.new()
        self.tables[twin], self.lengths[twin] = list(table), length
        for block in table:
            self.users[block] += 1
        return twin
        ### END SOLUTION

    def append(self, id, k, v):
        """Append the next n tokens. k, v: (heads, n, d_head)

        If the blocks do not suffice: MemoryError, and nothing is changed.
        """
        ### BEGIN SOLUTION
        table, length = self.tables[id], self.lengths[id]
        n, size = k.shape[1], self.block_size
        inside = length % size                        # tokens in a block not yet full
        copy = inside > 0 and self.users[table[-1]] > 1
        fresh = -(-(length + n) // size) - len(table)
        if fresh + copy > len(self.free_blocks):
            free = len(self.free_blocks)
            raise MemoryError(f"{fresh + copy} blocks are needed, {free} are free")
        if self.pool is None:
            self.pool = k.new_zeros(2, self.num_blocks, self.heads, size, self.d_head)
        if copy:
            shared = table[-1]
            self.users[shared] -= 1
            table[-1] = self.take()
            self.pool[:, table[-1]] = self.pool[:, shared]
        table.extend(self.take() for _ in range(fresh))
        for token in range(n):
            block, place = table[(length + token) // size], (length + token) % size
            self.pool[0, block, :, place] = k[:, token]
            self.pool[1, block, :, place] = v[:, token]
        self.lengths[id] = length + n
        ### END SOLUTION

    def read(self, id):
        """Returns k, v: (heads, length, d_head) of the whole sequence."""
        ### BEGIN SOLUTION
        table, length = self.tables[id], self.lengths[id]
        if self.pool is None:
            nothing = torch.zeros(self.heads, 0, self.d_head)
            return nothing, nothing
        # (2, heads, blocks, block_size, d_head)
        blocks = self.pool[:, table].transpose(1, 2)
        keys, values = blocks.flatten(2, 3)[:, :, :length]
        return keys, values
        ### END SOLUTION

    def free(self, id):
        """Give the sequence up, and those of its blocks that no other sequence uses."""
        ### BEGIN SOLUTION
        del self.lengths[id]
        for block in self.tables.pop(id):
            self.users[block] -= 1
            if self.users[block] == 0:
                self.free_blocks.append(block)
        ### END SOLUTION

    def blocks_in_use(self):
        """How many blocks of the pool are taken."""
        ### BEGIN SOLUTION
        return self.num_blocks - len(self.free_blocks)

    def take(self):
        block = self.free_blocks.pop()
        self.users[block] = 1
        return block
        ### END SOLUTION

# %% tags=["uses-exercise"]
def tokens(*numbers):                                 # one head, one feature
    return torch.tensor(numbers).view(1, -1, 1)

def shared_by_two():
    """Blocks in use before and after the fork writes, and what the fork reads."""
    paged = PagedCache(num_blocks=4, block_size=2, heads=1, d_head=1)
    first = paged.new()
    paged.append(first, tokens(1., 2., 3.), tokens(10., 20., 30.))
    second, before = paged.fork(first), paged.blocks_in_use()
    paged.append(second, tokens(4.), tokens(40.))     # writes into a shared block
    return before, paged.blocks_in_use(), paged.read(second)[0].flatten()

ab.beside([2, 3, [1.0, 2.0, 3.0, 4.0]], shared_by_two)

# %% nbgrader={"grade": true, "grade_id": "ch12_PagedCache_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.3, side by side: sequences that grow in turn."""
# "a+3" gives sequence a three more tokens, "a?" reads it, "b=a" makes b a fork of a,
# "a-" frees a. A sequence is new at its first step; keys count tokens.
def told_(PagedCache, story, blocks, size, heads=1, d_head=1, dtype=torch.float32):
    """What each step gives: errors, blocks in use after it, keys and values."""
    cache, ids, count = PagedCache(blocks, size, heads, d_head), {}, 0
    for step in story.split():
        name, sign, rest, came = step[0], step[1:2], step[2:], ""
        try:
            if sign == "=":
                ids[name] = cache.fork(ids[rest])
            elif name not in ids:
                ids[name] = cache.new()
            if sign == "?":
                read = cache.read(ids[name])
                yield from (read if heads > 1 else [
                    f"{step} {[int(x) for x in t.flatten()]}" for t in read])
                continue
            elif sign == "+":
                k = torch.arange(heads * int(rest) * d_head) + count + 1.0
                k, count = k.double().view(heads, -1, d_head), count + k.numel()
                k = (k if heads == 1 else k / 3).to(dtype)
                cache.append(ids[name], k, -k)
            elif sign == "-":
                cache.free(ids[name])
        except (LookupError, MemoryError) as error:
            came = next(f"{kind.__name__}, " for kind in (KeyError, IndexError,
                        MemoryError) if isinstance(error, kind))
        yield f"{step}: {came}{cache.blocks_in_use()} in use"

def story_(story, blocks=20, size=2, *sizes, words="", caches=1):
    def ask(*given):
        turns = zip(*(told_(*given) for _ in range(caches)))
        return [told for turn in turns for told in turn]
    return ab.case(f"{words}{blocks} blocks of {size}, {story!r}", story, blocks, size,
                   *sizes, ask=ask, look="dtype values", within=1e-12)
turns_ = "a+3 b+1 a+1 b+2 c+1 a? b? c?"
ab.check("12.3 side by side", PagedCache, [
    story_(f"{turns_} d? c+1"),
    story_("a?", words="nothing was written yet: "),
    story_("a+1 b+7 a? b?", size=7),
    story_(turns_, 6, 2, 2, 3, torch.float64, words="two heads of three features: "),
    story_(turns_, caches=2, words="two caches in turn: "),
])
### BEGIN HIDDEN TESTS
longer = "a+5 b+1 a+1 c+7 b+6 c+1 a+3 b+1 a? b? c?"

base_ = story_(turns_, 6, 2, 2, 3)
def tried(*cases):
    ab.check("12.3 side by side", PagedCache, [base_, *cases],
             like=reference("PagedCache"))

SIZES = [(3, 2, 5), (1, 3, 2), (7, 2, 3), (29, 2, 3)]
# Property: sequences of any lengths, in pieces of any length, read back exactly [values]
tried(*(story_(longer, 40, *sizes, torch.float64) for sizes in SIZES))
# Property: n tokens take ceil(n / block_size) blocks [blocks]
tried(*(story_("a+1 b+9 a+3 c+1 b+4 a+8", 40, size) for size, *_ in SIZES))
# Property: keys and values keep their dtype [dtype]
tried(*(story_("a+5 a?", 5, 2, 2, 3, dtype, words=f"{dtype}: ")
        for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16)))

def another_dtype(PagedCache):
    cache, k = PagedCache(5, 2, 1, 3), torch.ones(1, 2, 3)
    a = cache.new()
    cache.append(a, k.double(), k.double())
    try:
        cache.append(a, k, k)
    except (RuntimeError, TypeError, ValueError):
        pass                                  # to refuse another dtype is no mistake
    return cache.read(a)[0][:, :2]

tried(ab.case("float64 keys, then float32 keys: the dtype is that of the first key",
              look="dtype values", ask=another_dtype))
# Property: two caches share nothing [separate]
tried(story_(longer, 40, 3, caches=2, words="two caches in turn: "))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_PagedCache_check_fork", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.3, forks: blocks are shared until somebody writes."""
def fork_makes_(PagedCache, blocks, size, heads, d_head, n):
    cache, k = PagedCache(blocks, size, heads, d_head), torch.ones(heads, n, d_head)
    a = cache.new()
    cache.append(a, k, k)
    with LargestTensor() as seen:
        cache.fork(a)
    return f"a tensor as large as a block: {seen.numel >= k[:, :size].numel()}"

family_ = ("a+4 b=a c=b b+1 b+1 a+1 c+2 d=c d+1 e=c e+4 f+1 g=f g+1 h? i=h "
           "a? b? c? d? e? f? g? i?")
ab.check("12.3 forks", PagedCache, [
    story_(f"{turns_} d? c+1"),
    story_("a+5 b=a b? b+1 b? a+1 a? b?", size=3),
    story_("a+3 b=a c=a a+1 b+1 c+1 a? b? c?"),
    story_("a+4 b=a b+1 a? b?", words="a full block is not copied: "),
    story_("a+4 b=a b+5 a? b?", words="nor before a long piece: "),
    story_("b+1 a? c=a c+1 a? c?", words="an empty sequence: "),
    story_(family_, size=3),
    ab.case("what fork makes, of 23 tokens in blocks of 16", 8, 16, 2, 3, 23,
            ask=fork_makes_),
])
### BEGIN HIDDEN TESTS
base_ = story_(turns_, 6, 2, 2, 3)
def tried(*cases):
    ab.check("12.3 forks", PagedCache, [base_, *cases],
             like=reference("PagedCache"))

# Property: nobody sees what another sequence wrote, for forks of forks and any writer first [copy-on-write]
ORDERS = [3 * f"{x}+{n} {y}+{m} {z}+{k} " for (x, n), (y, m), (z, k) in [
    ("a1", "b2", "c3"), ("c3", "b2", "a1"), ("b2", "c3", "a1")]]
tried(*(story_(f"a+6 b=a c=b {order}a? b? c?", 30, 4, 2, 3) for order in ORDERS))
# Property: full blocks are never copied, and a block that is shared no longer is written in place [shared]
six = "b=a c=b d=c e=d f=e " + "".join(f"{name}+3 " for name in "abcdef")
tried(story_(f"a+9 {six}a? b? c? d? e? f?", 24, 2, 3, 3),
      story_("a+6 b=a b+7", 9, 3), story_("a+2 b=a a+1 b+1 b+1 a? b?", 9, 4))
# Property: fork makes no tensor as large as a block [fork-free]
tried(*(ab.case(f"blocks of {size}, {n} tokens", 8, size, 2, 3, n, ask=fork_makes_)
        for size, n in ((16, 23), (16, 32), (50, 50))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch12_PagedCache_check_free", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.3, freeing and running out: few blocks, and all of them come back."""
ab.check("12.3 freeing", PagedCache, [
    story_(family_, size=3),
    story_("a+3 b+1 a+3 a? b? a+1 b- a+1 a? c=a a- c? c-", 3),
    story_("a+3 a+4 a? b=a c+1 b+1 a? b? c?", 3),
    story_("a+1 b+1 c? a- a? a+1 d=a a- d+1 b? c? d?", 3,
           words="the id of a sequence that is gone: "),
    story_("a+1 b=a b+1 a+1 a? b?", 2, words="room for one copy: "),
    story_("a+1 b=a a- b+1 b?", 1, words="the last user needs no copy: "),
    story_("a+4 b=a b+1 a? b?", 3, words="a full block is not copied: "),
    story_("a+4 b=a b- c+2 c+1 a? c?", 3, words="a still uses both blocks: "),
    story_("a+1 a+2 a+3 a+1 a?", 2, 3, words="two full blocks: "),
    story_("a+1 a+11 a?", 4, 3, words="a long piece fills all: "),
])
### BEGIN HIDDEN TESTS
base_ = story_(family_, size=3)
def tried(*cases):
    ab.check("12.3 freeing", PagedCache, [base_, *cases],
             like=reference("PagedCache"))

# Property: freed blocks serve again, shared ones when their last user is gone, and nothing leaks [free]
ROUNDS = "".join(f"{a}+7 {b}={a} {c}={a} {b}+1 {c}+1 {x}- {y}? {z}? {y}- {z}? {z}- "
                 for a, b, c, x, y, z in ("abcabc", "defefd", "ghiihg"))
tried(story_(f"{ROUNDS}j? j+15 j?", 5, 3),
      story_("a+2 b=a a- b+1 b? b-", 9, 3))
# Property: running out raises MemoryError and leaves all as it was, also where the copy of a shared block is one too many [full]
tried(story_("a+3 b=a b+3 a? b? b+1 a+1 a? b? c=b c+1 a+1 c- a? b?", 3),
      story_("a+6 b=a b- c+3 c+1 a? c?", 3, 3), story_("a+9 a+3 a?", 3, 2),
      *(story_(f"{f'a+{n} ' if n else ''}a+{12 - n} a+1", 4, 3) for n in (0, 2, 3, 5)),
      story_("a+4 b=a b+5 a? b?", 4, 3))
# Property: a new sequence never gets the id of a living one [ids]
tried(story_("a? b? c? a- d=b e? f? b+1 c+2 d+3 e+4 f+5 b? c? d? e? f?", 20))
# Property: a freed id is unknown [errors]
tried(story_("b? b- b? a+1 a- a+1 a? c=a a-", 3))
### END HIDDEN TESTS

# %% [markdown]
# Your pool with a prompt of 100 tokens and eight answers of 20 tokens each, against eight separate caches:

# %% tags=["show", "uses-exercise"]
pool, some = PagedCache(num_blocks=64, block_size=16, heads=4, d_head=16), torch.ones
first = pool.new()
pool.append(first, some(4, 100, 16), some(4, 100, 16))
for id in [pool.fork(first) for _ in range(8)]:
    pool.append(id, some(4, 20, 16), some(4, 20, 16))
print(f"blocks in use: {pool.blocks_in_use()}; separate caches: {8 * -(-120 // 16)}")

# %% [markdown]
# And in the model? It reads one text token by token, with keys and values in your pages; we compare with one call without a cache.

# %% tags=["show", "uses-exercise"]
class Paged:
    """A PagedCache with one text as the memory of a layer."""

    def __init__(self):
        self.pool = PagedCache(num_blocks=40, block_size=16, heads=4, d_head=16)
        self.id = self.pool.new()

    def __call__(self, k, v):
        self.pool.append(self.id, k[0], v[0])
        k, v = self.pool.read(self.id)
        return k[None], v[None], torch.arange(k.shape[1])

with torch.no_grad():
    one_call = reader(long_texts[:1, :60])
steps = streamed(reader, long_texts[:1, :60], Paged)
far = (steps - one_call).abs().max().item()
print(f"{'at most 1e-4' if far < 1e-4 else f'{far:.1e}'} apart")

# %% [markdown]
# ## 12.5 Stretching the rotations
#
# Back to the model of 12.1. Can we change the positions instead of cutting the cache? The pairs of features of a query turn with frequencies $\omega_i$. In 64 tokens the fast pairs make many turns, the slow ones only part of one. At distance 640 a slow
# pair stands at an angle that never occurred in training:

# %%
omega = 10000.0 ** (-torch.arange(0, 16, 2) / 16)
for n in (64, 640):
    turns = "  ".join(f"{x:7.3f}" for x in (n * omega / (2 * math.pi)).tolist())
    print(f"turns in {n:3d} tokens: {turns}")

# %% [markdown]
# Pairs that made whole turns have passed through every angle. The others must turn more slowly, so that 640 tokens turn them as far as 64 did. There are three ways: slow all pairs down alike; change the base, so that the first pair stays and the last is slowed down by the
# whole factor; or decide for each pair by its turns.

# %% [markdown]
# ### Exercise 12.4 · Stretched rotations · 1 point · about 8 minutes
#
# Write `rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None)`: the inverse frequencies $\omega'_i$, a float tensor
# `(d_head / 2,)`. With $d$ = `d_head`, $\omega_i = \mathrm{base}^{-2i/d}$ and $s$ the factor <!-- asks: values -->:
#
# - `"interpolate"`: every position is divided by the factor, $\omega'_i = \omega_i / s$ <!-- asks: interpolate -->;
# - `"ntk"`: another base, $\mathrm{base}' = \mathrm{base} \cdot s^{\,d/(d-2)}$ <!-- asks: ntk -->;
# - `"yarn"`: in the trained `length` pair $i$ makes $r_i = \mathrm{length}\cdot\omega_i / 2\pi$ turns. A pair with more than `high` turns stays as it is, one with fewer than `low` is
#   interpolated, between them $\omega'_i = \gamma\,\omega_i + (1-\gamma)\,\omega_i/s$ with $\gamma$ rising in a straight line from 0 at `low` to 1 at `high` <!-- asks: yarn -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `d_head` is even, from 4 on. A factor of 1 changes nothing <!-- asks: factor-one -->. The table is made on `device` <!-- asks: device -->. Another method raises a
# `ValueError` that names the method, with a factor of 1, too <!-- asks: errors -->.
# </details>
# <details><summary>Hint 1</summary>"ntk" needs nothing but the formula for ω, with another base.</details>
# <details><summary>Hint 2</summary><code>clamp</code> makes a straight line flat at both ends.</details>

# %% nbgrader={"grade": false, "grade_id": "ch12_rope_scale", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0,
               device=None):
    """Inverse frequencies, (d_head / 2,), for texts `factor` times the trained length.

    method: "interpolate" (Chen and others, 2023, section 2.3), "ntk" or "yarn"
    (Peng and others, 2023, sections 3.1 and 3.2)
    length: tokens seen in training
    low, high: "yarn" goes over from all to nothing between so many turns in that length
    factor is at least 1, low is less than high
    """
    ### BEGIN SOLUTION
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        keep = ((turns - low) / (high - low)).clamp(0, 1)
        return keep * omega + (1 - keep) * omega / factor
    raise ValueError(f'method is "interpolate", "ntk" or "yarn", not {method!r}')
    ### END SOLUTION

# %% tags=["uses-exercise"]
# ω = 1 and 1/10, both halved
ab.beside([0.5, 0.05], lambda: rope_scale(4, 100.0, 2.0, "interpolate"))
# the first as it was, the last halved
ab.beside([1.0, 0.05], lambda: rope_scale(4, 100.0, 2.0, "ntk"))

# %% nbgrader={"grade": true, "grade_id": "ch12_rope_scale_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 12.4: three pairs, a text four times as long, and unknown methods."""
def stretched_(words, method, d_head=6, base=1000.0, factor=4.0, **more):
    return ab.case(f"{method}, {words}", d_head, base, factor, method, within=1e-6,
                   **more)

def unknown_(method, factor=4.0):
    def told(scale, *given):
        try:
            scale(*given)
        except ValueError as error:
            named = method in str(error)
            return f"a ValueError {'with' if named else 'without'} the method in it"
        return "nothing raised"
    return ab.case(f"method {method!r}, factor {factor:g}", 6, 1000.0, factor, method,
                   ask=told)

ab.check("12.4 stretched", rope_scale, [
    stretched_("6 features, base 1000, factor 4", "interpolate"),
    stretched_("base 2", "interpolate", base=2.0),
    stretched_("6 features, base 1000, factor 4", "ntk"),
    stretched_("4 features, base 2, factor 1.5", "ntk", 4, 2.0, 1.5),
    stretched_("length 200: 31.8, 3.18 and 0.318 turns, between 2 and 10 turns it goes "
               "over", "yarn", length=200, low=2.0, high=10.0),
    stretched_("the same turns, low = 3, high = 3.5", "yarn",
               length=200, low=3.0, high=3.5),
    stretched_("length 20,000: 3183, 318 and 31.8 turns, low = 0, high = 40", "yarn",
               length=20_000, low=0.0, high=40.0),
    stretched_("with the defaults, 2048 tokens, 1 and 32 turns", "yarn"),
    *map(unknown_, ["strech", "Yarn", "yarns", "ntk2", "interpolated"]),
    unknown_("strech", 1.0),
    ab.case("device='meta'", 6, 1000.0, 4.0, "ntk", device="meta", look="device"),
], "d_head, base, factor, method -> the frequencies")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("12.4 stretched", rope_scale, cases, like=reference("rope_scale"))

def exact(d, base, s, method, **more):       # 1 / ω: a small ω is as exact as any
    return ab.case(f"1 / ω of {method}, d_head {d}, base {base:g}, factor {s:g} {more}",
                   d, base, s, method, ask=lambda f, *args, **kw: 1 / f(*args, **kw),
                   within=5e-5, **more)

SIZES = [(8, 10000.0, 2.0), (10, 500.0, 10.0), (64, 10000.0, 8.0), (4, 7.0, 3.0),
         (256, 5000.0, 4.0), (12, 300.0, 2.5)]
# Property: right for any width, base and factor [values]
tried(*(ab.case(f"{size} {method}", *size, method)
        for size in SIZES for method in ("interpolate", "ntk", "yarn")))
# Property: interpolation divides every frequency by the factor [interpolate]
tried(*(exact(*size, "interpolate") for size in SIZES))
# Property: ntk raises the base by the factor to the power d / (d - 2) [ntk]
tried(*(exact(*size, "ntk") for size in SIZES))
# Property: yarn keeps fast pairs, interpolates slow ones, and goes over in a straight line; trained length 2048, 1 and 32 turns by default [yarn]
tried(*(exact(*size, "yarn", **more) for size in SIZES for more in (
    {}, {"length": 64}, {"length": 500, "low": 3.0, "high": 20.0},
    {"low": 1.0, "high": 1.5})))
# Property: a factor of 1 changes nothing [factor-one]
tried(*(exact(8, 10000.0, 1.0, method) for method in ("interpolate", "ntk", "yarn")))
# Property: made on the device that is asked for [device]
tried(*(ab.case(f"{method}, on another device", 8, 10000.0, 2.0, method, device="meta",
                look="device") for method in ("interpolate", "ntk", "yarn")))
# Property: an unknown method raises a ValueError that names it [errors]
tried(*map(unknown_, ["linear", "", "YARN2"]))
### END HIDDEN TESTS

# %% [markdown]
# We test the chapter's own model, without further training, on texts two, four and ten times as long: the loss on the last quarter. The default `high = 32` was made for a trained length of 2,048. In 64 tokens no pair makes that many turns, so we also try "yarn" with `high = 3`. (We leave out YaRN's factor on the scores.)
#
# **Predict, then run.** Which of the three methods, with its defaults, gives the lowest loss at four times the trained length?

# %% tags=["show"]
# "interpolate", "ntk" or "yarn"; then run the next cell
guess_method = None

# %% tags=["show", "uses-exercise", "tolerance-0.15"]
# @title The loss at the end with each method
@torch.no_grad()
def loss_at_the_end(n, **how):
    """Loss on the last quarter of the first n characters of the long texts."""
    logits = reader(long_texts[:, :n], **how)[:, n * 3 // 4:]
    targets = long_texts[:, 1 + n * 3 // 4:n + 1]
    return F.cross_entropy(logits.transpose(1, 2), targets).item()

lengths = (128, 256, 640)
stretched = {"as trained": [loss_at_the_end(n) for n in lengths]}
methods = {"interpolate": {}, "ntk": {}, "yarn": {}, "yarn, high = 3": {"high": 3.0}}
for name, more in methods.items():
    stretched[name] = [loss_at_the_end(n, omega=rope_scale(
        16, 10000.0, n / TRAINED, name.split(",")[0], TRAINED, **more))
                       for n in lengths]
stretched["the last 64 alone"] = [
    loss_at_the_end(n, mask=last_64[:n, :n]) for n in lengths]
print("loss at the end of        128       256       640 characters")
for name, row in stretched.items():
    print(f"{name:18}  ", "  ".join(f"{x:8.2f}" for x in row))
best = min(("interpolate", "ntk", "yarn"), key=lambda name: stretched[name][1])
check_guess("best at four times the trained length", guess_method, best)

# %% tags=["show", "uses-exercise"]
# @title Loss at the end of two, four and ten trained lengths
fig, ax = plt.subplots(figsize=(6.4, 3))
for (name, row), marker in zip(stretched.items(), "os^vDx"):
    ax.plot([2, 4, 10], row, marker + "-", ms=4, label=name)
ax.set(
    xlabel="length of the text, in trained lengths", ylabel="loss at the end",
    title="In this model no stretching comes down to the window",
    xticks=[2, 4, 10])
ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
show(fig, "Loss at the end of texts of two, four and ten trained lengths for unchanged "
          "frequencies, four ways to stretch them, and a window. The window stays "
          "lowest and nearly flat. At two and four lengths the changed base and yarn "
          "with a threshold of 3 turns lie clearly below the unchanged model; "
          "interpolation and yarn as it comes lie above it at two.")

# %% [markdown]
# At two and four times the length another base ("ntk") undoes about three quarters of the rise. At ten times none undoes half. (That is no ranking: only yarn was tuned.) Interpolation, and yarn with its defaults, are *worse* than no change at twice the length. <!-- told --> Is that because they slow down the fast pairs, which tell neighbours apart and had passed through every angle? Then slowing down only the slow pairs must help, and slowing down only the fast ones must hurt:

# %% tags=["show", "tolerance-0.15"]
fast = TRAINED * reader.omega / (2 * math.pi) >= 1    # a whole turn in 64 tokens
everyone = torch.ones_like(fast)
print("loss at the end of 128 characters")
halved = {"none": ~everyone, "all": everyone,
          f"{fast.sum()} fast pairs": fast, f"{(~fast).sum()} slow pairs": ~fast}
for name, slowed in halved.items():
    omega = torch.where(slowed, reader.omega / 2, reader.omega)
    print(f"slowed down: {name:14} {loss_at_the_end(128, omega=omega):.2f}")

# %% [markdown]
# So the fast pairs must stay as they are. The control of the whole section: **the window, which drops tokens, has a lower loss than every stretching** of this model. That does not speak against stretching, since this model gains nothing from far away. The papers continue training after stretching.
#
# ### Make it yours
#
# Not graded. Take a text and a cache size of your own, and measure the loss of the chapter's model on its second half.

# %% tags=["show", "uses-exercise", "tolerance-0.2"]
# edit these three
my_text = "A sentence of your own, long enough to leave the window behind. " * 4
my_window, my_sinks = 32, 2
my_ids = torch.tensor([[id_of.get(c, id_of["?"]) for c in my_text]])
logits = streamed(reader, my_ids[:, :-1], lambda: Rolling(my_window, my_sinks))
loss = F.cross_entropy(logits.transpose(1, 2), my_ids[:, 1:], reduction="none")[0]
print("loss in the two halves:", *(f"{part.mean():.1f}" for part in loss.chunk(2)))

# %% [markdown]
# ## Summary
#
# A text is ten times as long as anything seen in training. If the model is given all of it, its loss more than doubles, mostly because of distances it has never seen, and the cache grows in proportion to the text. You can now
#
# - keep a cache of fixed size whose first tokens stay, and say what happens to a model that loses them: nothing to ours (one seed), which has no sink; under a window SmolLM2's loss rises from 2.9 to 4.2;
# - store a small latent vector instead of keys and values, and read it without ever unpacking it: the same outputs, here a sixteenth of the numbers;
# - share a cache between conversations, block by block, and copy a block only when somebody writes;
# - stretch rotary positions beyond the trained length, and measure what that saves and what it does not: it helped less than a plain window, in a model that gains nothing from far away.
#
# In three of four the cheap way gave what the expensive way gives: the ring (under the same mask), latents, pages. Stretched positions do not.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next:** chapter 13 replaces the cache by a state of fixed size, writes several characters in one call, and lets each token use a few networks of many.
#
# ## Further reading
#
# - Xiao and others (2023), *Efficient Streaming Language Models with Attention Sinks*: section 3.1 (why windows fail), 3.2 (the rolling cache with sinks), table 1. [arXiv:2309.17453](https://arxiv.org/abs/2309.17453)
# - Gu and others (2024), *When Attention Sink Emerges in Language Models: An Empirical View*: sections 3 and 4. [arXiv:2410.10781](https://arxiv.org/abs/2410.10781)
# - DeepSeek-AI (2024), *DeepSeek-V2*: sections 2.1.2 (latents) and 2.1.3 (decoupled RoPE). [arXiv:2405.04434](https://arxiv.org/abs/2405.04434)
# - Kwon and others (2023), *Efficient Memory Management for Large Language Model Serving with PagedAttention*: sections 4.1 to 4.4. [arXiv:2309.06180](https://arxiv.org/abs/2309.06180)
# - Chen and others (2023), *Extending Context Window of Large Language Models via Positional Interpolation*: section 2.3. [arXiv:2306.15595](https://arxiv.org/abs/2306.15595)
# - Peng and others (2023), *YaRN: Efficient Context Window Extension of Large Language Models*: sections 3.1 to 3.4. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071)
