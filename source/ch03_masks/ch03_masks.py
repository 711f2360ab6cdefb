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
# # 3 · Hiding the future
#
# *100 minutes · ●●○○○ · 6 exercises, 13 points · you need chapters 1 and 2*
#
# In a few seconds you will train a small attention model that guesses the next roll of a fair die. At seven of its
# eight positions it is right every time. Nobody can do that. **How does it do it, and how do you make sure that no
# model of yours ever does?**
#
# **After this chapter you can**
#
# - build a causal mask, and say why the answer must be hidden *before* softmax;
# - keep rows with nothing to look at free of NaN, in the value and in the gradient;
# - hide padding in a batch of sentences of different lengths, and combine masks;
# - read the three mask conventions that you will meet in PyTorch without mixing them up;
# - drop attention weights during training without changing their average;
# - test any attention function for leaks, instead of trusting a picture of it.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(3)
torch.set_num_threads(1)  # for tiny tensors, more threads only wait for each other
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix, show,
                             worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 3.1 The model that predicts dice
#
# The model reads eight rolls of a die. At each position it guesses the roll that comes next. It is the
# attention of chapter 2 with an embedding below (which face, at which position) and a linear layer on top that
# scores the six faces. How it attends is a function that we hand in: the part this chapter changes.

# %%
class DiceReader(nn.Module):
    """Reads rolls of a die; guesses, at each position, the roll that comes next."""

    def __init__(self, attend, length=8, d_model=32):
        super().__init__()
        self.attend = attend
        self.face = nn.Embedding(6, d_model)
        self.place = nn.Embedding(length, d_model)
        self.W_q, self.W_k, self.W_v = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.head = nn.Linear(d_model, 6)

    def forward(self, rolls):                                      # (batch, seq)
        # (batch, seq, d_model)
        x = self.face(rolls) + self.place.weight[:rolls.size(1)]
        output, weights = self.attend(self.W_q(x), self.W_k(x), self.W_v(x))
        return self.head(output), weights  # (batch, seq, 6), (batch, seq, seq)

def attend_to_all(q, k, v):
    """Chapter 2's attention: every query sees every key."""
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% [markdown]
# Every training step throws 128 new games of nine rolls. The first eight are the input; the targets are the
# same rolls moved by one, so each position has its own next roll to guess.

# %%
def train_on_dice(attend, steps=300):
    with torch.random.fork_rng(devices=[]):       # the same start for every model here
        torch.manual_seed(33)
        model = DiceReader(attend).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(33)
    for _ in range(steps):
        rolls = torch.randint(6, (128, 9), generator=generator).to(device)
        logits, _ = model(rolls[:, :-1])                            # (128, 8, 6)
        loss = F.cross_entropy(logits.flatten(0, 1), rolls[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model

@torch.no_grad()
def play_dice(model, games=4000):
    """Loss and hit rate at each of the eight positions, and the mean weights, on new
    games.
    """
    generator = torch.Generator().manual_seed(34)
    rolls = torch.randint(6, (games, 9), generator=generator).to(device)
    logits, weights = model(rolls[:, :-1])
    loss = F.cross_entropy(
        logits.transpose(1, 2), rolls[:, 1:], reduction="none").mean(0)
    hits = (logits.argmax(-1) == rolls[:, 1:]).float().mean(0)
    return loss.cpu(), hits.cpu(), weights.mean(0).cpu()

# %% [markdown]
# A fair die leaves nothing to learn. The best possible guess is right one time in six, 17%, and the best possible
# loss is $\ln 6 = 1.79$.
#
# **Predict, then run.** At one of the eight positions the trained model is no better than the die. At which one?

# %% tags=["show"]
guess_place = None       # type a number from 0 to 7, then run the next cell

# %% tags=["show", "tolerance-0.05"]
cheater = train_on_dice(attend_to_all)
loss_all, hits_all, looks = play_dice(cheater)

print("position            ", *(f"{i:5d}" for i in range(8)))
print("right, in %         ", *(f"{100 * hit:5.0f}" for hit in hits_all.tolist()))
print("loss (the die: 1.79)", *(f"{loss:5.2f}" for loss in loss_all.tolist()))
check_guess(
    "position that is no better than the die", guess_place, hits_all.argmin().item())

# %% [markdown]
# Right every time, except at position 7. There the model is right as often as anyone, and its loss is worse than 1.79, the
# price of being sure without a reason. What is different at the last position? Look at where the model looks.

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.3))
left.bar(range(8), loss_all.tolist(), color=OKABE_ITO[0])
left.axhline(torch.tensor(6.).log(), color=OKABE_ITO[3], linestyle="--")
left.text(-0.4, 1.84, "ln 6: best without looking ahead", color=OKABE_ITO[3])
if guess_place is not None:
    draw_guess(left, guess_place, axis="x")
    left.legend(frameon=False)
left.set(xlabel="position", xticks=range(8), ylabel="loss on new games",
         title="Near 0 everywhere but at position 7")
draw_matrix(
    right, looks, title="Rows 0 to 6 look one to the right", limits=(0, 1), digits=1)
right.set(xlabel="key: roll looked at", ylabel="query: position that guesses")
show(fig, alt="Left: bars of the loss at positions 0 to 7; the first seven are near "
              "zero, far below a dashed line at ln 6 = 1.79, the last one is above it. "
              "Right: an 8 by 8 heatmap of weights; in rows 0 to 6 all the weight lies "
              "one cell right of the diagonal.")

# %% [markdown]
# The roll to guess at position $i$ is the *input* at position $i+1$. Has the model learned to read it there? We exchange one
# roll of the input, at position 4, for a new throw. If the model copies, its guess at position 3 is the new throw, not the old one.

# %% tags=["show", "tolerance-0.05"]
games = torch.randint(6, (4000, 9), generator=torch.Generator().manual_seed(35))
exchanged = games.clone()
exchanged[:, 4] = torch.randint(6, (4000,), generator=torch.Generator().manual_seed(36))
with torch.no_grad():
    guesses = cheater(exchanged[:, :-1].to(device))[0].argmax(-1)[:, 3].cpu()
for name, rolls in [("new", exchanged), ("old", games)]:
    share = (guesses == rolls[:, 4]).float().mean()
    print(f"the guess at position 3 is the {name} throw in {100 * share:.0f}% of 4,000 "
          "games")

# %% [markdown]
# It copies. Only position 7 has nothing on its right, and only position 7 is honest.
#
# Position 7 is what using the model looks like: it is asked for a roll that has not been thrown. A model that
# learned to copy has learned nothing for that moment, and its training loss, low at seven positions of eight, hides it. Language
# models are trained in the same way, with words instead of rolls. The rest of the chapter takes the answer away.

# %% [markdown]
# ## 3.2 Who may see whom
#
# Our running sentence again (it and its 18 numbers come from S. Raschka's *Build a Large Language Model (From Scratch)*,
# chapter 3). One sentence of six words holds five exercises in guessing, and a transformer does all five in one pass:

# %%
tokens = "Your journey starts with one step".split()
x = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                  [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])  # (6, 3)

for i in range(5):
    past, following = " ".join(tokens[:i + 1]), tokens[i + 1]
    print(f"position {i} may read  {past:29} and must guess  {following}")

# %% [markdown]
# For each position we need a list of the positions it may see. A **mask** is that list for all of them: a
# table with a row for each query and a column for each key, `True` where the query *may attend*. Here it is for
# six tokens, drawn by hand.

# %%
picture = """
x . . . . .
x x . . . .
x x x . . .
x x x x . .
x x x x x .
x x x x x x"""
allowed = torch.tensor([[cell == "x" for cell in row.split()]
                        for row in picture.split("\n")[1:]])
print(allowed.dtype, tuple(allowed.shape))
seen = [token for token, may in zip(tokens, allowed[2].tolist()) if may]
print(f"row 2, {tokens[2]!r}, may see:", seen)

# %% [markdown]
# Read it along a row: "starts" sees "Your", "journey" and itself. A token may look at itself, because it is not
# what has to be guessed. Such a mask is called **causal**: an effect never comes before its cause.
#
# ### Exercise 3.1 · Causal mask · 1 point · about 5 minutes
#
# Drawing this for 1,024 tokens by hand is no option. Write a function that makes the mask for any length, one token
# included, as a boolean tensor <!-- asks: sizes -->, on the device it is asked for, a name or a `torch.device`; `None`
# means the default one <!-- asks: device -->.
#
# <details><summary>Hint 1</summary>Which two numbers decide whether a cell is True?</details>
# <details><summary>Hint 2</summary>A column of row numbers and a row of column numbers broadcast to a table. PyTorch also has a function that keeps one triangle of a matrix; mind the dtype and the diagonal.</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(seq, device=None):
    """Who may see whom when the future is hidden.

    Returns a boolean tensor (seq, seq) on `device`:
    True where query i (row) may see key j (column).
    """
    ### BEGIN SOLUTION
    return torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    ### END SOLUTION

# %% tags=["uses-exercise"]
# "Your" sees itself; "journey" sees both.
ab.beside([[True, False], [True, True]], lambda: causal_mask(2))

# %% nbgrader={"grade": true, "grade_id": "ch03_causal_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.1: position i may see positions 0 to i, and nothing else."""
def counted_(n):
    return ab.case(f"{n} tokens (any length is asked for): row i sees i + 1 of them",
                   ask=lambda f: f(n).sum(-1).tolist() == list(range(1, n + 1)))

ab.check("3.1 causal mask", causal_mask, [
    ab.case("4 tokens", 4, look="dtype values"),
    *(ab.case(f"4 tokens on the device {device!r}", 4, device=device, look="device")
      for device in ("meta", torch.device("meta"))),
    counted_(1), counted_(7), counted_(4200),
], "seq, device -> the mask")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.1 causal mask", causal_mask, cases, like=reference("causal_mask"))

# Property: right for any length, from a single token to more than a thousand [sizes]
tried(*(ab.case(f"{n} tokens", n, look="dtype values") for n in (1, 2, 7, 13)),
      *(ab.case(f"{n} tokens, how many are seen by each row, and see each column",
                ask=lambda f, n=n: [f(n).sum(-1), f(n).sum(-2)]) for n in (151, 1103)))
# Property: the device may be given as a name or as a torch.device, and None means the default one [device]
tried(ab.case("device=None", 5, device=None),
      ab.case("on another device", 5, torch.device("meta"), look="device"))
### END HIDDEN TESTS

# %% [markdown]
# ## 3.3 Hide first, then softmax
#
# So that you can follow by hand, let $q = k = v = x$, the embeddings themselves. The scores of "starts"
# with all six words, and the weights that softmax makes of them:

# %%
scores = x @ x.T / 3 ** 0.5                # (6, 6)
row = scores[2]                            # query "starts"

print("scores ", row)
print("weights", row.softmax(dim=-1))
print(f"share of the weights on the future: {row.softmax(dim=-1)[3:].sum():.2f}")

# %% [markdown]
# Softmax makes each weight from $e^{\text{score}}$, which is never zero. A key gets nothing only if its score
# is $-\infty$, because $e^{-\infty} = 0$. So we overwrite the scores of the future *before* softmax:
#
# $$\mathrm{weights}_{ij} = \mathrm{softmax}_j\!\left(s_{ij}\ \text{ if key } j \text{ is allowed, else } {-\infty}\right)$$

# %%
hidden = row.clone()
hidden[3:] = -torch.inf
print("scores ", hidden)
print("weights", hidden.softmax(dim=-1))
print("in a sentence of three words:", row[:3].softmax(dim=-1))

# %% [markdown]
# The last two lines agree number by number: the weights of "starts" are what they would be in a sentence
# that ends there. The mask does this to all rows at once:

# %%
before = scores.softmax(dim=-1)
masked_scores = scores.masked_fill(~allowed, -torch.inf)     # fill where not allowed
after = masked_scores.softmax(dim=-1)                        # (6, 6)
print("row sums:", after.sum(-1))

# %% tags=["show"]
fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.7))
future_share = before[~allowed].sum() / 6
draw_matrix(
    axes[0], before, tokens, tokens,
    f"Before: {future_share:.0%} of all weight lies on the future", limits=(0, 1))
stairs = [[i + side for i in range(6) for _ in range(2)] for side in (0.5, -0.5)]
draw_matrix(axes[1], after, [""] * 6, tokens, "After: each row shares 1 among its past",
            limits=(0, 1))
axes[0].plot(stairs[0][:-1], stairs[1][1:], color=OKABE_ITO[3])
axes[0].set(xlabel="key", ylabel="query")
axes[1].set(xlabel="key")
show(fig, alt="Two 6 by 6 heatmaps of weights. Left, before masking: all cells between "
              "0.12 and 0.21, an orange staircase marks the future. Right, after "
              "masking: the cells above the diagonal are 0, the first row is 1, 0, 0, "
              "0, 0, 0 and the last row is unchanged.")

# %% [markdown]
# Orange marks the future on the left. On the right "Your" can only look at itself, so its weight is 1; the last
# row, "step", has no future and stays as it was.
#
# ### A row with nothing to look at
#
# What if *all* keys of a query are hidden? It happens: section 3.5 shows a batch with such rows.
# Softmax must then share 1 among no keys. We take it in three steps: the value, the gradient, the repair.
#
# **Step 1, the value.**

# %%
nobody = torch.zeros(4, dtype=torch.bool)
s = torch.tensor([0.2, -1.0, 0.5, 0.1])

print("filled with -inf:", s.masked_fill(~nobody, -torch.inf).softmax(dim=-1))
print("filled with -1e9:", s.masked_fill(~nobody, -1e9).softmax(dim=-1))
print("-1e9 in float16: ", torch.tensor(-1e9).half().item(),
      "  the lowest float16:", torch.finfo(torch.float16).min)
try:
    s.half().masked_fill(~nobody, -1e9)
except RuntimeError:
    print("masked_fill(-1e9) in float16: RuntimeError")

