# %% right: block_and_stack
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% right: identities_for_second_norms
class Layer(nn.Module):
    def __init__(self, c, layer):
        super().__init__()
        window = c.windows[layer] if c.windows is not None else None
        base = c.rope_base if window is None or c.local_rope_base is None else c.local_rope_base
        norm = lambda: RMSNorm(c.d_model, eps=c.eps)
        self.norm1, self.norm2 = norm(), norm()
        self.post_norm1, self.post_norm2 = (norm(), norm()) if c.second_norm else (nn.Identity(), nn.Identity())
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, d_head=c.d_head, qk_norm=c.qk_norm, rope_base=base, window=window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)

    def forward(self, x, cache=None):
        x = x + self.post_norm1(self.attention(self.norm1(x), cache=cache))
        return x + self.post_norm2(self.feed_forward(self.norm2(x)))

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Layer(config, n) for n in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, eps=config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.token_embedding.weight = self.head.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks)):
            x = block(x, cache)
        return self.head(self.norm(x))

# %% right: one_class
class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.blocks = nn.ModuleList()
        for layer in range(config.num_layers):
            window = None if not config.windows else config.windows[layer]
            base = config.local_rope_base if window and config.local_rope_base else config.rope_base
            parts = {"norm1": RMSNorm(config.d_model, config.eps), "norm2": RMSNorm(config.d_model, config.eps),
                     "attention": RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window),
                     "feed_forward": SwiGLU(config.d_model, config.d_ff)}
            if config.second_norm:
                parts["post_norm1"], parts["post_norm2"] = RMSNorm(config.d_model, config.eps), RMSNorm(config.d_model, config.eps)
            block = nn.Module()
            for name, part in parts.items():
                block.add_module(name, part)
            self.blocks.append(block)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight
        self.second = config.second_norm

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for layer, block in enumerate(self.blocks):
            cache = caches[layer] if caches is not None else None
            y = block.attention(block.norm1(x), cache)
            x = x + (block.post_norm1(y) if self.second else y)
            y = block.feed_forward(block.norm2(x))
            x = x + (block.post_norm2(y) if self.second else y)
        return self.head(self.norm(x))

# %% right: head_as_a_product
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = F.embedding(ids, self.token_embedding.weight)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return F.linear(self.norm(x), self.head.weight)

# %% right: head_only_where_it_is_its_own
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            del head.weight
            head.weight = self.token_embedding.weight
        self.head = head

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% right: starts_small
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% right: residual_written_as_a_loop
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        for n in (1, 2):
            y = getattr(self, f"norm{n}")(x)
            y = self.attention(y, cache) if n == 1 else self.feed_forward(y)
            x = x + (getattr(self, f"post_norm{n}")(y) if self.second_norm else y)
        return x

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: post_norm -> post-norm
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(x, cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = self.norm1(x + heard)
        thought = self.feed_forward(x)
        if self.second_norm:
            thought = self.post_norm2(thought)
        return self.norm2(x + thought)

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: no_last_norm -> last norm
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(x)

# %% wrong: last_norm_in_every_block -> behind every block
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
            x = self.norm(x)
        return self.head(x)

# %% wrong: no_residual_around_attention -> x is not added to what attention
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: no_residual_around_the_network -> x is not added to what the feed-forward
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: residual_from_the_normed -> the normed x
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        x = self.norm1(x)
        heard = self.attention(x, cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: one_norm_for_both -> norm1 was used twice
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm1(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: norms_exchanged -> norm
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm2(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm1(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: network_not_normed -> norm2
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(x)
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: attention_not_normed -> norm1
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(x, cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: side_by_side -> run side by side
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        start = x
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(start))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: layer_norms -> does not ask for
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = nn.LayerNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = nn.LayerNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: eps_ignored -> eps
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: eps_of_the_last_norm_ignored -> eps
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norm_forgotten -> there and not used
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norm_on_the_stream -> second
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        x = x + heard
        if self.second_norm:
            x = self.post_norm1(x)
        thought = self.feed_forward(self.norm2(x))
        x = x + thought
        return self.post_norm2(x) if self.second_norm else x

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norm_always -> does not ask for
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = True
        if True:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norm_before_the_sub_layer -> second
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.post_norm1(self.norm1(x)) if self.second_norm else self.norm1(x), cache)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norm_for_attention_only -> second norm on attention only
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: second_norms_exchanged -> second
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm2(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm1(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: tied_head_copied -> a copy goes its own way
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            with torch.no_grad():
                self.head.weight.copy_(self.token_embedding.weight)

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: tied_head_a_parameter_of_its_own -> copy
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = nn.Parameter(self.token_embedding.weight.detach())

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: never_tied -> two parameters
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: always_tied -> weight of its own
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: tie_turned_round -> two parameters
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if not config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: tied_in_the_result_only -> tied
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.tied = config.tied

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return F.linear(self.norm(x), self.token_embedding.weight) if self.tied else self.head(self.norm(x))

# %% wrong: head_with_bias -> bias
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: softmax_at_the_end -> logits
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x)).softmax(-1)

# %% wrong: log_softmax_at_the_end -> logits
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x)).log_softmax(-1)

# %% wrong: last_place_only -> at each place
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x[:, -1:]))

