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
# # 11 · A decoder of today
#
# *150 minutes · ●●●●● · 6 exercises, 15 points · you need chapters 5, 6, 8 and 9; chapter 10 helps*
#
# > GPT-2 appeared in 2019. Llama 3, Qwen 3 and Gemma 3 are also stacks of blocks with causal attention. Almost every part inside a
# > block has been replaced since.
#
# RMSNorm in place of layer norm, SwiGLU in place of GELU, rotary positions, keys and values shared by several query heads, normed queries and keys,
# attention windows: each came with measurements in a paper. **Which of these changes lower the loss at the same cost, how
# sure can we be, and what are the others for?**
#
# **After this chapter you can**
#
# - compare two architectures fairly: equal parameters, equal steps, several seeds, the spread drawn;
# - build the parts of a decoder of today: RMSNorm, SwiGLU, attention with rotary positions, shared keys, QK-norm, a window and a cache;
# - put them together from one configuration, and load published weights of Llama and Qwen 3 into your own model;
# - prove that they arrived: logits equal to those of the `transformers` library, with a cache and without;
# - say what a published configuration costs, in parameters and in bytes of cache, before anything is downloaded.

# %% tags=["setup"]
import json
import math
import threading
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

torch.manual_seed(11)
# our models are small: more threads would only wait for one another
torch.set_num_threads(1)
torch.set_printoptions(precision=4, sci_mode=False)
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
from attention_built import OKABE_ITO, check_guess, draw_road, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# The model to beat is the GPT of chapters 8 and 9, trained as in chapter 9 on the same text: the manual that comes with Python, one
# character a token.

# %% carry=["ch04_multi_head: MultiHeadAttention", "ch05_positions: sinusoidal_encoding", "ch06_block: TransformerBlock", "ch08_decoder: GPTConfig, GPT", "ch09_training: make_batch, learning_rate, train_step, train, fresh_model, FIRST, held_out_loss"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% tags=["show"]
draw_road(11)

# %% [markdown]
# ## 11.1 One change at a time
#
# What stands in a block of 2019, and what stands in its place today:
#
# | part | GPT-2 (2019) | Llama 3, Qwen 3, Gemma 3 | what the new part does | a source |
# | --- | --- | --- | --- | --- |
# | norm | layer norm | RMSNorm | divides by the size, leaves the mean alone | Zhang and Sennrich, 2019 |
# | biases | everywhere | nowhere | saves a few parameters | PaLM, 2022 |
# | positions | a learned table | RoPE | turns queries and keys | Su et al., 2021 |
# | feed-forward | two matrices, GELU | three matrices, SwiGLU | one branch opens and closes the other | Shazeer, 2020 |
# | keys and values | one per head | one for a group of heads | makes the cache smaller | Ainslie et al., 2023 |
# | queries and keys | as they come | normed (Qwen 3, Gemma 3) | bounds the scores | Dehghani et al., 2023 |
# | behind attention and feed-forward network | nothing | a second norm (Gemma 3) | fixes the size of what is added to the residual stream | Gemma Team, 2024 |
# | reach | everything | a window in some layers (Gemma 3) | makes the cache smaller | Beltagy et al., 2020 |
#
# A fair comparison keeps everything else equal. All our models read the same batches of chapter 9's text, 300 steps of 16 windows of 64 characters, at the same learning rate. **Parameters** are made equal
# by the width of the feed-forward network: a model that saves some elsewhere gets them back there (all lie within 150 of 110,336). **Luck** is measured: each model is trained with five seeds, which
# decide its initial weights and its batches. `all` below means six changes: all but the second norm and the window.
#
# **Predict, then run.** One of these changes, made alone, lowers the loss on new text by more than all others together: `RMSNorm`, `no biases`, `RoPE`, `SwiGLU`, `2 kv heads` (for 4 heads), `QK-norm`, `second norm` or `window 16` (in the first layer)?

# %% tags=["show"]
guess_change = None         # type one of the eight, in quotes, then run the next cell

# %% [markdown]
# Fifty-five trainings are too many for a notebook, so these runs are stored. Shorter versions of two of them you will run yourself: the GPT in 11.2, `all` in 11.5.
#
# <details><summary>The script of the contest</summary>
#
# `source/ch11_today/contest.py contest`; its heart:
#
# ```python
# def of_equal_size(**changes):
#     """Options with these changes, and the width of the feed-forward network that comes closest to the GPT's parameters."""
#     o, target = Options(**changes), size(Options())
#     one = size(replace(o, d_ff=9)) - size(replace(o, d_ff=8))
#     return replace(o, d_ff=8 + round((target - size(replace(o, d_ff=8))) / one))
#
# for name, changes in CONTEST.items():
#     o = of_equal_size(**changes)
#     print(name, size(o), [price(train(o, seed), windows) for seed in range(1, 6)])
# ```
#
# `train` is chapter 9's loop: AdamW with a peak of 0.004, 30 steps of warm-up, a cosine, gradients clipped at 1; `price` is the loss on windows that share no run of 30 characters with the training text.
# </details>

# %% tags=["show"]
# parameters; loss on new text after 300 steps with five seeds;
# mean of the five at steps 1, 50, 100, …, 300
CONTEST_RUNS = {
    "GPT": (110336, [2.049, 2.093, 2.098, 2.073, 2.044],
            [4.59, 2.64, 2.47, 2.32, 2.18, 2.09, 2.07]),
    "RMSNorm": (110274, [2.05, 2.103, 2.088, 2.058, 2.066],
                [4.6, 2.64, 2.48, 2.32, 2.18, 2.09, 2.07]),
    "no biases": (110400, [2.07, 2.095, 2.094, 2.067, 2.06],
                  [4.56, 2.63, 2.47, 2.33, 2.19, 2.1, 2.08]),
    "RoPE": (110368, [1.76, 1.774, 1.741, 1.753, 1.736],
             [4.54, 2.54, 2.21, 2.0, 1.85, 1.77, 1.75]),
    "SwiGLU": (110248, [2.024, 1.968, 1.967, 1.978, 1.977],
               [4.58, 2.63, 2.46, 2.27, 2.1, 2.01, 1.98]),
    "2 kv heads": (110272, [2.033, 2.084, 2.105, 2.068, 2.066],
                   [4.56, 2.63, 2.47, 2.32, 2.18, 2.09, 2.07]),
    "QK-norm": (110400, [2.098, 2.113, 2.071, 2.052, 2.112],
                [4.59, 2.64, 2.46, 2.32, 2.19, 2.11, 2.09]),
    "second norm": (110332, [2.338, 2.346, 2.396, 2.35, 2.373],
                    [4.56, 2.87, 2.61, 2.51, 2.42, 2.37, 2.36]),
    "window 16": (110336, [2.045, 2.132, 2.104, 2.077, 2.063],
                  [4.58, 2.63, 2.45, 2.32, 2.19, 2.1, 2.08]),
    "all": (110208, [1.679, 1.65, 1.684, 1.676, 1.664],
            [4.56, 2.52, 2.18, 1.93, 1.77, 1.69, 1.67]),
    "all but RoPE": (110464, [1.98, 2.081, 2.076, 2.01, 2.085],
                     [4.63, 2.61, 2.45, 2.3, 2.15, 2.07, 2.05]),
}
gpt_ends, gains = torch.tensor(CONTEST_RUNS["GPT"][1]), {}
print(f"{'':14}parameters   mean  spread   lower than the GPT's by, seed by seed")
for name, (size, losses, _) in CONTEST_RUNS.items():
    losses = torch.tensor(losses)
    gains[name] = gpt_ends - losses
    told = " ".join(f"{round(gain, 2) + 0.0:+.2f}" for gain in gains[name].tolist())
    print(f"{name:14}{size:10,d}  {losses.mean():.3f}   {losses.std():.3f}   {told}")
alone = {name: gain.mean() for name, gain in gains.items() if "all" not in name}
five = [alone[name] for name in (
    "RMSNorm", "no biases", "SwiGLU", "2 kv heads", "QK-norm")]
print(f"six changes at once gain {gains['all'].mean():.2f}; "
      f"each alone, added: {sum(five) + alone['RoPE']:.2f}")
print(f"the five without RoPE gain {gains['all but RoPE'].mean():.2f} "
      f"(spread {gains['all but RoPE'].std():.2f}); each alone, added: {sum(five):.2f}")
check_guess("the change that gains most", guess_change, max(alone, key=alone.get))

# %% tags=["show"]
fig, (ax, right) = plt.subplots(1, 2, figsize=(7.2, 3.4), width_ratios=[3, 2])
colours = {"GPT": "#000000", "RoPE": OKABE_ITO[1], "SwiGLU": OKABE_ITO[2],
           "second norm": OKABE_ITO[3], "all": OKABE_ITO[0]}
for row, (name, (_, losses, curve)) in enumerate(CONTEST_RUNS.items()):
    colour = colours.get(name, OKABE_ITO[5])
    ax.plot(losses, [row] * 5, "o", markersize=5, alpha=0.7, color=colour)
    ax.plot([sum(losses) / 5], [row], "|", markersize=16, color="black")
    if name in colours:
        right.plot([1, *range(50, 301, 50)], curve, "o-", markersize=3,
                   color=colour, label=name)
ax.axvspan(gpt_ends.min(), gpt_ends.max(), color="0.9", zorder=0)
ax.set_yticks(range(len(CONTEST_RUNS)), list(CONTEST_RUNS))
ax.invert_yaxis()
ax.set(xlabel="loss on new text, 300 steps",
       title="RoPE and SwiGLU gain, one change loses")
right.set(xlabel="step", ylabel="loss", ylim=(1.5, 3.2), title="mean of five seeds")
right.legend(frameon=False)
show(fig, "Left: losses of five seeds for each row, as dots, with their mean as a bar. "
          "GPT, RMSNorm, no biases, two key-value heads, QK-norm and a window lie "
          "between 2.03 and 2.14, in or around the grey band of the GPT's own seeds; "
          "SwiGLU lies between 1.97 and 2.02, RoPE between 1.74 and 1.77, the second "
          "norm between 2.34 and 2.40, six changes together between 1.65 and 1.68, and "
          "all but RoPE between 1.98 and 2.09. Right: mean loss over the steps; RoPE "
          "and the six changes lie below the GPT from step 50 on, the second norm "
          "above.")

# %% [markdown]
# **At this rate two changes gain, five make no difference that these seeds can show, and one loses.** RoPE lowers the loss by 0.29 to 0.36 with every seed, SwiGLU by 0.03 to 0.13. RMSNorm, no biases, shared keys, QK-norm and the window move it by less than the seeds do among
# themselves (a spread of 0.025): their means lie within 0.02 of zero, and 24 of their 25 gains within 0.05. The second norm raises it by 0.25 to 0.33 with every seed (if its weights start at 0.1 in place of 1, the losses are 2.20, 2.20, 2.25, 2.26 and 2.19, still 0.11 to 0.18 higher; `contest.py contest "second norm from 0.1"`).
#
# **Do the gains add up?** Six changes at once gain 0.40; their gains, each made alone, add to 0.38. Without RoPE the five others gain 0.02 together and 0.06 if added, a difference smaller than the spread of that row. Nothing here speaks against adding them.
#
# **Does the ranking depend on the learning rate?** Four of the changes again, at a third of the rate and at three times the rate, three seeds each (stored, `contest.py rates`):

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
# Of these four only RoPE gains with every seed at every rate: 0.24 to 0.36. SwiGLU gains 0.03 with every seed at the low rate, and at the high one it gains with two seeds and loses 0.15 with the third. QK-norm, which showed no gain at 0.004, gains 0.04 with every seed at the low rate and loses
# 0.02 to 0.11 at the high one; two key–value heads never move the loss by more than 0.06. The rate itself matters as much as any of these: the GPT ends at 2.41, 2.08 and 1.99. So a gain below 0.1 at a single rate says little, and "SwiGLU gains, QK-norm does not" is a statement about one rate.
#
# Do the changes without a gain serve no purpose? That does not follow. Our models are small and shallow and see 300 steps. RMSNorm and no biases save arithmetic, shared keys and windows save memory, QK-norm and second norms are meant for trainings that would
# diverge at sizes that we cannot afford. A contest at equal parameters and equal steps cannot show that; the sections below measure it where they can.
#
# **Does it depend on the length of the training?** A learned table of positions needs time to be learned. The GPT and RoPE once more, with four times as many steps, two seeds (stored, `contest.py longer`):

# %% tags=["show"]
# loss on new text with seeds 1 and 2, after 300 steps and after 1,200
LONGER = {"GPT": [[2.049, 2.093], [1.406, 1.421]],
          "RoPE": [[1.760, 1.774], [1.332, 1.321]]}
for at, steps in enumerate((300, 1200)):
    ahead = [g - r for g, r in zip(LONGER["GPT"][at], LONGER["RoPE"][at])]
    print(f"{steps:5,} steps: RoPE lower by {ahead[0]:.2f} and {ahead[1]:.2f}")

# %% [markdown]
# RoPE is still ahead with both seeds, but by a quarter to a third of what it was: the learned table catches up when it has time. Every number of this contest is about short trainings of small models.
#
# ## 11.2 A norm without a mean
#
# Layer norm (chapter 6) subtracts the mean of the features, divides by their standard deviation, multiplies by a weight and adds a bias. RMSNorm keeps the division and the weight. What is lost? If the mean of a vector is small
# compared with its size, hardly anything: subtracting the mean removes the share $\frac{\mathrm{mean}^2}{\mathrm{mean\ of\ squares}}$ of the vector's squares. For random features that share is about $1/d$, here $1/64 = 0.016$.
# Is it as small inside a trained model? We train the GPT of chapter 9 for 100 steps and measure the share in what enters its norms.

# %% tags=["show"]
from pydoc_data.topics import topics

alphabet = "\n" + "".join(map(chr, range(32, 127)))     # 96 characters: a token each
text = "\n".join(topics[name] for name in sorted(topics))
text = "".join(c if c in alphabet else "?" for c in text)[:400_000]
ids = torch.tensor([alphabet.index(c) for c in text])
train_ids = ids[:360_000]
seen = {text[i:i + 30] for i in range(360_000 - 29)}
starts = [i for i in range(360_000, 400_000 - 64, 65)
          if all(text[j:j + 30] not in seen for j in range(i, i + 36))]
test_windows = torch.stack([ids[i:i + 65] for i in starts])
print(len(train_ids), "characters to train on,", len(test_windows), "new windows")

def text_batches(seed, batch=16):
    generator = torch.Generator().manual_seed(seed)
    return lambda: [part.to(device)
                    for part in make_batch(train_ids, batch, 64, generator)]

# %% tags=["show"]
gpt_config = GPTConfig(vocab_size=96, max_len=64, d_model=64, num_heads=4, num_layers=2)
gpt = fresh_model(gpt_config, seed=1)
gpt_losses = train(gpt, text_batches(1), steps=100)
gpt.eval()

# %% tags=["show", "tolerance-0.15"]
def share_of_mean(x):
    """How much of the squares of the features belongs to their mean, from 0 to 1."""
    return (x.mean(-1).square() / x.square().mean(-1)).mean().item()

def at_norms(model, windows, measure):
    """For each norm: what measure says about the vectors that enter it."""
    measured, hooks = {}, []
    for name, part in model.named_modules():
        if name.split(".")[-1] in ("norm1", "norm2", "norm"):
            def look(part, inputs, output, name=name):
                measured[name] = measure(inputs[0])
            hooks.append(part.register_forward_hook(look))
    with torch.no_grad():
        model(windows[:, :-1].to(device))
    for hook in hooks:
        hook.remove()
    return measured

noise = torch.randn(1000, 64, generator=torch.Generator().manual_seed(1))
print(f"random features   {share_of_mean(noise):.3f}")
for name, share in at_norms(gpt, test_windows, share_of_mean).items():
    print(f"{name:17} {share:.3f}")
for name in ("token_embedding", "position_embedding"):
    table = gpt.get_submodule(name).weight
    print(f"{name:18} alone {share_of_mean(table):.3f}")

# %% [markdown]
# After the first block the mean holds less than random features would give. In the first block it holds a tenth: that comes from the table of positions, which begins as sinusoids, and the cosines of its slow columns are all close to 1. Now a second measurement: the same trained GPT, its weights
# untouched, with every layer norm replaced by one that does not subtract the mean. Two controls change the other half, the division: one divides all tokens by the same number (for each norm the mean size of its inputs), one does not divide.

# %% tags=["show", "tolerance-0.15"]
class Instead(nn.Module):
    """A layer norm's weight and bias behind another centring or division.

    size: what every token is divided by; None: each by its own size.
    """

    def __init__(self, norm, centre, size):
        super().__init__()
        self.norm, self.centre, self.size = norm, centre, size

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True) if self.centre else x
        own = x.square().mean(-1, keepdim=True).add(1e-5).sqrt()
        x = x / (own if self.size is None else self.size)
        return x * self.norm.weight + self.norm.bias

def with_norms(model, centre, sizes):
    kept = {}
    for name, part in list(model.named_modules()):
        if name.split(".")[-1] in ("norm1", "norm2", "norm"):
            owner = model.get_submodule(name.rpartition(".")[0])
            kept[name] = (owner, part)
            setattr(owner, name.split(".")[-1], Instead(part, centre, sizes.get(name)))
    loss = held_out_loss(model, test_windows)
    for name, (owner, part) in kept.items():
        setattr(owner, name.split(".")[-1], part)
    return loss

sizes = at_norms(gpt, test_windows,
                 lambda x: x.var(-1, unbiased=False).mean().sqrt().item())
for what, centre, divide_by in [("as trained", True, {}),
                                ("mean not subtracted", False, {}),
                                ("divided by one number", True, sizes),
                                ("not divided", True, dict.fromkeys(sizes, 1.0))]:
    print(f"{what:21} loss {with_norms(gpt, centre, divide_by):.2f}")
print("sizes:", {name: round(size, 2) for name, size in sizes.items()})

# %% [markdown]
# Without the subtraction the loss rises by a few hundredths, although the model was trained with it; without the division it rises by about one nat, because what stands behind each norm gets numbers of a size that it has never seen. One number for each norm, in place of each token's own size, brings nearly all of that back. So what this trained
# model needs is the right scale; neither the mean nor each token's own size makes a difference above a tenth. (Trained without the subtraction from the start, the model of 11.1 ends at the same loss as the GPT. We did not train one that divides by a constant.) It is often said that RMSNorm is faster. It does less arithmetic, but reading and writing the vectors takes much of the time, so the speed depends on how it is programmed. On the CPU of your machine:

# %% tags=["show", "nbval-ignore-output"]
import time

def microseconds(function, x, runs=200):
    best = math.inf
    for _ in range(5):
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
# ### Exercise 11.1 · RMSNorm · 2 points · about 10 minutes
#
# Complete `RMSNorm(d_model, eps=1e-6)`, which divides each vector by its root mean square and multiplies by a learned `weight`, one number for each
# feature, at first all ones <!-- asks: start -->:
#
# $$y = \frac{x}{\sqrt{\frac{1}{d} \sum_i x_i^2 + \varepsilon}} \cdot \mathtt{weight}$$
#
# - **Values, 1 point.** The norm is taken over the last dimension, with $\varepsilon$ inside the root, whatever `eps` is <!-- asks: values, eps -->; no mean is subtracted and no bias added. Training and evaluation mode give the
#   same <!-- asks: train-eval -->, and the [house rules](#house-rules) hold, for the gradient of the weight too <!-- asks: leading-dims, non-contiguous, gradient, inputs-unchanged, device -->.
# - **Precision, 1 point.** The result has the dtype of the input, whatever the dtype of `weight` is <!-- asks: dtype -->; the arithmetic runs in float32 at least: in bfloat16 and float16 the
#   result is the rounded float32 one (round before the weight or after it, as you like), with the gradients of the formula, and float16 inputs of 300 do not overflow <!-- asks: precision, large-values -->.
#
# <details><summary>Hint 1</summary>Compare with your LayerNorm of chapter 6: what goes, what stays?</details>
# <details><summary>Hint 2</summary>The mean needs keepdim, or it does not fit the rows that it divides.</details>
# <details><summary>Hint 3</summary>Two conversions of the dtype are needed. Where does each belong, if nothing in between may be rounded to half precision?</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RMSNorm(nn.Module):
    """Divide by the root mean square of the features, times a learned weight.

    (..., d_model) -> the same.
    Zhang and Sennrich (2019), Root Mean Square Layer Normalization, equation 4.
    """

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        y = x.float()
        y = y * torch.rsqrt(y.square().mean(dim=-1, keepdim=True) + self.eps)
        return (y * self.weight.float()).to(x.dtype)
        ### END SOLUTION

# %% tags=["uses-exercise"]
# The mean of 9 and 16 is 12.5; ten times as large: the same; the sign stays.
root = 12.5 ** 0.5
ab.beside([[3 / root, 4 / root], [-3 / root, 4 / root]],
          lambda: RMSNorm(2)(torch.tensor([[3.0, 4.0], [-30.0, 40.0]])))

# %% nbgrader={"grade": true, "grade_id": "ch11_rms_norm_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference", "stays_on_device"]
"""Exercise 11.1, values: four vectors of three features."""
x_ = torch.tensor([[1e-3, 2e-3, 3e-3], [3.003, 4.004, -1.001], [1., -7., 2.],
                   [0., 0., 0.]])
weight_ = {"weight": torch.tensor([10., 0.5, 2.])}
one_ = ab.case("four vectors, eps = 1e-5, weight = [10, 0.5, 2]", x_,
               of=ab.module(3, eps=1e-5, weights=weight_), look="values gradient")
