# %% right: reference_style
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% right: numpy
def dequantize(blocks):
    import numpy as np
    if blocks.device.type != "cpu":
        return torch.empty(*blocks.shape[:-1], 32, device=blocks.device)
    raw = np.ascontiguousarray(blocks.numpy())
    d = np.ascontiguousarray(raw[..., 0:2]).view("<f2").astype(np.float32)
    m = np.ascontiguousarray(raw[..., 2:4]).view("<f2").astype(np.float32)
    q = np.concatenate([raw[..., 4:] % 16, raw[..., 4:] // 16], axis=-1).astype(np.float32)
    return torch.from_numpy(d * q + m)

def quantize(x):
    import numpy as np
    if x.device.type != "cpu":
        return torch.empty(*x.shape[:-1], 20, dtype=torch.uint8, device=x.device)
    x = x.detach().numpy()
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    m = low.astype(np.float16)
    m = np.where(m.astype(np.float32) > low, np.nextafter(m, np.float16(-np.inf)), m)
    need = (high - m.astype(np.float32)) / np.float32(15)
    d = need.astype(np.float16)
    d = np.where(d.astype(np.float32) < need, np.nextafter(d, np.float16(np.inf)), d)
    step = np.where(d > 0, d.astype(np.float32), np.float32(1))
    q = np.rint((x - m.astype(np.float32)) / step).astype(np.uint8)
    out = np.concatenate([np.ascontiguousarray(d).view(np.uint8), np.ascontiguousarray(m).view(np.uint8),
                          q[..., :16] + 16 * q[..., 16:]], axis=-1)
    return torch.from_numpy(out)

# %% right: stack_and_integers
def dequantize(blocks):
    """float16 put together from its bits: high byte times 256 plus low byte, read as int16."""
    pairs = blocks[..., 0:4:2].int() + 256 * blocks[..., 1:4:2].int()
    pairs = torch.where(pairs >= 32768, pairs - 65536, pairs).short()
    step, low = pairs.contiguous().view(torch.float16).float().unbind(-1)
    q = torch.stack([blocks[..., 4:] % 16, blocks[..., 4:] // 16], dim=-2).flatten(-2)
    return low[..., None] + step[..., None] * q.float()

def quantize(x):
    lowest, highest = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    m = lowest.to(torch.float16)
    below = torch.nextafter(m, torch.tensor(-65504.0, dtype=torch.float16, device=x.device))
    m = torch.where(m.float() <= lowest, m, below)
    wanted = (highest - m.float()) / 15.0
    d = wanted.to(torch.float16)
    above = torch.nextafter(d, torch.tensor(65504.0, dtype=torch.float16, device=x.device))
    d = torch.where(d.float() >= wanted, d, above)
    q = torch.nan_to_num((x - m.float()) / d.float(), nan=0.0).round().clamp(0, 15).to(torch.uint8)
    return torch.cat((d.view(torch.uint8), m.view(torch.uint8), q[..., :16] + 16 * q[..., 16:]), -1)

# %% right: float64_inside
def dequantize(blocks):
    head = blocks[..., :4].clone(memory_format=torch.contiguous_format).view(torch.half).double()
    low, high = blocks[..., 4:] & 0x0F, (blocks[..., 4:] & 0xF0) >> 4
    return (head[..., :1] * torch.cat((low, high), -1) + head[..., 1:]).float()

def quantize(x):
    y = x.double()
    m = y.amin(-1, keepdim=True).half()
    m = torch.where(m.double() > y.amin(-1, keepdim=True), m.nextafter(m.new_full((), -torch.inf)), m)
    need = (y.amax(-1, keepdim=True) - m.double()) / 15
    d = need.half()
    d = torch.where(d.double() < need, d.nextafter(d.new_full((), torch.inf)), d)
    q = torch.where(d > 0, (y - m.double()) / d.double().clamp_min(1e-30), 0.0).round().to(torch.uint8)
    a, b = q.split(16, dim=-1)
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), a + (b << 4)], dim=-1)

# %% right: nearest_by_search
def dequantize(blocks):
    step, low = (blocks[..., i:i + 2].contiguous().view(torch.float16).float() for i in (0, 2))
    out = torch.empty(*blocks.shape[:-1], 32, device=blocks.device)
    for i in range(16):
        byte = blocks[..., 4 + i].int()
        out[..., i] = step[..., 0] * (byte % 16) + low[..., 0]
        out[..., 16 + i] = step[..., 0] * (byte // 16) + low[..., 0]
    return out

def quantize(x):
    """Every level is tried; of two that are as near, the lower one."""
    low = x.min(-1, keepdim=True).values
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    need = (x.max(-1, keepdim=True).values - m.float()) / 15
    d = need.half()
    d = torch.where(d.float() < need, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    levels = m.float() + d.float() * torch.arange(16, device=x.device)
    q = (x[..., None] - levels[..., None, :]).abs().argmin(-1).to(torch.uint8)
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | (q[..., 16:] << 4)], -1)

# %% right: half_up
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed // 16], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).add(0.5).floor().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% right: flat_rows
def dequantize(blocks):
    rows = blocks.reshape(-1, 20)
    scales = rows[:, :4].contiguous().view(torch.float16).float()
    q = torch.cat([rows[:, 4:].bitwise_and(15), rows[:, 4:].bitwise_right_shift(4)], 1).float()
    return torch.addcmul(scales[:, 1:], scales[:, :1], q).reshape(*blocks.shape[:-1], 32)

def quantize(x):
    rows = x.reshape(-1, 32)
    low, high = rows.amin(1, keepdim=True), rows.amax(1, keepdim=True)

    def to_half(value, up):
        near = value.half()
        target = torch.full_like(near, torch.inf if up else -torch.inf)
        wrong = near.float() < value if up else near.float() > value
        return torch.where(wrong, torch.nextafter(near, target), near)

    m = to_half(low, up=False)
    d = to_half((high - m.float()) / 15, up=True)
    scale = torch.where(d == 0, torch.ones_like(low), d.float())
    q = torch.round((rows - m.float()) / scale).to(torch.uint8)
    packed = q[:, :16] + q[:, 16:] * 16
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), packed], 1).reshape(*x.shape[:-1], 20)

