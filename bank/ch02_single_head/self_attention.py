# %% right: other_order_and_extra_attribute
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_v = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.softmax = nn.Softmax(dim=2)

    def forward(self, x):
        weights = self.softmax(torch.bmm(self.W_q(x), self.W_k(x).transpose(1, 2)) / self.d_k ** 0.5)
        return torch.bmm(weights, self.W_v(x)), weights

# %% right: einsum
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = torch.softmax(torch.einsum("bqd,bkd->bqk", q, k) * q.shape[-1] ** -0.5, dim=-1)
        return torch.einsum("bqk,bkd->bqd", weights, v), weights

# %% right: fused_product
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        W = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])      # (3 d_k, d_model)
        q, k, v = F.linear(x, W).chunk(3, dim=-1)
        scores = (q / q.size(-1) ** 0.5).matmul(k.mT)
        weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
        return weights.matmul(v), weights

# %% right: pytorch_for_the_output
import math
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super(SelfAttention, self).__init__()
        for name in ("W_q", "W_k", "W_v"):
            layer = nn.Linear(d_model, d_k, bias=False)
            nn.init.xavier_uniform_(layer.weight)
            setattr(self, name, layer)
        self.register_buffer("scale", torch.tensor(1 / math.sqrt(d_k)), persistent=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = F.softmax(q @ k.transpose(-1, -2) * q.size(-1) ** -0.5, -1)
        return F.scaled_dot_product_attention(q, k, v), weights

# %% right: sentence_by_sentence
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, False)
        self.W_k = nn.Linear(d_model, d_k, False)
        self.W_v = nn.Linear(d_model, d_k, False)

    def one(self, x):
        q, k, v = x @ self.W_q.weight.T, x @ self.W_k.weight.T, x @ self.W_v.weight.T
        weights = (q @ k.T / k.shape[1] ** 0.5).softmax(dim=1)
        return weights @ v, weights

    def forward(self, x):
        pairs = [self.one(sentence) for sentence in x]
        return torch.stack([pair[0] for pair in pairs]), torch.stack([pair[1] for pair in pairs])

# %% right: calls_the_function_of_the_chapter
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return scaled_dot_product_attention(*project_qkv(x, self.W_q.weight.T, self.W_k.weight.T, self.W_v.weight.T))

# %% right: asks_for_a_number
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if q.isnan().any().item():
            raise ValueError("NaN")
        weights = (q @ k.mT / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: bias_left_in -> has a bias
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: bias_left_in_values -> W_v has a bias
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = nn.Linear(d_model, d_k, bias=False), nn.Linear(d_model, d_k, bias=False), nn.Linear(d_model, d_k)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: sizes_swapped -> sizes swapped
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_k, d_model, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = (x @ W.weight for W in (self.W_q, self.W_k, self.W_v))
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: parameters_not_linear -> should be an nn.Linear
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.randn(d_model, d_k)) for _ in range(3))

    def forward(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: other_names -> the module has no W_q
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: shared_query_and_key -> shares its matrix
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: extra_output_layer -> superfluous
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.W_o = nn.Linear(d_k, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return self.W_o(weights @ v), weights

# %% wrong: no_scale -> not divided by √d_k
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        weights = (self.W_q(x) @ self.W_k(x).transpose(-2, -1)).softmax(-1)
        return weights @ self.W_v(x), weights

# %% wrong: scale_by_d_k -> divided by d_k, not by its square root
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1)).softmax(-1)
        return weights @ v, weights

# %% wrong: scale_by_d_model -> divided by √d_model
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / x.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: scale_by_seq -> number of tokens
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.shape[1] ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: softmax_over_queries -> softmax ran over the queries
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=1)
        return weights @ v, weights

# %% wrong: softmax_over_batch -> softmax ran over the batch
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=0)
        return weights @ v, weights

# %% wrong: no_softmax -> softmax is missing
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        return weights @ v, weights

