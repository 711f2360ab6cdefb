"""Train the models that pages explore, with the chapters' own code and seeds: all of them take
three minutes on one core.

Another machine may give other last digits, so nothing asks for the same bytes: each model must pass
the exam of its chapter *after* rounding, or nothing is written. The fixtures are computed with what
is committed.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

import attention_built as ab
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import AutograderError
from autograder.course.files import write
from coursesite.chapter_code import carried_code, chapter_cells, chapter_code, default_dtype
from coursesite.pages.checkpoint import (
    checkpoint,
    checkpoint_path,
    filled_model,
    packed_model,
)
from coursesite.pages.pieces import pieces, vocabulary
from coursesite.pages.record import load, record
from coursesite.pages.recordings import recording

HELD_OUT_PIECES = 65  # of a window: 64 that are read, and the one after them


@dataclass(frozen=True)
class Exam:
    """What a trained model was asked, and what it had to reach."""

    question: str
    measured: float
    passed: bool


TRANSFORMER = ("EncoderBlock", "Encoder", "DecoderBlock", "Transformer")


def language7(root: Path) -> dict[str, Any]:
    """Chapter 7 up to its exam: the made-up German, the data, `train`, `exact`, the Transformer."""
    space = chapter_code(root, 7, *TRANSFORMER, "greedy_translate", start=carried_code(root, 7))
    return chapter_cells(
        root,
        7,
        "entries",
        "SUBJECTS",
        "ADVERBS",
        "ORDERS",
        "arrange",
        "pick",
        "random_pair",
        "random_clause",
        "train_pairs",
        "PAD",
        "to_tensors",
        "train",
        "exact",
        "OneVector",
        "new_translator",
        start=space,
    )


def language9(root: Path) -> dict[str, Any]:
    """Chapter 9 up to its exams: both languages, `train`, `fresh_model`, the scores."""
    space = chapter_code(
        root,
        9,
        "make_batch",
        "learning_rate",
        "train_step",
        "previous_token_score",
        "induction_score",
        "ablate_head",
        start={**carried_code(root, 9), "tqdm": lambda steps, leave: steps},
    )
    return chapter_cells(
        root,
        9,
        "text",
        "ids",
        "train",
        "fresh_model",
        "animals",
        "PATTERN",
        "stories",
        "chants",
        "LENGTH",
        "story_windows",
        "language_batch",
        "exam",
        "story_score",
        "chant_score",
        "attention_maps",
        start=space,
    )


def translator(root: Path, made: dict[str, Any] | None = None) -> tuple[dict[str, Any], list[Exam]]:
    """The translator of section 7.6, by the cell that trains it, and how many held-out sentences it
    gets right.
    """
    space = language7(root)
    if made is None:
        torch.manual_seed(7)  # as the chapter's setup cell does
        space = chapter_cells(root, 7, "look_on", start=space, shown=True)
        made = {
            "config": {
                "d_model": 48,
                "num_heads": 2,
                "num_layers": 2,
                "bos": space["BOS"],
                "eos": space["EOS"],
            },
            "german": space["GERMAN"],
            "english": space["ENGLISH"],
            "tensors": packed_model(space["translator"]),
        }
    model = filled_model(space["new_translator"](), made["tensors"])
    right = space["exact"](model, space["test_data"])
    return made, [Exam("held-out sentences exactly right, at least 0.95", right, right >= 0.95)]


def manual(space: dict[str, Any]) -> str:
    """The whole text that chapter 9 reads a part of."""
    return "".join(c if c in space["alphabet"] else "?" for c in ab.manual())


def storyteller(
    root: Path, made: dict[str, Any] | None = None
) -> tuple[dict[str, Any], list[Exam]]:
    """A GPT of chapter 8 that has read the manual longer than a notebook can wait, and its price of
    a held-out piece.
    """
    space = language9(root)
    text = manual(space)
    names = made["vocab"] if made else vocabulary(text)
    ids = torch.tensor(pieces(names, text))
    held_out = len(ids) // 20 // HELD_OUT_PIECES * HELD_OUT_PIECES
    if made is None:
        with default_dtype(torch.float32):
            config = space["GPTConfig"](
                vocab_size=len(names), max_len=64, d_model=64, num_heads=4, num_layers=2
            )
            model, generator = (
                space["fresh_model"](config, seed=8),
                torch.Generator().manual_seed(8),
            )
            space["train"](
                model, lambda: space["make_batch"](ids[:-held_out], 32, 64, generator), steps=3000
            )
        made = {"config": asdict(config), "vocab": names, "tensors": packed_model(model)}
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    windows = ids[-held_out:].view(-1, HELD_OUT_PIECES)
    with torch.no_grad():
        logits = model(windows[:, :-1]).flatten(0, 1)
        price = torch.nn.functional.cross_entropy(logits, windows[:, 1:].flatten()).item()
    question = "price of a held-out piece, at most 3.2 (knowing nothing: ln 448 = 6.1)"
    return made, [Exam(question, price, price <= 3.2)]


def reader(root: Path, made: dict[str, Any] | None = None) -> tuple[dict[str, Any], list[Exam]]:
    """The reader of section 9.6, by the cell that trains it, and its two exams."""
    space = language9(root)
    if made is None:
        space = chapter_cells(root, 9, "reader", start=space, shown=True)
        model = space["reader"]
        made = {
            "config": asdict(model.config),
            "vocab": space["words"],
            "tensors": packed_model(model),
        }
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    stories, chants = space["story_score"](model), space["chant_score"](model)
    return made, [
        Exam("held-out stories right, at least 0.95", stories, stories >= 0.95),
        Exam("new chants right, at least 0.9", chants, chants >= 0.9),
    ]


def recorded(root: Path, made: dict[str, Any] | None = None) -> tuple[dict[str, Any], list[Exam]]:
    """Chapter 14's recordings of a model from the world, and two answers that it must give."""
    made = made or record(*load())
    exams = []
    for name, layer, head, answer in (("rome", 23, 4, " Rome"), ("again", 18, 6, " Ok")):
        seen = recording(made, name, layer, head)
        likely = seen.likely[0] if seen.answer == answer else 0.0
        exams.append(Exam(f"{name!r} goes on with {answer!r}, at least 0.5", likely, likely >= 0.5))
    return made, exams


MODELS: dict[str, Callable[..., tuple[dict[str, Any], list[Exam]]]] = {
    "ch07_encoder_decoder": translator,
    "ch08_decoder": storyteller,
    "ch09_training": reader,
    "ch14_real_model": recorded,
}


def train_models(
    root: Path,
    names: Sequence[str] = (),
    check: bool = False,
    on_exam: Callable[[str, Exam], None] = lambda name, exam: None,
) -> list[str]:
    """Train and write the models of the named chapters (default: all); with check only examine the
    committed ones.

    Returns the names of the chapters whose models were written.
    Raises AutograderError for a model that does not pass its exam, and writes nothing of it.
    """
    torch.set_num_threads(1)
    written = []
    for chapter in chosen_chapters(root, names):
        if chapter.name not in MODELS:
            continue
        with default_dtype(torch.float64):
            made, exams = MODELS[chapter.name](
                root, checkpoint(root, chapter.name) if check else None
            )
        for exam in exams:
            on_exam(chapter.name, exam)
            if not exam.passed or not math.isfinite(exam.measured):
                raise AutograderError(
                    f"{chapter.name}: the rounded model does not pass: {exam.question}; "
                    f"it reached {exam.measured:.4g}. Nothing was written."
                )
        if not check:
            text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
            write(checkpoint_path(root, chapter.name), f"{text}\n".encode())
            written.append(chapter.name)
    return written
