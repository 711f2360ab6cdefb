# %% right: loop_with_lists
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            o, w = head(x)
            outputs.append(o)
            weights.append(w)
        return torch.cat(outputs, dim=2), torch.stack(weights, dim=1)

# %% right: own_head_with_pytorch
class OwnHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_v = nn.Linear(d_model, d_head, bias=False)
        self.W_k = nn.Linear(d_model, d_head, bias=False)
        self.W_q = nn.Linear(d_model, d_head, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        eye = torch.eye(x.size(-2), dtype=x.dtype, device=x.device).expand(*x.shape[:-1], x.size(-2))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True), F.scaled_dot_product_attention(q, k, eye, is_causal=True)

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(OwnHead(d_model, d_head))

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        return torch.cat([p[0] for p in pairs], dim=-1), torch.cat([p[1].unsqueeze(1) for p in pairs], dim=1)

# %% right: large_negative_fill_einsum
class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_head, bias=False)
        self.W_k = nn.Linear(d_model, d_head, bias=False)
        self.W_v = nn.Linear(d_model, d_head, bias=False)

    def forward(self, x):
        scores = torch.einsum("bid,bjd->bij", self.W_q(x), self.W_k(x)) / self.W_q.out_features ** 0.5
        future = torch.triu(torch.ones_like(scores[0]), diagonal=1).bool()
        weights = F.softmax(torch.where(future, torch.full_like(scores, torch.finfo(scores.dtype).min), scores), dim=2)
        return torch.einsum("bij,bjd->bid", weights, self.W_v(x)), weights

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        answers = list(map(lambda head: head(x), self.heads))
        output = torch.stack([a[0] for a in answers], dim=-2).flatten(-2)
        weights = torch.stack([a[1] for a in answers]).transpose(0, 1)
        return output, weights

# %% right: filled_result
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.d_head = d_head
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head, 0.0) for _ in range(num_heads)])

    def forward(self, x):
        batch, seq, _ = x.shape
        output = x.new_zeros(batch, seq, self.d_head * len(self.heads))
        weights = x.new_zeros(batch, len(self.heads), seq, seq)
        for h, head in enumerate(self.heads):
            o, w = head(x)
            output[..., h * self.d_head:(h + 1) * self.d_head] = o
            weights[:, h] = w
        return output, weights

# %% right: masked_attention_of_all_heads
class QKV(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(QKV(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        q = torch.stack([h.W_q(x) for h in self.heads], 1)
        k = torch.stack([h.W_k(x) for h in self.heads], 1)
        v = torch.stack([h.W_v(x) for h in self.heads], 1)
        output, weights = masked_attention(q, k, v, causal_mask(x.size(1), x.device))
        return torch.cat(output.unbind(1), dim=-1), weights

# %% wrong: asks_for_a_number_then_cpu (2) -> device that is given ?? a visible check has no second device
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        if x.isnan().any().item():
            raise ValueError("NaN")
        kept = torch.zeros(x.size(0), len(pairs), x.size(1), x.size(1), dtype=x.dtype)
        for h, (_, weights) in enumerate(pairs):
            kept[:, h] = weights
        return torch.cat([output for output, _ in pairs], dim=2), kept + torch.zeros(1, dtype=x.dtype)

# %% wrong: plain_list (1, 2) => nothing can be learned: heads are made once, in the constructor, and a plain list hides them from PyTorch, which nn.ModuleList does not
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = [CausalAttention(d_model, d_head) for _ in range(num_heads)]

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: shared_head (1) => both heads share the same matrices: every head needs its own, or they all see the same thing
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head)] * num_heads)

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: cat_along_tokens (1) => the heads' outputs were joined along the tokens: side by side means along the features
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=1), torch.stack(weights, dim=1)

# %% wrong: summed (1) => the output is only as wide as one head: the heads' outputs were added, not put side by side
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return sum(outputs), torch.stack(weights, dim=1)

# %% wrong: output_stacked (1) => the heads' outputs were stacked along a new axis: putting side by side makes the last axis longer
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.stack(outputs, dim=1), torch.stack(weights, dim=1)

# %% wrong: weights_heads_first (1) => the weights have the heads in front of the batch: (batch, heads, seq, seq) is asked for
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights)

# %% wrong: weights_averaged (1) => one set of weights came back: every head's own are asked for, not their average
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1).mean(dim=1)

