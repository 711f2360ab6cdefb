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
# # 1 · Why attention?
#
# *60 minutes · 4 exercises, 7 points · you need Python and a first acquaintance with PyTorch tensors*
#
# > We sat on the river **bank**. She put her savings in the **bank**.
#
# You did not hesitate: one bank is made of earth, the other of money. Yet the word is the same, letter for
# letter, and a network that looks words up in a table finds the same entry both times. **How can a word's
# meaning come from the words around it?** By the end of this chapter you will have written the mechanism that
# does it, in three lines and without a single trained weight, and you will have measured how far it pulls the
# two banks apart.
#
# **After this chapter you can**
#
# - show that a static embedding gives a word one vector, whatever stands around it;
# - measure what is lost when a sentence is squeezed through one vector, and say why attention loses none of it;
# - turn scores into weights with a softmax that survives huge scores and blocked entries;
# - compute self-attention without weights: by hand for one word, with two matrix products for a batch;
# - measure how context moves a word, and say where attention sits in a large language model.

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% [markdown]
# Two small helpers draw the figures of the whole course. Run them and read on: they hold no idea that you need.

# %%
OKABE_ITO = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"]
STYLE = {
    "axes.prop_cycle": plt.cycler(color=OKABE_ITO), "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 10, "axes.titlelocation": "left", "figure.constrained_layout.use": True, "font.size": 9,
    "figure.dpi": 144,
}
plt.rcParams.update(STYLE)

def show(fig, alt):
    """Display a figure once, 100 screen pixels to the inch, with the text that stands for it where it is not seen."""
    from IPython.display import display
    display(fig, metadata={"image/png": {"alt": alt, "width": round(100 * fig.get_figwidth())}})
    plt.close(fig)

# %%
def draw_matrix(ax, matrix, rows=None, columns=None, title="", cmap="Blues", limits=None, digits=2):
    """Draw a (rows, columns) matrix as a heatmap; up to 12 x 12 the numbers stand in the cells (not if digits is None).

    Colours span the finite values (for "PuOr" evenly about zero) unless limits=(low, high) are given; the rest is grey.
    """
    matrix = torch.as_tensor(matrix).detach().cpu().float()
    finite = matrix[matrix.isfinite()]
    low, high = limits or ((finite.min().item(), finite.max().item()) if len(finite) else (0, 1))
    if limits is None and cmap == "PuOr":
        low, high = -max(-low, high), max(-low, high)
    if low == high:
        low, high = min(low, 0), max(high, 1)
    image = ax.imshow(matrix.numpy(), cmap=cmap, vmin=low, vmax=high)
    ax.set_facecolor("0.85")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title(title)
    small = max(matrix.shape) <= 12
    if columns is not None:
        ax.set_xticks(range(matrix.shape[1]), columns, rotation=45, ha="right", rotation_mode="anchor")
    elif small:
        ax.set_xticks(range(matrix.shape[1]))
    if rows is not None or small:
        ax.set_yticks(range(matrix.shape[0]), rows)
    if small and digits is not None:
        for i, row in enumerate(matrix.tolist()):
            for j, value in enumerate(row):
                red, green, blue, _ = image.cmap(image.norm(value))
                dark = abs(value) < float("inf") and 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
                text = f"{value:.{digits}f}".replace("inf", "∞").replace("-", "−")
                ax.text(j, i, text, ha="center", va="center", color="white" if dark else "black", fontsize=8)
    return image

# %%
ROAD = ["why", "queries,\nkeys", "masks", "heads", "order", "block", "encoder–\ndecoder", "GPT", "training", "speed"]

def draw_road(here):
    """The chapters in a row: those behind you, the one you are in (here), those ahead; one step before and one after."""
    fig, ax = plt.subplots(figsize=(7, 0.8))
    stages = ["text to\ntokens", *ROAD, "assistant"]
    for place, stage in enumerate(stages):
        outside = place in (0, len(ROAD) + 1)
        colour = "0.93" if outside else "#B8DCF2" if place < here else OKABE_ITO[1] if place == here else "0.85"
        ax.barh([0], [0.96], left=place, color=colour)
        label = stage if outside else f"{place}{' ✓' if place < here else ''}\n{stage}"
        ax.text(place + 0.48, 0, label, ha="center", va="center", fontsize=7, color="0.45" if outside else "black")
    ax.set(xlim=(0, len(stages)), ylim=(-0.45, 0.45))
    ax.axis("off")
    show(fig, f"The chapters in a row. Done: {here - 1}. You are in chapter {here} of {len(ROAD)}. Before the course stands the step from "
              "text to tokens, after it the step from a trained model to an assistant.")

# %%
GUESSES = {}

def check_guess(what, guess, measured):
    """Print what was measured beside your guess, a number or a word, and keep both for worst_guesses."""
    from math import log10
    number = isinstance(guess, (int, float)) and isinstance(measured, (int, float))
    shown = f"{measured:.3g}" if isinstance(measured, float) else measured
    if guess is None:
        print(f"{what}: {shown} (you typed no guess)")
        return
    if number:                                   # how many times too large or too small; 0 is as far off as 1000 times
        small, large = sorted([abs(guess), abs(measured)])
        off = 0.0 if guess == measured else min(log10(large / small), 3) if small > 0 and guess * measured > 0 else 3.0
    else:
        off = 0.0 if str(guess).strip().lower() == str(measured).strip().lower() else 3.0
    GUESSES[what] = (off, guess, shown)
    print(f"{what}: {shown}, your guess was {guess}")

def worst_guesses(most=3):
    """Print the guesses that were furthest off: they show what this chapter changed in your mind."""
    far = sorted((entry for entry in GUESSES.items() if entry[1][0] > 0), key=lambda entry: -entry[1][0])[:most]
    for what, (_, guess, shown) in far:
        print(f"{what}: you guessed {guess}, it was {shown}")
    if not far:
        print("No guess was wrong." if GUESSES else "You typed no guesses in this chapter.")

def draw_guess(ax, guess, axis="y"):
    """A dashed line at your guess, if you typed a number."""
    if isinstance(guess, (int, float)):
        (ax.axhline if axis == "y" else ax.axvline)(guess, linestyle="--", color="0.4", label="your guess")

# %% [markdown]
# ## 1.1 One word, one vector
#
# A network cannot read letters; it reads vectors. Where do a word's numbers come from? The oldest recipe is still a
# good one: *a word is known by the company it keeps*. Here are sixteen sentences, half of them about a river, half
# about money. Words such as "the" keep company with everything, so we leave them out.

# %%
text = """the boat drifted down the river to the bank        | the bank pays interest on savings
the water of the river rose over the muddy bank            | she put her money in the bank
reeds grow in the water near the bank                      | the bank gave him a loan to buy a house
fish swim in the clear water of the river                  | money in the account earns interest
the fish hid in the reeds by the muddy bank                | he moved his savings to another account
a fish jumped out of the river near the boat               | the account at the bank holds money and savings
we sat on the bank of the river and watched the boat       | she paid interest on the loan from the bank
clear water and muddy reeds filled the river               | with her savings and a loan she bought the house"""
small_words = set("the a an of to in on at by and from near over out down with we she he her his him".split())

def content(sentence):
    return [word for word in sentence.split() if word not in small_words]

corpus = [content(sentence) for line in text.splitlines() for sentence in line.split("|")]
words = sorted({word for sentence in corpus for word in sentence})
index = {word: n for n, word in enumerate(words)}
print(len(corpus), "sentences,", len(words), "words; the first:", corpus[0])

# %% [markdown]
# Now we count how often two words share a sentence, and ask how much more often that is than chance would have it.
# The logarithm of this ratio (never below 0) fills a square table with a row for each word. A singular value
# decomposition then keeps the two directions that say most, so that each word ends as a point in the plane.

# %%
together = torch.zeros(len(words), len(words))
for sentence in corpus:
    for a in sentence:
        for b in sentence:
            together[index[a], index[b]] += a != b
by_chance = together.sum(1, keepdim=True) * together.sum(0) / together.sum()

directions, strengths, _ = torch.linalg.svd((together / by_chance).log().clamp(min=0))
vectors = directions[:, :2] * strengths[:2].sqrt()       # (words, 2)
vectors = vectors * vectors.sum(0).sign()                # the sign of a direction is free: let it point up
print("one vector per word:", tuple(vectors.shape))

# %% tags=["show"]
def draw_words(ax, named):
    """All words as grey points; those named in colour, with their names."""
    ax.scatter(*vectors.T.tolist(), color="0.75", s=18)
    for word in named:
        place = vectors[index[word]].tolist()
        ax.scatter(*place, color=OKABE_ITO[3] if word == "bank" else OKABE_ITO[0], s=30)
        ax.annotate(word, place, (7, 0), textcoords="offset points", va="center")
    ax.set(xlabel="direction 1", ylabel="direction 2", xlim=(-0.05, 1.4), ylim=(-0.3, 1.05))

fig, ax = plt.subplots(figsize=(7, 3.6))
draw_words(ax, ["river", "boat", "jumped", "savings", "loan", "buy", "bank"])
ax.set_title('River words lie along one direction, money words along the other, "bank" between them')
show(fig, "Scatter plot of word vectors: river words up the left side, money words along the bottom, bank alone "
     "in between.")

# %% [markdown]
# Nobody told the machine what a river is. It counted, and the two topics took a direction each: river words point up,
# money words to the right. "Bank" keeps both companies, so it lies between them.
#
# A network holds such vectors in an embedding layer, which is a table and nothing more: number in, row out. Look
# "bank" up in the two sentences at the top of this chapter.

# %%
embedding = nn.Embedding.from_pretrained(vectors)

def look_up(sentence):
    """The vectors of a sentence's content words, and the place of "bank" among them."""
    kept = content(sentence)
    return embedding(torch.tensor([index[word] for word in kept])), kept.index("bank")

river, i = look_up("we sat on the river bank")
money, j = look_up("she put her savings in the bank")
print("river sentence:  bank =", [round(v, 3) for v in river[i].tolist()])
print("money sentence:  bank =", [round(v, 3) for v in money[j].tolist()])
print("the same vector:", torch.equal(river[i], money[j]))

# %% [markdown]
# The same vector, to the last digit. Such an embedding is called **static**: it was fixed before the sentence was
# seen. More text or more dimensions would not help, since a table has one row per word. The
# vector must be *changed by its sentence*. How do the words of a sentence get to speak to one another?

