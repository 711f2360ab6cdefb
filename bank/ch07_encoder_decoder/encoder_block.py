# %% right: all_three_given
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% right: dictionary_of_linears_and_functional_dropout
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        if d_ff is None:
            d_ff = d_model * 4
        self.p = dropout
        self.feed_forward = nn.ModuleDict({"linear1": nn.Linear(d_model, d_ff), "linear2": nn.Linear(d_ff, d_model)})
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, mask=None):
        attended, weights = self.attention(query=x, mask=mask)
        h = self.norm1(self.drop(attended) + x)
        wide = self.drop(torch.relu(self.feed_forward["linear1"](h)))
        return self.norm2(h + self.drop(self.feed_forward["linear2"](wide))), weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.num_layers = num_layers
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(EncoderBlock(d_model, num_heads, d_ff=d_ff, dropout=dropout))

    def forward(self, x, mask=None):
        for i in range(self.num_layers):
            x, weights = self.blocks[i](x, mask=mask)
        return x

# %% right: own_feed_forward_and_reduce
class PositionWise(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.linear1, self.linear2, self.dropout = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x).clamp(min=0)))


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, True)
        self.feed_forward = PositionWise(d_model, d_ff or 4 * d_model, dropout)
        self.norm1, self.norm2 = (nn.LayerNorm(d_model) for _ in range(2))
        self.dropout1, self.dropout2 = (nn.Dropout(dropout) for _ in range(2))

    def forward(self, x, mask=None):
        new, weights = self.attention(x, mask=mask)
        h = self.norm1(torch.add(x, self.dropout1(new)))
        return self.norm2(torch.add(h, self.dropout2(self.feed_forward(h)))), weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        from functools import reduce
        return reduce(lambda y, block: block(y, mask)[0], self.blocks, x)

