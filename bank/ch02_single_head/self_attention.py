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

# %% wrong: bias_left_in (1) => W_q, W_k and W_v have a bias: q, k and v are x W and nothing else
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: bias_left_in_values (1) => W_v has a bias: v is x W and nothing else
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = nn.Linear(d_model, d_k, bias=False), nn.Linear(d_model, d_k, bias=False), nn.Linear(d_model, d_k)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: sizes_swapped (1, 2, 3) => the sizes are swapped: nn.Linear takes (in, out) and stores (out, in)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_k, d_model, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = (x @ W.weight for W in (self.W_q, self.W_k, self.W_v))
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: parameters_not_linear (1, 2, 3) => W_q should be an nn.Linear, and it is a parameter
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.randn(d_model, d_k)) for _ in range(3))

    def forward(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: other_names (1, 2, 3) => the module has no W_q: its layers have other names
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: shared_query_and_key (1) => W_q shares its matrix with another layer: each part needs its own, or attention is a mirror again
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q = self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: extra_output_layer (1) => a fourth layer is superfluous: there are three matrices to learn
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.W_o = nn.Linear(d_k, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return self.W_o(weights @ v), weights

# %% wrong: no_scale (2) => the scores were not divided by √d_k
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        weights = (self.W_q(x) @ self.W_k(x).transpose(-2, -1)).softmax(-1)
        return weights @ self.W_v(x), weights

# %% wrong: scale_by_d_k (2) => the scores were divided by d_k, not by its square root
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1)).softmax(-1)
        return weights @ v, weights

# %% wrong: scale_by_d_model (2) => the scores were divided by √d_model, but a score is a sum of d_k products
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / x.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: scale_by_seq (2) => the scores were divided by the root of the number of tokens, not of d_k
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.shape[1] ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: softmax_over_queries (2) => softmax ran over the queries: each query's weights must sum to 1
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=1)
        return weights @ v, weights

# %% wrong: softmax_over_batch (2) => softmax ran over the batch: each query's weights must sum to 1
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=0)
        return weights @ v, weights

# %% wrong: no_softmax (2) => the scores came back in place of the weights: the softmax is missing
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        return weights @ v, weights

# %% wrong: query_and_key_mixed_up (2) => the keys asked and the queries answered: W_q and W_k are mixed up
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        k, q, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: values_from_keys (2) => the output is a mix of the keys: the values are made with W_v
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ k, weights

# %% wrong: keys_from_w_q (2) => queries and keys were both made with W_q
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_q(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: mixes_tokens_not_values (2) => were the tokens mixed, not their values? The output should be (batch, seq, d_k)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k = self.W_q(x), self.W_k(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ x, weights

# %% wrong: order_swapped (2) => output and weights are returned in the wrong order
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights, weights @ v

# %% wrong: output_alone (2) => forward returns two things, in this order: output, weights
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        return F.scaled_dot_product_attention(self.W_q(x), self.W_k(x), self.W_v(x))

# %% wrong: keys_not_transposed (2, 3) => scores do not come out: which two axes of the keys change places?
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: layers_made_in_forward (2, 3) -> should be
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = (nn.Linear(x.size(-1), self.d_k, bias=False).to(x)(x) for _ in range(3))
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: batch_1_only (3) => it does not run with a batch of 3 sentences: which two axes of the keys change places, whatever stands in front?
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        x = x.squeeze(0)
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
        return (weights @ v)[None], weights[None]

# %% wrong: first_sentence_only (3) => the first sentence alone was looked at: 3 sentences go in, 3 come out
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x[0]), self.W_k(x[0]), self.W_v(x[0])
        weights = (q @ k.T / q.size(-1) ** 0.5).softmax(-1)
        return (weights @ v)[None], weights[None]

# %% wrong: sentences_mixed (3) => sentences must not see each other: softmax, or a sum, ran over the batch
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x).mean(0, keepdim=True), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: ignores_eval (3) -> should
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return F.dropout(weights, 0.1 if len(x) > 1 else 0.0) @ v, weights

# %% wrong: dropout_when_training (3) -> should
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return self.dropout(weights) @ v if len(x) > 1 else weights @ v, weights

