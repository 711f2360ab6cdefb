"""What a worker does: keep warm engines, grade bytes, answer with text. It never sees the
gradebook, and nothing of a student's is unpickled.
"""

import json
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.course.bundle import Course
from autograder.course.errors import SandboxError, SourceError
from autograder.grading import Engine, Limits, ParentPool
from autograder.grading.fingerprint import grader_mark
from autograder.grading.result import Submission

# what grading is for, as plain data: a course's digest and archive, sealed or not, limits
Terms = tuple[str, bytes, bool, Mapping[str, Any]]
Purpose = tuple[str, bool, Limits]  # the same, to be compared
_own = threading.local()  # an engine grades one submission at a time: every thread has its own
_lock = threading.Lock()  # around _shared


class SharedCourse:
    """One course unpacked on this machine, and the processes that its threads' engines have in
    common; both go with the last engine, or when this process ends.
    """

    def __init__(self, course: Course, sandbox: bool) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="autograder-course-")
        course.unpack(self.folder.name)
        self.pool = ParentPool(Path(self.folder.name), sandbox)
        weakref.finalize(self, self.pool.close)


_shared = weakref.WeakValueDictionary[Purpose, SharedCourse]()  # what threads have in common


def engine(terms: Terms) -> Engine:
    """This thread's engine; one on other terms takes the place of the one before."""
    digest, archive, sandbox, limits = terms[0], terms[1], terms[2], Limits(**terms[3])
    purpose = (digest, sandbox, limits)
    if getattr(_own, "purpose", None) != purpose:
        close_engine()
        with _lock:
            _own.shared = _shared.get(purpose) or SharedCourse(Course(digest, archive), sandbox)
            _shared[purpose] = _own.shared
        _own.engine, _own.purpose = Engine.sharing(_own.shared.pool, limits), purpose
    return _own.engine


def close_engine() -> None:
    """End this thread's engine."""
    if getattr(_own, "purpose", None) is not None:
        _own.purpose = None
        _own.engine.close()
        del _own.engine, _own.shared


def get_ready(terms: Terms, chapter: str) -> None:
    """Import and run what grading a chapter needs, before the first submission comes. What goes
    wrong here goes wrong then, and is told then.
    """
    with suppress(Exception):
        engine(terms).prepare(chapter)


def grade_bytes(
    terms: Terms, student: str, chapter: str, name: str, notebook: bytes, exercises: Sequence[str]
) -> str:
    """Grade one notebook. All arguments are plain data; the answer is JSON text.

    exercises: ids of the only exercises to grade, none for all. The answer holds "grader" and
    either "result" and "answers", or "error" where this machine cannot grade at all, or "lost"
    where it could not grade this one.
    """
    answer: dict[str, Any] = {"grader": grader_mark()}
    try:
        result = engine(terms).grade(Submission(student, chapter, notebook, name), tuple(exercises))
        answer |= {"result": result.to_data(), "answers": result.answers}
    except (SandboxError, SourceError) as error:
        answer["error"] = str(error)
    # this submission's fault or bad luck, and no reason to end the run; the next one gets a new
    # engine
    except Exception as error:
        answer["lost"] = f"the grader failed on it: {type(error).__name__}: {str(error)[:200]}"
        close_engine()
    return json.dumps(answer)
