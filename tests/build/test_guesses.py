"""A reader who guesses is not told before: from a guess to the words that say what came out, a
release holds the answer in no output, title or open sentence.
"""

import ast
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.build.guesses import (
    COMPARES,
    FOLD,
    GUESS,
    HEADING,
    TOLD,
    fold_what_came_out,
    waiting_cells,
)
from autograder.course.chapter import solution_path, student_path
from tests.conftest import ROOT, real_chapters

DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
WHAT = r"(?P<what>.+?): (?P<answer>.+) \(you typed no guess\)"
SENTENCE = re.compile(r"(?<=[.?!:]) |\n\n|\n(?=[-#])")
DRAWN = {"title", "alt", "suptitle"}  # names of what is drawn, or said of it
SAYS = {"show", "set_title", "suptitle"}  # calls that draw words, or say what is drawn
BEFORE, AFTER = r"(?<![\w.,−-])", r"(?![\w]|[.,]\d)"  # around a number that is the whole number
OF_HOW_MANY = re.compile(r"\bof \d+")
COUNTED = re.compile(r"^#+ Exercise.*|\*\*?\d+ points?\b|\d+ points?\b|chapters? \d+", re.MULTILINE)


def text_of(cell):
    return "".join("".join(one.get("text", "")) for one in cell.get("outputs", ()))


def guesses(name):
    """(answers, options, cells) of each guess of a chapter: what its solution measures, the words
    to choose from, and the released cells from it to the words that tell.
    """
    solved = nbformat.read(solution_path(ROOT, name), as_version=4).cells
    measured = {cell.id: text_of(cell) for cell in solved if cell.cell_type == "code"}
    cells = nbformat.read(student_path(ROOT, name), as_version=4).cells
    for first, cell in enumerate(cells):
        if cell.cell_type != "code" or not GUESS.search(cell.source):
            continue
        asked = {one for names in GUESS.findall(cell.source) for one in names.split(", ")}
        between, answers, compared = [], [], False
        for other in cells[first + 1 :]:
            if compared and other.cell_type == "markdown":
                if FOLD in other.source or HEADING.search(other.source):
                    break
            between.append(other)
            if COMPARES in other.get("source", "") and other.cell_type == "code":
                answers += [found["answer"] for found in re.finditer(WHAT, measured[other.id])]
                asked -= set(re.findall(r"\bguess\w*", other.source))
                compared = not asked
        assert answers and compared, cell.source
        yield answers, set(re.findall(r'"([^"]+)"', cell.source)), between


