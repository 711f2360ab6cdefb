"""Modules on one side, their mirrors on the other."""

import copy

import pytest
import torch
from torch import nn

from autograder.sandboxed.rpc.failures import BridgeError

CODE = """
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.W_q = nn.Linear(d, k, bias=False)
        self.norm = nn.LayerNorm(k)
        self.dropout = nn.Dropout(0.5)
        self.num_heads = k
        self.register_buffer("scale", torch.tensor(2.0))
        self.register_buffer("cache", torch.zeros(2), persistent=False)
    def forward(self, x, flip=False):
        y = self.dropout(self.norm(self.W_q(x))) * self.scale
        return (-y if flip else y), self.training
    def encode(self, x):
        return self.W_q(x)

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.table.weight
    def forward(self, ids):
        return self.head(self.table(ids))

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

def double_weights(module):
    with torch.no_grad():
        module.W_q.weight.mul_(2)

def fuse(module):
    made = nn.Linear(3, 8, bias=False)
    with torch.no_grad():
        made.weight.copy_(torch.cat([module.W_q.weight, -module.W_q.weight]))
    return made

def train_step(model, batch, optimizer):
    optimizer.zero_grad()
    loss = ((model(batch[0]) - batch[1]) ** 2).mean()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    return loss.item()

def step_once(model, batch, optimizer):
    train_step(model, batch, optimizer)
    optimizer.param_groups[0]["lr"] = 0.0

def norms(blocks, x):
    blocks = nn.ModuleList(blocks)
    for block in blocks:
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.pow(2).sum() for p in block.parameters()).sqrt().item() for block in blocks]

def greedy(model, x):
    return model.decode(model.encode(x), flip=True), model.width
"""


@pytest.fixture
def pipe(student):
    return student(CODE)


def test_a_sub_module_is_of_the_class_that_it_is(pipe):
    module = pipe.Attention(3, 4)
    assert (
        isinstance(module.W_q, nn.Linear)
        and isinstance(module.norm, nn.LayerNorm)
        and isinstance(module, nn.Module)
    )
    assert isinstance(module, pipe.Attention)


def test_parameters_and_buffers_have_their_names_and_shapes(pipe):
    module = pipe.Attention(3, 4)
    assert {name: tuple(p.shape) for name, p in module.named_parameters()} == {
        "W_q.weight": (4, 3),
        "norm.weight": (4,),
        "norm.bias": (4,),
    }
    assert dict(module.named_buffers()).keys() == {"scale", "cache"} and set(
        module.state_dict()
    ) == {"scale", "W_q.weight", "norm.weight", "norm.bias"}
    assert module.W_q.bias is None and all(type(p) is nn.Parameter for p in module.parameters())


def test_plain_attributes_are_read_and_set(pipe):
    module = pipe.Attention(3, 4)
    assert module.num_heads == 4 and module.dropout.p == 0.5 and module.W_q.in_features == 3
    module.dropout.p = 0.0
    assert module.dropout.p == 0.0


def test_a_missing_attribute_is_an_attribute_error(pipe):
    module = pipe.Attention(3, 4)
    assert not hasattr(module, "nothing") and not hasattr(module, "_secret")


def test_train_and_eval_reach_the_other_side(pipe):
    module = pipe.Attention(3, 4)
    assert module(torch.ones(2, 3))[1] is True
    module.eval()
    assert module(torch.ones(2, 3))[1] is False and module.dropout.training is False


def test_weights_copied_here_count_there(pipe):
    module, x = pipe.Attention(3, 3).eval(), torch.randn(2, 3)
    with torch.no_grad():
        module.W_q.weight.copy_(torch.eye(3))
    torch.testing.assert_close(module(x)[0], 2 * nn.functional.layer_norm(x, (3,)))


@pytest.mark.parametrize(
    "change",
    [
        lambda m, w: m.W_q.weight.data.copy_(w),
        lambda m, w: setattr(m.W_q, "weight", nn.Parameter(w)),
        lambda m, w: setattr(m.W_q.weight, "data", w),
        lambda m, w: m.load_state_dict({**m.state_dict(), "W_q.weight": w}),
    ],
    ids=["data.copy_", "new parameter", "data =", "load_state_dict"],
)
def test_every_way_to_set_a_weight_counts_there(pipe, change):
    module, x = pipe.Attention(3, 4), torch.randn(2, 3)
    weight = torch.randn(4, 3)
    change(module, weight)
    torch.testing.assert_close(module.encode(x), x @ weight.T)


def test_weights_changed_there_are_changed_here(pipe):
    module = pipe.Attention(3, 4)
    before = module.W_q.weight.detach().clone()
    pipe.double_weights(module)
    torch.testing.assert_close(module.W_q.weight.detach(), 2 * before)


def test_to_changes_the_dtype_there(pipe):
    assert (
        pipe.Attention(3, 4).double()(torch.ones(2, 3, dtype=torch.float64))[0].dtype
        is torch.float64
    )


def test_modules_built_on_meta_are_on_meta(pipe):
    with torch.device("meta"):
        module = pipe.Attention(3, 4)
    assert (
        module.W_q.weight.device.type == "meta"
        and module(torch.empty(2, 3, device="meta"))[0].device.type == "meta"
    )


def test_a_module_moved_to_meta_computes_there(pipe):
    assert (
        pipe.Attention(3, 4).to("meta")(torch.empty(2, 3, device="meta"))[0].device.type == "meta"
    )


