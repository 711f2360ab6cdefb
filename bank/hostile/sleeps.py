"""The function sleeps: a time-out there, and time is left for all that leans on it."""

ANSWERS = {
    "ch01_double": '''
import time

def double(x):
    time.sleep(10_000)
''',
}
EXPECT = {'double': 'time-out'}
LIMITS = {"check_seconds": 4, "notebook_seconds": 7.5}
GROUP = "more than its share"
