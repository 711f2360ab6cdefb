"""The interactive pages: HTML from ``site/interactive``, and the numbers and models of the chapters
that they start from.
"""

from pathlib import Path


def interactive_folder(root: Path) -> Path:
    """The folder of a course that holds engine, scripts, data and built pages."""
    return Path(root, "site", "interactive")