def said(cell):
    """What stands open of a cell: sentences, titles, and words that it draws."""
    if cell.cell_type == "markdown":
        yield from SENTENCE.split(COUNTED.sub("", DETAILS.sub("", cell.source)))
        return
    yield from re.findall(r"^# @title (.+)", cell.source)
    for node in ast.walk(ast.parse(cell.source)):
        words = []
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            words = [key.value for key in node.keywords if key.arg in DRAWN]
            words += node.args if name in SAYS else []
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in DRAWN:
            words = [node.value]
        for part in (part for word in words for part in ast.walk(word)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from SENTENCE.split(part.value)


def holds(sentence, answer, options):
    """Whether a sentence holds an answer: the number as one would round it, or the word and not
    all that one chooses from.
    """
    try:
        number = float(answer)
    except ValueError:
        others = options - {answer}
        chosen = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", sentence)
        return bool(chosen) and not (others and all(word in sentence for word in others))
    forms = {answer}
    for digits in (2, 3):
        forms |= {f"{number:.{digits}g}", f"{100 * number:.{digits}g} %"}
        forms |= {f"{100 * number:.{digits}g}%", f"{100 * number:.{digits}g} percent"}
    forms |= {one.replace("0.", ".", 1) for one in forms if one.startswith("0.")}
    forms |= {one.replace("-", "−") for one in forms}
    sentence = OF_HOW_MANY.sub("", sentence)
    return any(re.search(BEFORE + re.escape(one) + AFTER, sentence) for one in forms)


@pytest.mark.parametrize("name", real_chapters())
def test_no_answer_stands_between_a_guess_and_the_words_that_tell_it(name):
    found = []
    for answers, options, between in guesses(name):
        for cell in between:
            assert not cell.id.startswith("listen-"), f"{cell.id} is heard before the answer"
            kept = text_of(cell) if cell.cell_type == "code" else ""
            assert kept.startswith("Needs exercise") or not cell.get("outputs"), cell.source
            for sentence in said(cell):
                held = [answer for answer in answers if holds(sentence, answer, options)]
                found += [(cell.id, answer, " ".join(sentence.split())) for answer in held]
    assert found == []


def test_no_mark_is_left_over():
    """A mark below no guess would fold nothing, and be seen by whoever edits the notebook."""
    for name in real_chapters():
        for path in (student_path(ROOT, name), solution_path(ROOT, name)):
            assert TOLD not in path.read_text(encoding="utf-8"), path.name


def guess(what="x"):
    return new_code_cell(f"guess_{what} = None", id=f"guess-{what}")


def check(what="x"):
    return new_code_cell(f'check_guess("{what}", guess_{what}, 3)', id=f"check-{what}")


def folded(*texts):
    """The open words of Markdown cells below a guess and its measurement, after the fold."""
    cells = [guess(), check(), *map(new_markdown_cell, texts)]
    fold_what_came_out(cells)
    return [cell.source for cell in cells[2:]]


def told(text):
    return f"{FOLD}\n\n{text}\n\n</details>"


@pytest.mark.parametrize(
    "behind", ["### Exercise 1.1 · A name", "**Predict, then run.** And now?", "## 1.2 On"]
)
def test_what_came_out_is_folded_up_to_what_comes_next(behind):
    assert folded(f"Three.\n\nSo it is.\n\n{behind}") == [
        f"{told('Three.' + chr(10) * 2 + 'So it is.')}\n\n{behind}"
    ]
    assert folded(behind, "Three.") == (
        [behind, "Three."] if behind.startswith("#") else [behind, told("Three.")]
    )


def test_words_behind_the_mark_and_words_that_lead_on_stand_open():
    assert folded(f"Three. {TOLD} What is next?") == [f"{told('Three.')}\n\nWhat is next?"]
    assert folded("Three.\n\nIn a figure:") == [f"{told('Three.')}\n\nIn a figure:"]
    assert folded("In a figure:", "Three.", "Four.") == ["In a figure:", told("Three."), "Four."]


def test_outputs_wait_from_a_guess_to_the_heading_below_its_measurement():
    def code(name):
        return new_code_cell(f"print('{name}')", id=name)

    cells = [
        code("before"),
        guess(),
        new_markdown_cell("### Exercise 1.1 · In between"),
        code("between"),
        check(),
        new_markdown_cell("Three."),
        code("figure"),
        new_markdown_cell("## 1.2 On"),
        code("after"),
        new_code_cell("worst_guesses()", id="worst"),
    ]
    wanted = {"guess-x", "between", "check-x", "figure", "worst"}
    assert waiting_cells(cells) == wanted
    both = [guess("x"), guess("y"), check("x"), new_markdown_cell("## 1.2 On"), check("y")]
    assert waiting_cells(both) == {"guess-x", "guess-y", "check-x", "check-y"}


@pytest.mark.parametrize(
    ("sentence", "answer", "held"),
    [
        ("It is 0.39 of all.", "0.392", True),
        ("It is 39 % of all.", "0.392", True),
        ("A loss of about .39", "0.392", True),
        ("Section 3.39", "0.392", False),
        ("All but position 7", "7", True),
        ("at 17 of 7.5", "7", False),
        ("RoPE alone", "RoPE", True),
        ("RoPE or ALiBi", "RoPE", False),
    ],
)
def test_an_answer_is_found_as_it_may_be_written(sentence, answer, held):
    assert holds(sentence, answer, {"RoPE", "ALiBi"}) is held
