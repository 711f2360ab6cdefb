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
# # 14 · Deeper: A model from the world
#
# What [chapter 14](ch14_real_model.ipynb) only points to, measured. Optional, and without exercises.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch

import attention_built as ab
from attention_built import show
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## Beyond the trained length
#
# SmolLM2 was trained on texts of up to 8,192 tokens; its rotary positions (chapter 11) have no table that could end. What happens on a text half as long again, and does chapter 12's `rope_scale` help? 12,288 tokens of Python's manual, read in pieces of
# 1,024 through the cache, once as trained and once with the base changed for a factor of 1.5 ("ntk"). A pass takes many minutes, so the mean losses of the twelve pieces are stored here; `source/ch14_real_model/long_texts.py` measures them.

# %% tags=["show"]
# way -> loss of each piece of 1,024 tokens
STORED_LONG = {
    "as trained": (
        2.73, 2.56, 1.98, 2.33, 2.47, 2.25, 2.64, 2.56, 2.28, 2.54, 2.92, 3.67),
    "ntk, factor 1.5": (
        2.75, 2.58, 1.99, 2.35, 2.48, 2.26, 2.65, 2.55, 2.29, 2.53, 2.52, 2.34),
}
print("from token     ", "".join(f"{1024 * piece:7,d}" for piece in range(12)))
for way, row in STORED_LONG.items():
    print(f"{way:15}", "".join(f"{loss:7.2f}" for loss in row))

# %% tags=["show"]
# @title Loss along a text of one and a half trained lengths
fig, ax = plt.subplots(figsize=(6.4, 2.8))
for (way, row), style in zip(STORED_LONG.items(), ("o-", "s--")):
    ax.plot([1024 * piece for piece in range(12)], row, style, ms=4, label=way)
ax.axvline(8192, color="0.6", linewidth=0.8)
ax.set(xlabel="the piece begins at token", ylabel="loss",
       title="A quarter beyond the trained length it begins to hurt")
ax.legend(frameon=False)
show(fig, "Loss of twelve pieces of a text. Two lines lie on one another up to token "
          "10,240; from there the line of the unchanged model rises to 3.7, the line "
          "with another base does not.")

# %% [markdown]
# Nothing breaks at 8,192. From 10,240 on, a quarter beyond the trained length, the unchanged model loses 0.4 and then 1.3 against the other base, with which the same pieces are read as well as those before; within the trained length that base costs at most 0.02. So here the stretching does what it promises, without any training, where
# the small model of chapter 12 was better off with a window. The window with sinks, "yarn" and "interpolate" were not measured on this text; the script does so when it is called with their names.

# %% [markdown]
# ## All 270 heads
#
# In 14.4 six heads are patched. Here is each of the 270, the mean of the five pairs of texts, measured by `stored_runs.py --heads` in some minutes:

# %% tags=["show"]
# @title What each of the 270 heads brings back (stored)
# (layer, head): mean of the five pairs; the 255 others are below 0.03
STORED_HEADS = {
    (17, 4): 0.18, (19, 2): 0.16, (20, 0): 0.23, (21, 5): -0.04, (23, 0): 0.13,
    (23, 1): 0.05, (23, 2): 0.04, (23, 3): 0.49, (23, 7): 0.04, (24, 4): -0.19,
    (24, 5): -0.04, (24, 7): -0.03, (25, 2): 0.03, (29, 0): -0.2, (29, 1): 0.26}
grid = torch.zeros(9, 30)
fig, ax = plt.subplots(figsize=(7.2, 2.9))
for (layer, head), share in STORED_HEADS.items():
    grid[head, layer] = share
    if abs(share) > 0.1:
        ax.text(layer, head, f"{100 * share:.0f}", ha="center", va="center", fontsize=6,
                color="white" if abs(share) > 0.3 else "black")
ax.imshow(grid, cmap="PuOr", vmin=-0.6, vmax=0.6)
ax.set(xlabel="layer", ylabel="head", yticks=range(9),
       title="Six heads bring back over 10 percent each, two take as much away")
show(fig, "A grid of 30 layers and 9 heads, nearly all white. Head 3 of layer 23 "
          "brings back 49 percent, head 1 of layer 29 26, head 0 of layer 20 23; three "
          "more lie above 10; two, of layers 24 and 29, have the colour of negative "
          "numbers, with 19 and 20.")

# %% [markdown]
# ## The head that brings the country
#
# In 14.3 the 24th layer, number 23, brings the country in. Which of its nine heads? Each was patched, as in 14.4, from "The capital of France is" into "The capital of Italy is": 0 is the answer as in the second text, 1 as in the first. Five pairs of countries, measured by `stored_runs.py --deeper`:

# %% tags=["show"]
# (city of the first text, of the second): share that each of the nine heads brings back
STORED_COUNTRY = {
    ("Paris", "Rome"): (0.07, 0.05, 0.0, -0.23, 0.93, 0.15, 0.0, 0.07, 0.0),
    ("Tokyo", "Madrid"): (0.03, 0.06, 0.0, -0.06, 0.75, 0.07, 0.0, 0.01, 0.0),
    ("Berlin", "Moscow"): (0.1, 0.09, 0.0, -0.14, 0.86, 0.07, 0.0, 0.03, 0.0),
    ("Athens", "Vienna"): (0.02, 0.11, 0.0, -0.08, 0.7, 0.1, 0.0, 0.05, 0.0),
    ("Beijing", "Oslo"): (0.04, 0.06, 0.0, -0.11, 0.85, 0.06, 0.0, 0.03, 0.0)}
print("brought back by head    ", *(f"{head:5d}" for head in range(9)))
for (city, other), row in STORED_COUNTRY.items():
    print(f"{city + ', not ' + other:24}", *(f"{share:5.2f}" for share in row))

# %% [markdown]
# In each pair one head, number 4, brings back most of the answer, 70 to 93 percent: that is the jump that the lens saw. Head 3, which carries the names in 14.4, has no part in it; it even pulls a little the other way. This shows who carries the country to the last token, not where it was looked up.
#
# ## "It": a shift, not a switch
#
# Everybody's example for attention: "the cat sat on the mat because it was hungry", or "soft", and "it" is said to mean the cat or the mat. The model was asked afterwards what it was, and, as a control, asked for the word where the clause with "it" is missing ("The cat sat on the mat. What was soft?"):

# %% tags=["show"]
# word: how far "cat" is ahead of "mat" after the clause with "it", and only asked
STORED_IT = {"hungry": (5.7, 7.6), "tired": (5.2, 6.6), "wide": (4.4, 5.1),
             "soft": (4.6, 5.6)}
for word, (clause, question) in STORED_IT.items():
    print(f"it was {word:7} cat ahead of mat by {clause:.1f}   "
          f"only asked for {word:7} {question:.1f}")

# %% [markdown]
# The clause moves the answer in the expected direction, by 1.3 at most, and the cat always wins: in this small model the famous example is **a shift, not a switch**. Without the clause, the word in the question alone moves it by 2.5. Had we asked "What was soft?" after the clause, most of the shift would not have been due to "it".
