# %% right: complex_numbers
def apply_rope(x, positions, base=10000.0):
    freqs = 1.0 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device).float() / x.shape[-1])
    angles = torch.outer(positions.float(), freqs)
    hands = torch.complex(angles.cos(), angles.sin())
    pairs = torch.view_as_complex(x.float().contiguous().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * hands).flatten(-2).type_as(x)

# %% right: loop_over_pairs
def apply_rope(x, positions, base=10000.0):
    result = torch.empty_like(x)
    d = x.shape[-1]
    for i in range(0, d, 2):
        angle = positions * base ** (-i / d)
        c, s = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        result[..., i] = x[..., i] * c - x[..., i + 1] * s
        result[..., i + 1] = x[..., i] * s + x[..., i + 1] * c
    return result

# %% right: rotate_half_interleaved
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    angles = positions[:, None].to(torch.float64) * torch.pow(float(base), -torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = angles.repeat_interleave(2, dim=-1)
    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).reshape(x.shape)
    return (x * angles.cos() + partner * angles.sin()).to(x.dtype)

# %% right: einsum_with_rotation_matrices
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = torch.exp(-math.log(base) * torch.arange(d // 2, device=x.device) * 2 / d)
    a = torch.einsum("s,i->si", positions.to(omega.dtype), omega)
    R = torch.stack([torch.stack([a.cos(), -a.sin()], -1), torch.stack([a.sin(), a.cos()], -1)], -2)
    pairs = x.unflatten(-1, (d // 2, 2))
    return torch.einsum("sirc,...sic->...sir", R.to(x.dtype), pairs).flatten(-2)

# %% right: asks_for_a_number_first
def apply_rope(x, positions, base=10000.0):
    if x.numel() and bool(x.isnan().all()):
        raise ValueError("x holds nothing but NaN")
    freqs = 1.0 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device).float() / x.shape[-1])
    angles = torch.outer(positions.float(), freqs)
    hands = torch.complex(angles.cos(), angles.sin())
    pairs = torch.view_as_complex(x.float().contiguous().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * hands).flatten(-2).type_as(x)


# %% wrong: angles_in_the_dtype_of_x (3) -> were the angles made in half precision
def apply_rope(x, positions, base=10000.0):
    half = torch.arange(0, x.size(-1), 2, device=x.device, dtype=x.dtype)
    angles = positions.to(x.dtype).unsqueeze(-1) * base ** (-half / x.size(-1))
    cos, sin = angles.cos(), angles.sin()
    a, b = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack((a * cos - b * sin, b * cos + a * sin), dim=-1).reshape(x.shape)

# %% right: one_big_rotation_per_token
def apply_rope(x, positions, base=10000.0):
    d, rows = x.size(-1), []
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    even = torch.arange(0, d, 2, device=x.device)
    for token, position in enumerate(positions.unbind()):
        a = position * omega
        R = torch.zeros(d, d, dtype=x.dtype, device=x.device)
        R[even, even] = R[even + 1, even + 1] = a.cos().to(x.dtype)
        R[even, even + 1], R[even + 1, even] = -a.sin().to(x.dtype), a.sin().to(x.dtype)
        rows.append(x[..., token, :] @ R.T)
    return torch.stack(rows, dim=-2)

# %% wrong: clockwise (1) => the pairs turn clockwise: the angle is positive, so (1, 0) turns towards (0, 1)
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c + o * s, o * c - e * s], dim=-1).flatten(-2)

# %% wrong: halves (1) => number 0 was paired with number d/2: pairs are neighbours, (0, 1) and (2, 3)
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    e, o = x.chunk(2, dim=-1)
    return torch.cat([e * c - o * s, e * s + o * c], dim=-1)

# %% wrong: pairs_not_put_back (1) => the first numbers of all pairs were put in front: the pairs must lie next to each other again
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.cat([e * c - o * s, e * s + o * c], dim=-1)

# %% wrong: stacked_on_the_wrong_axis (1) => the first numbers of all pairs were put in front: the pairs must lie next to each other again
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-2).flatten(-2)

