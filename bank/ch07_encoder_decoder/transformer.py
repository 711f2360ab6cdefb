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
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: pytorch_encoder_layers
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.tables = nn.ModuleDict({"source": nn.Embedding(source_vocab, d_model), "target": nn.Embedding(target_vocab, d_model)})
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(d_model, num_heads, d_ff or 4 * d_model, dropout, batch_first=True) for _ in range(num_layers)])
        self.writer = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(d_model, target_vocab)

    def start(self, ids, table):
        x = self.tables[table](ids)
        return self.drop(x * x.size(-1) ** 0.5 + sinusoidal_encoding(ids.size(1), x.size(-1), device=ids.device).to(x.dtype))

    def encode(self, source):
        x = self.start(source, "source")
        blocked = torch.zeros(source.shape, dtype=x.dtype, device=source.device).masked_fill(source == self.pad, torch.finfo(x.dtype).min)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=blocked)
        return x

    def decode(self, target, memory, memory_mask=None):
        x, places = self.start(target, "target"), torch.arange(target.size(1), device=target.device)
        for block in self.writer:
            x, _, weights = block(x, memory, places[:, None] >= places, memory_mask)
        return self.out(x), weights

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad).unsqueeze(1).unsqueeze(1))[0]

# %% right: learned_positions
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.source_places, self.target_places = nn.Embedding(max_len, d_model), nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.source_places(torch.arange(source.size(1), device=source.device))
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.target_places(torch.arange(seq, device=target.device)))
        for block in self.decoder:
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
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril() & (target != self.pad)[:, None, None]
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: head_tied_to_the_target_table
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: padding_row_of_zeros_and_no_scale
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model, padding_idx=pad if 0 <= pad < source_vocab else None)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) + self.positions[:seq])
        for block in self.decoder:
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
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :].expand(-1, 1, target.size(1), -1)
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: scaled_by_the_width
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]


# %% wrong: no_positions_in_the_source -> the source has no positions
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_positions_in_the_target -> the target has no positions
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5)
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_along_the_batch -> positions run along the sentence
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(0), None]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: tables_exchanged -> too large for a table
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(target_vocab, d_model)
        self.target_embedding = nn.Embedding(source_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: head_over_source_words -> over the source's words
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, source_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: softmax_at_the_end -> without softmax
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x).softmax(-1), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: log_softmax_at_the_end -> log-probabilities
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return F.log_softmax(self.head(x), dim=-1), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_the_first_block -> those of an earlier block
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            kept.append(weights)
        weights = kept[0]
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_all_blocks -> of one block, for each head
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            kept.append(weights)
        weights = torch.stack(kept)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_of_self_attention -> of one block, for each head
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, weights, _ = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: forward_returns_the_weights_too -> logits alone
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        return self.decode(target, self.encode(source), mask)

# %% wrong: memory_is_the_target -> the logits do not depend on the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory * 0, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: one_decoder_block -> one more layer
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(1)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: the_same_decoder_block_again -> one more layer
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout)] * num_layers)
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: d_ff_not_passed -> d_ff
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, None, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_not_passed -> does not reach the encoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(x, mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encoder_never_used -> does not see the last
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.drop(x)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: source_padding_not_hidden_in_the_encoder -> the encoder does not hide padding
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x))

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: source_padding_not_hidden_in_cross_attention -> forward does not hide it in cross-attention
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source))
        return logits

