"""Writes nonsense to every open file, the pipe included: that exercise is lost, the others count."""

ANSWERS = {
    "ch01_double": '''
import os

def double(x):
    for number in range(3, 60):
        try:
            os.write(number, os.urandom(4096))
        except OSError:
            pass
    return 2 * x
''',
}
EXPECT = {'double': ('wrong', 'process died', 'time-out')}
GROUP = "marks without work"
