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

# %% wrong: post_norm (1) => the blocks are post-norm: they are pre-norm, x + attention(norm1(x))
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

# %% wrong: no_last_norm (1) => the last norm is missing, between the blocks and the head
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

# %% wrong: last_norm_in_every_block (1) => the last norm stands behind every block: it comes once, before the head
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

# %% wrong: no_residual_around_attention (1) => x is not added to what attention returns
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

# %% wrong: no_residual_around_the_network (1) => x is not added to what the feed-forward network returns
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

# %% wrong: residual_from_the_normed (1) => what is added to is the normed x: it is x itself
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

# %% wrong: one_norm_for_both (1) => norm1 was used twice, before attention and before the feed-forward network: there stands norm2
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

# %% wrong: norms_exchanged (1) => norm1 and norm2 are swapped
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

# %% wrong: network_not_normed (1) => norm2 is missing: the feed-forward network reads x itself
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

# %% wrong: attention_not_normed (1) => norm1 is missing: attention reads x itself
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

# %% wrong: side_by_side (1) => attention and feed-forward run side by side: the second reads what the first added
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

# %% wrong: layer_norms (1) => these are layer norms: RMSNorms are asked for, without mean and bias
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

# %% wrong: eps_ignored (1) => eps of config is not used: it goes to all norms
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

# %% wrong: eps_of_the_last_norm_ignored (1) => eps of config goes to the last norm, too
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

# %% wrong: second_norm_forgotten (2) => the second norms are there and not used
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

# %% wrong: second_norm_on_the_stream (2) => the second norms stand behind the sum: they belong on what is added to it
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

# %% wrong: second_norm_always (2) => there are second norms where config asks for none
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

# %% wrong: second_norm_before_the_sub_layer (2) => the second norms stand before attention and feed-forward, not behind them
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

# %% wrong: second_norm_for_attention_only (2) => there is a second norm on attention only
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

# %% wrong: second_norms_exchanged (2) => post_norm1 and post_norm2 are swapped
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

# %% wrong: tied_head_copied (3) => tied: the weights of head and table are two parameters (a copy goes its own way at the first training step); they should be one object
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

# %% wrong: tied_head_a_parameter_of_its_own (1, 3) => tied: the weights of head and table are two parameters (a copy goes its own way at the first training step); they should be one object
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

# %% wrong: never_tied (3) => tied: the weights of head and table are two parameters; they should be one object
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

# %% wrong: always_tied (3) => with tied=False the head should have a weight of its own
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

# %% wrong: tie_turned_round (3) => tied: the weights of head and table are two parameters; they should be one object
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

# %% wrong: tied_in_the_result_only (1, 3) => tied: the head has a weight of its own, which is not used; head and table should be one object
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

# %% wrong: head_with_bias (1) => the head has a bias: it has none
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

# %% wrong: softmax_at_the_end (1) => softmax was applied: logits are asked for
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

# %% wrong: log_softmax_at_the_end (1) => log-softmax was applied: logits are asked for
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

# %% wrong: last_place_only (1, 2, 3) => logits of the last place alone came back: one row at each place is asked for
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

# %% wrong: windows_ignored (2) => no layer has a window: config.windows gives each layer its own
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

# %% wrong: first_window_for_all (2) => all layers have the window of the first
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

# %% wrong: windows_from_the_end (2) => the windows are handed out in the wrong order
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

# %% wrong: windows_one_layer_late (2) => the windows are handed out one layer late
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

# %% wrong: windows_never_None (1, 2) => config.windows may be None: then no layer has a window
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

# %% wrong: windows_alternate_whatever_is_asked (2) => the windows alternate: each layer has the one of its place in config.windows
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

# %% wrong: local_base_ignored (2) => local_rope_base is not used: it is the base of the layers that have a window
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

# %% wrong: local_base_everywhere (2) => all layers turn with local_rope_base: only those with a window do
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

# %% wrong: local_base_in_the_global_layers (2) => the layers without a window turn with local_rope_base: those with one should
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

# %% wrong: rope_base_not_handed_on (1) => rope_base of config is not used
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

# %% wrong: qk_norm_not_handed_on (1) => qk_norm of config is not used: it goes to every layer
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

