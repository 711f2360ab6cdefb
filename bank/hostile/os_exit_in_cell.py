"""Ends the process in the cell: that exercise is lost, the others count."""

ANSWERS = {
    "ch01_double": '''
import os
os._exit(0)
''',
}
EXPECT = {'double': 'process died'}
GROUP = "marks without work"
