"""Put a damaged notebook back in order: a student's right code is never lost to an editor's habit.

Cells are matched against the release by id, then by grade_id, then by text. The order, the checks and everything graded come from
the release; only what a student wrote comes from the file. Each repair is a sentence in the report; the original stays untouched.
"""

import ast
import difflib
import re
from dataclasses import dataclass, field

from autograder.course.model import Chapter

ALIKE = 0.8  # share of text that makes two cells the same cell, edited


@dataclass(frozen=True)
class Loose:
    """A cell as it stands in a file: what is needed to find out which cell of the release it was."""

    kind: str  # "code", "markdown" or "raw"
    text: str
    id: str = ""
    grade_id: str = ""


@dataclass(frozen=True)
class Placed:
    """A code cell put back: the id of the release's cell it stands for ("" for a cell that the student added) and its text."""

    id: str
    text: str


@dataclass
class Repaired:
    cells: list[Placed] = field(default_factory=list)
    report: list[str] = field(default_factory=list)
    missing: list[str] = field(
        default_factory=list
    )  # exercises whose answer is nowhere in the file


def repair(chapter: Chapter, submitted):
    """Match the ``submitted`` cells (a list of Loose) with the chapter. Returns Repaired: code cells in the chapter's order."""
    done = Repaired()
    released = {cell.id: cell.released.strip() for cell in chapter.cells}
    submitted = list(_unmerged(chapter, released, _retyped(chapter, submitted, done), done))
    match = _match(chapter, released, submitted, done)
    answers = {
        e.id: _answer(e, released[e.id], [submitted[i] for i in match.get(e.id, ())], done)
        for e in chapter.exercises
    }
    strays = [i for i in range(len(submitted)) if not any(i in places for places in match.values())]
    _adopt_strays(chapter, released, submitted, strays, answers, done)
    _note_order(chapter, match, done)
    anchors = _anchors(chapter, match, strays)
    for i in anchors.get("", ()):
        _place_extra(submitted[i], done)
    for cell in chapter.cells:
        if cell.kind == "code":
            _place(chapter, cell, released, submitted, match, answers, done)
        for i in anchors.get(cell.id, ()):
            _place_extra(submitted[i], done)
    return done


def _retyped(chapter, submitted, done):
    """Code cells of the release that an editor made Markdown or raw become code again."""
    kinds = {cell.id: cell.kind for cell in chapter.cells}
    names = {name for exercise in chapter.exercises for name in exercise.names}
    for cell in submitted:
        known = kinds.get(cell.id) or kinds.get(cell.grade_id)
        defines = _defined(_unfenced(cell.text)) & names if cell.kind != "code" else set()
        if cell.kind != "code" and (known == "code" or defines):
            done.report.append(
                f"cell {cell.grade_id or cell.id or sorted(defines)[0]} had become {cell.kind}; it is code again"
            )
            cell = Loose("code", _unfenced(cell.text), cell.id, cell.grade_id)
        yield cell


def _unmerged(chapter, released, submitted, done):
    """A cell that swallowed a check or another exercise is cut where the other begins."""
    checks = {
        first_line(released[check.id]): check
        for exercise in chapter.exercises
        for check in exercise.checks
    }
    for cell in submitted:
        lines = cell.text.split("\n")
        starts = [n for n, line in enumerate(lines) if line.strip() in checks]
        if cell.kind != "code" or not starts or starts == [0]:
            yield cell
            continue
        done.report.append(
            f"cell {cell.grade_id or cell.id or '(no id)'} was merged with the check below it; they are apart again"
        )
        for start, end in zip([0, *starts], [*starts, len(lines)]):
            part = "\n".join(lines[start:end])
            check = checks.get(lines[start].strip())
            if check:
                yield Loose("code", part, check.id, check.grade_id)
            elif part.strip():
                own = (
                    cell.grade_id
                    if cell.grade_id not in {c.grade_id for c in checks.values()}
                    else ""
                )
                yield Loose("code", part, cell.id if own else "", own)


