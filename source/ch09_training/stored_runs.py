"""Makes the numbers that sections 9.5, 9.9 and 9.11 keep: the text without its copies, five seeds with and without the pruning rule, and
the contestants.

    python source/ch09_training/stored_runs.py copies         about two minutes
    python source/ch09_training/stored_runs.py seeds          about five minutes on one quiet core
    python source/ch09_training/stored_runs.py contestants    about two minutes

The language, the exams, `train` and `ablate_head` are the chapter's own.
"""

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
    nine = chapter_cells(ROOT, 9, "train_ids", "windows", "all_windows", "config", "held_out_loss", start=nine, shown=True)
    shared = {w[i:i + nine["RUN"]] for w, new in zip(nine["windows"], nine["is_new"].tolist()) if not new
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


def contestants(nine):
    """1,200 batches each: right answers every 300 batches, and the chants by period at the end."""
    vocab = len(nine["words"])
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
    {"copies": copies, "seeds": seeds, "contestants": contestants}[sys.argv[1]](language9(ROOT))


if __name__ == "__main__":
    if sys.argv[1:] not in (["copies"], ["seeds"], ["contestants"]):
        raise SystemExit("say which runs: copies, seeds, or contestants")
    main()
