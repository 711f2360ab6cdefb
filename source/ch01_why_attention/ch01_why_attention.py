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
# *75 minutes · ●○○○○ · 4 exercises, 7 points · you need Python and the basics of PyTorch tensors*
#
# > We sat on the river **bank**. She put her savings in the **bank**.
#
# You did not hesitate: one bank is made of earth, the other of money. Yet the word is the same, letter for
# letter, and a network that looks words up in a table finds the same entry both times. **How can a word's
# meaning come from the words around it?** In this chapter you write attention, the mechanism that lets words
# exchange what they know, without a single trained weight. Then you measure how far it moves the two banks
# apart, and how much of that is due to attention.
#
# **After this chapter you can**
#
# - show that a static embedding gives a word one vector, whatever stands around it;
# - measure what is lost when a sentence is squeezed through one vector, and separate the vector's share of the loss
#   from the network's;
# - turn scores into weights with a softmax that survives huge scores and blocked entries;
# - compute self-attention without weights: by hand for one word, with two matrix products for a batch;
# - measure how context moves a word, compare that with a plain mean, and say where attention sits in a large
#   language model.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

# What the course brings along: a small package, whose wheel lies beside the notebooks.
try:
    import attention_built as ab
except ImportError:
    import subprocess, sys
    from pathlib import Path
    wheel = "attention_built-1.0.0-py3-none-any.whl"
    here = "https://raw.githubusercontent.com/attention-built/attention-built/main/notebooks"
    place = f"../{wheel}" if Path(f"../{wheel}").exists() else f"{here}/{wheel}"
    if subprocess.run([sys.executable, "-m", "pip", "install", "-q", place]).returncode:
        raise ImportError(f"download {here}/{wheel}, and type: pip install {wheel}")
    import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix,
                             draw_road, show, worst_guesses)
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
# The strip below shows the chapters. The course starts where a text has become a row of tokens, and ends with a model
# that writes text. Turning such a model into an assistant is a step that follows the course.

# %% tags=["show"]
draw_road(1)

# %% [markdown]
# Before an experiment you will find a cell in which to type a guess. It costs no points. The figure shows your guess
# beside the measurement, and the summary lists those that were furthest off.

# %% [markdown]
# ## 1.1 One word, one vector
#
# A network cannot read letters; it reads vectors. Where do a word's numbers come from? One old recipe still works. The
# linguist J. R. Firth put it this way: *you shall know a word by the company it keeps*. Here are sixteen sentences,
# half of them about a river, half about money. Words such as "the" occur with everything, so we leave them out.

# %%
river = """the boat drifted down the river to the bank
the water of the river rose over the muddy bank
reeds grow in the water near the bank
fish swim in the clear water of the river
the fish hid in the reeds by the muddy bank
a fish jumped out of the river near the boat
we sat on the bank of the river and watched the boat
clear water and muddy reeds filled the river"""
money = """the bank pays interest on savings
she put her money in the bank
the bank gave him a loan to buy a house
money in the account earns interest
he moved his savings to another account
the account at the bank holds money and savings
she paid interest on the loan from the bank
with her savings and a loan she bought the house"""
small_words = set("the a an of to in on at by and from near over out down with we she "
                  "he her his him".split())

def content(sentence):
    return [word for word in sentence.split() if word not in small_words]

corpus = [content(sentence) for both in zip(river.splitlines(), money.splitlines())
          for sentence in both]
words = sorted({word for sentence in corpus for word in sentence})
index = {word: n for n, word in enumerate(words)}
print(len(corpus), "sentences,", len(words), "words; the first:", corpus[0])

# %% [markdown]
# Now we count how often two words share a sentence, and ask how much more often that is than chance would have it.
# The logarithm of this ratio (never below 0) fills a square table with a row for each word. A singular value
# decomposition then keeps the two directions that say most, so that each word ends as a point in the plane.

# %%
together = torch.zeros(len(words), len(words))
for sentence in corpus:
    for a in sentence:
        for b in sentence:
            together[index[a], index[b]] += a != b
by_chance = together.sum(1, keepdim=True) * together.sum(0) / together.sum()

directions, strengths, _ = torch.linalg.svd((together / by_chance).log().clamp(min=0))
vectors = directions[:, :2] * strengths[:2].sqrt()       # (words, 2)
# the sign of a direction is free: let it point up
vectors = vectors * vectors.sum(0).sign()
print("one vector per word:", tuple(vectors.shape))

# %% tags=["show"]
def draw_words(ax, named):
    """All words as grey points; those named in colour, with their names."""
    ax.scatter(*vectors.T.tolist(), color="0.75", s=18)
    for word in named:
        place = vectors[index[word]].tolist()
        ax.scatter(*place, color=OKABE_ITO[3] if word == "bank" else OKABE_ITO[0], s=30)
        ax.annotate(word, place, (7, 0), textcoords="offset points", va="center")
    ax.set(xlabel="direction 1", ylabel="direction 2", xlim=(-0.05, 1.4),
           ylim=(-0.3, 1.05))

fig, ax = plt.subplots(figsize=(7, 3.6))
draw_words(ax, ["river", "boat", "jumped", "savings", "loan", "buy", "bank"])
ax.set_title('River words lie along one direction, '
             'money words along the other, "bank" between them')
show(fig, "Scatter plot of word vectors: river words up the left side, "
          "money words along the bottom, bank alone in between.")

# %% [markdown]
# Nobody told the machine what a river is. It only counted, and each topic got a direction of its own: river words point
# up, money words to the right. "Bank" occurs with both, so it lies between them.
#
# A network holds such vectors in an embedding layer, which is a table and nothing more: number in, row out. Look
# "bank" up in the two sentences at the top of this chapter.

# %%
embedding = nn.Embedding.from_pretrained(vectors)

def look_up(sentence):
    """The vectors of a sentence's content words, and the place of "bank" among them."""
    kept = content(sentence)
    return embedding(torch.tensor([index[word] for word in kept])), kept.index("bank")

river, i = look_up("we sat on the river bank")
money, j = look_up("she put her savings in the bank")
print("river sentence:  bank =", [round(v, 3) for v in river[i].tolist()])
print("money sentence:  bank =", [round(v, 3) for v in money[j].tolist()])
print("largest difference:", (river[i] - money[j]).abs().max().item())

# %% [markdown]
# A difference of 0: the same vector. Such an embedding is called **static**: it was fixed before the sentence was
# seen. More text or more dimensions would not help, since a table has one row per word. The
# vector must be *changed by its sentence*. How can the words of a sentence exchange information?

# %% [markdown]
# ## 1.2 One sentence, one vector
#
# Until about 2015 the usual answer was to read as we do, from left to right, with a memory. A **recurrent encoder**
# keeps a state $h$ and changes it with every word $x_t$:
#
# $$h_t = \tanh(W x_t + U h_{t-1} + b)$$
#
# After the last word, $h$ has seen the whole sentence, in order. A translator of that time handed this one vector to
# a second network, which had to write the translation from it. How large is the vector?

# %%
encoder = nn.RNN(input_size=2, hidden_size=4, batch_first=True)
for seq in (3, 30, 3000):
    states, last = encoder(torch.randn(1, seq, 2))       # (1, seq, 4), (1, 1, 4)
    print(f"{seq:4d} words -> {seq:4d} states on the way, and at the end one vector of "
          f"{last.numel()} numbers")

# %% [markdown]
# Three words or three thousand: the same four numbers. This is the **bottleneck**. Does it hurt, and if so, is it the
# vector or the network that loses the words? We measure it.
#
# Our readers read a sentence of random words (random, so that nothing can be guessed). When they have finished, they
# answer for every place $p$ the question "which word stood there?". A translator that starts to write only after
# reading the whole sentence has the same problem. They answer from a weighted sum of the encoder's states, and differ in two things:
#
# - **what is handed over**: the *one-vector* readers must put all their weight on the last state; the reader that
#   *looks back* may spread its weight over all states, and chooses it anew for each question;
# - **the cell** that makes the states: the *plain* one of the formula above, or a *gated* one (a GRU, the better cell
#   of that time), which learns for each number of its state how much of the old value to keep.

# %% tags=["show"]
class Reader(nn.Module):
    """Reads a sentence, then names the word that stood at each place."""

    def __init__(self, cell, looks_back=False, words=10, places=24, width=32):
        super().__init__()
        self.looks_back = looks_back
        self.word, self.place = nn.Embedding(words, width), nn.Embedding(places, width)
        self.encoder = cell(width, width, batch_first=True)
        self.ask = nn.Linear(width, width)
        self.answer = nn.Sequential(nn.Linear(2 * width, 2 * width), nn.ReLU(),
                                    nn.Linear(2 * width, words))

    def hand_over(self, read):  # (batch, seq, width): the words
        states, _ = self.encoder(read)                   # (batch, seq, width)
        place = self.place.weight[:read.shape[1]]
        # (batch, seq, width): one per place
        questions = self.ask(place).expand_as(states)
        if self.looks_back:  # weights: (batch, question, state)
            weights = (questions @ states.transpose(1, 2)).softmax(dim=-1)
        else:
            weights = states.new_zeros(len(read), read.shape[1], read.shape[1])
            weights[:, :, -1] = 1  # the last state, whatever is asked
        return weights @ states, questions, weights  # first: (batch, question, width)

    def forward(self, ids):                              # (batch, seq)
        read = self.word(ids) + self.place.weight[:ids.shape[1]]
        handed_over, questions, weights = self.hand_over(read)
        return self.answer(torch.cat([handed_over, questions], dim=-1)), weights

# %% tags=["show"]
LENGTHS = (2, 4, 8, 12, 16, 24)

def train(reader, steps=1000):
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.003)
    for step in range(steps):
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
# All are trained on the same sentences of 2 to 24 words, drawn from a vocabulary of ten. Then each reads new
# sentences of every length, and we count the words that it names correctly. A fourth reader has a vector three times as wide.
#
# **Predict, then run.** Guessing is right one time in ten: a share of 0.1. Of a sentence of 24 words, what share will
# the plain and the gated one-vector reader know of the *first* word?

# %% tags=["show"]
guess_plain = None     # type a number from 0 to 1, then run the next cell
guess_gated = None     # and another

# %% tags=["show", "tolerance-0.2"]
kinds = {"looks back, plain": (nn.RNN, True), "one vector, plain": (nn.RNN, False),
         "one vector, gated": (nn.GRU, False),
         "one vector, gated, 96 wide": (nn.GRU, False)}
readers, recalled = {}, {}
threads = torch.get_num_threads()
torch.set_num_threads(1)  # for steps as small as these one core is enough
print(f"{'':28s}first word of{'':12s}mean over all words of")
print(f"{'':26s}", *[f"{seq:5d}" for seq in LENGTHS] * 2)
for name, (cell, looks_back) in kinds.items():
    torch.manual_seed(1)
    readers[name] = Reader(cell, looks_back,
                           width=96 if "96" in name else 32).to(device)
    train(readers[name])
    recalled[name] = [recall(readers[name], seq) for seq in LENGTHS]
    numbers = [r[0] for r in recalled[name]] + [r.mean() for r in recalled[name]]
    print(f"{name:26s}", *[f"{number:5.2f}" for number in numbers])
torch.set_num_threads(threads)
first = {name: round(places[-1][0].item(), 2) for name, places in recalled.items()}
check_guess("first word of 24, plain", guess_plain, first["one vector, plain"])
check_guess("first word of 24, gated", guess_gated, first["one vector, gated"])

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3.3), sharey=True)
for (name, places), marker, line in zip(recalled.items(), "osD^", ("-", "-", "-", ":")):
    means = [share.mean().item() for share in places]
    left.plot(LENGTHS, means, line, marker=marker, ms=4, label=name)
    right.plot(range(24), places[-1].tolist(), line, marker=marker, ms=3, label=name)
for ax in (left, right):
    ax.axhline(0.1, color="0.5", ls=":", lw=1)
for guess, number in ((guess_plain, 1), (guess_gated, 2)):
    if isinstance(guess, (int, float)):
        right.plot([-0.6], [guess], ">", color=OKABE_ITO[number], ms=8, clip_on=False)
left.annotate("guessing", (2, 0.1), (0, 4), textcoords="offset points", color="0.4")
left.set(xticks=LENGTHS, xlabel="words in the sentence", ylabel="share recalled",
         ylim=(0, 1.05))
left.set_title("One vector loses words as sentences grow")
right.set(xticks=(0, 6, 12, 18, 23), xlabel="place of the word (0: the first)")
right.set_title("Of 24 words the cell decides which stay")
fig.legend(*left.get_legend_handles_labels(), frameon=False, loc="outside lower center",
           ncols=2)
show(fig, "Two line plots. Left: mean recall against sentence length; the reader that "
          "looks back stays at 1, the one-vector readers fall, the plain one most, "
          "the wide gated one least. Right: recall by place in sentences of 24 words; "
          "the plain one-vector reader knows the last few words only, "
          "the gated one the first few, the one that looks back all.")

# %% [markdown]
# There are two separate losses:
#
# - **Which words are lost depends on the cell.** The plain cell overwrites: it knows the end of the sentence and has
#   lost the first word (last column of the left half). The gated cell keeps the first word almost always, and
#   loses the end instead.
# - **That words are lost at all is due to the one vector.** Of 24 words either cell loses most (last column of the table).
#   Hand over *all* states of the plain, forgetful cell, and nothing is lost. A vector three times as wide holds
#   more, but also loses words as sentences grow.
#
# Or were they only trained too briefly? We train the gated one-vector reader as long again.

