"""A part of a module wrapped for a while by a module that holds the part."""

import pytest
import torch

CODE = """
from contextlib import contextmanager
import torch
from torch import nn

class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.Linear(3, 3)

    def forward(self, x):
        return self.part(x)

class Wrapper(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return 2 * self.inner(x)

@contextmanager
def doubled(whole):
    kept = whole.part
    whole.part = Wrapper(kept)
    try:
        yield
    finally:
        whole.part = kept
"""


@pytest.mark.parametrize("times", [1, 2, 5])
def test_a_part_may_be_wrapped_for_a_while(student, times):
    pipe = student(CODE)
    whole, x = pipe.Whole(), torch.randn(2, 3)
    with torch.no_grad():
        right = whole(x)
        for _ in range(times):
            with pipe.doubled(whole):
                torch.testing.assert_close(whole(x), 2 * right)
            torch.testing.assert_close(whole(x), right)
