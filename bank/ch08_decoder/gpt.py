# %% right: blocks_and_mask
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: mask_buffer
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.register_buffer("mask", torch.tril(torch.ones(config.max_len, config.max_len)).bool(), persistent=False)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        for block in self.blocks:
            x, _ = block(x, self.mask[:T, :T])
        return self.head(self.norm(x))

# %% right: apply_and_slice
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        self.apply(self.start)
        for block in self.blocks:
            for part in (block.attention.W_o, block.feed_forward.linear2):
                nn.init.normal_(part.weight, std=0.02 / math.sqrt(2 * config.num_layers))

    def start(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding.weight[:T]
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: tie_the_other_way
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.token_embedding.weight = self.head.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        T = ids.size(-1)
        places = torch.arange(T, device=ids.device).unsqueeze(0).expand_as(ids)
        x = self.token_embedding(ids) + self.position_embedding(places)
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: own_parts_by_name
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, 4 * config.d_model, config.dropout, True, "gelu_tanh", True) for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return F.linear(self.norm(x), self.token_embedding.weight)

# %% right: head_made_first
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.token_embedding.weight = self.head.weight
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: fused
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        small = 0.02 / math.sqrt(2 * config.num_layers)
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=small)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device))
        x = self.dropout(x)
        for block in self.blocks:
            attention, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
                       for W in (attention.W_q, attention.W_k, attention.W_v))
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=attention.dropout.p if self.training else 0.0)
            x = x + block.dropout(attention.W_o(mixed.transpose(1, 2).flatten(2)))
            x = x + block.dropout(block.feed_forward(block.norm2(x)))
        return self.head(self.norm(x))


# %% right: asks_for_a_number_first
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        if ids.numel() and int(ids.min()) < 0:
            raise IndexError("ids are not negative")
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))


# %% wrong: no_mask -> future is not hidden
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x)
        return self.head(self.norm(x))

# %% wrong: mask_inverted -> hides the past
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).triu()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: exact_gelu -> exact GELU
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: no_last_norm -> last norm is missing
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(x)

# %% wrong: no_positions -> positions are missing
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids)
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: positions_from_one -> count from 0
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(1, T + 1, device=ids.device) % self.position_embedding.num_embeddings)
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: scaled_embedding -> √d_model
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) * self.norm.weight.numel() ** 0.5 + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: post_norm -> post-norm
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, norm_first=False, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: softmax -> logits are asked for
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)).softmax(dim=-1)

# %% wrong: log_softmax -> log-softmax
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)).log_softmax(dim=-1)

# %% wrong: last_place_only -> at every place
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))[:, -1]

# %% wrong: tuple -> logits alone
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)), None

# %% wrong: blocks_without_bias -> have no bias
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh", bias=False) for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: head_bias -> head has a bias
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=True)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: shared_block -> one and the same module !! other logits
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh")] * config.num_layers)
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: blocks_ignored -> does not go through the blocks
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            block(x, mask)
        return self.head(self.norm(x))

# %% wrong: not_tied -> matrix of its own !! other logits
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: copied_table -> given a copy !! other logits
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = nn.Parameter(self.token_embedding.weight.detach().clone())
        for name, p in self.named_parameters():
            if name == "head.weight":
                p.data.copy_(self.token_embedding.weight.data)
            elif p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: tied_data_only -> share their numbers !! other logits !! given a copy
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight.data = self.token_embedding.weight.data
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: default_start -> starts
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: all_alike -> writes into the stream is smaller
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: root_of_layers -> each block writes twice
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / config.num_layers ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: no_root -> root is missing
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: variance -> not the variance
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02 ** 0.5)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: uniform_start -> not drawn from a normal
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.uniform_(p, -0.02 * 3 ** 0.5 / ((2 * config.num_layers) ** 0.5 if small else 1), 0.02 * 3 ** 0.5 / ((2 * config.num_layers) ** 0.5 if small else 1))
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: biases_left -> biases start at 0
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: norms_zeroed -> norm starts with weight 1 !! dropout is at work
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            else:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: embeddings_forgotten -> as PyTorch makes a table
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2 and "embedding" not in name:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif p.dim() == 1 and "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: linear1_shrunk -> made smaller, too
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: cpu_mask -> on the CPU
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: cpu_positions -> on the CPU ?? on the device meta a table is read with places on the CPU, too
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: no_dropout_on_embeddings -> sum of the embeddings
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: no_dropout_in_blocks -> inside the blocks
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_in_eval -> eval mode
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = F.dropout(x, self.drop.p, training=True)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: batch_of_two -> any number of texts
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        ids = ids.view(2, -1) if B != 2 else ids
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: fixed_seed -> fixed seed
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        torch.manual_seed(0)
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: heads_ignored -> one head each
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, 1, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_in_the_tables_only -> dropout does not fall
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: fused_attention_without_dropout -> inside attention nothing is dropped ?? whether weights of attention are dropped shows only in how the outputs of many calls scatter
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5 if "W_o" in name or "linear2" in name else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        x = self.drop(self.token_embedding(ids) + self.position_embedding(torch.arange(ids.size(1), device=ids.device)))
        for block in self.blocks:
            a, h = block.attention, block.norm1(x)
            q, k, v = (W(h).unflatten(-1, (a.num_heads, -1)).transpose(1, 2) for W in (a.W_q, a.W_k, a.W_v))
            h = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + block.dropout(a.W_o(h.transpose(1, 2).flatten(2)))
            x = x + block.dropout(block.feed_forward(block.norm2(x)))
        return self.head(self.norm(x))

