"""A small course in a temporary folder: the same pipeline as the real one, in a second. And what
many tests share.
"""

import os
import shutil
from pathlib import Path

import pytest

pytest_plugins = "tests.proofs"
ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# whether the costly tests take all that there is, and not a sample
EVERYTHING = bool(os.environ.get("AUTOGRADER_ALL"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

CHAPTER = '''# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1 · A small chapter
#
# Its question.

# %% tags=["setup"]
import math

# %% [markdown]
# ## 1.1 Doubling
#
# ### Exercise 1.1 · Double · 2 points · about 1 minute

# %% nbgrader={"grade": false, "grade_id": "ch01_double", "locked": false, "schema_version": 3, "solution": true, "task": false}
def double(x):
    """Twice x, a number."""
    ### BEGIN SOLUTION
    twice_the_input = 2 * x
    return twice_the_input
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_double_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.1: twice 3 is 6."""
assert double(3.0) == 6, "3 must become 6: the input was not doubled"
### BEGIN HIDDEN TESTS
# Property: works for negative numbers
for number in (-5.0, -7.0):
    assert double(number) == 2 * number, f"{number} was not doubled"
### END HIDDEN TESTS
print("1.1 holds.")

# %% [markdown]
# ## 1.2 Halving
#
# ### Exercise 1.2 · Half · 1 point · about 1 minute

# %% nbgrader={"grade": false, "grade_id": "ch01_half", "locked": false, "schema_version": 3, "solution": true, "task": false}
def half(x):
    ### BEGIN SOLUTION
    half_of_the_input = x / 2
    return half_of_the_input
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch01_half_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.2: half of 6 is 3."""
assert half(6.0) == 3, "6 must become 3"
### BEGIN HIDDEN TESTS
# Property: works for odd numbers
assert half(7.0) == 3.5, "7 must become 3.5"
### END HIDDEN TESTS
print("1.2 holds.")

# %% tags=["show"]
print(sum(range(10)))
'''

CARRYING = (
    CHAPTER.split("# %% [markdown]")[0]
    + '''# %% [markdown]
# # 2 · A chapter that carries

# %% carry=["ch01_small: double"]
import math

# %% nbgrader={"grade": false, "grade_id": "ch02_quadruple", "locked": false, "schema_version": 3, "solution": true, "task": false}
def quadruple(x):
    ### BEGIN SOLUTION
    return double(double(x))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "ch02_quadruple_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 2.1: four times 1 is 4."""
assert quadruple(1.0) == 4, "1 must become 4"
'''
)


def write_chapter(root, name, text):
    path = Path(root, "source", name, f"{name}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def course(tmp_path):
    """The root of a course with two chapters, ch01_small and ch02_carries, not yet built."""
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    write_chapter(tmp_path, "ch01_small", CHAPTER)
    write_chapter(tmp_path, "ch02_carries", CARRYING)
    return tmp_path


@pytest.fixture
def package_course(course):
    """The same, whose first chapter imports the package of the notebooks."""
    imports = "import math\nimport attention_built as ab"
    write_chapter(course, "ch01_small", CHAPTER.replace("import math", imports))
    return course


def pytest_collection_modifyitems(items):
    """A browser on a busy machine may miss its moment: its tests may be run again, and no others."""
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def real_root():
    return ROOT


def real_chapters():
    """Names of the chapters of the real course, for tests that run over all of them."""
    return sorted(path.parent.name for path in ROOT.glob("source/ch*/ch*.py"))


@pytest.fixture(scope="session")
def engine():
    """The real grader, warm, for tests that grade many submissions."""
    from autograder.grading import Engine

    with Engine(ROOT, sandbox=bool(shutil.which("bwrap"))) as warm:
        yield warm


@pytest.fixture(scope="session")
def browser():
    """One headless browser for all tests of pages: two Playwrights cannot run in one process."""
    playwright = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}: apt-get install chromium, or set CHROMIUM")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
