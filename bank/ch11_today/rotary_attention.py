# %% right: formulas
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% right: pytorchs_attention
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def forward(self, x, cache=None):
        q, k, v = (W(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        first = len(cache) and cache[0].shape[-2] if cache is not None else 0
        at = first + torch.arange(x.shape[1], device=x.device)
        turn = at[:, None] / self.rope_base ** (torch.arange(0, self.d_head, 2, device=x.device) / self.d_head)
        turn = torch.cat([turn, turn], dim=-1)
        def rope(y):
            one, two = y.chunk(2, dim=-1)
            return y * turn.cos().to(y.dtype) + torch.cat([-two, one], dim=-1) * turn.sin().to(y.dtype)
        q, k = rope(q), rope(k)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], dim=-2), torch.cat([cache[1], v], dim=-2)
            cache.clear()
            cache.extend([k, v])
        keys = torch.arange(k.shape[-2], device=x.device)
        mask = keys <= at[:, None]
        if self.window is not None:
            mask &= keys > at[:, None] - self.window
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        return self.W_o(y.transpose(1, 2).flatten(2))

# %% right: complex_numbers
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = torch.exp(-math.log(self.rope_base) * torch.arange(half, device=x.device).double() / half)
        turn = torch.polar(torch.ones_like(speeds), positions.double()[:, None] * speeds)
        pairs = torch.complex(x[..., :half].double(), x[..., half:].double()) * turn
        return torch.cat([pairs.real, pairs.imag], dim=-1).to(x.dtype)

    def forward(self, x, cache=None):
        b, n, _ = x.shape
        groups = self.num_heads // self.num_kv_heads
        q = self.W_q(x).reshape(b, n, self.num_kv_heads, groups, self.d_head).permute(0, 2, 3, 1, 4)
        k = self.W_k(x).reshape(b, n, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        v = self.W_v(x).reshape(b, n, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        old = 0 if not cache else cache[0].size(2)
        place = torch.arange(old, old + n, device=x.device)
        q, k = self.rotate(q, place), self.rotate(k, place)
        if cache:
            k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
        if cache is not None:
            cache[:] = k, v
        scores = torch.einsum("bkgqd,bkjd->bkgqj", q, k) / math.sqrt(self.d_head)
        back = place[:, None] - torch.arange(old + n, device=x.device)
        hidden = (back < 0) | (back >= (self.window or old + n + 1))
        weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
        y = torch.einsum("bkgqj,bkjd->bqkgd", weights, v)
        return self.W_o(y.reshape(b, n, -1))

# %% right: one_head_after_the_other
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        angle = positions[:, None].float() * torch.pow(torch.tensor(self.rope_base, device=x.device), -torch.arange(half, device=x.device) / half)
        y = torch.empty_like(x)
        y[..., :half] = x[..., :half] * angle.cos().to(x.dtype) - x[..., half:] * angle.sin().to(x.dtype)
        y[..., half:] = x[..., :half] * angle.sin().to(x.dtype) + x[..., half:] * angle.cos().to(x.dtype)
        return y

    def forward(self, x, cache=None):
        seq, d = x.size(1), self.d_head
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        queries = [Q[..., h * d:(h + 1) * d] for h in range(self.num_heads)]
        keys = [K[..., h * d:(h + 1) * d] for h in range(self.num_kv_heads)]
        if self.qk_norm:
            queries, keys = [self.q_norm(q) for q in queries], [self.k_norm(k) for k in keys]
        past = 0
        if cache:
            past = cache[0].size(-2)
        positions = past + torch.arange(seq, device=x.device)
        k = torch.stack([self.rotate(one, positions) for one in keys], dim=1)
        v = torch.stack([V[..., h * d:(h + 1) * d] for h in range(self.num_kv_heads)], dim=1)
        if cache is not None:
            if past:
                k, v = torch.cat([cache[0], k], -2), torch.cat([cache[1], v], -2)
            cache[:] = [k, v]
        everywhere = torch.arange(past + seq, device=x.device)
        outputs = []
        for h, q in enumerate(queries):
            partner = h // (self.num_heads // self.num_kv_heads)
            scores = self.rotate(q, positions) @ k[:, partner].mT * d ** -0.5
            far = positions[:, None] - everywhere
            bad = far < 0 if self.window is None else (far < 0) | (far > self.window - 1)
            outputs.append(torch.where(bad, torch.full_like(scores, -torch.inf), scores).softmax(-1) @ v[:, partner])
        return self.W_o(torch.cat(outputs, dim=-1))

# %% right: norms_always_there
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else nn.Identity()
        self.k_norm = RMSNorm(d_head) if qk_norm else nn.Identity()

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% right: rotation_matrices
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        pairs = torch.stack([x[..., :half], x[..., half:]], dim=-1)
        turns = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
        return torch.einsum("...ij,...j->...i", turns, pairs).mT.flatten(-2)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% right: scaled_queries_and_tril
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        allowed = torch.ones(seq, past + seq, dtype=torch.bool, device=x.device).tril(past)
        if self.window is not None:
            allowed = allowed.triu(past - self.window + 1)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = (q / self.d_head ** 0.5) @ k.transpose(-2, -1)
        weights = (scores + torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min)).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% right: asks_for_a_number_first
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))


