"""What nbgrader's release_feedback wants beside a feedback page.

It reads timestamp.txt and submission_secret.txt there (nbgrader/exchange/default/
release_feedback.py, copy_files), and ends where one is missing; its own generate_feedback brings
both from the submission. By the secret, fetch_feedback finds the student's page in the exchange.
"""

import secrets
from pathlib import Path

from autograder.classroom.run.submissions import Found
from autograder.course.files import write

LARGEST = 4096  # bytes that are read of either


def ready_to_release(found: Found, folder: Path) -> None:
    """Put both files into the folder of a feedback page. A submission that did not come through the
    exchange gets a secret of its own, which nobody asks for.
    """
    for name in ("timestamp.txt", "submission_secret.txt"):
        source = found.path.parent / name if found.path else None
        target = folder / name
        if source and source.is_file() and not source.is_symlink():
            with source.open("rb") as file:
                write(target, file.read(LARGEST))
        elif name == "timestamp.txt":
            write(target, b"")
        elif not target.is_file():
            write(target, secrets.token_hex(64).encode())
