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

# What the course brings along: a small package, whose wheel lies beside the notebooks.
try:
    import attention_built as ab
except ImportError:
    import subprocess, sys
    from pathlib import Path
    wheel = "attention_built-1.0.0-py3-none-any.whl"
    here = "https://raw.githubusercontent.com/attention-built/attention-built/main/notebooks"
    place = f"../{wheel}" if Path(f"../{wheel}").exists() else f"{here}/{wheel}"
    if subprocess.run([sys.executable, "-m", "pip", "install", "-q", place]).returncode:
        raise ImportError(f"download {here}/{wheel}, and type: pip install {wheel}")
    import attention_built as ab
from attention_built import (OKABE_ITO, check_guess, draw_guess, draw_matrix,
                             draw_road, show, worst_guesses)
plt.rcParams.update(ab.STYLE)

# %% tags=["show"]
draw_road(3)

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
# included, as a boolean tensor <!-- asks: sizes -->. **It must also** be made on the device it is asked for, a name or a
# `torch.device`; `None` means the default one <!-- asks: device -->.
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
mask = causal_mask(2)
print(mask)
assert mask.dtype == torch.bool
assert mask.tolist() == [[True, False],      # "Your" sees itself
                         [True, True]]       # "journey" sees both

# %% nbgrader={"grade": true, "grade_id": "ch03_causal_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 3.1: position i may see positions 0 to i, and nothing else."""
try:
    mask = causal_mask(4)
except (IndexError, TypeError, ValueError) as error:
    raise AssertionError(f"causal_mask(4) does not run: {error}") from error
assert isinstance(mask, torch.Tensor), (
    f"a tensor is expected, got {type(mask).__name__}")
assert tuple(mask.shape) == (4, 4), (
    "one row per query and one column per key, no further axes: (4, 4) expected, "
    f"got {tuple(mask.shape)}")
assert mask.dtype == torch.bool, (
    f"a mask is boolean, True or False, got {mask.dtype}: "
    "what becomes of the scores where it is False is decided later, by who uses it")

table = ["".join("x" if may else "." for may in row) for row in mask.tolist()]
mistakes = {
    ".xxx ..xx ...x ....": "the mask is inverted: True means that the query may "
                           "attend, and here the future is what it may see",
    "xxxx .xxx ..xx ...x": "the mask is transposed: rows are queries and columns are "
                           "keys, so row 0 may see only column 0",
    ".... x... xx.. xxx.": "the diagonal is missing: a token may look at itself",
    "xx.. xxx. xxxx xxxx": "the mask is one step too generous: position i can still "
                           "see position i + 1",
    "xxxx xxxx xxxx xxxx": "every cell is True: nothing is hidden",
    "x... .x.. ..x. ...x": "each token sees only itself: the past is visible, too"}
seen = " ".join(table)
assert seen not in mistakes, mistakes[seen]
assert (seen == "x... xx.. xxx. "
                "xxxx"), "row 0 sees 1 token, row 1 sees 2 …; got\n" + "\n".join(table)
for asked in ("meta", torch.device("meta")):
    try:
        where = causal_mask(4, device=asked).device.type
    except (RuntimeError, AttributeError, TypeError) as error:
        # a number that is asked for: a GPU has it, the device meta has none
        assert "meta tensor" in str(error) and "expected device" not in str(error), (
            "the mask must be made on the device asked for, a name or a torch.device; "
            f"a part of it was made on another: {error}")
        where = "meta"
    assert where == "meta", (
        f"the mask must be made on the device asked for: asked for {asked!r}, got "
        f"{where!r}")
for seq in (1, 7, 300, 1100, 4200):
    seen = causal_mask(seq).sum(-1).tolist()
    assert seen == list(range(1, seq + 1)), (
        f"right for 4 tokens, not for {seq} tokens: any length is asked for")
### BEGIN HIDDEN TESTS
# Property: right for any length, from a single token to more than a thousand [sizes]
for seq in (1, 2, 7, 13, 151, 1103):
    mask = causal_mask(seq)
    expected = torch.arange(seq)[None, :] <= torch.arange(seq)[:, None]
    assert tuple(mask.shape) == (seq, seq), (
        f"for {seq} tokens: shape {(seq, seq)} expected, got {tuple(mask.shape)}")
    assert mask.dtype == torch.bool, (
        f"for {seq} tokens: boolean expected, got {mask.dtype}")
    assert torch.equal(mask, expected), (
        f"for {seq} tokens: {(mask != expected).sum().item()} cells are wrong")
# Property: the device may be given as a name or as a torch.device, and None means the default one [device]
stays_on_device(lambda: causal_mask(5, torch.device("meta")))
stays_on_device(lambda: causal_mask(5, torch.device("cpu")), needs_numbers=True)
assert causal_mask(5, device=None).device.type == "cpu", (
    "device=None must give the default device")
### END HIDDEN TESTS
print("3.1 holds: the right boolean mask for 4 tokens, made on the device asked for. "
      "Hidden tests look at other lengths.")

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
# Scaled dot-product attention as in chapter 2, with a mask. One point each for
#
# - *values*: one sentence, with a mask and without one, of any sizes and for any pattern of the mask; the inputs stay as they
#   are <!-- asks: sizes, values, inputs-unchanged -->;
# - *empty rows*: a row with nothing to attend to gives zero weights and a zero output, also where a whole sentence of a batch sees
#   nothing; the gradients of `q`, `k`, `v` hold no NaN and are those of the other rows <!-- asks: masked-row, empty-sentence, gradient -->;
# - *everything in front*: any number of leading axes, masks that broadcast to the scores, inputs that are not contiguous in
#   memory, scores of ±10,000 and more, half precision (`float16`), on the device of the inputs. What is
#   hidden must make no difference at all, as long as it and its scores are finite numbers <!-- asks: leading-dims, broadcast, non-contiguous, large-scores, no-trace, device -->.
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
output, weights = masked_attention(q, k, v, mask)
print(weights, output)
assert weights.tolist() == [[1.0, 0.0], [0.5, 0.5]]
assert output.tolist() == [[1.0], [2.0]]         # 1, and the mean of 1 and 3

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["leaves_inputs_alone"]
"""Exercise 3.2, values: two queries, three keys, with a mask and without one."""
q = torch.tensor([[2., 0., 2., 0.], [0., 1., 0., 3.]])
k = torch.tensor([[1., 1., 0., 0.], [0., 1., 0., 1.], [1., 0., 1., 0.]])
v = torch.tensor([[1., 0.], [0., 1.], [2., 2.]])
mask = torch.tensor([[True, True, False], [False, True, True]])
try:
    free = masked_attention(q.clone(), k.clone(), v.clone())
    masked = masked_attention(q.clone(), k.clone(), v.clone(), mask.clone())
except (TypeError, AttributeError) as error:
    raise AssertionError("it must work with a mask and without one (mask=None): "
                         f"{error}") from error
except RuntimeError as error:
    assert "ambiguous" not in str(error), (
        "`if mask` asks a whole tensor for one truth value: ask whether there is a "
        f"mask (is None), and give it to all scores at once ({error})")
    raise AssertionError("the shapes do not fit: are the keys transposed for the "
                         f"product with the queries? ({error})") from error
for result in (free, masked):
    assert isinstance(result, (tuple, list)) and len(result) == 2, (
        "two results are expected: (output, weights)")
    assert tuple(result[1].shape) == (2, 3), (
        "the output comes first, the weights second: weights are (2, 3), one per "
        f"query and key; got {tuple(result[1].shape)}")
    assert tuple(result[0].shape) == (2, 2), (
        "the output comes first and is (2, 2), one row per query and as wide as v: "
        f"got {tuple(result[0].shape)}")

# the six weights under the mask
mistakes = {
    "the scores were not divided by √d_k": [0.8808, 0.1192, 0, 0, 0.9820, 0.0180],
    "the scores were divided by d_k, not by its square "
    "root": [0.6225, 0.3775, 0, 0, 0.7311, 0.2689],
    "softmax ran over the queries: each query's weights must sum to "
    "1": [1, 0.1192, 0, 0, 0.8808, 1],
    "the mask is read the wrong way round: True means may attend": [0, 0, 1, 1, 0, 0],
    "the mask was ignored: nothing is "
    "hidden": [0.2447, 0.0900, 0.6652, 0.1643, 0.7361, 0.0996],
    "the weights were zeroed after softmax, so the rows no longer sum to 1: hide "
    "before softmax": [0.2447, 0.0900, 0, 0, 0.7361, 0.0996],
    "hidden scores were set to 0, but e⁰ = 1 is not "
    "nothing": [0.5761, 0.2119, 0.2119, 0.1065, 0.7870, 0.1065],
    "the mask was added to the scores as 0 and 1: that hides "
    "nothing": [0.4223, 0.1554, 0.4223, 0.0674, 0.8214, 0.1112],
    "the scores were divided by √2, the root of the number of queries or of the width "
    "of v: d_k, the width of q and k, is 4": [0.8044, 0.1956, 0, 0, 0.9442, 0.0558],
    "every row that hides some key was emptied: empty is a row that hides all of "
    "them": [0, 0, 0, 0, 0, 0]}
seen = masked[1].flatten().float()
assert not seen.isnan().any(), (
    "NaN, though no row is empty: 0 · ∞ is NaN, so −∞ cannot be multiplied by a mask "
    "of 0 and 1")
for mistake, wrong in mistakes.items():
    assert not torch.allclose(
        seen, torch.tensor(wrong, dtype=torch.float32), atol=1e-4), mistake
for what, got, right in [
        ("the weights under the mask", masked[1],
         [[0.7311, 0.2689, 0.], [0., 0.8808, 0.1192]]),
        ("the weights without a mask", free[1],
         [[0.2447, 0.0900, 0.6652], [0.1643, 0.7361, 0.0996]]),
        ("the weights are right, the output is not their mix of v", masked[0],
         [[0.7311, 0.2689], [0.2384, 1.1192]]),
        ("the output without a mask", free[0], [[1.5752, 1.4205], [0.3635, 0.9354]])]:
    torch.testing.assert_close(got, torch.tensor(right), atol=1e-4, rtol=0,
                               msg=lambda m: f"{what}\n{m}")
_, weights = masked_attention(q, k[:1], v[:1])
assert weights.tolist() == [[1.], [1.]], (
    "seq_q = 2 and seq_k = 1: each query spends 1 on the only key, got "
    f"{weights.tolist()}")
mask = torch.tensor([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).bool()
_, weights = masked_attention(torch.eye(3), torch.eye(3), torch.eye(3), mask)
assert torch.allclose(weights, mask.float() / 2), (
    "each of three tokens may see the two others, and does not: not every mask is "
    "causal")
### BEGIN HIDDEN TESTS
# Property: other sizes, all different, with a mask and without one [sizes]
for seed, (seq_q, seq_k, d_k, d_v) in enumerate(
        [(7, 13, 11, 2), (13, 5, 3, 17), (1, 7, 2, 3)]):
    generator = torch.Generator().manual_seed(320 + seed)
    q, k, v = (torch.randn(n, d, generator=generator, dtype=torch.float64)
               for n, d in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)])
    mask = torch.rand(seq_q, seq_k, generator=generator) < 0.5
    mask[:, seed] = True
    for m in (None, mask):
        expected = q @ k.T / d_k ** 0.5 if m is None else (
            q @ k.T / d_k ** 0.5).masked_fill(~m, -torch.inf)
        output, weights = masked_attention(q, k, v, m)
        case = (
            f"seq_q={seq_q}, seq_k={seq_k}, d_k={d_k}, d_v={d_v}, "
            f"{'no mask' if m is None else 'masked'}")
        assert weights.dtype == torch.float64 and output.dtype == torch.float64, (
            f"{case}: float64 in, {weights.dtype} out")
        torch.testing.assert_close(
            weights, expected.softmax(-1), msg=lambda m: f"weights, {case}\n{m}")
        torch.testing.assert_close(
            output, expected.softmax(-1) @ v, msg=lambda m: f"output, {case}\n{m}")
# Property: the mask is used as given, whatever its pattern: not every mask is causal [values]
mask = torch.tensor([[False, True, True], [True, False, True], [True, True, False]])
_, weights = masked_attention(torch.eye(3), torch.eye(3), torch.eye(3), mask)
torch.testing.assert_close(
    weights, mask.float() / 2,
    msg=lambda m: f"each query sees the two other tokens equally\n{m}")
