"""The graded notebook as formgrader shows it: a student's file as grading read it, and under each
check what our grader found.
"""

import json

from autograder.classroom.results.feedback import LONGEST, SAYS
from autograder.course.model import KERNELSPEC, LANGUAGE, Chapter
from autograder.grading.result import Result, Status, Verdict
from autograder.grading.shown import notebook_cells, printed, quoted


def autograded_notebook(chapter: Chapter, result: Result) -> bytes:
    """The notebook as bytes; where nothing of a file is shown, with the cells of the release."""
    verdicts = {verdict.check: verdict for verdict in result.verdicts}
    checks = {cell.id: cell.grade_id for cell in chapter.cells if cell.role == "check"}
    cells = [quoted("about-this-file", said)] if (said := _about(result)) else []
    for cell in result.shown.cells or notebook_cells(chapter):
        said = _said(verdicts.get(checks.get(cell["id"], "")))
        cells.append({**cell, "outputs": [printed(said)]} if cell["id"] in checks else cell)
    about = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE}
    made = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _said(verdict: Verdict | None) -> str:
    """A verdict in a few lines."""
    if verdict is None:
        return "not graded\n"
    lines = [f"{verdict.status.value}: {verdict.points:g} of {verdict.max_points:g} points"]
    if verdict.status is not Status.PASSED:
        lines += [verdict.failed_property, SAYS.get(verdict.status) or verdict.message[:LONGEST]]
    if verdict.instead_of_earlier:
        lines.append(f"graded with our own {', '.join(verdict.instead_of_earlier)}")
    return "\n".join(filter(None, lines)) + "\n"


def _about(result: Result) -> str:
    """What a person should know of the whole file."""
    lines = [f"Not graded: {result.problem}"] if result.problem else []
    lines += [f"Look at this: {flag}" for flag in result.flags]
    return "\n".join([*lines, *(f"Put right before grading: {one}" for one in result.repairs)])
