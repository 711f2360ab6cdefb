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
# # 9 · Train it, look inside
#
# *90 minutes · 6 exercises, 12 points · you need chapters 5, 6 and 8*
#
# > the cat sat on the mat because it was **hungry** . who ? the …
# >
# > the cat sat on the mat because it was **soft** . who ? the …
#
# You know what comes next. The GPT of chapter 8 knows nothing yet: its numbers were drawn at random. In a minute you will
# train it to guess the next token, and nothing else; nobody will tell it what "it" means. **Will it answer right about
# pairs of cat and mat that it has never met? And if so: which of its heads knows, and how could you prove that?**
#
# **After this chapter you can**
#
# - cut a text into batches, and put a price on a wrong guess: cross-entropy and perplexity;
# - train a GPT: warm-up, cosine, clipping, and two tests to run before you trust a long training;
# - say whether the result is any good, by beating something simple;
# - find out what a head does by measuring it, and prove that it matters by switching it off;
# - say what a model that reads from left to right can know at the word "it", and what it cannot.

# %% tags=["setup"]
import math
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(9)
torch.set_num_threads(1)      # our models are small: more threads would only wait for one another
torch.set_printoptions(precision=4, sci_mode=False)

# %% [markdown]
# The model is the one that you built: attention from chapter 4, the block from chapter 6, GPT from chapter 8. The sinusoids
# of chapter 5 will be of use as well.

# %% carry=["ch01_why_attention: OKABE_ITO, STYLE, show, draw_matrix", "ch04_multi_head: MultiHeadAttention", "ch05_positions: sinusoidal_encoding", "ch06_block: TransformerBlock", "ch08_decoder: GPTConfig, GPT"]
plt.rcParams.update(STYLE)

# %% [markdown]
# ## 9.1 A text that every Python carries
#
# Other courses train on Shakespeare; our text needs no download. Type `help("if")` in Python and a page of its manual appears. All these pages come
# with Python, in one dictionary:

# %%
from pydoc_data.topics import topics

text = "\n".join(topics[name] for name in sorted(topics))
alphabet = "\n" + "".join(map(chr, range(32, 127)))                    # 96 characters: a token each
text = "".join(c if c in alphabet else "?" for c in text)[:400_000]
print(len(text), "characters, for example:\n")
print(topics["pass"][:187])

# %% [markdown]
# One character is one token here. That spares us a tokenizer, and makes the vocabulary small: 96. The last tenth is
# **held out**: it prices the model and is never trained on.

# %%
id_of = {character: i for i, character in enumerate(alphabet)}
ids = torch.tensor([id_of[c] for c in text])                           # (400000,)
train_ids, test_ids = ids[:360_000], ids[360_000:]
print(ids[:12].tolist(), "->", repr("".join(alphabet[i] for i in ids[:12])))

# %% [markdown]
# What is a training example? A window of the text, and for each of its tokens the one that comes next:

# %%
window = "attention"
for i in range(4):
    print(f"input {window[:i + 1]!r:8} target {window[i + 1]!r}")
print("inputs ", list(window[:-1]))
print("targets", list(window[1:]))

# %% [markdown]
# A causal model reads the eight inputs once and makes eight guesses, one at each place, each from what stands to its left. So the
# targets are the inputs, one place further on.
#
# ### Exercise 9.1 · Batches · 1 point · about 8 minutes
#
# Cut `batch` windows from a long sequence `ids`, at random places: every window of the text shall be equally likely,
# the first and the last included. Return two tensors `(batch, seq)`: the inputs, and the targets, one token ahead. Draw from `generator`
# (it lives on the CPU; `ids` may live elsewhere, and the batch shall live where `ids` does).
#
# <details><summary>Hint 1</summary>A window with its last target is how many tokens long? So what is the last place where one can start?</details>
# <details><summary>Hint 2</summary>One start per row, (batch, 1), plus a row of offsets, gives an index tensor for all tokens at once.</details>
# <details><summary>Hint 3</summary>torch.randint(high, size, generator=…) never draws high itself.</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_make_batch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def make_batch(ids, batch, seq, generator):
    """Windows of a long sequence, at random places, and what comes next at each of their tokens.

    ids: (length,), length > seq   Returns (inputs, targets), both (batch, seq).
    """
    ### BEGIN SOLUTION
    starts = torch.randint(len(ids) - seq, (batch, 1), generator=generator)
    places = (starts + torch.arange(seq + 1)).to(ids.device)             # (batch, seq + 1)
    windows = ids[places]
    return windows[:, :-1], windows[:, 1:]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_make_batch_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.1: windows of the text 100, 101, 102, …, in which every token says where it stood."""
counting = torch.arange(100, 140)
try:
    inputs, targets = make_batch(counting, 500, 6, torch.Generator().manual_seed(1))
except IndexError as error:
    raise AssertionError("a window ran over the end of the text: a window and its last target are seq + 1 tokens, so which start is the last?") from error
assert tuple(inputs.shape) == (500, 6), f"inputs: (batch, seq) = (500, 6) expected, got {tuple(inputs.shape)}"
assert tuple(targets.shape) == (500, 6), f"targets: one for each input, (500, 6) expected, got {tuple(targets.shape)}"
assert not targets.is_floating_point() and not inputs.is_floating_point(), f"ids are whole numbers, got {inputs.dtype} and {targets.dtype}"
assert not torch.equal(inputs, targets), "the targets are the inputs themselves: a target is the token that comes next"
assert not torch.equal(inputs, targets + 1), "the targets are shifted the wrong way: they are the tokens before the inputs"
assert ((inputs[:, 1:] - inputs[:, :-1]) == 1).all(), "a row must be a window: six tokens that stand side by side in the text"
assert (targets == inputs + 1).all(), "each target must be the token that comes right after its input"
starts = sorted(set((inputs[:, 0] - 100).tolist()))
assert len(starts) > 1, "all rows of the batch are the same window: each row needs a start of its own"
assert max(starts) < 34, "a window ran over the end of the text, so that targets are missing"
assert starts[-1] == 33, f"the last window, which starts at 33, never came in 500 draws: the last start was {starts[-1]}"
assert starts[0] == 0, f"the first window, which starts at 0, never came in 500 draws: the first start was {starts[0]}"
assert len(starts) == 34, f"only {len(starts)} of the 34 windows came in 500 draws: every window shall be equally likely"
again = make_batch(counting, 500, 6, torch.Generator().manual_seed(1))[0]
assert torch.equal(again, inputs), "the same generator state gave other windows: draw from the generator that is handed in"
generator = torch.Generator().manual_seed(1)
first, second = make_batch(counting, 50, 6, generator)[0], make_batch(counting, 50, 6, generator)[0]
assert not torch.equal(first, second), "two calls in a row gave the same windows: do not seed the generator inside"
### BEGIN HIDDEN TESTS
# Property: rows are windows of the text and targets are one token ahead, for any text, batch and length
generator = torch.Generator().manual_seed(91)
for length, batch, seq in [(53, 7, 11), (211, 1, 13), (97, 19, 1), (31, 5, 30)]:
    text_ = torch.randint(1000, (length,), generator=generator)
    inputs, targets = make_batch(text_, batch, seq, generator)
    assert tuple(inputs.shape) == tuple(targets.shape) == (batch, seq), f"({batch}, {seq}) expected, got {tuple(inputs.shape)} and {tuple(targets.shape)}"
    windows = {tuple(text_[i:i + seq + 1].tolist()) for i in range(length - seq)}
    for row in range(batch):
        pair = (*inputs[row].tolist(), targets[row, -1].item())
        assert pair in windows, f"row {row} of a batch with seq = {seq} is no window of the text"
        assert inputs[row, 1:].tolist() == targets[row, :-1].tolist(), "the targets are not the inputs one place further on"
# Property: every window is equally likely, the first and the last too
counts = torch.bincount(make_batch(torch.arange(10), 2100, 3, torch.Generator().manual_seed(92))[0][:, 0], minlength=10)
assert counts[7:].sum() == 0 and (counts[:7] > 210).all() and (counts[:7] < 390).all(), f"2100 draws of 7 windows: about 300 each expected, got {counts.tolist()}"
# Property: draws come from the generator alone, whatever the global seed is
torch.manual_seed(1)
first = make_batch(torch.arange(900), 11, 5, torch.Generator().manual_seed(93))[0]
torch.manual_seed(2)
assert torch.equal(first, make_batch(torch.arange(900), 11, 5, torch.Generator().manual_seed(93))[0]), "the windows depend on the global seed, not on the generator"
assert not torch.equal(first, make_batch(torch.arange(900), 11, 5, torch.Generator().manual_seed(94))[0]), "another generator gave the same windows"
# Property: the batch lives on the device of ids
inputs, targets = make_batch(torch.arange(60, device="meta"), 3, 5, torch.Generator().manual_seed(95))
assert inputs.device.type == targets.device.type == "meta", f"ids on meta: a batch on meta expected, got {inputs.device} and {targets.device}"
assert tuple(inputs.shape) == tuple(targets.shape) == (3, 5), f"(3, 5) expected on meta, got {tuple(inputs.shape)} and {tuple(targets.shape)}"
# Property: ids stay as they were
text_ = torch.arange(50)
make_batch(text_, 4, 7, torch.Generator().manual_seed(96))
assert torch.equal(text_, torch.arange(50)), "ids were changed in place"
### END HIDDEN TESTS
print("9.1 holds: random windows, and targets one token ahead.")

# %% tags=["uses-exercise"]
inputs, targets = make_batch(train_ids, 3, 40, torch.Generator().manual_seed(9))
for row, next_row in zip(inputs, targets):
    print("inputs ", repr("".join(alphabet[i] for i in row)))
    print("targets", repr("".join(alphabet[i] for i in next_row)))

# %% [markdown]
# ## 9.2 The price of a guess
#
# At each place the model gives every token of the vocabulary a logit, softmax turns logits into probabilities, and then the true
# token is shown. What should a guess cost? Nothing if the truth had probability 1, and much if it had next to none.
# And when two tokens follow each other, probabilities multiply but costs should add. One function does that: minus the
# logarithm.
#
# $$\mathrm{loss} = -\ln p(\mathrm{target}), \qquad p = \mathrm{softmax}(\mathrm{logits})$$

# %%
logits = torch.tensor([2.0, 1.0, 0.0])           # a vocabulary of three tokens
p = logits.softmax(dim=-1)
for token in range(3):
    print(f"if token {token} comes: probability {p[token]:.3f}, price {-p[token].log():.3f}")

# %% [markdown]
# Averaged over all guesses this is the **cross-entropy**. It has a more telling twin, its exponential, the **perplexity**: a perplexity
# of 10 means "as unsure as if it had to toss a fair die with 10 faces at each token".
#
# **Predict, then run.** What does a model cost that knows nothing, and gives each of our 96 characters the same chance? What is its perplexity?

# %%
nothing = torch.zeros(96)
loss = -nothing.softmax(dim=-1)[0].log()
print(f"loss {loss:.3f}   perplexity {loss.exp():.1f}")

# %% [markdown]
# $\ln 96 = 4.564$, and 96 faces. Remember that number: a fresh model must start close to it. If it starts far above, it is *sure of
# something wrong* before it has seen a single token, and something is broken.
#
# Two traps before you write it. First, a sure model and a large logit:

# %%
logits = torch.tensor([0.0, 200.0])
print("log of softmax:", logits.softmax(dim=-1).log(), "  log_softmax:", logits.log_softmax(dim=-1))

# %% [markdown]
# The probability has gone under, and the price of token 0 came out as infinite instead of 200. The logarithm must be taken before
# anything can vanish. Second, not every place has a target that should count: padding, say, or a question whose answer nobody could
# know. PyTorch's custom is to write −100 there and to leave such places out, **of the sum and of the count**.
#
# ### Exercise 9.2 · Cross-entropy and perplexity · 2 points · about 12 minutes
#
# From scratch: the mean price over all targets that are not `ignore_index`, as a 0-d tensor that gradients can flow through; and its
# twin. `logits` are `(..., vocab)`, `targets` `(...)`, with any number of leading dimensions. One point for each function.
#
# <details><summary>Hint 1</summary>ln softmax(z)ᵢ = zᵢ − ln Σ exp(z). PyTorch has a function for the second part that is safe for large z.</details>
# <details><summary>Hint 2</summary>gather picks one entry along a dimension; its index must have as many dimensions as what it picks from. And −100 is no index.</details>
# <details><summary>Hint 3</summary>First choose the places that count, then everything else is a plain mean.</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_cross_entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cross_entropy(logits, targets, ignore_index=-100):
    """Mean of −ln p(target) over the targets that are not ignore_index.

    logits: (..., vocab)   targets: (...), integers   Returns a 0-d tensor.
    """
    ### BEGIN SOLUTION
    counts = targets != ignore_index
    logits, targets = logits[counts], targets[counts]                        # (n, vocab), (n,)
    price = logits.logsumexp(dim=-1) - logits.gather(-1, targets[:, None])[:, 0]
    return price.mean()
    ### END SOLUTION


def perplexity(logits, targets, ignore_index=-100):
    """How many faces the fair die has that is as unsure as the model."""
    ### BEGIN SOLUTION
    return cross_entropy(logits, targets, ignore_index).exp()
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_cross_entropy_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.2, cross-entropy: three guesses with probabilities 1/2, 1/4 and 1/8 for the truth; a fourth place does not count."""
p = torch.tensor([[[0.5, 0.25, 0.25, 0.0], [0.25, 0.5, 0.25, 0.0]], [[0.125, 0.5, 0.125, 0.25], [0.1, 0.1, 0.7, 0.1]]])
logits_ = (p + 1e-12).log() + 1.0                                 # (2, 2, 4); adding 1 to all changes no probability
targets_ = torch.tensor([[0, 0], [2, -100]])                      # (2, 2)
try:
    loss = cross_entropy(logits_, targets_)
