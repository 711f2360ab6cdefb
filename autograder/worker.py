"""What a worker does: keep one warm engine, grade bytes, answer with text. It never sees the gradebook, and nothing of a student's is unpickled."""

import atexit
import json
import tempfile
import threading
from pathlib import Path

from .changes import grader_mark
from .course import Course
from .engine import Engine, Limits
from .errors import AutograderError
from .result import Result, Submission

LONGEST_ANSWER = 20_000          # characters of an answer that are kept for the comparison of answers
here = threading.local()         # an engine grades one submission at a time, so every thread has its own


class Regrader(Engine):
    """An engine that leaves out checks whose verdicts still hold, and keeps the texts of the answers."""

    kept, answers = {}, {}

    def _verdicts(self, chapter, steps):
        exercises = {exercise.id for exercise in chapter.exercises}
        self.answers = {step.id: step.text[:LONGEST_ANSWER] for step in steps if step.id in exercises}
        return super()._verdicts(chapter, steps)

    def _one(self, chapter, session, steps, position, exercise, failed):
        return self.kept.get(steps[position].id) or super()._one(chapter, session, steps, position, exercise, failed)

    def regrade(self, submission, kept):
        """(Result, {exercise: answer}); checks in ``kept``, {check: Verdict}, are not run."""
        self.kept, self.answers = kept, {}
        return self.grade(submission), self.answers


class Desk:
    """One course on this machine, with its engine."""

    def __init__(self, course, sandbox, limits):
        self.about = (course.digest, sandbox, limits)
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-course-")
        course.unpack(self.folder.name)
        self.engine = Regrader(Path(self.folder.name), sandbox=sandbox, limits=limits)
        atexit.register(self.close)

    def close(self):
        atexit.unregister(self.close)
        self.engine.close()
        self.folder.cleanup()


def desk(course, sandbox, limits):
    """This thread's desk; another course or other limits take the place of the one before."""
    have = getattr(here, "desk", None)
    if have is None or have.about != (course.digest, sandbox, limits):
        if have is not None:
            have.close()
        here.desk = Desk(course, sandbox, limits)
    return here.desk


def grade_bytes(digest, archive, sandbox, limits, student, chapter, name, notebook, kept):
    """Grade one notebook. All arguments are plain data; the answer is JSON text.

    kept: JSON of the earlier Result's verdicts that still hold, in the form of a Result.
    The answer holds "grader" and either "result" and "answers", or "error" where this machine cannot grade at all.
    """
    answer = {"grader": grader_mark()}
    try:
        engine = desk(Course(digest, archive), sandbox, Limits(**json.loads(limits))).engine
        verdicts = {verdict.check: verdict for verdict in Result.from_json(kept).verdicts} if kept else {}
        result, answers = engine.regrade(Submission(student, chapter, notebook, name), verdicts)
        answer |= {"result": json.loads(result.to_json()), "answers": answers}
    except AutograderError as error:
        answer["error"] = str(error)
    return json.dumps(answer)
