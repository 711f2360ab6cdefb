# %% right: own_classes
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% right: pytorchs_parts_everything_written_out
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.feed_forward = nn.Module()
        self.feed_forward.linear1 = nn.Linear(d_model, d_ff)
        self.feed_forward.linear2 = nn.Linear(d_ff, d_model)
        self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.p, self.activation, self.pre = dropout, activation, norm_first
        self.feed_forward.forward = self.feed

    def feed(self, x):
        h = self.feed_forward.linear1(x)
        h = F.relu(h) if self.activation == "relu" else F.gelu(h, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        return self.feed_forward.linear2(F.dropout(h, self.p, self.training))

    def forward(self, x, mask=None):
        drop = lambda t: F.dropout(t, self.p, self.training)
        out, weights = self.attention(self.norm1(x) if self.pre else x, None, None, mask)
        x = x + drop(out)
        x = x if self.pre else self.norm1(x)
        out = self.feed(self.norm2(x) if self.pre else x)
        x = x + drop(out)
        return (x if self.pre else self.norm2(x)), weights

# %% right: one_sublayer_function
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff=d_ff, activation=activation, dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first

    def sublayer(self, x, norm, dropout, work):
        if self.norm_first:
            return x + dropout(work(norm(x)))
        return norm(x + dropout(work(x)))

    def forward(self, x, mask=None):
        kept = []

        def attend(t):
            output, weights = self.attention(t, t, t, mask)
            kept.append(weights)
            return output

        x = self.sublayer(x, self.norm1, self.dropout1, attend)
        x = self.sublayer(x, self.norm2, self.dropout2, self.feed_forward)
        return x, kept[0]

# %% right: sequential_with_names
from collections import OrderedDict


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU, "gelu_tanh": lambda: nn.GELU(approximate="tanh"), "relu": nn.ReLU}
        self.norm1 = nn.LayerNorm(d_model, eps=1e-5)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-5)
        self.attention = MultiHeadAttention(d_model, num_heads, bias=bias, dropout=dropout)
        self.feed_forward = nn.Sequential(OrderedDict(linear1=nn.Linear(d_model, d_ff), bend=bends[activation](), drop=nn.Dropout(dropout),
                                                      linear2=nn.Linear(d_ff, d_model), end=nn.Dropout(dropout)))
        self.end = nn.Dropout(dropout)
        self.forward_in_order = self.pre if norm_first else self.post

    def pre(self, x, mask):
        found, weights = self.attention(self.norm1(x), mask=mask)
        x = torch.add(x, self.end(found))
        return torch.add(x, self.feed_forward(self.norm2(x))), weights

    def post(self, x, mask):
        found, weights = self.attention(x, mask=mask)
        x = self.norm1(torch.add(x, self.end(found)))
        return self.norm2(torch.add(x, self.feed_forward(x))), weights

    def forward(self, x, mask=None):
        return self.forward_in_order(x, mask)

# %% right: heads_by_einsum_on_the_projections
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first, self.p = norm_first, dropout
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)

    def forward(self, x, mask=None):
        first = self.norm1 if self.norm_first else nn.Identity()
        last = nn.Identity() if self.norm_first else self.norm1
        out, weights = self.attention(query=first(x), mask=mask)
        h = last(x.clone().add_(F.dropout(out, self.p, self.training)))
        first, last = (self.norm2, nn.Identity()) if self.norm_first else (nn.Identity(), self.norm2)
        return last(h + F.dropout(self.feed_forward(first(h)), self.p, self.training)), weights

