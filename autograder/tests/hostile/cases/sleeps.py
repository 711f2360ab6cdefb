"""The function sleeps: a time-out there."""

ANSWERS = {
    "ch01_double": '''
import time

def double(x):
    time.sleep(10_000)
''',
}
EXPECT = {'double': 'time-out'}
