# %% right: look_up_an_arange
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        batch, seq, d_model = x.shape
        if seq > self.max_len:
            raise ValueError(f"sequence of length {seq} is longer than max_len={self.max_len}")
        return x + self.table(torch.arange(seq, device=x.device))

# %% right: expanded_indices_and_other_init
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, x):
        if x.shape[1] > len(self.table.weight):
            raise ValueError("x has %d tokens, the table %d rows" % (x.shape[1], len(self.table.weight)))
        indices = torch.arange(x.shape[-2], device=self.table.weight.device).expand(x.shape[0], -1)
        return self.table(indices) + x

# %% right: positions_as_a_buffer
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.register_buffer("positions", torch.arange(max_len), persistent=False)
        self.d_model = d_model
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.size(-2)
        if seq > self.positions.numel():
            raise ValueError(f"got {seq} positions, at most {self.positions.numel()} are possible")
        return torch.add(x, F.embedding(self.positions[:seq], self.table.weight).unsqueeze(0))

# %% right: loop_over_positions
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} > {self.table.num_embeddings}")
        return torch.stack([x[:, p] + self.table.weight[p] for p in range(x.size(1))], dim=1)

# %% right: cumsum_of_ones
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, rows = x.shape[1], self.table.weight.shape[0]
        if not seq <= rows:
            raise ValueError(f"the sentence has {seq} tokens and the table {rows} rows")
        places = torch.ones(seq, dtype=torch.long, device=x.device).cumsum(0) - 1
        return x + self.table(places)[None, :, :]

# %% wrong: positions_off_by_one -> counted from 1
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.size(1)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return x + self.table(torch.arange(1, seq + 1, device=x.device).clamp(max=self.table.num_embeddings - 1))

# %% wrong: rows_alone -> add them to x
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.size(1)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return self.table.weight[:seq].expand_as(x)

# %% wrong: whole_table -> first 3 rows
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight

# %% wrong: batch_taken_for_length -> first 3 rows
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = len(x)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return x + self.table.weight[:seq]

# %% wrong: row_per_sentence -> every sentence got one row
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table(torch.arange(x.size(0), device=x.device))[:, None]

# %% wrong: no_check -> say it with a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: no_check_with_slice -> say it with a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table.weight[:x.size(1)]

# %% wrong: clamped_past_the_end -> a ValueError was expected
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device).clamp(max=self.table.num_embeddings - 1))

# %% wrong: wraps_around -> a ValueError was expected
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device) % self.table.num_embeddings)

# %% wrong: refuses_a_full_table -> only more are too many
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) >= self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)]

# %% wrong: message_names_one_length -> both lengths
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"the sentence is longer than max_len = {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)]

# %% wrong: assertion_instead -> a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        assert x.size(1) <= self.table.num_embeddings, f"{x.size(1)} {self.table.num_embeddings}"
        return x + self.table.weight[:x.size(1)]

# %% wrong: in_place -> in place
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        x += self.table.weight[:x.size(1)]
        return x

# %% wrong: a_parameter -> nn.Embedding named table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"{x.size(1)} {len(self.table)}")
        return x + self.table[:x.size(1)]

# %% wrong: detached -> no gradient reaches the table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight.data[:x.size(1)]

# %% wrong: cpu_indices -> on the CPU ?? a second device is needed, and the visible check has only one
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table(torch.arange(x.size(1)))

# %% wrong: float32_only -> dtype
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x.float() + self.table.weight[:x.size(1)].float()

# %% wrong: ignores_eval -> mode
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)] if self.training else x

# %% wrong: scaled_embeddings -> x was scaled
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x * x.size(-1) ** 0.5 + self.table.weight[:x.size(1)]

# %% wrong: concatenated -> the shape of x expected
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return torch.cat([x, self.table.weight[:x.size(1)].expand(x.size(0), -1, -1)], dim=-1)

# %% wrong: dropout_left_in -> x + table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return self.dropout(x + self.table.weight[:x.size(1)])

# %% wrong: axes_of_the_table_swapped -> a row for each
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(d_model, max_len)

    def forward(self, x):
        return x + self.table.weight.T[:x.size(1)]

# %% wrong: random_rows_each_time -> x + table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        return x + nn.Embedding(max_len, x.size(-1)).weight[:seq]

# %% wrong: positions_kept_between_calls -> position
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        start = getattr(self, "start", 0)
        self.start = start + seq if start + 2 * seq <= max_len else 0
        return x + self.table.weight[start:start + seq]

# %% wrong: last_rows -> x + table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        return x + self.table.weight[max_len - seq:]

# %% wrong: second_table_that_is_never_used -> table.weight alone
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.spare = nn.Linear(d_model, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        return x + self.table.weight[:seq]

# %% wrong: x_as_index -> first 3 rows
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} tokens, {self.max_len} rows")
        return x + self.table(x)

# %% wrong: batch_checked_instead_of_length -> say it with a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(0) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table.weight[:x.size(1)]

# %% wrong: row_0_never_learns -> 0 for the rest
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, padding_idx=0)
    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: features_checked_instead_of_length -> say it with a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(-1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))
