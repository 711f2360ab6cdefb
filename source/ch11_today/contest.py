"""The stored runs of chapter 11: one change at a time, at equal parameters and equal steps, five seeds.

    python source/ch11_today/contest.py contest|rates|scores|lengths|recipes     each a few minutes on one core
    python source/ch11_today/contest.py contest RoPE SwiGLU                      these rows alone

Every model reads the text of chapter 9 (Python's manual, one character a token) in the same batches for the same number of
steps, and is priced on the same windows, which share no run of 30 characters with the training text.
"""

import math
import sys
from dataclasses import dataclass, replace

import torch
from pydoc_data.topics import topics
from torch import nn
from torch.nn import functional as F

WIDTH, LAYERS, HEADS, LENGTH, STEPS, BATCH, FIRST = 64, 2, 4, 64, 300, 16, 6


@dataclass
class Options:
    """What tells one model of the contest from another; as it stands, the GPT of chapter 9."""

    rms: bool = False            # RMSNorm in place of LayerNorm
    bias: bool = True            # in every linear layer
    rope: bool = False           # in place of the table of positions
    rope_base: float = 10_000.0
    gated: bool = False          # SwiGLU in place of GELU
    kv_heads: int = HEADS
    qk_norm: bool = False
    second_norm: bool = False
    window: int | None = None    # of the first layer
    d_ff: int = 4 * WIDTH


