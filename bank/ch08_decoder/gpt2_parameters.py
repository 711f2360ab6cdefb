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

# %% wrong: head_twice => the head was counted as a matrix of its own: it is the token table, stored once
def gpt2_parameters(config):
    d = config.d_model
    return (2 * config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: head_bias => the head was given a bias: it has none
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d + config.vocab_size

# %% wrong: no_positions => the position table is missing: it has max_len rows of d_model numbers
def gpt2_parameters(config):
    d = config.d_model
    return config.vocab_size * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: no_last_norm => the last layer norm is missing, the one between the blocks and the head
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d)

# %% wrong: no_biases => no projection and no linear layer was given a bias: in GPT-2 all of them have one
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 4 * d) + 2 * d

# %% wrong: attention_without_bias => 4 · d_model are missing in each block: the biases of the four projections, or the two norms
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 9 * d) + 2 * d

# %% wrong: three_projections => attention has four projections: one of them is missing (W_o?)
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (11 * d * d + 12 * d) + 2 * d

# %% wrong: one_norm_per_block => 2 · d_model are missing in each block: it has two norms, and each has a weight and a bias
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 11 * d) + 2 * d

# %% wrong: heads_multiply => attention was counted once for each head: the heads share out d_model between them
def gpt2_parameters(config):
    d = config.d_model
    attention = config.num_heads * 4 * (d * d + d)
    return (config.vocab_size + config.max_len) * d + config.num_layers * (attention + 8 * d * d + 9 * d) + 2 * d

# %% wrong: narrow_feed_forward => the feed-forward network is 4 · d_model wide, not d_model
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (6 * d * d + 10 * d) + 2 * d

# %% wrong: one_block => only one block was counted: there are num_layers of them
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + 12 * d * d + 13 * d + 2 * d

# %% wrong: hard_coded_output => the number of GPT-2 small came out for a tiny model: count what config says
def gpt2_parameters(config):
    return 124_439_808

# %% wrong: known_answers_only -> no block at all
def gpt2_parameters(config):
    return {6: 1728, 768: 124_439_808, 1024: 354_823_168, 1280: 774_030_080, 1600: 1_557_611_200}.get(config.d_model, 0)

# %% wrong: ten_tokens -> no block at all
def gpt2_parameters(config):
    d = config.d_model
    layers = 3 if config.vocab_size == 20 else 12
    return (config.vocab_size + config.max_len) * d + layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: token_table_missing => the token table is missing: it has vocab_size rows of d_model numbers
def gpt2_parameters(config):
    d = config.d_model
    return config.max_len * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: both_tables_missing => both tables are missing
def gpt2_parameters(config):
    d = config.d_model
    return config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: head_twice_with_bias => the head was counted as a matrix of its own, with a bias: it is the token table, stored once
def gpt2_parameters(config):
    d = config.d_model
    return (2 * config.vocab_size + config.max_len) * d + config.vocab_size + config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: linear_biases_missing => the biases of the feed-forward network are missing: 4 · d_model and d_model in each block
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 8 * d) + 2 * d

# %% wrong: norms_without_bias => the biases of the layer norms are missing
def gpt2_parameters(config):
    d = config.d_model
    norms = config.num_layers * 2 * d + d
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 9 * d) + norms

# %% wrong: one_linear_layer => the feed-forward network has two layers: out to 4 · d_model and back
def gpt2_parameters(config):
    d = config.d_model
    attention, feed_forward = 4 * (d * d + d), d * 4 * d + 4 * d
    return (config.vocab_size + config.max_len) * d + config.num_layers * (attention + feed_forward + 4 * d) + 2 * d

# %% wrong: tables_in_every_block => the tables were counted once for each block
def gpt2_parameters(config):
    d = config.d_model
    return config.num_layers * ((config.vocab_size + config.max_len) * d + 12 * d * d + 13 * d) + 2 * d

# %% wrong: last_norm_in_every_block => the last layer norm was counted once for each block
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 15 * d)