# Property: queries, keys, values and mask are not modified [inputs-unchanged]
generator = torch.Generator().manual_seed(329)
inputs = [torch.randn(5, 3, generator=generator) for _ in range(3)] + [
    torch.rand(5, 5, generator=generator) < 0.6]
leaves_inputs_alone(masked_attention, *inputs)
### END HIDDEN TESTS
print("3.2 holds for values: two queries and three keys, masked and not. "
      "Hidden tests look at other sizes and masks, and at the inputs.")

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check_empty", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 3.2, empty rows: query 0 may see nothing."""
q = torch.tensor([[2., 0., 2., 0.], [0., 1., 0., 3.]], requires_grad=True)
k = torch.tensor(
    [[1., 1., 0., 0.], [0., 1., 0., 1.], [1., 0., 1., 0.]], requires_grad=True)
v = torch.tensor([[1., 0.], [0., 1.], [2., 2.]], requires_grad=True)
mask = torch.tensor([[False, False, False], [True, True, False]])
handed_in_ = mask.clone()
output, weights = masked_attention(q, k, v, handed_in_)
assert torch.equal(handed_in_, mask), (
    "the mask that was handed in was changed in place, to "
    f"{handed_in_.tolist()}: it belongs to the caller, work on a copy")
assert output.requires_grad, (
    "no gradient can flow back through the output: something was detached on the way")
assert not weights[0].isnan().any(), (
    "a row of −∞ only gives 0/0 in softmax: the empty row is NaN and must be zeros")
assert not torch.allclose(weights[0], torch.full((3,), 1 / 3).to(weights)), (
    "a row filled with one large negative number becomes uniform: the empty row must "
    "be zeros")
assert (weights[0] == 0).all(), (
    f"the row with nothing to see must have zero weights, got {weights[0].tolist()}")
assert (output[0] == 0).all(), (
    f"the row with nothing to see must have a zero output, got {output[0].tolist()}")
torch.testing.assert_close(
    weights[1], torch.tensor([0.1824, 0.8176, 0.]), atol=1e-4, rtol=0,
    msg=lambda m: "row 1, which may see keys 0 and 1, is wrong: "
                  f"is emptiness asked for each query, over its keys?\n{m}")

try:
    gradients = torch.autograd.grad(output.square().sum(), (q, k, v), allow_unused=True)
except RuntimeError as error:
    raise AssertionError("the gradient cannot be computed: a tensor that it needs was "
                         f"changed in place ({error})") from error
for name, gradient in zip("qkv", gradients, strict=True):
    assert gradient is not None, (
        f"no gradient reaches {name}: something was detached on the way")
    assert not gradient.isnan().any(), (
        f"the value is repaired, but the gradient of {name} is NaN: "
        "keep the NaN from arising in softmax")
heads = [torch.ones(2, 3, n, d) for n, d in ((2, 4), (3, 4), (3, 2))]
output, weights = masked_attention(*heads, torch.zeros(2, 1, 1, 3, dtype=torch.bool))
assert (weights == 0).all() and (output == 0).all(), (
    "a batch of heads in which nobody may see anything: zeros expected, got weights "
    f"{weights[0, 0].tolist()}")
shapes = tuple(output.shape), tuple(weights.shape)
assert shapes == ((2, 3, 2, 2), (2, 3, 2, 3)), (
    "a batch of heads in which nobody may see anything: the output is still as wide as "
    "v, (2, 3, 2, 2), and the weights are (2, 3, 2, 3), one per query and key; got "
    f"{shapes[0]} and {shapes[1]}")
output, weights = masked_attention(q, k, v, mask.clone())
number = output[0].sum() + (weights[0] * torch.tensor([1., 2., 3.])).sum()
for name, gradient in zip(
        "qkv", torch.autograd.grad(number, (q, k, v), allow_unused=True), strict=True):
    assert gradient is None or (gradient == 0).all(), (
        f"the empty row hands a gradient to {name}: its zeros are no result of q, k "
        "and v, and the gradients are those of the other rows alone")
### BEGIN HIDDEN TESTS
# Property: empty rows anywhere in a batch of heads give zeros, the other rows are untouched [masked-row]
for dtype in (torch.float32, torch.float64, torch.float16):
    generator = torch.Generator().manual_seed(331)
    q, k, v = (torch.randn(2, 3, n, d, generator=generator).to(dtype)
               for n, d in [(7, 5), (11, 5), (11, 2)])
    mask = torch.rand(2, 1, 7, 11, generator=generator) < 0.5
    mask[..., 4] = True
    mask[0, 0, 3], mask[1, 0, 0], mask[1, 0, 6] = False, False, False
    output, weights = masked_attention(q, k, v, mask.clone())
    scores = (
        q.float() @ k.float().transpose(-2, -1) / 5 ** 0.5).masked_fill(~mask, -1e30)
    expected = scores.softmax(-1) * mask.any(-1, keepdim=True)
    tolerance = 1e-2 if dtype == torch.float16 else 1e-5
    assert not weights.isnan().any() and not output.isnan().any(), (
        f"NaN in the value ({dtype})")
    torch.testing.assert_close(
        weights.float(), expected, atol=tolerance, rtol=tolerance,
        msg=lambda m: f"weights with empty rows, {dtype}\n{m}")
    torch.testing.assert_close(
        output.float(), expected @ v.float(), atol=2 * tolerance, rtol=tolerance,
        msg=lambda m: f"output with empty rows, {dtype}\n{m}")
# a query of zeros is no empty row: it shares its weight evenly
_, weights = masked_attention(
    torch.tensor([[0., 0., 0.], [1., 2., 0.]]),
    torch.tensor([[1., 0., 2.], [3., 1., 0.], [0., 1., 1.]]), torch.eye(3),
    torch.tensor([[True, True, False], [False, True, True]]))
torch.testing.assert_close(
    weights[0], torch.tensor([0.5, 0.5, 0.]),
    msg=lambda m: "a query of zeros is no row with nothing to see: the mask alone "
                  f"decides\n{m}")
# Property: a sentence in which nobody may see anything gives zeros everywhere and finite gradients [empty-sentence]
generator = torch.Generator().manual_seed(332)
q, k, v = (
    torch.randn(3, 5, 2, generator=generator, requires_grad=True) for _ in range(3))
mask = torch.ones(3, 1, 5, dtype=torch.bool)
mask[1] = False
output, weights = masked_attention(q, k, v, mask)
assert (weights[1] == 0).all() and (output[1] == 0).all(), (
    "the sentence in which everything is hidden must give zeros")
# Property: gradients are free of NaN through the output and through the weights, and those of the other rows are right [gradient]
expected = ((q @ k.transpose(-2, -1) / 2 ** 0.5).masked_fill(~mask, -1e30).softmax(-1)
            * mask) @ v
for name, gradient, right in zip(
        "qkv", torch.autograd.grad(output.square().sum(), (q, k, v), retain_graph=True),
        torch.autograd.grad(expected.square().sum(), (q, k, v)), strict=True):
    torch.testing.assert_close(
        gradient, right, atol=1e-5, rtol=1e-4,
        msg=lambda m: f"gradient of {name}, batch with one empty sentence\n{m}")
if weights.requires_grad:
    for name, gradient in zip(
            "qk", torch.autograd.grad(weights.square().sum(), (q, k)), strict=True):
        assert not gradient.isnan().any(), (
            f"the gradient of {name} through the weights is NaN")
### END HIDDEN TESTS
print("3.2 holds for one empty row: zeros, and no NaN in value or gradient. "
      "Hidden tests look at batches with empty rows and at the other rows' gradients.")

# %% nbgrader={"grade": true, "grade_id": "ch03_masked_attention_check_any", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device", "takes_views"]
"""Exercise 3.2, everything in front: a batch, heads, broadcast masks, large scores,
float16."""
generator = torch.Generator().manual_seed(32)
# (batch, heads, seq, d)
q, k, v = (torch.randn(2, 3, 4, 5, generator=generator) for _ in range(3))
mask = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]).bool()
# (2, 1, 1, 4)
lengths_mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0]]).bool()[:, None, None]
copies = [t.clone() for t in (q, k, v, mask)]
try:
    output, weights = masked_attention(q, k, v, mask)
    batch_of_3, _ = masked_attention(
        q[0].clone(), k[0].clone(), v[0].clone(), mask.clone())
    padded, _ = masked_attention(q, k, v, lengths_mask)
    deep_, _ = masked_attention(q[None], k[None], v[None], mask)
except (RuntimeError, IndexError, ValueError, KeyError) as error:
    raise AssertionError(
        "any number of axes may stand in front: only the last two are "
        f"sequence and features ({type(error).__name__}: {error})") from error
assert all(torch.equal(t, c) for t, c in zip((q, k, v, mask), copies, strict=True)), (
    "an input was modified in place: the caller's tensors must stay as they were")
right = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
torch.testing.assert_close(
    output, right,
    msg=lambda m: f"a batch of heads: compared with PyTorch's own function\n{m}")
torch.testing.assert_close(
    batch_of_3, right[0],
    msg=lambda m: f"a batch without heads: compared with PyTorch's own function\n{m}")
torch.testing.assert_close(
    deep_, right[None],
    msg=lambda m: f"five axes: compared with PyTorch's own function\n{m}")
try:
    one_axis_, _ = masked_attention(q, k, v, mask[1])
except (RuntimeError, IndexError) as error:
    raise AssertionError(
        "a mask of one axis, (4,), the same for every query, does not run. It "
        "broadcasts to the scores as it is: is another axis of the mask asked for? "
        f"({error})") from error
torch.testing.assert_close(
    one_axis_,
    F.scaled_dot_product_attention(q, k[..., :2, :], v[..., :2, :]),
    msg=lambda m: f"a mask of one axis, (4,): every query sees keys 0 and 1\n{m}")
try:
    heads_mask_, _ = masked_attention(q, k, v, mask.repeat(3, 1, 1))
except RuntimeError as error:
    raise AssertionError(
        "a mask (3, 4, 4) beside scores (2, 3, 4, 4): shapes broadcast from the last "
        "axis on, so the 3 are the heads. Was an axis put in between, or the first "
        f"axis taken for the batch? ({error})") from error
torch.testing.assert_close(
    heads_mask_, right,
    msg=lambda m: f"a mask of shape (3, 4, 4), the same for each of the heads\n{m}")
for sentence, n in ((0, 2), (1, 3)):
    alone = F.scaled_dot_product_attention(
        q[sentence], k[sentence, :, :n], v[sentence, :, :n])
    torch.testing.assert_close(
        padded[sentence], alone,
        msg=lambda m: "a mask of shape (2, 1, 1, 4), one row per sentence: "
                      f"sentence {sentence} sees its first {n} tokens\n{m}")
try:
    half, half_weights = masked_attention(q.half(), k.half(), v.half(), mask)
except RuntimeError as error:
    raise AssertionError("half precision: a fill like −1e9 does not fit into float16, "
                         f"whose lowest number is −65504 ({error})") from error
assert half.dtype == half_weights.dtype == torch.float16, (
    f"half precision in, half precision out: got an output in {half.dtype} and weights "
    f"in {half_weights.dtype}")
torch.testing.assert_close(half.float(), right, atol=2e-2, rtol=2e-2,
                           msg=lambda m: f"half precision\n{m}")
# scores of ∓10000, ∓100000, ∓3000000, and of ∓20000 and ∓40000 in half precision
for large, dtype in ((100., torch.float32), (1000., torch.float32),
                     (30_000., torch.float32), (200., torch.float16),
                     (400., torch.float16)):
    _, weights = masked_attention(
        torch.tensor([[-large]], dtype=dtype),
        torch.tensor([[100.], [-100.]], dtype=dtype), torch.zeros(2, 1, dtype=dtype),
        torch.tensor([[True, False]]))
    case = (f"scores −{100 * large:.0f} and {100 * large:.0f} in {dtype}, the second "
            f"hidden: weights [1, 0] expected, got {weights[0].tolist()}")
    assert not weights.isnan().any(), (
        f"{case}. The exponential of a large score overflows; softmax avoids that")
    assert weights[0].tolist() != [0, 0], (
        f"{case}: the visible score gets nothing. Either it lies below the number that "
        "hidden ones are filled with (only −∞ lies below every score), or the largest "
        "score, which softmax takes off, was taken over hidden keys, too")
    assert weights[0, 0] > 0.9 and weights[0, 1] == 0, (
        f"{case}: the hidden score still counts")
    assert weights[0, 0] == 1, (
        f"{case}: the weights of a row must sum to 1; is a small number added to the "
        "sum that divides them?")
