"""Replaces softmax, matmul and Tensor methods for good: only its own exercises suffer, and it is reported."""

ANSWERS = {
    "ch01_double": '''
torch.softmax = torch.matmul = None
torch.Tensor.softmax = lambda self, dim: self * 0 + 1
torch.nn.functional.softmax = None

def double(x):
    return 2 * x
''',
}
EXPECT = {'weights': 'wrong', 'weights_values': 'wrong'}
FLAG = "replaces functions"
GROUP = "marks without work"
