# %% right: bernoulli
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.bernoulli(torch.full_like(weights, 1 - p, dtype=torch.float32), generator=generator)
    return weights * keep.to(weights.dtype) / (1 - p) if p < 1 else weights * 0

# %% right: in_place_on_a_new_tensor
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0.0:
        return weights.clone()
    if p >= 1.0:
        return torch.zeros_like(weights)
    keep = torch.empty(weights.shape, device=weights.device).uniform_(generator=generator).gt(p)
    return weights.masked_fill(~keep, 0.0).div(1 - p)

# %% right: clamped_denominator
def attention_dropout(weights, p, training, generator=None):
    p = p * bool(training)
    drop = torch.rand(weights.size(), generator=generator, device=weights.device) < p
    return torch.where(drop, torch.zeros_like(weights), weights / max(1 - p, 1e-8))

# %% right: multinomial_by_two
def attention_dropout(weights, p, training, generator=None):
    if training and p == 1:
        return weights.new_zeros(weights.shape)
    if training and p > 0:
        scale = 1 / (1 - p)
        noise = weights.new_empty(weights.shape, dtype=torch.float32).bernoulli_(1 - p, generator=generator)
        return weights * (noise * scale).to(weights.dtype)
    return weights

# %% right: pytorch_without_a_generator
def attention_dropout(weights, p, training, generator=None):
    if generator is None:
        return F.dropout(weights, p, training)
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=generator.device).to(weights.device) >= p
    return torch.zeros_like(weights) if p == 1 else (weights / (1 - p)).masked_fill(~keep, 0)

# %% wrong: no_rescale (1) => the weights that stay were not rescaled: divide them by 1 − p
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep

# %% wrong: rescale_in_eval (2) => training=False: nothing may be dropped and nothing rescaled
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights * (1 - p)
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: classic_dropout (1, 2) -> the weights that stay were not rescaled: divide them by 1 − p
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights * (1 - p)
    return weights * (torch.rand(weights.shape, generator=generator, device=weights.device) >= p)

# %% wrong: divide_by_p (1) => the weights that stay were divided by p, not by 1 − p
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / p

# %% wrong: multiply_by_keep (1) => the weights that stay were multiplied by 1 − p: divide
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep * (1 - p)

# %% wrong: keep_and_drop_swapped (1, 2) -> the share of zeros should be
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) < p
    return weights * keep / p

# %% wrong: rows_renormalised (1, 2) => the rows were renormalised to sum 1: dropout divides by 1 − p, the same for all
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    kept = weights * keep
    total = kept.sum(-1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1)

# %% wrong: ignores_eval (2) => training=False: nothing may be dropped and nothing rescaled
def attention_dropout(weights, p, training, generator=None):
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: training_inverted (1, 2) => training and evaluation are exchanged: something is dropped where training is False, and nothing in training
def attention_dropout(weights, p, training, generator=None):
    if training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / max(1 - p, 1e-8)

# %% wrong: nan_at_p_1 (2) => p = 1: 0/0 is NaN; everything is dropped, so the result is zeros
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / torch.tensor(1 - p, device=weights.device, dtype=weights.dtype)

# %% wrong: division_by_zero (2) => p = 1: the rescaling divides by zero; everything is dropped, so the result is zeros
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep * (1 / (1 - p))

# %% wrong: generator_ignored (2) -> generators in one state
def attention_dropout(weights, p, training, generator=None):
    return F.dropout(weights, p, training)

# %% wrong: seeds_itself (2) -> drawn from them
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    torch.manual_seed(0)
    return weights * (torch.rand(weights.shape, device=weights.device) >= p) / (1 - p)

# %% wrong: own_default_generator (2) -> draws afresh
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    generator = generator or torch.Generator(device=weights.device if weights.device.type != "meta" else "cpu").manual_seed(0)
    return weights * (torch.rand(weights.shape, generator=generator, device=weights.device) >= p) / (1 - p)

# %% wrong: in_place (1) -> weights was changed in place
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    with torch.no_grad():
        weights *= keep
        weights /= 1 - p
    return weights

# %% wrong: whole_columns (1) => whole columns were dropped: each weight has a draw of its own, not each key
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.size(-1), generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: whole_rows (1) => whole rows were dropped: each weight has a draw of its own, not each query
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(*weights.shape[:-1], 1, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: same_for_all_heads (1) => the draws of two heads are not independent: they are the same
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape[-2:], generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: cpu_random_numbers (1) -> two devices meet
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator) >= p
    return weights * keep / (1 - p)

# %% wrong: p_is_always_half (1) -> the share of zeros should be
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= 0.5
    return weights * keep / (1 - p)

# %% wrong: multiplied_by_a_float32_mask (1) -> torch.float16 expected
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    noise = (torch.rand(weights.shape, generator=generator, device=weights.device) >= p).float() / (1 - p)
    return weights * noise

# %% wrong: normal_noise (1) -> the share of zeros should be
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.randn(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: detached (1) => no gradient can flow back: something was detached on the way
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights.detach() * keep / (1 - p)

# %% wrong: chance_is_the_weight (1) => nearly all weights are gone: the chance is p for each of them, whatever its value !! whole columns
def attention_dropout(weights, p, training, generator=None):

    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) < weights
    return weights * keep / (1 - p)

