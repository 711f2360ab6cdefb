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
# # 7 · The original Transformer
#
# *105 minutes · ●●●●○ · 4 exercises, 11 points · you need chapters 3 to 6*
#
# > kannst du mir **helfen**
# >
# > can you **help** me
#
# After "can you" comes "help", and the German word for it stands at the end of the sentence. You
# will train a model on pairs of sentences; nobody tells it which word belongs to which. **When it is about to write "help",
# how does it find "helfen", and can we catch it looking?**
#
# One new part does it. Its queries come from the words written so far, $x$, its keys and values from the words read, $m$:
#
# $$\mathrm{softmax}\!\Big(\frac{(x\,W_q)(m\,W_k)^\top}{\sqrt{d_k}}\Big)\,(m\,W_v)$$
#
# **After this chapter you can**
#
# - compare fairly a network that squeezes a sentence into one vector with one that keeps a vector for each word;
# - build the Transformer of 2017 from blocks that you know, and keep its three attentions and their masks apart;
# - train it on right answers, let it write alone, and test whether its cross-attention is an alignment.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(7)
torch.set_num_threads(1)            # matrices as small as ours are faster on one thread
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% tags=["show", "nbval-ignore-output"]
# @title Versions, device and memory
machine = "CPU: enough here, training takes about a minute in all"
if device == "cuda":
    gpu = torch.cuda.get_device_properties(0)
    machine = f"{gpu.name}, {gpu.total_memory / 2 ** 30:.0f} GiB"
print(f"PyTorch {torch.__version__} on {machine}")

# %% [markdown]
# ## 7.1 A language made to measure
#
# To know afterwards what the model has learned, we make the language ourselves: a small corner of German. Four of its ten
# verbs ask for the dative ("ich sehe dich", but "ich helfe dir"), and a modal verb agrees with its subject ("ich kann", "du
# kannst", "wir können").

# %%
# @title The words, and how a clause is put together
def entries(text):
    return [tuple(entry.split()) for entry in text.split(", ")]

SUBJECTS = entries(
    "ich I, du you, er he, sie she, wir we, Anna Anna, Tom Tom, Paul Paul")
OBJECTS = entries("mich mir me, dich dir you, ihn ihm him, sie ihr her, uns uns us, "
                  "Anna Anna Anna, Tom Tom Tom, Paul Paul Paul")
VERBS = entries("sehen see, hören hear, finden find, fragen ask, rufen call, treffen "
                "meet, helfen help, folgen follow, danken thank, glauben believe")
MODALS = entries(
    "kann kannst kann können can, muss musst muss müssen must, soll sollst soll sollen "
    "should, darf darfst darf dürfen may, werde wirst wird werden will")
ADVERBS, LINKS = (entries("heute today, morgen tomorrow, hier here, jetzt now"),
                  entries("weil because, wenn if, obwohl although"))

def arrange(kind, parts):
    """German words, English words, and the German place of each English word."""
    german, english = (
        [letter for letter in order if letter in parts] for order in ORDERS[kind])
    return ([parts[p][0] for p in german], [parts[p][1] for p in english],
            [german.index(p) for p in english])

# %% [markdown]
# A clause has a **S**ubject, a **M**odal, an **O**bject and a **V**erb, perhaps an **A**dverb, and in front of a subordinate
# clause a **L**ink. Each kind of clause is two strings, the order in German and in English:

# %%
ORDERS = {"statement": ("SMOAV", "SMVOA"), "question": ("MSOAV", "MSVOA"),
          "adverb first": ("AMSOV", "SMVOA"), "subordinate": ("LSOAVM", "LSMVOA")}

parts = {"S": ("du", "you"), "M": ("kannst", "can"), "O": ("mir", "me"),
         "V": ("helfen", "help")}
# your turn: change "question"
print(*arrange("question", parts), sep="   ")

# %% [markdown]
# The list of numbers is the **alignment**: "help", the third English word, comes from German word 3, counted from 0. *The
# model never sees it*; we compare at the end.
#
# **Your turn.** What becomes of the list in a "statement", and what in a "subordinate" clause? Change the last line and run it.

# %% [markdown]
# A sentence is a main clause; in about half of the pairs a subordinate clause follows. The folded cell draws 8,000 pairs to
# learn from and 500 for the test. One in eight combinations of subject, object and verb occurs in the test alone.

# %%
# @title Sentences at random: three functions that you may skip
def pick(options, generator):
    return options[torch.randint(len(options), (), generator=generator).item()]

def random_clause(kind, generator, held_out):
    while True:                                                 # who does what to whom
        s, o, v = (torch.randint(n, (), generator=generator).item()
                   for n in (len(SUBJECTS), len(OBJECTS), len(VERBS)))
        # not "we see me"
        if s != o and {s, o} != {0, 4} and ((s + 3 * o + v) % 8 == 0) == held_out:
            break
    modal = pick(MODALS, generator)
    parts = {"S": SUBJECTS[s], "M": (modal[{0: 0, 1: 1, 4: 3}.get(s, 2)], modal[-1]),
             "O": (OBJECTS[o][v >= 6], OBJECTS[o][-1]), "V": VERBS[v],
             "L": pick(LINKS, generator)}
    if kind == "adverb first" or pick([True, False], generator):
        parts["A"] = pick(ADVERBS, generator)
    return arrange(kind, parts)

def random_pair(generator, held_out=False, clauses=None):
    """German words, English words, alignment."""
    german, english, alignment = random_clause(
        pick(list(ORDERS)[:3], generator), generator, held_out)
    if clauses == 2 or clauses is None and pick([True, False], generator):
        more = random_clause("subordinate", generator, held_out)
        alignment = alignment + [place + len(german) for place in more[2]]
        german, english = german + more[0], english + more[1]
    return german, english, alignment

generator = torch.Generator().manual_seed(7)
train_pairs = [random_pair(generator) for _ in range(8000)]
test_pairs = [random_pair(generator, held_out=True) for _ in range(500)]
for german, english, _ in train_pairs[:3] + test_pairs[:2]:
    print(f"{' '.join(german):55} {' '.join(english)}")

# %% [markdown]
# **Predict, then run.** The simplest translator is a dictionary: it replaces each German word, from left to right. How many
# of the 500 test sentences does it get exactly right?

# %% tags=["show"]
guess_dictionary = None          # type a number, then run the next cell

# %% tags=["show"]
dictionary = {german[place]: word for german, english, alignment in train_pairs
              for word, place in zip(english, alignment)}
check_guess("right, of 500", guess_dictionary, sum(
    [dictionary[word] for word in german] == english
    for german, english, _ in test_pairs))
print(" ".join(dictionary[word] for word in "kannst du mir helfen".split()))

# %% [markdown]
# None: "can you me help". The words keep their German places. (And "sie" is "she" in one place, "her" in another.) <!-- told -->
#
# Last, words become numbers. The shorter sentences of a batch are padded (`PAD`), and an English sentence stands between two
# marks (`BOS`, `EOS`).

# %%
# @title Words become numbers, pairs become tensors
PAD, BOS, EOS = 0, 1, 2
GERMAN = ["<pad>"] + sorted({word for pair in train_pairs for word in pair[0]})
ENGLISH = ["<pad>", "<bos>", "<eos>"] + sorted(
    {word for pair in train_pairs for word in pair[1]})
german_ids, english_ids = (
    {word: i for i, word in enumerate(words)} for words in (GERMAN, ENGLISH))

def to_tensors(pairs):
    """source (batch, seq_source); target (batch, seq_target), with both marks;
    alignment (batch, seq_target - 1), where -1 means none."""
    columns = zip(*[([german_ids[word] for word in german],
                     [BOS, *(english_ids[word] for word in english), EOS],
                     alignment + [-1]) for german, english, alignment in pairs])
    return [nn.utils.rnn.pad_sequence(
        [torch.tensor(row) for row in column], batch_first=True, padding_value=fill
    ).to(device) for column, fill in zip(columns, (PAD, PAD, -1))]

train_data, test_data = to_tensors(train_pairs), to_tensors(test_pairs)
print("source", tuple(train_data[0].shape), "  target", tuple(train_data[1].shape))

# %% [markdown]
# ## 7.2 One vector for a whole sentence
#
# In 2014 a neural translator was a pair of recurrent networks. The **encoder**, the reader, goes through the sentence word by
# word, and hands its last state to the **decoder**, the writer. In the left half of the next figure this one vector is all that
# the writer has. In the right half the writer may look at the state of every word: these states are the **memory**.

# %% tags=["show"]
# @title The bottleneck beside the memory
sentence = "kannst du mir helfen".split()
with torch.random.fork_rng(devices=[]):
    torch.manual_seed(7)
    embedding, reader = nn.Embedding(len(GERMAN), 128), nn.GRU(128, 128)
with torch.no_grad():
    states = reader(embedding(torch.tensor([german_ids[w] for w in sentence])))[0]
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.1), sharey=True)
for ax, kept, title in [(axes[0], [3], "One vector: (1, 128)"),
                        (axes[1], range(4), "A memory: (4, 128)")]:
    for i, word in enumerate(sentence):
        ax.text(2 * i, -1, word, ha="center", va="center")
        ax.imshow(states[i, :8, None], cmap="PuOr", vmin=-1, vmax=1, aspect="auto",
                  alpha=1 if i in kept else 0.2,
                  extent=(2 * i - 0.3, 2 * i + 0.3, 0, 3))
        ax.annotate("", (2 * i, 0), (2 * i, -0.7), arrowprops={"arrowstyle": "->"})
        if i:
            ax.annotate("", (2 * i - 0.35, 1.5), (2 * i - 1.65, 1.5),
                        arrowprops={"arrowstyle": "->"})
    for i in kept:
        ax.annotate("", (3, 4.7), (2 * i, 3.1), arrowprops={
            "arrowstyle": "->", "color": OKABE_ITO[3], "linewidth": 1.5})
    ax.text(3, 5.1, "the writer: can you …", ha="center", va="center")
    ax.set(xlim=(-1, 7), ylim=(-1.5, 5.6), title=title)
    ax.axis("off")
show(fig, "Two drawings of a reader that goes through 'kannst du mir helfen' from "
          "left to right, with the first 8 of the 128 numbers of each state in colour. "
          "Left: only the last state has an arrow to the writer, the others are pale. "
          "Right: all four states have one.")

# %% [markdown]
# (The states are those of an untrained reader.) Here is the left side as code; embeddings are multiplied by $\sqrt d$, as in your
# Transformer later:

# %%
class OneVector(nn.Module):
    """Two recurrent networks; one vector goes from the reader to the writer."""

    def __init__(self, source_vocab, target_vocab, d_model):
        super().__init__()
        self.source_embedding, self.target_embedding = (
            nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model))
        self.reader = nn.GRU(d_model, d_model, batch_first=True)
        self.writer = nn.GRU(d_model, d_model, batch_first=True)
        self.head = nn.Linear(d_model, target_vocab)
        self.scale = d_model ** 0.5

    def forward(self, source, target):        # (batch, seq_source), (batch, seq_target)
        # (batch, seq_source, d_model)
        states, _ = self.reader(self.source_embedding(source) * self.scale)
        last = (source != PAD).sum(dim=1) - 1
        # (batch, d_model): the bottleneck
        summary = states[torch.arange(len(source), device=source.device), last]
        # (batch, seq_target, d_model)
        written, _ = self.writer(
            self.target_embedding(target) * self.scale, summary[None])
        return self.head(written)                    # (batch, seq_target, target_vocab)

# %% [markdown]
# How is a writer trained? It is given the *right* translation up to a place and asked for the next word, at all places at
# once: **teacher forcing**. Its input is the target without its last token, the answers are the target without its first.

