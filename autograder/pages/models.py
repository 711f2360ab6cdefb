"""Train the models that pages explore, with the chapters' own code and seeds, and write them to data/chNN….json.

    python -m autograder.pages.models            all of them: about three minutes on one core
    python -m autograder.pages.models ch07       one of them
    python -m autograder.pages.models --check    examine those that are committed, write nothing

Another machine may give other last digits, so nothing asks for the same bytes: each model must pass the exam of its
chapter *after* rounding, or nothing is written. fixtures.py computes with what is committed. Afterwards run
fixtures.py, build.py and cues.py.
"""

import json
import math
import os
import sys
from dataclasses import asdict
from pathlib import Path

import torch

from autograder.pages.chapter_code import chapter_cells, chapter_code
from autograder.pages.checkpoint import filled_model, packed_model
from autograder.pages.pieces import pieces

HERE = Path(__file__).resolve().parents[2] / "site" / "interactive"
TRANSFORMER = ("EncoderBlock", "Encoder", "DecoderBlock", "Transformer")


def blocks():
    """What chapters 3 to 8 have built, by name."""
    space = {}
    for number, names in [
        (3, ["causal_mask"]),
        (4, ["MultiHeadAttention"]),
        (5, ["sinusoidal_encoding"]),
        (6, ["FeedForward", "TransformerBlock"]),
        (8, ["GPTConfig", "GPT"]),
    ]:
        space = chapter_code(number, *names, start=space)
    return space


def language7():
    """Chapter 7 up to its exam: the made-up German, the data, `train`, `exact`, the Transformer."""
    space = chapter_code(7, *TRANSFORMER, "greedy_translate", start=blocks())
    return chapter_cells(
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


def language9():
    """Chapter 9 up to its exams: both languages, `train`, `fresh_model`, the scores."""
    space = chapter_code(
        9,
        "make_batch",
        "learning_rate",
        "train_step",
        "previous_token_score",
        "induction_score",
        "ablate_head",
        start={**blocks(), "tqdm": lambda steps, leave: steps},
    )
    return chapter_cells(
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
        "chant_loss",
        "chant_score",
        "pay_rent",
        "attention_maps",
        start=space,
    )


def ch07(made=None):
    """The translator of section 7.6, by the cell that trains it; and how many held-out sentences it gets right."""
    space = language7()
    if made is None:
        torch.manual_seed(7)  # as the chapter's setup cell does
        space = chapter_cells(7, "look_on", start=space, shown=True)
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
    return made, {"held-out sentences exactly right, at least 0.95": right}, right >= 0.95


def manual(space):
    """The whole text that chapter 9 reads a part of. (Another version of Python has another manual.)"""
    from pydoc_data.topics import topics

    text = "\n".join(topics[name] for name in sorted(topics))
    return "".join(c if c in space["alphabet"] else "?" for c in text)


def vocabulary(text, size=448):
    """The pieces that byte-pair encoding makes of a text, in the order of its merges."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(
        text.splitlines(keepends=True),
        trainers.BpeTrainer(
            vocab_size=size, min_frequency=2, initial_alphabet=[], show_progress=False
        ),
    )
    names = [
        tokenizer.id_to_token(i).replace("Ġ", " ").replace("Ċ", "\n")
        for i in range(tokenizer.get_vocab_size())
    ]
    assert pieces(names, text) == tokenizer.encode(text).ids, (
        "the vocabulary alone must give the same pieces: pages have nothing else"
    )
    return names


def ch08(made=None):
    """A GPT of chapter 8 that has read the manual longer than a notebook can wait; and its price of a held-out piece."""
    space = language9()
    text = manual(space)
    names = made["vocab"] if made else vocabulary(text)
    ids = torch.tensor(pieces(names, text))
    held_out = len(ids) // 20 // 65 * 65
    if made is None:
        torch.set_default_dtype(torch.float32)
        config = space["GPTConfig"](
            vocab_size=len(names), max_len=64, d_model=64, num_heads=4, num_layers=2
        )
        model, generator = space["fresh_model"](config, seed=8), torch.Generator().manual_seed(8)
        space["train"](
            model, lambda: space["make_batch"](ids[:-held_out], 32, 64, generator), steps=3000
        )
        made = {"config": asdict(config), "vocab": names, "tensors": packed_model(model)}
    model, windows = (
        filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"]),
        ids[-held_out:].view(-1, 65),
    )
    with torch.no_grad():
        price = torch.nn.functional.cross_entropy(
            model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten()
        ).item()
    return (
        made,
        {"price of a held-out piece, at most 3.2 (knowing nothing: ln 448 = 6.1)": price},
        price <= 3.2,
    )


def ch09(made=None):
    """The reader of section 9.6, by the cell that trains it; and its two exams."""
    space = language9()
    if made is None:
        space = chapter_cells(9, "reader", start=space, shown=True)
        model = space["reader"]
        made = {
            "config": asdict(model.config),
            "vocab": space["words"],
            "tensors": packed_model(model),
        }
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    stories, chants = space["story_score"](model), space["chant_score"](model)
    return (
        made,
        {
            "held-out stories right, at least 0.95": stories,
            "new chants right, at least 0.9": chants,
        },
        stories >= 0.95 and chants >= 0.9,
    )


MODELS = {"ch07_encoder_decoder": ch07, "ch08_decoder": ch08, "ch09_training": ch09}


def main():
    torch.set_num_threads(1)
    check = "--check" in sys.argv[1:]
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")]
    for name, make in MODELS.items():
        if wanted and not any(name.startswith(part) for part in wanted):
            continue
        target = HERE / "data" / f"{name}.json"
        made, measures, passed = (
            make(json.loads(target.read_text(encoding="utf-8"))) if check else make()
        )
        for what, value in measures.items():
            print(f"{name}: {what}: {value:.4g}")
        if not passed or not all(math.isfinite(value) for value in measures.values()):
            sys.exit(
                f"{name}: the rounded model does not pass{'' if check else '; nothing was written'}."
            )
        if not check:
            partial = target.with_suffix(".partial")
            partial.write_text(
                json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n",
                encoding="utf-8",
                newline="\n",
            )
            os.replace(partial, target)
            print(f"wrote: data/{target.name}, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
