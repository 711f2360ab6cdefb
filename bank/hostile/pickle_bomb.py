"""Returns an object whose unpickling would run code: it is never unpickled."""

ANSWERS = {
    "ch01_double": '''
class Bomb:
    def __reduce__(self):
        return (eval, ("__import__('os')._exit(0)",))

def double(x):
    return Bomb()
''',
}
EXPECT = {'double': 'wrong'}
GROUP = "marks without work"