# %% wrong: no_residuals (1) => both residual connections are missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = self.dropout(a)
            y = self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_residual_around_attention (1) => the residual connection around attention is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_residual_around_feed_forward (1) => the residual connection around the feed-forward network is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_residuals_in_post_norm (2) => both residual connections are missing in post-norm
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(self.dropout(a))
            y = self.norm2(self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: residual_of_the_normalised (1) => the residual connection around attention adds norm1(x): it must carry x itself
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x)
            a, weights = self.attention(x, mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: both_residuals_of_the_normalised (1) => both residual connections add normalised tokens: they must carry the tokens as they are
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x)
            a, weights = self.attention(x, mask=mask)
            h = self.norm2(x + self.dropout(a))
            y = h + self.dropout(self.feed_forward(h))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: second_residual_of_the_normalised (1) => the residual connection around the feed-forward network adds norm2(h): it must carry h itself
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            h = self.norm2(h)
            y = h + self.dropout(self.feed_forward(h))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: second_residual_from_the_input (1) => the second residual connection adds the block's input: it must carry the result of the first
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = x + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: parallel_block (1) => the feed-forward network reads the block's input: it must read what attention has added to
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: one_norm_for_both (1) => norm1 was used in both places: the second is norm2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm1(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: one_norm_for_both_in_post_norm (2) => norm1 was used in both places: the second is norm2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm1(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: norms_exchanged (1) => norm1 and norm2 have changed places
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm2(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm1(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: second_norm_missing (1) => the norm in front of the feed-forward network is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(h))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: first_norm_missing (1) => the norm in front of attention is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(x, mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: always_post_norm (1) => this is the post-norm order; norm_first=True is the default
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if False:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: always_pre_norm (2) => norm_first=False gave the pre-norm order
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if True:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: norm_first_turned_round (1, 2) -> post-norm order
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if not self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: post_norm_by_default (1) => this is the post-norm order; norm_first=True is the default
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=False, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: norms_behind_the_sublayers (1) => the norms stand behind the sub-layers: in pre-norm they stand in front of them
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(x, mask=mask)
            h = x + self.norm1(self.dropout(a))
            y = h + self.norm2(self.dropout(self.feed_forward(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: post_norm_of_what_is_added (2) => the norms were applied to what is added: in post-norm they are applied to the sum
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = x + self.norm1(self.dropout(a))
            y = h + self.norm2(self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: post_norm_residual_before_the_norm (2) => the second residual connection carries the sum before norm1: it must carry norm1's result
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = x + self.dropout(a)
            y = self.norm2(h + self.dropout(self.feed_forward(self.norm1(h))))
        return y, weights

# %% wrong: post_norm_without_the_last (2) => the last norm is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = h + self.dropout(self.feed_forward(h))
        return y, weights

# %% wrong: post_norm_without_the_first (2) => the norm behind attention is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = x + self.dropout(a)
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: causal_by_default (3) => attention hid the future although no mask was given: without a mask all tokens see each other
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.size(1), x.size(1), dtype=torch.bool, device=x.device).tril()
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_forgotten (3) => the mask did not reach attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x))
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_forgotten_in_post_norm (3) => post-norm: the mask did not reach attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_inverted (3) => the mask is turned round (True = may attend) !! did not reach attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        mask = None if mask is None else ~mask
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_as_key (3) => the mask did not reach attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), None, None)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, None, None)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: bias_not_handed_over (3) => the projections of attention have no bias: bias=True is the default, and attention must be told
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: bias_always (3) => bias=False was not handed to attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, True)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: bias_off_by_default (3) => the projections of attention have no bias: bias=True is the default, and attention must be told
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=False):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: bias_takes_the_norms_too (3) => bias=False concerns the four projections alone: norms and linear layers keep theirs
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, bias=bias)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = nn.LayerNorm(d_model, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: bias_takes_the_linear_layers_too (3) => bias=False concerns the four projections alone: norms and linear layers keep theirs
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
        if not bias:
            self.feed_forward.linear1.register_parameter('bias', None)
            self.feed_forward.linear2.register_parameter('bias', None)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: d_ff_ignored (3) => d_ff=12 was given, and linear1 has another width
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, None, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: d_ff_twice_by_default (3) => without d_ff the feed-forward network is four times as wide as the token
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff or 2 * d_model, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: activation_ignored (3) => activation='gelu_tanh' did not reach the feed-forward network
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, dropout=dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: relu_by_default (3) => the feed-forward network bends with ReLU: activation='gelu', the exact form, is the default
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="relu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: only_x_returned (1, 2, 3) => two results are expected, the new x and the attention weights: x alone came
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y

# %% wrong: weights_averaged_over_heads (1) => one table of weights for each sentence and head is expected: they were averaged
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights.mean(1)

# %% wrong: wrong_order_of_results (1, 3) => the new x comes first, the attention weights second
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return weights, y

# %% wrong: in_place (1, 3) -> x was changed in place
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x.add_(self.dropout(a))
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: in_place_plus_equals (1, 3) -> x was changed in place
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            x += self.dropout(a)
            x += self.dropout(self.feed_forward(self.norm2(x)))
            y = x
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: ignores_eval (3) -> evaluation, dropout=0.5
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = lambda t: F.dropout(t, dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_dropout_anywhere (3) -> nothing is added
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, 0.0, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.dropout = nn.Identity()

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_dropout_on_what_is_added (3) -> nothing is added
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Identity()

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_dropout_in_attention (3) => dropout was not handed to attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, 0.0, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_dropout_in_feed_forward (3) => the feed-forward network has no dropout on its activated features, in front of linear2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: dropout_on_the_stream (3) => dropout fell on the stream: it falls on what each sub-layer adds
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = self.dropout(x + a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: dropout_by_default (1, 2, 3) -> of y should be
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.1, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: extra_norm_at_the_end (1) => norm2 stands at the end as well: in pre-norm it is used once
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = self.norm2(h + self.dropout(self.feed_forward(self.norm2(h))))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: cross_attention_to_the_unnormalised (1) => attention got norm1(x) as queries only: without keys of their own, the queries are the keys
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), x, mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: feed_forward_first (1, 3) => the feed-forward network comes first: attention is the first sub-layer
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            h = x + self.dropout(self.feed_forward(self.norm2(x)))
            a, weights = self.attention(self.norm1(h), mask=mask)
            y = h + self.dropout(a)
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: scaled_sum (1) => the sum was divided by √2: what a sub-layer gives is added, and nothing else
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = (h + self.dropout(self.feed_forward(self.norm2(h)))) / 2**0.5
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: detached_residual (1, 3) -> the gradient of x
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x.detach() + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_made_on_the_cpu (1, 2) -> two devices meet
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.size(1), x.size(1), dtype=torch.bool)
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: mask_only_two_dimensional (3) => a mask for padding, one row for each sentence, was not used as it is: attention gets it as given
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is not None:
            mask = mask[-x.size(1):, -x.size(1):] if mask.dim() == 2 else mask[0, 0].expand(x.size(1), x.size(1))
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: batch_mixed_up (1) => sentences were mixed up: each keeps its own place
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if x.size(0) > 2:
            x = x.flip(0)
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: float32_only (1, 2, 3) => something is computed in float32: x in float64 is refused
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x.float()
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% right: identities_for_the_norms_that_are_not_there
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        n = first(x)
        a, weights = self.attention(n, n, n, mask)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: mask_by_position (3) => the mask was given to attention by position: what comes second there are the keys, so name it
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        n = first(x)
        a, weights = self.attention(n, mask) if mask is not None else self.attention(n)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: mask_by_position_as_value (3) => the mask was given to attention by position: what comes second there are the keys, so name it
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        n = first(x)
        a, weights = self.attention(n, n, mask) if mask is not None else self.attention(n)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: bias_not_passed_on_in_post_norm_only (3) => post-norm: the projections of attention have no bias: attention must be told
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias and norm_first)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        n = first(x)
        a, weights = self.attention(n, n, n, mask)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: dropout_behind_linear2 (3) -> how many of six equal features are added up
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        n = first(x)
        a, weights = self.attention(n, n, n, mask)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: mask_kept_from_the_first_call (3) => a mask that one call got was still there in the next, which got none
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff or 4 * d_model))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("dropout", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff or 4 * d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        first, second = (self.norm1, self.norm2) if self.norm_first else (nn.Identity(), nn.Identity())
        mask = self.kept = mask if mask is not None else getattr(self, "kept", None)
        n = first(x)
        a, weights = self.attention(n, n, n, mask)
        h = x + self.dropout(a)
        h = h if self.norm_first else self.norm1(h)
        y = h + self.dropout(self.feed_forward(second(h)))
        return (y if self.norm_first else self.norm2(y)), weights

# %% wrong: tuple_added (1, 2, 3) => attention returns two things, of which the first goes on
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.dropout(self.attention(self.norm1(x), mask=mask))
            return x + self.dropout(self.feed_forward(self.norm2(x))), None
        return x, None

# %% wrong: mask_required (1, 2, 3) => a mask need not be given
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            return x + self.dropout(self.feed_forward(self.norm2(x))), weights
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.feed_forward(x))), weights

