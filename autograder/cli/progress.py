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
        self.tasks: dict[str, TaskID] = {}

    def __call__(self, chapter: str, done: int, total: int) -> None:
        if chapter not in self.tasks:
            for task in self.tasks.values():
                self.bar.update(task, visible=False)
            self.tasks[chapter] = self.bar.add_task(chapter)
        self.bar.update(self.tasks[chapter], completed=done, total=total or None)
