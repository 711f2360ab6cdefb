# %% right: index_add
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList([SwiGLU(d_model, d_ff) for _ in range(num_experts)])

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        result = torch.zeros_like(flat)
        for n, expert in enumerate(self.experts):
            rows, slots = (chosen == n).nonzero(as_tuple=True)
            if rows.numel() == 0:
                continue
            result = result.index_add(0, rows, expert(flat[rows]) * weights[rows, slots].unsqueeze(-1))
        return result.reshape(x.shape)

# %% right: with_route
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.router, self.k = nn.Linear(d_model, num_experts, bias=False), k
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        weights, experts = route(x, self.router.weight.T, self.k)
        output = torch.zeros_like(x)
        for e in experts.unique().tolist():
            *where, slot = torch.where(experts == e)
            place = tuple(where)
            if place:
                part = weights[(*place, slot)][:, None] * self.experts[e](x[place])
                output = output.index_put(place, part, accumulate=True)
            else:
                output = output + weights[slot] * self.experts[e](x)
        return output

# %% right: token_by_token
class MixtureOfExperts(nn.Module):
    """Slow, and right."""

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.num_chosen = k
        self.experts = nn.ModuleList()
        for _ in range(num_experts):
            self.experts.append(SwiGLU(d_model, d_ff))
        self.router = nn.Linear(d_model, num_experts, bias=False)

    def forward(self, x):
        rows = []
        for token in x.reshape(-1, x.shape[-1]):
            scores, experts = self.router(token).topk(self.num_chosen)
            rows.append(sum(w * self.experts[e](token) for w, e in zip(scores.softmax(-1), experts.tolist())))
        return torch.stack(rows).view(x.shape) if rows else x * 0

# %% right: slot_by_slot
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        scores, chosen = self.router(x).topk(self.k, dim=-1)
        weights = F.softmax(scores, dim=-1)
        total = torch.zeros_like(x)
        for slot in range(self.k):
            for e, expert in enumerate(self.experts):
                here = chosen[..., slot] == e
                if here.any():
                    part = torch.zeros_like(x).masked_scatter(here[..., None], expert(x[here]))
                    total = total + weights[..., slot, None] * part
        return total

# %% right: sorted_by_expert
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k, self.n = k, num_experts
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        p = self.router(flat).softmax(-1)
        best, chosen = p.topk(self.k, -1)
        best = best / best.sum(-1, keepdim=True)
        order = chosen.flatten().argsort(stable=True)
        tokens = order // self.k
        counts = torch.bincount(chosen.flatten(), minlength=self.n).tolist()
        parts = [expert(part) for expert, part in zip(self.experts, flat[tokens].split(counts))]
        worked = torch.cat(parts) * best.flatten()[order][:, None]
        return torch.zeros_like(flat).index_add(0, tokens, worked).reshape(x.shape)

# %% right: gathered_weights
class MixtureOfExperts(nn.Module):
    """For each token the matrices of its experts; much memory, nothing computed in vain."""

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        best, chosen = self.router(x).softmax(-1).topk(self.k, -1)
        best = best / best.sum(-1, keepdim=True)
        gate, up, down = (torch.stack([getattr(e, name).weight for e in self.experts])[chosen]
                          for name in ("gate", "up", "down"))
        h = F.silu(torch.einsum("...d,...kfd->...kf", x, gate)) * torch.einsum("...d,...kfd->...kf", x, up)
        return torch.einsum("...k,...kf,...kdf->...d", best, h, down)