def _match(chapter, released, submitted, done):
    """{id of a released cell: indices of the submitted cells that are it}."""
    match, taken = {}, set()
    by_grade_id = {cell.grade_id: cell.id for cell in chapter.cells if cell.grade_id}

    def take(index, cell_id):
        match.setdefault(cell_id, []).append(index)
        taken.add(index)

    for index, cell in enumerate(submitted):
        target = by_grade_id.get(cell.grade_id) or (cell.id if cell.id in released else "")
        if target and _plausible(chapter, target, cell, released):
            take(index, target)
    exact = {}
    for cell in chapter.cells:
        exact.setdefault(released[cell.id], cell.id)
    for index, cell in enumerate(submitted):
        if index not in taken and cell.text.strip() in exact:
            target = exact[cell.text.strip()]
            if target in by_grade_id.values() and not match.get(target):
                done.report.append(f"cell {target} had lost its id; it was found by its text")
            take(index, target)
    for exercise in chapter.exercises:
        if not match.get(exercise.id):
            for index, cell in enumerate(submitted):
                if (
                    index not in taken
                    and cell.kind == "code"
                    and _defined(cell.text) & set(exercise.names)
                ):
                    done.report.append(
                        f"cell {exercise.id} had lost its id; it was found by what it defines"
                    )
                    take(index, exercise.id)
    for cell in chapter.cells:
        if not match.get(cell.id):
            index = _most_alike(released[cell.id], cell.kind, submitted, taken)
            if index is not None:
                take(index, cell.id)
    return {cell_id: sorted(places) for cell_id, places in match.items()}


def _plausible(chapter, target, cell, released):
    """An id alone does not make a cell the answer to an exercise if it defines another exercise's names and none of its own."""
    exercise = next((e for e in chapter.exercises if e.id == target), None)
    if exercise is None or not cell.text.strip():
        return True
    others = {name for e in chapter.exercises if e is not exercise for name in e.names}
    defined = _defined(cell.text)
    return bool(defined & set(exercise.names)) or not defined & others


def _answer(exercise, stub, cells, done):
    """The student's text for one exercise out of the cells that claim to be it, or None."""
    texts = list(dict.fromkeys(cell.text for cell in cells if cell.text.strip()))
    edited = [text for text in texts if text.strip() != stub]
    if not edited:
        return texts[0] if texts else None
    if len(texts) > 1:
        joined = _joined(edited, exercise)
        if joined is not None:
            done.report.append(
                f"cell {exercise.id} was split into {len(edited)}; the parts are joined again"
            )
            return joined
        done.report.append(
            f"cell {exercise.id} stands {len(texts)} times; the last one that was worked on counts"
        )
    return edited[-1]


def _joined(texts, exercise):
    """The parts of a split cell as one text, or None when they are whole answers each."""
    if len(texts) < 2:
        return None
    whole = [text for text in texts if set(exercise.names) <= _defined(text)]
    if whole and all(_parses(text) for text in whole) and len(whole) == len(texts):
        return None
    for separator in ("\n", "\n\n"):
        text = separator.join(texts)
        if _parses(text) and set(exercise.names) <= _defined(text) and len(whole) <= 1:
            return text
    return None


def _adopt_strays(chapter, released, submitted, strays, answers, done):
    """An answer may stand beside its cell: in a new cell, as the rest of a split one, or under a cell that is still the stub."""
    for exercise in chapter.exercises:
        answer = answers[exercise.id]
        untouched = answer is None or answer.strip() == released[exercise.id]
        if answer is None:
            answers[exercise.id] = _swallowed(exercise, released, submitted, done)
            untouched = answers[exercise.id] is None
        for index in list(strays):
            text = submitted[index].text
            if submitted[index].kind != "code":
                continue
            defines = _defined(text) & set(exercise.names)
            if untouched and defines and "NotImplementedError" not in text:
                done.report.append(
                    f"the answer to {exercise.id} stood in another cell; it was put in its place"
                )
                answers[exercise.id], untouched = text, False
                strays.remove(index)
            elif (
                answer is not None
                and not untouched
                and not _parses(answer)
                and _parses(f"{answer}\n{text}")
            ):
                done.report.append(f"cell {exercise.id} was split; the parts are joined again")
                answer = answers[exercise.id] = f"{answer}\n{text}"
                strays.remove(index)
            elif (
                answer is not None
                and not untouched
                and text[:1] in (" ", "\t")
                and _parses(f"{answer}\n{text}")
            ):
                done.report.append(f"cell {exercise.id} was split; the parts are joined again")
                answer = answers[exercise.id] = f"{answer}\n{text}"
                strays.remove(index)


