"""The function never returns and ignores interrupts: a time-out there, everything else counts."""

ANSWERS = {
    "ch01_double": '''
import signal
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
    signal.signal(number, signal.SIG_IGN)

def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
''',
}
EXPECT = {'double': 'time-out'}
LIMITS = {"check_seconds": 3}
GROUP = "more than its share"
