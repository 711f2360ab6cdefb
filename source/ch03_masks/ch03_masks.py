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
# *145 minutes · ●●○○○ · 6 exercises, 13 points · you need chapters 1 and 2*
#
# In a few seconds you will train a small attention model that guesses the next roll of a fair die. At seven of its
# eight positions it is right every time. Nobody can do that. **How does it do it, and how do you make sure that no
# model of yours ever does?** The remedy is one formula:
#
# $$\mathrm{weights}_{ij} = \mathrm{softmax}_j\!\left(s_{ij}\ \text{ if query } i \text{ may see key } j, \text{ else } {-\infty}\right)$$
#
# **After this chapter you can**
#
# - hide the future and padding with masks, *before* softmax, and without NaN where nothing is left to see;
# - read PyTorch's three mask conventions, and drop weights without changing their average;
# - test any attention function for leaks, instead of trusting a picture of it.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

# Models as small as ours gain nothing from a GPU: starting an operation there takes
# longer than computing it here. So this chapter stays on the CPU.
device = "cpu"
torch.manual_seed(3)
torch.set_num_threads(1)  # for tiny tensors, more threads only wait for each other
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 3.1 The model that predicts dice
#
# The model reads eight rolls of a die. At each position it guesses the roll that comes next: its target.

# %% tags=["show"]
# @title The input, and below it the targets
game = torch.randint(1, 7, (9,), generator=torch.Generator().manual_seed(39))
fig, ax = plt.subplots(figsize=(7, 1.9))
draw_matrix(ax, torch.stack([game[:-1], game[1:]]), ["input", "target"], digits=0,
            title="The same rolls, moved by one place", limits=(0, 9))
ax.set(xlabel="position")
show(fig, alt=f"Two rows of eight rolls. Input: {game[:-1].tolist()}. Targets, below "
              f"it: {game[1:].tolist()}, the same rolls one place to the left.")

# %% [markdown]
# The model is the attention of chapter 2 between an embedding (which face, at which position) and a linear layer that
# scores the six faces. Its attention is a function that we pass in; this chapter changes only that. Every training
# step uses 128 new games.

# %%
class DiceReader(nn.Module):
    """Reads rolls of a die; guesses, at each position, the roll that comes next."""

    def __init__(self, attend, d_model=32):
        super().__init__()
        self.attend = attend
        self.face, self.place = nn.Embedding(6, d_model), nn.Embedding(8, d_model)
        self.W_q, self.W_k, self.W_v = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.head = nn.Linear(d_model, 6)

    def forward(self, rolls):                                      # (batch, 8)
        x = self.face(rolls) + self.place.weight                   # (batch, 8, d_model)
        output, weights = self.attend(self.W_q(x), self.W_k(x), self.W_v(x))
        return self.head(output), weights             # (batch, 8, 6), (batch, 8, 8)

def attend_to_all(q, k, v):
    """Chapter 2's attention: every query sees every key."""
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% tags=["show"]
# @title Training on 300 batches of 128 games, and playing 4,000 new ones
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
    """Loss and hit rate at each position, and the mean weights, on new games."""
    generator = torch.Generator().manual_seed(34)
    rolls = torch.randint(6, (games, 9), generator=generator).to(device)
    (logits, weights), targets = model(rolls[:, :-1]), rolls[:, 1:]
    loss = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none").mean(0)
    hits = (logits.argmax(-1) == targets).float().mean(0)
    return loss.cpu(), hits.cpu(), weights.mean(0).cpu()

# %% [markdown]
# A fair die leaves nothing to learn. The best guess is right one time in six, and the best loss is $\ln 6 = 1.79$.
#
# **Predict, then run.** At one of the eight positions the trained model is no better than chance. At which one?

# %% tags=["show"]
guess_place = None       # type a number from 0 to 7, then run the next cell

# %% tags=["show", "tolerance-0.05"]
cheater = train_on_dice(attend_to_all)
loss_all, hits_all, looks = play_dice(cheater)
check_guess("position no better than the die", guess_place, hits_all.argmin().item())

# %% tags=["show", "tolerance-0.05"]
# @title Loss at each position, and where each position looks
print("position            ", *(f"{i:5d}" for i in range(8)))
print("right, in %         ", *(f"{100 * hit:5.0f}" for hit in hits_all.tolist()))
print("loss (the die: 1.79)", *(f"{loss:5.2f}" for loss in loss_all.tolist()))
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.3))
left.bar(range(8), loss_all.tolist(), color=OKABE_ITO[0])
left.axhline(torch.tensor(6.).log(), color=OKABE_ITO[3], linestyle="--")
left.text(-0.4, 1.84, "ln 6: best without looking ahead", color=OKABE_ITO[3])
left.set(xlabel="position", xticks=range(8), ylabel="loss on new games",
         title="Near 0 everywhere but at one position")
draw_matrix(
    right, looks, title="Rows 0 to 6 look one to the right", limits=(0, 1), digits=1)
right.set(xlabel="key: roll looked at", ylabel="query: position that looks")
show(fig, alt="Left: bars of the loss at eight positions; the first seven are near "
              "zero, far below a dashed line at ln 6 = 1.79, the last one is above it. "
              "Right: an 8 by 8 heatmap of weights; in rows 0 to 6 all the weight lies "
              "one cell right of the diagonal.")

