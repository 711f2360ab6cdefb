"""Python values as JSON: numbers, text, containers, tensors, and references to what stays where it is.

A JSON number, string, true, false or null stands for itself; everything else is a list that starts with a tag.
"""

import base64
import collections.abc
import dataclasses
import types

import numpy
import torch

from . import figures, optimizers
from . import references as handles
from .arguments import Arguments
from .failures import BridgeError
from .tensors import NAMES, Outgoing


class Writer:
    """Writes the values of one message."""

    def __init__(self, endpoint, arguments=None):
        self.endpoint = endpoint
        self.tensors = Outgoing()
        self.arguments = arguments or Arguments()
        self.graph = []  # the tensors that carry a gradient
        self.records = []  # and their records
        self._depth = 0

    def value(self, value):
        """What stands for ``value`` in the message. Raises BridgeError for what cannot be carried."""
        kind = type(value)
        if value is None or kind in (bool, float, str):
            return value
        self._depth += 1
        if self._depth > self.endpoint.bounds.depth:
            raise BridgeError("a value is nested too deeply to carry")
        try:
            return (EXACT.get(kind) or _family(value))(self, value)
        finally:
            self._depth -= 1

    def contents(self, container):
        """What a list, dict or set holds."""
        return _pairs(self, container) if isinstance(container, dict) else _items(self, container)

    def finish(self, message):
        """Add what the values need to the message; returns its buffers."""
        self.endpoint.shared.write(self, message)
        if self.records:
            message["graph"] = self.records
        dropped = self.endpoint.handles.take_dropped()
        if dropped:
            message["dropped"] = dropped
        message["storages"], buffers = self.tensors.finish()
        return buffers


def _number(writer, value):
    value = int.__int__(value)
    if value.bit_length() > 8192:
        raise BridgeError(f"a whole number of {value.bit_length():,} bits is too large to carry")
    return value


def _tensor(writer, value):
    place = writer.arguments.place(value)
    if place is not None:
        return ["a", place]
    shared = writer.endpoint.shared.number(value)
    if shared is not None:
        return ["p", shared]
    record = writer.tensors.add(value)
    writer.arguments.add(value)
    if not value.requires_grad:
        return ["t", record]
    writer.graph.append(value)
    writer.records.append([record, value.is_leaf])
    return ["g", len(writer.graph) - 1]


def _container(tag, contents):
    def write(writer, value):
        place = writer.arguments.place(value)
        if place is not None:
            return ["a", place]
        writer.arguments.add(value)
        return [tag, contents(writer, value)]

    return write


def _items(writer, values):
    return [writer.value(value) for value in list(values)]


def _pairs(writer, mapping):
    return [[writer.value(key), writer.value(value)] for key, value in list(mapping.items())]


def _array(writer, value):
    if value.dtype.kind not in "biufc":
        return handles.write(writer, value)
    exact = numpy.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
    flat = torch.from_numpy(exact.reshape(-1).view(numpy.uint8).copy())
    return ["n", exact.dtype.str, list(value.shape), writer.tensors.add(flat)]


def _numpy_scalar(writer, value):
    if value.dtype.kind not in "biufc":
        return writer.value(value.item())
    return ["ns", _array(writer, numpy.asarray(value))]


def _dtype(writer, value):
    if value not in NAMES:
        raise BridgeError(f"{value} cannot be carried")
    return ["dt", NAMES[value]]


def _generator(writer, value):
    place = writer.arguments.place(value)
    if place is not None:
        return ["a", place]
    writer.arguments.add(value)
    return ["gen", writer.endpoint.handles.number(value), writer.tensors.add(value.get_state())]


def _object(writer, value):
    if figures.is_figure(value):
        return figures.write(writer, value)
    fields = (
        dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and writer.endpoint.handles.known(value) is None
    )
    if (
        fields and writer.endpoint.strict
    ):  # of the check: the student's side makes one of its own class of that name
        return [
            "data",
            type(value).__name__,
            [
                [field.name, writer.value(getattr(value, field.name))]
                for field in dataclasses.fields(value)
                if field.init
            ],
        ]
    return handles.write(writer, value)


_list, _dict, _set = _container("l", _items), _container("d", _pairs), _container("s", _items)

EXACT = {
    int: _number,
    list: _list,
    dict: _dict,
    set: _set,
    tuple: lambda writer, value: ["u", _items(writer, value)],
    frozenset: lambda writer, value: ["f", _items(writer, value)],
    torch.Tensor: _tensor,
    torch.nn.Parameter: _tensor,
    numpy.ndarray: _array,
    torch.Generator: _generator,
    torch.Size: lambda writer, value: ["size", [int(n) for n in value]],
    torch.dtype: _dtype,
    torch.device: lambda writer, value: ["dv", str(value)],
    complex: lambda writer, value: ["c", value.real, value.imag],
    bytes: lambda writer, value: ["b", base64.b64encode(value).decode()],
    slice: lambda writer, value: [
        "slice",
        writer.value(value.start),
        writer.value(value.stop),
        writer.value(value.step),
    ],
    range: lambda writer, value: ["range", value.start, value.stop, value.step],
    type(Ellipsis): lambda writer, value: ["..."],
}

FAMILIES = [  # for what is not exactly one of those; the first that fits
    (torch.Tensor, _tensor),
    (numpy.generic, _numpy_scalar),
    (int, _number),
    (float, lambda writer, value: float.__float__(value)),
    (str, lambda writer, value: str.__str__(value)),
    (tuple, EXACT[tuple]),
    (list, _list),
    (dict, _dict),
    (set, _set),
    (bytearray, lambda w, value: EXACT[bytes](w, bytes(value))),
    (
        (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView),
        lambda writer, value: ["l", _items(writer, value)],
    ),
    (types.MappingProxyType, lambda writer, value: _dict(writer, dict(value))),
    (torch.nn.Module, lambda writer, value: ["m", writer.endpoint.shared.announce(value)]),
    (torch.optim.Optimizer, optimizers.write),
    (BaseException, lambda writer, value: ["e", writer.endpoint.errors.write(value)]),
]


def _family(value):
    return next((write for family, write in FAMILIES if isinstance(value, family)), _object)
