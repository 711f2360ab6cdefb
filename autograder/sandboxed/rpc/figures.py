"""A matplotlib figure as a description, and a real figure made from the description.

What travels: axes with titles, labels, ticks, limits; images and meshes with data, colour map and
limits; colour bars as axes. The trusted side never touches the figure itself.

Needed by one exercise, ch04_plot_heads, whose function returns a figure that its check looks at.
"""

from typing import TYPE_CHECKING, Any

import matplotlib
import numpy
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure

from .failures import BridgeError, clean

if TYPE_CHECKING:
    from .codec import Decoder, Encoder


MOST_AXES, MOST_THINGS = 256, 4000


def is_figure(value: Any) -> bool:
    return isinstance(value, Figure)


def encode(encoder: "Encoder", figure: Any) -> list[Any]:
    """Describe a figure. It is not drawn, which takes long: what draws would first put axes into
    their places, as those of an ImageGrid, is all that is done.
    """
    for axes in figure.axes:
        if locator := axes.get_axes_locator():
            axes.apply_aspect(locator(axes, RendererAgg(1, 1, figure.dpi)))
    size = [float(n) for n in figure.get_size_inches()]
    axes = [_axes(axes) for axes in figure.axes]
    return ["fig", encoder.value({"size": size, "axes": axes})]


def _axes(axes: Any) -> dict[str, Any]:
    images = [
        {
            "data": (
                numpy.ma.filled(image.get_array(), numpy.nan)
                if image.get_array().dtype.kind == "f"
                else numpy.asarray(image.get_array())
            ),
            "extent": [float(n) for n in image.get_extent()],
            "origin": image.origin,
            **_colours(image),
        }
        for image in axes.images
    ]
    meshes = [
        {
            "data": numpy.ma.filled(mesh.get_array().astype(float), numpy.nan),
            "corners": numpy.asarray(mesh.get_coordinates()),
            **_colours(mesh),
        }
        for mesh in axes.collections
        if type(mesh).__name__ == "QuadMesh"
    ]
    return {
        "titles": [axes.get_title(place) for place in ("left", "center", "right")],
        "xlabel": axes.get_xlabel(),
        "ylabel": axes.get_ylabel(),
        "visible": bool(axes.get_visible()),
        "on": bool(axes.axison),
        "place": _place(axes),
        "x": _axis(axes.xaxis, axes.get_xlim()),
        "y": _axis(axes.yaxis, axes.get_ylim()),
        "images": images,
        "meshes": meshes,
    }


def _place(axes: Any) -> list[float]:
    """Left, bottom, width and height as shares of the whole figure, also inside a subfigure."""
    figure = axes.figure
    while figure is not getattr(figure, "figure", figure):
        figure = figure.figure  # a subfigure's is the one that holds it
    box = axes.get_window_extent().transformed(figure.transFigure.inverted())
    return [float(n) for n in box.bounds]


def _axis(axis: Any, limits: Any) -> dict[str, Any]:
    return {
        "limits": [float(n) for n in limits],
        "ticks": [float(place) for place in axis.get_ticklocs()],
        "labels": [label.get_text() for label in axis.get_ticklabels()],
    }


def _colours(drawn: Any) -> dict[str, Any]:
    low, high = drawn.get_clim()
    return {
        "cmap": drawn.get_cmap().name,
        "limits": [None if n is None else float(n) for n in (low, high)],
    }


def decode(decoder: "Decoder", described: Any) -> Figure:
    """Make a figure from a description."""
    data = decoder.value(described)
    try:
        width, height = (min(max(n, 0.1), 100.0) for n in data["size"])
        figure = Figure(figsize=(width, height), dpi=50)
        FigureCanvasAgg(figure)
        for about in data["axes"][:MOST_AXES]:
            _draw(figure, about)
    except BridgeError:
        raise
    except Exception as error:
        raise BridgeError(
            f"a figure came in a form that makes no sense ({type(error).__name__})"
        ) from error
    return figure


def _draw(figure: Figure, about: Any) -> None:
    axes: Any = figure.add_axes(about["place"])
    for place, title in zip(("left", "center", "right"), about["titles"], strict=False):
        axes.set_title(clean(title), loc=place)
    axes.set_xlabel(clean(about["xlabel"]))
    axes.set_ylabel(clean(about["ylabel"]))
    drawn = [
        axes.imshow(
            image["data"],
            extent=image["extent"],
            origin="lower" if image["origin"] == "lower" else "upper",
            aspect="auto",
        )
        for image in about["images"][:MOST_THINGS]
    ]
    drawn += [
        axes.pcolormesh(mesh["corners"][..., 0], mesh["corners"][..., 1], mesh["data"])
        for mesh in about["meshes"][:MOST_THINGS]
    ]
    for made, told in zip(drawn, about["images"] + about["meshes"], strict=False):
        made.set_clim(*told["limits"])
        made.set_cmap(told["cmap"] if told["cmap"] in matplotlib.colormaps else "viridis")
    for name in ("x", "y"):
        _set_axis(axes, name, about[name])
    axes.set_visible(about["visible"] is True)
    axes.axison = about["on"] is True


def _set_axis(axes: Any, name: str, about: Any) -> None:
    ticks = about["ticks"][:MOST_THINGS]
    labels = [clean(label, 200) for label in about["labels"][:MOST_THINGS]]
    getattr(axes, f"set_{name}ticks")(ticks, [*labels, *[""] * len(ticks)][: len(ticks)])
    getattr(axes, f"set_{name}lim")(*about["limits"])
