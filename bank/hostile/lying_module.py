"""A module with methods named like a tensor's that claim to be close to anything: wrong."""

ANSWERS = {
    "ch01_weights": '''
class Liar(nn.Module):
    shape = dtype = None
    def allclose(self, *a, **k): return True
    equal = isclose = all = any = item = sum = tolist = allclose
    def __getitem__(self, key): return 0.5
    def __sub__(self, other): return 0.0
    def __abs__(self): return 0.0

def weights(scores):
    return Liar()
''',
}
EXPECT = {'weights': 'wrong', 'weights_values': 'wrong'}
GROUP = "marks without work"
