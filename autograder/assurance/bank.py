"""The bank of answers, under the name that ``bank/README.md`` gives; read in ``course.bank``."""

from autograder.course.bank import (
    HEADER,
    PARTS,
    Answer,
    bank_folder,
    read_answers,
    right_answers,
    wrong_answers,
)

__all__ = [
    "HEADER",
    "PARTS",
    "Answer",
    "bank_folder",
    "read_answers",
    "right_answers",
    "wrong_answers",
]
