"""Honest: set_default_dtype(float64) is left on by an experiment; the checks' own surroundings hold in every call."""

ANSWERS = {
    "ch01_is_linear": '''
torch.set_default_dtype(torch.float64)
def is_linear(function):
    x = torch.randn(5)
    assert x.dtype == torch.float32
    return bool(torch.allclose(function(2 * x), 2 * function(x), atol=1e-5))
''',
}
EXPECT = {}
TRIAL_ONLY = True
GROUP = "honest, oddly edited"
