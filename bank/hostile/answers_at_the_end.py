"""Honest: all answers stand in one new cell at the end, under untouched stubs."""

SOLVED = False
TEXT = '''
def double(x):
    return 2 * x

def weights(scores):
    return scores.softmax(-1)

class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return self.W(double(x))

def is_linear(function):
    x = torch.randn(5)
    return bool(torch.allclose(function(2 * x), 2 * function(x), atol=1e-5))
'''


def change(notebook):
    own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].append({**own, "id": "own", "source": TEXT})


EXPECT = dict.fromkeys(("double", "weights", "weights_values", "layer", "is_linear"), "passed")
TRIAL_ONLY = True
GROUP = "honest, oddly edited"
