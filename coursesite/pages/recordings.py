"""Eight texts as SmolLM2-135M-Instruct reads them, recorded for chapter 14's page: every head's
weights, what each layer would say, and what the answer becomes with one head off.

A recorded text is {title, text, pieces, names, packed}. ``packed`` is base64 of deflated bytes:
16-bit numbers, little-endian, then weights. n pieces, L layers, H heads, in this order:

    (L + 1, n)          what a layer would say after each piece, as an index of ``names``
    (L + 1, n)          how likely, in thousandths
    (1 + L·H, 5)        likeliest names at the end: all heads on, then without each one
    (1 + L·H, 6)        how likely, in thousandths; the sixth is the answer with all heads on
    (L·H, n·(n - 1)/2)  weights in 255ths, a byte each: row by row below the first, without the
                        first column, which is what a row lacks of 255
"""

import base64
import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursesite.pages import interactive_folder

PAGE = "ch14_real_model"
SHOWN = 5  # likeliest pieces that are kept at the end of a text


@dataclass(frozen=True)
class Recording:
    """One head on one recorded text."""

    pieces: list[str]
    answer: str
    likely: tuple[float, float]  # the answer, with all heads on and without this one
    weights: list[list[float]]  # row i over the pieces up to i


def read_recordings(root: Path) -> dict[str, Any]:
    """The committed recordings."""
    made: dict[str, Any] = json.loads(
        (interactive_folder(root) / "data" / f"{PAGE}.json").read_text(encoding="utf-8")
    )
    return made


def recording(made: dict[str, Any], name: str, layer: int, head: int) -> Recording:
    """What is recorded of a head on a text, from the page's data."""
    one, number = made["texts"][name], layer * made["heads"] + head
    packed = zlib.decompress(base64.b64decode(one["packed"]), -zlib.MAX_WBITS)
    n, steps, runs = len(one["pieces"]), made["layers"] + 1, made["layers"] * made["heads"] + 1
    top = 2 * steps * n
    likely, end = top + SHOWN * runs, top + (2 * SHOWN + 1) * runs
    words = struct.unpack(f"<{end}H", packed[: 2 * end])
    at = 2 * end + number * n * (n - 1) // 2
    rows = [packed[at + i * (i - 1) // 2 : at + i * (i + 1) // 2] for i in range(n)]
    left = [words[likely + run * (SHOWN + 1) + SHOWN] / 1000 for run in (0, 1 + number)]
    return Recording(
        pieces=one["pieces"],
        answer=one["names"][words[top]],
        likely=(left[0], left[1]),
        weights=[[(255 - sum(row)) / 255, *(part / 255 for part in row)] for row in rows],
    )
