"""The parents from which an engine's processes are forked: its own, or forks of those that several
engines share.
"""

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from autograder.course.carry import filled_chapter
from autograder.course.environment import grading_environment
from autograder.course.model import Chapter
from autograder.grading.host import bubblewrap
from autograder.grading.host.fork_servers import Broken, Parent
from autograder.grading.plan import opening

PACKAGE = Path(__file__).parents[2]
# not with -m, which would import autograder.grading, and with it jupytext, before anything else
CHECKS = [
    sys.executable,
    "-c",
    "from autograder.course.environment import without_address_grammar\n"
    "without_address_grammar()\n"
    "from autograder.grading.check_server import main\n"
    "main()",
]
UNSEALED = [sys.executable, "-m", "autograder.sandboxed.process.student_server"]


class Parents:
    """Two parents, started when they are first asked for, and their branches for each chapter.

    The check server is trusted and runs checks; the student server is in the sandbox, if there is
    one, and runs students' code.
    root: the folder that holds source/. sandbox: False runs students' code with the caller's own
    rights; or as the user of this number, where the caller is root.
    """

    def __init__(self, root: Path | str, sandbox: bool = True, user: int = 0) -> None:
        self.root, self.sealed, self.user = Path(root).resolve(), sandbox, user
        if sandbox:
            bubblewrap.find_bwrap()
        self._chapters: dict[str, Chapter] = {}
        self._forget()

    def _forget(self):
        self._home = self._students_home = self._checks = self._students = None
        self._probed = False
        # (what for, chapter, …) -> a parent that has prepared it; all end together
        self.branches = {}

    @property
    def processes(self) -> tuple[Parent | None, Parent | None]:
        """(check server, student server), as they were started; None before."""
        return self._checks, self._students

    def close(self) -> None:
        """End all processes; when they are asked for again, there are new ones."""
        for parent in (*self.branches.values(), self._students, self._checks):
            if parent:
                parent.close()
        for home in filter(None, (self._home, self._students_home)):
            shutil.rmtree(home, ignore_errors=True)
        self._forget()

    def forget(self, name: str) -> None:
        """End what was prepared for a chapter; the two parents stay."""
        for key in [key for key in self.branches if key[1] == name]:
            self.branches.pop(key).close()

    def chapter(self, name: str) -> Chapter:
        """The chapter with carried code filled in, as students have it."""
        if name not in self._chapters:
            self._chapters[name] = filled_chapter(self.root, name)
        return self._chapters[name]

    def _start(self):
        """Start both parents, so that they import side by side."""
        if self._checks is not None:
            return
        self._home = tempfile.mkdtemp(prefix="autograder-")
        environment = grading_environment(self._home, PACKAGE)
        self._checks = Parent.start(lambda number: [*CHECKS, str(number)], environment)
        if self.sealed:
            self._students = bubblewrap.start_student_server()
        else:
            self._students = self._start_unsealed(environment)

    def _start_unsealed(self, environment):
        how = {}
        if self.user:  # with a home that it may write to, in place of the caller's
            self._students_home = tempfile.mkdtemp(prefix="autograder-student-")
            os.chown(self._students_home, self.user, self.user)
            environment = grading_environment(self._students_home, PACKAGE)
            environment["MPLCONFIGDIR"] = environment["TMPDIR"] = self._students_home
            how = {"user": self.user, "group": self.user, "extra_groups": []}
            how["cwd"] = self._students_home
        return Parent.start(lambda number: [*UNSEALED, str(number), "unsealed"], environment, **how)

    def check_server(self, name: str) -> Parent:
        """The parent that holds the reference of a chapter, and forks processes for its checks."""
        self._start()
        return self._branch(
            ("checks", name), lambda: self._checks, root=str(self.root), chapter=name
        )

    def student_server(self) -> Parent:
        """The parent of students' processes, in which nothing has run yet."""
        self._start()
        if self.sealed and not self._probed:
            bubblewrap.probe(self._students)
            self._probed = True
        return self._students

    def opened(self, name: str) -> Parent:
        """The parent of students' processes that has run the first cells of a chapter."""
        cells = [[cell.label, cell.text] for cell in opening(self.chapter(name))]
        return self._branch(("students", name), self.student_server, cells=cells)

    def _branch(self, key, parent, **about):
        if key not in self.branches:
            self.branches[key] = parent().branch(**about)
        return self.branches[key]

    def beside_others(self) -> AbstractContextManager[None]:
        """A context in which one submission is graded while others may be."""
        return nullcontext()

    alone = beside_others

    def prepare(self, name: str) -> None:
        """Have both parents ready for a chapter; they get ready side by side."""
        if not {("checks", name), ("students", name)} <= self.branches.keys():
            self._start()
            with ThreadPoolExecutor(2) as both:
                waiting = [both.submit(self.check_server, name), both.submit(self.opened, name)]
                for ready in waiting:
                    ready.result()


class ParentPool:
    """Parents that the engines of several threads share: what is imported and run once for all of
    them.
    """

    def __init__(self, root: Path | str, sandbox: bool = True) -> None:
        self.parents = Parents(root, sandbox)
        self.turns = Turns()
        self._lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self) -> None:
        self.parents.close()

    def fork(self, find: Callable[[Parents], Parent]) -> Parent:
        """A fork of the parent that ``find(parents)`` gives, of a new one where it is gone."""
        with self._lock:
            try:
                return find(self.parents).branch()
            except Broken:
                self.parents.close()
                return find(self.parents).branch()

    def prepare(self, name: str) -> None:
        with self._lock:
            try:
                self.parents.prepare(name)
            except Broken:
                self.parents.close()
                raise


class Turns:
    """Lets threads grade side by side, and one of them alone when it asks for that."""

    def __init__(self) -> None:
        self._changed, self._grading, self._alone = threading.Condition(), 0, False

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._grading += 1
        try:
            yield
        finally:
            with self._changed:
                self._grading -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._alone = True
            self._changed.wait_for(lambda: not self._grading)
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()


class ForkedParents:
    """What an Engine asks of Parents, answered with forks from a pool: one thread's own."""

    def __init__(self, pool: ParentPool) -> None:
        self._pool = pool
        self._forks: dict[Any, Parent] = {}
        self.sealed = pool.parents.sealed
        self.beside_others, self.alone = pool.turns.beside_others, pool.turns.alone

    def close(self) -> None:
        for parent in self._forks.values():
            parent.close()
        self._forks = {}

    def chapter(self, name: str) -> Chapter:
        return self._pool.parents.chapter(name)

    def check_server(self, name: str) -> Parent:
        return self._fork(("checks", name), lambda parents: parents.check_server(name))

    def student_server(self) -> Parent:
        return self._fork("students", lambda parents: parents.student_server())

    def opened(self, name: str) -> Parent:
        return self._fork(("students", name), lambda parents: parents.opened(name))

    def _fork(self, key, find):
        if key not in self._forks:
            self._forks[key] = self._pool.fork(find)
        return self._forks[key]

    def prepare(self, name: str) -> None:
        self._pool.prepare(name)
        self.check_server(name)
        self.opened(name)
