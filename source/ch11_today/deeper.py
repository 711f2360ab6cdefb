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
# # 11 · Deeper: A decoder of today
#
# What [chapter 11](ch11_today.ipynb) says in a sentence, measured. Optional, and without exercises: nothing later
# needs it, and each section stands alone. The stored runs are made by `source/ch11_today/contest.py`, some minutes each.

# %% tags=["setup"]
import math
import time
from dataclasses import dataclass

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(11)
# more threads would only wait for one another
torch.set_num_threads(1)

import attention_built as ab
from attention_built import OKABE_ITO, show
plt.rcParams.update(ab.STYLE)

# %% carry=["ch04_multi_head: MultiHeadAttention", "ch06_block: TransformerBlock", "ch08_decoder: GPTConfig, GPT", "ch11_today: CONTEST_RUNS"]
# The GPT of chapter 8, and the stored runs of section 11.1.

# %% [markdown]
# ## A block of 2019 beside one of today
#
# A block of GPT-2 and one of Qwen 3 0.6B. Each bar is a part with parameters; its length is the width of its output, in widths of the stream:

# %% tags=["show"]
# @title A block of 2019 beside one of today
from transformers import Qwen3Config, Qwen3ForCausalLM

with torch.device("meta"):                             # shapes without numbers
    old = GPT(GPTConfig(vocab_size=50_257, max_len=1024, d_model=768, num_heads=12,
                        num_layers=1)).blocks[0]
    new = Qwen3ForCausalLM(Qwen3Config(
        hidden_size=1024, intermediate_size=3072, num_hidden_layers=1, head_dim=128,
        num_attention_heads=16, num_key_value_heads=8)).model.layers[0]
