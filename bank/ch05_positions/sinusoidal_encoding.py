# %% right: fill_by_slices
def sinusoidal_encoding(max_len, d_model, device=None):
    position = torch.arange(max_len, device=device, dtype=torch.float32).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, device=device, dtype=torch.float32) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(max_len, d_model, device=device)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
    return pe

# %% right: two_loops
def sinusoidal_encoding(max_len, d_model, device=None):
    rows = []
    for p in range(max_len):
        row = []
        for column in range(d_model):
            angle = p / 10000 ** (2 * (column // 2) / d_model)
            row.append(math.sin(angle) if column % 2 == 0 else math.cos(angle))
        rows.append(row)
    return torch.tensor(rows, device=device)

# %% right: stack_and_flatten
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000.0 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.outer(torch.arange(max_len, device=device).float(), omega)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

# %% right: cosine_as_a_shifted_sine
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    omega = torch.pow(10000.0, -2.0 * torch.div(columns, 2, rounding_mode="floor") / d_model)
    return torch.sin(torch.arange(max_len, device=device)[:, None] * omega + (columns % 2) * math.pi / 2)

# %% right: double_precision_made_there
def sinusoidal_encoding(max_len, d_model, device=None):
    i = torch.arange((d_model + 1) // 2, dtype=torch.float64)
    angles = torch.arange(max_len, dtype=torch.float64).view(-1, 1) / 10000 ** (2 * i / d_model)
    pe = torch.empty(max_len, d_model, dtype=torch.float64)
    pe[:, ::2], pe[:, 1::2] = angles.sin(), angles.cos()[:, :d_model // 2]
    return pe.float().to(device)

# %% right: complex_exponential
def sinusoidal_encoding(max_len, d_model, device=None):
    steps = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = torch.arange(max_len)[:, None] * torch.exp(-steps / d_model * math.log(10000))
    hands = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([hands.imag, hands.real], dim=2).reshape(max_len, -1)[:, :d_model].contiguous().to(device)

# %% wrong: sines_then_cosines (1) => all sines stand before all cosines: they alternate, sine in even columns, cosine in odd ones
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000.0 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model]

# %% wrong: cosine_in_even_columns (1) => sine and cosine have changed places: sine belongs in the even columns
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000.0 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)[:, :d_model]

# %% wrong: frequency_per_column (1) => each column got a frequency of its own: the sine and the cosine of a pair share one
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: exponent_without_the_two (1) => the exponent is too small by half: hand i turns with 10000^(-2i/d)
def sinusoidal_encoding(max_len, d_model, device=None):
    i = torch.arange((d_model + 1) // 2, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-i / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

# %% wrong: two_applied_twice (1) => the second hand is too slow: with d = 4 its exponent is -2/4, and was the 2 applied twice?
def sinusoidal_encoding(max_len, d_model, device=None):
    i = torch.arange(0, d_model, 2, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-2 * i / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

# %% wrong: positive_exponent (1) => the second hand is faster than the first: ω falls with i, the exponent is negative
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000.0 ** (torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

# %% wrong: one_speed (1) => all hands turn equally fast: ω depends on i
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None].expand(-1, d_model).float()
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: positions_from_one (1) => positions count from 0: row 0 holds position 1
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(1, max_len + 1, device=device)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: transposed (1) => rows and columns have changed places: one row per position, one column per feature
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).T

# %% wrong: batch_axis_in_front (1) => the table has one axis too many: one row per position, one column per feature, no batch
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())[None]

# %% wrong: even_widths_only (2) => an odd width has one sine more than it has cosines, and the code could not place them
def sinusoidal_encoding(max_len, d_model, device=None):
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    pe = torch.zeros(max_len, d_model, device=device)
    pe[:, 0::2], pe[:, 1::2] = angles.sin(), angles.cos()
    return pe

# %% wrong: odd_width_rounded_up (2) => the frequencies are those of d = 6: with an odd width d is still d_model, 5 here
def sinusoidal_encoding(max_len, d_model, device=None):
    even = d_model + d_model % 2
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-torch.arange(0, even, 2, device=device) / even)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]

# %% wrong: odd_width_loses_a_column (2) => an odd width has one column more than there are pairs, and the last sine is missing
def sinusoidal_encoding(max_len, d_model, device=None):
    i = torch.arange(d_model // 2, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-2 * i / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

# %% wrong: last_column_left_at_zero (2) => the last column was left at 0: column 4 is even, so it is a sine
def sinusoidal_encoding(max_len, d_model, device=None):
    i = torch.arange(d_model // 2, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-2 * i / d_model)
    return F.pad(torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1), (0, d_model % 2))

# %% wrong: cpu_table (1) => the table was not made on the device asked for
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model)
    angles = torch.arange(max_len)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: positions_in_bfloat16 (1) => position 301 is another one here: far positions are as exact as near ones, and bfloat16 has no 301
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    positions = torch.arange(max_len, device=device).to(torch.bfloat16)
    angles = positions.float()[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: scaled_by_the_length (1) => positions were divided by the length of the table: row p stands for position p, however long the table is
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None] / max_len * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: degrees (1) => the angles were taken as degrees: they are radians
def sinusoidal_encoding(max_len, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    angles = torch.deg2rad(torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model))
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: base_1000 (1) => the second hand turns by 1000^(-2/4): the base is 10000
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 1000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: sine_everywhere (1) => every column holds a sine: odd columns hold cosines
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.sin())

