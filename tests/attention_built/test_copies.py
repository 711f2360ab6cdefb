"""A copy shares nothing that a call could change, however deep it lies."""

import functools

import pytest
import torch

import attention_built as ab
from attention_built.copies import copied
from tests.attention_built.vandal import spoil


def closure(table, names):
    def read(x=table, *, more=names):
        return (x * 2).tolist(), sorted(more), table.tolist(), list(names)

    return read


def notebook_function():
    names = {"__name__": "__main__", "torch": torch}
    exec(
        "table = [torch.ones(2)]\n"
        "def inner(): return table[0].tolist(), len(table)\n"
        "def outer(): return inner()",
        names,
    )
    return names["outer"], names


def test_of_what_a_function_holds_and_takes_by_default():
    read = closure(torch.ones(2), {"a": 1})
    before = read()
    spoil(copied(read))
    assert read() == before


def test_of_what_a_function_of_a_notebook_names_through_another_one():
    outer, names = notebook_function()
    made = copied(outer)
    assert made() == ([1.0, 1.0], 1)
    spoil(made.__globals__["table"])
    assert not made.__globals__["table"] and len(names["table"]) == 1
    assert outer() == ([1.0, 1.0], 1)


@pytest.mark.parametrize(
    "value",
    [
        [1, [2.0, {"a": [3]}]],
        {"a": {"b": (torch.ones(2), [1])}},
        functools.partial(closure(torch.ones(2), {"a": 1}), torch.ones(3), more={"b": 2}),
        ab.case("a case", [torch.ones(2)], of=ab.module(4, weights={"W": torch.ones(2)})),
        torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.LayerNorm(2)),
        torch.nn.Parameter(torch.ones(2)),
        torch.ones(3).expand(2, 3),
        torch.ones(2, 3).T,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_done_to_a_copy_is_not_done_to_the_value(value):
    before = shown(value)
    made = copied(value)
    assert shown(made) == before
    spoil(made)
    assert shown(value) == before


def shown(value):
    """All that lies in a value, as text."""
    if isinstance(value, torch.Tensor):
        return f"{type(value)} {value.tolist()} {value.requires_grad} {value.dtype}"
    if isinstance(value, functools.partial):
        return f"{value()}"
    if isinstance(value, torch.nn.Module):
        return f"{value} {shown(list(value.parameters()))}"
    if isinstance(value, (list, tuple)):
        return f"{[shown(one) for one in value]}"
    if isinstance(value, dict):
        return f"{[(key, shown(one)) for key, one in value.items()]}"
    return shown(vars(value)) if hasattr(value, "__dict__") else f"{value}"


def test_what_is_one_object_stays_one_also_in_a_circle():
    shared = torch.ones(1)
    ring = [shared, shared]
    ring.append(ring)
    made = copied(ring)
    assert made[0] is made[1] is not shared and made[2] is made is not ring


def test_a_generator_goes_on_from_where_it_is_and_leaves_the_old_one_there():
    old = torch.Generator().manual_seed(3)
    torch.rand(1, generator=old)
    drawn = torch.rand(2, generator=copied(old))
    assert torch.equal(torch.rand(2, generator=old), drawn)


def test_classes_and_generators_that_run_stay_themselves():
    numbers = (n for n in [1, 2])
    assert copied(torch.nn.Linear) is torch.nn.Linear and copied(numbers) is numbers