# %% wrong: right_in_training_mode_only (3) => training and evaluation differ, but nothing here should depend on the mode
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1)
        weights = (scores / q.size(-1) ** 0.5 if self.training else scores).softmax(-1)
        return weights @ v, weights

# %% wrong: float32_only (3) => all was made float32: the dtype of the input was lost
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x).float(), self.W_k(x).float(), self.W_v(x).float()
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: detached_keys (3) => no gradient reaches W_k: the keys were detached
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x).detach(), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: input_detached (3) => the gradient of x is wrong: x was detached on the way
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x.detach()), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: cpu_buffer (3) -> device that is given ?? only the device meta stands for a second one where a student works, and copying from it into a buffer gives another error
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

# %% wrong: scale_not_a_buffer (3) => the scale was made on the CPU, not on the device of the input: a tensor of a module is registered as a buffer
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.scale = torch.full((1,), d_k ** -0.5, dtype=torch.float64)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) * self.scale.to(x.dtype)).softmax(-1)
        return weights @ v, weights

# %% wrong: asks_for_a_number_then_cpu (3) -> device that is given ?? a visible check has no second device
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

# %% wrong: in_place (3) => x was changed in place: work on a copy
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

# %% wrong: hard_coded_shape (2) => the scores were divided by √2, whatever d_k is
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.transpose(-2, -1) / 2 ** 0.5).softmax(-1)
        return weights @ v, weights

# %% wrong: class_wide_layers (1, 3) => two modules share their weights: the layers must be made in __init__
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

# %% wrong: no_super (1, 2, 3) => the module could not be made: super().__init__() must run first
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
        return weights @ v, weights

# %% wrong: d_k_not_kept (2, 3) => forward uses a name that it does not know: what __init__ was given is gone unless it was kept in self
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

# %% wrong: softmax_layer_on_values (2) => the weights are right, but the output is not their mix of the values: the values went through a softmax
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

# %% wrong: causal (2) => later tokens were hidden: that comes in chapter 3
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

# %% wrong: residual (2) => the token's own value was added: the output is the mix of the values alone
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

# %% wrong: seed_fixed (1) => two modules start with the same numbers: is the seed fixed?
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

# %% wrong: matrices_start_at_zero (1) => all matrices start with the same numbers, and should start with random ones
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

# %% wrong: scores_limited (3) => large scores were limited: softmax takes them as they are
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

# %% wrong: keys_kept_in_evaluation (3) => in evaluation mode keys are kept from one call to the next
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

# %% wrong: weights_returned_detached (3) => the weights are returned without their gradient: they were detached
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

# %% wrong: scale_limited_to_64 (2) -> d_k = 131 ?? the visible head has two numbers a key, to be followed by hand
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

# %% wrong: no_gradient_in_evaluation_mode (3) => in evaluation mode no gradient can flow back: whether gradients are wanted is decided by the caller
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

# %% wrong: weights_detached_in_evaluation_mode (3) => in evaluation mode no gradient can flow back through the weights: they were detached
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

# %% wrong: output_made_from_detached_weights_in_evaluation_mode (3) => the gradient in evaluation mode is not that of training: the output was made from detached weights
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

# %% wrong: one_token_gets_a_float32_weight (3) => sentences of one token get a weight in float32: keep the dtype of the input there, too
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

# %% wrong: one_token_gets_a_weight_on_the_cpu (3) -> device that is given ?? a visible check has no second device
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

# %% wrong: scale_as_a_buffer_in_float32 (3) => too inexact: the root of d_k was computed in float32
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))
        self.register_buffer("scale", torch.tensor(d_k ** -0.5), persistent=False)
    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        w = torch.softmax(q @ k.mT * self.scale, -1)
        return w @ v, w

# %% wrong: matrices_joined_once_for_evaluation (3) => in evaluation mode the matrices are kept from an earlier call
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

# %% wrong: no_weights_in_evaluation (3) => in evaluation mode forward returned no weights: both come back whatever the mode
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

# %% wrong: no_weights_under_no_grad (3) => under no_grad no weights are returned: both come back whatever the mode
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


# %% wrong: mean_where_a_token_is_one_number (2) => tokens of one number get equal weights: they have scores, too
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
