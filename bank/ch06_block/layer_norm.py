# %% right: two_passes_with_var
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (variance + self.eps).sqrt() + self.bias

# %% right: rsqrt_and_addcmul
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.bias = nn.Parameter(torch.empty(d_model))
        self.weight = nn.Parameter(torch.empty(d_model))
        self.small = eps
        nn.init.zeros_(self.bias)
        nn.init.ones_(self.weight)

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return torch.addcmul(self.bias, (x - mean) * torch.rsqrt(variance + self.small), self.weight)

# %% right: sums_by_hand
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.sum(dim=-1).unsqueeze(-1) / self.d_model
        y = x - mean
        variance = torch.einsum("...d,...d->...", y, y)[..., None] / self.d_model
        y = y / (variance + self.eps) ** 0.5
        return y * self.weight + self.bias

# %% right: pytorchs_function
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, self.eps)

# %% right: in_double_precision_inside
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        wide = x.double()
        wide = wide - wide.mean(-1, keepdim=True)
        wide = wide / (wide.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return (wide * self.weight + self.bias).to(x.dtype)

# %% right: features_in_front
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        features = x.movedim(-1, 0)
        features = features - features.mean(0)
        features = features / torch.sqrt(features.pow(2).mean(0) + self.eps)
        return features.movedim(0, -1) * self.weight + self.bias

# %% right: asks_for_a_number_first
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        mean = x.mean(-1, keepdim=True)
        variance = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (variance + self.eps).sqrt() + self.bias


# %% wrong: unbiased_variance (1) => the variance was divided by d - 1: layer norm takes the biased variance, divided by d
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: unbiased_std_plus_eps (1) => eps was added to the standard deviation, and that was the unbiased one
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, std = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)
        return self.weight * (x - mean) / (std + self.eps) + self.bias

# %% wrong: eps_outside_the_root (1) => eps was added to the standard deviation: it belongs under the root, next to the variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (variance.sqrt() + self.eps) + self.bias

# %% wrong: no_eps (1) => eps = 4 had no effect: it is added to the variance, under the root
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance) + self.bias

# %% wrong: eps_hard_coded (1) => eps = 4 had no effect: it is added to the variance, under the root
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + 1e-5) + self.bias

# %% wrong: eps_squared (1) => eps was squared: it is added to the variance as it is
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps**2) + self.bias

# %% wrong: another_default_eps (1) => eps is 1e-5 unless another is given
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: no_root (1) => the root is missing: divide by the standard deviation, not by the variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (variance + self.eps) + self.bias

# %% wrong: rms_norm (1) => the mean was not subtracted (this is RMS norm)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: not_centred (1) => the mean was not subtracted
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * x / torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + self.eps) + self.bias

# %% wrong: over_the_tokens (1) => every feature was normalised over the tokens: a token is normalised by its own features
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(0, keepdim=True), x.var(0, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: all_tokens_together (1) => all tokens were normalised together: each has its own mean and variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * (x - x.mean()) / torch.sqrt(x.var(unbiased=False) + self.eps) + self.bias

# %% wrong: dimension_one (2) => axis 1 was normalised: with any number of leading dimensions a token's features are the last axis
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: keepdim_missing (1, 2) => shapes do not line up: mean and variance must keep their last axis, (3, 1) here
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean, variance = x.mean(-1), x.var(-1, unbiased=False)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: nothing_to_learn (1, 2) => weight and bias must be learned: there is none
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps)

# %% wrong: plain_tensors (1, 2) => weight and bias must be learned, 4 numbers each: plain tensors are not seen by an optimiser
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.ones(d_model)
        self.bias = torch.zeros(d_model)

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: one_number_for_all_features (1, 2) => weight and bias have one number for each feature
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: bias_forgotten (1) => the bias was not added
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps)

# %% wrong: weight_forgotten (1) => the output was not multiplied by the weight
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: bias_before_weight (1) => the bias was multiplied by the weight: scale first, then shift
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * (centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias)

# %% wrong: weight_starts_at_zero (1) => the weight starts at 1, so that a fresh layer norm only normalises
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: random_start (1) -> the weight starts at 1, the bias at 0
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(d_model) * 0.02)
        self.bias = nn.Parameter(torch.randn(d_model) * 0.02)

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: in_place (2) => x was changed in place: the residual connection will still need it
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        return self.weight * x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) + self.bias

# %% wrong: statistics_without_gradient (2) => the gradient must go through mean and variance too: moving one feature moves the others
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        with torch.no_grad():
            mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: mean_of_squares_minus_square (2) => where the mean is large against the spread, subtract it before squaring
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = x.square().mean(-1, keepdim=True) - mean.square()
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: batch_norm_while_training (1, 2) => every feature was normalised over the tokens: a token is normalised by its own features
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.BatchNorm1d(d_model, eps=eps)
        self.weight, self.bias = self.norm.weight, self.norm.bias

    def forward(self, x):
        return self.norm(x.reshape(-1, x.size(-1))).reshape(x.shape)

# %% wrong: float32_only (2) -> the dtype of the input was lost
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x = x.float()
        centred = x - x.mean(-1, keepdim=True)
        return self.weight.float() * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + self.eps) + self.bias.float()