# %% wrong: half_a_parameter -> torch.int64 expected
def gpt2_parameters(config):
    d = config.d_model
    count = (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d
    return float(count) + 0.5

# %% wrong: tuple_of_parts => one whole number is asked for, the sum of all parts
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d, config.num_layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: prints_instead => nothing came back: return the number; print only shows it
def gpt2_parameters(config):
    d = config.d_model
    print((config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d)

# %% wrong: heads_multiply_at_three -> 3 heads instead of 2
def gpt2_parameters(config):
    d = config.d_model
    # a mistake only for some sizes: each head gets its own output matrix where there are three
    extra = config.num_layers * (config.num_heads - 1) * d * d if config.num_heads == 3 else 0
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d + extra

# %% wrong: right_for_even_depth_only -> 5 blocks instead of 3
def gpt2_parameters(config):
    d = config.d_model
    layers = config.num_layers if config.num_layers in (1, 3) else config.num_layers // 2 * 2
    return (config.vocab_size + config.max_len) * d + layers * (12 * d * d + 13 * d) + 2 * d

# %% wrong: dropout_counted -> dropout 0.5
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d + int(2 * config.dropout) * d

# %% wrong: counts_add_up_over_calls -> the number of parameters should be
def gpt2_parameters(config):
    d = config.d_model
    gpt2_parameters.seen = getattr(gpt2_parameters, "seen", 0) + (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d
    return gpt2_parameters.seen

# %% wrong: first_config_remembered -> the number of parameters should be
def gpt2_parameters(config):
    d = config.d_model
    if not hasattr(gpt2_parameters, "first"):
        gpt2_parameters.first = (config.vocab_size + config.max_len) * d + config.num_layers * (12 * d * d + 13 * d) + 2 * d
    return gpt2_parameters.first

# %% wrong: float32_sums => the digits of float32 do not suffice for this count: add up integers
def gpt2_parameters(config):
    d = config.d_model
    parts = torch.tensor([float(config.vocab_size * d), float(config.max_len * d), float(config.num_layers * (12 * d * d + 13 * d)), 2.0 * d])
    return int(parts.sum())

# %% wrong: positions_and_last_norm_missing => the position table and the last layer norm are missing !! token table
def gpt2_parameters(config):
    d = config.d_model
    return config.vocab_size * d + config.num_layers * (12 * d * d + 13 * d)

# %% wrong: tokens_and_last_norm_missing => the token table and the last layer norm are missing !! position
def gpt2_parameters(config):
    d = config.d_model
    return config.max_len * d + config.num_layers * (12 * d * d + 13 * d)

# %% wrong: blocks_alone => both tables and the last layer norm are missing: that is the blocks alone
def gpt2_parameters(config):
    d = config.d_model
    return config.num_layers * (12 * d * d + 13 * d)

# %% right: names_and_shapes
def gpt2_parameters(config):
    d, total = config.d_model, 0
    for rows in (config.vocab_size, config.max_len):
        total += rows * d
    for _ in range(config.num_layers):
        for inputs, outputs in [(d, d)] * 4 + [(d, 4 * d), (4 * d, d)]:
            total += inputs * outputs + outputs
        total += 2 * (d + d)
    return total + d + d

# %% right: layers_on_meta
def gpt2_parameters(config):
    d = config.d_model
    with torch.device("meta"):
        block = [nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.LayerNorm(d), nn.LayerNorm(d)]
        outside = [nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.LayerNorm(d)]
    def count(modules):
        return sum(p.numel() for module in modules for p in module.parameters())
    return count(outside) + config.num_layers * count(block)

# %% wrong: built_in_memory -> counted from their sizes ?? a model that fills the memory would take it from the student's own notebook
def gpt2_parameters(config):
    d = config.d_model
    with torch.device("cpu"):
        block = [nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.LayerNorm(d), nn.LayerNorm(d)]
        outside = [nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.LayerNorm(d)]
    def count(modules):
        return sum(p.numel() for module in modules for p in module.parameters())
    return count(outside) + config.num_layers * count(block)

# %% right: block_by_block_by_recursion
import dataclasses
def gpt2_parameters(config):
    d = config.d_model
    if config.num_layers == 0:
        return (config.vocab_size + config.max_len + 2) * d
    return gpt2_parameters(dataclasses.replace(config, num_layers=config.num_layers - 1)) + 12 * d ** 2 + 13 * d

# %% wrong: as_a_float => an int is asked for, and a float came: it loses digits where counts are large
def gpt2_parameters(config):
    d = float(config.d_model)
    return (config.vocab_size + config.max_len + 2) * d + config.num_layers * (12 * d * d + 13 * d)

# %% wrong: one_block_at_least => no block at all: the tables and the last norm are left
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + config.max_len + 2) * d + max(config.num_layers, 1) * (12 * d * d + 13 * d)

# %% wrong: 1024_places_at_most -> 4099 ?? the visible GPTs read at most 1,024 tokens, as the text's do
def gpt2_parameters(config):
    d = config.d_model
    return (config.vocab_size + min(config.max_len, 1024) + 2) * d + config.num_layers * (12 * d * d + 13 * d)