# %%
target = train_data[1][0]
target = target[target != PAD]
print("reads:    ", "  ".join(f"{ENGLISH[i]:8}" for i in target[:-1]))
print("must say: ", "  ".join(f"{ENGLISH[i]:8}" for i in target[1:]))

# %% [markdown]
# `train` does this for both models of the chapter, with Xavier's initialisation (small random numbers) and a learning rate that rises for 50
# steps and then falls.

# %%
def train(model, steps=400, peak=3e-3, watch=lambda step, model: None):
    torch.manual_seed(7)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(
            (step + 1) / 50, 0.01 + 0.99 * (1 + math.cos(math.pi * step / steps)) / 2))
    generator = torch.Generator().manual_seed(7)
    for step in range(steps):
        if step % 25 == 0:
            watch(step, model)
        rows = torch.randint(len(train_data[0]), (64,), generator=generator).to(device)
        source, target = train_data[0][rows], train_data[1][rows]
        logits = model(source, target[:, :-1])   # (batch, seq_target - 1, target_vocab)
        loss = F.cross_entropy(
            logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    watch(steps, model)

# %% [markdown]
# `exact` judges: a sentence counts only if every word and the end mark are right. We draw 300 more unseen sentences of one clause and 300 of two.

# %%
@torch.no_grad()
def exact(model, data):
    """Share of sentences that are right from the first word to the end mark."""
    source, target, _ = data
    guesses = model(source, target[:, :-1]).argmax(dim=-1)     # (batch, seq_target - 1)
    return ((guesses == target[:, 1:]) | (target[:, 1:] == PAD)).all(
        dim=1).float().mean().item()

by_clauses = [
    to_tensors(
        [random_pair(torch.Generator().manual_seed(70 + seed), held_out=True, clauses=n)
         for seed in range(300)]) for n in (1, 2)]

# %% [markdown]
# **Predict, then run.** The vector has 128 numbers, the training 400 steps. Nearly all sentences of *one* clause are then
# exactly right. What share of the sentences of *two* clauses, nine to eleven words each, is right?

# %% tags=["show"]
guess_two = None          # type a number between 0 and 1, then run the next cell

# %% tags=["show", "tolerance-0.1"]
one_vector = OneVector(len(GERMAN), len(ENGLISH), d_model=128).to(device)
train(one_vector)
one, two = (exact(one_vector, data) for data in by_clauses)
check_guess("two clauses through one vector, after 400 steps", guess_two, two)
print(f"one clause: {one:.2f} exactly right   two clauses: {two:.2f}")

# %% [markdown]
# About a quarter. Is the vector too small for ten words?

# %% [markdown]
# First we train the same network again, with a learning rate about three times as high.

# %% tags=["show", "tolerance-0.2"]
one_vector = OneVector(len(GERMAN), len(ENGLISH), d_model=128).to(device)
recurrent = {}                          # step: share right of one clause, of two

def keep(step, model):
    recurrent[step] = [exact(model, data) for data in by_clauses]

train(one_vector, peak=1e-2, watch=keep)
print(f"one clause: {recurrent[400][0]:.2f}   two clauses: {recurrent[400][1]:.2f}")

# %% [markdown]
# Now all short sentences are right, and most of the long ones. So the vector was hardly too small: the network had learned
# too slowly, above all long sentences. (With many more steps a far smaller vector is enough:
# [measured](deeper.ipynb), "Too small, or too slow?".)
#
# The other way is to keep a vector for *each* word, and to let the writer look up what it needs. In 2014 Bahdanau, Cho and
# Bengio built this into recurrent networks; in 2017 the recurrent networks were left out.

# %% [markdown]
# ## 7.3 The encoder
#
# The encoder makes the memory. It is a stack of blocks in the form of the 2017 paper: the post-norm block of chapter 6 with
# ReLU and biases. Here $h$ is the output of a block's first half:
#
# $$h = \mathrm{norm}_1\big(x + \mathrm{attention}(x)\big) \qquad y = \mathrm{norm}_2\big(h + \mathrm{feed\_forward}(h)\big)$$
#
# In the source only padding is hidden.

# %% carry=["ch03_masks: causal_mask", "ch04_multi_head: MultiHeadAttention", "ch05_positions: sinusoidal_encoding", "ch06_block: FeedForward"]
# The code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# What does the encoder add? "sie" is "she" in "heute kann sie uns sehen" and "her" in "du kannst sie sehen", in the *same* place,
# the third. How far apart are its two vectors, before and after one block (PyTorch's, untrained)?

# %% tags=["tolerance-0.05"]
torch.manual_seed(7)
table = nn.Embedding(len(GERMAN), 48)
layer = nn.TransformerEncoderLayer(48, 2, 96, dropout=0.0, batch_first=True)

def third_word(sentence):
    x = table(torch.tensor([[german_ids[word] for word in sentence.split()]]))
    placed = x + sinusoidal_encoding(x.size(1), 48)
    return [stage[0, 2].detach() for stage in (x, placed, layer(placed))]

for name, one, other in zip(["from the table", "with its place", "after one block"],
                            third_word("heute kann sie uns sehen"),
                            third_word("du kannst sie sehen")):
    print(f"{name:16} difference {(one - other).norm() / one.norm():.2f} of its length")

# %% [markdown]
# Before the block the two vectors are equal. After it they differ, because attention has added information from the neighbours.
#
# ### Exercise 7.1 · The encoder · 2 points · about 12 minutes
#
# An encoder is a stack of blocks, and a block is the two formulas above. One point for the block, one for the stack.
#
# - `EncoderBlock` has `norm1`, `attention`, `norm2`, `feed_forward` as in chapter 6, with ReLU and
#   with a bias in all four projections of attention. `forward` returns the new `x` and the attention weights.
# - `Encoder` runs `num_layers` such blocks, each with its own numbers and each with the same mask <!-- asks: stack -->, in an
#   `nn.ModuleList` called `blocks`. `forward` returns the last `x` alone. No norm comes after the last block.
#
# Take `MultiHeadAttention`, `FeedForward` and `nn.LayerNorm`.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Norms have an ε of 1e-5. Without `d_ff` the feed-forward network is `4 * d_model` wide
# <!-- asks: width -->. `dropout` acts inside attention and the feed-forward network <!-- asks: dropout-inside -->, and on
# what each of the two adds, in training only <!-- asks: dropout-added, dropout-share -->. Both options reach every block
# <!-- asks: options -->. A mask is handed on with as many axes as it has
# <!-- asks: mask-shapes -->. The [house rules](#house-rules) hold for block and stack
# <!-- asks: values, gradient, device, stack-device -->.
# </details>
# <details><summary>Hint 1</summary>Chapter 6 built both orders. Which one leaves its result normalised?</details>
# <details><summary>Hint 2</summary>MultiHeadAttention has no bias unless it is asked for one. FeedForward is GELU unless it is told otherwise.</details>
# <details><summary>Hint 3</summary>[block] * n is a list of n times the same block, with the same numbers. You want n blocks.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_encoder_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward; post-norm, ReLU, as in the 2017 paper."""

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(
            d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    # (batch, seq, d_model) -> the same, and the weights
    def forward(self, x, mask=None):
        ### BEGIN SOLUTION
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights
        ### END SOLUTION


class Encoder(nn.Module):
    """num_layers encoder blocks, one on top of the other, in self.blocks."""

    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        ### END SOLUTION

    def forward(self, x, mask=None):                 # (batch, seq, d_model) -> the same
        ### BEGIN SOLUTION
        for block in self.blocks:
            x, _ = block(x, mask)
        return x
        ### END SOLUTION

# %% tags=["uses-exercise"]
x = torch.randn(2, 5, 8)
ab.beside([[2, 5, 8], [2, 2, 5, 5]], lambda: [
    list(part.shape) for part in EncoderBlock(d_model=8, num_heads=2)(x)])
# A new norm, which comes last, leaves the mean 0.
ab.beside(0.0, lambda: EncoderBlock(8, 2)(x)[0].mean().abs().item())
hidden = torch.tensor([True, True, True, False, False])  # True: may be looked at
ab.beside(0.0, lambda: EncoderBlock(8, 2)(x, hidden)[1][..., 3:].max().item())
ab.beside([2, 5, 8], lambda: list(Encoder(8, 2, num_layers=3)(x).shape))

# %% nbgrader={"grade": true, "grade_id": "ch07_encoder_block_check_block", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.1, the block: post-norm, ReLU, biases, dropout, and the mask."""
x_, past_ = ab.numbers(2, 5, 8, seed=7), torch.ones(5, 5).tril().bool()
real_ = torch.tensor([[True] * 3 + [False] * 2, [True] * 5])[:, None, None]
one_ = ab.case("x (2, 5, 8), 2 heads, d_ff = 12", x_, of=ab.module(8, 2, 12))
still_ = one_.but("in evaluation mode", of=ab.module(8, 2, 12, train=False))
names_ = ["attention.W_o.bias", "feed_forward.linear2.bias", "attention.W_o.weight",
          "feed_forward.linear2.weight"]
def new_(block, x):
    """The new x alone: the weights may be those before dropout or after it."""
    return block(x)[0]
def dropped_(block):
    """How many quarters of a parameter's slopes are 0, from one word."""
    (block(ab.numbers(1, 1, 400))[0] * torch.arange(400.)).sum().backward()
    slopes = {name: dict(block.named_parameters())[name].grad for name in names_}
    return [f"{name}: {4 * (s == 0).view(-1, s.size(-1)).all(0).double().mean():.0f}"
            " of 4 quarters" for name, s in slopes.items()]
def noisy_(d_ff):
    weights = {part: torch.ones(400)
               for part in ("norm1", "norm2", "attention.W_v.bias")}
    weights["feed_forward.linear1.bias"] = torch.ones(d_ff or 1600)
    return ab.case(f"dropout = 0.25, d_ff = {d_ff}: how many slopes are 0",
                   ask=dropped_, of=ab.module(400, 400, d_ff, 0.25, weights=weights))
ab.check("7.1 block", EncoderBlock, [
    one_,
    ab.case("EncoderBlock(8, 2)", of=ab.module(8, 2), look="parameters"),
    ab.case("how the norms start", of=ab.module(8, 2, weights={}), ask=lambda block: [
        torch.cat([norm.weight, norm.bias]) for norm in (block.norm1, block.norm2)]),
    *(ab.case(f"a mask {tuple(mask.shape)}", x_, mask, of=one_.of)
      for mask in (real_, past_[2], past_, torch.stack([past_, past_.T]))),
    ab.case("one word, hidden from itself", x_[:, :1], past_[:1, 1:2], of=one_.of),
    still_.but("in evaluation mode, with a mask", args=(x_, real_)),
    ab.case("numbers so small that ε counts", x_ / 100, of=ab.module(8, 2, 12, weights={
        "norm1": torch.full((8,), 0.01), "norm1.bias": 0.01 * ab.numbers(8),
        "norm2": torch.ones(8)})),
    *(ab.case(f"dropout = 1.0, training: {train}", x_, ask=new_ if train else None,
              of=ab.module(8, 2, 12, 1.0, train=train)) for train in (True, False)),
    noisy_(None), noisy_(500),
    *ab.house_rules(one_, but="axes empty bfloat16"),
    *ab.house_rules(still_, only="gradient"),
], "x, mask -> the new x, the weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.1 block", EncoderBlock, [one_, *cases], like=reference("EncoderBlock"))

def sized(d_model, heads, d_ff, batch, seq, *mask, train=True, dtype=torch.float64):
    return ab.case(f"EncoderBlock({d_model}, {heads}, {d_ff}), {batch} x {seq} words",
                   ab.numbers(batch, seq, d_model, seed=seq, dtype=dtype), *mask,
                   of=ab.module(d_model, heads, d_ff, train=train),
                   within=1e-9 if dtype == torch.float64 else 1e-3)

# Property: right for other sizes, in float64 and float32, output and weights, with and without a padding mask [values]
tried(*(sized(*sizes, *mask, train=train)
        for *sizes, train in [(15, 3, 11, 2, 7, True), (14, 7, 14, 1, 5, False),
                              (6, 1, 29, 3, 2, True)]
        for mask in [(), (ab.numbers(sizes[3], 1, 1, sizes[4], seed=3) > -1,)]),
      sized(6, 3, 5, 5, 6, dtype=torch.float32))
# Property: the mask reaches attention as it is, with one axis up to four [mask-shapes]
some = (ab.numbers(5, 3, 6, 6, seed=4) < 0) | torch.eye(6).bool()
tried(*(sized(15, 3, 11, 5, 6, mask)
        for mask in (some[0, 0, 0], some[0, 0], some[0], some[:, :1], some)))
# Property: without d_ff the feed-forward network is four times as wide as the token [width]
tried(*(ab.case(f"EncoderBlock({d_model}, 3)", of=ab.module(d_model, 3),
                look="parameters") for d_model in (6, 15)))
# Property: gradients reach x and every parameter [gradient]
tried(*ab.house_rules(sized(15, 5, 13, 2, 7), only="gradient"),
      *ab.house_rules(sized(15, 5, 13, 2, 7, train=False), only="gradient"))
# Property: dropout falls on what each sub-layer adds, in training only [dropout-added]
tried(*(ab.case(f"dropout = 1.0, training: {train}", ab.numbers(3, 5, 6),
                of=ab.module(6, 2, dropout=1.0, train=train),
                ask=new_ if train else None) for train in (True, False)))
# Property: dropout falls inside attention and inside the feed-forward network, too [dropout-inside]
tried(noisy_(300))
# Property: the share that is dropped is dropout, number by number [dropout-share]
tried(noisy_(700))
# Property: works on the device of its input, and on a transposed (non-contiguous) one [device]
tried(*ab.house_rules(sized(6, 2, 7, 3, 5), only="views inputs device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_encoder_block_check_encoder", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.1, the stack: beside its own blocks, whatever they do."""
def turns_(stack, x, mask):
    for block in stack.blocks:
        x = block(x, mask)[0]
    return x
def off_(both, sizes, x, *masks, **options):
    """The stack minus its blocks in turn, mask by mask; 1 more where it learns less."""
    stack, _ = ab.module(*sizes, dtype=x.dtype, **options).make(both[1])
    pairs = [(stack(x.clone(), m), turns_(stack, x.clone(), m)) for m in masks]
    return torch.stack([one - other + (one.requires_grad != other.requires_grad)
                        for one, other in pairs])
def unlike_(both, x, *sizes, **options):
    """The last of two blocks minus an EncoderBlock that has its numbers."""
    stack, _ = ab.module(*sizes, 2, **options).make(both[1])
    block = both[0](*sizes, **options)
    block.load_state_dict(stack.blocks[1].state_dict())
    return stack.blocks[1](x.clone())[0] - block(x.clone())[0]
def counted_(both, *sizes):
    stack = both[1](*sizes)
    all_, one = (sum(p.numel() for p in part.parameters())
                 for part in (stack, stack.blocks[0]))
    return f"{len(stack.blocks)} blocks, {all_ / one:g} times what one block learns"
beside_ = "three blocks, minus its blocks in turn"
ab.check("7.1 stack", (EncoderBlock, Encoder), [
    ab.case(beside_, (8, 2, 3), x_, None, ask=off_),
    ab.case("Encoder(8, 2, 3)", 8, 2, 3, ask=counted_),
    *(ab.case(f"{beside_}, masks {tuple(mask.shape)}", (8, 2, 3), x_, mask, None, ~mask,
              ask=off_) for mask in (real_, past_[3], past_)),
    ab.case(f"{beside_}, dropout = 1.0", (8, 4, 3), x_, None, ask=off_, dropout=1.0),
    ab.case(f"{beside_}, evaluation mode", (8, 2, 3), x_, None, ask=off_, train=False),
    *(ab.case(f"{given}: block 1, minus an EncoderBlock of its numbers", x_, 8, 2,
              ask=unlike_, **given) for given in ({}, {"d_ff": 5}, {"dropout": 1.0})),
    ab.case("on another device", x_, look="device",
            ask=lambda both, x: both[1](8, 2, 2).to(x.device)(x)),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.1 stack", (EncoderBlock, Encoder), cases,
             like=reference("EncoderBlock", "Encoder"))

def gradient(both, x):
    stack, _ = ab.module(8, 2, 3).make(both[1])
    x.requires_grad_()
    one, other = (torch.autograd.grad(run(x, None).square().sum(), x)[0]
                  for run in (stack, lambda *xs: turns_(stack, *xs)))
    return one - other

# Property: the blocks run in turn, each with the mask, for any number of layers and in float64 [stack]
tried(ab.case("the gradient", ab.numbers(2, 3, 8), ask=gradient))
for sizes, shape, mode in [((6, 3, 1), (2, 7), False), ((10, 2, 5), (3, 4), True),
                           ((14, 7, 2), (1, 11), True)]:
    x = ab.numbers(*shape, sizes[0], dtype=torch.float64)
    some = (torch.arange(shape[1]) < 3).repeat(shape[0], 1)[:, None, None]
    tried(*(ab.case(f"Encoder{sizes}, dropout = {p}, training: {train}", sizes, x,
                    *masks, ask=off_, dropout=p, train=train, within=1e-8)
            for p, train, masks in ((0.0, True, (None, some, None)),
                                    (1.0, mode, (some, None, some)))),
          ab.case(f"Encoder{sizes}", *sizes, ask=counted_))
# Property: the stack stays on the device of its input, too, with a mask and without [stack-device]
for mask in (None, torch.ones(2, 1, 1, 3).bool()):
    ab.check("7.1 stack", Encoder, [
        ab.case("on another device", torch.zeros(2, 3, 6), mask, of=ab.module(6, 2, 2),
                look="device")], like=reference("Encoder"))
# Property: heads, d_ff and dropout reach the blocks [options]
tried(*(ab.case(f"{heads} heads, {options}", ab.numbers(3, 5, 6), 6, heads, ask=unlike_,
                **options)
        for heads, options in [
            (1, {}), (2, {"d_ff": 11}), (3, {"dropout": 1.0}),
            (2, {"d_ff": 7, "dropout": 1.0})]))
### END HIDDEN TESTS

# %% [markdown]
# ## 7.4 Asking another sentence
#
# The writer has written "can you" and needs the next word. Its query goes to the memory, not to its own sentence: this is
# **cross-attention**. Queries come from the writer's vectors $x$, keys and values from the memory $m$:
#
# $$q = x\,W_q \qquad k = m\,W_k \qquad v = m\,W_v \qquad \mathrm{output} = \mathrm{softmax}\!\Big(\frac{q\,k^\top}{\sqrt{d_k}}\Big)\,v$$

# %% [markdown]
# One query first. Nothing is trained yet, so all vectors are random.

# %%
dice = torch.Generator().manual_seed(7)
memory = torch.randn(4, 8, generator=dice)                     # kannst, du, mir, helfen
x = torch.randn(3, 8, generator=dice)                               # <bos>, can, you
W_q, W_k, W_v = torch.randn(3, 8, 8, generator=dice) / 8 ** 0.5

q = x[2] @ W_q                                              # the last word written asks
# (4,): one score per German word
scores = torch.stack([q @ (m @ W_k) / 8 ** 0.5 for m in memory])
weights = scores.softmax(dim=-1)
print("weights of the four German words:", weights)
print("what it fetches:", sum(w * (m @ W_v) for w, m in zip(weights, memory))[:4], "…")

# %% [markdown]
# Now all queries at once. The weights are no longer square: they have a row for each word written and a column for each word
# read. The last row is the one from above. Your `MultiHeadAttention` of chapter 4 can already do this.

# %%
weights = ((x @ W_q) @ (memory @ W_k).T / 8 ** 0.5).softmax(dim=-1)             # (3, 4)
print(tuple(weights.shape), "  last row:", weights[2])
attention = MultiHeadAttention(d_model=8, num_heads=2, bias=True)
# query, key; value defaults to the key
output, weights = attention(x[None], memory[None])
print("two heads:", tuple(output.shape), tuple(weights.shape))

# %% [markdown]
# In the decoder block, cross-attention stands between the self-attention of chapter 3 and the feed-forward network:
#
# $$\begin{aligned} a &= \mathrm{norm}_1\big(x + \mathrm{self\_attention}(x)\big)\\
# b &= \mathrm{norm}_2\big(a + \mathrm{cross\_attention}(a, m)\big)\\
# y &= \mathrm{norm}_3\big(b + \mathrm{feed\_forward}(b)\big)\end{aligned}$$
#
# **Predict, then run.** PyTorch's decoder block runs twice. The second time the four vectors of the memory are shuffled:
# "helfen mir kannst du". By how much does its output change at most: 0, about 0.1, about 1?

# %% tags=["show"]
guess_shuffled = None          # type a number, then run the next cell

# %% tags=["show"]
layer = nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, batch_first=True)
shuffled = memory[[3, 2, 0, 1]]
with torch.no_grad():
    before, after, control = (layer(x[None], m[None])
                              for m in (memory, shuffled, shuffled + 1))
check_guess("largest change when the memory is shuffled", guess_shuffled,
            round((before - after).abs().max().item(), 4))
print("control, other vectors: more than 0.1:",
      (before - control).abs().max().item() > 0.1)

# %% [markdown]
# Nothing changes: cross-attention, too, does not see the order of what it reads (chapter 5). So the order must be *in* the
# vectors: positions are added before the encoder.
#
# ### Exercise 7.2 · The decoder block · 4 points · about 15 minutes
#
# Complete `DecoderBlock`, the three formulas above: an encoder block with one more sub-layer. Its parts are `self_attention`,
# `cross_attention`, `feed_forward`, `norm1`, `norm2`, `norm3`. `forward` returns `x` and the weights of both attentions: with
# three words written and five to read, `(batch, heads, 3, 3)` and `(batch, heads, 3, 5)`.
#
# - **values (2 points).** Post-norm, ReLU, biased projections.
# - **masks (1 point).** `self_mask` is for self-attention, `memory_mask` for cross-attention <!-- asks: masks -->; `True` = may
#   attend. With `None` everything is seen, the future, too: the block itself hides nothing.
# - **options (1 point).** `d_ff` (default `4 * d_model`), and `dropout`: inside both attentions and the feed-forward network
#   <!-- asks: dropout-inside -->, and on what each of the *three* sub-layers adds, in training only
#   <!-- asks: train-eval, dropout-share -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Norms have an ε of 1e-5; the memory may have another length than `x`
# <!-- asks: values -->. Gradients reach every parameter, too <!-- asks: gradient -->. Masks are boolean and broadcastable to
# their scores, with one to four axes <!-- asks: mask-shapes -->. A word from which the whole memory is hidden gets zero
# weights and
# no NaN, also in the gradient <!-- asks: masked-row -->. The [house rules](#house-rules) hold <!-- asks: device -->.
# </details>
# <details><summary>Hint 1</summary>Which of the three sub-layers ever sees the memory?</details>
# <details><summary>Hint 2</summary>Who asks in cross-attention, and with what: with x as it came in, or with what self-attention has made of it?</details>
# <details><summary>Hint 3</summary>The memory comes from a post-norm encoder: it is normalised already, and goes into cross-attention as it is.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_decoder_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock(nn.Module):
    """Self-attention, cross-attention to the memory, feed-forward; post-norm, ReLU."""

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(
            d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model))
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x: (batch, seq, d_model)   memory: (batch, seq_memory, d_model)

        Returns (x, self_weights, cross_weights).
        """
        ### BEGIN SOLUTION
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights
        ### END SOLUTION

# %% tags=["uses-exercise"]
# Three words written, five to read; a word written spends a weight of 1.
x, memory = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
ab.beside([[2, 3, 8], [2, 2, 3, 3], [2, 2, 3, 5]], lambda: [
    list(part.shape) for part in DecoderBlock(d_model=8, num_heads=2)(x, memory)])
ab.beside(1.0, lambda: DecoderBlock(8, 2)(x, memory)[2][0, 0, 0].sum().item())
# The first word sees itself alone of the words written, and the whole memory.
past = torch.ones(3, 3).tril().bool()
ab.beside([2, 0], lambda: [(weights[0, 0, 0] == 0).sum().item() for weights in
                           DecoderBlock(8, 2)(x, memory, self_mask=past)[1:]])

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_values", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.2, values: three sub-layers, post-norm, and who asks whom."""
x_, memory_ = ab.numbers(2, 4, 8, seed=72), ab.numbers(2, 4, 8, seed=73)
one_ = ab.case("x and memory (2, 4, 8), 2 heads, d_ff = 32", x_, memory_,
               of=ab.module(8, 2, 32))
still_ = one_.but("in evaluation mode", of=ab.module(8, 2, 32, train=False))
small_ = {f"norm{n}{part}": 0.01 + 0.01 * ab.numbers(8, seed=n) for n in (1, 2)
          for part in ("", ".bias")}
ab.check("7.2 values", DecoderBlock, [
    one_,
    ab.case("DecoderBlock(8, 2, 32)", of=one_.of, look="parameters"),
    ab.case("a memory of 7 words", x_, ab.numbers(2, 7, 8), of=one_.of),
    ab.case("a memory of 600 words", x_[:1, :1], ab.numbers(1, 600, 8), of=one_.of),
    ab.case("numbers so small that ε counts", x_ / 100, memory_, of=ab.module(
        8, 2, 32, weights={**small_, "norm3": torch.ones(8)})),
    *ab.house_rules(one_, only="views float64 gradient inputs"),
    *ab.house_rules(still_, only="gradient"),
], "x, memory -> the new x, weights of self-attention, weights of cross-attention")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.2 values", DecoderBlock, [one_, *cases], like=reference("DecoderBlock"))

def sized(d_model, heads, batch, seq, seq_memory, dtype=torch.float64):
    x, memory = (ab.numbers(batch, n, d_model, seed=n, dtype=dtype)
                 for n in (seq, seq_memory))
    return ab.case(f"DecoderBlock({d_model}, {heads}), {seq} and {seq_memory} words", x,
                   memory, of=ab.module(d_model, heads, 4 * d_model),
                   within=1e-9 if dtype == torch.float64 else 1e-3)

# Property: right for other sizes, in float64 and float32, output and both weights [values]
tried(*(sized(*sizes) for sizes in [
    (15, 3, 2, 7, 5), (14, 7, 1, 3, 11), (6, 1, 3, 1, 2), (4, 2, 1, 67, 601)]),
      sized(6, 3, 5, 4, 7, torch.float32),
      *ab.house_rules(sized(15, 3, 2, 7, 5), only="float64 views inputs"))
# Property: gradients reach x, the memory and every parameter [gradient]
tried(*ab.house_rules(sized(15, 5, 2, 7, 3), only="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_masks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.2, masks: which places each attention looks at."""
def looked_(block, x, memory, *masks):
    _, own, cross = block(x, memory, *masks)
    return [own > 0, cross > 0, own.sum(-1), cross.sum(-1)]
def moved_(block, x, memory, *masks):
    """How far other words in places 2 and 3 move what comes out in place 0."""
    one, other = (block(x + more, memory + more, *masks)[0] for more in (places_, 0))
    return (one - other)[:, 0]
places_ = torch.tensor([0., 0., 1., 1.])[:, None] * ab.numbers(8)
x_, memory_ = ab.numbers(4, 4, 8, seed=74), ab.numbers(4, 4, 8, seed=75)
past_, front_ = torch.ones(4, 4).tril().bool(), torch.tensor([True, True, False, False])
table_ = (torch.eye(4) + torch.tensor([1., 1., 0., 0.])).bool()
real_ = torch.tensor([[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]]).bool()[
    :, None, None]
masked_ = [ab.case(words, x_, memory_, *masks, of=ab.module(8, 2), ask=looked_)
           for words, *masks in (
    ("both masks of two axes", past_, table_), ("no masks", None, None),
    ("self_mask alone", past_), ("memory_mask alone", None, front_),
    ("memory_mask (4, 1, 1, 4)", past_, real_),
    ("masks of three axes, one table for each head", torch.stack([past_, past_.T]),
     torch.stack([table_, past_])),
    ("masks of four axes", past_.repeat(4, 2, 1, 1) & real_.mT,
     torch.stack([table_, past_]).repeat(4, 1, 1, 1)),
    ("the whole memory hidden", past_, torch.zeros(4, 4).bool()))]
ab.check("7.2 masks", DecoderBlock, [
    *masked_, masked_[0].but("other words in hidden places", ask=moved_),
    masked_[4].but("in evaluation mode", of=ab.module(8, 2, train=False)),
    ab.case("one word and one memory word, hidden", x_[:, :1], memory_[:, :1],
            past_[:1, 1:2], past_[:1, 1:2], of=ab.module(8, 2),
            ask=lambda block, *given: block(*given)[1:]),
], "x, memory, masks -> the places self-attention looks at, the places cross-attention "
   "looks at, the sums of its weights, the sums of cross-attention's weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.2 masks", DecoderBlock, [masked_[0], *cases],
             like=reference("DecoderBlock"))

def nothing(block, x, memory, *masks):
    """What a block gives minus what one gives that fetches nothing."""
    y = block(x, memory, *masks)[0]
    with torch.no_grad():
        block.cross_attention.W_o.weight.zero_()
    return y - block(x, memory, masks[0])[0]

def slopes(block, x, memory, *masks):
    memory.requires_grad_()
    y = block(x, memory, *masks)[0].square().sum() + 0 * memory.sum()
    return torch.autograd.grad(y, memory)[0][0]

def sized(d_model, heads, train, ask, *masks):
    given = (ab.numbers(3, 4, d_model, seed=seed) for seed in (1, 2))
    return ab.case(f"DecoderBlock({d_model}, {heads}), masks "
                   f"{[tuple(mask.shape) for mask in masks]}", *given, *masks, ask=ask,
                   of=ab.module(d_model, heads, train=train))

# Property: each attention follows its own mask, in training and in evaluation [masks]
places_ = places_[:, :1]
tried(*(sized(d_model, heads, train, ask, past_, real_[:3])
        for ask in (looked_, moved_)
        for d_model, heads, train in ((10, 5, True), (6, 2, False))))
# Property: masks may have two axes or four, one table for each sentence and head [mask-shapes]
some = [(ab.numbers(3, 5, 4, 4, seed=n) > 0) | torch.eye(4).bool() for n in (1, 2)]
tried(*(sized(10, 5, True, lambda block, *given: [w > 0 for w in block(*given)[1:]],
              *(mask[at] for mask in some))
        for at in ((0, 0), (slice(3), slice(1)), slice(3))))
# Property: where the whole memory is hidden, cross-attention gives zero weights and no NaN, in the value and in the gradient [masked-row]
hidden = torch.tensor([False, True, True])[:, None, None, None]
tried(sized(6, 2, True, looked_, past_, hidden),
      sized(6, 2, True, slopes, past_, hidden),
      *(sized(6, 2, True, nothing, past_, torch.zeros(shape).bool())
        for shape in ((3, 1, 1, 4), (4, 4))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_options", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.2, options: the width of the feed-forward network, and dropout."""
def unlike_(kind, x, memory, train):
    """A block with dropout = 1.0, minus one without, which in training adds nothing."""
    one, other = (
        ab.module(8, 2, dropout=p, train=train).make(kind)[0] for p in (1.0, 0.0))
    with torch.no_grad():
        for name, parameter in other.named_parameters():
            parameter.mul_(not train or name.rsplit(".", 1)[0] not in adds_)
    shown = slice(1 if train else 3)      # weights may be those before dropout or after
    return [mine - its for mine, its in zip(one(x, memory)[shown], other(x, memory))]
def dropped_(block):
    """How many quarters of a parameter's slopes are 0, from one word."""
    x, memory = ab.numbers(1, 1, 400), ab.numbers(1, 1, 400, seed=1)
    (block(x, memory)[0] * torch.arange(400.)).sum().backward()
    slopes = {name: dict(block.named_parameters())[name].grad for name in names_}
    return [f"{name}: {4 * (s == 0).view(-1, s.size(-1)).all(0).double().mean():.0f}"
            " of 4 quarters" for name, s in slopes.items()]
def noisy_(d_ff):
    names = "norm1 norm2 norm3 self_attention.W_v.bias cross_attention.W_v.bias"
    weights = {name: torch.ones(400) for name in names.split()}
    weights["feed_forward.linear1.bias"] = torch.ones(d_ff or 1600)
    return ab.case(f"dropout = 0.25, d_ff = {d_ff}: how many slopes are 0",
                   ask=dropped_, of=ab.module(400, 400, d_ff, 0.25, weights=weights))
adds_ = "self_attention.W_o", "cross_attention.W_o", "feed_forward.linear2"
names_ = [f"{name}.{part}" for part in ("bias", "weight") for name in adds_]
wide_ = ab.case("linear1, without d_ff and with d_ff = 5", ask=lambda kind: [
    str(kind(8, 2, *d_ff).feed_forward.linear1.weight.shape) for d_ff in ((), (5,))])
ab.check("7.2 options", DecoderBlock, [
    *(ab.case(f"dropout = 1.0, training: {train}, minus a block without dropout", x_,
              memory_, train, ask=unlike_) for train in (True, False)),
    wide_, noisy_(None), noisy_(500)])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.2 options", DecoderBlock, cases, like=reference("DecoderBlock"))

# Property: without dropout training mode and evaluation mode agree, with it evaluation drops nothing [train-eval]
def modes(kind, x, memory, p):
    blocks = [ab.module(8, 2, dropout=q, train=q != p).make(kind)[0] for q in (p, 0.0)]
    return blocks[0](x, memory)[0] - blocks[1](x, memory)[0]

tried(*(ab.case(f"dropout = {p}", ab.numbers(3, 5, 8), ab.numbers(3, 5, 8, seed=1), p,
                ask=modes) for p in (0.5, 1.0)))
# Property: dropout acts inside both attentions and the feed-forward network, too, and keeps the average [dropout-inside]
tried(ab.case("dropout = 1.0", x_, memory_, True, ask=unlike_), wide_, noisy_(300))
# Property: the share that is dropped is dropout, number by number [dropout-share]
tried(ab.case("dropout = 1.0", x_, memory_, True, ask=unlike_), noisy_(700))
# Property: everything happens on the device of the input [device]
tried(ab.case("on another device", x_, memory_, of=ab.module(8, 2), look="device"))
### END HIDDEN TESTS

# %% [markdown]
# ## 7.5 The whole model
#
# The drawing follows figure 1 of the 2017 paper, with the sizes of its base model: $d_{\mathrm{model}} = 512$, 8 heads, 6 blocks on either side.

# %% tags=["show"]
# @title The Transformer of 2017
def count(*parts):
    return f"{sum(p.numel() for part in parts for p in part.parameters()) / 1e6:.1f} M"

with torch.device("meta"):                         # shapes without memory, to count
    left, right = (nn.TransformerEncoderLayer(512, 8, 2048),
                   nn.TransformerDecoderLayer(512, 8, 2048))
asks, feeds, norm, plain = (
    OKABE_ITO[1] + "66", OKABE_ITO[5] + "66", OKABE_ITO[4] + "99", "0.93")
towers = [(2, -1, left, "source words\n(batch, seq_source)", [
              (f"self-attention   {count(left.self_attn)}", asks),
              (f"feed-forward   {count(left.linear1, left.linear2)}", feeds)]),
          (7, 1, right, "words written so far\n(batch, seq_target)", [
              (f"self-attention, causal   {count(right.self_attn)}", asks),
              (f"cross-attention   {count(right.multihead_attn)}", asks),
              (f"feed-forward   {count(right.linear1, right.linear2)}", feeds)])]
fig, ax = plt.subplots(figsize=(7.2, 6.2))

def box(x, y, text, color, height=0.5):
    ax.add_patch(plt.Rectangle((x - 1.5, y - height / 2), 3, height, facecolor=color,
                               edgecolor="0.3", linewidth=0.8))
    ax.text(x, y, text, ha="center", va="center", fontsize=8)

def arrow(end, start, color="0.3"):
    ax.annotate("", end, start, arrowprops={
        "arrowstyle": "->", "color": color, "shrinkA": 0, "shrinkB": 0})

for x, side, block, words, parts in towers:
    ax.text(x, 0, words, ha="center", va="center", fontsize=8)
    arrow((x, 0.65), (x, 0.3))
    box(x, 0.9, "embedding · √d + positions", plain)
    for y, (text, color) in zip((1.9, 3.4, 4.9), parts):
        arrow((x, y - 0.25), (x, y - 0.75))
        box(x, y, text, color)
        arrow((x, y + 0.45), (x, y + 0.25))
        box(x, y + 0.65, "Add & Norm", norm, 0.4)
        way = x + 1.66 * side                                  # the residual connection
        ax.plot([x, way, way], [y - 0.45, y - 0.45, y + 0.65], color="0.3", linewidth=1)
        arrow((x + 1.5 * side, y + 0.65), (way, y + 0.65))
    ax.add_patch(plt.Rectangle((x - 1.85, 1.3), 3.7, y - 0.3, fill=False,
                               edgecolor="0.5", linestyle="--"))
    ax.text(x + 1.95 * side, 3, f"6 blocks\n{count(block)}\neach", fontsize=8,
            ha="right" if x == 2 else "left", va="center")
arrow((7, 6.35), (7, 5.75))
box(7, 6.6, "linear → logits", plain)
ax.plot([2, 2, 4.5, 4.5], [4.25, 5.2, 5.2, 3.4], color=OKABE_ITO[3])
arrow((5.5, 3.4), (4.5, 3.4), OKABE_ITO[3])
ax.text(3.25, 5.3, "memory", ha="center", color=OKABE_ITO[3], fontsize=9)
ax.set(xlim=(-1, 10.1), ylim=(-0.4, 7),
       title="The memory leaves above the last encoder block and enters every decoder "
             "block")
ax.axis("off")
show(fig, "The Transformer as two towers. Left, the encoder: source words, embedding "
          "plus positions, six blocks of self-attention, Add and Norm, feed-forward, "
          "Add and Norm. Right, the decoder: words written so far, embedding plus "
          "positions, six blocks of causal self-attention, cross-attention and "
          "feed-forward, each with Add and Norm; then a linear layer. Lines around the "
          "sub-layers are residual connections. An arrow called memory leads from "
          "above the six encoder blocks to the decoder's cross-attention. Numbers of "
          "parameters stand in the boxes.")

# %% [markdown]
# A decoder block has a third more parameters than an encoder block, because it has a second attention.

# %% [markdown]
# Three attentions look alike. They differ in who asks, who answers, and what is hidden:
#
# | | queries from | keys and values from | hidden |
# | --- | --- | --- | --- |
# | encoder self-attention | source | source | padding of the source |
# | decoder self-attention | target | target | the future |
# | cross-attention | target | memory | padding of the source |
#
# For a source of four words, padded to six, and a target of five tokens:

# %% tags=["show"]
# @title Three masks
is_word = torch.tensor([True] * 4 + [False] * 2)
source_words, target_words = (
    "kannst du mir helfen <pad> <pad>".split(), "<bos> can you help me".split())
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3.1), width_ratios=[6, 5, 6])
for ax, title, mask, rows, columns in zip(
        axes, ["encoder self-attention", "decoder self-attention", "cross-attention"],
        [is_word.expand(6, 6), causal_mask(5), is_word.expand(5, 6)],
        [source_words, target_words, target_words],
        [source_words, target_words, source_words]):
    draw_matrix(ax, mask.float(), rows, columns, title, limits=(0, 1.4), digits=None)
    ax.set(xlabel="key")
axes[0].set_ylabel("query")
fig.suptitle("Padding is hidden in the encoder and in cross-attention, the future "
             "in the decoder", fontsize=10)
show(fig, "Three masks, blue where a query may attend. Encoder self-attention, 6 by 6: "
          "the last two columns, padding, are hidden. Decoder self-attention, 5 by 5: "
          "a lower triangle. Cross-attention, 5 target tokens by 6 source tokens: the "
          "last two columns are hidden.")

# %% [markdown]
# Padding at the end of the *target* needs no mask: it lies in the future of every real word, and its own logits are never used.
#
# Why $\sqrt d$ at the bottom? Xavier's initialisation makes embeddings small; the factor brings them to about the size of the positions that are added.
# (With PyTorch's own initialisation it does harm: [measured](deeper.ipynb), "√d belongs to a start".)
#
# ### Exercise 7.3 · The Transformer · 3 points · about 20 minutes
#
# Complete `Transformer` after the drawing above. Its parts are `source_embedding` and `target_embedding` (`nn.Embedding`),
# `encoder` (an `Encoder`), `blocks` (an `nn.ModuleList` of `DecoderBlock`) and `head` (`nn.Linear`); nothing else has parameters
# <!-- asks: names -->.
#
# - `encode(source)` → memory `(batch, seq_source, d_model)`;
# - `decode(target, memory, memory_mask=None)` → logits `(batch, seq_target, target_vocab)` and the cross-attention weights of
#   the *last* block;
# - `forward(source, target)` → logits: `decode` after `encode`.
#
# **values (1 point).** Each embedding is multiplied by $\sqrt{d_{\mathrm{model}}}$, the rows of `sinusoidal_encoding` are added;
# `num_layers` blocks follow on either side. No softmax at the end.
#
# **padding (1 point).** `encode` hides it in the encoder, and `forward`, which makes the mask, in cross-attention.
#
# **the future (1 point).** Hidden in the self-attention of every decoder block <!-- asks: causal -->, and nowhere else
# <!-- asks: both-ways -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# *values*: the [house rules](#house-rules) hold <!-- asks: values, gradient, device -->; `d_model` may be odd, and sentences up to
# `max_len` long <!-- asks: max-len -->; `d_ff` defaults to `4 * d_model`. `memory_mask` is boolean and broadcastable to the
# weights, `(batch, heads, seq_target, seq_source)`; with `None` the whole memory is seen <!-- asks: memory-mask -->. The attribute
# `pad` keeps the number of the padding token; where that is not 0, word 0 is an ordinary word <!-- asks: pad-token -->.
# `dropout` acts once, on the sum of embedding and position <!-- asks: dropout-embeddings --> and reaches the blocks on both
# sides
# <!-- asks: dropout-blocks -->, in training only <!-- asks: train-eval -->.
#
# *padding*: a sentence gives the same result however much padding follows, in any batch <!-- asks: padding -->. A source of nothing but
# padding gives no NaN <!-- asks: masked-row -->.
#
# *the future*: in texts of any length <!-- asks: any-length -->. Each row of a batch is decoded from its own memory
# <!-- asks: rows -->, and padding behind a target changes nothing before it <!-- asks: target-padding -->.
# </details>
# <details><summary>Hint 1</summary>Two vocabularies: which of the three tables and matrices at the edges of the drawing belongs to which?</details>
# <details><summary>Hint 2</summary>A mask for source padding has to be broadcast over heads and over queries: (batch, 1, 1, seq_source). Two of the three attentions need it.</details>
# <details><summary>Hint 3</summary>A position table that moves with model.to(device) is a buffer: register_buffer.</details>
# <details><summary>Hint 4</summary>forward makes its mask from the source.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_transformer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Transformer(nn.Module):
    """Encoder and decoder, as in the 2017 paper."""

    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        ### BEGIN SOLUTION
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer(
            "positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        ### END SOLUTION

    def encode(self, source):
        """source: (batch, seq_source) -> memory: (batch, seq_source, d_model)"""
        ### BEGIN SOLUTION
        return self.encoder(
            self._embed(self.source_embedding, source), self._padding_mask(source))
        ### END SOLUTION

    def decode(self, target, memory, memory_mask=None):
        """target: (batch, seq_target) -> logits (batch, seq_target, target_vocab),
        cross-attention weights of the last block
        """
        ### BEGIN SOLUTION
        x, mask = (self._embed(self.target_embedding, target),
                   causal_mask(target.size(1), device=target.device))
        for block in self.blocks:
            x, _, cross_weights = block(x, memory, mask, memory_mask)
        return self.head(x), cross_weights
        ### END SOLUTION

    def forward(self, source, target):
        """source, target as above -> logits (batch, seq_target, target_vocab)"""
        ### BEGIN SOLUTION
        return self.decode(target, self.encode(source), self._padding_mask(source))[0]

    def _embed(self, embedding, ids):
        x = embedding(ids) * embedding.embedding_dim ** 0.5      # (batch, seq, d_model)
        # falls on the sum, as in the paper
        return self.dropout(x + self.positions[:ids.size(1)])

    def _padding_mask(self, source):
        return (source != self.pad)[:, None, None]           # (batch, 1, 1, seq_source)
        ### END SOLUTION

# %% tags=["uses-exercise"]
source, target = (
    torch.tensor([[3, 4, 5, 0], [6, 7, 8, 9]]), torch.tensor([[1, 2, 3], [1, 4, 5]]))
longer = torch.cat([source, torch.zeros(2, 5).long()], dim=1)       # five more paddings

def tried():
    model = Transformer(
        source_vocab=11, target_vocab=7, d_model=8, num_heads=2, num_layers=2).eval()
    memory, gap = model.encode(source), model(longer, target) - model(source, target)
    return [list(part.shape) for part in (memory, *model.decode(target, memory))], gap

# a vector for each word; a score for each of 7 words; 3 words written, 4 read
ab.beside([[2, 4, 8], [2, 3, 7], [2, 2, 3, 4]], lambda: tried()[0])
ab.beside(0.0, lambda: tried()[1].abs().max().item())     # padding changes nothing

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_values", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.3, values: one sentence without padding, and one word written."""
def silent_(model, source, target):
    """Several words written, none of which learns of another one."""
    with torch.no_grad():
        for block in model.blocks:
            block.self_attention.W_o.weight.zero_()
    return model(source, target)
def dropped_(model, ids):
    """The share of the numbers of both embeddings that have no slope."""
    (model(ids, ids) * torch.arange(7.0)).sum().backward()
    return [(table.weight.grad[ids] == 0).double().mean()
            for table in (model.source_embedding, model.target_embedding)]
def small_(**options):
    return ab.module(11, 7, 8, 2, 2, 12, pad=5, **options)
source_, three_ = torch.tensor([[3, 0, 4, 6]]), torch.tensor([[1, 2, 4]])
each_ = ab.case("three words written, each by itself", three_, three_, of=small_(),
                ask=silent_)
one_ = ab.case(
    "encode, decode with another memory, forward", look="parameters dtype values",
    of=small_(dtype=torch.float64), within=1e-6, steps=[
        ("encode", source_), ("decode", three_[:, :1], ab.numbers(1, 5, 8).double()),
        ("", source_, three_[:, :1]), ("pad",)])
ab.check("7.3 values", Transformer, [
    one_, each_,
    each_.but("Transformer(7, 11, 9, 3, 1)", args=(three_, three_ + 5),
              of=ab.module(7, 11, 9, 3, 1), look=("parameters", "values")),
    ab.case("513 words, max_len = 513", torch.ones(1, 513).long(),
            ask=lambda model, ids: model.encode(ids)[:, ::64],
            of=ab.module(3, 3, 2, 1, 1, max_len=513)),
    ab.case("the gradient", three_, three_[:, :1], of=ab.module(7, 4, 4, 2, 1),
            look="gradient"),
    *ab.house_rules(each_, only="inputs device"),
    *(one_.but(f"dropout = 1.0, training: {train}",
               of=small_(dropout=1.0, train=train, dtype=torch.float64))
      for train in (True, False)),
    ab.case("dropout = 0.5, it falls once on the sum: the share that is dropped",
            torch.arange(1, 7)[None], ask=dropped_, within=0.1,
            of=ab.module(7, 7, 99, 99, 1, 1, dropout=0.5)),
], "-> memory, logits, weights of cross-attention, logits of forward, pad")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.3 values", Transformer, [one_, *cases], like=reference("Transformer"))

def sized(*sizes, lengths=(4, 4), dtype=torch.float64, train=True, dropout=0.0,
          **about):
    source, target = ((ab.numbers(1, seq, seed=vocab) * 64).long() % (vocab - 1) + 1
                      for vocab, seq in zip(sizes, lengths))
    return ab.case(f"Transformer{sizes}, {lengths} words, dropout = {dropout}, "
                   f"training: {train}", source, target, of=ab.module(
                       *sizes, dtype=dtype, train=train, dropout=dropout),
                   within=1e-6 if dtype == torch.float64 else 1e-3, **about)

several = [(5, 13, 6, 3, 2), (29, 4, 10, 2, 1, 7), (11, 7, 15, 1, 2, 5)]
# Property: the logits are right for other sizes, in float64 and float32 [values]
tried(*(sized(*sizes, ask=silent_, train=n > 1) for n, sizes in enumerate(several)),
      *(sized(*sizes, lengths=(n + 2, 1), look="dtype values")
        for n, sizes in enumerate([*several, (67, 61, 64, 2, 1)])),
      sized(13, 11, 6, 3, 2, dtype=torch.float32, ask=silent_, look="dtype values"))
# Property: every parameter has the name and the shape that the exercise gives it [names]
tried(*(ab.case(f"Transformer{sizes}", of=ab.module(*sizes), look="parameters")
        for sizes in [(13, 7, 10, 5, 2), (5, 11, 9, 3, 3, 40)]))
# Property: a word that happens to have number 0 is not padding when pad is another number [pad-token]
zeros = torch.tensor([[3, 0, 0]])
tried(*(ab.case(f"pad = {pad}, a word with number 0", zeros, zeros[:, 1:2],
                steps=[("encode", zeros), ("", zeros, zeros[:, 1:2])],
                of=ab.module(13, 17, 6, 3, 2, pad=pad, train=train))
        for train, pad in ((True, 4), (False, -1))),
      ab.case("pad by default", of=ab.module(5, 7, 6, 3, 1), steps=[("pad",)]))
# Property: gradients reach every parameter [gradient]
tried(sized(11, 7, 10, 5, 2, 13, lengths=(5, 1), look="gradient"))
# Property: sentences up to max_len can be read and written [max-len]
tried(*(ab.case(f"{seq} words, {options}", torch.ones(1, seq).long(),
                torch.ones(1, seq).long(), of=ab.module(3, 3, 6, 3, 1, **options),
                ask=lambda model, *ids: [model.encode(ids[0])[:, -7:],
                                         silent_(model, *ids)[:, -7:]], within=1e-3)
        for seq, options in [(13, {"max_len": 13}), (601, {"max_len": 601}),
                             (512, {})]))
# Property: in evaluation mode dropout does nothing [train-eval]
tried(*(sized(*sizes, ask=silent_, train=False, dropout=0.5) for sizes in several[:2]))
# Property: dropout falls once on the sum of embedding and position, on both sides, and nowhere behind the blocks [dropout-embeddings]
def plain(width):
    """Blocks that add nothing; with its place every number of a word is 3."""
    word = (3 - torch.arange(width) % 2).expand(width, width) / width ** 0.5
    ones = [*(f"encoder.blocks.0.norm{n}" for n in (1, 2)),
            *(f"blocks.0.norm{n}" for n in (1, 2, 3))]
    return {"source_embedding": word, "target_embedding": word,
            "head": torch.eye(width), **dict.fromkeys(ones, torch.ones(width))}

def read_as(model, ids):
    """On either side: the share that is 0, how many different numbers a word has."""
    found, each = [], ids[:, None]
    for x in (torch.cat([model.encode(one) for one in each]),
              torch.cat([model(one, one) for one in each])):
        many = max(len(word.round(decimals=2).unique()) for word in x.flatten(0, 1))
        found += [(x < 0).double().mean(), many]
    return found

tried(ab.case("what the blocks read: the share that is dropped, how many different "
              "numbers (let dropout fall on the sum of embedding and position)",
              torch.ones(11, 1).long(), within=0.1, ask=read_as, of=ab.module(
                  200, 200, 200, 1, 1, 1, dropout=0.5, weights=plain(200))))
# Property: dropout reaches the blocks on both sides [dropout-blocks]
tried(*(sized(*sizes, ask=silent_, dropout=1.0) for sizes in several[1:]))
# Property: everything happens on the device of the input, also after the model was moved [device]
def moved(kind, source, target):
    """A model that has worked is moved to another device."""
    model = kind(11, 7, 8, 2, 1)
    model(torch.ones(1, 5).long(), torch.ones(1, 3).long())
    return model.to(source.device)(source, target)

tried(ab.case("moved, after a call", source_, three_, look="device", ask=moved),
      ab.case("on another device", source_, three_, look="device", of=small_()))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_padding", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.3, padding: the sentences of a batch, beside each one alone."""
def beside_(model, source, target, pad):
    """Of each sentence: decode, in the batch, and without padding, minus forward."""
    batch, found = model(source, target), []
    for row, one in enumerate(source[:, None]):
        said, real = target[row:row + 1], one != pad
        logits = model(one, said)
        found += [model.decode(said, model.encode(one), real)[0] - logits,
                  batch[row:row + 1] - logits, model(one[real][None], said) - logits]
    return found
five_ = torch.tensor([[1, 2, 6, 3, 4], [3, 2, 1, 5, 6]])
table_ = torch.tensor([[1, 1, 0, 0, 0], [0, 0, 1, 1, 0]]).bool()
padded_ = [
    ab.case(f"sentences of 3 and 5 words, pad = {pad}, training: {train}",
            torch.tensor([[3, 4, 5, pad, pad], [7, 8, 3, 2, 5]]), five_, pad,
            of=ab.module(11, 7, 8, 2, blocks, pad=pad, train=train), ask=beside_)
    for pad, train, blocks in ((0, True, 1), (0, False, 2), (9, True, 1))]
masked_ = [
    ab.case(f"memory_mask {mask if mask is None else tuple(mask.shape)}: what is seen",
            five_[:, :2], ab.numbers(2, 5, 8), mask, of=ab.module(11, 7, 8, 2, 1),
            ask=lambda model, *given: model.decode(*given)[1] > 0)
    for mask in (None, table_, torch.stack([table_, ~table_]), table_[:, None, None])]
ab.check("7.3 padding", Transformer, [*padded_, *masked_])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.3 padding", Transformer, [padded_[0], *cases],
             like=reference("Transformer"))

def batch(pad, vocab=13):
    """Sentences of 7, 5 and 3 words; no word is pad, and none is 0."""
    ids = (ab.numbers(3, 7, seed=pad) * 64).long() % (vocab - 2) + 1
    ids, ends = torch.where(ids == pad, vocab - 1, ids), 2 * torch.arange(3)[:, None]
    return torch.where(torch.arange(7) < 7 - ends, ids, pad)

said = (ab.numbers(3, 7, seed=5) * 64).long() % 6 + 1
# Property: in a batch of sentences of many lengths each gets what it gets alone, for any padding token [padding]
for pad, mode, *sizes in [(0, True, 6, 3, 3), (12, False, 12, 3, 1),
                          (9, True, 12, 3, 2)]:
    about = {"of": ab.module(13, 7, *sizes, pad=pad, train=mode), "ask": beside_}
    more = F.pad(batch(pad), (0, 3), value=pad)
    tried(ab.case("three sentences, three columns of padding", more, said, pad,
                  **about),
          ab.case("one of them alone", more[1:2], said[:1], pad, **about))
# Property: memory_mask may be broadcastable in any way [memory-mask]
tried(*(ab.case(f"memory_mask {shape}", said[:, :4], ab.numbers(3, 5, 6, seed=9),
                shape and ab.numbers(*shape, seed=len(shape)) > 0.3, ask=masked_[0].ask,
                of=ab.module(13, 7, 6, 3, 1, train=n % 2 == 0))
        for n, shape in enumerate([
            None, (5,), (4, 5), (1, 5), (4, 1), (3, 4, 5), (3, 1, 1, 5),
            (3, 3, 4, 5)])))
# Property: a source that is nothing but padding gives no NaN, in the value and in the gradient [masked-row]
def unknown(model, *ids):
    logits = model(*ids)
    logits.sum().backward()
    slopes = [p.grad.isnan().any() for p in model.parameters() if p.grad is not None]
    return [logits.isnan(), torch.stack(slopes).any()]

none = batch(0) * torch.tensor([[1], [0], [1]])
tried(*(ab.case("where is NaN?", none, said, ask=ask,
                of=ab.module(13, 7, 6, 3, 2, train=train))
        for train, ask in (
            (True, unknown),
            (False, torch.no_grad()(lambda model, *ids: model(*ids).isnan())))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_future", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.3, the future: which place changes where one word is another."""
def flows_(model, memory, source, target):
    """What changes, memory and logits, with a word; whether one alone sees itself."""
    def written(ids):
        return model.decode(ids, memory.expand(len(ids), -1, -1))[0]
    found = []
    for read, ids in ((model.encode, source), (written, target)):
        others = ids + torch.eye(ids.size(1)).long()
        found.append((read(others) - read(ids)).abs().amax(-1) > 1e-5)
    written(target[:, :1]).square().sum().backward()
    used = [one.self_attention.W_v.weight.grad.any() for one in model.blocks]
    return [*found, torch.stack(used).all()]
flowing_ = [
    ab.case(f"{n} words, {layers} blocks, training: {train}", ab.numbers(1, 3, 8),
            three_, torch.arange(n)[None] % 5 + 1, ask=flows_,
            of=ab.module(11, 7, 8, 2, layers, train=train))
    for n, layers in ((3, 1), (3, 2), (18, 1)) for train in (True, False)]
ab.check("7.3 future", Transformer, flowing_, "-> memory, logits, a word sees itself")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.3 future", Transformer, [flowing_[0], *cases],
             like=reference("Transformer"))

def rows(model, ids, memory, length):
    """How far each row alone, without the padding behind it, is from the batch's."""
    seen = torch.ones(1, 1, 1, memory.size(1), dtype=torch.bool)
    logits = model.decode(ids, memory, seen)[0]
    return [(model.decode(ids[row:row + 1, :length], memory[row:row + 1], seen)[0][0]
             - logits[row, :length]).abs().amax(-1) for row in range(len(ids))]

ids = (ab.numbers(3, 11, seed=17) * 64).long() % 8 + 1
for n, (width, heads, layers) in enumerate([(6, 3, 1), (6, 2, 3), (8, 4, 2)], 4):
    memory, training = ab.numbers(3, n, width, seed=n), n > 4
    of = ab.module(13, 17, width, heads, layers, train=training)
    # Property: place t depends on the words up to t and on no later one, for any number of blocks, in training mode, too [causal]
    tried(ab.case(f"7 words, {layers} blocks, training: {training}", memory[:1],
                  ids[:1, :1], ids[:1, :7], of=of, ask=flows_))
    # Property: the encoder reads in both directions [both-ways]
    tried(ab.case(f"{n} words of the source", memory[:1], ids[:1, :n],
                  ids[1:2, :1], of=of, ask=flows_))
    # Property: each row of a batch is decoded from its own memory [rows]
    tried(ab.case("three rows", ids[:, :4], memory, 4, ask=rows, of=of))
# Property: what follows a target as padding changes nothing, also with a padding token other than 0 [target-padding]
tried(*(ab.case(f"padding {pad} from place 2 on", torch.where(
    torch.arange(5) < 2, ids[:, :5], pad), memory, 2, ask=rows,
                of=ab.module(13, 17, 8, 4, 2, pad=pad)) for pad in (0, 12)))
# Property: the past is seen whole and the future is hidden in long texts, too [any-length]
tried(ab.case("83 words", ab.numbers(1, 2, 6), ids[:1, :2],
              torch.arange(83)[None] % 7 + 1, ask=flows_,
              of=ab.module(13, 17, 6, 3, 1)))
### END HIDDEN TESTS

# %% [markdown]
# ## 7.6 Learning to translate
#
# The Transformer has two blocks on either side, two heads and 48 features; data, `train` and the 400 steps are those of 7.2.

# %% tags=["uses-exercise"]
def new_translator():
    torch.manual_seed(7)
    model = Transformer(len(GERMAN), len(ENGLISH), d_model=48, num_heads=2,
                        num_layers=2, d_ff=96, pad=PAD)
    return model.to(device)

for model in (OneVector(len(GERMAN), len(ENGLISH), 128), new_translator()):
    print(f"numbers to learn: {sum(p.numel() for p in model.parameters()):,}",
          type(model).__name__)

# %% [markdown]
# Every 25 steps we note how many held-out sentences the Transformer gets right, and where its heads look in "kannst du mir helfen".

# %% tags=["show", "uses-exercise", "tolerance-0.1"]
example = ("kannst du mir helfen".split(), "can you help me".split(), [0, 1, 3, 2])
example_data, curve, looks = to_tensors([example]), {}, {}

def look_on(step, model):
    curve[step] = [exact(model, data) for data in by_clauses]
    with torch.no_grad():
        source, target, _ = example_data
        heads = model.decode(target[:, :-1], model.encode(source))[1][0]     # (2, 5, 4)
        looks[step] = heads.mean(dim=0).cpu()

translator = new_translator()
train(translator, watch=look_on)
translator.eval()
print(f"of 500 held-out sentences exactly right: {exact(translator, test_data):.2f}")

# %% tags=["show", "uses-exercise"]
# @title Two ways to learn to translate
fig, axes = plt.subplots(1, 2, figsize=(7.2, 2.7), sharey=True)
for clauses, (ax, name) in enumerate(zip(axes, ["one clause", "two clauses"])):
    for found, label in [(curve, "Transformer"), (recurrent, "one vector of 128")]:
        ax.plot(list(found), [shares[clauses] for shares in found.values()], "o-",
                markersize=3, label=label)
    ax.set(xlabel="training step", title=name, ylim=(-0.03, 1.05))
axes[0].set_ylabel("share exactly right")
axes[1].legend(frameon=False, loc="lower right")
fig.suptitle("One vector is as quick with short sentences, and slower with long ones",
             fontsize=10)
show(fig, "Two panels, the share of held-out sentences translated exactly against the "
          "training step. The Transformer's curve is close to 1 after about 150 to 250 "
          "steps for one clause and for two. The curve of the network with one vector "
          "is close to 1 after 200 steps for one clause, and at 0.7 to 0.85 after "
          "400 for two.")

# %% [markdown]
# (The model with one vector was trained at the higher rate of section 7.2, which suits it
# better.) The two models differ in more than the memory. So we gave the recurrent pair an attention over all states of its
# reader, and averaged the Transformer's memory to one vector. Each cell gives the share of two-clause sentences exactly
# right after 400 steps, first at a peak rate of 0.003, then of 0.01 ([trained here](deeper.ipynb), "Is it the vector for
# each word?"):
#
# | | one vector | a vector for each word |
# | --- | --- | --- |
# | recurrent | 0.2 to 0.35, 0.7 to 0.85, by seed | all, all |
# | Transformer | about 0.3, about 0.8 | all, all |
#
# So the memory makes the difference, not the kind of network. The Transformer's advantage is that it reads all words at once
# (chapter 1).

# %% [markdown]
# ## 7.7 Writing word by word
#
# In use there is no right translation to read. The model gets `<bos>`, writes the likeliest word, reads it back, and writes the next: **greedy decoding**.

# %% [markdown]
# Two words by hand, with PyTorch's own untrained Transformer as the writer:

# %%
stand_in = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True)
table, head = nn.Embedding(len(ENGLISH), 8), nn.Linear(8, len(ENGLISH))
read = torch.randn(1, 4, 8)                    # a source of four words, read once
written = torch.tensor([[BOS]])
for _ in range(2):
    logits = head(stand_in.decoder(table(written), read))          # (1, so far, vocab)
    best = logits[:, -1].argmax(dim=-1)                          # the last place is new
    written = torch.cat([written, best[:, None]], dim=1)
    print(tuple(logits.shape), "->", tuple(written.shape))

# %% [markdown]
# In a batch the sentences do not end at the same time. A row that has said `<eos>` is given `<eos>` again and again, while the
# others go on: `can you help me <eos> <eos>` above `he must see us tomorrow <eos>`.
#
# ### Exercise 7.4 · Greedy translation · 2 points · about 12 minutes
#
# Translate a batch word by word: append the likeliest next word to each row, until every row has its `eos` or `max_len` words
# are written. One point each for
#
# - *the words*: each sentence goes through `encode` **once**, however many words are written <!-- asks: reads-once -->; each
#   word is the likeliest one after those that are written <!-- asks: values -->;
# - *the end*: return the words without `bos`; behind the first `eos` of a row stands nothing but `eos`. There are as many columns as the longest
#   translation has words and its `eos`, at most `max_len` <!-- asks: end -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# A sentence is translated in a batch as it is alone <!-- asks: rows -->. Use only `encode`, `decode` and `pad` of the model,
# which need not be your `Transformer`; keep nothing on it, and leave it in evaluation mode. `bos`, `eos` and `pad` may be any
# numbers, `bos` and `eos` even the same. The [house rules](#house-rules) hold <!-- asks: device -->.
# </details>
# <details><summary>Hint 1</summary>What must be handed to decode so that the padding of the source stays hidden? You wrote the same line in forward.</details>
# <details><summary>Hint 2</summary>Keep a boolean per row: has it ended? A row that has ended writes eos, whatever the model says.</details>
# <details><summary>Hint 3</summary>Update that boolean after the word is chosen; ask whether all rows have ended after the word is appended.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_greedy_translate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def greedy_translate(model, source, bos, eos, max_len):
    """Translate a batch, each time with the likeliest next word.

    source: (batch, seq_source) ids   bos, eos: ids of the marks
    max_len: most words to write
    Returns ids (batch, at most max_len), without bos; after its first eos a row holds
    nothing but eos.
    """
    ### BEGIN SOLUTION
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    written = torch.full((source.size(0), 1), bos, device=source.device)    # (batch, 1)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= max_len and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1).masked_fill(ended, eos)           # (batch,)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return written[:, 1:]
    ### END SOLUTION

# %% tags=["uses-exercise"]
class Twin(nn.Module):
    """A writer that says 5, then 6, then the mark of the end, whatever it reads."""

    pad = 0

    def encode(self, source):
        return source

    def decode(self, target, memory, memory_mask=None):
        return (F.one_hot(torch.tensor([5, 6, 2, 2, 2]))[None, :target.size(1)].float(),
                None)

ab.beside([[5, 6, 2]], lambda: greedy_translate(
    Twin(), torch.tensor([[7, 8, 9]]), bos=1, eos=2, max_len=10))

# %% nbgrader={"grade": true, "grade_id": "ch07_greedy_translate_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.4, the words: a writer whose every word depends on all that it reads."""
class Writer_(nn.Module):
    """Adds up the source words that it sees and the words so far, and says a number."""
    def __init__(self, pad=0, vocab=7):
        super().__init__()
        self.pad, self.vocab, self.rows_read = pad, vocab, 0
        self.unused = nn.Parameter(torch.zeros(()))
    def encode(self, source):
        self.rows_read += len(source)
        return source[..., None].float()                        # (batch, seq_source, 1)
    def decode(self, target, memory, memory_mask=None):
        seen = torch.ones(1).bool() if memory_mask is None else memory_mask
        seen = seen.expand(len(memory), 1, target.size(1), memory.size(1))
        places = torch.arange(99, device=memory.device)
        total = torch.where(seen[:, 0], memory.mT + 1, 0).sum(-1) + (
            (target + 1) * places[1:target.size(1) + 1]).cumsum(-1)       # (batch, seq)
        said = total ** 2 // 5 % self.vocab
        return -(said[..., None] - places[:self.vocab]).abs(), seen
    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None]
        return self.decode(target, self.encode(source), mask)[0]
def words_(translate, source, bos=1, eos=2, pad=0, vocab=7):
    rows = translate(Writer_(pad, vocab).eval(), source, bos, eos, 30).tolist()
    return str([row[:row.index(eos)] if eos in row else row for row in rows])
def used_(translate, source):
    writer = Writer_().eval()
    translate(writer, source, 1, 2, 30)
    more = sorted(set(vars(writer)) - set(vars(Writer_())))
    return (f"rows given to encode: {writer.rows_read}, training mode: "
            f"{writer.training}, set on the model: {more}")
def elsewhere_(translate, source):
    try:
        with torch.device("meta"):              # for what is made without device=…
            return words_(translate, source)
    except NotImplementedError as error:
        if "copy out of meta" not in str(error):    # moved to the source: that is right
            raise
        return words_(translate, source)
source_ = torch.tensor([[4, 3, 0, 0], [5, 4, 3, 6], [3, 0, 0, 0]])
one_ = ab.case("sentences of 2, 4 and 1 words", source_, ask=words_, hint=(
    "Each word is the likeliest, argmax, at the last place, row by row. Use only "
    "encode, decode and pad: nothing is set on the model."))
ab.check("7.4 words", greedy_translate, [
    one_,
    ab.case("one sentence, with its padding", torch.tensor([[3, 5, 0]]), ask=words_),
    ab.case("pad = 6, bos = 4, eos = 5", torch.tensor([[3, 3, 1], [3, 0, 6]]), 4, 5, 6,
            ask=words_),
    ab.case("bos = 2 and eos = 2", source_, 2, 2, ask=words_),
    ab.case("what is done with the model", source_, ask=used_),
    one_.but("the source stays as it is", look=("inputs",)),
    ab.case("the source on another device", Writer_().eval(), source_, 1, 2, 30,
            look="device"),
    one_.but("new tensors go elsewhere, as beside a GPU", ask=elsewhere_,
             hint="Give device=source.device."),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("7.4 words", greedy_translate, [one_, *cases],
             like=reference("greedy_translate"))

def sentences(batch, seq, vocab, pad):
    words = (ab.numbers(batch, seq, seed=batch) * 64).long() % (vocab - 1) + pad + 1
    ends = torch.arange(batch)[:, None] % seq                    # row 0 has no padding
    return torch.where(torch.arange(seq) < seq - ends, words % vocab, pad)

# Property: right words for any batch, any marks, any padding token, and any length [values]
tried(*(ab.case(f"{batch} sentences, bos {bos}, eos {eos}, pad {pad}",
                sentences(batch, seq, vocab, pad), bos, eos, pad, vocab, ask=words_)
        for vocab, pad, bos, eos, batch, seq in [
            (10, 0, 1, 2, 5, 4), (7, 6, 5, 0, 7, 3), (9, 3, 0, 8, 1, 6),
            (10, 1, 2, 9, 3, 5), (5, 0, 3, 4, 11, 5), (7, 0, 2, 2, 5, 4)]))
# Property: encode is given each sentence once, however many words are written [reads-once]
tried(*(ab.case(f"{batch} sentences", sentences(batch, 3, 7, 0), ask=used_)
        for batch in (1, 2, 7)))
# Property: a sentence is translated in a batch as it is alone [rows]
batch = sentences(5, 5, 7, 0)
tried(ab.case("five sentences", batch, ask=words_),
      *(ab.case(f"sentence {row} alone", batch[row:row + 1, :5 - row], ask=words_)
        for row in range(5)))
# Property: what is written lives where the source lives [device]
tried(ab.case("on another device", Writer_().eval(), source_, 1, 2, 15, look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch07_greedy_translate_check_end", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 7.4, the end: every row to its eos, and max_len words at most."""
def all_(translate, source, max_len, vocab=7):
    return str(translate(Writer_(0, vocab).eval(), source, 1, 2, max_len).tolist())
source_ = torch.tensor([[4, 3, 0, 0], [5, 4, 3, 6], [3, 0, 0, 0]])
ab.check("7.4 end", greedy_translate, [
    ab.case(f"{len(source)} sentences, max_len {max_len}", source, max_len, ask=all_)
    for source, max_len in [(source_, 30), (source_, 1), (source_, 5),
                            (source_[1:2], 9)]
])
### BEGIN HIDDEN TESTS
# Property: as many columns as the longest row has words, at most max_len, and nothing but eos behind an eos, for any marks [end]
ab.check("7.4 end", greedy_translate, [
    ab.case("three sentences", source_, 30, ask=all_),
    *(ab.case(f"{batch} sentences, max_len {max_len}",
              ab.numbers(batch, 3, seed=batch).abs().long() + 1, max_len, vocab,
              ask=all_)
      for vocab, batch, max_len in [(10, 5, 12), (7, 7, 9), (5, 1, 11), (9, 3, 3)])
], like=reference("greedy_translate"))
### END HIDDEN TESTS

# %% [markdown]
# Now the trained model writes alone.

# %% tags=["show", "uses-exercise"]
def translate(text):
    """English words, cross-attention weights (heads, English words, German words)."""
    source = torch.tensor([[german_ids[word] for word in text.split()]], device=device)
    with torch.no_grad():
        written = greedy_translate(translator, source, BOS, EOS, max_len=20)
        read_back = F.pad(written[:, :-1], (1, 0), value=BOS)
        weights = translator.decode(read_back, translator.encode(source))[1][0].cpu()
    words = [ENGLISH[i] for i in written[0] if i != EOS]
    return words, weights[:, :len(words)]

for text in ["kannst du mir helfen", "du kannst mir helfen", "sie kann sie sehen",
             "morgen werde ich Tom treffen weil er uns hier rufen muss"]:
    print(f"{text}\n    {' '.join(translate(text)[0])}")

# %% [markdown]
# A question and a statement of the same words are kept apart; "sie" becomes first "she", then "her".

# %% [markdown]
# `exact` counted guesses *after the right words*; now the model reads its own words. The number of right sentences stays the same,
# because up to the first mistake both read the same words. But a model that writes alone continues from its mistake
# ([measured](deeper.ipynb), "On its own words").

# %% [markdown]
# ## 7.8 Caught looking
#
# When the model is about to write "help", where does it look? These are the cross-attention weights of the last block. A row
# belongs to the word *being written*: the decoder has just read the word before it.

# %% tags=["show", "uses-exercise"]
# @title Where two heads look
text = "kannst du mir helfen"
words, weights = translate(text)
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3.2))
for ax, matrix, title in zip(
        axes, [*weights, weights.mean(dim=0)], ["head 0", "head 1", "both, averaged"]):
    draw_matrix(ax, matrix, words, text.split(), title, limits=(0, 1))
    ax.set_xlabel("German word looked at")
axes[0].set_ylabel("word being written")
fig.suptitle("Two English words cross over to find their German ones", fontsize=10)
show(fig, "Three heatmaps of cross-attention weights for 'can you help me' against "
          "'kannst du mir helfen': head 0, head 1 and their average. In the average "
          "'can' looks at 'kannst', 'you' at 'du', 'help' at 'helfen' in the last "
          "column, and 'me' at 'mir' in the third.")

# %% [markdown]
# "help" looks at "helfen", at the end, and "me" at "mir". Nobody has told the model.

# %% [markdown]
# The next figure averages the two heads during training; at step 0 the weights mean nothing yet:

# %% tags=["show", "uses-exercise"]
# @title The weights at four moments of the training
fig, axes = plt.subplots(1, 4, figsize=(7.2, 2.6), sharey=True, layout="constrained")
for ax, step in zip(axes, (0, 100, 200, 400)):
    image = draw_matrix(ax, looks[step][:4], words, text.split(), f"step {step}",
                        limits=(0, 1), digits=None)
fig.colorbar(image, ax=list(axes), label="weight", shrink=0.8)
fig.suptitle("The alignment grows out of a blur", fontsize=10)
show(fig, "Four heatmaps of averaged cross-attention for 'can you help me' at training "
          "steps 0, 100, 200 and 400: spread over all words at first, then gathering "
          "until each English word looks at its German one.")

# %% [markdown]
# <!-- interactive page -->
#
# On the interactive page you can cover one German word at a time.

# %% [markdown]
# One sentence proves little. For what share of the words of all 500 held-out sentences does the largest weight fall on the right
# German word? The control always looks at the German word in the same place.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
source, target, alignment = test_data
is_word = alignment >= 0                                       # (batch, seq_target - 1)
with torch.no_grad():
    weights = translator.decode(
        target[:, :-1], translator.encode(source), (source != PAD)[:, None, None])[1]
same_place = torch.arange(alignment.size(1), device=device).expand_as(alignment)
for name, looked_at in [
        ("control, same place", same_place), ("head 0", weights[:, 0].argmax(dim=-1)),
        ("head 1", weights[:, 1].argmax(dim=-1)),
        ("both, averaged", weights.mean(dim=1).argmax(dim=-1))]:
    print(f"{name:20} {(looked_at == alignment)[is_word].float().mean():.2f}")

# %% [markdown]
# ### What breaks if a word is hidden?
#
# Large weights do not prove that the model *uses* what it looks at. So we intervene. For each word about to be written, we
# hide one German word from cross-attention: first its own, with which it is aligned; then the runner-up, the one with the
# largest weight among the others. The encoder has read the whole sentence.
#
# **Predict, then run.** With nothing hidden, nearly all words are right. What share is still right when each word's own German
# word is hidden?

# %% tags=["show"]
guess_hidden = None          # type a number between 0 and 1, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def right_without(hidden):
    """Share of words right when each word's query may not see the place `hidden`."""
    places = torch.arange(source.size(1), device=device)
    # (batch, seq_target - 1, seq_source)
    mask = (source != PAD)[:, None] & (places != hidden[..., None])
    with torch.no_grad():
        guesses = translator.decode(
            target[:, :-1], translator.encode(source), mask[:, None])[0].argmax(dim=-1)
    return (guesses == target[:, 1:])[is_word].float().mean().item()

own = alignment.clamp(min=0)
others = weights.mean(dim=1).scatter(2, own[..., None], -1)      # its own word: last
check_guess("share right without their own word", guess_hidden, right_without(own))
print(f"nothing hidden: {right_without(torch.full_like(own, -1)):.2f}   the word with "
      f"the next largest weight: {right_without(others.argmax(dim=-1)):.2f}")

# %% [markdown]
# With the runner-up hidden, nothing changes. With its own word hidden, about a tenth of the words are right (two more seeds say
# the same), although in the encoder all vectors had attended to one another. So this model does fetch a word from where its largest
# weight lies. In larger models this need not be so; only an intervention can tell. <!-- told -->
#
# A warning: what can be *read* in a vector need not be *used*. A linear map can tell from the memory's vector of "sie" whether it
# means "she" or "her". But when we exchange these vectors between "she" and "her" sentences, the translations stay the same ([tested](deeper.ipynb), "Read, and not used").
#
# ### Make it yours
#
# Write German sentences from the words in 7.1, also in orders that no German would use. Describe where the model looks; then
# try to refute that with a second sentence.

# %% tags=["uses-exercise", "show", "nbval-ignore-output"]
my_sentences = ["helfen mir du kannst", "kannst du mir mir helfen"]
my_description = "…"
for text in my_sentences:
    words, weights = translate(text)
    looked_at = [text.split()[i] for i in weights.mean(dim=0).argmax(dim=-1)]
    print(text, "->", " ".join(map("{} ({})".format, words, looked_at)))
print("what I saw:", my_description)

# %% [markdown]
# ## Summary
#
# How does it find "helfen"? The words written so far make a query, each German word a key and a value; softmax puts nearly
# all of the weight on "helfen", whose value brings the verb. You can now
#
# - compare fairly a network that squeezes a sentence into one vector with one that keeps a vector for each word:
#   one vector learns slowly, a vector for each word quickly (7.2, 7.6)
# - build the Transformer of 2017 from blocks that you know, and keep its three attentions and their masks apart: who asks, who
#   answers, what is hidden (7.3 to 7.5)
# - train it on right answers, let it write alone, and test whether its cross-attention is an alignment: without its own German
#   word hardly any word is still right (7.6 to 7.8)

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next.** The encoder alone became BERT. The decoder alone, without cross-attention, became GPT: it only predicts what
# comes next. Chapter 8 builds it in full size, loads real weights into it, and lets it write.
#
# ## Further reading
#
# - Sutskever, Vinyals and Le, *Sequence to Sequence Learning with Neural Networks* (2014), section 2: one vector for a sentence.
# - Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align and Translate* (2014), section 3 and
#   figure 3: the first attention and alignments of this kind.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3 with figure 1. It also shares one table among embeddings and
#   last layer, smooths the labels, and searches with a beam of four.
# - Rush et al., *The Annotated Transformer* (2018): the same paper, line by line.
# - Jain and Wallace, *Attention is not Explanation* (2019), section 4, and Wiegreffe and Pinter, *Attention is not not
#   Explanation* (2019): how far weights may be trusted.
# - Raffel et al., *Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer* (2020), section 2.1: the
#   encoder–decoder in today's use.
