"""Notebooks as students hand them in, made from a chapter's source."""

import json


def student_notebook(chapter, answers=(), solved=True):
    """A notebook as a dictionary: solved or as released, with some answer cells replaced.

    answers: {grade_id of a solution cell: its text}.
    """
    answers = dict(answers)
    cells = []
    for cell in chapter.cells:
        text = cell.text if solved and cell.role == "solution" else cell.released
        made = {
            "cell_type": cell.kind,
            "id": cell.id,
            "metadata": {"tags": list(cell.tags)} if cell.tags else {},
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
                "task": False,
            }
        cells.append(made)
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": cells,
    }


def as_bytes(notebook):
    """A notebook as the bytes of a file."""
    return json.dumps(notebook, ensure_ascii=False).encode()
