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
# # 3 · Deeper: Hiding the future
#
# What [chapter 3](ch03_masks.ipynb) says in a sentence, measured. Optional, and without points: nothing later
# needs it, and each section stands alone.

# %% tags=["setup"]
import warnings

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(3)
torch.set_num_threads(1)  # for tiny tensors, more threads only wait for each other
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import OKABE_ITO, draw_matrix, show
plt.rcParams.update(ab.STYLE)

# %% carry=["ch03_masks: DiceReader, attend_to_all, train_on_dice, play_dice, tokens, x, allowed, triangle_after, with_another_game"]
# The dice of section 3.1, the sentence of section 3.2, the triangle of section 3.4.

# %% [markdown]
# ## Does it copy?
#
# Section 3.1: the reader without a mask looks one roll to the right. If it copies what it finds there, its guess must
# follow when we exchange that roll of the input, one position after the other, for a new throw.

# %% tags=["show", "tolerance-0.05"]
cheater = train_on_dice(attend_to_all)
games = torch.randint(6, (4000, 9), generator=torch.Generator().manual_seed(35))
throws = torch.randint(6, (4000,), generator=torch.Generator().manual_seed(36))
for place in range(1, 8):
    exchanged = games[:, :-1].clone()
    exchanged[:, place] = throws
    with torch.no_grad():
        said = cheater(exchanged.to(device))[0].argmax(-1)[:, place - 1].cpu()
    new, old = ((said == rolls).float().mean() for rolls in (throws, games[:, place]))
    print(f"roll {place} exchanged: position {place - 1} says the new throw in "
          f"{100 * new:.0f}% of games, the old one in {100 * old:.0f}%")

# %% [markdown]
# It copies at each of the seven positions. The old throw comes only as often as two throws agree by chance.
#
# ## An empty row on the way back
#
# Section 3.3: a row that sees nothing is NaN after softmax, and `nan_to_num` makes zeros of it. What becomes of the gradient?
# There are two ways to get $-\infty$ into the scores: *add* a table of $0$ and $-\infty$, or *fill* it in with `masked_fill`. Here
# "starts" sees nothing. As a control we leave "starts" out of the loss altogether: that is the gradient which an empty row
# should give.

# %%
sees = allowed.clone()
sees[2] = False                                             # "starts" sees nothing
table = torch.zeros(6, 6).masked_fill(~sees, -torch.inf)    # 0 or -inf
hide = {"added": lambda s: s + table,
        "masked_fill": lambda s: s.masked_fill(~sees, -torch.inf),
        "control": lambda s: s.masked_fill(~allowed, -torch.inf)}

def gradient_of_W(name):
    W = torch.eye(3, requires_grad=True)                    # stands for W_q
    weights = hide[name](x @ W @ x.T / 3 ** 0.5).softmax(dim=-1).nan_to_num()
    rows = [0, 1, 3, 4, 5] if name == "control" else [0, 1, 2, 3, 4, 5]
    (weights @ x)[rows].square().sum().backward()
    return W.grad

for name in hide:
    gradient = gradient_of_W(name)
    print(f"{name:12} NaN {gradient.isnan().sum()} of 9, first row {gradient[0]}")

# %% [markdown]
# With the added table all nine numbers are NaN: all rows share $W$. With `masked_fill` they are the control's. Why? We
# watch the gradient of row "starts" at two places on its way back, and then let PyTorch look for NaN:

# %%
for name in ("added", "masked_fill"):
    s = (x @ x.T / 3 ** 0.5).requires_grad_()
    hidden = hide[name](s)
    hidden.retain_grad()
    (hidden.softmax(dim=-1).nan_to_num() @ x).square().sum().backward()
    print(f"{name:12} behind softmax {hidden.grad[2, :3].tolist()}"
          f"   at the scores {s.grad[2, :3].tolist()}")

for name in hide:
    with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("ignore")
        try:
            gradient_of_W(name)
            print(f"{name:12} anomaly mode: no error")
        except RuntimeError as error:
            print(f"{name:12} anomaly mode: {error}")