except (IndexError, RuntimeError) as error:
    raise AssertionError(f"logits (2, 2, 4) with targets (2, 2), one of them −100, could not be priced: −100 is no index, and the vocabulary is the last dimension ({error})") from error
assert torch.is_tensor(loss) and loss.dim() == 0, f"one number for the whole batch is asked for, a 0-d tensor: got {tuple(loss.shape) if torch.is_tensor(loss) else type(loss).__name__}"
mistakes = {
    2 * math.log(2): None,
    6 * math.log(2): "the prices were added: take their mean",
    1.5 * math.log(2): "the sum was divided by all four places: the ignored one must not count, in the sum and in the number",
    -2 * math.log(2): "the sign is wrong: a price is minus the logarithm",
    2.0: "the logarithm is to base 2: the natural one is meant",
    2 * math.log(2) / math.log(10): "the logarithm is to base 10: the natural one is meant",
    (6 * math.log(2) + math.log(10)) / 4: "the ignored place was priced, too: targets of −100 do not count",
    -math.log((0.5 + 0.25 + 0.125) / 3): "the logarithm was taken of the mean probability: the mean is over the logarithms",
    -2 * math.log(2) - 1: "these are the logits, not the logarithms of probabilities: softmax is missing",
    2 * math.log(2) - 1: "these are the logits, not the logarithms of probabilities: softmax is missing",
    2.25 * math.log(2): "the mean was taken row by row, and then over rows: every place that counts has the same weight",
    1.1406: "softmax ran over the places: it runs over the vocabulary, the last dimension",
    (0.5 + 0.25 + 0.125) / 3: "this is the mean probability, without the logarithm",
    1 - (0.5 + 0.25 + 0.125) / 3: "this is one minus the mean probability: the price is minus its logarithm",
}
for wrong, message in mistakes.items():
    assert message is None or abs(loss.item() - wrong) > 1e-3, message
assert loss.item() == loss.item(), "got NaN: how does a probability of 0 become one?"
assert abs(loss.item() - 2 * math.log(2)) < 1e-3, f"prices ln 2, ln 4 and ln 8 have the mean 2 ln 2 = 1.3863: got {loss.item():.4f}"
sure = cross_entropy(torch.tensor([[0., 200.], [0., 200.]]), torch.tensor([0, 1]))
assert abs(sure.item() - 100) < 1e-2, f"logits 0 and 200: the prices are 200 and 0, their mean 100, got {sure.item()}: large logits overflow or vanish"
other = cross_entropy(logits_, torch.tensor([[0, 0], [2, 3]]), ignore_index=3)
assert abs(other.item() - 2 * math.log(2)) < 1e-3, f"with ignore_index=3 targets of 3 do not count: 1.3863 expected, got {other.item():.4f}"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(921)
# Property: equal to the mean price for any number of leading dimensions and any size
for shape, vocab in [((7,), 11), ((3, 5), 13), ((2, 3, 5), 7), ((1, 1), 2), ((5, 5), 5), ((4, 9), 4)]:
    logits_ = 3 * torch.randn(*shape, vocab, generator=generator, dtype=torch.float64)
    targets_ = torch.randint(vocab, shape, generator=generator)
    expected = F.cross_entropy(logits_.flatten(0, -2), targets_.flatten())
    got = cross_entropy(logits_, targets_)
    torch.testing.assert_close(torch.as_tensor(got, dtype=torch.float64), expected, atol=1e-6, rtol=1e-6, msg=lambda m: f"logits {(*shape, vocab)}\n{m}")
    # Property: ignored targets change neither the sum nor the count, whatever index marks them
    for mark in (-100, -1, 0, vocab):
        if len(targets_.flatten()) > 3:
            marked = targets_.clone()
            marked.flatten()[:2] = mark
            marked[-1:] = torch.where(marked[-1:] == mark, (mark + 1) % vocab, marked[-1:])
            expected = F.cross_entropy(logits_.flatten(0, -2), marked.flatten(), ignore_index=mark)
            got = cross_entropy(logits_, marked, ignore_index=mark)
            torch.testing.assert_close(torch.as_tensor(got, dtype=torch.float64), expected, atol=1e-6, rtol=1e-6, msg=lambda m: f"ignore_index={mark}\n{m}")
# Property: large logits of either sign neither overflow nor vanish
for low, high in [(-1e4, 1e4), (0., 1e4), (-1e4, 0.), (1e4, 1e4)]:
    got = cross_entropy(torch.tensor([[low, high], [low, high]]), torch.tensor([0, 1]))
    expected = F.cross_entropy(torch.tensor([[low, high], [low, high]]), torch.tensor([0, 1]))
    assert abs(float(got) - float(expected)) < 1e-2 + 1e-3 * abs(float(expected)), f"logits {low} and {high}: {float(expected):.2f} expected, got {float(got)}"
# Property: a view that is not contiguous is priced like any other
logits_ = torch.randn(5, 7, 3, generator=generator, dtype=torch.float64)
targets_ = torch.randint(5, (3, 7), generator=generator)
got = cross_entropy(logits_.permute(2, 1, 0), targets_)
torch.testing.assert_close(torch.as_tensor(got, dtype=torch.float64), F.cross_entropy(logits_.permute(2, 1, 0).flatten(0, 1), targets_.flatten()), atol=1e-6, rtol=1e-6)
# Property: logits and targets stay as they were
logits_, targets_ = torch.randn(3, 5, 7, generator=generator), torch.randint(7, (3, 5), generator=generator)
targets_[0, :2] = -100
kept, kept_targets = logits_.clone(), targets_.clone()
cross_entropy(logits_, targets_)
assert torch.equal(kept, logits_) and torch.equal(kept_targets, targets_), "logits or targets were changed in place"
# Property: gradients flow, and are exactly 0 at ignored places
logits_ = torch.randn(3, 5, 7, generator=generator, dtype=torch.float64, requires_grad=True)
targets_ = torch.randint(7, (3, 5), generator=generator)
targets_[0, :3] = -100
got = torch.autograd.grad(cross_entropy(logits_, targets_), logits_)[0]
expected = torch.autograd.grad(F.cross_entropy(logits_.flatten(0, 1), targets_.flatten()), logits_)[0]
torch.testing.assert_close(got, expected, atol=1e-7, rtol=1e-5, msg=lambda m: f"the gradient is not that of the cross-entropy\n{m}")
# Property: the dtype is that of the logits
logits_ = logits_.detach()
assert cross_entropy(logits_.float(), targets_).dtype == torch.float32, "float32 logits: a float32 loss expected"
assert cross_entropy(logits_, targets_).dtype == torch.float64, "float64 logits: a float64 loss expected"
### END HIDDEN TESTS
print("9.2 holds for the cross-entropy: the mean price of the places that count.")

# %% nbgrader={"grade": true, "grade_id": "ch09_cross_entropy_check_perplexity", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.2, perplexity: fair dice have as many faces as they have."""
for faces in (2, 6, 96):
    value = float(perplexity(torch.zeros(2, 3, faces), torch.zeros(2, 3, dtype=torch.long)))
    assert abs(value - math.log(faces)) > 1e-3, "this is the cross-entropy itself: perplexity is its exponential"
    assert abs(value - faces ** (1 / math.log(2))) > 1e-2 and abs(value - 2 ** math.log(faces)) > 1e-2, "the base of the power must be that of the logarithm: e with ln"
    assert abs(value - faces) < 1e-2, f"a fair die with {faces} faces has perplexity {faces}: got {value:.3f}"
p = torch.tensor([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.75, 0.125], [0.5, 0.25, 0.25]])
targets_ = torch.tensor([0, 0, 0, -100])
try:
    value = float(perplexity(p.log(), targets_))
except (IndexError, RuntimeError) as error:
    raise AssertionError(f"an ignored target could not be handled: {error}") from error
mistakes = {
    14 / 3: "each price was exponentiated by itself, then averaged: first the mean, then the exponential",
    24 / 7: "this is one over the mean probability: the exponential of the mean price is meant",
    2 * 2 ** 0.5: "ignored targets were counted: they must not, in perplexity either",
    64.0: "the prices were added, not averaged",
    0.25: "this is the mean probability, not one over it: the sign is wrong",
}
for wrong, message in mistakes.items():
    assert abs(value - wrong) > 1e-3, message
assert abs(value - 4) < 1e-3, f"probabilities 1/2, 1/4, 1/8 for the truth: perplexity 4 expected, got {value:.4f}"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(922)
# Property: the exponential of the cross-entropy, for any shape and any ignored index
for shape, vocab, mark in [((7,), 11, -100), ((3, 5), 13, 0), ((2, 3, 5), 7, 6), ((4, 2), 3, -1)]:
    logits_ = 2 * torch.randn(*shape, vocab, generator=generator, dtype=torch.float64)
    targets_ = torch.randint(vocab, shape, generator=generator)
    targets_.flatten()[0], targets_.flatten()[1] = mark, 1
    expected = F.cross_entropy(logits_.flatten(0, -2), targets_.flatten(), ignore_index=mark).exp().item()
    got = float(perplexity(logits_, targets_, ignore_index=mark))
    assert abs(got - expected) < 1e-5 * expected, f"logits {(*shape, vocab)}, ignore_index={mark}: {expected:.4f} expected, got {got:.4f}"
# Property: a sure and right model has perplexity 1
got = float(perplexity(torch.tensor([[1e4, 0.], [0., 1e4]]), torch.tensor([0, 1])))
assert abs(got - 1) < 1e-5, f"1 expected, got {got}"
### END HIDDEN TESTS
print("9.2 holds for the perplexity: a die with as many faces.")

# %% [markdown]
# ## 9.3 Something simple to beat
#
# A loss of 1.5: is that good? Nobody can say before it is known what something simple gets. The simplest language model counts. It looks
# at the last $n-1$ characters, looks up what followed them in the training text, and guesses in proportion. That is an
# ***n*-gram** model. Long contexts tell more and are seen less often, so each length leans on the next shorter one where it has seen little:
#
# $$p_n(c \mid h) = \frac{\mathrm{count}(h\,c) + a\; p_{n-1}(c \mid h)}{\mathrm{count}(h) + a}$$
#
# with $h$ the last $n-1$ characters, and $p_0 = 1/96$. The weight $a$ says how many sightings the shorter guess is worth.

