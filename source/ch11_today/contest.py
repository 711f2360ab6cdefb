"""The stored runs of chapter 11: one change at a time, at equal parameters and equal steps, five seeds.

    python source/ch11_today/contest.py contest|rates|longer|norms|scores|lengths|recipes     5 to 30 minutes each, on one core
    python source/ch11_today/contest.py contest RoPE SwiGLU                      these rows alone

Every model reads the text of chapter 9 (Python's manual, one character a token) in the same batches for the same number of
steps, and is priced on the same windows, which share no run of 30 characters with the training text.
"""

import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import attention_built as ab  # noqa: E402

WIDTH, LAYERS, HEADS, LENGTH, STEPS, BATCH, FIRST = 64, 2, 4, 64, 300, 16, 6


@dataclass
class Options:
    """What tells one model of the contest from another; as it stands, the GPT of chapter 9."""

    rms: bool = False            # RMSNorm in place of LayerNorm
    bias: bool = True            # in every linear layer
    positions: bool = True       # a table of them, unless rope turns
    rope: bool = False           # in place of the table of positions
    rope_base: float = 10_000.0
    gated: bool = False          # SwiGLU in place of GELU
    kv_heads: int = HEADS
    qk_norm: bool = False
    second_norm: bool = False
    second_start: float = 1.0    # the weight with which the second norms start
    table_scale: float = 1.0     # on the token vectors on their way in (Gemma: the root of the width)
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
        self.token_embedding, self.table_scale = nn.Embedding(vocab, WIDTH), o.table_scale
        self.position_embedding = None if o.rope or not o.positions else nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList(Block(o, layer) for layer in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, eps=1e-6) if o.rms else nn.LayerNorm(WIDTH, bias=o.bias)

    def forward(self, ids, largest=None):
        x = self.token_embedding(ids) * self.table_scale
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
            elif "post_norm" in name:
                p.fill_(o.second_start)
        if model.position_embedding is not None:
            angle = torch.arange(LENGTH)[:, None] * 10_000 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
            model.position_embedding.weight[:, 0::2], model.position_embedding.weight[:, 1::2] = 0.1 * angle.sin(), 0.1 * angle.cos()
    return model


def text_of_chapter_9():
    text = ab.manual()
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
    "window 16": {"window": 16}, "all": TODAY,
}
CONTROLS = {                     # what RoPE's absence costs the rest; why the second norm loses
    "all but RoPE": {**TODAY, "rope": False}, "no positions": {"positions": False},
    "second norm from 0.1": {"second_norm": True, "second_start": 0.1},
    "table times 8": {"table_scale": WIDTH ** 0.5},
    "second norm, table times 8": {"second_norm": True, "table_scale": WIDTH ** 0.5},
    "RoPE, second norm": {"rope": True, "second_norm": True},
    "RoPE, table times 8": {"rope": True, "table_scale": WIDTH ** 0.5},
    "RoPE, second norm, table times 8": {"rope": True, "second_norm": True, "table_scale": WIDTH ** 0.5},
}


def contest():
    """Loss on new text after equal steps, a row a change, a column a seed."""
    windows = NEW(LENGTH)
    for name, changes in {**CONTEST, **CONTROLS}.items():
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
    """The control of the contest: the same rows at a third of its learning rate and at three times as much."""
    windows = NEW(LENGTH)
    for name in sys.argv[2:] or CONTEST:
        for peak in (0.0013, 0.012):
            o = of_equal_size(**CONTEST[name])
            print(f"{peak} {name!r}: {[round(price(train(o, seed, peak), windows), 3) for seed in range(1, 4)]}", flush=True)


def longer():
    """The second control: does RoPE's lead shrink where both have four times as long to learn?"""
    windows = NEW(LENGTH)
    for name in ("GPT", "RoPE"):
        for seed in range(1, 3):
            curve = []
            train(of_equal_size(**CONTEST[name]), seed, steps=4 * STEPS, every=STEPS,
                  watch=lambda step, model, curve=curve: curve.append(round(price(model, windows), 3)))
            print(f"{name!r}, seed {seed}, steps 1, 300, 600, 900, 1200: {curve}", flush=True)


