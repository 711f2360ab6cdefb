# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1 · A trial
#
# A small chapter that only tests the grader.

# %% tags=["setup"]
import torch
from torch import nn

import attention_built as ab

torch.manual_seed(1)


# %%
def halve(x):
    return x / 2


# %% [markdown]
# ## 1.1 Functions
#
# ### Exercise 1.1 · Double · 2 points · about 1 minute


# %% nbgrader={"grade": false, "grade_id": "ch01_double", "locked": false, "schema_version": 3, "solution": true, "task": false}
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ch01_double_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.1: double gives twice its input."""
result = double(torch.ones(3))
assert result.tolist() == [2, 2, 2], f"expected twice the input; got {result}"
### BEGIN HIDDEN TESTS
reference = ab.Answers(globals(), {"": "def double(x): return 2 * x"})
# Property: works for negative numbers and other shapes
hidden_word_xylophone = torch.linspace(-3, 5, 30, dtype=torch.float64).view(2, 3, 5)
ab.check(
    "1.1 values",
    double,
    [ab.case("a (2, 3, 5) tensor", hidden_word_xylophone, look="values inputs")],
    like=reference("double"),
)
# Property: lets gradients through
leaf_word_xylophone = ab.case("the gradient", torch.ones(3), look="gradient")
ab.check("1.1 gradient", double, [leaf_word_xylophone], like=reference("double"))
### END HIDDEN TESTS
print("1.1 holds.")

# %% [markdown]
# ### Exercise 1.2 · Weights · 3 points · about 1 minute


# %% nbgrader={"grade": false, "grade_id": "ch01_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def weights(scores):
    """Softmax over the last dimension."""
    ### BEGIN SOLUTION
    return scores.softmax(-1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ch01_weights_check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.2: weights are positive and sum to one."""
rows = weights(torch.tensor([[1.0, 2.0], [3.0, 3.0]]))
assert torch.allclose(rows.sum(-1), torch.ones(2)), "the rows do not sum to one"
### BEGIN HIDDEN TESTS
# Property: right for large scores
reference = ab.Answers(globals(), {"": "def weights(scores): return scores.softmax(-1)"})
big_word_xylophone = ab.case("large scores", torch.tensor([1e4, 0.0, -1e4]))
ab.check("1.2 large", weights, [big_word_xylophone], like=reference("weights"))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "ch01_weights_check_values", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.2: the weights are those of softmax."""
assert abs(weights(torch.tensor([0.0, 0.0]))[0].item() - 0.5) < 1e-6, (
    "two equal scores share the weight"
)
### BEGIN HIDDEN TESTS
# Property: equal to softmax on random scores
scores_word_xylophone = torch.randn(4, 7, generator=torch.Generator().manual_seed(11))
reference = ab.Answers(globals(), {"": "def weights(scores): return scores.softmax(-1)"})
given_word_xylophone = ab.case("random scores", scores_word_xylophone)
ab.check("1.2 values", weights, [given_word_xylophone], like=reference("weights"))
### END HIDDEN TESTS

# %% [markdown]
# ## 1.2 Modules
#
# ### Exercise 1.3 · Layer · 3 points · about 1 minute

# %% tags=["show"]
print(double(torch.ones(2)))


# %% nbgrader={"grade": false, "grade_id": "ch01_layer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Layer(nn.Module):
    """Doubles, then projects without bias with W."""

    def __init__(self, d_in, d_out):
        super().__init__()
        ### BEGIN SOLUTION
        self.W = nn.Linear(d_in, d_out, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.W(double(x))
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ch01_layer_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.3: the layer projects twice its input."""
layer = Layer(3, 2)
with torch.no_grad():
    layer.W.weight.copy_(torch.eye(2, 3))
assert layer(torch.ones(4, 3)).tolist() == [[2, 2]] * 4, "the identity should give twice the input"
### BEGIN HIDDEN TESTS
# Property: the gradient reaches W
layer_word_xylophone = Layer(5, 7)
x_word_xylophone = torch.randn(2, 5, generator=torch.Generator().manual_seed(3))
torch.testing.assert_close(
    layer_word_xylophone(x_word_xylophone), 2 * x_word_xylophone @ layer_word_xylophone.W.weight.T
)
layer_word_xylophone(x_word_xylophone).sum().backward()
assert layer_word_xylophone.W.weight.grad is not None, "W has no gradient"
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise 1.4 · Ask · 2 points · about 1 minute


# %% nbgrader={"grade": false, "grade_id": "ch01_is_linear", "locked": false, "schema_version": 3, "solution": true, "task": false}
def is_linear(function):
    """Whether function(2 x) is 2 function(x) for some random x."""
    ### BEGIN SOLUTION
    x = torch.randn(5)
    return bool(torch.allclose(function(2 * x), 2 * function(x), atol=1e-5))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ch01_is_linear_check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
"""Exercise 1.4: linear functions are told from others."""
assert is_linear(lambda x: 3 * x) is True, "3 x is linear"


### BEGIN HIDDEN TESTS
# Property: curved functions are found out
def secret_word_xylophone(x):
    return x * x


assert is_linear(secret_word_xylophone) is False, "x squared is not linear"
### END HIDDEN TESTS
