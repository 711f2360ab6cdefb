"""JSON back into Python values. Each tag yields a plain type or a reference; anything else is refused.

At the trusted end the text was written by a stranger: it may claim what it likes, but it can only ever become data.
"""

import base64
import re
import types

import numpy
import torch

from . import autograd as gradients
from . import figures, optimizers
from . import references as handles
from .arguments import Arguments, digest_of
from .failures import BridgeError
from .tensors import DTYPES, Incoming

NUMPY = re.compile(r"^[<=|][biufc]\d{1,2}$")
DEVICE = re.compile(r"^(cpu|meta|cuda|mps)(:\d{1,2})?$")


class Reader:
    """Reads the values of one message, in the order in which they were written."""

    def __init__(self, endpoint, message, payload, arguments=None):
        self.endpoint = endpoint
        self.message = message
        self.tensors = Incoming(message.get("storages", []), payload, endpoint.bounds)
        self.arguments = arguments or Arguments()
        self.graph, self.leaves = [], []
        self.sources = {}  # number of an argument -> the leaf at which its gradient arrives
        self.mirrors = []  # made for this message; alive until its values are read
        self._items = self._depth = 0
        endpoint.handles.forget(message.get("dropped", []))
        endpoint.shared.read(self, message)

    def read_graph(self, node=None):
        """Make the tensors that carry a gradient: inputs of a call, or, given its node, its results."""
        records = self.message.get("graph", [])
        pairs = [record for record in records if isinstance(record, list) and len(record) == 2]
        if len(pairs) != len(records):
            raise BridgeError("a gradient is described wrongly")
        made = [self.tensors.tensor(record) for record, _ in pairs]
        if any(not (tensor.is_floating_point() or tensor.is_complex()) for tensor in made):
            raise BridgeError("a gradient of whole numbers")
        if node is None:
            imported = [
                gradients.imported(tensor, leaf is True) for tensor, (_, leaf) in zip(made, pairs)
            ]
            self.graph, self.leaves = (
                [tensor for tensor, _ in imported],
                [source for _, source in imported],
            )
        else:
            self.graph = node.results(made)

    def value(self, data):
        if data is None or isinstance(data, (bool, int, float)):
            return data
        if isinstance(data, str):
            return data.encode("utf-8", "replace").decode("utf-8")
        self._items += 1
        self._depth += 1
        if self._items > self.endpoint.bounds.items or self._depth > self.endpoint.bounds.depth:
            raise BridgeError("a value holds more, or is nested deeper, than can be carried")
        if (
            not isinstance(data, list)
            or not data
            or not isinstance(data[0], str)
            or data[0] not in TAGS
        ):
            raise BridgeError("a value of an unknown kind came over the pipe")
        try:
            return TAGS[data[0]](self, *data[1:])
        except (
            TypeError,
            ValueError,
            OverflowError,
            AttributeError,
            IndexError,
            KeyError,
        ) as error:
            raise BridgeError(
                f"a value came over the pipe in a form that makes no sense ({data[0]})"
            ) from error
        finally:
            self._depth -= 1

    def values(self, items):
        if not isinstance(items, list):
            raise BridgeError("a container came over the pipe in a form that makes no sense")
        self._items += len(items)
        return [self.value(item) for item in items]

    def fill(self, container, items):
        """Put what was read into a list, dict or set, in place of what it held."""
        container.clear()
        if isinstance(container, list):
            container.extend(self.values(items))
            return
        if len(items) > self.endpoint.bounds.mapping:
            raise BridgeError(
                f"a dict or set of {len(items):,} entries is larger than can be carried"
            )
        if isinstance(container, dict):
            container.update([(self.value(key), self.value(value)) for key, value in items])
        else:
            container.update(self.values(items))

    def argument(self, place):
        if type(place) is not int or not 0 <= place < len(self.arguments.objects):
            raise BridgeError("an answer refers to an argument that was not passed")
        return self.arguments.objects[place]


def _container(kind):
    def read(reader, items):
        made = kind()
        reader.arguments.add(made)
        reader.fill(made, items)
        reader.arguments.filled(made)
        return made

    return read


def _tensor(reader, record):
    made = reader.tensors.tensor(record)
    reader.arguments.add(made)
    return made


def _with_gradient(reader, index):
    made = reader.graph[index]
    if reader.leaves:
        reader.sources[len(reader.arguments.objects)] = reader.leaves[index]
    reader.arguments.add(made)
    return made


def _array(reader, name, shape, record):
    if not NUMPY.match(name):
        raise BridgeError("a numpy array of a kind that cannot be carried")
    flat = reader.tensors.tensor(record)
    if flat.dtype is not torch.uint8:
        raise BridgeError("a numpy array is described wrongly")
    kind = numpy.dtype(name)
    array = flat.numpy().view(numpy.uint8 if kind == bool else kind).reshape(shape)
    return array != 0 if kind == bool else array


def _device(reader, name):
    if not DEVICE.match(name):
        raise BridgeError("a device that cannot be carried")
    return torch.device(name)


def _generator(reader, number, record):
    state = reader.tensors.tensor(record)
    if number < 0:  # one of our own comes home; its numbers go on from where they are here
        own = reader.endpoint.handles.own(-number)
        if not isinstance(own, torch.Generator):
            raise BridgeError("a generator came over the pipe that is none")
        reader.arguments.add(own)
        return own
    made = reader.endpoint.handles.adopted(-number)
    if made is None:
        made = reader.endpoint.handles.adopt(-number, torch.Generator())
    if reader.endpoint.strict:  # a state chosen with care could make the next numbers anything
        made.manual_seed(digest_of(state.numpy().tobytes()))
    else:
        made.set_state(state)
    reader.arguments.add(made)
    return made


def _dataclass(reader, name, fields):
    if reader.endpoint.strict:
        raise BridgeError("an object of a class that is not known here")
    values = {key: reader.value(value) for key, value in fields}
    kind = reader.endpoint.namespace.get(name)
    try:
        return kind(**values)
    except Exception:
        return types.SimpleNamespace(**values)


def _shared(reader, number):
    return reader.endpoint.shared.tensor(-number)


TAGS = {
    "l": _container(list),
    "d": _container(dict),
    "s": _container(set),
    "u": lambda reader, items: tuple(reader.values(items)),
    "f": lambda reader, items: frozenset(reader.values(items)),
    "t": _tensor,
    "x": lambda reader, record: reader.tensors.tensor(record),
    "g": _with_gradient,
    "p": _shared,
    "n": _array,
    "gen": _generator,
    "ns": lambda reader, data: reader.value(data)[()],
    "a": lambda reader, place: reader.argument(place),
    "size": lambda reader, items: torch.Size(items),
    "dt": lambda reader, name: DTYPES[name],
    "dv": _device,
    "c": lambda reader, real, imaginary: complex(real, imaginary),
    "b": lambda reader, text: base64.b64decode(text, validate=True),
    "slice": lambda reader, start, stop, step: slice(
        reader.value(start), reader.value(stop), reader.value(step)
    ),
    "range": lambda reader, start, stop, step: range(start, stop, step),
    "...": lambda reader: Ellipsis,
    "data": _dataclass,
    "m": lambda reader, number: reader.endpoint.shared.module(-number),
    "o": handles.read,
    "e": lambda reader, data: reader.endpoint.errors.read(data),
    "opt": optimizers.read,
    "fig": figures.read,
}