def norms():
    """A trained GPT whose norms do not subtract the mean, divide all tokens by one number, or do not divide."""
    windows = NEW(LENGTH)

    def centred(x):
        return x - x.mean(-1, keepdim=True)

    def root(x):
        return x.square().mean(-1, keepdim=True).sqrt()
    instead = [lambda x: x / root(x), lambda x: centred(x) / centred(x).square().mean().sqrt(), centred]
    for steps in (100, 800):
        for seed in range(1, 3):
            model, shares = train(Options(), seed, steps=steps), []
            parts = [part for name, part in model.named_modules() if "norm" in name.split(".")[-1] and hasattr(part, "weight")]
            hooks = [part.register_forward_hook(lambda part, x, y: shares.append((x[0].mean(-1).square() / x[0].square().mean(-1)).mean().item())) for part in parts]
            ends = [price(model, windows)]
            for hook in hooks:
                hook.remove()
            for normalise in instead:
                for part in parts:
                    part.forward = lambda x, part=part, normalise=normalise: normalise(x) * part.weight + part.bias
                ends.append(price(model, windows))
            print(f"({steps}, {seed}): ({', '.join(f'{end:.2f}' for end in ends)}, {max(shares):.2f})", flush=True)


def scores():
    """The largest attention score over 120 steps, or as many as are asked for, with and without QK-norm, at our learning rate and at a high one."""
    windows = NEW(LENGTH)
    probe, steps = windows[:16, :-1], int((sys.argv[2:] or [120])[0])
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
                model = train(o, seed, peak, watch=watch, every=10, steps=steps)
                rows.append(row)
                ends.append(round(price(model, windows), 3))
            print(f"({peak}, {qk_norm}): ({rows}, {ends})", flush=True)


def lengths():
    """Trained on 64 places, priced place by place on texts four times as long, for three bases.

    The control prices the same characters with the 32 to 63 characters before them alone, so that no distance is new.
    """
    windows = NEW(4 * LENGTH)
    cut = {start: torch.cat([w[None, start - 33:start + 32] for w in windows]) for start in range(33, 4 * LENGTH, 32)}
    for base in (100.0, 10_000.0, 1_000_000.0):
        o = of_equal_size(**{**TODAY, "rope_base": base})
        rows, near = [], []
        for seed in range(1, 3):
            model = train(o, seed, steps=150)
            rows.append([round(price(model, windows, start, start + 31), 2) for start in cut])
            near.append([round(price(model, part, 33, 64), 2) for part in cut.values()])
        print(f"{base}: {rows},   # the same characters, nothing far: {near}", flush=True)


def recipes():
    """Muon, and warm-up, stable, decay, on the decoder with all changes; the controls are other rates and other ends."""
    windows, o = NEW(LENGTH), of_equal_size(**TODAY)

    def ends(seeds=5, **settings):
        return [round(price(train(o, seed, **settings), windows), 3) for seed in range(1, 1 + seeds)]
    for steps in (200, 300):
        for shape in ("cosine", "wsd"):
            print(f"{shape}, planned and stopped at {steps}: {ends(shape=shape, steps=steps)}", flush=True)
    stopped = []
    for seed in range(1, 6):
        train(o, seed, every=200, watch=lambda step, model: stopped.append(round(price(model, windows), 3)) if step == 200 else None)
    print(f"cosine, planned for 300, stopped at 200: {stopped}", flush=True)
    print(f"muon, peak 0.02: {ends(kind='muon', peak=0.02)}", flush=True)
    for kind, peak in [("adamw", 0.008), ("adamw", 0.012), ("muon", 0.01), ("muon", 0.04)]:
        print(f"{kind}, peak {peak}: {ends(3, kind=kind, peak=peak)}", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    TRAIN, NEW = text_of_chapter_9()
    {part.__name__: part for part in (contest, rates, longer, norms, scores, lengths, recipes)}[sys.argv[1]]()
