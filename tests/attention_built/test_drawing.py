"""Figures: shown once and with their words, matrices whose numbers can be read."""

import matplotlib.pyplot as plt
import pytest
import torch

import attention_built as ab


@pytest.fixture(autouse=True)
def figures(monkeypatch):
    """What is displayed, as (figure, its metadata); in the style of the course."""
    made = []
    monkeypatch.setattr(
        "IPython.display.display", lambda fig, metadata: made.append((fig, metadata))
    )
    with plt.rc_context(ab.STYLE):
        yield made
    plt.close("all")


def drawn(matrix, **options):
    """(axes, image) of a matrix."""
    _, ax = plt.subplots()
    return ax, ab.draw_matrix(ax, matrix, **options)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_style_draws_in_the_colours_of_the_course():
    colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
    assert colours == ab.OKABE_ITO and len(set(colours)) == 8


def test_a_figure_is_displayed_once_with_its_words_and_width_and_closed(figures):
    fig, _ = plt.subplots(figsize=(7, 2))
    ab.show(fig, "a line")
    assert figures == [(fig, {"image/png": {"alt": "a line", "width": 700}})]
    assert not plt.fignum_exists(fig.number)


def test_a_small_matrix_has_its_numbers_in_the_cells_light_on_dark():
    ax, image = drawn([[1.0, -0.25], [float("-inf"), 0.5]], digits=1, title="scores")
    assert texts(ax) == ["1.0", "−0.2", "−∞", "0.5"] and ax.get_title("left") == "scores"
    assert [text.get_color() for text in ax.texts] == ["white", "black", "black", "black"]
    assert image.get_clim() == (-0.25, 1.0), "the infinite entry is left out"


def test_a_large_one_or_one_without_digits_has_none():
    assert texts(drawn(torch.zeros(13, 2))[0]) == [] == texts(drawn(torch.eye(2), digits=None)[0])


def test_rows_and_columns_bear_their_names():
    ax, _ = drawn(torch.rand(2, 3, requires_grad=True), rows=["a", "b"], columns=["c", "d", "e"])
    assert [one.get_text() for one in ax.get_yticklabels()] == ["a", "b"]
    assert [one.get_text() for one in ax.get_xticklabels()] == ["c", "d", "e"]


@pytest.mark.parametrize(
    ("matrix", "options", "limits"),
    [
        ([[1.0, -3.0]], {"cmap": "PuOr"}, (-3, 3)),
        ([[1.0, -3.0]], {"cmap": "PuOr", "limits": (0, 1)}, (0, 1)),
        ([[2.0, 2.0]], {}, (0, 2)),
        ([[float("nan")]], {}, (0, 1)),
    ],
    ids=["even about zero", "given", "constant", "nothing finite"],
)
def test_colours_span_the_finite_values(matrix, options, limits):
    assert drawn(matrix, **options)[1].get_clim() == limits
