"""Replaces matplotlib's classes and settings: nothing else suffers."""

ANSWERS = {
    "ch01_double": '''
import matplotlib, matplotlib.figure
matplotlib.rcParams["figure.figsize"] = (1e9, 1e9)
matplotlib.figure.Figure = None

def double(x):
    return 2 * x
''',
}
EXPECT = {}
GROUP = "marks without work"
