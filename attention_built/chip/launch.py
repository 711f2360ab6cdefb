"""Kernels and their launches: every program of a grid, one after the other, in a random order."""

from __future__ import annotations

import ast
import dis
import importlib.util
import inspect
import linecache
import math
import os
import random
import textwrap
from collections.abc import Callable
from functools import partial
from types import CellType, FunctionType, ModuleType
from typing import Any

import torch
from torch import Tensor

from attention_built.chip.blocks import Constexpr, Pointer, Type, block
from attention_built.chip.language import BUILTINS, tl
from attention_built.chip.memory import KernelError, Launch, Memory, Report, current, stop

COMPILER = ("num_warps", "num_stages", "num_ctas")  # arguments that only Triton's compiler reads
LAMBDAS = (ast.Lambda, ast.DictComp, ast.SetComp, ast.GeneratorExp)
NOT_IN_TRITON = (ast.Break, ast.Continue, ast.Try, ast.With, *LAMBDAS)
OF = "name of the kernel"  # in the globals of one that runs


class Kernel:
    """A function of blocks. kernel[grid](...) runs it once for each place in the grid, and returns
    the Report of what it moved.
    """

    def __init__(self, function: Any) -> None:
        self.function, self.__name__, self.__doc__ = function, function.__name__, function.__doc__
        parameters = inspect.signature(function).parameters.values()
        self.known = [one.name for one in parameters if "constexpr" in str(one.annotation).lower()]

    def __getitem__(self, grid: Any) -> Callable[..., Report]:
        return partial(self._run, grid)

    def __call__(self, *args: Any, **options: Any) -> Any:
        launch, name = current.get(), self.__name__
        if launch is None:
            stop(f"{name} needs a grid, how many programs to start: {name}[(programs,)](...)")
        return self._body(launch)(*args, **options)

    def _run(self, grid: Any, *args: Any, **options: Any) -> Report:
        try:
            return self._launched(grid, *args, **options)
        except Exception as error:
            if isinstance(error, NotImplementedError) and not str(error):
                raise  # a kernel that is not begun
            plain = isinstance(error, (KernelError, AttributeError))
            what = str(error) if plain else f"{type(error).__name__}: {error}"
            where, trace = self.__name__, error.__traceback__
            while trace is not None:
                if name := trace.tb_frame.f_globals.get(OF):
                    text = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
                    where = f"{name}, line {trace.tb_lineno}: {text.strip()}".removesuffix(": ")
                trace = trace.tb_next
            raise KernelError(f"{what} (in {where})") from None

    def _launched(self, grid: Any, *args: Any, **options: Any) -> Report:
        asked = {name: value for name, value in options.items() if name not in COMPILER}
        bound = inspect.signature(self.function).bind(*args, **asked)
        bound.apply_defaults()
        launch = Launch(_grid(grid(dict(bound.arguments)) if callable(grid) else grid))
        memories: list[Memory] = []
        for name, value in bound.arguments.items():
            if name in self.known:
                if isinstance(value, Tensor):
                    stop(f"{name} is a tl.constexpr, known before the kernel runs; it got a tensor")
                bound.arguments[name] = value.value if isinstance(value, Constexpr) else value
            elif isinstance(value, Tensor):
                bound.arguments[name] = Pointer(_memory(name, value, memories), torch.tensor(0))
            else:
                bound.arguments[name] = block(value, name)
        order, report = list(range(math.prod(launch.grid))), launch.report
        random.Random(0).shuffle(order)  # the same in every run, and nothing of anybody's generator
        token = current.set(launch)
        try:
            body = self._body(launch)
            with torch.no_grad():
                for launch.rank in order:
                    launch.stored = False
                    body(*bound.args, **bound.kwargs)
                    if launch.left:
                        stop("Triton's language has no break, and no return inside a loop")
                    launch.kinds.clear()
                    report.programs += 1
                    report.idle += not launch.stored
        finally:
            current.reset(token)
        found = {memory.name: memory.unwritten(report) for memory in memories}
        report.unwritten = {name: missing for name, missing in found.items() if missing}
        return report

    def _body(self, launch: Launch) -> Any:
        """The function as a GPU would see it: of what stands around it, only what Triton allows."""
        old, code = self.function, self.function.__code__
        if code not in launch.bodies:
            _check_text(old)
            around = {**old.__globals__, **BUILTINS, OF: self.__name__}
            steps = [one for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"]
            for name in {one.argval for one in steps} & old.__globals__.keys():
                around[name] = _seen(self.__name__, name, old.__globals__[name])
            cells = zip(code.co_freevars, old.__closure__ or (), strict=True)
            inside = tuple(
                CellType(_seen(self.__name__, name, c.cell_contents)) for name, c in cells
            )
            launch.bodies[code] = FunctionType(code, around, old.__name__, old.__defaults__, inside)
        return launch.bodies[code]


def _seen(kernel: str, name: str, value: Any) -> Any:
    """What a kernel sees of a name from outside."""
    module = value.__name__ if isinstance(value, ModuleType) else type(value).__module__
    if module.split(".")[0] == "triton":
        if isinstance(value, ModuleType):
            return tl
        return counting(value) if hasattr(value, "fn") else value.value
    if isinstance(value, Constexpr):
        return value.value
    if isinstance(value, (Kernel, ModuleType, Type)) or any(
        value is one for one in vars(tl).values()
    ):
        return value
    if callable(value):
        stop(f"{kernel} calls {name}, which is no kernel: write @kernel above it, too")
    stop(f"{kernel} sees only arguments, not {name}: pass it, or write {name} = tl.constexpr(...)")


def _check_text(function: Any) -> None:
    """Raises where the text, if it is kept, holds what Triton's language does not have."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return
    for node in ast.walk(tree):
        loop = isinstance(node, (ast.For, ast.While))
        returns = loop and any(isinstance(one, ast.Return) for one in ast.walk(node))
        if isinstance(node, NOT_IN_TRITON) or returns:
            what = "return inside a loop" if returns else type(node).__name__.lower()
            line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
            stop(f"Triton's language has no {what}, and line {line} has one")


def _grid(grid: Any) -> tuple[int, ...]:
    if not isinstance(grid, (tuple, list)):
        stop(f"the grid is a tuple, such as ({grid},)")
    if not 1 <= len(grid) <= 3 or not all(isinstance(one, int) and one > 0 for one in grid):
        stop(f"the grid {tuple(grid)} is not one to three whole numbers from 1 up: use cdiv")
    return tuple(grid)


def _memory(name: str, tensor: Tensor, memories: list[Memory]) -> Memory:
    """The memory of an argument, the same for one tensor twice."""
    made = Memory(name, tensor)
    start, end = made.flat.data_ptr(), made.flat.data_ptr() + made.flat.nbytes
    for other in memories:
        first, last = other.flat.data_ptr(), other.flat.data_ptr() + other.flat.nbytes
        if (start, end) == (first, last) and tensor.dtype == other.flat.dtype:
            return other
        if start < last and first < end:
            made.shares, other.shares = other.name, name
    memories.append(made)
    return made


def counting(kernel: Any) -> Kernel:
    """The stand-in's form of a kernel, whichever kind it is of: its launches run on the CPU, on
    tensors of the CPU, and return a Report. A kernel of the stand-in is returned as it is.

        report = counting(softmax_kernel)[(rows,)](x, y, n, BLOCK=128)

    A launch of the kernel itself returns a Report on the stand-in; what Triton's returns is another
    object, and of no use to a check.
    """
    return kernel if isinstance(kernel, Kernel) else Kernel(getattr(kernel, "fn", kernel))


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


def milliseconds(call: Callable[[], Any]) -> float:
    """How long a call takes on this GPU: the mean of many, as Triton measures it."""
    from triton.testing import do_bench

    return float(do_bench(call))
