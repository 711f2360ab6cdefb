"""Writes stored.json: what the measured sections of chapter 14 gave, for readers who do not have the model's file.

    python source/ch14_real_model/stored_runs.py      about two minutes, after `make model`
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
