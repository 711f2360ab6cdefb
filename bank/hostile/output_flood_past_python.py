"""Writes 100 MB to the file descriptor of standard output: full points, nothing is kept."""

ANSWERS = {
    "ch01_double": '''
import os

def double(x):
    for _ in range(100):
        os.write(1, bytes(1_000_000))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "more than its share"