# %% tags=["show"]
def ngram_losses(train_ids, test_ids, vocab, longest=4, a=5.0):
    """The loss of n-gram models on new text, for n = 1 … longest, each mixed with the next shorter one."""
    def grams(ids, n):                       # the n tokens that end at each place, as one number; the newest counts 1
        return sum(ids[longest - k:len(ids) - k] * vocab ** k for k in range(n))

    def how_often(wanted, seen):
        values, counts = seen.unique(return_counts=True)
        place = torch.searchsorted(values, wanted).clamp(max=len(values) - 1)
        return torch.where(values[place] == wanted, counts[place], 0).double()

    guess, losses = 1 / vocab, []
    for n in range(1, longest + 1):
        seen, wanted = grams(train_ids, n), grams(test_ids, n)
        guess = (how_often(wanted, seen) + a * guess) / (how_often(wanted // vocab, seen // vocab) + a)
        losses.append(-guess.log().mean().item())
    return losses

# %% tags=["show"]
baseline = ngram_losses(train_ids, test_ids, vocab=96)
print(f"nothing known     loss {math.log(96):.1f}   perplexity {96:3d}")
for n, loss in enumerate(baseline, start=1):
    print(f"{n - 1} characters     loss {loss:.1f}   perplexity {math.exp(loss):3.0f}")

# %% [markdown]
# Counting alone takes the die from 96 faces to fewer than ten. (How many exactly depends on your Python: every version carries a somewhat different manual.) We take the **trigram** (two characters seen) as the bar that our
# model must clear, and draw the others in as well.
#
# ## 9.4 One step
#
# Training is a loop around five lines: guess, price, gradients, clip, step. Two of them need a word.
#
# **How far to step.** At first the model knows nothing, gradients are large and point anywhere, and the optimiser's running averages are
# empty: a full-sized step then does damage. So the learning rate *warms up*, from 0 to its peak. Later, when the rough work is done, steps
# must get finer: it *falls along a cosine* to a floor and stays there.

# %% [markdown]
# With $w$ the last step of the warm-up and $T$ the end:
#
# $$\eta(t) = \begin{cases}\eta_\mathrm{peak}\; t / w & t < w\\ \eta_\mathrm{floor} + \tfrac12\,(\eta_\mathrm{peak} - \eta_\mathrm{floor})\left(1 + \cos \pi\,\frac{t - w}{T - w}\right) & w \le t \le T\\ \eta_\mathrm{floor} & t > T\end{cases}$$
#
# The middle line in small, between a peak of 1 and a floor of 0, over ten steps:

# %%
print([round(0.5 * (1 + math.cos(math.pi * t / 10)), 2) for t in range(11)])

# %% [markdown]
# ### Exercise 9.3 · The learning rate · 1 point · about 6 minutes
#
# Write $\eta(t)$ as a function. PyTorch's own cosine schedule rises again when training goes on after the end; yours must not.
#
# <details><summary>Hint 1</summary>Three cases, and each is one line. Which step belongs to two of them, and do they agree there?</details>
# <details><summary>Hint 2</summary>How far along the fall are we, as a number between 0 and 1? The fall begins where the warm-up ends.</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_learning_rate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def learning_rate(step, peak, warmup, total, floor=0.0):
    """0 at step 0, up in a line to peak at warmup, down a cosine to floor at total, floor ever after."""
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * step / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)              # 0 … 1
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * done))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_learning_rate_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.3: a peak of 8 at step 4, a floor of 2 at step 16."""
def rate(step):
    return float(learning_rate(step, 8.0, 4, 16, floor=2.0))

assert abs(rate(0)) < 1e-6, f"step 0: 0 expected, got {rate(0):.4f}: the warm-up starts from 0, not from the floor and not at step 1"
assert abs(rate(1) - 3.5) > 1e-6 and abs(rate(2) - 5) > 1e-6, "the warm-up goes from the floor to the peak: it starts from 0"
assert abs(rate(1) - 4) > 1e-6, "step 1 of 4 already has half of the peak: step 1 has a quarter, the warm-up reaches its peak at step 4"
assert abs(rate(1) - 2) < 1e-5 and abs(rate(3) - 6) < 1e-5, f"a straight line up: 2 at step 1 and 6 at step 3 expected, got {rate(1):.4f} and {rate(3):.4f}"
assert abs(rate(4) - 8) < 1e-5, f"step 4, the end of the warm-up: the peak 8 expected, got {rate(4):.4f}"
mistakes = {      # rates at steps 7 and 10
    (6.5, 5.0): "the fall is a straight line: it is a cosine",
    (6.8284, 4.0): "the cosine falls to 0, not to the floor (to cut it off at the floor is not the same)",
    (8.8284, 6.0): "the floor was added on top of the whole cosine: the rate must fall from the peak to the floor",
    (5.5853, 3.8519): "the cosine was counted from step 0: the fall begins at the end of the warm-up and takes total − warmup steps",
    (4.7804, 2.4693): "the cosine was counted from step 0: the fall begins at the end of the warm-up and takes total − warmup steps",
    (2.8787, 5.0): "the cosine rises: it must fall",
    (7.5433, 6.2426): "only a quarter of a turn of the cosine was used: half a turn takes it from 1 to −1",
    (7.4944, 6.1481): "the fall is spread over total steps: it has total − warmup of them",
}
for (seven, ten), message in mistakes.items():
    assert abs(rate(7) - seven) > 2e-3 or abs(rate(10) - ten) > 2e-3, message
assert abs(rate(10) - 5) < 1e-4, f"step 10, half-way down: 5 expected, half-way between 8 and 2, got {rate(10):.4f}"
assert abs(rate(7) - 7.1213) < 1e-3, f"step 7, a quarter of the way: 2 + 3·(1 + cos 45°) = 7.1213 expected, got {rate(7):.4f}"
assert abs(rate(16) - 2) < 1e-4, f"step 16, the end: the floor 2 expected, got {rate(16):.4f}"
assert abs(rate(20) - 2) < 1e-4 and abs(rate(28) - 2) < 1e-4, f"after the end the rate stays at the floor: 2 expected, got {rate(20):.4f} at step 20 and {rate(28):.4f} at step 28: it rises again or goes to 0"
assert abs(float(learning_rate(16, 8.0, 4, 16))) < 1e-6, "the floor is 0 unless another is given"
### BEGIN HIDDEN TESTS
# Property: the whole curve, for other peaks, lengths and floors
for peak, warmup, total, floor in [(3e-3, 7, 53, 0.0), (0.6, 1, 11, 0.05), (1e-4, 100, 1000, 1e-5), (2.0, 13, 17, 1.5)]:
    for step in {0, 1, warmup // 2, warmup - 1, warmup, warmup + 1, (warmup + total) // 2, total - 1, total, total + 1, 2 * total - warmup, 5 * total}:
        if step < warmup:
            expected = peak * step / warmup
        else:
            expected = floor + (peak - floor) * (1 + math.cos(math.pi * min(1.0, (step - warmup) / (total - warmup)))) / 2
        got = float(learning_rate(step, peak, warmup, total, floor))
        assert abs(got - expected) < 1e-5 * peak, f"step {step} of {total}, peak {peak}, warmup {warmup}, floor {floor}: {expected:.6g} expected, got {got:.6g}"
# Property: the floor may be left out, or given by name
assert abs(float(learning_rate(30, peak=1.0, warmup=10, total=50)) - 0.5) < 1e-6, "half-way down to a floor of 0: 0.5 expected"
assert abs(float(learning_rate(30, peak=1.0, warmup=10, total=50, floor=0.5)) - 0.75) < 1e-6, "half-way down from 1 to a floor of 0.5: 0.75 expected"
### END HIDDEN TESTS
print("9.3 holds: up in a line, down a cosine, and then the floor.")

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7, 2.4))
steps = range(0, 601, 5)
ax.plot(steps, [learning_rate(t, 4e-3, 30, 500) for t in steps], label="floor 0")
ax.plot(steps, [learning_rate(t, 4e-3, 30, 500, floor=1e-3) for t in steps], "--", label="floor 0.001")
ax.axvline(500, color="0.7", linewidth=1)
ax.text(503, 3.6e-3, "total", color="0.4")
ax.set(title="Fast up, slowly down, and never up again", xlabel="step", ylabel="learning rate", ylim=(0, 4.4e-3))
ax.legend(frameon=False)
show(fig, alt="Two curves of the learning rate against the step: both rise in a straight line to 0.004 at step 30 and fall along a cosine until step 500, one to 0, the "
              "other to 0.001, where they stay.")

# %% [markdown]
# **How hard to be thrown.** Now and then a batch is odd and its gradient huge. One such step can undo hundreds. So the gradient is
# *clipped*: all parameters' gradients together are one long vector, and if it is longer than `max_norm`, the whole vector is shortened to that length. Its direction stays.

# %%
gradients = [torch.tensor([3.0, 0.0]), torch.tensor([0.0, 4.0])]                 # of two parameters
length = torch.cat(gradients).norm()                                             # of the one long vector
print("length", length.item(), " shortened to 1:", [(g * min(1, 1 / length)).tolist() for g in gradients])

# %% [markdown]
# ### Exercise 9.4 · A training step · 3 points · about 12 minutes
#
# One step on one batch `(inputs, targets)`: model in training mode, loss (targets of −100 do not count), gradients of this batch alone, clipped to
# `max_norm` in total, then the step. Return the loss *before* the update, as a plain number. Two points for a step that is right, one for the clipping.
#
# <details><summary>Hint 1</summary>PyTorch adds new gradients to old ones. Who takes the old ones away?</details>
# <details><summary>Hint 2</summary>Clipping has one right place between two other lines. PyTorch has a function for it in nn.utils; which of the two does it cut, values or the norm?</details>
# <details><summary>Hint 3</summary>A loss that you keep as a tensor drags its whole computation along. A number does not.</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_train_step", "locked": false, "schema_version": 3, "solution": true, "task": false}
def train_step(model, batch, optimizer, max_norm=1.0):
    """One update of the model on one batch = (inputs, targets); returns the loss before it, a float."""
    ### BEGIN SOLUTION
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_train_step_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.4, the step: a model that is nothing but a table of logits, one row per token, all 0 at first."""
def table(tokens):
    model = nn.Sequential(nn.Embedding(tokens, tokens))
    nn.init.zeros_(model[0].weight)
    return model

# Token 0 is followed by 1 half of the time, and a place is ignored. The gradient of row 0 is softmax − share = [1/2 − 1/2, 1/2 − 1/2].
# Token 1 is always followed by 0: with 4 places that count, row 1 gets 2/4 · [1/2 − 1, 1/2 − 0] = [−1/4, 1/4].
inputs_, targets_ = torch.tensor([[0, 0, 1], [1, 1, 0]]), torch.tensor([[0, 1, 0], [0, -100, -100]])
model = table(2)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
try:
    loss = train_step(model, (inputs_, targets_), optimizer, max_norm=10.0)
except (RuntimeError, IndexError, ValueError) as error:
    raise AssertionError(f"logits (2, 3, 2) and targets (2, 3) could not be priced: F.cross_entropy wants the vocabulary in dimension 1, or (n, vocab) and (n,): {error}") from error
assert loss is not None, "the loss must be returned"
assert not (torch.is_tensor(loss) and loss.requires_grad), "a plain number is asked for: a loss that still requires grad keeps its whole computation alive"
assert not (torch.is_tensor(loss) and loss.dim()), f"one number is asked for, got shape {tuple(loss.shape)}"
row = model[0].weight[1].tolist()
assert row != [0.0, 0.0], "the parameters did not change: the optimiser's step is missing, or its gradients were taken away before it"
assert row[0] > 0, f"row 1 went the wrong way, {row}: the step must lower the loss"
assert abs(float(loss) - 4 * math.log(2)) > 1e-2, "the prices were added: their mean is meant"
assert abs(row[0]) < 5, "the gradient was stretched to the length max_norm: a gradient that is shorter must stay as it is"
assert abs(model[0].weight[0, 0].item()) < 1e-4, "row 0 moved, though its targets are 0 and 1 in equal parts: ignored places were counted"
assert abs(float(loss) - 0.5754) > 1e-2, "this is the loss after the update: return the loss before it"
assert abs(row[0] - 1 / 6) > 1e-3 or abs(float(loss) - math.log(2)) < 1e-3, "ignored places were counted"
assert abs(float(loss) - math.log(2)) < 1e-3, f"all logits are 0, so each guess costs ln 2 = 0.6931: got {float(loss):.4f}"
assert abs(row[0] - 0.25) < 1e-4 and abs(row[1] + 0.25) < 1e-4, f"row 1 of the table should be [0.25, −0.25] after a step of 1, got {[round(v, 4) for v in row]}"
before = model[0].weight.detach().clone()
train_step(model, (inputs_[:1, :2], targets_[:1, :2]), optimizer, max_norm=10.0)          # token 1 is not in this batch
assert torch.equal(model[0].weight[1], before[1]), "token 1 is not in the second batch, yet its row moved: gradients of the first batch were still there"
dropping = nn.Sequential(nn.Embedding(2, 2), nn.Dropout(1.0), nn.Linear(2, 2)).eval()      # in training everything is dropped but the last bias
with torch.no_grad():
    dropping[0].weight.copy_(torch.tensor([[3., 1.], [1., 3.]])), dropping[2].weight.copy_(torch.eye(2)), dropping[2].bias.zero_()
loss = train_step(dropping, (inputs_, targets_), torch.optim.SGD(dropping.parameters(), lr=0.1))
assert dropping.training, "the model was in evaluation mode and stayed there: a training step must switch dropout on"
assert abs(float(loss) - math.log(2)) < 1e-4, "the model answered in evaluation mode and was switched to training mode too late: dropout must be on when the loss is computed"

model = nn.Sequential(nn.Embedding(7, 16), nn.Linear(16, 7))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
one_batch = torch.tensor([[0, 1, 2, 3], [4, 5, 6, 0]]), torch.tensor([[1, 2, 3, 4], [5, 6, 0, 1]])
losses = [float(train_step(model, one_batch, optimizer)) for _ in range(60)]
assert losses[-1] < 0.1, f"one batch, sixty times: the model should know it by heart, a loss below 0.1, got {losses[-1]:.3f}"
### BEGIN HIDDEN TESTS
def twins(seed, vocab, width, dtype=torch.float64):
    """Two equal models; one goes through the student's step, one through ours."""
    generator = torch.Generator().manual_seed(seed)
    made = [nn.Sequential(nn.Embedding(vocab, width), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, vocab)).to(dtype) for _ in range(2)]
    for a, b in zip(made[0].parameters(), made[1].parameters()):
        with torch.no_grad():
            a.copy_(torch.randn(a.shape, generator=generator, dtype=dtype) / 2)
            b.copy_(a)
    return *made, generator

def ours(model, batch, optimizer, max_norm):
    loss = F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    length = sum(g.square().sum() for g in gradients) ** 0.5
    for p, g in zip(model.parameters(), gradients):
        p.grad = g * min(1.0, max_norm / length.item())
    optimizer.step()
    return loss.item()

# Property: several steps lead to the same parameters and losses as the five lines done by hand
for seed, (batch, seq, vocab, width, dtype) in enumerate([(3, 5, 11, 7, torch.float64), (1, 2, 4, 13, torch.float64), (5, 5, 5, 5, torch.float64), (2, 7, 3, 11, torch.float32)]):
    theirs, own, generator = twins(940 + seed, vocab, width, dtype)
    optimizers = torch.optim.AdamW(theirs.parameters(), lr=0.02), torch.optim.AdamW(own.parameters(), lr=0.02)
    for step in range(4):
        x_, y_ = torch.randint(vocab, (batch, seq), generator=generator), torch.randint(vocab, (batch, seq), generator=generator)
        if step % 2 and batch > 1:
            y_[0, :2] = -100
        kept = x_.clone(), y_.clone()
        got, expected = float(train_step(theirs, (x_, y_), optimizers[0], max_norm=100.0)), ours(own, (x_, y_), optimizers[1], 100.0)
        assert abs(got - expected) < 2e-4, f"step {step}: the loss before the update is {expected:.5f}, got {got:.5f}"
        assert torch.equal(x_, kept[0]) and torch.equal(y_, kept[1]), "the batch was changed in place"
    for a, b in zip(theirs.parameters(), own.parameters()):
        torch.testing.assert_close(a, b, atol=2e-4, rtol=1e-3, msg=lambda m: f"after 4 steps a parameter differs\n{m}")
