"""What a stranger's process may write into the pipe, and the trusted end refuses without harm."""

import json
import socket
import threading

import pytest
import torch
from torch import nn

from autograder.sandboxed.rpc import frames, operations
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.failures import BridgeError, Gone
from autograder.sandboxed.rpc.operations import Access

T = ["t", [0, "float32", [2], [1], 0]]
SPAN = {"storages": [[0, 16]]}


def asked(answer, payload=b"", *args):
    """What ``ask`` makes of an answer that was prepared."""
    here, there = socket.socketpair()
    with here, there:
        sender = threading.Thread(
            target=frames.send, args=(there, answer, [payload] if payload else [])
        )
        sender.start()
        try:
            return Endpoint(here, strict=True).ask("call", *args)
        finally:
            sender.join()


def tensor(record, size=16):
    return asked({"value": ["t", record], "storages": [[0, size]]}, bytes(size))


@pytest.mark.parametrize(
    "record",
    [
        [0, "float32", [10**15], [0], 0],
        [0, "float32", [5], [1], 0],
        [0, "float32", [2], [1], -4],
        [0, "float32", [2], [10**30], 0],
        [0, "float32", [2], [-1], 4],
        [0, "float32", [-2], [1], 0],
        [0, "float32", [2], [1], 3],
        [0, "float32", [2, 2], [1], 0],
        [0, "float32", [1.5], [1], 0],
        [0, "qint8", [2], [1], 0],
        [0, ["float32"], [2], [1], 0],
        [7, "float32", [2], [1], 0],
        ["x", "float32", [2], [1], 0],
        [0, "float32", "ab", [1], 0],
        [0, "float32", [True], [1], 0],
        [0, "float32", [1] * 100, [1] * 100, 0],
        [0, "float32", [2]],
        "nothing",
        None,
        [-1, "float32", [10**9, 10**9], [1, 1], 0],
    ],
    ids=repr,
)
def test_a_tensor_that_does_not_lie_within_its_memory_is_refused(record):
    with pytest.raises(BridgeError):
        tensor(record)


def test_truth_values_are_zero_or_one():
    made = asked(
        {"value": ["t", [0, "bool", [4], [1], 0]], "storages": [[0, 16]]},
        bytes([0, 1, 2, 255] + [0] * 12),
    )
    assert made.view(torch.uint8).tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    "answer",
    [
        {"value": ["zz", 1]},
        {"value": []},
        {"value": [[]]},
        {"value": {"a": 1}},
        {"value": ["l"]},
        {"value": ["l", 5]},
        {"value": ["d", [[1]]]},
        {"value": ["d", [[["l", []], 1]]]},
        {"value": ["s", [["l", []]]]},
        {"value": ["u", "ab"]},
        {"value": ["dt", "evil"]},
        {"value": ["dv", "cuda:x"]},
        {"value": ["dv", 5]},
        {"value": ["range", 1, 2, 0]},
        {"value": ["c", "a", 1]},
        {"value": ["b", "!!"]},
        {"value": ["a", 0]},
        {"value": ["a", -1]},
        {"value": ["a", "x"]},
        {"value": ["o", -5]},
        {"value": ["o", 5]},
        {"value": ["o", 5, "evil", "x"]},
        {"value": ["o", "x", "function", "f"]},
        {"value": ["o", 5, "class", 3, True, "Linear"]},
        {"value": ["o", 0, "function", "f"]},
        {"value": ["m", -5]},
        {"value": ["m", "x"]},
        {"value": ["p", 5]},
        {"value": ["p", -5]},
        {"value": ["g", 0]},
        {"value": ["data", "Config", []]},
        {"value": ["opt", 1, "Evil", []]},
        {"value": ["opt", -1, "SGD", []]},
        {"value": ["opt", 1, "SGD", [[[7], []]]]},
        {"value": ["fig", ["d", []]]},
        {"value": ["fig", 3]},
        {"value": ["n", "O8", [1], T[1]], **SPAN},
        {"value": ["n", "<f4", [99], T[1]], **SPAN},
        {"value": ["n", "<f4", [1], T[1]], **SPAN},
        {"value": ["slice", 1]},
        {"value": ["size", ["x"]]},
        {"value": 1, "storages": 5},
        {"value": 1, "storages": [[5, 1]]},
        {"value": 1, "storages": [[0, 10**15]]},
        {"value": 1, "storages": [[3, 16]]},
        {"value": 1, "graph": 5},
        {"value": 1, "graph": [5]},
        {"value": 1, "graph": [[[0, "int64", [2], [1], 0], True]], **SPAN},
        {"value": 1, "dropped": 5},
        {"value": 1, "modules": 5},
        {"value": 1, "modules": [5]},
        {"value": 1, "modules": [[1]]},
        {"value": 1, "modules": [[1, ["M", None, None], True, [["w", 9]], [], []]]},
        {"value": 1, "tensors": [[1, True, True, 0, 0]]},
        {"value": 1, "tensors": [["x", True, True, 0, 0]]},
        {"value": 1, "tensors": [[-3, True, True, 0, 0]]},
        {"value": 1, "node": 5},
        {"value": 1, "node": [1, [7], []]},
        {"value": 1, "node": [1, [], [3]]},
        {"value": 1, "written": [[0, T[1]]]},
        {"value": 1, "refilled": [[0, []]]},
        {"value": 1, "drawn": [[0, 5]]},
        {"error": 5},
        {"value": float("nan"), "storages": None},
    ],
    ids=lambda answer: json.dumps(answer)[:60],
)
def test_an_answer_that_makes_no_sense_is_refused(answer):
    payload = bytes(16) if answer.get("storages") == [[0, 16]] else b""
    with pytest.raises(BridgeError):
        asked(answer, payload)


