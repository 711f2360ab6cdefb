"""The deeper notebook's table: what sharing keys and values, and a window, cost on chapter 9's made-up language.

    python source/ch10_efficiency/quality_against_cache.py 600 1800      batches; about twenty minutes on one core

Trains the same small GPT with six kinds of attention and two seeds each, for so many batches, and prints the rows that the
chapter keeps.
"""

import sys
from pathlib import Path

import torch
from torch import nn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from coursesite.chapter_code import chapter_code  # noqa: E402
from coursesite.pages.models import language9  # noqa: E402

torch.set_num_threads(1)
nine = language9(ROOT)
ten = chapter_code(ROOT, 10, "grouped_query_attention", "sliding_window_mask", "kv_cache_bytes")
torch.set_default_dtype(torch.float32)
LAYERS, HEADS, WIDTH, LENGTH, SEEDS = 2, 4, 16, nine["LENGTH"], (1, 2)


class SharedAttention(nn.Module):
    """Chapter 4's attention with fewer heads of keys and values, and a window."""

    def __init__(self, kv_heads, window):
        super().__init__()
        self.window, features = window, HEADS * WIDTH
        self.W_q, self.W_o = nn.Linear(features, features), nn.Linear(features, features)
        self.W_k, self.W_v = (nn.Linear(features, kv_heads * WIDTH) for _ in "kv")

    def forward(self, x, key=None, value=None, mask=None):
        q, k, v = (W(x).unflatten(-1, (-1, WIDTH)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        allowed = ten["sliding_window_mask"](x.size(1), self.window)
        output, weights = ten["grouped_query_attention"](q, k, v, allowed)
        return self.W_o(output.transpose(1, 2).flatten(2)), weights


class Reader(nn.Module):
    """Chapter 9's GPT, block by block."""

    def __init__(self, gpt):
        super().__init__()
        self.gpt = gpt

    def forward(self, ids):
        x = self.gpt.token_embedding(ids) + self.gpt.position_embedding.weight[:ids.size(1)]
        for block in self.gpt.blocks:
            x, _ = block(x)
        return self.gpt.head(self.gpt.norm(x))


def trained(kv_heads, window, seed, steps):
    """The chapter-9 GPT with this attention, after so many batches: its shares of right answers."""
    config = nine["GPTConfig"](len(nine["words"]), LENGTH, HEADS * WIDTH, HEADS, LAYERS)
    model, generator = nine["fresh_model"](config, seed), torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    for block in model.blocks:
        block.attention = SharedAttention(kv_heads, window)
        for name, p in block.attention.named_parameters():
            nn.init.zeros_(p) if p.dim() == 1 else nn.init.normal_(p, std=0.02 * 12 ** 0.5 / (2 if "W_o" in name else 1))
    model = Reader(model)
    nine["train"](model, lambda: nine["language_batch"](32, generator), steps=steps)
    model.eval()
    return nine["story_score"](model), nine["chant_score"](model)


if __name__ == "__main__":
    for steps in map(int, sys.argv[1:]):
        for kv_heads, window in [(4, 48), (2, 48), (1, 48), (4, 16), (4, 8), (1, 16)]:
            size = ten["kv_cache_bytes"](LAYERS, kv_heads, WIDTH, min(window, LENGTH), 1, torch.float32)
            stories, chants = zip(*(trained(kv_heads, window, seed, steps) for seed in SEEDS))
            row = [[round(x, 2) for x in shares] for shares in (stories, chants)]
            print(steps, (kv_heads, window, size, *row), flush=True)
