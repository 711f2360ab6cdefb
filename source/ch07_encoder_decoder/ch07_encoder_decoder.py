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
# *90 minutes · 4 exercises, 11 points · you need chapters 4 to 6*
#
# > kannst du mir **helfen**
# >
# > can you **help** me
#
# A German sentence may keep its verb for the very end. An interpreter who has said "can you" must now say "help", and the word
# that she needs stands at the far end of another sentence in another language. In a minute you will train a
# model that does this. Nobody tells it which word belongs to which: it sees pairs of sentences, and that is all. **When it is about
# to write "help", how does it find "helfen", and can we catch it looking?**
#
# It was for this task, translation, that the Transformer was made in 2017. You have almost all of it; one attention, from one sentence to the
# other, is missing.
#
# **After this chapter you can**
#
# - say why one vector for a whole sentence is too little, and measure it;
# - build an encoder, a decoder with cross-attention, and the Transformer of the 2017 paper from them;
# - keep its three attentions and their masks apart;
# - train it with the right answers as its input, and let it translate without them, word by word;
# - read the alignment of two sentences out of its cross-attention, and check that it is one.

# %% tags=["setup"]
import math

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(7)
torch.set_num_threads(1)                # matrices as small as ours are faster on one thread
torch.set_printoptions(precision=4, sci_mode=False)

# %% [markdown]
# From chapter 1 come the helpers that draw, from chapter 3 the causal mask, from chapter 4 `MultiHeadAttention`, from chapter 5 the table of
# positions, from chapter 6 the feed-forward network.

# %% carry=["ch01_why_attention: OKABE_ITO, STYLE, show, draw_matrix", "ch03_masks: causal_mask", "ch04_multi_head: MultiHeadAttention", "ch05_positions: sinusoidal_encoding", "ch06_block: FeedForward"]
plt.rcParams.update(STYLE)

# %% [markdown]
# ## 7.1 A language made to measure
#
# We want to know afterwards what the model has learned, so we make the language ourselves: a corner of German, small and correct. These
# are all its words. A verb in the second row asks for the dative ("ich sehe dich", but "ich helfe dir"), and every modal verb has a form for
# "ich", for "du", for "er", "sie" or a name, and for "wir".

# %%
def entries(text):
    return [tuple(entry.split()) for entry in text.split(", ")]

SUBJECTS = entries("ich I, du you, er he, sie she, wir we, Anna Anna, Tom Tom, Paul Paul")
OBJECTS = entries("mich mir me, dich dir you, ihn ihm him, sie ihr her, uns uns us, Anna Anna Anna, Tom Tom Tom, Paul Paul Paul")
VERBS = entries("sehen see, hören hear, finden find, fragen ask, rufen call, treffen meet, "
                "helfen help, folgen follow, danken thank, glauben believe")                      # the last four: dative
MODALS = entries("kann kannst kann können can, muss musst muss müssen must, soll sollst soll sollen should, "
                 "darf darfst darf dürfen may, werde wirst wird werden will")
ADVERBS, LINKS = entries("heute today, morgen tomorrow, hier here, jetzt now"), entries("weil because, wenn if, obwohl although")

# %% [markdown]
# The order of the words is the whole grammar: **S**ubject, **M**odal, **O**bject, **V**erb, perhaps an **A**dverb; in front of a subordinate clause a
# **L**ink such as "weil". Each kind of clause is two strings, one per language. In German the verb goes last, except in a
# subordinate clause: there the modal overtakes it.

# %%
ORDERS = {                         # German, English
    "statement":    ("SMOAV", "SMVOA"),
    "question":     ("MSOAV", "MSVOA"),
    "adverb first": ("AMSOV", "SMVOA"),
    "subordinate":  ("LSOAVM", "LSMVOA"),
}

def arrange(kind, parts):
    """German words, English words, and for each English word the place of the German one that it comes from."""
    german, english = ([letter for letter in order if letter in parts] for order in ORDERS[kind])
    return [parts[p][0] for p in german], [parts[p][1] for p in english], [german.index(p) for p in english]

parts = {"S": ("du", "you"), "M": ("kannst", "can"), "O": ("mir", "me"), "V": ("helfen", "help")}
for kind in ("question", "statement"):
    print(*arrange(kind, parts), sep="   ")

# %% [markdown]
# The list of numbers is the **alignment**: "help", the third English word, comes from German word 3 (counted from 0). We know it because we
# made the language. *The model will never see it*; at the end we compare.
#
# Now clauses at random. (One in eight combinations of subject, object and verb is held out for the test: see below.)

# %%
def pick(options, generator):
    return options[torch.randint(len(options), (), generator=generator).item()]

def random_clause(kind, generator, held_out):
    while True:                                                 # who does what to whom
        s, o, v = (torch.randint(n, (), generator=generator).item() for n in (len(SUBJECTS), len(OBJECTS), len(VERBS)))
        if s != o and {s, o} != {0, 4} and ((s + 3 * o + v) % 8 == 0) == held_out:      # not "we see me"
            break
    modal = pick(MODALS, generator)
    parts = {"S": SUBJECTS[s], "M": (modal[{0: 0, 1: 1, 4: 3}.get(s, 2)], modal[-1]),
             "O": (OBJECTS[o][v >= 6], OBJECTS[o][-1]), "V": VERBS[v], "L": pick(LINKS, generator)}
    if kind == "adverb first" or pick([True, False], generator):
        parts["A"] = pick(ADVERBS, generator)
    return arrange(kind, parts)

# %% [markdown]
# A sentence is a main clause, and every second time a subordinate one follows it. 8,000 pairs to learn from, 500 for the test:

# %%
def random_pair(generator, held_out=False, clauses=None):
    """German words, English words, alignment."""
    german, english, alignment = random_clause(pick(list(ORDERS)[:3], generator), generator, held_out)
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
# The test sentences are new in a strong sense. Of all combinations of subject, object and verb one in eight is held out, and a test sentence has only such clauses:
# the model will never have read that *this* one does *this* to *that* one. Let us count, and then try the cheapest of all translators, a
# dictionary that goes from left to right:

# %%
def clauses_of(pairs):
    """(subject, verb, object) of every clause, read off the English side; a question begins with its modal."""
    found, modals, links = set(), {modal[-1] for modal in MODALS}, {link[-1] for link in LINKS}
    for _, english, _ in pairs:
        starts = [0] + [i + 1 for i, word in enumerate(english) if word in links]
        found |= {(english[i + (english[i] in modals)], *english[i + 2:i + 4]) for i in starts}
    return found

print("clauses in training:", len(clauses_of(train_pairs)), "  shared with the test:", len(clauses_of(train_pairs) & clauses_of(test_pairs)))

dictionary = {german[place]: word for german, english, alignment in train_pairs for word, place in zip(english, alignment)}
print(" ".join(dictionary[word] for word in "kannst du mir helfen".split()))
right = sum([dictionary[word] for word in german] == english for german, english, _ in test_pairs)
print(f"test sentences that the dictionary gets right: {right} of {len(test_pairs)}")

# %% [markdown]
# "can you me help". Every word is right and no sentence is. (And some words cannot be right: "sie" is "she" in one place and "her" in
# another.) Last, words become numbers. Sentences of different lengths share a batch, so the shorter ones are padded.
# An English sentence is put between two marks that say where it begins and ends.

# %%
PAD, BOS, EOS = 0, 1, 2
GERMAN = ["<pad>"] + sorted({word for pair in train_pairs for word in pair[0]})
ENGLISH = ["<pad>", "<bos>", "<eos>"] + sorted({word for pair in train_pairs for word in pair[1]})
german_ids, english_ids = ({word: i for i, word in enumerate(words)} for words in (GERMAN, ENGLISH))

def to_tensors(pairs):
    """source (batch, seq_source); target (batch, seq_target) with both marks; alignment (batch, seq_target - 1), -1: none."""
    rows = [[[german_ids[word] for word in german], [BOS] + [english_ids[word] for word in english] + [EOS], alignment + [-1]]
            for german, english, alignment in pairs]
    source, target, alignment = ([torch.tensor(row) for row in column] for column in zip(*rows))
    pad = nn.utils.rnn.pad_sequence
    return (pad(source, batch_first=True).to(device), pad(target, batch_first=True).to(device),
            pad(alignment, batch_first=True, padding_value=-1).to(device))

train_data, test_data = to_tensors(train_pairs), to_tensors(test_pairs)
print("source", tuple(train_data[0].shape), "  target", tuple(train_data[1].shape), "  words:", len(GERMAN), len(ENGLISH))
print("first target:", " ".join(ENGLISH[i] for i in train_data[1][0]))

# %% [markdown]
# ## 7.2 One vector for a whole sentence
#
# Ten years ago a neural translator was a pair of recurrent networks. The **encoder** reads the sentence word by word; the state it ends in is handed to the **decoder**, which
# writes the translation from it. All that the writer ever knows of the sentence is that one vector.

# %%
class OneVector(nn.Module):
    """Two recurrent networks; a single vector goes from the one that reads to the one that writes."""

    def __init__(self, source_vocab, target_vocab, d_model):
        super().__init__()
        self.source_embedding, self.target_embedding = nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model)
        self.reader = nn.GRU(d_model, d_model, batch_first=True)
        self.writer = nn.GRU(d_model, d_model, batch_first=True)
        self.head = nn.Linear(d_model, target_vocab)

    def forward(self, source, target):                                          # (batch, seq_source), (batch, seq_target)
        states, _ = self.reader(self.source_embedding(source))                  # (batch, seq_source, d_model)
        last = (source != PAD).sum(dim=1) - 1
        summary = states[torch.arange(len(source), device=source.device), last]  # (batch, d_model): the bottleneck
        written, _ = self.writer(self.target_embedding(target), summary[None])  # (batch, seq_target, d_model)
        return self.head(written)                                               # (batch, seq_target, target_vocab)

# %% [markdown]
# How is a writer trained? It is given the *right* translation as far as it should have come, and asked for the next word, at all places at
# once: **teacher forcing**. Its input is the target without its last token, the answers are the target without its first:

# %%
target = train_data[1][0]
target = target[target != PAD]
print("reads:    ", "  ".join(f"{ENGLISH[i]:8}" for i in target[:-1]))
print("must say: ", "  ".join(f"{ENGLISH[i]:8}" for i in target[1:]))

# %% [markdown]
# The same function trains this model now and your Transformer later. It warms the learning rate up and lets it fall again, and it starts all
# matrices from small random numbers (Xavier's rule), so that both models start alike. `watch` is called every 25 steps, for those who
# want to look on.

# %%
def train(model, steps=400, batch=64, peak=3e-3, warmup=50, watch=None):
    torch.manual_seed(7)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warmup, 0.01 + 0.99 * (1 + math.cos(math.pi * step / steps)) / 2))
    generator = torch.Generator().manual_seed(7)
    for step in range(steps + 1):
        if watch is not None and step % 25 == 0:
            watch(step, model)
        if step == steps:
            return
        rows = torch.randint(len(train_data[0]), (batch,), generator=generator).to(device)
        source, target = (ids[rows][:, :(ids[rows] != PAD).sum(dim=1).max()] for ids in train_data[:2])
        logits = model(source, target[:, :-1])                                  # (batch, seq_target - 1, target_vocab)
        loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()

# %% [markdown]
# And how is it judged? A sentence counts only if it is *exactly* right, every word and the end. We need not even let the
# model write by itself: if its best guess is right at each place when all words before are right, then it would have written those words, too.

# %%
@torch.no_grad()
def exact(model, data):
    """Share of sentences that come out right from the first word to the end mark."""
    source, target, _ = data
    guesses = model(source, target[:, :-1]).argmax(dim=-1)                      # (batch, seq_target - 1)
    return ((guesses == target[:, 1:]) | (target[:, 1:] == PAD)).all(dim=1).float().mean().item()

by_clauses = [to_tensors([random_pair(torch.Generator().manual_seed(70 + seed), held_out=True, clauses=n) for seed in range(300)])
              for n in (1, 2)]
print("words in a test sentence:", [sorted(set((source != PAD).sum(dim=1).tolist())) for source, _, _ in by_clauses])

# %% tags=["show"]
one_vector = OneVector(len(GERMAN), len(ENGLISH), d_model=128).to(device)
train(one_vector)
narrow = [exact(one_vector, data) for data in by_clauses]
print("one clause:  more than a quarter of the sentences exactly right:", narrow[0] > 0.25)
print("two clauses: more than one in twenty exactly right:             ", narrow[1] > 0.05)

# %% [markdown]
# With one clause it gets along, more or less. With two, ten words must pass through the same vector, and hardly a sentence survives. It would get better with more
# training and with a larger vector; but a vector of fixed size will always be too small for some sentence. The cure: do not sum up. Keep a vector
# for *each* word, and let the writer look up what it needs when it needs it. In 2015 this was built into recurrent networks, and it was the first attention of
# this kind. In 2017 the recurrent networks were left out.

# %% [markdown]
# ## 7.3 The reader
#
# The encoder turns the source sentence into one vector per word, the **memory**. It is a stack of blocks you know, in the form of the 2017
# paper: the post-norm block of chapter 6 with ReLU and biases. With $h$ for what stands between the two halves:
#
# $$h = \mathrm{norm}_1\big(x + \mathrm{attention}(x)\big) \qquad y = \mathrm{norm}_2\big(h + \mathrm{feed\_forward}(h)\big)$$
#
# No word of the source is a secret, so all words see each other and nothing is masked except padding. Why does it need this at all? Look at the two "sie" in
# "sie kann sie sehen". A table of embeddings gives them one vector:

# %%
words = "sie kann sie sehen".split()
table = nn.Embedding(len(GERMAN), 48)
x = table(torch.tensor([[german_ids[word] for word in words]])).detach()          # (1, 4, 48)
print("alike before reading:              ", torch.equal(x[0, 0], x[0, 2]))

layer = nn.TransformerEncoderLayer(48, 2, 96, dropout=0.0, batch_first=True)      # PyTorch's encoder block, untrained
read = layer(x + sinusoidal_encoding(4, 48)).detach()
print("alike after one block, with places:", torch.allclose(read[0, 0], read[0, 2], atol=0.1))