### BEGIN HIDDEN TESTS
# Property: works with any number of leading dimensions, in float32 and float64 [leading-dims]
for dtype in (torch.float32, torch.float64):
    for lead in [(), (3,), (3, 2), (2, 1, 3)]:
        generator = torch.Generator().manual_seed(340 + len(lead))
        q, k, v = (torch.randn(*lead, n, d, generator=generator, dtype=dtype)
                   for n, d in [(7, 11), (13, 11), (13, 5)])
        mask = torch.rand(*lead, 7, 13, generator=generator) < 0.5
        mask[..., 2] = True
        output, weights = masked_attention(q, k, v, mask)
        right = (q @ k.transpose(-2, -1) / 11 ** 0.5).masked_fill(
            ~mask, -torch.inf).softmax(-1)
        assert weights.dtype == dtype, f"{dtype} in, {weights.dtype} out"
        torch.testing.assert_close(
            weights, right,
            msg=lambda m: f"weights with leading dimensions {lead}, {dtype}\n{m}")
        torch.testing.assert_close(
            output, right @ v,
            msg=lambda m: f"output with leading dimensions {lead}, {dtype}\n{m}")
        right = (q @ k.transpose(-2, -1) / 11 ** 0.5).softmax(-1)
        torch.testing.assert_close(
            masked_attention(q, k, v)[1], right,
            msg=lambda m: f"weights without a mask, leading dimensions {lead}\n{m}")
# Property: masks of fewer or smaller axes broadcast to the scores [broadcast]
generator = torch.Generator().manual_seed(345)
q, k, v = (torch.randn(3, 2, n, d, generator=generator)
           for n, d in [(5, 11), (7, 11), (7, 13)])
for shape in [(7,), (1, 7), (5, 7), (5, 1), (2, 5, 7), (3, 1, 1, 7), (3, 1, 5, 7),
              (3, 2, 1, 7), (1, 1, 5, 7)]:
    mask = torch.rand(shape, generator=generator) < 0.5
    if shape[-1] == 7:
        mask[..., 3] = True
    full = mask.expand(3, 2, 5, 7)
    right = (q @ k.transpose(-2, -1) / 11 ** 0.5).masked_fill(
        ~full, -1e30).softmax(-1) * full.any(-1, keepdim=True)
    output, weights = masked_attention(q, k, v, mask)
    assert tuple(weights.shape) == (3, 2, 5, 7), (
        f"mask {shape}: weights (3, 2, 5, 7) expected, got {tuple(weights.shape)}")
    torch.testing.assert_close(
        weights, right, msg=lambda m: f"a mask of shape {shape}\n{m}")
    torch.testing.assert_close(
        output, right @ v, msg=lambda m: f"output with a mask of shape {shape}\n{m}")
# Property: works for inputs that are not contiguous in memory [non-contiguous]
generator = torch.Generator().manual_seed(346)
q, k, v = (torch.randn(3, 2, n, d, generator=generator)
           for n, d in [(5, 11), (7, 11), (7, 13)])
takes_views(masked_attention, q, k, v, torch.rand(5, 7, generator=generator) < 0.7)
# Property: hides tokens however large their scores are [large-scores]
generator = torch.Generator().manual_seed(347)
q, k = (300 * torch.randn(2, 7, 3, generator=generator, dtype=torch.float64)
        for _ in range(2))
v = torch.randn(2, 7, 5, generator=generator, dtype=torch.float64)
mask = torch.ones(7, 7).tril().bool()
right = (q @ k.transpose(-2, -1) / 3 ** 0.5).masked_fill(~mask, -torch.inf).softmax(-1)
output, weights = masked_attention(q, k, v, mask)
assert not weights.isnan().any(), "large scores give NaN"
torch.testing.assert_close(weights, right,
                           msg=lambda m: "scores of ±100000: hidden tokens still "
                                         f"count, or visible ones are lost\n{m}")
for large in (-1e4, -1e5, 1e5):
    _, weights = masked_attention(torch.tensor([[large]]), torch.tensor([[1.], [-1.]]),
                                  torch.zeros(2, 1), torch.tensor([[True, False]]))
    assert weights.tolist() == [[1., 0.]], (
        f"a visible score of {large:.0f} beside a hidden one of {-large:.0f}: weights "
        f"[1, 0] expected, got {weights[0].tolist()}")
# Property: changing what is hidden changes nothing [no-trace]
k_2, v_2 = k.clone(), v.clone()
k_2[:, 4:], v_2[:, 4:] = 50 * k[:, 4:].flip(1), -100 * v[:, 4:]
torch.testing.assert_close(
    masked_attention(q, k_2, v_2, mask)[0][:, :4], output[:, :4],
    msg=lambda m: f"tokens 4 to 6 were changed, and outputs 0 to 3 moved\n{m}")
# Property: works on the device of its inputs: nothing is made on the CPU by default [device]
q, k, v = torch.zeros(2, 5, 3), torch.zeros(2, 7, 3), torch.zeros(2, 7, 11)
stays_on_device(masked_attention, q, k, v)
stays_on_device(masked_attention, q, k, v, torch.ones(5, 7, dtype=torch.bool))
### END HIDDEN TESTS
print("3.2 holds for batches, heads, two kinds of mask, scores to 3,000,000 and "
      "float16. Hidden tests look at other shapes of masks, memory layouts, other "
      "large scores and the device.")

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
# - *values*: equal to hiding first, for any number of leading axes, masks that broadcast, weights that are not contiguous in memory or
#   in half precision, on the device of the weights, which stay as they are
#   <!-- asks: leading-dims, broadcast, non-contiguous, device -->;
# - *little*: every row that has anything left sums to 1, however little it was ($10^{-12}$ or $10^{-25}$, say; in half precision 0.001)
#   <!-- asks: small-sums -->;
# - *nothing*: a row with nothing left, because all is hidden or because its allowed weights are all 0, becomes zeros,
#   also in batches of heads; its gradient is never NaN, and the gradient of all other rows is right
#   <!-- asks: masked-row, gradient -->.
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
result = mask_after_softmax(weights, mask)
print(result)
assert [round(w, 4) for w in result[0].tolist()] == [0.4, 0.6, 0.0]
assert result[1].tolist() == [0.0, 0.0, 0.0]

# %% nbgrader={"grade": true, "grade_id": "ch03_mask_after_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 3.3, values: three rows, the future hidden, each row sums to 1 again."""
weights = torch.tensor(
    [[0.1, 0.2, 0.3, 0.4], [0.3, 0.1, 0.5, 0.1], [0.7, 0.1, 0.1, 0.1]])
mask = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]).bool()
try:
    result = mask_after_softmax(weights.clone(), mask.clone())
except RuntimeError as error:
    raise AssertionError(
        "it did not run on weights (3, 4): do the sums keep their axis, so that they "
        f"can divide the rows? ({error})") from error
assert isinstance(result, torch.Tensor), (
    f"a tensor is expected, got {type(result).__name__}")
assert tuple(result.shape) == (3, 4), (
    f"shape (3, 4) expected, got {tuple(result.shape)}")

# what comes out in rows 1 and 2
mistakes = {"the rows were not renormalised: they no longer sum to 1, and the missing "
            "part tells of the future": [0.3, 0.1, 0, 0, 0.7, 0.1, 0.1, 0],
            "the mask is read the wrong way round: True means may "
            "attend": [0, 0, 0.8333, 0.1667, 0, 0, 0, 1],
            "the sums ran over the queries: each row must sum to "
            "1": [0.2727, 0.5, 0, 0, 0.6364, 0.5, 1, 0],
            "a softmax of weights is not a renormalisation: it changes the ratios "
            "between them": [0.5498, 0.4502, 0, 0, 0.4767, 0.2616, 0.2616, 0],
            "a second softmax gives weight back to what was zeroed (e⁰ = "
            "1)": [0.3030, 0.2481, 0.2245, 0.2245, 0.3855, 0.2116, 0.2116, 0.1914],
            "the rows were divided by the number of visible keys, not by what is left "
            "of their weight": [0.15, 0.05, 0, 0, 0.2333, 0.0333, 0.0333, 0],
            "the lost weight was spread evenly: the ratios between the visible weights "
            "must stay": [0.6, 0.4, 0, 0, 0.7333, 0.1333, 0.1333, 0],
            "the mask was ignored": [0.3, 0.1, 0.5, 0.1, 0.7, 0.1, 0.1, 0.1],
            "the rows were divided by their length, the root of the sum of squares, "
            "not by their sum": [0.9487, 0.3162, 0, 0, 0.9802, 0.1400, 0.1400, 0],
            "the rows were divided by their largest weight, not by their "
            "sum": [1, 0.3333, 0, 0, 1, 0.1429, 0.1429, 0],
            "the rows were divided by the weight that they lost, not by the weight "
            "that is left": [0.5, 0.1667, 0, 0, 7, 1, 1, 0],
            "the lost weight went to one token alone: the ratios between the visible "
            "weights must stay": [0.3, 0.7, 0, 0, 0.7, 0.1, 0.2, 0],
            "the rows were divided, but the forbidden weights are still "
            "there": [0.75, 0.25, 1.25, 0.25, 0.7778, 0.1111, 0.1111, 0.1111]}
seen = result[1:].flatten().float()
for mistake, wrong in mistakes.items():
    assert not torch.allclose(
        seen, torch.tensor(wrong, dtype=torch.float32), atol=1e-4), mistake
right = torch.tensor(
    [[1., 0., 0., 0.], [0.75, 0.25, 0., 0.], [0.7778, 0.1111, 0.1111, 0.]])
torch.testing.assert_close(
    result, right, atol=1e-4, rtol=0,
    msg=lambda m: f"what is left of a row should keep its ratios and sum to 1\n{m}")
before_call = weights.clone()
mask_after_softmax(weights, mask)
assert torch.equal(weights, before_call), (
    "the weights that were handed in were changed in place")
doubled = torch.stack([weights, weights.flip(0)], 1).transpose(0, 1)  # (2, 3, 4)
try:
    result = mask_after_softmax(doubled, torch.stack([mask, mask]))
except RuntimeError as error:
    raise AssertionError(
        "it did not run on weights (2, 3, 4) that are not contiguous in memory: does "
        "it need two axes, or a view where only reshape can work? "
        f"({error})") from error
assert (
    tuple(result.shape) == (2, 3, 4) and torch.allclose(result[0], right, atol=1e-4)), (
    "with leading dimensions (2,), one mask for each: the first table did not come out "
    "as it does alone")
alone = tuple(mask_after_softmax(weights[None], mask[None]).shape)
assert alone == (1, 3, 4), (
    "weights (1, 3, 4), leading dimensions (1,): a batch of one keeps its axis, and "
    f"{alone} came out; squeeze drops every axis of size 1")
result = mask_after_softmax(weights.double(), mask)
assert result.dtype == torch.float64, f"torch.float64 in, {result.dtype} out"
### BEGIN HIDDEN TESTS
# Property: equal to hiding before softmax, with any number of leading dimensions, in float32 and float64 [leading-dims]
for dtype in (torch.float32, torch.float64):
    for lead in [(), (3,), (1,), (3, 2), (2, 1, 3)]:
        generator = torch.Generator().manual_seed(350 + len(lead))
        scores = torch.randn(*lead, 7, 11, generator=generator, dtype=dtype)
        mask = torch.rand(*lead, 7, 11, generator=generator) < 0.5
        mask[..., 3] = True
        result = mask_after_softmax(scores.softmax(-1), mask)
        assert result.dtype == dtype, f"{dtype} in, {result.dtype} out"
        torch.testing.assert_close(
            result, scores.masked_fill(~mask, -torch.inf).softmax(-1),
            msg=lambda m: f"leading dimensions {lead}, {dtype}\n{m}")
# Property: masks of fewer or smaller axes broadcast to the weights [broadcast]
generator = torch.Generator().manual_seed(355)
weights = torch.randn(3, 2, 5, 7, generator=generator).softmax(-1)
for shape in [(7,), (5, 7), (5, 1), (3, 1, 1, 7), (2, 5, 7)]:
    mask = torch.rand(shape, generator=generator) < 0.6
    if shape[-1] == 7:
        mask[..., 2] = True
    kept = weights * mask
    result = mask_after_softmax(weights, mask)
    torch.testing.assert_close(
        result, kept / kept.sum(-1, keepdim=True).clamp(min=1e-30),
        msg=lambda m: f"a mask of shape {shape}\n{m}")
