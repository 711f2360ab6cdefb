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

import inspect
from collections.abc import Callable
from enum import Enum
from functools import partial
from types import FrameType, SimpleNamespace
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
            stop(f"an offset into {self.memory.name} is whole, not {kind_of(more)}: tl.load it?")
        return Pointer(self.memory, together(torch.add, self.offsets, more.x.long()))

    __radd__ = __add__

    def __sub__(self, less: Any) -> Pointer:
        return self + of_two(torch.sub, 0, less)

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

    def __neg__(self) -> Block:
        return of_two(torch.sub, 0 if self.x.dtype != torch.bool else self, self)

    def __invert__(self) -> Block:
        return of_two(torch.bitwise_xor, self, True if self.x.dtype == torch.bool else -1, "whole")

    def to(self, dtype: Any) -> Block:
        return made(self.x.to(torch_type(dtype)))

    def __getitem__(self, index: Any) -> Block:
        if not _only_sides(index):
            stop("a block cannot be cut or looked up, but for [:, None] and [None, :]")
        return Block(self.x[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        stop("a block cannot be changed in part: make a new one with tl.where")

    def __bool__(self) -> bool:
        if self.x.dim():
            stop(f"if, while, and, or, not ask one question, not {self.shape}: use tl.where, & | ~")
        same_types(called_from(inspect.currentframe()))
        return bool(self.x)

    def __index__(self) -> int:
        if self.x.dim() or self.x.dtype.is_floating_point:
            stop(f"a single whole number is needed here, this is {kind_of(self)}")
        return int(self.x)

    def __float__(self) -> float:
        stop("float() and math take Python's numbers, and this is one of the GPU's: use tl")

    def __getattr__(self, name: str) -> Any:
        stop(f"a block has no .{name}: it has .to, .dtype, .shape, .T; for the rest there is tl")

    @classmethod
    def __torch_function__(cls, function: Any, *_: Any) -> Any:
        stop(
            f"torch.{getattr(function, '__name__', function)} does not run inside a kernel: use tl"
        )

    def __repr__(self) -> str:
        return repr(self.x).replace("tensor", "block")


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
        return (
            of_two(function, other, self, rules) if swap else of_two(function, self, other, rules)
        )

    return method


for _name, (_function, _rules) in OPERATORS.items():
    setattr(Block, f"__{_name}__", _operator(_function, _rules, False))
    setattr(Block, f"__r{_name}__", _operator(_function, _rules, True))


def of_two(function: Callable[..., Tensor], a: Any, b: Any, rules: str = "") -> Block:
    """A function of two blocks, in the type that Triton computes it in."""
    x, y = alike(a, b, "divide" in rules)
    if x.dtype == torch.bool and function in (torch.add, torch.sub):
        stop("true and false do not add up (true + true is false on a GPU): use .to(tl.int32)")
    if "whole" in rules and x.dtype.is_floating_point:
        stop(f"this works on whole numbers and true or false, not on {Type(x.dtype).name}")
    return made(together(function, x, y))


def alike(a: Any, b: Any, divide: bool = False) -> tuple[Tensor, Tensor]:
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


def torch_type(value: Any) -> torch.dtype:
    return (
        value.value
        if isinstance(value, Type)
        else stop(f"{value} is no type of tl: say tl.float32")
    )


def kind_of(value: Any) -> str:
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


def together(function: Callable[..., Any], *blocks: Tensor) -> Any:
    try:
        return function(*blocks)
    except RuntimeError as error:
        if "must match" not in str(error):
            raise
    shapes = " and ".join(str(tuple(b.shape)) for b in blocks)
    stop(f"blocks of {shapes} do not fit together: sides are equal or 1; add a side with [:, None]")


def fit(x: Tensor, shape: Any, what: str) -> Tensor:
    try:
        return x.broadcast_to(shape)
    except RuntimeError:
        stop(f"{what} is {tuple(x.shape)}, and the pointers are {tuple(shape)}: they do not fit")


def made(x: Tensor) -> Block:
    """A block that a program made: it must fit into fast memory."""
    size, report = x.numel() * x.element_size(), running().report
    report.largest = max(report.largest, size)
    if size > FAST:
        what = kind_of(Block(x))
        stop(f"a block of {what} takes {size} bytes, and fast memory has {FAST} for a program")
    return Block(x)


def called_from(frame: FrameType | None) -> FrameType:
    """The frame that called a frame's function: a kernel's."""
    assert frame is not None and frame.f_back is not None
    return frame.f_back


def same_types(frame: FrameType) -> None:
    """Raises where a name of the kernel, at a line that runs again, is not of the type and shape
    that it was the first time: Triton compiles a loop once, for one type.
    """
    kinds = {name: kind for name, value in frame.f_locals.items() if (kind := kind_of(value))}
    before = running().kinds.setdefault((frame, frame.f_lineno), kinds)
    for name, kind in before.items():
        if kinds.get(name, kind) != kind:
            stop(
                f"{name} is {kind} before a turn of the loop and {kinds[name]} after it: make "
                "it of the right shape and type first, with tl.zeros or tl.full"
            )