# %% right: own_layer_norm
class Norm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model)), eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / (centred.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.weight + self.bias


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = Norm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = Norm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% right: sub_layers_in_a_helper
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        new, weights = self.attention(x, mask=mask)
        for norm, work in ((self.norm1, lambda y: new), (self.norm2, self.feed_forward)):
            x = norm(x + self.drop(work(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% right: mask_left_aside_if_it_hides_nothing
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is not None and mask.all():
            mask = None
        attended, weights = self.attention(x, mask=mask)
        h = self.norm1(x + self.drop(attended))
        y = self.norm2(h + self.drop(self.feed_forward(h)))
        return y, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x


# %% right: asks_for_a_number_first
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        for block in self.blocks:
            x = block(x, mask)[0]
        return x


# %% right: weights_after_dropout
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
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

    def forward(self, x, mask=None):
        attended, weights = self.look(self.attention, x, x, mask)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.feed_forward(x))), weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: pre_norm (1) => this is the pre-norm order of chapter 6's default: the paper's block is post-norm
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(self.norm1(x), mask=mask)
        x = x + self.drop(attended)
        x = x + self.drop(self.feed_forward(self.norm2(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: no_bias (1) => the projections of attention have no bias: the paper's block has one in all four
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: gelu (1) => the feed-forward network bends with GELU: the paper's bends with ReLU
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "gelu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: no_residual_around_attention (1) => the residual connection around attention is missing
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: no_residual_around_feed_forward (1) => the residual connection around the feed-forward network is missing
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: norms_on_the_branches (1) => the norms were applied to what is added: in post-norm they are applied to the sum
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = x + self.norm1(self.drop(attended))
        x = x + self.norm2(self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: norm1_twice (1) => norm1 was used in both places: the second is norm2
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm1(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: second_residual_from_the_input (1) => the second residual connection adds the block's input: it must carry norm1's result
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        h = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(h)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: mask_forgotten (1) => the mask was left aside: hand the mask to attention
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: in_place (1, 2) => x was changed in place: x += … writes into the caller's tensor, x = x + … makes a new one
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x += self.drop(attended)
        x = self.norm1(x)
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: weights_averaged (1) => the weights are averaged over the heads: a table of weights per sentence and head is asked for
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights.mean(1)


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: causal_inside (1) => the future was hidden without a mask: in the source all words see each other
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        past = torch.ones(x.size(1), x.size(1), device=x.device).tril().bool()
        attended, weights = self.attention(x, mask=past if mask is None else mask & past)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: d_ff_ignored (1) => d_ff is left aside: hand it to the feed-forward network
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, 4 * d_model, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: no_dropout_on_what_is_added (1) => dropout is missing on what a sub-layer adds: with dropout=1.0 nothing may be added in training
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.feed_forward(x))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: no_dropout_inside_feed_forward (1) => inside the feed-forward network nothing is dropped: hand dropout to it, too
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu")
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: dropout_ignores_eval (1) => dropout goes on in evaluation mode: after eval() dropout must do nothing
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.p = dropout

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + F.dropout(p=self.p, input=attended))
        x = self.norm2(x + F.dropout(p=self.p, input=self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: one_block_many_times (2) => the three blocks are one and the same: each needs numbers of its own
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout)] * num_layers)

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: blocks_in_a_plain_list (2) => the stack has nothing to learn: hold the blocks in an nn.ModuleList, which parameters() can see
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: mask_for_no_block (2) => the mask was not handed to the blocks
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x)[0]
        return x

# %% wrong: mask_for_the_first_block_only (2) => only some blocks got the mask, the first one alone: hand it to each of them
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, mask = block(x, mask)[0], None
        return x

# %% wrong: norm_at_the_end (2) => there is no norm after the last block: a post-norm block ends with one
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return self.norm(x)

# %% wrong: every_block_reads_the_input (2) => every block was given x as it came in: each block reads what the one before it wrote
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            y = block(x, mask)[0]
        return y

# %% wrong: returns_inside_the_loop (2) => only the first block was used: is return inside the loop?
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
            return x

# %% wrong: dropout_not_passed_to_the_blocks (2) => dropout does not reach the blocks: hand it on when you make them
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: d_ff_not_passed_to_the_blocks (2) => d_ff does not reach the blocks: hand it on when you make them
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, dropout=dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: always_six_blocks (2) => six blocks were made where three were asked for: num_layers says how many
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(6)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: returns_weights_too (2) => the encoder returns x alone, without weights
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, weights = block(x, mask)
        return x, weights

# %% wrong: no_dropout_in_attention (1) => dropout does not reach attention, which should drop some of its weights in training
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: mask_by_position (1, 2) => the mask is handed to attention in second place: by position it would be the key, so hand it on by name, mask=mask
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: mask_by_position_in_third_place (1, 2) => the mask is handed to attention in third place: by position it would be the value, so hand it on by name, mask=mask
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: weights_not_unpacked (1, 2) => attention returns two things, output and weights: only the output is added
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended = self.attention(x, x, x, mask)
        weights = attended[1]
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: mask_given_an_axis (1, 2) => the block did not run with a mask of four axes: hand it on as it is, without another axis
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, None if mask is None else mask[:, :, None, None])
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: result_of_a_block_not_unpacked (2) => a block returns two things, x and weights, and the next one wants only x
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        return x[0]

# %% wrong: mask_for_all_but_the_first (2) => only some blocks got the mask, all but the first one: hand it to each of them
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for i, block in enumerate(self.blocks):
            x = block(x, mask if i == 0 or len(self.blocks) == 1 else None)[0]
        return x

# %% wrong: dropout_on_the_sum (1) => with dropout=1.0 nothing of x is left in training: dropout falls on what a sub-layer adds, before it is added, and not on the sum
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(self.drop(x + attended))
        x = self.norm2(self.drop(x + self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: dropout_after_the_norms (1) => with dropout=1.0 nothing of x is left in training: dropout falls on what a sub-layer adds, before it is added, and not on what the norm returns
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.drop(self.norm1(x + attended))
        x = self.drop(self.norm2(x + self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: activation_forgotten_by_position (1, 2) => the block could not be made: each argument must reach its place in FeedForward, whose third there is the activation, and fourth dropout
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% right: deep_copies
import copy

class EncoderBlock(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_ff: int | None = None, dropout: float = 0.0):
        super().__init__()
        self.attention = MultiHeadAttention(
            bias=True, dropout=dropout, num_heads=num_heads, d_model=d_model)
        self.norm1 = nn.LayerNorm(normalized_shape=[d_model])
        self.feed_forward = FeedForward(dropout=dropout, activation="relu", d_model=d_model, d_ff=d_ff)
        self.norm2 = nn.LayerNorm(normalized_shape=[d_model])
        self.dropout1, self.dropout2 = nn.Dropout(p=dropout), nn.Dropout(p=dropout)

    def _attend(self, x, mask):
        output, self._weights = self.attention(x, mask=mask)
        return self.dropout1(output)

    def _think(self, x):
        return self.dropout2(self.feed_forward(x))

    def forward(self, x, mask=None):
        x = self.norm1(torch.add(x, self._attend(x, mask)))
        x = self.norm2(torch.add(x, self._think(x)))
        return x, self._weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        first = EncoderBlock(d_model, num_heads, d_ff, dropout)
        self.blocks = nn.ModuleList(copy.deepcopy(first) for _ in range(num_layers))

    def forward(self, x, mask=None):
        return self._run(x, mask, 0)

    def _run(self, x, mask, depth):
        if depth == len(self.blocks):
            return x
        return self._run(self.blocks[depth](x, mask=mask)[0], mask, depth + 1)

# %% right: functional_layer_norm_and_einsum_feed_forward
class Wide(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        h = torch.einsum("bsd,fd->bsf", x, self.linear1.weight) + self.linear1.bias
        h = F.dropout(h * (h > 0), self.p, self.training)
        return torch.einsum("bsf,df->bsd", h, self.linear2.weight) + self.linear2.bias


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.p, self.d_model = dropout, d_model
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = Wide(d_model, 4 * d_model if d_ff is None else d_ff, dropout)
        for name in ("norm1", "norm2"):
            self.add_module(name, nn.LayerNorm(d_model))

    def add_and_norm(self, x, new, norm):
        total = x + F.dropout(new, p=self.p, training=self.training)
        return F.layer_norm(total, (self.d_model,), norm.weight, norm.bias, norm.eps)

    def forward(self, x, mask=None):
        result = self.attention(x, mask=mask)
        x = self.add_and_norm(x, result[0], self.norm1)
        return self.add_and_norm(x, self.feed_forward(x), self.norm2), result[1]


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList()
        while len(self.blocks) < num_layers:
            self.blocks.append(EncoderBlock(d_model, num_heads, dropout=dropout, d_ff=d_ff))

    def forward(self, x, mask=None):
        weights = []
        for i in range(len(self.blocks)):
            x, w = self.blocks[i](x, mask)
            weights.append(w)
        self.last_weights = weights
        return x

# %% right: reduce_over_the_blocks
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        settings = dict(d_ff=d_ff, dropout=dropout)
        self.blocks = nn.ModuleList([])
        self.blocks.extend(EncoderBlock(d_model, num_heads, **settings) for _ in range(num_layers))

    def forward(self, x, mask=None):
        from functools import reduce
        return reduce(lambda h, block: block(h, mask)[0], self.blocks, x)

# %% wrong: mask_ignored_in_training (1) => in training the mask was left aside: hand the mask to attention in training and in evaluation
class EncoderBlock(nn.Module):
    """Self-attention, then a feed-forward network; post-norm, ReLU, as in the 2017
    paper.
    """

    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(
            d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(
            d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    # (batch, seq, d_model) -> the same, and the weights
    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=None if self.training else mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    """num_layers encoder blocks, one on top of the other, in self.blocks."""

    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):                 # (batch, seq, d_model) -> the same
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% right: mask_of_ones_for_none
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.size(0), 1, 1, x.size(1), dtype=torch.bool, device=x.device)
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: stack_keeps_the_mask_of_the_last_call (2) => called without a mask, after a call with one, the stack still uses it: every call has its own mask, or none
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        for block in self.blocks:
            x, _ = block(x, self.mask)
        return x

# %% wrong: mask_in_training_only (1) => after eval() the mask is left aside: it hides in training and in evaluation
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask if self.training else None)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: stack_makes_its_mask_on_the_cpu (2) -> two devices meet
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.size(0), 1, 1, x.size(1), dtype=torch.bool)
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: two_heads_written_into_the_stack (2) => the blocks have another number of heads than num_heads: is a number of heads written into the code?
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.size(0), 2, 1, x.size(1), dtype=torch.bool, device=x.device)
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: norm_begins_with_bias_one (1) => the bias of a norm starts as 1: a norm begins with weight 1 and bias 0
class Norm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.ones(d_model)), eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / (centred.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.weight + self.bias


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = Norm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias=True)
        self.norm2 = Norm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, x, x, mask)
        x = self.norm1(x + self.drop(attended))
        x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)[0]
        return x

# %% wrong: feed_forward_shared_by_the_blocks (2) => the blocks share a part, the feed-forward network: each block needs numbers of its own
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        for block in self.blocks:
            block.feed_forward = self.blocks[0].feed_forward

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: norm_without_bias (1) => a norm has no bias: a layer norm has a weight and a bias, which begin as 1 and 0
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model, bias=False)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model, bias=False)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: batch_norm (1, 2) => nn.BatchNorm1d takes the second axis for the features: a norm works on the last axis, token by token; take nn.LayerNorm
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.BatchNorm1d(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.BatchNorm1d(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: blocks_in_reverse (2) => the blocks run in reverse order: the first one first
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in reversed(self.blocks):
            x, _ = block(x, mask)
        return x

# %% wrong: dropout_on_the_input_of_the_stack (2) => dropout falls on the input of the stack: it falls inside the blocks, and nowhere between or around them
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        x = F.dropout(x, self.blocks[0].dropout.p, self.training)
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: dropout_of_whole_tokens (1) -> attention.W_o.bias: 
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x, mask=None):
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: mask_of_two_axes_misread (1, 2) => with a mask of two axes other places are hidden than it says: hand it on as it is
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 2:
            mask = mask[:, None, None]
        out, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(out))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: no_dropout_inside_at_the_default_width (1) => inside the feed-forward network nothing is dropped where d_ff is left out: hand dropout to it in any case
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        if d_ff is None:
            self.feed_forward = FeedForward(d_model, 4 * d_model, "relu")
        else:
            self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(a))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, w


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: no_gradient_in_evaluation_mode (1) => after eval() no gradient goes through the block: evaluation mode switches dropout off, and nothing else
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            a, w = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(a))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, w


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: mask_of_three_axes_gets_a_fourth (1) => with a mask of three axes, one for each head, other places are hidden than it says: hand it on as it is
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(a))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, w


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: one_word_needs_no_mask (1) => the mask was left aside for a sentence of one word: hand it on for one word, too
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, "relu", dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if x.size(1) == 1:
            mask = None
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout) for i in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: eps_of_bert (1) => ε in the norms is another one: it is 1e-5, as PyTorch's, and stands under the root, next to the variance
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model, eps=1e-12), nn.LayerNorm(d_model, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: norms_with_the_unbiased_variance (1) => the norms take the unbiased variance: take the biased variance, divided by d
class Own(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() + self.bias

class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = Own(d_model), Own(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: feed_forward_in_float32 (1) -> lower precision
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x.float().to(x.dtype))))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: no_dropout_in_the_last_block (2) => dropout does not reach the last block: hand it to all blocks
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(d_model, num_heads, d_ff, dropout if i + 1 < num_layers or num_layers == 1 else 0.0) for i in range(num_layers))

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x

