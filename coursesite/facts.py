"""Facts about chapters that their text does not say, from source/chapters.toml: where a notebook
offers an interactive page something of its own, and questions for the front page.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FACTS = "source/chapters.toml"


@dataclass(frozen=True)
class Offer:
    """Where a chapter offers to draw what the student's own code has made on an interactive page: a
    tensor, or a model.
    """

    above: str  # how a line of Markdown begins; the offer stands above its cell
    call: str  # the line of code that draws


def tensor_offers(root: Path | str) -> dict[str, Offer]:
    """{chapter: Offer} of attention weights; empty where the course has no such file."""
    return _offers(root, "your_tensor")


def model_offers(root: Path | str) -> dict[str, Offer]:
    """{chapter: Offer} of a trained model; empty where the course has no such file."""
    return _offers(root, "your_model")


def _offers(root: Path | str, table: str) -> dict[str, Offer]:
    offers = _tables(Path(root, FACTS)).get(table, {})
    return {chapter: Offer(**offer) for chapter, offer in offers.items()}


def questions(root: Path | str) -> dict[str, str]:
    """{chapter: its question on the front page}, where the one in its opening does not stand
    alone; empty where the course has no such file.
    """
    asked: dict[str, str] = _tables(Path(root, FACTS)).get("question", {})
    return asked


def _tables(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