class Attention(nn.Module):
    def __init__(self, o, layer):
        super().__init__()
        self.o, self.window = o, o.window if layer == 0 else None
        d_head = WIDTH // HEADS
        self.W_q, self.W_o = nn.Linear(WIDTH, WIDTH, bias=o.bias), nn.Linear(WIDTH, WIDTH, bias=o.bias)
        self.W_k, self.W_v = (nn.Linear(WIDTH, o.kv_heads * d_head, bias=o.bias) for _ in "kv")
        self.q_norm, self.k_norm = ((nn.RMSNorm(d_head, eps=1e-6) for _ in "qk") if o.qk_norm else (nn.Identity(), nn.Identity()))
        self.rate = o.rope_base ** (-torch.arange(0, d_head, 2) / d_head)

    def turn(self, x):
        angle = torch.arange(x.size(-2))[:, None] * self.rate
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], dim=-1)

    def forward(self, x, largest=None):
        d_head = WIDTH // HEADS
        q, k, v = (W(x).unflatten(-1, (-1, d_head)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        q, k = self.q_norm(q), self.k_norm(k)
        if self.o.rope:
            q, k = self.turn(q), self.turn(k)
        k, v = (part.repeat_interleave(HEADS // self.o.kv_heads, dim=1) for part in (k, v))
        seq = x.size(1)
        mask = torch.ones(seq, seq, dtype=torch.bool).tril()
        if self.window:
            mask = mask.triu(1 - self.window)
        if largest is not None:
            scores = (q @ k.transpose(-2, -1) / math.sqrt(d_head)).masked_fill(~mask, 0)
            largest.append(scores.abs().max().item())
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True) if not self.window else F.scaled_dot_product_attention(q, k, v, mask)
        return self.W_o(out.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, o.d_ff, bias=o.bias), nn.Linear(o.d_ff, WIDTH, bias=o.bias)
        self.gate = nn.Linear(WIDTH, o.d_ff, bias=o.bias) if o.gated else None

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x) if self.gate else F.gelu(self.up(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, o, layer):
        super().__init__()
        norm = lambda: nn.RMSNorm(WIDTH, eps=1e-6) if o.rms else nn.LayerNorm(WIDTH, bias=o.bias)
        self.norm1, self.attention, self.norm2, self.feed_forward = norm(), Attention(o, layer), norm(), FeedForward(o)
        self.post_norm1, self.post_norm2 = (norm(), norm()) if o.second_norm else (nn.Identity(), nn.Identity())

    def forward(self, x, largest=None):
        x = x + self.post_norm1(self.attention(self.norm1(x), largest))
        return x + self.post_norm2(self.feed_forward(self.norm2(x)))


class Model(nn.Module):
    def __init__(self, o, vocab=96):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab, WIDTH)
        self.position_embedding = None if o.rope else nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList(Block(o, layer) for layer in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, eps=1e-6) if o.rms else nn.LayerNorm(WIDTH, bias=o.bias)

    def forward(self, ids, largest=None):
        x = self.token_embedding(ids)
        if self.position_embedding is not None:
            x = x + self.position_embedding.weight[:ids.size(1)]
        for block in self.blocks:
            x = block(x, largest)
        return self.norm(x) @ self.token_embedding.weight.T


def size(o):
    return sum(p.numel() for p in Model(o).parameters())


def of_equal_size(**changes):
    """Options with these changes, and the width of the feed-forward network that comes closest to the GPT's parameters."""
    o, target = Options(**changes), size(Options())
    one = size(replace(o, d_ff=9)) - size(replace(o, d_ff=8))
    return replace(o, d_ff=8 + round((target - size(replace(o, d_ff=8))) / one))


def fresh(o, seed):
    """Started as in chapter 9: every matrix at 0.02 rescaled to the width, what writes into the stream smaller, sinusoids."""
    torch.manual_seed(seed)
    model, std = Model(o), 0.02 * math.sqrt(768 / WIDTH)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() > 1:
                p.normal_(std=std / (math.sqrt(2 * LAYERS) if name.endswith(("W_o.weight", "down.weight")) else 1))
            elif name.endswith("bias"):
                p.zero_()
        if model.position_embedding is not None:
            angle = torch.arange(LENGTH)[:, None] * 10_000 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
            model.position_embedding.weight[:, 0::2], model.position_embedding.weight[:, 1::2] = 0.1 * angle.sin(), 0.1 * angle.cos()
    return model


def text_of_chapter_9():
    text = "\n".join(topics[name] for name in sorted(topics))
    alphabet = "\n" + "".join(map(chr, range(32, 127)))
    text = "".join(c if c in alphabet else "?" for c in text)[:400_000]
    ids = torch.tensor([alphabet.index(c) for c in text])
    run, runs = 30, {text[i:i + 30] for i in range(360_000 - 29)}

    def new_windows(length):
        starts = [i for i in range(360_000, 400_000 - length, length + 1)
                  if all(text[j:j + run] not in runs for j in range(i, i + length + 2 - run))]
        return torch.stack([ids[i:i + length + 1] for i in starts])
    return ids[:360_000], new_windows


def rate(step, peak, shape, steps, warmup=30):
    if step < warmup:
        return peak * step / warmup
    if shape == "cosine":
        return peak * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2
    return peak * min(1.0, (steps - step) / (0.2 * steps))              # stable, then a straight line down


def optimizers_of(model, peak, kind):
    matrices = [p for name, p in model.blocks.named_parameters() if p.dim() == 2]
    if kind == "adamw":
        return [(torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.95), weight_decay=0.0), peak)]
    rest = [p for p in model.parameters() if not any(p is m for m in matrices)]
    return [(torch.optim.AdamW(rest, lr=4e-3, betas=(0.9, 0.95), weight_decay=0.0), 4e-3),
            (torch.optim.Muon(matrices, lr=peak, momentum=0.95, weight_decay=0.0), peak)]


def train(o, seed, peak=4e-3, kind="adamw", shape="cosine", watch=None, every=25, steps=STEPS):
    model, generator = fresh(o, seed), torch.Generator().manual_seed(seed)
    optimizers = optimizers_of(model, peak, kind)
    for step in range(1, steps + 1):
        starts = torch.randint(len(TRAIN) - LENGTH, (BATCH, 1), generator=generator)
        windows = TRAIN[starts + torch.arange(LENGTH + 1)]
        loss = F.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer, high in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate(step, high, shape, steps)
            optimizer.step()
        if watch and (step % every == 0 or step == 1):
            watch(step, model)
    return model


