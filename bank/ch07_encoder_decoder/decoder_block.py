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

# %% wrong: memory_ignored -> never looked at the memory
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

# %% wrong: memory_asks -> in cross-attention the memory asks
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

# %% wrong: values_from_x -> the values come from x
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

# %% wrong: keys_from_x -> the keys come from x
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

# %% wrong: cross_attention_first -> cross-attention came first
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

# %% wrong: asks_with_the_input -> asks with the block's input
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

# %% wrong: no_residual_around_cross_attention -> residual connection around cross-attention is missing
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

# %% wrong: no_residual_around_self_attention -> residual connection around self-attention is missing
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

# %% wrong: residual_from_the_input -> adds the block's input
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

# %% wrong: memory_normalised -> memory was normalised
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

# %% wrong: pre_norm -> pre-norm
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

# %% wrong: norm2_twice -> norm2 was used twice
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

# %% wrong: last_norm_missing -> last norm is missing
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

# %% wrong: one_attention_for_both -> numbers of their own
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

# %% wrong: self_attention_used_twice -> two attentions
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

# %% wrong: no_bias -> bias
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

# %% wrong: gelu -> GELU
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

# %% wrong: causal_built_in -> None hides nothing
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

# %% wrong: weights_swapped -> wrong order
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

# %% wrong: weights_averaged -> averaged
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

# %% wrong: returns_two -> three things
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

# %% wrong: masks_swapped -> it went to cross-attention
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

# %% wrong: memory_mask_forgotten -> memory_mask was left aside
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

# %% wrong: self_mask_forgotten -> self_mask was left aside
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

# %% wrong: self_mask_for_both_when_alone -> for self-attention alone
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

# %% wrong: mask_turned_round -> turned round
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

# %% wrong: padding_mask_given_an_axis -> did not run
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

# %% wrong: d_ff_ignored -> d_ff
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

# %% wrong: in_place -> in place
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

# %% wrong: no_dropout_after_cross_attention -> what cross-attention adds
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

# %% wrong: no_dropout_at_all -> changes nothing in training
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

# %% wrong: dropout_ignores_eval -> after eval() dropout must do nothing
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

# %% wrong: no_dropout_inside_feed_forward -> inside the feed-forward network nothing is dropped
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

# %% wrong: no_dropout_inside_cross_attention -> dropout does not reach one of the two attentions
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

# %% wrong: float32_memory -> float
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

# %% wrong: memory_cut_off_from_gradients -> no gradient reaches the memory
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

# %% wrong: memory_padded_to_the_length_of_x -> cross-attention: queries down
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

# %% wrong: dropout_on_the_sums -> nothing of x is left
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

# %% wrong: dropout_after_the_norms -> nothing of x is left
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

# %% wrong: cross_weights_with_queries_across -> queries down, keys across
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

# %% wrong: cross_attention_shares_W_v -> numbers of their own
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

# %% wrong: memory_mask_in_training_only -> after eval() a mask is left aside
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

# %% wrong: dropout_forgotten_in_the_written_out_attention -> dropped inside cross_attention ?? the visible check asks each attention, not the block
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

# %% wrong: hidden_with_a_large_number_in_float32 -> whose sum is
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

# %% wrong: norm_without_bias -> has no bias
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

# %% wrong: memory_cut_at_512 -> was the memory cut ?? the numbers of the visible check can be followed by hand
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

# %% wrong: memory_hidden_from_all_is_shown -> hides the whole memory
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

# %% wrong: masks_exchanged_where_both_fit -> does not follow self_mask
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

# %% wrong: keys_detached -> another gradient at the memory
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

# %% wrong: square_batch_mask_taken_for_padding -> taken for the
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

# %% wrong: one_word_needs_no_self_mask -> for one word, too
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

# %% wrong: eps_of_tensorflow -> norm1 gives about what eps = 1e-06 gives
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

# %% wrong: feed_forward_in_float32 -> something is computed in float32
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

# %% wrong: memory_mask_expanded_to_one_head -> memory_mask (2, 2, 4, 4)
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

# %% wrong: no_gradient_in_evaluation_mode -> after eval() no gradient
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

# %% wrong: no_dropout_inside_at_the_default_width -> where d_ff is left out
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

# %% wrong: dropout_on_the_memory -> reads other numbers than the memory
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

# %% wrong: dropout_on_the_returned_weights -> not on the weights that are returned
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
        out, cross = self.cross_attention(a, memory, memory, mask=memory_mask)
        cross = self.drop(cross)
        b = self.norm2(a + self.drop(out))
        y = self.norm3(b + self.drop(self.feed_forward(b)))
        return y, own, cross
