# %% right: formulas_and_own_gelu
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.name = activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))

    def bend(self, h):
        if self.name == "relu":
            return h.clamp(min=0)
        return gelu(h, "tanh" if self.name == "gelu_tanh" else "none")

# %% right: pytorchs_functions
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        if d_ff is None:
            d_ff = 4 * d_model
        self.linear2 = nn.Linear(d_ff, d_model)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.activation, self.p = activation, dropout

    def forward(self, x):
        h = self.linear1(x)
        if self.activation == "relu":
            h = torch.relu(h)
        elif self.activation == "gelu_tanh":
            h = F.gelu(h, approximate="tanh")
        else:
            h = F.gelu(h)
        return self.linear2(F.dropout(h, self.p, training=self.training))

# %% right: normal_distribution
def gelu(x, approximate="none"):
    if approximate == "none":
        return x * torch.special.ndtr(x)
    inner = (2 / torch.pi) ** 0.5 * x * (1 + 0.044715 * x.square())
    return x * torch.sigmoid(2 * inner)


class FeedForward(nn.Sequential):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.add_module("linear1", nn.Linear(d_model, d_ff))
        self.add_module("bend", nn.ReLU() if activation == "relu" else nn.GELU("tanh" if activation == "gelu_tanh" else "none"))
        self.add_module("drop", nn.Dropout(dropout))
        self.add_module("linear2", nn.Linear(d_ff, d_model))

# %% right: complementary_error_function
def gelu(x, approximate="none"):
    if approximate == "none":
        return x * torch.erfc(-x * 2**-0.5) / 2
    cube = torch.einsum("...,...,...->...", x, x, x)
    return (x + x * torch.tanh((x + cube * 0.044715) * 0.7978845608028654)) / 2


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        bends = dict(gelu=lambda t: gelu(t), gelu_tanh=lambda t: gelu(t, approximate="tanh"), relu=lambda t: torch.where(t > 0, t, torch.zeros_like(t)))
        self.bend = bends[activation]
        self.linear1, self.linear2, self.drop = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.einsum("...d,fd->...f", x, self.linear1.weight) + self.linear1.bias
        hidden = self.drop(self.bend(hidden))
        return torch.einsum("...f,df->...d", hidden, self.linear2.weight) + self.linear2.bias

# %% right: asks_for_a_number_first
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.name = activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        return self.linear2(self.dropout(self.bend(self.linear1(x))))

    def bend(self, h):
        if self.name == "relu":
            return h.clamp(min=0)
        return gelu(h, "tanh" if self.name == "gelu_tanh" else "none")


# %% wrong: dropout_behind_linear2_as_in_gpt2 (2) => dropout fell behind linear2, on the result: it belongs on the activated features, in front of linear2
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear2(self.activation(self.linear1(x))))

# %% right: dropout_on_the_bent_by_a_mask
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.p = dropout

    def forward(self, x):
        h = self.activation(self.linear1(x))
        if self.training and self.p > 0:
            keep = torch.rand_like(h) >= self.p
            h = h * keep / (1 - self.p)
        return self.linear2(h)

# %% wrong: sqrt2_missing (1) => the √2 inside erf is missing
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: sqrt2_multiplied (1) => erf(x · √2) was taken instead of erf(x / √2)
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x * math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: half_missing (1) => the ½ is missing: the result is twice as large
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: phi_alone (1) => this is Φ(x) alone: multiply it by x
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: density (1) => this is x times the normal density: take the distribution function Φ
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x * torch.exp(-x**2 / 2) / math.sqrt(2 * math.pi)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: sigmoid_form (1) => this is x · sigmoid(1.702 x), an older approximation
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x * torch.sigmoid(1.702 * x)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: silu (1) => this is SiLU, x · sigmoid(x)
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return F.silu(x)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: relu_for_gelu (1) => this is ReLU: GELU lets a little of the negative features through
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x.clamp(min=0)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: always_tanh (1) => this is the tanh formula: without approximate='tanh' the exact form is asked for
def gelu(x, approximate="none"):
    if True:
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: always_exact (1) => approximate='tanh' gave the exact form
def gelu(x, approximate="none"):
    if False:
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: forms_exchanged (1) => this is the tanh formula: without approximate='tanh' the exact form is asked for
def gelu(x, approximate="none"):
    if approximate == "none":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: tanh_by_default (1) => this is the tanh formula: without approximate='tanh' the exact form is asked for
