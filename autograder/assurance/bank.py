"""Read the bank of answers: for each exercise, right answers written differently and wrong ones with the mistake in words."""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.course.errors import SourceError

HEADER = re.compile(
    r"^# %% (?P<kind>right|wrong): (?P<name>[\w.-]+)(?:\s*->\s*(?P<phrase>.+?))?\s*$"
)


@dataclass(frozen=True)
class Answer:
    exercise: str  # grade_id of the solution cell
    name: str
    right: bool
    phrase: str  # what the message about a wrong answer must contain
    text: str  # the whole solution cell


def bank_folder(root):
    return Path(root, "bank")


def read_answers(root, chapter_name, exercise_id):
    """The answers to one exercise, in file order. Raises SourceError for a missing file or a line that is no header."""
    path = bank_folder(root) / chapter_name / f"{exercise_id.split('_', 1)[1]}.py"
    if not path.is_file():
        raise SourceError(
            f"{path}: the bank has no answers for {exercise_id}; write at least 4 right and 8 wrong ones there."
        )
    answers, header, lines = [], None, []
    for number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), "# %% end"], 1):
        if not line.startswith("# %%"):
            lines.append(line)
            continue
        if header:
            answers.append(
                Answer(
                    exercise_id,
                    header["name"],
                    header["kind"] == "right",
                    header["phrase"] or "",
                    "\n".join(lines).strip("\n"),
                )
            )
        header, lines = HEADER.match(line), []
        if not header and line != "# %% end":
            raise SourceError(
                f"{path}:{number}: expected '# %% right: name' or '# %% wrong: name -> phrase'; got {line!r}."
            )
    return answers
