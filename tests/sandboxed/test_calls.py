"""Calls in both directions: changes to arguments, callbacks, iterators, context managers, errors,
surroundings.
"""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from autograder.sandboxed.rpc import recording
from autograder.sandboxed.rpc.failures import BridgeError, Gone, RemoteError


def test_a_tensor_changed_in_place_is_changed_here(student):
    pipe, x = student("def f(x): x.add_(1); return x"), torch.zeros(3)
    assert pipe.f(x) is x and x.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "code", ["x.t_()", "x.data = x.data * 2", "x.unsqueeze_(0)", "x.numpy()[0] = 9"]
)
def test_other_ways_to_change_an_input_are_seen_here(student, code):
    given = torch.arange(6.0).view(2, 3)
    expected = given.clone()
    exec(f"def f(x):\n    {code}\nf(x)", {"x": expected})
    student(f"def f(x):\n    {code}").f(given)
    assert torch.equal(given, expected)


def test_lists_dicts_and_sets_changed_there_are_changed_here(student):
    names, table, seen = ["a"], {"x": 1}, {1}
    student("def f(n, t, s):\n    n.append('b'); t['y'] = [2]; del t['x']; s.clear()").f(
        names, table, seen
    )
    assert (names, table, seen) == (["a", "b"], {"y": [2]}, set())


def test_changes_come_back_after_an_error_too(student):
    names = []
    with pytest.raises(ValueError):
        student("def f(n):\n    n.append(1)\n    raise ValueError").f(names)
    assert names == [1]


def test_a_generator_draws_there_what_it_would_draw_here(student):
    pipe = student("import torch\ndef f(g): return torch.randn(4, generator=g)")
    assert torch.equal(
        pipe.f(torch.Generator().manual_seed(3)),
        torch.randn(4, generator=torch.Generator().manual_seed(3)),
    )


def test_a_generator_goes_on_after_it_was_drawn_from_and_repeats_with_its_seed(student):
    pipe = student("import torch\ndef f(g): return torch.randn(4, generator=g)")
    first, second = (torch.Generator().manual_seed(3) for _ in range(2))
    one, two, again = pipe.f(first), pipe.f(first), pipe.f(second)
    assert (
        not torch.equal(one, two) and torch.equal(one, again) and torch.equal(pipe.f(second), two)
    )


def test_a_generator_that_was_not_drawn_from_stays(student):
    generator = torch.Generator().manual_seed(3)
    before = generator.get_state()
    student("def f(g): return 1").f(generator)
    assert torch.equal(generator.get_state(), before)


def test_a_generator_can_go_back_and_forth(student):
    pipe = student(
        "import torch\ndef f(g, draw): return [torch.rand(1, generator=g).item(), draw(g).item(),"
        " torch.rand(1, generator=g).item(), draw(g).item()]"
    )
    numbers = [
        pipe.f(torch.Generator().manual_seed(3), lambda g: torch.rand(1, generator=g))
        for _ in range(2)
    ]
    assert numbers[0] == numbers[1] and len(set(numbers[0])) >= 3


def test_a_generator_cannot_come_back_in_a_state_of_the_students_choice(student):
    generator = torch.Generator().manual_seed(3)
    student("import torch\ndef f(g):\n    s = g.get_state(); s[24:5000] = 0; g.set_state(s)").f(
        generator
    )
    assert torch.rand(100, generator=generator).std() > 0.1


def test_the_same_global_seed_here_gives_the_same_numbers_there(student):
    pipe = student("import torch\ndef f(): return torch.randn(3)")
    torch.manual_seed(5)
    one, two = pipe.f(), pipe.f()
    torch.manual_seed(5)
    assert torch.equal(pipe.f(), one) and not torch.equal(one, two)


def test_the_students_code_cannot_choose_the_random_numbers_of_the_check(student):
    pipe = student(
        "import torch\ndef f(): torch.manual_seed(0)\ndef g(): s = torch.get_rng_state();"
        " s[24:5000] = 0; torch.set_rng_state(s)"
    )
    torch.manual_seed(5)
    pipe.f()
    drawn = torch.randn(3)
    torch.manual_seed(0)
    assert not torch.equal(torch.randn(3), drawn)
    pipe.g()
    assert torch.rand(100).std() > 0.1


def test_a_call_that_draws_nothing_leaves_the_random_numbers_here_alone(student):
    pipe = student("def f(): return 1")
    torch.manual_seed(5)
    pipe.f()
    drawn = torch.randn(3)
    torch.manual_seed(5)
    assert torch.equal(torch.randn(3), drawn)


def test_a_function_of_the_check_is_called_back(student):
    calls = []
    assert (
        student("def f(g): return g(2, scale=3) + g(1)").f(
            lambda x, scale=1: calls.append(x) or x * scale
        )
        == 7
    )
    assert calls == [2, 1]


