"""Put a damaged notebook back in order: a student's right code is never lost to an editor's habit.
The order, the checks and everything graded come from the release; only what a student wrote comes
from the file. Each repair is a sentence in the report; the original stays untouched.

Which cell of a file is which cell of the release is told by id, then by grade_id, then by text,
then by what it defines. All others are the student's own. Cells run where they stand, as a kernel
would run them; what they define at a check's place is the answer. Only what is not there by then is
looked for elsewhere: below the check, or in the cell that it was merged into.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from IPython.core.inputtransformer2 import leading_indent

from autograder.course.errors import first_line
from autograder.course.model import Cell, Chapter, Exercise
from autograder.grading.conflicts import FENCE, without_marks
from autograder.grading.intake import LooseCell
from autograder.grading.names import TOP_LEVEL, defined, given, parses, same_code

ALIKE = 0.8  # share of text that makes two cells the same cell, edited
LONGEST_COMPARED = 20_000  # characters

Match = dict[str, list[int]]  # id of a released cell: indices of the submitted cells that are it


@dataclass(frozen=True)
class RepairedCell:
    """A code cell put back: the id of the release's cell it stands for ("" for a cell that the
    student added) and its text. An answer may be several cells.
    """

    id: str
    text: str


@dataclass
class Repaired:
    """A file put back in order."""

    cells: list[RepairedCell] = field(default_factory=list)  # code cells in the chapter's order
    report: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # exercises whose answer is nowhere

    def answer(self, exercise_id: str) -> str:
        """The text of an answer, of all its cells."""
        return "\n\n".join(cell.text for cell in self.cells if cell.id == exercise_id)


def repair(chapter: Chapter, submitted: Iterable[LooseCell]) -> Repaired:
    """Match the ``submitted`` cells with the chapter; returns them in its order, with a report.

    >>> repair(chapter, [LooseCell("markdown", "double = abs")]).report[0]
    'cell double had become markdown; it is code again'
    """
    done, released = Repaired(), {cell.id: cell.released.strip() for cell in chapter.cells}
    code = map(without_marks(done.report), _with_code_again(chapter, submitted, done.report))
    whole = list(_with_halves_joined(chapter, released, code, done.report))
    cells = list(_with_merged_apart(chapter, released, whole, done.report))
    match = _match_cells(chapter, released, cells, done.report)
    order = [match[cell.id][0] for cell in chapter.cells if cell.role and match.get(cell.id)]
    if order != sorted(order):
        done.report.append("cells stood in another order; they are in the chapter's order again")
    anchored = _anchors(match, cells)
    _place_own(anchored.get("", ()), cells, done)
    for cell in chapter.cells:
        places = [cells[index] for index in match.get(cell.id, ())]
        if cell.role == "solution":
            done.cells += [RepairedCell(cell.id, place.text) for place in places]
        elif cell.role == "check":
            _place_check(cell, places, released[cell.id], done)
        elif cell.kind == "code":
            _place_teaching(cell, places, released[cell.id], done)
        _place_own(anchored.get(cell.id, ()), cells, done)
    _Answers(chapter, released, done).find()
    return done


def _place_check(cell: Cell, places: list[LooseCell], released: str, done: Repaired) -> None:
    """A check as the student had it; what is graded is the release's."""
    if not places:
        done.report.append(f"check {cell.id} was missing; the release's was used")
    elif len(places) > 1:
        done.report.append(f"check {cell.id} stands {len(places)} times; the release's was used")
    elif not same_code(places[0].text, released):
        done.report.append(f"check {cell.id} had been changed; the release's was used")
    done.cells.append(RepairedCell(cell.id, places[0].text if places else released))


def _place_teaching(cell: Cell, places: list[LooseCell], released: str, done: Repaired) -> None:
    """A cell of the chapter as the student had it."""
    kept = places and places[-1].kind == "code"
    if not places and not cell.show_only:
        begins = repr(first_line(released)[:60])
        done.report.append(f"a cell of the chapter was missing and was put back: {begins}")
    done.cells.append(RepairedCell(cell.id, places[-1].text if kept else released))


def _place_own(indices: Iterable[int], submitted: list[LooseCell], done: Repaired) -> None:
    """Cells that the student added, behind the cell of the release that they stand below."""
    texts = [submitted[index].text for index in indices]
    done.cells += [RepairedCell("", text) for text in texts if text.strip()]


