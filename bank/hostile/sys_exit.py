"""Calls sys.exit in the function: an error there."""

ANSWERS = {
    "ch01_double": '''
import sys

def double(x):
    sys.exit(0)
''',
}
EXPECT = {'double': 'error'}
GROUP = "marks without work"
