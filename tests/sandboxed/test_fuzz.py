"""Values that nobody thought of: what crosses the pipe comes back as it was, and what makes no
sense is refused as data.

FUZZ=5000 tries so many of each instead of a few: as long as one likes, by hand.
"""

import os
import socket

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.sandboxed.rpc.codec import Decoder
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.failures import BridgeError, RemoteError, making_sense
from autograder.sandboxed.rpc.tags import DECODERS

bounded = settings(
    max_examples=int(os.environ.get("FUZZ", "60")),
    deadline=None,
    derandomize="FUZZ" not in os.environ,
    suppress_health_check=list(HealthCheck),
)

DTYPES = [torch.bool, torch.uint8, torch.int64, torch.float16, torch.float32, torch.float64]
DTYPES += [torch.bfloat16, torch.complex64]
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
scalars |= st.binary() | st.complex_numbers(allow_nan=False)


@st.composite
def tensors(draw):
    """A tensor of some dtype and size, often a view: transposed, with steps, expanded or empty."""
    sizes = draw(st.lists(st.integers(0, 4), max_size=4))
    made = torch.arange(max(1, torch.Size(sizes).numel())) % 5
    made = made[: torch.Size(sizes).numel()].reshape(sizes).to(draw(st.sampled_from(DTYPES)))
    if made.dim() > 1 and draw(st.booleans()):
        made = made.transpose(0, -1)
    if made.dim() and draw(st.booleans()):
        made = made[:: draw(st.integers(1, 3))]
    if draw(st.booleans()):
        made = made.expand(draw(st.integers(1, 3)), *made.shape)
    return made


values = st.recursive(
    scalars | tensors(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([*DECODERS]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.builds(
            lambda tag, rest: [tag, *rest],
            st.sampled_from([*DECODERS]),
            st.lists(inner, max_size=6),
        )
        | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=20,
)


def same(one, other):
    if isinstance(one, torch.Tensor):
        return (
            isinstance(other, torch.Tensor)
            and (one.dtype, one.shape, one.stride()) == (other.dtype, other.shape, other.stride())
            and torch.equal(one, other)
        )
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one == other


@pytest.fixture
def echo(student):
    """A function that has the student's process do what its first argument says."""
    code = (
        "import builtins\ndef f(x): return x\ndef g(kind, text): raise getattr(builtins,"
        " kind)(text)"
    )
    pipe = student(code)
    return lambda name, *given: getattr(pipe, name)(*given)


@bounded
@given(value=values)
def test_a_value_comes_back_as_it_was(echo, value):
    assert same(value, echo("f", value))


@bounded
@given(
    kind=st.sampled_from(["ValueError", "KeyError", "StopIteration", "SystemExit", "MemoryError"]),
    text=st.text(),
)
def test_an_exception_of_the_student_never_ends_a_check_quietly(echo, kind, text):
    with pytest.raises((RemoteError, BridgeError)):
        echo("g", kind, text)


@bounded
@given(data=json_values, storages=json_values, graph=json_values, payload=st.binary(max_size=64))
def test_what_makes_no_sense_is_refused(data, storages, graph, payload):
    here, there = socket.socketpair()
    with here, there:
        there.close()  # nothing is to be asked
        endpoint = Endpoint(here, strict=True)
        message = {"storages": storages, "graph": graph}
        try:
            with making_sense():
                decoder = Decoder(endpoint, message, bytearray(payload))
                decoder.decode_graph()
                decoder.value(data)
        except BridgeError:
            pass


@bounded
@given(modules=json_values, tensors=json_values)
def test_modules_that_make_no_sense_are_refused(modules, tensors):
    here, there = socket.socketpair()
    with here, there:
        there.close()
        endpoint = Endpoint(here, strict=True)
        try:
            with making_sense():
                Decoder(endpoint, {"modules": modules, "tensors": tensors}, bytearray())
        except BridgeError:
            pass
