"""What a student's code may have tampered with. The process that looks is the student's own, so a
clean answer proves nothing; what it does report is evidence for a person to judge."""

import builtins
import math
import sys
from typing import TYPE_CHECKING

import numpy
import torch

from attention_built import looks

if TYPE_CHECKING:
    from .ipython_shell import Shell


COMPARED = {
    "torch": (torch, "allclose equal isclose isnan matmul softmax tensor"),
    "torch.Tensor": (torch.Tensor, "__eq__ __ne__ allclose equal softmax __matmul__ item"),
    "torch.nn.functional": (
        torch.nn.functional,
        "softmax scaled_dot_product_attention cross_entropy",
    ),
    "torch.testing": (torch.testing, "assert_close"),
    "builtins": (
        builtins,
        "abs all any bool eval exec float isinstance len max min open print round sum type"
        " __import__ AssertionError",
    ),
    "math": (math, "isclose sqrt exp"),
    "numpy": (numpy, "allclose array_equal isclose"),
    "sys": (sys, "exit modules"),
    "attention_built.looks": (looks, "observe second_device bytes_held"),
    "attention_built.looks.Trial": (looks.Trial, "carry_out"),
}


def fingerprints() -> dict[tuple[str, str], object]:
    """What each name of COMPARED stands for now."""
    return {
        (place, name): getattr(holder, name, None)
        for place, (holder, names) in COMPARED.items()
        for name in names.split()
    }


class Baseline:
    """How things stood before any student's code ran."""

    values: dict[tuple[str, str], object] = {}
    shell: dict[str, object] = {}


def remember(shell: "Shell") -> None:
    """Note how things stand."""
    Baseline.values, Baseline.shell = fingerprints(), _hooks(shell)


def differences(shell: "Shell") -> list[str]:
    """Sentences about what is not as it was."""
    found = [
        f"{place}.{name} was replaced"
        for (place, name), value in fingerprints().items()
        if Baseline.values.get((place, name)) is not value
    ]
    found += [
        f"IPython {what} changed"
        for what, value in _hooks(shell).items()
        if Baseline.shell.get(what) != value
    ]
    return found


def _of_autoreload(hook: object) -> bool:
    """%autoreload hooks into every cell, as any notebook may."""
    return type(getattr(hook, "__self__", None)).__module__ == "IPython.extensions.autoreload"


def _hooks(shell: "Shell") -> dict[str, object]:
    return {
        "input transformers": (
            len(shell.input_transformers_post)
            + len(shell.input_transformer_manager.cleanup_transforms)
            + len(shell.input_transformer_manager.line_transforms)
            + len(shell.input_transformer_manager.token_transformers)
        ),
        "syntax transformers": len(shell.ast_transformers),
        "pre_run_cell hooks": [
            hook
            for event in ("pre_run_cell", "pre_execute")
            for hook in shell.events.callbacks[event]
            if not _of_autoreload(hook)
        ],
        "run_cell": getattr(type(shell).run_cell, "__code__", None),
    }
