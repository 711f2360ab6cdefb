"""Answers once and then reads nothing more from the pipe: time-outs, no one waits for ever."""

ANSWERS = {
    "ch01_double": '''
import sandboxed.rpc.frames as frames, time
frames.receive = lambda *a, **k: time.sleep(10_000)

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': 'time-out', 'weights': 'time-out', 'weights_values': 'time-out', 'layer': 'time-out', 'is_linear': 'time-out'}
LIMITS = {"check_seconds": 3, "notebook_seconds": 10}
GROUP = "marks without work"
