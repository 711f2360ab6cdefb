"""The corpus of hostile, broken and oddly edited submissions (bank/hostile), run against any
chapter.

A case says in its first line what it tries. It was written for the four exercises of a trial
chapter (``EXERCISES``); against another one its cells stand in the first four exercises there, in
two notebooks: in front of the reference answers, where nothing of the course may be found and an
honest case must get full marks, and in place of the answers, all others untouched, where there must
be no point. An honest notebook is graded after each. TRIAL_ONLY: it answers the trial chapter's
exercises, so in another chapter only what it must not reach is looked at. CHAPTER: it was written
for the exercises of that chapter; there its cells stand in place of the answers of a notebook that
is right otherwise, and earn no point.
"""

import ast
import json
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.chapter import notebook_of
from autograder.course.model import Chapter
from autograder.grading import Engine
from autograder.grading.result import Result, Submission

EXERCISES = ("ch01_double", "ch01_weights", "ch01_layer", "ch01_is_linear")
HONEST = "honest, oddly edited"
NO_ANSWERS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Case:
    """One file of the corpus: its text, and what it tries in one line."""

    name: str
    text: str

    @property
    def tries(self) -> str:
        """What it tries, in its own words."""
        return ast.get_docstring(ast.parse(self.text)) or ""

    @property
    def chapter(self) -> str:
        """Name of the only chapter that it was written for, or ""."""
        return getattr(self.module(), "CHAPTER", "")

    def module(self, ids: Iterable[str] = EXERCISES) -> Any:
        """The case as a module, for these exercises; the code in it that is hostile is text."""
        text = self.text
        for ours, theirs in zip(EXERCISES, ids, strict=False):
            text = text.replace(ours, theirs)
        made = types.ModuleType(self.name)
        exec(compile(text, self.name, "exec"), made.__dict__)
        return made


@dataclass(frozen=True)
class Held:
    """What came of one case in one chapter. faults: what did not hold, in words."""

    case: str
    chapter: str
    faults: tuple[str, ...]


def read_cases(root: Path) -> list[Case]:
    """All cases, in order of their names."""
    paths = sorted(Path(root, "bank", "hostile").glob("*.py"))
    return [Case(path.stem, path.read_text(encoding="utf-8")) for path in paths]


def notebook(
    chapter: Chapter, solved: bool = True, answers: Mapping[str, str] = NO_ANSWERS
) -> dict[str, Any]:
    """A notebook of a chapter as a student hands it in: solved or as released, some answer cells
    replaced by ``answers``.
    """
    made = notebook_of(chapter)
    for shown, cell in zip(made.cells, chapter.cells, strict=True):
        text = cell.text if solved and cell.role == "solution" else cell.released
        shown.source = answers.get(cell.id, text)
    return made


def handed_in(module: Any, data: dict[str, Any]) -> bytes:
    """The bytes of a case: what its ``change`` makes of a notebook, or the notebook as it is."""
    changed = module.change(data) if hasattr(module, "change") else None
    return changed if isinstance(changed, bytes) else json.dumps(data).encode()


def run(
    engine: Engine, root: Path, names: Iterable[str], cases: Collection[str] = ()
) -> Iterator[Held]:
    """Run the corpus, or the named cases, in chapters; yields a Held for each case and chapter."""
    for name in names:
        chapter = engine.chapter(name)
        for case in read_cases(root):
            if case.chapter not in ("", chapter.name) or (cases and case.name not in cases):
                continue
            faults = tuple(_faults(engine, chapter, case))
            yield Held(case.name, chapter.name, faults)


def _faults(engine: Engine, chapter: Chapter, case: Case) -> Iterator[str]:
    if case.chapter:
        yield from _in_its_chapter(engine, chapter, case.module())
        return
    ids = [exercise.id for exercise in chapter.exercises][: len(EXERCISES)]
    module = case.module(ids)
    cells = {name: text for name, text in getattr(module, "ANSWERS", {}).items() if name in ids}
    reference = {exercise.id: exercise.solution.text for exercise in chapter.exercises}
    before = {name: f"{text}\n\n{reference[name]}" for name, text in cells.items()}
    yield from _in_front(engine, chapter, module, before)
    if module.GROUP != HONEST:
        yield from _instead(engine, chapter, module, cells)
    after = _graded(engine, chapter, json.dumps(notebook(chapter)).encode(), "after")
    if after.points != chapter.points or after.flags or after.problem:
        got = f"{after.points:g} of {chapter.points:g}"
        yield f"an honest notebook after it got {got} {after.flags}"


def _in_its_chapter(engine: Engine, chapter: Chapter, module: Any) -> Iterator[str]:
    """A notebook that is right but for the case's answers."""
    data = handed_in(module, notebook(chapter, answers=module.ANSWERS))
    result = _graded(engine, chapter, data, module.__name__)
    if getattr(module, "FLAG", "") not in " ".join(result.flags):
        yield f"{module.FLAG!r} is not in the flags {result.flags}"
    for verdict in result.verdicts:
        theirs = verdict.exercise in module.ANSWERS
        if theirs and verdict.points:
            yield f"points without work in {verdict.check}"
        if not theirs and verdict.points < verdict.max_points:
            yield f"{verdict.check} of the right part lost points: {verdict.message[:300]}"


def _in_front(
    engine: Engine, chapter: Chapter, module: Any, answers: Mapping[str, str]
) -> Iterator[str]:
    """A solved notebook with the case's cells in front of the answers."""
    result = _tried(engine, chapter, module, answers, solved=True)
    if result is None:
        return
    said = " ".join(verdict.message for verdict in result.verdicts)
    if "FOUND" in said:
        yield f"something was found: {said[:300]}"
    if result.points > chapter.points:
        yield "more points than there are"
    honest = module.GROUP == HONEST and not hasattr(module, "PROBLEM")
    expected = set(getattr(module, "EXPECT", {}).values()) <= {"passed"}
    if honest and expected and not hasattr(module, "TRIAL_ONLY"):
        lost = [v.check for v in result.verdicts if v.points < v.max_points]
        if lost:
            yield f"right code lost points in {', '.join(lost)}: {said[:300]}"


def _instead(
    engine: Engine, chapter: Chapter, module: Any, answers: Mapping[str, str]
) -> Iterator[str]:
    """An unsolved notebook with the case's cells as its only answers."""
    result = _tried(engine, chapter, module, answers, solved=False)
    if result and result.points:
        gained = [verdict.check for verdict in result.verdicts if verdict.points]
        yield f"points without work in {', '.join(gained)}"


def _tried(
    engine: Engine, chapter: Chapter, module: Any, answers: Mapping[str, str], solved: bool
) -> Result | None:
    """The Result of a case; None where it changes a cell that only the trial chapter has."""
    try:
        data = handed_in(module, notebook(chapter, solved, answers))
    except (StopIteration, LookupError):
        return None
    return _graded(engine, chapter, data, module.__name__)


def _graded(engine: Engine, chapter: Chapter, data: bytes, student: str) -> Result:
    return engine.grade(Submission(student, chapter.name, data))
