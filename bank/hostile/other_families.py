"""Opens sockets of every family and asks the kernel for the list of mounts: only Unix sockets can be had."""

ANSWERS = {
    "ch01_double": '''
import ctypes, socket
found = []
for family in range(64):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind).close()
            if family != socket.AF_UNIX:
                found.append(family)
        except OSError:
            pass
libc = ctypes.CDLL(None, use_errno=True)
request = (ctypes.c_uint64 * 3)(24, 0xFFFFFFFFFFFFFFFF, 0)
answer = (ctypes.c_uint64 * 64)()
for number in (457, 458):
    if libc.syscall(number, request, answer, 64, 0) >= 0:
        found.append(number)

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