# %% [markdown]
# The model is right every time, except at position 7. There its loss is above 1.79: the model is sure of its guesses,
# and they are no better than chance. Why?
# See on the right where it looks.
#
# The target at position $i$ is the *input* at position $i+1$, and the model copies it ([measured](deeper.ipynb): "Does it copy?"). Only the last position has nothing
# after it, so only there it cannot copy. In use a model is always at the last position: the next roll has not been
# thrown. Language models are trained in the same way, with words for rolls.

# %% [markdown]
# ## 3.2 Who may see whom
#
# The sentence "Your journey starts with one step" holds five prediction tasks: after "Your" comes "journey", after "Your
# journey" comes "starts", and so on. A language model does all five in one pass and with one loss. For that, each position must see only its past.
# A **mask** says who may see whom: a table with a row for each query and a column for each key, `True` where the query
# *may attend*. By hand:

# %%
allowed = torch.tensor([[1, 0, 0, 0, 0, 0],
                        [1, 1, 0, 0, 0, 0],
                        [1, 1, 1, 0, 0, 0],      # "starts" sees three tokens
                        [1, 1, 1, 1, 0, 0],
                        [1, 1, 1, 1, 1, 0],
                        [1, 1, 1, 1, 1, 1]]).bool()

# %% [markdown]
# A token may look at itself, because it is not what has to be guessed. Such a mask is called **causal**: an effect never
# comes before its cause.
#
# ### Exercise 3.1 · Causal mask · 1 point · about 5 minutes
#
# Write a function that makes the causal mask of any length, one token included, as a boolean tensor <!-- asks: sizes -->, on the device it is asked for: a name or a `torch.device`; `None`
# means the default one <!-- asks: device -->.
#
# <details><summary>Hint 1</summary>Which two numbers decide whether a cell is True?</details>
# <details><summary>Hint 2</summary>A column of row numbers and a row of column numbers broadcast to a table. PyTorch can also keep one triangle of a matrix; mind dtype and diagonal.</details>

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
# Here are the sentence's embeddings again (from S. Raschka's book).
# To follow by hand, let $q = k = v = x$. The scores of "starts" with all six words, and the weights that softmax makes of them:

# %%
tokens = "Your journey starts with one step".split()
x = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                  [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])  # (6, 3)
scores = x @ x.T / 3 ** 0.5                # (6, 6)
row = scores[2]                            # query "starts"
print("scores ", row)
print("weights", row.softmax(dim=-1))
print(f"share of the weights on the future: {row.softmax(dim=-1)[3:].sum():.2f}")

# %% [markdown]
# Softmax makes each weight from $e^{\text{score}}$, which is zero only if the score is $-\infty$. So we set the scores of the
# future to $-\infty$ *before* softmax, first in one row, then with the mask in all:

# %%
hidden = row.clone()
hidden[3:] = -torch.inf
print("weights, future hidden:      ", hidden.softmax(dim=-1))
print("in a sentence of three words:", row[:3].softmax(dim=-1))

before = scores.softmax(dim=-1)
masked_scores = scores.masked_fill(~allowed, -torch.inf)     # fill where not allowed
after = masked_scores.softmax(dim=-1)                        # (6, 6)

# %% tags=["show"]
# @title All weights before and after masking
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
show(fig, alt="Two 6 by 6 heatmaps of weights. Left, before masking: all cells between "
              "0.12 and 0.21, an orange staircase marks the future. Right, after "
              "masking: the cells above the diagonal are 0, the first row is 1, 0, 0, "
              "0, 0, 0 and the last row is unchanged.")

# %% [markdown]
# The weights of "starts" are now what they would be in a sentence that ends there, and "Your" can only look at itself.
#
# ### A row with nothing to look at
#
# What if *all* keys of a query are hidden? Section 3.5 shows such a batch. Softmax must then share 1 among no keys:

# %%
nobody = torch.zeros(4, dtype=torch.bool)
s = torch.tensor([0.2, -1.0, 0.5, 0.1])
print("filled with -inf:", s.masked_fill(~nobody, -torch.inf).softmax(dim=-1))
print("filled with -1e9:", s.masked_fill(~nobody, -1e9).softmax(dim=-1))
print("-1e9 in float16: ", torch.tensor(-1e9).half().item())

# %% [markdown]
# With $-\infty$ the row is $0/0$: NaN. Some code writes $-10^9$ instead (in `float16` that is $-\infty$ again). Then the row spreads
# its weight evenly over everything it should not see.
# Our rule: **a query that has nothing to look at gets zero weights and a zero output.**
#
# A tempting repair is to replace the NaN after softmax, with `nan_to_num`. The value is then right, but the gradient may still be NaN
# ([measured](deeper.ipynb): "An empty row on the way back"). The safe way: never give softmax a row of only $-\infty$.

