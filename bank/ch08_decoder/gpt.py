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


# %% wrong: no_mask (1) => the future is not hidden: the blocks need the causal mask
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

# %% wrong: mask_inverted (1) => the mask hides the past instead of the future
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

# %% wrong: exact_gelu (1) => the activation is the exact GELU: GPT-2 needs gelu_tanh
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

# %% wrong: no_last_norm (1) => the last norm is missing, between the blocks and the head
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

# %% wrong: no_positions (1, 2) => the positions are missing
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

# %% wrong: positions_from_one (1) => the first token got row 1 of the position table: places count from 0
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

# %% wrong: scaled_embedding (1, 2) => the token vectors were multiplied by √d_model: GPT-2 takes them as they are
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

# %% wrong: post_norm (1) => the blocks are post-norm: GPT-2's are pre-norm
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

# %% wrong: softmax (1) => softmax was applied: logits are asked for
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

# %% wrong: log_softmax (1) => log-softmax was applied: logits are asked for
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

# %% wrong: last_place_only (1, 2) => logits are asked for at every place, not for the last one alone
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

# %% wrong: tuple (1, 2) -> logits should come back
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

# %% wrong: blocks_without_bias (3) => the projections of attention have no bias: GPT-2's have
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

# %% wrong: head_bias (3) => the head has a bias: GPT-2's has none
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

# %% wrong: shared_block (3) => the blocks are one and the same module: each needs numbers of its own, so build each of them !! other logits
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

# %% wrong: blocks_ignored (1) => x does not go through the blocks
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

# %% wrong: not_tied (3) => the head has a matrix of its own: it must share the weight of token_embedding !! other logits
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

# %% wrong: copied_table (3) => head and token table are two parameters that begin with the same numbers: they are counted twice, and part after the first step of training or when the model gets another dtype: both must hold the same parameter !! other logits
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

# %% wrong: tied_data_only (1, 3) => head and token table are two parameters that begin with the same numbers: they are counted twice, and part after the first step of training or when the model gets another dtype: both must hold the same parameter !! other logits
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

# %% wrong: default_start (4) => the matrices were left as PyTorch made them: their sizes are not GPT-2's
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

# %% wrong: all_alike (4) => W_o and linear2 start at 0.02, too: what writes into the stream is smaller by the root of 2 · num_layers
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

# %% wrong: root_of_layers (4) => W_o and linear2 are smaller by √num_layers: each block writes twice, so it is √(2 · num_layers)
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

# %% wrong: no_root (4) => W_o and linear2 are smaller by 2 · num_layers: the root is missing
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

# %% wrong: variance (4) => 0.02 is the standard deviation, not the variance
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

# %% wrong: uniform_start (4) => the matrices are not drawn from a normal distribution: none of their numbers lies beyond two standard deviations, 4.6% expected
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

# %% wrong: biases_left (4) => biases start at 0: they were left as PyTorch made them
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

# %% wrong: norms_zeroed (4) => a norm starts with weight 1 and bias 0, as PyTorch makes it !! dropout is at work
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

# %% wrong: embeddings_forgotten (4) => the tables start with numbers of size 1, as PyTorch makes them: 0.02 expected
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

# %% wrong: linear1_shrunk (4) => linear1 was made smaller, too: only W_o and linear2 write into the stream
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

# %% wrong: cpu_mask (1) -> two devices
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

# %% wrong: cpu_positions (1) -> two devices meet ?? a notebook sees which ids a table is asked for, the grader's visible check does not: its tensors are made elsewhere
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

# %% wrong: no_dropout_on_embeddings (2) => dropout does not fall on the sum of the embeddings
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

# %% wrong: no_dropout_in_blocks (2) => dropout does not fall inside the blocks, on what they add
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

# %% wrong: dropout_in_eval (2) -> evaluation mode
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

# %% wrong: batch_of_two (1, 2) -> it did not run
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

# %% wrong: fixed_seed (4) -> two new models differ
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

