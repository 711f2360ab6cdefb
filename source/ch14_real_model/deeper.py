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
# Nothing breaks at 8,192. From 10,240 on, a quarter beyond the trained length, the unchanged model loses 0.4 and then 1.3 against the other base, with which the same pieces are read as well as those before; within the trained length that base costs at most 0.03. So here the stretching does what it promises, without any training, where
# the small model of chapter 12 was better off with a window. The window with sinks, "yarn" and "interpolate" were not measured on this text; the script does so when it is called with their names.
