"""A case is carried out over there in one message, and seen as if it had been carried out here;
what a forger answers is refused, or differs.
"""

import socket
import threading

import pytest
import torch

import attention_built as ab
from attention_built.comparison import Names, agree, difference
from attention_built.looks import observe
from autograder.sandboxed.rpc import frames, proxies
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.failures import BridgeError

CODE = """
import numpy, torch
from torch import nn

def plain(x, W): return x @ W, (x @ W).softmax(-1)
def stacked(x, W): return torch.stack([x @ W, x @ W])
def listed(x, W): return [(x @ W).tolist(), None]
def inplace(x, W): return x.mul_(2) @ W, W
def through_numpy(x, W): x.detach().numpy()[...] = 0; return x @ W, W
def detached(x, W): return (x @ W).detach(), x @ W.detach()
def asks_for_gradients(x, W): return (x @ W).requires_grad_(), W
def loops(x, W): return torch.stack([row @ W for row in x.repeat(50, 1)]), W
def on_the_cpu(x, W): return x @ W + torch.zeros(2), torch.zeros(2)
def needs_numbers(x, W): return x[x > 0], W
def raises(x, W): raise ValueError("too small")
def wrong_sizes(x, W): return W @ x @ W, 1
def text(x, W): return "no tensor", True
def numbers(x, W): return 3, numpy.float64(2.5)
def hands_on(head, x, W): return head(x, W)
def draws(x, generator=None): return torch.rand(2, generator=generator), torch.rand(2)

class Head(nn.Module):
    def __init__(self, width, bias=True):
        super().__init__()
        self.W = nn.Linear(width, 2, bias=bias)
    def forward(self, x, W):
        return self.W(x), self.W.weight @ x.mT

class Other(nn.Module):
    def forward(self, x, W): return x, W

class Store:
    def __init__(self, longest):
        self.longest, self.lately, self.all = longest, [], {"all": []}
    def put(self, x):
        self.lately = [*self.lately, x][-self.longest:]
        self.all["all"].append((x[:1], {}))
        self.lately[0].add_(1)
        return self
    def read(self): return sum(self.lately), len(self.lately)
"""
X, W = ab.numbers(3, 4, seed=1), ab.numbers(4, 2, seed=2)
TURNED = torch.empty_strided((3, 4), (1, 3)).copy_(X)
LOOKS = ("values dtype", "inputs", "gradient", "operations", "device")
FUNCTIONS = (
    "plain stacked listed inplace through_numpy detached asks_for_gradients loops on_the_cpu "
    "needs_numbers raises wrong_sizes text numbers"
).split()


def both(student, name, case):
    """What is seen of a case over there, and here."""
    names = {}
    exec(CODE, names)
    seen = []
    for subject in (getattr(student(CODE), name), names[name]):
        torch.manual_seed(0)
        found = observe(subject, case, 2)
        seen.append({look: value for look, value in found.items() if look != "error"})
    return seen


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_over_there_is_seen_as_one_here(student, name, look):
    there, here = both(student, name, ab.case("a case", X, W, look=look))
    there.pop("text", None), here.pop("text", None)
    assert there == here


def test_inputs_keep_their_order_in_memory_their_dtype_and_who_learns(student):
    learning = W.double().requires_grad_()
    there, here = both(
        student, "plain", ab.case("a case", TURNED.double(), learning, look="gradient")
    )
    assert there == here and len(there["gradient"][0]) == 1


@pytest.mark.parametrize("weights", ({"W": W.mT.contiguous()}, None))
@pytest.mark.parametrize("train", (True, False))
@pytest.mark.parametrize("look", (*LOOKS, "parameters"))
def test_a_module_is_made_and_called_over_there_as_here(student, look, train, weights):
    made = ab.module(4, train=train, weights=weights)
    there, here = both(student, "Head", ab.case("a case", X, W, of=made, look=look))
    assert there == here and "raised" not in there


@pytest.mark.parametrize("look", (*LOOKS, "parameters"))
def test_a_function_takes_an_object_that_is_made_over_there(student, monkeypatch, look):
    names, sent, real = {}, [], frames.send
    exec(CODE, names)
    case = ab.case("a case", X, W, of=ab.module(4), look=look)
    there = student(CODE)
    pair = there.hands_on, there.Head
    monkeypatch.setattr(
        frames, "send", lambda *args, **kw: (sent.append(args[1]), real(*args, **kw))
    )
    seen = observe(pair, case, 2)
    assert len(sent) == 1 and seen == observe((names["hands_on"], names["Head"]), case, 2)
    assert "raised" not in seen