# %% wrong: cosine_in_the_second_half (1) => sines stand in the first half and cosines in the second, column by column: they alternate
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns < d_model // 2, angles.sin(), angles.cos())

# %% wrong: turns_instead_of_radians (1) => every angle is 2π times too large: the angle is position times ω, in radians
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, (2 * math.pi * angles).sin(), (2 * math.pi * angles).cos())

# %% wrong: normalised_rows (1) => the rows were divided by their length: the formula has no such factor
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()) / (d_model / 2) ** 0.5

# %% wrong: degrees_and_from_one (1) => two things: positions count from 0, and angles are radians, not degrees
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(1, max_len + 1, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model) * math.pi / 180
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: half_precision_table (1) => the numbers were rounded to half precision: make the table in 32 bits at least
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions.half() * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos()).half()

# %% wrong: odd_width_repeats_the_last (2) => the frequencies of an odd width are those of d = 4: d is still d_model, 5 here
def sinusoidal_encoding(max_len, d_model, device=None):
    if d_model % 2:
        even = sinusoidal_encoding(max_len, d_model - 1, device)
        return torch.cat([even, even[:, -2:-1]], dim=1)
    positions = torch.arange(max_len, device=device)[:, None]
    columns = torch.arange(d_model, device=device)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% wrong: range_ends_at_10000 (1) => the slowest hand turns by 1/10000: with d = 4 it is 10000^(-2/4) = 0.01, the range does not end at 1/10000
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000 ** -torch.linspace(0, 1, (d_model + 1) // 2, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    pe = torch.empty(max_len, d_model, device=device)
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles[:, :d_model // 2].cos()
    return pe

# %% wrong: no_column_of_positions (1, 2) => 3 positions and 2 frequencies give 3 rows of 2 angles: positions must stand in a column, (3, 1)
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(max_len, device=device) * omega
    pe = torch.empty(max_len, d_model, device=device)
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles[:, :d_model // 2].cos()
    return pe

# %% wrong: cpu_omega (1) => a part of the table was made on another device than the one asked for
def sinusoidal_encoding(max_len, d_model, device=None):
    omega = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    pe = torch.empty(max_len, d_model, device=device)
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles[:, :d_model // 2].cos()
    return pe

# %% wrong: odd_width_one_column_more (2) => an odd width has as many cosines as it has sines here: d_model columns, the last one a sine
def sinusoidal_encoding(max_len, d_model, device=None):
    pe = sinusoidal = torch.zeros(max_len, d_model + d_model % 2, device=device)
    omega = 10000 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(max_len, device=device)[:, None] * omega
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles.cos()
    return pe

# %% wrong: kept_on_the_first_device (1) => the table was not made on the device asked for
def sinusoidal_encoding(max_len, d_model, device=None):
    """The fixed position table of the 2017 Transformer: sine in even columns, cosine in
    odd ones.

    Returns (max_len, d_model); d_model may be odd.
    """
    KEPT = globals().setdefault('_KEPT', {})
    if (max_len, d_model) in KEPT:
        return KEPT[max_len, d_model]
    positions = torch.arange(max_len, device=device)[:, None]  # (max_len, 1)
    columns = torch.arange(d_model, device=device)  # (d_model,)
    # (max_len, d_model)
    angles = positions * 10000.0 ** (-(columns - columns % 2) / d_model)
    KEPT[max_len, d_model] = torch.where(columns % 2 == 0, angles.sin(), angles.cos())
    return KEPT[max_len, d_model]

# %% wrong: positions_in_half_precision (1) -> in less than single precision ?? half precision counts up to 2,048, and the visible tables are shorter
def sinusoidal_encoding(max_len, d_model, device=None):
    positions = torch.arange(max_len, device=device).half()
    columns = torch.arange(d_model, device=device)
    frequencies = 10000.0 ** (-(columns - columns % 2) / d_model)
    angles = positions.float().outer(frequencies)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())

# %% right: plain_numbers
def sinusoidal_encoding(max_len, d_model, device=None):
    rows = [[(math.sin, math.cos)[j % 2](p * 10000 ** (-(j - j % 2) / d_model)) for j in range(d_model)]
            for p in range(max_len)]
    return torch.tensor(rows, device=device)

# %% wrong: a_table_that_learns (1) => the table is fixed: nothing in it is learned
def sinusoidal_encoding(max_len, d_model, device=None):
    j = torch.arange(d_model, device=device)
    angles = torch.arange(max_len, device=device)[:, None] * 10000.0 ** (-(j - j % 2) / d_model)
    return nn.Parameter(torch.where(j % 2 == 0, angles.sin(), angles.cos()))

# %% wrong: base_by_length (1) => the row of a position depends on the length of the table: the base is always 10000
def sinusoidal_encoding(max_len, d_model, device=None):
    base = max(10000, max_len)
    pe = torch.zeros(max_len, d_model, device=device)
    position = torch.arange(max_len, device=device, dtype=torch.float64)[:, None]
    omega = base ** (-torch.arange(0, d_model, 2, device=device, dtype=torch.float64) / d_model)
    pe[:, 0::2] = torch.sin(position * omega).float()
    pe[:, 1::2] = torch.cos(position * omega[:d_model // 2]).float()
    return pe