# %% wrong: padding_mask_turned_round -> mask turned round
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source == self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source == self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: pad_zero_written_in -> is a 0 written into the code
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != 0)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != 0)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: memory_mask_left_aside -> memory_mask
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: pad_not_kept -> as pad
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.padding = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.padding)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.padding)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_not_hidden -> the future is not hidden
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, None, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_the_first_block_only -> the future is not hidden
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            self_mask = None
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: causal_mask_turned_round -> the future is not hidden
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).triu()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: own_word_hidden -> does not see itself
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril(-1)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_the_encoder -> in the encoder all words see each other
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :] & torch.ones(source.size(1), source.size(1), device=source.device).tril().bool()
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: future_hidden_in_cross_attention -> whole source may be read !! taken for the sentences
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

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
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool).tril().to(target.device)
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: positions_not_a_buffer -> another device
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.positions = sinusoidal_encoding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: sixteen_positions_at_most -> max_len
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(16, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mean_of_the_memory -> the same vector for every word
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory.mean(1, keepdim=True).expand_as(memory), self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encodes_without_gradient -> no gradient reaches
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_of_the_embeddings_only -> feed-forward networks
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_dropout_on_the_embeddings -> dropout is missing on the sum of embedding and position in the encoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(x, mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq]
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: no_dropout_on_the_target_embedding -> dropout is missing on the sum of embedding and position in the decoder
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq]
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: dropout_on_the_words_only -> dropout is missing on the sum of embedding and position
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mask_of_two_axes -> needs two axes of size 1
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: block_result_not_unpacked -> a tuple, or None, came where a tensor was needed
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x = block(x, memory, self_mask, memory_mask)
            weights = x[2]
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: encode_returns_a_tuple -> a tuple, or None, came where a tensor was needed
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask), mask

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: decode_returns_the_logits_alone -> could not be used
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x)

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: heads_and_layers_exchanged -> reach its place in the parts
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_layers, num_heads, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: mask_of_the_target -> made from the source
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * self.d_model ** 0.5 + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (target != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: weights_averaged_over_the_blocks -> weights of different blocks mixed
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
            found.append(weights)
        return self.head(x), torch.stack(found).mean(dim=0)

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: padding_seen_in_evaluation -> encoder does not hide padding
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

# %% wrong: padding_seen_in_training -> in training
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

# %% wrong: padding_mask_kept_by_shape -> in every call anew
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

# %% wrong: base_and_exponent_exchanged -> multiplied by a number near 0 ?? at the widths of the visible check the words still count
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
        self.head = nn.Linear(d_model, target_vocab)

    def encode(self, source):
        mask = (source != self.pad)[:, None, None, :]
        x = self.source_embedding(source) * 0.5 ** self.d_model + self.positions[:source.size(1)]
        return self.encoder(self.drop(x), mask)

    def decode(self, target, memory, memory_mask=None):
        seq = target.size(1)
        self_mask = torch.ones(seq, seq, dtype=torch.bool, device=target.device).tril()
        x = self.drop(self.target_embedding(target) * self.d_model ** 0.5 + self.positions[:seq])
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% right: pytorch_reader
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.reader = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model, num_heads, d_ff or 4 * d_model, dropout, batch_first=True), num_layers, enable_nested_tensor=False)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        hidden = (source == self.pad)
        hidden = hidden & ~hidden.all(dim=1, keepdim=True)
        return self.reader(self.embed(self.source_embedding, source), src_key_padding_mask=hidden)

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% right: tied_head
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab, bias=False)
        self.head.weight = self.target_embedding.weight
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: positions_stop_at_63 -> has a position of its own ?? the numbers of the visible check can be followed by hand
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: decode_keeps_the_mask_of_encode -> it works from the memory and the mask that it is given
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: dropout_behind_the_blocks -> no dropout falls behind the blocks ?? the visible check asks where dropout is missing
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(self.dropout(x)), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: causal_up_to_16 -> texts of any length
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: padding_mask_on_the_words_written -> is memory_mask used in self-attention
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past if memory_mask is None or memory_mask.shape[-1] != len(past) else past & memory_mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: one_table_for_both_languages -> too large for a table
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = self.source_embedding
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: float32_cast -> did not run in float64
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: columns_of_nothing_but_padding_seen -> columns of nothing but padding ?? in the visible check one sentence of the batch fills every column
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad = pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.reader = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model, num_heads, d_ff or 4 * d_model, dropout, batch_first=True), num_layers, enable_nested_tensor=False)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.positions.shape[1])
        return self.dropout(x + self.positions[:ids.shape[1]])

    def encode(self, source):
        hidden = (source == self.pad)
        hidden = hidden & ~hidden.all(dim=0, keepdim=True)
        return self.reader(self.embed(self.source_embedding, source), src_key_padding_mask=hidden)

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        past = causal_mask(target.shape[1], target.device)
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: dropout_on_word_and_place_apart -> let dropout fall on the sum ?? the visible check asks where dropout is missing
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers, d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.d_model, self.pad = d_model, pad
        self.source_embedding = nn.Embedding(source_vocab, d_model)
        self.target_embedding = nn.Embedding(target_vocab, d_model)
        self.register_buffer("positions", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])
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
        for block in self.decoder:
            x, _, weights = block(x, memory, self_mask, memory_mask)
        return self.head(x), weights

    def forward(self, source, target):
        mask = (source != self.pad)[:, None, None, :]
        logits, _ = self.decode(target, self.encode(source), mask)
        return logits

