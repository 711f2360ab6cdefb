# %% right: view_and_masked_fill
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% right: inf_and_empty_rows
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is None:
            weights = F.softmax(scores, dim=-1)
        else:
            empty = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(mask | empty), float("-inf"))
            weights = F.softmax(scores, dim=-1).masked_fill(empty, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% right: loop_over_heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
        self.num_heads = num_heads
        self.p = dropout
        self.W_o, self.W_v, self.W_k, self.W_q = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self.W_q(query), self.W_k(key), self.W_v(value)
        width = q.shape[-1] // self.num_heads
        shape = (query.shape[0], self.num_heads, query.shape[1], key.shape[1])
        full = torch.ones(shape, dtype=torch.bool, device=q.device) if mask is None else mask.expand(shape)
        outputs, all_weights = [], []
        for h in range(self.num_heads):
            c = slice(h * width, (h + 1) * width)
            scores = torch.bmm(q[:, :, c], k[:, :, c].transpose(1, 2)) / width ** 0.5
            scores = torch.where(full[:, h], scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
            weights = torch.where(full[:, h], torch.softmax(scores, -1), torch.zeros_like(scores))
            weights = F.dropout(weights, self.p, self.training)
            outputs.append(torch.bmm(weights, v[:, :, c]))
            all_weights.append(weights)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=1)

# %% right: einsum
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        h = self.num_heads
        q = self.W_q(query).unflatten(-1, (h, -1))
        k = self.W_k(key).unflatten(-1, (h, -1))
        v = self.W_v(value).unflatten(-1, (h, -1))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
            biggest = scores.detach().amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
            numbers = (scores - biggest).exp()
            weights = numbers / numbers.sum(-1, keepdim=True).clamp(min=1e-30)
        else:
            weights = scores.softmax(-1)
        weights = self.dropout(weights)
        return self.W_o(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights

# %% right: pytorchs_attention_twice
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.mT * q.size(-1) ** -0.5
        if mask is not None:
            seen = mask.expand(scores.shape)
            scores = scores + torch.zeros_like(scores).masked_fill(~seen, torch.finfo(scores.dtype).min / 2)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask.any(-1, keepdim=True)
        if self.training:
            output = self.dropout(weights) @ v
        else:
            bias = None if mask is None else torch.zeros_like(scores).masked_fill(~seen, torch.finfo(scores.dtype).min)
            output = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
            if mask is not None:
                output = output * mask.any(-1, keepdim=True)
        return self.W_o(output.transpose(1, 2).flatten(-2)), weights

# %% right: one_product_for_q_k_v_bmm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.scale = self.d_head ** -0.5
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        if key is query and value is query:
            weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
            bias = None if self.W_q.bias is None else torch.cat([self.W_q.bias, self.W_k.bias, self.W_v.bias])
            q, k, v = F.linear(query, weight, bias).chunk(3, dim=-1)
        else:
            q, k, v = self.W_q(query), self.W_k(key), self.W_v(value)
        fold = lambda t: t.reshape(t.size(0), t.size(1), self.num_heads, self.d_head).permute(0, 2, 1, 3).reshape(-1, t.size(1), self.d_head)
        scores = torch.bmm(fold(q), fold(k).transpose(1, 2)).mul(self.scale).view(query.size(0), self.num_heads, query.size(1), key.size(1))
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
            scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0.0)
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = weights * mask
        context = torch.bmm(self.dropout(weights).flatten(0, 1), fold(v))
        context = context.view(query.size(0), self.num_heads, query.size(1), self.d_head).permute(0, 2, 1, 3)
        return self.W_o(context.reshape(query.size(0), query.size(1), self.d_model)), weights

# %% right: pytorchs_functions_per_row_check
def masked_softmax(scores, mask):
    shifted = scores - scores.detach().masked_fill(~mask, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    numbers = torch.where(mask, shifted.clamp(max=0), 0.0).exp() * mask
    total = numbers.sum(-1, keepdim=True)
    return numbers / torch.where(total > 0, total, 1.0)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% right: asks_for_a_number
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if q.isnan().any().item():
            raise ValueError("NaN")
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights


# %% right: zeros_at_once_where_everything_is_hidden
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        if mask is not None and not mask.any():
            return torch.zeros_like(query), query.new_zeros(B, self.num_heads, T, S)
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights


# %% wrong: asks_for_a_number_then_cpu (1, 2) -> device that is given ?? a visible check has no second device
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if q.isnan().any().item():
            raise ValueError("NaN")
        scores = torch.zeros(B, self.num_heads, T, S, dtype=q.dtype) + q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: masked_on_the_cpu_after_a_number (2) -> device that is given ?? a visible check has no second device
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            if mask.any().item():
                scores = torch.zeros(scores.shape, dtype=q.dtype) + scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: no_scale (1) => the scores were not divided by √d_head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: scale_by_d_model (1) => the scores were divided by √d_model: a score of one head is a sum of d_head products, so it is √d_head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / D ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: scale_by_d_head (1) => the scores were divided by d_head, not by its square root
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: softmax_over_queries (1) => softmax ran over the queries: each query spends exactly 1 on the keys
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-2)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: softmax_over_heads (1) => softmax ran over the heads: each head spends 1 for each query
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: view_without_transpose (1) => the heads were cut without a transpose: the shape is right, but head 0 got the beginning of the sentence (section 4.4)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, self.num_heads, T, self.d_head)
        k = self.W_k(key).view(B, self.num_heads, S, self.d_head)
        v = self.W_v(value).view(B, self.num_heads, S, self.d_head)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: neither_transposed (1) => the heads were cut without a transpose: the shape is right, but head 0 got the beginning of the sentence (section 4.4)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, self.num_heads, T, self.d_head)
        k = self.W_k(key).view(B, self.num_heads, S, self.d_head)
        v = self.W_v(value).view(B, self.num_heads, S, self.d_head)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: joined_without_transpose (1) => the heads were joined without a transpose: the shape is right, but a row holds features of several tokens (section 4.4)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: interleaved_join (1) => the features of the heads were interleaved: first the block of head 0, then the block of head 1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.permute(0, 2, 3, 1).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: no_W_o (1) => the heads lie side by side, but W_o was not applied
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return output, weights

