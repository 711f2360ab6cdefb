"""Every error that a user can cause. The library raises them; only the command line prints them, as
one line.
"""


class AutograderError(Exception):
    """Something a user can mend: the message says what was expected, what came, where, and what to
    do next.
    """


class SourceError(AutograderError):
    """A chapter's source breaks a rule; the message starts with file, line and cell."""


class LeakError(AutograderError):
    """Text of a solution or a hidden test would reach the students."""


class ConflictError(AutograderError):
    """Two files that belong together were both edited."""


class SolutionError(AutograderError):
    """A reference solution raised, printed on stderr, or took too long."""


class SandboxError(AutograderError):
    """The sandbox cannot be set up on this machine."""


class SubmissionError(AutograderError):
    """A file that was handed in cannot be graded at all; it becomes a row with this reason."""


def first_line(said: object) -> str:
    """The first line that says anything of a text or an exception; of an exception without words,
    its class.
    """
    lines = (line.strip() for line in str(said).splitlines())
    silent = type(said).__name__ if isinstance(said, BaseException) else ""
    return next(filter(None, lines), silent)
