"""What one program holds, blocks and pointers, and the part of Triton's language that chapter 15
uses. Types are those of Triton's compiler (triton/language/semantic.py): its promotion, integers
that wrap, division of integers that cuts towards zero, tf32 in tl.dot.

Where they differ, the stand-in is stricter: `and`, `or`, `not` between blocks and sums of true and
false are refused, places that a masked load leaves undefined are NaN, and NaN stays NaN in a
maximum. It is laxer with an `if` on a number of the GPU that gives a name another type or shape,
and with `continue` where no text is kept (tests/attention_built/chip_cases.txt has the list).

Numbers that depend on an order of summing, or on how exp is computed, are computed in float64 and
rounded once, so that they are the same on every machine.
"""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_built.chip.memory import FAST, Memory, running, stop


class Type(Enum):
    """The types of numbers, such as tl.float32. PyTorch's own are none of Triton's language."""

    int1 = torch.bool
    int8 = torch.int8
    int16 = torch.int16
    int32 = torch.int32
    int64 = torch.int64
    float16 = torch.float16
    bfloat16 = torch.bfloat16
    float32 = torch.float32
    float64 = torch.float64


class Constexpr:
    """A number that is known when the kernel is compiled; as an annotation, an argument that is."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Pointer:
    """Places in a memory: what a kernel gets for a tensor, and that plus offsets."""

    def __init__(self, memory: Memory, offsets: Tensor) -> None:
        self.memory, self.offsets = memory, offsets
        self.dtype = SimpleNamespace(element_ty=Type(memory.flat.dtype))

    def __add__(self, more: Any) -> Pointer:
        more = block(more, f"an offset into {self.memory.name}")
        if more.x.dtype.is_floating_point:
            stop(f"an offset into {self.memory.name} is whole, not {_kind(more)}: tl.load it?")
        return Pointer(self.memory, _together(torch.add, self.offsets, more.x.long()))

    __radd__ = __add__

    def __sub__(self, less: Any) -> Pointer:
        return self + _two(torch.sub, 0, less)

    def __getitem__(self, index: Any) -> Pointer:
        if not _only_sides(index):
            self._no_tensor()
        return Pointer(self.memory, self.offsets[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._no_tensor()

    def __getattr__(self, name: str) -> Any:
        self._no_tensor(f"the place where its numbers begin: it has no .{name}")

    def _no_tensor(self, more: str = "not a tensor") -> Any:
        name = self.memory.name
        stop(f"{name} is a pointer, {more}: tl.load({name} + ...) brings its numbers")


class Block:
    """The numbers that one program holds: a block, or a single number (its shape is then ())."""

    def __init__(self, x: Tensor) -> None:
        self.x = x

    dtype = property(lambda self: Type(self.x.dtype))
    shape = property(lambda self: tuple(self.x.shape))
    T = property(lambda self: tl_trans(self))

    def __neg__(self) -> Block:
        return _two(torch.sub, 0 if self.x.dtype != torch.bool else self, self)

    def __invert__(self) -> Block:
        return _two(torch.bitwise_xor, self, True if self.x.dtype == torch.bool else -1, "whole")

    def to(self, dtype: Any) -> Block:
        return _made(self.x.to(_type(dtype)))

    def __getitem__(self, index: Any) -> Block:
        if not _only_sides(index):
            stop("a block cannot be cut or looked up, but for [:, None] and [None, :]")
        return Block(self.x[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        stop("a block cannot be changed in part: make a new one with tl.where")

    def __bool__(self) -> bool:
        if self.x.dim():
            stop(f"if, while, and, or, not ask one question, not {self.shape}: use tl.where, & | ~")
        same_types(_caller(inspect.currentframe()))
        return bool(self.x)

    def __index__(self) -> int:
        if self.x.dim() or self.x.dtype.is_floating_point:
            stop(f"a single whole number is needed here, this is {_kind(self)}")
        return int(self.x)

    def __float__(self) -> float:
        stop("float() and math take Python's numbers, and this is one of the GPU's: use tl")

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return partial(getattr(tl, name), self)
        stop(f"a block has no .{name}: it has .to, .dtype, .shape, .T; for the rest there is tl")

    @classmethod
    def __torch_function__(cls, function: Any, *_: Any) -> Any:
        stop(
            f"torch.{getattr(function, '__name__', function)} does not run inside a kernel: use tl"
        )

    def __repr__(self) -> str:
        return repr(self.x).replace("tensor", "block")


METHODS = ("sum", "max", "min", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "trans")


def _divide(a: Tensor, b: Tensor) -> Tensor:
    return a / b if a.dtype.is_floating_point else a.float() / b.float()


# What an operator computes; "divide": float16 in float32; "whole": no floats.
OPERATORS: dict[str, tuple[Callable[..., Tensor], str]] = {
    "add": (torch.add, ""),
    "sub": (torch.sub, ""),
    "mul": (torch.mul, ""),
    "truediv": (_divide, "divide"),
    "floordiv": (partial(torch.div, rounding_mode="trunc"), "divide whole"),  # -7 // 2 is -3
    "mod": (torch.fmod, "divide"),
    "and": (torch.bitwise_and, "whole"),
    "or": (torch.bitwise_or, "whole"),
    "xor": (torch.bitwise_xor, "whole"),
    "lshift": (torch.bitwise_left_shift, "whole"),
    "rshift": (torch.bitwise_right_shift, "whole"),
    **{name: (getattr(torch, name), "") for name in ("lt", "le", "gt", "ge", "eq", "ne")},
}


def _operator(function: Callable[..., Tensor], rules: str, swap: bool) -> Any:
    def method(self: Block, other: Any) -> Any:
        if isinstance(other, Pointer):
            return NotImplemented
        return _two(function, other, self, rules) if swap else _two(function, self, other, rules)

    return method


for _name, (_function, _rules) in OPERATORS.items():
    setattr(Block, f"__{_name}__", _operator(_function, _rules, False))
    setattr(Block, f"__r{_name}__", _operator(_function, _rules, True))


def _two(function: Callable[..., Tensor], a: Any, b: Any, rules: str = "") -> Block:
    """A function of two blocks, in the type that Triton computes it in."""
    x, y = _alike(a, b, "divide" in rules)
    if x.dtype == torch.bool and function in (torch.add, torch.sub):
        stop("true and false do not add up (true + true is false on a GPU): use .to(tl.int32)")
    if "whole" in rules and x.dtype.is_floating_point:
        stop(f"this works on whole numbers and true or false, not on {Type(x.dtype).name}")
    return _made(_together(function, x, y))


def _alike(a: Any, b: Any, divide: bool = False) -> tuple[Tensor, Tensor]:
    """Both as tensors of the type that Triton computes in."""
    numbers = is_number(a), is_number(b)
    x, y = block(a).x, block(b).x
    one, two = x.dtype, y.dtype
    if numbers[0] != numbers[1]:  # a number written in the text takes the block's type, if it can
        written, other = (one, two) if numbers[0] else (two, one)
        whole = not written.is_floating_point and (other != torch.bool or written == other)
        if other.is_floating_point or whole:
            one = two = other
    kinds = {one, two}
    if not any(kind.is_floating_point for kind in kinds):
        dtype = torch.promote_types(one, two)
        if dtype == torch.int32 and torch.int64 in (x.dtype, y.dtype):
            number = int(x if numbers[0] else y)
            stop(f"{number} does not fit into int32: use .to(tl.int64) on the block")
    elif torch.float64 in kinds:
        dtype = torch.float64
    elif divide or torch.float32 in kinds:
        dtype = torch.float32
    elif torch.float16 in kinds:
        dtype = torch.float16
    else:
        dtype = torch.bfloat16 if one == two else torch.float32
    return x.to(dtype), y.to(dtype)


def block(value: Any, what: str = "this") -> Block:
    """A block, or a number as one."""
    value = value.value if isinstance(value, Constexpr) else value
    if isinstance(value, Block):
        return value
    if is_number(value):
        return Block(torch.tensor(value, dtype=_number_type(value)))
    if isinstance(value, Pointer):
        begin = "the place where its numbers begin"
        stop(
            f"{value.memory.name} is a pointer, {begin}; {what} needs numbers: tl.load brings them"
        )
    tensor = isinstance(value, Tensor)
    kind = (
        "a torch tensor, which is in no program" if tensor else f"a Python {type(value).__name__}"
    )
    stop(f"{what} needs a block or a number, this is {kind}")


def is_number(value: Any) -> bool:
    """Whether value is one of Python's numbers."""
    return isinstance(value, (bool, int, float))


