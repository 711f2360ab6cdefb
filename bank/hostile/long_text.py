"""A text of 200 MB and a tensor of 700 MB stand where functions should: that costs their exercises, and the message says why."""

ANSWERS = {
    "ch01_double": "double = 'a' * 200_000_000",
    "ch01_weights": "weights = torch.zeros(175_000_000)",
    "ch01_layer": '''
class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        return self.W(2 * x)
''',
}
EXPECT = {"double": "error", "weights": "error", "weights_values": "error"}
MESSAGE = "more than can be carried"
GROUP = "more than its share"
