"""A check tells the first case that differs: by the mistake that is known, or by its words."""

import json
import warnings

import pytest
import torch

import attention_built as ab
from attention_built import checks
from attention_built.comparison import Names, agree, difference

x = ab.numbers(3, 2, seed=1)
CASES = [ab.case("the base", x), ab.case("larger", 10 * x, hint="Was anything limited?")]


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
    assert told(lambda t: 2 * t + (t.abs().max() > 3)) == (
        f"larger: number 1 of y should be {20 * x[0, 0]:.4g}, it is {20 * x[0, 0] + 1:.4g}. "
        "Was anything limited?"
    )


def test_a_secret_number_is_not_told():
    cases = [CASES[0].but("the base", secret=True)]
    assert told(lambda t: 3 * t, cases=cases) == "the base: number 1 of y is not right"


def test_a_slip_that_does_not_cost_the_point_is_carried_forward(capsys):
    ab.check("99.1 carries", doubled_twice, CASES)
    apart = "99.1 carries holds for 2 cases, apart from a mistake that another check names. "
    assert capsys.readouterr().out == f"{apart}Hidden tests try others.\n"
    assert "the base" in told(doubled_twice)


def test_a_slip_is_forgiven_only_as_long_as_no_check_of_its_own_has_passed(capsys):
    ab.check("99.1 carries", doubled_twice, CASES)  # nothing is known of its own check yet
    ab.check("99.1 counts", right, CASES)
    assert told(doubled_twice, "99.1 carries").startswith("the base: number 1 of y should be")
    told(doubled_twice)  # and now it is lost
    ab.check("99.1 carries", doubled_twice, CASES)


def test_who_judges_in_the_end_is_told_of_the_slip_and_what_was_wrong(monkeypatch):
    monkeypatch.setattr(checks, "carried", [])
    ab.check("99.1 counts", right, CASES)
    ab.check("99.1 carries", doubled_twice, CASES)
    [(slips, said)] = checks.carried
    assert slips == ["doubled_twice"] and said.startswith("the base: number 1 of y should be")


def test_what_is_said_to_be_right_is_what_the_reference_gives():
    two = {"": "def f(t): return 2 * t", "slip": "def f(t): return 4 * t"}
    cases = [CASES[0], CASES[0].but("another", args=(x + 1,))]
    slipped = lambda t: 4 * t if torch.equal(t, x) else 2 * t  # noqa: E731
    with pytest.raises(AssertionError, match=f"the base: .* should be {2 * x[0, 0]:.4g}, it is"):
        ab.check("99.1 hidden", slipped, cases, like=ab.Answers({}, two)("f"))
    slipped = lambda t: 4 * t if torch.equal(t, x) else 3 * t  # noqa: E731
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
    assert "should be" in told(limited)
    points["99.1 counts"]["mistakes"].pop()
    path.write_text(json.dumps(points))
    checks._table.cache_clear()  # noqa: SLF001
    assert told(limited) == "larger: mistake 0 Or: mistake 1"


def test_hidden_cases_are_compared_with_the_reference_and_its_slips():
    texts = {"": "def f(t): return 2 * t", "slip": "def f(t): return 4 * t"}
    like = ab.Answers({}, texts)("f")
    ab.check("99.1 hidden", right, CASES, like=like)
    ab.check("99.1 hidden", doubled_twice, CASES, like=like)
    with pytest.raises(AssertionError, match="the base: number 1 of the result should be"):
        ab.check("99.1 hidden", lambda t: 3 * t, CASES, like=like)
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