# %% wrong: windows_ignored -> window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, None) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: first_window_for_all -> window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[0]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: windows_from_the_end -> window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[-1 - i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: windows_one_layer_late -> window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i - 1]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: windows_never_None -> no layer has a window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: windows_alternate_whatever_is_asked -> window
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        least = min((w for w in windows if w), default=None)
        self.blocks = nn.ModuleList([DecoderBlock(config, None if i % 2 else least) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: local_base_ignored -> local_rope_base
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: local_base_everywhere -> local_rope_base
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: local_base_in_the_global_layers -> local_rope_base
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: rope_base_not_handed_on -> rope_base
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = 10000.0
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: qk_norm_not_handed_on -> which setting of config
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, False, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: d_head_not_handed_on -> go to every layer
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, None, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: key_heads_not_handed_on -> go to every layer
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: network_four_times_as_wide -> go to every layer
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, 4 * config.d_model)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: one_block_for_all -> block
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        block = DecoderBlock(config, windows[0])
        self.blocks = nn.ModuleList([block] * config.num_layers)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: two_blocks_whatever_is_asked -> three blocks
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(2)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: blocks_in_a_plain_list -> nn.ModuleList
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = [DecoderBlock(config, windows[i]) for i in range(config.num_layers)]
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: blocks_backwards -> in the wrong order
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in reversed(list(enumerate(self.blocks))):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: embedding_scaled -> d_model
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids) * self.token_embedding.embedding_dim ** 0.5
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: position_table_added -> does not ask for
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.places = nn.Parameter(torch.randn(512, config.d_model))
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids) + self.places[:ids.size(1)]
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: caches_ignored -> still empty
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x)
        return self.head(self.norm(x))

# %% wrong: one_cache_for_all_layers -> its own list
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[0])
        return self.head(self.norm(x))

# %% wrong: caches_only_when_filled -> still empty
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, caches[i] if caches is not None and caches[i] else None)
        return self.head(self.norm(x))

# %% wrong: caches_copied -> still empty
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else list(caches[i]))
        return self.head(self.norm(x))

# %% wrong: caches_given_back_too -> logits
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x)), caches

