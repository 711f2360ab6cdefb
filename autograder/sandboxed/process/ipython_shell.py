"""The shell in which a student's cells run: IPython, with nobody to show anything to."""

import ast
import io
import os
import sys
import traceback
from typing import Any, Self

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config


class Nowhere(io.TextIOBase):
    """Takes what is printed and keeps nothing."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


class Compiler(CachingCompiler):
    """Names the code of a cell after the cell."""

    label = "cell"

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<{self.label}>"


class Hook(DisplayHook):
    """The value of a cell's last line is kept as ``_`` and not written out."""

    def __call__(self, result: Any = None) -> None:
        if result is not None and self.shell:
            self.shell.user_ns["_"] = result


class Publisher(DisplayPublisher):
    """Publishes nothing."""

    def publish(self, *args: Any, **kwargs: Any) -> None:
        pass

    def clear_output(self, wait: bool = False) -> None:
        pass


class Shell(InteractiveShell):
    """No history on disk, no output, no system commands."""

    compiler_class = Type(Compiler)
    displayhook_class = Type(Hook)
    display_pub_class = Type(Publisher)

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        pass

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        pass

    def showindentationerror(self) -> None:
        pass

    def _format_exception_for_storage(self, *args: Any, **kwargs: Any) -> list[str]:
        """IPython 9 keeps every traceback in its history, written out in full: 50 ms, for nobody"""
        return []

    def system(self, command: str) -> None:
        self.user_ns["_exit_code"] = 127

    system_piped = system_raw = system

    def getoutput(self, command: str, split: bool = True, depth: int = 0) -> Any:
        return [] if split else ""

    def enable_gui(self, gui: str | None = None) -> None:
        pass

    def run(self, label: str, text: str) -> BaseException | None:
        """Run one cell; returns the first exception, or None.

        A statement that wants a package which is not here ends itself alone: the cell goes on
        below it.
        """
        self.compile.label, first = label, None
        while True:
            result = self.run_cell(text, store_history=True)
            error = result.error_before_exec or result.error_in_exec
            first = first or error
            text = self._below(error, label, text) if isinstance(error, ImportError) else ""
            if not text.strip():
                return first

    def _below(self, error: ImportError, label: str, text: str) -> str:
        """What stands below the statement of a cell that raised, in its place; what that was to
        import stands for a package that is not here.
        """
        frames = traceback.walk_tb(error.__traceback__)
        lines = [n for frame, n in frames if frame.f_code.co_filename == f"<{label}>"]
        text = self.transform_cell(text)
        for statement in ast.parse(text).body if lines else ():
            if (statement.end_lineno or 0) >= lines[0]:
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    for alias in statement.names:
                        name = (alias.asname or alias.name).partition(".")[0]
                        self.user_ns.setdefault(name, Absent(str(error)))
                end = statement.end_lineno or 0
                below = text.encode().splitlines(keepends=True)[end - 1 :]
                below[0] = below[0][statement.end_col_offset or 0 :].lstrip(b" ;")
                return "\n" * (end - 1) + b"".join(below).decode()
        return ""


class Absent:
    """What an import that failed was to bind: it may stand in hints, and raises where it is
    called.
    """

    def __init__(self, said: str) -> None:
        self._said = said

    def __getattr__(self, name: str) -> Self:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Self:
        return self

    __or__ = __ror__ = __getitem__

    def __call__(self, *args: object, **kwargs: object) -> None:
        raise ModuleNotFoundError(f"{self._said}: the grader does not have it")


def make_shell() -> Shell:
    """The one shell of this process, output switched off."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.cache_size = 0
    shell = Shell.instance(config=config)
    shell.display_formatter.format = lambda value, include=None, exclude=None: ({}, {})  # type: ignore[method-assign, union-attr]
    return shell


def silence() -> None:
    """Nothing that is printed, by Python or past it, goes anywhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nowhere, file)
    os.close(nowhere)
    sys.stdout, sys.stderr = Nowhere(), Nowhere()
