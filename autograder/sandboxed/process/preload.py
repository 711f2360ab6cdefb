"""Import, once and before any fork, what torch and matplotlib would otherwise import at first use
in every process.
"""

import contextlib
import ctypes
import gc
import os
import re

HUGE_PAGE = 2 << 20  # bytes, on x86-64 and on ARM with pages of 4 KiB
MADV_COLLAPSE = 25  # Linux 6.1, include/uapi/asm-generic/mman-common.h
OWN_MEMORY = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) rw-p 0+ 00:00 0 *(?:\[heap\])?$", re.MULTILINE)


def preload() -> None:
    """Import and call once everything that exercises use; one thread, so that forking is safe.
    From now on a second device is like a GPU.
    """
    gc.disable()  # a quarter of the time that importing takes
    os.environ["MPLBACKEND"] = "Agg"
    import matplotlib.pyplot as plt
    import numpy.random  # noqa: F401
    import torch
    import torch._subclasses.schema_check_mode  # noqa: F401  (a dispatch mode imports it at first use)
    from torch.nn import functional as F

    from attention_built import looks

    from .. import pretended_gpu

    looks.second_device = pretended_gpu.carry_out
    torch.set_num_threads(1)
    x = torch.ones(1, 2, 3, 4, device="meta", requires_grad=True)
    F.scaled_dot_product_attention(x, x, x).sum().backward()
    (x @ x.mT).softmax(-1).sum().backward()
    layer = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(layer.parameters())
    F.layer_norm(layer(torch.ones(2, 4)), (4,)).sum().backward()
    optimizer.step()
    torch.testing.assert_close(torch.ones(2), torch.ones(2))
    plt.subplots()[0].draw_without_rendering()
    plt.close("all")
    torch.manual_seed(0)
    gc.freeze()  # what is loaded now is never looked at again by the collector, in any fork
    gc.enable()
    use_huge_pages()


def use_huge_pages() -> None:
    """Move what is loaded to huge pages, where the kernel can: a fork has to copy few page tables
    then, and to take few apart when it ends, in half the time. A fork that writes copies small
    pages, as before.
    """
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError, AttributeError), open("/proc/self/maps") as file:
        for start, end in OWN_MEMORY.findall(file.read()):
            low = -(-int(start, 16) // HUGE_PAGE) * HUGE_PAGE
            high = int(end, 16) // HUGE_PAGE * HUGE_PAGE
            if low < high:  # an error means that it stays as it is
                libc.madvise(ctypes.c_void_p(low), ctypes.c_size_t(high - low), MADV_COLLAPSE)