# %% [markdown]
# ### Exercise 3.2 · Masked attention · 3 points · about 22 minutes
#
# Write scaled dot-product attention as in chapter 2, with a mask. The [house rules](#house-rules) hold; one point each for
#
# - *values*: one sentence, with a mask and without one, of any sizes and for any pattern of the mask, which is not
#   changed <!-- asks: sizes, values, inputs-unchanged -->;
# - *empty rows*: a row with nothing to attend to gives zero weights and a zero output, also where a whole sentence sees
#   nothing, and no NaN in the gradients <!-- asks: masked-row, empty-sentence, gradient -->;
# - *everything in front*: the other rules <!-- asks: leading-dims, non-contiguous, device -->, and masks that broadcast to
#   the scores <!-- asks: broadcast -->. What is hidden must make no difference at all <!-- asks: no-trace -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Half precision (`float16`), and scores of ±10,000 and more <!-- asks: large-scores -->. What is hidden is finite, and so are its scores. An empty row
# adds nothing to the gradients of `q`, `k` and `v`.
# </details>
# <details><summary>Hint 1</summary>The steps have an order: scores, scale, hide, softmax, mix. Which ones know the mask?</details>
# <details><summary>Hint 2</summary>Ask for each row: is there any key that it may see? Keep that axis, so that the answer broadcasts against the weights.</details>
# <details><summary>Hint 3</summary>What goes into softmax in an empty row does not matter, if it is finite and the weights that come out are set to zero.</details>

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
# Why not the other way round: leave the scores alone and set the unwanted *weights* to zero?
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
# Rows no longer sum to 1. But all weights above the diagonal are 0, so it seems that no word sees its future. Does any?
#
# **Predict, then run.** We replace the last word, "step", by another one. In how many of the first five rows of the
# triangle will a weight change?

# %% tags=["show"]
guess_rows = None       # type a number from 0 to 5, then run the next cells

# %% tags=["show"]
other = x.clone()
other[5] = torch.tensor([1.5, 1.2, 1.8])                # another last word
_, triangle_2 = triangle_after(other, other, other)
moved = (triangle - triangle_2).abs().amax(dim=-1)      # (6,): largest change of a row
check_guess("rows that change", guess_rows, (moved[:5] > 1e-3).sum().item())

# %% tags=["show"]
# @title The triangle with two different last words
fig, axes = plt.subplots(1, 3, figsize=(8.4, 3.3))
tokens_2 = tokens[:5] + ["other"]
draw_matrix(
    axes[0], triangle, tokens, tokens, "The last word is “step”", limits=(0, 0.6))
draw_matrix(axes[1], triangle_2, [""] * 5 + ["other"], tokens_2,
            "The last word is “other”", limits=(0, 0.6))
draw_matrix(axes[2], triangle_2 - triangle, [""] * 6, tokens_2, cmap="PuOr",
            title=f"Difference: {(moved[:5] > 1e-3).sum()} of 5 rows moved",
            limits=(-0.2, 0.2))
axes[0].set(xlabel="key", ylabel="query")
show(fig,
     alt="Three 6 by 6 heatmaps. The first two are triangles of weights, zero above "
         "the diagonal, for two different last words. The third is their difference: "
         "negative in every cell on and below the diagonal of rows 0 to 4.")

# %% [markdown]
# All five change. The matrix is a perfect triangle, and every row of it depends on the last word. A weight is
# $e^{s_{ij}}$ divided by a sum over **all** keys, and that sum still contains the future.
#
# **Predict, then run.** Can a model use such a small trace? How often will it be right about the dice, at positions 0
# to 6: as often as chance (type 1), always (type 6), or something between?

# %% tags=["show"]
guess_luck = None       # type a number from 1 to 6, then run the next cell

# %% tags=["show", "tolerance-0.12"]
leaker = train_on_dice(triangle_after)
loss_triangle, hits_triangle, _ = play_dice(leaker)
check_guess("times chance with the triangle", guess_luck,
            round(6 * hits_triangle[:7].mean().item(), 1))

# %% [markdown]
# What does this model use? Each row has a sum, and each key a share of it. We replace the sums, then the shares, by those of another game:

# %% tags=["show", "tolerance-0.12"]
# @title The leaker as trained, with row sums of another game, and with shares of another game
def with_another_game(sums_from, shares_from):        # 0: this game, 1: another one
    def attend(q, k, v):
        _, weights = triangle_after(q, k, v)                     # (batch, 8, 8)
        sums = weights.sum(-1, keepdim=True)                     # (batch, 8, 1)
        shares = (weights / sums).roll(shares_from, dims=0)
        weights = shares * sums.roll(sums_from, dims=0)
        return weights @ v, weights
    return attend

for name, swap in [("as trained", (0, 0)), ("row sums of another game", (1, 0)),
                   ("shares of another game", (0, 1))]:
    leaker.attend = with_another_game(*swap)
    luck = 6 * play_dice(leaker)[1][:7].mean()
    print(f"{name:26} {luck:.2f} times as often right as chance")
print(f"loss as trained, positions 0 to 6: {loss_triangle[:7].mean():.1f} (die: 1.79)")

