"""Facts about chapters that their text does not say, from source/chapters.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FACTS = "source/chapters.toml"


@dataclass(frozen=True)
class TensorOffer:
    """Where a chapter offers to draw a tensor of the student's own on the interactive page."""

    above: str  # how a line of Markdown begins; the offer stands above its cell
    call: str  # the line of code that draws


def tensor_offers(root: Path | str) -> dict[str, TensorOffer]:
    """{chapter: TensorOffer}; empty where the course has no such file."""
    offers = _tables(Path(root, FACTS)).get("your_tensor", {})
    return {chapter: TensorOffer(**offer) for chapter, offer in offers.items()}


def questions(root: Path | str) -> dict[str, str]:
    """{chapter: its question on the front page}, where the one in its opening does not stand
    alone; empty where the course has no such file.
    """
    asked: dict[str, str] = _tables(Path(root, FACTS)).get("question", {})
    return asked


def _tables(path):
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
