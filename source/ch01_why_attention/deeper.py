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
# # 1 · Deeper: Why attention?
#
# What [chapter 1](ch01_why_attention.ipynb) says in a sentence, measured. Optional, and without exercises: nothing later
# needs it, and each section stands alone.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import OKABE_ITO, draw_matrix, show
plt.rcParams.update(ab.STYLE)

# %% carry=["ch01_why_attention: about_river, about_money, small_words, content, word_vectors, attend_in_loops, Reader, LENGTHS, train, recall, tokens, x"]
# The sentences and readers of chapter 1.

# %% [markdown]
# ## Do long vectors draw weight?
#
# In section 1.4 "journey" and "starts", the longest vectors, got much of every row. There all numbers were positive. We
# take the mean of the six vectors off each, so that scores have both signs. Then "one" is the longest, and so we ask random
# vectors as well.

# %%
centred = x - x.mean(dim=0)
for name, vectors in (("as they are", x), ("centred", centred)):
    _, weights = attend_in_loops(vectors)
    print(f"{name:12s} weights of journey in the six rows",
          [round(w, 2) for w in weights[:, 1].tolist()])
print("equal weights", round(1 / 6, 2), "  longest when centred:",
      tokens[centred.norm(dim=1).argmax()])

# %%
generator = torch.Generator().manual_seed(1)
for name, draw in (("positive numbers", torch.rand), ("both signs", torch.randn)):
    more = []
    for _ in range(500):
        vectors = draw(6, 3, generator=generator)
        longest = vectors.norm(dim=1).argmax()
        others = torch.arange(6) != longest
        more.append(attend_in_loops(vectors)[1][others, longest] > 1 / 6)
    share = torch.cat(more).float().mean().item()
    print(f"{name:16s} the longest vector gets more than 1/6 from {share:.2f} "
          "of the others")

# %% [markdown]
# With positive numbers only, the longest of six random vectors gets more than its share from nine in ten of the
# others. With both signs it gets it from one in three (and from none, if you put 64 numbers in place of 3: each then
# looks at itself): a long vector is then often a loud "no". So "long vectors draw weight" holds where all numbers are
# positive, and not in general.
#
# ## Did the list of small words choose?
#
# Section 1.5 leaves out words such as "the" and "in", by a list that the author wrote. We count and keep them as well. A
# second look: more numbers than two for each word.

# %%
def banks(keep_small, numbers, factor=1):
    """Cosines of the bank of river 1 with those of money 1 and river 2: {way: (other,
    same)}; and the weights of bank in river 2.
    """
    kept = str.split if keep_small else content
    lines = (about_river + "." + about_money).split(".")
    words, vectors = word_vectors([kept(line) for line in lines], numbers)
    ends = []
    for sentence in ("we sat on the river bank", "she put her savings in the bank",
                     "muddy water filled the reeds near the bank"):
        known = kept(sentence)
        vector = factor * torch.stack([vectors[words.index(word)] for word in known])
        seen, weights = attend_in_loops(vector)          # (seq, numbers), (seq, seq)
        place = known.index("bank")
        ends.append((seen[place], vector.mean(dim=0)))
    pairs = {}
    for n, way in enumerate(("attention", "mean")):
        cosines = [F.cosine_similarity(ends[0][n], ends[k][n], dim=0) for k in (1, 2)]
        pairs[way] = [round(cosine.item(), 2) for cosine in cosines]
    return pairs, [round(w, 2) for w in weights[place].tolist()]

print("cosine of the bank of river 1 with [that of money 1, that of river 2], and the "
      "weight of bank on itself in river 2")
for keep_small in (False, True):
    for numbers in (2, 5, 10):
        kept = "with" if keep_small else "without"
        pairs, row = banks(keep_small, numbers)
        print(f"{kept} small words, {numbers:2d} numbers:", pairs, "itself", row[-1])

# %% [markdown]
# With the small words kept, "we", "the" and "in" bring the same to both sentences, and with two numbers for each word
# the banks stay at 0.94, by attention as by the mean: the list did the choosing. Without small words, but with five
# or ten numbers, "bank" gives itself more (0.28 and 0.35 in place of 0.21): attention keeps more of the old "bank"
# than the mean. But neither tells the meanings apart: two river banks come out no more alike, or hardly, than a river
# bank and a savings bank.
#
# ## Would larger scores choose better?
#
# Softmax compares differences of scores, and these grow with the square of the vectors' length.

# %%
for factor in (1, 3, 10):
    pairs, row = banks(False, 2, factor)
    print(f"times {factor:2d}: {pairs['attention']}   river 2: {row}")