# %% [markdown]
# The model is right about twice as often as chance with this seed. With the *row sums* of another game it
# is no better than chance. With the *shares* of another game it is as good as before. So the leak is one number per
# row: how much weight was lost. No single heatmap shows it. (Other seeds or a longer training may give more:
# [measured](deeper.ipynb), "How far does one number per row go?")
#
# This method can be repaired if we divide each row by what is left of it:
#
# $$\mathrm{weights}'_{ij} = \frac{m_{ij}\,\mathrm{weights}_{ij}}{\sum_{j'} m_{ij'}\,\mathrm{weights}_{ij'}} = \frac{m_{ij}\,e^{s_{ij}}}{\sum_{j'} m_{ij'}\,e^{s_{ij'}}}
# \qquad m_{ij} = 1 \text{ if allowed, else } 0$$
#
# The sum over all keys cancels, and with it the trace of the future:

# %%
renormalised = triangle / triangle.sum(-1, keepdim=True)
print("divided     ", renormalised[2])
print("hidden first", after[2])
print(f"largest difference of all: {(after - renormalised).abs().max():.5f}")

# %% [markdown]
# Both methods give the same weights. On the interactive page, open the leakage
# meter, make the last word three times as long, and see which methods react.
#
# <!-- interactive page -->

# %% [markdown]
# ### Exercise 3.3 · Mask after softmax · 2 points · about 22 minutes
#
# Take weights that softmax has made over all keys, set those that the mask forbids to zero, and renormalise: $(0.2, 0.3, 0.5)$ without
# the third becomes $(0.4, 0.6, 0)$. One point for the *values*; one for rows in which *little or nothing* is left:
#
# - *values*: equal to hiding first, for masks that broadcast <!-- asks: broadcast -->; the
#   [house rules](#house-rules) hold <!-- asks: leading-dims, non-contiguous, device -->;
# - *little*: every row that has anything left sums to 1, however little it was <!-- asks: small-sums -->;
# - *nothing*: a row with nothing left becomes zeros, also in batches of heads <!-- asks: masked-row -->, and spoils no gradient.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Half precision, too. *Little* may be $10^{-25}$ (in half precision 0.001). *Nothing* may be left because all is hidden, or because the allowed weights
# are all 0; the gradient of such a row of `weights` is then at most as large as that of its result; in all
# other rows it is exact <!-- asks: gradient -->.
# </details>
# <details><summary>Hint 1</summary>What has to be divided by what, and along which axis? The axis must stay for the division.</details>
# <details><summary>Hint 2</summary>A small number added to every sum changes good rows too. Which sums need help, and which number does no harm there?</details>
# <details><summary>Hint 3</summary>A division by zero that is replaced afterwards has already spoiled the gradient.</details>

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
# In exact arithmetic the two methods agree. In floating point a hidden key with a high score rounds the visible weights to zero, and nothing
# is left to divide ([measured](deeper.ipynb): "Which road is better?"). So hide first.

# %% [markdown]
# ## 3.5 Sentences of different lengths
#
# A batch is one tensor, so short sentences are filled up with **padding**. Here "Your journey starts" stands beside the full
# sentence, padded with three zero vectors.

# %%
lengths = torch.tensor([6, 3])
batch = torch.stack([x, x])                              # (2, 6, 3)
batch[1, 3:] = 0                                         # three words, three paddings

_, weights = attend_to_all(batch, batch, batch)          # (2, 6, 6)
print("'journey' in the short sentence:", weights[1, 1])
print(f"share of its weights that lies on padding: {weights[1, 1, 3:].sum():.2f}")

# %% [markdown]
# A zero vector still gets weight: its score is 0, and $e^0 = 1$. Almost a third of the attention goes to tokens that
# do not exist. So we hide padding as we hid the future. All queries of a sentence may see the same keys, so a mask
# `(batch, 1, seq)` is enough; it broadcasts over the queries. We compare:

# %%
real = torch.tensor([True, True, True, False, False, False])    # for the short sentence
alone, _ = attend_to_all(x[:3], x[:3], x[:3])                   # without padding
short = batch[1:]                                               # (1, 6, 3)
for name, mask in [("padding hidden", real[None, None]), ("no mask", None)]:
    padded = F.scaled_dot_product_attention(short, short, short, attn_mask=mask)
    gap = (padded[0, :3] - alone).abs().max()
    print(f"{name:15} the three words differ from the sentence alone by {gap:.4f}")

# %% [markdown]
# **A trap.** With several heads (attentions side by side, chapter 4), scores are `(batch, heads, seq, seq)`. Axes are
# matched from the right, so the batch axis of a mask `(batch, 1, seq)` meets the heads. With 4 heads and 2 sentences that is an error. With as many
# heads as sentences there is no error, and the mask is wrong:

# %%
mask = torch.stack([torch.ones(6).bool(), real])[:, None]      # (2, 1, 6)
try:
    torch.zeros(2, 4, 6, 6).masked_fill(~mask, -torch.inf)
except RuntimeError:
    print("4 heads: RuntimeError, the shapes do not fit")
two_heads = torch.zeros(2, 2, 6, 6)                    # (batch, heads, seq, seq)
trapped = two_heads.masked_fill(~mask, -torch.inf)
meant = two_heads.masked_fill(~mask.unsqueeze(1), -torch.inf)   # mask (2, 1, 1, 6)

