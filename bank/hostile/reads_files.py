"""Reads passwords, keys, home folders, the gradebook, the source: none can be opened."""

ANSWERS = {
    "ch01_double": '''
import glob, os, sys
wanted = ["/etc/passwd", "/etc/shadow", "/etc/hostname", os.path.expanduser("~/.ssh/id_rsa"), "/root/.bashrc", "/home", os.path.join(os.path.dirname(sys.prefix), "source"), "/var/log/dpkg.log",
          "gradebook.db", "../gradebook.db", "/proc/1/environ", "/proc/self/environ", "/proc/meminfo", "/sys/kernel", "/boot"]
found = [path for path in wanted if glob.glob(path) and not (os.path.isdir(path) and not os.listdir(path))]
found = [path for path in found if os.path.isdir(path) or open(path, "rb").read(1)]

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
FLAG = "reads /proc"
GROUP = "out of the sandbox"
