"""What is seen of a call, as plain data."""

import pytest
import torch

import attention_built as ab
from attention_built.looks import observe

x = ab.numbers(2, 3, seed=1)


def seen(function, look, *args, **options):
    return observe(function, ab.case("tried", *(args or (x,)), look=look, **options))


def test_values_come_with_kinds_and_shapes():
    got = seen(lambda t: (t.sum(0), 3), "values")
    assert got["kinds"] == ["tensor", "number"] and got["shapes"] == [[3], []]
    assert got["values"] == [x.sum(0).tolist(), [3.0]]


def test_a_tensor_of_as_many_results_serves_as_a_tuple():
    got = observe(lambda t: torch.stack([t, t]), ab.case("tried", x), parts=2)
    assert got["kinds"] == ["tensor", "tensor"]


def test_an_input_that_is_changed_in_place_is_seen_and_the_case_keeps_its_own():
    before = x.clone()
    assert seen(lambda t: t.mul_(2), "inputs")["changed"] == [0]
    assert torch.equal(x, before)


def test_a_gradient_that_was_asked_for_unbidden_is_seen():
    assert seen(lambda t: t.requires_grad_() * 2, "inputs")["learns"]
    assert not seen(lambda t: t * 2, "inputs")["learns"]


def test_a_gradient_is_of_the_sum_of_squares_and_none_where_it_does_not_reach():
    got = seen(lambda t, u: 3 * t, "gradient", x, x)
    assert got["gradient"] == [{"0": (18 * x).flatten().tolist(), "1": None}]


def test_a_loop_is_seen_by_its_operations():
    long = torch.ones(300, 2)
    assert seen(lambda t: torch.stack([row * 2 for row in t]), "operations", long)["operations"]
    assert not seen(lambda t: t * 2, "operations", long)["operations"]


@pytest.mark.parametrize(
    "function, device",
    [
        (lambda t: t * 2, ["meta"]),
        (lambda t: t * torch.ones(3), ["two"]),
        (lambda t: torch.ones(3), ["cpu"]),
        (lambda t: t[t > 0], None),  # "meta" has no numbers: it cannot say
    ],
)
def test_where_results_lie_is_seen_where_meta_can_say(function, device):
    assert seen(function, "device")["device"] == device


def test_an_error_is_an_observation_and_the_stub_is_none():
    got = seen(lambda t: t @ t, "values")
    assert got["raised"] == "RuntimeError" and "cannot be multiplied" in got["text"]

    def stub(t):
        raise NotImplementedError()

    with pytest.raises(NotImplementedError):
        seen(stub, "values")
