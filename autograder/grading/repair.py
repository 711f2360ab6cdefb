"""Put a damaged notebook back in order: a student's right code is never lost to an editor's habit.

The order, the checks and everything graded come from the release; only what a student wrote comes
from the file. Each repair is a sentence in the report; the original stays untouched.

Which cell of a file is which cell of the release is told by id, then by grade_id, then by text,
then by what it defines. An answer may stand in its own cell, in several cells one below the other,
in a new cell somewhere below, under the text of a check, or in the cell that it was merged into.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from autograder.course.errors import first_line
from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import STUB
from autograder.grading.intake import LooseCell
from autograder.grading.names import TOP_LEVEL, defined, parses

ALIKE = 0.8  # share of text that makes two cells the same cell, edited
LONGEST_COMPARED = 20_000  # characters
FENCE = re.compile(r"\s*```[\w]*\n(.*?)\n?```\s*", re.DOTALL)

Match = dict[str, list[int]]  # id of a released cell: indices of the submitted cells that are it


@dataclass(frozen=True)
class RepairedCell:
    """A code cell put back: the id of the release's cell it stands for ("" for a cell that the
    student added) and its text.
    """

    id: str
    text: str


@dataclass
class Repaired:
    """A file put back in order."""

    cells: list[RepairedCell] = field(default_factory=list)  # code cells in the chapter's order
    report: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # exercises whose answer is nowhere


def repair(chapter: Chapter, submitted: Iterable[LooseCell]) -> Repaired:
    """Match the ``submitted`` cells with the chapter; returns them in its order, with a report.

    >>> repair(chapter, [LooseCell("markdown", "double = abs")]).report[0]
    'cell double had become markdown; it is code again'
    """
    done = Repaired()
    released = {cell.id: cell.released.strip() for cell in chapter.cells}
    submitted = _with_code_again(chapter, submitted, done.report)
    submitted = list(_with_checks_apart(chapter, released, submitted, done.report))
    match = _match_cells(chapter, released, submitted, done.report)
    answers = _Answers(chapter, released, submitted, match, done.report)
    order = [match[cell.id][0] for cell in chapter.cells if cell.role and match.get(cell.id)]
    if order != sorted(order):
        done.report.append("cells stood in another order; they are in the chapter's order again")
    anchored = _anchors(match, answers.own)
    _place_own(anchored.get("", ()), submitted, done)
    for cell in chapter.cells:
        places = [submitted[index] for index in match.get(cell.id, ())]
        if cell.role == "solution":
            _place_answer(cell, answers.texts[cell.id], done)
        elif cell.role == "check":
            _place_check(cell, places, released[cell.id], done)
        elif cell.kind == "code":
            _place_teaching(cell, places, released[cell.id], done)
        _place_own(anchored.get(cell.id, ()), submitted, done)
    return done


def _place_answer(cell: Cell, answer: str | None, done: Repaired) -> None:
    if answer is None:
        done.missing.append(cell.id)
        done.report.append(f"cell {cell.id} is not in the file")
    else:
        done.cells.append(RepairedCell(cell.id, answer))


def _place_check(cell: Cell, places: list[LooseCell], released: str, done: Repaired) -> None:
    """The release's check, whatever the file holds in its place."""
    if not places:
        done.report.append(f"check {cell.id} was missing; the release's was used")
    elif len(places) > 1:
        done.report.append(f"check {cell.id} stands {len(places)} times; the release's was used")
    elif re.sub(r"\s+", "", places[0].text) != re.sub(r"\s+", "", released):
        done.report.append(f"check {cell.id} had been changed; the release's was used")
    done.cells.append(RepairedCell(cell.id, ""))


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


