"""Triton's own compiler is the reference for the stand-in: what it refuses for an H100 or H200
(sm_90, which needs no GPU), and that the kernels of chapter 15, of its solution and of every right
answer in the bank, are no dialect of ours. Where Triton is not installed, as on most machines,
these are skipped: pip install ".[triton]" brings it, on Linux.
"""

import importlib.util

import pytest
import torch

from autograder.course.bank import right_answers
from autograder.course.chapter import find_chapter
from autograder.course.regions import strip_markers
from tests.attention_built.chip_cases import KNOWN, read_cases
from tests.conftest import ROOT

triton = pytest.importorskip("triton", reason="Triton is not installed: pip install '.[triton]'")
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

pytestmark = pytest.mark.slow
H200 = GPUTarget("cuda", 90, 32)
CASES = read_cases()
NAMES = {"f32": "fp32", "f16": "fp16", "b16": "bf16"}  # others are called the same
CHAPTER = "ch15_kernel"
# What the chapter's kernels are compiled for.
SIZES = {
    "softmax_kernel": [{"BLOCK": 16}, {"BLOCK": 1024}],
    "transpose_kernel": [{"TILE": 16}, {"TILE": 32}],
    "flash_kernel": [
        {"CAUSAL": causal, "D": 64, "ROWS": 32, "COLS": 16} for causal in (False, True)
    ],
    "decode_kernel": [{"SPLIT": 64, "GROUP": 16, "D": 64, "COLS": 16}],
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))


def compiled(kernel, signature, known):
    """Compiles a kernel; raises what the compiler says of it."""
    places = {(kernel.arg_names.index(name),): value for name, value in known.items()}
    signature = {name: signature.get(name, "constexpr") for name in kernel.arg_names}
    triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=places), target=H200)


@pytest.mark.parametrize("case", CASES, ids=[case.text[:60] for case in CASES])
def test_the_compiler_says_what_is_written_down(case, tmp_path):
    types = [NAMES.get(one, one) for one in case.types]
    signature = {name: f"*{one}" for name, one in zip("XZY", types, strict=True)}
    signature |= {"n": "i32" if case.n < 2**31 else "i64", "f": "fp32"}
    kernel = case.made(triton.jit, tl, tmp_path)
    if case.verdict in "x<":
        with pytest.raises(Exception):  # noqa: B017  (each part of Triton has errors of its own)
            compiled(kernel, signature, KNOWN)
    else:
        compiled(kernel, signature, KNOWN)


def kernels():
    """(name of a kernel, text of a solution cell) of the chapter's solution and the bank."""
    chapter = find_chapter(ROOT, CHAPTER)
    for exercise in chapter.exercises:
        name = exercise.id.removeprefix("ch15_")
        if name in SIZES:
            yield pytest.param(name, strip_markers(exercise.solution.source), id=f"{name}: ours")
            for answer in right_answers(ROOT, CHAPTER, exercise.id):
                yield pytest.param(name, answer.text, id=f"{name}: {answer.name}")


@pytest.mark.parametrize(("name", "text"), kernels())
@pytest.mark.parametrize("element", ["fp32", "bf16"])
def test_every_right_answer_compiles(name, text, element, tmp_path):
    path = tmp_path / "answer.py"
    path.write_text(f"import math\nimport torch\nfrom torch import nn\n\n{text}")
    spec = importlib.util.spec_from_file_location("answer", path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(kernel=triton.jit, tl=tl, torch=torch)
    spec.loader.exec_module(module)
    kernel = getattr(module, name)
    for known in SIZES[name]:
        signature = {}
        for one in kernel.arg_names:
            if one not in known:
                pointer = "*fp32" if name == "decode_kernel" and one in "MSO" else f"*{element}"
                number = "fp32" if one == "scale" else "i32"
                signature[one] = pointer if one.isupper() else number
        compiled(kernel, signature, known)