# %% [markdown]
# After the encoder there is a "sie" in first place and a "sie" in third place, and each has had a look at its neighbours. The places alone would make
# the two differ, but they would not be enough: in "heute kann sie uns sehen" the "sie" in third place is a "she". Only the neighbours tell, and only
# so can a single look at the right vector tell the writer whether "she" or "her" is meant.
#
# ### Exercise 7.1 · The encoder · 2 points · about 10 minutes
#
# One point for the block, one for the stack.
#
# - `EncoderBlock`: sub-modules `norm1`, `attention`, `norm2`, `feed_forward` as in chapter 6; post-norm, ReLU, a bias in all four projections of
#   attention. `dropout` falls where it did there: inside attention, inside the feed-forward network, and on what each of the two adds. `forward`
#   returns the new `x` and the attention weights.
# - `Encoder`: `num_layers` such blocks, each with its own numbers, in an `nn.ModuleList` called `blocks`. Every block gets the mask. `forward` returns the
#   last `x` alone. No norm comes after the last block: a post-norm block ends with one.
#
# `MultiHeadAttention` and `FeedForward` are there for you. `nn.LayerNorm` is as good as your own.
#
# <details><summary>Hint 1</summary>Chapter 6 built both orders. Which one leaves its result normalised?</details>
# <details><summary>Hint 2</summary>MultiHeadAttention has no bias unless it is asked for one. FeedForward is GELU unless it is told otherwise.</details>
# <details><summary>Hint 3</summary>[block] * n is a list of n times the same block, with the same numbers. You want n blocks.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_encoder_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class EncoderBlock(nn.Module):
    """Self-attention, then a feed-forward network; post-norm, ReLU, as in the 2017 paper."""

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, mask=None):                            # (batch, seq, d_model) -> the same, and the weights
        ### BEGIN SOLUTION
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights
        ### END SOLUTION


class Encoder(nn.Module):
    """num_layers encoder blocks, one on top of the other."""

    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        ### END SOLUTION

    def forward(self, x, mask=None):                            # (batch, seq, d_model) -> the same
        ### BEGIN SOLUTION
        for block in self.blocks:
            x, _ = block(x, mask)
        return x
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch07_encoder_block_check_block", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.1, the block: with the weights of PyTorch's block, yours gives PyTorch's numbers."""
theirs_ = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, activation="relu", batch_first=True)
block_ = EncoderBlock(8, 2, d_ff=12)
for name_ in ("norm1", "attention", "norm2", "feed_forward"):
    assert hasattr(block_, name_), f"the block has no sub-module called {name_}"
attend_, n1_, n2_ = block_.attention, block_.norm1, block_.norm2
for name_ in ("W_q", "W_k", "W_v", "W_o"):
    assert getattr(attend_, name_).bias is not None, f"{name_} has no bias: the paper's block has one in all four projections"
wide_, narrow_ = block_.feed_forward.linear1, block_.feed_forward.linear2
def feed_(h, bend=torch.relu):
    return narrow_(bend(wide_(h)))
assert tuple(wide_.weight.shape) == (12, 8), f"linear1 of EncoderBlock(8, 2, d_ff=12) should hold (12, 8), it holds {tuple(wide_.weight.shape)}: is d_ff passed on?"
generator_ = torch.Generator().manual_seed(71)
with torch.no_grad():
    for p_ in theirs_.parameters():
        p_.copy_(torch.randn(p_.shape, generator=generator_) / 2)
    for mine_, other_ in [(n1_, theirs_.norm1), (n2_, theirs_.norm2), (wide_, theirs_.linear1), (narrow_, theirs_.linear2), (attend_.W_o, theirs_.self_attn.out_proj)]:
        mine_.weight.copy_(other_.weight), mine_.bias.copy_(other_.bias)
    for mine_, w_, b_ in zip((attend_.W_q, attend_.W_k, attend_.W_v), theirs_.self_attn.in_proj_weight.chunk(3), theirs_.self_attn.in_proj_bias.chunk(3)):
        mine_.weight.copy_(w_), mine_.bias.copy_(b_)

x_ = torch.randn(2, 5, 8, generator=generator_)
kept_ = x_.clone()
result_ = block_(x_)
assert isinstance(result_, (tuple, list)) and len(result_) == 2, f"forward shall return two things, the new x and the weights; got {type(result_).__name__}"
y_, weights_ = result_[0].detach(), result_[1]
assert torch.equal(x_, kept_), "x was changed in place: x += … writes into the caller's tensor, x = x + … makes a new one"
assert tuple(y_.shape) == (2, 5, 8), f"the block keeps the shape of x: (2, 5, 8) expected, got {tuple(y_.shape)}"
assert tuple(weights_.shape) == (2, 2, 5, 5), f"one table of weights per sentence and head: (2, 2, 5, 5) expected, got {tuple(weights_.shape)}"

with torch.no_grad():                                         # what would the well-known mistakes have given?
    a_ = attend_(x_)[0]
    h_, pre_ = n1_(x_ + a_), x_ + attend_(n1_(x_))[0]
    past_ = n1_(x_ + attend_(x_, mask=torch.ones(5, 5).tril().bool())[0])
    mistakes_ = {
        "this is the pre-norm order of chapter 6's default: the paper's block is post-norm": pre_ + feed_(n2_(pre_)),
        "both residual connections are missing": n2_(feed_(n1_(a_))),
        "the residual connection around attention is missing": n2_(n1_(a_) + feed_(n1_(a_))),
        "the residual connection around the feed-forward network is missing": n2_(feed_(h_)),
        "the second residual connection carries the sum before norm1: it must carry norm1's result": n2_((x_ + a_) + feed_(h_)),
        "the second residual connection adds the block's input: it must carry norm1's result": n2_(x_ + feed_(h_)),
        "the norms were applied to what is added: in post-norm they are applied to the sum": (x_ + n1_(a_)) + n2_(feed_(x_ + n1_(a_))),
        "the last norm is missing": h_ + feed_(h_),
        "the norm behind attention is missing": n2_((x_ + a_) + feed_(x_ + a_)),
        "norm1 was used in both places: the second is norm2": n1_(h_ + feed_(h_)),
        "norm1 and norm2 have changed places": n1_(n2_(x_ + a_) + feed_(n2_(x_ + a_))),
        "the feed-forward network bends with GELU: the paper's bends with ReLU": n2_(h_ + feed_(h_, F.gelu)),
        "the future was hidden although no mask was given: in the source all words see each other": n2_(past_ + feed_(past_)),
    }
for mistake_, wrong_ in mistakes_.items():
    assert not torch.allclose(y_, wrong_, atol=1e-4), mistake_
torch.testing.assert_close(y_, theirs_(x_).detach(), atol=1e-4, rtol=1e-4, msg=lambda m: f"another result than nn.TransformerEncoderLayer with the same weights\n{m}")
real_ = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None, None]                   # (2, 1, 1, 5)
y_, weights_ = block_(x_, real_)
assert weights_[1, :, :, 3:].abs().max() < 1e-6, "the mask hides words 3 and 4 of the second sentence, and they were looked at: hand the mask to attention"
### BEGIN HIDDEN TESTS
def twin(block, layer, seed, dtype=torch.float64):
    """Fill PyTorch's layer with random numbers and copy them into the block."""
    generator, attend, feed = torch.Generator().manual_seed(seed), block.attention, block.feed_forward
    layer.to(dtype)
    with torch.no_grad():
        for p in layer.parameters():
            p.copy_(torch.randn(p.shape, generator=generator) / 2)
        for mine, other in [(block.norm1, layer.norm1), (block.norm2, layer.norm2), (feed.linear1, layer.linear1), (feed.linear2, layer.linear2), (attend.W_o, layer.self_attn.out_proj)]:
            mine.weight.copy_(other.weight), mine.bias.copy_(other.bias)
        for mine, w, b in zip((attend.W_q, attend.W_k, attend.W_v), layer.self_attn.in_proj_weight.chunk(3), layer.self_attn.in_proj_bias.chunk(3)):
            mine.weight.copy_(w), mine.bias.copy_(b)
    return generator
# Property: equals PyTorch's post-norm block for other sizes, in float64 and float32, output and weights, with and without a padding mask
for seed, (d_model, heads, d_ff, shape, dtype) in enumerate([(15, 3, 11, (2, 7), torch.float64), (14, 7, 14, (1, 5), torch.float64), (6, 1, 29, (3, 2), torch.float64), (6, 3, 5, (5, 6), torch.float32)]):
    layer = nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, activation="relu", batch_first=True)
    block = EncoderBlock(d_model, heads, d_ff).to(dtype)
    generator = twin(block, layer, 710 + seed, dtype)
    x = 2 * torch.randn(*shape, d_model, generator=generator, dtype=dtype) + 0.5
    kept = x.clone()
    real = torch.arange(shape[1]) < torch.randint(1, shape[1] + 1, (shape[0], 1), generator=generator)       # (batch, seq)
    close = {"atol": 1e-7, "rtol": 1e-6} if dtype == torch.float64 else {"atol": 1e-3, "rtol": 1e-3}
    for mask, blocked in [(None, None), (real[:, None, None], ~real)]:
        y, weights = block(x, mask)
        torch.testing.assert_close(y, layer(x, src_key_padding_mask=blocked), **close, msg=lambda m: f"EncoderBlock({d_model}, {heads}, {d_ff}), x of shape {tuple(x.shape)}, {dtype}, mask: {mask is not None}: another result than PyTorch's block\n{m}")
        wanted = layer.self_attn(x, x, x, key_padding_mask=blocked, average_attn_weights=False)[1]
        torch.testing.assert_close(weights, wanted, **close, msg=lambda m: f"the weights returned are not those of each head\n{m}")
    assert torch.equal(x, kept), "x was changed in place"
# Property: without d_ff the feed-forward network is four times as wide as the token
assert tuple(EncoderBlock(6, 2).feed_forward.linear1.weight.shape) == (24, 6), f"linear1 of EncoderBlock(6, 2) has the shape {tuple(EncoderBlock(6, 2).feed_forward.linear1.weight.shape)}, expected (24, 6)"
# Property: gradients reach x and every parameter
block = EncoderBlock(15, 5, 13).to(torch.float64)
layer = nn.TransformerEncoderLayer(15, 5, 13, dropout=0.0, batch_first=True)
x = torch.randn(2, 7, 15, generator=twin(block, layer, 720), dtype=torch.float64, requires_grad=True)
block(x)[0].square().sum().backward()
wanted, = torch.autograd.grad(layer(x).square().sum(), x)
torch.testing.assert_close(x.grad, wanted, atol=1e-6, rtol=1e-6, msg=lambda m: f"another gradient at x than PyTorch's block\n{m}")
for name, p in block.named_parameters():
    assert p.grad is not None, f"no gradient reaches {name}"
# Property: dropout falls on what each sub-layer adds, in training only
block = EncoderBlock(6, 2, dropout=1.0)
with torch.no_grad():
    for p in block.parameters():
        p.copy_(torch.rand(p.shape, generator=generator) + 0.5)
x = torch.randn(3, 5, 6, generator=generator)
dropped, whole = block.train()(x)[0], block.eval()(x)[0]
plain = EncoderBlock(6, 2)
plain.load_state_dict(block.state_dict())
torch.testing.assert_close(whole, plain(x)[0], atol=1e-5, rtol=1e-5, msg=lambda m: f"after eval() dropout must do nothing\n{m}")
assert not torch.allclose(dropped, whole, atol=1e-4), "dropout=1.0 changes nothing in training: is dropout passed on?"
torch.testing.assert_close(dropped, block.norm2(block.norm1(x)), atol=1e-4, rtol=1e-4, msg=lambda m: f"with dropout=1.0 nothing may be added in training, and the result is norm2(norm1(x)): dropout is missing on what a sub-layer adds\n{m}")
# Property: dropout falls inside attention and inside the feed-forward network, too
block = EncoderBlock(6, 2, 31, dropout=0.5).train()
assert not torch.allclose(block.attention(x)[0], block.attention(x)[0]), "dropout does not reach attention: its dropout=0.5 should drop some of the weights"
with torch.no_grad():
    block.feed_forward.linear1.bias.fill_(100.)                        # every feature between the two layers is active
(block(x[:1, :1])[0] * torch.arange(6.)).sum().backward()
unused = (block.feed_forward.linear2.weight.grad.abs().amax(0) == 0).sum().item()
assert unused > 0, "inside the feed-forward network nothing is dropped: dropout=0.5 should drop some of its features"
# Property: works on the device of its input, and on a transposed (non-contiguous) one
for part in EncoderBlock(6, 2).to("meta")(torch.empty(2, 3, 6, device="meta")):
    assert part.device.type == "meta", "the result is on another device than x"
x = torch.randn(5, 3, 6, generator=generator).transpose(0, 1)
torch.testing.assert_close(block.eval()(x)[0], block(x.contiguous())[0], atol=1e-5, rtol=1e-5)
### END HIDDEN TESTS
print("7.1 holds, the block: the numbers of nn.TransformerEncoderLayer.")

# %% nbgrader={"grade": true, "grade_id": "ch07_encoder_block_check_encoder", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.1, the stack: three blocks, one after the other, all with the mask."""
encoder_ = Encoder(8, 2, 3, d_ff=12)
assert hasattr(encoder_, "blocks") and len(encoder_.blocks) == 3, "Encoder(8, 2, 3) should have a ModuleList called blocks with three blocks in it"
per_block_ = sum(p_.numel() for p_ in encoder_.blocks[0].parameters())
total_ = sum(p_.numel() for p_ in encoder_.parameters())
assert total_ != per_block_, "the three blocks are one and the same: each needs numbers of its own"
assert total_ >= 3 * per_block_, f"three blocks of {per_block_} numbers, but the encoder's parameters() are only {total_}: hold the blocks in an nn.ModuleList"
assert total_ == 3 * per_block_, f"three blocks of {per_block_} numbers make {3 * per_block_}, the encoder has {total_}: there is no norm (nor anything else) after the last block"
generator_ = torch.Generator().manual_seed(72)
with torch.no_grad():
    for p_ in encoder_.parameters():
        if p_.ndim > 1:                                           # the matrices; the norms stay as they are
            p_.copy_(torch.randn(p_.shape, generator=generator_) / 3)