# %% [markdown]
# ## 1.2 One sentence, one vector
#
# The answer of the years before 2015 was to read as we do, from left to right, with a memory. A **recurrent encoder**
# keeps a state $h$ and changes it with every word $x_t$:
#
# $$h_t = \tanh(W x_t + U h_{t-1} + b)$$
#
# After the last word, $h$ has seen the whole sentence, in order. A translator of that time handed this one vector to
# a second network, which had to write the translation from it. How large is the vector?

# %%
encoder = nn.RNN(input_size=2, hidden_size=4, batch_first=True)
for seq in (3, 30, 3000):
    states, last = encoder(torch.randn(1, seq, 2))       # (1, seq, 4), (1, 1, 4)
    print(f"{seq:4d} words -> {seq:4d} states on the way, and at the end one vector of {last.numel()} numbers")

# %% [markdown]
# Three words or three thousand: the same four numbers. This is the **bottleneck**. Whether it hurts is a question for
# a measurement, so we build two readers that differ in one thing only.
#
# Both read a sentence of random words (random, so that nothing can be guessed), then answer for every place $p$ the
# question "which word stood there?", as a translator must who starts writing only when the reading is over. Both have
# the same encoder and the same number of parameters. Both answer from a weighted sum of the encoder's states:
#
# - the **one-vector reader** must put all its weight on the last state;
# - the **reader that looks back** may spread its weight over all states, and chooses it anew for each question.

# %% tags=["show"]
class Reader(nn.Module):
    """Reads a sentence, then names the word that stood at each place."""

    def __init__(self, looks_back, words=10, places=24, width=32):
        super().__init__()
        self.looks_back = looks_back
        self.word, self.place = nn.Embedding(words, width), nn.Embedding(places, width)
        self.encoder = nn.RNN(width, width, batch_first=True)
        self.ask = nn.Linear(width, width)
        self.answer = nn.Sequential(nn.Linear(2 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, words))

    def forward(self, ids):                                              # (batch, seq)
        place = self.place.weight[:ids.shape[1]]                         # (seq, width)
        states, _ = self.encoder(self.word(ids) + place)                 # (batch, seq, width)
        questions = self.ask(place).expand_as(states)                    # (batch, seq, width): one per place
        if self.looks_back:
            weights = (questions @ states.transpose(1, 2)).softmax(dim=-1)    # (batch, question, state)
        else:
            weights = states.new_zeros(*ids.shape, ids.shape[1])
            weights[:, :, -1] = 1                                        # the last state, whatever is asked
        handed_over = weights @ states                                   # (batch, question, width)
        return self.answer(torch.cat([handed_over, questions], dim=-1)), weights

# %% tags=["show"]
LENGTHS = (2, 4, 8, 12, 16, 24)

def train(reader, steps=1500):
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(reader.parameters(), lr=0.003)
    for step in range(steps):
        ids = torch.randint(10, (64, LENGTHS[step % len(LENGTHS)]), generator=generator).to(device)
        answers, _ = reader(ids)
        loss = F.cross_entropy(answers.flatten(0, 1), ids.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

@torch.no_grad()
def recall(reader, seq):
    """The share of 2,000 new sentences in which the word at each place is named: (seq,)."""
    ids = torch.randint(10, (2000, seq), generator=torch.Generator().manual_seed(seq)).to(device)
    return (reader(ids)[0].argmax(dim=-1) == ids).float().mean(dim=0).cpu()

# %% [markdown]
# Both start from the same numbers and are trained on the same sentences of 2 to 24 words, drawn from a vocabulary of
# ten. Then each reads new sentences of every length, and we count how often it knows the *first* word.
#
# **Predict, then run.** How often will the one-vector reader know the first word of 2? And the first of 24? (Guessing
# is right one time in ten.) What will the reader that looks back do?

# %% tags=["show"]
readers = {"looks back": Reader(looks_back=True).to(device), "one vector": Reader(looks_back=False).to(device)}
readers["one vector"].load_state_dict(readers["looks back"].state_dict())
threads = torch.get_num_threads()
torch.set_num_threads(1)                                 # for steps as small as these one core is enough
for reader in readers.values():
    train(reader)
torch.set_num_threads(threads)

first = {name: [recall(reader, seq)[0].item() for seq in LENGTHS] for name, reader in readers.items()}
print("parameters of each reader:", [sum(p.numel() for p in reader.parameters()) for reader in readers.values()])
print("one vector knows the first word of  2 in more than 90% of sentences:", first["one vector"][0] > 0.9)
print("one vector knows the first word of 24 in fewer than 30%:            ", first["one vector"][-1] < 0.3)
print("looking back knows it in more than 99%, at every length:            ", min(first["looks back"]) > 0.99)

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 2.9), sharey=True)
for (name, reader), marker in zip(readers.items(), "os"):
    left.plot(LENGTHS, first[name], marker=marker, ms=4, label=name)
    right.plot(range(24), recall(reader, 24), marker=marker, ms=4, label=name)
for ax in (left, right):
    ax.axhline(0.1, color="0.5", ls=":", lw=1)
left.annotate("guessing", (2, 0.1), (0, 4), textcoords="offset points", color="0.4")
left.set(xticks=LENGTHS, xlabel="words in the sentence", ylabel="share recalled", ylim=(0, 1.05))
left.set_title("The first word fades as sentences grow …")
right.set(xticks=(0, 6, 12, 18, 23), xlabel="place of the word (0: the first)")
right.set_title("… and of 24 words only the last stay")
right.legend(frameon=False, loc="center left")
show(fig, "Two line plots. Left: recall of the first word against sentence length; the one-vector reader falls from "
     "nearly 1 to near guessing, the reader that looks back stays at 1. Right: recall by place in sentences of 24 "
     "words; the one-vector reader knows the last few words only, the other knows all.")

# %% [markdown]
# The word that was read first is the one a translator needs first, and the one-vector reader has overwritten it. Its
# encoder is not to blame: the other reader has one of the same make, begun from the same numbers, and recalls
# everything. The difference lies in what is handed over. Here are the weights with which each collects its answer
# from the states.

# %% tags=["show"]
ids = torch.randint(10, (1, 12), generator=torch.Generator().manual_seed(12)).to(device)
with torch.no_grad():
    used = {name: reader(ids)[1][0] for name, reader in readers.items()}        # (question, state)
fig, axes = plt.subplots(1, 2, figsize=(7, 3.4))
titles = {"one vector": "One vector: all from the last state", "looks back": "Looking back: the alignment"}
for ax, (name, title) in zip(axes, titles.items()):
    image = draw_matrix(ax, used[name], title=title, limits=(0, 1), digits=None)
    ax.set(xlabel="state after word", ylabel="question: the word at place")
fig.colorbar(image, ax=axes, label="weight", shrink=0.8)
show(fig, "Two 12 by 12 heatmaps of weights. Left: one dark column, the last state. Right: a dark diagonal.")
own = torch.equal(used["looks back"].argmax(dim=-1).cpu(), torch.arange(12))
print("looking back, the largest weight of each question lies on its own word:", own)

# %% [markdown]
# Nobody told the second reader where to look. It was told only whether its answers were right, and it found the
# **alignment** by itself: question 5 reads at word 5. In a translation, where the order of words changes, the dark
# cells leave the diagonal and show which word was translated from which (chapter 7 trains one). This is how attention
# entered the world in 2014: as a repair for the bottleneck.
#
# Three years later came the bolder step: if looking back works so well, why read in order at all? Let **every word
# look at every word**, and drop the recurrent network. The rest of this chapter does that by hand. To see the
# mechanism bare, we strip off everything that is trained.

# %% [markdown]
# ## 1.3 Scores: how well do two words fit?
#
# Our running example for four chapters is a sentence of six words, each with three numbers: few enough to follow by hand.

# %%
tokens = ["Your", "journey", "starts", "with", "one", "step"]
x = torch.tensor([[0.43, 0.15, 0.89],    # Your
                  [0.55, 0.87, 0.66],    # journey
                  [0.57, 0.85, 0.64],    # starts
                  [0.22, 0.58, 0.33],    # with
                  [0.77, 0.25, 0.10],    # one
                  [0.05, 0.80, 0.55]])   # step
print("x:", tuple(x.shape), "= (seq, d_model)")

# %% [markdown]
# Take the word "journey". It wants to know how much each word of the sentence matters to it. A simple measure of fit
# is the **dot product**: multiply the vectors number by number and add up. For "journey" and "Your":

# %%
journey, your = x[1].tolist(), x[0].tolist()
products = [a * b for a, b in zip(journey, your)]
print(" + ".join(f"{a:.2f}·{b:.2f}" for a, b in zip(journey, your)), "=", round(sum(products), 4))

# %% [markdown]
# That number is a **score**. The token that asks is called the **query**; here it is "journey", and every token of
# the sentence, itself included, gets a score.

# %%
for token, vector in zip(tokens, x.tolist()):
    score = sum(a * b for a, b in zip(journey, vector))
    print(f"journey · {token:8s} = {score:.4f}")

# %% [markdown]
# "starts" scores almost as high as "journey" itself, since their vectors are nearly the same; "one" points elsewhere
# and scores least. Geometry says why:
#
# $$q \cdot k = \lVert q \rVert \, \lVert k \rVert \cos\theta$$
#
# A score grows when two vectors point the same way, and also when they are *long*. Keep the second half in mind; it
# will surprise us in section 1.5.
#
# ### Exercise 1.1 · Attention scores · 1 point · about 5 minutes
#
# Write the scores of one token with every token as a function of the whole sentence. It must work for any sentence
# and any number of features, on the dtype and device of `x`, leave `x` itself unchanged, and let gradients flow through: so keep the numbers inside
# tensors. (The same holds for every exercise of the course.)
#
# <details><summary>Hint 1</summary>You need as many dot products as there are tokens, all with the same partner.</details>
# <details><summary>Hint 2</summary>Shapes: a table (seq, d) meets one row (d,). Which product of a matrix and a vector gives (seq,)?</details>
# <details><summary>Hint 3</summary>Without a matrix product: multiply the table by the row, entry by entry, and then get rid of the axis of length d.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_attention_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(x, i):
    """Dot products of token i with every token of the sentence.

    x: (seq, d_model)   i: the token that asks, a number from 0 to seq - 1
    Returns the scores: (seq,).
    """
    ### BEGIN SOLUTION
    return x @ x[i]                      # (seq, d_model) @ (d_model,) -> (seq,)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_attention_scores_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.1: the dot product of one token with every token, itself included."""
toy = torch.tensor([[1., 2.], [3., -1.], [0., 2.], [2., 3.], [-1., 1.]])     # five tokens, two features
asking = toy[2]
expected = torch.tensor([4., -2., 4., 6., 2.])                             # of token 2, by hand

