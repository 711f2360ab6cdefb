"""What a GPU does silently, or dies of, the stand-in says in one sentence."""

import pytest
import torch

from attention_built.chip import Kernel, KernelError, tl
from attention_built.chip import Kernel as kernel

OUTSIDE = 3
FAULTS = []


def helper(x):
    return x


def fault(says, **more):
    """A kernel that is launched on X (5, 8) and Y (5, 8), and the sentence that must come."""

    def keep(function):
        FAULTS.append(pytest.param(says, function, more, id=function.__name__))
        return function

    return keep


@kernel
def places(B: tl.constexpr):
    return tl.program_id(0) * B + tl.arange(0, B)


@fault(r"program \(2,\) reads X at 47, and X has 40 numbers, 0 to 39: is a mask missing, or an")
def load_outside(X, Y, n, B: tl.constexpr):
    tl.load(X + places(B))


@fault(r"program \(0,\) reads X at -1, ")
def load_before(X, Y, n, B: tl.constexpr):
    at = places(B)
    tl.load(X + at - 1, mask=at < n, other=0.0)


@fault(r"program \(2,\) writes Y at 47, and Y has 40 numbers")
def store_outside(X, Y, n, B: tl.constexpr):
    tl.store(Y + places(B), 1.0)


@fault(r"program \(\d,\) and program \(\d,\) both write Y\[0, 0\]: which number stays is chance")
def two_on_one_place(X, Y, n, B: tl.constexpr):
    tl.store(Y + tl.arange(0, B), 1.0)


