# %% right: sum_of_shapes
def gpt2_parameters(config):
    d, total = config.d_model, 0
    shapes = [(config.vocab_size, d), (config.max_len, d), (d,), (d,)]
    for _ in range(config.num_layers):
        shapes += [(d,)] * 4 + [(d, d), (d,)] * 4 + [(4 * d, d), (4 * d,), (d, 4 * d), (d,)]
    for shape in shapes:
        size = 1
        for n in shape:
            size *= n
        total += size
    return total

# %% right: closed_formula
def gpt2_parameters(config):
    d = config.d_model
    return config.vocab_size * d + config.max_len * d + config.num_layers * (12 * d ** 2 + 13 * d) + 2 * d

# %% right: built_on_meta
def gpt2_parameters(config):
    d = config.d_model
    with torch.device("meta"):
        blocks = [nn.TransformerEncoderLayer(d, config.num_heads, 4 * d) for _ in range(config.num_layers)]
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.LayerNorm(d), *blocks])
    return sum(p.numel() for p in parts.parameters())

# %% right: tensor
def gpt2_parameters(config):
    d = torch.tensor(config.d_model)
    per_block = 12 * d * d + 13 * d
    return (config.vocab_size + config.max_len + 2) * d + config.num_layers * per_block

# %% wrong: head_twice -> stored once
def gpt2_parameters(config):
    d = config.d_model
    return (2 * config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: head_bias -> bias: it has none
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d + config.vocab_size

# %% wrong: no_positions -> position table is missing
def gpt2_parameters(config):
    d = config.d_model
    return config.vocab_size * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: no_last_norm -> last layer norm is missing
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d)

# %% wrong: no_biases -> all of them have one
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 4 * d) + 2 * d

# %% wrong: attention_without_bias -> biases of the four projections
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 9 * d) + 2 * d

# %% wrong: three_projections -> four projections
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (11 * d * d + 12 * d) + 2 * d

# %% wrong: one_norm_per_block -> two norms
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 11 * d) + 2 * d

# %% wrong: heads_multiply -> once for each head
def gpt2_parameters(config):
    d = config.d_model
    attention = config.num_heads * 4 * (d * d + d)
    return (config.vocab_size + config.max_len) * d + config.num_layers * (attention + 8 * d * d + 9 * d) + 2 * d

# %% wrong: narrow_feed_forward -> 4 · d_model wide
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (6 * d * d + 10 * d) + 2 * d

# %% wrong: one_block -> only one block
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + 12 * d * d + 13 * d + 2 * d

# %% wrong: hard_coded_output -> came out for a tiny model
def gpt2_parameters(config):
    return 124_439_808

# %% wrong: known_answers_only -> right for other sizes
def gpt2_parameters(config):
    return {6: 1650, 768: 124_439_808, 1024: 354_823_168, 1280: 774_030_080, 1600: 1_557_611_200}.get(config.d_model, 0)

# %% wrong: ten_tokens -> whole GPT-2 family
def gpt2_parameters(config):
    d = config.d_model
    layers = 3 if config.vocab_size == 10 else 12
    return (config.vocab_size + config.max_len) * d + layers * (12 * d * d + 13 * d) + 2 * d