scores = attention_scores(toy, 2)
assert isinstance(scores, torch.Tensor), f"a tensor of scores is expected, got {type(scores).__name__}"
shapes = {(5, 2): "the products were not added up: a dot product is one number for each token",
          (5, 5): "these are the scores of all tokens: only those of token i were asked for",
          (2,): "one number for each feature came out: one for each token is wanted",
          (4,): "a token is missing: token i scores itself, too",
          (): "one single number came out: one for each token is wanted"}
assert tuple(scores.shape) == (5,), (
    f"{shapes.get(tuple(scores.shape), 'wrong shape')} (shape (5,) expected, got {tuple(scores.shape)})")
mistakes = {
    "these are cosines: leave the lengths of the vectors in": F.cosine_similarity(toy, asking[None], dim=-1),
    "the scores were divided by √d: that comes in chapter 2": expected / 2 ** 0.5,
    "the scores were divided by d: a dot product is a sum, not a mean": expected / 2,
    "these are weights: scores come before softmax": expected.softmax(dim=0),
    "token i must score itself, too (token 2 with itself: 4)": expected * torch.tensor([1., 1., 0., 1., 1.]),
    "token i must score itself, too (token 2 with itself is 4, not -inf)":
        expected.masked_fill(torch.arange(5) == 2, float("-inf")),
    "tokens after token i must be scored, too: nothing is hidden in this chapter":
        expected * torch.tensor([1., 1., 1., 0., 0.]),
    "token i must score the tokens before it, too": expected * torch.tensor([0., 0., 1., 1., 1.]),
    "these are distances: a large score must mean a good fit": (toy - asking).norm(dim=-1),
    "these are squared distances: a large score must mean a good fit": (toy - asking).square().sum(-1),
    "the signs got lost: a score may be negative": expected.abs(),
    "the vectors were added, not multiplied": (toy + asking).sum(-1),
    **{f"these are the scores of token {other}, not of token 2: does the function use i?":
        toy @ toy[other] for other in (0, 1, 3, 4)},
}
for mistake, values in mistakes.items():
    assert not torch.allclose(scores.detach().float(), values, atol=1e-4), mistake
torch.testing.assert_close(scores, expected, msg=lambda m: f"the scores of token 2 are 4, -2, 4, 6, 2\n{m}")
double = attention_scores(toy.double(), 0)
assert double.dtype == torch.float64, (
    f"the scores must have the dtype of x: torch.float64 went in, {double.dtype} came out")
### BEGIN HIDDEN TESTS
for seq, d in [(7, 3), (3, 7), (5, 5), (1, 2), (13, 1)]:
    generator = torch.Generator().manual_seed(100 * seq + d)
    for dtype in (torch.float32, torch.float64):
        sentence = torch.randn(d, seq, generator=generator, dtype=dtype).T        # not contiguous
        before = sentence.clone()
        for i in range(seq):
            # Property: right for every token of sentences of any length and width
            scores = attention_scores(sentence, i)
            assert tuple(scores.shape) == (seq,), (
                f"x of shape ({seq}, {d}): scores of shape ({seq},) expected, got {tuple(scores.shape)}")
            # Property: x is left as it was
            assert torch.equal(sentence, before), "x was changed in place"
            # Property: the scores have the dtype of x
            assert scores.dtype == dtype, f"x is {dtype}, the scores are {scores.dtype}"
            # Property: every score is the dot product of token i with that token
            wanted = torch.stack([(sentence[i] * sentence[j]).sum() for j in range(seq)])
            torch.testing.assert_close(scores, wanted, msg=lambda m: f"token {i} of x with shape ({seq}, {d})\n{m}")
# Property: gradients flow from the scores back to x
sentence = torch.randn(5, 3, generator=torch.Generator().manual_seed(5), dtype=torch.float64).requires_grad_()
scores = attention_scores(sentence, 3)
assert scores.requires_grad, "the scores have lost their connection to x: numbers were taken out of the tensors"
(gradient,) = torch.autograd.grad(scores[0] + 2 * scores[3], sentence)
wanted = torch.zeros(5, 3, dtype=torch.float64)
wanted[0], wanted[3] = sentence[3].detach(), (sentence[0] + 4 * sentence[3]).detach()
torch.testing.assert_close(gradient, wanted, msg=lambda m: f"the gradient is not that of a dot product\n{m}")
# Property: the scores are computed on the device of x
try:
    scores = attention_scores(torch.empty(5, 3, device="meta"), 1)
except Exception as error:
    raise AssertionError("x stood on another device, and that failed: was a tensor made on the CPU, or a number "
                         f"taken out? ({error})") from error
assert scores.device.type == "meta", f"x stood on another device, but the scores came out on {scores.device}"
### END HIDDEN TESTS
print("1.1 holds: token i is scored with every token, itself included, in any sentence.")

# %% [markdown]
# With your function every word can ask. Read a row as "how much does this word care for each of the others".

# %% tags=["uses-exercise"]
print(" " * 8 + "".join(f"{token:>9s}" for token in tokens))
for i, token in enumerate(tokens):
    print(f"{token:8s}" + "".join(f"{score:9.4f}" for score in attention_scores(x, i).tolist()))

# %% [markdown]
# Row "journey" is the one from above. The table mirrors itself along its diagonal, as $a \cdot b = b \cdot a$: what
# "journey" thinks of "step", "step" thinks of "journey". Chapter 2 will break that mirror.
#
# ## 1.4 Weights: softmax
#
# Scores say who matters; to mix six vectors we need shares: positive numbers that sum to 1. Why not
# divide by the sum? Because scores may be negative, and then "shares" go wild:

# %%
scores = torch.tensor([2.0, -1.0, -0.9])
print("divided by their sum:", [round(s, 2) for s in (scores / scores.sum()).tolist()])

# %% [markdown]
# A share of 2000%, against two of minus 1000% and minus 900%. **Softmax** makes every score positive first, with the
# exponential:
#
# $$\mathrm{weight}_j = \frac{e^{\mathrm{score}_j}}{\sum_k e^{\mathrm{score}_k}}$$
#
# For the six scores of "journey":

# %%
journey_scores = torch.stack([x[1].dot(vector) for vector in x])       # (6,)
exponentials = journey_scores.exp()
journey_weights = exponentials / exponentials.sum()
print("scores ", [round(s, 4) for s in journey_scores.tolist()])
print("weights", [round(w, 4) for w in journey_weights.tolist()], " sum", round(journey_weights.sum().item(), 4))

# %% [markdown]
# Two properties to remember. Adding the same number to all scores changes nothing, since $e^{s+c} = e^s e^c$ and the
# factor cancels: **only differences count**. And a score that is higher by 1 gets $e \approx 2.718$ times the
# weight. With these two you can refute a line that is copied from text to text: "softmax of [100, 101, 99] is about
# [0.27, 0.73, 0.001]".

# %%
often_written = torch.tensor([0.27, 0.73, 0.001])
exact = torch.softmax(torch.tensor([100., 101., 99.]), dim=0)
shifted = torch.softmax(torch.tensor([0., 1., -1.]), dim=0)
for name, w in [("often written", often_written), ("exact", exact), ("of [0, 1, -1]", shifted)]:
    print(f"{name:14s} {[round(v, 4) for v in w.tolist()]}   sum {w.sum():.3f}   "
          f"second : first = {w[1] / w[0]:.3f}   first : third = {w[0] / w[2]:.3f}")
print("of [100, 101] alone", [round(v, 4) for v in torch.softmax(torch.tensor([100., 101.]), dim=0).tolist()])

# %% [markdown]
# The copied line does not sum to 1, and its first number is 270 times its third where the scores differ by 1 only.
# The last row shows where it may have come from: somebody took the softmax of two scores and guessed the third.
#
# **What breaks if…** we compute the formula as it stands, and the scores are large?

# %%
large = torch.tensor([1000., 1001., 999.])
print("exponentials:", large.exp().tolist())
print("weights:     ", (large.exp() / large.exp().sum()).tolist())

# %% [markdown]
# $e^{1000}$ is more than a computer's numbers can hold, and infinity divided by infinity is "not a number". But the
# differences are as small as before, so the right answer is $[0.2447, 0.6652, 0.0900]$ once more. The way out is in
# the sentence "only differences count".
#
# The other end deserves care as well. A score of $-\infty$ is how chapter 3 will say "you may not look here":
# $e^{-\infty} = 0$, no weight. And if *nothing* may be looked at?

# %%
inf = float("inf")
print("one blocked:", torch.softmax(torch.tensor([0., 0., -inf]), dim=0).tolist())
print("all blocked:", torch.softmax(torch.tensor([-inf, -inf, -inf]), dim=0).tolist())