def _number_type(value: Any) -> torch.dtype:
    if isinstance(value, (bool, float)):
        return torch.bool if isinstance(value, bool) else torch.float32
    return torch.int32 if -(2**31) <= value < 2**31 else torch.int64


def _type(value: Any) -> torch.dtype:
    return (
        value.value
        if isinstance(value, Type)
        else stop(f"{value} is no type of tl: say tl.float32")
    )


def _kind(value: Any) -> str:
    """Type and shape of what a name in a kernel stands for; "" of what no GPU holds."""
    if isinstance(value, Pointer):
        return f"a pointer {tuple(value.offsets.shape)}"
    if not isinstance(value, Block) and not is_number(value):
        return ""
    one = block(value)
    return f"{one.dtype.name} {one.shape}"


def _only_sides(index: Any) -> bool:
    """Whether an index only adds sides, as [:, None] does."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(i is None or isinstance(i, slice) and i == slice(None) for i in parts)


def _together(function: Callable[..., Any], *blocks: Tensor) -> Any:
    try:
        return function(*blocks)
    except RuntimeError as error:
        if "must match" not in str(error):
            raise
    shapes = " and ".join(str(tuple(b.shape)) for b in blocks)
    stop(f"blocks of {shapes} do not fit together: sides are equal or 1; add a side with [:, None]")


def _fit(x: Tensor, shape: Any, what: str) -> Tensor:
    try:
        return x.broadcast_to(shape)
    except RuntimeError:
        stop(f"{what} is {tuple(x.shape)}, and the pointers are {tuple(shape)}: they do not fit")


def _made(x: Tensor) -> Block:
    """A block that a program made: it must fit into fast memory."""
    size, report = x.numel() * x.element_size(), running().report
    report.largest = max(report.largest, size)
    if size > FAST:
        made = _kind(Block(x))
        stop(f"a block of {made} takes {size} bytes, and fast memory has {FAST} for a program")
    return Block(x)


# What follows and is called tl_NAME is what a kernel knows as tl.NAME.


def _target(pointer: Any, mask: Any, what: str) -> tuple[Pointer, Tensor | None]:
    """A pointer and its mask, both of one shape."""
    if not isinstance(pointer, Pointer):
        stop(f"{what} needs a pointer, such as X + cols; this is {_kind(pointer) or repr(pointer)}")
    if mask is None:
        return pointer, None
    asked = block(mask, "a mask")
    if asked.x.dtype != torch.bool:
        stop(f"a mask is true or false, this one is {_kind(asked)}: compare, as in cols < n")
    offsets, memory = pointer.offsets, pointer.memory
    if what == "tl.load" and offsets.dim():  # as in Triton, pointers of a load are widened, too
        offsets, wide = _together(torch.broadcast_tensors, offsets, asked.x)
        return Pointer(memory, offsets), wide
    return pointer, _fit(asked.x, offsets.shape, "the mask")


def tl_load(pointer: Any, mask: Any = None, other: Any = None, **_: Any) -> Block:
    if mask is None and other is not None:
        stop("tl.load has an other and no mask: other is for the places that the mask leaves out")
    pointer, mask = _target(pointer, mask, "tl.load")
    other = other if other is None else _fit(block(other, "other").x, mask.shape, "other")
    return _made(pointer.memory.load(pointer.offsets, mask, other))


def _to_store(what: str, pointer: Any, value: Any, mask: Any) -> tuple[Memory, Tensor, Tensor, Any]:
    pointer, mask = _target(pointer, mask, what)
    numbers = _fit(block(value, what).x, pointer.offsets.shape, "what is stored")
    return pointer.memory, pointer.offsets, numbers.to(pointer.memory.flat.dtype), mask


def tl_store(pointer: Any, value: Any, mask: Any = None, **_: Any) -> None:
    memory, offsets, numbers, mask = _to_store("tl.store", pointer, value, mask)
    memory.store(offsets, numbers, mask)


def tl_atomic_add(pointer: Any, val: Any, mask: Any = None, **_: Any) -> Block:
    memory, offsets, numbers, mask = _to_store("tl.atomic_add", pointer, val, mask)
    return _made(memory.add(offsets, numbers, mask))


def tl_dot(
    input: Any,
    other: Any,
    acc: Any = None,
    input_precision: str | None = None,
    allow_tf32: bool | None = None,
    out_dtype: Any = Type.float32,
) -> Block:
    a, b = block(input, "tl.dot"), block(other, "tl.dot")
    x, y = a.x, b.x
    if x.dim() != 2 or y.dim() != 2 or x.shape[1] != y.shape[0]:
        stop(
            f"tl.dot multiplies (m, k) by (k, n), not {a.shape}, {b.shape}: is a tl.trans missing?"
        )
    if x.dtype != y.dtype or x.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        stop(f"tl.dot takes two blocks of one type of float, not {_kind(a)} and {_kind(b)}")
    if x.shape[1] < 16:
        stop(f"tl.dot adds up 16 products or more, as matrix units do, not {a.shape} by {b.shape}")
    running().report.flops += 2 * x.shape[1] * max(x.shape[0], 16) * max(y.shape[1], 16)
    if x.dtype == torch.float32 and allow_tf32 is not False and input_precision in (None, "tf32"):
        x, y = _tf32(x), _tf32(y)
    out = _type(out_dtype) if x.dtype == torch.float16 else torch.float32
    product = x.double() @ y.double()
    if acc is not None:
        more = block(acc, "acc")
        if more.x.shape != product.shape or more.x.dtype != out:
            stop(f"acc is {_kind(more)}, the product {Type(out).name} {tuple(product.shape)}")
        product = product + more.x.double()
    return _made(product.to(out))


def _tf32(x: Tensor) -> Tensor:
    """What the matrix units look at: 10 of float32's 23 bits."""
    return (x.contiguous().view(torch.int32) & -8192).view(torch.float32)


