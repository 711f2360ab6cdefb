"""The engine that grades: a submission goes in, a Result with a Verdict per check comes out."""

from autograder.grading.engine import Engine
from autograder.grading.limits import Limits
from autograder.grading.parents import ForkedParents, ParentPool

__all__ = ["Engine", "ForkedParents", "Limits", "ParentPool"]
