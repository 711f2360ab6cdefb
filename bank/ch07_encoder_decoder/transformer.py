# %% right: two_masks_made_where_needed
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: blocks_of_the_encoder_in_turn
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        x = self.drop(x)
        for block in self.encoder.blocks:
            x = block(x, mask)[0]
        return x

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.arange(seq, device=target.device)[:, None] >= torch.arange(seq, device=target.device)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: target_padding_hidden_too
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril() & (target != self.pad)[:, None, None]
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: padding_row_of_zeros
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model, padding_idx=pad if 0 <= pad < source_vocab else None)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: masks_with_all_four_axes
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        self_mask = self_mask.expand(len(target), 1, seq, seq)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :].expand(-1, 1, target.size(1), -1)
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: mask_only_where_padding_is
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        real = source != self.pad
        return None if real.all() else real[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% right: mask_moved_to_the_device
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool).tril().to(target.device)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: a_source_of_padding_reads_itself
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = source != self.pad
        mask = (mask | ~mask.any(dim=1, keepdim=True))[:, None, None]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: learned_positions (1) => positions are learned: add the rows of sinusoidal_encoding, which learn nothing
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.source_places, self.target_places = nn.Embedding(max_len, d_model), nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.source_places(torch.arange(source.size(1), device=source.device))
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.target_places(torch.arange(seq, device=target.device)))
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: head_tied_to_the_target_table (1) => head and target table share their numbers: the head is a linear layer of its own
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab, bias=False)
        self.head.weight = self.target_embedding.weight

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: scaled_by_the_width (1) => the embeddings are multiplied by d_model, not by its root
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_positions_in_the_source (1) => the source has no positions: add the rows of the position table to its embeddings
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_positions_in_the_target (1) => the target has no positions: add the rows of the position table to its embeddings
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5)
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_along_the_batch (1) => positions run along the batch: they run along the sentence, a row of the table for each word
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(0), None]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: tables_exchanged (1, 2) => the two tables have changed places: source_vocab is the size of the source's, target_vocab that of the target's
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(target_vocab, d_model)
        self.target_embedding = nn.Embedding(source_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: head_over_source_words (1) => the logits are over the source's words: target_vocab is the number of words that can be written
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, source_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: softmax_at_the_end (1) => these are probabilities: logits are wanted, without softmax
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x).softmax(-1), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: log_softmax_at_the_end (1) => these are log-probabilities: logits are wanted, as the linear layer gives them
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return F.log_softmax(self.head(x), dim=-1), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_the_first_block (1) => the weights returned are those of the first block: the last one's are asked for
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        kept = []
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            kept.append(weights)
        weights = kept[0]
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_all_blocks (1, 2) => the weights of all blocks came back: those of the last block alone are asked for, (batch, heads, seq_target, seq_source)
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        kept = []
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            kept.append(weights)
        weights = torch.stack(kept)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_self_attention (1, 2) => the weights returned are those of self-attention: those of cross-attention are asked for
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, weights, _ = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: forward_returns_the_weights_too (1, 2) => forward returns the logits alone
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        return self.decode(target, self.encode(source), mask)

# %% wrong: memory_is_the_target (1) => the decoder does not read the memory: hand it to every block as it is
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory * 0, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: one_decoder_block (1) => there is one decoder block: num_layers blocks are asked for on either side
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(1)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: the_same_decoder_block_again (1) => the decoder's blocks are one and the same: each has numbers of its own, so build each of them
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout)] * num_layers)
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: d_ff_not_passed (1) => d_ff does not reach the decoder's blocks: hand it to both sides
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, None, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_not_passed (1) => in training nothing is dropped on the side of the source: dropout falls on its embeddings, and is handed to the encoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(x, mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encoder_never_used (1) => the encoder is never used: encode returns what it makes of the embeddings
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.drop(x)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: source_padding_not_hidden_in_the_encoder (2) => the encoder does not hide padding: encode hands it a mask made from the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x))

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: source_padding_not_hidden_in_cross_attention (2) => forward does not hide padding in cross-attention: it hands decode a mask made from the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source))
        return logits

