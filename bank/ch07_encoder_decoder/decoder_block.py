# %% right: step_by_step
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% right: functional_dropout_and_sequential
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.norm3, self.norm2, self.norm1 = (nn.LayerNorm(d_model) for _ in range(3))
        hidden = 4 * d_model if d_ff is None else d_ff
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, hidden))
        self.feed_forward.add_module("relu", nn.ReLU())
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(hidden, d_model))
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)

    def add(self, x, new):
        return x + F.dropout(new, self.p, training=self.training)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        output, weights = self.self_attention(query=x, key=x, value=x, mask=self_mask)
        x = self.norm1(self.add(x, output))
        output, looks = self.cross_attention(query=x, key=memory, value=memory, mask=memory_mask)
        x = self.norm2(self.add(x, output))
        return self.norm3(self.add(x, self.feed_forward(x))), weights, looks

# %% right: named_in_a_loop
class DecoderBlock(nn.Module):
    """The encoder's block, with a sub-layer in its middle."""

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        def attention():
            return MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.self_attention, self.cross_attention = attention(), attention()
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
            setattr(self, f"dropout{i}", nn.Dropout(dropout))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        kept = {}

        def look(name, query, key, mask):
            output, kept[name] = getattr(self, name)(query, key, mask=mask)
            return output

        x = self.norm1(x + self.dropout1(look("self_attention", x, x, self_mask)))
        x = self.norm2(x + self.dropout2(look("cross_attention", x, memory, memory_mask)))
        x = self.norm3(x + self.dropout3(self.feed_forward(x)))
        return x, kept["self_attention"], kept["cross_attention"]

# %% right: returns_a_list
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return [y, self_weights, cross_weights]

