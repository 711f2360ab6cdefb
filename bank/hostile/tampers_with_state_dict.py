"""A module whose state_dict and parameters lie: what is computed counts."""

ANSWERS = {
    "ch01_layer": '''
class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Linear(d_in, d_out, bias=False)
    def parameters(self, recurse=True): return iter(())
    def state_dict(self, *a, **k): return {"W.weight": 1}
    def forward(self, x):
        return 0 * self.W(x)
''',
}
EXPECT = {'layer': 'wrong'}
GROUP = "marks without work"