# %% [markdown]
# PyTorch answers 0/0, and one NaN like this is enough to ruin every parameter of a model. In this course a
# token that may look at nothing gets nothing: **weights of zero**. Yours will do better than PyTorch's.
#
# ### Exercise 1.2 · A softmax that does not break · 2 points · about 12 minutes
#
# Write `softmax(scores, dim)` from scratch, or with PyTorch's inside; both roads are open.
#
# - 1 point: right along any axis, with scores of ±10,000 too;
# - 1 point: entries of $-\infty$ get weight 0; where all are $-\infty$, all weights are 0. Never a NaN, neither in
#   the weights nor in the gradient.
#
# <details><summary>Hint 1</summary>Which number can you subtract from all scores, so that no exponential is larger than 1?</details>
# <details><summary>Hint 2</summary>Each row needs its own such number, and its own sum: reduce along dim, but keep that axis (with length 1) so that the shapes still fit.</details>
# <details><summary>Hint 3</summary>For a blocked row the largest score is −∞, and −∞ − (−∞) is NaN; then its sum is 0, and 0/0 is NaN. Replace both numbers with harmless ones <em>before</em> they do harm: a NaN that is painted over afterwards still spoils the gradient.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(scores, dim=-1):
    """Weights along dim: positive, and summing to 1 (or all zero where every score is -inf).

    scores: any shape   Returns the weights: the same shape.
    """
    ### BEGIN SOLUTION
    top = scores.amax(dim, keepdim=True)
    top = top.masked_fill(top == float("-inf"), 0.0)     # a blocked row: -inf - 0 stays -inf, no NaN
    exponentials = (scores - top).exp()                  # the largest is 1: nothing overflows
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.2, first point: shares along any axis, of small scores and of huge ones."""
asked = torch.tensor([[1., 2., 4.], [0., -2., 1.]])
e = torch.exp(asked)
weights = softmax(asked, dim=-1)
assert isinstance(weights, torch.Tensor), f"a tensor of weights is expected, got {type(weights).__name__}"
assert tuple(weights.shape) == (2, 3), f"one weight for each score: shape (2, 3) expected, got {tuple(weights.shape)}"
assert asked[0, 0] == 1 and asked[1, 0] == 0, (
    "the scores themselves were changed: make new tensors, leave the given one alone (no in place)")
mistakes = {
    "softmax ran over the wrong axis: with dim=-1 each row must sum to 1": e / e.sum(0),
    "the sum was taken over the whole table: each row needs its own": e / e.sum(),
    "the exponentials were not divided by their sum": e,
    "the largest score was subtracted, but the exponentials were not divided by their sum":
        e / e.amax(-1, keepdim=True),
    "the scores were divided by their sum without the exponential": asked / asked.sum(-1, keepdim=True),
    "these are powers of 2: take e": 2 ** asked / (2 ** asked).sum(-1, keepdim=True),
    "these are logarithms of the weights": asked.log_softmax(-1),
    "each score was squashed by itself (a sigmoid): the weights of a row must sum to 1": asked.sigmoid(),
    "softmax was applied twice": asked.softmax(-1).softmax(-1),
    "the exponentials were divided by their length (a norm), not by their sum": e / e.norm(dim=-1, keepdim=True),
    "the signs of the scores are turned round: a high score must get a high weight": (-asked).softmax(-1),
}
for mistake, values in mistakes.items():
    assert not torch.allclose(weights.detach().float(), values, atol=1e-5), mistake
expected = torch.tensor([[0.0420, 0.1142, 0.8438], [0.2595, 0.0351, 0.7054]])
torch.testing.assert_close(weights, expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"scores [1, 2, 4] and [0, -2, 1] give {weights.tolist()}\n{m}")
down = softmax(asked, dim=0)
assert not torch.allclose(down, weights), "dim was ignored: with dim=0 each column must sum to 1"
expected = torch.tensor([[0.7311, 0.9820, 0.9526], [0.2689, 0.0180, 0.0474]])
torch.testing.assert_close(down, expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"with dim=0 each column must sum to 1\n{m}")
assert softmax(asked).shape == (2, 3) and torch.allclose(softmax(asked), weights), "without dim the last axis is meant"

huge = softmax(torch.tensor([[1e4, 1e4 + 1, 1e4 - 1], [-1e4, -1e4 + 1, -1e4 - 1]]), dim=-1)
assert not huge[0].isnan().any(), "scores of 10,000 give NaN: their exponentials overflow. Only differences count"
assert not huge[1].isnan().any(), (
    "scores of -10,000 give NaN: their exponentials vanish, and 0/0 is NaN. Each row needs its own largest score")
assert huge[0].sum() < 1.01 and (huge[1].sum() - 1).abs() < 0.01, (
    f"with scores of ±10,000 the rows sum to {[round(s, 3) for s in huge.sum(-1).tolist()]}, not to 1")
assert not torch.allclose(huge[0], torch.full((3,), 1 / 3)), (
    "the differences between huge scores were lost: do not cut the scores off")
torch.testing.assert_close(huge, torch.tensor([[0.2447, 0.6652, 0.0900]] * 2), atol=2e-3, rtol=0,
                           msg=lambda m: f"only differences count: 10000, 10001, 9999 weigh as 0, 1, -1\n{m}")
spread = softmax(torch.tensor([1e4, 0., -1e4]), dim=-1)
assert not spread.isnan().any(), "scores of 10,000, 0 and -10,000 in one row give NaN: some exponentials still overflow"
torch.testing.assert_close(spread, torch.tensor([1., 0., 0.]), msg=lambda m: f"scores 10000, 0, -10000\n{m}")
### BEGIN HIDDEN TESTS
# Property: right along every axis of tensors with any number of axes, float32 and float64, and the scores are left as they were
for shape in [(5,), (3, 7), (2, 3, 5), (2, 5, 3, 7)]:
    for dtype in (torch.float32, torch.float64):
        generator = torch.Generator().manual_seed(len(shape))
        table = 3 * torch.randn(*shape, generator=generator, dtype=dtype)
        before = table.clone()
        for dim in range(-len(shape), len(shape)):
            weights = softmax(table, dim)
            assert torch.equal(table, before), "the scores were changed in place"
            assert weights.dtype == dtype, f"the scores are {dtype}, the weights {weights.dtype}"
            assert tuple(weights.shape) == shape, (
                f"scores of shape {shape}, dim={dim}: the weights have shape {tuple(weights.shape)}")
            off = (weights.sum(dim) - 1).abs().max().item()
            assert off > 0.01 or off < (1e-7 if dtype == torch.float64 else 1e-5), (
                f"the weights miss the sum 1 by {off:.1e}: was a small number added to the sum?")
            torch.testing.assert_close(weights, torch.softmax(table, dim),
                                       msg=lambda m: f"scores of shape {shape}, dim={dim}\n{m}")
# Property: without dim the last axis is meant
table = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(8))
torch.testing.assert_close(softmax(table), torch.softmax(table, -1))
# Property: stable for scores of ±1e4 in every row, whatever stands in the other rows
offsets = torch.tensor([1e4, 0.0, -1e4, 30.0, -30.0], dtype=torch.float64)[:, None]
table = torch.randn(5, 7, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
torch.testing.assert_close(softmax(table + offsets, -1), torch.softmax(table + offsets, -1),
                           msg=lambda m: f"rows with scores near 10,000, 0 and -10,000 in one table\n{m}")
torch.testing.assert_close(softmax((table + offsets).T, 0), torch.softmax((table + offsets).T, 0),
                           msg=lambda m: f"columns of a transposed table\n{m}")
torch.testing.assert_close(softmax(table * 1e4, -1), torch.softmax(table * 1e4, -1),
                           msg=lambda m: f"scores spread over ±10,000\n{m}")
# Property: gradients are those of softmax
probe = torch.randn(3, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
ours, theirs = probe.clone().requires_grad_(), probe.clone().requires_grad_()
weights = softmax(ours, -1)
assert weights.requires_grad, (
    "the weights have lost their connection to the scores: numbers were taken out of the tensors")
push = torch.arange(15, dtype=torch.float64).view(3, 5).sin()
(gradient,) = torch.autograd.grad((weights * push).sum(), ours)
(wanted,) = torch.autograd.grad((torch.softmax(theirs, -1) * push).sum(), theirs)
torch.testing.assert_close(gradient, wanted, msg=lambda m: f"the gradient differs from that of softmax\n{m}")
# Property: the weights are computed on the device of the scores
try:
    weights = softmax(torch.empty(3, 5, device="meta"), -1)
except Exception as error:          # a branch that asks for a value is fine: there are none on this device
    signs = ("expected device", "same device", "Cannot copy out", "numpy")
    assert not any(sign in str(error) for sign in signs), (
        f"the scores stood on another device, and that failed: was a tensor made on the CPU? ({error})")
else:
    assert weights.device.type == "meta", (
        f"the scores stood on another device, but the weights came out on {weights.device}")
### END HIDDEN TESTS
print("1.2, first point, holds: shares along any axis, of small scores and of huge ones.")

# %% nbgrader={"grade": true, "grade_id": "ch01_softmax_check_blocked", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.2, second point: blocked entries get no weight, and a wholly blocked row is all zero."""
inf = float("inf")
blocked = torch.tensor([[0., 0., -inf], [-inf, 5., -inf], [-inf, -inf, -inf]], requires_grad=True)
weights = softmax(blocked, dim=-1)
assert weights.requires_grad, "the weights have lost their connection to the scores: no gradient can flow"
assert not weights[:2].isnan().any(), (
    "a row with some entries of -inf must not give NaN: its other entries share the weight")
torch.testing.assert_close(weights[:2].detach(), torch.tensor([[0.5, 0.5, 0.], [0., 1., 0.]]),
                           msg=lambda m: f"an entry of -inf gets weight 0\n{m}")
assert not weights[2].isnan().any(), "a row of -inf alone gives NaN: its weights must be 0"
assert not torch.allclose(weights[2].detach(), torch.full((3,), 1 / 3)), (
    "a row of -inf alone gets equal weights: nothing may be looked at, so they must be 0")
assert torch.equal(weights[2].detach(), torch.zeros(3)), (
    f"a row of -inf alone must give zeros, got {weights[2].tolist()}")
(gradient,) = torch.autograd.grad((weights * torch.tensor([1., 2., 3.])).sum(), blocked)
assert not gradient[:2].isnan().any(), "the gradient of a row with some entries of -inf is NaN"
assert not gradient[2].isnan().any(), (
    "the weights of the blocked row are right, but its gradient is NaN: a NaN was made and painted over. "
    "Do not let it arise")
### BEGIN HIDDEN TESTS
# Property: blocked entries get exactly no weight, the others share it, along every axis
generator = torch.Generator().manual_seed(11)
for dtype in (torch.float32, torch.float64):
    table = 4 * torch.randn(3, 5, 7, generator=generator, dtype=dtype)
    table = table.masked_fill(torch.rand(3, 5, 7, generator=generator) < 0.4, -inf)
    table[1, 2], table[0, :, 3], table[:, 4, 6] = -inf, -inf, -inf        # one wholly blocked line along each axis
    for dim in (-1, 0, 1, 2, -2):
        wanted = torch.softmax(table, dim).nan_to_num(0.0)
        probe = table.clone().requires_grad_()
        weights = softmax(probe, dim)
        assert not weights.isnan().any(), f"NaN in the weights, dim={dim}"
        torch.testing.assert_close(weights.detach(), wanted,
                                   msg=lambda m: f"entries and whole lines of -inf, dim={dim}\n{m}")
        # Property: no NaN in the gradient either, and no gradient at all where nothing may be looked at
        push = torch.linspace(-1, 1, 105, dtype=dtype).view(3, 5, 7)
        (gradient,) = torch.autograd.grad((weights * push).sum(), probe)
        assert not gradient.isnan().any(), f"NaN in the gradient, dim={dim}"
        inner = (wanted * push).sum(dim, keepdim=True)
        torch.testing.assert_close(gradient, wanted * (push - inner),
                                   msg=lambda m: f"the gradient with blocked entries, dim={dim}\n{m}")
    # Property: the scores are left as they were, blocked entries included
    before = table.clone()
    softmax(table, -1)
    assert torch.equal(table, before), "the scores were changed in place"
# Property: blocked entries beside huge scores
table = torch.tensor([[-inf, 1e4, 1e4 - 1], [-1e4, -inf, -1e4], [-inf, -inf, -1e4]], dtype=torch.float64)
torch.testing.assert_close(softmax(table, -1), torch.softmax(table, -1),
                           msg=lambda m: f"-inf beside scores of ±10,000\n{m}")