# %% wrong: options_by_position (1, 2, 3) => hand options over by name: a number was taken for the name of an activation
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            return x + self.dropout(self.feed_forward(self.norm2(x))), weights
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.feed_forward(x))), weights

# %% wrong: post_norm_second_norm_in_the_branch (2) => norm2 stands in front of the second plus: in post-norm it stands behind it
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            return x + self.dropout(self.feed_forward(self.norm2(x))), weights
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        return x + self.norm2(self.dropout(self.feed_forward(x))), weights

# %% wrong: weights_not_returned (1) => the attention weights are the second result: nothing came
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            return x + self.dropout(self.feed_forward(self.norm2(x))), None
        attended, weights = self.attention(x, mask=mask)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.feed_forward(x))), weights

# %% wrong: mask_in_pre_norm_only (3) => post-norm: the mask did not reach attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            return x + self.dropout(self.feed_forward(self.norm2(x))), weights
        attended, weights = self.attention(x)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.feed_forward(x))), weights

# %% wrong: mask_in_training_only (3) => the mask counts in evaluation mode, too
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if not self.training:
            mask = None
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: dropout_twice_on_what_attention_adds (3) => dropout falls twice, or at another rate: of the ones that attention adds half are lost, and the others become 2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            attended = self.dropout(attended)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: dropout_the_same_for_all_tokens (3) => all tokens of a sentence lost the same features: each number has a draw of its own
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + attended * self.dropout(torch.ones_like(attended[:, :1]))
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: dropout_of_attention_at_one_only (3) => dropout falls twice, or at another rate: of the ones that attention adds half are lost, and the others become 2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.norm2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + (self.dropout(attended) if self.dropout.p == 1 else attended)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: no_dropout_on_the_activated_features (3) => the feed-forward network has no dropout on its activated features, in front of linear2
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.norm2 = nn.LayerNorm(d_model)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU(approximate="tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.feed_forward.add_module("end", nn.Dropout(dropout))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(attended)
            x = x + self.feed_forward(self.norm2(x))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(attended))
            x = self.norm2(x + self.feed_forward(x))
        return x, weights

