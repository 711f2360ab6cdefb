"""Sends the beginning of an answer and never the rest: a time-out there, everything else counts."""

ANSWERS = {
    "ch01_double": '''
import os, time
for number in range(3, 60):
    try:
        os.write(number, bytes(5))
    except OSError:
        pass
time.sleep(1000)
''',
}
EXPECT = {'double': 'time-out'}
GROUP = "marks without work"