# %% wrong: padding_mask_turned_round (2) => the padding mask is turned round: True stands for what may be seen, the words
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source == self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source == self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: pad_zero_written_in (2) => a 0 is written into the code where pad is meant
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != 0)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != 0)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: memory_mask_left_aside (2) => memory_mask was left aside: hand it to every decoder block
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: pad_not_kept (1) => the number of the padding token is kept under the name pad
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.padding = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.padding)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.padding)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_not_hidden (3) => the future is not hidden: every decoder block needs a causal mask for its self-attention
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, None, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_the_first_block_only (3) => the future is hidden in the first block only: every decoder block needs the causal mask
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            self_mask = None
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: causal_mask_turned_round (3) => the causal mask is turned round: the past may be seen, and the future is hidden
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).triu()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: own_word_hidden (3) => a word in the decoder does not see itself: the diagonal of the causal mask is allowed
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril(-1)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_the_encoder (3) => the encoder hides the future: in the encoder all words see each other
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :] & torch.ones(source.size(1), source.size(1), device=source.device).tril().bool()
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_cross_attention (2) => words of the memory are hidden although no mask was given: the whole source may be read at any time
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        ahead = torch.ones(seq, memory.size(1), device=target.device).tril().bool()
        memory_mask = ahead if memory_mask is None else memory_mask & ahead
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_not_a_buffer (1) -> two devices meet
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.positions = sinusoidal_encoding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: sixteen_positions_at_most (1, 3) => the table of positions has 16 rows, whatever max_len is
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(16, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mean_of_the_memory (1) => the decoder reads the average of the memory: hand it the memory as it is, a vector for each word
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory.mean(1, keepdim=True).expand_as(memory), self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encodes_without_gradient (1) => encode cuts the gradient off: no part of the encoder could learn
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        with torch.no_grad():
            return self._encode(source, mask)

    def _encode(self, source, mask):
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_of_the_embeddings_only (1) => dropout does not reach the blocks: hand it to encoder and decoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_dropout_on_the_embeddings (1) => dropout is missing on the sum of embedding and position
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(x, mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq]
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_dropout_on_the_target_embedding (1) => dropout is missing on the sum of embedding and position in the decoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq]
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_on_the_words_only (1) => dropout falls on the words of the source alone: it falls on the sum of embedding and position
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5
        x = self.drop(x) if source.size(1) > 3 else x
        return self.encoder(x + self.positions[:source.size(1)], mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mask_of_two_axes (2) => a padding mask of two axes did not fit: it is broadcast to (batch, heads, seq_target, seq_source), so it needs two axes of size 1 between
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: block_result_not_unpacked (1, 2, 3) => a tuple came where a tensor was needed: a decoder block returns three things
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x = block(x, memory, self_mask, memory_mask)
            weights = x[2]
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encode_returns_a_tuple (1, 2, 3) => a tuple came where a tensor was needed: encode returns the memory alone
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask), mask

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: decode_returns_the_logits_alone (1, 2, 3) => decode returns two things, the logits and the weights of cross-attention in the last block
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x)

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: heads_and_layers_exchanged (1) => num_heads and num_layers have changed places: Encoder takes d_model, num_heads, num_layers, d_ff, dropout
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_layers, num_heads, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mask_of_the_target (2) => the mask for cross-attention is made from the target: it hides the padding of the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (target != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_averaged_over_the_blocks (1) => the weights of all blocks are averaged: those of the last block alone are asked for
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        found = []
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            found.append(weights)
        return self.head(x), torch.stack(found).mean(dim=0)

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: padding_seen_in_evaluation (2) => after eval() padding is seen: it is hidden in training and in evaluation
class Transformer(nn.Module):
    """Encoder and decoder, as in the 2017 paper."""

    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer(
            "positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        """source: (batch, seq_source) -> memory: (batch, seq_source, d_model)"""
        return self.encoder(
            self._embed(self.source_embedding, source), self._padding_mask(source))

    def decode(self, target, memory, memory_mask=None):
        """target: (batch, seq_target) -> logits (batch, seq_target, target_vocab),
        cross-attention weights of the last block
        """
        x, mask = (self._embed(self.target_embedding, target),
                   causal_mask(target.size(1), device=target.device))
        for block in self.blocks:
            x, _, cross_weights = block(x, memory, mask, memory_mask)
        return self.head(x), cross_weights

    def forward(self, source, target):
        """(batch, seq_source), (batch, seq_target) -> logits (batch, seq_target,
        target_vocab)
        """
        return self.decode(target, self.encode(source), self._padding_mask(source))[0]

    def _embed(self, embedding, ids):
        x = embedding(ids) * embedding.embedding_dim ** 0.5      # (batch, seq, d_model)
        # falls on the sum, as in the paper
        return self.dropout(x + self.positions[:ids.size(1)])

    def _padding_mask(self, source):
        return (source != self.pad)[:, None, None] if self.training else torch.ones_like(source, dtype=torch.bool)[:, None, None]           # (batch, 1, 1, seq_source)

# %% wrong: padding_seen_in_training (2) => in training padding is seen: it is hidden in training and in evaluation
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None,
                 dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, embedding, ids):
        x = embedding(ids) * self.d_model ** 0.5
        return self.dropout(x + self.positions[:ids.size(1)])

    def padding_mask(self, source):
        if self.training:
            return None
        return (source != self.pad)[:, None, None]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.padding_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        mask = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, weights = block(x, memory, mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        logits, _ = self.decode(target, self.encode(source), self.padding_mask(source))
        return logits

# %% wrong: padding_mask_kept_by_shape (2) => the mask of an earlier call is used again: make it from the source in every call
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None,
                 dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)
        self.masks = {}

    def embed(self, embedding, ids):
        x = embedding(ids) * self.d_model ** 0.5
        return self.dropout(x + self.positions[:ids.size(1)])

    def padding_mask(self, source):
        if source.shape not in self.masks:
            self.masks[source.shape] = (source != self.pad)[:, None, None]
        return self.masks[source.shape]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.padding_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        mask = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, weights = block(x, memory, mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        logits, _ = self.decode(target, self.encode(source), self.padding_mask(source))
        return logits

# %% wrong: base_and_exponent_exchanged (1) => the embeddings of the source are multiplied by a number near 0: by d_model to the power of 0.5, not 0.5 to the power of d_model
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * 0.5 ** self.d_model + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_stop_at_63 (1) => positions stop at 63: every place up to max_len has a row of its own
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[torch.arange(ids.shape[1], device=ids.device).clamp(max=63)])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: decode_keeps_the_mask_of_encode (1, 2) => decode works from the memory and the mask that it is given, and from nothing that encode has kept
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        self.kept = (source != self.pad)[:, None, None]
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        memory_mask = self.kept if memory_mask is None else memory_mask
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: dropout_behind_the_blocks (1) => with dropout = 1.0 nothing of the last block reaches the logits: no dropout falls behind the blocks
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(self.dropout(x)), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: causal_up_to_16 (3) => the future is hidden in short texts only: it is hidden in texts of any length
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        past = past if len(past) <= 16 else torch.ones_like(past)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: padding_mask_on_the_words_written (2) => memory_mask was used in self-attention, too: it is for cross-attention
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past if memory_mask is None or memory_mask.shape[-1] != len(past) else past & memory_mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: one_table_for_both_languages (1) => both languages share one table: source and target have vocabularies of their own
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = self.source_embedding
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: float32_cast (1) => the model did not run in float64: a line turns numbers into float32
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout((x + self.positions[:ids.shape[1]]).float())

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: columns_of_nothing_but_padding_seen (2) => where a column is nothing but padding it is seen: padding is hidden in any batch
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = source != self.pad
        mask = (mask | ~mask.any(dim=0, keepdim=True))[:, None, None]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_on_word_and_place_apart (1) -> let dropout fall on the sum ?? the visible check looks at the share alone
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5
        x = self.drop(x) + self.drop(self.positions[:source.size(1)])
        return self.encoder(x, mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5)
        x = x + self.drop(self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: padding_idx_in_both_tables (2) => the target's table need not have a row for pad: the padding is hidden in the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model, padding_idx=pad)
        self.target_embedding = nn.Embedding(target_vocab, d_model, padding_idx=pad)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        return self.dropout(table(ids) * self.d_model ** 0.5 + self.positions[:ids.size(1)])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        mask = causal_mask(target.size(1), target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: sees_the_last_sixteen_words (3) => after eval() a word sees the last sixteen words alone: all of the past may be seen
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        return self.dropout(table(ids) * self.d_model ** 0.5 + self.positions[:ids.size(1)])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        mask = causal_mask(target.size(1), target.device)
        if not self.training and target.size(1) > 1:
            # a long text: look at the last 16 words only, to save time
            mask = mask & ~causal_mask(target.size(1), target.device).tril(-16)
        for block in self.blocks:
            x, _, cross = block(x, memory, mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: mask_of_two_axes_for_sentences (2) => the rows of a memory_mask of two axes were taken for the sentences: it is (seq_target, seq_source), for all of them
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding, self.target_embedding = nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        pass

    def embed(self, table, ids):
        return self.drop(table(ids) * self.d_model ** 0.5 + self.positions[:ids.size(1)])

    def encode(self, source):
        mask = (source != self.pad)[:, None, None]
        return self.encoder(self.embed(self.source_embedding, source), mask)

    def decode(self, target, memory, memory_mask=None):
        if memory_mask is not None and memory_mask.dim() == 2:
            memory_mask = memory_mask[:, None, None]
        causal = causal_mask(target.size(1), target.device)
        x = self.embed(self.target_embedding, target)
        for block in self.blocks:
            x, _, cross = block(x, memory, causal, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: causal_mask_kept (1) -> after the model was moved ?? the visible check moves no model that has worked
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding, self.target_embedding = nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.kept = None

    def embed(self, table, ids):
        return self.drop(table(ids) * self.d_model ** 0.5 + self.positions[:ids.size(1)])

    def encode(self, source):
        mask = (source != self.pad)[:, None, None]
        return self.encoder(self.embed(self.source_embedding, source), mask)

    def decode(self, target, memory, memory_mask=None):
        if self.kept is None or len(self.kept) < target.size(1):
            self.kept = causal_mask(target.size(1), target.device)
        causal = self.kept[:target.size(1), :target.size(1)]
        x = self.embed(self.target_embedding, target)
        for block in self.blocks:
            x, _, cross = block(x, memory, causal, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: encode_hides_word_0_too (1) => encode hides the word with number 0, too: the padding is pad, and no other number
class Transformer(nn.Module):
    """Encoder and decoder, as in the 2017 paper."""

    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer(
            "positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        """source: (batch, seq_source) -> memory: (batch, seq_source, d_model)"""
        return self.encoder(
            self._embed(self.source_embedding, source), self._padding_mask(source) & (source != 0)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        """target: (batch, seq_target) -> logits (batch, seq_target, target_vocab),
        cross-attention weights of the last block
        """
        x, mask = (self._embed(self.target_embedding, target),
                   causal_mask(target.size(1), device=target.device))
        for block in self.blocks:
            x, _, cross_weights = block(x, memory, mask, memory_mask)
        return self.head(x), cross_weights

    def forward(self, source, target):
        """(batch, seq_source), (batch, seq_target) -> logits (batch, seq_target,
        target_vocab)
        """
        return self.decode(target, self.encode(source), self._padding_mask(source))[0]

    def _embed(self, embedding, ids):
        x = embedding(ids) * embedding.embedding_dim ** 0.5      # (batch, seq, d_model)
        # falls on the sum, as in the paper
        return self.dropout(x + self.positions[:ids.size(1)])

    def _padding_mask(self, source):
        return (source != self.pad)[:, None, None]           # (batch, 1, 1, seq_source)

# %% wrong: forward_hides_word_0_too (1) => forward hides the word with number 0, too: the padding is pad, and no other number
class Transformer(nn.Module):
    """Encoder and decoder, as in the 2017 paper."""

    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer(
            "positions", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        """source: (batch, seq_source) -> memory: (batch, seq_source, d_model)"""
        return self.encoder(
            self._embed(self.source_embedding, source), self._padding_mask(source))

    def decode(self, target, memory, memory_mask=None):
        """target: (batch, seq_target) -> logits (batch, seq_target, target_vocab),
        cross-attention weights of the last block
        """
        x, mask = (self._embed(self.target_embedding, target),
                   causal_mask(target.size(1), device=target.device))
        for block in self.blocks:
            x, _, cross_weights = block(x, memory, mask, memory_mask)
        return self.head(x), cross_weights

    def forward(self, source, target):
        """(batch, seq_source), (batch, seq_target) -> logits (batch, seq_target,
        target_vocab)
        """
        return self.decode(target, self.encode(source), self._padding_mask(source) & (source != 0)[:, None, None])[0]

    def _embed(self, embedding, ids):
        x = embedding(ids) * embedding.embedding_dim ** 0.5      # (batch, seq, d_model)
        # falls on the sum, as in the paper
        return self.dropout(x + self.positions[:ids.size(1)])

    def _padding_mask(self, source):
        return (source != self.pad)[:, None, None]           # (batch, 1, 1, seq_source)

# %% wrong: positions_of_even_width_only (1) => an odd d_model did not run: a table of positions of odd width has one cosine fewer than sines
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("positions", pe)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        return (source != self.pad)[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: memory_mask_of_three_axes_for_sentences (2) => the tables of a memory_mask of three axes were taken for the sentences: it is (heads, seq_target, seq_source), and goes to cross-attention as it is
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        return (source != self.pad)[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1), device=target.device)
        if memory_mask is not None and memory_mask.dim() == 3:
            memory_mask = memory_mask.unsqueeze(1)       # (batch, 1, seq_target, seq_source)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: dropout_twice_on_the_target (1) -> falls once on the sum
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        return (source != self.pad)[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.dropout(self.embed(self.target_embedding, target))
        past = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: target_mask_without_an_axis_for_heads (3) => a mask for each sentence needs an axis of size 1 for the heads, (batch, 1, seq, seq)
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        return (source != self.pad)[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1), device=target.device)
        past = past & (target != self.pad)[:, None, :]
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: padding_cut_off_in_encode (2) => encode cut padding off: the memory has a vector for each token of the source, padding included
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        return (source != self.pad)[:, None, None, :]

    def encode(self, source):
        longest = int((source != self.pad).sum(1).max())
        return self.encoder(self.embed(self.source_embedding, source[:, :longest]), self.source_mask(source[:, :longest]))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1), device=target.device)
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source)[..., :int((source != self.pad).sum(1).max())])[0]

# %% wrong: mask_only_where_padding_is_the_past_on_the_cpu (1) -> two devices meet ?? it asks for a number, which the device meta of the visible check does not have
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.d_model)
        return self.dropout(x + self.positions[:ids.size(1)])

    def source_mask(self, source):
        real = source != self.pad
        return None if real.all() else real[:, None, None, :]

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), self.source_mask(source))

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.size(1))
        for block in self.blocks:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: no_scale (1) => the embeddings are not multiplied by √d_model
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) + self.positions[:seq])
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_scaled_too (1) => the positions are multiplied by √d_model, too: the embedding alone is, before they are added
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = (self.source_embedding(source) + self.positions[:source.size(1)]) * self.d_model ** 0.5
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop((self.target_embedding(target) + self.positions[:seq]) * self.d_model ** 0.5)
        for block in self.blocks:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits
