"""What is sent arrives as it was, and as nothing else than plain data."""

import math

import numpy as np
import pytest
import torch

ECHO = (
    "def echo(value): return value\ndef kind(value): return type(value).__name__\ndef look(x):"
    " return [list(x.shape), list(x.stride()), x.storage_offset(), str(x.dtype), x.device.type]\n"
)

PLAIN = [
    None,
    True,
    False,
    0,
    -7,
    2**70,
    1.5,
    -0.0,
    float("inf"),
    "text",
    "ünïcödé 🙂",
    "",
    3 + 4j,
    b"\x00bytes",
    (1, (2, "x")),
    [1, [2]],
    {"a": 1, 2: [3], (1, 2): None},
    {1, 2},
    frozenset({3}),
    slice(1, None, 2),
    ...,
    range(3, 9, 2),
    torch.Size([2, 3]),
    torch.float64,
    torch.device("cpu"),
    torch.device("meta"),
    (),
    [],
    {},
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back_as_they_were(student, value):
    back = student(ECHO).echo(value)
    assert back == value and type(back) is type(value)


def test_nan_comes_back(student):
    assert math.isnan(student(ECHO).echo(float("nan")))


@pytest.mark.parametrize(
    "dtype",
    [
        torch.bool,
        torch.uint8,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
        torch.complex64,
    ],
    ids=str,
)
def test_tensors_keep_dtype_and_values(student, dtype):
    tensor = (torch.arange(12).view(3, 4) % 5).to(dtype)
    back = student("def copied(x): return x.clone()").copied(tensor)
    assert back.dtype is dtype and torch.equal(back, tensor)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.arange(24.0).view(2, 3, 4).transpose(0, 2),
        lambda: torch.arange(24.0)[::3],
        lambda: torch.arange(6.0)[2:5],
        lambda: torch.ones(3, 1).expand(3, 5),
        lambda: torch.tensor(3.0),
        lambda: torch.empty(0, 3),
        lambda: torch.arange(12.0).as_strided((3, 3), (2, 1)),
    ],
    ids=["transposed", "every third", "offset", "expanded", "0-d", "empty", "overlapping"],
)
def test_strides_arrive_on_the_other_side(student, make):
    tensor = make()
    size, stride, *_ = student(ECHO).look(tensor)
    assert size == list(tensor.shape) and (stride == list(tensor.stride()) or tensor.numel() == 0)


def test_views_of_one_memory_stay_views_of_one_memory(student):
    base = torch.zeros(6)
    write = student("def write(a, b):\n    a.fill_(1)\n    return b.sum().item()").write
    assert write(base[:4], base[2:]) == 2
    assert base.tolist() == [1, 1, 1, 1, 0, 0]


def test_only_the_span_that_is_seen_travels(student):
    pipe = student(ECHO)
    assert pipe.look(torch.zeros(10_000_000)[5:8])[0] == [3]


def test_meta_tensors_stay_meta(student):
    back = student("def f(x): return x @ x.mT").f(torch.empty(2, 3, 5, device="meta"))
    assert back.device.type == "meta" and back.shape == (2, 3, 3)


def test_a_tensor_subclass_arrives_as_a_tensor(student):
    back = student(
        "import torch\nclass Odd(torch.Tensor): pass\ndef f(): return"
        " torch.ones(3).as_subclass(Odd)"
    ).f()
    assert type(back) is torch.Tensor and back.tolist() == [1, 1, 1]


def test_numpy_arrays_and_scalars_arrive(student):
    pipe = student(
        "import numpy as np\ndef f(): return np.arange(6.0).reshape(2, 3).T, np.float32(2.5),"
        " np.bool_(True), np.array([True, False])"
    )
    array, number, truth, truths = pipe.f()
    assert (
        array.tolist() == [[0, 3], [1, 4], [2, 5]]
        and number == 2.5
        and type(number) is np.float32
        and truth
        and truths.tolist() == [True, False]
    )


def test_named_tuples_and_dict_views_become_plain(student):
    values, keys = student(
        "import torch\ndef f(): return torch.ones(2, 3).max(dim=1), {'a': 1}.keys()"
    ).f()
    assert type(values) is tuple and keys == ["a"]


def test_subclasses_of_plain_types_become_plain(student):
    code = (
        "class I(int):\n    def __eq__(self, o): return True\nclass S(str): pass\nclass L(list):"
        " pass\ndef f(): return I(3), S('x'), L([1])"
    )
    back = student(code).f()
    assert [type(value) for value in back] == [int, str, list] and back[0] != 4


def test_the_same_list_twice_is_one_list(student):
    part = [1]
    assert student("def f(x): return x[0] is x[1]").f([part, part])


def test_a_value_that_holds_itself_travels(student):
    loop = [1]
    loop.append(loop)
    assert student("def f(x): return x[1] is x").f(loop)


def test_what_came_in_goes_back_as_itself(student):
    pipe, tensor, held = student(ECHO), torch.ones(2), [1, 2]
    assert pipe.echo(tensor) is tensor and pipe.echo(held) is held


def test_sparse_tensors_are_refused_with_a_reason(student):
    with pytest.raises(Exception, match="sparse"):
        student("import torch\ndef f(): return torch.eye(3).to_sparse()").f()


def test_dataclasses_of_a_check_become_the_students_of_that_name(student):
    import dataclasses

    @dataclasses.dataclass
    class Config:
        width: int
        depth: int = 2

    code = (
        "import dataclasses\n@dataclasses.dataclass\nclass Config:\n    width: int\n    depth: int"
        " = 1\n    def area(self): return self.width * self.depth\ndef f(c): return c.area(),"
        " type(c) is Config"
    )
    assert student(code).f(Config(3)) == (6, True)