# Which cell is which


def _with_code_again(
    chapter: Chapter, submitted: Iterable[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; code cells of the release that an editor made Markdown or raw are
    code again.
    """
    kinds = {cell.id: cell.kind for cell in chapter.cells}
    names = {name for exercise in chapter.exercises for name in exercise.names}
    for cell in submitted:
        if cell.kind != "code":
            fenced = FENCE.fullmatch(cell.text)
            text = fenced[1] if fenced else cell.text
            defines = defined(text) & names
            known = kinds.get(cell.id) or kinds.get(cell.grade_id)
            if known == "code" or defines:
                name = cell.grade_id or cell.id or sorted(defines)[0]
                report.append(f"cell {name} had become {cell.kind}; it is code again")
                cell = replace(cell, kind="code", text=text)
        yield cell


def _with_halves_joined(
    chapter: Chapter, released: dict[str, str], submitted: Iterable[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; the rest of a cell that was split inside a definition is one cell
    with its beginning again, and a cell that is indented as a whole begins at the margin.
    """
    names = {name for exercise in chapter.exercises for name in exercise.names}
    texts = set(released.values())
    last: LooseCell | None = None  # code, not yet yielded
    for cell in submitted:
        if cell.kind != "code" or not cell.text.strip():
            yield cell
            continue
        whole, joined = cell.text, f"{last.text}\n{cell.text}" if last else ""
        if cell.text[:1] in (" ", "\t"):
            whole = "".join(leading_indent(cell.text.splitlines(keepends=True)))
        torn = last and last.text.strip() not in texts and not defined(whole) & names
        if last and (torn and whole != cell.text or not parses(last.text)) and parses(joined):
            name = last.grade_id or last.id or "(no id)"
            report.append(f"cell {name} was split; the parts are joined again")
            last = replace(last, text=joined)
            continue
        if last:
            yield last
        last = replace(cell, text=whole)
    if last:
        yield last


def _with_merged_apart(
    chapter: Chapter, released: dict[str, str], submitted: list[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; one that swallowed cells of the release is cut where they begin
    and end. What is left of it is the student's.
    """
    there = {cell.text.strip() for cell in submitted}
    absent = [cell for cell in chapter.code if released[cell.id] not in {*there, ""}]
    for cell in submitted:
        spans = _swallowed(chapter, released, absent, cell) if cell.kind == "code" else []
        lines = cell.text.split("\n")
        edges = [0, *(edge for start, end, _ in spans for edge in (start, end)), len(lines)]
        texts = ["\n".join(lines[a:b]) for a, b in zip(edges, edges[1:], strict=False)]
        if not all(map(parses, texts[::2])):
            spans, texts = [], [cell.text]
        found = [one for _, _, one in spans]
        if {one.id for one in found} - {cell.id, cell.grade_id}:
            name = cell.grade_id or cell.id or "(no id)"
            report.append(f"cell {name} was merged with others; they are apart again")
        for number, text in enumerate(texts):
            if number % 2:
                one = found[number // 2]
                yield LooseCell("code", text, one.id, one.grade_id)
            elif text.strip() or not found:
                own = number == 0 and not {cell.id, cell.grade_id} & {one.id for one in found}
                yield replace(cell, text=text) if own else LooseCell("code", text)


def _swallowed(
    chapter: Chapter, released: dict[str, str], absent: Iterable[Cell], cell: LooseCell
) -> list[tuple[int, int, Cell]]:
    """[(first line, line below the last, cell of the release)] of what a cell holds as released; of
    a check that was edited, what stands above the next definition of an exercise.
    """
    lines, padded = [line.strip() for line in cell.text.split("\n")], f"\n{cell.text}\n"
    names = {name for exercise in chapter.exercises for name in exercise.names}
    found: list[tuple[int, int, Cell]] = []
    for one in absent:
        text = released[one.id]
        at = padded.find(f"\n{text}\n")
        if at >= 0:
            start = padded.count("\n", 0, at)
            found.append((start, start + text.count("\n") + 1, one))
    others = [
        one for one in absent if one.role == "check" and one not in [span[2] for span in found]
    ]
    firsts = {first_line(released[one.id]): one for one in others}
    starts = [n for n, line in enumerate(lines) if line in firsts] + [span[0] for span in found]
    for start in [n for n in starts if lines[n] in firsts]:
        one, below = firsts[lines[start]], "\n".join(cell.text.split("\n")[start:])
        defined_at = [
            start + below.count("\n", 0, place.start())
            for place in TOP_LEVEL.finditer(below)
            if set(place.groups()) & names - defined(released[one.id])
        ]
        ends = [*defined_at, *(n for n in starts if n > start), len(lines)]
        found.append((start, min(ends), one))
    spans: list[tuple[int, int, Cell]] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return [] if [span[:2] for span in spans] == [(0, len(lines))] else spans


def _match_cells(
    chapter: Chapter, released: dict[str, str], submitted: list[LooseCell], report: list[str]
) -> Match:
    match: Match = {}
    taken: set[int] = set()
    graded = {cell.grade_id: cell.id for cell in chapter.cells if cell.grade_id}

    def take(index: int, cell_id: str) -> None:
        match.setdefault(cell_id, []).append(index)
        taken.add(index)

    for index, cell in enumerate(submitted):
        target = graded.get(cell.grade_id) or (cell.id if cell.id in released else "")
        if target and _plausible(chapter, target, cell):
            take(index, target)
    exact = {text: cell_id for cell_id, text in reversed(released.items())}  # the first of each
    for index, cell in enumerate(submitted):
        target = exact.get(cell.text.strip(), "")
        if index not in taken and target and not match.get(target):
            if target in graded.values():
                report.append(f"cell {target} had lost its id; it was found by its text")
            take(index, target)
    for exercise in chapter.exercises:
        below = min(match.get(exercise.checks[0].id, [len(submitted)]))
        for index in [] if match.get(exercise.id) else range(below):
            cell = submitted[index]
            if (
                cell.kind == "code"
                and index not in taken
                and defined(cell.text) & {*exercise.names}
            ):
                report.append(
                    f"cell {exercise.id} had lost its id; it was found by what it defines"
                )
                take(index, exercise.id)
                break
        above = [index for index in match.get(exercise.id, ()) if index < below]
        if any(submitted[index].text.strip() != released[exercise.id] for index in above):
            match[exercise.id] = above  # a copy below the check tries something
    for known in chapter.cells:
        if not match.get(known.id):
            alike = _most_alike(released[known.id], known.kind, submitted, taken)
            if alike is not None:
                take(alike, known.id)
    return {cell_id: sorted(places) for cell_id, places in match.items()}


def _plausible(chapter: Chapter, target: str, cell: LooseCell) -> bool:
    """An id alone does not make a cell the answer to an exercise if it defines another exercise's
    names and none of its own.
    """
    exercise = next((e for e in chapter.exercises if e.id == target), None)
    if exercise is None or not cell.text.strip():
        return True
    others = {name for e in chapter.exercises if e is not exercise for name in e.names}
    names = defined(cell.text)
    return bool(names & set(exercise.names)) or not names & others


def _most_alike(text: str, kind: str, submitted: list[LooseCell], taken: set[int]) -> int | None:
    """The free cell of the same kind whose text is most like ``text``, if it is alike enough."""
    best, index = ALIKE, None
    for i, cell in enumerate(submitted):
        if i in taken or cell.kind != kind or len(cell.text) > LONGEST_COMPARED:
            continue
        matcher = difflib.SequenceMatcher(None, text, cell.text.strip(), autojunk=False)
        ratios: list[Callable[[], float]]
        ratios = [matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio]
        if cell.text.strip() and all(ratio() > best for ratio in ratios):  # the cheap ones first
            best, index = matcher.ratio(), i
    return index


def _anchors(match: Match, submitted: Sequence[LooseCell]) -> dict[str, list[int]]:
    """{id of the released cell that a student's own code cell follows: indices}; "" for those above
    everything.
    """
    place_of = {index: cell_id for cell_id, places in match.items() for index in places}
    found: dict[str, list[int]] = {}
    last = ""
    for index, cell in enumerate(submitted):
        last = place_of.get(index, last)
        if index not in place_of and cell.kind == "code":
            found.setdefault(last, []).append(index)
    return found


# What was answered


class _Answers:
    """The answers among the cells that were put in order."""

    def __init__(self, chapter: Chapter, released: dict[str, str], done: Repaired) -> None:
        self.chapter, self.released, self.done = chapter, released, done

    def find(self) -> None:
        """Mark the cells that make up each answer, and put those in place that stand elsewhere."""
        moved: list[RepairedCell] = []
        for exercise in self.chapter.exercises:
            self._mark(exercise)
            if lacking := self._lacking(exercise):
                moved += self._from_elsewhere(exercise, lacking)
            if not any(cell.id == exercise.id for cell in self.done.cells):
                self.done.missing.append(exercise.id)
                self.done.report.append(f"cell {exercise.id} is not in the file")
        self.done.cells[:] = [cell for cell in self.done.cells if cell not in moved]

    def _place(self, exercise: Exercise) -> tuple[int, int]:
        """Positions of the first cell that may be part of an answer, and of its first check."""
        ids = [cell.id for cell in self.chapter.code]
        above = set(ids[: ids.index(exercise.id)])
        end = next(n for n, c in enumerate(self.done.cells) if c.id == exercise.checks[0].id)
        start = max(
            (n + 1 for n, c in enumerate(self.done.cells[:end]) if c.id in above), default=0
        )
        return start, end

    def _mark(self, exercise: Exercise) -> None:
        """Make the student's own cells between an exercise and its check, as far as they define its
        names, part of the answer. A stub is none where there is more.
        """
        start, end = self._place(exercise)
        names, released = set(exercise.names), self.released[exercise.id]
        cells = [
            replace(cell, id=exercise.id) if not cell.id and defined(cell.text) & names else cell
            for cell in self.done.cells[start:end]
        ]
        parts = [cell for cell in cells if cell.id == exercise.id and cell.text.strip()]
        worked_on = [part for part in parts if not same_code(part.text, released)]
        kept = worked_on or parts[:1]
        self.done.cells[start:end] = [c for c in cells if c.id != exercise.id or c in kept]
        if len(set(parts)) > 1:
            said = "they were run one after the other" if len(kept) > 1 else "its stub was left out"
            self.done.report.append(f"{exercise.id} stands in {len(set(parts))} cells; {said}")

    def _lacking(self, exercise: Exercise) -> set[str]:
        """Names of an exercise that nothing which the student wrote gives at its check."""
        found: dict[str, bool] = {}
        for cell in self.done.cells[: self._place(exercise)[1]]:
            if cell.id == exercise.id and not self._is_theirs(cell):
                found.clear()
            elif self._is_theirs(cell):
                found |= given(cell.text)
        gone = not any(cell.id == exercise.id for cell in self.done.cells)
        return {name for name in exercise.names if gone or not found.get(name)}

    def _is_theirs(self, cell: RepairedCell) -> bool:
        return not same_code(cell.text, self.released.get(cell.id, ""))

    def _from_elsewhere(self, exercise: Exercise, lacking: set[str]) -> list[RepairedCell]:
        """Put cells that give what an answer lacks below what there is of it: the student's own,
        which are returned; where it is gone or not begun, one that it was merged into.

        One cell may hold the answers to several exercises: it counts for each of them.
        """
        cells, (start, _) = self.done.cells, self._place(exercise)
        parts = [n for n, cell in enumerate(cells) if cell.id == exercise.id]
        others = [cell for cell in cells if self._is_theirs(cell)]
        own = [cell for cell in others if not cell.id]
        begun = [cells[n] for n in parts if cells[n] in others]
        merged = [cell for cell in others if cell.id and not begun]
        taken = list[RepairedCell]()
        for cell in (*own[::-1], *merged[::-1]):
            ours = given(self.released.get(cell.id, ""))
            gives = {n for n, whole in given(cell.text).items() if whole and not ours.get(n)}
            gives &= lacking
            if gives and (not cell.id or gives == lacking):
                taken.insert(0, cell)
                lacking -= gives
        if taken:
            first, last = (parts[0], parts[-1] + 1) if parts else (start, start)
            cells[first:last] = [*begun, *(RepairedCell(exercise.id, cell.text) for cell in taken)]
            self.done.report.append(
                f"the answer to {exercise.id} stood in another cell; it was put in its place"
            )
        return [cell for cell in taken if not cell.id]