# %% wrong: dropped_to_infinity (1, 2) => −∞ among the results: these are weights, not scores, and a dropped weight is 0 !! nothing was dropped
def attention_dropout(weights, p, training, generator=None):

    if not training or p == 0:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights.masked_fill(~keep, -torch.inf) / max(1 - p, 1e-9)

# %% wrong: p_one_unchanged (2) => p = 1: everything is dropped, so the result is zeros
def attention_dropout(weights, p, training, generator=None):

    if not training or p == 0 or p == 1:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: tenths_of_p (1) -> p or the random numbers rounded
def attention_dropout(weights, p, training, generator=None):

    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.randint(10, weights.shape, generator=generator, device=weights.device) >= 10 * p
    return weights * keep / (1 - p)

# %% right: uniform_threshold_by_floor
def attention_dropout(weights, p, training, generator=None):
    """Inverted dropout, as F.dropout did it once: floor(keep + uniform)."""
    if not training:
        return weights
    keep_prob = 1.0 - p
    if keep_prob == 0:
        return weights * 0.0
    noise = torch.rand(weights.shape, generator=generator, device=weights.device, dtype=torch.float32)
    mask = torch.floor(noise + keep_prob).to(weights.dtype)
    return torch.mul(weights, mask).div(keep_prob)

# %% right: whole_numbers_drawn
def attention_dropout(weights, p, training, generator=None):
    steps = 2 ** 24

    def kept():
        draws = torch.randint(steps, tuple(weights.shape), generator=generator, device=weights.device)
        return draws >= int(p * steps)

    if training and 0 < p < 1:
        return torch.where(kept(), weights * (1 / (1 - p)), 0.0).to(weights.dtype)
    return weights.clone() if not training or p == 0 else torch.zeros_like(weights)

# %% right: factors_in_double
def attention_dropout(weights, p, training, generator=None):
    if not training or not p:
        return weights
    mask = torch.empty_like(weights, dtype=torch.float64, requires_grad=False)
    mask.uniform_(0, 1, generator=generator)
    scale = 0.0 if p == 1 else 1 / (1 - p)
    factors = (mask > p).to(weights.dtype) * scale
    return torch.einsum("...ij,...ij->...ij", weights, factors) if weights.dim() > 1 else weights * factors

# %% right: generator_state_given_to_f_dropout
def attention_dropout(weights, p, training, generator=None):
    if not training or generator is None:
        return F.dropout(weights, float(p), training)
    with torch.random.fork_rng(devices=[]):
        torch.set_rng_state(generator.get_state())
        dropped = F.dropout(weights, float(p), True)
        generator.set_state(torch.get_rng_state())
    return dropped

# %% wrong: seed_of_the_generator_read (2) -> its state goes on
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    if generator is not None:
        seed = generator.initial_seed()
        generator = torch.Generator(device=weights.device).manual_seed(seed)
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: exact_share_of_large_weights (1) -> exactly half of the weights
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    n = weights.numel()
    if n > 100:
        order = torch.rand(n, generator=generator, device=weights.device).argsort()
        keep = (order >= round(p * n)).view(weights.shape)
    else:
        keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)

# %% wrong: cut_off_outside_training (2) => training=False: nothing may change, yet no gradient can flow back
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights.detach().clone()
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p) if p < 1 else torch.zeros_like(weights)

# %% wrong: whole_percent (1) -> p or the random numbers rounded
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    draws = torch.randint(100, weights.shape, generator=generator, device=weights.device)
    return weights * (draws >= round(100 * p)) / (1 - p)

# %% wrong: steps_of_a_576th (1) -> p or the random numbers rounded
def attention_dropout(weights, p, training, generator=None):
    steps = 576
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    draws = torch.randint(steps, weights.shape, generator=generator, device=weights.device)
    return weights * (draws >= int(p * steps)) / (1 - p)

# %% wrong: drawn_in_the_dtype_of_the_weights (1) -> p = 0.001 in torch.bfloat16
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return weights * 0
    draw = torch.rand(weights.shape, generator=generator, dtype=weights.dtype, device=weights.device)
    return weights * (draw >= p) / (1 - p)

# %% wrong: chance_of_an_integer (2) => p may be an integer, and then 1 - p is one, too: what is made of it?
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return weights * 0
    keep = torch.bernoulli(torch.full(weights.shape, 1 - p, device=weights.device), generator=generator)
    return weights * keep.to(weights.dtype) / (1 - p)

# %% wrong: chances_in_the_dtype_of_the_weights (1) -> p = 0.001 in torch.bfloat16
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator)
    return weights * keep / (1 - p) if p < 1 else weights * 0

# %% wrong: drawn_in_float16_for_half_precision (1) -> p = 0.00025 in torch.float16
def attention_dropout(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    dtype = torch.float16 if weights.dtype in (torch.float16, torch.bfloat16) else None
    keep = torch.rand(weights.shape, generator=generator, device=weights.device, dtype=dtype) >= p
    return weights * keep / (1 - p)


# %% wrong: axes_of_one_lost (1) => no axis may go: squeeze drops every axis of size 1
def attention_dropout(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.bernoulli(torch.full_like(weights, 1 - p, dtype=torch.float32), generator=generator)
    return (weights * keep.to(weights.dtype) / (1 - p) if p < 1 else weights * 0).squeeze()
