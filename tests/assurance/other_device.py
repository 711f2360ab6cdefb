"""A device that is not the CPU, for machines that have no other: its tensors lie in main memory and
keep to the rules of a GPU's.

Inside ``gpu()`` "cuda" is such a device. A tensor made there or moved there is an ``Elsewhere``: it
says that it is on another device, has its numbers in an ordinary tensor, and refuses what CUDA
refuses: partners and generators of the CPU, ``.numpy()``. A notebook that runs to its end here has
all its tensors where they belong on a GPU, too. Kernels, rounding and speed of a GPU are not
rehearsed.
"""

import ast
import contextlib
import io
import json
import os
import re
import warnings
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing

DEVICE = torch.device(
    "meta:0"
)  # a type of device that autograd serves without a backend; the index tells it from a plain "meta"
CPU = torch.device("cpu")
MOVES = {"aten::copy_", "aten::_to_copy"}  # between devices
INDEXES = {
    "aten::index",
    "aten::index_put_",
    "aten::index_put",
    "aten::_index_put_impl_",
}  # by numbers that may lie on the CPU
LEARNS = {"backward", "step", "train_step"}  # calls in a loop that trains
FEW = 6  # rounds of such a loop that are enough to see where its tensors are
LARGE = 2048  # tokens
DEVICES = re.compile(r"\b(?:devices?|cpu|cuda|meta)\b", re.IGNORECASE)  # in an error's message
ANSWERS = {"aten::equal", "aten::_local_scalar_dense"}  # a number, not a tensor


class Generator(torch.Generator):
    """A generator that remembers whether it was asked for on the other device.

    Operations get a copy that does not: ``Names`` tells them of which kind the one at work is.
    """

    at_work = "cpu"

    def __new__(cls, device="cpu"):
        made = super().__new__(cls, "cpu")
        made.kind = "cuda" if renamed(torch.device(device)) == DEVICE else "cpu"
        return made


class Elsewhere(torch.Tensor):
    """A tensor on the other device; ``numbers`` is an ordinary one of the same shape, strides and
    dtype.
    """

    @staticmethod
    def __new__(cls, numbers):
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            numbers.shape,
            strides=numbers.stride(),
            storage_offset=numbers.storage_offset(),
            dtype=numbers.dtype,
            device=DEVICE,
        )
        made.numbers = numbers
        return made

    def __tensor_flatten__(self):  # nn.Module.to then swaps parameters instead of replacing them
        return ["numbers"], None

    @staticmethod
    def __tensor_unflatten__(inner, _, size, stride):
        return Elsewhere(inner["numbers"])

    def __format__(self, how):  # PyTorch's own looks for a number in plain tensors only
        return format(self.item() if self.dim() == 0 else repr(self), how)

    def __repr__(self, *, tensor_contents=None):
        return f"{self.numbers!r} elsewhere"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return call(func, args, kwargs or {})


def call(func, args, kwargs):
    """An operation of PyTorch's that takes a tensor of the other device, or makes one."""
    there, here, generators = [], [], []
    plain_args, plain_kwargs = (
        strip(args, there, here, generators),
        {key: strip(value, there, here, generators) for key, value in kwargs.items()},
    )
    name, aliases = facts(func)
    asked = kwargs.get("device")
    device = "cuda" if there or asked == DEVICE else "cpu"
    if generators and Generator.at_work != device:
        raise RuntimeError(
            f"Expected a {device!r} device type for generator but found {Generator.at_work!r}"
            f" ({name})"
        )
    if device == "cpu":
        return func(*args, **kwargs)
    if there and here and name in INDEXES and not isinstance(args[0], Elsewhere):
        raise RuntimeError(
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)"
            f" ({name})"
        )
    if there and any(tensor.dim() for tensor in here) and name not in MOVES | INDEXES:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0"
            f" and cpu! ({name})"
        )
    if asked == DEVICE:
        plain_kwargs["device"] = CPU
    out = func(*plain_args, **plain_kwargs)
    if name in ANSWERS or asked is not None and asked != DEVICE or not there and asked is None:
        return out
    if there and aliases:
        if not isinstance(args[0], Elsewhere):  # copy_ into a tensor of the CPU
            return args[0]
        return return_and_correct_aliasing(func, args, kwargs, wrap(out))
    return wrap(out)


@cache
def facts(func):
    """(name, whether the result shares memory with an argument) of an operation."""
    return func._schema.name, any(
        value.alias_info is not None for value in (*func._schema.arguments, *func._schema.returns)
    )


def strip(value, there, here, generators):
    """``value`` with the numbers in place of every Elsewhere; what was found goes into the three
    lists.
    """
    if isinstance(value, Elsewhere):
        there.append(value)
        return value.numbers
    if isinstance(value, torch.Tensor):
        here.append(value)
    elif isinstance(value, torch._C.Generator):
        generators.append(value)
    elif isinstance(value, (list, tuple)):
        return type(value)([strip(part, there, here, generators) for part in value])
    return value


def wrap(value):
    if isinstance(value, torch.Tensor):
        return Elsewhere(value)
    return (
        type(value)([wrap(part) for part in value]) if isinstance(value, (list, tuple)) else value
    )