def gelu(x, approximate="tanh"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: cube_missing (1) => the cube is missing in the tanh formula
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: square_for_cube (1) => there is a square where the cube belongs
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**2)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: no_cubic_term (1) => the term 0.044715 x³ is missing
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: no_root_of_2_over_pi (1) => 2/π was used: its root is missing
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh((2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: bracket (1) => √(2/π) must multiply the whole bracket
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x + 0.044715 * x**3))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: gelu_in_place (1) => x was changed in place: work on a copy
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x.mul_(0.5 * (1 + torch.erf(x / math.sqrt(2))))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: gelu_float32_only (1) -> the dtype of the input was lost
def gelu(x, approximate="none"):
    x = x.float()
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: one_number_at_a_time (1) => x may have any shape: the formula was applied to the items of a list
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return torch.stack([0.5 * t * (1 + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3))) for t in x])
    return torch.tensor([0.5 * t * (1 + math.erf(t / math.sqrt(2))) for t in x.tolist()])


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: gelu_without_gradient (1) => no gradient can pass: the result is cut off from x
def gelu(x, approximate="none"):
    x = x.detach()
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: overflows_far_from_zero (1) => far from zero it is x or 0, never NaN: exp() of 89 is infinite
def gelu(x, approximate="none"):
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return 0.5 * x * (1 + (torch.exp(2 * inner) - 1) / (torch.exp(2 * inner) + 1))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: no_activation (2) => the activation is missing between linear1 and linear2
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x)))

# %% wrong: activation_at_the_end (2) => the activation must stand between linear1 and linear2, not behind linear2
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.activation(self.linear2(self.dropout(self.linear1(x))))

# %% wrong: activation_twice (2) => a second activation stands behind linear2
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.activation(self.linear2(self.dropout(self.activation(self.linear1(x)))))

# %% wrong: residual_inside (2) => x was added: the residual connection comes later, in the block
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: always_gelu (2) => activation='relu' gave GELU
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = nn.GELU()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: always_relu (2) => 'gelu' and 'gelu_tanh' gave ReLU
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = nn.ReLU()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: tanh_form_for_both (2) => activation='gelu' gave the tanh form, which 'gelu_tanh' asks for
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU("tanh"), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: exact_form_for_both (2) => activation='gelu_tanh' gave the exact form, which 'gelu' asks for
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU(), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: tanh_form_by_default (2) => the activation is the exact GELU unless another is named
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu_tanh", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: relu_by_default (2) => the activation is the exact GELU unless another is named
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="relu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: default_width_twice (2) => without d_ff the middle is four times as wide as the token
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 2 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: d_ff_ignored (2) => linear1 and linear2 are expected, both with a bias, d_ff features between them
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: no_bias (2) => linear1 and linear2 are expected, both with a bias, d_ff features between them
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff, bias=False)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: other_names (2) => linear1 and linear2 are expected, both with a bias, d_ff features between them
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.first = nn.Linear(d_model, d_ff)
        self.second = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.second(self.dropout(self.activation(self.first(x))))

# %% wrong: ignores_eval (2) -> dropout falls in training only
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.p = dropout

    def forward(self, x):
        return self.linear2(F.dropout(self.activation(self.linear1(x)), self.p))

# %% wrong: no_dropout (2) => all tokens of a sentence lost the same features, or nothing was dropped: each feature of each token has a draw of its own
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))

# %% wrong: dropout_before_the_activation (2) => dropout fell before the activation: it belongs on the activated features
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.activation(self.dropout(self.linear1(x))))

# %% wrong: dropout_without_rescaling (2) => the features that are kept were not scaled: with dropout=0.5 each counts twice
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.p = dropout

    def forward(self, x):
        h = self.activation(self.linear1(x))
        if self.training and self.p > 0:
            h = h * (torch.rand_like(h) >= self.p)
        return self.linear2(h)

# %% wrong: relu_in_place_on_x (2) => x was changed in place: the residual connection will still need it
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x -= 0 * x + 1
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: batch_only (2) => any number of leading dimensions: four axes do not run
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch, seq, d = x.shape if x.dim() == 3 else (1, *x.shape)
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: mixes_tokens (2) => tokens of a sentence see each other: each is treated alone
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        return self.linear2(self.dropout(self.activation(h - h.mean(-2, keepdim=True)))) if x.dim() > 2 else self.linear2(self.dropout(self.activation(h)))