# Property: gradients that were there before do not count
theirs, own, generator = twins(950, 5, 3)
x_, y_ = torch.randint(5, (2, 3), generator=generator), torch.randint(5, (2, 3), generator=generator)
theirs(x_).sum().backward()
optimizers = torch.optim.SGD(theirs.parameters(), lr=0.5), torch.optim.SGD(own.parameters(), lr=0.5)
train_step(theirs, (x_, y_), optimizers[0], max_norm=100.0), ours(own, (x_, y_), optimizers[1], 100.0)
for a, b in zip(theirs.parameters(), own.parameters()):
    torch.testing.assert_close(a, b, atol=1e-7, rtol=1e-6, msg=lambda m: f"old gradients are still in the step\n{m}")
### END HIDDEN TESTS
print("9.4 holds for the step: guess, price, gradients, step; and the loss before it.")

# %% nbgrader={"grade": true, "grade_id": "ch09_train_step_check_clip", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.4, clipping: a step of 1 along a gradient that is too long moves the parameters by max_norm exactly."""
def moved(max_norm, scale):
    """How far SGD with lr = 1 moves the parameters of a model: one number for each, and all together."""
    model = nn.Sequential(nn.Embedding(3, 2), nn.Linear(2, 3))
    with torch.no_grad():
        model[0].weight.copy_(scale * torch.tensor([[1., 2.], [-1., 1.], [2., 0.]]))
        model[1].weight.copy_(torch.tensor([[1., -1.], [0., 2.], [-2., 1.]])), model[1].bias.zero_()
    before = [p.detach().clone() for p in model.parameters()]
    arguments = () if max_norm is None else (max_norm,)
    train_step(model, (torch.tensor([[0, 1, 2]]), torch.tensor([[2, 0, 1]])), torch.optim.SGD(model.parameters(), lr=1.0), *arguments)
    steps = [(p.detach() - b) for p, b in zip(model.parameters(), before)]
    return steps, math.sqrt(sum(float(s.square().sum()) for s in steps))

free, length = moved(1e6, 3.0)                                   # not clipped
steps, clipped = moved(0.5, 3.0)
assert abs(clipped - length) > 1e-3, f"nothing was clipped: the gradient is {length:.3f} long, and max_norm is 0.5 (clip after backward, before the step)"
one_by_one = math.sqrt(sum(min(0.5, float(s.norm())) ** 2 for s in free))
assert abs(clipped - one_by_one) > 2e-3, "each parameter was clipped by itself: all gradients together are one vector"
assert max(float(s.abs().max()) for s in steps) < 0.5 - 1e-3 or clipped < 0.51, "the entries of the gradient were cut one by one: this bends its direction; shorten the whole vector"
assert abs(clipped - 0.5) < 2e-3, f"the step should be exactly max_norm = 0.5 long, got {clipped:.4f}: either something else was clipped, or at another place"
for a, b in zip(steps, free):
    torch.testing.assert_close(a, b * (0.5 / length), atol=1e-4, rtol=1e-3, msg=lambda m: f"clipping keeps the direction and shortens all entries by the same factor\n{m}")
_, short = moved(2 * length, 3.0)
assert abs(short - length) < 1e-3, f"a gradient of length {length:.3f} is short enough for a max_norm of {2 * length:.3f}: it must stay as it is, got {short:.4f}"
_, default = moved(None, 3.0)
assert abs(default - min(1.0, length)) < 2e-3, f"max_norm is 1.0 unless another is given: a step of {min(1.0, length):.3f} expected, got {default:.4f}"
### BEGIN HIDDEN TESTS
# Property: the step is min(length of the gradient, max_norm) long, for other models and other norms
generator = torch.Generator().manual_seed(945)
for vocab, width, bound in [(5, 3, 0.01), (7, 11, 0.2), (11, 2, 1.0), (3, 13, 1e4)]:
    model = nn.Sequential(nn.Embedding(vocab, width), nn.Linear(width, vocab, bias=False)).double()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(2 * torch.randn(p.shape, generator=generator, dtype=torch.float64))
    x_, y_ = torch.randint(vocab, (3, 7), generator=generator), torch.randint(vocab, (3, 7), generator=generator)
    gradients = torch.autograd.grad(F.cross_entropy(model(x_).flatten(0, 1), y_.flatten()), list(model.parameters()))
    length = math.sqrt(sum(float(g.square().sum()) for g in gradients))
    before = [p.detach().clone() for p in model.parameters()]
    train_step(model, (x_, y_), torch.optim.SGD(model.parameters(), lr=0.25), max_norm=bound)
    for p, b, g in zip(model.parameters(), before, gradients):
        torch.testing.assert_close(p.detach() - b, -0.25 * g * min(1.0, bound / length), atol=1e-6, rtol=1e-4, msg=lambda m: f"max_norm={bound}, gradient {length:.4f} long\n{m}")
### END HIDDEN TESTS
print("9.4 holds for the clipping: one vector, one length, the same direction.")

# %% [markdown]
# ## 9.5 Train it on text
#
# The loop around the step is short. After every few steps it calls `watch`, which may look at the model.

# %% tags=["uses-exercise"]
def train(model, next_batch, steps, peak=4e-3, warmup=30, every=25, watch=None, rent=0.0, rent_from=0):
    """Train the model in place; returns the loss of every step. watch(step, model) is called now and then."""
    optimizer, losses = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.95), weight_decay=0.0), []
    for step in tqdm(range(1, steps + 1), leave=False):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, peak, warmup, steps)
        losses.append(train_step(model, next_batch(), optimizer))
        if rent and step > rent_from:
            pay_rent(model, rent * learning_rate(step, peak, warmup, steps))                 # section 9.6 says why
        if watch and (step % every == 0 or step == 1):
            watch(step, model.eval())
    return losses

# %% [markdown]
# And the start. GPT-2 draws its matrices from $\mathcal N(0,\ 0.02)$, whatever their size. That suits a width of 768, where $\sqrt{768}\cdot 0.02 \approx 0.55$; a
# model of width 64 whispers at first, and a minute is too short for it to find its voice. So we rescale to the width. And positions start
# as the sinusoids of chapter 5, where one step is one rotation, instead of noise. Both are learned further, like everything else.

# %%
def fresh_model(config, seed):
    """A GPT that starts well at small widths."""
    with torch.random.fork_rng(devices=[]):              # the seed of this model, and nobody else's
        torch.manual_seed(seed)
        model = GPT(config)
    with torch.no_grad():
        for p in model.parameters():
            if p.dim() > 1:
                p *= math.sqrt(768 / config.d_model)
        model.position_embedding.weight.copy_(0.1 * sinusoidal_encoding(config.max_len, config.d_model))
    return model.to(device)

config = GPTConfig(vocab_size=96, max_len=64, d_model=64, num_heads=4, num_layers=2)
text_model = fresh_model(config, seed=9)
print(sum(p.numel() for p in text_model.parameters()), "parameters")

# %% [markdown]
# **Two tests before any long training.** Each takes a second and has saved many a night. First: a fresh model must price a token at about
# $\ln 96 = 4.56$. Second: a model that cannot learn *one batch* by heart will not learn a language; something between data and step is
# broken.

# %% tags=["uses-exercise"]
generator = torch.Generator().manual_seed(9)
one_batch = [part.to(device) for part in make_batch(train_ids, 4, 32, generator)]
with torch.no_grad():
    fresh_loss = F.cross_entropy(text_model(one_batch[0]).flatten(0, 1), one_batch[1].flatten()).item()
print("a fresh model is within 0.5 of ln 96:", abs(fresh_loss - math.log(96)) < 0.5)

student = fresh_model(config, seed=9)
optimizer = torch.optim.AdamW(student.parameters(), lr=3e-3)
print("one batch learned by heart, loss below 0.1:", min(train_step(student, one_batch, optimizer) for _ in range(100)) < 0.1)

# %% [markdown]
# Both hold. Now the text. Every 25 steps we price held-out text, and at four moments the model writes: it guesses a character, we draw
# one from its probabilities, append it, and so on.

# %%
test_windows = test_ids[:len(test_ids) // 65 * 65].view(-1, 65)              # (615, 65): no window overlaps another

@torch.no_grad()
def held_out_loss(model, windows):
    windows = windows.to(device)
    return F.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten()).item()

@torch.no_grad()
def write(model, prompt, n, seed=4):
    """Let the model go on from the prompt, n characters."""
    generator, written = torch.Generator().manual_seed(seed), [id_of[c] for c in prompt]
    for _ in range(n):
        logits = model(torch.tensor([written[-64:]], device=device))[0, -1].cpu()
        written.append(torch.multinomial((logits / 0.7).softmax(dim=-1), 1, generator=generator).item())
    return "".join(alphabet[i] for i in written)

# %% tags=["show", "uses-exercise"]
curve, samples = [], {}

def watch_text(step, model):
    curve.append((step, held_out_loss(model, test_windows[::5])))
    if step in (1, 50, 150, 400):
        samples[step] = write(model, "The ", 150)

generator = torch.Generator().manual_seed(9)
losses = train(text_model, lambda: [part.to(device) for part in make_batch(train_ids, 32, 64, generator)], steps=400, watch=watch_text)
text_loss = held_out_loss(text_model.eval(), test_windows)
print("better than the bigram: ", text_loss < baseline[1])
print("better than the trigram:", text_loss < baseline[2])

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7, 3.4))
ax.plot(range(1, len(losses) + 1), losses, color="0.8", linewidth=0.8, label="each training batch")
ax.plot(*zip(*curve), "o-", markersize=3, label="held-out text")
for price, name in zip([math.log(96)] + baseline, ["nothing known, ln 96", "1-gram", "2-gram", "3-gram", "4-gram"]):
    ax.axhline(price, color=OKABE_ITO[3], linewidth=0.8, linestyle="--")
    ax.text(len(losses) * 1.01, price, name, va="center", fontsize=8, color=OKABE_ITO[3])
ax.set(title="In its first minute the model passes everything that looks back two characters", xlabel="step", ylabel="loss",
       xlim=(0, len(losses)), ylim=(1, 4.9))
ax.legend(frameon=False, loc="center right", bbox_to_anchor=(1, 0.74))
show(fig, alt="Loss against training step, for training batches and for held-out text, with the prices of n-gram models as dashed lines. The held-out loss starts near ln 96, "
              "falls steeply through the lines of the 1-gram and the 2-gram, then more slowly below that of the 3-gram.")

# %% [markdown]
# Look at where the curve is steep. Down to the one-gram it learns *how often* each character is used; then pairs; then it goes where
# counting needs tables with millions of entries. The training text and the held-out text cost nearly the same: nothing has been learned by heart. (How far
# it stands from the 4-gram line is a matter of patience: on a GPU, put `steps=5000` and see.)
#
# What it writes, at the four moments:

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7, 2.7))
ax.set_axis_off()
for row, (step, sample) in enumerate(samples.items()):
    sample = sample.replace("\n", "¶").replace("$", r"\$")
    lines = [sample[i:i + 72] for i in range(0, len(sample), 72)]
    ax.text(0, 1 - row * 0.26, f"step {step}", weight="bold", va="top", transform=ax.transAxes)
    ax.text(0.13, 1 - row * 0.26, "\n".join(lines), family="monospace", fontsize=7.5, va="top", transform=ax.transAxes)
ax.set_title("From noise to the look of a manual (¶ is a new line)")
show(fig, alt="Four samples of text written by the model after 1, 50, 150 and 400 steps: first random characters, then letters with spaces between them, then short words, "
              "then words and line breaks that look like the Python manual without making sense.")

# %% [markdown]
# First noise, then letters and spaces in the right proportions, then words. It has the look of a manual, and no sense. Sense takes
# more than a minute. To see *how* attention learns we need a language so small that a minute is enough for all of it.
#
# ## 9.6 A language made up
#
# It has 52 words and two kinds of text. **Stories** are the sentences at the top of this chapter: an animal, a thing, and a last word before the
# stop that tells who "it" is. **Chants** are random syllables that repeat with a random period: *bo ka do bo ka do bo …*, no syllable twice in a round.

# %%
animals, things = "cat dog bird frog goat hen fox cow".split(), "mat rug bed box chair stone sack log".split()
of_animals, of_things = "hungry tired sleepy thirsty".split(), "soft warm flat dry".split()
verbs = "sat lay slept stood".split()
syllables = [c + v for c in "bdgklmnr" for v in "ao"]
words = animals + things + of_animals + of_things + verbs + syllables + "the on because it was . who ?".split()
word_id = {word: i for i, word in enumerate(words)}
FIRST_SYLLABLE, SYLLABLES = word_id["ba"], len(syllables)

def encode(text):
    return torch.tensor([[word_id[word] for word in text.split()]])             # (1, seq)

print(len(words), "words")

# %% [markdown]
# Stories are made from a pattern. An eighth of the 64 pairs of animal and thing never occurs in training: they are the test.

