"""Writes attention_built/shipped/ch08_manual.safetensors: the GPT of the interactive page of chapter 8 as a file in the format of GPT-2.

    python source/ch08_decoder/make_manual.py

The page's model (site/interactive/data/ch08_decoder.json, int8) has read ab.manual(). Here its
numbers get the names and the layout of a GPT2LMHeadModel, in float16, and its tokenizer goes into the metadata, so that
section 8.7 can load it with the student's own load_gpt2 where the real GPT-2 cannot be had.
"""

import hashlib
import json
import sys
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from coursesite.pages.checkpoint import unpacked      # noqa: E402


def tokenizer_of(vocab):
    """The tokenizers library's byte-pair encoding; token n was made by the n-th merge."""
    names = [piece.replace(" ", "Ġ").replace("\n", "Ċ") for piece in vocab]
    rank, merges = {name: id for id, name in enumerate(names)}, []
    for name in names:
        parts = list(name)
        while len(parts) > 2:
            best = min((a + b for a, b in pairwise(parts) if a + b in rank and a + b != name), key=rank.get)
            at = next(i for i, (a, b) in enumerate(pairwise(parts)) if a + b == best)
            parts[at:at + 2] = [best]
        merges += [tuple(parts)] * (len(parts) == 2)
    tokenizer = Tokenizer(models.BPE(rank, merges))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return tokenizer


def as_gpt2(tensors, layers):
    """Names and layout of a GPT2LMHeadModel."""
    get = lambda name: unpacked(tensors[name]).half()
    found = {"transformer.wte.weight": get("token_embedding.weight"), "transformer.wpe.weight": get("position_embedding.weight"),
             "transformer.ln_f.weight": get("norm.weight"), "transformer.ln_f.bias": get("norm.bias")}
    for i in range(layers):
        here, there = f"blocks.{i}", f"transformer.h.{i}"
        found[f"{there}.attn.c_attn.weight"] = torch.cat([get(f"{here}.attention.{W}.weight").T for W in ("W_q", "W_k", "W_v")], dim=1)
        found[f"{there}.attn.c_attn.bias"] = torch.cat([get(f"{here}.attention.{W}.bias") for W in ("W_q", "W_k", "W_v")])
        for mine, other in [("attention.W_o", "attn.c_proj"), ("feed_forward.linear1", "mlp.c_fc"), ("feed_forward.linear2", "mlp.c_proj")]:
            found[f"{there}.{other}.weight"], found[f"{there}.{other}.bias"] = get(f"{here}.{mine}.weight").T, get(f"{here}.{mine}.bias")
        for mine, other in [("norm1", "ln_1"), ("norm2", "ln_2")]:
            found.update({f"{there}.{other}.{kind}": get(f"{here}.{mine}.{kind}") for kind in ("weight", "bias")})
    return {name: value.contiguous() for name, value in found.items()}


def main():
    made = json.loads((ROOT / "site" / "interactive" / "data" / "ch08_decoder.json").read_text(encoding="utf-8"))
    config = {name: made["config"][name] for name in ("vocab_size", "max_len", "d_model", "num_heads", "num_layers")}
    target = ROOT / "attention_built" / "shipped" / "ch08_manual.safetensors"
    save_file(as_gpt2(made["tensors"], config["num_layers"]), target,
              metadata={"config": json.dumps(config), "tokenizer": tokenizer_of(made["vocab"]).to_str()})
    print(f"wrote: {target.name}, {target.stat().st_size:,} bytes; its hash, for attention_built/shipped/__init__.py:")
    print(hashlib.sha256(target.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
