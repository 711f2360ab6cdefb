# %% right: three_loops
def alibi_bias(num_heads, seq, device=None):
    bias = torch.zeros(num_heads, seq, seq, device=device)
    for h in range(num_heads):
        for i in range(seq):
            for j in range(seq):
                bias[h, i, j] = -2 ** (-8 * (h + 1) / num_heads) * abs(i - j)
    return bias

# %% right: geometric_sequence
def alibi_bias(num_heads, seq, device=None):
    ratio = 2 ** (-8 / num_heads)
    prices = torch.tensor([ratio ** h for h in range(1, num_heads + 1)], device=device)
    position = torch.arange(seq, device=device)
    return torch.einsum("h,ij->hij", prices, -(position.unsqueeze(0) - position.unsqueeze(1)).abs().float())

# %% right: cdist_and_outer
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, dtype=torch.float64)[:, None]
    m = torch.exp2(-8 * torch.arange(1, num_heads + 1, dtype=torch.float64) / num_heads)
    return (-m.view(-1, 1, 1) * (p - p.T).abs()).to(device)

# %% right: list_of_heads
def alibi_bias(num_heads, seq, device=None):
    rows = torch.arange(seq, device=device).expand(seq, seq)
    distance = torch.maximum(rows - rows.T, rows.T - rows)
    return torch.stack([distance * -(0.5 ** (8 * h / num_heads)) for h in range(1, num_heads + 1)])

# %% right: lower_and_upper_triangle
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    behind = (p[None, :] - p[:, None]).clamp(max=0)
    m = torch.pow(2.0, torch.linspace(-8 / num_heads, -8, num_heads, device=device))
    return m[:, None, None] * (behind + behind.T)

# %% wrong: positive => the bias is positive, and a step away raises a score: distance must lower it
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: right_for_eight_heads => the prices are 2^(-h), right for 8 heads only: the exponent is -8h/num_heads
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** -torch.arange(1, num_heads + 1, device=device)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: heads_from_zero => h was counted from 0: the first head charges 2^(-8/num_heads)
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(num_heads, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: heads_reversed => the prices are in reverse order: head 1 is the dearest
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(num_heads, 0, -1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: signed_distance => a step back and a step ahead must cost the same, |i − j|: here one of them raises the score
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return m[:, None, None] * (p[:, None] - p)

# %% wrong: signed_distance_the_other_way => a step back and a step ahead must cost the same, |i − j|: here one of them raises the score
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[None, :] - p[:, None])

# %% wrong: past_only => a step back and a step ahead must cost the same, |i − j|: here a step ahead costs nothing, and hiding the future is the mask's task
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).clamp(min=0)

# %% wrong: mask_mixed_in => the future was hidden: a step back and a step ahead must cost the same, hiding the future is the mask's task
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    bias = -m[:, None, None] * (p[:, None] - p).abs()
    return bias.masked_fill(p > p[:, None], -torch.inf)

# %% wrong: squared => two steps cost four times what one step costs: the bias is linear in the distance
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p) ** 2

# %% wrong: no_prices => every head charges 1 for a step: the prices m_h are missing
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    return -(p[:, None] - p).abs().float().expand(num_heads, seq, seq)

# %% wrong: one_price => every head charges 2^(-8): the exponent depends on h
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    return (-2.0 ** -8 * (p[:, None] - p).abs()).expand(num_heads, seq, seq)

# %% wrong: base_e => the prices are e^(-8h/num_heads): the base is 2
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = torch.exp(-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: exponent_as_price => 8h/num_heads is the exponent of 2, not the price itself
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 8 * torch.arange(1, num_heads + 1, device=device) / num_heads
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: heads_last => the heads stand along the last axis: one matrix per head, (heads, seq, seq)
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -(p[:, None] - p).abs()[..., None] * m

# %% wrong: batch_axis_in_front => one axis too many: one matrix per head, (heads, seq, seq), no batch in front
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return (-m[:, None, None] * (p[:, None] - p).abs())[None]

# %% wrong: one_row => each head has one row for all queries: the distance |i − j| depends on both places, one matrix per head
def alibi_bias(num_heads, seq, device=None):
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * torch.arange(seq, device=device)

# %% wrong: distance_from_one => one step too many was charged: a token is at distance 0 from itself
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * ((p[:, None] - p).abs() + 1)

# %% wrong: cpu_bias => the bias was not made on the device asked for
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: clipped_far_away => 299 steps cost no more than 128: nothing is clipped
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs().clamp(max=128)

# %% wrong: two_heads_or_more => one head alone charges 2^(-8): the formula holds for every power of two, 1 included
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0, device=device) if num_heads > 1 else torch.ones(1, device=device)
    return -m[:, None, None] * (p[:, None] - p).abs()

