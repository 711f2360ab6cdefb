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

# %% wrong: no_residuals -> both residual connections are missing
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

# %% wrong: no_residual_around_attention -> around attention is missing
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

# %% wrong: no_residual_around_feed_forward -> around the feed-forward network is missing
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

# %% wrong: no_residuals_in_post_norm -> both residual connections are missing
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

# %% wrong: residual_of_the_normalised -> must carry x itself
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

# %% wrong: both_residuals_of_the_normalised -> both residual connections add normalised tokens
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

# %% wrong: second_residual_of_the_normalised -> must carry h itself
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

# %% wrong: second_residual_from_the_input -> second residual connection adds the block's input
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

# %% wrong: parallel_block -> must read what attention has added to
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

# %% wrong: one_norm_for_both -> norm1 was used in both places
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

# %% wrong: one_norm_for_both_in_post_norm -> norm1 was used in both places
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

# %% wrong: norms_exchanged -> norm1 and norm2 have changed places
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

# %% wrong: second_norm_missing -> norm in front of the feed-forward network is missing
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

# %% wrong: first_norm_missing -> norm in front of attention is missing
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

# %% wrong: always_post_norm -> this is the post-norm order
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

# %% wrong: always_pre_norm -> gave the pre-norm order
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

# %% wrong: norm_first_turned_round -> this is the post-norm order
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

# %% wrong: post_norm_by_default -> this is the post-norm order
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

# %% wrong: norms_behind_the_sublayers -> norms stand behind the sub-layers
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

# %% wrong: post_norm_of_what_is_added -> norms were applied to what is added
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

# %% wrong: post_norm_residual_before_the_norm -> carries the sum before norm1
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

# %% wrong: post_norm_without_the_last -> the last norm is missing
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

# %% wrong: post_norm_without_the_first -> norm behind attention is missing
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

# %% wrong: causal_by_default -> hid the future although no mask was given
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

# %% wrong: mask_forgotten -> the mask did not reach attention
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

# %% wrong: mask_forgotten_in_post_norm -> post-norm: the mask did not reach attention
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

# %% wrong: mask_inverted -> the mask is turned round !! did not reach attention
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

# %% wrong: mask_as_key -> the mask did not reach attention
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

# %% wrong: bias_not_handed_over -> have no bias
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

# %% wrong: bias_always -> was not handed to attention
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

# %% wrong: bias_off_by_default -> have no bias
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

# %% wrong: bias_takes_the_norms_too -> concerns the four projections alone
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

# %% wrong: bias_takes_the_linear_layers_too -> concerns the four projections alone
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

# %% wrong: d_ff_ignored -> d_ff=12 was given
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

# %% wrong: d_ff_twice_by_default -> d_ff=None and d_ff=5 must give
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

# %% wrong: activation_ignored -> did not reach the feed-forward network
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

# %% wrong: relu_by_default -> bends with ReLU
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

# %% wrong: only_x_returned -> two things
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

# %% wrong: weights_averaged_over_heads -> one table of weights per sentence and head
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

# %% wrong: wrong_order_of_results -> keeps the shape of x
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

# %% wrong: in_place -> changed in place
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

# %% wrong: in_place_plus_equals -> changed in place
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

# %% wrong: ignores_eval -> nothing in eval mode
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

# %% wrong: no_dropout_anywhere -> dropped nothing in train mode
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

# %% wrong: no_dropout_on_what_is_added -> must add nothing to the stream
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

# %% wrong: no_dropout_in_attention -> not handed to attention
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

# %% wrong: no_dropout_in_feed_forward -> feed-forward network has no dropout
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

# %% wrong: dropout_on_the_stream -> must add nothing to the stream
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

# %% wrong: dropout_by_default -> dropout is 0 by default
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

# %% wrong: extra_norm_at_the_end -> norm2 stands at the end as well
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

# %% wrong: cross_attention_to_the_unnormalised -> as queries only
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

# %% wrong: feed_forward_first -> comes first
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

# %% wrong: scaled_sum -> another result than nn.TransformerEncoderLayer
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

# %% wrong: detached_residual -> gradient
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

# %% wrong: mask_made_on_the_cpu -> on the device of its input ?? a visible check has no second device
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

# %% wrong: mask_only_two_dimensional -> padding
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

# %% wrong: batch_mixed_up -> for other sizes
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

# %% wrong: float32_only -> computed in float32 ?? its result is float64, rounded on the way: only digits show it
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

# %% wrong: mask_by_position -> by position
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

# %% wrong: mask_by_position_as_value -> by position
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

# %% wrong: bias_not_passed_on_in_post_norm_only -> have no bias
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

# %% wrong: dropout_behind_linear2 -> in front of linear2 ?? which features were dropped shows only in the mean and spread of many runs
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

# %% wrong: mask_kept_from_the_first_call -> still there in the next
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

# %% wrong: tuple_added -> attention returns two things
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

# %% wrong: mask_required -> a mask need not be given
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

# %% wrong: options_by_position -> hand options over by name
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

# %% wrong: post_norm_second_norm_in_the_branch -> norm2 stands in front of the second plus
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

# %% wrong: weights_not_returned -> and the attention weights
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

# %% wrong: mask_in_pre_norm_only -> post-norm: the mask did not reach
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

# %% wrong: mask_in_training_only -> eval mode gave other weights
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

# %% wrong: dropout_twice_on_what_attention_adds -> 0 or 2 is to be added ?? how many are dropped shows only in many numbers
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

# %% wrong: dropout_the_same_for_all_tokens -> lost the same features ?? which features were dropped shows only in many tokens
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

# %% wrong: dropout_of_attention_at_one_only -> 0 or 2 is to be added ?? the visible check drops everything, where it can be seen
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

# %% wrong: no_dropout_on_the_activated_features -> no token lost some of its ?? with dropout = 1 in all three places, two of them hide the third
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

# %% wrong: post_norm_changes_x_without_gradients -> x was changed in place !! mask that one call got
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

# %% wrong: residual_detached_in_evaluation -> in eval mode
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

# %% wrong: bias_ignored_in_post_norm -> post-norm: bias=False was not handed
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

# %% wrong: default_width_of_post_norm -> post-norm: d_ff=None
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

# %% wrong: weights_divided_by_their_sum -> NaN among the weights
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

# %% wrong: blind_tokens_set_to_zero -> It still passes along
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

# %% wrong: mean_weights_in_evaluation -> eval mode gave other weights
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

# %% wrong: half_the_rate_on_the_features -> another rate ?? how many are dropped shows only in many numbers
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

# %% wrong: plus_equals_on_the_stream -> by += or inplace=True
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

# %% wrong: feature_dropout_in_place -> fails in train mode
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

# %% wrong: whole_tokens_dropped -> dropped for whole tokens
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

# %% wrong: mask_of_a_single_token_ignored -> a sentence of a single token
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

# %% wrong: eps_of_tensorflow -> norm1 gives about what eps = 1e-06 gives
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

# %% wrong: eps_of_the_second_norm -> norm2 gives about what eps = 1e-06 gives
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

# %% wrong: norms_with_the_unbiased_variance -> the biased variance
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

# %% wrong: dropout_on_what_attention_reads -> pre-norm, dropout=1, train mode: attention reads other numbers
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

# %% wrong: dropout_on_what_the_feed_forward_network_reads -> post-norm, dropout=1, train mode: the feed-forward network reads other numbers
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

# %% wrong: one_mask_for_all_heads -> one table for each head
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