# %% wrong: chained (1, 2) => every head reads x itself, not the output of the head before
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            x, w = head(x)
            outputs.append(x)
            weights.append(w)
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: width_divided (1, 2) => every head goes from d_model to d_head: d_head is the width of one head, and is not shared by them
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head // num_heads) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: not_causal (1) => a token looks at tokens that come after it: these heads are causal
class Free(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

    def forward(self, x):
        return masked_attention(self.W_q(x), self.W_k(x), self.W_v(x))

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Free(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: bias_left_in (1) => a layer of a head has a bias: these heads have none
class Biased(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head) for _ in range(3)]

    def forward(self, x):
        return masked_attention(self.W_q(x), self.W_k(x), self.W_v(x), causal_mask(x.size(1), x.device))

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Biased(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: scale_by_d_model (1) => the scores were divided by √d_model: a head of width d_head divides by √d_head
class Scaled(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

    def forward(self, x):
        scores = self.W_q(x) @ self.W_k(x).mT / x.size(-1) ** 0.5
        weights = scores.masked_fill(~causal_mask(x.size(1), x.device), float("-inf")).softmax(-1)
        return weights @ self.W_v(x), weights

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Scaled(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: no_scale (1) => the scores were not divided by √d_head
class Unscaled(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

    def forward(self, x):
        weights = (self.W_q(x) @ self.W_k(x).mT).masked_fill(~causal_mask(x.size(1), x.device), float("-inf")).softmax(-1)
        return weights @ self.W_v(x), weights

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Unscaled(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: filled_with_zero (1) => the future was filled with 0 before the softmax: 0 is a score like any other, it hides nothing
class Zeroed(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

    def forward(self, x):
        scores = self.W_q(x) @ self.W_k(x).mT / self.W_q.out_features ** 0.5
        weights = (scores * causal_mask(x.size(1), x.device)).softmax(-1)
        return weights @ self.W_v(x), weights

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Zeroed(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: interleaved (1) => the features of the heads were interleaved: first all of head 0, then all of head 1
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.stack(outputs, dim=-1).flatten(-2), torch.stack(weights, dim=1)

# %% wrong: first_head_everywhere (1) => every head's place holds the output of head 0
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        weights = torch.stack([head(x)[1] for head in self.heads], dim=1)
        return torch.cat([self.heads[0](x)[0] for _ in self.heads], dim=-1), weights

# %% wrong: output_alone (1) => forward returns a pair, output and weights: the output alone came
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x)[0] for head in self.heads], dim=-1)

# %% wrong: two_heads_always (1) => two heads are taken, whatever num_heads says
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        (o0, w0), (o1, w1) = self.heads[0](x), self.heads[min(1, len(self.heads) - 1)](x)
        return torch.cat([o0, o1], dim=-1), torch.stack([w0, w1], dim=1)

# %% wrong: cpu_mask (2) -> two devices meet
class OnCpu(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]

    def forward(self, x):
        return masked_attention(self.W_q(x), self.W_k(x), self.W_v(x), torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril())

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(OnCpu(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: batch_of_one_only (2) => it does not run for two sentences: is a batch of one written in by hand?
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights).view(1, len(self.heads), x.size(1), x.size(1))

# %% wrong: equal_starts (1) => two new heads are equal: equal heads get equal gradients, and stay equal
import copy
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        head = CausalAttention(d_model, d_head)
        self.heads = nn.ModuleList(copy.deepcopy(head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: without_gradient (2) => no gradient reaches the heads behind the first one: their outputs were detached
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat([outputs[0]] + [o.detach() for o in outputs[1:]], dim=-1), torch.stack(weights, dim=1)

# %% wrong: list_of_weights (1) => the weights of all heads are one tensor, with an axis for the heads: a list came back
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        return torch.cat([r[0] for r in results], -1), [r[1] for r in results]

# %% wrong: weights_concatenated (1) => the weights were joined along the keys: the heads get an axis of their own, (batch, heads, seq, seq)
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        return torch.cat([r[0] for r in results], -1), torch.cat([r[1] for r in results], -1)

# %% wrong: pairs_not_taken_apart (1, 2) => each head returns a pair, (output, weights): the pairs were not taken apart
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)

# %% wrong: sequential (1, 2) => nn.Sequential hands the output of one head to the next: every head reads x itself, and belongs into an nn.ModuleList
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.Sequential(*[CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        return self.heads(x)

# %% wrong: heads_made_in_forward (1, 2) => nothing can be learned: heads are made once, in the constructor, and a plain list hides them from PyTorch, which nn.ModuleList does not
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.sizes = d_model, d_head, num_heads

    def forward(self, x):
        heads = [CausalAttention(*self.sizes[:2]) for _ in range(self.sizes[2])]
        results = [head(x) for head in heads]
        return torch.cat([r[0] for r in results], -1), torch.stack([r[1] for r in results], 1)

# %% right: stacked_matrices_and_einsum
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def _project(self, name, x):
        W = torch.stack([getattr(head, name).weight for head in self.heads])       # (heads, d_head, d_model)
        return torch.einsum("bsd,hed->bhse", x, W)

    def forward(self, x):
        q, k, v = (self._project(name, x) for name in ("W_q", "W_k", "W_v"))
        scores = torch.einsum("bhqe,bhke->bhqk", q, k).div(q.size(-1) ** 0.5)
        places = torch.arange(x.size(1), device=x.device)
        weights = scores.masked_fill(places > places[:, None], -torch.inf).softmax(-1)
        return torch.einsum("bhqk,bhke->bqhe", weights, v).flatten(2), weights

# %% right: new_axis_then_merged
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        nn.Module.__init__(self)
        self.heads = nn.ModuleList()
        self.heads.extend([CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        pairs = list(map(lambda head: head(x), self.heads))
        output = torch.stack([pair[0] for pair in pairs], dim=-2)         # (batch, seq, heads, d_head)
        weights = torch.cat([pair[1].unsqueeze(1) for pair in pairs], dim=1)
        return output.reshape(*x.shape[:2], -1), weights

# %% right: heads_by_baddbmm
class Projections(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        for name in ("W_q", "W_k", "W_v"):
            setattr(self, name, nn.Linear(d_model, d_head, bias=False))

    def forward(self, x, hidden):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        bias = torch.zeros_like(hidden, dtype=x.dtype).masked_fill(hidden, -torch.inf)
        scores = torch.baddbmm(bias.expand(len(x), -1, -1), q, k.transpose(1, 2), alpha=q.size(-1) ** -0.5)
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, v), weights


class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Projections(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        """x: (batch, seq, d_model)"""
        seq = x.shape[1]
        hidden = torch.triu(torch.ones((seq, seq), dtype=torch.bool, device=x.device), diagonal=1)
        output, weights = None, []
        for head in self.heads:
            o, w = head(x, hidden)
            output = o if output is None else torch.cat((output, o), dim=-1)
            weights.append(w)
        return output, torch.stack(weights, 1)

# %% wrong: fixed_seed_in_the_constructor (1) => two new modules are equal: is there a fixed seed in the constructor?
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        torch.manual_seed(0)
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: causal_in_training_only (1) => in evaluation mode a token looks at tokens that come after it: is the future hidden in training only?
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            q, k, v = head.W_q(x), head.W_k(x), head.W_v(x)
            mask = causal_mask(x.size(1), x.device) if self.training else None
            output, w = masked_attention(q, k, v, mask)
            outputs.append(output)
            weights.append(w)
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: future_by_the_size_of_a_score (1) => where a score is 0 the future is not hidden: it is found by the size of a score, and should be found by its place
class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_head, bias=False)
        self.W_k = nn.Linear(d_model, d_head, bias=False)
        self.W_v = nn.Linear(d_model, d_head, bias=False)

    def forward(self, x):
        scores = torch.einsum("bid,bjd->bij", self.W_q(x), self.W_k(x)) / self.W_q.out_features ** 0.5
        future = torch.triu(scores[0], diagonal=1).bool()
        weights = F.softmax(torch.where(future, torch.full_like(scores, torch.finfo(scores.dtype).min), scores), dim=2)
        return torch.einsum("bij,bjd->bid", weights, self.W_v(x)), weights

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        answers = list(map(lambda head: head(x), self.heads))
        output = torch.stack([a[0] for a in answers], dim=-2).flatten(-2)
        weights = torch.stack([a[1] for a in answers]).transpose(0, 1)
        return output, weights

# %% wrong: heads_copied_with_new_queries (1) => two new heads are equal in W_k and W_v: equal matrices of equal heads get equal gradients
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        import copy
        first = CausalAttention(d_model, d_head)
        self.heads = nn.ModuleList(copy.deepcopy(first) for _ in range(num_heads))
        for head in self.heads:
            head.W_q.reset_parameters()

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        return torch.cat([o for o, _ in pairs], -1), torch.stack([w for _, w in pairs], 1)

# %% wrong: clears_x_afterwards (2) => x was changed in place: the caller's tensor must stay as it was
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        x.zero_()
        return torch.cat([o for o, _ in pairs], -1), torch.stack([w for _, w in pairs], 1)

# %% wrong: last_64_tokens (1) => of a long sentence only some tokens came back: every token gets an output
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        pairs = [head(x[:, -64:]) for head in self.heads]
        return torch.cat([o for o, _ in pairs], -1), torch.stack([w for _, w in pairs], 1)

# %% wrong: future_filled_with_minus_30 (1, 2) => with large scores a token looks at tokens that come after it: the number that hides the future is not low enough
class _Head(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = (q @ k.mT / k.size(-1) ** 0.5).masked_fill(~causal_mask(x.size(1), x.device), -30.0)
        w = scores.softmax(-1)
        return w @ v, w


class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([_Head(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        return torch.cat([o for o, _ in pairs], -1), torch.stack([w for _, w in pairs], 1)

# %% wrong: largest_score_of_the_batch_off_each_row (1) => with large scores the rows no longer sum to 1: softmax takes the largest score of each row off, not that of another row
class _Head(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.mT / k.size(-1) ** 0.5
        e = (scores - scores.max()).exp() * causal_mask(x.size(1), x.device)
        w = e / e.sum(-1, keepdim=True)
        return w @ v, w


class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([_Head(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        return torch.cat([o for o, _ in pairs], -1), torch.stack([w for _, w in pairs], 1)

# %% wrong: heads_joined_along_the_batch (2) => sentences are mixed up with heads: the weights were joined along the batch
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outs, ws = zip(*(head(x) for head in self.heads))
        b, s, _ = x.shape
        return torch.cat(outs, dim=-1), torch.cat(ws).reshape(b, len(self.heads), s, s)

# %% wrong: mask_of_1024 (1) => it does not run for 1,100 tokens: was a longest sentence written in by hand?
class MyHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        self.register_buffer("mask", torch.ones(1024, 1024).tril().bool())

    def forward(self, x):
        s = x.shape[1]
        return masked_attention(self.W_q(x), self.W_k(x), self.W_v(x), self.mask[:s, :s])

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(MyHead(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outs, ws = zip(*(head(x) for head in self.heads))
        return torch.cat(outs, dim=-1), torch.stack(ws, dim=1)

# %% wrong: minus_a_billion (2) => a number came in that float16 cannot hold: its largest is 65504
class MyHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~causal_mask(x.shape[1], x.device), -1e9)
        w = torch.softmax(s, -1)
        return w @ v, w

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(MyHead(d_model, d_head) for _ in range(num_heads))

    def forward(self, x):
        outs, ws = zip(*(head(x) for head in self.heads))
        return torch.cat(outs, dim=-1), torch.stack(ws, dim=1)

# %% wrong: dropout_left_on (1, 2) -> these heads have no dropout
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head, 0.1) for _ in range(num_heads)])

    def forward(self, x):
        outs, ws = zip(*(head(x) for head in self.heads))
        return torch.cat(outs, dim=-1), torch.stack(ws, dim=1)

# %% wrong: mask_kept_from_the_first_call (2) => a mask of an earlier call is used again: the next sentence may be longer
class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_head, bias=False)
        self.W_k = nn.Linear(d_model, d_head, bias=False)
        self.W_v = nn.Linear(d_model, d_head, bias=False)
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = causal_mask(x.size(1), x.device)
        n = x.size(1)
        return masked_attention(self.W_q(x), self.W_k(x), self.W_v(x), self.mask[:n, :n])

class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        return torch.cat([p[0] for p in pairs], -1), torch.stack([p[1] for p in pairs], 1)

# %% wrong: mask_kept_on_the_device_of_the_first_call (2) -> two devices meet
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head) for _ in range(num_heads)])
        self.mask = torch.ones(0, 0, dtype=torch.bool)

    def forward(self, x):
        if self.mask.size(0) < x.size(1):
            self.mask = causal_mask(x.size(1), x.device)
        mask = self.mask[:x.size(1), :x.size(1)]
        pairs = [masked_attention(h.W_q(x), h.W_k(x), h.W_v(x), mask) for h in self.heads]
        return torch.cat([p[0] for p in pairs], -1), torch.stack([p[1] for p in pairs], 1)


# %% wrong: mean_where_a_token_is_one_number (1) => not right where a token is one number
class MultiHeadWrapper(nn.Module):
    def __init__(self, d_model, d_head, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_model, d_head) for _ in range(num_heads)])

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            o, w = head(x)
            if x.size(-1) == 1:
                o = head.W_v(x).cumsum(1) / torch.arange(1, x.size(1) + 1, dtype=x.dtype, device=x.device)[:, None]
            outputs.append(o)
            weights.append(w)
        return torch.cat(outputs, dim=2), torch.stack(weights, dim=1)
