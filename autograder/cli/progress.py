"""Bars on stderr that are gone when the work is done."""

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from autograder.cli.console import errors


def progress_bar() -> Progress:
    """A bar with a count and the time it took; use it as a context manager."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    )


class ReleaseProgress:
    """Shows which chapter is built and which of its cells runs."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.task: TaskID | None = None

    def chapter(self, name: str) -> None:
        if self.task is not None:
            self.bar.remove_task(self.task)
        self.task = self.bar.add_task(name, total=None)

    def cell(self, done: int, total: int) -> None:
        assert self.task is not None
        self.bar.update(self.task, completed=done, total=total)