# %% right: angles_on_the_cpu_and_moved
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = (positions.float()[:, None] * speeds.cpu()).to(x.device)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None].to(x.device) - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))


# %% wrong: interleaved_pairs (1) => the rotation pairs neighbours (interleaved, as in chapter 5): here feature i is paired with feature i + d_head / 2
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).flatten(-2)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: interleaved_pairs_put_in_halves (1) => the rotation pairs neighbours (interleaved, as in chapter 5): here feature i is paired with feature i + d_head / 2
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: interleaved_for_keys_only (1) => the features of the keys are in another order than those of the queries: pairs of halves for both, none interleaved
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k.unflatten(-1, (-1, 2)).mT.flatten(-2), positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: turned_backwards (1) => the rotation turns the wrong way: the angle is positive, as in chapter 5
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos + b * sin, b * cos - a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: not_rotated (1) => queries and keys are not turned
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        pass
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: queries_only_rotated (1) => only the queries are turned: keys are turned, too
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q = self.rotate(q, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: keys_only_rotated (1) => only the keys are turned: queries are turned, too
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        k = self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: values_rotated_too (1) => the values are turned: only queries and keys are
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k, v = self.rotate(q, positions), self.rotate(k, positions), self.rotate(v, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: base_ignored (1) => rope_base is not used: the base was 100 here
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: half_the_exponent (1) => the angles fall too slowly: the exponent of pair i is -2i / d_head, with the 2
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / self.d_head)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: twice_the_exponent (1) => the angles fall too fast: the exponent of pair i is -2i / d_head, not twice that
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-2 * torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: exponent_of_d_model (1) => the exponent of pair i has d_model in it: it is -2i / d_head
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-2 * torch.arange(half, device=x.device, dtype=torch.float32) / self.W_q.in_features)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: speeds_the_other_way_round (1) => the angles are in reverse order: the first pair turns fastest, its exponent is 0
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32).flip(0) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: angles_in_the_dtype_of_x (3) => places and angles were rounded to bfloat16: compute them in float32
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = (self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)).to(x.dtype)
        angles = positions.to(x.dtype)[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: norm_after_the_rotation (2) => the norms come after the rotation: norm first, then turn
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: norm_before_the_heads (2) => the norm is taken over all heads together: q_norm and k_norm are an RMSNorm(d_head), after the cut into heads
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(num_heads * d_head), RMSNorm(num_kv_heads * d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = (self.q_norm(self.W_q(x)) if self.qk_norm else self.W_q(x)).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = (self.k_norm(self.W_k(x)) if self.qk_norm else self.W_k(x)).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: queries_only_normalised (2) => only the queries are normed
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q = self.q_norm(q)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: norms_exchanged (2) => q_norm and k_norm are swapped
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.k_norm(q), self.q_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: one_norm_for_both (2) => q_norm and k_norm are one module: there are two norms, and each has a weight of its own
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm = self.k_norm = RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: values_normalised (2) => the values are normed as well: only queries and keys are
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k, v = self.q_norm(q), self.k_norm(k), self.k_norm(v)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: norm_made_and_forgotten (2) => q_norm and k_norm are there and not used
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: always_normalised (1, 2) => queries and keys are normed always: with qk_norm=False they are not
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = True

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: layer_norm_for_qk (2) => q_norm and k_norm subtract the mean, or have a bias: an RMSNorm is asked for
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = nn.LayerNorm(d_head, bias=False), nn.LayerNorm(d_head, bias=False)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: key_heads_in_turn (1) => key-value heads are repeated in the wrong order: queries 0 and 1 share head 0, queries 2 and 3 share head 1
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat(1, group, 1, 1), v.repeat(1, group, 1, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: value_heads_in_turn (1) => the value heads are repeated in another order than the key heads
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat(1, group, 1, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: first_key_head_for_all (1) => all queries read key-value head 0: queries 2 and 3 read head 1
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k[:, :1], v[:, :1]
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: heads_not_split_but_reshaped (1) => the features were cut into heads without a transpose: places and heads are mixed
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, self.num_heads, seq, self.d_head)
        k = self.W_k(x).view(batch, self.num_kv_heads, seq, self.d_head)
        v = self.W_v(x).view(batch, self.num_kv_heads, seq, self.d_head)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: heads_not_put_side_by_side (1) => the heads were put together without a transpose: places and heads are mixed
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).reshape(batch, seq, -1))

# %% wrong: window_one_too_wide (3) => a place sees one place too many: itself is one of the window
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back <= self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_one_too_narrow (3) => a place sees one place too few: itself and window - 1 places before it
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < max(self.window - 1, 1))
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_ignored (3) => the window is not used: places further back are hidden
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            pass
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_ignored_with_a_cache (4) => with a cache the window is not used: it hides what lies too far back there, too
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window) if not cache or past == 0 else allowed
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_hides_the_near (3) => the window hides what is near and shows what is far: it is the other way round
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & ((back >= self.window) | (back == 0))
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_in_blocks (3) => the text is cut into blocks: the window slides with each place
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (positions[:, None] // self.window == torch.arange(past + seq, device=x.device) // self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_zero_is_none (3, 4) => a window of 1 is not used: then a place sees itself alone
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None and self.window > 1:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: future_visible (1) => the future is not hidden
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = torch.ones_like(back, dtype=torch.bool)
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: own_position_hidden (1) => a place does not see itself
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = (back > 0) | (positions[:, None] == 0)
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: mask_from_the_corner (4) => with a cache the mask begins at the wrong place: it has a row for each new place and a column for each place there is, those in the cache first
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = torch.arange(seq, device=x.device)[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: no_mask_with_a_cache (4) => with a cache nothing is hidden: inside a piece a place must not see later ones
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = (back >= 0) | (past > 0)
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: positions_restart_in_the_cache (4) => the positions begin at 0 with each piece: the first new place follows the last one in the cache
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        places = torch.arange(seq, device=x.device)
        q, k = self.rotate(q, places), self.rotate(k, places)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: position_one_late_in_the_cache (4) => with a cache the positions are one too high: the first new place follows the last one in the cache
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        places = positions + (past > 0)
        q, k = self.rotate(q, places), self.rotate(k, places)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: new_token_at_the_number_of_calls (4) => the positions count calls: they count the places in the cache
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        places = positions if seq > 1 or not cache else torch.full_like(positions, 1)
        q, k = self.rotate(q, places), self.rotate(k, places)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cached_keys_turned_again (4) => a key that lies in the cache turned is turned again
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q = self.rotate(q, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        k = self.rotate(k, torch.arange(past + seq, device=x.device))
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_keeps_the_newest_only (4) => the cache holds the newest piece alone: old places stay, and new ones come behind them
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k[:, :, -seq:], v[:, :, -seq:]]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_never_filled (4) => the list that was handed in stays as it was: change the list itself, a new one does not reach the caller
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_filled_once (4) => the cache keeps its first piece alone: it grows with every call
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None and not cache:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_in_a_new_list (4) => the list that was handed in stays as it was: change the list itself, a new one does not reach the caller
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        cache = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_keys_and_values_exchanged (4) => the cache holds the values first: its order is [k, v]
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[1], k], dim=2), torch.cat([cache[0], v], dim=2)
        if cache is not None:
            cache[:] = [v, k]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_appended_at_the_end (4) => the cache should hold two things, k and v: they are replaced by longer ones, nothing is appended
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache.extend([k, v])
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_of_every_query_head (4) => the cache holds keys and values for each query head: put them in before they are repeated
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0][:, ::self.num_heads // self.num_kv_heads], k], dim=2), torch.cat([cache[1][:, ::self.num_heads // self.num_kv_heads], v], dim=2)
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        if cache is not None:
            cache[:] = [k, v]
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_before_what_is_new (4) => the new places stand before the old ones: old ones first, new ones behind
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([k, cache[0]], dim=2), torch.cat([v, cache[1]], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: one_token_at_a_time_only (4) => with a cache one output alone comes back: one for each new place is asked for
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        if past:
            x, seq, q, k, v = x[:, -1:], 1, q[:, :, -1:], k[:, :, -1:], v[:, :, -1:]
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: cache_of_its_own (4) => without a cache a call gives something of the call before it: keep nothing in the module
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        if cache is None:
            cache = self.__dict__.setdefault("own", [])
            if cache and (cache[0].size(0) != batch or seq > 1):
                cache.clear()
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: not_scaled (1) => the scores are not divided by the root of d_head
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1)
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: scaled_by_d_model (1) => the scores are divided by the root of d_model: it is that of d_head
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / x.size(-1) ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: scaled_by_d (1) => the scores are divided by d_head: it is the root of d_head
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: d_head_ignored (1, 2, 3, 4) => d_head was not used: heads have so many features where it is given, d_model // num_heads where it is not
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: with_biases (1, 2) => W_q, W_k, W_v or W_o has a bias: none of the four has one
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: as_many_key_heads_as_query_heads (1, 2, 3, 4) => W_k and W_v have features for each query head: they have num_kv_heads heads
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head, num_kv_heads = d_model // num_heads if d_head is None else d_head, num_heads
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: W_o_forgotten (1) => W_o is not used where the sizes fit without it: it is used whatever they are
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        mixed = (weights @ v).transpose(1, 2).reshape(batch, seq, -1)
        return mixed if mixed.size(-1) == x.size(-1) else self.W_o(mixed)

# %% wrong: weights_returned_too (1, 2, 3, 4) => two things came back: the output alone is asked for
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1)), weights