# %% tags=["show", "tolerance-0.2"]
longer = Reader(nn.GRU).to(device)
longer.load_state_dict(readers["one vector, gated"].state_dict())
torch.set_num_threads(1)
train(longer)
torch.set_num_threads(threads)
print("mean over all words of 24, one vector, gated: "
      f"{recalled['one vector, gated'][-1].mean():.2f} after 1,000 steps, "
      f"{recall(longer, 24).mean():.2f} after 2,000")

# %% [markdown]
# More training helps: 0.36 instead of 0.28. Still nearly two words in three are lost, and the reader that looks back had
# all 24 after 1,000 steps.
#
# Here are the weights with which two of the readers collect their answers from the states.

# %% tags=["show"]
ids = torch.randint(10, (1, 12), generator=torch.Generator().manual_seed(12)).to(device)
titles = {"one vector, plain": "One vector: all from the last state",
          "looks back, plain": "Looking back: the alignment"}
fig, axes = plt.subplots(1, 2, figsize=(7, 3.4))
for ax, (name, title) in zip(axes, titles.items()):
    with torch.no_grad():
        used = readers[name](ids)[1][0]                  # (question, state)
    image = draw_matrix(ax, used, title=title, limits=(0, 1), digits=None)
    ax.set(xlabel="state after word", ylabel="question: the word at place")
    own = used.diagonal().mean().item()
    print(f"{name}: "
          f"weight of a question on the state after its own word, mean {own:.1f}")
fig.colorbar(image, ax=axes, label="weight", shrink=0.8)
show(fig, "Two 12 by 12 heatmaps of weights. "
          "Left: one dark column, the last state. Right: a dark diagonal.")

# %% [markdown]
# Nobody told the reader that looks back where to look. It was told only whether its answers were right, and it found
# the **alignment** by itself: question 5 reads at word 5. In a translation, where the order of words changes, the dark
# cells leave the diagonal and show which word was translated from which (chapter 7 trains one). This is how attention
# entered translation in 2014: as a repair for the bottleneck.

# %% [markdown]
# Three years later came the bolder step: if looking back works so well, why read in order at all? Let **every word
# look at every word**, and drop the recurrent network. That changes two more things, and both can be counted before
# anything is trained: how many steps must **wait** for one another, and how much of a change in the **first word**
# arrives at the end.

# %% tags=["show", "tolerance-0.05"]
def longest_chain(result):
    """How many operations on the way to this tensor had to wait, each for the one
    before.
    """
    depth, waiting = {}, [result.grad_fn]
    while waiting:
        before = [step for step, _ in waiting[-1].next_functions if step is not None]
        unknown = [step for step in before if step not in depth]
        if unknown:
            waiting += unknown
        else:
            depth[waiting.pop()] = 1 + max((depth[step] for step in before), default=0)
    return depth[result.grad_fn]

def first_to_end(read, end):
    """Norm of the derivative of one number at the end by the first word read (median of
    sentences).
    """
    (gradient,) = torch.autograd.grad(end[:, 0].sum(), read, retain_graph=True)
    return gradient[:, 0].norm(dim=-1).median().item()

counts = {}
ways = {"plain": (nn.RNN, False), "gated": (nn.GRU, False),
        "attention": (nn.Identity, True)}
for name, (cell, looks_back) in ways.items():
    for seq in (2, 4, 8, 16, 32, 64):
        generator = torch.Generator().manual_seed(seq)
        read = torch.randn(50, seq, 32, generator=generator).requires_grad_()
        torch.manual_seed(1)
        encoder = cell(32, 32, batch_first=True)
        states = read if looks_back else encoder(read)[0]           # (50, seq, 32)
        end = states[:, -1]
        if looks_back:  # the last word looks at all words; √32: see chapter 2
            end = (
                (end[:, None] @ states.mT / 32 ** 0.5).softmax(dim=-1) @ states)[:, 0]
        counts[name, seq] = longest_chain(end), first_to_end(read, end)
    waits = [counts[name, seq][0] for seq in (2, 16, 64)]
    arrives = [f"{counts[name, seq][1]:.0e}" for seq in (2, 16, 64)]
    print(f"{name:10s} steps that wait: {waits}   change that arrives: {arrives}")

# %% tags=["show", "nbval-ignore-output"]
from time import perf_counter

def milliseconds(work, runs=10):
    """The shortest of a few runs, forward and backward."""
    def once():
        start = perf_counter()
        work().sum().backward()
        return 1000 * (perf_counter() - start)
    return min(once() for _ in range(runs))

fig, axes = plt.subplots(1, 3, figsize=(7, 2.9))
long = (32, 128, 512)
times = {"plain": [], "attention": []}
for seq in long:
    read = torch.randn(1, seq, 32, requires_grad=True)
    rnn = nn.RNN(32, 32, batch_first=True)
    times["plain"].append(milliseconds(lambda: rnn(read)[0]))
    times["attention"].append(
        milliseconds(lambda: (read @ read.mT).softmax(dim=-1) @ read))
colours = {"plain": OKABE_ITO[1], "gated": OKABE_ITO[2], "attention": OKABE_ITO[0]}
for name, colour in colours.items():
    lengths = [seq for kind, seq in counts if kind == name]
    for ax, part in zip(axes, (0, 1)):
        ax.plot(lengths, [counts[name, seq][part] for seq in lengths], "o-", ms=3,
                color=colour, label=name)
    if name in times:
        axes[2].plot(long, times[name], "o-", ms=3, color=colour)
axes[0].set(title="Steps that wait\nfor one another", xlabel="words")
axes[1].set(title="Change of the first word\nthat arrives at the end", xlabel="words",
            yscale="log")
axes[2].set(title="Milliseconds, forward and\nbackward, on this machine",
            xlabel="words", yscale="log")
axes[0].legend(frameon=False)
show(fig,
     "Three line plots against the number of words, for a plain and a gated recurrent "
     "cell and attention. Steps that wait grow in a straight line for both cells and "
     "stay level for attention; the change of the first word that arrives falls on a "
     "log scale to almost nothing for both cells and stays level for attention; times.")

# %% [markdown]
# A recurrent encoder cannot read word 64 before word 63: its chain of waiting steps grows with the sentence. And in a
# fresh, untrained cell the influence of the first word is multiplied at every step, until almost nothing of it arrives:
# that is where training has to start. (Training can change it: the gated reader above learned to keep the first
# word.) In attention every pair of words meets directly. The chain keeps its length, so all words can be worked on at
# once, **in parallel**; how much time that saves depends on the machine (right panel). The price is the number of pairs,
# the subject of chapter 10.
#
# The rest of this chapter does attention by hand, and without anything that is trained.

# %% [markdown]
# ## 1.3 Scores: how well do two words fit?
#
# Take a word that wants to know how much another word matters to it. A simple measure of fit is the **dot product**:
# multiply the two vectors number by number and add up. The word that asks is called the **query**, and the result is
# a **score**. Here "bank" asks three words of section 1.1, whose vectors we can draw.

# %%
bank = vectors[index["bank"]].tolist()
for word in ("river", "jumped", "savings"):
    vector = vectors[index[word]].tolist()
    sums = " + ".join(f"{a:.2f}·{b:.2f}" for a, b in zip(bank, vector))
    print(f"bank · {word:7s} = {sums} = {sum(a * b for a, b in zip(bank, vector)):.2f}")

# %% tags=["show"]
fig, ax = plt.subplots(figsize=(6, 3.2))
for word, colour in zip(("bank", "river", "jumped", "savings"), (3, 0, 5, 4)):
    x_, y_ = vectors[index[word]].tolist()
    ax.annotate("", (x_, y_), (0, 0), arrowprops=dict(arrowstyle="-|>",
        color=OKABE_ITO[colour], lw=2))
    score = torch.dot(vectors[index["bank"]], vectors[index[word]]).item()
    ax.annotate(f"{word}\nscore {score:.2f}", (x_, y_), (6, 0),
                textcoords="offset points", va="center",
                color=OKABE_ITO[colour])
ax.set(xlim=(-0.05, 1.45), ylim=(-0.3, 1.05), aspect="equal", xlabel="direction 1",
       ylabel="direction 2")
ax.set_title(
    'Scores with "bank": a longer arrow scores higher than a shorter one beside it')
show(fig, "Four arrows from the origin: bank short and to the upper right, "
          "river long and up, jumped shorter and up, savings longest and to the right. "
          "Beside each stands its dot product with bank.")

# %% [markdown]
# "jumped" and "river" point nearly the same way, and "river" scores higher, because its arrow is longer. Geometry says
# why:
#
# $$q \cdot k = \lVert q \rVert \, \lVert k \rVert \cos\theta$$
#
# A score grows when two vectors point the same way, and also when they are *long*. Section 1.5 shows what that does.
#
# Hand calculations in the first four chapters use one sentence of six words with three numbers each, few enough for a
# pencil. Sentence and numbers are Sebastian Raschka's, from chapter 3 of his book *Build a Large Language Model (From
# Scratch)*; the numbers stand for no meaning.

# %%
tokens = ["Your", "journey", "starts", "with", "one", "step"]
x = torch.tensor([[0.43, 0.15, 0.89],    # Your
                  [0.55, 0.87, 0.66],    # journey
                  [0.57, 0.85, 0.64],    # starts
                  [0.22, 0.58, 0.33],    # with
                  [0.77, 0.25, 0.10],    # one
                  [0.05, 0.80, 0.55]])   # step
print("x:", tuple(x.shape), "= (seq, d_model)")

# %% [markdown]
# ### Exercise 1.1 · Attention scores · 1 point · about 5 minutes
#
# Write the scores of one token with every token, itself included, as a function of the whole sentence. It must work
# for any sentence, any number of features and every token <!-- asks: sizes, values -->, also where `x` is a view of
# another table, such as `table.T` <!-- asks: views -->. **It must also** give scores in the dtype of `x`, with its
# precision (`bfloat16`, too <!-- asks: half -->), and on its device <!-- asks: dtype, device -->, leave `x` unchanged
# <!-- asks: inputs-unchanged -->, and let gradients flow back to `x`: so keep the numbers inside tensors
# <!-- asks: gradient -->. (The same holds for every exercise of the course that returns tensors.)
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
assert attention_scores(two_tokens, 0).tolist() == [5, 1]
assert attention_scores(two_tokens, 1).tolist() == [1, 10]

# %% nbgrader={"grade": true, "grade_id": "ch01_attention_scores_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["keeps_dtype", "stays_on_device"]
"""Exercise 1.1: the dot product of one token with every token, itself included."""
# five tokens, two features
toy = torch.tensor([[1., 2.], [3., -1.], [0., 2.], [2., 3.], [-1., 1.]])
try:
    scores = attention_scores(toy, 2)
except TypeError as error:
    raise AssertionError("a step got numbers where it needs tensors, or the other way "
                         f"round: keep the numbers inside tensors ({error})") from error
except (RuntimeError, IndexError) as error:
    raise AssertionError(
        "it did not run on x of shape (5, 2): is a number of tokens or features "
        f"fixed, or an axis confused? ({error})") from error
assert isinstance(scores, torch.Tensor), (
    f"a tensor of scores is expected, got {type(scores).__name__}")
shapes = {
    (5, 2): "the products were not added up: a dot product is one number for each "
            "token",
    (5, 5): "these are the scores of all tokens: only those of token i were asked for",
    (2,): "one number for each feature came out: one for each token is wanted",
    (4,): "a token is missing: token i scores itself, too",
    (5, 1): "an axis of length 1 is left over: one number for each token is wanted",
    (1, 5): "an axis of length 1 is left over: one number for each token is wanted",
    (6,): "six scores came out, as the running sentence has tokens: use the x that is "
          "passed",
    (): "one single number came out: one for each token is wanted"}
assert tuple(scores.shape) == (5,), (
    f"{shapes.get(tuple(scores.shape), 'wrong shape')} "
    f"(shape (5,) expected, got {tuple(scores.shape)})")
mistakes = {
    "these are cosines: leave the lengths of the vectors "
    "in": [0.894, -0.316, 1, 0.832, 0.707],
    "the scores were divided by √d: that comes in chapter "
    "2": [2.828, -1.414, 2.828, 4.243, 1.414],
    "the scores were divided by d: a dot product is a sum, not a "
    "mean": [2, -1, 2, 3, 1],
    "these are weights: scores come before softmax": [0.105, 0, 0.105, 0.776, 0.014],
    "token i must score itself, too (token 2 with itself: 4)": [4, -2, 0, 6, 2],
    "token i must score itself, too (token 2 with itself is 4, not "
    "-inf)": [4, -2, -torch.inf, 6, 2],
    "tokens after token i must be scored, too: nothing is hidden in this "
    "chapter": [4, -2, 4, 0, 0],
    "token i must score the tokens before it, too": [0, 0, 4, 6, 2],
    "these are distances: a large score must mean a good "
    "fit": [1, 4.243, 0, 2.236, 1.414],
    "these are squared distances: a large score must mean a good fit": [1, 18, 0, 5, 2],
    "the signs got lost: a score may be negative": [4, 2, 4, 6, 2],
    "the vectors were added, not multiplied": [5, 4, 4, 7, 2],
    "the scores were sorted: they stand in the order of the tokens": [6, 4, 4, 2, -2],
    "these are the scores of token 0, not of token 2: does the function use "
    "i?": [5, 1, 4, 8, 1],
    "these are the scores of token 1, not of token 2: does the function use "
    "i?": [1, 10, -2, 3, -4],
    "these are the scores of token 3, not of token 2: does the function use "
    "i?": [8, 3, 6, 13, 1],
    "these are the scores of token 4, not of token 2: does the function use "
    "i?": [1, -4, 2, 1, 2]}
for mistake, values in mistakes.items():
    wrong = torch.tensor(values, dtype=torch.float32)
    assert not torch.allclose(scores.detach().float(), wrong, atol=1e-3), mistake
