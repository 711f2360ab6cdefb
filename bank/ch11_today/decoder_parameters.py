# %% right: formula
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% right: list_of_shapes
def decoder_parameters(config):
    d, wide = config.d_model, config.d_head or config.d_model // config.num_heads
    block = [(config.num_heads * wide, d), (config.num_kv_heads * wide, d), (config.num_kv_heads * wide, d), (d, config.num_heads * wide)]
    block += [(config.d_ff, d), (config.d_ff, d), (d, config.d_ff)]
    block += [(d,)] * (4 if config.second_norm else 2)
    block += [(wide,), (wide,)] if config.qk_norm else []
    rest = [(config.vocab_size, d), (d,)] + ([] if config.tied else [(config.vocab_size, d)])
    return sum(math.prod(shape) for shape in block * config.num_layers + rest)

def decoder_cache_bytes(config, seq, batch, dtype):
    wide = config.d_head or config.d_model // config.num_heads
    total = 0
    for layer in range(config.num_layers):
        window = config.windows[layer] if config.windows else None
        kept = seq if window is None or window > seq else window
        total += kept * config.num_kv_heads * wide * dtype.itemsize      # keys
        total += kept * config.num_kv_heads * wide * dtype.itemsize      # values
    return total * batch

# %% right: linear_layers_on_meta
def decoder_parameters(config):
    d, h = config.d_model, config.d_head if config.d_head is not None else config.d_model // config.num_heads
    with torch.device("meta"):
        parts = [nn.Embedding(config.vocab_size, d), nn.Linear(d, 1, bias=False)]
        if not config.tied:
            parts.append(nn.Linear(d, config.vocab_size, bias=False))
        for _ in range(config.num_layers):
            parts += [nn.Linear(d, config.num_heads * h, bias=False), nn.Linear(config.num_heads * h, d, bias=False)]
            parts += [nn.Linear(d, config.num_kv_heads * h, bias=False) for _ in "kv"]
            parts += [nn.Linear(d, config.d_ff, bias=False) for _ in ("gate", "up", "down")]
            parts += [nn.Linear(d, 1, bias=False) for _ in range(2 + 2 * config.second_norm)]
            parts += [nn.Linear(h, 1, bias=False) for _ in range(2 * config.qk_norm)]
    return sum(p.numel() for part in parts for p in part.parameters())

def decoder_cache_bytes(config, seq, batch, dtype):
    h = config.d_head if config.d_head is not None else config.d_model // config.num_heads
    lengths = [seq] * config.num_layers if config.windows is None else [seq if w is None else min(w, seq) for w in config.windows]
    with torch.device("meta"):
        return sum(2 * torch.empty(batch, config.num_kv_heads, n, h, dtype=dtype).nbytes for n in lengths)

# %% right: layer_by_layer
def decoder_parameters(config):
    d_head = config.d_head or config.d_model // config.num_heads
    total = config.vocab_size * config.d_model
    for layer in range(config.num_layers):
        for heads in (config.num_heads, config.num_kv_heads, config.num_kv_heads, config.num_heads):
            total += config.d_model * heads * d_head
        total += 3 * config.d_model * config.d_ff
        total += config.d_model + config.d_model
        total += config.second_norm * 2 * config.d_model
        total += config.qk_norm * (d_head + d_head)
    total += config.d_model
    return total if config.tied else total + config.d_model * config.vocab_size

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    one = batch * config.num_kv_heads * d_head * torch.empty(0, dtype=dtype).element_size()
    full = [w for w in config.windows or [None] * config.num_layers if w is None]
    local = [w for w in config.windows or [] if w is not None]
    return one * 2 * (len(full) * seq + sum(min(w, seq) for w in local))

