"""Gradients through calls in both directions."""

import pytest
import torch
from torch import nn

ATTENTION = """
import torch
def attention(q, k, v):
    w = (q @ k.mT / k.shape[-1] ** 0.5).softmax(-1)
    return w @ v, w
"""


def reference(q, k, v):
    weights = (q @ k.mT / k.shape[-1] ** 0.5).softmax(-1)
    return weights @ v, weights


def inputs(seed=1):
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(2, 3, 5, generator=generator, dtype=torch.float64, requires_grad=True)
        for _ in range(3)
    ]


def test_backward_fills_the_gradients_of_the_inputs(student):
    mine, theirs = inputs(), inputs()
    student(ATTENTION).attention(*theirs)[0].pow(2).sum().backward()
    reference(*mine)[0].pow(2).sum().backward()
    for one, other in zip(mine, theirs, strict=False):
        torch.testing.assert_close(one.grad, other.grad)


def test_autograd_grad_works_for_some_of_the_inputs(student):
    mine, theirs = inputs(), inputs()
    got = torch.autograd.grad(student(ATTENTION).attention(*theirs)[1].max(), [theirs[0]])[0]
    torch.testing.assert_close(got, torch.autograd.grad(reference(*mine)[1].max(), [mine[0]])[0])


def test_an_input_that_was_not_used_has_no_gradient(student):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    student("def f(x, y): return x * 2").f(x, y).sum().backward()
    assert x.grad.tolist() == [2, 2] and y.grad is None


def test_gradients_flow_on_into_what_was_computed_here(student):
    x = torch.ones(3, requires_grad=True)
    student("def f(h): return h ** 2").f(3 * x).sum().backward()
    assert x.grad.tolist() == [18, 18, 18]


def test_a_detached_result_requires_no_gradient(student):
    assert (
        not student("def f(x): return x.detach() + 1")
        .f(torch.ones(2, requires_grad=True))
        .requires_grad
    )


def test_gradients_reach_tensors_inside_containers(student):
    parts = [torch.ones(2, requires_grad=True) for _ in range(3)]
    student("import torch\ndef f(d): return torch.stack(d['parts']).cumsum(0)").f({"parts": parts})[
        -1
    ].sum().backward()
    assert all(part.grad.tolist() == [1, 1] for part in parts)


def test_the_same_graph_can_be_used_twice(student):
    x = torch.ones(2, requires_grad=True)
    y = student("def f(x): return x ** 3").f(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [6, 6]


def test_a_gradient_in_place_on_a_result_of_here_is_allowed_there(student):
    x = torch.ones(2, requires_grad=True)
    hidden = x * 3
    out = student("def f(h):\n    h.mul_(2)\n    return h").f(hidden)
    assert out.tolist() == [6, 6]
    out.sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_changing_a_leaf_that_requires_a_gradient_in_place_is_the_same_error_as_here(student):
    with pytest.raises(RuntimeError, match="leaf"):
        student("def f(x): x.add_(1)").f(torch.ones(2, requires_grad=True))


def test_the_student_can_differentiate_through_a_function_of_the_check(student):
    code = """
import torch
def leaks(attention):
    x = torch.randn(1, 6, 4, requires_grad=True)
    out, _ = attention(x)
    out[0, 2].sum().backward()
    return bool(x.grad[0, 3:].abs().max() > 0)
"""
    pipe = student(code)
    assert pipe.leaks(lambda x: (x.cumsum(1), None)) is False
    assert pipe.leaks(lambda x: (x + x.sum(1, keepdim=True), None)) is True


def test_the_student_can_use_autograd_functional_through_a_callback(student):
    code = "import torch\ndef jac(g, x): return torch.autograd.functional.jacobian(g, x)"
    torch.testing.assert_close(
        student(code).jac(lambda x: x**2, torch.tensor([1.0, 3.0])),
        torch.diag(torch.tensor([2.0, 6.0])),
    )


def test_gradients_flow_through_student_then_check_then_student(student):
    pipe = student("def f(g, x): return g(x * 2) * 5")
    x = torch.ones(2, requires_grad=True)
    pipe.f(lambda y: y**2, x).sum().backward()
    assert x.grad.tolist() == [40, 40]


def test_gradients_of_parameters_arrive_at_their_mirrors(student):
    pipe = student(
        "from torch import nn\nclass M(nn.Module):\n    def __init__(s):\n       "
        " super().__init__(); s.a = nn.Linear(3, 4); s.b = nn.Linear(4, 2)\n    def forward(s, x):"
        " return s.b(s.a(x).tanh())"
    )
    module, x = pipe.M(), torch.randn(5, 3)
    module(x).pow(2).sum().backward()
    copy = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for mine, theirs in zip(copy.parameters(), module.parameters(), strict=False):
            mine.copy_(theirs)
    copy(x).pow(2).sum().backward()
    for mine, theirs in zip(copy.parameters(), module.parameters(), strict=False):
        torch.testing.assert_close(mine.grad, theirs.grad)


def test_gradients_on_meta_have_shapes(student):
    x = torch.empty(2, 3, device="meta", requires_grad=True)
    student("def f(x): return x.softmax(-1)").f(x).sum().backward()
    assert x.grad.shape == (2, 3) and x.grad.device.type == "meta"


def test_integers_beside_a_result_with_a_gradient_arrive(student):
    values, places = student("def f(x): return x.max(dim=-1)").f(
        torch.tensor([[1.0, 5.0]], requires_grad=True)
    )
    assert values.requires_grad and places.tolist() == [1]