x_ = torch.randn(2, 5, 8, generator=generator_)
kept_ = x_.clone()
real_ = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None, None]                   # (2, 1, 1, 5)
y_ = encoder_(x_, real_)
assert not isinstance(y_, (tuple, list)), "the encoder returns x alone, without weights"
assert torch.equal(x_, kept_), "x was changed in place"
with torch.no_grad():
    def stacked_(x, masks, order=(0, 1, 2)):
        for i, mask in zip(order, masks):
            x = encoder_.blocks[i](x, mask)[0]
        return x
    mistakes_ = {
        "the mask was not handed to the blocks": stacked_(x_, [None] * 3),
        "only the first block got the mask": stacked_(x_, [real_, None, None]),
        "only the last block got the mask": stacked_(x_, [None, None, real_]),
        "only the first block was used": stacked_(x_, [real_]),
        "the last block was left out": stacked_(x_, [real_] * 2),
        "only the last block's work came out: each block reads what the one before it wrote": stacked_(x_, [real_], (2,)),
        "the blocks ran in the reverse order": stacked_(x_, [real_] * 3, (2, 1, 0)),
        "the first block was used three times": stacked_(x_, [real_] * 3, (0, 0, 0)),
    }
    for mistake_, wrong_ in mistakes_.items():
        assert not torch.allclose(y_, wrong_, atol=1e-4), mistake_
    torch.testing.assert_close(y_.detach(), stacked_(x_, [real_] * 3), atol=1e-4, rtol=1e-4, msg=lambda m: f"the result is not that of the three blocks in turn\n{m}")
### BEGIN HIDDEN TESTS
# Property: the blocks run in turn, each with the mask, for any number of layers and in float64
generator = torch.Generator().manual_seed(721)
for layers, d_model, heads, shape in [(1, 6, 3, (2, 7)), (5, 10, 2, (3, 4)), (2, 14, 7, (1, 11))]:
    encoder = Encoder(d_model, heads, layers, 13).to(torch.float64)
    with torch.no_grad():
        for p in encoder.parameters():
            p.add_(torch.randn(p.shape, generator=generator) / 3)
    x = torch.randn(*shape, d_model, generator=generator, dtype=torch.float64)
    for mask in (None, (torch.arange(shape[1]) < 3).expand(shape)[:, None, None]):
        wanted = x
        for block in encoder.blocks:
            wanted = block(wanted, mask)[0]
        torch.testing.assert_close(encoder(x, mask), wanted, atol=1e-8, rtol=1e-6, msg=lambda m: f"Encoder({d_model}, {heads}, {layers}): not the result of its blocks in turn\n{m}")
    assert len(encoder.blocks) == layers, f"{layers} blocks expected, got {len(encoder.blocks)}"
# Property: d_ff and dropout reach the blocks, and the default of d_ff is 4 · d_model
assert tuple(Encoder(6, 2, 2, d_ff=11).blocks[1].feed_forward.linear1.weight.shape) == (11, 6), "d_ff does not reach the blocks"
assert tuple(Encoder(6, 2, 2).blocks[1].feed_forward.linear1.weight.shape) == (24, 6), "without d_ff the feed-forward networks are 4 · d_model wide"
x = torch.randn(3, 5, 6, generator=generator)
encoder = Encoder(6, 2, 2, dropout=0.5)
assert not torch.allclose(encoder.train()(x), encoder.train()(x)), "dropout=0.5 changes nothing in training: it does not reach the blocks"
torch.testing.assert_close(encoder.eval()(x), encoder.eval()(x), msg=lambda m: f"after eval() dropout must do nothing\n{m}")
torch.testing.assert_close(Encoder(6, 2, 2).train()(x).shape, x.shape)
### END HIDDEN TESTS
print("7.1 holds, the stack: its blocks in turn, each with the mask.")

# %% [markdown]
# ## 7.4 Asking another sentence
#
# Now the new part. The writer has written "can you" and wants to know what comes next. It asks, and this time not its own sentence but the memory. A
# query is made from what the *writer* has; keys and values are made from what the *reader* left. With $x$ for the
# writer's vectors and $m$ for the memory:
#
# $$q = x\,W_q \qquad k = m\,W_k \qquad v = m\,W_v \qquad \mathrm{output} = \mathrm{softmax}\!\Big(\frac{q\,k^\top}{\sqrt{d_k}}\Big)\,v$$
#
# This is **cross-attention**. One query of the writer by hand, first; the four memory vectors and the writer's vector are random, since nothing is trained yet:

# %%
generator = torch.Generator().manual_seed(7)
memory = torch.randn(4, 8, generator=generator)                     # kannst, du, mir, helfen
x = torch.randn(3, 8, generator=generator)                          # <bos>, can, you
W_q, W_k, W_v = torch.randn(3, 8, 8, generator=generator) / 8 ** 0.5

q = x[2] @ W_q                                                      # the last word written asks
scores = torch.stack([q @ (m @ W_k) / 8 ** 0.5 for m in memory])    # (4,): one score per German word
weights = scores.softmax(dim=-1)
print("weights of the four German words:", weights, " sum:", round(weights.sum().item(), 4))
print("what it fetches:", sum(w * (m @ W_v) for w, m in zip(weights, memory))[:4], "…")

# %% [markdown]
# All queries at once. The weights are no longer square: as many rows as there are words written, as many columns as there are words to read.

# %%
weights = ((x @ W_q) @ (memory @ W_k).T / 8 ** 0.5).softmax(dim=-1)                   # (3, 4)
print(tuple(weights.shape), "  last row as by hand:", torch.allclose(weights[2], scores.softmax(-1)))

attention = MultiHeadAttention(d_model=8, num_heads=2, bias=True)
output, weights = attention(x[None], memory[None])                                    # query, key; value defaults to the key
print("two heads:", tuple(output.shape), tuple(weights.shape))

# %% [markdown]
# Your `MultiHeadAttention` of chapter 4 could do it all along. In front of it the decoder block has the self-attention you know from
# chapters 3 to 6, behind it the feed-forward network:
#
# $$\begin{aligned} a &= \mathrm{norm}_1\big(x + \mathrm{self\_attention}(x)\big)\\
# b &= \mathrm{norm}_2\big(a + \mathrm{cross\_attention}(a, m)\big)\\
# y &= \mathrm{norm}_3\big(b + \mathrm{feed\_forward}(b)\big)\end{aligned}$$
#
# **Predict, then run.** The code below runs PyTorch's decoder block twice. The second time, the four vectors of the memory have been shuffled: "helfen mir kannst
# du". What happens to its output?

# %%
layer = nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, batch_first=True)
shuffled = memory[[3, 2, 0, 1]]
print("the same output:", torch.allclose(layer(x[None], memory[None]), layer(x[None], shuffled[None]), atol=1e-6))

# %% [markdown]
# Nothing happens. Cross-attention is attention, and attention reads a bag (chapter 5). So the decoder knows the order of the German words only if it is written *in*
# their vectors: positions are added at the bottom of the encoder, and every vector of the memory carries its place up with it.
#
# ### Exercise 7.2 · The decoder block · 4 points · about 20 minutes
#
# Build the block of the three formulas. Its sub-modules are `self_attention`, `cross_attention`, `feed_forward`, `norm1`, `norm2`, `norm3`.
#
# - **values (2 points).** Post-norm, ReLU, biased projections; the memory may have another length than `x`. `forward` returns `x`, the
#   weights of self-attention `(batch, heads, seq, seq)` and those of cross-attention `(batch, heads, seq, seq_memory)`.
# - **masks (1 point).** `self_mask` is for self-attention, `memory_mask` for cross-attention; both are boolean, `True` = may attend, and
#   broadcastable to the scores they are for. The block itself hides nothing: with `None` everything is seen, the future, too.
# - **options (1 point).** `d_ff` (default `4 * d_model`) and `dropout`: inside both attentions, inside the feed-forward network, and on what each of the *three*
#   sub-layers adds.
#
# <details><summary>Hint 1</summary>It is the encoder block with one more sub-layer in the middle. Which of its three sub-layers ever sees the memory?</details>
# <details><summary>Hint 2</summary>Who asks in cross-attention, and with what: with x as it came in, or with what self-attention has made of it?</details>
# <details><summary>Hint 3</summary>The memory comes from a post-norm encoder: it is normalised already, and goes into cross-attention as it is.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_decoder_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock(nn.Module):
    """Self-attention, cross-attention to the memory, a feed-forward network; post-norm, ReLU."""

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
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

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_values", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.2, values: with the weights of PyTorch's decoder block, yours gives PyTorch's numbers."""
theirs_ = nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, activation="relu", batch_first=True)
block_ = DecoderBlock(8, 2, d_ff=12)
for name_ in ("self_attention", "cross_attention", "feed_forward", "norm1", "norm2", "norm3"):
    assert hasattr(block_, name_), f"the block has no sub-module called {name_}"
own_, cross_ = block_.self_attention, block_.cross_attention
wide_, narrow_ = block_.feed_forward.linear1, block_.feed_forward.linear2
def feed_(h, bend=torch.relu):
    return narrow_(bend(wide_(h)))
n1_, n2_, n3_ = block_.norm1, block_.norm2, block_.norm3
for name_ in ("W_q", "W_k", "W_v", "W_o"):
    assert getattr(own_, name_).bias is not None and getattr(cross_, name_).bias is not None, f"{name_} has no bias: the paper's block has one in all projections of both attentions"
needed_, found_ = sum(p_.numel() for p_ in theirs_.parameters()), sum(p_.numel() for p_ in block_.parameters())
assert found_ == needed_, f"PyTorch's block has {needed_} numbers, yours {found_}: do the two attentions and the three norms have numbers of their own, is nothing there twice, and is d_ff passed on?"
generator_ = torch.Generator().manual_seed(73)
with torch.no_grad():
    for p_ in theirs_.parameters():
        p_.copy_(torch.randn(p_.shape, generator=generator_) / 2)
    for mine_, other_ in [(n1_, theirs_.norm1), (n2_, theirs_.norm2), (n3_, theirs_.norm3), (wide_, theirs_.linear1), (narrow_, theirs_.linear2),
                          (own_.W_o, theirs_.self_attn.out_proj), (cross_.W_o, theirs_.multihead_attn.out_proj)]:
        mine_.weight.copy_(other_.weight), mine_.bias.copy_(other_.bias)
    for mine_, other_ in [(own_, theirs_.self_attn), (cross_, theirs_.multihead_attn)]:
        for W_, w_, b_ in zip((mine_.W_q, mine_.W_k, mine_.W_v), other_.in_proj_weight.chunk(3), other_.in_proj_bias.chunk(3)):
            W_.weight.copy_(w_), W_.bias.copy_(b_)

x_, memory_ = torch.randn(2, 4, 8, generator=generator_), torch.randn(2, 4, 8, generator=generator_)      # as long as each other, at first
kept_, kept_memory_ = x_.clone(), memory_.clone()
try:
    result_ = block_(x_, memory_)
except TypeError as error:
    raise AssertionError(f"the block did not run with x and memory alone: both masks default to None ({error})") from error
assert isinstance(result_, (tuple, list)) and len(result_) == 3, "forward shall return three things: x, the weights of self-attention, the weights of cross-attention"
assert torch.equal(x_, kept_) and torch.equal(memory_, kept_memory_), "x or the memory was changed in place: x += … writes into the caller's tensor"
y_ = result_[0].detach()
with torch.no_grad():                                         # what would the well-known mistakes have given?
    future_ = torch.ones(4, 4).tril().bool()
    a_ = n1_(x_ + own_(x_)[0])
    b_ = n2_(a_ + cross_(a_, memory_)[0])
    first_ = n1_(x_ + cross_(x_, memory_)[0])
    past_ = n1_(x_ + own_(x_, mask=future_)[0])
    pre_a_ = x_ + own_(n1_(x_))[0]
    pre_b_ = pre_a_ + cross_(n2_(pre_a_), memory_)[0]
    def ends_(b):
        return n3_(b + feed_(b))
    def after_(fetched, a=a_):
        return ends_(n2_(a + fetched))
    mistakes_ = {
        "cross-attention never looked at the memory: it read its own sentence": after_(cross_(a_)[0]),
        "in cross-attention the memory asks: the queries come from x, keys and values from the memory": after_(cross_(memory_, a_)[0]),
        "in cross-attention the values come from x: both keys and values come from the memory": after_(cross_(a_, memory_, a_)[0]),
        "in cross-attention the keys come from x: both keys and values come from the memory": after_(cross_(a_, a_, memory_)[0]),
        "cross-attention is missing": ends_(a_),
        "self-attention is missing": ends_(n2_(x_ + cross_(x_, memory_)[0])),
        "cross-attention came first: self-attention comes first": ends_(n2_(first_ + own_(first_)[0])),
        "cross-attention came before self-attention, with their norms": ends_(n1_(n2_(x_ + cross_(x_, memory_)[0]) + own_(n2_(x_ + cross_(x_, memory_)[0]))[0])),
        "cross-attention asks with the block's input: it asks with what self-attention has made of it": after_(cross_(x_, memory_)[0]),
        "self-attention did the work of cross-attention, too: there are two attentions": after_(own_(a_, memory_)[0]),
        "the memory was normalised by norm2: it goes into cross-attention as it is": after_(cross_(a_, n2_(memory_))[0]),
        "the memory was normalised by norm1: it goes into cross-attention as it is": after_(cross_(a_, n1_(memory_))[0]),
        "self-attention looked at the memory: it reads its own sentence": ends_(n2_(n1_(x_ + own_(x_, memory_)[0]) + cross_(n1_(x_ + own_(x_, memory_)[0]), memory_)[0])),
        "the residual connection around self-attention is missing": ends_(n2_(n1_(own_(x_)[0]) + cross_(n1_(own_(x_)[0]), memory_)[0])),
        "the residual connection around cross-attention is missing": ends_(n2_(cross_(a_, memory_)[0])),
        "the residual connection around the feed-forward network is missing": n3_(feed_(b_)),
        "the residual connection around cross-attention adds the block's input: it must carry norm1's result": ends_(n2_(x_ + cross_(a_, memory_)[0])),
        "the residual connection around the feed-forward network adds norm1's result: it must carry norm2's": n3_(a_ + feed_(b_)),
        "the residual connection around the feed-forward network adds the block's input: it must carry norm2's result": n3_(x_ + feed_(b_)),
        "this is the pre-norm order: the paper's block is post-norm": pre_b_ + feed_(n3_(pre_b_)),
        "the last norm is missing": b_ + feed_(b_),
        "norm2 was used twice: the last norm is norm3": n2_(b_ + feed_(b_)),
        "norm1 was used twice: the norm behind cross-attention is norm2": ends_(n1_(a_ + cross_(a_, memory_)[0])),
        "norm2 and norm3 have changed places": n2_(n3_(a_ + cross_(a_, memory_)[0]) + feed_(n3_(a_ + cross_(a_, memory_)[0]))),
        "the feed-forward network bends with GELU: the paper's bends with ReLU": n3_(b_ + feed_(b_, F.gelu)),
        "the future was hidden although no mask was given: None hides nothing": ends_(n2_(past_ + cross_(past_, memory_)[0])),
    }
