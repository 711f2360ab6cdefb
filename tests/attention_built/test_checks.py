"""A check tells the first case that differs: by the mistake that is known, or by its words."""

import json
import re
import warnings

import pytest
import torch

import attention_built as ab
from attention_built import checks
from attention_built.comparison import Names, agree, difference
from tests.conftest import ROOT

x = ab.numbers(3, 2, seed=1)
HINT = "Was anything limited?"
CASES = [ab.case("the base", x, hint="Is it twice x?"), ab.case("larger", 10 * x, hint=HINT)]


def right(t):
    return 2 * t


def doubled_twice(t):
    return 4 * t


def limited(t):
    return (2 * t).clamp(-5, 5)


def record(function):
    return [checks.observe(function, one) for one in CASES]


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    known = {
        "form": "x -> y",
        "wanted": record(right),
        "slips": {"doubled_twice": record(doubled_twice)},
        "mistakes": [[1, record(limited)[1], "large numbers were limited"]],
    }
    known["costs"] = {"doubled_twice": ["99.1 counts"]}
    points = {"99.1 carries": known, "99.1 counts": {**known, "slips": {}}}
    (tmp_path / "ch99.json").write_text(json.dumps(points))
    monkeypatch.setattr(checks, "TABLES", tmp_path)
    monkeypatch.setattr(checks, "_passed", set())
    checks._table.cache_clear()  # noqa: SLF001
    yield
    checks._table.cache_clear()  # noqa: SLF001


def told(function, point="99.1 counts", cases=CASES):
    with pytest.raises(AssertionError) as error:
        ab.check(point, function, cases)
    return str(error.value)


def test_a_right_answer_passes_and_is_told_how_many_cases_hold(capsys):
    ab.check("99.1 counts", right, CASES)
    assert capsys.readouterr().out == "99.1 counts holds for 2 cases. Hidden tests try others.\n"


def test_a_check_leaves_random_numbers_as_they_were():
    torch.manual_seed(0)
    expected = torch.randn(3)
    torch.manual_seed(0)
    ab.check("99.1 counts", lambda t: right(t) + 0 * torch.randn(()), CASES)
    assert torch.equal(torch.randn(3), expected)
    torch.manual_seed(0)
    told(lambda t: torch.randn(t.shape))
    assert torch.equal(torch.randn(3), expected)


def test_a_known_mistake_is_told_in_its_own_words():
    assert told(limited) == "larger: large numbers were limited"


def test_an_unknown_mistake_is_told_by_the_case_with_wanted_got_and_hint():
    due = 20 * x[0, 0]
    numbers = f"number 1 of y should be {due:.4g}, it is {due + 1:.4g}"
    assert told(lambda t: 2 * t + (t.abs().max() > 3)) == f"larger: {numbers}. {HINT}"
    due = 2 * x[0, 0]
    numbers = f"number 1 of y should be {due:.4g}, it is {due + 1:.4g}"
    assert told(lambda t: 2 * t + 1) == f"the base: {numbers}"  # nothing sets the base case apart


def test_a_relation_is_told_before_numbers_and_without_a_hint():
    assert told(lambda t: 3 * t) == "the base: y: every number is 1.5 times too large"
    assert told(lambda t: t * (2 if t.abs().max() < 3 else 4)) == (
        "larger: y: every number is 2 times too large"
    )
    assert told(lambda t: t) == "the base: y: it equals x"
    shape = "of shape (2, 3), not (3, 2)"
    assert told(lambda t: 2 * t.T) == f"the base: y: axes 0 and 1 have changed places, {shape}"


def test_a_case_that_asks_may_turn_numbers_round():
    cases = [CASES[0].but("asked", ask=lambda f, t: f(t))]
    assert "should be" in told(lambda t: 2 * t.flip(0), cases=cases)
    assert told(lambda t: 4 * t, cases=cases) == "asked: y: every number is 2 times too large"


@pytest.mark.parametrize("changes", [{"within": 0.05}, {"then": lambda rows: rows.view(3, 2)}])
def test_of_numbers_that_are_drawn_no_relation_is_told(changes):
    flat = (lambda t: 4 * t.flatten()) if "then" in changes else (lambda t: 4 * t)
    assert "number 1 of y should be" in told(flat, cases=[CASES[0].but("drawn", **changes)])


def test_a_secret_number_is_not_told():
    cases = [CASES[0].but("the base", secret=True, hint="Is it twice x?")]
    said = "the base: number 1 of y is not right"
    assert told(lambda t: 3 * t, cases=cases) == f"{said}. Is it twice x?"  # all that can be told


