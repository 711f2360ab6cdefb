"""Makes the numbers that deeper.py stores: one vector with fewer numbers and with more steps, and the factor √d.

    python source/ch07_encoder_decoder/long_training.py            about twenty minutes on one quiet core

The data, OneVector, the Transformer, train and exact are the chapter's own. Pinched varies only the vector that goes from reader
to writer, in a network that keeps its width of 128 and has no factor √d. Prints one line for each training: the share of held-out
sentences of one clause, of two clauses, that are exactly right at the end.
"""

import sys
from pathlib import Path

import torch
from torch import nn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from coursesite.pages.models import language7  # noqa: E402


class Pinched(nn.Module):
    """The chapter's OneVector, whose vector has to pass through `size` numbers on its way to the writer."""

    def __init__(self, chapter, size, d_model=128):
        super().__init__()
        self.whole = unscaled(chapter["OneVector"](len(chapter["GERMAN"]), len(chapter["ENGLISH"]), d_model))
        self.down, self.up = nn.Linear(d_model, size), nn.Linear(size, d_model)

    def forward(self, source, target):
        whole = self.whole
        states, _ = whole.reader(whole.source_embedding(source))
        last = (source != 0).sum(dim=1) - 1
        summary = self.up(self.down(states[torch.arange(len(source), device=source.device), last]))
        return whole.head(whole.writer(whole.target_embedding(target), summary[None].contiguous())[0])


def as_they_start(chapter):
    """The chapter's train, without its small random numbers at the start: matrices stay as PyTorch makes them."""
    def train(*args, **options):
        xavier, nn.init.xavier_uniform_ = nn.init.xavier_uniform_, lambda p: p
        try:
            chapter["train"](*args, **options)
        finally:
            nn.init.xavier_uniform_ = xavier
    return train


def unscaled(model):
    """The same model without the factor √d."""
    if hasattr(model, "scale"):
        model.scale = 1.0
    else:
        model._embed = lambda embedding, ids: embedding(ids) + model.positions[:ids.size(1)]
    return model


def main():
    torch.set_num_threads(1)
    chapter = language7(ROOT)
    sizes = len(chapter["GERMAN"]), len(chapter["ENGLISH"])

    def measure(name, make, train=chapter["train"], **options):
        torch.manual_seed(7)
        model = make().to(chapter["device"])
        train(model, **options)
        model.eval()
        print(name, options, [round(chapter["exact"](model, data), 2) for data in chapter["by_clauses"]], flush=True)

    measure("one vector of 128, √d", lambda: chapter["OneVector"](*sizes, 128), steps=2000)
    for name, make in [("recurrent", lambda: chapter["OneVector"](*sizes, 128)), ("Transformer", chapter["new_translator"])]:
        measure(f"{name}, √d", make)
        measure(f"{name}, no factor", lambda make=make: unscaled(make()))
        measure(f"{name}, √d, as PyTorch starts", make, as_they_start(chapter))
        measure(f"{name}, no factor, as PyTorch starts", lambda make=make: unscaled(make()), as_they_start(chapter))
    for steps in (2000, 10_000):
        for size in (16, 8, 4):
            measure(f"one vector of {size}, no factor", lambda size=size: Pinched(chapter, size), steps=steps)


if __name__ == "__main__":
    main()
