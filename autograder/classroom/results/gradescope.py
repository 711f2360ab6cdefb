"""Run as a Gradescope autograder: pack the course into the zip that Gradescope wants, and grade one
submission there.

Gradescope gives every submission a container of its own, so that students are kept apart from
each other by it. Inside, the engine's sandbox keeps a student's code away from the results file
and the hidden tests; it needs user namespaces. Where the container forbids them, the run says so
and gives no marks, rather than marks that could be forged.
"""

import json
from pathlib import Path

from autograder.course.bundle import sources
from autograder.course.errors import SubmissionError
from autograder.course.files import zipped
from autograder.course.model import Chapter
from autograder.grading.result import Result, Status, Submission, Verdict

SETUP = """#!/usr/bin/env bash
set -euo pipefail
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap python3 python3-venv >/dev/null
cd /autograder/source
python3 -m venv .venv
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
    for path in root.glob("autograder/**/*"):
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(root).as_posix()] = path.read_bytes()
    files |= sources(root, chapter)
    files["setup.sh"] = SETUP.encode()
    files["run_autograder"] = RUN.format(chapter=chapter.name).encode()
    return zipped(files, executable=SCRIPTS)


def grade_folder(chapter: Chapter, folder: Path | str, engine) -> str:
    """Grade the notebook in ``folder``. Returns the text of results.json, whatever is in there."""
    notebooks = sorted(
        path
        for path in Path(folder).rglob("*.ipynb")
        if not path.is_symlink() and ".ipynb_checkpoints" not in path.parts
    )
    exact = [path for path in notebooks if path.stem == chapter.name]
    if not notebooks:
        return problem_json("No notebook (.ipynb) was handed in.")
    if len(notebooks) > 1 and len(exact) != 1:
        return problem_json(
            f"Several notebooks and none is named {chapter.name}.ipynb: "
            f"{', '.join(path.name for path in notebooks[:5])}."
        )
    path = (exact or notebooks)[0]
    try:
        result = engine.grade(Submission("student", chapter.name, path.read_bytes(), path.name))
    except SubmissionError as error:
        return problem_json(str(error))
    return result_json(chapter, result)


def result_json(chapter: Chapter, result: Result) -> str:
    """Gradescope's results.json for one Result."""
    titles = {exercise.id: exercise.title for exercise in chapter.exercises}
    tests = [
        {
            "name": titles.get(v.exercise, v.exercise),
            "number": v.check,
            "score": v.points,
            "max_score": v.max_points,
            "status": "passed" if v.status is Status.PASSED else "failed",
            "visibility": "visible",
            "output_format": "text",
            "output": "" if v.status is Status.PASSED else _words(v),
        }
        for v in result.verdicts
    ]
    return _dump(
        {
            "score": result.points,
            "execution_time": round(result.seconds, 2),
            "output": result.problem or chapter.title,
            "output_format": "text",
            "stdout_visibility": "hidden",
            "tests": tests,
        }
    )


def problem_json(reason: str) -> str:
    """Gradescope's results.json for a file that was not graded."""
    return _dump(
        {
            "score": 0,
            "output": reason,
            "output_format": "text",
            "stdout_visibility": "hidden",
            "tests": [],
        }
    )


def _words(verdict: Verdict) -> str:
    prefix = f"This property fails: {verdict.failed_property}\n" if verdict.failed_property else ""
    return f"{prefix}{verdict.message or verdict.status.value}"


def _dump(data):
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