### END HIDDEN TESTS
print("1.2, second point, holds: no weight where nothing may be looked at, and no NaN, gradient included.")

# %% [markdown]
# Your softmax on the three cases that broke the others, and on the scores of "journey":

# %% tags=["uses-exercise"]
for name, s in [("huge", large), ("all blocked", torch.full((3,), -inf)), ("journey", journey_scores)]:
    print(f"{name:12s}", [round(w, 4) for w in softmax(s).tolist()])

# %% [markdown]
# ## 1.5 Context: a mixture of all words
#
# The last step is the simplest. Take every token's vector, as much of it as its weight says, and add up. The sum is
# the **context vector** of the token that asked:
#
# $$\mathrm{context} = \sum_j \mathrm{weight}_j \, x_j$$

# %%
context = torch.zeros(3)
for token, weight, vector in zip(tokens, journey_weights, x):
    context = context + weight * vector
    print(f"+ {weight:.4f} of {token:8s} -> {[round(c, 4) for c in context.tolist()]}")

# %% [markdown]
# The last line is "journey" as its sentence sees it: $[0.4419, 0.6515, 0.5683]$, where the table said
# $[0.55, 0.87, 0.66]$. Here are the three steps side by side.

# %% tags=["show"]
fig, axes = plt.subplots(1, 3, figsize=(7, 2.7), width_ratios=[1, 1, 1.25])
for ax, values in [(axes[0], journey_scores.tolist()), (axes[1], journey_weights.tolist())]:
    ax.bar_label(ax.barh(tokens, values, color=OKABE_ITO[:6]), fmt="%.4f", padding=2, fontsize=8)
    ax.set_xlim(0, 1.4 * max(values))
    ax.invert_yaxis()
axes[0].set(title="1 Scores: journey · token", xlabel="score", xticks=[0, 0.5, 1, 1.5])
axes[1].set(title="2 Softmax: they sum to 1", xlabel="weight", yticks=[], xticks=[0, 0.1, 0.2])
parts = journey_weights[:, None] * x                     # (6, 3): what each token brings to each feature
for part, start, colour in zip(parts, parts.cumsum(0) - parts, OKABE_ITO):
    axes[2].bar(range(3), part.tolist(), bottom=start.tolist(), color=colour, edgecolor="white", linewidth=0.5)
for feature, total in enumerate(parts.sum(0).tolist()):
    axes[2].text(feature, total + 0.01, f"{total:.4f}", ha="center", fontsize=8)
axes[2].set(title="3 Context: weight × vector", xticks=range(3), xlabel="feature", ylabel="value", ylim=(0, 0.75))
show(fig, "Three panels for the query journey. Bars of six scores between 0.7 and 1.5; bars of six weights between 0.11 "
     "and 0.24; three stacked columns in which each token adds its piece, ending at 0.4419, 0.6515 and 0.5683.")

# %% [markdown]
# "journey" and "starts" (orange and green) bring most, but everyone brings something. Now every token asks. We repeat
# the three steps for each, in loops that hide nothing.

# %%
def attend_in_loops(x):
    """Context and weights of every token of one sentence, one token after the other. x: (seq, d_model)."""
    contexts, weights = [], []
    for query in x:
        scores = torch.stack([query.dot(key) for key in x])           # (seq,)
        row = torch.softmax(scores, dim=0)                            # (seq,), sums to 1
        weights.append(row)
        contexts.append(sum(weight * value for weight, value in zip(row, x)))
    return torch.stack(contexts), torch.stack(weights)                # (seq, d_model), (seq, seq)

context_all, weights_all = attend_in_loops(x)
print("context:", tuple(context_all.shape), "  weights:", tuple(weights_all.shape))
print("weights of journey:", [round(w, 4) for w in weights_all[1].tolist()])
print("context of journey:", [round(c, 4) for c in context_all[1].tolist()])
print("every row sums to 1:", torch.allclose(weights_all.sum(dim=1), torch.ones(6)))

# %% [markdown]
# This is **self-attention**: queries, keys (what a query is compared with) and values (what is mixed) are all the
# same vectors, those of the sentence itself.
#
# **Predict, then run.** To which token does "step" pay most attention: to itself?

# %% tags=["show"]
fig, ax = plt.subplots(figsize=(5.2, 4.2))
title = 'Weights: "journey" and "starts" draw much of every row'
image = draw_matrix(ax, weights_all, rows=tokens, columns=tokens, title=title, limits=(0, 0.3))
ax.set(xlabel="token that is looked at (key)", ylabel="token that asks (query)")
fig.colorbar(image, ax=ax, label="weight", shrink=0.8)
show(fig, "A 6 by 6 heatmap of weights, all between 0.1 and 0.25. The columns of journey and starts are the darkest in "
     "nearly every row.")
for token, row in zip(tokens, weights_all):
    print(f"{token:8s} looks most at {tokens[row.argmax()]}")
print("lengths:", {token: round(length, 2) for token, length in zip(tokens, x.norm(dim=1).tolist())})

# %% [markdown]
# Surprise: "step" looks at "journey" more than at itself. Only "Your" and "journey" look most at themselves; the
# others at "journey" or "starts", the two longest vectors of the sentence. A score grows with length, so raw dot
# products let loud words shout down the others. Notice, too, that the weights are no mirror any more, although the
# scores were: each row was divided by its own sum.
#
# ### Exercise 1.3 · Self-attention without weights · 2 points · about 12 minutes
#
# A book of 100,000 words has ten billion pairs of words, no work for a loop. Compute all scores with one matrix product
# and all contexts with another, for a whole batch of sentences.
#
# - 1 point: the values, for one sentence;
# - 1 point: several sentences at once, each attending to its own words only, and no loop over tokens (the check
#   counts tensor operations: their number must not grow with the length of the sentence).
#
# You may use your `softmax` or PyTorch's.
#
# <details><summary>Hint 1</summary>Row i, column j of the score table is token i · token j. Which product of x with a turned-round x is that?</details>
# <details><summary>Hint 2</summary>Shapes: (batch, seq, d) times (batch, d, seq) gives (batch, seq, seq). A transpose that turns all three axes round is not what you want.</details>
# <details><summary>Hint 3</summary>A row of weights times the table of vectors is the loop of sums above. All rows at once: (batch, seq, seq) times (batch, seq, d).</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_self_attention_simple", "locked": false, "schema_version": 3, "solution": true, "task": false}
def self_attention_simple(x):
    """Self-attention without trained weights, for a batch of sentences.

    x: (batch, seq, d_model)
    Returns (context, weights): (batch, seq, d_model) and (batch, seq, seq).
    """
    ### BEGIN SOLUTION
    scores = x @ x.transpose(-2, -1)             # (batch, seq, seq)
    weights = torch.softmax(scores, dim=-1)      # each row sums to 1
    return weights @ x, weights
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.3, first point: context and weights of one sentence."""
toy = torch.tensor([[1., 0.], [0., 2.], [1., 1.]])                         # three tokens, two features
try:
    answer = self_attention_simple(toy[None])                              # a batch of one
except (RuntimeError, IndexError) as error:
    raise AssertionError(f"x has three axes, (batch, seq, d_model): transpose the last two only ({error})") from error
assert isinstance(answer, (tuple, list)) and len(answer) == 2, "two results are expected: (context, weights)"
context, weights = answer
assert tuple(context.shape) != (1, 3, 3) or tuple(weights.shape) != (1, 3, 2), (
    "the order is (context, weights), not (weights, context)")
assert tuple(weights.shape) == (1, 3, 3), (
    f"weights: one for each query and key, (batch, seq, seq) = (1, 3, 3); got {tuple(weights.shape)}")
assert tuple(context.shape) == (1, 3, 2), (
    f"context: a vector for each token, (batch, seq, d_model) = (1, 3, 2); got {tuple(context.shape)}")
s = toy @ toy.T
right = s.softmax(-1)
cosines = F.normalize(toy, dim=-1) @ F.normalize(toy, dim=-1).T
mistakes = {
    "these are scores: softmax turns them into weights": s,
    "softmax ran over the queries: each query's row of weights must sum to 1": s.softmax(0),
    "softmax ran over the whole table: each row must sum to 1": s.flatten().softmax(0).view(3, 3),
    "the scores were divided by √d_model: that comes in chapter 2": (s / 2 ** 0.5).softmax(-1),
    "the scores were divided by d_model: a dot product is a sum": (s / 2).softmax(-1),
    "the scores are cosines: leave the lengths of the vectors in": cosines.softmax(-1),
    "later tokens were hidden: that comes in chapter 3":
        s.masked_fill(torch.ones(3, 3).triu(1).bool(), -float("inf")).softmax(-1),
    "a token must look at itself, too": s.masked_fill(torch.eye(3).bool(), -float("inf")).softmax(-1),
    "the keys were reshaped, not transposed: a reshape deals the numbers out anew":
        (toy @ toy.reshape(2, 3)).softmax(-1),
    "the scores were divided by their sum: softmax is wanted": s / s.sum(-1, keepdim=True),
    "softmax was applied twice": right.softmax(-1),
}
for mistake, values in mistakes.items():
    assert not torch.allclose(weights[0].detach().float(), values, atol=1e-4), mistake
expected = torch.tensor([[0.4223, 0.1554, 0.4223], [0.0159, 0.8668, 0.1173], [0.1554, 0.4223, 0.4223]])
torch.testing.assert_close(weights[0], expected, atol=1e-4, rtol=0, msg=lambda m: f"the weights are wrong\n{m}")
mistakes = {
    "the mixture runs over the wrong axis: row i of the weights belongs to token i": right.T @ toy,
    "the scores, not the weights, were used to mix the vectors": s @ toy,
    "x was added to the context: it is the weighted sum alone": right @ toy + toy,
    "the weights were not used: this is the plain mean of the tokens": toy.mean(0).expand(3, 2),
}
for mistake, values in mistakes.items():
    assert not torch.allclose(context[0].detach().float(), values, atol=1e-4), mistake
expected = torch.tensor([[0.8446, 0.7331], [0.1332, 1.8509], [0.5777, 1.2669]])
torch.testing.assert_close(context[0], expected, atol=1e-4, rtol=0, msg=lambda m: f"the context is wrong\n{m}")
### BEGIN HIDDEN TESTS
# Property: right for a sentence of any length and width, float32 and float64, and x is left as it was
for seq, d in [(7, 3), (3, 7), (5, 5), (1, 2), (11, 1)]:
    for dtype in (torch.float32, torch.float64):
        sentence = torch.randn(1, seq, d, generator=torch.Generator().manual_seed(10 * seq + d), dtype=dtype)
        before = sentence.clone()
        context, weights = self_attention_simple(sentence)
        assert torch.equal(sentence, before), "x was changed in place"
        assert weights.dtype == dtype and context.dtype == dtype, (
            f"x is {dtype}, the weights are {weights.dtype}, the context {context.dtype}")
        wanted = torch.softmax(sentence @ sentence.mT, -1)
        torch.testing.assert_close(weights, wanted, msg=lambda m: f"weights, x of shape (1, {seq}, {d})\n{m}")
        torch.testing.assert_close(context, wanted @ sentence,
                                   msg=lambda m: f"context, x of shape (1, {seq}, {d})\n{m}")
# Property: long vectors, whose scores reach 10,000, give weights, not NaN
sentence = 60 * torch.randn(1, 5, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
context, weights = self_attention_simple(sentence)
torch.testing.assert_close(weights, torch.softmax(sentence @ sentence.mT, -1),
                           msg=lambda m: f"x with entries near 100\n{m}")
# Property: gradients flow through scores, weights and values
probe = torch.randn(1, 5, 3, generator=torch.Generator().manual_seed(2), dtype=torch.float64).requires_grad_()
twin = probe.detach().clone().requires_grad_()
context, weights = self_attention_simple(probe)
assert context.requires_grad, "the context has lost its connection to x"
push = torch.arange(15, dtype=torch.float64).view(1, 5, 3).cos()
(gradient,) = torch.autograd.grad((context * push).sum(), probe)
(wanted,) = torch.autograd.grad((torch.softmax(twin @ twin.mT, -1) @ twin * push).sum(), twin)
torch.testing.assert_close(gradient, wanted,
                           msg=lambda m: f"the gradient is not that of self-attention: was a part detached?\n{m}")
# Property: everything is computed on the device of x
try:
    context, weights = self_attention_simple(torch.empty(1, 5, 3, device="meta"))
except Exception as error:          # a branch of the student's own softmax that asks for a value is fine
    signs = ("expected device", "same device", "Cannot copy out", "numpy")
    assert not any(sign in str(error) for sign in signs), (
        f"x stood on another device, and that failed: was a tensor made on the CPU? ({error})")
else:
    assert context.device.type == weights.device.type == "meta", (
        "x stood on another device, but the results came out on the CPU")
### END HIDDEN TESTS
print("1.3, first point, holds: weights and context of one sentence.")

# %% nbgrader={"grade": true, "grade_id": "ch01_self_attention_simple_check_batch", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.3, second point: several sentences at once, and no loop over tokens."""
batch = torch.tensor([[[1., 0.], [0., 2.], [1., 1.]],
                      [[2., 1.], [0., 0.], [1., -1.]]])                    # two sentences of three tokens
