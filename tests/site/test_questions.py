"""The quick questions: every file of site/questions keeps the rules, and each broken rule is one
line that names the place.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from coursesite.site.questions import EACH, questions_path, read_questions, sections_of

from ..conftest import ROOT, real_chapters

SECTIONS = ("2.1", "2.2")


def test_no_questions_are_for_a_chapter_that_is_not_there():
    files = {path.stem for path in (ROOT / "site" / "questions").glob("*.toml")}
    assert files <= set(real_chapters())


@pytest.mark.parametrize("name", real_chapters())
def test_each_section_has_its_three_questions(name):
    chapter = find_chapter(ROOT, name)
    read = read_questions(ROOT, chapter)
    assert tuple(read) == sections_of(chapter)
    assert {len(questions) for questions in read.values()} == {EACH}


def good():
    """A file that keeps the rules, as nested lists and dictionaries."""
    return [
        {
            "number": number,
            "question": [
                {
                    "ask": f"What is {number} and {n}, $x_{{{n}}}$?",
                    "choice": [
                        {
                            "text": f"choice {place} of `{n}`",
                            "because": f"reason {place}",
                            "right": place == (n + at) % 3,
                        }
                        for place in range(3)
                    ],
                }
                for n in range(EACH)
            ],
        }
        for at, number in enumerate(SECTIONS)
    ]


def toml(sections):
    def line(key, value):
        return f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}"

    lines = []
    for section in sections:
        lines += ["[[section]]", line("number", section["number"])]
        for question in section["question"]:
            lines.append("[[section.question]]")
            lines += [line(key, value) for key, value in question.items() if key != "choice"]
            for choice in question["choice"]:
                lines.append("[[section.question.choice]]")
                lines += [line(key, value) for key, value in choice.items()]
    return "\n".join(lines)


def read(folder, text):
    """The questions of a chapter with the sections 2.1 and 2.2 and this file."""
    chapter = find_chapter(ROOT, "ch02")
    texts = "\n".join(f"## {number} Title" for number in SECTIONS)
    first = replace(chapter.cells[0], source=f"# 2 · Title\n\n{texts}")
    path = questions_path(folder, chapter.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return read_questions(Path(folder), replace(chapter, cells=(first,)))


def test_a_file_is_read_as_it_stands(tmp_path):
    sections = good()
    sections[0]["question"][1]["predict"] = True
    made = read(tmp_path, toml(sections))
    assert tuple(made) == SECTIONS
    assert [question.predict for question in made["2.1"]] == [False, True, False]
    assert [question.place for question in made["2.2"]] == [1, 2, 0]
    assert made["2.1"][0].choices[0].because == "reason 0"


def test_a_chapter_without_a_file_has_no_questions(tmp_path):
    assert read_questions(tmp_path, find_chapter(ROOT, "ch02")) == {}


def drop_section(sections):
    sections.pop()


def other_section(sections):
    sections[1]["number"] = "2.9"


def drop_question(sections):
    sections[1]["question"].pop()


def asked_twice(sections):
    sections[0]["question"][1]["ask"] = sections[0]["question"][0]["ask"]


def none_right(sections):
    for choice in sections[0]["question"][0]["choice"]:
        choice["right"] = False


def two_right(sections):
    for choice in sections[0]["question"][0]["choice"][:2]:
        choice["right"] = True


def one_choice(sections):
    question = sections[0]["question"][0]
    question["choice"] = [one for one in question["choice"] if one["right"]]


def five_choices(sections):
    choices = sections[0]["question"][0]["choice"]
    choices += [{"text": f"more {n}", "because": f"more reason {n}"} for n in range(2)]


def same_choice(sections):
    choices = sections[0]["question"][0]["choice"]
    choices[1]["text"] = choices[0]["text"]


def same_reason(sections):
    choices = sections[0]["question"][0]["choice"]
    choices[1]["because"] = choices[0]["because"]


def no_reason(sections):
    del sections[1]["question"][2]["choice"][1]["because"]


def open_formula(sections):
    sections[0]["question"][0]["ask"] = "What is $x_1?"


def open_brace(sections):
    sections[0]["question"][0]["ask"] = "What is $x_{1$?"


def open_code(sections):
    sections[0]["question"][0]["ask"] = "What is `x?"


def misspelt(sections):
    sections[0]["question"][0]["predicted"] = True


def text_for_flag(sections):
    sections[0]["question"][0]["predict"] = "yes"


def long_and_right(sections):
    for section in sections:
        for question in section["question"]:
            for choice in question["choice"]:
                choice["text"] += " and more of it" * choice["right"]


def always_first(sections):
    for section in sections:
        for question in section["question"]:
            for place, choice in enumerate(question["choice"]):
                choice["right"] = place == 0


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (drop_section, "expected a [[section]] for each of 2.1, 2.2"),
        (other_section, "got '2.1', '2.9'"),
        (drop_question, "section 2.2: expected 3 questions; got 2"),
        (asked_twice, "section 2.1: expected 3 different questions"),
        (
            none_right,
            "section 2.1, question 1: expected exactly one choice with right = true; got 0",
        ),
        (two_right, "exactly one choice with right = true; got 2"),
        (one_choice, "expected 2 to 4 choices; got 1"),
        (five_choices, "expected 2 to 4 choices; got 5"),
        (same_choice, "text twice: 'choice 0 of `0`'"),
        (same_reason, "because twice: 'reason 0'"),
        (no_reason, "section 2.2, question 3, choice 2: because: expected words; got None"),
        (open_formula, "question 1: ask: expected an even number of $"),
        (open_brace, "expected braces that close"),
        (open_code, "expected an even number of backticks"),
        (misspelt, "got 'predicted'"),
        (text_for_flag, "predict: expected true or false; got 'yes'"),
        (long_and_right, "the right choice is the longest in 6 of 6 questions; expected at most 3"),
        (always_first, "the right choice is number 1 in 6 of 6 questions"),
    ],
)
def test_a_broken_rule_is_one_line_with_its_place(tmp_path, broken, said):
    sections = good()
    broken(sections)
    with pytest.raises(SourceError) as raised:
        read(tmp_path, toml(sections))
    line = str(raised.value)
    assert said in line and "ch02_single_head.toml" in line and "\n" not in line


def test_what_is_no_toml_is_one_line(tmp_path):
    with pytest.raises(SourceError, match="expected TOML in UTF-8"):
        read(tmp_path, "[[section]\n")
