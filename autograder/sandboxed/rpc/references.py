"""References to objects that stay where they are: numbers on the wire, stand-ins on the other side.

Each side counts its own objects 1, 2, 3 …; locally a negative number means an object of the other
side. A number is written as the sender knows it, and ``from_sender`` turns it into what the
receiver knows.
"""

import contextlib
import functools
import types
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from . import proxies
from .failures import BridgeError, clean

if TYPE_CHECKING:
    from .codec import Decoder, Encoder
    from .endpoint import Endpoint


ROUTINES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    functools.partial,
)


def from_sender(number: Any) -> int:
    """A number as this side knows it, from how the other side wrote it: what is one's own there is
    the other's here.
    """
    if type(number) is not int or number == 0:
        raise BridgeError("a reference came to an object that cannot be")
    return -number


class References:
    """What this side lets the other refer to, and what it knows of the other."""

    def __init__(self, endpoint: "Endpoint") -> None:
        self.endpoint = endpoint
        self.exports: dict[int, Any] = {}  # number -> object of this side
        # id of object -> number, both for exports and for what was registered
        self._numbers: dict[int, int] = {}
        # number -> object made here for one of the other side (generators, optimizers, classes)
        self._kept: dict[int, Any] = {}
        self._stand_ins: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._dropped: list[int] = []
        self._reading = 0  # messages that are being read, one inside the other
        self._last = 0

    def known(self, value: Any) -> int | None:
        """The number of an object that the other side knows already, or None."""
        number = proxies.number_of(value, self.endpoint)
        return self._numbers.get(id(value)) if number is None else number

    def number(self, value: Any) -> int:
        """The number of an object, a new one if need be."""
        number = self.known(value)
        if number is None:
            if len(self.exports) >= self.endpoint.bounds.exports:
                raise BridgeError("too many objects were passed over the pipe")
            number = self.fresh()
            self.exports[number] = value
            self._numbers[id(value)] = number
        return number

    def fresh(self) -> int:
        """A number that stands for nothing yet."""
        self._last += 1
        return self._last

    def own(self, number: Any) -> Any:
        """The object of this side that the other one means."""
        if type(number) is not int or number not in self.exports:
            raise BridgeError("a reference came to an object that is not known here")
        return self.exports[number]

    def is_own(self, value: Any) -> bool:
        """Whether this very object of this side was handed to the other."""
        number = self._numbers.get(id(value))
        return number is not None and self.exports.get(number) is value

    def stand_in(self, number: Any) -> Any:
        return self._kept.get(number) or self._stand_ins.get(number)

    def registered(self, number: Any) -> Any:
        return self._kept.get(number)

    def register(self, number: Any, value: Any) -> Any:
        """Keep ``value`` as what stands here for the other side's object ``number``."""
        if type(number) is not int or number >= 0:
            raise BridgeError("a reference came to an object that cannot be")
        self._kept[number] = value
        self._numbers[id(value)] = number
        return value

    def register_weakly(self, number: Any, value: Any) -> Any:
        """Remember a stand-in for as long as it lives, then tell the other side that it is gone."""
        self._stand_ins[number] = value
        weakref.finalize(value, self._drop, number).atexit = False
        return value

    def _drop(self, number: int) -> None:
        self._dropped.append(number)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """A message is read. It may refer to what died here before it came, and what is asked in
        the meantime must not tell the other side to forget that.
        """
        self._reading += 1
        try:
            yield
        finally:
            self._reading -= 1

    @property
    def is_reading(self) -> bool:
        return self._reading > 0

    def take_dropped(self) -> list[int]:
        """Numbers of the stand-ins that died since the last message, and were not made anew."""
        if self.is_reading:
            return []
        dropped = [number for number in self._dropped if self.stand_in(number) is None]
        self._dropped = []
        return dropped

    def forget(self, numbers: Any) -> None:
        """The other side has no use any more for these objects of ours."""
        if not isinstance(numbers, list):
            raise BridgeError("a message holds something that should be whole numbers")
        known = [one for one in dict.fromkeys(map(from_sender, numbers)) if one in self.exports]
        for number in known:
            value = self.exports.pop(number)
            self._numbers.pop(id(value), None)
        self.endpoint.module_sync.forget(known)


def encode(encoder: "Encoder", value: Any) -> list[Any]:
    """A reference to any object; the first time, and for what may have been dropped since, with
    what is needed to stand in.

    Names of what a check made are not told: they are part of its text.
    """
    table, strict = encoder.endpoint.references, encoder.endpoint.strict
    number = table.number(value)
    if number < 0:
        return ["o", number]
    if isinstance(value, type):
        is_module = issubclass(value, torch.nn.Module)
        return [
            "o",
            number,
            "class",
            "Class" if strict else value.__name__,
            is_module,
            proxies.claim(value) if is_module else None,
        ]
    if isinstance(value, ROUTINES):
        return [
            "o",
            number,
            "function",
            "function" if strict else str(getattr(value, "__name__", "function")),
        ]
    kind = type(value)
    protocols = [short for short, method in proxies.PROTOCOLS.items() if hasattr(kind, method)]
    return [
        "o",
        number,
        "object",
        "Object" if strict else kind.__name__,
        protocols,
        table.known(kind),
    ]


def decode(decoder: "Decoder", number: Any, kind: str | None = None, *about: Any) -> Any:
    """The object that a reference means: our own, or a stand-in for one of the other side."""
    endpoint, local = decoder.endpoint, from_sender(number)
    if local > 0:
        return endpoint.references.own(local)
    found = endpoint.references.stand_in(local)
    if found is not None:
        return found
    if kind == "class":
        name, is_module, claimed = about
        return endpoint.references.register(
            local, proxies.stand_in_class(endpoint, local, _name(name), is_module is True, claimed)
        )
    if kind == "function":
        return endpoint.references.register_weakly(
            local, proxies.RemoteFunction(endpoint, local, _name(*about))
        )
    if kind == "object":
        name, protocols, known = about
        base = endpoint.references.registered(from_sender(known)) if known is not None else None
        made = proxies.object_class(
            _name(name), tuple(p for p in proxies.PROTOCOLS if p in protocols), base
        )
        return endpoint.references.register_weakly(local, made(endpoint, local))
    raise BridgeError("a reference came to an object that is not known here")


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise BridgeError("an object without a name")
    return clean(name, 80)