# %% wrong: stack_without_gradient_in_evaluation (2) => after eval() no gradient goes through the stack: evaluation mode switches dropout off, and nothing else
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        h = self.norm1(x + self.drop(attended))
        y = self.norm2(h + self.drop(self.feed_forward(h)))
        return y, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        with torch.set_grad_enabled(self.training):
            for block in self.blocks:
                x, _ = block(x, mask)
        return x

# %% wrong: stack_gives_the_mask_four_axes (2) => the stack did not run with such a mask: it hands the mask on as it is, with as many axes as it has
class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        h = self.norm1(x + self.drop(attended))
        y = self.norm2(h + self.drop(self.feed_forward(h)))
        return y, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask if mask is None else mask.view(-1, 1, mask.size(-2), mask.size(-1)))
        return x

# %% wrong: norms_that_do_not_learn (1) => weight and bias of a norm do not learn: both are parameters
class LayerNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.register_buffer("weight", torch.ones(d_model))
        self.register_buffer("bias", torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return (x - mean) / torch.sqrt(var + 1e-5) * self.weight + self.bias


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=True)
        self.feed_forward = FeedForward(d_model, d_ff, activation="relu", dropout=dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask=mask)
        h = self.norm1(x + self.drop(attended))
        y = self.norm2(h + self.drop(self.feed_forward(h)))
        return y, weights


class Encoder(nn.Module):
    def __init__(self, d_model, num_heads, num_layers, d_ff=None, dropout=0.0):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return x
