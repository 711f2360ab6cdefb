"""How late a submission is: by dates where there are any, else by what the platform said."""

import json
from datetime import datetime
from pathlib import Path

from autograder.classroom.paths import submitted_path
from autograder.classroom.results.late import DAY
from autograder.course.settings import Settings


def seconds_late(
    settings: Settings,
    student: str,
    chapter: str,
    received: datetime | None,
    due: datetime | None,
) -> float:
    """How late a submission is. Where no date says it, what the platform called late is a day."""
    if due and received:
        return max(0.0, (received - due).total_seconds())
    return float(DAY) if read_about(submitted_path(settings, student, chapter)).get("late") else 0.0


def read_about(folder: Path) -> dict:
    """What collect noted beside a submission; {} where it was not collected."""
    try:
        about = json.loads((folder / "collected.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}


def together(notebook: Path | None) -> list[str]:
    """Who handed a submission in, where collect knows that it was a group; else []."""
    names = read_about(notebook.parent).get("together") if notebook else None
    return [str(name) for name in names] if isinstance(names, list) else []
