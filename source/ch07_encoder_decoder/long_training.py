"""Made the numbers that chapter 7 stores in LONG_TRAINING: how good is one vector after 2,000 steps?

    python source/ch07_encoder_decoder/long_training.py

The data, OneVector, train and exact are the chapter's own. Two things are varied: the width of the whole network, and,
in a network that keeps its width of 128, only the vector that goes from reader to writer. Prints one line for each
training, as step: (share of sentences of one clause, of two clauses) exactly right. About ten minutes on two cores.
"""

from pathlib import Path

import torch
from torch import nn


def chapter_code():
    """What the chapter's untagged cells define, from the words of the language to exact."""
    found = {}
    for cell in Path(__file__).with_name("ch07_encoder_decoder.py").read_text(encoding="utf-8").split("\n# %%")[1:]:
        head, _, code = cell.partition("\n")
        if head.strip() in ("", 'tags=["setup"]', 'tags=["tolerance-0.05"]'):
            exec(code, found)                           # the chapter's own text
            if "exact" in found:
                return found
    raise SystemExit("the chapter does not define exact any more")


class Pinched(nn.Module):
    """The chapter's OneVector, whose vector has to pass through `size` numbers on its way to the writer."""

    def __init__(self, chapter, d_model, size):
        super().__init__()
        self.whole = chapter["OneVector"](len(chapter["GERMAN"]), len(chapter["ENGLISH"]), d_model)
        self.down, self.up = nn.Linear(d_model, size), nn.Linear(size, d_model)

    def forward(self, source, target):
        whole = self.whole
        states, _ = whole.reader(whole.source_embedding(source))
        last = (source != 0).sum(dim=1) - 1
        summary = self.up(self.down(states[torch.arange(len(source), device=source.device), last]))
        return whole.head(whole.writer(whole.target_embedding(target), summary[None].contiguous())[0])


def main():
    chapter = chapter_code()
    device, sizes = chapter["device"], (len(chapter["GERMAN"]), len(chapter["ENGLISH"]))

    def measure(name, model, steps):
        shares = {}
        def look_on(step, model):
            if step % 200 == 0:
                model.eval()
                shares[step] = tuple(round(chapter["exact"](model, data), 3) for data in chapter["by_clauses"])
                model.train()
        chapter["train"](model.to(device), steps=steps, watch=look_on)
        print(name, steps, shares, flush=True)

    for width in (128, 24, 48, 96):
        measure(f"width {width}", chapter["OneVector"](*sizes, width), 2000)
    for size in (8, 16, 32, 64, 4):
        measure(f"vector {size}", Pinched(chapter, 128, size), 2000)
    measure("width 24", chapter["OneVector"](*sizes, 24), 10_000)


if __name__ == "__main__":
    main()
