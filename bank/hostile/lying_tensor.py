"""A tensor subclass that answers every operation with what is wished for: only its plain values count."""

ANSWERS = {
    "ch01_double": '''
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if "equal" in str(function) or "eq" in str(function) or "close" in str(function):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})
    def __eq__(self, other): return True
    def tolist(self): return [2, 2, 2]

def double(x):
    return (0 * x).as_subclass(Liar)
''',
}
EXPECT = {'double': 'wrong'}
GROUP = "marks without work"