try:
    context, weights = self_attention_simple(batch)
except (RuntimeError, IndexError, TypeError) as error:
    raise AssertionError(
        f"two sentences at once fail: transpose the last two axes, leave the batch alone ({error})") from error
assert tuple(weights.shape) == (2, 3, 3), (
    f"weights of shape (batch, seq, seq) = (2, 3, 3) expected, got {tuple(weights.shape)}")
assert tuple(context.shape) == (2, 3, 2), (
    f"context of shape (batch, seq, d_model) = (2, 3, 2) expected, got {tuple(context.shape)}")
s = batch @ batch.mT
assert not torch.allclose(weights.detach().float(), s.softmax(1), atol=1e-4), (
    "softmax ran over the queries: each query's row of weights must sum to 1")
assert not torch.allclose(weights.detach().float(), s.softmax(0), atol=1e-4), (
    "softmax ran over the batch: each query's row of weights must sum to 1")
assert not torch.allclose(weights[1], weights[0]), "the second sentence got the weights of the first"
expected = torch.tensor([[0.9756, 0.0066, 0.0179], [0.3333, 0.3333, 0.3333], [0.2447, 0.0900, 0.6652]])
torch.testing.assert_close(weights[1], expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"weights of the second sentence\n{m}")
expected = torch.tensor([[1.9690, 0.9577], [1.0000, 0.0000], [1.1547, -0.4205]])
torch.testing.assert_close(context[1], expected, atol=1e-4, rtol=0,
                           msg=lambda m: f"context of the second sentence\n{m}")