# %% wrong: heads_ignored (1) => the blocks have one head each: config.num_heads says how many
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

# %% wrong: dropout_in_the_tables_only (2) => dropout does not fall inside the blocks, on what they add
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

# %% wrong: fused_attention_without_dropout (2) => inside attention nothing is dropped: the weights that softmax gives are to be dropped, too
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

# %% wrong: block_result_not_unpacked (1, 2) => a block returns two things, x and weights
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

# %% wrong: dropout_on_the_words_only (2) => dropout falls on the words alone, and should fall on the sum of the embeddings
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

# %% wrong: dropout_on_the_positions_only (2) => dropout falls on the positions alone, and should fall on the sum of the embeddings
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

# %% wrong: mask_of_numbers (1, 2) => a block takes a boolean mask, True where a token may attend
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

# %% wrong: mask_to_be_added (1, 2) => a block takes a boolean mask, True where a token may attend
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

# %% wrong: positions_along_the_batch (1, 2) => there is one position for each token of a text, so (seq,) of them
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

# %% wrong: blocks_shared (3) => the blocks are one and the same module: each needs numbers of its own, so build each of them !! other logits
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

# %% wrong: detached_stream (1) => the stream was detached on the way: no gradient of the blocks reaches what is in front of them
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

# %% wrong: dropout_on_word_and_place_apart (2) -> dropout falls on their sum
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

# %% wrong: blocks_in_a_plain_list => the parameters of the blocks are not found: a plain list hides them, nn.ModuleList does not
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

# %% wrong: dropout_behind_the_last_norm (2) => nothing is left of the last norm: no dropout falls behind it
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

# %% wrong: logits_from_the_table_head_of_its_own (1, 3) => the head has a matrix of its own: it must share the weight of token_embedding !! detached
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

# %% wrong: dropout_behind_the_blocks (2) -> dropout = 1, but all that the blocks add is kept
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

# %% wrong: dropout_twice (2) -> dropped once !! behind the blocks ?? how much is dropped shows only in the mean over many numbers
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

# %% wrong: mask_in_evaluation_alone (1) => the future is not hidden in training mode: the mask is the same in both
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

# %% wrong: mask_of_the_first_text (1) -> texts of 5 tokens, then one of 7
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

# %% wrong: logits_in_float32 (1) -> torch.float64 expected !! apart
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

# %% wrong: smaller_eps (1) => a norm has another eps than PyTorch's own
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

# %% wrong: batch_of_one_squeezed (1) => one text is a batch of one: (1, seq, vocab_size) expected
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

# %% wrong: head_detached (1) => the head hands no gradient on: it was detached, and scores every token, also those that do not occur in the text
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

# %% wrong: linear2_small_in_deep_models_alone (4) => linear2 starts at 0.02 in a model of few blocks: it is smaller there, too
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

# %% wrong: logits_in_float32_at_least (1) -> torch.bfloat16 expected
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

# %% wrong: token_0_is_padding (1) => the token 0 gets no gradient: was it taken for padding?
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

# %% wrong: causal_mask_kept (1) -> after a text on the first ?? the visible check moves no model that has read a text
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

# %% wrong: start_by_the_number_of_the_block (4) => W_o and linear2 were made smaller by the number of their block, not by num_layers !! by √num_layers
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

# %% wrong: mask_of_1024 (1) -> 1,025 tokens, max_len = 1,025
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

# %% wrong: dropout_in_the_place_of_d_ff (2) => the third argument of a TransformerBlock is d_ff: it takes dropout by its name
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


# %% wrong: norm_never_made (1, 2) => the last norm is missing, between the blocks and the head
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Embedding(config.max_len, config.d_model)
        self.drop = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(TransformerBlock(config.d_model, config.num_heads, dropout=config.dropout, activation="gelu_tanh") for _ in range(config.num_layers))
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

# %% wrong: norms_drawn (4) -> norm.weight should be 50
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
            if name.endswith("bias"):
                nn.init.zeros_(p)
            else:
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