# %% wrong: block_result_not_unpacked -> A block returns two things
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_on_the_words_only -> on the words alone
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.drop(self.token_embedding(ids)) + self.position_embedding(torch.arange(T, device=ids.device))
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_on_the_positions_only -> sum of the embeddings
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.drop(self.position_embedding(torch.arange(T, device=ids.device)))
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: mask_of_numbers -> a boolean mask
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: mask_to_be_added -> a boolean mask
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        x = self.drop(x)
        mask = torch.full((T, T), float("-inf"), device=ids.device).triu(1)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: positions_along_the_batch -> one position for each token
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(B, device=ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: blocks_shared -> one and the same module !! other logits
class GPT(nn.Module):
    """A decoder: token ids in, logits for the next token at each place out."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh")] * config.num_layers)
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight         # one table, at both ends

        for name, p in self.named_parameters():
            # they write into the stream
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):                   # (batch, seq) -> (batch, seq, vocab_size)
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        causal = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        for block in self.blocks:
            x, _ = block(x, causal)                              # (batch, seq, d_model)
        return self.head(self.norm(x))

# %% wrong: detached_stream -> no gradient reaches
class GPT(nn.Module):
    """A decoder: token ids in, logits for the next token at each place out."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                             activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight         # one table, at both ends

        for name, p in self.named_parameters():
            # they write into the stream
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):                   # (batch, seq) -> (batch, seq, vocab_size)
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        causal = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        for block in self.blocks:
            x, _ = block(x.detach(), causal)                              # (batch, seq, d_model)
        return self.head(self.norm(x))

# %% wrong: dropout_on_word_and_place_apart -> falls on the two apart
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            [TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                              activation="gelu_tanh") for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.shape[1]
        positions = torch.arange(seq, device=ids.device)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids))
        x = x + self.dropout(self.position_embedding(positions)).expand_as(x)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: blocks_in_a_plain_list -> a plain list
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = [
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                             activation="gelu_tanh") for _ in range(config.num_layers)]
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.shape[1]
        positions = torch.arange(seq, device=ids.device)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(positions))
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_behind_the_last_norm -> no dropout falls behind it
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            [TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                              activation="gelu_tanh") for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.shape[1]
        positions = torch.arange(seq, device=ids.device)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(positions))
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.dropout(self.norm(x)))

# %% wrong: logits_from_the_table_head_of_its_own -> it must share the weight of token_embedding !! detached
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            [TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout,
                              activation="gelu_tanh") for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        for name, p in self.named_parameters():
            if name.endswith(("W_o.weight", "linear2.weight")):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * config.num_layers))
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.shape[1]
        positions = torch.arange(seq, device=ids.device)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(positions))
        for block in self.blocks:
            x, _ = block(x, mask)
        return F.linear(self.norm(x), self.token_embedding.weight)

# %% wrong: dropout_behind_the_blocks -> behind the blocks
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.register_buffer("mask", torch.tril(torch.ones(config.max_len, config.max_len)).bool(), persistent=False)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T, device=ids.device))
        for block in self.blocks:
            x, _ = block(x, self.mask[:T, :T])
        x = self.drop(x)
        return self.head(self.norm(x))

