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

# %% wrong: keys_only => a cache holds keys and values: both must be counted
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: numbers_not_bytes => that is the count of numbers, not of bytes: a float32 has 4 bytes
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch

# %% wrong: numbers_of_keys => only the numbers of the keys were counted: there are keys and values, and 4 bytes in each of their numbers
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * kv_heads * d_head * seq * batch

# %% wrong: always_four_bytes => float16 takes 2 bytes a number: does the function use dtype?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * 4

# %% wrong: no_batch => as many texts at a time take as many caches: does the function use batch?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * dtype.itemsize

# %% wrong: no_heads => the key–value heads were left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * d_head * seq * batch * dtype.itemsize

# %% wrong: no_seq => the tokens were left out
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * batch * dtype.itemsize

# %% wrong: bits => these are bits, not bytes
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize * 8

# %% wrong: two_or_four_only => not every dtype has 2 or 4 bytes: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * (4 if dtype == torch.float32 else 2)

# %% wrong: rounded_float => the number is rounded: keep to whole numbers, which are exact for any number of tokens
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return float(2.0 * layers * kv_heads * d_head * seq * batch * dtype.itemsize)

# %% wrong: hard_coded_output => this is the toy cache's number of bytes: does the function use every size?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 960 if dtype == torch.float32 else 480

# %% wrong: counts_twice => too much by a factor of 2: count keys and values once each
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 4 * layers * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: no_layers => the layers were left out: each layer has a cache of its own
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: no_width => the width was left out: a key has d_head numbers
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * seq * batch * dtype.itemsize

# %% wrong: square_of_seq => seq was counted twice: a cache grows in proportion to the tokens
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * seq * batch * dtype.itemsize

# %% right: itemsize_of_one_number
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    sizes = [2, layers, kv_heads, d_head, seq, batch, torch.ones(1, dtype=dtype).nbytes]
    return math.prod(sizes)

# %% wrong: last_token_missing => one token too few: the last token's key and value are kept, too
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * (seq - 1) * batch * dtype.itemsize

# %% wrong: kibibytes => these are KiB, not bytes
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize // 1024

# %% wrong: finfo_bits => finfo knows floating-point dtypes alone: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch * torch.finfo(dtype).bits // 8

# %% wrong: table_of_three_dtypes => not every dtype stands in the table: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    size = {torch.float32: 4, torch.float16: 2, torch.float64: 8}[dtype]
    return 2 * layers * kv_heads * d_head * seq * batch * size

# %% wrong: makes_the_cache => nothing of that size may be made: multiply the numbers, without a tensor
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    keys = torch.empty(layers, batch, kv_heads, seq, d_head, dtype=dtype)
    return 2 * keys.numel() * keys.element_size()

# %% wrong: product_in_float32 => the product is rounded: keep to whole numbers, which are exact for any number of tokens !! nothing of that size
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    sizes = torch.tensor([2.0, layers, kv_heads, d_head, seq, batch, dtype.itemsize])
    return int(sizes.prod())

# %% wrong: stops_at_1024_tokens => a long text was cut off: any number of tokens must do
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * min(seq, 1024) * batch * dtype.itemsize

# %% wrong: batch_in_float32_only => batch counts in float32 alone: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    caches = batch if dtype == torch.float32 else 1
    return 2 * layers * kv_heads * d_head * seq * caches * dtype.itemsize

# %% wrong: remembered_without_dtype => the number of another dtype came back: does the function use dtype, and is nothing kept from one call to the next?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    sizes = (layers, kv_heads, d_head, seq, batch)
    known = kv_cache_bytes.__dict__.setdefault("known", {})
    return known.setdefault(sizes, 2 * math.prod(sizes) * dtype.itemsize)

# %% wrong: remembered_without_batch => the number for more texts came back: does the function use batch, and is nothing kept from one call to the next?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    known = kv_cache_bytes.__dict__.setdefault("known", {})
    key = (layers, kv_heads, d_head, seq, dtype)
    if key not in known:
        known[key] = 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize
    return known[key]

# %% wrong: adds_up_over_calls -> the number of bytes should be
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype, total=[0]):
    total[0] += 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize
    return total[0]

# %% wrong: keys_only_in_bits => these are bits, of the keys alone: bytes of keys and values were asked for
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return layers * kv_heads * d_head * seq * batch * dtype.itemsize * 8

# %% wrong: half_precision_rounds_to_zero => half of one byte was rounded to 0: int8 has one byte a number
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 4 * layers * kv_heads * d_head * seq * batch * (dtype.itemsize // 2)

# %% wrong: no_layers_and_no_batch => the layers were left out, and the texts, too: each has a cache of its own
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * kv_heads * d_head * seq * dtype.itemsize

# %% wrong: bool_as_a_bit => a bool is stored as a whole byte, not as a bit
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    return 2 * layers * kv_heads * d_head * seq * batch // 8 if dtype == torch.bool else 2 * layers * kv_heads * d_head * seq * batch * dtype.itemsize

# %% wrong: complex_as_eight_bytes => complex dtypes have sizes of their own: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    size = 8 if dtype.is_complex else dtype.itemsize
    return 2 * layers * kv_heads * d_head * seq * batch * size

# %% wrong: size_read_from_the_name => the name of complex128 misleads: a dtype knows its size
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    name = str(dtype)
    size = 4 if "32" in name else 2 if "16" in name else 8 if "64" in name else 1
    return 2 * layers * kv_heads * d_head * seq * batch * size

# %% wrong: bits_of_iinfo => finfo and iinfo do not know every dtype, torch.bool for one: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    info = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    return 2 * layers * kv_heads * d_head * seq * batch * info.bits // 8

# %% wrong: batch_of_one_where_there_is_one_token => six texts of one token each take six caches: does the function use batch?
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    rows = batch * seq if seq > 1 else 1
    return 2 * layers * kv_heads * d_head * rows * dtype.itemsize

# %% wrong: table_with_a_default => the table lacks a dtype: the count must be right for every dtype
def kv_cache_bytes(layers, kv_heads, d_head, seq, batch, dtype):
    size = {torch.float64: 8, torch.complex128: 16, torch.float32: 4, torch.int8: 1, torch.uint8: 1,
            torch.bool: 1, torch.int32: 4, torch.int64: 8}.get(dtype, 2)
    return 2 * layers * kv_heads * d_head * seq * batch * size
