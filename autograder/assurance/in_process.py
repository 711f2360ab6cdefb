"""Run a chapter's checks in this process, with code of our own: the fast road for thousands of
trials.

Each trial is a fork of a process that has run the reference once. There is no sandbox and no second
process, so nothing that a student wrote may come here; ``grading.Engine`` is for that. What only
the engine sees (inputs changed in place) passes here.
"""

import ast
import contextlib
import io
import os
import pickle
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.bank import right_answers
from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import HIDDEN, regions

SECONDS = 30  # of processor time for one trial, unless told otherwise
STOPPED = "the process ended"


@dataclass(frozen=True)
class Trial:
    """How the checks of one exercise ended: whether one refused, and what it said."""

    refused: bool
    message: str = ""
    seconds: float = 0.0  # of processor time

    @property
    def stopped(self) -> bool:
        """Whether time or memory ran out before the checks had an opinion: elsewhere they might."""
        return self.message == STOPPED


class InProcessGrader:
    """A chapter whose reference has run in this process.

    It takes the place of ``__main__`` and sets the environment: use a process of its own for each.
    """

    def __init__(self, root: Path, name: str):
        from autograder.grading.reference import Reference
        from autograder.sandboxed.process.preload import preload

        os.environ.update(
            MPLBACKEND="Agg", TQDM_DISABLE="1", CUDA_VISIBLE_DEVICES="", OMP_WAIT_POLICY="PASSIVE"
        )
        preload()  # with one thread: more would not live through a fork
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            self.reference = Reference(root, name)
        self.chapter = self.reference.chapter

    def try_answer(
        self,
        exercise: Exercise,
        text: str | None,
        seconds: float = SECONDS,
        offset: int = 0,
        threads: int = 1,
    ) -> Trial:
        """Run an exercise's checks with ``text`` as its solution cell; None: the reference's.

        offset: moves every seed of the hidden tests, and the state in which they begin.
        """

        def checks() -> None:
            import torch

            torch.set_num_threads(threads)
            self._checks(exercise, text, offset)

        return _in_a_fork(checks, seconds)

    def try_with(
        self, exercise: Exercise, text: str, judge: Callable[[dict[str, Any]], None], seconds: float
    ) -> Trial:
        """Let ``judge`` raise on the names as they are below an exercise's solution cell, with
        ``text`` in its place.
        """
        from autograder.grading.reference import execute

        def work() -> None:
            self.reference.enter(exercise.checks[0].grade_id)
            execute(text, self.reference.namespace, exercise.id)
            judge(self.reference.namespace)

        return _in_a_fork(work, seconds)

    def _checks(self, exercise: Exercise, text: str | None, offset: int) -> None:
        """Run the checks in this process; the first that fails raises."""
        from autograder.grading.check_server import reset_state
        from autograder.grading.reference import execute

        for check in exercise.checks:
            self.reference.enter(check.grade_id)
            namespace = self.reference.namespace
            reset_state(offset)
            if text is not None:
                execute(text, namespace, exercise.id)
                for cell in self._between(exercise.solution, check):
                    with contextlib.suppress(Exception):  # it leans on what is being tried
                        execute(cell.text, namespace, cell.id)
            code = compile(moved_seeds(check.source, offset), f"<{check.grade_id}>", "exec")
            exec(code, namespace)

    def _between(self, solution: Cell, check: Cell) -> list[Cell]:
        """The chapter's own cells between a solution and its check."""
        code = self.chapter.code
        return [
            cell
            for cell in code[code.index(solution) + 1 : code.index(check)]
            if cell.role != "check" and not cell.show_only and not cell.carry
        ]


def subjects(
    root: Path, chapter: Chapter, only: str = "", answers: bool = False
) -> Iterator[tuple[Exercise, str, str]]:
    """(exercise, name, text of the solution cell) of what is tried: the reference of each exercise
    whose id contains ``only``, or the bank's right answers to it, named "exercise/answer".
    """
    for exercise in chapter.exercises:
        if only not in exercise.id:
            continue
        if not answers:
            yield exercise, exercise.id, exercise.solution.text
            continue
        for one in right_answers(root, chapter.name, exercise.id):
            yield exercise, f"{exercise.id}/{one.name}", one.text


def moved_seeds(source: str, offset: int) -> ast.Module:
    """The syntax tree of a check whose hidden tests add ``offset`` to what they give to
    ``manual_seed`` and ``ab.seed``, and as ``seed=``.
    """
    tree = ast.parse(source)
    hidden = {
        number for number, (_, region, _) in enumerate(regions(source), 1) if region == HIDDEN
    }
    for node in ast.walk(tree) if offset else ():
        if isinstance(node, ast.Call) and node.lineno in hidden:
            called = getattr(node.func, "attr", "")
            if called in ("manual_seed", "seed"):
                node.args = [ast.BinOp(node.args[0], ast.Add(), ast.Constant(offset))]
            for word in (word for word in node.keywords if word.arg == "seed"):
                word.value = ast.BinOp(word.value, ast.Add(), ast.Constant(offset))
    return ast.fix_missing_locations(tree)


def _in_a_fork(work: Callable[[], None], seconds: float) -> Trial:
    """Run ``work`` in a fork; whatever it raises, or the end of its process, makes a refusal."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _limit(seconds)
        message = ""
        try:
            work()
        except BaseException as error:
            message = f"{type(error).__name__}: {error}"[:2000] or "?"
        usage = resource.getrusage(resource.RUSAGE_SELF)
        os.write(writer, pickle.dumps((message, usage.ru_utime + usage.ru_stime)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    message, used = pickle.loads(data) if data else (STOPPED, seconds)
    return Trial(bool(message), message, used)


def _limit(seconds: float) -> None:
    """Within a fork: no output, and an end when it takes too much time or memory."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.alarm(int(20 * seconds) + 60)  # one that sleeps takes no processor time
