"""Replaces the shell's own run_cell: only its own notebook suffers."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    return 2 * x

get_ipython().run_cell = lambda *a, **k: None
type(get_ipython()).run_cell = lambda *a, **k: None
''',
}
EXPECT = {'weights': 'error', 'weights_values': 'error', 'layer': 'error', 'is_linear': 'error'}
FLAG = "hooks into cell execution"
GROUP = "marks without work"