def test_text_that_is_no_json_is_refused():
    here, there = socket.socketpair()
    there.sendall(frames.HEADER.pack(4, 0) + b"nope")
    with here, there, pytest.raises(BridgeError):
        Endpoint(here, strict=True).ask("call")


@pytest.mark.parametrize("sizes", [(1 << 60, 0), (2, 1 << 60)])
def test_a_frame_that_announces_too_much_is_refused_before_memory_is_taken(sizes):
    here, there = socket.socketpair()
    there.sendall(frames.HEADER.pack(*sizes) + b"{}")
    with here, there, pytest.raises(BridgeError, match="more than"):
        Endpoint(here, strict=True).ask("call")


def test_a_frame_that_breaks_off_is_the_end_of_the_other_process():
    here, there = socket.socketpair()
    there.sendall(frames.HEADER.pack(100, 0) + b"{")
    there.close()
    with here, pytest.raises(Gone):
        Endpoint(here, strict=True).ask("call")


def test_brackets_nested_without_end_are_refused():
    here, there = socket.socketpair()
    text = b'{"value":' + b'["l",[' * 8000 + b"]]" * 8000 + b"}"
    there.sendall(frames.HEADER.pack(len(text), 0) + text)
    with here, there, pytest.raises(BridgeError):
        Endpoint(here, strict=True).ask("call")


def test_numbers_with_a_hundred_thousand_digits_are_refused():
    here, there = socket.socketpair()
    text = b'{"value":' + b"9" * 100_000 + b"}"
    there.sendall(frames.HEADER.pack(len(text), 0) + text)
    with here, there, pytest.raises(BridgeError):
        Endpoint(here, strict=True).ask("call")


def test_too_many_values_are_refused():
    with pytest.raises(BridgeError, match="more"):
        asked({"value": ["l", [["u", []]] * 400_001]})


def test_a_dict_too_large_is_refused():
    with pytest.raises(BridgeError, match="larger"):
        asked({"value": ["d", [[number, 0] for number in range(20_001)]]})


def test_a_module_that_claims_to_hold_itself_does_no_harm():
    answer = {
        "value": ["m", 1],
        "modules": [[1, ["Loop", "Linear", None], True, [], [], [["again", 1]]]],
    }
    assert isinstance(asked(answer), nn.Linear)


@pytest.mark.parametrize(
    "asks", ["lookup", "bind", "put", "copy", "run", "__import__", "", None, 5, ["call"]]
)
def test_the_student_may_not_ask_for_what_only_the_trusted_side_may(asks):
    assert "may not" in requested(
        {"do": asks, "args": [], "kwargs": [], "around": [True, False, None, None, None, False]}
    )


@pytest.mark.parametrize(
    "request_",
    [
        {
            "do": "call",
            "args": [["o", -99]],
            "kwargs": [],
            "around": [True, False, None, None, None, False],
        },
        {"do": "call"},
        {"do": "call", "args": 5, "kwargs": [], "around": []},
        {"do": "call", "args": [], "kwargs": 5, "around": []},
        {
            "do": "backward",
            "args": [["o", -99], []],
            "kwargs": [],
            "around": [True, False, None, None, None, False],
        },
        {
            "do": "describe",
            "args": [-99],
            "kwargs": [],
            "around": [True, False, None, None, None, False],
        },
    ],
    ids=lambda request_: json.dumps(request_)[:50],
)
def test_a_request_that_makes_no_sense_is_refused(request_):
    answered(request_)


