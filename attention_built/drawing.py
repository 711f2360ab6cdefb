"""Figures: their style, matrices with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

OKABE_ITO = [
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000",
]  # fmt: skip
STYLE = {  # for plt.rcParams.update
    "axes.prop_cycle": f"cycler(color={OKABE_ITO})",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "figure.dpi": 144,
}
SMALL = 12  # rows and columns up to which the numbers of a matrix are written


def show(fig: Figure, alt: str) -> None:
    """Display a figure once, 100 screen pixels to the inch, with the text that stands for it where
    it is not seen.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    width = round(100 * fig.get_figwidth())
    display(fig, metadata={"image/png": {"alt": alt, "width": width}})
    plt.close(fig)


def draw_matrix(
    ax: Axes,
    matrix: Any,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    cmap: str = "Blues",
    limits: tuple[float, float] | None = None,
    digits: int | None = 2,
) -> AxesImage:
    """Draw a (rows, columns) matrix as a heatmap; up to 12 x 12 the numbers stand in the cells (not
    if digits is None).

    Colours span the finite values (for "PuOr" evenly about zero) unless limits=(low, high) are
    given; the rest is grey.
    """
    matrix = torch.as_tensor(matrix).detach().cpu().float()
    low, high = limits or _span(matrix[matrix.isfinite()], about_zero=cmap == "PuOr")
    if low == high:
        low, high = min(low, 0), max(high, 1)
    image = ax.imshow(matrix.numpy(), cmap=cmap, vmin=low, vmax=high)
    ax.set_facecolor("0.85")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title(title)
    small = max(matrix.shape) <= SMALL
    if columns is not None:
        places = range(matrix.shape[1])
        ax.set_xticks(places, columns, rotation=45, ha="right", rotation_mode="anchor")
    elif small:
        ax.set_xticks(range(matrix.shape[1]))
    if rows is not None or small:
        ax.set_yticks(range(matrix.shape[0]), rows)
    if small and digits is not None:
        for i, row in enumerate(matrix.tolist()):
            for j, value in enumerate(row):
                red, green, blue, _ = image.cmap(image.norm(value))
                dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
                colour = "white" if dark and abs(value) < float("inf") else "black"
                text = f"{value:.{digits}f}".replace("inf", "∞").replace("-", "−")
                ax.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
    return image


def _span(finite: torch.Tensor, about_zero: bool) -> tuple[float, float]:
    low, high = (finite.min().item(), finite.max().item()) if len(finite) else (0, 1)
    return (-max(-low, high), max(-low, high)) if about_zero else (low, high)