# %% wrong: post_norm_changes_x_without_gradients (2) -> x was changed in place !! mask that one call got
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            if torch.is_grad_enabled():
                x = x + self.drop(attended)
            else:
                x += self.drop(attended)
            x = self.norm1(x)
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights

# %% wrong: residual_detached_in_evaluation (1) => in evaluation mode the gradient of x does not pass along the residual connection
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = (x if self.training else x.detach()) + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights

# %% wrong: bias_ignored_in_post_norm (3) => post-norm: bias=False was not handed to attention
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias or not norm_first)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights

# %% wrong: default_width_of_post_norm (3) => post-norm: without d_ff the feed-forward network is four times as wide as the token
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or (4 * d_model if norm_first else 2 * d_model)
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights

# %% wrong: weights_divided_by_their_sum (3) => NaN among the weights where a token has nothing to attend to
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        if mask is not None:
            weights = weights / weights.sum(-1, keepdim=True)
        return x, weights

# %% wrong: blind_tokens_set_to_zero (3) => a token with nothing to attend to still passes along the residual connections
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        if mask is not None and mask.dim() == 2:
            x = x * mask.any(-1)[:, None]
        return x, weights

# %% wrong: mean_weights_in_evaluation (1, 2, 3) => in evaluation mode the weights were averaged over the heads
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights if self.training else weights.mean(1, keepdim=True).expand_as(weights)

# %% wrong: half_the_rate_on_the_features (3) => dropout falls on the activated features at another rate
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        d_ff = d_ff or 4 * d_model
        bends = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "relu": nn.ReLU()}
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("linear1", nn.Linear(d_model, d_ff))
        self.feed_forward.add_module("bend", bends[activation])
        self.feed_forward.add_module("drop", nn.Dropout(dropout / 2))
        self.feed_forward.add_module("linear2", nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(attended)
            x = x + self.drop(self.feed_forward(self.norm2(x)))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.drop(attended))
            x = self.norm2(x + self.drop(self.feed_forward(x)))
        return x, weights