def test_a_module_without_its_layers_is_told_so(student):
    there, here = both(student, "Other", ab.case("a case", X, W, of=ab.module(weights={"W": W})))
    assert there == here and there["text"] == "'Other' object has no attribute 'W'"


def test_steps_are_taken_over_there_as_here(student):
    steps = [("", X, W), ("W", X), ("training",)]
    there, here = both(
        student, "Head", ab.case("a case", of=ab.module(4), steps=steps, look="values gradient")
    )
    assert there == here and there["kinds"] == ["tensor", "tensor", "tensor", "bool"]


@pytest.mark.parametrize(
    "asked, look, found",
    [
        ("read", "values", [[13.0, 11.0], [2.0]]),
        ("bytes held", "values", [[3 * 8.0]]),  # of parts of tensors, all that is kept alive
        ("read", "inputs", [0, 1]),
    ],
)
def test_an_object_that_is_no_module_is_seen_in_its_last_step_as_here(student, asked, look, found):
    steps = [("put", torch.tensor([4.0 * n, 5.0])) for n in range(3)]
    case = ab.case("a case", of=ab.module(2), steps=[*steps, (asked,)], last=True, look=look)
    there, here = both(student, "Store", case)
    assert there == here and here["values" if look == "values" else "changed"] == found


def test_a_missing_key_is_told_in_the_same_words(student):
    code = "def f(x): return {}['wte.weight']"
    names = {}
    exec(code, names)
    case = ab.case("a case", X)
    assert [observe(f, case)["text"] for f in (student(code).f, names["f"])] == ["wte.weight"] * 2


def test_a_generator_goes_over_in_its_state(student):
    there, here = both(student, "draws", ab.case("a case", X, generator=ab.seed(3)))
    assert there["values"][0] == here["values"][0] and there["values"][1] != here["values"][1]


def test_each_of_many_calls_has_a_generator_of_its_own(student):
    many = ab.case("many", generator=ab.seed(5, calls=4), then=lambda got: got)
    names = {}
    code = "import torch\ndef draw(generator): return torch.rand((), generator=generator)"
    exec(code, names)
    there, here = observe(student(code).draw, many), observe(names["draw"], many)
    assert there == here and len(set(there["values"][0])) == 4


def test_rows_of_many_calls_may_differ_in_length(student):
    code = "import torch\ndef count(n): return torch.arange(n.initial_seed())"
    case = ab.case("many", ab.seed(1, calls=3), then=lambda got: got.nan_to_num(-1))
    seen = observe(student(code).count, case)
    assert (seen["shapes"], seen["values"]) == ([[3, 3]], [[0, -1, -1, 0, 1, -1, 0, 1, 2]])


def test_a_case_is_one_message_and_no_word_of_it_goes_over(student, monkeypatch):
    sent, real = [], frames.send
    monkeypatch.setattr(
        frames, "send", lambda *args, **kw: (sent.append(args[1]), real(*args, **kw))
    )
    head = student(CODE).Head
    of = ab.module(4, weights={"W": W.mT.contiguous()})
    case = ab.case("a word", X, W, of=of, look="gradient values inputs", hint="a hint", secret=True)
    before = len(sent)
    observe(head, case, 2)
    assert len(sent) == before + 1
    assert not any(
        word in repr(sent[-1]) for word in ("word", "hint", "values", "inputs", "secret")
    )


def test_what_a_call_could_change_is_not_handed_back_to_the_next(student):
    code = "kept = []\ndef f(x):\n    kept.append(x)\n    return len(kept), kept[0].add_(1)"
    subject, case = student(code).f, ab.case("a case", X, look="inputs")
    assert observe(subject, case, 2)["changed"] == [0]
    assert observe(subject, case, 2)["changed"] == []  # that of the first case is not this one's
    assert torch.equal(X, ab.numbers(3, 4, seed=1))


SPOILS = """
import sys, torch
from torch import nn

def spoil(value):
    if isinstance(value, torch.Tensor):
        value.detach().zero_()
    elif isinstance(value, (list, tuple, dict)):
        for part in list(value.values() if isinstance(value, dict) else value):
            spoil(part)
        if not isinstance(value, tuple):
            value.clear()

class Head(nn.Module):
    def __init__(self, width, table):
        super().__init__()
        self.W = nn.Linear(width, 2)
        spoil(table)

    def forward(self, x, given):
        frame = sys._getframe(1)
        while frame:
            of = getattr(frame.f_locals.get("self"), "of", None)
            spoil([given, getattr(of, "weights", None)])
            frame = frame.f_back
        return x, x
"""


