"""Makes the numbers that chapter 9 and its deeper notebook keep: the text without its copies, warm-up and clipping, five seeds with and
without the pruning rule, lessons in chants, melodies that begin anywhere, and the contestants.

    python source/ch09_training/stored_runs.py copies         about two minutes
    python source/ch09_training/stored_runs.py rates         about a minute
    python source/ch09_training/stored_runs.py lessons       about ten minutes
    python source/ch09_training/stored_runs.py anywhere      about four minutes
    python source/ch09_training/stored_runs.py seeds          about five minutes on one quiet core
    python source/ch09_training/stored_runs.py contestants    about two minutes

The language, the exams, `train` and `ablate_head` are the chapter's own.
"""

import math
import sys
from contextlib import ExitStack
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from coursesite.chapter_code import chapter_cells  # noqa: E402
from coursesite.pages.models import language9  # noqa: E402

HEADS = [(layer, head) for layer in range(2) for head in range(4)]


def copies(nine):
    """400 steps on the text, whole and without the runs that held-out windows repeat: the loss on new windows and on those that repeat."""
    nine = chapter_cells(ROOT, 9, "train_ids", "pieces", "all_windows", "config", "held_out_loss", start=nine, shown=True)
    shared = {w[i:i + nine["RUN"]] for w, new in zip(nine["pieces"], nine["is_new"].tolist()) if not new
              for i in range(len(w) - nine["RUN"] + 1)}
    kept = torch.ones(len(nine["train_text"]), dtype=torch.bool)
    for i in range(len(kept) - nine["RUN"] + 1):
        if nine["train_text"][i:i + nine["RUN"]] in shared:
            kept[i:i + nine["RUN"]] = False
    print(f"characters taken out: {1 - kept.float().mean():.3f}")
    for name, ids in [("whole", nine["train_ids"]), ("without", nine["train_ids"][kept])]:
        model, generator = nine["fresh_model"](nine["config"], seed=9), torch.Generator().manual_seed(9)
        nine["train"](model, lambda ids=ids: nine["make_batch"](ids, 32, 64, generator), steps=400)
        print(name, *(f"{nine['held_out_loss'](model.eval(), nine[kind]):.2f}" for kind in ("test_windows", "repeated_windows")), flush=True)


def rates(nine):
    """Section 9.5's text, 100 steps: with warm-up and clipping, without the one, the other, or both, at two peak rates, two seeds each."""
    nine = chapter_cells(ROOT, 9, "train_ids", "pieces", "all_windows", "config", start=nine, shown=True)
    def without(peak, warmup, max_norm, seed, steps=100):
        model, generator = nine["fresh_model"](nine["config"], seed), torch.Generator().manual_seed(seed)
        optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.95), weight_decay=0.0)
        for step in range(1, steps + 1):
            falling = peak * (1 + math.cos(math.pi * step / steps)) / 2
            optimizer.param_groups[0]["lr"] = nine["learning_rate"](step, peak, warmup, steps) if warmup else falling
            nine["train_step"](model, nine["make_batch"](nine["train_ids"], 16, 64, generator), optimizer, max_norm)
        some = nine["all_windows"][::5]
        return F.cross_entropy(model.eval()(some[:, :-1]).flatten(0, 1), some[:, 1:].flatten()).item()
    for peak in (0.004, 0.016):
        print(peak, [[round(without(peak, warmup, max_norm, seed), 2) for seed in (1, 2)] for warmup in (20, 0) for max_norm in (1.0, 1e9)])


def lessons(nine):
    """Chants alone, 16 a batch, periods 4 to 16: layers, steps, seed, and what is right as taught and for period 13."""
    runs = [(1, 300, 9), (2, 300, 9), (1, 700, 9), (2, 700, 9), (1, 1500, 9), (1, 700, 1), (2, 700, 1), (2, 1500, 1), (1, 3500, 9)]
    for layers, steps, seed in runs:
        model = nine["fresh_model"](nine["GPTConfig"](len(nine["words"]), nine["LENGTH"], 64, 4, layers), seed=seed)
        generator = torch.Generator().manual_seed(seed + 1)
        nine["train"](model, lambda generator=generator: nine["chants"](16, nine["LENGTH"], generator)[:2], steps=steps)
        shares = []
        for shortest, longest in ((4, 16), (13, 13)):
            inputs, targets, _ = nine["chants"](100, nine["LENGTH"], torch.Generator().manual_seed(92), shortest, longest)
            right = model.eval()(inputs).argmax(dim=-1) == targets
            shares.append(round(right[targets >= 0].float().mean().item(), 2))
        print(layers, steps, seed, shares, flush=True)
    one_layer, generator = nine["fresh_model"](nine["GPTConfig"](len(nine["words"]), nine["LENGTH"], 64, 4, 1), 9), torch.Generator().manual_seed(9)
    nine["train"](one_layer, lambda: nine["language_batch"](32, generator), steps=600)
    print("one layer, both: stories, chants", round(nine["story_score"](one_layer.eval()), 2), round(nine["chant_score"](one_layer), 2))


def anywhere(nine):
    """The reader, taught with chants in which another melody begins at a random place: exams, and melodies that begin at four places."""
    length = nine["LENGTH"]
    def batch(size, generator):
        inputs, targets = nine["language_batch"](size, generator)
        half, places = size // 2, torch.arange(length)
        (old, old_targets, _), (new, new_targets, _) = (nine["chants"](half, length, generator) for _ in range(2))
        start = torch.randint(1, length, (half, 1), generator=generator)
        since = (places - start).clamp(min=0)
        inputs[half:] = torch.where(places < start, old, new.gather(1, since))
        targets[half:] = torch.where(places < start, old_targets, new_targets.gather(1, since)).scatter(1, start - 1, -100)
        return inputs, targets
    for steps in (1200,):
        model = nine["fresh_model"](nine["GPTConfig"](len(nine["words"]), length, 64, 4, 2), seed=9)
        generator = torch.Generator().manual_seed(9)
        nine["train"](model, lambda generator=generator: batch(32, generator), steps=steps)
        right = {}
        for place in (0, 8, 16, 24):
            generator = torch.Generator().manual_seed(92)
            old = nine["chants"](200, length, generator)[0][:, :place]
            new, targets, _ = nine["chants"](200, length - place, generator, longest=12)
            guesses = model.eval()(torch.cat([old, new], dim=1)).argmax(dim=-1)[:, place:]
            right[place] = round((guesses == targets)[targets >= 0].float().mean().item(), 2)
        print(steps, round(nine["story_score"](model), 2), round(nine["chant_score"](model), 2), right, flush=True)


@torch.no_grad()
def shrink_quiet_heads(model, amount):
    """Shrink the columns of W_o that belong to each head, those of quiet heads more than those of loud ones."""
    for block in model.blocks:
        columns = block.attention.W_o.weight.unflatten(1, (block.attention.num_heads, -1))     # the same memory
        loudness = columns.square().sum(dim=(0, 2), keepdim=True).clamp(min=1e-9)              # (1, heads, 1)
        columns *= (1 - amount * loudness.mean() / loudness).clamp(min=0)


