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
# # 8 · Deeper: A full GPT
#
# What [chapter 8](ch08_decoder.ipynb) says in a sentence, measured. Optional, and without exercises.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

import attention_built as ab
from attention_built import OKABE_ITO, show
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## What breaks if every matrix starts alike?
#
# Each block adds to the stream twice, and GPT-2 starts the two matrices that write into it, `W_o` and `linear2`, smaller by the factor
# $1/\sqrt{2 \cdot \mathrm{layers}}$. We measure the size of the stream at the width of GPT-2, 768, and with its start, 0.02: in towers of 12 and of
# 48 blocks, with the factor and without. The stream begins as the sum of two rows of size 0.02. No library is used here but PyTorch's functions.

# %% tags=["show"]
@torch.no_grad()
def stream_sizes(towers, d_model=768, num_heads=12, seq=32, std=0.02):
    """towers: name -> (blocks, factor on what writes). How large each stream is at the
    start and after each of its blocks.
    """
    generator = torch.Generator().manual_seed(8)
    def matrix(*shape):
        return std * torch.randn(*shape, generator=generator)
    start = matrix(1, seq, d_model) + matrix(seq, d_model)          # token and position
    streams, sizes = (
        dict.fromkeys(towers, start), {name: [start.std().item()] for name in towers})
    for number in range(max(blocks for blocks, _ in towers.values())):
        W_q, W_k, W_v, W_o = (matrix(d_model, d_model) for _ in range(4))
        W_1, W_2 = matrix(d_model, 4 * d_model), matrix(4 * d_model, d_model)
        # the same matrices for every tower
        for name, (blocks, factor) in towers.items():
            if number >= blocks:
                continue
            x = streams[name]
            h = F.layer_norm(x, (d_model,))
            q, k, v = ((h @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2)
                       for W in (W_q, W_k, W_v))
            attended = F.scaled_dot_product_attention(
                q, k, v, is_causal=True).transpose(1, 2).flatten(2)
            x = x + attended @ W_o * factor
            x = x + F.gelu(
                F.layer_norm(x, (d_model,)) @ W_1, approximate="tanh") @ W_2 * factor
            streams[name] = x
            sizes[name].append(x.std().item())
    return sizes

# %% tags=["show", "tolerance-0.05"]
sizes = stream_sizes(
    {f"{blocks} blocks, "
     f"{name}": (blocks, (2 * blocks) ** -0.5 if name == "with the factor" else 1.0)
     for blocks in (12, 48) for name in ("all alike", "with the factor")})
for name, curve in sizes.items():
    print(f"{name:26} {curve[0]:.3f} to {curve[-1]:.2f}, {curve[-1] / curve[0]:.0f} "
          "times as large")

# %% tags=["show"]
# @title The size of the stream, block by block
fig, ax = plt.subplots(figsize=(7, 3))
for name, curve in sizes.items():
    ax.plot(curve, color=OKABE_ITO[0 if "factor" in name else 3],
            linestyle="-" if "48" in name else "--",
            linewidth=1.5 if "48" in name else 3, label=name)
ax.set(xlabel="block", ylabel="size of the stream", ylim=(0, None),
       title="With the factor the final size does not depend on the depth")
ax.legend(frameon=False, fontsize=8)
show(fig,
     "Four curves of the size of the residual stream against the block. With all "
     "matrices alike it climbs to about 1.5 after 12 blocks and about 3.1 after 48. "
     "With the two writing matrices scaled down it ends near 0.3 in both towers.")

# %% [markdown]
# Without the factor the stream ends larger the deeper the tower is; with it, towers of 12 and of 48 blocks end at the same
# size, about eleven times the size it began with.