# %% right: mask_in_a_buffer_tied_the_other_way
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.token_embedding.weight = self.head.weight
        self.register_buffer('mask', torch.ones(config.max_len, config.max_len).tril().bool(), persistent=False)
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = self.mask[:seq, :seq]
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: started_by_modules
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        self.apply(self.start)
        for block in self.blocks:
            for writer in (block.attention.W_o, block.feed_forward.linear2):
                writer.weight.data.div_((2 * len(self.blocks)) ** 0.5)

    @staticmethod
    def start(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data = 0.02 * torch.randn_like(module.weight)
            if getattr(module, "bias", None) is not None:
                module.bias.data.fill_(0.0)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_twice -> more than once !! behind the blocks
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        x = self.dropout(x)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: mask_in_evaluation_alone -> the mask the same in both
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        if self.training:
            mask = torch.ones_like(mask)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: mask_of_the_first_text -> kept from one call to the next
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        if not hasattr(self, 'mask'):
            self.mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        mask = self.mask[:seq, :seq]
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: logits_in_float32 -> dtype of the model !! apart
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)).float()

# %% wrong: smaller_eps -> eps of a norm
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d, eps=1e-6)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: batch_of_one_squeezed -> one text of
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)).squeeze(0)

# %% wrong: head_detached -> do not occur in the text
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return F.linear(self.norm(x), self.head.weight.detach())

# %% wrong: linear2_small_in_deep_models_alone -> linear2.weight starts at 0.02 ?? the visible model of the start is deep
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name and config.num_layers > 3:
                nn.init.normal_(p, std=0.02 / (2 * config.num_layers) ** 0.5)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        places = torch.arange(seq, device=ids.device)
        x = self.dropout(self.token_embedding(ids) + self.position_embedding(places))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% right: places_and_mask_moved_there
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if p.dim() == 2:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, mean=0.0, std=0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(p)

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(T).to(ids.device))
        x = self.drop(x)
        mask = torch.ones(T, T, dtype=torch.bool).tril().to(ids.device)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: logits_in_float32_at_least -> keep the dtype of the model
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh", bias=True)
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.drop = nn.Dropout(config.dropout)
        self.head.weight = self.token_embedding.weight
        pass
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            else:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, 0.0, 0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.drop(self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device)))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x)).to(torch.promote_types(x.dtype, torch.float32))

# %% wrong: token_0_is_padding -> taken for padding ?? the visible check asks whether a gradient comes, not how large it is
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model, padding_idx=0)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh", bias=True)
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.drop = nn.Dropout(config.dropout)
        self.head.weight = self.token_embedding.weight
        pass
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            else:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, 0.0, 0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.drop(self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device)))
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: causal_mask_kept -> on another device
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh", bias=True)
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.drop = nn.Dropout(config.dropout)
        self.head.weight = self.token_embedding.weight
        self.kept = None
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            else:
                small = "W_o" in name or "linear2" in name
                nn.init.normal_(p, 0.0, 0.02 / (2 * config.num_layers) ** 0.5 if small else 0.02)

    def forward(self, ids):
        seq = ids.size(1)
        if self.kept is None or len(self.kept) < seq:
            self.kept = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        x = self.drop(self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device)))
        mask = self.kept[:seq, :seq]
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: start_by_the_number_of_the_block -> number of the block !! by √num_layers
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        for name, p in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                depth = 1 + int(name.split(".")[1])
                nn.init.normal_(p, std=0.02 / (2 * depth) ** 0.5)
            elif "norm" not in name:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.token_embedding(ids) + self.position_embedding.weight[:seq]
        x = self.drop(x)
        causal = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, causal)
        return self.head(self.norm(x))

# %% wrong: mask_of_1024 -> a fixed size
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([
            TransformerBlock(d, config.num_heads, dropout=config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        self.register_buffer("mask", torch.ones(1024, 1024, dtype=torch.bool).tril())
        small = 0.02 / math.sqrt(2 * config.num_layers)
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=small)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device))
        x = self.dropout(x)
        mask = self.mask[:seq, :seq]
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))

# %% wrong: dropout_in_the_place_of_d_ff -> third is d_ff
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.max_len, d)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([
            TransformerBlock(d, config.num_heads, config.dropout, activation="gelu_tanh")
            for _ in range(config.num_layers)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)
        self.head.weight = self.token_embedding.weight
        small = 0.02 / math.sqrt(2 * config.num_layers)
        for name, p in self.named_parameters():
            if "norm" in name:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(p)
            elif "W_o" in name or "linear2" in name:
                nn.init.normal_(p, std=small)
            else:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        seq = ids.size(1)
        x = self.token_embedding(ids) + self.position_embedding(torch.arange(seq, device=ids.device))
        x = self.dropout(x)
        mask = torch.ones(seq, seq, dtype=torch.bool, device=ids.device).tril()
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.head(self.norm(x))