# %% wrong: d_head_not_handed_on (1) => d_head of config is not used: it goes to every layer
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

# %% wrong: key_heads_not_handed_on (1) => num_kv_heads of config is not used: it goes to every layer
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

# %% wrong: network_four_times_as_wide (1) => d_ff of config is not used: it goes to every layer
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

# %% wrong: one_block_for_all (1) => all layers are one block: each has a block of its own
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

# %% wrong: two_blocks_whatever_is_asked (1, 2) => num_layers of config is not used: there are two blocks whatever it is
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

# %% wrong: blocks_in_a_plain_list (1, 2, 3) -> of logits should be
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

# %% wrong: blocks_backwards (1) => the blocks are gone through in the wrong order, the last one first
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

# %% wrong: embedding_scaled (1) => the token vectors were multiplied by the root of d_model: take them as they are
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

# %% wrong: position_table_added (1) => a table of positions was added: attention turns, and nothing is added to the token vectors
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

# %% wrong: caches_ignored (3) => the caches stay empty: the list itself, no copy, goes to the attention of its layer, also while it is empty, in both modes
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

# %% wrong: one_cache_for_all_layers (3) => all layers share one list: each layer gets its own
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

# %% wrong: caches_only_when_filled (3) => the caches stay empty: the list itself, no copy, goes to the attention of its layer, also while it is empty, in both modes
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

# %% wrong: caches_copied (3) => the caches stay empty: the list itself, no copy, goes to the attention of its layer, also while it is empty, in both modes
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

# %% wrong: caches_given_back_too (1, 2, 3) => two things came back: the logits alone are asked for
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

# %% wrong: caches_of_its_own (3) => without caches a call gives something of the call before it: keep nothing in the model
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

# %% wrong: only_one_row (1) => the first text alone was read: ids hold a batch of texts
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

# %% wrong: ids_on_the_cpu (1) -> two devices meet ?? without a GPU only tensors on meta show it
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

# %% wrong: dropout_in_training (1, 2, 3) -> of logits should be
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

# %% wrong: names_of_gpt_2 (1, 3) => the table has another name: token_embedding is asked for
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

# %% wrong: tied_copy_and_no_last_norm (1, 3) => the last norm is missing, between the blocks and the head
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

# %% wrong: matrices_of_ones (1) => in a new model the matrices are ones: they are random numbers
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

# %% wrong: norms_drawn_at_random (1) => in a new model the norms are random: they are ones
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

# %% wrong: seeded_inside (1) => in a new model a matrix has the numbers of another block, or of the next model: each is drawn for itself, and nothing is seeded
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

# %% wrong: blocks_start_as_copies (1, 3) => in a new model a matrix has the numbers of another block, or of the next model: each is drawn for itself, and nothing is seeded
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

# %% wrong: row_0_for_padding (1) => no gradient reaches row 0 of the table: every token is learned, there is no padding
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

# %% wrong: table_learns_from_the_head_alone (1) => no gradient reaches the table through the token vectors: it was cut off (detach, no_grad)
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

# %% wrong: local_base_by_the_first_layer (2) => the base of each layer follows from the window of the first: each layer looks at its own
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

# %% wrong: untied_head_starts_as_the_table (3) => untied, head and table start with the same numbers: each is drawn for itself
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

# %% wrong: only_the_last_place_behind_a_cache (3) => with caches the logits of the last place alone come back: each call returns those of all its places
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

# %% wrong: second_norms_keep_their_own_eps (2) => the second norms have an eps of their own: all have config.eps
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

# %% wrong: qk_norm_gets_eps (1) => QK-norm keeps its own eps: config.eps was given to q_norm and k_norm
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

# %% wrong: one_post_norm_twice (2) => post_norm1 and post_norm2 are one module: there are two second norms in a block, each with a weight of its own
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

# %% wrong: caches_only_in_eval (3) => the caches stay empty: the list itself, no copy, goes to the attention of its layer, also while it is empty, in both modes
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

# %% wrong: cache_cut_to_the_window (3) => the cache of a layer with a window is cut: all places stay in it, and the mask hides the old ones
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
