"""Forks without end: comes to an end by itself or by the limits, and leaves no process behind."""

ANSWERS = {
    "ch01_double": '''
import os, time

def double(x):
    children = 0
    while True:
        try:
            if os.fork() == 0:
                children = 0
            children += 1
        except OSError:
            time.sleep(0.05)
''',
}
EXPECT = {'double': ('time-out', 'out of memory', 'process died')}
GROUP = "more than its share"
