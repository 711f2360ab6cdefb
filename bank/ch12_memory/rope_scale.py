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

# %% wrong: nothing_interpolated => interpolate stretched nothing: positions are divided by the factor, and so is every ω
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

# %% wrong: turns_faster => every pair turns faster: positions are divided by the factor, so each pair must turn more slowly, not faster
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

# %% wrong: positive_exponent => inverse frequencies are asked for, base^(-2i/d): this is the side of the wavelengths
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

# %% wrong: wavelengths_returned => inverse frequencies are asked for, base^(-2i/d): this is the side of the wavelengths
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

# %% wrong: divided_twice => the factor was applied twice: every ω is divided by it once
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

# %% wrong: root_of_the_factor => the root of the factor was taken: every ω is divided by the factor itself
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

# %% wrong: exponent_without_the_two => the exponent is -i/d here: the 2 of -2i/d is missing
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

# %% wrong: exponent_over_half_the_width => the exponent is -4i/d here: was the 2 of -2i/d applied twice?
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

# %% wrong: one_frequency_for_each_feature => one number for each pair is asked for, (d_head / 2,), and there is one for each feature
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

# %% wrong: positions_too => one number for each pair is asked for, (d_head / 2,): the positions come later
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

# %% wrong: ntk_base_times_factor => the base was multiplied by the factor itself: it needs the power d / (d - 2), so that the last pair is slower by the factor
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

# %% wrong: ntk_power_upside_down => the power of the factor is d / (d - 2), and not its inverse
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

# %% wrong: ntk_and_divided => ntk changes the base alone: the factor divides nothing else
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

# %% wrong: ntk_base_shrinks => the base must grow, and here it shrank
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

# %% wrong: ntk_forgotten => ntk stretched nothing: it takes another base
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

# %% wrong: ntk_is_interpolation => this is interpolation: ntk takes another base, and the first pair turns as before
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

# %% wrong: ntk_power_d_over_d_minus_one => the power of the factor is d / (d - 2), and it was d / (d - 1)
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

# %% wrong: ntk_integer_power => the power d / (d - 2) was rounded to a whole number: it is 1.5 here
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

# %% wrong: ntk_of_the_base_alone_powered => mind what the power d / (d - 2) belongs to: the factor alone, before the base is multiplied by it
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

# %% wrong: ntk_for_six_features_only => the power of the factor follows from d, d / (d - 2): with four features it is 2
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

# %% wrong: yarn_wrong_end => the wrong end is stretched: fast pairs, with many turns, stay
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

# %% wrong: yarn_step_at_high => all or nothing: between low and high the two are mixed in proportion
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

# %% wrong: yarn_step_at_low => the pair with 3.18 turns was left as it is: turns are length · ω / 2π, with the trained length, and between low and high ω and ω / s are mixed in proportion
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

# %% wrong: yarn_not_clamped => γ left the range from 0 to 1: above high it is 1, below low it is 0
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

# %% wrong: yarn_clamped_below_only => γ rose above 1: a pair with more than `high` turns stays as it is
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

# %% wrong: yarn_without_two_pi => the pair with 3.18 turns was left as it is: turns are length · ω / 2π, with the trained length, and between low and high ω and ω / s are mixed in proportion
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

# %% wrong: yarn_half_turns => these are half turns: a whole one is 2π
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

# %% wrong: yarn_wavelength_for_turns => γ follows from the tokens that one turn takes here: it must follow from the turns in the trained length
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

# %% wrong: yarn_length_ignored => turns were counted in 2048 tokens: `length` says how many were seen in training
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

# %% wrong: yarn_low_and_high_fixed => low and high are 1 and 32 here, whatever is handed in
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

# %% wrong: yarn_low_and_high_swapped => the wrong end is stretched: fast pairs, with many turns, stay
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

# %% wrong: yarn_smooth_step => γ rises in a curve: between low and high it is a straight line
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

# %% wrong: yarn_mixes_wavelengths => the wavelengths were mixed: γ mixes ω and ω / s
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

# %% wrong: yarn_of_the_stretched_length => the pair with 3.18 turns was left as it is: turns are length · ω / 2π, with the trained length, and between low and high ω and ω / s are mixed in proportion
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

# %% wrong: yarn_is_interpolation => every pair was interpolated: one with more than `high` turns stays as it is
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

# %% wrong: yarn_stretches_nothing => yarn stretched nothing: a pair with fewer than `low` turns is interpolated
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

# %% wrong: yarn_mixes_with_ntk => the slow end is that of ntk: yarn goes over from ω to the interpolated ω / s
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

# %% wrong: yarn_other_defaults => low or high has another default: they are 1 and 32 turns
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

# %% wrong: unknown_gives_none => an unknown method must raise a ValueError, and nothing was raised
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

# %% wrong: unknown_is_yarn => an unknown method must raise a ValueError, and nothing was raised
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

# %% wrong: key_error => an unknown method must raise a ValueError, and this was a KeyError
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

# %% wrong: not_named_in_the_error => the error must name the method that came
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

# %% wrong: first_letter_decides => whatever begins with y was taken for yarn: another method raises a ValueError
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

# %% wrong: table_on_the_cpu => the table was not made on the device asked for
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

# %% wrong: rounded => were the frequencies rounded? They are used as they are
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

# %% wrong: list_returned => a list of numbers came: one tensor is asked for, one number for each pair
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

# %% wrong: half_precision => the frequencies lost digits: were they made in a smaller number type on the way?
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

# %% wrong: base_of_10000 => the base is 10,000 here, whatever is handed in
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

# %% wrong: factor_one_before_the_method => an unknown method must raise a ValueError, and with a factor of 1 nothing was raised
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

# %% wrong: whatever_begins_with_ntk => whatever begins with ntk was taken for ntk: another method raises a ValueError
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

# %% wrong: narrow_ramp_is_widened => low and high are used as they are, however close: was their distance made larger?
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

# %% wrong: base_rounded_to_a_whole_number => the new base was rounded: it may be any number, 4.5 here
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

# %% wrong: low_of_zero_taken_for_none => length, low and high are used as they are: was a low of 0 taken for none?
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

# %% wrong: length_of_at_most_2048 => length, low and high are used as they are: was the length cut to 2048?
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