# %% wrong: one_speed (1) => all pairs turn equally fast: pair i turns with base^(-2i/d)
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None].to(x.dtype)
    c, s, e, o = a.cos(), a.sin(), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: exponent_without_the_two (1) => the second pair is too fast: its exponent is -2i/d with i = 1, d = 4
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(x.size(-1) // 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: two_applied_twice (1) => the second pair is too slow: its exponent is -2i/d with i = 1, d = 4
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-2 * torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: positions_ignored (2) => the given positions were not used: two tokens that both stand at 7 turn by the same angle
def apply_rope(x, positions, base=10000.0):
    a = torch.arange(x.size(-2), device=x.device)[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: positions_from_one (1) => position 1 was turned as if it stood at position 2: use the positions as they are given
def apply_rope(x, positions, base=10000.0):
    a = (positions[:, None] + 1) * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: base_ignored (2) => base is not used: with base = 100 the second pair turns by 0.1 a step
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * 10000.0 ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: two_plus_signs (1) => a sign is wrong in the first number of each pair: a rotation has one minus sign
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c + o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: two_minus_signs (1) => a sign is wrong in the second number of each pair: a rotation has one minus sign
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, o * c - e * s], dim=-1).flatten(-2)

# %% wrong: added_like_an_encoding (1) => the encoding was added: RoPE multiplies, it turns the pairs
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    return x + torch.stack([a.sin(), a.cos()], dim=-1).flatten(-2).to(x.dtype)

# %% wrong: overwrites_the_first_number (1) => the first number of each pair was overwritten before the second was computed: both are made of the two old ones
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, y = a.cos().to(x.dtype), a.sin().to(x.dtype), x.clone()
    y[..., 0::2] = y[..., 0::2] * c - y[..., 1::2] * s
    y[..., 1::2] = y[..., 0::2] * s + y[..., 1::2] * c
    return y

# %% wrong: one_product_only (1) => only one of the two products is there: each new number mixes both numbers of its pair
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c, o * s], dim=-1).flatten(-2)

# %% wrong: in_place (3) -> x was changed in place
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2], x[..., 1::2] = e * c - o * s, e * s + o * c
    return x

