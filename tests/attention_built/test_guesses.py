"""Guesses are shown beside what is measured, and the worst ones at the end."""

import matplotlib.pyplot as plt
import pytest

import attention_built as ab
from attention_built.notebook import guesses


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(guesses, "_guesses", {})


def test_a_guess_stands_beside_the_measurement(capsys):
    ab.check_guess("steps", 100, 0.12345)
    ab.check_guess("which", None, "bank")
    assert capsys.readouterr().out == (
        "steps: 0.123, your guess was 100\nwhich: bank (you typed no guess)\n"
    )


def test_the_worst_come_first_by_how_many_times_they_are_off(capsys):
    for what, guess, measured in (
        ("right", 5, 5),
        ("twice", 2.0, 1.0),
        ("a tenth", 1, 10),
        ("sign", -1, 1),
        ("word", " Bank", "bank"),
        ("wrong word", "river", "bank"),
    ):
        ab.check_guess(what, guess, measured)
    capsys.readouterr()
    ab.worst_guesses(most=3)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["sign", "wrong word", "a tenth"]
    assert lines[-1] == "a tenth: you guessed 1, it was 10"


def test_without_a_wrong_guess_it_says_so(capsys):
    ab.worst_guesses()
    ab.check_guess("steps", 3, 3)
    ab.worst_guesses()
    first, *_, last = capsys.readouterr().out.splitlines()
    assert (first, last) == ("You typed no guesses in this chapter.", "No guess was wrong.")


def test_a_number_is_drawn_as_a_line_and_nothing_else_is():
    _, ax = plt.subplots()
    ab.draw_guess(ax, None)
    ab.draw_guess(ax, "bank")
    assert len(ax.lines) == 0
    ab.draw_guess(ax, 2)
    ab.draw_guess(ax, 3, axis="x")
    assert list(ax.lines[0].get_ydata()) == [2, 2] and list(ax.lines[1].get_xdata()) == [3, 3]
    plt.close("all")