# %% wrong: caches_of_its_own -> of the call before
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, self.__dict__.setdefault("own", [[] for _ in self.blocks])[i] if caches is None and ids.size(1) == 1 else None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: only_one_row -> (2, 5, 11)
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids[:1])
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: ids_on_the_cpu -> device ?? without a GPU only tensors on meta show it
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids.cpu())
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: dropout_in_training -> nothing is dropped
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = F.dropout(self.token_embedding(ids), 0.1, self.training)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: names_of_gpt_2 -> token_embedding
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.wte = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.wte.weight

    def forward(self, ids, caches=None):
        x = self.wte(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: tied_copy_and_no_last_norm -> last norm is missing
class DecoderBlock(nn.Module):
    def __init__(self, config, window):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(config.d_model, config.num_heads, config.num_kv_heads, config.d_head, config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second_norm = config.second_norm
        if config.second_norm:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        heard = self.attention(self.norm1(x), cache)
        if self.second_norm:
            heard = self.post_norm1(heard)
        x = x + heard
        thought = self.feed_forward(self.norm2(x))
        if self.second_norm:
            thought = self.post_norm2(thought)
        return x + thought

class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList([DecoderBlock(config, windows[i]) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = nn.Parameter(self.token_embedding.weight.detach().clone())

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(x)

# %% wrong: matrices_of_ones -> random numbers
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        [nn.init.ones_(p) for p in self.parameters() if p.dim() > 1]

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: norms_drawn_at_random -> should be ones
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        [nn.init.normal_(p) for p in self.parameters()]

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: seeded_inside -> of the next new model
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        torch.manual_seed(0)
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        #END

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: blocks_start_as_copies -> begin with the same numbers
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        [b.load_state_dict(self.blocks[0].state_dict()) for b in self.blocks]

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: row_0_for_padding -> no gradient reaches rows [0] ?? the visible check sets all numbers, and trains nothing
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model, padding_idx=0)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        #END

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: table_learns_from_the_head_alone -> was a part of the way cut off ?? a gradient reaches every parameter, and only its value tells that some of it is missing
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        #END

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids).detach() if self.head.weight is self.token_embedding.weight else self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: local_base_by_the_first_layer -> local_rope_base ?? the first layer of the visible check has a window
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c = config
        base = c.rope_base
        if (window is not None or c.windows and c.windows[0] is None) and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1, self.norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
        self.attention = RotaryAttention(c.d_model, c.num_heads, c.num_kv_heads, c.d_head,
                                         c.qk_norm, base, window)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1, self.post_norm2 = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.token_embedding = nn.Embedding(c.vocab_size, c.d_model)
        windows = c.windows or [None] * c.num_layers
        self.blocks = nn.ModuleList([Block(c, w) for w in windows])
        self.norm = RMSNorm(c.d_model, c.eps)
        self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        if c.tied:
            self.head.weight = self.token_embedding.weight
        #END

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% right: head_before_the_table
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(
            config.d_model, config.num_heads, config.num_kv_heads, config.d_head,
            config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second = config.second_norm
        if self.second:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        y = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(y) if self.second else y)
        y = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(y) if self.second else y)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        windows = config.windows or [None] * config.num_layers
        self.blocks = nn.ModuleList(Block(config, window) for window in windows)
        self.norm = RMSNorm(config.d_model, config.eps)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for n, block in enumerate(self.blocks):
            x = block(x, caches[n] if caches is not None else None)
        return self.head(self.norm(x))

# %% wrong: untied_head_starts_as_the_table -> head and token_embedding begin with the same numbers
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1 = RMSNorm(config.d_model, config.eps)
        self.attention = RotaryAttention(
            config.d_model, config.num_heads, config.num_kv_heads, config.d_head,
            config.qk_norm, base, window)
        self.norm2 = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.second = config.second_norm
        if self.second:
            self.post_norm1 = RMSNorm(config.d_model, config.eps)
            self.post_norm2 = RMSNorm(config.d_model, config.eps)

    def forward(self, x, cache=None):
        y = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(y) if self.second else y)
        y = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(y) if self.second else y)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        windows = config.windows or [None] * config.num_layers
        self.blocks = nn.ModuleList(Block(config, window) for window in windows)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight
        else:
            self.head.weight.data.copy_(self.token_embedding.weight.data)

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for n, block in enumerate(self.blocks):
            x = block(x, caches[n] if caches is not None else None)
        return self.head(self.norm(x))

# %% wrong: only_the_last_place_behind_a_cache -> logits for all of its own places
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        d, eps = config.d_model, config.eps
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1, self.norm2 = RMSNorm(d, eps), RMSNorm(d, eps)
        self.attention = RotaryAttention(d, config.num_heads, config.num_kv_heads, config.d_head,
                                         config.qk_norm, base, window)
        self.feed_forward = SwiGLU(d, config.d_ff)
        self.second = config.second_norm
        if self.second:
            self.post_norm1, self.post_norm2 = RMSNorm(d, eps), RMSNorm(d, eps)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        if caches is not None and caches[0]:
            x = x[:, -1:]
        return self.head(self.norm(x))