# %% tags=["show"]
# @title What is hidden: mask (2, 1, 6), and with one more axis (2, 1, 1, 6)
fig = plt.figure(figsize=(7.2, 3.6))
blocks = fig.subfigures(1, 2, wspace=0.08)
for block, words, tables in [(blocks[0], "mask: no error, but wrong", trapped),
                             (blocks[1], "mask.unsqueeze(1): as meant", meant)]:
    block.suptitle(words, fontsize=10)
    for (sentence, head), ax in zip([(0, 0), (0, 1), (1, 0), (1, 1)],
                                    block.subplots(2, 2).flat):
        table = tables[sentence, head]
        good = torch.equal(table, meant[sentence, head])
        draw_matrix(ax, table == 0, digits=None, limits=(0, 1.6))
        ax.set_title(f"sentence {sentence}, head {head}", fontsize=9,
                     color="black" if good else OKABE_ITO[3])
        ax.set(xticks=[], yticks=[], xlabel="key", ylabel="query")
show(fig, alt="Two blocks of four small tables, for two sentences and two heads; blue "
              "may be seen. Left, without the new axis: padding is hidden in head 1 of "
              "both sentences, and two titles are orange, since these tables are "
              "wrong. Right, with it: padding is hidden in both heads of sentence 1.")

# %% [markdown]
# White is hidden; where the title is orange, the table is wrong. On the left, without `unsqueeze(1)`, the mask of the
# short sentence acts on one *head* of both sentences, on the
# right on both heads of the short *sentence*.

# %% [markdown]
# ### Exercise 3.4 · Padding mask · 2 points · about 10 minutes
#
# Two functions, one point each; the [house rules](#house-rules) hold
# <!-- asks: non-contiguous, device, inputs-unchanged, combine-device -->.
#
# - `padding_mask` makes the mask of a batch from its lengths: the first `lengths[b]` positions of sentence `b` are real. Lengths run from
#   0 to `seq`, in any integer dtype <!-- asks: sizes -->; `seq` may exceed them all <!-- asks: long-seq -->.
# - `combine_masks` takes one mask or more, of shapes that broadcast, heads included, and allows only what *all* of them allow
#   <!-- asks: broadcast -->.
#
# <details><summary>Hint 1</summary>Position j of sentence b is real if j is smaller than something.</details>
# <details><summary>Hint 2</summary>(seq,) against (batch, 1) gives (batch, seq); one axis is still missing. On which device are the positions?</details>
# <details><summary>Hint 3</summary>Join the masks one after the other. The first one belongs to the caller.</details>

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

def elsewhere_(mask_of, lengths, seq):
    """Whether the mask is where tensors without a device are made."""
    elsewhere = False
    try:
        with torch.device("meta"):
            elsewhere = mask_of(lengths, seq).is_meta
    except RuntimeError as error:
        if not str(error):                            # the exercise is not begun
            raise
    return f"on another device than the lengths: {elsewhere}"

one_ = ab.case("[2, 4, 0], seq 5", torch.tensor([2, 4, 0]), 5, look="dtype values")
ab.check("3.4 padding mask", padding_mask, [
    one_,
    ab.case("one sentence: [2], seq 5", torch.tensor([2]), 5),
    ab.case("[0, 0], seq 5", torch.tensor([0, 0]), 5),
    counted_([300, 217]), counted_([100, 3], torch.int8),
    *ab.house_rules(one_, only="inputs device"),
    one_.but("lengths on another device than new tensors", look=("values",),
             ask=elsewhere_),
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
# Your masks together, for the short sentence:

# %% tags=["show", "uses-exercise"]
# @title Your two masks together, with padding at the end and in front
padding = padding_mask(lengths, 6)                               # (2, 1, 6)
fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.5))
for ax, title, mask in [(axes[0], "padding at the end", padding),
                        (axes[1], "padding in front", padding.flip(-1))]:
    both = combine_masks(causal_mask(6), mask)[1]                # (6, 6)
    draw_matrix(ax, both, title=title, digits=0)
    print(f"{title}: rows that see nothing",
          (~both.any(-1)).nonzero().flatten().tolist())
show(fig, alt="Two 6 by 6 tables of zeros and ones, causal and padded. At the end: a "
              "triangle cut off after three columns. In front: three rows of zeros, "
              "then a triangle in the last three columns.")

# %% [markdown]
# When a model continues several prompts at once, they are padded in *front*, to end at the same place. The first rows
# then see nothing.
#
# ## 3.6 Three dialects of one mask
#
# | where | the mask |
# | --- | --- |
# | `F.scaled_dot_product_attention`, this course | a boolean mask, `True` = may attend |
# | `nn.MultiheadAttention`: `attn_mask`, and `key_padding_mask` of shape `(batch, seq)` | a boolean mask, `True` = **blocked** |
# | both of them, and many older programs | a float mask that is *added* to the scores: 0 = may attend, $-\infty$ = blocked |
#
# We give `nn.MultiheadAttention` one head and identity matrices, so that $q = k = v = x$ there as well, and
# hide the future in each convention. In a second run "starts" may see nothing at all.

# %%
mha = nn.MultiheadAttention(3, num_heads=1, bias=False, batch_first=True)
with torch.no_grad():
    mha.in_proj_weight.copy_(torch.eye(3).repeat(3, 1))       # W_q, W_k, W_v in one
    mha.out_proj.weight.copy_(torch.eye(3))