def _swallowed(exercise, released, submitted, done):
    """The text of an edited cell that holds the answer to an exercise whose own cell is gone: it was merged into a neighbour."""
    for cell in reversed(submitted):
        if (
            cell.kind == "code"
            and set(exercise.names) <= _defined(cell.text)
            and cell.text.strip() not in released.values()
        ):
            done.report.append(
                f"cell {exercise.id} was merged with its neighbour; that cell counts as the answer"
            )
            return cell.text
    return None


def _place(chapter, cell, released, submitted, match, answers, done):
    """Add one code cell of the release to the result: the answer, the release's check, or the teaching cell as the student had it."""
    places = match.get(cell.id, ())
    if cell.role == "solution":
        answer = answers[cell.id]
        if answer is None:
            done.missing.append(cell.id)
            done.report.append(f"cell {cell.id} is not in the file")
        else:
            done.cells.append(Placed(cell.id, answer))
    elif cell.role == "check":
        if not places:
            done.report.append(f"check {cell.id} was missing; the release's was used")
        elif len(places) > 1:
            done.report.append(
                f"check {cell.id} stands {len(places)} times; the release's was used"
            )
        elif _squeezed(submitted[places[0]].text) != _squeezed(released[cell.id]):
            done.report.append(f"check {cell.id} had been changed; the release's was used")
        done.cells.append(Placed(cell.id, ""))
    else:
        text = (
            submitted[places[-1]].text
            if places and submitted[places[-1]].kind == "code"
            else released[cell.id]
        )
        if not places and not cell.show_only:
            done.report.append(
                f"a cell of the chapter was missing and was put back: {first_line(released[cell.id])[:60]!r}"
            )
        done.cells.append(Placed(cell.id, text))


def _place_extra(cell, done):
    if cell.kind == "code" and cell.text.strip():
        done.cells.append(Placed("", cell.text))


def _anchors(chapter, match, strays):
    """{id of the released cell that a student's own cell follows: indices}; "" for those above everything."""
    place_of = {index: cell_id for cell_id, places in match.items() for index in places}
    anchors = {}
    for index in strays:
        before = [i for i in place_of if i < index]
        anchors.setdefault(place_of[max(before)] if before else "", []).append(index)
    return anchors


def _note_order(chapter, match, done):
    order = [match[cell.id][0] for cell in chapter.cells if cell.role and match.get(cell.id)]
    if order != sorted(order):
        done.report.append("cells stood in another order; they are in the chapter's order again")


def _most_alike(text, kind, submitted, taken):
    """The free cell of the same kind whose text is most like ``text``, if it is alike enough."""
    best, index = ALIKE, None
    for i, cell in enumerate(submitted):
        if i in taken or cell.kind != kind or not cell.text.strip() or len(cell.text) > 20_000:
            continue
        matcher = difflib.SequenceMatcher(None, text, cell.text.strip(), autojunk=False)
        if (
            matcher.real_quick_ratio() > best
            and matcher.quick_ratio() > best
            and matcher.ratio() > best
        ):
            best, index = matcher.ratio(), i
    return index


def first_line(text):
    return text.strip().split("\n")[0].strip()


def _squeezed(text):
    return re.sub(r"\s+", "", text)


def _unfenced(text):
    """Code out of a Markdown fence, if it stands in one."""
    match = re.fullmatch(r"\s*```[\w]*\n(.*?)\n?```\s*", text, re.DOTALL)
    return match[1] if match else text


def _parses(text):
    try:
        ast.parse(_without_magics(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_magics(text):
    return "\n".join(
        "pass"
        if line.lstrip().startswith(("%", "!")) and not line.startswith((" ", "\t"))
        else line
        for line in text.split("\n")
    )


TOP_LEVEL = re.compile(
    r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *(?:: *[^=\n]+)?=(?!=)", re.MULTILINE
)


def _defined(text):
    """Names that a text binds at the left margin; works on fragments that do not parse."""
    return {name for match in TOP_LEVEL.finditer(text) for name in match.groups() if name}
