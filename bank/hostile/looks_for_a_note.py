"""Looks for what an earlier submission left behind: there is nothing."""

ANSWERS = {
    "ch01_double": '''
import os
found = [folder for folder in ("/tmp", "/dev/shm", os.getcwd()) if os.path.exists(os.path.join(folder, "note_for_later"))]
found += [name for name in os.environ if "NOTE" in name] + [name for name in dir(torch) if "note" in name]

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
