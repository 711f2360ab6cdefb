# %% right: one_exponent
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% right: loop_over_pairs
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    if method not in ("interpolate", "ntk", "yarn"):
        raise ValueError(f"{method} is none of interpolate, ntk, yarn")
    frequencies = []
    for i in range(d_head // 2):
        w = base ** (-2 * i / d_head)
        if method == "ntk":
            w = (base * factor ** (d_head / (d_head - 2))) ** (-2 * i / d_head)
        elif method == "interpolate":
            w = w / factor
        else:
            turns = length * w / (2 * math.pi)
            if turns < low:
                w = w / factor
            elif turns <= high:
                g = (turns - low) / (high - low)
                w = g * w + (1 - g) * w / factor
        frequencies.append(w)
    return torch.tensor(frequencies, dtype=torch.float32, device=device)

# %% right: ntk_as_a_power_of_the_pair
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    pair = torch.arange(d_head // 2, dtype=torch.float32, device=device)
    omega = torch.exp(-2 * pair / d_head * math.log(base))
    match method:
        case "interpolate":
            return omega * (1 / factor)
        case "ntk":
            return omega * float(factor) ** (-pair / (d_head // 2 - 1))
        case "yarn":
            gamma = torch.clamp((length * omega / math.tau - low) / (high - low), min=0.0, max=1.0)
            return omega * (gamma + (1 - gamma) / factor)
    raise ValueError("no such method: " + str(method))

# %% right: table_of_functions
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    def plain(b):
        return 1.0 / (b ** (torch.arange(0, d_head, 2, device=device).float() / d_head))

    def yarn():
        w = plain(base)
        turns = length / (2 * math.pi / w)
        ramp = torch.minimum(torch.ones_like(w), torch.maximum(torch.zeros_like(w), (turns - low) / (high - low)))
        return torch.lerp(w / factor, w, ramp)

    methods = {"interpolate": lambda: plain(base) / factor, "ntk": lambda: plain(base * factor ** (d_head / (d_head - 2))), "yarn": yarn}
    if method not in methods:
        raise ValueError(f"method {method!r}: one of {sorted(methods)} is expected")
    return methods[method]()

# %% right: where
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    omega = torch.pow(torch.tensor(float(base), device=device), -torch.arange(0, d_head, 2, device=device) / d_head)
    slow = omega / factor
    if method == "interpolate":
        return slow
    if method == "ntk":
        scale = torch.linspace(0, 1, d_head // 2, device=device)
        return omega / factor ** scale
    if method != "yarn":
        raise ValueError(f"{method!r}")
    turns = length * omega / (2 * math.pi)
    between = (turns - low) / (high - low) * omega + (high - turns) / (high - low) * slow
    return torch.where(turns > high, omega, torch.where(turns < low, slow, between))

# %% right: wavelengths
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    if method == "ntk":
        base = base * factor ** (d_head / (d_head - 2))
    elif method not in ("interpolate", "yarn"):
        raise ValueError(f"rope_scale knows no method {method}")
    wavelength = 2 * math.pi * base ** (torch.arange(0, d_head, 2, device=device, dtype=torch.float64) / d_head)
    if method == "ntk":
        return (2 * math.pi / wavelength).float()
    stay = torch.zeros_like(wavelength)
    if method == "yarn":
        stay = ((length / wavelength - low) / (high - low)).clamp(0, 1)
    return (2 * math.pi / wavelength * (stay + (1 - stay) / factor)).float()

# %% wrong: nothing_interpolated -> interpolate: nothing was stretched
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: turns_faster -> not faster
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega * factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: positive_exponent -> wavelengths' side
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: wavelengths_returned -> wavelengths' side
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return factor / omega
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: divided_twice -> 0.25, 0.025, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor ** 2
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: root_of_the_factor -> 0.25, 0.025, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor ** 0.5
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: exponent_without_the_two -> expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head // 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: exponent_over_half_the_width -> expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / (d_head // 2)
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: one_frequency_for_each_feature -> one number for each pair
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -(torch.arange(d_head, device=device) // 2 * 2) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: positions_too -> one number for each pair
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = torch.arange(length, device=device)[:, None] * base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_base_times_factor -> base was multiplied by the factor itself
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_power_upside_down -> not its inverse
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** ((d_head - 2) / d_head)) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_and_divided -> divides nothing else
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent / factor
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_base_shrinks -> base must grow
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base / factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_forgotten -> ntk: nothing was stretched
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return omega
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_is_interpolation -> ntk: 1, 0.05, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return omega / factor
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_power_d_over_d_minus_one -> ntk: 1, 0.05, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 1))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_integer_power -> ntk
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head // (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_of_the_base_alone_powered -> ntk
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor) ** (d_head / (d_head - 2)) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: ntk_for_six_features_only -> factor to the power
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** 1.5) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_wrong_end -> wrong end is stretched
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega / factor + (1 - gamma) * omega
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_step_at_high -> mixed in proportion
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1).floor()
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_step_at_low -> mixed in proportion
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1).ceil()
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_not_clamped -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low))
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_clamped_below_only -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(min=0)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_without_two_pi -> turns are length
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_half_turns -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / math.pi
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_wavelength_for_turns -> expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = 2 * math.pi / omega
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_length_ignored -> yarn
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = 2048 * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_low_and_high_fixed -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - 1) / (32 - 1)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_low_and_high_swapped -> wrong end is stretched
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - high) / (low - high)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_smooth_step -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        gamma = gamma * gamma * (3 - 2 * gamma)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_mixes_wavelengths -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return 1 / (gamma / omega + (1 - gamma) * factor / omega)
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_of_the_stretched_length -> turns are length
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = factor * length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_is_interpolation -> every pair was interpolated
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_stretches_nothing -> yarn: nothing was stretched
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return omega
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_mixes_with_ntk -> yarn: 1, 0.03607, 0.0025 expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * (base * factor ** (d_head / (d_head - 2))) ** exponent
    raise ValueError(f"unknown method {method!r}")