# %% right: tensors
def decoder_parameters(config):
    d, e = config.d_model, config.d_head or config.d_model // config.num_heads
    rows = torch.tensor([config.num_heads * e, config.num_kv_heads * e, config.num_kv_heads * e, config.num_heads * e] + 3 * [config.d_ff], dtype=torch.int64)
    one = rows.sum() * d + d * (4 if config.second_norm else 2) + (2 * e if config.qk_norm else 0)
    return one * config.num_layers + d + d * config.vocab_size * (2 - int(config.tied))

def decoder_cache_bytes(config, seq, batch, dtype):
    e = config.d_head or config.d_model // config.num_heads
    reach = torch.tensor([seq if w is None else w for w in (config.windows or config.num_layers * [None])], dtype=torch.int64)
    return reach.clamp(max=seq).sum() * (2 * batch * config.num_kv_heads * e * dtype.itemsize)

# %% right: helper_for_the_head
def width_of_head(config):
    return config.d_model // config.num_heads if config.d_head is None else config.d_head

def decoder_parameters(config):
    d = config.d_model
    queries, keys = (n * width_of_head(config) for n in (config.num_heads, config.num_kv_heads))
    matrices = d * (queries + keys + keys + queries + 3 * config.d_ff)
    vectors = (2 + 2 * bool(config.second_norm)) * d + 2 * bool(config.qk_norm) * width_of_head(config)
    ends = (1 + (not config.tied)) * config.vocab_size * d + d
    return ends + config.num_layers * (matrices + vectors)

def decoder_cache_bytes(config, seq, batch, dtype):
    per_token = 2 * config.num_kv_heads * width_of_head(config) * dtype.itemsize
    layers = config.windows if config.windows is not None else [None] * config.num_layers
    return batch * per_token * sum(min(seq, seq if w is None else w) for w in layers)

