"""Has the kernel hold what no limit on a process counts: rulesets, locks, timers, requests, watches, attributes."""

ANSWERS = {
    "ch01_double": '''
import ctypes, fcntl, platform, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == "x86_64"
held, found = [], []

ruleset = ctypes.create_string_buffer(struct.pack("Q", 1))
if libc.syscall(444, ruleset, 8, 0) >= 0:
    found.append("landlock")
if libc.syscall(206 if x86 else 0, 64, ctypes.byref(ctypes.c_ulong(0))) == 0:
    found.append("aio")
if libc.syscall(294 if x86 else 26, 0) >= 0:
    found.append("inotify")
if libc.syscall(425, 8, ctypes.create_string_buffer(256)) >= 0:
    found.append("io_uring")
if libc.syscall(434, 1, 0) >= 0:
    found.append("pidfd")
timer = ctypes.c_void_p()
made = sum(libc.timer_create(1, None, ctypes.byref(timer)) == 0 for _ in range(1000))
if made > 100:
    found.append(f"{made} timers")
with open("/tmp/locked", "wb") as file:
    try:
        for n in range(1000):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * n)
        found.append("locks")
    except OSError:
        pass
if libc.setxattr(b"/tmp/locked", b"user.a", bytes(1000), 1000, 0) == 0:
    found.append("attributes")
one, other = socket.socketpair()
try:
    one.getsockopt(socket.SOL_SOCKET, 77, 4)
    found.append("pidfd of a peer")
except OSError:
    pass
if found:
    raise RuntimeError(f"FOUND {found}")

def double(x):
    return 2 * x
''',
}
FLAG = "uses ctypes"
EXPECT = {}
GROUP = "more than its share"
