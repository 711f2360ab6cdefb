"""The tables of deeper.ipynb: five ways to remember and a control, trained on chapter 9's made-up language with equal parameters and steps.

    python source/ch13_cheaper/five_memories.py [name …]      about six minutes on one quiet core
    python source/ch13_cheaper/five_memories.py --longer      three times the batches, one seed: about four minutes

Prints the rows that the chapter keeps: name, bytes kept for 48 words, parameters, shares of right answers for each seed.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from coursesite.chapter_code import chapter_code  # noqa: E402
from coursesite.pages.models import language9  # noqa: E402

torch.set_num_threads(1)
nine = language9(ROOT)
rotated = chapter_code(ROOT, 5, "apply_rope")["apply_rope"]
shared = chapter_code(ROOT, 10, "grouped_query_attention")["grouped_query_attention"]
latent = chapter_code(ROOT, 12, "latent_attention", start={"apply_rope": rotated})["latent_attention"]
chunked = chapter_code(ROOT, 13, "gated_delta_chunked")["gated_delta_chunked"]
torch.set_default_dtype(torch.float32)
LAYERS, HEADS, WIDTH, FEATURES, LENGTH = 2, 4, 16, 64, nine["LENGTH"]
LATENT, ROTARY, WINDOW, SINKS, SEEDS = 16, 8, 12, 4, (1, 2, 3, 4, 5)
STEPS, LONGER = 400, 1200


def layer(rows, columns):
    return nn.Linear(rows, columns, bias=False)


class Attention(nn.Module):
    """Softmax attention with rotary positions: fewer heads of keys and values, or a window with sinks.

    mixed: each token also sees the features of the one before it, as in Delta: the control.
    """

    def __init__(self, kv_heads=HEADS, window=None, mixed=False):
        super().__init__()
        self.window = window
        self.before = nn.Parameter(torch.zeros(3, FEATURES)) if mixed else [0, 0, 0]
        self.W_q, self.W_o = layer(FEATURES, FEATURES), layer(FEATURES, FEATURES)
        self.W_k, self.W_v = layer(FEATURES, kv_heads * WIDTH), layer(FEATURES, kv_heads * WIDTH)

    def forward(self, x):
        earlier = F.pad(x, (0, 0, 1, -1))
        q, k, v = (W(x + mix * earlier).unflatten(-1, (-1, WIDTH)).transpose(1, 2)
                   for W, mix in zip((self.W_q, self.W_k, self.W_v), self.before))
        place = torch.arange(x.size(1))
        back = place[:, None] - place
        allowed = back >= 0
        if self.window:
            allowed &= (back < self.window) | (place < SINKS)
        output, _ = shared(rotated(q, place), rotated(k, place), v, allowed)
        return self.W_o(output.transpose(1, 2).flatten(2))


class Latent(nn.Module):
    """Exercise 12.2 as a layer."""

    def __init__(self):
        super().__init__()
        shapes = {"W_q": (FEATURES, HEADS, WIDTH), "W_dkv": (FEATURES, LATENT), "W_uk": (LATENT, HEADS, WIDTH),
                  "W_uv": (LATENT, HEADS, WIDTH), "W_qr": (FEATURES, HEADS, ROTARY), "W_kr": (FEATURES, ROTARY)}
        self.matrices = nn.ParameterDict({name: nn.Parameter(torch.empty(shape)) for name, shape in shapes.items()})
        self.W_o = layer(FEATURES, FEATURES)

    def forward(self, x):
        return self.W_o(latent(x, **self.matrices)[0])


class Delta(nn.Module):
    """Exercise 13.1 as a layer; each token also sees the features of the one before it (as the paper's short convolution)."""

    def __init__(self):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (layer(FEATURES, FEATURES) for _ in range(4))
        self.rates = nn.Linear(FEATURES, 2 * HEADS)
        self.before = nn.Parameter(torch.zeros(3, FEATURES))

    def forward(self, x):
        earlier = F.pad(x, (0, 0, 1, -1))
        q, k, v = (W(x + mix * earlier).unflatten(-1, (-1, WIDTH)).transpose(1, 2)
                   for W, mix in zip((self.W_q, self.W_k, self.W_v), self.before))
        beta, gate = self.rates(x).unflatten(-1, (2, HEADS)).permute(2, 0, 3, 1)         # (batch, heads, seq) each
        q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        output, _ = chunked(q, k, v, beta.sigmoid(), (gate + 4).sigmoid(), 16)
        return self.W_o(output.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, attention, d_ff):
        super().__init__()
        self.attention, self.norm1, self.norm2 = attention, nn.LayerNorm(FEATURES), nn.LayerNorm(FEATURES)
        self.up, self.down = nn.Linear(FEATURES, d_ff), nn.Linear(d_ff, FEATURES)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Reader(nn.Module):
    """A small decoder whose layers remember in one of the five ways, with as many parameters as the full one."""

    def __init__(self, make):
        super().__init__()
        self.embedding, self.norm = nn.Embedding(len(nine["words"]), FEATURES), nn.LayerNorm(FEATURES)
        missing = count(Attention()) - count(make())
        self.blocks = nn.ModuleList(Block(make(), 256 + round(missing / (2 * FEATURES + 1))) for _ in range(LAYERS))

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.embedding.weight)


def count(module):
    return sum(p.numel() for p in module.parameters())


# name -> (layer, numbers that one layer keeps after 48 words)
KINDS = {"full": (Attention, 2 * HEADS * WIDTH * LENGTH),
         "grouped": (lambda: Attention(kv_heads=1), 2 * WIDTH * LENGTH),
         "latent": (Latent, (LATENT + ROTARY) * LENGTH),
         "window and sinks": (lambda: Attention(window=WINDOW), 2 * HEADS * WIDTH * (WINDOW + SINKS)),
         "delta": (Delta, HEADS * WIDTH * WIDTH + FEATURES),
         "full, mixed": (lambda: Attention(mixed=True), 2 * HEADS * WIDTH * LENGTH + FEATURES)}


def trained(name, seed, steps):
    """Shares of stories and chants right after so many batches, and the parameters."""
    torch.manual_seed(seed)
    model, generator = Reader(KINDS[name][0]), torch.Generator().manual_seed(seed)
    for part, p in model.named_parameters():
        if "norm" not in part and p.dim() > 1 and "before" not in part:
            nn.init.normal_(p, std=0.07)
    nine["train"](model, lambda: nine["language_batch"](32, generator), steps=steps)
    model.eval()
    return nine["story_score"](model), nine["chant_score"](model), count(model)


if __name__ == "__main__":
    longer, names = "--longer" in sys.argv, [name for name in sys.argv[1:] if name != "--longer"]
    for name in names or KINDS:
        shares = []
        for seed in SEEDS[:1] if longer else SEEDS:
            shares.append(trained(name, seed, LONGER if longer else STEPS))
            print(name, seed, shares[-1], file=sys.stderr, flush=True)        # progress
        stories, chants, sizes = zip(*shares)
        rounded = [tuple(round(share, 2) for share in shares) for shares in (stories, chants)]
        print((name, 4 * LAYERS * KINDS[name][1], sizes[0], *rounded), flush=True)
