"""Claims a tensor of 10**15 elements, gigabytes to come, numbers out of range: refused, nothing is allocated."""

ANSWERS = {
    "ch01_double": '''
import sys
endpoint = next(module for name, module in sys.modules.items() if name.endswith("rpc.endpoint")).Endpoint
usual = endpoint._perform

def giant(self, message, payload):
    if message["do"] != "call":
        return usual(self, message, payload)
    return {"value": ["t", [0, "float32", [10**15], [0], 0]], "storages": [[0, 16]]}, [bytes(16)]

endpoint._perform = giant

def double(x):
    return 2 * x
''',
}
EXPECT = {'double': 'wrong', 'weights': 'wrong', 'weights_values': 'wrong', 'layer': 'wrong', 'is_linear': 'wrong'}
GROUP = "more than its share"
