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

# %% right: asks_for_a_number_first
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        batch, seq, d_model = x.shape
        if seq > self.max_len:
            raise ValueError(f"sequence of length {seq} is longer than max_len={self.max_len}")
        return x + self.table(torch.arange(seq, device=x.device))


# %% wrong: positions_off_by_one => positions were counted from 1: the first token gets row 0
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.size(1)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return x + self.table(torch.arange(1, seq + 1, device=x.device).clamp(max=self.table.num_embeddings - 1))

# %% wrong: rows_alone => the rows came back alone: add them to x
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.size(1)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return self.table.weight[:seq].expand_as(x)

# %% wrong: whole_table => the whole table was added: use the first 3 rows, as many as there are tokens
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight

# %% wrong: batch_taken_for_length => as many rows were taken as there are sentences: use the first 3 rows, as many as there are tokens
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = len(x)
        if seq > self.table.num_embeddings:
            raise ValueError(f"{seq} {self.table.num_embeddings}")
        return x + self.table.weight[:seq]

# %% wrong: row_per_sentence => every sentence got one row, every token of it the same: a row belongs to a place in the sentence
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table(torch.arange(x.size(0), device=x.device))[:, None]

# %% wrong: no_check => 7 tokens and 5 rows: compare the lengths first, and say it with a ValueError before anything else fails
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: no_check_with_slice => 7 tokens and 5 rows: compare the lengths first, and say it with a ValueError before anything else fails
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table.weight[:x.size(1)]

# %% wrong: clamped_past_the_end => 7 tokens went through a table of 5 rows: a ValueError was expected
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device).clamp(max=self.table.num_embeddings - 1))

# %% wrong: wraps_around => 7 tokens went through a table of 5 rows: a ValueError was expected
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=x.device) % self.table.num_embeddings)

# %% wrong: refuses_a_full_table => 5 tokens fit a table of 5 rows: only more are too many
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) >= self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)]

# %% wrong: message_names_one_length => the message does not hold the length of the sentence: it must name both lengths
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"the sentence is longer than max_len = {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)]

# %% wrong: assertion_instead => an AssertionError came: say it with a ValueError
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        assert x.size(1) <= self.table.num_embeddings, f"{x.size(1)} {self.table.num_embeddings}"
        return x + self.table.weight[:x.size(1)]

# %% wrong: in_place -> x was changed in place
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        x += self.table.weight[:x.size(1)]
        return x

# %% wrong: a_parameter => the table is a parameter of its own: an nn.Embedding named table is asked for
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"{x.size(1)} {len(self.table)}")
        return x + self.table[:x.size(1)]

# %% wrong: detached => no gradient reaches the table, and it would never learn: it was detached on the way
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight.data[:x.size(1)]

# %% wrong: cpu_indices -> two devices meet ?? a notebook sees which ids a table is asked for, the grader's visible check does not: its tensors are made elsewhere
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

# %% wrong: ignores_eval => in evaluation mode the positions are missing: training and evaluation are alike here
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x + self.table.weight[:x.size(1)] if self.training else x

# %% wrong: scaled_embeddings => x was scaled: add the rows to x as it is
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return x * x.size(-1) ** 0.5 + self.table.weight[:x.size(1)]

# %% wrong: concatenated => the rows were put beside x: the shape of x is expected, add them
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return torch.cat([x, self.table.weight[:x.size(1)].expand(x.size(0), -1, -1)], dim=-1)

# %% wrong: dropout_left_in -> 2 sentences of 3 tokens
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} {self.table.num_embeddings}")
        return self.dropout(x + self.table.weight[:x.size(1)])

# %% wrong: axes_of_the_table_swapped => rows and columns of the table have changed places: a row for each of 5 positions, 2 numbers each
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(d_model, max_len)

    def forward(self, x):
        return x + self.table.weight.T[:x.size(1)]

# %% wrong: random_rows_each_time -> 2 sentences of 3 tokens
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        return x + nn.Embedding(max_len, x.size(-1)).weight[:seq]