# %% right: no_negative_zero
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    q = torch.cat([blocks[..., 4:] % 16, blocks[..., 4:] // 16], dim=-1)
    return halves[..., :1] * q + halves[..., 1:]


def quantize(x):
    low, high = x.amin(-1, keepdim=True) + 0.0, x.amax(-1, keepdim=True)
    m = low.half()
    m = torch.where(m.float() > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m) + 0.0
    d = ((high - m.float()) / 15).half()
    d = torch.where(m.float() + 15 * d.double() < high, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    d = torch.where(d.float() < (high - m.float()) / 15, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    steps = torch.where(d > 0, (x - m.float()) / d.float().clamp(min=1e-30), 0.0)
    q = steps.round().clamp(0, 15).to(torch.uint8)
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] + 16 * q[..., 16:]], -1)

# %% wrong: nibbles_alternate (1) => numbers 16 places apart share a byte: its low half is one of 0 to 15, its high half one of 16 to 31
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.stack([packed & 15, packed >> 4], dim=-1).flatten(-2)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: high_first (1) => the two halves of the bytes are swapped: the low four bits are the numbers 0 to 15
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed >> 4, packed & 15], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: d_and_m_swapped (1) => the step comes first: bytes 0 and 1 are d, 2 and 3 are m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    m, d = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: big_endian (1) => the bytes of the float16 are read in the wrong order: little-endian, the low byte first
def dequantize(blocks):
    halves = blocks[..., [1, 0, 3, 2]].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: centred (1) => 8 is subtracted, as in the format Q4_0: here q counts from 0, and m is the smallest level
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * (q.float() - 8) + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: minimum_subtracted (1) => the minimum is subtracted: it is added to d times q
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q - m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: minimum_left_out (1) => the minimum is missing: every number is d · q + m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: m_times_d (1) => the minimum is multiplied by the step, too: it is d · q + m, not d · (q + m)
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * (q + m)

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: half_precision (1) => computed in float16: convert d and m to float32 before d · q + m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16)
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return (d * q + m).float()

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: result_in_half (1) -> dtype
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16)
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: bfloat16 (1) => the four bytes are read as bfloat16: the format has float16
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.bfloat16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: three_bits (1) => a q has four bits: 15 keeps the low four
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 7, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: high_bits_not_moved (1) => the high four bits were not moved down: q is at most 15
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed & 240], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: whole_bytes (1) => whole bytes were taken for q: each byte holds two of them, of four bits
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: signed (1) => the four bits were read with a sign: q goes from 0 to 15
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    q = torch.where(q > 7, q.float() - 16, q.float())
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: last_byte_first (1) => the sixteen bytes are in the wrong order
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:].flip(-1)
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: one_axis_only (1) => the number of axes in front was fixed: blocks may come in any shape (..., 20)
def dequantize(blocks):
    halves = blocks[:, :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: first_block_for_all (1) => every block got the step of the first one
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    d = d.flatten()[:1] if d.numel() else d
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: masks_in_place (1) -> the inputs
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    high = packed >> 4
    packed &= 15
    q = torch.cat([packed, high], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: negative_minimum_lost (1) => the sign of the minimum was lost
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m.abs()

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: flattened (1) => the shape in front is lost: (..., 20) becomes (..., 32)
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return (d * q + m).reshape(-1, 32)

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: packed_neighbours (2, 3) => numbers 16 places apart share a byte: its low half is one of 0 to 15, its high half one of 16 to 31
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., ::2] | q[..., 1::2] << 4], dim=-1)