def test_tied_weights_are_one_parameter(pipe):
    module = pipe.Tied()
    assert module.head.weight is module.table.weight and len(list(module.parameters())) == 1
    with torch.no_grad():
        module.table.weight.fill_(1)
    assert module(torch.tensor([1])).tolist() == [[3, 3, 3, 3, 3]]


def test_a_module_list_is_one(pipe):
    module = pipe.Stack()
    assert len(module.blocks) == 2 and isinstance(module.blocks, nn.ModuleList)
    torch.testing.assert_close(
        module.blocks[1](module.blocks[0](torch.ones(2))), module(torch.ones(2))
    )


def test_a_module_that_a_function_returns_can_be_used(pipe):
    module, x = pipe.Attention(3, 4), torch.randn(2, 3)
    fused = pipe.fuse(module)
    assert isinstance(fused, nn.Linear) and fused.bias is None
    torch.testing.assert_close(fused(x), torch.cat([module.encode(x), -module.encode(x)], -1))


def test_keyword_arguments_arrive(pipe):
    module = pipe.Attention(3, 4).eval()
    torch.testing.assert_close(module(torch.ones(3), flip=True)[0], -module(torch.ones(3))[0])


def test_zero_grad_and_requires_grad_reach_the_other_side(pipe):
    module = pipe.Attention(3, 4).eval()
    module.W_q.requires_grad_(False)
    module(torch.ones(3))[0].sum().backward()
    assert module.W_q.weight.grad is None and module.norm.bias.grad is not None
    module.zero_grad()
    assert module.norm.bias.grad is None


def test_a_deep_copy_is_another_module(pipe):
    module = pipe.Attention(3, 4)
    other = copy.deepcopy(module)
    with torch.no_grad():
        other.W_q.weight.zero_()
    assert module.W_q.weight.abs().sum() > 0 and other.encode(torch.ones(3)).abs().sum() == 0


def test_an_optimizer_made_here_steps_there(pipe):
    module, batch = pipe.Stack(), (torch.randn(8, 2), torch.randn(8, 2))
    twin = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    with torch.no_grad():
        for mine, theirs in zip(twin.parameters(), module.parameters(), strict=False):
            mine.copy_(theirs)
    ours, theirs = (torch.optim.AdamW(m.parameters(), lr=0.1) for m in (twin, module))
    for _ in range(3):
        loss = pipe.train_step(module, batch, theirs)
        ours.zero_grad()
        expected = ((twin(batch[0]) - batch[1]) ** 2).mean()
        expected.backward()
        nn.utils.clip_grad_norm_(twin.parameters(), 0.5)
        ours.step()
        assert abs(loss - expected.item()) < 1e-6
    for mine, other in zip(twin.parameters(), module.parameters(), strict=False):
        torch.testing.assert_close(mine, other)


def test_gradients_that_a_step_left_behind_are_seen_here(pipe):
    module = pipe.Stack()
    pipe.train_step(
        module, (torch.ones(4, 2), torch.zeros(4, 2)), torch.optim.SGD(module.parameters(), lr=0.0)
    )
    assert 0 < torch.cat([p.grad.flatten() for p in module.parameters()]).norm() <= 0.5001


def test_an_optimizer_that_has_stepped_here_does_not_go_over(pipe):
    module, batch = pipe.Stack(), (torch.ones(4, 2), torch.zeros(4, 2))
    optimizer = torch.optim.AdamW(module.parameters())
    for parameter in module.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    with pytest.raises(BridgeError, match="a check made and has not stepped"):
        pipe.train_step(module, batch, optimizer)


def test_what_the_other_side_does_to_an_optimizer_lasts(pipe):
    module, batch = pipe.Stack(), (torch.ones(4, 2), torch.zeros(4, 2))
    optimizer = torch.optim.SGD(module.parameters(), lr=1.0)
    pipe.step_once(module, batch, optimizer)
    before = [p.detach().clone() for p in module.parameters()]
    pipe.step_once(module, batch, optimizer)
    assert all(torch.equal(a, b) for a, b in zip(before, module.parameters(), strict=False))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return torch.tanh(self.linear(x)), None


def test_modules_of_the_check_work_on_the_students_side(pipe):
    blocks, x = [Block() for _ in range(3)], torch.randn(2, 5, 4)
    got = pipe.norms(blocks, x)
    assert got == pytest.approx(
        [sum(p.grad.pow(2).sum() for p in block.parameters()).sqrt().item() for block in blocks]
    )


def test_methods_and_plain_attributes_of_a_checks_module_are_reached(pipe):
    class Fake(nn.Module):
        __module__ = "__main__"  # as every class that a check or a chapter defines
        width = 7

        def encode(self, x):
            return x + 1

        def decode(self, memory, flip=False):
            return -memory if flip else memory

    assert [
        value.tolist() if isinstance(value, torch.Tensor) else value
        for value in pipe.greedy(Fake(), torch.ones(2))
    ] == [[-2, -2], 7]


def test_modules_that_nobody_holds_any_more_are_forgotten_on_both_sides(pipe):
    for _ in range(20):
        pipe.Stack()(torch.ones(2))
    _ = pipe.fuse  # a message carries what is forgotten
    assert (
        len(pipe.endpoint.module_sync.layouts) <= 4 and len(pipe.endpoint.module_sync.tensors) <= 4
    )
