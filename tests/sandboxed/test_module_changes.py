"""Whatever changes in a module that both sides know is seen, however it was changed."""

from collections import defaultdict

import pytest
import torch
from torch import nn

from autograder.sandboxed.rpc.tensors import fingerprint
from autograder.sandboxed.rpc.watched import UnchangedModules, UnchangedTensors, Watched

CODE = """
import torch
from torch import nn

class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.other = nn.Linear(3, 3, bias=False)
        with torch.no_grad():
            self.linear.weight.copy_(torch.arange(9.0).reshape(3, 3))
            self.linear.bias.copy_(torch.arange(3.0))
            self.other.weight.copy_(torch.arange(9.0).reshape(3, 3) - 4)
        self.register_buffer("table", torch.arange(4.0))

def change(module, text):
    with torch.no_grad():
        exec(text, {"module": module, "torch": torch, "nn": nn})

def both(modules, x):
    return sum(module(x) for module in modules)

def look(module):
    found = [[name, one.training] for name, one in module.named_modules()]
    found += [["saved", *sorted(module.state_dict())]]
    for tensors in module.named_parameters(), module.named_buffers():
        found += [[name, one.requires_grad, str(one.dtype), one.tolist()] for name, one in tensors]
        found.append("buffers")
    return found
"""
VALUES = {
    "in place": "module.linear.weight.add_(1)",
    "one element": "module.linear.weight[2, 1] = 100",
    "past the version counter": "module.linear.weight.data.mul_(2)",
    "through numpy": "module.linear.weight.detach().numpy()[0] = 7",
    "the same memory, turned": "module.linear.weight.data = module.linear.weight.data.t()",
    "the same memory, a part": "module.linear.weight.data = module.linear.weight.data[:2]",
    "the same memory, as whole numbers":
        "module.table.data = module.table.data.view(torch.int32)",
    "other memory": "module.linear.weight.data = torch.full((3, 3), 2.0)",
    "other memory, then in place":
        "module.linear.weight.data = torch.full((3, 3), 2.0); module.linear.weight.add_(1)",
    "another dtype": "module.to(torch.float64)",
    "bfloat16": "module.to(torch.bfloat16)",
    "frozen": "module.linear.weight.requires_grad_(False)",
    "a buffer": "module.table[0] = -1",
}  # fmt: skip
STRUCTURE = {
    "training mode": "module.linear.eval()",
    "no bias": "module.linear.bias = None",
    "a new bias": "module.other.bias = nn.Parameter(torch.ones(3))",
    "a parameter in place of another":
        "module.linear.weight = nn.Parameter(module.linear.weight + 1)",
    "tied": "module.other.weight = module.linear.weight",
    "a parameter that becomes a buffer":
        "w = module.linear.bias; del module.linear.bias; module.linear.register_buffer('bias', w)",
    "a buffer that is not saved": "module._non_persistent_buffers_set.add('table')",
    "a part in place of another": "module.other = nn.LayerNorm(3)",
    "two parts exchanged": "module.linear, module.other = module.other, module.linear",
    "a part less": "del module.other",
    "a part more": "module.more = nn.LayerNorm(3)",
}  # fmt: skip
CHANGES = VALUES | STRUCTURE


@pytest.fixture
def pipe(student):
    return student(CODE)


@pytest.fixture
def here():
    names = {"__name__": "__main__"}
    exec(CODE, names)
    return names


@pytest.mark.parametrize("text", CHANGES.values(), ids=CHANGES)
def test_a_change_there_is_seen_here(pipe, here, text):
    mirror, own = pipe.Small(), here["Small"]()
    assert here["look"](mirror) == here["look"](own)
    pipe.look(mirror)  # both sides have looked at it more than once
    pipe.change(mirror, text)
    here["change"](own, text)
    assert here["look"](mirror) == here["look"](own)


@pytest.mark.parametrize("text", CHANGES.values(), ids=CHANGES)
def test_a_change_here_is_seen_there(pipe, here, text):
    own, look = here["Small"](), pipe.look
    assert look(own) == look(own) == here["look"](own)
    here["change"](own, text)
    assert look(own) == here["look"](own)


BACK = {
    "training mode": ("module.linear.eval()", "module.linear.train()"),
    "values": ("module.linear.weight.mul_(2)", "module.linear.weight.div_(2)"),
    "a buffer": ("module.table.neg_()", "module.table.neg_()"),
    "frozen": (
        "module.linear.weight.requires_grad_(False)",
        "module.linear.weight.requires_grad_(True)",
    ),
}


@pytest.mark.parametrize(("change", "back"), BACK.values(), ids=BACK)
def test_what_one_side_changes_the_other_can_change_back(pipe, here, change, back):
    """Both sides have looked at the module as it is at the end; in between it was another."""
    theirs, own = pipe.Small(), here["Small"]()
    look, before = pipe.look, here["look"](own)
    for module in (theirs, own):
        assert look(module) == before
        here["change"](module, change)
        pipe.change(module, back)
        assert look(module) == here["look"](module) == before
        pipe.change(module, change)
        here["change"](module, back)
        assert look(module) == here["look"](module) == before


@pytest.mark.parametrize("again", [False, True], ids=["the stand-in looked up once", "each time"])
def test_two_modules_can_be_handed_over_again_and_again(pipe, again):
    """What one call let go of is not forgotten before all of the next one has been read."""
    one, two = (nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 2)) for _ in range(2))
    both, x = pipe.both, torch.randn(5, 2)
    for _ in range(4):
        torch.testing.assert_close((pipe.both if again else both)([one, two], x), one(x) + two(x))
        one.to(torch.float64).to(torch.float32)
        two[1] = nn.Linear(3, 2)


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
