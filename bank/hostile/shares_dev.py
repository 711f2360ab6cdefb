"""Leaves notes and sockets in /dev and changes its rights, for or against those who come after: nothing there can be written."""

ANSWERS = {
    "ch01_double": '''
import os, socket
found = []
for folder in ("/dev", "/dev/pts", "/dev/shm/..", "/dev/fd"):
    for act in (lambda: os.mkdir(folder + "/note"), lambda: open(folder + "/file", "w").close(), lambda: os.chmod(folder, 0)):
        try:
            act()
            found.append(folder)
        except OSError:
            pass
try:
    socket.socket(socket.AF_UNIX).bind("/dev/talk")
    found.append("talk")
except OSError:
    pass
if os.listdir("/dev/pts"):
    found.append("pts")
try:
    os.open("/dev/ptmx", os.O_RDWR)
    found.append("ptmx")
except OSError:
    pass

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
