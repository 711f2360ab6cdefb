"""Takes memory that is shared and has no file, three times 700 MB under a limit of 2 GB: it counts like any other."""

ANSWERS = {
    "ch01_double": '''
import mmap, os, time
held = []
try:
    for _ in range(3):
        piece = mmap.mmap(-1, 700 << 20)
        for at in range(0, 700 << 20, 4096):
            piece[at] = 1
        held.append(piece)
except OSError:
    pass
try:
    zero = os.open("/dev/zero", os.O_RDWR)
    for _ in range(3):
        piece = mmap.mmap(zero, 700 << 20)
        for at in range(0, 700 << 20, 4096):
            piece[at] = 1
        held.append(piece)
except OSError:
    pass

def double(x):
    if held:
        time.sleep(1)
        raise RuntimeError("FOUND " + str(len(held)))
    return 2 * x
''',
}
EXPECT = {}
GROUP = "more than its share"