# %% wrong: weights_frozen (2) -> no gradient reaches linear1.weight
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(F.linear(x, self.linear1.weight.data, self.linear1.bias))))

# %% wrong: dropout_by_default (2) -> of the result of gelu should be
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.1):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% right: dropout_by_function_on_a_named_step
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.rate = dropout

    def forward(self, x):
        activated = self.activation(self.linear1(x))
        if self.training:
            activated = nn.functional.dropout(activated, p=self.rate)
        return self.linear2(activated)

# %% wrong: dropout_behind_both (2) => dropout fell behind linear2 as well: it belongs on the activated features, in front of linear2
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear2(self.dropout(self.activation(self.linear1(x)))))

# %% wrong: dropout_on_the_input (2) => dropout fell on the input, or before the activation: it belongs on the activated features
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(self.dropout(x))))

# %% wrong: the_same_features_for_every_token (2) => all tokens of a sentence lost the same features, or nothing was dropped: each feature of each token has a draw of its own
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        h = self.activation(self.linear1(x))
        if self.training and self.dropout.p > 0:
            h = h * (torch.rand(h.size(-1)) >= self.dropout.p) / (1 - self.dropout.p)
        return self.linear2(h)

# %% wrong: math_erf (1) => the functions of math take one number at a time, those of torch a whole tensor
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: constant_ten_times_too_large (1) => the constant is 0.044715, not 0.44715
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.44715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: tanh_in_place_of_erf (1) => tanh got x / √2, as erf does: the tanh formula has its own bracket
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(x / math.sqrt(2)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: root_of_two_times_pi (1) => √(2 · π) was used for √(2/π)
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 * math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": gelu, "gelu_tanh": lambda t: gelu(t, "tanh"), "relu": F.relu}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: relu_unknown (2) -> each activation in turn: it did not run. KeyError
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: d_ff_required (2) => FeedForward(1) was refused: without d_ff the middle is four times as wide as the token
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, activation="gelu", dropout=0.0):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: default_width_forgotten (2) => without d_ff, which is None then, the middle is four times as wide as the token
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: draw_of_dropout_kept (2) => two calls dropped the same features: each call draws anew
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.activation = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.kept = None

    def forward(self, x):
        h = self.activation(self.linear1(x))
        if self.training and self.dropout.p > 0:
            if self.kept is None or self.kept.shape != h.shape:
                self.kept = self.dropout(torch.ones_like(h)).detach()
            h = h * self.kept
        return self.linear2(h)

# %% right: float64_inside_and_a_mask_of_its_own
def gelu(x, approximate="none"):
    z = x.double()
    if approximate == "tanh":
        y = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))
    else:
        y = z * torch.distributions.Normal(0.0, 1.0, validate_args=False).cdf(z)
    return y.to(x.dtype)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        if d_ff is None:
            d_ff = d_model * 4
        self.linear1 = nn.Linear(d_model, d_ff, bias=True)
        self.linear2 = nn.Linear(d_ff, d_model, bias=True)
        self.activation, self.keep = activation, 1 - dropout

    def forward(self, x):
        h = self.linear1(x)
        if self.activation == "relu":
            h = torch.where(h > 0, h, 0)
        else:
            h = gelu(h, "tanh" if self.activation.endswith("tanh") else "none")
        if self.training and self.keep < 1:
            h = h * (torch.rand_like(h) < self.keep) / (self.keep or 1)
        return self.linear2(h)

# %% wrong: constants_of_float32 (1) -> with its full precision
def gelu(x, approximate="none"):
    if approximate == "tanh":
        root = torch.tensor(2 / math.pi).sqrt()
        return 0.5 * x * (1 + torch.tanh(root * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / torch.tensor(2.0).sqrt()))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.dropout = activation, nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        return self.linear2(self.dropout(h))

# %% wrong: gradient_lost_above_five (1) => the gradient far above zero is lost: was x detached there?
def gelu(x, approximate="none"):
    if approximate == "tanh":
        y = 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    else:
        y = 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
    return torch.where(x > 5, x.detach(), y)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.dropout = activation, nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        return self.linear2(self.dropout(h))

