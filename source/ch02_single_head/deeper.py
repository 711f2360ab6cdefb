# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 2 · Deeper: Queries, keys, values
#
# The controls behind sentences of [chapter 2](ch02_single_head.ipynb). Optional, and without exercises: nothing later needs
# it, and each section stands alone.

# %% tags=["setup"]
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)

# %% carry=["ch02_single_head: d_model, animal, farm, chase"]
# The farm of section 2.7, and two things that this notebook needs everywhere:
class Head(nn.Module):
    """One head with a scale of one's choice, in which two matrices may be one."""

    def __init__(self, d_k, scale=None, same=""):
        super().__init__()
        for name in ("W_q", "W_k", "W_v"):
            setattr(self, name, nn.Linear(d_model, d_k, bias=False))
        if same:
            setattr(self, same[:3], getattr(self, same[-3:]))
        self.scale = scale                                # None: 1 / √d_k

    def forward(self, x):
        parts = (layer(x) for layer in (self.W_q, self.W_k, self.W_v))
        return F.scaled_dot_product_attention(*parts, scale=self.scale)

def learn(head, readout, game=farm, steps=400, rate=0.003, falling=False, quieter=1):
    """Adam, with a rate that falls or not, and for W_q a smaller one; returns right
    answers to 2,000 new questions, and who asked.
    """
    head, readout = head.to(device), readout.to(device)
    others = {id(p): p for p in [*head.parameters(), *readout.parameters()]}
    asking = [others.pop(id(p)) for p in head.W_q.parameters()]
    optimizer = torch.optim.Adam([{"params": asking, "lr": rate / quieter},
                                  {"params": list(others.values())}], lr=rate)
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    generator = torch.Generator().manual_seed(1)
    for _ in range(steps):
        x, answer, _ = game(64, generator)
        loss = F.cross_entropy(readout(head(x)[:, -1]), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if falling:
            fall.step()
    x, answer, _ = game(2000, torch.Generator().manual_seed(99))
    with torch.no_grad():
        return readout(head(x)[:, -1]).argmax(dim=-1) == answer, x[:, -1]

# %% [markdown]
# ## What a mean can know
#
# Rivals that look at nothing in particular: the mirror of chapter 1 and a plain mean of all seven tokens, each with a
# trained read-out, and the mean with a hidden layer of 256 units, five times the steps and a falling rate.

# %% tags=["show", "tolerance-0.05"]
class Rival(Head):
    def forward(self, x):
        if self.scale is None:
            return x.mean(dim=1, keepdim=True)                        # (batch, 1, 32)
        return F.scaled_dot_product_attention(x, x, x, scale=self.scale)

hidden = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 6))
for name, rival, readout, options in [
        ("mirror", Rival(1, scale=1.0), nn.Linear(32, 6), {}),
        ("mean", Rival(1), nn.Linear(32, 6), {}),
        ("mean, hidden layer", Rival(1), hidden, {"steps": 2000, "falling": True})]:
    right, _ = learn(rival, readout, **options)
    print(f"{name:18s} share of right answers {right.float().mean():.2f}")
paint = torch.randint(6, (20_000, 6), generator=torch.Generator().manual_seed(3))
often = F.one_hot(paint, 6).sum(dim=1).amax(dim=1).float().mean() / 6
print(f"naming the colour that most of the six animals have: {often:.2f}")

# %% [markdown]
# The mirror guesses (one in six). The mean knows which colours occur, but not which animal has which: in a sum of names and
# colours that is not kept. The best it can do is to name the most frequent colour, and it does nearly that, with whatever
# read-out.
#
# ## Two matrices instead of three
#
# Section 2.7 trained each head once, for 400 steps at a constant rate. Here are three random starts each, and then five times
# the steps with a higher rate that falls to zero. For "chase" with `W_k = W_q` we look at each of the six animals that ask.

