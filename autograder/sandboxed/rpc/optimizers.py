"""An optimizer made on one side works on the parameters of the other.

It is passed as its class, its settings and its state, with its parameters by number; a real
optimizer of the same class over the other side's own parameters stands for it there, and what
changed comes back with the answer.

Needed by one exercise, ch09_train_step, whose function gets a model and an optimizer and steps it.
(Checks that step an optimizer themselves, as ch08_gpt does, need only the parameters, which
``module_sync`` keeps the same on both sides.)
"""

from typing import TYPE_CHECKING, Any

import torch

from .failures import BridgeError
from .references import from_sender

if TYPE_CHECKING:
    from .arguments import Arguments
    from .codec import Decoder, Encoder
    from .endpoint import Endpoint


def encode(encoder: "Encoder", optimizer: torch.optim.Optimizer) -> list[Any]:
    kind = type(optimizer)
    if getattr(torch.optim, kind.__name__, None) is not kind:
        raise BridgeError(
            f"an optimizer of class {kind.__name__} cannot be carried, only those of torch.optim"
        )
    number = encoder.endpoint.references.number(optimizer)
    encoder.arguments.add(optimizer)
    return ["opt", number, kind.__name__, *_contents(encoder, optimizer)]


def decode(decoder: "Decoder", number: Any, name: str, groups: Any, state: Any) -> Any:
    endpoint, local = decoder.endpoint, from_sender(number)
    if local > 0 or endpoint.strict:
        raise BridgeError("an optimizer of the student cannot be carried")
    kind = getattr(torch.optim, name, None)
    known: Any = torch.optim.Optimizer
    if not isinstance(kind, type) or not issubclass(kind, known) or kind is known:
        raise BridgeError(
            f"an optimizer of class {name} cannot be carried, only those of torch.optim"
        )
    found = endpoint.references.registered(local)
    if found is None:
        parameters = [{"params": _parameters(endpoint, group)} for group in groups]
        found = endpoint.references.register(local, kind(parameters, lr=0.0))
    decoder.arguments.add(found)
    update(decoder, found, groups, state)
    return found


def changes(encoder: "Encoder", arguments: "Arguments") -> list[Any]:
    """[place, groups, state] of every optimizer among the arguments of a call that has run."""
    return [
        [place, *_contents(encoder, value)]
        for place, value in enumerate(arguments.objects)
        if isinstance(value, torch.optim.Optimizer)
    ]


def _contents(encoder: "Encoder", optimizer: torch.optim.Optimizer) -> tuple[list[Any], list[Any]]:
    alone = encoder.endpoint.module_sync.register_alone
    groups = [
        [
            [alone(parameter) for parameter in group["params"]],
            [[key, _setting(encoder, value)] for key, value in group.items() if key != "params"],
        ]
        for group in optimizer.param_groups
    ]
    state = [
        [alone(parameter), [[key, _setting(encoder, value)] for key, value in values.items()]]
        for parameter, values in optimizer.state.items()
    ]
    return groups, state


def _setting(encoder: "Encoder", value: Any) -> Any:
    """A tensor of the optimizer's own is no argument of the call: it may change in place."""
    return (
        ["x", encoder.tensors.add(value)]
        if isinstance(value, torch.Tensor)
        else encoder.value(value)
    )


def update(decoder: "Decoder", optimizer: torch.optim.Optimizer, groups: Any, state: Any) -> None:
    """Give an optimizer the settings and the state that came."""
    if len(groups) != len(optimizer.param_groups):
        raise BridgeError("an optimizer came back with other groups of parameters")
    for group, (numbers, settings) in zip(optimizer.param_groups, groups, strict=False):
        group["params"] = _parameters(decoder.endpoint, (numbers, settings))
        group.update(
            {
                key: decoder.value(value)
                for key, value in settings
                if isinstance(key, str) and key != "params"
            }
        )
    optimizer.state.clear()
    for number, values in state:
        held = {key: decoder.value(value) for key, value in values if isinstance(key, str)}
        optimizer.state[decoder.endpoint.module_sync.tensor(from_sender(number))] = held


def _parameters(endpoint: "Endpoint", group: Any) -> list[torch.Tensor]:
    return [endpoint.module_sync.tensor(from_sender(number)) for number in group[0]]
