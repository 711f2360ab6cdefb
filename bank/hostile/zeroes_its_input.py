"""Sets its input to zero in place and returns zeros, so that what the check expects is zero too: wrong."""

ANSWERS = {
    "ch01_double": '''
def double(x):
    with torch.no_grad():
        x.zero_() if x.numel() == 30 else None
    return 2 * x
''',
}
EXPECT = {'double': 'wrong'}
GROUP = "marks without work"
