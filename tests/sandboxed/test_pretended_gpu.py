"""What a GPU takes is right on the pretended one, and what it refuses is seen."""

import pytest
import torch

import attention_built as ab
from attention_built import looks
from attention_built.comparison import Names, agree, difference
from autograder.sandboxed import pretended_gpu

X = torch.arange(35.0).reshape(5, 7)
NUMBER = torch.tensor(float("-inf"))  # one number, on the CPU, which a GPU takes
TAKEN_BY_A_GPU = {
    "a product": lambda x: 2 * x,
    "two results": lambda x: (x + 1, x.sum(-1)),
    "a mask made beside the input": lambda x: x * torch.ones(7, device=x.device),
    "one that needs the numbers": lambda x: x * float(x.max()),
    "moved there": lambda x: x * torch.ones(7).to(x.device),
    "moved there, by one that needs the numbers": lambda x: (
        x * torch.ones(7).to(x.device) * float(x.max())
    ),
    "a number of the CPU": lambda x: x * NUMBER,
    "filled with it": lambda x: x.masked_fill(x > 0, NUMBER),
    "indices of the CPU": lambda x: x[torch.tensor([4, 0])],
    "a table that meets nothing": lambda x: (x, torch.ones(7).sum().item())[0],
    "filled with a table by copy_": lambda x: torch.empty_like(x).copy_(torch.ones(7)),
    "a number made by one that needs the numbers": lambda x: x * torch.tensor(2.0) * float(x.max()),
    "numbers to fill and to choose, by one that needs the numbers": lambda x: torch.where(
        x > x.max().item() / 2, x.masked_fill(x > 9, torch.tensor(-1.0)), torch.zeros(())
    ),
    "indices, by one that needs the numbers": lambda x: (
        x[torch.arange(1, 5), torch.tensor([0, 3, 2, 1])] * float(x.max())
    ),
    "on the CPU and back": lambda x: torch.tensor((x.cpu() * 2).tolist()).to(x.device),
    "on the CPU in numpy and back": lambda x: torch.from_numpy(x.detach().to("cpu").numpy() * 2).to(
        x.device
    ),
    "the input, by as_tensor": lambda x: torch.as_tensor(x) * float(x.max()),
}
REFUSED_BY_A_GPU = {
    "a sum": lambda x: x + torch.ones(7),
    "a product of matrices, where meta is silent": lambda x: x @ torch.ones(7, 3),
    "gather, where meta is silent": lambda x: x.gather(1, torch.zeros(5, 1).long()),
    "a mask beside a number of the CPU": lambda x: x.masked_fill(torch.ones(7) > 0, NUMBER),
    "a result": lambda x: torch.ones(7),
    "values at indices": lambda x: torch.zeros_like(x).index_put((torch.arange(5),), torch.ones(7)),
    "into a table of the CPU": lambda x: torch.zeros(5, 7).mul_(x),
    "by one that needs the numbers": lambda x: x * torch.ones(7) * float(x.max()),
    "a table behind a number of the CPU": lambda x: x.masked_fill(x > 0, NUMBER) @ torch.ones(7, 3),
    "a table, beside a number, by one that needs the numbers": lambda x: (
        x * torch.tensor(2.0) * torch.tensor(7 * [2.0]) * float(x.max())
    ),
    "gather, by one that needs the numbers": lambda x: (
        x.gather(1, torch.zeros(5, 1).long()) * float(x.max())
    ),
    "the input on the CPU": lambda x: x.cpu() * 2,
    "the input beside itself on the CPU": lambda x: x + x.to("cpu"),
    "indices on the CPU for gather": lambda x: x.gather(1, x.argsort(1).to(device="cpu")),
    "a number as the result": lambda x: torch.tensor(float(x.max())),
}


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    monkeypatch.setattr(looks, "second_device", pretended_gpu.carry_out)


def told(call, *args, count=1, **options):
    """What a message says of where things are; "" where all is right."""
    seen = looks.observe(call, ab.case("a case", *args, look="device", **options), count)
    wanted = {"device": ["meta"] * len(seen.get("device") or [""])}
    return difference(wanted, seen, 0.0, Names())


@pytest.mark.parametrize("call", TAKEN_BY_A_GPU)
def test_what_a_gpu_takes_is_right(call):
    assert not told(TAKEN_BY_A_GPU[call], X)


@pytest.mark.parametrize("call", REFUSED_BY_A_GPU)
def test_what_a_gpu_refuses_is_wrong_also_where_meta_is_silent(call):
    assert "device" in told(REFUSED_BY_A_GPU[call], X)


def test_an_error_of_ones_own_does_not_excuse_code_for_the_cpu_alone():
    def cpu_only(x):
        if x.device.type == "meta":
            raise RuntimeError("Tensor.item() cannot be called on meta tensors")
        return x * torch.ones(7)

    def excused(x):
        if "meta" in (x.device.type, torch.empty(0).device.type):
            raise RuntimeError("Cannot copy out of meta tensor; no data!")
        return x * torch.ones(7)

    assert told(cpu_only, X) and told(excused, X)


def test_what_fails_on_the_cpu_too_is_no_matter_of_devices():
    def not_begun(x):
        raise NotImplementedError

    def never_fits(x):
        return x @ x * float(x.max())

    with pytest.raises(NotImplementedError):
        told(not_begun, X)
    assert not told(never_fits, X)


@pytest.mark.parametrize("place", ["meta", torch.device("meta")])
def test_where_only_a_name_is_given_what_is_made_is_there(place):
    rows = [[0.0, 1.0]]
    assert not told(lambda device: torch.tensor(rows, device=device), place)
    assert not told(lambda device: torch.tensor(rows).to(device), place)
    assert told(lambda device: torch.ones(3), place)
    assert told(lambda device: torch.ones(7, 3, device=device) @ torch.ones(3), place)


class Layer(torch.nn.Module):
    def __init__(self, buffer, decides):
        super().__init__()
        self.W, self.decides = torch.nn.Linear(7, 2), decides
        (self.register_buffer if buffer else self.__setattr__)("table", torch.ones(2))

    def forward(self, x):
        return self.W(x) * self.table * (float(x.max()) if self.decides else 1)


@pytest.mark.parametrize("decides", [True, False])
def test_a_module_moves_with_its_buffers_and_without_plain_attributes(decides):
    assert not told(Layer, X, of=ab.module(True, decides))
    assert told(Layer, X, of=ab.module(False, decides))


def test_over_there_it_is_the_same(student):
    there = student(
        "import torch\n"
        "from attention_built import looks\n"
        "from autograder.sandboxed import pretended_gpu\n"
        "looks.second_device = pretended_gpu.carry_out\n"
        "def right(x): return x * torch.tensor(7 * [2.0]).to(x.device) * float(x.max())\n"
        "def wrong(x): return x.gather(1, torch.zeros(5, 1).long())\n"
    )
    assert not told(there.right, X) and told(there.wrong, X)


def test_a_student_cannot_say_that_two_devices_met_elsewhere(student):
    """What it raises counts against it alone."""
    there = student("def f(x): raise RuntimeError('on the same device, or not')")
    seen = looks.observe(there.f, ab.case("a case", X, look="device"))
    assert not agree({"device": ["meta"]}, seen, 0.0)