# %% wrong: tied_head_counted (1) => the head was counted as a matrix of its own: with tied it is the table, stored once
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: own_head_forgotten (1) => untied, the head is a second matrix as large as the table
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: tie_turned_round (1) => the head was counted as a matrix of its own: with tied it is the table, stored once
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 2 if config.tied else 1
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: last_norm_forgotten (1) => the last norm is missing, the one between the blocks and the head
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms)

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: norms_forgotten (1) => the norms of the blocks are missing
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: one_norm_a_block (1) => one norm for each block was counted: there are two
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 2 * d if config.second_norm else d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: norms_with_bias (1) => norms were counted with a bias: an RMSNorm has a weight alone
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 8 * d if config.second_norm else 4 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: second_norm_forgotten (1) => second_norm means two norms more in each block
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: second_norm_always (1) => the norms of the blocks were counted twice: there is no bias, and second_norm is False
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: qk_norm_forgotten (1) => with qk_norm each layer has two weights more, of d_head numbers each
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        pass
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: qk_norm_always (1) => QK-norm was counted, and qk_norm is False
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: qk_norm_for_each_head (1) => the norms of QK-norm are shared by the heads: two weights of d_head a layer, not two for each head
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += (config.num_heads + config.num_kv_heads) * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: qk_norm_over_d_model (1) => the norms of QK-norm have d_head numbers each, not d_model
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: q_norm_alone (1) => QK-norm has two norms a layer, q_norm and k_norm: one of them was counted
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: keys_as_wide_as_queries (1) => keys and values were counted for each query head: there are num_kv_heads of them
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 4 * d * config.num_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: all_of_the_key_heads (1) => W_o is missing, or counted with num_kv_heads: it is as large as W_q
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 4 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: three_projections (1) => W_o is missing: attention has four matrices
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: W_o_is_a_square (1) => W_o was counted as d_model times d_model: where d_head is given, the heads together are not d_model wide
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = d * config.num_heads * d_head + d * d + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: keys_alone (1) => keys have a matrix of num_kv_heads heads, and so have values: one of the two is missing
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: d_head_ignored (1) => d_head is given: a head has so many features, not d_model // num_heads
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: d_head_is_never_None (1) => d_head may be None: then a head has d_model // num_heads features
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: attention_with_biases (1) => biases of attention were counted: there are none
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    attention += 2 * config.num_heads * d_head + 2 * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: two_matrices_in_the_network (1) => the feed-forward network has three matrices, gate, up and down: one is missing
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 2 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: network_with_biases (1) => biases of the feed-forward network were counted: there are none
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff + 2 * config.d_ff + d
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: network_four_times_as_wide (1) => the width of the feed-forward network is d_ff, not 4 · d_model
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * 4 * d
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: positions_counted (1) => a table of positions was counted: RoPE has no parameters
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d + 1024 * d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: one_block (1) => only one block was counted: there are num_layers of them
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + attention + feed_forward + norms + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: norm_in_every_block_and_none_at_the_end (1) => the last norm was counted once for each block: it comes once
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms + d)

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: known_models_only (1) => one norm too many was counted: behind the blocks there is one
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    known = {128256: 1235814400, 151936: 596049920, 262144: 999885952}
    return known.get(config.vocab_size) or tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + 2 * d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: windows_ignored (1) => windows were not used: a layer with a window keeps at most window places
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = seq * config.num_layers
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: windows_everywhere (1) => all layers were given the smallest window: each has its own, and one with None keeps every place
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    least = min((w for w in windows if w is not None), default=seq)
    tokens = config.num_layers * min(seq, least)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: first_window_for_all (1) => all layers were given the first window: each has its own, and one with None keeps every place
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = config.num_layers * min(seq, windows[0] or seq)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: window_longer_than_the_text (1) => a layer with a window keeps at most window places, and no more than there are
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else window for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: window_less_one (1) => a layer with a window keeps window places: one too few was counted
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window - 1) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: window_and_one (1) => a layer with a window keeps window places: one too many was counted
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window + 1) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: windows_never_None (1) => windows may be None: then no layer has a window
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: global_layers_forgotten (1) => a layer whose window is None keeps every place, not none
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(0 if window is None else min(seq, window) for window in windows) if config.windows else seq * config.num_layers
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: cache_of_keys_alone (1) => half of the bytes are missing: keys and values are both kept
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: cache_of_every_query_head (1) => the cache holds num_kv_heads heads of d_head numbers, not num_heads of them
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_heads * d_head * batch * dtype.itemsize

# %% wrong: cache_of_d_model (1) => the cache holds num_kv_heads heads of d_head numbers, not num_heads of them
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.d_model * batch * dtype.itemsize

# %% wrong: cache_without_batch (1) => each of the texts of the batch has keys and values of its own
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * dtype.itemsize

# %% wrong: cache_of_two_bytes (1) => each number was counted with 2 bytes: dtype says how many it has
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * 2

# %% wrong: cache_of_four_bytes (1) => each number was counted with 4 bytes: dtype says how many it has
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * 4

# %% wrong: cache_in_bits (1) => these are bits: a byte has 8
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 16 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: cache_of_numbers (1) => these are numbers, not bytes: dtype says how many bytes one has
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch

# %% wrong: cache_with_d_head_of_d_model (1) => keys and values have d_head features each, where it is given
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: cache_two_or_four (1) => each number was counted with 2 bytes: dtype says how many it has
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * (4 if dtype == torch.float32 else 2)

# %% wrong: cache_with_the_weights (1) => the weights were counted too: keys and values alone are asked for
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize + decoder_parameters(config) * dtype.itemsize

# %% wrong: window_counted_only_for_long_texts (1) => a layer with a window keeps at most window places, also in a text that is not twice as long
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None or seq < 2 * window else window for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: parameters_as_a_float (1) => a count is a whole number, an int: billions, and a float, are not asked for
def decoder_parameters(config):
    d, d_head = config.d_model, config.d_head or config.d_model // config.num_heads
    attention = 2 * d * config.num_heads * d_head + 2 * d * config.num_kv_heads * d_head
    feed_forward = 3 * d * config.d_ff
    norms = 4 * d if config.second_norm else 2 * d
    if config.qk_norm:
        norms += 2 * d_head
    tables = 1 if config.tied else 2
    return float(tables * config.vocab_size * d + config.num_layers * (attention + feed_forward + norms) + d) / 1e9