torch.testing.assert_close(
    scores.float(), torch.tensor([4., -2., 4., 6., 2.]),
    msg=lambda m: f"the scores of token 2 are 4, -2, 4, 6, 2\n{m}")
assert toy.tolist() == [[1, 2], [3, -1], [0, 2], [2, 3], [-1, 1]], (
    "x was changed in place: make new tensors")
assert not scores.requires_grad, (
    "x asks for no gradients, but the scores do: was requires_grad_() called? Leave x "
    "as it is; whether gradients are wanted is decided by the caller")
for dtype in (torch.float64, torch.bfloat16):
    scores = attention_scores(toy.to(dtype), 0)
    assert scores.dtype == dtype, (
        f"the scores must have the dtype of x: {dtype} went in, {scores.dtype} came "
        "out")
thirds_ = toy.double() / 3
off_ = (attention_scores(thirds_, 2) - (thirds_ * thirds_[2]).sum(dim=1)).abs().max()
assert not 1e-12 < off_ < 0.1, (
    f"x in float64, with thirds in it: the scores are off by up to {off_.item():.0e}, "
    "float64 is exact to 1e-15: were they computed in a lower precision, or rounded?")
try:
    # (2, 5), seen as (5, 2)
    attention_scores(toy.T.contiguous().T, 2)
except RuntimeError as error:
    raise AssertionError("it fails for an x that is not contiguous in memory, such as "
                         f"table.T ({error})") from error
try:
    # the device meta, shapes without numbers, stands for a GPU here
    attention_scores(toy.to("meta"), 2)
except (RuntimeError, NotImplementedError) as error:
    assert "expected device" not in str(error), (
        "a tensor was made on the CPU, not on the device of the input: use the input's "
        f"device ({error})")
learned = toy.clone().requires_grad_()
scores = attention_scores(learned, 2)
assert scores.requires_grad, (
    "the scores have lost their connection to x: "
    "numbers were taken out of the tensors, or they were detached")
(gradient,) = torch.autograd.grad(scores[0], learned, allow_unused=True)
assert gradient is not None and gradient.tolist() == [
    [0, 2], [0, 0], [1, 2], [0, 0], [0, 0]], (
    "the gradient of the score of token 0 must reach token 0 and token 2, and no "
    "other: was one of them detached, or were the scores rounded?")
(gradient,) = torch.autograd.grad(attention_scores(learned, 0)[4], learned)
expected = torch.tensor([[-1., 1.], [0., 0.], [0., 0.], [0., 0.], [1., 2.]])
assert torch.allclose(gradient, expected, atol=1e-4), (
    "when token 0 asks, the gradient of its score with token 4 must reach both, and no "
    "other: was one of them detached?")
scores = attention_scores(100 * toy, 2)
expected = torch.tensor([40000., -20000., 40000., 60000., 20000.])
assert torch.allclose(scores, expected, rtol=1e-4), (
    "x times 100: 10,000 times the scores are expected, got "
    f"{[round(s) for s in scores.tolist()]}. Were they cut off, or kept from the call "
    "before?")
for seq, d in [(4, 3), (7, 1), (1, 2)]:
    try:
        scores = attention_scores(torch.ones(seq, d), seq - 1)
    except (RuntimeError, IndexError) as error:
        raise AssertionError(
            f"it did not run on x of shape ({seq}, {d}): it must work for any length "
            f"and any number of features ({error})") from error
    assert tuple(scores.shape) == (seq,), (
        f"x of shape ({seq}, {d}): scores of shape ({seq},) expected, got "
        f"{tuple(scores.shape)}. It must work for any length and any number of "
        "features: is a size fixed, or an axis of length 1 dropped (squeeze)?")
    assert scores.tolist() == [d] * seq, (
        f"{seq} tokens of {d} ones: each score is the dot product {d}, got "
        f"{scores.tolist()}. It must work for any length and any number of features")
### BEGIN HIDDEN TESTS
for seq, d in [(7, 3), (3, 7), (5, 5), (1, 2), (13, 1)]:
    generator = torch.Generator().manual_seed(100 * seq + d)
    for dtype in (torch.float32, torch.float64):
        # not contiguous
        sentence = torch.randn(d, seq, generator=generator, dtype=dtype).T
        before = sentence.clone()
        # Property: an x that is not contiguous in memory will do [views]
        try:
            attention_scores(sentence, 0)
        except RuntimeError as error:
            attention_scores(sentence.contiguous(), 0)
            raise AssertionError("it fails for an x that is not contiguous in memory, "
                                 f"such as table.T ({error})") from error
        for i in range(seq):
            # Property: right for every token of sentences of any length and width [sizes]
            scores = attention_scores(sentence, i)
            assert tuple(scores.shape) == (seq,), (
                f"x of shape ({seq}, {d}): scores of shape ({seq},) expected, got "
                f"{tuple(scores.shape)}")
            # Property: x is left as it was [inputs-unchanged]
            assert torch.equal(sentence, before), "x was changed in place"
            # Property: the scores have the dtype of x [dtype]
            assert scores.dtype == dtype, f"x is {dtype}, the scores are {scores.dtype}"
            # Property: every score is the dot product of token i with that token [values]
            wanted = torch.stack(
                [(sentence[i] * sentence[j]).sum() for j in range(seq)])
            torch.testing.assert_close(
                scores, wanted,
                msg=lambda m: f"token {i} of x with shape ({seq}, {d})\n{m}")
# long and wide, with large scores, and twice the same shape
for seed in (1, 2):
    sentence = 300 * torch.randn(
        613, 131, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    torch.testing.assert_close(
        attention_scores(sentence, 601), sentence @ sentence[601], rtol=1e-9, atol=1e-4,
        msg=lambda m: "613 tokens with 131 large numbers each: was a part left out, "
                      f"were scores cut off, or kept from the call before?\n{m}")
# Property: gradients flow from the scores back to x [gradient]
for i in (3, 0, 4):
    sentence = torch.randn(5, 3, generator=torch.Generator().manual_seed(5),
                           dtype=torch.float64).requires_grad_()
    scores = attention_scores(sentence, i)
    assert scores.requires_grad, (
        "the scores have lost their connection to x: numbers were taken out of the "
        "tensors")
    (gradient,) = torch.autograd.grad(scores[1] + 2 * scores[i], sentence)
    wanted = torch.zeros(5, 3, dtype=torch.float64)
    wanted[1] = sentence[i].detach()
    wanted[i] = (sentence[1] + 4 * sentence[i]).detach()
    torch.testing.assert_close(
        gradient, wanted,
        msg=lambda m: f"the gradient is not that of a dot product, token {i}\n{m}")
# Property: the scores are computed on the device of x [device]
sentence = torch.randn(5, 3, generator=torch.Generator().manual_seed(6))
stays_on_device(attention_scores, sentence, 1)
# Property: a dtype of 16 bits is kept, too [half]
keeps_dtype(attention_scores, sentence, 1)
### END HIDDEN TESTS
print("1.1 holds for five tokens: values, shape, dtype, gradient. "
      "Hidden tests look at other sizes and devices.")

# %% [markdown]
# With your function every word can ask. Read a row as "how much does this word care for each of the others".

# %% tags=["uses-exercise"]
print(" " * 8 + "".join(f"{token:>9s}" for token in tokens))
for i, token in enumerate(tokens):
    row = attention_scores(x, i).tolist()
    print(f"{token:8s}" + "".join(f"{score:9.4f}" for score in row))

# %% [markdown]
# Row "journey" is the one from above. The table is symmetric, as $a \cdot b = b \cdot a$: "journey" gives
# "step" the score that "step" gives "journey". With the queries and keys of chapter 2 that need not be so.
#
# ## 1.4 Weights: softmax
#
# Scores say who matters; to mix six vectors we need shares: positive numbers that sum to 1. Why not
# divide by the sum? Because scores may be negative, and then the results are no shares:

# %%
scores = torch.tensor([2.0, -1.0, -0.9])
print("divided by their sum:", [round(s, 2) for s in (scores / scores.sum()).tolist()])

# %% [markdown]
# One share of 2000%, and two of minus 1000% and minus 900%. **Softmax** makes every score positive first, with the
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
# Two properties to remember. Adding the same number to all scores changes nothing, since $e^{s+c} = e^s e^c$ and the
# factor cancels: **only differences count**. And a score that is higher by 1 gets $e \approx 2.718$ times the
# weight.

# %%
for scores in ([100., 101., 99.], [0., 1., -1.]):
    w = torch.softmax(torch.tensor(scores), dim=0)
    print(f"{str(scores):22s} {[round(v, 4) for v in w.tolist()]}   second : first = "
          f"{w[1] / w[0]:.3f}")

# %% [markdown]
# <details><summary>Footnote: a number to check when you meet it</summary>
#
# Some texts print 0.27, 0.73 and 0.001 for the softmax of 100, 101 and 99. These do not sum to 1. The first two are
# the softmax of two scores, 100 and 101.
#
# </details>
#
# **What breaks if…** we compute the formula as it stands, and the scores are large?

# %%
large = torch.tensor([1000., 1001., 999.])
print("exponentials:", large.exp().tolist())
print("weights:     ", (large.exp() / large.exp().sum()).tolist())

# %% [markdown]
# $e^{1000}$ is more than a computer's numbers can hold, and infinity divided by infinity is "not a number". But the
# differences are as small as before, so the right answer is $[0.2447, 0.6652, 0.0900]$ once more. Use the fact that
# only differences count.

# %% [markdown]
# Very low scores need care as well. A score of $-\infty$ is how chapter 3 will say "you may not look here":
# $e^{-\infty} = 0$, no weight. And if *nothing* may be looked at?

# %%
inf = float("inf")
print("one blocked:", torch.softmax(torch.tensor([0., 0., -inf]), dim=0).tolist())
print("all blocked:", torch.softmax(torch.tensor([-inf, -inf, -inf]), dim=0).tolist())

# %% [markdown]
# PyTorch answers 0/0, which is NaN, "not a number", and every sum and product that meets a NaN becomes one. In this
# course a token that may look at nothing gets nothing: **weights of zero**.
#
# ### Exercise 1.2 · A softmax that does not break · 2 points · about 12 minutes
#
# Write `softmax(scores, dim)` from scratch, or with PyTorch's inside; either is accepted.
#
# - 1 point: right along any axis of tensors with any number of axes (without `dim`: along the last)
#   <!-- asks: values, default-dim -->, with scores of ±10,000 too <!-- asks: large-scores -->;
# - 1 point: entries of $-\infty$ get weight 0 and the others share it, beside huge scores too
#   <!-- asks: blocked-entries, blocked-large -->; where all are $-\infty$, all weights are 0
#   <!-- asks: masked-row -->. The values count here; what the gradient of such a row should be is a matter of
#   chapter 3.
#
# **It must also** keep the dtype (`float16`, too <!-- asks: half, half-blocked -->) and the device of the scores
# <!-- asks: dtype, device -->, leave the scores as they
# are <!-- asks: inputs-unchanged, inputs-unchanged-blocked -->, and have the gradient of softmax where nothing is
# blocked, along any axis and for huge scores, too <!-- asks: gradient -->.
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
assert softmax(torch.tensor([7., 7.])).tolist() == [0.5, 0.5]
weights = softmax(torch.tensor([[3., 4.], [0., 1.]]), dim=-1)
assert torch.allclose(weights[0], weights[1])
assert abs(weights[0, 1] / weights[0, 0] - 2.718) < 0.001
assert softmax(torch.tensor([-torch.inf, 0., -torch.inf])).tolist() == [0, 1, 0]

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["keeps_dtype", "stays_on_device"]
"""Exercise 1.2, first point: shares along any axis, of small scores and of huge
ones."""
asked = torch.tensor([[1., 2., 4.], [0., -2., 1.]])
try:
    weights = softmax(asked, dim=-1)
except TypeError as error:
    raise AssertionError(
        "a step got something that is not a tensor (max along an axis returns two "
        f"things, the values and their places): {error}") from error
except (RuntimeError, IndexError) as error:
    raise AssertionError("it did not run on scores of shape (2, 3) with dim=-1: "
                         "a maximum or a sum along dim loses "
                         f"that axis unless it is kept (keepdim) ({error})") from error
assert isinstance(weights, torch.Tensor), (
    f"a tensor of weights is expected, got {type(weights).__name__}")
assert tuple(weights.shape) == (2, 3), (
    f"one weight for each score: shape (2, 3) expected, got {tuple(weights.shape)}")
assert asked[0, 0] == 1 and asked[1, 0] == 0, (
    "the scores themselves were changed: make new tensors, leave the given one alone "
    "(no in place)")
mistakes = {
    "softmax ran over the wrong axis: with dim=-1 each row must sum to "
    "1": [[0.7311, 0.9820, 0.9526], [0.2689, 0.0180, 0.0474]],
    "the sum was taken over the whole table: each row needs its "
    "own": [[0.0397, 0.1079, 0.7974], [0.0146, 0.0020, 0.0397]],
    "the exponentials were not divided by their "
    "sum": [[2.7183, 7.3891, 54.5982], [1, 0.1353, 2.7183]],
    "the largest score was subtracted, but the exponentials were not divided by their "
    "sum": [[0.0498, 0.1353, 1], [0.3679, 0.0498, 1]],
    "the scores were divided by their sum without the "
    "exponential": [[0.1429, 0.2857, 0.5714], [0, 2, -1]],
    "these are powers of 2: take "
    "e": [[0.0909, 0.1818, 0.7273], [0.3077, 0.0769, 0.6154]],
    "these are logarithms of the "
    "weights": [[-3.1698, -2.1698, -0.1698], [-1.3490, -3.3490, -0.3490]],
    "each score was squashed by itself (a sigmoid): the weights of a row must sum to "
    "1": [[0.7311, 0.8808, 0.9820], [0.5, 0.1192, 0.7311]],
    "softmax was applied twice": [[0.2323, 0.2497, 0.518], [0.2975, 0.2377, 0.4647]],
    "the exponentials were divided by their length (a norm), not by their "
    "sum": [[0.0493, 0.1339, 0.9898], [0.3448, 0.0467, 0.9375]],
    "the scores were divided by √3, the root of their number: softmax takes them as "
    "they are": [[0.1186, 0.2112, 0.6702], [0.3229, 0.1018, 0.5753]],
    "the signs of the scores are turned round: a high score must get a high "
    "weight": [[0.7054, 0.2595, 0.0351], [0.1142, 0.8438, 0.0420]]}
for mistake, values in mistakes.items():
    assert not torch.allclose(
        weights.detach().float(), torch.tensor(values), atol=2e-3), mistake
expected = torch.tensor([[0.0420, 0.1142, 0.8438], [0.2595, 0.0351, 0.7054]])
torch.testing.assert_close(weights.float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: "the rows are not the weights of the scores "
                                         f"[1, 2, 4] and [0, -2, 1]\n{m}")
down = softmax(asked, dim=0)
assert tuple(down.shape) == (2, 3), (
    "one weight for each score: with dim=0 the shape (2, 3) is expected, too, got "
    f"{tuple(down.shape)}: was an axis moved, and not moved back?")
assert not torch.allclose(down, weights), (
    "dim was ignored: with dim=0 each column must sum to 1")
rows_largest = torch.tensor([[0.1192, 0.7311, 0.5], [0.8808, 0.2689, 0.5]])
assert not torch.allclose(down.float(), rows_largest, atol=2e-3), (
    "with dim=0 the largest score of each column is the one to subtract, not that of "
    "each row")
expected = torch.tensor([[0.7311, 0.9820, 0.9526], [0.2689, 0.0180, 0.0474]])
torch.testing.assert_close(down.float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"with dim=0 each column must sum to 1\n{m}")
assert softmax(asked).shape == (2, 3) and torch.allclose(softmax(asked), weights), (
    "without dim the last axis is meant")

huge = softmax(torch.tensor([[1e4, 1e4 + 1, 1e4 - 1], [-1e4, -1e4 + 1, -1e4 - 1],
                             [-1e3, -1e3 + 1, -1e3 - 1]]), dim=-1)
assert not huge[0].isnan().any(), (
    "scores of 10,000 give NaN: their exponentials overflow. Only differences count")
assert not huge[1].isnan().any(), (
    "scores of -10,000 give NaN: their exponentials vanish, and 0/0 is NaN. "
    "Each row needs its own largest score")
assert huge[0].sum() < 1.01 and (huge[1].sum() - 1).abs() < 0.01, (
    f"with scores of ±10,000 the rows sum to "
    f"{[round(s, 3) for s in huge.sum(-1).tolist()]}, not to 1")
assert not torch.allclose(huge[0], torch.full((3,), 1 / 3)), (
    "the differences between huge scores were lost: do not cut the scores off")
torch.testing.assert_close(
    huge, torch.tensor([[0.2447, 0.6652, 0.0900]] * 3), atol=2e-3, rtol=0,
    msg=lambda m: f"only differences count: 10000, 10001, 9999 weigh as 0, 1, -1\n{m}")
spread = softmax(torch.tensor([1e4, 0., -1e4]), dim=-1)
assert not spread.isnan().any(), (
    "scores of 10,000, 0 and -10,000 in one row give NaN: some exponentials still "
    "overflow")
torch.testing.assert_close(
    spread, torch.tensor([1., 0., 0.]),
    msg=lambda m: "scores 10000, 0, -10000 must weigh 1, 0, 0: is it the largest "
                  f"score that was subtracted?\n{m}")
for dtype in (torch.float64, torch.float16):
    weights = softmax(asked.to(dtype))
    assert weights.dtype == dtype, (
        f"the weights must have the dtype of the scores: {dtype} went in, the weights "
        f"{weights.dtype} came out")
learned = asked.clone().requires_grad_()
assert softmax(learned).requires_grad, (
    "the weights have lost their connection to the scores: no gradient can flow")
for dim, axis in ((0, "column"), (1, "row")):
    for scale in (1, 1e4):
        (gradient,) = torch.autograd.grad(softmax(scale * learned, dim).sum(), learned)
        assert not gradient.isnan().any(), (
            f"scores times {scale:g}, dim={dim}: NaN in the gradient")
        assert gradient.abs().max() < 1e-4, (
            f"a {axis} sums to 1 whatever its scores are, but its gradient says "
            "otherwise: was the sum detached?")
try:
    # the device meta, shapes without numbers, stands for a GPU here
    softmax(asked.to("meta"), -1)
except (RuntimeError, NotImplementedError) as error:
    assert "expected device" not in str(error), (
        "a tensor was made on the CPU, not on the device of the input: use the input's "
        f"device ({error})")
short = (softmax(asked.double()).sum(dim=-1) - 1).abs().max().item()
assert short < 1e-6, (
    f"the weights miss the sum 1 by {short:.0e}: was a small number added to the sum?")
small = softmax(torch.tensor([0., -30.]))[1].item()
assert abs(small / 9.358e-14 - 1) < 0.01, (
    f"scores 0 and -30: the second weight is e^-30 = 9.358e-14, got {small:.4g}. A "
    "small weight is not 0: was it cut off or rounded?")
for shape in [(3,), (2, 3, 4), (2, 1, 3), (1, 3, 2)]:
    try:
        even = softmax(torch.zeros(shape), 0)
    except (RuntimeError, IndexError, ValueError) as error:
        raise AssertionError(f"it did not run on scores of shape {shape}: "
                             f"any number of axes must do ({error})") from error
    assert tuple(even.shape) == shape, (
        f"scores of shape {shape}, weights of shape {tuple(even.shape)}: the same "
        "shape is expected")
    assert torch.allclose(even, torch.full(shape, 1 / shape[0])), (
        f"equal scores of shape {shape} weigh 1/{shape[0]} each along axis 0: "
        "it must work for any number of axes")
### BEGIN HIDDEN TESTS
# Property: right along every axis of tensors with any number of axes [values]
for shape in [(5,), (3, 7), (2, 1, 5), (1, 5, 3), (5, 3, 1), (2, 5, 3, 7)]:
    for dtype in (torch.float32, torch.float64):
        generator = torch.Generator().manual_seed(len(shape))
        table = 3 * torch.randn(*shape, generator=generator, dtype=dtype)
        before = table.clone()
        for dim in range(-len(shape), len(shape)):
            weights = softmax(table, dim)
            assert tuple(weights.shape) == shape, (
                f"scores of shape {shape}, dim={dim}: the weights have shape "
                f"{tuple(weights.shape)}")
            off = (weights.sum(dim) - 1).abs().max().item()
            assert off > 0.01 or off < (
                1e-5 if weights.dtype != torch.float64 else 1e-7), (
                f"the weights miss the sum 1 by {off:.1e}: was a small number added to "
                "the sum, or were float64 scores made float32 for a while?")
            exact = 1e-5 if weights.dtype != dtype else None
            torch.testing.assert_close(
                weights, torch.softmax(before, dim), check_dtype=False, atol=exact,
                rtol=exact, msg=lambda m: f"scores of shape {shape}, dim={dim}\n{m}")
            # Property: leaves the scores as they are [inputs-unchanged]
            assert torch.equal(table, before), "the scores were changed in place"
            # Property: keeps the dtype of the scores [dtype]
            assert weights.dtype == dtype, (
                f"the scores are {dtype}, the weights {weights.dtype}")
# Property: without dim the last axis is meant [default-dim]
table = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(8))
torch.testing.assert_close(softmax(table), torch.softmax(table, -1))
# Property: stable for scores of ±1e4 in every row, whatever stands in the other rows [large-scores]
offsets = torch.tensor([1e4, 0., -1e4, 30., -30., 100., -100., 1e3, -1e3],
                       dtype=torch.float64)[:, None]
