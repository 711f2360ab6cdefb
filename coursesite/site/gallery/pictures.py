"""Draw the numbers of an entry: two pictures of one scale, with their numbers as text. The same
numbers give the same bytes.
"""

import io
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursesite.site.gallery.entries import Entry
from coursesite.site.gallery.numbers import Numbers, number

RIGHT, MADE = "What is expected", "What came out"
BLUE, ORANGE = "#0072B2", "#D55E00"  # of Okabe and Ito
INCHES, DPI = 4.3, 150
FEW = 8  # rows and columns of which each number is written into its cell
SPOKEN = 12  # numbers of a line that its alternative text tells
STYLE: Any = {"font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11.5}


def pictures(entry: Entry, numbers: Numbers) -> list[tuple[bytes, str]]:
    """[(PNG, alternative text)] of what is expected and of what came out."""
    both = np.concatenate([numbers.right.ravel(), numbers.made.ravel()])
    finite = both[np.isfinite(both)]
    low, high = float(min(finite.min(), 0)), float(max(finite.max(), 0))
    made = []
    for title, values in ((RIGHT, numbers.right), (MADE, numbers.made)):
        with matplotlib.rc_context(STYLE):
            tall = len(values) > FEW or values.ndim == 1
            figure = Figure(figsize=(INCHES, 3.5 if tall else _height(values)), dpi=DPI)
            figure.set_layout_engine("constrained")
            axes = figure.subplots()
            if entry.draw == "matrix":
                _matrix(axes, entry, values, low, high)
            else:
                _values(axes, entry, values, low, high, BLUE if title == RIGHT else ORANGE)
            axes.set_title(title)
            axes.set_xlabel(entry.columns)
            axes.set_ylabel(entry.rows)
            file = io.BytesIO()
            figure.savefig(file, format="png", metadata={"Software": None})
        made.append((file.getvalue(), f"{title}: {described(entry, values)}"))
    return made


def _height(values: np.ndarray) -> float:
    rows, columns = values.shape
    return min(3.9, max(1.9, 0.95 + (INCHES - 1) * rows / columns))


def _matrix(axes: Axes, entry: Entry, values: np.ndarray, low: float, high: float) -> None:
    signed = low < 0
    most = max(-low, high)
    shown = axes.imshow(
        values,
        cmap="PuOr" if signed else "Blues",
        vmin=-most if signed else 0,
        vmax=most,
        aspect="auto",
    )
    rows, columns = values.shape
    axes.set_facecolor("#d9d9d9")
    for axis, count in ((axes.xaxis, columns), (axes.yaxis, rows)):
        if entry.names:
            axis.set_ticks(range(count), entry.names[:count])
        elif count <= FEW:
            axis.set_ticks(range(count))
    if entry.names:
        axes.tick_params(axis="x", labelrotation=35)
    if max(rows, columns) > FEW:
        return
    for row in range(rows):
        for column in range(columns):
            value = values[row, column]
            red, green, blue, _ = shown.cmap(shown.norm(value))
            dark = np.isfinite(value) and 0.3 * red + 0.59 * green + 0.11 * blue < 0.55
            axes.text(
                column,
                row,
                number(value),
                ha="center",
                va="center",
                fontsize=9.5,
                color="white" if dark else "#111",
            )


def _values(
    axes: Axes, entry: Entry, values: np.ndarray, low: float, high: float, color: str
) -> None:
    at = entry.at or range(len(values))
    room = 0.08 * (high - low or 1)
    axes.set_ylim(low - (room if low < 0 else 0), high + room)
    if entry.draw == "bars":
        axes.bar(at, values, color=color)
        axes.set_xticks(at)
        for x, value in zip(at, values, strict=True):
            axes.text(x, max(value, 0), number(value), ha="center", va="bottom", fontsize=9)
    else:
        axes.plot(at, values, color=color, marker="o" if len(values) <= 20 else "", linewidth=2)
        axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def described(entry: Entry, values: np.ndarray) -> str:
    """The numbers of a picture in words: every row of a matrix, some places of a line."""
    if values.ndim == 1:
        step = max(1, -(-len(values) // SPOKEN))
        places = sorted({*range(0, len(values), step), len(values) - 1})
        told = [
            f"{entry.at[place] if entry.at else place:g}: {number(values[place])}"
            for place in places
        ]
        return f"{len(values)} values along {entry.columns or 'the axis'}; {', '.join(told)}."
    rows, columns = values.shape
    told = [
        f"{entry.rows or 'row'} {entry.names[place] if entry.names else place}: "
        + ", ".join(map(number, row))
        for place, row in enumerate(values)
    ]
    return f"{rows} rows of {columns} numbers. {'; '.join(told)}."
