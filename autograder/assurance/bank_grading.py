"""Grade one answer of the bank in an otherwise solved notebook, by its own checks only: the fast
road.

The reference cells above the exercise are run once in a branch of the student server, from which
every answer is forked. This is for answers of our own; a student's notebook never meets a line of a
solution.
"""

from typing import Any

from autograder.grading import Engine
from autograder.grading.plan import PlannedCell
from autograder.grading.result import Verdict
from autograder.grading.session import Session


def grade_answer(
    engine: Engine, chapter_name: str, exercise_id: str, text: str
) -> tuple[Verdict, ...]:
    """The verdicts on ``text`` as the solution cell of an exercise, all other exercises being
    right.
    """
    chapter = engine.chapter(chapter_name)
    plan = [
        PlannedCell(
            cell.id, cell.id, text if cell.id == exercise_id else cell.text, cell.role == "check"
        )
        for cell in chapter.code
        if not cell.show_only
    ]
    place = next(number for number, cell in enumerate(plan) if cell.id == exercise_id)
    exercise = next(exercise for exercise in chapter.exercises if exercise.id == exercise_id)
    server = _server_at(engine, chapter_name, plan, place)
    session = Session(engine.parents, engine.limits, chapter, plan, server, place)
    try:
        return tuple(session.verdict_on(exercise, check) for check in exercise.checks)
    finally:
        session.close()


def _server_at(engine: Engine, chapter_name: str, plan: list[PlannedCell], place: int) -> Any:
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