# %% right: one_hot_mask
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.top_k, self.num_experts = k, num_experts
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList([SwiGLU(d_model, d_ff) for _ in range(num_experts)])

    def forward(self, hidden):
        flat = hidden.reshape(-1, hidden.shape[-1])
        probs = F.softmax(self.router(flat), dim=-1)
        weights, selected = torch.topk(probs, self.top_k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        mask = F.one_hot(selected, self.num_experts).permute(2, 1, 0)
        out = torch.zeros_like(flat)
        for e in range(self.num_experts):
            slot, token = torch.where(mask[e] > 0)
            out.index_add_(0, token, self.experts[e](flat[token]) * weights[token, slot, None])
        return out.reshape(hidden.shape)

# %% wrong: all_experts_compute (3) => experts compute tokens that did not choose them: hand each its own tokens alone
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        p = self.router(x).softmax(-1)
        best, chosen = p.topk(self.k, -1)
        weights = torch.zeros_like(p).scatter(-1, chosen, best / best.sum(-1, keepdim=True))
        every = torch.stack([expert(x) for expert in self.experts], -2)
        return (weights[..., None] * every).sum(-2)

# %% wrong: chosen_compute_all_tokens (3) => experts compute tokens that did not choose them: hand each its own tokens alone
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        p = self.router(x).softmax(-1)
        best, chosen = p.topk(self.k, -1)
        weights = torch.zeros_like(p).scatter(-1, chosen, best / best.sum(-1, keepdim=True))
        output = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            if (chosen == e).any():
                output = output + weights[..., e, None] * expert(x)
        return output

# %% wrong: all_experts_gathered (3) => experts compute tokens that did not choose them: hand each its own tokens alone
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        best, chosen = self.router(x).softmax(-1).topk(self.k, -1)
        best = best / best.sum(-1, keepdim=True)
        every = torch.stack([expert(x) for expert in self.experts], -2)
        index = chosen[..., None].expand(*chosen.shape, x.shape[-1])
        return (best[..., None] * every.gather(-2, index)).sum(-2)

# %% wrong: masked_inputs (3) => experts compute tokens that did not choose them: hand each its own tokens alone
class MixtureOfExperts(nn.Module):
    """The others are zeros, and computed."""

    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        best, chosen = self.router(x).softmax(-1).topk(self.k, -1)
        best = best / best.sum(-1, keepdim=True)
        output = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            here = chosen == e
            output = output + (best * here).sum(-1, keepdim=True) * expert(x * here.any(-1, keepdim=True))
        return output

# %% wrong: not_weighted (1) => the outputs of the experts were added without their weights
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: mean_of_the_chosen (1) => the mean of the experts was taken: each has its own weight
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = expert(flat[token]) / self.k
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: not_renormalised (2) => the weights of the chosen experts do not sum to one: divide by their sum
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: best_one_only (1) => k was ignored: only the best expert is used
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(1, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: two_always => k was ignored: two experts are used always
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: all_always (2, 3) -> experts compute tokens that did not choose them
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(len(self.experts), -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: same_expert (1) => all experts are one and the same network: make each anew
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList([SwiGLU(d_model, d_ff)] * num_experts)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: python_list => PyTorch does not see the experts in a plain list: nn.ModuleList
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = [SwiGLU(d_model, d_ff) for _ in range(num_experts)]

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: router_with_bias (1) => the router has a bias, and should not
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: width_divided (1) => d_ff is the width of each expert: it was divided by their number
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, max(1, d_ff // num_experts)) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: last_one_wins (1) => the output of one expert overwrote that of another: add them
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_copy(0, token, part)
        return output.reshape(x.shape)

# %% wrong: first_weight (1) => each expert got the first weight of its token, and not its own
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, 0, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: weight_of_number (1) => an expert got the weight in the place of its number, and not its own
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, min(e, self.k - 1), None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: residual (1) => x was added to the output: that is the block's work
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return x + output.reshape(x.shape)

# %% wrong: smallest (2) => the experts with the smallest probabilities were used
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1, largest=False)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: first_experts (2) => the first k experts were used for all tokens: each token chooses its own
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights, chosen = self.router(flat).softmax(-1)[:, :self.k], torch.arange(self.k).expand(len(flat), -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: text_alike (1, 2) => all tokens use the same experts: each token chooses its own
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).mean(0, keepdim=True).expand(len(flat), -1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: softmax_over_tokens (1) => the softmax runs over the tokens: each token has its own probabilities, over experts
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(0).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: sigmoid (1) => a sigmoid stands where a softmax over the experts belongs
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).sigmoid().topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: softmax_twice (1) => a second softmax was taken of the probabilities; dividing by their sum is enough
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights.softmax(-1)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: raw_scores (1) => the scores themselves were used as weights, without a softmax
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: last_expert_forgotten => the last expert is never asked
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts[:-1]):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: stops_at_the_first_unused (2, 3) => after an expert that no token chose, the others were not asked
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if not len(token):
                break
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: three_axes_only => x with other axes in front is refused: count the axes from the end
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        batch, seq, d_model = x.shape
        flat = x.reshape(batch * seq, d_model)
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: two_axes_only => x with other axes in front is refused: count the axes from the end
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        n, d_model = x.shape
        flat = x
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: stays_flat (1) => the output has lost the axes in front of x
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output

# %% wrong: views_refused (1) => an x whose numbers lie in memory in another order is refused: reshape, not view
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.view(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: float32_output (1) => the output is made in float32, whatever x is
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros(flat.shape)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part.float())
        return output.reshape(x.shape)

# %% wrong: half_the_digits (1) => a part was computed in a lower precision
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.float().reshape(x.shape).to(x.dtype)

# %% wrong: written_into_x (1) => x was changed
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        before, output = flat.clone(), flat.detach()
        output.zero_()
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(before[token])
                output = output + torch.zeros_like(output).index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: detached_weights (1) => no gradient reaches the router: nothing may be detached
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = (weights / weights.sum(-1, keepdim=True)).detach()
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: detached_x (1) => the gradient of the router does not reach x: nothing may be detached
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat.detach()).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: no_grad_experts (1) => no gradient reaches the experts: nothing may be detached
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token]).detach()
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: noise_in_training -> Nothing is drawn
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = (self.router(flat) + self.training * torch.randn(len(flat), len(self.experts), dtype=x.dtype)).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: dropout -> 0 stands where it should not
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return F.dropout(output.reshape(x.shape), 0.1, self.training)

# %% wrong: routes_kept (2) => the experts of an earlier call were used again: every call chooses anew
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        if getattr(self, 'kept', None) is None or self.kept.shape != chosen.shape:
            self.kept = chosen
        weights, chosen = self.router(flat).softmax(-1).gather(-1, self.kept), self.kept
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: weight_before_the_expert (1) => x was weighted and not what the expert gives: an expert is not linear
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = expert(weights[token, slot, None] * flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: plain_networks => an expert is a SwiGLU of chapter 11, with gate, up and down
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d_model, d_ff, bias=False), nn.SiLU(), nn.Linear(d_ff, d_model, bias=False)) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: scaled_scores (1) => the scores were divided by √d: nothing is scaled here
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = (self.router(flat) / x.shape[-1] ** 0.5).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            if len(token):
                part = weights[token, slot, None] * expert(flat[token])
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)

# %% wrong: unused_computed_beside (3) => experts compute tokens that did not choose them: hand each its own tokens alone
class MixtureOfExperts(nn.Module):
    def __init__(self, d_model, d_ff, num_experts, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(num_experts))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.router(flat).softmax(-1).topk(self.k, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        output = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == e)
            worked = expert(flat)
            if len(token):
                part = weights[token, slot, None] * worked[token]
                output = output.index_add(0, token, part)
        return output.reshape(x.shape)
