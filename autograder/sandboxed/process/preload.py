"""Import, once and before any fork, what torch and matplotlib would otherwise import at first use
in every process.
"""

import gc
import os


def preload() -> None:
    """Import and call once everything that exercises use; one thread, so that forking is safe."""
    gc.disable()  # a quarter of the time that importing takes
    os.environ["MPLBACKEND"] = "Agg"
    import matplotlib.pyplot as plt
    import numpy.random  # noqa: F401
    import torch
    import torch._subclasses.schema_check_mode  # noqa: F401  (a dispatch mode imports it at first use)
    from torch.nn import functional as F

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
