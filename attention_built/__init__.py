"""What the notebooks of "Attention, built" bring along: their checks (cases, how they are looked
at, the mistakes that are known), figures, in ``notebook`` guesses, progress, pages and sound, in
``shipped`` the files that cells read.

    import attention_built as ab

    ab.check("2.3 values", scaled_dot_product_attention, [
        ab.case("one query", q[:1], k, v),
    ])
    ab.status()
"""

from typing import Any

from attention_built.cases import Case, case, module, numbers, rows, seed
from attention_built.checks import Answers, beside, check, recording
from attention_built.drawing import OKABE_ITO, STYLE, draw_matrix, show
from attention_built.house_rules import house_rules
from attention_built.notebook.ahead import import_ahead
from attention_built.notebook.guesses import check_guess, draw_guess, worst_guesses
from attention_built.notebook.pages import listen, page, show_my_attention, show_my_model
from attention_built.notebook.progress import follow, ready_to_hand_in, status
from attention_built.shipped import manual, shipped

__version__ = "1.0.0"
__all__ = [
    "Answers", "Case", "OKABE_ITO", "STYLE", "beside", "case", "check", "check_guess", "draw_guess",
    "draw_matrix", "follow", "gpu", "house_rules", "listen", "manual", "module", "numbers", "page",
    "ready_to_hand_in", "recording", "rows", "seed", "shipped", "show", "show_my_attention",
    "show_my_model", "status", "worst_guesses",
]  # fmt: skip


def gpu() -> tuple[Any, Any]:
    """(kernel, tl), to write kernels for a GPU with: ``triton.jit`` and ``triton.language`` where
    there are a GPU and Triton, else a stand-in that runs the same text on the CPU and counts what a
    GPU would move. See attention_built.chip.
    """
    from attention_built import chip

    return chip.gpu()


import_ahead()
