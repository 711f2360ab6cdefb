"""The small chapter that the engine's tests grade, and notebooks made from it."""

import json
import shutil
from pathlib import Path

from autograder.course.chapter import find_chapter
from autograder.grading.result import Submission

NAME = "ch01_trial"
SOURCE = Path(__file__).with_name(f"{NAME}.py")


def make_course(root, source=SOURCE, name=NAME):
    """A course at ``root`` that holds the trial chapter alone."""
    target = Path(root, "source", name, f"{name}.py")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
    return Path(root)


def notebook(root, solved=True, answers=(), name=NAME):
    """A notebook as a student hands it in: solved or as released, with some answer cells replaced by ``answers``."""
    answers = dict(answers)
    cells = []
    for cell in find_chapter(root, name).cells:
        text = cell.text if solved and cell.role == "solution" else cell.released
        made = {
            "cell_type": cell.kind,
            "id": cell.id,
            "metadata": {},
            "source": answers.get(cell.id, text),
        }
        if cell.kind == "code":
            made |= {"outputs": [], "execution_count": None}
        if cell.grade_id:
            made["metadata"]["nbgrader"] = {
                "grade_id": cell.grade_id,
                "grade": cell.role == "check",
                "points": cell.points,
                "solution": cell.role == "solution",
                "locked": cell.role == "check",
                "schema_version": 3,
            }
        cells.append(made)
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": cells,
    }


def submission(data, student="student", name=NAME):
    """A Submission out of a notebook or out of bytes."""
    return Submission(
        student,
        name,
        data if isinstance(data, bytes) else json.dumps(data).encode(),
        f"{name}.ipynb",
    )


def points(result):
    """{check: points earned}."""
    return {
        verdict.check.removeprefix("ch01_").replace("_check", ""): verdict.points
        for verdict in result.verdicts
    }


def statuses(result):
    """{check: status in words}."""
    return {
        verdict.check.removeprefix("ch01_").replace("_check", ""): verdict.status.value
        for verdict in result.verdicts
    }
