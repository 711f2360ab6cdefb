"""Many processes with a little memory each: comes to an end by the limits."""

ANSWERS = {
    "ch01_double": '''
import os, time

def double(x):
    for _ in range(12):
        try:
            if os.fork() == 0:
                held = b"".join(bytes([n % 256]) * 1_000_000 for n in range(300))
                time.sleep(1000)
        except OSError:
            pass
    time.sleep(1000)
''',
}
EXPECT = {'double': ('out of memory', 'time-out')}
GROUP = "more than its share"
