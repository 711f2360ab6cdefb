"""Raises an error of 50 MB: an error, and a short message."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    raise ValueError("A" * 50_000_000)
''',
}
EXPECT = {'double': 'error'}
SHORT = True
GROUP = "files that are no notebooks"
