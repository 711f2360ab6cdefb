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
# # 10 · Deeper: Fast attention
#
# What [chapter 10](ch10_efficiency.ipynb) says in a sentence, measured. Optional, and without exercises.

# %% tags=["setup"]
import matplotlib.pyplot as plt

import attention_built as ab
from attention_built import OKABE_ITO, show
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## What does a smaller cache cost in quality?
#
# Chapter 9's small GPT (two layers, four heads, 48 words), trained on its made-up language with six kinds of attention: fewer key–value heads, and
# the window of section 10.7. Two seeds each, 600 batches, and once more 1,800. The numbers are stored; the script is
# `source/ch10_efficiency/quality_against_cache.py`, about twenty minutes on one core.

# %% tags=["show"]
# (key–value heads of 4, window of 48 words) -> bytes of the cache; then, after 600
# and after 1,800 batches: stories right, chants right, two seeds each
STORED_QUALITY = {
    (4, 48): (49152, [(1.00, 0.93), (1.00, 0.88)], [(1.00, 1.00), (1.00, 1.00)]),
    (2, 48): (24576, [(0.95, 0.81), (0.99, 0.91)], [(1.00, 1.00), (1.00, 1.00)]),
    (1, 48): (12288, [(0.99, 0.87), (1.00, 0.99)], [(1.00, 1.00), (1.00, 1.00)]),
    (4, 16): (16384, [(0.98, 1.00), (0.67, 0.58)], [(1.00, 1.00), (1.00, 0.99)]),
    (4, 8): (8192, [(1.00, 0.99), (0.10, 0.10)], [(1.00, 1.00), (0.10, 0.09)]),
    (1, 16): (4096, [(1.00, 1.00), (0.56, 0.54)], [(1.00, 1.00), (1.00, 0.99)])}
print("                                 600 batches                 1,800 batches")
print("kv heads   window   cache    stories      chants         stories      chants")
for (kv_heads, window), (size, *rows) in STORED_QUALITY.items():
    told = "      ".join(
        "   ".join(f"{a:.2f}, {b:.2f}" for a, b in row) for row in rows)
    print(f"{kv_heads:8d}   {window:6d}   {size // 1024:2d} KiB   {told}")

# %% tags=["show"]
# @title The chants against the bytes of the cache
fig, axes = plt.subplots(1, 2, figsize=(7.4, 3), sharey=True)
for ax, when, batches in zip(axes, (1, 2), ("600", "1,800")):
    for (kv_heads, window), row in STORED_QUALITY.items():
        colour = OKABE_ITO[{4: 0, 2: 1, 1: 2}[kv_heads]]
        marker = {48: "o", 16: "s", 8: "^"}[window]
        ax.plot([row[0] / 1024] * 2, row[when][1], marker + "-", color=colour,
                linewidth=0.8, ms=5)
    ax.set(xscale="log", xlabel="KiB of cache for 48 words", xlim=(3, 60),
           ylim=(-0.05, 1.08), title=f"chants, {batches} batches")
    ax.set_xticks([4, 8, 16, 32, 48], [4, 8, 16, 32, 48])
    ax.minorticks_off()
for kv_heads, colour in zip((4, 2, 1), OKABE_ITO):
    axes[0].plot([], [], "o", ms=5, color=colour, label=f"{kv_heads} kv, all 48 words")
for window, marker in ((16, "s"), (8, "^")):
    axes[0].plot([], [], marker, ms=5, color="0.5", label=f"window {window}")
axes[0].set_ylabel("share right")
axes[0].legend(frameon=False, fontsize=7, loc="lower right")
fig.suptitle("After 1,800 batches only the window of 8, too short for the chants, "
             "lacks them", x=0.01, ha="left", fontsize=10)
show(fig,
     "Two panels, chants right after 600 and after 1,800 batches, against bytes of "
     "cache on a logarithmic axis, two seeds joined by a line. Four, two and one "
     "key-value heads that see all words lie between 0.88 and 1 on the left and at 1 "
     "on the right. With a window of 16 words the chants are at about 0.6 on the left "
     "and at 1 on the right, with a window of 8 at 0.1 in both.")

# %% [markdown]
# *Sharing*: from 48 KiB to 12 with one pair of keys and values for four heads. No loss is to be seen, and none is excluded: after 1,800 batches both have
# everything right, and earlier (after 250) four pairs were ahead. On real text a small loss is reported (Ainslie and others, table 1).
#
# *The window*: the wanted syllable of a chant stands 11 to 15 words back. A window of 16 shows it, and the model learns it later: about 0.6 of the
# chants after 600 batches, 0.99 or more after 1,800. A window of 8 does not show it, and a tenth are right after 600 and after 1,800, although two
# layers together reach 14 words back. The stories stay right even so; their first noun stands twelve words back. So a comparison after a fixed number of
# batches says who learned first, and what a saving costs depends on whether the task still finds what it needs. Both at once, one head and a
# window of 16, take 4 KiB and end as good as the full 48.
