"""Marks do not depend on luck: the reference passes with other seeds, on one thread and on two."""

import ast

import pytest

from autograder.assurance.in_process import moved_seeds
from autograder.assurance.stability import unstable
from autograder.course.chapter import find_chapter

from ..apart import apart
from ..conftest import CHAPTER, EVERYTHING, ROOT, real_chapters, write_chapter

CHECK = """manual_seed(1)
### BEGIN HIDDEN TESTS
manual_seed(2 + i)
generator.manual_seed(3)
### END HIDDEN TESTS
generator.manual_seed(4)
"""


def test_seeds_of_hidden_tests_are_moved_and_no_others():
    assert ast.unparse(
        moved_seeds(CHECK.replace("manual_seed(2", "torch.manual_seed(2"), 100)
    ).splitlines() == [
        "manual_seed(1)",
        "torch.manual_seed(2 + i + 100)",
        "generator.manual_seed(3 + 100)",
        "generator.manual_seed(4)",
    ]


LUCKY = CHAPTER.replace(
    "for number in (-5.0, -7.0):",
    "import torch\nfor number in torch.randn(1,"
    " generator=torch.Generator().manual_seed(0)).tolist():\n    assert number > 1, 'out of luck'",
)


def test_a_hidden_test_that_passes_with_its_own_seed_only_is_found(tmp_path):
    write_chapter(tmp_path, "ch01_small", LUCKY)
    lines = apart(unstable, tmp_path, "ch01", 3)
    assert lines and all(line.startswith("ch01_double") and "out of luck" in line for line in lines)


RIGHT_BY_LUCK = """# %% right: always
def double(x):
    return 2 * x

# %% right: by_luck
import torch
def double(x):
    return 2 * x if torch.rand(()) < 0.5 else 3 * x
"""


def test_a_right_answer_that_passes_with_some_seeds_only_is_found(course):
    folder = course / "bank" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(RIGHT_BY_LUCK, encoding="utf-8")
    lines = apart(unstable, course, "ch01", 4, (1,), "double", print, True)
    assert lines and all(line.startswith("ch01_double/by_luck: seeds + ") for line in lines)


# these compute with whole numbers, booleans or strings, make a table of one dtype, or take numbers
# as a generator or a function gives them
COUNTS_ONLY = {
    "ch02_by_hand",
    "ch02_score_std",
    "ch03_causal_mask",
    "ch03_padding_mask",
    "ch03_leaks_future",
    "ch04_attention_parameters",
    "ch04_trace_shapes",
    "ch05_alibi_bias",
    "ch05_sinusoidal_encoding",
    "ch06_block_parameters",
    "ch07_greedy_translate",
    "ch08_gpt2_parameters",
    "ch09_make_batch",
    "ch09_learning_rate",
    "ch10_sliding_window_mask",
    "ch12_rope_scale",
    # a kernel computes in float32, as a GPU does
    "ch15_softmax_kernel",
    "ch15_flash_kernel",
    "ch15_roofline",
    "ch15_decode_kernel",
}


@pytest.mark.parametrize("name", real_chapters())
def test_hidden_tests_name_float64_wherever_an_exercise_computes_with_it(name):
    silent = {
        exercise.id
        for exercise in find_chapter(ROOT, name).exercises
        if not any(
            word in check.source for check in exercise.checks for word in ("float64", ".double()")
        )
    }
    assert silent == {exercise for exercise in COUNTS_ONLY if exercise.startswith(name[:5])}


@pytest.mark.slow
@pytest.mark.proof("stability")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", real_chapters())
def test_the_reference_passes_whatever_the_seeds(name):
    assert apart(unstable, ROOT, name, 5 if EVERYTHING else 1) == []
