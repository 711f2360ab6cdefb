"""Calls sys.exit in the cell: what stands below it in the cell is missing, an error there."""

ANSWERS = {
    "ch01_double": '''
import sys
sys.exit(0)

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': 'error'}
GROUP = "marks without work"
