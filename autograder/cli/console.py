"""Where the commands print: results on stdout, warnings and progress on stderr."""

from rich.console import Console

console = Console()
errors = Console(stderr=True)


def say(text: object) -> None:
    """Print text on stdout as it is: no colours guessed, no markup read, no line broken."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def warn(text: object) -> None:
    """Print a warning on stderr, in yellow."""
    errors.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)