def test_a_tensor_that_is_as_long_as_results_are_many_is_not_told_row_by_row():
    two = {"": "def f(t): return 2 * t, t.sum(1)"}
    like = ab.Answers({}, two)("f")
    case = ab.case("two rows", x[:2])
    for alone in (lambda t: 2 * t, lambda t: t.sum(1)):
        with pytest.raises(AssertionError) as error:
            ab.check("99.1 hidden", alone, [case], "t -> twice, sums", like=like)
        says = "two rows: twice, sums should come back (tensor, tensor); got tensor"
        assert str(error.value) == says


def test_the_dtype_of_the_input_was_lost_only_where_it_is_wanted():
    like = ab.Answers({}, {"": "def f(t): return t.double()"})("f")
    said = ": the dtype of the input was lost"
    for given, lost in ((x.double(), said), (x, ""), (x.long(), "")):
        with pytest.raises(AssertionError) as error:
            case = ab.case("it", given, look="dtype")
            ab.check("99.1 hidden", lambda t: t.half(), [case], like=like)
        wanted = "torch.float64 expected, got torch.float16"
        assert str(error.value) == f"it: the result: {wanted}{lost}"


def test_a_slip_that_does_not_cost_the_point_is_carried_forward(capsys):
    ab.check("99.1 carries", doubled_twice, CASES)
    apart = "99.1 carries holds for 2 cases, apart from a mistake that another check names. "
    assert capsys.readouterr().out == f"{apart}Hidden tests try others.\n"
    assert "the base" in told(doubled_twice)


def test_a_slip_is_forgiven_only_as_long_as_no_check_of_its_own_has_passed(capsys):
    ab.check("99.1 carries", doubled_twice, CASES)  # nothing is known of its own check yet
    ab.check("99.1 counts", right, CASES)
    assert told(doubled_twice, "99.1 carries").startswith("the base: y: every number is 2 times")
    told(doubled_twice)  # and now it is lost
    ab.check("99.1 carries", doubled_twice, CASES)


def test_who_judges_in_the_end_is_told_of_the_slip_and_what_was_wrong(monkeypatch):
    monkeypatch.setattr(checks, "carried", [])
    ab.check("99.1 counts", right, CASES)
    ab.check("99.1 carries", doubled_twice, CASES)
    [(slips, said)] = checks.carried
    assert slips == ["doubled_twice"] and said.startswith("the base: y: every number is 2 times")


def test_what_is_said_to_be_right_is_what_the_reference_gives():
    two = {"": "def f(t): return 2 * t", "slip": "def f(t): return 4 * t + 1"}
    cases = [CASES[0], CASES[0].but("another", args=(x + 1,))]
    slipped = lambda t: 4 * t + 1 if torch.equal(t, x) else 2 * t  # noqa: E731
    with pytest.raises(AssertionError, match=f"the base: .* should be {2 * x[0, 0]:.4g}, it is"):
        ab.check("99.1 hidden", slipped, cases, like=ab.Answers({}, two)("f"))
    slipped = lambda t: 4 * t + 1 if torch.equal(t, x) else 3 * t + 1  # noqa: E731
    with pytest.raises(AssertionError, match=f"another: .* should be {2 * x[0, 0] + 2:.4g}, it"):
        ab.check("99.1 hidden", slipped, cases, like=ab.Answers({}, two)("f"))


def test_who_has_the_slip_in_one_case_must_have_it_in_all():
    assert told(lambda t: 4 * t.clamp(-5, 5), "99.1 carries").startswith("larger: ")
    assert told(lambda t: 4 * t if t.abs().max() > 3 else 2 * t, "99.1 carries").startswith(
        "larger"
    )


def test_what_many_mistakes_give_is_told_by_the_case(tmp_path):
    path = tmp_path / "ch99.json"
    points = json.loads(path.read_text())
    outcome = record(limited)[1]
    points["99.1 counts"]["mistakes"] = [[1, outcome, f"mistake {n}"] for n in range(3)]
    path.write_text(json.dumps(points))
    assert told(limited) == "larger: y: 5 of 6 numbers are wrong; 5 stands there"
    points["99.1 counts"]["mistakes"].pop()
    path.write_text(json.dumps(points))
    checks._table.cache_clear()  # noqa: SLF001
    assert told(limited) == "larger: either mistake 0, or mistake 1"


def test_hidden_cases_are_compared_with_the_reference_and_its_slips():
    texts = {"": "def f(t): return 2 * t", "slip": "def f(t): return 4 * t"}
    like = ab.Answers({}, texts)("f")
    ab.check("99.1 hidden", right, CASES, like=like)
    ab.check("99.1 hidden", doubled_twice, CASES, like=like)
    with pytest.raises(AssertionError, match="the base: number 1 of the result should be"):
        ab.check("99.1 hidden", lambda t: 3 * t + 1, CASES, like=like)
    with pytest.raises(ZeroDivisionError):  # a reference that cannot run compares with nothing
        like = ab.Answers({}, {"": "def f(t): 1 / 0"})("f")
        ab.check("99.1 hidden", lambda t: 2 * t, CASES, like=like)


