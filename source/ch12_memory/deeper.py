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
# # 12 · Deeper: What attention remembers
#
# What [chapter 12](ch12_memory.ipynb) says in a sentence, measured. Optional, and without exercises: nothing later needs it.

# %% tags=["setup"]
import math

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(12)
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab

# %% carry=["ch09_training: make_batch, learning_rate, train_step"]
# The batches and the training step of chapter 9.

# %% carry=["ch12_memory: rotate, Layer, Reader, Everything, TRAINED, alphabet, id_of, text, ids, train_ids, starts, long_texts, STRETCHES, losses, print_stretches, place, behind, trained_reader, streamed"]
# The model of section 12.1 and its texts.
reader = trained_reader(500)

# %% [markdown]
# ## Distance or number of keys?
#
# At the end of a text of 640 two things are new to a model trained on 64: distances beyond 63, and a softmax over more than 64 keys. Counting every distance above 63 as a smaller one that the model knows removes only the first: all
# characters stay visible. We count them as 63, which training shows in a single pair of each piece of 64, and as 40, which it shows in 24 pairs.

# %% tags=["show", "tolerance-0.15"]
@torch.no_grad()
def known_distances(model, texts, instead):
    """Logits with everything visible, but distances above 63 counted as instead."""
    x, at = model.embedding(texts), torch.arange(texts.shape[1])
    far, there = at[:, None] - at > TRAINED - 1, torch.full_like(at, instead)
    for layer in model.layers:
        q, k, v = layer.project(x)
        scores = rotate(q, at, model.omega) @ rotate(k, at, model.omega).mT
        scores = torch.where(far, rotate(q, there, model.omega) @ k.mT, scores)
        scores = (scores / q.shape[-1] ** 0.5).masked_fill(at[:, None] < at, -math.inf)
        x = layer.after(x, scores.softmax(-1) @ v)
    return F.linear(model.norm(x), model.embedding.weight)

with torch.no_grad():
    full = losses(reader(long_texts[:, :-1]))
    last_64 = (behind >= 0) & (behind < TRAINED)
    windowed = losses(reader(long_texts[:, :-1], mask=last_64))
known = {f"far ones at {instead}":
         losses(known_distances(reader, long_texts[:, :-1], instead))
         for instead in (63, 40)}
_ = print_stretches({"everything before": full, **known, "the last 64 alone": windowed})

# %% [markdown]
# With the far ones at a distance that it knows well, about nine tenths of the damage is gone; at 63, a distance that it has hardly met, two thirds (with another seed half). So unseen distances do most of it. What is left comes from ten times as many keys or from characters
# that stand at a wrong distance. (Two layers of a window still pass on what stood up to 126 characters back.)
#
# ## Are the first characters anything special?
#
# Section 12.2 keeps the first four and the last 60. The control keeps four others: characters 20 to 23. Here the caches forget nothing and only hide, so that nothing of the exercises is needed.

# %% tags=["show", "tolerance-0.05"]
class Chosen(Everything):
    """Keeps everything, and shows four early tokens from `first` on, and the newest."""

    def __init__(self, first, newest):
        super().__init__()
        self.first, self.newest = first, newest

    def __call__(self, k, v):
        k, v, place = super().__call__(k, v)
        early = (place >= self.first) & (place < self.first + 4)
        shown = early | (place >= len(place) - self.newest)
        k, v = k[:, :, shown], v[:, :, shown]
        return k, v, torch.arange(k.shape[2])         # rotated by places in the cache

kept = {"the last 64": lambda: Chosen(-4, 64),
        "first 4, last 60": lambda: Chosen(0, 60),
        "20 to 23, last 60": lambda: Chosen(20, 60)}
_ = print_stretches({name: losses(streamed(reader, long_texts[:, :-1], make))
                     for name, make in kept.items()})

# %% tags=["show", "tolerance-0.05"]
@torch.no_grad()
def first_token_weight(model, texts):
    """Mean weight of the first token for the later half of queries: (layers, heads)."""
    x, at, found = model.embedding(texts), torch.arange(texts.shape[1]), []
    for layer in model.layers:
        q, k, _ = layer.project(x)
        scores = rotate(q, at, model.omega) @ rotate(k, at, model.omega).mT
        scores = (scores / q.shape[-1] ** 0.5).masked_fill(at[:, None] < at, -math.inf)
        found.append(scores.softmax(-1)[:, :, len(at) // 2:, 0].mean((0, 2)))
        x = layer(x, model.omega)
    return torch.stack(found)

weights = first_token_weight(reader, long_texts[:, :TRAINED])
print("weight of the first token, for each head (an equal share would be about 0.02):")
for n, row in enumerate(weights):
    print(f"layer {n}:", "  ".join(f"{w:.2f}" for w in row))

# %% [markdown]
# The three losses lie within 0.01 of each other at the end, and the table says why: no head gives the first character even an equal share.