# %% [markdown]
# Three answers, none of them good. With $-\infty$ the row is $0/0$, NaN. With $-10^9$, often seen in code as "the
# same thing", all scores are equal again and the row quietly spreads its weight *evenly over what it should not
# see*. And in half precision $-10^9$ does not fit: it becomes $-\infty$, or `masked_fill` raises.
#
# Our rule: **a query that has nothing to look at gets zero weights and a zero output.**
#
# **Step 2, the gradient.** A tempting repair: let the NaN happen and replace it after softmax (`nan_to_num`). That repairs the
# value. Whether it repairs the gradient depends on how the $-\infty$ got into the scores, and there are two ways: *add*
# a table of $0$ and $-\infty$, or *fill* it in with `masked_fill`. Here "starts" sees nothing. As a control
# we also leave "starts" out of the loss altogether: that is the gradient which an empty row should give.

# %%
sees = allowed.clone()
sees[2] = False                                             # "starts" sees nothing
table = torch.zeros(6, 6).masked_fill(~sees, -torch.inf)    # 0 or -inf

def added(s):
    return (s + table).softmax(dim=-1).nan_to_num()

def filled(s):
    return s.masked_fill(~sees, -torch.inf).softmax(dim=-1).nan_to_num()

def only_causal(s):
    return s.masked_fill(~allowed, -torch.inf).softmax(dim=-1)

def gradient_of_W(hide, rows):
    W = torch.eye(3, requires_grad=True)                    # stands for W_q
    weights = hide(x @ W @ x.T / 3 ** 0.5)
    (weights @ x)[rows].square().sum().backward()
    return weights.detach(), W.grad

# %% [markdown]
# **Predict, then run.** The gradient of `W` has 9 numbers. How many of them are NaN with the added table, how many with
# `masked_fill`?

# %% tags=["show"]
guess_added, guess_filled = None, None       # type two numbers from 0 to 9, then run

# %%
every, without_starts = [0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5]
cases = {"added": (added, every), "masked_fill": (filled, every),
         "control": (only_causal, without_starts)}
gradients = {}
for name, (hide, rows) in cases.items():
    weights, gradients[name] = gradient_of_W(hide, rows)
    print(f"{name:12} weights of 'starts' {[round(w, 2) for w in weights[2].tolist()]}")
for name, gradient in gradients.items():
    print(f"{name:12} first row of the gradient {gradient[0]}")

# %% tags=["show"]
check_guess("NaN in the gradient, table added", guess_added,
            gradients["added"].isnan().sum().item())
check_guess("NaN in the gradient, masked_fill", guess_filled,
            gradients["masked_fill"].isnan().sum().item())

# %% [markdown]
# The weights of both are clean. (The control's row is not empty, it is only left out of the loss.) The gradients are not
# alike: with the added table all nine numbers are NaN, with `masked_fill` they are the control's, number by number. All rows share
# `W`, so with the added table one empty row in one sentence of the batch ruins every weight at the next step. Why only
# there? We watch the gradient of row "starts" at two places on its way back:

# %%
for name in ("added", "masked_fill"):
    s = (x @ x.T / 3 ** 0.5).requires_grad_()
    hidden = s + table if name == "added" else s.masked_fill(~sees, -torch.inf)
    hidden.retain_grad()
    (hidden.softmax(dim=-1).nan_to_num() @ x).square().sum().backward()
    print(f"{name:12} behind softmax {hidden.grad[2, :3].tolist()}"
          f"   at the scores {s.grad[2, :3].tolist()}")

# %% [markdown]
# Behind softmax both are NaN: the way back through softmax multiplies by the weights of the row, which are NaN, and zero
# times NaN is NaN. Then they differ. Adding passes its gradient on as it came. Filling had thrown the old score
# away, so nothing can flow to it: its way back *writes* 0 there, and a written 0 stops the NaN, as a multiplication by
# 0 would not. In an empty row every score was filled, so the NaN ends there.
#
# **Step 3, the repair.** `masked_fill` with `nan_to_num` is a right answer. It is right thanks to the operation that hid the
# scores, and code that you call may add instead. What works with both: see to it that no row of
# $-\infty$ ever meets softmax. In section 3.4 the empty row comes back in a division, and there filling does
# not always save the gradient.
#
# ### Exercise 3.2 · Masked attention · 3 points · about 15 minutes
#
# Scaled dot-product attention as in chapter 2, with a mask. The [house rules](#house-rules) hold; one point each for
#
# - *values*: one sentence, with a mask and without one, of any sizes and for any pattern of the mask, which stays as it
#   is <!-- asks: sizes, values, inputs-unchanged -->;
# - *empty rows*: a row with nothing to attend to gives zero weights and a zero output, also where a whole sentence of a batch sees
#   nothing; the gradients of `q`, `k`, `v` hold no NaN and are those of the other rows <!-- asks: masked-row, empty-sentence, gradient -->;
# - *everything in front*: the other rules <!-- asks: leading-dims, non-contiguous, device -->; masks that broadcast to
#   the scores <!-- asks: broadcast -->, half precision (`float16`), scores of ±10,000 and more. What is hidden must make
#   no difference at all, as long as it and its scores are finite numbers <!-- asks: large-scores, no-trace -->.
#
# <details><summary>Hint 1</summary>The steps have an order: scores, scale, hide, softmax, mix. Which ones know the mask?</details>
# <details><summary>Hint 2</summary>Ask for each row: is there any key that it may see? Keep that axis, so that the answer broadcasts against the weights.</details>
# <details><summary>Hint 3</summary>If an empty row never meets softmax as a row of −∞, nothing can go wrong in it, forward or backward. What goes in does not matter as long as the weights that come out are set to zero.</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_masked_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_attention(q, k, v, mask=None):
    """Attention of every query over the keys that it may see.

    q: (..., seq_q, d_k)   k: (..., seq_k, d_k)   v: (..., seq_k, d_v)
    mask: boolean, True = may attend, broadcastable to (..., seq_q, seq_k); None hides
    nothing.
    Returns (output, weights): (..., seq_q, d_v) and (..., seq_q, seq_k).
    A query that may see nothing gets zero weights and a zero output.
    """
    ### BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5       # (..., seq_q, seq_k)
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        empty = ~mask.any(dim=-1, keepdim=True)                # (..., seq_q, 1)
        scores = scores.masked_fill(~(mask | empty), -torch.inf)
        weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)
    return weights @ v, weights
    ### END SOLUTION

# %% tags=["uses-exercise"]
q = k = torch.zeros(2, 1)                        # all scores are equal
v = torch.tensor([[1.], [3.]])
mask = torch.tensor([[True, False],              # query 0 sees key 0
                     [True, True]])              # query 1 sees both
# Output and weights: query 0 takes the 1, query 1 the mean of 1 and 3.
ab.beside(([[1.0], [2.0]], [[1.0, 0.0], [0.5, 0.5]]),
          lambda: masked_attention(q, k, v, mask))

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.2, values: two queries, three keys, with a mask and without one."""
q_ = torch.tensor([[2., 0., 2., 0.], [0., 1., 0., 3.]])                         # (2, 4)
k_ = torch.tensor([[1., 1., 0., 0.], [0., 1., 0., 1.], [1., 0., 1., 0.]])       # (3, 4)
v_ = torch.tensor([[1., 0.], [0., 1.], [2., 2.]])                               # (3, 2)
mask_ = torch.tensor([[1, 1, 0], [0, 1, 1]]).bool()
ab.check("3.2 values", masked_attention, [
    ab.case("q (2, 4), k (3, 4), v (3, 2), a mask (2, 3)", q_, k_, v_, mask_),
    ab.case("the same without a mask", q_, k_, v_),
    ab.case("one key, without a mask", q_, k_[:1], v_[:1]),
    ab.case("each of three tokens sees the two others, in equal shares",
            *3 * [torch.eye(3)], ~torch.eye(3).bool()),
    ab.case("the inputs stay as they are, with a row that sees nothing",
            q_, k_, v_, mask_ & torch.tensor([[False], [True]]), look="inputs"),
], "q, k, v, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.2 values", masked_attention, cases, like=reference("masked_attention"))

def sized(n_q, n_k, d, d_v):
    inputs = [ab.numbers(*shape, seed=n)
              for n, shape in enumerate([(n_q, d), (n_k, d), (n_k, d_v)], 31)]
    i, j = torch.arange(n_q)[:, None], torch.arange(n_k)
    mask = (ab.numbers(n_q, n_k, seed=34) > 0) | (i % n_k == j % n_q)
    words = f"{n_q} queries, {n_k} keys, d_k = {d}, d_v = {d_v}"
    return (ab.case(words, *inputs, mask, within=0.01),
            ab.case(f"{words}, without a mask", *inputs, within=0.01))

# Property: other sizes, all different, with a mask and without one [sizes]
tried(*(case for sizes in [(7, 13, 11, 2), (13, 5, 3, 17), (7, 2, 1, 3)]
        for case in sized(*sizes)))
# Property: the mask is used as given, whatever its pattern: not every mask is causal [values]
tried(ab.case("each of five tokens sees the four others", *3 * [torch.eye(5)],
              ~torch.eye(5).bool()))
# Property: queries, keys, values and mask are not modified [inputs-unchanged]
tried(ab.case("5 tokens", *(ab.numbers(5, 3, seed=n) for n in (35, 36, 37)),
              ab.numbers(5, 5, seed=38) > 0, look="inputs"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check_empty", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.2, empty rows: query 0 may see nothing."""
def plus_one_(attend, *inputs):
    return [1 + part for part in attend(*inputs)]

one_ = ab.case("query 0 sees nothing, query 1 two keys of three", q_, k_, v_,
               torch.tensor([[0, 0, 0], [1, 1, 0]]).bool())
nobody_ = ab.case("a batch of heads in which nobody sees anything",
                  *(ab.numbers(2, 3, *shape) for shape in ((2, 4), (3, 4), (3, 5))),
                  torch.zeros(2, 3, 2, 3).bool())
ab.check("3.2 empty rows", masked_attention, [
    one_,
    nobody_,
    *(case.but(f"{case.words}: the gradient of 1 + output and of 1 + weights",
               ask=plus_one_, look=("gradient",)) for case in (one_, nobody_)),
], "q, k, v, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.2 empty rows", masked_attention, [one_, *cases],
             like=reference("masked_attention"))

def seeing(words, mask, **options):
    front = mask.shape[:-2]
    return ab.case(words, *(ab.numbers(*front, *shape, seed=n) for n, shape in
                            enumerate([(7, 5), (11, 5), (11, 2)], 41)), mask,
                   within=0.01, **options)

mask = (ab.numbers(2, 3, 7, 11, seed=44) > 0) | (torch.arange(11) == 4)
mask[0, :, 3], mask[1, 0, 0], mask[1, 2, 6] = False, False, False
# Property: empty rows anywhere in a batch of heads give zeros, the other rows are untouched [masked-row]
tried(seeing("a batch of heads, four empty rows among others", mask),
      seeing("a mask (7, 1): every second query sees nothing",
             (torch.arange(7) % 2 == 1)[:, None]),
      ab.case("a query of zeros is no empty row", torch.eye(2, 3) - torch.eye(2, 3),
              ab.numbers(4, 3), ab.numbers(4, 2), torch.ones(2, 4).tril(2).bool()))
# Property: a sentence in which nobody may see anything gives zeros everywhere and finite gradients [empty-sentence]
mask = torch.ones(3, 2, 7, 11).bool()
mask[1] = False
tried(seeing("one empty sentence of three", mask),
      seeing("its gradient", mask, ask=plus_one_, look="gradient"))
