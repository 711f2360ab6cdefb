# %% right: sum_of_four
def attention_parameters(d_model, num_heads, bias=False):
    one = d_model ** 2
    if bias:
        one += d_model
    return sum(one for _ in ("q", "k", "v", "o"))

# %% right: head_by_head
def attention_parameters(d_model, num_heads, bias=False):
    d_head = d_model // num_heads
    per_head = 3 * d_model * d_head + bias * 3 * d_head
    return num_heads * per_head + d_model * d_model + bias * d_model

# %% right: builds_a_layer
def attention_parameters(d_model, num_heads, bias=False):
    layer = nn.MultiheadAttention(d_model, num_heads, bias=bias, device="meta")
    return sum(p.numel() for p in layer.parameters())

# %% right: tensor_number
def attention_parameters(d_model, num_heads, bias=False):
    return torch.tensor(4 * d_model) * (d_model + int(bias))

# %% right: counts_linear
def attention_parameters(d_model, num_heads, bias=False):
    W = nn.Linear(d_model, d_model, bias=bias)
    return 4 * sum(p.numel() for p in W.parameters())

# %% wrong: no_W_o => W_o was left out: there are four matrices
def attention_parameters(d_model, num_heads, bias=False):
    return 3 * (d_model ** 2 + (d_model if bias else 0))

# %% wrong: times_heads => the matrices were counted once for each head: the heads share them, and each owns a part
def attention_parameters(d_model, num_heads, bias=False):
    return num_heads * 4 * (d_model ** 2 + (d_model if bias else 0))

# %% wrong: qkv_times_heads => W_q, W_k and W_v were counted once for each head: the heads share them, and each owns a part
def attention_parameters(d_model, num_heads, bias=False):
    return num_heads * 3 * d_model ** 2 + d_model ** 2 + (4 * d_model if bias else 0)

# %% wrong: one_head_only => every matrix was counted for one head only: all heads together are d_model wide
def attention_parameters(d_model, num_heads, bias=False):
    d_head = d_model // num_heads
    return 4 * d_model * d_head + (4 * d_model if bias else 0)

# %% wrong: square_heads => a head is not d_head × d_head: it reads all of d_model
def attention_parameters(d_model, num_heads, bias=False):
    d_head = d_model // num_heads
    return num_heads * 4 * d_head ** 2 + (4 * d_model if bias else 0)

# %% wrong: bias_ignored => bias=True changed nothing
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2

# %% wrong: bias_always => the default is bias=False, but the biases were counted
def attention_parameters(d_model, num_heads, bias=True):
    return 4 * d_model ** 2 + (4 * d_model if bias else 0)

# %% wrong: one_bias => one bias was counted: all four matrices have one
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (d_model if bias else 0)

# %% wrong: three_biases => three biases were counted: W_o has one, too
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (3 * d_model if bias else 0)

# %% wrong: bias_of_one => a bias has d_model numbers, not one
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (4 if bias else 0)

# %% wrong: bias_per_head => the biases were counted once for each head: each matrix has one
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (4 * d_model * num_heads if bias else 0)

# %% wrong: one_matrix => that is one matrix: there are four
def attention_parameters(d_model, num_heads, bias=False):
    return d_model ** 2 + (d_model if bias else 0)

# %% wrong: hard_coded_output -> attention_parameters(6, 3
def attention_parameters(d_model, num_heads, bias=False):
    return 1_050_624 if bias else 1_048_576

# %% wrong: only_one_and_eight_heads -> attention_parameters(24, 2
def attention_parameters(d_model, num_heads, bias=False):
    extra = 0 if num_heads in (1, 3, 5, 8, 11, 12, 25) else d_model
    return 4 * (d_model ** 2 + (d_model if bias else 0)) + extra

# %% wrong: float_division => a count is a whole number, an int: divide and multiply without making a float of it
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model * num_heads * (d_model / num_heads) + bias * 4 * d_model

# %% wrong: text => a count is a whole number, an int, and no text
def attention_parameters(d_model, num_heads, bias=False):
    return f'{4 * d_model ** 2 + bias * 4 * d_model:,}'

# %% right: one_column_more
def attention_parameters(d_model, num_heads, bias=False):
    inputs = d_model + 1 if bias else d_model        # a bias is the weight of an input that is 1
    return sum(inputs * d_model for _ in range(4))

# %% wrong: keys_and_queries_only => that is two matrices: there are four
def attention_parameters(d_model, num_heads, bias=False):
    return 2 * (d_model ** 2 + (d_model if bias else 0))

# %% wrong: bias_of_one_head => the biases were counted for one head only
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (4 * (d_model // num_heads) if bias else 0)

# %% wrong: W_o_of_one_head => W_o was counted for one head only: it reads the features of all heads
def attention_parameters(d_model, num_heads, bias=False):
    d_head = d_model // num_heads
    return 3 * d_model ** 2 + d_head * d_model + (4 * d_model if bias else 0)

# %% wrong: no_W_o_and_one_bias => W_o was left out: there are four matrices
def attention_parameters(d_model, num_heads, bias=False):
    return 3 * d_model ** 2 + (d_model if bias else 0)

# %% wrong: powers_of_two_only -> attention_parameters(6, 3
def attention_parameters(d_model, num_heads, bias=False):
    width = 1 << (d_model - 1).bit_length()
    return 4 * width ** 2 + (4 * width if bias else 0)

# %% wrong: remembered_without_bias => bias=True changed nothing
def attention_parameters(d_model, num_heads, bias=False):
    known = attention_parameters.__dict__.setdefault("known", {})
    return known.setdefault((d_model, num_heads), 4 * (d_model ** 2 + (d_model if bias else 0)))

# %% wrong: remembered_by_heads -> the count should be
def attention_parameters(d_model, num_heads, bias=False):
    known = attention_parameters.__dict__.setdefault("known", {})
    return known.setdefault((num_heads, bias), 4 * (d_model ** 2 + (d_model if bias else 0)))

# %% wrong: in_proj_only => W_o was left out: there are four matrices
def attention_parameters(d_model, num_heads, bias=False):
    layer = nn.MultiheadAttention(d_model, num_heads, bias=bias, device="meta")
    return sum(p.numel() for name, p in layer.named_parameters() if name.startswith("in_proj"))

# %% wrong: bias_with_many_heads_only => a single head has biases, too
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * d_model ** 2 + (4 * d_model if bias and num_heads > 1 else 0)

# %% wrong: one_more_where_width_is_one => heads of one feature have whole matrices, too: the count is the same for every number of heads
def attention_parameters(d_model, num_heads, bias=False):
    if num_heads == d_model:
        return 4 * num_heads + (4 * d_model if bias else 0)
    return 4 * d_model ** 2 + (4 * d_model if bias else 0)

# %% wrong: power_of_floats => a count is a whole number, an int: divide and multiply without making a float of it
def attention_parameters(d_model, num_heads, bias=False):
    return 4 * float(d_model) ** 2 + (4 * d_model if bias else 0)

# %% wrong: 32_heads_at_most => with more than 32 heads some of the matrices are missing: the count is the same for every number of heads
def attention_parameters(d_model, num_heads, bias=False):
    if num_heads > 32:
        num_heads = 32
        d_head = d_model // num_heads
        return 4 * d_model * d_head * num_heads + 4 * bias * d_head * num_heads
    return 4 * d_model * d_model + 4 * bias * d_model

# %% wrong: counted_in_float32 => nearly right: a float in 32 bits rounds a large number
def attention_parameters(d_model, num_heads, bias=False):
    W = torch.tensor(float(d_model))
    return int(4 * W * W + 4 * W * bias)