def _known(what: str, *sizes: Any) -> tuple[int, ...]:
    """Sizes, each one of Python's whole numbers."""
    for size in sizes:
        if not isinstance(size, int):
            got = "one of the GPU's" if isinstance(size, Block) else repr(size)
            stop(f"{what} needs sizes that are known before the kernel runs, not {got}")
    return sizes


def tl_arange(start: Any, end: Any) -> Block:
    _known("tl.arange", start, end)
    size = end - start
    if size < 1 or size & (size - 1):
        stop(
            f"a block has a power of two of numbers; tl.arange({start}, {end}) has {size}: take "
            "the next one, and a mask"
        )
    return _made(torch.arange(start, end, dtype=torch.int32))


def tl_full(shape: Any, value: Any, dtype: Any) -> Block:
    if not isinstance(shape, (tuple, list)):
        stop("the shape of tl.full and tl.zeros is a list: [ROWS] or [ROWS, D]")
    _known("tl.full and tl.zeros", *shape)
    if any(size < 1 or size & (size - 1) for size in shape):
        stop(f"each side of a block is a power of two; this one is {tuple(shape)}")
    if isinstance(value, float) and not _type(dtype).is_floating_point:
        stop(f"tl.full of {dtype.name} takes a whole number, not {value}")
    return _made(_fit(block(value, "tl.full").x.to(_type(dtype)), shape, "the value"))


