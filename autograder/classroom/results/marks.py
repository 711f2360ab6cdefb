"""Marks as a table that a spreadsheet opens: one row per student, one column per exercise."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from autograder.course.model import Chapter
from autograder.grading.result import Result

# full-width signs start a formula too, in some languages of a spreadsheet
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001


def marks_csv(chapter: Chapter, results: Iterable[Result]) -> str:
    """CSV text: student, points, maximum, a column per exercise, problem."""
    header = [
        "student",
        "points",
        "of",
        *(exercise.id for exercise in chapter.exercises),
        "problem",
    ]
    return csv_text(
        header,
        (
            [
                r.student,
                r.points,
                chapter.points,
                *r.points_by_exercise(chapter).values(),
                r.problem,
            ]
            for r in sorted(results, key=lambda result: result.student)
        ),
    )


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV text: numbers without needless zeros, text that no spreadsheet takes for a
    formula.
    """
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow([_cell(value) for value in header])
    table.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def defuse(text: str) -> str:
    """Text that a spreadsheet shows as text, not as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _cell(value):
    if not isinstance(value, str):
        return f"{value:g}"
    return defuse(re.sub("\r\n?", "\n", value))  # csv sets no quotes around a lone \r