### BEGIN HIDDEN TESTS
# Property: each sentence of a batch attends to its own words only
for n, seq, d in [(5, 7, 3), (3, 2, 5), (2, 5, 2), (7, 1, 3)]:
    table = torch.randn(seq, n, d, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    table = table.transpose(0, 1)                                          # not contiguous
    context, weights = self_attention_simple(table)
    wanted = torch.softmax(table @ table.mT, -1)
    assert tuple(context.shape) == (n, seq, d) and tuple(weights.shape) == (n, seq, seq), (
        f"x of shape ({n}, {seq}, {d}): context {tuple(context.shape)}, weights {tuple(weights.shape)}")
    torch.testing.assert_close(weights, wanted, msg=lambda m: f"weights, x of shape ({n}, {seq}, {d})\n{m}")
    torch.testing.assert_close(context, wanted @ table, msg=lambda m: f"context, x of shape ({n}, {seq}, {d})\n{m}")
# Property: no loop over tokens: the number of tensor operations does not grow with the length of the sentence
from torch.utils._python_dispatch import TorchDispatchMode

class CountOperations(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls += 1
        return func(*args, **(kwargs or {}))

calls = {}
for seq in (3, 43):
    sentences = torch.randn(2, seq, 5, generator=torch.Generator().manual_seed(seq))
    with CountOperations() as counter:
        self_attention_simple(sentences)
    calls[seq] = counter.calls
assert calls[43] - calls[3] < 40, f"a loop over tokens: {calls[3]} tensor operations for 3 tokens, {calls[43]} for 43"
### END HIDDEN TESTS
print("1.3, second point, holds: several sentences at once, and no loop over tokens.")

# %% [markdown]
# The two products give what the loops gave, and what PyTorch's own function gives when its scale is set to 1.

# %% tags=["uses-exercise"]
context, weights = self_attention_simple(x[None])                     # (1, 6, 3), (1, 6, 6)
pytorch = F.scaled_dot_product_attention(x[None], x[None], x[None], scale=1.0)
print("as the loops: ", torch.allclose(context[0], context_all) and torch.allclose(weights[0], weights_all))
print("as PyTorch:   ", torch.allclose(context, pytorch, atol=1e-6))
print("row journey:  ", [round(c, 4) for c in context[0, 1].tolist()])

# %% [markdown]
# **What breaks if…** we shuffle the words? "One journey starts with your step" is another sentence. What happens to
# the context of "journey"?

# %%
order = [4, 1, 2, 3, 0, 5]                               # one journey starts with your step
shuffled_context, _ = attend_in_loops(x[order])
place = order.index(1)
print(" ".join(tokens[n] for n in order))
print("journey before:", [round(c, 4) for c in context_all[1].tolist()])
print("journey after: ", [round(c, 4) for c in shuffled_context[place].tolist()])
print("the same for every word, in any order:", torch.allclose(shuffled_context, context_all[order]))

# %% [markdown]
# Nothing breaks, and that is the trouble. A weighted sum does not ask where its terms stood, so to this attention a
# sentence is a bag of words: "dog bites man" is "man bites dog". The recurrent network at least knew the order.
# Chapter 5 gives the order back.

# %% [markdown]
# ## 1.6 The two banks, again
#
# Now for the question at the top. Take the word vectors of section 1.1, which put "bank" between the river and the
# money, and let two sentences attend to themselves. To see what "bank" becomes we need a measure of likeness that
# ignores length. The **cosine similarity** is 1 for vectors that point the same way and 0 for those at a right angle:
#
# $$\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \, \lVert b \rVert}$$

# %%
bank = vectors[index["bank"]]
for word in ["river", "water", "savings", "loan"]:
    print(f"bank and {word:8s} {F.cosine_similarity(bank, vectors[index[word]], dim=0):.2f}")
print(f"river and loan    {F.cosine_similarity(vectors[index['river']], vectors[index['loan']], dim=0):.2f}")

# %% [markdown]
# **Predict, then run.** "We sat on the river bank" and "she put her savings in the bank": before attention the two
# banks have the similarity 1, being the same vector. After attention, without a single trained weight, will it be
# nearer to 1, to 0.5 or to 0? Write a function that measures it.
#
# ### Exercise 1.4 · How far context moves a word · 2 points · about 10 minutes
#
# `context_shift` takes two sentences and a place in each, and returns two cosine similarities of the tokens there:
# one before attention, one after each sentence has attended to itself (and to nothing else). The sentences need not
# be equally long.
#
# - 1 point: the similarity before; 1 point: the similarity after.
#
# <details><summary>Hint 1</summary>"Before" compares two rows of the sentences themselves. "After" compares two rows of something you computed in exercise 1.3.</details>
# <details><summary>Hint 2</summary>self_attention_simple wants (batch, seq, d_model). A sentence alone is (seq, d_model): give it an axis, take it away again.</details>
# <details><summary>Hint 3</summary>Attention runs twice, once for each sentence. If the sentences meet before the end, something is wrong.</details>

# %% nbgrader={"grade": false, "grade_id": "ch01_context_shift", "locked": false, "schema_version": 3, "solution": true, "task": false}
def context_shift(sentence_a, sentence_b, i, j):
    """Cosine similarity of token i of sentence a and token j of sentence b, before and after attention.

    sentence_a: (seq_a, d_model)   sentence_b: (seq_b, d_model)
    Returns (before, after), two numbers between -1 and 1.
    """
    ### BEGIN SOLUTION
    context_a, _ = self_attention_simple(sentence_a[None])       # (1, seq_a, d_model)
    context_b, _ = self_attention_simple(sentence_b[None])       # (1, seq_b, d_model)
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    after = F.cosine_similarity(context_a[0, i], context_b[0, j], dim=0)
    return before.item(), after.item()
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.4, first point: the similarity before attention."""
toy_a = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])           # three tokens
toy_b = torch.tensor([[0.5, 1.], [2., 2.]])                      # two tokens

def two_numbers(answer):
    assert isinstance(answer, (tuple, list)) and len(answer) == 2, "a pair is expected: (before, after)"
    for value in answer:
        assert not isinstance(value, torch.Tensor) or value.ndim == 0, (
            f"two single numbers are expected, one of them has shape {tuple(value.shape)}")
    return tuple(float(value) for value in answer)

try:
    answer = context_shift(toy_a, toy_b, 1, 0)
except RuntimeError as error:
    raise AssertionError("sentences of three and of two tokens fail: they need not be equal in length, so let each "
                         f"attend to itself alone ({error})") from error
assert toy_a[0, 0] == 1 and toy_b[0, 0] == 0.5, (
    "a sentence was changed in place: make new tensors, leave the given ones alone")
before, _ = two_numbers(answer)                                  # (0.5, -1) and (0.5, 1): -0.75 / 1.25 = -0.6
mistakes = {
    "the order is (before, after), not (after, before)": 0.2853,
    "this is the dot product: divide it by the lengths of both vectors": -0.75,
    "this is a distance (1 - cosine): the similarity is wanted": 1.6,
    "i belongs to sentence a and j to sentence b, not the other way round": 0.9487,          # (1, 2) and (2, 2)
    "the sign got lost: vectors that point away from one another have a negative similarity": 0.6,
    "this is an angle: its cosine is wanted": 2.2143,
    "this is the change: return both similarities": 0.2853 + 0.6,
    "these are the means of the sentences: only tokens i and j are compared": 0.9369,
}
for mistake, value in mistakes.items():
    assert abs(before - value) > 1e-3, mistake
assert abs(before + 0.6) < 1e-3, (
    f"(0.5, -1) and (0.5, 1) have the cosine -0.75 / (√1.25 · √1.25) = -0.6, got {before:.4f}")
### BEGIN HIDDEN TESTS
# Property: the cosine of the two static vectors, whatever the lengths of the sentences and the places
for seq_a, seq_b, d in [(7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)]:
    generator = torch.Generator().manual_seed(seq_a)
    for dtype, tolerance in ((torch.float32, 1e-4), (torch.float64, 1e-6)):
        a, b = (torch.randn(seq, d, generator=generator, dtype=dtype) for seq in (seq_a, seq_b))
        kept_a, kept_b = a.clone(), b.clone()
        for i in range(seq_a):
            for j in range(seq_b):
                before, _ = two_numbers(context_shift(a, b, i, j))
                wanted = F.cosine_similarity(a[i], b[j], dim=0).item()
                assert abs(before - wanted) < tolerance, (
                    f"sentences of {seq_a} and {seq_b} tokens, i={i}, j={j}: before = {wanted:.4f} expected, "
                    f"got {before:.4f}")
        # Property: the sentences are left as they were
        assert torch.equal(a, kept_a) and torch.equal(b, kept_b), "a sentence was changed in place"
# Property: the length of a vector plays no part in the similarity
generator = torch.Generator().manual_seed(1)
a, b = torch.randn(3, 5, generator=generator), torch.randn(2, 5, generator=generator)
wanted = F.cosine_similarity(a[2], b[1], dim=0).item()
for factor in (0.01, 3.0):
    before, _ = two_numbers(context_shift(a * factor, b, 2, 1))
    assert abs(before - wanted) < 1e-4, f"sentence a times {factor}: before = {wanted:.4f} expected, got {before:.4f}"
### END HIDDEN TESTS
print("1.4, first point, holds: the similarity before attention.")

# %% nbgrader={"grade": true, "grade_id": "ch01_context_shift_check_after", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.4, second point: the similarity after each sentence has attended to itself."""
toy_a = torch.tensor([[1., 2.], [0.5, -1.], [2., 1.]])
toy_b = torch.tensor([[0.5, 1.], [2., 2.]])

def attend(sentence, scale=1.0, dim=-1):
    return (sentence @ sentence.T * scale).softmax(dim) @ sentence

def cosine(a, b):
    return F.cosine_similarity(a, b, dim=0).item()

context_a, context_b, together_ab = attend(toy_a), attend(toy_b), attend(torch.cat([toy_a, toy_b]))
_, after = context_shift(toy_a.clone(), toy_b.clone(), 1, 0)
after = float(after)
mistakes = {
    "this is the similarity before attention, once more": cosine(toy_a[1], toy_b[0]),
    "each sentence attends to itself alone: here the two attended to one another":
        cosine(together_ab[1], together_ab[3]),
    "only sentence a attended: both tokens must be seen in their context": cosine(context_a[1], toy_b[0]),
    "only sentence b attended: both tokens must be seen in their context": cosine(toy_a[1], context_b[0]),
    "i belongs to sentence a and j to sentence b, not the other way round": cosine(context_a[0], context_b[1]),
    "this is the dot product: divide it by the lengths of both vectors": (context_a[1] @ context_b[0]).item(),
    "this is a distance (1 - cosine): the similarity is wanted": 1 - cosine(context_a[1], context_b[0]),
    "this is the change: return the similarity after attention itself":
        cosine(context_a[1], context_b[0]) - cosine(toy_a[1], toy_b[0]),
    "these are the means of the contexts: only tokens i and j are compared":
        cosine(context_a.mean(0), context_b.mean(0)),
    "the scores were divided by √d_model: that comes in chapter 2":
        cosine(attend(toy_a, 0.5 ** 0.5)[1], attend(toy_b, 0.5 ** 0.5)[0]),
    "softmax ran over the queries": cosine(attend(toy_a, dim=0)[1], attend(toy_b, dim=0)[0]),
    "every token got the same weight: this is the plain mean of the sentence": cosine(toy_a.mean(0), toy_b.mean(0)),
    "attention ran twice over the same sentence": cosine(attend(context_a)[1], attend(context_b)[0]),
}
for mistake, value in mistakes.items():
    assert abs(after - value) > 1e-3, mistake
assert abs(after - cosine(context_a[1], context_b[0])) < 1e-3, (
    f"after = {cosine(context_a[1], context_b[0]):.4f} expected, got {after:.4f}")
### BEGIN HIDDEN TESTS
# Property: the cosine of the two context vectors, whatever the lengths of the sentences and the places
for seq_a, seq_b, d in [(7, 3, 5), (2, 11, 3), (1, 1, 2), (5, 5, 5)]:
    generator = torch.Generator().manual_seed(50 + seq_a)
    for dtype, tolerance in ((torch.float32, 1e-4), (torch.float64, 1e-6)):
        a, b = (torch.randn(seq, d, generator=generator, dtype=dtype) for seq in (seq_a, seq_b))
        kept_a, kept_b = a.clone(), b.clone()
        seen_a, seen_b = (torch.softmax(s @ s.T, -1) @ s for s in (a, b))
        for i in range(seq_a):
            for j in range(seq_b):
                answer = context_shift(a, b, i, j)
                wanted = F.cosine_similarity(seen_a[i], seen_b[j], dim=0).item()
                assert abs(float(answer[1]) - wanted) < tolerance, (
                    f"sentences of {seq_a} and {seq_b} tokens, i={i}, j={j}: after = {wanted:.4f} expected, "
                    f"got {float(answer[1]):.4f}")
        # Property: the sentences are left as they were
        assert torch.equal(a, kept_a) and torch.equal(b, kept_b), "a sentence was changed in place"
# Property: long vectors, whose scores reach 10,000, give a number, not NaN
generator = torch.Generator().manual_seed(3)
a, b = (60 * torch.randn(seq, 3, generator=generator, dtype=torch.float64) for seq in (5, 7))
seen_a, seen_b = (torch.softmax(s @ s.T, -1) @ s for s in (a, b))
after = float(context_shift(a, b, 4, 2)[1])
assert abs(after - F.cosine_similarity(seen_a[4], seen_b[2], dim=0).item()) < 1e-4, (
    f"vectors with entries near 100: got {after}")
# Property: everything up to the two numbers is computed on the device of the sentences
try:
    context_shift(torch.empty(5, 3, device="meta"), torch.empty(2, 3, device="meta"), 1, 0)
except Exception as error:          # a number cannot be taken out there: that far is far enough
    signs = ("expected device", "same device", "numpy")
    assert not any(sign in str(error) for sign in signs), (
        f"the sentences stood on another device, and that failed: was a tensor made on the CPU? ({error})")
### END HIDDEN TESTS
print("1.4, second point, holds: the similarity after each sentence has attended to itself.")

# %% [markdown]
# Your function on the two banks; and, as a control, on two sentences that mean the same bank.

# %% tags=["uses-exercise"]
river, i = look_up("we sat on the river bank")
money, j = look_up("she put her savings in the bank")
water, k = look_up("muddy water filled the reeds near the bank")
print("river bank, savings bank: before {:.2f}, after {:.2f}".format(*context_shift(river, money, i, j)))
print("river bank, muddy bank:   before {:.2f}, after {:.2f}".format(*context_shift(river, water, i, k)))

# %% [markdown]
# One vector has become two. Where did they go, and who pulled?

# %% tags=["show"]
sentences = {"river 1": "we sat on the river bank", "river 2": "muddy water filled the reeds near the bank",
             "money 1": "she put her savings in the bank", "money 2": "the bank pays interest on the loan"}
after = {}
for name, sentence in sentences.items():
    sentence_vectors, place = look_up(sentence)
    seen, weights = attend_in_loops(sentence_vectors)
    after[name] = seen[place]
    print(f"{name}: bank looks at", {word: round(w, 2) for word, w in zip(content(sentence), weights[place].tolist())})

# %% tags=["show"]
fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3.3), width_ratios=[1.25, 1])
draw_words(left, ["river", "boat", "savings", "bank"])
for name, colour in [("river 1", OKABE_ITO[2]), ("money 1", OKABE_ITO[4])]:
    arrow = dict(arrowstyle="-|>", color=colour, lw=2, shrinkA=3, shrinkB=0)
    left.annotate("", after[name].tolist(), bank.tolist(), arrowprops=arrow)
    left.annotate(name, after[name].tolist(), (8, 0), textcoords="offset points", va="center", color=colour)
left.set_title('Each sentence pulls "bank" to its own side')
moved = F.normalize(torch.stack(list(after.values())), dim=1)
draw_matrix(right, moved @ moved.T, rows=list(after), columns=list(after), limits=(0, 1))
right.set_title("Bank and bank, after: cosine")
show(fig, "Left: the map of word vectors with two arrows from bank, one up to the river words, one right to the money "
     "words. Right: a 4 by 4 heatmap of similarities, near 1 inside each pair of sentences, far below 1 between pairs.")

# %% [markdown]
# Look at the blocks on the right: banks of the same kind agree, banks of different kinds do not. Before attention
# every cell was 1. No rule about banks was written and nothing was trained for the purpose: each word became a mixture of itself and its neighbours,
# with more of those that fit better, and the meanings came apart.
#
# The static vectors, to be sure, come from sixteen sentences made to have two topics, and have two numbers each where
# those of GPT-2, which we meet next, have 768. The mechanism is this one.
#
# ## 1.7 The road from here
#
# Where in a language model does attention sit? We build the parts of GPT-2 (the small one) at their true size, and
# first count their parameters.

