"""A case of a check (attention_built), carried out where the student's code is, in one message.

What goes over are the arguments; no word of the case, and not what is looked at. What comes back is
what calls, and requests for gradients, would bring one by one, and is believed no more: values,
shapes and dtypes are read off the tensors here, and what a call did to its inputs from what came
of them. That few operations were made, that nothing asks for gradients, how many bytes an object
holds, and what a module has to learn, by name and shape, is the student's process speaking, as
ever.
"""

from itertools import chain
from typing import TYPE_CHECKING, Any

import torch

from attention_built.cases import Module
from attention_built.looks import Came, Trial, is_numbers

from .failures import BridgeError

if TYPE_CHECKING:
    from .endpoint import Endpoint


def ask(endpoint: "Endpoint", subject: Any, trial: Trial) -> Came:
    """Have the other side carry out a trial of ``subject``, an object of its own or two."""
    of = trial.of and [trial.of.args, trial.of.keywords]
    about = (trial.calls, of, trial.device, trial.parts, trial.gradient, trial.counted)
    answer = endpoint.ask("carry_out", subject, *about)
    if not _fits(answer, trial):
        raise BridgeError("the results of a case came in a form that makes no sense")
    return Came(*answer)


def carry_out(endpoint: "Endpoint", subject: Any, calls: Any, of: Any, *about: Any) -> list[Any]:
    """Carry out a trial here."""
    made = of and Module(*of[0], **of[1])
    came = Trial(calls, made, *about).carry_out(subject)
    return list(vars(came).values())


def _fits(answer: Any, trial: Trial) -> bool:
    """Whether an answer holds as much as was asked for, of the types and sizes that it can have."""
    if not isinstance(answer, list) or len(answer) != len(Came.__annotations__):
        return False
    results, learns, operations, about, gradients = answer
    if type(learns) is not bool or type(operations) is not int or not _lists(results):
        return False
    if not _lists(about) or not all(map(_names_one, about)) or bool(about) > bool(trial.of):
        return False
    leaves = [list(value.shape) for value in trial.inputs if value.requires_grad]
    leaves = leaves + [shape for _, shape, _ in about] if trial.gradient else []
    reached = sum(map(is_numbers, chain(*results))) if leaves else 0
    return (
        len(results) == len(trial.calls)
        and _lists(gradients)
        and [len(part) for part in gradients] == [len(leaves)] * reached
        and all(
            one is None or (isinstance(one, torch.Tensor) and list(one.shape) == shape)
            for part in gradients
            for one, shape in zip(part, leaves, strict=True)
        )
    )


def _names_one(about: list[Any]) -> bool:
    """Whether this is the name of a parameter, its shape, and what it is like."""
    return [type(one) for one in about] == [str, list, str] and all(
        type(length) is int for length in about[1]
    )


def _lists(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, list) for one in value)