columns = [(old, 768, "GPT-2, 2019", [
    "norm1", *(f"attention.W_{x}" for x in "q k v o".split()), "norm2",
    "feed_forward.linear1", "feed_forward.linear2"]), (new, 1024, "Qwen 3 0.6B, 2025", [
        "input_layernorm", *(f"self_attn.{x}" for x in (
            "q_proj", "q_norm", "k_proj", "k_norm", "v_proj", "o_proj")),
        "post_attention_layernorm", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"])]
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.4), sharex=True)
for ax, (block, d, title, names) in zip(axes, columns):
    labels = []
    for row, name in enumerate(names):
        part = block.get_submodule(name)
        ax.barh(row, len(part.weight) / d, color=OKABE_ITO[
            2 if "norm" in name else 0 if "att" in name else 1])
        told = " × ".join(f"{n:,}" for n in part.weight.shape)
        told += " + bias" * (getattr(part, "bias", None) is not None)
        labels += [f"{name.split('.')[-1]}  {told}"]
    ax.set_yticks(range(len(names)), labels, fontsize=7)
    ax.set(title=title, ylim=(10.6, -0.6), xlabel="widths of the stream")
show(fig, "Two columns of bars, from top to bottom in the order of the block. GPT-2: "
          "norm1, W_q, W_k, W_v, W_o, all one width wide, norm2, linear1 four widths, "
          "linear2 one, all with a bias. Qwen 3: a norm, q_proj two widths, k_proj and "
          "v_proj one, two small norms of queries and keys, o_proj, a norm, gate_proj "
          "and up_proj three each, down_proj one, none with a bias.")

# %% [markdown]
# ## Another learning rate
#
# Does the ranking of 11.1 depend on the learning rate? Four of the changes again, at a third of the rate and at three times the rate, three seeds each (`contest.py rates`):

# %% tags=["show"]
# peak learning rate -> loss on new text after 300 steps with seeds 1, 2, 3
RATES = {
    "GPT": {0.0013: [2.404, 2.417, 2.407], 0.012: [1.995, 1.994, 1.981]},
    "RoPE": {0.0013: [2.134, 2.178, 2.117], 0.012: [1.674, 1.669, 1.662]},
    "SwiGLU": {0.0013: [2.37, 2.386, 2.373], 0.012: [2.149, 1.925, 1.972]},
    "QK-norm": {0.0013: [2.368, 2.377, 2.37], 0.012: [2.102, 2.103, 2.003]},
    "2 kv heads": {0.0013: [2.384, 2.4, 2.401], 0.012: [1.935, 2.006, 2.009]},
}
print("lower than the GPT's at the same rate by, seeds 1 to 3")
print(f"{'peak rate':14}{'0.0013':>20}{'0.004':>20}{'0.012':>20}")
for name, rows in RATES.items():
    told = ""
    for peak in (0.0013, 0.004, 0.012):
        ends = CONTEST_RUNS[name][1][:3] if peak == 0.004 else rows[peak]
        base = CONTEST_RUNS["GPT"][1][:3] if peak == 0.004 else RATES["GPT"][peak]
        if name == "GPT":
            told += f"{sum(ends) / 3:20.2f}"
        else:
            told += "  " + "".join(f"{round(round(b - e, 3), 2) + 0.0:+6.2f}"
                                   for b, e in zip(base, ends))
    print(f"{name:14}{told}{'  (its mean loss)' if name == 'GPT' else ''}")

# %% [markdown]
# Of these four only RoPE gains with every seed at every rate: 0.24 to 0.36. SwiGLU gains 0.03 with every seed at the low rate; at the high one it gains with two seeds and loses 0.15 with the third. QK-norm, which showed no gain at 0.004, gains 0.04 with every seed at the low rate and loses
# 0.02 to 0.11 at the high one. The rate itself matters as much as any of these: the GPT ends at 2.41, 2.08 and 1.99. A gain below 0.1 at a single rate says little.
#
# ## A longer training
#
# A learned table of positions needs time to be learned. The GPT and RoPE with four times as many steps, two seeds (`contest.py longer`):

# %% tags=["show"]
# loss on new text with seeds 1 and 2, after 300 steps and after 1,200
LONGER = {"GPT": [[2.049, 2.093], [1.406, 1.421]],
          "RoPE": [[1.760, 1.774], [1.332, 1.321]]}
for at, steps in enumerate((300, 1200)):
    ahead = [g - r for g, r in zip(LONGER["GPT"][at], LONGER["RoPE"][at])]
    print(f"{steps:5,} steps: RoPE lower by {ahead[0]:.2f} and {ahead[1]:.2f}")

# %% [markdown]
# RoPE is still ahead with both seeds, but by a quarter to a third of what it was: the learned table catches up when it has time.
#
# ## The second norm
#
# Alone in the GPT a second norm behind attention and feed-forward network loses. Gemma has it, together with RoPE and with token vectors multiplied by the root of the width, here 8. The same controls, seeds 1 and 2
# (`contest.py contest "second norm, table times 8"` and the like):

# %% tags=["show"]
# what holds the positions, the factor of the token vectors ->
# loss after 300 steps without a second norm, and with it
SECOND = {("a table", 1): ([2.049, 2.093], [2.338, 2.346]),
          ("a table", 8): ([2.395, 2.403], [2.384, 2.400]),
          ("RoPE", 1): ([1.760, 1.774], [1.944, 1.999]),
          ("RoPE", 8): ([1.904, 1.935], [1.799, 1.773])}
for (positions, factor), (without, with_it) in SECOND.items():
    gains = [f"{a - b:+.2f}" for a, b in zip(without, with_it)]
    print(f"{positions:8} token vectors × {factor}: without {without}, "
          f"with a second norm {with_it}, gains {' '.join(gains)}")

# %% [markdown]
# With token vectors as they come the second norm loses, with a table and with RoPE: what it adds has a size of its own, and these vectors are small beside it. With vectors eight times as large it gains 0.10 and 0.16 under RoPE. (Under a table of positions such vectors leave nothing of the positions: 2.40, as much as the 2.37 without any.)
#
# ## The norms of a longer training
#
# Section 11.2 changes the norms of a GPT that was trained for 100 steps. The same with 100 and with 800 steps, seeds 1 and 2 (`contest.py norms`). The last column is the largest share of the squares that the mean holds, in front of any norm:

# %% tags=["show"]
# steps, seed: as trained, mean not subtracted, one number for each norm, undivided; share
NORMS = {(100, 1): (2.52, 2.54, 2.59, 3.59, 0.10),
         (100, 2): (2.51, 2.53, 2.59, 3.57, 0.10),
         (800, 1): (1.53, 1.69, 1.81, 3.66, 0.05),
         (800, 2): (1.54, 1.64, 1.80, 3.52, 0.06)}
print("steps seed   as trained  mean in  one number  undivided   share of the mean")
for (steps, seed), (*losses, share) in NORMS.items():
    print(f"{steps:5}{seed:5}   " + "".join(f"{loss:10.2f}" for loss in losses)
          + f"{share:16.2f}")

# %% [markdown]
# After more training less of the squares belongs to the mean, and leaving it in costs more: small is not unimportant. In the first block the share is largest, because the table of positions begins as sinusoids, and the cosines of its slow columns are all close to 1.
#
# ## Is RMSNorm faster?
#
# It does less arithmetic, but reading and writing the vectors takes much of the time, so the speed depends on how it is programmed. On the CPU of your machine:

# %% tags=["show", "nbval-ignore-output"]
def microseconds(function, x, runs=200):
    best = math.inf
    for attempt in range(5):
        start_ = time.perf_counter()
        for _ in range(runs):
            function(x)
        best = min(best, (time.perf_counter() - start_) / runs * 1e6)
    return best

def by_formula(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * one

x = torch.randn(256, 1024)
one, zero = torch.ones(1024), torch.zeros(1024)
for what, function in [
        ("layer norm, PyTorch's own", lambda x: F.layer_norm(x, (1024,), one, zero)),
        ("RMSNorm, PyTorch's own", lambda x: F.rms_norm(x, (1024,), one)),
        ("RMSNorm, the formula", by_formula),
        ("only x + x", lambda x: x + x)]:
    print(f"{what:26} {microseconds(function, x):7.0f} µs")

# %% [markdown]
# ## Does a larger base read further?
#
# The decoder of 11.1 with all changes, trained for 150 steps on 64 places, is tested on texts of 256 (`contest.py lengths`, two seeds each). The control tests the same characters
# with only the 32 to 63 characters before them, so that no distance is new: it tells distance from harder text.

# %% tags=["show"]
# mean loss at places 33-64, 65-96, …, 225-256, a row for each seed:
# with all characters before them, then with the 32 to 63 before them alone
LENGTHS = {
    100: ([[2.11, 2.07, 2.09, 2.28, 2.25, 2.37, 2.38],
           [2.15, 2.1, 2.08, 2.29, 2.24, 2.35, 2.39]],
          [[2.11, 2.01, 1.95, 2.06, 2.01, 2.04, 2.04],
           [2.15, 2.05, 1.96, 2.1, 2.03, 2.05, 2.08]]),
    10_000: ([[2.23, 2.21, 2.19, 2.4, 2.38, 2.48, 2.47],
              [2.2, 2.2, 2.16, 2.38, 2.35, 2.45, 2.46]],
             [[2.23, 2.13, 2.07, 2.19, 2.14, 2.18, 2.17],
              [2.2, 2.09, 2.0, 2.14, 2.09, 2.12, 2.13]]),
    1_000_000: ([[2.3, 2.24, 2.21, 2.46, 2.5, 2.59, 2.55],
                 [2.26, 2.18, 2.13, 2.43, 2.52, 2.59, 2.59]],
                [[2.3, 2.21, 2.12, 2.27, 2.21, 2.26, 2.23],
                 [2.26, 2.15, 2.07, 2.22, 2.15, 2.19, 2.21]]),
}
fig, (ax, right) = plt.subplots(1, 2, figsize=(6.4, 2.7))
places = [48 + 32 * i for i in range(7)]
for colour, (base, (far, near)) in zip(OKABE_ITO, LENGTHS.items()):
    far, near = torch.tensor(far), torch.tensor(near)             # (seeds, places)
    ax.plot(places, far.mean(0), "o-", markersize=3, color=colour)
    ax.plot(places, near.mean(0), "o--", markersize=3, color=colour)
    right.plot(places, (far - near).T, "o-", markersize=3, color=colour,
               label=[f"base {base:,}", None])
    extra = (far - near).mean(0)
    print(f"base {base:9,}: loss added by what lies further back: "
          + " ".join(f"{x:.2f}" for x in extra.tolist()))
for panel in (ax, right):
    panel.axvline(64, color="0.5", linestyle=":")
    panel.set(xlabel="place in the text")
ax.plot([], [], "-", color="0.4", label="all before")
ax.plot([], [], "--", color="0.4", label="32 to 63 before")
ax.set(ylabel="loss", title="a long context costs more")
right.set(ylabel="loss added by what lies further back",
          title="about as much for every base")
for panel in (ax, right):
    panel.legend(frameon=False)
show(fig, "Left: mean loss of two seeds at places 48 to 240 for three bases, solid "
          "with all characters before, dashed with the 32 to 63 before alone; a dotted "
          "line at place 64. The dashed lines fall a little and stay flat, the solid "
          "ones rise from place 112 on. Right: their difference for both seeds, from 0 "
          "at place 48 to between 0.3 and 0.4 at place 240, for all three bases.")

# %% [markdown]
# None of the bases reads further: the characters beyond place 64 cost more with everything before them than with a short context, 0.03 to 0.10 more at once and 0.3 to 0.4 more at four times the length, for all three bases. With a short context (dashed) the smaller base has the
# lower loss at every place. At 64 places nobody needs slow pairs. Large bases are for *training* on long texts.
#
# ## QK-norm at a high rate
#
# The decoder with all changes at a peak rate of 0.03, for 300 steps in place of the 120 of section 11.4 (`contest.py scores 300`):

# %% tags=["show"]
# seed: loss on new text without QK-norm, and with it
HIGH_RATE = {1: (1.774, 1.703), 2: (2.044, 1.842), 3: (1.783, 1.665),
             4: (1.825, 1.724), 5: (1.781, 1.685)}
for seed, (without, with_it) in HIGH_RATE.items():
    print(f"seed {seed}: {without:.2f} {with_it:.2f}, gains {without - with_it:.2f}")

# %% [markdown]
# With every seed it gains, 0.07 to 0.20, at a rate at which the largest score without it ends between 286 and 498 (with it between 15 and 20). At the contest's rate there was no gain: the norm pays where scores grow.
#
# ## Muon, another schedule, bfloat16
#
# - **Warm-up, stable, decay** (Hu et al., 2024, [2404.06395](https://arxiv.org/abs/2404.06395), section 4) holds the learning rate at its peak for most of the training and lowers it at the end, here over the last fifth.
# - **Muon** (Jordan, 2024, [kellerjordan.github.io](https://kellerjordan.github.io/posts/muon/)) takes AdamW's place for the matrices in the blocks: the running mean of a matrix's gradients is replaced by the nearest matrix whose singular values are all equal.
# - **bfloat16** keeps the range of float32 and 8 of its 24 bits of precision.
#
# The first two on the decoder of 11.1 with all changes (`contest.py recipes`). The controls: a cosine that was planned for another end, and other peak rates.

# %% tags=["show"]
# loss on new text, seed by seed (five, or three for the other rates)
RECIPES = {
    "300 steps": {
        "cosine, peak 0.004": CONTEST_RUNS["all"][1],
        "stable, then decay, peak 0.004": [1.572, 1.55, 1.58, 1.562, 1.554],
        "cosine, peak 0.008": [1.613, 1.579, 1.602],
        "cosine, peak 0.012": [1.596, 1.612, 1.599],
    },
    "200 steps": {
        "cosine planned for 200": [1.92, 1.877, 1.907, 1.92, 1.932],
        "cosine planned for 300, stopped": [1.78, 1.75, 1.764, 1.77, 1.772],
        "stable, then decay": [1.745, 1.724, 1.737, 1.744, 1.739],
    },
    "300 steps, Muon for the matrices": {
        "cosine, peak 0.01": [1.691, 1.639, 1.703],
        "cosine, peak 0.02": [1.61, 1.57, 1.60, 1.62, 1.61],
        "cosine, peak 0.04": [1.586, 1.609, 1.599],
    },
}
for steps, rows in RECIPES.items():
    print(steps)
    for name, ends in rows.items():
        print(f"    {name:32} mean {sum(ends) / len(ends):.2f}   "
              + " ".join(f"{end:.2f}" for end in ends))

# %% [markdown]
# At equal peak, holding the rate and then lowering it ends 0.10 to 0.11 below the cosine with every seed. Most of that comes with the higher average rate: a cosine with twice the peak ends at 1.60. The held rate still ends 0.02 to 0.04 lower with each of
# three seeds, and its end can be chosen late: a decay at 200 steps gives 1.74, a cosine planned for 200 1.91.
#
# Muon at its peak of 0.02 or 0.04 reaches 1.60 as well. Against AdamW at 0.004 (1.67) that would look like a gain; against AdamW at 0.008 it is none. The comparison needed both rates tuned.
#
# What bfloat16 asks for:

# %% tags=["show"]
weight, step = torch.tensor(1.0), 0.001      # a weight of 1, a step of a thousandth
for kind in (torch.float32, torch.bfloat16):
    value = weight.to(kind)
    for _ in range(100):
        value = value + torch.tensor(step, dtype=kind)
    print(f"{str(kind)[6:]:9} after 100 steps of 0.001: {value.item():.4f}")

# %% [markdown]
# This is why trainings keep their weights in float32 and use bfloat16 for the matrix products only: above 1, neighbouring bfloat16 numbers are 0.0078 apart, and a step of less than half of that is lost, every time.