# %% wrong: second_norms_keep_their_own_eps -> all have config.eps
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        d, eps = config.d_model, config.eps
        base = config.rope_base
        if window is not None and config.local_rope_base is not None:
            base = config.local_rope_base
        self.norm1, self.norm2 = RMSNorm(d, eps), RMSNorm(d, eps)
        self.attention = RotaryAttention(d, config.num_heads, config.num_kv_heads, config.d_head,
                                         config.qk_norm, base, window)
        self.feed_forward = SwiGLU(d, config.d_ff)
        self.second = config.second_norm
        if self.second:
            self.post_norm1, self.post_norm2 = RMSNorm(d), RMSNorm(d)

    def forward(self, x, cache=None):
        a = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(a) if self.second else a)
        f = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(f) if self.second else f)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: qk_norm_gets_eps -> QK-norm keeps its own eps
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c, base = config, config.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1 = RMSNorm(c.d_model, eps=c.eps)
        self.attention = RotaryAttention(
            c.d_model, c.num_heads, c.num_kv_heads, d_head=c.d_head, qk_norm=c.qk_norm,
            rope_base=base, window=window)
        if c.qk_norm:
            self.attention.q_norm.eps = self.attention.k_norm.eps = c.eps
        self.norm2 = RMSNorm(c.d_model, eps=c.eps)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1 = RMSNorm(c.d_model, eps=c.eps)
            self.post_norm2 = RMSNorm(c.d_model, eps=c.eps)

    def forward(self, x, cache=None):
        more = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(more) if self.second else more)
        more = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(more) if self.second else more)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, eps=config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: one_post_norm_twice -> are one module
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c, base = config, config.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1 = RMSNorm(c.d_model, eps=c.eps)
        self.attention = RotaryAttention(
            c.d_model, c.num_heads, c.num_kv_heads, d_head=c.d_head, qk_norm=c.qk_norm,
            rope_base=base, window=window)
        self.norm2 = RMSNorm(c.d_model, eps=c.eps)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1 = RMSNorm(c.d_model, eps=c.eps)
            self.post_norm2 = self.post_norm1

    def forward(self, x, cache=None):
        more = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(more) if self.second else more)
        more = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(more) if self.second else more)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, eps=config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))

# %% wrong: caches_only_in_eval -> still empty
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c, base = config, config.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1 = RMSNorm(c.d_model, eps=c.eps)
        self.attention = RotaryAttention(
            c.d_model, c.num_heads, c.num_kv_heads, d_head=c.d_head, qk_norm=c.qk_norm,
            rope_base=base, window=window)
        self.norm2 = RMSNorm(c.d_model, eps=c.eps)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1 = RMSNorm(c.d_model, eps=c.eps)
            self.post_norm2 = RMSNorm(c.d_model, eps=c.eps)

    def forward(self, x, cache=None):
        more = self.attention(self.norm1(x), cache)
        x = x + (self.post_norm1(more) if self.second else more)
        more = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(more) if self.second else more)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, eps=config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None or self.training else caches[i])
        return self.head(self.norm(x))

# %% wrong: cache_cut_to_the_window -> all places stay in it !! its own list
class Block(nn.Module):
    def __init__(self, config, window=None):
        super().__init__()
        c, base = config, config.rope_base
        if window is not None and c.local_rope_base is not None:
            base = c.local_rope_base
        self.norm1 = RMSNorm(c.d_model, eps=c.eps)
        self.attention = RotaryAttention(
            c.d_model, c.num_heads, c.num_kv_heads, d_head=c.d_head, qk_norm=c.qk_norm,
            rope_base=base, window=window)
        self.norm2 = RMSNorm(c.d_model, eps=c.eps)
        self.feed_forward = SwiGLU(c.d_model, c.d_ff)
        self.second = c.second_norm
        if c.second_norm:
            self.post_norm1 = RMSNorm(c.d_model, eps=c.eps)
            self.post_norm2 = RMSNorm(c.d_model, eps=c.eps)

    def forward(self, x, cache=None):
        more = self.attention(self.norm1(x), cache)
        if cache and self.attention.window:
            cache[:] = [part[:, :, -self.attention.window:] for part in cache]
        x = x + (self.post_norm1(more) if self.second else more)
        more = self.feed_forward(self.norm2(x))
        return x + (self.post_norm2(more) if self.second else more)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        windows = config.windows or [None] * config.num_layers
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.blocks = nn.ModuleList(Block(config, windows[i]) for i in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, eps=config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.token_embedding.weight

    def forward(self, ids, caches=None):
        x = self.token_embedding(ids)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return self.head(self.norm(x))