# %%
PATTERN = "the cat sat on the mat because it was hungry . who ? the cat ."
PAIRS = torch.cartesian_prod(torch.arange(8), torch.arange(8))                  # (64, 2): animal, thing
HELD_OUT = (PAIRS[:, 0] + 3 * PAIRS[:, 1]) % 8 == 0

def stories(n, generator, held_out=False):
    """n stories of 16 words, (n, 16), with pairs from the training part or from the held-out part."""
    pairs = PAIRS[HELD_OUT == held_out]
    pairs = pairs[torch.randint(len(pairs), (n,), generator=generator)]
    reason, verb = (torch.randint(high, (n,), generator=generator) for high in (8, 4))
    ids = encode(PATTERN).repeat(n, 1)
    ids[:, 1], ids[:, 5] = pairs[:, 0], 8 + pairs[:, 1]
    ids[:, 2], ids[:, 9] = 24 + verb, 16 + reason
    ids[:, 14] = torch.where(reason < 4, ids[:, 1], ids[:, 5])                  # who?
    return ids

generator = torch.Generator().manual_seed(3)
for held_out in (False, True):
    print("held out:" if held_out else "training:", " ".join(words[i] for i in stories(1, generator, held_out)[0]))

# %% [markdown]
# In a chant the first round is chance, and no model can know it. From the second round on everything is known: whoever finds the last time
# that the present syllable was sung needs only to look at **what came next**. The period is drawn anew for each
# chant. (It matters more than it seems: section 9.10.) Targets in the first round get −100, your `ignore_index`.

# %%
def chants(n, length, generator, shortest=4, longest=16):
    """n chants with random periods: inputs, targets (−100 in the first round), periods."""
    periods = torch.randint(shortest, longest + 1, (n, 1), generator=generator)
    melody = torch.rand(n, SYLLABLES, generator=generator).argsort(dim=1) + FIRST_SYLLABLE      # no syllable twice
    places = torch.arange(length + 1)
    ids = melody.gather(1, places % periods)                                    # (n, length + 1)
    targets = torch.where(places[:-1] < periods, -100, ids[:, 1:])
    return ids[:, :-1], targets, periods[:, 0]

inputs, targets, periods = chants(1, 16, torch.Generator().manual_seed(2), longest=6)
print("inputs ", " ".join(words[i] for i in inputs[0]))
print("targets", " ".join("--" if i < 0 else words[i] for i in targets[0]))

# %% [markdown]
# A batch is half chants, half windows of 48 words from a chain of stories, which may begin in the middle of one: so no word has a fixed place. In stories, too, what
# is pure chance gets −100: the animal, the verb, the thing and the reason, words 1, 2, 5 and 9. What is left can be known, but for one word: the
# answer of a first story whose beginning is cut off. (So the exam asks about the second story.)

# %%
LENGTH = 48

def story_windows(n, generator, held_out=False):
    """n windows of LENGTH + 1 words from chains of stories, and the place of the second story in each."""
    chain = stories(5 * n, generator, held_out).view(n, 80)
    skip = torch.randint(16, (n, 1), generator=generator)
    return chain.gather(1, skip + torch.arange(LENGTH + 1)), 16 - skip[:, 0]

