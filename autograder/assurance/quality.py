"""How right are the marks? Grade the whole bank of answers with the real engine and count."""

import os
import random
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from autograder.course.bank import Answer, read_answers
from autograder.course.model import Chapter
from autograder.grading import Engine
from autograder.grading.host.fork_servers import Parent
from autograder.grading.plan import PlannedCell
from autograder.grading.result import Status, Verdict
from autograder.grading.session import Session

COUNTS = ("right", "accepted", "wrong", "refused", "named", "misnamed", "raw", "visible")
COLUMNS = (
    "chapter | right answers accepted | wrong answers refused | mistake named | misnamed | "
    "only a raw error | caught by the visible check"
).split(" | ")
MESSAGE_SHOWN = 300  # characters, in a fault
RAW = re.compile(  # lines that Python and PyTorch write, and our frame around them
    r"\s*(?:Your code raised|The answer cell raised|What came back could not be used:"
    r"|(?:Tensor-likes|Scalars|Booleans|None|Objects?) (?:are|is|mismatch)"
    r"|The values for attribute|Mismatched elements:|Expected .* but got"
    r"|(?:Greatest )?(?:[aA]bsolute|[rR]elative) difference:|The failure occurred for item|$)"
)


@dataclass
class Quality:
    """Counts for one chapter."""

    chapter: str
    right: int = 0
    accepted: int = 0
    wrong: int = 0
    refused: int = 0
    named: int = 0  # refused, with the phrase that the bank gives in the message
    misnamed: int = 0  # refused, with a phrase in the message that the bank forbids
    raw: int = 0  # refused, with nothing in the message but what Python or PyTorch says
    visible: int = 0  # refused by a check that the student sees
    faults: list[str] = field(default_factory=list)  # what is not as the bank demands, a line each
    hidden_only: list[str] = field(default_factory=list)  # wrong answers that no visible check sees


def grade_answer(
    engine: Engine, chapter_name: str, exercise_id: str, text: str
) -> tuple[Verdict, ...]:
    """The verdicts of an exercise's checks on ``text`` as its solution cell, all other exercises
    being right.

    The fast road, for answers of our own: the reference cells above the exercise are run once in a
    branch of the student server, from which every answer is forked. A student's notebook never
    meets a line of a solution.
    """
    chapter = engine.chapter(chapter_name)
    texts = {cell.id: cell.text for cell in chapter.code} | {exercise_id: text}
    cells = [cell for cell in chapter.code if not cell.show_only]
    plan = [PlannedCell(one.id, one.id, texts[one.id], one.role == "check") for one in cells]
    place = [cell.id for cell in cells].index(exercise_id)
    exercise = next(exercise for exercise in chapter.exercises if exercise.id == exercise_id)
    server = _server_at(engine, chapter_name, plan, place)
    session = Session(engine.parents, engine.limits, chapter, plan, server, place)
    try:
        checks = exercise.checks
        made = {check.grade_id: session.verdict_on(exercise, check) for check in checks}
        return tuple(session.settled(made).values())
    finally:
        session.close()


def _server_at(engine: Engine, chapter_name: str, plan: list[PlannedCell], place: int) -> Parent:
    """A student server that has run the reference up to ``place``, made from the nearest one that
    there is.
    """
    kept = engine.parents.branches
    made = {key[2] for key in kept if key[:2] == ("reference", chapter_name)}
    if place not in made:
        nearest = max((number for number in made if number < place), default=0)
        parent = kept.get(("reference", chapter_name, nearest)) or engine.parents.student_server()
        cells = [[cell.label, cell.text] for cell in plan[nearest:place] if not cell.is_check]
        kept["reference", chapter_name, place] = parent.branch(cells=cells)
    return kept["reference", chapter_name, place]


def sampled(answers: Sequence[Answer], size: int) -> list[Answer]:
    """So many answers to an exercise, the same ones every time: right and wrong ones in the share
    that they have in the bank, of each kind at least one.
    """
    right, wrong = ([one for one in answers if one.right is kind] for kind in (True, False))
    count = max(1, round(size * len(right) / len(answers))) if right else 0
    chosen = random.Random(answers[0].exercise)
    picked = chosen.sample(right, min(count, len(right)))
    return picked + chosen.sample(wrong, min(size - count, len(wrong)))


