"""One end of the pipe: asks the other side to do something, and does what the other side asks.

Calls nest: while one side waits for an answer it serves what the other one asks for in between. ``strict`` is the trusted
end, which believes nothing.
"""

import contextlib
import threading

import torch

from . import autograd as gradients
from . import call_context as ambient
from . import frames, operations, optimizers
from .arguments import layout, stir
from .decode import Reader
from .encode import Writer
from .exceptions import Errors
from .failures import BridgeError, Garbled, Gone, clean
from .module_sync import Shared
from .references import Handles


class Endpoint:
    """A conversation over a socket. ``namespace`` holds the names that the other side may look up."""

    def __init__(self, sock, strict, bounds=None, namespace=None, cells=None, run_cell=None):
        self.sock, self.strict = sock, strict
        self.bounds = bounds or (frames.Bounds() if strict else frames.WIDE)
        self.namespace = namespace if namespace is not None else {}
        self.cells, self.run_cell = cells, run_cell
        self.handles, self.shared, self.errors = Handles(self), Shared(self), Errors(self)
        self.surroundings = ambient.Surroundings(self)
        self.changed_inputs = 0  # tensors that calls over there changed in place
        self.open, self.garbled = True, False
        self._thread = threading.get_ident()
        self._calls = 0

    # asking

    def ask(self, operation, *args, **kwargs):
        """Have the other side do something; returns the value or raises the error that comes back."""
        if not self.open:
            raise BridgeError(
                "what comes from the other process cannot be understood"
                if self.garbled
                else "this object belongs to an earlier check"
            )
        if threading.get_ident() != self._thread:
            raise BridgeError("only the main thread can call over the pipe")
        watched = torch._C._len_torch_dispatch_stack() > 0
        with ambient.unobserved():
            writer = Writer(self)
            message = {
                "do": operation,
                "around": self.surroundings.here(watched),
                "args": [writer.value(value) for value in args],
                "kwargs": [[name, writer.value(value)] for name, value in kwargs.items()],
            }
            buffers = writer.finish(message)
        frames.send(self.sock, message, buffers)
        answer, payload = self._answer()
        with ambient.unobserved(), making_sense():
            value, error = self._read_answer(writer, answer, payload)
        if watched:
            ambient.replay(answer.get("made", []))
        if error is not None:
            raise error
        if operation == "next" and answer.get("stop") is True:
            raise StopIteration
        return value

    def _answer(self):
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

    def _read_answer(self, writer, answer, payload):
        """(value, None) or (None, error), after bringing up to date what the call changed."""
        reader = Reader(self, answer, payload, writer.arguments)
        if "refused" in answer:
            return None, BridgeError(clean(answer["refused"], 400))
        reader.read_graph(self._node(reader, *answer.get("node", (0, [], []))))
        self._take_changes(reader, answer)
        if "error" in answer:
            return None, self.errors.read(answer["error"])
        return reader.value(answer.get("value")), None

    def _node(self, reader, number, places, numbers):
        inputs = [reader.argument(place) for place in places] + [
            self.shared.tensor(-number) for number in numbers
        ]
        node = gradients.RemoteNode(
            self, -number, [value for value in inputs if isinstance(value, torch.Tensor)]
        )
        return self.handles.watch(-number, node) if number else node

    def _take_changes(self, reader, answer):
        """Changes made over there to what was passed: in tensors, containers, generators and optimizers."""
        states = [
            state
            for place, *_ in answer.get("stepped", [])
            for state in reader.argument(place).state.values()
        ]
        own = {
            id(value) for state in states for value in state.values()
        }  # an optimizer's own numbers may change
        for place, record in answer.get("written", []):
            self._overwrite(reader.argument(place), reader.tensors.tensor(record), own)
        for place, items in answer.get("refilled", []):
            container = reader.argument(place)
            if not isinstance(container, (list, dict, set)):
                raise BridgeError("an answer changes something that cannot be changed")
            reader.fill(container, items)
        for place, state in answer.get("drawn", []):
            stir(reader.argument(place), state)
        if "drew" in answer:
            self.surroundings.drew(answer["drew"])
        for place, groups, state in answer.get("stepped", []):
            optimizers.update(reader, reader.argument(place), groups, state)

    def _overwrite(self, tensor, values, expected=()):
        if not isinstance(tensor, torch.Tensor):
            raise BridgeError("an answer changes something that cannot be changed")
        self.changed_inputs += id(tensor) not in expected
        with torch.no_grad():
            if layout(values) == layout(tensor) and not any(
                s == 0 and n > 1 for s, n in zip(tensor.stride(), tensor.shape)
            ):
                tensor.copy_(values)
            else:
                tensor.data = values

    # serving

    def serve(self):
        """Do what the other side asks until it closes the pipe."""
        while True:
            try:
                message, payload = frames.receive(self.sock, self.bounds)
            except Gone:
                return
            self.perform(message, payload)

    def perform(self, message, payload):
        """Do one thing that was asked, and answer."""
        self._calls += 1
        try:
            if self._calls > self.bounds.calls:
                raise BridgeError("calls are nested too deeply")
            answer, buffers = self._perform(message, payload)
        except Gone:
            raise
        except Exception as error:
            answer, buffers = (
                {
                    "refused": f"{error}"
                    if isinstance(error, BridgeError)
                    else f"{type(error).__name__}: {clean(error, 200)}"
                },
                (),
            )
        finally:
            self._calls -= 1
        frames.send(self.sock, answer, buffers)

    def _perform(self, message, payload):
        with ambient.unobserved(), making_sense():
            reader = Reader(self, message, payload)
            reader.read_graph()
            args = reader.values(message.get("args"))
            operation = operations.find(message["do"], self, args)
            kwargs = {str(name): reader.value(value) for name, value in message.get("kwargs")}
        answer = {}
        with self.surroundings.there(message.get("around")) as made:
            before = self.surroundings.random_state()
            try:
                value = operation(self, *args, **kwargs)
            except Gone:
                raise
            except BaseException as error:
                answer["error"], value = self.errors.write(error), None
            after = self.surroundings.random_state()
        if after != before:
            answer["drew"] = after
        with ambient.unobserved():
            writer = Writer(self, reader.arguments)
            self._note_changes(reader, writer, answer)
            if value is operations.STOP:
                answer["stop"], value = True, None
            answer["value"] = writer.value(value)
            if writer.graph:
                answer["node"] = gradients.leave(self, writer.graph, reader.sources)
            if made is not None:
                answer["made"] = made
            return answer, writer.finish(answer)

    def _note_changes(self, reader, writer, answer):
        """Write down what the call did to its arguments."""
        arguments = reader.arguments
        written = [
            [place, writer.tensors.add(arguments.objects[place])]
            for place in arguments.written(reader.tensors.changed())
        ]
        refilled = [
            [place, writer.contents(arguments.objects[place])]
            for place in arguments.changed_containers()
        ]
        drawn, stepped = arguments.changed_generators(), optimizers.changes(writer, arguments)
        answer.update(
            {
                key: value
                for key, value in {
                    "written": written,
                    "refilled": refilled,
                    "drawn": drawn,
                    "stepped": stepped,
                }.items()
                if value
            }
        )


@contextlib.contextmanager
def making_sense():
    """A message that cannot be read is the other side's fault, whatever it trips over."""
    try:
        yield
    except (
        TypeError,
        ValueError,
        KeyError,
        IndexError,
        AttributeError,
        RuntimeError,
        OverflowError,
    ) as error:
        raise BridgeError(
            f"a message came in a form that makes no sense ({type(error).__name__}: {clean(error, 200)})"
        ) from error
