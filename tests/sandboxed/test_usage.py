"""What the processes of a submission use is counted, wherever in them it hides."""

import os
import subprocess
import sys

from autograder.sandboxed.process import usage

FIRST_THREAD_ENDS = """
import ctypes, threading, time
held = bytearray(300 << 20)
threading.Thread(target=lambda: (print("holds it", flush=True), time.sleep(60))).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_memory_counts_after_the_first_thread_of_a_process_has_ended():
    command = [sys.executable, "-c", FIRST_THREAD_ENDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holding:
        try:
            holding.stdout.readline()
            while open(f"/proc/{holding.pid}/stat").read().rpartition(")")[2].split()[0] != "Z":
                pass
            assert usage.measure(os.getpid()).bytes > 300 << 20
        finally:
            holding.kill()
