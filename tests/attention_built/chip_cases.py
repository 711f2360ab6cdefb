"""Small kernels that the stand-in and Triton's compiler are asked about: chip_cases.txt."""

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import torch

TYPES = {
    "f32": torch.float32,
    "f16": torch.float16,
    "b16": torch.bfloat16,
    "i8": torch.int8,
    "i32": torch.int32,
    "i64": torch.int64,
    "i1": torch.bool,
}
KNOWN = {"B": 8, "C": 3, "FLAG": True}
HEAD = """
import math
import torch
OUTSIDE = 3
KNOWN = tl.constexpr(3)

def plain(x):
    return x

@kernel
def kernel_too(x):
    return x + 1

@kernel
def asked(X, Z, Y, n, f, B: tl.constexpr, C: tl.constexpr, FLAG: tl.constexpr):
    at = tl.arange(0, B)
"""
LOADED = "x = tl.load(X + at)\nz = tl.load(Z + at)\n"


@dataclass(frozen=True)
class Asked:
    """A kernel, and who accepts it."""

    verdict: str  # one of = x > <
    types: tuple[str, str, str]  # of X, Z and Y
    text: str
    grid: tuple[int, ...]
    n: int
    why: str  # the two differ

    def made(self, kernel: object, tl: object, folder: Path) -> ModuleType:
        """A module with the kernel, from a file, since Triton reads its text."""
        path = folder / "asked.py"
        lines = self.body.replace("⏎", "\n").splitlines()
        path.write_text(HEAD + "".join(f"    {line}\n" for line in lines))
        spec = importlib.util.spec_from_file_location("asked", path)
        module = importlib.util.module_from_spec(spec)
        vars(module).update(kernel=kernel, tl=tl)
        spec.loader.exec_module(module)
        return module.asked

    @property
    def body(self) -> str:
        """The kernel's lines."""
        if "tl.store" in self.text or "tl.atomic" in self.text:
            return self.text
        return f"{LOADED}tl.store(Y + at, {self.text})"


def read_cases() -> list[Asked]:
    """All of them, in the order of the file."""
    cases = []
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        options, _, text = line.partition(" | ")
        text, _, why = text.partition("  # ")
        grid = re.search(r"grid=([\d,]+)", options)
        n = re.search(r"n=(\d+)", options)
        verdict, *types = options.split()[:4]
        places = tuple(int(one) for one in grid[1].split(",")) if grid else (1,)
        cases.append(Asked(verdict, tuple(types), text, places, int(n[1]) if n else 5, why))
    return cases
