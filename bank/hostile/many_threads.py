"""Leaves threads running that never end: full points, and they end with the notebook."""

ANSWERS = {
    "ch01_double": '''
import threading

def spin():
    while True:
        pass

for _ in range(4):
    threading.Thread(target=spin, daemon=True).start()

def double(x):
    return 2 * x
''',
}
EXPECT = {}
GROUP = "more than its share"
