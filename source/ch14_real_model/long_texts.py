"""The stored run of the deeper notebook: the published model on a text half as long again as any it was trained for.

    python source/ch14_real_model/long_texts.py [way …]      some minutes for each on a free core, after `make model`

12,288 tokens of Python's manual are read in pieces of 1,024 through the cache, in bfloat16 (in float32 the first piece has the same loss); printed is the
mean loss of each piece.
"""

import math
import sys
from pathlib import Path

import torch
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import attention_built as ab  # noqa: E402
from autograder.course.carry import filled_chapter  # noqa: E402

TRAINED, LENGTH, PIECE, WINDOW, SINKS = 8192, 12_288, 1024, 4092, 4
space = {"__name__": "__main__"}
for cell in filled_chapter(ROOT, "ch14_real_model").code[:4]:  # up to the filled model
    exec(cell.text, space)
scale = {"__name__": "__main__"}
for cell in filled_chapter(ROOT, "ch12_memory").code:
    if cell.grade_id == "ch12_rope_scale" or "setup" in cell.tags:
        exec(cell.text, scale)

model, tokenizer = space["model"].to(torch.bfloat16), space["tokenizer"]
text = ab.manual()[100_000:160_000]
ids = torch.tensor([tokenizer.encode(text)[: LENGTH + 1]])


def frequencies(method: str) -> torch.Tensor:
    """Of exercise 12.4, for a text half as long again; "as trained" and "window" change nothing."""
    if method in ("as trained", "window"):
        return 100_000.0 ** (-torch.arange(0, 64, 2) / 64)
    rates: torch.Tensor = scale["rope_scale"](64, 100_000.0, LENGTH / TRAINED, method, TRAINED)
    return rates


def turned(x: torch.Tensor, places: torch.Tensor, omega: torch.Tensor) -> torch.Tensor:
    """Chapter 11's half-split rotation with these frequencies."""
    angles = places[:, None].float() * omega
    cos, sin = angles.cos(), angles.sin()
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)


@torch.no_grad()
def losses(method: str) -> list[float]:
    """Mean loss of each piece."""
    omega, found = frequencies(method), []
    caches: list[list[torch.Tensor]] = [[] for _ in model.blocks]
    for start in range(0, LENGTH, PIECE):
        here, there = torch.arange(start, start + PIECE), torch.arange(start + PIECE)
        back = here[:, None] - there
        allowed = back >= 0
        if method == "window":
            allowed = allowed & ((back < WINDOW) | (there < SINKS))
        x = model.token_embedding(ids[:, start : start + PIECE])
        for block, cache in zip(model.blocks, caches, strict=True):
            a, h = block.attention, block.norm1(x)
            q, k, v = (
                W(h).unflatten(-1, (-1, a.d_head)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v)
            )
            q, k = turned(q, here, omega), turned(k, here, omega)
            if cache:
                k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
            cache[:] = [k, v]
            k, v = (part.repeat_interleave(a.groups, dim=1) for part in (k, v))
            heads = F.scaled_dot_product_attention(q, k, v, allowed)
            x = x + a.W_o(heads.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        logits = model.head(model.norm(x))[0].float()
        found.append(F.cross_entropy(logits, ids[0, start + 1 : start + PIECE + 1]).item())
        if math.isnan(found[-1]):
            raise ValueError(f"{method}: the loss from place {start} on is not a number")
    return found


for method in sys.argv[1:] or ("as trained", "ntk"):
    print(f'"{method}": {[round(loss, 2) for loss in losses(method)]},', flush=True)
