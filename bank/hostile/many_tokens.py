"""Calls a function of the check with far more than any exercise has: the call is refused, not worked out."""

ANSWERS = {
    "ch01_is_linear": '''
def is_linear(function):
    for size in ((20_000, 300), (5_000,), (2_100, 2_100)):
        try:
            function(torch.zeros(size))
        except Exception:
            continue
        raise RuntimeError("FOUND a call of size " + str(size))
    x = torch.randn(5)
    return bool(torch.allclose(function(2 * x), 2 * function(x), atol=1e-5))
''',
}
EXPECT = {}
GROUP = "more than its share"
