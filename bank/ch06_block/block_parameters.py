# %% right: formula
def block_parameters(d_model, d_ff=None, bias=True):
    if d_ff is None:
        d_ff = 4 * d_model
    return 4 * d_model * (d_model + int(bias)) + d_ff * (2 * d_model + 1) + 5 * d_model

# %% right: counted_on_meta
def block_parameters(d_model, d_ff=None, bias=True):
    with torch.device("meta"):
        block = nn.TransformerEncoderLayer(d_model, 1, d_ff or 4 * d_model)
    return sum(p.numel() for p in block.parameters()) - (0 if bias else 4 * d_model)

# %% right: list_of_shapes
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    shapes = [(d_model, d_model)] * 4 + [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)] + [(d_model,)] * 4
    if bias:
        shapes += [(d_model,)] * 4
    return sum(math.prod(shape) for shape in shapes)

# %% right: zero_dimensional_tensor
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = 4 * d_model if d_ff is None else d_ff
    linear = lambda a, b, with_bias=True: a * b + (b if with_bias else 0)
    return torch.tensor(4 * linear(d_model, d_model, bias) + linear(d_model, d_ff) + linear(d_ff, d_model) + 2 * 2 * d_model)

# %% right: module_built
def block_parameters(d_model, d_ff=None, bias=True):
    width = d_ff or 4 * d_model
    parts = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
    parts += [nn.Linear(d_model, width), nn.Linear(width, d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)]
    return sum(p.numel() for p in nn.ModuleList(parts).parameters())

# %% wrong: attention_bias_forgotten => the biases of the four projections are missing: they are there unless bias=False is given
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: norms_forgotten => the two norms are missing: each has a weight and a bias
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model

# %% wrong: linear_biases_forgotten => the biases of the two linear layers are missing: they have theirs whatever bias says
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + 4 * d_model

# %% wrong: matrices_only => only the six matrices were counted: norms, and the biases of the linear layers, are missing
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 2 * d_model * d_ff

# %% wrong: one_norm => there are two norms, and each has a weight and a bias
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 2 * d_model

# %% wrong: norms_without_bias => there are two norms, and each has a weight and a bias
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 2 * d_model

# %% wrong: one_matrix_in_feed_forward => the feed-forward network has two matrices
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: output_projection_forgotten => attention has four projections, W_o is the fourth
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 3 * (d_model**2 + d_model * bias) + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: both_biases_d_model => linear1 has d_ff biases, linear2 has d_model
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + 2 * d_model + 4 * d_model

# %% wrong: both_biases_d_ff => linear1 has d_ff biases, linear2 has d_model
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + 2 * d_ff + 4 * d_model

# %% wrong: d_ff_ignored => d_ff = 5 was ignored
def block_parameters(d_model, d_ff=None, bias=True):
    return 12 * d_model**2 + (13 if bias else 9) * d_model

# %% wrong: bias_ignored => bias=False changed nothing: the four projections lose their biases then
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: bias_takes_the_linear_layers_too => the biases of the two linear layers are missing: they have theirs whatever bias says
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    total = 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model
    return total + (5 * d_model + d_ff if bias else 0)

# %% wrong: bias_takes_all => bias=False concerns the four projections alone: linear layers and norms keep theirs
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    total = 4 * d_model**2 + 2 * d_model * d_ff + 2 * d_model
    return total + (7 * d_model + d_ff if bias else 0)

# %% wrong: default_twice_as_wide => without d_ff, which is None then, the middle is four times as wide as the token
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 2 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: default_as_wide_as_the_token => without d_ff, which is None then, the middle is four times as wide as the token
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_model if d_ff is None else d_ff
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: bias_off_by_default => the biases of the four projections are missing: they are there unless bias=False is given
def block_parameters(d_model, d_ff=None, bias=False):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: gated_feed_forward => the feed-forward network has two matrices, not three
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * d_model**2 + 4 * d_model * bias + 3 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: hard_coded_output => right for d_model = 3 alone: count for any size
def block_parameters(d_model, d_ff=None, bias=True):
    return 147 if d_ff is None else 98 if bias else 86

# %% wrong: only_multiples_of_four => right for d_model = 3 alone: count for any size
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    total = 4 * d_model**2 + 4 * d_model * bias + 4 * d_model + 2 * d_model * d_ff + d_ff + d_model
    return total if d_model == 3 else 12 * d_model**2 + 9 * d_model + 4 * d_model * bias

# %% wrong: prints_and_forgets => None came back: return the number, do not print it
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    print(4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)

