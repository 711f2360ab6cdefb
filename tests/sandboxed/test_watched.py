"""One look at tensors and modules that were looked at before tells whether they changed."""

from collections import defaultdict

import pytest
import torch
from torch import nn

from autograder.sandboxed.rpc.tensors import fingerprint
from autograder.sandboxed.rpc.watched import UnchangedModules, UnchangedTensors, Watched
from tests.sandboxed.changes import STRUCTURE, VALUES


@pytest.mark.parametrize("text", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64], ids=str)
def test_a_watched_tensor_has_the_fingerprint_of_any_other(here, text, dtype):
    if dtype is not torch.float32 and ("numpy" in text or "view" in text or "bfloat16" in text):
        pytest.skip("of float32 only")
    module = here["Small"]().to(dtype)
    tensors = [*module.parameters(), *module.buffers()]
    watched = [Watched() for _ in tensors]
    before = [one.fingerprint(tensor) for one, tensor in zip(watched, tensors, strict=True)]
    assert before == [fingerprint(tensor) for tensor in tensors]
    here["change"](module, text)
    after = [one.fingerprint(tensor) for one, tensor in zip(watched, tensors, strict=True)]
    assert after == [fingerprint(tensor) for tensor in tensors]
    assert (after != before) is (text != VALUES["frozen"])


def remembered(tensors):
    """UnchangedTensors that have just looked at some."""
    values, gradients, unchanged = defaultdict(Watched), defaultdict(Watched), UnchangedTensors()
    for number, tensor in tensors.items():
        values[number].fingerprint(tensor)
        if tensor.grad is not None:
            gradients[number].fingerprint(tensor.grad)
    unchanged.remember(tensors, values, gradients)
    return unchanged


@pytest.mark.parametrize("text", VALUES.values(), ids=VALUES)
def test_one_look_at_many_tensors_finds_that_one_changed(here, text):
    module = here["Small"]()
    tensors = dict(enumerate([*module.parameters(), *module.buffers()]))
    unchanged, more = remembered(tensors), {**tensors, 100: nn.Parameter(torch.ones(2))}
    assert unchanged.still(tensors) == unchanged.still(more) == tensors.keys()
    assert not unchanged.still({1: tensors[1]})
    here["change"](module, text)
    assert not unchanged.still(dict(enumerate([*module.parameters(), *module.buffers()])))


@pytest.mark.parametrize(
    "text",
    [
        "linear.weight.grad.add_(1)",
        "linear.weight.grad = None",
        "other.weight.grad = torch.ones(3, 3)",
        "linear.weight.grad = linear.weight.grad.clone().t()",
    ],
)
def test_one_look_at_many_tensors_finds_that_a_gradient_changed(here, text):
    module = here["Small"]()
    module.linear.weight.grad = torch.arange(9.0).reshape(3, 3)
    tensors = dict(enumerate(module.parameters()))
    unchanged = remembered(tensors)
    assert unchanged.still(tensors) == tensors.keys()
    here["change"](module, f"linear, other = module.linear, module.other; {text}")
    assert not unchanged.still(tensors)


@pytest.mark.parametrize("text", STRUCTURE.values(), ids=STRUCTURE)
def test_one_look_at_many_modules_finds_that_one_changed(here, text):
    module, unchanged = here["Small"](), UnchangedModules()
    known = dict(enumerate(module.modules()))
    unchanged.remember(known)
    assert unchanged.still(known.keys()) == unchanged.still({*known, 9}) == known.keys()
    here["change"](module, text)
    assert not unchanged.still(known.keys())


def test_a_module_that_is_gone_is_not_unchanged(here):
    module, unchanged = here["Small"](), UnchangedModules()
    unchanged.remember({1: module})
    assert unchanged.still({1, 2}) == {1}
    del module
    assert not unchanged.still({1, 2})


@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(()),
        torch.ones(0, 3),
        torch.ones(2, 3, device="meta"),
        torch.ones(6)[::2],
        torch.ones(6, dtype=torch.bfloat16)[::2],
        torch.ones(1).expand(5),
        torch.ones(3, dtype=torch.complex64).conj(),
        torch.ones(3, dtype=torch.complex64).conj().imag,
        torch.eye(3).to_sparse(),
        nn.Parameter(torch.ones(3)).to_sparse(),
    ],
    ids=lambda tensor: f"{tuple(tensor.shape)} {tensor.dtype} {tensor.layout}",
)
def test_a_tensor_of_any_kind_can_be_watched(tensor):
    watched = Watched()
    assert [watched.fingerprint(tensor) for _ in range(3)] == [fingerprint(tensor)] * 3


def test_a_watched_tensor_on_new_memory_lets_the_old_go():
    tensor, watched = nn.Parameter(torch.ones(5)), Watched()
    watched.fingerprint(tensor)
    for value in range(50):  # the allocator gives old addresses away again
        tensor.data = torch.full((5,), float(value))
        assert watched.fingerprint(tensor) == fingerprint(tensor)
