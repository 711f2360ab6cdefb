"""Replaces numpy's comparisons: nothing changes, and it is reported."""

ANSWERS = {
    "ch01_double": '''
import numpy
numpy.allclose = numpy.array_equal = lambda *a, **k: True

def double(x):
    return 0 * x
''',
}
EXPECT = {'double': 'wrong'}
FLAG = "replaces functions"
GROUP = "marks without work"