# %% wrong: norm_for_each_head => three norms were counted: a block has two
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (4 * d_model if bias else 0)
    return attention + 2 * d_model * d_ff + d_ff + d_model + 6 * d_model

# %% wrong: bias_turned_round => bias=False changed nothing: the four projections lose their biases then
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (0 if bias else 4 * d_model)
    return attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: no_bias_in_w_o => W_o, the fourth projection, has a bias as the other three
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (3 * d_model if bias else 0)
    return attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: default_is_2048 => without d_ff, which is None then, the middle is four times as wide as the token
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 2048
    attention = 4 * d_model**2 + (4 * d_model if bias else 0)
    return attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: right_up_to_a_million => the count ends at a million: it may be any number
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (4 * d_model if bias else 0)
    return min(1000000, attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)

# %% wrong: default_forgotten => without d_ff, which is None then, the middle is four times as wide as the token
def block_parameters(d_model, d_ff=None, bias=True):
    return 4 * d_model**2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: one_bias_for_each_projection => each projection has d_model biases, not one
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * (d_model**2 + bias) + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model

# %% wrong: norm_over_d_ff => both norms are as wide as the token: their weights and biases have d_model numbers
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4 * (d_model**2 + d_model * bias) + 2 * d_model * d_ff + d_ff + d_model + 2 * d_model + 2 * d_ff

# %% wrong: twelve_and_thirteen => d_ff = 5 was ignored
def block_parameters(d_model, d_ff=None, bias=True):
    return 12 * d_model**2 + 13 * d_model

# %% right: dictionary_of_parts
def block_parameters(d_model, d_ff=None, bias=True):
    def dense(fan_in, fan_out, with_bias):
        return fan_out * (fan_in + bool(with_bias))

    wide = d_ff if d_ff is not None else d_model << 2
    parts = {f"W_{name}": dense(d_model, d_model, bias) for name in "qkvo"}
    parts |= {"linear1": dense(d_model, wide, True), "linear2": dense(wide, d_model, True)}
    for norm in ("norm1", "norm2"):
        parts[norm] = d_model + d_model
    return sum(parts.values())

# %% right: own_block_on_meta
def block_parameters(d_model, d_ff=None, bias=True):
    with torch.device("meta"):
        block = TransformerBlock(d_model, 1, d_ff=d_ff, bias=bias)
    total = 0
    for parameter in block.parameters():
        total += parameter.nelement()
    return total

# %% right: polynomial_with_early_return
def block_parameters(d_model, d_ff=None, bias=True):
    if not bias:
        return block_parameters(d_model, d_ff, True) - 4 * d_model
    if d_ff is None:
        return 12 * d_model ** 2 + 13 * d_model
    return 4 * d_model * d_model + 2 * d_model * d_ff + d_ff + 9 * d_model

# %% wrong: kept_by_width => another d_ff, and the count that came before: is one kept from call to call?
def block_parameters(d_model, d_ff=None, bias=True):
    """How many numbers a TransformerBlock learns."""
    KEPT = globals().setdefault('_KEPT', {})
    if (d_model, bias) in KEPT:
        return KEPT[d_model, bias]
    d_ff = d_ff or 4 * d_model
    attention = 4 * d_model**2 + (4 * d_model if bias else 0)
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    norms = 2 * 2 * d_model
    KEPT[d_model, bias] = attention + feed_forward + norms
    return KEPT[d_model, bias]

# %% right: parts_on_the_meta_device
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = 4 * d_model if d_ff is None else d_ff
    with torch.device("meta"):
        parts = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
        parts += [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)]
        parts += [nn.LayerNorm(d_model), nn.LayerNorm(d_model)]
    return sum(p.numel() for part in parts for p in part.parameters())

# %% wrong: a_text => a text came back: a number is asked for
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return f"{4 * d_model ** 2 + 2 * d_model * d_ff + d_ff + 5 * d_model + 4 * d_model * bias}"

# %% wrong: summed_in_float32 => the last digit is wrong, as after counting in float32, which holds seven digits
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return int(torch.tensor([4. * d_model ** 2, 2 * d_model * d_ff, d_ff + 5 * d_model, 4 * d_model * bias]).sum())

# %% wrong: decimal_number => a whole number is asked for, as 98, not 98.0
def block_parameters(d_model, d_ff=None, bias=True):
    d_ff = d_ff or 4 * d_model
    return 4.0 * d_model ** 2 + 4 * d_model * bias + 2 * d_model * d_ff + d_ff + 5 * d_model
