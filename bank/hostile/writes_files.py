"""Writes wherever it can, and through links: only its scratch folder takes it."""

ANSWERS = {
    "ch01_double": '''
import os
written = []
for folder in ("/", "/usr/lib", "/etc", "/package", "/package/sandboxed", "/dev", "/proc", "/root", "/tmp/../etc", os.path.dirname(torch.__file__)):
    try:
        with open(os.path.join(folder, "mark"), "w") as file:
            file.write("x")
        written.append(folder)
    except OSError:
        pass
for name, target in (("one", "/proc/1/root/etc/shadow"), ("two", "/proc/self/root/etc/passwd")):
    os.symlink(target, f"/tmp/{name}")
    try:
        written.append(open(f"/tmp/{name}").read())
    except OSError:
        pass

def double(x):
    if written:
        raise RuntimeError("FOUND " + str(written))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