def decoder_cache_bytes(config, seq, batch, dtype):
    d_head = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    tokens = sum(seq if window is None else min(seq, window) for window in windows)
    return 2 * tokens * config.num_kv_heads * d_head * batch * dtype.itemsize

# %% wrong: heads_of_a_fraction (1) => these are floats: a head has d_model // num_heads features, a whole number
def width_of_head(config):
    return config.d_model / config.num_heads if config.d_head is None else config.d_head

def decoder_parameters(config):
    d = config.d_model
    queries, keys = (n * width_of_head(config) for n in (config.num_heads, config.num_kv_heads))
    matrices = d * (queries + keys + keys + queries + 3 * config.d_ff)
    vectors = (2 + 2 * bool(config.second_norm)) * d + 2 * bool(config.qk_norm) * width_of_head(config)
    ends = (1 + (not config.tied)) * config.vocab_size * d + d
    return ends + config.num_layers * (matrices + vectors)

def decoder_cache_bytes(config, seq, batch, dtype):
    per_token = 2 * config.num_kv_heads * width_of_head(config) * dtype.itemsize
    layers = config.windows if config.windows is not None else [None] * config.num_layers
    return batch * per_token * sum(min(seq, seq if w is None else w) for w in layers)

# %% wrong: heads_rounded_up (1) => where num_heads does not divide d_model, a head has d_model // num_heads features: 13 // 6 = 2
def decoder_parameters(config):
    d, e = config.d_model, config.d_head or -(-config.d_model // config.num_heads)
    rows = torch.tensor([config.num_heads * e, config.num_kv_heads * e, config.num_kv_heads * e, config.num_heads * e] + 3 * [config.d_ff], dtype=torch.int64)
    one = rows.sum() * d + d * (4 if config.second_norm else 2) + (2 * e if config.qk_norm else 0)
    return one * config.num_layers + d + d * config.vocab_size * (2 - int(config.tied))

def decoder_cache_bytes(config, seq, batch, dtype):
    e = config.d_head or -(-config.d_model // config.num_heads)
    reach = torch.tensor([seq if w is None else w for w in (config.windows or config.num_layers * [None])], dtype=torch.int64)
    return reach.clamp(max=seq).sum() * (2 * batch * config.num_kv_heads * e * dtype.itemsize)

# %% wrong: counted_in_float32 (1) => a count is a whole number, an int, and exact: float32 is neither
def decoder_parameters(config):
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    block = d * (2 * config.num_heads * D + 2 * config.num_kv_heads * D + 3 * config.d_ff) + (2 + 2 * config.second_norm) * d + 2 * D * config.qk_norm
    return torch.tensor([config.num_layers * block, d, (2 - config.tied) * config.vocab_size * d]).float().sum()
def decoder_cache_bytes(config, seq, batch, dtype):
    D = config.d_head or config.d_model // config.num_heads
    places = sum(min(w or seq, seq) for w in config.windows or [None] * config.num_layers)
    return 2 * batch * places * config.num_kv_heads * D * dtype.itemsize

# %% wrong: bytes_in_32_bits (1) => 32 bits are too few for so many bytes: whole numbers of Python have no end
def decoder_parameters(config):
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    block = d * (2 * config.num_heads * D + 2 * config.num_kv_heads * D + 3 * config.d_ff) + (2 + 2 * config.second_norm) * d + 2 * D * config.qk_norm
    return config.num_layers * block + d + (2 - config.tied) * config.vocab_size * d
def decoder_cache_bytes(config, seq, batch, dtype):
    D = config.d_head or config.d_model // config.num_heads
    places = sum(min(w or seq, seq) for w in config.windows or [None] * config.num_layers)
    return int(torch.tensor(2 * batch * places * config.num_kv_heads * D * dtype.itemsize).to(torch.int32))

# %% wrong: sizes_from_a_table_with_a_default (1) => each number of this dtype was counted with 2 bytes: any torch.dtype may come, and it knows its size
def decoder_parameters(config):
    d, D = config.d_model, config.d_head or config.d_model // config.num_heads
    block = 2 * d * D * (config.num_heads + config.num_kv_heads) + 3 * d * config.d_ff + 2 * d
    if config.qk_norm:
        block += 2 * D
    if config.second_norm:
        block += 2 * d
    tables = config.vocab_size * d * (1 if config.tied else 2)
    return tables + config.num_layers * block + d


def decoder_cache_bytes(config, seq, batch, dtype):
    D = config.d_head or config.d_model // config.num_heads
    windows = config.windows or [None] * config.num_layers
    places = sum(seq if w is None else min(w, seq) for w in windows)
    return 2 * places * batch * config.num_kv_heads * D * {torch.float32: 4, torch.float64: 8, torch.int8: 1}.get(dtype, 2)

# %% wrong: mean_of_the_windows_in_floats (1) => the bytes went through a float, which rounds: whole numbers have no rounding
def decoder_parameters(config):
    d, h = config.d_model, config.d_head or config.d_model // config.num_heads
    block = 2 * d * h * (config.num_heads + config.num_kv_heads) + 3 * d * config.d_ff + 2 * d
    block += 2 * h * config.qk_norm + 2 * d * config.second_norm
    return config.num_layers * block + d + config.vocab_size * d * (1 if config.tied else 2)


def decoder_cache_bytes(config, seq, batch, dtype):
    h = config.d_head or config.d_model // config.num_heads
    places = [min(seq, w or seq) for w in config.windows or [None] * config.num_layers]
    mean = sum(places) / config.num_layers
    return round(config.num_layers * mean * 2 * batch * config.num_kv_heads * h * dtype.itemsize)

# %% wrong: windows_in_a_tuple_ignored (1) => windows may be a list or a tuple, and both mean the same: a tuple was taken for none
def decoder_parameters(config):
    c = config
    d = c.d_head if c.d_head is not None else c.d_model // c.num_heads
    attention = 2 * c.d_model * d * (c.num_heads + c.num_kv_heads)
    block = attention + 3 * c.d_model * c.d_ff + 2 * c.d_model
    if c.qk_norm:
        block += 2 * d
    if c.second_norm:
        block += 2 * c.d_model
    tables = c.vocab_size * c.d_model * (1 if c.tied else 2)
    return tables + c.num_layers * block + c.d_model


def decoder_cache_bytes(config, seq, batch, dtype):
    d = config.d_head or config.d_model // config.num_heads
    windows = config.windows if isinstance(config.windows, list) else [None] * config.num_layers
    places = sum(seq if w is None else min(w, seq) for w in windows)
    return 2 * places * batch * config.num_kv_heads * d * dtype.itemsize

# %% wrong: bytes_as_a_whole_float (1) => the number of bytes is a float: a whole number, an int, is asked for
def decoder_parameters(config):
    d, h = config.d_model, config.d_head or config.d_model // config.num_heads
    block = 2 * d * h * (config.num_heads + config.num_kv_heads) + 3 * d * config.d_ff + 2 * d
    block += 2 * h * config.qk_norm + 2 * d * config.second_norm
    return config.num_layers * block + d + config.vocab_size * d * (1 if config.tied else 2)


def decoder_cache_bytes(config, seq, batch, dtype):
    h = config.d_head or config.d_model // config.num_heads
    places = sum(min(seq, w or seq) for w in config.windows or [None] * config.num_layers)
    return 2 * places * batch * config.num_kv_heads * h * dtype.itemsize * 8 / 8
