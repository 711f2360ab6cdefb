"""source/checks.py: each function refuses what it is for, and the build puts it into hidden tests
alone.
"""

import runpy

import pytest
import torch

from autograder.build.release import release
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter, student_path
from autograder.course.errors import SourceError
from tests.conftest import CHAPTER, ROOT, write_chapter

CHECKS = runpy.run_path(str(ROOT / "source" / "checks.py"))
X = torch.arange(35.0).reshape(5, 7)
RIGHT = {
    "a product": lambda x: 2 * x,
    "two results": lambda x: (x + 1, x.sum(-1)),
    "a mask made beside the input": lambda x: x * torch.ones(7, device=x.device, dtype=x.dtype),
    "one that needs the numbers": lambda x: x * float(x.max()),
}
WRONG = {
    "keeps_dtype": (lambda x: x.float(), "in, torch.float32 out"),
    "stays_on_device": (lambda x: x * torch.ones(7), "made on the CPU"),
    "leaves_inputs_alone": (lambda x: x.mul_(2), "changed in place"),
}


@pytest.mark.parametrize("check", WRONG)
@pytest.mark.parametrize("call", RIGHT)
def test_right_answers_pass(check, call):
    CHECKS[check](RIGHT[call], X.clone())


@pytest.mark.parametrize("check", WRONG)
def test_a_wrong_answer_is_refused_with_the_mistake(check):
    call, words = WRONG[check]
    with pytest.raises(AssertionError, match=words):
        CHECKS[check](call, X.clone())


def test_an_error_of_the_students_own_does_not_excuse_code_for_the_cpu_alone():
    def cpu_only(x):
        if x.device.type == "meta":
            raise RuntimeError("Tensor.item() cannot be called on meta tensors")
        return x * torch.ones(7)

    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](cpu_only, X)


def test_a_call_that_needs_the_numbers_gives_its_result_where_it_came_to_one():
    check, right = CHECKS["stays_on_device"], RIGHT["one that needs the numbers"]
    assert torch.equal(check(right, X, needs_numbers=True), right(X))
    moved = TAKEN_BY_A_GPU["moved there, by one that needs the numbers"]
    assert torch.equal(check(moved, X, needs_numbers=True), moved(X))
    of_a_list = lambda x: x * torch.tensor(7 * [2.0]).to(x.device)  # noqa: E731
    assert torch.equal(check(of_a_list, X, needs_numbers=True), 2 * X)
    for wrong in (
        lambda x: x * torch.ones(7),
        lambda x: x @ torch.ones(7, 3),
        lambda x: x * torch.ones(7).to(x.device) + torch.ones(7),
        lambda x: x * torch.tensor(7 * [2.0]).to(x.device) + torch.tensor(7 * [2.0]),
    ):
        with pytest.raises(AssertionError, match="made on the CPU"):
            check(wrong, X, needs_numbers=True)


def test_an_input_without_numbers_that_is_moved_to_the_cpu_is_no_move_of_ones_own():
    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](lambda x: 2 * x.cpu(), X.to("meta"))


def test_a_made_up_error_of_a_move_is_no_excuse():
    def excused(x):
        if "meta" in (x.device.type, torch.empty(0).device.type):
            raise RuntimeError("Cannot copy out of meta tensor; no data!")
        return x * torch.ones(7)

    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](excused, X)