# %% tags=["show"]
with torch.device("meta"):                               # shapes without memory: enough for counting
    gpt2 = {
        "token table": [nn.Embedding(50257, 768)], "position table": [nn.Embedding(1024, 768)],
        "attention": [nn.MultiheadAttention(768, 12) for _ in range(12)],
        "feed-forward": [nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768)) for _ in range(12)],
        "norms": [nn.LayerNorm(768) for _ in range(25)],
    }
share = {part: sum(p.numel() for module in modules for p in module.parameters()) for part, modules in gpt2.items()}
for part, count in share.items():
    print(f"{part:15s}{count:12,d}  {count / sum(share.values()):6.1%}")
print(f"{'together':15s}{sum(share.values()):12,d}")

# %% [markdown]
# Less than a quarter of the model is attention. What does it do that the rest does not? We pass a sentence of six
# words through one part after the other and ask of each a plain question: **if one word changes, for which words does
# the part's output change?**

# %% tags=["show"]
table, head = nn.Embedding(50257, 768), nn.Linear(768, 50257, bias=False)
head.weight = table.weight                               # GPT-2 uses one table at both ends
feed_forward = nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768))
attention, later = nn.MultiheadAttention(768, 12, batch_first=True), torch.ones(6, 6).triu(1).bool()
parts = {"token table": table, "norm": nn.LayerNorm(768), "attention": lambda h: attention(h, h, h, attn_mask=later)[0],
         "feed-forward": feed_forward, "head": head}

@torch.no_grad()
def who_reaches_whom(part, data):
    """(out, in): does the output at one place change if the input at another does?"""
    reached = []
    for place in range(data.shape[1]):
        changed = data.clone()
        changed[:, place] = data[:, (place + 1) % data.shape[1]]
        reached.append(((part(changed) - part(data)).abs().amax(-1) > 1e-6)[0])
    return torch.stack(reached, dim=1).float()

data, patterns, shapes = torch.randint(50257, (1, 6)), {}, {}
for name, part in parts.items():
    patterns[name] = who_reaches_whom(part, data)
    shapes[name] = f"{tuple(data.shape)} →\n{tuple(part(data).shape)}"
    data = part(data).detach()
    print(f"{name:13s} a word reaches itself alone: {torch.equal(patterns[name], torch.eye(6))}")

# %% tags=["show"]
fig = plt.figure(figsize=(7, 5.5))
fig.suptitle("Attention alone carries a change from one word to the others", x=0, ha="left", fontsize=10)
grid = fig.add_gridspec(3, 4, height_ratios=[3, 1, 1])
for column, name in enumerate(["token table", "attention", "feed-forward", "head"]):
    ax = fig.add_subplot(grid[0, column])
    draw_matrix(ax, patterns[name], cmap="Oranges" if name == "attention" else "Blues", limits=(0, 1.6), digits=None)
    ax.set(xlabel="word that changes", ylabel="" if column else "output that notices")
    ax.set_title(f"{name}\n{shapes[name]}", fontsize=9, weight="bold" if name == "attention" else "normal")

bar, start = fig.add_subplot(grid[1, :]), 0
shades = {"attention": OKABE_ITO[1], "feed-forward": OKABE_ITO[5], "token table": "#B8DCF2"}
for part, count in share.items():
    bar.barh([0], [count / 1e6], left=start / 1e6, color=shades.get(part, "0.5"), edgecolor="white")
    if part in shades:
        bar.text((start + count / 2) / 1e6, 0, f"{part}\n{count / sum(share.values()):.0%}", ha="center", va="center")
    start += count
bar.set(yticks=[], xlabel="parameters of GPT-2, in millions", xlim=(0, start / 1e6))

course = fig.add_subplot(grid[2, :])
chapters = ["why", "queries,\nkeys", "masks", "heads", "order", "block", "encoder–\ndecoder", "GPT", "training",
            "speed"]
for n, chapter in enumerate(chapters):
    course.barh([0], [0.96], left=n, color=OKABE_ITO[1] if n < 4 else "#B8DCF2" if n < 8 else "0.85")
    course.text(n + 0.48, 0, f"{n + 1}\n{chapter}", ha="center", va="center", fontsize=8)
for n, stage in [(0, "build: attention"), (4, "build: everything round it"), (8, "train"), (9, "make fast")]:
    course.text(n, 0.5, stage, fontsize=9)
course.set(xlim=(0, 10), ylim=(-0.5, 0.8))
course.axis("off")
bar.spines["left"].set_visible(False)
show(fig, "Top: four parts of a language model. In the token table, the feed-forward network and the head only the "
     "diagonal is coloured; in attention the whole lower triangle. Middle: a bar of GPT-2's parameters, 23 percent of "
     "them in attention. Bottom: the ten chapters; one to four build attention, five to eight what stands round it, "
     "nine trains, ten makes it fast.")

# %% [markdown]
# In every other part a word is on its own: its output notices only its own change. **Attention is the one place where
# words exchange anything.** (The triangle says that a
# language model may only look back; chapter 3 explains why.) The bottom row is the plan of this course.
#
# The next three chapters change attention one step at a time. This is the whole way, on our running sentence.

# %% tags=["show"]
generator = torch.Generator().manual_seed(4)
heads = [{name: torch.randn(3, 3, generator=generator) for name in ("W_q", "W_k", "W_v")} for _ in range(2)]
W_o = torch.randn(6, 3, generator=generator)             # will join the outputs of two heads
later = torch.ones(6, 6).triu(1).bool()

plain = x @ x.T                                          # the scores of this chapter
scored = [(x @ head["W_q"]) @ (x @ head["W_k"]).T / 3 ** 0.5 for head in heads]
hidden = [scores.masked_fill(later, -inf) for scores in scored]
size = sum(W.numel() for W in heads[0].values())
road = [("1  Simple", [plain], 0), ("2  + Q, K, V", scored[:1], size), ("3  + causal mask", hidden[:1], size),
        ("4  + more heads", hidden, 2 * size + W_o.numel())]

# %% tags=["show"]
fig = plt.figure(figsize=(7, 3.5))
grid = fig.add_gridspec(3, 4, height_ratios=[1, 1, 0.9])
for column, (name, tables, parameters) in enumerate(road):
    for row, scores in enumerate(tables):
        ax = fig.add_subplot(grid[:2, column] if len(tables) == 1 else grid[row, column])
        draw_matrix(ax, scores.softmax(dim=-1), rows=tokens if column == 0 else [""] * 6, limits=(0, 0.6), digits=None)
        ax.set(xticks=[], xlabel="key" if row + 1 == len(tables) else "", anchor="NW" if column == 3 else "N")
        if row == 0:
            ax.set_title(f"{name}\nchapter {column + 1}" + (", random W" if parameters else ""), fontsize=9)
    mirrored = all(torch.allclose(scores, scores.T) for scores in tables)
    ahead = any((scores.softmax(dim=-1)[later] > 0).any() for scores in tables)
    text = fig.add_subplot(grid[2, column])
    text.axis("off")
    facts = [f"parameters: {parameters}", f"scores mirrored: {'yes' if mirrored else 'no'}",
             f"sees later words: {'yes' if ahead else 'no'}", f"patterns: {len(tables)}"]
    text.text(0.5, 1, "\n".join(facts), ha="center", va="top", fontsize=8, linespacing=1.5)
show(fig, "Four heatmaps of weights. Simple: all six words see all. With queries, keys and values: all still see all, in "
     "another pattern. With a causal mask: the upper triangle is empty. With more heads: two different lower "
     "triangles. Below each stand its parameters: 0, 27, 27, 72.")

# %% [markdown]
# Read the first map as a result and the other three as a plan: their matrices $W$ are **random**, so only the zeros
# and the facts below mean something, not the shades. Each step answers a complaint that this chapter has raised:
#
# | what is wrong with attention as it stands | who repairs it |
# | --- | --- |
# | nothing can be learned: the scores are what the embeddings make them, mirrored, and long vectors shout | chapter 2: queries, keys, values |
# | every word sees the words that follow; a text generator must not | chapter 3: masks |
# | a word has one way of looking at the others | chapter 4: many heads |
# | a sentence is a bag of words | chapter 5: positions |
#
# ## Summary
#
# You can now
#
# - **show that a static embedding gives a word one vector**: the table returned the same row for "bank" in both
#   sentences;
# - **measure what is lost when a sentence is squeezed through one vector**: recall of the first word fell from more
#   than 90% to less than 30% as sentences grew from 2 to 24 words, and stayed above 99% where the reader could look
#   back at all states;
# - **turn scores into weights** with a softmax of your own that survives scores of ±10,000 and rows of −∞, gradient
#   included;
# - **compute self-attention without weights**: scores $x x^\top$, softmax along each row, weights times $x$; for
#   "journey" the context is $[0.4419, 0.6515, 0.5683]$;
# - **measure how context moves a word**, and **say where attention sits**: it is the only part of a language model in
#   which words exchange anything.
#
# And the question at the start? A word's meaning comes from the words around it by a weighted sum, with weights that
# say how well they fit. One "bank" became two, with a cosine of 0.40 where it had been 1. The word that came from a
# table left as a word in a sentence.
#
# **Next:** this attention cannot learn anything. Chapter 2 gives every word three roles, a question, a label and a
# content, each with a matrix that can be trained.
#
# ## Further reading
#
# - Bahdanau, Cho, Bengio (2014), *Neural Machine Translation by Jointly Learning to Align and Translate*: section 1
#   states the bottleneck, section 3.1 the repair, figure 3 shows alignments.
#   [arXiv:1409.0473](https://arxiv.org/abs/1409.0473)
# - Sutskever, Vinyals, Le (2014), *Sequence to Sequence Learning with Neural Networks*: section 2, one vector for a
#   sentence, and how far it goes. [arXiv:1409.3215](https://arxiv.org/abs/1409.3215)
# - Cho, van Merriënboer, Bahdanau, Bengio (2014), *On the Properties of Neural Machine Translation*: section 5,
#   quality against sentence length. [arXiv:1409.1259](https://arxiv.org/abs/1409.1259)
# - Vaswani and others (2017), *Attention Is All You Need*: section 1 and section 4, why self-attention.
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)
# - Levy, Goldberg (2014), *Neural Word Embedding as Implicit Matrix Factorization*, NeurIPS 27: sections 3 and 4, why
#   the counting recipe of our section 1.1 and trained word vectors are relatives.