table = torch.randn(
    9, 7, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
torch.testing.assert_close(
    softmax(table + offsets, -1), torch.softmax(table + offsets, -1),
    msg=lambda m: "rows with scores near 10,000, 0, -1,000 and -10,000 in one table\n"
                  f"{m}")
torch.testing.assert_close(
    softmax((table + offsets).T, 0), torch.softmax((table + offsets).T, 0),
    msg=lambda m: f"columns of a transposed table\n{m}")
torch.testing.assert_close(softmax(table * 1e4, -1), torch.softmax(table * 1e4, -1),
                           msg=lambda m: f"scores spread over ±10,000\n{m}")
torch.testing.assert_close(
    softmax(table * 9, -1), torch.softmax(table * 9, -1), atol=0, rtol=1e-6,
    msg=lambda m: f"weights far below 1e-6 are not 0: were they cut off?\n{m}")
# Property: gradients are those of softmax [gradient]
probe = torch.randn(
    3, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
push = torch.arange(15, dtype=torch.float64).view(3, 5).sin()
for offset, dim in ((0.0, -1), (0.0, 0), (1e4, 1), (-1e4, 0)):
    ours, theirs = ((probe + offset).requires_grad_() for _ in range(2))
    weights = softmax(ours, dim)
    assert weights.requires_grad, (
        "the weights have lost their connection to the scores: numbers were taken out "
        "of the tensors")
    (gradient,) = torch.autograd.grad((weights * push).sum(), ours)
    (wanted,) = torch.autograd.grad((torch.softmax(theirs, dim) * push).sum(), theirs)
    torch.testing.assert_close(
        gradient, wanted,
        msg=lambda m: f"the gradient differs from that of softmax (dim={dim}, scores "
                      f"near {offset:g})\n{m}")
# Property: the weights are computed on the device of the scores [device]
table = torch.randn(3, 5, generator=torch.Generator().manual_seed(6))
stays_on_device(softmax, table, -1)
# Property: keeps a dtype of 16 bits, too [half]
keeps_dtype(softmax, table, -1, dtypes=(torch.bfloat16, torch.float16))
### END HIDDEN TESTS
print("1.2, first point, holds for two rows of three, small and huge. "
      "Hidden tests look at other shapes and axes.")

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check_blocked", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["leaves_inputs_alone"]
"""Exercise 1.2, second point: blocked entries get no weight, a wholly blocked row is
all zero."""
inf = float("inf")
blocked = torch.tensor([[0., 0., -inf], [-inf, 5., -inf], [-inf, -inf, -inf]])
try:
    weights = softmax(blocked.clone(), dim=-1)
except (TypeError, RuntimeError, IndexError) as error:
    raise AssertionError(
        f"it did not run on scores of shape (3, 3): {error}") from error
assert not weights[:2].isnan().any(), (
    "a row with some entries of -inf must not give NaN: its other entries share the "
    "weight")
sums = weights[:2].detach().float().sum(dim=-1)
assert (sums - 1).abs().max() < 1e-3, (
    "a row with some entries of -inf must sum to 1, since its other entries share the "
    f"weight; these sum to {[round(s, 3) for s in sums.tolist()]}")
torch.testing.assert_close(
    weights[:2].detach(), torch.tensor([[0.5, 0.5, 0.], [0., 1., 0.]]),
    msg=lambda m: f"an entry of -inf gets weight 0\n{m}")
tiny = weights[:2][blocked[:2] == -inf].max().item()
assert tiny == 0, (
    f"an entry of -inf gets weight 0, exactly; here it gets {tiny:.1e}: was -inf "
    "replaced by another number, or the scores cut off below?")
assert not weights[2].isnan().any(), (
    "a row of -inf alone gives NaN: its weights must be 0")
assert not torch.allclose(weights[2].detach(), torch.full((3,), 1 / 3)), (
    "a row of -inf alone gets equal weights: nothing may be looked at, so they must be "
    "0")
assert torch.equal(weights[2].detach(), torch.zeros(3)), (
    f"a row of -inf alone must give zeros, got {weights[2].tolist()}")
alone = softmax(torch.tensor([-inf, -inf, -inf]))
assert torch.equal(alone.detach(), torch.zeros(3)), (
    "where every score of the input is -inf all weights are 0, got "
    f"{alone.tolist()}")
try:
    weights = softmax(blocked.half(), dim=-1)
except RuntimeError as error:
    raise AssertionError("blocked scores in float16 fail: is a number there that "
                         "float16 cannot hold (its largest is 65504)? "
                         f"({error})") from error
assert weights.tolist() == [[0.5, 0.5, 0], [0, 1, 0], [0, 0, 0]], (
    f"the same scores in float16 give {weights.tolist()}")
weights = softmax(blocked.T.clone(), dim=0)
assert torch.equal(weights[:, 2].detach(), torch.zeros(3)), (
    "with dim=0 a column of -inf alone must give zeros (it holds along every axis), "
    f"got {weights[:, 2].tolist()}")
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(11)
for dtype in (torch.float32, torch.float64):
    table = 4 * torch.randn(3, 5, 7, generator=generator, dtype=dtype)
    table = table.masked_fill(torch.rand(3, 5, 7, generator=generator) < 0.4, -inf)
    partly, whole = table.clone(), table.clone()
    # nothing is blocked as a whole
    partly[:, :, 0], partly[:, 0], partly[0] = 1.0, 0.5, 0.0
    # a line along each axis is
    whole[1, 2], whole[0, :, 3], whole[:, 4, 6] = -inf, -inf, -inf
    for dim in (-1, 0, 1, 2, -2):
        # Property: blocked entries get no weight, the others share it, along every axis [blocked-entries]
        torch.testing.assert_close(
            softmax(partly.clone(), dim), torch.softmax(partly, dim),
            msg=lambda m: f"entries of -inf, dim={dim}\n{m}")
        # Property: where all are blocked all weights are zero, along every axis [masked-row]
        weights = softmax(whole.clone(), dim)
        assert not weights.isnan().any(), f"NaN in the weights, dim={dim}"
        torch.testing.assert_close(weights, torch.softmax(whole, dim).nan_to_num(0.0),
                                   msg=lambda m: f"whole lines of -inf, dim={dim}\n{m}")
        # the same where the input holds nothing else
        weights = softmax(torch.full((2, 5, 3), -inf, dtype=dtype), dim)
        assert torch.equal(weights, torch.zeros(2, 5, 3, dtype=dtype)), (
            f"where every score of the input is -inf all weights are 0, dim={dim}, got "
            f"{weights.flatten()[0].item()}")
    # Property: leaves blocked scores as they are, too [inputs-unchanged-blocked]
    leaves_inputs_alone(softmax, whole, -1)
# Property: blocked entries beside huge scores [blocked-large]
table = torch.tensor(
    [[-inf, 1e4, 1e4 - 1], [-1e4, -inf, -1e4], [-inf, -inf, -1e4]], dtype=torch.float64)
torch.testing.assert_close(softmax(table, -1), torch.softmax(table, -1),
                           msg=lambda m: f"-inf beside scores of ±10,000\n{m}")
# Property: blocked entries and blocked rows in 16 bits, too [half-blocked]
half = torch.tensor([[-inf, 1., 0.], [-inf, -inf, -inf]], dtype=torch.float16)
try:
    weights = softmax(half, -1)
except RuntimeError as error:
    raise AssertionError("blocked scores in float16 fail: is a number there that "
                         "float16 cannot hold (its largest is 65504)? "
                         f"({error})") from error
torch.testing.assert_close(
    weights.float(), torch.tensor([[0., 0.7311, 0.2689], [0., 0., 0.]]), atol=2e-3,
    rtol=0, msg=lambda m: f"blocked scores in float16\n{m}")
### END HIDDEN TESTS
print("1.2, second point, holds for three rows: "
      "values without NaN. Hidden tests look at other shapes and axes.")

# %% [markdown]
# Your softmax on the three cases that broke the others, and on the scores of "journey":

# %% tags=["uses-exercise"]
for name, s in [("huge", large), ("all blocked", torch.full((3,), -inf)),
                ("journey", journey_scores)]:
    print(f"{name:12s}", [round(w, 4) for w in softmax(s).tolist()])

# %% [markdown]
# ## 1.5 Context: a mixture of all words
#
# The last step is the simplest. Take every token's vector, as much of it as its weight says, and add up. The sum is
# the **context vector** of the token that asked:
#
# $$\mathrm{context} = \sum_j \mathrm{weight}_j \, x_j$$

# %%
context = torch.zeros(3)
for token, weight, vector in zip(tokens, journey_weights, x):
    context = context + weight * vector
    print(f"+ {weight:.4f} of {token:8s} -> {[round(c, 4) for c in context.tolist()]}")

# %% [markdown]
# The last line is "journey" as its sentence sees it: $[0.4419, 0.6515, 0.5683]$, where the table said
# $[0.55, 0.87, 0.66]$. Here are the three steps side by side.

# %% tags=["show"]
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
# "journey" and "starts" (orange and green) bring most, but everyone brings something. Now every token asks. We repeat
# the three steps for each, in loops that hide nothing.

# %%
def attend_in_loops(x):
    """Context and weights of every token of one sentence, one token after the other. x:
    (seq, d_model).
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
print("weights of journey:", [round(w, 4) for w in weights_all[1].tolist()])
print("context of journey:", [round(c, 4) for c in context_all[1].tolist()])
print("sums of the rows:", [round(s, 4) for s in weights_all.sum(dim=1).tolist()])

# %% [markdown]
# This is **self-attention**: queries, keys (what a query is compared with) and values (what is mixed) are all the
# same vectors, those of the sentence itself.
#
# **Predict, then run.** To which token does "step" pay most attention?

# %% tags=["show"]
guess_step = None      # type a word of the sentence in quotes, then run the next cell

# %% tags=["show"]
fig, ax = plt.subplots(figsize=(5.2, 4.2))
title = 'Weights: "journey" and "starts" draw much of every row'
image = draw_matrix(ax, weights_all, rows=tokens, columns=tokens, title=title,
                    limits=(0, 0.3))
ax.set(xlabel="token that is looked at (key)", ylabel="token that asks (query)")
fig.colorbar(image, ax=ax, label="weight", shrink=0.8)
show(fig, "A 6 by 6 heatmap of weights, all between 0.1 and 0.25. "
          "The columns of journey and starts are the darkest in nearly every row.")
for token, row in zip(tokens, weights_all):
    print(f"{token:8s} looks most at {tokens[row.argmax()]}")
check_guess('"step" looks most at', guess_step, tokens[weights_all[5].argmax()])
lengths = [round(length, 2) for length in x.norm(dim=1).tolist()]
print("lengths:", dict(zip(tokens, lengths)))

# %% [markdown]
# "step" looks at "journey" more than at itself. Only "Your" and "journey" look most at themselves; the
# others at "journey" or "starts", the two longest vectors of the sentence (last line). A score grows with length, so
# long vectors draw weight from every word, whatever it asks. Notice, too, that the weights are not symmetric,
# although the scores were: each row was divided by its own sum.
#
# ### Exercise 1.3 · Self-attention without weights · 2 points · about 12 minutes
#
# A book of 100,000 words has ten billion pairs of words, too many for a Python loop. Compute all scores with one matrix product
# and all contexts with another, for a whole batch of sentences.
#
# - 1 point: the values, for one sentence of any length and width <!-- asks: values -->;
# - 1 point: several sentences at once, each attending to its own words only <!-- asks: batch -->, and no loop over
#   tokens: the check counts tensor operations, and their number must not grow with the length of the sentence
#   <!-- asks: no-loop -->.
#
# **It must also** keep the dtype, with its precision (`bfloat16`, too <!-- asks: half -->), and the device of `x`
# <!-- asks: dtype, device -->, leave `x` as it is <!-- asks: inputs-unchanged -->, give no NaN for scores
# of 10,000 <!-- asks: large-scores -->, and let gradients flow back from both results, through scores, weights and values
# <!-- asks: gradient, batch-gradient -->.
#
# You may use your `softmax` or PyTorch's.
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
context, weights = self_attention_simple(pair)
assert torch.allclose(weights[0, 0], torch.tensor([0.982, 0.018]), atol=0.001)
assert torch.allclose(context[0, 0], torch.tensor([1.964, 0.036]), atol=0.001)

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["keeps_dtype", "stays_on_device"]
"""Exercise 1.3, first point: context and weights of one sentence."""
toy = torch.tensor([[1., 0.], [0., 2.], [1., 1.]])          # three tokens, two features
try:
    answer = self_attention_simple(toy[None])                  # a batch of one
except (RuntimeError, IndexError) as error:
    raise AssertionError("x has three axes, (batch, seq, d_model): "
                         f"transpose the last two only ({error})") from error
assert isinstance(answer, (tuple, list)) and len(answer) == 2, (
    "two results are expected: (context, weights)")
context, weights = answer
assert tuple(context.shape) != (1, 3, 3) or tuple(weights.shape) != (1, 3, 2), (
    "the order is (context, weights), not (weights, context)")
assert tuple(weights.shape) == (1, 3, 3), (
    "weights: one for each query and key, (batch, seq, seq) = (1, 3, 3); "
    f"got {tuple(weights.shape)}")
assert tuple(context.shape) == (1, 3, 2), (
    "context: a vector for each token, (batch, seq, d_model) = (1, 3, 2); "
    f"got {tuple(context.shape)}")

def nearly(answer, values):
    return torch.allclose(answer.detach().float(), torch.tensor(values), atol=1e-3)

mistakes = {
    "these are scores: softmax turns them into "
    "weights": [[1., 0., 1.], [0., 4., 2.], [1., 2., 2.]],
    "softmax ran over the queries: each query's row of weights must sum to "
    "1": [[0.422, 0.016, 0.155], [0.155, 0.867, 0.422], [0.422, 0.117, 0.422]],
    "softmax ran over the whole table: each row must sum to "
    "1": [[0.031, 0.012, 0.031], [0.012, 0.628, 0.085], [0.031, 0.085, 0.085]],
    "the scores were divided by √d_model: that comes in chapter "
    "2": [[0.401, 0.198, 0.401], [0.045, 0.768, 0.187], [0.198, 0.401, 0.401]],
    "the scores were divided by d_model: a dot product is a "
    "sum": [[0.384, 0.233, 0.384], [0.09, 0.665, 0.245], [0.233, 0.384, 0.384]],
    "the scores are cosines: leave the lengths of the vectors "
    "in": [[0.473, 0.174, 0.353], [0.174, 0.473, 0.353], [0.299, 0.299, 0.401]],
    "later tokens were hidden: that comes in chapter "
    "3": [[1., 0., 0.], [0.018, 0.982, 0.], [0.155, 0.422, 0.422]],
    "a token must look at itself, "
    "too": [[0., 0.269, 0.731], [0.119, 0., 0.881], [0.269, 0.731, 0.]],
    "the keys were reshaped, not transposed: a reshape deals the numbers out "
    "anew": [[0.576, 0.212, 0.212], [0.787, 0.107, 0.107], [0.787, 0.107, 0.107]],
    "the scores were divided by their sum: softmax is "
    "wanted": [[0.5, 0., 0.5], [0., 0.667, 0.333], [0.2, 0.4, 0.4]],
    "only the best fit got a weight: softmax gives every token a "
    "share": [[1., 0., 0.], [0., 1., 0.], [0., 1., 0.]],
    "these are logarithms of the weights":
        [[-0.862, -1.862, -0.862], [-4.143, -0.143, -2.143], [-1.862, -0.862, -0.862]],
    "the scores were divided by their length (a norm): softmax is "
    "wanted": [[0.707, 0., 0.707], [0., 0.894, 0.447], [0.333, 0.667, 0.667]],
    "softmax was applied "
    "twice": [[0.362, 0.277, 0.362], [0.225, 0.526, 0.249], [0.277, 0.362, 0.362]]}
for mistake, values in mistakes.items():
    assert not nearly(weights[0], values), mistake
expected = torch.tensor([[0.4223, 0.1554, 0.4223], [0.0159, 0.8668, 0.1173],
                         [0.1554, 0.4223, 0.4223]])
torch.testing.assert_close(weights[0].float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"the weights are wrong\n{m}")
mistakes = {"the mixture runs over the wrong axis: row i of the weights belongs to "
            "token i": [[0.578, 0.187], [0.578, 2.156], [0.845, 0.657]],
            "the scores, not the weights, were used to mix the "
            "vectors": [[2., 1.], [2., 10.], [3., 6.]],
            "x was added to the context: it is the weighted sum "
            "alone": [[1.845, 0.733], [0.133, 3.851], [1.578, 2.267]],
            "the weights were not used: this is the plain mean of the "
            "tokens": [[0.6667, 1.0]] * 3}
for mistake, values in mistakes.items():
    assert not nearly(context[0], values), mistake
expected = torch.tensor([[0.8446, 0.7331], [0.1332, 1.8509], [0.5777, 1.2669]])
torch.testing.assert_close(context[0].float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"the context is wrong\n{m}")
assert toy.tolist() == [[1, 0], [0, 2], [1, 1]], (
    "x was changed in place: make new tensors")
for dtype in (torch.float64, torch.bfloat16):
    context, weights = self_attention_simple(toy[None].to(dtype))
    assert context.dtype == weights.dtype == dtype, (
        f"x is {dtype}, the weights are {weights.dtype}, "
        f"the context {context.dtype}: keep the dtype")
thirds_ = toy.double() / 3
context, weights = self_attention_simple(thirds_[None])
exact_ = torch.softmax(thirds_ @ thirds_.T, dim=-1)
off_ = max((weights - exact_).abs().max(), (context - exact_ @ thirds_).abs().max())
assert not 1e-12 < off_ < 0.1, (
    f"x in float64, with thirds in it: the results are off by up to {off_.item():.0e}, "
    "float64 is exact to 1e-15: were they computed in a lower precision, or was a "
    "small number added on the way?")
try:
    # the device meta, shapes without numbers, stands for a GPU here
    self_attention_simple(toy[None].to("meta"))
except (RuntimeError, NotImplementedError) as error:
    assert "expected device" not in str(error), (
        "a tensor was made on the CPU, not on the device of the input: use the input's "
        f"device ({error})")
learned = toy[None].clone().requires_grad_()
assert self_attention_simple(learned)[1].requires_grad, (
    "the weights returned have lost their connection to x: gradients flow back from "
    "both results")
one_number = self_attention_simple(learned)[0][0, 0, 0]
assert one_number.requires_grad, (
    "the context has lost its connection to x: no gradient can flow")
(gradient,) = torch.autograd.grad(one_number, learned)
assert nearly(gradient[0], [[0.619, -0.197], [0.024, 0.], [0.488, 0.]]), (
    "the gradient of the context must flow through scores, "
    "weights and values: was a part detached?")
far = self_attention_simple(100 * toy[None])[1]
assert not far.isnan().any(), (
    "x with entries near 100 has scores of 10,000, and gives NaN: the exponential "
    "overflows")
# each of three tokens fits the longest one best, by 10,000 at least
far = self_attention_simple(torch.tensor([[[100., 0.], [300., 0.], [200., 0.]]]))[1]
assert torch.equal(far.detach(), torch.tensor([[[0., 1., 0.]] * 3])), (
    "tokens of length 100, 300 and 200: the second has the largest score in each row, "
    f"by 10,000 and more, and takes all the weight; got {far[0].tolist()}. Was a "
    "number other than the row's largest score taken away before the exponential (a "
    "token's score with itself need not be the largest), or were the scores cut off?")
### BEGIN HIDDEN TESTS
# Property: right for a sentence of any length and width [values]
for seq, d in [(7, 3), (3, 7), (5, 5), (1, 2), (11, 1), (131, 67)]:
    for dtype in (torch.float32, torch.float64):
        sentence = (4 / (4 + d)) * torch.randn(
            1, seq, d, generator=torch.Generator().manual_seed(10 * seq + d),
            dtype=dtype)
        before = sentence.clone()
        context, weights = self_attention_simple(sentence)
        wanted = torch.softmax(before @ before.mT, -1)
        exact = 1e-5 if weights.dtype != dtype or context.dtype != dtype else None
        torch.testing.assert_close(
            weights, wanted, check_dtype=False, atol=exact, rtol=exact,
            msg=lambda m: f"weights, x of shape (1, {seq}, {d})\n{m}")
        torch.testing.assert_close(
            context, wanted @ before, check_dtype=False, atol=exact, rtol=exact,
            msg=lambda m: f"context, x of shape (1, {seq}, {d})\n{m}")
        # Property: leaves x as it is [inputs-unchanged]
        assert torch.equal(sentence, before), "x was changed in place"
        # Property: keeps the dtype of x [dtype]
        assert weights.dtype == dtype and context.dtype == dtype, (
            f"x is {dtype}, the weights are {weights.dtype}, the context "
            f"{context.dtype}")
# Property: long vectors, whose scores reach 10,000, give weights, not NaN [large-scores]
sentence = 60 * torch.randn(
    1, 5, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
context, weights = self_attention_simple(sentence)
torch.testing.assert_close(weights, torch.softmax(sentence @ sentence.mT, -1),
                           msg=lambda m: f"x with entries near 100\n{m}")
for seed in (2, 3):
    sentence = 100 * torch.randn(
        1, 5, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    context, weights = self_attention_simple(sentence)
    assert context.isfinite().all() and weights.isfinite().all(), (
        "x with entries near 100 gives NaN: a token's score with itself need not be "
        "the largest of its row")
    torch.testing.assert_close(weights, torch.softmax(sentence @ sentence.mT, -1),
                               msg=lambda m: f"x with entries near 100\n{m}")
# Property: gradients flow through scores, weights and values [gradient]
probe = torch.randn(1, 5, 3, generator=torch.Generator().manual_seed(2),
                    dtype=torch.float64).requires_grad_()
twin = probe.detach().clone().requires_grad_()
context, weights = self_attention_simple(probe)
assert context.requires_grad, "the context has lost its connection to x"
push = torch.arange(15, dtype=torch.float64).view(1, 5, 3).cos()
(gradient,) = torch.autograd.grad((context * push).sum(), probe)
(wanted,) = torch.autograd.grad(
    (torch.softmax(twin @ twin.mT, -1) @ twin * push).sum(), twin)
torch.testing.assert_close(gradient, wanted,
                           msg=lambda m: "the gradient is not that of self-attention: "
                                         f"was a part detached?\n{m}")
weights = self_attention_simple(probe)[1]
assert weights.requires_grad, "the weights returned have lost their connection to x"
push = torch.arange(25, dtype=torch.float64).view(1, 5, 5).cos()
(gradient,) = torch.autograd.grad((weights * push).sum(), probe)
(wanted,) = torch.autograd.grad((torch.softmax(twin @ twin.mT, -1) * push).sum(), twin)
torch.testing.assert_close(
    gradient, wanted, msg=lambda m: f"another gradient through the weights\n{m}")
# Property: everything is computed on the device of x [device]
sentence = torch.randn(1, 5, 3, generator=torch.Generator().manual_seed(6))
stays_on_device(self_attention_simple, sentence)
# Property: a dtype of 16 bits is kept, too [half]
keeps_dtype(self_attention_simple, sentence)
### END HIDDEN TESTS
print("1.3, first point, holds for one sentence. "
      "Hidden tests look at other sizes, scores and devices.")

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check_batch", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.3, second point: several sentences at once, and no loop over tokens."""
batch = torch.tensor([[[1., 0.], [0., 2.], [1., 1.]],
                      [[2., 1.], [0., 0.], [1., -1.]]])  # two sentences of three tokens
try:
    context, weights = self_attention_simple(batch)
except (RuntimeError, IndexError, TypeError) as error:
    raise AssertionError("two sentences at once fail: transpose the last two axes, "
                         f"leave the batch alone ({error})") from error
assert tuple(weights.shape) == (2, 3, 3), (
    "weights of shape (batch, seq, seq) = (2, 3, 3) expected, got "
    f"{tuple(weights.shape)}")
assert tuple(context.shape) == (2, 3, 2), (
    "context of shape (batch, seq, d_model) = (2, 3, 2) expected, got "
    f"{tuple(context.shape)}")
sums = {name: weights.detach().float().sum(axis)
        for name, axis in {"batch": 0, "queries": 1, "keys": 2}.items()}
for name in ("queries", "batch"):
    ones, keys = torch.ones_like(sums[name]), sums["keys"]
    assert not torch.allclose(
        sums[name], ones) or torch.allclose(keys, torch.ones_like(keys)), (
        f"softmax ran over the {name}: each query's row of weights must sum to 1")
assert not torch.allclose(weights[1], weights[0]), (
    "the second sentence got the weights of the first")
expected = torch.tensor([[0.9756, 0.0066, 0.0179], [0.3333, 0.3333, 0.3333],
                         [0.2447, 0.0900, 0.6652]])
torch.testing.assert_close(weights[1].float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"weights of the second sentence\n{m}")
expected = torch.tensor([[1.9690, 0.9577], [1.0000, 0.0000], [1.1547, -0.4205]])
torch.testing.assert_close(context[1].float(), expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"context of the second sentence\n{m}")

learned = batch.clone().requires_grad_()
(gradient,) = torch.autograd.grad(self_attention_simple(learned)[0][1, 2, 0], learned)
expected = torch.tensor([[0.4516, -0.2069], [-0.0139, 0.1040], [0.8732, 0.4127]])
assert torch.allclose(gradient[1], expected, atol=1e-3) and not gradient[0].any(), (
    "two sentences: the gradient of a context must flow through scores, weights and "
    "values of its own sentence, and of no other")

# no loop over tokens: count the tensor operations for short and long sentences
from torch.utils._python_dispatch import TorchDispatchMode

class CountOperations(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls += 1
        return func(*args, **(kwargs or {}))

calls = {}
for seq in (5, 30):
    with CountOperations() as counter:
        self_attention_simple(torch.ones(2, seq, 3))
    calls[seq] = counter.calls
assert calls[30] - calls[5] < 20, (
    f"a loop over tokens: {calls[5]} tensor operations for 5 tokens, {calls[30]} for "
    "30")
### BEGIN HIDDEN TESTS
# Property: each sentence of a batch attends to its own words only [batch]
for n, seq, d in [(5, 7, 3), (3, 2, 5), (2, 5, 2), (7, 1, 3)]:
    table = torch.randn(
        seq, n, d, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    table = table.transpose(0, 1)                                       # not contiguous
    try:
        context, weights = self_attention_simple(table)
    except RuntimeError as error:
        self_attention_simple(table.contiguous())
        raise AssertionError("it fails for an x that is not contiguous in memory "
                             f"({error})") from error
    wanted = torch.softmax(table @ table.mT, -1)
    assert tuple(
        context.shape) == (n, seq, d) and tuple(weights.shape) == (n, seq, seq), (
        f"x of shape ({n}, {seq}, {d}): context {tuple(context.shape)}, weights "
        f"{tuple(weights.shape)}")
    torch.testing.assert_close(
        weights, wanted, msg=lambda m: f"weights, x of shape ({n}, {seq}, {d})\n{m}")
    torch.testing.assert_close(
        context, wanted @ table,
        msg=lambda m: f"context, x of shape ({n}, {seq}, {d})\n{m}")
# Property: the gradient in a batch is that of each sentence alone [batch-gradient]
probe, twin = (torch.randn(3, 5, 2, generator=torch.Generator().manual_seed(4),
                           dtype=torch.float64).requires_grad_() for _ in range(2))
push = torch.arange(30, dtype=torch.float64).view(3, 5, 2).cos()
(gradient,) = torch.autograd.grad((self_attention_simple(probe)[0] * push).sum(), probe)
(wanted,) = torch.autograd.grad(
    (torch.softmax(twin @ twin.mT, -1) @ twin * push).sum(), twin)
torch.testing.assert_close(
    gradient, wanted,
    msg=lambda m: f"a batch of three: another gradient; was a part detached?\n{m}")
# Property: no loop over tokens: the number of tensor operations does not grow with the length of the sentence [no-loop]
from torch.utils._python_dispatch import TorchDispatchMode

class CountOperations(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls += 1
        return func(*args, **(kwargs or {}))

calls = {}
for seq in (3, 43, 643):
    sentences = torch.randn(2, seq, 5, generator=torch.Generator().manual_seed(seq))
    with CountOperations() as counter:
        self_attention_simple(sentences)
    calls[seq] = counter.calls
assert calls[43] - calls[3] < 40, (
    f"a loop over tokens: {calls[3]} tensor operations for 3 tokens, {calls[43]} for "
    "43")
assert calls[643] - calls[3] < 20, (
    f"a loop over tokens or over pieces of the sentence: {calls[3]} tensor operations "
    f"for 3 tokens, {calls[643]} for 643")
### END HIDDEN TESTS
print("1.3, second point, holds for two sentences, without a loop over tokens. "
      "Hidden tests: other sizes.")

# %% [markdown]
# The two products give what the loops gave, and what PyTorch's own function gives when its scale is set to 1.

# %% tags=["uses-exercise"]
context, weights = self_attention_simple(x[None])  # (1, 6, 3), (1, 6, 6)
pytorch = F.scaled_dot_product_attention(x[None], x[None], x[None], scale=1.0)
apart = {"loops": context[0] - context_all, "PyTorch": context - pytorch}
for name, difference in apart.items():
    print(f"largest difference to {name:8s}{difference.abs().max().item():.5f}")
print("row journey:", [round(c, 4) for c in context[0, 1].tolist()])

# %% [markdown]
# **What breaks if…** we shuffle the words? "One journey starts with your step" is another sentence. What happens to
# the context of "journey"?

# %%
order = [4, 1, 2, 3, 0, 5]  # one journey starts with your step
shuffled_context, _ = attend_in_loops(x[order])
place = order.index(1)
print(" ".join(tokens[n] for n in order))
print("journey before:", [round(c, 4) for c in context_all[1].tolist()])
print("journey after: ", [round(c, 4) for c in shuffled_context[place].tolist()])
apart = (shuffled_context - context_all[order]).abs().max().item()
print(f"largest difference for any word: {apart:.5f}")

# %% [markdown]
# Every word gets the same context as before. A weighted sum does not depend on the order of its terms, so to this
# attention a sentence is a bag of words: "dog bites man" is "man bites dog". The recurrent network at least knew the order.
# Chapter 5 gives the order back.

# %% [markdown]
# ## 1.6 The two banks, again
#
# Now for the question at the top. Take the word vectors of section 1.1, which put "bank" between the river and the
# money, and let two sentences attend to themselves. To see what "bank" becomes we need a measure of likeness that
# ignores length. The **cosine similarity** is 1 for vectors that point the same way and 0 for those at a right angle:
#
# $$\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \, \lVert b \rVert}$$

# %%
for a, b in [("bank", "river"), ("bank", "water"), ("bank", "savings"),
             ("bank", "loan"),
             ("river", "loan")]:
    cosine = F.cosine_similarity(vectors[index[a]], vectors[index[b]], dim=0)
    print(f"{a:5s} and {b:8s} {cosine:.2f}")

# %% [markdown]
# **Predict, then run.** "We sat on the river bank" and "she put her savings in the bank": before attention the two
# banks are the same vector, so their similarity is 1. What will it be after each sentence has attended to itself? Type
# a guess; the function that measures it is your next exercise.

# %% tags=["show"]
guess_cosine = None    # type a number from -1 to 1

# %% [markdown]
# ### Exercise 1.4 · How far context moves a word · 2 points · about 10 minutes
#
# `context_shift` takes two sentences and a place in each, and returns two cosine similarities of the tokens there:
# one before attention, one after each sentence has attended to itself (and to nothing else). Sentences may have any
# lengths, different ones too, and a token may stand anywhere.
#
# - 1 point: the similarity before <!-- asks: values-before, length-of-vectors -->;
# - 1 point: the similarity after <!-- asks: values-after -->, also for vectors so long that scores reach 10,000
#   <!-- asks: large-scores -->.
#
# **It must also** leave both sentences as they are <!-- asks: inputs-unchanged, inputs-unchanged-after --> and work on
# their device <!-- asks: device -->.
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
before, after = context_shift(one, other, 0, 0)
assert abs(before - 0.7071) < 0.001 and abs(after - 0.7071) < 0.001
before, after = context_shift(torch.eye(2), torch.eye(2), 0, 1)   # (1, 0) and (0, 1)
assert abs(before) < 0.001 and after > 0.5

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.4, first point: the similarity before attention."""
toy_a = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])           # three tokens
toy_b = torch.tensor([[0.5, 1.], [2., 2.]])                      # two tokens

def two_numbers(answer):
    assert isinstance(answer, (tuple, list)) and len(answer) == 2, (
        "a pair is expected: (before, after)")
    for value in answer:
        assert value is not None, "a pair of numbers is expected, one of them is None"
        assert not isinstance(value, torch.Tensor) or value.ndim == 0, (
            "two single numbers are expected, one of them has shape "
            f"{tuple(value.shape)}")
    return tuple(float(value) for value in answer)

given_a_, given_b_ = toy_a.clone(), toy_b.clone()
changed_ = (
    "a sentence was changed in place: make new tensors, leave the given ones alone")
try:
    answer = context_shift(given_a_, given_b_, 1, 0)
    context_shift(given_a_, given_b_, 2, 1)
except (RuntimeError, IndexError, ValueError) as error:
    same_ = torch.equal(given_a_, toy_a) and torch.equal(given_b_, toy_b)
    assert same_, f"{changed_} ({error})"
    try:
        context_shift(toy_a, toy_a.flip(0), 1, 0)
        equal_lengths_run = True
    except (RuntimeError, IndexError, ValueError):
        equal_lengths_run = False
    signs = ("match", "same size", "equal size")
    if equal_lengths_run and any(sign in str(error) for sign in signs):
        raise AssertionError(
            "sentences of three and of two tokens fail: they need not be equal in "
            f"length, so let each attend to itself alone ({error})") from error
    raise AssertionError("it did not run on two sentences of shape (seq, d_model). "
                         "self_attention_simple wants (batch, seq, d_model): give "
                         "each an axis in front, and take it away again. It returns "
                         f"two results, context and weights ({error})") from error
assert torch.equal(given_a_, toy_a) and torch.equal(given_b_, toy_b), changed_
before, _ = two_numbers(answer)          # (0.5, -1) and (0.5, 1): -0.75 / 1.25 = -0.6
mistakes = {
    "the order is (before, after), not (after, before)": 0.2853,
    "this is the dot product: divide it by the lengths of both vectors": -0.75,
    "this is a distance (1 - cosine): the similarity is wanted": 1.6,
    "i belongs to sentence a and j to sentence b, not the other way round": 0.9487,
    "the sign got lost: vectors that point away from one another have a negative "
    "similarity": 0.6,
    "this is an angle: its cosine is wanted": 2.2143,
    "this is the distance between the vectors: their cosine is wanted": 2.0,
    "this is the change: return both similarities": 0.2853 + 0.6,
    "these are the means of the sentences: only tokens i and j are compared": 0.9369}
for mistake, value in mistakes.items():
    assert abs(before - value) > 1e-3, mistake
assert abs(before + 0.6) < 1e-3, (
    "(0.5, -1) and (0.5, 1) have the cosine -0.75 / (√1.25 · √1.25) = -0.6, got "
    f"{before:.4f}")
before, _ = two_numbers(context_shift(toy_a, toy_a.clone(), 0, 1))
assert abs(before + 0.6) < 1e-3, (
    "twice the same sentence, but another word of it: (1, 2) and (0.5, -1) have the "
    f"cosine -1.5 / (√5 · √1.25) = -0.6, got {before:.4f}")
### BEGIN HIDDEN TESTS
# Property: before is the cosine of the two static vectors, whatever the lengths of the sentences and the places [values-before]
for seq_a, seq_b, d in [(7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)]:
    generator = torch.Generator().manual_seed(seq_a)
    for dtype, tolerance in ((torch.float32, 1e-4), (torch.float64, 1e-6)):
        a, b = (torch.randn(seq, d, generator=generator, dtype=dtype)
                for seq in (seq_a, seq_b))
        kept_a, kept_b = a.clone(), b.clone()
        for i in range(seq_a):
            for j in range(seq_b):
                before, _ = two_numbers(context_shift(a, b, i, j))
                wanted = F.cosine_similarity(a[i], b[j], dim=0).item()
                assert abs(before - wanted) < tolerance, (
                    f"sentences of {seq_a} and {seq_b} tokens, i={i}, j={j}: "
                    f"before = {wanted:.4f} expected, got {before:.4f}")
        # Property: leaves both sentences as they are [inputs-unchanged]
        assert torch.equal(a, kept_a) and torch.equal(b, kept_b), (
            "a sentence was changed in place")
generator = torch.Generator().manual_seed(2)
a, b = (torch.randn(seq, 67, generator=generator, dtype=torch.float64)
        for seq in (83, 71))
before, _ = two_numbers(context_shift(a, b, 79, 70))
wanted = F.cosine_similarity(a[79], b[70], dim=0).item()
assert abs(before - wanted) < 1e-6, (
    f"sentences of 83 and 71 tokens, i=79, j=70: before = {wanted:.4f} expected, got "
    f"{before:.4f}")
# Property: the length of a vector plays no part in the similarity [length-of-vectors]
generator = torch.Generator().manual_seed(1)
a, b = torch.randn(3, 5, generator=generator), torch.randn(2, 5, generator=generator)
wanted = F.cosine_similarity(a[2], b[1], dim=0).item()
for factor in (0.01, 3.0):
    before, _ = two_numbers(context_shift(a * factor, b, 2, 1))
    assert abs(before - wanted) < 1e-4, (
        f"sentence a times {factor}: before = {wanted:.4f} expected, got {before:.4f}")
### END HIDDEN TESTS
print("1.4, first point, holds for one pair of tokens. "
      "Hidden tests look at other sentences and places.")

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check_after", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 1.4, second point: the similarity after each sentence has attended to
itself."""
toy_a = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])
toy_b = torch.tensor([[0.5, 1.], [2., 2.]])
given_a_, given_b_ = toy_a.clone(), toy_b.clone()
try:
    _, after = context_shift(given_a_, given_b_, 1, 0)
    after = float(after)
except (RuntimeError, IndexError, ValueError, TypeError) as error:
    raise AssertionError(
        "no pair of numbers came for two sentences of shape (seq, d_model): was "
        "self_attention_simple given a batch, the context taken from its two results, "
        f"and the batch axis taken away again? ({error})") from error
assert torch.equal(given_a_, toy_a) and torch.equal(given_b_, toy_b), (
    "a sentence was changed in place: make new tensors, leave the given ones alone")
mistakes = {
    "this is the similarity before attention, once more": -0.6,
    "each sentence attends to itself alone: here the two attended to one "
    "another": 0.5458,
    "only sentence a attended: both tokens must be seen in their context": -0.012,
    "only sentence b attended: both tokens must be seen in their context": -0.3355,
    "i belongs to sentence a and j to sentence b, not the other way round": 0.9885,
    "this is the dot product: divide it by the lengths of both vectors": 0.6937,
    "this is a distance (1 - cosine): the similarity is wanted": 0.7147,
    "this is the change: return the similarity after attention itself": 0.8853,
    "these are the means of the contexts: only tokens i and j are compared": 0.9784,
    "the scores were divided by √d_model: that comes in chapter 2": 0.5234,
    "softmax ran over the queries": -0.5607,
    "every token got the same weight: this is the plain mean of the sentence": 0.9369,
    "attention ran twice over the same sentence": 0.9579,
    "this is the distance between the contexts: their cosine is wanted": 2.4699,
    "the weights were compared: compare the contexts": 0.9942,
    "the static vector was added to the context: compare the contexts alone": -0.144,
    "the changes (context minus vector) were compared: compare the contexts": 0.9049}
for mistake, value in mistakes.items():
    assert abs(after - value) > 1e-3, mistake
assert abs(after - 0.2853) < 1e-3, f"after = 0.2853 expected, got {after:.4f}"
after = float(context_shift(toy_a.clone(), toy_a.clone(), 0, 1)[1])
assert abs(after - 0.1568) < 1e-3, (
    "twice the same sentence, but another word of it: after = 0.1568 expected, got "
    f"{after:.4f}")
try:
    after = float(context_shift(60 * toy_a.double(), 60 * toy_b.double(), 1, 0)[1])
except RuntimeError as error:
    raise AssertionError("it did not run on sentences in float64: "
                         f"keep the dtype of the input ({error})") from error
assert after == after, (
    "vectors with entries near 100 have scores of 10,000, and give NaN: the "
    "exponential overflows")
### BEGIN HIDDEN TESTS
# Property: after is the cosine of the two context vectors, whatever the lengths of the sentences and the places [values-after]
for seq_a, seq_b, d in [(7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)]:
    generator = torch.Generator().manual_seed(50 + seq_a)
    for dtype, tolerance in ((torch.float32, 1e-4), (torch.float64, 1e-6)):
        a, b = (torch.randn(seq, d, generator=generator, dtype=dtype)
                for seq in (seq_a, seq_b))
        kept_a, kept_b = a.clone(), b.clone()
        seen_a, seen_b = (torch.softmax(s @ s.T, -1) @ s for s in (a, b))
        for i in range(seq_a):
            for j in range(seq_b):
                answer = context_shift(a, b, i, j)
                wanted = F.cosine_similarity(seen_a[i], seen_b[j], dim=0).item()
                assert abs(float(answer[1]) - wanted) < tolerance, (
                    f"sentences of {seq_a} and {seq_b} tokens, i={i}, j={j}: after = "
                    f"{wanted:.4f} expected, got {float(answer[1]):.4f}")
        # Property: leaves both sentences as they are while they attend [inputs-unchanged-after]
        assert torch.equal(a, kept_a) and torch.equal(b, kept_b), (
            "a sentence was changed in place")
generator = torch.Generator().manual_seed(4)
a, b = (torch.randn(seq, 5, generator=generator, dtype=torch.float64)
        for seq in (83, 71))
seen_a, seen_b = (torch.softmax(s @ s.T, -1) @ s for s in (a, b))
for i, j in ((79, 70), (2, 66)):
    after = float(context_shift(a, b, i, j)[1])
    wanted = F.cosine_similarity(seen_a[i], seen_b[j], dim=0).item()
    assert abs(after - wanted) < 1e-6, (
        f"sentences of 83 and 71 tokens, i={i}, j={j}: after = {wanted:.4f} expected, "
        f"got {after:.4f}: does every token take part?")
# Property: long vectors, whose scores reach 10,000, give a number, not NaN [large-scores]
generator = torch.Generator().manual_seed(3)
a, b = (60 * torch.randn(seq, 3, generator=generator, dtype=torch.float64)
        for seq in (5, 7))
seen_a, seen_b = (torch.softmax(s @ s.T, -1) @ s for s in (a, b))
after = float(context_shift(a, b, 4, 2)[1])
assert abs(after - F.cosine_similarity(seen_a[4], seen_b[2], dim=0).item()) < 1e-4, (
    f"vectors with entries near 100: got {after}")
# Property: everything up to the two numbers is computed on the device of the sentences [device]
stays_on_device(context_shift, a.float(), b.float(), 1, 0)
### END HIDDEN TESTS
print("1.4, second point, holds for one pair of tokens. "
      "Hidden tests: other sentences, long vectors.")

# %% [markdown]
# Your function on the two banks; and on two sentences that mean the same bank.

# %% tags=["show", "uses-exercise"]
river, i = look_up("we sat on the river bank")
money, j = look_up("she put her savings in the bank")
water, k = look_up("muddy water filled the reeds near the bank")
apart, alike = context_shift(river, money, i, j), context_shift(river, water, i, k)
print(f"river bank, savings bank: before {apart[0]:.2f}, after {apart[1]:.2f}")
print(f"river bank, muddy bank:   before {alike[0]:.2f}, after {alike[1]:.2f}")
check_guess("the two banks after attention", guess_cosine, round(apart[1], 2))

# %% [markdown]
# One vector has become two, and banks of the same kind stayed together. Is that the work of attention? The simplest
# alternative gives every word the same weight: it replaces "bank" by the **mean of its sentence**. A second one leaves out
# "bank" itself. And we read the weights: who pulled?

# %% tags=["show"]
sentences = {"river 1": "we sat on the river bank",
             "river 2": "muddy water filled the reeds near the bank",
             "money 1": "she put her savings in the bank",
             "money 2": "the bank pays interest on the loan"}
ways = {"attention": {}, "mean of all words": {}, "mean of the others": {}}
for name, sentence in sentences.items():
    known, place = look_up(sentence)                     # (seq, 2)
    seen, weights = attend_in_loops(known)
    others = torch.cat([known[:place], known[place + 1:]])
    for way, vector in zip(ways, (seen[place], known.mean(dim=0), others.mean(dim=0))):
        ways[way][name] = vector
    row = {word: round(w, 2) for word, w in zip(content(sentence),
                                                weights[place].tolist())}
    print(f"{name}: equal weights would be {1 / len(known):.2f}; bank gives {row}")
print()
for way, after in ways.items():
    pairs = [("river 1", "money 1"), ("river 1", "river 2"), ("money 1", "money 2")]
    print(f"{way:18s}",
          "   ".join(f"{a}, {b}: {F.cosine_similarity(after[a], after[b], dim=0):5.2f}"
                                   for a, b in pairs))

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3.3), width_ratios=[1.25, 1])
draw_words(left, ["river", "boat", "savings", "bank"])
start = vectors[index["bank"]].tolist()
for name, colour in [("river 1", OKABE_ITO[2]), ("money 1", OKABE_ITO[4])]:
    end, mean = (
        ways["attention"][name].tolist(), ways["mean of all words"][name].tolist())
    arrow = dict(arrowstyle="-|>", color=colour, lw=2, shrinkA=3, shrinkB=0)
    left.annotate("", end, start, arrowprops=arrow)
    left.annotate(name, end, (8, 4), textcoords="offset points", va="center",
                  color=colour)
    left.plot(*mean, "x", color="black", ms=7, mew=2)
left.set_title(
    "Attention (arrows) takes bank hardly\nfurther than a plain mean (crosses)")
places, width = torch.arange(3), 0.27
for number, (way, after) in enumerate(ways.items()):
    values = [F.cosine_similarity(after[a], after[b], dim=0).item() for a, b in pairs]
    bars = right.bar(places + (number - 1) * width, values, width, label=way,
                     color=OKABE_ITO[number])
    right.bar_label(bars, fmt="%.2f", fontsize=7)
draw_guess(right, guess_cosine)
right.set(xticks=places, xticklabels=["river 1\nmoney 1", "river 1\nriver 2",
                                      "money 1\nmoney 2"],
          ylabel="cosine of the two banks", ylim=(0, 1.5), yticks=[0, 0.5, 1])
right.set_title("All three separate the two meanings")
right.legend(frameon=False, fontsize=8, loc="upper left")
show(fig, "Left: the map of word vectors with two arrows from bank, one up to the "
          "river words, one right to the money words, and a cross for each plain mean, "
          "close to the arrow's tip. Right: bars of cosine similarity for three pairs "
          "of sentences; attention and the mean of all words differ by at most 0.02, "
          "the mean of the other words parts the meanings most.")

# %% [markdown]
# Attention brings the two banks from 1 to 0.40, the plain mean to 0.42, and among banks of one kind both leave 0.99 or
# more. So what separated the meanings is that each word took in its **neighbours**. **Choosing** among them did next to
# nothing: in "river 2" all five weights lie within 0.01 of 0.20, as they would if nothing were compared. And the word
# that helps least, "bank" itself, gets as much as any other: leave it out, and the two banks end at 0.03.

# %% [markdown]
# Would larger scores choose better? We make all vectors three and ten times as long.

# %%
for factor in (1, 3, 10):
    pulled = {}
    for name, sentence in [("river 2", "muddy water filled the reeds near the bank"),
                           ("money 1", "she put her savings in the bank"),
                           ("river 1", "we sat on the river bank")]:
        known, place = look_up(sentence)
        seen, weights = attend_in_loops(factor * known)
        pulled[name] = seen[place], weights[place]
    same = F.cosine_similarity(pulled["river 1"][0], pulled["river 2"][0], dim=0)
    other = F.cosine_similarity(pulled["river 1"][0], pulled["money 1"][0], dim=0)
    row = [round(w, 2) for w in pulled["river 2"][1].tolist()]
    print(f"times {factor:2d}: river 2 weighs muddy, water, filled, reeds, bank {row}; "
          f"river 1 and money 1 {other:.2f}, river 1 and river 2 {same:.2f}")

# %% [markdown]
# Three times as long, the choice separates the meanings further (0.26 instead of 0.40). But it chooses by similarity, and
# ten times as long most of the weight in "river 2" goes to "bank" itself, and two river banks that had agreed come
# apart (0.99 falls to 0.85). What resembles a word and what helps it are two different things. A word
# should be able to *ask* for what helps it: that is why chapter 2 adds queries and keys.
#
# (The static vectors come from sixteen sentences made to have two topics, with two numbers each; those of GPT-2, which
# we meet next, have 768. The mechanism is this one.)
#
# <!-- interactive page -->
# On the interactive page, move the words in the scene "The same word in two sentences" and compare the cosine after
# attention with that of the plain means: can you find places where choosing matters?

# %% [markdown]
# ## 1.7 The road from here
#
# Where in a language model does attention sit? We build the parts of GPT-2 (the small one) at their true size, and
# count their parameters.

# %% tags=["show"]
with torch.device("meta"):  # shapes without memory: enough for counting
    gpt2 = {
        "token table": [nn.Embedding(50257, 768)],
        "position table": [nn.Embedding(1024, 768)],
        "attention": [nn.MultiheadAttention(768, 12) for _ in range(12)],
        "feed-forward": [nn.Sequential(nn.Linear(768, 3072), nn.GELU(),
                                       nn.Linear(3072, 768)) for _ in range(12)],
        "norms": [nn.LayerNorm(768) for _ in range(25)],
    }
share = {part: sum(p.numel() for module in modules for p in module.parameters())
         for part, modules in gpt2.items()}
for part, count in share.items():
    print(f"{part:15s}{count:12,d}  {count / sum(share.values()):6.1%}")
print(f"{'together':15s}{sum(share.values()):12,d}")

# %% tags=["show"]
fig, bar = plt.subplots(figsize=(7, 1.5))
start, shades = 0, {"attention": OKABE_ITO[1], "feed-forward": OKABE_ITO[5],
                    "token table": "#B8DCF2"}
for part, count in share.items():
    colour = shades.get(part, "0.5")
    bar.barh([0], [count / 1e6], left=start / 1e6, color=colour, edgecolor="white")
    if part in shades:
        label = f"{part}\n{count / sum(share.values()):.0%}"
        bar.text((start + count / 2) / 1e6, 0, label, ha="center", va="center")
    start += count
bar.set(yticks=[], xlabel="parameters of GPT-2, in millions", xlim=(0, start / 1e6))
bar.set_title("Attention holds less than a quarter of the parameters")
bar.spines["left"].set_visible(False)
show(fig, "A bar of GPT-2's parameters: token table 31 percent, attention 23 percent, "
          "feed-forward 46 percent.")

# %% [markdown]
# What does attention do that the rest does not? We pass a sentence of six words through one part after the other and
# ask of each: **if one word changes, for which words does the part's output change?**

# %% tags=["show"]
table, head = nn.Embedding(50257, 768), nn.Linear(768, 50257, bias=False)
head.weight = table.weight  # GPT-2 uses one table at both ends
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

data, patterns, shapes = torch.randint(50257, (1, 6)), {}, {}
for name, part in parts.items():
    patterns[name] = who_reaches_whom(part, data)
    shapes[name] = f"{tuple(data.shape)} →\n{tuple(part(data).shape)}"
    data = part(data).detach()
    others = int((patterns[name] - torch.eye(6)).clamp(min=0).sum())
    print(f"{name:13s} pairs of two different words, "
          f"of 30, in which one reaches the other: {others}")

# %% tags=["show"]
fig, axes = plt.subplots(1, 4, figsize=(7, 2.9))
fig.suptitle("Attention alone carries a change from one word to the others", x=0,
             ha="left", fontsize=10)
for ax, name in zip(axes, ["token table", "attention", "feed-forward", "head"]):
    draw_matrix(ax, patterns[name], cmap="Oranges" if name == "attention" else "Blues",
                limits=(0, 1.6),
                digits=None)
    ax.set(xlabel="word that changes",
           ylabel="output that notices" if ax is axes[0] else "")
    ax.set_title(f"{name}\n{shapes[name]}", fontsize=9,
                 weight="bold" if name == "attention" else "normal")
show(fig, "Four parts of a language model, a 6 by 6 table each: in the token table, "
          "the feed-forward network and the head only the diagonal is coloured; "
          "in attention the whole lower triangle.")

# %% [markdown]
# In every other part a word is on its own: 0 of 30 pairs. **Attention is the only part in which words exchange
# anything.** (15 pairs and not 30, because a language model may only look back; chapter 3 explains why.)
#
# The next three chapters change attention one step at a time. These are the four kinds, on our running sentence.

# %% tags=["show"]
generator = torch.Generator().manual_seed(4)
heads = [{name: torch.randn(3, 3, generator=generator) for name in ("W_q", "W_k",
    "W_v")} for _ in range(2)]
W_o = torch.randn(6, 3, generator=generator)  # will join the outputs of two heads
later = torch.ones(6, 6).triu(1).bool()

plain = x @ x.T                                          # the scores of this chapter
scored = [(x @ head["W_q"]) @ (x @ head["W_k"]).T / 3 ** 0.5 for head in heads]
hidden = [scores.masked_fill(later, -inf) for scores in scored]
size = sum(W.numel() for W in heads[0].values())
road = [("1  Simple", [plain], 0), ("2  + Q, K, V", scored[:1], size),
        ("3  + causal mask", hidden[:1], size),
        ("4  + more heads", hidden, 2 * size + W_o.numel())]

# %% tags=["show"]
fig = plt.figure(figsize=(7, 3.5))
grid = fig.add_gridspec(
    3, 5, height_ratios=[1, 1, 0.9], width_ratios=[1, 1, 1, 1, 0.07])
for column, (name, tables, parameters) in enumerate(road):
    for row, scores in enumerate(tables):
        ax = fig.add_subplot(
            grid[:2, column] if len(tables) == 1 else grid[row, column])
        image = draw_matrix(ax, scores.softmax(dim=-1),
                            rows=tokens if column == 0 else [""] * 6, limits=(0, 0.6),
                            digits=None)
        ax.set(xticks=[], xlabel="key" if row + 1 == len(tables) else "",
               anchor="NW" if column == 3 else "N")
        if row == 0:
            made = ", random W" if parameters else ""
            ax.set_title(f"{name}\nchapter {column + 1}{made}", fontsize=9)
    mirrored = all(torch.allclose(scores, scores.T) for scores in tables)
    ahead = any((scores.softmax(dim=-1)[later] > 0).any() for scores in tables)
    text = fig.add_subplot(grid[2, column])
    text.axis("off")
    facts = [f"parameters: {parameters}",
             f"scores mirrored: {'yes' if mirrored else 'no'}",
             f"sees later words: {'yes' if ahead else 'no'}",
             f"patterns: {len(tables)}"]
    text.text(0.5, 1, "\n".join(facts), ha="center", va="top", fontsize=8,
              linespacing=1.5)
fig.colorbar(image, cax=fig.add_subplot(grid[:2, 4]), label="weight")
fig.suptitle("The matrices break the symmetry, the mask hides later words, "
             "two heads make two patterns", x=0.01, ha="left", fontsize=10)
show(fig, "Four heatmaps of weights. Simple: all six words see all. With queries, keys "
          "and values: all still see all, in another pattern. With a causal mask: the "
          "upper triangle is empty. With more heads: two different lower triangles. "
          "Below each stand its parameters: 0, 27, 27, 72.")

# %% [markdown]
# Read the first map as a result and the other three as a plan: their matrices $W$ are **random**, so only the zeros
# and the facts below mean something, not the shades. Each step answers a complaint that this chapter has raised:
#
# | what attention cannot do yet | what changes that |
# | --- | --- |
# | nothing can be learned: similarity alone decides, in both directions alike, and long vectors draw weight from every word | chapter 2: queries, keys, values |
# | every word sees the words that follow; a text generator must not | chapter 3: masks |
# | a word has one way of looking at the others | chapter 4: many heads |
# | a sentence is a bag of words | chapter 5: positions |
#
# ### Make it yours
#
# Write two sentences of your own with one word in common (the words with a vector are those of section 1.1), and say
# in one sentence what you expect. Then write a test of your sentence: a number that could prove it wrong. No points;
# whoever teaches the course may read it.

# %% tags=["uses-exercise", "show"]
mine = "the fish moved to the bank", "the loan moved to the bank"
description = "The fish pulls bank to the river, the loan to the money."
(one, i), (two, j) = look_up(mine[0]), look_up(mine[1])
river = vectors[index["river"]]
fish = self_attention_simple(one[None])[0][0, i]
loan = self_attention_simple(two[None])[0][0, j]
print(description)
print("cosine of the two banks:", round(context_shift(one, two, i, j)[1], 2))
to_river = [F.cosine_similarity(bank_, river, dim=0).item() for bank_ in (fish, loan)]
print(f"bank and river, with the fish: {to_river[0]:.2f}   with the loan: "
      f"{to_river[1]:.2f}")

# %% [markdown]
# ## Summary
#
# You can now
#
# - **show that a static embedding gives a word one vector**: the table returned the same row for "bank" in both
#   sentences, with a difference of 0 (1.1);
# - **measure what is lost when a sentence is squeezed through one vector, and separate the vector's share from the
#   network's**: of 24 words both cells kept less than a third; the plain one lost the first words, the gated one the
#   last, and with all states handed over the plain cell lost none (1.2);
# - **turn scores into weights** with a softmax of your own that survives scores of ±10,000 and rows of −∞ (1.4);
# - **compute self-attention without weights**: scores $x x^\top$, softmax along each row, weights times $x$; for
#   "journey" the context is $[0.4419, 0.6515, 0.5683]$ (1.5);
# - **measure how context moves a word, compared with a plain mean**: attention brought the two banks from 1 to 0.40, a
#   plain mean to 0.42 (1.6); and **say where attention sits**: it is the only part of a language model in which words
#   exchange anything (1.7).
#
# And the question at the start? A word's meaning comes from the words around it by a weighted sum. The sum is what
# separated the two banks. The weights, made from similarity alone, added next to nothing.
#
# **Next:** a word must be able to ask for what helps it, and training must be able to reach the question. Chapter 2
# gives every word three roles, a question, a label and a content, each with a matrix that can be trained.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# ## Further reading
#
# - Raschka (2024), *Build a Large Language Model (From Scratch)*, Manning, sections 3.1 to 3.3: the running sentence, its
#   18 numbers and the order of our steps from one query to all; section 3.4 goes on to trainable weights.
# - Bahdanau, Cho, Bengio (2014), *Neural Machine Translation by Jointly Learning to Align and Translate*: section 1
#   states the bottleneck, section 3.1 the repair, figure 3 shows alignments.
#   [arXiv:1409.0473](https://arxiv.org/abs/1409.0473)
# - Sutskever, Vinyals, Le (2014), *Sequence to Sequence Learning with Neural Networks*: section 2, one vector for a
#   sentence, and how far it goes. [arXiv:1409.3215](https://arxiv.org/abs/1409.3215)
# - Cho, van Merriënboer, Bahdanau, Bengio (2014), *On the Properties of Neural Machine Translation*: section 5,
#   quality against sentence length. [arXiv:1409.1259](https://arxiv.org/abs/1409.1259)
# - Vaswani and others (2017), *Attention Is All You Need*: section 1 and section 4, why self-attention.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
# - Levy, Goldberg (2014), *Neural Word Embedding as Implicit Matrix Factorization*, NeurIPS 27: sections 3 and 4, why
#   the counting recipe of our section 1.1 and trained word vectors are relatives.