# %% wrong: breaks_with_batch (3) => x has more than two axes, and the code takes two: tokens lie along the second-last axis, whatever stands in front !! raised ValueError
def apply_rope(x, positions, base=10000.0):
    seq, d = x.shape
    a = positions[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: flatten_from_axis_one (3) => the pairs were put together from axis 1 on: count the axes from the end, whatever stands in front !! not contiguous
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(1)
    return pairs.view(x.shape)[:, :, : len(positions)] if x.dim() == 3 else pairs.view(len(positions), x.size(-1))

# %% wrong: tokens_along_axis_one (3) => the angles lie along axis 1: tokens lie along the second-last axis, whatever stands in front !! not contiguous
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    if x.dim() == 4:
        c, s = c[:, None], s[:, None]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: result_in_float32 (3) -> the dtype of the input was lost !! longer or shorter
def apply_rope(x, positions, base=10000.0):
    x = x.float()
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos(), a.sin(), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: promoted_to_float32 (3) -> the dtype of the input was lost
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos(), a.sin(), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: view_of_a_view (3) -> in another order
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    flat = x.view(-1, positions.numel(), x.size(-1) // 2, 2)
    e, o = flat[..., 0], flat[..., 1]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).view(x.shape)

# %% wrong: cpu_angles (3) -> two devices meet
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: no_gradient (3) => no gradient reaches x: it was cut off on the way
def apply_rope(x, positions, base=10000.0):
    a = positions[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x.detach()[..., 0::2], x.detach()[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: cycles_of_256 (2) => position 257 was turned as position 1: no position is too large
def apply_rope(x, positions, base=10000.0):
    a = (positions % 256)[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: table_with_a_row_per_token (2) => position 7 was refused: positions may be larger than the number of tokens, and a table with a row per token is too short
def apply_rope(x, positions, base=10000.0):
    a = torch.arange(x.size(-2), device=x.device)[:, None] * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    a = a[positions]
    c, s, e, o = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([e * c - o * s, e * s + o * c], dim=-1).flatten(-2)

# %% wrong: positions_not_a_column (1, 2, 3) => the positions are not a column, (seq, 1): every token needs a row of angles, one for each pair
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = positions.to(x.device) * omega
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2).to(x.dtype)

# %% wrong: frequency_per_feature (1) => each feature turns by an angle of its own: the two numbers of a pair share one
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = base ** (-torch.arange(d, device=x.device) / d)
    angles = positions.to(x.device)[:, None] * omega
    cos, sin = angles.cos(), angles.sin()
    other = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * cos + other * sin).to(x.dtype)

# %% wrong: angles_in_the_order_of_halves (1) => the angles lie in another order than the pairs: both numbers of a pair need the same angle, 0, 0, 1, 1 and not 0, 1, 0, 1
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = (positions.to(x.device)[:, None] * omega).repeat(1, 2)
    cos, sin = angles.cos(), angles.sin()
    other = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * cos + other * sin).to(x.dtype)

# %% right: polar_and_two_halves
def apply_rope(x, positions, base=10000.0):
    *lead, seq, d = x.shape
    exponents = torch.arange(d // 2, dtype=torch.float32, device=x.device).mul_(-2 / d)
    theta = torch.pow(torch.full_like(exponents, float(base)), exponents)
    angle = positions.to(torch.float32).view(seq, 1) * theta.view(1, -1)
    turn = torch.polar(torch.ones_like(angle), angle)
    wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
    z = torch.complex(wide[..., ::2], wide[..., 1::2]) * turn
    out = torch.empty_like(wide)
    out[..., ::2], out[..., 1::2] = z.real.to(wide.dtype), z.imag.to(wide.dtype)
    return out.to(x.dtype)

# %% right: tables_and_roll
def apply_rope(x, positions, base=10000.0):
    def tables(d):
        inv_freq = base ** (-torch.arange(0, d, 2).double() / d)
        freqs = torch.einsum("i,j->ij", positions.double(), inv_freq.to(x.device))
        return (f.repeat_interleave(2, -1).to(x.dtype) for f in (freqs.cos(), freqs.sin()))

    def rotate_every_two(y):
        y1, y2 = y[..., 0::2], y[..., 1::2]
        return torch.stack((-y2, y1), dim=-1).flatten(-2)

    cos, sin = tables(x.shape[-1])
    return x * cos + rotate_every_two(x) * sin

# %% right: views_written_in_place
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    freq = torch.tensor([1 / base ** (2 * i / d) for i in range(d // 2)], device=x.device)
    angle = torch.outer(positions.to(freq.dtype), freq)
    cos, sin = angle.cos(), angle.sin()
    result = x.clone().float() if x.element_size() < 4 else x.clone()
    a, b = x[..., 0::2], x[..., 1::2]
    result[..., 0::2] = a * cos - b * sin
    result[..., 1::2] = a * sin + b * cos
    return result.type(x.dtype)

# %% right: batched_matmul
def apply_rope(x, positions, base=10000.0):
    shape = x.shape
    omega = base ** -(torch.arange(0, shape[-1], 2, device=x.device, dtype=torch.float32) / shape[-1])
    a = positions.unsqueeze(-1) * omega
    rot = torch.empty(*a.shape, 2, 2, dtype=x.dtype, device=x.device)
    rot[..., 0, 0] = rot[..., 1, 1] = a.cos().to(x.dtype)
    rot[..., 0, 1], rot[..., 1, 0] = -a.sin().to(x.dtype), a.sin().to(x.dtype)
    return (rot @ x.reshape(*shape[:-1], -1, 2, 1)).reshape(shape)

# %% wrong: table_kept_by_length (2) => the given positions were not used: two tokens that both stand at 7 turn by the same angle
def apply_rope(x, positions, base=10000.0):
    """Rotate neighbouring pairs of features by angles that grow with the position.

    x: (..., seq, d), d even   positions: (seq,)
    Returns the shape, dtype and device of x.
    """
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)             # (d/2,)
    angles = positions[:, None] * omega  # (seq, d/2)
    KEPT = globals().setdefault('_KEPT', {})
    cos, sin = KEPT.setdefault((angles.shape, x.dtype, x.device), (angles.cos().to(x.dtype), angles.sin().to(x.dtype)))
    first, second = x[..., 0::2], x[..., 1::2]  # (..., seq, d/2)
    pairs = torch.stack(
        [first * cos - second * sin, first * sin + second * cos], dim=-1)
    return pairs.flatten(-2)  # (..., seq, d)

# %% wrong: sorted_positions (2) => positions were sorted, and the token at 0 turns by another angle: use them in the order in which they are given
def apply_rope(x, positions, base=10000.0):
    """Rotate neighbouring pairs of features by angles that grow with the position.

    x: (..., seq, d), d even   positions: (seq,)
    Returns the shape, dtype and device of x.
    """
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)             # (d/2,)
    angles = positions.sort().values[:, None] * omega  # (seq, d/2)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., seq, d/2)
    pairs = torch.stack(
        [first * cos - second * sin, first * sin + second * cos], dim=-1)
    return pairs.flatten(-2)  # (..., seq, d)

# %% wrong: counted_from_the_first_position (2) => positions were counted from the first one: use the positions as they are given
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    freqs = base ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    angles = (positions - positions[0])[:, None] * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

# %% right: token_by_token
def apply_rope(x, positions, base=10000.0):
    d, columns = x.size(-1), []
    for t, p in enumerate(positions.tolist() if positions.device.type != "meta" else range(len(positions))):
        row = []
        for i in range(d // 2):
            angle = p * base ** (-2 * i / d)
            a, b = x[..., t, 2 * i], x[..., t, 2 * i + 1]
            row += [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
        columns.append(torch.stack(row, -1))
    return torch.stack(columns, -2)

# %% wrong: float16_angles (3) -> were the angles made in half precision
def apply_rope(x, positions, base=10000.0):
    a = positions.float()[:, None] / base ** (torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    a = a.half() if x.dtype == torch.float16 else a
    c, s, p, q = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2)

# %% wrong: table_of_4096_positions (2) => position 5003 was turned as position 907: no position is too large
def apply_rope(x, positions, base=10000.0):
    positions = positions % 4096
    a = positions.float()[:, None] / base ** (torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, p, q = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2)

# %% wrong: no_gradient_in_half_precision (3) -> torch.bfloat16: the gradient
def apply_rope(x, positions, base=10000.0):
    x = x.detach() if x.dtype in (torch.bfloat16, torch.float16) else x
    a = positions.float()[:, None] / base ** (torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, p, q = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2)

# %% wrong: half_of_the_gradient (3) => a part of the gradient was cut off: it is the rotation back, and both products belong to it
def apply_rope(x, positions, base=10000.0):
    a = positions.float()[:, None] / base ** (torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, p, q = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([p * c - (q * s).detach(), (p * s).detach() + q * c], -1).flatten(-2)

# %% wrong: five_dimensions_as_a_view (3) -> in another order
def apply_rope(x, positions, base=10000.0):
    shape = x.shape
    x = x.view(-1, x.size(-2), x.size(-1)) if x.dim() > 4 else x
    a = positions.float()[:, None] / base ** (torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    c, s, p, q = a.cos().to(x.dtype), a.sin().to(x.dtype), x[..., 0::2], x[..., 1::2]
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2).reshape(shape)

# %% wrong: complex_view_of_any_layout (3) -> in another order
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    wide = torch.promote_types(x.dtype, torch.float32)
    omega = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    angle = torch.outer(positions.float(), omega).to(wide)
    turn = torch.polar(torch.ones_like(angle), angle)
    pairs = torch.view_as_complex(x.to(wide).unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turn).flatten(-2).to(x.dtype)

# %% wrong: positions_turned_into_a_column_in_place (3) => positions was changed in place: unsqueeze_ turns the caller's tensor into a column
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    p = positions.to(torch.float32)
    p.unsqueeze_(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    angle = p * omega
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)

# %% wrong: table_of_8192_positions (2) => position 40009 was refused: a table of fixed length ends somewhere
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    table = torch.arange(8192, device=x.device)[:, None] * omega
    angle = table[positions]
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)

# %% wrong: gradient_lost_in_float16 (3) -> torch.float16: the gradient
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    y = x.detach().float().requires_grad_(x.requires_grad) if x.dtype == torch.float16 else x
    omega = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    angle = positions.float()[:, None] * omega
    c, s = angle.cos().to(y.dtype), angle.sin().to(y.dtype)
    a, b = y[..., 0::2], y[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2).to(x.dtype)

# %% wrong: base_made_a_whole_number (2) => base was made a whole number: use 6.25 as it is
def apply_rope(x, positions, base=10000.0):
    d = x.size(-1)
    omega = 1.0 / int(base) ** (torch.arange(0, d, 2, device=x.device) / d)
    angles = positions[:, None] * omega
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)

# %% wrong: table_of_65536_positions (2) => position 300007 was refused: a table of fixed length ends somewhere
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angles = torch.arange(65536, device=x.device)[:, None] * omega
    index = positions.long()
    cos, sin = angles.cos()[index].to(x.dtype), angles.sin()[index].to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

# %% wrong: four_axes_at_most (3) => five axes were refused: any number of leading dimensions is asked for !! ValueError:
def apply_rope(x, positions, base=10000.0):
    shape = x.shape
    while x.dim() < 4:
        x = x.unsqueeze(0)
    batch, heads, seq, d = x.shape
    omega = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angle = positions.float()[:, None] * omega
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(shape)