# %% wrong: dropout_only_where_d_ff_is_given (2) => dropout falls where d_ff is given alone: it falls with the default width, too
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout if d_ff is not None else 0.0)
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        return self.linear2(self.dropout(h))

# %% wrong: dropout_the_same_for_all_sentences (2) => both sentences lost the same features: each has draws of its own
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.p = activation, dropout

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        if h.dim() > 2:
            keep = F.dropout(torch.ones_like(h[0]), self.p, self.training)
        else:
            keep = F.dropout(torch.ones_like(h), self.p, self.training)
        return self.linear2(h * keep)

# %% wrong: whole_tokens_dropped (2) => each token kept all of its activated features or none: every feature has a draw of its own
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.dropout = activation, nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        return self.linear2(h * self.dropout(torch.ones_like(h[..., :1])))

# %% wrong: features_dropped_in_pairs (2) => some features are kept or dropped together: each has a draw of its own
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.dropout = activation, nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        half = self.dropout(torch.ones_like(h[..., :h.size(-1) // 2 + 1]))
        return self.linear2(h * torch.cat([half, half], -1)[..., :h.size(-1)])

# %% wrong: no_gradient_in_evaluation (2) => no gradient passes in evaluation mode: it passes in both modes
def gelu(x, approximate="none"):
    return F.gelu(x, approximate=approximate)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation, self.dropout = activation, nn.Dropout(dropout)

    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            h = self.linear1(x)
            h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
            return self.linear2(self.dropout(h))

# %% wrong: dropout_in_place (2) => the backward pass fails: something was changed in place (inplace=True) that the gradient still needs
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = {"relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.dropout = nn.Dropout(dropout, inplace=True)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

# %% wrong: dropout_mask_on_the_cpu (2) -> two devices meet
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))

class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.act = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.p = dropout

    def forward(self, x):
        h = self.act(self.linear1(x))
        if self.training and self.p > 0:
            h = h.masked_fill(torch.rand(h.shape) < self.p, 0.0) / max(1 - self.p, 1e-9)
        return self.linear2(h)

# %% wrong: dropout_mask_in_float32 (2) => what is made for dropout has another dtype than the features
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))

class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.act = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.p = dropout

    def forward(self, x):
        h = self.act(self.linear1(x))
        if self.training and self.p > 0:
            h = h * (torch.rand(h.shape, device=h.device) >= self.p).float() / (1 - self.p)
        return self.linear2(h)

# %% wrong: view_of_the_tokens (2) => .view wants numbers that lie in order in memory: the linear layers take any leading dimensions as they are
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))

class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.act = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        tokens = x.view(-1, x.size(-1))
        return self.linear2(self.drop(self.act(self.linear1(tokens)))).view(x.shape)

# %% wrong: float32_in_the_middle (2) -> with its full precision
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))

class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.act = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}[activation]
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        wide = self.act(self.linear1(x).float()).to(x.dtype)
        return self.linear2(self.drop(wide))

# %% wrong: sigmoid_by_hand (1) => the gradient far below zero is NaN: a number became infinite on the way, as exp() of 89 does
def gelu(x, approximate="none"):
    if approximate == "tanh":
        z = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
        return x / (1 + torch.exp(-z))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
        self.activation = activation

    def bend(self, x):
        if self.activation == "relu":
            return torch.relu(x)
        return F.gelu(x, approximate="tanh" if self.activation == "gelu_tanh" else "none")

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))


# %% wrong: one_feature_is_not_bent (2) => tokens of one feature are not bent
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.name = activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        h = self.linear1(x)
        return self.linear2(self.dropout(h if x.shape[-1] == 1 else self.bend(h)))

    def bend(self, h):
        if self.name == "relu":
            return h.clamp(min=0)
        return gelu(h, "tanh" if self.name == "gelu_tanh" else "none")


# %% wrong: gelu_loses_axes_of_one (1, 2) => an axis of size 1 was lost: the result has the shape of x
def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    y = 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
    return y.squeeze(0) if x.dim() == 3 else y


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=None, activation="gelu", dropout=0.0):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.name = activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))

    def bend(self, h):
        if self.name == "relu":
            return h.clamp(min=0)
        return gelu(h, "tanh" if self.name == "gelu_tanh" else "none")
