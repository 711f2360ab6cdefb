"""The part of Triton's language that chapter 15 uses: what is called tl_NAME here is what a kernel
knows as tl.NAME. Types are those of Triton's compiler; blocks.py says where the stand-in differs.
"""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType, ModuleType
from typing import Any

import torch
from torch import Tensor

from attention_built.chip.blocks import (
    Block,
    Constexpr,
    Pointer,
    Type,
    alike,
    block,
    called_from,
    fit,
    is_number,
    kind_of,
    made,
    of_two,
    same_types,
    together,
    torch_type,
)
from attention_built.chip.memory import Memory, running, stop


def _target(pointer: Any, mask: Any, what: str) -> tuple[Pointer, Tensor | None]:
    """A pointer and its mask, both of one shape."""
    if not isinstance(pointer, Pointer):
        stop(
            f"{what} needs a pointer, such as X + cols; this is {kind_of(pointer) or repr(pointer)}"
        )
    if mask is None:
        return pointer, None
    asked = block(mask, "a mask")
    if asked.x.dtype != torch.bool:
        stop(f"a mask is true or false, this one is {kind_of(asked)}: compare, as in cols < n")
    offsets, memory = pointer.offsets, pointer.memory
    if what == "tl.load" and offsets.dim():  # as in Triton, pointers of a load are widened, too
        offsets, wide = together(torch.broadcast_tensors, offsets, asked.x)
        return Pointer(memory, offsets), wide
    return pointer, fit(asked.x, offsets.shape, "the mask")


def tl_load(pointer: Any, mask: Any = None, other: Any = None, **_: Any) -> Block:
    if mask is None and other is not None:
        stop("tl.load has an other and no mask: other is for the places that the mask leaves out")
    pointer, mask = _target(pointer, mask, "tl.load")
    other = other if other is None else fit(block(other, "other").x, mask.shape, "other")
    return made(pointer.memory.load(pointer.offsets, mask, other))


def _to_store(what: str, pointer: Any, value: Any, mask: Any) -> tuple[Memory, Tensor, Tensor, Any]:
    pointer, mask = _target(pointer, mask, what)
    numbers = fit(block(value, what).x, pointer.offsets.shape, "what is stored")
    return pointer.memory, pointer.offsets, numbers.to(pointer.memory.flat.dtype), mask


def tl_store(pointer: Any, value: Any, mask: Any = None, **_: Any) -> None:
    memory, offsets, numbers, mask = _to_store("tl.store", pointer, value, mask)
    memory.store(offsets, numbers, mask)


def tl_atomic_add(pointer: Any, val: Any, mask: Any = None, **_: Any) -> Block:
    memory, offsets, numbers, mask = _to_store("tl.atomic_add", pointer, val, mask)
    return made(memory.add(offsets, numbers, mask))


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
        stop(f"tl.dot takes two blocks of one type of float, not {kind_of(a)} and {kind_of(b)}")
    if x.shape[1] < 16:
        stop(f"tl.dot adds up 16 products or more, as matrix units do, not {a.shape} by {b.shape}")
    running().report.flops += 2 * x.shape[1] * max(x.shape[0], 16) * max(y.shape[1], 16)
    if x.dtype == torch.float32 and allow_tf32 is not False and input_precision in (None, "tf32"):
        x, y = _tf32(x), _tf32(y)
    out = torch_type(out_dtype) if x.dtype == torch.float16 else torch.float32
    product = x.double() @ y.double()
    if acc is not None:
        more = block(acc, "acc")
        if more.x.shape != product.shape or more.x.dtype != out:
            stop(f"acc is {kind_of(more)}, the product {Type(out).name} {tuple(product.shape)}")
        product = product + more.x.double()
    return made(product.to(out))


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
    return made(torch.arange(start, end, dtype=torch.int32))


def tl_full(shape: Any, value: Any, dtype: Any) -> Block:
    if not isinstance(shape, (tuple, list)):
        stop("the shape of tl.full and tl.zeros is a list: [ROWS] or [ROWS, D]")
    _known("tl.full and tl.zeros", *shape)
    if any(size < 1 or size & (size - 1) for size in shape):
        stop(f"each side of a block is a power of two; this one is {tuple(shape)}")
    if isinstance(value, float) and not torch_type(dtype).is_floating_point:
        stop(f"tl.full of {dtype.name} takes a whole number, not {value}")
    return made(fit(block(value, "tl.full").x.to(torch_type(dtype)), shape, "the value"))


def tl_zeros(shape: Any, dtype: Any) -> Block:
    return tl_full(shape, 0, dtype)


def tl_trans(x: Any) -> Block:
    turned = block(x, "tl.trans")
    if turned.x.dim() != 2:
        stop(f"tl.trans turns a block with two sides, this is {kind_of(turned)}")
    return Block(turned.x.T)


def tl_where(condition: Any, x: Any, y: Any) -> Block:
    a, b = alike(x, y)
    return made(together(torch.where, block(condition, "tl.where").x.bool(), a, b))


def _each(name: str) -> Callable[[Any], Block]:
    def run(x: Any) -> Block:
        one = block(x, f"tl.{name}")
        if one.x.dtype not in (torch.float32, torch.float64):
            stop(f"tl.{name} takes float32, this is {kind_of(one)}: use .to(tl.float32)")
        return made(getattr(torch, name)(one.x.double()).to(one.x.dtype))

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
        return made(function(numbers, dim=axes, keepdim=keep_dims).to(dtype))

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


def tl_range(*ends: Any, **_: Any) -> Iterator[Block]:
    frame = called_from(inspect.currentframe())
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
            for does, variable in zip(what, variables, strict=True):
                if variable in names and does == "LOAD":
                    return variable
                names = names - {variable}
    return ""


def tl_static_range(*ends: Any) -> range:
    return range(*_known("tl.static_range", *ends))


def tl_abs(x: Any) -> Block:
    return made(block(x, "tl.abs").x.abs())


class Language(ModuleType):
    """The part of triton.language that the stand-in knows."""

    def __getattr__(self, name: str) -> Any:
        known = sorted(name for name in vars(self) if not name.startswith("_"))
        raise AttributeError(f"tl.{name} is not there; the stand-in knows {', '.join(known)}")


def _least(function: Callable[..., Any], of_blocks: Callable[..., Tensor]) -> Callable[..., Any]:
    """Python's min or max as a kernel has it: of numbers a number, else of blocks."""
    return lambda a, b: function(a, b) if is_number(a) and is_number(b) else of_two(of_blocks, a, b)


tl: Any = Language("tl", Language.__doc__)
vars(tl).update({name[3:]: value for name, value in globals().items() if name.startswith("tl_")})
vars(tl).update(
    Type.__members__, constexpr=Constexpr, cdiv=cdiv, static_print=print, device_print=print
)
vars(tl).update({name: _each(name) for name in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt")})
vars(tl).update(max=_reduced("max", torch.amax), min=_reduced("min", torch.amin))
vars(tl).update(sum=_reduced("sum", torch.sum))
vars(tl).update(maximum=partial(of_two, torch.maximum), minimum=partial(of_two, torch.minimum))
# What a block has as methods, too.
METHODS = ("sum", "max", "min", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "trans")
for _name, _method in {**{n: getattr(tl, n) for n in METHODS}, "T": property(tl_trans)}.items():
    setattr(Block, _name, _method)
# What a kernel means by names of Python's own.
BUILTINS = {
    "range": tl_range,
    "min": _least(min, torch.minimum),
    "max": _least(max, torch.maximum),
}
