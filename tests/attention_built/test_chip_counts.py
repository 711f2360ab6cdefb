"""What the stand-in counts, and that it counts the same everywhere."""

import random
import sys
from types import ModuleType

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import attention_built as ab
from attention_built import chip
from attention_built.chip import Kernel, Report, cdiv, counting, tl
from attention_built.chip import Kernel as kernel
from attention_built.copies import copied


@kernel
def copy(X, Y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(Y + at, tl.load(X + at, mask=at < n, other=0.0), mask=at < n)


@kernel
def columns(X, Y, n, BLOCK: tl.constexpr):
    at, row = tl.arange(0, BLOCK), tl.program_id(0)
    tl.store(Y + at * n + row, tl.load(X + row * n + at))


@kernel
def pick(X, AT, Y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    where = tl.load(AT + i, mask=i < n, other=0)
    tl.store(Y + i, tl.load(X + where, mask=i < n, other=0), mask=i < n)


@kernel
def flash(Q, K, V, O, n, scale, D: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):  # noqa: E741
    rows, d = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    head = tl.program_id(1) * n * D
    q = tl.load(Q + head + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([ROWS], float("-inf"), tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    o = tl.zeros([ROWS, D], tl.float32)
    for start in range(0, n, COLS):
        cols = start + tl.arange(0, COLS)
        at = head + cols[:, None] * D + d[None, :]
        k = tl.load(K + at, mask=cols[:, None] < n, other=0.0)
        v = tl.load(V + at, mask=cols[:, None] < n, other=0.0)
        scores = tl.where(cols[None, :] < n, tl.dot(q, tl.trans(k)) * scale, float("-inf"))
        new_m = tl.maximum(m, tl.max(scores, 1))
        e, factor = tl.exp(scores - new_m[:, None]), tl.exp(m - new_m)
        s = s * factor + tl.sum(e, 1)
        o = o * factor[:, None] + tl.dot(e.to(v.dtype), v)
        m = new_m
    tl.store(O + head + rows[:, None] * D + d[None, :], o / s[:, None], mask=rows[:, None] < n)


def test_a_copy_moves_each_sector_once_and_columns_a_sector_for_each_number():
    x = torch.randn(64, 64)
    report = copy[(64,)](x, torch.empty_like(x), 64 * 64, B=64)
    assert report == Report(4 * 64**2, 4 * 64**2, 8 * 64**2, 0, 256, 64, 0, {})
    report = columns[(64,)](x, torch.empty_like(x), 64, BLOCK=64)
    assert (report.read, report.written, report.useful) == (4 * 64**2, 32 * 64**2, 8 * 64**2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
@pytest.mark.parametrize("n", [1, 37, 64])
def test_sectors_are_the_different_ones(n, dtype):
    at = torch.randint(0, 1000, (64,), dtype=torch.int32)
    report = pick[(1,)](torch.zeros(1000, dtype=dtype), at, torch.zeros(64, dtype=dtype), n, B=64)
    size = dtype.itemsize
    sectors = len({int(one) * size // 32 for one in at[:n]})
    assert report.read == 32 * (sectors + cdiv(n * 4, 32))
    assert report.written == 32 * cdiv(n * size, 32) and report.useful == n * (4 + 2 * size)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_attention_is_right_and_counted(dtype):
    q, k, v = torch.randn(3, 2, 100, 32).to(dtype)
    o = torch.full_like(q, 7.0)
    report = flash[(cdiv(100, 32), 2)](q, k, v, o, 100, 32**-0.5, D=32, ROWS=32, COLS=16)
    wanted = scaled_dot_product_attention(q.double(), k.double(), v.double())
    assert (o - wanted).norm() < 4e-3 * wanted.norm()
    size = 2 * 100 * 32 * dtype.itemsize
    assert (report.read, report.written) == (size + 2 * 4 * size, size)  # keys for each of 4 blocks
    assert report.flops == 2 * 4 * 7 * 2 * (2 * 32 * 16 * 32) and not report.unwritten
    assert report.largest == 32 * 32 * 4


def test_what_was_never_written_is_said_and_who_stored_nothing_counted():
    x, y = torch.randn(5, 20), torch.empty(5, 20)
    assert copy[(6,)](x, y, 100, B=16).unwritten == {
        "Y": "4 of the 100 numbers of Y were never written, from Y[4, 16] to Y[4, 19]: "
        "6 programs ran, 0 of them stored nothing"
    }
    report = copy[lambda known: (cdiv(known["n"], known["B"]) + 2,)](x, y, 100, B=16)
    assert not report.unwritten and report.idle == 2 and torch.equal(x, y)


def test_programs_add_up_in_an_order_of_their_own():
    @kernel
    def order(Y, AT):
        tl.store(Y + tl.program_id(0), tl.atomic_add(AT, 1.0))

    orders = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        random.seed(seed)
        before = random.getstate(), torch.get_rng_state()
        orders.append(torch.empty(9))
        order[(9,)](orders[-1], torch.zeros(1))
        assert random.getstate() == before[0] and torch.equal(torch.get_rng_state(), before[1])
    assert orders[0].tolist() == orders[1].tolist() == [6, 2, 5, 3, 4, 1, 8, 0, 7]


def test_what_was_loaded_stays_when_its_place_is_written():
    @kernel
    def swap(X):
        first, second = tl.load(X), tl.load(X + 1)
        tl.store(X, second)
        tl.store(X + 1, first)

    x = torch.tensor([1.0, 2.0])
    swap[(1,)](x)
    assert x.tolist() == [2.0, 1.0]


def test_names_of_the_notebook_do_no_harm_and_a_copy_of_a_kernel_runs():
    names = {"tl": tl, "kernel": Kernel, "__name__": "__main__", "T": 3, "load": 4, "arange": 5}
    lines = "at = tl.arange(0, 4)", "tl.store(Y + at[:, None].T, tl.load(X + at)[:, None].T)"
    exec("def k(X, Y):\n    " + "\n    ".join(lines), names)
    y = torch.zeros(4)
    copied(Kernel(names["k"]))[(1,)](torch.ones(4), y)
    assert y.tolist() == [1, 1, 1, 1]


def test_a_kernel_of_triton_is_counted_with_the_same_text():
    language = ModuleType("triton.language")
    jit = type("JITFunction", (), {"__module__": "triton.runtime.jit"})
    names = {"tl": language}
    exec("def k(Y):\n    tl.store(Y + tl.arange(0, 4), tl.arange(0, 4))\n", names)
    made = jit()
    made.fn = names["k"]
    y = torch.zeros(4)
    assert counting(made)[(1,)](y).written == 32 and y.tolist() == [0, 1, 2, 3]
    assert counting(copy) is copy


def test_which_of_the_two_is_chosen(monkeypatch):
    monkeypatch.setenv("ATTENTION_GPU", "chip")
    assert ab.gpu() == (Kernel, tl)
    triton = ModuleType("triton")
    triton.jit, triton.language = object(), ModuleType("triton.language")
    monkeypatch.setitem(sys.modules, "triton", triton)
    monkeypatch.setitem(sys.modules, "triton.language", triton.language)
    monkeypatch.setenv("ATTENTION_GPU", "triton")
    assert ab.gpu() == (triton.jit, triton.language)
    monkeypatch.delenv("ATTENTION_GPU")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert ab.gpu() == (Kernel, tl) and chip.gpu() == ab.gpu()