def tl_zeros(shape: Any, dtype: Any) -> Block:
    return tl_full(shape, 0, dtype)


def tl_trans(x: Any) -> Block:
    turned = block(x, "tl.trans")
    if turned.x.dim() != 2:
        stop(f"tl.trans turns a block with two sides, this is {_kind(turned)}")
    return Block(turned.x.T)


def tl_where(condition: Any, x: Any, y: Any) -> Block:
    a, b = _alike(x, y)
    return _made(_together(torch.where, block(condition, "tl.where").x.bool(), a, b))


def _each(name: str) -> Callable[[Any], Block]:
    def run(x: Any) -> Block:
        one = block(x, f"tl.{name}")
        if one.x.dtype not in (torch.float32, torch.float64):
            stop(f"tl.{name} takes float32, this is {_kind(one)}: use .to(tl.float32)")
        return _made(getattr(torch, name)(one.x.double()).to(one.x.dtype))

    return run


def _reduced(name: str, function: Callable[..., Tensor]) -> Callable[..., Block]:
    def run(x: Any, axis: int | None = None, keep_dims: bool = False) -> Block:
        one = block(x, f"tl.{name}")
        numbers, sides = one.x, one.x.dim()
        if not -sides <= (axis or 0) < sides:
            stop(f"tl.{name} along axis {axis}: this is a block of {one.shape}")
        if not numbers.dtype.is_floating_point:
            dtype = torch.promote_types(numbers.dtype, torch.int32)
        else:  # as in Triton, a maximum of float16 is float32, and a sum of float16 is float16
            short = numbers.dtype in (torch.float16, torch.bfloat16) and name != "sum"
            dtype, numbers = torch.float32 if short else numbers.dtype, numbers.double()
        axes = tuple(range(sides)) if axis is None else axis
        return _made(function(numbers, dim=axes, keepdim=keep_dims).to(dtype))

    return run