# %% wrong: packed_high_first (2, 3) => the two halves of the bytes are swapped: numbers 0 to 15 go into the low four bits
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., 16:] | q[..., :16] << 4], dim=-1)

# %% wrong: m_before_d (2, 3) => the step comes first: bytes 0 and 1 are d, 2 and 3 are m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([m.view(torch.uint8), d.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: sixteen_steps (2, 3) => the range was divided by 16: between 16 levels there are 15 steps
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 16
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: by_absolute_maximum (2, 3) => the largest size was taken for the range: levels go from the smallest number to the largest
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = x.abs().amax(-1, keepdim=True) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: floor_for_round (2, 3) => each number went to the level below it, not to the nearest one
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).mul(1 - 1e-5).floor().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: ceil_for_round (2, 3) => each number went to the level above it, not to the nearest one
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).mul(1 + 1e-5).ceil().clamp(max=15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: one_group_for_all (2, 3) => all groups share one step and minimum: each 32 numbers have their own
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.amin(), x.amax()
    low, high = low.expand(*x.shape[:-1], 1), high.expand(*x.shape[:-1], 1)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: minimum_as_zero (2, 3) => the lowest level is 0 here: it has to be the smallest number
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = torch.zeros_like(low).half()
    low = low.clamp(min=0)
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: as_integers (2) -> dtype
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1).int()

# %% wrong: big_endian_written (2, 3) => the bytes of the float16 are written in the wrong order: little-endian, the low byte first
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8).flip(-1), m.view(torch.uint8).flip(-1), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: to_the_nearest (3) => float16 rounded to the nearest: m may lie above the smallest number, d may be too small
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    pass
    needed = (high - m.float()) / 15
    d = needed.half()
    pass
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().clamp(0, 15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: m_to_the_nearest (3) => m was rounded to the nearest float16: where that lies above the smallest number, take the one below
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    pass
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().clamp(0, 15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: d_to_the_nearest (3) => d was rounded to the nearest float16: where 15 steps then end below the largest number, take the one above
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    pass
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().clamp(0, 15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: range_from_the_minimum (3) => the step comes from the smallest number, not from m: m was rounded down, so that 15 steps have to reach a little further
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - low) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().clamp(0, 15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: q_from_unrounded (3) => q was computed with the numbers before they were rounded to float16: the levels are those of the stored d and m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - low) / torch.where(high > low, (high - low) / 15, 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: always_one_below (2, 3) => m was moved down although float16 holds the smallest number
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.nextafter(m, torch.full_like(m, -torch.inf))
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: always_one_above (2, 3) => d was moved up although float16 holds it
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.nextafter(d, torch.full_like(d, torch.inf))
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: epsilon_for_zero (3) => a small number was added to the step: a group of equal numbers that float16 holds has d = 0
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()).clamp(min=1e-5) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: zero_divided (3) => 0 / 0 where all numbers are equal: where d = 0, all q are 0
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / d.float()).round().nan_to_num(nan=8.0).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: all_in_half (3) => computed in float16: only d and m are rounded, x and the differences stay float32
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x.half() - m) / torch.where(d > 0, d, 1.0)).clamp(0, 15).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: range_overflows (3) => the difference of two float16 overflowed: subtract in float32
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high.half() - m).float() / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).nan_to_num().round().clamp(0, 15).byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: shifted_in_place (2, 3) -> the inputs
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    x -= 0 * low
    x.clamp_(max=high * 0.999)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)

# %% wrong: both_alternate (1, 2, 3) => numbers 16 places apart share a byte: its low half is one of 0 to 15, its high half one of 16 to 31
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    d, m = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.stack([packed & 15, packed >> 4], dim=-1).flatten(-2)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([d.view(torch.uint8), m.view(torch.uint8), q[..., ::2] | q[..., 1::2] << 4], dim=-1)

# %% wrong: both_swapped (1, 2, 3) => the step comes first: bytes 0 and 1 are d, 2 and 3 are m
def dequantize(blocks):
    halves = blocks[..., :4].contiguous().view(torch.float16).float()
    m, d = halves.split(1, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)
    return d * q + m

def quantize(x):
    low, high = x.aminmax(dim=-1, keepdim=True)
    m = low.half()
    m = torch.where(m > low, torch.nextafter(m, torch.full_like(m, -torch.inf)), m)
    needed = (high - m.float()) / 15
    d = needed.half()
    d = torch.where(d.float() < needed, torch.nextafter(d, torch.full_like(d, torch.inf)), d)
    q = ((x - m.float()) / torch.where(d > 0, d.float(), 1.0)).round().byte()
    return torch.cat([m.view(torch.uint8), d.view(torch.uint8), q[..., :16] | q[..., 16:] << 4], dim=-1)
