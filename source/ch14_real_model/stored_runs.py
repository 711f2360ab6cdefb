"""Writes what readers of chapter 14 get who do not have the model's file, into attention_built/shipped/: ch14_stored.json, what the measured
sections gave, and ch14_blocks.bin, the file's first 20 blocks of W_q in layer 0 and what gguf reads in them.

    python source/ch14_real_model/stored_runs.py      about two minutes, after `make model`
    python source/ch14_real_model/stored_runs.py --heads      some minutes more: prints STORED_HEADS of the deeper notebook
    python source/ch14_real_model/stored_runs.py --deeper     half a minute more: prints STORED_COUNTRY and STORED_IT of the deeper notebook
"""

import hashlib
import json
import sys
from pathlib import Path

import matplotlib
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from autograder.course.carry import filled_chapter  # noqa: E402

matplotlib.use("agg")
space = {"__name__": "__main__"}
for cell in filled_chapter(ROOT, "ch14_real_model").code:
    if cell.role != "check":
        exec(cell.text, space)
if not space["found"]:
    sys.exit("the model is not here: make model")
rows = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in space["measured"].items())
target = ROOT / "attention_built" / "shipped" / "ch14_stored.json"
target.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
first = next(one for one in space["reader"].tensors if one.name == "blk.0.attn_q.weight")
library = space["gguf"].dequantize(first.data, first.tensor_type)
blocks = target.with_name("ch14_blocks.bin")  # 20 blocks of 20 bytes, and their 640 numbers in float32
blocks.write_bytes(first.data.tobytes()[:400] + library.astype("<f4").tobytes()[:2560])
for path in (target, blocks):
    print("for attention_built/shipped/__init__.py:", path.name, hashlib.sha256(path.read_bytes()).hexdigest())

if "--heads" in sys.argv:
    shares = {}
    for place in ((layer, head) for layer in range(30) for head in range(9)):
        back = [space["brought_back"](*place, *given) for given in space["GIVEN"]]
        shares[place] = round(sum(back) / len(back), 2)
    print({place: share for place, share in shares.items() if abs(share) >= 0.03})


@torch.no_grad()
def ahead(text: str, one: str, other: str, patch: tuple[int, int, str] | None = None) -> float:
    """How far the first word is ahead of the second behind a text; patch: layer, head, and the clean text."""
    ids = torch.tensor([space["tokenizer"].encode(text)])
    if patch:
        clean = torch.tensor([space["tokenizer"].encode(patch[2])])
        logits = space["patch_head"](space["model"], *patch[:2], clean, ids)
    else:
        logits = space["model"](ids)
    return float(space["ahead"](logits, one, other))


if "--deeper" in sys.argv:
    country = {}
    capitals = list(space["CAPITALS"].items())
    for (land, city), (false_land, false_city) in zip(capitals[::2], capitals[1::2], strict=True):
        clean, corrupt = (f"The capital of {name} is" for name in (land, false_land))
        high, low = (ahead(text, city, false_city) for text in (clean, corrupt))
        country[city, false_city] = tuple(
            round((ahead(corrupt, city, false_city, (23, head, clean)) - low) / (high - low), 2) for head in range(9))
    print("STORED_COUNTRY =", country)
    print("STORED_IT =", {word: tuple(round(ahead(text, "cat", "mat"), 1) for text in (
        f"The cat sat on the mat because it was {word}. What was it? The",
        f"The cat sat on the mat. What was {word}? The")) for word in ("hungry", "tired", "wide", "soft")})