def language_batch(batch, generator):
    windows, starts = story_windows(batch // 2, generator)
    place = (torch.arange(1, LENGTH + 1) - starts[:, None]) % 16                # of each target in its story
    story_targets = torch.where(torch.isin(place, torch.tensor([1, 2, 5, 9])), -100, windows[:, 1:])
    inputs, targets, _ = chants(batch // 2, LENGTH, generator)
    return torch.cat([windows[:, :-1], inputs]).to(device), torch.cat([story_targets, targets]).to(device)

# %% [markdown]
# Two exams. In the held-out stories we ask for the word after "who ? the". In new chants we ask for every word from the second round on.

# %%
exam = dict(zip(["stories", "starts"], story_windows(400, torch.Generator().manual_seed(90), held_out=True)))
exam["chants"], exam["chant_targets"], exam["periods"] = chants(100, LENGTH, torch.Generator().manual_seed(91), shortest=12)
rows, answer_at = torch.arange(400), exam["starts"] + 13                        # the place of "the" in "who ? the"

@torch.no_grad()
def story_score(model):
    """Share of held-out stories in which the word after "who ? the" is guessed right."""
    guesses = model(exam["stories"][:, :-1].to(device)).argmax(dim=-1).cpu()    # (400, 48)
    return (guesses[rows, answer_at] == exam["stories"][rows, answer_at + 1]).float().mean().item()

@torch.no_grad()
def chant_loss(model):
    """Mean price of a syllable in new chants, from the second round on."""
    logits = model(exam["chants"].to(device)).cpu()
    return F.cross_entropy(logits.flatten(0, 1), exam["chant_targets"].flatten()).item()

@torch.no_grad()
def chant_score(model):
    guesses, targets = model(exam["chants"].to(device)).argmax(dim=-1).cpu(), exam["chant_targets"]
    return (guesses == targets)[targets >= 0].float().mean().item()

# %% [markdown]
# One more thing, for us who want to look inside. The heads of a layer start much alike and may all learn the same job together; then each of them does a quarter of it, and
# none is missed. So once the model has learned its language, **heads pay rent** for the rest of the training: after each step every head's part of `W_o` shrinks a little, and a head that is quieter than the others of its layer shrinks faster.
# A head that is worth its rent grows back at the next step. One that only repeats what its neighbour says falls silent.

# %%
@torch.no_grad()
def pay_rent(model, amount):
    """Shrink the columns of W_o that belong to each head, those of quiet heads more than those of loud ones."""
    for block in model.blocks:
        columns = block.attention.W_o.weight.unflatten(1, (block.attention.num_heads, -1))     # (d_model, heads, d_head), the same memory
        loudness = columns.square().sum(dim=(0, 2), keepdim=True).clamp(min=1e-9)              # (1, heads, 1)
        columns *= (1 - amount * loudness.mean() / loudness).clamp(min=0)

# %% [markdown]
# **Predict, then run.** The model has never met these pairs of animal and thing. How many of a hundred questions will it get right, and
# will it learn the stories or the chants first?

# %% tags=["show", "uses-exercise"]
reader = fresh_model(GPTConfig(vocab_size=len(words), max_len=LENGTH, d_model=64, num_heads=4, num_layers=2), seed=9)
history, generator = [], torch.Generator().manual_seed(9)
train(reader, lambda: language_batch(32, generator), steps=700, peak=4e-3, rent=8.0, rent_from=350, every=50,
      watch=lambda step, model: history.append((step, story_score(model), chant_score(model))))
reader.eval().cpu()                                          # we look at it by hand from here on
device_of_training, device = device, "cpu"
print("“who?” answered right in at least 95 of 100 held-out stories:", story_score(reader) >= 0.95)
print("next syllable right in at least 90 of 100 places of new chants:", chant_score(reader) >= 0.9)

# %% tags=["show", "uses-exercise"]
steps, story_curve, chant_curve = zip(*history)
fig, ax = plt.subplots(figsize=(7, 2.9))
ax.plot(steps, story_curve, "o-", markersize=3, label="held-out stories: who?")
ax.plot(steps, chant_curve, "s-", markersize=3, label="new chants: next syllable")
for share, guess in [(1 / 16, "any of the 16 nouns"), (1 / 2, "one of the two in the story")]:
    ax.axhline(share, color="0.6", linestyle=":", linewidth=1)
    ax.text(steps[-1], share + 0.02, guess, ha="right", fontsize=8, color="0.4")
ax.set(title="For a while it seems to learn nothing, then it has it", xlabel="step", ylabel="share right", ylim=(0, 1.05))
ax.legend(frameon=False, loc=(0.02, 0.68))
show(fig, alt="Share of right answers against the training step, for held-out stories and for new chants. Both start near zero, stay low for a while, rise steeply and end close to 1.")

# %% [markdown]
# Nobody told it what "it" means, and it answers for pairs that it has never met. In our run the chants rise first, the stories follow within a hundred steps,
# and by step 300 it has nearly all of both. It cannot have learned the answers by heart. So it must look them up, and there is only one way in which
# a GPT can look anything up.
#
# ## 9.7 What it can know, and when
#
# First, something that is often drawn wrongly. In many pictures the word "it" attends to "mat", "because *soft* follows". Two stories
# that differ in one word only show what a causal model can make of that at "it":

# %%
@torch.no_grad()
def attention_maps(model, ids):
    """The weights of all heads: (layers, batch, heads, seq, seq)."""
    x = model.token_embedding(ids) + model.position_embedding(torch.arange(ids.size(1)))
    mask, maps = torch.ones(ids.size(1), ids.size(1)).tril().bool(), []
    for block in model.blocks:
        x, weights = block(x, mask)
        maps.append(weights)
    return torch.stack(maps)

hungry = encode(PATTERN)
soft = encode(PATTERN.replace("hungry", "soft").replace("the cat .", "the mat ."))
print([words[i] for i in hungry[0, 6:10]], "against", [words[i] for i in soft[0, 6:10]])

# %% tags=["show", "uses-exercise"]
with torch.no_grad():
    difference = (reader(hungry) - reader(soft)).abs().amax(dim=-1)[0]           # (16,)
    weights_differ = (attention_maps(reader, hungry) - attention_maps(reader, soft)).abs().amax(dim=(0, 1, 2, 4))
for place in (5, 7, 8, 9, 13):
    print(f"at {words[hungry[0, place]]:7} logits differ: {str(difference[place].item() > 1e-4):5}  attention differs: {weights_differ[place].item() > 1e-4}")

# %% [markdown]
# Up to "was" the two stories are *the same story*: not a weight and not a logit can differ, whatever the model has learned, since the mask hides what follows.
# An encoder, which reads both ways, may resolve "it" at "it". A decoder can do it at "hungry" at the earliest, and must do it when the answer is due.
# So there we look: at the "the" after "who ?". A story in front gives the window the length that the model is used to.

# %% tags=["show", "uses-exercise"]
before = stories(1, torch.Generator().manual_seed(5))
maps = {name: attention_maps(reader, torch.cat([before, story], dim=1))[:, 0, :, 29, 16:30].flatten(0, 1)     # (8 heads, 14 words)
        for name, story in [("hungry", hungry), ("soft", soft)]}
heads = [f"layer {layer}, head {head}" for layer in range(2) for head in range(4)]
fig, axes = plt.subplots(2, 1, figsize=(7, 5.4), sharex=False)
for ax, (name, weights), noun in zip(axes, maps.items(), (1, 5)):
    draw_matrix(ax, weights, rows=heads, columns=PATTERN.replace("hungry", name).split()[:14], limits=(0, 1), title=f"… because it was {name} . who ? the …")
    ax.set_aspect("auto")
    ax.add_patch(plt.Rectangle((noun - 0.5, -0.5), 1, 8, fill=False, edgecolor=OKABE_ITO[3], linewidth=1.5))
fig.suptitle("Where each head looks when the answer is due", x=0.01, ha="left")
show(fig, alt="Two heatmaps with eight rows, the heads, and fourteen columns, the words of the story up to 'who ? the'. The right noun is framed: cat for hungry, mat for soft. At least one "
              "head of layer 1 puts most of its weight on cat in the upper map and on mat in the lower one.")

# %% [markdown]
# Learned weights, not drawn ones. The frames mark the noun that is the right answer. Some heads of layer 1 look straight at it, at "cat" above, at "mat"
# below: the same query word "the" at the same place, and one word, four places back, turns the head. But one pair of stories is an anecdote. In how many of the 400
# held-out stories does a head's largest weight lie on the right noun?

# %% tags=["show", "uses-exercise"]
story_ids = exam["stories"][:, :-1]
answer = exam["stories"][rows, answer_at + 1]
noun_at = exam["starts"] + torch.where(answer < 8, 1, 5)                         # the place of the right noun
at_answer = attention_maps(reader, story_ids)[:, rows, :, answer_at]             # (400, layers, heads, 48)
finds_noun = (at_answer.argmax(dim=-1) == noun_at[:, None, None]).float().mean(dim=0)      # (layers, heads)
finds_reason = (at_answer.argmax(dim=-1) == (exam["starts"] + 9)[:, None, None]).float().mean(dim=0)
print("some head looks at the right noun in at least 90 of 100 stories:", finds_noun.max().item() >= 0.9)
print("it stands in layer", divmod(finds_noun.argmax().item(), 4)[0])
print("a head of layer 0 does, in more than 60 of them:                ", finds_noun[0].max().item() > 0.6)
print("but some head of layer 0 looks at the reason, in at least 60:   ", finds_reason[0].max().item() >= 0.6)

# %% [markdown]
# Layer 1 does it and layer 0 does not. Why? When "the" enters layer 0 it knows nothing of hunger. A head of layer 0 first fetches the *reason* to the place of the answer; only then can
# a head of layer 1 ask "where is an animal?". Looking up what one has looked up takes two layers. The chants will show the same in its purest form.
#
# ## 9.8 Two kinds of heads, and how to measure them
#
# To continue a chant one must do two things. Each syllable must know **who stood before it** ("I am *ka*, and I come after *bo*"). Then the present *bo* can ask: "who comes
# after a *bo*?", and the answer is the syllable to sing. The first is the work of a **previous-token head**, the second of an **induction head**: it looks
# at the place right after the last time the present syllable was sung. With period $p$ that is $p - 1$ places back.
#
# In a perfect head both are stripes:

# %% tags=["show"]
seq, period = 9, 4
chant = "bo ka do mo bo ka do mo bo".split()
previous, induction = torch.zeros(seq, seq), torch.zeros(seq, seq)
for i in range(1, seq):
    previous[i, i - 1] = 1                                     # one back
for i in range(period, seq):
    induction[i, i - period + 1] = 1                           # one after the same syllable
fig, axes = plt.subplots(1, 2, figsize=(7, 3.5))
for ax, pattern, title in [(axes[0], previous, "previous-token head"), (axes[1], induction, "induction head, period 4")]:
    draw_matrix(ax, pattern, rows=chant, columns=chant, title=title, digits=None)
    ax.set(xlabel="key", ylabel="query")
show(fig, alt="Two ideal patterns for the chant bo ka do mo, repeated. Left, a stripe one below the diagonal: every syllable looks at the one before it. Right, a stripe three below the diagonal "
              "that starts in the fifth row: the second bo looks at the first ka, and so on.")

# %% [markdown]
# Read the fifth row on the right: the second *bo* looks at *ka*, which came after the first *bo*, and *ka* is what must be sung next.
#
# ### Exercise 9.5 · Two scores · 3 points · about 12 minutes
#
# How much of its weight does a head put on its stripe? For `weights` of shape `(..., heads, seq, seq)` return one number per head, `(heads,)`:
#
# $$\mathrm{previous} = \mathop{\mathrm{mean}}_{i \ge 1}\ \mathrm{weights}[i,\, i-1], \qquad \mathrm{induction} = \mathop{\mathrm{mean}}_{i \ge p}\ \mathrm{weights}[i,\, i-p+1]$$
#
# each also averaged over every leading dimension in front of the heads (a batch, or layers and a batch). One point for the first score, two for the second.
#
# <details><summary>Hint 1</summary>Both stripes are diagonals of the last two dimensions, and PyTorch can take a diagonal with an offset. Below the main one the offset is negative.</details>
# <details><summary>Hint 2</summary>How long is the diagonal that starts at column 0? In which row does it begin, and in which row must the sum begin?</details>
# <details><summary>Hint 3</summary>After the diagonal the shape is (..., heads, n). Everything but heads is averaged away; how many dimensions that is depends on the input.</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_previous_token_score", "locked": false, "schema_version": 3, "solution": true, "task": false}
def previous_token_score(weights):
    """The mean weight on the token before, for every head: (..., heads, seq, seq) -> (heads,)."""
    ### BEGIN SOLUTION
    stripe = weights.diagonal(-1, dim1=-2, dim2=-1)                        # (..., heads, seq - 1)
    return stripe.mean(dim=-1).reshape(-1, weights.size(-3)).mean(dim=0)
    ### END SOLUTION


def induction_score(weights, period):
    """The mean weight on the token after the last time that the present one came: (..., heads, seq, seq) -> (heads,)."""
    ### BEGIN SOLUTION
    stripe = weights.diagonal(1 - period, dim1=-2, dim2=-1)                # entry c lies in row c + period - 1
    stripe = stripe[..., 1:]                                               # rows period and later
    return stripe.mean(dim=-1).reshape(-1, weights.size(-3)).mean(dim=0)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_previous_token_score_check_previous", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.5, previous token: two heads over four tokens."""
head_a = torch.tensor([[1., 0., 0., 0.], [.8, .2, 0., 0.], [.1, .6, .3, 0.], [.3, .2, .4, .1]])      # stripe .8 .6 .4
head_b = torch.tensor([[1., 0., 0., 0.], [.2, .8, 0., 0.], [.5, .1, .4, 0.], [.1, .6, .3, .0]])      # stripe .2 .1 .3
weights_ = torch.stack([head_a, head_b])                                                              # (2, 4, 4)
try:
    score = previous_token_score(weights_)
except (IndexError, RuntimeError, ValueError) as error:
    raise AssertionError(f"weights (heads, seq, seq) without a batch could not be scored: any number of dimensions, none too, may stand before the heads ({error})") from error
assert tuple(getattr(score, "shape", ("no tensor",))) == (2,), f"one number per head, (2,), expected, got {tuple(getattr(score, 'shape', ()))}"
mistakes = {
    0.45: "the mean runs over four rows: row 0 has no token before it and does not count",
    1.8: "the weights of the stripe were added: take their mean",
    0.4: "these are the weights on the token itself, the main diagonal: the token before is one to the left",
    0.0: "these are the weights above the diagonal, on the token after: a causal head has none there",
    0.2: "these are the weights two back, not one",
    0.5: "row 1 was left out: it has a token before it",
    0.7: "the last row was left out",
}
for wrong, message in mistakes.items():
    assert abs(score[0].item() - wrong) > 1e-3, message
torch.testing.assert_close(score.float(), torch.tensor([0.6, 0.2]), atol=1e-4, rtol=0, msg=lambda m: f"stripes (0.8, 0.6, 0.4) and (0.2, 0.1, 0.3)\n{m}")
score = previous_token_score(torch.stack([weights_, torch.zeros(2, 4, 4), torch.zeros(2, 4, 4)]))
assert tuple(score.shape) == (2,), f"weights (3, 2, 4, 4) are three sentences and two heads: (2,) expected, got {tuple(score.shape)}"
torch.testing.assert_close(score.float(), torch.tensor([0.2, 0.0667]), atol=1e-3, rtol=0, msg=lambda m: f"a batch of three, two of them without any weight: a third of the scores expected\n{m}")
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(951)
# Property: the mean over the stripe and over every leading dimension but the heads
for shape in [(5, 7, 7), (3, 5, 7, 7), (2, 3, 5, 11, 11), (4, 4, 4, 4), (1, 1, 2, 2), (3, 2, 1, 13, 13)]:
    weights_ = torch.rand(shape, generator=generator, dtype=torch.float64)
    expected = torch.stack([weights_[..., i, i - 1] for i in range(1, shape[-1])], dim=-1).mean(dim=-1)
    expected = expected.flatten(0, -2).mean(dim=0) if expected.dim() > 1 else expected
    got = previous_token_score(weights_)
    assert tuple(got.shape) == (shape[-3],), f"weights {shape}: ({shape[-3]},) expected, got {tuple(got.shape)}"
    torch.testing.assert_close(got.double(), expected, atol=1e-6, rtol=1e-6, msg=lambda m: f"weights {shape}\n{m}")
# Property: a view that is not contiguous, in float32, on the device of the weights, and not changed in place
weights_ = torch.rand(7, 7, 3, 2, generator=generator).permute(3, 2, 0, 1)
kept = weights_.clone()
torch.testing.assert_close(previous_token_score(weights_), torch.stack([kept[:, :, i, i - 1] for i in range(1, 7)]).mean(dim=(0, 1)), atol=1e-5, rtol=1e-5)
assert torch.equal(weights_, kept), "the weights were changed in place"
got = previous_token_score(torch.rand(2, 3, 5, 5, device="meta"))
assert got.device.type == "meta" and tuple(got.shape) == (3,), f"weights on meta: scores on meta expected, got {got.device}"
### END HIDDEN TESTS
print("9.5 holds for the previous token: the mean of the stripe, head by head.")

# %% nbgrader={"grade": true, "grade_id": "ch09_previous_token_score_check_induction", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 9.5, induction: a chant of six syllables with period 3. Rows 3, 4 and 5 should look at columns 1, 2 and 3."""
head_a = torch.tensor([[1., 0., 0., 0., 0., 0.], [.5, .5, 0., 0., 0., 0.], [.77, .13, .1, 0., 0., 0.],
                       [.05, .90, .03, .02, 0., 0.], [.11, .12, .60, .07, .1, 0.], [.10, .15, .2, .30, .05, .2]])      # .90 .60 .30
weights_ = torch.stack([head_a, head_a.flip(-2)])                                                                    # (2, 6, 6)
try:
    score = induction_score(weights_, 3)
except (IndexError, RuntimeError, ValueError) as error:
    raise AssertionError(f"weights (heads, seq, seq) without a batch could not be scored: any number of dimensions, none too, may stand before the heads ({error})") from error
assert tuple(getattr(score, "shape", ("no tensor",))) == (2,), f"one number per head, (2,), expected, got {tuple(getattr(score, 'shape', ()))}"
mistakes = {
    0.6425: "row 2 was counted, too: the first round, rows before the period, has nothing to repeat; the mean begins in row 3",
    0.1233: "these are the weights on the same syllable, one period back: an induction head looks at the one after it",
    0.16: "these are the weights on the same syllable, one period back: an induction head looks at the one after it",
    0.05: "these are the weights two places after the last time: one place after is meant",
    0.13: "these are the weights one period and one back: the token *after* the same one is meant, i − period + 1",
    1.8: "the weights of the stripe were added: take their mean",
    0.3: "the sum was divided by all six rows: only rows from the period on count",
    0.45: "row 3 was left out: the first row of the second round counts",
    0.75: "the last row was left out",
    0.36: "the sum was divided by five rows: only rows from the period on count",
    0.0: "these are weights above the diagonal: keys stand in the last dimension, queries in the one before it",
}
for wrong, message in mistakes.items():
    assert abs(score[0].item() - wrong) > 1e-3, message
torch.testing.assert_close(score.float()[:1], torch.tensor([0.6]), atol=1e-4, rtol=0, msg=lambda m: f"stripe 0.9, 0.6, 0.3\n{m}")
torch.testing.assert_close(score.float()[1:], torch.tensor([(0.13 + 0 + 0) / 3]), atol=1e-4, rtol=0, msg=lambda m: f"second head: stripe 0.13, 0, 0\n{m}")
score = induction_score(weights_, 5)
assert abs(score[0].item() - 0.15) < 1e-4, f"period 5: one row counts, row 5, and its key is 1, weight 0.15; got {score[0].item():.4f}"
score = induction_score(torch.stack([weights_, torch.zeros(2, 6, 6), torch.zeros(2, 6, 6)]), 3)
assert tuple(score.shape) == (2,), f"weights (3, 2, 6, 6) are three chants and two heads: (2,) expected, got {tuple(score.shape)}"
assert abs(score[0].item() - 0.2) < 1e-4, f"a batch of three, two of them without any weight: 0.2 expected, got {score[0].item():.4f}"
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(952)
# Property: the mean of weights[..., i, i - period + 1] over i >= period, for any period and any leading dimensions
for shape in [(5, 11, 11), (3, 5, 13, 13), (2, 3, 5, 7, 7), (6, 6, 6, 6), (1, 1, 8, 8)]:
    weights_ = torch.rand(shape, generator=generator, dtype=torch.float64)
    for period in (1, 2, 4, shape[-1] - 1):
        expected = torch.stack([weights_[..., i, i - period + 1] for i in range(period, shape[-1])], dim=-1).mean(dim=-1)
        expected = expected.flatten(0, -2).mean(dim=0) if expected.dim() > 1 else expected
        got = induction_score(weights_, period)
        assert tuple(got.shape) == (shape[-3],), f"weights {shape}: ({shape[-3]},) expected, got {tuple(got.shape)}"
        torch.testing.assert_close(got.double(), expected, atol=1e-6, rtol=1e-6, msg=lambda m: f"weights {shape}, period {period}\n{m}")
# Property: a view that is not contiguous, in float32, on the device of the weights, and not changed in place
weights_ = torch.rand(7, 7, 3, 2, generator=generator).permute(3, 2, 0, 1)
kept = weights_.clone()
torch.testing.assert_close(induction_score(weights_, 3), torch.stack([kept[:, :, i, i - 2] for i in range(3, 7)]).mean(dim=(0, 1)), atol=1e-5, rtol=1e-5)
assert torch.equal(weights_, kept), "the weights were changed in place"
got = induction_score(torch.rand(2, 3, 5, 5, device="meta"), 2)
assert got.device.type == "meta" and tuple(got.shape) == (3,), f"weights on meta: scores on meta expected, got {got.device}"
### END HIDDEN TESTS
print("9.5 holds for induction: one after the same syllable, from the second round on.")

# %% [markdown]
# Now let your scores search the trained model. Chants with one period at a time, eight periods in all, and next to it a model that has not been trained:

# %% tags=["show", "uses-exercise"]
def head_scores(model, periods=range(9, 17)):
    """(layers, heads) each: previous-token score and induction score, averaged over chants of several periods."""
    previous, induction = [], []
    for period in periods:
        ids = chants(25, 2 * period + 1, torch.Generator().manual_seed(period), shortest=period, longest=period)[0]
        maps = attention_maps(model, ids)                                                     # (layers, 25, heads, seq, seq)
        previous.append(torch.stack([previous_token_score(weights) for weights in maps]))
        induction.append(torch.stack([induction_score(weights, period) for weights in maps]))
    return torch.stack(previous).mean(dim=0), torch.stack(induction).mean(dim=0)

trained = head_scores(reader)
untrained = head_scores(fresh_model(reader.config, seed=9).cpu())
previous_head, induction_head = (divmod(score.argmax().item(), 4) for score in trained)
print("layer of the best previous-token head:", previous_head[0])
print("layer of the best induction head:     ", induction_head[0])

# %% tags=["show", "uses-exercise"]
fig, axes = plt.subplots(2, 2, figsize=(7, 3.6), sharex=True, sharey=True)
for row, scores, model_name in zip(axes, (untrained, trained), ("untrained", "trained")):
    for ax, score, name in zip(row, scores, ("previous token", "induction")):
        draw_matrix(ax, score, rows=["layer 0", "layer 1"], limits=(0, 1), title=f"{model_name}: {name}")
for ax in axes[1]:
    ax.set_xlabel("head")
fig.suptitle("Training makes previous-token heads below and induction heads above", x=0.01, ha="left", fontsize=10)
show(fig, alt="Four small heatmaps, layers by heads. Before training all previous-token and induction scores are low. After training previous-token scores are about 0.4 in layer 0 and still 0.1 in layer 1, "
              "induction scores 0.9 and more in layer 1 and 0 in layer 0.")

# %% [markdown]
# In the untrained model the scores say nothing but "random": every head spreads its weight over all it sees. Training has set up a division of labour, and it is the one that the
# argument above asked for: who stands before me, in layer 0; what came next last time, in layer 1. One layer must write before the other can read.
#
# This is the best induction head at work in a new chant:

# %% tags=["show", "uses-exercise"]
ids = chants(1, 27, torch.Generator().manual_seed(17), shortest=9, longest=9)[0]
pattern = attention_maps(reader, ids)[induction_head[0], 0, induction_head[1]]                # (27, 27)
labels = [words[i] for i in ids[0]]
fig, ax = plt.subplots(figsize=(5.6, 5.2))
draw_matrix(ax, pattern, rows=labels, columns=labels, limits=(0, 1), title=f"Layer {induction_head[0]}, head {induction_head[1]}: stripes where the chant repeats")
ax.tick_params(labelsize=7)
ax.set(xlabel="key", ylabel="query")
ax.plot(range(1, 19), range(9, 27), "s", markersize=9, markerfacecolor="none", markeredgecolor=OKABE_ITO[1], markeredgewidth=0.9)
show(fig, alt="Attention weights of the best induction head over a chant of three rounds of nine syllables. In the second round the dark cells lie on the framed stripe, one place after the same "
              "syllable in the round before; in the third round most of the weight lies one round further to the left, and many frames are pale or empty.")

# %% [markdown]
# The frames mark where an induction head should look. The third round has two places to look at, one in each of the rounds before, and the head may
# share its weight between them; here it mostly prefers the older one.
#
# ## 9.9 Switch it off
#
# A high score says that a head *looks* in the right place. It does not say that anything depends on it: what it reads may never be used. The test is to switch it off and to see what
# is lost.
#
# Where does a single head end? In chapter 4 the outputs of all heads were laid side by side, `d_head` features each, and `W_o` mixed them. So `W_o`'s output is a sum, with one term for each head:
#
# $$\mathrm{output} = b + \sum_h W_o[:,\ \mathrm{features\ of\ head}\ h]\;\mathrm{output}_h$$

# %%
layer = MultiHeadAttention(6, num_heads=3, bias=True).requires_grad_(False)
joined = torch.randn(1, 2, 6, generator=torch.Generator().manual_seed(9))      # what the heads hand to W_o: 3 heads, 2 features each
terms = [joined[..., 2 * h:2 * h + 2] @ layer.W_o.weight[:, 2 * h:2 * h + 2].T for h in range(3)]
print("the sum over heads is W_o's output:", torch.allclose(sum(terms) + layer.W_o.bias, layer.W_o(joined), atol=1e-6))

# %% [markdown]
# ### Exercise 9.6 · Switch a head off · 2 points · about 12 minutes
#
# Write a context manager: inside `with ablate_head(model, layer, head):` the term of that head is 0, so that it adds nothing to the output of `model.blocks[layer].attention.W_o` (its bias stays).
# Afterwards the model is exactly as it was, even if something inside has gone wrong. Two may be nested, to switch two heads off.
#
# One point for what happens inside, one for what is left afterwards. (`@contextmanager` makes a context manager of a function with one `yield`: what stands before it runs on the way in,
# what stands after it on the way out.)
#
# <details><summary>Hint 1</summary>There are two ways: change what W_o is given (a forward pre-hook), or change W_o itself for a while. For the second: rows or columns?</details>
# <details><summary>Hint 2</summary>Head h owns d_head features side by side. W_o.in_features and the number of heads tell you which.</details>
# <details><summary>Hint 3</summary>To put something back you need a copy, not a view. And which Python statement runs its last part whatever happens?</details>

# %% nbgrader={"grade": false, "grade_id": "ch09_ablate_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
@contextmanager
def ablate_head(model, layer, head):
    """Inside the with-block the head adds nothing to W_o's output; afterwards the model is as before."""
    ### BEGIN SOLUTION
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    columns = slice(head * width, (head + 1) * width)
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, columns] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch09_ablate_head_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["GPT", "GPTConfig"]
"""Exercise 9.6, inside: two equal models; head 1 of layer 1 is switched off in one by your function, in the other by hand."""
def filled(vocab, length, d_model, heads, layers, seed):
    """A GPT with random weights, large enough that every head matters."""
    model, generator = GPT(GPTConfig(vocab, length, d_model, heads, layers)), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator) / 2)
    return model.eval()

