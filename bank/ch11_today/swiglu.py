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

# %% wrong: gate_and_up_swapped -> gate and up are swapped
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

# %% wrong: silu_of_the_product -> silu was put on the product
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

# %% wrong: silu_on_both -> silu was put on both
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

# %% wrong: sum_for_product -> gate and up were added
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

# %% wrong: no_activation -> no activation
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

# %% wrong: sigmoid_alone -> sigmoid in place of silu
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

# %% wrong: gelu_gate -> GELU in place of silu
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

# %% wrong: gelu_tanh_gate -> GELU in place of silu
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

# %% wrong: relu_gate -> ReLU in place of silu
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

# %% wrong: quick_gelu -> 1.702
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

# %% wrong: tanh_gate -> tanh in place of silu
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

# %% wrong: up_forgotten -> up is not used
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

# %% wrong: gate_forgotten -> the gate is not used
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

# %% wrong: gate_twice -> up
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

# %% wrong: activation_at_the_end -> silu on the gate, times up
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

# %% wrong: residual_inside -> x was added
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

# %% wrong: normalised_inside -> x was normed
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

# %% wrong: softmax_gate -> silu on the gate, times up
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

# %% wrong: with_biases -> has a bias
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

# %% wrong: bias_on_the_way_down -> down has a bias
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

# %% wrong: names_of_chapter_6 -> gate is asked for
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

# %% wrong: fused_gate_and_up -> gate is asked for
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

# %% wrong: four_times_as_wide -> gate of SwiGLU(2, 3)
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

# %% wrong: two_thirds_taken_inside -> gate of SwiGLU(2, 3)
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

# %% wrong: silu_on_x_in_place -> x was changed in place
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

# %% wrong: float32_only -> float64
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

# %% wrong: gate_without_gradient -> no gradient reaches gate
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

# %% wrong: dropout_left_on -> nothing is dropped
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

# %% wrong: gate_open_in_evaluation -> the same in both modes
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

# %% wrong: gate_remembered -> keep nothing between calls
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

# %% wrong: exponential_overflows -> overflows
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

# %% wrong: three_dimensions_only -> leading dimensions
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

# %% wrong: width_rounded_down -> nearest multiple
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

# %% wrong: width_rounded_up_as_in_llama -> rounded up
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

# %% wrong: width_four_times -> it must be narrower
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

# %% wrong: width_of_two_matrices -> fewer numbers
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

# %% wrong: width_not_rounded -> not rounded to a multiple
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

# %% wrong: width_ignores_multiple -> multiple was not used
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

# %% wrong: width_multiple_256 -> multiple is 64 unless
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

# %% wrong: width_as_a_float -> a whole number
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

# %% wrong: width_zero_for_small_models -> at least one multiple
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

# %% wrong: width_of_two_thirds_twice -> 256 expected
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

# %% wrong: width_rounded_before_the_two_thirds -> multiple
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

# %% wrong: width_for_published_models_only -> it must be narrower
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

# %% wrong: gate_of_a_detached_x -> the gradient of x
class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x):
        return self.down(F.silu(self.gate(x.detach())) * self.up(x))

def swiglu_width(d_model, multiple=64):
    return max(1, round(8 * d_model / 3 / multiple)) * multiple

# %% wrong: sigmoid_detached -> the gradient of x
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

# %% wrong: silu_divided_by_one_plus_exp -> an exponential overflows on the way back
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

# %% wrong: width_rounded_twice -> rounded twice
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

# %% wrong: silu_in_float32_and_back -> a part is computed in float32
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

# %% wrong: clamped_gate -> must not be cut off
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

# %% wrong: rounded_twice_ties_down -> 45.33 lies closer to 50
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

# %% wrong: sigmoid_in_float32 -> the dtype changes on the way
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

# %% wrong: eval_no_grad -> in evaluation (eval) no gradient reaches
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
