"""The checks of the notebook series "Attention, built": cases, how they are looked at, and the
mistakes that are known.

    import attention_built as ab

    ab.check("2.3 values", scaled_dot_product_attention, [
        ab.case("one query", q[:1], k, v),
    ])
"""

from attention_built.cases import Case, case, layers, module, numbers, rows, seed
from attention_built.checks import Answers, beside, check, recording
from attention_built.house_rules import house_rules

__version__ = "1.0.0"
__all__ = [
    "Answers",
    "Case",
    "beside",
    "case",
    "check",
    "house_rules",
    "layers",
    "module",
    "numbers",
    "recording",
    "rows",
    "seed",
]
