"""Rewrites its end of the pipe so that every question is answered with True: wrong."""

ANSWERS = {
    "ch01_double": '''
import sys
for name, module in list(sys.modules.items()):
    if name.endswith("rpc.endpoint"):
        module.Endpoint._perform = lambda self, message, payload: ({"value": True, "storages": []}, ())

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': 'wrong', 'weights': 'wrong', 'weights_values': 'wrong', 'layer': 'wrong', 'is_linear': 'wrong'}
GROUP = "marks without work"
