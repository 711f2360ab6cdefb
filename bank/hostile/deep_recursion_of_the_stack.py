"""Lifts the limit on recursion and overflows the stack: that exercise is lost, the others count."""

ANSWERS = {
    "ch01_double": '''
import sys
sys.setrecursionlimit(10**9)

def double(x):
    import torch.utils._pytree
    nested = []
    for _ in range(400_000):
        nested = [nested]
    return repr(nested)
''',
}
EXPECT = {'double': ('error', 'process died', 'out of memory', 'time-out')}
GROUP = "more than its share"