# %% wrong: padding_idx_in_both_tables -> could not be made ?? only the hidden check has a pad beyond the target's table
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
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)

    def embed(self, table, ids):
        return self.dropout(table(ids) * self.d_model ** 0.5 + self.positions[:ids.size(1)])

    def encode(self, source):
        return self.encoder(self.embed(self.source_embedding, source), (source != self.pad)[:, None, None])

    def decode(self, target, memory, memory_mask=None):
        x = self.embed(self.target_embedding, target)
        mask = causal_mask(target.size(1), target.device)
        for block in self.decoder:
            x, _, cross = block(x, memory, mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: sees_the_last_sixteen_words -> however long it is
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
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
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
        for block in self.decoder:
            x, _, cross = block(x, memory, mask, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: mask_of_two_axes_for_sentences -> rows were taken for the sentences
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_table, self.target_table = nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model)
        self.register_buffer("places", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        pass

    def embed(self, table, ids):
        return self.drop(table(ids) * self.d_model ** 0.5 + self.places[:ids.size(1)])

    def encode(self, source):
        mask = (source != self.pad)[:, None, None]
        return self.encoder(self.embed(self.source_table, source), mask)

    def decode(self, target, memory, memory_mask=None):
        if memory_mask is not None and memory_mask.dim() == 2:
            memory_mask = memory_mask[:, None, None]
        causal = causal_mask(target.size(1), target.device)
        x = self.embed(self.target_table, target)
        for block in self.blocks:
            x, _, cross = block(x, memory, causal, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: causal_mask_kept -> tensors of two devices meet
class Transformer(nn.Module):
    def __init__(self, source_vocab, target_vocab, d_model, num_heads, num_layers,
                 d_ff=None, dropout=0.0, pad=0, max_len=512):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.source_table, self.target_table = nn.Embedding(source_vocab, d_model), nn.Embedding(target_vocab, d_model)
        self.register_buffer("places", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
        self.encoder = Encoder(d_model, num_heads, num_layers, d_ff, dropout)
        self.blocks = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers))
        self.head = nn.Linear(d_model, target_vocab)
        self.kept = None

    def embed(self, table, ids):
        return self.drop(table(ids) * self.d_model ** 0.5 + self.places[:ids.size(1)])

    def encode(self, source):
        mask = (source != self.pad)[:, None, None]
        return self.encoder(self.embed(self.source_table, source), mask)

    def decode(self, target, memory, memory_mask=None):
        if self.kept is None or len(self.kept) < target.size(1):
            self.kept = causal_mask(target.size(1), target.device)
        causal = self.kept[:target.size(1), :target.size(1)]
        x = self.embed(self.target_table, target)
        for block in self.blocks:
            x, _, cross = block(x, memory, causal, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), (source != self.pad)[:, None, None])[0]

# %% wrong: encode_hides_word_0_too -> does not see word number 0
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

# %% wrong: forward_hides_word_0_too -> forward hides word number 0
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

# %% wrong: positions_of_even_width_only -> d_model=9 with num_heads=3 did not run
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: memory_mask_of_three_axes_for_sentences -> taken for the sentences
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: dropout_twice_on_the_target -> it falls once on the sum
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: target_mask_without_an_axis_for_heads -> its rows are taken for the heads
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]

# %% wrong: padding_cut_off_in_encode -> a vector for each token of the source
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source)[..., :int((source != self.pad).sum(1).max())])[0]


# %% wrong: mask_only_where_padding_is_the_past_on_the_cpu -> use the input's device ?? it asks for a number, which the device meta of the visible check does not have
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
        self.decoder = nn.ModuleList(
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
        for block in self.decoder:
            x, _, cross = block(x, memory, past, memory_mask)
        return self.head(x), cross

    def forward(self, source, target):
        return self.decode(target, self.encode(source), self.source_mask(source))[0]
