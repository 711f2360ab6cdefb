# %% right: product
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * batch * seq * kv_heads * d_head * 2 * dtype.itemsize

# %% right: element_size
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    one = torch.empty(0, dtype=dtype).element_size()
    keys = layers * kv_heads * d_head * seq * batch
    values = keys
    return (keys + values) * one

# %% right: counted_on_meta
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    one_token = torch.empty(2, layers, kv_heads, d_head, dtype=dtype, device="meta")
    return one_token.numel() * one_token.element_size() * seq * batch

# %% right: loops_over_layers
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    total = 0
    for _ in range(layers):
        per_token = kv_heads * d_head
        total += per_token * dtype.itemsize      # keys
        total += per_token * dtype.itemsize      # values
    return total * seq * batch

# %% right: tensor_result
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return torch.tensor(2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize)

# %% wrong: keys_only -> keys and values
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: numbers_not_bytes -> float32 has 4 bytes
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch

# %% wrong: numbers_of_keys -> 4 bytes each
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * kv_heads * d_head * seq * batch

# %% wrong: always_four_bytes -> does the function use dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * 4

# %% wrong: no_batch -> does the function use batch
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * dtype.itemsize

# %% wrong: no_heads -> heads were left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * d_head * seq * batch * dtype.itemsize

# %% wrong: no_seq -> tokens were left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * batch * dtype.itemsize

# %% wrong: bits -> these are bits
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize * 8

# %% wrong: two_or_four_only -> right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * (4 if dtype == torch.float32 else 2)

# %% wrong: rounded_float -> exact
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return float(2.0 * layers * kv_heads * d_head * seq * batch * dtype.itemsize)

# %% wrong: hard_coded_output -> does the function use every size
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 960 if dtype == torch.float32 else 480

# %% wrong: counts_twice -> too much by a factor of 2
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 4 * layers * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: no_layers -> the layers were left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: no_width -> the width was left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * seq * batch * dtype.itemsize

# %% wrong: square_of_seq -> seq was counted twice
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * seq * batch * dtype.itemsize