for mistake_, wrong_ in mistakes_.items():
    assert not torch.allclose(y_, wrong_, atol=1e-4), mistake_
torch.testing.assert_close(y_, theirs_(x_, memory_).detach(), atol=1e-4, rtol=1e-4, msg=lambda m: f"another result than nn.TransformerDecoderLayer with the same weights\n{m}")

memory_ = torch.randn(2, 7, 8, generator=generator_)
try:
    y_, self_weights_, cross_weights_ = block_(x_, memory_)
except RuntimeError as error:
    raise AssertionError(f"x of 4 words and a memory of 7 did not run: the two lengths need not be equal ({error})") from error
assert tuple(y_.shape) == (2, 4, 8), f"x keeps its shape whatever the length of the memory: (2, 4, 8) expected, got {tuple(y_.shape)}"
assert tuple(self_weights_.shape) != (2, 2, 4, 7), "the weights came in the wrong order: those of self-attention first, then those of cross-attention"
assert tuple(self_weights_.shape) == (2, 2, 4, 4), f"weights of self-attention: (2, 2, 4, 4) expected, got {tuple(self_weights_.shape)}; they are never averaged over the heads"
assert tuple(cross_weights_.shape) == (2, 2, 4, 7), f"weights of cross-attention: queries down, keys across, for each head: (2, 2, 4, 7) expected, got {tuple(cross_weights_.shape)}"
### BEGIN HIDDEN TESTS
def twin(block, layer, seed, dtype=torch.float64):
    """Fill PyTorch's layer with random numbers and copy them into the block."""
    generator, feed = torch.Generator().manual_seed(seed), block.feed_forward
    layer.to(dtype)
    with torch.no_grad():
        for p in layer.parameters():
            p.copy_(torch.randn(p.shape, generator=generator) / 2)
        for mine, other in [(block.norm1, layer.norm1), (block.norm2, layer.norm2), (block.norm3, layer.norm3), (feed.linear1, layer.linear1), (feed.linear2, layer.linear2),
                            (block.self_attention.W_o, layer.self_attn.out_proj), (block.cross_attention.W_o, layer.multihead_attn.out_proj)]:
            mine.weight.copy_(other.weight), mine.bias.copy_(other.bias)
        for mine, other in [(block.self_attention, layer.self_attn), (block.cross_attention, layer.multihead_attn)]:
            for W, w, b in zip((mine.W_q, mine.W_k, mine.W_v), other.in_proj_weight.chunk(3), other.in_proj_bias.chunk(3)):
                W.weight.copy_(w), W.bias.copy_(b)
    return generator
# Property: equals PyTorch's decoder block for other sizes, in float64 and float32, output and both weights
for seed, (d_model, heads, d_ff, batch, seq, seq_memory, dtype) in enumerate([(15, 3, 11, 2, 7, 5, torch.float64), (14, 7, 17, 1, 3, 11, torch.float64), (6, 1, 29, 3, 1, 2, torch.float64), (6, 3, 5, 5, 4, 7, torch.float32)]):
    layer = nn.TransformerDecoderLayer(d_model, heads, d_ff, dropout=0.0, activation="relu", batch_first=True)
    block = DecoderBlock(d_model, heads, d_ff).to(dtype)
    generator = twin(block, layer, 730 + seed, dtype)
    x, memory = (2 * torch.randn(batch, n, d_model, generator=generator, dtype=dtype) + 0.5 for n in (seq, seq_memory))
    kept, kept_memory = x.clone(), memory.clone()
    close = {"atol": 1e-7, "rtol": 1e-6} if dtype == torch.float64 else {"atol": 1e-3, "rtol": 1e-3}
    y, self_weights, cross_weights = block(x, memory)
    torch.testing.assert_close(y, layer(x, memory), **close, msg=lambda m: f"DecoderBlock({d_model}, {heads}, {d_ff}), x {tuple(x.shape)}, memory {tuple(memory.shape)}, {dtype}: another result than PyTorch's block\n{m}")
    attended, wanted = layer.self_attn(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(self_weights, wanted, **close, msg=lambda m: f"the second result is not the weights of self-attention, head by head\n{m}")
    a = layer.norm1(x + attended)
    torch.testing.assert_close(cross_weights, layer.multihead_attn(a, memory, memory, average_attn_weights=False)[1], **close, msg=lambda m: f"the third result is not the weights of cross-attention, head by head\n{m}")
    assert torch.equal(x, kept) and torch.equal(memory, kept_memory), "x or the memory was changed in place"
# Property: gradients reach x, the memory and every parameter
block, layer = DecoderBlock(15, 5, 13).to(torch.float64), nn.TransformerDecoderLayer(15, 5, 13, dropout=0.0, batch_first=True)
generator = twin(block, layer, 740)
x, memory = (torch.randn(2, n, 15, generator=generator, dtype=torch.float64, requires_grad=True) for n in (7, 3))
block(x, memory)[0].square().sum().backward()
for mine, wanted, name in zip((x.grad, memory.grad), torch.autograd.grad(layer(x, memory).square().sum(), (x, memory)), ("x", "the memory")):
    assert mine is not None, f"no gradient reaches {name}"
    torch.testing.assert_close(mine, wanted, atol=1e-6, rtol=1e-6, msg=lambda m: f"another gradient at {name} than PyTorch's block\n{m}")
for name, p in block.named_parameters():
    assert p.grad is not None, f"no gradient reaches {name}"
### END HIDDEN TESTS
print("7.2 holds, values: the numbers of nn.TransformerDecoderLayer.")

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_masks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.2, masks: each mask for its own attention."""
block_ = DecoderBlock(8, 2)
generator_ = torch.Generator().manual_seed(75)
x_, memory_ = torch.randn(2, 4, 8, generator=generator_), torch.randn(2, 4, 8, generator=generator_)
past_, some_ = torch.ones(4, 4).tril().bool(), torch.tensor([[True] * 4, [True, True, False, False]])[:, None, None]    # (4, 4), (2, 1, 1, 4)

_, own_free_, cross_free_ = block_(x_, memory_)
try:
    block_(x_, memory_, past_, some_)
except (RuntimeError, IndexError) as error:
    raise AssertionError(f"the block did not run with a self_mask (4, 4) and a memory_mask (2, 1, 1, 4): both are broadcastable to the scores as they are ({error})") from error
assert own_free_.min() > 0 and cross_free_.min() > 0, "without masks something is hidden: None hides nothing"
_, own_, cross_ = block_(x_, memory_, past_)
assert not torch.allclose(own_, own_free_), "self_mask was left aside: self-attention looks as it did without one"
assert not (own_ * past_).isnan().any() and not own_.isnan().any(), "NaN with a causal self_mask"
assert (own_ * ~past_).abs().max() < 1e-6, "self_mask hides the future, and self-attention looked there (is the mask turned round?)"
assert cross_.min() > 0, "self_mask hid words of the memory: it is for self-attention alone"
_, own_, cross_ = block_(x_, memory_, memory_mask=some_)
assert own_.min() > 0, "memory_mask hid words of x: it is for cross-attention alone"
assert not torch.allclose(cross_[1], cross_free_[1]), "memory_mask was left aside: cross-attention looks as it did without one"
assert cross_[1, :, :, 2:].abs().max() < 1e-6 and cross_[0].min() > 0, "memory_mask hides words 2 and 3 of the second memory, and something else was hidden"
_, own_, cross_ = block_(x_, memory_, past_, some_)
assert (own_ * ~past_).abs().max() < 1e-6 and own_[1, :, 3].min() > 0, "with both masks, self-attention does not follow self_mask alone"
assert cross_[1, :, :, 2:].abs().max() < 1e-6 and cross_[0].min() > 0, "with both masks, cross-attention does not follow memory_mask alone"
### BEGIN HIDDEN TESTS
# Property: equals PyTorch's decoder block with both masks, for different lengths
for seed, (d_model, heads, batch, seq, seq_memory) in enumerate([(10, 5, 3, 7, 4), (6, 2, 2, 3, 11)]):
    layer, block = nn.TransformerDecoderLayer(d_model, heads, 13, dropout=0.0, batch_first=True).to(torch.float64), DecoderBlock(d_model, heads, 13).to(torch.float64)
    generator = torch.Generator().manual_seed(750 + seed)
    feed = block.feed_forward
    with torch.no_grad():
        for p in layer.parameters():
            p.copy_(torch.randn(p.shape, generator=generator) / 2)
        for mine, other in [(block.norm1, layer.norm1), (block.norm2, layer.norm2), (block.norm3, layer.norm3), (feed.linear1, layer.linear1), (feed.linear2, layer.linear2),
                            (block.self_attention.W_o, layer.self_attn.out_proj), (block.cross_attention.W_o, layer.multihead_attn.out_proj)]:
            mine.weight.copy_(other.weight), mine.bias.copy_(other.bias)
        for mine, other in [(block.self_attention, layer.self_attn), (block.cross_attention, layer.multihead_attn)]:
            for W, w, b in zip((mine.W_q, mine.W_k, mine.W_v), other.in_proj_weight.chunk(3), other.in_proj_bias.chunk(3)):
                W.weight.copy_(w), W.bias.copy_(b)
    x, memory = (torch.randn(batch, n, d_model, generator=generator, dtype=torch.float64) for n in (seq, seq_memory))
    past = torch.ones(seq, seq).tril().bool()
    real = torch.arange(seq_memory) < torch.randint(1, seq_memory, (batch, 1), generator=generator)              # (batch, seq_memory)
    y, own, cross = block(x, memory, past, real[:, None, None])
    torch.testing.assert_close(y, layer(x, memory, tgt_mask=~past, memory_key_padding_mask=~real), atol=1e-7, rtol=1e-6, msg=lambda m: f"x {tuple(x.shape)}, memory {tuple(memory.shape)}, both masks: another result than PyTorch's block\n{m}")
    assert cross.masked_select(~real[:, None, None]).abs().max() < 1e-9, "a hidden word of the memory got a weight"
# Property: masks may have four axes, one table for each sentence and head
own_mask = (torch.rand(batch, heads, seq, seq, generator=generator) < 0.5) | torch.eye(seq).bool()
cross_mask = (torch.rand(batch, heads, seq, seq_memory, generator=generator) < 0.5) | (torch.arange(seq_memory) == 1)
_, own, cross = block(x, memory, own_mask, cross_mask)
assert torch.equal(own > 0, own_mask), "self_mask (batch, heads, seq, seq): other places were hidden"
assert torch.equal(cross > 0, cross_mask), "memory_mask (batch, heads, seq, seq_memory): other places were hidden"
# Property: where the whole memory is hidden, cross-attention gives zero weights and no NaN, in the value and in the gradient
memory.requires_grad_()
y, own, cross = block(x, memory, past, torch.tensor([False, True])[:, None, None, None])
assert not y.isnan().any() and cross[0].abs().max() < 1e-9, "a sentence whose memory is hidden as a whole: NaN, or weights that are not zero"
y.sum().backward()
assert not memory.grad.isnan().any() and memory.grad[0].abs().max() < 1e-9, "a memory that is hidden as a whole gets a gradient that is not zero"
### END HIDDEN TESTS
print("7.2 holds, masks: each does its own work.")

# %% nbgrader={"grade": true, "grade_id": "ch07_decoder_block_check_options", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.2, options: the width of the feed-forward network, and dropout in three places."""
assert tuple(DecoderBlock(8, 2).feed_forward.linear1.weight.shape) == (32, 8), f"without d_ff the feed-forward network is 4 · d_model wide: linear1 should hold (32, 8), it holds {tuple(DecoderBlock(8, 2).feed_forward.linear1.weight.shape)}"
assert tuple(DecoderBlock(8, 2, 5).feed_forward.linear1.weight.shape) == (5, 8), "d_ff does not reach the feed-forward network"
generator_ = torch.Generator().manual_seed(76)
block_ = DecoderBlock(8, 2, dropout=1.0)                      # all that a sub-layer adds is dropped
with torch.no_grad():
    for p_ in block_.parameters():
        p_.copy_(torch.rand(p_.shape, generator=generator_) + 0.5)
x_, memory_ = torch.randn(2, 3, 8, generator=generator_), torch.randn(2, 5, 8, generator=generator_)
whole_, dropped_ = block_.eval()(x_, memory_)[0], block_.train()(x_, memory_)[0]
plain_ = DecoderBlock(8, 2)
plain_.load_state_dict(block_.state_dict())
assert torch.allclose(whole_, plain_(x_, memory_)[0], atol=1e-5), "after eval() dropout must do nothing"
assert not torch.allclose(dropped_, whole_, atol=1e-5), "dropout=1.0 changes nothing in training"
n1_, n2_, n3_ = block_.norm1, block_.norm2, block_.norm3
assert not torch.allclose(dropped_, n3_(n2_(n1_(x_) + block_.cross_attention.W_o.bias)), atol=1e-4), "dropout is missing on what cross-attention adds"
torch.testing.assert_close(dropped_, n3_(n2_(n1_(x_))), atol=1e-4, rtol=1e-4, msg=lambda m: f"with dropout=1.0 nothing may be added in training, and the result is norm3(norm2(norm1(x))): dropout is missing on what some sub-layer adds\n{m}")
### BEGIN HIDDEN TESTS
# Property: without dropout training mode and evaluation mode agree
generator = torch.Generator().manual_seed(761)
x, memory = torch.randn(3, 7, 10, generator=generator), torch.randn(3, 5, 10, generator=generator)
block = DecoderBlock(10, 5, 11)
torch.testing.assert_close(block.train()(x, memory)[0], block.eval()(x, memory)[0], atol=1e-6, rtol=1e-6)
# Property: dropout acts inside both attentions and the feed-forward network, too, and keeps the average
block = DecoderBlock(10, 5, 31, dropout=0.5)
assert not torch.allclose(block.train()(x, memory)[0], block.train()(x, memory)[0]), "two runs in training with dropout=0.5 give the same"
torch.testing.assert_close(block.eval()(x, memory)[0], block.eval()(x, memory)[0], msg=lambda m: f"two runs after eval() differ\n{m}")
for attention in (block.self_attention, block.cross_attention):
    assert not torch.allclose(attention.train()(x)[0], attention.train()(x)[0]), "dropout does not reach one of the two attentions"
with torch.no_grad():
    block.feed_forward.linear1.bias.fill_(100.)                        # every feature between the two layers is active
(block.train()(x[:1, :1], memory[:1])[0] * torch.arange(10.)).sum().backward()
unused = (block.feed_forward.linear2.weight.grad.abs().amax(0) == 0).sum().item()
assert unused > 0, "inside the feed-forward network nothing is dropped: dropout=0.5 should drop some of its features"
# Property: everything happens on the device of the input, no tensor is made on the CPU on the way
from torch.utils._python_dispatch import TorchDispatchMode
class OnTheCPU(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and result.device.type == "cpu":
            self.seen.append(str(func))
        return result
block = DecoderBlock(6, 2).to("meta")
x, memory = torch.empty(2, 3, 6, device="meta"), torch.empty(2, 5, 6, device="meta")
with OnTheCPU() as cpu:
    results = block(x, memory)
assert all(part.device.type == "meta" for part in results), "a result is on another device than x"
assert not cpu.seen, f"a tensor was made on the CPU while module and input are on another device: {cpu.seen[0]}"
### END HIDDEN TESTS
print("7.2 holds, options: d_ff and dropout reach where they should.")

# %% [markdown]
# ## 7.5 The whole model
#
# This is the drawing of the 2017 paper. The numbers are those of its base model, $d_{\mathrm{model}} = 512$, 8 heads, 6 blocks on either side; we make the parts
# on the device `meta`, where tensors have shapes but no memory, and count.

# %% tags=["show"]
def count(part):
    return f"{sum(p.numel() for p in part.parameters()) / 1e6:.1f} M"

with torch.device("meta"):
    big_encoder, big_decoder = nn.TransformerEncoderLayer(512, 8, 2048), nn.TransformerDecoderLayer(512, 8, 2048)

def box(ax, x, y, text, color, height=0.62):
    ax.add_patch(plt.Rectangle((x - 1.5, y - height / 2), 3, height, facecolor=color, edgecolor="0.3", linewidth=0.8))
    ax.text(x, y, text, ha="center", va="center", fontsize=8)

fig, ax = plt.subplots(figsize=(7.2, 5.2))
attention_color, feed_color, plain = OKABE_ITO[1] + "66", OKABE_ITO[5] + "66", "0.93"
feed = lambda layer: nn.ModuleList([layer.linear1, layer.linear2])
towers = {2: [("source words\n(batch, seq_source)", None), ("embedding · √d + positions", plain), (f"self-attention   {count(big_encoder.self_attn)}", attention_color),
              (f"feed-forward   {count(feed(big_encoder))}", feed_color)],
          7: [("words written so far\n(batch, seq_target)", None), ("embedding · √d + positions", plain), (f"self-attention, causal   {count(big_decoder.self_attn)}", attention_color),
              (f"cross-attention   {count(big_decoder.multihead_attn)}", attention_color), (f"feed-forward   {count(feed(big_decoder))}", feed_color), ("linear", plain)]}
for x, parts_drawn in towers.items():
    for y, (text, color) in enumerate(parts_drawn):
        if color is None:
            ax.text(x, y, text, ha="center", va="center", fontsize=8)
        else:
            box(ax, x, y, text, color)
        if y:
            ax.annotate("", (x, y - 0.31), (x, y - 0.69 + 0.05 * (y == 1)), arrowprops={"arrowstyle": "->", "color": "0.3"})
ax.annotate("", (7, 6.05), (7, 5.31), arrowprops={"arrowstyle": "->", "color": "0.3"})
ax.text(7, 6.25, "logits (batch, seq_target, target_vocab)", ha="center", fontsize=8)
ax.plot([2, 2, 4.6, 4.6], [3.31, 4.1, 4.1, 3], color=OKABE_ITO[3])
ax.annotate("", (5.5, 3), (4.6, 3), arrowprops={"arrowstyle": "->", "color": OKABE_ITO[3]})
ax.text(3.3, 4.2, "memory", ha="center", color=OKABE_ITO[3], fontsize=9)
for x, bottom, top in ((2, 1.5, 3.5), (7, 1.5, 4.5)):
    ax.add_patch(plt.Rectangle((x - 1.75, bottom), 3.5, top - bottom, fill=False, edgecolor="0.5", linestyle="--"))
ax.text(0.15, 2.5, f"6 blocks\n{count(big_encoder)} each", ha="right", va="center", fontsize=8)
ax.text(8.85, 3, f"6 blocks\n{count(big_decoder)} each", ha="left", va="center", fontsize=8)
ax.set(xlim=(-1.2, 10.2), ylim=(-0.5, 6.6), title="One arrow leads from the sentence that is read to the one that is written, into every decoder block")
ax.axis("off")
show(fig, alt="The Transformer as two towers. Left, the encoder: source words, embedding plus positions, six blocks of self-attention and feed-forward. Right, the decoder: words written so "
              "far, embedding plus positions, six blocks of causal self-attention, cross-attention and feed-forward, a linear layer, logits. An arrow called memory leads from the top of "
              "the encoder into the cross-attention of the decoder. Parameter counts stand in the boxes.")

# %% [markdown]
# (Each of the five sub-layers has its residual connection and its norm, as in the formulas.) A decoder block has a third more parameters than an encoder block: that
# is the price of cross-attention.
#
# Three attentions look similar and are easily mixed up. What tells them apart is who asks, who answers, and what is hidden:
#
# | | queries from | keys and values from | hidden |
# | --- | --- | --- | --- |
# | encoder self-attention | source | source | padding of the source |
# | decoder self-attention | target | target | the future |
# | cross-attention | target | memory | padding of the source |
#
# For a source of four words in a batch padded to six, and a target of five tokens:

# %% tags=["show"]
is_word = torch.tensor([True] * 4 + [False] * 2)
source_words, target_words = "kannst du mir helfen <pad> <pad>".split(), "<bos> can you help me".split()
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3.1), width_ratios=[6, 5, 6])
for ax, title, mask, rows, columns in [(axes[0], "encoder self-attention", is_word.expand(6, 6), source_words, source_words),
                                       (axes[1], "decoder self-attention", causal_mask(5), target_words, target_words),
                                       (axes[2], "cross-attention", is_word.expand(5, 6), target_words, source_words)]:
    draw_matrix(ax, mask.float(), rows=rows, columns=columns, title=title, limits=(0, 1.4), digits=None)
    ax.set(xlabel="key")