X, sdpa = x[None], F.scaled_dot_product_attention             # (1, 6, 3)

empty_row = allowed & (torch.arange(6) != 2)[:, None]         # "starts" sees nothing
for name, sees in [("future hidden", allowed), ("and row 2 empty", empty_row)]:
    added = torch.zeros(6, 6).masked_fill(~sees, -torch.inf)
    print(f"{name}: output of 'starts'")
    print("  sdpa, True = may attend ", sdpa(X, X, X, attn_mask=sees)[0, 2])
    print("  sdpa, added             ", sdpa(X, X, X, attn_mask=added)[0, 2])
    print("  mha, True = blocked     ", mha(X, X, X, attn_mask=~sees)[0][0, 2].detach())
    print("  mha, added              ", mha(X, X, X, attn_mask=added)[0][0, 2].detach())
    print("  mha, need_weights=False ", mha(X, X, X, attn_mask=~sees,
                                            need_weights=False)[0][0, 2].detach())
print("without any mask          ", sdpa(X, X, X)[0, 2])

# %% [markdown]
# Each call, in its own convention, gives the same result, as long as every row sees something. In an empty row
# `scaled_dot_product_attention` gives zeros, as our rule says, and `nn.MultiheadAttention` NaN, unless `need_weights=False` lets it call the former.
#
# A mask in the wrong convention raises no error. Two mix-ups change the weights of "starts":

# %%
def print_row(name, weights):
    row = " ".join(f"{w:.2f}" for w in weights[2].tolist())
    print(f"{name:40}", row, f"  future: {weights[2, 3:].sum():.2f}")

float_mask = torch.ones(6, 6).tril()          # 1.0 and 0.0, not True and False
identity = torch.eye(6)[None]  # as values: the output is then the weights
print_row("right", after)
print_row("a float mask of ones and zeros to sdpa",
          sdpa(X, X, identity, attn_mask=float_mask)[0])
print_row("True = may attend to MultiheadAttention",
          mha(X, X, X, attn_mask=allowed)[1][0].detach())

# %% [markdown]
# The first mix-up is harder to see. `torch.ones(6, 6).tril()` looks like a causal mask but is *float*, so it is **added**:
# past scores go up by 1, future ones stay, and 22 % of the weight still lies on the future. So make masks boolean.
#
# ## 3.7 Dropping weights
#
# A mask hides keys because of where they stand. During training one may also hide a few at random, so that
# no query relies on a single key. This is **dropout**: each weight is set to zero with probability $p$, afresh at
# each step. Those that stay are divided by $1-p$, so that the average over many draws is the weight itself:
#
# $$\mathrm{dropped}_{ij} = \begin{cases} 0 & \text{with probability } p \\ \mathrm{weights}_{ij} / (1-p) & \text{otherwise} \end{cases}$$

# %%
row = after[2]  # "starts": 0.27, 0.37, 0.36
keep = torch.tensor([True, False, True, True, False, True])     # one throw with p = 0.5
dropped = row * keep / 0.5
print("before ", row, f" sum {row.sum():.2f}")
print("dropped", dropped, f" sum {dropped.sum():.2f}")

# %% [markdown]
# The sum is not 1 any more, and is not meant to be. Section 3.4 divided by what was left of the row. Why not here? We take the mean
# of 4,000 draws, once divided by $1-p$, once by the row sum:

# %% tags=["show"]
dropout = nn.Dropout(0.5)
one_draw, draws = dropout(after), dropout(after.expand(4000, 6, 6))      # (4000, 6, 6)
by_p = draws.mean(0)
by_sum = (draws / draws.sum(-1, keepdim=True)).nan_to_num().mean(0)

# %% tags=["show", "tolerance-0.05"]
# @title One draw of dropout, and the mean of 4,000 draws in two ways: the first three rows
print(f"the mean is off by at most {(by_p - after).abs().max():.2f} divided by 1 - p, "
      f"by {(by_sum - after).abs().max():.2f} divided by the row sum "
      f"({(by_sum - after)[5].abs().max():.2f} in the last row)")
fig, axes = plt.subplots(1, 4, figsize=(9.2, 2.3))
sums = [f"Σ {total:.1f}" for total in one_draw.sum(-1).tolist()]
panels = [(after, tokens, "Weights"), (one_draw, sums, "One draw: gone or doubled"),
          (by_p, [""] * 6, "Mean, divided by 1 − p"),
          (by_sum, [""] * 6, "Mean, by the row sum")]
for ax, (matrix, rows, title) in zip(axes, panels):
    draw_matrix(ax, matrix[:3], rows[:3], tokens, title, limits=(0, 1.2))
axes[0].set(xlabel="key", ylabel="query")
show(fig,
     alt="Four heatmaps of three rows. The causal weights; one draw of dropout, "
         "where about half of the cells are zero and the others have twice their "
         "value, with its row sums beside it; the mean of 4000 draws divided by 1 "
         "minus p, equal to the weights within a few hundredths; the mean of the "
         "same draws divided by the row sum, where the first row has fallen from 1 "
         "to about a half.")

# %% [markdown]
# Divided by $1-p$, the mean gives the weights back. Divided by the row sum it does not. A row with a single key shows why: divided by its sum,
# its weight is 1 or 0, on average a half.

