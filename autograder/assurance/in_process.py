"""The checks of a chapter with code of our own in place of a student's, in this process: the fast road for thousands of trials.

Each trial is a fork of a process that has run the reference once. There is no sandbox and no second process, so nothing that a
student wrote may come here; ``engine`` is for that. What only the engine sees (inputs changed in place) passes here.
"""

import ast
import contextlib
import io
import os
import pickle
import resource
import signal
import warnings
from dataclasses import dataclass

from autograder.course.regions import HIDDEN, regions

SECONDS = 30  # of processor time for one trial, unless told otherwise
STOPPED = "the process ended"


@dataclass(frozen=True)
class Outcome:
    """How a trial ended: ``refused`` by a check, with what it said."""

    refused: bool
    message: str = ""
    seconds: float = 0.0  # of processor time

    @property
    def stopped(self):
        """Whether time or memory ran out before the checks had an opinion: on another machine they might."""
        return self.message == STOPPED


class Rehearsal:
    """A chapter's reference, run in this process, which takes the place of ``__main__``: use a process of its own for each."""

    def __init__(self, root, name):
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

    def answer(self, exercise, text, seconds=SECONDS):
        """The Outcome of an exercise's checks with ``text`` as its solution cell."""
        return _in_a_fork(lambda: self._checks(exercise, text, 0), seconds)

    def reseeded(self, exercise, offset, threads=1, seconds=10 * SECONDS):
        """The Outcome of an exercise's checks with the reference, every seed of the hidden tests moved by ``offset``."""

        def checks():
            import torch

            torch.set_num_threads(threads)
            self._checks(exercise, None, offset)

        return _in_a_fork(checks, seconds)

    def _checks(self, exercise, text, offset):
        from autograder.grading.check_server import reset_state
        from autograder.grading.reference import execute

        for check in exercise.checks:
            namespace = self.reference.enter(check.grade_id) and self.reference.namespace
            reset_state(offset)
            if text is not None:
                execute(text, namespace, exercise.id)
                for cell in self._between(exercise.solution, check):
                    try:
                        execute(cell.text, namespace, cell.id)
                    except Exception:  # it leans on what is being tried
                        pass
            exec(
                compile(moved_seeds(check.source, offset), f"<{check.grade_id}>", "exec"), namespace
            )

    def _between(self, solution, check):
        code = self.chapter.code
        return [
            cell
            for cell in code[code.index(solution) + 1 : code.index(check)]
            if cell.role != "check" and not cell.show_only and not cell.carry
        ]


def moved_seeds(source, offset):
    """The syntax tree of a check whose hidden tests add ``offset`` to what they give to ``manual_seed``."""
    tree = ast.parse(source)
    hidden = {
        number for number, (_, region, _) in enumerate(regions(source), 1) if region == HIDDEN
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "manual_seed"
            and node.lineno in hidden
            and offset
        ):
            node.args = [ast.BinOp(node.args[0], ast.Add(), ast.Constant(offset))]
    return ast.fix_missing_locations(tree)


def _in_a_fork(work, seconds):
    """Run ``work`` in a fork; whatever it raises, or the end of its process, makes a refusal."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _quiet(seconds)
        message = ""
        try:
            work()
        except BaseException as error:
            message = f"{type(error).__name__}: {error}"[:2000] or "?"
        used = resource.getrusage(resource.RUSAGE_SELF)
        os.write(writer, pickle.dumps((message, used.ru_utime + used.ru_stime)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    message, used = pickle.loads(data) if data else (STOPPED, seconds)
    return Outcome(bool(message), message, used)


def _quiet(seconds):
    """Within a fork: no output, and an end when it takes too much time or memory."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.alarm(int(20 * seconds) + 60)  # one that sleeps takes no processor time
