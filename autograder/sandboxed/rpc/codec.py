"""One message's values: Python values as JSON, and JSON back into Python values.

A JSON number, string, true, false or null stands for itself; everything else is a list that starts
with a tag (tags.py has encoder and decoder of each). At the trusted end the text was written by a
stranger: it may claim what it likes, but each tag yields a plain type or a reference, and anything
else is refused.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import autograd, tags
from .arguments import Arguments
from .failures import NONSENSE, BridgeError
from .tensors import Incoming, Outgoing

if TYPE_CHECKING:
    from .endpoint import Endpoint


class Encoder:
    """Encodes the values of one message."""

    def __init__(self, endpoint: "Endpoint", arguments: Arguments | None = None) -> None:
        self.endpoint = endpoint
        self.tensors = Outgoing()
        self.arguments = arguments or Arguments()
        self.graph: list[Any] = []  # the tensors that carry a gradient
        self.records: list[Any] = []  # and their records
        self._depth = 0

    def value(self, value: Any) -> Any:
        """What stands for ``value`` in the message. Raises BridgeError where it cannot go."""
        if value is None or type(value) in (bool, float, str):
            return value
        self._depth += 1
        if self._depth > self.endpoint.bounds.depth:
            raise BridgeError("a value is nested too deeply to carry")
        try:
            place = self.arguments.place(value)
            if place is not None:
                return ["a", place]
            return tags.encoder_of(value)(self, value)
        finally:
            self._depth -= 1

    def values(self, values: Iterable[Any]) -> list[Any]:
        return [self.value(value) for value in list(values)]

    def pairs(self, mapping: Mapping[Any, Any]) -> list[list[Any]]:
        return [[self.value(key), self.value(value)] for key, value in list(mapping.items())]

    def contents(self, container: Any) -> list[Any]:
        """What a list, dict or set holds."""
        return self.pairs(container) if isinstance(container, dict) else self.values(container)

    def finish(self, message: dict[str, Any]) -> list[Any]:
        """Add what the values need to the message; returns its buffers."""
        self.endpoint.module_sync.encode(self, message)
        if self.records:
            message["graph"] = self.records
        dropped = self.endpoint.references.take_dropped()
        if dropped:
            message["dropped"] = dropped
        message["storages"], buffers = self.tensors.finish()
        return buffers


class Decoder:
    """Decodes the values of one message, in the order in which they were encoded."""

    def __init__(
        self,
        endpoint: "Endpoint",
        message: dict[str, Any],
        payload: bytes | bytearray,
        arguments: Arguments | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.message = message
        self.tensors = Incoming(message.get("storages", []), payload, endpoint.bounds)
        self.arguments = arguments or Arguments()
        self.graph: list[Any] = []
        self.leaves: list[Any] = []
        # number of an argument -> the leaf at which its gradient arrives
        self.sources: dict[int, Any] = {}
        self.mirrors: list[Any] = []  # made for this message; alive until its values are decoded
        self._items = self._depth = 0
        endpoint.references.forget(message.get("dropped", []))
        endpoint.module_sync.decode(self, message)

    def decode_graph(self, node: Any = None) -> None:
        """Make the tensors that carry a gradient: inputs of a call, or, given its node, its
        results.
        """
        records = self.message.get("graph", [])
        pairs = [record for record in records if isinstance(record, list) and len(record) == 2]
        if len(pairs) != len(records):
            raise BridgeError("a gradient is described wrongly")
        made = [self.tensors.tensor(record) for record, _ in pairs]
        if any(not (tensor.is_floating_point() or tensor.is_complex()) for tensor in made):
            raise BridgeError("a gradient of whole numbers")
        if node is not None:
            self.graph = node.results(made) if made else []
            return
        imported = [
            autograd.imported(tensor, leaf is True)
            for tensor, (_, leaf) in zip(made, pairs, strict=False)
        ]
        self.graph = [tensor for tensor, _ in imported]
        self.leaves = [source for _, source in imported]

    def value(self, data: Any) -> Any:
        """The value that stands in the message as ``data``. Raises BridgeError for what cannot be
        one.
        """
        if data is None or isinstance(data, (bool, int, float)):
            return data
        if isinstance(data, str):
            return data.encode("utf-8", "replace").decode("utf-8")
        self._items += 1
        self._depth += 1
        if self._items > self.endpoint.bounds.items or self._depth > self.endpoint.bounds.depth:
            raise BridgeError("a value holds more, or is nested deeper, than can be carried")
        decode = tags.decoder_of(data)
        try:
            return decode(self, *data[1:])
        except NONSENSE as error:
            raise BridgeError(
                f"a value came over the pipe in a form that makes no sense ({data[0]})"
            ) from error
        finally:
            self._depth -= 1

    def values(self, items: Any) -> list[Any]:
        if not isinstance(items, list):
            raise BridgeError("a container came over the pipe in a form that makes no sense")
        self._items += len(items)
        return [self.value(item) for item in items]

    def fill(self, container: Any, items: Any) -> None:
        """Put what was decoded into a list, dict or set, in place of what it held."""
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

    def argument(self, place: Any) -> Any:
        if type(place) is not int or not 0 <= place < len(self.arguments.objects):
            raise BridgeError("an answer refers to an argument that was not passed")
        return self.arguments.objects[place]
