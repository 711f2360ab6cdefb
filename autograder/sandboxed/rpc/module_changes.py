"""What a message says about modules and parameters that both sides know, applied on this side."""

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .failures import BridgeError
from .modules import make_mirror
from .references import from_sender

if TYPE_CHECKING:
    from .codec import Decoder
    from .module_sync import ModuleSync


def apply(sync: "ModuleSync", decoder: "Decoder", message: dict[str, Any]) -> None:
    """Bring this side up to date with what a message says."""
    modules, tensors = message.get("modules", []), message.get("tensors", [])
    if not isinstance(modules, list) or not isinstance(tensors, list):
        raise BridgeError("modules are described wrongly")
    if len(modules) + len(sync.layouts) > sync.endpoint.bounds.modules:
        raise BridgeError("more modules than can be carried")
    try:
        for change in tensors:
            _receive(sync, decoder, *change)
        for number, about, _, parameters, buffers, _ in modules:
            slots = [*parameters, *buffers]
            _ensure(sync, decoder, from_sender(number), slots, *about)
        # all parts, before any is placed: a module that lets go of one may be its last holder here,
        # and what is asked for again must not be asked by a side that is half arranged
        for *_, children in modules:
            decoder.mirrors += [_found(sync.module, child) for _, child in children]
        for number, _, training, parameters, buffers, children in modules:
            _arrange(sync, from_sender(number), training, parameters, buffers, children)
        if tensors:
            sync.loose.update({from_sender(number) for number, *_ in tensors} - sync.placed())
    except (TypeError, ValueError, AttributeError, KeyError, RuntimeError) as error:
        raise BridgeError(f"modules are described wrongly: {type(error).__name__}") from error
    finally:  # they may be changed back to what they were when they were remembered
        if modules:
            sync.same_modules.forget()
        if tensors:
            sync.same_tensors.forget()


def _receive(sync, decoder, number, is_parameter, requires_grad, values, gradient):
    number = from_sender(number)
    tensor = sync.tensors.get(number)
    with torch.no_grad():
        if tensor is None:
            if number >= 0:
                raise BridgeError("a reference came to a parameter that is not known here")
            made = decoder.tensors.tensor(values)
            tensor = (
                nn.Parameter(made, requires_grad is True)
                if is_parameter
                else made.requires_grad_(requires_grad is True)
            )
            tensor._bridge_number = number
            sync.tensors[number] = tensor
        elif values != 0:
            _overwrite(sync, number, tensor, decoder.tensors.tensor(values))
        if gradient != 0:
            tensor.grad = None if gradient is None else decoder.tensors.tensor(gradient)
        if tensor.requires_grad is not requires_grad and tensor.is_leaf:
            tensor.requires_grad_(requires_grad is True)
    sync.states[number] = sync.state(number, tensor)


def _found(find, number):
    return None if number is None else find(from_sender(number))


def _overwrite(sync, number, tensor, values):
    if sync.endpoint.strict and number > 0 and values.shape != tensor.shape:
        raise BridgeError("a parameter of the check was given another size")
    if (values.shape, values.dtype, values.device) == (
        tensor.shape,
        tensor.dtype,
        tensor.device,
    ):
        tensor.copy_(values)
    else:
        tensor.data = values


def _ensure(sync, decoder, number, slots, name, claimed, kind):
    """There is a module for this number here; make a mirror if need be, which the decoder keeps
    alive for now.
    """
    if number > 0:
        sync.module(number)
    elif sync.endpoint.references.stand_in(number) is not None:
        return
    elif sync.was_here(number) and any(
        slot is not None and from_sender(slot) not in sync.tensors for _, slot, *_ in slots
    ):  # only what changed was told
        decoder.mirrors.append(sync.module(number))
    else:
        sync.layouts.pop(number, None)  # the new one is empty until it is arranged
        known = sync.endpoint.references.adopted(from_sender(kind)) if kind is not None else None
        decoder.mirrors.append(make_mirror(sync.endpoint, number, name, claimed, known))


def _arrange(sync, number, training, parameters, buffers, children):
    module = sync.module(number)
    module.__dict__["training"] = training is True
    own = {name: _found(sync.tensor, slot) for name, slot in parameters}
    kept = {name: _found(sync.tensor, slot) for name, slot, _ in buffers}
    inside = {name: _found(sync.module, child) for name, child in children}
    if not all(isinstance(name, str) for name in (*own, *kept, *inside)):
        raise BridgeError("modules are described wrongly")
    if number > 0 and (list(own), list(kept), list(inside)) != (
        list(module._parameters),
        list(module._buffers),
        list(module._modules),
    ):
        raise BridgeError(
            "the structure of a module that lives in the other process cannot be changed"
        )
    if (
        sync.endpoint.strict
        and number > 0
        and any(
            (old is None) != (own[name] is None) or old is not None and old.shape != own[name].shape
            for name, old in module._parameters.items()
        )
    ):
        raise BridgeError("a parameter of the check was given another size")
    module._parameters.update(own)
    module._buffers.update(kept)
    for names, table in ((own, module._parameters), (kept, module._buffers)):
        for name in [name for name in table if name not in names]:
            del table[name]
    if number < 0:
        module._modules.clear()
        module._modules.update(inside)
        module.__dict__["_non_persistent_buffers_set"] = {
            name for name, _, saved in buffers if not saved
        }
    sync.layouts[number] = sync.layout(module)
