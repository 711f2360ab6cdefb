"""Raises KeyboardInterrupt, GeneratorExit and StopIteration: errors there, the check goes on."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    raise KeyboardInterrupt
''',
    "ch01_weights": '''
def weights(scores):
    raise StopIteration
''',
    "ch01_is_linear": '''
def is_linear(function):
    raise GeneratorExit
''',
}
EXPECT = {'double': 'error', 'weights': 'error', 'weights_values': 'error', 'is_linear': 'error'}
GROUP = "marks without work"
