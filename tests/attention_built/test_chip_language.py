"""The stand-in's language means what Triton's compiler means by it."""

import math

import pytest
import torch

from attention_built.chip import Kernel, KernelError, tl
from attention_built.chip import Kernel as kernel
from tests.attention_built.chip_cases import KNOWN, TYPES, Asked, read_cases

CASES = read_cases()
EIGHT = torch.tensor([-7, 7, -8, 8, -1, 0, 5, -5], dtype=torch.int32)
FLOATS = torch.tensor([0.1, -1.7, 2.5, 1000.3, -0.03, 7.0, 3.3, -2.2])


@pytest.mark.parametrize("case", CASES, ids=[case.text[:60] for case in CASES])
def test_what_the_compiler_refuses_is_refused_and_nothing_else(case, tmp_path):
    x, z = ((torch.arange(4096) % 7 - 3).to(TYPES[one]) for one in case.types[:2])
    y = torch.full((4096,), 7, dtype=TYPES[case.types[2]])
    asked = case.made(Kernel, tl, tmp_path)
    if case.verdict in "x>":
        with pytest.raises(KernelError, match=r" \(in (asked|kernel_too)"):
            asked[case.grid](x, z, y, case.n, 2.5, **KNOWN)
    else:
        asked[case.grid](x, z, y, case.n, 2.5, **KNOWN)


def test_every_difference_from_the_compiler_has_a_reason_and_two_are_laxer():
    assert all(bool(case.why) == (case.verdict in "<>") for case in CASES)
    assert sum(case.verdict == "<" for case in CASES) == 2


def value(text, x=EIGHT, z=FLOATS, out=torch.float32, tmp=None):
    """What a kernel stores of an expression of x and z."""
    names = {dtype: name for name, dtype in TYPES.items()}
    case = Asked("=", (names[x.dtype], names[z.dtype], names[out]), text, (1,), 5, "")
    y = torch.empty(8, dtype=out)
    case.made(Kernel, tl, tmp)[(1,)](x, z, y, 5, 0.1, **KNOWN)
    return y


MEANT = {  # with x EIGHT and z FLOATS
    "x // 2": (-3.5, 3.5, -4, 4, -0.5, 0, 2.5, -2.5),  # cut towards zero
    "x % 3": (-1, 1, -2, 2, -1, 0, 2, -2),  # with the sign of what is divided
    "x / 2": (-3.5, 3.5, -4, 4, -0.5, 0, 2.5, -2.5),
    "(n - 8) // 2": (-1,) * 8,
    "(C - 8) // 2": (-3,) * 8,  # known before: Python's own
    "x << 2": (-28, 28, -32, 32, -4, 0, 20, -20),
    "tl.maximum(x, 2)": (2, 7, 2, 8, 2, 2, 5, 2),
    "tl.minimum(x, n)": (-7, 5, -8, 5, -1, 0, 5, -5),
    "tl.where(x > 0, x, -1)": (-1, 7, -1, 8, -1, -1, 5, -1),
    "tl.sum(x, 0)": (-1,) * 8,
    "tl.max(x, 0) + tl.min(x)": (0,) * 8,
    "tl.cdiv(n, C)": (2,) * 8,
    "~x": (6, -8, 7, -9, 0, -1, -6, 4),
    "x * 1073741824": (2**30, -(2**30), 0, 0, -(2**30), 0, 2**30, -(2**30)),  # int32 wraps
    "tl.num_programs(0) + tl.program_id(2)": (1,) * 8,
}


@pytest.mark.parametrize(("text", "wanted"), MEANT.items())
def test_integers(text, wanted, tmp_path):
    cut = [math.trunc(one) for one in wanted] if "//" in text else wanted
    assert value(text, tmp=tmp_path).tolist() == list(cut)


KINDS = {
    "x + 0.5": "float32",
    "x * z.to(tl.float16)": "float16",
    "z.to(tl.float16) * 0.1": "float16",  # a number that is written takes the block's type
    "z.to(tl.float16) * f": "float32",  # one that is handed over has its own
    "z.to(tl.float16) + z.to(tl.bfloat16)": "float16",
    "z.to(tl.bfloat16) + z.to(tl.bfloat16)": "bfloat16",
    "z.to(tl.bfloat16) / 3": "float32",
    "z.to(tl.float16) / z.to(tl.float16)": "float32",
    "tl.max(z.to(tl.float16), 0)": "float32",
    "tl.sum(z.to(tl.float16), 0)": "float16",
    "tl.sum(x > 0, 0)": "int32",
    "tl.sum(x.to(tl.int64), 0)": "int64",
    "x / 2": "float32",
    "x < z": "int1",
}


@pytest.mark.parametrize(("text", "wanted"), KINDS.items())
def test_types_of_results(text, wanted, tmp_path):
    asks = f"1.0 if ({text}).dtype == tl.{wanted} else 0.0"
    assert value(asks, tmp=tmp_path).tolist() == [1.0] * 8


def test_what_a_masked_load_leaves_out_is_not_a_number():
    @kernel
    def load(X, Y, B: tl.constexpr):
        at = tl.arange(0, B)
        tl.store(Y + at, tl.load(X + at, mask=at < 3))

    y = torch.zeros(4)
    load[(1,)](torch.ones(4), y, B=4)
    assert y[:3].tolist() == [1, 1, 1] and y[3].isnan()


@pytest.mark.parametrize(("how", "low", "high"), [("tf32", 1e-4, 2e-3), ("ieee", 0, 1e-7)])
def test_a_product_is_as_exact_as_asked(how, low, high):
    @kernel
    def product(X, Z, Y, HOW: tl.constexpr):
        at = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
        tl.store(Y + at, tl.dot(tl.load(X + at), tl.load(Z + at), input_precision=HOW))

    x, z = torch.randn(2, 32, 32, generator=torch.Generator().manual_seed(0))
    y = torch.empty(32, 32)
    product[(1,)](x, z, y, HOW=how)
    error = (y.double() - x.double() @ z.double()).norm() / y.norm()
    assert low <= error < high
