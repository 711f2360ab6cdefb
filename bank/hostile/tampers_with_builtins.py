"""Replaces abs, all, len, isinstance and AssertionError: only its own process suffers."""

ANSWERS = {
    "ch01_double": '''
import builtins
builtins.abs = builtins.all = lambda *a: True
builtins.AssertionError = None
builtins.print = None

def double(x):
    return 0 * x
''',
}
EXPECT = {'double': 'wrong'}
FLAG = "builtins"
GROUP = "marks without work"
