"""One end of the pipe: asks the other side to do something, and does what the other side asks.

Calls nest: while one side waits for an answer it serves what the other one asks for in between.
``strict`` is the trusted end, which believes nothing.
"""

import socket
import threading
from collections.abc import Callable
from typing import Any

import torch

from . import autograd, call_context, frames, operations, recording
from .arguments import CONTAINERS, layout, reseed
from .codec import Decoder, Encoder
from .failures import BridgeError, Errors, Garbled, Gone, clean, making_sense
from .module_sync import ModuleSync
from .references import References, from_sender


class Endpoint:
    """A conversation over a socket. namespace: the names that the other side may look up."""

    def __init__(
        self,
        sock: socket.socket,
        strict: bool,
        bounds: frames.Bounds | None = None,
        namespace: dict[str, Any] | None = None,
        cells: dict[str, str] | None = None,
        run_cell: Callable[[str, str], BaseException | None] | None = None,
        access: operations.Access | None = None,
    ) -> None:
        self.sock, self.strict = sock, strict
        self.bounds = bounds or (frames.Bounds() if strict else frames.WIDE)
        self.namespace = namespace if namespace is not None else {}
        self.cells, self.run_cell = cells, run_cell
        self.access = access or operations.Access()
        self.taken = None if strict else frames.TAKEN  # by the other end
        self.references, self.module_sync = References(self), ModuleSync(self)
        self.errors = Errors(self)
        self.context = call_context.CallContext(self)
        self.open, self.garbled = True, False
        self._thread = threading.get_ident()
        self._calls = 0

    # asking

    def ask(self, operation: str, *args: Any, **kwargs: Any) -> Any:
        """Have the other side do something; returns the value or raises the error that comes."""
        if not self.open:
            raise BridgeError(
                "what comes from the other process cannot be understood"
                if self.garbled
                else "this object belongs to an earlier check"
            )
        if threading.get_ident() != self._thread:
            raise BridgeError("only the main thread can call over the pipe")
        observed = torch._C._len_torch_dispatch_stack() > 0
        with call_context.hidden_from_modes():
            encoder = Encoder(self)
            message = {
                "do": operation,
                "around": self.context.surroundings(observed),
                "args": [encoder.value(value) for value in args],
                "kwargs": [[name, encoder.value(value)] for name, value in kwargs.items()],
            }
            buffers = encoder.finish(message)
        frames.send(self.sock, message, buffers, bounds=self.taken)
        answer, payload = self._answer()
        with call_context.hidden_from_modes(), self.references.reading(), making_sense():
            value, error = self._decode_answer(encoder, answer, payload)
        if observed:
            recording.replay(answer.get("made", []))
        if error is not None:
            raise error
        if operation == "next" and answer.get("stop") is True:
            raise StopIteration
        return value

    def _answer(self) -> tuple[dict[str, Any], bytearray]:
        """The next answer; requests that come before it are served."""
        while True:
            try:
                message, payload = frames.receive(self.sock, self.bounds)
            except Garbled:
                self.open, self.garbled = False, True
                raise
            if "do" not in message:
                return message, payload
            self.perform(message, payload)

    def _decode_answer(
        self, encoder: Encoder, answer: dict[str, Any], payload: bytearray
    ) -> tuple[Any, BaseException | None]:
        """(value, None) or (None, error), after bringing up to date what the call changed."""
        decoder = Decoder(self, answer, payload, encoder.arguments)
        if "refused" in answer:
            return None, BridgeError(clean(answer["refused"], 400))
        decoder.decode_graph(self._node(decoder, *answer.get("node", (None, [], []))))
        self._take_changes(decoder, answer)
        if "error" in answer:
            return None, self.errors.decode(answer["error"])
        return decoder.value(answer.get("value")), None

    def _node(
        self, decoder: Decoder, number: Any, places: Any, numbers: Any
    ) -> autograd.RemoteNode:
        inputs = [decoder.argument(place) for place in places]
        inputs += [self.module_sync.tensor(from_sender(number)) for number in numbers]
        local = None if number is None else from_sender(number)
        node = autograd.RemoteNode(
            self, local, [value for value in inputs if isinstance(value, torch.Tensor)]
        )
        return node if local is None else self.references.register_weakly(local, node)

    def _take_changes(self, decoder: Decoder, answer: dict[str, Any]) -> None:
        """Changes made over there to what was passed: in tensors, containers and generators."""
        for place, record in answer.get("written", []):
            self._overwrite(decoder.argument(place), decoder.tensors.tensor(record))
        for place, items in answer.get("refilled", []):
            self._refill(decoder, decoder.argument(place), items)
        for place, state in answer.get("drawn", []):
            reseed(decoder.argument(place), state)
        if "drew" in answer:
            self.context.drew(answer["drew"])

    def _overwrite(self, tensor: Any, values: torch.Tensor) -> None:
        if not isinstance(tensor, torch.Tensor):
            raise BridgeError("an answer changes something that cannot be changed")
        with torch.no_grad():
            if layout(values) == layout(tensor) and not any(
                s == 0 and n > 1 for s, n in zip(tensor.stride(), tensor.shape, strict=False)
            ):
                tensor.copy_(values)
            else:
                tensor.data = values

    def _refill(self, decoder: Decoder, container: Any, items: Any) -> None:
        """Give a container what it holds over there."""
        if not isinstance(container, CONTAINERS):
            raise BridgeError("an answer changes something that cannot be changed")
        decoder.fill(container, items)

    # serving

    def serve(self) -> None:
        """Do what the other side asks until it closes the pipe."""
        while True:
            try:
                message, payload = frames.receive(self.sock, self.bounds)
            except Gone:
                return
            self.perform(message, payload)

    def perform(self, message: dict[str, Any], payload: bytes | bytearray) -> None:
        """Do one thing that was asked, and answer."""
        self._calls += 1
        try:
            if self._calls > self.bounds.calls:
                raise BridgeError("calls are nested too deeply")
            answer, buffers = self._perform(message, payload)
        except Gone:
            raise
        except Exception as error:
            reason = "" if isinstance(error, BridgeError) else f"{type(error).__name__}: "
            refusal = reason + (clean(error, 200) if reason else f"{error}")
            answer, buffers = {"refused": refusal}, []
        finally:
            self._calls -= 1
        try:
            frames.send(self.sock, answer, buffers, bounds=self.taken)
        except Gone:
            raise
        except BridgeError as error:
            frames.send(self.sock, {"refused": f"{error}"})

    def _perform(
        self, message: dict[str, Any], payload: bytes | bytearray
    ) -> tuple[dict[str, Any], list[Any]]:
        with call_context.hidden_from_modes(), self.references.reading(), making_sense():
            decoder = Decoder(self, message, payload)
            decoder.decode_graph()
            args = decoder.values(message.get("args"))
            operation = operations.find(message["do"], self, args)
            kwargs = {str(name): decoder.value(value) for name, value in message["kwargs"]}
        answer: dict[str, Any] = {}
        with self.context.surrounded(message.get("around")) as made:
            before = self.context.random_state()
            try:
                value = operation(self, *args, **kwargs)
            except Gone:
                raise
            except BaseException as error:
                answer["error"], value = self.errors.encode(error), None
            after = self.context.random_state()
        if after != before:
            answer["drew"] = after
        with call_context.hidden_from_modes():
            encoder = Encoder(self, decoder.arguments)
            self._note_changes(decoder, encoder, answer)
            if value is operations.STOP:
                answer["stop"], value = True, None
            answer["value"] = encoder.value(value)
            if encoder.graph:
                answer["node"] = autograd.export_node(self, encoder.graph, decoder.sources)
            if made is not None:
                answer["made"] = made
            return answer, encoder.finish(answer)

    def _note_changes(self, decoder: Decoder, encoder: Encoder, answer: dict[str, Any]) -> None:
        """Write down what the call did to its arguments."""
        arguments = decoder.arguments
        written = [
            [place, encoder.tensors.add(arguments.objects[place])]
            for place in arguments.written(decoder.tensors.changed())
        ]
        refilled = [
            [place, encoder.contents(arguments.objects[place])]
            for place in arguments.changed_containers()
        ]
        drawn = arguments.changed_generators()
        changes = {"written": written, "refilled": refilled, "drawn": drawn}
        answer.update({key: value for key, value in changes.items() if value})
