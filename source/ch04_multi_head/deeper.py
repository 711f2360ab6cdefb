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
# # 4 · Deeper: Many heads
#
# What [chapter 4](ch04_multi_head.ipynb) says in a sentence, measured. Optional, and without exercises: nothing later
# needs it, and each section stands alone.

# %% tags=["setup"]
import time

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # small matrices: more threads would only wait for each other

# %% carry=["ch04_multi_head: nouns, cases, latin, Reader, learn_latin, end, verb_looks_at"]
# The Latin readers of section 4.8.

# %% [markdown]
# ## Sixteen small products
#
# Sixteen heads of width 16, as sixteen products or as one of width 256 (section 4.3), for 80 tokens and for 4,000, where the time to start a
# product no longer counts. As a control we time a product of one number with one number, which is nothing but its start.

# %% tags=["show", "nbval-ignore-output"]
def shortest_time(work, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)

big = torch.randn(256, 256)
small = list(big.chunk(16))                                   # 16 matrices of (16, 256)
for count, rounds in ((80, 500), (4000, 15)):
    x = torch.randn(count, 256)
    one = shortest_time(lambda: F.linear(x, big), rounds)
    many = shortest_time(lambda: [F.linear(x, W) for W in small], rounds)
    print(f"{count:5d} tokens: one product {one * 1e6:6.0f} µs, "
          f"sixteen {many * 1e6:6.0f} µs, {many / one:.1f} times as long")
number = torch.randn(1, 1)
start = shortest_time(lambda: F.linear(number, number), 2000)
print(f"to start one product: {start * 1e6:.0f} µs")

# %% [markdown]
# In several runs the factor was 1.3 to 1.8, at 80 tokens as at 4,000. A start takes 1 to 3 µs, so that fifteen more
# of them are a good part of the difference at 80 tokens, and next to nothing of it at 4,000. What is left is that
# narrow products use the processor less well.
#
# ## Heads and the clock
#
# Parameters and operations of the products do not change with the number of heads (section 4.7). The time does, as the tables of weights have to be
# written, put through the softmax and read:

# %% tags=["show", "nbval-ignore-output"]
for seq, rounds in ((100, 15), (1000, 3)):
    words, times = torch.randn(1, seq, 512), {}
    for heads in (1, 8, 64):
        layer = nn.MultiheadAttention(512, heads, bias=False, batch_first=True)
        with torch.no_grad():
            times[heads] = shortest_time(
                lambda: layer(words, words, words, average_attn_weights=False), rounds)
    print(f"{seq:5d} words:", *(f"{heads} heads {seconds / times[1]:.1f} times"
                                for heads, seconds in times.items()))

# %% [markdown]
# Where this was written: 1.3 to 5 times as long with 64 heads at 100 words, 7 to 12 times at 1,000. With
# `need_weights=False`, about 3 times at 1,000.
#
# ## One head, with more width, and with more time
#
# Is it the number of heads, or is one head of section 4.8 only too narrow, or trained too briefly? And can two heads do with half the width?

# %% tags=["show", "tolerance-0.05"]
for words, heads, seeds, options in (
        ("one head, twice as wide, 1,500 steps", 1, (2, 4, 9),
         {"steps": 1500, "d_model": 48}),
        ("one head, 5,000 steps", 1, (0,), {"steps": 5000}),
        ("two heads, half as wide, 300 steps", 2, (0, 1, 2),
         {"steps": 300, "d_model": 12})):
    print(f"{words}: understood, in %:", *(
        f"{end(learn_latin(heads, seed, **options)[1]):.0f}" for seed in seeds))

# %% [markdown]
# Twice the width does not help: of thirteen seeds, run apart, six give up (7 to 12), against four at the old width
# (2, 4, 7, 8), and the others are no quicker. More steps bring one head to nearly every sentence, where it does not
# give up. Two heads do it in 300 steps at half the width, too.
#
# ## Do two heads always share the work?
#
# In section 4.8 they did with five seeds. Here are eight more, with the mean weights of the verb on nominative and
# accusative, head by head:

# %% tags=["show", "tolerance-0.05"]
for seed in range(5, 13):
    reader, curve = learn_latin(2, seed, steps=300)
    print(f"start {seed:2d}: understood {end(curve):3.0f} %, weights",
          [[round(share, 1) for share in head[:2].tolist()]
           for head in verb_looks_at(reader)])

# %% [markdown]
# With three of the eight both heads mix, as a single head does. Even so they reach 98 % or more in 300 steps: two
# different mixtures of the same two nouns can be taken apart by a linear map, as two equations with two unknowns can.
# So with ten of thirteen seeds the heads share the work, and with all thirteen they learn the task. Where they mix,
# no head carries one answer alone: without one of them 30 to 60 % of either answer are right.
#
# ## How does one head do it?
#
# One head that mixes half and half understands nearly all sentences after 1,500 steps, although section 4.1 says that equal weights are hopeless. We sort
# 4,000 sentences by how much its two weights differ, and count in each quarter.

# %% tags=["show", "tolerance-0.05"]
best, _ = learn_latin(1, 0, steps=1500)
words, order, asked = latin(4000, torch.Generator().manual_seed(98))
with torch.no_grad():
    logits, weights = (part.cpu() for part in best(words.to(device), order.to(device)))
right = (logits.argmax(-1) == asked).all(-1).float()
shares = weights[:, 0, -1, :4].gather(-1, order.argsort(-1))[:, :2]    # who, whom
difference = (shares[:, 0] - shares[:, 1]).abs() / shares.sum(-1)
for part in difference.argsort().chunk(4):                    # most equal weights first
    print(f"weights differ by {difference[part].mean():.2f} of their sum: "
          f"{100 * right[part].mean():.0f} % understood")
print("the larger weight is the nominative's in "
      f"{100 * (shares[:, 0] > shares[:, 1]).float().mean():.0f} % of all sentences")

# %% [markdown]
# The mistakes lie where the two weights are nearly equal. But which noun gets more has nothing to do with its case. So the larger weight alone says
# nothing; what helps is that a noun and its ending enter the average with the *same* weight. As a control, we give both endings the same weight,
# half of their sum each, and leave the nouns theirs; then the other way round; then both.

# %% tags=["show", "tolerance-0.05"]
with torch.no_grad():
    row = weights[:, 0, -1]                                                  # (4000, 5)
    places = order.argsort(-1)[:, :2]                    # of nominative and accusative
    halves = row.gather(1, places).mean(1, keepdim=True).expand(-1, 2)
    even = row.scatter(1, places, halves)
    endings = best.case(F.pad(order, (0, 1), value=4).to(device)).cpu()  # (4000, 5, 24)
    words_alone = best.embed(words.to(device), order.to(device)).cpu() - endings
    for name, of_words, of_endings in (
            ("as trained", row, row), ("endings even", row, even),
            ("nouns even", even, row), ("both even", even, even)):
        average = (of_words[..., None] * words_alone
                   + of_endings[..., None] * endings).sum(1).to(device)     # (4000, 24)
        values = average @ best.attention.in_proj_weight.chunk(3)[2].T             # W_v
        named = best.answer(best.attention.out_proj(values)).view(-1, 2, 24).argmax(-1)
        right = (named.cpu() == asked).all(-1).float()
        print(f"{name}: understood {100 * right.mean():.0f} %")

# %% [markdown]
# With even endings 9 % are left of 97, with even nouns 69, with both even 1. So it is the shared weight that joins
# noun and ending, and the weights of the endings do most of it. (With three other seeds: 8 to 10 % with even endings,
# 67 to 73 with even nouns.)
