"""From a submission to its verdicts, on the trial chapter, without a sandbox."""

import json

import pytest

from autograder.assurance.quality import grade_answer
from autograder.grading.host.processes import CheckProcess
from autograder.grading.result import Status
from tests.hostile import trial

STUB = 'def double(x):\n    """Twice x."""\n    # YOUR CODE HERE\n    raise NotImplementedError()'


@pytest.fixture
def grade(loose, course):
    """Grade the solved notebook with some answers replaced."""

    def run(**answers):
        data = trial.notebook(
            course, answers={f"ch01_{name}": text for name, text in answers.items()}
        )
        return loose.grade(trial.submission(data))

    return run


def one(result, check):
    return next(verdict for verdict in result.verdicts if verdict.check == f"ch01_{check}_check")


def test_the_solution_gets_full_marks_without_flags_or_repairs(grade):
    result = grade()
    assert (
        result.points == result.max_points == 10
        and not result.flags
        and not result.repairs
        and not result.problem
    )


def test_the_untouched_release_gets_nothing_and_is_called_not_attempted(loose, course):
    result = loose.grade(trial.submission(trial.notebook(course, solved=False)))
    assert result.points == 0 and {verdict.status for verdict in result.verdicts} == {
        Status.UNTOUCHED
    }


def test_what_is_not_implemented_for_a_dtype_is_an_error_and_no_missing_attempt(grade):
    raised = "raise NotImplementedError('\"bernoulli\" not implemented for Long')"
    for text in (f"def double(x):\n    {raised}", raised):
        verdict = one(grade(double=text), "double")
        assert verdict.status is Status.ERROR and '"bernoulli" not implemented' in verdict.message
    for text in ("def double(x):\n    raise NotImplementedError", "raise NotImplementedError()"):
        assert one(grade(double=text), "double").status is Status.UNTOUCHED


def test_verdicts_stand_in_the_order_of_the_chapter(grade):
    assert [verdict.check for verdict in grade().verdicts] == [
        "ch01_double_check",
        "ch01_weights_check",
        "ch01_weights_check_values",
        "ch01_layer_check",
        "ch01_is_linear_check",
    ]


def test_a_wrong_answer_is_told_the_message_of_the_visible_check(grade):
    verdict = one(grade(double="def double(x):\n    return x"), "double")
    assert (
        verdict.status is Status.WRONG
        and "expected twice the input" in verdict.message
        and not verdict.hidden
    )


def test_an_answer_that_fails_a_hidden_test_is_told_the_property(grade):
    verdict = one(grade(double="def double(x):\n    return 2 * x.clamp(min=0)"), "double")
    assert (
        verdict.hidden
        and verdict.failed_property == "works for negative numbers and other shapes"
        and "(2, 3, 5)" in verdict.message
    )


def test_a_message_never_holds_a_line_of_a_hidden_test(grade):
    for text in (
        "def double(x): return 3",
        "def double(x): return None",
        "def double(x): return [x]",
        "def double(x): return {}",
    ):
        verdict = one(grade(double=text), "double")
        assert "xylophone" not in verdict.message and "assert" not in verdict.message


def test_an_error_names_its_type_line_and_cell(grade):
    verdict = one(grade(double="def double(x):\n    y = x\n    return y.nothing"), "double")
    assert (
        verdict.status is Status.ERROR
        and "AttributeError (line 3 of ch01_double)" in verdict.message
    )


def test_a_cell_that_cannot_be_parsed_is_told_so(grade):
    verdict = one(grade(double="def double(x)\n    return 2"), "double")
    assert verdict.status is Status.ERROR
    assert "SyntaxError" in verdict.message and "line 1" in verdict.message


def test_an_answer_that_raises_the_stubs_error_is_not_attempted(grade):
    assert (
        one(grade(double=STUB + "\n    # I will do this later"), "double").status
        is Status.UNTOUCHED
    )


def test_part_of_an_exercise_can_be_right(grade):
    result = grade(
        weights="def weights(scores):\n    e = scores.exp()\n    return e / e.sum(-1, keepdim=True)"
    )
    assert trial.points(result) == {
        "double": 2,
        "weights": 0,
        "weights_values": 2,
        "layer": 3,
        "is_linear": 2,
    }


def test_a_name_that_is_not_defined_is_an_error_that_says_so(grade):
    verdict = one(grade(double="def twice(x):\n    return 2 * x"), "double")
    assert verdict.status is Status.ERROR and "double is not defined" in verdict.message


def test_an_input_changed_in_place_is_wrong_where_a_case_looks_at_it(grade):
    verdict = one(
        grade(
            double="def double(x):\n    with torch.no_grad():\n        x.mul_(2)\n    return x + 0"
        ),
        "double",
    )
    assert (
        verdict.status is Status.WRONG and "in place" in verdict.message + verdict.failed_property
    )


def test_an_answer_in_a_class_of_another_making_is_right(grade):
    text = (
        "class Layer(nn.Module):\n    def __init__(self, d_in, d_out):\n       "
        " super().__init__()\n        self.extra = 5\n        self.W = nn.Linear(d_in, d_out,"
        " False)\n    def forward(self, x):\n        return torch.einsum('...i,oi->...o', x + x,"
        " self.W.weight)"
    )
    assert one(grade(layer=text), "layer").status is Status.PASSED


def test_a_mistake_costs_its_own_exercise_only(grade):
    result = grade(double="def double(x):\n    return 3 * x")
    assert trial.points(result) == {
        "double": 0,
        "weights": 1,
        "weights_values": 2,
        "layer": 3,
        "is_linear": 2,
    }
    assert one(result, "layer").instead_of_earlier == ("ch01_double",)