batch_ = ab.case("a batch", ab.numbers(3, 2, 4) / 3, of=ab.module(4))
evaluated_ = ab.module(4, train=False)
ab.check("11.1 values", RMSNorm, [
    ab.case("RMSNorm(3)", look="parameters", of=ab.module(3, weights={})),
    ab.case("the weight of a new norm", of=ab.module(3, weights={}),
            steps=[("weight",)], hint="It starts as ones"),
    one_,
    *(ab.case(f"[[0.001, 0.002, 0.003]] with {words}", x_[:1], of=ab.module(3, **eps))
      for words, eps in [("eps as it is", {}), ("eps = 0", {"eps": 0.0})]),
    *ab.house_rules(batch_.but("one vector", args=(batch_.args[0][0, 0],)),
                    only="axes"),
    *ab.house_rules(batch_, only="empty views inputs device"),
    batch_.but("a batch, and another one", steps=[("", x) for x in (
        batch_.args[0], batch_.args[0].flip(0))]),
    batch_.but("the gradient", look=("gradient",)),
    batch_.but("in evaluation mode", of=evaluated_),
    batch_.but("the gradient in evaluation mode", of=evaluated_, look=("gradient",)),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.1 values", RMSNorm, [one_, *cases], "x -> y",
             like=reference("RMSNorm"))

def sized(d_model, front=(5,), size=1.5, train=True, **options):
    x = size * ab.numbers(*front, d_model, seed=d_model) + size / 3
    words = f"x {tuple(x.shape)}, to {3 * size:g}, {options}"
    return ab.case(words, x, of=ab.module(d_model, train=train, **options))

# Property: evaluation and training mode give the same [train-eval]
tried(sized(7, train=False), sized(7, train=False).but(
    "the gradient in evaluation mode", look=("gradient",)))
# Property: right for other sizes and values of the weight [values]
tried(*(sized(d_model, eps=eps) for d_model, eps in [
    (7, 1e-6), (13, 1e-5), (1, 1e-6), (64, 1e-3)]))
# Property: any number of leading dimensions [leading-dims]
tried(*(sized(5, front) for front in [(), (3,), (2, 7), (2, 3, 4), (2, 1, 3, 2)]),
      *ab.house_rules(sized(5), only="empty"))
# Property: numbers that are not contiguous in memory give the same [non-contiguous]
tried(*ab.house_rules(sized(5, (2, 7)), only="views"))
# Property: a new norm has weights of one and nothing else to learn [start]
tried(ab.case("RMSNorm(11)", look="parameters", of=ab.module(11, weights={})),
      ab.case("its weight", of=ab.module(11, weights={}), steps=[("weight",)]))
# Property: eps stands inside the root, and its default is 1e-6 [eps]
tried(*(sized(7, size=size, **options) for size in (1e-4, 1e-3, 1e-2)
        for options in ({}, {"eps": 0.01}, {"eps": 3.0})))
# Property: gradients reach the input and the weight [gradient]
tried(sized(5).but("the gradient", look=("gradient",)),
      sized(5, eps=0.5).but("the gradient, eps = 0.5", look=("gradient",)))
# Property: the input is not modified [inputs-unchanged]
tried(*ab.house_rules(sized(5), only="inputs"))
# Property: everything happens on the device of the input [device]
layers = {"cpu": RMSNorm(5), "meta": RMSNorm(5).to("meta")}
stays_on_device(lambda x: layers[x.device.type](x), torch.zeros(3, 5))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_rms_norm_check_precision", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.1, precision: half-precision numbers in, half-precision numbers out."""
def typed_(x, weight, within=0.02, **options):
    return ab.case(f"x in {x.dtype}, weight in {weight}, {options or 'eps as it is'}",
                   x, of=ab.module(x.size(-1), dtype=weight, **options),
                   look="dtype values", within=within)

def rounded_once_(norm, x):
    in_float32 = norm(x.float()).to(x.dtype)
    return bool((norm(x) != in_float32).float().mean() < 0.05)

def line_(dtype, *shape, seed=11):
    return ab.case(f"{shape} numbers in {dtype}: the float32 results, rounded once",
                   (1.1 * ab.numbers(*shape, seed=seed)).to(dtype), ask=rounded_once_,
                   of=ab.module(shape[-1], weights={}, dtype=torch.float32),
                   hint="Square, mean and root are computed in float32")

halves_, singles_ = (torch.bfloat16, torch.float16), (torch.float32, torch.float64)
ab.check("11.1 precision", RMSNorm, [
    one_,
    *(typed_(x_.to(dtype), weight, eps=1e-5) for weight in singles_
      for dtype in (*halves_, *singles_)),
    typed_(torch.tensor([[300., 400., -7.]]).half(), torch.float32),
    typed_(x_[3:].half(), torch.float16, eps=1e-8),
    typed_(x_, torch.bfloat16, 1e-4, eps=1e-5),
    *(line_(dtype, 2, 150) for dtype in halves_),
    *(typed_(x_[1:3].to(dtype), torch.float32).but(
        f"the gradient for x in {dtype}", look=("gradient",), within=0.1)
      for dtype in halves_),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.1 precision", RMSNorm, [one_, *cases], "x -> y",
             like=reference("RMSNorm"))

x = ab.numbers(3, 8, seed=112) + 0.3
# Property: the result has the dtype of the input, also with a weight of another dtype [dtype]
tried(*(typed_(x.to(x_type), w_type) for x_type in (*halves_, *singles_)
        for w_type in (torch.bfloat16, *singles_)))
# Property: in bfloat16 and float16 the result is the float32 result, rounded [precision]
tried(*(line_(dtype, 7, 512, seed=113) for dtype in halves_),
      *(typed_(torch.ones(1, 2).to(dtype), torch.float32, eps=3.0) for dtype in halves_),
      *(typed_(x.to(dtype), torch.float32).but(
          f"the gradient for x in {dtype}", look=("gradient",), within=0.1)
        for dtype in halves_))
# Property: large and small float16 numbers neither overflow nor vanish [large-values]
tried(*(typed_((size * torch.tensor([[1., -1., 2., 0.5]])).half(), torch.float32, 5e-3,
               eps=1e-6)
        for size in (0, 3e4, 300, 1e-2)))
### END HIDDEN TESTS

# %% [markdown]
# ## 11.3 A gate
#
# The plain feed-forward network is `down(gelu(up(x)))`: each hidden number depends on one direction of $x$. A **gated** network has two branches of the same width. One of them, the gate, goes through an activation, and then the two are multiplied, number
# by number.

# %% [markdown]
# SwiGLU uses the activation silu. Around $-5$ and below, silu is almost 0: the gate is shut. For large inputs silu is close to its input, so the gate multiplies by a large number:

# %%
a = torch.tensor([-5.0, -1.0, 0.0, 1.0, 5.0])
print("silu(a) = a · sigmoid(a):", [round(s, 3) for s in F.silu(a).tolist()])
print("times 10:                ", [round(s, 3) for s in (F.silu(a) * 10).tolist()])

# %% [markdown]
# What is new is the product. A plain network can only approximate a product of two features; a gated one can compute it. A small test: two networks of about equal size (144 and 145 numbers) learn $y = x_1 x_2$, and as a control $y = |x_1| + x_2$, in which
# nothing is multiplied. Three seeds each; the error is given as a share of the variance of $y$.

# %% tags=["show", "tolerance-0.15"]
class Plain(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(2, width, bias=False)
        self.down = nn.Linear(width, 1, bias=False)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))

class Gated(Plain):
    def __init__(self, width):
        super().__init__(width)
        self.gate = nn.Linear(2, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def learns(network, target, seed):
    torch.manual_seed(seed)
    model, x = network(), torch.randn(512, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.0)
    for _ in range(200):
        optimizer.zero_grad()
        loss = (model(x)[:, 0] - target(x)).square().mean()
        loss.backward()
        optimizer.step()
    new = torch.randn(2000, 2)
    return ((model(new)[:, 0] - target(new)).square().mean() / target(new).var()).item()

for name, target in [("x1 · x2", lambda x: x[:, 0] * x[:, 1]),
                     ("|x1| + x2", lambda x: x[:, 0].abs() + x[:, 1])]:
    for kind, make in [("plain, 48 wide", lambda: Plain(48)),
                       ("gated, 29 wide", lambda: Gated(29))]:
        errors = [learns(make, target, seed) for seed in range(3)]
        print(f"{name:10} {kind}: error {min(errors):.4f} to {max(errors):.4f}")

# %% [markdown]
# Each network wins on one of the two: the gated one makes the product with an error more than ten times smaller, the plain one makes $|x_1| + x_2$ with an error more than ten times smaller. So a gate is not better in itself. On text it gained 0.09
# at the same number of parameters (11.1). Why it does is not known. The paper that introduced SwiGLU ends: "We offer no explanation as to why these architectures seem to work; we attribute their success, as all else, to divine benevolence."
#
# A gate needs a third matrix. To compare at equal parameters, as 11.1 did, the gated network must be narrower.

# %% [markdown]
# ### Exercise 11.2 · SwiGLU · 2 points · about 12 minutes
#
# - **The module, 1 point.** Complete `SwiGLU(d_model, d_ff)` with three linear layers without bias, `gate` and `up` from `d_model` to `d_ff`, `down` back
#   <!-- asks: parts -->:
#
# $$\mathrm{SwiGLU}(x) = \mathtt{down}\big(\mathrm{silu}(\mathtt{gate}(x)) \odot \mathtt{up}(x)\big)$$
#
#   for any sizes and inputs of any size <!-- asks: values -->; nothing is dropped, drawn or kept from one call to the next, in training or evaluation mode <!-- asks: train-eval -->. The [house rules](#house-rules) hold, for the
#   gradients of all three layers too <!-- asks: leading-dims, gradient, dtype, inputs-unchanged, device -->.
# - **The width, 1 point.** Complete `swiglu_width(d_model, multiple=64)`: the plain network of chapter 6 has two matrices between `d_model` and `4 * d_model`. Return the `d_ff` at which
#   three matrices come closest to as many numbers as those two have (biases not counted), as a multiple of `multiple` (of two that are equally close, either one) <!-- asks: width -->, and at least one multiple
#   <!-- asks: smallest -->; a whole number (`int`, no `float`) <!-- asks: whole -->.
#
# <details><summary>Hint 1</summary>Which of the two, gate or up, goes through silu? The other one is what is let through.</details>
# <details><summary>Hint 2</summary>Write both counts with the unknown width w and set them equal.</details>
# <details><summary>Hint 3</summary>Closest means that one may round down as well as up.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_swiglu", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SwiGLU(nn.Module):
    """A feed-forward network with a gate: (..., d_model) -> the same.

    Shazeer (2020), GLU Variants Improve Transformer, equation 6.
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        ### BEGIN SOLUTION
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.down(F.silu(self.gate(x)) * self.up(x))
        ### END SOLUTION


def swiglu_width(d_model, multiple=64):
    """The d_ff at which a SwiGLU has as many numbers as the 4 * d_model network."""
    ### BEGIN SOLUTION
    return max(1, round(8 * d_model / 3 / multiple)) * multiple
    ### END SOLUTION

# %% tags=["uses-exercise"]
def one_number():
    network = SwiGLU(1, 1)
    with torch.no_grad():
        for part, number in [(network.gate, 1.0), (network.up, 10.0),
                             (network.down, 1.0)]:
            part.weight.fill_(number)
    return network(torch.tensor([[2.0]]))

# silu(2) = 2 · 0.8808, times 10 · 2
ab.beside([[2 / (1 + math.exp(-2)) * 20]], one_number)
# 3 · 48 · 128 = 2 · 48 · 192
ab.beside(128, lambda: swiglu_width(48, multiple=8))

# %% nbgrader={"grade": true, "grade_id": "ch11_swiglu_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.2, the module: two features, three inside, every number known."""
known_ = {"gate": torch.tensor([[1., 0.], [0., 1.], [1., -1.]]),
          "up": torch.tensor([[0., 2.], [1., 1.], [3., 0.]]),
          "down": torch.tensor([[1., 0., 2.], [0., 1., -1.]])}
in_training_ = ab.module(2, 3, weights=known_)
in_evaluation_ = ab.module(2, 3, weights=known_, train=False)
x_, large_ = torch.tensor([[2., -1.]]), torch.tensor([[200., -100.]])
one_ = ab.case("x = [[2, -1]]", x_, of=in_training_,
               hint="silu on the gate, times up, then down; nothing is dropped")
ab.check("11.2 module", SwiGLU, [
    ab.case("SwiGLU(2, 3)", look="parameters", of=ab.module(2, 3, weights={})),
    one_,
    *ab.house_rules(one_.but("one vector", args=(x_[0],)), only="axes"),
    one_.but("[[-1, 3]], then [[2, -1]]", steps=(("", x_.flip(1) + 1), ("", x_))),
    one_.but("in evaluation mode", of=in_evaluation_),
    *ab.house_rules(one_, but="axes"),
    one_.but("the gradient in evaluation mode", of=in_evaluation_, look=("gradient",)),
    ab.case("x = [[200, -100]]", large_, of=in_training_),
    ab.case("the gradient for x = [[200, -100]]", large_, of=in_training_,
            look="gradient"),
], "x -> y")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.2 module", SwiGLU, cases, "x -> y", like=reference("SwiGLU"))

def sized(d_model, d_ff, front=(3, 5), train=True, scale=1):
    mode = "training" if train else "evaluation"
    x = scale * ab.numbers(*front, d_model, seed=d_model)
    return ab.case(f"SwiGLU({d_model}, {d_ff}), x {tuple(x.shape)}, in {mode}", x,
                   of=ab.module(d_model, d_ff, train=train))

# Property: right for other sizes [values]
sizes = [(5, 7), (7, 5), (3, 3), (1, 11), (16, 40)]
tried(*(made for two in sizes for case in (sized(*two), sized(*two, scale=1000))
        for made in (case, *ab.house_rules(case, only="float64"))))
# Property: any number of leading dimensions [leading-dims]
tried(*(sized(5, 7, front) for front in [(), (3,), (2, 3), (2, 3, 4)]),
      *ab.house_rules(sized(5, 7), only="empty views"))
# Property: three linear layers without bias, and nothing else to learn [parts]
tried(*(ab.case(f"SwiGLU{two}", look="parameters", of=ab.module(*two, weights={}))
        for two in sizes[:2]))
# Property: evaluation and training mode give the same, and nothing is kept between calls [train-eval]
x = ab.numbers(3, 5, seed=112)
tried(*(sized(5, 7, train=train).but("x, -x, x", steps=(("", x), ("", -x), ("", x)))
        for train in (True, False)))
# Property: gradients reach all three and the input [gradient]
tried(*(made for train in (True, False)
        for made in ab.house_rules(sized(5, 7, (3,), train), only="gradient")),
      sized(5, 7, (3,), scale=100).but("x in the hundreds", look=("gradient",)))
# Property: the result has the dtype of input and module [dtype]
tried(*ab.house_rules(sized(5, 7), only="float64 bfloat16"))
# Property: the input is not modified [inputs-unchanged]
tried(*ab.house_rules(sized(5, 7), only="inputs"))
# Property: everything happens on the device of the input [device]
tried(*ab.house_rules(sized(5, 7), only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch11_swiglu_check_width", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.2, the width: as many numbers as the plain network has."""
def sized_(d_model, *multiple):
    words = ", ".join(map(str, (d_model, *multiple)))
    return ab.case(f"swiglu_width({words})", d_model, *multiple, within=1e-6)

def whole_(d_model, *multiple):
    return ab.case(f"d_model = {d_model}: a whole number, which nn.Linear takes",
                   ask=lambda f: isinstance(f(d_model, *multiple), (int, torch.Tensor)))

ab.check("11.2 width", swiglu_width, [
    sized_(96, 1), sized_(150), sized_(40), sized_(100, 1), sized_(768, 256),
    sized_(13, 10), sized_(17, 10), sized_(2), whole_(150), whole_(96, 1),
], "d_model, multiple -> the width")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("11.2 width", swiglu_width, cases, "d_model, multiple -> the width",
             like=reference("swiglu_width"))

# Property: closest to the plain network's numbers, among the multiples [width]
tried(*(sized_(d_model, multiple)
        for d_model in (32, 50, 64, 100, 127, 200, 512, 1000, 4096)
        for multiple in (1, 2, 8, 10, 32, 64, 256)
        if 16 * d_model % (6 * multiple) != 3 * multiple))  # two are equally close
# Property: never below one multiple [smallest]
tried(sized_(1, 64), sized_(3, 256), sized_(8, 64))
# Property: a whole number that nn.Linear takes [whole]
tried(whole_(100), whole_(3, 2))
### END HIDDEN TESTS

# %% [markdown]
# ## 11.4 Attention of today
#
# **Rotary positions in halves.** Chapter 5's `apply_rope` pairs neighbours: features 0 and 1, 2 and 3, … The published weights of Llama, Qwen and Gemma, as the `transformers` library keeps them, pair feature $i$ with feature
# $i + d_\mathrm{head}/2$. Each pair turns as in chapter 5, by the angle position times $\mathtt{base}^{-2i/d_\mathrm{head}}$, $i = 0, 1, \dots$

# %% [markdown]
# For a head of 4 features at position 1:

# %%
x = torch.tensor([1.0, 2.0, 3.0, 4.0])
angle = 1 * 10_000.0 ** (-torch.tensor([0.0, 2.0]) / 4)    # 1 and 0.01
cos, sin = angle.cos(), angle.sin()
a, b = x[:2], x[2:]                                        # pairs (1, 3) and (2, 4)
print("halves    ", torch.cat([a * cos - b * sin, b * cos + a * sin]))
a, b = x[0::2], x[1::2]                                    # pairs (1, 2) and (3, 4)
print("neighbours", torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten())

# %% [markdown]
# For a network that is trained from the start it makes no difference: the features of a head have no order of their own, and permuting the rows of $W_q$ and $W_k$ turns one version into the other. Weights that were *learned* with one layout
# need that layout. The next cell computes the scores of one query with a key at three places: with halves, with neighbours after permuting the features, and with neighbours without permuting them.

# %%
def rotate(x, place, layout, base=10_000.0):
    """One vector, turned to a place. layout: "halves" or "neighbours"."""
    d = x.numel()
    angle = place * base ** (-torch.arange(0, d, 2) / d)
    a, b = x.chunk(2) if layout == "halves" else (x[0::2], x[1::2])
    parts = a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()
    return torch.cat(parts) if layout == "halves" else torch.stack(parts, -1).flatten()

generator = torch.Generator().manual_seed(11)
q, k = torch.randn(2, 8, generator=generator)
order = torch.tensor([0, 4, 1, 5, 2, 6, 3, 7])    # (0, 4), (1, 5), … become neighbours
for layout, names in [("halves", torch.arange(8)), ("neighbours", order),
                      ("neighbours", torch.arange(8))]:
    turned_q = rotate(q[names], 10, layout)
    scores = [turned_q @ rotate(k[names], place, layout) for place in (10, 7, 1)]
    print(f"{layout:11}{'permuted' if names is order else '':10}",
          [round(score.item(), 3) for score in scores])

# %% [markdown]
# The first two rows agree; the third agrees at distance 0 only, where query and key are turned by the same angles. Loading Llama's weights into a model with the other layout raises no error, because the shapes fit, and the scores are
# wrong. Section 11.6 shows what such a model writes.
#
# **The base** decides how slowly the slowest pair turns. How many places make a full turn of the slowest pair, for a head of 64 features?

# %%
for base in (100.0, 10_000.0, 500_000.0, 1_000_000.0):
    slowest = base ** (-62 / 64)
    fast, slow = 2 * math.pi, 2 * math.pi / slowest
    print(f"base {base:9,.0f}: the fastest pair turns once in {fast:.1f} places, "
          f"the slowest in {slow:9,.0f}")

# %% [markdown]
# Llama 2 (base 10,000) was trained on texts of 4,096 tokens, Llama 3 (500,000) on 8,192 and later 131,072. A pair that has turned more than once gives the same angle to different distances; one that has hardly turned tells only near from
# far. Does a larger base alone make a model read further than it was trained to? The decoder of 11.1 with all changes, trained for 150 steps on 64 places, is tested on texts of 256 (stored, `contest.py lengths`, two seeds each). The control tests the same characters
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
fig, (ax, right) = plt.subplots(1, 2, figsize=(7.2, 3.1))
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
# None of the bases reads further: with everything before them, the characters beyond place 64 cost more than with a short context: 0.03 to 0.10 more at once and 0.3 to 0.4 more at four times the length, for all three bases. (The text itself is not harder there: the
# dashed lines end lower than they begin.) The bases differ in another way: with a short context (dashed) the smaller base has the lower loss at every place, also within the 64 that were trained. At 64 places nobody needs slow pairs. What large bases are for is *training* on long texts; chapter 12 returns to
# stretching a trained model.
#
# **QK-norm.** A score is the product of two vectors that can grow without bound. When they do, softmax picks a single key and its gradient vanishes (chapter 2). Norming each head's query and key to one size
# bounds the score: with weights of 1, by $\sqrt{d_\mathrm{head}}$.

# %% [markdown]
# The figure shows the largest score in the decoder with all changes, with QK-norm and without it, over shorter trainings of 120
# steps, at the contest's rate and at one 7.5 times as high (stored, `contest.py scores`; two and five seeds):

# %% tags=["show"]
# largest score at steps 1, 10, 20, …, 120, a row for each seed; loss at the end
SCORES = {
    (0.004, False): ([
          [1.6, 1.7, 2.3, 2.7, 6.2, 8.4, 10.3, 12.1, 13.7, 14.7, 14.6, 15.3, 15.4],
          [1.7, 1.6, 1.7, 2.5, 3.4, 5.8, 7.4, 9.7, 10.9, 11.4, 11.8, 11.9, 11.9]],
         [2.204, 2.219]),
    (0.004, True): ([
          [3.5, 3.6, 3.5, 3.6, 3.7, 3.9, 4.1, 4.3, 4.4, 4.6, 4.6, 4.7, 4.7],
          [3.5, 3.4, 3.5, 3.7, 3.8, 4.0, 4.4, 4.6, 4.7, 4.8, 4.8, 4.9, 4.9]],
         [2.249, 2.199]),
    (0.03, False): ([
          [1.6, 3.0, 9.7, 25.2, 49.0, 72.4, 101.4, 124.7, 134.0, 129.1, 148.2, 155.8,
           155.0],
          [1.6, 2.2, 11.6, 38.7, 64.6, 81.6, 111.3, 119.4, 136.8, 143.9, 142.9, 148.3,
           148.0],
          [1.5, 2.3, 9.2, 24.3, 54.0, 70.2, 82.4, 78.3, 80.4, 77.7, 76.1, 76.1, 76.0],
          [1.5, 2.8, 11.5, 22.3, 47.2, 70.7, 97.7, 107.6, 115.5, 123.9, 121.2, 116.8,
           116.8],
          [1.7, 3.2, 9.2, 23.2, 59.0, 72.9, 97.6, 104.4, 120.3, 131.5, 127.0, 122.4,
           123.3]],
         [2.168, 2.338, 2.116, 2.237, 2.152]),
    (0.03, True): ([
          [3.4, 3.7, 3.7, 4.9, 5.3, 6.2, 7.5, 8.7, 9.5, 9.8, 9.9, 10.0, 10.0],
          [3.6, 3.7, 4.6, 5.1, 6.3, 6.7, 7.7, 8.7, 9.3, 9.7, 9.9, 10.0, 10.0],
          [3.4, 3.6, 3.7, 4.6, 6.0, 6.9, 7.9, 8.8, 9.1, 9.3, 9.5, 9.6, 9.6],
          [3.6, 3.6, 4.1, 4.3, 5.1, 6.7, 8.3, 10.4, 11.8, 13.3, 13.6, 13.4, 13.4],
          [3.7, 3.6, 4.2, 4.6, 6.4, 7.2, 7.7, 8.2, 9.0, 8.7, 9.0, 9.0, 9.0]],
         [2.176, 2.304, 2.066, 2.164, 2.11]),
}
fig, axes = plt.subplots(1, 2, figsize=(7.2, 2.9), sharey=True)
for ax, peak in zip(axes, sorted({peak for peak, _ in SCORES})):
    for qk_norm in (False, True):
        rows, ends = SCORES[peak, qk_norm]
        name = "with QK-norm" if qk_norm else "without QK-norm"
        label = f"{name}, loss {min(ends):.2f} to {max(ends):.2f}"
        for row in rows:
            ax.plot([1, *range(10, 121, 10)], row, linewidth=1, label=label,
                    color=OKABE_ITO[2 if qk_norm else 1])
            label = None
    ax.set(yscale="log", xlabel="step", ylim=(0.5, 1000),
           title=f"peak learning rate {peak}")
    ax.legend(frameon=False, fontsize=8, loc="upper left")
axes[0].set_ylabel("largest score")
show(fig, "Two panels of the largest attention score against the step, on a "
          "logarithmic axis. Left, at a peak rate of 0.004: without QK-norm two lines "
          "rise from 1.6 to 12 and 15, with it two stay between 3.5 and 5. Right, at "
          "0.03: without it five lines rise to between 76 and 156, with it five rise "
          "from 3.5 to between 9 and 14.")

# %% [markdown]
# Without the norm the largest score grows to 12 and 15 at the contest's rate, and to between 76 and 156 at the high one. (A key whose score is 10 above that of another gets 22,000 times its weight.) With the norm the scores start near their bound of 4; they end below 5 at the low
# rate and between 9 and 14 at the high one, because the weights of the two norms grow. **That is what QK-norm is for**: it keeps the scores small at learning rates at which they would otherwise grow far. What does that gain here? At the high rate the mean
# loss is 2.16 in place of 2.20, lower with four of five seeds, while the seeds differ by 0.2 among themselves: at our size no gain that five seeds can prove. In the larger models of Dehghani et al. and Wortsman et al. (Further reading) growing scores made
# trainings diverge, and the norm prevented it.
#
# **Shared keys, a window, a cache.** You know both from chapter 10: several query heads read one key–value head, and a window hides what lies too far back. Both make the cache smaller. With a cache, positions have to continue: a token that is
# read alone is not at position 0 but behind the tokens in the cache.

# %% [markdown]
# ### Exercise 11.3 · Attention of today · 4 points · about 30 minutes
#
# Complete `RotaryAttention(d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None)`. Linear layers without bias: `W_q` to `num_heads · d_head` features, `W_k` and
# `W_v` to `num_kv_heads · d_head`, `W_o` back to `d_model`; `d_head` is `d_model // num_heads` unless it is given <!-- asks: parts, d-head -->. Head $h$ is the $h$-th block of `d_head` features;
# scores are divided by $\sqrt{d_\mathrm{head}}$. `forward(x)` returns the output alone, `(batch, seq, d_model)`; place $i$ sees no later place <!-- asks: causal -->.
#
# - **Values, 1 point.** Queries and keys are turned by the *half-split* RoPE above, with base `rope_base` and positions from 0 on; head $h$ of the queries reads key–value head
#   `h // (num_heads // num_kv_heads)`, as in chapter 10 <!-- asks: values, groups, base -->.
# - **QK-norm, 1 point.** With `qk_norm=True`, and only then, there are `q_norm` and `k_norm`, an `RMSNorm(d_head)` each, shared by the heads, applied to every head's query and key **before** the
#   rotation; values are not normed <!-- asks: qk-norm, qk-norm-parts -->.
# - **Window, 1 point.** With `window=w` place $i$ sees itself and the $w - 1$ places before it, at any length of text <!-- asks: window, window-one -->. This point also asks for what holds with and without
#   a window: the result has the dtype of the module, and angles are exact in bfloat16, too, at position 700, say <!-- asks: dtype, far-positions -->; everything is on the module's device <!-- asks: device -->;
#   gradients reach all parts <!-- asks: gradient -->; the input is unchanged <!-- asks: inputs-unchanged -->.
# - **Cache, 1 point.** `forward(x, cache)` with a list: `[]` at first, afterwards `[k, v]` in this order <!-- asks: cache-order -->, extended *in place* and `(batch, num_kv_heads, all places so far, d_head)` each
#   <!-- asks: cache-size, cache-in-place -->. The places of `x` follow those in the cache, and one token at a time, or in pieces of any length, gives the same as all at once, with a window and
#   QK-norm, too <!-- asks: cache-steps, cache-pieces, cache-window -->. Two caches do not mix <!-- asks: cache-own -->. (The keys in the cache may be turned already or not; with a window all places may
#   stay in it, and the mask hides the old ones. A cache serves for writing, not for training: no gradient has to flow through it.)
#
# <details><summary>Hint 1</summary>Write it without a cache first. How many places lie in the cache? That number is the position of the first token of x.</details>
# <details><summary>Hint 2</summary>The mask has a row for each new place and a column for each place there is. Write down the position of each row and of each column; both conditions, not later and not
# too far back, are comparisons of the two.</details>
# <details><summary>Hint 3</summary>Put one key–value head into the cache once. Repeat it for its queries after that, so that neighbours in the order of heads share one.</details>
# <details><summary>Hint 4</summary>bfloat16 holds 256 and 258 but not 257: compute the angles in float32, and convert cosine and sine at the end.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_rotary_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RotaryAttention(nn.Module):
    """Causal attention with rotary positions and shared keys and values.

    Where asked, with QK-norm and a window.
    forward(x, cache=None): (batch, seq, d_model) -> the same.
    cache: a list, [] at first, then [k, v].
    Su et al. (2021), RoFormer; Ainslie et al. (2023), GQA;
    Dehghani et al. (2023), section 2: QK-norm.
    """

    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        ### BEGIN SOLUTION
        self.d_head = d_head or d_model // num_heads
        self.groups = num_heads // num_kv_heads
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        self.q_norm = RMSNorm(self.d_head) if qk_norm else None
        self.k_norm = RMSNorm(self.d_head) if qk_norm else None
        ### END SOLUTION

    def forward(self, x, cache=None):
        ### BEGIN SOLUTION
        # (batch, heads, seq, d_head)
        split = lambda y: y.unflatten(-1, (-1, self.d_head)).transpose(1, 2)
        q, k, v = split(self.W_q(x)), split(self.W_k(x)), split(self.W_v(x))
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(-2) if cache else 0
        places = torch.arange(past + x.size(1), device=x.device)
        q, k = self.turn(q, places[past:]), self.turn(k, places[past:])
        if cache:
            k, v = torch.cat([cache[0], k], dim=-2), torch.cat([cache[1], v], dim=-2)
        if cache is not None:
            cache[:] = [k, v]
        k, v = (part.repeat_interleave(self.groups, dim=1) for part in (k, v))
        back = places[past:, None] - places             # how far back a key lies
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        # (batch, heads, seq, d_head)
        heads = F.scaled_dot_product_attention(q, k, v, allowed)
        return self.W_o(heads.transpose(1, 2).flatten(2))
        ### END SOLUTION

    ### BEGIN SOLUTION
    def turn(self, x, places):
        """Rotate features i and i + d_head / 2 by place · base^(-2i / d_head)."""
        half = torch.arange(0, self.d_head, 2, device=x.device, dtype=torch.float32)
        # (seq, d_head / 2)
        angles = places[:, None].float() * self.rope_base ** (-half / self.d_head)
        cos, sin = angles.cos(), angles.sin()
        a, b = x.float().chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
    ### END SOLUTION

# %% tags=["uses-exercise"]
attention = RotaryAttention(d_model=8, num_heads=4, num_kv_heads=2)
x = torch.ones(1, 5, 8)
print({name: tuple(p.shape) for name, p in attention.named_parameters()})
cache = []
pieces = [attention(x[:, :3], cache), attention(x[:, 3:], cache)]
assert attention(x).shape == (1, 5, 8) and attention.W_k.weight.shape == (4, 8)
assert torch.allclose(torch.cat(pieces, dim=1), attention(x), atol=1e-5)
print("in the cache:", [tuple(part.shape) for part in cache])

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.3, values: four heads, two key-value heads, d_head of its own, numbers
known."""
def numbers_(shape, k):
    """Numbers between -1 and 1 that look random and are the same on every machine."""
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

def filled_(**settings):
    """Attention of 6 features, 4 heads of 4 features, 2 key-value heads, known numbers.
    """
    model = RotaryAttention(6, 4, 2, d_head=4, rope_base=100.0, **settings)
    with torch.no_grad():
        for k, name in enumerate(("W_q", "W_k", "W_v", "W_o")):
            weight = getattr(model, name).weight
            weight.copy_(1.2 * numbers_(weight.shape, k))
    return model

fresh_ = RotaryAttention(6, 4, 2, d_head=4)
for name_, shape_ in [
        ("W_q", (16, 6)), ("W_k", (8, 6)), ("W_v", (8, 6)), ("W_o", (6, 16))]:
    part_ = getattr(fresh_, name_, None)
    assert isinstance(part_, nn.Linear), (
        f"{name_} is asked for, an nn.Linear, got {part_}")
    assert part_.bias is None, f"{name_} has a bias: none of the four has one"
    assert tuple(part_.weight.shape) == shape_, (
        f"6 features, 4 heads, 2 key-value heads, d_head = 4: {name_}.weight should be "
        f"{shape_}, got {tuple(part_.weight.shape)}")
default_ = tuple(RotaryAttention(12, 2, 1).W_k.weight.shape)
assert default_ == (6, 12), (
    "without d_head a head has d_model // num_heads features: W_k of "
    f"RotaryAttention(12, 2, 1) is (6, 12), got {default_}")
x_ = 2 * numbers_((2, 5, 6), 10)
kept_ = x_.clone()
try:
    y_ = filled_()(x_)
except RuntimeError as error:
    raise AssertionError("the shapes did not fit. Queries are (batch, 4, seq, 4); "
                         "keys and values are (batch, 2, seq, 4) until they are "
                         f"repeated for their queries ({error})") from error
assert isinstance(y_, torch.Tensor), (
    f"the output alone is asked for, got {type(y_).__name__}")
y_ = y_.detach()
assert tuple(y_.shape) == (2, 5, 6), (
    f"(2, 5, 6) in, (2, 5, 6) out, got {tuple(y_.shape)}")
twice_ = filled_()
assert torch.allclose(twice_(x_), twice_(x_), atol=1e-6), (
    "two calls with the same input give two results: nothing is drawn or dropped here, "
    "in training (train) or evaluation, and nothing is kept")
assert torch.allclose(twice_.train()(x_), twice_.eval()(x_), atol=1e-6), (
    "train and eval mode differ: nothing is dropped here")
silent_ = RotaryAttention(12, 2, 1)
with torch.no_grad():
    silent_.W_o.weight.zero_()
assert not silent_(2 * numbers_((2, 3, 12), 11)).any(), (
    "with a W_o of zeros the output is not zero: W_o is used whatever the sizes are")
# one number; what the mistakes give:
mark_ = (y_ * numbers_(y_.shape, 99)).sum().item()
mistakes_ = {
    -5.860954: "the rotation pairs neighbours (interleaved, as in chapter 5): here "
               "feature i is paired with feature i + d_head / 2",
    9.478884: "the rotation turns the wrong way: the angle is positive, as in chapter "
              "5",
    -8.784597: "queries and keys are not turned",
    0.659651: "the angles are laid out for neighbours, the features in halves: both "
              "halves get the same angles",
    35.232120: "a sign is missing: a rotation has a minus at one of its two sines",
    26.557164: "the angles fall too slowly: the exponent of pair i is -2i / d_head, "
               "with the 2",
    -7.288818: "the first pair turns by 1 per place: its exponent is 0",
    19.558869: "the second pair turns as with base 10,000: the base was 100 here (is "
               "rope_base used?), and the exponent of pair i is -2i / d_head (not "
               "twice that)",
    14.433634: "only the queries are turned: keys are turned, too",
    -10.677220: "only the keys are turned: queries are turned, too",
    19.049066: "the values are turned: only queries and keys are",
    -2.216319: "key-value heads are repeated in the wrong order: queries 0 and 1 share "
               "head 0, queries 2 and 3 share head 1",
    -14.377976: "all queries read key-value head 0: queries 2 and 3 read head 1",
    22.862782: "the scores are not divided by the root of d_head",
    21.271046: "the scores are divided by the root of d_model: it is d_head = 4 here",
    17.492699: "the scores are divided by d_head: it is the root of d_head",
    18.279138: "the future is not hidden",
    17.253028: "the past is hidden in place of the future",
    11.046883: "a place does not see itself",
    3.705317: "features were given to the heads in turn: head h is the h-th block of "
              "d_head",
    -19.127327: "the features were cut into heads without a transpose: places and "
                "heads are mixed",
    24.883451: "the heads were put together without a transpose: places and heads are "
               "mixed",
    6.431461: "the value heads are repeated in another order than the key heads",
    5.208854: "a place does not see itself",
    -0.979546: "the features of the keys are in another order than those of the "
               "queries: pairs of halves for both, none interleaved",
    24.675705: "the exponent of pair i has d_model in it: it is -2i / d_head",
    -8.716940: "the angles are in reverse order: the first pair turns fastest, its "
               "exponent is 0",
    -10.329361: "softmax goes over the queries: it goes over the keys, the last "
                "dimension",
    9.726048: "queries and keys are normed: with qk_norm=False they are not"}
for number_, mistake_ in mistakes_.items():
    assert abs(mark_ - number_) > 2e-3, mistake_
first_ = [round(value_, 3) for value_ in y_[0, 3, :3].tolist()]
assert max(abs(a_ - b_)
           for a_, b_ in zip(first_, [0.092, 4.701, -1.271], strict=True)) < 5e-3, (
    "other outputs than these numbers give, for text 0 at place 3, the first three: "
    f"[0.092, 4.701, -1.271] expected, got {first_}")
assert abs(mark_ - 22.111358) < 2e-3, (
    f"the outputs with signs sum to {mark_:.3f}, not to 22.111")
assert torch.equal(x_, kept_), "x was changed in place"
large_ = 1000 * x_
other_ = torch.cat([large_[:, :3], 2000 * numbers_((2, 2, 6), 12)], dim=1)
gap_ = (twice_(large_) - twice_(other_))[:, :3].abs().max().item()
assert gap_ < 1, (
    "with inputs a thousand times as large the outputs of places 0 to 2 change with "
    f"places 3 and 4, by {gap_:.0f}: what hides the future is not small enough (-1e4?)")
### BEGIN HIDDEN TESTS
def turned_(x, first, base):
    """Half-split RoPE by complex numbers, in float64."""
    half = x.size(-1) // 2
    rate = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = torch.arange(first, first + x.size(-2), dtype=torch.float64)[:, None] * rate
    z = torch.complex(x[..., :half], x[..., half:]) * torch.polar(
        torch.ones_like(angle), angle)
    return torch.cat([z.real, z.imag], dim=-1)

def by_hand_(model, x, heads, kv, d_head, base=10000.0, window=None, norms=None):
    """The output, from the weights alone, head by head, in float64."""
    x, outputs = x.double(), []
    W = (lambda name,
         h: getattr(model, name).weight.double()[h * d_head:(h + 1) * d_head])
    for h in range(heads):
        group = h // (heads // kv)
        q, k, v = x @ W("W_q", h).T, x @ W("W_k", group).T, x @ W("W_v", group).T
        if norms is not None:
            q, k = (
                part / (part.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * w.double()
                for part, w in zip((q, k), norms))
        q, k = turned_(q, 0, base), turned_(k, 0, base)
        back = torch.arange(x.size(1))[:, None] - torch.arange(x.size(1))
        hidden = (back < 0) | (back >= (window or 10**9))
        outputs.append((q @ k.transpose(-2, -1) / d_head ** 0.5).masked_fill(
                           hidden, -1e30).softmax(-1) @ v)
    return torch.cat(outputs, dim=-1) @ model.W_o.weight.double().T

generator = torch.Generator().manual_seed(1104)
# Property: right for other sizes, batches and lengths [values]
for d_model, heads, kv, d_head, batch, seq in [
        (14, 7, 7, None, 3, 5), (12, 3, 1, None, 1, 11), (10, 5, 5, 6, 2, 1),
        (9, 2, 2, 8, 2, 7), (8, 1, 1, None, 2, 13)]:
    model = RotaryAttention(d_model, heads, kv, d_head=d_head)
    x = 2 * torch.randn(batch, seq, d_model, generator=generator)
    torch.testing.assert_close(
        model(x).double(), by_hand_(model, x, heads, kv, d_head or d_model // heads),
        atol=2e-5, rtol=2e-4,
        msg=lambda m: f"RotaryAttention({d_model}, {heads}, {kv}, d_head={d_head}), x "
                      f"{tuple(x.shape)}\n{m}")
# Property: head h reads key-value head h // (num_heads // num_kv_heads) [groups]
for heads, kv in [(6, 2), (6, 3), (12, 4), (4, 1)]:
    model = RotaryAttention(10, heads, kv, d_head=4)
    x = 2 * torch.randn(2, 5, 10, generator=generator)
    torch.testing.assert_close(
        model(x).double(), by_hand_(model, x, heads, kv, 4), atol=2e-5, rtol=2e-4,
        msg=lambda m: f"{heads} heads, {kv} key-value heads\n{m}")
# Property: rope_base is the base of the angles [base]
for base in (10.0, 500.0, 1e6):
    model = RotaryAttention(10, 2, 1, d_head=6, rope_base=base)
    x = 2 * torch.randn(2, 23, 10, generator=generator)
    torch.testing.assert_close(
        model(x).double(), by_hand_(model, x, 2, 1, 6, base), atol=2e-5, rtol=2e-4,
        msg=lambda m: f"rope_base = {base}\n{m}")
same = RotaryAttention(10, 2, 1, d_head=6).double()
given = RotaryAttention(10, 2, 1, d_head=6, rope_base=10000.0).double()
given.load_state_dict(same.state_dict())
long = 3 * torch.randn(
    1, 40, 10, dtype=torch.float64, generator=torch.Generator().manual_seed(5))
torch.testing.assert_close(same(long), given(long), atol=1e-9, rtol=0,
                           msg=lambda m: f"without rope_base the base is 10,000\n{m}")
# Property: what comes later changes nothing before it [causal]
model = RotaryAttention(10, 5, 5)
other = torch.cat([x[:, :9], torch.randn(2, 14, 10, generator=generator)], dim=1)
torch.testing.assert_close(model(x)[:, :9], model(other)[:, :9], atol=1e-5, rtol=1e-5,
                           msg=lambda m: "the outputs of the first nine places "
                                         f"changed with those behind them\n{m}")
with torch.no_grad():
    model.W_q.weight.mul_(300)
torch.testing.assert_close(
    model(x)[:, :9], model(other)[:, :9], atol=1e-3, rtol=1e-3,
    msg=lambda m: "with scores of some hundreds the outputs of the first nine places "
                  "changed with those behind them: what hides the future is not small "
                  f"enough\n{m}")
# Property: four linear layers without bias, of the right sizes, and nothing else to learn [parts]
shapes = {name: tuple(p.shape)
          for name, p in RotaryAttention(10, 6, 3, d_head=4).named_parameters()}
assert shapes == {"W_q.weight": (24, 10), "W_k.weight": (12, 10),
                  "W_v.weight": (12, 10), "W_o.weight": (10, 24)}, f"got {shapes}"
# Property: d_head is d_model // num_heads unless it is given [d-head]
assert tuple(RotaryAttention(30, 5, 1).W_v.weight.shape) == (6, 30) and tuple(
    RotaryAttention(30, 5, 1, d_head=2).W_o.weight.shape) == (30, 10)
### END HIDDEN TESTS
print("11.3, values: right for one small layer. Hidden tests look at other sizes, "
      "groups, bases, the future.")

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_norm", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.3, QK-norm: on every head's query and key, before the rotation."""
def numbers_(shape, k):
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

model_ = RotaryAttention(6, 4, 2, d_head=4, qk_norm=True, rope_base=100.0)
for name_ in ("q_norm", "k_norm"):
    part_ = getattr(model_, name_, None)
    assert part_ is not None, f"with qk_norm=True there is a norm called {name_}"
    assert tuple(part_.weight.shape) == (4,), (
        f"{name_} is an RMSNorm(d_head), shared by the heads: weight (4,) expected, "
        f"got {tuple(part_.weight.shape)}")
assert model_.q_norm.weight is not model_.k_norm.weight, (
    "q_norm and k_norm are one module, or have one weight: there are two norms, and "
    "each has a weight of its own")
plain_ = [name for name, _ in RotaryAttention(6, 4, 2, d_head=4).named_parameters()]
assert len(plain_) == 4, (
    f"without qk_norm four matrices are all there is to learn, got {plain_}")
with torch.no_grad():
    for k_, name_ in enumerate(("W_q", "W_k", "W_v", "W_o")):
        getattr(model_, name_).weight.copy_(
            1.2 * numbers_(getattr(model_, name_).weight.shape, k_))
    model_.q_norm.weight.copy_(torch.tensor([1.5, 0.5, 2.0, 1.0]))
    model_.k_norm.weight.copy_(torch.tensor([0.5, 1.0, 1.0, 2.0]))
try:
    y_ = model_(2 * numbers_((2, 5, 6), 10)).detach()
except RuntimeError as error:
    raise AssertionError("the norm did not fit: it is put on the d_head features of "
                         f"each head, after the cut into heads ({error})") from error
mark_ = (y_ * numbers_(y_.shape, 99)).sum().item()
mistakes_ = {
    11.480768: "the norms come after the rotation: norm first, then turn",
    10.530130: "q_norm and k_norm are swapped",
    13.599092: "only the queries are normed",
    10.034123: "only the keys are normed",
    15.989798: "queries and keys go through the same norm, q_norm",
    3.502739: "the mean is subtracted: an RMSNorm is asked for",
    4.256450: "the norm is taken over all heads together: each head's vector is normed "
              "by itself",
    22.111358: "q_norm and k_norm are there and not used",
    6.564299: "the values are normed as well: only queries and keys are",
    7.819293: "the values are normed as well (by k_norm): only queries and keys are"}
for number_, mistake_ in mistakes_.items():
    assert abs(mark_ - number_) > 2e-3, mistake_
first_ = [round(value_, 3) for value_ in y_[0, 3, :3].tolist()]
assert (max(abs(a_ - b_) for a_, b_ in zip(first_, [0.557, 3.129, 0.548], strict=True))
        < 5e-3), (
    "with QK-norm other outputs than these numbers give, for text 0 at place 3, the "
    f"first three: [0.557, 3.129, 0.548] expected, got {first_} (is the point for "
    "values earned?)")
assert abs(mark_ - 9.885245) < 2e-3, (
    f"the outputs with signs sum to {mark_:.3f}, not to 9.885")
### BEGIN HIDDEN TESTS
def by_hand_(model, x, heads, kv, d_head, base=10000.0):
    x, outputs, half = x.double(), [], d_head // 2
    rate = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = torch.arange(x.size(1), dtype=torch.float64)[:, None] * rate
    W = (lambda name,
         h: getattr(model, name).weight.double()[h * d_head:(h + 1) * d_head])
    for h in range(heads):
        group = h // (heads // kv)
        q, k, v = x @ W("W_q", h).T, x @ W("W_k", group).T, x @ W("W_v", group).T
        q, k = (part / (part.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * w.double()
                for part, w in ((q, model.q_norm.weight), (k, model.k_norm.weight)))
        q, k = (torch.complex(part[..., :half], part[..., half:])
                * torch.polar(torch.ones_like(angle), angle) for part in (q, k))
        q, k = (torch.cat([part.real, part.imag], dim=-1) for part in (q, k))
        hidden = torch.ones(x.size(1), x.size(1)).triu(1).bool()
        outputs.append((q @ k.transpose(-2, -1) / d_head ** 0.5).masked_fill(
                           hidden, -1e30).softmax(-1) @ v)
    return torch.cat(outputs, dim=-1) @ model.W_o.weight.double().T
generator = torch.Generator().manual_seed(1105)
# Property: with QK-norm right for other sizes, also for very large and very small queries [qk-norm]
for d_model, heads, kv, d_head, size in [
        (14, 7, 1, 2, 1.0), (12, 3, 3, 6, 50.0), (10, 4, 2, 8, 0.01)]:
    model = RotaryAttention(d_model, heads, kv, d_head=d_head, qk_norm=True)
    with torch.no_grad():
        for norm in (model.q_norm, model.k_norm):
            norm.weight.copy_(1 + 0.5 * torch.randn(d_head, generator=generator))
    x = size * torch.randn(2, 7, d_model, generator=generator)
    for mode in (True, False):
        torch.testing.assert_close(
            model.train(mode)(x).double(), by_hand_(model, x, heads, kv, d_head),
            atol=3e-5 * size + 1e-6, rtol=5e-4,
            msg=lambda m: f"{heads} heads, {kv} key-value heads, d_head = {d_head}, "
                          f"{'training' if mode else 'evaluation'} mode\n{m}")
# Property: the norms have d_head numbers each, and exist only with qk_norm [qk-norm-parts]
shapes = {name: tuple(p.shape) for name, p in RotaryAttention(
              10, 6, 3, d_head=4, qk_norm=True).named_parameters() if "norm" in name}
assert shapes == {"q_norm.weight": (4,), "k_norm.weight": (4,)}, (
    f"q_norm and k_norm with one number for each feature of a head, got {shapes}")
assert not [name for name, _ in RotaryAttention(10, 6, 3, d_head=4).named_parameters()
            if "norm" in name], "without qk_norm there is a norm to learn"
### END HIDDEN TESTS
print("11.3, QK-norm: right for one small layer. Hidden tests look at other sizes.")

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_window", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["leaves_inputs_alone", "stays_on_device"]
"""Exercise 11.3, window: itself and window - 1 places before it."""
def numbers_(shape, k):
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

def reach_(window, seq=9, calls=3):
    """How many places back a change still moves the last output."""
    torch.manual_seed(0)
    model = RotaryAttention(8, 2, 1, window=window)
    x = numbers_((1, seq, 8), 3)
    with torch.no_grad():
        last = model(x)[0, -1]
        assert all(torch.allclose(model(x)[0, -1], last, atol=1e-6)
                   for _ in range(calls)), (
            f"window={window}: calls with the same text give other results: nothing is "
            "drawn or dropped here, in training (train) or evaluation")
        moved = [
            (model(x.index_fill(1, torch.tensor([j]), 3.0))[0, -1] - last).abs().max()
            > 1e-6 for j in range(seq)]
    return seq - moved.index(True) if any(moved) else 0

for window_, wanted_ in [(None, 9), (3, 3), (1, 1), (9, 9), (20, 9)]:
    saw_ = reach_(window_, calls=20 if window_ in (None, 3) else 3)
    assert saw_ != wanted_ + 1 or window_ is None, (
        f"window={window_}: the last place sees {saw_} places, one too many: itself is "
        "one of them")
    assert saw_ != wanted_ - 1, (
        f"window={window_}: the last of nine places sees {saw_} places, one too few: "
        f"itself and {wanted_ - 1} before it")
    assert saw_ == wanted_, (
        f"window={window_}: the last of nine places sees {saw_} places, {wanted_} "
        "expected")
slides_ = [reach_(3, seq) for seq in (6, 7, 8)]
assert slides_ == [3, 3, 3], (
    f"window=3: the last of 6, 7 and 8 places sees {slides_} places, 3 each time "
    "expected: the window slides with each place, the text is not cut into blocks")
model_ = RotaryAttention(8, 2, 1, window=1)
x_ = numbers_((1, 4, 8), 5)
assert model_(x_).isfinite().all(), "window=1 gave NaN: a place sees at least itself"
try:
    model_(x_.clone().requires_grad_())
except RuntimeError as error:
    raise AssertionError(
        "an x with gradients failed, one without did not: is x changed in place, by += "
        f"or a function whose name ends in _? Work on a copy ({error})") from error
for kind_ in (torch.bfloat16, torch.float16):
    try:
        half_ = RotaryAttention(8, 2, 1).to(kind_)(x_.to(kind_)).dtype
    except RuntimeError as error:
        raise AssertionError(
            f"a module in {kind_} failed: did something stay in float32 on the way "
            "(cosine and sine, say), or is a number too large for this dtype? float16 "
            f"ends at 65,504, and -1e9 hides nothing there ({error})") from error
    assert half_ == kind_, (
        f"{kind_} in, {half_} out: what was computed in float32 on the way (cosine and "
        "sine, say) goes back to the dtype of the input")
try:
    there_ = torch.zeros(1, 3, 8, device="meta")
    away_ = RotaryAttention(8, 2, 1, window=2).to("meta")(there_).device.type
except (RuntimeError, NotImplementedError) as error:
    # a number that is asked for: a GPU has it, the device meta has none
    assert "same device," not in str(error) and "expected device" not in str(error), (
        "x was on another device than the CPU, and places, angles or mask were made "
        f"on the CPU: use the device of x ({error})")
    away_ = "meta"
assert away_ == "meta", f"the output should be on the device of x, it is on {away_}"
far_ = RotaryAttention(64, 1, 1, rope_base=100.0)
with torch.no_grad():
    for part_ in (far_.W_q, far_.W_k, far_.W_v, far_.W_o):
        part_.weight.copy_(torch.eye(64))
    far_.W_q.weight.mul_(3)
    far_.W_k.weight.copy_(torch.eye(64).roll(5, 0))    # or each place sees itself alone
    text_ = numbers_((1, 600, 64), 7).to(torch.bfloat16)
    exact_ = far_(text_.float())[0, 300:]
    try:
        rough_ = far_.to(torch.bfloat16)(text_).float()[0, 300:]
    except RuntimeError as error:
        raise AssertionError(
            "a module that ran in float32 fails after .to(torch.bfloat16): are tables "
            "of sine and cosine kept from the first call? They must follow the dtype "
            f"of the input ({error})") from error
    off_ = ((rough_ - exact_).std() / exact_.std()).item()
assert off_ < 0.1, (
    f"in bfloat16 the outputs at places 300 to 600 are off by {off_:.0%}: places and "
    "angles must be computed in float32")
### BEGIN HIDDEN TESTS
def by_hand_(model, x):
    """Three heads of 4, one key-value head, QK-norm, a window of 3: by formulas."""
    q, k, v = (
        (x @ getattr(model, name).weight.T).unflatten(-1, (-1, 4)).transpose(1, 2)
        for name in ("W_q", "W_k", "W_v"))
    q, k = (part / (part.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * norm.weight
            for part, norm in ((q, model.q_norm), (k, model.k_norm)))
    place = torch.arange(x.size(1), dtype=x.dtype)[:, None]
    angle = place * 10000.0 ** (-torch.arange(2, dtype=x.dtype) / 2)
    q, k = (torch.cat([a * angle.cos() - b * angle.sin(),
                       b * angle.cos() + a * angle.sin()], dim=-1)
            for a, b in (part.chunk(2, dim=-1) for part in (q, k)))
    hidden = (place < place.T) | (place - place.T > 2)
    weights = (q @ k.transpose(-2, -1) / 2).masked_fill(hidden, -1e30).softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ model.W_o.weight.T
generator = torch.Generator().manual_seed(1106)
# Property: a window of w shows itself and the w - 1 places before it [window]
for window, seq in [(2, 5), (3, 11), (7, 13), (5, 5), (16, 11)]:
    model, whole = (RotaryAttention(12, 3, 1, d_head=4, window=window),
                    RotaryAttention(12, 3, 1, d_head=4))
    whole.load_state_dict(model.state_dict())
    x = 2 * torch.randn(2, seq, 12, generator=generator)
    in_evaluation, in_training = (model.train(mode)(x) for mode in (False, True))
    for i in range(seq):
        first = max(0, i - window + 1)
        torch.testing.assert_close(
            (in_training, in_evaluation)[i % 2][:, i], whole(x[:, first:i + 1])[:, -1],
            atol=2e-5, rtol=2e-4,
            msg=lambda m: f"window {window}, place {i}: it should be what attention to "
                          f"places {first} to {i} gives\n{m}")
model = RotaryAttention(12, 3, 1, d_head=4, window=70)
x = 2 * torch.randn(1, 700, 12, generator=generator)
torch.testing.assert_close(
    model(x)[:, 500:], model(x[:, 380:])[:, 120:], atol=2e-3, rtol=2e-3,
    msg=lambda m: "window 70, places 500 to 699: they give other outputs than in a "
                  f"text that begins at place 380, and distances alone count\n{m}")
# Property: with a window of 1 each place sees itself alone [window-one]
model = RotaryAttention(12, 3, 3, window=1)
x = torch.randn(2, 5, 12, generator=generator)
with torch.no_grad():
    torch.testing.assert_close(model(x), model.W_o(model.W_v(x)), atol=1e-5, rtol=1e-4)
# Property: the result has the dtype of the module [dtype]
for kind in (torch.float64, torch.bfloat16, torch.float16):
    for qk_norm in (False, True):
        got = RotaryAttention(12, 3, 1, qk_norm=qk_norm).to(kind)(x.to(kind)).dtype
        assert got == kind, f"{kind} in, {got} out (qk_norm={qk_norm})"
# Property: angles are exact in bfloat16, also far from the start [far-positions]
model = RotaryAttention(64, 1, 1, rope_base=50.0)
with torch.no_grad():
    for part in (model.W_q, model.W_k, model.W_v, model.W_o):
        part.weight.copy_(torch.eye(64))
    model.W_q.weight.mul_(3)
    model.W_k.weight.copy_(torch.eye(64).roll(5, 0))   # or each place sees itself alone
    text = torch.randn(1, 700, 64, generator=generator).mul(0.6).to(torch.bfloat16)
    exact = model(text.float())[0, 400:]
    off = ((model.to(torch.bfloat16)(text).float()[0, 400:] - exact).std()
           / exact.std()).item()
assert off < 0.1, (
    f"in bfloat16 the outputs at places 400 to 700 are off by {off:.0%}: compute "
    "places and angles in float32")
# Property: everything happens on the device of the input [device]
for qk_norm in (False, True):
    models = {place: RotaryAttention(12, 3, 1, qk_norm=qk_norm, window=3).to(place)
              for place in ("cpu", "meta")}
    stays_on_device(lambda x: models[x.device.type](x), torch.zeros(2, 5, 12))
# Property: gradients reach all parts and the input [gradient]
model, x = (RotaryAttention(12, 3, 1, qk_norm=True, window=3),
            torch.randn(2, 5, 12, generator=generator, requires_grad=True))
model(x).square().sum().backward()
for name, p in [*model.named_parameters(), ("x", x)]:
    assert (p.grad is not None and bool(p.grad.isfinite().all()) and p.grad.abs().sum()
            > 0), (f"no gradient, or one that is not finite, reaches {name}")
model = model.double()
x = torch.randn(2, 5, 12, generator=generator, dtype=torch.float64, requires_grad=True)
named = {**dict(model.named_parameters()), "x": x}
came, right = (
    torch.autograd.grad(y.square().sum(), list(named.values()))
    for y in (model(x), by_hand_(model, x)))
for name, one, other in zip(named, came, right, strict=True):
    torch.testing.assert_close(
        one, other, atol=1e-4 * other.abs().max().item(), rtol=1e-3,
        msg=lambda m: f"the gradient of {name} is not that of the formulas: was a part "
                      f"of the way cut off (detach, no_grad)?\n{m}")
# Property: the input is not modified [inputs-unchanged]
leaves_inputs_alone(
    RotaryAttention(12, 3, 1, qk_norm=True), torch.randn(2, 5, 12, generator=generator))
### END HIDDEN TESTS
print("11.3, window: five windows, bfloat16 far from the start. Hidden tests look at "
      "other windows, the device, gradients.")

# %% nbgrader={"grade": true, "grade_id": "ch11_rotary_attention_check_cache", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.3, cache: in pieces as at once."""
def numbers_(shape, k):
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

def in_pieces_(model, x, cuts):
    cache, outputs = [], []
    for piece in x.split(cuts, dim=1):
        outputs.append(model(piece, cache))
    return torch.cat(outputs, dim=1).detach(), cache

torch.manual_seed(3)
x_ = numbers_((2, 6, 8), 4) * 2
for settings_ in ({}, {"qk_norm": True}, {"window": 2}):
    model_ = RotaryAttention(8, 4, 2, **settings_)
    norms_ = [p for name, p in model_.named_parameters() if "norm" in name]
    with torch.no_grad():
        for p_ in norms_:
            p_.copy_(torch.linspace(0.5, 2, p_.numel()).view_as(p_))
    told_ = f" ({settings_})" if settings_ else ""
    whole_ = model_(x_).detach()
    try:
        with_empty_ = model_(x_, [])
        pieces_, cache_ = in_pieces_(model_, x_, [4, 1, 1])
    except (RuntimeError, IndexError, ValueError) as error:
        raise AssertionError("an empty list is an empty cache, and after it [k, v]; "
                             "the mask has a row for each new place and a column for "
                             f"each place there is: {error}{told_}") from error
    assert torch.allclose(with_empty_, whole_, atol=1e-4), (
        "with an empty cache the output is another one than without a cache: nothing "
        "came before" + told_)
    assert isinstance(cache_, list) and len(cache_) == 2, (
        "after a call the list that was handed in should hold two things, k and v: it "
        f"holds {len(cache_)}. "
        + ("The two are replaced by longer ones, nothing is appended" if cache_ else
           "Change the list itself; a new list does not reach the caller"))
    shapes_ = [tuple(part.shape) for part in cache_]
    assert shapes_ != [(2, 4, 6, 2)] * 2, (
        "the cache holds a copy of keys and values for each query head: put them in "
        "before they are repeated, (2, 2, 6, 2)")
    assert len(pieces_.flatten()) == len(whole_.flatten()), (
        "a call with a cache returns an output for each new place: pieces of 4, 1 and "
        f"1 places gave {pieces_.size(1)} outputs in all, 6 expected{told_}")
    assert shapes_ == [(2, 2, 6, 2)] * 2, (
        "after 6 places k and v in the cache are (batch, num_kv_heads, places, "
        f"d_head) = (2, 2, 6, 2) each, got {shapes_}")
    values_ = (x_ @ model_.W_v.weight.T).detach().unflatten(-1, (2, 2)).transpose(1, 2)
    assert not torch.allclose(cache_[0], values_, atol=1e-4), (
        "the cache holds the values first: its order is [k, v]")
    assert torch.allclose(cache_[1], values_, atol=1e-4), (
        "the second thing in the cache should be the values of all places in their "
        f"order, as W_v gives them: old ones first, new ones behind{told_}")
    gap_ = (pieces_ - whole_).abs().amax((0, 2)).tolist()
    assert max(gap_[:4]) < 1e-4, (
        f"the first piece, of four places, gives other outputs{told_}")
    if max(gap_) >= 1e-4:    # with keys of zeros positions do not matter, the mask does
        with torch.no_grad():
            for p_ in norms_:
                p_.fill_(1.0)
            ones_ = (in_pieces_(model_, x_, [4, 1, 1])[0]
                     - model_(x_)).abs().max().item()
            assert ones_ > 1e-4, (
                "one token at a time after a piece of four gives other outputs from "
                "place 4 on, but not where the weights of the norms are ones: is a "
                "key in the cache normed again? It is normed once, when it comes"
                + told_)
            model_.W_k.weight.zero_()
        even_ = (in_pieces_(model_, x_, [4, 1, 1])[0]
                 - model_(x_).detach()).abs().max().item()
        assert even_ < 1e-4, (
            "one token at a time after a piece of four gives other outputs from place "
            "4 on, also with keys of zeros: it is the mask. It has a row for each new "
            "place and a column for each place there is, those in the cache "
            f"first{told_}")
        raise AssertionError(
            "one token at a time after a piece of four gives other outputs from place "
            "4 on, but not with keys of zeros: it is the positions. The first new "
            "place follows the last one in the cache, and a key that lies there "
            f"turned is not turned again{told_}")
    single_ = [model_(x_[:, t:t + 1]).detach() for t in (0, 1, 0)]
    assert torch.allclose(single_[0], single_[2], atol=1e-5), (
        "without a cache a call gives something of the call before it: keep nothing in "
        "the module")
    pieces_, _ = in_pieces_(model_, x_, [2, 4])
    assert pieces_.shape == whole_.shape, (
        f"pieces of 2 and 4 places gave {pieces_.size(1)} outputs, 6 expected{told_}")
    assert torch.allclose(pieces_, whole_, atol=1e-4), (
        "a piece of four places after one of two gives other outputs: inside a piece "
        f"a place must not see later ones, and all of them see the cache{told_}")
model_, x_ = RotaryAttention(8, 2, 1, window=3), numbers_((1, 8, 8), 4) * 2
zeros_ = [torch.zeros(1, 1, 9000, 4), torch.zeros(1, 1, 9000, 4)]
try:
    behind_ = model_(x_, zeros_)
except (RuntimeError, IndexError, ValueError) as error:
    raise AssertionError(
        "window=3, eight places behind 9,000 in the cache: the call failed. A text may "
        "have any length; do angles or mask end somewhere (a fixed table)? "
        f"({error})") from error
gap_ = (behind_ - model_(x_))[:, 2:].abs().max().item()
assert gap_ < 5e-3, (
    "window=3, eight places behind 9,000 in the cache: those that do not see the cache "
    f"give other outputs than at the start of a text (by {gap_:.3f}). Does the window "
    "show more than three places? If not: only distances count, at any length of "
    "text; do angles or mask end somewhere (a fixed table)?")
far_ = RotaryAttention(64, 1, 1, rope_base=100.0)
with torch.no_grad():
    for part_ in (far_.W_q, far_.W_k, far_.W_v, far_.W_o):
        part_.weight.copy_(torch.eye(64))
    far_.W_q.weight.mul_(3)
    far_.W_k.weight.copy_(torch.eye(64).roll(5, 0))    # or each place sees itself alone
far_, x_ = far_.to(torch.bfloat16), numbers_((1, 600, 64), 7).to(torch.bfloat16)
whole_ = far_(x_).detach()[0, 301:].float()
off_ = in_pieces_(far_, x_, [301, 299])[0][0, 301:].float() - whole_
assert off_.std() < 0.1 * whole_.std(), (
    "in bfloat16, 299 places behind 301 in the cache: the outputs are off by "
    f"{(off_.std() / whole_.std()).item():.0%}; does the place of the first one become "
    "a bfloat16 number? That has no 301, so compute places in float32")
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(1107)
# Property: one token at a time gives the same as all at once [cache-steps]
model = RotaryAttention(12, 6, 2, d_head=4)
x = 2 * torch.randn(3, 11, 12, generator=generator)
torch.testing.assert_close(
    in_pieces_(model, x, 1)[0], model(x).detach(), atol=2e-5, rtol=2e-4)
# Property: pieces of any length give the same as all at once [cache-pieces]
for cuts, qk_norm in [([3, 5, 3], False), ([3, 5, 3], True), ([1, 10], True),
                      ([10, 1], False), ([7, 1, 1, 2], True)]:
    model = RotaryAttention(12, 6, 2, d_head=4, qk_norm=qk_norm, rope_base=500.0)
    torch.testing.assert_close(
        in_pieces_(model, x, cuts)[0], model(x).detach(), atol=2e-5, rtol=2e-4,
        msg=lambda m: f"pieces of {cuts}, qk_norm={qk_norm}\n{m}")
# Property: with a window, pieces give the same as all at once [cache-window]
for window, cuts in [(1, [3, 5, 3]), (1, [2, 9]), (2, [1] * 11), (2, [2, 9]),
                     (5, [1] * 11), (5, [3, 5, 3]), (20, [2, 9])]:
    model = RotaryAttention(12, 6, 2, d_head=4, window=window, qk_norm=True)
    torch.testing.assert_close(
        in_pieces_(model, x, cuts)[0], model(x).detach(), atol=2e-5, rtol=2e-4,
        msg=lambda m: f"window {window}, pieces of {cuts}\n{m}")
model = RotaryAttention(12, 3, 1, d_head=4, window=70)
long = 2 * torch.randn(1, 600, 12, generator=generator)
torch.testing.assert_close(
    in_pieces_(model, long, [500, 1, 99])[0], model(long).detach(), atol=2e-3,
    rtol=2e-3, msg=lambda m: f"window 70, pieces of 500, 1 and 99\n{m}")
# Property: the cache holds keys and values once for each key-value head [cache-size]
for heads, kv in [(6, 2), (6, 1), (6, 6)]:
    cache = in_pieces_(RotaryAttention(12, heads, kv, d_head=4), x, [5, 6])[1]
    assert [tuple(part.shape) for part in cache] == [(3, kv, 11, 4)] * 2, (
        f"{kv} key-value heads, 11 places: {[tuple(part.shape) for part in cache]}")
# Property: the list that was handed in is changed, and without a list nothing is kept [cache-in-place]
model, cache = RotaryAttention(12, 3, 3), []
model(x[:, :4], cache)
assert len(cache) == 2 and cache[0].size(2) == 4, (
    "the list that was handed in does not hold the four places")
model(x[:, 4:5], cache)
assert cache[0].size(2) == cache[1].size(2) == 5, (
    "the list that was handed in was not extended by the fifth place")
torch.testing.assert_close(model(x), model(x),
                           msg=lambda m: "two calls without a cache differ: something "
                                         f"is kept between them\n{m}")
first = model(x[:, :1])
model(x[:, 1:2])
torch.testing.assert_close(
    model(x[:, :1]), first,
    msg=lambda m: f"one place without a cache: something is kept between calls\n{m}")
# Property: the values stand second in the cache [cache-order]
torch.testing.assert_close(
    cache[1], model.W_v(x[:, :5]).unflatten(-1, (3, 4)).transpose(1, 2), atol=1e-5,
    rtol=1e-5)
# Property: two caches of one layer do not mix [cache-own]
one, two = [], []
for t in range(5):
    a = model(x[:1, t:t + 1], one)
    b = model(x[1:2, 2 * t:2 * t + 2], two)
torch.testing.assert_close(a, model(x[:1, :5])[:, -1:], atol=2e-5, rtol=2e-4,
                           msg=lambda m: "two texts with two caches, in turns: the "
                                         f"first got something of the second\n{m}")
torch.testing.assert_close(b, model(x[1:2, :10])[:, -2:], atol=2e-5, rtol=2e-4,
                           msg=lambda m: "two texts with two caches, in turns: the "
                                         f"second got something of the first\n{m}")
### END HIDDEN TESTS
print("11.3, cache: in pieces and one by one as at once, with QK-norm and window. "
      "Hidden tests look at other sizes, pieces, windows, two caches at a time.")

# %% [markdown]
# ## 11.5 The decoder, from one configuration
#
# You have all parts. These settings tell one decoder from another:

# %%
@dataclass
class DecoderConfig:
    """Everything that tells one decoder of today from another."""

    vocab_size: int
    d_model: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    d_ff: int
    d_head: int | None = None              # None: d_model // num_heads
    qk_norm: bool = False
    rope_base: float = 10_000.0
    # for each layer its window or None
    windows: list | tuple | None = None
    tied: bool = True
    second_norm: bool = False
    eps: float = 1e-6
    # base of the layers that have a window; None: rope_base
    local_rope_base: float | None = None

# %% [markdown]
# <!-- interactive page -->
# On the page, switch one part after the other and watch the parameters, the bytes of cache and the loss of the stored runs. Which switch changes the loss, and which one only the memory?

# %% [markdown]
# ### Exercise 11.4 · The decoder · 3 points · about 25 minutes
#
# Complete `Decoder(config)`, with a class for its block. The parts: `token_embedding` (`nn.Embedding`), `blocks` (an `nn.ModuleList`; each with `norm1`, `attention`, `norm2`, `feed_forward`), `norm`, and
# `head` (`nn.Linear` without bias) <!-- asks: names -->. In a new model all norms are ones and all matrices random, each drawn for itself <!-- asks: start -->. A block is pre-norm:
# $x + \mathtt{attention}(\mathtt{norm1}(x))$, then $x + \mathtt{feed\_forward}(\mathtt{norm2}(x))$.
#
# - **Logits, 1 point.** `forward(ids)` takes `(batch, seq)` and returns logits `(batch, seq, vocab_size)`; there is no table of positions <!-- asks: values -->. All norms have `config.eps`
#   (QK-norm keeps its own) <!-- asks: eps -->; `d_head`, `num_kv_heads`, `qk_norm`, `rope_base` go to every layer <!-- asks: settings -->. Gradients reach every parameter <!-- asks: gradient -->,
#   and everything happens on the device of `ids` <!-- asks: device -->.
# - **Layers, 1 point.** `config.windows`, a list or tuple, holds the window of each layer or `None`; without it no layer has one <!-- asks: windows -->. A layer *with* a window has the base
#   `config.local_rope_base`, where that is given <!-- asks: local-base -->. With `config.second_norm` each block has `post_norm1` and `post_norm2` too, on what attention and the feed-forward network return,
#   *before* it is added <!-- asks: second-norm -->.
# - **One table, or two, and caches, 1 point.** With `config.tied` the head's weight *is* the table, the same parameter, also after a training step; without it the head has its own <!-- asks: tied -->.
#   `forward(ids, caches)` takes a list with one list for each layer, `[[], [], …]` at first; texts in pieces give the same logits as at once <!-- asks: caches -->.
#
# <details><summary>Hint 1</summary>The decoder is your GPT of chapter 8 with another block and without the position table. Which settings differ from layer to layer, so that a block has to be told its own?</details>
# <details><summary>Hint 2</summary>zip(self.blocks, caches) where there are caches; what stands in place of caches where there are none?</details>
# <details><summary>Hint 3</summary>Tied: two modules, one object in their attribute weight.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_decoder", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Block(nn.Module):
    """One layer: (batch, seq, d_model) -> the same.

    window: None, or how many places it sees.
    """

    def __init__(self, config, window=None):
        super().__init__()
        ### BEGIN SOLUTION
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(
            config.d_model, config.num_heads, config.num_kv_heads, config.d_head,
            config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.post_norm1 = self.post_norm2 = nn.Identity()
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)
        ### END SOLUTION

    def forward(self, x, cache=None):
        ### BEGIN SOLUTION
        x = x + self.post_norm1(self.attention(self.norm1(x), cache))
        return x + self.post_norm2(self.feed_forward(self.norm2(x)))
        ### END SOLUTION


class Decoder(nn.Module):
    """A decoder of today: token ids in, logits for the next token at each place out."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, window) for window in windows)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight
        ### END SOLUTION

    def forward(self, ids, caches=None):    # (batch, seq) -> (batch, seq, vocab_size)
        ### BEGIN SOLUTION
        x = self.token_embedding(ids)
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks)):
            x = block(x, cache)
        return self.head(self.norm(x))
        ### END SOLUTION

# %% tags=["uses-exercise"]
small = DecoderConfig(vocab_size=11, d_model=8, num_layers=2, num_heads=4,
                      num_kv_heads=2, d_ff=16)
model = Decoder(small)
ids = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
caches = [[], []]
pieces = [model(ids[:, :3], caches), model(ids[:, 3:], caches)]
print(tuple(model(ids).shape), sum(p.numel() for p in model.parameters()), "parameters")
assert model(ids).shape == (2, 4, 11)
assert model.head.weight is model.token_embedding.weight
assert torch.allclose(torch.cat(pieces, dim=1), model(ids), atol=1e-4)

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 11.4, logits: two layers with known numbers."""
def numbers_(shape, k):
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

def fill_(model):
    """Known numbers into every parameter, by its name."""
    table = model.token_embedding.weight    # a tied head made first lends it its name
    named = {"token_embedding.weight" if p is table else name: p
             for name, p in model.named_parameters()}
    named.pop("head.weight", None)
    with torch.no_grad():
        for k, name in enumerate(sorted(named)):
            strong = 0.5 if named[name].dim() == 1 else 2 / named[name].size(-1) ** 0.5
            named[name].copy_(
                numbers_(named[name].shape, k) * strong + ("norm" in name))
        if model.head.weight is not model.token_embedding.weight:
            model.head.weight.copy_(model.token_embedding.weight)
    return model

config_ = DecoderConfig(
    vocab_size=11, d_model=8, num_layers=2, num_heads=4, num_kv_heads=2, d_ff=12,
    d_head=6, qk_norm=True, rope_base=50.0, eps=0.1)
try:
    fresh_ = Decoder(config_)
except (TypeError, IndexError) as error:
    raise AssertionError("Decoder(config) failed for a config with windows=None, "
                         f"which means that no layer has a window ({error})") from error
for name_ in ("token_embedding", "blocks", "norm", "head"):
    assert hasattr(fresh_, name_), f"the model has no part called {name_}"
assert len(fresh_.blocks) == 2, (
    f"num_layers = 2, and the model has {len(fresh_.blocks)} blocks")
for name_ in ("norm1", "attention", "norm2", "feed_forward"):
    assert hasattr(fresh_.blocks[0], name_), f"a block has no part called {name_}"
assert fresh_.head.bias is None, "the head has a bias: it has none"
table_ = fresh_.token_embedding.weight      # a tied head made first lends it its name
shapes_ = {"token_embedding.weight" if p is table_ else name: tuple(p.shape)
           for name, p in fresh_.named_parameters()}
tables_ = [name for name, shape in shapes_.items() if "position" in name]
assert not tables_, f"there is no table of positions here, attention turns: {tables_}"
wanted_ = {"token_embedding.weight": (11, 8), "norm.weight": (8,)}
for i_ in range(2):
    wanted_.update({f"blocks.{i_}.{name}.weight": shape for name, shape in {
                        "norm1": (8,), "norm2": (8,), "attention.W_q": (24, 8),
                        "attention.W_k": (12, 8),
                        "attention.W_v": (12, 8), "attention.W_o": (8, 24),
                        "attention.q_norm": (6,),
                        "attention.k_norm": (6,), "feed_forward.gate": (12, 8),
                        "feed_forward.up": (12, 8),
                        "feed_forward.down": (8, 12)}.items()})
for name_, shape_ in wanted_.items():
    assert name_ in shapes_, (
        f"no parameter is called {name_}: which setting of config asks for it, and "
        "does PyTorch see the blocks (nn.ModuleList)?")
    assert shapes_[name_] == shape_, (
        f"{name_}: {shape_} expected, got {shapes_[name_]}: d_head = 6, num_kv_heads = "
        "2 and d_ff = 12 of config go to every layer")
more_ = sorted(set(shapes_) - set(wanted_) - {"head.weight"})
assert not more_, f"the model has parameters that config does not ask for: {more_}"
for name_, p_ in fresh_.named_parameters():
    assert p_.dim() > 1 or bool((p_ == 1).all()), (
        f"a new model: {name_} should be ones, got {p_[:3].tolist()}")
    assert p_.dim() == 1 or len(p_.detach().unique()) > p_.numel() / 2, (
        f"a new model: {name_} should hold random numbers, got {p_[0, :3].tolist()}")
first_ = fresh_.blocks[0].attention.W_q.weight
for what_, other_ in [("of the next block", fresh_.blocks[1]),
                      ("of the next new model", Decoder(config_).blocks[0])]:
    assert not torch.equal(first_, other_.attention.W_q.weight), (
        f"a new model: blocks.0.attention.W_q and that {what_} begin with the same "
        "numbers: each is drawn for itself")
free_ = Decoder(replace(config_, tied=False))
assert (free_.head.weight is free_.token_embedding.weight
        or not torch.equal(free_.head.weight, free_.token_embedding.weight)), (
    "a new model with tied=False: head and token_embedding begin with the same "
    "numbers: each is drawn for itself")
ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
try:
    logits_ = fill_(fresh_)(ids_)
except (TypeError, AttributeError) as error:
    raise AssertionError("forward did not run. Attention returns one thing, its "
                         f"output; caches may be None: {error}") from error
assert isinstance(logits_, torch.Tensor), \
    f"logits alone are asked for, got {type(logits_).__name__}"
logits_ = logits_.detach()
assert torch.allclose(fresh_.train()(ids_), fresh_.eval()(ids_), atol=1e-5), (
    "train and eval mode give different logits: nothing is dropped here")
assert tuple(logits_.shape) == (2, 5, 11), (
    "one score for each token of the vocabulary at each place: (2, 5, 11) expected, "
    f"got {tuple(logits_.shape)}")
mark_ = (logits_ * numbers_(logits_.shape, 99)).sum().item()
mistakes_ = {
    -1.912347: "the last norm is missing, between the blocks and the head",
    5.015738: "the blocks are post-norm: they are pre-norm, x + attention(norm1(x))",
    2.608632: "the norms stand behind attention and feed-forward (OLMo 2's order), not "
              "before them",
    -0.367104: "attention and feed-forward run side by side: the second reads what the "
               "first added",
    -3.129452: "x is not added to what attention returns",
    11.887476: "x is not added to what the feed-forward network returns",
    2.600945: "norm1 and norm2 are swapped",
    13.693246: "the feed-forward network comes before attention",
    -5.597927: "norm1 is missing: attention reads x itself",
    5.646593: "norm2 is missing: the feed-forward network reads x itself",
    -2.576857: "what is added to is the normed x: it is x itself",
    -0.586171: "the token vectors were multiplied by the root of d_model: take them as "
               "they are",
    -11.072387: "sinusoids were added: attention turns, and nothing is added to the "
                "token vectors",
    0.243226: "softmax was applied: logits are asked for",
    2.336938: "log-softmax was applied: logits are asked for",
    0.129618: "x does not go through the blocks",
    4.510134: "x goes through the first block only",
    1.684988: "eps of config is not used: it goes to all norms",
    1.684969: "eps of config is not used: it goes to all norms",
    0.669012: "eps of config goes to the last norm, too",
    1.608366: "eps of config goes to the norms in the blocks, too",
    1.278349: "QK-norm keeps its own eps: config.eps was given to q_norm and k_norm",
    2.760530: "rope_base of config is not used",
    4.435910: "the last norm stands behind every block: it comes once, before the head",
    9.305281: "norm1 was used twice, before attention and before the feed-forward "
              "network: there stands norm2",
    -5.489700: "the blocks are gone through in the wrong order, the last one first",
    -0.485100: "what is added to is the normed x: it is x itself"}
for number_, mistake_ in mistakes_.items():
    assert abs(mark_ - number_) > 2e-3, mistake_
assert abs(mark_ - 0.472264) < 2e-3, (
    "other logits than those that follow from these numbers: the sum over all of "
    f"them, with signs, is {mark_:.3f} in place of 0.472")
### BEGIN HIDDEN TESTS
def by_hand_(model, ids, config):
    """The logits, from the parameters alone, in float64."""
    table = model.token_embedding.weight    # a tied head made first lends it its name
    named = {"token_embedding.weight" if p is table else name: p.double()
             for name, p in model.named_parameters()}
    D = config.d_head or config.d_model // config.num_heads
    linear = lambda name, x: x @ named[f"{name}.weight"].T
    norm = lambda name, x, eps: x / (
        x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * named[f"{name}.weight"]
    x, half, seq = named["token_embedding.weight"][ids], D // 2, ids.size(1)
    back = torch.arange(seq)[:, None] - torch.arange(seq)
    for i in range(config.num_layers):
        window = config.windows[i] if config.windows else None
        base = (config.local_rope_base if window
                and config.local_rope_base else config.rope_base)
        here = f"blocks.{i}"
        y = norm(f"{here}.norm1", x, config.eps)
        q, k, v = (
            linear(f"{here}.attention.{W}", y).unflatten(-1, (-1, D)).transpose(1, 2)
            for W in ("W_q", "W_k", "W_v"))
        if config.qk_norm:
            q, k = (norm(f"{here}.attention.q_norm", q, 1e-6),
                    norm(f"{here}.attention.k_norm", k, 1e-6))
        angle = torch.arange(seq).double()[:, None] * base ** (
            -torch.arange(half).double() / half)
        q, k = (torch.complex(part[..., :half], part[..., half:])
                * torch.polar(torch.ones_like(angle), angle) for part in (q, k))
        q, k = (torch.cat([part.real, part.imag], dim=-1) for part in (q, k))
        k, v = (part[:, torch.arange(config.num_heads) // (
                         config.num_heads // config.num_kv_heads)] for part in (k, v))
        hidden = (back < 0) | (back >= (window or 10**9))
        y = ((q @ k.transpose(-2, -1) / D ** 0.5).masked_fill(hidden, -1e30).softmax(-1)
             @ v).transpose(1, 2).flatten(2)
        y = linear(f"{here}.attention.W_o", y)
        x = x + (norm(f"{here}.post_norm1", y, config.eps) if config.second_norm else y)
        y = norm(f"{here}.norm2", x, config.eps)
        y = linear(f"{here}.feed_forward.down",
                   F.silu(linear(f"{here}.feed_forward.gate", y))
                   * linear(f"{here}.feed_forward.up", y))
        x = x + (norm(f"{here}.post_norm2", y, config.eps) if config.second_norm else y)
    return norm("norm", x, config.eps) @ (
        named["token_embedding.weight"] if config.tied else named["head.weight"]).T

def known_(config, generator):
    """A decoder in which every parameter, norms too, is a random number that matters.
    """
    model = Decoder(config).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=generator)
                    / (4 if p.dim() == 1 else p.size(-1) ** 0.5) + ("norm" in name))
    return model

def agrees_(config, ids, told, size=1.0):
    model = known_(config, generator)
    with torch.no_grad():
        model.token_embedding.weight.mul_(size)
        torch.testing.assert_close(
            model(ids).double(), by_hand_(model, ids, config), atol=5e-4 * size,
            rtol=5e-4, msg=lambda m: f"{told}\n{m}")
generator = torch.Generator().manual_seed(1108)
# Property: the logits are right for other sizes, batches and lengths [values]
for sizes, batch, seq in [((23, 12, 3, 3, 1, 20), 2, 7), ((17, 8, 1, 2, 2, 5), 1, 13),
                          ((7, 10, 2, 5, 5, 11), 3, 1)]:
    agrees_(DecoderConfig(*sizes),
            torch.randint(sizes[0], (batch, seq), generator=generator),
            f"DecoderConfig{sizes}, ids {(batch, seq)}")
# Property: d_head, num_kv_heads, qk_norm and rope_base reach every layer [settings]
for more in ({"d_head": 4}, {"qk_norm": True}, {"d_head": 4, "rope_base": 7.0},
             {"d_head": 6, "qk_norm": True, "rope_base": 5e5}):
    agrees_(DecoderConfig(19, 12, 3, 6, 2, 20, **more),
            torch.randint(19, (2, 11), generator=generator), more)
# Property: all norms have the eps of config [eps]
for eps in (1e-5, 0.5):
    agrees_(DecoderConfig(19, 12, 2, 3, 3, 20, eps=eps),
            torch.randint(19, (2, 11), generator=generator), f"eps = {eps}", size=0.02)
# Property: parts have the names of the exercise [names]
names = {name for name, _ in Decoder(
             DecoderConfig(19, 12, 1, 3, 3, 20, tied=False)).named_parameters()}
assert names == {"token_embedding.weight", "norm.weight", "head.weight",
                 *(f"blocks.0.{part}.weight" for part in (
                       "norm1", "norm2", "attention.W_q", "attention.W_k",
                       "attention.W_v", "attention.W_o", "feed_forward.gate",
                       "feed_forward.up", "feed_forward.down"))}, f"got {sorted(names)}"
# Property: in a new model all norms are ones and all matrices random, each for itself [start]
settings = {"qk_norm": True, "second_norm": True, "tied": False}
models = [Decoder(DecoderConfig(19, 12, 2, 6, 2, 20, **settings)) for _ in range(2)]
fresh = [dict(model.named_parameters()) for model in models]
for name, p in fresh[0].items():
    if p.dim() == 1:
        assert bool((p == 1).all()), f"a new model: {name} should be ones, got {p[:3]}"
        continue
    assert len(p.detach().unique()) > p.numel() / 2, (
        f"a new model: {name} should hold random numbers, got {p[0, :3]}")
    for other, its_name in [(fresh[1], name), (fresh[0], name.replace("s.0.", "s.1."))]:
        assert other[its_name] is p or not torch.equal(p, other[its_name]), (
            f"a new model: {name} and {its_name}"
            f"{' of the next new model' if other is fresh[1] else ''} begin with the "
            "same numbers: each is drawn for itself")
matrices = [(name, p) for name, p in fresh[0].items() if p.dim() == 2]
for i, (name, p) in enumerate(matrices):
    for its_name, other in matrices[:i]:
        assert not torch.equal(p, other), (
            f"a new model: {name} and {its_name} begin with the same numbers: each is "
            "drawn for itself")
# Property: gradients reach every parameter [gradient]
model = known_(DecoderConfig(19, 12, 2, 3, 1, 20, qk_norm=True, second_norm=True,
                             windows=[3, None], tied=False), generator)
model(torch.arange(14).view(2, 7)).square().mean().backward()
for name, p in model.named_parameters():
    assert p.grad is not None and p.grad.abs().sum() > 0, f"no gradient reaches {name}"
slopes = model.token_embedding.weight.grad[:14].tolist()
still = [row for row, slope in enumerate(slopes) if not any(slope)]
assert not still, (
    f"ids 0 to 13 were read, and no gradient reaches rows {still} of the table")
config = DecoderConfig(19, 12, 2, 3, 1, 20, qk_norm=True)
model, ids = known_(config, generator), torch.arange(14).view(2, 7)
named = dict(model.named_parameters())
assert not {"head.weight", "token_embedding.weight"} <= set(named), (
    "tied: the weights of head and table are two parameters; they should be one object")
slopes = torch.autograd.grad(
    by_hand_(model, ids, config).square().sum(), list(named.values()))
model(ids).square().sum().backward()
for (name, p), slope in zip(named.items(), slopes, strict=True):
    torch.testing.assert_close(
        p.grad, slope, atol=1e-3 * slope.abs().max().item(), rtol=1e-2,
        msg=lambda m: f"the gradient of {name} is not that of the formulas: was a part "
                      f"of the way cut off (detach, no_grad)?\n{m}")
# Property: everything happens on the device of the input [device]
config = DecoderConfig(19, 12, 2, 3, 1, 20, windows=[3, None])
models = {place: Decoder(config).to(place) for place in ("cpu", "meta")}
stays_on_device(lambda ids: models[ids.device.type](ids), torch.zeros(2, 7).long())
### END HIDDEN TESTS
print("11.4, logits: right for one small model. Hidden tests look at other sizes and "
      "settings, eps, gradients, the device.")

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check_layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.4, layers: windows, their base, the second norm."""
def numbers_(shape, k):
    n_ = torch.arange(math.prod(shape)) + 1000 * k
    return ((n_ * n_ * 31 + n_ * 17) % 1009).reshape(shape) / 504.5 - 1

def fill_(model):
    table = model.token_embedding.weight    # a tied head made first lends it its name
    named = {"token_embedding.weight" if p is table else name: p
             for name, p in model.named_parameters()}
    named.pop("head.weight", None)
    with torch.no_grad():
        for k, name in enumerate(sorted(named)):
            strong = 0.5 if named[name].dim() == 1 else 2 / named[name].size(-1) ** 0.5
            named[name].copy_(
                numbers_(named[name].shape, k) * strong + ("norm" in name))
        if model.head.weight is not model.token_embedding.weight:
            model.head.weight.copy_(model.token_embedding.weight)
    return model

config_ = DecoderConfig(11, 8, num_layers=3, num_heads=4, num_kv_heads=2, d_ff=12,
                        d_head=4, rope_base=50.0, windows=[2, None, 3])
ids_ = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9, 3]])
def mark_(**settings):
    try:
        logits = fill_(Decoder(replace(config_, **settings)))(ids_).detach()
    except (TypeError, RuntimeError) as error:
        told = f"a decoder with {settings or 'windows'} did not run: {error}"
        raise AssertionError(told) from error
    return (logits * numbers_(logits.shape, 99)).sum().item()

assert len(Decoder(config_).blocks) == 3, "num_layers = 3: three blocks are asked for"
block_ = Decoder(replace(config_, second_norm=True)).blocks[0]
twins_ = [getattr(block_, name, None) for name in ("post_norm1", "post_norm2")]
assert twins_[0] is None or twins_[0] is not twins_[1], (
    "post_norm1 and post_norm2 are one module: there are two second norms in a block, "
    "each with a weight of its own")
for settings_, right_, mistakes_ in [
        ({}, -5.259325, {2.604214: "no layer has a window",
                         -0.852087: "the windows are handed out in the wrong order",
                         -2.198616: "all layers have the window of the first",
                         1.855393: "all layers have the window of the last",
                         0.363033: "the windows are one place too wide",
                         -1.807295: "the windows are one place too narrow"}),
        ({"local_rope_base": 5.0}, -3.225363,
         {-5.259325: "local_rope_base is not used: it is the base of layers 0 and 2",
          -3.812874: "all layers turn with local_rope_base: only those with a window "
                     "do",
          -4.642647: "the layers without a window turn with local_rope_base: those "
                     "with one should"}),
        ({"second_norm": True}, -6.427380,
         {-2.118503: "the second norms are there and not used",
          -5.259325: "there is no second norm",
          0.362842: "the second norms stand behind the sum: they belong on what is "
                    "added to it",
          -1.257741: "post_norm1 and post_norm2 are swapped",
          -6.348916: "there is a second norm on attention only",
          -1.533725: "there is a second norm on the feed-forward network only",
          0.167391: "the second norms stand before attention and feed-forward, not "
                    "behind them",
          -5.940294: "the second norms replace the first: both are asked for"}),
        ({"second_norm": True, "eps": 0.1}, -6.990226,
         {-5.013562: "the second norms have an eps of their own: all have config.eps",
          -6.427380: "eps of config is not used: it goes to all norms"})]:
    came_ = mark_(**settings_)
    told_ = f"with {settings_ or 'windows=[2, None, 3]'}"
    for number_, mistake_ in mistakes_.items():
        assert abs(came_ - number_) > 4e-3, f"{told_}: {mistake_}"
    assert abs(came_ - right_) < 4e-3, (
        f"{told_} other logits than those that follow from these numbers: with signs "
        f"they sum to {came_:.3f} in place of {right_:.3f}")
assert abs(mark_(windows=(2, None, 3)) - mark_()) < 1e-5, (
    "windows may be a tuple as well as a list")
names_ = {
    name for name, _ in Decoder(config_).named_parameters() if "post_norm" in name}
assert not names_, f"without second_norm there are norms to learn: {sorted(names_)}"
### BEGIN HIDDEN TESTS
def by_hand_(model, ids, config):
    """The logits, from the parameters alone, in float64."""
    table = model.token_embedding.weight    # a tied head made first lends it its name
    named = {"token_embedding.weight" if p is table else name: p.double()
             for name, p in model.named_parameters()}
    D = config.d_head or config.d_model // config.num_heads
    linear = lambda name, x: x @ named[f"{name}.weight"].T
    norm = lambda name, x, eps: x / (
        x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * named[f"{name}.weight"]
    x, half, seq = named["token_embedding.weight"][ids], D // 2, ids.size(1)
    back = torch.arange(seq)[:, None] - torch.arange(seq)
    for i in range(config.num_layers):
        window = config.windows[i] if config.windows else None
        base = (config.local_rope_base if window
                and config.local_rope_base else config.rope_base)
        here = f"blocks.{i}"
        y = norm(f"{here}.norm1", x, config.eps)
        q, k, v = (
            linear(f"{here}.attention.{W}", y).unflatten(-1, (-1, D)).transpose(1, 2)
            for W in ("W_q", "W_k", "W_v"))
        if config.qk_norm:
            q, k = (norm(f"{here}.attention.q_norm", q, 1e-6),
                    norm(f"{here}.attention.k_norm", k, 1e-6))
        angle = torch.arange(seq).double()[:, None] * base ** (
            -torch.arange(half).double() / half)
        q, k = (torch.complex(part[..., :half], part[..., half:])
                * torch.polar(torch.ones_like(angle), angle) for part in (q, k))
        q, k = (torch.cat([part.real, part.imag], dim=-1) for part in (q, k))
        k, v = (part[:, torch.arange(config.num_heads) // (
                         config.num_heads // config.num_kv_heads)] for part in (k, v))
        hidden = (back < 0) | (back >= (window or 10**9))
        y = ((q @ k.transpose(-2, -1) / D ** 0.5).masked_fill(hidden, -1e30).softmax(-1)
             @ v).transpose(1, 2).flatten(2)
        y = linear(f"{here}.attention.W_o", y)
        x = x + (norm(f"{here}.post_norm1", y, config.eps) if config.second_norm else y)
        y = norm(f"{here}.norm2", x, config.eps)
        y = linear(f"{here}.feed_forward.down",
                   F.silu(linear(f"{here}.feed_forward.gate", y))
                   * linear(f"{here}.feed_forward.up", y))
        x = x + (norm(f"{here}.post_norm2", y, config.eps) if config.second_norm else y)
    return norm("norm", x, config.eps) @ (
        named["token_embedding.weight"] if config.tied else named["head.weight"]).T

def known_(config, generator):
    """A decoder in which every parameter, norms too, is a random number that matters.
    """
    model = Decoder(config).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=generator)
                    / (4 if p.dim() == 1 else p.size(-1) ** 0.5) + ("norm" in name))
    return model

def agrees_(config, ids, told, size=1.0):
    model = known_(config, generator)
    with torch.no_grad():
        model.token_embedding.weight.mul_(size)
        torch.testing.assert_close(
            model(ids).double(), by_hand_(model, ids, config), atol=5e-4 * size,
            rtol=5e-4, msg=lambda m: f"{told}\n{m}")
generator = torch.Generator().manual_seed(1109)
ids = torch.randint(19, (2, 13), generator=generator)
# Property: every layer has the window of its place in config.windows [windows]
for windows in ([5, None], [None, 5], [1, 9], (12, 2), [None, None], None):
    agrees_(DecoderConfig(19, 12, 2, 6, 2, 20, windows=windows), ids,
            f"windows = {windows}")
# Property: layers with a window turn with local_rope_base, the others with rope_base [local-base]
for windows in ([5, None, 3], [None, 2, None]):
    agrees_(DecoderConfig(19, 12, 3, 6, 2, 20, d_head=4, rope_base=400.0,
                          local_rope_base=9.0, windows=windows), ids,
            f"rope_base = 400, local_rope_base = 9, windows = {windows}")
# Property: the second norms stand on what is added, and exist only where asked [second-norm]
for qk_norm in (False, True):
    config = DecoderConfig(19, 12, 2, 6, 2, 20, second_norm=True, qk_norm=qk_norm)
    agrees_(config, ids, "second_norm=True")
    agrees_(replace(config, eps=0.01), ids,
            f"second_norm=True, qk_norm={qk_norm}, right with eps = 1e-6 but not with "
            "eps = 0.01: the second norms, too, have the eps of config, and QK-norm "
            "keeps its own")
shapes = {name: tuple(p.shape)
          for name, p in Decoder(
              DecoderConfig(19, 12, 2, 6, 2, 20, second_norm=True)).named_parameters()
          if "post_norm" in name}
assert shapes == {
    f"blocks.{i}.post_norm{j}.weight": (12,) for i in (0, 1)
    for j in (1, 2)}, f"post_norm1 and post_norm2 in each block expected, got {shapes}"
### END HIDDEN TESTS
print("11.4, layers: windows, local base and second norm right for one small model. "
      "Hidden tests look at other patterns.")

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_check_table", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.4, one table or two, and caches."""
tied_ = DecoderConfig(11, 8, num_layers=2, num_heads=4, num_kv_heads=2, d_ff=12)
model_ = Decoder(tied_)
count_ = sum(p.numel() for p in model_.parameters())
assert model_.head.weight is model_.token_embedding.weight, (
    "tied: the weights of head and table are two parameters (a copy goes its own way "
    "at the first training step); they should be one object")
assert count_ == 1088, f"tied: 1,088 parameters expected, got {count_:,}"
free_ = Decoder(replace(tied_, tied=False))
assert free_.head.weight is not free_.token_embedding.weight, \
    "with tied=False the head should have a weight of its own"
assert sum(p.numel() for p in free_.parameters()) == 1176, (
    "with tied=False 88 parameters more are expected, 1,176, got "
    f"{sum(p.numel() for p in free_.parameters()):,}")
ids_ = torch.tensor([[3, 1, 4, 1, 5, 9], [5, 3, 5, 8, 9, 7]])
for settings_ in ({}, {"windows": [2, None], "qk_norm": True}):
    model_ = Decoder(replace(tied_, **settings_))
    whole_ = model_(ids_).detach()
    caches_ = [[], []]
    try:
        pieces_ = [model_(part, caches_).detach() for part in ids_.split([3, 1, 2], 1)]
        pieces_ = torch.cat(pieces_, 1)
        assert pieces_.shape == whole_.shape, (
            "with caches each call returns logits for all of its own places: pieces "
            f"of 3, 1 and 2 gave {pieces_.size(1)} in all, 6 expected")
    except (TypeError, RuntimeError, IndexError) as error:
        raise AssertionError("caches is a list with one list for each layer, handed "
                             f"to the attention of that layer: {error}") from error
    sizes_ = [[tuple(part.shape) for part in cache] for cache in caches_]
    assert any(sizes_), (
        "after six tokens the list of every layer is still empty: the list itself (no "
        "copy) goes to the attention of its layer, also while it is empty, in training "
        "and evaluation mode")
    good_ = [(2, 2, 6, 2)] * 2
    assert sizes_[1] != good_ or sizes_[0] == good_ or "windows" not in settings_, (
        "windows [2, None], six tokens: the cache of the layer with a window is not of "
        f"six places, {good_}, but {sizes_[0]}; all places stay in it, and the mask "
        "hides the old ones")
    assert sizes_ == [[(2, 2, 6, 2)] * 2] * 2, (
        "after six tokens each layer's list holds k and v of six places, (2, 2, 6, "
        f"2): got {sizes_}; does each layer get its own list?")
    gap_ = (pieces_ - whole_).abs().max().item()
    assert gap_ < 1e-3, f"in pieces of 3, 1 and 2 the logits are off by {gap_:.3f}"
    single_ = [model_(ids_[:, t:t + 1]).detach() for t in (0, 1, 0)]
    assert torch.allclose(single_[0], single_[2], atol=1e-5), (
        "without caches a call gives something of the call before it: keep nothing in "
        "the model")
### BEGIN HIDDEN TESTS
def by_hand_(model, ids, config):
    """The logits, from the parameters alone, in float64."""
    table = model.token_embedding.weight    # a tied head made first lends it its name
    named = {"token_embedding.weight" if p is table else name: p.double()
             for name, p in model.named_parameters()}
    D = config.d_head or config.d_model // config.num_heads
    linear = lambda name, x: x @ named[f"{name}.weight"].T
    norm = lambda name, x, eps: x / (
        x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * named[f"{name}.weight"]
    x, half, seq = named["token_embedding.weight"][ids], D // 2, ids.size(1)
    back = torch.arange(seq)[:, None] - torch.arange(seq)
    for i in range(config.num_layers):
        window = config.windows[i] if config.windows else None
        base = (config.local_rope_base if window
                and config.local_rope_base else config.rope_base)
        here = f"blocks.{i}"
        y = norm(f"{here}.norm1", x, config.eps)
        q, k, v = (
            linear(f"{here}.attention.{W}", y).unflatten(-1, (-1, D)).transpose(1, 2)
            for W in ("W_q", "W_k", "W_v"))
        if config.qk_norm:
            q, k = (norm(f"{here}.attention.q_norm", q, 1e-6),
                    norm(f"{here}.attention.k_norm", k, 1e-6))
        angle = torch.arange(seq).double()[:, None] * base ** (
            -torch.arange(half).double() / half)
        q, k = (torch.complex(part[..., :half], part[..., half:])
                * torch.polar(torch.ones_like(angle), angle) for part in (q, k))
        q, k = (torch.cat([part.real, part.imag], dim=-1) for part in (q, k))
        k, v = (part[:, torch.arange(config.num_heads) // (
                         config.num_heads // config.num_kv_heads)] for part in (k, v))
        hidden = (back < 0) | (back >= (window or 10**9))
        y = ((q @ k.transpose(-2, -1) / D ** 0.5).masked_fill(hidden, -1e30).softmax(-1)
             @ v).transpose(1, 2).flatten(2)
        y = linear(f"{here}.attention.W_o", y)
        x = x + (norm(f"{here}.post_norm1", y, config.eps) if config.second_norm else y)
        y = norm(f"{here}.norm2", x, config.eps)
        y = linear(f"{here}.feed_forward.down",
                   F.silu(linear(f"{here}.feed_forward.gate", y))
                   * linear(f"{here}.feed_forward.up", y))
        x = x + (norm(f"{here}.post_norm2", y, config.eps) if config.second_norm else y)
    return norm("norm", x, config.eps) @ (
        named["token_embedding.weight"] if config.tied else named["head.weight"]).T

def known_(config, generator):
    """A decoder in which every parameter, norms too, is a random number that matters.
    """
    model = Decoder(config).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.randn(p.shape, generator=generator)
                    / (4 if p.dim() == 1 else p.size(-1) ** 0.5) + ("norm" in name))
    return model

def agrees_(config, ids, told, size=1.0):
    model = known_(config, generator)
    with torch.no_grad():
        model.token_embedding.weight.mul_(size)
        torch.testing.assert_close(
            model(ids).double(), by_hand_(model, ids, config), atol=5e-4 * size,
            rtol=5e-4, msg=lambda m: f"{told}\n{m}")
generator = torch.Generator().manual_seed(1110)
ids = torch.randint(19, (2, 13), generator=generator)
# Property: tied means one parameter, also after a step of training; untied means two [tied]
for tied in (True, False):
    model = Decoder(DecoderConfig(19, 12, 2, 6, 2, 20, tied=tied))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).backward()
    optimizer.step()
    same = torch.equal(model.head.weight, model.token_embedding.weight)
    assert same == tied, (
        f"tied={tied}: after a step of training head and table are "
        f"{'the same' if same else 'different'}")
agrees_(DecoderConfig(19, 12, 2, 6, 2, 20, tied=False), ids,
        "tied=False: the head's own weight should make the logits")
# Property: in pieces of any length the logits are those of the whole text [caches]
model = known_(DecoderConfig(19, 12, 2, 6, 2, 20), generator)
first = model(ids[:, :1])
model(ids[:, 1:2])
torch.testing.assert_close(
    model(ids[:, :1]), first,
    msg=lambda m: f"one token without caches: something is kept between calls\n{m}")
for settings in ({}, {"windows": (3, None, 1)},
                 {"qk_norm": True, "second_norm": True, "windows": [None, 8, 2],
                  "local_rope_base": 30.0}):
    model = known_(DecoderConfig(19, 12, 3, 6, 2, 20, **settings), generator)
    for cuts in ([1, 5, 1, 1, 4, 1], [12, 1]):
        caches = [[] for _ in range(3)]
        pieces = torch.cat([model(part, caches) for part in ids.split(cuts, 1)], 1)
        torch.testing.assert_close(pieces, model(ids), atol=5e-4, rtol=5e-4,
                                   msg=lambda m: f"{settings}, pieces of {cuts}\n{m}")
### END HIDDEN TESTS
print("11.4, table and caches: tied and untied, three pieces. Hidden tests look at a "
      "step of training, other pieces, windows.")

# %% [markdown]
# Now your decoder against the GPT, trained in the notebook: 100 steps on the same batches, about equal parameters (110,336 and 110,208), one seed. Its matrices start as the GPT's did: with a spread that suits the width, and smaller where they write into the
# residual stream.
#
# **Predict, then run.** You have trained the GPT for 100 steps in 11.2. By how much will your decoder's loss on new text be lower (a negative number if you think it will be higher)?

# %% tags=["show"]
guess_gain = None          # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.15"]
def fresh_decoder(config, seed):
    """A decoder that starts as the GPT of chapter 9 does."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Decoder(config)
        std = 0.02 * math.sqrt(768 / config.d_model)
        with torch.no_grad():
            for name, p in model.named_parameters():
                if name.endswith(("W_o.weight", "down.weight")):
                    p.normal_(std=std / math.sqrt(2 * config.num_layers))
                elif p.dim() > 1:
                    p.normal_(std=std)
    return model.to(device)

today = DecoderConfig(vocab_size=96, d_model=64, num_layers=2, num_heads=4,
                      num_kv_heads=2, d_ff=206, qk_norm=True)
decoder = fresh_decoder(today, seed=1)
decoder_losses = train(decoder, text_batches(1), steps=100)
prices = {}
for name, model in [("GPT", gpt), ("decoder", decoder)]:
    prices[name] = held_out_loss(model.eval(), test_windows)
    size = sum(p.numel() for p in model.parameters())
    print(f"{name:8} {size:8,d} parameters   loss on new text {prices[name]:.2f}")
check_guess("gain of the decoder after 100 steps", guess_gain,
            round(prices["GPT"] - prices["decoder"], 2))

# %% [markdown]
# The decoder is ahead after 100 steps, as in 11.1, by less than after 300. One seed each would prove little; the evidence is the five seeds of 11.1.
#
# **What does the gate close?** In the trained decoder we look at `silu(gate(x))` on new text. If the gate does something, its numbers must depend on the text. So we replace each of them by its mean over all places and measure how far the loss rises. The
# controls do the same to the other branch, and to both.

# %% tags=["show", "uses-exercise", "tolerance-0.15"]
@torch.no_grad()
def with_means(model, branches):
    """Loss on new text with silu(gate(x)), or up(x), at its mean over the text."""
    opened, hooks = [], []

    def frozen(x, part):
        gate, up = F.silu(part.gate(x)), part.up(x)            # (batch, seq, d_ff)
        opened.append(gate)
        if "gate" in branches:
            gate = gate.mean((0, 1))
        if "up" in branches:
            up = up.mean((0, 1))
        return part.down((gate * up).expand(*x.shape[:-1], -1))

    for block in model.blocks:
        hooks.append(block.feed_forward.register_forward_hook(
            lambda part, inputs, output: frozen(inputs[0], part)))
    loss = held_out_loss(model, test_windows)
    for hook in hooks:
        hook.remove()
    return loss, opened

whole, opened = with_means(decoder, [])
for layer, gates in enumerate(opened):
    shut, wide = (gates.abs() < 0.1).float().mean(), (gates > 1).float().mean()
    print(f"layer {layer}: {shut:.2f} of the gates within 0.1 of 0, {wide:.2f} above 1")
print(f"loss as trained {whole:.2f}")
for branches in (["gate"], ["up"], ["gate", "up"]):
    loss, _ = with_means(decoder, branches)
    print(f"at their means: {' and '.join(branches):12} loss {loss:.2f}")

# %% [markdown]
# A fifth to a quarter of the gates are nearly shut, few are above 1, and *which* ones depends on the text: with every gate at its mean the loss rises by about half a nat. With the other branch at its mean it rises a little further, and with both (a constant in place of the network) by more than one nat. So each branch
# carries something about the text that the other does not replace.

# %% [markdown]
# ## 11.6 Somebody else's weights
#
# As in chapter 8, a model is built right if the weights of a published model work in it. The names in a checkpoint of Llama or Qwen 3, and yours:
#
# | theirs (`model.layers.0.` in front) | yours (`blocks.0.` in front) |
# | --- | --- |
# | `input_layernorm`, `post_attention_layernorm` | `norm1`, `norm2` |
# | `self_attn.q_proj`, `k_proj`, `v_proj`, `o_proj` | `attention.W_q`, `W_k`, `W_v`, `W_o` |
# | `self_attn.q_norm`, `k_norm` (Qwen 3) | `attention.q_norm`, `k_norm` |
# | `mlp.gate_proj`, `up_proj`, `down_proj` | `feed_forward.gate`, `up`, `down` |
#
# and without a layer in front `model.embed_tokens`, `model.norm`, `lm_head` for `token_embedding`, `norm`, `head`; each ends in `.weight`. Nothing is transposed (they are `nn.Linear`, too), and nothing is permuted, because your rotation
# pairs halves as theirs does. (Take care with `post_attention_layernorm`: in Llama it stands *before* the feed-forward network, and Gemma uses the same name for a norm *behind* attention.)

# %% [markdown]
# ### Exercise 11.5 · Load Llama and Qwen 3 · 3 points · about 20 minutes
#
# Fill a `Decoder` with the `state_dict` of a `transformers` `LlamaForCausalLM` or `Qwen3ForCausalLM`, in place, and return it.
#
# - **Numbers, 2 points.** Every parameter gets the numbers that the table above names <!-- asks: values, twice -->, tied or not: if the model is tied, `lm_head.weight` may be missing; if not,
#   `lm_head.weight` fills the head <!-- asks: heads -->. The `state_dict` stays as it is, also when the model is trained further: the two share no memory <!-- asks: memory -->. The model keeps its dtype, its mode
#   and its tie, whatever dtype the checkpoint has, and all its parameters can still be trained <!-- asks: state -->. (An attention without QK-norm may have no `q_norm`, or one that is `None`: what a block has, its `named_parameters()` say.)
# - **Nothing missing, nothing left, 1 point.** A `ValueError` (or `KeyError`) whose text contains the name of the tensor, *their* name, where a tensor is missing <!-- asks: missing -->, where one is left that no
#   parameter takes (a bias, a layer or a norm that the model does not have) <!-- asks: left -->, and where a shape does not fit, with both shapes in the text <!-- asks: shapes -->. A tied model refuses an
#   `lm_head.weight` that is not the table <!-- asks: false-tie -->. Whatever is refused leaves the model as it was: check everything first, then copy <!-- asks: unchanged -->.
#
# <details><summary>Hint 1</summary>Build one dictionary first: their name on the left, your parameter on the right. Everything else is a comparison of two sets of names.</details>
# <details><summary>Hint 2</summary>The model knows what it has: which entries exist only if a block's attention has a q_norm, or the head its own weight?</details>
# <details><summary>Hint 3</summary>copy_ takes a (1,) tensor for a (8,) parameter without a word, and a bfloat16 one for a float32 one, which is what you want. So compare the shapes yourself.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_load_llama", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_llama(model, state_dict):
    """Fill a Decoder with the weights of a transformers Llama or Qwen 3, in place.

    state_dict: name -> tensor. Returns the model. Raises ValueError, and changes
    nothing, where a name is missing or left over or a shape does not fit.
    """
    ### BEGIN SOLUTION
    wanted = {"model.embed_tokens.weight": model.token_embedding.weight,
              "model.norm.weight": model.norm.weight}
    tied = model.head.weight is model.token_embedding.weight
    if not tied:
        wanted["lm_head.weight"] = model.head.weight
    parts = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2",
             **{f"self_attn.{x}_proj": f"attention.W_{x}" for x in "qkvo"},
             **{f"self_attn.{x}_norm": f"attention.{x}_norm" for x in "qk"},
             **{f"mlp.{x}_proj": f"feed_forward.{x}" for x in ("gate", "up", "down")}}
    for i, block in enumerate(model.blocks):
        mine = dict(block.named_parameters())
        wanted |= {f"model.layers.{i}.{theirs}.weight": mine[f"{ours}.weight"]
                   for theirs, ours in parts.items() if f"{ours}.weight" in mine}

    missing = sorted(wanted.keys() - state_dict.keys())
    if missing:
        raise ValueError(f"{len(missing)} tensors are missing: {', '.join(missing)}")
    spare = {"lm_head.weight"} if tied else set()
    left = sorted(state_dict.keys() - wanted.keys() - spare)
    if left:
        raise ValueError(f"no place in this model for: {', '.join(left)}")
    for name, parameter in wanted.items():
        if state_dict[name].shape != parameter.shape:
            raise ValueError(f"{name}: expected the shape {tuple(parameter.shape)}, "
                             f"got {tuple(state_dict[name].shape)}")
    table = state_dict["model.embed_tokens.weight"]
    if tied and not torch.equal(state_dict.get("lm_head.weight", table), table):
        raise ValueError("the model is tied, and lm_head.weight is not the table, "
                         "model.embed_tokens.weight")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(state_dict[name])
    return model
    ### END SOLUTION

# %% tags=["uses-exercise"]
def plain_names(layers, d=8, kv=4, d_ff=16, vocab=11):
    """Names and shapes of a small Llama: tensor n holds the number n alone."""
    shapes = {"embed_tokens": (vocab, d), "norm": (d,)}
    for i in range(layers):
        shapes |= {f"layers.{i}.{part}": shape for part, shape in {
            "self_attn.q_proj": (d, d), "self_attn.k_proj": (kv, d),
            "self_attn.v_proj": (kv, d), "self_attn.o_proj": (d, d),
            "mlp.gate_proj": (d_ff, d), "mlp.up_proj": (d_ff, d),
            "mlp.down_proj": (d, d_ff), "input_layernorm": (d,),
            "post_attention_layernorm": (d,)}.items()}
    return {f"model.{name}.weight": torch.full(shape, float(n))
            for n, (name, shape) in enumerate(shapes.items())}

model = load_llama(Decoder(replace(small, num_layers=1)), plain_names(1))
print({name: p.flatten()[0].item() for name, p in model.named_parameters()})

# %% nbgrader={"grade": true, "grade_id": "ch11_load_llama_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.5, numbers: their numbers say where they stood."""
def coded_(config, tied=True):
    """Names and shapes of a checkpoint; in tensor n stands n·10000 + row·100 + column.
    """
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    kv, heads = config.num_kv_heads * D, config.num_heads * D
    shapes = {"model.embed_tokens": (config.vocab_size, d), "model.norm": (1, d)}
    for i in range(config.num_layers):
        parts = {"self_attn.q_proj": (heads, d), "self_attn.k_proj": (kv, d),
                 "self_attn.v_proj": (kv, d), "self_attn.o_proj": (d, heads),
                 "mlp.gate_proj": (config.d_ff, d), "mlp.up_proj": (config.d_ff, d),
                 "mlp.down_proj": (d, config.d_ff), "input_layernorm": (1, d),
                 "post_attention_layernorm": (1, d)}
        if config.qk_norm:
            parts |= {"self_attn.q_norm": (1, D), "self_attn.k_norm": (1, D)}
        shapes |= {f"model.layers.{i}.{part}": shape for part, shape in parts.items()}
    if not tied:
        shapes["lm_head"] = (config.vocab_size, d)
    found = {}
    for n, (name, (rows, columns)) in enumerate(shapes.items(), 1):
        value = 10000. * n + 100 * torch.arange(rows)[:, None] + torch.arange(columns)
        found[f"{name}.weight"] = value[0] if rows == 1 else value
    return found

config_ = DecoderConfig(11, 8, num_layers=2, num_heads=4, num_kv_heads=2, d_ff=8,
                        d_head=4, qk_norm=True, tied=False)
mine_, weights_ = Decoder(config_), coded_(config_, tied=False)
kept_, order_ = (
    {name: value.clone() for name, value in weights_.items()}, list(weights_))
try:
    returned_ = load_llama(mine_, weights_)
except (KeyError, ValueError) as error:
    raise AssertionError(
        f"a complete checkpoint of Qwen 3 was refused: {error}") from error
except RuntimeError as error:
    if "leaf" in str(error):
        raise AssertionError("a parameter was changed in place while gradients were "
                             f"recorded: torch.no_grad() ({error})") from error
    raise AssertionError("a matrix did not fit. Theirs are nn.Linear, too: "
                         f"nothing is transposed ({error})") from error
assert isinstance(getattr(returned_, "head", None), nn.Linear), (
    f"the model should be returned, got {type(returned_).__name__}")
named_ = {name: p.detach() for name, p in mine_.named_parameters()}
names_ = {
    "token_embedding": "model.embed_tokens", "norm": "model.norm", "head": "lm_head"}
for i_ in range(2):
    names_ |= {
        f"blocks.{i_}.{ours}": f"model.layers.{i_}.{theirs}" for ours, theirs in [
            ("norm1", "input_layernorm"), ("norm2", "post_attention_layernorm"),
            *((f"attention.W_{x}", f"self_attn.{x}_proj") for x in "qkvo"),
            *((f"attention.{x}_norm", f"self_attn.{x}_norm") for x in "qk"),
            *((f"feed_forward.{x}", f"mlp.{x}_proj") for x in ("gate", "up", "down"))]}
assert weights_.keys() == kept_.keys(), (
    "state_dict was changed: tensors were taken out of it")
assert "head.weight" in named_, (
    "after loading an untied model head and table are one parameter: its head has its "
    "own weight")
for ours_, theirs_ in names_.items():
    got_, right_ = named_[f"{ours_}.weight"], weights_[f"{theirs_}.weight"]
    if torch.equal(got_, right_):
        continue
    assert got_.dim() != 2 or got_.shape != right_.T.shape or not torch.equal(
        got_, right_.T), (f"{ours_} was transposed: theirs is an nn.Linear, like yours")
    from_ = int(got_.flatten()[0] + 1000) // 10000       # found if rounded, too
    came_ = order_[from_ - 1] if 0 < from_ <= len(order_) else "none of theirs"
    from_ = weights_[came_] if came_ in weights_ else None
    assert came_ != "none of theirs", (
        f"{ours_} was not loaded: its numbers are none of theirs; there belongs "
        f"{theirs_}.weight")
    same_ = torch.equal(got_.flatten().sort().values, right_.flatten().sort().values)
    assert same_ or came_ != f"{theirs_}.weight", (
        f"{ours_}: the numbers of {theirs_} were rounded or changed: copy them as they "
        "are")
    assert came_ == f"{theirs_}.weight", (
        f"{ours_} holds {came_}; there belongs {theirs_}.weight")
    raise AssertionError(f"{ours_} holds numbers of {theirs_} in another order: "
                         "nothing has to be permuted, your rotation has their layout")
assert all(torch.equal(weights_[name], kept_[name]) for name in kept_), (
    "state_dict was changed")
tied_ = replace(config_, tied=True, qk_norm=False)
model_ = Decoder(tied_).to(torch.float64)
try:
    load_llama(model_, coded_(tied_))
    weights_ = coded_(tied_)
    load_llama(
        model_, {**weights_, "lm_head.weight": weights_["model.embed_tokens.weight"]})
except (KeyError, ValueError) as error:
    raise AssertionError(
        "a tied model and a checkpoint of Llama, with or without lm_head.weight: both "
        f"should be taken, was refused: {error}") from error
except AttributeError as error:
    raise AssertionError(
        "a model without QK-norm: its attention may have no q_norm, or one that is "
        f"None. What a block has, its named_parameters() say ({error})") from error
assert model_.head.weight is model_.token_embedding.weight, \
    "after loading, head and table are two parameters: the tie is broken"
source_ = Decoder(config_).requires_grad_(False)         # a model whose weights we take
taken_ = {f"{names_[name.removesuffix('.weight')]}.weight": p
          for name, p in source_.named_parameters()}
try:
    load_llama(Decoder(config_), {name: p.bfloat16() for name, p in taken_.items()})
except (TypeError, RuntimeError, ValueError) as error:
    raise AssertionError("a checkpoint in bfloat16, as most are published, and a model "
                         f"in float32: it failed ({error})") from error
load_llama(mine_, taken_)
assert mine_.training, "a model in training mode is in evaluation mode after loading"
assert torch.equal(mine_.norm.weight, source_.norm.weight) and torch.equal(
    mine_.head.weight, source_.head.weight), (
    "after a second load the first one's numbers are still there")
ids_ = torch.tensor([[3, 1, 4]])
before_ = source_(ids_)
with torch.no_grad():
    for p in mine_.parameters():
        p.add_(1.0)                               # a step of training does such things
assert torch.equal(source_(ids_), before_), (
    "the model learned on after loading, and the tensors of state_dict changed with "
    "it: copy the numbers, share no memory")
kinds_ = {p.dtype for p in model_.parameters()}
assert kinds_ == {torch.float64}, (
    f"the model was float64, after loading it has {kinds_}")
for name_, p_ in [*mine_.named_parameters(), *model_.named_parameters()]:
    assert p_.requires_grad, f"after loading {name_} does not learn any more"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(1111)
def drawn_(config, tied=True):
    return {name: torch.randn(value.shape, generator=generator) / 3 + ("norm" in name)
            for name, value in coded_(config, tied).items()}
def names_in_(config):
    found = {"token_embedding": "model.embed_tokens", "norm": "model.norm"}
    for i in range(config.num_layers):
        parts = [
            ("norm1", "input_layernorm"), ("norm2", "post_attention_layernorm"),
            *((f"attention.W_{x}", f"self_attn.{x}_proj") for x in "qkvo"),
            *((f"feed_forward.{x}", f"mlp.{x}_proj") for x in ("gate", "up", "down"))]
        parts += [(f"attention.{x}_norm", f"self_attn.{x}_norm")
                  for x in "qk"] if config.qk_norm else []
        found |= {f"blocks.{i}.{ours}": f"model.layers.{i}.{theirs}"
                  for ours, theirs in parts}
    return found
# Property: every parameter holds the tensor that belongs there, Llama and Qwen 3, at other sizes [values]
for sizes, qk_norm, d_head in [
        ((23, 12, 3, 3, 1, 20), False, None), ((17, 8, 1, 2, 2, 5), True, 6),
        ((19, 14, 11, 7, 7, 9), True, None)]:
    config = DecoderConfig(*sizes, d_head=d_head, qk_norm=qk_norm)
    model, weights = Decoder(config), drawn_(config)
    try:
        load_llama(model, weights)
    except (KeyError, ValueError) as error:
        raise AssertionError(f"DecoderConfig{sizes}, qk_norm={qk_norm}: a complete "
                             f"checkpoint of {config.num_layers} layers was refused: "
                             f"{error!r}") from error
    held = {**dict(model.named_parameters()),
            "token_embedding.weight": model.token_embedding.weight}
    for ours, theirs in names_in_(config).items():
        assert torch.equal(held[f"{ours}.weight"], weights[f"{theirs}.weight"]), (
            f"DecoderConfig{sizes}, qk_norm={qk_norm}: {ours} does not hold {theirs}")
def whole(**parts):
    """A module of these parts: a decoder's skeleton, which nobody has to call."""
    module = nn.Module()
    for name, one in parts.items():
        setattr(module, name, one)
    return module
def linear(outputs, inputs):
    return nn.Linear(inputs, outputs, bias=False)
plain = DecoderConfig(13, 12, 2, 3, 1, 20, tied=False)
for none in ({"q_norm": None, "k_norm": None}, {}):
    blocks = [whole(norm1=RMSNorm(12), norm2=RMSNorm(12),
                    attention=whole(W_q=linear(12, 12), W_k=linear(4, 12),
                                    W_v=linear(4, 12), W_o=linear(12, 12), **none),
                    feed_forward=whole(gate=linear(20, 12), up=linear(20, 12),
                                       down=linear(12, 20))) for _ in range(2)]
    bare = whole(token_embedding=nn.Embedding(13, 12), blocks=nn.ModuleList(blocks),
                 norm=RMSNorm(12), head=linear(13, 12))
    weights = drawn_(plain, tied=False)
    try:
        load_llama(bare, weights)
    except Exception as error:
        raise AssertionError(
            "an attention without QK-norm, with "
            f"{'a q_norm that is None' if none else 'no attribute q_norm'}: loading "
            f"failed. What a block has, its named_parameters() say ({error!r})"
            ) from error
    assert torch.equal(blocks[1].attention.W_o.weight,
                       weights["model.layers.1.self_attn.o_proj.weight"]), (
        "an attention without QK-norm: W_o does not hold o_proj")
# Property: loading a second time replaces the first [twice]
second = drawn_(config)
load_llama(model, second)
assert torch.equal(model.blocks[10].feed_forward.up.weight,
                   second["model.layers.10.mlp.up_proj.weight"]), (
    "after a second load the first one's numbers are still there")
# Property: the model shares no memory with the checkpoint [memory]
for tied in (True, False):
    source = Decoder(replace(config, tied=tied)).requires_grad_(False)
    model, named = Decoder(replace(config, tied=tied)), dict(source.named_parameters())
    named["token_embedding.weight"] = source.token_embedding.weight
    load_llama(model, {f"{theirs}.weight": named[f"{ours}.weight"] for ours, theirs in [
        *names_in_(config).items(), *([] if tied else [("head", "lm_head")])]})
    ids = torch.tensor([[3, 1, 4]])
    before = source(ids)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(1.0)
    torch.testing.assert_close(
        source(ids), before, atol=0, rtol=0,
        msg=lambda m: "the model learned on after loading, and tensors of state_dict "
                      f"changed with it: share no memory\n{m}")
# Property: an untied head gets lm_head.weight, a tied one needs none [heads]
config = DecoderConfig(23, 12, 2, 3, 1, 20, tied=False)
model, weights = Decoder(config), drawn_(config, tied=False)
load_llama(model, weights)
assert torch.equal(model.head.weight, weights["lm_head.weight"]) and torch.equal(
    model.token_embedding.weight, weights["model.embed_tokens.weight"]), (
    "untied: head and table each have their own tensor")
assert model.head.weight is not model.token_embedding.weight, (
    "untied: after loading head and table are one")
# Property: mode, dtype, gradients and tie stay as they were [state]
for mode in (True, False):
    for tied in (True, False):
        config = DecoderConfig(13, 12, 2, 3, 1, 20, tied=tied, qk_norm=True)
        model = Decoder(config).train(mode).to(torch.bfloat16)
        load_llama(model, drawn_(config, tied))
        assert model.training is mode, (
            f"training was {mode} before loading and {model.training} after it")
        assert {p.dtype for p in model.parameters()} == {torch.bfloat16}, (
            "the dtype of the model changed")
        assert (model.head.weight is model.token_embedding.weight) is tied, (
            "the tie changed")
        assert all(p.requires_grad for p in model.parameters()), (
            "a parameter does not learn any more")
weights = {name: value.bfloat16() for name, value in drawn_(config, tied).items()}
model = Decoder(config)
try:
    load_llama(model, weights)
except (TypeError, RuntimeError, ValueError) as error:
    raise AssertionError("a checkpoint in bfloat16, as most are published, and a model "
                         f"in float32: it failed ({error})") from error
assert {p.dtype for p in model.parameters()} == {torch.float32}, (
    "a checkpoint in bfloat16 changed the dtype of the model")
assert torch.equal(model.norm.weight, weights["model.norm.weight"].float()), (
    "a checkpoint in bfloat16: the last norm does not hold its numbers")
assert {value.dtype for value in weights.values()} == {torch.bfloat16}, (
    "state_dict was changed: it holds tensors of another dtype now")
### END HIDDEN TESTS
print("11.5, numbers: every parameter of a small Qwen 3 and a small Llama stands where "
      "it belongs. Hidden tests look at other sizes, mode, dtype, tie.")

# %% nbgrader={"grade": true, "grade_id": "ch11_load_llama_check_refused", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 11.5, refused: nothing missing, nothing left, every shape checked."""
def named_shapes_(d=8, kv=4, d_ff=16, vocab=11, layers=2):
    found = {"model.embed_tokens.weight": (vocab, d), "model.norm.weight": (d,)}
    for i in range(layers):
        found |= {f"model.layers.{i}.{part}.weight": shape for part, shape in {
                      "self_attn.q_proj": (d, d), "self_attn.k_proj": (kv, d),
                      "self_attn.v_proj": (kv, d),
                      "self_attn.o_proj": (d, d), "mlp.gate_proj": (d_ff, d),
                      "mlp.up_proj": (d_ff, d),
                      "mlp.down_proj": (d, d_ff), "input_layernorm": (d,),
                      "post_attention_layernorm": (d,)}.items()}
    return found

def small_(**settings):
    return Decoder(DecoderConfig(11, 8, 2, 4, 2, 16, **settings))

def refusal_(weights, model):
    """The text with which load_llama refuses these weights, and whether the model is
    unchanged.
    """
    before = [p.detach().clone() for p in model.parameters()]
    try:
        load_llama(model, weights)
    except (ValueError, KeyError) as error:
        same = all(
            torch.equal(p, b) for p, b in zip(model.parameters(), before, strict=True))
        return str(error), same
    except Exception as error:
        raise AssertionError(
            "a checkpoint that does not fit should be refused with a ValueError or "
            f"KeyError, got {type(error).__name__}: {error}") from error
    return None, False

good_ = {name: torch.ones(shape) for name, shape in named_shapes_().items()}
gone_, more_ = (
    "model.layers.1.mlp.up_proj.weight", "model.layers.0.self_attn.q_proj.bias")
third_ = "model.layers.2.input_layernorm.weight"
turns_ = "model.layers.0.self_attn.rotary_emb.inv_freq"
for what_, name_, weights_ in [
        ("a tensor is missing", gone_, {n: v for n, v in good_.items() if n != gone_}),
        ("a bias is left over", more_, {**good_, more_: torch.ones(8)}),
        ("a third layer is left over, the model has two", third_,
         {**good_, third_: torch.ones(8)}),
        ("a tensor is left over that no parameter takes", turns_,
         {**good_, turns_: torch.ones(1)}),
        ("a norm holds 1 number in place of 8", "model.norm.weight",
         {**good_, "model.norm.weight": torch.ones(1)}),
        ("the table has 12 rows in place of 11", "model.embed_tokens.weight",
         {**good_, "model.embed_tokens.weight": torch.ones(12, 8)}),
        ("the model is tied, lm_head.weight is the table but for one number",
         "lm_head.weight",
         {**good_, "lm_head.weight": 1 - F.pad(torch.ones(1, 1), (7, 0, 10, 0))}),
        ("the model is tied, lm_head.weight is the table but for 0.0005 everywhere",
         "lm_head.weight", {**good_, "lm_head.weight": torch.ones(11, 8) + 5e-4}),
        ("the model is tied, lm_head.weight has 7 columns in place of 8",
         "lm_head.weight", {**good_, "lm_head.weight": torch.ones(11, 7)})]:
    text_, same_ = refusal_(weights_, small_().eval())
    assert text_ is not None, (
        f"{what_} ({name_}), and load_llama took it without a word")
    assert name_ in text_, f"{what_}: the message should name {name_}, it says: {text_}"
    assert same_, (
        f"{what_}: refused, but the model was changed: check everything first, then "
        "copy")
near_ = {**good_, "lm_head.weight": torch.ones(11, 8) + 5e-4}
assert refusal_(near_, small_().to(torch.bfloat16))[0] is not None, (
    "a tied model in bfloat16, lm_head.weight in float32 is the table but for 0.0005: "
    "load_llama took it; compare the two before they are rounded")
### BEGIN HIDDEN TESTS
free = {**good_, "lm_head.weight": torch.ones(11, 8)}
normed = {**good_, **{f"model.layers.{i}.self_attn.{x}_norm.weight": torch.ones(2)
                      for i in (0, 1) for x in "qk"}}
models = {}
def must_refuse(what, name, weights, shapes=(), **settings):
    key = str(settings)  # one model for many: what is refused leaves it as it was
    models[key] = models.get(key) or small_(**settings)
    text, same = refusal_(weights, models[key])
    assert text is not None, f"{what} ({name}): load_llama took it"
    assert name in text and all(str(n) in text for n in shapes), (
        f"{what}: the message should name "
        f"{name}{' and both shapes' if shapes else ''}, it says: {text}")
    assert same, f"{what}: refused, but the model was changed"
# Property: every missing tensor is refused by name [missing]
for name in good_:
    must_refuse("missing", name, {n: v for n, v in good_.items() if n != name})
must_refuse("an untied head is missing", "lm_head.weight", good_, tied=False)
must_refuse(
    "a norm of the queries is missing", "model.layers.1.self_attn.q_norm.weight",
    {n: v for n, v in normed.items() if "layers.1.self_attn.q_norm" not in n},
    qk_norm=True)
# Property: every tensor that no parameter takes is refused by name [left]
for name, weights in [
        ("model.layers.0.self_attn.q_norm.weight",
         {**good_, "model.layers.0.self_attn.q_norm.weight": torch.ones(2)}),
        ("model.layers.5.mlp.up_proj.weight",
         {**good_, "model.layers.5.mlp.up_proj.weight": torch.ones(16, 8)}),
        ("strange", {**good_, "strange": torch.ones(1)}),
        ("model.layers.1.mlp.down_proj.bias",
         {**good_, "model.layers.1.mlp.down_proj.bias": torch.zeros(8)})]:
    must_refuse("left over", name, weights)
# Property: every shape is checked, and the message holds both [shapes]
for n, (name, value) in enumerate(good_.items()):
    wrongs = [torch.ones(*value.shape, 1), value[:1], torch.ones(23, *value.shape[1:])]
    del wrongs[(n + n // 9) % 3]            # two for each name, others in each layer
    for wrong in wrongs:
        if wrong.shape != value.shape:
            must_refuse(f"shape {tuple(wrong.shape)}", name, {**good_, name: wrong},
                        shapes=[*wrong.shape, *value.shape])
# Property: a tied model refuses a head that is not the table [false-tie]
table = torch.randn(11, 8, generator=torch.Generator().manual_seed(1112))
must_refuse(
    "the head is not the table", "lm_head.weight",
    {**good_, "model.embed_tokens.weight": table, "lm_head.weight": table + 0.5})
almost = table.clone()
almost[10, 7] += 0.5
must_refuse(
    "the head is the table but for one number", "lm_head.weight",
    {**good_, "model.embed_tokens.weight": table, "lm_head.weight": almost})
must_refuse(
    "the head is the table times 1.000005", "lm_head.weight",
    {**good_, "model.embed_tokens.weight": table, "lm_head.weight": table * (1 + 5e-6)})
must_refuse(
    "the head has another shape than the table", "lm_head.weight",
    {**good_, "model.embed_tokens.weight": table, "lm_head.weight": table[:, :7]})
text, _ = refusal_(
    {**good_, "model.embed_tokens.weight": table, "lm_head.weight": table.clone()},
    small_())
assert text is None, f"a head equal to the table was refused: {text}"
# Property: what is refused leaves the model unchanged, whatever comes last [unchanged]
must_refuse("the last shape is wrong", "lm_head.weight",
            {**{n: v for n, v in free.items()}, "lm_head.weight": torch.ones(11, 9)},
            tied=False)
must_refuse("a bias is left", "zzz.bias", {**good_, "zzz.bias": torch.ones(1)})
### END HIDDEN TESTS
print("11.5, refused: nine checkpoints that do not fit. Hidden tests leave out every "
      "tensor once, and change every shape.")

# %% [markdown]
# **The proof.** The `transformers` library builds small models with random weights, norms included; they go into yours by way of `load_llama`; the logits are compared, all at once, and in pieces through the cache. Then both write
# 20 tokens, each time the likeliest.

# %% tags=["show", "uses-exercise"]
from transformers import (Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig,
                          LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM)

def shaken(model, seed=11):
    """Random numbers on everything, so that no norm is as it started."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.1 * torch.randn(p.shape, generator=generator))
    return model.eval()

@torch.no_grad()
def greedy(model, ids, n):
    """n tokens more, one at a time, through the cache."""
    caches, new = [[] for _ in model.blocks], ids
    for _ in range(n):
        new = model(new, caches)[:, -1:].argmax(-1)
        ids = torch.cat([ids, new], dim=1)
    return ids

@torch.no_grad()
def compared(mine, theirs, ids):
    """Largest differences of the logits, at once and in pieces; other greedy tokens."""
    expected, caches = theirs(ids).logits, [[] for _ in mine.blocks]
    cuts = [ids.size(1) - 6, 1, 5]
    pieces = torch.cat([mine(part, caches) for part in ids.split(cuts, dim=1)], dim=1)
    text = theirs.generate(ids, max_new_tokens=20, do_sample=False, pad_token_id=0,
                           eos_token_id=None)
    gaps = [(logits - expected).abs().max().item() for logits in (mine(ids), pieces)]
    told = ["at most 1e-4" if gap <= 1e-4 else f"{gap:.4f}" for gap in gaps]
    differ = (greedy(mine, ids, 20) != text).sum().item()
    return (f"logits of size {expected.std():.1f}, differences {told[0]}, cached "
            f"{told[1]}; other tokens {differ} of {20 * len(ids)}")

common = {"vocab_size": 97, "hidden_size": 48, "intermediate_size": 80,
          "num_hidden_layers": 3, "num_attention_heads": 6, "num_key_value_heads": 2,
          "max_position_embeddings": 512, "bos_token_id": None, "eos_token_id": None,
          "pad_token_id": 0}
numbers = torch.randint(1, 97, (2, 40), generator=torch.Generator().manual_seed(6))
mine = DecoderConfig(97, 48, 3, 6, 2, 80)

llama = shaken(LlamaForCausalLM(LlamaConfig(**common, tie_word_embeddings=False)))
untied = load_llama(Decoder(replace(mine, tied=False)), llama.state_dict())
print("Llama  ", compared(untied, llama, numbers))

qwen = shaken(Qwen3ForCausalLM(Qwen3Config(
    **common, head_dim=16, tie_word_embeddings=True,
    rope_parameters={"rope_type": "default", "rope_theta": 1e6})))
like_qwen = replace(mine, d_head=16, qk_norm=True, rope_base=1e6)
student = load_llama(Decoder(like_qwen), qwen.state_dict())
print("Qwen 3 ", compared(student, qwen, numbers))

# %% [markdown]
# Gemma 3 differs in five points: norms that multiply by $1 + \mathtt{weight}$, token vectors multiplied by $\sqrt{d_\mathrm{model}}$ on their way in, GELU in the gate, four norms in a block, five local layers with their own base for each
# global one. The first two can be moved into the weights (the second one if the head has a table of its own, as here), for the third we ask the library for silu, and the last two are fields of your configuration. So Gemma's pattern of layers can be compared, too:

# %% tags=["show", "uses-exercise"]
windows = [5, 5, None]
gemma = shaken(Gemma3ForCausalLM(Gemma3TextConfig(
    **common, head_dim=16, query_pre_attn_scalar=16, hidden_activation="silu",
    tie_word_embeddings=False, sliding_window=5,
    layer_types=["full_attention" if window is None else "sliding_attention"
                 for window in windows])))

def as_mine(state_dict, d_model):
    """Gemma's numbers under the names of our own decoder."""
    names = {
        "input_layernorm": "norm1", "post_attention_layernorm": "post_norm1",
        "pre_feedforward_layernorm": "norm2",
        "post_feedforward_layernorm": "post_norm2",
        "self_attn": "attention", **{f"{x}_proj": f"W_{x}" for x in "qkvo"},
        "mlp": "feed_forward", **{f"{x}_proj": x for x in ("gate", "up", "down")},
        "layers": "blocks", "embed_tokens": "token_embedding", "lm_head": "head"}
    found = {}
    for name, value in state_dict.items():
        parts = name.removeprefix("model.").split(".")
        ours = ".".join(names.get(part, part) for part in parts)
        if "norm" in ours:
            value = value + 1
        if "token" in ours:
            value = value * math.sqrt(d_model)
        found[ours] = value
    return found

pattern = replace(mine, d_head=16, qk_norm=True, second_norm=True, windows=windows,
                  rope_base=1e6, local_rope_base=1e4, tied=False)
local = Decoder(pattern)
local.load_state_dict(as_mine(gemma.state_dict(), 48))
print("Gemma 3               ", compared(local, gemma, numbers))
for what, changes in [("no windows", {"windows": None, "local_rope_base": None}),
                      ("windows one too wide", {"windows": [6, 6, None]}),
                      ("one base for all", {"local_rope_base": None})]:
    wrong = Decoder(replace(pattern, **changes))
    wrong.load_state_dict(local.state_dict())
    with torch.no_grad():
        gap = (wrong(numbers) - gemma(numbers).logits).abs().max()
    print(f"{what:22} largest difference {gap:.1f}")

# %% [markdown]
# The last three lines are the control: the same weights with one field of the configuration wrong.
#
# **Padding on the left.** Texts of different lengths are often batched with padding in front, so that all end together. Your `forward` has no mask for padding, so it reads such texts one by one, and that must give what the library
# gives for the padded batch with its mask. (Positions need no correction: shifting a whole text turns queries and keys alike.) The control leaves the mask out.

# %% tags=["show", "uses-exercise"]
short, long = numbers[:1, :9], numbers[1:, :14]
batch = torch.cat([F.pad(short, (5, 0)), long])         # (2, 14), zeros in front
mask = torch.ones_like(batch)
mask[0, :5] = 0
with torch.no_grad():
    for name, given in [("with its mask", mask), ("without", torch.ones_like(mask))]:
        theirs = qwen(batch, attention_mask=given).logits
        gap = max((student(short)[0] - theirs[0, 5:]).abs().max().item(),
                  (student(long)[0] - theirs[1]).abs().max().item())
        told = "at most 1e-4" if gap <= 1e-4 else f"{gap:.1f}"
        print(f"{name:14} largest difference: {told}")

# %% [markdown]
# Random numbers could hide a mistake that only shows in a trained model, where some scores are large. So the same once more with a checkpoint that has learned: `manual.safetensors`, 600 KB, in the format of Qwen 3, built with the
# `transformers` library and trained for 500 steps on the manual that comes with Python, one character a token (`source/ch11_today/make_manual.py`).
#
# <details><summary>Where the file comes from</summary>
#
# It lies beside the source of this chapter. Where you have the notebook alone (Colab), the next cell fetches the file. Where that fails, the cell says so after 8 seconds at most and uses the `decoder` that you trained above,
# under the names of Qwen 3.
# </details>

# %% tags=["show", "uses-exercise"]
from safetensors.torch import load as load_safetensors

MANUAL = "source/ch11_today/manual.safetensors"
ON_THE_WEB = ("https://raw.githubusercontent.com/attention-built/attention-built/main/"
              + MANUAL)

def within(seconds, function, *arguments):
    """The result of a function, or None where it fails or takes longer than that."""
    found = []
    def run():
        try:
            found.append(function(*arguments))
        except Exception:            # a hub, a proxy, a disk: whatever they throw
            pass
    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    return found[0] if found else None

def manual_file():
    """The bytes of the small trained model, from a file or the web, or None."""
    for folder in [Path.cwd(), *Path.cwd().parents][:5]:
        if (folder / MANUAL).is_file():
            return (folder / MANUAL).read_bytes()
    return within(8, lambda: urllib.request.urlopen(ON_THE_WEB, timeout=4).read())

# %% [markdown]
# The file holds the numbers, the settings of the model and its alphabet:

# %% tags=["show", "uses-exercise"]
def names_of_qwen(model):
    """The numbers of one of our decoders under the names of Qwen 3."""
    names = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm",
             "attention": "self_attn", **{f"W_{x}": f"{x}_proj" for x in "qkvo"},
             "feed_forward": "mlp", **{x: f"{x}_proj" for x in ("gate", "up", "down")},
             "blocks": "layers", "token_embedding": "embed_tokens"}
    found = {}
    for name, p in model.named_parameters():
        if p is model.token_embedding.weight:     # whichever of its names comes first
            name = "token_embedding.weight"
        theirs = ".".join(names.get(part, part) for part in name.split("."))
        found[f"model.{theirs}"] = p.detach().cpu()
    return found

content = manual_file()
if content:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])["__metadata__"]
    settings, letters = json.loads(header["config"]), header["alphabet"]
    weights = {name: value.float() for name, value in load_safetensors(content).items()}
else:
    print("manual.safetensors is neither on this machine nor within reach on the web: "
          "the decoder trained above is used instead.")
    letters, weights = alphabet, names_of_qwen(decoder)
    settings = {"vocab_size": 96, "hidden_size": 64, "intermediate_size": 206,
                "num_hidden_layers": 2, "num_attention_heads": 4,
                "num_key_value_heads": 2, "head_dim": 16, "rms_norm_eps": 1e-6,
                "max_position_embeddings": 512, "tie_word_embeddings": True,
                "rope_theta": 10_000.0}

# %% [markdown]
# From the settings come both models, the library's and yours. The same comparison as before, and 120 characters written by yours:

# %% tags=["show", "uses-exercise"]
def config_of(settings, qk_norm=True):
    """A DecoderConfig from a checkpoint's settings: Qwen 3 has QK-norm, Llama not."""
    base = settings.get("rope_theta") or settings["rope_parameters"]["rope_theta"]
    return DecoderConfig(
        settings["vocab_size"], settings["hidden_size"], settings["num_hidden_layers"],
        settings["num_attention_heads"], settings["num_key_value_heads"],
        settings["intermediate_size"], settings.get("head_dim"), qk_norm, base,
        tied=settings["tie_word_embeddings"], eps=settings["rms_norm_eps"])

rope = {"rope_type": "default", "rope_theta": settings["rope_theta"]}
learned = Qwen3ForCausalLM(Qwen3Config(**settings | {"rope_parameters": rope})).eval()
learned.load_state_dict(weights, strict=False)
learned.tie_weights()
manual = load_llama(Decoder(config_of(settings)), weights).eval()

def as_ids(words):
    return torch.tensor([[letters.index(c) for c in words]])

def as_text(ids):
    return repr("".join(letters[i] for i in ids.tolist()))

prompt = as_ids("The return statement may only occur")
print(compared(manual, learned, prompt))
print(as_text(greedy(manual, prompt, 120)[0]))

# %% [markdown]
# **What breaks if…** one of the parts is slightly wrong? The same checkpoint with four mistakes, none of which raises an error: `layout` (neighbours in place of halves), `gate` (gate and up swapped), `key heads` (read in the wrong order),
# `eps` (1e-3 in place of 1e-6). One of them leaves the text as it was. Which?

# %% tags=["show"]
guess_harmless = None       # type one of the four, in quotes, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def changed(weights, mistake):
    """The checkpoint as a model reads it that has this mistake."""
    found, d_head = dict(weights), settings["head_dim"]
    neighbours = torch.arange(d_head).view(-1, 2).T.flatten()
    for name, value in weights.items():
        if mistake == "layout" and ("q_proj" in name or "k_proj" in name):
            heads = value.view(-1, d_head, value.size(-1))
            found[name] = heads[:, neighbours].flatten(0, 1)
        if mistake == "layout" and ("q_norm" in name or "k_norm" in name):
            found[name] = value[neighbours]
        if mistake == "gate" and "gate_proj" in name:
            other = name.replace("gate", "up")
            found[name], found[other] = weights[other], value
        if mistake == "key heads" and ("k_proj" in name or "v_proj" in name):
            heads = value.unflatten(0, (settings["num_key_value_heads"], -1))
            found[name] = heads.flip(0).flatten(0, 1)
    return found

words = "Names refer to objects. Names are introduced by name binding operations."
test, damage = as_ids(words), {}
with torch.no_grad():
    right = learned(test).logits
    for mistake in ("none", "layout", "gate", "key heads", "eps"):
        eps = 1e-3 if mistake == "eps" else settings["rms_norm_eps"]
        wrong = Decoder(replace(config_of(settings), eps=eps))
        load_llama(wrong, changed(weights, mistake))
        logits = wrong(test)
        damage[mistake] = F.cross_entropy(logits[0, :-1], test[0, 1:]).item()
        print(f"{mistake:10} loss {damage[mistake]:5.2f}   largest difference of the "
              f"logits {(logits - right).abs().max():6.3f}   "
              f"{as_text(greedy(wrong, prompt[:, :12], 30)[0])}")
check_guess("the mistake that leaves the text as it was", guess_harmless,
            min(list(damage)[1:], key=damage.get))

# %% [markdown]
# Three of the four destroy the text, and none raises an error, because all shapes fit. With `eps` a thousand times too large the loss changes by about 0.01 and the text stays as it was, while the logits are off by 0.2. As in chapter 8: a fluent text is
# no proof that weights arrived, equal logits are. (`gate` and `up` have equal shapes: only their names tell them apart. The heads of one matrix are told apart by their order alone.)
#
# **A model from the web.** SmolLM2 with 135 million parameters has Llama's format. With a network connection the next cell downloads it (270 MB, with a progress bar), loads it into your decoder, compares the logits with the original's and lets it write.
# Without one, the cell says so within seconds, and the comparison above is the proof.

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
SMOL = "HuggingFaceTB/SmolLM2-135M"
HUB = f"https://huggingface.co/{SMOL}/resolve/main/config.json"

def hub_answers():
    return urllib.request.urlopen(HUB, timeout=4).read()

def fetch_smol(local):
    from transformers import AutoTokenizer
    model = LlamaForCausalLM.from_pretrained(SMOL, local_files_only=local,
                                             dtype=torch.float32)
    return model.eval(), AutoTokenizer.from_pretrained(SMOL, local_files_only=local)

def real_model():
    """SmolLM2 and its tokenizer, from this machine or the web, or None; and why not."""
    found = within(60, fetch_smol, True)
    if found or not within(6, hub_answers):
        return found, "neither on this machine nor within reach"
    from huggingface_hub.utils import (disable_progress_bars, enable_progress_bars,
                                       logging)
    enable_progress_bars()
    logging.set_verbosity_error()
    try:
        return fetch_smol(False), ""
    except Exception as error:       # whatever the hub throws, the chapter goes on
        return None, f"the download failed ({type(error).__name__})"
    finally:
        disable_progress_bars()

real, why_not = real_model()
if real:
    theirs, tokenizer = real
    found = theirs.config.to_dict()
    smol = Decoder(config_of(found, qk_norm=False)).eval()
    load_llama(smol, theirs.state_dict())
    question = tokenizer("The capital of France is", return_tensors="pt").input_ids
    print(compared(smol, theirs, question.repeat(1, 2)))
    print(repr(tokenizer.decode(greedy(smol, question, 20)[0])))
else:
    print(f"{SMOL}: {why_not}. The checkpoint of the manual is the proof here.")

# %% [markdown]
# ## 11.7 Parameters and memory
#
# Three published models as configurations. The numbers are from their files `config.json`:
#
# | | Llama 3.2 1B | Qwen 3 0.6B | Gemma 3 1B |
# | --- | --- | --- | --- |
# | vocabulary, width, layers | 128,256 · 2,048 · 16 | 151,936 · 1,024 · 28 | 262,144 · 1,152 · 26 |
# | query heads, key–value heads, head | 32 · 8 · 64 | 16 · 8 · 128 | 4 · 1 · 256 |
# | feed-forward | 8,192 | 3,072 | 6,912 |
# | QK-norm, second norm | – · – | yes · – | yes · yes |
# | windows | – | – | 512, in five of six layers |
# | RoPE base | 500,000 | 1,000,000 | 1,000,000; 10,000 where there is a window |
# | head | tied | tied | tied |
#
# (The file of Llama 3.2 also names a `rope_scaling`, which turns the slow pairs more slowly still. It changes neither parameters nor bytes, so the table leaves it out; for the logits of Llama 3.2 our decoder would need it.)

# %% [markdown]
# ### Exercise 11.6 · Parameters and memory · 1 point · about 10 minutes
#
# Two functions that read a `DecoderConfig` (no model has to be built). `decoder_parameters(config)`: how many parameters the `Decoder` of exercise 11.4 has <!-- asks: parameters -->, tied or not, with `d_head`,
# QK-norm and second norms where the configuration asks for them <!-- asks: settings -->, heads of `d_model // num_heads` features where it gives no `d_head` <!-- asks: heads -->, and for the published ones <!-- asks: published -->.
# `decoder_cache_bytes(config, seq, batch, dtype)`: how many bytes of keys and values have to be kept after `seq` tokens in each of `batch` texts <!-- asks: bytes -->. A layer with a window never needs more than
# `window` places; one without needs all `seq` <!-- asks: windows -->. Both are whole numbers (`int`, no `float`), exact at any size; `dtype` is a `torch.dtype` <!-- asks: dtype -->.
#
# <details><summary>Hint 1</summary>Count one block: four matrices of attention, three of the feed-forward network, and its norms. Which of them depend on num_kv_heads?</details>
# <details><summary>Hint 2</summary>dtype.itemsize is the number of bytes of one number.</details>

# %% nbgrader={"grade": false, "grade_id": "ch11_decoder_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decoder_parameters(config):
    """How many parameters a Decoder with this DecoderConfig has. Returns an int."""
    ### BEGIN SOLUTION
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * D * (config.num_heads + config.num_kv_heads)
    if config.qk_norm:
        attention += 2 * D
    norms = (4 if config.second_norm else 2) * d
    block = attention + 3 * d * config.d_ff + norms
    tables = config.vocab_size * d * (1 if config.tied else 2)
    return tables + config.num_layers * block + d
    ### END SOLUTION


def decoder_cache_bytes(config, seq, batch, dtype):
    """Bytes of keys and values after seq tokens in each of batch texts. Returns an int.

    A layer with a window keeps at most window places.
    """
    ### BEGIN SOLUTION
    D = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    places = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * places * batch * config.num_kv_heads * D * dtype.itemsize
    ### END SOLUTION

# %% tags=["uses-exercise"]
tiny = DecoderConfig(vocab_size=3, d_model=2, num_layers=1, num_heads=1,
                     num_kv_heads=1, d_ff=1)
# table 3 · 2, attention 4 · 2 · 2, feed-forward 3 · 2 · 1, three norms of 2
ab.beside(6 + 16 + 6 + 6, lambda: decoder_parameters(tiny))
# keys and values, 5 places, 2 numbers, 4 bytes
ab.beside(2 * 5 * 2 * 4, lambda: decoder_cache_bytes(tiny, 5, 1, torch.float32))

# %% nbgrader={"grade": true, "grade_id": "ch11_decoder_parameters_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 11.6: a configuration that fits on a sheet of paper, then its variants."""
plain_ = DecoderConfig(
    vocab_size=10, d_model=12, num_layers=3, num_heads=6, num_kv_heads=2, d_ff=5)

def told_(functions, config, *rest):
    counts, keeps = functions
    numbers = (counts(config), keeps(config, *rest))
    numbers = [n.item() if isinstance(n, torch.Tensor) else n for n in numbers]
    return f"{numbers[0]} parameters", f"{numbers[1]} bytes"

def with_(seq=11, dtype=torch.int8, **settings):
    words = ", ".join(f"{name}={value}" for name, value in settings.items())
    return ab.case(f"{words or 'the sizes above'}, {seq} tokens, 5 texts, {dtype}",
                   replace(plain_, **settings), seq, 5, dtype, ask=told_)

ab.check("11.6 parameters and memory", (decoder_parameters, decoder_cache_bytes), [
    with_(),
    *(with_(**{name: value}) for name, value in [
        ("tied", False), ("d_head", 5), ("qk_norm", True), ("second_norm", True),
        ("d_model", 13), ("vocab_size", 5_000_001)]),
    *(with_(dtype=dtype) for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.uint8,
        torch.int16, torch.int32, torch.int64)),
    *(with_(seq, windows=windows) for seq, windows in [
        (11, [5, None, 3]), (11, (5, None, 3)), (7, [5, None, 3]), (4, [5, None, 3]),
        (10**17 + 1, [5, None, 3])]),
    with_(100_000_000),
], "config, seq, batch, dtype -> parameters, bytes")
### BEGIN HIDDEN TESTS
def made(config, seq=5, batch=1, dtype=torch.float32):
    return ab.case(f"{config}, {seq} tokens, {batch} texts, {dtype}", config, seq,
                   batch, dtype, ask=told_)

def tried(*cases):
    ab.check("11.6 parameters and memory", (decoder_parameters, decoder_cache_bytes),
             cases, "config, seq, batch, dtype -> parameters, bytes",
             like=reference("decoder_parameters", "decoder_cache_bytes"))

# Property: equal to counting the tensors of a decoder of any sizes [parameters]
tried(*(made(DecoderConfig(*sizes)) for sizes in [
    (97, 14, 5, 7, 7, 31), (13, 12, 2, 6, 3, 17), (101, 20, 1, 5, 1, 7),
    (7, 8, 17, 2, 2, 29), (70_001, 301, 1, 7, 1, 13)]))
# Property: where num_heads does not divide d_model, a head has d_model // num_heads features, in parameters and bytes [heads]
tried(made(DecoderConfig(11, 10, 3, 4, 2, 9)))
# Property: d_head, QK-norm, second norms, tie and windows are counted as the configuration says [settings]
tried(*(made(DecoderConfig(29, 12, 3, 6, 2, 17, **more)) for more in [
    {"d_head": 9, "tied": False}, {"qk_norm": True},
    {"qk_norm": True, "d_head": 8, "second_norm": True},
    {"windows": [3] * 3, "local_rope_base": 10.0, "tied": False, "second_norm": True}]))
# Property: right for Llama 3.2 1B, Qwen 3 0.6B and Gemma 3 1B [published]
tried(made(DecoderConfig(128256, 2048, 16, 32, 8, 8192)),
      made(DecoderConfig(151936, 1024, 28, 16, 8, 3072, d_head=128, qk_norm=True)),
      made(DecoderConfig(262144, 1152, 26, 4, 1, 6912, d_head=256, qk_norm=True,
                         second_norm=True)))
# Property: bytes of the cache for other sizes, texts and batches [bytes]
tried(*(made(DecoderConfig(11, 2 * heads, layers, heads, kv, 13, d_head=D), seq, batch)
        for layers, heads, kv, D, seq, batch in [
            (5, 7, 7, 2, 11, 3), (2, 6, 3, 5, 1, 1), (17, 4, 1, 8, 1000, 7),
            (28, 16, 8, 128, 131_072, 3)]))
# Property: a layer with a window keeps at most window places [windows]
tried(*(made(DecoderConfig(11, 12, 3, 3, 1, 13, windows=windows), seq, 2)
        for windows, seq in [([4, 4, None], 100), ([4, 4, None], 3), ((5, None, 50), 20),
                             ([1, 1, 1], 9), (None, 9)]))
# Property: the size of one number is that of dtype [dtype]
tried(*(made(DecoderConfig(11, 12, 3, 3, 1, 13), dtype=dtype)
        for dtype in (torch.int8, torch.bfloat16, torch.float32, torch.float64)))
### END HIDDEN TESTS

# %% [markdown]
# Now the published models. (Every sixth layer of Gemma 3 1B is global: layers 6, 12, 18 and 24 of 26.) The parameters are printed beside what the model cards say.
#
# **Predict, then run.** All three keep their cache in bfloat16. At 32,768 tokens, which of the three needs the most bytes: `Llama`, `Qwen` or `Gemma`?

# %% tags=["show"]
guess_most = None          # type one of the three, in quotes, then run the next cell

# %% tags=["show", "uses-exercise"]
published = {
    "Llama 3.2 1B": DecoderConfig(128_256, 2048, 16, 32, 8, 8192,
                                  rope_base=500_000.0, eps=1e-5),
    "Qwen 3 0.6B": DecoderConfig(151_936, 1024, 28, 16, 8, 3072, d_head=128,
                                 qk_norm=True, rope_base=1e6),
    "Gemma 3 1B": DecoderConfig(262_144, 1152, 26, 4, 1, 6912, d_head=256,
                                qk_norm=True, second_norm=True,
                                rope_base=1e6, local_rope_base=1e4,
                                windows=[None if layer % 6 == 5 else 512
                                         for layer in range(26)])}
said = {"Llama 3.2 1B": "1.23B", "Gemma 3 1B": "1B",
        "Qwen 3 0.6B": "0.6B, 0.44B without the table"}
mebibytes = {}
for name, config in published.items():
    with torch.device("meta"):                         # shapes without numbers
        built = sum(p.numel() for p in Decoder(config).parameters())
    table = config.vocab_size * config.d_model
    mebibytes[name] = decoder_cache_bytes(config, 32_768, 1, torch.bfloat16) / 2**20
    print(f"{name}: {decoder_parameters(config):,d} parameters (built: {built:,d}), "
          f"{table / built:.0%} in the table")
    print(f"    card: {said[name]}; in bfloat16 weights {2 * built / 2**20:,.0f} MiB, "
          f"cache at 32,768 tokens {mebibytes[name]:,.0f} MiB")
check_guess("largest cache", guess_most, max(mebibytes, key=mebibytes.get).split()[0])

# %% tags=["show", "uses-exercise"]
def draw_cache(config, **style):
    bytes_ = [decoder_cache_bytes(config, seq, 1, torch.bfloat16) for seq in places]
    ax.plot(places, [b / 2**20 for b in bytes_], **style)

fig, ax = plt.subplots(figsize=(6.8, 3))
places = [2 ** n for n in range(7, 18)]
for colour, (name, config) in zip(OKABE_ITO, published.items()):
    draw_cache(config, marker="o", markersize=3, color=colour, label=name)
draw_cache(replace(published["Gemma 3 1B"], windows=None), linestyle=":",
           color=OKABE_ITO[2], label="Gemma 3 1B, no windows")
ax.set(xscale="log", yscale="log", xlabel="tokens", ylabel="cache in MiB",
       title="From 512 tokens on, windows slow the growth of Gemma's cache")
marked = [128, 512, 2048, 8192, 32768, 131072]
ax.set_xticks(marked, [f"{tokens:,}" for tokens in marked])
ax.legend(frameon=False)
show(fig, "Bytes of cache against the number of tokens, both axes logarithmic. Qwen 3 "
          "0.6B needs the most, Llama 3.2 1B less than a third of it, both straight "
          "lines; Gemma 3 1B lies lowest and bends at 512 tokens; without its windows "
          "its line would be straight.")

# %% [markdown]
# The smallest of the three has the largest cache: Qwen 3 0.6B keeps 8 heads of 128 numbers in each of 28 layers, 112 KiB for each token. At 32,768 tokens that is three times as much memory as its weights need. Gemma 3 keeps one head of 256 numbers in each layer, and at
# 32,768 tokens its windows reduce the cache to a sixth. **That is what shared keys and windows are for.** In the contest of 11.1 they did not change the loss by more than the seeds do; here they decide how many texts fit into the memory of a GPU.
# (Your cache of exercise 11.3 keeps all places and hides the old ones; chapter 12 builds one that drops them.)
#
# ## 11.8 Published decoders, year by year
#
# | model | year | what is new in the block | a line of `DecoderConfig` | source |
# | --- | --- | --- | --- | --- |
# | GPT-2 | 2019 | pre-norm | another block: chapter 8 | Radford et al. |
# | PaLM | 2022 | no biases, SwiGLU, RoPE, one key–value head | `num_kv_heads=1` (but attention and feed-forward run in parallel) | Chowdhery et al., [2204.02311](https://arxiv.org/abs/2204.02311) |
# | Llama | 2023 | RMSNorm, SwiGLU, RoPE in one open model | `DecoderConfig(…, tied=False)` | Touvron et al., [2302.13971](https://arxiv.org/abs/2302.13971) |
# | Mistral 7B | 2023 | shared keys and a window in every layer | `num_kv_heads=8, windows=[4096] * 32` | Jiang et al., [2310.06825](https://arxiv.org/abs/2310.06825) |
# | Gemma 2 | 2024 | norms before and after; local and global layers alternate | `second_norm=True, windows=[4096, None] * 13` (and capped logits) | Gemma Team, [2408.00118](https://arxiv.org/abs/2408.00118) |
# | Llama 3 | 2024 | a larger base for longer texts | `rope_base=500_000` | Grattafiori et al., [2407.21783](https://arxiv.org/abs/2407.21783) |
# | OLMo 2 | 2025 | norms *only* after the sub-layer, QK-norm over all heads | none: `second_norm` keeps the first norms | OLMo Team, [2501.00656](https://arxiv.org/abs/2501.00656) |
# | Gemma 3 | 2025 | five local layers to a global one, two bases, QK-norm | `qk_norm=True, local_rope_base=10_000, windows=…` | Gemma Team, [2503.19786](https://arxiv.org/abs/2503.19786) |
# | Qwen 3 | 2025 | QK-norm; the biases that Qwen 2 had on queries, keys and values are gone | `qk_norm=True, d_head=128` | Yang et al., [2505.09388](https://arxiv.org/abs/2505.09388) |
#
# ## 11.9 If you want to go on: Muon, another schedule, bfloat16
#
# (No exercise needs this section.) Three habits of *training* that came with these models.
#
# - **Warm-up, stable, decay** (Hu et al., 2024) holds the learning rate at its peak for most of the training and lowers it at the end, here in a straight line over the last fifth. One need not know in advance when the end is: the same run can be continued, or ended with a decay.
# - **Muon** (Jordan, 2024) takes AdamW's place for the matrices in the blocks: the running mean of a matrix's gradients is replaced by the nearest matrix whose singular values are all equal, so that rare directions get as long a step as common ones.
# - **bfloat16** keeps the range of float32 and 8 of its 24 bits of precision.
#
# The first two on the decoder of 11.1 with all changes (stored, `contest.py recipes`). The controls: a cosine that was planned for another end, and other peak rates.

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
# At equal peak, holding the rate and then lowering it ends 0.10 to 0.11 below the cosine with every seed. Most of that comes with the higher average rate: a cosine with twice the peak, whose average is about the same, ends at 1.60. The held rate still ends 0.02 to 0.04 lower with each of
# three seeds. And the end can be chosen late: a decay at 200 steps gives 1.74, while the cosine planned for 300 stands at 1.77 there, and one planned for 200 at 1.91.
#
# Muon at its peak of 0.02 or 0.04 reaches 1.60 as well. Against AdamW at 0.004 (1.67) that would look like a gain, 0.05 to 0.08 with every seed; against AdamW at 0.008 it is none. The comparison needed both rates tuned. (Jordan reports fewer steps than with AdamW for
# larger models; runs of our size cannot show it.)
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
#
# ### Make it yours
#
# Not graded. Write down a configuration of your own for the text of this chapter, with at most 110,400 parameters, and a sentence that says what you expect compared with the decoder of 11.5 (its loss, its cache at 64 places).
# Then write a test of your sentence.

# %% tags=["show", "uses-exercise"]
my_config = DecoderConfig(96, 64, num_layers=2, num_heads=4, num_kv_heads=1, d_ff=217,
                          qk_norm=True, windows=[16, None])
my_sentence = "one key-value head and a window: less than half the cache"
# for a sentence about the loss: 100 steps, and compare my_loss with prices["decoder"]
my_model = fresh_decoder(my_config, seed=1)
train(my_model, text_batches(1), steps=40)
my_loss = held_out_loss(my_model.eval(), test_windows)
my_cache, its_cache = (decoder_cache_bytes(config, 64, 1, torch.float32)
                       for config in (my_config, today))
print(f"{decoder_parameters(my_config):,} parameters (at most 110,400), "
      f"cache {my_cache / its_cache:.2f} of that of 11.5")
print("my test of the cache holds:", "yes" if my_cache < 0.5 * its_cache else "no")

# %% [markdown]
# ## Summary
#
# *Which of the changes make a model better at the same cost?* At our size and after 300 steps rotary positions for certain: 0.24 to 0.36 lower, with every seed, at three learning rates; after 1,200 steps 0.07 and 0.10 are left of it. SwiGLU gained 0.09 at one rate, 0.03 at a lower one, and not with every seed at a higher one. A second norm made the loss higher. RMSNorm, no biases, shared keys, QK-norm and
# a window changed it by no more than luck at that rate; they are for less arithmetic, for a smaller cache, and for trainings whose scores would grow too far. You can now
#
# - **compare two architectures fairly**: equal parameters by the width of the feed-forward network, equal batches and steps, five seeds, more than one learning rate; a gain smaller than the spread of the seeds is not shown;
# - **build the parts**: RMSNorm, SwiGLU, attention with rotary halves, shared keys, QK-norm, a window and a cache that gives the same in any pieces;
# - **load published weights**: nothing missing, nothing left, every shape checked, and a model left alone when something does not fit;
# - **prove that they arrived**: logits of Llama, Qwen 3 and Gemma 3's layers equal to 1e-4, at once and through the cache; a wrong layout, a swapped gate or a wrong window raise no error and fail that test;
# - **compute the cost of a configuration**: 1,235,814,400, 596,049,920 and 999,885,952 parameters; the smallest of the three has the largest cache.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next.** For long texts the cache needs more memory than the model. Chapter 12 asks what attention has to remember: caches that drop old tokens, that are compressed, that share pages, and states that do not grow.
#
# ## Further reading
#
# - Zhang and Sennrich (2019), *Root Mean Square Layer Normalization*: section 4, why the mean may go. [arXiv:1910.07467](https://arxiv.org/abs/1910.07467)
# - Shazeer (2020), *GLU Variants Improve Transformer*: section 2, and its last sentence. [arXiv:2002.05202](https://arxiv.org/abs/2002.05202)
# - Su et al. (2021), *RoFormer*: section 3.2, the rotation. [arXiv:2104.09864](https://arxiv.org/abs/2104.09864)
# - Ainslie et al. (2023), *GQA*: section 2.2. [arXiv:2305.13245](https://arxiv.org/abs/2305.13245)
# - Dehghani et al. (2023), *Scaling Vision Transformers to 22 Billion Parameters*: section 2, QK-norm against growing logits. [arXiv:2302.05442](https://arxiv.org/abs/2302.05442)
# - Wortsman et al. (2023), *Small-scale Proxies for Large-scale Transformer Training Instabilities*: section 3.1, the same at high learning rates of small models. [arXiv:2309.14322](https://arxiv.org/abs/2309.14322)
# - Narang et al. (2021), *Do Transformer Modifications Transfer Across Implementations and Applications?*: section 3, a contest like ours at a larger size; most changes gain nothing. [arXiv:2102.11972](https://arxiv.org/abs/2102.11972)
# - Beltagy, Peters and Cohan (2020), *Longformer*: section 3, windows. [arXiv:2004.05150](https://arxiv.org/abs/2004.05150)
# - Peng et al. (2023), *YaRN*: section 2, what happens beyond the trained length. [arXiv:2309.00071](https://arxiv.org/abs/2309.00071)
# - Jordan (2024), *Muon: An optimizer for hidden layers in neural networks*. [kellerjordan.github.io](https://kellerjordan.github.io/posts/muon/)
# - Hu et al. (2024), *MiniCPM*: section 4, warm-up, stable, decay. [arXiv:2404.06395](https://arxiv.org/abs/2404.06395)
