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

from autograder.assurance.bank_grading import grade_answer
from autograder.course.bank import Answer, read_answers
from autograder.course.model import Chapter
from autograder.grading import Engine
from autograder.grading.result import Status, Verdict

COUNTS = ("right", "accepted", "wrong", "refused", "named", "misnamed", "raw", "visible")
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
        if sample and sample < len(answers):
            answers = random.Random(exercise.id).sample(answers, sample)
        for answer in answers:
            verdicts = grade_answer(engine, chapter.name, exercise.id, answer.text)
            failed = [verdict for verdict in verdicts if verdict.status is not Status.PASSED]
            if answer.right:
                _count_right(quality, answer, failed)
            else:
                _count_wrong(quality, answer, failed)
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
    lines = [
        (
            "| chapter | right answers accepted | wrong answers refused | mistake named | misnamed "
            "| only a raw error | caught by the visible check |"
        ),
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in [*rows, total]:
        shares = (row.named, row.misnamed, row.raw, row.visible)
        lines.append(
            f"| {row.chapter} | {row.accepted} of {row.right} | {row.refused} of {row.wrong} | "
            + " | ".join(_percent(share, row.wrong) for share in shares)
            + " |"
        )
    return "\n".join(lines)


def is_raw(verdict: Verdict) -> bool:
    """Whether a verdict tells the student nothing but what Python or PyTorch says: no sentence of
    ours.
    """
    if verdict.failed_property or verdict.status not in (Status.WRONG, Status.ERROR):
        return False
    return all(RAW.match(line) for line in verdict.message.splitlines())


def _count_right(quality: Quality, answer: Answer, failed: list[Verdict]) -> None:
    quality.right += 1
    if failed:
        quality.faults.append(
            f"{_place(answer)}: a right answer was refused: {_words(failed)[:MESSAGE_SHOWN]}"
        )
    else:
        quality.accepted += 1


def _count_wrong(quality: Quality, answer: Answer, failed: list[Verdict]) -> None:
    quality.wrong += 1
    if not failed:
        quality.faults.append(f"{_place(answer)}: a wrong answer was accepted")
        return
    quality.refused += 1
    if any(not verdict.hidden for verdict in failed):
        quality.visible += 1
    else:
        quality.hidden_only.append(f"{_place(answer)}: {answer.reason or 'no reason is given'}")
    said = _words(failed).lower()
    accusing = [phrase for phrase in answer.forbidden if phrase.lower() in said]
    if accusing:
        quality.misnamed += 1
        quality.faults.append(
            f"{_place(answer)}: {accusing[0]!r} is in: {_words(failed)[:MESSAGE_SHOWN]}"
        )
    elif all(is_raw(verdict) for verdict in failed):
        quality.raw += 1
        quality.faults.append(
            f"{_place(answer)}: only a raw error: {_words(failed)[:MESSAGE_SHOWN]}"
        )
    elif answer.phrase and answer.phrase.lower() in said:
        quality.named += 1
    else:
        quality.faults.append(
            f"{_place(answer)}: {answer.phrase!r} is not in: {_words(failed)[:MESSAGE_SHOWN]}"
        )


def _check_costs(quality: Quality, answer: Answer, verdicts: Sequence[Verdict]) -> None:
    """A fault where a mistake does not cost what the bank says: one slip is counted once."""
    cost = tuple(n for n, one in enumerate(verdicts, 1) if one.status is not Status.PASSED)
    if answer.costs and cost != answer.costs:
        said, found = (", ".join(map(str, checks)) for checks in (answer.costs, cost))
        quality.faults.append(f"{_place(answer)}: costs checks {found}; the bank says {said}")


def _place(answer: Answer) -> str:
    return f"{answer.exercise}/{answer.name}"


def _words(failed: list[Verdict]) -> str:
    """What the verdicts tell the student."""
    return "\n".join(
        f"{verdict.failed_property} {verdict.message} {verdict.status.value}" for verdict in failed
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"