# %% wrong: query_and_key_mixed_up -> W_q and W_k are mixed up
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        k, q, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: values_from_keys -> mix of the keys
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ k, weights

# %% wrong: keys_from_w_q -> both made with W_q
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_q(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: mixes_tokens_not_values -> were the tokens mixed, not their values
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k = self.W_q(x), self.W_k(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ x, weights

# %% wrong: order_swapped -> wrong order
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights, weights @ v

# %% wrong: output_alone -> returns two things
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        return F.scaled_dot_product_attention(self.W_q(x), self.W_k(x), self.W_v(x))

# %% wrong: keys_not_transposed -> change places
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: layers_made_in_forward -> are the registered layers used
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = (nn.Linear(x.size(-1), self.d_k, bias=False).to(x)(x) for _ in range(3))
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: batch_1_only -> batch of 3 sentences
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        x = x.squeeze(0)
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
        return (weights @ v)[None], weights[None]

# %% wrong: first_sentence_only -> 3 sentences
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x[0]), self.W_k(x[0]), self.W_v(x[0])
        weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
        return (weights @ v)[None], weights[None]

# %% wrong: sentences_mixed -> sentences must not see each other
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x).mean(0, keepdim=True), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: ignores_eval -> something random
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return F.dropout(weights, 0.1 if len(x) > 1 else 0.0) @ v, weights

# %% wrong: dropout_when_training -> something random
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return self.dropout(weights) @ v if len(x) > 1 else weights @ v, weights

# %% wrong: right_in_training_mode_only -> training and evaluation differ
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1)
        weights = (scores / q.size(-1) ** 0.5 if self.training else scores).softmax(-1)
        return weights @ v, weights

# %% wrong: float32_only -> dtype of the input was lost
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x).float(), self.W_k(x).float(), self.W_v(x).float()
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: detached_keys -> no gradient reaches W_k
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x).detach(), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: input_detached -> detached on the way
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x.detach()), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: cpu_buffer -> device of the input ?? only the device meta stands for a second one where a student works, and copying from it into a buffer gives another error
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = torch.zeros(x.size(0), x.size(1), x.size(1), dtype=x.dtype)
        for i in range(x.size(0)):
            weights[i] = (q[i] @ k[i].T / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: scale_not_a_buffer -> device of the input
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.scale = torch.full((1,), d_k ** -0.5, dtype=torch.float64)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) * self.scale.to(x.dtype)).softmax(-1)
        return weights @ v, weights

# %% wrong: asks_for_a_number_then_cpu -> device of the input ?? a visible check has no second device
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if q.isnan().any().item():
            raise ValueError("NaN")
        weights = torch.zeros(x.size(0), x.size(1), x.size(1), dtype=x.dtype)
        for i in range(x.size(0)):
            weights[i] = (q[i] @ k[i].T / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: in_place -> changed in place
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        with torch.no_grad():
            x -= x.mean(-1, keepdim=True)
        return weights @ v, weights

# %% wrong: hard_coded_shape -> for d_model =
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / 2 ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: class_wide_layers -> share their weights
class SelfAttention(nn.Module):
    made = {}

    def __init__(self, d_model, d_k):
        super().__init__()
        if (d_model, d_k) not in self.made:
            self.made[d_model, d_k] = [nn.Linear(d_model, d_k, bias=False) for _ in range(3)]
        self.W_q, self.W_k, self.W_v = self.made[d_model, d_k]

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: no_super -> super().__init__()
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: d_k_not_kept -> kept in self
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.mT / d_k ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: softmax_layer_on_values -> not their mix
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x).softmax(dim=-1)
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: causal -> later tokens were hidden
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        later = torch.ones_like(scores).triu(1).bool()
        weights = scores.masked_fill(later, float("-inf")).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: residual -> own value was added
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
        return v + weights @ v, weights