def test_calls_nest_in_both_directions(student):
    pipe = student("def f(g, n): return g(n - 1) + 1 if n else 0")
    assert pipe.f(lambda n: pipe.f(lambda m: 100, n), 2) == 102


def test_a_function_of_the_student_that_goes_back_is_the_students_own(student):
    pipe = student("def f(): pass\ndef same(g): return g is f")
    assert pipe.same(pipe.f)


def test_functions_of_torch_can_be_handed_over(student):
    assert student("import torch\ndef f(g): return g(torch.zeros(2))").f(torch.cos).tolist() == [
        1,
        1,
    ]


def test_a_function_that_is_returned_can_be_called(student):
    assert student("def f(n): return lambda x: x + n").f(3)(4) == 7


def test_an_iterator_of_the_student_is_read_step_by_step(student):
    steps = student(
        "seen = []\ndef f():\n    for n in range(3):\n        seen.append(n)\n        yield n\ndef"
        " count(): return len(seen)"
    )
    iterator = steps.f()
    assert next(iterator) == 0 and steps.count() == 1 and list(iterator) == [1, 2]


def test_an_iterable_of_the_check_is_read_lazily_and_once(student):
    read = []

    def blocks():
        for n in range(3):
            read.append(n)
            yield torch.full((2,), float(n))

    total = student(
        "def f(blocks):\n    it = iter(blocks)\n    return next(it).sum().item() +"
        " next(it).sum().item()"
    ).f(blocks())
    assert total == 2 and read == [0, 1]


def test_a_context_manager_of_the_student_opens_and_closes_there(student):
    pipe = student(
        "import contextlib\nlog = []\n@contextlib.contextmanager\ndef f():\n    log.append('in')\n "
        "   try: yield 5\n    finally: log.append('out')\ndef seen(): return list(log)"
    )
    with pipe.f() as value:
        assert value == 5 and pipe.seen() == ["in"]
    assert pipe.seen() == ["in", "out"]