NUMBER = torch.tensor(float("-inf"))  # one number, on the CPU, which a GPU takes
TAKEN_BY_A_GPU = {
    "moved there": lambda x: x * torch.ones(7).to(x.device),
    "moved there, by one that needs the numbers": lambda x: (
        x * torch.ones(7).to(x.device) * float(x.max())
    ),
    "a number of the CPU": lambda x: x * NUMBER,
    "filled with it": lambda x: x.masked_fill(x > 0, NUMBER),
    "indices of the CPU": lambda x: x[torch.tensor([4, 0])],
    "a table that meets nothing": lambda x: (x, torch.ones(7).sum().item())[0],
    "filled with a table by copy_": lambda x: torch.empty_like(x).copy_(torch.ones(7)),
    "a number made by one that needs the numbers": lambda x: x * torch.tensor(2.0) * float(x.max()),
    "numbers to fill and to choose, by one that needs the numbers": lambda x: torch.where(
        x > x.max().item() / 2, x.masked_fill(x > 9, torch.tensor(-1.0)), torch.zeros(())
    ),
    "indices, by one that needs the numbers": lambda x: (
        x[torch.arange(1, 5), torch.tensor([0, 3, 2, 1])] * float(x.max())
    ),
    "on the CPU and back": lambda x: torch.tensor((x.cpu() * 2).tolist()).to(x.device),
    "on the CPU in numpy and back": lambda x: torch.from_numpy(x.detach().to("cpu").numpy() * 2).to(
        x.device
    ),
    "the input, by as_tensor": lambda x: torch.as_tensor(x) * float(x.max()),
}
REFUSED_BY_A_GPU = {
    "a sum": lambda x: x + torch.ones(7),
    "a product of matrices, where meta is silent": lambda x: x @ torch.ones(7, 3),
    "gather, where meta is silent": lambda x: x.gather(1, torch.zeros(5, 1).long()),
    "a mask beside a number of the CPU": lambda x: x.masked_fill(torch.ones(7) > 0, NUMBER),
    "a result": lambda x: torch.ones(7),
    "values at indices": lambda x: torch.zeros_like(x).index_put((torch.arange(5),), torch.ones(7)),
    "into a table of the CPU": lambda x: torch.zeros(5, 7).mul_(x),
    "by one that needs the numbers": lambda x: x * torch.ones(7) * float(x.max()),
    "a table behind a number of the CPU": lambda x: x.masked_fill(x > 0, NUMBER) @ torch.ones(7, 3),
    "a table, beside a number, by one that needs the numbers": lambda x: (
        x * torch.tensor(2.0) * torch.tensor(7 * [2.0]) * float(x.max())
    ),
    "gather, by one that needs the numbers": lambda x: (
        x.gather(1, torch.zeros(5, 1).long()) * float(x.max())
    ),
    "the input on the CPU": lambda x: x.cpu() * 2,
    "the input beside itself on the CPU": lambda x: x + x.to("cpu"),
    "indices on the CPU for gather": lambda x: x.gather(1, x.argsort(1).to(device="cpu")),
    "a number as the result": lambda x: torch.tensor(float(x.max())),
}


@pytest.mark.parametrize("call", TAKEN_BY_A_GPU)
def test_what_a_gpu_takes_is_right(call):
    CHECKS["stays_on_device"](TAKEN_BY_A_GPU[call], X)


@pytest.mark.parametrize("call", REFUSED_BY_A_GPU)
def test_what_a_gpu_refuses_is_wrong_also_where_meta_is_silent(call):
    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](REFUSED_BY_A_GPU[call], X)


def test_where_nothing_was_given_no_input_is_named():
    for place in (torch.device("meta"), torch.device("cpu")):
        with pytest.raises(AssertionError, match="not on the device asked for"):
            CHECKS["stays_on_device"](
                lambda place=place: torch.ones(7, 3, device=place) @ torch.ones(3),
                needs_numbers=place.type == "cpu",
            )


def asking(course, names):
    text = CHAPTER.replace(
        '"points": 2, "schema_version": 3, "solution": false, "task": false}',
        f'"points": 2, "schema_version": 3, "solution": false, "task": false}} checks={names}',
        1,
    )
    write_chapter(course, "ch01_small", text.replace("import math", "import torch"))
    (course / "source" / "checks.py").write_text((ROOT / "source" / "checks.py").read_text())
    return find_chapter(course, "ch01")


def test_the_functions_stand_in_the_hidden_tests_and_nowhere_else(course):
    chapter = asking(course, '["keeps_dtype"]')
    check = chapter.by_grade_id["ch01_double_check"]
    text = filled(course, check, chapter.path)
    assert (
        text.index("### BEGIN HIDDEN TESTS")
        < text.index("def keeps_dtype")
        < text.index("# Property")
    )
    assert "stays_on_device" not in text
    release(course, ["ch01"])
    assert "keeps_dtype" not in student_path(course, "ch01_small").read_text()


def test_an_unknown_function_is_an_error_with_the_cell(course):
    chapter = asking(course, '["keeps_type"]')
    with pytest.raises(SourceError, match="ch01_double_check: checks asks for 'keeps_type'"):
        filled(course, chapter.by_grade_id["ch01_double_check"], chapter.path)
