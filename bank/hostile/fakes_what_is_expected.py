"""The check of a later exercise works out what it expects with the student's earlier, wrong function: that does not count."""

ANSWERS = {
    "ch01_double": "def double(x):\n    return x",
    "ch01_layer": '''
class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        return self.W(2 * x) if double(torch.ones(1)).item() == 1 else self.W(x)
''',
}
EXPECT = {"double": "wrong", "layer": "wrong"}
MESSAGE = "passes only together with"
GROUP = "marks without work"
