"""Modules that live on one side and are mirrored on the other, and how both are kept the same.

Every message carries what changed since the last one, in either direction: values, gradients and flags of parameters and
buffers, training mode, and, from the side where a module lives, its structure. A mirror is a real ``nn.Module`` with real
``nn.Parameter``s, so ``state_dict``, ``copy_``, ``to``, optimizers and tied weights work on it as they are.
"""

import torch
from torch import nn

from . import proxies as remote
from .failures import BridgeError
from .modules import make_mirror
from .tensors import fingerprint


class Shared:
    """The modules and parameters that both sides know."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self._layouts = {}  # number of a module -> its layout as both sides know it, None if the other does not yet
        self._tensors = {}  # number -> parameter or buffer
        self._states = {}  # number -> its state as both sides know it
        self._loose = set()  # numbers of tensors that were passed without their module

    # what the values of a message refer to

    def announce(self, module):
        """The number of a module that is being passed."""
        number = self.endpoint.handles.number(module)
        self._layouts.setdefault(number, None)
        return number

    def number(self, tensor):
        """The number of a parameter or buffer that both sides know, or None."""
        number = getattr(tensor, "_bridge_number", None)
        return number if number is not None and self._tensors.get(number) is tensor else None

    def tensor(self, number):
        if type(number) is not int or number not in self._tensors:
            raise BridgeError("a reference came to a parameter that is not known here")
        return self._tensors[number]

    def module(self, number):
        if type(number) is int and number < 0:
            found = self.endpoint.handles.stand_in(number)
            if found is None:  # it was thought to be gone; ask for it again
                self._layouts.pop(number, None)
                self.endpoint.handles.keep(number)
                found = self.endpoint.ask("describe", -number)
            if isinstance(found, nn.Module):
                return found
        found = self.endpoint.handles.own(number)
        if not isinstance(found, nn.Module):
            raise BridgeError("a reference came to a module that is none")
        return found

    def renew(self, number):
        """The other side asks for a module again that it let go of too early: tell all of it once more."""
        for module in self.endpoint.handles.own(number).modules():
            for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
                self._states.pop(self.number(tensor), None)
            self._layouts[self.endpoint.handles.number(module)] = None

    def forget(self, number):
        """One side let go of a module of the other."""
        self._layouts.pop(number, None)
        self._prune()

    def share(self, tensor):
        """The number of a parameter or buffer, a new one if the other side does not know it yet."""
        number = self.number(tensor)
        if number is None:
            if isinstance(tensor, nn.parameter.UninitializedTensorMixin):
                raise BridgeError("a lazy module has no parameters yet and cannot be carried")
            number = self.endpoint.handles.fresh()
            tensor._bridge_number = number
            self._tensors[number] = tensor
        return number

    def keep(self, tensor):
        """Share a parameter on its own, as an optimizer refers to it."""
        number = self.share(tensor)
        self._loose.add(number)
        return number

    # writing

    def write(self, writer, message):
        """Add to a message what changed since the last one."""
        modules, waiting = [], list(self._layouts)
        while waiting:
            number = waiting.pop()
            module = self._live(number)
            if (
                module is None
            ):  # a mirror that died; the same message tells the other side to forget it
                self.forget(number)
                continue
            before = len(self._layouts)
            layout = self._layout(module)
            waiting += list(self._layouts)[before:]
            if layout != self._layouts[number]:
                modules.append([number, self._about(module), *layout])
                self._layouts[number] = layout
        tensors = [change for number in self._tensors if (change := self._change(writer, number))]
        if modules:
            message["modules"] = modules
        if tensors:
            message["tensors"] = tensors

    def _live(self, number):
        return (
            self.endpoint.handles.stand_in(number)
            if number < 0
            else self.endpoint.handles.exports.get(number)
        )

    def _about(self, module):
        kind = type(module)
        return [
            "Module" if self.endpoint.strict else kind.__name__,
            remote.claim(kind),
            self.endpoint.handles.known(kind),
        ]

    def _layout(self, module):
        unsaved = module._non_persistent_buffers_set
        return [
            module.training,
            [
                [name, None if value is None else self.share(value)]
                for name, value in module._parameters.items()
            ],
            [
                [name, None if value is None else self.share(value), name not in unsaved]
                for name, value in module._buffers.items()
            ],
            [
                [name, None if child is None else self.announce(child)]
                for name, child in module._modules.items()
            ],
        ]

    def _state(self, tensor):
        with torch.no_grad():
            gradient = tensor.grad if tensor.is_leaf else None
            return (
                fingerprint(tensor),
                tensor.requires_grad,
                None if gradient is None else fingerprint(gradient),
            )

    def _change(self, writer, number):
        """What to send of a tensor: nothing, or [number, kind, requires_grad, values or 0, gradient or None or 0]."""
        tensor, known = self._tensors[number], self._states.get(number, (0, 0, 0))
        state = self._state(tensor)
        if state == known:
            return None
        self._states[number] = state
        values = writer.tensors.add(tensor) if state[0] != known[0] else 0
        gradient = tensor.grad if tensor.is_leaf else None
        if gradient is not None and gradient.layout is not torch.strided:
            gradient = gradient.to_dense()
        gradient = (
            0
            if state[2] == known[2]
            else None
            if gradient is None
            else writer.tensors.add(gradient)
        )
        return [number, isinstance(tensor, nn.Parameter), tensor.requires_grad, values, gradient]

    # reading

    def read(self, reader, message):
        """Bring this side up to date with what a message says."""
        modules, tensors = message.get("modules", []), message.get("tensors", [])
        if not isinstance(modules, list) or not isinstance(tensors, list):
            raise BridgeError("modules are described wrongly")
        if len(modules) + len(self._layouts) > self.endpoint.bounds.modules:
            raise BridgeError("more modules than can be carried")
        try:
            for change in tensors:
                self._receive(reader, *change)
            for number, about, *_ in modules:
                self._ensure(reader, -number, *about)
            for number, _, training, parameters, buffers, children in modules:
                self._arrange(-number, training, parameters, buffers, children)
            placed = self._placed()
            self._loose.update(-number for number, *_ in tensors if -number not in placed)
        except (TypeError, ValueError, AttributeError, KeyError, RuntimeError) as error:
            raise BridgeError(f"modules are described wrongly: {type(error).__name__}") from error

    def _receive(self, reader, number, is_parameter, requires_grad, values, gradient):
        if type(number) is not int:
            raise BridgeError("a reference came to a parameter that is not known here")
        number = -number
        tensor = self._tensors.get(number)
        with torch.no_grad():
            if tensor is None:
                if number >= 0:
                    raise BridgeError("a reference came to a parameter that is not known here")
                made = reader.tensors.tensor(values)
                tensor = (
                    nn.Parameter(made, requires_grad is True)
                    if is_parameter
                    else made.requires_grad_(requires_grad is True)
                )
                tensor._bridge_number = number
                self._tensors[number] = tensor
            elif values != 0:
                self._overwrite(number, tensor, reader.tensors.tensor(values))
            if gradient != 0:
                tensor.grad = None if gradient is None else reader.tensors.tensor(gradient)
            if tensor.requires_grad is not requires_grad and tensor.is_leaf:
                tensor.requires_grad_(requires_grad is True)
        self._states[number] = self._state(tensor)

    def _overwrite(self, number, tensor, values):
        if self.endpoint.strict and number > 0 and values.shape != tensor.shape:
            raise BridgeError("a parameter of the check was given another size")
        if (values.shape, values.dtype, values.device) == (
            tensor.shape,
            tensor.dtype,
            tensor.device,
        ):
            tensor.copy_(values)
        else:
            tensor.data = values

    def _ensure(self, reader, number, name, claimed, kind):
        """There is a module for this number here; make a mirror if need be, which the reader keeps alive for now."""
        if number > 0:
            self.module(number)
        elif self.endpoint.handles.stand_in(number) is None:
            known = self.endpoint.handles.adopted(-kind) if type(kind) is int else None
            reader.mirrors.append(make_mirror(self.endpoint, number, name, claimed, known))

    def _arrange(self, number, training, parameters, buffers, children):
        module = self.module(number)
        module.__dict__["training"] = training is True
        here = {name: self.tensor(-slot) if slot is not None else None for name, slot in parameters}
        kept = {name: self.tensor(-slot) if slot is not None else None for name, slot, _ in buffers}
        inside = {
            name: self.module(-child) if child is not None else None for name, child in children
        }
        if not all(isinstance(name, str) for name in (*here, *kept, *inside)):
            raise BridgeError("modules are described wrongly")
        if number > 0 and (list(here), list(kept), list(inside)) != (
            list(module._parameters),
            list(module._buffers),
            list(module._modules),
        ):
            raise BridgeError(
                "the structure of a module that lives in the other process cannot be changed"
            )
        if (
            self.endpoint.strict
            and number > 0
            and any(
                (old is None) != (here[name] is None)
                or old is not None
                and old.shape != here[name].shape
                for name, old in module._parameters.items()
            )
        ):
            raise BridgeError("a parameter of the check was given another size")
        module._parameters.update(here)
        module._buffers.update(kept)
        for names, table in ((here, module._parameters), (kept, module._buffers)):
            for name in [name for name in table if name not in names]:
                del table[name]
        if number < 0:
            module._modules.clear()
            module._modules.update(inside)
            module.__dict__["_non_persistent_buffers_set"] = {
                name for name, _, saved in buffers if not saved
            }
        self._layouts[number] = self._layout(module)

    def _placed(self):
        """Numbers of the tensors that known modules hold."""
        return {
            number
            for layout in self._layouts.values()
            if layout
            for slots in layout[1:3]
            for _, number, *_ in slots
        }

    def _prune(self):
        used = self._loose | self._placed()
        for number in [number for number in self._tensors if number not in used]:
            self._tensors.pop(number)
            self._states.pop(number, None)