@torch.no_grad()
def price(model, windows, start=FIRST, end=None):
    logits = model(windows[:, :-1])[:, start - 1:end]
    return F.cross_entropy(logits.flatten(0, 1), windows[:, 1:][:, start - 1:end].flatten()).item()


TODAY = {"rms": True, "bias": False, "rope": True, "gated": True, "kv_heads": 2, "qk_norm": True}
CONTEST = {
    "GPT": {}, "RMSNorm": {"rms": True}, "no biases": {"bias": False}, "RoPE": {"rope": True}, "SwiGLU": {"gated": True},
    "2 kv heads": {"kv_heads": 2}, "QK-norm": {"qk_norm": True}, "second norm": {"second_norm": True},
    "window 16": {"window": 16}, "all": TODAY, "all, RoPE back": {**TODAY, "rope": False},
}


def contest():
    """Loss on new text after equal steps, a row a change, a column a seed."""
    windows = NEW(LENGTH)
    for name, changes in CONTEST.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        o = of_equal_size(**changes)
        curves = []
        for seed in range(1, 6):
            curve = []
            model = train(o, seed, every=50, watch=lambda step, model, curve=curve: curve.append(round(price(model, windows), 3)))
            curves.append(curve)
        print(f"{name!r}: ({size(o)}, {[c[-1] for c in curves]}),   # d_ff {o.d_ff}; mean curve "
              f"{[round(sum(c) / 5, 2) for c in zip(*curves)]}", flush=True)


def rates():
    """The control: does the order depend on the learning rate?"""
    windows = NEW(LENGTH)
    for peak in (8e-3, 2e-3):
        for name in ("GPT", "all"):
            o = of_equal_size(**CONTEST[name])
            print(peak, name, [round(price(train(o, seed, peak), windows), 3) for seed in range(1, 3)], flush=True)


def scores():
    """The largest attention score over 120 steps, with and without QK-norm, at our learning rate and at a high one."""
    windows = NEW(LENGTH)
    probe = windows[:16, :-1]
    for peak in (4e-3, 3e-2):
        for qk_norm in (False, True):
            o, rows, ends = of_equal_size(**{**TODAY, "qk_norm": qk_norm}), [], []
            for seed in range(1, 6 if peak > 0.01 else 3):
                row = []

                def watch(step, model, row=row):
                    largest = []
                    with torch.no_grad():
                        model(probe, largest)
                    row.append(round(max(largest), 1))
                model = train(o, seed, peak, watch=watch, every=10, steps=120)
                rows.append(row)
                ends.append(round(price(model, windows), 3))
            print(f"({peak}, {qk_norm}): ({rows}, {ends})", flush=True)


def lengths():
    """Trained on 64 places, priced place by place on texts four times as long, for three bases."""
    windows = NEW(4 * LENGTH)
    for base in (100.0, 10_000.0, 1_000_000.0):
        o = of_equal_size(**{**TODAY, "rope_base": base})
        rows = []
        for seed in range(1, 3):
            model = train(o, seed, steps=150)
            rows.append([round(price(model, windows, start, start + 31), 2) for start in range(33, 4 * LENGTH, 32)])
        print(f"{base}: {rows},", flush=True)


def recipes():
    """Muon and warm-up, stable, decay, on the decoder with all changes."""
    windows, o = NEW(LENGTH), of_equal_size(**TODAY)
    for kind, peak, shape in [("muon", 2e-2, "cosine"), ("adamw", 4e-3, "wsd")]:
        print(f"({kind!r}, {peak}, {shape!r}): "
              f"{[round(price(train(o, seed, peak, kind, shape), windows), 3) for seed in range(1, 6)]},", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    TRAIN, NEW = text_of_chapter_9()
    {"contest": contest, "rates": rates, "scores": scores, "lengths": lengths, "recipes": recipes}[sys.argv[1]]()