def cdiv(a: Any, b: Any) -> Any:
    """How many pieces of b cover a."""
    return (a + (b - 1)) // b


def _asked(at: tuple[int, ...], axis: Any, outside: int) -> Block:
    if axis not in (0, 1, 2):
        stop(f"a grid has the axes 0, 1 and 2, and not {axis}")
    return block(at[axis] if axis < len(at) else outside)


def tl_program_id(axis: Any) -> Block:
    return _asked(running().program(), axis, 0)


def tl_num_programs(axis: Any) -> Block:
    return _asked(running().grid, axis, 1)


def _caller(frame: FrameType | None) -> FrameType:
    """The frame that called a frame's function: a kernel's."""
    assert frame is not None and frame.f_back is not None
    return frame.f_back


def same_types(frame: FrameType) -> None:
    """Raises where a name of the kernel, at a line that runs again, is not of the type and shape
    that it was the first time: Triton compiles a loop once, for one type.
    """
    kinds = {name: kind for name, value in frame.f_locals.items() if (kind := _kind(value))}
    before = running().kinds.setdefault((frame, frame.f_lineno), kinds)
    for name, kind in before.items():
        if kinds.get(name, kind) != kind:
            stop(
                f"{name} is {kind} before a turn of the loop and {kinds[name]} after it: make "
                "it of the right shape and type first, with tl.zeros or tl.full"
            )


def tl_range(*ends: Any, **_: Any) -> Iterator[Block]:
    frame = _caller(inspect.currentframe())
    before = {*frame.f_locals}
    same_types(frame)
    for i in range(*ends):
        try:
            yield Block(torch.tensor(i, dtype=torch.int32))
        except GeneratorExit:  # the loop is left before its end
            running().left = True
            raise
        same_types(frame)
    launch, loop = running(), (frame.f_code, frame.f_lineno)
    new = set() if loop in launch.ended else {*frame.f_locals} - before
    launch.ended.add(loop)
    if name := _used_after(frame, new):
        stop(f"{name} is first made inside a loop, which may have no turn: make it above, too")


def _used_after(frame: FrameType, names: set[str]) -> str:
    """Which of the names is read before it is made anew, below the loop at whose end a frame is."""
    steps = list(dis.get_instructions(frame.f_code)) if names else []
    loops = [s.argval for s in steps if s.opname == "FOR_ITER" and s.offset <= frame.f_lasti]
    for step in steps:
        if step.offset >= loops[-1] and "_FAST" in step.opname:
            what = re.findall("LOAD|STORE|DELETE", step.opname)  # one step may be two of them
            variables = step.argval if isinstance(step.argval, tuple) else [step.argval]
            for does, name in zip(what, variables, strict=True):
                if name in names and does == "LOAD":
                    return name
                names = names - {name}
    return ""


def tl_static_range(*ends: Any) -> range:
    return range(*_known("tl.static_range", *ends))


def tl_abs(x: Any) -> Block:
    return _made(block(x, "tl.abs").x.abs())


class Language(ModuleType):
    """The part of triton.language that the stand-in knows."""

    def __getattr__(self, name: str) -> Any:
        known = sorted(name for name in vars(self) if not name.startswith("_"))
        raise AttributeError(f"tl.{name} is not there; the stand-in knows {', '.join(known)}")


def _least(function: Callable[..., Any], two: Callable[..., Tensor]) -> Callable[..., Any]:
    """Python's min or max as a kernel has it: of numbers a number, else of blocks."""
    return lambda a, b: function(a, b) if is_number(a) and is_number(b) else _two(two, a, b)


tl: Any = Language("tl", Language.__doc__)
vars(tl).update({name[3:]: value for name, value in globals().items() if name.startswith("tl_")})
vars(tl).update(
    Type.__members__, constexpr=Constexpr, cdiv=cdiv, static_print=print, device_print=print
)
vars(tl).update({name: _each(name) for name in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt")})
for _name, _function in {"max": torch.amax, "min": torch.amin, "sum": torch.sum}.items():
    setattr(tl, _name, _reduced(_name, _function))
for _name, _function in {"maximum": torch.maximum, "minimum": torch.minimum}.items():
    setattr(tl, _name, partial(_two, _function))
# What a kernel means by names of Python's own.
BUILTINS = {
    "range": tl_range,
    "min": _least(min, torch.minimum),
    "max": _least(max, torch.maximum),
}