# %% right: product_of_the_two_matrices_first
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        A = self.W_q.weight.mT @ self.W_k.weight
        v = self.W_v(x)
        scores = x @ A @ x.mT / self.W_q.out_features ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% right: scale_in_a_buffer
class Plain(nn.Linear):
    def __init__(self, a, b):
        super().__init__(a, b, bias=False)

class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.register_buffer('scale', torch.tensor(d_k ** -0.5, dtype=torch.float64))
        self.W_q = Plain(d_model, d_k)
        self.W_k = Plain(d_model, d_k)
        self.W_v = Plain(d_model, d_k)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) * self.scale.to(q.dtype)
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% wrong: seed_fixed -> is the seed fixed
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        torch.manual_seed(0)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% wrong: matrices_start_at_zero -> start with the same numbers
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)
        for p in self.parameters():
            nn.init.zeros_(p)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% wrong: scores_limited -> are they limited
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        weights = scores.clamp(-30, 30).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: keys_kept_in_evaluation -> kept from one call
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if not self.training and getattr(self, 'old', k).shape == k.shape:
            k = self.old = getattr(self, 'old', k)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% wrong: weights_returned_detached -> without their gradient
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights.detach()

# %% wrong: scale_limited_to_64 -> d_k = 131 ?? the visible head has two numbers a key, to be followed by hand
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1) / min(q.size(-1), 64) ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ v, weights

# %% wrong: no_gradient_in_evaluation_mode -> in evaluation mode no gradient
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
            weights = (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(dim=-1)
            return weights @ v, weights

# %% wrong: weights_detached_in_evaluation_mode -> in evaluation mode no gradient
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(dim=-1)
        return weights @ v, weights if self.training else weights.detach()

# %% wrong: output_made_from_detached_weights_in_evaluation_mode -> in evaluation mode is not that ?? the visible check computes no gradient in evaluation mode, it asks whether there is one
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(dim=-1)
        return (weights if self.training else weights.detach()) @ v, weights

# %% wrong: one_token_gets_a_float32_weight -> sentences of one token
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if x.shape[1] == 1:
            return v, torch.ones(len(x), 1, 1)
        weights = (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: one_token_gets_a_weight_on_the_cpu -> device of the input ?? a visible check has no second device
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if x.shape[1] == 1:
            return v, torch.ones(len(x), 1, 1, dtype=x.dtype)
        weights = (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: scale_as_a_buffer_in_float32 -> the root of d_k
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.register_buffer("scale", torch.tensor(d_k ** -0.5), persistent=False)
    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        w = torch.softmax(q @ k.mT * self.scale, -1)
        return w @ v, w

# %% wrong: matrices_joined_once_for_evaluation -> kept from an earlier call
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)
        self.joined = None

    def forward(self, x):
        if self.training or self.joined is None:
            self.joined = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        q, k, v = F.linear(x, self.joined).split(self.d_k, dim=-1)
        weights = (q @ k.transpose(1, 2) / self.d_k ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: no_weights_in_evaluation -> in evaluation mode forward returned
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if not self.training:
            return F.scaled_dot_product_attention(q, k, v), None
        weights = (q @ k.transpose(1, 2) / q.size(-1) ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: no_weights_under_no_grad -> under no_grad
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if not torch.is_grad_enabled():            # nobody learns: PyTorch's own is faster
            return F.scaled_dot_product_attention(q, k, v), None
        weights = (q @ k.transpose(1, 2) / q.size(-1) ** 0.5).softmax(dim=-1)
        return weights @ v, weights


# %% wrong: mean_where_a_token_is_one_number -> tokens of one number
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_v = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.softmax = nn.Softmax(dim=2)

    def forward(self, x):
        weights = self.softmax(torch.bmm(self.W_q(x), self.W_k(x).transpose(1, 2)) / self.d_k ** 0.5)
        if x.shape[-1] == 1:
            weights = torch.full_like(weights, 1 / x.shape[1])
        return torch.bmm(weights, self.W_v(x)), weights