class Factories(TorchDispatchMode):
    """Operations that have no tensor yet: those that make one."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return call(func, args, kwargs or {})


class Names(TorchFunctionMode):
    """ "cuda" in a call is the other device."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.device or func is torch.get_device_module:
            return func(*args, **kwargs)
        args, kwargs = (
            [renamed(value) for value in args],
            {key: renamed(value) for key, value in kwargs.items()},
        )
        mine = bool(args) and isinstance(args[0], Elsewhere)
        if func is torch.Tensor.cuda:
            return args[0].to(DEVICE)
        if (
            func in (torch.tensor, torch.as_tensor, torch.asarray)
            and kwargs.get("device") == DEVICE
        ):
            return func(*args, **{**kwargs, "device": CPU}).to(
                DEVICE
            )  # filled in C++, out of our sight
        if func is torch.Tensor.tolist and mine:
            return args[0].numbers.tolist()
        if func in (torch.Tensor.numpy, torch.Tensor.__array__) and mine:
            raise TypeError(
                "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the"
                " tensor to host memory first."
            )
        Generator.at_work = getattr(kwargs.get("generator"), "kind", "cpu")
        return func(*args, **kwargs)


def renamed(value):
    if (
        isinstance(value, str)
        and value.split(":")[0] == "cuda"
        or isinstance(value, torch.device)
        and value.type == "cuda"
    ):
        return DEVICE
    return value


@contextlib.contextmanager
def gpu():
    """In this context ``torch.cuda.is_available()`` holds, and "cuda" is the other device."""
    kept = torch.nn.Module._apply
    about = SimpleNamespace(name="a device that is none", total_memory=2**34)

    def apply(module, *args, **kwargs):
        """A parameter that moves stays the same object, as it does on its way to a GPU: two modules
        go on sharing it.
        """
        torch.__future__.set_swap_module_params_on_conversion(True)
        try:
            return kept(module, *args, **kwargs)
        finally:
            torch.__future__.set_swap_module_params_on_conversion(False)

    with (
        patch.multiple(
            torch.cuda,
            is_available=lambda: True,
            synchronize=lambda *_: None,
            get_device_properties=lambda *_: about,
        ),
        patch.object(torch.nn.Module, "_apply", apply),
        patch.object(torch, "Generator", Generator),
        Names(),
        Factories(),
    ):
        yield


def run_on_other_device(notebook, whole=True):
    """Run an executed solution, all but its checks, with a GPU that is none. Returns a line for
    each cell that fails, or says another True or False.

    The checks are left out since they bring their own tensors, on the CPU, whatever the machine
    has. A chapter that stays on the CPU, since its models are small, is tried there, too: its
    functions must not care. whole: without it a loop that trains goes round a few times only, and
    lists of large sizes end early; what such a model says is not compared, and an error that
    speaks of no device is no complaint: it may come of that.
    """
    os.environ["MPLBACKEND"] = "Agg"
    import matplotlib.pyplot as plt

    space, complaints = {"__name__": "__main__", "few_": _few}, []
    cells = [
        cell
        for cell in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    with gpu(), warnings.catch_warnings(), contextlib.chdir(Path(notebook).parent):
        warnings.simplefilter("ignore")
        for number, cell in enumerate(cells, 1):
            if cell["metadata"].get("nbgrader", {}).get("grade"):
                continue
            source = "".join(cell["source"])
            if "setup" in cell["metadata"].get("tags", ()):
                source = source.replace('device = "cpu"', 'device = "cuda"')
            tree, said = ast.parse(source), io.StringIO()
            if not whole:
                tree = ast.fix_missing_locations(_Hurried().visit(tree))
            try:
                with contextlib.redirect_stdout(said):
                    exec(compile(tree, f"code cell {number}", "exec"), space)
            except Exception as error:
                if whole or DEVICES.search(str(error)):
                    complaints.append(f"code cell {number}, {type(error).__name__}: {error}")
            expected = "".join("".join(output.get("text", "")) for output in cell["outputs"])
            if (
                whole
                and "nbval-ignore-output" not in cell["metadata"].get("tags", ())
                and verdicts(said.getvalue()) != verdicts(expected)
            ):
                complaints.append(
                    f"code cell {number} says {said.getvalue()!r} where the CPU said {expected!r}"
                )
            plt.close("all")
    return complaints


class _Hurried(ast.NodeTransformer):
    """Code that takes less time and has its tensors in the same places."""

    def visit_For(self, node):
        """``for … in rounds`` becomes ``for … in few_(rounds)`` where the loop trains."""
        self.generic_visit(node)
        called = {
            getattr(one.func, "attr", getattr(one.func, "id", ""))
            for one in ast.walk(node)
            if isinstance(one, ast.Call)
        }
        if called & LEARNS:
            node.iter = ast.Call(ast.Name("few_", ast.Load()), [node.iter], [])
        return node

    def visit_List(self, node):
        """[1024, 2048, … 16384]: sizes to be timed, of which the small ones are enough."""
        sizes = [getattr(one, "value", None) for one in node.elts]
        if len(sizes) > 2 and all(type(size) is int and size >= 512 for size in sizes):
            node.elts = [one for one in node.elts if one.value <= LARGE]
        return node


def _few(rounds):
    """The first rounds and the last, where there are many more."""
    rounds = list(rounds)
    return rounds if len(rounds) <= 5 * FEW else [*rounds[:FEW], rounds[-1]]


def verdicts(text):
    return re.findall(r"\b(?:True|False)\b", text)
