"""Kernels and their launches: every program of a grid, one after the other, in a random order."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import linecache
import math
import os
import random
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import torch
from torch import Tensor

from attention_built.chip.blocks import Constexpr, Pointer, _block, gpu_range, is_number, tl
from attention_built.chip.memory import KernelError, Launch, Memory, Report, current

NOT_IN_TRITON = (
    ast.Break,
    ast.Continue,
    ast.Try,
    ast.Raise,
    ast.Lambda,
    ast.DictComp,
    ast.SetComp,
    ast.GeneratorExp,
)


class Kernel:
    """A function of blocks. kernel[grid](...) runs it once for each place in the grid, and returns
    the Report of what it moved.
    """

    def __init__(self, function: Any) -> None:
        self.function, self.__name__, self.__doc__ = function, function.__name__, function.__doc__
        self.signature = inspect.signature(function)
        self.known = {
            name
            for name, p in self.signature.parameters.items()
            if "constexpr" in str(p.annotation).lower()
        }
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, SyntaxError):  # a cell whose text is kept nowhere
            return
        for node in ast.walk(tree):
            if isinstance(node, NOT_IN_TRITON):
                raise KernelError(
                    f"{self.__name__}, line {node.lineno} of it: Triton's language has no "
                    f"{type(node).__name__.lower()}"
                )

    def _body(self) -> Any:
        """The function with Triton's range, and without the numbers around it that a GPU would not
        see.
        """
        around = dict(self.function.__globals__, range=gpu_range)
        seen = inspect.getclosurevars(self.function)
        for name, value in {**seen.globals, **seen.nonlocals}.items():
            if _of_triton(value):
                around[name] = _replaced(value)
            elif isinstance(value, Constexpr):
                around[name] = value.value
            elif is_number(value) or isinstance(value, Tensor):
                raise KernelError(
                    f"{self.__name__} uses {name} from outside: a kernel sees only its arguments; "
                    f"pass it, or write {name} = tl.constexpr(...)"
                )
        old = self.function
        return FunctionType(old.__code__, around, old.__name__, old.__defaults__, old.__closure__)

    def __call__(self, *args: Any, **options: Any) -> Any:
        launch = current.get()
        if launch is None:
            raise KernelError(
                f"{self.__name__} needs a grid, how many programs to start: "
                f"{self.__name__}[(programs,)](...)"
            )
        launch.codes[self.function.__code__] = self.__name__
        return self._body()(*args, **options)

    def __getitem__(self, grid: Any) -> Callable[..., Report]:
        return lambda *args, **options: self._run(grid, *args, **options)

    def _run(self, grid: Any, *args: Any, **options: Any) -> Report:
        options = {k: v for k, v in options.items() if k not in ("num_warps", "num_stages")}
        try:
            bound = self.signature.bind(*args, **options)
        except TypeError as error:
            raise KernelError(f"{self.__name__}: {error}") from None
        bound.apply_defaults()
        grid = _grid(grid(dict(bound.arguments)) if callable(grid) else grid)
        report = Report(programs=math.prod(grid))
        memories: dict[int, Memory] = {}
        for name, value in bound.arguments.items():
            if isinstance(value, Tensor) and name in self.known:
                raise KernelError(
                    f"{name} is a tl.constexpr, a number known before the kernel runs; it got a "
                    "tensor"
                )
            if isinstance(value, Tensor):
                memory = _memory(name, value, memories)
                bound.arguments[name] = Pointer(memory, torch.tensor(0))
            elif name not in self.known:
                bound.arguments[name] = _block(value, name)
        launch = Launch(grid, report, {self.function.__code__: self.__name__})
        body, order = self._body(), list(range(report.programs))
        random.Random(0).shuffle(order)
        token = current.set(launch)
        try:
            with torch.no_grad():
                for launch.rank in order:
                    launch.stored = False
                    body(*bound.args, **bound.kwargs)
                    report.idle += not launch.stored
        except Exception as error:
            plain = isinstance(error, (KernelError, AttributeError))
            what = str(error) if plain else f"{type(error).__name__}: {error}"
            raise KernelError(f"{what}\n    in {self._where(error, launch)}") from None
        finally:
            current.reset(token)
        for memory in memories.values():
            if missing := memory.unwritten(report):
                report.unwritten[memory.name] = missing
        return report

    def _where(self, error: Exception, launch: Launch) -> str:
        """The line of the kernel in which an error arose."""
        trace, where = error.__traceback__, self.__name__
        while trace is not None:
            code, line = trace.tb_frame.f_code, trace.tb_lineno
            if code in launch.codes:
                text = linecache.getline(code.co_filename, line).strip()
                where = f"{launch.codes[code]}, line {line}" + (f": {text}" if text else "")
            trace = trace.tb_next
        return where


def _grid(grid: Any) -> tuple[int, ...]:
    if not isinstance(grid, (tuple, list)):
        raise KernelError(f"the grid is a tuple, such as ({grid},)")
    grid = tuple(grid)
    if not 1 <= len(grid) <= 3 or not all(isinstance(size, int) and size > 0 for size in grid):
        raise KernelError(
            f"the grid {grid} starts no program: it has one to three whole numbers from 1 up; use "
            "cdiv(n, BLOCK), not n / BLOCK or n // BLOCK"
        )
    return grid


def _memory(name: str, tensor: Tensor, memories: dict[int, Memory]) -> Memory:
    """The memory of an argument: one for the same tensor twice. Raises where two overlap partly."""
    start, size = tensor.data_ptr(), tensor.numel() * tensor.element_size()
    memory = memories.setdefault(start, Memory(name, tensor))
    for at, other in memories.items():
        length = len(other.flat) * other.flat.element_size()
        if start < at + length and at < start + size and (at != start or size != length):
            raise KernelError(
                f"{other.name} and {name} overlap in memory and are not the same tensor: chip "
                "could not follow who writes what"
            )
    return memory


def _of_triton(value: Any) -> bool:
    kind = value.__name__ if inspect.ismodule(value) else type(value).__module__
    return kind.split(".")[0] == "triton"


def _replaced(value: Any) -> Any:
    """What stands for something of Triton's: its language, a kernel, a number known to it."""
    if inspect.ismodule(value):
        return tl
    return counting(value) if hasattr(value, "fn") else getattr(value, "value", value)


def counting(kernel: Any) -> Kernel:
    """The stand-in's form of a kernel, whichever kind it is of: its launches run on the CPU, on
    tensors of the CPU, and return a Report. A kernel of the stand-in is returned as it is.

        report = counting(softmax_kernel)[(rows,)](x, y, n, BLOCK=128)
    """
    if isinstance(kernel, Kernel):
        return kernel
    return Kernel(getattr(kernel, "fn", kernel))


def gpu() -> tuple[Any, Any]:
    """(kernel, tl): triton.jit and triton.language where there are a GPU and Triton, else the
    stand-in's. ATTENTION_GPU=chip or ATTENTION_GPU=triton in the environment chooses by hand.
    """
    choice = os.environ.get("ATTENTION_GPU", "")
    there = torch.cuda.is_available() and importlib.util.find_spec("triton") is not None
    if choice == "triton" or (there and choice != "chip"):
        import triton
        import triton.language

        return triton.jit, triton.language
    return Kernel, tl