# %% [markdown]
# Behind softmax both are NaN: the way back through softmax multiplies by the weights of the row, which are NaN. Adding
# passes its gradient on as it came. Filling had thrown the old score away, so its way back *writes* 0 there, and a written 0
# stops the NaN, as a multiplication by 0 would not. But the NaN was there, and anomaly mode stops at it. Whoever debugs with it
# will want a mask that makes no NaN at all.
#
# Half precision has a surprise of its own: $-10^9$ does not fit.

# %%
try:
    torch.zeros(4).half().masked_fill(torch.ones(4).bool(), -1e9)
except RuntimeError:
    print("masked_fill(-1e9) in float16: RuntimeError")
print("the lowest float16:", torch.finfo(torch.float16).min)

# %% [markdown]
# ## How far does one number per row go?
#
# Section 3.4: the triangle made after softmax is right at dice about twice as often as chance, and only its row sums
# count. Is that the luck of one seed, or of a short training? Other seeds, five times the steps, and a learning rate
# that falls to zero. As a second control, a model without a mask whose weights are all equal: a plain mean of the
# eight rolls.

# %% tags=["show"]
def trained(attend, seed, steps=300, falling=False):
    torch.manual_seed(seed)
    model = DiceReader(attend).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        rolls = torch.randint(6, (128, 9), generator=generator).to(device)
        logits, _ = model(rolls[:, :-1])                            # (128, 8, 6)
        loss = F.cross_entropy(logits.flatten(0, 1), rolls[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if falling:
            rate.step()
    return model

def luck(model):  # at positions 0 to 6, times chance
    return 6 * play_dice(model)[1][:7].mean().item()

def plain_mean(q, k, v):
    weights = torch.full((len(q), 8, 8), 1 / 8, device=q.device)
    return weights @ v, weights

# %% tags=["show", "tolerance-0.15"]
print("times as often right as chance   as trained   other sums   other shares")
for words, *how in [("start 1", 1), ("start 3", 3),
                    ("start 33, 1,500 steps, falling", 33, 1500, True)]:
    model, found = trained(triangle_after, *how), []
    for swap in [(0, 0), (1, 0), (0, 1)]:
        model.attend = with_another_game(*swap)
        found.append(luck(model))
    print(f"{words:32}", *(f"{times:10.2f}" for times in found))
print(f"plain mean of all eight rolls: {luck(trained(plain_mean, 33)):.1f}")

# %% [markdown]
# The two results hold: other row sums, no luck; other shares, the same luck. How far the sums carry depends on the
# seed and on the training: here 1.9 to 2.2 times chance, with seven other seeds 2.0 to 3.0, and after five times the
# steps up to 4.8. A plain mean of all eight rolls is right twice as often as chance as well: it knows how often each
# face stands in the game.
#
# ## Which road is better?
#
# On paper, hiding before softmax (road 1) and dividing after it (road 2) give the same weights. We take one row in which the last key is hidden, and let
# its score grow.

# %% tags=["show"]
visible, loudness = torch.tensor([0.2, -0.4, 0.9]), range(0, 121)
target = visible.softmax(-1)  # what both roads should give

def error_of_road(road, loud, dtype):
    scores = torch.cat([visible, torch.tensor([float(loud)])]).to(dtype)
    if road == 1:
        scores[3] = -torch.inf
    weights = scores.softmax(-1)[:3]
    weights = weights if road == 1 else weights / weights.sum()
    return (weights - target).abs().max().item()            # NaN once all of them are 0

# %% tags=["show", "tolerance-0.05"]
# @title Error of both roads against the score of the hidden key
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
# On road 2 the hidden key takes part in softmax. If its score is large enough, the visible weights are rounded to zero
# before it is hidden, and nothing is left to renormalise. The NaN of that division, replaced afterwards, spoils the gradient:

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
# The gradient of row 0 is saved by the filling, as above. In row 1 nobody filled the two weights that may be kept, and
# there the NaN gets through.
#
# ## Who influences whom
#
# Section 3.8 changes the future and looks at the past. Derivatives show the same at one glance: the size of
# $\partial\,\mathrm{output}_i / \partial x_j$.

# %% tags=["show"]
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
stairs = [[i + side for i in range(6) for _ in range(2)] for side in (0.5, -0.5)]
fig, axes = plt.subplots(2, 3, figsize=(7.6, 5.4))
findings = ["from everywhere", "the future leaks in", "the past alone"]
for column, (name, attend), finding in zip(axes.T, roads.items(), findings):
    draw_matrix(column[0], attend(x, x, x)[1], title=f"weights,\n{name}", digits=None,
                limits=(0, 0.6))
    image = draw_matrix(
        column[1], influence(attend).log10(), title=f"influence,\n{finding}",
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
# Blue outlines the future. Upper row: in a heatmap of weights, the second and the third are both triangles. Lower row, in powers
# of ten, what the outputs depend on: only the third is a triangle.
#
# ## How far does the past move?
#
# Section 3.8 finds a leak in the road that divides. How far do the first four outputs move when the last four
# tokens change? We take the largest move in 500 pairs of sentences, with embeddings of the usual size and a hundred times as large,
# once with $q = k = x$ and once with random $W_q$ and $W_k$, and wider vectors.

# %% tags=["show", "tolerance-0.05"]
def hidden_first(q, k, v):
    scores = q @ k.mT / q.size(-1) ** 0.5
    later = scores.new_ones(scores.shape[-2:]).triu(1).bool()
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v

def divided_after(q, k, v):
    weights = triangle_after(q, k, v)[1]
    return (weights / weights.sum(-1, keepdim=True)).nan_to_num() @ v

roads = {"no mask": lambda *qkv: attend_to_all(*qkv)[0],
         "zeroed after softmax": lambda *qkv: triangle_after(*qkv)[0],
         "zeroed and renormalised": divided_after,
         "hidden before softmax": hidden_first}

def moves(d, W_q, W_k, generator):
    first, second = torch.randn(2, 500, 8, d, generator=generator)
    second[:, :4] = first[:, :4]                              # the past is the same
    for name, attend in roads.items():
        found = []
        for size in (1, 100):
            a, b = (attend(size * z @ W_q, size * z @ W_k, size * z)
                    for z in (first, second))
            found.append((a - b)[:, :4].abs().max().item() / size)
        print(f"{name:24} usual size {found[0]:.4f}   100 times {found[1]:.4f}")

print("d = 4, q = k = x")
moves(4, torch.eye(4), torch.eye(4), torch.Generator().manual_seed(38))
print("d = 64, random matrices")
generator = torch.Generator().manual_seed(39)
moves(64, *torch.randn(2, 64, 64, generator=generator) / 8, generator)

# %% [markdown]
# At the usual size the renormalised road moves by a rounding error. With embeddings a hundred times as large it moves as much as
# without the division, since the visible weights have been rounded to 0 before it.
#
# ## Find what is wrong in this figure
#
# Panels like these three stand in slides and blog posts, and each contradicts its title. Find out how, and what its author did, before
# you run the cell below the figure. One sum for each panel is enough.

# %% tags=["show"]
# @title Three panels, each with a title that is not true
after = (x @ x.T / 3 ** 0.5).masked_fill(~allowed, -torch.inf).softmax(dim=-1)
published = torch.tensor([[0.27, 0.73, 0.001]])
torch.manual_seed(37)
second_panel = nn.Dropout(0.2)(after)
third_panel = F.scaled_dot_product_attention(
    x, x, torch.eye(6), attn_mask=torch.ones(6, 6).tril())

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
def rounded_softmax(*numbers):
    return [round(share, 3) for share in torch.tensor(numbers).softmax(-1).tolist()]

print(f"left:   the sum is {published.sum():.3f}; softmax of 100, 101, 99 is",
      rounded_softmax(100., 101., 99.))
print("        and softmax of 100 and 101 alone is", rounded_softmax(100., 101.))
print("middle: row sums", [round(total, 2) for total in second_panel.sum(-1).tolist()])
print("right:  share of each row on the future",
      [round(row[i + 1:].sum().item(), 2) for i, row in enumerate(third_panel)])

# %% [markdown]
# <details><summary>What happened in each</summary>
#
# Left: the first two numbers are the softmax of two scores, the third was made up; three weights must sum to 1. Middle: dropout was
# on, so the rows do not sum to 1 (section 3.7). Right: the mask was a float table of ones and zeros, and was added to the scores (section 3.6).
#
# </details>
