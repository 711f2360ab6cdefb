"""Autograder for *Attention, built*: one source tree becomes student notebooks, solutions, marks
and feedback.
"""

__version__ = "1.0.0"