def under_the_rule(nine, model, seed):
    """200 more batches, with the rule after each step."""
    generator = torch.Generator().manual_seed(100 + seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(1, 201):
        rate = optimizer.param_groups[0]["lr"] = nine["learning_rate"](step, 3e-3, 10, 200)
        nine["train_step"](model, nine["language_batch"](32, generator), optimizer)
        shrink_quiet_heads(model, 8.0 * rate)
    return model.eval()


def lost(nine, model, off, whole):
    """Shares of right answers in chants and stories that are lost while these heads are off."""
    with ExitStack() as stack:
        for layer, head in off:
            stack.enter_context(nine["ablate_head"](model, layer, head))
        return whole[0] - nine["chant_score"](model), whole[1] - nine["story_score"](model)


def seeds(nine):
    """For each seed, as trained and after the rule: chants and stories that the worst head of each layer costs, what is right without layer 1."""
    config = nine["GPTConfig"](len(nine["words"]), nine["LENGTH"], 64, 4, 2)
    for seed in (9, 1, 2, 3, 4):
        model, generator = nine["fresh_model"](config, seed), torch.Generator().manual_seed(seed)
        nine["train"](model, lambda: nine["language_batch"](32, generator), steps=600)
        for rule in (False, True):
            model = under_the_rule(nine, model, seed) if rule else model.eval()
            whole = nine["chant_score"](model), nine["story_score"](model)
            cost = {one: lost(nine, model, [one], whole) for one in HEADS}
            worst = [round(max(cost[one][exam] for one in HEADS if one[0] == layer), 2) for layer in (0, 1) for exam in (0, 1)]
            gone = lost(nine, model, HEADS[4:], whole)
            print(f"seed {seed}, {'after the rule' if rule else 'as trained'}: right {whole[0]:.2f}, {whole[1]:.2f}; worst head of layer 0 "
                  f"{worst[:2]}, of layer 1 {worst[2:]}; right without layer 1 {whole[0] - gone[0]:.2f}, {whole[1] - gone[1]:.2f}", flush=True)
            if seed == 9:
                norms = [block.attention.W_o.weight.detach().unflatten(1, (4, -1)).norm(dim=(0, 2)) for block in model.blocks]
                print("    each head", [(round(chant, 2), round(story, 2)) for chant, story in cost.values()],
                      "norms", [[round(x, 1) for x in row.tolist()] for row in norms], flush=True)


class FixedWindow(nn.Module):
    """The embeddings of the last `window` words side by side, through one hidden layer (Bengio and others, 2003)."""

    def __init__(self, vocab, d_model, window, hidden):
        super().__init__()
        self.window, self.embedding = window, nn.Embedding(vocab + 1, d_model)
        self.net = nn.Sequential(nn.Linear(window * d_model, hidden), nn.GELU(), nn.Linear(hidden, vocab))

    def forward(self, ids):
        padded = F.pad(ids, (self.window - 1, 0), value=self.embedding.num_embeddings - 1)
        return self.net(self.embedding(padded.unfold(1, self.window, 1)).flatten(2))


class Recurrent(nn.Module):
    """A GRU that reads word after word."""

    def __init__(self, vocab, d_model):
        super().__init__()
        self.embedding, self.head = nn.Embedding(vocab, d_model), nn.Linear(d_model, vocab)
        self.rnn = nn.GRU(d_model, d_model, batch_first=True)

    def forward(self, ids):
        return self.head(self.rnn(self.embedding(ids))[0])


@torch.no_grad()
def chants_by_period(nine, model, periods=(12, 13, 14, 15, 16)):
    """Share of syllables right in new chants of one period, for each period."""
    shares = {}
    for period in periods:
        inputs, targets, _ = nine["chants"](100, nine["LENGTH"], torch.Generator().manual_seed(92), shortest=period, longest=period)
        right = model(inputs).argmax(dim=-1) == targets
        shares[period] = round(right[targets >= 0].float().mean().item(), 2)
    return shares


def count_trigrams(nine, batches=300):
    """How often each word followed each pair of words; called with ids like a model."""
    vocab, generator = len(nine["words"]), torch.Generator().manual_seed(9)
    table = torch.full((vocab ** 3,), 1e-3)
    for _ in range(batches):
        inputs, targets = nine["language_batch"](32, generator)
        grams = ((inputs[:, :-1] * vocab + inputs[:, 1:]) * vocab + targets[:, 1:])[targets[:, 1:] >= 0]
        table += torch.bincount(grams, minlength=vocab ** 3)
    pairs = table.view(vocab ** 2, vocab)
    return lambda ids: torch.cat([torch.zeros(len(ids), 1, vocab), pairs[ids[:, :-1] * vocab + ids[:, 1:]]], dim=1)


def contestants(nine):
    """1,200 batches each: right answers every 300 batches, and the chants by period at the end. Trigrams, counted in 300 batches."""
    vocab, trigrams = len(nine["words"]), count_trigrams(nine)
    print("trigrams", round(nine["story_score"](trigrams), 2), round(nine["chant_score"](trigrams), 2), flush=True)
    for name, make, peak in [("fixed window, 8", lambda: FixedWindow(vocab, 32, 8, 256), 4e-3),
                             ("fixed window, 16", lambda: FixedWindow(vocab, 24, 16, 200), 4e-3),
                             ("recurrent (GRU)", lambda: Recurrent(vocab, 128), 1e-2)]:
        torch.manual_seed(9)
        model, generator, rows = make(), torch.Generator().manual_seed(9), []
        def look_on(step, model, rows=rows):
            rows.append((step, round(nine["story_score"](model), 2), round(nine["chant_score"](model), 2)))
        nine["train"](model, lambda generator=generator: nine["language_batch"](32, generator), steps=1200, peak=peak, every=300,
                      watch=look_on)
        print(name, sum(p.numel() for p in model.parameters()), rows, chants_by_period(nine, model.eval()), flush=True)


def main():
    torch.set_num_threads(1)
    RUNS[sys.argv[1]](language9(ROOT))


RUNS = {one.__name__: one for one in (copies, rates, lessons, anywhere, seeds, contestants)}
if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in RUNS:
        raise SystemExit(f"say which runs: {', '.join(RUNS)}")
    main()