# Property: gradients are free of NaN through the output and through the weights, and those of the other rows are right [gradient]
mask = ab.numbers(2, 3, 7, 11, seed=45) > 0
mask[..., 3, :] = False
tried(seeing("the gradient beside empty rows", mask, look="gradient"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check_any", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.2, everything in front: batches, heads, large scores, float16."""
q_, k_, v_ = (ab.numbers(2, 3, 4, d, seed=d) for d in (5, 5, 6))
mask_ = torch.ones(4, 4).tril(1).bool()
one_ = ab.case("2 sentences, 3 heads, a mask (4, 4)", q_, k_, v_, mask_)
bare_ = ab.case("one sentence", q_[0, 0], k_[0, 0], v_[0, 0], mask_)

def large_(score, dtype=torch.float32):
    numbers = torch.tensor([[-score / 100], [100.], [-100.]], dtype=dtype)
    return ab.case(f"a score of −{score} beside a hidden one of {score} in {dtype}",
                   numbers[:1], numbers[1:], 0 * numbers[1:],
                   torch.tensor([[True, False]]))

def masked_(mask, words):
    return ab.case(f"a mask {tuple(mask.shape)}, {words}", q_, k_, v_, mask)

ab.check("3.2 everything in front", masked_attention, [
    one_,
    *ab.house_rules(bare_, only="axes"),
    masked_(mask_[0], "the same for every query"),
    masked_(torch.stack([mask_, mask_ | ~mask_, mask_.T]), "one for each head"),
    masked_(mask_[:2, None, None], "one for each sentence"),
    one_.but("float16", args=(q_.half(), k_.half(), v_.half(), mask_),
             look=("dtype", "values"), within=0.02),
    large_(10000), large_(100000), large_(3000000),
    large_(20000, torch.float16), large_(40000, torch.float16),
    *ab.house_rules(one_, only="views float64 device"),
    ab.case("on another device, without a mask", q_, k_, v_, look="device"),
], "q, k, v, mask -> output, weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.2 everything in front", masked_attention, [one_, *cases],
             like=reference("masked_attention"))

def seeing(words, front, mask, **options):
    return ab.case(words, *(ab.numbers(*front, *shape, seed=n) for n, shape in
                            enumerate([(7, 11), (13, 11), (13, 5)], 51)),
                   mask | (torch.arange(13) == 2), **options)

# Property: works with any number of leading dimensions, in float32 and float64 [leading-dims]
fronts = [seeing(f"{front} in front", front, ab.numbers(*front, 7, 13, seed=54) > 0)
          for front in [(), (3,), (3, 2), (2, 1, 3), (2, 1, 3, 1)]]
tried(*fronts, *ab.house_rules(fronts[2], only="float64"),
      ab.case("(3, 2) in front, without a mask", *fronts[2].args[:3]))
# Property: masks of fewer or smaller axes broadcast to the scores [broadcast]
tried(*(seeing(f"a mask {shape}", (3, 2), ab.numbers(*shape, seed=55) > 0)
        for shape in [(13,), (1, 13), (7, 13), (7, 1), (2, 7, 13), (3, 1, 1, 13),
                      (3, 1, 7, 13), (3, 2, 1, 13), (1, 1, 7, 13)]))
# Property: works for inputs that are not contiguous in memory [non-contiguous]
tried(*ab.house_rules(fronts[2], only="views"),
      seeing("a mask that is a view", (3, 2), (ab.numbers(13, 7, seed=56) > 0).T))
# Property: hides tokens however large their scores are [large-scores]
q, k, v = (ab.numbers(2, 7, d, seed=d).double() for d in (3, 4, 5))
q, k, causal = 300 * q, 300 * k[..., :3], torch.ones(7, 7).tril().bool()
tried(ab.case("scores of ±100000", q, k, v, causal),
      *(large_(score) for score in (-10000, 50000, -100000)))
# Property: changing what is hidden changes nothing [no-trace]
loud = torch.tensor([1., 1., 1., 1., -50., 70., -100.])[:, None].double()
tried(ab.case("the last three tokens 100 times as large", q, loud * k, loud * v, causal,
              within=1e-7))
# Property: works on the device of its inputs: nothing is made on the CPU by default [device]
tried(*(ab.case("on another device", q, k, v, *mask, look="device")
        for mask in ((), (causal,))))
### END HIDDEN TESTS

# %% tags=["uses-exercise"]
q, k, v = (torch.randn(2, 4, 6, 8) for _ in range(3))     # (batch, heads, seq, d_head)
yours, _ = masked_attention(q, k, v, causal_mask(6))
pytorch = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(f"outputs between {pytorch.min():.1f} and {pytorch.max():.1f}")
print(f"largest difference to PyTorch's own: {(yours - pytorch).abs().max():.5f}")

# %% [markdown]
# ## 3.4 Softmax first, then hide
#
# Why not the other way round: leave the scores alone and set the unwanted *weights* to zero? That is one line.
# **What breaks if** we do it?

# %%
def triangle_after(q, k, v):
    """Softmax over all keys; then the weights of the future are set to zero."""
    _, weights = attend_to_all(q, k, v)
    weights = weights.tril()                     # zero above the diagonal
    return weights @ v, weights

_, triangle = triangle_after(x, x, x)
print("sum of each row:", triangle.sum(-1))

# %% [markdown]
# Rows no longer sum to 1: "Your" keeps only 0.19 of itself, and early words get faint outputs. But all weights above the
# diagonal are 0, so it seems that no word sees its future. Does any?
#
# **Predict, then run.** We replace the last word, "step", by a word with another embedding. The first five
# words stay. In how many of the first five rows of the triangle will a weight change?

# %% tags=["show"]
guess_rows = None       # type a number from 0 to 5, then run the next cells

# %%
other = x.clone()
other[5] = torch.tensor([1.5, 1.2, 1.8])                # another last word
_, triangle_2 = triangle_after(other, other, other)

moved = (triangle - triangle_2).abs().amax(dim=-1)  # (6,): largest change in each row
for token, change in zip(tokens[:5], moved.tolist()):
    print(f"{token:8} {change:.3f}")

# %% tags=["show"]
check_guess("rows that change", guess_rows, (moved[:5] > 1e-3).sum().item())
fig, axes = plt.subplots(1, 3, figsize=(8.4, 3.3))
tokens_2 = tokens[:5] + ["other"]
draw_matrix(
    axes[0], triangle, tokens, tokens, "The last word is “step”", limits=(0, 0.6))
draw_matrix(axes[1], triangle_2, tokens_2, tokens_2, "The last word is “other”",
            limits=(0, 0.6))
yours = "" if guess_rows is None else f" (you said {guess_rows})"
title = f"Difference: {(moved[:5] > 1e-3).sum()} of 5 rows moved{yours}"
draw_matrix(axes[2], triangle_2 - triangle, tokens_2, tokens_2, title, cmap="PuOr",
            limits=(-0.2, 0.2))
axes[0].set(xlabel="key", ylabel="query")
show(fig,
     alt="Three 6 by 6 heatmaps. The first two are triangles of weights, zero above "
         "the diagonal, for two different last words. The third is their difference: "
         "negative in every cell on and below the diagonal of rows 0 to 4.")

# %% [markdown]
# All five. The matrix is a perfect triangle, and every row of it depends on the last word. A weight is
# $e^{s_{ij}}$ divided by a sum over **all** keys, and that sum was taken while the future was still there. What
# we zeroed is gone; what it did to the sum is not.
#
# **Predict, then run.** Can a model use such a small trace? We train it on the dice. How many times as often as chance will it be
# right at positions 0 to 6: 1 would be the die, 6 is always.

# %% tags=["show"]
guess_luck = None       # type a number from 1 to 6, then run the next cell

# %% tags=["show", "tolerance-0.12"]
leaker = train_on_dice(triangle_after)
loss_triangle, hits_triangle, _ = play_dice(leaker)

def row_sums_of_another_game(q, k, v):
    """The triangle's weights, but each row is rescaled to the sum it has in another
    game.
    """
    _, weights = triangle_after(q, k, v)
    sums = weights.sum(-1, keepdim=True)
    weights = weights / sums * sums.roll(1, dims=0)
    return weights @ v, weights

def weights_of_another_game(q, k, v):
    """Another game's weights in each row, rescaled to the row sums of this game."""
    _, weights = triangle_after(q, k, v)
    sums = weights.sum(-1, keepdim=True)
    weights = (weights / sums).roll(1, dims=0) * sums
    return weights @ v, weights

luck = {"as trained": 6 * hits_triangle}
for name, attend in [("row sums of another game", row_sums_of_another_game),
                     ("weights of another game", weights_of_another_game)]:
    leaker.attend = attend
    luck[name] = 6 * play_dice(leaker)[1]
leaker.attend = triangle_after
for name, times in luck.items():
    print(f"{name:26} {times[:7].mean():.2f} times as often right as chance")
print(f"its loss at positions 0 to 6: {loss_triangle[:7].mean():.1f} (the die: 1.79)")
check_guess("times chance with the triangle", guess_luck,
            round(luck["as trained"][:7].mean().item(), 1))

# %% tags=["show"]
fig, ax = plt.subplots(figsize=(7, 3))
for shift, (name, times), colour in zip(
        (-0.27, 0, 0.27), luck.items(), (OKABE_ITO[1], OKABE_ITO[0], OKABE_ITO[3])):
    ax.bar([i + shift for i in range(8)], times.tolist(), width=0.25, color=colour,
           label=name)
ax.axhline(1, color="black", linewidth=1)
draw_guess(ax, guess_luck)
ax.set(xlabel="position", xticks=range(8), ylabel="times as often right as chance",
       ylim=(0, 3))
ax.set_title("Without its own row sums the model is no better than the die")
ax.legend(ncols=2, loc="upper left", frameon=False)
show(fig, alt="Bars of how many times as often right as chance, at positions 0 to 7. "
              "As trained, and with weights of another game but its own row sums, the "
              "model is right about twice as often as chance at positions 0 to 6; with "
              "the row sums of another game it falls to 1, the die, everywhere. At "
              "position 7 all three are at 1.")

# %% [markdown]
# Twice as often as chance, on dice. The two controls show where this comes from. Give the trained model the *row sums* of another game
# and it is no better than the die; give it all the *weights* of another game, but its own row sums, and it is as good as before. So the
# leak is one number per row: how much weight was lost. No cell of a heatmap shows it, only the sum of a row does; and a loss of 1.1 in place
# of 1.79 (printed above) looks like progress. Section 3.8 builds the test that finds it.
#
# This road can be repaired. Divide each row by what is left of it:
#
# $$\mathrm{weights}'_{ij} = \frac{m_{ij}\,\mathrm{weights}_{ij}}{\sum_{j'} m_{ij'}\,\mathrm{weights}_{ij'}} = \frac{m_{ij}\,e^{s_{ij}}}{\sum_{j'} m_{ij'}\,e^{s_{ij'}}}
# \qquad m_{ij} = 1 \text{ if allowed, else } 0$$
#
# The first softmax's sum cancels, and with it the trace of the future. For "starts":

# %%
kept = triangle[2]                                            # what is left of row 2
print("kept        ", kept, f" sum {kept.sum():.4f}")
print("divided     ", kept / kept.sum())
print("hidden first", after[2])

# %% tags=["show"]
fig, axes = plt.subplots(2, 3, figsize=(8.4, 6))
draw_matrix(axes[0, 0], x @ x.T / 3 ** 0.5, title="scores", limits=(0, 1))
draw_matrix(
    axes[0, 1], masked_scores, title="hide: −∞ above the diagonal", limits=(0, 1))
draw_matrix(axes[0, 2], after, title="softmax: weights", limits=(0, 1))
draw_matrix(axes[1, 0], before, title="softmax: weights over all", limits=(0, 1))
draw_matrix(axes[1, 1], triangle, title="hide: rows sum to less than 1", limits=(0, 1))
renormalised = triangle / triangle.sum(-1, keepdim=True)
draw_matrix(
    axes[1, 2], renormalised, title="divide by the row sum: weights", limits=(0, 1))
axes[0, 0].set_ylabel("road 1: hide first", color=OKABE_ITO[0])
axes[1, 0].set_ylabel("road 2: hide after softmax", color=OKABE_ITO[3])
show(fig, alt="Two rows of three 6 by 6 heatmaps. Road 1: scores, scores with the "
              "upper triangle taken out, weights. Road 2: weights over all keys, the "
              "same with zeros above the diagonal, then divided by the row sums. Both "
              "roads end in the same triangle.")
print("largest difference between the two ends:        "
      f"{(after - renormalised).abs().max():.5f}")
print("largest difference if the division is left out: "
      f"{(after - triangle).abs().max():.5f}")

# %% [markdown]
# Both roads end in the same weights: compare the right column, number by number. On the interactive page, take one of the two roads step by step, then
# open the leakage meter: let the last word grow threefold and see which roads notice.
#
# <!-- interactive page -->

# %% [markdown]
# **The empty row again.** If nothing of a row is left, the division is $0/0$. There are two ways to such a row: all of it is hidden,
# or the weights that it may keep are all 0. Here are both, beside an ordinary row, each divided and repaired afterwards:

# %%
full = torch.tensor([[0.1, 0.2, 0.3, 0.4],        # all hidden
                     [0.0, 0.0, 0.6, 0.4],        # may keep two weights, and both are 0
                     [0.1, 0.2, 0.3, 0.4]], requires_grad=True)
keep = torch.tensor([[0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]).bool()

kept = full.masked_fill(~keep, 0.0)
divided = (kept / kept.sum(dim=-1, keepdim=True)).nan_to_num()
divided[:, 0].sum().backward()
print("values\n", divided.detach())
print("gradients\n", full.grad)

# %% [markdown]
# The values are as they should be. The gradient of row 0 is saved by the filling, as before. In row 1 nobody filled the two weights
# that may be kept, and there the NaN of the division gets through.

# %% [markdown]
# ### Exercise 3.3 · Mask after softmax · 2 points · about 10 minutes
#
# Take weights that softmax has made over all keys, set those that the mask forbids to zero, and renormalise. One
# point for the *values*; one for rows in which *little or nothing* is left:
#
# - *values*: equal to hiding first, for masks that broadcast <!-- asks: broadcast -->, in half precision too; the
#   [house rules](#house-rules) hold <!-- asks: leading-dims, non-contiguous, device -->;
# - *little*: every row that has anything left sums to 1, however little it was ($10^{-12}$ or $10^{-25}$, say; in half precision 0.001)
#   <!-- asks: small-sums -->;
# - *nothing*: a row with nothing left, because all is hidden or because its allowed weights are all 0, becomes zeros,
#   also in batches of heads <!-- asks: masked-row -->. The gradient of its weights is at most as large as the gradient
#   that arrives at the result (so it is neither NaN nor a number like $10^{37}$), and that of all other rows is right
#   <!-- asks: gradient -->.
#
# <details><summary>Hint 1</summary>What has to be divided by what, and along which axis? The axis must stay for the division.</details>
# <details><summary>Hint 2</summary>A small number added to every sum also changes the rows that were in order. Which sums need help, and which number does no harm there?</details>
# <details><summary>Hint 3</summary>A division by zero that is replaced afterwards has already spoiled the gradient: see to it that the division by zero never happens.</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_mask_after_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_after_softmax(weights, mask):
    """Zero the weights that the mask forbids and let the others sum to 1 again.

    weights: (..., seq_q, seq_k), rows made by softmax over all keys
    mask: boolean, True = may attend, broadcastable to the weights
    Returns new weights (..., seq_q, seq_k); a row with nothing left is zero.
    """
    ### BEGIN SOLUTION
    kept = weights.masked_fill(~mask, 0.0)
    total = kept.sum(dim=-1, keepdim=True)                 # (..., seq_q, 1)
    return kept / total.masked_fill(total == 0, 1.0)
    ### END SOLUTION

# %% tags=["uses-exercise"]
weights = torch.tensor([[0.2, 0.3, 0.5],
                        [0.2, 0.3, 0.5]])
mask = torch.tensor([[True, True, False],           # keeps 0.2 and 0.3: 2 to 3
                     [False, False, False]])        # keeps nothing
ab.beside([[0.4, 0.6, 0.0], [0.0, 0.0, 0.0]],
          lambda: mask_after_softmax(weights, mask))

# %% nbgrader={"grade": true, "grade_id": "ch03_mask_after_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.3, values: three rows, the future hidden, each row sums to 1 again."""
weights_ = torch.tensor([[.1, .2, .3, .4], [.3, .1, .5, .1], [.7, .1, .1, .1]])
mask_ = torch.ones(3, 4).tril().bool()

def front_(front, mask=mask_):
    return ab.case(f"{front} in front of the weights, a mask {tuple(mask.shape)}",
                   ab.numbers(*front, 3, 4, seed=33).softmax(-1), mask)

one_ = ab.case("weights (3, 4), the future hidden", weights_, mask_)
ab.check("3.3 values", mask_after_softmax, [
    one_,
    front_((2,), torch.stack([mask_, mask_.flip(0)])),
    front_((1,)), front_((2, 3)), front_((2, 3), torch.eye(4)[:2, None, None] < 1),
    *ab.house_rules(front_((2,)), only="views inputs device"),
    *(one_.but(f"{dtype}", args=(weights_.to(dtype), mask_), within=within,
               look=("dtype", "values"))
      for dtype, within in ((torch.float64, 2e-7), (torch.float16, 0.01))),
    ab.case("all is hidden", weights_.double(), ~mask_ & mask_, look="dtype"),
], "weights, mask -> the new weights")
### BEGIN HIDDEN TESTS
def sized(front, *shape, dtype=torch.float32, **options):
    mask = (ab.numbers(*shape, seed=61) > 0) | (torch.arange(11) == 3)
    return ab.case(f"{front} in front, a mask {shape}",
                   ab.numbers(*front, 7, 11, seed=62).to(dtype).softmax(-1), mask,
                   **options)

def tried(*cases):
    ab.check("3.3 values", mask_after_softmax, [one_, *cases],
             like=reference("mask_after_softmax"))

# Property: equal to hiding before softmax, with any number of leading dimensions, in float32 and float64 [leading-dims]
tried(*(sized(front, *front, 7, 11) for front in [(), (3,), (1,), (3, 2), (2, 1, 3)]),
      sized((3, 2), 3, 2, 7, 11, dtype=torch.float64, look="dtype values", within=2e-7))
# Property: masks of fewer or smaller axes broadcast to the weights [broadcast]
tried(*(sized((3, 2), *shape) for shape in
        [(11,), (7, 11), (7, 1), (3, 1, 1, 11), (2, 7, 11)]))
# Property: weights that are not contiguous in memory, and half precision [non-contiguous]
tried(*ab.house_rules(sized((3, 2), 7, 11), only="views bfloat16"))
# Property: works on the device of its inputs: nothing is made on the CPU by default [device]
tried(*(ab.case("on another device", torch.full((2, 5, 7), 1 / 7), mask, look="device")
        for mask in (torch.ones(5, 7).tril().bool(), torch.zeros(5, 7).bool())))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_mask_after_softmax_check_empty", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.3, little or nothing left (rows 1 and 2)."""
rows_ = torch.tensor([[.1, .3, .4, .2], [.1, .2, .3, .4], [0., 0., 1., 0.]])
sees_ = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]]).bool()
first_ = torch.tensor([True, True, False])

