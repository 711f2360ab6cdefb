"""Marks as a table that a spreadsheet opens: one row per student, one column per exercise."""

import csv
import io

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def marks_csv(chapter, results):
    """CSV text: student, points, maximum, a column per exercise, problem. Spreadsheet formulas in names are defused."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["student", "points", "of", *(exercise.id for exercise in chapter.exercises), "problem"]
    )
    for result in sorted(results, key=lambda r: r.student):
        by_exercise = [
            sum(v.points for v in result.verdicts if v.exercise == e.id) for e in chapter.exercises
        ]
        writer.writerow(
            [
                defuse(result.student),
                f"{result.points:g}",
                f"{chapter.points:g}",
                *(f"{points:g}" for points in by_exercise),
                defuse(result.problem),
            ]
        )
    return out.getvalue()


def defuse(text):
    """Text that a spreadsheet shows as text, not as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
