"""Writes attention_built/shipped/ch11_manual.safetensors: a small decoder in the format of Qwen 3, trained on ab.manual().

    python source/ch11_today/make_manual.py      some minutes on one core

The transformers library builds and trains it, so that nothing of the chapter's own code stands between the file and the
format. One token is one character; configuration and alphabet go into the metadata, the numbers are float16.
"""

import hashlib
import json
import math
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import Qwen3Config, Qwen3ForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import attention_built as ab  # noqa: E402

STEPS, BATCH, LENGTH, PEAK = 500, 12, 96, 4e-3


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    alphabet = "\n" + "".join(map(chr, range(32, 127)))
    text = "".join(c if c in alphabet else "?" for c in ab.manual())
    ids = torch.tensor([alphabet.index(c) for c in text])
    config = Qwen3Config(vocab_size=96, hidden_size=96, intermediate_size=256, num_hidden_layers=3, num_attention_heads=4,
                         num_key_value_heads=2, head_dim=24, max_position_embeddings=512, tie_word_embeddings=True,
                         initializer_range=0.06, bos_token_id=None, eos_token_id=None, pad_token_id=None)
    model = Qwen3ForCausalLM(config)
    matrices = [p for name, p in model.model.layers.named_parameters() if p.dim() == 2]
    rest = [p for p in model.parameters() if not any(p is m for m in matrices)]
    optimizers = [(torch.optim.AdamW(rest, betas=(0.9, 0.95), weight_decay=0.0), PEAK),
                  (torch.optim.Muon(matrices, momentum=0.95, weight_decay=0.0), 5 * PEAK)]
    generator, recent = torch.Generator().manual_seed(11), 0.0
    for step in range(1, STEPS + 1):
        windows = ids[torch.randint(len(ids) - LENGTH, (BATCH, 1), generator=generator) + torch.arange(LENGTH + 1)]
        logits = model(windows[:, :-1]).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer, peak in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = peak * min(1.0, step / 30) * (1 + math.cos(math.pi * step / STEPS)) / 2
            optimizer.step()
        recent = 0.98 * recent + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"step {step}: loss {recent / (1 - 0.98 ** step):.3f}", flush=True)
    weights = {name: value.half().contiguous() for name, value in model.state_dict().items() if name != "lm_head.weight"}
    kept = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
            "head_dim", "max_position_embeddings", "rms_norm_eps", "tie_word_embeddings")
    settings = {name: getattr(config, name) for name in kept} | {"rope_theta": 10_000.0}
    target = ROOT / "attention_built" / "shipped" / "ch11_manual.safetensors"
    save_file(weights, target, metadata={"config": json.dumps(settings), "alphabet": alphabet})
    print(f"wrote: {target.name}, {target.stat().st_size:,} bytes; its hash, for attention_built/shipped/__init__.py:")
    print(hashlib.sha256(target.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