def largest_gradient_(f, weights, mask):
    weights = weights.clone().requires_grad_()
    gradient, = torch.autograd.grad(f(weights, mask).sum(), weights)
    return bool(gradient.abs().max() <= 2)         # False for NaN, too

one_ = ab.case("three rows", rows_, sees_)
heads_ = ab.case("2 sentences, 3 heads, a row of 0.2 and 0.3 and one of zeros",
                 torch.tensor([[.2, .3, .5], [0., 0., 1.]]).repeat(2, 3, 1, 1), first_)
ab.check("3.3 little or nothing", mask_after_softmax, [
    one_,
    *(ab.case(f"{4 * little:g} is left of a row in {dtype}", within=0.01,
              hint="Is something added to the sum, or is there a least sum?", *(
                  torch.tensor([[little, 3 * little, 1.]]).to(dtype), first_))
      for little, dtype in ((2.5e-4, torch.float16), (1e-12, torch.float32),
                            (1e-25, torch.float32))),
    ab.case("all is hidden in float16", weights_.half(), ~mask_ & mask_),
    heads_,
    ab.case("a mask (3,) that hides all", heads_.args[0], first_ & ~first_),
    *(case.but(f"{case.words}: the gradient", look=("gradient",))
      for case in (one_, heads_)),
    ab.case("the gradient of rows with nothing left is at most what arrives",
            rows_[1:], sees_[1:], ask=largest_gradient_, hint="Is it NaN, or a number "
            "like 10³⁷? Which divisor does no harm where nothing is left?"),
], "weights, mask -> the new weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.3 little or nothing", mask_after_softmax, [one_, *cases],
             like=reference("mask_after_softmax"))

weights = ab.numbers(2, 3, 7, 11, seed=63).softmax(-1)
mask = (ab.numbers(2, 3, 7, 11, seed=64) > 0) | (torch.arange(11) == 5)
mask[0, :, 2], mask[1, 0, 0], mask[1, 2, 6] = False, False, False
batch = ab.case("a batch of heads with empty rows", weights, mask)
# Property: empty rows anywhere in a batch of heads become zeros, the other rows are untouched [masked-row]
tried(batch, batch.but("float16", args=(weights.half(), mask), within=0.01))
# Property: a row sums to 1 however little was left of it [small-sums]
tried(*(ab.case(f"1e-{power} is left in {dtype}", torch.tensor(
            [[0.25, 0.5, 0.25, 10. ** power]]).div(10. ** power).to(dtype),
                torch.arange(4) < 3, within=0.02, hint="Is there a least sum?")
        for dtype, powers in ((torch.float64, (3, 6, 9, 14, 30)),
                              (torch.float32, (8, 18, 32)), (torch.float16, (3,)))
        for power in powers))
# Property: the gradient goes through the division, and is right in full rows next to empty ones [gradient]
tried(*ab.house_rules(batch, only="gradient"),
      ab.case("an allowed weight of 0 beside others", torch.tensor(
          [[0., 0.25, 0.5, 0.25]]).double(), torch.arange(4) < 3, look="gradient"),
      *(ab.case(f"rows with nothing left in {dtype}, {front} in front",
                torch.eye(3)[2:].expand(*front, 2, 3).to(dtype).contiguous(),
                torch.tensor([[1, 1, 0], [0, 0, 0]]).bool(), ask=largest_gradient_)
        for front in ((), (2, 3)) for dtype in (torch.float32, torch.float64)))
### END HIDDEN TESTS

# %% [markdown]
# ### Which road is better?
#
# On paper they agree. On a machine with finite numbers they do not. Take one row in which the last
# key is hidden, and let the hidden key's score grow.

# %% tags=["show", "tolerance-0.05"]
visible, loudness = torch.tensor([0.2, -0.4, 0.9]), range(0, 121)
target = visible.softmax(-1)  # what both roads should give

def error_of_road(road, loud, dtype):
    scores = torch.cat([visible, torch.tensor([float(loud)])]).to(dtype)
    if road == 1:
        scores[3] = -torch.inf
    weights = scores.softmax(-1)[:3]
    weights = weights if road == 1 else weights / weights.sum()
    return (weights - target).abs().max().item()            # NaN once all of them are 0

fig, ax = plt.subplots(figsize=(7, 3.2))
for colour, dtype, name in [(OKABE_ITO[0], torch.float32, "float32"),
                            (OKABE_ITO[3], torch.float16, "float16")]:
    hidden_first, errors = (
        [error_of_road(road, loud, dtype) for loud in loudness] for road in (1, 2))
    last = max(i for i, error in enumerate(errors) if error == error)
    ax.semilogy(loudness[:last + 1], [max(error, 1e-8) for error in errors[:last + 1]],
                color=colour)
    ax.semilogy(loudness, [max(error, 1e-8) for error in hidden_first], color=colour,
                linestyle=":")
    ax.plot(last, errors[last], "X", color=colour, markersize=9)
    ax.annotate(f"{name}: after this, NaN", (last, errors[last]), xytext=(8, 4),
                textcoords="offset points", color=colour)
    print(f"{name}: road 2 is NaN from a hidden score of {last + 1} on; "
          f"road 1 is never further off than {max(hidden_first):.4f}")
ax.set(xlabel="score of the hidden key", ylabel="largest error of a weight",
       xlim=(0, 150), ylim=(5e-9, 5))
ax.set_title(
    "A large hidden score ruins the row on road 2 (lines), not on road 1 (dots)")
show(fig, alt="Error of both roads against the hidden key's score, on a logarithmic "
              "axis. Road 1, dotted: flat, in float16 below 0.001, in float32 at the "
              "bottom. Road 2: in float16 the error grows from a score of about 12 on, "
              "and the row becomes NaN before 20; in float32 it stays below 1e-5 until "
              "about 90, then grows until the row becomes NaN soon after 100.")

# %% [markdown]
# On road 2 the hidden key takes part in softmax. If it is loud enough, the visible weights are rounded to zero
# before it is hidden, and nothing is left to renormalise: that is row 1 of the cell above exercise 3.3. Road 1 never
# looks at the hidden key. The same holds for the gradient:

# %%
def gradient_at_hidden_scores(road):
    s = (x @ x.T / 3 ** 0.5).requires_grad_()
    (road(s) @ x).square().sum().backward()
    return s.grad[~allowed].abs().max().item()

def road_1(s):
    return s.masked_fill(~allowed, -torch.inf).softmax(dim=-1)

def road_2(s, divide=True):
    kept = s.softmax(dim=-1).tril()
    return kept / kept.sum(dim=-1, keepdim=True) if divide else kept

print("largest gradient at a hidden score")
print(f"road 1:                      {gradient_at_hidden_scores(road_1):.6f}")
print(f"road 2:                      {gradient_at_hidden_scores(road_2):.6f}")
undivided = gradient_at_hidden_scores(lambda s: road_2(s, divide=False))
print(f"road 2 without the division: {undivided:.6f}")

# %% [markdown]
# On road 1 nothing flows to the future, because its scores were overwritten. On road 2 the terms cancel, here to six digits; they cancel
# completely only in exact arithmetic, and only with the division. So hide first. Road 2 is worth knowing because people
# take it by accident, and leave out the division.

# %% [markdown]
# ## 3.5 Sentences of different lengths
#
# A batch is one tensor, and sentences have different lengths. Short ones are filled up with **padding**. Let us
# put "Your journey starts" beside the full sentence, padded with three zero vectors.

# %%
lengths = torch.tensor([6, 3])
batch = torch.stack([x, x])                              # (2, 6, 3)
batch[1, 3:] = 0                                         # three words, three paddings

_, weights = attend_to_all(batch, batch, batch)          # (2, 6, 6)
print("'journey' in the short sentence:", weights[1, 1])
print(f"share of its weights that lies on padding: {weights[1, 1, 3:].sum():.2f}")

# %% [markdown]
# A zero vector is not nothing: its score is 0, and $e^0 = 1$. A third of the attention goes to tokens that
# do not exist, and the result would change with the length of the *longest* sentence in the batch. So padding is hidden
# like the future, by a boolean table. Here all queries of a sentence share one row, so one row per
# sentence is enough, and an axis of size 1 lets it broadcast over the queries. With the mask and, as a control, without it:

# %%
real = torch.tensor([True, True, True, False, False, False])    # for the short sentence
alone, _ = attend_to_all(x[:3], x[:3], x[:3])                   # without padding
short = batch[1:]                                               # (1, 6, 3)
for name, mask in [("padding hidden", real[None, None, :]), ("no mask", None)]:
    padded = F.scaled_dot_product_attention(short, short, short, attn_mask=mask)
    gap = (padded[0, :3] - alone).abs().max()
    print(f"{name:15} the three words differ from the sentence alone by {gap:.4f}")
print("shapes (2, 1, 6) and (2, 6, 6) broadcast to",
      tuple(torch.broadcast_shapes((2, 1, 6), (2, 6, 6))))

# %% [markdown]
# (The three padded *queries* have outputs too. They are not used: the loss leaves these positions out.)
#
# With several heads (attentions that run side by side, chapter 4), scores are `(batch, heads, seq, seq)`, and axes are matched from the right. A mask `(batch, 1, seq)`
# then meets the wrong ones. With 4 heads that is an error. With as many heads as sentences it is worse:

# %%
everything = torch.ones(6, dtype=torch.bool)
mask = torch.stack([everything, real])[:, None, :]  # (2, 1, 6): sentence 1 is padded
for heads in (4, 2):
    blank = torch.zeros(2, heads, 6, 6)  # scores: (batch, heads, seq, seq)
    for name, m in [("mask", mask), ("mask.unsqueeze(1)", mask.unsqueeze(1))]:
        try:
            filled_in = blank.masked_fill(~m, -torch.inf) == -torch.inf
            hides = filled_in.any(-1).any(-1)             # (batch, heads)
            found = f"hides padding in (sentence, head) {hides.nonzero().tolist()}"
        except RuntimeError:
            found = "RuntimeError: shapes do not broadcast"
        print(f"{heads} heads, {name:18}{found}")

