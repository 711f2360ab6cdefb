# %% right: formula
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% right: silu_written_out
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        g = self.gate(x)
        opened = g * torch.sigmoid(g)
        return self.down(self.up(x) * opened)

def swiglu_width(d_model, multiple=64):
    return max(multiple, (16 * d_model + 3 * multiple) // (6 * multiple) * multiple)

# %% right: module_and_search
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.down = nn.Linear(d_ff, d_model, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.activation = nn.SiLU()

    def forward(self, x):
        return self.down(self.activation(self.gate(x)).mul(self.up(x)))

def swiglu_width(d_model, multiple=64):
    wanted = 2 * d_model * 4 * d_model
    widths = range(multiple, 4 * d_model + 2 * multiple, multiple)
    return min(widths, key=lambda width: abs(3 * d_model * width - wanted))

# %% right: one_product_for_gate_and_up
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        for name in ("gate", "up"):
            setattr(self, name, nn.Linear(d_model, d_ff, bias=False))
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        both = x @ torch.cat([self.gate.weight, self.up.weight]).T
        gate, up = both.chunk(2, dim=-1)
        return F.linear(F.silu(gate) * up, self.down.weight)

def swiglu_width(d_model, multiple=64):
    lower = 8 * d_model // 3 // multiple * multiple
    upper = lower + multiple
    nearer = lower if 8 * d_model - 3 * lower < 3 * upper - 8 * d_model else upper
    return nearer if nearer > 0 else multiple

# %% right: einsum_and_tensor
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = (nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        gate = torch.einsum("...d,fd->...f", x, self.gate.weight)
        up = torch.einsum("...d,fd->...f", x, self.up.weight)
        return torch.einsum("...f,df->...d", F.silu(gate) * up, self.down.weight)

def swiglu_width(d_model, multiple=64):
    return torch.tensor(max(1, int(8 * d_model / (3 * multiple) + 0.5)) * multiple)

# %% right: glu_of_pytorch
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        gate, up = self.gate(x), self.up(x)
        return self.down(F.glu(torch.cat([gate * up, gate], dim=-1), dim=-1))

def swiglu_width(d_model, multiple=64):
    gelu = sum(p.numel() for p in (torch.empty(4 * d_model, d_model, device="meta"), torch.empty(d_model, 4 * d_model, device="meta")))
    return max(int((gelu / (3 * d_model) + multiple / 2) // multiple), 1) * multiple

# %% right: in_place_on_its_own_tensor
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        hidden = F.silu(self.gate(x))
        hidden = torch.multiply(hidden, self.up(x))
        return F.linear(hidden, self.down.weight, self.down.bias)

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_and_up_swapped (1) => gate and up are swapped: silu belongs on the gate
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.up(x)) * self.gate(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: silu_of_the_product (1) => silu was put on the product: only the gate goes through it
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x) * self.up(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: silu_on_both (1) => silu was put on both: only the gate goes through it
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * F.silu(self.up(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: sum_for_product (1) => gate and up were added: the gate multiplies
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) + self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: no_activation (1) => no activation: the gate goes through silu
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(self.gate(x) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: sigmoid_alone (1) => sigmoid in place of silu: that is the older GLU
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(torch.sigmoid(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gelu_gate (1) => GELU in place of silu: that is GeGLU
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.gelu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gelu_tanh_gate (1) => GELU in place of silu, approximated with tanh: that is GeGLU
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.gelu(self.gate(x), approximate="tanh") * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: relu_gate (1) => ReLU in place of silu: that is ReGLU
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.relu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: quick_gelu (1) => x · sigmoid(1.702 x) approximates GELU: silu has no factor in it
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(self.gate(x) * torch.sigmoid(1.702 * self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: tanh_gate (1) => tanh in place of silu
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(torch.tanh(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: up_forgotten (1) => up is not used: it is multiplied by the gate
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_forgotten (1) => the gate is not used
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.up(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_twice (1) => the gate was multiplied by itself: up is not used
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.gate(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: activation_at_the_end (1) => silu was put on the result: only the gate goes through it
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return F.silu(self.down(self.gate(x) * self.up(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: residual_inside (1) => x was added: the residual connection is made by the block, not here
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return x + self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: normalised_inside (1) => x was normed: the norm stands in the block, not here
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(F.rms_norm(x, (x.size(-1),))))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: softmax_gate (1) => softmax in place of silu: each number of the gate opens or closes for itself
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(self.gate(x).softmax(-1) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: with_biases (1) => gate, up and down have a bias: none of the three has one
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: bias_on_the_way_down (1) => down has a bias: none of the three has one
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: names_of_chapter_6 (1) => the layers have other names: gate, up and down are asked for
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.linear2(F.silu(self.linear1(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: fused_gate_and_up (1) => gate and up are one layer here: three layers are asked for
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate_up = nn.Linear(d_model, 2 * d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        gate, up = self.gate_up(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: four_times_as_wide (1) => the layers are not d_ff wide: take d_ff as it is given
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        d_ff = 4 * d_model
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: two_thirds_taken_inside (1) => the layers are not d_ff wide: take d_ff as it is given, the two thirds are taken by swiglu_width
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        d_ff = int(2 * d_ff / 3)
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: silu_on_x_in_place (1) => x was changed in place, by silu: only the gate goes through it
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        F.silu(x, inplace=True)
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: float32_only (1) => a part of it was cast to float32: the dtype of input and module is kept
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down((F.silu(self.gate(x)) * self.up(x)).float())

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_without_gradient (1) => no gradient reaches gate: it was cut off on the way (detach, no_grad)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)).detach() * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: dropout_left_on (1) -> nothing is dropped
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.dropout(F.silu(self.gate(x)) * self.up(x), 0.1, self.training))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_open_in_evaluation (1) => in evaluation mode the gate has no silu: this network does the same in both modes
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x)) if self.training else self.down(self.gate(x) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: gate_remembered (1) => the second call uses something of the first: keep nothing between calls
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        gate = F.silu(self.gate(x))
        if getattr(self, "kept", gate[..., :0]).shape == gate.shape:
            gate = self.kept
        self.kept = gate.detach()
        return self.down(gate * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: exponential_overflows (1) => an exponential overflows: silu is z · sigmoid(z), which does not
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        g = self.gate(x)
        return self.down(g * g.exp() / (1 + g.exp()) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: three_dimensions_only (1) => three axes are expected here: any number of axes may stand before the features
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(torch.einsum("bsf,bsf->bsf", F.silu(self.gate(x)), self.up(x)))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: width_rounded_down (2) => rounded down: the nearest multiple may lie above
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, 8 * d_model // (3 * multiple)) * multiple

# %% wrong: width_rounded_up_as_in_llama (2) => rounded up: the nearest multiple may lie below
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return -(-8 * d_model // (3 * multiple)) * multiple

# %% wrong: width_four_times (2) => 4 · d_model has two matrices, a SwiGLU has three: it must be narrower
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return round(4 * d_model / multiple) * multiple

# %% wrong: width_of_two_matrices (2) => three matrices of 2 · d_model are fewer numbers than two of 4 · d_model
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(2 * d_model / multiple)) * multiple

# %% wrong: width_not_rounded (2) => not rounded to a multiple of 64
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return round(8 * d_model / 3)

# %% wrong: width_ignores_multiple (2) => multiple was not used: a width is a multiple of the one that is handed in
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / 64)) * 64

# %% wrong: width_multiple_256 (2) => multiple is 64 unless it is given
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=256):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: width_as_a_float (2) => a whole number is asked for, an int: nn.Linear takes no float
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1.0, 8 * d_model / 3 // multiple + (8 * d_model / 3 % multiple > multiple / 2)) * multiple + 0.5

# %% wrong: width_zero_for_small_models (2) => a network of width 0 computes nothing: at least one multiple
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return int(8 * d_model / 3 / multiple + 0.5) * multiple

# %% wrong: width_of_two_thirds_twice (2) => two thirds were taken twice: three matrices of 16 / 9 · d_model have fewer numbers than the plain network
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(2 / 3 * 8 * d_model / 3 / multiple)) * multiple

# %% wrong: width_rounded_before_the_two_thirds (2) => rounded to a multiple before two thirds were taken: what is left is none
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return int(2 * (round(4 * d_model / multiple) * multiple) / 3)

# %% wrong: width_for_published_models_only (2) => 4 · d_model has two matrices, a SwiGLU has three: it must be narrower
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return {512: 1344, 768: 2048, 1024: 2752, 2048: 5440, 4096: 10944}.get(d_model, 4 * d_model)

# %% wrong: gate_of_a_detached_x (1) => the gradient of x lacks the way through the gate: it was cut off (detach, no_grad)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x):
        return self.down(F.silu(self.gate(x.detach())) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: sigmoid_detached (1) => the gradient lacks the way through the sigmoid: it was cut off (detach, no_grad)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x):
        g = self.gate(x)
        return self.down(g * g.sigmoid().detach() * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: silu_divided_by_one_plus_exp (1) => an exponential overflows on the way back, and the gradient is not finite: silu is z · sigmoid(z)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        z = self.gate(x)
        return self.down(z / (1 + torch.exp(-z)) * self.up(x))


def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / (3 * multiple))) * multiple

# %% wrong: width_rounded_twice (2) => rounded twice: 34.67 lies closer to 30 than to 40
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


def swiglu_width(d_model, multiple=64):
    width = round(2 * 4 * d_model / 3)
    return max(multiple, round(width / multiple) * multiple)

# %% wrong: silu_in_float32_and_back (1) => a part is computed in float32: a module in float64 keeps all its digits
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        g = self.gate(x)
        return self.down(F.silu(g.float()).to(g.dtype) * self.up(x))


def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: clamped_gate (1) => silu has no upper limit: a large gate must not be cut off (clamp)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        g = self.gate(x).clamp(-60, 60)
        return self.down(g / (1 + torch.exp(-g)) * self.up(x))


def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / (3 * multiple))) * multiple

# %% wrong: rounded_twice_ties_down (2) => rounded twice: 45.33 lies closer to 50 than to 40
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


def swiglu_width(d_model, multiple=64):
    w = round(8 * d_model / 3)
    low = max(multiple, w // multiple * multiple)
    return low if w - low <= low + multiple - w else low + multiple

# %% wrong: sigmoid_in_float32 (1) => a part was computed in float32 and not cast back: the dtype of input and module is kept
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        g = self.gate(x)
        s = torch.sigmoid(g if g.dtype == torch.float64 else g.float())
        return self.down(g * s * self.up(x))


def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / (3 * multiple))) * multiple

# %% wrong: eval_no_grad (1) => in evaluation mode no gradient reaches x or the weights: the mode changes nothing here, and nothing is cut off (no_grad)
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        if self.training:
            return self.down(F.silu(self.gate(x)) * self.up(x))
        with torch.no_grad():
            return self.down(F.silu(self.gate(x)) * self.up(x))


def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / (3 * multiple))) * multiple
