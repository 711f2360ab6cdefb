"""Makes the numbers that sections 7.2 and 7.6 store: one vector after 2,000 and 10,000 steps, and what each change alone brings.

    python source/ch07_encoder_decoder/long_training.py short      LONGER, NARROWER, SQUEEZED, LONGEST: about ten minutes on two cores
    python source/ch07_encoder_decoder/long_training.py long       SQUEEZED_LONGER: about twelve minutes on one quiet core
    python source/ch07_encoder_decoder/long_training.py change     ONE_CHANGE: about a minute

The data, OneVector, the Transformer, train and exact are the chapter's own. short and long vary the width of the whole
network, or, in a network that keeps its width of 128, only the vector that goes from reader to writer. change gives the
recurrent networks an attention over all states, and the Transformer a memory averaged to one vector. Prints one line for
each training, as step: (share of sentences of one clause, of two clauses) exactly right.
"""

import sys
from pathlib import Path

import torch
from torch import nn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from coursesite.pages.models import language7  # noqa: E402


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


class LooksBack(nn.Module):
    """The chapter's OneVector, whose writer also has an attention over all states of the reader."""

    def __init__(self, chapter, d_model):
        super().__init__()
        self.whole = chapter["OneVector"](len(chapter["GERMAN"]), len(chapter["ENGLISH"]), d_model)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.whole.head = nn.Linear(2 * d_model, len(chapter["ENGLISH"]))

    def forward(self, source, target):
        whole = self.whole
        states, _ = whole.reader(whole.source_embedding(source))                    # (batch, seq_source, d_model)
        last = (source != 0).sum(dim=1) - 1
        summary = states[torch.arange(len(source), device=source.device), last]
        written, _ = whole.writer(whole.target_embedding(target), summary[None])    # (batch, seq_target, d_model)
        scores = self.W_q(written) @ states.mT / states.size(-1) ** 0.5             # (batch, seq_target, seq_source)
        weights = scores.masked_fill((source == 0)[:, None], -1e9).softmax(dim=-1)
        return whole.head(torch.cat([written, weights @ states], dim=-1))


def averaged(translator):
    """The chapter's Transformer; its writer gets one vector, the mean of the memory."""
    encode = translator.encode

    def encode_to_one(source):
        memory, real = encode(source), (source != 0)[..., None].float()             # (batch, seq_source, d_model)
        return (memory * real).sum(dim=1, keepdim=True) / real.sum(dim=1, keepdim=True)

    translator.encode = encode_to_one
    translator.forward = lambda source, target: translator.decode(target, encode_to_one(source))[0]
    return translator


def measure(chapter, name, model, steps, every=200):
    shares = {}
    def look_on(step, model):
        if step % every == 0:
            model.eval()
            shares[step] = tuple(round(chapter["exact"](model, data), 3) for data in chapter["by_clauses"])
            model.train()
    chapter["train"](model.to(chapter["device"]), steps=steps, watch=look_on)
    print(name, steps, shares, flush=True)


def short():
    chapter = chapter_code()
    sizes = len(chapter["GERMAN"]), len(chapter["ENGLISH"])
    for width in (128, 24, 48, 96):
        measure(chapter, f"width {width}", chapter["OneVector"](*sizes, width), 2000)
    for size in (8, 16, 32, 64, 4):
        measure(chapter, f"vector {size}", Pinched(chapter, 128, size), 2000)
    measure(chapter, "width 24", chapter["OneVector"](*sizes, 24), 10_000)


def long(*sizes):
    chapter = chapter_code()
    for size in sizes or (4, 8, 16):
        torch.manual_seed(7)
        measure(chapter, f"vector {size}", Pinched(chapter, 128, int(size)), 10_000, every=2000)


def change():
    chapter = language7(ROOT)
    sizes = len(chapter["GERMAN"]), len(chapter["ENGLISH"])
    for name, make in [("one vector", lambda: chapter["OneVector"](*sizes, 128)),
                       ("one vector, and attention over all states", lambda: LooksBack(chapter, 128)),
                       ("Transformer", chapter["new_translator"]),
                       ("Transformer, memory averaged", lambda: averaged(chapter["new_translator"]()))]:
        torch.manual_seed(7)
        measure(chapter, name, make(), 400, every=400)


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["long"]:
        long(*sys.argv[2:])
    elif sys.argv[1:] in (["short"], ["change"]):
        {"short": short, "change": change}[sys.argv[1]]()
    else:
        raise SystemExit(__doc__)