# %% [markdown]
# Look at the third line. Two heads, no `unsqueeze(1)`, no error: *head* 1 of both sentences is masked, and the padding of
# sentence 1 is fully visible to its head 0. With `unsqueeze(1)` all heads of sentence 1 are masked, as they should be.
#
# ### Exercise 3.4 · Padding mask · 2 points · about 10 minutes
#
# Two functions, one point each; the [house rules](#house-rules) hold
# <!-- asks: non-contiguous, device, inputs-unchanged, combine-device -->.
#
# - `padding_mask` makes the mask of a batch from its lengths: the first `lengths[b]` positions of sentence `b` are real, from none to
#   all of `seq`, for lengths in any integer dtype <!-- asks: sizes -->, and a `seq` longer than every sentence <!-- asks: long-seq -->.
# - `combine_masks` takes one mask or more, of shapes that broadcast, heads included, and allows only what *all* of them allow
#   <!-- asks: broadcast -->.
#
# <details><summary>Hint 1</summary>Position j of sentence b is real if j is smaller than something. Compare a row of positions with a column of lengths.</details>
# <details><summary>Hint 2</summary>Shapes on the way: (seq,) against (batch, 1) gives (batch, seq); one axis is still missing. Where do the positions live?</details>
# <details><summary>Hint 3</summary>Fold the masks together one after the other, and do not write into the first one: it belongs to the caller.</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def padding_mask(lengths, seq):
    """Which keys are real words, for lengths (batch,): bool (batch, 1, seq), True =
    real.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(seq, device=lengths.device)    # (seq,)
    return (positions < lengths[:, None])[:, None, :]       # (batch, 1, seq)
    ### END SOLUTION

def combine_masks(*masks):
    """True where all masks are True; their shapes broadcast."""
    ### BEGIN SOLUTION
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined
    ### END SOLUTION

# %% tags=["uses-exercise"]
# One real word, and three.
ab.beside([[[True, False, False]], [[True, True, True]]],
          lambda: padding_mask(torch.tensor([1, 3]), 3))
first, second = torch.tensor([True, True, False]), torch.tensor([False, True, True])
ab.beside([False, True, False], lambda: combine_masks(first, second))

# %% nbgrader={"grade": true, "grade_id": "ch03_padding_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.4, padding_mask: lengths 2, 4 and 0 in a batch of five positions."""
def counted_(lengths, dtype=torch.int64):
    return ab.case(f"{lengths} in {dtype}, seq 300: how many are real",
                   torch.tensor(lengths, dtype=dtype), 300,
                   ask=lambda f, lengths, seq: f(lengths, seq).sum(-1).flatten())

one_ = ab.case("[2, 4, 0], seq 5", torch.tensor([2, 4, 0]), 5, look="dtype values")
ab.check("3.4 padding mask", padding_mask, [
    one_,
    ab.case("one sentence: [2], seq 5", torch.tensor([2]), 5),
    ab.case("[0, 0], seq 5", torch.tensor([0, 0]), 5),
    counted_([300, 217]), counted_([100, 3], torch.int8),
    *ab.house_rules(one_, only="inputs device"),
], "lengths, seq -> the mask")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.4 padding mask", padding_mask, cases, like=reference("padding_mask"))

def sized(batch, seq, dtype):
    lengths = (128 + 64 * ab.numbers(batch, seed=seq)) * (seq + 1) // 257
    return ab.case(f"{batch} sentences, seq {seq}, {dtype}", lengths.to(dtype), seq,
                   look="dtype values")

# Property: right for any batch and any lengths, from 0 to seq, in any integer dtype [sizes]
tried(*(sized(batch, seq, dtype)
        for dtype in (torch.int64, torch.int32, torch.uint8, torch.int8)
        for batch, seq in [(1, 1), (1, 7), (7, 7), (11, 13), (5, 3), (2, 17)]),
      counted_([3, 120], torch.int8), counted_([300, 200, 3]),
      one_.but("the lengths stay as they are", look=("inputs",)))
