"""Which cell of a file is which cell of the release: by id, then by grade_id, then by text, then by
what it defines.
"""

import difflib
from collections.abc import Iterable, Iterator

from autograder.course.errors import first_line
from autograder.course.model import Chapter
from autograder.grading.loose import LooseCell, defined, unfenced

ALIKE = 0.8  # share of text that makes two cells the same cell, edited
LONGEST_COMPARED = 20_000  # characters


def with_code_again(
    chapter: Chapter, submitted: Iterable[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; code cells of the release that an editor made Markdown or raw are
    code again.
    """
    kinds = {cell.id: cell.kind for cell in chapter.cells}
    names = {name for exercise in chapter.exercises for name in exercise.names}
    for cell in submitted:
        known = kinds.get(cell.id) or kinds.get(cell.grade_id)
        defines = defined(unfenced(cell.text)) & names if cell.kind != "code" else set()
        if cell.kind != "code" and (known == "code" or defines):
            report.append(
                f"cell {cell.grade_id or cell.id or sorted(defines)[0]} had become {cell.kind}; it"
                " is code again"
            )
            cell = LooseCell("code", unfenced(cell.text), cell.id, cell.grade_id)
        yield cell


def with_checks_apart(
    chapter: Chapter, released: dict[str, str], submitted: Iterable[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; one that swallowed a check or another exercise is cut where the
    other begins.
    """
    checks = {
        first_line(released[check.id]): check
        for exercise in chapter.exercises
        for check in exercise.checks
    }
    of_checks = {check.grade_id for check in checks.values()}
    for cell in submitted:
        lines = cell.text.split("\n")
        starts = [n for n, line in enumerate(lines) if line.strip() in checks]
        if cell.kind != "code" or not starts or starts == [0]:
            yield cell
            continue
        report.append(
            f"cell {cell.grade_id or cell.id or '(no id)'} was merged with the check below it; they"
            " are apart again"
        )
        for start, end in zip([0, *starts], [*starts, len(lines)], strict=False):
            part = "\n".join(lines[start:end])
            check = checks.get(lines[start].strip())
            if check:
                yield LooseCell("code", part, check.id, check.grade_id)
            elif part.strip():
                own = cell.grade_id if cell.grade_id not in of_checks else ""
                yield LooseCell("code", part, cell.id if own else "", own)


def match_cells(
    chapter: Chapter, released: dict[str, str], submitted: list[LooseCell], report: list[str]
) -> dict[str, list[int]]:
    """{id of a released cell: indices of the submitted cells that are it}."""
    match: dict[str, list[int]] = {}
    taken: set[int] = set()
    by_grade_id = {cell.grade_id: cell.id for cell in chapter.cells if cell.grade_id}

    def take(index, cell_id):
        match.setdefault(cell_id, []).append(index)
        taken.add(index)

    for index, cell in enumerate(submitted):
        target = by_grade_id.get(cell.grade_id) or (cell.id if cell.id in released else "")
        if target and _plausible(chapter, target, cell):
            take(index, target)
    exact: dict[str, str] = {}
    for cell in chapter.cells:  # type: ignore[assignment]
        exact.setdefault(released[cell.id], cell.id)
    for index, cell in enumerate(submitted):
        if index not in taken and cell.text.strip() in exact:
            target = exact[cell.text.strip()]
            if target in by_grade_id.values() and not match.get(target):
                report.append(f"cell {target} had lost its id; it was found by its text")
            take(index, target)
    for exercise in chapter.exercises:
        if not match.get(exercise.id):
            for index, cell in enumerate(submitted):
                if (
                    index not in taken
                    and cell.kind == "code"
                    and defined(cell.text) & set(exercise.names)
                ):
                    report.append(
                        f"cell {exercise.id} had lost its id; it was found by what it defines"
                    )
                    take(index, exercise.id)
    for cell in chapter.cells:  # type: ignore[assignment]
        if not match.get(cell.id):
            index = _most_alike(released[cell.id], cell.kind, submitted, taken)
            if index is not None:
                take(index, cell.id)
    return {cell_id: sorted(places) for cell_id, places in match.items()}


def _plausible(chapter, target, cell):
    """An id alone does not make a cell the answer to an exercise if it defines another exercise's
    names and none of its own.
    """
    exercise = next((e for e in chapter.exercises if e.id == target), None)
    if exercise is None or not cell.text.strip():
        return True
    others = {name for e in chapter.exercises if e is not exercise for name in e.names}
    names = defined(cell.text)
    return bool(names & set(exercise.names)) or not names & others


def _most_alike(text, kind, submitted, taken):
    """The free cell of the same kind whose text is most like ``text``, if it is alike enough."""
    best, index = ALIKE, None
    for i, cell in enumerate(submitted):
        if (
            i in taken
            or cell.kind != kind
            or not cell.text.strip()
            or len(cell.text) > LONGEST_COMPARED
        ):
            continue
        matcher = difflib.SequenceMatcher(None, text, cell.text.strip(), autojunk=False)
        if (
            matcher.real_quick_ratio() > best
            and matcher.quick_ratio() > best
            and matcher.ratio() > best
        ):
            best, index = matcher.ratio(), i
    return index


def anchors(match: dict[str, list[int]], strays: Iterable[int]) -> dict[str, list[int]]:
    """{id of the released cell that a student's own cell follows: indices}; "" for those above
    everything.
    """
    place_of = {index: cell_id for cell_id, places in match.items() for index in places}
    found: dict[str, list[int]] = {}
    for index in strays:
        before = [i for i in place_of if i < index]
        found.setdefault(place_of[max(before)] if before else "", []).append(index)
    return found
