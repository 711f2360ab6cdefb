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
import html
import itertools
import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursesite.pages import interactive_folder

PAGE = "ch14_real_model"
LEAST = 0.02  # weights below are not drawn
BASE = 198  # height of a still picture's arcs
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


def still(seen: Recording) -> str:
    """One head's arcs over its text, as an SVG in the classes of engine/arcs.css."""
    wide = [max(14.0, 6 + sum(map(_width, piece))) for piece in seen.pieces]
    ends = list(itertools.accumulate(wide, initial=8.0))
    middles = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    last, span = len(middles) - 1, middles[-1] - middles[0]
    arcs, words = [], []
    for i, row in enumerate(seen.weights):  # the last row comes last, and lies on top
        for j, weight in enumerate(row):
            if weight < LEAST:
                continue
            top = BASE - (24 if i == j else 1.3 * (26 + 164 * (middles[i] - middles[j]) / span))
            a, b = (middles[i] - 11, middles[i] + 11) if i == j else (middles[j], middles[i])
            kind = "arc" + " now" * (i == last) + " first" * (j == 0 < i)
            begin, end = (f"{middles[at]:.1f} {BASE}" for at in (j, i))
            way = f"M{begin}C{a:.1f} {top:.1f} {b:.1f} {top:.1f} {end}"
            thick = 0.6 + weight * (8 if i == last else 4)
            arcs.append(f'<path class="{kind}" d="{way}" stroke-width="{thick:.2f}"/>')
    final = seen.weights[last]
    for i, piece in enumerate(seen.pieces):
        kind = "piece" + (" now" if i == last else " seen" if final[i] >= 0.1 else "")
        words.append(
            f'<text class="{kind}" x="{middles[i]:.1f}" y="{BASE + 22}" text-anchor="middle">'
            f"{html.escape(piece.strip())}</text>"
        )
    looks = max(range(last + 1), key=final.__getitem__)
    label = html.escape(
        f"{''.join(seen.pieces)} – the last piece, {seen.pieces[last].strip()}, looks at "
        f"{seen.pieces[looks].strip()} with {final[looks]:.2f}"
    )
    return (
        f'<svg class="arcs" viewBox="0 0 {ends[-1] + 8:.0f} {BASE + 32}" role="img" '
        f'aria-label="{label}" font-size="18">{"".join(arcs + words)}</svg>'
    )


def _width(letter: str) -> float:
    """About how wide a letter of 18 pixels is: a still picture is made without a font at hand."""
    if letter in "iljtfr.,:;'()":
        return 5.6
    return 14.0 if letter in "mwMW" else 11.5 if letter.isupper() else 4.5 if letter == " " else 8.8
