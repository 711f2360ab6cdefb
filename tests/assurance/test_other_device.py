"""The chapters on a machine with a GPU, as far as that can be tried without one: every tensor is
where its partners are.
"""

import json

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograder.course.carry import filled_chapter
from autograder.course.chapter import solution_path
from autograder.course.model import definitions

from ..apart import apart
from ..conftest import EVERYTHING, ROOT, real_chapters
from .other_device import gpu, run_on_other_device


@pytest.fixture
def x():
    with gpu():
        yield torch.arange(6.0, device="cuda").reshape(2, 3)


@pytest.mark.parametrize(
    "mix, complaint",
    [
        (lambda x: x + torch.ones(2, 3), "same device"),
        (lambda x: torch.cat([x, torch.ones(1, 3)]), "same device"),
        (lambda x: nn.Linear(3, 2)(x), "same device"),
        (lambda x: nn.Linear(3, 2).to("cuda")(torch.ones(2, 3)), "same device"),
        (lambda x: torch.ones(5)[x[0].long()], "indices should be"),
        (
            lambda x: torch.multinomial(x + 1, 1, generator=torch.Generator()),
            "'cuda' device type for generator",
        ),
        (
            lambda x: torch.rand(3, device="cuda", generator=torch.Generator()),
            "'cuda' device type for generator",
        ),
        (
            lambda x: torch.rand(3, generator=torch.Generator("cuda")),
            "'cpu' device type for generator",
        ),
        (lambda x: x.numpy(), "to numpy"),
    ],
)
def test_what_cuda_refuses_is_refused(x, mix, complaint):
    with pytest.raises((RuntimeError, TypeError), match=complaint):
        mix(x)


def test_what_cuda_allows_is_allowed(x):
    assert (
        x.device != torch.device("cpu")
        and (x + 1).device
        == x.device
        == torch.zeros_like(x).device
        == torch.arange(3, device=x.device).device
    )
    assert (
        x.sum().item() == 15
        and x.tolist() == [[0, 1, 2], [3, 4, 5]]
        and x.cpu().numpy().shape == (2, 3)
    )
    assert torch.equal((x * torch.tensor(2.0)).cpu(), 2 * torch.arange(6.0).reshape(2, 3)), (
        "a number of the CPU may join in"
    )
    dice = torch.Generator(x.device).manual_seed(3)
    assert torch.multinomial(x + 1, 1, generator=dice).device == x.device
    assert f"{x.sum():.1f}" == "15.0"
    assert x[torch.tensor([1])].tolist() == [[3, 4, 5]], "indices may lie on the CPU"
    x[0, 1:] = 7
    assert x.tolist() == [[0, 7, 7], [3, 4, 5]] and torch.tensor([3], device="cuda").tolist() == [3]


def test_a_model_learns_there_and_keeps_its_ties(x):
    tied = nn.Sequential(nn.Embedding(7, 4), nn.LayerNorm(4), nn.Linear(4, 7, bias=False))
    tied[2].weight = tied[0].weight
    tied.to("cuda")
    ids, optimizer = (
        torch.tensor([1, 2, 3], device="cuda"),
        torch.optim.AdamW(tied.parameters(), lr=0.1),
    )
    losses = []
    for _ in range(20):
        loss = F.cross_entropy(tied(ids), ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert (
        losses[-1] < losses[0] / 2
        and tied[2].weight is tied[0].weight
        and tied[0].weight.grad.device == x.device
    )


def test_a_cell_that_mixes_devices_is_named(tmp_path):
    sources = [
        "import torch\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'",
        "x = torch.ones(3, device=device)\nprint(bool(x.sum() == 3))",
        "x + torch.ones(3)",
        "print(x.is_cpu)",
    ]
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": source,
            "outputs": [{"name": "stdout", "text": "True\n"}] if "print" in source else [],
        }
        for source in sources
    ]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    mixed, other = run_on_other_device(path)
    assert mixed.startswith("code cell 3, RuntimeError: Expected all tensors") and other.startswith(
        "code cell 4 says 'False"
    )


def test_a_chapter_that_stays_on_the_cpu_is_tried_elsewhere_all_the_same(tmp_path):
    sources = ['import torch\ndevice = "cpu"', "torch.ones(3, device=device) + torch.ones(3)"]
    cells = [
        {"cell_type": "code", "metadata": {"tags": ["setup"]}, "source": source, "outputs": []}
        for source in sources
    ]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    (mixed,) = run_on_other_device(path)
    assert mixed.startswith("code cell 2, RuntimeError: Expected all tensors")


TRAINS = """import torch
device = 'cuda' if torch.cuda.is_available() else 'cpu'
w, steps = torch.ones(3, device=device, requires_grad=True), 0
for step in range(100):
    (w * step).sum().backward()
    steps += 1
"""


@pytest.mark.parametrize("whole, rounds", [(True, 100), (False, 7)])
def test_a_loop_that_trains_may_be_cut_short(tmp_path, whole, rounds):
    sources = [TRAINS, f"1 / (steps == {rounds})", "assert steps == 100", "w + torch.ones(3)"]
    cells = [
        {"cell_type": "code", "metadata": {}, "source": source, "outputs": []} for source in sources
    ]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    (mixed,) = run_on_other_device(path, whole)
    assert mixed.startswith("code cell 4, RuntimeError: Expected all tensors")


@pytest.mark.parametrize("name", real_chapters())
def test_the_set_up_alone_says_which_device_it_is_so_that_every_cell_can_run_again(name):
    code = filled_chapter(ROOT, name).code
    says = [cell.id for cell in code if "device" in definitions(cell.text)]
    assert says in ([], [code[0].id])


@pytest.mark.slow
@pytest.mark.proof("device")
@pytest.mark.parametrize("name", real_chapters())
def test_a_chapter_runs_where_there_is_a_gpu(name):
    assert apart(run_on_other_device, solution_path(ROOT, name), EVERYTHING) == []
