"""Run as a Gradescope autograder: pack the course into the zip that Gradescope wants, and grade one
submission there.

Gradescope gives every submission a container of its own, so that students are kept apart from
each other by it. Inside, the engine's sandbox keeps a student's code away from the results file
and the hidden tests; it needs user namespaces. Where the container forbids them, the code runs as
another user of it (grading/host/other_user.py), and the instructor is told which promises do not
hold then.
"""

import json
from pathlib import Path
from typing import Any

from autograder.course.bundle import sources
from autograder.course.errors import SubmissionError
from autograder.course.files import readable, zipped
from autograder.course.model import Chapter
from autograder.grading import Engine
from autograder.grading.result import Result, Status, Submission, Verdict

SETUP = """#!/usr/bin/env bash
set -euo pipefail
apt-get update -qq
apt-get install -y -qq --no-install-recommends \\
    bubblewrap python3 python3-venv python3-pip >/dev/null
cd /autograder/source
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python3 -m venv .venv
else  # Gradescope's default image is Ubuntu 22.04, with Python 3.10: bring an interpreter
    python3 -m pip install --quiet uv
    UV_PYTHON_INSTALL_DIR=/autograder/python uv venv --quiet --seed --python 3.12 .venv
fi
.venv/bin/pip install --quiet --extra-index-url https://download.pytorch.org/whl/cpu \\
    -c requirements.txt --editable ".[grade]"
"""
RUN = """#!/usr/bin/env bash
cd /autograder/source
.venv/bin/python -m autograder gradescope run {chapter} \\
    /autograder/submission /autograder/results/results.json
"""
PACKAGE = ("pyproject.toml", "requirements.txt", "LICENSE", "README.md")
SCRIPTS = ("setup.sh", "run_autograder")


def autograder_zip(root: Path, chapter: Chapter) -> bytes:
    """The zip for a chapter that Gradescope asks for; the same course gives the same bytes."""
    files = {name: (root / name).read_bytes() for name in PACKAGE if (root / name).exists()}
    for name in ("autograder", "attention_built"):
        for path in root.glob(f"{name}/**/*"):
            if path.is_file() and "__pycache__" not in path.parts:
                files[path.relative_to(root).as_posix()] = path.read_bytes()
    files |= sources(root, chapter)
    files["setup.sh"] = SETUP.encode()
    files["run_autograder"] = RUN.format(chapter=chapter.name).encode()
    return zipped(files, executable=SCRIPTS)


def grade_folder(chapter: Chapter, folder: Path | str, engine: Engine, lost: str = "") -> str:
    """Grade the notebook in ``folder``. Returns the text of results.json, whatever is in there.

    lost: which promises do not hold, for the instructor.
    """
    notebooks = sorted(path for path in Path(folder).rglob("*.ipynb") if not path.is_symlink())
    notebooks = [path for path in notebooks if ".ipynb_checkpoints" not in path.parts]
    exact = [path for path in notebooks if path.stem == chapter.name]
    if not notebooks:
        return problem_json("No notebook (.ipynb) was handed in.")
    if len(notebooks) > 1 and len(exact) != 1:
        return problem_json(
            f"Several notebooks and none is named {chapter.name}.ipynb: "
            f"{', '.join(readable(path.name) for path in notebooks[:5])}."
        )
    path = (exact or notebooks)[0]
    try:
        result = engine.grade(Submission("student", chapter.name, path.read_bytes()))
    except SubmissionError as error:
        return problem_json(str(error))
    return result_json(chapter, result, lost)


def result_json(chapter: Chapter, result: Result, lost: str = "") -> str:
    """Gradescope's results.json for one Result. lost: as in ``grade_folder``."""
    titles = {exercise.id: exercise.title for exercise in chapter.exercises}
    tests: list[dict[str, Any]] = [
        {
            "name": titles.get(v.exercise, v.exercise),
            "number": v.check,
            "score": v.points,
            "max_score": v.max_points,
            "status": "passed" if v.status is Status.PASSED else "failed",
            "visibility": "visible",
            "output": "" if v.status is Status.PASSED else _words(v),
        }
        for v in result.verdicts
    ]
    if lost:  # Gradescope shows hidden tests to instructors alone
        about = {"name": "How this was graded", "score": 0, "max_score": 0, "status": "passed"}
        tests.append({**about, "visibility": "hidden", "output": lost})
    seconds = {"execution_time": round(result.seconds, 2)}
    return _dump(result.points, result.problem or chapter.title, tests, **seconds)


def problem_json(reason: str) -> str:
    """Gradescope's results.json for a file that was not graded."""
    return _dump(0, reason, [])


def _dump(score: float, output: str, tests: list[dict[str, Any]], **more: float) -> str:
    words = {"output": output, "output_format": "text", "stdout_visibility": "hidden"}
    shown = [{**test, "output_format": "text"} for test in tests]
    said = {"score": score, **more, **words, "tests": shown}
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def _words(verdict: Verdict) -> str:
    prefix = f"This property fails: {verdict.failed_property}\n" if verdict.failed_property else ""
    return f"{prefix}{verdict.message or verdict.status.value}"
