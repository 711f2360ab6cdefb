"""Returns the numbers that the visible check asks for: the hidden part refuses it."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    return torch.full((3,), 2.0)
''',
}
EXPECT = {'double': 'wrong'}
HIDDEN = "double"
GROUP = "marks without work"