axes[0].set_ylabel("query")
show(fig, alt="Three masks, blue where a query may attend. Encoder self-attention, 6 by 6: the last two columns, padding, are hidden. Decoder self-attention, 5 by 5: a lower triangle. "
              "Cross-attention, 5 target tokens by 6 source tokens: the last two columns are hidden.")

# %% [markdown]
# Padding at the end of the *target* needs no mask of its own: it lies in the future of every real word, and its own logits are never used (`ignore_index` above). To
# hide it as well does no harm.
#
# One detail at the bottom. Under Xavier's rule, as in `train`, embeddings start out small, here with entries of about $1/\sqrt{d}$ (PyTorch's own
# start would be numbers of size 1), while the sines and cosines of the position table reach up to 1. So the paper multiplies the embeddings by
# $\sqrt{d_{\mathrm{model}}}$ before it adds the two:

# %%
table = nn.init.xavier_uniform_(torch.empty(len(GERMAN), 48))
print(f"typical entry of an embedding {table.square().mean().sqrt():.2f},  times √48 {(table * 48 ** 0.5).square().mean().sqrt():.2f},"
      f"  of a position {sinusoidal_encoding(20, 48).square().mean().sqrt():.2f}")

# %% [markdown]
# ### Exercise 7.3 · The Transformer · 3 points · about 20 minutes
#
# Put everything together. Inside you may name and order the parts as you like; the attribute `pad` keeps the number of the padding token.
#
# - `encode(source)` → memory `(batch, seq_source, d_model)`;
# - `decode(target, memory, memory_mask=None)` → logits `(batch, seq_target, target_vocab)` and the cross-attention weights of the *last* block,
#   `(batch, heads, seq_target, seq_source)`. `memory_mask` is boolean and broadcastable to these weights; with `None` the whole memory is seen;
# - `forward(source, target)` → logits.
#
# One point for values: both embeddings with positions, `num_layers` blocks on either side, and logits (no softmax). One for padding: it is
# hidden in the encoder by `encode`, and in cross-attention by `forward`, which makes the mask; the result for a sentence is the same however much padding
# follows. One for the future: hidden in decoder self-attention, and nowhere else. (A mistake in 7.1 or 7.2 is not counted a second time here.)
#
# <details><summary>Hint 1</summary>Two vocabularies: which of the three tables and matrices at the edges of the drawing belongs to which?</details>
# <details><summary>Hint 2</summary>A mask for source padding has to be broadcast over heads and over queries: (batch, 1, 1, seq_source). Two of the three attentions need it.</details>
# <details><summary>Hint 3</summary>A position table that moves with model.to(device) is a buffer: register_buffer.</details>
# <details><summary>Hint 4</summary>forward is decode after encode, with a mask made from the source.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_transformer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Transformer(nn.Module):
    """Encoder and decoder, as in the 2017 paper."""

    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        ### BEGIN SOLUTION
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        ### END SOLUTION

    def encode(self, source):
        """source: (batch, seq_source) -> memory: (batch, seq_source, d_model)"""
        ### BEGIN SOLUTION
        return self.encoder(self._embed(self.source_embedding, source), self._padding_mask(source))
        ### END SOLUTION

    def decode(self, target, memory, memory_mask=None):
        """target: (batch, seq_target) -> logits (batch, seq_target, target_vocab), cross-attention weights of the last block"""
        ### BEGIN SOLUTION
        x, mask = self._embed(self.target_embedding, target), causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, cross_weights = block(x, memory, mask, memory_mask)
        return self.head(x), cross_weights
        ### END SOLUTION

    def forward(self, source, target):
        """(batch, seq_source), (batch, seq_target) -> logits (batch, seq_target, target_vocab)"""
        ### BEGIN SOLUTION
        return self.decode(target, self.encode(source), self._padding_mask(source))[0]

    def _embed(self, embedding, ids):
        x = embedding(ids) * embedding.embedding_dim ** 0.5               # (batch, seq, d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def _padding_mask(self, source):
        return (source != self.pad)[:, None, None]                        # (batch, 1, 1, seq_source)
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_values", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.3, values: shapes, positions, layers, and what depends on what."""
torch.manual_seed(77)
source_, target_ = torch.tensor([[3, 4, 5, 6], [7, 8, 9, 10]]), torch.tensor([[1, 2, 3], [1, 4, 5]])
model_ = Transformer(11, 7, d_model=8, num_heads=2, num_layers=3, d_ff=12).eval()
assert getattr(model_, "pad", None) == 0, "the model should keep the number of the padding token as pad, 0 by default"
try:
    memory_ = model_.encode(source_)
    logits_, cross_ = model_.decode(target_, memory_)
    both_ = model_(source_, target_)
except IndexError as error:
    raise AssertionError(f"a word's number is too large for a table: source_vocab is the size of the source's table, target_vocab that of the target's ({error})") from error
assert tuple(memory_.shape) == (2, 4, 8), f"memory: one vector per source word, (2, 4, 8) expected, got {tuple(memory_.shape)}"
assert tuple(logits_.shape) != (2, 3, 11), "the logits are over the source's words: target_vocab = 7 is the number of words that can be written"
assert tuple(logits_.shape) == (2, 3, 7), f"logits: (batch, seq_target, target_vocab) = (2, 3, 7) expected, got {tuple(logits_.shape)}"
assert not isinstance(both_, (tuple, list)), "forward returns the logits alone"
assert tuple(cross_.shape) == (2, 2, 3, 4), f"cross-attention weights of one block, for each head: (2, 2, 3, 4) expected, got {tuple(cross_.shape)}"
assert not torch.allclose(logits_.exp().sum(-1), torch.ones(2, 3), atol=1e-4), "these are log-probabilities: logits are wanted, as the linear layer gives them"
assert not torch.allclose(logits_.sum(-1), torch.ones(2, 3), atol=1e-4), "these are probabilities: logits are wanted, without softmax"
other_ = source_.clone()
other_[:, -1] = 2
assert not torch.allclose(model_.encode(other_)[:, 0], memory_[:, 0], atol=1e-5), "the first source word does not see the last: in the encoder all words see each other (is there a causal mask, or a mask turned round?)"
torch.testing.assert_close(both_, logits_, atol=1e-5, rtol=1e-5, msg=lambda m: f"without padding forward(source, target) must be decode(target, encode(source))\n{m}")