# %% right: cross_attention_written_out
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        if memory_mask is None:
            memory_mask = torch.ones(1, memory.size(1), dtype=torch.bool, device=memory.device)
        q = self.cross_attention
        heads = lambda t: t.unflatten(-1, (q.num_heads, -1)).transpose(1, 2)
        query, key, value = heads(q.W_q(a)), heads(q.W_k(memory)), heads(q.W_v(memory))
        scores = torch.einsum("bhid,bhjd->bhij", query, key) / query.size(-1) ** 0.5
        scores = scores.masked_fill(~memory_mask, -1e30 if scores.dtype == torch.float32 else -1e300)
        cross_weights = scores.softmax(-1) * memory_mask
        output = q.W_o((F.dropout(cross_weights, q.dropout.p, self.training) @ value).transpose(1, 2).flatten(2))
        b = self.norm2(a + self.drop(output))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% right: weights_after_dropout
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def look(self, attention, x, keys, mask):
        """Written out; the weights that come back are those that were used, after dropout."""
        def heads(t):
            return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        q, k, v = heads(attention.W_q(x)), heads(attention.W_k(keys)), heads(attention.W_v(keys))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        weights = weights if mask is None else weights * mask
        weights = self.dropout(weights)
        return attention.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        attended, own = self.look(self.self_attention, x, x, self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross = self.look(self.cross_attention, x, memory, memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        return self.norm3(x + self.dropout(self.feed_forward(x))), own, cross

# %% wrong: memory_ignored (1) => cross-attention never looked at the memory: it read its own sentence
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, a, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: memory_asks (1) => in cross-attention the memory asks: queries come from x, keys and values from memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(memory, a, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: values_from_x (1) => in cross-attention the values come from x: both keys and values come from the memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, a, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: keys_from_x (1) => in cross-attention the keys come from x: both keys and values come from the memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: cross_attention_first (1) => cross-attention came first: self-attention comes first
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        a = self.norm1(x + self.drop(new))
        new, self_weights = self.self_attention(a, mask=self_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: asks_with_the_input (1) => cross-attention asks with the block's input, not with what self-attention made of it
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_residual_around_cross_attention (1, 3) => the residual connection around cross-attention is missing
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_residual_around_self_attention (1) => the residual connection around self-attention is missing
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: residual_from_the_input (1, 3) => the residual around cross-attention adds the block's input, not norm1's result
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(x + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: memory_normalised (1) => the memory was normalised by norm2: it goes into cross-attention as it is
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, self.norm2(memory), mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: pre_norm (1) => this is the pre-norm order: the paper's block is post-norm
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(self.norm1(x), mask=self_mask)
        x = x + self.drop(new)
        new, cross_weights = self.cross_attention(self.norm2(x), memory, mask=memory_mask)
        x = x + self.drop(new)
        y = x + self.drop(self.feed_forward(self.norm3(x)))
        return y, self_weights, cross_weights

# %% wrong: norm2_twice (1) => norm2 was used twice: the last norm is norm3
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm2(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: last_norm_missing (1) => the last norm is missing: norm3 comes after the feed-forward network
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = b + self.drop(self.feed_forward(b))
        return y, self_weights, cross_weights

# %% wrong: one_attention_for_both (1, 2, 3) => the two attentions are one and the same: each has numbers of its own
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = self.self_attention
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: self_attention_used_twice (1, 2, 3) => self-attention did the work of cross-attention, too: there are two attentions
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.self_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_bias (1, 3) => the projections have no bias: the paper's block has one in all projections of both attentions
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: gelu (1) => the feed-forward network bends with GELU: the paper's bends with ReLU
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "gelu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: causal_built_in (1, 2) => the future was hidden although no mask was given: None hides nothing
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=torch.ones(x.size(1), x.size(1), device=x.device).tril().bool() if self_mask is None else self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: weights_swapped (1, 2) => the weights came in the wrong order: those of self-attention first, then of cross-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, cross_weights, self_weights

# %% wrong: weights_averaged (1) => the weights are averaged over the heads: they are asked for head by head, and never averaged
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights.mean(1), cross_weights.mean(1)

# %% wrong: returns_two (1, 2, 3) => forward returns three things: x, the weights of self-attention, the weights of cross-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, cross_weights

# %% wrong: masks_swapped (2) => the two masks have changed places: self_mask is for self-attention, and it went to cross-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=None if memory_mask is None else memory_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=self_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: memory_mask_forgotten (2) => memory_mask was left aside: hand it to cross-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: self_mask_forgotten (2) => self_mask was left aside: hand it to self-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: self_mask_for_both_when_alone (2) => self_mask hid words of the memory: it is for self-attention alone
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=self_mask if memory_mask is None else memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: mask_turned_round (2) => a mask is turned round: True stands for what may be seen
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=None if self_mask is None else ~self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: padding_mask_given_an_axis (2) => the block did not run with such a memory_mask: it goes to attention as it is, without another axis
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=None if memory_mask is None else memory_mask[:, None])
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: d_ff_ignored (3) => d_ff is left aside: hand it to the feed-forward network
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, None, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: in_place (1, 2, 3) => x or the memory was changed in place: x += … writes into the caller's tensor
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        x += self.drop(new)
        a = self.norm1(x)
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_dropout_after_cross_attention (3) => dropout is missing on what cross-attention adds
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + new)
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_dropout_at_all (3) => dropout=1.0 changes nothing in training: hand dropout on, and let it fall on what each sub-layer adds
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu")
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Identity()

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: dropout_ignores_eval (3) => dropout goes on in evaluation mode: after eval() dropout must do nothing
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + F.dropout(p=self.p, input=new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + F.dropout(p=self.p, input=new))
        y = self.norm3(b + F.dropout(p=self.p, input=self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_dropout_inside_feed_forward (3) => inside the feed-forward network nothing is dropped: hand dropout to it, too
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu")
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: no_dropout_inside_cross_attention (3) => dropout does not reach one of the two attentions, cross_attention: it drops some of its weights
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: float32_memory (1) => with x and memory in float64 something is turned into float32: keep the dtype of the input
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        memory = memory.float()
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: memory_cut_off_from_gradients (1) => no gradient reaches the memory: the encoder could not learn
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory.detach(), mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: memory_padded_to_the_length_of_x (1) => the memory is brought to the length of x: in the weights of cross-attention, queries down, there is a column for each word of the memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        new, cross_weights = self.cross_attention(a, memory[:, :x.size(1)], mask=memory_mask)
        b = self.norm2(a + self.drop(new))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: dropout_on_the_sums (3) => with dropout=1.0 nothing of x is left in training: dropout falls on what a sub-layer adds, before it is added, and not on the sum
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(self.drop(x + new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.norm2(self.drop(a + new))
        y = self.norm3(self.drop(b + self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: dropout_after_the_norms (3) => with dropout=1.0 nothing of x is left in training: dropout falls on what a sub-layer adds, before it is added, and not on what the norm returns
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.drop(self.norm1(x + new))
        new, cross_weights = self.cross_attention(a, memory, mask=memory_mask)
        b = self.drop(self.norm2(a + new))
        y = self.drop(self.norm3(b + self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% right: sub_layers_as_functions
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        options = {"dropout": dropout, "bias": True}
        self.self_attention = MultiHeadAttention(d_model, num_heads, **options)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, **options)
        self.feed_forward = FeedForward(d_model, d_ff=d_ff, dropout=dropout, activation="relu")
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop1, self.drop2, self.drop3 = [nn.Dropout(dropout) for _ in range(3)]

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        def residual(y, new, drop, norm):
            return norm(y + drop(new))

        new, own = self.self_attention(query=x, key=x, value=x, mask=self_mask)
        h1 = residual(x, new, self.drop1, self.norm1)
        new, cross = self.cross_attention(query=h1, key=memory, value=memory, mask=memory_mask)
        h2 = residual(h1, new, self.drop2, self.norm2)
        h3 = residual(h2, self.feed_forward(h2), self.drop3, self.norm3)
        return (h3, own, cross)

# %% right: own_attention_with_fused_product
class Attend(nn.Module):
    def __init__(self, d_model, num_heads, dropout):
        super().__init__()
        self.num_heads, self.p = num_heads, dropout
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        heads = lambda t: t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        q, k, v = heads(self.W_q(query)), heads(self.W_k(key)), heads(self.W_v(value))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
        output = F.dropout(weights, self.p, self.training) @ v
        return self.W_o(output.transpose(1, 2).flatten(2)), weights


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = Attend(d_model, num_heads, dropout)
        self.cross_attention = Attend(d_model, num_heads, dropout)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = map(nn.LayerNorm, [d_model] * 3)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        a, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(self.dropout(a) + x)
        a, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(self.dropout(a) + x)
        return self.norm3(self.dropout(self.feed_forward(x)) + x), self_weights, cross_weights

# %% right: takes_an_encoder_block_apart
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        encoder = EncoderBlock(d_model, num_heads, d_ff, dropout)
        self.self_attention, self.norm1 = encoder.attention, encoder.norm1
        self.feed_forward, self.norm3 = encoder.feed_forward, encoder.norm2
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        result = []
        for attention, norm, other, mask in ((self.self_attention, self.norm1, None, self_mask),
                                             (self.cross_attention, self.norm2, memory, memory_mask)):
            new, weights = attention(x, other, mask=mask)
            x = norm(x + self.dropout(new))
            result.append(weights)
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, *result

# %% wrong: cross_weights_with_queries_across (1) => the weights of cross-attention are transposed: queries down, keys across, for each head
class DecoderBlock(nn.Module):
    """Self-attention, cross-attention to the memory, a feed-forward network; post-norm,
    ReLU.
    """

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(
            d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x: (batch, seq, d_model)   memory: (batch, seq_memory, d_model)

        Returns (x, self_weights, cross_weights).
        """
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights.transpose(-2, -1)

# %% wrong: cross_attention_shares_W_v (1) => the two attentions share W_v: each has numbers of its own
class DecoderBlock(nn.Module):
    """Self-attention, cross-attention to the memory, a feed-forward network; post-norm,
    ReLU.
    """

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention.W_v = self.self_attention.W_v
        self.feed_forward = FeedForward(
            d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x: (batch, seq, d_model)   memory: (batch, seq_memory, d_model)

        Returns (x, self_weights, cross_weights).
        """
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: memory_mask_in_training_only (2) => after eval() a mask is left aside: both hide in training and in evaluation
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if not self.training:
            memory_mask = None
        new, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(new))
        new, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(new))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: dropout_forgotten_in_the_written_out_attention (3) => nothing is dropped inside cross_attention when the block runs: dropout drops some of its weights
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        if memory_mask is None:
            memory_mask = torch.ones(1, memory.size(1), dtype=torch.bool, device=memory.device)
        q = self.cross_attention
        heads = lambda t: t.unflatten(-1, (q.num_heads, -1)).transpose(1, 2)
        query, key, value = heads(q.W_q(a)), heads(q.W_k(memory)), heads(q.W_v(memory))
        scores = torch.einsum("bhid,bhjd->bhij", query, key) / query.size(-1) ** 0.5
        scores = scores.masked_fill(~memory_mask, -1e30 if scores.dtype == torch.float32 else -1e300)
        cross_weights = scores.softmax(-1) * memory_mask
        output = q.W_o((cross_weights @ value).transpose(1, 2).flatten(2))
        b = self.norm2(a + self.drop(output))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: hidden_with_a_large_number_in_float32 (2) => what the mask leaves to be seen gets weights whose sum is not 1: hide before the softmax, with a number far below every score
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        if memory_mask is None:
            memory_mask = torch.ones(1, memory.size(1), dtype=torch.bool, device=memory.device)
        q = self.cross_attention
        heads = lambda t: t.unflatten(-1, (q.num_heads, -1)).transpose(1, 2)
        query, key, value = heads(q.W_q(a)), heads(q.W_k(memory)), heads(q.W_v(memory))
        scores = torch.einsum("bhid,bhjd->bhij", query, key) / query.size(-1) ** 0.5
        scores = scores.masked_fill(~memory_mask, 1e30 if scores.dtype == torch.float32 else -1e300)
        cross_weights = scores.softmax(-1) * memory_mask
        output = q.W_o((F.dropout(cross_weights, q.dropout.p, self.training) @ value).transpose(1, 2).flatten(2))
        b = self.norm2(a + self.drop(output))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: norm_without_bias (1) => a norm has no bias: a layer norm has a weight and a bias
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(own))
        read, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(read))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: memory_cut_at_512 (1) => a memory of 600 words was cut off: was the memory cut to a length that is written into the code?
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(own))
        read, cross_weights = self.cross_attention(x, memory[:, :512], mask=memory_mask)
        x = self.norm2(x + self.dropout(read))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: memory_hidden_from_all_is_shown (2) => a memory_mask that hides the whole memory was left aside: cross-attention gives zero weights there
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(own))
        read, cross_weights = self.cross_attention(x, memory, mask=None if memory_mask is not None and not memory_mask.any() else memory_mask)
        x = self.norm2(x + self.dropout(read))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: masks_exchanged_where_both_fit (2) => self-attention does not follow self_mask where memory_mask has two axes, too: each mask is for its own attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, self_weights = self.self_attention(x, mask=memory_mask if memory_mask is not None and memory_mask.dim() == 2 and memory.shape[1] == x.shape[1] else self_mask)
        x = self.norm1(x + self.dropout(own))
        read, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(read))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: keys_detached (1) => another gradient at the memory: it flows back through keys and values, was one of them detached?
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(own))
        read, cross_weights = self.cross_attention(x, memory.detach(), memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(read))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% right: fills_with_a_tensor
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        new, self_weights = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(new))
        if memory_mask is None:
            memory_mask = torch.ones(1, memory.size(1), dtype=torch.bool, device=memory.device)
        q = self.cross_attention
        heads = lambda t: t.unflatten(-1, (q.num_heads, -1)).transpose(1, 2)
        query, key, value = heads(q.W_q(a)), heads(q.W_k(memory)), heads(q.W_v(memory))
        scores = torch.einsum("bhid,bhjd->bhij", query, key) / query.size(-1) ** 0.5
        scores = scores.masked_fill(~memory_mask, torch.tensor(-1e30))
        cross_weights = scores.softmax(-1) * memory_mask
        output = q.W_o((F.dropout(cross_weights, q.dropout.p, self.training) @ value).transpose(1, 2).flatten(2))
        b = self.norm2(a + self.drop(output))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, self_weights, cross_weights

# %% wrong: square_batch_mask_taken_for_padding (2) => the rows of a memory_mask of two axes were taken for the sentences: it is (seq, seq_memory), the same for all sentences
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if memory_mask is not None and memory_mask.shape == memory.shape[:2]:
            memory_mask = memory_mask[:, None, None]
        a, own = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(a))
        a, cross = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(a))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, own, cross

# %% wrong: one_word_needs_no_self_mask (2) => self_mask was left aside for one word: hand both masks on for one word, too
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if x.size(1) == 1:
            self_mask = None
        a, own = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.drop(a))
        a, cross = self.cross_attention(x, memory, memory, mask=memory_mask)
        x = self.norm2(x + self.drop(a))
        x = self.norm3(x + self.drop(self.feed_forward(x)))
        return x, own, cross

