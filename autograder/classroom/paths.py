"""Where the files of a class lie. A chapter is given by its name, as "ch02_single_head"."""

from pathlib import Path

from autograder.course.settings import Settings


def submitted_path(settings: Settings, student: str, chapter: str) -> Path:
    """The folder of a student's submission, as nbgrader's collect would make it."""
    return settings.root / settings.submitted / student / chapter


def collected_path(settings: Settings) -> Path:
    """The table that says what became of each file of the last export."""
    return settings.root / settings.submitted / "collected.csv"


def notes_path(handed_in: Path) -> Path:
    """What collect noted about the submissions below a folder; no student's file comes there."""
    return handed_in / "collected.json"


def canvas_people_path(settings: Settings) -> Path:
    """What Canvas's API said of students: due dates, who is excused, groups, sections."""
    return settings.root / settings.submitted / "canvas-people.csv"


def feedback_path(settings: Settings, student: str, chapter: str) -> Path:
    """A student's feedback page."""
    return settings.root / settings.feedback / student / chapter / f"{chapter}.html"


def autograded_path(settings: Settings, student: str, chapter: str) -> Path:
    """The graded notebook, where formgrader looks for it."""
    return settings.root / settings.autograded / student / chapter / f"{chapter}.ipynb"


def marks_path(settings: Settings, chapter: str) -> Path:
    """The table of a class's marks."""
    return settings.root / settings.marks / f"{chapter}.csv"


def class_page_path(settings: Settings, chapter: str) -> Path:
    """The page on a class, for the instructor."""
    return settings.root / settings.marks / f"{chapter}.html"


def changes_path(settings: Settings, chapter: str) -> Path:
    """The table of marks that the last run changed."""
    return settings.root / settings.marks / f"{chapter}-changes.csv"


def journal_path(settings: Settings, chapter: str) -> Path:
    """The folder with every result as a file."""
    return settings.root / settings.marks / chapter
