"""A case makes its inputs anew for each call; the house rules make cases of one base case."""

import pytest
import torch

import attention_built as ab
from attention_built.comparison import Names, difference
from attention_built.looks import observe


def test_made_up_numbers_are_the_same_everywhere_and_exact_in_every_dtype():
    made = ab.numbers(2, 3, seed=5)
    assert torch.equal(made, made.to(torch.bfloat16).float())
    assert not torch.equal(made, ab.numbers(2, 3, seed=6))
    assert ab.numbers(4, seed=1).tolist() == [0.578125, 0.90625, 0.359375, 0.171875]


def test_a_hint_is_about_its_own_case_alone():
    base = ab.case("base", torch.ones(2, 2), hint="Is it twice x?")
    made = [base.but("another"), *ab.house_rules(base, only="empty views bfloat16 inputs device")]
    assert [one.hint for one in made] == [""] * len(made)
    assert base.but("another", hint="Is it three?").hint == "Is it three?"


def test_a_generator_is_in_the_same_state_in_every_call():
    case = ab.case("drawn", generator=ab.seed(3))

    def draw(generator):
        return torch.rand(2, generator=generator)

    assert observe(draw, case) == observe(draw, case)


def test_an_unknown_look_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="look is some of values dtype .*; got 'value'"):
        ab.case("a case", look="value")


def test_an_unknown_house_rule_is_refused():
    with pytest.raises(ValueError, match="got 'axis'"):
        ab.house_rules(ab.case("base", torch.ones(2)), only="axis")


def test_axes_are_put_in_front_of_every_tensor_of_numbers_alone():
    base = ab.case("base", torch.ones(4, 3), torch.ones(3), 5)
    shapes = [[tuple(a.shape) for a in one.args[:2]] for one in ab.house_rules(base, "axes")]
    assert shapes[1] == [(2, 3, 4, 3), (2, 3, 3)]
    assert all(one.args[2] == 5 for one in ab.house_rules(base, "axes"))


def test_an_exercise_says_which_rules_do_not_hold():
    base = ab.case("base", torch.ones(4, 3))
    words = [one.words for one in ab.house_rules(base, but="axes empty")]
    assert "an empty batch" not in words and "bfloat16" in words


def test_views_hold_the_same_numbers_in_another_order_of_memory():
    base = ab.case("base", ab.numbers(2, 3, 4))
    (view,) = ab.house_rules(base, only="views")
    assert torch.equal(view.args[0], base.args[0]) and not view.args[0].is_contiguous()


def test_an_input_whose_numbers_share_their_place_is_copied():
    shared = torch.ones(1, 3).expand(2, 3)
    assert observe(lambda x: x.sum(), ab.case("expanded", shared))["values"] == [[6.0]]


class Head(torch.nn.Module):
    def __init__(self, d_in, d_out=2, tied=False, bias=True):
        super().__init__()
        self.W = torch.nn.Linear(d_in, d_out, bias=bias)
        self.V = self.W if tied else torch.nn.Linear(d_in, d_out, bias=False)
        self.norm = torch.nn.LayerNorm(d_out)

    def forward(self, x):
        return self.norm(self.W(x))

    def double(self, x):
        return x * 2


def test_a_module_gets_its_weights_and_nothing_else_to_learn():
    weights = {"W": torch.eye(2), "norm.bias": torch.ones(2)}
    made, _ = ab.module(2, 2, weights=weights).make(Head, torch.float64)
    assert made.W.weight.tolist() == [[1, 0], [0, 1]] and made.W.bias.tolist() == [0, 0]
    assert made.norm.weight.tolist() == [0, 0] and made.norm.bias.tolist() == [1, 1]
    assert made.W.weight.dtype == torch.float64


def test_without_weights_the_numbers_follow_from_the_names():
    one, _ = ab.module(2, 3).make(Head)
    two, _ = ab.module(2, 3, bias=False).make(Head)
    assert torch.equal(one.W.weight, two.W.weight) and not torch.equal(one.W.weight, one.V.weight)
    assert (one.norm.weight - 1).abs().max() <= 0.5 >= one.norm.bias.abs().max()


def test_made_up_matrices_are_as_much_larger_as_is_asked_for():
    one, _ = ab.module(2, 3).make(Head)
    two, _ = ab.module(2, 3, scale=3).make(Head)
    assert torch.equal(3 * one.W.weight, two.W.weight) and torch.equal(one.W.bias, two.W.bias)


def test_a_module_starts_as_it_starts():
    torch.manual_seed(0)
    started, _ = ab.module(2, weights={}).make(Head)
    torch.manual_seed(0)
    assert torch.equal(started.W.weight, Head(2).W.weight)


def learns(*args, **options):
    of = ab.module(*args, weights={}, **options)
    return observe(Head, ab.case("made", of=of, look="parameters"))


def test_what_a_module_learns_is_told_by_name():
    assert learns(3, bias=False)["parameters"] == {
        "V.weight": "(2, 3)",
        "W.weight": "(2, 3)",
        "norm.bias": "(2,)",
        "norm.weight": "(2,)",
    }
    assert learns(3, tied=True)["parameters"]["W.weight"] == "(2, 3), the same as V.weight"
    assert learns(0)["parameters"]["V.weight"] == "(2, 0)"  # of which nothing can be like another
    told = difference(learns(3, bias=False), learns(3), 1e-4, Names())
    assert told == "it learns one thing too many, W.bias, (2,)"


def test_steps_are_called_one_after_the_other_and_attributes_read():
    x = ab.numbers(1, 2)
    steps = [("double", x), ("training",), ("", x)]
    seen = observe(Head, ab.case("steps", of=ab.module(2), steps=steps))
    assert seen["kinds"] == ["tensor", "bool", "tensor"] and seen["said"] == [True]
    assert seen["values"][0] == (x * 2).flatten().tolist()


def test_what_is_no_table_is_refused_in_words():
    with pytest.raises(AssertionError, match="a list of rows of numbers is expected"):
        ab.rows(["one", "two"])
