"""Asks torch for 40 GB: out of memory there, everything else counts."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    return torch.ones(10_000_000_000)
''',
}
EXPECT = {'double': 'out of memory'}
GROUP = "more than its share"