# %% [markdown]
# ### Exercise 3.5 · Attention dropout · 2 points · about 10 minutes
#
# Write dropout without `nn.Dropout`. All random numbers come from the `generator` that is passed in, so that a run can be repeated. With $p = 0.5$,
# 0.25 becomes 0 or 0.5. One point each for
#
# - *training*: every weight has a draw of its own <!-- asks: independent -->; a share `p` becomes zero, and the rest is divided by `1 - p` <!-- asks: values, share -->; the gradient is treated in the same way <!-- asks: gradient -->.
#   The [house rules](#house-rules) hold <!-- asks: device -->;
# - *modes*: no change when `training` is `False` or `p = 0`, all zeros at `p = 1`; a weight of zero stays zero; the
#   same generator state gives the same draw, another state a different one <!-- asks: train-eval, edges, zeros, seeds -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Weights have any shape and dtype; the share is right for a small `p` in `float16` or `bfloat16`, too. Where nothing changes, neither does the gradient. `p` may be an integer.
# </details>
# <details><summary>Hint 1</summary>A uniform random number is below 0.3 with probability 0.3. How many do you need, and where?</details>
# <details><summary>Hint 2</summary>At p = 1 the rescaling would divide by zero. What must the result be there?</details>

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
# While dropout is on, weights do not sum to 1, and a heatmap of them looks random. Call `eval()` before you look:

# %% tags=["tolerance-2"]
torch_dropout = nn.Dropout(0.5)  # a fresh module is in training mode
print("training, row sums:", torch_dropout(after).sum(-1))
torch_dropout.eval()
print("eval(),   row sums:", torch_dropout(after).sum(-1))

# %% [markdown]
# Three figures that contradict their titles: [deeper](deeper.ipynb), "Find what is wrong in this figure".
#
# ## 3.8 A test for leaks
#
# The triangle of section 3.4 had zeros in all the right places and leaked. So how do you *know* that a function hides the future?
# By experiment: *change the future, look at the past.* Here from position 4 on:

# %%
def hide_first(q, k, v):
    """Section 3.3, for our sentence of six words."""
    scores = (q @ k.T / q.size(-1) ** 0.5).masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights

roads = {"no mask": attend_to_all, "zeroed after softmax": triangle_after,
         "hidden before softmax": hide_first}

changed = x.clone()
changed[4:] = torch.tensor([[0.9, 0.1, 0.4], [0.3, 0.2, 0.8]])  # other words from 4 on
for name, attend in roads.items():
    difference = attend(x, x, x)[0] - attend(changed, changed, changed)[0]
    moved = [f"{m:.3f}" for m in difference.abs().amax(-1).tolist()]
    print(f"{name:22} outputs 0 to 5 moved by {' '.join(moved)}")

# %% [markdown]
# Outputs 0 to 3 should not change. Only the last line passes. (Derivatives show it as well:
# ["Who influences whom"](deeper.ipynb).)

# %% [markdown]
# ### Exercise 3.6 · The leak test · 3 points · about 30 minutes
#
# Turn the experiment into a test for any attention function that takes `x` of shape `(batch, seq, d)` and
# returns `(output, weights)`. It answers `True` if row `i` of the output *or* of the weights depends on any token after
# `i`. It is graded on honest functions and leaky ones. Leaks may be
#
# - *easy to find (2 points)*: of the next token only, in one row or one head only,
#   in the weights or the output only, through row sums
#   <!-- asks: one-row, one-head, weights-or-output, row-sums -->;
# - *well hidden (1 point)*: without a gradient; behind a layer norm or another function that ignores sizes, signs or an added
#   constant; only when embeddings are large; only when `seq` is above its default
#   <!-- asks: no-gradient, layer-norm, large-scores, sizes -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `x` is `float32`; test with exactly `seq` tokens (1 or more) of `d` numbers. Weights may be `(batch, heads, seq, seq)`. Large embeddings are about a hundred times the usual size.
# All functions are deterministic.
#
# Honest functions may look odd: rows of zeros, rows that do not sum to 1, a window, a bias by distance, an output of another width or
# ten thousand times as large <!-- asks: honest -->. When the future changes, their past moves by less than $10^{-6}$ (rounding), however large
# embeddings and output are. A leak moves some number by more than $10^{-4}$, also in an output five thousand times as small as usual
# <!-- asks: small-leak -->.
# </details>
# <details><summary>Hint 1</summary>A leak in one row only is found at one position only. At which positions can you change the future?</details>
# <details><summary>Hint 2</summary>If tokens t, t+1, … are new, which rows must not move? Slice them so that the axes in front do not matter.</details>
# <details><summary>Hint 3</summary>What is a good "other future"? A normalisation undoes an added constant; a tiny change drowns in the tolerance; NaN gets through any mask, because 0 · NaN is NaN.</details>

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
# Now point your test at the functions of this chapter.

# %% tags=["uses-exercise"]
def zero_and_renormalise(x):
    weights = mask_after_softmax(attend_to_all(x, x, x)[1], causal_mask(x.size(1)))
    return weights @ x, weights

