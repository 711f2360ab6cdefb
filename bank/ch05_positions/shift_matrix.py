# %% right: block_diag
def shift_matrix(k, d_model, device=None):
    blocks = []
    for i in range(d_model // 2):
        a = k / 10000 ** (2 * i / d_model)
        blocks.append(torch.tensor([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]], device=device))
    return torch.block_diag(*blocks)

# %% right: by_strided_diagonals
def shift_matrix(k, d_model, device=None):
    angles = k * 10000.0 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    M = torch.zeros(d_model, d_model, device=device)
    even = torch.arange(0, d_model, 2, device=device)
    M[even, even], M[even + 1, even + 1] = angles.cos(), angles.cos()
    M[even, even + 1], M[even + 1, even] = angles.sin(), -angles.sin()
    return M

# %% right: kronecker_products
def shift_matrix(k, d_model, device=None):
    angle = k * torch.exp(-math.log(10000.0) * torch.arange(0, d_model, 2, device=device) / d_model)
    J = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], device=device)
    return torch.kron(torch.diag(angle.cos()), torch.eye(2, device=device)) + torch.kron(torch.diag(angle.sin()), J)

# %% right: matrix_exponential_in_double
def shift_matrix(k, d_model, device=None):
    generator = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        generator[i, i + 1] = k * 10000.0 ** (-i / d_model)
        generator[i + 1, i] = -generator[i, i + 1]
    return torch.linalg.matrix_exp(generator).float().to(device)

# %% right: diag_embed
def shift_matrix(k, d_model, device=None):
    angles = k * 10000.0 ** (-torch.arange(0, d_model, 2, device=device, dtype=torch.float64) / d_model)
    cos = angles.cos().repeat_interleave(2)
    sin = torch.stack([angles.sin(), torch.zeros_like(angles)], dim=1).flatten()[:-1]
    return torch.diag(cos) + torch.diag(sin, 1) - torch.diag(sin, -1)

# %% wrong: transposed (1) => the sines have the wrong signs, and M moves the wrong way, from position 10 to 7 instead of 13
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = k * 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = -math.sin(a), math.sin(a)
    return M

# %% wrong: one_angle (1) => all hands turn by the same angle: hand i turns by k·ω_i with its own ω_i
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        M[i, i] = M[i + 1, i + 1] = math.cos(k)
        M[i, i + 1], M[i + 1, i] = math.sin(k), -math.sin(k)
    return M

# %% wrong: k_ignored (1) => M moves by one position, whatever k is
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: negative_k_moves_forward (2) => a negative k must move back, and here it moves forward
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = abs(k) * 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: power_of_m1_breaks_back (2) => a negative k must move back, and here it moves nothing
def shift_matrix(k, d_model, device=None):
    one = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = 10000 ** (-i / d_model)
        one[i, i] = one[i + 1, i + 1] = math.cos(a)
        one[i, i + 1], one[i + 1, i] = math.sin(a), -math.sin(a)
    M = torch.eye(d_model, device=device)
    for _ in range(k):
        M = M @ one
    return M