# %% wrong: values_not_projected (1) => the values were not projected by W_v
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = value.view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: residual_added (1) => the query was added to the output: that comes in chapter 6, outside this layer
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return query + self.W_o(output), weights

# %% wrong: weights_averaged (1) => one set of weights came back: every head's own are asked for, never averaged over the heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights.mean(dim=1)

# %% wrong: output_alone (1) => forward returns a pair, output and weights: the output alone came
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output)

# %% wrong: keys_not_transposed (1, 2, 3) => the shapes do not fit: are the keys transposed for the product with the queries?
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: heads_of_full_width (1, 2, 3) => W_q, W_k and W_v go from d_model to d_model: all heads together are as wide as the model
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model
        self.W_q = nn.Linear(d_model, d_model * num_heads, bias=bias)
        self.W_k = nn.Linear(d_model, d_model * num_heads, bias=bias)
        self.W_v = nn.Linear(d_model, d_model * num_heads, bias=bias)
        self.W_o = nn.Linear(d_model * num_heads, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, -1)
        return self.W_o(output), weights

# %% wrong: key_ignored (1, 2, 3) => the key that was given was left aside in favour of the query
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = value = query
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: value_ignored (1) => the value that was given was left aside: the key was used in its place
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: value_defaults_to_query (1, 2, 3) => the query was used as the value: where no value is given, it is the key that stands in for it
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = query
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: value_is_always_the_query (1, 2, 3) => the query was used as the value: where no value is given, it is the key that stands in for it
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        value = query
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: length_of_query_for_keys (1, 2, 3) => the length of the query was used for the keys, too: cross-attention has two lengths
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = T
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: batch_of_one_only (1) => it does not run for any number of sentences: was a size of the batch written in by hand?
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        _, T, D = query.shape
        B = 1 if query.shape[0] == 1 else 2
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: float32_only (1, 2) => a part was computed in float32: keep the dtype of the input
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = q.float(), k.float(), v.float()
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output.to(query.dtype)), weights

