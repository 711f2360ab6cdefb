"""Leaves messages in thousands of sockets, where no process that holds them looks large: they count as full."""

ANSWERS = {
    "ch01_double": '''
import socket, time
held = []
try:
    for _ in range(3000):
        pair = socket.socketpair()
        pair[0].setblocking(False)
        pair[0].send(bytes(50_000))
        held.append(pair)
except OSError:
    pass

def double(x):
    time.sleep(1)
    return 2 * x
''',
}
LIMITS = {"open_files": 7000, "total_bytes": 1 << 30}
EXPECT = {"double": "out of memory"}
TRIAL_ONLY = True
GROUP = "more than its share"