ids_ = torch.tensor([[3, 1, 4, 1, 5], [2, 6, 0, 3, 3]])
model = filled(7, 5, 6, 3, 2, seed=961)                  # 3 heads of width 2
whole = model(ids_).detach()
manager = ablate_head(model, 1, 1)
assert hasattr(manager, "__enter__") and hasattr(manager, "__exit__"), "ablate_head must give back something that `with` can use: a context manager"
with manager:
    got = model(ids_).detach()

def by_hand(change):
    """The logits of an equal model after a change that is made in place."""
    twin = filled(7, 5, 6, 3, 2, seed=961)
    with torch.no_grad():
        change(twin.blocks[1].attention, twin.blocks[0].attention)
    return twin(ids_).detach()

right = by_hand(lambda here, below: here.W_o.weight[:, 2:4].zero_())
mistakes = [
    (whole, "inside the with-block the model answers as always: nothing was switched off"),
    (by_hand(lambda here, below: here.W_o.weight[2:4].zero_()), "rows of W_o were zeroed: these are features of its output; a head owns columns"),
    (by_hand(lambda here, below: here.W_o.weight[:, 1:2].zero_()), "a single feature was switched off: head h owns d_head of them, from h · d_head on"),
    (by_hand(lambda here, below: here.W_o.weight[:, 0:2].zero_()), "head 0 was switched off: heads count from 0, and head 1 was asked for"),
    (by_hand(lambda here, below: here.W_o.weight[:, 4:6].zero_()), "the head after it was switched off: heads count from 0"),
    (by_hand(lambda here, below: here.W_o.weight[:, 3:6].zero_()), "the wrong width: d_head is d_model / num_heads, 2 here, not num_heads"),
    (by_hand(lambda here, below: here.W_o.weight[:, 1::3].zero_()), "every third feature was switched off: a head's features lie side by side"),
    (by_hand(lambda here, below: below.W_o.weight[:, 2:4].zero_()), "the head of the layer below was switched off: layers count from 0"),
    (by_hand(lambda here, below: here.W_o.weight.zero_()), "all heads of the layer were switched off"),
    (by_hand(lambda here, below: (here.W_o.weight[:, 2:4].zero_(), here.W_o.bias.zero_())), "the bias of W_o went as well: it belongs to no head and stays"),
    (by_hand(lambda here, below: (here.W_o.weight.zero_(), here.W_o.bias.zero_())), "the whole attention of the layer was switched off"),
    (by_hand(lambda here, below: here.W_v.weight[2:4].zero_()), "only W_v's weights were zeroed: its bias still goes through W_o"),
    (by_hand(lambda here, below: (here.W_q.weight[2:4].zero_(), here.W_q.bias[2:4].zero_())), "the head now looks at all tokens alike, and still adds what it finds: it must add nothing"),
    (by_hand(lambda here, below: (here.W_k.weight[2:4].zero_(), here.W_k.bias[2:4].zero_())), "the head now looks at all tokens alike, and still adds what it finds: it must add nothing"),
    (by_hand(lambda here, below: (here.W_o.weight[:, :2].zero_(), here.W_o.weight[:, 4:].zero_())), "the head was kept and all others were switched off"),
    (by_hand(lambda here, below: here.W_o.weight[:, 2:4].mul_(0.5)), "the head was only turned down: it must add nothing"),
]
for wrong, message in mistakes:
    assert not torch.allclose(got, wrong, atol=1e-4), message