twice_ = torch.cat([source_[:1], source_[:1]])
assert torch.allclose(model_.encode(twice_)[0], model_.encode(twice_)[1], atol=1e-5), "the same sentence twice in a batch gives two memories: positions run along the sentence, not along the batch"
torch.testing.assert_close(model_.encode(source_[:1]), memory_[:1], atol=1e-5, rtol=1e-5, msg=lambda m: f"a sentence has another memory alone than in a batch\n{m}")
assert not torch.allclose(model_.encode(source_.flip(1)).flip(1), memory_, atol=1e-4), "the memory of the sentence read backwards is the same, backwards: the source has no positions"
assert not torch.allclose(model_(other_, target_), both_, atol=1e-5), "the logits do not depend on the source: the memory was left aside"
shallow_ = Transformer(11, 7, d_model=8, num_heads=2, num_layers=1, d_ff=12).eval()
swapped_ = [torch.allclose(shallow_(source_, target_)[:, t], shallow_(source_, target_[:, order])[:, t], atol=1e-4) for t, order in [(2, [1, 0, 2]), (0, [0, 2, 1])]]
assert not all(swapped_), "the words written before may change places without effect: the target has no positions"
numbers_ = {n: sum(p.numel() for p in Transformer(11, 7, 8, 2, n, d_ff=12).parameters()) for n in (1, 2)}
per_layer_ = sum(p.numel() for layer in (nn.TransformerEncoderLayer(8, 2, 12), nn.TransformerDecoderLayer(8, 2, 12)) for p in layer.parameters())
assert numbers_[2] - numbers_[1] == per_layer_, f"one more layer is one more encoder block and one more decoder block, {per_layer_} numbers; here it is {numbers_[2] - numbers_[1]} (num_layers on both sides? d_ff passed on? new blocks, in ModuleLists?)"
both_.square().sum().backward()
for name_, p_ in model_.named_parameters():
    assert p_.grad is not None, f"no gradient reaches {name_}: it is never used, or cut off"
model_.zero_grad()
model_.decode(target_, model_.encode(source_))[1].square().sum().backward()
unused_, block_size_ = sum(p.numel() for p in model_.parameters() if p.grad is None), sum(p.numel() for p in nn.TransformerDecoderLayer(8, 2, 12).parameters())
assert unused_ < 1.5 * block_size_, "the weights returned do not depend on what the last block was given: they are those of an earlier block"
### BEGIN HIDDEN TESTS
torch.manual_seed(770)
generator = torch.Generator().manual_seed(770)
# Property: shapes, the sum of the weights, and forward as decode after encode hold for other sizes and in float64
for source_vocab, target_vocab, d_model, heads, layers, batch, seq_source, seq_target in [(5, 13, 6, 3, 2, 3, 7, 2), (29, 4, 10, 2, 1, 1, 1, 5), (3, 3, 14, 7, 4, 2, 5, 11)]:
    model = Transformer(source_vocab, target_vocab, d_model, heads, layers, pad=-1).to(torch.float64).eval()
    source, target = torch.randint(source_vocab, (batch, seq_source), generator=generator), torch.randint(target_vocab, (batch, seq_target), generator=generator)
    kept, kept_target = source.clone(), target.clone()
    memory = model.encode(source)
    logits, cross = model.decode(target, memory)
    what = f"Transformer({source_vocab}, {target_vocab}, {d_model}, {heads}, {layers}), source {tuple(source.shape)}, target {tuple(target.shape)}"
    assert tuple(memory.shape) == (batch, seq_source, d_model) and tuple(logits.shape) == (batch, seq_target, target_vocab) and tuple(cross.shape) == (batch, heads, seq_target, seq_source), f"{what}: wrong shapes"
    assert memory.dtype == logits.dtype == cross.dtype == torch.float64, f"{what}: a model in float64 gives {logits.dtype}"
    torch.testing.assert_close(cross.sum(-1), torch.ones(batch, heads, seq_target, dtype=torch.float64), msg=lambda m: f"{what}: the weights of a query do not sum to 1\n{m}")
    torch.testing.assert_close(model(source, target), logits, atol=1e-8, rtol=1e-6, msg=lambda m: f"{what}: forward is not decode after encode\n{m}")
    assert torch.equal(source, kept) and torch.equal(target, kept_target), "source or target was changed in place"
# Property: gradients reach every parameter, of the encoder, too
model = Transformer(11, 7, 10, 5, 3, 13)
F.cross_entropy(model(torch.arange(1, 11)[None], torch.arange(1, 7)[None]).flatten(0, 1), torch.arange(6)).backward()
for name, p in model.named_parameters():
    assert p.grad is not None, f"no gradient reaches {name}: it is never used"
# Property: the sizes of the feed-forward networks and the defaults are as told
sizes = [sum(p.numel() for p in Transformer(11, 7, 10, 5, 2, **options).parameters()) for options in ({}, {"d_ff": 40}, {"d_ff": 41})]
assert sizes[0] == sizes[1], "without d_ff the feed-forward networks are 4 · d_model wide"
assert sizes[2] - sizes[1] == 4 * 21, f"d_ff = 41 in place of 40 should bring 21 numbers in each of the 4 blocks, it brings {sizes[2] - sizes[1]}: does d_ff reach encoder and decoder?"
# Property: sentences up to max_len can be read and written
model = Transformer(11, 7, 6, 3, 1, max_len=13).eval()
assert tuple(model(torch.ones(2, 13).long(), torch.ones(2, 13).long()).shape) == (2, 13, 7), "13 words with max_len=13: wrong shape"
assert tuple(Transformer(11, 7, 6, 3, 1)(torch.ones(1, 512).long(), torch.ones(1, 3).long()).shape) == (1, 3, 7), "512 words, with the default max_len of 512: wrong shape"
# Property: dropout reaches encoder and decoder, in training only
model = Transformer(11, 7, 6, 3, 2, dropout=0.5)
source, target = torch.tensor([[3, 4, 5]]), torch.tensor([[1, 2]])
assert not torch.allclose(model.train().encode(source), model.train().encode(source)), "dropout=0.5 does not reach the encoder"
memory = model.eval().encode(source)
assert not torch.allclose(model.train().decode(target, memory)[0], model.train().decode(target, memory)[0]), "dropout=0.5 does not reach the decoder"
model.eval()
torch.testing.assert_close(model(source, target), model(source, target), msg=lambda m: f"after eval() two runs differ\n{m}")
# Property: dropout reaches the blocks on both sides, not the embeddings alone
model = Transformer(11, 7, 10, 5, 2, d_ff=31, dropout=0.5).train()
second_layers = [p for p in model.parameters() if tuple(p.shape) == (10, 31)]           # the second layer of each feed-forward network
with torch.no_grad():
    for p in model.parameters():
        if tuple(p.shape) == (31,):
            p.fill_(100.)                                                         # every feature between the two layers is active
