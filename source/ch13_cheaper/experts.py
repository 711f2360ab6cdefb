"""Section 13.3's table: a decoder of chapter 11 with one network in each layer, or with eight experts.

    python source/ch13_cheaper/experts.py        about three minutes on one quiet core
    python source/ch13_cheaper/experts.py 16 7   batches of 16 pieces in place of 32, and seed 7

Prints the rows that the chapter keeps: name, parameters, those used for a token, and for each seed the
loss on held-out text and the loads of the eight experts of each layer, the largest first.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import attention_built as ab  # noqa: E402
from coursesite.chapter_code import chapter_code  # noqa: E402

torch.set_num_threads(1)
nine = chapter_code(ROOT, 9, "make_batch", "learning_rate")
eleven = chapter_code(ROOT, 11, "RMSNorm", "SwiGLU", "RotaryAttention", "DecoderConfig", "Block", "Decoder")
thirteen = chapter_code(ROOT, 13, "route", "MixtureOfExperts", start=eleven)
FEATURES, LENGTH, STEPS, SEEDS, EXPERTS, USED, WIDTH = 64, 64, 400, (1, 2, 3), 8, 2, 48


class Balanced(thirteen["MixtureOfExperts"]):
    """Exercise 13.4, which notes the balancing term and the loads of each call."""

    def forward(self, x):
        _, experts = thirteen["route"](x, self.router.weight.T, self.k)
        self.loads = F.one_hot(experts, EXPERTS).flatten(0, -2).float().mean(0)
        means = self.router(x).softmax(-1).flatten(0, -2).mean(0)
        self.term = EXPERTS * (self.loads * means).sum()
        return super().forward(x)


def mixture():
    return Balanced(FEATURES, WIDTH, EXPERTS, USED)


# name -> (network of a layer, factor of the balancing term)
KINDS = {
    "one network, as two experts": (lambda: eleven["SwiGLU"](FEATURES, USED * WIDTH), 0.0),
    "one network, as eight": (lambda: eleven["SwiGLU"](FEATURES, EXPERTS * WIDTH), 0.0),
    "eight experts, two used": (mixture, 0.0),
    "the same, balanced": (mixture, 0.01),
}


def text():
    known = {c: i for i, c in enumerate("\n" + "".join(map(chr, range(32, 127))))}
    whole = ab.manual()[:400_000]
    ids = torch.tensor([known.get(c, known["?"]) for c in whole])
    return ids[:360_000], ids[360_000:]


def mixtures(model):
    return [block.feed_forward for block in model.blocks if isinstance(block.feed_forward, Balanced)]


def trained(name, seed, train_ids, test_ids, batch):
    torch.manual_seed(seed)
    make, factor = KINDS[name]
    config = eleven["DecoderConfig"](96, FEATURES, 2, 4, 4, USED * WIDTH)
    model, generator = eleven["Decoder"](config), torch.Generator().manual_seed(seed)
    for block in model.blocks:
        block.feed_forward = make()
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.normal_(p, std=0.07)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(1, STEPS + 1):
        for group in optimizer.param_groups:
            group["lr"] = nine["learning_rate"](step, 4e-3, 30, STEPS)
        inputs, targets = nine["make_batch"](train_ids, batch, LENGTH, generator)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        terms = [part.term for part in mixtures(model)]
        (loss + factor * sum(terms) if terms else loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        pieces = test_ids[: 256 * (LENGTH + 1)].view(256, LENGTH + 1)
        held_out = F.cross_entropy(model(pieces[:, :-1]).flatten(0, 1), pieces[:, 1:].flatten()).item()
        loads = [sorted(part.loads.tolist(), reverse=True) for part in mixtures(model)]
    size = sum(p.numel() for p in model.parameters())
    spare = sum(p.numel() for part in mixtures(model) for expert in part.experts[USED:] for p in expert.parameters())
    return size, size - spare, round(held_out, 3), [[round(x, 3) for x in layer] for layer in loads]


if __name__ == "__main__":
    parts, chosen = text(), [int(word) for word in sys.argv[1:]]
    batch, seeds = chosen[0] if chosen else 32, chosen[1:] or SEEDS
    for name in KINDS:
        for seed in seeds:
            print((name, seed, *trained(name, seed, *parts, batch)), flush=True)
