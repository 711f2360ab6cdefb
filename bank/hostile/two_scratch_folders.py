"""Fills /tmp and /dev/shm: both together take no more than the one limit."""

ANSWERS = {
    "ch01_double": '''
import os
written = 0
for folder in ("/tmp", "/dev/shm"):
    try:
        for number in range(9):
            with open(f"{folder}/{number}", "wb") as file:
                for _ in range(20):
                    written += file.write(bytes(1 << 20))
    except OSError:
        pass
    for name in os.listdir(folder):
        pass

def double(x):
    if written > 70 << 20:
        raise RuntimeError("FOUND " + str(written))
    return 2 * x
''',
}
LIMITS = {"scratch_bytes": 64 << 20}
EXPECT = {}
GROUP = "more than its share"
