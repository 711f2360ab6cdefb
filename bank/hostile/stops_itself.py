"""Stops its own processes, or waits in the kernel for a child, as if the machine gave it no time: ends soon, without a mark."""

ANSWERS = {
    "ch01_double": '''
import os, signal, time

def double(x):
    child = os.fork()
    if child:
        os.kill(child, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(1000)
''',
}
LIMITS = {"check_seconds": 2, "spare_seconds": 3}
LATE = ("time-out", "not graded: machine too busy")
EXPECT = {name: LATE for name in ("double", "weights", "weights_values", "layer", "is_linear")}
GROUP = "more than its share"