def test_a_check_with_stand_ins_has_twice_the_time(grade, monkeypatch):
    given, run = {True: [], False: []}, CheckProcess.run

    def noted(self, asked, seconds, student):
        given[bool(asked.borrowed)].append(seconds)
        return run(self, asked, seconds, student)

    monkeypatch.setattr(CheckProcess, "run", noted)
    result = grade(double="def double(x):\n    return 3 * x")
    assert one(result, "layer").instead_of_earlier
    assert max(given[False]) <= 10 < 1.5 * 10 < min(given[True]) <= 2 * 10  # check_seconds is 10


def test_a_process_that_a_signal_without_a_name_ends_has_died(grade):
    verdict = one(grade(double="import os\nos.kill(os.getpid(), 40)"), "double")
    assert verdict.status is Status.DIED and "by signal 40" in verdict.message


def test_a_mistake_that_ends_the_process_costs_its_own_exercise_only(grade):
    result = grade(double="import os\ndef double(x):\n    os._exit(3)")
    assert trial.points(result)["layer"] == 3 and one(result, "double").status is Status.DIED


def test_a_mistake_in_an_exercise_of_its_own_is_not_excused_by_an_earlier_one(grade):
    layer = (
        "class Layer(nn.Module):\n    def __init__(self, d_in, d_out):\n       "
        " super().__init__()\n        self.W = nn.Linear(d_in, d_out, bias=False)\n    def"
        " forward(self, x):\n        return self.W(double(x)) + 1"
    )
    result = grade(double="def double(x):\n    return 3 * x", layer=layer)
    assert trial.points(result)["layer"] == 0 and "twice the input" in one(result, "layer").message


def test_an_exercise_that_does_not_lean_on_a_failed_one_is_not_tried_again(grade):
    layer = (
        "class Layer(nn.Module):\n    def __init__(self, d_in, d_out):\n       "
        " super().__init__()\n        self.W = nn.Linear(d_in, d_out, bias=False)\n    def"
        " forward(self, x):\n        return self.W(x)"
    )
    assert not one(
        grade(double="def double(x):\n    return 3 * x", layer=layer), "layer"
    ).instead_of_earlier


def test_what_is_leant_on_through_a_helper_of_the_students_own_is_found(grade, loose, course):
    data = trial.notebook(
        course,
        answers={
            "ch01_double": "def double(x):\n    return 3 * x",
            "ch01_layer": (
                "class Layer(nn.Module):\n    def __init__(self, d_in, d_out):\n       "
                " super().__init__()\n        self.W = nn.Linear(d_in, d_out, bias=False)\n    def"
                " forward(self, x):\n        return self.W(helper(x))"
            ),
        },
    )
    place = next(i for i, cell in enumerate(data["cells"]) if cell["id"] == "ch01_layer")
    data["cells"].insert(
        place,
        {
            "cell_type": "code",
            "id": "mine",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": "def helper(x):\n    return double(x)",
        },
    )
    assert trial.points(loose.grade(trial.submission(data)))["layer"] == 3


def test_a_solution_never_enters_the_students_process(grade):
    text = """class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        for name in ("__code__", "__globals__", "__closure__", "__doc__", "__wrapped__"):
            if getattr(double, name, None) and "Twice" in str(getattr(double, name)):
                raise RuntimeError("seen")
        return self.W(double(x))"""
    assert trial.points(grade(double="def double(x):\n    return 3 * x", layer=text))["layer"] == 3


def test_one_answer_can_be_graded_by_itself(loose):
    right = grade_answer(
        loose,
        "ch01_trial",
        "ch01_weights",
        "def weights(scores):\n    return torch.softmax(scores, dim=-1)",
    )
    wrong = grade_answer(
        loose,
        "ch01_trial",
        "ch01_weights",
        "def weights(scores):\n    return torch.softmax(scores, dim=0)",
    )
    assert (
        sum(v.points for v in right) == 3 and sum(v.points for v in wrong) == 0 and wrong[0].message
    )


def test_a_late_answer_can_use_earlier_reference_answers(loose):
    text = (
        "class Layer(nn.Module):\n    def __init__(self, i, o):\n        super().__init__()\n      "
        "  self.W = nn.Linear(i, o, bias=False)\n    def forward(self, x):\n        return"
        " self.W(double(x))"
    )
    assert sum(v.points for v in grade_answer(loose, "ch01_trial", "ch01_layer", text)) == 3


def test_the_same_submission_gets_the_same_result_twice(grade):
    first, second = (
        grade(weights="def weights(scores):\n    return torch.rand_like(scores)"),
        grade(weights="def weights(scores):\n    return torch.rand_like(scores)"),
    )
    assert first.verdicts == second.verdicts


def test_a_result_travels_as_json(grade):
    result = grade(double="def double(x):\n    raise ValueError('\\ud800')")
    assert type(result).from_data(json.loads(json.dumps(result.to_data()))) == result


def test_an_engine_whose_parents_were_killed_starts_new_ones(course):
    import os
    import signal

    from autograder.grading import Engine

    with Engine(course, sandbox=False) as engine:
        engine.grade(trial.submission(trial.notebook(course)))
        os.kill(engine.parents.student_server().process.pid, signal.SIGKILL)
        engine.parents.student_server().process.wait()
        assert engine.grade(trial.submission(trial.notebook(course))).points == 10