# %% tags=["show", "tolerance-0.15"]
who_asks = {"barks": farm, "chase": chase}
for longer in ({}, {"steps": 2000, "rate": 0.01, "falling": True}):
    print("2,000 steps, falling rate" if longer else "400 steps")
    for what, width, same in [("barks", 2, ""), ("barks", 2, "W_v = W_k"),
                              ("barks", 3, "W_v = W_k"), ("chase", 16, "W_k = W_q")]:
        shares, by_animal = [], []
        for seed in range(3):
            torch.manual_seed(seed)
            right, last = learn(Head(width, same=same), nn.Linear(width, 6),
                                who_asks[what], **longer)
            shares.append(round(right.float().mean().item(), 2))
            who = (last[:, None] - animal.to(device)).norm(dim=-1).argmin(dim=1)
            by_animal.append(sorted(
                round(right[who == n].float().mean().item(), 1) for n in range(6)))
        print(f"   {what}, d_k {width:2d}, {same or 'three matrices':14s}", shares,
              by_animal if what == "chase" else "")

# %% [markdown]
# Longer training helps the narrow heads, not the circle. "chase" with one matrix for query and key never gets beyond five of six animals: mostly one
# of them is guessed (0.2), and which one is up to the start; one start finds less than half for each of the six at first.
# The narrow head with one matrix for key and value reaches 0.44 to 0.70, and stays far behind three matrices, which answer
# everything in every start. With one more number for each key and value it reaches 0.92 to 0.99.
#
# ## The gradient without the scale
#
# At the start of the wide head of section 2.7 ($d_k = 512$), on 2,000 sentences: the gradient of the loss at the scores of
# each sentence's last token (as a norm for each sentence, times 2,000), and at $W_q$.

# %% tags=["show", "tolerance-0.1"]
for seed in range(6):
    row, at_matrix = [], []
    for scale in (None, 1.0):
        torch.manual_seed(seed)
        head, readout = Head(512), nn.Linear(512, 6)
        x, answer, _ = farm(2000, torch.Generator().manual_seed(1))
        q, k, v = (layer(x.cpu()) for layer in (head.W_q, head.W_k, head.W_v))
        scores = q[:, -1:] @ k.mT * (scale or 512 ** -0.5)             # (2000, 1, 7)
        scores.retain_grad()
        loss = F.cross_entropy(readout(scores.softmax(dim=-1) @ v)[:, 0], answer.cpu())
        loss.backward()
        each = 2000 * scores.grad.norm(dim=-1)
        row.append(f"median {each.median():.3f} mean {each.mean():.3f}")
        at_matrix.append(head.W_q.weight.grad.norm().item())
    print(f"start {seed}, at the scores: scaled {row[0]}, unscaled {row[1]}; "
          f"at W_q {at_matrix[0]:.3f} and {at_matrix[1]:.3f}, "
          f"{at_matrix[1] / at_matrix[0]:.0f} times as large")

# %% [markdown]
# At the scores the median falls to a ninth or less, and the mean to about a third. (With seven keys queries are less silent
# than with the 16 of section 2.4.) At $W_q$ this is multiplied by how far a score moves with $W_q$, 23 times as far as with
# the scale: so the gradient there is 6 to 11 times as large, and most of it comes from few sentences.
#
# ## The start or the step?
#
# Without the scale two things are different: the scores of the first step are $\sqrt{512} \approx 23$ times as large, and each
# step of Adam, which moves a matrix about equally far whatever the size of its gradient, moves the scores 23 times as far.
# A start of $W_q$ that is 23 times as small takes back the first, a rate for $W_q$ that is 23 times as small the second. With
# both, the head is the scaled one, written differently.

# %% tags=["show", "tolerance-0.4"]
def unscaled(seed, small_start=False, small_step=False, **options):
    torch.manual_seed(seed)
    head, readout = Head(512, scale=1.0), nn.Linear(512, 6)
    if small_start:
        with torch.no_grad():
            head.W_q.weight.div_(512 ** 0.5)
    right, _ = learn(head, readout, rate=0.001, **options,
                     quieter=512 ** 0.5 if small_step else 1)
    return round(right.float().mean().item(), 2)

for start, step in [(False, False), (True, False), (False, True), (True, True)]:
    shares = [unscaled(seed, start, step, steps=80) for seed in range(6)]
    print(f"small start: {start!s:5}  small step: {step!s:5}  {shares}")
print("neither, 400 steps, falling rate:      ",
      [unscaled(seed, steps=400, falling=True) for seed in range(6)])

# %% [markdown]
# Neither change alone is enough, and both together are. The first row is the unscaled head of section 2.7, whose numbers
# are multiplied in another order: rounding alone moves its runs (0.84 there, 0.75 here). With five times the steps and a
# rate that falls to zero it is the same runs that fail.
