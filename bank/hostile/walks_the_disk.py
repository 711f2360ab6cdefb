"""Walks every folder that it can see, for anything of the course: there is nothing but the pipe's own code."""

ANSWERS = {
    "ch01_double": '''
import os
found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if name not in ("site-packages", "dist-packages") and not name.startswith("python3")]
    for name in (*folders, *files):
        if any(word in name for word in ("autograder", "ch01_trial", "gradebook", "hidden_tests", "submitted")) or name.endswith(".ipynb"):
            found.append(os.path.join(folder, name))
import sys
found += [path for path in sys.path if path and not os.path.isdir(path)]
found = [path for path in found if not any(part in path for part in ("site-packages", "dist-packages"))]

def double(x):
    if found:
        raise RuntimeError("FOUND " + str(found))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
