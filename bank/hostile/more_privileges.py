"""Asks the kernel for namespaces, mounts and tracing of its parent: all refused, or of no use."""

ANSWERS = {
    "ch01_double": '''
import ctypes, os
libc = ctypes.CDLL(None)
won = []
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, b"") == 0:
    won.append("mount")
if libc.ptrace(16, os.getppid() or 1, 0, 0) == 0 and os.getppid():
    won.append("ptrace")
if libc.setuid(0) == 0 and os.getuid() == 0:
    won.append("root")
if libc.unshare(0x10000000) == 0:
    won.append("user namespace")
if libc.chroot(b"/tmp") == 0:
    won.append("chroot")

def double(x):
    if won:
        raise RuntimeError("FOUND " + str(won))
    return 2 * x
''',
}
EXPECT = {}
FLAG = "uses ctypes"
GROUP = "out of the sandbox"