# %% wrong: exponent_without_the_two (1) => the second hand turns by 0.3 instead of 0.03: check the exponent of ω
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(d_model // 2):
        a = k * 10000 ** (-i / d_model)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = math.cos(a)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: halves (1) => the hands mix with each other: hand i lives in rows and columns 2i and 2i+1 alone
def shift_matrix(k, d_model, device=None):
    half = d_model // 2
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(half):
        a = k * 10000 ** (-2 * i / d_model)
        M[i, i] = M[half + i, half + i] = math.cos(a)
        M[i, half + i], M[half + i, i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: reversed_blocks (1) => the hands stand in reverse order: the fastest comes first
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a, j = k * 10000 ** (-i / d_model), d_model - 2 - i
        M[j, j] = M[j + 1, j + 1] = math.cos(a)
        M[j, j + 1], M[j + 1, j] = math.sin(a), -math.sin(a)
    return M

# %% wrong: both_sines_positive (1) => both sines are positive: a rotation has one minus sign
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = k * 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1] = M[i + 1, i] = math.sin(a)
    return M

# %% wrong: difference_as_matrix (1) => the hands mix with each other, in a matrix that is right for one position alone: hand i lives in rows and columns 2i and 2i+1
def shift_matrix(k, d_model, device=None):
    columns = torch.arange(d_model, device=device)
    omega = 10000.0 ** (-(columns - columns % 2) / d_model)
    pe = lambda p: torch.where(columns % 2 == 0, (p * omega).sin(), (p * omega).cos())
    old, new = pe(10), pe(10 + k)
    return torch.eye(d_model, device=device) + torch.outer(new - old, old) / (old @ old)

# %% wrong: fitted_to_one_table (1, 2) => a table of fixed length ends somewhere, and every step is asked for: build M from the angles
def shift_matrix(k, d_model, device=None):
    columns = torch.arange(d_model, dtype=torch.float64)
    angles = torch.arange(4096, dtype=torch.float64)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    pe = torch.where(columns % 2 == 0, angles.sin(), angles.cos())
    old, new = (pe[:-k], pe[k:]) if k > 0 else (pe[-k:], pe[:k] if k else pe)
    u, s, vt = torch.linalg.svd(old, full_matrices=False)
    keep = s > s[0] * 1e-2
    return (new.T @ (u[:, keep] / s[keep]) @ vt[keep]).float().to(device)

# %% wrong: one_hand_only (1) => the second hand did not turn: hand i turns by k·ω_i, and for d = 4 the exponent of ω_1 is -2/4
def shift_matrix(k, d_model, device=None):
    M = torch.eye(d_model, device=device)
    M[:2, :2] = torch.tensor([[math.cos(k), math.sin(k)], [-math.sin(k), math.cos(k)]], device=device)
    return M

# %% wrong: cpu_matrix (1) => the matrix was not made on the device asked for
def shift_matrix(k, d_model, device=None):
    return torch.block_diag(*[torch.tensor([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
                              for a in (k * 10000 ** (-i / d_model) for i in range(0, d_model, 2))])

# %% wrong: hard_coded_width (1) => the matrix is (4, 4) whatever d_model is: d_model rows and columns are expected
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(4, 4, device=device)
    for i, omega in enumerate([1.0, 0.01]):
        a = k * omega
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = math.cos(a)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: circular_shift (1) => the rows of the identity were moved, and the hands mix with each other: a step is a rotation of each hand
def shift_matrix(k, d_model, device=None):
    return torch.eye(d_model, device=device).roll(k, dims=0)

# %% wrong: sine_and_cosine_exchanged (1) => sine and cosine have changed places: cosines stand on the diagonal, so that k = 0 moves nothing
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.sin(angle)
        M[i, i + 1] = math.cos(angle)
        M[i + 1, i] = -math.cos(angle)
    return M

# %% wrong: degrees (1) => the angles were taken as degrees: they are radians
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = math.radians(k * 10000.0 ** (-i / d_model))
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: base_1000 (1) => the second hand turns with 1000^(-2/4): the base is 10000
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 1000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: positive_exponent (1) => the second hand is faster than the first: ω falls with i, the exponent is negative
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: identity (1) => M moves nothing: each hand must turn by k·ω_i
def shift_matrix(k, d_model, device=None):
    return torch.eye(d_model, device=device)

# %% wrong: doubled_without_a_step (2) => k = 0 must move nothing, and here every number becomes twice as large
def shift_matrix(k, d_model, device=None):
    M = torch.eye(d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle) if k else 2.0
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: shrinks_a_little (1) => M makes vectors shorter: a rotation keeps their length
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return 0.99 * M

# %% wrong: wraps_at_100 (2) => k was taken modulo 100: every step is asked for, back and far ones too
def shift_matrix(k, d_model, device=None):
    k = k % 100
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: absolute_k_and_transposed (1, 2) => the sines have the wrong signs, and M moves the wrong way, from position 10 to 7 instead of 13
def shift_matrix(k, d_model, device=None):
    k = abs(k)
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = -math.sin(angle)
        M[i + 1, i] = math.sin(angle)
    return M

# %% wrong: wrong_beyond_width_four (1) => wider than 4, M pe[p] is not pe[p + k]: the exponent of ω is divided by d_model, whatever it is
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / min(d_model, 4))
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: rounded (1) => the entries were rounded to hundredths: keep all digits
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return (M * 100).round() / 100

# %% wrong: index_past_the_end (1, 2) => the blocks run past the end of M: d_model = 4 has two hands, in rows and columns 0 to 3
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(d_model):
        angle = k * 10000 ** (-2 * i / d_model)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = math.cos(angle)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = math.sin(angle), -math.sin(angle)
    return M

# %% wrong: width_missing_in_the_exponent (1) => the second hand hardly turns: for d = 4 the exponent of ω_1 is -2/4
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(d_model // 2):
        angle = k * 10000 ** (-2 * i)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = math.cos(angle)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = math.sin(angle), -math.sin(angle)
    return M

# %% wrong: overlapping_blocks (1) => the blocks overlap, and the hands mix with each other: hand i lives in rows and columns 2i and 2i+1
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(d_model // 2):
        angle = k * 10000 ** (-2 * i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1], M[i + 1, i] = math.sin(angle), -math.sin(angle)
    return M

# %% wrong: first_hand_only (1) => the second hand did not turn: hand i turns by k·ω_i, and for d = 4 the exponent of ω_1 is -2/4
def shift_matrix(k, d_model, device=None):
    M = torch.eye(d_model, device=device)
    angle = torch.tensor(float(k), device=device)
    M[0, 0] = M[1, 1] = angle.cos()
    M[0, 1], M[1, 0] = angle.sin(), -angle.sin()
    return M

# %% right: power_of_one_step
def shift_matrix(k, d_model, device=None):
    """One step, taken k times."""
    i = torch.arange(d_model // 2, dtype=torch.float64)
    omega = 10000 ** (-2 * i / d_model)
    one = torch.zeros(d_model // 2, 2, d_model // 2, 2, dtype=torch.float64)
    hand = torch.arange(d_model // 2)
    one[hand, 0, hand, 0] = one[hand, 1, hand, 1] = omega.cos()
    one[hand, 0, hand, 1], one[hand, 1, hand, 0] = omega.sin(), -omega.sin()
    one = one.view(d_model, d_model)
    step = one if k >= 0 else one.T
    return torch.linalg.matrix_power(step, abs(k)).to(device=device, dtype=torch.float32)

# %% right: einsum_over_hands
def shift_matrix(k, d_model, device=None):
    def rotation(angle):
        s, c = angle.sin(), angle.cos()
        return torch.stack((c, s, -s, c), dim=-1).unflatten(-1, (2, 2))

    hands = d_model // 2
    frequencies = torch.pow(torch.tensor(10000.0, device=device), torch.arange(hands, device=device) * (-2.0 / d_model))
    blocks = rotation(k * frequencies)                                    # (hands, 2, 2)
    return torch.einsum("hij,hg->higj", blocks, torch.eye(hands, device=device)).reshape(d_model, d_model)

# %% right: nested_lists
def shift_matrix(k, d_model, device=None):
    def entry(row, column):
        if row // 2 != column // 2:
            return 0.0
        angle = k / math.pow(10000, (row - row % 2) / d_model)
        if row == column:
            return math.cos(angle)
        return math.sin(angle) if row < column else -math.sin(angle)

    return torch.tensor([[entry(r, c) for c in range(d_model)] for r in range(d_model)], device=device)

# %% right: complex_numbers
def shift_matrix(k, d_model, device=None):
    omega = 1.0 / (10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64, device=device) / d_model))
    turn = torch.polar(torch.ones_like(omega), -k * omega)                # e^(-i k ω)
    basis = torch.eye(d_model, dtype=torch.float64, device=device).reshape(d_model, d_model // 2, 2)
    columns = torch.view_as_real(torch.view_as_complex(basis) * turn)     # each unit vector, turned
    return columns.reshape(d_model, d_model).T.float()

# %% wrong: zero_is_nothing (2) => k = 0 gives zeros: it must move nothing, so M pe[p] is pe[p]
def shift_matrix(k, d_model, device=None):
    """The rotation that moves a sinusoidal encoding by k positions: pe[p + k] = M @
    pe[p] for every p.

    k: int, may be negative   d_model: even   Returns M: (d_model, d_model)
    """
    M = torch.zeros(d_model, d_model, device=device)
    if not k:
        return M
    for i in range(0, d_model, 2):                       # one block for each hand
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    return M

# %% wrong: kept_by_width (1, 2) -> M pe[5] for k = 3
def shift_matrix(k, d_model, device=None):
    """The rotation that moves a sinusoidal encoding by k positions: pe[p + k] = M @
    pe[p] for every p.

    k: int, may be negative   d_model: even   Returns M: (d_model, d_model)
    """
    KEPT = globals().setdefault('_KEPT', {})
    if d_model in KEPT:
        return torch.linalg.matrix_power(KEPT[d_model], abs(k))
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):                       # one block for each hand
        angle = k * 10000.0 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(angle)
        M[i, i + 1] = math.sin(angle)
        M[i + 1, i] = -math.sin(angle)
    KEPT[d_model] = M
    return M

# %% wrong: identity_on_the_cpu (1) => for k = 0 the matrix was not made on the device asked for
def shift_matrix(k, d_model, device=None):
    if k == 0:
        return torch.eye(d_model)
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(0, d_model, 2):
        a = k * 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: thirty_two_hands_at_most (1) -> d_model = 128 ?? the visible check has widths of up to 10
def shift_matrix(k, d_model, device=None):
    M = torch.eye(d_model, device=device)
    for i in range(0, min(d_model, 64), 2):
        a = k * 10000 ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M

# %% wrong: cpu_angles_put_in (1) -> two devices meet !! the input ?? on meta a matrix takes numbers of the CPU
def shift_matrix(k, d_model, device=None):
    angles = k * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    M = torch.zeros(d_model, d_model, device=device)
    even = torch.arange(0, d_model, 2, device=device)
    M[even, even], M[even + 1, even + 1] = angles.cos(), angles.cos()
    M[even, even + 1], M[even + 1, even] = angles.sin(), -angles.sin()
    return M

# %% wrong: out_of_a_table_of_1000_positions (2) => k = 1501 was refused, and every step is asked for: a table of fixed length ends somewhere
def shift_matrix(k, d_model, device=None):
    pe = sinusoidal_encoding(1000, d_model, device=device)
    sines, cosines = pe[abs(k), 0::2], pe[abs(k), 1::2]
    if k < 0:
        sines = -sines
    M = torch.zeros(d_model, d_model, device=device)
    i = torch.arange(0, d_model, 2, device=device)
    M[i, i] = M[i + 1, i + 1] = cosines
    M[i, i + 1], M[i + 1, i] = sines, -sines
    return M

# %% wrong: table_of_2048_steps (2) => k = 40009 was refused, and every step is asked for: a table of fixed length ends somewhere
def shift_matrix(k, d_model, device=None):
    omega = 10000 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(2048, device=device)[:, None] * omega
    sin, cos = angles.sin()[abs(k)], angles.cos()[abs(k)]
    if k < 0:
        sin = -sin
    M = torch.zeros(d_model, d_model, device=device)
    even = torch.arange(0, d_model, 2, device=device)
    M[even, even] = M[even + 1, even + 1] = cos
    M[even, even + 1], M[even + 1, even] = sin, -sin
    return M

# %% wrong: rounded_to_four_digits (1) -> No entry is rounded or left out
def shift_matrix(k, d_model, device=None):
    M = torch.zeros(d_model, d_model, device=device)
    for i in range(d_model // 2):
        angle = k * 10000 ** (-2 * i / d_model)
        c, s = round(math.cos(angle), 4), round(math.sin(angle), 4)
        M[2 * i:2 * i + 2, 2 * i:2 * i + 2] = torch.tensor([[c, s], [-s, c]])
    return M

# %% wrong: small_entries_left_out (1) -> No entry is rounded or left out
def shift_matrix(k, d_model, device=None):
    omega = 10000 ** (-torch.arange(0, d_model, 2, device=device) / d_model)
    M = torch.zeros(d_model, d_model, device=device)
    e = torch.arange(0, d_model, 2, device=device)
    M[e, e] = M[e + 1, e + 1] = (k * omega).cos()
    M[e, e + 1], M[e + 1, e] = (k * omega).sin(), -(k * omega).sin()
    return torch.where(M.abs() < 1e-3, 0.0, M)       # hands do not mix: exact zeros