# %% wrong: softmax_over_the_queries (1) => softmax goes over the queries: it goes over the keys, the last dimension
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-2).nan_to_num(0.0)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: mask_on_the_cpu (3) -> two devices meet
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = torch.arange(past, past + seq)[:, None] - torch.arange(past + seq)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: float32_inside_and_out (3) => what was computed in float32 on the way (cosine and sine, say) goes back to the dtype of the input
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o.float()((weights.float() @ v.float()).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: mask_of_the_first_call (4) => the mask of the first call was kept: it has a row for each new place and a column for each place there is
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        if not hasattr(self, "mask") or self.mask.shape[1] < allowed.shape[1]:
            self.mask = allowed
        allowed = self.mask[:seq, :past + seq]
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: dropout_in_training (1, 2, 3, 4) -> Nothing is dropped
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        drop = 0.1 if self.training else 0.0
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((F.dropout(weights, drop) @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: interleaved_and_window_off_by_one (1, 3) => the rotation pairs neighbours (interleaved, as in chapter 5): here feature i is paired with feature i + d_head / 2
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).flatten(-2)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back <= self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: norm_late_and_heads_in_turn (1, 2) => key-value heads are repeated in the wrong order: queries 0 and 1 share head 0, queries 2 and 3 share head 1
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat(1, group, 1, 1), v.repeat(1, group, 1, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: window_in_training_only (3) => in evaluation mode the window is not used
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_head or d_model // num_heads
        self.group = num_heads // num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.d_head), RMSNorm(self.d_head)

    def rotate(self, x, places):
        half = self.d_head // 2
        i = torch.arange(half, device=x.device, dtype=torch.float32)
        angles = torch.outer(places.float(), self.rope_base ** (-2 * i / self.d_head))
        cos, sin = angles.cos(), angles.sin()
        a, b = x.float()[..., :half], x.float()[..., half:]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        places = torch.arange(past + seq, device=x.device)
        q, k = self.rotate(q, places[past:]), self.rotate(k, places[past:])
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        k = k.repeat_interleave(self.group, dim=1)
        v = v.repeat_interleave(self.group, dim=1)
        distance = places[past:, None] - places
        mask = distance >= 0
        if self.window is not None and self.training:
            mask = mask & (distance < self.window)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.W_o(heads.transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: qk_norm_in_training_only (2, 3) => in evaluation mode queries and keys are not normed
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_head or d_model // num_heads
        self.group = num_heads // num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.d_head), RMSNorm(self.d_head)

    def rotate(self, x, places):
        half = self.d_head // 2
        i = torch.arange(half, device=x.device, dtype=torch.float32)
        angles = torch.outer(places.float(), self.rope_base ** (-2 * i / self.d_head))
        cos, sin = angles.cos(), angles.sin()
        a, b = x.float()[..., :half], x.float()[..., half:]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, -1, self.d_head).transpose(1, 2)
        if self.qk_norm and self.training:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        places = torch.arange(past + seq, device=x.device)
        q, k = self.rotate(q, places[past:]), self.rotate(k, places[past:])
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        k = k.repeat_interleave(self.group, dim=1)
        v = v.repeat_interleave(self.group, dim=1)
        distance = places[past:, None] - places
        mask = distance >= 0
        if self.window is not None:
            mask = mask & (distance < self.window)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.W_o(heads.transpose(1, 2).reshape(batch, seq, -1))

# %% right: keys_turned_when_read
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q = self.turn(q, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
                cache[0], cache[1] = k, v
            else:
                cache.extend((k, v))
        S = k.size(2)
        k = self.turn(k, 0)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -torch.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% right: grouped_with_float32_softmax
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        g = q.unflatten(1, (self.K, -1))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = torch.einsum('bkgtd,bksd->bkgts', g, k) * self.D ** -0.5
        scores = torch.where(mask, scores.float(), torch.finfo(torch.float32).min)
        out = torch.einsum('bkgts,bksd->bkgtd', scores.softmax(-1).to(v.dtype), v).flatten(1, 2)
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% wrong: frequencies_in_a_buffer (3) => places and angles were rounded to bfloat16: compute them in float32
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        self.register_buffer('w', rope_base ** (-torch.arange(0, self.D, 2).float() / self.D))

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.w
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -torch.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% wrong: hidden_by_minus_30 (1) => what hides the future is not small enough: only −∞ lies below every score
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -30.0)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% wrong: keys_of_a_detached_x (3) => the gradient of x lacks the way through the keys: it was cut off (detach, no_grad)
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x.detach()).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -torch.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% wrong: positions_modulo_512 (3) -> window 70 ?? the visible texts are shorter
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).remainder(512).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -torch.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% wrong: long_windows_ignored (3, 4) -> window 70 ?? the visible windows are short
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.D = d_head or d_model // num_heads
        self.H, self.K, self.base, self.window = num_heads, num_kv_heads, rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * self.D, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.D, bias=False)
        self.W_o = nn.Linear(num_heads * self.D, d_model, bias=False)
        self.qk = qk_norm
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.D), RMSNorm(self.D)
        #INIT

    def turn(self, x, start):
        place = torch.arange(start, start + x.size(-2), device=x.device).float()
        a = place[:, None] * self.base ** (-torch.arange(0, self.D, 2, device=x.device).float() / self.D)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        p, r = x.chunk(2, -1)
        return torch.cat([p * c - r * s, r * c + p * s], -1)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.W_q(x).view(B, T, self.H, self.D).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.K, self.D).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.K, self.D).transpose(1, 2)
        if self.qk:
            q, k = self.q_norm(q), self.k_norm(k)
        start = cache[0].size(2) if cache else 0
        q, k = self.turn(q, start), self.turn(k, start)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        S = k.size(2)
        k, v = (t.repeat_interleave(self.H // self.K, 1) for t in (k, v))
        row, col = torch.arange(start, S, device=x.device)[:, None], torch.arange(S, device=x.device)
        mask = col <= row
        if self.window is not None and self.window <= 64:
            mask = mask & (col > row - self.window)
        scores = (q @ k.transpose(-1, -2) / self.D ** 0.5).masked_fill(~mask, -torch.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))

# %% right: fills_with_a_tensor
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False, rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(d_head), RMSNorm(d_head)
        self.qk_norm = qk_norm

    def rotate(self, x, positions):
        half = self.d_head // 2
        speeds = self.rope_base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
        angles = positions.float()[:, None] * speeds
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        positions = torch.arange(past, past + seq, device=x.device)
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        if cache:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        if cache is not None:
            cache[:] = [k, v]
        back = positions[:, None] - torch.arange(past + seq, device=x.device)
        allowed = back >= 0
        if self.window is not None:
            allowed = allowed & (back < self.window)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        weights = scores.masked_fill(~allowed, torch.tensor(float("-inf"))).softmax(dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: hides_with_minus_ten_thousand (1) => what hides the future is not small enough: only −∞ lies below every score
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_head or d_model // num_heads
        self.heads, self.kv, self.d = num_heads, num_kv_heads, d_head
        self.base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else None
        self.k_norm = RMSNorm(d_head) if qk_norm else None

    def turn(self, x, places):
        half = self.d // 2
        omega = self.base ** (-torch.arange(half, device=x.device).float() * 2 / self.d)
        angles = places.float()[:, None] * omega
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        q = self.W_q(x).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
        k = self.W_k(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        v = self.W_v(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        old = cache[0].size(2) if cache else 0
        here = torch.arange(old, old + x.size(1), device=x.device)
        q, k = self.turn(q, here), self.turn(k, here)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        group = self.heads // self.kv
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        back = here[:, None] - torch.arange(old + x.size(1), device=x.device)
        keep = back >= 0
        if self.window is not None:
            keep = keep & (back < self.window)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        scores = scores.masked_fill(~keep, -1e4)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).flatten(2))

# %% wrong: table_of_1024_places (4) => angles or mask end somewhere (a fixed table): a text may have any length
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_head or d_model // num_heads
        self.heads, self.kv, self.d = num_heads, num_kv_heads, d_head
        self.base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else None
        self.k_norm = RMSNorm(d_head) if qk_norm else None

    def turn(self, x, places):
        half = self.d // 2
        omega = self.base ** (-torch.arange(half, device=x.device).float() * 2 / self.d)
        angles = places.clamp(max=1023).float()[:, None] * omega
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        q = self.W_q(x).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
        k = self.W_k(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        v = self.W_v(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        old = cache[0].size(2) if cache else 0
        here = torch.arange(old, old + x.size(1), device=x.device)
        q, k = self.turn(q, here), self.turn(k, here)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        group = self.heads // self.kv
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        back = here[:, None] - torch.arange(old + x.size(1), device=x.device)
        keep = back >= 0
        if self.window is not None:
            keep = keep & (back < self.window)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        scores = scores.masked_fill(~keep, -math.inf)
        out = scores.softmax(-1) @ v
        return self.W_o(out.transpose(1, 2).flatten(2))

# %% wrong: dropout_with_a_window_alone (3, 4) -> Nothing is dropped
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_head or d_model // num_heads
        self.heads, self.kv, self.d = num_heads, num_kv_heads, d_head
        self.base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else None
        self.k_norm = RMSNorm(d_head) if qk_norm else None

    def turn(self, x, places):
        half = self.d // 2
        omega = self.base ** (-torch.arange(half, device=x.device).float() * 2 / self.d)
        angles = places.float()[:, None] * omega
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        q = self.W_q(x).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
        k = self.W_k(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        v = self.W_v(x).unflatten(-1, (self.kv, self.d)).transpose(1, 2)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        old = cache[0].size(2) if cache else 0
        here = torch.arange(old, old + x.size(1), device=x.device)
        q, k = self.turn(q, here), self.turn(k, here)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        group = self.heads // self.kv
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        back = here[:, None] - torch.arange(old + x.size(1), device=x.device)
        keep = back >= 0
        if self.window is not None:
            keep = keep & (back < self.window)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        scores = scores.masked_fill(~keep, -math.inf)
        out = F.dropout(scores.softmax(-1), 0.0 if self.window is None else 0.1, self.training) @ v
        return self.W_o(out.transpose(1, 2).flatten(2))

# %% wrong: future_hidden_by_minus_1e9_fails_in_float16 (3) => −1e9 does not fit into float16, which ends at −65,504
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_head or d_model // num_heads
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else None
        self.k_norm = RMSNorm(d_head) if qk_norm else None

    def turn(self, x, first):
        half = self.d_head // 2
        i = torch.arange(half, device=x.device, dtype=torch.float32)
        place = torch.arange(first, first + x.shape[-2], device=x.device, dtype=torch.float32)
        angle = place[:, None] * self.rope_base ** (-2 * i / self.d_head)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

    def forward(self, x, cache=None):
        b, seq, _ = x.shape
        q = self.W_q(x).view(b, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(b, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(b, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        past = 0 if not cache else cache[0].shape[2]
        q, k = self.turn(q, past), self.turn(k, past)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        group = self.num_heads // self.num_kv_heads
        K, V = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        total = K.shape[2]
        i = torch.arange(total - seq, total, device=x.device)[:, None]
        j = torch.arange(total, device=x.device)
        mask = j <= i
        if self.window is not None:
            mask = mask & (j > i - self.window)
        scores = q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = scores.masked_fill(~mask, -1e9).softmax(-1)
        return self.W_o((weights @ V).transpose(1, 2).flatten(2))

# %% wrong: tables_kept_from_a_call_in_another_dtype (3) => tables of sine and cosine are kept from the first call: they must follow the dtype of the input
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        d_head = d_head or d_model // num_heads
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_head
        self.rope_base, self.window = rope_base, window
        self.W_q = nn.Linear(d_model, num_heads * d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.W_o = nn.Linear(num_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head) if qk_norm else None
        self.k_norm = RMSNorm(d_head) if qk_norm else None

    def turn(self, x, first):
        half, last = self.d_head // 2, first + x.shape[-2]
        if getattr(self, "tables", None) is None or self.tables[0].shape[0] < last:
            i = torch.arange(half, device=x.device, dtype=torch.float32)
            place = torch.arange(last, device=x.device, dtype=torch.float32)
            angle = place[:, None] * self.rope_base ** (-2 * i / self.d_head)
            self.tables = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        cos, sin = (t[first:last] for t in self.tables)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

    def forward(self, x, cache=None):
        b, seq, _ = x.shape
        q = self.W_q(x).view(b, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(b, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(b, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        past = 0 if not cache else cache[0].shape[2]
        q, k = self.turn(q, past), self.turn(k, past)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        group = self.num_heads // self.num_kv_heads
        K, V = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        total = K.shape[2]
        i = torch.arange(total - seq, total, device=x.device)[:, None]
        j = torch.arange(total, device=x.device)
        mask = j <= i
        if self.window is not None:
            mask = mask & (j > i - self.window)
        scores = q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = scores.masked_fill(~mask, float('-inf')).softmax(-1)
        return self.W_o((weights @ V).transpose(1, 2).flatten(2))

# %% wrong: cached_keys_normed_again (4) => a key in the cache is normed again: it is normed once, when it comes
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm = RMSNorm(self.d_head)
            self.k_norm = RMSNorm(self.d_head)

    def turn(self, x, start):
        half = self.d_head // 2
        omega = self.rope_base ** (-torch.arange(half, device=x.device).float() / half)
        places = torch.arange(start, start + x.size(-2), device=x.device).float()
        angle = places[:, None] * omega
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q = self.q_norm(q)
        past = cache[0].size(2) if cache else 0
        if cache:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        if self.qk_norm:
            k = self.k_norm(k)
        if cache is not None:
            cache[:] = [k, v]
        q, k = self.turn(q, past), self.turn(k, 0)
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        rows = torch.arange(past, past + seq, device=x.device)[:, None]
        columns = torch.arange(past + seq, device=x.device)
        mask = columns <= rows
        if self.window is not None:
            mask = mask & (columns > rows - self.window)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        out = weights @ v
        return self.W_o(out.transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: table_of_8192 (4) => angles or mask end somewhere (a fixed table): a text may have any length
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm = RMSNorm(self.d_head)
            self.k_norm = RMSNorm(self.d_head)

    def turn(self, x, start):
        half = self.d_head // 2
        omega = self.rope_base ** (-torch.arange(half, device=x.device).float() / half)
        places = torch.arange(start, start + x.size(-2), device=x.device).float()
        angle = (torch.arange(8192, device=x.device).float()[:, None] * omega)[start:start + x.size(-2)]
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        q, k = self.turn(q, past), self.turn(k, past)
        if cache:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        if cache is not None:
            cache[:] = [k, v]
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        rows = torch.arange(past, past + seq, device=x.device)[:, None]
        columns = torch.arange(past + seq, device=x.device)
        mask = columns <= rows
        if self.window is not None:
            mask = mask & (columns > rows - self.window)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        out = weights @ v
        return self.W_o(out.transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: input_cleaned_in_place (3) => x is changed in place, by += or a function whose name ends in _: work on a copy
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm = RMSNorm(self.d_head)
            self.k_norm = RMSNorm(self.d_head)

    def turn(self, x, start):
        half = self.d_head // 2
        omega = self.rope_base ** (-torch.arange(half, device=x.device).float() / half)
        places = torch.arange(start, start + x.size(-2), device=x.device).float()
        angle = places[:, None] * omega
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        x = x.nan_to_num_(0.0)
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        q, k = self.turn(q, past), self.turn(k, past)
        if cache:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        if cache is not None:
            cache[:] = [k, v]
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        rows = torch.arange(past, past + seq, device=x.device)[:, None]
        columns = torch.arange(past + seq, device=x.device)
        mask = columns <= rows
        if self.window is not None:
            mask = mask & (columns > rows - self.window)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        out = weights @ v
        return self.W_o(out.transpose(1, 2).reshape(batch, seq, -1))

# %% wrong: first_place_in_the_dtype_of_x (4) -> places are counted in float32 ?? the visible pieces are in float32
class RotaryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_head=None, qk_norm=False,
                 rope_base=10000.0, window=None):
        super().__init__()
        self.d_head = d_model // num_heads if d_head is None else d_head
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rope_base, self.window, self.qk_norm = rope_base, window, qk_norm
        self.W_q = nn.Linear(d_model, num_heads * self.d_head, bias=False)
        self.W_k = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_v = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.W_o = nn.Linear(num_heads * self.d_head, d_model, bias=False)
        if qk_norm:
            self.q_norm = RMSNorm(self.d_head)
            self.k_norm = RMSNorm(self.d_head)

    def turn(self, x, start):
        half = self.d_head // 2
        omega = self.rope_base ** (-torch.arange(half, device=x.device).float() / half)
        places = torch.arange(x.size(-2), device=x.device).float() + torch.tensor(start, dtype=x.dtype, device=x.device)
        angle = places[:, None] * omega
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def forward(self, x, cache=None):
        batch, seq, _ = x.shape
        q = self.W_q(x).view(batch, seq, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(batch, seq, self.num_kv_heads, self.d_head).transpose(1, 2)
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        past = cache[0].size(2) if cache else 0
        q, k = self.turn(q, past), self.turn(k, past)
        if cache:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        if cache is not None:
            cache[:] = [k, v]
        group = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        rows = torch.arange(past, past + seq, device=x.device)[:, None]
        columns = torch.arange(past + seq, device=x.device)
        mask = columns <= rows
        if self.window is not None:
            mask = mask & (columns > rows - self.window)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        out = weights @ v
        return self.W_o(out.transpose(1, 2).reshape(batch, seq, -1))