# Property: weights that are not contiguous in memory, and half precision [non-contiguous]
weights = torch.randn(3, 2, 7, 5, generator=generator).softmax(-2)
weights = weights.transpose(0, 1).transpose(-2, -1)                     # (2, 3, 5, 7)
mask = torch.ones(5, 7).tril().bool()
torch.testing.assert_close(mask_after_softmax(weights, mask),
                           weights.tril() / weights.tril().sum(-1, keepdim=True),
                           msg=lambda m: f"transposed weights\n{m}")
result = mask_after_softmax(weights.half(), mask)
assert result.dtype == torch.float16, f"float16 in, {result.dtype} out"
torch.testing.assert_close(
    result.float().sum(-1), torch.ones(2, 3, 5), atol=1e-2, rtol=0,
    msg=lambda m: f"float16: row sums\n{m}")
# Property: works on the device of its inputs: nothing is made on the CPU by default [device]
stays_on_device(
    mask_after_softmax, torch.full((2, 5, 7), 1 / 7), torch.ones(5, 7).tril().bool())
stays_on_device(
    mask_after_softmax, torch.full((2, 5, 7), 1 / 7), torch.zeros(5, 7).bool())
### END HIDDEN TESTS
print("3.3 holds for three rows: what is left of each sums to 1 again. "
      "Hidden tests look at batches, other masks, float16 and the device.")

# %% nbgrader={"grade": true, "grade_id": "ch03_mask_after_softmax_check_empty", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 3.3, little or nothing left: 4e-12 in row 0, all hidden in row 1, zeros in
row 2."""
weights = torch.tensor([[1e-12, 3e-12, 1., 0.], [0.1, 0.2, 0.3, 0.4], [0., 0., 1., 0.]],
                       requires_grad=True)
mask = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]]).bool()
result = mask_after_softmax(weights, mask)
assert not result.isnan().any(), "0/0 is NaN: a row with nothing left must become zeros"
assert (result[1] == 0).all(), (
    f"a row that may see nothing must become zeros, got {result[1].tolist()}")
assert (result[2] == 0).all(), (
    f"a row with nothing left must become zeros, got {result[2].tolist()}")
coarse = (
    ": a constant in the denominator is too coarse" if result[0].sum() < 0.9 else "")
assert torch.allclose(result[0], torch.tensor([0.25, 0.75, 0., 0.]), atol=1e-4), (
    "row 0 has little left and must still sum to 1: "
    f"[0.25, 0.75, 0, 0] expected, got {result[0].tolist()}{coarse}")
assert result.requires_grad, (
    "no gradient can flow back: something was detached on the way")
upstream = torch.tensor([1., -1., 1., 1.])
gradient, = torch.autograd.grad((result * upstream).sum(), weights)
assert not gradient.isnan().any(), (
    "the value is repaired, but the gradient of a row with nothing left is NaN: "
    "a division by zero, or a softmax of −∞ alone, still takes place")
half = torch.tensor([[0.0005, 0.0005, 0.999], [0.2, 0.3, 0.5]]).half()
result = mask_after_softmax(half, torch.tensor([[1, 1, 0], [0, 0, 0]]).bool())
assert not result.isnan().any(), (
    "float16: the row that may see nothing became NaN; a number like 1e-12 is 0 in "
    "float16, so that adding it prevents nothing")
assert torch.allclose(
    result.float(), torch.tensor([[0.5, 0.5, 0.], [0., 0., 0.]]), atol=0.02), (
    "float16: 0.001 is left of row 0 and nothing of row 1: [0.5, 0.5, 0] and zeros "
    f"expected, got {result.tolist()}")
little_ = torch.tensor([[1e-25, 3e-25, 1.]])
result = mask_after_softmax(little_, torch.tensor([[True, True, False]]))
assert torch.allclose(result, torch.tensor([[0.25, 0.75, 0.]]), atol=1e-4), (
    "4e-25 is left of a row, which must still sum to 1: [0.25, 0.75, 0] expected, got "
    f"{result[0].tolist()}: is something added to the sum, or is there a least sum?")
heads = torch.tensor([[0.2, 0.3, 0.5], [0., 0., 1.]]).repeat(2, 3, 1, 1)
heads.requires_grad_()                                                # (2, 3, 2, 3)
mask = torch.tensor([True, True, False]).expand(2, 3, 2, 3)
result = mask_after_softmax(heads, mask)
# of (a − b) / (a + b)
gradient, = torch.autograd.grad((result[..., 0] - result[..., 1]).sum(), heads)
assert not gradient.isnan().any(), (
    "batches of heads, (2, 3, 2, 3): the gradient of a row whose allowed weights are "
    "all 0 is NaN")
seen = gradient[0, 0, 0]
assert torch.allclose(seen, torch.tensor([2.4, -1.6, 0.]), atol=1e-4), (
    "a row that keeps 0.2 and 0.3: the gradient should be [2.4, −1.6, 0], got "
    f"{seen.tolist()}: does it go through the sum, too?")
result = mask_after_softmax(heads.detach().double(), torch.zeros(3, dtype=torch.bool))
assert tuple(result.shape) == (2, 3, 2, 3), (
    "weights (2, 3, 2, 3) and a mask (3,) that hides all: the result has the shape of "
    f"the weights, (2, 3, 2, 3), and not {tuple(result.shape)}")
assert (result == 0).all(), (
    "weights (2, 3, 2, 3) and a mask (3,) that hides all: every row becomes zeros")
assert result.dtype == torch.float64, (
    "a mask that hides all: the zeros have the dtype of the weights, torch.float64, "
    f"and not {result.dtype}")
### BEGIN HIDDEN TESTS
# Property: empty rows anywhere in a batch of heads become zeros, the other rows are untouched [masked-row]
for dtype in (torch.float32, torch.float64, torch.float16):
    generator = torch.Generator().manual_seed(361)
    weights = torch.randn(2, 3, 7, 11, generator=generator).softmax(-1).to(dtype)
    mask = torch.rand(2, 1, 7, 11, generator=generator) < 0.5
    mask[..., 5] = True
    mask[0, 0, 2], mask[1, 0, 0], mask[1, 0, 6] = False, False, False
    kept = weights.float() * mask
    expected = kept / kept.sum(-1, keepdim=True).clamp(min=1e-30)
    tolerance = 1e-2 if dtype == torch.float16 else 1e-5
    torch.testing.assert_close(
        mask_after_softmax(weights, mask).float(), expected, atol=tolerance,
        rtol=tolerance, msg=lambda m: f"{dtype}, with empty rows\n{m}")
# Property: a row sums to 1 however little was left of it [small-sums]
for power in (-3, -6, -9, -14):
    weights = torch.tensor([[0.2, 0.3, 0.5, 0.0]], dtype=torch.float64) * 10.0 ** power
    weights[0, 3] = 1 - weights.sum()
    result = mask_after_softmax(weights, torch.tensor([True, True, True, False]))
    torch.testing.assert_close(
        result, torch.tensor([[0.2, 0.3, 0.5, 0.0]], dtype=torch.float64),
        msg=lambda m: f"1e{power} was left of a row\n{m}")
weights = torch.tensor([[2.5e-4, 5e-4, 2.5e-4, 0.999]]).half()
result = mask_after_softmax(weights, torch.tensor([True, True, True, False]))
torch.testing.assert_close(
    result.float(), torch.tensor([[0.25, 0.5, 0.25, 0.]]), atol=2e-2, rtol=0,
    msg=lambda m: f"0.001 was left of a row in float16\n{m}")
weights = torch.tensor([[1e-32, 3e-32, 1.]])
result = mask_after_softmax(weights, torch.tensor([True, True, False]))
assert torch.allclose(result, torch.tensor([[0.25, 0.75, 0.]]), atol=1e-3), (
    "4e-32 was left of a row: [0.25, 0.75, 0] expected, got "
    f"{result[0].tolist()}; is there a least sum?")
# Property: the gradient goes through the division, and is right in full rows next to empty ones [gradient]
generator = torch.Generator().manual_seed(362)
weights = torch.randn(
    3, 5, 7, generator=generator, dtype=torch.float64).softmax(-1).requires_grad_()
mask = torch.rand(3, 5, 7, generator=generator) < 0.5
mask[..., 1] = True
mask[1], mask[2, 4] = False, False
upstream = torch.randn(3, 5, 7, generator=generator, dtype=torch.float64)
result = mask_after_softmax(weights, mask)
gradient, = torch.autograd.grad((result * upstream).sum(), weights)
total = (weights * mask).sum(-1, keepdim=True).detach()
values = (weights * mask).detach() / total.clamp(min=1e-30)
expected = (upstream - (upstream * values).sum(-1, keepdim=True)) * mask / total.clamp(
    min=1e-30)
assert not gradient.isnan().any(), "the gradient is NaN next to empty rows"
torch.testing.assert_close(
    gradient, expected,
    msg=lambda m: f"the gradient of the renormalised weights is not right\n{m}")
torch.testing.assert_close(
    result.detach(), values,
    msg=lambda m: f"a batch with an empty sentence and one empty row\n{m}")
# with heads: nothing left in row 0, whose allowed weights are 0, beside a usual row
weights = torch.tensor([[0., 0., 1.], [0.2, 0.3, 0.5]], dtype=torch.float64)
weights = weights.repeat(2, 3, 1, 1).requires_grad_()
result = mask_after_softmax(weights, torch.tensor([True, True, False]))
gradient, = torch.autograd.grad((result[..., 0] - result[..., 1]).sum(), weights)
assert not gradient.isnan().any(), (
    "weights (2, 3, 2, 3): the gradient of rows whose allowed weights are all 0 is NaN")
torch.testing.assert_close(
    gradient[..., 1, :], torch.tensor([2.4, -1.6, 0.]).double().expand(2, 3, 3),
    msg=lambda m: f"weights (2, 3, 2, 3): the gradient of a usual row beside one with "
                  f"nothing left\n{m}")
# an allowed weight that is exactly 0 beside others
weights = torch.tensor([[0., 0.25, 0.5, 0.25]], dtype=torch.float64, requires_grad=True)
result = mask_after_softmax(weights, torch.tensor([True, True, True, False]))
gradient, = torch.autograd.grad(result[0, 0], weights)
torch.testing.assert_close(
    gradient, torch.tensor([[4 / 3, 0., 0., 0.]], dtype=torch.float64),
    msg=lambda m: f"the gradient at an allowed weight of 0\n{m}")
### END HIDDEN TESTS
print("3.3 holds for three rows with little or nothing left: they sum to 1 or are "
      "zero, and no NaN. Hidden tests look at batches of heads and at the numbers of "
      "the gradient.")

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
# Two functions, one point each.
#
# - `padding_mask` makes the mask of a batch from its lengths: the first `lengths[b]` positions of sentence `b` are real, from none to
#   all of `seq`. **It must also** work for lengths in any integer dtype, for lengths that are a view of another tensor, for
#   a `seq` longer than every sentence, and on the device of the lengths, which
#   stay as they are <!-- asks: sizes, long-seq, non-contiguous, device -->.
# - `combine_masks` takes one mask or more, of shapes that broadcast, heads included, and allows only what *all* of them allow. **It must
#   also** leave the masks as they are, and work on their device <!-- asks: broadcast, inputs-unchanged, combine-device -->.
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
mask = padding_mask(torch.tensor([1, 3]), 3)
print(mask)
assert mask.tolist() == [[[True, False, False]],        # one real word
                         [[True, True, True]]]          # three real words

first, second = torch.tensor([True, True, False]), torch.tensor([False, True, True])
assert combine_masks(first, second).tolist() == [False, True, False]

# %% nbgrader={"grade": true, "grade_id": "ch03_padding_mask_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 3.4, padding_mask: lengths 2, 4 and 0 in a batch of five positions."""
lengths_ = torch.tensor([2, 4, 0])
try:
    mask = padding_mask(lengths_, 5)
except RuntimeError as error:
    raise AssertionError(
        "it did not run for 3 lengths and 5 positions: which axis of size 1 lets the "
        f"lengths meet the positions? ({error})") from error
assert isinstance(mask, torch.Tensor), (
    f"a tensor is expected, got {type(mask).__name__}")
