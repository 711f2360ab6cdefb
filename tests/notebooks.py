"""Notebooks as students hand them in, made from a chapter's source."""

import json

from tests.hostile import corpus


def student_notebook(chapter, answers=(), solved=True):
    """A notebook as a dictionary: solved or as released, with some answer cells replaced.

    answers: {grade_id of a solution cell: its text}.
    """
    return corpus.notebook(chapter, solved, dict(answers))


def as_bytes(notebook):
    """A notebook as the bytes of a file."""
    return json.dumps(notebook, ensure_ascii=False).encode()
