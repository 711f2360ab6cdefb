"""How right are the marks? Grade the whole bank of answers with the real engine and count."""

from dataclasses import dataclass, field

from autograder.assurance.bank import read_answers
from autograder.assurance.bank_grading import grade_answer
from autograder.grading.result import Status


@dataclass
class Quality:
    """Counts for one chapter; ``faults`` says what is not as the bank demands, one line each."""

    chapter: str
    right: int = 0
    accepted: int = 0
    wrong: int = 0
    refused: int = 0
    named: int = 0  # refused, with the phrase that the bank gives in the message
    visible: int = 0  # refused by a check that the student sees
    faults: list[str] = field(default_factory=list)


def measure(engine, root, chapter, exercises=(), on_answer=lambda: None):
    """Grade every answer of the bank to the exercises of a chapter (default: all). Returns Quality."""
    quality = Quality(chapter.name)
    for exercise in chapter.exercises:
        if not exercises or exercise.id in exercises:
            for answer in read_answers(root, chapter.name, exercise.id):
                _count(
                    quality, answer, grade_answer(engine, chapter.name, exercise.id, answer.text)
                )
                on_answer()
    return quality


def table(rows):
    """The counts of all chapters as a Markdown table."""
    lines = [
        "| chapter | right answers accepted | wrong answers refused | mistake named | caught by the visible check |",
        "| --- | --- | --- | --- | --- |",
    ]
    total = Quality(
        "all",
        *(
            sum(getattr(row, name) for row in rows)
            for name in ("right", "accepted", "wrong", "refused", "named", "visible")
        ),
    )
    for row in [*rows, total]:
        lines.append(
            f"| {row.chapter} | {row.accepted} of {row.right} | {row.refused} of {row.wrong} | {_percent(row.named, row.wrong)} | {_percent(row.visible, row.wrong)} |"
        )
    return "\n".join(lines)


def _count(quality, answer, verdicts):
    failed = [verdict for verdict in verdicts if verdict.status is not Status.PASSED]
    words = "\n".join(
        f"{verdict.failed_property} {verdict.message} {verdict.status.value}" for verdict in failed
    )
    place = f"{answer.exercise}/{answer.name}"
    if answer.right:
        quality.right += 1
        quality.accepted += not failed
        if failed:
            quality.faults.append(f"{place}: a right answer was refused: {words[:300]}")
        return
    quality.wrong += 1
    quality.refused += bool(failed)
    quality.visible += any(not verdict.hidden for verdict in failed)
    named = bool(failed) and answer.phrase.lower() in words.lower() and bool(answer.phrase)
    quality.named += named
    if not failed:
        quality.faults.append(f"{place}: a wrong answer was accepted")
    elif not named:
        quality.faults.append(f"{place}: {answer.phrase!r} is not in: {words[:300]}")


def _percent(part, whole):
    return f"{100 * part / whole:.0f}%" if whole else "–"