assert tuple(lengths_.shape) == (3,) and lengths_.tolist() == [2, 4, 0], (
    "the lengths [2, 4, 0] that were handed in were changed in place, to "
    f"{lengths_.tolist()}: a method whose name ends in _ changes its tensor")
shapes = {(3, 5): "the axis of the queries is missing: (batch, 1, seq), so that it "
                  "broadcasts over them",
          (3, 5, 1): "the positions stand on the axis of the queries: padding must be "
                     "hidden as a key, on the last axis",
          (3, 5, 5): "all queries share one row: the axis of the queries has size 1",
          (1, 3, 5): "the axis of size 1 stands in front; it belongs between batch and "
                     "positions",
          (3, 1, 4): "as many positions as the longest sentence were made: seq says "
                     "how many there are",
          (3, 4): "as many positions as the longest sentence were made: seq says how "
                  "many there are, and an axis for the queries is missing"}
assert tuple(mask.shape) == (3, 1, 5), (
    f"{shapes.get(tuple(mask.shape), 'wrong shape')}: (3, 1, 5) expected, got "
    f"{tuple(mask.shape)}")
assert mask.dtype == torch.bool, f"a mask is boolean, got {mask.dtype}"
seen = " ".join(
    "".join("x" if may else "." for may in row) for row in mask[:, 0].tolist())
mistakes = {"..xxx ....x xxxxx": "the mask is inverted: True stands for real words, "
                                 "which may be attended to",
            "xxx.. xxxxx x....": "off by one: a sentence of length 2 has the real "
                                 "positions 0 and 1, no more",
            "x.... xxx.. .....": "off by one: a sentence of length 2 has the two real "
                                 "positions 0 and 1",
            "...xx .xxxx "
            ".....": "the last positions were taken as real: padding stands at the end",
            "xx... xx... xx...": "all sentences got the length of the first"}
assert seen not in mistakes, mistakes[seen]
assert seen == "xx... xxxx. .....", (
    f"rows xx... xxxx. ..... expected (x = real), got {seen}")
alone_ = padding_mask(torch.tensor([2]), 5)
assert tuple(alone_.shape) == (1, 1, 5), (
    f"a batch of one: (1, 1, 5) expected, got {tuple(alone_.shape)}: was its axis of "
    "size 1 dropped, as squeeze does?")
assert not padding_mask(torch.tensor([0, 0]), 5).any(), (
    "lengths 0 and 0: no position of these two sentences is real, and some are True")
assert padding_mask(torch.tensor([300, 217]), 300).sum(-1).tolist() == [[300], [217]], (
    "wrong for lengths 300 and 217 and seq 300: any length is asked for")
small = torch.tensor([100, 3], dtype=torch.int8)            # an int8 ends at 127
try:
    counts = padding_mask(small, 300).sum(-1).flatten().tolist()
except RuntimeError as error:
    raise AssertionError("it did not run for lengths 100 and 3 in int8 and seq 300: "
                         f"any integer dtype is asked for ({error})") from error
assert counts == [100, 3], (
    f"lengths 100 and 3 in int8, seq 300: {counts} positions are real; positions over "
    "127 do not fit into the dtype of the lengths, and need not")
### BEGIN HIDDEN TESTS
# Property: right for any batch and any lengths, from 0 to seq, in any integer dtype [sizes]
for number, dtype in enumerate((torch.int64, torch.int32, torch.uint8, torch.int8)):
    for batch_size, seq in [(1, 1), (1, 7), (7, 7), (11, 13), (5, 3), (2, 17)]:
        generator = torch.Generator().manual_seed(370 + 100 * number + seq)
        lengths_ = torch.randint(
            0, seq + 1, (batch_size,), generator=generator).to(dtype)
        lengths_[0] = seq
        copy = lengths_.clone()
        mask = padding_mask(lengths_, seq)
        assert torch.equal(lengths_, copy), "the lengths were modified in place"
        expected = torch.tensor(
            [[[j < n for j in range(seq)]] for n in copy.tolist()])
        assert tuple(mask.shape) == (batch_size, 1, seq), (
            f"batch {batch_size}, seq {seq}: shape {(batch_size, 1, seq)} expected, "
            f"got {tuple(mask.shape)}")
        assert mask.dtype == torch.bool and torch.equal(mask, expected), (
            f"wrong for lengths {lengths_.tolist()} ({dtype}) and seq {seq}")
mask = padding_mask(torch.tensor([3, 120], dtype=torch.int8), 300)
assert mask.sum(-1).tolist() == [[3], [120]], (
    "lengths 3 and 120 in int8, seq 300: positions over 127 do not fit into the dtype "
    "of the lengths, and need not")
mask = padding_mask(torch.tensor([300, 200, 3]), 301)
assert mask.sum(-1).flatten().tolist() == [300, 200, 3], (
    "lengths 300, 200 and 3, seq 301: the numbers of real positions are "
    f"{mask.sum(-1).flatten().tolist()}")
# Property: seq decides how many positions there are, also where no sentence is that long [long-seq]
assert tuple(padding_mask(torch.tensor([3, 2]), 11).shape) == (2, 1, 11), (
    "lengths 3 and 2 with seq=11 must give 11 positions")
# Property: lengths that are a view of another tensor [non-contiguous]
mask = padding_mask(torch.tensor([[5, 0], [2, 9], [7, 1]])[:, 0], 7)
assert mask.sum(-1).flatten().tolist() == [5, 2, 7], (
    "lengths taken as a column of a table gave another mask")
# Property: works on the device of the lengths [device]
stays_on_device(padding_mask, torch.tensor([2, 5, 3]), 7)
### END HIDDEN TESTS
print("3.4 holds for padding_mask: three lengths, five positions. "
      "Hidden tests look at other batches, dtypes, a longer seq and the device.")

