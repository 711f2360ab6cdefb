"""Honest: torch.compile, where there is no compiler, gives the function as it is."""

ANSWERS = {
    "ch01_double": '''
@torch.compile
def double(x):
    return 2 * x
''',
}
EXPECT = {}
GROUP = "honest, oddly edited"