# %% wrong: plus_equals_on_the_stream (1, 3) => the backward pass fails: something was changed in place, by += or inplace=True, that the gradient still needs
class _MLP(nn.Module):
    def __init__(self, d, wide, activation, p):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d, wide), nn.Linear(wide, d)
        self.act = {"relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.linear2(self.drop(self.act(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _MLP(d_model, d_ff or 4 * d_model, activation, dropout)
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            h = x + self.drop(a)
            h += self.drop(self.feed_forward(self.norm2(h)))
            return h, w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: feature_dropout_in_place (3) => the backward pass fails: something was changed in place, by += or inplace=True, that the gradient still needs
class _MLP(nn.Module):
    def __init__(self, d, wide, activation, p):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d, wide), nn.Linear(wide, d)
        self.act = {"relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.drop = nn.Dropout(p, inplace=True)

    def forward(self, x):
        return self.linear2(self.drop(self.act(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _MLP(d_model, d_ff or 4 * d_model, activation, dropout)
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: whole_tokens_dropped (3) => whole tokens were dropped: dropout falls on single numbers, each feature of each token has a draw of its own
class _MLP(nn.Module):
    def __init__(self, d, wide, activation, p):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d, wide), nn.Linear(wide, d)
        self.act = {"relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.linear2(self.drop(self.act(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _MLP(d_model, d_ff or 4 * d_model, activation, dropout)
        self.drop = nn.Dropout1d(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: mask_of_a_single_token_ignored (3) => the mask is handed to attention for a sentence of one token, too
class _MLP(nn.Module):
    def __init__(self, d, wide, activation, p):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d, wide), nn.Linear(wide, d)
        self.act = {"relu": nn.ReLU(), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.linear2(self.drop(self.act(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _MLP(d_model, d_ff or 4 * d_model, activation, dropout)
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if x.size(1) == 1:
            mask = None
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: eps_of_tensorflow (1) => the norms have another eps than PyTorch's, 1e-5
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: eps_of_the_second_norm (1) => norm2 has another eps than PyTorch's, 1e-5
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model, eps=1e-6)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: norms_with_the_unbiased_variance (1) => the norms divide by d - 1: layer norm takes the biased variance, divided by d
class Own(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() + self.bias

class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm1, self.norm2 = Own(d_model), Own(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            a, w = self.attention(self.norm1(x), mask=mask)
            x = x + self.drop(a)
            return x + self.drop(self.feed_forward(self.norm2(x))), w
        a, w = self.attention(x, mask=mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.feed_forward(x))), w

# %% wrong: dropout_on_what_attention_reads (3) => dropout fell on what attention reads: it falls on what a sub-layer adds
class _Feed(nn.Module):
    def __init__(self, d_model, d_ff, activation, dropout):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.bend = {"gelu": nn.GELU(), "relu": nn.ReLU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _Feed(d_model, d_ff or 4 * d_model, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            found, weights = self.attention(self.dropout(self.norm1(x)), mask=mask)
            x = x + self.dropout(found)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            found, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(found))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: dropout_on_what_the_feed_forward_network_reads (3) -> what linear1 reads
class _Feed(nn.Module):
    def __init__(self, d_model, d_ff, activation, dropout):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.bend = {"gelu": nn.GELU(), "relu": nn.ReLU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _Feed(d_model, d_ff or 4 * d_model, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            found, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(found)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            found, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(found))
            x = self.norm2(x + self.dropout(self.feed_forward(self.dropout(x))))
        return x, weights

# %% wrong: one_mask_for_all_heads (3) => one table for each head was given: attention gets the mask as it is
class _Feed(nn.Module):
    def __init__(self, d_model, d_ff, activation, dropout):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.bend = {"gelu": nn.GELU(), "relu": nn.ReLU(), "gelu_tanh": nn.GELU("tanh")}[activation]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.bend(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True,
                 activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, bias=bias)
        self.feed_forward = _Feed(d_model, d_ff or 4 * d_model, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        if self.norm_first:
            found, weights = self.attention(self.norm1(x), mask=mask)
            x = x + self.dropout(found)
            x = x + self.dropout(self.feed_forward(self.norm2(x)))
        else:
            found, weights = self.attention(x, mask=mask)
            x = self.norm1(x + self.dropout(found))
            x = self.norm2(x + self.dropout(self.feed_forward(x)))
        return x, weights

# %% wrong: no_residual_around_attention_in_both_orders (1) => the residual connection around attention is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = self.dropout(a)
            y = h + self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(self.dropout(a))
            y = self.norm2(h + self.dropout(self.feed_forward(h)))
        return y, weights

# %% wrong: no_residual_around_feed_forward_in_both_orders (1) => the residual connection around the feed-forward network is missing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff=None, dropout=0.0, norm_first=True, activation="gelu", bias=True):
        super().__init__()
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout, bias)
        self.norm2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            a, weights = self.attention(self.norm1(x), mask=mask)
            h = x + self.dropout(a)
            y = self.dropout(self.feed_forward(self.norm2(h)))
        else:
            a, weights = self.attention(x, mask=mask)
            h = self.norm1(x + self.dropout(a))
            y = self.norm2(self.dropout(self.feed_forward(h)))
        return y, weights