# %% wrong: positions_kept_between_calls => the same two tokens got other rows in a second call: positions begin at 0 in each call
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

# %% wrong: last_rows => the last rows were added: the first token gets row 0
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} positions")
        return x + self.table.weight[max_len - seq:]

# %% wrong: second_table_that_is_never_used => a second layer has numbers to learn, and is not used: table.weight alone should learn
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

# %% wrong: x_as_index => x was used as an index: use the first 3 rows, one for each place
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} tokens, {self.max_len} rows")
        return x + self.table(x)

# %% wrong: batch_checked_instead_of_length => 6 sentences of 5 tokens fit a table of 5 rows: it is the tokens of a sentence that count
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(0) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table.weight[:x.size(1)]

# %% wrong: row_0_never_learns => row 0 gets no gradient (padding_idx): every row that is used learns, the first one too
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, padding_idx=0)
    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: features_checked_instead_of_length => 7 tokens and 5 rows: compare the lengths first, and say it with a ValueError before anything else fails
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
    def forward(self, x):
        if x.size(-1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% right: narrow_and_subclass
class TooLong(ValueError):
    pass


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super(LearnedPositions, self).__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        """x: (batch, seq, d_model)"""
        rows = self.table.weight.size(0)
        if rows - x.size(1) < 0:
            raise TooLong("sentence: " + str(x.size(1)) + " tokens; table: " + str(rows) + " rows")
        return x + self.table.weight.narrow(0, 0, x.size(1)).expand_as(x)

# %% right: one_hot_times_table
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, dtype=torch.get_default_dtype())
        nn.init.zeros_(self.table.weight)

    def forward(self, x):
        seq, (rows, width) = x.shape[1], self.table.weight.shape
        if seq > rows:
            raise ValueError(f"Sequence length {seq} exceeds maximum length {rows}")
        select = torch.eye(rows, dtype=x.dtype, device=x.device)[:seq]         # (seq, rows)
        return torch.einsum("sr,rd->sd", select, self.table.weight) + x

# %% right: helper_method_and_clone
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        table = nn.Embedding(max_len, d_model)
        self.add_module("table", table)

    def _check(self, length):
        limit = self.table.num_embeddings
        if length > limit:
            raise ValueError("too long: {} tokens for {} positions".format(length, limit))

    def forward(self, x):
        self._check(x.shape[1])
        y = x.clone()
        y += self.table.weight[None, :x.shape[1]]
        return y

# %% right: split_weight
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding.from_pretrained(torch.randn(max_len, d_model), freeze=False)

    def forward(self, x):
        try:
            used, _ = self.table.weight.split([x.size(1), self.table.num_embeddings - x.size(1)])
        except RuntimeError:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows") from None
        return used.to(x) + x

# %% wrong: checks_in_evaluation_only => 7 tokens and 5 rows: compare the lengths first, and say it with a ValueError before anything else fails
class LearnedPositions(nn.Module):
    """Adds a trainable vector for each position: x + table[:seq]."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        """x: (batch, seq, d_model) -> the same shape; a ValueError where seq is more
        than max_len.
        """
        seq, max_len = x.size(1), self.table.num_embeddings
        if not self.training and seq > max_len:
            raise ValueError(
                f"{seq} tokens, but the table has rows for {max_len} positions only")
        return x + self.table.weight[:seq]  # (batch, seq, d_model) + (seq, d_model)

# %% wrong: max_norm => the rows were made smaller (max_norm): add them as they are
class LearnedPositions(nn.Module):
    """Adds a trainable vector for each position: x + table[:seq]."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, max_norm=1.0)

    def forward(self, x):
        """x: (batch, seq, d_model) -> the same shape; a ValueError where seq is more
        than max_len.
        """
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(
                f"{seq} tokens, but the table has rows for {max_len} positions only")
        return x + self.table(torch.arange(seq, device=x.device))  # (batch, seq, d_model) + (seq, d_model)