# Property: seq decides how many positions there are, also where no sentence is that long [long-seq]
tried(ab.case("lengths [3, 2], seq 11", torch.tensor([3, 2]), 11))
# Property: lengths that are a view of another tensor [non-contiguous]
tried(ab.case("a column of a table", torch.tensor([[5, 0], [2, 9], [7, 1]])[:, 0], 7))
# Property: works on the device of the lengths [device]
tried(ab.case("on another device", torch.tensor([2, 5, 3]), 7, look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_padding_mask_check_combine", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.4, combine_masks: allowed is what all masks allow."""
causal_ = torch.ones(4, 4).tril().bool()
real_ = torch.tensor([[[1, 1, 0, 0]], [[0, 1, 1, 1]]]).bool()                # (2, 1, 4)
window_ = torch.ones(4, 4).triu(-1).bool()
per_head_ = torch.tensor([[[True]], [[False]]])                              # (2, 1, 1)
masks_ = [torch.stack([causal_, window_]), torch.stack([window_, causal_])]

def given_(words, *masks, look="values"):
    return ab.case(f"{words}{[tuple(mask.shape) for mask in masks]}", *masks, look=look)

ab.check("3.4 combined masks", combine_masks, [
    given_("masks ", causal_, real_, look="dtype values"),
    given_("one mask ", causal_),
    given_("the last hides more: ", *4 * [causal_], window_),
    given_("heads and sentences: ", torch.ones(3, 1, 1, 4).bool(), per_head_, causal_),
    *(given_("masks stay as they are: ", *masks, look="inputs")
      for masks in ((causal_, window_), masks_, (causal_, real_))),
    given_("on another device: ", causal_, real_, look="device"),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.4 combined masks", combine_masks, cases,
             like=reference("combine_masks"))

shapes = [(3, 1, 1, 7), (5, 7), (1, 2, 5, 7), (7,), (3, 1, 5, 1), (1, 5, 7), (1, 1),
          (3, 2, 5, 7), (2, 1, 7)]
masks = [(ab.numbers(*shape, seed=n) > -1.2) | (torch.tensor(shape).prod() == 1)
         for n, shape in enumerate(shapes)]
same = [ab.numbers(5, 7, seed=n) > -0.8 for n in range(3)]
# Property: any number of masks, of any shapes that broadcast, with heads too [broadcast]
tried(*(given_("", *order, look="dtype values") for count in (1, 2, 3, 4, 5, 9)
        for order in (masks[:count], masks[:count][::-1])))
# Property: no mask that is handed in is modified, also where its shape is that of the result [inputs-unchanged]
tried(*(given_("", *order, look="inputs") for order in (
    same, masks, [masks[7], same[0]], [same[0], masks[7]], [masks[7], masks[7].flip(0)],
    [masks[7][0], masks[7][1]])))
# Property: works on the device of its inputs [combine-device]
tried(given_("on another device: ", *same, look="device"))
### END HIDDEN TESTS

# %% [markdown]
# Together with the causal mask you now have what a batch of a language model needs. For the short sentence:

# %% tags=["show", "uses-exercise"]
padding = padding_mask(lengths, 6)                               # (2, 1, 6)
both = combine_masks(causal_mask(6), padding)                    # (2, 6, 6)
left_padded = combine_masks(causal_mask(6), padding.flip(-1))    # padding in front

fig, axes = plt.subplots(1, 4, figsize=(8.4, 2.7))
draw_matrix(axes[0], causal_mask(6), title="causal", digits=0)
draw_matrix(axes[1], padding[1].expand(6, 6), title="3 real words", digits=0)
draw_matrix(axes[2], both[1], title="both", digits=0)
draw_matrix(axes[3], left_padded[1], title="both, padding in front", digits=0)
axes[0].set(xlabel="key", ylabel="query")
show(fig,
     alt="Four 6 by 6 tables of zeros and ones: the causal triangle; three columns of "
         "ones; both together, a triangle cut off after three columns; and the same "
         "with padding in front, whose first three rows hold no one at all.")
for name, sees_any in [
        ("at the end:  ", both[1].any(-1)), ("in the front:", left_padded[1].any(-1))]:
    print("padding", name, "rows with nothing to see:",
          (~sees_any).nonzero().flatten().tolist())

# %% [markdown]
# The last panel shows where empty rows come from. When a model writes text for several prompts at once, the prompts are
# padded in *front*, so that all of them end at the same place. The first rows can then see nothing but padding, which is
# hidden. Your `masked_attention` gives zeros there; a plain softmax gives NaN.

# %% [markdown]
# ## 3.6 Three dialects of one mask
#
# You will meet the same triangle in three conventions.
#
# | where | what hides key $j$ from query $i$ |
# | --- | --- |
# | `F.scaled_dot_product_attention`, this course | a boolean mask, `True` = may attend |
# | `nn.MultiheadAttention`: `attn_mask`, and `key_padding_mask` of shape `(batch, seq)` | a boolean mask, `True` = **blocked** |
# | both of them, and much older code | a float mask that is *added* to the scores: 0 = may attend, $-\infty$ = blocked |
#
# With a mask in its own convention, each gives the same result. To see it we take `nn.MultiheadAttention` with one head and
# identity matrices for its weights, so that $q = k = v = x$ there as well.

# %%
mha = nn.MultiheadAttention(3, num_heads=1, bias=False, batch_first=True)
with torch.no_grad():
    mha.in_proj_weight.copy_(torch.eye(3).repeat(3, 1))       # W_q, W_k, W_v in one
    mha.out_proj.weight.copy_(torch.eye(3))

X = x[None]                                                   # (1, 6, 3)
additive = torch.zeros(6, 6).masked_fill(~allowed, -torch.inf)
right = after @ x                                             # section 3.3
sdpa = F.scaled_dot_product_attention
results = {"no mask (control)": sdpa(X, X, X),
           "sdpa, True = may attend": sdpa(X, X, X, attn_mask=allowed),
           "sdpa, added to the scores": sdpa(X, X, X, attn_mask=additive),
           "MultiheadAttention, True = blocked": mha(X, X, X, attn_mask=~allowed)[0],
           "MultiheadAttention, added": mha(X, X, X, attn_mask=additive)[0]}
print("largest difference from section 3.3")
for name, result in results.items():
    print(f"{name:38}{(result[0] - right).abs().max():.5f}")

padded = sdpa(X, X, X, attn_mask=real[None, None, :])  # hides the last three keys
theirs = mha(X, X, X, key_padding_mask=~real[None])[0]
print(f"{'MultiheadAttention, key_padding_mask':38}{(theirs - padded).abs().max():.5f}")

# %% [markdown]
# With a mask in the convention of another function, nothing warns you. Three mix-ups that happen, and where the weights of "starts" end up:

# %%
def print_row(name, weights):
    row = " ".join(f"{w:.2f}" for w in weights[2].tolist())
    print(f"{name:40}", row, f"  future: {weights[2, 3:].sum():.2f}")

float_mask = torch.ones(6, 6).tril()          # 1.0 and 0.0, not True and False
identity = torch.eye(6)[None]  # as values: the output is then the weights
print_row("right", after)
print_row("a float mask of ones and zeros to sdpa",
          sdpa(X, X, identity, attn_mask=float_mask)[0])
print_row("True = blocked to sdpa", sdpa(X, X, identity, attn_mask=~allowed)[0])
print_row("True = may attend to MultiheadAttention",
          mha(X, X, X, attn_mask=allowed)[1][0].detach())

# %% [markdown]
# The first mix-up is the hardest to see. `torch.ones(6, 6).tril()` prints like a causal mask but is *float*, so it is **added**:
# past scores go up by 1, future scores by 0. The row shows a soft preference for the past, and 0.22 of its weight still
# lies on the future. A mask is boolean: build it so.

# %% [markdown]
# ## 3.7 Dropping weights
#
# A mask hides keys because of where they stand. During training one may also hide a few at random, so that
# no query can count on a single key. This is **dropout**: each weight is set to zero with probability $p$, afresh at
# each step. (Whether that helps depends on the model and the data; this chapter shows only what it does.)
#
# A weight that is dropped with probability $p$ is on average worth only $(1-p)$ of itself. So those that stay are
# divided by $1-p$, and the average over many draws is the weight itself:
#
# $$\mathrm{dropped}_{ij} = \begin{cases} 0 & \text{with probability } p \\ \mathrm{weights}_{ij} / (1-p) & \text{otherwise} \end{cases}$$

# %%
row = after[2]  # "starts": 0.27, 0.37, 0.36
keep = torch.tensor([True, False, True, True, False, True])     # one throw with p = 0.5
dropped = row * keep / 0.5
print("before ", row, f" sum {row.sum():.2f}")
print("dropped", dropped, f" sum {dropped.sum():.2f}")

# %% [markdown]
# The sum is not 1 any more, and it is not meant to be. Section 3.4 divided by what was left of the row. Why not here? We take
# 4,000 draws and compare their means, once divided by $1-p$ and once by the row sum:

# %% tags=["show", "tolerance-0.05"]
dropout = nn.Dropout(0.5)
one_draw, draws = dropout(after), dropout(after.expand(4000, 6, 6))      # (4000, 6, 6)
by_p = draws.mean(0)
by_sum = (draws / draws.sum(-1, keepdim=True)).nan_to_num().mean(0)

print("row sums of one draw:", [round(total, 2) for total in one_draw.sum(-1).tolist()])
print("divided by 1 - p:       the mean is off by at most "
      f"{(by_p - after).abs().max():.2f}")
print("divided by the row sum: the mean is off by at most "
      f"{(by_sum - after).abs().max():.2f}")

# %% tags=["show"]
fig, axes = plt.subplots(1, 4, figsize=(9.6, 3.2))
draw_matrix(axes[0], after, tokens, tokens, "Weights", limits=(0, 1.2))
sums = [f"Σ {total:.1f}" for total in one_draw.sum(-1).tolist()]
draw_matrix(
    axes[1], one_draw, sums, tokens, "One draw: gone or doubled", limits=(0, 1.2))
draw_matrix(axes[2], by_p, [""] * 6, tokens, "Mean, divided by 1 − p", limits=(0, 1.2))
draw_matrix(axes[3], by_sum, [""] * 6, tokens, "Mean, by the row sum", limits=(0, 1.2))
axes[0].set(xlabel="key", ylabel="query")
show(fig,
     alt="Four 6 by 6 heatmaps. The causal weights; one draw of dropout, where about "
         "half of the cells are zero and the others have twice their value, with its "
         "row sums beside it; the mean of 4000 draws divided by 1 minus p, equal to "
         "the weights within a few hundredths; the mean of the same draws divided by "
         "the row sum, where the first row has fallen from 1 to about a half.")

# %% [markdown]
# Divided by $1-p$, the mean of many draws gives the weights back; divided by the row sum it does not: a row with one key is
# either 1 or nothing, so on average a half. The draw in the second picture is what the model works with in one step of training.
#
# ### Exercise 3.5 · Attention dropout · 2 points · about 10 minutes
#
# Write it without `nn.Dropout`. All random numbers come from the `generator` that is passed in, so that a run can be repeated. One point each for
#
# - *training*: every weight has a draw of its own, in weights of any shape and dtype <!-- asks: independent -->; a share `p` becomes zero, also where `p` is small and
#   the weights are in `float16` or `bfloat16`, and the rest is divided by `1 - p`, so that the mean over many draws is the weight itself <!-- asks: values, share -->; the gradient becomes zero, or is divided by `1 - p`, in the same places <!-- asks: gradient -->.
#   The [house rules](#house-rules) hold <!-- asks: device -->;
# - *modes*: no change, in the gradient either, when `training` is `False` or `p = 0`, all zeros at `p = 1` (`p` may be an integer); a weight of zero stays zero; the
#   same generator state gives the same draw, another state another one <!-- asks: train-eval, edges, zeros, seeds -->.
#
# <details><summary>Hint 1</summary>A uniform random number is below 0.3 with probability 0.3. How many of them do you need, and where must they be made?</details>
# <details><summary>Hint 2</summary>At p = 1 the rescaling would divide by zero. What does the result have to be there, whatever the numbers?</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_attention_dropout", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_dropout(weights, p, training, generator=None):
    """Set each weight to zero with probability p and divide the others by 1 - p.

    weights: (..., seq_q, seq_k)   p: float from 0 to 1
    training: bool; if False, nothing is dropped
    generator: torch.Generator of the random numbers; None means PyTorch's own.
    """
    ### BEGIN SOLUTION
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# About half of them are gone, the others twice as large; nothing without training.
weights = torch.full((1000, 4), 0.25)
ab.beside([0.0, 0.5], lambda: attention_dropout(weights, 0.5, training=True).unique())
ab.beside(0.5, lambda: round(
    (attention_dropout(weights, 0.5, training=True) == 0).float().mean().item(), 1))
ab.beside([0.25], lambda: attention_dropout(weights, 0.5, training=False).unique())

# %% nbgrader={"grade": true, "grade_id": "ch03_attention_dropout_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.5, training: a share p is gone, the others are divided by 1 - p."""
def drawn_(dropout, weights, p, seed=35):
    return dropout(weights, p, True, generator=torch.Generator().manual_seed(seed))

def factors_(dropout, weights, p):
    result = drawn_(dropout, weights.clone(), p).double()
    factors = (result / weights.double())[result != 0]
    return (result == 0).double().mean().round(decimals=1), factors.min(), factors.max()

def alike_(dropout):
    kept = (drawn_(dropout, torch.ones(4, 3, 40, 50), 0.5) != 0).int()
    return torch.stack([(kept.diff(dim=n) == 0).double().mean() for n in range(4)])

def exact_(dropout):
    gone = [(drawn_(dropout, torch.ones(n, 20), 0.5) == 0).sum() for n in range(10, 40)]
    return sum(n == 10 * i for i, n in enumerate(gone, 10)).item() > 15

def gradient_(dropout, weights, p, training=True):
    """How far the gradient is from what each weight was multiplied by."""
    weights = weights.clone().requires_grad_()
    result = dropout(weights, p, training, torch.Generator().manual_seed(38))
    gradient, = torch.autograd.grad(result.sum() + 0 * weights.sum(), weights)
    return (gradient - (result / weights).detach()).abs().max()

weights_ = torch.full((200, 200), 1 / 200)
ab.check("3.5 training", attention_dropout, [
    ab.case("weights (200, 200), p = 0.2", weights_, 0.2, ask=factors_, within=0.01,
            hint="Is each weight dropped with the chance p?"),
    ab.case("how often neighbours share their fate: sentences, heads, queries, keys",
            ask=alike_, within=0.1, hint="Has each weight a draw of its own?"),
    ab.case("exactly half of the weights is gone in most of 30 draws", ask=exact_,
            hint="Each weight has a draw of its own."),
    *(ab.case(f"p = {p} in {dtype}: how many of {500 * rows:,} weights are zero", p,
              dtype, rows, ask=lambda f, p, dtype, rows: (
                  drawn_(f, torch.ones(rows, 500, dtype=dtype), p) == 0).sum(),
              within=0.45, hint="Were p or the random numbers rounded?")
      for p, dtype, rows in ((0.03, torch.float32, 400), (0.001, torch.bfloat16, 400),
                             (0.00025, torch.float16, 1600))),
    ab.case("weights (1, 1, 7): their shape",
            ask=lambda f: str(tuple(f(torch.ones(1, 1, 7), 0.5, True).shape))),
    ab.case("the weights stay as they are", weights_, 0.2, True, look="inputs"),
    ab.case("the gradient, p = 0.2", weights_, 0.2, ask=gradient_),
    ab.case("float16", weights_.half(), 0.2, True, look="dtype"),
    ab.case("on another device", weights_, 0.2, True, look="device"),
], "weights -> the share of zeros, the smallest factor, the largest factor")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.5 training", attention_dropout, cases,
             like=reference("attention_dropout"))

def zeros(dropout, *given):
    return (drawn_(dropout, *given) == 0).double().mean()

# Property: every weight is zero or divided by 1 − p, for any shape, p and dtype [values]
tried(*(ab.case(f"weights {shape}, p = {p}, {dtype}", ab.numbers(
            *shape, seed=71).double().exp().to(dtype), p, within=0.002,
                ask=lambda *given: factors_(*given)[1:])
        for shape, p in [((70, 9), 0.5), ((500,), 0.1), ((2, 3, 50, 7), 0.7)]
        for dtype in (torch.float32, torch.float64, torch.float16)),
      *(ab.case(f"weights {shape}", ask=lambda f, shape=shape: str(tuple(
            drawn_(f, torch.ones(shape), 0.5).shape)))
        for shape in [(7,), (5, 7), (2, 1, 3, 11, 13), (1, 1, 7), (1, 5, 1)]),
      *(ab.case(f"{dtype}", torch.ones(5, 7, dtype=dtype), 0.5, True,
                look="dtype inputs") for dtype in (torch.float64, torch.float16)))
# Property: the share of dropped weights is p, and the mean over many draws is the weight itself [share]
tried(*(ab.case(f"p = {p}: the share of zeros", torch.ones(400, 100), p, ask=zeros,
                within=0.02) for p in (0.03, 0.1, 0.35, 0.8, 0.95)),
      *(ab.case(f"p = 0.001, {dtype}: how many of 400,000 weights are zero",
                torch.ones(800, 500, dtype=dtype), 0.001, within=0.35,
                ask=lambda *given: 4e5 * zeros(*given))
        for dtype in (torch.float32, torch.float16)))
# Property: each weight of each head of each sentence is drawn independently [independent]
tried(ab.case("neighbours that share their fate, along each axis", ask=alike_,
              within=0.1), ab.case("exactly p is dropped", ask=exact_))
# Property: the gradient is 0 where a weight was dropped and 1/(1 − p) elsewhere [gradient]
tried(ab.case("p = 0.4", ab.numbers(11, 13).double().exp(), 0.4, ask=gradient_))
# Property: works on the device of its input: nothing is made on the CPU by default [device]
tried(ab.case("on another device", torch.ones(3, 5, 7), 0.5, True, look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_attention_dropout_check_modes", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.5, modes: evaluation, p = 0, p = 1, and draws that can be repeated."""
weights_ = ab.numbers(6, 9).softmax(-1)

def two_(one, other, p=0.4):
    return lambda dropout: not torch.equal(
        *(drawn_(dropout, weights_.clone(), p, seed) for seed in (one, other)))

def in_turn_(dropout, generator=None):
    return not torch.equal(*(dropout(weights_.clone(), 0.4, True, generator)
                             for _ in range(2)))

def mode_(words, p, training):
    given = (weights_, p, training)
    return (ab.case(words, *given, generator=ab.seed(40)),
            ab.case(f"{words}: the gradient", *given, ask=gradient_))

ab.check("3.5 modes", attention_dropout, [
    *mode_("training=False, p = 0.4", 0.4, False),
    *mode_("training=False, p = 1.0", 1.0, False),
    *(case for p in (0.0, 0, 1.0, 1) for case in mode_(f"training, p = {p}", p, True)),
    ab.case("generators in one state give one draw", ask=lambda f: not two_(1, 1)(f)),
    ab.case("two generators give two draws, which are drawn from them", ask=two_(1, 2)),
    ab.case("one generator, in turn, gives two draws: its state goes on",
            generator=ab.seed(3), ask=in_turn_),
    ab.case("without a generator, every call draws afresh", ask=in_turn_),
], "weights, p, training -> the new weights")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.5 modes", attention_dropout, cases, like=reference("attention_dropout"))

def given(p, training, dtype):
    weights = ab.numbers(2, 3, 5, seed=72).double().exp().to(dtype)
    return ab.case(f"training={training}, p = {p}, {dtype}", weights, p, training,
                   look="dtype values")

floats = (torch.float32, torch.float64, torch.float16)
# Property: nothing changes outside training, for any shape, p and dtype [train-eval]
tried(*(given(p, False, dtype) for dtype in floats for p in (0, 0.0, 0.3, 1.0, 1)),
      *mode_("training=False, p = 0.3", 0.3, False))
# Property: p = 0 and p = 1 as integers and as floats, in training [edges]
tried(*(given(p, True, dtype) for dtype in floats[:2] for p in (0, 0.0, 1.0, 1)))
# Property: a row of zeros stays zeros, and hidden keys stay hidden [zeros]
tried(ab.case("a table of zeros", torch.zeros(5, 7), 0.5, True,
              generator=ab.seed(42)),
      ab.case("hidden keys", ask=lambda f: (
          drawn_(f, torch.ones(5, 7).tril(1), 0.5).triu(2) == 0).all().item()))
# Property: the same seed gives the same draw, other seeds give others, for batches too [seeds]
tried(*(ab.case(f"generators {seeds}", ask=two_(*seeds, p=0.5))
        for seeds in ((5, 5), (5, 6), (6, 7))))
### END HIDDEN TESTS

# %% [markdown]
# One warning. Weights that are looked at while dropout is on do not sum
# to 1, and a heatmap of them is a heatmap of chance. Modules start in training mode; call `eval()` first:

# %% tags=["tolerance-2"]
torch_dropout = nn.Dropout(0.5)  # a fresh module is in training mode
print("training, row sums:", torch_dropout(after).sum(-1))
torch_dropout.eval()
print("eval(),   row sums:", torch_dropout(after).sum(-1))

# %% [markdown]
# ### Find what is wrong in this figure
#
# Ten minutes, not graded. Panels like these three stand in slides and blog posts, and each contradicts its title. Find out how, and
# what its author did, before you run the cell below the figure. One sum for each panel is enough.

# %% tags=["show"]
published = torch.tensor([[0.27, 0.73, 0.001]])
with torch.random.fork_rng(devices=[]):
    torch.manual_seed(37)
    second_panel = nn.Dropout(0.2)(after)
third_panel = sdpa(X, X, identity, attn_mask=float_mask)[0]

fig, axes = plt.subplots(1, 3, figsize=(8.4, 3.2), width_ratios=[3, 6, 6])
draw_matrix(axes[0], published, [""], ["100", "101", "99"], "Softmax of\n100, 101, 99",
            limits=(0, 1), digits=3)
draw_matrix(axes[1], second_panel, tokens, tokens,
            "A softmax by rows:\nevery row is a set of shares", limits=(0, 1))
draw_matrix(axes[2], third_panel, [""] * 6, tokens,
            "With a causal mask:\nthe future is hidden", limits=(0, 1))
show(fig, alt="Three heatmaps. Left, one row of three weights, 0.27, 0.73 and 0.001, "
              "called the softmax of 100, 101 and 99. Middle, six by six causal "
              "weights with some zeros below the diagonal, said to be a softmax by "
              "rows. Right, six by six weights, said to hide the future, with weights "
              "of 0.05 to 0.12 above the diagonal.")

# %% tags=["show"]
def shares(numbers):
    return [round(share, 3) for share in torch.tensor(numbers).softmax(-1).tolist()]

print(f"left:   the sum is {published.sum():.3f}; softmax of 100, 101, 99 is",
      shares([100., 101., 99.]))
print("        and softmax of 100 and 101 alone is", shares([100., 101.]))
print("middle: row sums", [round(total, 2) for total in second_panel.sum(-1).tolist()])
print("right:  share of each row on the future",
      [round(row[i + 1:].sum().item(), 2) for i, row in enumerate(third_panel)])

# %% [markdown]
# <details><summary>What happened in each</summary>
#
# Left: the first two numbers are the softmax of two scores, the third was made up; three weights must sum to 1. Middle: dropout was
# on, so the rows do not sum to 1 (this section). Right: the mask was a float table of ones and zeros, and was added to the scores (section 3.6).
#
# </details>

# %% [markdown]
# ## 3.8 A test for leaks
#
# The triangle of section 3.4 had zeros in all the right places and leaked. So how do you *know* that a function hides the future?
# What stands after a position must make no difference to it: not to its output, and not to its weights.
#
# For a differentiable function one can draw who influences whom: the size of $\partial\,\mathrm{output}_i / \partial x_j$.

# %%
def hide_first(q, k, v):
    """Section 3.3, for our sentence of six words."""
    scores = (q @ k.T / q.size(-1) ** 0.5).masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights

def influence(attend):                                    # (6, 6): output i, input j
    output = lambda x: attend(x, x, x)[0]
    jacobian = torch.autograd.functional.jacobian(output, x)     # (6, 3, 6, 3)
    return jacobian.square().sum(dim=(1, 3)).sqrt()

roads = {"no mask": attend_to_all, "zeroed after softmax": triangle_after,
         "hidden before softmax": hide_first}
for name, attend in roads.items():
    future = influence(attend)[~allowed].max()
    print(f"{name:22} largest influence of the future {future:.2f}")

# %% tags=["show"]
fig, axes = plt.subplots(2, 3, figsize=(8.4, 6.1))
findings = ["from everywhere", "the future leaks in", "the past alone"]
for column, (name, attend), finding in zip(axes.T, roads.items(), findings):
    draw_matrix(column[0], attend(x, x, x)[1], title=f"weights: {name}", limits=(0, 1))
    image = draw_matrix(
        column[1], influence(attend).log10(), title=f"influence: {finding}",
        cmap="Oranges", limits=(-3, 0), digits=None)
    for ax in column:
        ax.plot(stairs[0][:-1], stairs[1][1:], color=OKABE_ITO[0])
bar = fig.colorbar(
    image, ax=list(axes[1]), label="influence (grey: exactly 0)", shrink=0.8)
bar.set_ticks([-3, -2, -1, 0], labels=["0.001", "0.01", "0.1", "1"])
axes[0, 0].set_ylabel("query")
axes[1, 0].set(xlabel="token that is changed", ylabel="output that moves")
show(fig,
     alt="Two rows of three 6 by 6 heatmaps, the future outlined by a blue staircase. "
         "Upper row, weights: full without a mask, triangles for the two others. Lower "
         "row, influence on a logarithmic colour scale: full without a mask; where "
         "weights were zeroed after softmax, cells of 0.01 to 0.07 above the "
         "staircase; where scores were hidden first, grey, exactly zero, above it.")

# %% [markdown]
# Blue outlines the future. Upper row: what a heatmap of weights shows; the second and the third are both triangles. Lower row, with
# colours that run in powers of ten: what the outputs depend on. There only the third is a triangle.
#
# Derivatives do not find everything: a number computed without gradient (a scale for quantisation, an argmax) can carry
# the future too, and a derivative is about the neighbourhood of one input. The plain experiment needs no derivative:
# *change the future, look at the past.* Once, by hand, from position 4 on:

# %%
changed = x.clone()
changed[4:] = torch.tensor([[0.9, 0.1, 0.4], [0.3, 0.2, 0.8]])  # other words from 4 on
for name, attend in roads.items():
    difference = attend(x, x, x)[0] - attend(changed, changed, changed)[0]
    moved = [f"{m:.3f}" for m in difference.abs().amax(-1).tolist()]
    print(f"{name:22} outputs 0 to 5 moved by {' '.join(moved)}")

# %% [markdown]
# ### Exercise 3.6 · The leak test · 3 points · about 15 minutes
#
# Turn the experiment into a test for any attention function. `attention_fn` takes `x` of shape `(batch, seq, d)`, in `float32`, and
# returns `(output, weights)`. The test answers `True` if row `i` of the output *or* of the weights depends on any token after
# `i`, in any way.
#
# Your test is graded by what it says about a collection of attention functions, some honest and some not. Leaks may be
#
# - *in the collection (2 points)*: by one position only, in one row only, in one head only (the weights may be `(batch, heads, seq, seq)`),
#   in the weights but not in the output or the reverse, through row sums
#   <!-- asks: one-row, one-head, weights-or-output, row-sums -->;
# - *well hidden (1 point)*: without a gradient; behind a layer norm or another function that does not see sizes, signs or a constant that
#   is added; visible only when embeddings are large (about a hundred times the usual size); or only in sequences longer than 8. Test with exactly `seq` tokens (1 or more) of `d` numbers each: the checks call your test with several values of both
#   <!-- asks: no-gradient, layer-norm, large-scores, sizes -->.
#
# Honest ones may look odd: rows of zeros, rows that do not sum to 1, a window, a bias by distance, an output of another width or
# ten thousand times as large <!-- asks: honest -->. Leaky ones, too, may have an output five thousand times as small as usual
# <!-- asks: small-leak -->.
# What is *not* promised: that the weights are a plain triangle. All functions are deterministic. When the future changes, the
# past of an honest one may still move by rounding, but by less than $10^{-6}$, however large embeddings and output are; a
# leak moves some number by more than $10^{-4}$.
#
# <details><summary>Hint 1</summary>At which positions can one change the future? A leak in one row only is found at one of them only.</details>
# <details><summary>Hint 2</summary>If tokens t, t+1, … are new, which rows must not move? Slice them in a way that does not care how many axes stand in front.</details>
# <details><summary>Hint 3</summary>What is a good "other future"? Adding a constant can be undone by a normalisation; a tiny change drowns in the tolerance; NaN gets through any mask, because 0 · NaN is NaN.</details>

# %% nbgrader={"grade": false, "grade_id": "ch03_leaks_future", "locked": false, "schema_version": 3, "solution": true, "task": false}
def leaks_future(attention_fn, seq=8, d=4):
    """Does any position know about a later one?

    attention_fn: takes x (batch, seq, d), returns (output, weights):
        output (batch, ..., seq, any width), weights (batch, ..., seq, seq)
    Returns True if output or weights of a position depend on later tokens, else False.
    """
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d, generator=generator)
        before = attention_fn(x)
        for t in range(1, seq):  # tokens t, t+1, … are new; rows before t must stay
            other = x.clone()
            other[:, t:] = size * torch.randn(1, seq - t, d, generator=generator)
            for old, new in zip(before, attention_fn(other)):  # output, then weights
                if not torch.allclose(old[..., :t, :], new[..., :t, :],
                                      rtol=1e-4, atol=1e-6 * size):
                    return True
    return False
    ### END SOLUTION

# %% tags=["uses-exercise"]
def only_itself(x):                                # honest: each token sees itself
    return x, torch.eye(x.size(1)).expand(x.size(0), -1, -1)

def mean_of_all(x):                                # leaky: each token sees all
    weights = torch.full((x.size(0), x.size(1), x.size(1)), 1 / x.size(1))
    return weights @ x, weights

ab.beside(False, lambda: leaks_future(only_itself))
ab.beside(True, lambda: leaks_future(mean_of_all))

# %% nbgrader={"grade": true, "grade_id": "ch03_leaks_future_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.6, the collection: honest attention functions, and leaky ones."""
def verdict_(leaks_future, *args, **sizes):
    said = leaks_future(*args, **sizes)
    said = said.item() if isinstance(said, torch.Tensor) else said
    assert said in (True, False), f"True or False is expected, got {said}"
    return "a leak" if said else "no leak"

def said_(words, attention_fn, hint="", **sizes):
    return ab.case(words, attention_fn, hint=hint, **sizes, ask=verdict_)

def attention_(sees=lambda i, j: j <= i, prepare=lambda x: x, hide=-torch.inf, d=4,
               seed=36):
    """An attention function; hide is added to the scores that it must not see."""
    W = ab.numbers(d, 13, seed=seed) / 2
    def attend(x):
        q, k, v = (prepare(x) @ W.to(x)).split((4, 4, 5), dim=-1)
        place = torch.arange(x.size(1))
        table = torch.where(sees(place[:, None], place), 0.0, hide)
        weights = (q @ k.mT / 2 + table).softmax(-1).nan_to_num()
        return weights @ v, weights
    return attend

def pushed_(place, row, column, sign, at_least=0.0):
    def attend(x):
        results, token = list(honest_(x)), x[:, row + 1:row + 2].sum(1)
        number = sign * token[:, column] * (token.norm(dim=-1) >= at_least)
        moved = number[:, None, None] * (torch.arange(x.size(1)) == row)[:, None]
        results[place] = results[place] + moved
        return results
    return said_(f"row {row} of the {('output', 'weights')[place]} moves {sign} times "
                 f"as number {column} of the next token", attend, seq=row + 2,
                 hint="Does the test see moves in both directions?")

def rounded_(x):
    shift = 4 * x.mean((-2, -1), keepdim=True).tanh()             # of the future, too
    return [part / 30 + shift - shift for part in honest_(x)]

everyone_ = lambda i, j: j < 99
honest_, open_ = attention_(), attention_(everyone_)
zeroed_ = lambda x: (open_(x)[1].tril() @ x, open_(x)[1].tril())
of_ = lambda output, weights: lambda x: (output(x)[0], weights(x)[1])
heads_ = lambda *several: lambda x: [
    torch.stack(parts, -3) for parts in zip(*(attend(x) for attend in several))]
ab.check("3.6 collection", leaks_future, [
    said_("a plain causal attention", honest_),
    said_("attention without any mask", open_),
    said_("a mask that is one step too generous", attention_(lambda i, j: j <= i + 1)),
    said_("a triangle made after softmax: the sum was taken over the future", zeroed_),
    said_("row 2 alone sees token 3", attention_(lambda i, j: j <= i + (i == 2))),
    said_("causal weights, an output made without a mask", of_(open_, honest_)),
    said_("a causal output, weights from before the mask", of_(honest_, open_)),
    said_("honest output, one leaky head", of_(honest_, heads_(honest_, open_))),
    said_("a causal output, weights zeroed after softmax", of_(honest_, zeroed_)),
    said_("a causal output, the sigmoid of all scores as weights",
          lambda x: (honest_(x)[0], (x @ x.mT).sigmoid())),
    said_("honest: two heads, also in the output", heads_(honest_, honest_)),
    said_("honest: row 0 sees nothing and is zero", attention_(lambda i, j: j < i)),
    said_("honest: small numbers, rounded otherwise when the future changes", rounded_),
    said_("honest: an output of one column, all of it negative",
          lambda x: (-honest_(x)[0].norm(dim=-1, keepdim=True), honest_(x)[1])),
    *(pushed_(place, row, column, sign) for place in (0, 1) for sign in (1, -1)
      for row in (0, 1) for column in range(4)),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.6 collection", leaks_future, cases, like=reference("leaks_future"))

good, bad = attention_(seed=430), attention_(everyone_, seed=440)
# Property: finds leaks by one position, in any single row [one-row]
tried(*(said_(f"row {row} alone sees token {row + 1}", attention_(
            lambda i, j, row=row: (j <= i) | (i == row) & (j == row + 1), seed=row))
        for row in (0, 1, 4, 6)),
      *(said_(f"{words} (seq = {n})", attention_(lambda i, j, rows=rows: (
            (j <= i) | rows(i, j.numel()) & (j == j.numel() - 1))), seq=n)
        for n in (7, 13) for words, rows in [
            ("the last row but one sees the last token", lambda i, n: i == n - 2),
            ("the first row sees the last token", lambda i, n: i == 0),
            ("every row sees the last token", lambda i, n: i < n)]),
      *(pushed_(n % 2, 4, n // 2 % 4, 1 - n // 8 * 2) for n in range(16)))
# Property: finds leaks in any single head [one-head]
ahead = attention_(lambda i, j: j <= i + 1, seed=450)
tried(*(said_(f"head {n} of three sees one token ahead", heads_(*(
            ahead if n == m else good for m in range(3)))) for n in range(3)),
      said_("three honest heads", heads_(good, honest_, good)),
      said_("also in the output", heads_(good, bad)))
# Property: finds a leak in the weights alone and in the output alone [weights-or-output]
tried(said_("honest output, leaky weights", of_(good, bad)),
      said_("leaky output, honest weights", of_(bad, good)),
      said_("honest output, one leaky head among the weights",
            of_(good, heads_(good, good, bad))),
      said_("a fixed average: the weights never move, the output does", lambda x: (
          x.mean(-2, keepdim=True).expand_as(x),
          torch.full((*x.shape[:-1], x.size(-2)), 1 / x.size(-2)))),
      said_("the mean of all tokens is added to an honest output", lambda x: (
          good(x)[0] + x.mean((-2, -1), keepdim=True), good(x)[1])),
      said_("honest output, the sigmoid of all scores as weights", lambda x: (
          good(x)[0], (x @ x.mT / 4).sigmoid())))
# Property: finds leaks through a normaliser [row-sums]
late = lambda x: (bad(x)[1].tril() @ x, bad(x)[1].tril())
small = lambda x: (x, (x @ x.mT / 16).tanh().softmax(-1).tril())
tried(said_("zeroed after softmax and not renormalised", late),
      said_("the same, with honest weights shown", of_(late, good)),
      said_("the same, with an honest output", of_(good, late)),
      said_("the same with small scores: no weight moves by its own size",
            of_(good, small)),
      said_("honest weights times the sum of squares of all tokens", lambda x: (
          good(x)[0], good(x)[1] * x.square().sum((-2, -1), keepdim=True))))
# Property: is not fooled by honest functions that look odd [honest]
def linear_attention(x):
    features = F.elu(F.normalize(x, dim=-1)) + 1
    weights = (features @ features.mT).tril()
    return weights @ x, weights

def by_distance(x):
    scores = x @ x.mT + torch.arange(x.size(1))
    future = torch.ones_like(scores).triu(1).bool()
    weights = scores.masked_fill(future, -torch.inf).softmax(-1)
    return weights @ x, weights

dropout = nn.Dropout(0.5).eval()
tried(said_("a window of three", attention_(lambda i, j: (j <= i) & (i - j < 3))),
      said_("two heads", heads_(good, good)),
      said_("a bias by distance", by_distance),
      said_("every second row is zero", attention_(
          lambda i, j: (j <= i) & (i % 2 == 1))),
      said_("each token sees only itself", attention_(lambda i, j: j == i)),
      said_("every token sees only the first", attention_(
          lambda i, j: (j == 0) & (i >= 0))),
      said_("a window of two", attention_(lambda i, j: (j <= i) & (i - j < 2))),
      said_("an output ten thousand times as large",
            lambda x: (1e4 * good(x)[0], good(x)[1])),
      said_("positions are added first, the output is twice as wide", lambda x: (
          good(x + torch.arange(x.size(-2)).to(x)[:, None])[0].repeat_interleave(2, -1),
          good(x)[1])),
      said_("causal weights that do not sum to 1", linear_attention),
      said_("the future changes the rounding alone", rounded_),
      said_("an output of one column, all of it negative", lambda x: (
          -good(x)[0].norm(dim=-1, keepdim=True), good(x)[1])),
      said_("all rows zero", lambda x: (0 * x, x.new_zeros(*x.shape[:-1], x.size(-2)))),
      said_("dropout in evaluation mode", lambda x: [
          dropout(part) for part in good(x)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch03_leaks_future_check_well_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 3.6, well hidden: large embeddings, long sequences, no gradient."""
uses_ = "Does the test use seq and d?"
layer_norm_ = lambda x: F.layer_norm(x, x.shape[2:])
weak_, signs_ = attention_(hide=-50.0), attention_(everyone_, torch.sign)
ab.check("3.6 well hidden", leaks_future, [
    said_("a plain causal attention", honest_),
    said_("hidden scores only lowered by 50, which large embeddings outdo", weak_),
    said_("an honest output, weights only lowered by 50", of_(honest_, weak_)),
    said_("a single token, which has no future to see", open_, uses_, seq=1),
    said_("from token 64 on, all 80 tokens are seen",
          attention_(lambda i, j: (j <= i) | (i >= 64)), uses_, seq=80),
    said_("a plain causal attention for d = 6", attention_(d=6), uses_, d=6),
    said_("embeddings divided by the largest number of all, without gradient",
          attention_(prepare=lambda x: 3 * x / x.detach().abs().amax((1, 2), True))),
    said_("no mask behind a layer norm, which does not see a constant that is added",
          attention_(everyone_, layer_norm_)),
    said_("an output five thousand times as small, from the signs of all embeddings",
          lambda x: (signs_(x)[0] / 5000, honest_(x)[1])),
    said_("no mask, the direction of embeddings alone counts, without its signs",
          attention_(everyone_, lambda x: F.normalize(x, dim=-1).abs())),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("3.6 well hidden", leaks_future, cases, like=reference("leaks_future"))

good, bad = attention_(seed=440), attention_(everyone_, seed=450)
weak = [attention_(hide=-50.0, seed=seed) for seed in (460, 470, 480)]
# Property: finds leaks that show only when embeddings are large [large-scores]
tried(*(said_("hidden scores lowered by 50", one) for one in weak),
      said_("the same in the weights alone", of_(good, heads_(*weak))),
      said_("the same in the output alone", of_(weak[0], good)),
      *(pushed_((row + column) % 2, row, column, sign, at_least=20.0)
        for row in range(4) for column in range(4) for sign in (1, -1)))
# Property: finds leaks in an output of small numbers [small-leak]
tried(*(said_("an output five thousand times as small, from the signs of embeddings",
              lambda x, seed=seed: (attention_(everyone_, torch.sign, seed=seed)(x)[0]
                                    / 5000, good(x)[1])) for seed in (490, 500)))
# Property: finds leaks that have no gradient [no-gradient]
tried(said_("embeddings divided by the largest number of the sentence",
            attention_(
          prepare=lambda x: 3 * x / x.detach().abs().amax((1, 2), True), seed=510)),
      said_("a leak through detached numbers", lambda x: (
          good(x)[0] + (bad(x)[0] - good(x)[0]).detach(), good(x)[1].detach())))
# Property: finds leaks behind a layer norm, which does not see shifts or sizes [layer-norm]
tried(said_("no mask behind a layer norm",
            attention_(everyone_, layer_norm_, seed=520)),
      said_("honest attention behind a layer norm", attention_(prepare=layer_norm_)))
# Property: uses seq and d [sizes]
blind_after_8 = attention_(lambda i, j: (j <= i) | (i >= 8), seed=530)
tried(*(said_(f"without a mask after 8 tokens; seq = {seq}", blind_after_8, seq=seq)
        for seq in (13, 8)),
      *(said_(f"honest, seq = {seq}", good, seq=seq) for seq in (1, 2)),
      said_("two tokens, the first sees the second", bad, seq=2),
      said_("honest, d = 7", attention_(d=7), d=7),
      said_("one step too generous, seq = 5, d = 7",
            attention_(lambda i, j: j <= i + 1, d=7), seq=5, d=7))
### END HIDDEN TESTS

# %% [markdown]
# Now point your test at what you have seen and written in this chapter.

# %% tags=["uses-exercise"]
def zero_and_renormalise(x):
    weights = mask_after_softmax(attend_to_all(x, x, x)[1], causal_mask(x.size(1)))
    return weights @ x, weights

def pytorchs_own(x):  # its weights: what it fetches from an identity matrix
    identity = torch.eye(x.size(1)).expand(x.size(0), -1, -1)
    return [
        F.scaled_dot_product_attention(x, x, v, is_causal=True) for v in (x, identity)]

suspects = {"no mask": lambda x: attend_to_all(x, x, x),
            "zeroed after softmax": lambda x: triangle_after(x, x, x),
            "zeroed and renormalised": zero_and_renormalise,
            "your masked_attention":
                lambda x: masked_attention(x, x, x, causal_mask(x.size(1))),
            "PyTorch, is_causal=True": pytorchs_own}
for name, attend in suspects.items():
    print(f"{name:26} {'leaks' if leaks_future(attend) else 'no leak found'}")

# %% [markdown]
# The third line reports a leak, although on paper the renormalised road hides the future. How far do the first four outputs move
# when the last four tokens change? We take the largest move in 500 pairs of sentences, with embeddings of the usual size and a
# hundred times as large.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
generator = torch.Generator().manual_seed(38)
first, second = torch.randn(2, 500, 8, 4, generator=generator)
second[:, :4] = first[:, :4]                                  # the past is the same

def largest_move(attend, size):
    difference = attend(size * first)[0] - attend(size * second)[0]
    return difference[:, :4].abs().max().item() / size

leak = {name: [largest_move(attend, size) for size in (1, 100)]
        for name, attend in suspects.items()}
for name, (usual, large) in leak.items():
    print(f"{name:26} usual size {usual:.4f}   a hundred times as large {large:.4f}")

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7.2, 2.8))
for place, (name, sizes) in enumerate(leak.items()):
    for size, value in zip((1, 100), sizes):
        colour = OKABE_ITO[0 if value < 1e-5 else 3]
        ax.plot(max(value, 1e-9), place, "o" if size == 1 else "s", color=colour,
                markersize=8, fillstyle="full" if size == 1 else "none")
    if max(sizes) == 0:
        ax.text(2e-9, place, "exactly 0", va="center", fontsize=8)
ax.set(
    xscale="log", xlim=(5e-10, 20), yticks=range(5), yticklabels=leak, ylim=(4.5, -0.5),
    xlabel="largest move of the past (disc: usual size, square: 100 times)")
ax.set_title(
    "Zeroed and renormalised, the future is hidden only while scores are small")
show(fig, alt="How far the past moves when the future changes, five attentions, on a "
              "logarithmic axis. No mask and zeroed after softmax: between 0.1 and a "
              "few units at both sizes. Zeroed and renormalised: below 0.00001 at the "
              "usual size, as much as without the division at a hundred times the "
              "size. Your masked_attention and PyTorch's: 0, or a rounding error.")

# %% [markdown]
# At the usual size the renormalised road moves by a rounding error. With embeddings a hundred times as large the visible
# weights drown, as in the figure of section 3.4, and your test has noticed.

# %% [markdown]
# ## 3.9 Causal attention
#
# All parts are built: hide the future and the padding, attend, drop. The module of chapter 2, in the form in which the
# next chapters use it:

# %% tags=["uses-exercise"]
class CausalAttention(nn.Module):
    """One head of self-attention that sees neither the future nor padding."""

    def __init__(self, d_model, d_k, dropout=0.0):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (
            nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.dropout = dropout

    def forward(self, x, lengths=None):                        # (batch, seq, d_model)
        mask = causal_mask(x.size(1), device=x.device)         # (seq, seq)
        if lengths is not None:                                # (batch, seq, seq)
            mask = combine_masks(mask, padding_mask(lengths, x.size(1)))
        v = self.W_v(x)                                        # (batch, seq, d_k)
        _, weights = masked_attention(self.W_q(x), self.W_k(x), v, mask)
        weights = attention_dropout(weights, self.dropout, self.training)
        return weights @ v, weights

# %% [markdown]
# Four questions before it is used. Does it give PyTorch's numbers? Is every word of a padded batch as it would be alone? Does
# it pass your own test, and do gradients reach every weight?

# %% tags=["uses-exercise"]
layer = CausalAttention(d_model=4, d_k=5, dropout=0.1).eval()
sentences = torch.randn(2, 6, 4)
output, weights = layer(sentences, lengths=torch.tensor([6, 3]))
alone, _ = layer(sentences[1:, :3])
q, k, v = layer.W_q(sentences), layer.W_k(sentences), layer.W_v(sentences)
pytorch = F.scaled_dot_product_attention(q, k, v, is_causal=True)

print(f"first sentence, from PyTorch's:    {(output[0] - pytorch[0]).abs().max():.5f}")
print(
    f"short sentence, from itself alone: {(output[1, :3] - alone[0]).abs().max():.5f}")
print("your leak test:", "leaks" if leaks_future(layer) else "no leak found")
output.square().sum().backward()
for name, p in layer.named_parameters():
    print(f"largest gradient of {name}: {p.grad.abs().max():.2f}")

# %% [markdown]
# And the dice? The same reader, the same training, with your attention inside.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def attend_to_the_past(q, k, v):
    return masked_attention(q, k, v, causal_mask(q.size(-2), device=q.device))

honest_reader = train_on_dice(attend_to_the_past)
loss_honest, hits_honest, _ = play_dice(honest_reader)

fig, ax = plt.subplots(figsize=(7.5, 3.4))
for shift, losses, name, colour in [
        (-0.27, loss_all, "no mask", OKABE_ITO[3]),
        (0.0, loss_triangle, "zeroed after softmax", OKABE_ITO[1]),
        (0.27, loss_honest, "hidden before softmax", OKABE_ITO[0])]:
    places = [i + shift for i in range(8)]
    ax.bar(places, losses.tolist(), width=0.25, color=colour, label=name)
    # outlined: what the future has told
    leak = (torch.tensor(6.).log() - losses).clamp(min=0)
    leak[leak < 0.02] = 0
    ax.bar(places, leak.tolist(), bottom=losses.tolist(), width=0.25, fill=False,
           edgecolor=colour, linestyle=":")
ax.axhline(torch.tensor(6.).log(), color="black", linestyle="--", linewidth=1)
ax.text(-0.45, 1.85, "ln 6", fontsize=8)
ax.set(xlabel="position", xticks=range(8), ylabel="loss on new games", ylim=(0, 2.9))
ax.set_title("Hidden before softmax, the loss is that of the die everywhere")
ax.legend(ncols=3, loc="upper left", frameon=False)
show(fig, alt="Bars of loss at positions 0 to 7 for three attentions, with the gap up "
              "to ln 6 outlined by dots. Without a mask the loss is near zero up to "
              "position 6 and above ln 6 at position 7; zeroed after softmax it is "
              "about 1.1 up to position 6; hidden before softmax it stands at ln 6 = "
              "1.79 everywhere and no gap is outlined.")
print("times as often right as chance:",
      *(f"{6 * hit:4.1f}" for hit in hits_honest.tolist()))
print("loss:                          ",
      *(f"{loss:.2f}" for loss in loss_honest.tolist()))

# %% [markdown]
# 1.79 at every position, the last one included, and right as often as the die. This model knows nothing, and its loss says so.
# The dotted outlines above the other bars are what the future has told the other two.
#
# ### Make it yours
#
# Not graded. Write an attention of your own that hides the future in its own way, then one that leaks a little, by a
# trick that nobody has shown you here, and see whether your test finds it. Say in a comment what you expect before you run.

# %% tags=["uses-exercise", "show"]
def mine(x):  # every token sees one earlier token: the first
    mask = torch.zeros(x.size(1), x.size(1), dtype=torch.bool)
    mask[:, 0] = True
    return masked_attention(x, x, x, mask)

def mine_leaky(x):  # the sign of the last token's first number
    output, weights = mine(x)  # decides about the sign of every output
    return output * x[:, -1:, :1].sign(), weights

for name, attend in [("mine", mine), ("mine_leaky", mine_leaky)]:
    print(f"{name:10} {'leaks' if leaks_future(attend) else 'no leak found'}")

# %% [markdown]
# ## Summary
#
# *How can a model predict dice, and how do you make sure that none of yours does?* The roll to guess was among the inputs, one
# step to the right, and attention looked there. A causal mask, applied to the scores before softmax, takes it away; a test
# that changes the future and watches the past shows that it did.
#
# You can now
#
# - **build a causal mask**, and say why the answer must be hidden *before* softmax: zeroing weights afterwards leaves the
#   future in the row sums, and with those alone a model was right at dice twice as often as chance (3.4);
# - **keep rows with nothing to look at free of NaN**: $-\infty$ everywhere gives NaN, $-10^9$ everywhere gives a uniform
#   row; replacing the NaN afterwards leaves it in the gradient if the $-\infty$ was added, not if it was filled in, so repair what goes
#   into softmax, or into a division (3.3, 3.4);
# - **hide padding and combine masks**: `(batch, 1, seq)` broadcasts over queries, `unsqueeze(1)` makes room for heads (3.5);
# - **read three mask conventions**: `True` = may attend, `True` = blocked, and floats that are added, where ones and zeros
#   hide nothing (3.6);
# - **drop attention weights**: divide by $1-p$, not by the row sum, and call `eval()` before you look (3.7);
# - **test any attention function for leaks**, with `leaks_future` (3.8).
#
# Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# Each query still has one set of weights, so one token can look for one thing at a time. Chapter 4 gives it many heads.
#
# ## Further reading
#
# - Raschka, *Build a Large Language Model (From Scratch)* (2024), chapter 3: the running sentence and its embeddings are from
#   there, with causal masks and dropout on weights.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3.2.3: the decoder hides illegal connections "by masking out
#   (setting to −∞) all values in the input of the softmax".
# - Germain, Gregor, Murray, Larochelle, *MADE: Masked Autoencoder for Distribution Estimation* (2015), the section "Masked Autoencoders": the
#   same idea for a plain network: masks on weights, so that no output depends on a later input.
# - van den Oord, Kalchbrenner, Kavukcuoglu, *Pixel Recurrent Neural Networks* (2016), section 3.4: masked convolutions, with and without
#   the pixel itself.
# - Srivastava et al., *Dropout: A Simple Way to Prevent Neural Networks from Overfitting* (2014), sections 4 and 10: the model, and
#   scaling during training instead of afterwards.
# - PyTorch documentation of `torch.nn.functional.scaled_dot_product_attention` and `torch.nn.MultiheadAttention`: read the entries
#   `attn_mask` one after the other.
