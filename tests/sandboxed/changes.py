"""A module, and the ways in which one can change it."""

CODE = """
import torch
from torch import nn

class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.other = nn.Linear(3, 3, bias=False)
        with torch.no_grad():
            self.linear.weight.copy_(torch.arange(9.0).reshape(3, 3))
            self.linear.bias.copy_(torch.arange(3.0))
            self.other.weight.copy_(torch.arange(9.0).reshape(3, 3) - 4)
        self.register_buffer("table", torch.arange(4.0))

def change(module, text):
    with torch.no_grad():
        exec(text, {"module": module, "torch": torch, "nn": nn})

def both(modules, x):
    return sum(module(x) for module in modules)

def look(module):
    found = [[name, one.training] for name, one in module.named_modules()]
    found += [["saved", *sorted(module.state_dict())]]
    for tensors in module.named_parameters(), module.named_buffers():
        found += [[name, one.requires_grad, str(one.dtype), one.tolist()] for name, one in tensors]
        found.append("buffers")
    return found
"""
VALUES = {
    "in place": "module.linear.weight.add_(1)",
    "one element": "module.linear.weight[2, 1] = 100",
    "past the version counter": "module.linear.weight.data.mul_(2)",
    "through numpy": "module.linear.weight.detach().numpy()[0] = 7",
    "the same memory, turned": "module.linear.weight.data = module.linear.weight.data.t()",
    "the same memory, a part": "module.linear.weight.data = module.linear.weight.data[:2]",
    "the same memory, as whole numbers":
        "module.table.data = module.table.data.view(torch.int32)",
    "other memory": "module.linear.weight.data = torch.full((3, 3), 2.0)",
    "other memory, then in place":
        "module.linear.weight.data = torch.full((3, 3), 2.0); module.linear.weight.add_(1)",
    "another dtype": "module.to(torch.float64)",
    "bfloat16": "module.to(torch.bfloat16)",
    "frozen": "module.linear.weight.requires_grad_(False)",
    "a buffer": "module.table[0] = -1",
}  # fmt: skip
STRUCTURE = {
    "training mode": "module.linear.eval()",
    "no bias": "module.linear.bias = None",
    "a new bias": "module.other.bias = nn.Parameter(torch.ones(3))",
    "a parameter in place of another":
        "module.linear.weight = nn.Parameter(module.linear.weight + 1)",
    "tied": "module.other.weight = module.linear.weight",
    "a parameter that becomes a buffer":
        "w = module.linear.bias; del module.linear.bias; module.linear.register_buffer('bias', w)",
    "a buffer that is not saved": "module._non_persistent_buffers_set.add('table')",
    "a part in place of another": "module.other = nn.LayerNorm(3)",
    "two parts exchanged": "module.linear, module.other = module.other, module.linear",
    "a part wrapped": "module.linear = nn.Sequential(module.linear)",
    "a part wrapped twice": "module.linear = nn.Sequential(nn.Sequential(module.linear))",
    "two parts wrapped, one in the other":
        "module.other = nn.Sequential(module.other, module.linear); del module.linear",
    "a part less": "del module.other",
    "a part more": "module.more = nn.LayerNorm(3)",
}  # fmt: skip
CHANGES = VALUES | STRUCTURE