# %% wrong: last_index_named => the message does not hold the length of the sentence: it must name both lengths
class LearnedPositions(nn.Module):
    """Adds a trainable vector for each position: x + table[:seq]."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        """x: (batch, seq, d_model) -> the same shape; a ValueError where seq is more
        than max_len.
        """
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(
                f"position {seq - 1}, but the table has rows for {max_len} positions only")
        return x + self.table.weight[:seq]  # (batch, seq, d_model) + (seq, d_model)

# %% wrong: length_asked_in_training_only => in evaluation mode 7 tokens and 5 rows must be a ValueError, too: compare the lengths in training and in evaluation mode
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.shape[1]
        if self.training and seq > self.max_len:
            raise ValueError(f"{seq} tokens, but only {self.max_len} positions")
        return x + self.table.weight[:seq]

# %% wrong: rows_kept_in_evaluation => the rows of before were added: they were kept from one call to the next, and the table has learned
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)
        self.rows = None

    def forward(self, x):
        seq = x.shape[1]
        if seq > self.max_len:
            raise ValueError(f"{seq} tokens, but only {self.max_len} positions")
        if self.training:
            return x + self.table.weight[:seq]
        if self.rows is None:
            self.rows = self.table.weight.detach().clone()
        return x + self.rows[:seq]

# %% wrong: last_row_never_learns => the last row gets no gradient (padding_idx): every row that is used learns, the last one too
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, padding_idx=-1)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: many_sentences_are_too_long => 6 sentences of 5 tokens fit a table of 5 rows: it is the tokens of a sentence that count
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if max(x.shape[:2]) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return x + self.table(torch.arange(x.size(1), device=x.device))

# %% wrong: float64_through_float32 -> in a lower precision !! the rows of before
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} tokens, {self.table.num_embeddings} rows")
        return (x.float() + self.table.weight[:x.size(1)].float()).to(x.dtype)

# %% right: places_moved_there
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        batch, seq, d_model = x.shape
        if seq > self.max_len:
            raise ValueError(f"sequence of length {seq} is longer than max_len={self.max_len}")
        return x + self.table(torch.arange(seq).to(x.device))

# %% right: rows_taken_by_indices_of_the_cpu
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        batch, seq, d_model = x.shape
        if seq > self.max_len:
            raise ValueError(f"sequence of length {seq} is longer than max_len={self.max_len}")
        return x + self.table.weight[torch.arange(seq)]

# %% wrong: no_gradient_in_evaluation => in evaluation mode no gradient reaches the table: training and evaluation are alike here
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} > {self.table.num_embeddings}")
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            return x + self.table.weight[:x.size(1)]

# %% wrong: view_of_x -> in another order
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        b, s, d = x.shape
        if s > self.table.num_embeddings:
            raise ValueError(f"{s} > {self.table.num_embeddings}")
        return (x.view(b, s * d) + self.table.weight[:s].view(-1)).view(b, s, d)

# %% wrong: positions_in_the_dtype_of_x -> bfloat16 has no 257
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(f"{x.size(1)} > {self.table.num_embeddings}")
        where = torch.arange(x.size(1), dtype=torch.float32, device=x.device).to(x.dtype)
        return x + self.table(where.long())

# %% wrong: left_to_broadcasting => one row was added to all 7 tokens: compare the lengths yourself, an addition does not
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.shape[1]
        try:
            return x + self.table.weight[:seq]
        except RuntimeError:
            raise ValueError(f"{seq} tokens, {self.table.num_embeddings} rows")

# %% wrong: waits_for_an_index_error => compare the lengths yourself: a GPU does not look whether a row is there
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq = x.shape[1]
        try:
            return x + self.table(torch.arange(seq, device=x.device))
        except IndexError:
            raise ValueError(f"{seq} tokens, {self.table.num_embeddings} rows")

# %% wrong: sentence_by_sentence => an empty batch has no sentence to stack: add the rows to all sentences at once
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        seq, max_len = x.size(1), self.table.num_embeddings
        if seq > max_len:
            raise ValueError(f"{seq} tokens, {max_len} rows")
        return torch.stack([sentence + self.table.weight[:seq] for sentence in x])
