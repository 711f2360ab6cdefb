"""Whatever changes in a module that both sides know is seen, however it was changed."""

import gc
import weakref

import pytest
import torch
from torch import nn

from tests.sandboxed.changes import CHANGES, CODE


@pytest.fixture
def pipe(student):
    return student(CODE)


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


def test_a_module_may_die_while_a_message_is_written(pipe, here, monkeypatch):
    sync, own = pipe.endpoint.module_sync, here["Small"]()
    kept, dying = pipe.Small(), [pipe.Small()]
    died, forget = weakref.ref(dying[0]), sync.forget

    def forget_and_let_go(numbers):
        dying.clear()
        gc.collect()
        forget(numbers)

    monkeypatch.setattr(sync, "forget", forget_and_let_go)
    pipe.look(kept)
    assert died() is None
    for module in (kept, own):
        here["change"](module, "module.linear.eval()")
    assert pipe.look(kept) == here["look"](kept) == here["look"](own)
