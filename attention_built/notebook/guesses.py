"""What you guess before an experiment, beside what is measured."""

from __future__ import annotations

from math import log10
from typing import Any

FARTHEST = 3.0  # powers of ten: a wrong word or sign counts as a number 1000 times too large
_guesses: dict[str, tuple[float, Any, Any]] = {}  # {what: (how far off, guess, measured)}


def check_guess(what: str, guess: Any, measured: Any) -> None:
    """Print what was measured beside your guess, a number or a word, and keep both for
    worst_guesses.
    """
    shown = f"{measured:.3g}" if isinstance(measured, float) else measured
    if guess is None:
        print(f"{what}: {shown} (you typed no guess)")
        return
    _guesses[what] = (_off(guess, measured), guess, shown)
    print(f"{what}: {shown}, your guess was {guess}")


def _off(guess: Any, measured: Any) -> float:
    """How many powers of ten a number is off; 0 for the right word."""
    numbers = isinstance(guess, (int, float)) and isinstance(measured, (int, float))
    if not numbers:
        same = str(guess).strip().lower() == str(measured).strip().lower()
        return 0.0 if same else FARTHEST
    if guess == measured:
        return 0.0
    small, large = sorted([abs(guess), abs(measured)])
    return min(log10(large / small), FARTHEST) if guess * measured > 0 else FARTHEST


def worst_guesses(most: int = 3) -> None:
    """Print the guesses that were furthest off: they show what this chapter changed in your
    mind.
    """
    wrong = [entry for entry in _guesses.items() if entry[1][0] > 0]
    for what, (_, guess, shown) in sorted(wrong, key=lambda entry: -entry[1][0])[:most]:
        print(f"{what}: you guessed {guess}, it was {shown}")
    if not wrong:
        print("No guess was wrong." if _guesses else "You typed no guesses in this chapter.")


def draw_guess(ax: Any, guess: Any, axis: str = "y") -> None:
    """A dashed line at your guess, if you typed a number."""
    if isinstance(guess, (int, float)):
        line = ax.axhline if axis == "y" else ax.axvline
        line(guess, linestyle="--", color="0.4", label="your guess")