@pytest.mark.parametrize(
    "name",
    [
        "__globals__",
        "__code__",
        "__class__",
        "_private",
        "__dict__",
        "forward",
        "parameters",
        "__init__",
    ],
)
def test_the_student_may_not_read_what_would_show_a_checks_source(name):
    class Model(nn.Module):
        def encode(self, x):
            return x

    said = answered(
        {
            "do": "get",
            "args": [["m", -1], name],
            "kwargs": [],
            "around": [True, False, None, None, None, False],
        },
        Model(),
    )
    assert "error" in said or "refused" in said


AROUND = [True, False, None, None, None, False]
FIGURE = [
    "fig",
    ["d", [["size", ["l", [1.0, 1.0]]], ["title", ""], ["texts", ["l", []]], ["axes", ["l", []]]]],
]


@pytest.mark.parametrize(
    "target",
    [FIGURE, "text", ["l", [1]], ["o", 1, "object", "Thing", ["call"], None], ["dt", "float32"]],
    ids=str,
)
@pytest.mark.parametrize("asks", ["get", "call", "item", "iter"])
def test_the_student_may_only_use_what_was_handed_to_it(asks, target):
    """Not, for example, write files with the ``savefig`` of a figure that the student's process
    described itself.
    """
    assert "may only use" in requested(
        {"do": asks, "args": [target, "savefig"], "kwargs": [], "around": AROUND}
    )


def test_parts_of_what_was_handed_over_are_not_handed_over():
    import functools

    said = answered(
        {"do": "get", "args": [["o", -1], "args"], "kwargs": [], "around": AROUND},
        functools.partial(print, "secret"),
    )
    assert "secret" not in str(said)


def requested(message):
    return answered(message)["refused"]


def answered(message, *exported):
    """What the trusted end answers to a request, having handed over some objects."""
    here, there = socket.socketpair()
    with here, there:
        endpoint = Endpoint(here, strict=True)
        for value in exported:
            if isinstance(value, nn.Module):
                endpoint.module_sync.register_module(value)
            else:
                endpoint.references.number(value)
        endpoint.perform(message, b"")
        answer, _ = frames.receive(there, frames.WIDE)
        assert "refused" in answer or "error" in answer
        return answer


LIAR = """
import torch
from torch import nn
class Liar:
    shape = (2, 2)
    def __eq__(self, other): return True
    def allclose(self, *a): return True
    def __sub__(self, other): return 0.0
    def __float__(self): return 0.5
class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.isnan, self.abs, self.equal = nn.Identity(), nn.Identity(), nn.Identity()
    def allclose(self, *a): return True
    def item(self): return 1.0
def liar(): return Liar()
def module(): return Module()
"""


@pytest.mark.parametrize(
    "use",
    [
        lambda it: it == torch.ones(2),
        lambda it: it.allclose(torch.ones(2)),
        lambda it: abs(it - 1.0) < 1e-6,
        lambda it: float(it) == 0.5,
        lambda it: torch.equal(it, torch.ones(2)),
        lambda it: it.item() == 1.0,
        lambda it: it.isnan().any(),
        lambda it: it.equal(3),
        lambda it: it.abs().max() < 1,
        lambda it: torch.testing.assert_close(it, torch.ones(2)) or True,
    ],
    ids=range(10),
)
@pytest.mark.parametrize("what", ["liar", "module"])
def test_an_object_cannot_pass_for_a_tensor(student, use, what):
    made = getattr(student(LIAR), what)()
    try:
        assert not use(made)
    except (TypeError, AttributeError, AssertionError, ValueError):
        pass


def test_a_class_of_torch_is_claimed_for_isinstance_only(student):
    made = student(
        "from torch import nn\nclass Odd(nn.Linear):\n    def forward(self, x): return x * 0 +"
        " 7\ndef f(): return Odd(2, 2)"
    ).f()
    assert isinstance(made, nn.Linear) and made(torch.ones(2)).tolist() == [7, 7]


def test_of_an_object_of_a_check_the_student_may_use_only_what_the_exercise_is_about():
    class Chain(nn.Module):
        def encode(self, x):
            return x

        def by_hand(self):
            return 7

    Chain.__module__ = "__main__"
    access = Access(frozenset({"Chain"}), frozenset({"encode"}))
    here, there = socket.socketpair()
    with here, there:
        endpoint = Endpoint(here, strict=True, access=access)
        chain = Chain()
        endpoint.references.number(chain)
        assert operations.get(endpoint, chain, "encode")(1) == 1
        with pytest.raises(AttributeError, match="by_hand"):
            operations.get(endpoint, chain, "by_hand")
