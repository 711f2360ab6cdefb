"""The parents from which an engine's processes are forked: its own, or forks of those that several
engines share.
"""

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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

    def _forget(self) -> None:
        self._homes: list[str] = []  # folders of the two
        self._checks: Parent | None = None
        self._students: Parent | None = None
        self._probed = False
        # (what for, chapter, …) -> a parent that has prepared it; all end together
        self.branches: dict[tuple[Any, ...], Parent] = {}

    @property
    def processes(self) -> tuple[Parent | None, Parent | None]:
        """(check server, student server), as they were started; None before."""
        return self._checks, self._students

    def close(self) -> None:
        """End all processes; when they are asked for again, there are new ones."""
        for parent in (*self.branches.values(), self._students, self._checks):
            if parent:
                parent.close()
        for home in self._homes:
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

    def _started(self) -> tuple[Parent, Parent]:
        """(check server, student server), both started, so that they import side by side."""
        if self._checks is None:
            environment = grading_environment(self._home("autograder-"), PACKAGE)
            self._checks = Parent.start(lambda number: [*CHECKS, str(number)], environment)
        if self._students is None:
            sealed = self.sealed
            self._students = bubblewrap.start_student_server() if sealed else self._start_unsealed()
        return self._checks, self._students

    def _start_unsealed(self) -> Parent:
        # another user gets a home that it may write to, in place of the check server's
        home = self._home("autograder-student-") if self.user else self._homes[0]
        environment = grading_environment(home, PACKAGE)
        how: dict[str, Any] = {}
        if self.user:
            os.chown(home, self.user, self.user)
            environment["MPLCONFIGDIR"] = environment["TMPDIR"] = home
            how = {"user": self.user, "group": self.user, "extra_groups": [], "cwd": home}
        return Parent.start(lambda number: [*UNSEALED, str(number), "unsealed"], environment, **how)

    def _home(self, prefix: str) -> str:
        self._homes.append(tempfile.mkdtemp(prefix=prefix))
        return self._homes[-1]

    def check_server(self, name: str) -> Parent:
        """The parent that holds the reference of a chapter, and forks processes for its checks."""
        about = {"root": str(self.root), "chapter": name}
        return self._branch(("checks", name), lambda: self._started()[0].branch(**about))

    def student_server(self) -> Parent:
        """The parent of students' processes, in which nothing has run yet."""
        _, students = self._started()
        if self.sealed and not self._probed:
            bubblewrap.probe(students)
            self._probed = True
        return students

    def opened(self, name: str) -> Parent:
        """The parent of students' processes that has run the first cells of a chapter."""
        cells = [[cell.label, cell.text] for cell in opening(self.chapter(name))]
        return self._branch(("students", name), lambda: self.student_server().branch(cells=cells))

    def _branch(self, key: tuple[Any, ...], make: Callable[[], Parent]) -> Parent:
        if key not in self.branches:
            self.branches[key] = make()
        return self.branches[key]

    def prepare(self, name: str) -> None:
        """Have both parents ready for a chapter; they get ready side by side."""
        if not {("checks", name), ("students", name)} <= self.branches.keys():
            self._started()
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
        self._lock = threading.Lock()

    def close(self) -> None:
        """End all processes."""
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
        """Have the parents ready for a chapter."""
        with self._lock:
            try:
                self.parents.prepare(name)
            except Broken:
                self.parents.close()
                raise


class ForkedParents(Parents):
    """What an Engine asks of Parents, answered with forks from a pool: one thread's own."""

    def __init__(self, pool: ParentPool) -> None:
        super().__init__(pool.parents.root, pool.parents.sealed)
        self._pool = pool

    def chapter(self, name: str) -> Chapter:
        return self._pool.parents.chapter(name)

    def check_server(self, name: str) -> Parent:
        return self._fork(("checks", name), lambda parents: parents.check_server(name))

    def student_server(self) -> Parent:
        return self._fork(("students", ""), lambda parents: parents.student_server())

    def opened(self, name: str) -> Parent:
        return self._fork(("students", name), lambda parents: parents.opened(name))

    def _fork(self, key: tuple[str, ...], find: Callable[[Parents], Parent]) -> Parent:
        return self._branch(key, lambda: self._pool.fork(find))

    def prepare(self, name: str) -> None:
        self._pool.prepare(name)
        self.check_server(name)
        self.opened(name)
