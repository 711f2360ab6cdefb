"""What a hidden test asks, the exercise says: every property has an id, and a sentence that carries
it.
"""

import pytest

from autograder.assurance.properties import stated_properties
from autograder.course.chapter import find_chapter

from ..conftest import CHAPTER, ROOT, real_chapters, write_chapter

STATED = CHAPTER.replace(
    "# Property: works for negative numbers", "# Property: works for negative numbers [sign]"
).replace(
    "# ### Exercise 1.1 · Double · 2 points · about 1 minute",
    "# ### Exercise 1.1 · Double · 2 points · about 1 minute\n#\n"
    "# Write it. **It must also** work for numbers below zero\n# <!-- asks: sign -->.",
)


def stated(root, text):
    write_chapter(root, "ch01_small", text)
    return stated_properties(find_chapter(root, "ch01"))


def test_a_property_comes_with_the_sentence_that_states_it(tmp_path):
    first, second = stated(tmp_path, STATED).properties
    assert (first.id, first.words) == ("sign", "works for negative numbers")
    assert first.sentence == "**It must also** work for numbers below zero"
    assert (second.id, second.sentence) == ("", "")


@pytest.mark.parametrize(
    "old, new, fault",
    [
        ("[sign]", "[sign]", "ch01_half: no id: works for odd numbers"),
        ("asks: sign", "asks: signs", "ch01_double: no sentence of the exercise asks for [sign]"),
        ("asks: sign", "asks: sign, size", "ch01_double: the exercise asks for [size], which no"),
        (
            '### END HIDDEN TESTS\nprint("1.1',
            '# Property: again [sign]\n### END HIDDEN TESTS\nprint("1.1',
            "ch01_double: [sign] names more than one property",
        ),
    ],
)
def test_what_is_missing_is_named(tmp_path, old, new, fault):
    assert old in STATED
    assert any(line.startswith(fault) for line in stated(tmp_path, STATED.replace(old, new)).faults)


@pytest.mark.parametrize("name", real_chapters())
def test_every_property_of_a_chapter_is_stated_in_its_exercise(name):
    found = stated_properties(find_chapter(ROOT, name))
    assert found.properties and found.faults == ()