# %% wrong: eps_of_tensorflow (1) => ε in the norms is another one: it is 1e-5, as PyTorch's, and stands under the root, next to the variance
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: feed_forward_in_float32 (1) -> lower precision
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x.float().to(x.dtype))))
        return x, self_weights, cross_weights

# %% wrong: memory_mask_expanded_to_one_head (2) => a memory_mask with a table for each head, (batch, heads, seq, seq_memory), did not run: it goes to attention as it is
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if memory_mask is not None and memory_mask.dim() == 4:
            memory_mask = memory_mask.expand(x.size(0), 1, x.size(1), memory.size(1))
        attended, self_weights = self.self_attention(x, mask=self_mask)
        x = self.norm1(x + self.dropout(attended))
        fetched, cross_weights = self.cross_attention(x, memory, mask=memory_mask)
        x = self.norm2(x + self.dropout(fetched))
        x = self.norm3(x + self.dropout(self.feed_forward(x)))
        return x, self_weights, cross_weights

# %% wrong: no_gradient_in_evaluation_mode (1) => after eval() no gradient goes through the block: evaluation mode switches dropout off, and nothing else
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if not self.training:
            with torch.no_grad():
                return self.run(x, memory, self_mask, memory_mask)
        return self.run(x, memory, self_mask, memory_mask)

    def run(self, x, memory, self_mask, memory_mask):
        out, own = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(out))
        out, cross = self.cross_attention(a, memory, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(out))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, own, cross

# %% wrong: no_dropout_inside_at_the_default_width (3) => inside the feed-forward network nothing is dropped where d_ff is left out: hand dropout to it in any case
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        if d_ff is None:
            self.feed_forward = FeedForward(d_model, activation="relu")
        else:
            self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        out, own = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(out))
        out, cross = self.cross_attention(a, memory, memory, mask=memory_mask)
        b = self.norm2(a + self.drop(out))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, own, cross

# %% wrong: dropout_on_the_memory (3) => in training cross-attention reads other numbers than the memory: dropout falls on what a sub-layer adds, not on the memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        out, own = self.self_attention(x, mask=self_mask)
        a = self.norm1(x + self.drop(out))
        out, cross = self.cross_attention(a, self.drop(memory), mask=memory_mask)
        b = self.norm2(a + self.drop(out))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, own, cross