# %% nbgrader={"grade": true, "grade_id": "ch03_padding_mask_check_combine", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["leaves_inputs_alone", "stays_on_device"]
"""Exercise 3.4, combine_masks: allowed is what all masks allow."""
causal = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]).bool()
real_keys = torch.tensor([[[1, 1, 0, 0]], [[0, 1, 1, 1]]]).bool()            # (2, 1, 4)
window = torch.tensor([[1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]).bool()
copies = [causal.clone(), real_keys.clone(), window.clone()]
try:
    both, single = combine_masks(causal, real_keys), combine_masks(causal)
    three = combine_masks(window, real_keys, causal)
except (RuntimeError, TypeError, ValueError, IndexError) as error:
    assert "ambiguous" not in str(error), (
        "Python's `and` and `all` ask a whole tensor for one truth value: "
        f"masks are combined cell by cell ({error})")
    raise AssertionError("any number of masks, of any shapes that broadcast, "
                         f"must be accepted: {error}") from error
assert isinstance(both, torch.Tensor) and tuple(both.shape) == (2, 4, 4), (
    "(4, 4) and (2, 1, 4) broadcast to (2, 4, 4), got "
    f"{tuple(getattr(both, 'shape', ()))}")
assert both.dtype == torch.bool, f"masks are boolean, got {both.dtype}"

def drawn(mask):
    rows = mask.flatten(0, -2).tolist()
    return " ".join("".join("x" if may else "." for may in row) for row in rows)

mistakes = {
    "xx.. xx.. xxx. xxxx xxxx xxxx xxxx xxxx":
        "what one mask allows is not enough: all of them must allow it (and, not or)",
    ".x.. .... ..x. ..xx xxxx x.xx x..x x...":
        "what exactly one mask allows was kept: all of them must allow it",
    "x... xx.. xxx. xxxx x... xx.. xxx. xxxx": "only the first mask was used",
    "xx.. xx.. xx.. xx.. .xxx .xxx .xxx .xxx": "only the last mask was used",
}
assert drawn(both) not in mistakes, mistakes[drawn(both)]
assert drawn(both) == "x... xx.. xx.. xx.. .... .x.. .xx. .xxx", (
    f"causal and padding together: got {drawn(both)}")
assert tuple(three.shape) == (2, 4, 4) and (
    drawn(three) == "x... xx.. .x.. .... .... .x.. .xx. ..xx"), (
    "three masks: a third mask must count as much as the first two")
assert torch.equal(single, copies[0]), "one mask alone must come back as it is"
handed_in = (causal, real_keys, window)
assert all(torch.equal(m, copy) for m, copy in zip(handed_in, copies, strict=True)), (
    "a mask that was handed in was changed in place")
for lead in ((), (2,)):
    square, other = causal.repeat(*lead, 1, 1), window.repeat(*lead, 1, 1)
    expected = square.clone(), other.clone()
    combine_masks(square, other)
    assert torch.equal(square, expected[0]) and torch.equal(other, expected[1]), (
        f"two masks of shape {tuple(square.shape)}: a mask was modified in place")
assert drawn(
    combine_masks(causal, causal, causal, causal, window)) == "x... xx.. .xx. ..xx", (
    "five masks: the last one must count as much as the others")
per_head = torch.tensor([True, False]).reshape(2, 1, 1)           # (heads, 1, 1)
assert combine_masks(per_head, causal).flatten(1).sum(1).tolist() == [10, 0], (
    "masks of shapes (2, 1, 1) and (4, 4): wrong cells; any shapes that broadcast are "
    "asked for")
sentences_ = torch.ones(3, 1, 1, 4, dtype=torch.bool)             # (batch, 1, 1, seq)
try:
    shape = tuple(combine_masks(sentences_, per_head, causal).shape)
except RuntimeError as error:
    raise AssertionError(
        "masks (3, 1, 1, 4), (2, 1, 1) and (4, 4) broadcast to (3, 2, 4, 4), from the "
        "last axis on, so the 2 are the heads. Was an axis put in between, or the "
        f"first axis taken for the batch? ({error})") from error
assert shape == (3, 2, 4, 4), (
    "masks (3, 1, 1, 4), (2, 1, 1) and (4, 4) broadcast to (3, 2, 4, 4), from the last "
    f"axis on; got {shape}")
### BEGIN HIDDEN TESTS
# Property: any number of masks, of any shapes that broadcast, with heads too [broadcast]
generator = torch.Generator().manual_seed(380)
shapes = [(3, 1, 1, 7), (5, 7), (1, 2, 5, 7), (7,), (3, 1, 5, 1), (1, 5, 7), (1, 1),
          (3, 2, 5, 7), (2, 1, 7)]
masks = [torch.rand(shape, generator=generator) < 0.8 for shape in shapes]
masks[6][:] = True
for count in (1, 2, 3, 4, 5, 9):
    for order in (masks[:count], masks[:count][::-1]):
        expected = torch.ones(
            torch.broadcast_shapes(*[m.shape for m in order]), dtype=torch.bool)
        for mask in order:
            expected = expected.logical_and(mask)
        result = combine_masks(*order)
        case = f"masks of shapes {[tuple(m.shape) for m in order]}"
        assert tuple(result.shape) == tuple(expected.shape), (
            f"{case}: shape {tuple(expected.shape)} expected, got "
            f"{tuple(result.shape)}")
        assert result.dtype == torch.bool, (
            f"{case}: boolean expected, got {result.dtype}")
        assert torch.equal(result, expected), (
            f"{case}: {(result != expected).sum().item()} cells are wrong")
# Property: no mask that is handed in is modified, also where its shape is that of the result [inputs-unchanged]
same = [torch.rand(5, 7, generator=generator) < 0.7 for _ in range(3)]
leaves_inputs_alone(combine_masks, *same)
leaves_inputs_alone(combine_masks, *masks)
full = torch.rand(3, 2, 5, 7, generator=generator) < 0.7
for order in ([full, same[0]], [same[0], full], [full, full.flip(0)],
              [full[0], full[1]]):
    leaves_inputs_alone(combine_masks, *order)
# Property: works on the device of its inputs [combine-device]
stays_on_device(combine_masks, *same)
### END HIDDEN TESTS
print("3.4 holds for combine_masks: one, two and three masks. "
      "Hidden tests look at up to five masks of other shapes and at the device.")

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
# - *training*: every weight has a draw of its own, in weights of any shape and dtype; a share `p` becomes zero, also where `p` is small and
#   the weights are in `float16` or `bfloat16`, and the rest is divided by `1 - p`, so that the mean over many draws is the weight itself; the gradient becomes zero, or is divided by `1 - p`, in the same places. **It must also** work on the device of
#   the weights, which stay as they are <!-- asks: values, share, independent, gradient, device -->;
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
weights = torch.full((2, 4), 0.25)
print(attention_dropout(weights, 0.5, training=True))  # some 0, the others 0.5
draws = attention_dropout(weights.expand(1000, 2, 4), 0.5, training=True)
assert set(draws.flatten().tolist()) == {0.0, 0.5}
assert 0.45 < (draws == 0).float().mean() < 0.55                   # about half are gone
assert attention_dropout(weights, 0.5, training=False).tolist() == weights.tolist()

# %% nbgrader={"grade": true, "grade_id": "ch03_attention_dropout_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["stays_on_device"]
"""Exercise 3.5, training: with p = 0.2, a fifth is gone and the others are 1.25 times
as large."""
weights = torch.full((100, 80), 1 / 80)
try:
    seeded = torch.Generator().manual_seed(35)
    result = attention_dropout(weights.clone(), 0.2, True, generator=seeded)
except (TypeError, RuntimeError) as error:
    raise AssertionError("weights of shape (100, 80), p = 0.2, "
                         f"training, with a generator: {error}") from error
assert isinstance(result, torch.Tensor) and tuple(result.shape) == (100, 80), (
    "a tensor of the shape of the weights is expected")
assert result.dtype == torch.float32, f"float32 in, {result.dtype} out"
assert result.isfinite().all(), (
    "−∞ or NaN among the results: these are weights, not scores, and a dropped weight "
    "is 0")
gone = (result == 0).float().mean().item()
assert gone > 0, "nothing was dropped in training"
assert not 0.7 < gone < 0.9, (
    "kept and dropped are swapped: p is the probability to be dropped, and four fifths "
    "are gone")
assert gone < 0.5, (
    f"about a fifth of the weights should be zero, {gone:.0%} are: "
    "is the chance p for each of them, whatever its value?")
assert (result == 0).float().mean(0).max() < 1, (
    "whole columns were dropped: each weight has a draw of its own, not each key")
assert (result == 0).float().mean(1).max() < 1, (
    "whole rows were dropped: each weight has a draw of its own, not each query")
assert 0.15 < gone < 0.25, (
    f"about a fifth of the weights should be zero, {gone:.0%} are")
ratios = (result[result != 0] * 80)
mistakes = {1.0: "the weights that stay were not rescaled: divide them by 1 − p",
            0.8: "the weights that stay were multiplied by 1 − p: divide",
            5.0: "the weights that stay were divided by p, not by 1 − p",
            1.2: "the weights that stay were multiplied by 1 + p: divide by 1 − p"}
for ratio, mistake in mistakes.items():
    assert not torch.allclose(ratios, torch.tensor(ratio), atol=1e-3), mistake
assert not (torch.allclose(result.sum(-1), torch.ones(100), atol=1e-4)), (
    "the rows were renormalised to sum 1: dropout divides by 1 − p, the same for all")
torch.testing.assert_close(ratios, torch.full_like(ratios, 1.25), atol=1e-3, rtol=0,
                           msg=lambda m: "the weights that stay should be 1/(1 − 0.2) "
                                         f"= 1.25 times as large\n{m}")
same = weights.clone()
attention_dropout(same, 0.2, True)
assert torch.equal(same, weights), (
    "the weights that were handed in were changed in place")
kept = attention_dropout(
    torch.ones(2, 50, 50), 0.5, True, torch.Generator().manual_seed(36)) != 0
assert not torch.equal(kept[0], kept[1]), (
    "the draws of two heads are not independent: they are the same")
counts = {(attention_dropout(torch.ones(20, 30), 0.5, True) == 0).sum().item()
          for _ in range(30)}
assert len(counts) > 1, (
    f"in 30 draws always {min(counts)} of 600 weights were dropped: the draws are not "
    "independent")
rare = (attention_dropout(torch.ones(200, 200), 0.03, True) == 0).float().mean().item()
assert 0.02 < rare < 0.04, f"p = 0.03: {rare:.3f} of the weights are zero"
for dtype, p_ in (
        (torch.float32, 0.001), (torch.bfloat16, 0.001), (torch.float16, 0.00025)):
    ones_ = torch.ones(round(0.4 / p_), 500, dtype=dtype)
    gone = (attention_dropout(ones_, p_, True) == 0).sum().item()
    assert 100 < gone < 300, (
        f"p = {p_}, {dtype}: {gone} of {ones_.numel():,} weights are zero, and not "
        "about 200: are p or the random numbers rounded?")
alone = tuple(attention_dropout(torch.ones(1, 1, 7), 0.5, True).shape)
assert alone == (1, 1, 7), (
    "one sentence of one query, weights (1, 1, 7): got shape "
    f"{alone}, and no axis may go; squeeze drops every axis of size 1")
half = attention_dropout(weights.half(), 0.2, True)
assert half.dtype == torch.float16, (
    f"shape (100, 80): torch.float16 in, {half.dtype} out")
weights.requires_grad_()
assert attention_dropout(weights, 0.2, True).requires_grad, (
    "no gradient can flow back: something was detached on the way")
### BEGIN HIDDEN TESTS
# Property: every weight is zero or divided by 1 − p, for any shape, p and dtype [values]
for dtype in (torch.float32, torch.float64, torch.float16):
    for seed, (shape, p) in enumerate([((7,), 0.5), ((5, 7), 0.1), ((2, 3, 5, 7), 0.7),
                                       ((2, 1, 3, 11, 13), 0.3), ((1, 1, 7), 0.5),
                                       ((1, 5, 1), 0.5)]):
        generator = torch.Generator().manual_seed(390 + seed)
        weights = torch.randn(shape, generator=generator).softmax(-1).to(dtype)
        copy = weights.clone()
        result = attention_dropout(weights, p, True, generator=generator)
        case = f"shape {shape}, p = {p}, {dtype}"
        assert tuple(result.shape) == shape and result.dtype == dtype, (
            f"{case}: got shape {tuple(result.shape)} and {result.dtype}")
        scaled = (weights.double() / (1 - p)).to(dtype)
        tolerance = 2e-3 if dtype == torch.float16 else 1e-6
        assert torch.where(
            result == 0, True,
            torch.isclose(result, scaled, rtol=tolerance, atol=1e-7)).all(), (
            f"{case}: a weight is neither 0 nor divided by 1 − p")
        assert torch.equal(weights, copy), f"{case}: the weights were changed in place"
# Property: the share of dropped weights is p, and the mean over many draws is the weight itself [share]
for p in (0.03, 0.1, 0.35, 0.8, 0.95):
    weights = torch.linspace(0.1, 1.0, 10).expand(4000, 10)
    result = attention_dropout(
        weights, p, True, generator=torch.Generator().manual_seed(395))
    gone = (result == 0).double().mean().item()
    assert abs(gone - p) < 0.02, f"p = {p}: {gone:.3f} of the weights are zero"
    torch.testing.assert_close(
        result.mean(0), weights[0], atol=0, rtol=0.2 if p < 0.9 else 0.5,
        msg=lambda m: f"p = {p}: the mean over 4000 draws is not the weight\n{m}")
for dtype in (torch.float32, torch.float16):
    weights = torch.ones(400, 1000, dtype=dtype)
    gone = (attention_dropout(
        weights, 0.001, True, torch.Generator().manual_seed(393)) == 0).sum().item()
    assert 300 < gone < 500, (
        f"p = 0.001, {dtype}: {gone} of 400,000 weights are zero, and not about 400: "
        "are p or the random numbers rounded?")
# Property: each weight of each head of each sentence is drawn independently [independent]
result = attention_dropout(torch.ones(4, 3, 50, 50), 0.5, True,
                           generator=torch.Generator().manual_seed(396)) != 0
for name, a, b in [
        ("sentences", result[0], result[1]), ("heads", result[:, 0], result[:, 1]),
        ("queries", result[:, :, 0], result[:, :, 1]),
        ("keys", result[..., 0], result[..., 1])]:
    agree = (a == b).double().mean().item()
    assert 0.35 < agree < 0.65, (
        f"the draws of two {name} are not independent: they agree in {agree:.0%} of "
        "the cells")
generator = torch.Generator().manual_seed(400)
weights = torch.ones(30, 40)
counts = {(attention_dropout(weights, 0.5, True, generator) == 0).sum().item()
          for _ in range(12)}
assert len(counts) > 1, (
    f"in 12 draws always {min(counts)} of 1200 weights were dropped: each weight has a "
    "draw of its own")
# Property: the gradient is 0 where a weight was dropped and 1/(1 − p) elsewhere [gradient]
weights = torch.rand(
    11, 13, dtype=torch.float64,
    generator=torch.Generator().manual_seed(397)).add(0.1).requires_grad_()
result = attention_dropout(
    weights, 0.4, True, generator=torch.Generator().manual_seed(398))
assert result.requires_grad, (
    "no gradient can flow back: something was detached on the way")
gradient, = torch.autograd.grad(result.sum(), weights)
torch.testing.assert_close(gradient, (result != 0).double() / 0.6,
                           msg=lambda m: f"gradient of the dropped weights\n{m}")
# at p = 1 nothing of the weights is left: no gradient, and no NaN
for p in (1, 1.0):
    weights = torch.rand(
        3, 5, generator=torch.Generator().manual_seed(399)).requires_grad_()
    result = attention_dropout(weights, p, True, torch.Generator().manual_seed(399))
    if result.requires_grad:
        gradient, = torch.autograd.grad(result.sum(), weights)
        assert (gradient == 0).all(), (
            f"p = {p}: the gradient of the weights should be 0, got "
            f"{gradient[0].tolist()}: is there a division by 1 − p = 0?")
# Property: works on the device of its input: nothing is made on the CPU by default [device]
stays_on_device(attention_dropout, torch.rand(3, 5, 7), 0.5, True)
### END HIDDEN TESTS
print("3.5 holds for training with p = 0.2. Hidden tests look at other p, shapes and "
      "dtypes, at independence, the gradient and the device.")

# %% nbgrader={"grade": true, "grade_id": "ch03_attention_dropout_check_modes", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 3.5, modes: evaluation, p = 0, p = 1, and draws that can be repeated."""
weights = torch.full((20, 30), 1 / 30)
def draw(seed, p=0.4):
    seeded = torch.Generator().manual_seed(seed)
    return attention_dropout(weights.clone(), p, True, generator=seeded)

assert torch.equal(attention_dropout(weights.clone(), 0.4, False), weights), (
    "training=False: nothing may be dropped and nothing rescaled")
assert torch.equal(attention_dropout(weights.clone(), 1.0, False), weights), (
    "training=False: nothing may change, at p = 1 either")
learned = weights.clone().requires_grad_()
assert attention_dropout(learned, 0.4, False).requires_grad, (
    "training=False: nothing may change, yet no gradient can flow back")
for none_ in (0.0, 0):
    try:
        result = draw(1, p=none_)
    except (NotImplementedError, RuntimeError) as error:
        raise AssertionError(
            f"p = {none_!r} in training does not run; p may be an integer, and then "
            f"1 - p is one, too: what is made of it? ({error})") from error
    assert torch.allclose(result, weights), f"p = {none_!r}: nothing may be dropped"
try:
    everything = draw(1, p=1.0)
except ZeroDivisionError as error:
    raise AssertionError("p = 1: the rescaling divides by zero; "
                         "everything is dropped, so the result is zeros") from error
assert not everything.isnan().any(), (
    "p = 1: 0/0 is NaN; everything is dropped, so the result is zeros")
assert (everything == 0).all(), "p = 1: everything is dropped, so the result is zeros"
assert torch.equal(draw(1), draw(1)), (
    "the generator was ignored: the same seed must give the same draw")
assert not torch.equal(draw(1), draw(2)), (
    "the draw does not depend on the generator: another seed must give another draw")
seeded = torch.Generator().manual_seed(1)
first, second = (
    attention_dropout(weights.clone(), 0.4, True, generator=seeded) for _ in range(2))
assert not torch.equal(first, second), (
    "two draws from one generator, one after the other, are the same: draw from the "
    "generator as it is handed in, its state goes on")
once, again = (attention_dropout(weights, 0.4, True) for _ in range(2))
assert not torch.equal(once, again), "without a generator each call must draw afresh"
### BEGIN HIDDEN TESTS
# Property: nothing changes outside training, for any shape, p and dtype [train-eval]
for dtype in (torch.float32, torch.float64, torch.float16):
    for p in (0, 0.0, 0.3, 1.0, 1):
        weights = torch.rand(
            2, 3, 5, generator=torch.Generator().manual_seed(401)).to(dtype)
        result = attention_dropout(weights, p, False, torch.Generator().manual_seed(1))
        assert result.dtype == dtype and torch.equal(result, weights), (
            f"training=False, p = {p}, {dtype}: the weights changed")
for p, training in ((0.3, False), (1, False), (0, True)):
    weights = torch.ones(3, 5, requires_grad=True)
    result = attention_dropout(weights, p, training)
    assert result.requires_grad, (
        f"training={training}, p = {p}: nothing may change, yet no gradient can flow "
        "back")
    gradient, = torch.autograd.grad(result.sum(), weights)
    assert (gradient == 1).all(), (
        f"training={training}, p = {p}: the gradient of each weight should be 1, got "
        f"{gradient[0].tolist()}")
# Property: p = 0 and p = 1 as integers and as floats, in training [edges]
for dtype in (torch.float32, torch.float64):
    weights = torch.rand(3, 5, generator=torch.Generator().manual_seed(402)).to(dtype)
    for p in (1, 1.0):
        result = attention_dropout(weights, p, True)
        assert tuple(
            result.shape) == (3, 5) and result.dtype == dtype and (result == 0).all(), (
            f"p = {p!r} in training must give zeros of the same shape and dtype")
    for p in (0, 0.0):
        torch.testing.assert_close(attention_dropout(weights, p, True), weights,
                                   msg=lambda m: f"p = {p!r} in training\n{m}")
# Property: a row of zeros stays zeros, and hidden keys stay hidden [zeros]
weights = torch.ones(5, 7).tril() / 7
weights[3] = 0
result = attention_dropout(weights, 0.5, True, torch.Generator().manual_seed(403))
assert not result.isnan().any() and (result[weights == 0] == 0).all(), (
    "a weight of zero did not stay zero")
# Property: the same seed gives the same draw, other seeds give others, for batches too [seeds]
weights = torch.rand(2, 3, 11, 13, generator=torch.Generator().manual_seed(404)) + 0.1
draws = [attention_dropout(weights, 0.5, True, torch.Generator().manual_seed(seed))
         for seed in (5, 5, 6, 7)]
assert torch.equal(draws[0], draws[1]), "the same seed gave two different draws"
assert not torch.equal(draws[0], draws[2]) and not torch.equal(draws[2], draws[3]), (
    "different seeds gave the same draw")
### END HIDDEN TESTS
print("3.5 holds for the modes: evaluation, p = 0, p = 1, repeated draws. Hidden tests "
      "look at other shapes, dtypes, p as an integer, and weights of zero.")

# %% [markdown]
# One warning. Weights that are looked at while dropout is on do not sum
# to 1, and a heatmap of them is a heatmap of chance. Modules start in training mode; call `eval()` first:

# %%
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
# - *well hidden (1 point)*: without a gradient; behind a layer norm or another function that does not see sizes or signs; visible only when embeddings are large (about a hundred times the
#   usual size); or only in sequences longer than 8. Test with exactly `seq` tokens (1 or more) of `d` numbers each: the checks call your test with several values of both
#   <!-- asks: no-gradient, layer-norm, large-scores, sizes -->.
#
# Honest ones may look odd: rows of zeros, rows that do not sum to 1, a window, a bias by distance, an output of another width or
# ten thousand times as large <!-- asks: honest -->. Leaky ones, too, may have an output five thousand times as small as usual
# <!-- asks: small-leak -->.
# What is *not* promised: that the weights are a plain triangle. All functions are deterministic. In an honest one the past may still move by
# rounding when the future changes: by less than $10^{-6}$ where embeddings are about 1, so a fixed tolerance is allowed if it still finds the small leaks.
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

assert not leaks_future(only_itself)
assert leaks_future(mean_of_all)

# %% nbgrader={"grade": true, "grade_id": "ch03_leaks_future_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 3.6, the collection: the test tells honest attention functions from leaky
ones."""
def attention(mask, bias=0.0, after_softmax=False):
    """An attention function with fixed projections that hides where mask(i, j) is
    False.
    """
    generator = torch.Generator().manual_seed(36)
    W_q, W_k, W_v = (torch.randn(4, n, generator=generator) / 2 for n in (4, 4, 5))
    def attention_fn(x):
        i, j = torch.arange(x.size(-2))[:, None], torch.arange(x.size(-2))[None, :]
        sees = mask(i, j)
        scores = (
            (x @ W_q.to(x)) @ (x @ W_k.to(x)).transpose(-2, -1) / 2 + bias * (j - i))
        if after_softmax:
            weights = scores.softmax(-1) * sees
        else:
            weights = scores.masked_fill(~sees, -torch.inf).softmax(-1).nan_to_num()
        return weights @ (x @ W_v.to(x)), weights
    return attention_fn

honest, everything = attention(lambda i, j: j <= i), attention(lambda i, j: j < 99)
def second_head(x):
    (a, heads_a), (b, heads_b) = honest(x), everything(x)
    return torch.cat([a, b], -1), torch.stack([heads_a, heads_b], -3)

def rounded(x):
    x = x / x.norm(dim=-1, keepdim=True)
    weights = (x @ x.transpose(-2, -1)).softmax(-1).tril()
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ x, weights

def added_and_taken_off(y, x):
    shift = 4 * x.square().mean((-2, -1), keepdim=True).tanh()   # of the future, too
    return y + shift - shift

collection = [
    ("a plain causal attention", False, honest),
    ("attention without any mask", True, everything),
    ("a mask that is one step too generous", True, attention(lambda i, j: j <= i + 1)),
    ("a triangle made after softmax: no weight on the future, but the sum was taken "
     "over it", True,
     attention(lambda i, j: j <= i, after_softmax=True)),
    ("row 2 alone sees token 3", True,
     attention(lambda i, j: (j <= i) | ((i == 2) & (j == 3)))),
    ("two heads, the second one without a mask", True, second_head),
    ("causal weights beside an output that was made without a mask", True,
     lambda x: (everything(x)[0], honest(x)[1])),
    ("a causal output beside weights from before the mask", True,
     lambda x: (honest(x)[0], everything(x)[1])),
    ("an honest output, one leaky head among the weights of two", True,
     lambda x: (honest(x)[0], second_head(x)[1])),
    ("an honest attention with two heads", False,
     lambda x: (honest(x)[0], torch.stack([honest(x)[1]] * 2, -3))),
    ("an honest attention whose first row sees nothing and is zero", False,
     attention(lambda i, j: j < i)),
    ("an honest window of the last three tokens", False,
     attention(lambda i, j: (j <= i) & (i - j < 3))),
    ("an honest attention with a bias by distance", False,
     attention(lambda i, j: j <= i, bias=0.5)),
    ("weights zeroed after softmax and renormalised: the future changes the rounding "
     "alone", False, rounded),
    ("an honest output of small numbers, whose past moves by less than 10⁻⁶, the "
     "rounding alone (is the tolerance of small numbers wide enough?)", False,
     lambda x: (added_and_taken_off(honest(x)[0] / 30, x), honest(x)[1])),
    ("an honest output of one column, all of it negative", False,
     lambda x: (-honest(x)[0].norm(dim=-1, keepdim=True), honest(x)[1])),
    ("a causal output beside weights from a triangle made after softmax", True,
     lambda x: (honest(x)[0],
                attention(lambda i, j: j <= i, after_softmax=True)(x)[1])),
    ("a causal output beside the sigmoid of all scores", True,
     lambda x: (honest(x)[0], (x @ x.transpose(-2, -1)).sigmoid())),
    ("an honest attention with two heads, also in its output (batch, heads, seq, 5)",
     False, lambda x: [torch.stack([part] * 2, -3) for part in honest(x)]),
    ("two heads, also in the output (batch, heads, seq, 5), the second one without a "
     "mask", True,
     lambda x: [torch.stack(pair, -3)
                for pair in zip(honest(x), everything(x), strict=True)])]
def pushed(place, row, column, sign):
    """Honest, but a number of the next token is added to a row of output or weights."""
    def attention_fn(x):
        results, in_row = list(honest(x)), torch.arange(x.size(-2))[:, None] == row
        number = sign * x[..., row + 1:row + 2, column].sum(-1)[..., None, None]
        results[place] = results[place] + number * in_row
        return tuple(results)
    return attention_fn

for place, result in enumerate(("output", "weights")):
    for sign, moves in ((1, "rises"), (-1, "falls")):
        collection += [
            (f"row {row} of the {result} {moves} with number {column} of token "
             f"{row + 1} (does the test see moves in both directions?)", True,
             pushed(place, row, column, sign)) for row in range(6) for column in (0, 1)]
for name, leaks, attention_fn in collection:
    try:
        answer = leaks_future(attention_fn)
    except (RuntimeError, IndexError, ValueError) as error:
        raise AssertionError(f"the test itself fails for {name}: {error}") from error
    assert isinstance(answer, bool) or getattr(answer, "shape", None) == (), (
        f"True or False is expected, got {answer!r}")
    assert bool(answer) == leaks, (
        f"{name}: this {'leaks' if leaks else 'does not leak'}, and the test says "
        f"{bool(answer)}")
### BEGIN HIDDEN TESTS
def attention(mask, seed, heads=1):
    generator = torch.Generator().manual_seed(seed)
    W_q, W_k, W_v = (
        torch.randn(heads, 4, n, generator=generator) / 2 for n in (3, 3, 5))
    def attention_fn(x):
        n = x.size(-2)
        i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
        h = torch.arange(heads)[:, None, None]
        sees = mask(i, j, h, n) & torch.ones(heads, n, n, dtype=torch.bool)
        y = x.unsqueeze(-3)                                           # (..., 1, seq, d)
        scores = (y @ W_q.to(x)) @ (y @ W_k.to(x)).transpose(-2, -1) / 3 ** 0.5
        weights = scores.masked_fill(~sees, -torch.inf).softmax(-1).nan_to_num()
        output = weights @ (y @ W_v.to(x))
        return (output.squeeze(-3), weights.squeeze(-3)) if heads == 1 else (
            output.transpose(-3, -2).flatten(-2), weights)
    return attention_fn

def judge(name, leaks, attention_fn, **arguments):
    """What is wrong with the answer of the test, in words; nothing if it is right."""
    answer = leaks_future(attention_fn, **arguments)
    return (
        "" if bool(answer) == leaks else f"{name}: this "
                                         f"{'leaks' if leaks else 'does not leak'}, "
                                         f"and the test says {bool(answer)}")

causal, full = (lambda i, j, h, n: j <= i), (lambda i, j, h, n: j < n)
good, bad = attention(causal, 430), attention(full, 431)
many_good, many_bad = attention(causal, 432, heads=2), attention(full, 433, heads=2)
# Property: finds leaks by one position, in any single row [one-row]
for row in (0, 1, 4, 6):
    wrong = judge(f"row {row} alone sees token {row + 1}", True,
                  attention(lambda i, j, h, n: (j <= i) | ((i == row) & (j == row + 1)),
                            410 + row))
    assert not wrong, wrong
for name, mask in [("the last row but one alone sees the last token",
                    lambda i, j, h, n: (j <= i) | ((i == n - 2) & (j == n - 1))),
                   ("the first row alone sees the last token",
                    lambda i, j, h, n: (j <= i) | ((i == 0) & (j == n - 1))),
                   ("every row sees the last token: the mask is one column short",
                    lambda i, j, h, n: (j <= i) | (j == n - 1))]:
    for seq in (7, 8, 13):
        wrong = judge(f"{name} (seq={seq})", True, attention(mask, 417), seq=seq)
        assert not wrong, wrong
for case in range(7 * 4 * 2):  # each row and column: both results, both directions
    row, column, down = case // 8, case // 2 % 4, case % 2
    place = (row + column + down) % 2
    wrong = judge(
        f"row {row} of the {('output', 'weights')[place]} "
        f"{('rises', 'falls')[down]} with number {column} of token {row + 1} (does the "
        "test see moves in both directions?)", True,
        pushed(place, row, column, (1, -1)[down]))
    assert not wrong, wrong
# Property: finds leaks in any single head [one-head]
for head in range(3):
    wrong = judge(
        f"head {head} of three sees one token ahead", True,
        attention(lambda i, j, h, n: j <= i + (h == head).long(), 420 + head, heads=3))
    assert not wrong, wrong
wrong = judge("three honest heads", False, attention(causal, 424, heads=3))
assert not wrong, wrong
# Property: finds a leak in the weights alone and in the output alone [weights-or-output]
for name, attention_fn in [
        ("honest output, leaky weights", lambda x: (good(x)[0], bad(x)[1])),
        ("leaky output, honest weights", lambda x: (bad(x)[0], good(x)[1])),
        ("honest output, one leaky head among the weights",
         lambda x: (good(x)[0],
                    torch.cat([many_good(x)[1], many_bad(x)[1][..., 1:, :, :]], -3))),
        ("a fixed average over all tokens: the weights never move, the output does",
         lambda x: (x.mean(-2, keepdim=True).expand_as(x),
                    torch.full((*x.shape[:-1], x.size(-2)), 1 / x.size(-2)))),
        ("the mean of all tokens is added to an honest output",
         lambda x: (good(x)[0] + x.mean((-2, -1), keepdim=True), good(x)[1])),
        ("honest output, beside weights that are the sigmoid of scores without a mask",
         lambda x: (good(x)[0], (x @ x.transpose(-2, -1) / x.size(-1)).sigmoid()))]:
    wrong = judge(name, True, attention_fn)
    assert not wrong, wrong
# Property: finds leaks through a normaliser [row-sums]
def unnormalised(x):
    weights = (x @ x.transpose(-2, -1) / x.size(-1)).softmax(-1).tril()
    return weights @ x, weights
for name, attention_fn in [
        ("weights zeroed after softmax and not renormalised", unnormalised),
        ("the same, with honest weights shown",
         lambda x: (unnormalised(x)[0], good(x)[1])),
        ("honest output, beside weights zeroed after softmax and not renormalised",
         lambda x: (good(x)[0], unnormalised(x)[1])),
        ("the same with scores of 1/4 at most: no weight moves by its own size",
         lambda x: (good(x)[0], unnormalised(F.normalize(x, dim=-1))[1])),
        ("honest output, beside honest weights times the sum of squares of all tokens",
         lambda x: (good(x)[0],
                    good(x)[1] * x.square().sum((-2, -1), keepdim=True)))]:
    wrong = judge(name, True, attention_fn)
    assert not wrong, wrong
# Property: is not fooled by honest functions that look odd [honest]
def linear_attention(x):
    features = F.elu(F.normalize(x, dim=-1)) + 1
    weights = (features @ features.transpose(-2, -1)).tril()
    return weights @ x, weights
class WithDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)
    def forward(self, x):
        output, weights = good(x)
        return self.dropout(output), self.dropout(weights)
for name, attention_fn in [
        ("every second row is zero",
         attention(lambda i, j, h, n: (j <= i) & (i % 2 == 1), 460)),
        ("each token sees only itself", attention(lambda i, j, h, n: j == i, 461)),
        ("every token sees only the first",
         attention(lambda i, j, h, n: (j == 0) & (i >= 0), 462)),
        ("a window of two", attention(lambda i, j, h, n: (j <= i) & (i - j < 2), 463)),
        ("an output ten thousand times as large",
         lambda x: (1e4 * good(x)[0], good(x)[1])),
        ("positions are added first, and the output is twice as wide",
         lambda x: (
             good(x + torch.arange(x.size(-2)).to(x)[:, None])[0].repeat_interleave(
                 2, -1), good(x)[1])),
        ("causal weights that do not sum to 1", linear_attention),
        ("scores between -1 and 1, zeroed after softmax and renormalised, where the "
         "future changes the rounding alone", rounded),
        ("an output of one column, all of it negative",
         lambda x: (-good(x)[0].norm(dim=-1, keepdim=True), good(x)[1])),
        ("all rows zero", lambda x: (0 * x, x.new_zeros(*x.shape[:-1], x.size(-2)))),
        ("a module with dropout, in evaluation mode", WithDropout().eval())]:
    wrong = judge(name, False, attention_fn)
    assert not wrong, wrong
### END HIDDEN TESTS
print(f"3.6 holds for {len(collection)} attention functions. Hidden tests look at more "
      "leaks of these kinds, and at more honest functions that look odd.")

# %% nbgrader={"grade": true, "grade_id": "ch03_leaks_future_check_well_hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 3.6, well hidden: leaks with large embeddings, long sequences, or without a
gradient."""
def attention(mask=lambda i, j: j <= i, lowered_by=None, prepare=lambda x: x, width=4,
              seed=37):
    """An attention function; what the mask forbids is hidden, or only lowered by a
    number.
    """
    generator = torch.Generator().manual_seed(seed)
    W_q, W_k, W_v = (torch.randn(width, n, generator=generator) / 2 for n in (4, 4, 5))
    if lowered_by is not None:       # a token's score with itself is 0: others outdo it
        W_k = W_q.roll(2, dims=1) * torch.tensor([1., 1., -1., -1.])
    def attention_fn(x):
        i, j = torch.arange(x.size(-2))[:, None], torch.arange(x.size(-2))[None, :]
        y = prepare(x)
        scores = (y @ W_q.to(x)) @ (y @ W_k.to(x)).transpose(-2, -1) / 2
        if lowered_by is None:
            scores = scores.masked_fill(~mask(i, j), -torch.inf)
        else:
            scores = scores - lowered_by * (~mask(i, j)).to(x)
        weights = scores.softmax(-1)
        return weights @ (y @ W_v.to(x)), weights
    return attention_fn

def divided_by_largest(x):
    with torch.no_grad():
        largest = x.detach().abs().amax(dim=(-2, -1), keepdim=True)
    return 3 * x / largest

collection = [
    ("hidden scores that are only lowered by 50, which large embeddings outdo", True,
     attention(lowered_by=50.0), {}),
    ("a plain causal attention", False, attention(), {}),
    ("a mask that ends after 8 tokens, in a sequence of 11 (does the test use seq?)",
     True,
     attention(lambda i, j: (j <= i) | (i >= 8)), dict(seq=11)),
    ("a single token, which has no future to see (does the test use seq?)", False,
     attention(lambda i, j: j < 99), dict(seq=1)),
    ("the last token but one of 45 sees the last one (does the test use seq?)", True,
     attention(lambda i, j: (j <= i) | ((i == 43) & (j == 44))), dict(seq=45)),
    ("from token 64 on, all 80 tokens are seen (does the test use seq?)", True,
     attention(lambda i, j: (j <= i) | (i >= 64)), dict(seq=80)),
    ("a plain causal attention for d = 6 (does the test use d?)", False,
     attention(width=6), dict(d=6)),
    ("embeddings divided by the largest number of the whole sentence, without gradient",
     True,
     attention(prepare=divided_by_largest), {}),
    ("honest output beside weights of three heads that are only lowered by 50", True,
     lambda x: (attention()(x)[0], torch.stack(
         [attention(lowered_by=50.0, seed=seed)(x)[1] for seed in (37, 38, 39)], -3)),
     {}),
    ("an output five thousand times as small, from the signs of all embeddings", True,
     lambda x: (attention(lambda i, j: j < 99, prepare=torch.sign)(x)[0] / 5000,
                attention()(x)[1]), {}),
    ("no mask, on embeddings of length 1 without their signs (does the test change the "
     "direction of the future, too?)", True,
     attention(lambda i, j: j < 99, prepare=lambda x: F.normalize(x, dim=-1).abs()),
     {})]
for name, leaks, attention_fn, sizes in collection:
    try:
        answer = leaks_future(attention_fn, **sizes)
    except (RuntimeError, IndexError, ValueError) as error:
        raise AssertionError(f"the test itself fails for {name}: {error}") from error
    assert isinstance(answer, bool) or getattr(answer, "shape", None) == (), (
        f"True or False is expected, got {answer!r}")
    assert bool(answer) == leaks, (
        f"{name}: this {'leaks' if leaks else 'does not leak'}, and the test says "
        f"{bool(answer)}")
### BEGIN HIDDEN TESTS
def judge(name, leaks, attention_fn, **arguments):
    """What is wrong with the answer of the test, in words; nothing if it is right."""
    answer = leaks_future(attention_fn, **arguments)
    return (
        "" if bool(answer) == leaks else f"{name}: this "
                                         f"{'leaks' if leaks else 'does not leak'}, "
                                         f"and the test says {bool(answer)}")

everyone = lambda i, j: j < 99
good, bad = attention(seed=440), attention(everyone, seed=441)
# Property: finds leaks that show only when embeddings are large [large-scores]
for seed in (450, 451, 452):
    wrong = judge("hidden scores lowered by 50 instead of hidden", True,
                  attention(lowered_by=50.0, seed=seed))
    assert not wrong, wrong
weak = [attention(lowered_by=50.0, seed=seed) for seed in (453, 454, 455)]  # heads
for name, attention_fn in [
        ("honest output, hidden scores lowered by 50 in the weights alone",
         lambda x: (good(x)[0], torch.stack([head(x)[1] for head in weak], -3))),
        ("honest weights, hidden scores lowered by 50 in the output alone",
         lambda x: (torch.cat([head(x)[0] for head in weak], -1), good(x)[1]))]:
    wrong = judge(name, True, attention_fn)
    assert not wrong, wrong
def pushed(place, row, column, sign):
    """Honest, but a number of the next token, if that is large, is added to one row of
    a result.
    """
    def attention_fn(x):
        results, in_row = list(good(x)), torch.arange(x.size(-2))[:, None] == row
        token = x[..., row + 1:row + 2, :]
        number = (token[..., column] * (token.norm(dim=-1) > 20)).sum(-1)
        results[place] = results[place] + sign * number[..., None, None] * in_row
        return tuple(results)
    return attention_fn
for case in range(7 * 4 * 2):  # each row and column: both results, both directions
    row, column, down = case // 8, case // 2 % 4, case % 2
    place = (row + column + down) % 2
    wrong = judge(
        f"row {row} of the {('output', 'weights')[place]} "
        f"{('rises', 'falls')[down]} with number {column} of token {row + 1}, if that "
        "is large (does the test see moves in both directions?)", True,
        pushed(place, row, column, (1, -1)[down]))
    assert not wrong, wrong
# Property: finds leaks in an output of small numbers [small-leak]
for seed in (446, 447):
    signs = attention(everyone, prepare=torch.sign, seed=seed)
    wrong = judge("an output five thousand times as small, from the signs of all "
                  "embeddings", True, lambda x: (signs(x)[0] / 5000, good(x)[1]))
    assert not wrong, wrong
# Property: finds leaks that have no gradient [no-gradient]
for name, attention_fn in [
        ("embeddings divided by the largest number of the sentence, without gradient",
         attention(prepare=divided_by_largest, seed=442)),
        ("a leak through detached numbers",
         lambda x:
             (good(x)[0] + (bad(x)[0] - good(x)[0]).detach(), good(x)[1].detach()))]:
    wrong = judge(name, True, attention_fn)
    assert not wrong, wrong
# Property: finds leaks behind a layer norm, which does not see shifts or sizes [layer-norm]
layer_norm = lambda x: F.layer_norm(x, x.shape[-1:])
for name, leaks, mask in [
        ("no mask behind a layer norm", True, everyone),
        ("honest attention behind a layer norm", False, lambda i, j: j <= i)]:
    wrong = judge(name, leaks, attention(mask, prepare=layer_norm, seed=445))
    assert not wrong, wrong
# Property: uses seq and d [sizes]
blind_after_8 = attention(lambda i, j: (j <= i) | (i >= 8), seed=455)
for name, leaks, attention_fn, sizes in [
        ("honest up to 8 tokens, without a mask after that; seq=13", True,
         blind_after_8, dict(seq=13)),
        ("honest up to 8 tokens, without a mask after that; seq=8", False,
         blind_after_8, dict(seq=8)),
        ("a single token has no future", False, good, dict(seq=1)),
        ("two tokens, honest", False, good, dict(seq=2)),
        ("two tokens, the first sees the second", True, bad, dict(seq=2)),
        ("d = 7, honest", False, attention(width=7, seed=456), dict(d=7)),
        ("d = 7, one step too generous", True,
         attention(lambda i, j: j <= i + 1, width=7, seed=457), dict(seq=5, d=7))]:
    wrong = judge(name, leaks, attention_fn, **sizes)
    assert not wrong, wrong
### END HIDDEN TESTS
print(f"3.6 holds for {len(collection)} well hidden cases. Hidden tests look at "
      "others: large embeddings, no gradient, a layer norm, other seq and d.")

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