(model(source[:, :1], target[:, :1]) * torch.arange(7.)).sum().backward()
missed = sum(not (p.grad.abs().amax(0) == 0).any() for p in second_layers)
assert not missed, f"dropout=0.5 does not reach {missed} of the {len(second_layers)} feed-forward networks: hand it to the blocks of encoder and decoder"
# Property: everything happens on the device of the input, no tensor is made on the CPU on the way
from torch.utils._python_dispatch import TorchDispatchMode
class OnTheCPU(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and result.device.type == "cpu":
            self.seen.append(str(func))
        return result
model = Transformer(11, 7, 6, 3, 2).to("meta")
source, target = torch.ones(2, 5, dtype=torch.long, device="meta"), torch.ones(2, 4, dtype=torch.long, device="meta")
with OnTheCPU() as cpu:
    try:
        logits = model(source, target)
    except (RuntimeError, NotImplementedError) as error:
        raise AssertionError(f"model and input are on another device than the CPU, and tensors of both devices met: {error}") from error
assert logits.device.type == "meta", f"the input is on the device meta, the logits on {logits.device}"
assert not cpu.seen, f"a tensor was made on the CPU while model and input are on another device: {cpu.seen[0]}"
### END HIDDEN TESTS
print("7.3 holds, values: shapes, positions and layers are right.")

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_padding", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.3, padding: what follows a sentence changes nothing."""
torch.manual_seed(78)
for pad_ in (0, 9):
    model_ = Transformer(11, 11, d_model=8, num_heads=2, num_layers=2, pad=pad_).eval()
    short_, target_ = torch.tensor([[3, 4, 5]]), torch.tensor([[1, 2, 6]])
    padded_ = torch.tensor([[3, 4, 5, pad_, pad_], [7, 8, 3, 2, 5]])
    kept_ = padded_.clone()
    about_ = "" if pad_ == 0 else " with pad=9 (is a 0 written into the code?)"
    memory_, long_ = model_.encode(short_), model_.encode(padded_)
    assert not long_.isnan().any(), "NaN in the memory of a padded sentence"
    assert torch.allclose(long_[:1, :3], memory_, atol=1e-5), f"the memory of three words changes when padding follows them: the encoder does not hide padding{about_}"
    real_ = (padded_ != pad_)[:, None, None]                                   # (2, 1, 1, 5)
    logits_, cross_ = model_.decode(target_.expand(2, 3), long_, real_)
    assert cross_[0, :, :, 3:].abs().max() < 1e-6, "decode was given a memory_mask, and cross-attention looked at what it hides"
    alone_ = model_(short_, target_)
    assert torch.allclose(model_(padded_, target_.expand(2, 3))[:1], alone_, atol=1e-5), f"the logits change when padding follows the source: forward does not hide it in cross-attention{about_}"
    assert torch.equal(padded_, kept_), "the source was changed in place"
### BEGIN HIDDEN TESTS
# Property: in a batch of sentences of many lengths each gets what it gets alone, in float64 and for any padding token
generator = torch.Generator().manual_seed(781)
torch.manual_seed(781)
for pad, d_model, heads, layers in [(0, 6, 3, 3), (12, 10, 2, 1), (5, 14, 7, 2)]:
    model = Transformer(13, 17, d_model, heads, layers, pad=pad).to(torch.float64).eval()
    lengths, batch = [7, 1, 4, 2, 5], 5
    source = (torch.randint(1, 13, (batch, 7), generator=generator) + pad) % 13              # never pad
    target = torch.randint(17, (batch, 6), generator=generator)
    for row, length in enumerate(lengths):
        source[row, length:] = pad
    logits = model(source, target)
    assert not logits.isnan().any(), "NaN in a batch of sentences of different lengths"
    for row, length in enumerate(lengths):
        alone = model(source[row:row + 1, :length], target[row:row + 1])
        torch.testing.assert_close(logits[row:row + 1], alone, atol=1e-8, rtol=1e-6, msg=lambda m: f"pad={pad}: a sentence of {length} words gets other logits in a padded batch than alone\n{m}")
# Property: a word that happens to have number 0 is not padding when pad is another number
model = Transformer(13, 17, 6, 3, 2, pad=4).eval()
one, other = torch.tensor([[3, 0, 5]]), torch.tensor([[3, 1, 5]])
assert not torch.allclose(model.encode(one)[:, 0], model.encode(other)[:, 0], atol=1e-5), "with pad=4, word number 0 is hidden in the encoder"
# Property: memory_mask may be broadcastable in any way
memory, target = model.encode(torch.tensor([[3, 2, 5], [6, 4, 4]])), torch.tensor([[1, 2], [3, 5]])
for mask in (torch.tensor([True, False, True]), torch.tensor([[[[True, False, True]]], [[[True, True, False]]]]), torch.rand(2, 3, 2, 3, generator=generator) < 0.7):
    logits, cross = model.decode(target, memory, mask)
    assert not (cross > 0)[~mask.expand(2, 3, 2, 3)].any(), f"a memory_mask of shape {tuple(mask.shape)} does not hide all that it should"
    assert not logits.isnan().any(), "NaN where memory_mask hides everything from a query"
# Property: a source that is nothing but padding gives no NaN, in the value and in the gradient
model.zero_grad()
logits = model(torch.tensor([[4, 4, 4], [3, 2, 5]]), target)
assert not logits.isnan().any(), "a source of nothing but padding gives NaN"
logits.sum().backward()
assert not any(p.grad.isnan().any() for p in model.parameters() if p.grad is not None), "a source of nothing but padding gives NaN in the gradient"
### END HIDDEN TESTS
print("7.3 holds, padding: it changes nothing.")

# %% nbgrader={"grade": true, "grade_id": "ch07_transformer_check_future", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.3, the future: hidden in decoder self-attention, and nowhere else."""
torch.manual_seed(79)
model_ = Transformer(11, 7, d_model=8, num_heads=2, num_layers=2).eval()
source_, target_ = torch.tensor([[3, 4, 5, 6, 7]]), torch.tensor([[1, 2, 3, 4]])
logits_, cross_ = model_.decode(target_, model_.encode(source_))
other_ = target_.clone()
other_[:, 2] = 5                                                               # another word in place 2
changed_ = ((model_.decode(other_, model_.encode(source_))[0] - logits_).abs().amax(-1) > 1e-5)[0].tolist()
assert not changed_[0] and not changed_[1], "places 0 and 1 of the decoder know what stands in place 2: the future is not hidden"
assert changed_[2], "place 2 of the decoder does not know its own word: a token may see itself"
assert changed_[3], "place 3 of the decoder does not know the word in place 2: the past may be seen (is the causal mask turned round?)"
assert cross_.min() > 0, "a word of the source was hidden from cross-attention although no mask was given: the whole source may be read at any time"
first_ = model_.encode(source_)[:, 0]
assert not torch.allclose(model_.encode(torch.tensor([[3, 4, 5, 6, 8]]))[:, 0], first_, atol=1e-5), "the encoder hides the future: its first word does not see the last"
padded_ = model_(source_, torch.tensor([[1, 2, 3, 4, 0, 0]]))
assert not padded_.isnan().any(), "NaN when padding follows the target"
assert torch.allclose(padded_[:, :4], logits_, atol=1e-5), "the logits of four words change when padding follows them in the target"
tiny_ = Transformer(11, 7, d_model=8, num_heads=2, num_layers=1).eval()        # one word alone: of self-attention's matrices W_v and W_o matter
tiny_(source_, target_[:, :1]).square().sum().backward()
idle_ = sum(p_.numel() for p_ in tiny_.parameters() if p_.ndim == 2 and p_.grad.abs().max() < 1e-10)
assert idle_ < 3 * 8 * 8, "a word in the decoder does not see itself: self-attention with one word gives nothing; the diagonal of the causal mask is allowed"
torch.testing.assert_close(model_.decode(target_[:, :2], model_.encode(source_))[0], logits_[:, :2], atol=1e-5, rtol=1e-5, msg=lambda m: f"the logits of the first two words depend on how many follow\n{m}")
### BEGIN HIDDEN TESTS
# Property: place t depends on the words up to t and on no later one, for any number of layers, in training mode, too
torch.manual_seed(791)
generator = torch.Generator().manual_seed(791)
for d_model, heads, layers, batch, seq_source, seq_target in [(6, 3, 1, 2, 5, 7), (10, 5, 3, 3, 2, 4), (14, 2, 2, 1, 7, 11)]:
    model = Transformer(13, 17, d_model, heads, layers).to(torch.float64).train()
    source, target = torch.randint(1, 13, (batch, seq_source), generator=generator), torch.randint(1, 17, (batch, seq_target), generator=generator)
    logits = model(source, target)
    for t in range(seq_target):
        other = target.clone()
        other[:, t] = target[:, t] % 16 + 1
        changed = (model(source, other) - logits).abs().amax(-1) > 1e-10             # (batch, seq_target)
        assert not changed[:, :t].any(), f"with {layers} layers a place before {t} depends on the word in place {t}: the future is not hidden in every block"
        assert changed[:, t:].all(), f"a place from {t} on does not depend on the word in place {t}"
# Property: every word written may read every word of the source, and the encoder reads in both directions
memory = model.encode(source)
assert model.eval().decode(target, memory)[1].min() > 0, "without memory_mask the whole memory is seen at any time: something was hidden"
allowed = torch.rand(1, 2, seq_target, seq_source, generator=generator) < 0.7
assert torch.equal(model.decode(target, memory, allowed)[1] > 0, allowed), "a memory_mask hides other places than it says"
for s in range(seq_source):
    other = source.clone()
    other[:, s] = source[:, s] % 12 + 1
    assert ((model.encode(other) - memory).abs().amax(-1) > 1e-10).all(), f"source word {s} is not seen by all words of the source"
    assert ((model(other, target) - model(source, target)).abs().amax(-1) > 1e-10).all(), f"source word {s} is not seen from all places of the target"
# Property: what follows a target as padding changes nothing, also in a batch with a padding token other than 0
model = Transformer(13, 17, 6, 3, 2, pad=9).to(torch.float64).eval()
short, long = torch.tensor([[3, 5, 9]]), torch.tensor([[1, 2, 9, 9, 9], [4, 5, 6, 7, 8]])
logits = model(short.expand(2, 3), long)
assert not logits.isnan().any(), "NaN when padding follows the target"
torch.testing.assert_close(logits[:1, :2], model(short, long[:1, :2]), atol=1e-8, rtol=1e-6, msg=lambda m: f"the logits of two words change when padding follows them\n{m}")
# Property: each row of a batch is decoded from its own memory
model = Transformer(13, 17, 6, 3, 2).eval()
source, target = torch.randint(1, 13, (3, 5), generator=generator), torch.randint(1, 17, (3, 4), generator=generator)
logits = model(source, target)
for row in range(3):
    torch.testing.assert_close(model(source[row:row + 1], target[row:row + 1]), logits[row:row + 1], atol=1e-5, rtol=1e-5, msg=lambda m: f"a row of the batch depends on the other rows\n{m}")
### END HIDDEN TESTS
print("7.3 holds, the future: hidden where it must be, and only there.")

# %% [markdown]
# ## 7.6 Learning to translate
#
# Two blocks on either side, two heads, 48 features: less than half as many numbers as the network with one vector had. The data, the function `train` and the
# number of steps are the same.

# %% tags=["uses-exercise"]
def new_translator():
    return Transformer(len(GERMAN), len(ENGLISH), d_model=48, num_heads=2, num_layers=2, d_ff=96, pad=PAD).to(device)

numbers = [sum(p.numel() for p in model.parameters()) for model in (OneVector(len(GERMAN), len(ENGLISH), 128), new_translator())]
print("numbers to learn, one vector and Transformer:", numbers)

# %% [markdown]
# While it learns we look on: every 25 steps we note how many held-out sentences it gets right, and where its two heads look, on average, at
# each word of "kannst du mir helfen".

# %% tags=["show", "uses-exercise"]
example = ("kannst du mir helfen".split(), "can you help me".split(), [0, 1, 3, 2])
example_data, curve, looks = to_tensors([example]), {}, {}

def look_on(step, model):
    model.eval()
    curve[step] = exact(model, test_data)
    with torch.no_grad():
        source, target, _ = example_data
        looks[step] = model.decode(target[:, :-1], model.encode(source))[1][0].mean(dim=0).cpu()      # (5, 4)
    model.train()

translator = new_translator()
train(translator, watch=look_on)
translator.eval()
print("at least 95% of the held-out sentences exactly right:", exact(translator, test_data) >= 0.95)
print("with one clause, with two clauses:                   ", [exact(translator, data) >= 0.95 for data in by_clauses])

# %% tags=["show", "uses-exercise"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 2.9), width_ratios=[3, 2])
left.plot(list(curve), list(curve.values()), marker="o", markersize=3)
left.axhline(0.95, color="0.5", linestyle="--", linewidth=1)
left.text(0, 0.9, "95%", color="0.4", fontsize=8)
left.set(xlabel="training step", ylabel="share exactly right", ylim=(-0.03, 1.05), title="For a while nothing, then everything")
wide = [exact(translator, data) for data in by_clauses]
for shift, shares, name, color in [(-0.18, narrow, "one vector", OKABE_ITO[1]), (0.18, wide, "Transformer", OKABE_ITO[0])]:
    right.bar([i + shift for i in range(2)], shares, width=0.32, label=name, color=color)
right.set(xticks=range(2), xticklabels=["one clause\n(4–5 words)", "two clauses\n(9–11 words)"], ylim=(0, 1.32), yticks=[0, 0.5, 1], ylabel="share exactly right", title="No bottleneck, no drop")
right.legend(frameon=False, fontsize=8, ncols=2, loc="upper center")
show(fig, alt="Left, the share of held-out sentences translated exactly, against the training step: near zero at first, then a steep rise to almost 1. Right, bars for sentences of one and of two clauses: the network "
              "with one vector gets some of the first right and almost none of the second, the Transformer is at 1 for both.")

# %% [markdown]
# None of these clauses was in the training data. Long sentences are no harder than short ones: a sentence of ten words leaves ten vectors.
#
# ## 7.7 Writing word by word
#
# In use there is no right translation to lean on. The model gets `<bos>`, writes the word it thinks likeliest, reads that word back, writes the next; that is
# **greedy decoding**. Done by hand for the first two words, with PyTorch's own (untrained) Transformer as the writer; ours is for the exercise:

# %%
with torch.random.fork_rng(devices=[]):
    torch.manual_seed(7)
    stand_in = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True).eval()
    table, head = nn.Embedding(len(ENGLISH), 8), nn.Linear(8, len(ENGLISH))
read_vectors = torch.randn(1, 4, 8, generator=torch.Generator().manual_seed(7))          # a source sentence, read once

written = torch.tensor([[BOS]])
for _ in range(2):
    logits = head(stand_in.decoder(table(written), read_vectors))                        # (1, written so far, target_vocab)
    best = logits[:, -1].argmax(dim=-1)                                                  # only the last place says something new
    written = torch.cat([written, best[:, None]], dim=1)
    print(tuple(logits.shape), "->", [ENGLISH[i] for i in written[0]])

# %% [markdown]
# In a batch the sentences do not end at the same time. A row that has said `<eos>` must keep silent while the others go on. We let it say `<eos>` again and
# again.
#
# ### Exercise 7.4 · Greedy translation · 2 points · about 12 minutes
#
# Translate a batch. Read the source once; then write word by word until every row has its `eos`, or `max_len` words are written. Return the words without
# `bos`; a row keeps its first `eos` and has nothing but `eos` after it. So the result has as many columns as the longest translation, its `eos`
# counted, and never more than `max_len`.
#
# Of the model use only `encode`, `decode`, `pad`, or calling it; it need not be your own `Transformer`. The model is in evaluation mode when it comes.
#
# <details><summary>Hint 1</summary>What must be handed to decode so that the padding of the source stays hidden? You wrote the same line in forward.</details>
# <details><summary>Hint 2</summary>Keep a boolean per row: has it ended? A row that has ended writes eos, whatever the model says.</details>
# <details><summary>Hint 3</summary>When do you update that boolean, and when do you ask whether all rows have ended: after the word is chosen, and after it is appended.</details>

# %% nbgrader={"grade": false, "grade_id": "ch07_greedy_translate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def greedy_translate(model, source, bos, eos, max_len):
    """Translate a batch, each time with the likeliest next word.

    source: (batch, seq_source) ids   bos, eos: ids of the marks   max_len: most words to write
    Returns ids (batch, at most max_len), without bos; after its first eos a row holds nothing but eos.
    """
    ### BEGIN SOLUTION
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    written = torch.full((source.size(0), 1), bos, device=source.device)      # (batch, 1)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= max_len and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1).masked_fill(ended, eos)           # (batch,)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return written[:, 1:]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch07_greedy_translate_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 7.4: a writer whose every word can be worked out by hand."""
class Speller(nn.Module):
    """Copies its source, whose words are seen in order; then eos. What it writes next depends on all it was given."""

    def __init__(self, vocab=20, pad=0, bos=1, eos=2):
        super().__init__()
        self.vocab, self.pad, self.bos, self.eos = vocab, pad, bos, eos
        self.unused = nn.Parameter(torch.zeros(()))

    def encode(self, source):
        return source[..., None].float()                                       # (batch, seq_source, 1)

    def decode(self, target, memory, memory_mask=None):
        (batch, seq), seq_source = target.shape, memory.size(1)
        assert len(memory) == batch, f"decode was given {batch} rows of words and a memory of {len(memory)} rows"
        mask = torch.ones(batch, 1, seq, seq_source).bool() if memory_mask is None else memory_mask.expand(batch, 1, seq, seq_source)
        assert mask.dtype == torch.bool, f"memory_mask must be boolean, it is {mask.dtype}"
        assert (target[:, 0] == self.bos).all(), "the words handed to decode must begin with bos"
        seen = mask[:, 0, -1]                                                  # (batch, seq_source)
        logits = torch.zeros(batch, seq, self.vocab)
        for row in range(batch):
            words = [int(w) for w, s in zip(memory[row, :, 0], seen[row]) if s] + [self.eos]
            for t in range(seq):
                read_back = t == 0 or t > len(words) or int(target[row, t]) == words[t - 1]
                logits[row, t, words[t] if t < len(words) and read_back else self.vocab - 1] = 5.0
        return logits, mask.float()

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

source_ = torch.tensor([[8, 6, 0, 0], [7, 5, 9, 4], [3, 0, 0, 0]])
kept_ = source_.clone()
try:
    ids_ = greedy_translate(Speller().eval(), source_, 1, 2, 10)
except RuntimeError as error:
    raise AssertionError(f"decode did not run. The mask must be broadcastable to (batch, heads, seq_target, seq_source), and the words written so far are (batch, so far) ({error})") from error
assert not isinstance(ids_, (tuple, list)), "a tensor of ids is asked for"
assert torch.equal(source_, kept_), "the source was changed in place"
assert ids_.ndim == 2 and len(ids_) == 3, f"one row per sentence: (3, …) expected, got {tuple(ids_.shape)}"
assert not ids_.dtype.is_floating_point, f"ids are whole numbers, got {ids_.dtype}"
got_, wanted_ = ids_.tolist(), [[8, 6, 2, 2, 2], [7, 5, 9, 4, 2], [3, 2, 2, 2, 2]]
before_ = [row[:row.index(2)] if 2 in row else row for row in got_]                # each row up to its first eos
assert got_[0][:1] != [1], "the result begins with bos: return the words without it"
assert before_[1], "a row of four words came out empty: does it see its source (is the mask turned round?), and when is a row marked as ended?"
assert [row[:1] for row in before_] == [[8], [7], [3]], f"the first words should be 8, 7 and 3, got {[row[:1] for row in got_]}: is the word read off the last place, with argmax, for each row?"
assert not any(0 in row for row in before_), "the model read padding as words, and copied it: hand decode a mask that hides it"
assert before_[1][:2] == [7, 5], f"the second row should begin with 7, 5, got {got_[1][:2]}: is each new word appended and read back?"
assert len(got_[0]) >= 5 or got_[1][-1] == 2, f"it stopped before the longest row had its eos: all rows must have ended, not the first or any one; got {got_}"
assert before_[1] == [7, 5, 9, 4], f"the second row should begin with 7, 5, 9, 4, got {got_[1]}: is each new word appended and read back?"
assert 2 in got_[1], f"the second row has lost its eos: each row keeps its first one; got {got_[1]}"
assert [row[:5] for row in got_] == wanted_, f"after its first eos a row holds nothing but eos: expected {wanted_}, got {got_}"
assert len(got_[0]) == 5, f"it went on although all rows had ended: 5 columns expected, got {len(got_[0])}; after its first eos a row holds nothing but eos"
for most_ in (1, 3):
    cut_ = greedy_translate(Speller().eval(), source_, 1, 2, most_).tolist()
    assert len(cut_[0]) == most_, f"with max_len={most_} there should be {most_} columns (bos does not count), got {len(cut_[0])}"
    assert cut_ == [row[:most_] for row in wanted_], f"with max_len={most_}: expected {[row[:most_] for row in wanted_]}, got {cut_}"
