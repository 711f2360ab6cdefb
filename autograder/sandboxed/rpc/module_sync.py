"""Modules that live on one side and are mirrored on the other, and how both are kept the same.

Every message carries what changed since the last one, in either direction: values, gradients and
flags of parameters and buffers, training mode, and, from the side where a module lives, its
structure. A mirror is a real ``nn.Module`` with real ``nn.Parameter``s, so ``state_dict``,
``copy_``, ``to``, optimizers and tied weights work on it as they are.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from . import proxies
from .failures import BridgeError
from .references import from_sender
from .tensors import fingerprint

if TYPE_CHECKING:
    from .codec import Decoder, Encoder
    from .endpoint import Endpoint


class ModuleSync:
    """The modules and parameters that both sides know."""

    def __init__(self, endpoint: "Endpoint") -> None:
        self.endpoint = endpoint
        # number of a module -> its layout as both sides know it, None if the other does not yet
        self.layouts: dict[int, Any] = {}
        self.tensors: dict[int, Any] = {}  # number -> parameter or buffer
        self.states: dict[int | None, Any] = {}  # number -> its state as both sides know it
        self.loose: set[int] = set()  # numbers of tensors that were passed without their module
        self._died: set[int] = set()  # numbers of mirrors that were here
        self._unused = False  # whether tensors are kept that no known module holds

    # what the values of a message refer to

    def register_module(self, module: nn.Module) -> int:
        """The number of a module that is being passed."""
        number = self.endpoint.references.number(module)
        self.layouts.setdefault(number, None)
        return number

    def number(self, tensor: torch.Tensor) -> int | None:
        """The number of a parameter or buffer that both sides know, or None."""
        number = getattr(tensor, "_bridge_number", None)
        return number if number is not None and self.tensors.get(number) is tensor else None

    def tensor(self, number: Any) -> torch.Tensor:
        if type(number) is not int or number not in self.tensors:
            raise BridgeError("a reference came to a parameter that is not known here")
        return self.tensors[number]

    def module(self, number: Any) -> nn.Module:
        if type(number) is int and number < 0:
            found = self.endpoint.references.stand_in(number)
            if found is None:  # it was thought to be gone; ask for it again
                self.layouts.pop(number, None)
                found = self.endpoint.ask("describe", number)
            if isinstance(found, nn.Module):
                return found
        found = self.endpoint.references.own(number)
        if not isinstance(found, nn.Module):
            raise BridgeError("a reference came to a module that is none")
        return found

    def was_here(self, number: int) -> bool:
        """Whether the other side may think that a module which is not here any more still is."""
        return number in self.layouts or number in self._died

    def renew(self, number: Any) -> None:
        """The other side asks for a module again that it let go of too early: tell all of it once
        more.
        """
        for module in self.endpoint.references.own(number).modules():
            for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
                self.states.pop(self.number(tensor), None)
            self.layouts[self.endpoint.references.number(module)] = None

    def forget(self, numbers: Iterable[Any]) -> None:
        """One side let go of modules of the other."""
        if [number for number in numbers if self.layouts.pop(number, self) is not self]:
            self.prune()

    def register_tensor(self, tensor: torch.Tensor) -> int:
        """The number of a parameter or buffer, a new one if the other side does not know it yet."""
        number = self.number(tensor)
        if number is None:
            if isinstance(tensor, nn.parameter.UninitializedTensorMixin):  # type: ignore[attr-defined]
                raise BridgeError("a lazy module has no parameters yet and cannot be carried")
            number = self.endpoint.references.fresh()
            self.register(number, tensor)
        return number

    def register(self, number: int, tensor: Any) -> None:
        """Both sides know a parameter or buffer by this number."""
        tensor._bridge_number = number
        self.tensors[number] = tensor

    def register_alone(self, tensor: torch.Tensor) -> int:
        """Share a parameter on its own, as an optimizer refers to it."""
        number = self.register_tensor(tensor)
        self.loose.add(number)
        return number

    # encoding

    def encode(self, encoder: "Encoder", message: dict[str, Any]) -> None:
        """Add to a message what changed since the last one."""
        modules = self._new_layouts()
        if self._unused:
            self.prune()
        tensors = self._changes(encoder)
        if modules:
            message["modules"] = modules
        if tensors:
            message["tensors"] = tensors

    def _new_layouts(self) -> list[Any]:
        """What to send of the modules whose layout is not the one that both sides know."""
        waiting, found, gone = [*self.layouts], [], []
        while waiting:
            number = waiting.pop()
            module = self._live(number)
            if module is None:  # a mirror that died; the same message tells the other side so
                gone.append(number)
                continue
            before = len(self.layouts)
            layout = self.layout(module)
            if len(self.layouts) > before:
                waiting += list(self.layouts)[before:]
            if layout != self.layouts[number]:
                found.append([number, self._about(module), *layout])
                self.layouts[number] = layout
        self.forget(gone)
        self._died.update(gone)
        return found

    def _live(self, number: int) -> Any:
        return (
            self.endpoint.references.stand_in(number)
            if number < 0
            else self.endpoint.references.exports.get(number)
        )

    def _about(self, module: nn.Module) -> list[Any]:
        kind = type(module)
        return [
            "Module" if self.endpoint.strict else kind.__name__,
            proxies.claim(kind),
            self.endpoint.references.known(kind),
        ]

    def layout(self, module: nn.Module) -> list[Any]:
        unsaved = module._non_persistent_buffers_set
        return [
            module.training,
            [
                [name, None if value is None else self.register_tensor(value)]
                for name, value in module._parameters.items()
            ],
            [
                [name, None if value is None else self.register_tensor(value), name not in unsaved]
                for name, value in module._buffers.items()
            ],
            [
                [name, None if child is None else self.register_module(child)]
                for name, child in module._modules.items()
            ],
        ]

    def state(self, tensor: torch.Tensor) -> tuple[Any, ...]:
        gradient = tensor.grad if tensor.is_leaf else None
        return (
            fingerprint(tensor),
            tensor.requires_grad,
            None if gradient is None else fingerprint(gradient),
        )

    def _changes(self, encoder: "Encoder") -> list[Any]:
        changes = [self._change(encoder, number) for number in self.tensors]
        return [change for change in changes if change]

    def _change(self, encoder: "Encoder", number: int) -> list[Any] | None:
        """What to send of a tensor: nothing, or [number, kind, requires_grad, values or 0, gradient
        or None or 0].
        """
        tensor, known = self.tensors[number], self.states.get(number, (0, 0, 0))
        state = self.state(tensor)
        if state == known:
            return None
        self.states[number] = state
        values = encoder.tensors.add(tensor) if state[0] != known[0] else 0
        gradient = tensor.grad if tensor.is_leaf else None
        if gradient is not None and gradient.layout is not torch.strided:
            gradient = gradient.to_dense()
        gradient = (
            0
            if state[2] == known[2]
            else None
            if gradient is None
            else encoder.tensors.add(gradient)
        )
        return [number, isinstance(tensor, nn.Parameter), tensor.requires_grad, values, gradient]

    def decode(self, decoder: "Decoder", message: dict[str, Any]) -> None:
        """Bring this side up to date with what a message says."""
        _apply(self, decoder, message)

    def placed(self) -> set[int]:
        """Numbers of the tensors that known modules hold."""
        return {
            number
            for layout in self.layouts.values()
            if layout
            for slots in layout[1:3]
            for _, number, *_ in slots
        }

    def prune(self) -> None:
        """Forget the tensors that no known module holds. While a message is read, it may be about
        to place the other side's.
        """
        used, reading = self.loose | self.placed(), self.endpoint.references.is_reading
        unused = [number for number in self.tensors if number not in used]
        for number in [number for number in unused if number > 0 or not reading]:
            self.tensors.pop(number, None)
            self.states.pop(number, None)
        self._unused = reading


def _apply(sync: ModuleSync, decoder: "Decoder", message: dict[str, Any]) -> None:
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


def _receive(
    sync: ModuleSync,
    decoder: "Decoder",
    number: Any,
    is_parameter: Any,
    requires_grad: Any,
    values: Any,
    gradient: Any,
) -> None:
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
            sync.register(number, tensor)
        elif values != 0:
            _overwrite(sync, number, tensor, decoder.tensors.tensor(values))
        if gradient != 0:
            tensor.grad = None if gradient is None else decoder.tensors.tensor(gradient)
        if tensor.requires_grad is not requires_grad and tensor.is_leaf:
            tensor.requires_grad_(requires_grad is True)
    sync.states[number] = sync.state(tensor)


def _found(find: Callable[[int], Any], number: Any) -> Any:
    return None if number is None else find(from_sender(number))


def _overwrite(sync: ModuleSync, number: int, tensor: torch.Tensor, values: torch.Tensor) -> None:
    if sync.endpoint.strict and number > 0 and values.shape != tensor.shape:
        raise BridgeError("a parameter of the check was given another size")
    if all(getattr(values, what) == getattr(tensor, what) for what in ("shape", "dtype", "device")):
        tensor.copy_(values)
    else:
        tensor.data = values


def _ensure(
    sync: ModuleSync,
    decoder: "Decoder",
    number: int,
    slots: Any,
    name: Any,
    claimed: Any,
    kind: Any,
) -> None:
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
        known = sync.endpoint.references.registered(from_sender(kind)) if kind is not None else None
        decoder.mirrors.append(proxies.make_mirror(sync.endpoint, number, name, claimed, known))


def _arrange(
    sync: ModuleSync, number: int, training: Any, parameters: Any, buffers: Any, children: Any
) -> None:
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
