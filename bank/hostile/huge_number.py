"""Answers with a number of a hundred million digits: refused."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    return 1 << 400_000_000
''',
}
EXPECT = {'double': ('wrong', 'out of memory')}
GROUP = "more than its share"