def _with_checks_apart(
    chapter: Chapter, released: dict[str, str], submitted: Iterable[LooseCell], report: list[str]
) -> Iterator[LooseCell]:
    """Yield the submitted cells; one that swallowed a check or another exercise is cut where the
    other begins.
    """
    checks = {
        first_line(released[check.id]): check for one in chapter.exercises for check in one.checks
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
        for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
            part = "\n".join(lines[start:end])
            check = checks.get(lines[start].strip())
            if check:
                yield LooseCell("code", part, check.id, check.grade_id)
            elif part.strip():
                own = cell.grade_id if cell.grade_id not in of_checks else ""
                yield LooseCell("code", part, cell.id if own else "", own)


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
        if index not in taken and cell.text.strip() in exact:
            target = exact[cell.text.strip()]
            if target in graded.values() and not match.get(target):
                report.append(f"cell {target} had lost its id; it was found by its text")
            take(index, target)
    for exercise in chapter.exercises:
        free = (
            [] if match.get(exercise.id) else [n for n in range(len(submitted)) if n not in taken]
        )
        for index in free:
            cell = submitted[index]
            if cell.kind == "code" and defined(cell.text) & set(exercise.names):
                report.append(
                    f"cell {exercise.id} had lost its id; it was found by what it defines"
                )
                take(index, exercise.id)
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


def _anchors(match: Match, strays: Iterable[int]) -> dict[str, list[int]]:
    """{id of the released cell that a student's own cell follows: indices}; "" for those above
    everything.
    """
    place_of = {index: cell_id for cell_id, places in match.items() for index in places}
    found: dict[str, list[int]] = {}
    for index in strays:
        before = [i for i in place_of if i < index]
        found.setdefault(place_of[max(before)] if before else "", []).append(index)
    return found


# What was answered


class _Answers:
    """The answers of one file. texts: {exercise: the student's text or None}; own: indices of cells
    that are part of no answer.
    """

    def __init__(
        self,
        chapter: Chapter,
        released: dict[str, str],
        submitted: list[LooseCell],
        match: Match,
        report: list[str],
    ) -> None:
        self.chapter, self.released, self.submitted = chapter, released, submitted
        self.match, self.report = match, report
        matched = {index for places in match.values() for index in places}
        self.own = [i for i, c in enumerate(submitted) if i not in matched and c.kind == "code"]
        self.texts = {exercise.id: self._own_cell(exercise) for exercise in chapter.exercises}
        self._join_split_cells()
        elsewhere: set[int] = set()
        for exercise in chapter.exercises:
            if self.texts[exercise.id] is None:
                self.texts[exercise.id] = self._in_a_nearby_cell(exercise)
            text = self._worked_on(exercise)
            if text is None or STUB[1] in text:
                elsewhere |= self._from_elsewhere(exercise)
        self.own = [index for index in self.own if index not in elsewhere]

    def _worked_on(self, exercise: Exercise) -> str | None:
        """The answer so far, or None where it is nowhere or as released."""
        text = self.texts[exercise.id]
        return None if text is None or text.strip() == self.released[exercise.id] else text

    def _own_cell(self, exercise: Exercise) -> str | None:
        """The text of the cells that claim to be the answer to an exercise, or None."""
        cells = [self.submitted[i] for i in self.match.get(exercise.id, ())]
        texts = list(dict.fromkeys(cell.text for cell in cells if cell.text.strip()))
        edited = [text for text in texts if text.strip() != self.released[exercise.id]]
        if not edited:
            return texts[0] if texts else None
        if len(texts) > 1:
            joined = _joined(edited, exercise)
            if joined is not None:
                self.report.append(
                    f"cell {exercise.id} was split into {len(edited)}; the parts are joined again"
                )
                return joined
            self.report.append(
                f"cell {exercise.id} stands {len(texts)} times; the last one that was worked on"
                " counts"
            )
        return edited[-1]

    def _join_split_cells(self) -> None:
        """The rest of a split cell is a cell of the student's own: it belongs to the exercise that
        stands above it.
        """
        exercise_at = {i: e for e in self.chapter.exercises for i in self.match.get(e.id, ())}
        for index in list(self.own):
            above = max((i for i in exercise_at if i < index), default=None)
            exercise = None if above is None else exercise_at[above]
            answer = None if exercise is None else self._worked_on(exercise)
            if exercise is None or answer is None:
                continue
            text = self.submitted[index].text
            torn = text[:1] in (" ", "\t") or not parses(answer)
            if torn and parses(f"{answer}\n{text}"):
                self.report.append(f"cell {exercise.id} was split; the parts are joined again")
                self.texts[exercise.id] = f"{answer}\n{text}"
                self.own.remove(index)

    def _from_elsewhere(self, exercise: Exercise) -> set[int]:
        """Take an answer from a cell of the student's own, or from below a check; returns the
        indices of what was taken.

        One new cell may hold the answers to several exercises: it counts for each of them.
        """
        names = set(exercise.names)
        for index in reversed(self.own):
            text = self.submitted[index].text
            if defined(text) & names and STUB[1] not in text:
                self._take(exercise, text)
                return {index}
        for check in exercise.checks:
            for index in self.match.get(check.id, ()):
                text = _below_a_check(self.submitted[index].text, names)
                if text and not defined(self.released[check.id]) & names:
                    self._take(exercise, text)
        return set()

    def _take(self, exercise: Exercise, text: str) -> None:
        self.texts[exercise.id] = text
        self.report.append(
            f"the answer to {exercise.id} stood in another cell; it was put in its place"
        )

    def _in_a_nearby_cell(self, exercise: Exercise) -> str | None:
        """The text of an edited cell that holds the answer to an exercise whose own cell is gone:
        it was merged into a neighbour.
        """
        for cell in reversed(self.submitted):
            edited = cell.kind == "code" and cell.text.strip() not in self.released.values()
            if edited and set(exercise.names) <= defined(cell.text):
                self.report.append(
                    f"cell {exercise.id} was merged with its neighbour; that cell counts as the"
                    " answer"
                )
                return cell.text
        return None


def _joined(texts: Sequence[str], exercise: Exercise) -> str | None:
    """The parts of a split cell as one text, or None when they are whole answers each."""
    if len(texts) < 2:
        return None
    whole = [text for text in texts if set(exercise.names) <= defined(text)]
    if len(whole) == len(texts) and all(map(parses, whole)):
        return None
    for text in ("\n".join(texts), "\n\n".join(texts)):
        if parses(text) and set(exercise.names) <= defined(text) and len(whole) <= 1:
            return text
    return None


def _below_a_check(text: str, names: set[str]) -> str:
    """What stands in a check's cell from the first definition of one of these names on."""
    starts = [match.start() for match in TOP_LEVEL.finditer(text) if names & set(match.groups())]
    return text[starts[0] :] if starts else ""