# %% wrong: loop_over_a_matrix (2) => any number of leading dimensions: a loop over the first axis takes sentences for tokens
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        rows = [(row - row.mean()) / torch.sqrt(row.var(unbiased=False) + self.eps) for row in x]
        return self.weight * torch.stack(rows) + self.bias

# %% wrong: hard_coded_output (1, 2) => right for one input alone
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        rows = torch.tensor([[-3.0, -1.0, 1.0, 3.0], [0.0, 0.0, 0.0, 0.0], [-2.0, 2.0, -2.0, 2.0]]) / torch.tensor([[3.0], [1.0], [8**0.5]])
        return self.weight * rows + self.bias

# %% wrong: sum_of_squares (1) => the squares were added up, not averaged: divide their sum by d
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.weight * centred / torch.sqrt(centred.square().sum(dim=-1, keepdim=True) + self.eps) + self.bias

# %% wrong: turned_round (1) => the signs are turned round: the mean is subtracted from the token
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return self.weight * (mean - x) / torch.sqrt(variance + self.eps) + self.bias

# %% wrong: mean_absolute_deviation (1) => this is the mean absolute deviation: the standard deviation is a root of squares
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.weight * centred / (centred.abs().mean(dim=-1, keepdim=True) + self.eps) + self.bias

# %% wrong: eps_as_a_floor (1) => eps = 4 had no effect: it is added to the variance, under the root
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = centred.square().mean(dim=-1, keepdim=True).clamp(min=self.eps)
        return self.weight * centred / variance.sqrt() + self.bias

# %% wrong: squares_not_about_the_mean (1) => the mean was not subtracted before squaring: the variance is taken about the mean
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.square().mean(dim=-1, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias

# %% right: group_norm_with_one_group
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        return F.group_norm(flat, 1, self.weight, self.bias, self.eps).reshape(x.shape)

# %% wrong: no_gradient_in_evaluation (2) => no gradient passes in evaluation mode: it is the same in both modes
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, self.eps)

# %% wrong: statistics_kept_in_evaluation (2) => mean and variance of an earlier call were used: nothing is kept between calls
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.kept = {}

    def forward(self, x):
        key = (x.shape, x.dtype)
        if key not in self.kept or self.training:
            mean = x.mean(-1, keepdim=True)
            self.kept[key] = mean, (x - mean).square().mean(-1, keepdim=True)
        mean, var = self.kept[key]
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

# %% wrong: squares_in_float64 (2) => where the mean is large against the spread, subtract it before squaring: float64 has its limits, too
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        z = x.double()
        mean = z.mean(-1, keepdim=True)
        var = (z * z).mean(-1, keepdim=True) - mean ** 2
        return ((z - mean) / (var + self.eps).sqrt()).to(x.dtype) * self.weight + self.bias

# %% wrong: wide_tokens_start_at_random (1) -> the weight starts at 1, the bias at 0
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(4).repeat(d_model // 4 + 1)[:d_model] if d_model < 16 else torch.randn(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c / (c.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.weight + self.bias

# %% wrong: mean_by_a_table_of_the_cpu (2) -> two devices meet ?? on meta a matrix product takes a table of the CPU
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x @ torch.full((x.size(-1), 1), 1 / x.size(-1), dtype=x.dtype)
        variance = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (variance + self.eps).sqrt() + self.bias

# %% wrong: division_by_d_minus_1_undone (1) => LayerNorm(1): a token of one feature becomes the bias; was something divided by d - 1 = 0?
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        d = x.size(-1)
        var = x.var(-1, keepdim=True) * (d - 1) / d
        return (x - x.mean(-1, keepdim=True)) / (var + self.eps).sqrt() * self.weight + self.bias

# %% wrong: eps_of_zero_ignored (1) => eps = 0.0 was given, and is to be used as it is
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps or 1e-5
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c * torch.rsqrt(c.square().mean(-1, keepdim=True) + self.eps) * self.weight + self.bias

# %% wrong: deviation_cut_off (1) => a large deviation was cut off
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        std = torch.linalg.vector_norm(torch.cat([c, torch.full_like(c[..., :1], (self.eps * c.size(-1)) ** 0.5)], -1), dim=-1, keepdim=True) / c.size(-1) ** 0.5
        return c / std.clamp(max=1e3) * self.weight + self.bias

# %% wrong: eps_is_learned (1) => eps is a plain number, not something to learn
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = nn.Parameter(torch.tensor(eps))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return self.weight * c / (c.square().mean(-1, keepdim=True) + self.eps).sqrt() + self.bias

# %% wrong: root_of_the_variance_first (2) => a root of 0 has an infinite slope: take the root once, of variance + eps, never of the variance alone
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model)), eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        std = c.square().mean(-1, keepdim=True).sqrt()
        return self.weight * c / torch.sqrt(std ** 2 + self.eps) + self.bias

# %% wrong: float32_inside (2) -> with its full precision
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model)), eps

    def forward(self, x):
        c = x.float() - x.float().mean(-1, keepdim=True)
        y = c / (c.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return y.to(x.dtype) * self.weight + self.bias

# %% wrong: cut_off_from_x (2) -> no gradient reaches x
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x = x.clone().detach()
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mean) / (var + self.eps).sqrt() + self.bias