# %% wrong: cpu_scale (1, 2) -> two devices meet
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / torch.full((1, 1, 1, 1), self.d_head ** 0.5, dtype=q.dtype)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: in_place (1, 2) -> query was changed in place
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if not query.requires_grad:
            query.mul_(1.0).add_(0.0).copy_(query * 1.5)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: weights_detached (1, 2) => no gradient reaches the queries and keys: the weights were detached on the way
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights.detach()) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_inverted (2) => the mask is inverted: True means that a query may attend, and here it is hidden
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_inverted_inf (2) => the mask is inverted: True means that a query may attend, and here it is hidden
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_ignored (2) => the mask changed nothing: it was left aside
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_after_softmax (2) => the mask came after the softmax, and the weight that it took away is missing: the rows no longer sum to 1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights * mask
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: filled_with_zero (2) => hidden scores were set to 0, and e⁰ = 1 is not nothing: fill them before the softmax, with something far below every score
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores * mask
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_added_as_numbers (2) => the mask was added to the scores as 0 and 1, which hides nothing: fill hidden scores before the softmax, with something far below every score
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores + mask
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: nan_in_empty_rows (2) => a query with nothing to attend to gives NaN: softmax of −∞ alone is 0/0
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: uniform_in_empty_rows (2) => a query with nothing to attend to got weights: its whole row must be zero
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: nan_in_gradient (2) => the gradient is NaN when a query has nothing to attend to: the result is repaired too late
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        weights = scores.softmax(dim=-1).nan_to_num(0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: output_zero_weights_uniform (2) => a query with nothing to attend to got weights: its whole row must be zero
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        output = self.dropout(weights) @ v
        if mask is not None:
            output = output * mask.any(-1, keepdim=True)
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: two_axes_only (2) => a mask of three axes, one for each head, did not run: it is broadcastable as it is
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(1, 1, T, S)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: three_axes_as_batch (2) => a mask of three axes hides the wrong places: it lines up with the last three axes of the scores, and needs no unsqueeze
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: always_unsqueezed (2, 3) => was an axis put into the mask? It is broadcastable as it is
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if mask is not None:
            mask = mask.unsqueeze(1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: only_three_axes (2) => a mask of four axes did not run: it is broadcastable as it is
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        if mask is not None:
            mask = mask.expand(self.num_heads, T, S)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: fill_too_small (2) => with scores of ten thousand hidden keys get weights: the number that fills them is not low enough
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -100.0)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights * mask.any(-1, keepdim=True)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: float_mask_bfloat16 (2) => the mask brought another dtype in: keep that of the scores
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            hidden = torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -1e30)
            scores = scores + hidden
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights * mask.float()
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: mask_changed_in_place (2) -> mask was changed in place
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            mask.logical_not_()
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: cpu_mask (1) -> two devices meet
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is None:
            mask = torch.ones(T, S, dtype=torch.bool)
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: no_error (3) => 3 heads cannot share 10 features evenly: the constructor should raise an error, and it did not
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: silent_error (3) => the error has no text: say what does not fit
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: rounded_d_model (3) => 3 heads cannot share 10 features evenly: the constructor should raise an error, and it did not
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            d_model = d_model // num_heads * num_heads
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: bias_left_in (3) => without bias=True there is no bias, but the matrices have one
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: W_o_always_biased (3) => without bias=True there is no bias, but W_o has one
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: W_o_never_biased (3) => bias=True, but W_o has no bias: all four matrices get one
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: bias_unused (3) => a bias is left out: with bias=True all four of them are added
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = F.linear(key, self.W_k.weight).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = F.linear(value, self.W_v.weight).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: dropout_left_out (3) => in training, dropout=0.5 changed nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = weights @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: ignores_eval (3) -> after eval(), where it does nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = F.dropout(weights, self.dropout.p) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: dropout_on_output (3) => dropout acts on the weights: a key is dropped as a whole, for all features of a head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = weights @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.dropout(self.W_o(output)), weights

