"""Returns an object that claims to equal anything: wrong; what builds on it is judged with the reference."""

ANSWERS = {
    "ch01_double": '''
class Same:
    shape, grad = (2, 3, 5), 1
    def __eq__(self, other): return True
    def __getattr__(self, name): return lambda *a, **k: Same()
    def __bool__(self): return True

def double(x):
    return Same()
''',
}
EXPECT = {'double': 'wrong'}
GROUP = "marks without work"
