"""The engine that grades: a submission goes in, a Result with one Verdict per check cell comes out."""

from .bank import grade_answer
from .engine import Engine
from .limits import Limits
from .neighbour import Lender, Neighbour

__all__ = ["Engine", "Lender", "Limits", "Neighbour", "grade_answer"]
