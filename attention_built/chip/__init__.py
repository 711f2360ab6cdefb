"""A stand-in for a GPU: it runs kernels written in Triton's language on the CPU, says in a sentence
what a GPU does silently, and counts what a GPU would move.

    import attention_built as ab

    kernel, tl = ab.gpu()  # Triton where there are a GPU and Triton, else the stand-in

    @kernel
    def double(X, Y, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(Y + at, 2 * tl.load(X + at, mask=at < n, other=0.0), mask=at < n)

    report = counting(double)[(cdiv(100, 64),)](x, y, 100, BLOCK=64)
    report.read, report.written  # bytes, in whole sectors of 32
"""

from attention_built.chip.language import cdiv, tl
from attention_built.chip.launch import Kernel, counting, gpu, milliseconds
from attention_built.chip.memory import KernelError, Report

__all__ = ["Kernel", "KernelError", "Report", "cdiv", "counting", "gpu", "milliseconds", "tl"]
