"""Replaces isclose, allclose, equal and assert_close: zeros stay wrong, and the replacing is reported."""

ANSWERS = {
    "ch01_weights": '''
import math
math.isclose = torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None
torch.Tensor.__eq__ = lambda self, other: True

def weights(scores):
    return torch.zeros_like(scores)
''',
}
EXPECT = {'weights': 'wrong', 'weights_values': 'wrong', 'is_linear': 'wrong'}
FLAG = "replaces functions"
GROUP = "marks without work"