# %% wrong: yarn_other_defaults -> yarn keeps fast pairs
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=16.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: unknown_gives_none -> must raise a ValueError
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor

# %% wrong: unknown_is_yarn -> must raise a ValueError
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if True:
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: key_error -> ValueError expected, got KeyError
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise KeyError(f"unknown method {method!r}")

# %% wrong: not_named_in_the_error -> must name the method
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError("unknown method")

# %% wrong: first_letter_decides -> must raise a ValueError
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method[:1] in ("y", "Y"):
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: table_on_the_cpu -> not on the device asked for !! the input ?? a visible check has no second device
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: rounded -> expected
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = (base ** exponent).round(decimals=2)
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: list_returned -> one number for each pair
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return (omega / factor).tolist()
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: half_precision -> 
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = (base ** exponent).bfloat16()
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: base_of_10000 -> interpolate
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    base = 10000.0
    exponent = -torch.arange(0, d_head, 2, device=device) / d_head
    omega = base ** exponent
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** exponent
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: factor_one_before_the_method -> is unknown and must raise
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0,
               device=None):
    i = torch.arange(0, d_head, 2, device=device).float()
    omega = base ** (-i / d_head)
    if factor == 1:
        return omega
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** (-i / d_head)
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: whatever_begins_with_ntk -> is unknown and must raise
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0,
               device=None):
    i = torch.arange(0, d_head, 2, device=device).float()
    omega = base ** (-i / d_head)
    if method == "interpolate":
        return omega / factor
    if method.startswith("ntk"):
        return (base * factor ** (d_head / (d_head - 2))) ** (-i / d_head)
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: narrow_ramp_is_widened -> however close
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    omega = base ** (-torch.arange(0, d_head, 2, device=device) / d_head)
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return (base * factor ** (d_head / (d_head - 2))) ** (-torch.arange(0, d_head, 2, device=device) / d_head)
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        share = ((turns - low) / max(high - low, 1.0)).clamp(0, 1)
        return share * omega + (1 - share) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: base_rounded_to_a_whole_number -> not rounded
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    omega = base ** (-torch.arange(0, d_head, 2, device=device) / d_head)
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return round(base * factor ** (d_head / (d_head - 2))) ** (-torch.arange(0, d_head, 2, device=device) / d_head)
    if method == "yarn":
        turns = length * omega / (2 * math.pi)
        share = ((turns - low) / (high - low)).clamp(0, 1)
        return share * omega + (1 - share) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: low_of_zero_taken_for_none -> length and low are used as they are
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    powers = torch.arange(0, d_head, 2, device=device, dtype=torch.float32) / d_head
    omega = float(base) ** -powers
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return float(base * factor ** (d_head / (d_head - 2))) ** -powers
    if method == "yarn":
        low, high = low or 1.0, high or 32.0
        turns = length * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")

# %% wrong: length_of_at_most_2048 -> length and low are used as they are
def rope_scale(d_head, base, factor, method, length=2048, low=1.0, high=32.0, device=None):
    powers = torch.arange(0, d_head, 2, device=device, dtype=torch.float32) / d_head
    omega = float(base) ** -powers
    if method == "interpolate":
        return omega / factor
    if method == "ntk":
        return float(base * factor ** (d_head / (d_head - 2))) ** -powers
    if method == "yarn":
        turns = min(length, 2048) * omega / (2 * math.pi)
        gamma = ((turns - low) / (high - low)).clamp(0, 1)
        return gamma * omega + (1 - gamma) * omega / factor
    raise ValueError(f"unknown method {method!r}")