def test_an_error_inside_a_context_manager_of_the_student_reaches_it_and_goes_on(student):
    pipe = student(
        "import contextlib\nlog = []\n@contextlib.contextmanager\ndef f():\n    try: yield\n   "
        " except KeyError: log.append('seen'); raise\ndef seen(): return log"
    )
    with pytest.raises(KeyError, match="mine"):
        with pipe.f():
            raise KeyError("mine")
    assert pipe.seen() == ["seen"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_is_no_ordinary_error_passes_the_students_handlers_of_errors(student, kind):
    pipe = student(
        "import contextlib\nlog = []\n@contextlib.contextmanager\ndef f():\n    try: yield\n   "
        " except Exception: log.append('error'); raise\n    except BaseException as end:"
        " log.append(type(end).__name__); raise\ndef seen(): return log"
    )
    mine = kind("mine")
    with pytest.raises(kind) as caught:
        with pipe.f():
            raise mine
    assert caught.value is mine and pipe.seen() == [kind.__name__]


def test_a_context_manager_may_swallow_an_error(student):
    pipe = student("import contextlib\ndef f(): return contextlib.suppress(ValueError)")
    with pipe.f():
        raise ValueError


@pytest.mark.parametrize(
    "kind",
    [
        "ValueError",
        "TypeError",
        "KeyError",
        "IndexError",
        "RuntimeError",
        "NotImplementedError",
        "AssertionError",
        "ZeroDivisionError",
        "AttributeError",
        "MemoryError",
        "FileNotFoundError",
    ],
)
def test_errors_arrive_as_the_builtin_type_with_their_message(student, kind):
    with pytest.raises(getattr(__builtins__, kind, None) or __builtins__[kind]) as caught:
        student(f"def f(): raise {kind}('what it says')").f()
    assert (
        isinstance(caught.value, RemoteError)
        and str(caught.value) == "what it says"
        and caught.value.remote_type == kind
    )


def test_an_error_of_the_students_own_class_arrives_as_its_nearest_builtin(student):
    with pytest.raises(LookupError) as caught:
        student("class TooLong(LookupError): pass\ndef f(): raise TooLong('12 > 8')").f()
    assert caught.value.remote_type == "TooLong"


@pytest.mark.parametrize(
    "raised", ["SystemExit(0)", "KeyboardInterrupt()", "GeneratorExit()", "StopIteration(1)"]
)
def test_what_would_end_a_process_or_a_loop_is_an_ordinary_error_here(student, raised):
    with pytest.raises(Exception) as caught:
        student(f"def f(): raise {raised}").f()
    assert isinstance(caught.value, RemoteError) and not isinstance(caught.value, StopIteration)


def test_an_error_says_which_line_of_the_student_it_came_from(student):
    with pytest.raises(RemoteError) as caught:
        student("\ndef f():\n    g()\ndef g():\n    1 / 0").f()
    assert caught.value.where == ("student", 5)


def test_an_error_of_the_check_comes_through_the_student_as_itself(student):
    mine = AssertionError("read twice")

    def refuse():
        raise mine

    with pytest.raises(AssertionError) as caught:
        student("def f(g): return g()").f(refuse)
    assert caught.value is mine


def test_the_text_of_an_error_of_the_check_is_not_told(student):
    def refuse():
        raise ValueError("secret text")

    said = student(
        "def f(g):\n    try: g()\n    except ValueError as e: return [str(e), repr(e.args),"
        " type(e).__name__]"
    ).f(refuse)
    assert "secret" not in str(said) and said[2] == "ValueError"


def test_messages_lose_control_characters_and_excess(student):
    with pytest.raises(ValueError) as caught:
        student("def f(): raise ValueError('\\x1b[31mred\\x07\\u202e' + 'x' * 10**7)").f()
    assert str(caught.value).startswith("redxxx") and len(str(caught.value)) <= 2000


def test_no_grad_here_is_no_grad_there(student):
    pipe = student("import torch\ndef f(): return torch.is_grad_enabled()")
    with torch.no_grad():
        assert pipe.f() is False
    assert pipe.f() is True


def test_the_default_dtype_here_is_the_default_there_for_the_call(student):
    pipe = student("import torch\ndef f(): return torch.ones(1).dtype")
    torch.set_default_dtype(torch.float64)
    try:
        assert pipe.f() is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert pipe.f() is torch.float32


def test_the_default_device_of_a_with_block_holds_there(student):
    pipe = student("import torch\ndef f(): return torch.ones(3)")
    with torch.device("meta"):
        assert pipe.f().device.type == "meta"
    assert pipe.f().device.type == "cpu"


class Largest(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.elements, self.devices = 0, set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, torch.Tensor):
                self.elements = max(self.elements, tensor.numel())
                self.devices.add(tensor.device.type)
        return result


def test_a_dispatch_mode_sees_how_large_the_tensors_made_there_were(student):
    pipe = student(
        "import torch\ndef f(x): return (x[:, None] * x).sum(-1)\ndef g(x): return torch.stack([(x"
        " * y).sum() for y in x])"
    )
    with Largest() as wide:
        pipe.f(torch.ones(50))
    with Largest() as narrow:
        pipe.g(torch.ones(50))
    assert wide.elements == 2500 and narrow.elements == 50


def test_a_dispatch_mode_sees_views_that_were_made_there(student):
    pipe = student("import torch\ndef f(): return torch.ones(1).expand(70, 70)[0, 0].item()")
    with Largest() as mode:
        pipe.f()
    assert mode.elements == 4900


def test_a_dispatch_mode_sees_tensors_made_on_the_cpu_beside_meta_ones(student):
    pipe = student("import torch\ndef f(x): torch.arange(x.shape[0]); return x")
    with Largest() as mode:
        pipe.f(torch.empty(4, device="cpu").to("meta"))
    assert "cpu" in mode.devices


def test_a_record_that_had_to_end_is_no_count_but_an_error_that_says_so(student, monkeypatch):
    pipe = student(
        "import torch\nfrom autograder.sandboxed.rpc import recording\n"
        "recording.MOST_RECORDED = 60\ndef f(n): return sum(torch.ones(1) for _ in range(n))"
    )
    monkeypatch.setattr(recording, "MOST_RECORDED", 60)
    with Largest() as mode:
        pipe.f(10)
    assert mode.elements == 1
    with Largest(), pytest.raises(BridgeError, match="60 tensors or more: too many to follow"):
        pipe.f(40)
    pipe.f(40)  # nobody looks


def test_a_process_that_ends_during_a_call_is_noticed(student):
    with pytest.raises(Gone):
        student("import os\ndef f(): os._exit(0)").f()


def test_an_object_of_an_earlier_conversation_is_refused(student):
    pipe = student("kept = []\ndef keep(g): kept.append(g)\ndef f(): return kept[0](1)")
    pipe.keep(lambda x: x)
    assert pipe.f() == 1
    pipe.endpoint.open = False
    with pytest.raises(BridgeError, match="earlier"):
        pipe.f()


def test_the_same_seed_twice_gives_the_same_numbers_twice(student):
    draw = student("import torch\ndef draw(): return torch.rand(3)").draw
    drawn = []
    for _ in range(2):
        torch.manual_seed(5)
        drawn.append(draw())
    assert torch.equal(*drawn)