### BEGIN HIDDEN TESTS
class Chain(nn.Module):
    """Next word: a hash of all words so far and of all source words that are seen; now and then eos."""

    def __init__(self, vocab, pad, bos, eos, every):
        super().__init__()
        self.vocab, self.pad, self.bos, self.eos, self.every = vocab, pad, bos, eos, every
        self.unused = nn.Parameter(torch.zeros(()))

    def encode(self, source):
        return torch.stack([source, source * 0 + 1], dim=-1).double()          # (batch, seq_source, 2)

    def next_word(self, words, source):
        total = 7
        for w in [int(w) for w in source] + [-1] + words:
            total = (total * 1103515245 + w + 12345) % 2**31
        others = [w for w in range(self.vocab) if w not in (self.eos, self.bos)]
        return self.eos if (total >> 16) % self.every == 0 else others[(total >> 8) % len(others)]

    def decode(self, target, memory, memory_mask=None):
        (batch, seq), seq_source = target.shape, memory.size(1)
        mask = (target != -1)[:, None, :, None] if memory_mask is None else memory_mask
        mask, logits = mask.expand(batch, 1, seq, seq_source), -torch.rand(batch, seq, self.vocab, generator=torch.Generator().manual_seed(3), device=target.device) - 1
        for row in range(batch):
            for t in range(seq):
                source = [w for w, s in zip(memory[row, :, 0].tolist(), mask[row, 0, t].tolist()) if s]
                logits[row, t, self.next_word(target[row, :t + 1].tolist(), source)] = -0.5
        return logits, mask.double()

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

    def by_hand(self, source, max_len):
        rows = []
        for row in source.tolist():
            words, real = [self.bos], [w for w in row if w != self.pad]
            while len(words) <= max_len and self.eos not in words[1:]:
                words.append(self.next_word(words, real))
            rows.append(words[1:])
        longest = max(len(row) for row in rows)
        return [row + [self.eos] * (longest - len(row)) for row in rows]
# Property: right words for any batch, any marks, any padding token, and any length
generator = torch.Generator().manual_seed(741)
for vocab, pad, bos, eos, every, batch, seq, max_len in [(23, 0, 1, 2, 4, 5, 4, 12), (17, 16, 5, 0, 5, 7, 3, 9), (31, 3, 0, 30, 7, 1, 6, 11), (13, 1, 2, 12, 97, 3, 5, 7), (19, 0, 3, 4, 2, 11, 5, 8)]:
    model = Chain(vocab, pad, bos, eos, every).eval()
    source = (torch.randint(1, vocab, (batch, seq), generator=generator) + pad) % vocab
    for row in range(batch):
        source[row, seq - row % seq:] = pad if row % seq else source[row, 0]
    kept, wanted = source.clone(), model.by_hand(source, max_len)
    ids = greedy_translate(model, source, bos, eos, max_len)
    what = f"{batch} sentences, bos {bos}, eos {eos}, pad {pad}, max_len {max_len}"
    assert ids.ndim == 2 and ids.shape[0] == batch and ids.shape[1] <= max_len, f"{what}: result of shape {tuple(ids.shape)}"
    assert ids.shape[1] == len(wanted[0]), f"{what}: {len(wanted[0])} columns expected, got {ids.shape[1]}: it should stop when all rows have ended, and not before"
    assert ids.tolist() == wanted, f"{what}: other words than when each sentence is translated alone by hand"
    assert torch.equal(source, kept), "the source was changed in place"
# Property: a sentence is translated in a batch as it is alone
source = torch.tensor([[5, 9, 13, 4, 11], [7, 3, 0, 0, 0], [21, 17, 8, 0, 0]])
together = greedy_translate(Chain(29, 0, 1, 2, 6).eval(), source, 1, 2, 15).tolist()
for row, length in enumerate((5, 2, 3)):
    alone = greedy_translate(Chain(29, 0, 1, 2, 6).eval(), source[row:row + 1, :length], 1, 2, 15)[0].tolist()
    assert together[row][:len(alone)] == alone, f"the sentence of {length} words is translated differently in a batch"
# Property: what is written lives where the source lives
model = Chain(29, 0, 1, 2, 6).eval()
with torch.device("meta"):                                                     # where a tensor goes whose device is not said
    try:
        ids = greedy_translate(model, source, 1, 2, 15)
    except (RuntimeError, NotImplementedError) as error:
        raise AssertionError(f"a tensor was made without saying on which device, and did not fit the source's: give device=source.device ({error})") from error
assert ids.device == source.device, f"the source lives on {source.device}, the translation on {ids.device}"
assert ids.tolist() == together, "the translation is another one where tensors go elsewhere by default: give device=source.device"
### END HIDDEN TESTS
print("7.4 holds: word by word, every row to its end and no further.")

# %% [markdown]
# Now the trained model may speak for itself.

# %% tags=["show", "uses-exercise"]
def translate(text):
    """German text -> English words, cross-attention weights (heads, English words, German words)."""
    source = torch.tensor([[german_ids[word] for word in text.split()]], device=device)
    with torch.no_grad():
        written = greedy_translate(translator, source, BOS, EOS, max_len=20)
        reread = torch.cat([torch.full_like(written[:, :1], BOS), written[:, :-1]], dim=1)        # what the decoder had read
        weights = translator.decode(reread, translator.encode(source))[1][0].cpu()
    words = [ENGLISH[i] for i in written[0]]
    length = words.index("<eos>") if "<eos>" in words else len(words)
    return words[:length], weights[:, :length]

for text in ["kannst du mir helfen", "du kannst mir helfen", "heute soll Anna sie finden",
             "sie kann sie sehen", "morgen werde ich Tom treffen weil er uns hier rufen muss"]:
    print(f"{text}\n    {' '.join(translate(text)[0])}")

source, target, alignment = test_data
with torch.no_grad():
    written = greedy_translate(translator, source, BOS, EOS, max_len=20)
same = (F.pad(written, (0, 20 - written.size(1)), value=EOS) == F.pad(target[:, 1:].masked_fill(target[:, 1:] == PAD, EOS), (0, 21 - target.size(1)), value=EOS)).all(dim=1)
print("\nwritten alone, at least 95% of 500 held-out sentences exactly right:", same.float().mean().item() >= 0.95)

# %% [markdown]
# "sie kann sie sehen": "she" first and "her" after it. A question stays a question, a statement a statement, though they hold the same words. And
# "because he must call us here" turns the German order inside out.
#
# ## 7.8 Caught looking
#
# Back to the question of the beginning: when it is about to write "help", where does it look? These are the cross-attention weights of the last block for
# both heads. A row belongs to the word that is *being written* (the decoder has just read the word before it).

# %% tags=["show", "uses-exercise"]
text = "kannst du mir helfen"
words, weights = translate(text)
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3.2))
for ax, matrix, title in zip(axes, [*weights, weights.mean(dim=0)], ["head 0", "head 1", "both, averaged"]):
    draw_matrix(ax, matrix, rows=words, columns=text.split(), title=title, limits=(0, 1))
    ax.set_xlabel("German word looked at")
axes[0].set_ylabel("word being written")
fig.suptitle("Two English words cross over to find their German ones", fontsize=10)
show(fig, alt="Three heatmaps of cross-attention weights for 'can you help me' against 'kannst du mir helfen': head 0, head 1 and their average. In the average 'can' looks at 'kannst', "
              "'you' at 'du', 'help' at 'helfen' in the last column, and 'me' at 'mir' in the third.")

# %% [markdown]
# There it is: "help" looks at "helfen", at the far end, and "me" goes back to "mir". Nobody has told it. It needed the verb to say the verb, and to look there was the
# easiest way to get it. This was not so from the beginning. Here are the averages as training went on:

# %% tags=["show", "uses-exercise"]
fig, axes = plt.subplots(1, 4, figsize=(7.2, 2.4), sharey=True)
for ax, step in zip(axes, (0, 100, 200, 400)):
    draw_matrix(ax, looks[step][:4], rows=words, columns=text.split(), title=f"step {step}", limits=(0, 1), digits=1)
fig.suptitle("The alignment grows out of a blur", fontsize=10)
show(fig, alt="Four heatmaps of averaged cross-attention for 'can you help me' at training steps 0, 100, 200 and 400: spread over all words at first, 0.1 to 0.4 each, then gathering until each English word looks at its German one.")

# %% [markdown]
# At step 0 these are the weights of random matrices, spread more or less evenly, and mean nothing. A longer sentence, with a clause that begins with "weil":

# %% tags=["show", "uses-exercise"]
text = "morgen werde ich Tom treffen weil er uns hier rufen muss"
words, weights = translate(text)
fig, ax = plt.subplots(figsize=(5.6, 4.6))
draw_matrix(ax, weights.mean(dim=0), rows=words, columns=text.split(), title="Words change places, clauses do not", limits=(0, 1), digits=None)
ax.set(xlabel="German word looked at", ylabel="word being written")
show(fig, alt="Heatmap of averaged cross-attention for 'I will meet Tom tomorrow because he must call us here' against 'morgen werde ich Tom treffen weil er uns hier rufen muss'. 'tomorrow' looks back to the first word, "
              "'must' to the last; dark cells stay within the two clauses.")

# %% [markdown]
# A picture of one sentence proves little. We know the true alignment of all 500 held-out sentences: how often does the largest weight fall on the right word? For
# comparison, a model that always looked at the German word in the same place.

# %% tags=["show", "uses-exercise"]
with torch.no_grad():
    logits, weights = translator.decode(target[:, :-1], translator.encode(source), (source != PAD)[:, None, None])
is_word = alignment >= 0                                                                   # (batch, seq_target - 1)

def share_aligned(looked_at):
    return (looked_at == alignment)[is_word].float().mean().item()

same_place = torch.arange(alignment.size(1), device=device).expand_as(alignment)
print("words:", is_word.sum().item(), "  same place:", f"{share_aligned(same_place):.0%}")
for head in range(2):
    print(f"head {head} alone, at least 80%:", share_aligned(weights[:, head].argmax(dim=-1)) >= 0.8)
print("both heads, averaged, at least 90%:", share_aligned(weights.mean(dim=1).argmax(dim=-1)) >= 0.9)

# %% [markdown]
# ### What breaks if a word is hidden?
#
# Large weights alone do not prove that the model *uses* what it looks at. So we interfere. For each word that is about to be written we hide one German word from
# cross-attention: once the one it is aligned with, once another one, drawn at random. The encoder has read the whole sentence both times.

# %% tags=["show", "uses-exercise"]
def right_without(hidden):
    """Share of words still right when, for every word written, cross-attention may not see the German word `hidden`."""
    places = torch.arange(source.size(1), device=device)
    mask = (source != PAD)[:, None] & (places != hidden[..., None])                        # (batch, seq_target - 1, seq_source)
    with torch.no_grad():
        guesses = translator.decode(target[:, :-1], translator.encode(source), mask[:, None])[0].argmax(dim=-1)
    return (guesses == target[:, 1:])[is_word].float().mean().item()

lengths = (source != PAD).sum(dim=1, keepdim=True)                                         # (batch, 1)
steps_away = 1 + torch.randint(1000, alignment.shape, generator=torch.Generator().manual_seed(7)).to(device) % (lengths - 1)
another = (alignment.clamp(min=0) + steps_away) % lengths
still_right = {"nothing hidden": right_without(torch.full_like(alignment, -1)), "another word hidden": right_without(another),
               "its own word hidden": right_without(alignment)}
for name, share in still_right.items():
    print(f"{name:20} at least 95% right: {str(share >= 0.95):6} at most 30% right: {share <= 0.3}")

# %% [markdown]
# Without some other word it does not even notice. Without its own word it is lost, although the encoder had let all vectors exchange what they knew. In this
# model the alignment is not decoration: the word is fetched from where the largest weight lies. (In larger models with many blocks and heads this need not
# be so; there, too, one has to interfere to find out.)
#
# Try sentences of your own: `translate("…")` takes all words of the tables in 7.1, in orders, too, that no German would use.
#
# ## Summary
#
# How does it find "helfen"? The writer turns what it has written so far into a query; each German word has left a key; softmax puts nearly all of the weight on one of them,
# and its value brings the verb. We have caught it looking, and when we hid the word, it could not say it. You can now
#
# - say why one vector for a whole sentence is too little, and measure it: with two clauses hardly a sentence came through, with a vector for each word nearly
#   all (7.2, 7.6)
# - build an encoder, a decoder with cross-attention, and the Transformer of the 2017 paper from them: block for block with PyTorch's
#   numbers (7.3 to 7.5)
# - keep its three attentions and their masks apart: who asks, who answers, what is hidden; and cross-attention reads a bag, so the memory must carry
#   its positions itself (7.4, 7.5)
# - train it with the right answers as its input, and let it translate without them, word by word: at least 95% of sentences made of clauses it had never
#   read are exact (7.6, 7.7)
# - read the alignment of two sentences out of its cross-attention, and check that it is one: the largest weight on the right word in at least 90% of all cases, and
#   proof by interference (7.8)
#
# **Next.** The encoder alone became BERT. The decoder alone, without cross-attention and with nothing to translate, became GPT: it only ever
# asks what comes next. Chapter 8 builds it in full size, loads real weights into it, and lets it write.
#
# ## Further reading
#
# - Sutskever, Vinyals and Le, *Sequence to Sequence Learning with Neural Networks* (2014), section 2: one vector for a sentence.
# - Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align and Translate* (2015), section 3 and figure 3: where attention began, with
#   the first alignments of this kind.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3 with figure 1: what you have built; section 3.2.3 tells the three attentions apart.
# - Rush et al., *The Annotated Transformer* (2018, revised 2022): the same paper, line by line.
# - Jain and Wallace, *Attention is not Explanation* (2019), section 4, and Wiegreffe and Pinter, *Attention is not not Explanation* (2019): how far weights may be
#   trusted, and why we interfered.
# - Raffel et al., *Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer* (2020), section 2.1: the encoder–decoder in today's use.