suspects = {"no mask": lambda x: attend_to_all(x, x, x),
            "zeroed after softmax": lambda x: triangle_after(x, x, x),
            "zeroed and renormalised": zero_and_renormalise,
            "your masked_attention":
                lambda x: masked_attention(x, x, x, causal_mask(x.size(1)))}
for name, attend in suspects.items():
    print(f"{name:26} {'leaks' if leaks_future(attend) else 'no leak found'}")

# %% [markdown]
# The third line should report a leak, although in exact arithmetic that method hides the future. With large
# embeddings the visible weights are rounded to 0 before the division,
# and the past moves ([measured](deeper.ipynb): "How far does the past move?").
#
# ## 3.9 Causal attention
#
# The module of chapter 2, made of all these parts; chapter 4 builds on it:

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
# Does it match PyTorch, does padding change nothing, and does it pass your own test?

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

# %% [markdown]
# And the dice? The same reader, the same training, with your attention inside.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
def attend_to_the_past(q, k, v):
    return masked_attention(q, k, v, causal_mask(q.size(-2), device=q.device))

loss_honest, hits_honest, _ = play_dice(train_on_dice(attend_to_the_past))
print("times as often right as chance:",
      *(f"{6 * hit:4.1f}" for hit in hits_honest.tolist()))
print("loss:                          ",
      *(f"{loss:.2f}" for loss in loss_honest.tolist()))

# %% tags=["show", "uses-exercise"]
# @title The loss of all three at each position
fig, ax = plt.subplots(figsize=(7.5, 3.2))
for shift, losses, name, colour in [
        (-0.27, loss_all, "no mask", OKABE_ITO[3]),
        (0.0, loss_triangle, "zeroed after softmax", OKABE_ITO[1]),
        (0.27, loss_honest, "hidden before softmax", OKABE_ITO[0])]:
    ax.bar([i + shift for i in range(8)], losses.tolist(), width=0.25, color=colour,
           label=name)
ax.axhline(torch.tensor(6.).log(), color="black", linestyle="--", linewidth=1)
ax.text(-0.45, 1.85, "ln 6", fontsize=8)
ax.set(xlabel="position", xticks=range(8), ylabel="loss on new games", ylim=(0, 2.9))
ax.set_title("Hidden before softmax, the loss is that of the die everywhere")
ax.legend(ncols=3, loc="upper left", frameon=False)
show(fig, alt="Bars of loss at positions 0 to 7 for three attentions. Without a mask "
              "the loss is near zero up to position 6 and above ln 6 at position 7; "
              "zeroed after softmax it is a third lower up to position 6; hidden "
              "before softmax it stands at ln 6 = 1.79 everywhere.")

# %% [markdown]
# The loss is 1.79 or 1.80 at every position, and guesses are right as often as chance. This model knows nothing, and its loss says so.
#
# ### Make it yours
#
# Not graded. Write an attention that hides the future in its own way, then one that leaks a little. Does your test find it?

# %% tags=["uses-exercise", "show"]
def mine(x):  # every token sees one earlier token: the first
    mask = torch.arange(x.size(1)) == 0
    return masked_attention(x, x, x, mask.expand(x.size(1), -1))

def mine_leaky(x):  # the sign of the last token's first number
    output, weights = mine(x)  # decides about the sign of every output
    return output * x[:, -1:, :1].sign(), weights

for name, attend in [("mine", mine), ("mine_leaky", mine_leaky)]:
    print(f"{name:10} {'leaks' if leaks_future(attend) else 'no leak found'}")

# %% [markdown]
# ## Summary
#
# *How can a model predict dice, and how do you make sure that none of yours does?* The roll to guess was among the inputs, and attention
# looked there. A causal mask on the scores hides it. A test that changes the future and watches the past
# shows whether the mask works.
#
# You can now
#
# - **hide the future and padding with masks**, *before* softmax: zeroing weights afterwards leaves the future in the
#   row sums, and from those alone a model was right at dice more often than chance (3.4);
# - **stay without NaN where nothing is left to see**: repair what goes into softmax, not what comes out (3.3);
# - **read PyTorch's three mask conventions**: `True` = may attend, `True` = blocked, floats that are added (3.6);
# - **drop weights without changing their average**: divide by $1-p$, and call `eval()` before you look (3.7);
# - **test any attention function for leaks** (3.8).
#
# Your guesses that were furthest off:

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# Each query still has one set of weights, so one token can look for one thing at a time. Chapter 4 gives it many heads.
#
# ## Further reading
#
# - Raschka, *Build a Large Language Model (From Scratch)* (2024), chapter 3: the running sentence, causal masks, dropout on weights.
# - Vaswani et al., *Attention Is All You Need* (2017), section 3.2.3: the decoder hides illegal connections "by masking out
#   (setting to −∞) all values in the input of the softmax".
# - Germain et al., *MADE: Masked Autoencoder for Distribution Estimation* (2015), "Masked Autoencoders": masks on the weights of a
#   plain network.
# - Srivastava et al., *Dropout: A Simple Way to Prevent Neural Networks from Overfitting* (2014), sections 4 and 10.
# - PyTorch documentation of `torch.nn.functional.scaled_dot_product_attention` and `torch.nn.MultiheadAttention`: the entries
#   `attn_mask`.