# %% wrong: root_of_the_distance => the cost grows with the root of the distance: the bias is linear in the distance
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -prices[:, None, None] * distance.sqrt()

# %% wrong: logarithm_of_the_distance => the cost grows with the logarithm of the distance: the bias is linear in the distance
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -prices[:, None, None] * (1 + distance).log()

# %% wrong: divided_by_the_length => the cost was divided by the length of the text: a step costs m_h, however long it is
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -prices[:, None, None] * distance / seq

# %% wrong: softmax_already_taken => this is the bias after softmax: it is added to the scores before softmax
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return (-prices[:, None, None] * distance).softmax(dim=-1)

# %% wrong: whole_numbers => the bias was rounded to whole numbers: prices are fractions
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return (-prices[:, None, None] * distance).round()

# %% wrong: prices_of_eight_heads_cut_off => the prices are 2^(-h), right for 8 heads only: the exponent is -8h/num_heads
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()
    prices = 2.0 ** -torch.arange(1, 9, device=device)[:num_heads].float()
    return -prices[:, None, None] * distance

# %% wrong: whole_division -> 16 heads
def alibi_bias(num_heads, seq, device=None):
    h = torch.arange(1, num_heads + 1, device=device)
    prices = 2.0 ** (-8 * h // num_heads)
    where = torch.arange(seq, device=device)
    return -prices[:, None, None] * (where[:, None] - where).abs()

# %% wrong: powers_in_whole_numbers => every step costs 0: the prices were computed in whole numbers
def alibi_bias(num_heads, seq, device=None):
    h = torch.arange(1, num_heads + 1, device=device)
    prices = 2 ** (-8 * h // num_heads)
    where = torch.arange(seq, device=device)
    return -prices[:, None, None] * (where[:, None] - where).abs()

# %% wrong: cpu_prices => a part of the bias was made on another device than the one asked for
def alibi_bias(num_heads, seq, device=None):
    prices = torch.tensor([2.0 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)])
    where = torch.arange(seq, device=device)
    return -prices[:, None, None] * (where[:, None] - where).abs()

# %% wrong: prices_along_the_keys => 4 prices and a (3, 3) table of distances did not meet: the heads need an axis of their own in front, to give (4, 3, 3)
def alibi_bias(num_heads, seq, device=None):
    prices = torch.tensor([2.0 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    where = torch.arange(seq, device=device)
    return -prices * (where[:, None] - where).abs()

# %% right: abs_of_outer_difference
def alibi_bias(num_heads, seq, device=None):
    start = 2 ** (-8 / num_heads)
    slopes = [start * start ** i for i in range(num_heads)]
    slopes = torch.tensor(slopes, device=device, dtype=torch.float32).reshape(-1, 1, 1)
    i, j = torch.meshgrid(torch.arange(seq, device=device), torch.arange(seq, device=device), indexing="ij")
    return slopes * -torch.abs(i - j)

# %% right: toeplitz_rows
def alibi_bias(num_heads, seq, device=None):
    steps = torch.arange(-(seq - 1), seq, device=device).abs().float()          # 2 seq - 1 distances
    distance = steps.unfold(0, seq, 1).flip(0)                                  # (seq, seq)
    exponent = torch.linspace(8 / num_heads, 8, num_heads, device=device)
    return torch.multiply(distance.neg().expand(num_heads, -1, -1), torch.exp2(-exponent)[:, None, None])

# %% right: tensordot_in_double
def alibi_bias(num_heads, seq, device=None):
    def distance(n):
        ones = torch.ones(n, n, dtype=torch.float64, device=device)
        back = ones.tril().cumsum(dim=0) - ones.tril()
        return back.tril() + back.tril().T

    prices = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0, dtype=torch.float64, device=device)
    return -torch.tensordot(prices[:, None], distance(seq)[None], dims=1).float()

# %% right: filled_head_by_head
def alibi_bias(num_heads, seq, device=None):
    out = torch.empty((num_heads, seq, seq), device=device)
    for i in range(seq):
        out[:, i] = torch.cat([torch.arange(i, 0, -1, device=device), torch.arange(seq - i, device=device)])
    for h in range(num_heads):
        out[h] *= -1 / 2 ** (8 * (h + 1) / num_heads)
    return out

# %% wrong: kept_on_the_first_device => the bias was not made on the device asked for
def alibi_bias(num_heads, seq, device=None):
    """What ALiBi adds to the scores: -m_h · |i - j| with m_h = 2^(-8h/num_heads), h = 1
    … num_heads.

    num_heads: a power of two   Returns (num_heads, seq, seq)
    """
    KEPT = globals().setdefault('_KEPT', {})
    if (num_heads, seq) in KEPT:
        return KEPT[num_heads, seq]
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs()  # (seq, seq)
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    KEPT[num_heads, seq] = -prices[:, None, None] * distance
    return KEPT[num_heads, seq]  # (heads, seq, seq)

# %% wrong: int8_distances => 299 steps cost as much as 43: a distance above 255 needs more than 8 bits, nothing is clipped
def alibi_bias(num_heads, seq, device=None):
    """What ALiBi adds to the scores: -m_h · |i - j| with m_h = 2^(-8h/num_heads), h = 1
    … num_heads.

    num_heads: a power of two   Returns (num_heads, seq, seq)
    """
    positions = torch.arange(seq, device=device)
    distance = (positions[:, None] - positions).abs().to(torch.uint8)  # (seq, seq)
    prices = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -prices[:, None, None] * distance  # (heads, seq, seq)

# %% wrong: a_bias_that_learns => the bias is fixed: nothing in it is learned
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8.0 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return nn.Parameter(-m[:, None, None] * (p[:, None] - p).abs())

# %% wrong: clipped_at_512 => 1029 steps cost no more than 512: nothing is clipped
def alibi_bias(num_heads, seq, device=None):
    p = torch.arange(seq, device=device)
    m = 2.0 ** (-8.0 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * (p[:, None] - p).abs().clamp(max=512)

# %% wrong: distances_on_the_cpu -> on another device than the one asked for !! the input ?? on meta a matrix product takes a table of the CPU
def alibi_bias(num_heads, seq, device=None):
    def distance(n):
        ones = torch.ones(n, n, dtype=torch.float64)
        back = ones.tril().cumsum(dim=0) - ones.tril()
        return back.tril() + back.tril().T

    prices = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0, dtype=torch.float64, device=device)
    return -torch.tensordot(prices[:, None], distance(seq)[None], dims=1).float()

# %% wrong: clipped_at_1024 => 1029 steps cost no more than 1024: nothing is clipped
def alibi_bias(num_heads, seq, device=None):
    i = torch.arange(seq, device=device)
    distance = (i[:, None] - i).abs().clamp(max=1024)
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    return -m[:, None, None] * distance

# %% wrong: one_head_on_the_cpu => with one head alone, the bias was made on another device than the one asked for
def alibi_bias(num_heads, seq, device=None):
    if num_heads == 1:
        m = torch.tensor([2.0 ** -8])
    else:
        m = 2.0 ** (-8 * torch.arange(1, num_heads + 1, device=device) / num_heads)
    p = torch.arange(seq, device=device)
    return -(p[:, None] - p).abs() * m.view(-1, 1, 1)

# %% wrong: all_in_half_precision -> 32 bits
def alibi_bias(num_heads, seq, device=None):
    positions = torch.arange(seq, device=device).half()
    heads = torch.arange(1, num_heads + 1, device=device)
    prices = (2.0 ** (-8 * heads / num_heads)).half()
    return -prices[:, None, None] * (positions[:, None] - positions).abs()
