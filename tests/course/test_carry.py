"""What a later chapter carries of an earlier one."""

from autograder.course.carry import _in_short

LONG = '''\
class Norm:
    """Divide by a length.

    (..., d) -> the same.
    """

    def forward(self, x):
        """x: (..., d),
        of any length.

        Returns the same.
        """
        return x
'''
SHORT = '''\
class Norm:
    """Divide by a length."""

    def forward(self, x):
        """x: (..., d),
        of any length."""
        return x
'''


def test_carried_code_keeps_the_first_paragraph_of_each_docstring():
    assert _in_short(LONG) == SHORT
    assert _in_short(SHORT) == SHORT
