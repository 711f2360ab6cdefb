"""Opens connections outward, to this machine and to Unix sockets: all must fail."""

ANSWERS = {
    "ch01_double": '''
import os, socket
found = []
for address in (("1.1.1.1", 53), ("127.0.0.1", 22), ("127.0.0.1", 8888)):
    try:
        socket.create_connection(address, timeout=1)
        found.append(address)
    except OSError:
        pass
for name in ("/run/docker.sock", "/var/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0"):
    if os.path.exists(name):
        found.append(name)

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
FLAG = "opens a network connection"
GROUP = "out of the sandbox"