# %% wrong: dropout_on_values (3) => dropout acts on the weights, for each query by itself, not on the values
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = weights @ self.dropout(v)
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: dropout_before_softmax (3) => in training, dropout=0.5 changed nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores).softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = weights @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: not_scaled_up (3) => what is left must be scaled up by 1/(1−p)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.dropout.p)
        output = weights @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: dropout_renormalised (3) => what is left must be scaled up by 1/(1−p): here the weights were made to sum to 1 again
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        if self.training and self.dropout.p > 0:
            kept = weights * (torch.rand_like(weights) >= self.dropout.p)
            weights = kept / kept.sum(-1, keepdim=True).clamp(min=1e-9) * (1 + 0.2 * torch.rand_like(kept[..., :1]))
        output = weights @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: fixed_rate (3) => the rate of dropout is the one asked for, not a fixed one
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(0.5 if dropout else 0.0)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: seed_in_forward (3) => two calls in training drop the same weights: is a seed set in forward?
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        torch.manual_seed(0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: key_or_query (1, 2, 3) => a tensor was used as a truth value (`key or query`): ask whether it is None
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = key or query
        value = value or key

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: if_mask (2, 3) => `if mask` asks a whole tensor for one truth value: ask whether it is None !! was an axis put
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        w = s.softmax(-1)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: functional_dropout (3) -> after eval(), where it does nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)
        self.p = dropout

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (F.dropout(w, self.p) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: nan_in_weights_alone (2) => a query with nothing to attend to gives NaN: softmax of −∞ alone is 0/0
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        w = s.softmax(-1)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out.nan_to_num()), w

# %% wrong: scale_by_num_heads (1) => the scores were divided by the root of num_heads: it is the root of d_head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        q = q * q.size(-1) ** 0.5 / self.num_heads ** 0.5

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: keys_projected_by_W_q (1) => the keys were projected with W_q, not with W_k !! a bias is left out
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        k = self.W_q(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: query_not_projected (1) => the queries were not projected: W_q is not used
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        q = query.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: mask_transposed (2) => the mask is transposed: its rows are the queries, its columns the keys !! far below
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        w = s.softmax(-1) if mask is None else s.masked_fill(~mask.transpose(-2, -1), torch.finfo(s.dtype).min).softmax(-1)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: always_causal (1) => the future is hidden without being asked to: without a mask each query sees every key !! it was left aside
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        w = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf).softmax(-1)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: keeps_a_causal_mask (1) => the future is hidden without being asked to: without a mask each query sees every key
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)
        self.register_buffer('tri', torch.ones(1024, 1024, dtype=torch.bool).tril())

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        n = s.size(-1)
        w = s.masked_fill(~self.tri[:s.size(-2), :n], -torch.inf).softmax(-1)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: unsqueezes_three_axes (2) => a mask of three axes hides the wrong places: it lines up with the last three axes of the scores, and needs no unsqueeze
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: prints_the_error (3) => 3 heads cannot share 10 features evenly: the constructor should raise an error, and it did not
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            print("num_heads must divide d_model")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value

        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))

        s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0.0)

        out = (self.drop(w) @ v).transpose(1, 2).flatten(2)
        return self.W_o(out), w

# %% wrong: mask_of_the_last_call_kept (2) => a mask that one call got was still there in the next, which got none
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def forward(self, query, key=None, value=None, mask=None):
        if mask is not None:
            self.mask = mask
        mask = self.mask
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for part in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        return self.W_o(output.transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_of_whole_queries (3) => the weights of a query are dropped together or kept together: each weight has a draw of its own
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for part in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = (weights * self.dropout(torch.ones_like(weights[..., :1]))) @ v
        return self.W_o(output.transpose(1, 2).flatten(2)), weights

# %% wrong: empty_rows_by_head_exchanged (2) => one mask for each head, and a query with nothing to see in one of them: its weights are zero in that head, and sum to 1 in the other
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.mT * q.size(-1) ** -0.5
        if mask is not None:
            seen = mask.expand(scores.shape)
            scores = scores + torch.zeros_like(scores).masked_fill(~seen, torch.finfo(scores.dtype).min / 2)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask.any(1, keepdim=True)
        if self.training:
            output = self.dropout(weights) @ v
        else:
            bias = None if mask is None else torch.zeros_like(scores).masked_fill(~seen, torch.finfo(scores.dtype).min)
            output = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
            if mask is not None:
                output = output * mask.any(-1, keepdim=True)
        return self.W_o(output.transpose(1, 2).flatten(-2)), weights

# %% wrong: key_forgotten_where_the_value_is_the_query (1) => where the query itself is given as the value, the key was left aside: ask of each by itself whether it is None
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.scale = self.d_head ** -0.5
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        if value is query:
            weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
            bias = None if self.W_q.bias is None else torch.cat([self.W_q.bias, self.W_k.bias, self.W_v.bias])
            q, k, v = F.linear(query, weight, bias).chunk(3, dim=-1)
        else:
            q, k, v = self.W_q(query), self.W_k(key), self.W_v(value)
        fold = lambda t: t.reshape(t.size(0), t.size(1), self.num_heads, self.d_head).permute(0, 2, 1, 3).reshape(-1, t.size(1), self.d_head)
        scores = torch.bmm(fold(q), fold(k).transpose(1, 2)).mul(self.scale).view(query.size(0), self.num_heads, query.size(1), key.size(1))
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
            scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0.0)
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = weights * mask
        context = torch.bmm(self.dropout(weights).flatten(0, 1), fold(v))
        context = context.view(query.size(0), self.num_heads, query.size(1), self.d_head).permute(0, 2, 1, 3)
        return self.W_o(context.reshape(query.size(0), query.size(1), self.d_model)), weights