@pytest.mark.parametrize("ask", (None, lambda head, x, given: head(x, given)))
def test_nothing_that_is_done_to_what_goes_over_comes_back_into_the_case(student, ask):
    weights, table, given = {"W": torch.ones(2, 4)}, [torch.ones(3)], {"more": [torch.ones(1), 1]}
    case = ab.case("a case", X, given, of=ab.module(4, table, weights=weights), ask=ask)
    assert "raised" not in observe(student(SPOILS).Head, case, 2)
    assert bool(weights["W"].eq(1).all()) and bool(table[0].eq(1).all())
    assert bool(given["more"][0].eq(1)) and given["more"][1] == 1


@pytest.mark.parametrize("name", ("tensor", "number", "nothing", "str"))
def test_an_object_of_a_class_that_has_the_name_of_a_kind_is_not_of_that_kind(student, name):
    code = f"class {name}: pass\ndef f(x): return {name}()"
    assert observe(student(code).f, ab.case("a case", X))["kinds"] == [f"an object of class {name}"]


# what a forger may answer; T: a tensor of the right size, of zeros
T = ["x", [0, "float32", [3, 2], [2, 1], 0]]
L = lambda *items: ["l", list(items)]  # noqa: E731
G = L(L(["x", [0, "float32", [3, 4], [0, 0], 0]], ["x", [0, "float32", [4, 2], [0, 0], 0]]))


@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        L(),
        L(L(L(T)), False, 0, L()),
        L(L(L(T)), False, 0, L(), G, G),
        L(L(), False, 0, L(), G),  # no call
        L(L(L(T), L(T)), False, 0, L(), G),  # more calls than were made
        L(L(T), False, 0, L(), G),
        L(T, False, 0, L(), G),
        L(L(L(T)), 0, 0, L(), G),
        L(L(L(T)), "no", 0, L(), G),
        L(L(L(T)), False, False, L(), G),
        L(L(L(T)), False, "few", L(), G),
        L(L(L(T)), False, 0, L(), L()),  # no gradient: nothing to compare
        L(L(L(T)), False, 0, L(), L(L())),
        L(L(L(T)), False, 0, L(), L(G[1][0], G[1][0])),
        L(L(L(T)), False, 0, L(), L(L(T, T))),  # of another size
        L(L(L(T)), False, 0, L(), L(L(True, None))),
        L(L(L(T)), False, 0, L(), T),
        L(L(L(T)), False, 0, L(L("W", L(2), "")), G),  # what no object learns
        L(L(L(T)), False, 0, L(L("W", 2, "")), G),
        ["d", [["results", L(L(T))]]],
        ["o", 5, "object", "Came", ["len", "item", "iter"], None],
    ],
)
def test_an_answer_that_holds_other_than_was_asked_for_is_refused(answer):
    case = ab.case("a case", X, W, look="gradient values")
    with pytest.raises(BridgeError):
        forged(case, {"value": answer, "storages": [[0, 32]]}, bytes(32))


@pytest.mark.parametrize(
    "parts, words",
    [
        ([T], "number 1 of the result"),  # zeros
        ([["x", [-1, "float32", [3, 2], [2, 1], 0]]], "did not run"),  # without numbers
        ([T, T], "should come back"),
        ([], "should come back"),
        ([["x", [0, "float32", [3], [1], 0]]], "shape (3, 2) expected"),
        ([["o", 7, "object", "Tensor", ["len", "item"], None]], "should come back"),
        ([1.0], "should come back"),
    ],
)
def test_claims_without_the_numbers_are_no_right_answer(parts, words):
    """No loop, nothing changed, no gradient asked for: what looks at these looks at numbers too."""
    case = ab.case("a case", X, W, look="values operations inputs dtype")
    answer = {"value": L(L(L(*parts)), False, 0, L(), L()), "storages": [[0, 32]]}
    right = observe(torch.matmul, case)
    seen = forged(case, answer, bytes(32))
    assert not agree(right, seen, case.within)
    assert words in difference(right, seen, case.within, Names())


def forged(case, answer, payload):
    """What is seen where this comes as the answer."""
    here, there = socket.socketpair()
    with here, there:
        sender = threading.Thread(target=frames.send, args=(there, answer, [payload]))
        sender.start()
        try:
            subject = proxies.RemoteFunction(Endpoint(here, strict=True), -1, "f")
            return observe(subject, case)
        finally:
            sender.join()
