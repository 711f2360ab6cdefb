"""Calls itself for ever: an error there."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    return double(x) + 0
''',
}
EXPECT = {'double': 'error'}
GROUP = "more than its share"
