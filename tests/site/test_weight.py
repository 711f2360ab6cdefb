"""What a first visit costs: all bytes that a browser loads, uncompressed."""

import pytest

from autograder.course.errors import AutograderError
from coursesite.site.lean import pruned
from coursesite.site.letters import FOLDER, SHEET, faces

from ..conftest import real_chapters

MOST = 1_500_000  # bytes


def test_rules_of_classes_that_no_page_has_are_left_out():
    css = (
        ".used{color:red}.unused,.used:hover{color:blue}.unused .used{color:green}"
        "@media print{.unused{top:0}}@media screen{.used{top:0}}a:not(.unused){left:0}"
    )
    assert pruned(css, {"used"}) == (
        ".used{color:red}.used:hover{color:blue}@media screen{.used{top:0}}a:not(.unused){left:0}"
    )


def test_each_face_of_a_formula_is_a_sheet_that_holds_its_letters():
    rule = '@font-face{font-family:KaTeX_Size1;src:url(fonts/KaTeX_Size1-Regular.woff2) format("woff2")}'
    letters = {FOLDER / "fonts" / "KaTeX_Size1-Regular.woff2": b"letters"}
    made = faces({SHEET: f"{rule}.katex{{color:red}}".encode(), **letters})
    face = rule.replace("fonts/KaTeX_Size1-Regular.woff2", "data:font/woff2;base64,bGV0dGVycw==")
    assert made == {SHEET: b".katex{color:red}", FOLDER / "KaTeX_Size1-Regular.css": face.encode()}
    with pytest.raises(AutograderError, match=r"asks for fonts/KaTeX_Size1-Regular\.woff2"):
        faces({SHEET: rule.encode()})


@pytest.mark.slow
@pytest.mark.parametrize("name", real_chapters())
def test_the_first_visit_to_a_chapter_is_under_a_megabyte_and_a_half(name, browser, address):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    loaded = {}

    def count(response):
        if response.url.startswith("http"):
            loaded[response.url] = response

    page.on("response", count)
    page.goto(f"{address}{name}.html")
    page.wait_for_load_state("networkidle")
    sizes = {url.split("/", 3)[3]: len(one.body()) for url, one in list(loaded.items())}
    page.context.close()
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:5]
    assert 100_000 < sum(sizes.values()) < MOST, largest
