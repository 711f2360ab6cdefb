"""Prints 100 MB: full points, nothing is kept."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    line = "x" * 1_000_000
    for _ in range(100):
        print(line)
    return 2 * x
''',
}
EXPECT = {}
GROUP = "more than its share"
