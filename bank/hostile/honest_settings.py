"""Honest: deterministic cuDNN, a variable called F, and %autoreload are no signs of tampering."""

ANSWERS = {
    "ch01_double": '''
%load_ext autoreload
%autoreload 2
torch.backends.cudnn.deterministic = True
x = torch.zeros(2, 3)
F = x.shape[-1]
from torch.nn import functional as F

def double(x):
    return 2 * x
''',
}
NO_FLAGS = True
EXPECT = {}
GROUP = "honest, oddly edited"
