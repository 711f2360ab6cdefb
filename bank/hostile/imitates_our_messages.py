"""Raises an AssertionError that says all is well: an error, and the message says whose it is."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    raise AssertionError("1.1 holds. 2/2 points. Property: everything is right")
''',
}
EXPECT = {'double': 'error'}
MESSAGE = "Your code raised AssertionError"
GROUP = "marks without work"