torch.testing.assert_close(got, right, atol=1e-4, rtol=1e-4, msg=lambda m: f"inside, the logits must be those of a model in which this head's columns of W_o are 0\n{m}")
### BEGIN HIDDEN TESTS
# Property: any head of any layer, for other sizes
ids_ = torch.tensor([[3, 10, 4, 0], [2, 6, 1, 3], [7, 7, 9, 8]])
for d_model, heads, layers in [(15, 5, 2), (8, 2, 3), (4, 4, 1), (9, 1, 2)]:
    model = filled(11, 4, d_model, heads, layers, seed=962 + d_model)
    for layer_ in range(layers):
        for head in sorted({0, heads // 2, heads - 1}):
            twin = filled(11, 4, d_model, heads, layers, seed=962 + d_model)
            with torch.no_grad():
                twin.blocks[layer_].attention.W_o.weight[:, head * d_model // heads:(head + 1) * d_model // heads] = 0
            some = torch.randn(3, d_model, generator=torch.Generator().manual_seed(d_model))
            with ablate_head(model, layer_, head):
                got, out = model(ids_).detach(), model.blocks[layer_].attention.W_o(some).detach()
            wanted = twin.blocks[layer_].attention.W_o(some).detach()
            torch.testing.assert_close(out, wanted, atol=1e-3, rtol=1e-4, msg=lambda m: f"head {head} of {heads}, layer {layer_} of {layers}: the head still adds something to the output of W_o\n{m}")
            torch.testing.assert_close(got, twin(ids_).detach(), atol=1e-3, rtol=1e-4, msg=lambda m: f"head {head} of {heads}, layer {layer_} of {layers}\n{m}")
# Property: two can be nested, and both heads are off inside
model, twin = filled(11, 4, 12, 3, 2, seed=980), filled(11, 4, 12, 3, 2, seed=980)
with torch.no_grad():
    twin.blocks[0].attention.W_o.weight[:, 4:8] = 0
    twin.blocks[0].attention.W_o.weight[:, 8:12] = 0
with ablate_head(model, 0, 1):
    with ablate_head(model, 0, 2):
        got = model(ids_).detach()
torch.testing.assert_close(got, twin(ids_).detach(), atol=1e-3, rtol=1e-4, msg=lambda m: f"heads 1 and 2 of layer 0 both off\n{m}")
### END HIDDEN TESTS
print("9.6 holds inside: the head, the whole head and nothing but the head.")

# %% nbgrader={"grade": true, "grade_id": "ch09_ablate_head_check_afterwards", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["GPT", "GPTConfig"]
"""Exercise 9.6, afterwards: the model is as before, whatever happened inside."""
def filled(vocab, length, d_model, heads, layers, seed):
    model, generator = GPT(GPTConfig(vocab, length, d_model, heads, layers)), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator) / 2)
    return model.eval()

ids_ = torch.tensor([[3, 1, 4, 1, 5], [2, 6, 0, 3, 3]])
model = filled(7, 5, 6, 3, 2, seed=965)
whole = model(ids_).detach()
before = {name: p.detach().clone() for name, p in model.named_parameters()}
with ablate_head(model, 0, 2):
    inside = model(ids_).detach()
assert not torch.allclose(inside, whole, atol=1e-4), "nothing was switched off inside, so there is nothing to put back"
assert torch.allclose(model(ids_).detach(), whole, atol=1e-5), "after the with-block the head is still off: what was changed must be put back (from a copy, not from a view)"
try:
    with ablate_head(model, 0, 2):
        raise KeyError("something went wrong inside")
except KeyError:
    pass
else:
    raise AssertionError("an exception inside the with-block was swallowed: it must come out, after the model is put back")
assert torch.allclose(model(ids_).detach(), whole, atol=1e-5), "after an exception inside the with-block the head is still off: put it back whatever happens"
for name, p in model.named_parameters():
    assert torch.equal(p.detach(), before[name]), f"{name} is not exactly as before"
with ablate_head(model, 0, 2):
    inner = ablate_head(model, 0, 0)
    with inner:
        pass
    torch.testing.assert_close(model(ids_).detach(), inside, atol=1e-5, rtol=1e-5, msg=lambda m: f"nested: after the inner block its head is on again and the outer one still off\n{m}")
assert torch.allclose(model(ids_).detach(), whole, atol=1e-5), "after two nested blocks the model is not as before"
### BEGIN HIDDEN TESTS
# Property: afterwards every parameter is what it was, in its old place, and still learns
model = filled(11, 4, 12, 3, 2, seed=981)
ids_ = torch.tensor([[3, 10, 4, 0], [2, 6, 1, 3]])
whole = model(ids_).detach()
names, before = [name for name, _ in model.named_parameters()], {name: p.detach().clone() for name, p in model.named_parameters()}
for layer_, head in [(0, 0), (1, 2), (0, 1), (1, 1)]:
    with ablate_head(model, layer_, head):
        model(ids_)
assert [name for name, _ in model.named_parameters()] == names, "parameters were renamed, added or lost"
for name, p in model.named_parameters():
    assert torch.equal(p.detach(), before[name]), f"{name} is not exactly as before"
    assert p.requires_grad, f"{name} no longer requires a gradient"
torch.testing.assert_close(model(ids_).detach(), whole, atol=1e-5, rtol=1e-5)
# Property: afterwards gradients reach the head's part of W_o again
model.zero_grad()
model(ids_).sum().backward()
columns = model.blocks[1].attention.W_o.weight.grad[:, 8:12]
assert columns.abs().sum() > 0, "no gradient reaches the columns of the head that was switched off"
# Property: an exception of any kind comes out, and the model is whole again
for error in (ValueError, RuntimeError, ZeroDivisionError):
    try:
        with ablate_head(model, 1, 0):
            raise error("inside")
    except error:
        pass
    else:
        raise AssertionError("an exception inside the with-block was swallowed")
    assert torch.allclose(model(ids_).detach(), whole, atol=1e-5), "after an exception the head is still off"
# Property: the same head can be switched off as often as one likes, each time with the same effect
results = []
for _ in range(3):
    with ablate_head(model, 0, 1):
        results.append(model(ids_).detach())
assert torch.allclose(results[0], results[2], atol=1e-5) and not torch.allclose(results[0], whole, atol=1e-4), "the third time had another effect than the first"
# Property: weights loaded afterwards are used as they are
twin = filled(11, 4, 12, 3, 2, seed=982)
model.load_state_dict(twin.state_dict())
torch.testing.assert_close(model(ids_).detach(), twin(ids_).detach(), atol=1e-5, rtol=1e-5, msg=lambda m: f"something of the old weights is left in the model\n{m}")
### END HIDDEN TESTS
print("9.6 holds afterwards: the model is as before, also after an exception.")

# %% [markdown]
# **Predict, then run.** Eight heads, each switched off in turn. Which ones will the chants miss, which ones the stories?

# %% tags=["show", "uses-exercise"]
full_price, full_share = chant_loss(reader), story_score(reader)
chant_cost, story_cost = torch.zeros(2, 4), torch.zeros(2, 4)
for layer in range(2):
    for head in range(4):
        with ablate_head(reader, layer, head):
            chant_cost[layer, head] = chant_loss(reader) - full_price
            story_cost[layer, head] = full_share - story_score(reader)

best, median = chant_cost[induction_head].item(), chant_cost.flatten().sort().values[3:5].mean().item()
print("without the best induction head chants cost more:               ", best > 0.1)
print("and at least three times as much more as without the median head:", best >= 3 * median)
print("chants and stories miss the same head of layer 1 most:           ", (chant_cost[1].argmax() == story_cost[1].argmax()).item())
print("afterwards the model is as before:                              ", chant_loss(reader) == full_price)

# %% tags=["show", "uses-exercise"]
fig, axes = plt.subplots(2, 1, figsize=(7, 4), sharex=True)
colours = [OKABE_ITO[0]] * 4 + [OKABE_ITO[1]] * 4
for ax, cost, title, label in [(axes[0], chant_cost, "Chants", "rise of the price"), (axes[1], story_cost, "Stories", "share of answers lost")]:
    ax.bar(range(8), cost.flatten().tolist(), color=colours)
    ax.set(title=title, ylabel=label)
    ax.axhline(0, color="black", linewidth=0.6)
axes[1].set_xticks(range(8), [f"layer {i // 4}\nhead {i % 4}" for i in range(8)])
marks = [(axes[0], previous_head, "best previous-token score"), (axes[0], induction_head, "best induction score"), (axes[1], divmod(finds_noun.argmax().item(), 4), "finds the noun")]
for ax, (layer, head), name in marks:
    height = (chant_cost if ax is axes[0] else story_cost)[layer, head].item()
    ax.annotate(name, (4 * layer + head, max(height, 0)), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8)
for ax in axes:
    ax.margins(y=0.2)
show(fig, alt="Bars for the eight heads: above, how much the price of a syllable in chants rises without the head; below, which share of right answers in stories is lost. A few heads matter much and most "
              "matter little; the heads with the best scores are marked.")

# %% [markdown]
# Scores and costs do not tell the same story. In our run all four heads of layer 1 look where an induction head should, with scores of 0.9 and more,
# and yet the chants miss only one of them. The others still look, and switching off one of them alone costs next to nothing. That is the difference
# between a heatmap and evidence: first a hypothesis ("this head looks one after the last time"), then a number for it that anyone can compute, then an
# intervention that shows what depends on it. And read the small bars with care: a head whose loss does not hurt may be idle, or have a colleague who does the same.
#
# There is a surprise in the third line that was printed above, and in the tallest bars: one head continues chants *and* answers "who?". Nobody had
# planned that. But look at what the two have in common: in both, a head must find an earlier place by what it *means* for the present one, and copy
# the word that stands there.
#
# ## 9.10 What breaks if… the period is fixed?
#
# Many demonstrations of induction repeat their random syllables with *one* period: say, always 12. The model does beautifully. Here are a model of
# one layer, taught with a fixed period and with random ones, and our model of two layers, examined with chants of the kind they were taught with, and
# then with chants of period 13.

# %% tags=["show", "uses-exercise"]
def chant_exam(model, shortest, longest):
    inputs, targets, _ = chants(100, LENGTH, torch.Generator().manual_seed(92), shortest=shortest, longest=longest)
    with torch.no_grad():
        guesses = model(inputs).argmax(dim=-1)
    return (guesses == targets)[targets >= 0].float().mean().item()

def chant_lesson(layers, shortest, longest, steps=300):
    model, generator = fresh_model(GPTConfig(len(words), LENGTH, 64, 4, layers), seed=9), torch.Generator().manual_seed(10)
    def next_batch():
        inputs, targets, _ = chants(16, LENGTH, generator, shortest=shortest, longest=longest)
        return inputs.to(device_of_training), targets.to(device_of_training)
    train(model.to(device_of_training), next_batch, steps=steps, peak=4e-3)
    return model.eval().cpu()

def verdict(share):
    return "right" if share > 0.9 else "mostly wrong" if share < 0.5 else "partly right"

print(f"{'':28}{'as taught':15}period 13")
for layers, shortest, longest in [(1, 12, 12), (1, 4, 16), (2, 4, 16)]:
    model = reader if layers == 2 else chant_lesson(layers, shortest, longest)
    name = f"{layers} layer{'s' * (layers - 1)}, " + (f"period {longest}" if shortest == longest else f"periods {shortest} to {longest}")
    print(f"{name:28}{verdict(chant_exam(model, shortest, longest)):15}{verdict(chant_exam(model, 13, 13))}")

# %% [markdown]
# With a fixed period one layer does it all, **by position alone**: "look eleven places back" is a habit that needs no second layer and no syllable; and it is worth nothing for the next period. Taught with random
# periods, one layer cannot find the habit that fits all, since there is none. Only two layers can look up what the last time was. On the chants that
# they were taught with, the first and the last model were both right. The exam with another period told them apart.
#
# ## 9.11 n-gram, RNN, Transformer
#
# You have met three ways to guess the next word in this course: counting (§9.3), a recurrent state (chapter 1), attention. Here they sit the same two exams, each after 300
# batches of the same language; the recurrent network has about as many numbers to learn as the Transformer:

# %% tags=["show", "uses-exercise"]
class Recurrent(nn.Module):
    """A recurrent network in the place of the blocks."""

    def __init__(self, vocab, d_model):
        super().__init__()
        self.embedding, self.rnn, self.head = nn.Embedding(vocab, d_model), nn.GRU(d_model, d_model, batch_first=True), nn.Linear(d_model, vocab)

    def forward(self, ids):
        return self.head(self.rnn(self.embedding(ids))[0])

def count_trigrams(batches=300):
    """How often each word followed each pair of words; called with ids like a model."""
    V, generator = len(words), torch.Generator().manual_seed(9)
    table = torch.full((V * V * V,), 1e-3)
    for _ in range(batches):
        inputs, targets = language_batch(32, generator)
        grams = ((inputs[:, :-1] * V + inputs[:, 1:]) * V + targets[:, 1:])[targets[:, 1:] >= 0]
        table += torch.bincount(grams, minlength=V ** 3)
    pairs = table.view(V * V, V)
    return lambda ids: torch.cat([torch.zeros(len(ids), 1, V), pairs[ids[:, :-1] * V + ids[:, 1:]]], dim=1)

torch.manual_seed(9)
recurrent, generator = Recurrent(len(words), 128).to(device_of_training), torch.Generator().manual_seed(9)
train(recurrent, lambda: [part.to(device_of_training) for part in language_batch(32, generator)], steps=300, peak=1e-2)
count = lambda model: sum(p.numel() for p in model.parameters())
contestants = {"n-gram (n = 3)": (count_trigrams(), "2 words", "–", len(words) ** 3), "RNN (GRU)": (recurrent.eval().cpu(), "all, through one vector", "n", count(recurrent)),
               "Transformer (GPT)": (reader, "all, each directly", "1", count(reader))}
results = {name: (story_score(model), chant_score(model)) for name, (model, *_) in contestants.items()}
results["Transformer (GPT)"] = next(shares for step, *shares in history if step == 300)      # as it was after 300 steps, too
winner = max(results, key=lambda name: sum(results[name]))
print("best in both exams together:", winner)

# %% tags=["show", "uses-exercise"]
fig, ax = plt.subplots(figsize=(7.2, 1.9))
ax.set_axis_off()
header = ["", "sees", "steps across\nn words", "numbers\nlearned", "stories\nright", "chants\nright"]
rows_of_table = [[name, sees, path, f"{numbers:,}", f"{results[name][0]:.0%}", f"{results[name][1]:.0%}"] for name, (_, sees, path, numbers) in contestants.items()]
table = ax.table(cellText=[header] + rows_of_table, loc="center", cellLoc="center", colWidths=[0.2, 0.25, 0.14, 0.13, 0.11, 0.11])
table.auto_set_font_size(False)
table.set_fontsize(8.5)
for (row, column), cell in table.get_celld().items():
    cell.set_height(0.26 if row == 0 else 0.2)
    cell.set_edgecolor("0.85")
    if row and rows_of_table[row - 1][0] == winner:
        cell.set_facecolor("#D6E8F5")
    if row == 0 or column == 0:
        cell.get_text().set_weight("bold")
ax.set_title("The same language, the same two exams, 300 batches each; the best row is shaded")
show(fig, alt="A table of three models: n-gram, recurrent network and Transformer, with how much each sees, how many steps lie between distant words, how many numbers it learned, and its share of right answers in "
              "stories and chants. The n-gram fails both exams; the Transformer's row is shaded as the best.")

# %% [markdown]
# The n-gram sees two words and misses everything that matters. The recurrent network has seen it all, and must carry all of it through one vector of 128 numbers. The Transformer keeps every word and goes back to it. (A
# small world and a minute of training: with patience the recurrent network gets further. What it cannot get rid of is the bottleneck.)
#
# ## Summary
#
# *Will it answer right about cat and mat, and which head knows?* It did, for pairs that it had never met. At "it" nobody can know; at the answer, a head of layer 1 looks at the right noun in more than 90 of 100 stories.
# You can now
#
# - **cut a text into batches** and **price a guess**: the mean of $-\ln p$, over the places that count; $\ln 96$ for a model that knows nothing;
# - **train a GPT**: warm-up, cosine, clipping of the one long gradient; and before that, two tests: a fresh model costs $\ln$ of the vocabulary, and one batch can be learned by heart;
# - **say whether it is any good**: it beat the trigram, which was counted in the same chapter;
# - **find out what a head does and prove it**: previous-token heads below, induction heads above, by scores; and by switching them off;
# - **say what a causal model can know at "it"**: nothing of what follows: no logit and no weight differs.
#
# **Next:** everything here was small, 48 words at a time. Attention's table of weights grows with the square of the length. Chapter 10 computes the same attention without ever writing that table down.
#
# ## Further reading
#
# - Elhage et al., *A Mathematical Framework for Transformer Circuits* (2021): "Two-Layer Attention-Only Transformers", where induction heads were found. [transformer-circuits.pub](https://transformer-circuits.pub/2021/framework/index.html)
# - Olsson et al., *In-context Learning and Induction Heads* (2022): the sudden step in the curve, at full size. [arXiv:2209.11895](https://arxiv.org/abs/2209.11895)
# - Michel, Levy and Neubig, *Are Sixteen Heads Really Better than One?* (2019), section 3: switching heads off, one by one. [arXiv:1905.10650](https://arxiv.org/abs/1905.10650)
# - Voita et al., *Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned* (2019), section 6: heads that
#   must earn their place. [arXiv:1905.09418](https://arxiv.org/abs/1905.09418)
# - Jain and Wallace, *Attention is not Explanation* (2019), and Wiegreffe and Pinter, *Attention is not not Explanation* (2019): why a heatmap alone proves little. [arXiv:1902.10186](https://arxiv.org/abs/1902.10186),
#   [arXiv:1908.04626](https://arxiv.org/abs/1908.04626)
# - Loshchilov and Hutter, *SGDR: Stochastic Gradient Descent with Warm Restarts* (2017), section 3: the cosine. [arXiv:1608.03983](https://arxiv.org/abs/1608.03983)
# - Pascanu, Mikolov and Bengio, *On the Difficulty of Training Recurrent Neural Networks* (2013), section 3.2: clipping the norm. [arXiv:1211.5063](https://arxiv.org/abs/1211.5063)
# - Chen and Goodman, *An Empirical Study of Smoothing Techniques for Language Modeling* (1999), section 2: better n-grams than ours.
