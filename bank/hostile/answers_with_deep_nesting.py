"""Answers with a list nested a million deep and a dict of a million keys: refused."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    nested = []
    for _ in range(1_000_000):
        nested = [nested]
    return nested
''',
    "ch01_weights": '''
def weights(scores):
    return {number: number for number in range(300_000)}
''',
}
EXPECT = {'double': ('wrong', 'process died'), 'weights': 'wrong', 'weights_values': 'wrong'}
GROUP = "files that are no notebooks"