@fault(
    r"reads Y\[\d, \d\], which program \(\d,\) writes|writes Y\[\d, \d\], which program \(\d,\) r"
)
def reads_what_another_wrote(X, Y, n, B: tl.constexpr):
    at = places(B)
    before = tl.load(Y + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(Y + at, before, mask=at < n)


@fault(r"program \(1,\) writes X\[0, 0\], which another program reads in the same launch: programs")
def writes_what_others_read(X, Y, n, B: tl.constexpr):
    tl.load(X)
    if tl.program_id(0) == 1:  # the last in the order that three programs run in
        tl.store(X, 1.0)


@fault(r"program \(0,\) writes Y\[0, 0\] 2 times in one tl.store: which number stays", grid=(1,))
def twice_in_one_store(X, Y, n, B: tl.constexpr):
    tl.store(Y + tl.arange(0, B) // 2, 1.0)


@fault(r"adds to Y\[0, 0\], which program .* writes|both write Y\[0, 0\]", grid=(2,))
def atomic_and_store(X, Y, n, B: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.atomic_add(Y, 1.0)
    else:
        tl.store(Y, 1.0)


@fault(r"a block has a power of two of numbers; tl.arange\(0, 40\) has 40: take the next one")
def not_a_power_of_two(X, Y, n, B: tl.constexpr):
    tl.arange(0, 40)


@fault(r"each side of a block is a power of two; this one is \(16, 40\)")
def zeros_not_a_power(X, Y, n, B: tl.constexpr):
    tl.zeros([B, 40], tl.float32)


@fault("the shape of tl.full and tl.zeros is a list")
def shape_no_list(X, Y, n, B: tl.constexpr):
    tl.zeros(B, tl.float32)


@fault(r"tl.arange needs sizes that are known before the kernel runs, not one of the GPU's")
def size_not_known(X, Y, n, B: tl.constexpr):
    tl.arange(0, n)


@fault(r"tl.dot adds up 16 products or more, as matrix units do, not \(16, 8\) by \(8, 16\)")
def dot_too_small(X, Y, n, B: tl.constexpr):
    tl.dot(tl.zeros([16, 8], tl.float32), tl.zeros([8, 16], tl.float32))


@fault(r"one type of float, not float32 \(16, 16\) and bfloat16 \(16, 16\)")
def dot_of_two_types(X, Y, n, B: tl.constexpr):
    tl.dot(tl.zeros([16, 16], tl.float32), tl.zeros([16, 16], tl.bfloat16))


@fault(r"\(m, k\) by \(k, n\), not \(16, 32\), \(16, 32\): is a tl.trans missing\?")
def dot_of_wrong_sides(X, Y, n, B: tl.constexpr):
    tl.dot(tl.zeros([16, 32], tl.float32), tl.zeros([16, 32], tl.float32))


@fault(r"acc is float16 \(16, 16\), the product float32 \(16, 16\)")
def dot_onto_another_type(X, Y, n, B: tl.constexpr):
    square = tl.zeros([16, 16], tl.float32)
    tl.dot(square, square, acc=tl.zeros([16, 16], tl.float16))


@fault("X is not contiguous, so offsets lead elsewhere", x=torch.randn(8, 5).T)
def not_contiguous(X, Y, n, B: tl.constexpr):
    tl.load(X)


@fault("X is on meta, and the stand-in on the CPU", x=torch.zeros(5, 8, device="meta"))
def on_another_device(X, Y, n, B: tl.constexpr):
    tl.load(X)


@fault(r"float32 \(256, 256\) takes 262144 bytes, and fast memory has 232448 for a program")
def too_large(X, Y, n, B: tl.constexpr):
    tl.zeros([256, 256], tl.float32)


@fault(r"m is float32 \(\) before a turn of the loop and float32 \(16,\) after it: make it of")
def python_number_for_a_block(X, Y, n, B: tl.constexpr):
    m = 0.0
    for start in range(0, 32, B):
        m = tl.maximum(m, tl.load(X + start + tl.arange(0, B)))


@fault(r"m is float32 \(\) before a turn of the loop and float32 \(16,\) after it")
def python_number_in_a_while(X, Y, n, B: tl.constexpr):
    m, start = 0.0, 0
    while start < n // 2:
        m = m + tl.arange(0, B)
        start += B


@fault("last is first made inside a loop, which may have no turn")
def made_in_a_loop(X, Y, n, B: tl.constexpr):
    for start in range(0, n, B):
        last = start + tl.arange(0, B)
    tl.store(Y + last, 1.0)


@fault("tl.sum needs a block or a number, this is a Python list")
def python_list(X, Y, n, B: tl.constexpr):
    tl.sum([1.0, 2.0], 0)


@fault(r"tl.max along axis 0: this is a block of \(\)")
def python_number_to_max(X, Y, n, B: tl.constexpr):
    tl.max(3.0, 0)


@fault(r"a mask is true or false, this one is int32 \(16,\): compare, as in cols < n")
def mask_of_numbers(X, Y, n, B: tl.constexpr):
    tl.load(X + places(B), mask=n - places(B), other=0.0)


@fault("tl.load has an other and no mask")
def other_without_a_mask(X, Y, n, B: tl.constexpr):
    tl.load(X, other=0.0)


@fault(r"what is stored is \(16, 16\), and the pointers are \(16,\): they do not fit")
def stored_does_not_fit(X, Y, n, B: tl.constexpr):
    tl.store(Y + tl.arange(0, B), tl.zeros([16, 16], tl.float32))


@fault("X is a pointer, the place where its numbers begin; tl.exp needs numbers: tl.load brings")
def pointer_for_numbers(X, Y, n, B: tl.constexpr):
    tl.exp(X)


@fault(r"tl.load needs a pointer, such as X \+ cols; this is int32 \(16,\)")
def numbers_for_a_pointer(X, Y, n, B: tl.constexpr):
    tl.load(places(B))


@fault(r"an offset into X is whole, not float32 \(\)")
def offset_of_a_fraction(X, Y, n, B: tl.constexpr):
    tl.load(X + n / 2)


@fault("torch.exp does not run inside a kernel: use tl")
def torch_inside(X, Y, n, B: tl.constexpr):
    torch.exp(tl.load(X))


@fault("torch.float16 is no type of tl")
def type_of_torch(X, Y, n, B: tl.constexpr):
    tl.load(X).to(torch.float16)


@fault(r"if, while, and, or, not ask one question, not \(16,\): use tl.where, & \| ~")
def chain(X, Y, n, B: tl.constexpr):
    tl.where(0 <= places(B) < n, 1.0, 0.0)


@fault("a block cannot be cut or looked up")
def cut(X, Y, n, B: tl.constexpr):
    places(B)[:4]


@fault("a block cannot be changed in part: make a new one with tl.where")
def set_a_place(X, Y, n, B: tl.constexpr):
    places(B)[0] = 1


@fault(r"blocks of \(16,\) and \(4,\) do not fit together: sides are equal or 1; add a side with")
def no_fit(X, Y, n, B: tl.constexpr):
    tl.arange(0, 16) + tl.arange(0, 4)


@fault(r"tl.exp takes float32, this is bfloat16 \(\): use .to", x=torch.zeros(40).bfloat16())
def exp_of_bfloat16(X, Y, n, B: tl.constexpr):
    tl.exp(tl.load(X))


@fault("tl.softmax is not there; the stand-in knows .*, where")
def not_there(X, Y, n, B: tl.constexpr):
    tl.softmax(tl.arange(0, B))


@fault("a block has no .softmax: it has .to")
def no_such_method(X, Y, n, B: tl.constexpr):
    tl.arange(0, B).softmax()


@fault(r"the grid \(2.5,\) is not one to three whole numbers from 1 up: use cdiv", grid=(40 / 16,))
def grid_of_a_fraction(X, Y, n, B: tl.constexpr):
    pass


@fault(r"the grid \(0,\) is not one to three whole numbers", grid=(8 // 16,))
def grid_of_nothing(X, Y, n, B: tl.constexpr):
    pass


@fault(r"the grid is a tuple, such as \(3,\)", grid=3)
def grid_no_tuple(X, Y, n, B: tl.constexpr):
    pass


@fault(r"X is a pointer, not a tensor: tl.load\(X \+ ...\) brings its numbers")
def looks_up(X, Y, n, B: tl.constexpr):
    X[0]


@fault(r"X is a pointer, not a tensor: tl.load\(X \+ ...\) brings its numbers")
def sets(X, Y, n, B: tl.constexpr):
    X[0] = 1.0


@fault("missing a required argument: 'B'", known={})
def missing_argument(X, Y, n, B: tl.constexpr):
    pass


@fault(
    "B is a tl.constexpr, known before the kernel runs; it got a tensor", known={"B": torch.ones(1)}
)
def tensor_for_a_constexpr(X, Y, n, B: tl.constexpr):
    pass


@fault(r"sees only arguments, not OUTSIDE: pass it, or write OUTSIDE = tl.constexpr\(...\)")
def number_from_outside(X, Y, n, B: tl.constexpr):
    tl.store(Y, OUTSIDE)


@fault("calls helper, which is no kernel: write @kernel above it, too")
def calls_a_plain_function(X, Y, n, B: tl.constexpr):
    helper(n)


@fault(r"Triton's language has no break, and line \d+ has one")
def stops_early(X, Y, n, B: tl.constexpr):
    for _ in range(3):
        break


@fault("Triton's language has no return inside a loop")
def returns_from_a_loop(X, Y, n, B: tl.constexpr):
    for _ in range(3):
        return


@fault("true and false do not add up")
def adds_true_and_true(X, Y, n, B: tl.constexpr):
    (places(B) < n) + (places(B) < 3)


@fault("does not fit into int32: use .to")
def too_large_a_number(X, Y, n, B: tl.constexpr):
    places(B) + 2**40


@fault("a grid has the axes 0, 1 and 2, and not 3")
def fourth_axis(X, Y, n, B: tl.constexpr):
    tl.program_id(3)


@pytest.mark.parametrize(("says", "function", "more"), FAULTS)
def test_a_fault_is_told_in_one_line_with_the_kernel(says, function, more):
    x, y = more.get("x", torch.randn(5, 8)), torch.zeros(5, 8)
    with pytest.raises(KernelError, match=says) as caught:
        Kernel(function)[more.get("grid", (3,))](x, y, 40, **more.get("known", {"B": 16}))
    said = str(caught.value)
    assert "\n" not in said and f"(in {function.__name__}" in said and len(said) < 420


def test_a_line_is_named_and_its_text_where_that_is_kept():
    with pytest.raises(KernelError, match=r"\(in looks_up, line \d+: X\[0\]\)$"):
        Kernel(looks_up)[(1,)](torch.ones(1), torch.ones(1), 1, B=16)
    names = {"tl": tl}
    exec("def f(X):\n    tl.load(X + 7)\n", names)  # as a cell whose text is kept nowhere
    with pytest.raises(KernelError, match=r"or an offset wrong\? \(in f, line 2\)$"):
        Kernel(names["f"])[(1,)](torch.ones(3))


def test_a_break_is_found_where_no_text_is_kept():
    names = {"tl": tl}
    exec("def f(n):\n    for i in range(n):\n        if i > 1:\n            break\n", names)
    with pytest.raises(KernelError, match="Triton's language has no break"):
        Kernel(names["f"])[(1,)](5)
    Kernel(names["f"])[(1,)](1)


def test_a_kernel_that_is_not_begun_says_so():
    @kernel
    def stub(X):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        stub[(1,)](torch.ones(1))


def test_arguments_may_share_memory_until_one_is_written():
    @kernel
    def copy(X, Z, Y):
        at = tl.arange(0, 4)
        tl.store(Y + at, tl.load(X + at) + tl.load(Z + at))

    x = torch.arange(10.0)
    copy[(1,)](x[:6], x[4:], torch.zeros(4))
    with pytest.raises(KernelError, match="Y is written, and X overlaps with it: use a new tensor"):
        copy[(1,)](x[:6], torch.zeros(4), x[4:])


def test_outside_a_launch_nothing_runs():
    with pytest.raises(KernelError, match="places needs a grid, how many programs to start"):
        places(16)
    with pytest.raises(KernelError, match="tl works only inside a kernel that was launched"):
        tl.program_id(0)
