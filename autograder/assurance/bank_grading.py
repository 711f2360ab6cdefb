"""The fast road for the bank of answers: one answer in an otherwise solved notebook, and only its own checks.

The reference cells above the exercise are run once in a branch of the keeper, from which every answer is forked. This is for
answers of our own; a student's notebook never meets a line of a solution.
"""

from autograder.grading.plan import Step
from autograder.grading.session import Session


def grade_answer(engine, chapter_name, exercise_id, text):
    """The verdicts on ``text`` as the solution cell of an exercise, all other exercises being right."""
    chapter = engine.chapter(chapter_name)
    steps = [
        Step(cell.id, cell.id, text if cell.id == exercise_id else cell.text, cell.role == "check")
        for cell in chapter.code
        if not cell.show_only
    ]
    place = next(number for number, step in enumerate(steps) if step.id == exercise_id)
    exercise = next(exercise for exercise in chapter.exercises if exercise.id == exercise_id)
    engine.reference(chapter_name)
    session = Session(engine, chapter, steps, branch(engine, chapter_name, steps, place), place)
    try:
        return tuple(session.verdict_on(exercise, check) for check in exercise.checks)
    finally:
        session.close()


def branch(engine, chapter_name, steps, place):
    """A parent that has run the reference up to ``place``, made from the nearest one that there is already."""
    made = engine.branches(chapter_name)
    if place not in made:
        nearest = max((number for number in made if number < place), default=0)
        parent = made.get(nearest) or engine.keeper()
        cells = [[step.label, step.text] for step in steps[nearest:place] if not step.is_check]
        made[place] = parent.branch(cells=cells)
    return made[place]
