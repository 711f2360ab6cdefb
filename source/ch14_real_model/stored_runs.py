"""Writes stored.json: what the measured sections of chapter 14 gave, for readers who do not have the model's file.

    python source/ch14_real_model/stored_runs.py      about two minutes, after `make model`
    python source/ch14_real_model/stored_runs.py --heads      some minutes more: prints STORED_HEADS of 14.4
"""

import json
import sys
from pathlib import Path

import matplotlib

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
Path(__file__).with_name("stored.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")

if "--heads" in sys.argv:
    shares = {}
    for place in ((layer, head) for layer in range(30) for head in range(9)):
        back = [space["brought_back"](*place, *given) for given in space["GIVEN"]]
        shares[place] = round(sum(back) / len(back), 2)
    print({place: share for place, share in shares.items() if abs(share) >= 0.03})
