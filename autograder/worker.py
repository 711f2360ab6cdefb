"""What a worker does: keep one warm engine, grade bytes, answer with text. It never sees the gradebook, and nothing of a student's is unpickled."""

import atexit
import json
import tempfile
import threading
from pathlib import Path

from .changes import grader_mark
from .course import Course
from .engine import Engine, Limits
from .engine.intake import read_notebook
from .errors import SandboxError, SourceError, SubmissionError
from .result import Submission

LONGEST_ANSWER = 20_000          # characters of an answer that are kept for the comparison of answers
here = threading.local()         # an engine grades one submission at a time, so every thread has its own


class Desk:
    """One course on this machine, with its engine."""

    def __init__(self, course, sandbox, limits):
        self.about = (course.digest, sandbox, limits)
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-course-")
        course.unpack(self.folder.name)
        self.engine = Engine(Path(self.folder.name), sandbox=sandbox, limits=limits)
        atexit.register(self.close)

    def close(self):
        atexit.unregister(self.close)
        self.engine.close()
        self.folder.cleanup()


def desk(course, sandbox, limits):
    """This thread's desk; another course or other limits take the place of the one before."""
    have = getattr(here, "desk", None)
    if have is None or have.about != (course.digest, sandbox, limits):
        leave()
        here.desk = Desk(course, sandbox, limits)
    return here.desk


def leave():
    """End this thread's engine."""
    have, here.desk = getattr(here, "desk", None), None
    if have is not None:
        have.close()


def grade_bytes(digest, archive, sandbox, limits, student, chapter, name, notebook, exercises):
    """Grade one notebook. All arguments are plain data; the answer is JSON text.

    exercises: ids of the only exercises to grade, none for all. The answer holds "grader" and either "result" and "answers", or
    "error" where this machine cannot grade at all, or "lost" where it could not grade this one.
    """
    answer = {"grader": grader_mark()}
    try:
        engine = desk(Course(digest, archive), sandbox, Limits(**json.loads(limits))).engine
        result = engine.grade(Submission(student, chapter, notebook, name), tuple(exercises))
        answer |= {"result": json.loads(result.to_json()), "answers": answers_in(engine.chapter(chapter), notebook)}
    except (SandboxError, SourceError) as error:
        answer["error"] = str(error)
    except Exception as error:           # this submission's fault or bad luck, and no reason to end the run; the next one gets a new engine
        answer["lost"] = f"the grader failed on it: {type(error).__name__}: {str(error)[:200]}"
        leave()
    return json.dumps(answer)


def answers_in(chapter, notebook):
    """{exercise: text of its cell}, for the comparison of answers; cells that lost their names are not looked for."""
    try:
        cells = read_notebook(notebook)
    except SubmissionError:
        return {}
    wanted = {exercise.id for exercise in chapter.exercises}
    return {name: cell.text[:LONGEST_ANSWER] for cell in cells for name in (cell.grade_id or cell.id,) if name in wanted}