def measure(
    engine: Engine,
    root: Path,
    chapter: Chapter,
    exercises: Collection[str] = (),
    on_answer: Callable[[], None] = lambda: None,
    sample: int | None = None,
) -> Quality:
    """Grade every answer of the bank to the exercises of a chapter (default: all).

    sample: so many of each exercise at most, the same ones every time.
    """
    quality = Quality(chapter.name)
    for exercise in chapter.exercises:
        if exercises and exercise.id not in exercises:
            continue
        answers = read_answers(root, chapter.name, exercise.id)
        for answer in sampled(answers, sample) if sample else answers:
            verdicts = grade_answer(engine, chapter.name, exercise.id, answer.text)
            _count(quality, answer, [one for one in verdicts if one.status is not Status.PASSED])
            if not answer.right:
                _check_costs(quality, answer, verdicts)
            on_answer()
    return quality


def measure_chapters(
    root: Path,
    chapters: Sequence[Chapter],
    on_answer: Callable[[Chapter], None] = lambda chapter: None,
    on_done: Callable[[Chapter, Quality], None] = lambda chapter, quality: None,
) -> list[Quality]:
    """The counts of several chapters, in their order, one chapter on each core.

    Each core has an engine of its own, so that no chapter waits for another, and what all of them
    import is imported once a core; the last chapters begin first, because theirs are the slow
    checks. The callbacks come from several threads.
    """
    cores = os.cpu_count() or 1
    free: SimpleQueue[Engine] = SimpleQueue()

    def one(chapter: Chapter) -> Quality:
        engine = free.get()
        try:
            quality = measure(engine, root, chapter, on_answer=lambda: on_answer(chapter))
            engine.parents.forget(chapter.name)
        finally:
            free.put(engine)
        on_done(chapter, quality)
        return quality

    with ExitStack() as engines, ThreadPoolExecutor(cores) as threads:
        for _ in range(cores):
            free.put(engines.enter_context(Engine(root)))
        futures = [threads.submit(one, chapter) for chapter in reversed(chapters)]
        return [future.result() for future in reversed(futures)]


def table(rows: Iterable[Quality]) -> str:
    """The counts of all chapters as a Markdown table."""
    rows = list(rows)
    total = Quality("all", **{name: sum(getattr(row, name) for row in rows) for name in COUNTS})
    made = [COLUMNS, ["---"] * len(COLUMNS)]
    for row in [*rows, total]:
        counts = (f"{row.accepted} of {row.right}", f"{row.refused} of {row.wrong}")
        parts = (row.named, row.misnamed, row.raw, row.visible)
        made.append([row.chapter, *counts, *(_percent(part, row.wrong) for part in parts)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in made)


def is_raw(verdict: Verdict) -> bool:
    """Whether a verdict tells the student nothing but what Python or PyTorch says: no sentence of
    ours.
    """
    if verdict.failed_property or verdict.status not in (Status.WRONG, Status.ERROR):
        return False
    return all(RAW.match(line) for line in verdict.message.splitlines())


def _count(quality: Quality, answer: Answer, failed: list[Verdict]) -> None:
    """Count an answer, and name what is not as the bank demands. failed: verdicts that refuse."""
    place, words = f"{answer.exercise}/{answer.name}", _words(failed)
    said, shown, fault = words.lower(), words[:MESSAGE_SHOWN], ""
    accusing = [phrase for phrase in answer.forbidden if phrase.lower() in said]
    if answer.right:
        quality.right += 1
        quality.accepted += not failed
        fault = f"a right answer was refused: {shown}" if failed else ""
    else:
        quality.wrong += 1
        quality.refused += bool(failed)
        quality.visible += any(not verdict.hidden for verdict in failed)
        if not failed:
            fault = "a wrong answer was accepted"
        elif accusing:
            quality.misnamed += 1
            fault = f"{accusing[0]!r} is in: {shown}"
        elif all(is_raw(verdict) for verdict in failed):
            quality.raw += 1
            fault = f"only a raw error: {shown}"
        elif answer.phrase and answer.phrase.lower() in said:
            quality.named += 1
        else:
            fault = f"{answer.phrase!r} is not in: {shown}"
        if failed and all(verdict.hidden for verdict in failed):
            quality.hidden_only.append(f"{place}: {answer.reason or 'no reason is given'}")
    if fault:
        quality.faults.append(f"{place}: {fault}")


def _check_costs(quality: Quality, answer: Answer, verdicts: Sequence[Verdict]) -> None:
    """A fault where a mistake does not cost what the bank says: one slip is counted once."""
    cost = tuple(n for n, one in enumerate(verdicts, 1) if one.status is not Status.PASSED)
    if answer.costs and cost != answer.costs:
        said, found = (", ".join(map(str, checks)) for checks in (answer.costs, cost))
        place = f"{answer.exercise}/{answer.name}"
        quality.faults.append(f"{place}: costs checks {found}; the bank says {said}")


def _words(failed: list[Verdict]) -> str:
    """What the verdicts tell the student."""
    return "\n".join(
        f"{verdict.failed_property} {verdict.message} {verdict.status.value}" for verdict in failed
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"
