"""Marks do not depend on luck: the reference passes with other seeds, on one thread and on two."""

import os
import pytest

from autograder.rehearsal import moved_seeds
from autograder.stability import unstable

from .apart import apart
from .conftest import CHAPTER, ROOT, real_chapters, write_chapter

CHECK = '''manual_seed(1)
### BEGIN HIDDEN TESTS
manual_seed(2 + i)
generator.manual_seed(3)
### END HIDDEN TESTS
generator.manual_seed(4)
'''


def test_seeds_of_hidden_tests_are_moved_and_no_others():
    import ast
    assert ast.unparse(moved_seeds(CHECK.replace("manual_seed(2", "torch.manual_seed(2"), 100)).splitlines() == [
        "manual_seed(1)", "torch.manual_seed(2 + i + 100)", "generator.manual_seed(3 + 100)", "generator.manual_seed(4)"]


LUCKY = CHAPTER.replace("for number in (-5.0, -7.0):", "import torch\nfor number in torch.randn(1, generator=torch.Generator().manual_seed(0)).tolist():\n"
                        "    assert number > 1, 'out of luck'")


def test_a_hidden_test_that_passes_with_its_own_seed_only_is_found(tmp_path):
    write_chapter(tmp_path, "ch01_small", LUCKY)
    lines = apart(unstable, tmp_path, "ch01", 3)
    assert lines and all(line.startswith("ch01_double") and "out of luck" in line for line in lines)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif("AUTOGRADER_ALL" not in os.environ, reason="not yet run over all chapters: AUTOGRADER_ALL=1 runs it")
@pytest.mark.parametrize("name", real_chapters())
def test_the_reference_passes_whatever_the_seeds(name):
    assert apart(unstable, ROOT, name, 2) == []
