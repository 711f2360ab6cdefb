"""A figure of the student, read here."""

import matplotlib.figure
import numpy as np
import pytest

CODE = """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
def heads(kind):
    fig, axes = plt.subplots(1, 3, sharey=True)
    for h, ax in enumerate(axes):
        data = np.arange(12.0).reshape(3, 4) + h
        image = getattr(ax, kind)(data, cmap="PuOr") if kind != "pcolormesh" else ax.pcolormesh(data, vmin=0, vmax=13)
        image.set_clim(0, 13)
        ax.set_title(f"Head {h}", loc="left")
        ax.set_xticks(range(4), ["a", "b", "c", "d"])
        ax.set_xlabel("key"); ax.set_ylabel("query")
    fig.colorbar(image, ax=axes)
    return fig
"""


@pytest.mark.parametrize("kind", ["imshow", "matshow", "pcolormesh"])
def test_a_figure_keeps_titles_labels_ticks_data_and_colour_limits(student, kind):
    figure = student(CODE).heads(kind)
    assert isinstance(figure, matplotlib.figure.Figure) and len(figure.axes) == 4
    for head, axes in enumerate(figure.axes[:3]):
        drawn = [*axes.images, *axes.collections][0]
        assert (
            axes.get_title(loc="left") == f"Head {head}"
            and axes.get_xlabel() == "key"
            and axes.get_ylabel() == "query"
        )
        assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c", "d"]
        assert np.allclose(
            np.asarray(drawn.get_array()).reshape(3, 4), np.arange(12.0).reshape(3, 4) + head
        )
        assert drawn.get_clim() == (0, 13)


@pytest.mark.parametrize("kind", ["subfigures", "image_grid"])
def test_axes_that_lie_apart_lie_apart_here(student, kind):
    code = """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from mpl_toolkits.axes_grid1 import ImageGrid
def subfigures():
    fig = plt.figure(layout="constrained")
    for sub in fig.subfigures(1, 3):
        sub.subplots()
    return fig
def image_grid():
    fig = plt.figure()
    ImageGrid(fig, 111, nrows_ncols=(1, 3))
    return fig
"""
    figure = getattr(student(code), kind)()
    boxes = [axes.get_position() for axes in figure.axes if axes.get_visible()][:3]
    assert len(boxes) == 3
    assert boxes[0].x1 <= boxes[1].x0 and boxes[1].x1 <= boxes[2].x0, boxes


def test_limits_say_which_way_up_it_is(student):
    low, high = student(CODE).heads("imshow").axes[0].get_ylim()
    assert low > high


def test_an_array_of_axes_is_no_figure_and_says_what_it_is(student):
    made = student(CODE + "def axes(): return plt.subplots(1, 2)[1]").axes()
    assert not isinstance(made, matplotlib.figure.Figure) and type(made).__name__ == "ndarray"
