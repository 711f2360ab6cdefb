"""Leaves files, shared memory and environment variables for a later submission: they are gone with it."""

ANSWERS = {
    "ch01_double": '''
import os
for folder in ("/tmp", "/dev/shm", os.getcwd(), os.path.expanduser("~")):
    open(os.path.join(folder, "note_for_later"), "w").write("2 * x")
os.environ["NOTE_FOR_LATER"] = "2 * x"
torch.note_for_later = "2 * x"

def double(x):
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