def test_a_case_is_tried_once_however_many_hidden_checks_begin_with_it(capsys):
    tried = []

    def counting(t):
        tried.append(t.sum().item())
        return 2 * t

    more = CASES[0].but("another", args=(x + 1,))
    like = ab.Answers({}, {"": "def f(t): return 2 * t"})("f")
    ab.check("99.1 counts", counting, CASES)
    ab.check("99.1 counts", counting, [CASES[0], more], like=like)
    assert len(tried) == len(CASES) + 1
    ab.check("99.1 counts", counting, CASES)  # a student's own check tries all again
    assert len(tried) == 2 * len(CASES) + 1
    with pytest.raises(AssertionError, match="the base"):  # another answer has not been seen
        ab.check("99.1 counts", lambda t: 3 * t, [CASES[0], more], like=like)


def test_a_warning_in_an_answer_is_no_fault_of_the_check(recwarn):
    ab.check("99.1 counts", lambda t: warnings.warn("old", stacklevel=1) or 2 * t, CASES)
    assert not recwarn


def test_a_check_without_a_record_says_what_to_do():
    with pytest.raises(LookupError, match="uninstall -y attention_built attention-autograder"):
        ab.check("99.1 unknown", right, CASES)


def test_beside_prints_wanted_and_got_and_never_raises(capsys):
    ab.beside([1.0], lambda: torch.tensor([0.99999]))
    ab.beside(1, lambda: 1 / 0)

    def stub():
        raise NotImplementedError()

    ab.beside(1, stub)
    assert capsys.readouterr().out.splitlines() == [
        "wanted [1.0]   got [1.0]",
        "wanted 1   got ZeroDivisionError: division by zero",
        "wanted 1   got nothing yet: an answer above is missing",
    ]


@pytest.mark.parametrize(
    "wanted, seen, within, same",
    [
        ([1.0], [1.00009], 1e-4, True),
        ([1.0], [1.0002], 1e-4, False),
        ([1e4], [1e4 + 0.9], 1e-4, True),  # a share of what is expected
        ([0.0], [9e-5], 1e-4, True),  # below 1, absolutely
        ([float("nan")], [float("nan")], 1e-4, True),
        ([1.0], [float("nan")], 1e-4, False),
        ([float("inf")], [1e30], 1e-4, False),
        ([1.0], [1.0, 7.0], 1e-4, True),  # what was recorded is the beginning
    ],
)
def test_numbers_agree_within_a_tolerance(wanted, seen, within, same):
    assert agree({"values": [wanted]}, {"values": [seen]}, within) is same


def test_no_result_is_called_of_something():
    """For messages say "number 1 of" it."""
    sources = {path.name: path.read_text("utf-8") for path in ROOT.glob("source/*/ch*.py")}
    assert len(sources) > 13
    named = re.compile(r'"[^"\n]*->([^"\n]*, *| *)of [^"\n]*"')
    assert [name for name, text in sources.items() if named.search(text)] == []


def test_two_numbers_are_told_with_the_digits_that_tell_them_apart():
    said = difference({"values": [[2.0]]}, {"values": [[2.00000003]]}, 1e-10, Names())
    assert said == "the result should be 2, it is 2.00000003"


def test_a_gradient_of_zero_is_as_good_as_none():
    wanted, zero = {"gradient": [{"0": None}]}, {"gradient": [{"0": [0.0, 0.0]}]}
    assert agree(wanted, zero, 1e-4) and agree(zero, wanted, 1e-4)
    lost = difference({"gradient": [{"0": [1.0]}]}, wanted, 1e-4, Names("x -> y"))
    assert lost == "no gradient reaches x from y: something was detached on the way"


def test_what_is_expected_comes_from_the_solutions_of_earlier_exercises_too():
    around = {"double": lambda t: 3 * t}  # a student's, and wrong
    earlier = "def double(t): return 2 * t"
    like = ab.Answers(around, {"": "def f(t): return double(t)"}, earlier=earlier)("f")
    ab.check("99.1 hidden", right, CASES, like=like)


@pytest.mark.parametrize("gradient", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0]])
def test_a_gradient_of_fewer_or_more_numbers_is_another_one(gradient):
    wanted = {"gradient": [{"0": [1.0, 2.0, 3.0]}]}
    seen = {"gradient": [{"0": gradient}]}
    same = gradient[:3] == [1.0, 2.0, 3.0]  # what is recorded may be the beginning
    assert agree(wanted, seen, 1e-5) == same
    assert not agree(wanted, {"gradient": []}, 1e-5), "a result less is another one"
