"""Ends the process from inside the answer, to keep an old mark: that exercise is lost, the others count."""

ANSWERS = {
    "ch01_double": '''
import os

def double(x):
    os._exit(0)
''',
}
EXPECT = {'double': 'process died'}
FLAG = "ends or replaces the process"
GROUP = "marks without work"