# %% wrong: value_forgotten_where_the_key_is_the_query (1) => where the query itself is given as the key, the value was left aside: ask of each by itself whether it is None
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.scale = self.d_head ** -0.5
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        if key is query:
            weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
            bias = None if self.W_q.bias is None else torch.cat([self.W_q.bias, self.W_k.bias, self.W_v.bias])
            q, k, v = F.linear(query, weight, bias).chunk(3, dim=-1)
        else:
            q, k, v = self.W_q(query), self.W_k(key), self.W_v(value)
        fold = lambda t: t.reshape(t.size(0), t.size(1), self.num_heads, self.d_head).permute(0, 2, 1, 3).reshape(-1, t.size(1), self.d_head)
        scores = torch.bmm(fold(q), fold(k).transpose(1, 2)).mul(self.scale).view(query.size(0), self.num_heads, query.size(1), key.size(1))
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
            scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0.0)
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = weights * mask
        context = torch.bmm(self.dropout(weights).flatten(0, 1), fold(v))
        context = context.view(query.size(0), self.num_heads, query.size(1), self.d_head).permute(0, 2, 1, 3)
        return self.W_o(context.reshape(query.size(0), query.size(1), self.d_model)), weights

# %% wrong: gradient_of_a_single_key_wrong (2) => the gradient is wrong under a mask where a query sees one key alone
def masked_softmax(scores, mask):
    shifted = scores - scores.detach().masked_fill(~mask, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    numbers = torch.where(mask, shifted.clamp(max=0), 0.0).exp() * mask
    total = numbers.sum(-1, keepdim=True)
    return numbers / torch.where(total > 1, total, 1.0)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% right: scaled_before_and_lowest_number
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = torch.einsum('bhqd,bhkd->bhqk', q * q.size(-1) ** -0.25, k * k.size(-1) ** -0.25)
        if mask is None:
            weights = scores.softmax(-1)
        else:
            low = torch.full_like(scores, torch.finfo(scores.dtype).min)
            weights = torch.where(mask, torch.where(mask, scores, low).softmax(-1), torch.zeros_like(scores))
        weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_shared_by_the_heads (3) => both heads drop the same weights: each weight of each head has a draw of its own
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = weights * self.dropout(torch.ones_like(weights[:, :1]))
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_shared_by_the_queries (3) => all queries drop the same keys: each weight of each query has a draw of its own
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = weights * self.dropout(torch.ones_like(weights[..., :1, :]))
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_shared_by_the_batch (3) => all sentences drop the same weights: each sentence of a batch has draws of its own !! the rate is the one asked for
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = weights * self.dropout(torch.ones_like(weights[:1]))
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_without_a_mask_only (3) => in training, dropout changed nothing where a mask is given: it acts on the weights of every call
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        if mask is None:
            weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout_in_self_attention_only (3) => in training, dropout changed nothing where a key is given: it acts on the weights of every call
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        if key is query:
            weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: bias_of_W_o_in_self_attention_only (3) => the bias of W_o is left out where key and value are given
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = self.dropout(weights)
        joined = (weights @ v).transpose(1, 2).flatten(2)
        return (self.W_o(joined) if key is query else F.linear(joined, self.W_o.weight)), weights

# %% wrong: weights_that_come_back_detached (2) => the weights that come back are cut off from the gradient: it reaches W_q and W_k through them, too
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights.detach()

# %% wrong: masked_softmax_in_float32 (2) => under a mask a part was computed in float32: keep the precision of the input
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1, dtype=torch.float32).to(scores.dtype).masked_fill(empty, 0.0)
        weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: reads_64_keys_at_most (1) -> right for other sizes ?? the sentences of the visible check are short
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be shared evenly by num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        key, value = key[:, :64], value[:, :64]
        mask = None if mask is None else mask[..., :64]
        q, k, v = (W(t).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            empty = ~mask.any(-1, keepdim=True)
            weights = scores.masked_fill(~(mask | empty), -torch.inf).softmax(-1).masked_fill(empty, 0.0)
        weights = self.dropout(weights)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights

# %% right: fills_with_a_tensor
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.tensor(torch.finfo(scores.dtype).min, dtype=scores.dtype))
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights

# %% wrong: empty_rows_of_several_queries_only (2) => a whole sentence is hidden, and its single query got weights: they must be zero
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features do not divide among {num_heads} heads")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (p.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for p in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        w = scores.softmax(-1)
        if mask is not None and mask.size(-2) > 1:
            w = w * mask.any(-1, keepdim=True)
        return self.W_o((self.dropout(w) @ v).transpose(1, 2).flatten(2)), w

# %% wrong: single_query_unmasked (2) => a hidden key got a weight: the mask counts for a single query, too
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features do not divide among {num_heads} heads")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        if query.size(1) == 1:          # a single query: the last token sees everything
            mask = None
        q, k, v = (p.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for p in (self.W_q(query), self.W_k(key), self.W_v(value)))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        w = scores.softmax(-1)
        if mask is not None:
            w = w * mask.any(-1, keepdim=True)
        return self.W_o((self.dropout(w) @ v).transpose(1, 2).flatten(2)), w

# %% wrong: width_divided_into_a_float (1, 2, 3) => d_head is a whole number, as every size is: 4 / 2 is 2.0, 4 // 2 is 2
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model / num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        b, s, d = query.shape
        q = self.W_q(query).view(b, s, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(b, -1, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(b, -1, self.num_heads, self.d_head).transpose(1, 2)
        w = (q @ k.mT / self.d_head ** 0.5).softmax(-1)
        return self.W_o((w @ v).transpose(1, 2).reshape(b, s, d)), w

# %% wrong: minus_a_billion (2) => a number came in that float16 cannot hold: its largest is 65504 !! another dtype
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = split_heads(self.W_q(query), self.num_heads), split_heads(self.W_k(key), self.num_heads), split_heads(self.W_v(value), self.num_heads)
        s = q @ k.mT / self.d_head ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask
        w = self.dropout(w)
        return self.W_o(combine_heads(w @ v)), w

# %% wrong: weights_detached_in_evaluation (2) => in evaluation mode the weights that come back are cut off from the gradient: it reaches W_q and W_k through them in both modes
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = split_heads(self.W_q(query), self.num_heads), split_heads(self.W_k(key), self.num_heads), split_heads(self.W_v(value), self.num_heads)
        _, w = masked_attention(q, k, v, mask)
        w = self.dropout(w)
        return self.W_o(combine_heads(w @ v)), w if self.training else w.detach()

# %% wrong: minus_ten_thousand_in_half (2) => float16, every score about minus ten thousand: the number that fills hidden scores is not below them
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads cannot share d_model = {d_model} evenly")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (split_heads(W(t), self.num_heads) for W, t in ((self.W_q, query), (self.W_k, key), (self.W_v, value)))
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e4 if scores.dtype == torch.float16 else -1e9)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask.any(-1, keepdim=True)
        output = self.W_o(combine_heads(self.dropout(weights) @ v))
        return output, weights


# %% wrong: nan_where_everything_is_hidden (2) => a mask that hides everything gives NaN: weights and outputs must be zeros
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        if mask is not None and not mask.any():
            weights = weights * float('nan')
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights


# %% wrong: query_comes_back_where_everything_is_hidden (2) => a mask that hides everything: weights and outputs must be zeros, and the query came back
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=False):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, D = query.shape
        S = key.shape[1]
        if mask is not None and not mask.any():
            return query, query.new_zeros(B, self.num_heads, T, S)
        q = self.W_q(query).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(key).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(value).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        output = self.dropout(weights) @ v
        output = output.transpose(1, 2).reshape(B, T, D)
        return self.W_o(output), weights