# %% [markdown]
# Three times as long, the choice separates the meanings further (0.26 in place of 0.40); a mean stays where it was,
# 0.42, whatever the length. Ten times as long, "bank" looks mostly at itself in "river 2", and two river banks that
# had agreed come apart (0.85). The choice is made by likeness.
#
# ## Were the readers trained too briefly?
#
# Section 1.6 trains for 1,000 steps. Here: three times as many, with a learning rate that falls to 0; and a state three
# times as wide. And the reader that chooses, with random questions that are never trained.

# %% tags=["show", "tolerance-0.2"]
threads = torch.get_num_threads()
torch.set_num_threads(1)  # for steps as small as these one core is enough
for name, cell, weigh, width, steps in (
        ("last state, gated", nn.GRU, "last", 32, 3000),
        ("equal weights, plain", nn.RNN, "equal", 32, 3000),
        ("last state, gated, 96 wide", nn.GRU, "last", 96, 1000),
        ("chosen, questions frozen", nn.RNN, "choose", 32, 1000)):
    torch.manual_seed(1)
    reader = Reader(cell, weigh, width=width).to(device)
    if "frozen" in name:  # the questions stay random; the states can still learn
        reader.ask.requires_grad_(False), reader.place.requires_grad_(False)
    train(reader, steps, falling=steps > 1000)
    print(f"{name:27s} {steps} steps: {recall(reader, 24).mean():.2f} of 24 words")
torch.set_num_threads(threads)

# %% [markdown]
# More training helps a little, and a wider state holds more. All of them still lose about half of the words or more,
# and the reader that chooses its weights had all 24 after 1,000 steps. It has them with random questions, too: then
# the states learn to be found by them. A score has two sides, and training needs to reach one.
#
# ## What does it cost to read in order?
#
# Attention reads all words at once. That changes two things, and both can be counted before anything is trained: how many
# steps must **wait** for one another, and how much of a change in the **first word** arrives at the end.

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

counts, shares = {}, {}
ways = {"plain": (nn.RNN, False), "gated": (nn.GRU, False),
        "attention": (nn.Identity, True)}
for name, (cell, looks_back) in ways.items():
    for seq in (2, 4, 8, 16, 32, 64, 256, 1024):
        generator = torch.Generator().manual_seed(seq)
        read = torch.randn(50, seq, 32, generator=generator).requires_grad_()
        torch.manual_seed(1)
        encoder = cell(32, 32, batch_first=True)
        states = read if looks_back else encoder(read)[0]           # (50, seq, 32)
        end = states[:, -1]
        if looks_back:  # the last word looks at all words; √32: see chapter 2
            weights = (end[:, None] @ states.mT / 32 ** 0.5).softmax(dim=-1)
            shares[seq] = f"{weights[:, 0, 0].median().item():.0e}"
            end = (weights @ states)[:, 0]
        counts[name, seq] = longest_chain(end), first_to_end(read, end)
    waits = [counts[name, seq][0] for seq in (2, 64, 1024)]
    arrives = [f"{counts[name, seq][1]:.0e}" for seq in (2, 64, 1024)]
    print(f"{name:10s} steps that wait: {waits}   change that arrives: {arrives}")
print("weight of the first word in attention:", [shares[seq] for seq in (2, 64, 1024)])

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
        milliseconds(lambda: F.scaled_dot_product_attention(read, read, read)))
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
     "log scale to nothing for both cells and slowly for attention; times.")

# %% [markdown]
# A recurrent encoder cannot read word 64 before word 63: its chain of waiting steps grows with the sentence. And in a
# fresh, untrained cell the influence of the first word is multiplied at every step, until nothing of it arrives:
# that is where training has to start. (Training can change it: the gated reader of the chapter learned to keep the first
# word.) In attention every pair of words meets directly. The chain keeps its length, so all words can be worked on at
# once, **in parallel**; how much time that saves depends on the machine (right panel). What arrives of the first word
# falls as its weight does, which it shares with more and more words. The price is the number of pairs, the subject of chapter 10.
#
# ## How much of GPT-2 is attention?
#
# We build its parts (of the small one) at their true size, and count their parameters.

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
# ## The four kinds of attention, side by side
#
# Chapters 2 to 4 change attention one step at a time. These are the four kinds, on the sentence of section 1.2.

# %% tags=["show"]
generator = torch.Generator().manual_seed(4)
heads = [{name: torch.randn(3, 3, generator=generator) for name in ("W_q", "W_k",
    "W_v")} for _ in range(2)]
W_o = torch.randn(6, 3, generator=generator)  # will join the outputs of two heads
later = torch.ones(6, 6).triu(1).bool()

plain = x @ x.T                                          # the scores of this chapter
scored = [(x @ head["W_q"]) @ (x @ head["W_k"]).T / 3 ** 0.5 for head in heads]
hidden = [scores.masked_fill(later, float("-inf")) for scores in scored]
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
# and the facts below mean something, not the shades.
