"""What a worker does: keep warm engines, grade bytes, answer with text. It never sees the gradebook, and nothing of a student's is unpickled."""

import atexit
import json
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from autograder.course.bundle import Course
from autograder.course.errors import SandboxError, SourceError
from autograder.grading import Engine, Limits, ParentPool
from autograder.grading.fingerprint import grader_mark
from autograder.grading.result import Submission

here = threading.local()  # an engine grades one submission at a time, so every thread has its own
office = {}  # Desks of this process, by what they are for
door = threading.Lock()


class Desk:
    """One course on this machine, with what its threads' engines have in common."""

    def __init__(self, course, sandbox):
        self.users = 0
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-course-")
        course.unpack(self.folder.name)
        self.pool = ParentPool(Path(self.folder.name), sandbox)
        atexit.register(self.close)

    def close(self):
        atexit.unregister(self.close)
        self.pool.close()
        self.folder.cleanup()


def engine(course, sandbox, limits):
    """This thread's engine; one for another course or other limits takes the place of the one before."""
    about = (course.digest, sandbox, limits)
    if getattr(here, "about", None) != about:
        leave()
        with door:
            if about not in office:
                office[about] = Desk(course, sandbox)
            here.engine, here.about = Engine.sharing(office[about].pool, limits), about
            office[about].users += 1
    return here.engine


def leave():
    """End this thread's engine, and with the last one of its kind what they shared."""
    about, here.about = getattr(here, "about", None), None
    if about is None:
        return
    here.engine.close()
    with door:
        office[about].users -= 1
        if not office[about].users:
            office.pop(about).close()


def get_ready(digest, archive, sandbox, limits, chapter):
    """Import and run what grading a chapter needs, before the first submission comes. What goes wrong here goes wrong then, and is told then."""
    with suppress(Exception):
        engine(Course(digest, archive), sandbox, Limits(**json.loads(limits))).prepare(chapter)


def grade_bytes(digest, archive, sandbox, limits, student, chapter, name, notebook, exercises):
    """Grade one notebook. All arguments are plain data; the answer is JSON text.

    exercises: ids of the only exercises to grade, none for all. The answer holds "grader" and either "result" and "answers", or
    "error" where this machine cannot grade at all, or "lost" where it could not grade this one.
    """
    answer = {"grader": grader_mark()}
    try:
        own = engine(Course(digest, archive), sandbox, Limits(**json.loads(limits)))
        result = own.grade(Submission(student, chapter, notebook, name), tuple(exercises))
        answer |= {"result": json.loads(result.to_json()), "answers": result.answers}
    except (SandboxError, SourceError) as error:
        answer["error"] = str(error)
    except Exception as error:  # this submission's fault or bad luck, and no reason to end the run; the next one gets a new engine
        answer["lost"] = f"the grader failed on it: {type(error).__name__}: {str(error)[:200]}"
        leave()
    return json.dumps(answer)
